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
    },
    store::{Store, StoreError, dav::DavItem, person_accounts::NewPersonAccount},
};

mod servers;
mod shelf;

use servers::Servers;

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
#[derive(Clone, Debug)]
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
        let shelf = self.shelf(owner, holds);
        let stamp = Stamp::Folder(shelf.stamp()?);
        let mut parts = vec![match known(kept, shelf.folder(), &stamp) {
            Some(part) => part,
            None => remember(kept, shelf.folder(), stamp, sorted(&shelf.read_all()?, &read)),
        }];
        let Some(servers) = &self.servers else {
            return Ok(Read { parts });
        };
        let store = servers.store();
        let failed = |error: StoreError| {
            ToolError::new(ErrorClass::Internal, Message::new("store-failed")).with_detail(error.to_string())
        };
        let collections = store.dav_collections(&owner.actor, servers::row_name(holds)).await;
        for collection in collections.map_err(failed)? {
            let (place, stamp) = (PathBuf::from(&collection.id), Stamp::Revision(collection.revision));
            if let Some(part) = known(kept, &place, &stamp) {
                parts.push(part);
                continue;
            }
            let items = store.dav_items(&owner.actor, &collection.id).await.map_err(failed)?;
            let leaf = |item: DavItem| servers::leaf(&format!("{}/{}", collection.id, item.name), item);
            let leaves: Vec<Leaf> = items.into_iter().map(leaf).collect();
            parts.push(remember(kept, &place, stamp, sorted(&leaves, &read)));
        }
        Ok(Read { parts })
    }

    /// Asks the servers of a person what became different; which could not be asked. Nothing where there are none.
    pub async fn refresh(&self, owner: &Owner, holds: Holds, haste: Haste) -> Vec<Stale> {
        match &self.servers {
            Some(servers) => servers.refresh(&owner.actor, holds, haste).await,
            None => Vec::new(),
        }
    }

    /// Asks them in the background, for who only may need it, and waits for them a moment.
    pub async fn glance(self: &Arc<Self>, owner: &Owner, holds: Holds) {
        let Some(servers) = &self.servers else { return };
        if !servers.is_old(&owner.actor, holds).await {
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

    /// What something new is called: in the first collection on a server that takes it, else in the folder.
    pub async fn place_for(&self, owner: &Owner, holds: Holds, name: &str) -> String {
        let there = match &self.servers {
            Some(servers) => servers.place_for(&owner.actor, holds, name).await,
            None => None,
        };
        there.unwrap_or_else(|| name.to_owned())
    }

    /// One file as it is now; `None` where it is gone. On a server it is asked for.
    pub async fn read(&self, owner: &Owner, holds: Holds, name: &str) -> Result<Option<Leaf>, AgendaError> {
        match self.server_of(name) {
            Some(servers) => Ok(servers.read_now(&owner.actor, holds, name).await?),
            None => Ok(self.shelf(owner, holds).read(name)?),
        }
    }

    /// Writes a file that is in this version, or that is not there where none is named. Returns it as it is there then.
    pub async fn put(
        &self,
        owner: &Owner,
        holds: Holds,
        (name, text): (&str, &str),
        expected: Option<&str>,
    ) -> Result<Leaf, AgendaError> {
        if let Some(servers) = self.server_of(name) {
            return Ok(servers.put(&owner.actor, holds, name, text, expected).await?);
        }
        let version = self.shelf(owner, holds).put(name, text, expected)?;
        Ok(Leaf {
            name: name.to_owned(),
            text: text.to_owned(),
            version,
        })
    }

    /// Removes a file that is in this version.
    pub async fn remove(&self, owner: &Owner, holds: Holds, name: &str, expected: &str) -> Result<(), AgendaError> {
        match self.server_of(name) {
            Some(servers) => Ok(servers.remove(&owner.actor, holds, name, expected).await?),
            None => Ok(self.shelf(owner, holds).remove(name, expected)?),
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
            None => part.broken.push(leaf.name.clone()),
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
