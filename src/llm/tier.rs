//! Who is asked for what: one table from workload to tier, one from tier to provider, model and call parameters.
//!
//! A caller names its workload and can choose nothing else; what the household wants of a tier comes from its
//! configuration. Read by `llama_server` for the tiers of the house and by `online` for the fourth.

use std::time::Duration;

use super::Workload;
use crate::{
    config::{LlmConfig, OnlineConfig, TierConfig},
    domain::{limits, spending},
};

/// How much effort a call deserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Short answers.
    Fast,
    /// Texts for a person.
    Middle,
    /// Plans.
    Wise,
    /// Plans by a model outside the house, where the household wants it.
    Frontier,
}

/// Who runs the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// A llama-server of the household.
    House,
    /// Somebody outside, for money.
    Online(spending::Provider),
}

/// How one call is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asking<'a> {
    /// The tier it belongs to.
    pub tier: Tier,
    /// Who is asked.
    pub provider: Provider,
    /// Where.
    pub url: Option<&'a str>,
    /// Which model, for servers that hold several.
    pub model: Option<&'a str>,
    /// Let the model think first; `None` where that is the provider's own affair.
    pub think: Option<bool>,
    /// Most tokens of the whole answer, thinking included.
    pub tokens_max: u32,
    /// Longest wait for the whole answer.
    pub timeout: Duration,
    /// How freely it chooses its words; `None` where the provider's models refuse to be told.
    pub temperature: Option<f64>,
}

impl Workload {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Plan,
        Self::PlanAgain,
        Self::Filler,
        Self::Describe,
        Self::Translate,
        Self::Caption,
    ];

    /// Its tier.
    pub fn tier(self) -> Tier {
        match self {
            Self::Filler => Tier::Fast,
            Self::Describe | Self::Translate | Self::Caption => Tier::Middle,
            Self::Plan | Self::PlanAgain => Tier::Wise,
        }
    }

    /// The name in logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plan | Self::PlanAgain => "plan",
            Self::Filler => "filler",
            Self::Describe => "describe",
            Self::Translate => "translate",
            Self::Caption => "caption",
        }
    }

    /// What an answer of this kind is called where it needs a name, such as a tool's.
    pub(super) fn answer_name(self) -> &'static str {
        match self {
            Self::Plan | Self::PlanAgain => "plan",
            Self::Filler | Self::Describe | Self::Translate | Self::Caption => "answer",
        }
    }

    /// How many times the tokens of its tier an answer may have.
    fn room(self) -> u32 {
        match self {
            Self::PlanAgain => limits::CUT_OFF_ROOM,
            // A prompt of ours is as long as two answers.
            Self::Translate => limits::TRANSLATION_ROOM,
            Self::Plan | Self::Filler | Self::Describe | Self::Caption => 1,
        }
    }
}

/// How this household's own model is asked for something.
pub fn asking(workload: Workload, config: &LlmConfig) -> Asking<'_> {
    let tier = workload.tier();
    let TierConfig {
        url,
        model,
        think,
        tokens,
        timeout_s,
        temperature,
    } = match tier {
        Tier::Fast => &config.tiers.fast,
        Tier::Middle => &config.tiers.middle,
        Tier::Wise | Tier::Frontier => &config.tiers.wise,
    };
    let thinking = if *think { limits::THINKING_TOKENS_MAX } else { 0 };
    Asking {
        tier,
        provider: Provider::House,
        url: url.as_deref().or(config.url.as_deref()),
        model: model.as_deref().or(config.model.as_deref()),
        think: Some(*think),
        tokens_max: tokens.saturating_mul(workload.room()).saturating_add(thinking),
        timeout: Duration::from_secs((*timeout_s).max(1)),
        temperature: Some(*temperature),
    }
}

/// How the provider outside is asked for a plan, which is all it is ever asked for.
pub fn frontier(config: &OnlineConfig) -> Asking<'_> {
    Asking {
        tier: Tier::Frontier,
        provider: Provider::Online(config.provider),
        url: Some(config.url.as_str()),
        model: config.model.as_deref(),
        think: None,
        tokens_max: config.tokens,
        timeout: Duration::from_secs(config.timeout_s.max(1)),
        temperature: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Tiers;

    /// Tier, most tokens, seconds, thinking.
    fn row(workload: Workload, config: &LlmConfig) -> (Tier, u32, u64, Option<bool>) {
        let asking = asking(workload, config);
        (asking.tier, asking.tokens_max, asking.timeout.as_secs(), asking.think)
    }

    #[test]
    fn each_workload_has_its_row() {
        let config = LlmConfig::default();
        let rows = Workload::ALL.map(|workload| row(workload, &config));
        let expected = [
            (Tier::Wise, 1_024, 90, Some(false)),
            (Tier::Wise, 4_096, 90, Some(false)),
            (Tier::Fast, 20, 30, Some(false)),
            (Tier::Middle, 600, 30, Some(false)),
            (Tier::Middle, 1_200, 30, Some(false)),
            (Tier::Middle, 600, 30, Some(false)),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_tier_may_be_another_model_on_another_server_that_thinks() {
        let mut config = LlmConfig {
            url: Some("http://house".to_owned()),
            model: Some("usual".to_owned()),
            tiers: Tiers::default().waiting(7, 3),
            ..LlmConfig::default()
        };
        config.tiers.wise.url = Some("http://cellar".to_owned());
        config.tiers.wise.model = Some("large".to_owned());
        config.tiers.wise.think = true;
        config.tiers.wise.temperature = 0.6;
        let plan = asking(Workload::Plan, &config);
        assert_eq!(
            (plan.url, plan.model, plan.temperature),
            (Some("http://cellar"), Some("large"), Some(0.6))
        );
        assert_eq!(row(Workload::Plan, &config), (Tier::Wise, 1_024 + 4_096, 7, Some(true)));
        let filler = asking(Workload::Filler, &config);
        assert_eq!((filler.url, filler.model), (Some("http://house"), Some("usual")));
        assert_eq!(row(Workload::Describe, &config), (Tier::Middle, 600, 3, Some(false)));
    }
}
