//! One call for a plan: what is sent, how often, and what the answers come to.

use insta::assert_snapshot;
use metnos::domain::reply::ButtonKind;
use serde_json::json;

use super::{PLANNING, bot_asking, hears, last_turn, plan, plan_saying, plans_asked, said};
use crate::support::llama::{Script, ScriptedLlama};

#[tokio::test]
async fn a_new_request_is_one_call_and_a_known_one_is_none() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "find_files", "args": {"base_path": "~/docs", "pattern": "*.pdf"}}])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/taxes.pdf", "pdf");
    bot.says("find the pdf files in ~/docs").await;
    bot.says("find the pdf files in ~/docs").await;
    assert_snapshot!(said(&bot), @"
    > find the pdf files in ~/docs
    < • ~/docs/taxes.pdf · 3 B · TIME
      [✓ ✗ ↺] metis, 1 model call
    > find the pdf files in ~/docs
    < • ~/docs/taxes.pdf · 3 B · TIME
      [✓ ✗ ↺] fastpath, 0 model calls
    ");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn what_was_understood_comes_with_the_plan() {
    let server = ScriptedLlama::start().await;
    let steps = json!([{"tool": "list_dirs", "args": {"path": "~/docs"}}]);
    let answer = json!({"verb": "list", "object": "files", "confidence": 0.9, "steps": steps, "show": true});
    server.when(PLANNING, Script::Say(answer.to_string()));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.says("give me a peek of the goodies stashed under ~/docs").await;
    bot.says("give me a peek of the goodies stashed under ~/docs").await;
    assert_snapshot!(said(&bot), @"
    > give me a peek of the goodies stashed under ~/docs
    < • a.txt · file · 1 B · TIME
      [✓ ✗ ↺] metis, 1 model call
    > give me a peek of the goodies stashed under ~/docs
    < • a.txt · file · 1 B · TIME
      [✓ ✗ ↺] fastpath, 0 model calls
    ");
    assert_eq!(server.requests().len(), 1);
    let turns = bot.turn_log().await;
    assert_eq!(turns[0]["llm"]["calls"], json!(1));
    assert_eq!(turns[0]["intent"], json!("list|files"));
}

#[tokio::test]
async fn what_is_sent_is_bound_to_the_tools_and_its_beginning_never_changes() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "list_dirs", "args": {"path": "~/docs"}}])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.says("list the files in ~/docs").await;
    bot.says("elenca i file in ~/docs").await;
    let requests = server.requests();
    assert_eq!(requests.len(), 2, "{}", bot.transcript());
    assert_eq!(requests[0]["messages"][0], requests[1]["messages"][0]);
    for request in &requests {
        assert_eq!(request["cache_prompt"], json!(true));
        assert_eq!(request["id_slot"], json!(1));
        assert_eq!(request["seed"], json!(42));
        let schema = request["response_format"]["json_schema"]["schema"].to_string();
        assert!(schema.contains("list_dirs"), "{schema}");
        assert!(!schema.contains("runtime_resolved"), "{schema}");
    }
    let cached = last_turn(&bot).await["llm"]["tokens_cached"].as_u64();
    assert!(
        cached.is_some_and(|cached| cached > 0),
        "the second call found the beginning in the cache"
    );
}

#[tokio::test]
async fn what_the_model_alone_cannot_is_admitted() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        Script::Say(json!({"cannot": "a tool that counts"}).to_string()),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/taxes.pdf", "pdf");
    bot.says("how many pdf files are in ~/docs").await;
    bot.says("book me a flight to Rome").await;
    assert_snapshot!(said(&bot), @"
    > how many pdf files are in ~/docs
    < I don't know how to do this part: “a tool that counts”. I noted it as missing; /help shows what I can do.
      [] terminator, 1 model call
    > book me a flight to Rome
    < I don't know how to do this part: “a tool that counts”. I noted it as missing; /help shows what I can do.
      [] terminator, 1 model call
    ");
}

