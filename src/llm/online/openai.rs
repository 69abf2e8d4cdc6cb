//! OpenAI's chat completions, at OpenAI or whoever else speaks them.
//!
//! Called by `llm::online` alone. What such a server does not understand is found out as with one in the house, see
//! `chat`.

use reqwest::header::{AUTHORIZATION, HeaderMap};

use super::{OnlineClient, OnlineError};
use crate::llm::{
    Completion, Prompt, Workload,
    chat::{self, Question},
};

pub(super) async fn ask(client: &OnlineClient, prompt: &Prompt) -> Result<Completion, OnlineError> {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, client.key_after("Bearer ")?);
    let question = Question {
        picture: None,
        model: Some(&client.model),
        prompt,
        tokens_max: client.tokens_max,
        name: Workload::Plan.answer_name(),
        is_strict: false,
    };
    let door = client.door(chat::PATH, headers)?;
    let bytes = chat::ask(&door, &client.dialect, |dialect| question.body(dialect))
        .await
        .map_err(|failure| client.failed(failure))?;
    chat::read(&bytes, 0, prompt.schema.is_some()).ok_or(OnlineError::Unreadable)
}
