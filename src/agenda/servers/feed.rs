//! Calendars at a web address: a school's, or the secret address that a provider gives out. They are read whole, kept
//! as one text, and never written. The address is a secret itself: it stands sealed, and in no sentence and no log.

use metnos_dav::{
    Object,
    server::{self, Holds},
};
use serde_json::json;
use url::Url;

use super::{DavSettings, Line, Mark, Pace, Servers, Trouble, patiently, row_name, sync::good};
use crate::{
    config::Secret,
    domain::{
        account::{PersonAccount, Service},
        ids::PersonAccountId,
        limits,
    },
    net::pinned::{Pinned, PinnedError},
    store::{
        dav::{DavItem, DavNews},
        person_accounts::NewPersonAccount,
    },
};

/// The one file that such a calendar is.
const FILE: &str = "calendar.ics";
/// Longest name that a calendar gives itself.
const NAME_CHARS_MAX: usize = 60;

impl Servers {
    /// Reads a calendar at an address, and makes an account of it.
    pub(super) async fn try_feed(
        &self,
        id: PersonAccountId,
        address: &str,
        may_be_inside: bool,
    ) -> Result<NewPersonAccount, Trouble> {
        let url = feed_address(address).ok_or(PinnedError::BadAddress)?;
        let (_, object) = self.fetch_feed(&url, may_be_inside).await?;
        let named = object.name().map(|name| name.chars().take(NAME_CHARS_MAX).collect());
        let settings = DavSettings {
            base: String::new(),
            user: String::new(),
            homes: Vec::new(),
            is_alone: true,
            may_be_inside,
        };
        Ok(NewPersonAccount {
            id,
            service: Service::Calendar,
            name: named.unwrap_or_else(|| url.host_str().unwrap_or_default().to_owned()),
            settings: serde_json::to_value(settings).unwrap_or_default(),
            secret: Some(Secret::new(url.to_string())),
        })
    }

    /// The text at an address, wherever it leads: nobody logs in there.
    async fn fetch_feed(&self, url: &Url, may_be_inside: bool) -> Result<(String, Object), Trouble> {
        let bytes_max = usize::try_from(limits::AGENDA_FILE_BYTES_MAX).unwrap_or(usize::MAX);
        let mut url = url.clone();
        for hop in 0..=limits::REDIRECTS_MAX {
            // Only the address that was named may lie in the house, and nothing it leads to.
            let door = self.door(url.clone(), None, may_be_inside && hop == 0);
            let pinned = Pinned::new(door, bytes_max).await?;
            let request = server::get(url.as_str());
            match patiently(&pinned, &request, &mut Pace::default()).await {
                Ok(said) => {
                    let text = String::from_utf8_lossy(&good(&said)?.body).into_owned();
                    let object = Object::parse(&text).map_err(|_broken| Trouble::Garbled)?;
                    return Ok((text, object));
                }
                Err(Trouble::Pinned(error)) => {
                    let PinnedError::Elsewhere(to) = error.as_ref() else {
                        return Err(Trouble::Pinned(error));
                    };
                    url = to.as_ref().clone();
                }
                Err(trouble) => return Err(trouble),
            }
        }
        Err(PinnedError::Unreachable(url.host_str().unwrap_or_default().to_owned()).into())
    }
}

impl Line<'_> {
    /// Reads the calendar of this account anew.
    pub(super) async fn read_feed(&mut self) -> Result<(), Trouble> {
        let (servers, account): (&Servers, &PersonAccount) = (self.servers, self.account);
        let store = &servers.store;
        let secret = store.person_secret(&account.actor, &account.id).await?;
        let secret = secret.ok_or(Trouble::Settings)?;
        let url = Url::parse(secret.expose()).map_err(|_no_address| Trouble::Settings)?;
        let may_be_inside = DavSettings::of(account)?.may_be_inside;
        let begun_ms = servers.clock.now_ms();
        let (text, _) = servers.fetch_feed(&url, may_be_inside).await?;
        let mark = Mark {
            href: FILE.to_owned(),
            name: account.name.clone(),
            color: None,
            is_read_only: true,
            has_tokens: false,
        };
        let found = vec![(mark.href.clone(), json!(mark))];
        store
            .put_dav_collections(&account.actor, &account.id, row_name(Holds::Events), found)
            .await?;
        for collection in servers.collections_of(account, Holds::Events).await? {
            let known = store.dav_item(&account.actor, &collection.id, FILE).await?;
            let item = DavItem {
                name: FILE.to_owned(),
                href: FILE.to_owned(),
                etag: crate::agenda::version_of(&text),
                text: text.clone(),
            };
            let is_new = known.is_none_or(|known| known.etag != item.etag);
            let news = DavNews {
                changed: if is_new { vec![item] } else { Vec::new() },
                seen_ms: Some(begun_ms),
                ..DavNews::default()
            };
            store.take_dav_news(&account.actor, &collection.id, news).await?;
        }
        Ok(())
    }
}

/// The address of a calendar as people have it: `webcal://…` is what browsers call one.
pub(super) fn feed_address(text: &str) -> Option<Url> {
    let text = text.trim();
    let text = ["webcal://", "webcals://"]
        .into_iter()
        .find_map(|scheme| text.strip_prefix(scheme))
        .map_or_else(|| text.to_owned(), |rest| format!("https://{rest}"));
    Url::parse(&text)
        .ok()
        .filter(|url| matches!(url.scheme(), "https" | "http") && url.host().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_calendars_are_read_as_people_have_them() {
        let of = |text: &str| feed_address(text).map(|url| url.to_string());
        assert_eq!(
            of(" webcal://school.example/a.ics ").as_deref(),
            Some("https://school.example/a.ics")
        );
        assert_eq!(
            of("https://x.example/a?key=1").as_deref(),
            Some("https://x.example/a?key=1")
        );
        for text in [
            "",
            "anna@example.org",
            "school",
            "file:///etc/passwd",
            "ftp://x.example/a.ics",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
