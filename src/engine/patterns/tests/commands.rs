//! What stands in `tests/corpus/commands`, played: each sentence is said in the household that its table names, by whom
//! it names, and P0 must make of it what stands beside it.

use super::{shown::shown, *};
use crate::{
    domain::actor::Role,
    engine::fixtures::corpus::{self, Table},
};

#[test]
fn a_sentence_is_the_command_that_stands_beside_it_and_no_other() {
    let wrong: Vec<String> = corpus::tables("commands").iter().flat_map(differing).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sentences of a table that something else is made of.
fn differing(table: &Table) -> Vec<String> {
    let setting = table.setting.as_str();
    let household = household(setting);
    table.differing(|text, lang| {
        let answer = PATTERNS.matching(text, &speaker(setting, lang), &household);
        match (setting, answer) {
            ("a sum or none", PatternMatch::Hit(Pattern::Sum { expression })) => format!("sum {expression}"),
            ("a sum or none", _) => "no sum".to_owned(),
            (_, answer) => shown(&answer),
        }
    })
}

fn speaker(setting: &str, lang: Lang) -> Speaker {
    let host = Speaker::host(lang);
    match setting {
        "nobody typed it" => Speaker { typed: false, ..host },
        "a guest" => Speaker {
            role: Role::Guest,
            ..host
        },
        _ => host,
    }
}

fn household(setting: &str) -> Household {
    let of = |devices: Vec<Device>| Household::new(devices, Vec::new(), Vec::new(), Vec::new());
    match setting {
        "" | "nobody typed it" | "a guest" | "a sum or none" => home(),
        "no household" => Household::default(),
        "an alarm among the devices" => of(vec![device("Alarm", DeviceKind::Switch, None)]),
        "in no room" => of(HOME.devices().to_vec()),
        "one lamp" => of(vec![
            device("Floor Lamp", DeviceKind::Lamp, None),
            device("Fan", DeviceKind::Fan, None),
        ]),
        "a flat" => flat(),
        unknown => panic!("{unknown}?"),
    }
}

/// Two fans, a thermostat, a lock and five rooms; nobody knows which one the person is in.
fn flat() -> Household {
    let devices = vec![
        device("Ceiling Fan", DeviceKind::Fan, None),
        device("Thermostat", DeviceKind::Climate, None),
        device("Front Door", DeviceKind::Lock, None),
        device("Ventilatore", DeviceKind::Fan, None),
    ];
    let rooms = ["Kitchen", "Bedroom", "Bagno", "Entrata", "Stanza degli ospiti"];
    let areas = rooms.into_iter().map(|name| Area {
        name: name.to_owned(),
        aliases: Vec::new(),
    });
    Household::new(devices, areas.collect(), Vec::new(), Vec::new())
}
