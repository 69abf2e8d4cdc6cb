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
}

impl Workload {
    /// Its tier.
    pub fn tier(self) -> Tier {
        match self {
            Self::Filler => Tier::Fast,
            Self::Describe | Self::Translate => Tier::Middle,
            Self::Plan => Tier::Wise,
        }
    }

    /// The name in logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Filler => "filler",
            Self::Describe => "describe",
            Self::Translate => "translate",
        }
    }

    /// What an answer of this kind is called where it needs a name, such as a tool's.
    pub(super) fn answer_name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Filler | Self::Describe | Self::Translate => "answer",
        }
    }
}

/// The parameters of one workload in this household.
pub fn parameters(workload: Workload, config: &LlmConfig) -> CallParameters {
    let tier = workload.tier();
    let (seconds, think) = match tier {
        Tier::Wise => (config.plan_timeout_s, config.think),
        Tier::Fast | Tier::Middle => (config.call_timeout_s, false),
    };
    CallParameters {
        timeout: Duration::from_secs(seconds.max(1)),
        think,
        thinking_tokens: if think { THINKING_TOKENS } else { 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plans_think_and_each_tier_has_its_time() {
        let config = LlmConfig {
            plan_timeout_s: 90,
            call_timeout_s: 30,
            think: true,
            ..LlmConfig::default()
        };
        let plan = parameters(Workload::Plan, &config);
        assert!(plan.think);
        assert_eq!(plan.timeout, Duration::from_secs(90));
        for small in [Workload::Filler, Workload::Describe, Workload::Translate] {
            let parameters = parameters(small, &config);
            assert!(!parameters.think, "{small:?}");
            assert_eq!(parameters.timeout, Duration::from_secs(30));
        }
    }
}
