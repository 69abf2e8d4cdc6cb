//! Helpers shared by the integration tests: fakes at the wire and short ways to set things up.

pub(crate) mod bed;
pub(crate) mod bot;
pub(crate) mod dav;
pub(crate) mod geo;
pub(crate) mod homeassistant;
pub(crate) mod homeserver;
pub(crate) mod household;
pub(crate) mod llama;
pub(crate) mod mailbox;
pub(crate) mod manifests;
pub(crate) mod process;
pub(crate) mod provider;
pub(crate) mod site;
pub(crate) mod sky;
pub(crate) mod speech;
pub(crate) mod telegram;
pub(crate) mod tools;
pub(crate) mod traces;
pub(crate) mod turn_log;
pub(crate) mod web;
