//! Units of the calendar around a moment: this week, next month, the quarter before. Used by `language::time`.

use jiff::{
    Span, ToSpan,
    civil::{Date, DateTime, Time},
};

use super::{
    Conventions, Unit,
    spec::{Interval, Length},
};

/// The unit a moment is in, moved by so many.
pub(super) fn unit_around(at: DateTime, unit: Unit, shift: i64, conventions: &Conventions) -> Option<Interval> {
    let date = at.date();
    let whole = |start: Date, span: Span| -> Option<Interval> {
        let end = start.checked_add(span).ok()?;
        Some(days(start, end, unit))
    };
    match unit {
        Unit::Second | Unit::Minute | Unit::Hour => {
            let time = at.time();
            let minute = if unit == Unit::Hour { 0 } else { time.minute() };
            let second = if unit == Unit::Second { time.second() } else { 0 };
            let floor = date.to_datetime(Time::new(time.hour(), minute, second, 0).ok()?);
            let start = floor.checked_add(span_of(unit, shift)?).ok()?;
            let end = start.checked_add(span_of(unit, 1)?).ok()?;
            Some(Interval {
                start,
                end,
                grain: unit,
            })
        }
        Unit::Day => whole(date.checked_add(shift.days()).ok()?, 1.day()),
        Unit::Workday => {
            let mut day = date;
            let step = if shift < 0 { -1 } else { 1 };
            let mut left = shift.abs();
            while left > 0 || is_weekend(day) {
                day = day.checked_add(step.days()).ok()?;
                left -= i64::from(!is_weekend(day));
            }
            whole(day, 1.day())
        }
        Unit::Week => whole(monday(date).checked_add(shift.weeks()).ok()?, 7.days()),
        Unit::Fortnight => whole(monday(date).checked_add((2 * shift).weeks()).ok()?, 14.days()),
        Unit::Workweek => whole(monday(date).checked_add(shift.weeks()).ok()?, 5.days()),
        Unit::Weekend => {
            let saturday = monday(date)
                .checked_add(shift.weeks())
                .ok()?
                .checked_add(5.days())
                .ok()?;
            let mut found = whole(saturday, 2.days())?;
            if let Some(hour) = conventions.weekend_from {
                let friday = saturday.checked_sub(1.day()).ok()?;
                found.start = friday.to_datetime(Time::new(hour, 0, 0, 0).ok()?);
            }
            Some(found)
        }
        Unit::Month => whole(date.first_of_month().checked_add(shift.months()).ok()?, 1.month()),
        Unit::Quarter => {
            let first = Date::new(date.year(), (date.month() - 1) / 3 * 3 + 1, 1).ok()?;
            whole(first.checked_add((3 * shift).months()).ok()?, 3.months())
        }
        Unit::Half => {
            let first = Date::new(date.year(), (date.month() - 1) / 6 * 6 + 1, 1).ok()?;
            whole(first.checked_add((6 * shift).months()).ok()?, 6.months())
        }
        Unit::Year => whole(date.first_of_year().checked_add(shift.years()).ok()?, 1.year()),
        Unit::Decade => {
            let first = Date::new(date.year() / 10 * 10, 1, 1).ok()?;
            whole(first.checked_add((10 * shift).years()).ok()?, 10.years())
        }
        Unit::Century => {
            let first = Date::new(date.year() / 100 * 100, 1, 1).ok()?;
            whole(first.checked_add((100 * shift).years()).ok()?, 100.years())
        }
    }
}

/// Whole days as an interval.
pub(super) fn days(start: Date, end: Date, grain: Unit) -> Interval {
    Interval {
        start: start.to_datetime(Time::midnight()),
        end: end.to_datetime(Time::midnight()),
        grain,
    }
}

pub(super) fn one_day(date: Date) -> Option<Interval> {
    Some(days(date, date.tomorrow().ok()?, Unit::Day))
}

pub(super) fn monday(date: Date) -> Date {
    let back = i64::from(date.weekday().to_monday_zero_offset());
    date.checked_sub(back.days()).unwrap_or(date)
}

fn is_weekend(date: Date) -> bool {
    date.weekday().to_monday_zero_offset() >= 5
}

/// So many of a unit, as the calendar adds them.
pub(super) fn span_of(unit: Unit, number: i64) -> Option<Span> {
    let span = Span::new();
    match unit {
        Unit::Second => span.try_seconds(number),
        Unit::Minute => span.try_minutes(number),
        Unit::Hour => span.try_hours(number),
        Unit::Day | Unit::Workday => span.try_days(number),
        Unit::Week | Unit::Weekend | Unit::Workweek => span.try_weeks(number),
        Unit::Fortnight => span.try_weeks(number.checked_mul(2)?),
        Unit::Month => span.try_months(number),
        Unit::Quarter => span.try_months(number.checked_mul(3)?),
        Unit::Half => span.try_months(number.checked_mul(6)?),
        Unit::Year => span.try_years(number),
        Unit::Decade => span.try_years(number.checked_mul(10)?),
        Unit::Century => span.try_years(number.checked_mul(100)?),
    }
    .ok()
}

/// A moment so much later, or earlier with a negative sign; parts of months and years count by their usual length.
pub(super) fn shifted(from: DateTime, length: &Length, sign: f64) -> Option<DateTime> {
    let mut at = from;
    for (number, unit) in &length.0 {
        let whole = number.trunc();
        at = at.checked_add(span_of(*unit, (sign * whole) as i64)?).ok()?;
        let rest = (number - whole) * unit.seconds() * sign;
        if rest != 0.0 {
            at = at
                .checked_add(Span::new().try_seconds(rest.round() as i64).ok()?)
                .ok()?;
        }
    }
    Some(at)
}
