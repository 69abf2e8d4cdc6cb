//! Where words are left: what must stand nowhere is looked for in every file.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{fs, path::Path};

/// Files below a folder in which any of these words stand, the database and its journal among them.
pub(crate) fn kept(folder: &Path, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            // SQLite takes its journal away with the last connection, which may be just now.
            let bytes = fs::read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            if words.iter().any(|word| text.contains(word)) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}
