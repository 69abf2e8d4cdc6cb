//! Starting and watching a server: real processes, a shell in the place of llama-server.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests: what cannot be set up must stop the test"
)]

use std::{path::Path, time::Duration};

use metnos::{
    config::LlmConfig,
    llm::LlmClient,
    servers::{ServerState, Supervisor, SupervisorError},
};

use crate::support::llama::ScriptedLlama;

fn shell(script: &str) -> Vec<String> {
    ["sh", "-c", script].map(str::to_owned).to_vec()
}

/// A client whose server nobody runs.
fn lonely() -> LlmClient {
    let config = LlmConfig {
        url: Some("http://127.0.0.1:9".to_owned()),
        ..LlmConfig::default()
    };
    LlmClient::new(&config).unwrap()
}

async fn until(supervisor: &Supervisor, wanted: impl Fn(&ServerState) -> bool) -> ServerState {
    let reached = async {
        loop {
            let state = supervisor.state();
            if wanted(&state) {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), reached).await.unwrap()
}

fn supervise(command: &[String], logs: &Path, client: &LlmClient) -> Result<Supervisor, SupervisorError> {
    Supervisor::start(command, logs, client, env!("CARGO_BIN_EXE_metnos").into())
}

fn is_alive(pid: u32) -> bool {
    // A killed child that nobody has waited for yet is a zombie, not alive.
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

async fn until_dead(pid: u32) {
    for _ in 0..500 {
        if !is_alive(pid) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("process {pid} still runs");
}

fn log(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("llama-server.log")).unwrap()
}

#[tokio::test]
async fn a_server_runs_logs_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let command = shell("echo out; echo err >&2; exec sleep 60");
    let supervisor = supervise(&command, folder.path(), &lonely()).unwrap();
    let state = until(&supervisor, |state| matches!(state, ServerState::Running { .. })).await;
    let ServerState::Running { pid } = state else {
        unreachable!()
    };
    for _ in 0..200 {
        if log(folder.path()).contains("err") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(log(folder.path()), "out\nerr\n");
    supervisor.stop().await;
    assert!(!is_alive(pid));
}

#[tokio::test]
async fn a_server_that_dies_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let client = lonely();
    let supervisor = supervise(&shell("echo once; exit 3"), folder.path(), &client).unwrap();
    assert!(client.server_trouble().is_some(), "it is starting");
    let state = until(&supervisor, |state| {
        matches!(state, ServerState::Waiting { failures: 2, .. })
    })
    .await;
    let ServerState::Waiting { reason, .. } = &state else {
        unreachable!()
    };
    assert!(reason.contains('3'), "{reason}");
    let told = client.server_trouble().unwrap();
    assert_eq!(told.key.as_str(), "llm-server-failing");
    assert_eq!(log(folder.path()), "once\nonce\n");
    supervisor.stop().await;
}

#[tokio::test]
async fn a_server_does_not_outlive_us() {
    let folder = tempfile::tempdir().unwrap();
    let supervisor = supervise(&shell("exec sleep 60"), folder.path(), &lonely()).unwrap();
    let state = until(&supervisor, |state| matches!(state, ServerState::Running { .. })).await;
    let ServerState::Running { pid } = state else {
        unreachable!()
    };
    drop(supervisor);
    until_dead(pid).await;
}

#[tokio::test]
async fn a_server_that_runs_already_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let server = ScriptedLlama::start().await;
    let client = LlmClient::new(&server.config()).unwrap();
    let supervisor = supervise(&shell("echo started"), folder.path(), &client).unwrap();
    until(&supervisor, |state| *state == ServerState::Foreign).await;
    assert_eq!(log(folder.path()), "");
    supervisor.stop().await;
}

#[tokio::test]
async fn what_cannot_be_started_is_said() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(
        supervise(&[], folder.path(), &lonely()),
        Err(SupervisorError::NoCommand)
    ));
    let command = ["/no/such/llama-server".to_owned()];
    let supervisor = supervise(&command, folder.path(), &lonely()).unwrap();
    let state = until(&supervisor, |state| matches!(state, ServerState::Waiting { .. })).await;
    let ServerState::Waiting { reason, .. } = state else {
        unreachable!()
    };
    assert!(reason.contains("/no/such/llama-server"), "{reason}");
}
