//! Draws buttons as an inline keyboard, and the request for a location as a keyboard in place of the letters. What an
//! inline button carries is the token the runtime gave it.

use teloxide::types::{
    ButtonRequest, InlineKeyboardButton, InlineKeyboardMarkup, KeyboardButton, KeyboardMarkup, KeyboardRemove,
    ReplyMarkup,
};

use crate::{
    channels::printable::one_line,
    domain::{
        delivery::StopButton,
        reply::{Button, ButtonKind, Expects},
    },
};

/// Most bytes Telegram carries in a button.
const DATA_BYTES_MAX: usize = 64;
/// Most characters Telegram shows on a button.
const LABEL_CHARS_MAX: usize = 64;

/// The keyboard; without buttons it takes an earlier one away. Options stand below each other, everything else in one
/// row.
pub(super) fn keyboard(buttons: &[Button]) -> InlineKeyboardMarkup {
    let mut rows: Vec<Vec<InlineKeyboardButton>> = Vec::new();
    let mut row = Vec::new();
    for button in buttons {
        let Some(drawn) = key(button) else { continue };
        if matches!(button.kind, ButtonKind::Choose { .. }) {
            rows.push(vec![drawn]);
        } else {
            row.push(drawn);
        }
    }
    if !row.is_empty() {
        rows.push(row);
    }
    InlineKeyboardMarkup::new(rows)
}

/// The one button under a sign of progress.
pub(super) fn stop(button: &StopButton) -> InlineKeyboardMarkup {
    let label: String = one_line(&button.label).chars().take(LABEL_CHARS_MAX).collect();
    InlineKeyboardMarkup::new([[InlineKeyboardButton::callback(label, button.token.as_str())]])
}

/// What a new message carries: its buttons, or the keyboard for what is expected next. Telegram takes one of the two.
pub(super) fn markup(buttons: &[Button], expects: &Expects) -> Option<ReplyMarkup> {
    if !buttons.is_empty() {
        return Some(ReplyMarkup::InlineKeyboard(keyboard(buttons)));
    }
    match expects {
        Expects::Anything | Expects::Secret => None,
        Expects::Location { share, cancel } => {
            let share = KeyboardButton::new(one_line(share)).request(ButtonRequest::Location);
            let keyboard = KeyboardMarkup::new([[share], [KeyboardButton::new(one_line(cancel))]])
                .one_time_keyboard()
                .resize_keyboard();
            Some(ReplyMarkup::Keyboard(keyboard))
        }
        Expects::LocationDone => Some(ReplyMarkup::KeyboardRemove(KeyboardRemove::new())),
    }
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
    use super::{keyboard, markup};
    use crate::domain::reply::{Button, ButtonKind, Expects};

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
    fn options_stand_below_each_other() {
        let option = |number: u8| Button {
            kind: ButtonKind::Choose {
                field: 0,
                option: number,
            },
            ..button("option", "t", false)
        };
        let cancel = Button {
            kind: ButtonKind::Cancel { field: 0 },
            ..button("cancel", "c", false)
        };
        let rows = keyboard(&[option(0), option(1), cancel]).inline_keyboard;
        assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1]);
    }

    #[test]
    fn a_location_is_asked_for_once_and_its_keyboard_goes_away() {
        let expects = Expects::Location {
            share: "Share".into(),
            cancel: "Cancel".into(),
        };
        let drawn = serde_json::to_value(markup(&[], &expects)).unwrap();
        assert_eq!(
            drawn["keyboard"],
            serde_json::json!([[{"text": "Share", "request_location": true}], [{"text": "Cancel"}]])
        );
        assert_eq!(drawn["one_time_keyboard"], true);
        let gone = serde_json::to_value(markup(&[], &Expects::LocationDone)).unwrap();
        assert_eq!(gone["remove_keyboard"], true);
        assert_eq!(markup(&[], &Expects::Anything), None);
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
