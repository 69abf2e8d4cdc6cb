//! Figures, and no tests: Home Assistant's own test sentences, end to end, with what becomes of the devices of its own
//! test home; and how fast a large home is known and switched. `just device-figures` prints them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use metnos::domain::{ids::ChannelKind, lang::Lang, reply::ButtonKind};
use metnos_homeassistant::{Address, Link, Token};
use serde_json::{Value, json};

use super::{AT, bot_at, clock, connect};
use crate::support::{
    bot::TestBot,
    homeassistant::{FakeHome, TOKEN, Thing},
};

/// The intents that ask for what metnos does with devices.
const ORDERS: &[&str] = &[
    "HassTurnOn",
    "HassTurnOff",
    "HassLightSet",
    "HassSetPosition",
    "HassSetVolume",
    "HassClimateSetTemperature",
    "HassMediaPause",
    "HassMediaUnpause",
    "HassMediaNext",
    "HassMediaPrevious",
    "HassVacuumReturnToBase",
];
const LOOKS: &[&str] = &["HassGetState", "HassClimateGetTemperature"];

/// Whether a service can be what an intent asks for.
fn may_be(intent: &str, service: &str) -> bool {
    let has = |parts: &[&str]| parts.iter().any(|part| service.contains(part));
    match intent {
        "HassTurnOn" => !has(&["turn_off", "close", "unlock"]),
        "HassTurnOff" => !has(&["turn_on", "open", ".lock"]),
        "HassMediaNext" => has(&["next"]),
        "HassMediaPrevious" => has(&["previous"]),
        "HassMediaPause" => has(&["pause"]),
        "HassMediaUnpause" => has(&["play"]),
        _ => true,
    }
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(all) => all.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Value::String(one) => vec![one.clone()],
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn fold(value: &Value) -> String {
    text(value).to_lowercase()
}

async fn house(fixture: &Value) -> FakeHome {
    let list = |name: &str| fixture[name].as_array().cloned().unwrap_or_default();
    let floors = list("floors");
    let floors = floors.iter().map(|floor| [text(&floor["id"]), text(&floor["name"])]);
    let rooms = list("areas");
    let rooms = rooms
        .iter()
        .map(|area| [text(&area["id"]), text(&area["name"]), text(&area["floor"])]);
    let things = list("entities").into_iter().map(|entity| {
        // What every light of a real home says of itself, and the fixture leaves out.
        let mut attributes = json!({"supported_color_modes": ["hs"]});
        for (name, value) in entity["attributes"].as_object().into_iter().flatten() {
            attributes[name] = value.clone();
        }
        Thing {
            entity: text(&entity["id"]),
            names: vec![text(&entity["name"])],
            room: text(&entity["area"]),
            state: text(&entity["state"]),
            attributes,
        }
    });
    FakeHome::with(floors.collect(), rooms.collect(), things.collect()).await
}

/// The devices that a sentence is about, by the set's own slots; `None` where these do not say.
fn wanted(case: &Value, fixture: &Value) -> Option<BTreeSet<String>> {
    let slots = &case["slots"];
    let rooms = fixture["areas"].as_array()?;
    let floors = fixture["floors"].as_array();
    let is_room = |room: &Value| fold(&room["name"]) == fold(&slots["area"]) || room["id"] == slots["area"];
    let is_floor = |id: &Value| {
        let mut known = floors.into_iter().flatten();
        known.any(|floor| floor["id"] == *id && fold(&floor["name"]) == fold(&slots["floor"]))
    };
    let name = Some(fold(&slots["name"])).filter(|name| !name.is_empty() && name != "all");
    let domains = match case["intent"].as_str()? {
        "HassLightSet" => vec!["light".to_owned()],
        "HassClimateSetTemperature" => vec!["climate".to_owned()],
        intent if intent.starts_with("HassMedia") || intent == "HassSetVolume" => vec!["media_player".to_owned()],
        _ => texts(&slots["domain"]),
    };
    let classes = texts(&slots["device_class"]);
    if name.is_none() && domains.is_empty() && classes.is_empty() {
        return None;
    }
    let is_meant = |entity: &&Value| {
        if let Some(name) = &name {
            return fold(&entity["name"]) == *name;
        }
        let domain = text(&entity["id"]).split('.').next().unwrap_or_default().to_owned();
        let room = rooms.iter().find(|room| room["id"] == entity["area"]);
        let class = text(&entity["attributes"]["device_class"]);
        (slots["area"].is_null() || room.is_some_and(is_room))
            && (slots["floor"].is_null() || room.is_some_and(|room| is_floor(&room["floor"])))
            && (domains.is_empty() || domains.contains(&domain))
            && (classes.is_empty() || classes.contains(&class))
    };
    let entities = fixture["entities"].as_array()?.iter().filter(is_meant);
    Some(entities.map(|entity| text(&entity["id"])).collect())
}

/// So that there is something to do.
fn unlike(intent: &str, entity: &str) -> &'static str {
    let on = !matches!(intent, "HassTurnOff" | "HassMediaPause" | "HassVacuumReturnToBase");
    match (entity.split('.').next().unwrap_or_default(), on) {
        ("cover" | "valve", true) => "closed",
        ("cover" | "valve", false) => "open",
        ("lock", true) => "unlocked",
        ("lock", false) => "locked",
        ("media_player", true) => "paused",
        ("media_player", false) => "playing",
        ("vacuum", true) => "docked",
        ("vacuum", false) => "cleaning",
        (_, true) => "off",
        (_, false) => "on",
    }
}

