//! Days and months that are only partly named: "Friday", "the 15th", "March", "Tuesday the 19th". The next that fits
//! and the last that did. Part of `language::time`.

use jiff::{
    ToSpan,
    civil::{Date, Time},
};

use super::{
    Unit,
    calendar::{days, monday, one_day, unit_around},
    parser::Parser,
    spec::{Interval, Pick, Spec},
};

/// How many years a day such as the 29th of February is looked for.
const YEARS_MAX: i16 = 9;

impl Parser<'_> {
    /// Days and months that are only partly named: the next that fits, then the last that did.
    pub(super) fn fields(&self, spec: &Spec) -> Vec<Interval> {
        if spec.day.is_none() && spec.weekday.is_none() {
            return self.months(spec);
        }
        if let Some(within) = spec.within {
            let mut found = Vec::new();
            let mut day = within.start.date();
            while day < within.end.date() && found.len() < 2 {
                if fits(day, spec) {
                    found.extend(until_of(day, spec));
                }
                let Ok(next) = day.tomorrow() else { break };
                day = next;
            }
            return found;
        }
        if let (Some(year), Some(month), Some(day)) = (spec.year, spec.month, spec.day) {
            return Date::new(year, month, day)
                .ok()
                .and_then(|day| until_of(day, spec))
                .into_iter()
                .collect();
        }
        let today = self.today();
        if let (Some(weekday), Some(pick), None, None) = (spec.weekday, spec.pick, spec.day, spec.month) {
            return picked_weekday(today, weekday, pick);
        }
        let from = spec.year.map_or(Some(today), |year| Date::new(year, 1, 1).ok());
        let Some(from) = from else { return Vec::new() };
        // A day of the week is another day than today; a date may be today.
        let lone = spec.weekday.is_some() && spec.day.is_none() && spec.month.is_none();
        let near = |day: &Date| spec.month.is_none() || (i32::from(day.year()) - i32::from(from.year())).abs() <= 1;
        let next = search(if lone { from.tomorrow().unwrap_or(from) } else { from }, spec, true);
        let last = if spec.year.is_some() {
            None
        } else {
            from.yesterday().ok().and_then(|from| search(from, spec, false))
        };
        // "Wednesday, 22 January" where that is no Wednesday soon: the date counts.
        if spec.weekday.is_some()
            && spec.month.is_some()
            && spec.day.is_some()
            && !next.as_ref().is_some_and(near)
            && !last.as_ref().is_some_and(near)
        {
            let pick = spec.pick.filter(|pick| *pick == Pick::Last);
            return self.fields(&Spec {
                weekday: None,
                pick,
                ..spec.clone()
            });
        }
        let (next, last) = match spec.pick {
            Some(Pick::Last) => (None, last),
            Some(Pick::Next) => (next, None),
            Some(Pick::This) | None => (next, last),
        };
        next.into_iter()
            .chain(last)
            .filter_map(|day| until_of(day, spec))
            .collect()
    }

    pub(super) fn months(&self, spec: &Spec) -> Vec<Interval> {
        let month_of = |year: i16, month: i8| {
            unit_around(
                Date::new(year, month, 1).ok()?.to_datetime(Time::midnight()),
                Unit::Month,
                0,
                self.conventions,
            )
        };
        let today = self.today();
        match (spec.year, spec.month, spec.within) {
            (Some(year), Some(month), _) => month_of(year, month).into_iter().collect(),
            (Some(year), None, _) => {
                let start = Date::new(year, 1, 1).ok().map(|day| day.to_datetime(Time::midnight()));
                start
                    .and_then(|start| unit_around(start, Unit::Year, 0, self.conventions))
                    .into_iter()
                    .collect()
            }
            (None, Some(month), Some(within)) => month_of(within.start.year(), month).into_iter().collect(),
            (None, Some(month), None) => {
                let next = if month >= today.month() {
                    today.year()
                } else {
                    today.year() + 1
                };
                let years: &[i16] = match spec.pick {
                    Some(Pick::This) => &[today.year(), today.year() - 1],
                    Some(Pick::Next) if month == today.month() => &[next + 1],
                    Some(Pick::Next) => &[next],
                    Some(Pick::Last) => &[next - 1],
                    None => &[next, next - 1],
                };
                years.iter().filter_map(|year| month_of(*year, month)).collect()
            }
            (None, None, within) => within.into_iter().collect(),
        }
    }
}

pub(super) fn fits(day: Date, spec: &Spec) -> bool {
    spec.day.is_none_or(|wanted| wanted == day.day())
        && spec.month.is_none_or(|wanted| wanted == day.month())
        && spec.year.is_none_or(|wanted| wanted == day.year())
        && spec
            .weekday
            .is_none_or(|wanted| wanted == day.weekday().to_monday_one_offset())
}

/// The first day from here that fits, forwards or back.
pub(super) fn search(from: Date, spec: &Spec, forwards: bool) -> Option<Date> {
    let mut day = from;
    let limit = from.year() + if forwards { YEARS_MAX } else { -YEARS_MAX };
    while day.year() != limit {
        if fits(day, spec) {
            return Some(day);
        }
        // Months that cannot fit are left out whole.
        let skip = spec.month.is_some_and(|month| month != day.month());
        day = match (skip, forwards) {
            (true, true) => day.last_of_month().tomorrow().ok()?,
            (true, false) => day.first_of_month().yesterday().ok()?,
            (false, true) => day.tomorrow().ok()?,
            (false, false) => day.yesterday().ok()?,
        };
    }
    None
}

/// A day, or the days from it until another of the same month.
pub(super) fn until_of(day: Date, spec: &Spec) -> Option<Interval> {
    let Some(until) = spec.day_until else {
        return one_day(day);
    };
    let last = Date::new(day.year(), day.month(), until).ok()?;
    Some(Interval {
        grain: Unit::Week,
        ..days(day, last.tomorrow().ok()?, Unit::Day)
    })
}

/// "this", "next" and "last" with a day of the week: both readings people have.
pub(super) fn picked_weekday(today: Date, weekday: i8, pick: Pick) -> Vec<Interval> {
    let offset = i64::from(weekday - 1);
    let of_week = |shift: i64| monday(today).checked_add((7 * shift + offset).days()).ok();
    let ahead = (offset - i64::from(today.weekday().to_monday_zero_offset())).rem_euclid(7);
    let days = match pick {
        Pick::This => [today.checked_add(ahead.days()).ok(), of_week(0)],
        Pick::Next => [
            of_week(1),
            today.checked_add(if ahead == 0 { 7 } else { ahead }.days()).ok(),
        ],
        Pick::Last => [today.checked_sub((7 - ahead).days()).ok(), of_week(-1)],
    };
    let mut found: Vec<Interval> = days.into_iter().flatten().filter_map(one_day).collect();
    found.dedup();
    found
}