#[tokio::test]
async fn a_plan_the_person_sent_away_does_not_come_back() {
    let server = ScriptedLlama::start().await;
    let listing = json!([{"tool": "list_dirs", "args": {"path": "~/docs"}}]);
    server.when(PLANNING, plan(&listing));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.says("list the files in ~/docs").await;
    bot.taps(ButtonKind::Retry).await;
    hears(&mut bot).await;
    assert_snapshot!(said(&bot), @"
    > list the files in ~/docs
    < • a.txt · file · 1 B · TIME
      [✓ ✗ ↺] metis, 1 model call
    * Retry: I'll try another way.
    < The only way I know is the one you told me not to use. Say it differently, or choose ↺ under this answer: then I use it again.
      [↺] terminator, 2 model calls
    ");
    let asked = plans_asked(&server);
    assert!(
        asked[1].contains("NOT THIS PLAN AGAIN\n- list_dirs(path)"),
        "{}",
        asked[1]
    );
}

#[tokio::test]
async fn another_plan_after_again_is_used() {
    let server = ScriptedLlama::start().await;
    server.next(plan(&json!([{"tool": "list_dirs", "args": {"path": "~/docs"}}])));
    server.next(plan(&json!([{"tool": "find_files", "args": {"base_path": "~/docs"}}])));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.says("list the files in ~/docs").await;
    bot.taps(ButtonKind::Retry).await;
    hears(&mut bot).await;
    assert_snapshot!(said(&bot), @"
    > list the files in ~/docs
    < • a.txt · file · 1 B · TIME
      [✓ ✗ ↺] metis, 1 model call
    * Retry: I'll try another way.
    < • ~/docs/a.txt · 1 B · TIME
      [✓ ✗ ↺] metis, 1 model call
    ");
}

#[tokio::test]
async fn an_unsure_model_asks_and_nothing_runs() {
    let server = ScriptedLlama::start().await;
    let deleting = json!([{"tool": "delete_files", "args": {"paths": ["~/docs/a.txt"]}}]);
    let answer = json!({"verb": "delete", "object": "files", "confidence": 0.49, "steps": deleting, "show": true});
    server.when(PLANNING, Script::Say(answer.to_string()));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.says("make the docs thing go poof").await;
    assert_snapshot!(said(&bot), @"
    > make the docs thing go poof
    < I'm not sure what you mean by “make the docs thing go poof”. What should I do, and with what?
      [] terminator, 1 model call
    ");
    assert_eq!(plans_asked(&server).len(), 1);
    let turn = last_turn(&bot).await;
    assert_eq!(turn["final_kind"], json!("ask"));
    assert_eq!(turn["steps"], json!([]));
}

/// What the model would ask is asked in its words; how bad a mistake would be and why are for the log.
#[tokio::test]
async fn the_models_own_question_is_asked_and_its_reasons_are_not_shown() {
    let server = ScriptedLlama::start().await;
    let answer = json!({
        "verb": "delete", "object": "files", "confidence": 0.2,
        "question": "Which of the two drafts?", "risk": "high", "reasoning": "two drafts are there"
    });
    server.when(PLANNING, Script::Say(answer.to_string()));
    let mut bot = bot_asking(&server).await;
    let heard = bot.says("get rid of that draft thingy").await;
    assert_eq!(heard, "Which of the two drafts?");
    let turn = last_turn(&bot).await;
    assert_eq!(turn["final_kind"], json!("ask"));
    assert_eq!(turn["proposals"][0]["reasoning"], json!("two drafts are there"));
    assert_eq!(turn["proposals"][0]["risk"], json!("high"));
}

#[tokio::test]
async fn a_confidence_that_is_no_number_is_none() {
    for confidence in [json!("NaN"), json!(1.5), json!(-1), json!("high")] {
        let server = ScriptedLlama::start().await;
        let steps = json!([{"tool": "list_dirs", "args": {"path": "~/docs"}}]);
        let answer = json!({"confidence": confidence, "steps": steps, "show": true});
        server.when(PLANNING, Script::Say(answer.to_string()));
        let mut bot = bot_asking(&server).await;
        bot.says("give me a peek of the goodies stashed under ~/docs").await;
        let turn = last_turn(&bot).await;
        assert_eq!(turn["final_kind"], json!("ask"), "{confidence}");
        assert_eq!(turn["steps"], json!([]), "{confidence}");
    }
}

#[tokio::test]
async fn only_the_value_that_was_asked_for_is_said() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan_saying(
            &json!([
                {"tool": "find_files", "args": {"base_path": "~/docs"}},
                {"tool": "compute_entries", "args": {"from_step": 1, "op": "count"}}
            ]),
            "There are ${step2.value} of them.",
        ),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.file("docs/b.txt", "b");
    let heard = bot.says("count the goodies stashed in ~/docs").await;
    assert_eq!(heard, "There are 2 of them.");
}
