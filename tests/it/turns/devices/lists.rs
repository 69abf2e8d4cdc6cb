//! To-do lists of Home Assistant and what its cameras see, as conversations over a Home Assistant at the wire: read,
//! written, ticked, taken back; whose list is meant where the household keeps one as a file; what is shown to whom.

use metnos::domain::{attachment::Attachment, ids::ChannelKind, lang::Lang};
use serde_json::json;

use super::{AT, PHONE, answers, bot_at, clock, connect, connected, pair};
use crate::support::homeassistant::{FakeHome, Row};

/// A picture, as far as anybody looks at it.
const PICTURE: &[u8] = b"\xff\xd8\xff\xe0 a picture \xff\xd9";

fn rows() -> Vec<Row> {
    let can = || json!({"supported_features": 7});
    vec![
        ("light.kitchen", "Kitchen Light", "kitchen", "off", json!({})),
        ("todo.shop", "Shopping List|Lista della spesa", "kitchen", "0", can()),
        ("todo.trip", "Trip List", "", "0", can()),
        ("todo.camp_1", "Camping List", "kitchen", "0", can()),
        ("todo.camp_2", "Camping List", "bedroom", "0", can()),
        ("camera.door", "Front Door Camera", "hall", "idle", json!({})),
        ("camera.garden", "Telecamera giardino", "garden", "idle", json!({})),
        ("camera.broken", "Attic Camera", "bedroom", "unavailable", json!({})),
        ("lock.front", "Front Door", "hall", "locked", json!({})),
    ]
}

#[tokio::test]
async fn a_list_is_read_written_and_taken_back() {
    let fake = FakeHome::of(rows()).await;
    let mut bot = connected(&fake, Lang::EN).await;
    answers(
        &mut bot,
        &[
            ("what's on the shopping list?", "Shopping List · Kitchen is empty."),
            ("add milk and bread to the shopping list", "now: milk, bread"),
            ("put milk on the shopping list", "already: milk"),
            ("what's on the shopping list?", "• milk\n• bread"),
            (
                "tick milk off the shopping list",
                "Ticked on Shopping List · Kitchen: milk",
            ),
            ("tick milk off the shopping list", "already: milk"),
        ],
    )
    .await;
    assert_eq!(fake.items("todo.shop"), ["milk ✓", "bread"]);
    // What was there already was not done by the second tick, and the first one is taken back.
    answers(&mut bot, &[("undo", "milk")]).await;
    assert_eq!(fake.items("todo.shop"), ["milk", "bread"]);
    answers(
        &mut bot,
        &[("remove bread from the shopping list", "Taken off"), ("undo", "bread")],
    )
    .await;
    assert!(
        fake.items("todo.shop").contains(&"bread".to_owned()),
        "{:?}",
        fake.items("todo.shop")
    );
    answers(
        &mut bot,
        &[("add eggs to the shopping list", "now: eggs"), ("undo", "eggs")],
    )
    .await;
    assert!(!fake.items("todo.shop").contains(&"eggs".to_owned()));
    let calls = fake.calls();
    assert!(calls.iter().all(|call| call.starts_with("todo.")), "{calls:?}");
}

#[tokio::test]
async fn the_same_in_italian_with_what_is_not_there() {
    let fake = FakeHome::of(rows()).await;
    fake.lists("todo.shop", &["latte intero", "pane"]);
    let mut bot = connected(&fake, Lang::IT).await;
    answers(
        &mut bot,
        &[
            ("cosa c'è sulla lista della spesa?", "• latte intero\n• pane"),
            (
                "aggiungi le uova alla lista della spesa",
                "Ora su Shopping List · Kitchen: uova",
            ),
            (
                "togli il pane dalla lista della spesa",
                "Tolto da Shopping List · Kitchen: pane",
            ),
            // No part of a name counts.
            (
                "togli il latte dalla lista della spesa",
                "Non è su Shopping List · Kitchen: latte",
            ),
            (
                "cosa c'è sulla lista feste di home assistant?",
                "Nessuna lista di Home Assistant si chiama",
            ),
        ],
    )
    .await;
    assert_eq!(fake.items("todo.shop"), ["latte intero", "uova"]);
}

#[tokio::test]
async fn a_list_that_does_not_change_is_not_said_to() {
    let fake = FakeHome::of(rows()).await;
    let mut bot = connected(&fake, Lang::EN).await;
    fake.sticks("todo.shop");
    answers(
        &mut bot,
        &[("add milk to the shopping list", "The list does not show it yet: milk")],
    )
    .await;
}

