//! How long a remembered request takes from message to answer over each channel, how much of that is our own code, and
//! how much memory metnos holds with both channels connected. A report and no test: `just figures-channels`.

#![expect(clippy::unwrap_used, reason = "a report may fail loudly")]

use std::{path::Path, time::Instant};

use serde_json::Value;

use super::{
    matrix::Bed,
    process::{Home, pairing_code},
    servers::telegram_url,
    telegram::{Phone, TOKEN},
    turn_log::turn_log,
};

/// Answers from memory that are timed on each channel.
const ROUNDS: usize = 50;
const REQUEST: &str = "find the pdf files in ~/docs";
const ANSWER: &str = "taxes.pdf";

#[tokio::test]
#[ignore = "a report, not a test: see `just figures-channels`"]
#[expect(clippy::print_stdout, reason = "a report")]
async fn message_to_answer_and_memory() {
    let phone = Phone::new(91, "en").await;
    let bed = Bed::new().await;
    let home = Home::new();
    home.write("docs/taxes.pdf", "pdf");
    home.configure(&format!("[telegram]\napi_url = \"{}\"\n", telegram_url()));
    bed.set_up(&home).await;
    let mut service = home.serve(&[("METNOS_TELEGRAM_TOKEN", TOKEN)]);
    service.prints("metnos is running").await;
    let (_, printed) = home.run(&["pair", "--for", "host"], "").await;
    let code = pairing_code(&printed);
    phone.asks(&format!("/pair {code}"), "User").await;
    let chat = bed.chat(&bed.owner).await;
    phone.asks(REQUEST, ANSWER).await;
    chat.asks(REQUEST, ANSWER).await;

    println!("{REQUEST}: {ROUNDS} answers from memory on each channel, milliseconds");
    println!("channel     all p50   p95   executors p50   own code p50   p95   transport p50   p95");
    let begun = turn_log(&home.data_dir()).len();
    let mut whole = Vec::new();
    for _ in 0..ROUNDS {
        let asked = Instant::now();
        phone.asks(REQUEST, ANSWER).await;
        whole.push(milliseconds(asked));
    }
    report("Telegram", &whole, &turn_log(&home.data_dir())[begun..]);
    let begun = turn_log(&home.data_dir()).len();
    let mut whole = Vec::new();
    for _ in 0..ROUNDS {
        let asked = Instant::now();
        chat.asks(REQUEST, ANSWER).await;
        whole.push(milliseconds(asked));
    }
    report("Matrix", &whole, &turn_log(&home.data_dir())[begun..]);
    let resident = resident_mb(service.id());
    println!(
        "resident memory with both channels connected: {resident:.1} MB (goal 90: {:.2} of it)",
        resident / 90.0
    );
    service.terminate().await;
}

/// What the person waited, beside what the turn log says of it. The rest is on the way: the servers, the client
/// library's polling, and the test's own looking every 50 ms.
#[expect(clippy::print_stdout, reason = "a report")]
fn report(channel: &str, whole: &[f64], turns: &[Value]) {
    assert_eq!(turns.len(), whole.len());
    let remembered = turns.iter().all(|turn| turn["answered_by"] == "fastpath");
    assert!(remembered, "not from memory: {turns:?}");
    let part = |name: &str| -> Vec<f64> {
        let parts = turns
            .iter()
            .map(|turn| turn["timings"][name].as_f64().unwrap() / 1_000.0);
        parts.collect()
    };
    let (executors, total) = (part("executors_us"), part("total_us"));
    let pairs = |one: &[f64], other: &[f64]| -> Vec<f64> { one.iter().zip(other).map(|(a, b)| a - b).collect() };
    let (own, transport) = (pairs(&total, &executors), pairs(whole, &total));
    println!(
        "{channel:<10} {:>8.1} {:>5.1} {:>15.1} {:>14.1} {:>5.1} {:>15.1} {:>5.1}",
        percentile(whole, 50),
        percentile(whole, 95),
        percentile(&executors, 50),
        percentile(&own, 50),
        percentile(&own, 95),
        percentile(&transport, 50),
        percentile(&transport, 95),
    );
}

fn percentile(values: &[f64], share: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[(sorted.len() - 1) * share / 100]
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1_000.0
}

/// What a process holds in memory, in MiB.
pub(crate) fn resident_mb(process: u32) -> f64 {
    let status = std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    let kilobytes: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes / 1_024.0
}
