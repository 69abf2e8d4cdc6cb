//! The plan's closing text with its references filled, or the reason why it cannot be shown (incident 20): a sentence
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
                filled.push_str(&plain);
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

fn degenerate(reference: String) -> Closing {
    Closing::Degenerate { reference }
}
