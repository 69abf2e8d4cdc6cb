//! What reading a request may know of the home folder it speaks of: whether a name is there, and the folders at its
//! top. With it "~/docs/letter to Marta.txt" is one name and "the notes folder" is `~/notes`. Made by the engine for
//! each turn. It only looks at names below the home, never into a file, and never further up.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// A home folder, or none when nothing is known of the disk.
#[derive(Clone, Debug, Default)]
pub struct Home {
    root: Option<PathBuf>,
}

impl Home {
    /// A home that can be looked at.
    pub fn at(root: PathBuf) -> Self {
        Self { root: Some(root) }
    }

    /// Nothing is known: names are read as they are written.
    pub fn unknown() -> Self {
        Self::default()
    }

    /// Whether something with this name, written with `~/`, is there.
    pub(super) fn has(&self, path: &str) -> bool {
        let Some(below) = path.strip_prefix("~/") else {
            return false;
        };
        let plain = Path::new(below)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let found = |root: &PathBuf| fs::symlink_metadata(root.join(below)).is_ok();
        plain && self.root.as_ref().is_some_and(found)
    }

    /// The folder at the top of the home whose name this is, in its own spelling; none when several would do.
    pub(super) fn folder(&self, name: &str) -> Option<String> {
        let wanted = name.to_lowercase();
        let entries = fs::read_dir(self.root.as_ref()?).ok()?;
        let mut found = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|known| !known.starts_with('.') && known.to_lowercase() == wanted);
        let one = found.next()?;
        found.next().is_none().then_some(one)
    }
}
