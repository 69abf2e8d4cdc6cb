//! The executors of address books: who somebody is, how they are reached, when they were born. A family of
//! `engine::families`. It sees the address book of the person who asks and nobody else's, and what stands in it is
//! never more than data.

use std::sync::Arc;

use jiff::{Zoned, civil::Date};
use metnos_dav::{Birthday, Value as Entry};
use serde_json::{Value, json};

use super::{
    Host,
    events::{failed, owner_of, stale_note},
};
use crate::{
    agenda::{Agenda, Haste, Holds, Known, Owner, Read, Stale},
    domain::{
        failure::{ErrorClass, ToolError},
        fold::fold,
        ids::ExecutorName,
        limits::AGENDA_SHOWN_MAX,
        message::Message,
        run::ToolResult,
    },
    engine::{
        families::{Called, Calling, Day, Family, Knowing, Naming, Place, Running, Scene, Telling},
        things::Resolver,
    },
    executors::Call,
    language::Language,
};

/// What is put in, changed and taken out.
mod change;
/// Which of them some words mean.
mod things;

/// The address books of a household.
#[derive(Clone, Debug)]
pub struct Contacts {
    agenda: Arc<Agenda>,
}

impl Contacts {
    /// Those kept here.
    pub fn new(agenda: Arc<Agenda>) -> Self {
        Self { agenda }
    }
}

impl Family for Contacts {
    fn executors(&self) -> &'static [&'static str] {
        &[
            "find_contacts",
            "read_contacts",
            "create_contacts",
            "set_contacts",
            "delete_contacts",
        ]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        Box::pin(async move {
            let haste = match name.as_str() {
                "find_contacts" | "read_contacts" => Haste::Look,
                _ => Haste::Change,
            };
            let book = Book::of(&self.agenda, host, call, haste).await;
            match name.as_str() {
                "find_contacts" => book.find_contacts().await,
                "read_contacts" => book.read_contacts().await,
                "create_contacts" => book.create_contacts().await,
                "set_contacts" => book.set_contacts().await,
                _ => book.delete_contacts().await,
            }
        })
    }

    fn names<'a>(&'a self, host: &'a Host<'a>, _name: &'a ExecutorName, call: &'a Call) -> Naming<'a> {
        Box::pin(async move {
            let book = Book {
                agenda: &self.agenda,
                owner: owner_of(call),
                language: host.language,
                call,
                stale: Vec::new(),
            };
            let known = book.meant().await.ok();
            // A birthday is shown as the day that was understood.
            let born = book.birthday().ok().flatten();
            known.iter().map(label).chain(born.as_ref().map(day_of)).collect()
        })
    }

    fn called<'a>(&'a self, _host: &'a Host<'a>, call: &'a Call, name: &'a str) -> Calling<'a> {
        Box::pin(async move {
            let owner = owner_of(call);
            self.agenda.glance(&owner, Holds::Contacts).await;
            let all = self.agenda.contacts(&owner).await.map_err(failed)?;
            Ok(called(&all, name))
        })
    }

    fn day<'a>(&'a self, host: &'a Host<'a>, call: &'a Call, day: Date) -> Telling<'a> {
        Box::pin(async move {
            let book = Book::of(&self.agenda, host, call, Haste::Look).await;
            book.of_day(day).await
        })
    }

    fn things<'a>(&'a self, scene: Scene<'a>) -> Knowing<'a> {
        Box::pin(async move {
            let owner = Owner {
                actor: scene.turn.actor.id.clone(),
                home: scene.root.clone(),
            };
            self.agenda.glance(&owner, Holds::Contacts).await;
            let people: Option<Box<dyn Resolver + 'a>> = match things::People::of(&self.agenda, &owner, &scene).await {
                Ok(people) => Some(Box::new(people)),
                Err(error) => {
                    tracing::warn!(%error, "an address book cannot be read");
                    None
                }
            };
            people
        })
    }
}

