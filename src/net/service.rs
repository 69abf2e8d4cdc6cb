//! Servers the household named in its configuration, such as a geo service: asked for JSON, answers capped.
//!
//! Called by `places`, `world` and `speech`. Unlike pages, they may lie in the house. A redirect is not followed, so
//! that a question and its key go to the configured server or nowhere, and no error repeats the question.

use std::time::Duration;

use reqwest::{
    Method, RequestBuilder,
    header::RETRY_AFTER,
    multipart::{Form, Part},
};
use serde_json::Value;
use url::Url;

use super::NetError;
use crate::domain::limits;

/// A configured server.
#[derive(Clone, Debug)]
pub struct Service {
    http: reqwest::Client,
    base: Url,
}

/// One question.
#[derive(Debug, Default)]
pub struct Question<'a> {
    /// Below the server's address, without a leading slash.
    pub path: &'a str,
    /// The query, in order.
    pub query: Vec<(&'static str, String)>,
    /// Headers, such as the key.
    pub headers: Vec<(&'static str, &'a str)>,
    /// Sent as JSON by POST; without it the question is a GET.
    pub body: Option<Value>,
}

/// A file that is sent along.
#[derive(Debug)]
pub struct Attached {
    /// The field of the form that it is.
    pub field: &'static str,
    /// Its name.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What came back, whatever the status.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// How long the server wants to be left alone.
    pub retry_after: Option<Duration>,
    /// At most `limits::PAGE_BYTES_MAX`.
    pub body: Vec<u8>,
}

impl Service {
    /// A server at this address, given at most this long for an answer.
    pub fn new(base: &str, timeout: Duration) -> Result<Self, NetError> {
        let base = Url::parse(base).map_err(|_unusable| NetError::BadAddress(base.to_owned()))?;
        let http = super::client().timeout(timeout).build().map_err(NetError::Client)?;
        Ok(Self { http, base })
    }

    /// Asks once.
    pub async fn ask(&self, question: Question<'_>) -> Result<Answer, NetError> {
        let method = if question.body.is_some() {
            Method::POST
        } else {
            Method::GET
        };
        let mut request = self.http.request(method, self.endpoint(question.path)?);
        request = request.query(&question.query);
        for (name, value) in &question.headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = &question.body {
            request = request.json(body);
        }
        self.answered(request).await
    }

    /// Sends a file with a few words, as a form, once.
    pub async fn send(
        &self,
        path: &str,
        fields: Vec<(&'static str, String)>,
        file: Attached,
    ) -> Result<Answer, NetError> {
        let part = Part::bytes(file.bytes).file_name(file.name);
        let form = Form::new().part(file.field, part);
        let form = fields
            .into_iter()
            .fold(form, |form, (name, value)| form.text(name, value));
        let request = self.http.post(self.endpoint(path)?).multipart(form);
        self.answered(request).await
    }

    async fn answered(&self, request: RequestBuilder) -> Result<Answer, NetError> {
        let mut response = request.send().await.map_err(|source| self.failed(source))?;
        let retry_after = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok()?.trim().parse().ok())
            .map(Duration::from_secs);
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|source| self.failed(source))? {
            if body.len() + chunk.len() > limits::PAGE_BYTES_MAX {
                return Err(NetError::TooLarge(self.base.to_string()));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer {
            status: response.status().as_u16(),
            retry_after,
            body,
        })
    }

    /// The base may have a path of its own, with or without a closing slash.
    fn endpoint(&self, path: &str) -> Result<Url, NetError> {
        let mut url = self.base.clone();
        url.path_segments_mut()
            .map_err(|()| NetError::BadAddress(self.base.to_string()))?
            .pop_if_empty()
            .extend(path.split('/'));
        Ok(url)
    }

    fn failed(&self, source: reqwest::Error) -> NetError {
        super::unreachable(&self.base, source)
    }
}
