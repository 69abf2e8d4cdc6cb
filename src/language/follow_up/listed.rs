//! "open the second", "mandami l'ultimo", "the third one": one of the files that the answer before listed, as the person
//! counts them there. Called by `engine::follow_up` before anything is looked for again, since files come and go.

use std::ops::Range;

use jiff::Zoned;

use super::Language;
use crate::{
    domain::{lang::Lang, outcome::Listed},
    language::{
        positions,
        refer::{Tie, edited, quoted},
        scan::Scan,
        sense::Sense,
    },
};

impl Language {
    /// The message with the paths of the listed files in the place of the words for them; `None` when it speaks of
    /// none, or of one that was not listed.
    pub fn of_listed(&self, before: &str, listed: &Listed, text: &str, lang: Lang, now: &Zoned) -> Option<String> {
        if listed.paths.is_empty() {
            return None;
        }
        // "open the second", "delete it"
        let mut spoken = listed.paths.iter().filter(|path| before.contains(path.as_str()));
        let spoken = spoken.next().filter(|_| spoken.next().is_none());
        let mut scan = self.scan_of(text, lang, now);
        positions::positions(&mut scan);
        let bare = scan.places.is_empty().then(|| positions::alone(&scan)).flatten();
        // "how big is the first?", "and the second?"
        let goes_on = scan.is_joint(0);
        if let (Some((_, place)), Some(spoken), true) = (&bare, spoken, goes_on) {
            return Some(before.replacen(spoken.as_str(), listed.at(*place)?, 1));
        }
        let is_bare = bare.is_some() && !goes_on;
        let asked = || scan.places.is_empty().then(|| positions::asked(&scan)).flatten();
        let one = bare.filter(|_| is_bare).or_else(asked);
        if let (None, true, Some(path)) = (&one, scan.places.is_empty(), spoken) {
            return self.refer(text, lang, std::slice::from_ref(path), Tie::Following);
        }
        let places: Vec<(Range<usize>, i64)> = one.map_or_else(|| scan.places.clone(), |one| vec![one]);
        let edits = places.into_iter().map(|(range, place)| {
            let path = listed.at(place).filter(|path| !path.contains('"'))?;
            Some((span_of(&scan, &range)?, quoted(path)))
        });
        let edits = edits.collect::<Option<Vec<_>>>().filter(|edits| !edits.is_empty())?;
        let whole = edited(text, edits);
        Some(if is_bare {
            format!("{} {whole}", self.lexicon(lang).show)
        } else {
            whole
        })
    }
}

/// Where the words for a place stand, their article included.
fn span_of(scan: &Scan<'_>, range: &Range<usize>) -> Option<Range<usize>> {
    let article = |at: usize| scan.is_glue(at) && scan.is(at, &Sense::Definite);
    let first = range
        .start
        .checked_sub(1)
        .filter(|at| article(*at))
        .unwrap_or(range.start);
    Some(scan.segments.get(first)?.span.start..scan.segments.get(range.end.checked_sub(1)?)?.span.end)
}
