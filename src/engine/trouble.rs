//! Whether the model fails again and again, so that the host hears of it once and not with every answer. Told by
//! `engine::dispatch` after each plan that was asked for; it keeps a count and nothing else.

use std::sync::{Mutex, PoisonError};

use crate::domain::limits;

/// How the model of the house fares.
#[derive(Debug, Default)]
pub struct ModelTrouble(Mutex<Trouble>);

#[derive(Debug, Default)]
struct Trouble {
    failures: u32,
    told: bool,
}

impl ModelTrouble {
    /// It gave a usable answer: whatever was wrong is over.
    pub fn worked(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Trouble::default();
    }

    /// It gave none.
    pub fn failed(&self) {
        let mut trouble = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.failures = trouble.failures.saturating_add(1);
    }

    /// Whether the host is to hear of it now; says so once until the model works again.
    pub fn tell_host(&self) -> bool {
        let mut trouble = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let tell = !trouble.told && trouble.failures >= limits::MODEL_FAILURES_TO_TELL;
        trouble.told |= tell;
        tell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_hears_of_a_failing_model_once_until_it_works_again() {
        let trouble = ModelTrouble::default();
        for _ in 1..limits::MODEL_FAILURES_TO_TELL {
            trouble.failed();
            assert!(!trouble.tell_host(), "a hiccup is no news");
        }
        trouble.failed();
        assert!(trouble.tell_host());
        trouble.failed();
        assert!(!trouble.tell_host());
        trouble.worked();
        for _ in 0..limits::MODEL_FAILURES_TO_TELL {
            trouble.failed();
        }
        assert!(trouble.tell_host());
    }
}
