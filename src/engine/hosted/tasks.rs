//! The executors of tasks: they make, show, change and end what happens later for the person who asks, and for nobody
//! else. A family of `engine::families`; when something fires is the scheduler's to know, and no moment is made up
//! here.

use std::sync::OnceLock;

use jiff::{Zoned, civil::Date};
use serde_json::{Map, Value, json};

use super::Host;
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        fold::fold,
        ids::ExecutorName,
        lang::Lang,
        limits::{LINES_NAMED_MAX, TASK_ANSWERED_WITHIN},
        message::Message,
        run::{Reversal, ToolResult},
        task::{Task, TaskKind, TaskState},
        turn::Origin,
    },
    engine::{
        families::{Family, Knowing, Naming, Running, Scene, Telling},
        tasks::wording,
        things::Resolver,
    },
    executors::Call,
    language::Language,
};

/// Takes changes back.
mod back;
/// Makes one.
mod create;
/// Last days that papers name.
mod deadlines;
/// Changes and ends them.
mod change;
/// Shows them.
mod look;
/// Which of them some words mean.
mod things;

pub(super) use create::no_when;
use things::{Set, Words};

/// Timers, alarms, reminders, repeated requests and watchers.
#[derive(Debug, Default)]
pub struct Tasks {
    /// What they are called, by language; read once.
    words: OnceLock<[(Lang, Words); 2]>,
}

impl Tasks {
    fn words(&self, language: &Language, lang: Lang) -> &Words {
        let of = |lang: Lang| (lang, Words::of(language, lang));
        let all = self.words.get_or_init(|| [of(Lang::EN), of(Lang::IT)]);
        let [(_, english), _] = all;
        all.iter()
            .find(|(own, _)| *own == lang)
            .map_or(english, |(_, words)| words)
    }

    async fn set<'a>(&'a self, scene: Scene<'a>) -> Set<'a> {
        let owner = &scene.turn.actor.id;
        let now_ms = scene.clock.now_ms();
        let since_ms = now_ms.saturating_sub(super::ms(TASK_ANSWERED_WITHIN));
        // Without the database nothing is named, and the executor says why.
        let mut tasks = scene.store.tasks_of(owner).await.unwrap_or_default();
        // What runs by itself speaks of the world: its own words would name it, too.
        if let Origin::Due { task, .. } = &scene.turn.origin {
            tasks.retain(|one| one.id != task.id);
        }
        let rang = scene.store.runs_unanswered(owner, since_ms).await.unwrap_or_default();
        Set {
            tasks,
            rang: rang.into_iter().map(|run| run.task).collect(),
            language: scene.language,
            lang: scene.lang,
            now: scene.turn.now.clone(),
            words: self.words(scene.language, scene.lang),
        }
    }
}

impl Family for Tasks {
    fn executors(&self) -> &'static [&'static str] {
        &[
            "create_tasks",
            "list_tasks",
            "read_tasks",
            "read_tasks_history",
            "set_tasks",
            "delete_tasks",
        ]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        match name.as_str() {
            "create_tasks" => Box::pin(host.create_tasks(call)),
            "list_tasks" => Box::pin(host.list_tasks(call)),
            "read_tasks" => Box::pin(host.read_tasks(call)),
            "read_tasks_history" => Box::pin(host.read_tasks_history(call)),
            "set_tasks" => Box::pin(host.set_tasks(call)),
            _ => Box::pin(host.delete_tasks(call)),
        }
    }

    fn names<'a>(&'a self, host: &'a Host<'a>, _name: &'a ExecutorName, call: &'a Call) -> Naming<'a> {
        Box::pin(async move {
            let mut names = Vec::new();
            for id in call.texts("task").unwrap_or_default() {
                let task = host.store.task(&id.as_str().into()).await.ok().flatten();
                names.extend(task.map(|task| things::choice(&task, &call.context.now)));
            }
            names
        })
    }

    fn keeps_rows(&self, _name: &ExecutorName) -> bool {
        true
    }

    fn day<'a>(&'a self, host: &'a Host<'a>, call: &'a Call, day: Date) -> Telling<'a> {
        Box::pin(host.tasks_of_day(call, day))
    }

    fn things<'a>(&'a self, scene: Scene<'a>) -> Knowing<'a> {
        Box::pin(async move {
            let set: Box<dyn Resolver + 'a> = Box::new(self.set(scene).await);
            Some(set)
        })
    }
}

/// Which of a person's tasks are meant.
#[derive(Clone, Debug, Default)]
struct Meant {
    /// By their ids, or as they were offered to choose from; empty where they are described.
    ids: Vec<String>,
    now: Option<Zoned>,
    kind: Option<TaskKind>,
    name: Option<String>,
    area: Option<String>,
    seconds: Option<u64>,
    time: Option<String>,
    date: Option<Date>,
}

impl Meant {
    fn of(call: &Call) -> Result<Self, ToolError> {
        let text = |name: &str| -> Result<Option<String>, ToolError> {
            let text = call.optional_text(name)?.map(str::trim);
            Ok(text.filter(|text| !text.is_empty()).map(str::to_owned))
        };
        let date = match text("date")? {
            Some(date) => Some(date.parse().map_err(|_no_date| wrong("date"))?),
            None => None,
        };
        Ok(Self {
            ids: match call.args.get("task") {
                None | Some(Value::Null) => Vec::new(),
                Some(_) => call.texts("task")?,
            },
            now: Some(call.context.now.clone()),
            kind: text("kind")?.as_deref().and_then(TaskKind::parse),
            name: text("name")?,
            area: text("area")?,
            seconds: call
                .count("duration_s")?
                .and_then(|seconds| u64::try_from(seconds).ok()),
            time: text("time")?,
            date,
        })
    }

