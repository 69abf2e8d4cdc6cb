//! What is set, as things that words mean: by kind, name, words of its text, time of day, day, length, or as what was
//! spoken of or rang last. Made for a turn by the family of tasks. It looks at one person's tasks and at nothing else,
//! and where several fit alike it says which.
//!
//! | kind | what it is |
//! |---|---|
//! | `task` | what is named, or was spoken of last |
//! | `told-task` | the same, where a word for its kind or a pointer says that it is one |
//! | `some-task` | the same as `task`, or else all that waits: for a look |
//! | `deadline` | the last day for something that the last answer told of |
//! | `ringing` | what rang a while ago and nobody answered |

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use jiff::{Timestamp, Zoned};
use serde::Deserialize;
use serde_json::json;

use crate::{
    domain::{
        ids::TaskId,
        lang::{InEach, Lang},
        task::{Task, TaskKind, Trigger},
        vocabulary::Object,
    },
    engine::things::{self, Asking, Meant, Resolver},
    language::{
        Language,
        outline::{Sign, Word},
        time::{Conventions, Form, Mention, Value},
    },
};

/// The kind of what is set, as manifests name it.
const TASK: &str = "task";

/// The last day for something, as an answer told it.
const DEADLINE: &str = "deadline";

const WORDS: InEach<&str> = InEach {
    english: include_str!("../../../../locales/en/set.toml"),
    italian: include_str!("../../../../locales/it/set.toml"),
};

/// The words around what is set, in one language.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// What each kind is called, as stems.
    kinds: BTreeMap<String, Vec<String>>,
    /// What says nothing of which one.
    says_nothing: Vec<String>,
    /// What a watch looks for that speaks before appointments.
    begins_soon: String,
}

impl Words {
    /// What a watch looks for that speaks so long before appointments.
    pub(super) fn begins_soon(&self, ahead: Duration) -> String {
        let minutes = ahead.as_secs() / 60;
        self.begins_soon.replace("{minutes}", &minutes.to_string())
    }

    /// Those that come with the program; without any, things are told apart by their names alone.
    pub(super) fn of(language: &Language, lang: Lang) -> Self {
        let mut words: Self = toml::from_str(WORDS.of(lang)).unwrap_or_else(|error| {
            tracing::error!(%error, "the words for what is set are damaged");
            Self::default()
        });
        for names in words.kinds.values_mut() {
            *names = names
                .iter()
                .flat_map(|name| language.telling_stems(name, lang))
                .collect();
        }
        words
    }

    /// The kinds that a word names; empty for one that names them all.
    fn kinds_of(&self, word: &Word) -> Option<Vec<TaskKind>> {
        let named = self.kinds.iter().filter(|(_, names)| names.contains(&word.stem));
        let named: Vec<&str> = named.map(|(kind, _)| kind.as_str()).collect();
        (!named.is_empty()).then(|| named.into_iter().filter_map(TaskKind::parse).collect())
    }
}

/// What one person has set.
pub(super) struct Set<'a> {
    pub(super) tasks: Vec<Task>,
    /// What rang and was not answered, the last first.
    pub(super) rang: Vec<TaskId>,
    pub(super) language: &'a Language,
    pub(super) lang: Lang,
    pub(super) now: Zoned,
    pub(super) words: &'a Words,
}

/// What was said of which one.
#[derive(Default)]
struct Said {
    kinds: Vec<TaskKind>,
    /// A word for a kind, or for all of them, was said.
    names_kind: bool,
    is_many: bool,
    times: Vec<Mention>,
    /// Places of words for a name.
    name: Vec<usize>,
    /// Places of all others that are explained.
    used: Vec<usize>,
}

/// How a time of day that somebody said is compared.
#[derive(Clone, Copy)]
struct Closely {
    /// On the day that was meant, which is the next one where none was said.
    on_that_day: bool,
    /// By the hour as written: 11 is no 23.
    as_written: bool,
}

impl Closely {
    /// From what is meant most to what is meant least.
    const PASSES: [Self; 4] = [
        Self::by(true, true),
        Self::by(false, true),
        Self::by(true, false),
        Self::by(false, false),
    ];

    const fn by(on_that_day: bool, as_written: bool) -> Self {
        Self {
            on_that_day,
            as_written,
        }
    }
}

impl Said {
    fn tells(&self) -> bool {
        self.names_kind || !self.times.is_empty() || !self.name.is_empty()
    }
}

