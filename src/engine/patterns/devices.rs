//! Commands to devices: one walk over a message gives every word a part, and all of them together must make one
//! command. Called by `patterns`. A word without a part, a time or a condition makes it none of ours: doing now what
//! was meant for later is worse than asking a planner.

use super::{
    DeclineReason, Reply,
    amounts::number,
    command::{Action, Command, DeviceCommand, DeviceKind, Hue, Subject, Target},
    household::{Device, Household, Named},
    words::{Act, Class, Said},
};
use crate::domain::message::Message;

/// Longest command, in words.
const WORDS_MAX: usize = 16;
/// Longest name that is asked about, in words.
const NAME_WORDS_MAX: usize = 3;

/// What a message says of devices.
#[derive(Default)]
struct Parts {
    acts: Vec<Act>,
    states: Vec<Action>,
    kinds: Vec<DeviceKind>,
    devices: Vec<usize>,
    areas: Vec<String>,
    rooms: Vec<String>,
    floor: Option<String>,
    /// Words that say it all by being there.
    plain: Vec<Class>,
    hue: Option<Hue>,
    level: Option<f64>,
}

impl Parts {
    fn has(&self, class: Class) -> bool {
        self.plain.contains(&class)
    }
}

/// What a message means for devices, if it is about them at all.
pub(super) fn read(said: &Said<'_>, household: &Household) -> Option<Reply> {
    if said.len() == 0 || said.len() > WORDS_MAX {
        return None;
    }
    let mut parts = Parts::default();
    let mut at = 0;
    let mut unknown = Vec::new();
    // "The curtain is open?" asks; "can you open the curtain?" commands.
    if said.is_question && !begins_with_act(said) {
        return None;
    }
    while at < said.len() {
        match step(said, household, at, &mut parts) {
            Some(count) => at += count,
            None => {
                // The first word may be the name we are called by; "volume down" is about the volume.
                let acts = |class| matches!(class, Class::Act(Act::Do(_) | Act::Set | Act::LightUp)).then_some(());
                let called = at == 0 && said.longest(1, acts).is_some();
                if !called {
                    unknown.push(at);
                }
                at += 1;
            }
        }
    }
    let is_about = !parts.devices.is_empty() || !parts.kinds.is_empty() || parts.has(Class::Brightness);
    if parts.has(Class::NotNow) && is_about && !parts.acts.is_empty() {
        return Some(Reply::Decline(DeclineReason::Conditional));
    }
    if parts.has(Class::NotNow) {
        return None;
    }
    let reply = decide(&parts, household)?;
    match unknown.as_slice() {
        [] => Some(reply),
        several => unknown_name(said, several, household),
    }
}

/// A light and the like of a name that nobody here bears: "turn on the zorb lamp". Any other word that is not
/// understood makes a message none of ours.
fn unknown_name(said: &Said<'_>, unknown: &[usize], household: &Household) -> Option<Reply> {
    let (first, last) = (*unknown.first()?, *unknown.last()?);
    let in_a_row = last - first + 1 == unknown.len() && unknown.len() <= NAME_WORDS_MAX;
    if household.is_unknown() || !in_a_row || !begins_with_act(said) {
        return None;
    }
    let thing = |at: usize| said.longest(at, |class| is_switched(class).then_some(()));
    let (from, to) = if let Some((count, ())) = thing(last + 1) {
        (first, last + 1 + count)
    } else {
        // "la lampada del drago"
        let ends_here = |gap: usize| {
            let end = first.checked_sub(gap)?;
            (0..end).find(|at| thing(*at).is_some_and(|(count, ())| at + count == end))
        };
        let filled = first.checked_sub(1).filter(|at| said.is(*at, Class::Filler) == Some(1));
        (ends_here(0).or_else(|| filled.and_then(|_| ends_here(1)))?, last + 1)
    };
    let name = said.original(from, to)?;
    let question = Message::new("pattern-device-unknown").with("name", name);
    Some(Reply::Clarify(question, Subject::Devices))
}

