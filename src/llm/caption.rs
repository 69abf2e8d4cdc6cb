//! What a model sees in a photo, as one line: what the nightly job asks for. The photo and its words may be a
//! stranger's, and so may the line: it is made harmless here, kept as data, and never run.

use super::{Jpeg, LlmClient, LlmError, Meter, Prompt, Workload, describe::told_in};
use crate::domain::{lang::Lang, limits::PHOTO_CAPTION_CHARS_MAX};

const SYSTEM_EN: &str = include_str!("../../locales/en/prompts/caption.md");
const SYSTEM_IT: &str = include_str!("../../locales/it/prompts/caption.md");

/// The line under a photo, in this language; empty where the model has nothing to say.
pub async fn caption(llm: &LlmClient, photo: Jpeg<'_>, lang: Lang, meter: &Meter) -> Result<String, LlmError> {
    let prompt = Prompt {
        system: told_in(llm, lang, "caption", (SYSTEM_EN, SYSTEM_IT)),
        user: "PHOTO".to_owned(),
        schema: None,
    };
    let completion = llm.ask(Workload::Caption, (&prompt, Some(photo)), meter).await?;
    Ok(harmless(&completion.text))
}

/// One line of bounded length without anything that is not seen.
fn harmless(text: &str) -> String {
    let seen: String = text
        .chars()
        .map(|letter| if is_unseen(letter) { ' ' } else { letter })
        .collect();
    let words: Vec<&str> = seen.split_whitespace().collect();
    let line: String = words.join(" ").chars().take(PHOTO_CAPTION_CHARS_MAX).collect();
    line.trim_end().to_owned()
}

/// Control characters, and those that change how others are shown.
fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_wrote_is_one_short_line_of_letters_that_are_seen() {
        for (written, kept) in [
            ("A whiteboard.\n\n\u{1b}[31m\"Q3\"\t", "A whiteboard. [31m\"Q3\""),
            ("a\u{202e}b\u{200b}c\u{e0041}d\0e", "a b c d e"),
            (" \n ", ""),
        ] {
            assert_eq!(harmless(written), kept);
        }
        assert_eq!(
            harmless(&"word ".repeat(500)).chars().count(),
            PHOTO_CAPTION_CHARS_MAX - 1
        );
    }
}
