//! `intent`: what P0 makes of a sentence, in the names of the set: four for the sets of short commands, Home
//! Assistant's own for its tests. The household comes from `ha_fixtures.json` beside the cases.

use std::{collections::HashMap, path::Path, sync::Arc, time::Instant};

use metnos::{
    domain::lang::Lang,
    engine::patterns::{
        Pattern, PatternMatch, Patterns,
        command::{Action, AlarmTime, Command, DeviceCommand, DeviceKind, Hue, Subject, TimerChange, WhichTimer},
        household::{Area, Device, Household},
        trust::Speaker,
    },
    language::time::Times,
};
use serde_json::{Map, Value, json};

/// The set's names.
#[derive(Clone, Copy, PartialEq)]
enum Names {
    Four,
    HomeAssistant,
}

pub(crate) fn predictor(cases: &Path) -> anyhow::Result<crate::Predictor> {
    let patterns = Patterns::embedded(&Arc::new(Times::embedded()?))?;
    let fixtures = crate::beside(cases, "ha_fixtures.json")?;
    let homes: HashMap<&str, Household> = ["en", "it"]
        .into_iter()
        .map(|lang| (lang, household(&fixtures[lang], None)))
        .collect();
    Ok(Box::new(move |case| {
        let text = case["text"].as_str().unwrap_or_default();
        let code = if case["lang"] == "it" { "it" } else { "en" };
        let lang = if code == "it" { Lang::IT } else { Lang::EN };
        let names = if case["file"].is_string() {
            Names::HomeAssistant
        } else {
            Names::Four
        };
        let own = case["entities"]
            .as_array()
            .map(|entities| household(&fixtures[code], Some(entities)));
        let home = own.as_ref().unwrap_or(&homes[code]);
        let heard = case["context"]["area"].as_str().map(|area| home.clone().heard_in(area));
        let home = heard.as_ref().unwrap_or(home);
        let started = Instant::now();
        let meant = patterns.matching(text, &Speaker::host(lang), home);
        let ms = crate::ms_since(started);
        let (intent, slots) = match names {
            Names::Four => four(&meant, &fixtures[code], case, code),
            Names::HomeAssistant => home_assistant(&meant, &fixtures[code], case, code),
        };
        let mut prediction = Map::from_iter([("intent".to_owned(), json!(intent))]);
        prediction.insert("slots".to_owned(), Value::Object(slots));
        // The household is known before anybody speaks.
        prediction.insert("ms".to_owned(), json!(ms));
        prediction.insert("read".to_owned(), json!(format!("{meant:?}")));
        prediction
    }))
}

fn household(fixtures: &Value, instead: Option<&Vec<Value>>) -> Household {
    let list = |name: &str| fixtures[name].as_array().cloned().unwrap_or_default();
    let area_names: HashMap<String, String> = list("areas")
        .iter()
        .filter_map(|area| Some((area["id"].as_str()?.to_owned(), area["name"].as_str()?.to_owned())))
        .collect();
    let entities = instead.cloned().unwrap_or_else(|| list("entities"));
    let devices = entities
        .iter()
        .filter_map(|entity| {
            Some(Device {
                name: entity["name"].as_str()?.to_owned(),
                aliases: Vec::new(),
                kind: kind(domain(entity), entity["attributes"]["device_class"].as_str())?,
                area: entity["area"].as_str().and_then(|id| area_names.get(id).cloned()),
                floor: None,
            })
        })
        .collect();
    let areas = area_names
        .values()
        .map(|name| Area {
            name: name.clone(),
            aliases: Vec::new(),
        })
        .collect();
    let floors = list("floors")
        .iter()
        .filter_map(|floor| floor["name"].as_str().map(str::to_owned))
        .collect();
    Household::new(devices, areas, floors, Vec::new())
}

fn domain(entity: &Value) -> &str {
    let from_id = entity["id"].as_str().and_then(|id| id.split('.').next());
    entity["domain"].as_str().or(from_id).unwrap_or_default()
}

fn kind(domain: &str, class: Option<&str>) -> Option<DeviceKind> {
    Some(match (domain, class) {
        ("light", _) => DeviceKind::Light,
        ("switch", _) => DeviceKind::Switch,
        ("fan", _) => DeviceKind::Fan,
        ("lock", _) => DeviceKind::Lock,
        ("climate", _) => DeviceKind::Climate,
        ("valve", _) => DeviceKind::Valve,
        ("cover", Some("shutter")) => DeviceKind::Shutter,
        ("cover", Some("shade")) => DeviceKind::Shade,
        ("cover", Some("garage")) => DeviceKind::Garage,
        ("cover", _) => DeviceKind::Curtain,
        ("scene" | "script", _) => DeviceKind::Scene,
        ("media_player" | "vacuum", _) => DeviceKind::Other,
        _ => return None,
    })
}

