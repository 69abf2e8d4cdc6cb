//! What a typed message is while a question is open: a refusal by its first words, or words that nobody calls a file.
//! Read by `dialogs` and its forms. First words may only ever refuse; a yes is a whole message (`language::normal`).

use std::collections::HashSet;

use serde::Deserialize;

use crate::{
    domain::lang::InEach,
    language::{LanguageError, normal},
};

const WORDS: InEach<&str> = InEach {
    english: include_str!("../../../locales/en/answers.toml"),
    italian: include_str!("../../../locales/it/answers.toml"),
};

/// Between the words that refuse and what follows.
const JOINTS: &[char] = &[',', '.', ';', ':', '!', '-', '–', '—', '…'];

/// Most words a yes has before something is added to it.
const YES_WORDS_MAX: usize = 3;

/// The file of one language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    refuse: Vec<String>,
    turned: Vec<String>,
    calls: Vec<String>,
    no_name: Vec<String>,
    choice: Choosing,
    place: Placing,
}

/// How something is chosen from a list, in one language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choosing {
    empty: Vec<String>,
    ordinals: Vec<Vec<String>>,
    last: Vec<String>,
    both: Vec<String>,
    joints: Vec<String>,
}

/// How a folder is named in an answer, in one language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Placing {
    adds: Vec<String>,
    into: Vec<String>,
    articles: Vec<String>,
    folder: Vec<String>,
    named: Vec<String>,
}

/// The words of every language together: people mix them, and a no is a no.
#[derive(Debug, Default)]
pub(crate) struct Phrases {
    refuse: HashSet<String>,
    turned: HashSet<String>,
    calls: HashSet<String>,
    no_name: HashSet<String>,
    choices: Vec<Choosing>,
    places: Vec<Placing>,
    /// Most words a beginning has.
    longest: usize,
}

impl Phrases {
    /// The words that come with the program.
    ///
    /// # Errors
    ///
    /// A file of words is damaged.
    pub(crate) fn embedded() -> Result<Self, LanguageError> {
        let mut phrases = Self::default();
        for text in WORDS.all() {
            let words: Words = toml::from_str(text).map_err(|source| LanguageError::Toml {
                what: "answers".to_owned(),
                source,
            })?;
            let folded = |forms: Vec<String>| forms.into_iter().map(|form| normal::words(&form));
            phrases.refuse.extend(folded(words.refuse));
            phrases.turned.extend(folded(words.turned));
            phrases.calls.extend(folded(words.calls));
            phrases.choices.push(words.choice);
            phrases.places.push(words.place);
            phrases.no_name.extend(folded(words.no_name));
        }
        let beginnings = phrases.refuse.iter().chain(&phrases.turned);
        phrases.longest = beginnings
            .map(|form| form.split_whitespace().count())
            .max()
            .unwrap_or_default();
        Ok(phrases)
    }

