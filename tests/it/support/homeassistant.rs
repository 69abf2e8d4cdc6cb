//! A Home Assistant at the wire, on a free local port: its WebSocket interface with a small home behind it. It does
//! what services are told, tells it to whoever listens, and keeps what it was told. Shared by all tests; the real one
//! is in the live suite.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::broadcast,
    task::JoinHandle,
};
use tokio_tungstenite::{accept_async, tungstenite::Message};

/// The token it takes.
pub(crate) const TOKEN: &str = "right";

#[derive(Default)]
struct Shared {
    states: BTreeMap<String, Value>,
    /// Where each is, and what else it is called.
    places: BTreeMap<String, (String, Vec<String>)>,
    /// Rooms and floors: id, name, id of the floor.
    rooms: Vec<[String; 3]>,
    floors: Vec<[String; 2]>,
    /// Devices that do nothing they are told.
    stuck: BTreeSet<String>,
    calls: Vec<String>,
    logins: usize,
    /// What stands on lists.
    items: BTreeMap<String, Vec<Value>>,
    /// What cameras see; without, they show nothing.
    picture: Vec<u8>,
    /// Pictures that were asked for with the right token.
    looks: Vec<String>,
    /// It takes calls and answers none.
    is_dumb: bool,
}

/// The running server; it ends with this value.
pub(crate) struct FakeHome {
    pub(crate) url: String,
    shared: Arc<Mutex<Shared>>,
    events: broadcast::Sender<Value>,
    server: JoinHandle<()>,
}

impl Drop for FakeHome {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// A device.
pub(crate) struct Thing {
    pub(crate) entity: String,
    /// The first is its own, the others are aliases.
    pub(crate) names: Vec<String>,
    /// The id of its room; empty for none.
    pub(crate) room: String,
    pub(crate) state: String,
    pub(crate) attributes: Value,
}

/// The same in short: entity, name, room, state, attributes. A second name stands behind a bar.
pub(crate) type Row = (&'static str, &'static str, &'static str, &'static str, Value);

fn rows() -> Vec<Row> {
    vec![
        (
            "light.kitchen",
            "Kitchen Light|Cooking Lamp",
            "kitchen",
            "off",
            json!({"supported_color_modes": ["hs"]}),
        ),
        (
            "light.counter",
            "Counter Light",
            "kitchen",
            "on",
            json!({"brightness": 128, "supported_color_modes": ["brightness"]}),
        ),
        ("light.lamp_1", "Reading Lamp", "living", "off", json!({})),
        ("light.lamp_2", "Reading Lamp", "bedroom", "off", json!({})),
        ("light.far", "Garden Light", "garden", "unavailable", json!({})),
        (
            "cover.blind",
            "Kitchen Blind",
            "kitchen",
            "open",
            json!({"device_class": "blind", "current_position": 100}),
        ),
        (
            "cover.garage",
            "Garage Door",
            "garage",
            "open",
            json!({"device_class": "garage"}),
        ),
        ("lock.front", "Front Door", "hall", "locked", json!({})),
        (
            "climate.up",
            "Bedroom Heating",
            "bedroom",
            "heat",
            json!({"current_temperature": 19.5, "temperature": 20.0, "min_temp": 7, "max_temp": 30}),
        ),
        (
            "sensor.bath",
            "Bathroom Temperature",
            "bath",
            "22.4",
            json!({"device_class": "temperature", "unit_of_measurement": "°C"}),
        ),
        (
            "switch.heater",
            "Heater Plug",
            "living",
            "off",
            json!({"device_class": "outlet"}),
        ),
        ("scene.movie", "Movie Night", "living", "unknown", json!({})),
        ("person.anna", "Anna", "", "home", json!({})),
    ]
}

const FLOORS: [[&str; 2]; 2] = [["ground", "Downstairs"], ["upper", "Upstairs"]];
const ROOMS: [[&str; 3]; 7] = [
    ["kitchen", "Kitchen", "ground"],
    ["living", "Living Room", "ground"],
    ["bedroom", "Bedroom", "upper"],
    ["bath", "Bathroom", "upper"],
    ["garden", "Garden", "ground"],
    ["garage", "Garage", "ground"],
    ["hall", "Hall", "ground"],
];

impl FakeHome {
    /// The usual home.
    pub(crate) async fn start() -> Self {
        Self::of(rows()).await
    }

