//! Servers of tools of others (`[mcp.NAME]`): a program on this machine, or an address. Read by `config` alone; the
//! servers are started and asked by `executors::mcp`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::{ConfigError, Secret, below_home, secret, secret_file, wrong};

/// A server of tools of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum McpServer {
    /// A program that is started here, in the sandbox.
    Command {
        /// The program by its whole path, and its arguments.
        command: Vec<String>,
        /// Folders and files it may read, beside those of the system.
        reads: Vec<PathBuf>,
        /// Folders it may write into.
        writes: Vec<PathBuf>,
    },
    /// One that runs elsewhere.
    Address {
        /// Where, with `http` or `https`.
        url: String,
        /// What it wants to see first.
        token: Option<Secret>,
    },
}

/// By their names.
pub type McpServers = BTreeMap<String, McpServer>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
pub(super) struct RawMcp {
    command: Vec<String>,
    url: String,
    token_file: String,
    reads: Vec<String>,
    writes: Vec<String>,
}

/// Reads all of them.
pub(super) fn servers(raw: BTreeMap<String, RawMcp>, home: &Path) -> Result<McpServers, ConfigError> {
    let one = |(name, raw): (String, RawMcp)| Ok((name.clone(), server(&name, &raw, home)?));
    raw.into_iter().map(one).collect()
}

fn server(name: &str, raw: &RawMcp, home: &Path) -> Result<McpServer, ConfigError> {
    let refuse = |value: &str| Err(wrong("mcp", format!("{name}: {value}"), "config-expects-mcp"));
    if !is_name(name) {
        return refuse(name);
    }
    let places = |written: &[String]| written.iter().map(|place| below_home(place, home)).collect::<Vec<_>>();
    match (raw.command.as_slice(), raw.url.trim()) {
        ([program, rest @ ..], "") if raw.token_file.is_empty() => {
            let program = below_home(program, home);
            let (reads, writes) = (places(&raw.reads), places(&raw.writes));
            let absolute = reads
                .iter()
                .chain(&writes)
                .chain([&program])
                .all(|path| path.is_absolute());
            if !absolute {
                return refuse(&raw.command.join(" "));
            }
            let program = program.display().to_string();
            Ok(McpServer::Command {
                command: std::iter::once(program).chain(rest.iter().cloned()).collect(),
                reads,
                writes,
            })
        }
        ([], address) if raw.reads.is_empty() && raw.writes.is_empty() => {
            let is_web = url::Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
            if !is_web {
                return refuse(address);
            }
            let file = secret_file(&raw.token_file, home)?;
            Ok(McpServer::Address {
                url: address.to_owned(),
                token: file.as_deref().map(secret).transpose()?.flatten(),
            })
        }
        (_, address) => refuse(address),
    }
}

/// A name that may stand in that of a tool: small letters and digits.
pub fn is_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    !name.is_empty() && name.len() <= NAME_CHARS_MAX && name.chars().all(is_plain)
}

/// Most letters of a server's name.
const NAME_CHARS_MAX: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<McpServers, ConfigError> {
        servers(toml::from_str(text).unwrap(), Path::new("/home/anna"))
    }

    #[test]
    fn a_server_is_a_program_or_an_address() {
        let both = read(
            "[clock]\ncommand = [\"/usr/bin/clock\", \"--utc\"]\nreads = [\"~/times\"]\n\
             [far]\nurl = \"https://tools.example.org/mcp\"\n",
        );
        let both = both.unwrap();
        assert_eq!(
            both["clock"],
            McpServer::Command {
                command: vec!["/usr/bin/clock".to_owned(), "--utc".to_owned()],
                reads: vec![PathBuf::from("/home/anna/times")],
                writes: Vec::new(),
            }
        );
        assert!(matches!(&both["far"], McpServer::Address { token: None, .. }));
        for text in [
            "[clock]\n",
            "[clock]\ncommand = [\"clock\"]\n",
            "[clock]\ncommand = [\"/usr/bin/clock\"]\nurl = \"https://x.example\"\n",
            "[clock]\nurl = \"ftp://x.example\"\n",
            "[Clock_1]\nurl = \"https://x.example\"\n",
            "[far]\nurl = \"https://x.example\"\nwrites = [\"~\"]\n",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
