//! "open the second", "mandami l'ultimo", "the third one": one of the files that the answer before listed, as the person
//! counts them there. Called by `engine::follow_up` before anything is looked for again, since files come and go.

use std::ops::Range;

use jiff::Zoned;

use super::{Language, several};
use crate::{
    positions,
    refer::{Tie, edited, quoted},
    scan::Scan,
    sense::Sense,
};
use metnos_domain::{dialogue::Listed, lang::Lang};

impl Language {
    /// The message with the paths of the listed files in the place of the words for them; `None` when it speaks of
    /// none, or of one that was not listed.
    pub fn of_listed(&self, before: &str, listed: &Listed, text: &str, lang: Lang, now: &Zoned) -> Option<String> {
        if listed.ids.is_empty() {
            return None;
        }
        // "open the second", "delete it"
        let mut spoken = listed.ids.iter().filter(|path| before.contains(path.as_str()));
        let spoken = spoken.next().filter(|_| spoken.next().is_none());
        let mut scan = self.scan_of(text, lang, now);
        let several = several::several(&scan, listed);
        positions::positions(&mut scan);
        let mut places = std::mem::take(&mut scan.places);
        let goes_on = scan.is_joint(0);
        let alone = positions::alone(&scan).filter(|_| places.is_empty());
        // "how big is the first?", "and the second?"
        if let (Some((_, place)), Some(spoken), true) = (&alone, spoken, goes_on) {
            return Some(before.replacen(spoken.as_str(), listed.at(*place)?, 1));
        }
        let alone = alone.filter(|_| !goes_on);
        let is_of_several = |at: usize| several.iter().any(|(span, _)| span.contains(&at));
        places.retain(|(range, _)| !is_of_several(range.start));
        let beside = |at: usize| is_of_several(at) || scan.is_glue(at) || scan.is_break(at) || scan.is_joint(at);
        let only_several = !several.is_empty() && (0..scan.segments.len()).all(beside);
        let is_bare = alone.is_some() || only_several;
        // "all but the first" of a list that was cut
        let excepts = (0..scan.segments.len()).any(|at| scan.is(at, &Sense::Except) && !is_of_several(at));
        if only_several && goes_on || excepts {
            return None;
        }
        if places.is_empty() && several.is_empty() {
            places.extend(alone.or_else(|| positions::asked(&scan)));
        }
        if places.is_empty() && several.is_empty() {
            return self.refer(text, lang, std::slice::from_ref(spoken?), Tie::Following);
        }
        let ones = places
            .into_iter()
            .map(|(range, place)| Some((range, vec![listed.index(place)?])));
        let edits = several.into_iter().map(Some).chain(ones).map(|some| {
            let (range, places) = some?;
            Some((span_of(&scan, &range)?, self.named(listed, &places, lang)?))
        });
        let mut edits = edits.collect::<Option<Vec<_>>>()?;
        // "cancellali entrambi"
        let named: Vec<usize> = edits.iter().map(|(span, _)| span.start).collect();
        edits.extend(named.into_iter().filter_map(|start| self.bare_verb(&scan, start, lang)));
        let whole = edited(text, edits);
        Some(if is_bare {
            format!("{} {whole}", self.lexicon(lang).show)
        } else {
            whole
        })
    }
}

impl Language {
    /// The verb right before what begins there, without the pronoun at its end.
    fn bare_verb(&self, scan: &Scan<'_>, start: usize, lang: Lang) -> Option<(Range<usize>, String)> {
        let before = scan.segments.iter().rev().find(|own| own.span.end <= start)?;
        let verb = scan.original.get(before.span.clone()).filter(|_| before.clitic)?;
        Some((before.span.clone(), self.lexicon(lang).without_pronoun(verb)))
    }

    /// The paths at these places, as a request names them.
    fn named(&self, listed: &Listed, places: &[usize], lang: Lang) -> Option<String> {
        let paths = places.iter().map(|place| {
            let path = listed.ids.get(*place).filter(|path| !path.contains('"'));
            path.map(|path| quoted(path))
        });
        let paths: Option<Vec<String>> = paths.collect();
        Some(paths?.join(&format!(" {} ", self.lexicon(lang).joint)))
    }
}

/// Where the words for a place stand, their article included.
fn span_of(scan: &Scan<'_>, range: &Range<usize>) -> Option<Range<usize>> {
    let before = range.start.checked_sub(1);
    let first = before.filter(|at| scan.is_definite_article(*at)).unwrap_or(range.start);
    scan.span_of(&(first..range.end))
}
