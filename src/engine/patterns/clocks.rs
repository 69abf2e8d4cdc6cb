//! Timers, alarms and lists of them: one walk over a message collects what is said, and what is said decides. Called by
//! `patterns`. A word that belongs to none of it makes the whole message none of ours.

use std::ops::Range;

use super::{
    Reply,
    amounts::{Moment, Span, day, duration, interval, moment},
    command::{AlarmTime, Command, Day, Schedule, Subject, TimerChange, WhichTimer},
    household::{Household, Named},
    words::{Class, Clock, Said},
};
use crate::{domain::message::Message, engine::patterns::DeclineReason};

/// Longest timer, in seconds: a year and a day.
const TIMER_SECONDS_MAX: u64 = 366 * 86_400;
/// Longest command, in words; a label may be long.
const WORDS_MAX: usize = 24;

/// What a message says of clocks.
#[derive(Default)]
struct Parts {
    /// Every word of clocks but nouns, in order.
    words: Vec<Clock>,
    nouns: Vec<(Clock, usize)>,
    spans: Vec<(Span, Range<usize>)>,
    moments: Vec<Moment>,
    days: Vec<Day>,
    areas: Vec<String>,
    label: Option<Range<usize>>,
    /// Words that are no part of it, but may be a name beside a noun.
    unknown: Vec<Range<usize>>,
    all: bool,
}

impl Parts {
    fn has(&self, class: Clock) -> bool {
        self.words.contains(&class)
    }

    fn noun(&self, class: Clock) -> bool {
        self.nouns.iter().any(|(noun, _)| *noun == class)
    }
}

/// What a message means for clocks, if it is about them at all.
pub(super) fn read(said: &Said<'_>, household: &Household) -> Option<Reply> {
    let about = [
        Clock::Timer,
        Clock::Alarm,
        Clock::Reminder,
        Clock::Schedule,
        Clock::Wake,
        Clock::Remind,
    ];
    if said.len() > WORDS_MAX || !about.iter().any(|class| said.has(Class::Clock(*class))) {
        return None;
    }
    let parts = collect(said, household);
    let (name, rest) = name(said, &parts);
    if rest {
        return None;
    }
    let reply = decide(&parts, name)?;
    if matches!(reply, Reply::Hit(Command::CancelAlarm { .. })) && names_device(said, household) {
        return Some(Reply::Clarify(
            Message::new("pattern-alarm-or-device"),
            Subject::Devices,
        ));
    }
    Some(reply)
}

/// Whether a device of the household is called what the alarm is called here.
fn names_device(said: &Said<'_>, household: &Household) -> bool {
    (0..said.len()).any(|at| {
        let names = household.longest(&said.words, at).map_or(&[][..], |(_, names)| names);
        names.iter().any(|named| matches!(named, Named::Device(_)))
    })
}

fn collect(said: &Said<'_>, household: &Household) -> Parts {
    let mut parts = Parts::default();
    let mut at = 0;
    while at < said.len() {
        at += step(said, household, at, &mut parts).max(1);
    }
    parts
}

/// Reads what stands at a word and says how many words that were.
fn step(said: &Said<'_>, household: &Household, at: usize, parts: &mut Parts) -> usize {
    if let Some((count, span)) = duration(said, at) {
        parts.spans.push((span, at..at + count));
        return count;
    }
    let alarm = parts.noun(Clock::Alarm) || parts.has(Clock::Wake) || parts.noun(Clock::Reminder);
    let clock = said.longest(at, |class| {
        if let Class::Clock(clock) = class {
            Some(clock)
        } else {
            None
        }
    });
    if let Some(count) = said.is(at, Class::Clock(Clock::Recurring)) {
        parts.words.push(Clock::Recurring);
        return count + interval(said, at + count);
    }
    if let Some(count) = introduced(said, at, alarm, parts) {
        return count;
    }
    if let Some((count, moment)) = moment(said, at, false) {
        parts.moments.push(moment);
        return count;
    }
    if let Some((count, day)) = day(said, at) {
        parts.days.push(day);
        return count;
    }
    // A label runs to the end, or to the amount after it.
    if let Some(count) = said.is(at, Class::Clock(Clock::Label))
        && (!parts.nouns.is_empty() || parts.has(Clock::Remind) || parts.has(Clock::Wake))
        && let Some(end) = label_end(said, at + count)
    {
        parts.label = Some(at + count..end);
        return end - at;
    }
    if let Some((count, names)) = household.longest(&said.words, at)
        && let Some(area) = names.iter().find_map(|named| match named {
            Named::Area(area) => household.area(*area),
            Named::Device(_) | Named::Floor(_) | Named::Watcher(_) => None,
        })
    {
        parts.areas.push(area.to_owned());
        return count;
    }
    plain(said, at, clock, parts)
}