/// Things that have no other meaning beside a word for switching; a window or a door can be anybody's.
fn is_switched(class: Class) -> bool {
    matches!(
        class,
        Class::Kind(DeviceKind::Light | DeviceKind::Lamp | DeviceKind::Fan | DeviceKind::Outlet)
    )
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
    if let Some((count, names)) = household.longest(&said.words, at)
        && (count > longest || count == longest && !is_only_article(said, at))
    {
        take_names(names, household, parts);
        return Some(count);
    }
    if let Some((count, amount)) = number(said, at)
        && count > longest
    {
        parts.level = Some(amount);
        return Some(count);
    }
    let classes = said.classes(at, longest);
    if !classes.iter().any(|class| is_ours(*class)) {
        return None;
    }
    // "switch", "light" and "lock" are verbs until one was said, and things after it.
    let is_act = |class: &Class| matches!(class, Class::Act(_));
    let verb = parts.acts.is_empty() && classes.iter().any(is_act);
    for class in classes {
        if !(verb && matches!(class, Class::Kind(_)) || !verb && is_act(class) && is_thing(classes)) {
            take(said, at, *class, parts);
        }
    }
    Some(longest)
}

fn is_thing(classes: &[Class]) -> bool {
    classes.iter().any(|class| matches!(class, Class::Kind(_)))
}

fn is_only_article(said: &Said<'_>, at: usize) -> bool {
    said.is(at, Class::Filler).is_some()
}

/// Words of clocks and numbers mean nothing to a device.
fn is_ours(class: Class) -> bool {
    match class {
        Class::Filler
        | Class::Wake
        | Class::All
        | Class::Everything
        | Class::Joint
        | Class::NotNow
        | Class::Act(_)
        | Class::State(_)
        | Class::Kind(_)
        | Class::Here
        | Class::House
        | Class::Room
        | Class::Brightness
        | Class::Color
        | Class::Percent
        | Class::Most
        | Class::Least
        | Class::By
        | Class::Hue(_) => true,
        Class::Clock(_)
        | Class::Day(_)
        | Class::Weekday(_)
        | Class::Month(_)
        | Class::Unit(_)
        | Class::LongUnit
        | Class::Duration(_)
        | Class::Number(_)
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
        Class::Kind(kind) => parts.kinds.push(kind),
        Class::Room => {
            let count = said.is(at, Class::Room).unwrap_or(1);
            parts.rooms.extend(said.original(at, at + count).map(str::to_owned));
        }
        Class::Most => parts.level = Some(100.0),
        Class::Least => parts.level = Some(1.0),
        Class::Hue(hue) => parts.hue = Some(hue),
        Class::Here
        | Class::House
        | Class::All
        | Class::Everything
        | Class::Brightness
        | Class::Color
        | Class::Percent
        | Class::By
        | Class::NotNow => parts.plain.push(class),
        Class::Filler
        | Class::Wake
        | Class::Joint
        | Class::Clock(_)
        | Class::Day(_)
        | Class::Weekday(_)
        | Class::Month(_)
        | Class::Unit(_)
        | Class::LongUnit
        | Class::Duration(_)
        | Class::Number(_)
        | Class::Watcher
        | Class::WatcherStops
        | Class::WatcherGoes => {}
    }
}

