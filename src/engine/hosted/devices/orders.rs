//! What has to be ordered of a device so that it does what somebody wants, and how it is then. Called by `act`. Pure:
//! one device and one wish in, one call of a service out.

use serde_json::{Value, json};

use super::things;
use crate::devices::{Device, Order};

/// A step of brightness or volume where none was said, in percent.
const STEP_PCT: f64 = 20.0;
/// The same for a temperature, in its own unit.
const STEP_DEGREES: f64 = 1.0;
/// Warm and cold white, in kelvin.
const WHITES: (f64, f64) = (2_700.0, 5_500.0);

/// What is wanted.
#[derive(Clone, Debug, Default)]
pub(super) struct Wish {
    pub(super) action: String,
    /// In percent, or degrees: what the device itself counts in.
    pub(super) level: Option<f64>,
    pub(super) step: Option<f64>,
    pub(super) color: Option<String>,
}

/// How a device is when it did what was wanted.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Goal {
    /// In one of these states.
    In(&'static [&'static str]),
    /// In none of these.
    NotIn(&'static [&'static str]),
    /// This attribute has this value, or nearly.
    At(&'static str, f64, f64),
    /// On; that it was on before does not say that nothing is to be done.
    Lit,
    /// Nothing can be seen of it.
    Unseen,
}

impl Goal {
    pub(super) fn is_met(&self, device: &Device) -> bool {
        let state = device.state.value.as_str();
        match self {
            Self::In(states) => states.contains(&state),
            Self::NotIn(states) => !device.state.is_unavailable() && !states.contains(&state),
            Self::At(name, value, near) => {
                let is_near = |own: f64| (own - value).abs() <= *near;
                device.state.number(name).is_some_and(is_near)
            }
            Self::Lit => state == "on",
            Self::Unseen => false,
        }
    }
}

/// One call, and how the device is after it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) order: Order,
    pub(super) goal: Goal,
}

/// Why a device does not do what is wanted.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unable {
    /// It is no device that does this.
    Never,
    /// It goes from here to there.
    Range(f64, f64),
}

/// Locks, doors and whatever keeps others out, whose every change somebody looks at first.
pub(super) fn is_grave(device: &Device) -> bool {
    match device.domain() {
        "lock" | "alarm_control_panel" => true,
        "cover" => {
            matches!(device.class(), "door" | "garage" | "gate" | "window") || things::is_called_a_way_in(device)
        }
        _ => false,
    }
}

/// What is to be ordered.
pub(super) fn step(device: &Device, wish: &Wish) -> Result<Step, Unable> {
    match wish.action.as_str() {
        "on" => on(device).ok_or(Unable::Never),
        "off" => off(device).ok_or(Unable::Never),
        "toggle" => {
            let is_off = matches!(device.state.value.as_str(), "off" | "closed" | "closing" | "standby");
            let next = if is_off { on(device) } else { off(device) };
            next.ok_or(Unable::Never)
        }
        "open" => moved(device, true).ok_or(Unable::Never),
        "close" => moved(device, false).ok_or(Unable::Never),
        "lock" => locked(device, true).ok_or(Unable::Never),
        "unlock" => locked(device, false).ok_or(Unable::Never),
        "set" => match (&wish.color, wish.level) {
            (Some(color), _) => colored(device, color).ok_or(Unable::Never),
            (None, Some(level)) => at_level(device, level),
            (None, None) => Err(Unable::Never),
        },
        "brighten" | "up" => by(device, wish.step, 1.0),
        "dim" | "down" => by(device, wish.step, -1.0),
        other => played(device, other).ok_or(Unable::Never),
    }
}

fn order(device: &Device, service: &str) -> Order {
    Order::new(device.domain(), service, &device.entity)
}

fn go(device: &Device, service: &str, goal: Goal) -> Step {
    Step {
        order: order(device, service),
        goal,
    }
}

const OFF: Goal = Goal::In(&["off", "standby"]);

fn on(device: &Device) -> Option<Step> {
    Some(match device.domain() {
        "light" | "switch" | "fan" | "input_boolean" | "siren" | "humidifier" => {
            go(device, "turn_on", Goal::In(&["on"]))
        }
        "climate" | "water_heater" => go(device, "turn_on", Goal::NotIn(&["off"])),
        "media_player" => go(device, "turn_on", Goal::NotIn(&["off", "standby"])),
        "scene" | "script" => go(device, "turn_on", Goal::Unseen),
        "button" | "input_button" => go(device, "press", Goal::Unseen),
        "vacuum" => go(device, "start", Goal::In(&["cleaning"])),
        "cover" | "valve" => return moved(device, true),
        _ => return None,
    })
}