/// Nouns, verbs and words that decide nothing.
fn plain(said: &Said<'_>, at: usize, clock: Option<(usize, Clock)>, parts: &mut Parts) -> usize {
    let noun = said.longest(at, |class| {
        let Class::Clock(noun) = class else { return None };
        matches!(noun, Clock::Timer | Clock::Alarm | Clock::Reminder | Clock::Schedule).then_some(noun)
    });
    let filler = [Class::Filler, Class::Wake, Class::Joint]
        .into_iter()
        .filter_map(|class| said.is(at, class))
        .max();
    let all = said.is(at, Class::All);
    let longest = [noun.map(|found| found.0), clock.map(|found| found.0), filler, all]
        .into_iter()
        .flatten()
        .max();
    let Some(longest) = longest else {
        parts.unknown.push(at..at + 1);
        return 1;
    };
    if let Some((count, noun)) = noun.filter(|found| found.0 == longest) {
        parts.nouns.push((noun, at));
        if said.is(at, Class::Clock(Clock::AlarmPlural)).is_some() {
            parts.words.push(Clock::AlarmPlural);
        }
        return count;
    }
    if let Some(count) = all.filter(|count| *count == longest) {
        parts.all = true;
        return count;
    }
    // One phrase can stand for several things to do ("open", "add"): all of them are kept, what is said decides.
    for class in VERBS {
        if said.is(at, Class::Clock(*class)) == Some(longest) {
            parts.words.push(*class);
        }
    }
    longest
}

/// Words of clocks that say what to do.
const VERBS: &[Clock] = &[
    Clock::Wake,
    Clock::Remind,
    Clock::Make,
    Clock::Cancel,
    Clock::Pause,
    Clock::Resume,
    Clock::Snooze,
    Clock::More,
    Clock::Less,
    Clock::Left,
    Clock::Show,
    Clock::Ask,
    Clock::Listing,
    Clock::Next,
    Clock::Recurring,
];

/// A preposition and the amount after it: "in 5 minutes", "alle 7", "for ten".
fn introduced(said: &Said<'_>, at: usize, alarm: bool, parts: &mut Parts) -> Option<usize> {
    for class in [Clock::At, Clock::After] {
        let Some(count) = said.is(at, Class::Clock(class)) else {
            continue;
        };
        let mut next = at + count;
        if let Some(recurring) = said.is(next, Class::Clock(Clock::Recurring)) {
            parts.words.push(Clock::Recurring);
            return Some(count + recurring + interval(said, next + recurring));
        }
        next += said
            .is(next, Class::Filler)
            .filter(|_| duration(said, next).is_none())
            .unwrap_or(0);
        if let Some((more, span)) = duration(said, next) {
            parts.spans.push((span, next..next + more));
            return Some(next + more - at);
        }
        if let Some((more, day)) = day(said, next) {
            parts.days.push(day);
            return Some(next + more - at);
        }
        if class == Clock::At
            && let Some((more, moment)) = moment(said, next, alarm)
        {
            parts.moments.push(moment);
            return Some(next + more - at);
        }
    }
    None
}

