//! Turns that wait for a place or for answers: every way to answer, every way not to, and that they go on once.

use std::time::Duration;

use metnos::domain::{
    ids::ChannelKind,
    lang::Lang,
    location::{LocationSource, SharedLocation, Sharing},
    place::Point,
    reply::{Button, ButtonKind, Expects},
};
use serde_json::{Value, json};

use super::{bot_at, change, clock, italian_bot, pair, remember, rows, tap};
use crate::support::{
    bot::{Setup, TestBot, text_of},
    geo::FakeGeo,
};

/// The host's phone.
const PHONE: &str = "host-phone";
const AT: &str = "2026-05-04T10:00:00Z";

fn here(sharing: Sharing) -> SharedLocation {
    SharedLocation {
        point: Point::new(45.4642, 9.19).unwrap(),
        accuracy_m: Some(12),
        captured_ms: AT.parse::<jiff::Timestamp>().unwrap().as_millisecond(),
        sharing,
        source: LocationSource::Device,
        label: None,
    }
}

async fn bot() -> TestBot {
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    pair(&mut bot, PHONE).await;
    bot
}

fn states(bot: &TestBot) -> Vec<String> {
    rows(bot, "SELECT kind || ' ' || state FROM dialogs ORDER BY rowid")
}

#[tokio::test]
async fn a_shared_location_answers_after_a_restart_and_is_known_from_then_on() {
    let mut bot = bot().await;
    let question = bot.telegram(PHONE, "where am i").await;
    assert!(question.starts_with("Where are you?"), "{question}");
    bot.restart().await;
    bot.shares(PHONE, here(Sharing::Once)).await;
    let thanks = bot.hears(ChannelKind::Telegram).await;
    assert_eq!(thanks.plain(), "Thanks, now I know where you are.");
    assert_eq!(thanks.expects, Expects::LocationDone);
    let answer = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(
        answer.starts_with("You are here: 45.46420, 9.19000 (just now, give or take 12 m)."),
        "{answer}"
    );
    assert_eq!(states(&bot), ["location done"]);
    let again = bot.telegram(PHONE, "dove sono?").await;
    assert!(again.starts_with("You are here"), "{again}");
}

