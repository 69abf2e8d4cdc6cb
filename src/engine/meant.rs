//! What the words of a request mean in this person's home: which file or folder they name, which names are near one
//! that is not there, and whether a text says only what was said. Made by dispatch when a model's plan is to be asked
//! for or judged. It knows names, never what is in a file, and asks nobody.

use crate::{
    domain::lang::Lang,
    language::{Home, Language},
};

/// Letters of the shortest word that tells one name from another.
const TELLING_LETTERS_MIN: usize = 3;
/// Names that are told where one is not there.
const NEAR_MAX: usize = 4;

/// A file or folder with the words of its name.
#[derive(Debug)]
struct Named {
    /// With `~/`.
    path: String,
    /// Words of its own name, without the ending.
    own: Vec<String>,
    /// Words of the folders above it.
    around: Vec<String>,
    is_folder: bool,
}

/// How well words name something; more is better, the first figure most.
type Likeness = (usize, usize, bool);

/// A request beside the names of a home.
pub struct Meant<'a> {
    language: &'a Language,
    lang: Lang,
    names: Vec<Named>,
    said: Vec<String>,
    lower: String,
    /// What the person has before them.
    view: &'a [String],
}

impl std::fmt::Debug for Meant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Meant")
            .field("said", &self.said)
            .finish_non_exhaustive()
    }
}

impl<'a> Meant<'a> {
    /// The names of a home, beside what was said and the files last listed in this conversation.
    pub fn new(home: &Home, language: &'a Language, lang: Lang, request: &str, view: &'a [String]) -> Self {
        let mut meant = Self {
            language,
            lang,
            names: Vec::new(),
            said: Vec::new(),
            lower: request.to_lowercase(),
            view,
        };
        meant.said = meant.words(request);
        let files = home.files().iter().map(|path| (path, false));
        let folders = home.folders().iter().map(|path| (path, true));
        meant.names = files
            .chain(folders)
            .map(|(path, is_folder)| meant.named(path, is_folder))
            .collect();
        meant
    }

    fn named(&self, path: &str, is_folder: bool) -> Named {
        let below = path.trim_start_matches("~/");
        let (above, name) = below.rsplit_once('/').unwrap_or(("", below));
        let stem = name
            .rsplit_once('.')
            .filter(|_| !is_folder)
            .map_or(name, |(stem, _)| stem);
        Named {
            path: path.to_owned(),
            own: self.words(stem),
            around: self.words(above),
            is_folder,
        }
    }

    /// The telling words of a text, each as its stem, and joined where a hyphen or a space may be left out.
    fn words(&self, text: &str) -> Vec<String> {
        let apart: String = text
            .chars()
            .map(|letter| if letter.is_alphanumeric() { letter } else { ' ' })
            .collect();
        let stems = self.language.stems(&apart, self.lang);
        let mut words: Vec<String> = stems
            .into_iter()
            .filter(|stem| !stem.is_glue && (stem.letters >= TELLING_LETTERS_MIN || is_number(&stem.text)))
            .map(|stem| stem.text)
            .collect();
        words.dedup();
        words
    }

    /// Whether something is there under this path, written with `~/`.
    pub fn is_there(&self, path: &str) -> bool {
        let path = bare(path);
        path == "~" || self.names.iter().any(|named| named.path == path)
    }

    /// Whether the request means this very file or folder: its words name it, and nothing else as well. What alone is
    /// in view is meant, too.
    pub fn is_meant(&self, path: &str) -> bool {
        let path = bare(path);
        if matches!(self.view, [only] if bare(only) == path) {
            return true;
        }
        let Some(named) = self.names.iter().find(|named| named.path == path) else {
            return false;
        };
        let likeness = self.likeness(named, &self.said);
        let others = self
            .names
            .iter()
            .filter(|other| other.is_folder == named.is_folder && other.path != path);
        likeness.0 > 0
            && others
                .into_iter()
                .all(|other| self.likeness(other, &self.said) < likeness)
    }