/// One call, beside the address book it is about.
struct Book<'a> {
    agenda: &'a Agenda,
    owner: Owner,
    language: &'a Language,
    call: &'a Call,
    /// Servers that could not be asked just now.
    stale: Vec<Stale>,
}

/// A contact as executors name it: its file, and which card of it.
fn id_of(known: &Known) -> String {
    format!("{}#{}", known.leaf.name, known.index)
}

/// What tells one from another of the same name.
/// A birthday on a card: with its year where that is known.
fn day_of(born: &Birthday) -> String {
    let day = format!("{:02}-{:02}", born.month, born.day);
    born.year.map_or(day.clone(), |year| format!("{year:04}-{day}"))
}

fn label(known: &Known) -> String {
    let contact = &known.contact;
    let more = contact
        .roles
        .first()
        .or_else(|| contact.phones.first().map(|phone| &phone.text))
        .or_else(|| contact.emails.first().map(|email| &email.text));
    match more {
        Some(more) => format!("{} · {more}", contact.name),
        None => contact.name.clone(),
    }
}

/// Everybody whom a name stands for: those it names wholly, as they are called or by what they do, else those of whose
/// name it is a part.
fn called(all: &Read<Known>, name: &str) -> Vec<Called> {
    let name = fold(name.trim());
    let wanted: Vec<&str> = name.split_whitespace().collect();
    let is_wholly = |known: &&Known| {
        let contact = &known.contact;
        let mut names = std::iter::once(&contact.name)
            .chain(&contact.nicknames)
            .chain(&contact.roles);
        names.any(|own| fold(own.trim()) == name)
    };
    let is_partly = |known: &&Known| {
        let whole = fold(&known.contact.name);
        let parts: Vec<&str> = whole.split(|letter: char| !letter.is_alphanumeric()).collect();
        !wanted.is_empty() && wanted.iter().all(|word| parts.contains(word))
    };
    let mut found: Vec<&Known> = all.all().filter(is_wholly).collect();
    if found.is_empty() {
        found = all.all().filter(is_partly).collect();
    }
    let one = |known: &&Known| Called {
        name: known.contact.name.clone(),
        emails: known.contact.emails.iter().map(|email| email.text.clone()).collect(),
    };
    found.iter().map(one).collect()
}

impl<'a> Book<'a> {
    /// The book of who calls, as new as it has to be.
    async fn of(agenda: &'a Agenda, host: &Host<'a>, call: &'a Call, haste: Haste) -> Self {
        let owner = owner_of(call);
        let stale = agenda.refresh(&owner, Holds::Contacts, haste).await;
        Self {
            agenda,
            owner,
            language: host.language,
            call,
            stale,
        }
    }
}

