//! The calendars and address books of a person: folders of `.ics` and `.vcf` files in their home, read within bounds
//! and remembered while nothing in them changes. Called by the families of events and contacts. It writes one file at a
//! time, never over one that somebody changed meanwhile, and follows no link.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use metnos_dav::{Card, Contact, Object};

use crate::config::AgendaConfig;

mod shelf;

pub use shelf::{Leaf, Shelf, ShelfError, version_of};

/// Most people whose calendars are remembered at once.
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

/// What was read of a folder.
#[derive(Clone, Debug)]
pub struct Read<T> {
    /// What could be read.
    pub all: Vec<T>,
    /// Names of files that could not.
    pub broken: Vec<String>,
}

/// What the files of a folder looked like when they were read: name, size and time of each.
type Stamp = Vec<(String, u64, i128)>;

/// What was read of each folder last, and what the folder looked like then.
type Kept<T> = Mutex<HashMap<PathBuf, (Stamp, Arc<Read<T>>)>>;

/// Where calendars and address books lie, and what was read of them last.
#[derive(Debug)]
pub struct Agenda {
    config: AgendaConfig,
    pages: Kept<Page>,
    contacts: Kept<Known>,
}

impl Agenda {
    /// Those of this household.
    pub fn new(config: &AgendaConfig) -> Self {
        Self {
            config: config.clone(),
            pages: Mutex::default(),
            contacts: Mutex::default(),
        }
    }

    /// The calendar of whose home this is.
    pub fn calendar(&self, home: &Path) -> Shelf {
        Shelf::new(home.join(&self.config.calendar), "ics")
    }

    /// Their address book.
    pub fn book(&self, home: &Path) -> Shelf {
        Shelf::new(home.join(&self.config.contacts), "vcf")
    }

    /// All files of a calendar. Reads the disk.
    pub fn pages(&self, home: &Path) -> Result<Arc<Read<Page>>, ShelfError> {
        remembered(&self.pages, &self.calendar(home), |leaf| {
            let object = Object::parse(&leaf.text).ok()?;
            Some(vec![Page {
                leaf: leaf.clone(),
                object: Arc::new(object),
            }])
        })
    }

    /// Everybody in an address book. Reads the disk.
    pub fn contacts(&self, home: &Path) -> Result<Arc<Read<Known>>, ShelfError> {
        remembered(&self.contacts, &self.book(home), |leaf| {
            let cards = Card::parse_all(&leaf.text).ok()?;
            let one = |(index, card): (usize, &Card)| Known {
                leaf: leaf.clone(),
                index,
                contact: card.contact(),
            };
            Some(cards.iter().enumerate().map(one).collect())
        })
    }
}

fn remembered<T>(
    kept: &Kept<T>,
    shelf: &Shelf,
    read: impl Fn(&Leaf) -> Option<Vec<T>>,
) -> Result<Arc<Read<T>>, ShelfError> {
    let stamp = shelf.stamp()?;
    let folder = shelf.folder().to_owned();
    let lock = || kept.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, all)) = lock().get(&folder)
        && *known == stamp
    {
        return Ok(Arc::clone(all));
    }
    let mut fresh = Read {
        all: Vec::new(),
        broken: Vec::new(),
    };
    for leaf in shelf.read_all()? {
        match read(&leaf) {
            Some(found) => fresh.all.extend(found),
            None => fresh.broken.push(leaf.name),
        }
    }
    let fresh = Arc::new(fresh);
    let mut kept = lock();
    if kept.len() >= KEPT_MAX {
        kept.clear();
    }
    kept.insert(folder, (stamp, Arc::clone(&fresh)));
    Ok(fresh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_on_disk_is_read_again_and_what_is_broken_is_named() {
        let home = tempfile::tempdir().unwrap();
        let agenda = Agenda::new(&AgendaConfig::default());
        assert!(
            agenda.pages(home.path()).unwrap().all.is_empty(),
            "no folder is an empty calendar"
        );
        let shelf = agenda.calendar(home.path());
        let text =
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261201T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
        shelf.put("a.ics", text, None).unwrap();
        shelf.put("odd.ics", "no calendar", None).unwrap();
        let read = agenda.pages(home.path()).unwrap();
        assert_eq!(
            (read.all.len(), read.broken.as_slice()),
            (1, ["odd.ics".to_owned()].as_slice())
        );
        assert!(
            Arc::ptr_eq(&read, &agenda.pages(home.path()).unwrap()),
            "nothing changed"
        );
        shelf.remove("odd.ics", &version_of("no calendar")).unwrap();
        assert!(agenda.pages(home.path()).unwrap().broken.is_empty());
    }
}
