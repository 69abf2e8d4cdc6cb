//! The words of a message with their places, as commands are said: numbers and the signs between them are words of
//! their own, an elision ends its word. Called by the patterns. It knows no meaning.

use std::ops::Range;

use metnos_domain::fold::{fold, is_invisible, straight};

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// Lower case, without accents.
    pub fold: String,
    /// Where it stands in the message.
    pub span: Range<usize>,
}

/// Endings that an apostrophe does not part from their word.
const CONTRACTIONS: &[&str] = &["s", "t", "d", "m", "re", "ll", "ve", "clock"];

/// Cuts a message into its words.
pub fn spoken(text: &str) -> Vec<Spoken> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut words = Vec::new();
    let mut at = 0;
    while let Some((_, letter)) = letters.get(at) {
        let end = match letter {
            letter if letter.is_ascii_digit() => end_of_number(&letters, at),
            letter if is_letter(*letter) => end_of_word(&letters, at),
            ':' | '%' | '/' | '\u{b0}' => at + 1,
            _ => {
                at += 1;
                continue;
            }
        };
        let place = |index: usize| letters.get(index).map_or(text.len(), |(place, _)| *place);
        let span = place(at)..place(end);
        let mut folded = fold(text.get(span.clone()).unwrap_or_default());
        if folded.contains('.') && folded.starts_with(|letter: char| letter.is_alphabetic()) {
            folded.retain(|letter| letter != '.');
        }
        // An apostrophe before a space stands for an accent or for nothing.
        let elided = letters.get(end).is_some_and(|(_, next)| next.is_alphanumeric());
        if folded.ends_with('\'') && !elided {
            folded.pop();
        }
        if !folded.is_empty() {
            words.push(Spoken { fold: folded, span });
        }
        at = end;
    }
    words
}

fn is_letter(letter: char) -> bool {
    letter.is_alphabetic() || is_invisible(letter) || unicode_normalization::char::is_combining_mark(letter)
}

fn end_of_number(letters: &[(usize, char)], from: usize) -> usize {
    let digit = |index: usize| letters.get(index).is_some_and(|(_, letter)| letter.is_ascii_digit());
    let mut end = from;
    while digit(end) {
        end += 1;
    }
    let separated = letters.get(end).is_some_and(|(_, letter)| matches!(letter, '.' | ','));
    if separated && digit(end + 1) {
        end += 1;
        while digit(end) {
            end += 1;
        }
    }
    end
}

fn end_of_word(letters: &[(usize, char)], from: usize) -> usize {
    let at = |index: usize| letters.get(index).map(|(_, letter)| *letter);
    let run = |mut index: usize| {
        while at(index).is_some_and(is_letter) {
            index += 1;
        }
        index
    };
    let end = run(from);
    // "p.m.": single letters with points.
    if end == from + 1 && at(end) == Some('.') && at(end + 1).is_some_and(is_letter) && run(end + 1) == end + 2 {
        return end + 2;
    }
    if at(end).is_none_or(|letter| straight(letter) != '\'') {
        return end;
    }
    let tail = run(end + 1);
    let suffix: String = letters
        .get(end + 1..tail)
        .unwrap_or_default()
        .iter()
        .map(|(_, letter)| *letter)
        .collect();
    if CONTRACTIONS.contains(&suffix.to_lowercase().as_str()) {
        tail
    } else {
        end + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_signs_and_elisions_are_words_of_their_own() {
        let folds = |text: &str| -> Vec<String> { spoken(text).into_iter().map(|word| word.fold).collect() };
        assert_eq!(folds("Timer 1h30m!"), ["timer", "1", "h", "30", "m"]);
        assert_eq!(folds("alle 7:30 p.m."), ["alle", "7", ":", "30", "pm"]);
        assert_eq!(
            folds("mezz\u{2019}ora, un po' d'aria"),
            ["mezz'", "ora", "un", "po", "d'", "aria"]
        );
        assert_eq!(
            folds("what\u{2019}s 5 o'clock at 50%"),
            ["what's", "5", "o'clock", "at", "50", "%"]
        );
        assert_eq!(folds("1.5 ore, LUCI Caffe\u{300}"), ["1.5", "ore", "luci", "caffe"]);
        let words = spoken("call Mum");
        assert_eq!(words.get(1).map(|word| word.span.clone()), Some(5..8));
    }
}
