//! `create_tasks`: a timer, an alarm, a reminder, a request for later or one that repeats, a watch.

use std::time::Duration;

use serde_json::json;
use uuid::Uuid;

use super::{Host, changed, deadlines, described, refused, things::Words};
use crate::{
    domain::{
        actor::Role,
        failure::{ErrorClass, ToolError},
        ids::TaskId,
        limits::{REQUEST_CHARS_MAX, TASK_NAME_CHARS_MAX, TASK_REQUESTS_APART, TASKS_PER_PERSON_MAX, WATCHER_EVERY},
        message::Message,
        quota::QuotaKind,
        run::{Reversal, ToolResult},
        task::{Task, TaskKind, TaskPlace, Trigger},
    },
    engine::{
        hosted::{ms, tasks::wrong},
        tasks::{
            when::{self, NoWhen, When},
            wording,
        },
    },
    executors::Call,
    language::time::{Conventions, Value},
    store::tasks::TaskAdded,
};

/// Characters of a task's id.
const ID_CHARS: usize = 12;

impl Host<'_> {
    pub(in crate::engine::hosted) async fn create_tasks(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let kind = call.text("kind")?;
        let kind = TaskKind::parse(kind).filter(|kind| *kind != TaskKind::Job);
        let kind = kind.ok_or_else(|| wrong("kind"))?;
        let when = self.when(call, kind)?;
        let task = self.new_task(call, kind, when.clone())?;
        let now_ms = self.clock.now_ms();
        let cap = self.cap(call).await?;
        match self.store.task_add(task.clone(), Some(cap), now_ms).await? {
            TaskAdded::Yes => {}
            TaskAdded::TooMany => {
                let message = Message::new("task-too-many").with("limit", u64::from(cap));
                return Err(ToolError::new(ErrorClass::TooLarge, message));
            }
            TaskAdded::NotLetIn => return Err(refused("run-not-let-in")),
        }
        let mut body = described(&task, &call.context.now);
        if let Some(adjusted) = when.first.adjusted {
            let note = Message::new(wording::adjusted_key(adjusted));
            body.insert("note".to_owned(), json!(note));
        }
        let id = task.id;
        Ok(changed(body, vec![Reversal::Task { id, before: None }]))
    }

    fn new_task(&self, call: &Call, kind: TaskKind, when: When) -> Result<Task, ToolError> {
        let text = |name: &str| -> Result<String, ToolError> {
            let text = call.optional_text(name)?.unwrap_or_default().trim();
            Ok(text.to_owned())
        };
        let ahead = self.ahead(call)?.filter(|_| kind == TaskKind::Watcher);
        let begins_soon = |ahead| Words::of(self.language, call.context.lang).begins_soon(ahead);
        let (name, query) = (
            text("name")?,
            ahead.map_or_else(|| text("query"), |ahead| Ok(begins_soon(ahead)))?,
        );
        let (name, words) = match kind {
            TaskKind::Timer | TaskKind::Alarm => (name, String::new()),
            // What is to be said, whichever of the two a plan put it in.
            TaskKind::Reminder if call.args.contains_key("deadline") => (String::new(), deadlines::words(call)?),
            TaskKind::Reminder if query.is_empty() => (String::new(), name),
            TaskKind::Reminder => (String::new(), query),
            TaskKind::Request | TaskKind::Watcher | TaskKind::Job if query.is_empty() => {
                return Err(refused("task-query-missing"));
            }
            TaskKind::Request | TaskKind::Watcher | TaskKind::Job => (name, query),
        };
        if words.chars().count() > REQUEST_CHARS_MAX {
            return Err(wrong("query"));
        }
        let id = Uuid::new_v4().simple().to_string();
        let id = TaskId::from(id.get(..ID_CHARS).unwrap_or(&id));
        let now_ms = self.clock.now_ms();
        let zone = call.context.now.time_zone().iana_name().unwrap_or("UTC");
        let mut task = Task::new(id, kind, when.trigger, zone, Some(when.first.at_ms), now_ms);
        task.owner = Some(call.context.actor.clone());
        task.name = name.chars().take(TASK_NAME_CHARS_MAX).collect();
        task.words = words;
        task.weekdays = when.weekdays;
        task.expires_ms = when.until_ms;
        if kind == TaskKind::Watcher {
            self.fix_day(call, &mut task);
        }
        task.times_left = call.count("times")?.and_then(|times| u32::try_from(times).ok());
        task.place = Some(TaskPlace {
            channel: self.turn.channel,
            conversation: self.turn.conversation.clone(),
        });
        // What is asked of a level may be reached already, and an appointment may be near; of things that come, those
        // that are there are not news.
        let is_news_at_once = kind == TaskKind::Watcher && (task.words.contains('%') || ahead.is_some());
        task.memory = is_news_at_once.then(|| "[]".to_owned());
        if ahead.is_some() {
            // Appointments begin at round times; a look at other times would speak too late or too early.
            let every_ms = ms(WATCHER_EVERY);
            task.due_ms = Some(
                now_ms
                    .saturating_sub(now_ms.rem_euclid(every_ms))
                    .saturating_add(every_ms),
            );
        } else if kind == TaskKind::Watcher && !is_news_at_once {
            // The picture that news is told by is of now, and not of five minutes later.
            task.due_ms = Some(now_ms);
        }
        if kind == TaskKind::Timer {
            task.length_ms = Some(
                when.first
                    .at_ms
                    .saturating_sub(call.context.now.timestamp().as_millisecond()),
            );
        }
        Ok(task)
    }

    /// A day that a watch names by its distance from today ("tomorrow", "on Sunday") stays that day on the days after,
    /// and with it the watch is over.
    fn fix_day(&self, call: &Call, task: &mut Task) {
        let now = &call.context.now;
        let times = self
            .language
            .times(&task.words, call.context.lang, now, &Conventions::HOUSEHOLD);
        let [time] = times.as_slice() else { return };
        let Some(Value::Date(day)) = time.readings.first() else {
            return;
        };
        let said = task.words.get(time.span.clone()).unwrap_or_default();
        // One that is written in figures means the same on every day, and may be part of a name.
        if time.is_again() || *day < now.date() || said.contains(|letter: char| letter.is_ascii_digit()) {
            return;
        }
        let Some(over) = day
            .tomorrow()
            .ok()
            .and_then(|next| next.to_zoned(now.time_zone().clone()).ok())
        else {
            return;
        };
        task.words.replace_range(time.span.clone(), &day.to_string());
        task.expires_ms = Some(over.timestamp().as_millisecond());
    }

    /// How long before an appointment it is to be told: as seconds, or in words such as "a quarter of an hour before".
    fn ahead(&self, call: &Call) -> Result<Option<Duration>, ToolError> {
        let now = &call.context.now;
        let said = call.optional_text("before")?;
        let Some(seconds) = (match (call.count("before_s")?, said) {
            (Some(seconds), _) => Some(f64::from(u32::try_from(seconds).unwrap_or(u32::MAX))),
            (None, Some(words)) => {
                let times = self
                    .language
                    .times(words, call.context.lang, now, &Conventions::HOUSEHOLD);
                let mut values = times.iter().flat_map(|time| &time.readings);
                values.find_map(|value| match value {
                    Value::Duration(seconds) => Some(*seconds),
                    Value::Moment(moment) => Some(now.datetime().duration_since(*moment).as_secs_f64().abs()),
                    // "Three days before" is a day as well.
                    Value::Date(day) => Some(now.date().duration_since(*day).as_secs_f64().abs()),
                    Value::Range(..) => None,
                })
            }
            (None, None) => return Ok(None),
        }) else {
            return Err(too_short(said));
        };
        let ahead = Duration::try_from_secs_f64(seconds.round()).ok();
        let ahead = ahead.filter(|ahead| *ahead >= WATCHER_EVERY);
        ahead.map(Some).ok_or_else(|| too_short(said))
    }

    /// When it fires: so long from now, at a moment with a rule, or as the words say.
    fn when(&self, call: &Call, kind: TaskKind) -> Result<When, ToolError> {
        let now = &call.context.now;
        let words = call.optional_text("when")?.unwrap_or_default();
        let found = if let Some(deadline) = call.optional_text("deadline")? {
            return deadlines::when(deadline, self.ahead(call)?, call);
        } else if let Some(seconds) = call.count("duration_s")? {
            when::of_seconds(u64::try_from(seconds).unwrap_or(u64::MAX), now)
        } else if let Some(at) = call.optional_text("at")? {
            when::of_moment(at, call.optional_text("repeat")?, now)
        } else if kind == TaskKind::Watcher && words.trim().is_empty() {
            when::every(WATCHER_EVERY, now)
        } else {
            when::of_words(words, self.language, call.context.lang, now)
        };
        let when = found.map_err(|error| no_when(error, words))?;
        let runs = matches!(kind, TaskKind::Request | TaskKind::Watcher);
        let apart_s = TASK_REQUESTS_APART.as_secs();
        if let Trigger::Every { seconds } = when.trigger
            && runs
            && u64::from(seconds) < apart_s
        {
            let message = Message::new("task-too-often").with("minutes", apart_s / 60);
            return Err(ToolError::new(ErrorClass::InvalidArgs, message));
        }
        Ok(when)
    }

    /// How many tasks the person may have.
    async fn cap(&self, call: &Call) -> Result<u32, ToolError> {
        let quotas = self.store.quotas(&call.context.actor).await?;
        let role = if call.context.is_host { Role::Host } else { Role::Guest };
        let limit = quotas.limit(QuotaKind::Tasks, role);
        Ok(limit.unwrap_or(TASKS_PER_PERSON_MAX).min(TASKS_PER_PERSON_MAX))
    }
}

/// What is said of a time that is none.
pub(in crate::engine::hosted) fn no_when(error: NoWhen, words: &str) -> ToolError {
    let key = match error {
        NoWhen::Unclear => "task-when-unclear",
        NoWhen::Past => "task-when-past",
    };
    let words = Some(words.trim()).filter(|words| !words.is_empty()).unwrap_or("none");
    ToolError::new(ErrorClass::InvalidArgs, Message::new(key).with("when", words))
}

/// That nobody is told that late, or that nobody can tell how long before is meant.
fn too_short(said: Option<&str>) -> ToolError {
    let message = Message::new("task-ahead-unclear")
        .with("when", said.unwrap_or("none"))
        .with("minutes", WATCHER_EVERY.as_secs() / 60);
    ToolError::new(ErrorClass::InvalidArgs, message)
}
