//! What became different on a server, taken into the copy: by a token where the server knows them, else by the versions
//! of everything. Whatever fails leaves the copy as it was, and says from when it is.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use metnos_dav::{
    FETCH_MAX,
    server::{self, Changes, Holds, Item, Request},
};
use tokio::time::{Instant, timeout};

use super::{DavSettings, Line, Mark, Servers, Trouble, explain, row_name};
use crate::{
    domain::{
        account::{AccountState, PersonAccount, Service},
        failure::ToolError,
        ids::ActorId,
        limits,
    },
    net::pinned::Said,
    store::dav::{DavCollection, DavItem, DavNews},
};

/// How long the list of an account's collections counts.
const LISTED: std::time::Duration = std::time::Duration::from_secs(60 * 60);
/// Most rounds in which a server tells what changed.
const ROUNDS_MAX: usize = 50;

/// How much a fresh copy is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Haste {
    /// Somebody asked what there is.
    Look,
    /// Something is about to be changed: however fresh the copy is, the server is asked.
    Change,
}

/// An account whose copy is old.
#[derive(Clone, Debug)]
pub struct Stale {
    /// The account.
    pub account: String,
    /// When its server was last heard, in milliseconds; 0 for never.
    pub seen_ms: i64,
    /// Why it was not asked now.
    pub why: ToolError,
}

impl Servers {
    /// Brings the copies of a person up to date, as far as that is needed and can be; which could not.
    pub(in crate::agenda) async fn refresh(&self, actor: &ActorId, holds: Holds, haste: Haste) -> Vec<Stale> {
        let accounts = match self.accounts(actor, holds).await {
            Ok(accounts) => accounts,
            Err(error) => {
                tracing::warn!(%error, "the accounts cannot be looked at");
                return Vec::new();
            }
        };
        let each = accounts.iter().map(|account| async move {
            let trouble = self.refresh_one(account, holds, haste).await.err()?;
            tracing::debug!(account = account.id.as_str(), %trouble, "a server of calendars was not heard");
            let seen_ms = self.seen_ms(account, holds).await.unwrap_or_default();
            Some(Stale {
                account: account.name.clone(),
                seen_ms,
                why: explain(&trouble, &account.name, account.service),
            })
        });
        join_all(each).await.into_iter().flatten().collect()
    }

    /// Whether a look would ask a server.
    pub(in crate::agenda) async fn is_old(&self, actor: &ActorId, holds: Holds) -> bool {
        let Ok(accounts) = self.accounts(actor, holds).await else {
            return false;
        };
        for account in &accounts {
            match self.collections_of(account, holds).await {
                Ok(collections) if self.are_fresh(account, &collections) => {}
                Ok(_) | Err(_) => return true,
            }
        }
        false
    }

    async fn seen_ms(&self, account: &PersonAccount, holds: Holds) -> Result<i64, Trouble> {
        let collections = self.collections_of(account, holds).await?;
        Ok(collections.iter().map(|one| one.seen_ms).min().unwrap_or_default())
    }

    pub(super) async fn collections_of(
        &self,
        account: &PersonAccount,
        holds: Holds,
    ) -> Result<Vec<DavCollection>, Trouble> {
        let mut all = self.store.dav_collections(&account.actor, row_name(holds)).await?;
        all.retain(|one| one.account == account.id);
        Ok(all)
    }

    fn are_fresh(&self, account: &PersonAccount, collections: &[DavCollection]) -> bool {
        let fresh = match account.service {
            Service::Calendar => limits::AGENDA_FEED_FRESH,
            Service::Caldav | Service::Carddav | Service::Mail | Service::Homeassistant => limits::AGENDA_FRESH,
        };
        let oldest = self.clock.now_ms() - i64::try_from(fresh.as_millis()).unwrap_or(i64::MAX);
        !collections.is_empty() && collections.iter().all(|one| one.seen_ms >= oldest)
    }

    pub(super) async fn refresh_one(&self, account: &PersonAccount, holds: Holds, haste: Haste) -> Result<(), Trouble> {
        // What is only read is not asked anew because of a change that goes elsewhere.
        let may_wait = haste == Haste::Look || account.service == Service::Calendar;
        let is_fresh = async || -> Result<bool, Trouble> {
            Ok(may_wait && self.are_fresh(account, &self.collections_of(account, holds).await?))
        };
        if is_fresh().await? {
            return Ok(());
        }
        let work = async {
            let mut line = self.line(account).await;
            // Somebody else may have asked while the line was taken.
            if is_fresh().await? {
                return Ok(());
            }
            if let Some(why) = line.rest().filter(|_| may_wait) {
                return Err(why);
            }
            let asked = match account.service {
                Service::Calendar => line.read_feed().await,
                Service::Caldav | Service::Carddav | Service::Mail | Service::Homeassistant => line.sync(holds).await,
            };
            match &asked {
                Ok(()) => {
                    line.slot.rests = None;
                    line.fared(AccountState::Good).await;
                }
                Err(trouble) => line.failed(trouble).await,
            }
            asked
        };
        match timeout(limits::AGENDA_LOOK_TIME, work).await {
            Ok(done) => done,
            Err(_elapsed) => {
                self.line(account).await.failed(&Trouble::Slow).await;
                Err(Trouble::Slow)
            }
        }
    }
}

