//! Reads a typed message as the answer to a question. The whole message is the answer, or it is none: a word inside a
//! sentence never decides anything.

use jiff::{ToSpan, Zoned, civil::Date};
use serde_json::{Value, json};

use crate::{
    domain::{
        kind::Class,
        lang::Lang,
        limits::ANSWER_NAME_WORDS_MAX,
        question::{Field, FieldKind},
    },
    language::{
        Confirmation, Fact, FactKind, Language, Mark, Reading,
        spoken::{Spoken, spoken},
        time::Conventions,
    },
};

/// The answer; `None` when the message is none to this question.
/// `is_said` tells words of conversation and of requests, which no file is called by.
pub(super) fn read(
    field: &Field,
    text: &str,
    language: &Language,
    lang: Lang,
    now: &Zoned,
    is_said: &dyn Fn(&str) -> bool,
) -> Option<Value> {
    let text = text.trim();
    match field.kind {
        FieldKind::Text if field.about == Some(Class::Moment) => says_when(text, language, now).then(|| json!(text)),
        FieldKind::Text | FieldKind::Secret => Some(json!(text)),
        FieldKind::YesNo => Some(json!(language.confirmation(text)? == Confirmation::Yes)),
        FieldKind::Choice => choice(&field.options, text, language).map(|index| json!(field.options.get(index))),
        FieldKind::MultiChoice => several(&field.options, text, language),
        FieldKind::Number => number(text).or_else(|| {
            let reading = language.read(text, lang, now);
            only(&reading, |fact| fact.kind == FactKind::Number).map(|fact| fact.value.clone())
        }),
        FieldKind::Date => date(text, language, lang, now).map(|date| json!(date.to_string())),
        FieldKind::FilePath => {
            let written = written_path(text).or_else(|| plain_name(text).filter(|name| !is_said(name)));
            let path = written.map(str::to_owned);
            path.or_else(|| path_in(text, language, lang, now))
                .map(|path| json!(path))
        }
        // A point or a place, which only the geo service knows.
        FieldKind::Location => None,
    }
}

/// Most words beside a time: "at about 9, please".
const BESIDE_TIME_WORDS_MAX: usize = 2;

/// Whether a message is a time and nothing else, in any language.
fn says_when(text: &str, language: &Language, now: &Zoned) -> bool {
    Lang::BUILT_IN.into_iter().any(|lang| {
        let times = language.times(text, lang, now, &Conventions::HOUSEHOLD);
        let words = spoken(text);
        let is_beside = |word: &&Spoken| !times.iter().any(|time| time.span.contains(&word.span.start));
        !times.is_empty() && words.iter().filter(is_beside).count() <= BESIDE_TIME_WORDS_MAX
    })
}

/// Letters of the shortest part of an option that stands for it.
const CHOICE_LETTERS_MIN: usize = 3;

/// Which option: its number, its words, or words that are in no other.
fn choice(options: &[String], text: &str, language: &Language) -> Option<usize> {
    if let Some(index) = options.iter().position(|option| option == text) {
        return Some(index);
    }
    // "881" is no place in a list of two, and may be in a name.
    let number = text.trim_end_matches(['.', ')']).parse::<usize>().ok();
    if let Some(index) = number
        .and_then(|number| number.checked_sub(1))
        .filter(|index| *index < options.len())
    {
        return Some(index);
    }
    let said = language.normal(text);
    if said.is_empty() {
        return None;
    }
    let words: Vec<String> = options.iter().map(|option| language.normal(option)).collect();
    if let Some(index) = words.iter().position(|option| *option == said) {
        return Some(index);
    }
    // "y" stands in many a name, and means none.
    let is_part = |option: &String| said.chars().count() >= CHOICE_LETTERS_MIN && option.contains(&said);
    let mut containing = (0..words.len()).filter(|index| words.get(*index).is_some_and(is_part));
    containing.next().filter(|_| containing.next().is_none())
}

/// Whether a message names several of the options, where one is asked for.
pub(super) fn names_several(options: &[String], text: &str, language: &Language) -> bool {
    let chosen = several(options, text, language);
    chosen.is_some_and(|chosen| chosen.as_array().is_some_and(|chosen| chosen.len() > 1))
}

