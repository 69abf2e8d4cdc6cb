//! Which files of the home a phrase can stand for. Asked by `known`; it never chooses between two that fit alike.

use super::phrase::{Phrase, pieces};
use crate::home::Home;
use metnos_domain::{alike::is_same, limits};

/// Endings of files that hold lines of text.
const TEXTS: [&str; 6] = ["txt", "md", "markdown", "text", "org", "list"];

/// Endings of files in which nothing is written: pictures, films, music, archives and programs.
const NOT_WRITTEN: [&str; 24] = [
    "jpg", "jpeg", "png", "gif", "webp", "heic", "bmp", "tiff", "svg", "mp4", "mkv", "avi", "mov", "webm", "mp3",
    "wav", "flac", "ogg", "m4a", "zip", "tar", "gz", "7z", "exe",
];
/// The word for a file of any kind, in every language.
const ANY_FILE: &str = "file";

/// A file of the home.
pub(super) struct File {
    /// Written with `~/`.
    path: String,
    /// Its folder.
    folder: String,
    /// The words of its name, without the ending.
    words: Vec<String>,
    /// The words of the folder it is in.
    around: Vec<String>,
    /// Its ending in lower case.
    ending: String,
}

impl File {
    fn of(path: &str) -> Self {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("~", path));
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        Self {
            words: pieces(stem),
            around: pieces(folder.rsplit('/').next().unwrap_or_default()),
            ending: ending.to_lowercase(),
            folder: folder.to_owned(),
            path: path.to_owned(),
        }
    }

    pub(super) fn is_text(&self) -> bool {
        self.ending.is_empty() || TEXTS.contains(&self.ending.as_str())
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn has_ending(&self, ending: &str) -> bool {
        self.ending == ending
    }

    /// In this folder, and not below it.
    pub(super) fn is_directly_in(&self, folder: &str) -> bool {
        self.folder == folder.trim_end_matches('/')
    }

    /// In this folder, or below it.
    pub(super) fn is_in(&self, folder: &str) -> bool {
        let folder = folder.trim_end_matches('/');
        self.folder == folder
            || self
                .folder
                .strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
    }
}

/// Every file of the home; none when nothing is known of it.
pub(super) fn all(home: &Home) -> Vec<File> {
    home.files().iter().map(|path| File::of(path)).collect()
}

/// The folder in which all files with these endings lie.
pub(super) fn only_folder(files: &[File], endings: &[String]) -> Option<String> {
    let mut folders = files
        .iter()
        .filter(|file| endings.contains(&file.ending))
        .map(|file| &file.folder);
    let first = folders.next()?;
    folders.all(|folder| folder == first).then(|| first.clone())
}

/// What fits.
pub(super) enum Found {
    None,
    /// `is_whole` when the words are the whole name, `is_called_so` when the name has no other, in any form.
    /// `is_of_many` when they speak of several such things.
    One {
        path: String,
        is_whole: bool,
        is_called_so: bool,
        is_of_many: bool,
    },
    /// `are_meant` when the words say that several are.
    Several {
        paths: Vec<String>,
        are_meant: bool,
    },
}

/// How well a name fits: worse first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// Every word in some form.
    Alike,
    /// Every word as it is.
    Exact,
    /// Those words and no other.
    Whole,
}

/// The files whose names hold every word of the phrase. One: the only one of those that fit best. Several: those in one
/// folder, when several are meant.
pub(super) fn find(phrase: &Phrase, files: &[&File]) -> Found {
    let fitting: Vec<(Fit, &File)> = files
        .iter()
        .filter_map(|file| Some((fit(phrase, file)?, *file)))
        .collect();
    let Some(best) = fitting.iter().map(|(fit, _)| *fit).max() else {
        return Found::None;
    };
    let are_meant = says_several(phrase, &fitting);
    let wanted = |(fit, _): &&(Fit, &File)| are_meant || *fit == best;
    let chosen: Vec<&File> = fitting.iter().filter(wanted).map(|(_, file)| *file).collect();
    match chosen.as_slice() {
        [] => Found::None,
        [one] => Found::One {
            path: one.path.clone(),
            is_whole: best == Fit::Whole,
            is_called_so: one.words.len() == phrase.wanted.iter().map(Vec::len).sum::<usize>(),
            is_of_many: speaks_of_many(phrase, one),
        },
        [first, rest @ ..] => {
            // Things of one kind in two folders are two heaps: which one is meant is not ours to say.
            if are_meant && rest.iter().any(|file| file.folder != first.folder) {
                return Found::None;
            }
            Found::Several {
                paths: chosen.iter().map(|file| file.path.clone()).collect(),
                are_meant,
            }
        }
    }
}

