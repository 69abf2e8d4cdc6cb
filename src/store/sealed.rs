//! Seals what waits on disk and may hold a secret: messages, answers, questions, ways back, large results. The key is a
//! file beside the database, for its owner only, so a copy of the database alone tells nothing of them.
//!
//! `Store::open` gives SQLite two functions: `seal(text)` and `unsealed(text)`. What is written with the first is read
//! with the second; a text that was never sealed, as an older version wrote it, comes out as it is.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305, XNonce,
    aead::{Aead as _, Error as AeadError},
};
use rusqlite::{Connection, Error as SqlError, functions::FunctionFlags};
use zeroize::Zeroizing;

use crate::domain::hex::hex;

/// The name of the key's file.
const KEY_FILE: &str = "seal.key";
/// What every sealed text begins with.
const MARK: &str = "sealed:1:";
const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// Why something cannot be sealed or read.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// The disk said no.
    #[error("cannot access `{path}`")]
    File {
        /// What was opened.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The file is there, and holds something else.
    #[error("`{0}` does not hold a key")]
    Malformed(PathBuf),
    /// The machine gave no randomness.
    #[error("no randomness: {0}")]
    Random(getrandom::Error),
    /// Not sealed by this key, or changed since.
    #[error("a sealed text does not open with this key")]
    Closed,
}

/// One key. It never leaves this file.
pub(super) struct Seal {
    cipher: XChaCha20Poly1305,
}

impl Seal {
    /// The key beside this database, and whether it was made just now.
    pub(super) fn beside(database: &Path) -> Result<(Self, bool), SealError> {
        let path = database.with_file_name(KEY_FILE);
        let is_new = !path.exists();
        if is_new {
            make_key(&path)?;
        }
        let io = |source| SealError::File {
            path: path.clone(),
            source,
        };
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).map_err(io)?;
        let key = Zeroizing::new(fs::read(&path).map_err(io)?);
        let cipher =
            XChaCha20Poly1305::new_from_slice(&key).map_err(|_wrong_length| SealError::Malformed(path.clone()))?;
        Ok((Self { cipher }, is_new))
    }

    fn seal(&self, text: &str) -> Result<String, SealError> {
        // Nothing is no secret, and means that something is over.
        if text.is_empty() {
            return Ok(String::new());
        }
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(SealError::Random)?;
        let closed = self
            .cipher
            .encrypt(XNonce::from_slice(&nonce), text.as_bytes())
            .map_err(|AeadError| SealError::Closed)?;
        Ok(format!("{MARK}{}{}", hex(&nonce), hex(&closed)))
    }

    fn unseal(&self, text: &str) -> Result<String, SealError> {
        let Some(sealed) = text.strip_prefix(MARK) else {
            return Ok(text.to_owned());
        };
        let bytes = unhex(sealed).ok_or(SealError::Closed)?;
        let (nonce, closed) = bytes.split_at_checked(NONCE_BYTES).ok_or(SealError::Closed)?;
        let open = self
            .cipher
            .decrypt(XNonce::from_slice(nonce), closed)
            .map_err(|AeadError| SealError::Closed)?;
        String::from_utf8(open).map_err(|_no_text| SealError::Closed)
    }
}

/// Lets the statements of a connection seal and read.
pub(super) fn install(connection: &Connection, seal: &Arc<Seal>) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DIRECTONLY;
    let failed = |error: SealError| SqlError::UserFunctionError(Box::new(error));
    let (sealing, unsealing) = (Arc::clone(seal), Arc::clone(seal));
    connection.create_scalar_function("seal", 1, flags, move |call| {
        sealing.seal(&call.get::<String>(0)?).map_err(failed)
    })?;
    connection.create_scalar_function("unsealed", 1, flags, move |call| {
        unsealing.unseal(&call.get::<String>(0)?).map_err(failed)
    })
}

