//! What lies on disk for one bot: the session, the encrypted store, how far the server's events were taken, and the
//! recovery key. They belong together: a session without its store would be a new device under an old name, and a
//! store without its session can talk to nobody. Used by every other module; asks no server.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

/// Written by matrix-sdk when it makes a store.
const STORE_FILE: &str = "matrix-sdk-crypto.sqlite3";

/// What is wrong with the files of an account.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// There is a session and no store.
    #[error("the Matrix session in `{folder}` has lost its store")]
    NoStore {
        /// Where.
        folder: PathBuf,
    },
    /// There is a store and no session.
    #[error("the Matrix store in `{folder}` has lost its session")]
    NoSession {
        /// Where.
        folder: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("cannot use `{path}`")]
    Io {
        /// Which.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The session is not what we wrote.
    #[error("`{path}` is not a Matrix session")]
    Garbled {
        /// Which.
        path: PathBuf,
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
}

/// A bot that was set up.
#[derive(Clone)]
pub struct Account {
    folder: PathBuf,
    pub(crate) session: Session,
}

/// The session as it is kept. It holds secrets, so it has no `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Session {
    pub(crate) homeserver: String,
    pub(crate) user: String,
    pub(crate) device: String,
    pub(crate) access_token: String,
    pub(crate) store_key: StoreKey,
    /// Who the bot belongs to, as said when it was set up.
    pub(crate) owner: Option<String>,
}

/// Opens the store. The key itself and no passphrase: it is random, so nothing is won by deriving another one from it
/// at every start. In the file it is 64 hexadecimal digits.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct StoreKey([u8; 32]);

impl StoreKey {
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<StoreKey> for String {
    fn from(key: StoreKey) -> Self {
        key.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl TryFrom<String> for StoreKey {
    type Error = &'static str;

    fn try_from(digits: String) -> Result<Self, Self::Error> {
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = digits.as_bytes().chunks(2).map(byte).collect();
        let bytes = bytes.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        bytes
            .map(Self)
            .ok_or("the key of the store is not 64 hexadecimal digits")
    }
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Account({})", self.session.user)
    }
}

impl Account {
    /// The account in a folder; `None` when nobody was set up there.
    pub fn find(folder: &Path) -> Result<Option<Self>, AccountError> {
        let has_store = store_of(folder).join(STORE_FILE).exists();
        let folder = folder.to_owned();
        match (read_session(&folder)?, has_store) {
            (Some(session), true) => Ok(Some(Self { folder, session })),
            (Some(_), false) => Err(AccountError::NoStore { folder }),
            (None, true) => Err(AccountError::NoSession { folder }),
            (None, false) => Ok(None),
        }
    }

    /// Keeps a session that was begun with this folder's store.
    pub(crate) fn keep(folder: &Path, session: Session) -> Result<Self, AccountError> {
        let path = session_of(folder);
        let text = serde_json::to_string_pretty(&session).map_err(|source| AccountError::Garbled {
            path: path.clone(),
            source,
        })?;
        replace(&path, &text)?;
        Ok(Self {
            folder: folder.to_owned(),
            session,
        })
    }

    /// The bot's own Matrix address.
    pub fn user(&self) -> &str {
        &self.session.user
    }

    /// Who the bot belongs to, as said when it was set up.
    pub fn owner(&self) -> Option<&str> {
        self.session.owner.as_deref()
    }

    /// Up to where the server's events were taken.
    pub(crate) fn position(&self) -> Option<String> {
        fs::read_to_string(self.folder.join("position"))
            .ok()
            .filter(|position| !position.is_empty())
    }

    /// Remembers that everything up to here was taken.
    pub(crate) fn set_position(&self, position: &str) -> Result<(), AccountError> {
        replace(&self.folder.join("position"), position)
    }

    pub(crate) fn store(&self) -> PathBuf {
        store_of(&self.folder)
    }

    /// The recovery key, while its file lies where we wrote it.
    pub(crate) fn recovery_key(&self) -> Option<String> {
        read_recovery_key(&self.folder)
    }
}

pub(crate) fn store_of(folder: &Path) -> PathBuf {
    folder.join("store")
}

pub(crate) fn recovery_key_of(folder: &Path) -> PathBuf {
    folder.join("recovery-key.txt")
}

fn session_of(folder: &Path) -> PathBuf {
    folder.join("session.json")
}

pub(crate) fn read_recovery_key(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(recovery_key_of(folder)).ok()?;
    let key = text.trim();
    (!key.is_empty()).then(|| key.to_owned())
}

pub(crate) fn read_session(folder: &Path) -> Result<Option<Session>, AccountError> {
    let path = session_of(folder);
    match fs::read_to_string(&path) {
        Ok(text) => match serde_json::from_str(&text) {
            Ok(session) => Ok(Some(session)),
            Err(source) => Err(AccountError::Garbled { path, source }),
        },
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(AccountError::Io { path, source }),
    }
}

/// Takes away what an unfinished or lost set-up left; the recovery key stays.
pub(crate) fn clear(folder: &Path) -> Result<(), AccountError> {
    let gone = |path: PathBuf, result: std::io::Result<()>| match result {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(AccountError::Io { path, source }),
        Ok(()) | Err(_) => Ok(()),
    };
    let (store, session) = (store_of(folder), session_of(folder));
    let position = folder.join("position");
    gone(session.clone(), fs::remove_file(session))?;
    gone(position.clone(), fs::remove_file(position))?;
    gone(store.clone(), fs::remove_dir_all(store))
}

/// The same after a set-up that did not succeed, with the folder when nothing else is in it. What cannot be taken away
/// is taken away by the next set-up.
pub(crate) fn clear_away(folder: &Path) {
    if let Err(error) = clear(folder) {
        tracing::warn!(%error, "an unfinished set-up stays behind");
    } else if let Err(error) = fs::remove_dir(folder) {
        tracing::debug!(%error, "the folder stays");
    }
}

/// The folder, closed to other users.
pub(crate) fn make(folder: &Path) -> Result<(), AccountError> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|source| AccountError::Io {
            path: folder.to_owned(),
            source,
        })
}

