//! Slots of the server: by default a call names none and calls go side by side; pinned to one, they go one at a time,
//! as a llama-server mixes up calls that ask for the same slot at once.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests: what cannot be set up must stop the test"
)]

use std::time::{Duration, Instant};

use metnos::{
    config::LlmConfig,
    domain::lang::Lang,
    llm::{LlmClient, Meter, Workload, describe::describe, filler::fill},
};
use serde_json::json;

use super::{asks_for_a_plan, question};
use crate::support::llama::{Script, ScriptedLlama};

/// How long the server takes for an answer.
const WORK: Duration = Duration::from_millis(300);

/// What two calls at once come to.
struct Together {
    /// From the first call to the last answer.
    took: Duration,
    /// When the server heard of the second one.
    second_heard: Duration,
}

async fn two_at_once(slot: Option<u32>) -> Together {
    let server = ScriptedLlama::start().await;
    server.when("", Script::Slowly(WORK, "x".to_owned()));
    let config = LlmConfig {
        slot,
        ..server.config()
    };
    let llm = LlmClient::new(&config).unwrap();
    let (prompt, one, other) = (question(None), Meter::default(), Meter::default());
    let started = Instant::now();
    // Different kinds of calls, of different people: a slot is one slot for all of them.
    let calls = async {
        let (plan, filler) = tokio::join!(
            llm.complete(Workload::Plan, &prompt, &one),
            llm.complete(Workload::Filler, &prompt, &other)
        );
        plan.unwrap();
        filler.unwrap();
        started.elapsed()
    };
    let watch = async {
        while server.requests().len() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        started.elapsed()
    };
    let (took, second_heard) = tokio::join!(calls, watch);
    Together { took, second_heard }
}

#[tokio::test]
async fn calls_pinned_to_a_slot_go_one_at_a_time() {
    let Together { took, second_heard } = two_at_once(Some(1)).await;
    assert!(took >= 2 * WORK, "{took:?}");
    assert!(
        second_heard >= WORK,
        "the second came while the first was under way: {second_heard:?}"
    );
}

#[tokio::test]
async fn calls_that_name_no_slot_go_side_by_side() {
    let Together { took, second_heard } = two_at_once(None).await;
    assert!(second_heard < WORK, "{second_heard:?}");
    assert!(took < 2 * WORK, "{took:?}");
}

/// Whoever gives up while the server works, or while waiting for the slot, keeps nobody from it.
#[tokio::test]
async fn a_call_that_is_given_up_frees_the_slot() {
    let server = ScriptedLlama::start().await;
    server.next(Script::Hang).when("", Script::Say("hello".to_owned()));
    let llm = LlmClient::new(&server.config()).unwrap();
    let (prompt, meter) = (question(None), Meter::default());
    let two = async {
        tokio::join!(
            llm.complete(Workload::Plan, &prompt, &meter),
            llm.complete(Workload::Plan, &prompt, &meter)
        )
    };
    assert!(tokio::time::timeout(Duration::from_millis(100), two).await.is_err());
    assert_eq!(server.requests().len(), 1);
    let answer = llm.complete(Workload::Plan, &prompt, &Meter::default()).await.unwrap();
    assert_eq!(answer.text, "hello");
}

/// No kind of call names a slot, unless the household has one: then all of them name that one.
#[tokio::test]
async fn every_call_names_the_households_slot_or_none() {
    assert_eq!(LlmConfig::default().slot, None);
    for (slot, sent) in [(None, None), (Some(0), Some(json!(0)))] {
        let server = ScriptedLlama::start().await;
        server.when("", Script::Say(super::PLAN.to_owned()));
        let config = LlmConfig {
            slot,
            ..server.config()
        };
        let (llm, meter) = (LlmClient::new(&config).unwrap(), Meter::default());
        asks_for_a_plan(&llm, "what time is it", &meter).await.unwrap();
        fill(&llm, "a title", "", &meter).await.unwrap();
        describe(&llm, &json!([]), "what is there", Lang::EN, &meter)
            .await
            .unwrap();
        let requests = server.requests();
        assert_eq!(requests.len(), 3);
        for request in requests {
            assert_eq!(request.get("id_slot").cloned(), sent, "{request}");
        }
    }
}
