//! Files and folders of a person's home, and the lists and lines in them, as things that words mean. Made for
//! a turn. It looks at names, and at the lines of short texts; it never goes outside the home.
//!
//! | kind | what it is |
//! |---|---|
//! | `file` | files that are there, by words of their names, their kind and their folder |
//! | `text-file` | one that can be read out |
//! | `folder`, `other-folder` | a folder that is there; the second is where something goes |
//! | `list` | a text that holds a thing a line |
//! | `new-list` | a list by its name, also one that is not there yet |
//! | `line`, `open-line` | a line that stands on a list; the second has a box that is not ticked |
//! | `new-lines` | things that are to be written down, one a line |
//! | `said-text` | a text that is dictated |
//! | `new-folder`, `new-file` | a place that is not there yet |
//! | `new-path` | the same, written out with its ending |
//! | `same-folder` | the folder of the file that is spoken of |
//! | `file-name` | the name a file gets |

use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use serde_json::{Value, json};

use super::{
    Asking, Matter, Meant, Resolver, fresh, lines,
    names::{Likeness, Name, Names, is_near},
    place_among,
};
use crate::{
    domain::{
        dialogue::{FILE, LIST},
        fold::fold,
        frame::SlotRole,
        lang::Lang,
        message::Message,
    },
    language::{
        FactKind, Home, Language,
        outline::{Sign, Word},
    },
};

/// The kinds of things it knows.
const KINDS: [&str; 15] = [
    "file",
    "text-file",
    "folder",
    "other-folder",
    "list",
    "new-list",
    "line",
    "open-line",
    "new-lines",
    "said-text",
    "new-folder",
    "new-file",
    "new-path",
    "same-folder",
    "file-name",
];
/// Files that one change may mean by words of their names.
const MEANT_MAX: usize = 20;

/// The files of one home.
pub struct Files<'a> {
    root: PathBuf,
    language: &'a Language,
    lang: Lang,
    home: Arc<Home>,
    /// Made when something is first asked.
    names: OnceLock<Names>,
}

impl<'a> Files<'a> {
    /// Those of a person, whose home is at `root`.
    pub fn new(root: PathBuf, home: Arc<Home>, language: &'a Language, lang: Lang) -> Self {
        Self {
            root,
            home,
            names: OnceLock::new(),
            language,
            lang,
        }
    }

    /// Where lists are kept that have no other place, below the root.
    pub(super) fn notes(&self) -> Option<String> {
        self.language.notes_at(&self.home, self.lang)
    }

    pub(super) fn names(&self) -> &Names {
        let names = || Names::of(&self.home, self.language, self.lang);
        self.names.get_or_init(names)
    }

    /// Whether a text is called by one of these words: a list by that name may be meant.
    pub(crate) fn has_text_of(&self, stems: &[&str]) -> bool {
        let is_called = |name: &Name| name.own.iter().any(|own| stems.iter().any(|stem| is_near(own, stem)));
        self.names().files.iter().any(|name| name.is_text() && is_called(name))
    }

    /// The one file that some of these words name best, and whether it can be read out.
    fn named_best(&self, words: &[Word]) -> Option<(String, bool)> {
        let all: Vec<usize> = (0..words.len()).collect();
        let likeness = |name: &Name| (name.likeness(words, &all), name.path.clone(), name.is_text());
        let mut found: Vec<(Likeness, String, bool)> = self.names().files.iter().map(likeness).collect();
        found.retain(|(like, ..)| !like.own.is_empty());
        found.sort_by_key(|(like, path, _)| (std::cmp::Reverse(like.weight()), path.clone()));
        let is_only = match found.as_slice() {
            [(best, ..), (second, ..), ..] => second.weight() < best.weight(),
            _ => true,
        };
        let (_, path, is_text) = found.into_iter().next().filter(|_| is_only)?;
        Some((path, is_text))
    }

