//! A Matrix homeserver at the wire, for rooms that are not encrypted: what people send comes with the next sync, what
//! the bot sends is kept, and single calls can be made to fail. The session the bot starts with is written by hand, as
//! `metnos matrix setup` would have left it.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Query, State},
    http::{HeaderMap, StatusCode, Uri, header::AUTHORIZATION},
    response::{IntoResponse, Response},
    routing::any,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::process::Home;

/// The bot.
pub(crate) const BOT: &str = "@bot:bed";
/// Whom it belongs to.
pub(crate) const ADA: &str = "@ada:bed";
/// Their room.
pub(crate) const ROOM: &str = "!room:bed";
const TOKEN: &str = "syt_top_secret";
/// How long a test waits for something that should happen.
const PATIENCE: Duration = Duration::from_secs(60);
/// Longest silence of a sync.
const SYNC_MAX: Duration = Duration::from_secs(2);

/// One call the bot made.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// Decoded, behind `/_matrix/`.
    pub(crate) path: String,
    pub(crate) body: Value,
}

/// Something the bot sent to the room.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) content: Value,
}

#[derive(Default)]
struct Inner {
    /// Events of the room, in order; a sync token is how many were seen.
    events: Vec<Value>,
    sent: Vec<Shown>,
    calls: Vec<Call>,
    /// Part of a path, status and body: the next call that fits fails so.
    failures: Vec<(String, u16, Value)>,
    media: BTreeMap<String, Vec<u8>>,
    upload_limit: Option<u64>,
    /// Answers by the bot's own name for what it sends.
    by_name: BTreeMap<String, String>,
}

#[derive(Default)]
struct Shared {
    inner: Mutex<Inner>,
    changed: Notify,
}

