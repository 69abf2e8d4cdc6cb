//! What a pattern's hit does: a one-step plan through the same executor and policy as any other plan, or a sentence
//! that needs nothing but words.

use serde_json::{Value, json};

use crate::{
    domain::{
        actor::Autonomy,
        intent::{Clause, Intent},
        message::Message,
        outcome::{AnsweredBy, FinalKind, View},
        plan::Plan,
        vocabulary::{Object, Verb},
    },
    engine::{
        dispatch::{Cascade, Ran},
        outcome::TurnOutcome,
        patterns::{
            Pattern,
            command::{Command, Subject},
        },
        plan_executor::state::Resume,
        terminator::DeadEnd,
        validator::Grounding,
    },
};

impl Cascade<'_> {
    /// Answers a hit; `None` when its tool failed, so that the cascade goes on with clean hands.
    pub(super) async fn answer_pattern(&mut self, hit: &Pattern) -> Option<TurnOutcome> {
        match hit {
            Pattern::Time => self.one_step("get_now", json!({}), Some("answer-time")).await,
            Pattern::TimeIn { place } => self.one_step("get_now", json!({"place": place}), None).await,
            Pattern::Date => self.one_step("get_now", json!({}), Some("answer-date")).await,
            Pattern::DayOf { when, past } => self.day_of(when, *past),
            Pattern::DaysUntil { when } => self.days_until(when),
            Pattern::Year => Some(say(now_sentence("answer-year", &self.turn.now))),
            Pattern::Month => Some(say(now_sentence("answer-month", &self.turn.now))),
            Pattern::Week => Some(self.week()),
            Pattern::Bye => Some(say(Message::new("bye-back"))),
            Pattern::GoodNight => Some(say(Message::new("good-night-back"))),
            Pattern::Undo(turns) => self.one_step("undo_last_turn", json!({"turns": turns}), None).await,
            Pattern::Hello => Some(say(
                Message::new("hello-back").with("hour", f64::from(self.turn.now.hour()))
            )),
            Pattern::Thanks => Some(say(Message::new("you-are-welcome"))),
            Pattern::WhereAmI => self.one_step("get_location", json!({}), None).await,
            Pattern::WhoAreYou => Some(say(Message::new("who-are-you"))),
            Pattern::Help => Some(say(Message::new("help"))),
            Pattern::Status => Some(self.status().await),
            Pattern::SetAutonomy(level) => Some(self.set_autonomy(*level).await),
            Pattern::LowerAutonomy => {
                let lower = lower(self.turn.actor.autonomy);
                Some(self.set_autonomy(lower).await)
            }
            Pattern::Command(command) => self.command(command),
        }
    }

    /// A command goes on to the planner when an executor for its kind of thing is there. When none is, nobody further
    /// down can do it either: it is said at once, and nothing else is made of the words.
    fn command(&mut self, command: &Command) -> Option<TurnOutcome> {
        let subject = command.subject();
        if self.has_tool_for(subject) {
            self.note(format!("patterns: {subject:?} are left to the planner"));
            return None;
        }
        let verb = match command {
            Command::SetTimer { .. } | Command::SetAlarm(_) => Verb::Create,
            Command::ListSchedules { .. } => Verb::List,
            Command::ChangeTimer { .. }
            | Command::CancelAlarm { .. }
            | Command::SnoozeAlarm
            | Command::Device(_)
            | Command::Watcher { .. } => Verb::Set,
        };
        let intent = Intent {
            clauses: vec![Clause {
                verb: Some(verb),
                object: Some(object_of(subject)),
            }],
            keywords: Vec::new(),
            confidence: 1.0,
        };
        Some(self.admit(&nothing_for(subject), &intent))
    }

    /// Whether anything in the catalog works on this.
    pub(super) fn has_tool_for(&self, subject: Subject) -> bool {
        let object = object_of(subject);
        self.catalog
            .all()
            .iter()
            .any(|manifest| manifest.object == Some(object))
    }

    /// Runs one executor and says its result with `sentence`, or with the executor's own.
    async fn one_step(&mut self, tool: &str, args: Value, sentence: Option<&str>) -> Option<TurnOutcome> {
        let plan = Plan::from_json(&json!({"steps": [{"tool": tool, "args": args}]})).ok()?;
        let plan = match self.validate(plan, Grounding::Approved) {
            Ok(plan) => plan,
            Err(errors) => {
                self.note(format!("patterns: {errors:?}"));
                return None;
            }
        };
        match self.run(plan, Resume::default(), AnsweredBy::Pattern).await {
            Ran::Answered(mut outcome) => {
                outcome.lessons.fastpath = None;
                outcome.lessons.observation = None;
                if let (Some(key), None) = (sentence, &outcome.pause) {
                    outcome.views = vec![View::Say(now_sentence(key, &self.turn.now))];
                }
                Some(*outcome)
            }
            Ran::Failed(report) => {
                self.note("patterns: the tool failed".to_owned());
                // An undo that cannot be done is an answer; it must never reach a model (incident 15).
                (tool == "undo_last_turn").then(|| {
                    let class = crate::domain::failure::FailureClass::OutOfScope;
                    self.dead_end(&report, class)
                })
            }
        }
    }

    async fn status(&mut self) -> TurnOutcome {
        let totals = match self.engine.store.totals(&self.turn.actor.id).await {
            Ok(totals) => totals,
            Err(error) => {
                self.note(format!("status: {error}"));
                crate::store::turns::Totals::default()
            }
        };
        let model = if !self.engine.llm.is_configured() && self.engine.online.is_some() {
            Message::new("status-model-online")
        } else if !self.engine.llm.is_configured() {
            Message::new("status-model-none")
        } else if self.engine.llm.healthy().await {
            Message::new("status-model-up")
        } else {
            self.engine
                .llm
                .server_trouble()
                .unwrap_or_else(|| Message::new("status-model-down"))
        };
        say(Message::new("status")
            .with("tools", self.catalog.all().len())
            .with("refused", self.catalog.rejected().len())
            .with("turns", totals.turns)
            .with("memory", totals.from_memory)
            .with("fastpaths", totals.fastpaths)
            .with("autopaths", totals.autopaths)
            .with("autonomy", self.turn.actor.autonomy.as_str())
            .with("model", model))
    }

    /// Lowering is immediate; raising needs another factor than the sentence, which the machine's own terminal is.
    async fn set_autonomy(&mut self, level: Autonomy) -> TurnOutcome {
        let now = self.turn.actor.autonomy;
        if level == now {
            return say(Message::new("autonomy-same").with("level", level.as_str()));
        }
        if level > now {
            return say(Message::new("autonomy-raise-needs-command")
                .with("level", level.as_str())
                .with("actor", self.turn.actor.id.as_str()));
        }
        match self.engine.store.set_autonomy(&self.turn.actor.id, level).await {
            Ok(()) => say(Message::new("autonomy-lowered").with("level", level.as_str())),
            Err(error) => {
                self.note(format!("autonomy: {error}"));
                let views = vec![View::Say(Message::new("store-failed"))];
                TurnOutcome::new(AnsweredBy::Pattern, FinalKind::Error, views)
            }
        }
    }
}

