//! What a household does with a language it added: what waits to be translated, putting a translation down once it was
//! checked, and how it all stands. Called by the job that translates, `metnos language` and its command in chat. It
//! asks no model itself.

use std::{collections::BTreeMap, io, path::Path};

use fluent::FluentResource;
use unic_langid::LanguageIdentifier;

pub use super::added::{Place, State};
use super::{
    Bundle,
    added::{Folder, PROMPTS, Refused, Written},
    check::{self, Wrong},
    empty_bundle, english_files,
    source::{self, Text},
};
use crate::domain::{lang::Lang, limits::TRANSLATION_TRIES_MAX};

/// Prompts that are in the person's language, by name, in English. All others are English whoever speaks.
const ENGLISH_PROMPTS: [(&str, &str); 1] = [("describe", include_str!("../../locales/en/prompts/describe.md"))];

/// An added language, and what its texts are made from.
#[derive(Debug)]
pub struct Tongue {
    lang: Lang,
    folder: Folder,
    english: Vec<(&'static str, Text)>,
    refused: BTreeMap<String, Refused>,
}

/// A text as the host looks at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Where it stands.
    pub place: Place,
    /// How.
    pub state: State,
    /// What it is made from today.
    pub english: String,
    /// What is said; `None` while English is.
    pub text: Option<String>,
    /// What a model wrote for it instead, and why that is not used.
    pub refused: Option<(String, String)>,
}

/// How many texts there are, and how they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub all: usize,
    /// Said in the language.
    pub translated: usize,
    /// Of those, the ones a person wrote.
    pub by_hand: usize,
    /// Waiting for the model.
    pub pending: usize,
    /// Changed by a person, while the English text is another one since.
    pub behind: usize,
    /// Tried as often as it is tried, in vain.
    pub given_up: usize,
}

/// Makes a language's folder; whether it was not there before.
pub fn add(data_dir: &Path, lang: Lang) -> io::Result<bool> {
    let is_new = !Folder::all(data_dir).contains(&lang);
    Folder::of(data_dir, lang).make()?;
    Ok(is_new)
}

/// The languages a household added.
pub fn added(data_dir: &Path) -> Vec<Lang> {
    Folder::all(data_dir)
}

impl Tongue {
    /// An added language as it stands on the disk.
    pub fn open(data_dir: &Path, lang: Lang) -> Self {
        Self::from(data_dir, lang, &english_files().collect::<Vec<_>>())
    }

    fn from(data_dir: &Path, lang: Lang, files: &[(&'static str, &'static str)]) -> Self {
        let folder = Folder::of(data_dir, lang);
        let mut english = source::english(files);
        let prompts = ENGLISH_PROMPTS.iter().map(|(name, text)| {
            let text = Text {
                key: (*name).to_owned(),
                text: text.trim().to_owned(),
                comment: Vec::new(),
            };
            (PROMPTS, text)
        });
        english.extend(prompts);
        Self {
            lang,
            refused: folder.refused(),
            folder,
            english,
        }
    }

    /// Which one it is.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Every text, in the order they are translated.
    pub fn review(&self) -> io::Result<Vec<Review>> {
        let mut files: BTreeMap<&str, BTreeMap<String, Written>> = BTreeMap::new();
        let mut all = Vec::new();
        for (file, english) in &self.english {
            let written = if *file == PROMPTS {
                self.folder.prompt(&english.key)?
            } else {
                if !files.contains_key(file) {
                    files.insert(file, self.folder.texts(file)?.0);
                }
                files.get(file).and_then(|texts| texts.get(&english.key)).cloned()
            };
            let refused = self.refused.get(&mark(file, &english.key));
            let refused = refused.filter(|refused| refused.from == source::hash(&english.text));
            all.push(Review {
                place: Place {
                    file: (*file).to_owned(),
                    key: english.key.clone(),
                },
                state: written
                    .as_ref()
                    .map_or(State::Pending, |written| written.state(&english.text)),
                english: english.text.clone(),
                text: written.map(|written| written.text),
                refused: refused.map(|refused| (refused.said.clone(), refused.why.clone())),
            });
        }
        Ok(all)
    }