/// Several options, in the order they were offered.
fn several(options: &[String], text: &str, language: &Language) -> Option<Value> {
    let numbers = text
        .split([',', ';', ' '])
        .all(|part| part.trim().parse::<usize>().is_ok() || part.trim().is_empty());
    let signs: &[char] = if numbers { &[',', ';', ' '] } else { &[',', ';'] };
    let mut chosen = text
        .split(signs)
        .filter(|part| !part.trim().is_empty())
        .map(|part| choice(options, part.trim(), language))
        .collect::<Option<Vec<usize>>>()?;
    chosen.sort_unstable();
    chosen.dedup();
    let picked: Vec<&String> = chosen.iter().filter_map(|index| options.get(*index)).collect();
    (!picked.is_empty()).then(|| json!(picked))
}

/// Digits with a point or a comma.
fn number(text: &str) -> Option<Value> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some(json!(whole));
    }
    let number: f64 = text.replace(',', ".").parse().ok()?;
    number.is_finite().then(|| json!(number))
}

fn date(text: &str, language: &Language, lang: Lang, now: &Zoned) -> Option<Date> {
    if let Ok(date) = text.parse::<Date>() {
        return Some(date);
    }
    let reading = language.read(text, lang, now);
    let window = only(&reading, |fact| fact.kind == FactKind::Window)?;
    let today = now.date();
    match window.text() {
        "today" => Some(today),
        "yesterday" => today.checked_sub(1.day()).ok(),
        "tomorrow" => today.checked_add(1.day()).ok(),
        written => written.parse().ok(),
    }
}

/// Quotes that stand around a whole name.
const QUOTES: [(char, char); 6] = [('"', '"'), ('“', '”'), ('«', '»'), ('`', '`'), ('\'', '\''), ('‘', '’')];

/// What looks like a path whatever it says: quotes around all of it, a root, or one word with a slash or an ending.
fn written_path(text: &str) -> Option<&str> {
    let quoted = QUOTES.iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(*open)?.strip_suffix(*close)?;
        (!inner.trim().is_empty() && !inner.contains([*open, *close])).then_some(inner)
    });
    if quoted.is_some() {
        return quoted;
    }
    let bare = text.trim_end_matches([',', ';']);
    let is_rooted = bare == "~" || ["~/", "/", "./", "../"].iter().any(|root| bare.starts_with(root));
    let is_word = !bare.is_empty() && !bare.contains(char::is_whitespace) && !bare.ends_with(['?', '!', '.', '…']);
    let is_marked = bare.contains('/') || ending(bare).is_some();
    (is_rooted || is_word && is_marked).then_some(bare)
}

/// Words that can be a name as they are: one, or a few that an ending or capitals hold together.
fn plain_name(text: &str) -> Option<&str> {
    let bare = text.trim_end_matches(['.', ',', ';']);
    let words: Vec<&str> = bare.split_whitespace().collect();
    let is_title = |word: &&str| {
        word.chars()
            .next()
            .is_some_and(|first| first.is_uppercase() || first.is_numeric())
    };
    let holds_together = words.len() <= 1 || ending(bare).is_some() || words.iter().all(is_title);
    let is_name = (1..=ANSWER_NAME_WORDS_MAX).contains(&words.len())
        && holds_together
        && !bare.contains(['?', '!', ',', ';', ':', '"', '“', '«', '…'])
        && bare.chars().any(char::is_alphanumeric);
    is_name.then_some(bare)
}

/// The ending of a file name: a few letters or digits after a dot.
fn ending(name: &str) -> Option<&str> {
    let (stem, ending) = name.rsplit_once('.')?;
    let is_ending = (1..=5).contains(&ending.len()) && ending.chars().all(|letter| letter.is_ascii_alphanumeric());
    (is_ending && !stem.trim().is_empty()).then_some(ending)
}

/// Whether a path ends in the name of a file: "docs/cat.jpg" does, "docs/2.0" and "docs/cat.old/" do not.
pub(super) fn ends_in_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    ending(name).is_some_and(|ending| ending.starts_with(|first: char| first.is_ascii_alphabetic()))
}

