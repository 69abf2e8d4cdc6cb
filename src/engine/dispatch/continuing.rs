//! A message that says only a value, behind an answer: "and on saturday?", "and in london?". The request before is read
//! again with that value in it, by the same layers, and counts where it comes to the same kind of look with other
//! values. Of all changes only a clock is set once more, where one more was asked for: "another one of 8 minutes". Called by
//! the runtime before the turn begins; nothing runs here.

use tokio_util::sync::CancellationToken;

use super::{Cascade, stopping::Hands};
use crate::{
    config::EngineChoice,
    domain::{
        ids::ExecutorName,
        limits::REQUEST_CHARS_MAX,
        plan::{Plan, Proposed},
        turn::Turn,
    },
    engine::{
        Audience, Engine,
        composer::{self, Composition},
        patterns::{Pattern, PatternMatch, command::Command},
    },
    language::Continued,
};

/// What a request comes to, as far as it only looks.
#[derive(Debug, PartialEq)]
enum Meaning {
    Rule(Pattern),
    Plan(Plan<Proposed>),
    /// It sets one more clock.
    Adds(Pattern),
    /// It changes something, or is none of these.
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
            (Self::Rule(_) | Self::Plan(_) | Self::Adds(_) | Self::Other, _) => false,
        }
    }
}

impl Engine {
    /// The request that a turn's message completes, if it says only a value of the one before.
    pub async fn continued(&self, turn: &Turn) -> Option<String> {
        let before = turn.before.as_ref().filter(|_| self.choice != EngineChoice::Metis)?;
        let home = self.home_for(&turn.actor);
        let read = |text: &str| self.language.read_at_home(text, turn.actor.lang, &turn.now, &home);
        let own = read(&turn.text);
        let Continued {
            by_value,
            by_form,
            by_place,
            is_another,
            names_thing,
        } = self.language.continued(|| read(&before.text), &own, &home);
        let is_none = by_value.is_empty() && by_form.is_empty() && by_place.is_empty();
        if is_none || self.means(turn, &turn.text, names_thing).await.is_some() {
            return None;
        }
        let first = self.means(turn, &before.text, true).await?;
        // Another word in an order to set something would set whatever that word is: "and thanks".
        let is_change = matches!(first, Meaning::Adds(_));
        if is_change && !is_another {
            return None;
        }
        let by_form = by_form.into_iter().filter(|_| !is_change);
        let by_place = by_place.into_iter().filter(|_| !is_change);
        for whole in by_value.into_iter().chain(by_form) {
            if self.is_like(turn, &first, &whole).await {
                return Some(whole);
            }
        }
        let mut found = None;
        for whole in by_place {
            if self.is_like(turn, &first, &whole).await && found.replace(whole).is_some() {
                return None;
            }
        }
        found
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
        if let Some(near) = self.certain_reading() {
            return Some(self.as_look(near.plan));
        }
        if by_rule.is_some() {
            return by_rule;
        }
        if let Composition::Plan(plan) = composer::compose(&self.reading, self.catalog.all(), &[]) {
            return Some(self.as_look(plan));
        }
        let plan = if may_be_near { self.whole_look() } else { None };
        plan.map(|plan| self.as_look(plan))
    }

    fn as_look(&self, plan: Plan<Proposed>) -> Meaning {
        if self.catalog.only_looks(&plan) {
            Meaning::Plan(plan)
        } else {
            Meaning::Other
        }
    }
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