/// Without the key it was sealed with, what waits can be neither answered nor brought: it is over. Called when the key
/// had to be made anew; on a new database this finds nothing.
pub(super) fn give_up_sealed(connection: &Connection) -> rusqlite::Result<()> {
    let lost: usize = [
        "UPDATE inbox SET state = 'done', inbound = '' WHERE inbound LIKE 'sealed:%'",
        "UPDATE outbox SET state = 'failed', parcel = '', about = '' WHERE parcel LIKE 'sealed:%' OR about LIKE 'sealed:%'",
        "DELETE FROM dialogs WHERE payload LIKE 'sealed:%' OR request LIKE 'sealed:%'",
        "UPDATE effects SET reversals = '[]' WHERE reversals LIKE 'sealed:%'",
        "UPDATE received_files SET caption = '' WHERE caption LIKE 'sealed:%'",
        "DELETE FROM scratchpad WHERE content LIKE 'sealed:%'",
        "DELETE FROM tasks WHERE words LIKE 'sealed:%'",
        "UPDATE tasks SET name = '', memory = '' WHERE name LIKE 'sealed:%' OR memory LIKE 'sealed:%'",
        "UPDATE task_runs SET name = '' WHERE name LIKE 'sealed:%'",
        "DELETE FROM secrets WHERE sealed LIKE 'sealed:%'",
        "DELETE FROM accounts WHERE sealed LIKE 'sealed:%'",
        "DELETE FROM person_accounts WHERE settings LIKE 'sealed:%' OR secret LIKE 'sealed:%'",
        "DELETE FROM dav_collections WHERE settings LIKE 'sealed:%'",
        "DELETE FROM dav_items WHERE text LIKE 'sealed:%'",
    ]
    .into_iter()
    .map(|sql| connection.execute(sql, []))
    .sum::<rusqlite::Result<usize>>()?;
    if lost > 0 {
        tracing::error!(
            lost,
            "the key `{KEY_FILE}` is gone: what was sealed with it is given up"
        );
    }
    Ok(())
}

/// Whole or not at all: of two that make it at once, one wins and both read the same.
fn make_key(path: &Path) -> Result<(), SealError> {
    let io = |source| SealError::File {
        path: path.to_owned(),
        source,
    };
    let mut key = Zeroizing::new([0; KEY_BYTES]);
    let mut name = [0; 8];
    getrandom::fill(key.as_mut()).map_err(SealError::Random)?;
    getrandom::fill(&mut name).map_err(SealError::Random)?;
    let draft = path.with_extension(hex(&name));
    let written = OpenOptions::new()
        .create_new(true)
        .write(true)
        .mode(0o600)
        .open(&draft)
        .and_then(|mut file| file.write_all(key.as_ref()).and_then(|()| file.sync_all()))
        .and_then(|()| match fs::hard_link(&draft, path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            Ok(()) | Err(_) => Ok(()),
        });
    fs::remove_file(&draft).map_err(io)?;
    written.map_err(io)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() {
        return None;
    }
    text.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_with_its_key_alone() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let database = folder.path().join("db");
        let (seal, is_new) = Seal::beside(&database).unwrap();
        assert!(is_new);
        let sealed = seal.seal("hunter2").unwrap();
        assert!(!sealed.contains("hunter2") && sealed != seal.seal("hunter2").unwrap());
        let (again, is_new) = Seal::beside(&database).unwrap();
        assert!(!is_new);
        assert_eq!(again.unseal(&sealed).unwrap(), "hunter2");
        assert_eq!(again.unseal("as an older version wrote it").unwrap().len(), 28);
        assert_eq!((seal.seal("").unwrap(), seal.unseal("").unwrap()), Default::default());
        let (stranger, _) = Seal::beside(&other.path().join("db")).unwrap();
        for broken in [&sealed, "sealed:1:", "sealed:1:zz", &sealed[..sealed.len() - 2]] {
            assert!(matches!(stranger.unseal(broken), Err(SealError::Closed)), "{broken}");
        }
        let mode = fs::metadata(folder.path().join(KEY_FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
