//! What every server with OpenAI's chat completions understands, and how to find out what this one does not.
//!
//! Called by the local server's client and by the online provider of that interface. A server that refuses a field by
//! name did nothing with the question: it is asked in plainer words, and so from then on. An answer that must be JSON
//! is constrained by `response_format`, else by the one tool it is to call, else by the prompt alone.

use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Completion, Jpeg, Prompt,
    http::{Door, Failure, Refusal},
    without_thinking,
};

/// Where it is asked.
pub(super) const PATH: &str = "v1/chat/completions";
/// Fields of llama-server that others may not know, nor need.
const OWN_FIELDS: [&str; 4] = ["chat_template_kwargs", "cache_prompt", "id_slot", "seed"];
/// What a refusal of `response_format` speaks of.
const FORMAT_WORDS: [&str; 2] = ["response_format", "json_schema"];
/// What a refusal of a tool speaks of.
const TOOL_WORDS: [&str; 2] = ["tool", "function"];
/// The newer name of `max_tokens`, which some models insist on.
const NEW_LIMIT: &str = "max_completion_tokens";
/// Each refusal takes one of four things away.
const TRIES_MAX: usize = 5;

/// How an answer is held to its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The answer itself is the JSON.
    ResponseFormat,
    /// The arguments of the one tool are.
    Tool,
    /// It is asked for in words.
    Plain,
}

/// The words a server understands: all of them, until it refuses some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    own_fields: bool,
    form: Form,
    limit: &'static str,
}

impl Dialect {
    /// What a llama-server understands.
    pub(super) const LLAMA: Self = Self {
        own_fields: true,
        form: Form::ResponseFormat,
        limit: "max_tokens",
    };
    /// What an online provider understands.
    pub(super) const ONLINE: Self = Self {
        own_fields: false,
        ..Self::LLAMA
    };

    /// Plainer words after a refusal that names one of these; `None` when it is about something else.
    fn after(self, refusal: &Refusal) -> Option<Self> {
        if !refusal.is_about_form() {
            return None;
        }
        let names = |words: &[&str]| words.iter().any(|word| refusal.words.contains(word));
        if self.own_fields && names(&OWN_FIELDS) {
            return Some(Self {
                own_fields: false,
                ..self
            });
        }
        if self.limit != NEW_LIMIT && names(&[NEW_LIMIT]) {
            return Some(Self {
                limit: NEW_LIMIT,
                ..self
            });
        }
        let form = match self.form {
            Form::ResponseFormat if names(&FORMAT_WORDS) => Form::Tool,
            Form::Tool if names(&TOOL_WORDS) => Form::Plain,
            Form::ResponseFormat | Form::Tool | Form::Plain => return None,
        };
        Some(Self { form, ..self })
    }

    /// Whether llama-server's own fields are understood.
    pub(super) fn has_own_fields(self) -> bool {
        self.own_fields
    }
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    /// The model's name, for servers that hold several.
    pub(super) model: Option<&'a str>,
    /// What is asked.
    pub(super) prompt: &'a Prompt,
    /// A picture beside the words.
    pub(super) picture: Option<Jpeg<'a>>,
    /// Most tokens of the answer, thinking included.
    pub(super) tokens_max: u32,
    /// What the answer is called.
    pub(super) name: &'a str,
    /// Whether the schema is one a grammar can be made of.
    pub(super) is_strict: bool,
}

impl Question<'_> {
    /// The words, or the picture and the words.
    fn user(&self) -> Value {
        match self.picture {
            None => json!(self.prompt.user),
            Some(Jpeg(text)) => json!([
                {"type": "image_url", "image_url": {"url": format!("data:image/jpeg;base64,{text}")}},
                {"type": "text", "text": self.prompt.user}
            ]),
        }
    }

    /// The question in the words a server understands.
    pub(super) fn body(&self, dialect: Dialect) -> Value {
        let mut body = json!({
            "messages": [
                {"role": "system", "content": self.prompt.system},
                {"role": "user", "content": self.user()}
            ],
            "stream": false
        });
        set(&mut body, dialect.limit, json!(self.tokens_max));
        if let Some(model) = self.model {
            set(&mut body, "model", json!(model));
        }
        match (&self.prompt.schema, dialect.form) {
            (Some(schema), Form::ResponseFormat) => {
                let answer = json!({"name": self.name, "strict": self.is_strict, "schema": schema});
                let format = json!({"type": "json_schema", "json_schema": answer});
                set(&mut body, "response_format", format);
            }
            (Some(schema), Form::Tool) => {
                let mut parameters = schema.clone();
                // A tool takes an object, and its schema has to say so.
                set(&mut parameters, "type", json!("object"));
                let function = json!({"name": self.name, "description": DESCRIPTION, "parameters": parameters});
                set(&mut body, "tools", json!([{"type": "function", "function": function}]));
                let choice = json!({"type": "function", "function": {"name": self.name}});
                set(&mut body, "tool_choice", choice);
            }
            (Some(_), Form::Plain) | (None, _) => {}
        }
        body
    }
}

