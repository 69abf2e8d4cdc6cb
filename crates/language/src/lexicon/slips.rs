//! A slip of the finger in a word that only looks. Called through the lexicon by the scan; no word that changes
//! something is ever guessed.

use super::Lexicon;
use crate::sense::Sense;
use metnos_domain::vocabulary::Verb;

/// Shorter words are too like others to be mended.
const SLIP_LETTERS_MIN: usize = 4;

/// One letter more or less, in the longest form a letter is written in.
const SLIP_BYTES_MAX: usize = 4;

impl Lexicon {
    /// The one reading verb, or word for "show", that this word is a slip of the finger away from. Never one that
    /// changes something.
    pub(crate) fn mended(&self, word: &str) -> Option<&[Sense]> {
        let harmless = |sense: &&Sense| sense.verb().map_or(**sense == Sense::Show, Verb::is_producer);
        let mut near: Vec<(&String, &Vec<Sense>)> = self
            .senses
            .iter()
            .filter(|(form, senses)| is_slip(word, form) && senses.iter().any(|sense| harmless(&sense)))
            .collect();
        near.sort_by_key(|(form, _)| *form);
        let meaning = |senses: &[Sense]| senses.iter().find(|sense| harmless(sense)).cloned();
        let (_, first) = near.first()?;
        let safe = |senses: &[Sense]| senses.iter().all(|sense| sense.verb().is_none() || harmless(&sense));
        let agreed = near
            .iter()
            .all(|(_, senses)| safe(senses) && meaning(senses) == meaning(first));
        agreed.then_some(first.as_slice())
    }
}

/// Two letters exchanged, or one too many, too few or wrong; the first letter is right.
fn is_slip(word: &str, form: &str) -> bool {
    // Every form of the language is asked: nearly all of them end here, before anything is allocated.
    if word.chars().next() != form.chars().next() || word.len().abs_diff(form.len()) > SLIP_BYTES_MAX {
        return false;
    }
    let (word, form): (Vec<char>, Vec<char>) = (word.chars().collect(), form.chars().collect());
    if form.len() < SLIP_LETTERS_MIN || word.len().abs_diff(form.len()) > 1 {
        return false;
    }
    let same = word.iter().zip(&form).take_while(|(one, other)| one == other).count();
    let (left, right) = (
        word.get(same..).unwrap_or_default(),
        form.get(same..).unwrap_or_default(),
    );
    let exchanged = matches!((left, right), ([a, b, one @ ..], [c, d, other @ ..]) if a == d && b == c && one == other);
    let skip = |letters: &[char]| letters.get(1..).unwrap_or_default().to_vec();
    exchanged || skip(left) == skip(right) || skip(left) == right || left == skip(right)
}
