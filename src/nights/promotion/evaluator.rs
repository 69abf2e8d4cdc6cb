//! What is thought of a tool that would be new: six reasons that end it whatever speaks for it, and seven signals that
//! add up. Pure and without a model; the numbers stand in the record.

use serde::{Deserialize, Serialize};

/// From so much likeness of their phrases on, two tools are one.
const OVERLAP_MAX: f64 = 0.4;
/// So many different failures a tool must be able to tell apart.
const ERROR_CLASSES_MIN: u32 = 2;
/// The score from which it is good.
const ACCEPT_FROM: f64 = 4.0;
/// The score from which downwards it is not.
const REJECT_FROM: f64 = -2.0;

/// What is known of the tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a record of independent facts, kept as it is"
)]
pub struct Evidence {
    /// Its name keeps to the vocabulary.
    pub name_is_good: bool,
    /// How much its phrases are like those of another tool of its kind, 0 to 1.
    pub overlap: f64,
    /// Birth tests.
    pub tests: u32,
    /// Those that do not hold.
    pub tests_failed: u32,
    /// A part of it can be taken back.
    pub path_can_undo: bool,
    /// It can be taken back as a whole.
    pub can_undo: bool,
    /// Different failures it can tell apart.
    pub error_classes: u32,
    /// It changes something.
    pub is_terminal: bool,
    /// All that comes out of it is a list.
    pub returns_only_entries: bool,
    /// What comes out says whether it is all there is.
    pub is_honest: bool,
    /// How many times faster its requests became; 0 while nobody measured it.
    pub speedup: f64,
    /// Requests in sixty days that it would have answered.
    pub calls_60d: u32,
    /// The share of other wordings for which it comes first.
    pub decided: f64,
    /// The share of requests that were made for which it is among the first ten.
    pub in_top10: f64,
    /// How much shorter its call is than its plan, in percent.
    pub token_saving: f64,
}

/// What ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Killer {
    /// Its name breaks the vocabulary.
    Inflation,
    /// There is one like it.
    Overlap,
    /// Its tests do not hold.
    Defect,
    /// What could be taken back no longer can.
    Reversibility,
    /// Its failures all look the same.
    Discriminability,
    /// It changes something and does not say what came of it.
    Plugability,
}

/// The seven signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// Faster than planning.
    Speedup,
    /// Asked often.
    Frequency,
    /// Found by other words.
    Decidability,
    /// Never far from what was asked.
    Noising,
    /// It ends a plan.
    Terminal,
    /// It says when it was cut.
    Honesty,
    /// Shorter to call.
    TokenSaving,
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// Good.
    Accept,
    /// A person must look.
    Grey,
    /// Not good.
    Reject,
}

/// The record of a judgement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What follows.
    pub ruling: Ruling,
    /// What ended it.
    pub killers: Vec<Killer>,
    /// What added up, signal by signal.
    pub signals: Vec<(Signal, f64)>,
    /// To this.
    pub score: f64,
    /// Of these numbers.
    pub evidence: Evidence,
}

/// Judges.
pub fn judge(evidence: Evidence) -> Verdict {
    let killers = killers(&evidence);
    let signals = signals(&evidence);
    let score: f64 = signals.iter().map(|(_, value)| value).sum();
    let ruling = if !killers.is_empty() || score <= REJECT_FROM {
        Ruling::Reject
    } else if score >= ACCEPT_FROM {
        Ruling::Accept
    } else {
        Ruling::Grey
    };
    Verdict {
        ruling,
        killers,
        signals,
        score,
        evidence,
    }
}

fn killers(evidence: &Evidence) -> Vec<Killer> {
    let all = [
        (Killer::Inflation, !evidence.name_is_good),
        (Killer::Overlap, evidence.overlap >= OVERLAP_MAX),
        (Killer::Defect, evidence.tests == 0 || evidence.tests_failed > 0),
        (Killer::Reversibility, evidence.path_can_undo && !evidence.can_undo),
        (Killer::Discriminability, evidence.error_classes < ERROR_CLASSES_MIN),
        (
            Killer::Plugability,
            evidence.is_terminal && evidence.returns_only_entries,
        ),
    ];
    all.into_iter()
        .filter(|(_, holds)| *holds)
        .map(|(killer, _)| killer)
        .collect()
}

fn signals(evidence: &Evidence) -> Vec<(Signal, f64)> {
    let either = |holds: bool, value: f64| if holds { value } else { 0.0 };
    vec![
        (Signal::Speedup, between(evidence.speedup, (2.0, 2.0), (1.2, -1.0))),
        (Signal::Frequency, if evidence.calls_60d >= 30 { 1.5 } else { -0.5 }),
        (Signal::Decidability, between(evidence.decided, (0.7, 1.0), (0.5, -1.0))),
        (Signal::Noising, either(evidence.in_top10 >= 0.8, 1.0)),
        (Signal::Terminal, either(evidence.is_terminal, 1.0)),
        (Signal::Honesty, either(evidence.is_honest, 1.0)),
        (Signal::TokenSaving, either(evidence.token_saving >= 30.0, 1.0)),
    ]
}

/// A value for those that are high, another for those that are low, nothing in between.
fn between(value: f64, (high, reward): (f64, f64), (low, malus): (f64, f64)) -> f64 {
    if value >= high {
        reward
    } else if value < low {
        malus
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Evidence {
        Evidence {
            name_is_good: true,
            overlap: 0.1,
            tests: 3,
            error_classes: 3,
            is_honest: true,
            speedup: 3.0,
            calls_60d: 40,
            decided: 0.8,
            in_top10: 1.0,
            token_saving: 50.0,
            ..Evidence::default()
        }
    }

    #[test]
    fn the_signals_add_up() {
        let verdict = judge(good());
        assert_eq!((verdict.ruling, verdict.killers.len()), (Ruling::Accept, 0));
        assert!((verdict.score - 7.5).abs() < 1e-9, "{verdict:?}");
        for (change, ruling) in [
            (
                Evidence {
                    speedup: 1.5,
                    calls_60d: 29,
                    ..good()
                },
                Ruling::Grey,
            ),
            (
                Evidence {
                    speedup: 0.0,
                    calls_60d: 0,
                    decided: 0.4,
                    ..good()
                },
                Ruling::Grey,
            ),
            (
                Evidence {
                    speedup: 0.0,
                    calls_60d: 0,
                    decided: 0.0,
                    in_top10: 0.0,
                    is_honest: false,
                    token_saving: 0.0,
                    ..good()
                },
                Ruling::Reject,
            ),
        ] {
            assert_eq!(judge(change).ruling, ruling, "{change:?}");
        }
    }

    #[test]
    fn each_killer_alone_ends_it() {
        for (change, killer) in [
            (
                Evidence {
                    name_is_good: false,
                    ..good()
                },
                Killer::Inflation,
            ),
            (Evidence { overlap: 0.4, ..good() }, Killer::Overlap),
            (Evidence { tests: 0, ..good() }, Killer::Defect),
            (
                Evidence {
                    tests_failed: 1,
                    ..good()
                },
                Killer::Defect,
            ),
            (
                Evidence {
                    path_can_undo: true,
                    ..good()
                },
                Killer::Reversibility,
            ),
            (
                Evidence {
                    error_classes: 1,
                    ..good()
                },
                Killer::Discriminability,
            ),
            (
                Evidence {
                    is_terminal: true,
                    returns_only_entries: true,
                    ..good()
                },
                Killer::Plugability,
            ),
        ] {
            let verdict = judge(change);
            assert_eq!((verdict.ruling, verdict.killers), (Ruling::Reject, vec![killer]));
        }
    }
}
