//! Executors that run inside metnos, because they work on metnos itself or hold what no child process may see. Each
//! family has a file here and a line in the list of `app`; `families` runs them. Everything else goes through
//! `executors::process`.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Map, Value};

use crate::{
    catalog::Catalog,
    clock::Clock,
    config::LocationConfig,
    domain::{
        failure::{ErrorClass, ToolError},
        message::Message,
        share::Shared,
        turn::Turn,
    },
    engine::families::Families,
    executors::process::Runner,
    language::{Language, secrets::Redactor},
    llm::{LlmClient, Meter},
    mail::Mail,
    places::Places,
    store::Store,
    world::World,
};

pub mod briefing;
pub mod contacts;
pub mod days;
pub mod devices;
pub mod events;
pub mod house;
pub mod messages;
mod outside;
pub mod own;
pub mod papers;
pub mod photos;
pub mod places;
pub mod search;
pub mod tasks;
mod undo;
mod weather;

/// What hosted executors need.
#[derive(Clone, Copy, Debug)]
pub struct Host<'a> {
    /// The database.
    pub store: &'a Store,
    /// The time.
    pub clock: &'a Clock,
    /// Takes effects back, and reads pages, in a child process.
    pub runner: &'a Runner,
    /// The model.
    pub llm: &'a LlmClient,
    /// Mailboxes.
    pub mail: &'a Mail,
    /// Geo services.
    pub places: &'a Places,
    /// Days, the sky and the weather.
    pub world: &'a World,
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
    /// Who else runs here.
    pub families: &'a Families,
    /// All executors.
    pub catalog: &'a Catalog,
    /// What policy knows of the household.
    pub borders: Borders<'a>,
}

/// What policy knows of the household, whoever asks.
#[derive(Clone, Copy, Debug)]
pub struct Borders<'a> {
    /// What `~` stands for, for the host.
    pub home: &'a Path,
    /// Closed to executors.
    pub data_dir: &'a Path,
    /// Closed to executors too.
    pub protected: &'a [PathBuf],
    /// Files of the host that are shared with the person.
    pub shared: &'a [Shared],
}

/// The executor that asks the person.
pub const ASK: &str = "get_inputs";

/// Nobody is guessed: of two that are called so neither is taken.
fn several_called(name: &str, shown: impl Iterator<Item = String>) -> ToolError {
    let message = Message::new("mail-several-called")
        .with("name", name)
        .with("names", shown.collect::<Vec<_>>().join(", "));
    ToolError::new(ErrorClass::AmbiguousSourceContext, message)
}

fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}