    /// The one file whose name is a slip of the finger away from that of a path which is not there, in its folder
    /// before any other.
    fn near_path(&self, path: &str) -> Option<String> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parts = |name: &str| {
            let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
            (fold(stem), ending.to_lowercase())
        };
        let (stem, ending) = parts(name);
        let near = |file: &&Name| {
            let own = file.path.rsplit('/').next().unwrap_or_default();
            let (own, own_ending) = parts(own);
            (ending.is_empty() || own_ending == ending) && is_near(&own, &stem)
        };
        let near: Vec<&Name> = self.names().files.iter().filter(near).collect();
        let is_beside = |file: &&&Name| file.path.rsplit_once('/').is_some_and(|(own, _)| own == folder);
        let beside: Vec<&Name> = near.iter().filter(is_beside).copied().collect();
        match if beside.is_empty() { near } else { beside }.as_slice() {
            [only] => Some(only.path.clone()),
            _ => None,
        }
    }

    /// The telling words of a name.
    pub(super) fn stems(&self, name: &str) -> Vec<String> {
        self.language.telling_stems(name, self.lang)
    }

    pub(super) fn folder(&self, asking: &Asking<'_>) -> Option<Meant> {
        if let Some((at, path)) = literal_path(asking) {
            let is_there = self
                .names()
                .folders
                .iter()
                .any(|name| name.path == path.trim_end_matches('/'));
            return is_there.then(|| Meant::by(json!(path.trim_end_matches('/')), vec![at], true));
        }
        let mut found: Vec<(usize, Likeness, &Name)> = self
            .names()
            .folders
            .iter()
            .map(|name| (name, name.likeness(asking.words, &asking.own)))
            .filter(|(_, like)| !like.own.is_empty())
            .map(|(name, like)| (like.weight(), like, name))
            .collect();
        // Of two that are named as well, the higher one is meant: "photos" is not a photos below another folder.
        found.sort_by_key(|(weight, _, name)| (std::cmp::Reverse(*weight), name.path.matches('/').count()));
        let (weight, like, name) = found.first()?;
        let depth = name.path.matches('/').count();
        let rivals = found
            .iter()
            .skip(1)
            .filter(|(other, _, rival)| other == weight && rival.path.matches('/').count() == depth);
        (rivals.count() == 0).then(|| Meant::by(json!(name.path), like.words().collect(), like.is_whole))
    }

    /// Files by words: the best of them, or all that are as good where several are spoken of.
    fn files(&self, asking: &Asking<'_>, is_text: bool) -> Option<Meant> {
        let says_which = |at: &usize| {
            asking
                .words
                .get(*at)
                .is_some_and(|word| word.literal.is_some() || names_something(word))
        };
        if asking.slot.role == SlotRole::What && !asking.own.iter().any(says_which) {
            // "The old draft, the one to the landlord, can be deleted" names it before the deed.
            let first = asking.clause.first().copied().unwrap_or_default();
            let before: Vec<usize> = asking.free.iter().copied().filter(|at| *at < first).collect();
            let found = self.named_among(asking, &before, is_text).map(unsure);
            if found.is_some() || !asking.points {
                return found;
            }
        }
        self.files_among(asking, &asking.own, is_text)
    }

    fn files_among(&self, asking: &Asking<'_>, among: &[usize], is_text: bool) -> Option<Meant> {
        if path_among(asking, among).is_none()
            && asking.points
            && !view(asking).is_empty()
            && !among.iter().filter_map(|at| asking.words.get(*at)).any(names_something)
        {
            return Some(Meant::by(json!(view(asking)), Vec::new(), view(asking).len() == 1));
        }
        self.named_among(asking, among, is_text)
    }

    /// The same by names alone, whatever is in view.
    fn named_among(&self, asking: &Asking<'_>, among: &[usize], is_text: bool) -> Option<Meant> {
        if let Some((at, path)) = path_among(asking, among) {
            let first = self.by_literal(asking, at, &path)?;
            return Some(self.with_others(asking, first, at));
        }
        let scope = asking.filled_with("folder").and_then(Value::as_str);
        let mut found: Vec<(usize, Likeness, &Name)> = self
            .names()
            .below(scope)
            .filter(|name| !is_text || name.is_text())
            .map(|name| (name, name.likeness(asking.words, among)))
            .filter(|(_, like)| !like.own.is_empty() || scope.is_some() && !like.kind.is_empty())
            .map(|(name, like)| (like.weight(), like, name))
            .collect();
        found.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.2.path.cmp(&other.2.path)));
        let best = found.first()?.0;
        let tied: Vec<&(usize, Likeness, &Name)> = found.iter().take_while(|(weight, _, _)| *weight == best).collect();
        let is_many = among.iter().filter_map(|at| asking.words.get(*at)).any(says_many);
        let wanted = number_said(asking);
        let fits = match wanted {
            Some(number) => tied.len() == number,
            None => tied.len() == 1 || is_many,
        };
        if !fits || tied.len() > MEANT_MAX {
            return None;
        }
        let paths: Vec<&str> = tied.iter().map(|(_, _, name)| name.path.as_str()).collect();
        let mut words: Vec<usize> = tied.iter().flat_map(|(_, like, _)| like.words()).collect();
        words.sort_unstable();
        words.dedup();
        let is_sure = tied.len() == 1 && tied.iter().all(|(_, like, _)| like.is_whole);
        Some(Meant::by(json!(paths), words, is_sure))
    }

    /// "~/1.jpg, ~/2.jpg and ~/3.jpg": paths that are written out one after the other are meant together.
    fn with_others(&self, asking: &Asking<'_>, mut all: Meant, mut last: usize) -> Meant {
        let is_joint = |word: &Word| word.mark == Some(',') || word.may_be(&Sign::Connector);
        let joins = |at: &usize| asking.words.get(*at).is_some_and(is_joint);
        while let Some(joint) = (last + 1..asking.words.len()).take_while(joins).last()
            && let Some((at, path)) = path_among(asking, &[joint + 1])
            && let Some(Value::Array(paths)) = self.by_literal(asking, at, &path).map(|other| other.value)
            && let Value::Array(known) = &mut all.value
        {
            known.extend(paths);
            all.words.push(at);
            last = at;
        }
        all
    }

    fn by_literal(&self, asking: &Asking<'_>, at: usize, path: &str) -> Option<Meant> {
        let scope = asking.filled_with("folder").and_then(Value::as_str);
        let is_there = |name: &&Name| name.path == path || !path.contains('/') && name.is_called(path);
        let found: Vec<&Name> = self.names().below(scope).filter(is_there).collect();
        match found.as_slice() {
            [only] => Some(Meant::by(json!([only.path]), vec![at], true)),
            _ => None,
        }
    }

    /// A list by its name; one that is only pointed at, by a word of the message that names it.
    fn list(&self, asking: &Asking<'_>) -> Option<Meant> {
        if let Some((at, path)) = literal_path(asking) {
            let found = self.by_literal(asking, at, &path)?;
            let only = found.value.get(0)?.clone();
            return Some(Meant { value: only, ..found });
        }
        let texts: Vec<&Name> = self.names().files.iter().filter(|name| name.is_text()).collect();
        let best = |among: &[usize]| {
            let likeness = |name: &&Name| (name.likeness(asking.words, among), name.path.clone());
            let mut found: Vec<(Likeness, String)> = texts.iter().map(likeness).collect();
            found.retain(|(like, _)| !like.own.is_empty());
            found.sort_by_key(|(like, path)| (std::cmp::Reverse(like.weight()), path.clone()));
            let mut found = found.into_iter();
            let (like, path) = found.next()?;
            let is_only = found.next().is_none_or(|(other, _)| other.weight() < like.weight());
            is_only.then_some((like, path))
        };
        let says_list = |at: &usize| {
            let word = asking.words.get(*at);
            word.is_some_and(|word| word.may_be(&Sign::List))
        };
        let mut clause = asking.clause.iter();
        // "Delete the old draft" takes no line off a list: that a list is meant is said.
        let says_so = asking.is_led || asking.slot.role == SlotRole::What || clause.any(says_list);
        if let Some((like, path)) = best(&asking.own).filter(|_| says_so) {
            return Some(Meant::by(json!(path), like.words().collect(), like.is_whole));
        }
        let led = asking
            .own
            .iter()
            .find(|at| says_list(at))
            .filter(|_| asking.is_led)
            .copied();
        if led.is_none() && !asking.points {
            return None;
        }
        // "The list of the others" is another one.
        let names_another = |at: &usize| {
            let word = asking.words.get(*at);
            word.is_some_and(|word| names_something(word) && !says_list(at))
        };
        let is_other = asking.is_led && asking.own.iter().any(names_another);
        if let [only] = view(asking)
            && !is_other
        {
            return Some(Meant::by(json!(only), led.into_iter().collect(), false));
        }
        let (like, path) = best(&asking.free)?;
        Some(Meant::by(
            json!(path),
            led.into_iter().chain(like.words()).collect(),
            false,
        ))
    }

    fn line(&self, asking: &Asking<'_>, is_open: bool) -> Option<Meant> {
        let list = asking.filled_with("list").and_then(Value::as_str);
        let tongue = (self.language, self.lang);
        let of = |among: &[usize]| lines::line(&self.root, self.names(), (list, is_open), tongue, asking.words, among);
        let is_led = asking.is_led || asking.slot.role == SlotRole::What;
        let own = is_led.then(|| of(&asking.own)).flatten();
        // "The gas bill is paid, tick that one off" names it outside of the clause.
        let points = asking.points && asking.slot.role == SlotRole::What;
        let elsewhere = || points.then(|| of(&asking.free).map(unsure)).flatten();
        let by_place = || {
            let among = if points { &asking.free } else { &asking.own };
            let place = place_among(asking, among).filter(|_| asking.slot.role == SlotRole::What)?;
            let [seen] = view(asking) else { return None };
            lines::at(&self.root, list.unwrap_or(seen), asking, place)
        };
        own.or_else(elsewhere).or_else(by_place)
    }

    fn same_folder(asking: &Asking<'_>) -> Option<Meant> {
        let files = asking.filled_with("file")?;
        let first = files.get(0).or(Some(files)).and_then(Value::as_str)?;
        let (folder, _) = first.rsplit_once('/')?;
        Some(Meant::by(json!(folder), Vec::new(), true))
    }

    /// A name for a file, with the ending of the one that gets it.
    fn file_name(asking: &Asking<'_>) -> Option<Meant> {
        let file = asking.filled_with("file")?;
        let old = file.get(0).or(Some(file)).and_then(Value::as_str)?;
        let ending = old
            .rsplit('/')
            .next()?
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_owned());
        // "Call it …" is said; "to x.txt" too. What nothing leads to is no new name.
        if !asking.is_led && asking.slot.role == SlotRole::Named {
            return None;
        }
        if let Some((at, path)) = literal_path(asking) {
            let written = asking
                .written(&asking.own)
                .filter(|_| asking.is_led && asking.own.last() == Some(&at));
            let (name, words) = match written {
                Some(written) => (written, asking.own.clone()),
                None => (path.as_str(), vec![at]),
            };
            return (!name.contains('/')).then(|| Meant::by(json!(name), words, true));
        }
        let (name, words) = fresh::new_name(asking)?;
        let full = match ending {
            Some(ending) if !name.contains('.') => format!("{name}.{ending}"),
            Some(_) | None => name,
        };
        Some(Meant::by(json!(full), words, true))
    }
}

