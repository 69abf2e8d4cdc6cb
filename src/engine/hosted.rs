//! Executors that work on metnos itself, and so run inside it: undo, asking for a new executor, reading the scratchpad,
//! describing entries with the model, where the person is, asking them, tasks, and geo services (whose key no child
//! process may see). Called by the plan executor; everything else goes through `executors::process`.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::{
    clock::Clock,
    config::LocationConfig,
    domain::{
        account::Account,
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        limits::{ACCOUNT_REST, SCRATCHPAD_READ_CHARS},
        message::Message,
        question::Form,
        run::ToolResult,
        turn::Turn,
    },
    engine::plan_executor::scratchpad::{self, Slice},
    executors::{Call, need_pages, process::Runner},
    language::{Language, secrets::Redactor},
    llm::{LlmClient, Meter, describe},
    places::Places,
    store::{Store, StoreError},
};

mod places;
mod tasks;
mod undo;

/// What hosted executors need.
#[derive(Clone, Copy, Debug)]
pub struct Host<'a> {
    /// The database.
    pub store: &'a Store,
    /// The time.
    pub clock: &'a Clock,
    /// Takes effects back in a child process.
    pub runner: &'a Runner,
    /// The model.
    pub llm: &'a LlmClient,
    /// Geo services.
    pub places: &'a Places,
    /// Counts the model's use.
    pub meter: &'a Meter,
    /// What the person said.
    pub request: &'a str,
    /// The turn it is for.
    pub turn: &'a Turn,
    /// Words of both languages.
    pub language: &'a Language,
    /// Keeps secrets out of what is noted down.
    pub redactor: &'a Redactor,
    /// What the household says of locations.
    pub location: &'a LocationConfig,
}

/// The executor that asks the person.
pub const ASK: &str = "get_inputs";

/// The executors that run here.
const HOSTED: &[&str] = &[
    "undo_last_turn",
    "request_new_executor",
    "scratchpad_read",
    "describe_entries",
    "find_places",
    "get_places",
    "get_location",
    "create_tasks",
    "list_tasks",
    "read_tasks",
    "read_tasks_history",
    "set_tasks",
    "delete_tasks",
    ASK,
];

/// Those whose change is one in our database: it notes in the journal itself that it happened, so that after a crash
/// that is known.
const OURS: &[&str] = &["create_tasks", "set_tasks", "delete_tasks"];

/// Whether an executor changes nothing but our database.
pub fn is_ours(name: &ExecutorName) -> bool {
    OURS.contains(&name.as_str())
}

/// Whether an executor runs here.
pub fn is_hosted(name: &ExecutorName) -> bool {
    HOSTED.contains(&name.as_str())
}

impl Host<'_> {
    /// Runs a hosted executor.
    pub async fn run(&self, name: &ExecutorName, call: &Call) -> ToolResult {
        let outcome = match name.as_str() {
            "undo_last_turn" => self.undo(call).await,
            "request_new_executor" => self.request_new_executor(call).await,
            "scratchpad_read" => self.scratchpad_read(call).await,
            "describe_entries" => self.describe_entries(call).await,
            "find_places" => {
                self.with_account(call, places::find_places(self.places, call).await)
                    .await
            }
            "get_places" => {
                self.with_account(call, places::get_places(self.places, call).await)
                    .await
            }
            "get_location" => self.get_location(call).await,
            "create_tasks" => Box::pin(self.create_tasks(call)).await,
            "list_tasks" => Box::pin(self.list_tasks(call)).await,
            "read_tasks" => Box::pin(self.read_tasks(call)).await,
            "read_tasks_history" => Box::pin(self.read_tasks_history(call)).await,
            "set_tasks" => Box::pin(self.set_tasks(call)).await,
            "delete_tasks" => Box::pin(self.delete_tasks(call)).await,
            ASK => Err(ask(call)),
            other => Err(ToolError::new(
                ErrorClass::CapabilityMissing,
                Message::new("hosted-unknown").with("tool", other),
            )),
        };
        outcome.unwrap_or_else(ToolResult::failed)
    }

    async fn request_new_executor(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let wanted = call.args.get("description").and_then(Value::as_str);
        let wanted = wanted.unwrap_or(self.request);
        let noted = self.redactor.text_of(wanted, self.request);
        self.store
            .want_gap(&call.context.actor, &noted, self.clock.now_ms())
            .await
            .map_err(store_failed)?;
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
            .await
            .map_err(store_failed)?
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

    /// What was found of places. Where a key of the household's would help, its host is asked for one first, unless
    /// they said lately that there is none; a guest is told whom to ask.
    async fn with_account(
        &self,
        call: &Call,
        found: Result<places::Found, ToolError>,
    ) -> Result<ToolResult, ToolError> {
        let helps = match &found {
            Ok(found) => found.lacks_hours,
            Err(error) => error.class == ErrorClass::AuthRequired,
        };
        let Some(why) = self.places.wants_google().filter(|_| helps) else {
            return found.map(|found| found.result);
        };
        if !call.context.is_host {
            return found.map(|found| found.noting(&Message::new("places-hours-ask-host")));
        }
        let account = Account::GooglePlaces;
        let since_ms = self.clock.now_ms().saturating_sub(ms(ACCOUNT_REST));
        if self.store.does_without(account, since_ms).await.map_err(store_failed)? {
            return found.map(|found| found.result);
        }
        Err(ToolError::lacking(account, why))
    }

    /// Where the person is: what they shared, while it is fresh; else the home in the settings, for its owner; else the
    /// turn has to ask.
    async fn get_location(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let now_ms = self.clock.now_ms();
        let shared = self
            .store
            .location_of(&call.context.actor)
            .await
            .map_err(store_failed)?
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

fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
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

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

/// By value, for `map_err`.
#[expect(clippy::needless_pass_by_value, reason = "the shape `map_err` asks for")]
fn store_failed(error: StoreError) -> ToolError {
    ToolError::new(ErrorClass::Internal, Message::new("store-failed")).with_detail(error.to_string())
}
