//! The figures metnos promises, measured and printed beside their goals: `cargo bench` or `just bench`. The walkthrough
//! shows the same table. Nothing here fails when a goal is missed; a person reads it, on a machine that is idle.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for developers that prints its findings and stops at the first surprise"
)]

#[path = "../../tests/it/support/bot.rs"]
#[expect(dead_code, reason = "shared with the tests, which use more of it")]
mod bot;
#[path = "../../tests/it/support/llama.rs"]
#[expect(dead_code, reason = "shared with the tests, which use more of it")]
mod llama;
mod lookup;
#[path = "../../tests/it/support/mailbox.rs"]
#[expect(dead_code, reason = "shared with the tests, which use more of it")]
mod mailbox;
mod model_calls;
mod night;
mod process;
mod replay;
mod scheduler;
mod stop;
#[path = "../../tests/it/support/turn_log.rs"]
mod turn_log;

use std::time::Duration;

/// One line of the table.
struct Figure {
    what: String,
    measured: String,
    goal: String,
    is_met: bool,
}

impl Figure {
    /// Times, of which the median must stay under the goal.
    fn of_times(what: &str, mut times: Vec<Duration>, goal: Duration) -> Self {
        let measured = spread(&mut times);
        let median = percentile(&times, 50);
        Self {
            what: format!("{what} ({} times)", times.len()),
            measured,
            goal: format!("p50 ≤ {}", milliseconds(goal)),
            is_met: median <= goal,
        }
    }

    /// A count that must be exactly this.
    fn of_count(what: &str, measured: u64, goal: u64) -> Self {
        Self {
            what: what.to_owned(),
            measured: measured.to_string(),
            goal: format!("= {goal}"),
            is_met: measured == goal,
        }
    }

    /// Something worth knowing that has no goal.
    fn remark(what: &str, measured: String) -> Self {
        Self {
            what: what.to_owned(),
            measured,
            goal: String::new(),
            is_met: true,
        }
    }
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    let mut figures = replay::figures().await;
    figures.extend(lookup::figures().await);
    figures.extend(process::figures());
    figures.extend(model_calls::figures().await);
    figures.extend(Box::pin(stop::figures()).await);
    figures.extend(scheduler::figures().await);
    figures.extend(night::figures().await);
    println!("{:<68} {:<26} {:<13}", "figure", "measured", "goal");
    for figure in &figures {
        let verdict = match (figure.goal.is_empty(), figure.is_met) {
            (true, _) => "",
            (false, true) => "met",
            (false, false) => "MISSED",
        };
        println!(
            "{:<68} {:<26} {:<13} {verdict}",
            figure.what, figure.measured, figure.goal
        );
    }
}

/// Sorts, and says how the values lie.
fn spread(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |percent| milliseconds(percentile(times, percent));
    format!("p50 {}, p95 {}", at(50), at(95))
}

/// The value below which this share of sorted values lies.
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * percent / 100).copied().unwrap_or_default()
}

/// As many digits as say something.
fn milliseconds(time: Duration) -> String {
    let value = time.as_secs_f64() * 1_000.0;
    match value {
        _ if value < 0.1 => format!("{value:.3} ms"),
        _ if value < 10.0 => format!("{value:.2} ms"),
        _ => format!("{value:.0} ms"),
    }
}