impl Line<'_> {
    async fn sync(&mut self, holds: Holds) -> Result<(), Trouble> {
        let known = self.servers.collections_of(self.account, holds).await?;
        let is_listed = self.slot.listed.is_some_and(|at| at.elapsed() < LISTED);
        if known.is_empty() || !is_listed {
            self.list(holds).await?;
        }
        for collection in self.servers.collections_of(self.account, holds).await? {
            let Some(mark) = Mark::of(&collection) else { continue };
            self.sync_one(&collection, &mark, holds).await?;
        }
        Ok(())
    }

    /// Which collections there are now.
    pub(super) async fn list(&mut self, holds: Holds) -> Result<(), Trouble> {
        let settings = DavSettings::of(self.account)?;
        let mut found: Vec<(String, serde_json::Value)> = Vec::new();
        for home in &settings.homes {
            let said = self.ask(&server::ask_collections(home, settings.is_alone)).await?;
            let collections = server::collections(&good(&said)?.body, holds).map_err(Trouble::from)?;
            for one in collections.into_iter().take(limits::AGENDA_COLLECTIONS_MAX) {
                let href = self.pinned().await?.address(&one.href)?.path().to_owned();
                let mark = Mark {
                    href: href.clone(),
                    name: one.name,
                    color: one.color,
                    is_read_only: one.is_read_only,
                    has_tokens: one.has_tokens,
                };
                found.push((href, serde_json::to_value(mark).unwrap_or_default()));
            }
        }
        if found.is_empty() {
            return Err(Trouble::Empty);
        }
        let account = self.account;
        self.servers
            .store
            .put_dav_collections(&account.actor, &account.id, row_name(holds), found)
            .await?;
        self.slot.listed = Some(Instant::now());
        Ok(())
    }

    async fn sync_one(&mut self, collection: &DavCollection, mark: &Mark, holds: Holds) -> Result<(), Trouble> {
        let begun_ms = self.servers.clock.now_ms();
        let told = if mark.has_tokens {
            self.by_token(collection, mark).await?
        } else {
            None
        };
        let (changed, gone, token) = match told {
            Some(told) => told,
            None => self.by_version(collection, mark, holds).await?,
        };
        let (actor, store) = (&self.account.actor, self.servers.store.clone());
        for part in changed.chunks(FETCH_MAX) {
            let fetched = self.fetch(mark, part, holds).await?;
            let news = DavNews {
                changed: fetched,
                ..DavNews::default()
            };
            store.take_dav_news(actor, &collection.id, news).await?;
        }
        let news = DavNews {
            gone,
            token: Some(token),
            seen_ms: Some(begun_ms),
            ..DavNews::default()
        };
        Ok(store.take_dav_news(actor, &collection.id, news).await?)
    }

    /// What a server says that changed since the token; `None` where it cannot say.
    async fn by_token(&mut self, collection: &DavCollection, mark: &Mark) -> Result<Option<Told>, Trouble> {
        let actor = self.account.actor.clone();
        let mut versions = self.servers.store.dav_versions(&actor, &collection.id).await?;
        let mut token = collection.token.clone();
        // A token that is not taken any more is given up once, and everything is told.
        let mut is_whole = token.is_empty();
        let (mut changed, mut gone) = (Vec::new(), Vec::new());
        let mut there: Vec<String> = Vec::new();
        for _ in 0..ROUNDS_MAX {
            let asked = Some(token.as_str()).filter(|token| !token.is_empty());
            let said = self.ask(&server::ask_changes(&mark.href, asked)).await?;
            if !(200..300).contains(&said.status) {
                if is_whole || token.is_empty() {
                    return Ok(None);
                }
                token.clear();
                is_whole = true;
                continue;
            }
            let told: Changes = server::changes(&said.body)?;
            let Some(next) = told.token.filter(|next| !next.is_empty()) else {
                return Ok(None);
            };
            let pinned = self.pinned().await?;
            gone.extend(
                told.gone
                    .iter()
                    .filter_map(|href| name_of(pinned.address(href).ok()?.path())),
            );
            for item in &told.changed {
                let Some(wanted) = Wanted::of(pinned.address(&item.href)?.path(), item) else {
                    continue;
                };
                there.push(wanted.name.clone());
                if versions.get(&wanted.name) != Some(&wanted.etag) {
                    changed.push(wanted);
                }
            }
            let is_stuck = next == token;
            token = next;
            if !told.is_cut || is_stuck {
                if is_whole {
                    there.iter().for_each(|name| drop(versions.remove(name)));
                    gone = versions.into_keys().collect();
                }
                changed.truncate(limits::AGENDA_FILES_MAX);
                return Ok(Some((changed, gone, token)));
            }
        }
        Err(Trouble::TooMuch)
    }

    /// What became different by the versions of everything: every server can say those.
    async fn by_version(&mut self, collection: &DavCollection, mark: &Mark, holds: Holds) -> Result<Told, Trouble> {
        let listing = server::ask_listing(&mark.href);
        let said = match holds {
            Holds::Contacts => self.ask(&listing).await?,
            Holds::Events => {
                let said = self.ask(&server::ask_events(&mark.href)).await?;
                if (200..300).contains(&said.status) {
                    said
                } else {
                    self.ask(&listing).await?
                }
            }
        };
        let items = server::items(&good(&said)?.body)?;
        let pinned = self.pinned().await?;
        let actor = self.account.actor.clone();
        let mut versions: BTreeMap<String, String> = self.servers.store.dav_versions(&actor, &collection.id).await?;
        let mut changed = Vec::new();
        for item in items.iter().take(limits::AGENDA_FILES_MAX) {
            let Some(wanted) = Wanted::of(pinned.address(&item.href)?.path(), item) else {
                continue;
            };
            // Where no version is said, what is there is read each time.
            let known = versions.remove(&wanted.name);
            if wanted.etag.is_empty() || known.as_ref() != Some(&wanted.etag) {
                changed.push(wanted);
            }
        }
        Ok((changed, versions.into_keys().collect(), String::new()))
    }

    /// The texts of what changed: all at once where the server can, else one by one.
    async fn fetch(&mut self, mark: &Mark, wanted: &[Wanted], holds: Holds) -> Result<Vec<DavItem>, Trouble> {
        let hrefs: Vec<&str> = wanted.iter().map(|one| one.href.as_str()).collect();
        let said = self.ask(&server::ask_items(&mark.href, &hrefs, holds)).await?;
        let mut found = Vec::new();
        if (200..300).contains(&said.status) {
            let pinned = self.pinned().await?;
            for item in server::items(&said.body)? {
                let path = pinned.address(&item.href)?.path().to_owned();
                let Some(name) = name_of(&path) else { continue };
                let told = wanted.iter().find(|one| one.name == name).map(|one| one.etag.clone());
                found.extend(item.text.map(|text| DavItem {
                    name,
                    href: path,
                    etag: item.etag.or(told).unwrap_or_default(),
                    text,
                }));
            }
            return Ok(found);
        }
        for one in wanted {
            found.extend(self.read(&one.href, &one.name).await?);
        }
        Ok(found)
    }

    /// One resource as it is now; `None` where it is gone.
    pub(super) async fn read(&mut self, href: &str, name: &str) -> Result<Option<DavItem>, Trouble> {
        let said = self.ask(&server::get(href)).await?;
        if matches!(said.status, 404 | 410) {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&good(&said)?.body).into_owned();
        Ok(Some(DavItem {
            name: name.to_owned(),
            href: href.to_owned(),
            etag: said.etag.unwrap_or_default(),
            text,
        }))
    }

    /// The answer to a request, for who only wants to know whether it is a good one.
    pub(super) async fn heard(&mut self, request: &Request) -> Result<Said, Trouble> {
        self.ask(request).await
    }
}

