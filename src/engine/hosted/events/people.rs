//! Who is at an event: whom the words of a call mean, and which events somebody is at. Used by `look`, `change` and
//! `things`. It tells nobody anything, and guesses between nobody.

use metnos_dav::Attendee;

use super::{super::several_called, Desk, Found};
use crate::{
    domain::{failure::ToolError, fold::fold},
    engine::families::Called,
};

impl Desk<'_> {
    /// Those whom the argument `with` names, as they are noted: by an address, as the address book has them, or only by
    /// their name.
    pub(super) async fn attendees(&self) -> Result<Vec<Attendee>, ToolError> {
        let mut people = Vec::new();
        for name in self.call.names("with")? {
            let called = self.called(&name).await?;
            people.push(match called.as_slice() {
                _ if name.contains('@') => Attendee {
                    address: name,
                    ..Attendee::default()
                },
                [] => Attendee {
                    name,
                    ..Attendee::default()
                },
                [one] => Attendee {
                    name: one.name.clone(),
                    address: one.emails.first().cloned().unwrap_or_default(),
                },
                several => return Err(several_called(&name, several.iter().map(Called::shown))),
            });
        }
        Ok(people)
    }

    /// Which events somebody is at whom the argument `with` names; `None` where it names nobody.
    pub(super) async fn company(&self) -> Result<Option<Company>, ToolError> {
        let names = self.call.names("with")?;
        if names.is_empty() {
            return Ok(None);
        }
        let mut company = Company { each: Vec::new() };
        for name in names {
            let called = self.called(&name).await?;
            let emails = called.iter().flat_map(|one| &one.emails);
            company.each.push(Guest {
                words: words(&name),
                emails: emails.map(|email| email.to_lowercase()).collect(),
            });
        }
        Ok(Some(company))
    }

    async fn called(&self, name: &str) -> Result<Vec<Called>, ToolError> {
        Box::pin(self.host.families.called(self.host, self.call, name)).await
    }
}

/// People who are looked for; an event has to have each of them.
pub(super) struct Company {
    each: Vec<Guest>,
}

struct Guest {
    /// The words of the name, folded.
    words: Vec<String>,
    /// Addresses the address book has for it.
    emails: Vec<String>,
}

impl Company {
    /// Whether all of them are there, or are named in what it is called.
    pub(super) fn is_at(&self, one: &Found) -> bool {
        let title = words(&one.summary);
        self.each.iter().all(|guest| {
            let is_named = |known: &[String]| guest.words.iter().all(|word| known.contains(word));
            let is_there = |who: &Attendee| {
                let address = who.address.to_lowercase();
                guest.emails.contains(&address) || guest.words == [address.as_str()] || is_named(&named(who))
            };
            is_named(&title) || one.people.iter().any(is_there)
        })
    }
}

/// The words somebody is called by: of their name, else of what stands before the @ of their address.
pub(super) fn named(who: &Attendee) -> Vec<String> {
    if who.name.is_empty() {
        words(who.address.split('@').next().unwrap_or_default())
    } else {
        words(&who.name)
    }
}

/// The words of a name, folded; an address is one.
fn words(text: &str) -> Vec<String> {
    let folded = fold(text.trim());
    if folded.contains('@') {
        return vec![folded];
    }
    let words = folded.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Everybody in one line, for who reads it.
pub(super) fn shown(people: &[Attendee]) -> String {
    let one = |who: &Attendee| {
        if who.name.is_empty() {
            who.address.clone()
        } else {
            who.name.clone()
        }
    };
    let all: Vec<String> = people.iter().map(one).filter(|name| !name.is_empty()).collect();
    all.join(", ")
}