impl Set<'_> {
    fn said(&self, asking: &Asking<'_>) -> Said {
        let mut said = Said::default();
        for at in asking.own.iter().copied() {
            let Some(word) = asking.words.get(at) else { continue };
            if [Sign::All, Sign::Both].iter().any(|sign| word.may_be(sign)) {
                said.is_many = true;
                said.used.push(at);
            } else if let Some(kinds) = self.words.kinds_of(word).filter(|_| !word.is_time) {
                said.names_kind = true;
                said.is_many |= word.may_be(&Sign::Many);
                said.kinds.extend(kinds);
                said.used.push(at);
            } else if self.words.says_nothing.contains(&word.fold) || word.may_be(&Sign::Pointer) {
                said.used.push(at);
            } else if word.is_content() && !word.is_time && !word.is_number() {
                said.name.push(at);
            }
        }
        said.times = self.times(asking, &mut said.used);
        said
    }

    /// The times among the words: "the 11 o'clock reminder", "quella delle 7".
    fn times(&self, asking: &Asking<'_>, used: &mut Vec<usize>) -> Vec<Mention> {
        let is_value = |at: &usize| {
            asking
                .words
                .get(*at)
                .is_some_and(|word| word.is_time || word.is_number())
        };
        let values: Vec<usize> = asking.own.iter().copied().filter(is_value).collect();
        let (Some(first), Some(last)) = (values.first(), values.last()) else {
            return Vec::new();
        };
        let run: Vec<usize> = (*first..=*last).collect();
        let text = asking.written(&run).unwrap_or_default();
        let read = |text: &str| self.language.times(text, self.lang, &self.now, &Conventions::HOUSEHOLD);
        let mut found = read(text);
        if found.is_empty() {
            // "At 7" may be written as a bare 7.
            found = read(&format!("{text}:00"));
        }
        if !found.is_empty() {
            used.extend(values);
        }
        found
    }

    /// Those that fit what was said, and how much of the name they have.
    fn fitting(&self, asking: &Asking<'_>, said: &Said) -> Vec<(&Task, BTreeSet<usize>)> {
        let of_kind = |task: &&Task| said.kinds.is_empty() || said.kinds.contains(&task.kind);
        let all: Vec<&Task> = self.tasks.iter().filter(of_kind).collect();
        let fits = |task: &Task, closely| said.times.iter().all(|time| self.is_at(task, time, closely));
        let pass = |closely| -> Vec<&Task> { all.iter().copied().filter(|task| fits(task, closely)).collect() };
        let found = Closely::PASSES.into_iter().map(pass).find(|found| !found.is_empty());
        let found = found.unwrap_or_default();
        let named = |task: &Task| -> BTreeSet<usize> {
            let stems = self
                .language
                .telling_stems(&format!("{} {}", task.name, task.words), self.lang);
            let is_said = |at: &usize| asking.words.get(*at).is_some_and(|word| stems.contains(&word.stem));
            said.name.iter().copied().filter(is_said).collect()
        };
        let mut named: Vec<(&Task, BTreeSet<usize>)> = found.into_iter().map(|task| (task, named(task))).collect();
        let best = named.iter().map(|(_, words)| words.len()).max().unwrap_or_default();
        named.retain(|(_, words)| words.len() == best && (best > 0 || said.name.is_empty()));
        named
    }

    /// Whether a task happens then: at this moment or time of day, on this day, after so long.
    fn is_at(&self, task: &Task, time: &Mention, closely: Closely) -> bool {
        let due = task.due_ms.and_then(|ms| Timestamp::from_millisecond(ms).ok());
        let due = due.map(|due| due.to_zoned(self.now.time_zone().clone()).datetime());
        if let Form::Recurring(again) = &time.form {
            return comes_again(task) && again.at.is_none_or(|at| due.is_some_and(|due| due.time() == at));
        }
        let hour = |value: &Value| match value {
            Value::Moment(moment) => Some(moment.hour()),
            Value::Date(_) | Value::Range(..) | Value::Duration(_) => None,
        };
        let as_written = time.readings.iter().filter_map(hour).min();
        let is_meant = |value: &&Value| !closely.as_written || hour(value) == as_written;
        time.readings.iter().filter(is_meant).any(|value| match value {
            Value::Moment(moment) if closely.on_that_day => due == Some(*moment),
            Value::Moment(moment) => due.is_some_and(|due| due.time() == moment.time()),
            Value::Date(date) => due.is_some_and(|due| due.date() == *date),
            Value::Range(from, to) => {
                due.is_some_and(|due| from.is_none_or(|from| from <= due) && to.is_none_or(|to| due < to))
            }
            Value::Duration(seconds) => {
                let length_ms = (seconds * 1_000.0).round() as i64;
                task.length_ms == Some(length_ms)
            }
        })
    }

    /// What nobody had to name: what was spoken of last, then what rang last.
    fn at_hand(&self, asking: &Asking<'_>) -> Option<Vec<TaskId>> {
        let is_there = |id: &String| self.tasks.iter().any(|task| task.id.as_str() == id.as_str());
        let spoken = asking.view.touched.of(TASK);
        let spoken = spoken.map(|listed| {
            listed
                .ids
                .iter()
                .filter(|id| is_there(id))
                .map(|id| TaskId::from(id.as_str()))
        });
        let spoken: Option<Vec<TaskId>> = spoken
            .map(Iterator::collect)
            .filter(|ids: &Vec<TaskId>| !ids.is_empty());
        spoken.or_else(|| Some(vec![self.rang.first()?.clone()]))
    }

    fn task(&self, asking: &Asking<'_>, is_look: bool) -> Option<Meant> {
        let said = self.said(asking);
        // "Delete the mails from the school" is about mails, though a watch for them has the same words.
        let mut words = asking.own.iter().filter_map(|at| asking.words.get(*at));
        let is_other = |sign: &Sign| matches!(sign, Sign::Object(object) if *object != Object::Tasks);
        let speaks_of_others = words.any(|word| word.signs.iter().any(|(sign, _)| is_other(sign)));
        let mut clause = asking.clause.iter().filter_map(|at| asking.words.get(*at));
        let deletes = clause.any(|word| word.deeds().any(|deed| deed == "delete"));
        if deletes && speaks_of_others && !said.names_kind {
            return None;
        }
        if !said.tells() {
            let ids = match self.at_hand(asking) {
                Some(ids) => ids,
                None if is_look => self.waiting(),
                None => return None,
            };
            // Nobody changes several by a word that names none of them, unless it stands for many.
            let is_many = || {
                asking
                    .clause
                    .iter()
                    .any(|at| asking.words.get(*at).is_some_and(stands_for_many))
            };
            let choices = if is_look || ids.len() == 1 || is_many() {
                Vec::new()
            } else {
                let those = self.tasks.iter().filter(|task| ids.contains(&task.id));
                those.map(|task| choice(task, &self.now)).collect()
            };
            return (!ids.is_empty()).then(|| Meant {
                choices,
                ..Meant::by(json!(ids), said.used, true)
            });
        }
        let mut found = self.fitting(asking, &said);
        // What rests or waits is meant before what rang.
        if found.len() > 1 && !said.is_many && found.iter().any(|(task, _)| !self.rang.contains(&task.id)) {
            found.retain(|(task, _)| !self.rang.contains(&task.id));
        }
        let mut words = said.used;
        words.extend(found.iter().flat_map(|(_, named)| named.iter().copied()));
        words.sort_unstable();
        words.dedup();
        let ids: Vec<&TaskId> = found.iter().map(|(task, _)| &task.id).collect();
        let is_clear = ids.len() == 1 || said.is_many || is_look;
        // Of what rings now and comes again, only the ringing may be meant.
        let rings_on = |(task, _): &(&Task, BTreeSet<usize>)| comes_again(task) && self.rang.contains(&task.id);
        let is_sure = is_look || !found.iter().any(rings_on);
        let meant = Meant::by(json!(ids), words, is_sure);
        match ids.len() {
            0 => None,
            _ if is_clear => Some(meant),
            _ => Some(Meant {
                choices: found.iter().map(|(task, _)| choice(task, &self.now)).collect(),
                ..meant
            }),
        }
    }

    /// Timers where some run, else all that waits for its moment.
    fn waiting(&self) -> Vec<TaskId> {
        let of = |fits: &dyn Fn(&Task) -> bool| -> Vec<TaskId> {
            self.tasks
                .iter()
                .filter(|task| fits(task))
                .map(|task| task.id.clone())
                .collect()
        };
        let timers = of(&|task| task.kind == TaskKind::Timer && task.is_waiting());
        if timers.is_empty() {
            of(&Task::is_waiting)
        } else {
            timers
        }
    }
}

