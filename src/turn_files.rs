//! The files of the turn log: `turns/YYYY-MM-DD.jsonl`, one a day, and `…jsonl.gz` once a day is over. Readable by
//! their owner only. `runtime::turn_log` writes lines and takes those of a person out, `jobs` packs and forgets whole
//! days. What a line says is not known here.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use jiff::civil::Date;

use crate::domain::folders;

const OPEN_DAY: &str = ".jsonl";
const PACKED_DAY: &str = ".jsonl.gz";

/// The folder of the log.
#[derive(Clone, Debug)]
pub struct TurnFiles {
    folder: PathBuf,
}

impl TurnFiles {
    /// The log below the data folder.
    pub fn new(data_dir: &Path) -> Self {
        Self {
            folder: folders::turn_log(data_dir),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps others from changing the log until the result is dropped. It may be waited for: not on a thread of tasks.
    pub fn lock(&self) -> io::Result<File> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let folder = File::open(&self.folder)?;
        folder.lock()?;
        Ok(folder)
    }

    /// Appends a line to the file of a day. A day that was packed since gets a second file beside it.
    pub fn append(&self, day: Date, line: &str) -> io::Result<()> {
        let mut text = line.to_owned();
        text.push('\n');
        OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(self.folder.join(format!("{day}{OPEN_DAY}")))?
            .write_all(text.as_bytes())
    }

    /// Every file, the oldest day first.
    pub fn all(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut files = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<PathBuf>>>()?;
        files.retain(|file| day_of(file).is_some());
        files.sort();
        Ok(files)
    }

    /// Removes the files of the days before this one; how many.
    pub fn forget_before(&self, first_kept: Date) -> io::Result<usize> {
        let old = |file: &PathBuf| day_of(file).is_some_and(|day| day < first_kept);
        let files: Vec<PathBuf> = self.all()?.into_iter().filter(old).collect();
        files.iter().try_for_each(fs::remove_file)?;
        Ok(files.len())
    }

    /// Packs the files of the days before this one; how many.
    pub fn pack_before(&self, first_open: Date) -> io::Result<usize> {
        let is_due = |file: &PathBuf| !is_packed(file) && day_of(file).is_some_and(|day| day < first_open);
        let files: Vec<PathBuf> = self.all()?.into_iter().filter(is_due).collect();
        for file in &files {
            let packed = file.with_extension("jsonl.gz");
            let mut text = if packed.exists() { read(&packed)? } else { String::new() };
            text.push_str(&read(file)?);
            write(&packed, &text)?;
            fs::remove_file(file)?;
        }
        Ok(files.len())
    }
}

/// What a file of the log says.
pub fn read(file: &Path) -> io::Result<String> {
    if !is_packed(file) {
        return fs::read_to_string(file);
    }
    let mut text = String::new();
    GzDecoder::new(File::open(file)?).read_to_string(&mut text)?;
    Ok(text)
}

/// Writes a file of the log anew: all of it, or as it was.
pub fn write(file: &Path, text: &str) -> io::Result<()> {
    let beside = file.with_extension("new");
    let mut anew = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(0o600)
        .open(&beside)?;
    if is_packed(file) {
        let mut packer = GzEncoder::new(&mut anew, Compression::default());
        packer.write_all(text.as_bytes())?;
        packer.finish()?;
    } else {
        anew.write_all(text.as_bytes())?;
    }
    anew.sync_all()?;
    fs::rename(&beside, file)
}

fn is_packed(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "gz")
}

fn day_of(file: &Path) -> Option<Date> {
    let name = file.file_name()?.to_str()?;
    let day = name.strip_suffix(PACKED_DAY).or_else(|| name.strip_suffix(OPEN_DAY))?;
    day.parse().ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_day_that_is_over_is_packed_and_says_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let log = TurnFiles::new(folder.path());
        drop(log.lock().unwrap());
        let (first, second) = (date(2026, 11, 23), date(2026, 11, 24));
        log.append(first, "{\"a\":1}").unwrap();
        log.append(second, "{\"b\":2}").unwrap();
        assert_eq!(log.pack_before(second).unwrap(), 1);
        // A turn that began before midnight may end after its day was packed.
        log.append(first, "{\"a\":3}").unwrap();
        let texts = |log: &TurnFiles| {
            log.all()
                .unwrap()
                .iter()
                .map(|file| read(file).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(&log), ["{\"a\":3}\n", "{\"a\":1}\n", "{\"b\":2}\n"]);
        assert_eq!(log.pack_before(second).unwrap(), 1);
        assert_eq!(texts(&log), ["{\"a\":1}\n{\"a\":3}\n", "{\"b\":2}\n"]);
        write(&log.all().unwrap()[0], "{\"a\":3}\n").unwrap();
        assert_eq!(texts(&log)[0], "{\"a\":3}\n");
        assert_eq!(log.forget_before(second).unwrap(), 1);
        assert_eq!(texts(&log), ["{\"b\":2}\n"]);
    }
}
