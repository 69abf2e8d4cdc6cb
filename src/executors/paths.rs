//! What a path written by a person or a model stands for. Called by the executors and by `sandbox`, which must agree
//! on it: what the sandbox opens is exactly what the executor touches. Only `nearest_dir` and `free_place` look at the
//! disk.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use crate::domain::{
    failure::{ErrorClass, ToolError},
    message::Message,
};

/// Most things of one name in a folder.
const SAME_NAME_MAX: u32 = 100;
/// Why a name that is no text cannot be used: as `show` writes it, it would be another file's.
pub(super) const NOT_TEXT: &str = "executors-name-not-text";

/// An absolute path without `.` and `..`: `~` is the home folder, relative paths stand on it. Every letter counts: a
/// name may end in a space, and without it would be another file's.
pub fn resolve(text: &str, home: &Path) -> Result<PathBuf, ToolError> {
    let refused = |key: &str| ToolError::new(ErrorClass::InvalidArgs, Message::new(key).with("path", text));
    let bad = || refused("executors-path-invalid");
    if text.trim().is_empty() || text.contains('\0') || text.contains("://") || text.starts_with("file:") {
        return Err(bad());
    }
    if text.contains(char::REPLACEMENT_CHARACTER) {
        return Err(refused(NOT_TEXT));
    }
    let joined = match text.strip_prefix('~') {
        Some("") => home.to_path_buf(),
        Some(rest) => match rest.strip_prefix('/') {
            Some(below) => home.join(below.trim_start_matches('/')),
            // `~name` would be another person's home.
            None => return Err(bad()),
        },
        None => home.join(text),
    };
    Ok(normalize(&joined))
}

/// The same path without `.` and `..`, by its words alone.
fn normalize(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => clean.push(component),
        }
    }
    clean
}

/// The folder itself, or the nearest one above that exists.
pub fn nearest_dir(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|above| above.is_dir()).map(Path::to_path_buf)
}

/// A place in a folder where nothing is: `stem.zip`, `stem 2.zip`, …; the ending comes with its point. `None` where all
/// such names are taken.
pub fn free_place(folder: &Path, stem: &str, ending: &str) -> Option<PathBuf> {
    let mut places = (1..=SAME_NAME_MAX).map(|number| match number {
        1 => folder.join(format!("{stem}{ending}")),
        _ => folder.join(format!("{stem} {number}{ending}")),
    });
    places.find(|place| fs::symlink_metadata(place).is_err())
}

/// Whether a text is a pattern for many names.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '{']) || (text.contains('[') && text.contains(']'))
}

/// The path as text for people, results and journals. What is no text in it becomes a sign that `resolve` refuses.
pub fn show(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The same with the home folder as `~`, for sentences.
pub fn show_short(path: &Path, home: &Path) -> String {
    match path.strip_prefix(home) {
        Ok(below) if below.as_os_str().is_empty() => "~".to_owned(),
        Ok(below) => format!("~/{}", show(below)),
        Err(_elsewhere) => show(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_one_path() {
        let home = Path::new("/home/ada");
        for (text, expected) in [
            ("~", "/home/ada"),
            ("~/", "/home/ada"),
            ("~/a", "/home/ada/a"),
            ("~//etc/passwd", "/home/ada/etc/passwd"),
            ("docs/x.txt ", "/home/ada/docs/x.txt "),
            (" docs/x.txt", "/home/ada/ docs/x.txt"),
            ("./docs/../b", "/home/ada/b"),
            ("/etc//hosts", "/etc/hosts"),
            ("../../../../etc", "/etc"),
            ("/a/./b/", "/a/b"),
        ] {
            assert_eq!(resolve(text, home).unwrap(), Path::new(expected), "{text}");
        }
        for bad in [
            "",
            "  ",
            "~bob/x",
            "file:///etc/passwd",
            "file:x",
            "http://x/y",
            "a\0b",
            "caf\u{FFFD}.txt",
        ] {
            assert!(resolve(bad, home).is_err(), "{bad}");
        }
    }
}
