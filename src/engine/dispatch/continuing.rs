//! A message that says only a value, behind an answer: "and on saturday?", "and the lease as well", "no, in the jazz
//! folder I meant". The request before is read again with that value in it, by the same layers, and counts where it
//! comes to the same kind of look with other values, or to the same change of something else. Called by the runtime
//! before the turn begins; nothing runs here, and what it makes of a change is shown before it is done.

use std::collections::BTreeSet;

use tokio_util::sync::CancellationToken;

use super::{Cascade, nearby::literal_texts, stopping::Hands};
use crate::{
    config::EngineChoice,
    domain::{
        ids::ExecutorName,
        limits::REQUEST_CHARS_MAX,
        plan::{Plan, Proposed, Step},
        run::Reversal,
        turn::Turn,
    },
    engine::{
        Audience, Engine,
        composer::{self, Composition},
        follow_up,
        patterns::{Pattern, PatternMatch, command::Command},
    },
    language::Continued,
    store::{StoreError, effects::PastEffect},
};

/// A request that two messages make together.
#[derive(Debug)]
pub struct GoesOn {
    /// As it would be said at once.
    pub whole: String,
    /// It stands in the place of the one before.
    pub corrects: bool,
    /// It changes something, and its form alone says so.
    pub is_joined: bool,
}

/// What a request comes to.
#[derive(Debug, PartialEq)]
enum Meaning {
    Rule(Pattern),
    /// It only looks.
    Plan(Plan<Proposed>),
    /// It sets one more clock.
    Adds(Pattern),
    /// It asks to be reminded of something, then.
    Reminds(String),
    /// It changes something.
    Change(Plan<Proposed>),
    /// None of these.
    Other,
}

impl Meaning {
    /// Asks for the same kind of thing.
    fn is_like(&self, other: &Self) -> bool {
        let tools =
            |plan: &Plan<Proposed>| -> Vec<ExecutorName> { plan.steps.iter().map(|step| step.tool.clone()).collect() };
        match (self, other) {
            (Self::Rule(one), Self::Rule(other)) | (Self::Adds(one), Self::Adds(other)) => one.is_like(other),
            (Self::Plan(one), Self::Plan(other)) => tools(one) == tools(other),
            // At the same time it would be the same one.
            (Self::Reminds(one), Self::Reminds(other)) => one != other,
            (Self::Rule(_) | Self::Plan(_) | Self::Adds(_) | Self::Reminds(_) | Self::Change(_) | Self::Other, _) => {
                false
            }
        }
    }
}

impl Engine {
    /// The request that a turn's message completes, if it says only a value of the one before.
    pub async fn continued(&self, turn: &Turn) -> Result<Option<GoesOn>, StoreError> {
        let Some(before) = turn.before.as_ref().filter(|_| self.choice != EngineChoice::Metis) else {
            return Ok(None);
        };
        let home = self.home_for(&turn.actor);
        let read = |text: &str| self.language.read_at_home(text, turn.actor.lang, &turn.now, &home);
        let said = self.language.continued(|| read(&before.text), &read(&turn.text), &home);
        if said.by_value.is_empty() && said.by_form.is_empty() && said.by_place.is_empty() {
            return Ok(None);
        }
        let changed = self.store.standing_effects(&before.turn, &turn.actor.id).await?;
        Ok(self.goes_on(turn, &before.text, said, &changed).await)
    }

