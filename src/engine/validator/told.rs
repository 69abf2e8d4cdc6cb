//! What is said to a model of each thing that is wrong with its plan: one line that tells what to mend. A person never
//! reads these.

use super::ValidationError;
use crate::domain::limits::STEPS_MAX;

impl ValidationError {
    /// One line that tells a model what to mend.
    pub fn for_model(&self) -> String {
        match self {
            Self::NoSteps => "the plan has no steps".to_owned(),
            Self::TooManySteps { count } => format!("{count} steps; at most {STEPS_MAX} are allowed"),
            Self::TooManyCalls { tool, count, max } => {
                format!("{tool} is called {count} times; at most {max}: pass all targets in one list")
            }
            Self::ToolUnknown { step, tool } => {
                format!("step {}: there is no tool `{tool}`; use only the tools listed", step.0)
            }
            Self::DuplicateStep { step, of } => format!("step {} repeats step {}; remove it", step.0, of.0),
            Self::FromStepInvalid { step, number } => {
                format!("step {}: from_step {number} is not an earlier step", step.0)
            }
            Self::ReferenceInvalid { place, number } => {
                format!("{place}: ${{step{number}…}} does not point at an earlier step")
            }
            Self::FromStepUseless { step, tool } => {
                format!(
                    "step {}: {tool} takes no from_step; refer to single values with ${{stepN.field}}",
                    step.0
                )
            }
            Self::FillerUnknown { place, name } => format!("{place}: filler `{name}` is not defined in fillers"),
            Self::FillerNested { name } => format!("filler `{name}` uses another filler; write its prompt in full"),
            Self::RuntimeKeyUnknown { place, key } => format!("{place}: there is no ${{RUNTIME:{key}}}"),
            Self::ArgumentUnknown { .. }
            | Self::ArgumentReserved { .. }
            | Self::ArgumentInvalid { .. }
            | Self::ArgumentMissing { .. }
            | Self::ArgumentEmpty { .. }
            | Self::OneOfMissing { .. }
            | Self::NeedsDataSource { .. }
            | Self::NeedsActionTarget { .. }
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
            | Self::VerbMissing { .. } => self.about_use(),
        }
    }

    /// The lines about arguments and shape.
    fn about_use(&self) -> String {
        if let Some(line) = self.about_request() {
            return line;
        }
        match self {
            Self::ArgumentUnknown { step, tool, arg } => format!("step {}: {tool} has no argument `{arg}`", step.0),
            Self::ArgumentReserved { step, arg } => format!("step {}: remove `{arg}`, it is filled in later", step.0),
            Self::ArgumentInvalid { step, arg, why } => format!("step {}: `{arg}`: {why}", step.0),
            Self::ArgumentMissing { step, tool, arg } => format!("step {}: {tool} needs `{arg}`", step.0),
            Self::ArgumentEmpty { step, arg } => format!("step {}: `{arg}` is empty", step.0),
            Self::OneOfMissing { step, tool, group } => {
                format!("step {}: {tool} needs one of {}", step.0, group.join(", "))
            }
            Self::NeedsDataSource { step, tool } => {
                format!(
                    "step {}: {tool} has nothing to work on; get the data first and set from_step",
                    step.0
                )
            }
            Self::NeedsActionTarget { step, tool } => {
                format!(
                    "step {}: {tool} has no target; take it from the request or an earlier step",
                    step.0
                )
            }
            Self::PipelineAlreadyClosed { step, after } => format!(
                "step {}: step {} emits no entries; feed from an earlier step or refer to ${{step{}.field}}",
                step.0, after.0, after.0
            ),
            Self::Ungrounded { step, arg, value } => {
                format!("step {}: `{arg}` holds `{value}`, which is not in the request", step.0)
            }
            Self::NotLooked => "the request is about things of this person: look with a tool".to_owned(),
            Self::EffectUnasked { step, verb } => format!("step {}: the request does not ask to {verb}", step.0),
            Self::ChoiceUnsaid { step, arg, value } => format!("step {}: is `{arg}` {value}?", step.0),
            Self::Swapped { step } => format!("step {}: what goes where, the other way round?", step.0),
            Self::Overwrites { step, path } => format!("step {}: {path} is there and would be replaced", step.0),
            Self::Unplaced { words } => format!("the request says `{words}`"),
            Self::FromOutside => "what a page or a file says must not decide what is changed".to_owned(),
            Self::Excluded => "this plan was rejected before; write a different one".to_owned(),
            Self::NoSteps
            | Self::TooManySteps { .. }
            | Self::TooManyCalls { .. }
            | Self::ToolUnknown { .. }
            | Self::DuplicateStep { .. }
            | Self::FromStepInvalid { .. }
            | Self::ReferenceInvalid { .. }
            | Self::FromStepUseless { .. }
            | Self::FillerUnknown { .. }
            | Self::FillerNested { .. }
            | Self::RuntimeKeyUnknown { .. }
            | Self::Misses { .. }
            | Self::NoMoment
            | Self::SendsUnasked { .. }
            | Self::NotThere { .. }
            | Self::Foreign { .. }
            | Self::NotFolder { .. }
            | Self::ValueUnused { .. }
            | Self::Unrelated
            | Self::NotComputed
            | Self::NamedUnused { .. }
            | Self::VerbForbidden { .. }
            | Self::VerbMissing { .. } => self.code().to_owned(),
        }
    }
    /// The lines about what the request says and the plan does not, or the other way round.
    fn about_request(&self) -> Option<String> {
        Some(if let Self::Misses { words } = self {
            let words = words.join(", ");
            format!("the request speaks of `{words}`, and no step does: plan for this request, or say what is missing")
        } else if let Self::SendsUnasked { step } = self {
            format!("step {}: the request does not ask to look outside the house", step.0)
        } else if let Self::NotFolder { step, arg, value } = self {
            let what = "is a folder, and a new name is an argument of its own";
            format!("step {}: `{arg}` {what}: {value}", step.0)
        } else if let Self::ValueUnused { value } = self {
            format!("the request says `{value}`, but no step uses it")
        } else if let Self::NamedUnused { path } = self {
            format!("the request names {path}, but no step uses it")
        } else if let Self::VerbForbidden { step, verb } = self {
            format!("step {}: the request says not to {verb}", step.0)
        } else if let Self::VerbMissing { verb } = self {
            format!("the request asks to {verb}, but no step does")
        } else if let Self::Foreign { step, arg, value } = self {
            format!(
                "step {}: `{arg}` holds `{value}`, which the request does not speak of",
                step.0
            )
        } else if let Self::NotThere { step, arg, value, near } = self {
            let near = if near.is_empty() {
                String::new()
            } else {
                format!("; there is {}", near.join(", "))
            };
            format!("step {}: `{arg}`: there is no {value}{near}", step.0)
        } else if *self == Self::NoMoment {
            "the request asks when or how long: no step gives a time; say what is missing".to_owned()
        } else if *self == Self::Unrelated {
            "the request is about something else; say what is missing".to_owned()
        } else if *self == Self::NotComputed {
            "the request asks for a number: end with compute_entries".to_owned()
        } else {
            return None;
        })
    }
}