    /// The things whose names the request says whole, and which nothing else could be.
    pub fn named_whole(&self) -> impl Iterator<Item = &str> {
        let whole = self
            .names
            .iter()
            .filter(|named| !named.is_folder && self.likeness(named, &self.said).2);
        whole
            .map(|named| named.path.as_str())
            .filter(|path| self.is_meant(path))
    }

    /// Whether a new thing may be put here unasked: into a folder that is meant, or the home itself, under a name whose
    /// every word was said.
    pub fn is_new_place(&self, path: &str) -> bool {
        let path = bare(path);
        let Some((folder, name)) = path.rsplit_once('/') else {
            return false;
        };
        let is_known_folder = folder == "~" || self.is_there(folder) && self.is_meant(folder);
        let is_said_folder = || self.says(folder.trim_start_matches('~'));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let words = self.words(stem);
        !words.is_empty() && self.says(stem) && (is_known_folder || !self.is_there(folder) && is_said_folder())
    }

    /// Whether every telling word of a text was said.
    pub fn says(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        self.lower.contains(lower.trim()) || self.words(text).iter().all(|word| self.said.contains(word))
    }

    /// Whether every telling word of these stands in a text.
    pub fn stands_in(&self, words: &str, text: &str) -> bool {
        let there = self.words(text);
        self.words(words).iter().all(|word| there.contains(word))
    }

    /// Where the request names this: by its path, by its name, or by words of it.
    pub fn place_of(&self, path: &str) -> Option<usize> {
        let path = bare(path).trim_start_matches("~/").to_lowercase();
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        if let Some(at) = [path.as_str(), name, stem].iter().find_map(|text| self.whole(text)) {
            return Some(at);
        }
        let words = self.words(stem);
        let mut said = self
            .lower
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let named = said.find(|word| self.words(word).iter().any(|stem| words.contains(stem)));
        named.and_then(|word| self.lower.find(word))
    }

    /// Where a text stands in the request on its own, and not as a part of a longer word or path.
    fn whole(&self, text: &str) -> Option<usize> {
        let joins = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '/');
        let mut found = self.lower.match_indices(text).filter(|_| !text.is_empty());
        found.find_map(|(at, found)| {
            let before = self.lower.get(..at)?.chars().next_back();
            let after = self.lower.get(at + found.len()..)?.chars().next();
            // A path may begin with the home.
            let is_rooted = self.lower.get(..at)?.ends_with("~/");
            (!joins(after) && (is_rooted || !joins(before))).then_some(at)
        })
    }

    /// Names near one that is not there.
    pub fn near(&self, path: &str) -> Vec<String> {
        let wanted = self.named(bare(path), false);
        let mut near: Vec<(Likeness, &str)> = self
            .names
            .iter()
            .map(|named| (self.likeness(named, &wanted.own), named.path.as_str()))
            .filter(|(likeness, _)| likeness.0 > 0)
            .collect();
        near.sort_by(|(one, a), (other, b)| other.cmp(one).then(a.cmp(b)));
        let found: Vec<String> = near
            .into_iter()
            .take(NEAR_MAX)
            .map(|(_, path)| path.to_owned())
            .collect();
        if found.is_empty() {
            self.like_request(NEAR_MAX)
        } else {
            found
        }
    }

    /// The files and folders whose names share a word with the request, the most like it first.
    pub fn like_request(&self, most: usize) -> Vec<String> {
        let mut like: Vec<(Likeness, &str)> = self
            .names
            .iter()
            .map(|named| (self.likeness(named, &self.said), named.path.as_str()))
            .filter(|(likeness, _)| likeness.0 + likeness.1 > 0)
            .collect();
        like.sort_by(|(one, a), (other, b)| other.cmp(one).then(a.cmp(b)));
        like.into_iter().take(most).map(|(_, path)| path.to_owned()).collect()
    }

    /// The folders at the top of the home, each with how many files lie in and below it.
    pub fn top_folders(&self) -> Vec<(&str, usize)> {
        let tops = self
            .names
            .iter()
            .filter(|named| named.is_folder && named.around.is_empty());
        let is_top = |named: &&Named| !named.path.trim_start_matches("~/").contains('/');
        tops.filter(is_top)
            .map(|top| {
                let below = format!("{}/", top.path);
                let files = self
                    .names
                    .iter()
                    .filter(|named| !named.is_folder && named.path.starts_with(&below));
                (top.path.as_str(), files.count())
            })
            .collect()
    }

    fn likeness(&self, named: &Named, said: &[String]) -> Likeness {
        let hits = |words: &[String]| words.iter().filter(|word| said.contains(word)).count();
        let own = hits(&named.own);
        (own, hits(&named.around), own > 0 && own == named.own.len())
    }
}

