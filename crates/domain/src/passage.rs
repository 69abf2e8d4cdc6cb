//! How strong a passage is: the output of one executor fed another, again and again or never more. Pure; the store
//! keeps the numbers, the engine walks along them.

use serde::{Deserialize, Serialize};

/// What one more use adds.
const REINFORCEMENT: f64 = 0.15;
/// What a new passage begins with.
const BEGINNING: f64 = 0.30;
/// What a day takes, as the rate of an exponential: half is left after 38 days.
const DECAY_PER_DAY: f64 = 0.018;
/// Below this a passage is on its way out.
const DECAYING_BELOW: f64 = 0.20;
/// Below this a wish is forgotten, and an old passage may be.
const GONE_BELOW: f64 = 0.05;
/// So old must a passage be to be called one that may go.
const OLD_DAYS: f64 = 90.0;
/// A wish that was met so often, and is still this strong, is worth composing something for.
const WISH_USES_MIN: u32 = 3;
/// See above.
const WISH_WEIGHT_MIN: f64 = 0.30;
const DAY_MS: f64 = 24.0 * 3_600.0 * 1_000.0;

/// How a passage stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassageState {
    /// In use.
    Active,
    /// Not used for a while.
    Decaying,
    /// Its target does not exist yet.
    Proto,
}

/// What is kept of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// How it stands.
    pub state: PassageState,
    /// 0 to 1, at the time below.
    pub weight: f64,
    /// Milliseconds since 1970.
    pub weighed_ms: i64,
    /// How often.
    pub uses: u32,
}

impl PassageState {
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Active, Self::Decaying, Self::Proto];

    /// The name in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Decaying => "decaying",
            Self::Proto => "proto",
        }
    }

    /// The state of such a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

impl Strength {
    /// The first use; of a wish, where the target does not exist.
    pub fn beginning(exists: bool, now_ms: i64) -> Self {
        Self {
            state: if exists {
                PassageState::Active
            } else {
                PassageState::Proto
            },
            weight: BEGINNING,
            weighed_ms: now_ms,
            uses: 1,
        }
    }

    /// As it is now.
    #[must_use]
    pub fn at(self, now_ms: i64) -> Self {
        let weight = (self.weight * (-DECAY_PER_DAY * days(self.weighed_ms, now_ms)).exp()).clamp(0.0, 1.0);
        let state = match self.state {
            PassageState::Proto => PassageState::Proto,
            PassageState::Active | PassageState::Decaying if weight < DECAYING_BELOW => PassageState::Decaying,
            PassageState::Active | PassageState::Decaying => PassageState::Active,
        };
        Self {
            state,
            weight,
            weighed_ms: now_ms.max(self.weighed_ms),
            ..self
        }
    }

    /// After one more use. A target that exists by now makes a passage of a wish.
    #[must_use]
    pub fn reinforced(self, exists: bool, now_ms: i64) -> Self {
        let now = self.at(now_ms);
        let weight = (now.weight + REINFORCEMENT).min(1.0);
        let state = match (exists, weight < DECAYING_BELOW) {
            (false, _) => PassageState::Proto,
            (true, true) => PassageState::Decaying,
            (true, false) => PassageState::Active,
        };
        Self {
            state,
            weight,
            uses: now.uses.saturating_add(1),
            ..now
        }
    }

    /// A wish nobody has any more.
    pub fn is_forgotten(&self) -> bool {
        self.state == PassageState::Proto && self.weight < GONE_BELOW
    }

    /// A passage that hardly anybody will miss; only counted.
    pub fn may_go(&self, first_ms: i64, now_ms: i64) -> bool {
        self.state != PassageState::Proto && self.weight < GONE_BELOW && days(first_ms, now_ms) >= OLD_DAYS
    }

    /// A wish that is worth composing something for.
    pub fn recurs(&self) -> bool {
        self.state == PassageState::Proto && self.uses >= WISH_USES_MIN && self.weight >= WISH_WEIGHT_MIN
    }
}

fn days(from_ms: i64, to_ms: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "spans of time stay far below 2^52 ms")]
    let span = to_ms.saturating_sub(from_ms).max(0) as f64;
    span / DAY_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 3_600 * 1_000;

    #[test]
    fn half_is_left_after_thirty_eight_days() {
        let one = Strength {
            weight: 0.8,
            ..Strength::beginning(true, 0)
        };
        let later = one.at(38 * DAY + DAY / 2);
        assert!((later.weight - 0.4).abs() < 0.001, "{later:?}");
        // Weighing in between changes nothing.
        let twice = one.at(10 * DAY).at(38 * DAY + DAY / 2);
        assert!((twice.weight - later.weight).abs() < 1e-9);
    }

    #[test]
    fn use_makes_it_stronger_and_time_weaker() {
        let mut one = Strength::beginning(true, 0);
        for use_number in 2..=8 {
            one = one.reinforced(true, 0);
            assert_eq!(one.uses, use_number);
        }
        assert!((one.weight - 1.0).abs() < 1e-9, "never above one: {one:?}");
        let idle = one.at(120 * DAY);
        assert_eq!(idle.state, PassageState::Decaying);
        assert_eq!(idle.reinforced(true, 120 * DAY).state, PassageState::Active);
        assert!(!idle.may_go(0, 120 * DAY));
        let old = one.at(200 * DAY);
        assert!(old.may_go(0, 200 * DAY) && !old.may_go(150 * DAY, 200 * DAY));
    }

    #[test]
    fn a_wish_recurs_or_is_forgotten() {
        let mut wish = Strength::beginning(false, 0);
        assert!(!wish.recurs());
        wish = wish.reinforced(false, 0).reinforced(false, 0);
        assert!(wish.recurs() && wish.state == PassageState::Proto);
        assert!(!wish.at(40 * DAY).recurs(), "too weak by now");
        assert!(wish.at(150 * DAY).is_forgotten() && !wish.at(40 * DAY).is_forgotten());
        assert_eq!(wish.reinforced(true, 0).state, PassageState::Active, "it exists now");
    }
}
