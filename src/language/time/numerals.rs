//! The numbers of a sentence for their own sake: "1.234,56", "one hundred and five", "twenty point five", "a dozen",
//! "-3". Part of the parser of `language::time`. Versions, dates and codes are none, and telephone numbers are found beside them.

use std::ops::Range;

use super::{
    Figure, Numeral,
    parser::Parser,
    senses::{Role, Sense},
    words::Kind,
};

/// Groups of digits with more in all are a telephone number.
const PHONE_DIGITS_MIN: usize = 7;
/// Most digits of one with the number of its country.
const PHONE_DIGITS_MAX: usize = 15;
/// Most digits of one without.
const LOCAL_DIGITS_MAX: usize = 13;
/// Digits in one piece are a telephone number from here on.
const PHONE_DIGITS_ALONE_MIN: usize = 9;

impl Parser<'_> {
    /// Every number, in order.
    pub(super) fn numerals(&self) -> Vec<Numeral> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(item) = self.items.get(at) {
            if let Some((start, end, figure)) = self.phone(at) {
                found.extend(self.span(start, end).map(|span| Numeral { span, figure }));
                at = end;
                continue;
            }
            let next = match item.kind {
                Kind::Digits if self.phone_end(at).is_none() => self.figure(at),
                Kind::Digits => None,
                Kind::Word => self.spelled(at),
                Kind::Sign('½') => Some((at + 1, 0.5)),
                Kind::Sign('.') if !item.glued => self.leading_point(at),
                Kind::Sign(_) => None,
            };
            let next = next.map(|(end, number)| self.with_decimals(at, end, number).unwrap_or((end, number)));
            at = match next {
                Some((end, number)) => {
                    let minus = self.minus_word(at);
                    // The sign that made a figure negative stands directly before it.
                    let start = minus
                        .or_else(|| at.checked_sub(1).filter(|_| number < 0.0))
                        .unwrap_or(at);
                    let number = if minus.is_some() { -number } else { number };
                    found.extend(self.span(start, end).map(|span| Numeral {
                        span,
                        figure: Figure::Number(number),
                    }));
                    end
                }
                None if item.kind == Kind::Digits => self.phone_end(at).unwrap_or_else(|| self.code_end(at)),
                None => at + 1,
            };
        }
        found
    }

    /// Where items stand in the sentence.
    fn span(&self, start: usize, end: usize) -> Option<Range<usize>> {
        Some(self.items.get(start)?.span.start..self.items.get(end.checked_sub(1)?)?.span.end)
    }

    /// Where a word begins that turns the number behind it: "minus five". "più o meno cinque" is still five.
    fn minus_word(&self, at: usize) -> Option<usize> {
        let ends_here = |before: &usize| self.role(*before, Role::Minus) == Some(at);
        let about = |before: usize| self.role(before, Role::Approximately) == Some(at);
        let start = (0..at).rev().take(2).find(ends_here)?;
        (!(0..at).rev().take(4).any(about)).then_some(start)
    }

    /// "+39 06 1234567", "(650) 701-8887", "333 1234567", "0612345678": where it begins and ends.
    fn phone(&self, at: usize) -> Option<(usize, usize, Figure)> {
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

    /// Where groups of digits that are too long to be numbers end.
    fn phone_end(&self, at: usize) -> Option<usize> {
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
        let plus = at.checked_sub(1).is_some_and(|before| self.sign(before) == Some('+'));
        let groups = end - at > 1 && digits >= PHONE_DIGITS_MIN;
        (plus || groups || digits > 2 * PHONE_DIGITS_MIN).then_some(end)
    }

    /// Behind everything that is glued to these digits.
    fn code_end(&self, at: usize) -> usize {
        let mut end = at + 1;
        while self.glued(end)
            && self
                .items
                .get(end)
                .is_some_and(|item| !matches!(item.kind, Kind::Sign(',' | ';' | '!' | '?' | ')')))
        {
            end += 1;
        }
        end
    }

    /// Whether a minus stands before digits; `None` when what stands there makes them part of a code.
    fn minus_before(&self, at: usize) -> Option<bool> {
        let before = at
            .checked_sub(1)
            .and_then(|before| self.items.get(before))
            .filter(|_| self.glued(at));
        Some(match before.map(|item| (&item.kind, item.glued)) {
            None
            | Some((Kind::Sign('$' | '€' | '£' | '(' | '[' | '"' | '\'' | '=' | '<' | '>' | '¥' | '\u{FFFC}'), _)) => {
                false
            }
            // "75 -300": a range with a space too many.
            Some((Kind::Sign('-' | '\u{2212}'), false)) => !at
                .checked_sub(2)
                .is_some_and(|at| self.items.get(at).is_some_and(|item| item.kind == Kind::Digits)),
            Some((Kind::Word, _)) if before.is_some_and(|item| item.fold.ends_with('\'')) => false,
            Some(_) => return None,
        })
    }

    /// "5", "1,234.56", "-3", "1e3", "$10".
    fn figure(&self, at: usize) -> Option<(usize, f64)> {
        let minus = self.minus_before(at)?;
        let mut text = self.items.get(at)?.fold.clone();
        let mut end = at + 1;
        let glued_digits = |at: usize| {
            self.items
                .get(at)
                .filter(|item| item.glued && item.kind == Kind::Digits)
        };
        let group = self.words.group;
        let decimal = if group == ',' { '.' } else { ',' };
        while text.len() <= PHONE_DIGITS_MIN * 2
            && self.sign(end) == Some(group)
            && self.glued(end)
            && let Some(next) = glued_digits(end + 1).filter(|next| next.fold.len() == 3)
        {
            text.push_str(&next.fold);
            end += 2;
        }
        if self.glued(end)
            && self
                .sign(end)
                .is_some_and(|sign| sign == decimal || sign == group && end == at + 1)
            && let Some(next) = glued_digits(end + 1)
        {
            text.push('.');
            text.push_str(&next.fold);
            end += 2;
        }
        let mut number: f64 = text.parse().ok()?;
        if self.glued(end)
            && self.skip_word(end, "e").is_some()
            && let Some(power) = glued_digits(end + 1)
        {
            number *= 10f64.powi(power.fold.parse().ok().filter(|power| *power < 300)?);
            end += 2;
        }
        if self.glued(end) && !self.ends_figure(end) {
            return self.half(at, end);
        }
        // "1.2M", "20k"
        let thousand = self
            .items
            .get(end)
            .filter(|item| item.glued)
            .map_or("", |item| item.fold.as_str());
        let capital = self.items.get(end).is_some_and(|item| item.capital);
        let times = match (thousand, capital) {
            ("k", _) => 1e3,
            ("m", true) => 1e6,
            ("g", true) => 1e9,
            _ => 1.0,
        };
        if times > 1.0 {
            number *= times;
            end += 1;
        }
        if let Some((after, scale)) = self.scale(end) {
            number *= scale;
            end = after;
        } else if end == at + 1
            && !self.glued(end)
            && let Some((after, part)) = self.half(end, end + 1)
        {
            // "10 1/2"
            number += part;
            end = after;
        }
        if let Some((after, half)) = self.and_half(end) {
            number += half;
            end = after;
        }
        Some((end, if minus { -number } else { number }))
    }

    /// "three and a half", "two million and a half": of what stands before.
    fn and_half(&self, at: usize) -> Option<(usize, f64)> {
        let end = self.role(at, Role::AndHalf).filter(|end| self.scale(*end).is_none())?;
        let scale = at.checked_sub(1).and_then(|before| self.scale(before));
        let large = scale.filter(|(_, scale)| *scale >= 1000.0);
        Some((end, large.map_or(0.5, |(_, scale)| scale / 2.0)))
    }

    /// "point five" and "virgola zero otto" behind a whole number, as people dictate it, and what multiplies both. Two
    /// of them in a row are a list or a version.
    pub(super) fn with_decimals(&self, start: usize, end: usize, number: f64) -> Option<(usize, f64)> {
        let (end, digits) = self.decimals(end).filter(|_| number.fract() == 0.0)?;
        let is_behind_one = start
            .checked_sub(1)
            .is_some_and(|before| self.role(before, Role::Point).is_some());
        if is_behind_one || self.decimals(end).is_some() {
            return None;
        }
        let part: f64 = format!("0.{digits}").parse().ok()?;
        let number = number + part.copysign(number);
        Some(match self.scale(end) {
            Some((after, scale)) => (after, number * scale),
            None => (end, number),
        })
    }

    fn decimals(&self, at: usize) -> Option<(usize, String)> {
        let mut end = self.role(at, Role::Point)?;
        if let Some(item) = self.items.get(end).filter(|item| item.kind == Kind::Digits) {
            return self.ends_figure(end + 1).then(|| (end + 1, item.fold.clone()));
        }
        let mut digits = String::new();
        // "zero four", "five", "twenty-five": digit by digit, or one number.
        while let Some((after, digit)) = self.sense(end, Sense::cardinal).filter(|(_, digit)| *digit < 10) {
            digits.push_str(&digit.to_string());
            end = after;
        }
        if digits.is_empty() {
            let (after, number) = self.worded(end)?;
            (end, digits) = (after, number.to_string());
        }
        Some((end, digits))
    }

    /// ".77"
    fn leading_point(&self, at: usize) -> Option<(usize, f64)> {
        let item = self
            .items
            .get(at + 1)
            .filter(|item| item.glued && item.kind == Kind::Digits)?;
        let number = format!("0.{}", item.fold).parse().ok()?;
        self.ends_figure(at + 2).then_some((at + 2, number))
    }

    fn scale(&self, at: usize) -> Option<(usize, f64)> {
        self.sense(at, |sense| sense.scale().map(|scale| scale as f64))
    }

    /// "1/2" and the other fractions people say; any other pair is a date.
    fn half(&self, at: usize, end: usize) -> Option<(usize, f64)> {
        if end != at + 1 || self.sign(end) != Some('/') || self.sign(end + 2).is_some_and(|_| self.glued(end + 2)) {
            return None;
        }
        let (over, under) = (self.integer(at)?, self.integer(end + 1)?);
        (matches!(under, 2 | 3 | 4 | 8) && over < under).then(|| (end + 2, over as f64 / under as f64))
    }

    /// What is glued behind belongs to the sentence or is a unit.
    fn ends_figure(&self, at: usize) -> bool {
        let Some(item) = self.items.get(at) else { return true };
        let more = self
            .items
            .get(at + 1)
            .is_some_and(|next| next.glued && next.kind == Kind::Digits);
        match item.kind {
            Kind::Digits => false,
            Kind::Word => !more && self.ordinal_mark(at).is_none(),
            // "85°" at an end are degrees, "1° piano" is a place in a row.
            Kind::Sign('°' | 'º') => self
                .items
                .get(at + 1)
                .is_none_or(|next| next.glued || next.kind != Kind::Word),
            Kind::Sign('-' | '/' | ':' | '.' | ',' | '_') => !more,
            Kind::Sign(_) => true,
        }
    }

    /// "seven", "one hundred and five", "a dozen", "half".
    fn spelled(&self, at: usize) -> Option<(usize, f64)> {
        let fold = self.items.get(at)?.fold.as_str();
        let article = matches!(
            fold,
            "a" | "an" | "another" | "un" | "una" | "un'" | "uno" | "oh" | "s" | "m" | "h"
        );
        if let Some(end) = self.role(at, Role::HalfOf) {
            // "half a dozen", "mezzo milione"
            if let Some((after, scale)) = self.scale(end) {
                return Some((after, scale / 2.0));
            }
            return self.unit(end).map(|_| (end, 0.5));
        }
        let start = if article { at + 1 } else { at };
        let scale = self.sense(start, Sense::scale).filter(|_| article);
        // "a million two hundred thousand" goes on, "a hundred" ends here.
        let is_one = |end: usize| !article || end > at + 1 || self.decimals(end).is_some();
        let worded = self.worded(at).filter(|(end, _)| is_one(*end));
        let (end, number) = match (worded, scale) {
            (Some(worded), Some(scale)) => worded.max(scale),
            (worded, scale) => worded.or(scale)?,
        };
        let (end, half) = self.and_half(end).unwrap_or((end, 0.0));
        Some((end, number as f64 + half))
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
