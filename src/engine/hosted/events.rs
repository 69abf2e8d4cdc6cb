//! The executors of calendars: what happens when, what is free, and what is put in, changed or taken out. A family of
//! `engine::families`. It sees the calendar of the person who asks and nobody else's, asks which part of a series is
//! meant instead of guessing, and writes over nothing that somebody changed meanwhile.

use std::sync::Arc;

use jiff::{Timestamp, ToSpan, Zoned, civil::Date, tz::TimeZone};
use metnos_dav::{At, Attendee, Occurrence, When, Window, occurrences};
use serde_json::{Map, Value, json};

use super::Host;
use crate::{
    agenda::{Agenda, AgendaError, Haste, Holds, Leaf, Owner, Page, Read, ShelfError, Stale},
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        limits::{AGENDA_AHEAD_DAYS, AGENDA_BACK_DAYS},
        message::Message,
        verdict::Risk,
    },
    engine::{
        families::{Family, Knowing, Naming, Running, Scene, Telling, Weighing, Weight},
        tasks::wording,
        things::Resolver,
    },
    executors::Call,
};

/// Takes changes back.
mod back;
/// Puts in, changes and takes out.
mod change;
/// What is free.
mod free;
/// Events that came in a mail.
mod invited;
/// What happens.
mod look;
/// Who is there.
mod people;
/// How events are spoken of.
mod said;
/// Which of them some words mean.
mod things;
/// When something is, from the words of a person.
mod when;

pub(super) use back::{copied, put_back};
pub(super) use invited::told as invitation_told;
pub(super) use said::day;

/// The calendars of a household.
#[derive(Clone, Debug)]
pub struct Events {
    agenda: Arc<Agenda>,
}

impl Events {
    /// Those kept here.
    pub fn new(agenda: Arc<Agenda>) -> Self {
        Self { agenda }
    }
}

impl Family for Events {
    fn executors(&self) -> &'static [&'static str] {
        &[
            "read_events",
            "find_events_empty",
            "create_events",
            "set_events",
            "delete_events",
        ]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        Box::pin(async move {
            let haste = match name.as_str() {
                "read_events" | "find_events_empty" => Haste::Look,
                _ => Haste::Change,
            };
            let desk = Desk::of(&self.agenda, host, call, haste).await;
            match name.as_str() {
                "read_events" => Box::pin(desk.read_events()).await,
                "find_events_empty" => Box::pin(desk.find_events_empty()).await,
                "create_events" => Box::pin(desk.create_events()).await,
                "set_events" => Box::pin(desk.set_events()).await,
                _ => Box::pin(desk.delete_events()).await,
            }
        })
    }

    fn names<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Naming<'a> {
        Box::pin(async move {
            let desk = Desk::of(&self.agenda, host, call, Haste::Look).await;
            if name.as_str() == "create_events" {
                return desk.new_one().into_iter().collect();
            }
            let mut names = Vec::new();
            for id in desk.meant().await.unwrap_or_default() {
                let found = desk.event(&id).await.ok();
                names.extend(found.map(|(_, one)| desk.becomes(&one)));
            }
            names
        })
    }

    // Several that are taken out at once are shown before.
    fn weighs<'a>(&'a self, _host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Weighing<'a> {
        let is_one = name.as_str() != "delete_events" || !call.texts("event").is_ok_and(|ids| ids.len() > 1);
        Box::pin(std::future::ready(Weight {
            risk: if is_one { Risk::Low } else { Risk::Medium },
            stays: false,
        }))
    }

    fn day<'a>(&'a self, host: &'a Host<'a>, call: &'a Call, day: Date) -> Telling<'a> {
        Box::pin(async move {
            let desk = Desk::of(&self.agenda, host, call, Haste::Look).await;
            desk.of_day(day).await
        })
    }

    fn things<'a>(&'a self, scene: Scene<'a>) -> Knowing<'a> {
        Box::pin(async move {
            let owner = Owner {
                actor: scene.turn.actor.id.clone(),
                home: scene.root.clone(),
            };
            self.agenda.glance(&owner, Holds::Events).await;
            let calendar: Option<Box<dyn Resolver + 'a>> =
                match things::Calendar::of(&self.agenda, &owner, &scene).await {
                    Ok(calendar) => Some(Box::new(calendar)),
                    Err(error) => {
                        tracing::warn!(%error, "a calendar cannot be read");
                        None
                    }
                };
            calendar
        })
    }
}

