//! What can be wrong with a proposed plan, as a closed enum: a code for logs and counters. What a model is told of each
//! stands in `told`; a person never reads these.

use crate::domain::{
    ids::{ExecutorName, StepId},
    outcome::FinalKind,
    vocabulary::Verb,
};

/// Where in a plan a reference stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a step.
    Step(StepId),
    /// In the closing text.
    Closing,
    /// In the prompt of this filler.
    Filler(String),
}

/// One thing wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValidationError {
    /// Nothing to run.
    NoSteps,
    /// More steps than a turn may have.
    TooManySteps {
        /// How many.
        count: usize,
    },
    /// One executor called more often than a turn may.
    TooManyCalls {
        /// Which.
        tool: ExecutorName,
        /// How often.
        count: usize,
        /// How often it may.
        max: usize,
    },
    /// No such executor in the catalog of today.
    ToolUnknown {
        /// Where.
        step: StepId,
        /// The name as written.
        tool: ExecutorName,
    },
    /// The same call twice in a row.
    DuplicateStep {
        /// The second one.
        step: StepId,
        /// The first one.
        of: StepId,
    },
    /// `from_step` does not point at an earlier step.
    FromStepInvalid {
        /// Where.
        step: StepId,
        /// The number as written.
        number: u32,
    },
    /// A reference does not point at an earlier step.
    ReferenceInvalid {
        /// Where.
        place: Place,
        /// The number as written.
        number: u32,
    },
    /// `from_step` where the executor takes no entries.
    FromStepUseless {
        /// Where.
        step: StepId,
        /// Which executor.
        tool: ExecutorName,
    },
    /// A filler that the plan does not define.
    FillerUnknown {
        /// Where.
        place: Place,
        /// Its name.
        name: String,
    },
    /// A filler inside a filler.
    FillerNested {
        /// The outer one.
        name: String,
    },
    /// A value of the turn that does not exist.
    RuntimeKeyUnknown {
        /// Where.
        place: Place,
        /// The key as written.
        key: String,
    },
    /// An argument the executor does not have.
    ArgumentUnknown {
        /// Where.
        step: StepId,
        /// Which executor.
        tool: ExecutorName,
        /// The name as written.
        arg: String,
    },
    /// An argument only the runtime may fill.
    ArgumentReserved {
        /// Where.
        step: StepId,
        /// Which one.
        arg: String,
    },
    /// A value that its schema refuses.
    ArgumentInvalid {
        /// Where.
        step: StepId,
        /// Which one.
        arg: String,
        /// What the schema says.
        why: String,
    },
    /// A required argument is absent.
    ArgumentMissing {
        /// Where.
        step: StepId,
        /// Which executor.
        tool: ExecutorName,
        /// Which one.
        arg: String,
    },
    /// A required argument is there and empty.
    ArgumentEmpty {
        /// Where.
        step: StepId,
        /// Which one.
        arg: String,
    },
    /// None of a group of which one is needed.
    OneOfMissing {
        /// Where.
        step: StepId,
        /// Which executor.
        tool: ExecutorName,
        /// The group.
        group: Vec<String>,
    },
    /// A presenter or transformer without data.
    NeedsDataSource {
        /// Where.
        step: StepId,
        /// Which executor.
        tool: ExecutorName,
    },
    /// An action without a target.
    NeedsActionTarget {
        /// Where.
        step: StepId,
        /// Which executor.
        tool: ExecutorName,
    },
    /// Takes its entries from a step that closed its branch.
    PipelineAlreadyClosed {
        /// Where.
        step: StepId,
        /// The closing step.
        after: StepId,
    },
    /// A value of a step with effects that the person never said.
    Ungrounded {
        /// Where.
        step: StepId,
        /// Which argument.
        arg: String,
        /// The part that is not in the request.
        value: String,
    },
    /// A place that a step reads or changes and that is not there; raised by dispatch, which can look.
    NotThere {
        /// Where.
        step: StepId,
        /// Which argument.
        arg: String,
        /// The place as written.
        value: String,
        /// What is there by a near name.
        near: Vec<String>,
    },
    /// Words to act on or to look for that stand in nothing the model was shown, as if the plan were for somebody
    /// else's request; raised by dispatch.
    Foreign {
        /// Where.
        step: StepId,
        /// Which argument.
        arg: String,
        /// The words.
        value: String,
    },
    /// An answer in words to a request about what only looking can tell; raised by dispatch.
    NotLooked,
    /// A file that the request names and that a changing plan leaves alone; raised by dispatch.
    NamedUnused {
        /// Its path.
        path: String,
    },
    /// A step that changes something which no word of the request asks for; raised by dispatch.
    EffectUnasked {
        /// Where.
        step: StepId,
        /// What it does.
        verb: String,
    },
    /// A choice of a step with effects that the request does not name; raised by dispatch.
    ChoiceUnsaid {
        /// Where.
        step: StepId,
        /// Which argument.
        arg: String,
        /// The choice.
        value: String,
    },
    /// What is said to go to a place goes the other way round; raised by dispatch.
    Swapped {
        /// Where.
        step: StepId,
    },
    /// Something that is there would be lost under what is written; raised by dispatch.
    Overwrites {
        /// Where.
        step: StepId,
        /// What.
        path: String,
    },
    /// Words of the request that nobody placed, beside a change: they may say what it leaves out. Raised by dispatch.
    Unplaced {
        /// As they were said.
        words: String,
    },
    /// What a page or a file says decides what is changed, or which address is asked; raised by dispatch.
    FromOutside,
    /// The person does not want this plan for this request; raised by dispatch, which knows the bans.
    Excluded,
    /// A value of the request that no step uses; raised by dispatch, which knows what was read in the request.
    ValueUnused {
        /// As it would stand in a plan.
        value: String,
    },
    /// The request asks for a number and no step computes one; raised by dispatch.
    NotComputed,
    /// No word of the request speaks for a tool of the plan or stands in it; raised by dispatch.
    Unrelated,
    /// Most of what the request speaks of stands nowhere in the plan: it would answer something else. Raised by
    /// dispatch.
    Misses {
        /// The words, as they were said.
        words: Vec<String>,
    },
    /// A moment is asked for, and nothing the plan shows is one; raised by dispatch.
    NoMoment,
    /// A step sends words to a server that the request does not ask to look there; raised by dispatch.
    SendsUnasked {
        /// Where.
        step: StepId,
    },
    /// The name of a file where a folder belongs; raised by dispatch, which can look.
    NotFolder {
        /// Where.
        step: StepId,
        /// Which argument.
        arg: String,
        /// As written.
        value: String,
    },
    /// A step does what the person said not to do; raised by dispatch.
    VerbForbidden {
        /// Where.
        step: StepId,
        /// What.
        verb: Verb,
    },
    /// Something asked for that no step does.
    VerbMissing {
        /// The verb.
        verb: Verb,
    },
}

