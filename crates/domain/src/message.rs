//! A sentence not yet spoken: the key of a text in `locales/` and its values.
//! The engine and the executors return these; only `i18n` turns them into words.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ids::MessageKey;

/// A value inside a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MessageArg {
    /// A number: formatted by the language, and usable for plurals.
    Number(f64),
    /// A text, shown as it is.
    Text(String),
    /// Another sentence, spoken inside this one.
    Message(Message),
}

impl From<&str> for MessageArg {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for MessageArg {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<usize> for MessageArg {
    #[expect(clippy::cast_precision_loss, reason = "counts shown to people stay far below 2^52")]
    fn from(number: usize) -> Self {
        Self::Number(number as f64)
    }
}

impl From<u64> for MessageArg {
    #[expect(clippy::cast_precision_loss, reason = "counts shown to people stay far below 2^52")]
    fn from(number: u64) -> Self {
        Self::Number(number as f64)
    }
}

impl From<f64> for MessageArg {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<Message> for MessageArg {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

/// A sentence by key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Key in `locales/<lang>/*.ftl`.
    pub key: MessageKey,
    /// Values by the name the text uses.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, MessageArg>,
}

/// For logs and causes of errors: the key. People hear the words, which only `i18n` has.
impl std::fmt::Display for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.key.as_str())
    }
}

impl Message {
    /// A sentence without values.
    pub fn new(key: &str) -> Self {
        Self {
            key: MessageKey::from(key),
            args: BTreeMap::new(),
        }
    }

    /// The same sentence with one more value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<MessageArg>) -> Self {
        self.args.insert(name.to_owned(), value.into());
        self
    }
}