    /// What follows the no a message begins with, empty when nothing is left to do; `None` when it begins with none.
    pub(super) fn refusal<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut rest = text.trim();
        let mut refuses = false;
        while let Some((turned, after)) = self.beginning(rest) {
            if turned {
                return Some("");
            }
            refuses = true;
            rest = after;
        }
        refuses.then_some(rest)
    }

    /// The longest known beginning: whether it turns around what follows, and what follows.
    fn beginning<'t>(&self, text: &'t str) -> Option<(bool, &'t str)> {
        let ends: Vec<usize> = ends_of_words(text).take(self.longest).collect();
        ends.into_iter().rev().find_map(|end| {
            let (said, after) = (text.get(..end)?, text.get(end..)?);
            let said = normal::words(said);
            let turned = self.turned.contains(&said);
            let after = after.trim_start_matches(|sign: char| sign.is_whitespace() || JOINTS.contains(&sign));
            (turned || self.refuse.contains(&said)).then_some((turned, after))
        })
    }

    /// What follows the beginning of a message that says yes, as `is_yes` tells of whole messages; `None` when it
    /// begins otherwise, and when nothing follows. Besides, whether that beginning may only call.
    pub(super) fn qualified<'t>(&self, text: &'t str, is_yes: impl Fn(&str) -> bool) -> Option<(bool, &'t str)> {
        ends_of_words(text).take(YES_WORDS_MAX).find_map(|end| {
            let (said, rest) = text.split_at_checked(end)?;
            let rest = rest.trim_start_matches(|sign: char| sign.is_whitespace() || JOINTS.contains(&sign));
            let follows = rest.chars().any(|letter| letter.is_alphanumeric() || letter == '?');
            (follows && is_yes(said)).then(|| (self.calls.contains(&normal::words(said)), rest))
        })
    }

    /// A choice among so many in plain words: politeness gone, places by order as numbers, commas for what joins.
    pub(super) fn plain_choice(&self, text: &str, options: usize) -> String {
        let any = |list: fn(&Choosing) -> &Vec<String>, said: &String| {
            self.choices.iter().any(|choice| list(choice).contains(said))
        };
        if any(|choice| &choice.both, &normal::words(text)) {
            let all: Vec<String> = (1..=options).map(|number| number.to_string()).collect();
            return all.join(", ");
        }
        let mut plain: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let said = normal::words(word);
            let place = self.choices.iter().find_map(|choice| {
                let at = choice.ordinals.iter().position(|forms| forms.contains(&said))?;
                Some(at + 1)
            });
            let place = place.or_else(|| any(|choice| &choice.last, &said).then_some(options));
            if let Some(place) = place {
                plain.push(place.to_string());
            } else if any(|choice| &choice.joints, &said) {
                plain.push(",".to_owned());
            } else if !any(|choice| &choice.empty, &said) {
                plain.push(word.to_owned());
            }
        }
        let signs: &[char] = &[',', ';', ' ', '.', '!'];
        plain.join(" ").trim_matches(signs).to_owned()
    }

    /// The name of a folder in the words of an answer: "to docs", "in the notes folder", "nella cartella docs". `None`
    /// for what only adds to what was said before: "and b.tmp".
    pub(super) fn folder<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut rest = text.trim();
        let any = |list: fn(&Placing) -> &Vec<String>, word: &str| {
            let said = normal::words(word);
            self.places.iter().any(|place| list(place).contains(&said))
        };
        let first = |text: &'t str| text.split_once(char::is_whitespace);
        let Some((lead, behind)) = first(rest) else {
            return Some(rest);
        };
        if any(|place| &place.adds, lead) {
            return None;
        }
        let is_led = any(|place| &place.into, lead);
        if is_led {
            rest = behind.trim_start();
        }
        let tail = rest
            .rsplit_once(char::is_whitespace)
            .filter(|(_, last)| any(|place| &place.folder, last));
        let is_called = tail.is_some();
        rest = tail.map_or(rest, |(before, _)| before.trim_end());
        let mut named = rest;
        let mut is_folder = is_called;
        while let Some((word, behind)) = first(named) {
            let folder = any(|place| &place.folder, word);
            if !folder && !any(|place| &place.articles, word) {
                break;
            }
            is_folder |= folder;
            named = behind.trim_start();
        }
        // "la spezia" may be a name.
        Some(if is_led || is_folder { named } else { rest })
    }

    /// Whether an answer also says how something is to be called: "to docs as kitty".
    pub(super) fn names_it(&self, text: &str) -> bool {
        let is_named = |word: &str| {
            let said = normal::words(word);
            self.places.iter().any(|place| place.named.contains(&said))
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_quoted = text.trim_start().starts_with(['"', '“', '«', '\'', '‘', '`']);
        !is_quoted && words.iter().skip(1).rev().skip(1).any(|word| is_named(word))
    }

    /// Whether every word of a text is one of conversation.
    pub(super) fn are_all_said(&self, text: &str) -> bool {
        let words = normal::words(text);
        !words.is_empty() && words.split_whitespace().all(|word| self.no_name.contains(word))
    }

    /// Whether any word of these is one of conversation, which no file is called by.
    pub(super) fn are_said(&self, text: &str) -> bool {
        let words = normal::words(text);
        words.split_whitespace().any(|word| self.no_name.contains(word))
    }
}

/// Where words end. A sign ends one only when no letter follows it at once: "no-reply" and "no.txt" begin with no "no".
fn ends_of_words(text: &str) -> impl Iterator<Item = usize> {
    let ends_alone = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '!' | '…');
    let mut before = ' ';
    let inner = text.char_indices().filter_map(move |(at, letter)| {
        let was_word = !before.is_whitespace() && !JOINTS.contains(&before);
        before = letter;
        let next = text.get(at + letter.len_utf8()..)?.chars().next();
        let is_loose = next.is_none_or(|next| next.is_whitespace() || JOINTS.contains(&next));
        (was_word && (ends_alone(letter) || JOINTS.contains(&letter) && is_loose)).then_some(at)
    });
    inner.chain(std::iter::once(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_in_words_and_an_addition_names_none() {
        let phrases = Phrases::embedded().unwrap();
        for (said, folder) in [
            ("docs", Some("docs")),
            ("to docs", Some("docs")),
            ("in the notes folder", Some("notes")),
            ("the notes folder", Some("notes")),
            ("nella cartella docs", Some("docs")),
            ("la cartella docs/viaggio", Some("docs/viaggio")),
            ("la spezia", Some("la spezia")),
            ("into ~/old photos", Some("~/old photos")),
            ("and b.tmp", None),
            ("anche contacts.csv", None),
            ("e anche b.tmp", None),
        ] {
            assert_eq!(phrases.folder(said), folder, "{said}");
        }
        assert_eq!(phrases.plain_choice("la prima", 3), "1");
        assert_eq!(phrases.plain_choice("quella del gas", 3), "gas");
    }

    #[test]
    fn a_beginning_refuses_and_leaves_what_follows() {
        let phrases = Phrases::embedded().unwrap();
        for (text, rest) in [
            ("No, delete ~/notes/idee.md", Some("delete ~/notes/idee.md")),
            ("no wait", Some("")),
            ("no... wait, list ~/notes", Some("list ~/notes")),
            ("don’t delete it", Some("")),
            ("Please don't delete it", Some("")),
            ("no, don't delete it", Some("")),
            ("wait - read \"a b.txt\"", Some("read \"a b.txt\"")),
            ("no, volevo dire ~/notes/idee.md", Some("volevo dire ~/notes/idee.md")),
            ("anzi no", Some("")),
            ("Aspetta, che ore sono?", Some("che ore sono?")),
            ("lascia stare", Some("")),
            ("non cancellarlo", Some("")),
            ("nobody knows", None),
            ("no,list ~/notes", Some("list ~/notes")),
            ("no-reply", None),
            ("no.txt", None),
            ("notes", None),
            ("the other one", None),
            ("yes", None),
            ("", None),
        ] {
            assert_eq!(phrases.refusal(text), rest, "{text}");
        }
    }
}
