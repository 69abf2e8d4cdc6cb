//! Timers, alarms and lists of them: one walk over a message collects what is said. Called by `patterns`. A word that
//! belongs to none of it makes the whole message none of ours. What the parts mean, `meaning` decides.

mod meaning;

use std::ops::Range;

use super::{
    Reply,
    amounts::{Span, duration, number},
    classes::{Class, Clock},
    command::{Command, Day, Subject},
    household::{Household, Named},
    moments::{Moment, day, interval, moment},
    said::Said,
};
use crate::{
    domain::message::Message,
    language::time::{Heard, Unit},
};

/// Longest command, in words; a label may be long.
const WORDS_MAX: usize = 24;
/// Longest name that is said without a word for names, in words.
const NAME_WORDS_MAX: usize = 3;

/// How a noun is introduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Article {
    /// It is new: "a timer".
    New,
    /// It is there already: "the timer".
    There,
}

/// What stands beside an amount or an hour and says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hint {
    /// More or less of something: "5 minutes longer".
    Changes,
    /// How long from now: "in 5 minutes".
    Later,
    /// "Every evening at 8".
    Evening,
}

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
    /// What stands before the noun.
    article: Option<Article>,
    /// What is said is for another place: a list, a diary.
    elsewhere: bool,
    /// Words that are no part of it, but may be a name beside a noun.
    unknown: Vec<Range<usize>>,
    all: bool,
    /// What is said of amounts and hours beside them.
    hints: Vec<Hint>,
}

impl Parts {
    /// The noun is new here: "a timer".
    fn is_new(&self) -> bool {
        self.article == Some(Article::New)
    }

    fn has(&self, class: Clock) -> bool {
        self.words.contains(&class)
    }

