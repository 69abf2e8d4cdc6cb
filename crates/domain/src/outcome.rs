//! What a turn came to. The engine returns it; `runtime::reply` puts it into words.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    actor::Autonomy,
    attachment::Attachment,
    failure::GapKind,
    ids::{ExecutorName, OperationHash, StepId},
    intent::Intent,
    lang::Lang,
    manifest::{Column, ColumnFormat},
    message::Message,
    plan::{Plan, Validated},
    question::Form,
    run::StepRecord,
    spending::{MicroUsd, Provider},
    verdict::Risk,
};

/// The layer that answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnsweredBy {
    /// A typed deterministic pattern.
    Pattern,
    /// L0 by exact hash.
    FastpathHash,
    /// L0 by cosine.
    FastpathCosine,
    /// L0, a plan for the same words with other values.
    FastpathSlots,
    /// L1.
    Autopath,
    /// L3, a plan written for this turn by the composer.
    Simple,
    /// L3, a plan for the nearest reading of the request.
    Near,
    /// L3, a plan written for this turn by the model.
    Metis,
    /// L3, a plan written for this turn by an online provider.
    Frontier,
    /// L3, the one alternative after a failure.
    Recovery,
    /// The honest dead end.
    Terminator,
    /// The runtime itself: commands, pairing, feedback.
    Runtime,
}

impl AnsweredBy {
    /// The name in logs and transcripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pattern => "pattern",
            Self::FastpathHash => "fastpath",
            Self::FastpathCosine => "fastpath-cosine",
            Self::FastpathSlots => "fastpath-slots",
            Self::Autopath => "autopath",
            Self::Simple => "simple",
            Self::Near => "near",
            Self::Metis => "metis",
            Self::Frontier => "frontier",
            Self::Recovery => "recovery",
            Self::Terminator => "terminator",
            Self::Runtime => "runtime",
        }
    }
}

/// How the turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinalKind {
    /// An answer, also an honest no.
    Answer,
    /// Waits for a choice, a clarification or an approval.
    Ask,
    /// Waits for an action outside, such as a shared location.
    Awaiting,
    /// A required datum is missing.
    NeedsInputs,
    /// More steps than allowed.
    CapSteps,
    /// One executor called too often.
    CapSameExecutor,
    /// The same step failed the same way again.
    LoopBreak,
    /// A part we depend on is out of order.
    Error,
    /// The person said stop.
    Stopped,
}

impl FinalKind {
    /// The name in rows and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Ask => "ask",
            Self::Awaiting => "awaiting",
            Self::NeedsInputs => "needs_inputs",
            Self::CapSteps => "cap_steps",
            Self::CapSameExecutor => "cap_same_executor",
            Self::LoopBreak => "loop_break",
            Self::Error => "error",
            Self::Stopped => "stopped",
        }
    }
}

/// What is shown, before it is put into words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// A sentence.
    Say(Message),
    /// Words that are already words: the plan's closing text with its references filled.
    Words(String),
    /// Text whose line breaks matter.
    Verbatim(String),
    /// One value that was asked for, in the form its kind is shown in.
    Value {
        /// How it is shown.
        format: ColumnFormat,
        /// The value as the executor gave it.
        value: Value,
    },
    /// Entries with the columns to show.
    Entries {
        /// The first column is the name.
        columns: Vec<Column>,
        /// What to show, already cut to `limits::SHOWN_ENTRIES_MAX`.
        rows: Vec<Map<String, Value>>,
        /// How many there are in all.
        total: usize,
    },
    /// Files and places to bring along.
    Attached(Vec<Attachment>),
}

/// A step that waits for the person, and everything needed to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Pause {
    /// The whole plan.
    pub plan: Plan<Validated>,
    /// Steps done before the one that waits.
    pub done: Vec<StepRecord>,
    /// Which step waits.
    pub step: StepId,
    /// Which executor waits.
    pub tool: ExecutorName,
    /// For what.
    pub asks: Asks,
    /// The plan, or what it did, is no more what was planned: memory must not learn it.
    pub of_the_moment: bool,
}

/// What a step needs of the person before it can go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Asks {
    /// An approval.
    Approval(Box<ApprovalRequest>),
    /// Where the person is.
    Location,
    /// Answers.
    Form(Box<Form>),
}

/// What an approval is about.
#[derive(Clone, Debug, PartialEq)]
pub struct ApprovalRequest {
    /// Exactly.
    pub operation: OperationHash,
    /// What it would act on, for the card: at most `limits::CARD_TARGETS_MAX` of them.
    pub targets: Vec<String>,
    /// How many targets in all.
    pub target_count: usize,
    /// The folder below which all of them lie, when there are several.
    pub within: Option<String>,
    /// Whether any of them lies in a folder below that one.
    pub reaches_below: bool,
    /// Where they go.
    pub goes_to: Option<String>,
    /// What would be written there, up to `limits::CARD_TEXT_CHARS_MAX` characters.
    pub text: Option<String>,
    /// How many characters of it the card does not show.
    pub text_left: usize,
    /// Other words it would act with, such as a new name, each with what it is.
    pub details: Vec<Detail>,
    /// The plan may not be what was meant: it is offered rather than done.
    pub is_offered: bool,
    /// The switches that are on and the choices made, which may make it another thing: a copy is no move.
    pub switches: Vec<String>,
    /// Whether `undo` could take it back.
    pub reversible: bool,
    /// Risk after adjusting.
    pub risk: Risk,
    /// The level that forbids it, if one does: then it is for the host to allow it this once, to themselves or a guest.
    pub above: Option<Autonomy>,
}

/// One more thing a card says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// What it is, in every language its executor describes it in.
    pub what: BTreeMap<Lang, String>,
    /// The words.
    pub value: String,
}

/// A gap the terminator admitted, to be counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// What is missing.
    pub kind: GapKind,
    /// What was understood.
    pub intent: Intent,
    /// The class of the failed step, or the gap's own name.
    pub error_class: String,
}

/// Counts of model use within one turn; embeddings are counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUse {
    /// Chat completions.
    pub calls: u32,
    /// Prompt tokens, cached ones included.
    pub tokens_in: u64,
    /// Prompt tokens the server took from its cache.
    pub tokens_cached: u64,
    /// Generated tokens.
    pub tokens_out: u64,
    /// Embedding requests.
    pub embeddings: u32,
    /// Wall time of all calls, in milliseconds.
    pub latency_ms: u64,
    /// The call outside the house, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub online: Option<OnlineUse>,
}

/// A call of an online provider, as it counts against what may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnlineUse {
    /// Who was asked.
    pub provider: Provider,
    /// What it cost; the most it could, while nobody knows.
    pub cost_micro_usd: MicroUsd,
}
