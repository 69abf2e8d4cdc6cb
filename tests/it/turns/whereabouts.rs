//! A typed place answers where somebody is, with a geo service that knows it, one that does not, and one that is down.

use metnos::{config::PlacesConfig, domain::ids::ChannelKind};
use serde_json::json;

use super::rows;
use crate::support::{
    bot::{Setup, TestBot},
    geo::{FakeGeo, Next},
};

/// A bot whose geo service answers one question after the other with these statuses and finds.
async fn bot(answers: &[(u16, bool)]) -> (TestBot, FakeGeo) {
    let geo = FakeGeo::start().await;
    let square = json!({
        "geometry": {"coordinates": [9.1911, 45.4641]},
        "properties": {"osm_type": "W", "osm_id": 1, "osm_value": "square", "name": "Piazza del Duomo", "city": "Milano"}
    });
    for (status, finds) in answers {
        let found = if *finds { vec![square.clone()] } else { Vec::new() };
        geo.next("photon", Next::Says(*status, json!({"features": found}).to_string()));
    }
    let places = PlacesConfig {
        timeout_s: 8,
        ..geo.photon()
    };
    let setup = Setup {
        places: Some(places),
        ..Setup::default()
    };
    (TestBot::with(setup).await, geo)
}

/// What the geo service was asked for.
fn asked(geo: &FakeGeo) -> Vec<String> {
    let asked = geo.asked().into_iter();
    asked.map(|asked| asked.query["q"].clone()).collect()
}

#[tokio::test]
async fn a_typed_place_is_looked_up_and_kept() {
    let (mut bot, geo) = bot(&[(200, false), (200, true)]).await;
    bot.says("where am i").await;
    let unknown = bot.says("Xanadu").await;
    assert!(unknown.starts_with("I can't find that place."), "{unknown}");
    let taken = bot.says("Piazza del Duomo, Milano").await;
    assert!(
        taken.starts_with("All right, I take it that you are here: Piazza del Duomo"),
        "{taken}"
    );
    let answer = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(
        answer.starts_with("You told me you are here: Piazza del Duomo"),
        "{answer}"
    );
    assert_eq!(
        rows(&bot, "SELECT source || ' ' || longitude FROM locations"),
        ["typed 9.1911"]
    );
    assert_eq!(asked(&geo), ["Xanadu", "Piazza del Duomo, Milano"]);
}

#[tokio::test]
async fn a_geo_service_that_is_down_leaves_the_question_open() {
    let (mut bot, geo) = bot(&[(500, false)]).await;
    bot.says("where am i").await;
    let down = bot.says("Atlantis").await;
    assert!(down.contains("write it as two numbers"), "{down}");
    assert_eq!(asked(&geo), ["Atlantis"]);
    let thanks = bot.says("45.4642, 9.19").await;
    assert_eq!(thanks, "Thanks, now I know where you are.");
}
