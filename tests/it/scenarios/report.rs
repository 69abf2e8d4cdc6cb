//! What all scenarios of a run came to, as a table.

use std::{collections::BTreeMap, fmt};

use metnos::config::EngineChoice;

use super::{
    case::Scenario,
    play::{Played, Tokens, Verdict},
};

/// The results of a run.
pub(super) struct Report {
    engine: EngineChoice,
    times: usize,
    played: Vec<(Scenario, Played)>,
}

/// The figures of one kind of scenario.
#[derive(Default)]
struct Row {
    possible: usize,
    solved: usize,
    wrong: usize,
    refused: usize,
    asked: usize,
    to_come: usize,
    honest: usize,
    model_calls: u64,
    latency_us: Vec<u64>,
}

impl Report {
    pub(super) fn new(engine: EngineChoice, times: usize) -> Self {
        Self {
            engine,
            times,
            played: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, scenario: &Scenario, played: Played) {
        self.played.push((scenario.clone(), played));
    }

    fn verdicts(&self) -> impl Iterator<Item = (&Scenario, &Played)> {
        self.played.iter().map(|(scenario, played)| (scenario, played))
    }

    /// Effects that nobody asked for.
    pub(super) fn wrong(&self) -> Vec<String> {
        self.verdicts()
            .filter_map(|(scenario, played)| match &played.verdict {
                Verdict::Wrong(why) => Some(format!("{}: {why}", scenario.id)),
                Verdict::Solved | Verdict::Unsolved(_) | Verdict::NotYet | Verdict::Dishonest(_) => None,
            })
            .collect()
    }

    /// What cannot be done yet and was not said to be missing.
    pub(super) fn dishonest(&self) -> Vec<String> {
        self.verdicts()
            .filter_map(|(scenario, played)| match &played.verdict {
                Verdict::Dishonest(answer) => Some(format!("{}: {answer}", scenario.id)),
                Verdict::Solved | Verdict::Unsolved(_) | Verdict::Wrong(_) | Verdict::NotYet => None,
            })
            .collect()
    }

    /// In percent of those that can be solved.
    pub(super) fn solved_share(&self) -> usize {
        let all = self.row(|_| true);
        all.solved * 100 / all.possible.max(1)
    }

    fn row(&self, fits: impl Fn(&Scenario) -> bool) -> Row {
        let mut row = Row::default();
        for (_, played) in self.verdicts().filter(|(scenario, _)| fits(scenario)) {
            match played.verdict {
                Verdict::Solved | Verdict::Unsolved(_) | Verdict::Wrong(_) => row.possible += 1,
                Verdict::NotYet | Verdict::Dishonest(_) => row.to_come += 1,
            }
            row.solved += usize::from(played.verdict == Verdict::Solved);
            row.wrong += usize::from(matches!(played.verdict, Verdict::Wrong(_)));
            row.honest += usize::from(played.verdict == Verdict::NotYet);
            row.refused += usize::from(played.refused);
            row.asked += usize::from(played.asked && !played.refused);
            row.model_calls += played.model_calls;
            row.latency_us.push(played.latency_us);
        }
        row.latency_us.sort_unstable();
        row
    }

    /// Tokens of a model call, sorted.
    fn tokens(&self, of: impl Fn(&Tokens) -> u64) -> Vec<u64> {
        let calls = self.verdicts().flat_map(|(_, played)| &played.tokens);
        let mut counts: Vec<u64> = calls.map(of).collect();
        counts.sort_unstable();
        counts
    }

    /// The scenarios that had other plans another time, and how many had a plan at all.
    fn differing(&self) -> (Vec<&str>, usize) {
        let mut plans: BTreeMap<&str, Vec<&Vec<String>>> = BTreeMap::new();
        for (scenario, played) in self.verdicts() {
            if played.plans.iter().any(|plan| !plan.is_empty()) {
                plans.entry(&scenario.id).or_default().push(&played.plans);
            }
        }
        let same = |all: &&Vec<&Vec<String>>| all.len() == self.times && all.windows(2).all(|two| two[0] == two[1]);
        let differing = plans.iter().filter(|(_, all)| !same(all));
        (differing.map(|(id, _)| *id).collect(), plans.len())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (scenario, played) in self.verdicts() {
            if !matches!(played.verdict, Verdict::Solved | Verdict::NotYet) {
                writeln!(f, "{}: {:?}", scenario.id, played.verdict)?;
                for (said, heard) in scenario.say.turns().iter().zip(&played.answers) {
                    writeln!(f, "    > {said}\n    < {}", heard.replace('\n', "\n      "))?;
                }
            }
        }
        writeln!(f, "\n## Scenarios, `{:?}`, {} times\n", self.engine, self.times)?;
        writeln!(
            f,
            "| kind | solved | wrong effects | refused | asked | still to come, said so | model calls | median ms | p95 ms |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|---|---|")?;
        let mut kinds: Vec<&str> = Vec::new();
        for (scenario, _) in self.verdicts() {
            if !kinds.contains(&scenario.kind.as_str()) {
                kinds.push(&scenario.kind);
            }
        }
        for kind in kinds {
            write_row(f, kind, &self.row(|scenario| scenario.kind == kind))?;
        }
        for lang in ["en", "it"] {
            write_row(f, lang, &self.row(|scenario| scenario.lang().code() == lang))?;
        }
        write_row(f, "all", &self.row(|_| true))?;
        let (differing, all) = self.differing();
        writeln!(
            f,
            "\nThe same plans in all {} repetitions: {} of {all}.{}{}",
            self.times,
            all - differing.len(),
            if differing.is_empty() { "" } else { " Others: " },
            differing.join(", ")
        )?;
        let (read, cached) = (self.tokens(|call| call.read), self.tokens(|call| call.cached));
        let written = self.tokens(|call| call.written);
        writeln!(
            f,
            "Tokens of a model call, p50 / p95: {} / {} read, {} / {} of them cached, {} / {} written.",
            share(&read, 50),
            share(&read, 95),
            share(&cached, 50),
            share(&cached, 95),
            share(&written, 50),
            share(&written, 95)
        )
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, name: &str, row: &Row) -> fmt::Result {
    writeln!(
        f,
        "| {name} | {}/{} ({} %) | {} | {} | {} | {}/{} | {} | {} | {} |",
        row.solved,
        row.possible,
        row.solved * 100 / row.possible.max(1),
        row.wrong,
        row.refused,
        row.asked,
        row.honest,
        row.to_come,
        row.model_calls,
        share(&row.latency_us, 50) / 1000,
        share(&row.latency_us, 95) / 1000
    )
}

/// The value that so many percent of these do not exceed; 0 of none.
fn share(sorted: &[u64], percent: usize) -> u64 {
    let index = sorted.len().saturating_sub(1) * percent / 100;
    sorted.get(index).copied().unwrap_or_default()
}
