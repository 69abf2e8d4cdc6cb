//! The words around what is asked for another moment, in each language. Read by `asked`; they mean nothing alone.

use serde::Deserialize;

use crate::{
    domain::lang::{InEach, Lang},
    language::{LanguageError, spoken::spoken},
};

const WORDS: InEach<&str> = InEach {
    english: include_str!("../../../../locales/en/tasks.toml"),
    italian: include_str!("../../../../locales/it/tasks.toml"),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    remind: Vec<String>,
    says: Vec<String>,
    watch: Vec<String>,
    whether: Vec<String>,
    tell: String,
    appears: Vec<String>,
    changes: Vec<String>,
    read: String,
    fresh: Vec<String>,
    look: String,
    disk: Vec<String>,
    disk_look: String,
    over: Vec<String>,
    beforehand: Vec<String>,
    vague: Vec<String>,
    around: Vec<String>,
    again: Vec<String>,
    times: Vec<String>,
    counts: Vec<Vec<String>>,
    only: Vec<String>,
}

/// A phrase as it is compared, word by word.
pub(super) type Phrase = Vec<String>;

/// The words of one language.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) remind: Vec<Phrase>,
    pub(super) says: Vec<Phrase>,
    pub(super) watch: Vec<Phrase>,
    /// Those of them that may only ask about now.
    pub(super) whether: Vec<Phrase>,
    pub(super) tell: String,
    pub(super) appears: Vec<Phrase>,
    pub(super) changes: Vec<Phrase>,
    pub(super) read: String,
    pub(super) fresh: Vec<Phrase>,
    pub(super) look: String,
    pub(super) disk: Vec<Phrase>,
    pub(super) disk_look: String,
    pub(super) over: Vec<Phrase>,
    /// Behind a length of time: it is one before what follows.
    pub(super) beforehand: Vec<Phrase>,
    pub(super) vague: Vec<Phrase>,
    pub(super) around: Vec<Phrase>,
    pub(super) again: Vec<Phrase>,
    pub(super) times: Vec<Phrase>,
    /// Words for one, two and so on.
    pub(super) counts: Vec<Vec<String>>,
    pub(super) only: Vec<Phrase>,
}

impl Words {
    /// The words that come with the program.
    pub(super) fn of(lang: Lang) -> Result<Self, LanguageError> {
        let file: File = toml::from_str(WORDS.of(lang)).map_err(|source| LanguageError::Toml {
            what: "words of tasks".to_owned(),
            source,
        })?;
        let phrases = |texts: Vec<String>| -> Vec<Phrase> {
            let words = |text: String| spoken(&text).into_iter().map(|word| word.fold).collect();
            texts.into_iter().map(words).collect()
        };
        Ok(Self {
            remind: phrases(file.remind),
            says: phrases(file.says),
            watch: phrases(file.watch),
            whether: phrases(file.whether),
            tell: file.tell,
            appears: phrases(file.appears),
            changes: phrases(file.changes),
            read: file.read,
            fresh: phrases(file.fresh),
            look: file.look,
            disk: phrases(file.disk),
            disk_look: file.disk_look,
            over: phrases(file.over),
            beforehand: phrases(file.beforehand),
            vague: phrases(file.vague),
            around: phrases(file.around),
            again: phrases(file.again),
            times: phrases(file.times),
            counts: file.counts,
            only: phrases(file.only),
        })
    }
}
