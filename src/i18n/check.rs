//! Whether a translation says the same things: the same values, the same choices, the same links and commands. Asked
//! before a text of a model is kept. Pure; what the words mean it cannot know.

use std::collections::BTreeSet;

use fluent_syntax::{
    ast::{CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey},
    parser,
};

use super::source::{self, Text};

/// A translation is at most so many times as long as what it is made from.
const TIMES_LONGER_MAX: usize = 3;
/// Short words may grow by more.
const LONGER_ALWAYS: usize = 60;
/// The forms a number may take in a language; which of them there are is that language's affair.
const PLURALS: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// Why a translation is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is no text of Fluent, or more than one.
    Unreadable,
    /// It has another key.
    Key,
    /// It has other values, or uses them otherwise.
    Values,
    /// It chooses by something else, or between other things.
    Choices,
    /// It has other addresses, commands or names of settings.
    Links,
    /// It is far too long.
    Length,
}

impl Wrong {
    /// The key of the sentence about it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Unreadable => "language-wrong-unreadable",
            Self::Key => "language-wrong-key",
            Self::Values => "language-wrong-values",
            Self::Choices => "language-wrong-choices",
            Self::Links => "language-wrong-links",
            Self::Length => "language-wrong-length",
        }
    }

    /// The same from the word it is kept under.
    pub fn of_key(key: &str) -> Option<Self> {
        [
            Self::Unreadable,
            Self::Key,
            Self::Values,
            Self::Choices,
            Self::Links,
            Self::Length,
        ]
        .into_iter()
        .find(|wrong| wrong.key() == key)
    }
}

/// What languages put around words that are said letter by letter.
const QUOTES: [char; 8] = ['“', '”', '«', '»', '„', '"', '‹', '›'];

/// What a text is made of, beside its words.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shape {
    values: BTreeSet<String>,
    choices: BTreeSet<(String, BTreeSet<String>)>,
    links: BTreeSet<String>,
}

/// One message in Fluent's own spelling, when it may stand for the English one.
pub(super) fn text(english: &Text, candidate: &str) -> Result<String, Wrong> {
    let (texts, is_whole) = source::read(candidate.trim());
    let [found] = texts.as_slice() else {
        return Err(Wrong::Unreadable);
    };
    if !is_whole {
        return Err(Wrong::Unreadable);
    }
    if found.key != english.key {
        return Err(Wrong::Key);
    }
    let (wanted, got) = (shape(&english.text), shape(&found.text));
    if wanted.values != got.values {
        return Err(Wrong::Values);
    }
    if wanted.choices != got.choices {
        return Err(Wrong::Choices);
    }
    if wanted.links != got.links {
        return Err(Wrong::Links);
    }
    is_of_like_length(&english.text, &found.text)?;
    Ok(found.text.clone())
}

/// The same for a text without a syntax, such as a prompt: its links and marks.
pub(super) fn prompt(english: &str, candidate: &str) -> Result<String, Wrong> {
    let candidate = candidate.trim();
    if candidate.is_empty() {
        return Err(Wrong::Unreadable);
    }
    let (mut wanted, mut got) = (BTreeSet::new(), BTreeSet::new());
    links(english, &mut wanted);
    links(candidate, &mut got);
    if wanted != got {
        return Err(Wrong::Links);
    }
    is_of_like_length(english, candidate)?;
    Ok(candidate.to_owned())
}

fn is_of_like_length(english: &str, candidate: &str) -> Result<(), Wrong> {
    let (wanted, got) = (english.chars().count(), candidate.chars().count());
    let may_be = wanted * TIMES_LONGER_MAX + LONGER_ALWAYS;
    (got <= may_be).then_some(()).ok_or(Wrong::Length)
}

fn shape(text: &str) -> Shape {
    let mut shape = Shape::default();
    let resource = match parser::parse(text) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    for entry in &resource.body {
        if let Entry::Message(message) = entry {
            let attributes = message.attributes.iter().map(|attribute| &attribute.value);
            for pattern in message.value.iter().chain(attributes) {
                of_pattern(pattern, &mut shape);
            }
        }
    }
    shape
}

fn of_pattern(pattern: &Pattern<&str>, shape: &mut Shape) {
    let mut words = String::new();
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value } => words.push_str(value),
            PatternElement::Placeable { expression } => {
                // A sign that is no letter: what stands before a value and behind it is not one word.
                words.push('\u{fffc}');
                of_expression(expression, shape);
            }
        }
    }
    links(&words, &mut shape.links);
}

fn of_expression(expression: &Expression<&str>, shape: &mut Shape) {
    match expression {
        Expression::Inline(inline) => of_inline(inline, shape),
        Expression::Select { selector, variants } => {
            of_inline(selector, shape);
            let mut keys = BTreeSet::new();
            for variant in variants {
                let key = match variant.key {
                    VariantKey::Identifier { name } => name,
                    VariantKey::NumberLiteral { value } => value,
                };
                if !PLURALS.contains(&key) {
                    keys.insert(key.to_owned());
                }
                of_pattern(&variant.value, shape);
            }
            shape.choices.insert((format!("{selector:?}"), keys));
        }
    }
}

fn of_inline(inline: &InlineExpression<&str>, shape: &mut Shape) {
    match inline {
        // Signs that Fluent would take for its own stand in quotes.
        InlineExpression::StringLiteral { .. } => {}
        InlineExpression::Placeable { expression } => of_expression(expression, shape),
        InlineExpression::FunctionReference { arguments, .. } => {
            of_call(arguments, shape);
            shape.values.insert(format!("{inline:?}"));
        }
        InlineExpression::NumberLiteral { .. }
        | InlineExpression::MessageReference { .. }
        | InlineExpression::TermReference { .. }
        | InlineExpression::VariableReference { .. } => {
            shape.values.insert(format!("{inline:?}"));
        }
    }
}

