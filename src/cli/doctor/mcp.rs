//! What the doctor finds about servers of tools of others: each is asked once.

use super::{Finding, Speak, State};
use crate::{config::Config, domain::message::Message, executors::mcp::Servers};

/// A finding for each server of the configuration.
pub(super) async fn mcp_findings(config: &Config, say: Speak<'_>) -> Vec<Finding> {
    let Ok(binary) = std::env::current_exe() else {
        return Vec::new();
    };
    let servers = Servers::new(config.mcp.clone(), binary, config.sandbox);
    let mut findings = Vec::new();
    for server in servers.names() {
        let (state, message) = match servers.tools(server).await {
            Ok(tools) => (State::Good, Message::new("doctor-mcp").with("count", tools.len())),
            Err(error) => {
                let reason = error.detail.unwrap_or_default();
                (State::Bad, Message::new("doctor-mcp-broken").with("reason", reason))
            }
        };
        findings.push(Finding {
            state,
            words: say(&message.with("server", server)),
        });
    }
    findings
}
