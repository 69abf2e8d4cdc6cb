//! Commands to devices: one walk over a message gives every word a part, and all of them together must make one
//! command. Called by `patterns`. A word without a part, a time or a condition makes it none of ours: doing now what
//! was meant for later is worse than asking a planner. What the parts mean, `meaning` decides.

mod meaning;

use std::ops::Range;

use super::{
    DeclineReason, Reply,
    amounts::number,
    classes::{Act, Class},
    command::{Action, DeviceKind, Hue},
    household::{Household, Named},
    said::Said,
};

/// Longest command, in words.
const WORDS_MAX: usize = 18;
/// Longest name of a device nobody knows, in words.
const NAME_WORDS_MAX: usize = 3;

/// What a message says of devices.
#[derive(Default)]
struct Parts {
    acts: Vec<Act>,
    states: Vec<Action>,
    reached: Vec<Action>,
    kinds: Vec<(DeviceKind, Range<usize>)>,
    devices: Vec<usize>,
    areas: Vec<String>,
    rooms: Vec<String>,
    floor: Option<String>,
    /// A place stands behind "in".
    inside: bool,
    /// Words that say it all by being there.
    plain: Vec<Class>,
    hue: Option<Hue>,
    level: Option<f64>,
    /// Words without a part.
    unknown: Vec<usize>,
    /// The name of a device of a known kind that the household does not have: "the heater plug".
    stranger: Option<String>,
}

impl Parts {
    fn has(&self, class: Class) -> bool {
        self.plain.contains(&class)
    }

    fn has_thing(&self) -> bool {
        !self.devices.is_empty() || !self.kinds.is_empty()
    }

    fn has_place(&self) -> bool {
        !self.areas.is_empty() || !self.rooms.is_empty() || self.floor.is_some()
    }

    /// One command sets one level; a second one is of another command.
    fn take_level(&mut self, level: f64, at: usize) {
        if self.level.is_some_and(|own| own != level) {
            self.unknown.push(at);
        }
        self.level = Some(level);
    }

    /// "The kitchen red and the bedroom blue" are two commands.
    fn take_hue(&mut self, hue: Hue, at: usize) {
        if self.hue.is_some_and(|own| own != hue) {
            self.unknown.push(at);
        }
        self.hue = Some(hue);
    }

    /// Takes from a reason what the command only points at; false when it is not clear whether it points there.
    fn borrow(&mut self, reason: Self) -> bool {
        let points = self.has(Class::Pronoun) && !self.has_thing();
        let placed = reason.has_place();
        if points {
            self.kinds = reason.kinds;
            self.devices = reason.devices;
        }
        let has_own = self.has_place() || self.has(Class::Here) || self.has(Class::House) || !self.devices.is_empty();
        if placed && !has_own {
            if !(points || reason.inside) {
                return false;
            }
            self.areas = reason.areas;
            self.rooms = reason.rooms;
            self.floor = reason.floor;
        }
        true
    }
}

/// What a message means for devices, if it is about them at all.
pub(super) fn read(said: &Said<'_>, household: &Household) -> Option<Reply> {
    // "The curtain is open?" asks; "can you open the curtain?" commands.
    if said.is_question && !begins_with_act(said) {
        return None;
    }
    decide(&command(said, household)?, household)
}

/// What a command means, with a reason beside it that may say where, or what "it" is.
pub(super) fn read_for(said: &Said<'_>, reason: &Said<'_>, household: &Household) -> Option<Reply> {
    let mut parts = command(said, household)?;
    if !parts.borrow(collect(reason, household)) {
        return None;
    }
    decide(&parts, household)
}

/// The parts of a message short enough for a command.
fn command(said: &Said<'_>, household: &Household) -> Option<Parts> {
    if said.len() == 0 || said.len() > WORDS_MAX {
        return None;
    }
    let mut parts = collect(said, household);
    name_stranger(said, household, &mut parts);
    Some(parts)
}

fn decide(parts: &Parts, household: &Household) -> Option<Reply> {
    let is_about = parts.has_thing() || parts.has(Class::Brightness);
    if parts.has(Class::NotNow) && is_about && !parts.acts.is_empty() {
        return Some(Reply::Decline(DeclineReason::Conditional));
    }
    let is_lost = parts.has(Class::Pronoun) && !parts.has_thing();
    if !parts.unknown.is_empty() || parts.has(Class::NotNow) || parts.has(Class::Elsewhere) || is_lost {
        return None;
    }
    meaning::decide(parts, household)
}

