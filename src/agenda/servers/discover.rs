//! From an address to collections: by the table of providers, by what a server says of itself, else by the paths that
//! common servers have. Nothing secret is said before the certificate was the right one; and a log-in is tried on the
//! server that was named, or on another of the same provider, and nowhere else.

use metnos_dav::server::{self, DavLogin, Holds};
use serde_json::{Value, json};
use tokio::time::timeout;
use url::Url;

use super::{
    DavSettings, Mark, Pace, Servers, Trouble, explain,
    feed::feed_address,
    holds_of, patiently,
    sync::{Haste, good},
};
use crate::{
    config::Secret,
    domain::{
        account::{PersonAccount, Service},
        failure::ToolError,
        ids::PersonAccountId,
        limits,
        message::Message,
    },
    net::pinned::{Pinned, PinnedError, Said},
    store::person_accounts::NewPersonAccount,
};

/// Where servers that do not tell it have what is asked for: Nextcloud, Baïkal, and others.
const USUAL: [&str; 3] = ["/remote.php/dav/", "/dav.php/", "/dav/"];

/// What is known of an address.
#[derive(Clone, Debug, PartialEq)]
pub enum Where {
    /// Its server is there.
    There {
        /// To be handed back with the password.
        servers: Value,
        /// What to know before a password is given.
        hint: Option<Message>,
    },
    /// It cannot be used, and what can.
    NotThere(Message),
    /// It is none.
    NoAddress,
}

/// What a look at an account found.
#[derive(Debug)]
pub struct Seen {
    /// What is wrong; `None` if nothing is.
    pub wrong: Option<ToolError>,
    /// Its collections: what each is called, whether it is only read, and how much is in it.
    pub collections: Vec<(String, bool, usize)>,
    /// The server does not say what changed, and everything is compared.
    pub has_no_tokens: bool,
}

impl Seen {
    /// Nothing was found because of this.
    pub fn wrong(why: ToolError) -> Self {
        Self {
            wrong: Some(why),
            collections: Vec::new(),
            has_no_tokens: false,
        }
    }
}

impl Servers {
    /// Where an address has its calendars or its address book.
    pub(in crate::agenda) async fn find(
        &self,
        service: Service,
        address: &str,
        may_be_inside: bool,
    ) -> Result<Where, ToolError> {
        let Some(holds) = holds_of(service) else {
            return Ok(Where::NoAddress);
        };
        let address = address.trim();
        if service == Service::Calendar {
            return Ok(match feed_address(address) {
                Some(_) => Where::There {
                    servers: json!({"may_be_inside": may_be_inside}),
                    hint: None,
                },
                None => Where::NoAddress,
            });
        }
        let there = |base: &Url, family: &str, hint: Option<Message>| Where::There {
            servers: json!({"base": base.as_str(), "family": family, "may_be_inside": may_be_inside}),
            hint,
        };
        let domain = address.rsplit_once('@').map(|(_, domain)| domain);
        if let Some(known) = domain.and_then(|_| server::dav_servers(address, holds)) {
            let about = |key: &str| Message::new(key).with("domain", domain.unwrap_or_default());
            return Ok(match (known.login, Url::parse(known.address)) {
                (DavLogin::Oauth, _) => Where::NotThere(about("dav-setup-oauth")),
                (DavLogin::AppPassword, Ok(base)) => there(&base, known.family, Some(about("mail-setup-app-password"))),
                (DavLogin::Password, Ok(base)) => there(&base, known.family, None),
                (DavLogin::None, _) | (_, Err(_)) => Where::NotThere(about("dav-setup-none")),
            });
        }
        let Some(base) = base_of(domain.unwrap_or(address)) else {
            return Ok(Where::NoAddress);
        };
        let door = self.door(base.clone(), None, may_be_inside);
        let knock = async {
            let pinned = Pinned::new(door, metnos_dav::ANSWER_BYTES_MAX).await?;
            let asked = server::ask_principal(base.path());
            patiently(&pinned, &asked, &mut Pace::default()).await
        };
        match knock.await {
            // Whatever it says of somebody it does not know: it is there, and it is who it should be.
            Ok(_) | Err(Trouble::Refused | Trouble::Busy(_)) => Ok(there(&base, "", None)),
            Err(Trouble::Pinned(error)) if matches!(*error, PinnedError::Elsewhere(_)) => Ok(there(&base, "", None)),
            Err(_) if domain.is_some() => Ok(Where::NotThere(
                Message::new("dav-setup-unknown").with("domain", domain.unwrap_or_default()),
            )),
            Err(trouble) => Err(explain(&trouble, base.host_str().unwrap_or_default(), service)),
        }
    }

