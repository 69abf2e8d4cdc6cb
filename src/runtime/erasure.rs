//! Everything of one person, written out or removed: rows, folder, saved copies and log lines. `metnos people` on the
//! machine asks for it, beside a running service or without one; a person's own message never does.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::turn_log::TurnLog;
use crate::language::secrets::Redactor;
use crate::{
    clock::Clock,
    domain::{
        actor::{Actor, Role},
        folders,
        limits::ERASE_PATIENCE,
    },
    engine,
    store::{Store, StoreError},
};

/// How often it is looked whether a turn has ended.
const LOOK: Duration = Duration::from_millis(100);
/// How often the file is written anew while somebody reads it.
const COMPACT_TRIES: u32 = 20;

/// Why a person's data could not be written out or removed.
#[derive(Debug, thiserror::Error)]
pub enum ErasureError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file failed.
    #[error("cannot access `{path}`")]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// An embedded rule does not compile.
    #[error("a redaction rule does not compile")]
    Rules(#[from] regex::Error),
    /// A message of theirs is in hand and does not end.
    #[error("a request of this person is still running")]
    Busy,
    /// Files that could not be removed, and why. The person is locked out and still known: it can be said again.
    #[error("{} files or folders could not be removed", .0.len())]
    Left(Vec<(PathBuf, io::Error)>),
}

/// What an erasure left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erased {
    /// Nothing.
    Wholly,
    /// Letters in unused places of the database, until the next erasure: somebody was reading it all the time.
    NotOverwritten,
}

/// The data folder, and what lies in it.
#[derive(Clone, Debug)]
pub struct Archive {
    store: Store,
    clock: Clock,
    data_dir: PathBuf,
    home: PathBuf,
}

impl Archive {
    /// The data in this folder; the database in it is open.
    pub fn new(store: Store, clock: Clock, data_dir: &Path, home: &Path) -> Self {
        Self {
            store,
            clock,
            data_dir: data_dir.to_owned(),
            home: home.to_owned(),
        }
    }

    /// Writes everything about a person into a new file that only its owner can read. Secrets are left out.
    pub async fn export(&self, person: &Actor, to: &Path) -> Result<(), ErasureError> {
        let turn_log = TurnLog::new(&self.data_dir);
        let folder = self.folder_of(person);
        let files = match &folder {
            Some(folder) => list(folder).map_err(at(folder))?,
            None => Vec::new(),
        };
        let mut everything = json!({
            "person": person.id,
            "exported_at": self.clock.now().to_string(),
            "tables": self.store.rows_of(&person.id).await?,
            "turn_log": turn_log.lines_of(&person.id).map_err(at(&folders::turn_log(&self.data_dir)))?,
            "folder": folder,
            "files": files,
        });
        without_secrets(&Redactor::new()?, &mut everything);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(to)
            .map_err(at(to))?;
        let text = format!("{everything:#}\n");
        file.write_all(text.as_bytes()).map_err(at(to))
    }

    /// Locks a person out, waits until what runs for them has ended, and removes everything about them. `serves` says
    /// whether a service is running, whose turns would end; without one nothing runs any more. The rows go last: as
    /// long as a file of theirs resists, the person is known, and it can be said again.
    pub async fn erase(&self, person: &Actor, serves: bool) -> Result<Erased, ErasureError> {
        self.store.revoke(&person.id, None, self.clock.now_ms()).await?;
        if serves {
            self.wait_until_idle(person).await?;
        }
        let mut left = Vec::new();
        for turn in self.store.turns_of(&person.id).await? {
            remove(&folders::copies_of(&self.data_dir, &turn), &mut left);
        }
        if let Some(folder) = self.folder_of(person) {
            remove(&folder, &mut left);
        }
        if person.role == Role::Host {
            remove(&folders::typed(&self.data_dir), &mut left);
        }
        let (log, id) = (TurnLog::new(&self.data_dir), person.id.clone());
        let forgotten = tokio::task::spawn_blocking(move || log.forget(&id)).await;
        left.extend(
            forgotten.unwrap_or_else(|panicked| vec![(folders::turn_log(&self.data_dir), io::Error::other(panicked))]),
        );
        if !left.is_empty() {
            return Err(ErasureError::Left(left));
        }
        self.store.erase(&person.id).await?;
        for _ in 0..COMPACT_TRIES {
            match self.store.compact().await {
                Ok(true) => return Ok(Erased::Wholly),
                Ok(false) => tokio::time::sleep(LOOK).await,
                Err(error) => {
                    // Nobody is left to say it again for: the next erasure does it.
                    tracing::error!(%error, "cannot write the database anew");
                    break;
                }
            }
        }
        Ok(Erased::NotOverwritten)
    }

