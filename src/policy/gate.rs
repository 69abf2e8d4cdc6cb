//! The autonomy gate: how much may run without asking. `policy::check` asks it third.
//! Reads pass at every level. Circumstances may raise a risk, never lower it.

use super::{CheckRequest, Ruling, settings};
use crate::domain::{
    actor::Autonomy,
    limits,
    manifest::{Capability, Effect, Kind},
    message::Message,
    verdict::{Decision, Risk},
};

/// The manifest's risk or the request's, one worse for a bulk, one worse for what cannot be taken back, one for
/// settings of the account.
pub(super) fn adjusted_risk(request: &CheckRequest<'_>) -> Risk {
    let mut risk = request.manifest.risk.max(request.risk_min);
    if is_bulk(request.target_count) {
        risk = risk.raised();
    }
    if stays(request.manifest.effect) {
        risk = risk.raised();
    }
    if settings::are_touched(request) {
        risk = risk.raised();
    }
    risk
}

/// What this person's autonomy says to this risk.
pub(super) fn rule(request: &CheckRequest<'_>, risk: Risk) -> Ruling {
    let manifest = request.manifest;
    // Taking back makes things safer: no level asks about it.
    let takes_back = manifest.kind == Kind::Builtin && manifest.has(Capability::SystemUndo);
    if takes_back || !manifest.effect.changes_something() {
        return Ruling::allow();
    }
    let decision = match matrix(request.actor.autonomy, risk) {
        // Circumstances turn a step into a question, not into a silent no: only a manifest that itself says critical
        // is blocked outright.
        Decision::Block if manifest.risk < Risk::Critical => Decision::Confirm,
        decision @ (Decision::Allow | Decision::Confirm | Decision::Preview | Decision::Block) => decision,
    };
    Ruling {
        decision,
        reason: reason(request, decision),
    }
}

fn matrix(autonomy: Autonomy, risk: Risk) -> Decision {
    match (autonomy, risk) {
        (Autonomy::A0, Risk::Low | Risk::Medium | Risk::High | Risk::Critical) => Decision::Preview,
        (Autonomy::A1 | Autonomy::A2 | Autonomy::A3, Risk::Critical) => Decision::Block,
        (Autonomy::A1, Risk::Low | Risk::Medium | Risk::High)
        | (Autonomy::A2, Risk::Medium | Risk::High)
        | (Autonomy::A3, Risk::High)
        | (Autonomy::A4, Risk::Critical) => Decision::Confirm,
        (Autonomy::A2, Risk::Low)
        | (Autonomy::A3, Risk::Low | Risk::Medium)
        | (Autonomy::A4, Risk::Low | Risk::Medium | Risk::High) => Decision::Allow,
    }
}

fn reason(request: &CheckRequest<'_>, decision: Decision) -> Option<Message> {
    let count = request.target_count;
    let level = request.actor.autonomy.as_str();
    match decision {
        Decision::Allow => None,
        Decision::Preview => Some(Message::new("policy-preview").with("level", level)),
        Decision::Block => Some(Message::new("policy-block-critical").with("level", level)),
        Decision::Confirm if is_bulk(count) => Some(Message::new("policy-ask-bulk").with("count", count)),
        Decision::Confirm => match request.manifest.effect {
            Effect::Irreversible => Some(Message::new("policy-ask-irreversible")),
            Effect::Outbound => Some(Message::new("policy-ask-outbound")),
            Effect::Read | Effect::Reversible if settings::are_touched(request) => {
                Some(Message::new("policy-ask-settings"))
            }
            Effect::Read | Effect::Reversible => Some(Message::new("policy-ask-level").with("level", level)),
        },
    }
}

fn is_bulk(target_count: usize) -> bool {
    target_count > limits::BULK_TARGETS
}

fn stays(effect: Effect) -> bool {
    match effect {
        Effect::Read | Effect::Reversible => false,
        Effect::Irreversible | Effect::Outbound => true,
    }
}