    /// How they stand.
    pub fn tally(&self) -> io::Result<Tally> {
        let mut tally = Tally::default();
        for text in self.review()? {
            let has_given_up =
                text.state.is_pending() && self.tries(&text.place, &text.english) >= TRANSLATION_TRIES_MAX;
            let is_by_hand = matches!(text.state, State::ByHand | State::ByHandBehind);
            tally.all += 1;
            tally.translated += usize::from(text.text.is_some());
            tally.by_hand += usize::from(is_by_hand);
            tally.pending += usize::from(text.state.is_pending() && !has_given_up);
            tally.behind += usize::from(text.state == State::ByHandBehind);
            tally.given_up += usize::from(has_given_up);
        }
        Ok(tally)
    }

    /// What waits for the model, each with its English text: what was not tried yet comes first.
    pub fn pending(&self) -> io::Result<Vec<(Place, String)>> {
        let waiting = self.review()?.into_iter().filter(|text| text.state.is_pending());
        let mut waiting: Vec<(u32, Place, String)> = waiting
            .map(|text| (self.tries(&text.place, &text.english), text.place, text.english))
            .filter(|(tries, _, _)| *tries < TRANSLATION_TRIES_MAX)
            .collect();
        waiting.sort_by_key(|(tries, _, _)| *tries);
        Ok(waiting
            .into_iter()
            .map(|(_, place, english)| (place, english))
            .collect())
    }

    /// Puts down what a model wrote, if it may stand for the English text; else keeps why it may not.
    pub fn put(&mut self, place: &Place, said: &str) -> io::Result<Result<(), Wrong>> {
        let Some((file, english)) = self.english_of(place) else {
            return Ok(Err(Wrong::Key));
        };
        let checked = if file == PROMPTS {
            check::prompt(&english.text, said)
        } else {
            check::text(&english, said)
        };
        let mark = mark(file, &english.key);
        match checked {
            Ok(text) => {
                let written = Written::made(text, &english.text);
                if file == PROMPTS {
                    self.folder.put_prompt(&english.key, &written)?;
                } else {
                    self.folder.put(file, &english.key, written)?;
                }
                if self.refused.remove(&mark).is_some() {
                    self.folder.put_refused(&self.refused)?;
                }
                Ok(Ok(()))
            }
            Err(wrong) => {
                let from = source::hash(&english.text);
                let before = self.refused.get(&mark).filter(|refused| refused.from == from);
                let refused = Refused {
                    times: before.map_or(1, |before| before.times + 1),
                    from,
                    why: wrong.key().to_owned(),
                    said: said.to_owned(),
                };
                self.refused.insert(mark, refused);
                self.folder.put_refused(&self.refused)?;
                Ok(Err(wrong))
            }
        }
    }

    fn english_of(&self, place: &Place) -> Option<(&'static str, Text)> {
        let mut all = self.english.iter();
        all.find(|(file, text)| *file == place.file && text.key == place.key)
            .cloned()
    }

    fn tries(&self, place: &Place, english: &str) -> u32 {
        let refused = self.refused.get(&mark(&place.file, &place.key));
        let refused = refused.filter(|refused| refused.from == source::hash(english));
        refused.map_or(0, |refused| refused.times)
    }
}

fn mark(file: &str, key: &str) -> String {
    format!("{file}/{key}")
}

