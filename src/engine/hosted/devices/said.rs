//! Names and states of devices, as they are told. Called by everything in this folder; the words are in `locales/`.

use serde_json::{Value, json};

use super::{super::outside, things};
use crate::{
    devices::Device,
    domain::{fold::fold, message::Message},
};

/// A device with its room: what tells it from another of the same name.
pub(super) fn label(device: &Device) -> String {
    match &device.area {
        Some(area) if !fold(&device.name).contains(&fold(area)) => format!("{} · {area}", device.name),
        Some(_) | None => device.name.clone(),
    }
}

/// What an executor says of a device, field by field.
pub(super) fn entry(device: &Device) -> Value {
    json!({
        "id": device.id,
        "name": device.name,
        "aliases": device.aliases,
        "area": device.area,
        "floor": device.floor,
        "domain": device.domain(),
        "device_class": if things::is_called_a_way_in(device) { Some("garage") } else { device.state.text("device_class") },
        "state": device.state.value,
        "told": is(device),
    })
}

/// How it is, by itself: "on at 40 %", "21.5 °C", "closed".
pub(super) fn state(device: &Device) -> Message {
    let state = &device.state;
    let number = |name: &str| state.number(name);
    let level = match device.domain() {
        "light" if state.value == "on" => number("brightness").map(|own| (own / 2.55).round()),
        "fan" if state.value == "on" => number("percentage"),
        "cover" | "valve" => number("current_position").filter(|at| *at > 0.0 && *at < 100.0),
        "media_player" => number("volume_level").map(|own| (own * 100.0).round()),
        _ => None,
    };
    let degrees = match device.domain() {
        "climate" | "water_heater" => number("current_temperature"),
        _ => None,
    };
    let target = number("temperature").filter(|_| matches!(device.domain(), "climate" | "water_heater"));
    let measured = state
        .text("unit_of_measurement")
        .map(|unit| format!("{} {unit}", state.value));
    let kind = match (device.domain(), state.is_unavailable()) {
        (_, true) => "away",
        ("sensor" | "number" | "input_number", _) if measured.is_some() => "measured",
        ("climate" | "water_heater", _) if degrees.is_some() || target.is_some() => "climate",
        _ if level.is_some() => "level",
        _ => "plain",
    };
    Message::new("devices-state")
        .with("form", kind)
        .with("plain", plain(device))
        .with("value", measured.unwrap_or_else(|| state.value.clone()))
        .with("level", level.unwrap_or_default())
        .with("has_now", if degrees.is_some() { "yes" } else { "no" })
        .with("degrees", degrees.unwrap_or_default())
        .with(
            "has_target",
            if target.is_some() && state.value != "off" {
                "yes"
            } else {
                "no"
            },
        )
        .with("target", target.unwrap_or_default())
}

fn plain(device: &Device) -> Message {
    Message::new("devices-word")
        .with("word", word(device).to_owned())
        .with("kind", device.domain().to_owned())
}

/// A state by one word; a door that is a sensor is open, and not on.
pub(super) fn word(device: &Device) -> &str {
    let value = device.state.value.as_str();
    let is_binary = device.domain() == "binary_sensor";
    match (value, device.class()) {
        ("on", "door" | "garage_door" | "window" | "opening") if is_binary => "open",
        ("off", "door" | "garage_door" | "window" | "opening") if is_binary => "closed",
        ("on", "lock") if is_binary => "unlocked",
        ("off", "lock") if is_binary => "locked",
        ("on", "motion" | "occupancy" | "presence") if is_binary => "movement",
        ("off", "motion" | "occupancy" | "presence") if is_binary => "quiet",
        (value, _) => value,
    }
}

/// Whether a device is what somebody asks for: `on`, `off`, `open`, `closed`, `locked` or `unlocked`.
pub(super) fn is_so(device: &Device, wanted: &str) -> bool {
    let word = word(device);
    let is_off = matches!(
        word,
        "off" | "standby" | "idle" | "paused" | "docked" | "unavailable" | "unknown" | ""
    );
    let is_switched = matches!(
        device.domain(),
        "light" | "switch" | "fan" | "input_boolean" | "media_player" | "climate" | "vacuum" | "siren" | "humidifier"
    );
    match wanted {
        "on" => is_switched && !is_off,
        "off" => is_switched && is_off && !device.state.is_unavailable(),
        "open" => matches!(word, "open" | "opening" | "unlocked"),
        "closed" => matches!(word, "closed" | "closing" | "locked" | "locking"),
        other => word == other,
    }
}

/// A device and how it is.
pub(super) fn is(device: &Device) -> Message {
    Message::new("devices-is")
        .with("name", label(device))
        .with("state", state(device))
}

/// One after the other.
pub(super) fn lines(lines: impl Iterator<Item = Message>) -> Message {
    outside::lines(lines.collect()).unwrap_or_else(|| Message::new("devices-nothing-on"))
}
