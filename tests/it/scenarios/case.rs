//! Reads `eval/scenarios`: homes, pages and scenarios, as they stand in the files.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use metnos::domain::lang::Lang;
use serde::Deserialize;

/// Everything in the folder.
pub(super) struct Scenarios {
    pub(super) world: World,
    pub(super) all: Vec<Scenario>,
}

/// Where scenarios play.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct World {
    pub(super) now: String,
    pub(super) timezone: String,
    home: Vec<Home>,
    pub(super) page: Vec<Page>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Home {
    lang: String,
    files: Vec<Fixture>,
}

/// A file of a home.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fixture {
    pub(super) path: String,
    pub(super) text: Option<String>,
    #[serde(default)]
    pub(super) size: u64,
    age: Option<String>,
}

/// A page of the web site.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    pub(super) path: String,
    pub(super) kind: String,
    pub(super) body: String,
}

/// How a scenario must end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Ending {
    /// With an answer.
    #[default]
    Answer,
    /// With an honest no, or a question that keeps it from guessing.
    Refuses,
    /// With a question that was answered with no.
    Asks,
}

/// One scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scenario {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) say: Said,
    #[serde(default)]
    pub(super) needs: Vec<String>,
    #[serde(default)]
    pub(super) missing: Vec<String>,
    #[serde(default)]
    pub(super) outcome: Ending,
    #[serde(default)]
    pub(super) hears: Vec<String>,
    #[serde(default)]
    pub(super) hides: Vec<String>,
    #[serde(default)]
    pub(super) in_order: bool,
    #[serde(default)]
    pub(super) moved: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) wrote: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) gone: Vec<String>,
}

/// One message, or a conversation.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Said {
    Once(String),
    Turns(Vec<String>),
}

impl Said {
    pub(super) fn turns(&self) -> Vec<&str> {
        match self {
            Self::Once(text) => vec![text],
            Self::Turns(texts) => texts.iter().map(String::as_str).collect(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    scenario: Vec<Scenario>,
}

impl Scenarios {
    /// Reads them all; a mistake in a file fails loudly.
    pub(super) fn load() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("eval/scenarios");
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        let world: World = toml::from_str(&read("homes.toml")).unwrap();
        let all = ["en.toml", "it.toml"]
            .iter()
            .flat_map(|name| toml::from_str::<File>(&read(name)).unwrap().scenario)
            .collect();
        Self { world, all }
    }

    pub(super) fn index_of(&self, id: &str) -> usize {
        self.all.iter().position(|scenario| scenario.id == id).unwrap()
    }
}

impl World {
    /// The files of the home that speaks this language.
    pub(super) fn files(&self, lang: Lang) -> &[Fixture] {
        let home = self.home.iter().find(|home| home.lang == lang.code());
        &home.unwrap().files
    }
}

impl Scenario {
    /// The language of the household: the first part of the id.
    pub(super) fn lang(&self) -> Lang {
        let lang = Lang::BUILT_IN.into_iter().find(|lang| self.id.starts_with(lang.code()));
        lang.unwrap()
    }

    /// Whether something is to change.
    pub(super) fn changes(&self) -> bool {
        !(self.moved.is_empty() && self.wrote.is_empty() && self.gone.is_empty())
    }
}

impl Fixture {
    /// How long ago the file was changed: `3d`, `26h`.
    pub(super) fn age(&self) -> Duration {
        let Some(age) = &self.age else {
            return Duration::ZERO;
        };
        let (number, unit) = age.split_at(age.len() - 1);
        let hours = if unit == "d" { 24 } else { 1 };
        Duration::from_secs(number.parse::<u64>().unwrap() * hours * 3600)
    }
}
