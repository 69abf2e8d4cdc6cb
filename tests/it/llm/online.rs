//! The provider's door: what is sent to either kind, what is read of their answers, and every way they can fail.

use metnos::{
    config::{OnlineConfig, Secret},
    domain::spending::{MicroUsd, Provider},
    llm::{
        Prompt,
        online::{Answer, OnlineClient, OnlineError},
    },
};
use serde_json::{Value, json};

use crate::support::provider::{COST, FakeProvider, KEY, Reply, TOKENS};

const BOTH: [Provider; 2] = [Provider::Anthropic, Provider::OpenAi];

fn question() -> Prompt {
    Prompt {
        system: "You plan.".to_owned(),
        user: "REQUEST\nhello".to_owned(),
        schema: Some(json!({"type": "object", "properties": {"steps": {"type": "array"}}})),
    }
}

fn plan() -> Value {
    json!({"steps": [{"tool": "get_now", "args": {}}], "show": true})
}

async fn asks(config: &OnlineConfig) -> Result<Answer, OnlineError> {
    OnlineClient::new(config).unwrap().unwrap().complete(&question()).await
}

fn header<'a>(asked: &'a crate::support::provider::Asked, name: &str) -> Option<&'a str> {
    asked.headers.get(name).map(|value| value.to_str().unwrap())
}

#[tokio::test]
async fn anthropic_is_made_to_call_the_one_tool() {
    let provider = FakeProvider::start().await;
    provider.always(Reply::Say(plan()));
    let answer = asks(&provider.config(Provider::Anthropic)).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&answer.completion.text).unwrap(), plan());
    assert_eq!((answer.completion.tokens_in, answer.completion.tokens_out), TOKENS);
    assert_eq!(answer.cost, Some(MicroUsd(COST)));
    let asked = &provider.asked()[0];
    assert_eq!(asked.path, "/v1/messages");
    assert_eq!(header(asked, "x-api-key"), Some(KEY));
    assert_eq!(header(asked, "anthropic-version"), Some("2023-06-01"));
    assert_eq!(header(asked, "authorization"), None);
    let expected = json!({
        "model": "strong-1",
        "max_tokens": 2_048,
        "system": "You plan.",
        "messages": [{"role": "user", "content": "REQUEST\nhello"}],
        "tools": [{
            "name": "plan",
            "description": "Takes the whole answer, once.",
            "input_schema": question().schema
        }],
        "tool_choice": {"type": "tool", "name": "plan"}
    });
    assert_eq!(asked.body, expected);
}

#[tokio::test]
async fn openai_is_held_to_the_schema() {
    let provider = FakeProvider::start().await;
    provider.always(Reply::Say(plan()));
    let answer = asks(&provider.config(Provider::OpenAi)).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&answer.completion.text).unwrap(), plan());
    assert_eq!(answer.cost, Some(MicroUsd(COST)));
    let asked = &provider.asked()[0];
    assert_eq!(asked.path, "/v1/chat/completions");
    assert_eq!(header(asked, "authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(header(asked, "x-api-key"), None);
    let expected = json!({
        "model": "strong-1",
        "max_tokens": 2_048,
        "stream": false,
        "messages": [
            {"role": "system", "content": "You plan."},
            {"role": "user", "content": "REQUEST\nhello"}
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "plan", "strict": false, "schema": question().schema}
        }
    });
    assert_eq!(asked.body, expected);
}

/// Each refusal names what it does not know, is free, and is remembered.
#[tokio::test]
async fn an_openai_endpoint_is_asked_in_the_words_it_knows() {
    let provider = FakeProvider::start().await;
    let refuses = |words: &str| Reply::Refuse(400, "invalid_request_error", words.to_owned());
    provider
        .next(refuses(
            "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ))
        .next(refuses("Invalid parameter: 'response_format' of type 'json_schema'"))
        .always(Reply::Say(plan()));
    let config = provider.config(Provider::OpenAi);
    let client = OnlineClient::new(&config).unwrap().unwrap();
    for _ in 0..2 {
        let answer = client.complete(&question()).await.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&answer.completion.text).unwrap(), plan());
    }
    let asked = provider.asked();
    assert_eq!(asked.len(), 4);
    let last = &asked[3].body;
    assert_eq!(
        (last.get("max_tokens"), &last["max_completion_tokens"]),
        (None, &json!(2_048))
    );
    assert_eq!(last.get("response_format"), None);
    assert_eq!(
        last["tool_choice"],
        json!({"type": "function", "function": {"name": "plan"}})
    );
    assert_eq!(
        Some(&last["tools"][0]["function"]["parameters"]),
        question().schema.as_ref()
    );

    provider
        .next(refuses("'tools' is not supported"))
        .always(Reply::InWords(format!("Here: {}", plan())));
    let answer = client.complete(&question()).await.unwrap();
    assert_eq!(answer.completion.text, format!("Here: {}", plan()));
    let last = provider.asked().pop().unwrap().body;
    assert_eq!((last.get("tools"), last.get("tool_choice")), (None, None));
}

