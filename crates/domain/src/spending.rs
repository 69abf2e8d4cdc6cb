//! Money that asking an online model costs: whole millionths of a dollar, always rounded against us.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Millionths in a dollar.
const MICRO_PER_USD: f64 = 1e6;
/// Thousandths of a millionth: prices are kept that fine, as a token may cost less than a millionth of a dollar.
const NANO_PER_MICRO: u64 = 1_000;

/// Who may be asked for plans outside the house.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Anthropic's Messages API.
    #[default]
    Anthropic,
    /// OpenAI, or whoever speaks its chat completions.
    OpenAi,
}

impl Provider {
    /// The name in the configuration, in rows and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
        }
    }
}

/// An amount of money, in millionths of a US dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MicroUsd(pub u64);

impl MicroUsd {
    /// A limit as people write it, rounded down; `None` for what is no amount.
    pub fn at_most(usd: f64) -> Option<Self> {
        is_amount(usd).then(|| Self((usd * MICRO_PER_USD).floor() as u64))
    }
}

impl fmt::Display for MicroUsd {
    /// Dollars with as many digits as a small amount needs: `0.50`, `0.0123`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A ten-thousandth that has begun is told.
        let parts = self.0.div_ceil(100);
        let (whole, rest) = (parts / 10_000, parts % 10_000);
        if rest % 100 == 0 {
            write!(f, "{whole}.{:02}", rest / 100)
        } else {
            write!(f, "{whole}.{rest:04}")
        }
    }
}

/// What one token costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenPrice {
    nano_usd: u64,
}

impl TokenPrice {
    /// A price as providers print it, rounded up; `None` for what is no price. Nothing is for free here: a price of
    /// nothing is one that nobody wrote down.
    pub fn per_million(usd: f64) -> Option<Self> {
        (is_amount(usd) && usd > 0.0).then(|| Self {
            nano_usd: (usd * NANO_PER_MICRO as f64).ceil() as u64,
        })
    }
}

/// What the tokens of a call cost, each direction at its own price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// A token of the prompt.
    pub input: TokenPrice,
    /// A token of the answer.
    pub output: TokenPrice,
}

impl Prices {
    /// The cost of so many tokens.
    pub fn of(&self, tokens_in: u64, tokens_out: u64) -> MicroUsd {
        let input = tokens_in.saturating_mul(self.input.nano_usd);
        let output = tokens_out.saturating_mul(self.output.nano_usd);
        MicroUsd(input.saturating_add(output).div_ceil(NANO_PER_MICRO))
    }
}

/// Neither negative nor infinite nor no number at all, and nothing a household could mean beyond a billion.
fn is_amount(usd: f64) -> bool {
    (0.0..=1e9).contains(&usd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_price_is_none() {
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(TokenPrice::per_million(wrong), None, "{wrong}");
        }
        for wrong in [-0.01, f64::NAN, f64::INFINITY] {
            assert_eq!(MicroUsd::at_most(wrong), None, "{wrong}");
        }
        assert_eq!(MicroUsd::at_most(0.5), Some(MicroUsd(500_000)));
    }

    #[test]
    fn a_cost_is_never_rounded_down() {
        let price = |usd| TokenPrice::per_million(usd).unwrap();
        let prices = Prices {
            input: price(0.0001),
            output: price(25.0),
        };
        assert_eq!(prices.of(1, 0), MicroUsd(1));
        assert_eq!(prices.of(1_000, 100), MicroUsd(2_501));
        assert_eq!(prices.of(u64::MAX, u64::MAX), MicroUsd(u64::MAX.div_ceil(1_000)));
    }

    #[test]
    fn amounts_are_read_as_people_write_them() {
        for (micro, expected) in [(0, "0.00"), (500_000, "0.50"), (12_345, "0.0124"), (5_000_000, "5.00")] {
            assert_eq!(MicroUsd(micro).to_string(), expected);
        }
    }
}