/// "the invoices": the words say that several are meant, by themselves or beside the names they stand for.
fn says_several(phrase: &Phrase, fitting: &[(Fit, &File)]) -> bool {
    let more = |word: &str, said: &str| said.strip_suffix('s').is_some_and(|one| word == one);
    phrase.is_several
        || phrase
            .wanted
            .last()
            .and_then(|pieces| pieces.last())
            .is_some_and(|said| {
                fitting.len() > 1
                    && fitting
                        .iter()
                        .all(|(_, file)| file.words.iter().any(|word| more(word, said)))
            })
}

/// A pattern for the names of all files that fit, wherever they lie: to leave out one too many does no harm.
pub(super) fn names(phrase: &Phrase, files: &[&File]) -> Option<String> {
    let fitting = files.iter().filter(|file| fit(phrase, file).is_some());
    let mut names: Vec<&str> = fitting.filter_map(|file| file.path.rsplit('/').next()).collect();
    names.sort_unstable();
    names.dedup();
    let plain = |name: &&str| !name.contains(['{', '}', ',', '*', '?', '[', ']']);
    match names.as_slice() {
        [] => None,
        _ if !names.iter().all(plain) || names.len() > limits::NAMED_FILES_MAX => None,
        [one] => Some((*one).to_owned()),
        several => Some(format!("{{{}}}", several.join(","))),
    }
}

/// The first word is the name's in another form, and stands for more than one.
fn speaks_of_many(phrase: &Phrase, file: &File) -> bool {
    let head = phrase.wanted.first().and_then(|pieces| pieces.first());
    let is_other_form = |head: &String| !file.words.contains(head) && !file.around.contains(head);
    let more = |head: &String| {
        head.strip_suffix('s')
            .is_some_and(|one| file.words.iter().any(|word| word == one))
    };
    head.is_some_and(|head| is_other_form(head) && (phrase.is_several || more(head)))
}

fn fit(phrase: &Phrase, file: &File) -> Option<Fit> {
    if !phrase.endings.is_empty() && !phrase.endings.contains(&file.ending) {
        return None;
    }
    // "the beach notes" are no picture of the beach.
    let is_written = phrase.optional.iter().any(|word| word != ANY_FILE);
    if is_written && NOT_WRITTEN.contains(&file.ending.as_str()) {
        return None;
    }
    let mut exact = true;
    let mut own = 0;
    for (pieces, others) in phrase.wanted.iter().zip(&phrase.others) {
        let joined = pieces.concat();
        let is =
            |words: &[String], piece: &str, same: fn(&str, &str) -> bool| words.iter().any(|word| same(word, piece));
        let equal: fn(&str, &str) -> bool = |one, other| one == other;
        let says = |words: &[String], same: fn(&str, &str) -> bool| {
            pieces.iter().all(|piece| is(words, piece, same)) || is(words, &joined, same)
        };
        if says(&file.words, equal) {
            own += pieces.len();
        } else if says(&file.words, is_same) || others.iter().any(|other| is(&file.words, other, is_same)) {
            exact = false;
            own += pieces.len();
        } else if says(&file.around, is_same) {
            exact = false;
        } else {
            return None;
        }
    }
    if own == 0 {
        return None;
    }
    let wanted: Vec<&String> = phrase.wanted.iter().flatten().collect();
    let joined: Vec<String> = phrase.wanted.iter().map(|pieces| pieces.concat()).collect();
    let whole = file
        .words
        .iter()
        .all(|word| wanted.contains(&word) || joined.contains(word) || phrase.optional.contains(word));
    Some(match (exact, whole) {
        (true, true) => Fit::Whole,
        (true, false) => Fit::Exact,
        (false, _) => Fit::Alike,
    })
}
