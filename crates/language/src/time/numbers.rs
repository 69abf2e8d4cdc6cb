//! Numbers in digits and words, and lengths of time made of them. Part of the parser of `language::time`.

use super::{
    Unit,
    parser::Parser,
    senses::{Role, Sense, Small},
    spec::Length,
    words::Kind,
};

impl Parser<'_> {
    /// A number in digits: "5", "2.5", "3,5", "1/2".
    pub(super) fn digits(&self, at: usize) -> Option<(usize, f64)> {
        let whole = self.integer(at)?;
        if let Some(sign) = self.sign(at + 1).filter(|_| self.glued(at + 1) && self.glued(at + 2))
            && let Some(item) = self.items.get(at + 2).filter(|item| item.kind == Kind::Digits)
        {
            let after = item.fold.as_str();
            let text = self.items.get(at)?.fold.as_str();
            let next_signed =
                self.glued(at + 3) && self.sign(at + 3).is_some_and(|sign| matches!(sign, '.' | ',' | '/'));
            if sign == '/' && after.len() <= 2 && !next_signed {
                let below: f64 = after.parse().ok()?;
                return (below > 0.0).then_some((at + 3, whole as f64 / below));
            }
            if sign == self.words.group && after.len() == 3 {
                return Some((at + 3, format!("{text}{after}").parse().ok()?));
            }
            if matches!(sign, '.' | ',') && !next_signed {
                return Some((at + 3, format!("{text}.{after}").parse().ok()?));
            }
        }
        Some((at + 1, whole as f64))
    }

    /// Digits that are a whole number by themselves.
    pub(super) fn integer(&self, at: usize) -> Option<i64> {
        let item = self.items.get(at).filter(|item| item.kind == Kind::Digits)?;
        (item.fold.len() <= 8).then(|| item.fold.parse().ok()).flatten()
    }

    /// A whole number in words: "twenty-one", "one hundred and five", "duemiladiciotto".
    pub(super) fn worded(&self, at: usize) -> Option<(usize, u64)> {
        let (mut end, first) = self.sense(at, |sense| {
            let scale = sense.scale().filter(|scale| *scale >= 100);
            sense.cardinal().or(scale)
        })?;
        let mut total: u64 = 0;
        let mut part = first;
        let mut room = room_after(first);
        let between = || self.is_behind(at, Role::Between);
        loop {
            let mut next = end;
            if self.sign(next) == Some('-') && self.glued(next) {
                next += 1;
            }
            if let Some((after, scale)) = self.sense(next, Sense::scale) {
                if scale >= 1000 {
                    // "a million million": nothing stands between them.
                    total = if part == 0 {
                        total.max(1).checked_mul(scale)?
                    } else {
                        total + part * scale
                    };
                    part = 0;
                } else {
                    part = part.max(1) * scale;
                }
                room = scale;
                end = after;
                continue;
            }
            // "one hundred and three quarters" are no hundred and three.
            if self.and_fraction(end).is_some() {
                break;
            }
            if (part >= 100 || part == 0 && total > 0) && !between() {
                next = self.joined(next).unwrap_or(next);
            }
            let Some((after, number)) = self.sense(next, Sense::cardinal) else {
                break;
            };
            if number == 0 || number >= room {
                break;
            }
            part += number;
            room = room_after(number);
            end = after;
        }
        Some((end, total + part))
    }

    /// A number, in digits or in words, "a few" included.
    pub(super) fn number(&self, at: usize) -> Option<(usize, f64)> {
        if let Some((end, number)) = self.sense(at, Sense::vague) {
            return Some((end, number as f64));
        }
        let worded = || self.worded(at).map(|(end, number)| (end, number as f64));
        let (end, number) = self.digits(at).or_else(worded)?;
        self.with_decimals(at, end, number).or(Some((end, number)))
    }

    /// A number that is a count of things: whole and small.
    pub(super) fn count(&self, at: usize) -> Option<(usize, i64)> {
        let (end, number) = self.number(at)?;
        (number.fract() == 0.0 && (1.0..100_000.0).contains(&number)).then_some((end, number as i64))
    }

    /// "first", "3rd", "twenty-third", "1°".
    pub(super) fn ordinal(&self, at: usize) -> Option<(usize, i64)> {
        if let Some(number) = self.integer(at) {
            let end = self.ordinal_mark(at + 1)?;
            return Some((end, number));
        }
        if let Some((end, number)) = self
            .sense(at, Sense::ordinal)
            .filter(|(end, _)| !self.is_before(at, *end))
        {
            return Some((end, number as i64));
        }
        let (mut next, tens) = self.sense(at, |sense| sense.cardinal().filter(|number| (20..=90).contains(number)))?;
        if self.sign(next) == Some('-') {
            next += 1;
        }
        let (end, ones) = self.sense(next, |sense| sense.ordinal().filter(|number| (1..=9).contains(number)))?;
        Some((end, (tens + ones) as i64))
    }

    /// What follows digits to make them an ordinal.
    pub(super) fn ordinal_mark(&self, at: usize) -> Option<usize> {
        let item = self.items.get(at).filter(|item| item.glued)?;
        let marks = self.words.is_small(&item.fold, Small::OrdinalEnding);
        let sign = matches!(item.kind, Kind::Sign('°' | 'º'));
        (marks || sign).then_some(at + 1)
    }

    pub(super) fn unit(&self, at: usize) -> Option<(usize, Unit)> {
        self.sense(at, Sense::unit)
    }

    /// A length of time: "3 days", "1h30m", "an hour and a half", "mezz'ora".
    pub(super) fn length(&self, at: usize) -> Option<(usize, Length)> {
        let (mut end, first) = self.length_part(at)?;
        let mut length = Length(vec![first]);
        loop {
            if let Some(after) = self.role(end, Role::AndHalf) {
                let (number, unit) = *length.0.last()?;
                if let Some(last) = length.0.last_mut() {
                    *last = (number + 0.5, unit);
                }
                return Some((after, length));
            }
            if let Some((after, share)) = self.quarters_behind(end) {
                let (number, unit) = *length.0.last()?;
                if let Some(last) = length.0.last_mut() {
                    *last = (number + share, unit);
                }
                return Some((after, length));
            }
            let (_, last) = *length.0.last()?;
            let joint = self.joint(end);
            if let Some((after, part)) = self.length_part(joint).filter(|(_, part)| part.1 < last) {
                length.0.push(part);
                end = after;
                continue;
            }
            // "1 hour thirty": the unit below the last one goes without saying.
            if last == Unit::Hour
                && let Some((after, number)) = self.worded(joint).filter(|(_, number)| (5..60).contains(number))
                && self.unit(after).is_none()
                && self.sign(after) != Some(':')
            {
                length.0.push((number as f64, Unit::Minute));
                return Some((after, length));
            }
            return Some((end, length));
        }
    }

    /// Behind a comma or an "and".
    fn joint(&self, at: usize) -> usize {
        let comma = if self.sign(at) == Some(',') { at + 1 } else { at };
        self.joined(comma).unwrap_or(comma)
    }

    fn length_part(&self, at: usize) -> Option<(usize, (f64, Unit))> {
        if let Some(found) = self.fraction_of(at).or_else(|| self.whole(at)) {
            return Some(found);
        }
        let (mut end, mut number) = self.number(at)?;
        let mut glued = self.glued(end) || self.sign(end) == Some('-');
        if let Some(after) = self.role(end, Role::AndHalf) {
            number += 0.5;
            end = after;
            glued = false;
        } else if let Some(after) = self.quarters(end) {
            number += after.1;
            end = after.0;
        }
        if number < 1.0 {
            // "1/2 an hour"
            end = self.past_article(end);
        }
        end = self.role(end, Role::More).unwrap_or(end);
        if self.sign(end) == Some('-') && self.glued(end) {
            end += 1;
        }
        let (after, unit) = self.unit(end)?;
        let letter = self.items.get(end).is_some_and(|item| item.fold.len() == 1);
        let hour = unit == Unit::Hour && self.items.get(end - 1).is_some_and(|item| item.kind == Kind::Digits);
        if letter && !(glued && self.integer(end - 1).is_some() || hour) {
            return None;
        }
        // "3rd" and "second" are no units behind an ordinal's number.
        Some((after, (number, unit)))
    }

    /// "all day", "l'intero mese", "il giorno intero".
    fn whole(&self, at: usize) -> Option<(usize, (f64, Unit))> {
        if let Some(next) = self.role(at, Role::Whole) {
            let (end, unit) = self.unit(next)?;
            return (unit >= Unit::Day).then_some((end, (1.0, unit)));
        }
        let (next, unit) = self.unit(self.role(at, Role::The)?)?;
        let end = self.role(next, Role::Whole)?;
        (unit >= Unit::Day && self.words.postposed).then_some((end, (1.0, unit)))
    }

    /// "and three quarters of", "and a 1/2": what is added to a number before its unit.
    fn quarters(&self, at: usize) -> Option<(usize, f64)> {
        let at = self.small(at, Small::And)?;
        let written = self
            .digits(self.past_article(at))
            .filter(|(_, part)| *part > 0.0 && *part < 1.0);
        if let Some((end, part)) = written.filter(|(end, _)| self.unit(*end).is_some()) {
            return Some((end, part));
        }
        let (at, number) = self.number(at).unwrap_or((at, 1.0));
        let end = self.role(at, Role::Quarter)?;
        let end = self.small(end, Small::Of).unwrap_or(end);
        self.unit(end).map(|_| (end, number / 4.0))
    }

    /// "and a quarter", "e tre quarti": what is added to a number behind its unit.
    fn quarters_behind(&self, at: usize) -> Option<(usize, f64)> {
        let next = self.joint(at);
        let (quarter, number) = match self.role(next, Role::Quarter) {
            Some(_) => (next, 1.0),
            None => self.number(next)?,
        };
        let end = self.role(quarter, Role::Quarter).filter(|_| next > at)?;
        let goes_on = self.role(end, Role::Of).or_else(|| self.small(end, Small::Of));
        goes_on.is_none().then_some((end, number / 4.0))
    }

    /// "half an hour", "mezz'ora", "three-quarters of an hour", "un quarto d'ora", "half a day".
    fn fraction_of(&self, at: usize) -> Option<(usize, (f64, Unit))> {
        if self.items.get(at).is_some_and(|item| item.kind == Kind::Sign('½')) {
            let (end, unit) = self.unit(at + 1)?;
            return Some((end, (0.5, unit)));
        }
        if let Some(end) = self.role(at, Role::HalfOf) {
            let (end, unit) = self.unit(end)?;
            return Some((end, (0.5, unit)));
        }
        if let Some(end) = self.role(at, Role::HalfHour) {
            return Some((end, (0.5, Unit::Hour)));
        }
        let (mut next, number) = self.number(at).unwrap_or((at, 1.0));
        if self.sign(next) == Some('-') {
            next += 1;
        }
        let end = self.role(next, Role::Quarter)?;
        let end = self.role(end, Role::Of).or_else(|| self.small(end, Small::Of))?;
        let (end, unit) = self.unit(self.past_article(end))?;
        (unit <= Unit::Hour).then_some((end, (number / 4.0, unit)))
    }
}

/// What may still be added behind a number: ones behind tens, anything below a hundred behind hundreds.
fn room_after(number: u64) -> u64 {
    match number {
        20..=90 if number.is_multiple_of(10) => 10,
        100 => 100,
        1000.. => 1000,
        _ => 0,
    }
}
