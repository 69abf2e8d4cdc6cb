//! What is in a home: devices with their names, rooms and states, put together from the lists of Home Assistant and
//! changed by its events. Pure. Used by `link`, and read by whoever asks it. Only what was exposed to Assist is in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::wire::ASSISTANT;

/// The attributes that are kept of a state; the others, some of them large, are of no use to anybody here.
const KEPT: &[&str] = &[
    "brightness",
    "color_mode",
    "color_temp_kelvin",
    "current_position",
    "current_temperature",
    "device_class",
    "fan_speed_list",
    "friendly_name",
    "hs_color",
    "hvac_action",
    "hvac_modes",
    "is_volume_muted",
    "max_color_temp_kelvin",
    "max_temp",
    "media_title",
    "min_color_temp_kelvin",
    "min_temp",
    "percentage",
    "rgb_color",
    "source",
    "supported_color_modes",
    "supported_features",
    "temperature",
    "unit_of_measurement",
    "volume_level",
];

/// Domains that Assist sees unless somebody decided otherwise (Home Assistant, `exposed_entities.py`).
const EXPOSED_DOMAINS: &[&str] = &[
    "climate",
    "cover",
    "fan",
    "humidifier",
    "light",
    "media_player",
    "scene",
    "switch",
    "todo",
    "vacuum",
    "water_heater",
];
/// The same for sensors that say yes or no, by their class.
const EXPOSED_BINARY: &[&str] = &["door", "garage_door", "lock", "motion", "opening", "presence", "window"];
/// The same for sensors that measure.
const EXPOSED_SENSORS: &[&str] = &[
    "aqi",
    "carbon_monoxide",
    "carbon_dioxide",
    "humidity",
    "pm10",
    "pm25",
    "temperature",
    "volatile_organic_compounds",
];

/// A state of an entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Such as `on`, `21.5` or `unavailable`.
    pub value: String,
    /// What is kept of the rest.
    pub attributes: Map<String, Value>,
}

impl State {
    /// A number among the attributes.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.attributes.get(name).and_then(Value::as_f64)
    }

    /// A text among the attributes.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).and_then(Value::as_str)
    }

    /// The device answers nobody just now.
    pub fn is_unavailable(&self) -> bool {
        matches!(self.value.as_str(), "unavailable" | "unknown" | "")
    }

    fn read(raw: &Value) -> Option<Self> {
        let attributes = raw.get("attributes").and_then(Value::as_object);
        let kept = attributes.into_iter().flatten();
        Some(Self {
            value: raw.get("state")?.as_str()?.to_owned(),
            attributes: kept
                .filter(|(name, value)| KEPT.contains(&name.as_str()) && !value.is_null())
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        })
    }
}

/// A device as people know it: an entity of Home Assistant.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Stays the same when it is renamed: the id in the registry, where it is in there.
    pub id: String,
    /// What it is called by services now.
    pub entity: String,
    /// What people call it.
    pub name: String,
    /// What else they call it.
    pub aliases: Vec<String>,
    /// Its room.
    pub area: Option<String>,
    /// The floor of its room.
    pub floor: Option<String>,
    /// How it is.
    pub state: State,
}

impl Device {
    /// Such as `light`.
    pub fn domain(&self) -> &str {
        self.entity.split('.').next().unwrap_or_default()
    }

    /// Such as `garage`; empty where it has none.
    pub fn class(&self) -> &str {
        self.state.text("device_class").unwrap_or_default()
    }
}

/// A room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// What people call it.
    pub name: String,
    /// What else they call it.
    pub aliases: Vec<String>,
    /// Its floor.
    pub floor: Option<String>,
}

/// Everything that is shown to Assist.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Home {
    devices: BTreeMap<String, Device>,
    areas: Vec<Area>,
}

/// The lists that a home is made of, as the server gave them.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// `get_states`.
    pub states: Value,
    /// `config/area_registry/list`.
    pub areas: Value,
    /// `config/floor_registry/list`; null on a server without floors.
    pub floors: Value,
    /// `config/device_registry/list`.
    pub devices: Value,
    /// `config/entity_registry/list`.
    pub entities: Value,
    /// `homeassistant/expose_entity/list`.
    pub exposed: Value,
    /// `homeassistant/expose_new_entities/get`.
    pub exposes_new: Value,
}

#[derive(Deserialize)]
struct RawArea {
    area_id: String,
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    floor_id: Option<String>,
}

#[derive(Deserialize)]
struct RawFloor {
    floor_id: String,
    name: String,
}

#[derive(Deserialize)]
struct RawDevice {
    id: String,
    #[serde(default)]
    area_id: Option<String>,
}

#[derive(Deserialize)]
struct RawEntity {
    id: String,
    entity_id: String,
    #[serde(default)]
    area_id: Option<String>,
    #[serde(default)]
    device_id: Option<String>,
    #[serde(default)]
    hidden_by: Option<String>,
    #[serde(default)]
    disabled_by: Option<String>,
    #[serde(default)]
    entity_category: Option<String>,
}

/// What can be read of a list; a row that is none is left out.
fn rows<T: serde::de::DeserializeOwned>(list: &Value) -> Vec<T> {
    let all = list.as_array().into_iter().flatten();
    all.filter_map(|row| T::deserialize(row).ok()).collect()
}