    async fn wait_until_idle(&self, person: &Actor) -> Result<(), ErasureError> {
        let idle = async {
            while self.store.is_busy(&person.id).await? {
                tokio::time::sleep(LOOK).await;
            }
            Ok(())
        };
        tokio::time::timeout(ERASE_PATIENCE, idle)
            .await
            .unwrap_or(Err(ErasureError::Busy))
    }

    /// The folder that is this person's alone. The host's home is theirs without us.
    fn folder_of(&self, person: &Actor) -> Option<PathBuf> {
        (person.role == Role::Guest)
            .then(|| engine::plan_executor::home_of(&self.home, &self.data_dir, person))
            .filter(|folder| folder.starts_with(&self.data_dir))
    }
}

/// Removes a file or a folder, and of what is below it all that can be removed. What resists is named, a folder only
/// when nothing in it is. What was not there needs no removing; a link is removed, not followed.
fn remove(path: &Path, left: &mut Vec<(PathBuf, io::Error)>) {
    let before = left.len();
    let removed = fs::symlink_metadata(path).and_then(|found| {
        if !found.is_dir() {
            return fs::remove_file(path);
        }
        for entry in fs::read_dir(path)? {
            remove(&entry?.path(), left);
        }
        if left.len() > before {
            Ok(())
        } else {
            fs::remove_dir(path)
        }
    });
    if let Err(error) = removed
        && error.kind() != io::ErrorKind::NotFound
    {
        left.push((path.to_owned(), error));
    }
}

/// Every file below a folder: where, how large, from when. What is in it can be copied as it is.
fn list(folder: &Path) -> io::Result<Vec<Value>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(inside) = waiting.pop() {
        let entries = match fs::read_dir(&inside) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            let about = entry.metadata()?;
            if about.is_dir() {
                waiting.push(entry.path());
                continue;
            }
            let modified = about.modified().ok().and_then(|at| timestamp(at).ok());
            found.push(json!({
                "path": entry.path().strip_prefix(folder).unwrap_or(&entry.path()),
                "bytes": about.len(),
                "modified": modified.map(|at| at.to_string()),
            }));
        }
    }
    found.sort_by_key(|file| file.get("path").map(Value::to_string));
    Ok(found)
}

fn timestamp(at: SystemTime) -> Result<Timestamp, jiff::Error> {
    Timestamp::try_from(at)
}

fn without_secrets(redactor: &Redactor, value: &mut Value) {
    match value {
        Value::String(text) => *text = redactor.text(text).0,
        Value::Array(items) => items.iter_mut().for_each(|item| without_secrets(redactor, item)),
        Value::Object(fields) => fields.values_mut().for_each(|field| without_secrets(redactor, field)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> ErasureError + use<> {
    let path = path.to_owned();
    move |source| ErasureError::File {
        path: path.clone(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn all_that_can_be_removed_is_and_what_resists_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (theirs, others) = (folder.path().join("theirs"), folder.path().join("others"));
        fs::create_dir_all(theirs.join("a/b")).unwrap();
        fs::create_dir_all(&others).unwrap();
        fs::write(theirs.join("a/b/c.txt"), "c").unwrap();
        fs::write(others.join("kept.txt"), "kept").unwrap();
        symlink(&others, theirs.join("a/link")).unwrap();
        let mut left = Vec::new();
        remove(&theirs, &mut left);
        remove(&theirs, &mut left);
        assert!(left.is_empty() && !theirs.exists(), "{left:?}");
        assert!(others.join("kept.txt").exists());
        let below_a_file = others.join("kept.txt/x");
        remove(&below_a_file, &mut left);
        assert_eq!(left.pop().map(|(path, _)| path), Some(below_a_file));
    }
}
