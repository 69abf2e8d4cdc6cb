//! Who vouches for an executor: ed25519 over the bytes of its manifest, which carry the digest of its code.
//! The only file that knows the signature crate; `catalog::load` verifies, `catalog::install` signs. It never repairs:
//! a key that others can read, or a signature that does not fit, is an error for a person to look at.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use thiserror::Error;

/// Mode bits of everybody but the owner.
const OTHERS: u32 = 0o077;
const PRIVATE_KEY: &str = "author_priv.bin";
const PUBLIC_KEY: &str = "author_pub.bin";
const PUBLIC_SUFFIX: &str = "_pub.bin";

/// What is wrong with the keys.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The disk said no.
    #[error("cannot access `{path}`")]
    Io {
        /// What was opened.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// No randomness to make a key from.
    #[error("no randomness for a new key: {0}")]
    Random(getrandom::Error),
    /// Others may read the private key or write into its folder, so a signature proves nothing.
    #[error("`{0}` is accessible to other users")]
    Exposed(PathBuf),
    /// Two keys that do not belong together.
    #[error("`{0}` is not the public half of the private key beside it")]
    Mismatched(PathBuf),
    /// Not a key.
    #[error("`{0}` does not hold a key")]
    Malformed(PathBuf),
}

/// The keys whose signatures count.
#[derive(Debug)]
pub struct TrustStore {
    keys: Vec<VerifyingKey>,
}

impl TrustStore {
    /// Reads every `*_pub.bin`; a folder that is not there holds none.
    pub fn load(keys_dir: &Path) -> Result<Self, KeyError> {
        let mut keys = Vec::new();
        let entries = match fs::read_dir(keys_dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self { keys }),
            Err(error) => return Err(io_error(keys_dir, error)),
        };
        refuse_exposed(keys_dir)?;
        for entry in entries {
            let path = entry.map_err(|error| io_error(keys_dir, error))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.ends_with("_priv.bin") {
                refuse_exposed(&path)?;
            }
            if name.ends_with(PUBLIC_SUFFIX) {
                let bytes: [u8; 32] = read_exact(&path)?;
                let malformed = |_| KeyError::Malformed(path.clone());
                keys.push(VerifyingKey::from_bytes(&bytes).map_err(malformed)?);
            }
        }
        Ok(Self { keys })
    }

    /// Nobody is trusted.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Whether a trusted key made this signature for these bytes.
    pub fn verifies(&self, bytes: &[u8], signature: &[u8]) -> bool {
        let Ok(signature) = Signature::from_slice(signature) else {
            return false;
        };
        self.keys.iter().any(|key| key.verify_strict(bytes, &signature).is_ok())
    }
}

/// The key this instance signs with.
pub struct AuthorKey {
    key: SigningKey,
}

impl AuthorKey {
    /// Opens the instance's key; the first time, makes it.
    pub fn open_or_create(keys_dir: &Path) -> Result<Self, KeyError> {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(keys_dir)
            .map_err(|error| io_error(keys_dir, error))?;
        refuse_exposed(keys_dir)?;
        let (private, public) = (keys_dir.join(PRIVATE_KEY), keys_dir.join(PUBLIC_KEY));
        if !exists(&private)? {
            retire(&public)?;
            let mut seed = [0_u8; 32];
            getrandom::fill(&mut seed).map_err(KeyError::Random)?;
            write_new(&private, &seed, 0o600)?;
        }
        refuse_exposed(&private)?;
        let author = Self {
            key: SigningKey::from_bytes(&read_exact(&private)?),
        };
        let own = author.key.verifying_key();
        if !exists(&public)? {
            write_new(&public, own.as_bytes(), 0o644)?;
        }
        if read_exact(&public)? != own.to_bytes() {
            return Err(KeyError::Mismatched(public));
        }
        Ok(author)
    }

    /// The 64 bytes of `manifest.toml.sig`.
    pub fn sign(&self, bytes: &[u8]) -> [u8; 64] {
        self.key.sign(bytes).to_bytes()
    }

    /// Whether this very key made the signature.
    pub fn verifies(&self, bytes: &[u8], signature: &[u8]) -> bool {
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.key.verifying_key().verify_strict(bytes, &signature).is_ok())
    }
}

/// The private half is lost: what it signed stays trusted, under another name, and a new pair takes its place.
fn retire(public: &Path) -> Result<(), KeyError> {
    if !exists(public)? {
        return Ok(());
    }
    let [first, second, third, fourth, ..] = read_exact(public)?;
    let name = format!("previous_{first:02x}{second:02x}{third:02x}{fourth:02x}{PUBLIC_SUFFIX}");
    tracing::warn!(kept = name, "private key is gone, a new pair is made");
    fs::rename(public, public.with_file_name(name)).map_err(|error| io_error(public, error))
}

fn exists(path: &Path) -> Result<bool, KeyError> {
    path.try_exists().map_err(|error| io_error(path, error))
}

fn refuse_exposed(path: &Path) -> Result<(), KeyError> {
    let mode = fs::metadata(path)
        .map_err(|error| io_error(path, error))?
        .permissions()
        .mode();
    if mode & OTHERS == 0 {
        Ok(())
    } else {
        Err(KeyError::Exposed(path.to_owned()))
    }
}

fn read_exact(path: &Path) -> Result<[u8; 32], KeyError> {
    let bytes = fs::read(path).map_err(|error| io_error(path, error))?;
    bytes
        .try_into()
        .map_err(|_bytes: Vec<u8>| KeyError::Malformed(path.to_owned()))
}

fn write_new(path: &Path, bytes: &[u8], mode: u32) -> Result<(), KeyError> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .map_err(|error| io_error(path, error))
}

fn io_error(path: &Path, source: io::Error) -> KeyError {
    KeyError::Io {
        path: path.to_owned(),
        source,
    }
}