/// Where a label that begins here ends; none when nothing of it is there.
fn label_end(said: &Said<'_>, from: usize) -> Option<usize> {
    let starts_amount =
        |at: usize| duration(said, at).is_some() || moment(said, at, false).is_some() || day(said, at).is_some();
    let noun = |at: usize| {
        [Clock::Timer, Clock::Alarm]
            .into_iter()
            .any(|class| said.is(at, Class::Clock(class)).is_some())
    };
    if from >= said.len() || starts_amount(from) || noun(from) {
        return None;
    }
    let mut end = from + 1;
    while end < said.len() {
        let introduces = [Clock::After, Clock::At]
            .into_iter()
            .find_map(|class| said.is(end, Class::Clock(class)))
            .is_some_and(|count| starts_amount(end + count));
        if introduces || moment(said, end, false).is_some() || duration(said, end).is_some() {
            break;
        }
        end += 1;
    }
    Some(end)
}

/// The name of a timer or alarm: a label, or unknown words that touch the noun. True when unknown words are left over.
fn name(said: &Said<'_>, parts: &Parts) -> (Option<String>, bool) {
    let label = parts
        .label
        .clone()
        .and_then(|range| said.original(range.start, range.end));
    let mut before: Option<Range<usize>> = None;
    let nouns: Vec<usize> = parts.nouns.iter().map(|(_, at)| *at).collect();
    let mut left = 0;
    for (index, range) in parts.unknown.iter().enumerate() {
        let last = parts.unknown.get(index..).unwrap_or_default();
        let run = last
            .windows(2)
            .take_while(|pair| pair.first().map(|one| one.end) == pair.last().map(|two| two.start));
        let end = range.start + 1 + run.count();
        let touches = nouns.contains(&end) || nouns.iter().any(|noun| noun + 1 == range.start);
        let continues = before.as_ref().is_some_and(|before| before.end == range.start);
        if touches && before.is_none() {
            before = Some(range.start..end);
        } else if !(continues || before.as_ref().is_some_and(|before| before.contains(&range.start))) {
            left += 1;
        }
    }
    let named = before.and_then(|range| said.original(range.start, range.end));
    (label.or(named).map(|name| name.trim().to_owned()), left > 0)
}

fn decide(parts: &Parts, name: Option<String>) -> Option<Reply> {
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
        return (alarm && name.is_none()).then_some(Reply::Hit(Command::SnoozeAlarm));
    }
    if timer && !alarm {
        return timers(parts, which(), name);
    }
    if parts.has(Clock::Cancel) && !parts.has(Clock::Show) {
        return if alarm { cancel_alarm(parts, name) } else { None };
    }
    let sets = parts.has(Clock::Wake) || alarm && (parts.has(Clock::Make) || !parts.moments.is_empty());
    let asks = parts.has(Clock::Show) || parts.has(Clock::Ask) || parts.has(Clock::Next) && !parts.has(Clock::Make);
    if parts.noun(Clock::Schedule) && (!asks || name.is_some()) {
        return None;
    }
    if asks && !parts.has(Clock::Wake) {
        return list(parts, Schedule::Alarms, WhichTimer::default());
    }
    let again = alarm && (parts.has(Clock::Recurring) || !parts.spans.is_empty());
    (sets || again).then(|| set_alarm(parts, name)).flatten()
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
    if parts.has(Clock::Left) || parts.has(Clock::Show) && !parts.has(Clock::Make) || parts.has(Clock::Ask) {
        which.seconds = seconds.first().copied();
        return list(parts, Schedule::Timers, which);
    }
    // "remove 5 minutes from the timer" is no cancelling, and "put the timer on" no adding.
    if (parts.has(Clock::More) || parts.has(Clock::Less)) && !seconds.is_empty() && is_change(parts) {
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
        [(span, _)] if parts.moments.is_empty() && parts.days.is_empty() => set_timer(*span, name, false),
        _ => None,
    }
}

/// Adding to a timer, not adding a timer: the noun comes after the amount, or the verb says so alone.
fn is_change(parts: &Parts) -> bool {
    let makes = parts.has(Clock::Make);
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
    let asks = parts.has(Clock::Show) && !parts.has(Clock::Make) && !parts.has(Clock::Ask);
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
    let time = match alarm_time(parts, label) {
        Ok(time) => time,
        Err(reply) => return Some(reply),
    };
    if time.clock.is_none() && time.after.is_none() {
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
        Some(Moment::At(hour, minute)) => Some((*hour, *minute)),
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