    /// A home with these devices in the usual rooms.
    pub(crate) async fn of(rows: Vec<Row>) -> Self {
        let things = rows.into_iter().map(|(entity, name, room, state, attributes)| Thing {
            entity: entity.to_owned(),
            names: name.split('|').map(str::to_owned).collect(),
            room: room.to_owned(),
            state: state.to_owned(),
            attributes,
        });
        Self::with(
            FLOORS.map(|floor| floor.map(str::to_owned)).to_vec(),
            ROOMS.map(|room| room.map(str::to_owned)).to_vec(),
            things.collect(),
        )
        .await
    }

    /// A home with these floors, rooms and devices.
    pub(crate) async fn with(floors: Vec<[String; 2]>, rooms: Vec<[String; 3]>, things: Vec<Thing>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let places = things.iter().map(|thing| {
            let others = thing.names.iter().skip(1).cloned().collect();
            (thing.entity.clone(), (thing.room.clone(), others))
        });
        let places = places.collect();
        let states = things.into_iter().map(|thing| {
            let mut attributes = thing.attributes;
            attributes["friendly_name"] = json!(thing.names.first());
            let state = json!({"entity_id": thing.entity, "state": thing.state, "attributes": attributes});
            (thing.entity, state)
        });
        let shared = Arc::new(Mutex::new(Shared {
            states: states.collect(),
            places,
            rooms,
            floors,
            ..Shared::default()
        }));
        let (events, _) = broadcast::channel(64);
        let (own, told) = (Arc::clone(&shared), events.clone());
        let server = tokio::spawn(async move {
            let mut open = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                open.spawn(serve(stream, Arc::clone(&own), told.clone()));
            }
        });
        Self {
            url,
            shared,
            events,
            server,
        }
    }

    /// Services that were called, with what they were called for: `light.turn_on light.kitchen {}`.
    pub(crate) fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.lock().unwrap().calls)
    }

    /// How often somebody came in with the right token.
    pub(crate) fn logins(&self) -> usize {
        self.shared.lock().unwrap().logins
    }

    /// From now on this device does nothing it is told.
    pub(crate) fn sticks(&self, entity: &str) {
        self.shared.lock().unwrap().stuck.insert(entity.to_owned());
    }

    /// What stands on this list now: `milk`, and `bread ✓` where it is ticked.
    pub(crate) fn items(&self, list: &str) -> Vec<String> {
        let shared = self.shared.lock().unwrap();
        let told = |item: &Value| {
            let tick = if item["status"] == "completed" { " ✓" } else { "" };
            format!("{}{tick}", item["summary"].as_str().unwrap())
        };
        shared.items.get(list).into_iter().flatten().map(told).collect()
    }

    /// Somebody else writes on a list.
    pub(crate) fn lists(&self, list: &str, items: &[&str]) {
        let mut shared = self.shared.lock().unwrap();
        for item in items {
            add(&mut shared, list, item);
        }
    }

    /// From now on cameras see this.
    pub(crate) fn sees(&self, picture: &[u8]) {
        self.shared.lock().unwrap().picture = picture.to_vec();
    }

    /// Paths of pictures that were asked for with the right token.
    pub(crate) fn looks(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.lock().unwrap().looks)
    }

    /// From now on no call is answered.
    pub(crate) fn is_dumb(&self, is_dumb: bool) {
        self.shared.lock().unwrap().is_dumb = is_dumb;
    }

    /// Somebody else switches something.
    pub(crate) fn becomes(&self, entity: &str, state: &str) {
        let mut shared = self.shared.lock().unwrap();
        let now = shared.states.get_mut(entity).unwrap();
        now["state"] = json!(state);
        let event = changed(now);
        drop(shared);
        drop(self.events.send(event));
    }

    pub(crate) fn state(&self, entity: &str) -> String {
        let shared = self.shared.lock().unwrap();
        shared.states[entity]["state"].as_str().unwrap().to_owned()
    }

    /// Breaks every connection.
    pub(crate) fn drops_all(&self) {
        drop(self.events.send(json!("drop")));
    }
}

