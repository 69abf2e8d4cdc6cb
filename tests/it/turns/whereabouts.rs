//! A typed place answers where somebody is, with a geo service that knows it, one that does not, and one that is down.

use axum::{Router, extract::Query, http::StatusCode, response::IntoResponse, routing::get};
use metnos::{config::PlacesConfig, domain::ids::ChannelKind};
use serde_json::json;

use super::rows;
use crate::support::bot::{Setup, TestBot};

/// A bot with a geo service that knows one square, and breaks when it is asked for Atlantis.
async fn bot() -> TestBot {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = Router::new().route("/api", get(answer));
    tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
    let places = PlacesConfig {
        photon_url: Some(format!("http://{address}")),
        timeout_s: 8,
        ..PlacesConfig::default()
    };
    TestBot::with(Setup {
        places: Some(places),
        ..Setup::default()
    })
    .await
}

async fn answer(Query(query): Query<Vec<(String, String)>>) -> axum::response::Response {
    let asked = query.into_iter().find(|(name, _)| name == "q").unwrap().1;
    let square = json!({
        "geometry": {"coordinates": [9.1911, 45.4641]},
        "properties": {"osm_type": "W", "osm_id": 1, "osm_value": "square", "name": "Piazza del Duomo", "city": "Milano"}
    });
    match asked.as_str() {
        "Piazza del Duomo, Milano" => json!({"features": [square]}).to_string().into_response(),
        "Atlantis" => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        _ => json!({"features": []}).to_string().into_response(),
    }
}

#[tokio::test]
async fn a_typed_place_is_looked_up_and_kept() {
    let mut bot = bot().await;
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
}

#[tokio::test]
async fn a_geo_service_that_is_down_leaves_the_question_open() {
    let mut bot = bot().await;
    bot.says("where am i").await;
    let down = bot.says("Atlantis").await;
    assert!(down.contains("write it as two numbers"), "{down}");
    let thanks = bot.says("45.4642, 9.19").await;
    assert_eq!(thanks, "Thanks, now I know where you are.");
}
