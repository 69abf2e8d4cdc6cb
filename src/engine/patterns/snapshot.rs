//! What is known of the household right now: made of the entries of the executor that owns the devices, kept until it
//! is asked again. `dispatch` asks it, the patterns and the runtime read it. It runs nothing and waits for nobody.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::Value;

use super::{
    command::DeviceKind,
    household::{Area, Device, Household},
};
use crate::domain::limits::{DEVICES_FRESH, DEVICES_REST};

/// The last look at the household.
#[derive(Debug, Default)]
pub struct Snapshot(Mutex<Look>);

#[derive(Debug, Default)]
struct Look {
    household: Arc<Household>,
    /// Which executor it is of, as its manifest's digest.
    owner: Option<String>,
    /// Not asked again before this time.
    due_ms: i64,
}

impl Snapshot {
    /// What is known.
    pub fn household(&self) -> Arc<Household> {
        Arc::clone(&self.look().household)
    }

    /// Whether this executor should be asked now.
    pub fn is_due(&self, owner: &str, now_ms: i64) -> bool {
        let look = self.look();
        look.owner.as_deref() != Some(owner) || now_ms >= look.due_ms
    }

    /// It answered.
    pub fn take(&self, owner: &str, household: Household, now_ms: i64) {
        *self.look() = Look {
            household: Arc::new(household),
            owner: Some(owner.to_owned()),
            due_ms: later(now_ms, DEVICES_FRESH),
        };
    }

    /// It did not answer: what was known stays known, and it has some rest.
    pub fn keep(&self, owner: &str, now_ms: i64) {
        let mut look = self.look();
        look.owner = Some(owner.to_owned());
        look.due_ms = later(now_ms, DEVICES_REST);
    }

    /// Nobody owns devices here.
    pub fn forget(&self) {
        let mut look = self.look();
        if look.owner.is_some() {
            *look = Look::default();
        }
    }

    /// No invariant spans a panic: what is in there is whole.
    fn look(&self) -> MutexGuard<'_, Look> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn later(now_ms: i64, by: Duration) -> i64 {
    now_ms.saturating_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX))
}

/// What is of these domains tells something, and does nothing that it is told.
const ONLY_TELLS: &[&str] = &[
    "binary_sensor",
    "device_tracker",
    "person",
    "sensor",
    "sun",
    "weather",
    "zone",
];

/// The household these entries tell of: `name`, `aliases`, `area`, `floor`, `domain`, `device_class`. An entry without
/// a name is no device. `called` says what kind of thing a name speaks of: "Reading Lamp" is a lamp among the lights.
pub(super) fn household(entries: &[Value], called: impl Fn(&str) -> Option<DeviceKind>) -> Household {
    let text = |entry: &Value, field: &str| {
        let text = entry.get(field)?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let devices: Vec<Device> = entries
        .iter()
        .filter_map(|entry| {
            let text = |field: &str| text(entry, field);
            let name = text("name")?;
            let aliases = entry.get("aliases").and_then(Value::as_array);
            let domain = text("domain").filter(|domain| !ONLY_TELLS.contains(&domain.as_str()))?;
            let kind = DeviceKind::of_domain(&domain, text("device_class").as_deref());
            Some(Device {
                kind: called(&name).filter(|called| refines(kind, *called)).unwrap_or(kind),
                aliases: aliases
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
                area: text("area"),
                floor: text("floor"),
                name,
            })
        })
        .collect();
    let distinct =
        |field: &str| -> BTreeSet<String> { entries.iter().filter_map(|entry| text(entry, field)).collect() };
    let areas = distinct("area").into_iter().map(|name| Area {
        name,
        aliases: Vec::new(),
    });
    let floors = distinct("floor").into_iter().collect();
    Household::new(devices, areas.collect(), floors, Vec::new())
}

/// Whether a name says more of a device than its domain does, and not something else.
fn refines(known: DeviceKind, called: DeviceKind) -> bool {
    match known {
        DeviceKind::Light => called == DeviceKind::Lamp,
        DeviceKind::Curtain => called.is_cover(),
        DeviceKind::Switch => called == DeviceKind::Outlet,
        DeviceKind::Other => !called.is_light(),
        DeviceKind::Lamp
        | DeviceKind::Fan
        | DeviceKind::Outlet
        | DeviceKind::Blind
        | DeviceKind::Shutter
        | DeviceKind::Shade
        | DeviceKind::Awning
        | DeviceKind::Window
        | DeviceKind::Garage
        | DeviceKind::Door
        | DeviceKind::Gate
        | DeviceKind::Valve
        | DeviceKind::Lock
        | DeviceKind::Climate
        | DeviceKind::Scene => false,
    }
}