fn off(device: &Device) -> Option<Step> {
    Some(match device.domain() {
        "light" | "switch" | "fan" | "input_boolean" | "siren" | "humidifier" | "climate" | "water_heater"
        | "media_player" => go(device, "turn_off", OFF),
        "vacuum" => return played(device, "dock"),
        "cover" | "valve" => return moved(device, false),
        _ => return None,
    })
}

fn moved(device: &Device, open: bool) -> Option<Step> {
    let domain = device.domain();
    if !matches!(domain, "cover" | "valve") {
        return None;
    }
    let service = format!("{}_{domain}", if open { "open" } else { "close" });
    let goal = if open {
        Goal::In(&["open", "opening"])
    } else {
        Goal::In(&["closed", "closing"])
    };
    Some(go(device, &service, goal))
}

fn locked(device: &Device, lock: bool) -> Option<Step> {
    if device.domain() != "lock" {
        return None;
    }
    Some(if lock {
        go(device, "lock", Goal::In(&["locked", "locking"]))
    } else {
        go(device, "unlock", Goal::In(&["unlocked", "unlocking", "open"]))
    })
}

fn colored(device: &Device, color: &str) -> Option<Step> {
    let modes = device
        .state
        .attributes
        .get("supported_color_modes")
        .and_then(Value::as_array);
    let has = |wanted: &[&str]| {
        let mut modes = modes.into_iter().flatten().filter_map(Value::as_str);
        modes.any(|mode| wanted.contains(&mode))
    };
    let white = match color {
        "warm" => Some(WHITES.0),
        "cold" => Some(WHITES.1),
        _ => None,
    };
    match white {
        Some(kelvin) if has(&["color_temp"]) => Some(Step {
            order: order(device, "turn_on").with("color_temp_kelvin", json!(kelvin)),
            goal: Goal::At("color_temp_kelvin", kelvin, 100.0),
        }),
        Some(_) => None,
        None => has(&["hs", "rgb", "rgbw", "rgbww", "xy"]).then(|| Step {
            order: order(device, "turn_on").with("color_name", json!(color)),
            goal: Goal::Lit,
        }),
    }
}

/// The range a device's level lies in.
fn range(device: &Device) -> Option<(f64, f64)> {
    match device.domain() {
        "climate" | "water_heater" => Some((
            device.state.number("min_temp").unwrap_or(5.0),
            device.state.number("max_temp").unwrap_or(35.0),
        )),
        "light" | "fan" | "cover" | "valve" | "media_player" | "humidifier" => Some((0.0, 100.0)),
        _ => None,
    }
}

fn at_level(device: &Device, level: f64) -> Result<Step, Unable> {
    let (min, max) = range(device).ok_or(Unable::Never)?;
    if level < min || level > max {
        return Err(Unable::Range(min, max));
    }
    let call = |service: &str, name: &str, value: f64, goal: Goal| Step {
        order: order(device, service).with(name, json!(value)),
        goal,
    };
    Ok(match device.domain() {
        "light" if level == 0.0 => off(device).ok_or(Unable::Never)?,
        "light" => {
            let goal = Goal::At("brightness", level * 2.55, 3.0);
            call("turn_on", "brightness_pct", level, goal)
        }
        "fan" => call(
            "set_percentage",
            "percentage",
            level,
            Goal::At("percentage", level, 17.0),
        ),
        "cover" => call(
            "set_cover_position",
            "position",
            level,
            Goal::At("current_position", level, 2.0),
        ),
        "valve" => call(
            "set_valve_position",
            "position",
            level,
            Goal::At("current_position", level, 2.0),
        ),
        "media_player" => {
            let share = level / 100.0;
            call(
                "volume_set",
                "volume_level",
                share,
                Goal::At("volume_level", share, 0.02),
            )
        }
        "humidifier" => call("set_humidity", "humidity", level, Goal::At("humidity", level, 0.6)),
        _ => call(
            "set_temperature",
            "temperature",
            level,
            Goal::At("temperature", level, 0.3),
        ),
    })
}

