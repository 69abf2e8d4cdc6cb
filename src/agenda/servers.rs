//! Calendars and address books on servers: a copy of each, and the line to the server it is a copy of. Used by `Agenda`
//! alone. A copy is never changed but by what the server said; a change is made on the server, in the version that was
//! known, and nowhere else. Passwords go to `net::pinned` and to nobody.
//!
//! ```text
//! discover an address → where its collections are; an account tried out and looked at
//! sync     what became different on a server → the copy
//! change   one resource, put or removed in its version
//! feed     calendars at a web address, read whole
//! trouble  a failure → the sentence that says what to do
//! ```

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use metnos_dav::server::{Condition, Holds, Request};
use serde::{Deserialize, Serialize};
use tokio::{sync::OwnedMutexGuard, time::Instant};
use url::Url;

use crate::{
    clock::Clock,
    config::Secret,
    domain::{
        account::{AccountState, PersonAccount, Service},
        ids::{ActorId, PersonAccountId},
        limits,
    },
    net::pinned::{Ask, Door, Pinned, PinnedError, Said},
    store::{Store, StoreError, dav::DavCollection},
};

mod change;
mod discover;
mod feed;
mod sync;
mod trouble;

pub(super) use change::leaf;
pub use discover::{Seen, Where};
pub use sync::{Haste, Stale};
pub(super) use trouble::{Trouble, explain};

/// How often a request is repeated that a server put off.
const TRIES: usize = 4;
/// How long a server is left alone that wants to be and does not say how long.
const WAIT: Duration = Duration::from_secs(2);
/// After a refused password nobody tries again for so long: providers lock accounts that do.
const REST_AFTER_REFUSAL: Duration = Duration::from_secs(20);

/// What is kept of an account beside its password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DavSettings {
    /// The server, and where it begins.
    pub(super) base: String,
    /// The user name there; empty where nobody logs in.
    pub(super) user: String,
    /// Where the collections lie.
    pub(super) homes: Vec<String>,
    /// The homes are collections themselves.
    #[serde(default)]
    pub(super) is_alone: bool,
    /// The server may lie in the house: the host named it.
    #[serde(default)]
    pub(super) may_be_inside: bool,
}

impl DavSettings {
    pub(super) fn of(account: &PersonAccount) -> Result<Self, Trouble> {
        serde_json::from_value(account.settings.clone()).map_err(|_unreadable| Trouble::Settings)
    }
}

/// What is kept of a collection beside its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    /// Its address.
    pub(super) href: String,
    /// What it is called.
    pub(super) name: String,
    /// Its colour, as the server wrote it.
    #[serde(default)]
    pub(super) color: Option<String>,
    /// Nothing may be written into it.
    pub(super) is_read_only: bool,
    /// It tells what changed since a token.
    #[serde(default)]
    pub(super) has_tokens: bool,
}

impl Mark {
    pub(super) fn of(collection: &DavCollection) -> Option<Self> {
        serde_json::from_value(collection.settings.clone()).ok()
    }
}

/// The name in rows.
pub(super) fn row_name(holds: Holds) -> &'static str {
    match holds {
        Holds::Events => "events",
        Holds::Contacts => "contacts",
    }
}

fn holds_of(service: Service) -> Option<Holds> {
    match service {
        Service::Caldav | Service::Calendar => Some(Holds::Events),
        Service::Carddav => Some(Holds::Contacts),
        Service::Mail | Service::Homeassistant => None,
    }
}

/// How an account fared lately.
#[derive(Debug, Default)]
struct Slot {
    pinned: Option<Pinned>,
    /// When its collections were listed.
    listed: Option<Instant>,
    /// Until when it is not asked, and why.
    rests: Option<(Instant, Trouble)>,
    pace: Pace,
}

/// How fast a server lets itself be asked.
#[derive(Debug, Default)]
struct Pace {
    /// The least time between two requests.
    gap: Duration,
    /// When the last one was made.
    asked: Option<Instant>,
}

/// Accounts with servers, and the way to them.
pub(super) struct Servers {
    store: Store,
    clock: Clock,
    ca_file: Option<PathBuf>,
    slots: Mutex<HashMap<PersonAccountId, Arc<tokio::sync::Mutex<Slot>>>>,
}

impl std::fmt::Debug for Servers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Servers").finish_non_exhaustive()
    }
}

/// An account's server, for one who asks it. Nobody else does meanwhile.
struct Line<'a> {
    servers: &'a Servers,
    account: &'a PersonAccount,
    slot: OwnedMutexGuard<Slot>,
}

impl Servers {
    pub(super) fn new(store: Store, clock: Clock, ca_file: Option<PathBuf>) -> Self {
        Self {
            store,
            clock,
            ca_file,
            slots: Mutex::default(),
        }
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Lets go of what is known of an account that was changed or removed.
    pub(super) fn forget(&self, id: &PersonAccountId) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        drop(slots.remove(id));
    }

    /// The accounts of a person that hold this.
    pub(super) async fn accounts(&self, actor: &ActorId, holds: Holds) -> Result<Vec<PersonAccount>, StoreError> {
        let mut accounts = self.store.person_accounts(actor, None).await?;
        accounts.retain(|account| holds_of(account.service) == Some(holds));
        Ok(accounts)
    }

