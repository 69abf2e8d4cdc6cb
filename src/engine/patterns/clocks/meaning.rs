//! What the parts of a message about clocks mean together: set, change, take back, or say what is set. Called by
//! `clocks` when every word has its part. It never makes up an amount.

use std::ops::Range;

use super::{
    super::{
        DeclineReason, Reply,
        amounts::Span,
        classes::Clock,
        command::{AlarmTime, Command, Schedule, Subject, TimerChange, WhichTimer},
        moments::Moment,
    },
    Hint, Parts,
};
use crate::domain::message::Message;

/// Longest timer, in seconds: a year and a day.
const TIMER_SECONDS_MAX: u64 = 366 * 86_400;
/// The first hour that is one of the evening or the night before midnight where only "every evening" says so.
const EVENING_FROM: u8 = 5;

pub(super) fn decide(parts: &Parts, name: Option<String>) -> Option<Reply> {
    let timer = parts.noun(Clock::Timer);
    let alarm = parts.noun(Clock::Alarm);
    let which = || WhichTimer {
        name: name.clone(),
        area: parts.areas.first().cloned(),
        seconds: None,
    };
    if parts.has(Clock::Remind) || parts.noun(Clock::Reminder) {
        return reminder(parts, name);
    }
    if parts.has(Clock::Snooze) {
        let seconds = match parts.spans.as_slice() {
            [] => None,
            [(Span::Seconds(seconds), _)] => Some(*seconds),
            _ => return None,
        };
        return (alarm && name.is_none()).then_some(Reply::Hit(Command::SnoozeAlarm { seconds }));
    }
    if parts.nouns.is_empty() && !parts.has(Clock::Wake) {
        return counted(parts, name);
    }
    if timer && !alarm {
        return timers(parts, which(), name);
    }
    if parts.has(Clock::Cancel) && !parts.has(Clock::Show) {
        return if alarm { cancel_alarm(parts, name) } else { None };
    }
    let makes = parts.has(Clock::Make);
    let sets = parts.has(Clock::Wake) || alarm && (makes || !parts.moments.is_empty());
    // "Give me an alarm" wants a new one, "give me my alarms" those that are there.
    let shows = parts.has(Clock::Show) && !(makes && parts.is_new());
    let asks = shows || parts.has(Clock::Left) || parts.has(Clock::Ask) || parts.has(Clock::Next) && !makes;
    if parts.noun(Clock::Schedule) && (!asks || name.is_some()) {
        return None;
    }
    if asks && !parts.has(Clock::Wake) {
        return list(parts, Schedule::Alarms, WhichTimer::default());
    }
    if [Clock::Less, Clock::Pause, Clock::Resume]
        .into_iter()
        .any(|class| parts.has(class))
    {
        return None;
    }
    // "Add ten minutes to the alarm" moves one that is there.
    if parts.has(Clock::More) && !parts.spans.is_empty() && !parts.is_new() && !parts.hints(Hint::Later) {
        return None;
    }
    let again = alarm && (parts.has(Clock::Recurring) || !parts.spans.is_empty());
    (sets || again).then(|| set_alarm(parts, name)).flatten()
}

/// "Time 4 minutes": a timer without its name.
fn counted(parts: &Parts, name: Option<String>) -> Option<Reply> {
    let counts = |word: &Clock| matches!(word, Clock::Count | Clock::Make | Clock::Listing);
    if !parts.has(Clock::Count) || !parts.words.iter().all(counts) {
        return None;
    }
    match parts.spans.as_slice() {
        [(span, _)] if parts.moments.is_empty() && parts.days.is_empty() => set_timer(*span, name, false),
        _ => None,
    }
}

