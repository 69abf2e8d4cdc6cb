//! The plan's closing text with its references filled, or the reason why it cannot be shown: a sentence
//! with a hole in it is worse than none, so the renderer falls back to showing the result itself. Pure.

use crate::domain::reference::{Part, parse_parts};

use super::{
    resolve::{Scope, Unresolved, written},
    words::words,
};

/// Signs of a template that was never filled.
const TEMPLATE_SIGNS: [&str; 4] = ["${", "{{", "(N entries)", "<placeholder>"];

/// The closing text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The plan has none: the last result speaks for itself.
    None,
    /// The words to show.
    Words(String),
    /// It cannot be filled; the last result speaks instead.
    Degenerate {
        /// The part that has no value, for the log.
        reference: String,
    },
}

/// Fills the closing text. `Err` only asks for a filler.
pub fn close(scope: &Scope<'_>) -> Result<Closing, Unresolved> {
    let Some(text) = &scope.plan.final_message else {
        return Ok(Closing::None);
    };
    let mut filled = String::new();
    for part in parse_parts(text) {
        match part {
            Part::Text(plain) => {
                if let Some(sign) = TEMPLATE_SIGNS.iter().find(|sign| plain.contains(**sign)) {
                    return Ok(degenerate((*sign).to_owned()));
                }
                filled.push_str(&without_tags(&plain));
            }
            Part::Reference(reference) => match scope.reference(&reference) {
                Ok(value) => {
                    let value = words(&value);
                    if value.trim().is_empty() {
                        return Ok(degenerate(written(&reference)));
                    }
                    filled.push_str(&value);
                }
                Err(Unresolved::Fill(call)) => return Err(Unresolved::Fill(call)),
                Err(Unresolved::Missing { reference } | Unresolved::Ambiguous { reference }) => {
                    return Ok(degenerate(reference));
                }
            },
        }
    }
    Ok(if filled.trim().is_empty() {
        degenerate(String::new())
    } else {
        Closing::Words(filled)
    })
}

/// Plain text: a model likes to write markup and to think aloud, and people must see neither.
fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        let is_tag = after.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '/');
        match after.split_once('>').filter(|_| is_tag) {
            Some((tag, behind)) if tag.eq_ignore_ascii_case("think") => {
                rest = behind.split_once("</think>").map_or("", |(_, spoken)| spoken);
            }
            Some((_, behind)) => rest = behind,
            None => {
                plain.push('<');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn degenerate(reference: String) -> Closing {
    Closing::Degenerate { reference }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_thoughts_are_not_spoken() {
        for (written, spoken) in [
            ("<b>Done</b>", "Done"),
            ("<think>hm, <i>so</i></think>Done", "Done"),
            ("Done<br/>", "Done"),
            ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
            ("a <3 b", "a <3 b"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(without_tags(written), spoken);
        }
    }
}