/// The texts of an added language as they are said; those that are not there are said in English, and so is what a
/// person wrote in a way that loses a value.
pub(super) fn bundle(data_dir: &Path, lang: Lang) -> Bundle {
    let tag: LanguageIdentifier = lang.code().parse().unwrap_or_default();
    let mut bundle = empty_bundle(tag);
    let folder = Folder::of(data_dir, lang);
    for (file, english) in english_files() {
        let texts = match folder.texts(file) {
            Ok((texts, is_whole)) => {
                if !is_whole {
                    tracing::warn!(lang = lang.code(), file, "part of these texts cannot be read");
                }
                texts
            }
            Err(error) => {
                tracing::warn!(lang = lang.code(), file, %error, "these texts cannot be read");
                continue;
            }
        };
        let english = source::by_key(english).0;
        let mut usable = String::new();
        for (key, written) in &texts {
            let Some(source) = english.get(key) else { continue };
            // A text whose English one changed may speak of values that are not handed over any more.
            if check::text(source, &written.text).is_ok() || written.state(&source.text) == State::ByHand {
                usable.push_str(&written.text);
                usable.push('\n');
            }
        }
        let resource = match FluentResource::try_new(usable) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        if let Err(errors) = bundle.add_resource(resource) {
            tracing::warn!(lang = lang.code(), file, ?errors, "texts of the same name in two files");
        }
    }
    bundle
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const BEFORE: [(&str, &str); 1] = [("runtime", "hello = Hello, { $name }.\nbye = Goodbye.\n")];
    const AFTER: [(&str, &str); 1] = [("runtime", "hello = Welcome, { $name }.\nbye = See you.\n")];

    fn french() -> Lang {
        Lang::from_code("fr").unwrap()
    }

    fn place(key: &str) -> Place {
        Place {
            file: "runtime".to_owned(),
            key: key.to_owned(),
        }
    }

    #[test]
    fn a_translation_is_pending_again_when_its_english_changes_unless_a_hand_was_at_it() {
        let data = tempfile::tempdir().unwrap();
        assert!(add(data.path(), french()).unwrap());
        assert!(!add(data.path(), french()).unwrap());
        let mut tongue = Tongue::from(data.path(), french(), &BEFORE);
        assert_eq!(tongue.pending().unwrap().len(), 3, "two texts and a prompt");
        assert_eq!(
            tongue.put(&place("hello"), "hello = Bonjour, { $name }.").unwrap(),
            Ok(())
        );
        assert_eq!(tongue.put(&place("bye"), "bye = Adieu.").unwrap(), Ok(()));
        assert_eq!(tongue.pending().unwrap().len(), 1);
        let path = tongue.path().join("runtime.ftl");
        let file = fs::read_to_string(&path).unwrap();
        fs::write(&path, file.replace("Adieu", "Salut")).unwrap();
        let later = Tongue::from(data.path(), french(), &AFTER);
        let states: Vec<State> = later.review().unwrap().into_iter().map(|text| text.state).collect();
        assert_eq!(states, [State::Outdated, State::ByHandBehind, State::Pending]);
        let pending = later.pending().unwrap();
        assert_eq!(pending.first().map(|(place, _)| place.key.as_str()), Some("hello"));
    }

    #[test]
    fn what_is_wrong_is_kept_apart_and_tried_so_often() {
        let data = tempfile::tempdir().unwrap();
        add(data.path(), french()).unwrap();
        let mut tongue = Tongue::from(data.path(), french(), &BEFORE);
        for tried in 1..=TRANSLATION_TRIES_MAX {
            assert_eq!(
                tongue.put(&place("hello"), "hello = Bonjour.").unwrap(),
                Err(Wrong::Values)
            );
            let pending = Tongue::from(data.path(), french(), &BEFORE).pending().unwrap();
            assert_eq!(
                pending.iter().any(|(place, _)| place.key == "hello"),
                tried < TRANSLATION_TRIES_MAX
            );
            assert_ne!(pending.first().map(|(place, _)| place.key.as_str()), Some("hello"));
        }
        let tally = tongue.tally().unwrap();
        assert_eq!(
            (tally.all, tally.translated, tally.pending, tally.given_up),
            (3, 0, 2, 1)
        );
        let changed = Tongue::from(data.path(), french(), &AFTER).pending().unwrap();
        assert_eq!(
            changed.first().map(|(place, _)| place.key.as_str()),
            Some("hello"),
            "another text is tried anew"
        );
    }
}