impl Resolver for Files<'_> {
    fn knows(&self, kind: &str) -> bool {
        KINDS.contains(&kind)
    }

    fn near_id(&self, id: &str) -> Option<String> {
        self.near_path(id)
    }

    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        match asking.slot.kind.as_str() {
            "file" => self.files(asking, false),
            "text-file" => self.files(asking, true),
            "folder" | "other-folder" => self.folder(asking),
            "list" => self.list(asking),
            "new-list" => self.new_list(asking),
            "line" => self.line(asking, false),
            "open-line" => self.line(asking, true),
            "new-lines" => lines::new_lines(asking),
            "said-text" => lines::said_text(asking),
            "new-folder" => self.new_place(asking, false).map(|meant| Meant {
                value: json!([meant.value]),
                ..meant
            }),
            "new-file" => self.new_place(asking, true),
            "new-path" => self.new_path(asking),
            "same-folder" => Self::same_folder(asking),
            "file-name" => Self::file_name(asking),
            _ => None,
        }
    }

    fn matter(&self, words: &[Word], among: &[usize]) -> Option<Matter> {
        lines::matter(&self.root, self.names(), (self.language, self.lang), words, among)
    }

    fn nearest(&self, words: &[Word]) -> Option<Message> {
        let (path, is_text) = self.named_best(words)?;
        let key = if is_text { "nearest-read" } else { "nearest-find" };
        Some(Message::new(key).with("path", path))
    }
}