#[tokio::test]
async fn the_question_has_a_button_where_there_are_some_and_words_elsewhere() {
    let mut bot = bot().await;
    bot.telegram_silently(PHONE, "where am i").await;
    let asked = bot.hears(ChannelKind::Telegram).await;
    assert!(matches!(asked.expects, Expects::Location { .. }), "{asked:?}");
    let asked = bot.says("where am i").await;
    insta::assert_snapshot!(asked, @"
    Where are you? Write an address or a city, or “cancel”.
    This question is open for 5 minutes.
    ");
    let answer = bot.says("45.4642, 9.19").await;
    assert_eq!(answer, "Thanks, now I know where you are.");
    let answer = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(
        answer.starts_with("You told me you are here: 45.46420, 9.19000 (just now)."),
        "{answer}"
    );
}

#[tokio::test]
async fn a_location_is_asked_for_in_italian() {
    let mut bot = italian_bot().await;
    bot.says("dove sono").await;
    bot.says("45.4642, 9.19").await;
    bot.hears(ChannelKind::Terminal).await;
    insta::assert_snapshot!(bot.transcript(), @"
    > dove sono
    < Dove sei? Scrivi un indirizzo o una città, oppure “annulla”.
    < La domanda resta aperta 5 minuti.
      [] pattern, 0 model calls
    > 45.4642, 9.19
    < Grazie, ora so dove sei.
      [] runtime
    < Mi hai detto che sei qui: 45.46420, 9.19000 (adesso).
    < https://www.openstreetmap.org/?mlat=45.46420&mlon=9.19000#map=17/45.46420/9.19000
      [✓ ✗ ↺] pattern, 0 model calls
    ");
}

#[tokio::test]
async fn a_live_location_answers_and_its_later_points_are_silent() {
    let mut bot = bot().await;
    bot.telegram(PHONE, "where am i").await;
    bot.shares(PHONE, here(Sharing::LiveGoesOn)).await;
    bot.hears(ChannelKind::Telegram).await;
    let answer = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(answer.starts_with("You are here"), "{answer}");
    let moved = SharedLocation {
        point: Point::new(45.5, 9.2).unwrap(),
        ..here(Sharing::LiveGoesOn)
    };
    bot.shares(PHONE, moved).await;
    let answer = bot.telegram(PHONE, "where am i").await;
    assert!(answer.starts_with("You are here: 45.50000, 9.20000"), "{answer}");
}

#[tokio::test]
async fn a_location_nobody_asked_for_is_good_to_know() {
    let mut bot = bot().await;
    bot.shares(PHONE, here(Sharing::Once)).await;
    let noted = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(noted.starts_with("Thanks, now I know where you are. Ask me"), "{noted}");
    let answer = bot.says("where am i").await;
    assert!(answer.starts_with("You are here"), "{answer}");
}

#[tokio::test]
async fn an_old_location_is_asked_for_anew_and_home_stands_in_for_the_owner_alone() {
    let clock = clock(AT);
    let mut bot = bot_at(&clock, Lang::EN).await;
    pair(&mut bot, PHONE).await;
    pair(&mut bot, "anna").await;
    bot.shares(PHONE, here(Sharing::Once)).await;
    bot.hears(ChannelKind::Telegram).await;
    clock.advance(Duration::from_secs(3 * 3_600));
    let answer = bot.says("where am i").await;
    assert!(answer.contains("(3 h ago, give or take 12 m)"), "{answer}");
    clock.advance(Duration::from_secs(22 * 3_600));
    let asked = bot.says("where am i").await;
    assert!(asked.starts_with("Where are you?"), "{asked}");
    bot.file(".config/metnos/config.toml", "[location]\nhome = \"45.1, 9.1\"\n");
    bot.restart().await;
    let answer = bot.says("where am i").await;
    assert!(answer.starts_with("I put my question aside"), "{answer}");
    let answer = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(
        answer.starts_with("You are at home, as far as I know: 45.10000, 9.10000."),
        "{answer}"
    );
    let guest = bot.telegram("anna", "where am i").await;
    assert!(guest.starts_with("Where are you?"), "nobody else's home: {guest}");
}

#[tokio::test]
async fn a_location_question_is_cancelled_set_aside_or_expires() {
    let clock = clock(AT);
    let mut bot = bot_at(&clock, Lang::EN).await;
    pair(&mut bot, PHONE).await;
    for no in ["✖ Cancel", "no thanks", "annulla"] {
        bot.telegram(PHONE, "where am i").await;
        bot.telegram_silently(PHONE, no).await;
        let said = bot.hears(ChannelKind::Telegram).await;
        assert_eq!(said.plain(), "All right, I dropped it. Nothing was done.", "{no}");
        assert_eq!(said.expects, Expects::LocationDone);
    }
    bot.telegram(PHONE, "where am i").await;
    let aside = bot.telegram(PHONE, "what time is it").await;
    assert!(aside.starts_with("I put my question aside for this."), "{aside}");
    let time = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(time.starts_with("It's "), "{time}");

    bot.telegram(PHONE, "where am i").await;
    clock.advance(Duration::from_secs(301));
    bot.restart().await;
    let said = bot.hears(ChannelKind::Telegram).await;
    assert!(said.plain().starts_with("I waited for your answer"), "{}", said.plain());
    assert_eq!(said.expects, Expects::LocationDone);
    // Late, and still good to know.
    bot.shares(PHONE, here(Sharing::Once)).await;
    let noted = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(noted.starts_with("Thanks, now I know where you are. Ask me"), "{noted}");
}

#[tokio::test]
async fn a_command_leaves_the_question_open() {
    let mut bot = bot().await;
    bot.says("where am i").await;
    let help = bot.says("/help").await;
    assert!(help.starts_with("Just write"), "{help}");
    let answer = bot.says("45.4642, 9.19").await;
    assert_eq!(answer, "Thanks, now I know where you are.");
}

#[tokio::test]
async fn nobody_answers_or_knows_where_somebody_else_is() {
    let mut bot = bot().await;
    pair(&mut bot, "anna").await;
    bot.telegram(PHONE, "where am i").await;
    bot.shares("anna", here(Sharing::Once)).await;
    bot.hears(ChannelKind::Telegram).await;
    assert_eq!(states(&bot), ["location waiting"]);
    bot.shares("stranger", here(Sharing::LiveGoesOn)).await;
    assert_eq!(rows(&bot, "SELECT actor FROM locations").len(), 1);
    let host = bot.says("where am i").await;
    assert!(host.starts_with("Where are you?"), "{host}");
}

// Questions with answers in words.

const REQUEST: &str = "write my answer to ~/answer.txt";

fn plan(fields: &Value, content: &str) -> Value {
    json!({"steps": [
        {"tool": "get_inputs", "args": {"fields": fields}},
        {"tool": "write_files", "args": {"path": "~/answer.txt", "content": content}}
    ]})
}

/// A bot that asks these questions and writes the answer down.
async fn asking(fields: &Value, content: &str) -> TestBot {
    let bot = bot().await;
    remember(&bot, REQUEST, &plan(fields, content));
    bot
}

fn written(bot: &TestBot) -> String {
    text_of(&bot.home().join("answer.txt"))
}

fn wine() -> Value {
    json!([{"var": "wine", "kind": "choice", "prompt": "Which wine?", "options": ["red", "white", "rosé"]}])
}

#[tokio::test]
async fn a_choice_is_numbered_in_the_terminal_and_answered_once() {
    let mut bot = asking(&wine(), "${step1.values.wine}").await;
    bot.says(REQUEST).await;
    bot.says("the blue one").await;
    bot.restart().await;
    bot.says("2").await;
    assert_eq!(written(&bot), "white");
    insta::assert_snapshot!(bot.transcript().split_once("> write").unwrap().1, @"
     my answer to ~/answer.txt
    < Which wine?
    < • 1 · red
    < • 2 · white
    < • 3 · rosé
    < Write one of them or its number, or “cancel”.
      [] fastpath, 0 model calls
    > the blue one
    < Write one of them or its number, or “cancel”.
      [] runtime
    > 2
    < answer.txt is now in ~ (5 bytes).
      [✓ ✗ ↺] fastpath, 0 model calls
    ");
    assert_eq!(states(&bot), ["form done"]);
}

#[tokio::test]
async fn an_unusable_answer_is_asked_again_a_few_times_only() {
    let mut bot = asking(&wine(), "${step1.values.wine}").await;
    bot.says(REQUEST).await;
    bot.says("green").await;
    bot.says("purple").await;
    let given_up = bot.says("blue").await;
    assert!(
        given_up.starts_with("I still don't understand the answer"),
        "{given_up}"
    );
    assert_eq!(states(&bot), ["form refused"]);
    assert!(!bot.has("answer.txt"));
}

#[tokio::test]
async fn a_new_request_sets_the_question_aside_and_says_so() {
    let mut bot = asking(&wine(), "${step1.values.wine}").await;
    bot.says(REQUEST).await;
    let aside = bot.says("what time is it").await;
    assert!(aside.starts_with("I put my question aside for this."), "{aside}");
    let time = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(time.starts_with("It's "), "{time}");
    bot.says("2").await;
    assert!(!bot.has("answer.txt"), "nothing is answered any more");
}

#[tokio::test]
async fn buttons_answer_in_order_and_old_ones_come_too_late() {
    let fields = json!([
        {"var": "wine", "kind": "choice", "prompt": "Which wine?", "options": ["red", "white"]},
        {"var": "sure", "kind": "yes_no", "prompt": "Sure?"},
        {"var": "with", "kind": "multi_choice", "prompt": "With what?", "options": ["bread", "cheese", "olives"]}
    ]);
    let mut bot = asking(
        &fields,
        "${step1.values.wine} ${step1.values.sure} ${step1.values.with}",
    )
    .await;
    bot.telegram(PHONE, REQUEST).await;
    let first = bot.buttons().to_vec();
    let choose = |field, option| ButtonKind::Choose { field, option };
    assert_eq!(
        first.iter().map(|button| button.label.as_str()).collect::<Vec<_>>(),
        ["red", "white", "✖ Cancel"]
    );
    assert_eq!(bot.telegram_taps(PHONE, find(&first, choose(0, 1))).await, "Noted.");
    assert_eq!(bot.hears(ChannelKind::Telegram).await.plain(), "Sure?");
    let second = bot.buttons().to_vec();
    // The buttons of the first question, and the second one twice.
    assert_eq!(
        bot.telegram_taps(PHONE, find(&first, choose(0, 0))).await,
        "That was answered before."
    );
    assert_eq!(bot.telegram_taps(PHONE, find(&second, choose(1, 0))).await, "Noted.");
    assert_eq!(
        bot.telegram_taps(PHONE, find(&second, choose(1, 1))).await,
        "That was answered before."
    );
    bot.hears(ChannelKind::Telegram).await;
    let third = bot.buttons().to_vec();
    let done = find(&third, ButtonKind::Done { field: 2 });
    assert_eq!(
        bot.telegram_taps(PHONE, done).await,
        "Mark at least one first, or cancel."
    );
    for option in [2, 0, 1, 1] {
        assert_eq!(bot.telegram_taps(PHONE, find(&third, choose(2, option))).await, "");
    }
    bot.restart().await;
    assert_eq!(bot.telegram_taps(PHONE, done).await, "Noted.");
    bot.hears(ChannelKind::Telegram).await;
    assert_eq!(bot.telegram_taps(PHONE, done).await, "That was answered before.");
    let text = written(&bot);
    assert!(
        text.starts_with("white") && text.contains("bread") && text.contains("olives") && !text.contains("cheese"),
        "{text}"
    );
    assert_eq!(rows(&bot, "SELECT tool FROM effects").len(), 1);
}

fn find(buttons: &[Button], kind: ButtonKind) -> &Button {
    buttons.iter().find(|button| button.kind == kind).unwrap()
}

#[tokio::test]
async fn a_question_can_be_cancelled_by_its_button_and_by_nobody_else() {
    let mut bot = asking(&wine(), "${step1.values.wine}").await;
    pair(&mut bot, "anna").await;
    bot.telegram(PHONE, REQUEST).await;
    let buttons = bot.buttons().to_vec();
    let cancel = find(&buttons, ButtonKind::Cancel { field: 0 });
    assert_eq!(
        bot.telegram_taps("anna", cancel).await,
        "Only the person who asked can use these buttons."
    );
    assert_eq!(bot.telegram_taps(PHONE, cancel).await, "");
    let said = bot.hears(ChannelKind::Telegram).await.plain();
    assert_eq!(said, "All right, I dropped it. Nothing was done.");
    assert_eq!(
        bot.telegram_taps(PHONE, cancel).await,
        "That question is closed. Nothing was done."
    );
}

#[tokio::test]
async fn numbers_days_and_words_are_read_as_what_they_are() {
    let fields = json!([
        {"var": "count", "kind": "number"}, {"var": "day", "kind": "date"}, {"var": "note", "kind": "text"}
    ]);
    let mut bot = asking(
        &fields,
        "${step1.values.count} ${step1.values.day} ${step1.values.note}",
    )
    .await;
    bot.says(REQUEST).await;
    for answer in ["lots", "3,5", "tomorrow", "no, delete it all"] {
        bot.says(answer).await;
    }
    assert_eq!(written(&bot), "3.5 2026-05-05 no, delete it all");
}

#[tokio::test]
async fn a_place_in_a_form_is_shared_or_typed() {
    let fields = json!([{"var": "place", "kind": "location", "prompt": "From where?"}]);
    let mut bot = asking(&fields, "${step1.values.place.latitude}").await;
    bot.telegram(PHONE, REQUEST).await;
    bot.shares(PHONE, here(Sharing::Once)).await;
    let thanks = bot.hears(ChannelKind::Telegram).await;
    assert_eq!(thanks.expects, Expects::LocationDone);
    bot.hears(ChannelKind::Telegram).await;
    assert_eq!(written(&bot), "45.4642");
}

#[tokio::test]
async fn a_secret_is_sealed_and_only_its_name_goes_on() {
    let fields = json!([{"var": "code", "kind": "secret", "prompt": "What is the code?"}]);
    let mut bot = asking(&fields, "${step1.values.code}").await;
    bot.says(REQUEST).await;
    let asked = bot.transcript();
    assert!(asked.contains("I seal it at once"), "{asked}");
    bot.says("xyzzy-plugh").await;
    assert!(written(&bot).starts_with("secret:"), "{}", written(&bot));
    let sealed = rows(
        &bot,
        "SELECT sealed FROM secrets WHERE actor = 'host' AND name = 'code'",
    );
    assert!(sealed.len() == 1 && sealed[0].starts_with("sealed:"), "{sealed:?}");
    bot.stop().await;
    let everything = every_file(&bot);
    assert!(!everything.contains("xyzzy-plugh"), "it lies somewhere");
}

/// Everything below the data folder, the database and its journal included.
fn every_file(bot: &TestBot) -> String {
    let mut all = String::new();
    let mut folders = vec![bot.data_dir()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                match std::fs::read(&path) {
                    Ok(bytes) => all.push_str(&String::from_utf8_lossy(&bytes)),
                    // SQLite takes its journal away with the last connection, which may be just now.
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    Err(error) => panic!("{}: {error}", path.display()),
                }
            }
        }
    }
    all
}

#[tokio::test]
async fn a_form_that_was_not_answered_in_time_does_nothing() {
    let clock = clock(AT);
    let mut bot = bot_at(&clock, Lang::EN).await;
    remember(&bot, REQUEST, &plan(&wine(), "${step1.values.wine}"));
    bot.says(REQUEST).await;
    clock.advance(Duration::from_secs(601));
    bot.restart().await;
    let said = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(said.starts_with("I waited for your answer"), "{said}");
    assert!(!bot.has("answer.txt"));
    assert!(rows(&bot, "SELECT request FROM dialogs WHERE request <> ''").is_empty());
}

#[tokio::test]
async fn what_the_plan_lacks_is_asked_for_and_then_done() {
    let mut bot = bot().await;
    bot.file("old.txt", "old");
    bot.says("delete the file").await;
    bot.says("old.txt").await;
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await;
    assert!(!bot.has("old.txt"));
    insta::assert_snapshot!(bot.transcript().split_once("> delete").unwrap().1, @"
     the file
    < Which file do you mean?
    < Write the answer, or “cancel”.
      [] simple, 0 model calls
    > old.txt
    < May I delete this?
    < • ~/old.txt
    < “undo” can bring it back. Risk: high. This question is open for 10 minutes.
      [✅ Approve ✖ Reject] simple, 0 model calls
    * Approve: Approved: I'm on it.
    < I deleted old.txt. Say “undo” and it comes back.
      [✓ ✗ ↺] simple, 0 model calls
    ");
    bot.file("other.txt", "other");
    bot.says("delete the file").await;
    assert!(bot.has("other.txt"), "the next time it asks again");
    let moved = bot.says("move ~/other.txt").await;
    assert!(moved.starts_with("I put my question aside"), "{moved}");
    let asked = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(asked.starts_with("Where should it go?"), "{asked}");
    bot.says("~/attic").await;
    assert!(bot.has("attic/other.txt"));
}

#[tokio::test]
async fn a_folder_is_named_in_words_and_what_only_adds_is_asked_again() {
    let mut bot = bot().await;
    bot.file("other.txt", "other");
    bot.file("more.txt", "more");
    bot.says("move ~/other.txt").await;
    let again = bot.says("and more.txt").await;
    assert!(bot.has("other.txt") && bot.has("more.txt"), "{again}");
    bot.says("to the attic folder").await;
    assert!(bot.has("attic/other.txt"), "{}", bot.transcript());
}

#[tokio::test]
async fn what_is_moved_keeps_its_name_whatever_the_answer_calls_it() {
    for (answer, lang, hint) in [
        ("attic/new.txt", Lang::EN, "It goes into a folder and keeps its name."),
        ("to attic as new", Lang::EN, "It goes into a folder and keeps its name."),
        (
            "in attic con nome nuovo",
            Lang::IT,
            "Va in una cartella e tiene il suo nome.",
        ),
    ] {
        let mut bot = bot_at(&clock(AT), lang).await;
        bot.file("other.txt", "other");
        let moves = if lang == Lang::IT { "sposta" } else { "move" };
        bot.says(&format!("{moves} ~/other.txt")).await;
        let again = bot.says(answer).await;
        assert!(again.starts_with(hint) && bot.has("other.txt"), "{again}");
        bot.says("attic").await;
        assert!(bot.has("attic/other.txt"), "{}", bot.transcript());
    }
}

#[tokio::test]
async fn a_text_whose_place_is_asked_for_replaces_nothing() {
    let mut bot = bot().await;
    let list = bot.file("notes/shopping.txt", "milk\n");
    let asked = bot.says("write a note: shopping").await;
    assert!(asked.starts_with("Where should it go?"), "{asked}");
    bot.says("~/notes/shopping.txt").await;
    assert_eq!(text_of(&list), "milk\nshopping\n", "{}", bot.transcript());
}

#[tokio::test]
async fn two_answers_at_once_count_once() {
    let mut bot = asking(&wine(), "${step1.values.wine}").await;
    bot.telegram(PHONE, REQUEST).await;
    let buttons = bot.buttons().to_vec();
    bot.telegram_silently(PHONE, "red").await;
    let toast = bot
        .telegram_taps(PHONE, find(&buttons, ButtonKind::Choose { field: 0, option: 1 }))
        .await;
    bot.hears(ChannelKind::Telegram).await;
    if toast == "That was answered before." {
        assert_eq!(written(&bot), "red");
    } else {
        let late = bot.hears(ChannelKind::Telegram).await.plain();
        assert!(written(&bot) == "white", "{late}");
    }
    assert_eq!(rows(&bot, "SELECT tool FROM effects").len(), 1);
}

#[tokio::test]
async fn a_question_from_before_the_tool_was_gone_ends_honestly() {
    let mut bot = asking(&wine(), "${step1.values.wine}").await;
    bot.says(REQUEST).await;
    change(
        &bot,
        "UPDATE dialogs SET payload = '{\"plan\":null,\"done\":[],\"tool\":\"\"}'",
    );
    let buttons: Vec<Button> = Vec::new();
    assert!(buttons.is_empty());
    let answer = bot.says("2").await;
    assert!(!bot.has("answer.txt"), "{answer}");
}

#[tokio::test]
async fn a_forged_tap_changes_nothing() {
    let bot = bot().await;
    let forged = Button {
        kind: ButtonKind::Choose { field: 0, option: 0 },
        label: "red".to_owned(),
        token: "made-up".into(),
        chosen: false,
    };
    assert_eq!(tap(&bot, &forged).await, "I don't have that answer any more.");
}

/// What says what to do, asks, or holds a secret is no address: it goes to no geo service and is answered by itself.
#[tokio::test]
async fn only_what_may_be_a_place_is_looked_up() {
    for text in [
        "my pin is 4411, remember it",
        "delete everything",
        "quanti giorni mancano a Natale",
        "is it going to rain?",
    ] {
        let geo = FakeGeo::start().await;
        let places = Some(geo.photon());
        let mut bot = TestBot::with(Setup {
            places,
            ..Setup::default()
        })
        .await;
        bot.says("where am i").await;
        let said = bot.says(text).await;
        assert!(said.starts_with("I put my question aside"), "{text}: {said}");
        bot.hears(ChannelKind::Terminal).await;
        assert!(geo.asked().is_empty(), "{text}");
    }
}
