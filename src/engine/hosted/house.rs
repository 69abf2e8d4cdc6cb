//! What people of the house tell each other: `send_texts` puts words before somebody on their own channel, at once or
//! at a time, as a reminder of theirs that says whose words they are; and what the host lets others use. A family of
//! `engine::families`. It never speaks to anybody who is not paired, and for a guest to nobody but the host.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Host, fields};
use crate::{
    agenda::Agenda,
    domain::{
        actor::{Actor, Role},
        failure::{ErrorClass, ToolError},
        fold::fold,
        ids::{ActorId, ExecutorName, TaskId},
        limits::{REQUEST_CHARS_MAX, TASKS_PER_PERSON_MAX},
        message::Message,
        run::{Reversal, ToolResult},
        task::{Task, TaskKind, Trigger},
    },
    engine::{
        families::{Completing, Family, Knowing, Naming, Running, Scene},
        hosted::tasks,
        tasks::{
            when::{self, When},
            wording,
        },
        things::Resolver,
    },
    executors::Call,
    store::tasks::TaskAdded,
};

/// Whom some words mean, and what they are told.
mod things;
/// Calendars and address books that the host shares.
mod lending;
/// Files that the host shares.
mod sharing;

use things::{Housemates, Words};

/// The executor.
const TELL: &str = "send_texts";
/// Takes back what was told.
const BACK: &str = "back";

/// People who live here.
#[derive(Clone, Debug)]
pub struct House {
    agenda: Arc<Agenda>,
}

impl House {
    /// Those of this one, with its calendars.
    pub fn new(agenda: Arc<Agenda>) -> Self {
        Self { agenda }
    }
}

impl Family for House {
    fn executors(&self) -> &'static [&'static str] {
        &[TELL, sharing::SHARE, lending::EVENTS, lending::CONTACTS]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        match name.as_str() {
            sharing::SHARE => Box::pin(host.share_files(call)),
            lending::EVENTS | lending::CONTACTS => Box::pin(async move {
                let owned = lending::owned(&self.agenda, call).await?;
                host.lend(name, call, &owned).await
            }),
            _ => Box::pin(host.send_texts(call)),
        }
    }

    fn names<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Naming<'a> {
        Box::pin(async move {
            match name.as_str() {
                sharing::SHARE => host.names_shared(call).await,
                lending::EVENTS | lending::CONTACTS => host.names_lent(call).await,
                _ => Vec::new(),
            }
        })
    }

    /// Who is not here, or may not be asked, is named before anything is shown.
    fn completes<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Completing<'a> {
        Box::pin(async move {
            match name.as_str() {
                TELL if call.args.contains_key(BACK) => {}
                TELL => drop(host.told_people(call).await?),
                _ => drop(host.borrowers(call).await?),
            }
            Ok(None)
        })
    }

    fn keeps_rows(&self, name: &ExecutorName) -> bool {
        matches!(name.as_str(), TELL | lending::EVENTS | lending::CONTACTS)
    }

    fn things<'a>(&'a self, scene: Scene<'a>) -> Knowing<'a> {
        Box::pin(async move {
            // Without the database nobody is named, and the executor says why.
            let people = here(scene.store).await.unwrap_or_default();
            let others = people.into_iter().filter(|one| one.id != scene.turn.actor.id);
            let all: Box<dyn Resolver + 'a> = Box::new(Housemates {
                others: others.collect(),
                words: Words::of(scene.lang),
            });
            Some(all)
        })
    }
}

/// Everybody who is let in and can be reached somewhere.
async fn here(store: &crate::store::Store) -> Result<Vec<Actor>, ToolError> {
    let people = store.people().await?;
    let reached = people.into_iter().filter(|person| {
        let is_reached = !person.channels.is_empty() || person.actor.role == Role::Host;
        is_reached && !person.is_revoked
    });
    Ok(reached.map(|person| person.actor).collect())
}

