//! `/language`: which languages are spoken here, one more of them, and how its texts stand. `commands` hands the words
//! in, and so does `metnos language` on the machine; a sentence of the host ("also speak French") comes here, too. It
//! asks no model: that is the night's work.

use std::{io, path::Path};

use crate::{
    domain::{
        lang::Lang,
        limits::{TRANSLATIONS_A_NIGHT, TRANSLATIONS_SHOWN_MAX},
        message::Message,
    },
    i18n::{
        I18n,
        check::Wrong,
        tongue::{self, Review, State, Tongue},
    },
    language::Language,
};

/// What a language is added to, and said with.
#[derive(Clone, Copy, Debug)]
pub struct Languages<'a> {
    /// Where added languages are.
    pub data_dir: &'a Path,
    /// The texts.
    pub i18n: &'a I18n,
    /// What languages are called.
    pub language: &'a Language,
    /// The language of who asks.
    pub speaker: Lang,
}

impl Languages<'_> {
    /// Answers the words after `language`.
    pub fn answer(&self, words: &str) -> io::Result<Vec<Message>> {
        let (verb, rest) = words
            .trim()
            .split_once(char::is_whitespace)
            .unwrap_or((words.trim(), ""));
        match (verb, rest.trim()) {
            ("" | "list", "") => self.list(),
            ("add", "") => Ok(vec![Message::new("language-usage")]),
            ("add", name) => match self.language.tongues().named(name) {
                Some(lang) => self.add(lang).map(|said| vec![said]),
                None => Ok(vec![Message::new("language-unknown").with("name", name)]),
            },
            ("review", name) => self.review(name),
            _ => Ok(vec![Message::new("language-usage")]),
        }
    }

    /// One more language.
    pub fn add(&self, lang: Lang) -> io::Result<Message> {
        let name = self.called(lang);
        if lang.is_built_in() {
            return Ok(Message::new("language-built-in")
                .with("language", name)
                .with("code", lang.code()));
        }
        let is_new = tongue::add(self.data_dir, lang)?;
        self.i18n.reload();
        let waiting = Tongue::open(self.data_dir, lang).tally()?.pending;
        let key = if is_new {
            "language-added"
        } else {
            "language-added-before"
        };
        Ok(Message::new(key)
            .with("language", name)
            .with("code", lang.code())
            .with("count", waiting)
            .with("night", TRANSLATIONS_A_NIGHT))
    }

    fn list(&self) -> io::Result<Vec<Message>> {
        let line = |key: &str, lang: Lang| {
            Message::new(key)
                .with("language", self.called(lang))
                .with("code", lang.code())
        };
        let mut lines = Lang::BUILT_IN.map(|lang| line("language-line-whole", lang)).to_vec();
        for lang in tongue::added(self.data_dir) {
            let tally = Tongue::open(self.data_dir, lang).tally()?;
            let said = line("language-line", lang)
                .with("translated", tally.translated)
                .with("all", tally.all)
                .with("pending", tally.pending);
            lines.push(said.with("hand", tally.by_hand).with("given_up", tally.given_up));
        }
        lines.push(Message::new("language-more"));
        Ok(lines)
    }

    /// What a person should look at: texts a hand changed whose English is another one since, what the model could not
    /// do, and what it wrote, with what it was made from.
    fn review(&self, name: &str) -> io::Result<Vec<Message>> {
        let added = tongue::added(self.data_dir);
        let lang = match (name, added.as_slice()) {
            ("", []) => return Ok(vec![Message::new("language-none-added")]),
            ("", [only]) => *only,
            ("", _) => return Ok(vec![Message::new("language-which")]),
            (name, _) => match self.language.tongues().named(name).filter(|lang| added.contains(lang)) {
                Some(lang) => lang,
                None => return Ok(vec![Message::new("language-not-added").with("name", name)]),
            },
        };
        let tongue = Tongue::open(self.data_dir, lang);
        let mut texts: Vec<Review> = tongue.review()?.into_iter().filter(is_worth_a_look).collect();
        texts.sort_by_key(rank);
        let more = texts.len().saturating_sub(TRANSLATIONS_SHOWN_MAX);
        let mut lines: Vec<Message> = texts.iter().take(TRANSLATIONS_SHOWN_MAX).map(difference).collect();
        if more > 0 {
            lines.push(Message::new("language-review-more").with("count", more));
        }
        lines.push(if lines.is_empty() {
            Message::new("language-review-nothing").with("language", self.called(lang))
        } else {
            Message::new("language-review-where").with("path", tongue.path().display().to_string())
        });
        Ok(lines)
    }

    fn called(&self, lang: Lang) -> String {
        self.language.tongues().called(lang, self.speaker).to_owned()
    }
}

fn is_worth_a_look(text: &Review) -> bool {
    text.text.is_some() || text.refused.is_some()
}

/// What needs a person most comes first.
fn rank(text: &Review) -> u8 {
    match (text.state, &text.refused) {
        (State::ByHandBehind, _) => 0,
        (_, Some(_)) => 1,
        (State::Outdated, None) => 2,
        (State::Made, None) => 3,
        (State::ByHand | State::Pending, None) => 4,
    }
}

/// The English text beside the other one.
fn difference(text: &Review) -> Message {
    let place = format!("{}/{}", text.place.file, text.place.key);
    let state = match text.state {
        State::ByHandBehind => "language-state-behind",
        State::Outdated => "language-state-outdated",
        State::Made => "language-state-made",
        State::ByHand => "language-state-hand",
        State::Pending => "language-state-pending",
    };
    let said = Message::new("language-review-line")
        .with("place", place)
        .with("state", Message::new(state))
        .with("english", text.english.as_str())
        .with("text", text.text.as_deref().unwrap_or("-"));
    match &text.refused {
        Some((said_instead, why)) => {
            let why = Wrong::of_key(why).map_or("language-wrong-unreadable", Wrong::key);
            Message::new("language-review-refused")
                .with("line", said)
                .with("said", said_instead.as_str())
                .with("why", Message::new(why))
        }
        None => said,
    }
}