#[tokio::test]
async fn a_list_kept_as_a_file_goes_first_unless_the_house_is_named() {
    let fake = FakeHome::of(rows()).await;
    fake.lists("todo.shop", &["soap"]);
    let mut bot = connected(&fake, Lang::EN).await;
    bot.file("notes/shopping.txt", "apples\n");
    let said = bot.says("what's on the shopping list?").await;
    assert!(said.contains("apples") && !said.contains("soap"), "{said}");
    bot.says("add milk to the shopping list").await;
    assert_eq!(fake.items("todo.shop"), ["soap"]);
    answers(
        &mut bot,
        &[
            ("what's on the shopping list of home assistant?", "• soap"),
            ("add tea to the shopping list of home assistant", "now: tea"),
        ],
    )
    .await;
    assert_eq!(fake.items("todo.shop"), ["soap", "tea"]);
    let file = std::fs::read_to_string(bot.home().join("notes/shopping.txt")).unwrap();
    assert!(file.contains("apples") && !file.contains("tea"), "{file}");
}

#[tokio::test]
async fn two_lists_of_one_name_are_a_question() {
    let fake = FakeHome::of(rows()).await;
    fake.lists("todo.camp_1", &["tent"]);
    fake.lists("todo.camp_2", &["lamp"]);
    let mut bot = connected(&fake, Lang::EN).await;
    let said = bot.says("what's on the camping list?").await;
    assert!(said.contains("Kitchen") && said.contains("Bedroom"), "{said}");
    let said = bot.says("Camping List · Bedroom").await;
    assert!(said.contains("lamp") && !said.contains("tent"), "{said}");
    bot.says("/me area kitchen").await;
    let said = bot.says("what's on the camping list?").await;
    assert!(said.contains("tent") && !said.contains("lamp"), "{said}");
}

#[tokio::test]
async fn guests_see_the_lists_and_cameras_of_no_other_room() {
    let fake = FakeHome::of(rows()).await;
    fake.lists("todo.shop", &["soap"]);
    fake.sees(PICTURE);
    let mut bot = connected(&fake, Lang::EN).await;
    pair(&mut bot, PHONE).await;
    pair(&mut bot, "anna").await;
    for asked in [
        "what's on the shopping list of home assistant?",
        "add tea to the shopping list of home assistant",
        "show me the front door camera",
    ] {
        let said = bot.telegram("anna", asked).await;
        assert!(!said.contains("soap") && !said.contains("now:"), "{asked}: {said}");
    }
    assert_eq!(fake.items("todo.shop"), ["soap"]);
    assert_eq!(fake.looks(), [""; 0]);
    assert_eq!(fake.calls(), [""; 0]);
}

#[tokio::test]
async fn what_a_camera_sees_comes_as_a_picture() {
    let fake = FakeHome::of(rows()).await;
    fake.sees(PICTURE);
    for (lang, asked, path) in [
        (
            Lang::EN,
            "show me the front door camera",
            "/api/camera_proxy/camera.door",
        ),
        (
            Lang::EN,
            "send me a picture from the front door camera",
            "/api/camera_proxy/camera.door",
        ),
        (
            Lang::IT,
            "fammi vedere la telecamera del giardino",
            "/api/camera_proxy/camera.garden",
        ),
    ] {
        let mut bot = connected(&fake, lang).await;
        bot.says_silently(asked).await;
        let reply = bot.hears(ChannelKind::Terminal).await;
        let [Attachment::File { path: picture, .. }] = reply.attachments.as_slice() else {
            panic!("{asked}: {}", reply.plain());
        };
        assert_eq!(std::fs::read(picture).unwrap(), PICTURE, "{asked}");
        assert!(
            picture.starts_with(bot.home().join("inbox").to_str().unwrap()),
            "{picture}"
        );
        assert_eq!(fake.looks(), [path], "{asked}");
        let log = std::fs::read(bot.data_dir().join("metnos.sqlite")).unwrap();
        assert!(!String::from_utf8_lossy(&log).contains("Bearer"));
    }
}

#[tokio::test]
async fn a_camera_that_shows_nothing_says_so() {
    let fake = FakeHome::of(rows()).await;
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    connect(&mut bot, &fake, Lang::EN).await;
    fake.sees(b"<html>no picture</html>");
    answers(
        &mut bot,
        &[
            (
                "show me the front door camera",
                "Front Door Camera · Hall gives no picture just now.",
            ),
            ("show me the attic camera", "Attic Camera · Bedroom does not answer."),
        ],
    )
    .await;
    assert!(!bot.home().join("inbox").exists());
    fake.sees(b"");
    answers(
        &mut bot,
        &[("show me the front door camera", "gives no picture just now.")],
    )
    .await;
    // One is asked about, where none is named.
    let said = bot.says("show me the camera").await;
    assert!(
        said.contains("Front Door Camera") && said.contains("Telecamera giardino"),
        "{said}"
    );
}