/// The same, where something else could be meant.
fn unsure(meant: Meant) -> Meant {
    Meant {
        is_sure: false,
        ..meant
    }
}

/// The files the person has before them.
fn view<'a>(asking: &Asking<'a>) -> &'a [String] {
    let list = asking.view.touched.of(LIST);
    list.or_else(|| asking.view.pointed(FILE))
        .map_or(&[][..], |files| files.ids.as_slice())
}

/// The path that a slot's words write out.
fn literal_path(asking: &Asking<'_>) -> Option<(usize, String)> {
    path_among(asking, &asking.own)
}

pub(super) fn path_among(asking: &Asking<'_>, among: &[usize]) -> Option<(usize, String)> {
    let is_taken = |at: usize| asking.filled.iter().any(|filled| filled.words.contains(&at));
    among
        .iter()
        .find_map(|at| match asking.words.get(*at)?.literal.as_ref()? {
            (FactKind::Path, path) if !is_taken(*at) => Some((*at, path.clone())),
            _ => None,
        })
}

/// Whether a word may be part of a name.
fn names_something(word: &Word) -> bool {
    let says_deed = word.deeds().next().is_some();
    word.is_content() && !word.is_rest && !says_deed
}

fn says_many(word: &Word) -> bool {
    word.signs
        .iter()
        .any(|(sign, _)| matches!(sign, Sign::All | Sign::Both | Sign::Many))
}

/// How many files are spoken of.
fn number_said(asking: &Asking<'_>) -> Option<usize> {
    let own = asking.own.iter().filter_map(|at| asking.words.get(*at));
    let mut own = own.filter(|word| !word.is_time);
    own.find_map(|word| {
        if word.may_be(&Sign::Both) {
            return Some(2);
        }
        word.fold.parse().ok().filter(|number| (2..=MEANT_MAX).contains(number))
    })
}