fn stands_for_many(word: &Word) -> bool {
    word.may_be(&Sign::Pointer) && word.may_be(&Sign::Many)
}

fn comes_again(task: &Task) -> bool {
    !matches!(task.trigger, Trigger::At(_) | Trigger::AtWall(_) | Trigger::Manual)
}

/// What a person sees of one of several that are called alike.
pub(super) fn choice(task: &Task, now: &Zoned) -> String {
    let words = if task.name.is_empty() { &task.words } else { &task.name };
    let due = task.due_ms.and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let due = due.map(|due| due.to_zoned(now.time_zone().clone()));
    let moment = due.map(|due| match due.date() == now.date() {
        true => due.strftime("%H:%M").to_string(),
        false => due.strftime("%d/%m %H:%M").to_string(),
    });
    let parts = [Some(words.clone()).filter(|words| !words.is_empty()), moment];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

impl Resolver for Set<'_> {
    fn knows(&self, kind: &str) -> bool {
        matches!(kind, TASK | "told-task" | "some-task" | "ringing" | DEADLINE)
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        match asking.slot.kind.as_str() {
            TASK => self.task(asking, false),
            "told-task" if asking.points || self.said(asking).names_kind => self.task(asking, false),
            "some-task" => things::shown(asking, TASK).or_else(|| self.task(asking, true)),
            DEADLINE => {
                let known = asking.view.pointed(DEADLINE).and_then(|listed| listed.ids.first());
                // Where none was told of, the executor says so: no time is made of words that name none.
                Some(Meant::by(json!(known.map_or("", String::as_str)), Vec::new(), true))
            }
            "ringing" => {
                let said = self.said(asking);
                let named: Vec<TaskId> = self
                    .fitting(asking, &said)
                    .into_iter()
                    .map(|(task, _)| task.id.clone())
                    .collect();
                let rang = self.rang.iter().find(|id| !said.tells() || named.contains(id))?;
                Some(Meant::by(json!([rang]), said.used, true))
            }
            _ => None,
        }
    }
}
