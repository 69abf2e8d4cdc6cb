//! What a message says while a question is open: a refusal by its first words, one of a list by its place, a folder, or
//! words that nobody calls a file. Asked by the runtime's dialogs. First words may only ever refuse; a yes is a whole
//! message (`normal`). People mix languages, so the words of all of them count.

use std::collections::HashSet;

use serde::Deserialize;

use super::{
    Language, LanguageError, normal,
    sense::{Role, Sense},
};
use metnos_domain::{
    lang::{InEach, Lang},
    vocabulary::Object,
};

const WORDS: InEach<&str> = InEach {
    english: include_str!("../../../locales/en/answers.toml"),
    italian: include_str!("../../../locales/it/answers.toml"),
};

/// Between the words that refuse and what follows.
const JOINTS: &[char] = &[',', '.', ';', ':', '!', '-', '–', '—', '…'];

/// Most words a yes has before something is added to it.
const YES_WORDS_MAX: usize = 3;

/// The words of answers of every language together: a no is a no.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replies {
    refuse: HashSet<String>,
    turned: HashSet<String>,
    calls: HashSet<String>,
    no_name: HashSet<String>,
    /// Choose nothing: "number", "please".
    chooses_none: HashSet<String>,
    /// The first of a list, and the last.
    first: HashSet<String>,
    last: HashSet<String>,
    /// Join two choices: "and".
    joins: HashSet<String>,
    /// Choose all.
    all: HashSet<String>,
    /// Add to what was said before and name no folder: "also".
    adds: HashSet<String>,
    /// Stand before the name of a folder: "to", and articles that are not the definite one.
    leads: HashSet<String>,
    articles: HashSet<String>,
    /// Say how the thing itself is to be called: "as".
    names: HashSet<String>,
    /// Most words a beginning that refuses has.
    #[serde(skip)]
    longest: usize,
}

impl Replies {
    /// The words that come with the program.
    pub(super) fn embedded() -> Result<Self, LanguageError> {
        let mut replies = Self::default();
        for text in WORDS.all() {
            let more: Self = toml::from_str(text).map_err(|source| LanguageError::Toml {
                what: "answers".to_owned(),
                source,
            })?;
            for (list, more) in [
                (&mut replies.refuse, more.refuse),
                (&mut replies.turned, more.turned),
                (&mut replies.calls, more.calls),
                (&mut replies.no_name, more.no_name),
                (&mut replies.chooses_none, more.chooses_none),
                (&mut replies.first, more.first),
                (&mut replies.last, more.last),
                (&mut replies.joins, more.joins),
                (&mut replies.leads, more.leads),
                (&mut replies.articles, more.articles),
                (&mut replies.all, more.all),
                (&mut replies.adds, more.adds),
                (&mut replies.names, more.names),
            ] {
                list.extend(more.iter().map(|form| normal::words(form)));
            }
        }
        let beginnings = replies.refuse.iter().chain(&replies.turned);
        let longest = beginnings.map(|form| form.split(' ').count()).max();
        replies.longest = longest.unwrap_or_default();
        Ok(replies)
    }

    /// The longest known beginning: whether it turns around what follows, and what follows.
    fn beginning<'t>(&self, text: &'t str) -> Option<(bool, &'t str)> {
        let ends: Vec<usize> = ends_of_words(text).take(self.longest).collect();
        ends.into_iter().rev().find_map(|end| {
            let (said, after) = (text.get(..end)?, text.get(end..)?);
            let said = normal::words(said);
            let turned = self.turned.contains(&said);
            (turned || self.refuse.contains(&said)).then(|| (turned, past_joint(after)))
        })
    }
}