fn collect(said: &Said<'_>, household: &Household) -> Parts {
    let mut parts = Parts::default();
    let mut at = 0;
    while at < said.len() {
        if let Some(count) = step(said, household, at, &mut parts) {
            at += count;
            continue;
        }
        // The first word may be the name we are called by, if it is no word of a sentence ("devo accendere").
        let act = |at: usize| said.longest(at, |class| matches!(class, Class::Act(_)).then_some(()));
        if !(at == 0 && act(1).is_some() && said.is(0, Class::Binds).is_none()) {
            parts.unknown.push(at);
        }
        at += 1;
    }
    parts
}

/// Takes words without a part for the name of a device when they stand where its kind has its name: before the noun in
/// one language ("the heater plug"), behind it in another ("la presa della stufetta").
fn name_stranger(said: &Said<'_>, household: &Household, parts: &mut Parts) {
    // "The desk lamp" is the one of that name, and not whichever lamp there is.
    if let [(DeviceKind::Lamp, range)] = parts.kinds.as_slice()
        && range.len() > 1
        && parts.devices.is_empty()
        && !household.is_unknown()
    {
        parts.stranger = said.original(range.start, range.end).map(str::to_owned);
        return;
    }
    let last = said.noun_is_last();
    let of = |at: usize| if last { 0 } else { said.is(at, Class::Of).unwrap_or(0) };
    // Two kinds beside each other: one of them says what the other is for.
    if let [(first, one), (second, two)] = parts.kinds.as_slice()
        && one.end + of(one.end) == two.start
        && first != second
        && !(first.is_light() && second.is_light())
    {
        let name = said.original(one.start, two.end).map(str::to_owned);
        let (head, other) = if last { (second, first) } else { (first, second) };
        // "The window blinds" are blinds of any name.
        let is_plain = head.is_cover() && other.is_cover();
        let head = (*head, one.start..two.end);
        parts.stranger = name.filter(|_| !is_plain);
        parts.kinds = vec![head];
    }
    let (Some(first), Some(end)) = (parts.unknown.first().copied(), parts.unknown.last().map(|end| end + 1)) else {
        return;
    };
    let [(_, noun)] = parts.kinds.as_slice() else { return };
    let run = end - first == parts.unknown.len() && end - first <= NAME_WORDS_MAX;
    let beside = if last {
        end == noun.start
    } else {
        of(noun.end) > 0 && noun.end + of(noun.end) == first
    };
    // "Put on city lights" asks for a song.
    if run && beside && !parts.has(Class::Plays) {
        let range = if last { first..noun.end } else { noun.start..end };
        parts.stranger = said.original(range.start, range.end).map(str::to_owned);
        parts.unknown.clear();
    }
}

fn begins_with_act(said: &Said<'_>) -> bool {
    let mut at = 0;
    while let Some(count) = said.is(at, Class::Filler).or_else(|| said.is(at, Class::Wake)) {
        at += count;
    }
    let act = |at: usize| {
        said.longest(at, |class| matches!(class, Class::Act(_)).then_some(()))
            .is_some()
    };
    // Either what is politeness was a verb too, or the verb comes now.
    (0..=at).any(act)
}

/// Gives what stands at a word its part; the longest phrase wins, a name of the household before a word.
fn step(said: &Said<'_>, household: &Household, at: usize, parts: &mut Parts) -> Option<usize> {
    let class = said.longest(at, |class| is_ours(class).then_some(()));
    let longest = class.map_or(0, |(count, ())| count);
    // "nella stanza" is here, "nella stanza degli ospiti" is not: a name that begins in a phrase and outlasts it counts.
    if let Some(name) = (1..longest).find(|skip| outlasts(said, household, at + skip, at + longest)) {
        return said
            .longest(at, |class| (class == Class::Filler).then_some(()))
            .map(|_| name);
    }
    if let Some((count, names)) = household.longest(&said.words, at)
        && (count > longest || count == longest && !is_only_article(said, at))
    {
        take_names(names, household, parts);
        parts.inside |= is_inside(said, at);
        return Some(count);
    }
    if let Some((count, amount)) = number(said, at)
        && count > longest
    {
        parts.take_level(if said.is_negative(at) { -amount } else { amount }, at);
        // "alza del 20%", "20% brighter": by so much.
        let of = at
            .checked_sub(1)
            .is_some_and(|before| said.is(before, Class::Of).is_some());
        let change = |class| matches!(class, Class::Act(Act::Up | Act::Down)).then_some(());
        let percent = said.is(at + count, Class::Percent).unwrap_or(0);
        if of || percent > 0 && said.longest(at + count + percent, change).is_some() {
            parts.plain.push(Class::By);
        }
        return Some(count);
    }
    let classes = said.classes(at, longest);
    if !classes.iter().any(|class| is_ours(*class)) {
        return None;
    }
    // "switch", "light" and "lock" are verbs until one was said, and things after it.
    let is_act = |class: &Class| matches!(class, Class::Act(_));
    let verb = parts.acts.is_empty() && classes.iter().any(is_act);
    let is_thing = classes.iter().any(|class| matches!(class, Class::Kind(_)));
    for class in classes {
        if !(verb && matches!(class, Class::Kind(_)) || !verb && is_act(&class) && is_thing) {
            take(said, at, class, parts);
        }
    }
    Some(longest)
}

