//! The calendars and address books of a person: folders of `.ics` and `.vcf` files in their home, and copies of those
//! on servers; read within bounds and remembered while nothing in them changes. Called by the families of events and
//! contacts, by dialogs and the command line. It writes one file at a time, never over one that somebody changed
//! meanwhile, and follows no link. A file on a server has its collection in its name: `collection/file`.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use metnos_dav::{Card, Contact, Object};
use serde_json::Value;
use thiserror::Error;

use crate::{
    clock::Clock,
    config::{AgendaConfig, Secret},
    domain::{
        account::{PersonAccount, Service},
        failure::{ErrorClass, ToolError},
        ids::{ActorId, PersonAccountId},
        limits::AGENDA_GLANCE_TIME,
        message::Message,
        share::Lent,
    },
    store::{Store, dav::DavItem, person_accounts::NewPersonAccount},
};

mod lent;
mod servers;
mod shelf;

use lent::Use;
use servers::Servers;

pub use lent::Named;
pub use metnos_dav::server::Holds;
pub use servers::{Haste, Seen, Stale, Where};
pub use shelf::{Leaf, Shelf, ShelfError, version_of};

/// Most folders and collections that are remembered at once.
const KEPT_MAX: usize = 64;

/// One file of a calendar, read.
#[derive(Clone, Debug)]
pub struct Page {
    /// The file.
    pub leaf: Leaf,
    /// What is in it.
    pub object: Arc<Object>,
}

/// One contact, and where it stands.
#[derive(Clone, Debug)]
pub struct Known {
    /// The file.
    pub leaf: Leaf,
    /// Which card of it.
    pub index: usize,
    /// What it says.
    pub contact: Contact,
}

/// What was read of one folder or collection.
#[derive(Clone, Debug)]
pub struct Part<T> {
    /// What could be read.
    pub all: Vec<T>,
    /// Names of files that could not.
    pub broken: Vec<String>,
}

/// What was read of all of a person's.
#[derive(Clone, Debug)]
pub struct Read<T> {
    parts: Vec<Arc<Part<T>>>,
}

impl<T> Read<T> {
    /// What could be read: the folder first.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        self.parts.iter().flat_map(|part| &part.all)
    }

    /// Names of files that could not.
    pub fn broken(&self) -> Vec<String> {
        self.parts.iter().flat_map(|part| part.broken.iter().cloned()).collect()
    }
}

/// Whose things are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Who.
    pub actor: ActorId,
    /// Their home.
    pub home: PathBuf,
}

/// Why something could not be read or changed.
#[derive(Debug, Error)]
pub enum AgendaError {
    /// In a folder.
    #[error(transparent)]
    Disk(#[from] ShelfError),
    /// On a server; already in words.
    #[error("{}", .0.detail.as_deref().unwrap_or("the server refused"))]
    Server(Box<ToolError>),
}

impl From<ToolError> for AgendaError {
    fn from(error: ToolError) -> Self {
        Self::Server(Box::new(error))
    }
}

/// What a folder or a collection looked like when it was read: of a folder name, size and time of each file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stamp {
    Folder(Vec<(String, u64, i128)>),
    Revision(i64),
}

/// What was read of each folder and collection last, and what it looked like then.
type Kept<T> = Mutex<HashMap<PathBuf, (Stamp, Arc<Part<T>>)>>;

/// Where calendars and address books lie, and what was read of them last.
#[derive(Debug)]
pub struct Agenda {
    config: AgendaConfig,
    servers: Option<Servers>,
    pages: Kept<Page>,
    contacts: Kept<Known>,
}

impl Agenda {
    /// Those in folders of this household, and none on servers.
    pub fn new(config: &AgendaConfig) -> Self {
        Self {
            config: config.clone(),
            servers: None,
            pages: Mutex::default(),
            contacts: Mutex::default(),
        }
    }

    /// Those on servers, too.
    #[must_use]
    pub fn with_servers(self, store: Store, clock: Clock) -> Self {
        let ca_file = self.config.ca_file.clone();
        Self {
            servers: Some(Servers::new(store, clock, ca_file)),
            ..self
        }
    }

    fn shelf(&self, owner: &Owner, holds: Holds) -> Shelf {
        match holds {
            Holds::Events => Shelf::new(owner.home.join(&self.config.calendar), "ics"),
            Holds::Contacts => Shelf::new(owner.home.join(&self.config.contacts), "vcf"),
        }
    }

    /// Everything in the calendars of a person, as it lies at hand. Reads the disk.
    pub async fn pages(&self, owner: &Owner) -> Result<Read<Page>, AgendaError> {
        self.read_all(owner, Holds::Events, &self.pages, |leaf| {
            let object = Object::parse(&leaf.text).ok()?;
            Some(vec![Page {
                leaf: leaf.clone(),
                object: Arc::new(object),
            }])
        })
        .await
    }

