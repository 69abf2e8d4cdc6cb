//! Places come as points on the map, beside the words.

use serde_json::json;

use super::{CHAT, asks, count, paired};
use crate::support::{
    geo::FakeGeo,
    process::Home,
    telegram::{FakeTelegram, TOKEN},
};

#[tokio::test]
async fn a_place_comes_as_a_venue_before_the_words() {
    let (telegram, home, geo) = (FakeTelegram::start().await, Home::new(), FakeGeo::start().await);
    paired(&telegram, &home).await.terminate().await;
    home.configure(&format!(
        "[telegram]\napi_url = \"{}\"\npoll_s = 2\n[places]\nphoton_url = \"{}/photon\"\n",
        telegram.url, geo.url
    ));
    let service = home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)]);
    let words = asks(&telegram, "find restaurants near Piazza Navona", "Da Tonino").await;
    assert_eq!(words.buttons.len(), 3, "the words stay at the end, with the buttons");
    let calls = telegram.calls("sendVenue");
    let [call] = calls.as_slice() else { panic!("{calls:#?}") };
    let sent = ["chat_id", "latitude", "longitude", "title", "address"].map(|name| call.body[name].clone());
    let expected = [
        json!(CHAT),
        json!(41.899),
        json!(12.472),
        json!("Da Tonino"),
        json!("Via Torino 7, 20123 Milano, Italia"),
    ];
    assert_eq!(sent, expected);
    assert_eq!(
        count(&telegram, "Da Tonino"),
        1,
        "the venue is no second answer in words"
    );
    let shown = telegram.messages(CHAT);
    let venue = shown.iter().position(|shown| !shown.media.is_empty());
    let answer = shown.iter().position(|shown| shown.id == words.id);
    assert!(venue < answer, "{shown:#?}");
    service.terminate().await;
}
