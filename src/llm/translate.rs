//! A text of ours in a language that a household added: what the nightly job asks the model for. Whether the answer can
//! be used is decided by who asks; nothing of a person is in it.

use super::{LlmClient, LlmError, Meter, Prompt, Workload};
use crate::domain::lang::Lang;

const SYSTEM: &str = include_str!("../../locales/en/prompts/translate.md");

/// What is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matter<'a> {
    /// A message of Fluent, from its key on.
    Message(&'a str),
    /// What a model is told to do.
    Prompt(&'a str),
}

/// The same in another language, as the model wrote it.
pub async fn translate(llm: &LlmClient, matter: Matter<'_>, lang: Lang, meter: &Meter) -> Result<String, LlmError> {
    let (kind, text) = match matter {
        Matter::Message(text) => ("MESSAGE", text),
        Matter::Prompt(text) => ("PROMPT", text),
    };
    let name = lang.english_name();
    let prompt = Prompt {
        system: SYSTEM.trim().to_owned(),
        user: format!("LANGUAGE\n{name}\n\n{kind}\n{text}"),
        schema: None,
    };
    let completion = llm.complete(Workload::Translate, &prompt, meter).await?;
    if completion.cut_off || completion.text.trim().is_empty() {
        return Err(LlmError::Unreadable);
    }
    Ok(without_fence(&completion.text).to_owned())
}

/// Models like to put code between fences.
fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let Some((_, rest)) = text.strip_prefix("```").and_then(|rest| rest.split_once('\n')) else {
        return text;
    };
    rest.trim_end().strip_suffix("```").unwrap_or(rest).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_no_part_of_a_text() {
        for (written, text) in [
            ("hello = Bonjour", "hello = Bonjour"),
            ("```ftl\nhello = Bonjour\n```", "hello = Bonjour"),
            ("```\nhello = Bonjour\n", "hello = Bonjour"),
            ("  hello = Utilise `x`\n", "hello = Utilise `x`"),
        ] {
            assert_eq!(without_fence(written), text);
        }
    }
}
