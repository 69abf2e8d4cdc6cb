//! A message that begins with the word for taking back: what of it says how many changes, what names one of them, and
//! what is another request. Asked by `patterns` first of all, since taking back is safety. It only reads: whether a
//! named change is the last one is for `dispatch` to look up, and nothing here may guess it.

use std::collections::HashSet;

use serde::Deserialize;

use crate::language::spoken::spoken;

/// Most turns that are taken back at once.
const TURNS_MAX: u8 = 20;

/// The words of one language (`[undo]` in `patterns.toml`).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    first: Vec<String>,
    /// Pronouns that such a word may end with: «ripristinala».
    pronouns: Vec<String>,
    before: Vec<String>,
    after_no: Vec<String>,
    empty: Vec<String>,
    all: Vec<String>,
    twice: Vec<String>,
    last: Vec<String>,
    counted: Vec<String>,
    numbers: Vec<String>,
    about: Vec<String>,
    joints: Vec<String>,
    refused: Vec<String>,
    reasons: Vec<String>,
    kinds: Vec<Kind>,
}

/// A kind of change, as people call it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// "move", "moving", "spostamento".
    words: Vec<String>,
    /// Verbs of the executors that make such a change.
    verbs: Vec<String>,
}

/// What is named of a change that is to be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    kinds: Vec<Kind>,
    /// Words, and names of files as they were written.
    names: Vec<String>,
    /// It speaks of changes, and so of what metnos did.
    about_changes: bool,
}

/// A change as far as words can name it.
#[derive(Debug, Default)]
pub struct Described {
    words: HashSet<String>,
    paths: Vec<String>,
    verbs: Vec<String>,
}

impl Described {
    /// From the request that led to it, the paths it touched and the verbs of its executors.
    pub fn new<'a>(request: &str, paths: impl Iterator<Item = &'a str>, verbs: Vec<String>) -> Self {
        let paths: Vec<String> = paths.map(str::to_lowercase).collect();
        let mut words: HashSet<String> = pieces(request).into_iter().map(|piece| piece.fold).collect();
        for path in &paths {
            let name = path.rsplit('/').next().unwrap_or_default();
            words.insert(name.to_owned());
            words.extend(spoken(name).into_iter().map(|word| word.fold));
        }
        words.extend(spoken(request).into_iter().map(|word| word.fold));
        Self { words, paths, verbs }
    }

    fn has(&self, name: &str) -> bool {
        let below = format!("/{}", name.trim_start_matches("~/"));
        self.words.contains(name) || name.contains('/') && self.paths.iter().any(|path| path.ends_with(&below))
    }

    fn is(&self, kind: &Kind) -> bool {
        kind.words.iter().any(|word| self.words.contains(word))
            || kind.verbs.iter().any(|verb| self.verbs.contains(verb))
    }
}

impl Named {
    /// Whether all that is named is true of this change.
    pub fn fits(&self, change: &Described) -> bool {
        self.kinds.iter().all(|kind| change.is(kind)) && self.names.iter().all(|name| change.has(name))
    }

    /// Whether it can only be meant of changes, whichever they are.
    pub fn is_about_changes(&self) -> bool {
        self.about_changes
    }
}

/// What a message takes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Undoing {
    /// So many of the last turns, and nothing else.
    Last(u8),
    /// So many of the last turns; this, or all that was ever changed, is asked for besides.
    Part(u8, Option<String>),
    /// A change that is named.
    Named(Named),
}

impl Undoing {
    /// Of two languages' readings the one that leaves less open counts.
    pub(super) fn open(&self) -> usize {
        match self {
            Self::Last(_) => 0,
            Self::Part(..) => 1,
            Self::Named(named) => 2 + named.names.len(),
        }
    }
}

/// A word, or a name with dots or slashes in it, as it is compared.
struct Piece {
    fold: String,
    /// Where it begins in the message.
    from: usize,
    /// A comma or another stop stands before it.
    after_stop: bool,
}

impl Words {
    /// What a message takes back, if it begins with the word for it, or with a start and then that word.
    pub(super) fn read(&self, text: &str) -> Option<Undoing> {
        let pieces = pieces(text);
        let mut said = pieces.as_slice();
        while let Some(rest) = self
            .before
            .iter()
            .filter_map(|form| after(said, form))
            .min_by_key(|rest| rest.len())
        {
            said = rest;
        }
        // "no, undo the last two" takes back; "no undo needed" does not.
        if let Some(rest) = after(said, "no")
            && self.after_no.iter().any(|form| after(rest, form).is_some())
        {
            said = rest;
        }
        let (first, said) = said.split_first()?;
        if !self.begins(first) || self.refused.iter().any(|form| after(said, form).is_some()) {
            return None;
        }
        if let Some(turns) = self.turns(said) {
            return Some(turns);
        }
        let joined = (0..said.len()).find_map(|at| self.other_request(text, said, at));
        match joined {
            Some((_, None)) => None,
            Some((turns, Some(rest))) => Some(turns.besides(rest)),
            None => Some(Undoing::Named(self.named(said))),
        }
    }