fn of_call(arguments: &CallArguments<&str>, shape: &mut Shape) {
    for argument in &arguments.positional {
        of_inline(argument, shape);
    }
}

/// Addresses, commands with their slash, and what stands in backquotes or between the marks of data: nobody who follows
/// a translated one gets anywhere.
fn links(words: &str, into: &mut BTreeSet<String>) {
    for (at, quoted) in words.split('`').enumerate() {
        if at % 2 == 1 {
            into.insert(format!("`{quoted}`"));
        }
    }
    for quoted in words.split(QUOTES).map(str::trim) {
        if quoted.starts_with("metnos ") && words.contains(['“', '«', '„', '"']) && is_command_line(quoted) {
            into.insert(quoted.to_owned());
        }
    }
    for word in words.split(|sign: char| sign.is_whitespace() || matches!(sign, '`' | '(' | ')' | '\u{fffc}')) {
        let word = word.trim_matches(|sign: char| matches!(sign, '.' | ',' | ';' | ':' | '!' | '?' | '"' | '«' | '»'));
        let is_address = word.contains("://") || word.starts_with("www.");
        let mut letters = word.chars();
        let is_command = letters.next() == Some('/') && letters.next().is_some_and(char::is_alphabetic);
        let is_mark = word.contains("<<<") || word.contains(">>>");
        if is_address || is_command || is_mark {
            into.insert(word.to_owned());
        }
    }
}

/// Whether these are the words of a command of ours: small letters, and values.
fn is_command_line(quoted: &str) -> bool {
    quoted
        .chars()
        .all(|sign| sign.is_ascii_lowercase() || matches!(sign, ' ' | '-' | '\u{fffc}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(text: &str) -> Text {
        source::read(text).0.remove(0)
    }

    const FOUND: &str = "found = { $count ->\n    [0] Nothing in { $folder }. See /help.\n    [one] One file, { NUMBER($size) } B.\n   *[other] { $count } files.\n}";

    #[test]
    fn a_translation_with_the_same_values_choices_and_links_is_kept() {
        let good = "found = { $count ->\n [0] Rien dans { $folder }. Voir /help.\n [one] Un fichier, { NUMBER($size) } o.\n [many] { $count } de fichiers.\n *[other] { $count } fichiers.\n }";
        let kept = text(&english(FOUND), good).unwrap();
        assert!(kept.contains("Rien dans { $folder }"), "{kept}");
    }

    #[test]
    fn what_is_lost_or_added_is_noticed() {
        for (instead, candidate) in [
            (Wrong::Unreadable, "Voici la traduction"),
            (Wrong::Unreadable, "found = a\nother = b"),
            (Wrong::Unreadable, "found = { $count"),
            (Wrong::Key, "trouve = a"),
            (
                Wrong::Values,
                "found = { $count ->\n [0] Rien. Voir /help.\n *[other] { $count } { NUMBER($size) }.\n }",
            ),
            (
                Wrong::Values,
                "found = { $count ->\n [0] { $folder } /help\n *[other] { $nombre } { NUMBER($size) }.\n }",
            ),
            (Wrong::Choices, "found = { $count } { $folder } { NUMBER($size) } /help"),
            (
                Wrong::Choices,
                "found = { $count ->\n [zéro] x\n [1] { $folder } /help { NUMBER($size) }\n *[other] { $count }\n }",
            ),
            (
                Wrong::Links,
                "found = { $count ->\n [0] { $folder } /aide\n *[other] { $count } { NUMBER($size) }.\n }",
            ),
        ] {
            let found = text(&english(FOUND), candidate).unwrap_err();
            // A key that is no word of Fluent cannot be read at all.
            let is_as_told = found == instead || candidate.contains("zéro") && found == Wrong::Unreadable;
            assert!(is_as_told, "{candidate}: {found:?}, not {instead:?}");
        }
        let long = format!("hello = {}", "très ".repeat(100));
        assert_eq!(text(&english("hello = Hello"), &long), Err(Wrong::Length));
    }

    #[test]
    fn addresses_commands_and_names_in_backquotes_stay() {
        let source = english("how = Run `metnos pair` or open https://example.org/a, then say /me.");
        assert!(
            text(
                &source,
                "how = Lance `metnos pair` ou ouvre https://example.org/a, puis dis /me."
            )
            .is_ok()
        );
        for bad in [
            "how = Lance `metnos associe` ou ouvre https://example.org/a, puis dis /me.",
            "how = Lance `metnos pair` ou ouvre https://example.fr/a, puis dis /me.",
            "how = Lance `metnos pair` ou ouvre https://example.org/a, puis dis /moi.",
        ] {
            assert_eq!(text(&source, bad), Err(Wrong::Links), "{bad}");
        }
        let source = english("busy = Busy. “metnos jobs run { $name }” tries again.");
        assert!(text(&source, "busy = Occupé. « metnos jobs run { $name } » réessaie.").is_ok());
        assert_eq!(
            text(&source, "busy = Occupé. « metnos tâches run { $name } » réessaie."),
            Err(Wrong::Links)
        );
        assert!(prompt("Data between <<<DATA and DATA>>>.", "Données entre <<<DATA et DATA>>>.").is_ok());
        assert_eq!(
            prompt("Between <<<DATA and DATA>>>.", "Entre <<<DONNÉES et DATA>>>."),
            Err(Wrong::Links)
        );
        assert_eq!(prompt("Say it.", "  "), Err(Wrong::Unreadable));
    }
}
