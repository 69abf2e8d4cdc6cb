//! Mail (`[mail]`): what the household says of it. Accounts belong to persons and stand in no file. Used by `config`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{ConfigError, below_home, filled, wrong};

/// Longest time in which *Send* can be taken back, in seconds.
const HOLD_S_MAX: u64 = 120;

/// Mail (`[mail]`).
#[derive(Clone, Debug, Default)]
pub struct MailConfig {
    /// A file with one more authority whose certificates count.
    pub ca_file: Option<PathBuf>,
    /// Seconds in which *Send* can be taken back.
    pub hold_s: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMail {
    ca_file: String,
    hold_s: u64,
}

impl RawMail {
    pub(super) fn resolve(self, home: &Path) -> Result<MailConfig, ConfigError> {
        if self.hold_s > HOLD_S_MAX {
            return Err(wrong("mail.hold_s", self.hold_s.to_string(), "config-expects-hold"));
        }
        Ok(MailConfig {
            ca_file: filled(self.ca_file).map(|written| below_home(&written, home)),
            hold_s: self.hold_s,
        })
    }
}