/// Writes a file that only we can read, whole or not at all.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), AccountError> {
    let beside = path.with_extension("new");
    let write = || {
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|source| AccountError::Io {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn session() -> Session {
        Session {
            homeserver: "http://bed".to_owned(),
            user: "@bot:bed".to_owned(),
            device: "D".to_owned(),
            access_token: "secret".to_owned(),
            store_key: StoreKey::new().unwrap(),
            owner: None,
        }
    }

    #[test]
    fn the_key_of_the_store_is_read_as_it_was_written_or_not_at_all() {
        let key = StoreKey::new().unwrap();
        let written = String::from(key.clone());
        assert!(StoreKey::try_from(written.clone()).unwrap() == key);
        for broken in [
            "",
            "open",
            written.get(2..).unwrap(),
            &format!("{written}00"),
            &written.replace(|_: char| true, "g"),
        ] {
            assert!(StoreKey::try_from(broken.to_owned()).is_err(), "{broken}");
        }
    }

    #[test]
    fn a_session_and_its_store_belong_together() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert!(Account::find(folder).unwrap().is_none());
        fs::create_dir(store_of(folder)).unwrap();
        fs::write(store_of(folder).join(STORE_FILE), "").unwrap();
        assert!(matches!(Account::find(folder), Err(AccountError::NoSession { .. })));
        let kept = Account::keep(folder, session()).unwrap();
        kept.set_position("s1").unwrap();
        let found = Account::find(folder).unwrap().unwrap();
        assert_eq!((found.user(), found.position().as_deref()), ("@bot:bed", Some("s1")));
        fs::remove_dir_all(store_of(folder)).unwrap();
        assert!(matches!(Account::find(folder), Err(AccountError::NoStore { .. })));
        clear(folder).unwrap();
        assert!(Account::find(folder).unwrap().is_none());
    }

    #[test]
    fn what_is_secret_is_ours_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        replace(&path, "a").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!format!("{:?}", Account::keep(folder.path(), session()).unwrap()).contains("secret"));
        fs::write(session_of(folder.path()), "{").unwrap();
        assert!(matches!(
            Account::find(folder.path()),
            Err(AccountError::Garbled { .. })
        ));
    }
}
