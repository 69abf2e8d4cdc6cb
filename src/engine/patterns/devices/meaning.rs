//! What the parts of a command to devices mean together: what is done, to which, and what must be asked first.
//! Called by `devices` when every word has its part. It never guesses a device.

use super::{
    super::{
        DeclineReason, Reply,
        classes::{Act, Class},
        command::{Action, Command, DeviceCommand, DeviceKind, Subject, Target},
        household::{Device, Household},
    },
    Parts,
};
use crate::domain::message::Message;

pub(super) fn decide(parts: &Parts, household: &Household) -> Option<Reply> {
    let mut target = target(parts, household)?;
    let action = match action(parts, &target, household)? {
        Ok(action) => action,
        Err(question) => return Some(Reply::Clarify(question, Subject::Devices)),
    };
    let moves = matches!(action, Action::Open | Action::Close);
    // Whoever shuts a door does not say that it is to be locked.
    if action == Action::Close && is_lock(&target, household) {
        return None;
    }
    let named = !target.names.is_empty();
    // "Turn the garage on" is about its lights or its door: nobody can tell.
    if action == Action::On && is_cover_by_name(&target, household) {
        return None;
    }
    let placed = !target.areas.is_empty() || target.floor.is_some() || target.unknown_room.is_some();
    let switches = matches!(action, Action::On | Action::Off | Action::Toggle);
    if parts.has(Class::Everything) && !named && target.kind.is_none() && (!placed || switches) && !moves {
        let is_meant = |device: &&Device| {
            let there = device.area.as_ref().is_some_and(|area| target.areas.contains(area));
            target.areas.is_empty() || there
        };
        let count = household.devices().iter().filter(is_meant).count();
        let question = Message::new("pattern-device-everything").with("count", count);
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
    if let Some(name) = &parts.stranger {
        return stranger(name, action, household);
    }
    if undoes_lock(action, &target, household) {
        return Some(Reply::Clarify(Message::new("pattern-device-unlock"), Subject::Devices));
    }
    if let Some(question) = question(&mut target, parts, household) {
        return Some(Reply::Clarify(question, Subject::Devices));
    }
    Some(Reply::Hit(Command::Device(DeviceCommand { action, target })))
}

/// A device of a known kind and an unknown name: which one is meant is asked, never guessed.
fn stranger(name: &str, action: Action, household: &Household) -> Option<Reply> {
    if household.is_unknown() {
        return None;
    }
    let fits = matches!(
        action,
        Action::On | Action::Off | Action::Toggle | Action::Level(_) | Action::Color(_)
    );
    let question = Message::new("pattern-device-unknown").with("name", name);
    fits.then_some(Reply::Clarify(question, Subject::Devices))
}

/// A lock is only ever locked on a sentence: off, open or the other way round all may open the door.
fn undoes_lock(action: Action, target: &Target, household: &Household) -> bool {
    let of_lock = target.kind == Some(DeviceKind::Lock) || is_lock(target, household);
    action == Action::Unlock || of_lock && action != Action::Lock
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
    for (kind, _) in &parts.kinds {
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
            Act::Stop => Some(Action::Off),
            Act::Set | Act::Up | Act::Down | Act::TooDark | Act::TooBright => None,
        })
        .collect();
    let stops = parts.acts.contains(&Act::Stop);
    if stops && (cover || is_light(target, household)) {
        return None;
    }
    let up = parts.acts.contains(&Act::Up) || parts.acts.contains(&Act::TooDark);
    let down = parts.acts.contains(&Act::Down) || parts.acts.contains(&Act::TooBright);
    // "on the first floor" is a place once a verb said what to do.
    // "La luce è accesa" tells, "luce accesa, per favore" wishes.
    let wished = parts.acts.contains(&Act::Set)
        || (parts.has(Class::Polite) || parts.has(Class::All)) && !parts.has(Class::Joint);
    said.extend(parts.reached.iter().copied().filter(|_| wished));
    if !parts.reached.is_empty() && !wished {
        return None;
    }
    let states: Vec<Action> = parts
        .states
        .iter()
        .copied()
        .filter(|state| *state != Action::On || said.is_empty() && !parts.states.contains(&Action::Off))
        .collect();
    said.extend(states);
    said.dedup();
    let shines = is_light(target, household);
    if !shines && (parts.hue.is_some() || parts.level.is_some()) {
        return None;
    }
    // "Red at 50 %" is two things.
    if parts.hue.is_some() && parts.level.is_some() {
        return None;
    }
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
        // "Put on lights down low" is a song.
        let is_song = parts.has(Class::Plays);
        if is_song || !fits || up && down || !(cover || shines) {
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

/// Whether what is meant can be a light: named ones are, a kind is, and a room without a thing may be.
fn is_light(target: &Target, household: &Household) -> bool {
    target.kind.is_none_or(DeviceKind::is_light) && household.named(target).all(|device| device.kind.is_light())
}

/// Whether a lock is among the devices named.
fn is_lock(target: &Target, household: &Household) -> bool {
    household.named(target).any(|device| device.kind == DeviceKind::Lock)
}

fn is_cover_by_name(target: &Target, household: &Household) -> bool {
    household
        .named(target)
        .next()
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
    let light = parts.has(Class::Brightness)
        || parts.has(Class::Percent)
        || parts.kinds.iter().any(|(kind, _)| kind.is_light())
        || parts.acts.contains(&Act::Down);
    if !light && level != 100.0 && level != 1.0 {
        return None;
    }
    // A number by itself is about nothing at home.
    if parts.acts.is_empty() && !parts.has_thing() && !parts.has(Class::Brightness) && !parts.has_place() {
        return None;
    }
    if !(0.0..=100.0).contains(&level) {
        return Some(Err(Message::new("pattern-device-percent")));
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