/// More or less by a step, from where it is now.
fn by(device: &Device, step: Option<f64>, sign: f64) -> Result<Step, Unable> {
    let (min, max) = range(device).ok_or(Unable::Never)?;
    let is_off = device.state.value == "off";
    let now = match device.domain() {
        "light" if is_off => Some(0.0),
        "light" => device.state.number("brightness").map(|own| (own / 2.55).round()),
        "fan" => device.state.number("percentage"),
        "cover" | "valve" => device.state.number("current_position"),
        "media_player" => device.state.number("volume_level").map(|own| (own * 100.0).round()),
        "humidifier" => device.state.number("humidity"),
        _ => device.state.number("temperature"),
    };
    let is_warmth = matches!(device.domain(), "climate" | "water_heater");
    let step = step.unwrap_or(if is_warmth { STEP_DEGREES } else { STEP_PCT });
    // A light that is on stays on, however dark it gets.
    let least = if device.domain() == "light" && !is_off {
        1.0
    } else {
        min
    };
    let next = (now.ok_or(Unable::Never)? + sign * step).clamp(least, max);
    at_level(device, next)
}

fn played(device: &Device, action: &str) -> Option<Step> {
    Some(match (device.domain(), action) {
        ("media_player", "pause") => go(device, "media_pause", Goal::NotIn(&["playing"])),
        ("media_player", "play") => go(device, "media_play", Goal::In(&["playing"])),
        ("media_player", "stop") => go(device, "media_stop", Goal::NotIn(&["playing"])),
        ("media_player", "next") => go(device, "media_next_track", Goal::Unseen),
        ("media_player", "previous") => go(device, "media_previous_track", Goal::Unseen),
        ("vacuum", "play") => go(device, "start", Goal::In(&["cleaning"])),
        ("vacuum", "pause") => go(device, "pause", Goal::NotIn(&["cleaning"])),
        ("vacuum", "stop") => go(device, "stop", Goal::NotIn(&["cleaning"])),
        ("vacuum", "dock") => go(device, "return_to_base", Goal::In(&["returning", "docked"])),
        ("cover", "stop") => go(device, "stop_cover", Goal::NotIn(&["opening", "closing"])),
        _ => return None,
    })
}

/// What puts a device back as it was; nothing where that cannot be told.
pub(super) fn back(device: &Device, before: &Before) -> Vec<Order> {
    let turn = |on: bool| if on { self::on(device) } else { off(device) };
    let is_off = matches!(before.state.as_str(), "off" | "standby");
    match device.domain() {
        "cover" | "valve" => match before.level {
            Some(level) => at_level(device, level)
                .ok()
                .map(|step| step.order)
                .into_iter()
                .collect(),
            None => moved(device, before.state.starts_with("open"))
                .map(|step| step.order)
                .into_iter()
                .collect(),
        },
        "light" if !is_off => {
            let order = order(device, "turn_on");
            let order = before
                .brightness
                .iter()
                .fold(order, |order, own| order.with("brightness", json!(own)));
            vec![
                before
                    .hs
                    .iter()
                    .fold(order, |order, own| order.with("hs_color", json!(own))),
            ]
        }
        "climate" => {
            let mode = order(device, "set_hvac_mode").with("hvac_mode", json!(before.state));
            let degrees = before
                .level
                .map(|own| order(device, "set_temperature").with("temperature", json!(own)));
            std::iter::once(mode).chain(degrees.filter(|_| !is_off)).collect()
        }
        "vacuum" => {
            let action = if before.state == "cleaning" { "play" } else { "dock" };
            played(device, action).map(|step| step.order).into_iter().collect()
        }
        "media_player" | "fan" if !is_off => {
            let level = before.level.and_then(|level| at_level(device, level).ok());
            turn(true).into_iter().chain(level).map(|step| step.order).collect()
        }
        _ => turn(!is_off).map(|step| step.order).into_iter().collect(),
    }
}

/// How a device was: enough to bring it back.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Before {
    pub(super) id: String,
    pub(super) state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) brightness: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) hs: Option<Value>,
    /// Position, percentage, volume in percent, or the temperature it was set to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<f64>,
}

impl Before {
    pub(super) fn of(device: &Device) -> Self {
        let state = &device.state;
        let level = match device.domain() {
            "cover" | "valve" => state.number("current_position"),
            "fan" => state.number("percentage"),
            "media_player" => state.number("volume_level").map(|own| (own * 100.0).round()),
            "climate" | "water_heater" => state.number("temperature"),
            _ => None,
        };
        Self {
            id: device.id.clone(),
            state: state.value.clone(),
            brightness: state.number("brightness"),
            hs: state.attributes.get("hs_color").cloned(),
            level,
        }
    }

    /// The state it has when it is back.
    pub(super) fn is_met(&self, device: &Device) -> bool {
        let open = |state: &str| matches!(state, "open" | "opening");
        let is_cover = matches!(device.domain(), "cover" | "valve");
        device.state.value == self.state || is_cover && open(&device.state.value) == open(&self.state)
    }
}

#[cfg(test)]
mod tests;
