//! What each workload may cost: one table from workload to tier, one from tier to call parameters.
//!
//! The tiers are call parameters over one model, not models. Read by `llama_server` alone;
//! a caller names its workload and can choose nothing else.

use std::time::Duration;

use super::Workload;
use crate::config::LlmConfig;

/// Room for thinking, on top of the answer, when the model may think.
const THINKING_TOKENS: u32 = 4_096;

/// How much effort a call deserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Short answers, no thinking.
    Fast,
    /// Longer texts, no thinking.
    Middle,
    /// Plans; thinks if the household wants it to.
    Wise,
}

/// How one call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallParameters {
    /// Longest wait for the whole answer.
    pub timeout: Duration,
    /// Let the model think first.
    pub think: bool,
    /// Tokens allowed on top of the answer's own.
    pub thinking_tokens: u32,
    /// The server slot to use; `None` lets the server choose.
    pub slot: Option<u32>,
}

impl Workload {
    /// Its tier.
    pub fn tier(self) -> Tier {
        match self {
            Self::Intent | Self::Filler => Tier::Fast,
            Self::Describe => Tier::Middle,
            Self::Plan => Tier::Wise,
        }
    }

    /// What an answer of this kind is called where it needs a name, such as a tool's.
    pub(super) fn answer_name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Intent | Self::Filler | Self::Describe => "answer",
        }
    }
}

/// The parameters of one workload in this household.
pub fn parameters(workload: Workload, config: &LlmConfig) -> CallParameters {
    let tier = workload.tier();
    let (seconds, think, slot) = match tier {
        Tier::Wise => (config.plan_timeout_s, config.think, config.slot),
        Tier::Fast | Tier::Middle => (config.call_timeout_s, false, other_slot(config.slot)),
    };
    CallParameters {
        timeout: Duration::from_secs(seconds.max(1)),
        think,
        thinking_tokens: if think { THINKING_TOKENS } else { 0 },
        slot,
    }
}

/// Keeps small calls out of the slot that holds the plans' prefix. Slot 0 is the only other one sure to exist.
fn other_slot(plan_slot: Option<u32>) -> Option<u32> {
    match plan_slot {
        None | Some(0) => None,
        Some(_) => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_have_a_slot_of_their_own_and_only_they_think() {
        let config = LlmConfig {
            plan_timeout_s: 90,
            call_timeout_s: 30,
            slot: Some(1),
            think: true,
            ..LlmConfig::default()
        };
        let plan = parameters(Workload::Plan, &config);
        assert_eq!((plan.slot, plan.think), (Some(1), true));
        assert_eq!(plan.timeout, Duration::from_secs(90));
        for small in [Workload::Intent, Workload::Filler, Workload::Describe] {
            let parameters = parameters(small, &config);
            assert_eq!((parameters.slot, parameters.think), (Some(0), false), "{small:?}");
            assert_eq!(parameters.timeout, Duration::from_secs(30));
        }
    }

    #[test]
    fn a_single_slot_is_never_left_for_one_that_may_not_exist() {
        for slot in [None, Some(0)] {
            let config = LlmConfig {
                slot,
                ..LlmConfig::default()
            };
            assert_eq!(parameters(Workload::Intent, &config).slot, None);
            assert_eq!(parameters(Workload::Plan, &config).slot, slot);
        }
    }
}
