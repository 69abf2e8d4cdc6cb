//! `get_urls` and `read_urls_html`: what a web address returns, as it is or as readable text. `fetched` brings the
//! pages in our own process, through `net`, which alone decides where that may go; what strangers wrote is read in the
//! sandboxed one, which has no way out at all.

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    Call,
    batch::{Batch, Failure},
    files::documents,
    internal, object,
};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        limits,
        message::Message,
        run::ToolResult,
    },
    net::{self, Page},
};

/// Most bytes all pages of one step may have together: the step's own output is capped.
const ALL_BYTES_MAX: usize = 3 * limits::PAGE_BYTES_MAX / 2;
/// Most text of one document at an address.
const PAGE_TEXT_BYTES_MAX: u64 = 1_000_000;
/// The name under which the pages of a call are handed over. No plan can set it: it is no argument of any manifest.
const PAGES_ARG: &str = "_pages";
/// JSON longer than this is given as data, and as text only in its beginning.
const JSON_TEXT_BYTES_MAX: usize = 256 * 1_024;

/// Fetches addresses as they are; JSON is also parsed.
pub(super) fn get_urls(call: &Call) -> Result<ToolResult, ToolError> {
    let (batch, mut body) = fetch_all(call, |_, page| Ok(raw_entry(page)))?;
    body.insert("content".to_owned(), json!(joined(&batch.done, "content")));
    lift(&batch.done, &["url", "status", "content_type", "data"], &mut body);
    Ok(batch.finish("entries", body))
}

/// One text of all entries.
fn joined(entries: &[Value], name: &str) -> String {
    let texts: Vec<&str> = entries.iter().filter_map(|entry| entry.get(name)?.as_str()).collect();
    texts.join("\n\n")
}

/// Fields of the only entry, so that a plan can name them without a list.
fn lift(entries: &[Value], names: &[&str], body: &mut Map<String, Value>) {
    let [only] = entries else {
        return;
    };
    for name in names {
        if let Some(value) = only.get(*name) {
            body.insert((*name).to_owned(), value.clone());
        }
    }
}

fn raw_entry(page: &Page) -> Value {
    let mut content = page.text();
    let mut entry = object(json!({
        "url": page.url,
        "status": page.status,
        "content_type": page.content_type,
    }));
    if page.is_json()
        && let Ok(data) = serde_json::from_str::<Value>(&content)
    {
        entry.insert("data".to_owned(), data);
        if content.len() > JSON_TEXT_BYTES_MAX {
            content.truncate(content.floor_char_boundary(JSON_TEXT_BYTES_MAX));
            entry.insert("truncated".to_owned(), json!(true));
        }
    }
    entry.insert("content".to_owned(), Value::String(content));
    Value::Object(entry)
}

/// Fetches pages and keeps what a person would read.
pub(super) fn read_urls_html(call: &Call) -> Result<ToolResult, ToolError> {
    let (batch, mut body) = fetch_all(call, readable_entry)?;
    body.insert("text".to_owned(), json!(joined(&batch.done, "text")));
    lift(&batch.done, &["url", "title"], &mut body);
    Ok(batch.finish("entries", body))
}

fn readable_entry(address: &str, page: &Page) -> Result<Value, Failure> {
    let content = page.text();
    if !page.is_html() {
        let is_text = page.content_type.starts_with("text/") || page.is_json() || page.content_type.is_empty();
        if let Some(text) = document_text(&page.body) {
            return Ok(json!({"url": page.url, "title": "", "text": text}));
        }
        return if is_text {
            Ok(json!({"url": page.url, "title": "", "text": content}))
        } else {
            Err(page_failure(
                address,
                ErrorClass::InvalidArgs,
                "executors-page-not-text",
            ))
        };
    }
    let config = dom_smoothie::Config {
        text_mode: dom_smoothie::TextMode::Formatted,
        ..dom_smoothie::Config::default()
    };
    let article = dom_smoothie::Readability::new(content.as_str(), Some(&page.url), Some(config))
        .and_then(|mut readability| readability.parse());
    match article {
        Ok(article) if !article.text_content.trim().is_empty() => Ok(json!({
            "url": page.url,
            "title": article.title.trim(),
            "text": article.text_content.trim(),
        })),
        Ok(_) | Err(_) => Err(page_failure(address, ErrorClass::NotFound, "executors-page-empty")),
    }
}