    /// Everybody in the address books of a person, as they lie at hand. Reads the disk.
    pub async fn contacts(&self, owner: &Owner) -> Result<Read<Known>, AgendaError> {
        self.read_all(owner, Holds::Contacts, &self.contacts, |leaf| {
            let cards = Card::parse_all(&leaf.text).ok()?;
            let one = |(index, card): (usize, &Card)| Known {
                leaf: leaf.clone(),
                index,
                contact: card.contact(),
            };
            Some(cards.iter().enumerate().map(one).collect())
        })
        .await
    }

    async fn read_all<T>(
        &self,
        owner: &Owner,
        holds: Holds,
        kept: &Kept<T>,
        read: impl Fn(&Leaf) -> Option<Vec<T>> + Send + Sync,
    ) -> Result<Read<T>, AgendaError> {
        let mut parts = self.parts(owner, holds, kept, None, &read).await?;
        for lent in self.lent(owner, holds).await? {
            let lender = lent::lender(&lent);
            parts.extend(self.parts(&lender, holds, kept, Some(&lent), &read).await?);
        }
        Ok(Read { parts })
    }

    /// What one person has; what they lend, where it is for another.
    async fn parts<T>(
        &self,
        owner: &Owner,
        holds: Holds,
        kept: &Kept<T>,
        lent: Option<&Lent>,
        read: &(impl Fn(&Leaf) -> Option<Vec<T>> + Send + Sync),
    ) -> Result<Vec<Arc<Part<T>>>, AgendaError> {
        let prefix = lent.map(|_| lent::prefix(owner)).unwrap_or_default();
        let as_named = |leaf: Leaf| Leaf {
            name: format!("{prefix}{}", leaf.name),
            whose: lent.map(|lent| lent.name.clone()),
            ..leaf
        };
        let place_of = |place: &Path| PathBuf::from(format!("{prefix}{}", place.display()));
        let only = lent.map(|lent| lent.place.as_str()).filter(|place| !place.is_empty());
        let mut parts = Vec::new();
        if only.is_none() {
            let shelf = self.shelf(owner, holds);
            let (place, stamp) = (place_of(shelf.folder()), Stamp::Folder(shelf.stamp()?));
            parts.push(match known(kept, &place, &stamp) {
                Some(part) => part,
                None => {
                    let leaves: Vec<Leaf> = shelf.read_all()?.into_iter().map(as_named).collect();
                    remember(kept, &place, stamp, sorted(&leaves, read))
                }
            });
        }
        let Some(servers) = &self.servers else {
            return Ok(parts);
        };
        let store = servers.store();
        let collections = store.dav_collections(&owner.actor, servers::row_name(holds)).await;
        for collection in collections.map_err(ToolError::from)? {
            if only.is_some_and(|only| only != collection.id) {
                continue;
            }
            let (place, stamp) = (
                place_of(Path::new(&collection.id)),
                Stamp::Revision(collection.revision),
            );
            if let Some(part) = known(kept, &place, &stamp) {
                parts.push(part);
                continue;
            }
            let items = store.dav_items(&owner.actor, &collection.id).await;
            let leaf = |item: DavItem| as_named(servers::leaf(&format!("{}/{}", collection.id, item.name), item));
            let leaves: Vec<Leaf> = items.map_err(ToolError::from)?.into_iter().map(leaf).collect();
            parts.push(remember(kept, &place, stamp, sorted(&leaves, read)));
        }
        Ok(parts)
    }

    /// Asks the servers of a person what became different; which could not be asked. Nothing where there are none.
    pub async fn refresh(&self, owner: &Owner, holds: Holds, haste: Haste) -> Vec<Stale> {
        let Some(servers) = &self.servers else {
            return Vec::new();
        };
        let mut stale = servers.refresh(&owner.actor, holds, haste).await;
        // What cannot be looked up is told by whoever reads next.
        for lent in self.lent(owner, holds).await.unwrap_or_default() {
            stale.extend(servers.refresh(&lent.owner, holds, haste).await);
        }
        stale
    }