impl Lists {
    /// The entities that Assist sees, in the order of the states: those whose aliases are worth asking for.
    pub fn exposed_entities(&self) -> Vec<String> {
        let registered: HashMap<String, RawEntity> = rows::<RawEntity>(&self.entities)
            .into_iter()
            .map(|entity| (entity.entity_id.clone(), entity))
            .collect();
        let decided = self.exposed.get("exposed_entities").unwrap_or(&self.exposed);
        let by_itself = self
            .exposes_new
            .get("expose_new")
            .and_then(Value::as_bool)
            .unwrap_or(true);
        let states = self.states.as_array().into_iter().flatten();
        let shown = states.filter_map(|state| {
            let entity = state.get("entity_id")?.as_str()?;
            let known = registered.get(entity);
            if known.is_some_and(|known| known.disabled_by.is_some()) {
                return None;
            }
            let said = decided.get(entity).and_then(|one| one.get(ASSISTANT)?.as_bool());
            let is_plain = known.is_none_or(|known| known.hidden_by.is_none() && known.entity_category.is_none());
            let class = state
                .get("attributes")
                .and_then(|all| all.get("device_class")?.as_str());
            let is_shown = said.unwrap_or(by_itself && is_plain && is_exposed_by_itself(entity, class));
            is_shown.then(|| entity.to_owned())
        });
        shown.collect()
    }

    /// The home they tell of. `aliases` is the answer of `config/entity_registry/get_entries`.
    pub fn home(&self, aliases: &Value) -> Home {
        let floors: HashMap<String, String> = rows::<RawFloor>(&self.floors)
            .into_iter()
            .map(|floor| (floor.floor_id, floor.name))
            .collect();
        let areas: HashMap<String, Area> = rows::<RawArea>(&self.areas)
            .into_iter()
            .map(|area| {
                let floor = area.floor_id.and_then(|floor| floors.get(&floor).cloned());
                let aliases = spoken(area.aliases);
                (
                    area.area_id,
                    Area {
                        name: area.name,
                        aliases,
                        floor,
                    },
                )
            })
            .collect();
        let devices: HashMap<String, RawDevice> = rows::<RawDevice>(&self.devices)
            .into_iter()
            .map(|device| (device.id.clone(), device))
            .collect();
        let registered: HashMap<String, RawEntity> = rows::<RawEntity>(&self.entities)
            .into_iter()
            .map(|entity| (entity.entity_id.clone(), entity))
            .collect();
        let shown: BTreeSet<String> = self.exposed_entities().into_iter().collect();
        let states = self.states.as_array().into_iter().flatten();
        let all = states.filter_map(|raw| {
            let entity = raw
                .get("entity_id")?
                .as_str()
                .filter(|entity| shown.contains(*entity))?;
            let state = State::read(raw)?;
            let known = registered.get(entity);
            let of_device = || devices.get(known?.device_id.as_ref()?)?.area_id.as_ref();
            let area = known.and_then(|known| known.area_id.as_ref()).or_else(of_device);
            let area = area.and_then(|area| areas.get(area));
            let more = aliases.get(entity).and_then(|entry| entry.get("aliases"));
            let device = Device {
                id: known.map_or_else(|| entity.to_owned(), |known| known.id.clone()),
                name: state.text("friendly_name").unwrap_or(entity).trim().to_owned(),
                aliases: spoken(more.and_then(|more| Vec::deserialize(more).ok()).unwrap_or_default()),
                area: area.map(|area| area.name.clone()),
                floor: area.and_then(|area| area.floor.clone()),
                entity: entity.to_owned(),
                state,
            };
            Some((entity.to_owned(), device))
        });
        let devices = all.collect();
        let mut areas: Vec<Area> = areas.into_values().collect();
        areas.sort_by(|one, other| one.name.cmp(&other.name));
        Home { devices, areas }
    }
}

/// Empty aliases once made every word a name (home-assistant/core#105290).
fn spoken(names: Vec<String>) -> Vec<String> {
    let trimmed = names.into_iter().map(|name| name.trim().to_owned());
    trimmed.filter(|name| !name.is_empty()).collect()
}

fn is_exposed_by_itself(entity: &str, class: Option<&str>) -> bool {
    let domain = entity.split('.').next().unwrap_or_default();
    let is_of = |classes: &[&str]| class.is_some_and(|class| classes.contains(&class));
    match domain {
        "binary_sensor" => is_of(EXPOSED_BINARY),
        "sensor" => is_of(EXPOSED_SENSORS),
        domain => EXPOSED_DOMAINS.contains(&domain),
    }
}

impl Home {
    /// All devices, by their entity ids.
    pub fn devices(&self) -> impl Iterator<Item = &Device> {
        self.devices.values()
    }

    /// A device by its id.
    pub fn device(&self, id: &str) -> Option<&Device> {
        self.devices.values().find(|device| device.id == id)
    }

    /// A device by what services call it.
    pub fn entity(&self, entity: &str) -> Option<&Device> {
        self.devices.get(entity)
    }

    /// All rooms.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// A state that changed, as the data of a `state_changed` event; whether it is one of a device that is known.
    pub fn apply(&mut self, data: &Value) -> bool {
        let entity = data.get("entity_id").and_then(Value::as_str).unwrap_or_default();
        let Some(device) = self.devices.get_mut(entity) else {
            return false;
        };
        let next = data.get("new_state").filter(|state| !state.is_null());
        match next.map(State::read) {
            Some(Some(state)) => device.state = state,
            Some(None) => return false,
            // It was taken away; its registry says so in a moment.
            None => "unavailable".clone_into(&mut device.state.value),
        }
        true
    }
}
