//! A Bot API server at the wire, as strict as Telegram's own where our code could be wrong: one poller at a time,
//! offsets confirm, HTML must be balanced, texts and buttons have their limits. Tests push updates, script failures
//! and read what was called; what a chat shows is kept as a person would see it.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
    routing::any,
};
use metnos::config::{Secret, TelegramConfig};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// The token of the one bot.
pub(crate) const TOKEN: &str = "123456:AAtop-secret";
/// Its name.
pub(crate) const BOT: &str = "bed_bot";
/// How long a test waits for something that should happen.
const PATIENCE: Duration = Duration::from_secs(10);

/// One call the bot made.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: String,
    pub(crate) body: Value,
}

/// A message as a chat shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) id: i64,
    pub(crate) text: String,
    pub(crate) is_html: bool,
    pub(crate) reply_to: Option<i64>,
    /// Label and data, row after row.
    pub(crate) buttons: Vec<(String, String)>,
    pub(crate) edits: usize,
    /// What is shown beside text, such as `document a.pdf (3 bytes)` or `venue 41.9,12.5 Da Tonino`.
    pub(crate) media: Vec<String>,
}

/// How a call is made to fail.
#[derive(Clone, Debug)]
pub(crate) enum Failing {
    /// An answer of Telegram's with this code and description.
    Answer(u16, &'static str),
    /// These very letters, which are none of Telegram's.
    Says(&'static str),
    /// 429, asking to wait so many seconds.
    RetryAfter(u64),
    /// The connection breaks and nothing was done.
    DroppedBefore,
    /// It was done, and the connection breaks before the answer.
    DroppedAfter,
    /// It is done after a while.
    Slow(Duration),
    /// It is done at once, and said after a while.
    DoneSlowly(Duration),
}

#[derive(Default)]
struct Inner {
    updates: Vec<Value>,
    update_count: i64,
    message_count: i64,
    query_count: i64,
    open_queries: HashSet<String>,
    calls: Vec<Call>,
    failures: Vec<(String, Failing)>,
    chats: BTreeMap<i64, Vec<Shown>>,
    webhook: Option<String>,
    /// Files that people sent, by handle.
    files: BTreeMap<String, Vec<u8>>,
    poll: u64,
}

#[derive(Default)]
struct Shared {
    inner: Mutex<Inner>,
    changed: Notify,
}

/// The running server; it ends with the test.
pub(crate) struct FakeTelegram {
    pub(crate) url: String,
    shared: Arc<Shared>,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for FakeTelegram {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl FakeTelegram {
    pub(crate) async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let router = Router::new()
            .route("/{bot}/{method}", any(serve))
            .route("/file/{bot}/{*path}", any(give))
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(Arc::clone(&shared));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, shared, server }
    }

    /// The config that leads a bot here.
    pub(crate) fn config(&self) -> TelegramConfig {
        TelegramConfig {
            token: Some(Secret::new(TOKEN.to_owned())),
            token_file: None,
            api_url: self.url.clone(),
            poll_s: 2,
        }
    }

    /// A person writes; returns the message's number.
    pub(crate) fn says(&self, chat: i64, text: &str) -> i64 {
        let mut inner = self.lock();
        inner.message_count += 1;
        let id = inner.message_count;
        let message = json!({"message_id": id, "date": 0, "chat": chat_json(chat), "from": person(chat), "text": text});
        inner.push(json!({"message": message}));
        drop(inner);
        self.shared.changed.notify_waiters();
        id
    }

    /// A person puts a message of theirs otherwise.
    pub(crate) fn edits(&self, chat: i64, message: i64, text: &str) {
        let mut inner = self.lock();
        let date = inner.updates.len();
        let edited = json!({"message_id": message, "date": 0, "edit_date": date, "chat": chat_json(chat),
            "from": person(chat), "text": text});
        inner.push(json!({"edited_message": edited}));
        drop(inner);
        self.shared.changed.notify_waiters();
    }

    /// A person shares where they are.
    pub(crate) fn shares(&self, chat: i64, latitude: f64, longitude: f64) {
        let mut inner = self.lock();
        inner.message_count += 1;
        let id = inner.message_count;
        let location = json!({"latitude": latitude, "longitude": longitude, "horizontal_accuracy": 8.0});
        // Sent just now: an old point would be no answer.
        let date = metnos::clock::Clock::system().now().as_second();
        inner.push(
            json!({"message": {"message_id": id, "date": date, "chat": chat_json(chat),
            "from": person(chat), "location": location}}),
        );
        drop(inner);
        self.shared.changed.notify_waiters();
    }

    /// A person sends a file: `kind` is `document`, `photo` or `voice`. Returns the message's number.
    pub(crate) fn sends(&self, chat: i64, kind: &str, name: &str, content: &[u8], caption: &str) -> i64 {
        let mut inner = self.lock();
        inner.message_count += 1;
        let id = inner.message_count;
        let handle = format!("file{id}");
        inner.files.insert(handle.clone(), content.to_vec());
        let meta = json!({"file_id": handle, "file_unique_id": handle, "file_size": content.len(), "file_name": name,
            "width": 800, "height": 600, "duration": 3, "mime_type": "audio/ogg"});
        let media = if kind == "photo" { json!([meta]) } else { meta };
        let mut message =
            json!({"message_id": id, "date": 0, "chat": chat_json(chat), "from": person(chat), kind: media});
        if !caption.is_empty() {
            message["caption"] = json!(caption);
        }
        inner.push(json!({"message": message}));
        drop(inner);
        self.shared.changed.notify_waiters();
        id
    }

    /// A person sends files together, each a name and its content; the first one comes with words.
    pub(crate) fn sends_together(&self, chat: i64, files: &[(&str, &[u8])], caption: &str) {
        let mut inner = self.lock();
        let album = format!("album{}", inner.message_count);
        for (number, (name, content)) in files.iter().enumerate() {
            inner.message_count += 1;
            let id = inner.message_count;
            let handle = format!("file{id}");
            inner.files.insert(handle.clone(), content.to_vec());
            let file = json!({"file_id": handle, "file_unique_id": handle, "file_size": content.len(),
                "file_name": name});
            let mut message = json!({"message_id": id, "date": 0, "chat": chat_json(chat), "from": person(chat),
                "document": file, "media_group_id": album});
            if number == 0 {
                message["caption"] = json!(caption);
            }
            inner.push(json!({"message": message}));
        }
        drop(inner);
        self.shared.changed.notify_waiters();
    }

    /// The server no longer has what was sent.
    pub(crate) fn forget_files(&self) {
        self.lock().files.clear();
    }

    /// A person taps the newest button of a chat with this label; returns the query's name.
    pub(crate) fn taps(&self, chat: i64, label: &str) -> String {
        let found = self.messages(chat).into_iter().rev().find_map(|shown| {
            let data = shown.buttons.into_iter().find(|(text, _)| text.ends_with(label))?.1;
            Some((shown.id, data))
        });
        let (message, data) = found.unwrap_or_else(|| panic!("no button {label} in chat {chat}"));
        self.taps_data(chat, message, &data)
    }

    /// A tap with any data, as a forged client could send it.
    pub(crate) fn taps_data(&self, chat: i64, message: i64, data: &str) -> String {
        let mut inner = self.lock();
        inner.query_count += 1;
        let query = format!("query{}", inner.query_count);
        inner.open_queries.insert(query.clone());
        let message = json!({"message_id": message, "date": 0, "chat": chat_json(chat)});
        inner.push(json!({"callback_query": {
            "id": query, "from": person(chat), "chat_instance": "c", "message": message, "data": data,
        }}));
        drop(inner);
        self.shared.changed.notify_waiters();
        query
    }

    /// The next `times` calls of a method fail so.
    pub(crate) fn fail(&self, method: &str, times: usize, failing: &Failing) {
        let failures = std::iter::repeat_n((method.to_lowercase(), failing.clone()), times);
        self.lock().failures.extend(failures);
    }

    /// Nothing fails any more.
    pub(crate) fn heal(&self) {
        self.lock().failures.clear();
    }

    pub(crate) fn set_webhook(&self, url: &str) {
        self.lock().webhook = Some(url.to_owned());
    }

    /// The bot's messages in a chat, as they look now.
    pub(crate) fn messages(&self, chat: i64) -> Vec<Shown> {
        self.lock().chats.get(&chat).cloned().unwrap_or_default()
    }

    /// The calls of a method, in order; `""` for all but polls.
    pub(crate) fn calls(&self, method: &str) -> Vec<Call> {
        let wanted = |call: &&Call| match method {
            "" => !call.method.eq_ignore_ascii_case("getUpdates"),
            name => call.method.eq_ignore_ascii_case(name),
        };
        self.lock().calls.iter().filter(wanted).cloned().collect()
    }

    /// Updates the bot has not confirmed.
    pub(crate) fn unconfirmed(&self) -> usize {
        self.lock().updates.len()
    }

    /// Waits until the server shows what the test expects.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let waiting = async {
            while !holds(self) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        if tokio::time::timeout(PATIENCE, waiting).await.is_err() {
            panic!("did not happen: {what}; calls: {:#?}", self.calls(""));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.shared.inner.lock().unwrap()
    }
}

impl Inner {
    fn push(&mut self, mut update: Value) {
        self.update_count += 1;
        update["update_id"] = json!(self.update_count);
        self.updates.push(update);
    }

    fn next_failure(&mut self, method: &str) -> Option<Failing> {
        let index = self.failures.iter().position(|(name, _)| name == method)?;
        Some(self.failures.remove(index).1)
    }

    fn shown(&mut self, body: &Value) -> Option<&mut Shown> {
        let chat = body["chat_id"].as_i64()?;
        let id = body["message_id"].as_i64()?;
        self.chats.get_mut(&chat)?.iter_mut().find(|shown| shown.id == id)
    }

    fn obey(&mut self, method: &str, body: &Value) -> Value {
        match method {
            "getme" => ok(&me()),
            "getwebhookinfo" => ok(&json!({"url": self.webhook.clone().unwrap_or_default(),
                "has_custom_certificate": false, "pending_update_count": self.updates.len()})),
            "sendmessage" => self.send(body),
            "editmessagetext" => self.edit(body),
            "editmessagereplymarkup" => self.edit_markup(body),
            "answercallbackquery" => {
                if self
                    .open_queries
                    .remove(body["callback_query_id"].as_str().unwrap_or_default())
                {
                    ok(&json!(true))
                } else {
                    bad("query is too old and response timeout expired or query ID is invalid")
                }
            }
            "sendphoto" | "senddocument" | "sendvideo" | "sendaudio" | "sendvoice" => {
                let kind = method.trim_start_matches("send");
                self.show_media(body, vec![media(kind, &body[kind])])
            }
            "sendmediagroup" => self.show_album(body),
            "sendlocation" | "sendvenue" => {
                let kind = method.trim_start_matches("send");
                let place = format!(
                    "{kind} {},{} {}",
                    body["latitude"],
                    body["longitude"],
                    text_of(&body["title"])
                );
                self.show_media(body, vec![place.trim().to_owned()])
            }
            "getfile" => {
                let handle = text_of(&body["file_id"]);
                match self.files.get(&handle) {
                    Some(content) if content.len() > 20_000_000 => bad("file is too big"),
                    Some(content) => ok(&json!({"file_id": handle, "file_unique_id": handle,
                        "file_size": content.len(), "file_path": format!("documents/{handle}")})),
                    None => bad("wrong file_id or the file is temporarily unavailable"),
                }
            }
            "deletemessage" => self.delete(body),
            "sendchataction" | "setmycommands" | "deletewebhook" => ok(&json!(true)),
            _ => failed(404, "Not Found"),
        }
    }

    fn send(&mut self, body: &Value) -> Value {
        if let Some(refusal) = refusal(body) {
            return refusal;
        }
        let chat = body["chat_id"].as_i64().unwrap();
        self.message_count += 1;
        let shown = Shown {
            id: self.message_count,
            text: body["text"].as_str().unwrap_or_default().to_owned(),
            is_html: body["parse_mode"] == "HTML",
            reply_to: body["reply_parameters"]["message_id"].as_i64(),
            buttons: buttons(body),
            ..Shown::default()
        };
        let answer = ok(&message_json(chat, &shown));
        self.chats.entry(chat).or_default().push(shown);
        answer
    }

    fn show_media(&mut self, body: &Value, media: Vec<String>) -> Value {
        let Some(chat) = number_of(&body["chat_id"]) else {
            return bad("chat not found");
        };
        let caption = text_of(&body["caption"]);
        if caption.encode_utf16().count() > 1_024 {
            return bad("message caption is too long");
        }
        self.message_count += 1;
        let shown = Shown {
            id: self.message_count,
            text: caption,
            reply_to: body["reply_parameters"]["message_id"].as_i64(),
            media,
            ..Shown::default()
        };
        let answer = ok(&message_json(chat, &shown));
        self.chats.entry(chat).or_default().push(shown);
        answer
    }

    fn show_album(&mut self, body: &Value) -> Value {
        let items = body["media"].as_array().cloned().unwrap_or_default();
        if !(2..=10).contains(&items.len()) {
            return bad("wrong number of messages in the album");
        }
        let named = items.iter().map(|item| {
            let attached = text_of(&item["media"]);
            let file = &body[attached.trim_start_matches("attach://")];
            media(&text_of(&item["type"]), file)
        });
        let mut whole = body.clone();
        whole["caption"] = items.first().map(|item| item["caption"].clone()).unwrap_or_default();
        let answer = self.show_media(&whole, named.collect());
        match answer.get("result").cloned() {
            Some(message) => ok(&json!([message])),
            None => answer,
        }
    }

    fn edit(&mut self, body: &Value) -> Value {
        if let Some(refusal) = refusal(body) {
            return refusal;
        }
        let Some(shown) = self.shown(body) else {
            return bad("message to edit not found");
        };
        let text = body["text"].as_str().unwrap_or_default();
        if shown.text == text && shown.buttons == buttons(body) {
            return not_modified();
        }
        text.clone_into(&mut shown.text);
        shown.is_html = body["parse_mode"] == "HTML";
        shown.buttons = buttons(body);
        shown.edits += 1;
        let shown = shown.clone();
        ok(&message_json(body["chat_id"].as_i64().unwrap(), &shown))
    }

    fn edit_markup(&mut self, body: &Value) -> Value {
        let Some(shown) = self.shown(body) else {
            return bad("message to edit not found");
        };
        if shown.buttons == buttons(body) {
            return not_modified();
        }
        shown.buttons = buttons(body);
        shown.edits += 1;
        let shown = shown.clone();
        ok(&message_json(body["chat_id"].as_i64().unwrap(), &shown))
    }

    /// Ours are shown no more; those of people were never shown, and go all the same.
    fn delete(&mut self, body: &Value) -> Value {
        let (Some(chat), Some(id)) = (body["chat_id"].as_i64(), body["message_id"].as_i64()) else {
            return bad("message to delete not found");
        };
        if !(1..=self.message_count).contains(&id) {
            return bad("message to delete not found");
        }
        self.chats.entry(chat).or_default().retain(|shown| shown.id != id);
        ok(&json!(true))
    }
}

async fn serve(
    State(shared): State<Arc<Shared>>,
    Path((bot, method)): Path<(String, String)>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Response {
    let method = method.to_lowercase();
    if bot != format!("bot{TOKEN}") {
        return answer(&failed(401, "Unauthorized"));
    }
    let content_type = headers
        .get(CONTENT_TYPE)
        .map(|value| value.to_str().unwrap())
        .unwrap_or_default();
    let body: Value = if bytes.is_empty() {
        json!({})
    } else if let Some((_, boundary)) = content_type.split_once("boundary=") {
        multipart(&bytes, boundary)
    } else {
        serde_json::from_slice(&bytes).unwrap()
    };
    let failure = {
        let mut inner = shared.inner.lock().unwrap();
        inner.calls.push(Call {
            method: method.clone(),
            body: body.clone(),
        });
        inner.next_failure(&method)
    };
    match failure {
        None => {}
        Some(Failing::Answer(code, description)) => return answer(&failed(code, description)),
        Some(Failing::Says(letters)) => return letters.into_response(),
        Some(Failing::RetryAfter(seconds)) => {
            let description = format!("Too Many Requests: retry after {seconds}");
            let mut refused = failed(429, &description);
            refused["parameters"] = json!({"retry_after": seconds});
            return answer(&refused);
        }
        Some(Failing::DroppedBefore) => return dropped(),
        Some(Failing::DroppedAfter) => {
            shared.inner.lock().unwrap().obey(&method, &body);
            return dropped();
        }
        Some(Failing::Slow(wait)) => tokio::time::sleep(wait).await,
        Some(Failing::DoneSlowly(wait)) => {
            let result = shared.inner.lock().unwrap().obey(&method, &body);
            tokio::time::sleep(wait).await;
            return answer(&result);
        }
    }
    if method == "getupdates" {
        return answer(&poll(&shared, &body).await);
    }
    let result = shared.inner.lock().unwrap().obey(&method, &body);
    answer(&result)
}

/// The content of a file that somebody sent.
async fn give(State(shared): State<Arc<Shared>>, Path((bot, path)): Path<(String, String)>) -> Response {
    assert_eq!(bot, format!("bot{TOKEN}"));
    let handle = path.rsplit('/').next().unwrap();
    let failure = shared.inner.lock().unwrap().next_failure("download");
    if failure.is_some() {
        return dropped();
    }
    match shared.inner.lock().unwrap().files.get(handle) {
        Some(content) => content.clone().into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The fields of an upload: texts, JSON where it is some, and a file as its name and size. A field that says
/// `attach://x` is the file `x`.
fn multipart(bytes: &[u8], boundary: &str) -> Value {
    let mut body = json!({});
    let text = String::from_utf8_lossy(bytes);
    for part in text.split(&format!("--{boundary}")) {
        let Some((head, content)) = part.split_once("\r\n\r\n") else {
            continue;
        };
        let quoted = |name: &str| {
            let (_, rest) = head.split_once(&format!(" {name}=\""))?;
            rest.split('"').next().map(str::to_owned)
        };
        let content = content.strip_suffix("\r\n").unwrap_or(content);
        let name = quoted("name").unwrap();
        body[&name] = match quoted("filename") {
            Some(file) => json!({"file": file, "bytes": content.len()}),
            None => serde_json::from_str(content).unwrap_or_else(|_| json!(content)),
        };
    }
    let attached: Vec<(String, Value)> = body
        .as_object()
        .unwrap()
        .iter()
        .filter_map(|(name, value)| {
            let file = body.get(value.as_str()?.strip_prefix("attach://")?)?;
            Some((name.clone(), file.clone()))
        })
        .collect();
    for (name, file) in attached {
        body[&name] = file;
    }
    body
}

fn media(kind: &str, file: &Value) -> String {
    format!("{kind} {} ({} bytes)", text_of(&file["file"]), file["bytes"])
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number_of(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

/// A long poll: confirms what is before the offset, and ends the poll that was waiting.
async fn poll(shared: &Shared, body: &Value) -> Value {
    let wait = Duration::from_secs(body["timeout"].as_u64().unwrap_or(0));
    let end = tokio::time::Instant::now() + wait;
    let mine = {
        let mut inner = shared.inner.lock().unwrap();
        if inner.webhook.is_some() {
            return failed(
                409,
                "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete it first",
            );
        }
        if let Some(offset) = body["offset"].as_i64() {
            inner
                .updates
                .retain(|update| update["update_id"].as_i64().unwrap() >= offset);
        }
        inner.poll += 1;
        inner.poll
    };
    shared.changed.notify_waiters();
    loop {
        let changed = shared.changed.notified();
        {
            let inner = shared.inner.lock().unwrap();
            if inner.poll != mine {
                return failed(
                    409,
                    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
                );
            }
            let limit = body["limit"].as_u64().unwrap_or(100);
            let allowed = |update: &&Value| match body["allowed_updates"].as_array() {
                Some(kinds) if !kinds.is_empty() => {
                    kinds.iter().any(|kind| update.get(kind.as_str().unwrap()).is_some())
                }
                _ => true,
            };
            let ready: Vec<Value> = inner
                .updates
                .iter()
                .filter(allowed)
                .take(usize::try_from(limit).unwrap())
                .cloned()
                .collect();
            if !ready.is_empty() || tokio::time::Instant::now() >= end {
                return ok(&json!(ready));
            }
        }
        tokio::select! {
            () = changed => {}
            () = tokio::time::sleep_until(end) => {}
        }
    }
}

fn ok(result: &Value) -> Value {
    json!({"ok": true, "result": result})
}

fn failed(code: u16, description: &str) -> Value {
    json!({"ok": false, "error_code": code, "description": description})
}

fn bad(reason: &str) -> Value {
    failed(400, &format!("Bad Request: {reason}"))
}

fn not_modified() -> Value {
    bad(
        "message is not modified: specified new message content and reply markup are exactly the same as a current \
         content and reply markup of the message",
    )
}

fn answer(body: &Value) -> Response {
    let code = body["error_code"]
        .as_u64()
        .map_or(200, |code| u16::try_from(code).unwrap());
    (StatusCode::from_u16(code).unwrap(), body.to_string()).into_response()
}

/// The connection breaks in the middle of an answer.
fn dropped() -> Response {
    let broken = futures_util::stream::once(async { Err::<Bytes, _>(std::io::Error::other("dropped")) });
    Response::new(Body::from_stream(broken))
}

fn me() -> Value {
    json!({"id": 123_456, "is_bot": true, "first_name": "Bed", "username": BOT, "can_join_groups": true,
        "can_read_all_group_messages": false, "supports_inline_queries": false, "can_connect_to_business": false,
        "has_main_web_app": false})
}

fn person(chat: i64) -> Value {
    json!({"id": chat.unsigned_abs(), "is_bot": false, "first_name": "Ada", "language_code": "en"})
}

fn chat_json(chat: i64) -> Value {
    if chat > 0 {
        json!({"id": chat, "type": "private", "first_name": "Ada"})
    } else {
        json!({"id": chat, "type": "supergroup", "title": "Family"})
    }
}

fn message_json(chat: i64, shown: &Shown) -> Value {
    json!({"message_id": shown.id, "date": 0, "chat": chat_json(chat), "from": me(), "text": shown.text})
}

fn buttons(body: &Value) -> Vec<(String, String)> {
    let rows = body["reply_markup"]["inline_keyboard"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let keys = rows.iter().flat_map(|row| row.as_array().cloned().unwrap_or_default());
    keys.map(|key| {
        (
            key["text"].as_str().unwrap().to_owned(),
            key["callback_data"].as_str().unwrap().to_owned(),
        )
    })
    .collect()
}

/// What Telegram says to a text it would not show.
fn refusal(body: &Value) -> Option<Value> {
    let text = body["text"].as_str().unwrap_or_default();
    let visible = match visible(text, body["parse_mode"] == "HTML") {
        Ok(visible) => visible,
        Err(reason) => return Some(bad(&format!("can't parse entities: {reason}"))),
    };
    if visible.trim().is_empty() {
        return Some(bad("message text is empty"));
    }
    if visible.encode_utf16().count() > 4_096 {
        return Some(bad("message is too long"));
    }
    if buttons(body).iter().any(|(_, data)| data.is_empty() || data.len() > 64) {
        return Some(bad("BUTTON_DATA_INVALID"));
    }
    None
}

/// The characters a person sees; an error for tags that do not match.
fn visible(text: &str, is_html: bool) -> Result<String, String> {
    if !is_html {
        return Ok(text.to_owned());
    }
    let mut seen = String::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        seen.push_str(before);
        let (tag, after) = tag.split_once('>').ok_or("unclosed start tag")?;
        let name = tag
            .trim_start_matches('/')
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned();
        if !["b", "i", "u", "s", "code", "pre", "a"].contains(&name.as_str()) {
            return Err(format!("Unsupported start tag \"{name}\""));
        }
        if !tag.starts_with('/') {
            open.push(name);
        } else if open.pop().is_none_or(|last| last != name) {
            return Err(format!("Unmatched end tag, found \"{name}\""));
        }
        rest = after;
    }
    seen.push_str(rest);
    if let Some(name) = open.pop() {
        return Err(format!("Can't find end tag corresponding to start tag \"{name}\""));
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    Ok(entities
        .iter()
        .fold(seen, |text, (entity, character)| text.replace(entity, character)))
}
