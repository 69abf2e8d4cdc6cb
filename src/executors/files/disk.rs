//! Disk operations that lose nothing: write by rename, move without replacing, copy across disks, keep a copy.
//! Used by the executors that change files and by `reversal`. None of them ever replaces a file it was not told to.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{
    domain::hex::hex,
    executors::{CallContext, paths},
    rename::rename_new,
};

/// For its owner alone.
const PRIVATE: u32 = 0o600;
/// Bytes read at a time.
const CHUNK_BYTES: usize = 64 * 1_024;

/// SHA-256 of a file, hex.
pub(in crate::executors) fn sha256_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut digest = Sha256::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let count = file.read(&mut chunk)?;
        let Some(part) = chunk.get(..count).filter(|part| !part.is_empty()) else {
            return Ok(hex(&digest.finalize()));
        };
        digest.update(part);
    }
}

/// SHA-256 of bytes, hex.
pub(in crate::executors) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A whole file beside its target, ready to be put in its place; removed when dropped before it was.
pub(in crate::executors) struct Draft {
    path: PathBuf,
    target: PathBuf,
    is_placed: bool,
}

impl Draft {
    /// An empty one. Until it is whole nobody else reads it: what it will hold may be private.
    fn beside(target: &Path, context: &CallContext) -> io::Result<(Self, File)> {
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let short: String = name.chars().take(40).collect();
        let path = target.with_file_name(format!(".{short}.{}-{}.metnos", context.turn, context.step.0));
        // One left behind by a process that was killed in the same step is ours to replace.
        remove_if_there(&path)?;
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(PRIVATE)
            .open(&path)?;
        let draft = Self {
            path,
            target: target.to_path_buf(),
            is_placed: false,
        };
        Ok((draft, file))
    }

    /// SHA-256 of what it holds, hex.
    pub(in crate::executors) fn sha256(&self) -> io::Result<String> {
        sha256_of(&self.path)
    }

    /// Puts it in its place.
    pub(in crate::executors) fn place(mut self, replace: Replace) -> io::Result<()> {
        match replace {
            Replace::Yes => fs::rename(&self.path, &self.target)?,
            Replace::No => rename_new(&self.path, &self.target)?,
        }
        self.is_placed = true;
        // It is there, whatever a power cut would make of it; some file systems cannot promise more.
        if let Err(error) = sync_parent(&self.target) {
            tracing::warn!(%error, "a file is in its place, and the disk does not say whether it would stay there");
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_placed
            && let Err(error) = remove_if_there(&self.path)
        {
            tracing::warn!(path = %self.path.display(), %error, "cannot remove a temporary file");
        }
    }
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whether a file may be replaced by what is put in its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::executors) enum Replace {
    /// It may: a copy was kept.
    Yes,
    /// It may not: `AlreadyExists`.
    No,
}

/// All these bytes, as `draft_written` keeps them.
pub(in crate::executors) fn draft(target: &Path, bytes: &[u8], context: &CallContext) -> io::Result<Draft> {
    draft_written(target, context, |file| file.write_all(bytes))
}

/// What is written into it, all of it or nothing, also when the machine stops in the middle, with the permissions of
/// the file that is there, or those of any new file.
pub(in crate::executors) fn draft_written(
    target: &Path,
    context: &CallContext,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<Draft> {
    let mode = match fs::metadata(target) {
        Ok(existing) => existing.permissions().mode() & 0o7777,
        Err(_new) => mode_of_new(target, context)?,
    };
    let (draft, mut file) = Draft::beside(target, context)?;
    write(&mut file)?;
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    file.sync_all()?;
    Ok(draft)
}

/// What the system lets others do with a new file in this folder; only an empty one shows it.
fn mode_of_new(target: &Path, context: &CallContext) -> io::Result<u32> {
    let (probe, file) = Draft::beside(target, context)?;
    drop(file);
    fs::remove_file(&probe.path)?;
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o666)
        .open(&probe.path)?;
    Ok(file.metadata()?.permissions().mode() & 0o7777)
}

fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}