/// `timer.set`, `alarm.set`, `schedule.list`, `device.control`, or none. What the set files elsewhere (covers and
/// scenes by kind, changes of a timer, reminders) is none here too.
fn four(meant: &PatternMatch, fixtures: &Value, case: &Value, lang: &str) -> (&'static str, Map<String, Value>) {
    let mut slots = Map::new();
    let name = match meant {
        PatternMatch::Hit(Pattern::Command(command)) => match command {
            Command::SetTimer { reminds: true, .. } => "none",
            Command::SetTimer { seconds, label, .. } => {
                slots.insert("duration_seconds".to_owned(), json!(seconds));
                slots.extend(label.iter().map(|label| ("label".to_owned(), json!(label))));
                "timer.set"
            }
            Command::SetAlarm(_) => "alarm.set",
            Command::ListSchedules { which, .. } => {
                which_timer(which, &mut slots);
                "schedule.list"
            }
            Command::Device(device) if is_elsewhere(device) => "none",
            Command::Device(command) => {
                // The set's slots are Home Assistant's, with what is done beside them and without the class of a cover.
                device(command, fixtures, case, lang, &mut slots);
                slots.remove("device_class");
                slots.extend(action(command.action).map(|action| ("action".to_owned(), json!(action))));
                "device.control"
            }
            Command::ChangeTimer { .. }
            | Command::CancelAlarm { .. }
            | Command::SnoozeAlarm { .. }
            | Command::Watcher { .. } => "none",
        },
        PatternMatch::Clarify(question, Some(subject)) => match (subject, question.key.as_str()) {
            (Subject::Clocks, key) if key.contains("alarm") => "alarm.set",
            (Subject::Clocks, _) => "timer.set",
            (Subject::Devices, _) => "device.control",
            (Subject::Watchers, _) => "none",
        },
        PatternMatch::Hit(_)
        | PatternMatch::Clarify(_, None)
        | PatternMatch::Refuse(_)
        | PatternMatch::Decline(_)
        | PatternMatch::Miss => "none",
    };
    (name, slots)
}

fn action(action: Action) -> Option<&'static str> {
    match action {
        Action::On | Action::Open | Action::Lock => Some("on"),
        Action::Off | Action::Close | Action::Unlock => Some("off"),
        Action::Level(_) | Action::Color(_) => Some("set"),
        Action::Toggle | Action::Brighter(_) | Action::Dimmer(_) => None,
    }
}

fn is_elsewhere(device: &DeviceCommand) -> bool {
    let by_kind = device.target.kind.is_some_and(DeviceKind::is_cover) && device.target.names.is_empty();
    let scene = matches!(device.action, Action::Lock | Action::Unlock);
    by_kind
        || scene
        || device
            .target
            .names
            .iter()
            .any(|name| name.starts_with("Modalit") || name.ends_with("Mode"))
}

fn home_assistant(
    meant: &PatternMatch,
    fixtures: &Value,
    case: &Value,
    lang: &str,
) -> (&'static str, Map<String, Value>) {
    let mut slots = Map::new();
    let name = match meant {
        PatternMatch::Hit(Pattern::Time) => "HassGetCurrentTime",
        PatternMatch::Hit(Pattern::Date) => "HassGetCurrentDate",
        PatternMatch::Hit(Pattern::Command(command)) => match command {
            Command::SetTimer { seconds, label, .. } => {
                spell(*seconds, "", &mut slots);
                slots.extend(label.iter().map(|label| ("name".to_owned(), json!(label))));
                "HassStartTimer"
            }
            Command::ChangeTimer { change, which } => change_timer(*change, which, &mut slots),
            Command::ListSchedules { which, .. } => {
                which_timer(which, &mut slots);
                "HassTimerStatus"
            }
            Command::Device(device) => self::device(device, fixtures, case, lang, &mut slots),
            Command::SetAlarm(AlarmTime { .. })
            | Command::CancelAlarm { .. }
            | Command::SnoozeAlarm { .. }
            | Command::Watcher { .. } => "none",
        },
        PatternMatch::Hit(_)
        | PatternMatch::Clarify(..)
        | PatternMatch::Refuse(_)
        | PatternMatch::Decline(_)
        | PatternMatch::Miss => "none",
    };
    (name, slots)
}

fn spell(seconds: u64, prefix: &str, slots: &mut Map<String, Value>) {
    for (unit, value) in [
        ("hours", seconds / 3600),
        ("minutes", seconds / 60 % 60),
        ("seconds", seconds % 60),
    ] {
        if value > 0 {
            slots.insert(format!("{prefix}{unit}"), json!(value));
        }
    }
}

fn which_timer(which: &WhichTimer, slots: &mut Map<String, Value>) {
    spell(which.seconds.unwrap_or_default(), "start_", slots);
    slots.extend(which.name.iter().map(|name| ("name".to_owned(), json!(name))));
    slots.extend(which.area.iter().map(|area| ("area".to_owned(), json!(area))));
}

