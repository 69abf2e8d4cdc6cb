//! The frames of Home Assistant's WebSocket interface as types: what is sent, and what comes. Pure. Used by `link`.
//! Source: <https://developers.home-assistant.io/docs/api/websocket>.

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The assistant whose exposed entities count.
pub const ASSISTANT: &str = "conversation";

/// Events that change what is known of the home.
pub const EVENTS: [&str; 4] = [
    "state_changed",
    "entity_registry_updated",
    "device_registry_updated",
    "area_registry_updated",
];

/// A call of a service.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    /// Such as `light`.
    pub domain: String,
    /// Such as `turn_on`.
    pub name: String,
    /// Entities by their ids of now.
    pub entities: Vec<String>,
    /// What else it is told.
    pub data: Map<String, Value>,
}

impl Service {
    /// A service without further data.
    pub fn new(domain: &str, name: &str, entity: &str) -> Self {
        Self {
            domain: domain.to_owned(),
            name: name.to_owned(),
            entities: vec![entity.to_owned()],
            data: Map::new(),
        }
    }

    /// With this beside it.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.data.insert(name.to_owned(), value);
        self
    }

    /// The command without its number.
    pub(crate) fn command(&self) -> Value {
        json!({
            "type": "call_service",
            "domain": self.domain,
            "service": self.name,
            "service_data": self.data,
            "target": {"entity_id": self.entities},
        })
    }
}

/// What comes from the server.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Incoming {
    AuthRequired {},
    AuthOk {},
    AuthInvalid {},
    Result {
        id: u64,
        success: bool,
        #[serde(default)]
        result: Value,
        #[serde(default)]
        error: Option<Wrong>,
    },
    Event {
        event: Event,
    },
    Pong {},
    #[serde(other)]
    Other,
}

/// Why a command was refused.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Wrong {
    /// Old servers wrote numbers.
    #[serde(default)]
    pub(crate) code: Value,
    #[serde(default)]
    pub(crate) message: String,
}

/// Something happened.
#[derive(Debug, Deserialize)]
pub(crate) struct Event {
    #[serde(default)]
    pub(crate) event_type: String,
    #[serde(default)]
    pub(crate) data: Value,
}

/// Whether the assistant is shown what is new; the one command of these that asks for whom.
pub(crate) const EXPOSES_NEW: &str = "homeassistant/expose_new_entities/get";

/// A list that is asked for, and whether a home can be known without it.
pub(crate) const LISTS: [(&str, Required); 7] = [
    ("get_states", Required::Yes),
    ("config/area_registry/list", Required::Yes),
    ("config/device_registry/list", Required::Yes),
    ("config/entity_registry/list", Required::Yes),
    ("homeassistant/expose_entity/list", Required::Yes),
    (EXPOSES_NEW, Required::Yes),
    // Floors came with 2024.4.
    ("config/floor_registry/list", Required::No),
];

/// Whether a home can be known without a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Required {
    Yes,
    No,
}
