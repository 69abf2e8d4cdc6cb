//! Draws buttons as an inline keyboard of one row. What a button carries is the token the runtime gave it.

use teloxide::types::{InlineKeyboardButton, InlineKeyboardMarkup};

use crate::{channels::printable::one_line, domain::reply::Button};

/// Most bytes Telegram carries in a button.
const DATA_BYTES_MAX: usize = 64;
/// Most characters Telegram shows on a button.
const LABEL_CHARS_MAX: usize = 64;

/// The keyboard; without buttons it takes an earlier one away.
pub(super) fn keyboard(buttons: &[Button]) -> InlineKeyboardMarkup {
    let row: Vec<InlineKeyboardButton> = buttons.iter().filter_map(key).collect();
    let rows = if row.is_empty() { Vec::new() } else { vec![row] };
    InlineKeyboardMarkup::new(rows)
}

fn key(button: &Button) -> Option<InlineKeyboardButton> {
    let data = button.token.as_str();
    if data.is_empty() || data.len() > DATA_BYTES_MAX {
        tracing::error!(bytes = data.len(), "button left out: its token does not fit");
        return None;
    }
    Some(InlineKeyboardButton::callback(label(button), data))
}

fn label(button: &Button) -> String {
    let mark = if button.chosen { "• " } else { "" };
    let text = format!("{mark}{}", one_line(&button.label));
    text.chars().take(LABEL_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::keyboard;
    use crate::domain::reply::{Button, ButtonKind};

    fn button(label: &str, token: &str, chosen: bool) -> Button {
        Button {
            kind: ButtonKind::Confirm,
            label: label.into(),
            token: token.into(),
            chosen,
        }
    }

    #[test]
    fn one_row_with_the_choice_marked() {
        let markup = keyboard(&[button("✓", "t1", true), button("✗", "t2", false)]);
        let drawn = serde_json::to_value(markup).unwrap();
        let expected = serde_json::json!({"inline_keyboard": [[
            {"text": "• ✓", "callback_data": "t1"},
            {"text": "✗", "callback_data": "t2"},
        ]]});
        assert_eq!(drawn, expected);
    }

    #[test]
    fn no_buttons_take_the_keyboard_away() {
        let drawn = serde_json::to_value(keyboard(&[])).unwrap();
        assert_eq!(drawn, serde_json::json!({"inline_keyboard": []}));
    }

    #[test]
    fn what_telegram_would_refuse_is_left_out() {
        let markup = keyboard(&[
            button("x", &"t".repeat(65), false),
            button(&"y".repeat(99), "ok", false),
        ]);
        let row = markup.inline_keyboard.first().unwrap();
        assert_eq!(row.len(), 1);
        assert_eq!(row.first().unwrap().text.chars().count(), 64);
    }
}
