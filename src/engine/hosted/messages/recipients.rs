//! Whom a mail goes to: addresses as they are written, and names as the one person who is called so, in the address
//! book or among those an account wrote to or heard from. Used by `send`; it guesses between nobody.

use std::collections::BTreeMap;

use super::{
    super::{Host, several_called},
    find,
};
use crate::{
    domain::{
        account::PersonAccount,
        failure::{ErrorClass, ToolError},
        message::Message,
    },
    executors::Call,
    mail::{Person, is_address},
};

impl Host<'_> {
    /// The people of an argument: addresses as they stand, names as the one person this account knows by them.
    pub(super) async fn people(
        &self,
        account: &PersonAccount,
        call: &Call,
        name: &str,
    ) -> Result<Vec<Person>, ToolError> {
        let mut people = Vec::new();
        for part in call.names(name)? {
            people.push(match as_written(&part) {
                Some(person) => person,
                None => self.known_as(account, call, &part).await?,
            });
        }
        Ok(people)
    }

    /// Who is called so: in the address book, else among those this account wrote to or heard from. Nobody is guessed:
    /// of two that are called so neither is taken.
    async fn known_as(&self, account: &PersonAccount, call: &Call, name: &str) -> Result<Person, ToolError> {
        let in_book = Box::pin(self.families.called(self, call, name)).await?.into_iter();
        let written_to = in_book.filter_map(|called| {
            Some(Person {
                name: Some(called.name),
                address: called.emails.into_iter().next()?,
            })
        });
        let in_book: Vec<Person> = written_to.collect();
        if !in_book.is_empty() {
            return only_one(name, in_book);
        }
        let known = self.mail.people_known(account).await?;
        let wanted = name.to_lowercase();
        let fits = |person: &&Person| {
            let shown = person.name.as_deref().unwrap_or_default().to_lowercase();
            let local = person.address.split('@').next().unwrap_or_default().to_lowercase();
            let parts = |text: &str| text.split([' ', '.', '_', '-']).any(|part| part == wanted);
            shown == wanted || local == wanted || parts(&shown) || parts(&local)
        };
        only_one(name, known.iter().filter(fits).cloned().collect())
    }
}

/// The one of these people who is meant by a name, each address counted once.
fn only_one(name: &str, people: Vec<Person>) -> Result<Person, ToolError> {
    let mut found: BTreeMap<String, Person> = BTreeMap::new();
    for person in people {
        found.entry(person.address.to_lowercase()).or_insert(person);
    }
    match found.len() {
        0 => {
            let message = Message::new("mail-nobody-called").with("name", name);
            Err(ToolError::new(ErrorClass::NeedsActionTarget, message))
        }
        1 => Ok(found.into_values().next().unwrap_or_default()),
        _ => Err(several_called(name, found.values().map(find::shown))),
    }
}

/// `Anna <anna@x.it>` or an address alone; `None` of a mere name.
fn as_written(text: &str) -> Option<Person> {
    if is_address(text) {
        return Some(Person {
            name: None,
            address: text.to_owned(),
        });
    }
    let (name, rest) = text.split_once('<')?;
    let address = rest.trim_end().strip_suffix('>')?.trim();
    let name = name.trim().trim_matches('"').trim();
    is_address(address).then(|| Person {
        name: (!name.is_empty()).then(|| name.to_owned()),
        address: address.to_owned(),
    })
}

/// As the card and the plan have them; a name that holds a comma stands without it.
pub(super) fn listed(people: &[Person]) -> String {
    let plain = |person: &Person| Person {
        name: person
            .name
            .as_ref()
            .map(|name| name.replace([',', ';', '<', '>', '"'], " ")),
        address: person.address.clone(),
    };
    people
        .iter()
        .map(|person| find::shown(&plain(person)))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(name: Option<&str>, address: &str) -> Person {
        Person {
            name: name.map(str::to_owned),
            address: address.to_owned(),
        }
    }

    #[test]
    fn recipients_are_read_as_they_are_listed() {
        let people = [person(Some("Rossi, Anna"), "anna@x.it"), person(None, "b@y.it")];
        let text = listed(&people);
        let read: Vec<Person> = text.split(',').filter_map(|part| as_written(part.trim())).collect();
        assert_eq!(
            read.iter().map(|person| person.address.as_str()).collect::<Vec<_>>(),
            ["anna@x.it", "b@y.it"]
        );
        assert_eq!(as_written("Anna"), None);
    }
}