    fn fits(&self, task: &Task) -> bool {
        if !self.ids.is_empty() {
            let offered = self.now.as_ref().map(|now| things::choice(task, now));
            return self
                .ids
                .iter()
                .any(|id| *id == task.id.as_str() || Some(id) == offered.as_ref());
        }
        let of_kind = self.kind.is_none_or(|kind| kind == task.kind);
        let of_length = self.seconds.is_none_or(|seconds| {
            let length_ms = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1_000);
            task.length_ms == Some(length_ms)
        });
        let wall = task.due_ms.and_then(|ms| {
            let at = jiff::Timestamp::from_millisecond(ms).ok()?;
            Some(at.to_zoned(task.time_zone()))
        });
        let at_time = self.time.as_ref().is_none_or(|time| {
            wall.as_ref()
                .is_some_and(|at| at.strftime("%H:%M").to_string() == *time)
        });
        let on_date = self
            .date
            .is_none_or(|date| wall.as_ref().is_some_and(|at| at.date() == date));
        of_kind && of_length && at_time && on_date
    }

    /// Those that are meant: called so if any is, else with these words in their name or what they say.
    fn among(&self, tasks: Vec<Task>) -> Vec<Task> {
        let mut fits: Vec<Task> = tasks.into_iter().filter(|task| self.fits(task)).collect();
        for name in [&self.name, &self.area].into_iter().flatten() {
            let wanted = fold(name);
            let is_called = |task: &Task| fold(&task.name) == wanted;
            let speaks = |task: &Task| fold(&task.name).contains(&wanted) || fold(&task.words).contains(&wanted);
            if fits.iter().any(is_called) {
                fits.retain(is_called);
            } else {
                fits.retain(speaks);
            }
        }
        fits
    }

    fn kind_word(&self) -> &'static str {
        self.kind.map_or("any", TaskKind::as_str)
    }
}

impl Host<'_> {
    /// What the person has that is not over.
    async fn own_tasks(&self, call: &Call) -> Result<Vec<Task>, ToolError> {
        let tasks = self.store.tasks_of(&call.context.actor).await;
        tasks.map_err(ToolError::from)
    }

    /// The one task that is meant; of several one that still waits.
    async fn the_task(&self, call: &Call, meant: &Meant, may: impl Fn(&Task) -> bool) -> Result<Task, ToolError> {
        let mut found = meant.among(self.own_tasks(call).await?);
        if found.iter().any(&may) {
            found.retain(&may);
        }
        if found.iter().any(|task| task.state != TaskState::Ringing) {
            found.retain(|task| task.state != TaskState::Ringing);
        }
        only(found, meant)
    }

    /// Writes a task as it is now, and how to take that back.
    async fn put(&self, before: Task, after: Task) -> Result<Reversal, ToolError> {
        let id = after.id.clone();
        let now_ms = self.clock.now_ms();
        if !self.store.task_put(after, now_ms).await? {
            return Err(refused("task-changed-meanwhile"));
        }
        Ok(Reversal::Task {
            id,
            before: Some(Box::new(before)),
        })
    }
}

/// One, and not several: then the person says which.
fn only(mut found: Vec<Task>, meant: &Meant) -> Result<Task, ToolError> {
    if found.len() > 1 {
        let names = found.iter().take(LINES_NAMED_MAX).map(called).collect::<Vec<_>>();
        let which = Message::new("task-which")
            .with("count", found.len())
            .with("names", names.join(", "));
        return Err(ToolError::new(ErrorClass::AmbiguousSourceContext, which));
    }
    found.pop().ok_or_else(|| none(meant))
}

fn none(meant: &Meant) -> ToolError {
    let key = if meant.name.is_some() {
        "task-none-called"
    } else {
        "task-none"
    };
    let message = Message::new(key)
        .with("kind", meant.kind_word())
        .with("name", meant.name.clone().unwrap_or_default());
    ToolError::new(ErrorClass::NotFound, message)
}

/// What a task is told apart by.
fn called(task: &Task) -> String {
    let words = if task.name.is_empty() { &task.words } else { &task.name };
    if words.is_empty() {
        let at = task.due_ms.and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
        let at = at.map(|at| at.to_zoned(task.time_zone()).strftime("%H:%M").to_string());
        return at.unwrap_or_default();
    }
    format!("“{words}”")
}

fn refused(key: &str) -> ToolError {
    ToolError::new(ErrorClass::InvalidArgs, Message::new(key))
}

pub(super) fn wrong(name: &str) -> ToolError {
    let message = Message::new("executors-argument-wrong").with("name", name);
    ToolError::new(ErrorClass::InvalidArgs, message)
}

/// What every executor of tasks says of one.
fn described(task: &Task, now: &jiff::Zoned) -> Map<String, Value> {
    let rhythm = wording::again(task, now);
    let called = if task.name.is_empty() { &task.words } else { &task.name };
    let moment = match task.due_ms {
        Some(due_ms) => wording::moment(due_ms, now),
        None => Message::new("task-never"),
    };
    super::fields(json!({
        "ok_count": 1,
        "task": task.id,
        "kind": task.kind.as_str(),
        "named": if called.is_empty() { "no" } else { "yes" },
        "name": called,
        "text": task.words,
        "moment": moment,
        "again": if rhythm.is_some() { "yes" } else { "no" },
        "rhythm": rhythm.unwrap_or_else(|| Message::new("task-again")),
        "span": wording::span(task.length_ms.unwrap_or_default()),
    }))
}

fn changed(body: Map<String, Value>, reversals: Vec<Reversal>) -> ToolResult {
    ToolResult {
        reversals,
        ..ToolResult::ok(body)
    }
}
