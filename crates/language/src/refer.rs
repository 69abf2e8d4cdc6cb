//! Says what "it" is when the answer lies outside the sentence: words that come with a file, or follow one, get its
//! path put in their place, so that every later layer reads a request that stands for itself. Called by the runtime.
//! It never guesses: a sentence that names something of its own before the pronoun is left alone.

use std::ops::Range;

use super::{
    FactKind, Language,
    home::Home,
    lexicon::Lexicon,
    scan::Scan,
    sense::{Role, Sense},
    token,
};
use metnos_domain::{
    lang::Lang,
    vocabulary::{Object, Verb},
};

/// How the words stand to the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// They came with the file: "the photo" is this one, and a place alone says where it goes.
    Caption,
    /// They came after it: only a pronoun points back.
    Following,
}

/// A piece of the text, and what stands there instead.
type Edit = (Range<usize>, String);

impl Language {
    /// The request with these paths in the place of "it"; `None` when it does not speak of them.
    pub fn refer(&self, text: &str, lang: Lang, paths: &[String], tie: Tie) -> Option<String> {
        let others = Lang::BUILT_IN.into_iter().filter(|other| *other != lang);
        std::iter::once(lang)
            .chain(others)
            .find_map(|lang| refer_in(text, self.lexicon(lang), &self.known, paths, tie))
    }

    /// Whether a text speaks of several things: "them", "questi".
    pub fn speaks_of_several(&self, text: &str, lang: Lang) -> bool {
        let tokens = token::tokens(text, &self.known, &Home::unknown(), None);
        let lexicon = self.lexicon(lang);
        let scan = Scan::new(text, &tokens, &[], lexicon);
        scan.segments.iter().any(|segment| {
            let pronoun = segment.senses.contains(&Sense::Anaphora) && !segment.senses.contains(&Sense::Stop);
            let ending = |ending: &String| segment.fold.ends_with(ending.as_str());
            pronoun && segment.fold.split(' ').any(|word| lexicon.several.contains(word))
                || segment.clitic && lexicon.several.iter().any(ending)
        })
    }
}

fn refer_in(
    text: &str,
    lexicon: &Lexicon,
    known: &std::collections::HashSet<String>,
    paths: &[String],
    tie: Tie,
) -> Option<String> {
    let tokens = token::tokens(text, known, &Home::unknown(), None);
    let scan = Scan::new(text, &tokens, &[], lexicon);
    let verb = (0..scan.segments.len()).find(|at| scan.sense(*at, Sense::verb).is_some())?;
    let kept = scan.segments.get(verb).filter(|segment| {
        let word = segment.fold.split(' ').next().unwrap_or_default();
        lexicon.keep.iter().any(|keep| word.starts_with(keep.as_str()))
    });
    let named = paths.iter().map(|path| quoted(path)).collect::<Vec<_>>();
    let named = named.join(&format!(" {} ", lexicon.joint));
    let mut edits: Vec<Edit> = Vec::new();
    match pointed_at(&scan, verb, tie)? {
        Pointer::Words(range) => edits.push((range, named)),
        Pointer::Ending => edits.push((end_of(&scan, verb)?, format!(" {named}"))),
        Pointer::Unsaid => edits.push((end_of(&scan, verb)?, format!(" {named}"))),
    }
    let spoken = scan.segments.get(verb)?;
    if kept.is_some() {
        // To keep a file somewhere is to move it there; written it is already.
        edits.push((spoken.span.clone(), lexicon.move_word.clone()));
    } else if spoken.clitic {
        edits.push((
            spoken.span.clone(),
            lexicon.without_pronoun(text.get(spoken.span.clone())?),
        ));
    }
    Some(edited(text, edits))
}

/// What in the sentence points at the file.
enum Pointer {
    /// These words.
    Words(Range<usize>),
    /// The pronoun at the end of the verb: "salvalo".
    Ending,
    /// Nothing: "save in ~/docs".
    Unsaid,
}

fn pointed_at(scan: &Scan<'_>, verb: usize, tie: Tie) -> Option<Pointer> {
    if scan.segments.get(verb)?.clitic {
        return Some(Pointer::Ending);
    }
    for at in verb + 1..scan.segments.len() {
        let segment = scan.segments.get(at)?;
        let literal = segment.fact.and_then(|fact| scan.facts.get(fact));
        let is_own = literal.is_some_and(|fact| matches!(fact.kind, FactKind::Path | FactKind::Url | FactKind::Glob));
        let second_verb = scan.sense(at, Sense::verb).is_some();
        if is_own && !matches!(scan.role_before(at), Some(Role::To | Role::In)) || second_verb {
            return None;
        }
        let anaphora = scan.is(at, &Sense::Anaphora) && !scan.is(at, &Sense::Stop);
        if anaphora || tie == Tie::Caption && is_file_noun(scan, at) {
            let first = if anaphora { at } else { article_before(scan, at) };
            let last = if anaphora && is_file_noun(scan, at + 1) {
                at + 1
            } else {
                at
            };
            let start = scan.segments.get(first)?.span.start;
            return Some(Pointer::Words(start..scan.segments.get(last)?.span.end));
        }
    }
    let puts = matches!(scan.sense(verb, Sense::verb), Some(Verb::Write | Verb::Move));
    (tie == Tie::Caption && puts).then_some(Pointer::Unsaid)
}

/// "file", "photo", "documento".
fn is_file_noun(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Object(Object::Files, None)) || scan.sense(at, Sense::globs).is_some()
}

fn article_before(scan: &Scan<'_>, at: usize) -> usize {
    match at.checked_sub(1) {
        Some(before) if scan.is_glue(before) && !scan.is_value(before) => before,
        Some(_) | None => at,
    }
}

fn end_of(scan: &Scan<'_>, at: usize) -> Option<Range<usize>> {
    let end = scan.segments.get(at)?.span.end;
    Some(end..end)
}

/// A path as a request can hold it.
pub(super) fn quoted(path: &str) -> String {
    if path.contains(char::is_whitespace) {
        format!("\"{path}\"")
    } else {
        path.to_owned()
    }
}

/// The text with every piece replaced, from the end so that places stay true.
pub(super) fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut whole = text.to_owned();
    for (range, words) in edits {
        whole.replace_range(range, &words);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_things_are_told_from_one() {
        let language = Language::embedded().unwrap();
        assert!(language.speaks_of_several("save them in ~/x", Lang::EN));
        assert!(language.speaks_of_several("spostali in ~/x", Lang::IT));
        assert!(!language.speaks_of_several("save it in ~/x", Lang::EN));
    }
}
