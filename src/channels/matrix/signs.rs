//! The signs and short words that stand for a button. Clients write the same sign in many ways: with or without the
//! mark that asks for colour, with a skin tone, heavy or light. One table, and nothing that is not in it.

use crate::domain::{
    feedback::Sign,
    reply::{ButtonKind, TaskButton},
};

/// What a sign looks like once colour and skin are taken off it.
const SIGNS: &[(Sign, &[&str])] = &[
    (Sign::Yes, &["✓", "✔", "✅", "☑", "👍", "👌"]),
    (Sign::No, &["✗", "✘", "✕", "✖", "❌", "❎", "👎", "🚫"]),
    (Sign::Again, &["↺", "↻", "⟳", "⟲", "🔄", "🔁", "🔃"]),
    (Sign::Stop, &["⏹", "🛑", "✋", "⛔"]),
    (Sign::Later, &["⏰", "⏳", "🔔", "😴", "💤"]),
    (Sign::Tomorrow, &["📅", "📆", "🌅", "🗓"]),
    (Sign::Pause, &["⏸", "⏯"]),
];

/// The reaction the bot puts under what shows progress, to be tapped.
pub(super) const STOP: &str = "⏹";

/// Short words, in every language, as they are written without accents and capitals.
const WORDS: &[(Sign, &[&str])] = &[
    (Sign::Yes, &["ok", "yes", "si", "okay", "done", "fatto", "fatta"]),
    (Sign::No, &["no"]),
    (Sign::Again, &["again", "ancora", "retry", "riprova"]),
    (
        Sign::Later,
        &["+10", "10", "later", "snooze", "dopo", "piu tardi", "rimanda"],
    ),
    (Sign::Tomorrow, &["tomorrow", "domani"]),
    (Sign::Pause, &["pause", "pausa"]),
];

/// What a reaction stands for.
pub(super) fn of_reaction(key: &str) -> Option<Sign> {
    let bare: String = key.trim().chars().filter(|character| !is_dress(*character)).collect();
    find(SIGNS, &bare)
}

/// What a whole message stands for: `!ok` anywhere, a lone sign anywhere, a short word where it answers something.
pub(super) fn of_text(text: &str, is_reply: bool) -> Option<Sign> {
    let text = text.trim();
    if let Some(sign) = of_reaction(text) {
        return Some(sign);
    }
    let (word, is_command) = match text.strip_prefix('!') {
        Some(word) => (word, true),
        None => (text, false),
    };
    let plain = word.to_lowercase().replace('ì', "i").replace('ù', "u");
    find(WORDS, plain.trim_end_matches(['.', '!'])).filter(|_| is_command || is_reply)
}

/// The reaction the bot puts under its answer, to be tapped.
/// A question with choices is answered in words here.
pub(super) fn seed(kind: ButtonKind) -> Option<&'static str> {
    match kind {
        ButtonKind::Confirm => Some("✓"),
        ButtonKind::Reject => Some("✗"),
        ButtonKind::Retry | ButtonKind::Resend => Some("↺"),
        ButtonKind::Approve | ButtonKind::Keep => Some("👍"),
        ButtonKind::Refuse | ButtonKind::Unlearn => Some("👎"),
        ButtonKind::Amend | ButtonKind::Choose { .. } | ButtonKind::Done { .. } | ButtonKind::Cancel { .. } => None,
        ButtonKind::Task(TaskButton::Done | TaskButton::GoOn) => Some("✅"),
        ButtonKind::Task(TaskButton::Later) => Some("⏰"),
        ButtonKind::Task(TaskButton::Tomorrow) => Some("📅"),
        ButtonKind::Task(TaskButton::Pause) => Some("⏸"),
        ButtonKind::Task(TaskButton::Delete) => Some("✗"),
    }
}

fn find(table: &[(Sign, &[&str])], text: &str) -> Option<Sign> {
    table
        .iter()
        .find(|(_, forms)| forms.contains(&text))
        .map(|(sign, _)| *sign)
}

/// Marks that change how a sign is drawn and not what it says.
fn is_dress(character: char) -> bool {
    matches!(character, '\u{fe0e}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dress_of_a_sign() {
        let cases: &[(&str, Option<Sign>)] = &[
            ("✓", Some(Sign::Yes)),
            ("✔️", Some(Sign::Yes)),
            ("✔", Some(Sign::Yes)),
            ("✅", Some(Sign::Yes)),
            ("☑️", Some(Sign::Yes)),
            ("👍", Some(Sign::Yes)),
            ("👍🏽", Some(Sign::Yes)),
            ("👍\u{fe0f}", Some(Sign::Yes)),
            ("✗", Some(Sign::No)),
            ("✖️", Some(Sign::No)),
            ("❌", Some(Sign::No)),
            ("👎🏿", Some(Sign::No)),
            ("↺", Some(Sign::Again)),
            ("🔄", Some(Sign::Again)),
            ("🔁", Some(Sign::Again)),
            ("⏹\u{fe0f}", Some(Sign::Stop)),
            ("🛑", Some(Sign::Stop)),
            ("✋🏽", Some(Sign::Stop)),
            ("❤️", None),
            ("✓✗", None),
            ("", None),
            ("ok", None),
        ];
        for (key, expected) in cases {
            assert_eq!(of_reaction(key), *expected, "{key}");
        }
    }

    #[test]
    fn words_count_only_where_they_answer() {
        let cases: &[(&str, bool, Option<Sign>)] = &[
            ("!ok", false, Some(Sign::Yes)),
            ("!OK", false, Some(Sign::Yes)),
            ("!no", false, Some(Sign::No)),
            ("!again", false, Some(Sign::Again)),
            ("!sì", false, Some(Sign::Yes)),
            ("Sì!", true, Some(Sign::Yes)),
            ("ok.", true, Some(Sign::Yes)),
            ("ok", false, None),
            ("no", false, None),
            ("ok then", true, None),
            ("no more pdf files", true, None),
            ("👍", false, Some(Sign::Yes)),
            ("!help", false, None),
        ];
        for (text, is_reply, expected) in cases {
            assert_eq!(of_text(text, *is_reply), *expected, "{text}");
        }
    }

    #[test]
    fn what_the_bot_seeds_it_understands() {
        use ButtonKind::{Approve, Confirm, Refuse, Reject, Retry};
        let seeded = [Confirm, Approve, Reject, Refuse, Retry].map(|kind| seed(kind).and_then(of_reaction));
        let expected = [Sign::Yes, Sign::Yes, Sign::No, Sign::No, Sign::Again].map(Some);
        assert_eq!(seeded, expected);
        assert_eq!(of_reaction(STOP), Some(Sign::Stop));
    }
}
