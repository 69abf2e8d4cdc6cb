//! `create_tasks`: a timer, an alarm, a reminder, a request for later or one that repeats, a watch.

use serde_json::json;
use uuid::Uuid;

use super::{Host, changed, described, refused, store_failed};
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
        hosted::tasks::wrong,
        tasks::{
            when::{self, NoWhen, When},
            wording,
        },
    },
    executors::Call,
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
        match self
            .store
            .task_add(task.clone(), Some(cap), now_ms)
            .await
            .map_err(store_failed)?
        {
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
        let (name, query) = (text("name")?, text("query")?);
        let (name, words) = match kind {
            TaskKind::Timer | TaskKind::Alarm => (name, String::new()),
            // What is to be said, whichever of the two a plan put it in.
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
        task.times_left = call.count("times")?.and_then(|times| u32::try_from(times).ok());
        task.place = Some(TaskPlace {
            channel: self.turn.channel,
            conversation: self.turn.conversation.clone(),
        });
        // What is asked of a level may be reached already; of things that come, those that are there are not news.
        let of_level = kind == TaskKind::Watcher && task.words.contains('%');
        task.memory = of_level.then(|| "[]".to_owned());
        if kind == TaskKind::Watcher && !of_level {
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

    /// When it fires: so long from now, at a moment with a rule, or as the words say.
    fn when(&self, call: &Call, kind: TaskKind) -> Result<When, ToolError> {
        let now = &call.context.now;
        let words = call.optional_text("when")?.unwrap_or_default();
        let found = if let Some(seconds) = call.count("duration_s")? {
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
        let quotas = self.store.quotas(&call.context.actor).await.map_err(store_failed)?;
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
