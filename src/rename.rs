//! The one way to give something a name that is free: it never replaces what is there. Called by the executors that
//! move files, and by the runtime for files that people send.

use std::{fs, io, path::Path};

use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};

/// Renames, never over something: `AlreadyExists`.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Some file systems do not know the flag.
        Err(Errno::INVAL | Errno::NOSYS) => rename_if_free(from, to),
        other => other.map_err(io::Error::from),
    }
}

/// Looks, then renames. A link that leads nowhere is something, too.
fn rename_if_free(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::rename(from, to),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_replaced_with_the_flag_or_without() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let ways: [fn(&Path, &Path) -> io::Result<()>; 2] = [rename_new, rename_if_free];
        for rename in ways {
            fs::write(path("mine"), "mine").unwrap();
            fs::write(path("there"), "there").unwrap();
            std::os::unix::fs::symlink("nowhere", path("link")).unwrap();
            for taken in ["there", "link"] {
                let refused = rename(&path("mine"), &path(taken)).unwrap_err();
                assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists, "{taken}");
            }
            assert_eq!(fs::read_to_string(path("there")).unwrap(), "there");
            rename(&path("mine"), &path("free")).unwrap();
            assert_eq!(fs::read_to_string(path("free")).unwrap(), "mine");
            assert!(!path("mine").exists());
            fs::remove_file(path("free")).unwrap();
            fs::remove_file(path("link")).unwrap();
        }
    }
}
