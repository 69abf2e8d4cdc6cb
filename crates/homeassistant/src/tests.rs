//! What a home is made of, and what changes in it; frames of a server as they were recorded.

use serde_json::{Value, json};

use crate::{
    Address, Failure,
    home::{Home, Lists},
    todo::{ITEMS_MAX, Item},
};

fn lists() -> Lists {
    Lists {
        states: json!([
            {"entity_id": "light.kitchen", "state": "on", "attributes": {
                "friendly_name": "Kitchen Light", "brightness": 128, "entity_picture": "/api/large"}},
            {"entity_id": "lock.front", "state": "locked", "attributes": {"friendly_name": "Front Door"}},
            {"entity_id": "sensor.bath", "state": "21.5", "attributes": {
                "friendly_name": "Bath", "device_class": "temperature", "unit_of_measurement": "°C"}},
            {"entity_id": "sensor.router", "state": "3", "attributes": {"friendly_name": "Router"}},
            {"entity_id": "switch.hidden", "state": "off", "attributes": {"friendly_name": "Hidden"}},
            {"entity_id": "switch.setting", "state": "off", "attributes": {"friendly_name": "Setting"}},
            {"entity_id": "light.secret", "state": "off", "attributes": {"friendly_name": "Secret"}},
        ]),
        areas: json!([
            {"area_id": "kitchen", "name": "Kitchen", "aliases": ["Cucina", ""], "floor_id": "ground"},
            {"area_id": "bath", "name": "Bathroom"},
        ]),
        floors: json!([{"floor_id": "ground", "name": "Ground floor", "level": 0}]),
        devices: json!([{"id": "d1", "area_id": "kitchen"}, {"id": "d2", "area_id": "bath"}]),
        entities: json!([
            {"id": "r1", "entity_id": "light.kitchen", "device_id": "d1", "area_id": null},
            {"id": "r2", "entity_id": "sensor.bath", "device_id": "d1", "area_id": "bath"},
            {"id": "r3", "entity_id": "switch.hidden", "hidden_by": "user"},
            {"id": "r4", "entity_id": "switch.setting", "entity_category": "config"},
            {"id": "r5", "entity_id": "light.secret"},
            {"id": "r6", "entity_id": "lock.front"},
        ]),
        exposed: json!({"exposed_entities": {
            "light.secret": {"conversation": false},
            "lock.front": {"conversation": true},
        }}),
        exposes_new: json!({"expose_new": true}),
    }
}

fn home() -> Home {
    lists().home(&json!({"light.kitchen": {"aliases": ["Cooking Lamp", " "]}}))
}

fn names(home: &Home) -> Vec<&str> {
    home.devices().map(|device| device.name.as_str()).collect()
}

#[test]
fn only_what_is_shown_to_assist_is_there() {
    assert_eq!(names(&home()), ["Kitchen Light", "Front Door", "Bath"]);
    let closed = Lists {
        exposes_new: json!({"expose_new": false}),
        ..lists()
    };
    assert_eq!(names(&closed.home(&Value::Null)), ["Front Door"]);
}

#[test]
fn a_device_has_its_room_its_floor_and_the_familys_words() {
    let home = home();
    let light = home.entity("light.kitchen").unwrap();
    assert_eq!(
        (light.id.as_str(), light.area.as_deref(), light.floor.as_deref()),
        ("r1", Some("Kitchen"), Some("Ground floor"))
    );
    assert_eq!(light.aliases, ["Cooking Lamp"]);
    assert_eq!(light.state.number("brightness"), Some(128.0));
    assert_eq!(light.state.text("entity_picture"), None);
    // Its own room counts before that of what it is part of.
    assert_eq!(home.device("r2").unwrap().area.as_deref(), Some("Bathroom"));
    assert_eq!(home.areas()[1].aliases, ["Cucina"]);
}

#[test]
fn states_change_and_devices_go_away() {
    let mut home = home();
    let changed = json!({"entity_id": "light.kitchen", "new_state": {"state": "off", "attributes": {}}});
    assert!(home.apply(&changed));
    assert_eq!(home.entity("light.kitchen").unwrap().state.value, "off");
    assert!(home.apply(&json!({"entity_id": "light.kitchen", "new_state": null})));
    assert!(home.entity("light.kitchen").unwrap().state.is_unavailable());
    for other in [
        json!({"entity_id": "light.secret", "new_state": {"state": "on"}}),
        json!({}),
        json!(7),
    ] {
        assert!(!home.apply(&other), "{other}");
    }
}

#[test]
fn lists_of_strangers_make_an_empty_home() {
    for strange in [
        json!(null),
        json!({}),
        json!([1, null, {"entity_id": 3}, {"entity_id": "light.x"}]),
    ] {
        let lists = Lists {
            states: strange.clone(),
            areas: strange.clone(),
            floors: strange.clone(),
            devices: strange.clone(),
            entities: strange.clone(),
            exposed: strange.clone(),
            exposes_new: strange,
        };
        assert_eq!(names(&lists.home(&json!([]))), [""; 0]);
    }
}

#[test]
fn addresses_are_read_as_people_copy_them() {
    let read = |text: &str| Address::parse(text).map(|address| address.as_str().to_owned());
    assert_eq!(
        read(" http://ha.local:8123/lovelace/0?x=1#y "),
        Ok("http://ha.local:8123".to_owned())
    );
    assert_eq!(read("192.168.1.5:8123"), Ok("http://192.168.1.5:8123".to_owned()));
    assert_eq!(
        read("https://home.example.org"),
        Ok("https://home.example.org".to_owned())
    );
    for wrong in [
        "",
        "ftp://ha.local",
        "http://me:secret@ha.local",
        "two words",
        "devices",
    ] {
        assert_eq!(read(wrong), Err(Failure::BadAddress), "{wrong}");
    }
}

#[test]
fn what_stands_on_a_list_is_read_and_what_is_no_item_is_left_out() {
    let answer = json!({"items": [
        {"summary": "Milk", "uid": "1", "status": "needs_action"},
        {"summary": "Bread", "uid": "2", "status": "completed", "due": "2026-12-01"},
        {"summary": " ", "uid": "3", "status": "needs_action"},
        {"uid": "4"},
        "no item",
        {"summary": "Eggs"},
    ]});
    let items = Item::of_answer(&answer);
    let read: Vec<(&str, &str, bool)> = items
        .iter()
        .map(|item| (item.uid.as_str(), item.summary.as_str(), item.is_done))
        .collect();
    assert_eq!(
        read,
        [("1", "Milk", false), ("2", "Bread", true), ("Eggs", "Eggs", false)]
    );
    assert_eq!(Item::of_answer(&json!({"items": null})), []);
    let many: Vec<Value> = (0..ITEMS_MAX + 5)
        .map(|number| json!({"summary": format!("{number}")}))
        .collect();
    assert_eq!(Item::of_answer(&json!({"items": many})).len(), ITEMS_MAX);
    let again = items[1].added_to("todo.shop");
    assert_eq!(
        again.data,
        *json!({"item": "Bread", "due_date": "2026-12-01"}).as_object().unwrap()
    );
    let ticked = items[0].ticked_on("todo.shop", true);
    assert_eq!(
        (ticked.name.as_str(), &ticked.data["status"]),
        ("update_item", &json!("completed"))
    );
    assert_eq!(items[0].removed_from("todo.shop").data["item"], json!(["1"]));
}
