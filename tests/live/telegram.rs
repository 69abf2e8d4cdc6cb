//! The program against a Bot API server that checks every call with models made from the official documentation: what
//! our own fake takes for granted is seen here. A person is played through the server's control door.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

use super::{
    process::{Home, Service, pairing_code},
    servers::telegram_url,
};

pub(crate) const TOKEN: &str = "123456:LIVE";
/// Most UTF-16 units of a Telegram message.
const MESSAGE_UNITS_MAX: usize = 4_096;
/// Of two cores that also compile.
const PATIENCE: Duration = Duration::from_secs(60);

/// A person's private chat with a bot of their own, on the one server there is.
pub(crate) struct Phone {
    chat: i64,
    lang: &'static str,
    http: reqwest::Client,
    _alone: Option<MutexGuard<'static, ()>>,
}

/// A message as the chat shows it now.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) id: i64,
    pub(crate) text: String,
    pub(crate) buttons: Vec<(String, String)>,
}

impl Phone {
    /// An empty server, and nobody else on it.
    pub(crate) async fn new(chat: i64, lang: &'static str) -> Self {
        static ONE: Mutex<()> = Mutex::const_new(());
        let phone = Self {
            chat,
            lang,
            http: reqwest::Client::new(),
            _alone: Some(ONE.lock().await),
        };
        phone.door("reset", &json!({})).await;
        phone
    }

    /// Somebody else's, beside this one.
    pub(crate) fn beside(&self, chat: i64) -> Self {
        Self {
            chat,
            lang: self.lang,
            http: self.http.clone(),
            _alone: None,
        }
    }

