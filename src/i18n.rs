//! Turns sentences into words: Fluent bundles of `locales/`, embedded, and those of languages a household added.
//! Called by `runtime::reply`, the channels and the commands; the engine and the executors only name sentences.
//!
//! A key that is missing in a language is looked up in English; a key missing everywhere is shown as itself and
//! logged, so that nobody ever gets an empty answer. A test keeps both cases from happening in built-in languages.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use fluent::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use unic_langid::{LanguageIdentifier, langid};

use crate::domain::{
    lang::Lang,
    message::{Message, MessageArg},
};

mod added;
pub mod check;
mod source;
pub mod tongue;

/// Texts by their keys, in one language.
type Bundle = FluentBundle<FluentResource>;

/// Lists the files of every language; each is embedded.
macro_rules! texts {
    ($($file:literal),* $(,)?) => {
        [$(
            (Lang::EN, $file, include_str!(concat!("../locales/en/", $file, ".ftl"))),
            (Lang::IT, $file, include_str!(concat!("../locales/it/", $file, ".ftl"))),
        )*]
    };
}

/// Every text of every language, file by file.
const TEXTS: &[(Lang, &str, &str)] = &texts![
    "runtime",
    "engine",
    "nights",
    "run",
    "jobs",
    "executors",
    "policy",
    "catalog",
    "llm",
    "papers",
    "places",
    "language",
    "cli",
    "help",
    "telegram",
    "matrix",
    "terminal",
    "tasks",
    "mail",
    "mcp",
    "calendar",
    "world",
    "devices",
];

/// Why the embedded texts cannot be used; a test finds this before anybody else.
#[derive(Debug, thiserror::Error)]
pub enum I18nError {
    /// A file does not parse.
    #[error("`locales/{lang}/{file}.ftl` does not parse: {detail}")]
    Parse {
        /// Language code.
        lang: &'static str,
        /// File name.
        file: &'static str,
        /// The parser's words.
        detail: String,
    },
    /// A key stands twice.
    #[error("`locales/{lang}/{file}.ftl` repeats a key: {detail}")]
    Repeated {
        /// Language code.
        lang: &'static str,
        /// File name.
        file: &'static str,
        /// The key.
        detail: String,
    },
}

/// The texts, ready to be spoken.
pub struct I18n {
    english: Bundle,
    italian: Bundle,
    /// Where added languages are; `None` where only the built-in ones are wanted.
    data_dir: Option<PathBuf>,
    /// Those that were there when they were last read.
    added: RwLock<BTreeMap<Lang, Arc<Bundle>>>,
}

impl std::fmt::Debug for I18n {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("I18n")
    }
}

impl I18n {
    /// Reads the embedded texts.
    pub fn embedded() -> Result<Self, I18nError> {
        Ok(Self {
            english: bundle(Lang::EN)?,
            italian: bundle(Lang::IT)?,
            data_dir: None,
            added: RwLock::default(),
        })
    }

    /// Reads the embedded texts, and the languages that were added to a household.
    pub fn of_household(data_dir: &Path) -> Result<Self, I18nError> {
        let mut i18n = Self::embedded()?;
        i18n.data_dir = Some(data_dir.to_owned());
        i18n.reload();
        Ok(i18n)
    }

    /// Reads the added languages anew. What cannot be read of one is said in English.
    pub fn reload(&self) {
        let Some(data_dir) = &self.data_dir else { return };
        let read = |lang: Lang| (lang, Arc::new(tongue::bundle(data_dir, lang)));
        let added = added::Folder::all(data_dir).into_iter().map(read).collect();
        *self.added.write().unwrap_or_else(PoisonError::into_inner) = added;
    }

    /// Every language that is spoken here: the built-in ones, then the others by their codes.
    pub fn spoken(&self) -> Vec<Lang> {
        let added = self.added.read().unwrap_or_else(PoisonError::into_inner);
        Lang::BUILT_IN.into_iter().chain(added.keys().copied()).collect()
    }

    /// Whether people are answered in this language, as far as its texts are translated.
    pub fn speaks(&self, lang: Lang) -> bool {
        lang.is_built_in() || self.bundle_added(lang).is_some()
    }

    /// A sentence in words.
    pub fn say(&self, lang: Lang, message: &Message) -> String {
        let key = message.key.as_str();
        let added = self.bundle_added(lang);
        let own = added.as_deref().unwrap_or_else(|| self.bundle(lang));
        for bundle in [own, &self.english] {
            let Some(pattern) = bundle.get_message(key).and_then(|found| found.value()) else {
                continue;
            };
            let mut args = FluentArgs::new();
            for (name, value) in &message.args {
                args.set(name.clone(), self.value(lang, value));
            }
            let mut errors = Vec::new();
            let words = bundle.format_pattern(pattern, Some(&args), &mut errors);
            if !errors.is_empty() {
                tracing::warn!(key, ?errors, "a text is missing a value");
            }
            return words.into_owned();
        }
        tracing::error!(key, "a text is missing");
        key.to_owned()
    }

    /// Whether a sentence exists in this very language.
    pub fn has(&self, lang: Lang, key: &str) -> bool {
        let added = self.bundle_added(lang);
        added.as_deref().unwrap_or_else(|| self.bundle(lang)).has_message(key)
    }

    fn value(&self, lang: Lang, value: &MessageArg) -> FluentValue<'static> {
        match value {
            MessageArg::Number(number) => FluentValue::from(*number),
            MessageArg::Text(text) => FluentValue::from(text.clone()),
            MessageArg::Message(message) => FluentValue::from(self.say(lang, message)),
        }
    }

    fn bundle_added(&self, lang: Lang) -> Option<Arc<Bundle>> {
        if lang.is_built_in() {
            return None;
        }
        let added = self.added.read().unwrap_or_else(PoisonError::into_inner);
        added.get(&lang).cloned()
    }

    fn bundle(&self, lang: Lang) -> &Bundle {
        match lang {
            Lang::IT => &self.italian,
            _ => &self.english,
        }
    }
}

/// The English texts, file by file, as translations are made from them.
fn english_files() -> impl Iterator<Item = (&'static str, &'static str)> {
    let english = TEXTS.iter().filter(|(lang, _, _)| *lang == Lang::EN);
    english.map(|(_, file, text)| (*file, *text))
}

fn empty_bundle(tag: LanguageIdentifier) -> Bundle {
    let mut bundle = FluentBundle::new_concurrent(vec![tag]);
    // Isolation marks are for mixed writing directions; in a terminal and in tests they are only noise.
    bundle.set_use_isolating(false);
    bundle
}

fn bundle(lang: Lang) -> Result<Bundle, I18nError> {
    let mut bundle = empty_bundle(match lang {
        Lang::IT => langid!("it"),
        _ => langid!("en"),
    });
    for (_, file, text) in TEXTS.iter().filter(|(of, _, _)| *of == lang) {
        let resource = FluentResource::try_new((*text).to_owned()).map_err(|(_, errors)| I18nError::Parse {
            lang: lang.code(),
            file,
            detail: format!("{errors:?}"),
        })?;
        bundle.add_resource(resource).map_err(|errors| I18nError::Repeated {
            lang: lang.code(),
            file,
            detail: format!("{errors:?}"),
        })?;
    }
    Ok(bundle)
}
