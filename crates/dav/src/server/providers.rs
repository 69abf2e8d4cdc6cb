//! Where an address has its calendars and its address book: by a table of providers, else where the standard says that
//! a server tells it (RFC 6764). Pure: nobody is asked here.

use super::Holds;

/// Rows of domains; see the head of the file.
const TABLE: &str = include_str!("../../data/dav_providers.tsv");

/// How one logs in at a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DavLogin {
    /// With the password of the account.
    Password,
    /// With a password that the provider makes for programs.
    AppPassword,
    /// With no password at all: only by its own pages.
    Oauth,
    /// It has none of this kind.
    None,
}

/// What is known of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DavServers {
    /// Where its server begins; empty where there is none for programs.
    pub address: &'static str,
    /// How one logs in.
    pub login: DavLogin,
    /// The end that names of its servers have, where it hands people on to another of its own; else empty.
    pub family: &'static str,
}

/// What is known of the provider of an address.
pub fn dav_servers(address: &str, holds: Holds) -> Option<DavServers> {
    let domain = address.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    TABLE.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut cells = line.split('\t');
        let (caldav, carddav, login, family) = (cells.next()?, cells.next()?, cells.next()?, cells.next()?);
        let is_its = cells.next()?.split(' ').any(|known| known == domain);
        let address = match holds {
            Holds::Events => caldav,
            Holds::Contacts => carddav,
        };
        let filled = |cell: &'static str| if cell == "-" { "" } else { cell };
        is_its.then(|| DavServers {
            address: filled(address),
            login: match login {
                "password" => DavLogin::Password,
                "app-password" => DavLogin::AppPassword,
                "oauth" => DavLogin::Oauth,
                _ => DavLogin::None,
            },
            family: filled(family),
        })
    })
}

/// Where a server says where its collections are.
pub fn well_known(holds: Holds) -> &'static str {
    match holds {
        Holds::Events => "/.well-known/caldav",
        Holds::Contacts => "/.well-known/carddav",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_whole() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), 5, "{line}");
            for address in &cells[..2] {
                assert!(*address == "-" || address.starts_with("https://"), "{line}");
            }
            assert!(
                ["password", "app-password", "oauth", "none"].contains(&cells[2]),
                "{line}"
            );
        }
        let icloud = dav_servers("Anna@iCloud.com", Holds::Events).unwrap();
        assert_eq!(
            (icloud.address, icloud.family),
            ("https://caldav.icloud.com/", "icloud.com")
        );
        assert_eq!(
            dav_servers("anna@gmail.com", Holds::Events).unwrap().login,
            DavLogin::Oauth
        );
        assert_eq!(dav_servers("anna@example.org", Holds::Events), None);
    }
}
