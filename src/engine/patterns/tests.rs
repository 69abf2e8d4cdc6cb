//! What P0 must and must not take for a command, in both languages. Here is the household the tests speak to;
//! `commands` plays the sentences of `tests/corpus/commands`, `disjoint` is the proof that no two frames want the same
//! sentence.

mod agree;
mod commands;
mod disjoint;
mod meant;
mod shown;

use std::sync::LazyLock;

use super::{
    command::{Action, AlarmTime, Day, DeviceCommand, DeviceKind, Target, TimerChange, WhichTimer},
    household::{Area, Device},
    table::File,
    *,
};

fn device(name: &str, kind: DeviceKind, area: Option<&str>) -> Device {
    Device {
        name: name.to_owned(),
        aliases: Vec::new(),
        kind,
        area: area.map(str::to_owned),
        floor: None,
    }
}

/// Two lamps, a lock, an oven, three watchers; the person stands in the bedroom.
fn home() -> Household {
    let areas = ["Kitchen", "Bedroom", "Cucina"].into_iter().map(|name| Area {
        name: name.to_owned(),
        aliases: Vec::new(),
    });
    let devices = vec![
        device("Reading Lamp", DeviceKind::Lamp, Some("Bedroom")),
        device("Floor Lamp", DeviceKind::Lamp, Some("Kitchen")),
        device("Front Door", DeviceKind::Lock, None),
        device("Oven", DeviceKind::Other, Some("Kitchen")),
        device("Lampada Camera", DeviceKind::Light, Some("Bedroom")),
    ];
    let watchers = ["inbox", "garden", "server"].map(str::to_owned).to_vec();
    Household::new(devices, areas.collect(), vec!["First Floor".to_owned()], watchers).heard_in("Bedroom")
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let times = Arc::new(Times::embedded().unwrap());
    Patterns::embedded(&times).unwrap()
});
static HOME: LazyLock<Household> = LazyLock::new(home);

fn read(text: &str) -> PatternMatch {
    PATTERNS.matching(text, &Speaker::host(Lang::EN), &HOME)
}
