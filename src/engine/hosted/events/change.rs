//! `create_events`, `set_events` and `delete_events`: each notes the way back before it changes anything.

use jiff::{
    Timestamp, ToSpan, Zoned,
    civil::{DateTime, Time},
};
use metnos_dav::{Change, Extent, Moved, NewEvent, Object, Rule, Unchanged};
use serde_json::json;
use uuid::Uuid;

use super::{Desk, EventId, Found, failed, gone, look::at, object, said, wrong};
use crate::{
    agenda::{Holds, Leaf, version_of},
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        message::Message,
        run::{Reversal, ToolResult},
    },
    executors::progress::Ledger,
};

/// Seconds of a day by the clock.
const DAY_S: i64 = 86_400;

impl Desk<'_> {
    pub(super) async fn create_events(&self) -> Result<ToolResult, ToolError> {
        if self.call.args.contains_key("invitation") {
            return self.take_invitation().await;
        }
        let summary = self.call.text("title")?.trim();
        if summary.is_empty() {
            return Err(wrong("events-no-title"));
        }
        let begin = self.begin(self.call.text("when")?)?;
        let text = |name: &str| -> Result<Option<String>, ToolError> {
            let text = self.call.optional_text(name)?.map(str::trim);
            Ok(text.filter(|text| !text.is_empty()).map(str::to_owned))
        };
        let repeat = self.call.optional_text("repeat")?.map(str::parse::<Rule>).transpose();
        let repeat = repeat.map_err(|_no_rule| wrong("events-rule-unclear"))?;
        let uid = Uuid::now_v7().to_string();
        let new = NewEvent {
            uid: uid.clone(),
            summary: summary.to_owned(),
            start: begin.start.clone(),
            end: begin.end,
            location: text("location")?,
            description: text("description")?,
            attendees: self.attendees().await?,
            rule: repeat.or(begin.rule),
            now: self.timestamp(),
        };
        let made = new.to_object();
        let name = self.place_for(&uid).await?;
        let mut ledger = Ledger::in_process(&self.call.context);
        let leaf = self.put(&mut ledger, &name, &made.to_text(), None, summary).await?;
        let found = first_of(&leaf, self.now())?;
        Ok(self.done("created", &found, 1, ledger))
    }

    pub(super) async fn set_events(&self) -> Result<ToolResult, ToolError> {
        if let Some(back) = self.call.args.get("back") {
            return self.put_back(back).await;
        }
        let mut change = self.change()?;
        let ids = self.meant().await?;
        let [id] = ids.as_slice() else {
            return Err(self.which(&ids).await);
        };
        let (leaf, found) = self.event(id).await?;
        if let Some(seconds) = self.call.difference("by_s")? {
            change.start = Some(self.put_off(&found, seconds)?);
        }
        let extent = self.extent(&found)?;
        let mut object = parsed(&leaf)?;
        let uid = Uuid::now_v7().to_string();
        let split = object.change(
            (id.uid.as_str(), &found.instance, extent),
            &change,
            (self.zone(), self.timestamp(), uid.as_str()),
        );
        let split = split.map_err(unchanged)?;
        let mut ledger = Ledger::in_process(&self.call.context);
        self.put(&mut ledger, &leaf.name, &object.to_text(), Some(&leaf), &found.summary)
            .await?;
        let mut place = leaf.name.clone();
        if let Some(rest) = split {
            place = beside(&leaf.name, &uid);
            self.put(&mut ledger, &place, &rest.to_text(), None, &found.summary)
                .await?;
        }
        let uid = if place == leaf.name {
            id.uid.as_str()
        } else {
            uid.as_str()
        };
        let now = self.changed(&place, uid, &found, &change).await?;
        Ok(self.done("changed", &now, 1, ledger))
    }

    pub(super) async fn delete_events(&self) -> Result<ToolResult, ToolError> {
        if let Some(back) = self.call.args.get("back") {
            return self.put_back(back).await;
        }
        let mut ledger = Ledger::in_process(&self.call.context);
        let mut last = None;
        let ids = self.meant().await?;
        for id in &ids {
            let (leaf, found) = self.event(id).await?;
            let extent = self.extent(&found)?;
            let mut object = parsed(&leaf)?;
            let is_left = object.remove(
                (id.uid.as_str(), &found.instance, extent),
                self.zone(),
                self.timestamp(),
            );
            if is_left.map_err(unchanged)? {
                self.put(&mut ledger, &leaf.name, &object.to_text(), Some(&leaf), &found.summary)
                    .await?;
            } else {
                self.take(&mut ledger, &leaf, &found.summary).await?;
            }
            last = Some(found);
        }
        let last = last.ok_or_else(gone)?;
        Ok(self.done("removed", &last, ids.len(), ledger))
    }

    fn timestamp(&self) -> Timestamp {
        self.now().timestamp()
    }

    /// Where something new goes.
    async fn place_for(&self, uid: &str) -> Result<String, ToolError> {
        let name = format!("{uid}.ics");
        let within = self.call.optional_text("calendar")?;
        let place = self.agenda.place_for(&self.owner, Holds::Events, &name, within);
        place.await.map_err(failed)
    }

    /// Writes a file, in the version that was read, or a new one; as it is there then.
    pub(super) async fn put(
        &self,
        ledger: &mut Ledger,
        name: &str,
        text: &str,
        before: Option<&Leaf>,
        label: &str,
    ) -> Result<Leaf, ToolError> {
        let sent = version_of(text);
        ledger.before(self.way_back(name, before, Some(&sent), label)?);
        let expected = before.map(|leaf| leaf.version.as_str());
        let put = self.agenda.put(&self.owner, Holds::Events, (name, text), expected);
        match put.await {
            Ok(leaf) => {
                if leaf.version != sent {
                    ledger.instead(self.way_back(name, before, Some(&leaf.version), label)?);
                }
                Ok(leaf)
            }
            Err(error) => {
                ledger.forget_last();
                Err(failed(error))
            }
        }
    }

    async fn take(&self, ledger: &mut Ledger, leaf: &Leaf, label: &str) -> Result<(), ToolError> {
        ledger.before(self.way_back(&leaf.name, Some(leaf), None, label)?);
        let removed = self
            .agenda
            .remove(&self.owner, Holds::Events, &leaf.name, &leaf.version);
        if let Err(error) = removed.await {
            ledger.forget_last();
            return Err(failed(error));
        }
        Ok(())
    }

    /// Puts the file as it was over this version of it, or takes away one that was not there.
    fn way_back(
        &self,
        name: &str,
        before: Option<&Leaf>,
        after: Option<&str>,
        label: &str,
    ) -> Result<Reversal, ToolError> {
        let copy = before.map(|leaf| self.copied(leaf)).transpose()?;
        let back = json!({"file": name, "copy": copy, "version": after});
        let tool = if before.is_none() {
            "delete_events"
        } else {
            "set_events"
        };
        Ok(Reversal::Call {
            tool: ExecutorName::from(tool),
            args: object(json!({"back": back})),
            label: label.to_owned(),
        })
    }

    pub(super) fn done(&self, what: &str, found: &Found, count: usize, ledger: Ledger) -> ToolResult {
        let body = object(json!({
            "ok_count": count,
            "what": what,
            "count": count,
            "id": found.id.to_string(),
            "summary": found.summary,
            "when": said::when(found, self.now()),
            "repeats": if found.is_series { "yes" } else { "no" },
        }));
        ToolResult {
            reversals: ledger.into_reversals(),
            ..ToolResult::ok(body)
        }
    }

    /// Several that were meant: the person says which.
    async fn which(&self, ids: &[EventId]) -> ToolError {
        let mut names = Vec::new();
        for id in ids {
            let Ok((_, one)) = self.event(id).await else { continue };
            names.push(
                Message::new("events-taken")
                    .with("summary", one.summary.as_str())
                    .with("when", said::when(&one, self.now())),
            );
        }
        let which = Message::new("events-which").with("names", said::joined(names));
        ToolError::new(ErrorClass::AmbiguousSourceContext, which)
    }

    /// How much of a series is meant. It is asked, and never guessed.
    fn extent(&self, found: &Found) -> Result<Extent, ToolError> {
        let words = super::things::Words::of(self.call.context.lang);
        let said = self.call.optional_text("extent")?;
        match said.map(|said| words.extent(said).unwrap_or_default()) {
            _ if !found.is_series => Ok(Extent::All),
            Some("this") => Ok(Extent::One),
            Some("later") => Ok(Extent::Later),
            Some("all") => Ok(Extent::All),
            Some(_) => Err(wrong("events-extent-unclear")),
            None => Err(ToolError::new(
                ErrorClass::AmbiguousSourceContext,
                Message::new("events-extent")
                    .with("summary", found.summary.as_str())
                    .with("when", said::when(found, self.now())),
            )),
        }
    }

    fn change(&self) -> Result<Change, ToolError> {
        let text = |name: &str| Ok::<_, ToolError>(self.call.optional_text(name)?.map(|text| text.trim().to_owned()));
        let minutes = self
            .call
            .count("duration_s")?
            .and_then(|seconds| i64::try_from(seconds / 60).ok());
        let when = self.call.optional_text("when")?;
        let start = when.map(|words| self.moved(words)).transpose()?;
        let change = Change {
            start,
            minutes,
            summary: text("title")?,
            location: text("location")?,
            description: text("description")?,
        };
        let says = [&change.summary, &change.location, &change.description];
        let is_moved = change.start.is_some() || self.call.args.contains_key("by_s");
        let is_nothing = !is_moved && change.minutes.is_none() && says.iter().all(|text| text.is_none());
        if is_nothing {
            return Err(wrong("events-no-change"));
        }
        Ok(change)
    }

    /// When an event begins that is moved by so many seconds: by the owner's clock, a day by whole days.
    fn put_off(&self, found: &Found, seconds: i64) -> Result<Moved, ToolError> {
        let value = || wrong("events-value");
        match &found.start {
            metnos_dav::At::Day(day) => {
                let days = seconds / DAY_S;
                let moved = day.checked_add(days.days()).ok().filter(|_| seconds % DAY_S == 0);
                moved.map(Moved::Day).ok_or_else(value)
            }
            metnos_dav::At::Instant(at) => {
                let local = self.zone().to_datetime(at.timestamp());
                local
                    .checked_add(seconds.seconds())
                    .map(Moved::At)
                    .map_err(|_out_of_range| value())
            }
        }
    }

    /// When an event begins that is moved like this.
    fn begins(&self, before: &Found, moved: Moved) -> DateTime {
        match moved {
            Moved::Day(day) => day.to_datetime(before.start_time(self.zone())),
            Moved::Time(time) => before.start.date(self.zone()).to_datetime(time),
            Moved::At(local) => local,
        }
    }

    /// An event as a question names it, and when it will be, where it is moved.
    pub(super) fn becomes(&self, found: &Found) -> String {
        let now = said::choice(found, self.now());
        let by = self.call.difference("by_s").ok().flatten();
        let put_off = by.and_then(|seconds| self.put_off(found, seconds).ok());
        let when = self.call.optional_text("when").ok().flatten();
        let moved = put_off.or_else(|| self.moved(when?).ok());
        let Some(moved) = moved else { return now };
        let begins = self.begins(found, moved);
        let is_day = matches!(found.start, metnos_dav::At::Day(_)) && matches!(moved, Moved::Day(_));
        let format = if is_day { "%Y-%m-%d" } else { "%Y-%m-%d %H:%M" };
        format!("{now} → {}", begins.strftime(format))
    }

    /// The event as it is now.
    async fn changed(&self, file: &str, uid: &str, before: &Found, change: &Change) -> Result<Found, ToolError> {
        let pages = self.pages().await?;
        let page = pages.all().find(|page| page.leaf.name == file).ok_or_else(gone)?;
        let window = super::around(self.now());
        let all = metnos_dav::occurrences(&page.object, self.zone(), window).found;
        let own: Vec<Found> = all
            .iter()
            .filter(|one| one.event.uid == uid)
            .map(|one| Found::of(&page.leaf, one))
            .collect();
        let old = before.start.instant(self.zone());
        let moved = change
            .start
            .and_then(|moved| at(&self.begins(before, moved), self.now()));
        let wanted = moved.unwrap_or(old);
        let apart = |one: &Found| one.start.instant(self.zone()).duration_since(wanted).abs();
        own.into_iter().min_by_key(apart).ok_or_else(gone)
    }
}

