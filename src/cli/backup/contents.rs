//! What belongs in a copy of the data folder, and in which order it is taken. Called by `backup` alone. It looks and
//! writes nothing.

use std::{
    ffi::OsStr,
    fs::{self, FileType, Metadata},
    io,
    path::{Path, PathBuf},
};

use anyhow::bail;

use super::{about, unreadable};
use crate::{
    app::{DATABASE, LOCK},
    config::Config,
    domain::folders,
    servers,
    store::backup,
};

/// The household's configuration, as the copy has it.
const CONFIG: &str = "config.toml";

/// What is copied, and how. They are copied in the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Made, before anything is put into it.
    Folder,
    /// How far servers were told that we have everything. Taken before the database: what comes twice is known to it,
    /// what it never saw would be lost.
    Confirmed,
    /// Taken by SQLite.
    Database,
    /// Taken after the databases, which name some of them.
    File,
    /// Taken as a link: where it leads is not ours.
    Link,
}

/// One thing to copy.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) kind: Kind,
    /// Where it is.
    pub(super) from: PathBuf,
    /// Where it belongs in the copy.
    pub(super) to: PathBuf,
}

/// All of it.
pub(super) struct Contents {
    /// In the order they are to be copied.
    pub(super) items: Vec<Item>,
    /// The data folder, and the folders that parts of it are in. A copy cannot be inside one of them.
    pub(super) roots: Vec<PathBuf>,
}

/// Looks through the data folder.
pub(super) fn contents(config: &Config, config_file: Option<&Path>) -> anyhow::Result<Contents> {
    let named = &config.data_dir;
    if !named.join(DATABASE).exists() {
        bail!(about("backup-nothing", named));
    }
    let root = fs::canonicalize(named).map_err(unreadable(named))?;
    let matrix = config
        .matrix
        .folder
        .strip_prefix(named)
        .unwrap_or(&config.matrix.folder);
    let mut search = Search {
        matrix,
        has_config: config_file.is_some(),
        items: Vec::new(),
        roots: vec![root.clone()],
    };
    search.folder(&root, Path::new(""))?;
    let mut items = search.items;
    if let Some(file) = config_file {
        items.push(Item {
            kind: Kind::File,
            from: fs::canonicalize(file).map_err(unreadable(file))?,
            to: PathBuf::from(CONFIG),
        });
    }
    // The sort is stable: a folder stays before those in it.
    items.sort_by_key(|item| item.kind);
    Ok(Contents {
        items,
        roots: search.roots,
    })
}

struct Search<'a> {
    /// Where Matrix's files are, from the data folder on.
    matrix: &'a Path,
    has_config: bool,
    items: Vec<Item>,
    roots: Vec<PathBuf>,
}