    fn begins(&self, word: &Piece) -> bool {
        let mut stems = self
            .pronouns
            .iter()
            .filter_map(|pronoun| word.fold.strip_suffix(pronoun.as_str()));
        is_in(&self.first, word) || stems.any(|stem| self.first.iter().any(|own| own == stem))
    }

    /// How many turns words take back that name nothing.
    fn turns(&self, said: &[Piece]) -> Option<Undoing> {
        let is_open = |piece: &&Piece| {
            ![&self.empty, &self.all, &self.first, &self.joints, &self.twice]
                .iter()
                .any(|list| is_in(list, piece))
        };
        let open: Vec<&Piece> = said.iter().filter(is_open).collect();
        let has = |list: &[String]| said.iter().any(|piece| is_in(list, piece));
        match open.as_slice() {
            [] if has(&self.all) => Some(Undoing::Part(1, None)),
            [] if has(&self.twice) => Some(Undoing::Last(2)),
            [] => Some(Undoing::Last(1)),
            [number] if has(&self.last) || has(&self.counted) => {
                let named = self.numbers.iter().position(|word| *word == number.fold);
                let count = number.fold.parse().ok().or_else(|| u8::try_from(named? + 1).ok());
                count.filter(|count| (1..=TURNS_MAX).contains(count)).map(Undoing::Last)
            }
            _ => None,
        }
    }

    /// Where "and" or a stop parts words that name nothing from what follows: how many turns, and the other request;
    /// without one when what follows takes the word back.
    fn other_request(&self, text: &str, said: &[Piece], at: usize) -> Option<(Undoing, Option<String>)> {
        let (before, from) = said.split_at_checked(at)?;
        let joint = from.first()?;
        let is_joint = is_in(&self.joints, joint);
        if !is_joint && !joint.after_stop {
            return None;
        }
        let turns = self.turns(before)?;
        let rest = from.get(usize::from(is_joint)..)?;
        if self.refused.iter().any(|form| after(rest, form).is_some()) {
            return Some((turns, None));
        }
        let first = rest.first()?;
        if self.reasons.iter().any(|form| after(rest, form).is_some()) {
            return Some((turns, Some(String::new())));
        }
        let words = text
            .get(first.from..)?
            .trim_end_matches(|sign: char| sign.is_whitespace() || is_stop(sign));
        Some((turns, Some(words.to_owned())))
    }

    fn named(&self, said: &[Piece]) -> Named {
        let mut named = Named {
            kinds: Vec::new(),
            names: Vec::new(),
            about_changes: false,
        };
        for piece in said {
            named.about_changes |= is_in(&self.about, piece);
            match self.kinds.iter().find(|kind| is_in(&kind.words, piece)) {
                Some(kind) => named.kinds.push(kind.clone()),
                None if is_in(&self.empty, piece) => {}
                None => named.names.push(piece.fold.clone()),
            }
        }
        named.about_changes |= !named.kinds.is_empty();
        named
    }
}

impl Undoing {
    fn besides(self, rest: String) -> Self {
        match self {
            Self::Last(turns) if !rest.is_empty() => Self::Part(turns, Some(rest)),
            Self::Last(_) | Self::Part(..) | Self::Named(_) => self,
        }
    }
}

fn is_in(list: &[String], piece: &Piece) -> bool {
    list.contains(&piece.fold)
}

/// What follows a phrase that these words begin with.
fn after<'p>(said: &'p [Piece], form: &str) -> Option<&'p [Piece]> {
    form.split(' ').try_fold(said, |said, word| {
        let (first, rest) = said.split_first()?;
        (first.fold == word).then_some(rest)
    })
}

fn is_stop(sign: char) -> bool {
    matches!(sign, ',' | ';' | '.' | ':' | '!' | '?' | '…' | '–' | '—' | '-')
}

/// The words of a message. What has a dot, a slash or a digit inside is one name.
fn pieces(text: &str) -> Vec<Piece> {
    let quotes = ['"', '“', '”', '«', '»', '(', ')', '`'];
    let mut pieces = Vec::new();
    let mut after_stop = false;
    let mut at = 0;
    for token in text.split_inclusive(char::is_whitespace) {
        let bare = token.trim_matches(|sign: char| sign.is_whitespace() || is_stop(sign) || quotes.contains(&sign));
        let from = at + token.find(bare).unwrap_or_default();
        at += token.len();
        after_stop |= text
            .get(at - token.len()..from)
            .is_some_and(|head| head.contains(is_stop));
        if !bare.is_empty() {
            let is_name = bare.contains(['.', '/']) || bare.contains(|sign: char| sign.is_ascii_digit());
            let words = if is_name {
                vec![(bare.to_lowercase(), 0)]
            } else {
                spoken(bare)
                    .into_iter()
                    .map(|word| (word.fold, word.span.start))
                    .collect()
            };
            for (fold, start) in words {
                let from = from + start;
                pieces.push(Piece { fold, from, after_stop });
                after_stop = false;
            }
        }
        let tail = text.get(from + bare.len()..at).unwrap_or_default();
        after_stop |= tail.contains(is_stop);
    }
    pieces
}