async fn ordered(bot: &mut TestBot, home: &FakeHome, case: &Value, fixture: &Value) -> (&'static str, String) {
    let intent = case["intent"].as_str().unwrap();
    let Some(wanted) = wanted(case, fixture).filter(|wanted| !wanted.is_empty()) else {
        return ("not judged", String::new());
    };
    for entity in &wanted {
        home.becomes(entity, unlike(intent, entity));
    }
    let mut said = bot.says(case["text"].as_str().unwrap()).await;
    if bot.buttons().iter().any(|button| button.kind == ButtonKind::Approve) {
        bot.taps(ButtonKind::Approve).await;
        said = bot.hears(ChannelKind::Terminal).await.plain();
    }
    let calls = home.calls();
    let called = calls.iter().filter_map(|call| call.split(' ').nth(1));
    let called: BTreeSet<String> = called.map(str::to_owned).collect();
    let fits = calls.iter().all(|call| may_be(intent, call));
    let verdict = match (called.is_empty(), called == wanted && fits) {
        (true, _) if said.contains("already") || said.contains("era già") => "so already",
        (true, _) => "declined or asked",
        (false, true) => "right",
        (false, false) => "wrong",
    };
    (verdict, format!("{said} {calls:?} of {wanted:?}"))
}

async fn looked(bot: &mut TestBot, home: &FakeHome, case: &Value) -> (&'static str, String) {
    let said = bot.says(case["text"].as_str().unwrap()).await;
    let changed = !home.calls().is_empty();
    (if changed { "changed something" } else { "looked" }, said)
}

#[tokio::test]
#[ignore = "a figure over sentences that lie outside of the repository: just device-figures"]
#[expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the sets are found through the environment, and figures are for who runs it"
)]
async fn home_assistants_own_sentences() {
    let sets = PathBuf::from(std::env::var("METNOS_EVAL_SETS").unwrap());
    let read = |name: &str| fs::read_to_string(sets.join("open").join(name)).unwrap();
    let fixtures: Value = serde_json::from_str(&read("ha_fixtures.json")).unwrap();
    let cases: Vec<Value> = read("ha_tests.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut figures: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    for (code, lang) in [("en", Lang::EN), ("it", Lang::IT)] {
        let home = house(&fixtures[code]).await;
        let mut bot = bot_at(&clock(AT), lang).await;
        connect(&mut bot, &home, lang).await;
        // What is heard in a room says less than it means.
        let is_whole = |case: &&Value| case["lang"] == code && case["context"] == json!({});
        for case in cases.iter().filter(is_whole) {
            let intent = case["intent"].as_str().unwrap();
            let (kind, (verdict, shown)) = if ORDERS.contains(&intent) {
                ("orders", ordered(&mut bot, &home, case, &fixtures[code]).await)
            } else if LOOKS.contains(&intent) {
                ("looks", looked(&mut bot, &home, case).await)
            } else {
                continue;
            };
            let row = figures.entry(format!("{code} {kind}")).or_default();
            *row.entry(verdict).or_default() += 1;
            let why = if verdict == "wrong" {
                bot.says("/why").await
            } else {
                String::new()
            };
            if verdict != "right" {
                println!("{verdict}: {} → {}", case["text"], shown.replace('\n', " "));
                println!("{why}");
            }
        }
    }
    println!("{figures:#?}");
    assert!(!figures.is_empty(), "no sentence was found");
}

/// Own share of the time from an order to the state that proves it: what the server takes is next to nothing here.
#[tokio::test]
#[ignore = "a figure: just device-figures"]
#[expect(clippy::print_stdout, reason = "a figure is for who runs it")]
async fn a_home_of_two_thousand() {
    let thing = |at: usize| Thing {
        entity: format!("light.number_{at}"),
        names: vec![format!("Light Number {at}")],
        room: format!("room{}", at % 40),
        state: "off".to_owned(),
        attributes: json!({"supported_color_modes": ["hs"], "brightness": null, "icon": "mdi:lightbulb"}),
    };
    let rooms = (0..40).map(|at| [format!("room{at}"), format!("Room {at}"), String::new()]);
    let home = FakeHome::with(Vec::new(), rooms.collect(), (0..2_000).map(thing).collect()).await;
    let began = Instant::now();
    let link = Link::open(Address::parse(&home.url).unwrap(), Token::new(TOKEN.to_owned()));
    let known = link.home(Duration::from_secs(10)).await.unwrap();
    println!("{} devices known in {:?}", known.devices().count(), began.elapsed());
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    connect(&mut bot, &home, Lang::EN).await;
    let mut times = Vec::new();
    for at in 0..51 {
        let began = Instant::now();
        let said = bot.says(&format!("turn on light number {at}")).await;
        times.push(began.elapsed());
        assert!(said.contains("is on"), "{said}");
    }
    times.sort();
    println!("order to answer p50 {:?}, p95 {:?}", times[25], times[48]);
}
