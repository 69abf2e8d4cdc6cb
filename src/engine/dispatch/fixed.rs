//! What a pattern's hit does: a one-step plan through the same executor and policy as any other plan, or a sentence
//! that needs nothing but words.

use serde_json::{Map, Value, json};

use crate::{
    domain::{
        actor::{Autonomy, Role},
        failure::FailureClass,
        ids::ExecutorName,
        intent::{Clause, Intent},
        message::Message,
        outcome::{AnsweredBy, FinalKind, View},
        plan::{Plan, Proposed, Validated},
        turn::Origin,
        vocabulary::{Object, Verb},
    },
    engine::{
        dispatch::{Cascade, Ran},
        fastpath,
        outcome::TurnOutcome,
        patterns::{
            Pattern, PatternMatch,
            command::{Command, Subject},
            contract::{self, Circumstances, Unserved, Wanted},
            trust::{self, Speaker},
        },
        plan_executor::state::Resume,
        recovery,
        tasks::wording,
        terminator::DeadEnd,
        validator::{Grounding, ValidationError},
    },
    language::time::{Form, Mention, Recurrence},
};

/// An executor for a command, and the arguments it would be called with, if it takes all of it.
type Hand = (ExecutorName, Result<Map<String, Value>, Unserved>);

impl Cascade<'_> {
    /// P0: fixed requests, by rule.
    pub(super) async fn pattern(&mut self) -> Option<TurnOutcome> {
        self.look_at_home().await;
        let text = self.turn.text.clone();
        self.pattern_of(&text).await
    }

    /// The same for the only part of the message that asks or tells something, where nobody read the whole of it.
    pub(super) async fn pattern_of_a_clause(&mut self) -> Option<TurnOutcome> {
        let text = self.only_clause().or_else(|| self.clause_that_takes_back())?;
        self.pattern_of(&text).await
    }

    async fn pattern_of(&mut self, text: &str) -> Option<TurnOutcome> {
        let speaker = Speaker::of(&self.turn.actor, self.turn.is_typed);
        let matched = self.engine.patterns.matching(text, &speaker, &self.household);
        let hit = match matched {
            PatternMatch::Hit(hit) => hit,
            PatternMatch::Clarify(_, Some(subject)) if !self.has_tool_for(subject) => {
                return Some(self.admit(&nothing_for(subject), &Intent::unknown()));
            }
            PatternMatch::Clarify(question, _) => return Some(ask(question)),
            PatternMatch::Refuse(refusal) => return Some(say(refusal)),
            PatternMatch::Decline(reason) => {
                self.note(format!("patterns: declined, {reason:?}"));
                return None;
            }
            PatternMatch::Miss => return None,
        };
        let is_retry = matches!(self.turn.origin, Origin::Retry { .. });
        if hit.is_safety() {
            // Doing it twice is not doing it differently.
            if is_retry {
                return Some(say(Message::new("retry-no-other-way")));
            }
            return self.answer_pattern(&hit).await;
        }
        if let Pattern::UndoNamed(named) = &hit {
            return self.undo_named(named).await;
        }
        if is_retry {
            self.note("patterns: the person wants another way".to_owned());
            return None;
        }
        if let Some(hash) = fastpath::canonical_hash(&self.canonical) {
            match self.engine.store.is_pattern_exempt(&self.turn.actor.id, &hash).await {
                Ok(false) => {}
                Ok(true) => {
                    self.exempted = true;
                    self.note("patterns: exempted by the person".to_owned());
                    return None;
                }
                Err(error) => self.note(format!("patterns: {error}")),
            }
        }
        self.answer_pattern(&hit).await
    }

    /// Answers a hit; `None` when its tool failed, so that the cascade goes on with clean hands.
    async fn answer_pattern(&mut self, hit: &Pattern) -> Option<TurnOutcome> {
        match hit {
            Pattern::Time => self.one_step("get_now", json!({}), Some("answer-time")).await,
            Pattern::TimeIn { place } => self.one_step("get_now", json!({"place": place}), None).await,
            Pattern::Date => self.one_step("get_now", json!({}), Some("answer-date")).await,
            Pattern::DayOf { when, past } => self.day_of(when, *past),
            Pattern::DaysUntil { when, in_weeks } => self.days_until(when, *in_weeks),
            Pattern::DaysSince { when } => self.days_since(when),
            Pattern::Year => Some(say(now_sentence("answer-year", &self.turn.now))),
            Pattern::Month => Some(say(now_sentence("answer-month", &self.turn.now))),
            Pattern::Week => Some(self.week()),
            Pattern::Bye => Some(say(Message::new("bye-back"))),
            Pattern::GoodNight => Some(say(Message::new("good-night-back"))),
            Pattern::Undo(turns) => self.undo(*turns).await,
            Pattern::UndoPart { turns, besides } => self.undo_part(*turns, besides.as_deref()).await,
            Pattern::UndoNamed(named) => self.undo_named(named).await,
            Pattern::Hello => Some(say(
                Message::new("hello-back").with("hour", f64::from(self.turn.now.hour()))
            )),
            Pattern::Thanks => Some(say(Message::new("you-are-welcome"))),
            Pattern::Sum { expression } => self.compute(expression).await,
            Pattern::WhereAmI => self.one_step("get_location", json!({}), None).await,
            Pattern::WhoAreYou => Some(say(Message::new("who-are-you"))),
            Pattern::Help => Some(say(Message::new("help"))),
            Pattern::Status => Some(self.status().await),
            Pattern::SetAutonomy(level) => Some(self.set_autonomy(*level).await),
            Pattern::LowerAutonomy => {
                let lower = lower(self.turn.actor.autonomy);
                Some(self.set_autonomy(lower).await)
            }
            Pattern::Command(command) => self.command(command).await,
        }
    }

    /// A sum is computed or it is said why not: there is nothing else its signs could mean.
    async fn compute(&mut self, expression: &str) -> Option<TurnOutcome> {
        let arguments = json!({"expression": expression})
            .as_object()
            .cloned()
            .unwrap_or_default();
        let plan = self.fixed_plan(&ExecutorName::from("compute_numbers"), &arguments)?;
        Some(self.carry_out_command(plan).await)
    }

    /// A command is one step for the executor that takes all of its values. When none is there for its kind of thing,
    /// nobody further down can do it either: it is said at once, and nothing else is made of the words.
    async fn command(&mut self, command: &Command) -> Option<TurnOutcome> {
        let around = Circumstances {
            now: &self.turn.now,
            repeats: self.reading.times.iter().find_map(recurrence),
            household: &self.household,
        };
        let wanted = match contract::wanted(command, &around) {
            Ok(wanted) => wanted,
            Err(_) if !self.has_tool_for(command.subject()) => return Some(self.nothing_for(command)),
            Err(Unserved::Ask(question)) => return Some(ask(question)),
            Err(reason) => {
                self.note(format!("patterns: left to the planner, {reason:?}"));
                return None;
            }
        };
        let hands = self.hands_for(&wanted);
        if hands.is_empty() {
            return Some(self.nothing_for(command));
        }
        let is_guest = self.turn.actor.role == Role::Guest;
        if is_guest && command.subject() == Subject::Devices && self.household.is_unknown() {
            return Some(say(Message::new("pattern-host-only")));
        }
        self.risk_min = self.risk_min.max(trust::risk(command, &self.household));
        if matches!(command, Command::CancelAlarm { all: false, .. }) && self.alarm_rings().await {
            return Some(ask(Message::new("pattern-alarm-rings")));
        }
        for (name, fit) in hands {
            match fit {
                Err(reason) => self.note(format!("patterns: {name} does not serve this, {reason:?}")),
                Ok(arguments) => {
                    if let Some(plan) = self.fixed_plan(&name, &arguments) {
                        return Some(self.carry_out_command(plan).await);
                    }
                }
            }
        }
        None
    }

    /// Every executor of a wanted kind, with the arguments it would be called with.
    fn hands_for(&self, wanted: &[Wanted]) -> Vec<Hand> {
        let of = |wanted: &Wanted| {
            let manifests = self.catalog.all().iter().filter(|manifest| wanted.is(manifest));
            let fits = manifests.map(|manifest| (manifest.name.clone(), wanted.arguments(manifest)));
            fits.collect::<Vec<_>>()
        };
        wanted.iter().flat_map(of).collect()
    }

    /// A checked plan of one step. What its words ask for is all in the step: no verb of the request is left to cover.
    fn fixed_plan(&mut self, tool: &ExecutorName, arguments: &Map<String, Value>) -> Option<Plan<Validated>> {
        let written = json!({"steps": [{"tool": tool, "args": arguments}]});
        let checked = Plan::from_json(&written)
            .map_err(|error| error.to_string())
            .and_then(|plan| self.validate_fixed(plan).map_err(|errors| format!("{errors:?}")));
        match checked {
            Ok(plan) => Some(plan),
            Err(reason) => {
                self.note(format!("patterns: {tool} does not serve this, {reason}"));
                None
            }
        }
    }

    /// Checks a plan made by rule.
    pub(super) fn validate_fixed(&self, plan: Plan<Proposed>) -> Result<Plan<Validated>, Vec<ValidationError>> {
        self.validate_covering(plan, Grounding::Approved, &[])
    }

    /// Runs a command's plan. A failure is its answer: the words meant this and nothing else.
    pub(super) async fn carry_out_command(&mut self, plan: Plan<Validated>) -> TurnOutcome {
        match self.run(plan, Resume::default(), AnsweredBy::Pattern).await {
            Ran::Answered(outcome) => Self::end_of_fixed(*outcome),
            Ran::Declined => self.admit(&DeadEnd::OnlyExcludedWays, &Intent::unknown()),
            Ran::Failed(report) => self.dead_end(&report, recovery::classify(&report)),
        }
    }

    /// What a rule answered teaches memory nothing.
    pub(super) fn end_of_fixed(mut outcome: TurnOutcome) -> TurnOutcome {
        outcome.lessons = outcome.lessons.without_memory();
        outcome
    }

    /// Whether an alarm rings, as far as whoever keeps them can be asked.
    async fn alarm_rings(&mut self) -> bool {
        let asked = self
            .hands_for(&[contract::ringing()])
            .into_iter()
            .find_map(|(name, fit)| Some((name, fit.ok()?)));
        let Some((name, arguments)) = asked else { return false };
        let Some(plan) = self.fixed_plan(&name, &arguments) else {
            return false;
        };
        match self.run(plan, Resume::default(), AnsweredBy::Pattern).await {
            Ran::Answered(outcome) => {
                let entries = outcome.records.iter().filter_map(|record| record.result.entries());
                entries.map(Vec::len).sum::<usize>() > 0
            }
            Ran::Declined | Ran::Failed(_) => {
                self.note("patterns: whether an alarm rings is not known".to_owned());
                false
            }
        }
    }

    fn nothing_for(&self, command: &Command) -> TurnOutcome {
        let subject = command.subject();
        let verb = Some(match command {
            Command::SetTimer { .. } | Command::SetAlarm(_) => Verb::Create,
            Command::ListSchedules { .. } => Verb::List,
            Command::ChangeTimer { .. }
            | Command::CancelAlarm { .. }
            | Command::SnoozeAlarm { .. }
            | Command::Device(_)
            | Command::Watcher { .. } => Verb::Set,
        });
        let object = Some(object_of(subject));
        let intent = Intent {
            clauses: vec![Clause { verb, object }],
            keywords: Vec::new(),
            confidence: 1.0,
        };
        self.admit(&nothing_for(subject), &intent)
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
    pub(super) async fn one_step(&mut self, tool: &str, args: Value, sentence: Option<&str>) -> Option<TurnOutcome> {
        let arguments = args.as_object().cloned().unwrap_or_default();
        let plan = self.fixed_plan(&ExecutorName::from(tool), &arguments)?;
        match self.run(plan, Resume::default(), AnsweredBy::Pattern).await {
            Ran::Answered(outcome) => {
                let mut outcome = Self::end_of_fixed(*outcome);
                if let (Some(key), None) = (sentence, &outcome.pause) {
                    outcome.views = vec![View::Say(now_sentence(key, &self.turn.now))];
                }
                Some(outcome)
            }
            Ran::Declined => None,
            Ran::Failed(report) => {
                self.note("patterns: the tool failed".to_owned());
                // An undo that cannot be done is an answer; it must never reach a model.
                (tool == "undo_last_turn").then(|| self.dead_end(&report, FailureClass::OutOfScope))
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
            .with("model", model)
            .with("next", self.next_task().await))
    }

    /// What of this person's fires next.
    async fn next_task(&mut self) -> Message {
        let tasks = match self.engine.store.tasks_of(&self.turn.actor.id).await {
            Ok(tasks) => tasks,
            Err(error) => {
                self.note(format!("tasks: {error}"));
                Vec::new()
            }
        };
        let waiting = tasks.iter().filter(|task| task.is_waiting());
        let Some(next) = waiting.clone().min_by_key(|task| task.due_ms) else {
            return Message::new("status-no-task");
        };
        let moment = wording::moment(next.due_ms.unwrap_or_default(), &self.turn.now);
        Message::new("status-next-task")
            .with("label", wording::label(next.kind, &next.name, &next.words))
            .with("moment", moment)
            .with("count", waiting.count())
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

/// A question that ends the turn.
pub(super) fn ask(question: Message) -> TurnOutcome {
    TurnOutcome::new(AnsweredBy::Pattern, FinalKind::Ask, vec![View::Say(question)])
}

/// What the request says of again and again.
fn recurrence(mention: &Mention) -> Option<&Recurrence> {
    if let Form::Recurring(recurrence) = &mention.form {
        Some(recurrence)
    } else {
        None
    }
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
