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
        let mut places = std::mem::take(&mut scan.places);
        let goes_on = scan.is_joint(0);
        let alone = positions::alone(&scan).filter(|_| places.is_empty());
        // "how big is the first?", "and the second?"
        if let (Some((_, place)), Some(spoken), true) = (&alone, spoken, goes_on) {
            return Some(before.replacen(spoken.as_str(), listed.at(*place)?, 1));
        }
        let alone = alone.filter(|_| !goes_on);
        let is_bare = alone.is_some();
        if places.is_empty() {
            places.extend(alone.or_else(|| positions::asked(&scan)));
        }
        if places.is_empty() {
            return self.refer(text, lang, std::slice::from_ref(spoken?), Tie::Following);
        }
        let edits = places.into_iter().map(|(range, place)| {
            let path = listed.at(place).filter(|path| !path.contains('"'))?;
            Some((span_of(&scan, &range)?, quoted(path)))
        });
        let whole = edited(text, edits.collect::<Option<Vec<_>>>()?);
        Some(if is_bare {
            format!("{} {whole}", self.lexicon(lang).show)
        } else {
            whole
        })
    }
}

/// Where the words for a place stand, their article included.
fn span_of(scan: &Scan<'_>, range: &Range<usize>) -> Option<Range<usize>> {
    let before = range.start.checked_sub(1);
    let first = before.filter(|at| scan.is_definite_article(*at)).unwrap_or(range.start);
    Some(scan.segments.get(first)?.span.start..scan.segments.get(range.end.checked_sub(1)?)?.span.end)
}
