//! Tests against real servers: a llama-server with a small model, a Bot API server, a Matrix homeserver, mail and
//! calendar servers, a SearXNG, a Home Assistant, a Whisper and Tesseract.
//! `just test-live` and `.ci/run` start them and say in the environment where they listen; a server that is not there
//! fails its tests, never skips.

#[path = "../it/support/bed.rs"]
mod bed;
mod channels;
mod dav;
mod devices;
mod figures;
#[path = "../it/support/geo.rs"]
#[expect(dead_code, reason = "shared with the integration tests, which use more of it")]
mod geo;
#[path = "../it/support/llama.rs"]
#[expect(dead_code, reason = "shared with the integration tests, which use more of it")]
mod llama;
mod mail;
mod matrix;
mod mcp;
mod model;
#[path = "../it/support/process.rs"]
#[expect(dead_code, reason = "shared with the integration tests, which use more of it")]
mod process;
mod pictures;
mod search;
mod servers;
#[path = "../it/support/site.rs"]
#[expect(dead_code, reason = "shared with the integration tests, which use more of it")]
mod site;
mod telegram;
#[path = "../it/support/tools.rs"]
#[expect(dead_code, reason = "shared with the integration tests, which use more of it")]
mod tools;
#[path = "../it/support/turn_log.rs"]
mod turn_log;
mod voice;
