//! The part of the cascade that knows how long a plan usually takes, and says it beside what is being done.

use crate::{
    domain::{
        limits::USUAL_TOLD_MS,
        message::Message,
        plan::{Plan, Validated},
    },
    engine::dispatch::Cascade,
};

/// From here on minutes are said.
const MINUTES_FROM_MS: i64 = 100_000;

impl Cascade<'_> {
    /// How long plans of this shape take this person; `None` where it is short, or nobody knows.
    pub(super) async fn usual_time(&mut self, plan: &Plan<Validated>) -> Option<i64> {
        match self.engine.store.usual_time(&self.turn.actor.id, &plan.hash()).await {
            Ok(usual) => usual.map(|usual| usual.p50_ms).filter(|ms| *ms >= USUAL_TOLD_MS),
            Err(error) => {
                self.note(format!("usual time: {error}"));
                None
            }
        }
    }
}

/// What is being done, and about how long all of it takes.
pub(super) fn with_usual_time(what: Message, usual_ms: Option<i64>) -> Message {
    let Some(ms) = usual_ms else { return what };
    let (key, count) = if ms < MINUTES_FROM_MS {
        ("progress-about-seconds", (ms + 500) / 1_000)
    } else {
        ("progress-about-minutes", (ms + 30_000) / 60_000)
    };
    Message::new(key)
        .with("what", what)
        .with("count", u64::try_from(count).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_minutes_are_said_where_they_are_known() {
        let what = || Message::new("progress-reading");
        assert_eq!(with_usual_time(what(), None), what());
        for (ms, key, count) in [
            (4_400, "progress-about-seconds", 4_u64),
            (99_000, "progress-about-seconds", 99),
            (120_000, "progress-about-minutes", 2),
        ] {
            let expected = Message::new(key).with("what", what()).with("count", count);
            assert_eq!(with_usual_time(what(), Some(ms)), expected, "{ms}");
        }
    }
}
