//! How much one person may use. The host sets it (`runtime::people`); `runtime::turn` keeps that of requests, the
//! model's meter that of calls. The one of tasks is for the executor that makes tasks: metnos has none of its own.

use super::{
    actor::Role,
    limits::{GUEST_MODEL_CALLS_PER_DAY, GUEST_TASKS_MAX, GUEST_TURNS_PER_HOUR},
};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuotaKind {
    /// Requests begun within an hour.
    TurnsPerHour,
    /// Tasks that wait for their time.
    Tasks,
    /// Chat completions since midnight, where the person lives.
    ModelCallsPerDay,
}

impl QuotaKind {
    /// Every kind, in the order people see them.
    pub const ALL: [Self; 3] = [Self::TurnsPerHour, Self::Tasks, Self::ModelCallsPerDay];

    /// The word for it in a command.
    pub fn word(self) -> &'static str {
        match self {
            Self::TurnsPerHour => "turns",
            Self::Tasks => "tasks",
            Self::ModelCallsPerDay => "models",
        }
    }

    /// Reads that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.word().eq_ignore_ascii_case(word))
    }

    /// What people of a role have unless the host says otherwise; `None` for no limit.
    fn standard(self, role: Role) -> Option<u32> {
        match (role, self) {
            (Role::Host, _) => None,
            (Role::Guest, Self::TurnsPerHour) => Some(GUEST_TURNS_PER_HOUR),
            (Role::Guest, Self::Tasks) => Some(GUEST_TASKS_MAX),
            (Role::Guest, Self::ModelCallsPerDay) => Some(GUEST_MODEL_CALLS_PER_DAY),
        }
    }
}

/// What the host decided for one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quota {
    /// Nothing: the role's.
    #[default]
    Standard,
    /// As much as they like.
    Unlimited,
    /// So many.
    AtMost(u32),
}

impl Quota {
    /// Reads `default`, `none` or a number.
    pub fn parse(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "default" => Some(Self::Standard),
            "none" => Some(Self::Unlimited),
            number => number.parse().ok().map(Self::AtMost),
        }
    }
}

/// What one person has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quotas {
    /// Requests.
    pub turns_per_hour: Quota,
    /// Tasks.
    pub tasks: Quota,
    /// Model calls.
    pub model_calls_per_day: Quota,
}

impl Quotas {
    /// How much of a kind this person may use; `None` for no limit.
    pub fn limit(&self, kind: QuotaKind, role: Role) -> Option<u32> {
        let decided = match kind {
            QuotaKind::TurnsPerHour => self.turns_per_hour,
            QuotaKind::Tasks => self.tasks,
            QuotaKind::ModelCallsPerDay => self.model_calls_per_day,
        };
        match decided {
            Quota::Standard => kind.standard(role),
            Quota::Unlimited => None,
            Quota::AtMost(limit) => Some(limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_decides_and_the_role_stands_in() {
        let decided = Quotas {
            turns_per_hour: Quota::AtMost(3),
            tasks: Quota::Unlimited,
            ..Quotas::default()
        };
        for (kind, role, limit) in [
            (QuotaKind::TurnsPerHour, Role::Guest, Some(3)),
            (QuotaKind::TurnsPerHour, Role::Host, Some(3)),
            (QuotaKind::Tasks, Role::Guest, None),
            (
                QuotaKind::ModelCallsPerDay,
                Role::Guest,
                Some(GUEST_MODEL_CALLS_PER_DAY),
            ),
            (QuotaKind::ModelCallsPerDay, Role::Host, None),
        ] {
            assert_eq!(decided.limit(kind, role), limit, "{kind:?} {role:?}");
        }
        for (word, quota) in [
            ("none", Some(Quota::Unlimited)),
            ("Default", Some(Quota::Standard)),
            ("0", Some(Quota::AtMost(0))),
            ("-1", None),
            ("many", None),
        ] {
            assert_eq!(Quota::parse(word), quota, "{word}");
        }
    }
}