fn changed(state: &Value) -> Value {
    json!({"event_type": "state_changed", "data": {"entity_id": state["entity_id"], "new_state": state}})
}

/// Puts something on a list.
fn add(shared: &mut Shared, list: &str, summary: &str) {
    let items = shared.items.entry(list.to_owned()).or_default();
    let last = items
        .iter()
        .filter_map(|item| item["uid"].as_str()?.parse::<u64>().ok())
        .max();
    let uid = (last.unwrap_or(10) + 1).to_string();
    items.push(json!({"uid": uid, "summary": summary, "status": "needs_action"}));
}

/// What a list is told, as Home Assistant 2024.3 does it.
fn write(shared: &mut Shared, list: &str, service: &str, data: &Value) {
    if service == "add_item" {
        add(shared, list, data["item"].as_str().unwrap());
        return;
    }
    let items = shared.items.entry(list.to_owned()).or_default();
    let is_it = |item: &Value, named: &Value| item["uid"] == *named || item["summary"] == *named;
    if service == "remove_item" {
        items.retain(|item| !data["item"].as_array().unwrap().iter().any(|named| is_it(item, named)));
    } else if let Some(item) = items.iter_mut().find(|item| is_it(item, &data["item"])) {
        item["status"] = data["status"].clone();
    }
}

/// A picture over plain HTTP, to who has the token.
async fn show(mut stream: TcpStream, head: &str, shared: &Mutex<Shared>) {
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let is_right = head.to_lowercase().contains(&format!("authorization: bearer {TOKEN}"));
    let answer = {
        let mut shared = shared.lock().unwrap();
        if is_right {
            shared.looks.push(path);
        }
        let (status, body) = match (is_right, shared.picture.clone()) {
            (false, _) => ("401 Unauthorized", Vec::new()),
            (true, picture) if picture.is_empty() => ("500 Internal Server Error", Vec::new()),
            (true, picture) => ("200 OK", picture),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        [head.into_bytes(), body].concat()
    };
    drop(stream.write_all(&answer).await);
    drop(stream.shutdown().await);
}

async fn serve(mut stream: TcpStream, shared: Arc<Mutex<Shared>>, events: broadcast::Sender<Value>) {
    let mut head = vec![0; 2_048];
    let Ok(length) = stream.peek(&mut head).await else {
        return;
    };
    let head = String::from_utf8_lossy(&head[..length]).into_owned();
    if head.starts_with("GET /api/camera_proxy/") {
        let mut read = vec![0; length];
        drop(stream.read_exact(&mut read).await);
        show(stream, &head, &shared).await;
        return;
    }
    let Ok(mut socket) = accept_async(stream).await else {
        return;
    };
    let mut heard = events.subscribe();
    let mut say = json!({"type": "auth_required", "ha_version": "fake"});
    if socket.send(Message::text(say.to_string())).await.is_err() {
        return;
    }
    let Some(Ok(Message::Text(first))) = socket.next().await else {
        return;
    };
    let auth: Value = serde_json::from_str(&first).unwrap();
    let is_right = auth["access_token"] == TOKEN;
    say = json!({"type": if is_right { "auth_ok" } else { "auth_invalid" }});
    drop(socket.send(Message::text(say.to_string())).await);
    if !is_right {
        return;
    }
    shared.lock().unwrap().logins += 1;
    loop {
        let out = tokio::select! {
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => answer(&serde_json::from_str(&text).unwrap(), &shared, &events),
                Some(Ok(_)) => Vec::new(),
                Some(Err(_)) | None => return,
            },
            event = heard.recv() => match event {
                Ok(event) if event == "drop" => return,
                Ok(event) => vec![json!({"id": 1, "type": "event", "event": event})],
                Err(_) => return,
            },
        };
        for say in out {
            if socket.send(Message::text(say.to_string())).await.is_err() {
                return;
            }
        }
    }
}

