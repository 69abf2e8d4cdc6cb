//! Dates as they are written and said: "2026-11-20", "3/11", "13-15 July", "Tuesday the 19th", "il primo", "2018 Q4".
//! Part of the parser of `language::time`.

use jiff::civil::Date;

use super::{
    parser::Parser,
    senses::{Role, Sense, Small},
    spec::Spec,
    words::Kind,
    years::full_year,
};

impl Parser<'_> {
    /// A date in digits or with a month's name; the longest.
    pub(super) fn written_date(&self, at: usize) -> Option<(usize, Spec)> {
        let found = [
            self.year_first(at),
            self.numeric(at),
            self.day_month(at).filter(|_| !self.is_beginning(at)),
            self.month_day(at),
            self.month_year(at),
            self.day_only(at),
            self.day_range(at),
        ];
        found.into_iter().flatten().max_by_key(|(end, _)| *end)
    }

    fn separator(&self, at: usize, wanted: char) -> bool {
        self.sign(at) == Some(wanted)
    }

    /// Nothing that makes digits part of a longer code stands behind.
    pub(super) fn ends_number(&self, at: usize) -> bool {
        let Some(item) = self.items.get(at).filter(|item| item.glued) else {
            return true;
        };
        match item.kind {
            Kind::Digits => false,
            Kind::Word => item.fold == "t" || self.words.is_small(&item.fold, Small::Possessive),
            Kind::Sign('/' | '-' | '.' | ':' | '_') => !self
                .items
                .get(at + 1)
                .is_some_and(|next| next.glued && next.kind == Kind::Digits),
            Kind::Sign(_) => true,
        }
    }

    /// "2015-3-3", "2015/08/12", "2018-Sep-23", "2015-3", "20161016".
    fn year_first(&self, at: usize) -> Option<(usize, Spec)> {
        let item = self.items.get(at).filter(|item| item.kind == Kind::Digits)?;
        let number = self.integer(at)?;
        if item.fold.len() == 8 {
            let (year, month, day) = (
                (number / 10_000) as i16,
                (number / 100 % 100) as i8,
                (number % 100) as i8,
            );
            let good = (1900..2100).contains(&year) && self.ends_number(at + 1);
            return good
                .then(|| Date::new(year, month, day).ok())
                .flatten()
                .map(|date| (at + 1, Spec::date(date)));
        }
        if item.fold.len() != 4 || number < 1000 {
            return None;
        }
        let sign = self
            .sign(at + 1)
            .filter(|sign| matches!(sign, '-' | '/' | '.') && self.glued(at + 1) && self.glued(at + 2))?;
        let year = number as i16;
        let (next, first) = self.month_or_number(at + 2)?;
        if self.separator(next, sign)
            && self.glued(next + 1)
            && let Some((end, second)) = self.month_or_number(next + 1)
        {
            let named = self.month(next + 1).is_some();
            let date = if named {
                Date::new(year, second, first)
            } else {
                Date::new(year, first, second)
            }
            .ok()?;
            // "2026-11-20T08:00": the time is read as a time.
            let end = if self.items.get(end).is_some_and(|item| item.glued && item.fold == "t") {
                end + 1
            } else {
                end
            };
            return self.ends_number(end).then(|| (end, Spec::date(date)));
        }
        let month = (1..=12).contains(&first) && sign != '.' && self.ends_number(next);
        month.then(|| {
            (
                next,
                Spec {
                    year: Some(year),
                    month: Some(first),
                    ..Spec::default()
                },
            )
        })
    }

    fn month_or_number(&self, at: usize) -> Option<(usize, i8)> {
        if let Some((end, month)) = self.month(at) {
            return Some((end, month));
        }
        let item = self
            .items
            .get(at)
            .filter(|item| item.kind == Kind::Digits && item.fold.len() <= 2)?;
        let number: i8 = item.fold.parse().ok()?;
        Some((at + 1, number))
    }

    /// "31/10/1974", "10-31-74", "23.04.2022", "2/15", "3/2015", "31/Oct/1974".
    fn numeric(&self, at: usize) -> Option<(usize, Spec)> {
        let (next, one) = self.month_or_number(at)?;
        let tight = self.glued(next) && self.glued(next + 1);
        let sign = self.sign(next).filter(|sign| matches!(sign, '/' | '-' | '.'))?;
        if !tight && sign != '/' {
            return None;
        }
        let named_first = self.month(at).is_some();
        if let Some(year) = self
            .items
            .get(next + 1)
            .filter(|item| item.kind == Kind::Digits && item.fold.len() == 4 && sign == '/')
            && let Ok(year) = year.fold.parse::<i16>()
            && self.ends_number(next + 2)
            && (1..=12).contains(&one)
        {
            return Some((
                next + 2,
                Spec {
                    year: Some(year),
                    month: Some(one),
                    ..Spec::default()
                },
            ));
        }
        let (middle, two) = self.month_or_number(next + 1)?;
        let named = named_first || self.month(next + 1).is_some();
        let (day, month) = self.day_and_month(one, two, named_first, self.month(next + 1).is_some())?;
        if self.separator(middle, sign)
            && let Some(item) = self.items.get(middle + 1).filter(|item| item.kind == Kind::Digits)
            && matches!(item.fold.len(), 2 | 4)
            && (self.ends_number(middle + 2) || item.fold.len() == 4 && self.sign(middle + 2) == Some('-'))
        {
            let year = full_year(item.fold.parse().ok()?, item.fold.len());
            let date = Date::new(year, month, day)
                .or_else(|_| Date::new(year, day, month))
                .ok()?;
            return Some((middle + 2, Spec::date(date)));
        }
        // Two parts only: with a slash, or where a date is expected.
        let expected = at.checked_sub(1).is_some_and(|before| self.expects_date(before));
        let clear = named
            || sign == '/' && self.unit(middle).is_none()
            || expected && sign != '-'
            || expected && self.words.day_first;
        let ends = self.ends_number(middle) || sign != '-' && self.sign(middle) == Some('-');
        (clear && ends).then(|| {
            (
                middle,
                Spec {
                    month: Some(month),
                    day: Some(day),
                    ..Spec::default()
                },
            )
        })
    }

    fn expects_date(&self, before: usize) -> bool {
        self.weekday(before).is_some()
            || self.role(before, Role::On).is_some()
            || self.role(before, Role::This).is_some()
    }

    /// Which of two numbers is the day, by the language's order when both could be.
    fn day_and_month(&self, one: i8, two: i8, first_named: bool, second_named: bool) -> Option<(i8, i8)> {
        let good = |day: i8, month: i8| (1..=12).contains(&month) && (1..=31).contains(&day);
        let orders = if first_named {
            [(two, one), (two, one)]
        } else if second_named || self.words.day_first {
            [(one, two), (two, one)]
        } else {
            [(two, one), (one, two)]
        };
        orders.into_iter().find(|(day, month)| good(*day, *month))
    }

    /// A day of the month before or behind its month: "15", "15th", "fifteenth", "twenty second", "primo".
    fn month_number(&self, at: usize) -> Option<(usize, i8)> {
        let (end, number) = match self.ordinal(at) {
            Some(found) => found,
            None => match self.integer(at) {
                Some(number) => (at + 1, number),
                None => self
                    .worded(at)
                    .filter(|_| !self.is_article(at))
                    .map(|(end, number)| (end, number as i64))?,
            },
        };
        let number = i8::try_from(number).ok().filter(|number| (1..=31).contains(number))?;
        Some((end, number))
    }

    /// "15 of February 2013", "13-15 luglio", "the 13th to the 15th July", "14april 2015".
    pub(super) fn day_month(&self, at: usize) -> Option<(usize, Spec)> {
        let start = [Role::Between, Role::From, Role::Since]
            .into_iter()
            .find_map(|role| self.role(at, role))
            .unwrap_or(at);
        let start = self.past_role(start, Role::The);
        let (mut next, day) = self.month_number(start)?;
        let mut until = None;
        for role in [Role::To, Role::And, Role::Until] {
            if let Some(joint) = self.role(next, role)
                && let Some((end, last)) = self.month_number(self.past_role(joint, Role::The))
                && last > day
                && self.month_behind(end).is_some()
            {
                until = Some(last);
                next = end;
                break;
            }
        }
        if start != at && until.is_none() && self.role(at, Role::The).is_none() {
            return None;
        }
        // "the twenty third day of September"
        let next = match self.unit(next) {
            Some((end, super::Unit::Day)) if self.month_behind(end).is_some() => end,
            Some(_) | None => next,
        };
        let (end, month) = self.month_behind(next)?;
        // "one may ask"
        let worded = self.integer(start).is_none() && self.ordinal(start).is_none();
        if worded
            && self
                .items
                .get(end - 1)
                .is_some_and(|item| !item.capital && self.words.is_weak(&item.fold))
            && !self.words.postposed
        {
            return None;
        }
        let (end, year) = self.year_behind(end, true);
        Some((
            end,
            Spec {
                day: Some(day),
                day_until: until,
                month: Some(month),
                year,
                ..Spec::default()
            },
        ))
    }

    fn month_behind(&self, at: usize) -> Option<(usize, i8)> {
        let dashed = if matches!(self.sign(at), Some('-' | '/' | ',')) {
            at + 1
        } else {
            at
        };
        let of = self.past_role(dashed, Role::Of);
        self.month(of).or_else(|| self.month(dashed))
    }

    /// "March 3rd 2015", "Jul 18", "February the 22nd", "July 13-15", "april ninth through seventeenth".
    pub(super) fn month_day(&self, at: usize) -> Option<(usize, Spec)> {
        let (next, month) = self.month(at)?;
        let next = if matches!(self.sign(next), Some('-' | '/')) || self.sign(next) == Some(',') {
            next + 1
        } else {
            next
        };
        let start = self.past_role(next, Role::The);
        let (mut end, day) = self.month_number(start)?;
        // "march 8pm", "oct 2014" and "may 5 files" are no days.
        let plain = self.integer(start).is_some() && self.ordinal(start).is_none();
        if plain
            && (self.sign(end) == Some(':') && self.glued(end)
                || self.clock(start, false).is_some_and(|(_, clock)| !clock.bare))
        {
            return None;
        }
        let mut until = None;
        for role in [Role::To, Role::And, Role::Until] {
            if let Some(joint) = self.role(end, role)
                && let Some((after, last)) = self.month_number(self.past_role(joint, Role::The))
                && last > day
                && self.month_behind(after).is_none()
                && self.clock(joint, false).is_none_or(|(_, clock)| clock.bare)
                && self.ends_number(after)
            {
                until = Some(last);
                end = after;
                break;
            }
        }
        let (end, year) = self.year_behind(end, false);
        // "mar 19" is a Tuesday.
        if self.weekday(at).is_some() && year.is_none() {
            return None;
        }
        Some((
            end,
            Spec {
                day: Some(day),
                day_until: until,
                month: Some(month),
                year,
                ..Spec::default()
            },
        ))
    }

    /// "March", "October 2014", "Dec/2018", "agosto 99", "Giugno del millenovecentonovantanove".
    fn month_year(&self, at: usize) -> Option<(usize, Spec)> {
        let (next, month) = self.month(at)?;
        let slashed = if matches!(self.sign(next), Some('/' | '-')) && self.glued(next + 1) {
            next + 1
        } else {
            next
        };
        // "Feb 18" is a day where the month comes first.
        let (end, year) = self.year_behind(slashed, self.words.postposed);
        if self.weekday(at).is_some() && year.is_none() {
            return None;
        }
        let end = if year.is_some() { end } else { next };
        Some((
            end,
            Spec {
                month: Some(month),
                year,
                ..Spec::default()
            },
        ))
    }

    /// "the 15th", "on the 4th", "il ventidue", "il primo".
    fn day_only(&self, at: usize) -> Option<(usize, Spec)> {
        let on = self.role(at, Role::On);
        // "20th of the next month"
        if let Some((end, day)) = self.ordinal(at)
            && let Some(of) = self.role(end, Role::Of)
            && [Role::This, Role::Next, Role::Last].into_iter().any(|role| {
                self.role(of, role)
                    .or_else(|| self.role(self.past_role(of, Role::The), role))
                    .is_some_and(|next| self.unit(next).is_some_and(|(_, unit)| unit == super::Unit::Month))
            })
            && let Ok(day @ 1..=31) = i8::try_from(day)
        {
            return Some((
                end,
                Spec {
                    day: Some(day),
                    ..Spec::default()
                },
            ));
        }
        // "le prime" counts, "il primo" is a day.
        let the = self.role(at, Role::The).filter(|_| !self.words.postposed);
        let start = on.or(the)?;
        let (end, day) = match self.ordinal(start) {
            Some(found) => found,
            None if self.words.postposed && on.is_some() => {
                let (end, number) = match self.integer(start) {
                    Some(number) => (start + 1, number),
                    None => self
                        .worded(start)
                        .filter(|_| !self.is_article(start))
                        .map(|(end, number)| (end, number as i64))?,
                };
                (end, number)
            }
            None => return None,
        };
        let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
        (self.ends_number(end) && self.ends_phrase(end)).then(|| {
            (
                end,
                Spec {
                    day: Some(day),
                    bound: on.and_then(|on| self.bound_before_day(at, on)),
                    ..Spec::default()
                },
            )
        })
    }

    /// "dal 4 al 22", "between the 2nd and the 5th", "from 4-23 next month": days of a month that stands elsewhere.
    fn day_range(&self, at: usize) -> Option<(usize, Spec)> {
        let led = [Role::Between, Role::From, Role::Since]
            .into_iter()
            .filter_map(|role| self.role(at, role))
            .max()?;
        let (next, day) = self.month_number(self.past_role(led, Role::The))?;
        let joint = [Role::To, Role::And, Role::Until]
            .into_iter()
            .filter_map(|role| self.role(next, role))
            .max()?;
        let (end, last) = self.month_number(self.past_role(joint, Role::The))?;
        let month_named = self.behind_glue(end).into_iter().any(|place| {
            let end = [Role::This, Role::Next, Role::Last]
                .into_iter()
                .find_map(|role| self.role(place, role));
            end.is_some_and(|end| self.unit(end).is_some_and(|(_, unit)| unit == super::Unit::Month))
        });
        let days = self.is_after_small(led, Small::DayArticle) || month_named;
        let spec = Spec {
            day: Some(day),
            day_until: Some(last),
            ..Spec::default()
        };
        (last > day && days && self.ends_phrase(end)).then_some((end, spec))
    }

    /// No noun follows that the number would count.
    pub(super) fn ends_phrase(&self, at: usize) -> bool {
        let Some(item) = self.items.get(at) else { return true };
        match item.kind {
            Kind::Sign(sign) => !matches!(sign, '%' | '/' | ':' | '€' | '$' | '°'),
            // "the first 10 lines"
            Kind::Digits => self.clock(at, false).is_some_and(|(_, clock)| !clock.bare),
            Kind::Word => {
                let counted = item.senses.iter().any(|(_, sense)| {
                    matches!(
                        sense,
                        Sense::Unit(_) | Sense::Season(_) | Sense::Cardinal(2..) | Sense::Vague(_)
                    )
                });
                !item.senses.is_empty() && !counted
                    || [Small::With, Small::And, Small::Or]
                        .into_iter()
                        .any(|small| self.small(at, small).is_some())
            }
        }
    }

    /// "Tuesday", "Tuesday the 19th", "Thu 15th", "venerdì ventidue", "Monday, Feb 18".
    pub(super) fn weekday_phrase(&self, at: usize) -> Option<(usize, Spec)> {
        let (end, weekday) = self.weekday(at)?;
        let spec = Spec {
            weekday: Some(weekday),
            ..Spec::default()
        };
        let start = self.past_role(end, Role::The);
        let number = self
            .ordinal(start)
            .filter(|(after, _)| start != end || self.ends_phrase(*after))
            .or_else(|| self.integer(end).map(|number| (end + 1, number)))
            .or_else(|| {
                self.worded(end)
                    .filter(|_| self.words.postposed && !self.is_article(end))
                    .map(|(after, number)| (after, number as i64))
            });
        let Some((after, day)) = number else {
            return Some((end, spec));
        };
        let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day));
        let timed = self.sign(after).is_some_and(|sign| {
            matches!(sign, ':' | '-' | '/' | '\u{2013}')
                || sign == '.'
                    && self
                        .items
                        .get(after + 1)
                        .is_some_and(|item| item.glued && item.kind == Kind::Digits)
        }) || self.half_follows(after)
            || self.role(after, Role::HourMark).is_some()
            || self
                .role(after, Role::To)
                .is_some_and(|joint| self.marked_clock(joint).is_some())
                && self.integer(end).is_some()
            || self.unit(after).is_some()
            || self
                .items
                .get(after)
                .is_some_and(|item| item.glued && item.kind == Kind::Word);
        match day {
            Some(day) if !timed && self.month_behind(after).is_none() => Some((after, Spec { day: Some(day), ..spec })),
            Some(_) | None => Some((end, spec)),
        }
    }
}