    /// Asks them in the background, for who only may need it, and waits for them a moment.
    pub async fn glance(self: &Arc<Self>, owner: &Owner, holds: Holds) {
        let Some(servers) = &self.servers else { return };
        let mut is_old = servers.is_old(&owner.actor, holds).await;
        for lent in self.lent(owner, holds).await.unwrap_or_default() {
            is_old = is_old || servers.is_old(&lent.owner, holds).await;
        }
        if !is_old {
            return;
        }
        let (agenda, owner) = (Arc::clone(self), owner.clone());
        let asked = tokio::spawn(async move { agenda.refresh(&owner, holds, Haste::Look).await });
        match tokio::time::timeout(AGENDA_GLANCE_TIME, asked).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::error!(%error, "a look at calendars ended in the middle"),
            Err(_elapsed) => tracing::debug!("a look at calendars goes on behind the turn"),
        }
    }

    /// One file as it is now; `None` where it is gone. On a server it is asked for.
    pub async fn read(&self, owner: &Owner, holds: Holds, name: &str) -> Result<Option<Leaf>, AgendaError> {
        let (owner, bare) = self.holder(owner, holds, name, Use::Read).await?;
        let found = match self.server_of(&bare) {
            Some(servers) => servers.read_now(&owner.actor, holds, &bare).await?,
            None => self.shelf(&owner, holds).read(&bare)?,
        };
        let name = name.to_owned();
        Ok(found.map(|leaf| Leaf { name, ..leaf }))
    }

    /// Writes a file that is in this version, or that is not there where none is named. Returns it as it is there then.
    pub async fn put(
        &self,
        owner: &Owner,
        holds: Holds,
        (name, text): (&str, &str),
        expected: Option<&str>,
    ) -> Result<Leaf, AgendaError> {
        let (owner, bare) = self.holder(owner, holds, name, Use::Change).await?;
        let name = name.to_owned();
        if let Some(servers) = self.server_of(&bare) {
            let leaf = servers.put(&owner.actor, holds, &bare, text, expected).await?;
            return Ok(Leaf { name, ..leaf });
        }
        let version = self.shelf(&owner, holds).put(&bare, text, expected)?;
        Ok(Leaf {
            name,
            text: text.to_owned(),
            version,
            whose: None,
        })
    }

    /// Removes a file that is in this version.
    pub async fn remove(&self, owner: &Owner, holds: Holds, name: &str, expected: &str) -> Result<(), AgendaError> {
        let (owner, bare) = self.holder(owner, holds, name, Use::Change).await?;
        match self.server_of(&bare) {
            Some(servers) => Ok(servers.remove(&owner.actor, holds, &bare, expected).await?),
            None => Ok(self.shelf(&owner, holds).remove(&bare, expected)?),
        }
    }

    /// Files of folders have no folder in their names.
    fn server_of(&self, name: &str) -> Option<&Servers> {
        self.servers.as_ref().filter(|_| name.contains('/'))
    }

    /// Where an address has its calendars or its address book. Only who owns the house may name a server in it.
    pub async fn find(&self, service: Service, address: &str, is_host: bool) -> Result<Where, ToolError> {
        self.servers()?.find(service, address, is_host).await
    }

    /// Tries an account out; as it is to be kept if it works.
    pub async fn try_out(
        &self,
        (id, service): (PersonAccountId, Service),
        (address, user): (&str, &str),
        servers: &Value,
        secret: Secret,
    ) -> Result<NewPersonAccount, ToolError> {
        let who = (address, user);
        self.servers()?.try_out(id, service, who, servers, secret).await
    }

    /// Looks at an account.
    pub async fn check(&self, account: &PersonAccount) -> Result<Seen, ToolError> {
        Ok(self.servers()?.check(account).await)
    }

    /// Lets go of what is open of an account that was changed or removed.
    pub fn forget(&self, id: &PersonAccountId) {
        if let Some(servers) = &self.servers {
            servers.forget(id);
        }
    }

    fn servers(&self) -> Result<&Servers, ToolError> {
        let none = || ToolError::new(ErrorClass::CapabilityMissing, Message::new("login-not-yet"));
        self.servers.as_ref().ok_or_else(none)
    }
}

fn known<T>(kept: &Kept<T>, place: &Path, stamp: &Stamp) -> Option<Arc<Part<T>>> {
    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let (then, part) = kept.get(place)?;
    (then == stamp).then(|| Arc::clone(part))
}

fn remember<T>(kept: &Kept<T>, place: &Path, stamp: Stamp, part: Part<T>) -> Arc<Part<T>> {
    let part = Arc::new(part);
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= KEPT_MAX {
        kept.clear();
    }
    kept.insert(place.to_owned(), (stamp, Arc::clone(&part)));
    part
}

fn sorted<T>(leaves: &[Leaf], read: impl Fn(&Leaf) -> Option<Vec<T>>) -> Part<T> {
    let mut part = Part {
        all: Vec::new(),
        broken: Vec::new(),
    };
    for leaf in leaves {
        match read(leaf) {
            Some(found) => part.all.extend(found),
            None => part.broken.push(lent::bare(&leaf.name).to_owned()),
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_changes_on_disk_is_read_again_and_what_is_broken_is_named() {
        let home = tempfile::tempdir().unwrap();
        let agenda = Agenda::new(&AgendaConfig::default());
        let owner = Owner {
            actor: ActorId::from("anna"),
            home: home.path().to_owned(),
        };
        let pages = async || agenda.pages(&owner).await.unwrap();
        assert_eq!(pages().await.all().count(), 0, "no folder is an empty calendar");
        let shelf = agenda.shelf(&owner, Holds::Events);
        let text =
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261201T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
        shelf.put("a.ics", text, None).unwrap();
        shelf.put("odd.ics", "no calendar", None).unwrap();
        let read = pages().await;
        assert_eq!(read.all().count(), 1);
        assert_eq!(read.broken(), ["odd.ics"]);
        assert!(Arc::ptr_eq(&read.parts[0], &pages().await.parts[0]), "nothing changed");
        shelf.remove("odd.ics", &version_of("no calendar")).unwrap();
        assert_eq!(pages().await.broken(), [""; 0]);
    }
}
