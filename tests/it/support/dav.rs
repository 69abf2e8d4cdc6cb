//! A server of calendars and address books at the wire: WebDAV over plain HTTP on this machine. It keeps one calendar
//! and one address book in memory and does what the protocol says, as far as metnos asks; what real servers lack or do
//! in their own way is switched on one by one. Shared by every test that needs such a server and no real one.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
};

/// What this server lacks, or does in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quirk {
    /// It does everything.
    None,
    /// It makes something of its own out of what is put, and does not say its version.
    NoEtagAfterPut,
    /// It knows no tokens, and no multiget.
    NoTokens,
    /// It forgot every token it gave.
    ForgetsTokens,
    /// It takes a change for a contradiction that does not say that it is later than the one it answered.
    Contradicts,
    /// It takes one request in so many milliseconds.
    Slow(u64),
    /// It wants to be left alone for an hour.
    Busy,
    /// It takes a request and never answers.
    Hangs,
    /// It answers with what is no answer.
    Garbage,
    /// It sends to another server.
    Elsewhere,
    /// Everything may be read and nothing written.
    ReadOnly,
}

#[derive(Clone, Debug)]
struct Resource {
    etag: u64,
    text: String,
}

#[derive(Debug)]
struct Book {
    quirk: Quirk,
    password: String,
    resources: BTreeMap<String, Resource>,
    /// Every change: its number, what, and whether it is gone since.
    changes: Vec<(u64, String, bool)>,
    next: u64,
    last: Option<Instant>,
    asked: Vec<String>,
}

/// The server. Its user is `anna`, her password `right`.
pub(crate) struct FakeDav {
    pub(crate) url: String,
    book: Arc<Mutex<Book>>,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for FakeDav {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The collections there are.
const CALENDAR: &str = "/anna/home/";
const PEOPLE: &str = "/anna/people/";

impl FakeDav {
    pub(crate) async fn start(quirk: Quirk) -> Self {
        let book = Arc::new(Mutex::new(Book {
            quirk,
            password: "right".to_owned(),
            resources: BTreeMap::new(),
            changes: Vec::new(),
            next: 1,
            last: None,
            asked: Vec::new(),
        }));
        let router = Router::new().fallback(serve).with_state(Arc::clone(&book));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, book, server }
    }

    /// What it does from now on.
    pub(crate) fn becomes(&self, quirk: Quirk) {
        self.book.lock().unwrap().quirk = quirk;
    }

    /// Her password is another one now.
    pub(crate) fn changes_password(&self) {
        "other".clone_into(&mut self.book.lock().unwrap().password);
    }

    /// Somebody else puts something there.
    pub(crate) fn put(&self, path: &str, text: &str) {
        let mut book = self.book.lock().unwrap();
        let number = book.number();
        book.changes.push((number, path.to_owned(), false));
        let text = text.to_owned();
        book.resources.insert(path.to_owned(), Resource { etag: number, text });
    }

    /// Somebody else removes something.
    pub(crate) fn remove(&self, path: &str) {
        let mut book = self.book.lock().unwrap();
        let number = book.number();
        book.changes.push((number, path.to_owned(), true));
        book.resources.remove(path);
    }

    /// What is there: path and text.
    pub(crate) fn texts(&self) -> Vec<(String, String)> {
        let book = self.book.lock().unwrap();
        let all = book.resources.iter();
        all.map(|(path, one)| (path.clone(), one.text.clone())).collect()
    }

    /// The requests since this was last asked: method and path.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.book.lock().unwrap().asked)
    }
}