impl Book<'_> {
    fn now(&self) -> &Zoned {
        &self.call.context.now
    }

    async fn all(&self) -> Result<Read<Known>, ToolError> {
        self.agenda.contacts(&self.owner).await.map_err(failed)
    }

    async fn find_contacts(&self) -> Result<ToolResult, ToolError> {
        let all = self.all().await?;
        let query = self.call.optional_text("query")?.map(fold);
        let ids = match self.call.args.get("contact") {
            Some(_) => Some(self.call.texts("contact")?),
            None => None,
        };
        let is_one = |known: &Known| {
            ids.as_ref()
                .is_none_or(|ids| ids.contains(&id_of(known)) || ids.contains(&label(known)))
        };
        let is_meant = |known: &&Known| is_one(known) && query.as_ref().is_none_or(|query| says(known, query));
        let mut found: Vec<&Known> = all.all().filter(is_meant).collect();
        found.sort_by_key(|known| fold(&known.contact.name));
        if self.call.flag("birthdays", false)? {
            return Ok(self.birthdays(&found, self.call.count("max_results")?));
        }
        let count = found.len();
        found.truncate(AGENDA_SHOWN_MAX);
        let entries: Vec<Value> = found.iter().map(|known| self.entry(known, None)).collect();
        let mut body = super::fields(json!({"used": entries.len(), "available_total": count, "entries": entries}));
        if count == 0 {
            body.insert("empty".to_owned(), json!(self.nobody()?));
        }
        let broken = all.broken();
        if let Some(note) = stale_note(&self.stale, self.now()) {
            body.insert("note".to_owned(), json!(note));
        } else if !broken.is_empty() {
            let note = Message::new("events-note-broken").with("names", broken.join(", "));
            body.insert("note".to_owned(), json!(note));
        }
        Ok(ToolResult::ok(body))
    }

    /// Whose birthday comes next, the nearest first; those on one day are one.
    fn birthdays(&self, among: &[&Known], most: Option<usize>) -> ToolResult {
        let today = self.now().date();
        let mut next: Vec<(Date, &Known)> = among
            .iter()
            .filter_map(|known| Some((known.contact.birthday?.next(today)?.0, *known)))
            .collect();
        next.sort_by_key(|(day, known)| (*day, fold(&known.contact.name)));
        let most = most.unwrap_or(AGENDA_SHOWN_MAX).min(AGENDA_SHOWN_MAX);
        let last = next.get(most.saturating_sub(1)).map(|(day, _)| *day);
        next.retain(|(day, _)| last.is_none_or(|last| *day <= last));
        let entries: Vec<Value> = next.iter().map(|(day, known)| self.entry(known, Some(*day))).collect();
        let mut body = super::fields(json!({"used": entries.len(), "entries": entries}));
        if entries.is_empty() {
            body.insert("empty".to_owned(), json!(Message::new("contacts-no-birthdays")));
        }
        ToolResult::ok(body)
    }

    /// Whose birthday a day is.
    async fn of_day(&self, day: Date) -> Day {
        let all = match self.all().await {
            Ok(all) => all,
            Err(error) => return error.into(),
        };
        let mut lines = Vec::new();
        for known in all.all() {
            let Some((next, age)) = known.contact.birthday.and_then(|born| born.next(day)) else {
                continue;
            };
            let age = age.map_or_else(|| "none".to_owned(), |age| age.to_string());
            let line = Message::new("day-birthday")
                .with("name", known.contact.name.as_str())
                .with("age", age);
            lines.extend((next == day).then_some((Place::Whole, line)));
        }
        Day {
            lines,
            unknown: stale_note(&self.stale, self.now()).into_iter().collect(),
        }
    }

    fn nobody(&self) -> Result<Message, ToolError> {
        Ok(match self.call.optional_text("query")? {
            Some(query) => Message::new("contacts-none-called").with("name", query),
            None => Message::new("contacts-none"),
        })
    }

    fn entry(&self, known: &Known, birthday: Option<Date>) -> Value {
        let contact = &known.contact;
        let texts = |values: &[Entry]| {
            values
                .iter()
                .map(|value| value.text.clone())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let values: Vec<String> = [texts(&contact.phones), texts(&contact.emails)]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect();
        let reach = Message::new("contacts-reach").with("values", values.join(", "));
        let age = contact.birthday.and_then(|born| born.next(self.now().date())?.1);
        let told = birthday.map_or(reach, |day| {
            Message::new("contacts-birthday")
                .with("day", super::events::day(day, self.now()))
                .with("age", age.map_or_else(|| "none".to_owned(), |age| age.to_string()))
        });
        json!({
            "id": id_of(known),
            "name": contact.name,
            "nicknames": contact.nicknames,
            "phones": contact.phones.iter().map(|phone| &phone.text).collect::<Vec<_>>(),
            "emails": contact.emails.iter().map(|email| &email.text).collect::<Vec<_>>(),
            "addresses": contact.addresses.iter().map(|address| &address.text).collect::<Vec<_>>(),
            "birthday": birthday.map(|day| day.to_string()),
            "told": told,
        })
    }

    /// The contact that the argument names: by its id, or as a choice put it.
    async fn meant(&self) -> Result<Known, ToolError> {
        let all = self.all().await?;
        let wanted = self.call.texts("contact")?;
        let [wanted] = wanted.as_slice() else {
            return Err(refused("contacts-one-only"));
        };
        let is_it = |known: &&Known| id_of(known) == *wanted || label(known) == *wanted;
        if let Some(known) = all.all().find(is_it) {
            return Ok(known.clone());
        }
        let query = fold(wanted);
        let named: Vec<&Known> = all.all().filter(|known| says(known, &query)).collect();
        match named.as_slice() {
            [only] => Ok((*only).clone()),
            [] => {
                let message = Message::new("contacts-none-called").with("name", wanted.as_str());
                Err(ToolError::new(ErrorClass::NotFound, message))
            }
            several => {
                let names: Vec<String> = several.iter().map(|known| label(known)).collect();
                let message = Message::new("contacts-which").with("names", names.join(", "));
                Err(ToolError::new(ErrorClass::AmbiguousSourceContext, message))
            }
        }
    }

    async fn read_contacts(&self) -> Result<ToolResult, ToolError> {
        let known = self.meant().await?;
        let contact = &known.contact;
        let texts = |values: &[Entry]| {
            let one = |value: &Entry| match value.kind.as_str() {
                "" => value.text.clone(),
                kind => format!("{} ({kind})", value.text),
            };
            values.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        let next = contact.birthday.and_then(|born| born.next(self.now().date()));
        let birthday = next.map(|(day, age)| {
            Message::new("contacts-birthday")
                .with("day", super::events::day(day, self.now()))
                .with("age", age.map_or_else(|| "none".to_owned(), |age| age.to_string()))
        });
        let field = self.call.optional_text("field")?.unwrap_or("all");
        let value = match field {
            "phone" => texts(&contact.phones),
            "email" => texts(&contact.emails),
            "address" => texts(&contact.addresses),
            "birthday" => String::new(),
            _ => {
                let all = [
                    texts(&contact.phones),
                    texts(&contact.emails),
                    texts(&contact.addresses),
                ];
                all.into_iter()
                    .filter(|text| !text.is_empty())
                    .collect::<Vec<_>>()
                    .join(", ")
            }
        };
        let is_known = match field {
            "birthday" => birthday.is_some(),
            "all" => true,
            _ => !value.is_empty(),
        };
        let body = json!({
            "id": id_of(&known),
            "name": contact.name,
            "field": field,
            "known": if is_known { "yes" } else { "no" },
            "value": if value.is_empty() { "none" } else { value.as_str() },
            "phones": texts(&contact.phones),
            "emails": texts(&contact.emails),
            "addresses": texts(&contact.addresses),
            "birthday": birthday.unwrap_or_else(|| Message::new("contacts-unsaid")),
            "has_birthday": if next.is_some() { "yes" } else { "no" },
            "nicknames": contact.nicknames.join(", "),
            "note": contact.note,
        });
        let mut body = super::fields(body);
        // A remark of a card is shown as what it is, and never beside ours.
        let remark = body.remove("note").unwrap_or_default();
        body.insert("remark".to_owned(), remark);
        Ok(ToolResult::ok(body))
    }
}

/// Whether these words stand on a card.
fn says(known: &Known, query: &str) -> bool {
    let contact = &known.contact;
    let texts = [&contact.name, &contact.note].into_iter();
    let lists = contact.nicknames.iter().chain(&contact.roles);
    let values = contact.phones.iter().chain(&contact.emails).map(|value| &value.text);
    texts.chain(lists).chain(values).any(|text| fold(text).contains(query))
}

fn refused(key: &str) -> ToolError {
    ToolError::new(ErrorClass::InvalidArgs, Message::new(key))
}
