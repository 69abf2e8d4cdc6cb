//! The executors of address books: who somebody is, how they are reached, when they were born. A family of
//! `engine::families`. It sees the address book of the person who asks and nobody else's, and what stands in it is
//! never more than data.

use std::sync::Arc;

use jiff::{Zoned, civil::Date};
use metnos_dav::{Birthday, Card, CardChange, Value as Entry};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{
    Host,
    events::{failed, owner_of, stale_note},
};
use crate::{
    agenda::{Agenda, Haste, Holds, Known, Leaf, Owner, Read, Stale, version_of},
    domain::{
        failure::{ErrorClass, ToolError},
        fold::fold,
        ids::ExecutorName,
        limits::AGENDA_SHOWN_MAX,
        message::Message,
        run::{Reversal, ToolResult},
    },
    engine::{
        families::{Family, Knowing, Running, Scene},
        things::Resolver,
    },
    executors::{Call, progress::Ledger},
    language::{
        Language,
        time::{Conventions, Value as Said},
    },
};

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
            let owner = owner_of(call);
            let stale = self.agenda.refresh(&owner, Holds::Contacts, haste).await;
            let book = Book {
                agenda: &self.agenda,
                owner,
                language: host.language,
                call,
                stale,
            };
            match name.as_str() {
                "find_contacts" => book.find_contacts().await,
                "read_contacts" => book.read_contacts().await,
                "create_contacts" => book.create_contacts().await,
                "set_contacts" => book.set_contacts().await,
                _ => book.delete_contacts().await,
            }
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

    async fn create_contacts(&self) -> Result<ToolResult, ToolError> {
        let change = CardChange {
            name: Some(self.call.text("name")?.trim().to_owned()),
            ..self.change()?
        };
        let uid = Uuid::now_v7().to_string();
        let card = Card::new(&uid, &change);
        let mut ledger = Ledger::in_process(&self.call.context);
        let file = format!("{uid}.vcf");
        let file = self.agenda.place_for(&self.owner, Holds::Contacts, &file).await;
        let name = change.name.unwrap_or_default();
        self.put(&mut ledger, &file, &card.to_text(), None, &name).await?;
        Ok(done("created", &format!("{file}#0"), &name, ledger))
    }

    async fn set_contacts(&self) -> Result<ToolResult, ToolError> {
        if let Some(back) = self.call.args.get("back") {
            let place = (self.agenda, &self.owner, Holds::Contacts);
            return super::events::put_back(place, back, &self.call.context.backup_dir).await;
        }
        let known = self.meant().await?;
        let name = self.call.optional_text("name")?.map(str::to_owned);
        let change = CardChange { name, ..self.change()? };
        if change == CardChange::default() {
            return Err(refused("contacts-no-change"));
        }
        let mut cards = Card::parse_all(&known.leaf.text).map_err(|_broken| refused("events-value"))?;
        let card = cards.get_mut(known.index).ok_or_else(|| refused("events-gone"))?;
        card.change(&change);
        let text: String = cards.iter().map(Card::to_text).collect();
        let mut ledger = Ledger::in_process(&self.call.context);
        self.put(
            &mut ledger,
            &known.leaf.name,
            &text,
            Some(&known.leaf),
            &known.contact.name,
        )
        .await?;
        Ok(done("changed", &id_of(&known), &known.contact.name, ledger))
    }

    async fn delete_contacts(&self) -> Result<ToolResult, ToolError> {
        if let Some(back) = self.call.args.get("back") {
            let place = (self.agenda, &self.owner, Holds::Contacts);
            return super::events::put_back(place, back, &self.call.context.backup_dir).await;
        }
        let known = self.meant().await?;
        let cards = Card::parse_all(&known.leaf.text).map_err(|_broken| refused("events-value"))?;
        let others = cards.iter().enumerate().filter(|(index, _)| *index != known.index);
        let rest: String = others.map(|(_, card)| card.to_text()).collect();
        let mut ledger = Ledger::in_process(&self.call.context);
        if rest.is_empty() {
            let back = self.way_back(&known.leaf.name, Some(&known.leaf), None, &known.contact.name)?;
            ledger.before(back);
            let (file, version) = (known.leaf.name.as_str(), known.leaf.version.as_str());
            if let Err(error) = self.agenda.remove(&self.owner, Holds::Contacts, file, version).await {
                ledger.forget_last();
                return Err(failed(error));
            }
        } else {
            self.put(
                &mut ledger,
                &known.leaf.name,
                &rest,
                Some(&known.leaf),
                &known.contact.name,
            )
            .await?;
        }
        Ok(done("removed", &id_of(&known), &known.contact.name, ledger))
    }

    async fn put(
        &self,
        ledger: &mut Ledger,
        file: &str,
        text: &str,
        before: Option<&Leaf>,
        label: &str,
    ) -> Result<(), ToolError> {
        let sent = version_of(text);
        ledger.before(self.way_back(file, before, Some(&sent), label)?);
        let expected = before.map(|leaf| leaf.version.as_str());
        let put = self.agenda.put(&self.owner, Holds::Contacts, (file, text), expected);
        match put.await {
            Ok(leaf) if leaf.version != sent => {
                ledger.instead(self.way_back(file, before, Some(&leaf.version), label)?);
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(error) => {
                ledger.forget_last();
                Err(failed(error))
            }
        }
    }

    fn way_back(
        &self,
        file: &str,
        before: Option<&Leaf>,
        after: Option<&str>,
        label: &str,
    ) -> Result<Reversal, ToolError> {
        let copy = before
            .map(|leaf| super::events::copied(leaf, &self.call.context.backup_dir))
            .transpose()?;
        let back = json!({"back": {"file": file, "copy": copy, "version": after}});
        let tool = if before.is_none() {
            "delete_contacts"
        } else {
            "set_contacts"
        };
        Ok(Reversal::Call {
            tool: ExecutorName::from(tool),
            args: super::fields(back),
            label: label.to_owned(),
        })
    }

    fn change(&self) -> Result<CardChange, ToolError> {
        let text = |name: &str| -> Result<Option<String>, ToolError> {
            let text = self.call.optional_text(name)?.map(str::trim);
            Ok(text.filter(|text| !text.is_empty()).map(str::to_owned))
        };
        let value = |name: &str| -> Result<Option<Entry>, ToolError> {
            let kind = String::new();
            Ok(text(name)?.map(|text| Entry { text, kind }))
        };
        let born = text("birthday")?.map(|words| self.born(&words)).transpose()?;
        Ok(CardChange {
            name: None,
            nickname: text("nickname")?,
            role: text("role")?,
            phone: value("phone")?,
            email: value("email")?,
            address: value("address")?,
            birthday: born,
            note: text("remark")?,
        })
    }

    /// A birthday, from a date or from the person's words; the year only where it was said.
    fn born(&self, words: &str) -> Result<Birthday, ToolError> {
        if let Ok(day) = words.parse::<Date>() {
            return Ok(Birthday::on(day));
        }
        let lang = self.call.context.lang;
        let times = self.language.times(words, lang, self.now(), &Conventions::HOUSEHOLD);
        let day = times
            .iter()
            .flat_map(|time| &time.readings)
            .find_map(|value| match value {
                Said::Date(day) => Some(*day),
                Said::Moment(_) | Said::Range(..) | Said::Duration(_) => None,
            });
        let day = day.ok_or_else(|| refused("contacts-birthday-unclear"))?;
        let names_year = words.contains(&day.year().to_string());
        Ok(Birthday {
            year: names_year.then(|| day.year()),
            ..Birthday::on(day)
        })
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

fn done(what: &str, id: &str, name: &str, ledger: Ledger) -> ToolResult {
    let body: Map<String, Value> = super::fields(json!({"ok_count": 1, "what": what, "id": id, "name": name}));
    ToolResult {
        reversals: ledger.into_reversals(),
        ..ToolResult::ok(body)
    }
}