impl Book {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

async fn serve(State(book): State<Arc<Mutex<Book>>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = String::from_utf8(to_bytes(body, 1 << 20).await.unwrap().to_vec()).unwrap();
    let (method, path) = (parts.method.to_string(), parts.uri.path().to_owned());
    let quirk = {
        let mut book = book.lock().unwrap();
        book.asked.push(format!("{method} {path}"));
        book.quirk
    };
    match quirk {
        Quirk::Hangs => std::future::pending::<()>().await,
        Quirk::Garbage => return (StatusCode::OK, "<html><body>Log in</body>").into_response(),
        Quirk::Busy => return waiting(3_600),
        Quirk::Elsewhere => {
            let to = [("location", format!("http://127.0.0.2:1{path}"))];
            return (StatusCode::MOVED_PERMANENTLY, to).into_response();
        }
        Quirk::Slow(gap_ms) => {
            let mut book = book.lock().unwrap();
            let last = book.last.replace(Instant::now());
            if last.is_some_and(|last| last.elapsed() < Duration::from_millis(gap_ms)) {
                return waiting(1);
            }
        }
        Quirk::None
        | Quirk::NoEtagAfterPut
        | Quirk::NoTokens
        | Quirk::ForgetsTokens
        | Quirk::Contradicts
        | Quirk::ReadOnly => {}
    }
    let mut book = book.lock().unwrap();
    if !is_known(&book, &parts.headers) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let heard = |name: &str| parts.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    match method.as_str() {
        "PROPFIND" => propfind(&book, &path, heard("depth").as_deref() == Some("1")),
        "REPORT" => report(&book, &path, &body),
        "GET" => match book.resources.get(&path) {
            Some(one) => ([("etag", tag(one))], one.text.clone()).into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        },
        "PUT" => put(
            &mut book,
            &path,
            body,
            heard("if-match").as_deref(),
            heard("if-none-match").is_some(),
        ),
        "DELETE" => delete(&mut book, &path, heard("if-match")),
        _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
    }
}

fn waiting(seconds: u64) -> Response {
    (StatusCode::TOO_MANY_REQUESTS, [("retry-after", seconds.to_string())]).into_response()
}

fn is_known(book: &Book, headers: &HeaderMap) -> bool {
    // `anna:right` and `anna:other`, as HTTP writes them.
    let expected = match book.password.as_str() {
        "right" => "Basic YW5uYTpyaWdodA==",
        _ => "Basic YW5uYTpvdGhlcg==",
    };
    headers.get("authorization").is_some_and(|value| value == expected)
}

fn tag(one: &Resource) -> String {
    format!("\"v{}\"", one.etag)
}

fn multi(responses: &str, token: Option<u64>) -> Response {
    let token = token.map_or_else(String::new, |token| format!("<d:sync-token>t{token}</d:sync-token>"));
    let body = format!(
        "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:caldav\" \
         xmlns:a=\"urn:ietf:params:xml:ns:carddav\">{responses}{token}</d:multistatus>"
    );
    let kind = [("content-type", "application/xml")];
    (StatusCode::MULTI_STATUS, kind, Body::from(body)).into_response()
}

fn found(path: &str, props: &str) -> String {
    format!(
        "<d:response><d:href>{path}</d:href><d:propstat><d:prop>{props}</d:prop>\
         <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
    )
}

fn collection(book: &Book, path: &str) -> String {
    let (kind, name) = if path == CALENDAR {
        ("<c:calendar/>", "Home")
    } else {
        ("<a:addressbook/>", "People")
    };
    let token = if book.quirk == Quirk::NoTokens {
        String::new()
    } else {
        format!("<d:sync-token>t{}</d:sync-token>", book.next)
    };
    let right = if book.quirk == Quirk::ReadOnly {
        "<d:read/>"
    } else {
        "<d:all/>"
    };
    let props = format!(
        "<d:resourcetype><d:collection/>{kind}</d:resourcetype><d:displayname>{name}</d:displayname>{token}\
         <d:current-user-privilege-set><d:privilege>{right}</d:privilege></d:current-user-privilege-set>"
    );
    found(path, &props)
}

fn listed(book: &Book, below: &str) -> String {
    let mut all = String::new();
    for (path, one) in book.resources.iter().filter(|(path, _)| path.starts_with(below)) {
        all.push_str(&found(path, &format!("<d:getetag>{}</d:getetag>", tag(one))));
    }
    all
}

fn propfind(book: &Book, path: &str, is_deep: bool) -> Response {
    match (path, is_deep) {
        ("/" | "/.well-known/caldav" | "/.well-known/carddav", _) => multi(
            &found(
                path,
                "<d:current-user-principal><d:href>/anna/</d:href></d:current-user-principal>",
            ),
            None,
        ),
        ("/anna/", false) => multi(
            &found(
                path,
                "<c:calendar-home-set><d:href>/anna/</d:href></c:calendar-home-set>\
                 <a:addressbook-home-set><d:href>/anna/</d:href></a:addressbook-home-set>",
            ),
            None,
        ),
        ("/anna/", true) => multi(&(collection(book, CALENDAR) + collection(book, PEOPLE).as_str()), None),
        (CALENDAR | PEOPLE, false) => multi(&collection(book, path), None),
        (CALENDAR | PEOPLE, true) => multi(&(collection(book, path) + listed(book, path).as_str()), None),
        (_, _) => StatusCode::NOT_FOUND.into_response(),
    }
}

fn report(book: &Book, path: &str, body: &str) -> Response {
    let between = |text: &str, from: &str, to: &str| {
        let (_, rest) = text.split_once(from)?;
        Some(rest.split_once(to)?.0.to_owned())
    };
    if body.contains("sync-collection") {
        if book.quirk == Quirk::NoTokens {
            return StatusCode::FORBIDDEN.into_response();
        }
        let token = between(body, "<D:sync-token>", "</D:sync-token>").unwrap();
        if token.is_empty() {
            return multi(&listed(book, path), Some(book.next));
        }
        if book.quirk == Quirk::ForgetsTokens {
            return StatusCode::FORBIDDEN.into_response();
        }
        let since: u64 = token.trim_start_matches('t').parse().unwrap();
        let mut all = String::new();
        for (_, changed, is_gone) in book.changes.iter().filter(|(number, _, _)| *number > since) {
            match book.resources.get(changed) {
                Some(one) if !is_gone => all.push_str(&found(changed, &format!("<d:getetag>{}</d:getetag>", tag(one)))),
                Some(_) => {}
                None => write!(
                    all,
                    "<d:response><d:href>{changed}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>"
                )
                .unwrap(),
            }
        }
        return multi(&all, Some(book.next));
    }
    if body.contains("multiget") {
        if book.quirk == Quirk::NoTokens {
            return StatusCode::NOT_IMPLEMENTED.into_response();
        }
        let data = if path == CALENDAR {
            "c:calendar-data"
        } else {
            "a:address-data"
        };
        let mut all = String::new();
        for part in body.split("<D:href>").skip(1) {
            let href = part.split_once("</D:href>").unwrap().0;
            if let Some(one) = book.resources.get(href) {
                let text = one
                    .text
                    .replace('&', "&amp;")
                    .replace('<', "&lt;")
                    .replace('\r', "&#13;");
                let etag = tag(one);
                all.push_str(&found(
                    href,
                    &format!("<d:getetag>{etag}</d:getetag><{data}>{text}</{data}>"),
                ));
            }
        }
        return multi(&all, None);
    }
    if book.quirk == Quirk::NoTokens {
        return StatusCode::NOT_IMPLEMENTED.into_response();
    }
    multi(&listed(book, path), None)
}

fn put(book: &mut Book, path: &str, body: String, version: Option<&str>, is_new: bool) -> Response {
    if book.quirk == Quirk::ReadOnly {
        return StatusCode::FORBIDDEN.into_response();
    }
    let there = book.resources.get(path);
    let fits = match (there, version) {
        (None, None) => is_new,
        (Some(one), Some(version)) => tag(one) == version,
        (_, _) => false,
    };
    if !fits {
        return StatusCode::PRECONDITION_FAILED.into_response();
    }
    let sequence = |text: &str| -> u32 {
        let lines = text.lines().filter_map(|line| line.strip_prefix("SEQUENCE:"));
        lines
            .filter_map(|number| number.trim().parse().ok())
            .max()
            .unwrap_or_default()
    };
    let is_later = there.is_none_or(|one| sequence(&body) > sequence(&one.text) + 1);
    if book.quirk == Quirk::Contradicts && !is_later {
        return StatusCode::CONFLICT.into_response();
    }
    let was_there = there.is_some();
    let number = book.number();
    let text = if book.quirk == Quirk::NoEtagAfterPut {
        body.replace("END:VEVENT", "X-SERVER:was here\r\nEND:VEVENT")
    } else {
        body
    };
    let one = Resource { etag: number, text };
    let etag = tag(&one);
    book.changes.push((number, path.to_owned(), false));
    book.resources.insert(path.to_owned(), one);
    let status = if was_there {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::CREATED
    };
    if book.quirk == Quirk::NoEtagAfterPut {
        status.into_response()
    } else {
        (status, [("etag", etag)]).into_response()
    }
}

fn delete(book: &mut Book, path: &str, version: Option<String>) -> Response {
    let Some(one) = book.resources.get(path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if version.is_none_or(|version| version != tag(one)) {
        return StatusCode::PRECONDITION_FAILED.into_response();
    }
    let number = book.number();
    book.changes.push((number, path.to_owned(), true));
    book.resources.remove(path);
    StatusCode::NO_CONTENT.into_response()
}
