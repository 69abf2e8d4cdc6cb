//! Floor 2: what may happen. `engine::plan_executor` asks `check` before every step, remembered or not.
//!
//! ```text
//! resolved arguments → guard → trust → gate → judge → Verdict
//!                      (targets) (person) (autonomy) (fits the request?)
//! ```
//!
//! Every link may only tighten; the strictest answer stands, and the first link that gave it is named.
//! Invariant: pure, except that the guard looks where symbolic links lead. It runs nothing and remembers nothing.

mod gate;
pub mod guard;
mod judge;
mod settings;
mod trust;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::domain::{
    actor::{Actor, Autonomy},
    folders,
    manifest::Manifest,
    message::Message,
    share::Shared,
    verdict::{DecidedBy, Decision, Risk, Verdict},
};

/// One step, ready to run.
#[derive(Clone, Copy, Debug)]
pub struct CheckRequest<'a> {
    /// The executor.
    pub manifest: &'a Manifest,
    /// Its arguments with every reference resolved: exactly what will be sent.
    pub args: &'a Map<String, Value>,
    /// On how many things it acts.
    pub target_count: usize,
    /// What the request itself is worth in risk; it may only raise the manifest's.
    pub risk_min: Risk,
    /// It may not be what was meant, or carries what no one should send unseen: at every level a person looks first.
    pub is_doubtful: bool,
    /// For whom.
    pub actor: &'a Actor,
    /// What the person said.
    pub request: &'a str,
    /// What `~` stands for. Relative paths start here too.
    pub home: &'a Path,
    /// Our own folder: closed to every executor, except the guests' folders in it.
    pub data_dir: &'a Path,
    /// Further files and folders that are closed to every executor, such as the config file with the token.
    pub protected: &'a [PathBuf],
    /// Files of the host that are shared with this person.
    pub shared: &'a [Shared],
    /// What fits less than this does not run.
    pub judge_threshold: f64,
}

impl CheckRequest<'_> {
    /// The names of the arguments: all that a log may hold of them.
    pub fn arg_keys(&self) -> Vec<&str> {
        self.args.keys().map(String::as_str).collect()
    }
}

/// A program text that only multiplies itself, whatever stands around it.
pub fn is_fork_bomb(text: &str) -> bool {
    guard::is_fork_bomb(text)
}

/// Why a place is closed to every executor: it holds keys or passwords, is the system's, or our own. `None` for the
/// open ones.
pub fn closed_place(path: &str, home: &Path, data_dir: &Path, protected: &[PathBuf]) -> Option<Message> {
    guard::closed_place(path, home, data_dir, protected)
}

/// The folder a guest's files live in: the only one their steps may touch.
pub fn guest_dir(data_dir: &Path, actor: &Actor) -> PathBuf {
    folders::guest(data_dir, &actor.id)
}

/// A decision of one link, with its sentence.
struct Ruling {
    decision: Decision,
    reason: Option<Message>,
}

impl Ruling {
    fn allow() -> Self {
        Self {
            decision: Decision::Allow,
            reason: None,
        }
    }

    fn block(reason: Message) -> Self {
        Self {
            decision: Decision::Block,
            reason: Some(reason),
        }
    }
}

/// Decides on one step.
pub fn check(request: &CheckRequest<'_>) -> Verdict {
    let verdict = decide(request);
    if verdict.decision <= Decision::Confirm {
        return verdict;
    }
    let actor = Actor {
        autonomy: Autonomy::A4,
        ..request.actor.clone()
    };
    let raised = CheckRequest {
        actor: &actor,
        ..*request
    };
    Verdict {
        above_level: decide(&raised).decision <= Decision::Confirm,
        ..verdict
    }
}

fn decide(request: &CheckRequest<'_>) -> Verdict {
    let risk = gate::adjusted_risk(request);
    let score = judge::score(request);
    let guarded = guard::check(request).map_or_else(Ruling::allow, Ruling::block);
    let links = [
        (DecidedBy::Guard, guarded),
        (DecidedBy::Trust, trust::rule(request)),
        (DecidedBy::Gate, gate::rule(request, risk)),
        (
            DecidedBy::Judge,
            judge::rule(request.manifest, score, request.judge_threshold),
        ),
        (DecidedBy::Doubt, doubt(request)),
    ];
    let mut verdict = Verdict {
        decision: Decision::Allow,
        decided_by: None,
        risk: effective_risk(request.manifest, risk),
        score,
        reason: None,
        above_level: false,
    };
    for (link, ruling) in links {
        if ruling.decision > verdict.decision {
            verdict.decision = ruling.decision;
            verdict.decided_by = Some(link);
            verdict.reason = ruling.reason;
        }
    }
    verdict
}

/// What is doubtful is asked about, at every level.
fn doubt(request: &CheckRequest<'_>) -> Ruling {
    if request.is_doubtful {
        Ruling {
            decision: Decision::Confirm,
            reason: Some(Message::new("policy-ask-doubt")),
        }
    } else {
        Ruling::allow()
    }
}

/// A read risks nothing, whatever its manifest says.
fn effective_risk(manifest: &Manifest, risk: Risk) -> Risk {
    if manifest.effect.changes_something() {
        risk
    } else {
        Risk::Low
    }
}
