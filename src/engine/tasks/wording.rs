//! How tasks are spoken of: what they are called, when they come, how often. Keys of sentences and their values; the
//! words are in `locales/`. Used by the executors of tasks and by whoever speaks of a firing.

use jiff::{Timestamp, Zoned, civil::Date};

use crate::domain::{
    message::Message,
    task::{Task, TaskKind, TaskState, Trigger, Weekdays, slots::Adjusted},
};

/// A moment as people say it: "tomorrow, Wednesday 25 November, 09:00".
pub fn moment(at_ms: i64, now: &Zoned) -> Message {
    let Ok(at) = Timestamp::from_millisecond(at_ms) else {
        return Message::new("task-never");
    };
    let at = at.to_zoned(now.time_zone().clone());
    let year = if at.year() == now.year() {
        "none".to_owned()
    } else {
        at.year().to_string()
    };
    // Seconds matter only where they are near.
    let form =
        if at.second() != 0 && (at.timestamp().as_millisecond() - now.timestamp().as_millisecond()).abs() < 600_000 {
            "%H:%M:%S"
        } else {
            "%H:%M"
        };
    Message::new("task-moment")
        .with("near", near(at.date(), now.date()))
        .with("weekday", f64::from(at.weekday().to_monday_one_offset()))
        .with("day", f64::from(at.day()))
        .with("month", f64::from(at.month()))
        .with("year", year)
        .with("time", at.strftime(form).to_string())
}

fn near(day: Date, today: Date) -> &'static str {
    match day.since(today).map(|span| span.get_days()) {
        Ok(0) => "today",
        Ok(1) => "tomorrow",
        Ok(-1) => "yesterday",
        Ok(_) | Err(_) => "other",
    }
}

/// A length of time in its two largest units: "1 hour 30 minutes".
pub fn span(milliseconds: i64) -> Message {
    const UNITS: [(&str, i64); 4] = [("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1)];
    let mut left = (milliseconds.max(0) + 500) / 1_000;
    let mut parts = Vec::new();
    for (unit, size) in UNITS {
        let count = left / size;
        left %= size;
        if count > 0 || size == 1 && parts.is_empty() {
            let count = u64::try_from(count).unwrap_or_default();
            parts.push(Message::new("task-unit").with("unit", unit).with("count", count));
        }
    }
    let mut parts = parts.into_iter();
    match (parts.next(), parts.next()) {
        (Some(first), Some(second)) => Message::new("task-span-two")
            .with("first", first)
            .with("second", second),
        (Some(only), None) => only,
        (None, _) => Message::new("task-never"),
    }
}

/// How often a task comes and when that ends; `None` for what comes once.
pub fn again(task: &Task, now: &Zoned) -> Option<Message> {
    let rhythm = rhythm(&task.trigger, task.weekdays)?;
    Some(match task.expires_ms {
        Some(expires_ms) => Message::new("task-ending")
            .with("rhythm", rhythm)
            .with("moment", moment(expires_ms, now)),
        None => rhythm,
    })
}

fn rhythm(trigger: &Trigger, weekdays: Weekdays) -> Option<Message> {
    let clock = |time: &jiff::civil::Time| time.strftime("%H:%M").to_string();
    match trigger {
        Trigger::AtWall(_) | Trigger::At(_) | Trigger::Manual => None,
        Trigger::Every { seconds } => Some(Message::new("task-every").with("span", span(i64::from(*seconds) * 1_000))),
        Trigger::Daily(time) if weekdays.is_any() => Some(Message::new("task-daily").with("time", clock(time))),
        Trigger::Daily(time) => Some(
            Message::new("task-on-days")
                .with("days", days(weekdays))
                .with("time", clock(time)),
        ),
        Trigger::Days { every, at, .. } => Some(
            Message::new("task-each-days")
                .with("days", f64::from(*every))
                .with("time", clock(at)),
        ),
        Trigger::Cron(_) => Some(Message::new("task-again")),
    }
}

/// Days of the week, one after the other.
fn days(weekdays: Weekdays) -> Message {
    let named =
        |day: jiff::civil::Weekday| Message::new("task-weekday").with("weekday", f64::from(day.to_monday_one_offset()));
    let all: Vec<_> = weekdays.days().collect();
    if all.len() == 5 && all.iter().all(|day| day.to_monday_one_offset() <= 5) {
        return Message::new("task-weekdays");
    }
    let mut names = all.into_iter().map(named).rev();
    let Some(last) = names.next() else {
        return Message::new("task-weekdays");
    };
    names.enumerate().fold(last, |rest, (at, first)| {
        Message::new("task-weekday-and")
            .with("first", first)
            .with("rest", rest)
            .with("is", if at == 0 { "last" } else { "before" })
    })
}

/// What a task is called: its kind and its name, or its words.
pub fn label(kind: TaskKind, name: &str, words: &str) -> Message {
    let called = if name.is_empty() { words } else { name };
    Message::new("task-label")
        .with("kind", kind.as_str())
        .with("named", if called.is_empty() { "no" } else { "yes" })
        .with("name", called)
}

/// Why a moment is another than its wall time says.
pub fn adjusted_key(adjusted: Adjusted) -> &'static str {
    match adjusted {
        Adjusted::Gap => "task-clock-skips",
        Adjusted::Fold => "task-clock-twice",
    }
}

/// When a task comes next, and how it stands.
pub fn standing(task: &Task, now: &Zoned) -> Message {
    let now_ms = now.timestamp().as_millisecond();
    match task.state {
        TaskState::Paused => match task.remaining_ms {
            Some(left_ms) => Message::new("task-paused-with").with("span", span(left_ms)),
            None => Message::new("task-paused"),
        },
        TaskState::Ringing => Message::new("task-rings"),
        TaskState::Stopped => Message::new("task-stopped"),
        TaskState::Done => Message::new("task-over"),
        TaskState::Active | TaskState::Snoozed => {
            let Some(due_ms) = task.due_ms else {
                return Message::new("task-never");
            };
            let next = moment(due_ms, now);
            match (task.kind, again(task, now)) {
                (TaskKind::Timer, _) => Message::new("task-left")
                    .with("span", span(due_ms.saturating_sub(now_ms)))
                    .with("moment", next),
                (_, Some(rhythm)) => Message::new("task-next-again")
                    .with("rhythm", rhythm)
                    .with("moment", next),
                (_, None) => Message::new("task-next").with("moment", next),
            }
        }
    }
}