    /// The same. `changed` is what the request before did and what stands.
    async fn goes_on(&self, turn: &Turn, before: &str, said: Continued, changed: &[PastEffect]) -> Option<GoesOn> {
        let (corrects, is_another) = (said.corrects, said.is_another);
        // A question asks for no change; else what was done just now comes first: "and the garden one", behind a copy,
        // switches no light.
        let is_of_change = !changed.is_empty() && (corrects || is_another) && !said.asks;
        let may_stand_alone = !corrects && !is_of_change;
        if may_stand_alone && self.means(turn, &turn.text, said.names_thing).await.is_some() {
            return None;
        }
        let first = match changed {
            [] => Some(self.means(turn, before, true).await?),
            _ => self.means(turn, before, false).await,
        };
        let (whole, is_joined) = match first {
            // Another word in an order to set something would set whatever that word is: "and thanks". "And the weather
            // tomorrow" is a request of its own.
            Some(first @ (Meaning::Adds(_) | Meaning::Reminds(_))) => {
                let is_more = is_another && !corrects && !said.asks;
                if !is_more || self.means(turn, &turn.text, true).await.is_some() {
                    return None;
                }
                let wholes = said.by_value.into_iter().chain(said.by_deed).collect();
                (self.first_like(turn, &first, wholes).await?, false)
            }
            _ if is_of_change => (self.changed_alike(turn, before, said, changed).await?, true),
            Some(first @ (Meaning::Rule(_) | Meaning::Plan(_))) if changed.is_empty() => {
                let by_form = said.by_value.into_iter().chain(said.by_form).collect();
                match self.first_like(turn, &first, by_form).await {
                    Some(whole) => (whole, false),
                    None => (self.only_like(turn, &first, said.by_place).await?, false),
                }
            }
            Some(_) | None => return None,
        };
        Some(GoesOn {
            whole,
            corrects,
            is_joined,
        })
    }

    async fn first_like(&self, turn: &Turn, first: &Meaning, wholes: Vec<String>) -> Option<String> {
        for whole in wholes {
            if self.is_like(turn, first, &whole).await {
                return Some(whole);
            }
        }
        None
    }

    async fn only_like(&self, turn: &Turn, first: &Meaning, wholes: Vec<String>) -> Option<String> {
        let mut found = None;
        for whole in wholes {
            if self.is_like(turn, first, &whole).await && found.replace(whole).is_some() {
                return None;
            }
        }
        found
    }

    /// The first of these requests that makes the same change: with the same tools, and, where one more was asked for,
    /// of nothing that was changed before.
    async fn changed_alike(
        &self,
        turn: &Turn,
        before: &str,
        said: Continued,
        changed: &[PastEffect],
    ) -> Option<String> {
        let catalog = self.catalog.current();
        let done: BTreeSet<&ExecutorName> = changed.iter().map(|effect| &effect.tool).collect();
        let names: Vec<&str> = changed
            .iter()
            .flat_map(|effect| &effect.reversals)
            .flat_map(made_or_moved)
            .map(file_name)
            .collect();
        let changes = |step: &&Step| {
            let tool = catalog.get(&step.tool);
            tool.is_none_or(|tool| tool.effect.changes_something())
        };
        let is_alike = |plan: &Plan<Proposed>| {
            let tools: BTreeSet<&ExecutorName> = plan.steps.iter().filter(changes).map(|step| &step.tool).collect();
            let args = plan
                .steps
                .iter()
                .flat_map(|step| step.args.iter().map(move |arg| (&step.tool, arg)));
            // Into the same list goes something else.
            let things = args.filter(|(tool, (name, _))| !catalog.get(tool).is_some_and(|tool| tool.is_place(name)));
            let mut texts = things.flat_map(|(_, (_, argument))| literal_texts(argument));
            let repeats = texts.any(|text| names.contains(&file_name(&text)));
            tools == done && (said.corrects || !repeats)
        };
        // What stands behind the request is no other value of it.
        let is_other = |whole: &String| !whole.starts_with(before.trim_end());
        for whole in said
            .by_value
            .iter()
            .chain(&said.by_form)
            .filter(|whole| is_other(whole))
        {
            let is_short = whole.chars().count() <= REQUEST_CHARS_MAX;
            if is_short
                && let Some(Meaning::Change(plan)) = self.means(turn, whole, true).await
                && is_alike(&plan)
            {
                return Some(whole.clone());
            }
        }
        None
    }

    async fn is_like(&self, turn: &Turn, first: &Meaning, whole: &str) -> bool {
        let is_short = whole.chars().count() <= REQUEST_CHARS_MAX;
        let other = if is_short {
            self.means(turn, whole, true).await
        } else {
            None
        };
        other.is_some_and(|other| first.is_like(&other))
    }

