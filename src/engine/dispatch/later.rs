//! What a request asks for another moment than now becomes a task: a reminder, a request that runs then, a watch.
//! Called once, when no rule answered. The time is never made up: what is left open is asked, what is over is said to
//! be over.

use serde_json::{Value, json};

use super::{
    Cascade,
    fixed::{ask, nothing_for, say},
    judging::literals,
};
use crate::{
    domain::{
        intent::Intent,
        kind::Class,
        message::Message,
        plan::Plan,
        vocabulary::{Object, ShapeRole, Verb},
    },
    engine::{
        composer::{self, Composition},
        outcome::TurnOutcome,
        patterns::{PatternMatch, command::Subject, trust::Speaker},
        tasks::asked::{Asked, Said},
        terminator::DeadEnd,
    },
    executors::paths,
    language::{ClauseReading, Mark, Reading},
};

/// The executor that makes tasks.
const MAKER: &str = "create_tasks";
/// The name of the answer that says when.
const WHEN: &str = "when";

impl Cascade<'_> {
    /// Makes a task of a request for later; `None` when it is about now.
    pub(super) async fn later(&mut self) -> Option<TurnOutcome> {
        if !self.reading.is_read() {
            return None;
        }
        if self.ends_one_of(Object::Tasks) {
            return Some(ask(Message::new("task-none-fits")));
        }
        let Some(asked) = self.asked() else {
            return self
                .no_schedule()
                .filter(|_| !self.times_are_aside() && !self.asks_now());
        };
        if !self.has_tool_for(Subject::Clocks) {
            return Some(self.admit(&nothing_for(Subject::Clocks), &self.reading.intent));
        }
        if !self.turn.is_typed {
            return Some(say(Message::new("pattern-not-typed")));
        }
        match asked {
            // "Remind me what is on the list?" asks, and says no time.
            Asked::Remind {
                when: Said::Open(said), ..
            } if said.is_empty() && self.reading.was_question => None,
            Asked::Beforehand => Some(ask(Message::new("task-no-deadline"))),
            Asked::Remind { words, when, times } => self.make("reminder", ("name", words), (when, times)).await,
            Asked::Do { .. } if self.times_are_dictated() => None,
            Asked::Do { request, when, times } => {
                if let Some(object) = self.missing_topic(&request) {
                    return Some(self.admit(&DeadEnd::NoDomain { object }, &self.reading.intent));
                }
                if !self.can_do(&request) {
                    let unknown = Message::new("task-query-unknown").with("request", request);
                    let is_now = self.times_are_aside() || self.asks_now() || self.takes_times();
                    return (!is_now).then(|| ask(unknown));
                }
                self.make("request", ("query", request), (when, times)).await
            }
            Asked::Watch { look, whether, .. } => {
                if let Some(folder) = self.missing_folder(&look) {
                    return Some(ask(Message::new("task-watch-nowhere").with("folder", folder)));
                }
                let looks_nowhere = matches!(
                    composer::compose(&self.reading_of(&look), self.catalog.all(), &[]),
                    Composition::NotThere(_)
                );
                let look = match looks_nowhere || !self.can_do(&look) {
                    true if self.would_read(&whether) => whether,
                    true => return Some(ask(Message::new("task-watch-unknown").with("request", look))),
                    false => look,
                };
                self.make("watcher", ("query", look), (Said::Clear(String::new()), None))
                    .await
            }
        }
    }

    /// When it asks to be reminded of something, if that is clear.
    pub(super) fn reminds(&self) -> Option<String> {
        match self.asked()? {
            Asked::Remind {
                words,
                when: Said::Clear(when),
                ..
            } if !words.is_empty() => Some(when),
            Asked::Remind { .. } | Asked::Do { .. } | Asked::Beforehand | Asked::Watch { .. } => None,
        }
    }

    /// What is asked for another moment. "How do I …", "don't …", "she said: …" ask for nothing to be done, later or now.
    fn asked(&self) -> Option<Asked> {
        let engine = self.engine;
        let acts = |rest: &str| self.changes_something(rest);
        let asked = engine
            .asking
            .read(&self.reading, &engine.language, &self.turn.now, &acts);
        let asked = asked.filter(|(_, before)| !engine.patterns.keep_from(before));
        asked.map(|(asked, _)| asked)
    }

    /// A watch over what is certain to be understood, where the request asks for one and not for how it is now.
    pub(super) async fn watch_of_certain(&mut self) -> Option<TurnOutcome> {
        let Asked::Watch {
            whether, may_be_now, ..
        } = self.asked()?
        else {
            return None;
        };
        if may_be_now || !self.has_tool_for(Subject::Clocks) {
            return None;
        }
        if !self.turn.is_typed {
            return Some(say(Message::new("pattern-not-typed")));
        }
        self.make("watcher", ("query", whether), (Said::Clear(String::new()), None))
            .await
    }

    /// A folder that a look would go into and that is not there: what was never seen cannot change.
    fn missing_folder(&self, look: &str) -> Option<String> {
        let Composition::Plan(plan) = composer::compose(&self.reading_of(look), self.catalog.all(), &[]) else {
            return None;
        };
        let home = self.engine.home_of(&self.turn.actor);
        let is_missing = |path: &str| paths::resolve(path, &home).is_ok_and(|path| !path.exists());
        plan.steps.iter().find_map(|step| {
            let manifest = self.catalog.get(&step.tool)?;
            let folders = literals(step, manifest, |class| class == Class::Folder);
            folders.into_iter().map(|(_, path)| path).find(|path| is_missing(path))
        })
    }

    /// Later or again and again is not now: doing it once would be another request.
    fn no_schedule(&self) -> Option<TurnOutcome> {
        let scheduled = self.reading.scheduled;
        scheduled.then(|| self.admit(&DeadEnd::NoSchedule, &self.reading.intent))
    }

    async fn make(
        &mut self,
        kind: &str,
        (field, words): (&str, String),
        (when, times): (Said, Option<u32>),
    ) -> Option<TurnOutcome> {
        let mut args = json!({"kind": kind});
        if let (Some(times), Some(args)) = (times, args.as_object_mut()) {
            args.insert("times".to_owned(), Value::from(times));
        }
        let mut put = |name: &str, value: String| {
            if let Some(args) = args.as_object_mut().filter(|_| !value.is_empty()) {
                args.insert(name.to_owned(), Value::from(value));
            }
        };
        put(field, words);
        let steps = match when {
            Said::Clear(when) => {
                put(WHEN, when);
                json!([{"tool": MAKER, "args": args}])
            }
            Said::Open(said) => {
                put(WHEN, format!("{said} ${{step1.values.{WHEN}}}").trim().to_owned());
                let question = json!([{"var": WHEN, "kind": "text", "about": "moment"}]);
                json!([
                    {"tool": "get_inputs", "args": {"fields": question}},
                    {"tool": MAKER, "args": args},
                ])
            }
            Said::Over => return Some(ask(Message::new("task-when-past"))),
        };
        let checked = Plan::from_json(&json!({"steps": steps}))
            .map_err(|error| error.to_string())
            .and_then(|plan| self.validate_fixed(plan).map_err(|errors| format!("{errors:?}")));
        match checked {
            Ok(plan) => Some(self.carry_out_command(plan).await),
            Err(reason) => {
                self.note(format!("later: {reason}"));
                Some(self.admit(&nothing_for(Subject::Clocks), &Intent::unknown()))
            }
        }
    }

    /// Whether a request changes something, as far as its words say.
    fn changes_something(&self, text: &str) -> bool {
        let reading = self.engine.language.read(text, self.turn.actor.lang, &self.turn.now);
        let acts = |verb: Verb| verb.shape_role() == ShapeRole::Act;
        reading
            .clauses
            .iter()
            .any(|clause| clause.verb.is_some_and(acts) && !clause.is(Mark::Implied))
    }

    /// What a request for later speaks of and no tool deals with: then it can be done later as little as now, whoever
    /// plans. Something to be noted for a day, with nowhere to note it, is an entry of a calendar.
    fn missing_topic(&self, request: &str) -> Option<Object> {
        let reading = self.reading_of(request);
        match composer::compose(&reading, self.catalog.all(), &[]) {
            Composition::NoDomain(object) => return Some(object),
            Composition::Plan(_) | Composition::NotThere(_) => return None,
            Composition::Unsure { .. } | Composition::Several | Composition::Excluded => {}
        }
        let notes = |clause: &ClauseReading| {
            let writes = matches!(clause.verb, Some(Verb::Write | Verb::Create));
            writes && clause.nouns.is_empty() && clause.object.is_none()
        };
        let names_a_place = !reading.facts.is_empty() || !reading.by_name.is_empty();
        let is_entry = !names_a_place && !reading.clauses.is_empty() && reading.clauses.iter().all(notes);
        (is_entry
            && !self
                .catalog
                .all()
                .iter()
                .any(|tool| tool.object == Some(Object::Events)))
        .then_some(Object::Events)
    }

    fn reading_of(&self, text: &str) -> Reading {
        let home = self.engine.home_for(&self.turn.actor);
        let language = &self.engine.language;
        language.read_at_home(text, self.turn.actor.lang, &self.turn.now, &home)
    }

    /// Whether anybody here could carry a request out when its time comes.
    fn can_do(&self, text: &str) -> bool {
        if self.has_model() || self.engine.online.is_some() {
            return true;
        }
        let speaker = Speaker::of(&self.turn.actor, true);
        let by_rule = self.engine.patterns.matching(text, &speaker, &self.household);
        if matches!(by_rule, PatternMatch::Hit(_)) {
            return true;
        }
        let is_composed = match composer::compose(&self.reading_of(text), self.catalog.all(), &[]) {
            // What is not there today may be there then.
            Composition::Plan(_) | Composition::NotThere(_) => true,
            Composition::Unsure { unaccounted, .. } => unaccounted.is_empty(),
            Composition::Several | Composition::NoDomain(_) | Composition::Excluded => false,
        };
        is_composed || self.would_read(text)
    }
}