    /// Logs in and looks for collections; the account as it is to be kept if there are any.
    pub(in crate::agenda) async fn try_out(
        &self,
        id: PersonAccountId,
        service: Service,
        (address, user): (&str, &str),
        servers: &Value,
        secret: Secret,
    ) -> Result<NewPersonAccount, ToolError> {
        let may_be_inside = servers
            .get("may_be_inside")
            .and_then(Value::as_bool)
            .unwrap_or_default();
        let work = async {
            if service == Service::Calendar {
                return self.try_feed(id, address, may_be_inside).await;
            }
            let text = |name: &str| servers.get(name).and_then(Value::as_str).unwrap_or_default();
            let base = Url::parse(text("base")).map_err(|_no_address| Trouble::Settings)?;
            let holds = holds_of(service).ok_or(Trouble::Settings)?;
            let search = Search {
                servers: self,
                holds,
                family: text("family").to_owned(),
                login: (user.to_owned(), secret.clone()),
                may_be_inside,
            };
            let settings = search.settings(&base).await?;
            Ok(NewPersonAccount {
                id,
                service,
                name: account_name(address, user, &base),
                settings: serde_json::to_value(settings).unwrap_or_default(),
                secret: Some(secret),
            })
        };
        let done = timeout(2 * limits::AGENDA_LOOK_TIME, work).await;
        let shown = if service == Service::Calendar {
            // The address may be a secret.
            feed_address(address).and_then(|url| url.host_str().map(str::to_owned))
        } else {
            None
        };
        done.unwrap_or(Err(Trouble::Slow))
            .map_err(|trouble| explain(&trouble, shown.as_deref().unwrap_or(address), service))
    }

    /// Looks at an account: asks its server, whatever the copy says, and counts what is there.
    pub(in crate::agenda) async fn check(&self, account: &PersonAccount) -> Seen {
        let mut seen = Seen {
            wrong: None,
            collections: Vec::new(),
            has_no_tokens: false,
        };
        let Some(holds) = holds_of(account.service) else {
            return seen;
        };
        let looked = async {
            self.refresh_one(account, holds, Haste::Change).await?;
            for collection in self.collections_of(account, holds).await? {
                let Some(mark) = Mark::of(&collection) else { continue };
                let there = self.store.dav_versions(&account.actor, &collection.id).await?;
                seen.has_no_tokens |= account.service != Service::Calendar && collection.token.is_empty();
                seen.collections.push((mark.name, mark.is_read_only, there.len()));
            }
            Ok(())
        };
        let looked: Result<(), Trouble> = looked.await;
        seen.wrong = looked
            .err()
            .map(|trouble| explain(&trouble, &account.name, account.service));
        seen
    }
}

/// A search for somebody's collections.
struct Search<'a> {
    servers: &'a Servers,
    holds: Holds,
    /// The end that names of this provider's servers have; empty for none but the one that was named.
    family: String,
    login: (String, Secret),
    may_be_inside: bool,
}

