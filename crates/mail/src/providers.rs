//! Which servers belong to an address, as a table of data (`data/providers.tsv`). Pure. What is not in it, or marked as
//! unchecked, must show its certificate before a password goes there (`tls::probe`).

use crate::tls::{Security, Server};

/// How one logs in at a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Login {
    /// With the password of the account.
    Password,
    /// With a password made for programs, in the account's settings.
    AppPassword,
    /// With tokens only: a password is refused, whichever it is.
    Oauth,
    /// Not at all: it has no servers for other programs.
    None,
    /// Through a program of the provider on the same machine.
    Bridge,
    /// In plain text, which is not done.
    Plain,
}

/// What is known of a provider beyond its servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Certified mail.
    Pec,
    /// Access by programs must be switched on in its settings.
    ImapOff,
}

/// The servers of an address.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Servers {
    /// Where mail lies.
    pub imap: Server,
    /// Where it is sent.
    pub smtp: Server,
    /// The user name for the first.
    pub imap_user: String,
    /// And for the second.
    pub smtp_user: String,
}

/// What is known of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its servers; `None` where no password works there.
    pub servers: Option<Servers>,
    /// How one logs in.
    pub login: Login,
    /// Somebody maintains the row; otherwise the certificate is looked at first.
    pub is_checked: bool,
    /// What else to know.
    pub hint: Option<Hint>,
}

const TABLE: &str = include_str!("../data/providers.tsv");

/// Domains of Microsoft that are not in the table by name: hotmail, live, msn and outlook in any country.
const TOKENS_ONLY: &[&str] = &["hotmail", "outlook", "live", "msn"];

/// What the table says of an address; `None` of a domain it does not know.
pub fn known(address: &str) -> Option<Known> {
    let (name, domain) = address.rsplit_once('@')?;
    let domain = domain.to_ascii_lowercase();
    let row = TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .find(|row| {
            row.last()
                .is_some_and(|domains| domains.split(' ').any(|known| known == domain))
        });
    match row {
        Some(row) => read(&row, name, address),
        None => no_password(address).then_some(Known {
            servers: None,
            login: Login::Oauth,
            is_checked: true,
            hint: None,
        }),
    }
}

/// Whether the provider of this address takes no passwords any more.
pub fn no_password(address: &str) -> bool {
    let domain = address.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    domain
        .split('.')
        .next()
        .is_some_and(|first| TOKENS_ONLY.contains(&first))
}

fn read(row: &[&str], name: &str, address: &str) -> Option<Known> {
    let [
        imap,
        imap_port,
        imap_tls,
        smtp,
        smtp_port,
        smtp_tls,
        imap_user,
        smtp_user,
        login,
        checked,
        hint,
        _,
    ] = row
    else {
        return None;
    };
    let login = match *login {
        "password" => Login::Password,
        "app-password" => Login::AppPassword,
        "oauth" => Login::Oauth,
        "none" => Login::None,
        "bridge" => Login::Bridge,
        _ => Login::Plain,
    };
    let user = |form: &str| {
        if form == "name" {
            name.to_owned()
        } else {
            address.to_owned()
        }
    };
    let server = |host: &str, port: &str, tls: &str| {
        let security = match tls {
            "tls" => Security::Tls,
            "starttls" => Security::StartTls,
            _ => return None,
        };
        Some(Server {
            host: host.to_owned(),
            port: port.parse().ok()?,
            security,
        })
    };
    let servers = match login {
        Login::Password | Login::AppPassword => Some(Servers {
            imap: server(imap, imap_port, imap_tls)?,
            smtp: server(smtp, smtp_port, smtp_tls)?,
            imap_user: user(imap_user),
            smtp_user: user(smtp_user),
        }),
        Login::Oauth | Login::None | Login::Bridge | Login::Plain => None,
    };
    Some(Known {
        servers,
        login,
        is_checked: *checked == "checked",
        hint: match *hint {
            "pec" => Some(Hint::Pec),
            "imap-off" => Some(Hint::ImapOff),
            _ => None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_people_have_are_known() {
        let of = |address: &str| known(address).unwrap_or_else(|| panic!("{address}"));
        let libero = of("anna@libero.it");
        let servers = libero.servers.unwrap();
        assert_eq!((servers.imap.port, servers.imap.security), (993, Security::Tls));
        assert!(servers.imap.host.ends_with("libero.it"));
        assert_eq!(of("anna@gmail.com").login, Login::AppPassword);
        assert_eq!(of("Anna@PEC.it").hint, Some(Hint::Pec));
        assert!(!of("a@aruba.it").is_checked);
        for address in [
            "a@outlook.com",
            "a@hotmail.it",
            "a@live.it",
            "a@msn.com",
            "a@outlook.it",
        ] {
            assert_eq!(of(address).login, Login::Oauth, "{address}");
            assert!(known(address).unwrap().servers.is_none());
        }
        assert_eq!(of("a@tuta.com").login, Login::None);
        assert_eq!(of("a@proton.me").login, Login::Bridge);
        assert!(known("a@example.invalid").is_none());
        assert!(known("no address").is_none());
    }

    #[test]
    fn every_row_of_the_table_can_be_read() {
        let mut domains = 0;
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let row: Vec<&str> = line.split('\t').collect();
            assert!(read(&row, "a", "a@b.it").is_some(), "{line}");
            domains += row.last().unwrap().split(' ').count();
        }
        assert!(domains > 800, "{domains}");
    }
}