impl ValidationError {
    /// The name in logs and counters.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSteps => "no_steps",
            Self::TooManySteps { .. } => "too_many_steps",
            Self::TooManyCalls { .. } => "too_many_calls",
            Self::ToolUnknown { .. } => "tool_unknown",
            Self::DuplicateStep { .. } => "duplicate_step",
            Self::FromStepInvalid { .. } => "from_step_invalid",
            Self::ReferenceInvalid { .. } => "reference_invalid",
            Self::FromStepUseless { .. } => "from_step_useless",
            Self::FillerUnknown { .. } => "filler_unknown",
            Self::FillerNested { .. } => "filler_nested",
            Self::RuntimeKeyUnknown { .. } => "runtime_key_unknown",
            Self::ArgumentUnknown { .. } => "argument_unknown",
            Self::ArgumentReserved { .. } => "argument_reserved",
            Self::ArgumentInvalid { .. } => "argument_invalid",
            Self::ArgumentMissing { .. } => "argument_missing",
            Self::ArgumentEmpty { .. } => "argument_empty",
            Self::OneOfMissing { .. } => "one_of_missing",
            Self::NeedsDataSource { .. } => "needs_data_source",
            Self::NeedsActionTarget { .. } => "needs_action_target",
            Self::PipelineAlreadyClosed { .. } => "pipeline_already_closed",
            Self::Ungrounded { .. } => "ungrounded",
            Self::NotThere { .. } => "not_there",
            Self::Foreign { .. } => "foreign",
            Self::NotLooked => "not_looked",
            Self::NamedUnused { .. } => "named_unused",
            Self::EffectUnasked { .. } => "effect_unasked",
            Self::ChoiceUnsaid { .. } => "choice_unsaid",
            Self::Swapped { .. } => "swapped",
            Self::Overwrites { .. } => "overwrites",
            Self::Unplaced { .. } => "unplaced",
            Self::FromOutside => "from_outside",
            Self::Excluded => "excluded",
            Self::ValueUnused { .. } => "value_unused",
            Self::NotComputed => "not_computed",
            Self::Unrelated => "unrelated",
            Self::Misses { .. } => "misses",
            Self::NoMoment => "no_moment",
            Self::SendsUnasked { .. } => "sends_unasked",
            Self::NotFolder { .. } => "not_folder",
            Self::VerbForbidden { .. } => "verb_forbidden",
            Self::VerbMissing { .. } => "verb_missing",
        }
    }

    /// Whether a plan with it would be the answer to something else.
    pub fn is_misfit(&self) -> bool {
        matches!(self, Self::Misses { .. } | Self::NoMoment)
    }

    /// Whether it is about words that nobody said, in this argument of this step.
    pub fn is_foreign_in(&self, at: StepId, name: &str) -> bool {
        matches!(self, Self::Foreign { step, arg, .. } if *step == at && arg == name)
    }

    /// The verb that was asked for and left out.
    pub fn missing_verb(&self) -> Option<Verb> {
        if let Self::VerbMissing { verb } = self {
            Some(*verb)
        } else {
            None
        }
    }

    /// How the turn ends if this error stays: a cap or a question rather than a failure to plan.
    pub fn final_kind(&self) -> Option<FinalKind> {
        match self {
            Self::TooManySteps { .. } => Some(FinalKind::CapSteps),
            Self::TooManyCalls { .. } => Some(FinalKind::CapSameExecutor),
            Self::NeedsActionTarget { .. } => Some(FinalKind::NeedsInputs),
            Self::NoSteps
            | Self::ToolUnknown { .. }
            | Self::DuplicateStep { .. }
            | Self::FromStepInvalid { .. }
            | Self::ReferenceInvalid { .. }
            | Self::FromStepUseless { .. }
            | Self::FillerUnknown { .. }
            | Self::FillerNested { .. }
            | Self::RuntimeKeyUnknown { .. }
            | Self::ArgumentUnknown { .. }
            | Self::ArgumentReserved { .. }
            | Self::ArgumentInvalid { .. }
            | Self::ArgumentMissing { .. }
            | Self::ArgumentEmpty { .. }
            | Self::OneOfMissing { .. }
            | Self::NeedsDataSource { .. }
            | Self::PipelineAlreadyClosed { .. }
            | Self::Ungrounded { .. }
            | Self::NotThere { .. }
            | Self::Foreign { .. }
            | Self::NotLooked
            | Self::NamedUnused { .. }
            | Self::EffectUnasked { .. }
            | Self::ChoiceUnsaid { .. }
            | Self::Swapped { .. }
            | Self::Overwrites { .. }
            | Self::Unplaced { .. }
            | Self::FromOutside
            | Self::Excluded
            | Self::ValueUnused { .. }
            | Self::NotComputed
            | Self::Unrelated
            | Self::Misses { .. }
            | Self::NoMoment
            | Self::SendsUnasked { .. }
            | Self::NotFolder { .. }
            | Self::VerbForbidden { .. }
            | Self::VerbMissing { .. } => None,
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Step(step) => write!(f, "step {}", step.0),
            Self::Closing => f.write_str("final_message"),
            Self::Filler(name) => write!(f, "filler `{name}`"),
        }
    }
}
