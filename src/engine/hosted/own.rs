//! Executors that work on metnos itself: undo, asking for a new executor, reading the scratchpad, describing entries
//! with the model, where the person is, and asking them. A family like any other.

use serde_json::{Value, json};

use super::{ASK, Host, fields};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        limits::SCRATCHPAD_READ_CHARS,
        message::Message,
        question::Form,
        run::ToolResult,
    },
    engine::{
        families::{Family, Running},
        plan_executor::scratchpad::{self, Slice},
    },
    executors::{Call, need_pages},
    llm::describe,
};

/// Executors about metnos itself.
#[derive(Clone, Copy, Debug)]
pub struct Own;

impl Family for Own {
    fn executors(&self) -> &'static [&'static str] {
        &[
            "undo_last_turn",
            "request_new_executor",
            "scratchpad_read",
            "describe_entries",
            "get_location",
            ASK,
        ]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        Box::pin(async move {
            match name.as_str() {
                "undo_last_turn" => host.undo(call).await,
                "request_new_executor" => host.request_new_executor(call).await,
                "scratchpad_read" => host.scratchpad_read(call).await,
                "describe_entries" => host.describe_entries(call).await,
                "get_location" => host.get_location(call).await,
                _ => Err(ask(call)),
            }
        })
    }
}

impl Host<'_> {
    async fn request_new_executor(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let wanted = call.args.get("description").and_then(Value::as_str);
        let wanted = wanted.unwrap_or(self.request);
        let noted = self.redactor.text_of(wanted, self.request);
        self.store
            .want_gap(&call.context.actor, &noted, self.clock.now_ms())
            .await?;
        Ok(ToolResult::ok(fields(
            json!({"ok_count": 1, "recorded": wanted, "count": 1}),
        )))
    }

    async fn scratchpad_read(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let id = call
            .args
            .get("scratchpad_id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let content = self
            .store
            .scratchpad_get(&call.context.actor, id, self.clock.now_ms())
            .await?
            .ok_or_else(|| ToolError::new(ErrorClass::NotFound, Message::new("scratchpad-gone")))?;
        let number = |name: &str| {
            call.args
                .get(name)
                .and_then(Value::as_u64)
                .and_then(|number| usize::try_from(number).ok())
        };
        let mode = call.args.get("mode").and_then(Value::as_str).unwrap_or("head");
        let length = number("n").unwrap_or(SCRATCHPAD_READ_CHARS);
        let slice = match mode {
            "full" => Slice::Full,
            "tail" => Slice::Tail(length),
            "range" => Slice::Range {
                start: number("start").unwrap_or_default(),
                end: number("end").unwrap_or(usize::MAX),
            },
            _ => Slice::Head(length),
        };
        let text = scratchpad::slice(&content, slice);
        Ok(ToolResult::ok(fields(json!({
            "content": text,
            "metadata": {"scratchpad_id": id, "mode": mode, "size_full": content.len(), "size_returned": text.len()},
        }))))
    }

    /// Where the person is: what they shared, while it is fresh; else the home in the settings, for its owner; else the
    /// turn has to ask.
    async fn get_location(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let now_ms = self.clock.now_ms();
        let shared = self
            .store
            .location_of(&call.context.actor)
            .await?
            .filter(|known| now_ms.saturating_sub(known.captured_ms) <= self.location.fresh_ms());
        let home = self.location.home.filter(|_| call.context.is_host);
        let (point, source, age_s, known) = match (shared, home) {
            (Some(known), _) => {
                let age_s = now_ms.saturating_sub(known.captured_ms).max(0) / 1_000;
                (known.point, known.source.as_str(), age_s, Some(known))
            }
            (None, Some(home)) => (home, "home", 0, None),
            (None, None) => {
                let message = Message::new("location-unknown");
                return Err(ToolError::new(ErrorClass::NeedsLocation, message));
            }
        };
        let (accuracy_m, label) = known.map_or((None, None), |known| (known.accuracy_m, known.label));
        let mut body = fields(json!({
            "latitude": point.latitude(),
            "longitude": point.longitude(),
            "point": point.to_string(),
            "place": label.clone().unwrap_or_else(|| point.to_string()),
            "source": source,
            "accuracy_m": accuracy_m.unwrap_or_default(),
            "map": point.map_link(),
        }));
        let (age, unit) = age_in_words(age_s);
        body.insert("age".to_owned(), json!(age));
        body.insert("age_unit".to_owned(), json!(unit));
        let entry = json!({
            "latitude": point.latitude(),
            "longitude": point.longitude(),
            "point": point.to_string(),
            "source": source,
            "accuracy_m": accuracy_m,
            "label": label,
            "map": point.map_link(),
        });
        body.insert("entries".to_owned(), json!([entry]));
        Ok(ToolResult::ok(body))
    }

    async fn describe_entries(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let entries = call.args.get("entries").cloned().unwrap_or(Value::Array(Vec::new()));
        need_pages(entries.as_array().map_or(&[], Vec::as_slice))?;
        let text = describe::describe(self.llm, &entries, self.request, call.context.lang, self.meter)
            .await
            .map_err(|error| {
                ToolError::new(ErrorClass::ModelUnavailable, error.message()).with_detail(error.to_string())
            })?;
        Ok(ToolResult::ok(fields(json!({"text": text}))))
    }
}

/// How long ago, as a number and its unit for the sentence.
fn age_in_words(age_s: i64) -> (i64, &'static str) {
    match age_s {
        ..60 => (0, "now"),
        60..7_200 => (age_s / 60, "minutes"),
        _ => (age_s / 3_600, "hours"),
    }
}

/// A step that asks has no result of its own: the turn waits, and the answers become its result.
fn ask(call: &Call) -> ToolError {
    match Form::from_args(&call.args) {
        Ok(_) => ToolError::new(ErrorClass::NeedsInputs, Message::new("inputs-needed")),
        Err(error) => {
            ToolError::new(ErrorClass::InvalidArgs, Message::new("inputs-invalid")).with_detail(error.to_string())
        }
    }
}
