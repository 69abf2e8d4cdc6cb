//! A folder of small text files, each with the version it is in. It changes a file only in the version its caller
//! knows, by a new file in its place; it follows no link and reads nothing hidden, nothing large and nothing endless.

use std::{
    fs, io,
    io::{Read as _, Write as _},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::domain::{
    hex::hex,
    limits::{AGENDA_BYTES_MAX, AGENDA_FILE_BYTES_MAX, AGENDA_FILES_MAX},
};

/// Why a folder of this kind could not be read or changed.
#[derive(Debug, Error)]
pub enum ShelfError {
    /// The disk said no.
    #[error("cannot use `{}`", path.display())]
    Io {
        /// What was touched.
        path: PathBuf,
        /// What the disk said.
        source: io::Error,
    },
    /// The file is no longer in the version that was known.
    #[error("`{name}` was changed meanwhile")]
    Changed {
        /// Which.
        name: String,
    },
    /// A name that could lead elsewhere.
    #[error("`{name}` is no name of a file here")]
    Name {
        /// Which.
        name: String,
    },
}

/// A file with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its name in the folder.
    pub name: String,
    /// What it says.
    pub text: String,
    /// The version it is in.
    pub version: String,
    /// The name of whose it is, where it is somebody else's.
    pub whose: Option<String>,
}

/// Such a folder. It need not be there.
#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
    ending: &'static str,
}

/// The version that a text is.
pub fn version_of(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

impl Shelf {
    /// The folder, and the ending its files have.
    pub(super) fn new(folder: PathBuf, ending: &'static str) -> Self {
        Self { folder, ending }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether nothing was ever put there.
    pub fn is_missing(&self) -> bool {
        !self.folder.is_dir()
    }

    /// Names, sizes and times of its files, in order.
    pub(super) fn stamp(&self) -> Result<Vec<(String, u64, i128)>, ShelfError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.failed(&self.folder, error)),
        };
        let mut stamp = Vec::new();
        for entry in entries.take(4 * AGENDA_FILES_MAX) {
            let entry = entry.map_err(|error| self.failed(&self.folder, error))?;
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
                continue;
            };
            let Ok(found) = entry.path().symlink_metadata() else {
                continue;
            };
            if found.is_file() && self.is_ours(&name) {
                let at = i128::from(found.mtime()) * 1_000_000_000 + i128::from(found.mtime_nsec());
                stamp.push((name, found.len(), at));
            }
        }
        stamp.sort();
        stamp.truncate(AGENDA_FILES_MAX);
        Ok(stamp)
    }

    fn is_ours(&self, name: &str) -> bool {
        let has_ending = Path::new(name)
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case(self.ending));
        has_ending && !name.starts_with('.') && !name.contains(['/', '#', '\0'])
    }

    fn path(&self, name: &str) -> Result<PathBuf, ShelfError> {
        if self.is_ours(name) {
            Ok(self.folder.join(name))
        } else {
            Err(ShelfError::Name { name: name.to_owned() })
        }
    }

    fn failed(&self, path: &Path, source: io::Error) -> ShelfError {
        ShelfError::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// All its files that are small enough.
    pub fn read_all(&self) -> Result<Vec<Leaf>, ShelfError> {
        let mut left = AGENDA_BYTES_MAX;
        let mut all = Vec::new();
        for (name, size, _) in self.stamp()? {
            if size > AGENDA_FILE_BYTES_MAX || size > left {
                continue;
            }
            left -= size;
            all.extend(self.read(&name)?);
        }
        Ok(all)
    }

    /// One file; `None` where it is not there. What is no UTF-8 is read as far as it can be.
    pub fn read(&self, name: &str) -> Result<Option<Leaf>, ShelfError> {
        let path = self.path(name)?;
        let mut options = fs::OpenOptions::new();
        options.read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
        let file = match options.open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.failed(&path, error)),
        };
        let mut bytes = Vec::new();
        let read = file.take(AGENDA_FILE_BYTES_MAX).read_to_end(&mut bytes);
        read.map_err(|error| self.failed(&path, error))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Some(Leaf {
            name: name.to_owned(),
            version: version_of(&text),
            text,
            whose: None,
        }))
    }

    /// Writes a file that is in this version, or that is not there where none is named. Returns the new version.
    pub fn put(&self, name: &str, text: &str, expected: Option<&str>) -> Result<String, ShelfError> {
        let path = self.path(name)?;
        self.expect(name, expected)?;
        fs::create_dir_all(&self.folder).map_err(|error| self.failed(&self.folder, error))?;
        let private = fs::Permissions::from_mode(0o700);
        fs::set_permissions(&self.folder, private).map_err(|error| self.failed(&self.folder, error))?;
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let draft = self.folder.join(format!(
            ".{name}.{}.{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        ));
        let written = write_new(&draft, text).and_then(|()| fs::rename(&draft, &path));
        if let Err(error) = written {
            // What is left of the draft is hidden and never read.
            drop(fs::remove_file(&draft));
            return Err(self.failed(&path, error));
        }
        Ok(version_of(text))
    }

    /// Removes a file that is in this version.
    pub fn remove(&self, name: &str, expected: &str) -> Result<(), ShelfError> {
        let path = self.path(name)?;
        self.expect(name, Some(expected))?;
        fs::remove_file(&path).map_err(|error| self.failed(&path, error))
    }

    fn expect(&self, name: &str, expected: Option<&str>) -> Result<(), ShelfError> {
        let there = self.read(name)?.map(|leaf| leaf.version);
        if there.as_deref() == expected {
            Ok(())
        } else {
            Err(ShelfError::Changed { name: name.to_owned() })
        }
    }
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_over_what_somebody_changed() {
        let home = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(home.path().join("c"), "ics");
        let first = shelf.put("a.ics", "one", None).unwrap();
        assert!(matches!(
            shelf.put("a.ics", "two", None),
            Err(ShelfError::Changed { .. })
        ));
        fs::write(shelf.folder().join("a.ics"), "by hand").unwrap();
        assert!(matches!(
            shelf.put("a.ics", "two", Some(&first)),
            Err(ShelfError::Changed { .. })
        ));
        assert!(matches!(shelf.remove("a.ics", &first), Err(ShelfError::Changed { .. })));
        assert_eq!(shelf.read("a.ics").unwrap().unwrap().text, "by hand");
    }

    #[test]
    fn no_name_and_no_link_leads_elsewhere() {
        let home = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(home.path().join("c"), "ics");
        for name in ["../a.ics", ".a.ics", "a.txt", "a/b.ics", "", "a#b.ics"] {
            assert!(
                matches!(shelf.put(name, "x", None), Err(ShelfError::Name { .. })),
                "{name}"
            );
        }
        fs::create_dir_all(shelf.folder()).unwrap();
        fs::write(home.path().join("secret"), "x").unwrap();
        std::os::unix::fs::symlink(home.path().join("secret"), shelf.folder().join("l.ics")).unwrap();
        assert!(shelf.read_all().unwrap().is_empty());
        assert!(shelf.read("l.ics").is_err());
    }
}
