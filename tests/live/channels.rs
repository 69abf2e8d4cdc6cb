//! Two channels and a terminal, one truth: the same conversation is held in a terminal, over a Bot API server and in an
//! encrypted room, each with a household of its own that is otherwise the same. The answers, the turns and what was
//! learned are the same; only how they are shown differs. And what one channel taught, another answers from memory.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    fs::File,
    time::{Duration, Instant, SystemTime},
};

use metnos::app::DATABASE;
use regex::Regex;
use serde_json::{Value, json};

use super::{
    geo::FakeGeo,
    matrix::{Bed, Chat},
    process::{Home, Service, pairing_code},
    servers::telegram_url,
    site::{ARTICLE_SENTENCE, Site, UUID},
    telegram::{Phone, TOKEN},
    turn_log::turn_log,
};

/// What a person does, with `SITE` for the address of the web site, and the words of the answer that ends the wait for
/// it.
enum Act {
    Says(&'static str, &'static str),
    Approves(&'static str),
    Refuses(&'static str),
    Retries(&'static str),
    /// Says that the answer was wrong.
    Rejects,
    /// Shows where they are.
    IsHere(&'static str),
    /// Sends the picture with these words.
    Shows(&'static str, &'static str),
}

use Act::{Approves, IsHere, Refuses, Rejects, Retries, Says, Shows};

const FIND: &str = "find the pdf files in ~/docs modified in January 2026";

const CONVERSATION: &[Act] = &[
    Says("what time is it", "It's"),
    Says("che giorno è oggi", "Today is"),
    Says("fetch SITE/uuid and tell me only the uuid", UUID),
    Says(
        "save the page SITE/article to ~/notes/article.md and tell me how many bytes you wrote",
        "bytes",
    ),
    Says("which process uses the most memory", "%"),
    Rejects,
    Says("list the files in ~/docs", "letter.txt"),
    Says(FIND, "taxes.pdf"),
    Says(FIND, "taxes.pdf"),
    Says("quanti file markdown ci sono in ~/notes", "3"),
    Says("read ~/notes/diary.md and show me the last three lines", "swam"),
    Says("move the jpg files from ~/in to ~/photos", "2"),
    Says("annulla", "back"),
    Says("delete ~/docs/old.txt", "May I"),
    Approves("old.txt"),
    Says("undo", "back"),
    Says("read ~/.ssh/id_rsa", "id_rsa"),
    Says("book me a flight to Rome", "flight"),
    Says("find the nearest pharmacy", "Where are you"),
    IsHere("Farmacia Vicina"),
    Says("find the nearest pharmacy", "Farmacia Vicina"),
    Says("delete the file", "?"),
    Says("~/docs/letter.txt", "May I"),
    Refuses(""),
    Says("list the files in ~/photos", "old.jpg"),
    Retries("old.jpg"),
    Says("list the files in ~/photos", "old.jpg"),
    Shows("save this in ~/pictures", "is now in ~/pictures"),
    Shows("", "Kept as"),
    Says("how many files are in ~/pictures", "1"),
];

/// The picture they send. Where the app gives it no name, we do.
const PICTURE: &str = "a cat on a chair";
const PICTURE_NAME: &str = "cat.jpg";

const LATITUDE: f64 = 45.4642;
const LONGITUDE: f64 = 9.19;

/// When the files of every household were written, in seconds: 2026-01-02 at noon.
const WRITTEN: Duration = Duration::from_secs(1_767_355_200);

/// The same files everywhere.
async fn household(geo: &FakeGeo, more: &str) -> Home {
    let home = Home::new();
    for (name, text) in [
        ("docs/taxes.pdf", "%PDF taxes"),
        ("docs/manual.pdf", "%PDF manual"),
        ("docs/letter.txt", "Dear aunt Rosa,\n"),
        ("docs/old.txt", "an old shopping list\n"),
        ("notes/diary.md", "rain\nthe cat came back\nplanted\nbirthday\nswam\n"),
        ("notes/recipes.md", "# Recipes\n"),
        ("in/one.jpg", "1"),
        ("in/two.jpg", "22"),
        ("photos/old.jpg", "0"),
        (".ssh/id_rsa", "not a key\n"),
    ] {
        home.write(name, text);
        File::options()
            .write(true)
            .open(home.path(name))
            .and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH + WRITTEN))
            .unwrap();
    }
    home.configure(&format!(
        "timezone = \"Europe/Rome\"\n[places]\nphoton_url = \"{}/photon\"\n{more}",
        geo.url
    ));
    home
}

/// How to answer is said as the channel can: with its buttons or in words.
const HOW_TO_ANSWER: [&str; 3] = [
    "Share your location with the button below, or write an address or a city.",
    "Write an address or a city, or “cancel”.",
    "Write the answer, or “cancel”.",
];

/// What a phone shows over the chat for a moment stands in the terminal as a line.
const TOASTS: [&str; 3] = [
    "Approved: I'm on it.",
    "I'll try another way.",
    "Sorry. I will not answer that from memory again. Asked anew, I may find the same way; marked so a few times, I stop using it.",
];

/// A picture from Telegram comes without a name and is kept under its message's number.
fn as_named(text: &str) -> String {
    let unnamed = Regex::new(r"photo-\d+\.jpg").unwrap();
    unnamed.replace_all(text, PICTURE_NAME).into_owned()
}

/// The clock, the day and who uses how much memory differ from one household to the next.
fn as_always(text: &str) -> String {
    let mut text = text.to_owned();
    for (changing, name) in [
        (r"It's \d{1,2}:\d{2}", "It's TIME"),
        (r"Today is \w+, \w+ \d+, \d{4}", "Today is DAY"),
        (r"[^·\n]*·\s+[\d.]+\s+[kMGT]?B\s+·\s+[\d.]+%", "PROCESS"),
    ] {
        text = Regex::new(changing).unwrap().replace_all(&text, name).into_owned();
    }
    text
}

/// The words of a message alone: markup, bullets, line breaks and how a link is written are the channel's own.
fn words(text: &str) -> Vec<String> {
    let mut text = as_named(text);
    for how in HOW_TO_ANSWER {
        text = text.replace(how, "");
    }
    let mut plain = String::new();
    let mut is_tag = false;
    for letter in text.chars() {
        match letter {
            '<' => is_tag = true,
            '>' => is_tag = false,
            letter if !is_tag => plain.push(letter),
            _ => {}
        }
    }
    let plain = as_always(&plain);
    let plain = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let said = plain.split_whitespace().filter(|word| !word.contains("http"));
    let letters = said.flat_map(|word| word.split(|letter: char| !letter.is_alphanumeric()));
    letters.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Waits until so many answers were called wrong.
async fn rejected(home: &Home, count: usize) {
    let verdicts = "SELECT verdict FROM observations WHERE verdict = 'reject'";
    let deadline = Instant::now() + Duration::from_secs(60);
    while home.rows(verdicts).len() < count {
        assert!(Instant::now() < deadline, "✗ was not taken");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn over_telegram(phone: &Phone, home: &Home, site: &Site) {
    let mut last = 0;
    for act in CONVERSATION {
        let shown = phone.shown().await;
        let newest = shown.iter().rev().find(|shown| !shown.buttons.is_empty());
        let expected = match act {
            Says(text, expected) => {
                last = shown.last().map_or(0, |shown| shown.id);
                phone.says(&text.replace("SITE", &site.url(""))).await;
                expected
            }
            Approves(expected) => {
                phone.taps(newest.unwrap(), "Approve").await;
                expected
            }
            Refuses(expected) => {
                phone.taps(newest.unwrap(), "Reject").await;
                expected
            }
            Retries(expected) => {
                phone.taps(newest.unwrap(), "↺").await;
                expected
            }
            Rejects => {
                phone.taps(newest.unwrap(), "✗").await;
                rejected(home, 1).await;
                continue;
            }
            IsHere(expected) => {
                phone.is_here(LATITUDE, LONGITUDE).await;
                expected
            }
            Shows(words, expected) => {
                phone.shows(PICTURE, words).await;
                expected
            }
        };
        if matches!(act, Says(..)) {
            phone.hears(last, expected).await;
        } else {
            phone.hears(shown.last().map_or(0, |shown| shown.id), expected).await;
        }
    }
}

async fn over_matrix(chat: &Chat<'_>, home: &Home, site: &Site) {
    for act in CONVERSATION {
        let shown = chat.shown().await;
        let expected = match act {
            Says(text, expected) => {
                chat.says(&text.replace("SITE", &site.url(""))).await;
                expected
            }
            Approves(expected) => {
                chat.reacts(shown.last().unwrap(), "👍").await;
                expected
            }
            Refuses(expected) => {
                chat.reacts(shown.last().unwrap(), "👎").await;
                expected
            }
            Retries(expected) => {
                chat.reacts(shown.last().unwrap(), "↺").await;
                expected
            }
            Rejects => {
                chat.reacts(shown.last().unwrap(), "👎").await;
                rejected(home, 1).await;
                continue;
            }
            IsHere(expected) => {
                let here = json!({"msgtype": "m.location", "body": "me", "geo_uri": format!("geo:{LATITUDE},{LONGITUDE}"),
                    "org.matrix.msc3488.asset": {"type": "m.self"}});
                chat.send("m.room.message", &here).await;
                expected
            }
            Shows(words, expected) => {
                chat.sends("m.image", PICTURE_NAME, PICTURE, words).await;
                expected
            }
        };
        chat.hears(shown.len(), expected).await;
    }
}

/// Through a pipe: a line each, keys and approvals as well.
async fn in_the_terminal(home: &Home, site: &Site) -> Vec<String> {
    let here = format!("{LATITUDE}, {LONGITUDE}");
    home.write(PICTURE_NAME, PICTURE);
    let lines: Vec<String> = CONVERSATION
        .iter()
        .map(|act| match act {
            Says(text, _) => text.replace("SITE", &site.url("")),
            Approves(_) => "y".to_owned(),
            Refuses(_) => "n".to_owned(),
            Retries(_) => "=".to_owned(),
            Rejects => "-".to_owned(),
            IsHere(_) => here.clone(),
            Shows(words, _) => format!("/attach ~/{PICTURE_NAME} {words}"),
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut printed = home.chat(&lines).await;
    for toast in TOASTS {
        assert!(printed.contains(toast), "{printed}");
        printed = printed.replace(toast, "");
    }
    let said = printed.lines().skip_while(|line| !line.starts_with("> "));
    let said = said.filter(|line| !line.starts_with("> ") && !line.starts_with('['));
    said.map(str::to_owned).collect()
}

/// What is the same whoever carried it: the request, who answered, how it ended, which executors ran and how.
fn turns(home: &Home) -> Vec<Value> {
    turn_log(&home.data_dir())
        .iter()
        .map(|turn| {
            let steps = turn["steps"].as_array().unwrap().iter();
            let steps: Vec<Value> = steps
                .map(|step| {
                    json!([
                        step["chosen_tool"],
                        step["raw_args"],
                        step["ok"],
                        step["error"]["class"]
                    ])
                })
                .collect();
            let turn = json!([
                turn["user_query"],
                turn["answered_by"],
                turn["final_kind"],
                turn["llm"]["calls"],
                steps
            ]);
            serde_json::from_str(&as_named(&turn.to_string())).unwrap()
        })
        .collect()
}

/// What memory holds.
fn learned(home: &Home) -> Vec<String> {
    let database = rusqlite::Connection::open(home.data_dir().join(DATABASE)).unwrap();
    let mut asked = database
        .prepare(
            "SELECT canonical_text || ' ' || plan || ' ' || n_uses FROM fastpaths
             UNION ALL SELECT intent || ' observed' FROM observations ORDER BY 1",
        )
        .unwrap();
    let rows = asked.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(|row| as_named(&row.unwrap())).collect()
}

async fn telegram_household(geo: &FakeGeo) -> (Phone, Home, Service) {
    let phone = Phone::new(77, "en").await;
    let home = household(
        geo,
        &format!("[telegram]\napi_url = \"{}\"\npoll_s = 2\n", telegram_url()),
    )
    .await;
    let mut service = home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)]);
    let code = pairing_code(&service.prints("/pair ").await);
    phone.asks(&format!("/pair {code}"), "User").await;
    (phone, home, service)
}

#[tokio::test]
async fn the_same_conversation_is_the_same_everywhere() {
    let (geo, site) = (FakeGeo::start().await, Site::start().await);

    let terminal = household(&geo, "").await;
    let printed = in_the_terminal(&terminal, &site).await;

    let (phone, telegram, service) = telegram_household(&geo).await;
    let before = phone.shown().await.len();
    over_telegram(&phone, &telegram, &site).await;
    service.terminate().await;
    let texts = |shown: Vec<String>| -> Vec<Vec<String>> {
        let texts = shown.iter().map(|text| words(text));
        texts.filter(|words| !words.is_empty()).collect()
    };
    let on_telegram = phone.shown().await.into_iter().skip(before).map(|shown| shown.text);
    let on_telegram = texts(on_telegram.collect());

    let bed = Bed::new().await;
    let matrix = household(&geo, "").await;
    bed.set_up(&matrix).await;
    let mut service = matrix.serve(&[]);
    service.prints("metnos is running").await;
    let chat = bed.chat(&bed.owner).await;
    let before = chat.shown().await.len();
    over_matrix(&chat, &matrix, &site).await;
    service.terminate().await;
    let on_matrix = chat.shown().await.into_iter().skip(before).map(|shown| shown.body);
    let on_matrix = texts(on_matrix.collect());

    assert_eq!(on_telegram, on_matrix, "what the two phones show");
    let in_terminal = words(&printed.join("\n"));
    assert_eq!(in_terminal, on_telegram.concat(), "what the terminal prints");
    assert_eq!(turns(&telegram), turns(&matrix));
    assert_eq!(turns(&terminal), turns(&telegram));
    assert_eq!(learned(&telegram), learned(&matrix));
    assert_eq!(learned(&terminal), learned(&telegram));
    assert!(learned(&telegram).iter().any(|row| row.contains("find_files")));
    let saved = |home: &Home| std::fs::read_to_string(home.path("notes/article.md")).unwrap();
    assert!(saved(&terminal).contains(ARTICLE_SENTENCE));
    assert_eq!(saved(&telegram), saved(&terminal));
    assert_eq!(saved(&matrix), saved(&terminal));
    for home in [&terminal, &telegram, &matrix] {
        let wrong = home.rows("SELECT intent FROM observations WHERE verdict = 'reject'");
        assert_eq!(wrong.len(), 1, "{wrong:?}");
    }
}

/// One person with two channels: what was learned over Telegram is answered over Matrix, without planning.
#[tokio::test]
async fn what_telegram_taught_matrix_answers_from_memory() {
    let geo = FakeGeo::start().await;
    let (phone, home, service) = telegram_household(&geo).await;
    phone.asks(FIND, "taxes.pdf").await;
    service.terminate().await;

    let bed = Bed::new().await;
    bed.set_up(&home).await;
    let mut service = home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)]);
    service.prints("metnos is running").await;
    let chat = bed.chat(&bed.owner).await;
    chat.asks(FIND, "taxes.pdf").await;
    service.terminate().await;

    let turns = turns(&home);
    let answered: Vec<&Value> = turns.iter().map(|turn| &turn[1]).collect();
    assert_eq!(answered, ["simple", "fastpath"], "{turns:?}");
}
