//! Reminders of a last day that some paper names: a week before it at nine, where nothing else was said, and nearer
//! where it is nearer. Called by `create_tasks`. The day and the words come from an answer that the person saw.

use std::time::Duration;

use jiff::{ToSpan, civil::Date};

use super::no_when;
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        message::Message,
    },
    engine::tasks::when::{self, NoWhen, When},
    executors::Call,
};

/// Days before it at which one is reminded where nothing was said: the first that is still to come.
const DAYS_BEFORE: [i64; 3] = [7, 1, 0];
/// Seconds of a day.
const DAY_S: u64 = 86_400;
/// The hour of that day.
const HOUR: i8 = 9;

fn parts(deadline: &str) -> Option<(Date, &str)> {
    let (day, words) = deadline.split_once(' ')?;
    Some((day.parse().ok()?, words.trim()))
}

fn none() -> ToolError {
    ToolError::new(ErrorClass::NeedsActionTarget, Message::new("task-no-deadline"))
}

/// What is said then.
pub(super) fn words(call: &Call) -> Result<String, ToolError> {
    let deadline = call.optional_text("deadline")?.unwrap_or_default();
    parts(deadline).map(|(_, words)| words.to_owned()).ok_or_else(none)
}

/// When: so long before it, in whole days, where that was said.
pub(super) fn when(deadline: &str, ahead: Option<Duration>, call: &Call) -> Result<When, ToolError> {
    let (day, _) = parts(deadline).ok_or_else(none)?;
    let now = &call.context.now;
    let past = || no_when(NoWhen::Past, "");
    let at_nine = |before: i64| {
        let day = day.checked_sub(before.days()).ok()?;
        day.at(HOUR, 0, 0, 0).to_zoned(now.time_zone().clone()).ok()
    };
    let at = match ahead {
        Some(ahead) => {
            let days = i64::try_from(ahead.as_secs() / DAY_S).map_err(|_too_long| past())?;
            at_nine(days.max(1)).filter(|at| at > now)
        }
        None => DAYS_BEFORE.into_iter().filter_map(at_nine).find(|at| at > now),
    };
    let at = at.ok_or_else(past)?;
    when::of_moment(&at.datetime().to_string(), None, now).map_err(|error| no_when(error, ""))
}
