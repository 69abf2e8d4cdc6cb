//! What is ordered of devices of every kind, and how they are brought back.

use serde_json::json;

use super::*;
use crate::devices::State;

fn device(entity: &str, state: &str, attributes: serde_json::Value) -> Device {
    Device {
        id: format!("id of {entity}"),
        entity: entity.to_owned(),
        name: entity.to_owned(),
        aliases: Vec::new(),
        area: None,
        floor: None,
        state: State {
            value: state.to_owned(),
            attributes: serde_json::from_value(attributes).unwrap(),
        },
    }
}

fn ordered(device: &Device, action: &str, level: Option<f64>) -> Result<(String, serde_json::Value), Unable> {
    let wish = Wish {
        action: action.to_owned(),
        level,
        ..Wish::default()
    };
    step(device, &wish).map(|step| {
        (
            format!("{}.{}", step.order.domain, step.order.name),
            json!(step.order.data),
        )
    })
}

#[test]
fn every_kind_of_device_has_its_own_words_for_a_wish() {
    let cases = [
        ("light.a", "on", None, "light.turn_on", json!({})),
        ("cover.a", "on", None, "cover.open_cover", json!({})),
        ("cover.a", "close", None, "cover.close_cover", json!({})),
        (
            "cover.a",
            "set",
            Some(40.0),
            "cover.set_cover_position",
            json!({"position": 40.0}),
        ),
        ("lock.a", "unlock", None, "lock.unlock", json!({})),
        ("scene.a", "on", None, "scene.turn_on", json!({})),
        (
            "climate.a",
            "set",
            Some(21.0),
            "climate.set_temperature",
            json!({"temperature": 21.0}),
        ),
        (
            "media_player.a",
            "set",
            Some(30.0),
            "media_player.volume_set",
            json!({"volume_level": 0.3}),
        ),
        ("vacuum.a", "off", None, "vacuum.return_to_base", json!({})),
        ("light.a", "set", Some(0.0), "light.turn_off", json!({})),
    ];
    for (entity, action, level, service, data) in cases {
        let device = device(entity, "off", json!({}));
        assert_eq!(
            ordered(&device, action, level),
            Ok((service.to_owned(), data)),
            "{entity} {action}"
        );
    }
}

#[test]
fn what_a_device_does_not_do_is_not_ordered() {
    for (entity, action) in [
        ("lock.a", "on"),
        ("light.a", "open"),
        ("sensor.a", "on"),
        ("scene.a", "off"),
        ("light.a", "dance"),
    ] {
        assert_eq!(
            ordered(&device(entity, "off", json!({})), action, None),
            Err(Unable::Never),
            "{entity} {action}"
        );
    }
    let heating = device("climate.a", "heat", json!({"min_temp": 7, "max_temp": 30}));
    assert_eq!(ordered(&heating, "set", Some(50.0)), Err(Unable::Range(7.0, 30.0)));
    // A lamp without colours is told of none.
    let wish = Wish {
        action: "set".to_owned(),
        color: Some("red".to_owned()),
        ..Wish::default()
    };
    let plain = device("light.a", "on", json!({"supported_color_modes": ["brightness"]}));
    assert_eq!(step(&plain, &wish), Err(Unable::Never));
}

#[test]
fn more_and_less_go_from_where_it_is_and_stay_in_range() {
    let level = |device: &Device, action: &str| ordered(device, action, None).unwrap().1;
    let lamp = device("light.a", "on", json!({"brightness": 230}));
    assert_eq!(level(&lamp, "brighten"), json!({"brightness_pct": 100.0}));
    let lamp = device("light.a", "on", json!({"brightness": 25}));
    assert_eq!(level(&lamp, "dim"), json!({"brightness_pct": 1.0}));
    let heating = device("climate.a", "heat", json!({"temperature": 20.5}));
    assert_eq!(level(&heating, "up"), json!({"temperature": 21.5}));
}

#[test]
fn a_goal_is_met_by_the_state_and_never_by_an_absent_device() {
    let lamp = device("light.a", "on", json!({"brightness": 77}));
    let wish = Wish {
        action: "set".to_owned(),
        level: Some(30.0),
        ..Wish::default()
    };
    assert!(step(&lamp, &wish).unwrap().goal.is_met(&lamp));
    let gone = device("climate.a", "unavailable", json!({}));
    assert!(!Goal::NotIn(&["off"]).is_met(&gone));
}

#[test]
fn doors_and_locks_are_grave_and_curtains_are_not() {
    let is = |entity: &str, class: &str| is_grave(&device(entity, "closed", json!({"device_class": class})));
    assert!(is("lock.a", "") && is("cover.a", "garage") && is("cover.a", "gate") && is("alarm_control_panel.a", ""));
    assert!(!is("cover.a", "curtain") && !is("cover.a", "blind") && !is("light.a", ""));
}

#[test]
fn what_was_changed_comes_back_as_it_was() {
    let names = |before: &Device, now: &Device| {
        let orders = back(now, &Before::of(before)).into_iter();
        orders.map(|order| (order.name, json!(order.data))).collect::<Vec<_>>()
    };
    let lamp = device("light.a", "on", json!({"brightness": 128, "hs_color": [30, 80]}));
    let off = device("light.a", "off", json!({}));
    assert_eq!(
        names(&lamp, &off),
        [("turn_on".to_owned(), json!({"brightness": 128.0, "hs_color": [30, 80]}))]
    );
    assert_eq!(names(&off, &lamp), [("turn_off".to_owned(), json!({}))]);
    let heating = device("climate.a", "heat", json!({"temperature": 20.0}));
    let cold = device("climate.a", "off", json!({"temperature": 15.0}));
    assert_eq!(
        names(&heating, &cold),
        [
            ("set_hvac_mode".to_owned(), json!({"hvac_mode": "heat"})),
            ("set_temperature".to_owned(), json!({"temperature": 20.0})),
        ]
    );
    let half = device("cover.a", "open", json!({"current_position": 40}));
    let shut = device("cover.a", "closed", json!({"current_position": 0}));
    assert_eq!(
        names(&half, &shut),
        [("set_cover_position".to_owned(), json!({"position": 40.0}))]
    );
}