/// The running server; it ends with this value.
pub(crate) struct FakeHomeserver {
    pub(crate) url: String,
    shared: Arc<Shared>,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for FakeHomeserver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl FakeHomeserver {
    pub(crate) async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let router = Router::new()
            .fallback(any(serve))
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(Arc::clone(&shared));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, shared, server }
    }

    /// Leaves in a home what a set-up leaves: a session, an empty store, and the place to go on from.
    pub(crate) fn settle(&self, home: &Home) {
        let folder = home.data_dir().join("matrix");
        std::fs::create_dir_all(folder.join("store")).unwrap();
        let session = json!({"homeserver": self.url, "user": BOT, "device": "BED", "access_token": TOKEN,
            "store_key": "07".repeat(32), "owner": ADA});
        std::fs::write(folder.join("session.json"), session.to_string()).unwrap();
        std::fs::write(folder.join("store/matrix-sdk-crypto.sqlite3"), "").unwrap();
        std::fs::write(folder.join("position"), "s0").unwrap();
    }

    /// Ada sends a message; returns its event.
    pub(crate) fn says(&self, text: &str) -> String {
        self.sends(&json!({"msgtype": "m.text", "body": text}))
    }

    /// Ada sends any message.
    pub(crate) fn sends(&self, content: &Value) -> String {
        self.event(ADA, "m.room.message", content)
    }

    /// Anybody sends anything.
    pub(crate) fn event(&self, sender: &str, kind: &str, content: &Value) -> String {
        self.event_at(metnos::clock::Clock::system().now_ms(), sender, kind, content)
    }

    /// Somebody sent a message when the bot was not there yet.
    pub(crate) fn long_ago(&self, sender: &str, content: &Value) -> String {
        self.event_at(1_000, sender, "m.room.message", content)
    }

    fn event_at(&self, at_ms: i64, sender: &str, kind: &str, content: &Value) -> String {
        let mut inner = self.lock();
        let id = format!("${}", inner.events.len() + 1);
        let event =
            json!({"event_id": id, "sender": sender, "type": kind, "origin_server_ts": at_ms, "content": content});
        inner.events.push(event);
        drop(inner);
        self.shared.changed.notify_waiters();
        id
    }

    /// A file lies on the server; returns its address.
    pub(crate) fn keeps(&self, content: &[u8]) -> String {
        let mut inner = self.lock();
        let name = format!("media{}", inner.media.len() + 1);
        inner.media.insert(name.clone(), content.to_vec());
        format!("mxc://bed/{name}")
    }

    /// What lies at an address.
    pub(crate) fn kept(&self, address: &str) -> Option<Vec<u8>> {
        self.lock().media.get(address.rsplit('/').next()?).cloned()
    }

    /// The largest file the server takes.
    pub(crate) fn takes_at_most(&self, bytes: u64) {
        self.lock().upload_limit = Some(bytes);
    }

    /// The next `times` calls whose path contains `part` fail so.
    pub(crate) fn fail(&self, part: &str, times: usize, status: u16, body: &Value) {
        let failing = (part.to_owned(), status, body.clone());
        self.lock().failures.extend(std::iter::repeat_n(failing, times));
    }

    /// What the bot sent, in order.
    pub(crate) fn sent(&self) -> Vec<Shown> {
        self.lock().sent.clone()
    }

    /// The answers, files and points among it; edits and notices are none.
    pub(crate) fn answers(&self) -> Vec<Value> {
        let is_answer = |shown: &Shown| {
            shown.kind == "m.room.message"
                && shown.content["msgtype"] != "m.notice"
                && shown.content["m.relates_to"]["rel_type"] != "m.replace"
        };
        let sent = self.sent().into_iter();
        sent.filter(is_answer).map(|shown| shown.content).collect()
    }

    /// The calls whose path contains this.
    pub(crate) fn calls(&self, part: &str) -> Vec<Call> {
        let inner = self.lock();
        inner
            .calls
            .iter()
            .filter(|call| call.path.contains(part))
            .cloned()
            .collect()
    }

    /// Says something and waits for an answer with these words.
    pub(crate) async fn asks(&self, text: &str, answer: &str) -> Value {
        let before = self.answers().len();
        self.says(text);
        self.hears(before, answer).await
    }

    /// Waits for an answer with these words after so many others.
    pub(crate) async fn hears(&self, after: usize, answer: &str) -> Value {
        let found = |server: &Self| {
            let new = server.answers().into_iter().skip(after);
            new.into_iter()
                .find(|content| content["body"].as_str().is_some_and(|body| body.contains(answer)))
        };
        self.until(answer, |server| found(server).is_some()).await;
        found(self).unwrap()
    }

    /// Waits until the server shows what the test expects.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let waiting = async {
            while !holds(self) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        if tokio::time::timeout(PATIENCE, waiting).await.is_err() {
            let calls = self.lock().calls.clone();
            panic!("did not happen: {what}; sent: {:#?}; calls: {calls:#?}", self.sent());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.shared.inner.lock().unwrap()
    }
}