/// Whether "in" stands before a place.
fn is_inside(said: &Said<'_>, at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).filter(|at| said.is(*at, Class::Inside) == Some(1));
    let article = at
        .checked_sub(1)
        .is_some_and(|at| said.is(at, Class::Definite).is_some());
    before(1).is_some() || article && before(2).is_some()
}

fn outlasts(said: &Said<'_>, household: &Household, at: usize, end: usize) -> bool {
    let named = household.longest(&said.words, at).map(|(count, _)| count);
    named
        .or_else(|| said.is(at, Class::Room))
        .is_some_and(|count| at + count > end)
}

fn is_only_article(said: &Said<'_>, at: usize) -> bool {
    said.is(at, Class::Filler).is_some()
}

/// Words of clocks and numbers mean nothing to a device.
fn is_ours(class: Class) -> bool {
    match class {
        Class::Filler
        | Class::Wake
        | Class::Polite
        | Class::Definite
        | Class::Of
        | Class::Inside
        | Class::Taken
        | Class::Pronoun
        | Class::Plays
        | Class::Elsewhere
        | Class::All
        | Class::Everything
        | Class::Joint
        | Class::NotNow
        | Class::Act(_)
        | Class::State(_)
        | Class::Reached(_)
        | Class::Kind(_)
        | Class::Here
        | Class::House
        | Class::Room
        | Class::Brightness
        | Class::Color
        | Class::Percent
        | Class::Most
        | Class::Least
        | Class::Middle
        | Class::By
        | Class::Hue(_) => true,
        Class::Remark
        | Class::Binds
        | Class::Because
        | Class::Link
        | Class::Clock(_)
        | Class::One
        | Class::Watcher
        | Class::WatcherStops
        | Class::WatcherGoes => false,
    }
}

fn take_names(names: &[Named], household: &Household, parts: &mut Parts) {
    // A room and a device of one name ("Garage"): what is said of it decides later, both are kept.
    for named in names {
        match named {
            Named::Device(device) => parts.devices.push(*device),
            Named::Area(area) => parts.areas.extend(household.area(*area).map(str::to_owned)),
            Named::Floor(floor) => parts.floor = household.floor(*floor).map(str::to_owned),
            Named::Watcher(_) => {}
        }
    }
}

fn take(said: &Said<'_>, at: usize, class: Class, parts: &mut Parts) {
    match class {
        Class::Act(act) => parts.acts.push(act),
        Class::State(action) => parts.states.push(action),
        Class::Reached(action) => parts.reached.push(action),
        Class::Kind(kind) => {
            let count = said.is(at, class).unwrap_or(1);
            parts.kinds.push((kind, at..at + count));
        }
        Class::Room => {
            let count = said.is(at, Class::Room).unwrap_or(1);
            parts.inside |= is_inside(said, at);
            parts.rooms.extend(said.original(at, at + count).map(str::to_owned));
        }
        Class::Middle => parts.take_level(50.0, at),
        Class::Most => parts.take_level(100.0, at),
        Class::Least => parts.take_level(1.0, at),
        Class::Hue(hue) => parts.take_hue(hue, at),
        Class::Here
        | Class::House
        | Class::All
        | Class::Everything
        | Class::Brightness
        | Class::Color
        | Class::Percent
        | Class::By
        | Class::Pronoun
        | Class::Plays
        | Class::Elsewhere
        | Class::Polite
        | Class::Joint
        | Class::NotNow => parts.plain.push(class),
        Class::Filler
        | Class::Definite
        | Class::Of
        | Class::Inside
        | Class::Taken
        | Class::Remark
        | Class::Binds
        | Class::Because
        | Class::Link
        | Class::Wake
        | Class::Clock(_)
        | Class::One
        | Class::Watcher
        | Class::WatcherStops
        | Class::WatcherGoes => {}
    }
}
