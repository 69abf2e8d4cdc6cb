//! The same request again: what metnos itself takes when memory answers, apart from the executor.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use metnos::domain::{
    delivery::Parcel,
    ids::{ChannelKind, MessageId},
    inbound::{Inbound, InboundBody},
};
use serde_json::Value;

use super::{Figure, bot::TestBot, spread};

const REQUEST: &str = "find the pdf files in ~/docs modified this week";
const REPLAYS: usize = 300;

/// Replays one request and takes the executor's time away.
pub(super) async fn figures() -> Vec<Figure> {
    let bot = TestBot::new().await;
    for name in ["docs/taxes.pdf", "docs/lease.pdf", "docs/notes.txt"] {
        bot.file(name, name);
    }
    let mut walls = Vec::new();
    for _ in 0..=REPLAYS {
        walls.push(ask(&bot, REQUEST).await);
    }
    let log = bot.turn_log().await;
    let first = times(&log[0], walls[0]);
    let replays: Vec<Times> = log
        .iter()
        .zip(&walls)
        .skip(1)
        .map(|(line, wall)| times(line, *wall))
        .collect();
    assert!(
        log.iter().skip(1).all(|line| line["answered_by"] == "fastpath"),
        "memory must answer"
    );
    let goal = Duration::from_millis(2);
    let mut whole: Vec<Duration> = replays.iter().map(|times| times.wall).collect();
    let mut ends: Vec<Duration> = replays.iter().map(|times| times.end_to_end).collect();
    let ratio = first.engine.as_secs_f64() / replays.iter().map(|times| times.engine.as_secs_f64()).sum::<f64>()
        * replays.len() as f64;
    vec![
        Figure::of_times(
            "replay by hash, our own code in the engine",
            replays.iter().map(|times| times.engine).collect(),
            goal,
        ),
        Figure::remark("replay by hash, with its durable commits", spread(&mut ends)),
        Figure::remark(
            "replay by hash, with its durable commits and the executor's process",
            spread(&mut whole),
        ),
        Figure::remark("first time ÷ replay, our own code", format!("{ratio:.1} times")),
    ]
}

struct Times {
    engine: Duration,
    end_to_end: Duration,
    wall: Duration,
}

fn times(line: &Value, wall: Duration) -> Times {
    let spent = |name: &str| Duration::from_micros(line["timings"][name].as_u64().unwrap());
    Times {
        engine: spent("total_us").saturating_sub(spent("executors_us")),
        end_to_end: wall.saturating_sub(spent("executors_us")),
        wall,
    }
}

/// From the message to its answer in the channel's hands.
pub(super) async fn ask(bot: &TestBot, text: &str) -> Duration {
    static MESSAGES: AtomicUsize = AtomicUsize::new(0);
    let runtime = bot.app().runtime.clone();
    let number = MESSAGES.fetch_add(1, Ordering::Relaxed);
    let started = Instant::now();
    let inbound = Inbound {
        channel: ChannelKind::Terminal,
        conversation: "local".into(),
        sender: "local".into(),
        sender_name: None,
        lang_hint: None,
        message: MessageId::from(format!("bench-{number}")),
        body: InboundBody::Text(text.to_owned()),
    };
    runtime.submit(inbound).await.unwrap();
    loop {
        let delivery = runtime.next_delivery(ChannelKind::Terminal).await;
        let took = started.elapsed();
        runtime.delivered(delivery.id).await;
        if matches!(delivery.parcel, Parcel::Reply(_)) {
            return took;
        }
    }
}