    fn hints(&self, hint: Hint) -> bool {
        self.hints.contains(&hint)
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
        Clock::Count,
    ];
    if said.len() > WORDS_MAX || !about.iter().any(|class| said.has(Class::Clock(*class))) {
        return None;
    }
    let parts = collect(said, household);
    let (name, rest) = name(said, &parts);
    if rest || parts.elsewhere {
        return None;
    }
    let reply = meaning::decide(&parts, name)?;
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
    if let Some(count) = ordinal_second(said, at) {
        return count;
    }
    if let Some((count, span)) = duration(said, at) {
        parts.spans.push((span, at..at + count));
        let changes = |class| matches!(class, Class::Clock(Clock::More | Clock::Less)).then_some(());
        // "5 minutes longer", "5 more minutes"
        let is_change = |at: usize| said.longest(at, changes).is_some();
        parts
            .hints
            .extend((at + 1..=at + count).any(is_change).then_some(Hint::Changes));
        return count;
    }
    if let Some(count) = said.is(at, Class::Elsewhere) {
        parts.elsewhere = true;
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
        // "Every timer" is all of them.
        let all = said
            .is(at, Class::All)
            .filter(|all| *all >= count && !said.is_end(at + all));
        if let Some(all) = all.filter(|_| interval(said, at + count) == 0) {
            parts.all = true;
            return all;
        }
        parts.words.push(Clock::Recurring);
        let last = at + count - 1;
        let is_evening = count > 1 && said.is(last, Class::Clock(Clock::Pm)) == Some(1);
        parts.hints.extend(is_evening.then_some(Hint::Evening));
        // "Mondays" is a day and says that it is every one.
        parts.days.extend(day(said, at).map(|(_, day)| day));
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
    if let Some(count) = label(said, household, at, parts) {
        return count;
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

/// "A second timer" is another one and runs for no second.
fn ordinal_second(said: &Said<'_>, at: usize) -> Option<usize> {
    let one = said.is(at, Class::One)?;
    let (second, _) = said
        .value(at + one, Heard::unit)
        .filter(|(_, unit)| *unit == Unit::Second)?;
    let noun = |class| matches!(class, Class::Clock(Clock::Timer | Clock::Alarm)).then_some(());
    said.longest(at + one + second, noun).map(|_| one + second)
}

/// Nouns, verbs and words that decide nothing.
fn plain(said: &Said<'_>, at: usize, clock: Option<(usize, Clock)>, parts: &mut Parts) -> usize {
    let noun = said.longest(at, |class| {
        let Class::Clock(noun) = class else { return None };
        matches!(noun, Clock::Timer | Clock::Alarm | Clock::Reminder | Clock::Schedule).then_some(noun)
    });
    let filler = [Class::Filler, Class::Wake, Class::Joint, Class::Pronoun]
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
        if parts.nouns.is_empty() {
            // "a 5 minute timer": the amount stands between.
            let amount = parts.spans.last().filter(|(_, range)| range.end == at);
            let start = amount.map_or(at, |(_, range)| range.start);
            let before = start.checked_sub(1);
            let article = |class| before.is_some_and(|before| said.is(before, class) == Some(1));
            let is_new = article(Class::One) || !parts.spans.is_empty() && is_bare_of(said, before);
            let is_there = article(Class::Definite).then_some(Article::There);
            parts.article = is_new.then_some(Article::New).or(is_there);
        }
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
    let mut tells = false;
    for class in VERBS {
        if said.is(at, Class::Clock(*class)) != Some(longest) {
            continue;
        }
        if *class == Clock::Ask && !asks(said, at, longest, parts) {
            tells |= !joins(said, at, longest);
            continue;
        }
        parts.words.push(*class);
        tells = false;
    }
    if tells && !is_small(said, at, longest) {
        parts.unknown.push(at..at + longest);
    }
    longest
}

/// "Dieci minuti di timer": the amount is of a new one, and none that is there gets more.
fn is_bare_of(said: &Said<'_>, before: Option<usize>) -> bool {
    before.is_some_and(|at| said.is(at, Class::Of) == Some(1) && said.is(at, Class::Definite).is_none())
}

/// Whether a word also decides nothing.
fn is_small(said: &Said<'_>, at: usize, count: usize) -> bool {
    let small = [Class::Filler, Class::Joint, Class::Clock(Clock::Listing)];
    small.into_iter().any(|class| said.is(at, class) == Some(count))
}

/// Whether a word asks: behind its noun "is" tells, unless the message was a question before.
fn asks(said: &Said<'_>, at: usize, count: usize, parts: &Parts) -> bool {
    let asked = parts.nouns.is_empty() || said.is_question || parts.has(Clock::Show) || parts.has(Clock::Ask);
    (asked || parts.has(Clock::Left)) && !joins(said, at, count)
}

/// Whether a word stands between two days or times: without its accent "è" is "e".
fn joins(said: &Said<'_>, at: usize, count: usize) -> bool {
    let next = at + count;
    let gap = said.is(next, Class::Definite).unwrap_or(0);
    said.is(at, Class::Joint) == Some(count) && (day(said, next + gap).is_some() || moment(said, next, true).is_some())
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
    Clock::Count,
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
            let is_later = said.is(at, Class::Clock(Clock::InTime)) == Some(count);
            parts.hints.extend(is_later.then_some(Hint::Later));
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

/// A name with the word for it: "called tea", "for the eggs", "della pasta". It says how many words that were.
fn label(said: &Said<'_>, household: &Household, at: usize, parts: &mut Parts) -> Option<usize> {
    let attaches = !parts.nouns.is_empty() || parts.has(Clock::Remind) || parts.has(Clock::Wake);
    let count = [Class::Clock(Clock::Label), Class::Of]
        .into_iter()
        .filter_map(|class| said.is(at, class))
        .max()
        .filter(|_| attaches && parts.label.is_none())?;
    // "per" introduces, "per favore" does not.
    let small = |class| matches!(class, Class::Filler | Class::Polite);
    let other = |class: Class| small(class) || class.clock().is_some_and(|clock| VERBS.contains(&clock));
    let longer = said.longest(at, |class| other(class).then_some(()));
    if longer.is_some_and(|(longer, ())| longer > count) {
        return None;
    }
    let free = said.is(at, Class::Clock(Clock::Label)).is_some();
    if !free && household.longest(&said.words, at + count).is_some() {
        return None;
    }
    let rings = parts.noun(Clock::Alarm) || parts.has(Clock::Wake);
    let end = label_end(said, at + count, rings)?;
    let end = if free {
        without_politeness(said, at + count, end)
    } else {
        // What belongs to a noun ends where a command goes on.
        let goes_on = |at: usize| said.longest(at, |class| is_known(class).then_some(())).is_some();
        (at + count..end)
            .find(|at| goes_on(*at) || said.is_stop(*at))
            .unwrap_or(end)
    };
    let start = at + count;
    (end > start && (free || end - start <= NAME_WORDS_MAX)).then(|| {
        parts.label = Some(start..end);
        end - at
    })
}

/// Where a label ends when thanks and the like behind it are no part of it.
fn without_politeness(said: &Said<'_>, from: usize, end: usize) -> usize {
    (from + 1..end)
        .find(|at| {
            let mut at = *at;
            while let Some(count) = said.is(at, Class::Polite).filter(|_| at < end) {
                at += count;
            }
            at == end
        })
        .unwrap_or(end)
}

/// A word of commands, which is no name.
fn is_known(class: Class) -> bool {
    let goes_on = |clock: Clock| clock.is_verb() || matches!(clock, Clock::Ask | Clock::Left | Clock::Next);
    let ends = matches!(
        class,
        Class::Polite | Class::Pronoun | Class::Remark | Class::Because | Class::NotNow
    );
    ends || class.clock().is_some_and(goes_on)
}

/// Where a label that begins here ends; none when nothing of it is there. What `rings` does so at a bare hour as well.
fn label_end(said: &Said<'_>, from: usize, rings: bool) -> Option<usize> {
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
        let at_hour = |count: usize| rings && moment(said, end + count, true).is_some();
        let introduces = introduces || said.is(end, Class::Clock(Clock::At)).is_some_and(at_hour);
        if introduces || moment(said, end, false).is_some() || duration(said, end).is_some() {
            break;
        }
        end += 1;
    }
    Some(end)
}

/// The name of a timer or alarm: a label, or unknown words that touch the noun. True when unknown words are left over.
fn name(said: &Said<'_>, parts: &Parts) -> (Option<String>, bool) {
    let original = |range: &Range<usize>| said.original(range.start, range.end).map(|name| name.trim().to_owned());
    // "5 to 10 minutes" is no timer called "5".
    let counts = |range: &Range<usize>| number(said, range.start).is_some();
    if !parts.spans.is_empty() && parts.label.iter().chain(&parts.unknown).any(counts) {
        return (None, true);
    }
    let label = parts.label.as_ref().and_then(original);
    let (Some(first), Some(end)) = (
        parts.unknown.first().map(|range| range.start),
        parts.unknown.last().map(|range| range.end),
    ) else {
        return (label, false);
    };
    let one_run = end - first == parts.unknown.len() && end - first <= NAME_WORDS_MAX;
    let before = |noun: usize| noun == end;
    let behind = |noun: usize| noun + 1 == first;
    let touches = parts.nouns.iter().any(|(_, noun)| before(*noun) || behind(*noun));
    let definite = parts.article == Some(Article::There)
        || first
            .checked_sub(1)
            .is_some_and(|at| said.is(at, Class::Definite) == Some(1));
    let is_name = one_run && touches && label.is_none() && is_nameable(parts, definite);
    (label.or_else(|| original(&(first..end)).filter(|_| is_name)), !is_name)
}

/// Whether an unknown word beside the noun can be its name. Where no verb says what to do, "the alarm woke" reports; and
/// an alarm with nothing but an unknown word may be any device.
fn is_nameable(parts: &Parts, definite: bool) -> bool {
    let commands = parts
        .words
        .iter()
        .any(|word| word.is_verb() || matches!(word, Clock::Left | Clock::Ask));
    let timed = !parts.spans.is_empty() || !parts.moments.is_empty() || !parts.days.is_empty();
    let changes = |word: &Clock| word.is_verb() && !matches!(word, Clock::Make | Clock::More | Clock::Wake);
    let asks = |word: &Clock| matches!(word, Clock::Left | Clock::Ask);
    let sets = parts.has(Clock::Make) && !parts.words.iter().any(|word| changes(word) || asks(word));
    (commands || !definite && parts.noun(Clock::Timer)) && (timed || !sets)
}
