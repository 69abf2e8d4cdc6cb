//! Where the servers of the live tests listen, and whether they answer at all: when these fail, the servers are to
//! blame and not metnos.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

/// A server that does not answer this fast is not there.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Base URL of the llama-server, as `scripts/testbed/llama.sh smollm2` printed it.
pub(crate) fn llm_url() -> String {
    url("METNOS_LIVE_LLM_URL")
}

/// Base URL of the Bot API server, as `scripts/testbed/telegram.sh start` printed it.
pub(crate) fn telegram_url() -> String {
    url("METNOS_LIVE_TELEGRAM_URL")
}

/// Base URL of the Matrix homeserver, as `scripts/testbed/matrix.sh start` printed it.
pub(crate) fn matrix_url() -> String {
    url("METNOS_LIVE_MATRIX_URL")
}

/// Base URL of the SearXNG, as `scripts/testbed/searx.sh start` printed it.
pub(crate) fn searx_url() -> String {
    url("METNOS_LIVE_SEARX_URL")
}

/// Base URL of the speech server, as `scripts/testbed/speech.sh start` printed it.
pub(crate) fn speech_url() -> String {
    url("METNOS_LIVE_SPEECH_URL")
}

/// Base URL of the door to people, one port above the homeserver.
pub(crate) fn matrix_door() -> String {
    let homeserver = matrix_url();
    let parts = homeserver.rsplit_once(':');
    let above = parts.and_then(|(host, port)| Some(format!("{host}:{}", port.parse::<u16>().ok()? + 1)));
    above.unwrap_or_else(|| panic!("no port in {homeserver}"))
}

#[test]
fn the_homeserver_and_its_people_are_there() {
    let versions = get(&matrix_url(), "/_matrix/client/versions");
    assert!(versions.contains("v1.11"), "{versions}");
    assert!(get(&matrix_door(), "/health").ends_with("ok"));
}

#[test]
fn the_llama_server_is_healthy() {
    let answer = get(&llm_url(), "/health");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn the_bot_api_server_knows_its_bot() {
    let answer = get(&telegram_url(), "/bot123456:TEST/getMe");
    assert!(answer.contains("\"is_bot\""), "{answer}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "the servers are started outside and found through the environment"
)]
fn url(variable: &str) -> String {
    let url = std::env::var(variable)
        .unwrap_or_else(|_| panic!("{variable} is not set: run `just test-live`, which starts the servers"));
    url.trim_end_matches('/').to_owned()
}

/// A GET by hand, so that this test depends on nothing it tests.
fn get(base: &str, path: &str) -> String {
    let host = base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).unwrap_or_else(|error| panic!("nobody listens at {base}: {error}"));
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let mut answer = String::new();
    stream
        .set_read_timeout(Some(ANSWER_WITHIN))
        .and_then(|()| stream.write_all(request.as_bytes()))
        .and_then(|()| stream.read_to_string(&mut answer))
        .unwrap_or_else(|error| panic!("no answer from {base}{path}: {error}"));
    answer
}
