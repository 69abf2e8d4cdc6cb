//! What a path written by a person or a model stands for. Called by the executors and by `sandbox`, which must agree
//! on it: what the sandbox opens is exactly what the executor touches. Only `nearest_dir` looks at the disk.

use std::path::{Component, Path, PathBuf};

use crate::domain::{
    failure::{ErrorClass, ToolError},
    message::Message,
};

/// An absolute path without `.` and `..`: `~` is the home folder, relative paths stand on it.
pub fn resolve(text: &str, home: &Path) -> Result<PathBuf, ToolError> {
    let trimmed = text.trim();
    let bad = || {
        ToolError::new(
            ErrorClass::InvalidArgs,
            Message::new("executors-path-invalid").with("path", trimmed),
        )
    };
    if trimmed.is_empty() || trimmed.contains('\0') || trimmed.contains("://") || trimmed.starts_with("file:") {
        return Err(bad());
    }
    let joined = match trimmed.strip_prefix('~') {
        Some("") => home.to_path_buf(),
        Some(rest) => match rest.strip_prefix('/') {
            Some(below) => home.join(below.trim_start_matches('/')),
            // `~name` would be another person's home.
            None => return Err(bad()),
        },
        None => home.join(trimmed),
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

/// Whether a text is a pattern for many names.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '{']) || (text.contains('[') && text.contains(']'))
}

/// The path as text for people, results and journals.
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
            (" docs/x.txt ", "/home/ada/docs/x.txt"),
            ("./docs/../b", "/home/ada/b"),
            ("/etc//hosts", "/etc/hosts"),
            ("../../../../etc", "/etc"),
            ("/a/./b/", "/a/b"),
        ] {
            assert_eq!(resolve(text, home).unwrap(), Path::new(expected), "{text}");
        }
        for bad in ["", "  ", "~bob/x", "file:///etc/passwd", "file:x", "http://x/y", "a\0b"] {
            assert!(resolve(bad, home).is_err(), "{bad}");
        }
    }
}