/// One call, beside the calendar it is about.
struct Desk<'a> {
    agenda: &'a Agenda,
    owner: Owner,
    host: &'a Host<'a>,
    call: &'a Call,
    /// Servers that could not be asked just now.
    stale: Vec<Stale>,
}

/// An event as executors name it: its file, its name, and when it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EventId {
    file: String,
    uid: String,
    begin: String,
}

/// One occurrence that was found, free of what it was read from.
#[derive(Clone, Debug)]
struct Found {
    id: EventId,
    summary: String,
    location: String,
    start: At,
    end: At,
    /// The last day of it, where it is days.
    last_day: Option<Date>,
    /// Which instance of its series.
    instance: When,
    is_series: bool,
    is_cancelled: bool,
    /// Who else is there.
    people: Vec<Attendee>,
    /// The name of whose it is, where it is somebody else's.
    whose: Option<String>,
}

impl EventId {
    fn of(file: &str, one: &Occurrence<'_>) -> Self {
        Self {
            file: file.to_owned(),
            uid: one.event.uid.clone(),
            begin: begin(&one.start),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (file, rest) = text.split_once('#')?;
        let (uid, begin) = rest.rsplit_once('#')?;
        Some(Self {
            file: file.to_owned(),
            uid: uid.to_owned(),
            begin: begin.to_owned(),
        })
    }

    /// When it begins, by which it is found again.
    fn window(&self, zone: &TimeZone) -> Option<Window> {
        let start = match self.begin.parse::<Date>() {
            Ok(day) if !self.begin.contains('T') => day.to_zoned(zone.clone()).ok()?.timestamp(),
            _ => self.begin.parse::<Timestamp>().ok()?,
        };
        let end = start.checked_add(jiff::SignedDuration::from_secs(1)).ok()?;
        Some(Window { start, end })
    }
}

impl std::fmt::Display for EventId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}#{}#{}", self.file, self.uid, self.begin)
    }
}

fn begin(at: &At) -> String {
    match at {
        At::Day(day) => day.to_string(),
        At::Instant(at) => at.timestamp().to_string(),
    }
}

impl Found {
    fn of(leaf: &Leaf, one: &Occurrence<'_>) -> Self {
        Self {
            id: EventId::of(&leaf.name, one),
            whose: leaf.whose.clone(),
            summary: one.event.summary.trim().to_owned(),
            location: one.event.location.clone(),
            start: one.start.clone(),
            end: one.end.clone(),
            last_day: one.last_day(),
            instance: one.instance.clone(),
            is_series: one.is_series,
            is_cancelled: one.is_cancelled(),
            people: one.event.attendees.clone(),
        }
    }

    fn entry(&self, now: &Zoned) -> Value {
        json!({
            "id": self.id.to_string(),
            "summary": self.summary,
            "start": begin(&self.start),
            "end": begin(&self.end),
            "all_day": self.start.is_day(),
            "location": self.location,
            "with": people::shown(&self.people),
            "repeats": self.is_series,
            "cancelled": self.is_cancelled,
            "when": said::when(self, now),
            "whose": self.whose,
        })
    }
}

impl<'a> Desk<'a> {
    async fn of(agenda: &'a Agenda, host: &'a Host<'a>, call: &'a Call, haste: Haste) -> Self {
        let owner = owner_of(call);
        let stale = agenda.refresh(&owner, Holds::Events, haste).await;
        Self {
            agenda,
            owner,
            host,
            call,
            stale,
        }
    }

    fn now(&self) -> &Zoned {
        &self.call.context.now
    }

    fn zone(&self) -> &TimeZone {
        self.now().time_zone()
    }

    async fn pages(&self) -> Result<Read<Page>, ToolError> {
        self.agenda.pages(&self.owner).await.map_err(failed)
    }

