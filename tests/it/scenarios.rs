//! The scenarios of `eval/scenarios`: requests of a household, played through the real runtime in a scratch home, and
//! what must be true afterwards. A test plays a part of them with `engine = "simple"`; `just scenarios ENGINE` plays them
//! with any engine and prints the whole report.
//!
//! A scenario says what is `say`-ed (a list is a conversation; `!approve` and `!refuse` tap, `!hear` waits for one more
//! answer), how it must end
//! (`outcome`: `answer`, `refuses` or `asks`), what the last answer must name (`hears`, with `|` between alternatives;
//! `in_order` when their order matters) and must not (`hides`), and every effect on the home: `moved`, `gone`, and
//! `wrote` with the whole content, or, after `*`, with what it must contain. Any other change is a wrong effect.
//! `needs` names executors without which it cannot be solved: until all are there it must refuse, change nothing, and
//! name what is `missing`.

#![expect(clippy::unwrap_used, reason = "a scenario that cannot be set up has failed")]

mod case;
mod domains;
mod evenings;
mod examples;
mod fresh;
mod oracle;
mod play;
mod report;

use std::io::Write as _;

use metnos::config::EngineChoice;

use case::Scenarios;
use play::Stage;
use report::Report;

/// The least share of solved scenarios, in percent, with the composer alone.
const SOLVED_MIN: usize = 85;

/// Every so many scenarios are played by the test; all of them by the report.
const SAMPLED: usize = 8;

#[tokio::test]
async fn the_composer_solves_what_households_say_and_does_nothing_else() {
    let mut scenarios = Scenarios::load();
    let mut at = 0;
    scenarios.all.retain(|_| {
        at += 1;
        at % SAMPLED == 1
    });
    let stage = Stage::new(scenarios, EngineChoice::Simple, None).await;
    let report = play_all(&stage).await;
    assert!(report.wrong().is_empty(), "{:#?}", report.wrong());
    assert!(report.dishonest().is_empty(), "{:#?}", report.dishonest());
    assert!(report.solved_share() >= SOLVED_MIN, "{report}");
}

/// A report that cannot see a wrong effect would be worth nothing.
#[tokio::test]
async fn an_effect_nobody_asked_for_is_seen() {
    let mut scenarios = Scenarios::load();
    let mut planted = scenarios.all.swap_remove(scenarios.index_of("en-move-by-kind"));
    planted.moved.pop_first();
    scenarios.all = vec![planted];
    let stage = Stage::new(scenarios, EngineChoice::Simple, None).await;
    let report = play_all(&stage).await;
    assert_eq!(report.wrong().len(), 1, "{report}");
}

/// The whole report, for `just scenarios`: the engine, how often and which ones come from the environment.
#[tokio::test]
#[ignore = "a report, not a test: see `just scenarios`"]
#[expect(
    clippy::disallowed_methods,
    reason = "a report is told what to play by its caller's environment"
)]
async fn report() {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let engine = match variable("METNOS_SCENARIOS_ENGINE").as_deref() {
        Some("metis") => EngineChoice::Metis,
        Some("auto") => EngineChoice::Auto,
        _ => EngineChoice::Simple,
    };
    let times = variable("METNOS_SCENARIOS_TIMES").map_or(1, |times| times.parse().unwrap());
    let mut scenarios = Scenarios::load();
    if let Some(only) = variable("METNOS_SCENARIOS_ONLY") {
        scenarios.all.retain(|scenario| scenario.id.contains(&only));
    }
    let stage = Stage::new(scenarios, engine, variable("METNOS_LIVE_LLM_URL")).await;
    let mut report = Report::new(stage.engine, times);
    for scenario in &stage.scenarios.all {
        for _ in 0..times {
            let played = stage.play(scenario).await;
            // Said as it comes: a model may take an hour for all of them.
            writeln!(std::io::stdout(), "{}: {played}", scenario.id).unwrap();
            report.add(scenario, played);
        }
    }
    writeln!(std::io::stdout(), "{report}").unwrap();
}

async fn play_all(stage: &Stage) -> Report {
    let mut report = Report::new(stage.engine, 1);
    for scenario in &stage.scenarios.all {
        report.add(scenario, stage.play(scenario).await);
    }
    report
}
