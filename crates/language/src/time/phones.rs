//! Telephone numbers and digits that may be part of one. Part of the parser of `language::time`; `numerals` asks it
//! before it takes digits for a number. It never takes a date, a version or the number of a card.

use super::{Figure, parser::Parser, words::Kind};

/// Groups of digits with more in all are a telephone number.
const PHONE_DIGITS_MIN: usize = 7;
/// Most digits of one with the number of its country.
const PHONE_DIGITS_MAX: usize = 15;
/// Most digits of one without.
const LOCAL_DIGITS_MAX: usize = 13;
/// Digits in one piece are a telephone number from here on.
const PHONE_DIGITS_ALONE_MIN: usize = 9;

impl Parser<'_> {
    /// "+39 06 1234567", "(650) 701-8887", "333 1234567", "0612345678": where it begins and ends.
    pub(super) fn phone(&self, at: usize) -> Option<(usize, usize, Figure)> {
        let first = self.items.get(at).filter(|item| item.kind == Kind::Digits)?;
        let before = |back: usize, sign: char| at.checked_sub(back).is_some_and(|at| self.sign(at) == Some(sign));
        let plus = before(1, '+') && first.glued;
        let signs = usize::from(plus);
        let bracket = before(signs + 1, '(') && self.glued(at - signs);
        let start = at - signs - usize::from(bracket);
        if start == at && first.glued && at > 0 && !before(1, '\u{FFFC}') && !before(1, ':') {
            return None;
        }
        let mut groups: Vec<&str> = vec![first.fold.as_str()];
        let (mut signs, mut open): (Vec<char>, Vec<char>) = (Vec::new(), Vec::new());
        let mut end = at + 1;
        let mut next = end;
        while let Some(item) = self.items.get(next) {
            match item.kind {
                Kind::Digits => {
                    groups.push(item.fold.as_str());
                    signs.append(&mut open);
                    end = next + 1;
                }
                Kind::Sign(sign @ ('-' | '.' | '/')) => open.push(sign),
                Kind::Sign('(' | ')') => {}
                Kind::Sign(_) | Kind::Word => break,
            }
            next += 1;
        }
        if self
            .items
            .get(end)
            .is_some_and(|item| item.glued && item.kind == Kind::Word)
        {
            return None;
        }
        let digits = groups.concat();
        if !is_phone(plus, &digits, &groups, &signs) {
            return None;
        }
        // Digits in one piece may still be a number: "10000000000 bytes".
        let number = if groups.len() == 1 && !plus && !digits.starts_with('0') {
            digits.parse().ok()
        } else {
            None
        };
        let written = if plus { format!("+{digits}") } else { digits };
        Some((start, end, Figure::Phone(written, number)))
    }

    /// The sign of a country's number, and not that of a sum: "18+24".
    pub(super) fn is_plus(&self, at: usize) -> bool {
        let digits = |at: usize| self.items.get(at).is_some_and(|item| item.kind == Kind::Digits);
        self.sign(at) == Some('+') && !(self.glued(at) && at.checked_sub(1).is_some_and(digits))
    }

    /// Where groups of digits that are too long to be numbers end.
    pub(super) fn phone_end(&self, at: usize) -> Option<usize> {
        let mut end = at;
        let mut digits = 0;
        while let Some(item) = self.items.get(end) {
            match item.kind {
                Kind::Digits => digits += item.fold.len(),
                Kind::Sign('-' | '(' | ')' | ' ') if end > at => {}
                Kind::Sign(_) | Kind::Word => break,
            }
            end += 1;
        }
        let plus = self.glued(at) && at.checked_sub(1).is_some_and(|before| self.is_plus(before));
        let groups = end - at > 1 && digits >= PHONE_DIGITS_MIN;
        (plus || groups || digits > 2 * PHONE_DIGITS_MIN).then_some(end)
    }
}

/// Whether groups of digits can be a telephone number: not a date, a version, an address of a machine, a range or the
/// number of a card.
fn is_phone(plus: bool, digits: &str, groups: &[&str], signs: &[char]) -> bool {
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    if plus || digits.starts_with("00") {
        return (PHONE_DIGITS_MIN..=PHONE_DIGITS_MAX).contains(&digits.len());
    }
    if !(PHONE_DIGITS_MIN..=LOCAL_DIGITS_MAX).contains(&digits.len()) {
        return false;
    }
    let is_date = matches!(lengths.as_slice(), [4, 1..=2, 1..=2, ..] | [1..=2, 1..=2, 4, ..]);
    let points = signs.contains(&'.');
    let slashes = signs.iter().filter(|sign| **sign == '/').count();
    if digits.starts_with('0') {
        return !points && slashes <= 1 && !is_date;
    }
    if points {
        return lengths == [3, 3, 4];
    }
    if slashes > 0 || is_date {
        return false;
    }
    match lengths.as_slice() {
        [length] => *length >= PHONE_DIGITS_ALONE_MIN,
        [3, 4] | [2..=3, 6..=9] => true,
        // Groups of three are thousands.
        [_, rest @ ..] => rest.len() > 1 && !rest.iter().all(|length| *length == 3),
        [] => false,
    }
}
