//! `classify_entries`: what kind of mail each of some mails is, with why. What can be checked decides; nobody asks a
//! model here, and what stays open is said to be open.

use serde_json::{Value, json};

use super::{super::Host, body};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        message::Message,
        run::ToolResult,
    },
    executors::Call,
    mail::classes::Class,
};

impl Host<'_> {
    pub(super) async fn classify_entries(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let wanted = call.optional_text("class")?.and_then(Class::parse);
        let entries = call.entries()?;
        let class_of = |entry: &Value| entry.get("class").and_then(Value::as_str).and_then(Class::parse);
        let are_mails = entries.iter().all(|entry| entry.get("why").is_some());
        if !are_mails {
            return Err(ToolError::new(
                ErrorClass::NeedsDataSource,
                Message::new("mail-not-a-message"),
            ));
        }
        let kept: Vec<&Value> = entries
            .iter()
            .filter(|entry| wanted.is_none() || class_of(entry) == wanted)
            .collect();
        let open = entries.iter().filter(|entry| class_of(entry).is_none()).count();
        let mut fields =
            body(json!({"entries": kept, "used": kept.len(), "available_total": kept.len(), "open": open}));
        if kept.is_empty() {
            fields.insert("empty".to_owned(), json!(Message::new("mail-none-of-class")));
        }
        Ok(ToolResult::ok(fields))
    }
}