    /// What a text comes to as this turn's request. One that was said before may be read nearly as well, as far as all
    /// of it is used.
    async fn means(&self, turn: &Turn, text: &str, may_be_near: bool) -> Option<Meaning> {
        let turn = Turn {
            text: text.to_owned(),
            ..turn.clone()
        };
        let (hands, stop) = (Hands::default(), CancellationToken::new());
        let audience = Audience {
            tell: &|_| {},
            stop: &stop,
        };
        let mut cascade = Cascade::new(self, &turn, audience, &hands);
        if !cascade.reading.is_read() {
            return None;
        }
        cascade.know_shared().await;
        cascade.know().await;
        cascade.meaning(may_be_near)
    }
}

impl Cascade<'_> {
    fn meaning(&mut self, may_be_near: bool) -> Option<Meaning> {
        let by_rule = match self.engine.by_rule(&self.turn.text, &self.turn.actor) {
            PatternMatch::Hit(pattern) => Some(of_rule(pattern)),
            PatternMatch::Decline(_) | PatternMatch::Clarify(..) | PatternMatch::Refuse(_) | PatternMatch::Miss => None,
        };
        // What was set is there by now, and the same words could change it.
        if let Some(adds @ Meaning::Adds(_)) = by_rule {
            return Some(adds);
        }
        if by_rule.is_none()
            && let Some(when) = self.reminds()
        {
            return Some(Meaning::Reminds(when));
        }
        if let Some(near) = self.certain_reading() {
            return self.of_plan(near.plan);
        }
        if by_rule.is_some() {
            return by_rule;
        }
        let plan = match composer::compose(&self.reading, self.catalog.all(), &[]) {
            Composition::Plan(plan) => Some(plan),
            Composition::Unsure { .. } | Composition::NoDomain(_) if may_be_near => self.whole_reading(),
            Composition::Unsure { .. }
            | Composition::NoDomain(_)
            | Composition::Several
            | Composition::NotThere(_)
            | Composition::Excluded => None,
        };
        plan.and_then(|plan| self.of_plan(plan))
    }

    /// What a plan comes to; one that asks back says too little.
    fn of_plan(&self, plan: Plan<Proposed>) -> Option<Meaning> {
        if self.catalog.only_looks(&plan) {
            Some(Meaning::Plan(plan))
        } else {
            (!follow_up::asks_back(&plan)).then_some(Meaning::Change(plan))
        }
    }
}

/// The files that are there, or were, because of a change; not those whose text is another.
fn made_or_moved(reversal: &Reversal) -> Vec<&str> {
    match reversal {
        Reversal::MoveBack { from, to } => vec![from, to],
        Reversal::RemoveFile { path, .. } | Reversal::RemoveDir { path } => vec![path],
        Reversal::Restore { .. } | Reversal::Task { .. } | Reversal::Call { .. } => Vec::new(),
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Of the rules those that only tell something have values that may be others.
fn of_rule(pattern: Pattern) -> Meaning {
    match pattern {
        Pattern::TimeIn { .. }
        | Pattern::DayOf { .. }
        | Pattern::DaysUntil { .. }
        | Pattern::DaysSince { .. }
        | Pattern::Sum { .. }
        | Pattern::Command(Command::ListSchedules { .. }) => Meaning::Rule(pattern),
        Pattern::Command(Command::SetTimer { .. } | Command::SetAlarm(_)) => Meaning::Adds(pattern),
        Pattern::Time
        | Pattern::Date
        | Pattern::Year
        | Pattern::Month
        | Pattern::Week
        | Pattern::Undo(_)
        | Pattern::UndoPart { .. }
        | Pattern::UndoNamed(_)
        | Pattern::Hello
        | Pattern::Thanks
        | Pattern::Bye
        | Pattern::GoodNight
        | Pattern::WhoAreYou
        | Pattern::Help
        | Pattern::Status
        | Pattern::SetAutonomy(_)
        | Pattern::LowerAutonomy
        | Pattern::WhereAmI
        | Pattern::Command(_) => Meaning::Other,
    }
}
