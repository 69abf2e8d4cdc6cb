//! A real Home Assistant with its demo home (`scripts/testbed/homeassistant.sh`). What became of a device is asked of
//! the server itself, not of metnos.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{fs, path::PathBuf, process::Command};

use serde_json::Value;

use super::process::Home;

/// The server, and the folder with its token.
struct Bed {
    url: String,
    token: String,
}

impl Bed {
    #[expect(
        clippy::disallowed_methods,
        reason = "the servers are started outside and found through the environment"
    )]
    fn new() -> Self {
        let said = std::env::var("METNOS_LIVE_HOMEASSISTANT").unwrap_or_else(|_| {
            panic!("METNOS_LIVE_HOMEASSISTANT is not set: run `just test-live`, which starts the servers")
        });
        let host = said.strip_prefix("http://").unwrap();
        let (host, folder) = host.split_once('/').unwrap();
        let token = PathBuf::from(format!("/{folder}/token"));
        Self {
            url: format!("http://{host}"),
            token: fs::read_to_string(token).unwrap().trim().to_owned(),
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