fn object_of(subject: Subject) -> Object {
    match subject {
        Subject::Clocks | Subject::Watchers => Object::Tasks,
        Subject::Devices => Object::Devices,
    }
}

/// What is said when nothing here works on such a thing.
pub(super) fn nothing_for(subject: Subject) -> DeadEnd {
    match subject {
        Subject::Clocks | Subject::Devices => DeadEnd::NoDomain {
            object: object_of(subject),
        },
        Subject::Watchers => DeadEnd::NoWatchers,
    }
}

fn lower(level: Autonomy) -> Autonomy {
    match level {
        Autonomy::A0 | Autonomy::A1 => Autonomy::A0,
        Autonomy::A2 => Autonomy::A1,
        Autonomy::A3 => Autonomy::A2,
        Autonomy::A4 => Autonomy::A3,
    }
}

pub(super) fn say(message: Message) -> TurnOutcome {
    TurnOutcome::new(AnsweredBy::Pattern, FinalKind::Answer, vec![View::Say(message)])
}

/// Time and date in parts, so that each language puts them together in its own way.
fn now_sentence(key: &str, now: &jiff::Zoned) -> Message {
    Message::new(key)
        .with("time", now.strftime("%H:%M").to_string())
        .with("hour", f64::from(now.hour()))
        .with("weekday", f64::from(now.weekday().to_monday_one_offset()))
        .with("day", f64::from(now.day()))
        .with("month", f64::from(now.month()))
        .with("year", now.year().to_string())
}