impl Found {
    fn start_time(&self, zone: &jiff::tz::TimeZone) -> Time {
        match &self.start {
            metnos_dav::At::Day(_) => Time::midnight(),
            metnos_dav::At::Instant(at) => zone.to_datetime(at.timestamp()).time(),
        }
    }
}

/// The name of a file for what is split off another: where that is.
fn beside(file: &str, uid: &str) -> String {
    let inside = file.rfind(['/', ':']).and_then(|at| file.get(..=at));
    format!("{}{uid}.ics", inside.unwrap_or_default())
}

fn parsed(leaf: &Leaf) -> Result<Object, ToolError> {
    let broken = Message::new("events-broken").with("name", leaf.name.as_str());
    Object::parse(&leaf.text).map_err(|_broken| ToolError::new(ErrorClass::InvalidArgs, broken))
}

fn unchanged(why: Unchanged) -> ToolError {
    match why {
        Unchanged::Gone => gone(),
        Unchanged::Rule => wrong("events-rule-fixed"),
        Unchanged::Value => wrong("events-value"),
    }
}

/// The first event of a file.
pub(super) fn first_of(leaf: &Leaf, now: &Zoned) -> Result<Found, ToolError> {
    let object = parsed(leaf)?;
    let start = object
        .events()
        .next()
        .map(|event| event.start.clone())
        .ok_or_else(gone)?;
    let from = at(&start.civil(), now).ok_or_else(gone)?;
    let window = metnos_dav::Window {
        start: from
            .saturating_sub(jiff::SignedDuration::from_hours(24))
            .unwrap_or(from),
        end: from
            .saturating_add(jiff::SignedDuration::from_hours(24 * 400))
            .unwrap_or(from),
    };
    let expanded = metnos_dav::occurrences(&object, now.time_zone(), window);
    let first = expanded.found.first();
    first.map(|one| Found::of(leaf, one)).ok_or_else(gone)
}