    async fn account(&self, actor: &ActorId, id: &PersonAccountId) -> Result<PersonAccount, Trouble> {
        let accounts = self.store.person_accounts(actor, None).await?;
        accounts
            .into_iter()
            .find(|account| account.id == *id)
            .ok_or(Trouble::Gone)
    }

    async fn line<'a>(&'a self, account: &'a PersonAccount) -> Line<'a> {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry(account.id.clone()).or_default())
        };
        Line {
            servers: self,
            account,
            slot: slot.lock_owned().await,
        }
    }

    fn door(&self, base: Url, login: Option<(String, Secret)>, may_be_inside: bool) -> Door {
        Door {
            base,
            login,
            ca_file: self.ca_file.clone(),
            may_be_inside,
            token: None,
            may_be_plain: false,
        }
    }

    async fn pinned(&self, account: &PersonAccount) -> Result<Pinned, Trouble> {
        let settings = DavSettings::of(account)?;
        let base = Url::parse(&settings.base).map_err(|_no_address| Trouble::Settings)?;
        let secret = self.store.person_secret(&account.actor, &account.id).await?;
        let login = secret.map(|secret| (settings.user.clone(), secret));
        if login.is_none() && !settings.user.is_empty() {
            return Err(Trouble::Refused);
        }
        let door = self.door(base, login, settings.may_be_inside);
        Ok(Pinned::new(door, metnos_dav::ANSWER_BYTES_MAX).await?)
    }
}

impl Line<'_> {
    /// Why its server is not asked just now.
    fn rest(&self) -> Option<Trouble> {
        let (until, why) = self.slot.rests.as_ref()?;
        (*until > Instant::now()).then(|| why.clone())
    }

    /// Notes that it failed, so that it is left alone for a while.
    async fn failed(&mut self, trouble: &Trouble) {
        let rest = match trouble {
            Trouble::Busy(wait) => (*wait).min(limits::AGENDA_FEED_FRESH),
            Trouble::Refused => REST_AFTER_REFUSAL,
            Trouble::Pinned(_) | Trouble::Slow | Trouble::Garbled | Trouble::TooMuch | Trouble::Status(_) => {
                limits::AGENDA_REST
            }
            Trouble::Changed
            | Trouble::Gone
            | Trouble::Forbidden
            | Trouble::NoVersion
            | Trouble::Contradicts
            | Trouble::Empty
            | Trouble::Settings
            | Trouble::Store(_) => return,
        };
        self.slot.pinned = None;
        self.slot.rests = Some((Instant::now() + rest, trouble.clone()));
        if matches!(trouble, Trouble::Refused) {
            self.fared(AccountState::Refused).await;
        }
    }

    async fn fared(&self, state: AccountState) {
        let noted = self.servers.store.person_account_fared(&self.account.id, state);
        if self.account.state != state
            && let Err(error) = noted.await
        {
            tracing::warn!(%error, "how an account fares is not noted");
        }
    }

    async fn pinned(&mut self) -> Result<Pinned, Trouble> {
        if let Some(pinned) = &self.slot.pinned {
            return Ok(pinned.clone());
        }
        let pinned = self.servers.pinned(self.account).await?;
        self.slot.pinned = Some(pinned.clone());
        Ok(pinned)
    }

    /// Asks, as often and as fast as the server lets. What comes back is no refusal of the log-in.
    async fn ask(&mut self, request: &Request) -> Result<Said, Trouble> {
        let pinned = self.pinned().await?;
        patiently(&pinned, request, &mut self.slot.pace).await
    }
}

/// Asks until the server answers, within reason; it may ask for time between two requests.
async fn patiently(pinned: &Pinned, request: &Request, pace: &mut Pace) -> Result<Said, Trouble> {
    let mut wait = WAIT;
    for _ in 0..TRIES {
        if let Some(at) = pace.asked {
            tokio::time::sleep_until(at + pace.gap).await;
        }
        pace.asked = Some(Instant::now());
        let said = pinned.ask(&ask_of(request)).await?;
        match said.status {
            401 => return Err(Trouble::Refused),
            429 | 503 => {
                wait = said.retry_after.unwrap_or(WAIT);
                if wait > limits::AGENDA_WAIT_MAX {
                    break;
                }
                pace.gap = pace.gap.max(wait);
            }
            _ => return Ok(said),
        }
    }
    Err(Trouble::Busy(wait))
}

fn ask_of(request: &Request) -> Ask<'_> {
    let mut headers = Vec::new();
    if let Some(depth) = request.depth {
        headers.push(("depth", depth.to_owned()));
    }
    if let Some(kind) = request.content_type {
        headers.push(("content-type", kind.to_owned()));
    }
    match &request.condition {
        // A proxy that packs answers marks versions as weak; for the server itself they are what they were.
        Some(Condition::Version(etag)) => headers.push(("if-match", etag.trim_start_matches("W/").to_owned())),
        Some(Condition::New) => headers.push(("if-none-match", "*".to_owned())),
        None => {}
    }
    Ask {
        method: request.method.as_str(),
        href: &request.href,
        headers,
        body: request.body.clone(),
    }
}

impl From<PinnedError> for Trouble {
    fn from(error: PinnedError) -> Self {
        Self::Pinned(Arc::new(error))
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}