impl Search<'_> {
    /// Notes everything in a folder; `to` is where it belongs in the copy.
    fn folder(&mut self, from: &Path, to: &Path) -> anyhow::Result<()> {
        let is_top = to.as_os_str().is_empty();
        let entries = match fs::read_dir(from) {
            // It went while we looked.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !is_top => return Ok(()),
            entries => entries.map_err(unreadable(from))?,
        };
        for entry in entries {
            let entry = entry.map_err(unreadable(from))?;
            let (path, to) = (entry.path(), to.join(entry.file_name()));
            if self.is_left_out(&path, &to) {
                continue;
            }
            let found = match entry.metadata() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                found => found.map_err(unreadable(&path))?,
            };
            if is_top && found.is_symlink() {
                self.elsewhere(&path, &to)?;
            } else {
                self.thing(&path, &to, &found)?;
            }
        }
        Ok(())
    }

    /// A part of the data folder that the household keeps in another place, such as a larger disk. Where that is not
    /// there now the copy would not be whole.
    fn elsewhere(&mut self, path: &Path, to: &Path) -> anyhow::Result<()> {
        let found = fs::metadata(path).map_err(unreadable(path))?;
        let place = fs::canonicalize(path).map_err(unreadable(path))?;
        if found.is_dir() {
            self.roots.push(place.clone());
        }
        self.thing(&place, to, &found)
    }

    fn thing(&mut self, from: &Path, to: &Path, found: &Metadata) -> anyhow::Result<()> {
        let Some(kind) = self.kind(from, to, found.file_type())? else {
            return Ok(());
        };
        self.items.push(Item {
            kind,
            from: from.to_owned(),
            to: to.to_owned(),
        });
        if kind == Kind::Folder {
            self.folder(from, to)?;
        }
        Ok(())
    }

    /// Nothing for sockets, pipes and devices, which hold nothing.
    fn kind(&self, from: &Path, to: &Path, file_type: FileType) -> anyhow::Result<Option<Kind>> {
        Ok(if file_type.is_dir() {
            Some(Kind::Folder)
        } else if file_type.is_symlink() {
            Some(Kind::Link)
        } else if !file_type.is_file() {
            None
        } else if is_of_people(to) {
            Some(Kind::File)
        } else {
            match backup::is_database(from) {
                Ok(true) => Some(Kind::Database),
                Ok(false) if to.parent() == Some(self.matrix) => Some(Kind::Confirmed),
                Ok(false) => Some(Kind::File),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(unreadable(from)(error)),
            }
        })
    }

    /// What a restored household has no use for, or a copy has in another way.
    fn is_left_out(&self, from: &Path, to: &Path) -> bool {
        if is_of_people(to) {
            return false;
        }
        // What is written beside its place, and put there when it is whole.
        let is_draft = to.extension().is_some_and(|ending| ending == "new");
        let is_log_of = |kind: servers::Kind| {
            let log = servers::log_in(Path::new("logs"), kind);
            to.parent() == log.parent() && begins_as(to.file_name(), log.file_name())
        };
        let is_server_log = servers::Kind::ALL.into_iter().any(is_log_of);
        // After a restoration the configuration of then lies there, too.
        let is_old_config = self.has_config && to == Path::new(CONFIG);
        let is_beside = backup::kept_beside(from).is_some_and(|database| database.exists());
        is_draft || is_server_log || is_old_config || is_beside || to == Path::new(LOCK)
    }
}

fn begins_as(name: Option<&OsStr>, begin: Option<&OsStr>) -> bool {
    let text = |name: Option<&OsStr>| name.map(|name| name.to_string_lossy().into_owned());
    matches!((text(name), text(begin)), (Some(name), Some(begin)) if name.starts_with(&begin))
}

/// What people keep, and what was saved of it. It is theirs: copied as it is, whatever it is called or holds, and a
/// damaged database among it is no reason to have no copy of the rest.
fn is_of_people(to: &Path) -> bool {
    let here = Path::new("");
    to.starts_with(folders::guests(here)) || to.starts_with(folders::copies(here))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::env::Environment;

    #[test]
    fn how_far_servers_were_told_is_taken_first_and_what_databases_name_last() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        for made in ["matrix/store", "history/turn"] {
            fs::create_dir_all(data.join(made)).unwrap();
        }
        for file in [
            DATABASE,
            "history/turn/a.sqlite",
            "matrix/position",
            "matrix/store/crypto.sqlite3",
        ] {
            fs::write(data.join(file), "").unwrap();
        }
        let environment = Environment {
            home: Some(folder.path().to_owned()),
            ..Environment::default()
        };
        let environment = environment.saying("METNOS_DATA_DIR", data.display().to_string());
        let config = Config::load(&environment).unwrap();
        let items = contents(&config, None).unwrap().items;
        let at = |name: &str| items.iter().position(|item| item.to == Path::new(name)).unwrap();
        let store = at("matrix/store/crypto.sqlite3");
        assert!(at("history") < at("history/turn") && at("history/turn") < at("matrix/position"));
        assert!(at("matrix/position") < at(DATABASE).min(store));
        assert!(at(DATABASE).max(store) < at("history/turn/a.sqlite"));
    }
}
