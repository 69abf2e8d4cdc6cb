//! The part of a text that answers a question, found by the question's own words. Called by the executor that answers
//! from the web. It quotes and makes nothing up: what it returns stands in the text.

use std::collections::HashSet;

/// Sentences that one passage may have.
const SENTENCES_MAX: usize = 3;
/// Letters of one passage; a longer sentence is cut at a word.
const CHARS_MAX: usize = 500;
/// Sentences of a text that are looked at.
const LOOKED_AT_MAX: usize = 2_000;

/// The sentences that say most of what was asked, and how many of the words they hold. `stems` gives the telling words
/// of a text.
pub fn best(text: &str, wanted: &[String], stems: &dyn Fn(&str) -> Vec<String>) -> Option<(String, usize)> {
    let wanted: HashSet<&String> = wanted.iter().collect();
    let sentences: Vec<&str> = sentences(text).take(LOOKED_AT_MAX).collect();
    let held: Vec<HashSet<String>> = sentences
        .iter()
        .map(|sentence| {
            stems(sentence)
                .into_iter()
                .filter(|stem| wanted.contains(stem))
                .collect()
        })
        .collect();
    let mut best: Option<(usize, usize, usize)> = None;
    for first in 0..sentences.len() {
        let mut words: HashSet<&String> = HashSet::new();
        for last in first..sentences.len().min(first + SENTENCES_MAX) {
            words.extend(held.get(last).into_iter().flatten());
            let length: usize = sentences
                .get(first..=last)
                .unwrap_or_default()
                .iter()
                .map(|one| one.len() + 1)
                .sum();
            if last > first && length > CHARS_MAX {
                break;
            }
            // More of the words, then fewer sentences, then the first of them.
            let is_better = best
                .is_none_or(|(hits, from, to)| words.len() > hits || words.len() == hits && last - first < to - from);
            if is_better && !words.is_empty() {
                best = Some((words.len(), first, last));
            }
        }
    }
    let (hits, first, last) = best?;
    // What stands right behind belongs to it, as far as there is room.
    let own = sentences.get(first..=last)?.join(" ");
    let next = sentences
        .get(last + 1)
        .filter(|next| last - first + 1 < SENTENCES_MAX && own.len() + next.len() < CHARS_MAX);
    let passage = next.map_or(own.clone(), |next| format!("{own} {next}"));
    Some((cut(&passage), hits))
}

/// A text in sentences: they end at a line's end, and at a mark with a space and a capital or a digit behind it.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut ends = Vec::new();
        let letters: Vec<(usize, char)> = line.char_indices().collect();
        for window in letters.windows(3) {
            let [(at, mark), (_, space), (next, begins)] = *window else {
                continue;
            };
            let is_short = line
                .get(..at)
                .and_then(|before| before.rsplit(' ').next())
                .is_some_and(|word| {
                    // "St. Mark" and "J. Smith" go on.
                    word.chars().count() <= 2 && word.starts_with(char::is_uppercase)
                });
            let ends_here = matches!(mark, '.' | '!' | '?') && space == ' ' && !begins.is_lowercase() && !is_short;
            if ends_here {
                ends.push(next);
            }
        }
        let begins = std::iter::once(0).chain(ends.clone());
        let ends = ends.into_iter().chain(std::iter::once(line.len()));
        let parts: Vec<&str> = begins.zip(ends).filter_map(|(from, to)| line.get(from..to)).collect();
        parts.into_iter().map(str::trim).filter(|part| !part.is_empty())
    })
}

/// Not longer than a passage may be, and ending with a word.
pub fn cut(text: &str) -> String {
    if text.chars().count() <= CHARS_MAX {
        return text.to_owned();
    }
    let kept: String = text.chars().take(CHARS_MAX).collect();
    let end = kept.rfind(' ').unwrap_or(kept.len());
    format!("{}…", kept.get(..end).unwrap_or(&kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(text: &str) -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| word.len() > 3).map(str::to_lowercase).collect()
    }

    #[test]
    fn the_sentence_with_the_words_is_found() {
        let text = "Welcome to St. Mark's baths. Our cafe opens at 7.\nThe swimming pool is open from 9 to 19. Bring a cap. \
                    Parking is free.";
        let wanted = stems("when does the swimming pool open");
        let (passage, hits) = best(text, &wanted, &stems).unwrap();
        assert_eq!(
            (passage.as_str(), hits),
            ("The swimming pool is open from 9 to 19. Bring a cap.", 3)
        );
        assert_eq!(best("Nothing of that kind.", &wanted, &stems), None);
    }

    #[test]
    fn a_long_text_is_cut_at_a_word() {
        let text = "swimming ".repeat(200);
        let (passage, _) = best(&text, &stems("swimming"), &stems).unwrap();
        assert!(passage.ends_with("swimming…") && passage.chars().count() <= CHARS_MAX + 1);
    }
}
