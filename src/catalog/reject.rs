//! Why a folder of the catalog is not in the catalog: for the log, for `metnos doctor` and for the admin page.
//! `catalog::load` makes these; nothing here decides.

use std::path::PathBuf;

use thiserror::Error;

use super::{lint::LintError, parse::ParseError};
use crate::domain::message::Message;

/// A folder that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The folder.
    pub path: PathBuf,
    /// Why.
    pub reason: RejectReason,
}

/// Why it was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RejectReason {
    /// A file could not be read, or is not a plain file.
    #[error("cannot read `{file}`: {why}")]
    Unreadable {
        /// Its name in the folder.
        file: String,
        /// What the system said.
        why: String,
    },
    /// No `manifest.toml.sig`.
    #[error("signature missing")]
    SignatureMissing,
    /// There is no key that could vouch for it.
    #[error("no trusted keys")]
    NoTrustedKeys,
    /// No trusted key made this signature for these bytes: changed after signing, or signed by somebody else.
    #[error("not verified by any trusted key")]
    NotVerified,
    /// The code is not the code that was signed.
    #[error("digest of the code does not match")]
    DigestMismatch,
    /// Others can read or write the keys, so no signature counts.
    #[error("keys are accessible to other users: `{0}`")]
    KeyExposed(PathBuf),
    /// The keys cannot be used.
    #[error("keys cannot be used: {0}")]
    Keys(String),
    /// The manifest does not parse or breaks a rule.
    #[error(transparent)]
    Manifest(#[from] ParseError),
    /// The folder is not called like the executor in it.
    #[error("the folder holds `{0}`")]
    FolderName(String),
    /// A builtin that this binary does not have.
    #[error("this binary has no code for it")]
    NoCode,
    /// A composite whose part is gone, or is a composite itself.
    #[error("it is made of `{0}`, which is not there")]
    PartMissing(String),
}

impl From<LintError> for RejectReason {
    fn from(error: LintError) -> Self {
        Self::Manifest(ParseError::Lint(error))
    }
}

impl Rejected {
    /// The executor's name, or what the folder pretends it is.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The sentence for the person who looks after the machine: what is wrong, and what to do.
    pub fn message(&self) -> Message {
        let message = match &self.reason {
            RejectReason::Unreadable { file, .. } => {
                Message::new("catalog-rejected-unreadable").with("file", file.as_str())
            }
            RejectReason::SignatureMissing => Message::new("catalog-rejected-unsigned"),
            RejectReason::NoTrustedKeys => Message::new("catalog-rejected-no-keys"),
            RejectReason::NotVerified => Message::new("catalog-rejected-changed"),
            RejectReason::DigestMismatch => Message::new("catalog-rejected-code-changed"),
            RejectReason::KeyExposed(path) => {
                Message::new("catalog-rejected-key-exposed").with("path", path.display().to_string())
            }
            RejectReason::Keys(_) => Message::new("catalog-rejected-keys"),
            RejectReason::Manifest(why) => Message::new("catalog-rejected-manifest").with("why", why.to_string()),
            RejectReason::FolderName(found) => Message::new("catalog-rejected-folder").with("found", found.as_str()),
            RejectReason::NoCode => Message::new("catalog-rejected-no-code"),
            RejectReason::PartMissing(part) => {
                Message::new("catalog-rejected-part-missing").with("part", part.as_str())
            }
        };
        message.with("name", self.name())
    }
}