/// What a model is told of the one tool it is to call.
pub(super) const DESCRIPTION: &str = "Takes the whole answer, once.";

/// Asks in the words this server understands, with fewer after a refusal that names one.
pub(super) async fn ask(
    door: &Door<'_>,
    dialect: &Mutex<Dialect>,
    body: impl Fn(Dialect) -> Value,
) -> Result<Vec<u8>, Failure> {
    let mut spoken = *dialect.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 1..TRIES_MAX {
        let refusal = match door.post(&body(spoken)).await {
            Err(Failure::Refused(refusal)) => refusal,
            answered => return answered,
        };
        let Some(plainer) = spoken.after(&refusal) else {
            return Err(Failure::Refused(refusal));
        };
        // Not in its words: they may quote what was sent.
        tracing::warn!(
            status = refusal.status.as_u16(),
            ?plainer,
            "a model server is asked in plainer words"
        );
        *dialect.lock().unwrap_or_else(PoisonError::into_inner) = plainer;
        spoken = plainer;
    }
    door.post(&body(spoken)).await
}

pub(super) fn set(body: &mut Value, name: &str, value: Value) {
    if let Value::Object(fields) = body {
        fields.insert(name.to_owned(), value);
    }
}

/// Reads an answer; `None` when it is not the protocol.
pub(super) fn read(bytes: &[u8], latency_ms: u64, is_json: bool) -> Option<Completion> {
    match serde_json::from_slice::<ChatAnswer>(bytes) {
        Ok(answer) => answer.into_completion(latency_ms, is_json),
        Err(error) => {
            tracing::warn!(%error, "a model server answered something unreadable");
            None
        }
    }
}

#[derive(Deserialize)]
struct ChatAnswer {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Usage,
    #[serde(default)]
    timings: Timings,
}

#[derive(Deserialize)]
struct Choice {
    message: ChoiceMessage,
    #[serde(default)]
    finish_reason: Option<String>,
}

/// `reasoning_content` is left out on purpose: thinking is never an answer.
#[derive(Deserialize)]
struct ChoiceMessage {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<ToolCall>>,
}

#[derive(Deserialize)]
struct ToolCall {
    function: FunctionCall,
}

/// The arguments are JSON in a text; some servers send the JSON itself.
#[derive(Deserialize)]
struct FunctionCall {
    arguments: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Usage {
    prompt_tokens: u64,
    completion_tokens: u64,
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PromptDetails {
    cached_tokens: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Timings {
    cache_n: Option<u64>,
}

impl ChoiceMessage {
    /// What was said: the arguments of the tool, or the text.
    fn said(self) -> String {
        let called = self.tool_calls.into_iter().flatten().next();
        match called.map(|call| call.function.arguments) {
            Some(Value::String(arguments)) => arguments,
            Some(arguments) => arguments.to_string(),
            None => self.content.unwrap_or_default(),
        }
    }
}

impl ChatAnswer {
    fn into_completion(self, latency_ms: u64, is_json: bool) -> Option<Completion> {
        let choice = self.choices.into_iter().next()?;
        let counted = self.usage.prompt_tokens_details.map(|details| details.cached_tokens);
        Some(Completion {
            cut_off: choice.finish_reason.as_deref() == Some("length"),
            text: without_thinking(&choice.message.said(), is_json),
            tokens_in: self.usage.prompt_tokens,
            tokens_cached: counted.or(self.timings.cache_n).unwrap_or(0),
            tokens_out: self.usage.completion_tokens,
            latency_ms,
        })
    }
}
