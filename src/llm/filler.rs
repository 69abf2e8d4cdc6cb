//! Small open texts of a plan (`${FILLER:name}`): one short fast-tier call each.
//!
//! Called by the plan executor, which also caches the answers and knows the defaults; this file only asks.

use super::{Completion, LlmClient, LlmError, Meter, Prompt, Workload};

/// The same for every language: the words asked for are named in the filler's own prompt.
const SYSTEM: &str = include_str!("../../locales/en/prompts/filler.md");
/// Characters of context shown.
const CONTEXT_CHARS_MAX: usize = 2_000;

/// Asks for one short text. Only its first line counts; an empty answer is `Unreadable`, so that the default is used.
pub async fn fill(llm: &LlmClient, prompt: &str, context: &str, meter: &Meter) -> Result<String, LlmError> {
    let context: String = context.chars().take(CONTEXT_CHARS_MAX).collect();
    let prompt = Prompt {
        system: SYSTEM.trim().to_owned(),
        user: format!("CONTEXT\n{context}\n\nTEXT\n{prompt}"),
        schema: None,
    };
    let completion = llm.complete(Workload::Filler, &prompt, meter).await?;
    first_line(&completion).ok_or(LlmError::Unreadable)
}

/// The first line that says something, without the quotes a model likes to put around it.
fn first_line(completion: &Completion) -> Option<String> {
    let line = completion.text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let bare = ['"', '\'', '`']
        .into_iter()
        .find_map(|quote| line.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(line)
        .trim();
    (!bare.is_empty()).then(|| bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_line_counts() {
        for (text, expected) in [
            ("Shopping list", Some("Shopping list")),
            ("\n  \"Shopping list\"\nIt is short.", Some("Shopping list")),
            ("it's", Some("it's")),
            ("\"", Some("\"")),
            ("\"\"", None),
            (" \n ", None),
        ] {
            let completion = Completion {
                text: text.to_owned(),
                tokens_in: 0,
                tokens_cached: 0,
                tokens_out: 0,
                latency_ms: 0,
                cut_off: false,
            };
            assert_eq!(first_line(&completion).as_deref(), expected, "{text}");
        }
    }
}
