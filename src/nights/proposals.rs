//! `/proposals` and `metnos proposals`: what memory would make of itself, what is thought of that, and what the host
//! decides. Called by the runtime's commands and by the command line; both say the same.

use serde_json::Value;

use crate::{
    domain::{
        item::Item,
        message::Message,
        proposal::{ProposalKind, ProposalState},
    },
    nights::{
        promoter::{Promoter, PromoterError, cluster_of},
        promotion::evaluator::Verdict,
    },
    store::proposals::ProposalRow,
};

/// Requests of a family that are shown.
const EXAMPLES_MAX: usize = 5;

/// Answers the words after the command.
pub async fn answer(promoter: &Promoter<'_>, words: &str) -> Result<Vec<Message>, PromoterError> {
    let mut words = words.split_whitespace();
    let (verb, item, named) = (words.next(), words.next(), words.next());
    let id = item.and_then(Item::parse).and_then(|item| match item {
        Item::Proposal(id) => Some(id),
        Item::Autopath(_) | Item::Removal(_) => None,
    });
    match (verb, id) {
        (Some("keep"), Some(id)) => Ok(vec![promoter.keep(id).await?]),
        (None | Some("list"), _) => list(promoter).await,
        (Some("show"), Some(id)) => show(promoter, id).await,
        (Some("approve"), Some(id)) => Ok(vec![promoter.approve(id, named).await?]),
        (Some("reject"), Some(id)) => Ok(vec![promoter.reject(id).await?]),
        (Some(_), _) => Ok(vec![Message::new("proposals-usage")]),
    }
}

async fn list(promoter: &Promoter<'_>) -> Result<Vec<Message>, PromoterError> {
    let rows = promoter.store.proposals(&[]).await?;
    if rows.is_empty() {
        return Ok(vec![Message::new("proposals-none")]);
    }
    let mut lines: Vec<Message> = rows.iter().map(line).collect();
    lines.push(Message::new("proposals-how"));
    Ok(lines)
}

/// One proposal in one line.
pub fn line(row: &ProposalRow) -> Message {
    Message::new("proposals-line")
        .with("item", Item::Proposal(row.id).to_string())
        .with("what", what(row))
        .with("state", state(row.state))
}

/// A request it grew out of; empty where there is none.
pub fn example(row: &ProposalRow) -> String {
    let of_chain = row.payload.get("request").and_then(Value::as_str);
    let of_cluster = || cluster_of(row)?.members.first().map(|member| member.text.clone());
    of_chain.map(str::to_owned).or_else(of_cluster).unwrap_or_default()
}

/// What is proposed.
pub fn what(row: &ProposalRow) -> Message {
    let text = |key: &str| {
        row.payload
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    match row.kind {
        ProposalKind::Promotion => {
            let cluster = cluster_of(row);
            let example = cluster.as_ref().and_then(|cluster| cluster.members.first());
            let example = example.map(|member| member.text.clone()).unwrap_or_default();
            let uses = cluster.map_or(0, |cluster| cluster.uses);
            Message::new(if row.name.is_empty() {
                "proposal-promotion"
            } else {
                "proposal-promotion-named"
            })
            .with("name", row.name.as_str())
            .with("request", example)
            .with("uses", f64::from(uses))
        }
        ProposalKind::Chain => Message::new("proposal-chain")
            .with("wanted", text("wanted"))
            .with("chain", text("chain"))
            .with("request", text("request")),
        ProposalKind::Specialize => Message::new("proposal-specialize")
            .with("tool", text("tool"))
            .with("arg", text("arg"))
            .with("value", text("value")),
        ProposalKind::Dedupe => Message::new("proposal-dedupe")
            .with("source", text("source"))
            .with("target", text("target")),
    }
}

fn state(state: ProposalState) -> Message {
    Message::new(match state {
        ProposalState::Candidate => "proposal-state-candidate",
        ProposalState::Review => "proposal-state-review",
        ProposalState::Stopped => "proposal-state-stopped",
        ProposalState::Grace => "proposal-state-grace",
        ProposalState::Final => "proposal-state-final",
        ProposalState::RolledBack => "proposal-state-rolled-back",
        ProposalState::Archived => "proposal-state-archived",
    })
}

async fn show(promoter: &Promoter<'_>, id: i64) -> Result<Vec<Message>, PromoterError> {
    let Some(row) = promoter.store.proposal(id).await? else {
        return Ok(vec![Message::new("proposal-gone")]);
    };
    let mut lines = vec![line(&row)];
    if let Some(cluster) = cluster_of(&row) {
        let examples = cluster.members.iter().take(EXAMPLES_MAX);
        lines.extend(examples.map(|member| {
            Message::new("proposal-example")
                .with("request", member.text.as_str())
                .with("uses", f64::from(member.uses))
        }));
    }
    if !row.reason.is_empty() {
        lines.push(Message::new("proposal-reason").with("why", Message::new(&row.reason)));
    }
    if let Ok(verdict) = serde_json::from_value::<Verdict>(row.verdict.clone()) {
        let numbers: Vec<String> = verdict
            .signals
            .iter()
            .map(|(signal, value)| format!("{signal:?} {value:+}"))
            .collect();
        lines.push(
            Message::new("proposal-verdict")
                .with("ruling", format!("{:?}", verdict.ruling))
                .with("score", verdict.score)
                .with("signals", numbers.join(", "))
                .with("killers", format!("{:?}", verdict.killers)),
        );
    }
    let plan = cluster_of(&row).and_then(|cluster| cluster.members.first().map(|member| member.plan.to_string()));
    lines.extend(plan.map(|plan| Message::new("proposal-plan").with("plan", plan)));
    Ok(lines)
}