fn decide(parts: &Parts, household: &Household) -> Option<Reply> {
    let mut target = target(parts, household)?;
    let action = match action(parts, &target, household)? {
        Ok(action) => action,
        Err(question) => return Some(Reply::Clarify(question, Subject::Devices)),
    };
    let named = !target.names.is_empty();
    let placed = !target.areas.is_empty() || target.floor.is_some() || target.unknown_room.is_some();
    let moves = matches!(action, Action::Open | Action::Close);
    if parts.has(Class::Everything) && !named && target.kind.is_none() && !placed && !moves {
        let question = Message::new("pattern-device-everything").with("count", household.devices().len());
        return Some(Reply::Clarify(question, Subject::Devices));
    }
    let located = placed || target.here || household.speaker_in().is_some();
    if matches!(action, Action::Color(_)) && !named && !located {
        // A colour for every lamp of the house is nothing one says in passing.
        return Some(Reply::Decline(DeclineReason::NoTarget));
    }
    if !named && target.kind.is_none() {
        let lights = match action {
            Action::Level(_) | Action::Color(_) | Action::Brighter(_) | Action::Dimmer(_) => {
                located || target.house || parts.has(Class::Brightness) || is_remark(parts)
            }
            Action::On | Action::Off => is_remark(parts),
            Action::Toggle | Action::Open | Action::Close | Action::Lock | Action::Unlock => false,
        };
        if lights {
            target.kind = Some(DeviceKind::Light);
        } else if !(moves && (placed || target.house || parts.has(Class::Everything))) {
            return None;
        }
    }
    if undoes_lock(action, &target, household) {
        return Some(Reply::Clarify(Message::new("pattern-device-unlock"), Subject::Devices));
    }
    if let Some(question) = question(&mut target, parts, household) {
        return Some(Reply::Clarify(question, Subject::Devices));
    }
    Some(Reply::Hit(Command::Device(DeviceCommand { action, target })))
}

/// A lock is only ever locked on a sentence: off, open or the other way round all may open the door.
fn undoes_lock(action: Action, target: &Target, household: &Household) -> bool {
    let is_lock = |name: &String| {
        household
            .devices()
            .iter()
            .any(|device| device.name == *name && device.kind == DeviceKind::Lock)
    };
    let of_lock = target.kind == Some(DeviceKind::Lock) || target.names.iter().any(is_lock);
    action == Action::Unlock || of_lock && !matches!(action, Action::Lock | Action::Close)
}

fn is_remark(parts: &Parts) -> bool {
    let about_light = |act: &Act| matches!(act, Act::LightUp | Act::TooDark | Act::TooBright);
    parts.acts.iter().any(about_light)
}

/// What must be asked before anything is done: a room nobody knows, one lamp of several.
fn question(target: &mut Target, parts: &Parts, household: &Household) -> Option<Message> {
    if household.is_unknown() || !target.names.is_empty() {
        return None;
    }
    if let Some(room) = &target.unknown_room {
        return Some(Message::new("pattern-device-room").with("room", room.as_str()));
    }
    if target.kind != Some(DeviceKind::Lamp) || parts.has(Class::All) || target.house {
        return None;
    }
    let here = household.speaker_in();
    let placed = !target.areas.is_empty() || target.floor.is_some();
    let near = |area: Option<&String>| area.map(String::as_str) == here;
    let lamps: Vec<&Device> = household
        .devices()
        .iter()
        .filter(|device| device.kind == DeviceKind::Lamp)
        .collect();
    let in_room: Vec<&Device> = lamps
        .iter()
        .copied()
        .filter(|lamp| here.is_some() && near(lamp.area.as_ref()))
        .collect();
    match (lamps.as_slice(), in_room.as_slice()) {
        _ if placed => None,
        ([lamp], _) | (_, [lamp]) => {
            target.names.push(lamp.name.clone());
            None
        }
        ([], _) => None,
        (several, _) => {
            let names: Vec<&str> = several.iter().map(|lamp| lamp.name.as_str()).collect();
            Some(Message::new("pattern-device-which").with("names", names.join(", ")))
        }
    }
}

