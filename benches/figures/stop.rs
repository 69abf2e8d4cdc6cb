//! How long a person waits for a stop: from the word to the answer, while the model is asked and while a child process
//! fetches a page from a server that never answers.

use std::time::{Duration, Instant};

use metnos::config::{EngineChoice, LlmConfig, Tiers};
use tokio::net::TcpListener;

use super::{
    Figure,
    bot::{Setup, TestBot},
    llama::{Script, ScriptedLlama},
};

const ROUNDS: usize = 20;
const GOAL: Duration = Duration::from_secs(1);
/// Into the middle of the call: what begins is not what lasts.
const INTO_IT: Duration = Duration::from_millis(500);

/// Stops each kind of call.
pub(super) async fn figures() -> Vec<Figure> {
    let server = ScriptedLlama::start().await;
    server.when("REQUEST (in ", Script::Hang);
    let mut asking = TestBot::with(Setup {
        llm: Some(LlmConfig {
            tiers: Tiers::default().waiting(60, 30),
            ..server.config()
        }),
        engine: EngineChoice::Metis,
        ..Setup::default()
    })
    .await;
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let page = format!("fetch http://{}/page", silent.local_addr().unwrap());
    let mut fetching = TestBot::new().await;
    vec![
        Figure::of_times(
            "stop to answer, in a model call",
            stops(&mut asking, "find the pdf files in ~/docs").await,
            GOAL,
        ),
        Figure::of_times(
            "stop to answer, in a child process",
            stops(&mut fetching, &page).await,
            GOAL,
        ),
    ]
}

async fn stops(bot: &mut TestBot, request: &str) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        bot.says_silently(request).await;
        tokio::time::sleep(INTO_IT).await;
        let begun = Instant::now();
        let said = bot.says("/stop").await;
        times.push(begun.elapsed());
        assert!(said.starts_with("Stopped."), "{said}");
    }
    times
}
