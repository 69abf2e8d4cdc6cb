//! A real Home Assistant with its demo home (`scripts/testbed/homeassistant.sh`). What became of a device is asked of
//! the server itself, not of metnos.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use metnos_homeassistant::{Address, Link, Token};
use serde_json::Value;

use super::{bed, process::Home};

/// The server, and the folder with its token.
struct Bed {
    url: String,
    token: String,
}

impl Bed {
    fn new() -> Self {
        let (port, folder) = bed::told_of("METNOS_LIVE_HOMEASSISTANT");
        Self {
            url: format!("http://127.0.0.1:{port}"),
            token: fs::read_to_string(folder.join("token")).unwrap().trim().to_owned(),
        }
    }

    async fn add(&self, home: &Home, token: &str) -> (bool, String) {
        let arguments = ["account", "add", "homeassistant", &self.url];
        home.run(&arguments, &format!("{token}\n")).await
    }

    async fn connected(&self) -> Home {
        let home = Home::new();
        let (good, said) = self.add(&home, &self.token).await;
        assert!(good, "{said}");
        home
    }

    /// What the server answers here; posts `body` if there is one.
    fn asks(&self, path: &str, body: Option<&str>) -> Value {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--fail", "--header"])
            .arg(format!("Authorization: Bearer {}", self.token));
        if let Some(body) = body {
            curl.args(["--header", "Content-Type: application/json", "--data", body]);
        }
        let output = curl.arg(format!("{}/api/{path}", self.url)).output().unwrap();
        assert!(output.status.success(), "{path}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn state(&self, entity: &str) -> Value {
        self.asks(&format!("states/{entity}"), None)
    }

    /// The same for all of these in one go, with a body for each where there is one.
    fn asks_all(&self, method: &str, asked: &[(String, String)]) {
        let mut config = String::new();
        for (at, (path, body)) in asked.iter().enumerate() {
            if at > 0 {
                config.push_str("next\n");
            }
            let url = format!("{}/api/{path}", self.url);
            let header = format!("Authorization: Bearer {}", self.token);
            writeln!(
                config,
                "url = \"{url}\"\nrequest = {method}\nheader = \"{header}\"\noutput = /dev/null"
            )
            .unwrap();
            if !body.is_empty() {
                let body = body.replace('"', "\\\"");
                writeln!(config, "header = \"Content-Type: application/json\"\ndata = \"{body}\"").unwrap();
            }
            writeln!(config, "silent\nfail").unwrap();
        }
        let mut curl = Command::new("curl")
            .args(["--config", "-"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        curl.stdin.take().unwrap().write_all(config.as_bytes()).unwrap();
        assert!(curl.wait().unwrap().success());
    }

    /// What stands on the shopping list, ticked or not.
    fn shopping(&self) -> Vec<(String, bool)> {
        let items = self.asks("shopping_list", None);
        let read = |item: &Value| (item["name"].as_str().unwrap().to_owned(), item["complete"] == true);
        items.as_array().unwrap().iter().map(read).collect()
    }

    /// Somebody at the wall.
    fn presses(&self, service: &str, entity: &str) {
        self.asks(
            &format!("services/{service}"),
            Some(&format!("{{\"entity_id\": \"{entity}\"}}")),
        );
    }
}

#[tokio::test]
async fn a_house_is_connected_and_looked_at() {
    let bed = Bed::new();
    let home = Home::new();
    let (good, said) = bed.add(&home, "wrong").await;
    assert!(!good && said.contains("does not take the token"), "{said}");
    let (good, said) = bed.add(&home, &bed.token).await;
    assert!(good, "{said}");
    let (good, said) = home.run(&["account", "check"], "").await;
    assert!(good && said.contains("devices"), "{said}");
    let logged = fs::read_dir(home.path(".")).unwrap().flatten();
    for file in logged.filter(|entry| entry.path().is_file()) {
        let text = fs::read(file.path()).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains(&bed.token), "{file:?}");
    }
}

#[tokio::test]
async fn a_light_goes_on_and_the_undo_brings_it_back() {
    let bed = Bed::new();
    let home = bed.connected().await;
    bed.presses("light/turn_off", "light.bed_light");
    let said = home.chat(&["turn on the bed light"]).await;
    assert!(said.contains("is on"), "{said}");
    assert_eq!(bed.state("light.bed_light")["state"], "on");
    let said = home.chat(&["turn on the bed light"]).await;
    assert!(said.contains("already"), "{said}");
    let said = home.chat(&["turn off the bed light", "undo"]).await;
    assert_eq!(bed.state("light.bed_light")["state"], "on", "{said}");
}

#[tokio::test]
async fn a_level_is_what_the_device_says_it_is() {
    let bed = Bed::new();
    let home = bed.connected().await;
    bed.presses("light/turn_on", "light.ceiling_lights");
    let said = home.chat(&["set the ceiling lights to 40%"]).await;
    let brightness = bed.state("light.ceiling_lights")["attributes"]["brightness"]
        .as_f64()
        .unwrap();
    assert!((brightness - 102.0).abs() < 3.0, "{brightness}: {said}");
    let said = home.chat(&["set the heatpump to 22"]).await;
    assert_eq!(
        bed.state("climate.heatpump")["attributes"]["temperature"],
        22.0,
        "{said}"
    );
}

#[tokio::test]
async fn what_somebody_does_at_the_wall_is_known() {
    let bed = Bed::new();
    let home = bed.connected().await;
    bed.presses("light/turn_off", "light.kitchen_lights");
    let said = home.chat(&["are the kitchen lights on?"]).await;
    assert!(said.contains("No."), "{said}");
    bed.presses("light/turn_on", "light.kitchen_lights");
    let said = home.chat(&["are the kitchen lights on?"]).await;
    assert!(said.contains("Yes."), "{said}");
}

#[tokio::test]
async fn a_garage_door_is_asked_about() {
    let bed = Bed::new();
    let home = bed.connected().await;
    let before = bed.state("cover.garage_door")["state"].clone();
    let said = home.chat(&["open the garage door", "no"]).await;
    assert!(said.contains("May I"), "{said}");
    assert_eq!(bed.state("cover.garage_door")["state"], before);
}

#[tokio::test]
async fn a_room_is_all_that_is_in_it_and_what_plays_gets_louder() {
    let bed = Bed::new();
    let home = bed.connected().await;
    for light in ["light.kitchen_lights", "light.ceiling_lights", "light.bed_light"] {
        bed.presses("light/turn_on", light);
    }
    let said = home.chat(&["turn off the lights in the kitchen"]).await;
    for (light, state) in [
        ("light.kitchen_lights", "off"),
        ("light.ceiling_lights", "off"),
        ("light.bed_light", "on"),
    ] {
        assert_eq!(bed.state(light)["state"], state, "{light}: {said}");
    }
    let said = home.chat(&["set the volume of the walkman to 30%"]).await;
    assert_eq!(
        bed.state("media_player.walkman")["attributes"]["volume_level"],
        0.3,
        "{said}"
    );
}

#[tokio::test]
async fn a_list_of_the_house_is_read_written_and_taken_back() {
    let bed = Bed::new();
    let home = bed.connected().await;
    let here = |name: &str| {
        bed.shopping()
            .into_iter()
            .find(|(own, _)| own == name)
            .map(|(_, done)| done)
    };
    // What an earlier run left there is taken off by metnos itself.
    for name in ["saffron", "cardamom"] {
        while here(name).is_some() {
            home.chat(&[&format!("remove {name} from the shopping list")]).await;
        }
    }
    let said = home.chat(&["add saffron and cardamom to the shopping list"]).await;
    assert!(said.contains("saffron, cardamom"), "{said}");
    assert_eq!((here("saffron"), here("cardamom")), (Some(false), Some(false)));
    let said = home.chat(&["what's on the shopping list?"]).await;
    assert!(said.contains("saffron") && said.contains("cardamom"), "{said}");
    let said = home.chat(&["tick saffron off the shopping list"]).await;
    assert_eq!(here("saffron"), Some(true), "{said}");
    let said = home.chat(&["tick cardamom off the shopping list", "undo"]).await;
    assert_eq!(here("cardamom"), Some(false), "{said}");
    let said = home.chat(&["remove saffron from the shopping list"]).await;
    assert_eq!(here("saffron"), None, "{said}");
    let said = home.chat(&["remove cardamom from the shopping list", "undo"]).await;
    assert_eq!(here("cardamom"), Some(false), "{said}");
    let said = home.chat(&["remove cardamom from the shopping list"]).await;
    assert_eq!(here("cardamom"), None, "{said}");
}

#[tokio::test]
async fn a_camera_shows_a_picture_that_can_be_seen() {
    let bed = Bed::new();
    let home = bed.connected().await;
    let said = home.chat(&["show me the demo camera"]).await;
    assert!(said.contains("inbox"), "{said}");
    let pictures = fs::read_dir(home.path("inbox")).unwrap().flatten();
    let kept: Vec<Vec<u8>> = pictures.map(|picture| fs::read(picture.path()).unwrap()).collect();
    let [picture] = kept.as_slice() else {
        panic!("{}: {said}", kept.len());
    };
    // As the server gives it to anybody else with the token.
    assert!(
        picture.starts_with(b"\xff\xd8\xff") && picture.len() > 1_000,
        "{}",
        picture.len()
    );
}

/// Kilobytes of this process in memory.
fn resident_kb() -> i64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Connects anew, and tells what that took.
#[expect(clippy::print_stdout, reason = "a report")]
async fn snapshot(bed: &Bed, what: &str) {
    let before = resident_kb();
    let begun = Instant::now();
    let link = Link::open(Address::parse(&bed.url).unwrap(), Token::new(bed.token.clone()));
    let home = link.home(Duration::from_secs(10)).await.unwrap();
    let took = begun.elapsed();
    let (count, after) = (home.devices().count(), resident_kb());
    println!(
        "{what}: {count} entities in {} ms, {} kB",
        took.as_millis(),
        after - before
    );
}

/// Entities that are put beside those of the demo home.
const MANY: usize = 2_000;

#[tokio::test]
#[ignore = "a report, not a test: see `just device-memory`"]
async fn time_and_memory_of_a_snapshot() {
    let bed = Bed::new();
    snapshot(&bed, "demo home, first connection").await;
    snapshot(&bed, "demo home, second connection").await;
    let path = |number: usize| format!("states/light.figure_{number}");
    let body = |number: usize| {
        let name = format!("Figure {number}");
        format!("{{\"state\": \"on\", \"attributes\": {{\"friendly_name\": \"{name}\", \"brightness\": 128}}}}")
    };
    let added: Vec<(String, String)> = (0..MANY).map(|number| (path(number), body(number))).collect();
    bed.asks_all("POST", &added);
    snapshot(&bed, "with 2,000 lights more, first connection").await;
    snapshot(&bed, "with 2,000 lights more, second connection").await;
    let gone: Vec<(String, String)> = (0..MANY).map(|number| (path(number), String::new())).collect();
    bed.asks_all("DELETE", &gone);
}
