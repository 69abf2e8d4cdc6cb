//! Commands with a reason before or behind them: "it is dark in the cellar, put the light on", "…, I'm going to
//! sleep". Called by `patterns` when a message as a whole is no command. A reason must open as one and say neither
//! a time, nor a condition, nor another command: else what is left is not all that was meant, and nothing is read
//! at all.

use std::ops::Range;

use super::{
    Reply,
    amounts::number,
    classes::{Act, Class, Clock},
    clocks, devices,
    household::Household,
    moments::day,
    said::Said,
};

/// Longest message with a reason, in words.
const WORDS_MAX: usize = 30;

/// What a message means without its reason, if it has one.
///
/// With `forbids` the message has a word that keeps it from being a command, such as "not": that may be in the reason
/// alone, and only in one that stands apart.
pub(super) fn read(
    said: &Said<'_>,
    household: &Household,
    forbids: Option<&dyn Fn(&Said<'_>) -> bool>,
) -> Option<Reply> {
    let len = said.len();
    if len > WORDS_MAX || !(said.has(Class::Remark) || said.has(Class::Because)) {
        return None;
    }
    if !(0..len).any(|at| is_about(said, household, at)) {
        return None;
    }
    let more: Vec<bool> = (0..len).map(|at| says_more(said, at)).collect();
    let is_reason = |range: &Range<usize>| !more.get(range.clone()).unwrap_or_default().contains(&true);
    let behind = (1..len)
        .map(|at| (0..at, at..len))
        .filter(|(_, reason)| is_reason(reason) && opens_reason(said, reason.start) && !said.is_question)
        .filter(|(_, reason)| forbids.is_none() || stands_apart(said, reason.start));
    let before = (1..len)
        .map(|at| (at..len, 0..at))
        .filter(|(command, reason)| is_reason(reason) && opens_command(said, command.start))
        .filter(|(command, _)| forbids.is_none() || said.is_stop(command.start))
        .filter(|(command, _)| tells(said, household, command.start));
    behind.chain(before).find_map(|(command, reason)| {
        let (command, reason) = (said.cut(command), said.cut(reason));
        if forbids.is_some_and(|forbids| forbids(&command)) {
            return None;
        }
        let reply = clocks::read(&command, household).or_else(|| devices::read_for(&command, &reason, household))?;
        matches!(reply, Reply::Hit(_) | Reply::Clarify(..)).then_some(reply)
    })
}

/// Whether a word is of what commands are about; without one no part of the message is a command.
fn is_about(said: &Said<'_>, household: &Household, at: usize) -> bool {
    let about = |class| {
        matches!(
            class,
            Class::Kind(_)
                | Class::Brightness
                | Class::Act(Act::LightUp | Act::TooDark | Act::TooBright)
                | Class::Clock(Clock::Timer | Clock::Alarm | Clock::Wake | Clock::Remind | Clock::Count)
        )
    };
    said.longest(at, |class| about(class).then_some(())).is_some() || household.longest(&said.words, at).is_some()
}

/// Whether a reason begins here.
fn opens_reason(said: &Said<'_>, at: usize) -> bool {
    let link = said.is(at, Class::Link);
    said.is(at, Class::Because).is_some()
        || said.is(at, Class::Remark).is_some()
        || link.is_some_and(|count| said.is(at + count, Class::Remark).is_some())
}

/// Whether a reason begins behind a stop or with a word for reasons.
fn stands_apart(said: &Said<'_>, at: usize) -> bool {
    said.is_stop(at) || said.is(at, Class::Because).is_some()
}

/// Whether the words before this one tell something: nothing but a call or a place stands before what opens it. "Did
/// somebody leave …" asks.
fn tells(said: &Said<'_>, household: &Household, end: usize) -> bool {
    let mut at = 0;
    while at < end {
        if said.is(at, Class::Remark).is_some_and(|count| at + count <= end) {
            return true;
        }
        let named = household.longest(&said.words, at).map(|(count, _)| count);
        let small = [Class::Filler, Class::Wake, Class::Room, Class::Here].into_iter();
        let Some(count) = named
            .into_iter()
            .chain(small.filter_map(|class| said.is(at, class)))
            .max()
        else {
            return false;
        };
        at += count;
    }
    false
}

/// Whether a command can begin here: behind a stop, or with its verb.
fn opens_command(said: &Said<'_>, at: usize) -> bool {
    let act = |class| {
        matches!(
            class,
            Class::Act(Act::Do(_) | Act::Set | Act::Up | Act::Down | Act::LightUp)
        )
    };
    let verb = |class| act(class) || class == Class::Polite || class.clock().is_some_and(Clock::is_verb);
    let bound = at
        .checked_sub(1)
        .is_some_and(|last| said.is(last, Class::Binds).is_some());
    said.is_stop(at) || !bound && said.longest(at, |class| verb(class).then_some(())).is_some()
}

/// Whether a time, a condition or another command stands at a word: then it is no mere reason.
fn says_more(said: &Said<'_>, at: usize) -> bool {
    let more = |class| {
        matches!(
            class,
            Class::Act(Act::Do(_))
                | Class::NotNow
                | Class::Elsewhere
                | Class::Clock(Clock::Timer | Clock::Alarm | Clock::Reminder | Clock::Remind)
        )
    };
    let phrase = said.longest(at, |class| more(class).then_some(()));
    phrase.is_some() || number(said, at).is_some() || day(said, at).is_some()
}