impl Search<'_> {
    async fn settings(&self, base: &Url) -> Result<DavSettings, Trouble> {
        let mut pinned = self.pinned(base).await?;
        let mut paths = vec![
            base.path().to_owned(),
            server::well_known(self.holds).to_owned(),
            "/".to_owned(),
        ];
        paths.extend(USUAL.map(str::to_owned));
        if base.path() == "/" {
            paths.remove(0);
        }
        let mut last = Trouble::Empty;
        for path in paths {
            match self.look(&mut pinned, &path).await {
                Ok(Some(settings)) => return Ok(settings),
                Ok(None) => {}
                Err(
                    trouble @ (Trouble::Gone
                    | Trouble::Forbidden
                    | Trouble::Status(_)
                    | Trouble::Garbled
                    | Trouble::Empty),
                ) => last = trouble,
                // A path that leads elsewhere is not followed; another may not.
                Err(Trouble::Pinned(error)) if matches!(*error, PinnedError::Elsewhere(_)) => {
                    last = Trouble::Pinned(error);
                }
                Err(trouble) => return Err(trouble),
            }
        }
        let is_not_it = matches!(last, Trouble::Gone | Trouble::Status(_) | Trouble::Garbled);
        Err(if is_not_it { Trouble::Empty } else { last })
    }

    async fn pinned(&self, base: &Url) -> Result<Pinned, Trouble> {
        let login = Some(self.login.clone());
        let door = self.servers.door(base.clone(), login, self.may_be_inside);
        Ok(Pinned::new(door, metnos_dav::ANSWER_BYTES_MAX).await?)
    }

    /// Asks; where the server sends to another of the same provider, that one is asked from then on.
    async fn ask(&self, pinned: &mut Pinned, request: &server::Request) -> Result<Said, Trouble> {
        let mut pace = Pace::default();
        match patiently(pinned, request, &mut pace).await {
            Err(Trouble::Pinned(error)) => {
                let PinnedError::Elsewhere(to) = error.as_ref() else {
                    return Err(Trouble::Pinned(error));
                };
                if !self.is_family(to) {
                    return Err(Trouble::Pinned(error));
                }
                *pinned = self.pinned(to).await?;
                let there = server::Request {
                    href: to.path().to_owned(),
                    ..request.clone()
                };
                patiently(pinned, &there, &mut pace).await
            }
            said => said,
        }
    }

    fn is_family(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let is_below = host.strip_suffix(&self.family).is_some_and(|rest| rest.ends_with('.'));
        !self.family.is_empty() && url.scheme() == "https" && is_below
    }

    /// What a path leads to: a principal with its homes, or a collection itself.
    async fn look(&self, pinned: &mut Pinned, path: &str) -> Result<Option<DavSettings>, Trouble> {
        let said = self.ask(pinned, &server::ask_principal(path)).await?;
        let principal = server::principal(&good(&said)?.body)?;
        let here = said.url.path().to_owned();
        let alone = self.ask(pinned, &server::ask_collections(&here, true)).await?;
        let is_one = good(&alone)
            .is_ok_and(|said| server::collections(&said.body, self.holds).is_ok_and(|found| !found.is_empty()));
        if is_one {
            return Ok(Some(self.found(pinned, vec![here], true)));
        }
        let Some(principal) = principal else {
            return Ok(None);
        };
        let said = self.ask(pinned, &server::ask_homes(&principal)).await?;
        let homes = server::homes(&good(&said)?.body, self.holds)?;
        let mut kept = Vec::new();
        let mut has_any = false;
        for home in homes {
            let said = self.ask(pinned, &server::ask_collections(&home, false)).await?;
            let found = server::collections(&good(&said)?.body, self.holds)?;
            has_any |= !found.is_empty();
            kept.push(said.url.path().to_owned());
        }
        if has_any {
            Ok(Some(self.found(pinned, kept, false)))
        } else {
            Err(Trouble::Empty)
        }
    }

    fn found(&self, pinned: &Pinned, homes: Vec<String>, is_alone: bool) -> DavSettings {
        DavSettings {
            base: pinned.base().to_string(),
            user: self.login.0.clone(),
            homes,
            is_alone,
            may_be_inside: self.may_be_inside,
        }
    }
}

/// A server's address as people write it: with or without `https://`, with or without a path.
fn base_of(text: &str) -> Option<Url> {
    let text = if text.contains("://") {
        text.to_owned()
    } else {
        format!("https://{text}")
    };
    let text = ["caldavs://", "carddavs://", "davs://", "dav://"]
        .into_iter()
        .find_map(|scheme| text.strip_prefix(scheme))
        .map_or_else(|| text.clone(), |rest| format!("https://{rest}"));
    let url = Url::parse(&text).ok()?;
    let is_server = matches!(url.scheme(), "https" | "http") && url.username().is_empty() && url.password().is_none();
    let host = url.host_str()?;
    let is_host = host.contains(['.', ':']) || url.port().is_some() || text.starts_with("https://localhost");
    (is_server && is_host).then_some(url)
}

/// What an account is called: its address, or its user at its server.
fn account_name(address: &str, user: &str, base: &Url) -> String {
    let is_mail = |text: &str| text.contains('@') && !text.contains('/');
    match (is_mail(address), is_mail(user)) {
        (true, _) => address.trim().to_owned(),
        (false, true) => user.to_owned(),
        (false, false) => format!("{user}@{}", base.host_str().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_as_people_write_them() {
        let of = |text: &str| base_of(text).map(|url| url.to_string());
        assert_eq!(of("cloud.example.org").as_deref(), Some("https://cloud.example.org/"));
        assert_eq!(
            of("https://cloud.example.org/remote.php/dav/").as_deref(),
            Some("https://cloud.example.org/remote.php/dav/")
        );
        assert_eq!(of("davs://x.example:8443").as_deref(), Some("https://x.example:8443/"));
        for text in ["", "hello", "x y", "https://a:b@x.example/", "file:///x"] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