    /// The event of an id, as it is now.
    async fn event(&self, id: &EventId) -> Result<(Leaf, Found), ToolError> {
        let pages = self.pages().await?;
        let page = pages.all().find(|page| page.leaf.name == id.file).ok_or_else(gone)?;
        let window = id.window(self.zone()).ok_or_else(gone)?;
        let expanded = occurrences(&page.object, self.zone(), window);
        let is_it = |one: &&Occurrence<'_>| one.event.uid == id.uid && begin(&one.start) == id.begin;
        let one = expanded.found.iter().find(is_it).ok_or_else(gone)?;
        Ok((page.leaf.clone(), Found::of(&page.leaf, one)))
    }

    /// The events that the argument `event` names: by their ids, or as a choice put it.
    async fn meant(&self) -> Result<Vec<EventId>, ToolError> {
        let mut meant = Vec::new();
        for text in self.call.texts("event")? {
            meant.push(match EventId::parse(&text) {
                Some(id) => id,
                None => named(&self.pages().await?, self.now(), &text).ok_or_else(gone)?,
            });
        }
        Ok(meant)
    }
}

/// What happens in a window, in order, and whether there was more.
fn happening(pages: &Read<Page>, zone: &TimeZone, window: Window) -> (Vec<Found>, bool) {
    let mut is_cut = false;
    let mut found: Vec<Found> = Vec::new();
    for page in pages.all() {
        let expanded = occurrences(&page.object, zone, window);
        is_cut |= expanded.is_cut;
        found.extend(expanded.found.iter().map(|one| Found::of(&page.leaf, one)));
    }
    found.sort_by_key(|one| (one.start.instant(zone), !one.start.is_day()));
    (found, is_cut)
}

/// The window in which an event that somebody names is looked for.
fn around(now: &Zoned) -> Window {
    let at = |days: i64| now.saturating_add(days.days()).timestamp();
    Window {
        start: at(-AGENDA_BACK_DAYS),
        end: at(AGENDA_AHEAD_DAYS),
    }
}

/// The event that a person chose from a question, by the words it was put in.
fn named(pages: &Read<Page>, now: &Zoned, choice: &str) -> Option<EventId> {
    let (found, _) = happening(pages, now.time_zone(), around(now));
    let mut found = found.into_iter();
    found.find(|one| said::choice(one, now) == choice).map(|one| one.id)
}

fn gone() -> ToolError {
    ToolError::new(ErrorClass::NotFound, Message::new("events-gone"))
}

fn wrong(key: &str) -> ToolError {
    ToolError::new(ErrorClass::InvalidArgs, Message::new(key))
}

fn object(value: Value) -> Map<String, Value> {
    super::fields(value)
}

/// Whose call it is.
pub(super) fn owner_of(call: &Call) -> Owner {
    Owner {
        actor: call.context.actor.clone(),
        home: call.context.home.clone(),
    }
}

/// Which servers could not be asked, and from when is what is shown of them; `None` where all were.
pub(super) fn stale_note(stale: &[Stale], now: &Zoned) -> Option<Message> {
    let first = stale.first()?;
    let key = if first.seen_ms == 0 {
        "agenda-never"
    } else {
        "agenda-stale"
    };
    let others = u64::try_from(stale.len().saturating_sub(1)).unwrap_or_default();
    Some(
        Message::new(key)
            .with("account", first.account.as_str())
            .with("why", first.why.message.clone())
            .with("when", wording::moment(first.seen_ms, now))
            .with("others", others),
    )
}

/// By value, for `map_err`.
pub(super) fn failed(error: AgendaError) -> ToolError {
    match error {
        AgendaError::Server(error) => *error,
        AgendaError::Disk(error) => disk_failed(&error),
    }
}

fn disk_failed(error: &ShelfError) -> ToolError {
    match error {
        ShelfError::Changed { .. } => {
            ToolError::new(ErrorClass::AlreadyExists, Message::new("events-changed-meanwhile"))
        }
        ShelfError::Name { .. } => gone(),
        ShelfError::Io { source, .. } => {
            let class = if source.kind() == std::io::ErrorKind::PermissionDenied {
                ErrorClass::PermissionDenied
            } else {
                ErrorClass::Internal
            };
            ToolError::new(class, Message::new("events-disk")).with_detail(format!("{error}: {source}"))
        }
    }
}
