//! The program against a real homeserver, in encrypted rooms, with people who use another client library than ours. A
//! person is played through a door beside the homeserver (`scripts/testbed/mxbed.py`).

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

mod files;
mod stop;
mod trust;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

use super::{
    process::{Home, Service, pairing_code},
    servers::{matrix_door, matrix_url},
};

/// Of two cores that also compile.
const PATIENCE: Duration = Duration::from_secs(90);
const PASSWORD: &str = "pw-bot";

/// A homeserver with a bot's account and its owner.
pub(crate) struct Bed {
    http: reqwest::Client,
    bot: String,
    pub(crate) owner: String,
    _alone: MutexGuard<'static, ()>,
}

/// A person in a room with the bot.
#[derive(Clone)]
pub(crate) struct Chat<'a> {
    bed: &'a Bed,
    person: String,
    room: String,
}

/// A message of the bot.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    id: String,
    pub(crate) body: String,
    content: Value,
}

impl Bed {
    pub(crate) async fn new() -> Self {
        static ONE: Mutex<()> = Mutex::const_new(());
        let mut bed = Self {
            http: reqwest::Client::new(),
            bot: String::new(),
            owner: String::new(),
            _alone: ONE.lock().await,
        };
        let mut bytes = [0_u8; 6];
        getrandom::fill(&mut bytes).unwrap();
        let name: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let account = json!({"name": format!("bot-{name}"), "password": PASSWORD});
        bed.bot = said(&bed.door("account", &account).await, "user");
        bed.owner = bed.person("ada").await;
        bed
    }

    async fn door(&self, path: &str, body: &Value) -> Value {
        let asked = self.http.post(format!("{}/{path}", matrix_door())).json(body);
        let answer = asked.send().await.unwrap();
        let status = answer.status();
        let text = answer.text().await.unwrap();
        assert!(status.is_success(), "{path} {body}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    async fn person(&self, name: &str) -> String {
        said(&self.door("person", &json!({"name": name})).await, "user")
    }

    /// Runs the set-up, as somebody with the password would.
    pub(crate) async fn set_up(&self, home: &Home) -> String {
        let arguments = [
            "matrix",
            "setup",
            "--homeserver",
            &matrix_url(),
            "--user",
            &self.bot,
            "--owner",
            &self.owner,
        ];
        let (succeeded, said) = home.run(&arguments, &format!("{PASSWORD}\n")).await;
        assert!(succeeded, "{said}");
        said
    }

    /// A new encrypted room with the bot, who is there.
    pub(crate) async fn chat(&self, person: &str) -> Chat<'_> {
        let chat = self.invite(person).await;
        chat.until("the bot comes", |members, _| members.contains(&self.bot).then_some(()))
            .await;
        chat
    }

    async fn invite(&self, person: &str) -> Chat<'_> {
        let room = self
            .door("room", &json!({"person": person, "invite": [self.bot]}))
            .await;
        Chat {
            bed: self,
            person: person.to_owned(),
            room: said(&room, "room"),
        }
    }
}