/// Which devices are meant; none when what is said does not fit together.
fn target(parts: &Parts, household: &Household) -> Option<Target> {
    let mut target = Target {
        areas: parts.areas.clone(),
        floor: parts.floor.clone(),
        here: parts.has(Class::Here),
        house: parts.has(Class::House),
        ..Target::default()
    };
    target.areas.dedup();
    if target.areas.is_empty() && target.floor.is_none() {
        target.unknown_room = parts.rooms.first().cloned();
    }
    // A device counts by its name unless another room is named for it.
    for device in parts.devices.iter().filter_map(|at| household.device(*at)) {
        let elsewhere = device
            .area
            .as_ref()
            .is_some_and(|own| !target.areas.is_empty() && !target.areas.contains(own));
        if elsewhere {
            target.kind.get_or_insert(device.kind);
        } else if !target.names.contains(&device.name) {
            target.names.push(device.name.clone());
        }
    }
    let mut kinds: Vec<DeviceKind> = Vec::new();
    for kind in &parts.kinds {
        let kind = if *kind == DeviceKind::Lamp && parts.has(Class::All) {
            DeviceKind::Light
        } else {
            *kind
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    match kinds.as_slice() {
        [] => {}
        [kind] => target.kind = Some(*kind),
        // "light switch", "lights ... lamp": one command has one kind of thing.
        [
            DeviceKind::Light | DeviceKind::Lamp,
            DeviceKind::Light | DeviceKind::Lamp,
        ] => {
            target.kind = Some(DeviceKind::Light);
        }
        _ => return None,
    }
    Some(target)
}

/// What is done; an error is a question.
fn action(parts: &Parts, target: &Target, household: &Household) -> Option<Result<Action, Message>> {
    let cover = target.kind.is_some_and(DeviceKind::is_cover) || is_cover_by_name(target, household);
    let mut said: Vec<Action> = parts
        .acts
        .iter()
        .filter_map(|act| match act {
            Act::Do(action) => Some(*action),
            Act::LightUp => Some(Action::On),
            Act::Set | Act::Up | Act::Down | Act::TooDark | Act::TooBright => None,
        })
        .collect();
    let up = parts.acts.contains(&Act::Up) || parts.acts.contains(&Act::TooDark);
    let down = parts.acts.contains(&Act::Down) || parts.acts.contains(&Act::TooBright);
    // "on the first floor" is a place once a verb said what to do.
    let states: Vec<Action> = parts
        .states
        .iter()
        .copied()
        .filter(|state| *state != Action::On || said.is_empty() && !parts.states.contains(&Action::Off))
        .collect();
    said.extend(states);
    said.dedup();
    if let Some(hue) = parts.hue {
        let only = said.iter().all(|action| *action == Action::On) && !up && !down;
        return only.then_some(Ok(Action::Color(hue)));
    }
    if parts.has(Class::Color) {
        return None;
    }
    if let Some(level) = parts.level {
        return leveled(parts, level, cover, &said, up, down);
    }
    if parts.has(Class::Percent) || parts.has(Class::By) {
        return None;
    }
    if up || down {
        let fits = said.is_empty() || said == [Action::On];
        if !fits || up && down {
            return None;
        }
        return Some(Ok(match (cover, up) {
            (true, true) => Action::Open,
            (true, false) => Action::Close,
            (false, true) => Action::Brighter(None),
            (false, false) => Action::Dimmer(None),
        }));
    }
    match said.as_slice() {
        [action] => Some(Ok(*action)),
        // "switch the light switch off": toggling and a state is the state.
        _ => None,
    }
}

fn is_cover_by_name(target: &Target, household: &Household) -> bool {
    let named = |name: &String| household.devices().iter().find(|device| device.name == *name);
    target
        .names
        .first()
        .and_then(named)
        .is_some_and(|device| device.kind.is_cover())
}

fn leveled(
    parts: &Parts,
    level: f64,
    cover: bool,
    said: &[Action],
    up: bool,
    down: bool,
) -> Option<Result<Action, Message>> {
    if cover || !said.iter().all(|action| *action == Action::On) || level.fract() != 0.0 {
        return None;
    }
    if !(0.0..=100.0).contains(&level) {
        return Some(Err(Message::new("pattern-device-percent")));
    }
    let light = parts.has(Class::Brightness)
        || parts.has(Class::Percent)
        || parts.kinds.iter().any(|kind| kind.is_light())
        || parts.acts.contains(&Act::Down);
    if !light && level != 100.0 && level != 1.0 {
        return None;
    }
    let percent = level as u8;
    if parts.has(Class::By) && (up || down) {
        let step = Some(percent);
        return Some(Ok(if up {
            Action::Brighter(step)
        } else {
            Action::Dimmer(step)
        }));
    }
    Some(Ok(if percent == 0 {
        Action::Off
    } else {
        Action::Level(percent)
    }))
}