    /// Starts metnos and pairs with it.
    async fn pair(&self, home: &Home) -> Service {
        home.configure(&format!("[telegram]\napi_url = \"{}\"\npoll_s = 2\n", telegram_url()));
        let mut service = home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)]);
        let code = pairing_code(&service.prints("/pair ").await);
        self.asks(&format!("/pair {code}"), "User").await;
        service
    }

    async fn door(&self, path: &str, body: &Value) {
        let asked = self.http.post(format!("{}/_bed/{path}", telegram_url())).json(body);
        assert!(asked.send().await.unwrap().status().is_success(), "{path}");
    }

    async fn look(&self, path: &str) -> Value {
        let asked = self.http.get(format!("{}/_bed/{path}", telegram_url()));
        asked.send().await.unwrap().json().await.unwrap()
    }

    pub(crate) async fn says(&self, text: &str) {
        self.door("update", &json!({"chat": self.chat, "lang": self.lang, "text": text}))
            .await;
    }

    /// Shares a point.
    pub(crate) async fn is_here(&self, latitude: f64, longitude: f64) {
        let point = json!({"latitude": latitude, "longitude": longitude});
        self.door(
            "update",
            &json!({"chat": self.chat, "lang": self.lang, "location": point}),
        )
        .await;
    }

    /// Sends a picture, with words.
    pub(crate) async fn shows(&self, picture: &str, words: &str) {
        let update = json!({"chat": self.chat, "lang": self.lang, "photo": picture, "caption": words});
        self.door("update", &update).await;
    }

    /// Waits for the bot's last files of these names, and returns their contents as the server has them.
    async fn brought(&self, names: &[&str]) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let messages = self.look(&format!("chat/{}", self.chat)).await;
            let files = messages.as_array().unwrap().iter().rev();
            let files =
                files.filter(|message| message["from"]["is_bot"] == json!(true) && !message["document"].is_null());
            let last: Vec<&Value> = files.map(|message| &message["document"]).take(names.len()).collect();
            if names
                .iter()
                .all(|name| last.iter().any(|file| file["file_name"] == json!(name)))
            {
                let mut contents = Vec::new();
                for file in last {
                    let url = format!("{}/_bed/file/{}", telegram_url(), file["file_id"].as_str().unwrap());
                    contents.push(self.http.get(url).send().await.unwrap().text().await.unwrap());
                }
                return contents;
            }
            assert!(
                Instant::now() < deadline,
                "never came: {names:?}; the chat is {messages:#?}"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Says something and waits for a new answer that holds these words.
    pub(crate) async fn asks(&self, text: &str, answer: &str) -> Shown {
        let before = self.shown().await.last().map_or(0, |shown| shown.id);
        self.says(text).await;
        self.hears(before, answer).await
    }

    pub(crate) async fn hears(&self, after: i64, answer: &str) -> Shown {
        self.until(answer, |shown| shown.id > after && shown.text.contains(answer))
            .await
    }

    /// Taps the button with this label under a message.
    pub(crate) async fn taps(&self, shown: &Shown, label: &str) {
        let button = shown.buttons.iter().find(|(text, _)| text.contains(label));
        let (_, data) = button.unwrap_or_else(|| panic!("no {label} under {shown:?}"));
        let tap = json!({"chat": self.chat, "lang": self.lang, "message_id": shown.id, "data": data});
        self.door("update", &tap).await;
    }

    /// The bot's messages as they look now, oldest first; the person's own have no keyboard and no bot as sender.
    pub(crate) async fn shown(&self) -> Vec<Shown> {
        let messages = self.look(&format!("chat/{}", self.chat)).await;
        messages
            .as_array()
            .unwrap()
            .iter()
            .filter(|message| message["from"]["is_bot"] == json!(true))
            .map(|message| Shown {
                id: message["message_id"].as_i64().unwrap(),
                text: message["text"].as_str().unwrap_or_default().to_owned(),
                buttons: message["reply_markup"]["inline_keyboard"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .flat_map(|row| row.as_array().unwrap())
                    .map(|button| {
                        let part = |name: &str| button[name].as_str().unwrap().to_owned();
                        (part("text"), part("callback_data"))
                    })
                    .collect(),
            })
            .collect()
    }

    async fn until(&self, what: &str, is_it: impl Fn(&Shown) -> bool) -> Shown {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let shown = self.shown().await;
            assert!(Instant::now() < deadline, "never came: {what}; the chat is {shown:#?}");
            if let Some(found) = shown.into_iter().rfind(|shown| is_it(shown)) {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The button that was chosen is marked under this message.
    async fn is_marked(&self, id: i64, label: &str) {
        self.until(label, |shown| {
            shown.id == id && shown.buttons.iter().any(|(text, _)| *text == format!("• {label}"))
        })
        .await;
    }

    /// Every field of every call is one the Bot API knows; taps were all answered.
    async fn assert_clean(&self, taps: usize) {
        let calls = self.look("calls").await;
        let calls = calls.as_array().unwrap();
        let unknown: Vec<&Value> = calls.iter().filter(|call| call["unknown"] != json!([])).collect();
        assert!(unknown.is_empty(), "{unknown:#?}");
        let answered = calls
            .iter()
            .filter(|call| call["method"] == "AnswerCallbackQuery")
            .count();
        assert_eq!(answered, taps, "each tap is answered once");
    }
}

#[tokio::test]
async fn a_conversation_with_every_button() {
    let phone = Phone::new(42, "en").await;
    let home = Home::new();
    home.write("docs/taxes.pdf", "pdf");
    home.write("docs/old.txt", "old");
    let service = phone.pair(&home).await;

    let first = phone.asks("list the files in ~/docs", "taxes.pdf").await;
    let labels: Vec<&str> = first.buttons.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["✓", "✗", "↺"]);
    phone.taps(&first, "✓").await;
    phone.is_marked(first.id, "✓").await;
    let first = phone.until("first", |shown| shown.id == first.id).await;
    phone.taps(&first, "✗").await;
    phone.is_marked(first.id, "✗").await;

    let again = phone.asks("list the files in ~/docs", "taxes.pdf").await;
    phone.taps(&again, "↺").await;
    phone.hears(again.id, "taxes.pdf").await;

    let card = phone.asks("delete ~/docs/old.txt", "old.txt").await;
    assert!(
        home.path("docs/old.txt").exists(),
        "nothing happens before the approval"
    );
    phone.taps(&card, "Approve").await;
    phone.hears(card.id, "old.txt").await;
    assert!(!home.path("docs/old.txt").exists());
    phone
        .until("the card's buttons are gone", |shown| {
            shown.id == card.id && shown.buttons.is_empty()
        })
        .await;

    phone.asks("undo", "back").await;
    assert!(home.path("docs/old.txt").exists());
    service.terminate().await;
    phone.assert_clean(4).await;
}

#[tokio::test]
async fn strangers_hear_one_polite_line() {
    let phone = Phone::new(43, "en").await;
    let home = Home::new();
    let service = phone.pair(&home).await;
    let stranger = json!({"chat": 99, "from": 99, "text": "list the files in ~/docs"});
    for _ in 0..2 {
        phone.door("update", &stranger).await;
    }
    // Answered in order: when this answer is there, the stranger's messages were taken before.
    phone.asks("what time is it", "It's").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let heard = phone.look("chat/99").await;
    let replies = heard
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["from"]["is_bot"] == json!(true));
    assert_eq!(replies.count(), 1, "{heard}");
    service.terminate().await;
    phone.assert_clean(0).await;
}

#[tokio::test]
async fn long_answers_come_in_parts() {
    let phone = Phone::new(44, "en").await;
    let home = Home::new();
    let lines: String = (0..400)
        .map(|number| format!("<{number}> the 🐈 sat & slept\n"))
        .collect();
    home.write("notes/long.md", &lines);
    let service = phone.pair(&home).await;
    let last = phone.asks("read ~/notes/long.md", "sat").await;
    let last = phone
        .until("the last part has the buttons", |shown| {
            shown.id >= last.id && !shown.buttons.is_empty()
        })
        .await;
    let parts: Vec<Shown> = phone
        .shown()
        .await
        .into_iter()
        .filter(|shown| shown.text.contains("🐈"))
        .collect();
    assert!(parts.len() > 1, "{} parts", parts.len());
    assert_eq!(
        parts.iter().filter(|part| !part.buttons.is_empty()).count(),
        1,
        "buttons stand under the last part only"
    );
    assert!(parts.iter().all(|part| part.id <= last.id));
    for part in &parts {
        let plain = part
            .text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
        assert!(plain.encode_utf16().count() <= MESSAGE_UNITS_MAX + "<pre></pre>".len());
    }
    service.terminate().await;
    phone.assert_clean(0).await;
}

#[tokio::test]
async fn an_italian_hears_italian() {
    let phone = Phone::new(45, "it").await;
    let home = Home::new();
    home.write("note/diario.md", "uno\ndue\n");
    home.write("note/vecchio.txt", "x");
    let service = phone.pair(&home).await;
    // Also at one o'clock, which is said otherwise.
    phone.asks("che giorno è", "Oggi è").await;
    phone.asks("quanti file markdown ci sono in ~/note", "1").await;
    let card = phone.asks("cancella ~/note/vecchio.txt", "vecchio.txt").await;
    phone.taps(&card, "Approva").await;
    phone.hears(card.id, "vecchio.txt").await;
    assert!(!home.path("note/vecchio.txt").exists());
    phone.asks("annulla", "Fatto").await;
    assert!(home.path("note/vecchio.txt").exists());
    service.terminate().await;
    phone.assert_clean(1).await;
}

/// A message that waits while metnos is away is answered when it is back, and none twice.
#[tokio::test]
async fn a_restart_answers_what_waited_once() {
    let phone = Phone::new(46, "en").await;
    let home = Home::new();
    let service = phone.pair(&home).await;
    phone.asks("what time is it", "It's").await;
    service.terminate().await;
    phone.says("who are you").await;
    let before = phone.shown().await.len();
    let service = home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)]);
    phone.until("the answer", |shown| shown.text.contains("metnos")).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(phone.shown().await.len(), before + 1);
    service.terminate().await;
    phone.assert_clean(0).await;
}

