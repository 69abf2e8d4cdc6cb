//! Servers in the house that are no llama-server: what they refuse is left out, and the plan still comes.

use metnos::{
    engine::proposer::{Proposal, ProposeError},
    llm::{LlmClient, Meter},
};
use serde_json::{Value, json};

use super::{PLAN, asks_for_a_plan, plan};
use crate::support::llama::{Script, ScriptedLlama};

const REQUEST: &str = "what time is it in Rome";

fn refuses(words: &str) -> Script {
    Script::Status(400, words.to_owned())
}

async fn asks(llm: &LlmClient) -> Result<Proposal, ProposeError> {
    let meter = Meter::default();
    let proposed = asks_for_a_plan(llm, REQUEST, &meter).await;
    assert_eq!(meter.used().calls, 1);
    proposed
}

fn names(request: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = request.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn a_server_without_llama_servers_fields_keeps_its_grammar() {
    let server = ScriptedLlama::start().await;
    server
        .next(refuses("Unrecognized request argument supplied: id_slot"))
        .when(REQUEST, Script::Say(PLAN.to_owned()));
    let llm = LlmClient::new(&server.config()).unwrap();
    for _ in 0..2 {
        plan(asks(&llm).await);
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 3, "the refusal is remembered");
    assert!(requests[0].get("id_slot").is_some());
    for plain in &requests[1..] {
        let expected = [
            "max_tokens",
            "messages",
            "model",
            "response_format",
            "stream",
            "temperature",
        ];
        assert_eq!(names(plain), expected);
    }
}

/// A server with native tool calling: the plan is what it calls the one tool with.
#[tokio::test]
async fn a_server_that_knows_no_schema_calls_a_tool() {
    let server = ScriptedLlama::start().await;
    server
        .next(refuses("unknown field: cache_prompt"))
        .next(refuses("response_format of type json_schema is not supported"))
        .when(REQUEST, Script::Call(PLAN.to_owned()));
    let llm = LlmClient::new(&server.config()).unwrap();
    for _ in 0..2 {
        plan(asks(&llm).await);
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 4, "both refusals are remembered");
    let asked = &requests[3];
    assert_eq!(
        names(asked),
        [
            "max_tokens",
            "messages",
            "model",
            "stream",
            "temperature",
            "tool_choice",
            "tools"
        ]
    );
    assert_eq!(
        asked["tool_choice"],
        json!({"type": "function", "function": {"name": "plan"}})
    );
    let function = &asked["tools"][0]["function"];
    assert_eq!(
        (&function["name"], &function["parameters"]["type"]),
        (&json!("plan"), &json!("object"))
    );
    assert_eq!(
        function["parameters"]["anyOf"], requests[0]["response_format"]["json_schema"]["schema"]["anyOf"],
        "the same schema holds it"
    );
}

#[tokio::test]
async fn a_server_that_knows_neither_is_asked_in_words_and_its_plan_is_read() {
    let server = ScriptedLlama::start().await;
    server
        .next(refuses("seed: extra fields not permitted"))
        .next(refuses("response_format: extra fields not permitted"))
        .next(refuses("tools: extra fields not permitted"))
        .when(REQUEST, Script::Say(format!("Here it is:\n```json\n{PLAN}\n```")));
    let llm = LlmClient::new(&server.config()).unwrap();
    for _ in 0..2 {
        plan(asks(&llm).await);
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 5);
    assert_eq!(
        names(&requests[4]),
        ["max_tokens", "messages", "model", "stream", "temperature"]
    );
}

#[tokio::test]
async fn a_refusal_of_the_question_itself_is_not_asked_again() {
    let server = ScriptedLlama::start().await;
    server.next(refuses("the request exceeds the available context size"));
    let llm = LlmClient::new(&server.config()).unwrap();
    assert!(matches!(asks(&llm).await, Err(ProposeError::Model(_))));
    assert_eq!(server.requests().len(), 1);
}
