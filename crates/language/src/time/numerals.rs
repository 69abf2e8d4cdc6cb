//! The numbers of a sentence for their own sake: "1.234,56", "one hundred and five", "twenty point five", "a dozen",
//! "-3". Part of the parser of `language::time`. Versions, dates and codes are none, and telephone numbers are found
//! beside them, in `phones`.

use std::ops::Range;

use super::{
    Figure, Numeral,
    parser::Parser,
    senses::{Role, Sense},
    words::{Item, Kind},
};

/// Most digits of a number whose thousands are grouped.
const DIGITS_MAX: usize = 17;

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
                Kind::Digits => self
                    .spaced(at)
                    .or_else(|| self.figure(at).filter(|_| self.phone_end(at).is_none())),
                Kind::Word => self.spelled(at),
                Kind::Sign('.') if !item.glued => self.leading_point(at),
                Kind::Sign(_) => self.written(at).map(|part| (at + 1, part)),
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

    /// The words before and behind an item.
    fn folds_around(&self, at: usize) -> [&str; 2] {
        let fold = |at: Option<usize>| {
            at.and_then(|at| self.items.get(at))
                .map_or("", |item| item.fold.as_str())
        };
        [fold(at.checked_sub(1)), fold(Some(at + 1))]
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
            Some((Kind::Sign('+'), _)) if !self.is_plus(at - 1) => false,
            Some(_) => return None,
        })
    }

    /// "5", "1,234.56", "-3", "1e3", "$10".
    fn figure(&self, at: usize) -> Option<(usize, f64)> {
        let minus = self.minus_before(at)?;
        let (mut text, mut end) = self.grouped(at, self.words.group)?;
        if self.glued(end) && !self.ends_figure(end) {
            // "1.234,56" where a comma groups: with both signs nobody doubts which is which.
            let other = if self.words.group == ',' { '.' } else { ',' };
            let both = self
                .grouped(at, other)
                .filter(|(text, after)| *after > end && text.contains('.'));
            (text, end) = both.unwrap_or((text, end));
        }
        let mut number: f64 = text.parse().ok()?;
        if self.glued(end)
            && let Some(sign) = self.skip_word(end, "e")
            && let at = sign + usize::from(self.glued(sign) && self.sign(sign) == Some('+'))
            && let Some(power) = self.glued_digits(at)
        {
            number *= 10f64.powi(power.fold.parse().ok().filter(|power| *power < 300)?);
            end = at + 1;
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
            (end, number) = self.below_scale(at, after, number * scale, scale);
        } else if end == at + 1
            && !self.glued(end)
            && let Some((after, part)) = self.half(end, end + 1)
        {
            // "10 1/2"
            number += part;
            end = after;
        }
        if let Some((after, part)) = self.and_fraction(end) {
            number += part;
            end = after;
        }
        Some((end, if minus { -number } else { number }))
    }

    /// Digits in threes with this sign between them and decimals behind the other one: their text, and where it ends.
    fn grouped(&self, at: usize, group: char) -> Option<(String, usize)> {
        let decimal = if group == ',' { '.' } else { ',' };
        let mut text = self.items.get(at)?.fold.clone();
        let mut end = at + 1;
        while text.len() + 3 <= DIGITS_MAX
            && self.sign(end) == Some(group)
            && self.glued(end)
            && let Some(next) = self.glued_digits(end + 1).filter(|next| next.fold.len() == 3)
        {
            text.push_str(&next.fold);
            end += 2;
        }
        let sign = self.sign(end).filter(|_| self.glued(end));
        let parts = sign == Some(decimal) || sign == Some(group) && end == at + 1;
        if let Some(next) = self.glued_digits(end + 1).filter(|_| parts) {
            text = format!("{text}.{}", next.fold);
            end += 2;
        }
        Some((text, end))
    }

    fn glued_digits(&self, at: usize) -> Option<&Item> {
        let item = self.items.get(at)?;
        (item.glued && item.kind == Kind::Digits).then_some(item)
    }

    /// "4 thousand 3 hundred and 21", "2 milioni e 300 mila": what is said below a scale, each with a smaller one.
    fn below_scale(&self, start: usize, end: usize, number: f64, scale: f64) -> (usize, f64) {
        let (mut end, mut number, mut room) = (end, number, scale);
        while room >= 100.0 && self.and_fraction(end).is_none() {
            let joint = self.joined(end).filter(|_| !self.is_behind(start, Role::Between));
            let at = joint.unwrap_or(end);
            let digits = self
                .integer(at)
                .filter(|_| self.ends_figure(at + 1))
                .map(|whole| (at + 1, whole as f64));
            let Some((next, more)) = digits.or_else(|| self.worded(at).map(|(next, whole)| (next, whole as f64)))
            else {
                break;
            };
            let (after, times) = self.scale(next).unwrap_or((next, 1.0));
            // "3 thousand 5 files": a number alone is said behind an "and".
            if more <= 0.0 || more * times >= room || times < 100.0 && joint.is_none() {
                break;
            }
            (end, number, room) = (after, number + more * times, times);
        }
        (end, number)
    }

    /// "1 234 567", "40 000": digits in threes.
    fn spaced(&self, at: usize) -> Option<(usize, f64)> {
        let minus = self.minus_before(at)?;
        let group = |at: usize| {
            let item = self
                .items
                .get(at)
                .filter(|item| !item.glued && item.kind == Kind::Digits);
            item.filter(|item| item.fold.len() == 3)
        };
        let first = self
            .items
            .get(at)
            .filter(|item| item.fold.len() <= 3 && !item.fold.starts_with('0'))?;
        let groups: Vec<&str> = (at + 1..).map_while(group).map(|item| item.fold.as_str()).collect();
        let mut end = at + 1 + groups.len();
        if groups.len() < 2 && groups != ["000"] {
            return None;
        }
        let mut text = format!("{}{}", first.fold, groups.concat());
        let part = self.glued_digits(end + 1);
        if let Some(part) = part.filter(|_| self.glued(end) && matches!(self.sign(end), Some('.' | ','))) {
            text = format!("{text}.{}", part.fold);
            end += 2;
        }
        let number: f64 = text.parse().ok().filter(|_| self.ends_figure(end))?;
        Some((end, if minus { -number } else { number }))
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

    pub(super) fn scale(&self, at: usize) -> Option<(usize, f64)> {
        self.sense(at, |sense| sense.scale().map(|scale| scale as f64))
    }

    /// "1/2" and the other fractions people say; any other pair is a date.
    fn half(&self, at: usize, end: usize) -> Option<(usize, f64)> {
        if end != at + 1 || self.sign(end) != Some('/') || self.sign(end + 2).is_some_and(|_| self.glued(end + 2)) {
            return None;
        }
        let (over, under) = (self.integer(at)?, self.integer(end + 1)?);
        // "-4/5": no date is below zero.
        let minus = self.minus_before(at) == Some(true);
        let said = matches!(under, 2 | 3 | 4 | 8) || minus && under > 0;
        let sign = if minus { -1.0 } else { 1.0 };
        (said && over < under).then(|| (end + 2, sign * over as f64 / under as f64))
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
        if self.words.is_other(fold, self.folds_around(at)) {
            return None;
        }
        let article = self.is_article(at) || matches!(fold, "s" | "m" | "h");
        if let Some(end) = self.role(at, Role::HalfOf) {
            // "half a dozen", "mezzo milione"
            if let Some((after, scale)) = self.scale(end) {
                return Some((after, scale / 2.0));
            }
            return self.unit(end).map(|_| (end, 0.5));
        }
        // "a kilo and a half" is one and a half of them.
        let is_added = article && at.checked_sub(1).is_some_and(|before| self.joined(before).is_some());
        let worded = self.worded(at);
        let part = self.one_part(at).or_else(|| self.parts(worded?));
        if let Some((end, part)) = part.filter(|(_, part)| !(is_added && *part == 0.5)) {
            return self.scaled(end, part).or(Some((end, part)));
        }
        let start = if article { at + 1 } else { at };
        let scale = self.sense(start, Sense::scale).filter(|_| article);
        // "a million two hundred thousand" goes on, "a hundred" ends here.
        let is_one =
            |end: usize| !article || end > at + 1 || self.decimals(end).is_some() || self.and_fraction(end).is_some();
        let worded = worded.filter(|(end, _)| is_one(*end));
        let (end, number) = match (worded, scale) {
            (Some(worded), Some(scale)) => worded.max(scale),
            (worded, scale) => worded.or(scale)?,
        };
        // "the twenty fifth row" is one of them.
        if self.ordinal(at).is_some_and(|(after, _)| after > end) {
            return None;
        }
        let (end, part) = self.and_fraction(end).unwrap_or((end, 0.0));
        Some((end, number as f64 + part))
    }
}