fn timers(parts: &Parts, mut which: WhichTimer, name: Option<String>) -> Option<Reply> {
    let change = |change: TimerChange, which: WhichTimer| Some(Reply::Hit(Command::ChangeTimer { change, which }));
    let seconds: Vec<u64> = parts
        .spans
        .iter()
        .filter_map(|(span, _)| {
            if let Span::Seconds(seconds) = span {
                Some(*seconds)
            } else {
                None
            }
        })
        .collect();
    // "Cancel any timers" takes back, whatever else its words could be.
    let changes = |word: &Clock| matches!(word, Clock::Cancel | Clock::Pause | Clock::Resume);
    let asks = parts.words.first().is_none_or(|first| !changes(first));
    if asks && (parts.has(Clock::Left) || parts.has(Clock::Show) && !parts.has(Clock::Make) || parts.has(Clock::Ask)) {
        which.seconds = seconds.first().copied();
        return list(parts, Schedule::Timers, which);
    }
    // "An hour less five minutes" is a sum.
    if parts.words == [Clock::Less] && seconds.len() > 1 {
        return None;
    }
    // "remove 5 minutes from the timer" is no cancelling, and "put the timer on" no adding.
    let changes = parts.hints(Hint::Changes) || parts.has(Clock::More) || parts.has(Clock::Less);
    if changes && !seconds.is_empty() && is_change(parts) {
        let first = parts
            .spans
            .first()
            .is_some_and(|(_, range)| comes_before_noun(parts, range));
        let by = if first { seconds.first() } else { seconds.last() }.copied()?;
        let other = if first { seconds.get(1) } else { seconds.first() };
        which.seconds = other.copied().filter(|_| seconds.len() > 1);
        let more = !parts.has(Clock::Less);
        return change(
            if more {
                TimerChange::Add(by)
            } else {
                TimerChange::Remove(by)
            },
            which,
        );
    }
    which.seconds = seconds.first().copied();
    for (class, meant) in [
        (Clock::Pause, TimerChange::Pause),
        (Clock::Resume, TimerChange::Resume),
        (Clock::Cancel, TimerChange::Cancel),
    ] {
        if parts.has(class) {
            let all = parts.all || parts.has(Clock::AlarmPlural) && which == WhichTimer::default();
            let meant = if all && meant == TimerChange::Cancel {
                TimerChange::CancelAll
            } else {
                meant
            };
            return change(meant, which);
        }
    }
    match parts.spans.as_slice() {
        [] if parts.has(Clock::Make) && parts.moments.is_empty() && parts.days.is_empty() => {
            Some(Reply::Clarify(Message::new("pattern-timer-how-long"), Subject::Clocks))
        }
        [(span, _)] if parts.moments.is_empty() && parts.days.is_empty() && !parts.has(Clock::Less) => {
            set_timer(*span, name, false)
        }
        _ => None,
    }
}

/// Adding to a timer, not adding a timer: the noun comes after the amount, or the verb says so alone.
fn is_change(parts: &Parts) -> bool {
    let makes = parts.has(Clock::Make);
    if makes && parts.is_new() {
        return false;
    }
    if parts.hints(Hint::Changes) && !parts.nouns.is_empty() {
        return true;
    }
    let first = parts
        .spans
        .first()
        .is_some_and(|(_, range)| comes_before_noun(parts, range));
    !makes || first && (parts.spans.len() > 1 || parts.has(Clock::Less)) || first && adjacent_gap(parts)
}

/// Whether a word stands between the first amount and the noun: "5 minutes to the timer" adds, "a 5 minute timer" sets.
fn adjacent_gap(parts: &Parts) -> bool {
    let noun = parts.nouns.first().map(|(_, at)| *at);
    parts
        .spans
        .first()
        .is_some_and(|(_, range)| noun.is_some_and(|noun| noun > range.end))
}

fn comes_before_noun(parts: &Parts, range: &Range<usize>) -> bool {
    parts.nouns.first().is_some_and(|(_, noun)| range.start < *noun) && !touches_noun(parts, range)
        || parts.spans.len() > 1 && parts.nouns.first().is_some_and(|(_, noun)| range.end < *noun)
}

fn touches_noun(parts: &Parts, range: &Range<usize>) -> bool {
    parts.nouns.iter().any(|(_, noun)| range.end == *noun)
}

fn set_timer(span: Span, label: Option<String>, reminds: bool) -> Option<Reply> {
    match span {
        Span::Seconds(seconds) if seconds <= TIMER_SECONDS_MAX => Some(Reply::Hit(Command::SetTimer {
            seconds,
            label,
            reminds,
        })),
        Span::Seconds(_) | Span::Impossible => {
            Some(Reply::Clarify(Message::new("pattern-timer-range"), Subject::Clocks))
        }
        Span::Long => Some(Reply::Decline(DeclineReason::Calendar)),
    }
}