/// What a PDF or another document at an address says; `None` where it is none, or says nothing.
fn document_text(bytes: &[u8]) -> Option<String> {
    if !documents::is_document(bytes) {
        return None;
    }
    let document = metnos_documents::read(bytes, None, &documents::bounds(PAGE_TEXT_BYTES_MAX)).ok()?;
    let texts: Vec<&str> = document.parts.iter().map(|part| part.text.trim()).collect();
    let text = texts.join("\n\n");
    (!text.trim().is_empty()).then_some(text)
}

fn page_failure(address: &str, class: ErrorClass, key: &str) -> Failure {
    Failure {
        field: "url",
        target: address.to_owned(),
        error: Box::new(ToolError::new(class, Message::new(key).with("url", address))),
        mismatch: None,
    }
}

/// What came of one address, on its way to the process that reads it.
#[derive(Debug, Serialize, Deserialize)]
struct Fetched {
    address: String,
    page: Result<Sheet, ToolError>,
}

/// A page on that way: each byte of its body as the character of that number.
#[derive(Debug, Serialize, Deserialize)]
struct Sheet {
    url: String,
    status: u16,
    content_type: String,
    body: String,
}

impl From<Page> for Sheet {
    fn from(page: Page) -> Self {
        Self {
            url: page.url,
            status: page.status,
            content_type: page.content_type,
            body: page.body.into_iter().map(char::from).collect(),
        }
    }
}

impl From<Sheet> for Page {
    fn from(sheet: Sheet) -> Self {
        let bytes = sheet
            .body
            .chars()
            .map(|character| u8::try_from(character).unwrap_or_default());
        Self {
            url: sheet.url,
            status: sheet.status,
            content_type: sheet.content_type,
            body: bytes.collect(),
        }
    }
}

/// The call with the pages of its addresses beside them, all fetched at the same time. Runs in our own process: the one
/// that reads them opens no socket.
pub(super) async fn fetched(mut call: Call) -> Result<Call, ToolError> {
    let (addresses, _) = addresses(&call)?;
    let trusted: &[String] = if call.context.is_host {
        &call.context.trusted_urls
    } else {
        &[]
    };
    let pages = join_all(addresses.iter().map(|address| net::fetch(address, trusted))).await;
    let fetched = addresses.into_iter().zip(pages).map(|(address, page)| Fetched {
        address,
        page: page.map(Sheet::from).map_err(|error| error.to_tool_error()),
    });
    let fetched: Vec<Fetched> = fetched.collect();
    call.args.insert(PAGES_ARG.to_owned(), json!(fetched));
    Ok(call)
}

/// The addresses that are asked, and how many were given.
fn addresses(call: &Call) -> Result<(Vec<String>, usize), ToolError> {
    let mut addresses = call.texts("urls")?;
    let available = addresses.len();
    addresses.truncate(limits::URLS_PER_STEP_MAX);
    Ok((addresses, available))
}

/// Makes an entry of every page; the second value says what was left out.
fn fetch_all(
    call: &Call,
    entry: impl Fn(&str, &Page) -> Result<Value, Failure>,
) -> Result<(Batch, Map<String, Value>), ToolError> {
    let (addresses, available) = addresses(call)?;
    let given = call.args.get(PAGES_ARG).cloned().unwrap_or_default();
    let fetched: Vec<Fetched> =
        serde_json::from_value(given).map_err(|error| internal(format!("the pages were not handed over: {error}")))?;
    let mut batch = Batch::default();
    let mut bytes = 0;
    for Fetched { address, page } in fetched {
        let page = page.map(Page::from);
        bytes += page.as_ref().map_or(0, |page| page.body.len());
        batch.push(match page {
            Ok(_) if bytes > ALL_BYTES_MAX => {
                Err(page_failure(&address, ErrorClass::TooLarge, "executors-url-too-much"))
            }
            Ok(page) => entry(&address, &page),
            Err(error) => Err(Failure {
                field: "url",
                target: address.clone(),
                error: Box::new(error),
                mismatch: None,
            }),
        });
    }
    let mut others = object(json!({"used": addresses.len(), "available_total": available}));
    if addresses.len() < available {
        others.insert("truncated".to_owned(), json!(true));
    }
    Ok((batch, others))
}