/// It rings by itself, and a tap on Done is the end of it.
#[tokio::test]
async fn a_timer_of_two_seconds_rings_and_is_done() {
    let phone = Phone::new(47, "en").await;
    let home = Home::new();
    let service = phone.pair(&home).await;
    let set = phone
        .asks("set a timer for 2 seconds for the egg", "runs for 2 seconds")
        .await;
    let rings = phone.hears(set.id, "Timer “egg”: time is up").await;
    let labels: Vec<&str> = rings.buttons.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["✅ Done", "⏰ +10 min", "📅 Tomorrow"]);
    phone.taps(&rings, "Done").await;
    phone
        .until("the buttons are gone", |shown| {
            shown.id == rings.id && shown.buttons.is_empty()
        })
        .await;
    phone.asks("show me my timers", "No timer").await;
    service.terminate().await;
    phone.assert_clean(1).await;
}

/// Real files both ways: an album is filed as one with the words that came with it, and files come back as they are.
#[tokio::test]
async fn files_that_are_sent_together_are_filed_together_and_come_back_as_they_are() {
    let phone = Phone::new(48, "en").await;
    let home = Home::new();
    home.write("docs/keep.txt", "kept");
    let service = phone.pair(&home).await;
    let before = phone.shown().await.last().map_or(0, |shown| shown.id);
    let album = json!([
        {"document": "first of two", "file_name": "one.txt", "caption": "save them in ~/docs"},
        {"document": "second of two", "file_name": "two.txt"},
    ]);
    let update = json!({"chat": 48, "lang": "en", "album": album});
    phone.door("update", &update).await;
    phone.hears(before, "2 files").await;
    for (name, content) in [("one", "first of two"), ("two", "second of two")] {
        let path = home.path(&format!("docs/{name}.txt"));
        assert_eq!(std::fs::read_to_string(path).unwrap(), content);
    }
    phone.says("send me ~/docs/one.txt").await;
    let brought = phone.brought(&["one.txt"]).await;
    assert_eq!(brought, ["first of two"]);
    phone.says("send me the txt files in ~/docs").await;
    let mut brought = phone.brought(&["keep.txt", "one.txt", "two.txt"]).await;
    brought.sort();
    assert_eq!(brought, ["first of two", "kept", "second of two"]);
    service.terminate().await;
    phone.assert_clean(0).await;
}
