//! A narrow door to servers of the Model Context Protocol (MCP): which tools they have, and calls of them. Used by
//! `executors::servers` of the program, which starts the servers and holds the connections. What a server says is
//! data: this crate shows it, believes none of its hints, and follows no link of it.

use std::{collections::BTreeMap, pin::Pin, time::Duration};

use rmcp::{
    ServiceExt,
    model::{CallToolRequestParams, ContentBlock},
    service::{RoleClient, RunningService, ServiceError},
    transport::streamable_http_client::{StreamableHttpClientTransport, StreamableHttpClientTransportConfig},
};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncWrite};

/// How long a server may take to say hello, and to list its tools.
pub const HELLO_TIME: Duration = Duration::from_secs(20);
/// Most tools of one server that are looked at.
pub const TOOLS_MAX: usize = 500;
/// Most characters of an answer that are kept.
pub const ANSWER_CHARS_MAX: usize = 200_000;

/// A future whose type stays in this crate, so that what calls it compiles fast.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Why a server did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It cannot be reached, or is no such server.
    #[error("no MCP server answers: {0}")]
    NoServer(String),
    /// It was gone before it answered; whether it did something is not known.
    #[error("the server was gone before it answered")]
    Gone,
    /// It refused the call before it did anything: no such tool, or not with these arguments.
    #[error("the server refused: {0}")]
    Refused(String),
    /// It took too long; whether it did something is not known.
    #[error("the server did not answer in time")]
    Late,
    /// It answered something else than the protocol says.
    #[error("the server answered something that is no answer")]
    Garbled,
}

/// A tool as its server tells of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name at its server.
    pub name: String,
    /// What it says it does.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub schema: Value,
}

impl Tool {
    /// SHA-256, in hex, over everything that was seen when it was admitted: its name, what it says, its schema. The
    /// schema's keys are in order, however the server writes them.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for part in [&self.name, &self.description, &ordered(&self.schema).to_string()] {
            hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            hash.update(part.as_bytes());
        }
        let bytes = hash.finalize();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The same value with the keys of all objects in order.
fn ordered(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let sorted: BTreeMap<&String, Value> = fields.iter().map(|(name, value)| (name, ordered(value))).collect();
            sorted.into_iter().map(|(name, value)| (name.clone(), value)).collect()
        }
        Value::Array(items) => items.iter().map(ordered).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

/// What a tool answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Its texts, one below the other.
    pub text: String,
    /// The same as a value, where it gives one.
    pub value: Option<Value>,
    /// It says that it failed.
    pub is_error: bool,
    /// Parts that are no text and were left out: pictures, sounds, files.
    pub left_out: usize,
    /// The text went on.
    pub is_cut: bool,
}

/// A server one talks to.
pub struct Session {
    running: RunningService<RoleClient, ()>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("is_open", &self.is_open()).finish()
    }
}

/// Says hello to a server at the other end of two pipes.
pub fn over<'a, R, W>(reader: R, writer: W) -> Boxed<'a, Result<Session, Failure>>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    Box::pin(async move { hello(().serve((reader, writer))).await })
}

/// Says hello to a server at an address, with what it wants to see first. No redirect is followed.
pub fn at(address: &str, token: Option<String>) -> Boxed<'_, Result<Session, Failure>> {
    Box::pin(async move {
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(HELLO_TIME)
            .build()
            .map_err(|error| Failure::NoServer(error.to_string()))?;
        let mut config = StreamableHttpClientTransportConfig::with_uri(address);
        config.auth_header = token;
        hello(().serve(StreamableHttpClientTransport::with_client(client, config))).await
    })
}

async fn hello<E: std::fmt::Display>(
    greeting: impl Future<Output = Result<RunningService<RoleClient, ()>, E>>,
) -> Result<Session, Failure> {
    match tokio::time::timeout(HELLO_TIME, greeting).await {
        Ok(Ok(running)) => Ok(Session { running }),
        Ok(Err(error)) => Err(Failure::NoServer(error.to_string())),
        Err(_elapsed) => Err(Failure::NoServer("it says nothing".to_owned())),
    }
}

impl Session {
    /// Whether the server is still there, as far as is known.
    pub fn is_open(&self) -> bool {
        !self.running.is_closed() && !self.running.is_transport_closed()
    }

    /// All its tools.
    pub fn tools(&self) -> Boxed<'_, Result<Vec<Tool>, Failure>> {
        Box::pin(async move {
            let listed = tokio::time::timeout(HELLO_TIME, self.running.list_all_tools()).await;
            let listed = listed
                .map_err(|_elapsed| Failure::Late)?
                .map_err(|error| told(&error))?;
            let tools = listed.into_iter().take(TOOLS_MAX).map(|tool| Tool {
                name: tool.name.into_owned(),
                description: tool.description.unwrap_or_default().into_owned(),
                schema: Value::Object(tool.input_schema.as_ref().clone()),
            });
            Ok(tools.collect())
        })
    }

    /// Calls a tool. Nothing of it is tried again.
    pub fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Map<String, Value>,
        limit: Duration,
    ) -> Boxed<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
            let answered = tokio::time::timeout(limit, self.running.call_tool(call)).await;
            let result = answered
                .map_err(|_elapsed| Failure::Late)?
                .map_err(|error| told(&error))?;
            let mut answer = Answer {
                value: result.structured_content,
                is_error: result.is_error.unwrap_or_default(),
                ..Answer::default()
            };
            for part in &result.content {
                match part {
                    ContentBlock::Text(part) => answer.add(&part.text),
                    ContentBlock::Image(_)
                    | ContentBlock::Audio(_)
                    | ContentBlock::Resource(_)
                    | ContentBlock::ResourceLink(_)
                    | _ => answer.left_out += 1,
                }
            }
            Ok(answer)
        })
    }

    /// Says goodbye.
    pub fn close(self) -> Boxed<'static, ()> {
        Box::pin(async move {
            if let Err(error) = self.running.cancel().await {
                tracing::debug!(%error, "a server of tools did not end its session");
            }
        })
    }
}

impl Answer {
    fn add(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let room = ANSWER_CHARS_MAX.saturating_sub(self.text.chars().count());
        self.is_cut |= text.chars().count() > room;
        self.text.extend(text.chars().take(room));
    }
}

fn told(error: &ServiceError) -> Failure {
    match error {
        ServiceError::McpError(error) => Failure::Refused(error.message.to_string()),
        ServiceError::TransportSend(_) | ServiceError::TransportClosed | ServiceError::Cancelled { .. } => {
            Failure::Gone
        }
        ServiceError::Timeout { .. } => Failure::Late,
        ServiceError::UnexpectedResponse
        | ServiceError::SubscriptionLagged { .. }
        | ServiceError::InputRequiredRoundsExceeded { .. }
        | _ => Failure::Garbled,
    }
}

#[cfg(test)]
mod tests;
