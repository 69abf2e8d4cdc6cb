//! Years, decades and quarters: "2015", "'87", "nineteen eighty six", "anni settanta", "2018 Q4". Part of the parser of
//! `language::time`.

use super::{
    Unit,
    parser::Parser,
    senses::Role,
    spec::{Anchor, Spec},
    words::Kind,
};

impl Parser<'_> {
    /// The year behind a date: "2015", ", 2015", "of 1987", "'87", "nineteen eighty six".
    pub(super) fn year_behind(&self, at: usize, short: bool) -> (usize, Option<i16>) {
        let comma = if matches!(self.sign(at), Some(',' | '-' | '/')) {
            at + 1
        } else {
            at
        };
        let of = self.past_role(comma, Role::Of);
        for start in [of, comma] {
            if let Some((end, year)) = self.year_number(start, of != comma || short) {
                return (end, Some(year));
            }
        }
        (at, None)
    }

    /// A year in digits or in words; with two digits only where one is expected.
    pub(super) fn year_number(&self, at: usize, short: bool) -> Option<(usize, i16)> {
        let quoted = matches!(self.sign(at), Some('\'' | '\u{2019}'));
        let start = at + usize::from(quoted);
        if let Some(item) = self.items.get(start).filter(|item| item.kind == Kind::Digits) {
            let clock = self.sign(start + 1) == Some(':') && self.glued(start + 1) || self.half_follows(start + 1);
            let number: i16 = item.fold.parse().ok()?;
            let good = item.fold.len() == 4 && number >= 1000 || item.fold.len() == 2 && (quoted || short);
            let unit = self.unit(start + 1).is_some() || self.month(start + 1).is_some();
            return (good && !clock && !unit && self.ends_number(start + 1))
                .then(|| (start + 1, full_year(number, item.fold.len())));
        }
        let (end, number) = self.worded(at)?;
        if (1000..2200).contains(&number) {
            return Some((end, number as i16));
        }
        // "nineteen eighty six", "seventeen hundred thirty three" is one number already.
        let (end, rest) = self
            .worded(end)
            .filter(|(_, rest)| (10..100).contains(rest) && (11..=21).contains(&number))?;
        Some((end, (number * 100 + rest) as i16))
    }

    pub(super) fn half_follows(&self, at: usize) -> bool {
        self.role(at, Role::Am).is_some() || self.role(at, Role::Pm).is_some()
    }

    /// "in 2014", "the year 2008", "since 2012", "the 1990s", "anni settanta".
    pub(super) fn year_phrase(&self, at: usize) -> Option<(usize, Spec)> {
        if let Some(found) = self.decade(at) {
            return Some(found);
        }
        let year_spec = |year: i16| Spec {
            year: Some(year),
            ..Spec::default()
        };
        if let Some(start) = self.role(at, Role::YearWord)
            && let Some((end, year)) = self.year_number(start, false)
        {
            return Some((end, year_spec(year)));
        }
        let item = self.items.get(at)?;
        if item.kind == Kind::Digits && item.fold.len() == 4 {
            let led = at
                .checked_sub(1)
                .is_some_and(|before| self.sign(before).is_none() && self.leads_year(before));
            let (end, year) = self.year_number(at, false)?;
            let end = self.past_role(end, Role::Era);
            return ((1900..2100).contains(&year) && (led && self.ends_phrase(end))
                || at > 0 && self.sign(at - 1) == Some('='))
            .then(|| (end, year_spec(year)));
        }
        let led = at.checked_sub(1).is_some_and(|before| self.leads_year(before));
        let (end, year) = self.year_number(at, false)?;
        (led && item.kind == Kind::Word && (1100..2100).contains(&year) && self.ends_phrase(end))
            .then(|| (end, year_spec(year)))
    }

    pub(super) fn leads_year(&self, before: usize) -> bool {
        [
            Role::Glue,
            Role::Since,
            Role::Until,
            Role::Before,
            Role::After,
            Role::By,
            Role::On,
            Role::Between,
            Role::And,
            Role::To,
        ]
        .into_iter()
        .any(|role| {
            (0..3).any(|back| {
                before
                    .checked_sub(back)
                    .is_some_and(|start| self.role(start, role) == Some(before + 1))
            })
        })
    }

    pub(super) fn decade(&self, at: usize) -> Option<(usize, Spec)> {
        let start = self.past_role(at, Role::The);
        if self.words.postposed {
            let (next, unit) = self.unit(start)?;
            if unit != Unit::Year {
                return None;
            }
            let quoted = next + usize::from(matches!(self.sign(next), Some('\'' | '\u{2019}')));
            let number = self.integer(quoted).map(|number| (quoted + 1, number));
            let (end, number) = number.or_else(|| self.worded(quoted).map(|(end, number)| (end, number as i64)))?;
            let good = number % 10 == 0 && ((20..100).contains(&number) || (1500..2100).contains(&number));
            return good.then(|| (end, Spec::anchored(Anchor::Decade(number as i16))));
        }
        let quoted = start + usize::from(self.sign(start) == Some('\''));
        let number = self.integer(quoted)?;
        let end = self
            .role(quoted + 1, Role::DecadeMark)
            .filter(|_| self.glued(quoted + 1))?;
        let good = number % 10 == 0 && ((20..100).contains(&number) || (1500..2100).contains(&number));
        good.then(|| (end, Spec::anchored(Anchor::Decade(number as i16))))
    }

    /// "Q1 2019", "2018Q4", "the third quarter of 2018", "H2 2019", "quarto trimestre 2018".
    pub(super) fn quarter_phrase(&self, at: usize) -> Option<(usize, Spec)> {
        if let Some(year) = self.integer(at).filter(|year| (1900..2100).contains(year)) {
            let next = at + 1 + usize::from(self.sign(at + 1) == Some('-'));
            let (end, anchor) = self.short_quarter(next)?;
            return Some((
                end,
                Spec {
                    year: Some(year as i16),
                    ..Spec::anchored(anchor)
                },
            ));
        }
        let (end, anchor) = match self.short_quarter(at) {
            Some(found) => found,
            None => {
                let start = self.past_role(at, Role::The);
                let (next, number) = self.ordinal(start)?;
                let (end, unit) = self.unit(next)?;
                let number = i8::try_from(number).ok()?;
                match unit {
                    Unit::Quarter if (1..=4).contains(&number) => (end, Anchor::Quarter(number)),
                    Unit::Half if (1..=2).contains(&number) => (end, Anchor::HalfYear(number)),
                    Unit::Second
                    | Unit::Minute
                    | Unit::Hour
                    | Unit::Day
                    | Unit::Workday
                    | Unit::Weekend
                    | Unit::Workweek
                    | Unit::Week
                    | Unit::Fortnight
                    | Unit::Month
                    | Unit::Quarter
                    | Unit::Half
                    | Unit::Year
                    | Unit::Decade
                    | Unit::Century => return None,
                }
            }
        };
        let (end, year) = self.year_behind(end, false);
        // "the first quarter of the year"
        if year.is_none()
            && let Some(after) = self.role(end, Role::Of)
            && let Some(after) = self.role(self.past_role(after, Role::The), Role::YearWord)
        {
            return Some((after, Spec::anchored(anchor)));
        }
        Some((
            end,
            Spec {
                year,
                ..Spec::anchored(anchor)
            },
        ))
    }

    pub(super) fn short_quarter(&self, at: usize) -> Option<(usize, Anchor)> {
        let item = self.items.get(at)?;
        let number = self.integer(at + 1).filter(|_| self.glued(at + 1))?;
        match (item.fold.as_str(), number) {
            ("q", 1..=4) => Some((at + 2, Anchor::Quarter(number as i8))),
            ("h", 1..=2) => Some((at + 2, Anchor::HalfYear(number as i8))),
            _ => None,
        }
    }
}

/// Two digits: this century up to 49, the last from 50 on.
pub(super) fn full_year(year: i16, digits: usize) -> i16 {
    match year {
        _ if digits > 2 => year,
        0..=49 => 2000 + year,
        _ => 1900 + year,
    }
}
