//! The repository as tests read it: text files by their path from the root.
//! Used by the tests that hold the tree to its own rules; it never looks into `target/` or `.git/`.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// One text file.
pub(crate) struct File {
    /// Path from the repository's root, with `/`.
    pub(crate) path: String,
    /// All of it.
    pub(crate) text: String,
}

/// Some files of the repository, ordered by path.
pub(crate) struct Tree {
    /// The files.
    pub(crate) files: Vec<File>,
}

impl Tree {
    /// Every file below `folder` whose name ends in `.extension`.
    pub(crate) fn of(folder: &str, extension: &str) -> Self {
        let wanted = format!(".{extension}");
        Self::select(folder, |path| path.ends_with(&wanted))
    }

    /// Every text file of the repository that a person wrote.
    pub(crate) fn all() -> Self {
        const TEXT: &[&str] = &[
            "rs", "toml", "md", "ftl", "sql", "sh", "py", "txt", "html", "yml", "yaml", "json",
        ];
        const BARE: &[&str] = &["justfile", "Dockerfile", ".ci/run", ".dockerignore", ".gitignore"];
        Self::select("", |path| {
            BARE.contains(&path) || TEXT.iter().any(|extension| path.ends_with(&format!(".{extension}")))
        })
    }

    /// Made-up files, to see a rule fail.
    pub(crate) fn planted(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text)| File {
                path: (*path).to_owned(),
                text: (*text).to_owned(),
            })
            .collect();
        Self { files }
    }

    /// The text of one file; `None` when it is not there.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files
            .iter()
            .find(|file| file.path == path)
            .map(|file| file.text.as_str())
    }

    fn select(folder: &str, wanted: impl Fn(&str) -> bool) -> Self {
        let mut pending = vec![root().join(folder)];
        let mut files = Vec::new();
        while let Some(path) = pending.pop() {
            let name = relative(&path);
            if path.is_dir() {
                if !is_made(&name) {
                    pending.extend(entries(&path));
                }
            } else if wanted(&name) {
                let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read `{name}`: {error}"));
                files.push(File { path: name, text });
            }
        }
        files.sort_by(|left, right| left.path.cmp(&right.path));
        Self { files }
    }
}

/// The repository's root.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of the entries of a folder of the repository, ordered; empty when it is not there.
pub(crate) fn names_in(folder: &str) -> Vec<String> {
    let path = root().join(folder);
    if !path.is_dir() {
        return Vec::new();
    }
    let mut names: Vec<String> = entries(&path)
        .iter()
        .filter_map(|entry| Some(entry.file_name()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    names
}

/// Folders that programs make, not people.
fn is_made(name: &str) -> bool {
    ["target", ".git", "node_modules"].contains(&name) || name.ends_with("__pycache__")
}

fn relative(path: &Path) -> String {
    let inside = path.strip_prefix(root()).unwrap_or(path);
    inside.display().to_string().replace('\\', "/")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("cannot list `{}`: {error}", folder.display()))
        .map(|entry| {
            entry
                .unwrap_or_else(|error| panic!("cannot list `{}`: {error}", folder.display()))
                .path()
        })
        .collect()
}