impl Host<'_> {
    async fn send_texts(&self, call: &Call) -> Result<ToolResult, ToolError> {
        if let Some(back) = call.args.get(BACK) {
            return self.take_back_told(back).await;
        }
        let text = call.text("text")?.trim();
        if text.is_empty() || text.chars().count() > REQUEST_CHARS_MAX {
            return Err(tasks::wrong("text"));
        }
        let when = self.told_when(call)?;
        let people = self.told_people(call).await?;
        let now_ms = self.clock.now_ms();
        let mut told = Vec::new();
        for person in &people {
            let id = Uuid::new_v4().simple().to_string().into();
            let zone = call.context.now.time_zone().iana_name().unwrap_or("UTC");
            let due = when.as_ref().map_or(now_ms, |when| when.first.at_ms);
            let trigger = match &when {
                Some(when) => when.trigger.clone(),
                None => at_once(now_ms),
            };
            let mut task = Task::new(id, TaskKind::Reminder, trigger, zone, Some(due), now_ms);
            task.owner = Some(person.id.clone());
            task.said_by = Some(call.context.actor.clone());
            task.words = text.to_owned();
            if let Some(when) = &when {
                task.weekdays = when.weekdays;
                task.expires_ms = when.until_ms;
            }
            told.push(json!([task.id.as_str(), person.id.as_str()]));
            let added = self.store.task_add(task, Some(TASKS_PER_PERSON_MAX), now_ms).await;
            match added? {
                TaskAdded::Yes => {}
                TaskAdded::TooMany => {
                    let limit = u64::from(TASKS_PER_PERSON_MAX);
                    let message = Message::new("task-too-many").with("limit", limit);
                    return Err(ToolError::new(ErrorClass::TooLarge, message));
                }
                TaskAdded::NotLetIn => {
                    return Err(no(Message::new("run-not-let-in")));
                }
            }
        }
        let names = names_of(&people);
        let moment = when.map(|when| wording::moment(when.first.at_ms, &call.context.now));
        let body = fields(json!({
            "ok_count": people.len(),
            "what": "told",
            "people": names,
            "text": text,
            "when": if moment.is_some() { "later" } else { "now" },
            "moment": moment.map_or_else(|| json!(""), |moment| json!(moment)),
        }));
        let back = Reversal::Call {
            tool: ExecutorName::from(TELL),
            args: fields(json!({"back": {"tasks": told}})),
            label: text.to_owned(),
        };
        Ok(ToolResult {
            reversals: vec![back],
            ..ToolResult::ok(body)
        })
    }

    /// When it is told; `None` for at once.
    fn told_when(&self, call: &Call) -> Result<Option<When>, ToolError> {
        let words = call
            .optional_text("when")?
            .map(str::trim)
            .filter(|words| !words.is_empty());
        let Some(words) = words else { return Ok(None) };
        let found = when::of_words(words, self.language, call.context.lang, &call.context.now);
        found.map(Some).map_err(|error| tasks::no_when(error, words))
    }

    /// Those who are meant, each once. A guest speaks to the host alone.
    async fn told_people(&self, call: &Call) -> Result<Vec<Actor>, ToolError> {
        let here = here(self.store).await?;
        let own = &call.context.actor;
        let mut people: Vec<Actor> = Vec::new();
        for wanted in call.texts("to")? {
            let is_it = |one: &&Actor| one.id.as_str() == wanted || fold(&one.name) == fold(&wanted);
            let Some(person) = here.iter().find(is_it) else {
                let others = here.iter().filter(|one| one.id != *own);
                let nobody = Message::new("house-nobody")
                    .with("name", wanted)
                    .with("here", others.clone().count())
                    .with("names", joined(others.map(|one| one.name.clone())))
                    .with("role", if call.context.is_host { "host" } else { "guest" });
                return Err(no(nobody));
            };
            if person.id == *own {
                return Err(no(Message::new("house-to-oneself")));
            }
            if !call.context.is_host && person.role != Role::Host {
                return Err(no(Message::new("house-only-host")));
            }
            let places = self.store.last_places(&person.id).await?;
            if places.is_empty() && person.role != Role::Host {
                let unreached = Message::new("house-unreached").with("name", person.name.as_str());
                return Err(no(unreached));
            }
            if !people.iter().any(|known| known.id == person.id) {
                people.push(person.clone());
            }
        }
        if people.is_empty() {
            return Err(tasks::wrong("to"));
        }
        Ok(people)
    }

    /// What nobody heard yet is never said; what somebody heard stays, and that is told.
    async fn take_back_told(&self, back: &Value) -> Result<ToolResult, ToolError> {
        let pairs = back.get("tasks").and_then(Value::as_array).cloned().unwrap_or_default();
        let (mut gone, mut heard) = (Vec::new(), Vec::new());
        for pair in pairs {
            let part = |at: usize| pair.get(at).and_then(Value::as_str).unwrap_or_default();
            let (id, owner) = (TaskId::from(part(0)), ActorId::from(part(1)));
            let name = self.store.actor(&owner).await?;
            let name = name.map(|actor| actor.name).unwrap_or_default();
            let task = self.store.task(&id).await?;
            match task.filter(|task| task.fired == 0 && task.said_by.as_ref() == Some(&self.turn.actor.id)) {
                Some(_) => {
                    self.store.task_remove(&id, &owner).await?;
                    gone.push(name);
                }
                None => heard.push(name),
            }
        }
        if gone.is_empty() {
            let heard = Message::new("house-heard").with("people", joined(heard.into_iter()));
            return Err(no(heard));
        }
        Ok(ToolResult::ok(fields(json!({
            "ok_count": gone.len(),
            "what": "back",
            "people": joined(gone.into_iter()),
        }))))
    }
}

/// What is not to be had in another way either.
fn no(message: Message) -> ToolError {
    ToolError::new(ErrorClass::Refused, message)
}

fn at_once(now_ms: i64) -> Trigger {
    Trigger::At(Timestamp::from_millisecond(now_ms).unwrap_or_default())
}

fn names_of(people: &[Actor]) -> String {
    joined(people.iter().map(|person| person.name.clone()))
}

fn joined(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