/// The only path in a message that asks for nothing else.
fn path_in(text: &str, language: &Language, lang: Lang, now: &Zoned) -> Option<String> {
    let reading = language.read(text, lang, now);
    only(&reading, |fact| matches!(fact.kind, FactKind::Path | FactKind::Name)).map(|fact| fact.text().to_owned())
}

/// The one fact of this kind in a message that says nothing of what to do.
fn only(reading: &Reading, fits: impl Fn(&Fact) -> bool) -> Option<&Fact> {
    let is_command = reading
        .clauses
        .iter()
        .any(|clause| clause.verb.is_some() && !clause.is(Mark::Implied));
    if is_command {
        return None;
    }
    let mut found = reading.facts.iter().filter(|fact| fits(fact));
    found.next().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(kind: FieldKind, text: &str) -> Option<Value> {
        let field = Field {
            var: "x".to_owned(),
            kind,
            prompt: None,
            about: None,
            options: ["red wine", "white wine", "beer"].map(str::to_owned).to_vec(),
        };
        let language = Language::embedded().unwrap();
        let now: Zoned = "2026-11-22T10:00[Europe/Rome]".parse().unwrap();
        read(&field, text, &language, Lang::EN, &now, &|words| {
            language.are_said(words)
        })
    }

    #[test]
    fn every_kind_has_answers_and_things_that_are_none() {
        use FieldKind::{Choice, Date, FilePath, MultiChoice, Number, Text, YesNo};
        for (kind, text, expected) in [
            (Text, " as it is ", Some(json!("as it is"))),
            (YesNo, "Yes please", Some(json!(true))),
            (YesNo, "no", Some(json!(false))),
            (YesNo, "yes?", None),
            (YesNo, "I would say yes, but later", None),
            (Choice, "beer", Some(json!("beer"))),
            (Choice, "BEER!", Some(json!("beer"))),
            (Choice, "2", Some(json!("white wine"))),
            (Choice, "red", Some(json!("red wine"))),
            (Choice, "wine", None),
            (Choice, "4", None),
            (Choice, "1881", None),
            (Choice, "0", None),
            (MultiChoice, "1, 3", Some(json!(["red wine", "beer"]))),
            (MultiChoice, "3 1", Some(json!(["red wine", "beer"]))),
            (MultiChoice, "beer, white", Some(json!(["white wine", "beer"]))),
            (MultiChoice, "beer, water", None),
            (Number, "12", Some(json!(12))),
            (Number, "3,5", Some(json!(3.5))),
            (Number, "-2", Some(json!(-2))),
            (Number, "a few", None),
            (Number, "inf", None),
            (Date, "2026-12-24", Some(json!("2026-12-24"))),
            (Date, "tomorrow", Some(json!("2026-11-23"))),
            (Date, "some day", None),
            (FilePath, "~/notes/my diary.md", Some(json!("~/notes/my diary.md"))),
            (FilePath, "notes.txt", Some(json!("notes.txt"))),
            (FilePath, "\"my diary.md\"", Some(json!("my diary.md"))),
            (FilePath, "I do not know", None),
            (FilePath, "which?", None),
            (FilePath, "backup", Some(json!("backup"))),
            (FilePath, "Old Stuff", Some(json!("Old Stuff"))),
            (FilePath, "my diary.md", Some(json!("my diary.md"))),
            (FilePath, "help.txt", Some(json!("help.txt"))),
            (FilePath, "“thanks”", Some(json!("thanks"))),
            (FilePath, "~/thanks", Some(json!("~/thanks"))),
            (FilePath, "thanks", None),
            (FilePath, "Grazie!", None),
            (FilePath, "ok.", None),
            (FilePath, "sì", None),
            (FilePath, "aiuto", None),
            (FilePath, "not sure", None),
            (FilePath, "write \"milk\" to \"list\"", None),
            (FilePath, "…", None),
        ] {
            assert_eq!(answer(kind, text), expected, "{kind:?} {text}");
        }
    }
}
