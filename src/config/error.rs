//! What can be wrong with the configuration, and the sentence for it. Made by `config` alone; the command line says it
//! in the household's language, since this is what people meet first.

use std::path::PathBuf;

use crate::domain::message::Message;

/// What is wrong with the configuration. Found before anything starts, and always fatal. Shown as it is only in logs.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read `{path}`")]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// Not TOML, or a key we do not know, or a value of another kind.
    #[error("`{path}` is not a valid configuration")]
    Parse {
        /// The file.
        path: PathBuf,
        /// The cause, with line and key.
        #[source]
        source: toml::de::Error,
    },
    /// A key we do not know, or a value of another kind; found one by one, by `Config::salvage`.
    #[error("`{key}`: {reason}")]
    Key {
        /// The key.
        key: String,
        /// What is wrong.
        reason: String,
    },
    /// A value that means nothing.
    #[error("`{key}` cannot be `{value}`")]
    Value {
        /// The key.
        key: &'static str,
        /// What it is.
        value: String,
        /// What it could be.
        expected: Message,
    },
    /// A secret that others can read.
    #[error("`{path}` holds a secret and others can read it")]
    Exposed {
        /// The file.
        path: PathBuf,
    },
    /// There is no home folder.
    #[error("HOME is not set, and `data_dir` is not either")]
    NoHome,
}

impl ConfigError {
    /// What a person is told: what is wrong and the next step.
    pub fn told(&self) -> Message {
        match self {
            Self::Read { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
                Message::new("config-error-missing").with("file", path.display().to_string())
            }
            Self::Read { path, source } => Message::new("config-error-read")
                .with("file", path.display().to_string())
                .with("reason", source.to_string()),
            Self::Parse { path, source } => Message::new("config-error-parse")
                .with("file", path.display().to_string())
                .with("reason", source.to_string().trim_end()),
            Self::Key { key, reason } => Message::new("config-error-key")
                .with("setting", key.as_str())
                .with("reason", reason.as_str()),
            Self::Value { key, value, expected } => Message::new("config-error-value")
                .with("setting", *key)
                .with("value", value.as_str())
                .with("expected", expected.clone()),
            Self::Exposed { path } => Message::new("config-error-exposed").with("file", path.display().to_string()),
            Self::NoHome => Message::new("config-error-no-home"),
        }
    }
}
