//! The words for changing files and lists, from `locales/<lang>/changing.toml`. Called once by the lexicon while it is
//! made; it decides nothing.

use serde::Deserialize;

use super::{LanguageError, Lexicon, key};
use crate::{
    embedded::Embedded,
    sense::{Changing, Sense},
};
use metnos_domain::{lang::Lang, vocabulary::Verb};

const WORDS: Embedded = Embedded {
    what: "changing",
    english: include_str!("../../../../locales/en/changing.toml"),
    italian: include_str!("../../../../locales/it/changing.toml"),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    container: Vec<String>,
    list: Vec<String>,
    call_it: Vec<String>,
    take_off: Vec<String>,
    clear: Vec<String>,
    purpose: Vec<String>,
    tick: Vec<String>,
    mark: Vec<String>,
    done: Vec<String>,
    unneeded: Vec<String>,
    fresh: Vec<String>,
    unsaid: Vec<String>,
    position: Vec<String>,
    that: Vec<String>,
    article: Vec<String>,
    aside: Vec<String>,
    further: Vec<String>,
    corrects: Vec<String>,
    filler: Vec<String>,
    comma: Vec<String>,
    full_stop: Vec<String>,
    half: Vec<String>,
    addresses: Vec<String>,
    entry: Vec<String>,
    errand: Vec<String>,
    errand_of: Vec<String>,
    list_name: Vec<String>,
    to_do: Vec<String>,
    look: Vec<String>,
    not_so: Vec<String>,
    let_be: Vec<String>,
    note_down: Vec<String>,
    note: Vec<String>,
    new_name: Vec<String>,
    write: Vec<String>,
    definite: Vec<String>,
    notes: Vec<String>,
    noun_first: bool,
    list_said: ListSaid,
}

/// What is said of a list that was only pointed at, with `{list}` for its name.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListSaid {
    /// The word for one.
    pub(crate) list: String,
    pub(crate) read: String,
    pub(crate) clear: String,
    /// With `{wrong}` and `{right}` for the lines.
    pub(crate) correct: String,
}

impl Lexicon {
    pub(super) fn add_changing(&mut self, lang: Lang) -> Result<(), LanguageError> {
        let words: Words = WORDS.parse(lang)?;
        for (forms, changing) in [
            (&words.container, Changing::Container),
            (&words.list, Changing::List),
            (&words.call_it, Changing::CallIt),
            (&words.take_off, Changing::TakeOff),
            (&words.clear, Changing::Clear),
            (&words.purpose, Changing::Purpose),
            (&words.tick, Changing::Tick),
            (&words.mark, Changing::Mark),
            (&words.done, Changing::Done),
            (&words.unneeded, Changing::Unneeded),
            (&words.fresh, Changing::Fresh),
            (&words.unsaid, Changing::Unsaid),
            (&words.position, Changing::Unsaid),
            (&words.position, Changing::Position),
            (&words.that, Changing::That),
            (&words.article, Changing::Article),
            (&words.aside, Changing::Aside),
            (&words.further, Changing::Further),
            (&words.corrects, Changing::Corrects),
            (&words.filler, Changing::Filler),
            (&words.comma, Changing::Comma),
            (&words.full_stop, Changing::FullStop),
            (&words.half, Changing::Half),
            (&words.addresses, Changing::Addresses),
            (&words.entry, Changing::Entry),
            (&words.errand, Changing::Errand),
            (&words.errand_of, Changing::ErrandOf),
            (&words.list_name, Changing::ListName),
            (&words.to_do, Changing::ToDo),
            (&words.look, Changing::Look),
            (&words.not_so, Changing::NotSo),
            (&words.let_be, Changing::LetBe),
            (&words.note_down, Changing::NoteDown),
            (&words.note, Changing::Note),
            (&words.new_name, Changing::NewName),
        ] {
            self.add(forms, &Sense::Changing(changing));
        }
        self.add(&words.write, &Sense::Verb(Verb::Write));
        self.add(&words.definite, &Sense::Definite);
        self.noun_first = words.noun_first;
        self.list_said = words.list_said;
        self.notes = words.notes.iter().map(|name| key(name)).collect();
        Ok(())
    }
}