fn change_timer(change: TimerChange, which: &WhichTimer, slots: &mut Map<String, Value>) -> &'static str {
    which_timer(which, slots);
    match change {
        TimerChange::Cancel => "HassCancelTimer",
        TimerChange::CancelAll => "HassCancelAllTimers",
        TimerChange::Pause => "HassPauseTimer",
        TimerChange::Resume => "HassUnpauseTimer",
        TimerChange::Add(seconds) => {
            spell(seconds, "", slots);
            "HassIncreaseTimer"
        }
        TimerChange::Remove(seconds) => {
            spell(seconds, "", slots);
            "HassDecreaseTimer"
        }
    }
}

/// Home Assistant names the domain of a device it does not know by name, fills in the room the satellite stands in, and
/// says `name: all` for fans and for rooms in Italian.
fn device(
    command: &DeviceCommand,
    fixtures: &Value,
    case: &Value,
    lang: &str,
    slots: &mut Map<String, Value>,
) -> &'static str {
    let target = &command.target;
    let mut put = |name: &str, value: Value| {
        slots.insert(name.to_owned(), value);
    };
    if let Some(name) = target.names.first() {
        put("name", json!(name));
        let entities = case["entities"].as_array().or(fixtures["entities"].as_array());
        let entity = entities
            .into_iter()
            .flatten()
            .find(|entity| entity["name"] == name.as_str());
        match entity.map(domain) {
            Some("scene") => put("domain", json!("scene")),
            Some("valve") => put("domain", json!("valve")),
            _ => {}
        }
    }
    if let Some(area) = target.areas.first() {
        put("area", json!(area));
    }
    if let Some(floor) = &target.floor {
        put("floor", json!(floor));
    }
    let context = case["context"]["area"].as_str();
    let placed = !target.names.is_empty() || !target.areas.is_empty() || target.floor.is_some();
    if let Some(area) = context.filter(|_| !placed && !target.house) {
        put("area", json!(area));
    }
    let sets_light = matches!(command.action, Action::Level(_) | Action::Color(_));
    if target.names.is_empty() && !sets_light {
        let moves = matches!(command.action, Action::Open | Action::Close);
        let (domain, class) = target.kind.map_or((moves.then_some("cover"), None), ha_kind);
        let given = &case["context"];
        slots.extend(
            domain
                .filter(|_| given["domain"].is_null())
                .map(|domain| ("domain".to_owned(), json!(domain))),
        );
        slots.extend(class.map(|class| ("device_class".to_owned(), json!(class))));
        if target.kind == Some(DeviceKind::Fan) && context.is_none() {
            slots.insert("name".to_owned(), json!("all"));
        }
    } else if sets_light && target.names.is_empty() && lang == "it" {
        slots.insert("name".to_owned(), json!("all"));
    }
    match command.action {
        Action::Level(level) => {
            slots.insert("brightness".to_owned(), json!(level));
            "HassLightSet"
        }
        Action::Color(hue) => {
            slots.insert("color".to_owned(), json!(color(hue)));
            "HassLightSet"
        }
        Action::On | Action::Open | Action::Lock => "HassTurnOn",
        Action::Off | Action::Close | Action::Unlock => "HassTurnOff",
        Action::Toggle | Action::Brighter(_) | Action::Dimmer(_) => "none",
    }
}

fn ha_kind(kind: DeviceKind) -> (Option<&'static str>, Option<&'static str>) {
    match kind {
        DeviceKind::Light | DeviceKind::Lamp => (Some("light"), None),
        DeviceKind::Fan => (Some("fan"), None),
        DeviceKind::Switch => (Some("switch"), None),
        DeviceKind::Outlet => (Some("switch"), Some("outlet")),
        DeviceKind::Curtain => (Some("cover"), Some("curtain")),
        DeviceKind::Blind => (Some("cover"), Some("blind")),
        DeviceKind::Shutter => (Some("cover"), Some("shutter")),
        DeviceKind::Shade => (Some("cover"), Some("shade")),
        DeviceKind::Awning => (Some("cover"), Some("awning")),
        DeviceKind::Window => (Some("cover"), Some("window")),
        DeviceKind::Garage => (Some("cover"), Some("garage")),
        DeviceKind::Door => (Some("cover"), Some("door")),
        DeviceKind::Gate => (Some("cover"), Some("gate")),
        DeviceKind::Valve => (Some("valve"), None),
        DeviceKind::Lock => (Some("lock"), None),
        DeviceKind::Climate => (Some("climate"), None),
        DeviceKind::Scene | DeviceKind::Other => (None, None),
    }
}

fn color(hue: Hue) -> &'static str {
    match hue {
        Hue::Red => "red",
        Hue::Green => "green",
        Hue::Blue => "blue",
        Hue::Yellow => "yellow",
        Hue::Orange => "orange",
        Hue::Purple => "purple",
        Hue::Pink => "pink",
        Hue::White => "white",
        Hue::Black => "black",
        Hue::Brown => "brown",
        Hue::Turquoise => "turquoise",
    }
}
