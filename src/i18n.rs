//! Turns sentences into words: Fluent bundles of `locales/`, embedded. Called by `runtime::reply`, the channels and
//! the commands; the engine and the executors only name sentences.
//!
//! A key that is missing in a language is looked up in English; a key missing everywhere is shown as itself and
//! logged, so that nobody ever gets an empty answer. A test keeps both cases from happening.

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use unic_langid::langid;

use crate::domain::{
    lang::Lang,
    message::{Message, MessageArg},
};

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
    "places",
    "language",
    "cli",
    "help",
    "telegram",
    "matrix",
    "terminal",
    "tasks",
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
    english: FluentBundle<FluentResource>,
    italian: FluentBundle<FluentResource>,
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
        })
    }

    /// A sentence in words.
    pub fn say(&self, lang: Lang, message: &Message) -> String {
        let key = message.key.as_str();
        for bundle in [self.bundle(lang), self.bundle(Lang::EN)] {
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
        self.bundle(lang).has_message(key)
    }

    fn value(&self, lang: Lang, value: &MessageArg) -> FluentValue<'static> {
        match value {
            MessageArg::Number(number) => FluentValue::from(*number),
            MessageArg::Text(text) => FluentValue::from(text.clone()),
            MessageArg::Message(message) => FluentValue::from(self.say(lang, message)),
        }
    }

    fn bundle(&self, lang: Lang) -> &FluentBundle<FluentResource> {
        match lang {
            Lang::IT => &self.italian,
            _ => &self.english,
        }
    }
}

fn bundle(lang: Lang) -> Result<FluentBundle<FluentResource>, I18nError> {
    let tag = match lang {
        Lang::IT => langid!("it"),
        _ => langid!("en"),
    };
    let mut bundle = FluentBundle::new_concurrent(vec![tag]);
    // Isolation marks are for mixed writing directions; in a terminal and in tests they are only noise.
    bundle.set_use_isolating(false);
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