async fn serve(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    Query(query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = decoded(uri.path());
    let path = path.trim_start_matches("/_matrix/").to_owned();
    let known = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if path != "client/versions" && known != Some(&format!("Bearer {TOKEN}")) {
        return answer(401, &json!({"errcode": "M_MISSING_TOKEN", "error": "who are you"}));
    }
    let call = Call {
        path: path.clone(),
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    };
    let failing = {
        let mut inner = shared.inner.lock().unwrap();
        if !path.ends_with("/sync") {
            inner.calls.push(call.clone());
        }
        let index = inner.failures.iter().position(|(part, _, _)| path.contains(part));
        index.map(|index| inner.failures.remove(index))
    };
    if let Some((_, status, body)) = failing {
        return answer(status, &body);
    }
    if path.ends_with("/sync") {
        return sync(&shared, &query).await;
    }
    let mut inner = shared.inner.lock().unwrap();
    let done = inner.obey(&call, &body);
    drop(inner);
    shared.changed.notify_waiters();
    done
}

impl Inner {
    fn obey(&mut self, call: &Call, body: &[u8]) -> Response {
        let parts: Vec<&str> = call.path.split('/').collect();
        match parts.as_slice() {
            ["client", "versions"] => answer(200, &json!({"versions": ["v1.1", "v1.11"]})),
            ["client", _, "account", "whoami"] => answer(200, &json!({"user_id": BOT, "device_id": "BED"})),
            ["client", _, "keys", "upload"] => answer(200, &json!({"one_time_key_counts": {"signed_curve25519": 50}})),
            ["client", _, "keys", "query"] => answer(200, &json!({"device_keys": {}})),
            ["client", _, "user", _, "filter"] => answer(200, &json!({"filter_id": "1"})),
            ["client", _, "rooms", _, "send", kind, name] => self.send(kind, name, &call.body),
            ["client", _, "rooms", _, "redact", event, name] => {
                let content = json!({"redacts": event});
                self.send("m.room.redaction", name, &content)
            }
            ["client", _, "rooms", _, "typing", _] | ["client", _, "rooms", _, "read_markers"] => {
                answer(200, &json!({}))
            }
            ["client", _, "rooms", _, "relations", ..] => answer(200, &json!({"chunk": []})),
            ["client", _, "media", "config"] => match self.upload_limit {
                Some(limit) => answer(200, &json!({"m.upload.size": limit})),
                None => answer(200, &json!({})),
            },
            ["media", _, "upload"] => {
                let name = format!("media{}", self.media.len() + 1);
                self.media.insert(name.clone(), body.to_vec());
                answer(200, &json!({"content_uri": format!("mxc://bed/{name}")}))
            }
            ["client", _, "media", "download", _, name] | ["media", _, "download", _, name] => {
                match self.media.get(*name) {
                    Some(content) => content.clone().into_response(),
                    None => answer(404, &json!({"errcode": "M_NOT_FOUND", "error": "no such file"})),
                }
            }
            _ => answer(404, &json!({"errcode": "M_NOT_FOUND", "error": "not in this bed"})),
        }
    }

    /// The same name is the same message, as on every homeserver.
    fn send(&mut self, kind: &str, name: &str, content: &Value) -> Response {
        let count = self.by_name.len() + 1;
        let id = self
            .by_name
            .entry(name.to_owned())
            .or_insert_with(|| format!("$bot{count}"))
            .clone();
        if self.sent.iter().all(|shown| shown.id != id) {
            self.sent.push(Shown {
                id: id.clone(),
                kind: kind.to_owned(),
                content: content.clone(),
            });
        }
        answer(200, &json!({"event_id": id}))
    }

    fn news(&self, since: usize) -> Value {
        let state = |kind: &str, key: &str, content: &Value| {
            json!({"event_id": format!("$state-{kind}-{key}"), "sender": ADA, "type": kind, "state_key": key,
                "origin_server_ts": 1, "content": content})
        };
        let joined = |who: &str| {
            state(
                "m.room.member",
                who,
                &json!({"membership": "join", "displayname": "Ada"}),
            )
        };
        let room = json!({
            "summary": {"m.joined_member_count": 2, "m.invited_member_count": 0},
            "state": {"events": [
                state("m.room.create", "", &json!({"room_version": "10", "creator": ADA})),
                joined(ADA),
                joined(BOT),
            ]},
            "timeline": {"events": self.events.get(since..).unwrap_or_default(), "limited": false,
                "prev_batch": format!("s{since}")},
        });
        json!({"next_batch": format!("s{}", self.events.len()), "rooms": {"join": {ROOM: room}},
            "device_one_time_keys_count": {"signed_curve25519": 50}})
    }
}

/// Waits a while for something new.
async fn sync(shared: &Shared, query: &BTreeMap<String, String>) -> Response {
    let since = query
        .get("since")
        .and_then(|since| since.strip_prefix('s')?.parse().ok());
    let since: usize = since.unwrap_or(0);
    let patience: u64 = query.get("timeout").and_then(|wait| wait.parse().ok()).unwrap_or(0);
    let waiting = async {
        loop {
            let changed = shared.changed.notified();
            if shared.inner.lock().unwrap().events.len() > since {
                return;
            }
            changed.await;
        }
    };
    if tokio::time::timeout(Duration::from_millis(patience).min(SYNC_MAX), waiting)
        .await
        .is_err()
    {
        return answer(200, &json!({"next_batch": format!("s{since}")}));
    }
    let news = shared.inner.lock().unwrap().news(since);
    answer(200, &news)
}

fn answer(status: u16, body: &Value) -> Response {
    Response::builder()
        .status(StatusCode::from_u16(status).unwrap())
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .unwrap()
}

/// `%21` is `!`.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}