impl Language {
    /// What follows the no a message begins with, empty when nothing is left to do; `None` when it begins with none.
    pub fn refusal<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut rest = text.trim();
        let mut refuses = false;
        while let Some((turned, after)) = self.replies.beginning(rest) {
            if turned {
                return Some("");
            }
            refuses = true;
            rest = after;
        }
        refuses.then_some(rest)
    }

    /// What follows the beginning of a message that says yes, as `is_yes` tells of whole messages; `None` when it
    /// begins otherwise, and when nothing follows. Besides, whether that beginning may only call.
    pub fn qualified<'t>(&self, text: &'t str, is_yes: impl Fn(&str) -> bool) -> Option<(bool, &'t str)> {
        ends_of_words(text).take(YES_WORDS_MAX).find_map(|end| {
            let (said, rest) = text.split_at_checked(end)?;
            let rest = past_joint(rest);
            let follows = rest.chars().any(|letter| letter.is_alphanumeric() || letter == '?');
            (follows && is_yes(said)).then(|| (self.replies.calls.contains(&normal::words(said)), rest))
        })
    }

    /// A choice among so many in plain words: politeness gone, places by order as numbers, commas for what joins.
    pub fn plain_choice(&self, text: &str, options: usize) -> String {
        if self.replies.all.contains(&normal::words(text)) {
            let all: Vec<String> = (1..=options).map(|number| number.to_string()).collect();
            return all.join(", ");
        }
        let mut plain: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let said = normal::words(word);
            if let Some(place) = self.place_of(&said, options) {
                plain.push(place.to_string());
            } else if self.replies.joins.contains(&said) {
                plain.push(",".to_owned());
            } else if !self.holds_only(&said) {
                plain.push(word.to_owned());
            }
        }
        let signs: &[char] = &[',', ';', ' ', '.', '!'];
        plain.join(" ").trim_matches(signs).to_owned()
    }

    /// Which of so many a word names by its place.
    fn place_of(&self, word: &str, options: usize) -> Option<usize> {
        if self.replies.first.contains(word) {
            return Some(1);
        }
        if self.replies.last.contains(word) {
            return Some(options);
        }
        let place = self.any_sense(word, Sense::ordinal);
        place.and_then(|place| usize::try_from(place).ok())
    }

    /// Whether a word of an answer chooses nothing. Only what is no part of any name.
    fn holds_only(&self, word: &str) -> bool {
        let holds = |sense: &Sense| matches!(sense, Sense::Definite | Sense::Role(Role::Of));
        self.replies.chooses_none.contains(word) || self.can_be(word, holds)
    }

    /// The name of a folder in the words of an answer: "to docs", "in the notes folder", "nella cartella docs". `None`
    /// for what only adds to what was said before: "and b.tmp".
    pub fn folder_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut rest = text.trim();
        let first = |text: &'t str| text.split_once(char::is_whitespace);
        let Some((lead, behind)) = first(rest) else {
            return Some(rest);
        };
        let lead = normal::words(lead);
        if self.replies.adds.contains(&lead) {
            return None;
        }
        let is_led = self.replies.leads.contains(&lead);
        if is_led {
            rest = behind.trim_start();
        }
        let is_folder_word = |word: &str| {
            let said = normal::words(word);
            let is_dirs = |sense: &Sense| matches!(sense.object(), Some((Object::Dirs, _)));
            let is_many = Lang::BUILT_IN
                .into_iter()
                .any(|lang| self.lexicon(lang).may_be_many(&said));
            self.can_be(&said, is_dirs) && !is_many
        };
        let tail = rest
            .rsplit_once(char::is_whitespace)
            .filter(|(_, last)| is_folder_word(last));
        let is_called = tail.is_some();
        rest = tail.map_or(rest, |(before, _)| before.trim_end());
        let mut named = rest;
        let mut is_folder = is_called;
        while let Some((word, behind)) = first(named) {
            let folder = is_folder_word(word);
            let said = normal::words(word);
            let is_article = self.can_be(&said, |sense| *sense == Sense::Definite);
            if !folder && !is_article && !self.replies.articles.contains(&said) {
                break;
            }
            is_folder |= folder;
            named = behind.trim_start();
        }
        // "la spezia" may be a name.
        Some(if is_led || is_folder { named } else { rest })
    }

    /// Whether an answer also says how something is to be called: "to docs as kitty".
    pub fn names_it(&self, text: &str) -> bool {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_quoted = text.trim_start().starts_with(['"', '“', '«', '\'', '‘', '`']);
        let is_named = |word: &&str| self.replies.names.contains(&normal::words(word));
        !is_quoted && words.iter().skip(1).rev().skip(1).any(is_named)
    }

    /// What a word can mean in any language.
    fn any_sense<T>(&self, word: &str, pick: impl Fn(&Sense) -> Option<T>) -> Option<T> {
        let senses = |lang: Lang| self.lexicon(lang).senses(word).unwrap_or_default();
        Lang::BUILT_IN.into_iter().flat_map(senses).find_map(pick)
    }

    fn can_be(&self, word: &str, is: impl Fn(&Sense) -> bool) -> bool {
        self.any_sense(word, |sense| is(sense).then_some(())).is_some()
    }

    /// Whether every word of a text is one of conversation.
    pub fn are_all_said(&self, text: &str) -> bool {
        let words = normal::words(text);
        !words.is_empty() && words.split_whitespace().all(|word| self.replies.no_name.contains(word))
    }

    /// Whether any word of these is one of conversation, which no file is called by.
    pub fn are_said(&self, text: &str) -> bool {
        let words = normal::words(text);
        words.split_whitespace().any(|word| self.replies.no_name.contains(word))
    }
}

/// Behind the signs between words that refuse and what follows.
fn past_joint(text: &str) -> &str {
    text.trim_start_matches(|sign: char| sign.is_whitespace() || JOINTS.contains(&sign))
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
        let language = Language::embedded().unwrap();
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
            assert_eq!(language.folder_in(said), folder, "{said}");
        }
        for (said, folder) in [
            ("to new photos", "new photos"),
            ("nella cartella nuovo progetto", "nuovo progetto"),
            ("on hold", "on hold"),
            ("client folders", "client folders"),
        ] {
            assert_eq!(language.folder_in(said), Some(folder), "{said}");
        }
        assert_eq!(language.plain_choice("la prima", 3), "1");
        assert_eq!(language.plain_choice("the second and the last", 4), "2 , 4");
        assert_eq!(language.plain_choice("the final one", 2), "final");
        assert_eq!(language.plain_choice("the new shoes", 2), "new shoes");
        assert_eq!(language.plain_choice("quella del gas", 3), "gas");
    }

    #[test]
    fn a_beginning_refuses_and_leaves_what_follows() {
        let language = Language::embedded().unwrap();
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
            assert_eq!(language.refusal(text), rest, "{text}");
        }
    }
}
