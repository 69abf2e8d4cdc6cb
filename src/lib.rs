//! metnos: a household's personal assistant. It plans once with a local model, remembers what worked, and answers
//! from memory. The modules below stand in reading order, top floor first; imports only go down (`tests/it/tidy.rs`).

#![recursion_limit = "256"]

/// Floor 6: the command line.
pub mod cli;
/// Floor 6: builds everything, starts it and stops it.
pub mod app;
/// Floor 5: where people talk to us.
pub mod channels;
/// Floor 4: inbox, turns, dialogs, outbox.
pub mod runtime;
/// Floor 4: what memory does about itself while nobody asks.
pub mod nights;
/// Floor 4: what the house does by itself, at night.
pub mod jobs;
/// Floor 3: fires what is due, once.
pub mod scheduler;
/// Floor 3: the layers that answer a turn.
pub mod engine;
/// Floor 2: the executors built in, and the sandboxed process they run in.
pub mod executors;
/// Floor 2: what may happen, asked before every step.
pub mod policy;
/// Floor 2: the executors this instance trusts.
pub mod catalog;
/// Floor 1: what people say, read without a model (`crates/language`).
pub use metnos_language as language;
/// Floor 1: the only way out to the web for executors.
pub mod net;
/// Floor 2: mailboxes of the people of this house.
pub mod mail;
/// Floor 1: geo services.
pub mod places;
/// Floor 2: what the documents of a home say.
pub mod papers;
pub mod photos;
/// Floor 1: calendars and address books of people.
pub mod agenda;
/// Floor 1: the devices of the house.
pub mod devices;
/// Floor 1: days, the sky and the weather.
pub mod world;
/// Floor 1: language models and embeddings.
pub mod llm;
/// Floor 1: servers that are started and watched.
pub mod servers;
/// Floor 1: voice notes to words.
pub mod speech;
/// Floor 1: the one SQLite file.
pub mod store;
/// Floor 1: words in every language.
pub mod i18n;
/// Floor 1: logs.
pub mod telemetry;
/// Floor 1: what a household may change.
pub mod config;
/// Floor 1: wakes a metnos that runs from another process.
pub mod kick;
/// Floor 1: the files of the turn log.
pub mod turn_files;
/// Floor 1: a free name for a file, and never one that is taken.
pub mod rename;
/// Floor 1: the time, handed in.
pub mod clock;
/// Floor 0: the vocabulary. No I/O, no async (`crates/domain`).
pub use metnos_domain as domain;