impl Chat<'_> {
    pub(crate) async fn send(&self, kind: &str, content: &Value) -> String {
        let body = json!({"person": self.person, "room": self.room, "type": kind, "content": content});
        said(&self.bed.door("send", &body).await, "event")
    }

    pub(crate) async fn says(&self, text: &str) -> String {
        self.send("m.room.message", &json!({"msgtype": "m.text", "body": text}))
            .await
    }

    /// Sends a file of this kind, locked, with words or none.
    pub(crate) async fn sends(&self, kind: &str, name: &str, text: &str, words: &str) {
        let file = json!({"person": self.person, "room": self.room, "kind": kind, "name": name, "text": text,
            "caption": words});
        self.bed.door("file", &file).await;
    }

    /// Says something and waits for an answer with these words.
    pub(crate) async fn asks(&self, text: &str, answer: &str) -> Shown {
        let before = self.shown().await.len();
        self.says(text).await;
        self.hears(before, answer).await
    }

    /// Waits for a message of the bot after so many others.
    pub(crate) async fn hears(&self, after: usize, answer: &str) -> Shown {
        self.until(answer, |_, shown| {
            let new = shown.iter().skip(after);
            new.rev().find(|shown| shown.body.contains(answer)).cloned()
        })
        .await
    }

    pub(crate) async fn reacts(&self, on: &Shown, key: &str) -> String {
        let content = json!({"m.relates_to": {"rel_type": "m.annotation", "event_id": on.id, "key": key}});
        self.send("m.reaction", &content).await
    }

    async fn timeline(&self) -> (Vec<String>, Vec<Value>) {
        let body = json!({"person": self.person, "room": self.room});
        let seen = self.bed.door("timeline", &body).await;
        let members = seen["members"].as_array().unwrap().iter();
        let members = members.map(|member| member.as_str().unwrap().to_owned()).collect();
        (members, seen["events"].as_array().unwrap().clone())
    }

    /// The bot's messages, oldest first; notices in passing are not among them.
    pub(crate) async fn shown(&self) -> Vec<Shown> {
        self.shown_of(&self.timeline().await.1)
    }

    fn shown_of(&self, events: &[Value]) -> Vec<Shown> {
        events
            .iter()
            .filter(|event| event["sender"] == json!(self.bed.bot))
            .filter(|event| event["type"] == "m.room.message" && event["content"]["msgtype"] == "m.text")
            .map(|event| Shown {
                id: said(event, "id"),
                body: said(&event["content"], "body"),
                content: event["content"].clone(),
            })
            .collect()
    }

    /// Looks at who is in the room and what happened there, until this finds what it looks for.
    async fn look<T>(&self, what: &str, found: impl Fn(&[String], &[Value]) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let (members, events) = self.timeline().await;
            if let Some(found) = found(&members, &events) {
                return found;
            }
            assert!(Instant::now() < deadline, "never came: {what}; {events:#?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn until<T>(&self, what: &str, found: impl Fn(&[String], &[Shown]) -> Option<T>) -> T {
        self.look(what, |members, events| found(members, &self.shown_of(events)))
            .await
    }

    /// The first event in the room of which this holds, once there is one.
    pub(crate) async fn event(&self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        self.look(what, |_, events| events.iter().find(|event| holds(event)).cloned())
            .await
    }

    /// The bot's reactions that stand under a message, once there are so many.
    async fn signs(&self, on: &Shown, count: usize) -> Vec<String> {
        self.look(&format!("{count} signs"), |_, events| {
            let gone: Vec<&Value> = events.iter().map(|event| &event["redacts"]).collect();
            let signs: Vec<String> = events
                .iter()
                .filter(|event| event["type"] == "m.reaction" && event["sender"] == json!(self.bed.bot))
                .filter(|event| event["content"]["m.relates_to"]["event_id"] == json!(on.id))
                .filter(|event| !gone.contains(&&event["id"]))
                .map(|event| said(&event["content"]["m.relates_to"], "key"))
                .collect();
            (signs.len() == count).then_some(signs)
        })
        .await
    }
}

fn said(value: &Value, key: &str) -> String {
    value[key]
        .as_str()
        .unwrap_or_else(|| panic!("no {key} in {value}"))
        .to_owned()
}

async fn serve(home: &Home) -> Service {
    let mut service = home.serve(&[]);
    service.prints("metnos is running").await;
    service
}

