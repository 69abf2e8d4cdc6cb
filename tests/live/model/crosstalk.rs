//! A real llama-server that is asked by many at once: every answer is about its own request. Pinned to one slot and
//! asked for several at once, such a server answers one request with the words of another, which is why calls that are
//! pinned go one at a time.

use futures_util::StreamExt as _;
use metnos::{
    config::LlmConfig,
    domain::lang::Lang,
    engine::proposer::{Surroundings, Toolbox, prompt},
    llm::{LlmClient, Meter, Prompt, Workload},
};
use serde_json::json;

use super::{alone, asked, catalog, now, plans_of};
use crate::tools;

/// One for each request, so that it is seen whose words an answer holds; no prompt holds any of them.
const WORDS: [&str; 12] = [
    "socks",
    "giraffe",
    "marmalade",
    "submarine",
    "zanzibar",
    "osvaldo",
    "trumpet",
    "pelican",
    "volcano",
    "cinnamon",
    "lighthouse",
    "caravan",
];
const FORMS: [(Lang, &str); 6] = [
    (Lang::EN, "find the WORD papers"),
    (Lang::IT, "aggiungi WORD alla lista della spesa"),
    (Lang::EN, "put WORD on the shopping list"),
    (Lang::IT, "quali note parlano di WORD"),
    (Lang::EN, "which notes mention WORD"),
    (Lang::EN, "what was that WORD thing I wrote"),
];
/// Calls that are under way at once; more than any server has slots here.
const AT_ONCE: usize = 6;
/// Enough to say a request again.
const ANSWER_TOKENS: u32 = 40;

/// How many of the answers hold their own word, and every one that holds another's.
async fn answers(slot: Option<u32>, requests: usize) -> (usize, Vec<String>) {
    let llm = LlmClient::new(&LlmConfig {
        slot,
        ..plans_of(ANSWER_TOKENS)
    })
    .unwrap();
    let toolbox = Toolbox::new(
        &catalog(),
        &tools::shortlist("find_files write_files filter_texts_lines"),
    );
    let system = prompt::system(&toolbox.stable);
    // Even the smallest model can say again what it was asked, and whose words an answer holds is all that counts here.
    let repeats = json!({
        "type": "object", "properties": {"request": {"type": "string"}}, "required": ["request"],
        "additionalProperties": false
    });
    let asks = |number: usize| {
        let (llm, toolbox, repeats, system) = (&llm, &toolbox, &repeats, system.clone());
        async move {
            let word = WORDS[number % WORDS.len()];
            let (lang, form) = FORMS[number % FORMS.len()];
            let request = form.replace("WORD", word);
            let prompt = Prompt {
                system,
                user: prompt::user(&asked(&request, lang, toolbox, &Surroundings::default(), &now())),
                schema: Some(repeats.clone()),
            };
            let answer = llm.complete(Workload::Plan, &prompt, &Meter::default()).await.unwrap();
            (request, word, answer.text)
        }
    };
    let answers: Vec<_> = futures_util::stream::iter((0..requests).map(asks))
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let own = answers.iter().filter(|(_, word, text)| text.contains(word)).count();
    let mixed_up = |(request, word, text): &(String, &str, String)| {
        let foreign = WORDS
            .iter()
            .find(|other| *other != word && text.to_lowercase().contains(**other))?;
        Some(format!("«{request}» was answered about {foreign}: {text}"))
    };
    (own, answers.iter().filter_map(mixed_up).collect())
}

#[tokio::test]
async fn many_at_once_get_answers_of_their_own() {
    let _alone = alone().await;
    let requests = 2 * WORDS.len();
    let (own, mixed_up) = answers(None, requests).await;
    println!("{own} of {requests} answers hold the word of their request");
    assert_eq!(mixed_up, Vec::<String>::new());
    assert!(
        own * 2 >= requests,
        "too few to tell whose they are: {own} of {requests}"
    );
}

#[tokio::test]
async fn many_at_once_get_answers_of_their_own_from_one_slot() {
    let _alone = alone().await;
    let (own, mixed_up) = answers(Some(0), WORDS.len()).await;
    println!("{own} of {} answers hold the word of their request", WORDS.len());
    assert_eq!(mixed_up, Vec::<String>::new());
    assert!(own * 2 >= WORDS.len(), "too few to tell whose they are: {own}");
}
