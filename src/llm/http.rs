//! The way to any model server: one POST of JSON, one answer of bounded size.
//!
//! Called by the clients of this folder alone. Only a connection that could not be made is tried again; a request that
//! reached the server never is, as it may be expensive and may still be running. Redirects and proxies are not
//! followed: a prompt goes to the configured machine or nowhere. What is sent, keys included, reaches no log.

use std::time::{Duration, Instant};

use reqwest::{
    Response, StatusCode,
    header::{HeaderMap, RETRY_AFTER},
    redirect::Policy,
};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

/// Waits before the second and the third try of a connection that was refused.
const CONNECT_RETRY_WAITS: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Most bytes of one answer.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Most characters kept of the server's own words about an error.
const ERROR_CHARS_MAX: usize = 300;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// Nobody listens, or the connection broke.
    Unreachable(reqwest::Error),
    /// No answer in time.
    Timeout {
        /// The limit.
        seconds: u64,
    },
    /// It refused the request.
    Refused(Refusal),
    /// The answer is too long, or is not the protocol.
    Unreadable,
}

/// A server's no.
#[derive(Debug)]
pub(super) struct Refusal {
    /// HTTP status.
    pub(super) status: StatusCode,
    /// What it calls the error, if it does.
    pub(super) kind: String,
    /// Its own words, cut.
    pub(super) words: String,
    /// Seconds it wants to be left alone.
    pub(super) retry_after_s: Option<u64>,
}

impl Refusal {
    /// It is about the form of the question, not about the question.
    pub(super) fn is_about_form(&self) -> bool {
        [StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY].contains(&self.status)
    }
}

/// A client for one server.
pub(super) fn client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(Policy::none())
        .no_proxy()
        .build()
}

/// A base address, or what is wrong with it.
pub(super) fn parse_base(address: &str) -> Result<Url, String> {
    let url = Url::parse(address).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("it must begin with http:// or https://".to_owned());
    }
    Ok(url)
}

/// The base may have a path of its own, with or without a closing slash and with or without the version, `v1`.
pub(super) fn endpoint(base: &Url, path: &str) -> Option<Url> {
    let mut url = base.clone();
    {
        let has_version = base.path().trim_end_matches('/').ends_with("/v1");
        let path = path.strip_prefix("v1/").filter(|_| has_version).unwrap_or(path);
        let mut segments = url.path_segments_mut().ok()?;
        segments.pop_if_empty();
        segments.extend(path.split('/'));
    }
    Some(url)
}

/// Where and how something is asked.
#[derive(Debug)]
pub(super) struct Door<'a> {
    pub(super) http: &'a reqwest::Client,
    pub(super) url: Url,
    /// A key among them is marked as sensitive.
    pub(super) headers: HeaderMap,
    /// Longest wait for the whole answer.
    pub(super) timeout: Duration,
}

impl Door<'_> {
    /// Asks once.
    pub(super) async fn post(&self, body: &Value) -> Result<Vec<u8>, Failure> {
        let deadline = Instant::now() + self.timeout;
        let mut waits = CONNECT_RETRY_WAITS.into_iter();
        let response = loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let request = self.http.post(self.url.clone()).headers(self.headers.clone());
            match request.json(body).timeout(left).send().await {
                Ok(response) => break response,
                // A refused connection reached nobody: trying again cannot do anything twice.
                Err(error) if error.is_connect() && !error.is_timeout() => match waits.next() {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => return Err(transport(self.timeout, error)),
                },
                Err(error) => return Err(transport(self.timeout, error)),
            }
        };
        read(self.timeout, response).await
    }
}

fn transport(timeout: Duration, source: reqwest::Error) -> Failure {
    if source.is_timeout() && !source.is_connect() {
        return Failure::Timeout {
            seconds: timeout.as_secs(),
        };
    }
    Failure::Unreachable(source.without_url())
}

pub(super) async fn read(timeout: Duration, mut response: Response) -> Result<Vec<u8>, Failure> {
    let status = response.status();
    let retry_after_s = response
        .headers()
        .get(RETRY_AFTER)
        .and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| transport(timeout, error))? {
        if bytes.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(Failure::Unreadable);
        }
        bytes.extend_from_slice(&chunk);
    }
    if status.is_success() {
        return Ok(bytes);
    }
    let (kind, words) = match serde_json::from_slice::<ErrorAnswer>(&bytes) {
        Ok(answer) => (
            answer.error.kind.unwrap_or_default(),
            answer.error.message.unwrap_or_default(),
        ),
        Err(_not_json) => (String::new(), String::from_utf8_lossy(&bytes).into_owned()),
    };
    Err(Failure::Refused(Refusal {
        status,
        kind,
        words: words.chars().take(ERROR_CHARS_MAX).collect(),
        retry_after_s,
    }))
}

#[derive(Deserialize)]
struct ErrorAnswer {
    error: ErrorBody,
}

#[derive(Deserialize)]
struct ErrorBody {
    #[serde(default)]
    message: Option<String>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_have_a_path_of_its_own() {
        for (base, expected) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/models"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/models"),
            ("https://box.example/llm/", "https://box.example/llm/v1/models"),
            ("https://box.example/llm/v1/", "https://box.example/llm/v1/models"),
            ("https://box.example/v1", "https://box.example/v1/models"),
        ] {
            let base = parse_base(base).unwrap();
            assert_eq!(endpoint(&base, "v1/models").unwrap().as_str(), expected);
        }
    }

    #[test]
    fn what_is_no_web_address_is_refused_at_the_start() {
        for address in ["", "127.0.0.1:8080", "localhost:8080", "file:///tmp/x", "ftp://box"] {
            assert!(parse_base(address).is_err(), "{address}");
        }
    }
}