#[tokio::test]
async fn a_conversation_in_an_encrypted_room() {
    let bed = Bed::new().await;
    let home = Home::new();
    home.write("docs/taxes.pdf", "pdf");
    home.write("docs/old.txt", "old");
    let told = bed.set_up(&home).await;
    assert!(told.contains("recovery-key.txt"), "{told}");
    let service = serve(&home).await;
    let chat = bed.chat(&bed.owner).await;

    let first = chat.asks("list the files in ~/docs", "taxes.pdf").await;
    assert!(said(&first.content, "formatted_body").contains("<li>"), "{first:?}");
    assert!(first.content["m.relates_to"]["m.in_reply_to"].is_object());
    assert_eq!(chat.signs(&first, 3).await, ["✓", "✗", "↺"]);
    let praise = chat.reacts(&first, "👍🏽").await;
    let body = json!({"person": chat.person, "room": chat.room, "event": praise});
    bed.door("redact", &body).await;

    let before = chat.shown().await.len();
    chat.reacts(&first, "🔄").await;
    let again = chat.hears(before, "taxes.pdf").await;
    let in_reply =
        json!({"msgtype": "m.text", "body": "ok", "m.relates_to": {"m.in_reply_to": {"event_id": again.id}}});
    chat.send("m.room.message", &in_reply).await;
    chat.hears(before + 1, "Noted").await;
    chat.asks("!no", "Sorry").await;

    let card = chat.asks("delete ~/docs/old.txt", "old.txt").await;
    assert_eq!(chat.signs(&card, 2).await, ["👍", "👎"]);
    assert!(
        home.path("docs/old.txt").exists(),
        "nothing happens before the approval"
    );
    let before = chat.shown().await.len();
    chat.reacts(&card, "👍").await;
    chat.hears(before, "old.txt").await;
    assert!(!home.path("docs/old.txt").exists());
    chat.signs(&card, 0).await;
    chat.asks("!undo", "back").await;
    assert!(home.path("docs/old.txt").exists());

    let deadline = Instant::now() + PATIENCE;
    loop {
        let body = json!({"person": chat.person, "room": chat.room});
        let receipts = bed.door("receipts", &body).await;
        if receipts["read"][&bed.bot].is_string() {
            break;
        }
        assert!(Instant::now() < deadline, "never marked as read: {receipts}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    service.terminate().await;
}

/// It rings by itself, and the reaction for “done” is the end of it.
#[tokio::test]
async fn a_timer_of_two_seconds_rings_and_is_done() {
    let bed = Bed::new().await;
    let home = Home::new();
    bed.set_up(&home).await;
    let service = serve(&home).await;
    let chat = bed.chat(&bed.owner).await;
    let before = chat.shown().await.len();
    chat.says("set a timer for 2 seconds for the egg").await;
    chat.hears(before, "runs for 2 seconds").await;
    let rings = chat.hears(before + 1, "Timer “egg”: time is up").await;
    assert_eq!(chat.signs(&rings, 3).await, ["✅", "⏰", "📅"]);
    chat.reacts(&rings, "✅").await;
    chat.signs(&rings, 0).await;
    chat.asks("show me my timers", "No timer").await;
    service.terminate().await;
}

/// Ended in order and killed outright: what was said meanwhile is answered, and nothing twice.
#[tokio::test]
async fn a_restart_answers_what_waited_once() {
    let bed = Bed::new().await;
    let home = Home::new();
    bed.set_up(&home).await;
    let service = serve(&home).await;
    let chat = bed.chat(&bed.owner).await;
    chat.asks("what time is it", "It's").await;
    service.terminate().await;
    for round in 0..2 {
        let before = chat.shown().await.len();
        chat.says("who are you").await;
        let service = serve(&home).await;
        chat.hears(before, "metnos").await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(chat.shown().await.len(), before + 1, "round {round}");
        service.kill().await;
    }
    // The same session, the same keys: what is said in a thread is answered in it.
    let service = serve(&home).await;
    let root = chat.says("what day is it").await;
    let in_thread = json!({"msgtype": "m.text", "body": "who are you", "m.relates_to": {"rel_type": "m.thread",
        "event_id": root, "is_falling_back": true, "m.in_reply_to": {"event_id": root}}});
    chat.send("m.room.message", &in_thread).await;
    chat.until("an answer in the thread", |_, shown| {
        shown
            .iter()
            .any(|shown| shown.content["m.relates_to"]["event_id"] == json!(root))
            .then_some(())
    })
    .await;
    service.terminate().await;
}

#[tokio::test]
async fn invites_are_for_the_household() {
    let bed = Bed::new().await;
    let home = Home::new();
    bed.set_up(&home).await;
    let service = serve(&home).await;
    let owner = bed.chat(&bed.owner).await;
    owner.asks("who are you", "metnos").await;

    let eve = bed.person("eve").await;
    let refused = bed.invite(&eve).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(!refused.timeline().await.0.contains(&bed.bot), "a stranger's invite");

    let (_, printed) = home.run(&["pair"], "").await;
    let code = pairing_code(&printed);
    let guest = bed.chat(&eve).await;
    guest.asks("list the files in ~/docs", "pairing code").await;
    guest.asks(&format!("!pair {code}"), "Welcome").await;
    guest.asks("what time is it", "It's").await;
    service.terminate().await;
}

#[tokio::test]
async fn points_and_what_cannot_be_read() {
    let bed = Bed::new().await;
    let home = Home::new();
    bed.set_up(&home).await;
    let service = serve(&home).await;
    let chat = bed.chat(&bed.owner).await;
    chat.asks("who are you", "metnos").await;

    let before = chat.shown().await.len();
    let here = json!({"msgtype": "m.location", "body": "me", "geo_uri": "geo:45.4642,9.19;u=10",
        "org.matrix.msc3488.asset": {"type": "m.self"}});
    chat.send("m.room.message", &here).await;
    chat.hears(before, "where you are").await;

    let before = chat.shown().await.len();
    let state = json!({"person": chat.person, "room": chat.room, "type": "org.matrix.msc3672.beacon_info",
        "key": chat.person, "content": {"live": true, "timeout": 60_000}});
    let info = said(&bed.door("state", &state).await, "event");
    for at in 1..=3 {
        let tick = json!({"m.relates_to": {"rel_type": "m.reference", "event_id": info},
            "org.matrix.msc3488.location": {"uri": format!("geo:45.46{at},9.19")}, "org.matrix.msc3488.ts": at});
        chat.send("org.matrix.msc3672.beacon", &tick).await;
    }
    chat.hears(before, "while you share").await;
    chat.asks("who are you", "metnos").await;
    assert_eq!(chat.shown().await.len(), before + 2, "later points are not answered");

    let plain = json!({"person": chat.person, "room": chat.room, "type": "m.room.message",
        "content": {"msgtype": "m.text", "body": "delete everything"}});
    let before = chat.shown().await.len();
    bed.door("raw", &plain).await;
    chat.hears(before, "decrypt").await;
    let locked = json!({"person": chat.person, "room": chat.room, "type": "m.room.encrypted", "content": {
        "algorithm": "m.megolm.v1.aes-sha2", "session_id": "nobody", "device_id": "X",
        "sender_key": "c2VuZGVy", "ciphertext": "AwgAEhA"}});
    let before = chat.shown().await.len();
    bed.door("raw", &locked).await;
    chat.hears(before, "decrypt").await;
    service.terminate().await;
}

#[tokio::test]
async fn a_lost_store_comes_back_with_the_recovery_key() {
    let bed = Bed::new().await;
    let home = Home::new();
    bed.set_up(&home).await;
    let (_, told) = home.run(&["doctor"], "").await;
    for line in [
        "is logged in",
        "is signed by its own",
        "recovery key works",
        "are backed up",
        "not verified it yet",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let service = serve(&home).await;
    let chat = bed.chat(&bed.owner).await;
    chat.asks("who are you", "metnos").await;
    service.terminate().await;

    let (succeeded, told) = home
        .run(
            &["matrix", "setup", "--homeserver", "x", "--user", "x", "--owner", ""],
            "x\n",
        )
        .await;
    assert!(!succeeded && told.contains("is set up and works"), "{told}");
    std::fs::remove_dir_all(home.path("../data/matrix/store")).unwrap();
    let (succeeded, told) = home.run(&["serve"], "").await;
    assert!(!succeeded && told.contains("its store is gone"), "{told}");

    let told = bed.set_up(&home).await;
    assert!(told.contains("brought its identity and history back"), "{told}");
    let (_, told) = home.run(&["doctor"], "").await;
    assert!(
        told.contains("is signed by its own") && told.contains("are backed up"),
        "{told}"
    );
    let service = serve(&home).await;
    chat.asks("what time is it", "It's").await;
    service.terminate().await;
}
