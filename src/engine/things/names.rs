//! Names of files and folders beside words: how well some words name each of them, and which ones are meant. Called by
//! `things::files` and `things::lines`. It knows names alone and looks into nothing.

use std::collections::BTreeSet;

use crate::{
    domain::{fold::fold, lang::Lang},
    language::{
        Home, Language,
        outline::{Sign, Word},
    },
};

/// Letters of the shortest word in which a slip of the finger is forgiven.
const SLIP_LETTERS_MIN: usize = 5;

/// A file or folder, by the words of its name.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// With `~/`.
    pub(super) path: String,
    /// Stems of its own name, without the ending.
    pub(super) own: Vec<String>,
    /// The own name without spaces and marks, folded: "todo" for "to do".
    pub(super) whole: String,
    /// Stems of the folders above it.
    around: Vec<String>,
    /// Its ending, lower case; empty for a folder.
    pub(super) ending: String,
}

/// How well words name something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Likeness {
    /// Words of its own name that were said.
    pub(super) own: BTreeSet<usize>,
    /// Words of the folders above it.
    pub(super) around: BTreeSet<usize>,
    /// Words for its kind.
    pub(super) kind: BTreeSet<usize>,
    /// Every word of its own name was said.
    pub(super) is_whole: bool,
}

impl Likeness {
    /// More is better: words of its own name count most.
    pub(super) fn weight(&self) -> usize {
        4 * self.own.len() + 2 * self.around.len() + 2 * self.kind.len() + usize::from(self.is_whole)
    }

    /// All words that led here.
    pub(super) fn words(&self) -> impl Iterator<Item = usize> {
        self.own.iter().chain(&self.around).chain(&self.kind).copied()
    }
}

/// The names of a home.
pub(super) struct Names {
    pub(super) files: Vec<Name>,
    pub(super) folders: Vec<Name>,
}

impl Names {
    /// Those of a home, read in a language.
    pub(super) fn of(home: &Home, language: &Language, lang: Lang) -> Self {
        let all = |paths: &[String], is_folder: bool| {
            let name = |path: &String| Name::of(path, is_folder, language, lang);
            paths.iter().map(name).collect()
        };
        Self {
            files: all(home.files(), false),
            folders: all(home.folders(), true),
        }
    }

    /// The files below a folder.
    pub(super) fn below<'n>(&'n self, folder: Option<&'n str>) -> impl Iterator<Item = &'n Name> {
        let prefix = folder.map(|folder| format!("{}/", folder.trim_end_matches('/')));
        let is_below = move |name: &&Name| {
            prefix
                .as_ref()
                .is_none_or(|prefix| name.path.starts_with(prefix.as_str()))
        };
        self.files.iter().filter(is_below)
    }
}

impl Name {
    fn of(path: &str, is_folder: bool, language: &Language, lang: Lang) -> Self {
        let below = path.trim_start_matches("~/");
        let (above, name) = below.rsplit_once('/').unwrap_or(("", below));
        let (stem, ending) = name.rsplit_once('.').filter(|_| !is_folder).unwrap_or((name, ""));
        Self {
            path: path.to_owned(),
            own: language.telling_stems(stem, lang),
            whole: whole(stem),
            around: language.telling_stems(above, lang),
            ending: ending.to_lowercase(),
        }
    }

    /// How well these words name it.
    pub(super) fn likeness(&self, words: &[Word], among: &[usize]) -> Likeness {
        let mut like = Likeness::default();
        let mut said: BTreeSet<&str> = BTreeSet::new();
        for at in among {
            // "The oldest" says which one, and is no word of a name.
            let names = |word: &&Word| {
                !word.stem.is_empty()
                    && !word.is_glue
                    && !word.is_rest
                    && !word.signs.iter().any(|(sign, _)| matches!(sign, Sign::Most(..)))
            };
            let Some(word) = words.get(*at).filter(names) else {
                continue;
            };
            if let Some(own) = self.own.iter().find(|own| is_near(own, &word.stem)) {
                like.own.insert(*at);
                said.insert(own);
            } else if word.is_content() && self.around.contains(&word.stem) {
                like.around.insert(*at);
            } else if word.signs.iter().any(|(sign, _)| self.is_of_kind(sign)) || self.ending == word.fold {
                like.kind.insert(*at);
            }
        }
        like.is_whole = !self.own.is_empty() && self.own.iter().all(|own| said.contains(own.as_str()));
        // "to do" is todo.
        for (index, at) in among.iter().enumerate() {
            let joined: Vec<usize> = among.iter().skip(index).take(3).copied().collect();
            for length in 2..=joined.len() {
                let run = joined.get(..length).unwrap_or_default();
                let is_run = run
                    .windows(2)
                    .all(|pair| matches!(pair, [one, other] if *other == one + 1));
                let text: String = run
                    .iter()
                    .filter_map(|at| words.get(*at))
                    .map(|word| word.fold.as_str())
                    .collect();
                if is_run && text == self.whole && run.first() == Some(at) {
                    like.own.extend(run);
                    like.is_whole = true;
                }
            }
        }
        like
    }

    fn is_of_kind(&self, sign: &Sign) -> bool {
        matches!(sign, Sign::Endings(endings) if endings.contains(&self.ending))
    }

    /// Whether people write into it.
    pub(super) fn is_text(&self) -> bool {
        is_text(&self.ending)
    }

    /// Its own name without the ending is this, as it is written.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let own = self.path.rsplit('/').next().unwrap_or_default();
        fold(own) == fold(name)
    }
}

/// Whether people write into files with this ending.
pub(super) fn is_text(ending: &str) -> bool {
    matches!(
        ending,
        "txt" | "md" | "csv" | "tsv" | "log" | "org" | "text" | "markdown" | ""
    )
}

/// A name without spaces and marks, folded.
pub(super) fn whole(name: &str) -> String {
    fold(name).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// The same stem, or one slip of the finger away.
pub(super) fn is_near(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (long, short) = (one.chars().count(), other.chars().count());
    let is_long = long.min(short) >= SLIP_LETTERS_MIN && long.abs_diff(short) <= 1;
    // Invoice 10234 is not 10235, and Mario is not Maria.
    let has_digit = |text: &str| text.contains(|letter: char| letter.is_ascii_digit());
    let ends_otherwise = long == short
        && one
            .char_indices()
            .last()
            .is_some_and(|(at, _)| other.get(..at) == one.get(..at));
    if has_digit(one) || has_digit(other) || ends_otherwise {
        return false;
    }
    is_long && one.chars().next() == other.chars().next() && is_one_slip(one, other)
}

/// One letter more, less or other, or two exchanged.
fn is_one_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (left, right) = (
        one.get(same..).unwrap_or_default(),
        other.get(same..).unwrap_or_default(),
    );
    let behind = |letters: &[char], skipped: usize| letters.get(skipped..).unwrap_or_default().to_vec();
    let exchanged = left.len() > 1
        && right.len() > 1
        && left.first() == right.get(1)
        && left.get(1) == right.first()
        && behind(left, 2) == behind(right, 2);
    exchanged || behind(left, 1) == behind(right, 1) || behind(left, 1) == right || left == behind(right, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_forgiven_and_another_name_is_none() {
        for (one, other) in [("shopping", "shoping"), ("letter", "lettre"), ("contract", "contrqct")] {
            assert!(is_near(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("mario", "maria"),
            ("10234", "10235"),
            ("bill2025", "bill2026"),
            ("anna", "anne"),
        ] {
            assert!(!is_near(one, other), "{one} {other}");
        }
    }
}