fn bare(path: &str) -> &str {
    path.trim_end_matches('/')
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A home of empty files; names that end in a slash are folders.
    fn home(names: &[&str]) -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            if name.ends_with('/') {
                std::fs::create_dir_all(path).unwrap();
            } else {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, "").unwrap();
            }
        }
        let home = Home::at(folder.path().to_path_buf());
        (folder, home)
    }

    const NAMES: [&str; 7] = [
        "docs/invoice march.pdf",
        "docs/invoice april.pdf",
        "docs/insurance/car policy.pdf",
        "notes/shopping.txt",
        "notes/todo.md",
        "backup/",
        "spesa.txt",
    ];

    #[test]
    fn a_thing_is_meant_when_words_name_it_and_nothing_else_as_well() {
        let (_folder, home) = home(&NAMES);
        let language = Language::embedded().unwrap();
        for (lang, request, path, is_meant) in [
            (
                Lang::EN,
                "delete the invoice of march",
                "~/docs/invoice march.pdf",
                true,
            ),
            (
                Lang::EN,
                "delete the invoice of march",
                "~/docs/invoice april.pdf",
                false,
            ),
            (Lang::EN, "delete the invoice", "~/docs/invoice march.pdf", false),
            (Lang::EN, "put oil on the shopping list", "~/notes/shopping.txt", true),
            (Lang::EN, "put oil on the shopping list", "~/notes/todo.md", false),
            (Lang::EN, "move it to the insurance folder", "~/docs/insurance", true),
            (Lang::EN, "move it away", "~/backup", false),
            (Lang::IT, "aggiungi le uova alla lista della spesa", "~/spesa.txt", true),
        ] {
            let meant = Meant::new(&home, &language, lang, request, &[]);
            assert_eq!(meant.is_meant(path), is_meant, "{request}: {path}");
        }
    }

    #[test]
    fn what_alone_is_in_view_is_meant() {
        let (_folder, home) = home(&NAMES);
        let language = Language::embedded().unwrap();
        let view = ["~/notes/todo.md".to_owned()];
        let meant = Meant::new(&home, &language, Lang::EN, "throw it away", &view);
        assert!(meant.is_meant("~/notes/todo.md"));
        assert!(!meant.is_meant("~/notes/shopping.txt"));
    }

    #[test]
    fn a_new_thing_goes_where_and_by_the_name_that_was_said() {
        let (_folder, home) = home(&NAMES);
        let language = Language::embedded().unwrap();
        let request = "write a note about the boiler called boiler check in notes";
        let meant = Meant::new(&home, &language, Lang::EN, request, &[]);
        for (path, is_new_place) in [
            ("~/notes/boiler check.md", true),
            ("~/boiler.txt", true),
            ("~/docs/boiler.txt", false),
            ("~/notes/plumber.md", false),
            ("~", false),
        ] {
            assert_eq!(meant.is_new_place(path), is_new_place, "{path}");
        }
    }

    #[test]
    fn near_names_are_told_of_what_is_not_there() {
        let (_folder, home) = home(&NAMES);
        let language = Language::embedded().unwrap();
        let meant = Meant::new(&home, &language, Lang::EN, "what is on my shopping list", &[]);
        assert!(!meant.is_there("~/shopping.txt"));
        assert_eq!(meant.near("~/shopping.txt"), ["~/notes/shopping.txt"]);
        assert_eq!(
            meant.near("~/x.txt"),
            ["~/notes/shopping.txt"],
            "else what is like the request"
        );
        assert_eq!(meant.top_folders(), [("~/backup", 0), ("~/docs", 3), ("~/notes", 2)]);
    }
}
