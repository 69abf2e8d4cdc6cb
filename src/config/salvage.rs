//! What can be used of a configuration with mistakes, so that `metnos doctor` can report all of them and look at the
//! rest. Called by the doctor, and to know in which language to say what is wrong: nothing else starts with
//! less than the whole configuration.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::{
    Config, ConfigError, blamed, built_in, config_path, env::Environment, raw, resolve, secret_file, tiers, variables,
    whole, written,
};
use crate::domain::lang::Lang;

/// Every setting that names a file with a secret in it.
const SECRET_FILES: [&str; 4] = [
    "telegram.token_file",
    "places.google_key_file",
    "search.brave_key_file",
    "llm.online.key_file",
];

impl Config {
    /// The household's language, even while the rest of its configuration cannot be used.
    pub fn lang_for(environment: &Environment) -> Lang {
        match Self::salvage(environment) {
            (Some(config), _) => config.lang,
            (None, _) => environment.lang.as_deref().and_then(built_in).unwrap_or_default(),
        }
    }

    /// The configuration with every wrong setting at its default, and what is wrong with each. No configuration when
    /// nothing can be made of it.
    pub fn salvage(environment: &Environment) -> (Option<Self>, Vec<ConfigError>) {
        let mut mistakes = Vec::new();
        let mut environment = environment.clone();
        let mut settings = Table::new();
        match written(&environment).and_then(|text| parsed(&text, &environment)) {
            Ok(table) => settings = table,
            Err(mistake) => mistakes.push(mistake),
        }
        for key in keys_of(&settings, "") {
            let mut alone = Table::new();
            if let Some(value) = get(&settings, &key) {
                put(&mut alone, &key, value.clone());
            }
            if let Err(wrong) = raw::layered(alone).and_then(raw::read) {
                let reason = wrong.message().to_owned();
                remove(&mut settings, &key);
                mistakes.push(ConfigError::Key { key, reason });
            }
        }
        let parse = |source| ConfigError::Parse {
            path: PathBuf::new(),
            source,
        };
        // Each round takes one wrong setting away, or ends.
        loop {
            let read = whole(settings.clone(), &environment, &parse);
            let mistake = match read.and_then(|raw| resolve(raw, &environment)) {
                Ok(config) => return (Some(config), mistakes),
                Err(ConfigError::Parse { .. }) => return (None, mistakes),
                Err(mistake) => mistake,
            };
            let key = match &mistake {
                ConfigError::Value { key, .. } => *key,
                ConfigError::Exposed { path } | ConfigError::Read { path, .. } => {
                    setting_of(path, &settings, &environment)
                }
                ConfigError::Parse { .. } | ConfigError::Key { .. } | ConfigError::NoHome => "",
            };
            let mistake = blamed(mistake, &environment);
            // What the environment says wins, so that it is what is wrong.
            let variable = variables::of_key(key).unwrap_or(key);
            let is_overridden = environment.settings.remove(variable).is_some();
            let is_gone = is_overridden || remove(&mut settings, key);
            mistakes.push(mistake);
            if !is_gone {
                return (None, mistakes);
            }
        }
    }
}

/// The setting that names this file of a secret.
fn setting_of(path: &Path, settings: &Table, environment: &Environment) -> &'static str {
    let home = environment.home.clone().unwrap_or_else(|| PathBuf::from("/"));
    let names_it = |key: &&str| {
        let written = get(settings, key).and_then(Value::as_str).unwrap_or_default();
        secret_file(written, &home).is_ok_and(|file| file.as_deref() == Some(path))
    };
    SECRET_FILES.iter().copied().find(names_it).unwrap_or_default()
}

fn parsed(text: &str, environment: &Environment) -> Result<Table, ConfigError> {
    let mut table = text.parse().map_err(|source| ConfigError::Parse {
        path: config_path(environment).unwrap_or_default(),
        source,
    })?;
    tiers::moved(&mut table);
    Ok(table)
}

/// Every setting by its whole name, such as `llm.url`.
fn keys_of(table: &Table, before: &str) -> Vec<String> {
    table
        .iter()
        .flat_map(|(name, value)| match value {
            Value::Table(inner) if !inner.is_empty() => keys_of(inner, &format!("{before}{name}.")),
            Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_)
            | Value::Table(_) => vec![format!("{before}{name}")],
        })
        .collect()
}

pub(super) fn get<'a>(table: &'a Table, key: &str) -> Option<&'a Value> {
    match key.split_once('.') {
        Some((section, rest)) => get(table.get(section)?.as_table()?, rest),
        None => table.get(key),
    }
}

/// Puts a value at the place of a key; sections that are not there yet are made.
pub(super) fn put(table: &mut Table, key: &str, value: Value) {
    match key.split_once('.') {
        Some((section, rest)) => {
            let inner = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
            if let Some(inner) = inner.as_table_mut() {
                put(inner, rest, value);
            }
        }
        None => {
            table.insert(key.to_owned(), value);
        }
    }
}

pub(super) fn remove(table: &mut Table, key: &str) -> bool {
    match key.split_once('.') {
        Some((section, rest)) => table
            .get_mut(section)
            .and_then(Value::as_table_mut)
            .is_some_and(|inner| remove(inner, rest)),
        None => table.remove(key).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left, and what was said, of this file.
    fn salvaged(text: &str) -> (Option<Config>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, text).unwrap();
        let environment = Environment {
            home: Some(folder.path().to_owned()),
            config: Some(file),
            ..Environment::default()
        };
        let (config, mistakes) = Config::salvage(&environment);
        (config, mistakes.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_mistake_is_found_and_the_rest_is_kept() {
        let (config, mistakes) = salvaged(
            "colour = 1\nengine = \"fast\"\ntimezone = \"Rome\"\nlanguage = \"it\"\n[llm]\nurl = \"localhost\"\n\
             think = 3\n[telegram]\ntoken_file = \"~/none\"\npoll_s = 7\n",
        );
        let config = config.unwrap();
        assert_eq!((config.lang.code(), config.telegram.poll_s), ("it", 7));
        for words in [
            "`colour`",
            "`llm.wise.think`",
            "`engine`",
            "`timezone`",
            "`llm.url`",
            "none",
        ] {
            assert!(
                mistakes.iter().any(|told| told.contains(words)),
                "{words}: {mistakes:?}"
            );
        }
        assert_eq!(mistakes.len(), 6, "{mistakes:?}");
    }

    #[test]
    fn a_file_that_is_no_toml_leaves_the_defaults() {
        let (config, mistakes) = salvaged("engine = \n");
        assert_eq!(
            (config.unwrap().telegram.poll_s > 0, mistakes.len()),
            (true, 1),
            "{mistakes:?}"
        );
        let (config, mistakes) = salvaged("");
        assert!(config.is_some() && mistakes.is_empty());
    }
}