fn answer(command: &Value, shared: &Mutex<Shared>, events: &broadcast::Sender<Value>) -> Vec<Value> {
    let result =
        |result: Value| vec![json!({"id": command["id"], "type": "result", "success": true, "result": result})];
    let mut shared = shared.lock().unwrap();
    match command["type"].as_str().unwrap() {
        "get_states" => result(shared.states.values().cloned().collect()),
        "config/area_registry/list" => {
            let room = |[id, name, floor]: &[String; 3]| json!({"area_id": id, "name": name, "aliases": [], "floor_id": floor});
            result(shared.rooms.iter().map(room).collect())
        }
        "config/floor_registry/list" => {
            let floor = |[id, name]: &[String; 2]| json!({"floor_id": id, "name": name});
            result(shared.floors.iter().map(floor).collect())
        }
        "config/entity_registry/list" => {
            let entities = shared.places.iter().map(|(entity, (room, _))| {
                json!({"id": format!("reg-{entity}"), "entity_id": entity, "area_id": Some(room).filter(|room| !room.is_empty())})
            });
            result(entities.collect())
        }
        "homeassistant/expose_entity/list" => {
            let shown = shared
                .places
                .keys()
                .map(|entity| (entity.clone(), json!({"conversation": true})));
            result(json!({"exposed_entities": shown.collect::<serde_json::Map<_, _>>()}))
        }
        "homeassistant/expose_new_entities/get" if command["assistant"] == "conversation" => {
            result(json!({"expose_new": true}))
        }
        "config/entity_registry/get_entries" => {
            let entries = shared
                .places
                .iter()
                .map(|(entity, (_, aliases))| (entity.clone(), json!({"aliases": aliases})));
            result(Value::Object(entries.collect()))
        }
        "config/device_registry/list" => result(json!([])),
        "todo/item/list" => {
            let list = command["entity_id"].as_str().unwrap();
            result(json!({"items": shared.items.get(list).cloned().unwrap_or_default()}))
        }
        "subscribe_events" => result(Value::Null),
        "ping" => vec![json!({"id": command["id"], "type": "pong"})],
        "call_service" => {
            let entity = command["target"]["entity_id"][0].as_str().unwrap().to_owned();
            let service = format!(
                "{}.{}",
                command["domain"].as_str().unwrap(),
                command["service"].as_str().unwrap()
            );
            shared
                .calls
                .push(format!("{service} {entity} {}", command["service_data"]));
            if shared.is_dumb {
                return Vec::new();
            }
            if let Some(service) = service.strip_prefix("todo.")
                && !shared.stuck.contains(&entity)
            {
                write(&mut shared, &entity, service, &command["service_data"]);
            } else if !shared.stuck.contains(&entity) {
                let state = shared.states.get_mut(&entity).unwrap();
                obey(state, &service, &command["service_data"]);
                drop(events.send(changed(state)));
            }
            result(Value::Null)
        }
        _ => vec![json!({"id": command["id"], "type": "result", "success": false,
            "error": {"code": "unknown_command", "message": "Unknown command."}})],
    }
}

fn obey(state: &mut Value, service: &str, data: &Value) {
    let next = match service.split_once('.').unwrap().1 {
        "turn_on" => "on",
        "turn_off" => "off",
        "open_cover" => "open",
        "close_cover" => "closed",
        "lock" => "locked",
        "unlock" => "unlocked",
        "media_pause" => "paused",
        "media_play" => "playing",
        "return_to_base" => "returning",
        "start" => "cleaning",
        _ => state["state"].as_str().unwrap(),
    };
    state["state"] = json!(next);
    if let Some(percent) = data["brightness_pct"].as_f64() {
        state["attributes"]["brightness"] = json!(percent * 2.55);
    }
    for (name, attribute) in [
        ("temperature", "temperature"),
        ("position", "current_position"),
        ("volume_level", "volume_level"),
        ("percentage", "percentage"),
        ("brightness", "brightness"),
    ] {
        if !data[name].is_null() {
            state["attributes"][attribute] = data[name].clone();
        }
    }
}