/// What changed, what is gone, and the token to ask with next.
type Told = (Vec<Wanted>, Vec<String>, String);

/// A resource whose text is wanted.
#[derive(Clone, Debug)]
struct Wanted {
    name: String,
    href: String,
    etag: String,
}

impl Wanted {
    fn of(path: &str, item: &Item) -> Option<Self> {
        Some(Self {
            name: name_of(path)?,
            href: path.to_owned(),
            etag: item.etag.clone().unwrap_or_default(),
        })
    }
}

/// The last part of an address; `None` of a collection.
pub(super) fn name_of(path: &str) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or_default();
    (!name.is_empty()).then(|| name.to_owned())
}

/// An answer that is none of a refusal.
pub(super) fn good(said: &Said) -> Result<&Said, Trouble> {
    match said.status {
        200..300 => Ok(said),
        403 => Err(Trouble::Forbidden),
        404 | 410 => Err(Trouble::Gone),
        413 | 507 => Err(Trouble::TooMuch),
        status => Err(Trouble::Status(status)),
    }
}

impl From<server::Garbled> for Trouble {
    fn from(why: server::Garbled) -> Self {
        match why {
            server::Garbled::NoXml => Self::Garbled,
            server::Garbled::TooMuch => Self::TooMuch,
        }
    }
}