/// One row for each way to fail: what it is called, what the person is told, and whether it may have cost money.
#[tokio::test]
async fn every_failure_has_its_name() {
    let refuse = |status, kind: &'static str, words: &str| Reply::Refuse(status, kind, words.to_owned());
    let rows = [
        (
            refuse(401, "authentication_error", "invalid x-api-key"),
            "refused the key",
            "online-key-refused",
            false,
        ),
        (
            refuse(403, "permission_error", "no"),
            "refused the key",
            "online-key-refused",
            false,
        ),
        (Reply::Busy(7), "busy, retry after Some(7) s", "online-busy-for", false),
        (
            refuse(429, "rate_limit_error", "slow down"),
            "busy",
            "online-busy",
            false,
        ),
        (
            refuse(429, "insufficient_quota", "You exceeded your quota"),
            "no credit",
            "online-no-credit",
            false,
        ),
        (refuse(402, "billing", "pay"), "no credit", "online-no-credit", false),
        (
            refuse(400, "invalid_request_error", "Your credit balance is too low"),
            "no credit",
            "online-no-credit",
            false,
        ),
        (
            refuse(404, "not_found_error", "model: strong-1"),
            "answered 404: not_found_error: model",
            "online-refused",
            false,
        ),
        (
            refuse(500, "api_error", "boom"),
            "out of order (500)",
            "online-down",
            true,
        ),
        (
            refuse(529, "overloaded_error", "Overloaded"),
            "out of order (529)",
            "online-down",
            true,
        ),
        (Reply::Hang, "did not answer in 1 s", "online-slow", true),
        (Reply::Garbage, "unreadable", "online-unreadable", true),
    ];
    for provider_kind in BOTH {
        for (reply, words, key, may_cost) in &rows {
            let provider = FakeProvider::start().await;
            provider.always(reply.clone());
            let error = asks(&provider.config(provider_kind)).await.unwrap_err();
            assert!(error.to_string().contains(words), "{reply:?}: {error}");
            assert_eq!(error.message().key.to_string(), *key, "{reply:?}");
            assert_eq!(error.may_have_cost(), *may_cost, "{reply:?}");
            assert_eq!(
                provider.asked().len(),
                1,
                "{reply:?}: never asked again in the same turn"
            );
        }
    }
}

#[tokio::test]
async fn who_cannot_be_reached_costs_nothing() {
    let config = OnlineConfig {
        url: "http://127.0.0.1:1".to_owned(),
        ..FakeProvider::start().await.config(Provider::Anthropic)
    };
    let error = asks(&config).await.unwrap_err();
    assert!(error.to_string().contains("cannot reach the provider"), "{error}");
    assert!(!error.may_have_cost());
}

/// Some providers quote the key they refuse.
#[tokio::test]
async fn no_error_has_the_key_in_it() {
    for provider_kind in BOTH {
        let provider = FakeProvider::start().await;
        let config = provider.config(provider_kind);
        for status in [400, 401, 403, 404, 429, 500] {
            provider.next(Reply::Refuse(status, "e", format!("what is this: {KEY}?")));
            let error = asks(&config).await.unwrap_err();
            let told = format!("{error} {error:?} {:?}", error.message());
            assert!(!told.contains(KEY), "{status}: {told}");
        }
        let client = OnlineClient::new(&config).unwrap().unwrap();
        assert!(!format!("{client:?} {config:?}").contains(KEY));
    }
    let unsendable = OnlineConfig {
        key: Some(Secret::new("two\nlines".to_owned())),
        ..FakeProvider::start().await.config(Provider::Anthropic)
    };
    let error = asks(&unsendable).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("lines"), "{error}");
}

#[tokio::test]
async fn an_answer_that_is_not_counted_has_no_cost() {
    for provider_kind in BOTH {
        let provider = FakeProvider::start().await;
        provider.always(Reply::Uncounted(plan()));
        assert_eq!(asks(&provider.config(provider_kind)).await.unwrap().cost, None);
    }
}

/// What is set aside is more than any tokenizer could count: one for each byte, and the whole answer.
#[tokio::test]
async fn the_worst_case_is_worse_than_any_answer() {
    let provider = FakeProvider::start().await;
    let config = provider.config(Provider::Anthropic);
    let client = OnlineClient::new(&config).unwrap().unwrap();
    let prompt = Prompt {
        user: "ふ".repeat(1_000),
        ..question()
    };
    let sent = prompt.system.len() + 3_000;
    assert!(client.worst_case(&prompt) > config.prices.unwrap().of(sent as u64, 2_048));
}

#[tokio::test]
async fn without_prices_a_model_or_a_key_there_is_nobody_to_ask() {
    let provider = FakeProvider::start().await;
    let whole = provider.config(Provider::OpenAi);
    for config in [
        OnlineConfig {
            prices: None,
            ..whole.clone()
        },
        OnlineConfig {
            model: None,
            ..whole.clone()
        },
        OnlineConfig {
            key: None,
            ..whole.clone()
        },
        OnlineConfig::default(),
    ] {
        assert!(config.gap().is_some());
        assert!(OnlineClient::new(&config).unwrap().is_none());
    }
    assert_eq!(whole.gap(), None);
}
