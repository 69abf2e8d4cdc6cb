//! What was said of a time, turned into intervals of the calendar: the likeliest reading first. Part of
//! `language::time`; it looks at no words.

use jiff::{
    Span, ToSpan,
    civil::{Date, DateTime, Time},
};

use super::{
    Ends, Part, Unit, Value,
    calendar::{days, monday, one_day, shifted, span_of, unit_around},
    clocks::half_of,
    parser::{Node, Parser},
    spec::{Anchor, Bound, Clock, Counted, HalfDay, Interval, Length, Pick, Piece, Spec},
};

/// How many years a day such as the 29th of February is looked for.
const YEARS_MAX: i16 = 9;

impl Parser<'_> {
    /// Everything a time can mean, the likeliest first.
    pub(super) fn resolve(&self, node: &Node) -> Vec<Value> {
        match node {
            Node::Point(spec) => self.point_values(spec),
            Node::Range(one, two) => self.range_values(one, two),
            Node::Stretch(from, length) => {
                let from = self.intervals(from);
                from.into_iter()
                    .filter_map(|from| Some(Value::Range(Some(from.start), Some(shifted(from.start, length, 1.0)?))))
                    .collect()
            }
            Node::Length(length) => vec![Value::Duration(length.seconds())],
            Node::Within(length) => {
                let now = self.now.datetime();
                shifted(now, length, 1.0)
                    .map(|end| Value::Range(Some(now), Some(end)))
                    .into_iter()
                    .collect()
            }
            Node::Again(again) => {
                let spec = self.again_spec(again);
                if spec == Spec::default() {
                    let seconds = again.unit.map_or(0.0, |unit| again.every as f64 * unit.seconds());
                    return vec![Value::Duration(seconds)];
                }
                self.point_values(&spec)
            }
        }
    }

    fn point_values(&self, spec: &Spec) -> Vec<Value> {
        let mut values = Vec::new();
        for interval in self.intervals(spec) {
            let value = match spec.bound {
                Some(bound) => self.open(bound, interval, spec),
                None => value_of(interval),
            };
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    fn open(&self, bound: Bound, interval: Interval, spec: &Spec) -> Value {
        let over = interval.grain > Unit::Day || spec.part.is_some() && spec.clock.is_none();
        let now = self.conventions.whole_units.then(|| self.now.datetime());
        match bound {
            Bound::Since => Value::Range(Some(interval.start), None),
            Bound::After if over => Value::Range(Some(interval.end), None),
            Bound::After => Value::Range(Some(interval.start), None),
            Bound::Before => Value::Range(None, Some(interval.start)),
            Bound::Until if interval.grain == Unit::Workweek => Value::Range(now, Some(interval.end)),
            Bound::Until if self.conventions.ends == Ends::Meant => Value::Range(None, Some(interval.end)),
            Bound::Until => Value::Range(None, Some(interval.start)),
            Bound::By => Value::Range(now, Some(interval.end)),
        }
    }

    fn range_values(&self, one: &Spec, two: &Spec) -> Vec<Value> {
        let ends = self.intervals(two);
        let mut values = Vec::new();
        for from in self.intervals(one) {
            let later = ends.iter().find(|end| end.start >= from.start).copied();
            let Some(end) = later.or_else(|| self.moved_behind(from, *ends.first()?, two)) else {
                continue;
            };
            let clock = two.clock.is_some();
            let end = match self.conventions.ends {
                Ends::Begin => end.start,
                Ends::Over if clock => end
                    .start
                    .checked_add(span_of(end.grain, 1).unwrap_or_default())
                    .unwrap_or(end.end),
                Ends::Meant | Ends::Over => end.end,
            };
            let value = Value::Range(Some(from.start), Some(end));
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    }

    /// An end that was found before its beginning is the next one of its kind.
    fn moved_behind(&self, from: Interval, end: Interval, spec: &Spec) -> Option<Interval> {
        let step = if spec.anchor.is_some() || spec.within.is_some() || spec.year.is_some() {
            return None;
        } else if spec.month.is_some() {
            1.year()
        } else if spec.weekday.is_some() {
            1.week()
        } else if spec.day.is_some() {
            1.month()
        } else {
            1.day()
        };
        let mut end = end;
        for _ in 0..60 {
            if end.start >= from.start {
                return Some(end);
            }
            end.start = end.start.checked_add(step).ok()?;
            end.end = end.end.checked_add(step).ok()?;
        }
        None
    }

    /// The intervals a time can be, the likeliest first.
    pub(super) fn intervals(&self, spec: &Spec) -> Vec<Interval> {
        let dates = if spec.has_date() { self.dates(spec) } else { Vec::new() };
        let found = match (spec.clock, spec.part) {
            (Some(clock), part) => self.clocked(&dates, clock, part, spec),
            (None, Some((part, piece))) => {
                let today = one_day(self.today());
                let dates = if spec.has_date() {
                    dates
                } else {
                    today.into_iter().collect()
                };
                dates
                    .into_iter()
                    .filter_map(|date| self.part_of(date.start.date(), part, piece))
                    .collect()
            }
            (None, None) => dates,
        };
        match spec.zone.filter(|_| spec.clock.is_some()) {
            Some(zone) => found
                .into_iter()
                .filter_map(|interval| self.zoned(interval, zone))
                .collect(),
            None => found,
        }
    }

    /// Moves a time of another zone to ours.
    fn zoned(&self, interval: Interval, minutes: i32) -> Option<Interval> {
        let ours = self.now.offset().seconds() / 60;
        let shift = Span::new().try_minutes(ours - minutes).ok()?;
        Some(Interval {
            start: interval.start.checked_add(shift).ok()?,
            end: interval.end.checked_add(shift).ok()?,
            ..interval
        })
    }

    fn clocked(
        &self,
        dates: &[Interval],
        clock: Clock,
        part: Option<(Part, Option<Piece>)>,
        spec: &Spec,
    ) -> Vec<Interval> {
        let mut clock = clock;
        let mut until = spec.until;
        if let Some((part, _)) = part {
            if clock.half == HalfDay::Unknown {
                clock.half = half_of(part, clock.hour);
            }
            if let Some(until) = until
                .as_mut()
                .filter(|until| until.half == HalfDay::Unknown && until.hour > clock.hour % 12)
            {
                until.half = half_of(part, until.hour);
            }
        }
        let pairs = pairs(clock, until);
        let now = self.now.datetime();
        let mut found: Vec<Interval> = Vec::new();
        for (start, end) in pairs {
            if dates.is_empty() && !spec.has_date() {
                let today = self.today();
                let soon = today.to_datetime(start);
                let date = if soon >= now {
                    today
                } else {
                    today.tomorrow().unwrap_or(today)
                };
                found.extend(self.between(date, start, end, clock, spec.until));
                if part.is_some() && date != today {
                    found.extend(self.between(today, start, end, clock, spec.until));
                }
                continue;
            }
            for date in dates {
                let night = matches!(part, Some((Part::Night, _))) && start.hour() < 5;
                let day = date.start.date();
                let day = if night && day.to_datetime(start) < now {
                    day.tomorrow().unwrap_or(day)
                } else {
                    day
                };
                found.extend(self.between(day, start, end, clock, spec.until));
            }
        }
        if dates.is_empty() && !spec.has_date() {
            found.sort_by_key(|interval| (interval.start < now, interval.start));
        } else if clock.half == HalfDay::Unknown && (1..7).contains(&clock.hour) && found.len() > 1 {
            // "tomorrow at 3" is in the afternoon.
            found.sort_by_key(|interval| interval.start.hour() < 12);
        }
        found
    }

    fn between(
        &self,
        date: Date,
        start: Time,
        end: Option<Time>,
        clock: Clock,
        until: Option<Clock>,
    ) -> Option<Interval> {
        let from = date.to_datetime(start);
        let Some(end) = end else {
            return Some(Interval {
                start: from,
                end: from,
                grain: clock.grain(),
            });
        };
        let last = if end <= start { date.tomorrow().ok()? } else { date };
        let mut to = last.to_datetime(end);
        if self.conventions.ends == Ends::Over {
            let grain = until.map_or(clock.grain(), Clock::grain).min(clock.grain());
            to = to.checked_add(span_of(grain, 1)?).ok()?;
        }
        Some(Interval {
            start: from,
            end: to,
            grain: Unit::Hour,
        })
    }

    /// The hours of a part of a day.
    fn part_of(&self, date: Date, part: Part, piece: Option<Piece>) -> Option<Interval> {
        let (from, to) = *self.conventions.parts.get(part as usize)?;
        let at = |hour: i8| {
            let day = date.checked_add(i64::from(hour / 24).days()).ok()?;
            Some(day.to_datetime(Time::new(hour % 24, 0, 0, 0).ok()?))
        };
        let middle = from + (to - from) / 2;
        let (from, to) = match piece {
            Some(Piece::Early | Piece::Earlier) => (from, middle),
            Some(Piece::Late | Piece::Later) => (middle, to),
            Some(Piece::Mid | Piece::Rest) | None => (from, to),
        };
        Some(Interval {
            start: at(from)?,
            end: at(to)?,
            grain: Unit::Hour,
        })
    }

    /// The days or periods, without a time of day.
    fn dates(&self, spec: &Spec) -> Vec<Interval> {
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
    fn yearly(&self, spec: &Spec, in_year: impl Fn(i16) -> Option<Interval>) -> Vec<Interval> {
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
            Some(Pick::This) => next.into_iter().collect(),
            None => next.into_iter().chain(last).collect(),
        }
    }

    /// As `yearly`, but this year's when no year is named, even if it is over.
    fn yearly_here(&self, spec: &Spec, in_year: impl Fn(i16) -> Option<Interval>) -> Vec<Interval> {
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
    fn window(&self, number: i64, unit: Unit) -> Option<Interval> {
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
    fn shift(&self, from: Interval, length: &Length, sign: f64) -> Option<Interval> {
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
                _ => one_day(at.date()),
            };
        }
        one_day(at.date())
    }

    /// The nth of a period, or as many from there.
    fn nth_in(&self, of: Interval, rank: i64, counted: Counted, many: i64) -> Option<Interval> {
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
                    _ => 3,
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
    fn piece_of(&self, of: Interval, piece: Piece, absolute: bool) -> Option<Interval> {
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
                    _ => (end.checked_sub(third.days()).ok()?, end),
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

    /// Days and months that are only partly named: the next that fits, then the last that did.
    fn fields(&self, spec: &Spec) -> Vec<Interval> {
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

    fn months(&self, spec: &Spec) -> Vec<Interval> {
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
                    Some(Pick::This) => &[today.year()],
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

fn decades(year: i16) -> Vec<Interval> {
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
fn on_weekday(day: Interval, weekday: i8, anchor: &Anchor) -> Option<Interval> {
    if day.grain != Unit::Day {
        return Some(day);
    }
    let date = day.start.date();
    let weeks = matches!(anchor, Anchor::Shift(_, length, _) if length.largest() == Unit::Week || length.largest() == Unit::Year);
    if weeks && date.weekday().to_monday_one_offset() > weekday {
        return one_day(monday(date).checked_add(i64::from(weekday - 1).days()).ok()?);
    }
    let ahead = (i64::from(weekday) - i64::from(date.weekday().to_monday_one_offset())).rem_euclid(7);
    one_day(date.checked_add(ahead.days()).ok()?)
}

fn fits(day: Date, spec: &Spec) -> bool {
    spec.day.is_none_or(|wanted| wanted == day.day())
        && spec.month.is_none_or(|wanted| wanted == day.month())
        && spec.year.is_none_or(|wanted| wanted == day.year())
        && spec
            .weekday
            .is_none_or(|wanted| wanted == day.weekday().to_monday_one_offset())
}

/// The first day from here that fits, forwards or back.
fn search(from: Date, spec: &Spec, forwards: bool) -> Option<Date> {
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
fn until_of(day: Date, spec: &Spec) -> Option<Interval> {
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
fn picked_weekday(today: Date, weekday: i8, pick: Pick) -> Vec<Interval> {
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

/// Beginning and end of a stretch of the clock, with every half of the day that was left open.
fn pairs(clock: Clock, until: Option<Clock>) -> Vec<(Time, Option<Time>)> {
    let Some(until) = until else {
        return clock.times().into_iter().map(|start| (start, None)).collect();
    };
    let mut clock = clock;
    let ends = until.times();
    // "3-4pm": the half of the day that is said at the end holds for the beginning, unless it would come later.
    if clock.half == HalfDay::Unknown && matches!(until.half, HalfDay::Am | HalfDay::Pm) {
        let (one, two) = (clock.hour % 12, until.hour % 12);
        let before = (one, clock.minute.unwrap_or(0)) < (two, until.minute.unwrap_or(0));
        clock.half = if before {
            until.half
        } else if until.half == HalfDay::Pm {
            HalfDay::Am
        } else {
            HalfDay::Pm
        };
    }
    if clock.half == HalfDay::Unknown && until.half == HalfDay::Full && until.hour > 12 {
        clock.half = HalfDay::Full;
    }
    let behind = |start: Time| {
        let minutes = |time: Time| i32::from(time.hour()) * 60 + i32::from(time.minute());
        ends.iter()
            .copied()
            .min_by_key(|end| (minutes(*end) - minutes(start) - 1).rem_euclid(1440))
    };
    clock.times().into_iter().map(|start| (start, behind(start))).collect()
}

/// A day, a moment, or from and until.
fn value_of(interval: Interval) -> Value {
    if interval.start == interval.end {
        return Value::Moment(interval.start);
    }
    let day = interval.grain == Unit::Day || interval.grain == Unit::Workday;
    if day
        && interval
            .start
            .date()
            .tomorrow()
            .is_ok_and(|next| next == interval.end.date())
    {
        return Value::Date(interval.start.date());
    }
    Value::Range(Some(interval.start), Some(interval.end))
}