/// Moves a file or a folder to a place where nothing is, also to another disk.
pub(in crate::executors) fn move_new(from: &Path, to: &Path, context: &CallContext) -> io::Result<()> {
    match rename_new(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            copy(from, to, Replace::No, context)?;
            // What cannot be taken from its place is not moved: one of two would be nobody's.
            fs::remove_file(from).inspect_err(|_stays| {
                if let Err(error) = fs::remove_file(to) {
                    tracing::error!(path = %to.display(), %error, "a copy of what could not be moved stays behind");
                }
            })
        }
        other => other,
    }
}

/// Copies a regular file with its permissions and times, all of it or nothing.
pub(in crate::executors) fn copy(from: &Path, to: &Path, replace: Replace, context: &CallContext) -> io::Result<()> {
    draft_copy(from, to, context)?.place(replace)
}

/// A copy of a regular file, with its permissions and times, that is not in its place yet.
pub(in crate::executors) fn draft_copy(from: &Path, to: &Path, context: &CallContext) -> io::Result<Draft> {
    let metadata = fs::symlink_metadata(from)?;
    if !metadata.is_file() {
        return Err(io::ErrorKind::CrossesDevices.into());
    }
    let mut source = File::open(from)?;
    let (draft, mut file) = Draft::beside(to, context)?;
    io::copy(&mut source, &mut file)?;
    file.set_permissions(metadata.permissions())?;
    if let Ok(modified) = metadata.modified() {
        file.set_modified(modified)?;
    }
    file.sync_all()?;
    Ok(draft)
}

/// Where a copy of this file goes: inside the turn's backup folder, under a name that is free.
pub(in crate::executors) fn backup_place(path: &Path, context: &CallContext) -> io::Result<PathBuf> {
    let folder = context.backup_dir.join(format!("step{}", context.step.0));
    fs::create_dir_all(&folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // The path's digest keeps files of the same name apart, and a second try of the same step together.
    let digest: String = sha256_hex(paths::show(path).as_bytes()).chars().take(12).collect();
    let mut place = folder.join(format!("{digest}-{name}"));
    let mut number = 1;
    while fs::symlink_metadata(&place).is_ok() {
        number += 1;
        place = folder.join(format!("{digest}-{number}-{name}"));
    }
    Ok(place)
}

/// The folders that must be made so that this one is there, outermost first.
pub(in crate::executors) fn missing_dirs(path: &Path) -> Vec<&Path> {
    let mut missing: Vec<&Path> = path.ancestors().take_while(|above| !above.is_dir()).collect();
    missing.reverse();
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode_of(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn nobody_else_reads_a_file_while_it_is_written_and_then_it_is_as_any_other() {
        let folder = tempfile::tempdir().unwrap();
        let context = CallContext::in_folder(folder.path());
        let path = |name: &str| folder.path().join(name);
        let (unfinished, _file) = Draft::beside(&path("private.txt"), &context).unwrap();
        assert_eq!(mode_of(&unfinished.path), 0o600);
        drop(unfinished);

        fs::write(path("any.txt"), "x").unwrap();
        draft(&path("new.txt"), b"x", &context)
            .unwrap()
            .place(Replace::No)
            .unwrap();
        assert_eq!(mode_of(&path("new.txt")), mode_of(&path("any.txt")));

        fs::set_permissions(path("any.txt"), fs::Permissions::from_mode(0o640)).unwrap();
        draft(&path("any.txt"), b"y", &context)
            .unwrap()
            .place(Replace::Yes)
            .unwrap();
        copy(&path("any.txt"), &path("copy.txt"), Replace::No, &context).unwrap();
        assert_eq!((mode_of(&path("any.txt")), mode_of(&path("copy.txt"))), (0o640, 0o640));
        assert_eq!(folder.path().read_dir().unwrap().count(), 3, "nothing else stays");
    }

    /// Nobody takes a file from `/proc`, and it is another disk than any folder.
    #[test]
    fn what_cannot_be_taken_from_its_place_leaves_no_copy() {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("version");
        assert!(move_new(Path::new("/proc/version"), &to, &CallContext::in_folder(folder.path())).is_err());
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }
}
