//! Where a server of the test bed is, which was started outside.

use std::path::PathBuf;

/// The port and the folder of the server that this variable tells of: `imap://127.0.0.1:PORT/FOLDER`.
#[expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the servers are started outside and found through the environment; one that is not there must fail"
)]
pub(crate) fn told_of(variable: &str) -> (u16, PathBuf) {
    let said = std::env::var(variable)
        .unwrap_or_else(|_| panic!("{variable} is not set: `just test-live` and `just workbench` start the servers"));
    let (_, said) = said.split_once("://127.0.0.1:").unwrap();
    let (port, folder) = said.split_once('/').unwrap();
    (port.parse().unwrap(), PathBuf::from(format!("/{folder}")))
}
