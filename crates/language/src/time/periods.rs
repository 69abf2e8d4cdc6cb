//! What a date is counted from, turned into days and periods: windows, holidays, the nth of a month, the end of a year.
//! Part of `language::time`.

use jiff::{
    Span, ToSpan,
    civil::{Date, DateTime, Time},
};

use super::{
    Unit,
    calendar::{days, monday, one_day, shifted, span_of, unit_around},
    parser::Parser,
    spec::{Anchor, Counted, Interval, Length, Pick, Piece, Spec},
};

impl Parser<'_> {
    /// The days or periods, without a time of day.
    pub(super) fn dates(&self, spec: &Spec) -> Vec<Interval> {
        let Some(anchor) = &spec.anchor else {
            return self.fields(spec);
        };
        let found = match anchor {
            Anchor::At(interval) => vec![*interval],
            Anchor::Window(number, unit) => self.window(*number, *unit).into_iter().collect(),
            Anchor::Holiday(rule) => self.yearly(spec, |year| one_day(rule.in_year(year)?)),
            Anchor::Season(season) => {
                let month = 3 * (*season as i8 + 1);
                self.yearly(spec, |year| {
                    let start = Date::new(year, month, 21).ok()?;
                    Some(days(start, start.checked_add(3.months()).ok()?, Unit::Quarter))
                })
            }
            Anchor::Quarter(number) => self.yearly_here(spec, |year| {
                let start = Date::new(year, 3 * (number - 1) + 1, 1).ok()?;
                Some(days(start, start.checked_add(3.months()).ok()?, Unit::Quarter))
            }),
            Anchor::HalfYear(number) => self.yearly_here(spec, |year| {
                let start = Date::new(year, 6 * (number - 1) + 1, 1).ok()?;
                Some(days(start, start.checked_add(6.months()).ok()?, Unit::Half))
            }),
            Anchor::WeekNumber(number) => self.yearly_here(spec, |year| {
                let first = monday(Date::new(year, 1, 4).ok()?);
                let start = first.checked_add(i64::from(number - 1).weeks()).ok()?;
                Some(days(start, start.checked_add(1.week()).ok()?, Unit::Week))
            }),
            Anchor::Decade(year) => decades(*year),
            Anchor::Nth(rank, counted, many, of) => {
                let of = self.dates(of);
                of.into_iter()
                    .filter_map(|of| self.nth_in(of, *rank, *counted, *many))
                    .collect()
            }
            Anchor::Piece(piece, of) => {
                let absolute = of.year.is_some();
                let of = self.dates(of);
                of.into_iter()
                    .filter_map(|of| self.piece_of(of, *piece, absolute))
                    .collect()
            }
            Anchor::Shift(sign, length, from) => {
                let from = self.intervals(from);
                from.into_iter()
                    .filter_map(|from| self.shift(from, length, *sign))
                    .collect()
            }
            Anchor::Around(unit, of) => {
                let of = self.dates(of);
                of.into_iter()
                    .filter_map(|of| unit_around(of.start, *unit, 0, self.conventions))
                    .collect()
            }
        };
        match (anchor, spec.weekday) {
            (Anchor::At(_) | Anchor::Shift(..), Some(weekday)) => found
                .into_iter()
                .filter_map(|day| on_weekday(day, weekday, anchor))
                .collect(),
            _ => found,
        }
    }

    /// Something that is once a year: of the year that is named, or the next one and the last one.
    pub(super) fn yearly(&self, spec: &Spec, in_year: impl Fn(i16) -> Option<Interval>) -> Vec<Interval> {
        if let Some(year) = spec.year {
            return in_year(year).into_iter().collect();
        }
        if let Some(within) = spec.within {
            return (within.start.year()..=within.end.year())
                .filter_map(in_year)
                .filter(|interval| interval.start >= within.start && interval.start < within.end)
                .collect();
        }
        let now = self.today().to_datetime(Time::midnight());
        let year = now.year();
        let near: Vec<Interval> = (year - 1..=year + 1).filter_map(in_year).collect();
        let next = near.iter().find(|interval| interval.end > now).copied();
        let last = near.iter().rev().find(|interval| interval.end <= now).copied();
        match spec.pick {
            Some(Pick::Last) => last.into_iter().collect(),
            Some(Pick::Next) => next.into_iter().collect(),
            // "This summer", said in November: of what has been it is the one that is over.
            Some(Pick::This) | None => next.into_iter().chain(last).collect(),
        }
    }

    /// As `yearly`, but this year's when no year is named, even if it is over.
    pub(super) fn yearly_here(&self, spec: &Spec, in_year: impl Fn(i16) -> Option<Interval>) -> Vec<Interval> {
        let year = spec.year.or_else(|| spec.within.map(|within| within.start.year()));
        match year {
            Some(year) => in_year(year).into_iter().collect(),
            None => {
                let year = self.today().year();
                in_year(year).into_iter().chain(in_year(year + 1)).collect()
            }
        }
    }

    /// So many units before now or after it.
    pub(super) fn window(&self, number: i64, unit: Unit) -> Option<Interval> {
        let now = self.now.datetime();
        let count = number.abs();
        let aligned = self.conventions.whole_units
            || matches!(
                unit,
                Unit::Quarter | Unit::Decade | Unit::Century | Unit::Workday | Unit::Weekend | Unit::Workweek
            );
        if aligned {
            let one = unit_around(now, unit, number.signum(), self.conventions)?;
            let far = unit_around(now, unit, number, self.conventions)?;
            return Some(Interval {
                start: one.start.min(far.start),
                end: one.end.max(far.end),
                grain: unit,
            });
        }
        let today = self.today();
        if unit < Unit::Day {
            let other = now.checked_add(span_of(unit, number)?).ok()?;
            return Some(Interval {
                start: now.min(other),
                end: now.max(other),
                grain: unit,
            });
        }
        let start = if number > 0 {
            today.tomorrow().ok()?
        } else {
            today.checked_sub(span_of(unit, count)?).ok()?
        };
        let end = if number > 0 {
            start.checked_add(span_of(unit, count)?).ok()?
        } else {
            today
        };
        Some(Interval {
            grain: Unit::Week,
            ..days(start, end, unit)
        })
    }

    /// A length before or after a time. Days and more make a day, hours and less a moment.
    pub(super) fn shift(&self, from: Interval, length: &Length, sign: f64) -> Option<Interval> {
        let unit = length.largest();
        let exact = from.grain == Unit::Second && from.start == from.end;
        let hours_only = unit < Unit::Day;
        if hours_only && exact {
            let seconds = (length.seconds() * sign).round() as i64;
            let at = self.now.checked_add(seconds.seconds()).ok()?.datetime();
            let at = if from.start == self.now.datetime() {
                at
            } else {
                shifted(from.start, length, sign)?
            };
            return Some(Interval {
                start: at,
                end: at,
                grain: Unit::Second,
            });
        }
        let base = if sign > 0.0 && from.grain > Unit::Day && from.end > from.start && !hours_only {
            from.end.checked_sub(1.day()).ok()?
        } else {
            from.start
        };
        let at = shifted(base, length, sign)?;
        let smallest = length.0.iter().map(|(_, unit)| *unit).min().unwrap_or(unit);
        if smallest < Unit::Day || from.grain < Unit::Day && !exact {
            return Some(Interval {
                start: at,
                end: at,
                grain: Unit::Minute,
            });
        }
        if exact && self.conventions.whole_units {
            return match unit {
                Unit::Day => {
                    let hour = at.with().minute(0).second(0).subsec_nanosecond(0).build().ok()?;
                    Some(Interval {
                        start: hour,
                        end: hour,
                        grain: Unit::Hour,
                    })
                }
                Unit::Year => unit_around(at, Unit::Month, 0, self.conventions),
                Unit::Second
                | Unit::Minute
                | Unit::Hour
                | Unit::Workday
                | Unit::Weekend
                | Unit::Workweek
                | Unit::Week
                | Unit::Fortnight
                | Unit::Month
                | Unit::Quarter
                | Unit::Half
                | Unit::Decade
                | Unit::Century => one_day(at.date()),
            };
        }
        one_day(at.date())
    }

    /// The nth of a period, or as many from there.
    pub(super) fn nth_in(&self, of: Interval, rank: i64, counted: Counted, many: i64) -> Option<Interval> {
        let back = rank < 0;
        let index = rank.abs() - 1;
        let last_day = of.end.date().yesterday().ok()?;
        let found = match counted {
            Counted::Weekday(day) => {
                let offset = i64::from(day - 1);
                let date = if back {
                    let gap = (i64::from(last_day.weekday().to_monday_zero_offset()) - offset).rem_euclid(7);
                    last_day.checked_sub((gap + 7 * index).days()).ok()?
                } else {
                    let gap = (offset - i64::from(of.start.date().weekday().to_monday_zero_offset())).rem_euclid(7);
                    of.start.date().checked_add((gap + 7 * index).days()).ok()?
                };
                one_day(date)?
            }
            Counted::Unit(Unit::Week | Unit::Weekend) => {
                // A week belongs to the period its Thursday is in; by whole units, to the one its Monday is in.
                let day = match counted {
                    Counted::Unit(Unit::Weekend) => 5,
                    _ if self.conventions.whole_units => 0,
                    Counted::Weekday(_) | Counted::Unit(_) => 3,
                };
                let date = if back {
                    let full = if self.conventions.whole_units && day == 0 {
                        last_day.checked_sub(6.days()).ok()?
                    } else {
                        last_day
                    };
                    let gap = (i64::from(full.weekday().to_monday_zero_offset()) - day).rem_euclid(7);
                    full.checked_sub((gap + 7 * (index + many - 1)).days()).ok()?
                } else {
                    let gap = (day - i64::from(of.start.date().weekday().to_monday_zero_offset())).rem_euclid(7);
                    of.start.date().checked_add((gap + 7 * index).days()).ok()?
                };
                let Counted::Unit(unit) = counted else { return None };
                let mut found = unit_around(date.to_datetime(Time::midnight()), unit, 0, self.conventions)?;
                found.end = found.end.checked_add((7 * (many - 1)).days()).ok()?;
                found
            }
            Counted::Unit(unit) => {
                let step = |from: DateTime, number: i64| from.checked_add(span_of(unit, number)?).ok();
                let start = if back {
                    step(of.end, -(index + many))?
                } else {
                    step(of.start, index)?
                };
                let mut found = Interval {
                    start,
                    end: step(start, many)?,
                    grain: unit,
                };
                if unit == Unit::Day && many > 1 {
                    found.grain = Unit::Week;
                }
                found
            }
        };
        (found.start.date() <= last_day && found.end > of.start).then_some(found)
    }

    /// The beginning, the middle or the end of a period.
    pub(super) fn piece_of(&self, of: Interval, piece: Piece, absolute: bool) -> Option<Interval> {
        let today = self.today();
        let (start, end) = (of.start.date(), of.end.date());
        let on = |span: Span| start.checked_add(span).ok();
        let month = |number: i64| on(Span::new().try_months(number).ok()?);
        let thirds = self.conventions.thirds;
        let early = matches!(piece, Piece::Early | Piece::Earlier);
        let (from, to) = match (of.grain, piece) {
            (_, Piece::Rest) => (today.max(start), end),
            (grain, Piece::Late | Piece::Later) if grain <= Unit::Day => {
                let at = of.end.checked_sub(1.second()).ok()?;
                return Some(Interval {
                    start: at,
                    end: if self.conventions.whole_units { of.end } else { at },
                    grain: Unit::Second,
                });
            }
            (grain, _) if grain <= Unit::Day => {
                let hours = if early { (0, 12) } else { (10, 14) };
                let at = |hour: i8| Some(start.to_datetime(Time::new(hour, 0, 0, 0).ok()?));
                return Some(Interval {
                    start: at(hours.0)?,
                    end: at(hours.1)?,
                    grain: Unit::Hour,
                });
            }
            (Unit::Week, Piece::Mid) => (on(2.days())?, on(5.days())?),
            (Unit::Week, _) if early => (start, on(3.days())?),
            (Unit::Week, _) => (end.checked_sub(3.days()).ok()?, end),
            (Unit::Month, Piece::Mid) if thirds => (on(10.days())?, on(20.days())?),
            (Unit::Month, Piece::Mid) => (on(9.days())?, on(20.days())?),
            (Unit::Month, _) if early => (start, on(if thirds { 10 } else { 15 }.days())?),
            (Unit::Month, _) => (on(if thirds { 20 } else { 15 }.days())?, end),
            (Unit::Year, Piece::Mid) => (month(4)?, month(8)?),
            (Unit::Year, _) if early && thirds => (start, month(3)?),
            (Unit::Year, _) if early && absolute => (start, month(4)?),
            (Unit::Year, _) if early => (start, month(6)?),
            (Unit::Year, _) if thirds || absolute => (month(8)?, end),
            (Unit::Year, _) => (month(6)?, end),
            (_, piece) => {
                let third = (end - start).get_days().max(3) / 3;
                let third = i64::from(third);
                match piece {
                    Piece::Mid => (on(third.days())?, on((2 * third).days())?),
                    _ if early => (start, on(third.days())?),
                    Piece::Early | Piece::Late | Piece::Earlier | Piece::Later | Piece::Rest => {
                        (end.checked_sub(third.days()).ok()?, end)
                    }
                }
            }
        };
        let (from, to) = match piece {
            Piece::Earlier => (from, to.min(today).max(start.tomorrow().ok()?)),
            Piece::Later => (from.max(today), to),
            Piece::Early | Piece::Mid | Piece::Late | Piece::Rest => (from, to),
        };
        Some(Interval {
            grain: Unit::Workweek,
            ..days(from, to, Unit::Day)
        })
    }
}

pub(super) fn decades(year: i16) -> Vec<Interval> {
    let starts = if year >= 100 {
        vec![year]
    } else {
        vec![1900 + year, 2000 + year]
    };
    let decade = |start: i16| {
        Some(days(
            Date::new(start, 1, 1).ok()?,
            Date::new(start + 10, 1, 1).ok()?,
            Unit::Decade,
        ))
    };
    starts.into_iter().filter_map(decade).collect()
}

/// A day of the week near a day that was counted to: of its week when weeks were counted, else the next.
pub(super) fn on_weekday(day: Interval, weekday: i8, anchor: &Anchor) -> Option<Interval> {
    if day.grain != Unit::Day {
        return Some(day);
    }
    let date = day.start.date();
    let weeks = matches!(anchor, Anchor::Shift(_, length, _) if length.largest() != Unit::Month);
    if weeks && date.weekday().to_monday_one_offset() > weekday {
        return one_day(monday(date).checked_add(i64::from(weekday - 1).days()).ok()?);
    }
    let ahead = (i64::from(weekday) - i64::from(date.weekday().to_monday_one_offset())).rem_euclid(7);
    one_day(date.checked_add(ahead.days()).ok()?)
}