fn reminder(parts: &Parts, name: Option<String>) -> Option<Reply> {
    // Whether there are any is a question to the calendar too.
    let first = parts.words.iter().find(|word| matches!(word, Clock::Show | Clock::Ask));
    let asks = first == Some(&Clock::Show) && (!parts.has(Clock::Make) || parts.has(Clock::Ask) || !parts.is_new());
    if parts.noun(Clock::Reminder) && asks && !parts.has(Clock::Cancel) && !parts.has(Clock::Remind) && name.is_none() {
        return list(parts, Schedule::Reminders, WhichTimer::default());
    }
    if !parts.has(Clock::Remind) {
        return None;
    }
    match parts.spans.as_slice() {
        [(span, _)] if parts.moments.is_empty() && parts.days.is_empty() && !parts.has(Clock::Recurring) => {
            set_timer(*span, name, true)
        }
        // A date is the calendar's.
        _ => Some(Reply::Decline(DeclineReason::Calendar)),
    }
}

fn list(parts: &Parts, what: Schedule, which: WhichTimer) -> Option<Reply> {
    // "What is a timer" asks what such a thing is.
    let explains = matches!(
        parts.words.as_slice(),
        [Clock::Show | Clock::Left] | [Clock::Show | Clock::Left, Clock::Ask]
    );
    if parts.is_new() && explains {
        return None;
    }
    let several = [Clock::Timer, Clock::Alarm, Clock::Reminder]
        .into_iter()
        .filter(|noun| parts.noun(*noun))
        .count()
        > 1;
    let every = several || parts.noun(Clock::Schedule);
    Some(Reply::Hit(Command::ListSchedules {
        what: if every { Schedule::Everything } else { what },
        next: parts.has(Clock::Next),
        day: parts.days.first().copied(),
        which,
    }))
}

fn set_alarm(parts: &Parts, label: Option<String>) -> Option<Reply> {
    // One alarm rings at one time: which of several is asked, and none is dropped in silence.
    if (parts.moments.len() > 1 || parts.days.len() > 1) && !parts.has(Clock::Recurring) {
        return Some(Reply::Clarify(Message::new("pattern-alarm-one"), Subject::Clocks));
    }
    let time = match alarm_time(parts, label) {
        Ok(time) => time,
        Err(reply) => return Some(reply),
    };
    if time.clock.is_none() && time.after.is_none() {
        // "Set the alarm to vibrate" is about no time.
        if parts.label.is_some() {
            return None;
        }
        return Some(Reply::Clarify(Message::new("pattern-alarm-when"), Subject::Clocks));
    }
    Some(Reply::Hit(Command::SetAlarm(time)))
}

fn cancel_alarm(parts: &Parts, label: Option<String>) -> Option<Reply> {
    Some(match alarm_time(parts, label) {
        Ok(which) => Reply::Hit(Command::CancelAlarm { all: parts.all, which }),
        Err(reply) => reply,
    })
}

/// When an alarm rings as it was said; an error is what to answer to a time that cannot be.
fn alarm_time(parts: &Parts, label: Option<String>) -> Result<AlarmTime, Reply> {
    let impossible = || Reply::Clarify(Message::new("pattern-alarm-range"), Subject::Clocks);
    let clock = match parts.moments.first() {
        None => None,
        Some(Moment::At(hour, minute)) => {
            let is_evening = parts.hints(Hint::Evening) && (EVENING_FROM..12).contains(hour);
            Some((if is_evening { hour + 12 } else { *hour }, *minute))
        }
        Some(Moment::Impossible) => return Err(impossible()),
    };
    let after = match parts.spans.first() {
        None => None,
        Some((Span::Seconds(seconds), _)) => Some(*seconds),
        Some((Span::Impossible, _)) => return Err(impossible()),
        Some((Span::Long, _)) => return Err(Reply::Decline(DeclineReason::Calendar)),
    };
    Ok(AlarmTime {
        clock,
        day: parts.days.first().copied(),
        after,
        recurring: parts.has(Clock::Recurring),
        label,
    })
}
