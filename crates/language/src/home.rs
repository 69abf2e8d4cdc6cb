//! What reading a request may know of the home folder it speaks of: whether a name is there, the folders at its top or
//! one further down, and the names of the files in it. With it "~/docs/letter to Marta.txt" is one name and "the notes
//! folder" is `~/notes`. Made by the engine for each turn. It only looks at names below the home, never into a file,
//! and never further up.

use std::{
    fs,
    path::{Component, Path, PathBuf},
    sync::OnceLock,
};

use metnos_domain::limits;

/// A home folder, or none when nothing is known of the disk.
#[derive(Clone, Debug, Default)]
pub struct Home {
    root: Option<PathBuf>,
    /// A folder below the root that is none of the person's.
    closed: Option<PathBuf>,
    /// Where lists and notes are kept that have no other place, below the root.
    notes: Option<String>,
    /// What is in it, looked up at most once a turn.
    listing: OnceLock<Listing>,
}

/// The names of a home, written with `~/`, without hidden ones, in order.
#[derive(Clone, Debug, Default)]
struct Listing {
    files: Vec<String>,
    folders: Vec<String>,
}

impl Home {
    /// A home that can be looked at.
    pub fn at(root: PathBuf) -> Self {
        Self {
            root: Some(root),
            ..Self::default()
        }
    }

    /// The same without what is in this folder, which is not the person's.
    #[must_use]
    pub fn without(mut self, closed: &Path) -> Self {
        let is_below = |root: &PathBuf| closed != root && closed.starts_with(root);
        self.closed = self.root.as_ref().is_some_and(is_below).then(|| closed.to_owned());
        self
    }

    /// The same with a place for lists and notes: a folder below the home, which need not be there yet.
    #[must_use]
    pub fn keeping_notes_in(mut self, folder: &str) -> Self {
        self.notes = Some(folder.trim_start_matches("~/").trim_matches('/').to_owned());
        self
    }

    /// Where lists and notes are kept, below the home: the place that was set, or else, where that is not there, the
    /// folder at its top that has one of these names.
    pub fn notes(&self, names: &[String]) -> Option<String> {
        let root = self.root.as_ref()?;
        let is_there = |folder: &&String| root.join(folder).is_dir();
        let own = self.notes.as_ref();
        own.filter(is_there)
            .cloned()
            .or_else(|| names.iter().find_map(|name| self.folder(name)))
            .or_else(|| own.cloned())
    }

    /// Nothing is known: names are read as they are written.
    pub fn unknown() -> Self {
        Self::default()
    }

    /// Whether anything can be said of what is there.
    pub(super) fn is_known(&self) -> bool {
        self.root.is_some()
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

    /// Whether a folder with this name, written with `~/`, is there.
    pub(super) fn is_folder(&self, path: &str) -> bool {
        let below = path.strip_prefix("~/");
        let is_dir = |root: &PathBuf| below.is_some_and(|below| root.join(below).is_dir());
        self.has(path.trim_end_matches('/')) && self.root.as_ref().is_some_and(is_dir)
    }

    /// The folder at the top of the home whose name this is, in its own spelling; none when several would do.
    pub(super) fn folder(&self, name: &str) -> Option<String> {
        let wanted = name.to_lowercase();
        only(folders(self.root.as_ref()?).filter(|known| known.to_lowercase() == wanted))
    }

    /// The same, also one folder further down: `docs/insurance` for "the insurance folder".
    pub(super) fn folder_below(&self, name: &str) -> Option<String> {
        self.folder(name).or_else(|| {
            let wanted = name.to_lowercase();
            let root = self.root.as_ref()?;
            let below = folders(root).take(limits::HOME_FOLDERS_MAX).flat_map(|top| {
                let inner = folders(&root.join(&top)).filter(|known| known.to_lowercase() == wanted);
                inner.map(|known| format!("{top}/{known}")).collect::<Vec<_>>()
            });
            only(below)
        })
    }

    /// Every file of the home, written with `~/`, without hidden ones; none when nothing is known, or not all
    /// of it can be.
    pub fn files(&self) -> &[String] {
        &self.listing().files
    }

    /// Every folder of the home in the same form.
    pub fn folders(&self) -> &[String] {
        &self.listing().folders
    }

    fn listing(&self) -> &Listing {
        self.listing.get_or_init(|| self.walk().unwrap_or_default())
    }

    /// The name of a file of the home, without its folder, as it is spelled there.
    pub(super) fn spelled(&self, name: &str) -> Option<&str> {
        let wanted = name.to_lowercase();
        let mut names = self.files().iter().filter_map(|path| path.rsplit('/').next());
        names.find(|known| known.to_lowercase() == wanted)
    }

    fn walk(&self) -> Option<Listing> {
        let mut found = Listing::default();
        let mut seen = 0_usize;
        let mut open = vec![(self.root.clone()?, "~".to_owned(), 0)];
        while let Some((folder, shown, depth)) = open.pop() {
            let entries = fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok);
            for entry in entries {
                seen += 1;
                // Of half a home nobody could say that a name is the only one.
                if seen > limits::HOME_NAMES_MAX {
                    return None;
                }
                let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
                    continue;
                };
                let path = format!("{shown}/{name}");
                if name.starts_with('.') || self.closed.as_ref().is_some_and(|closed| *closed == entry.path()) {
                    continue;
                }
                // What the host shares lies in a guest's folder as a link.
                if kind.is_file() || kind.is_symlink() && entry.path().is_file() {
                    found.files.push(path);
                } else if kind.is_dir() && depth < limits::HOME_DEPTH_MAX {
                    found.folders.push(path.clone());
                    open.push((entry.path(), path, depth + 1));
                }
            }
        }
        found.files.sort();
        found.folders.sort();
        Some(found)
    }
}

/// The names of the folders in a folder, without hidden ones.
fn folders(folder: &Path) -> impl Iterator<Item = String> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|known| !known.starts_with('.'))
}

fn only(mut found: impl Iterator<Item = String>) -> Option<String> {
    let one = found.next()?;
    found.next().is_none().then_some(one)
}
