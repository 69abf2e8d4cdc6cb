//! What was said of a time, turned into intervals of the calendar: the likeliest reading first. Part of
//! `language::time`; it looks at no words.

use jiff::{
    Span, ToSpan,
    civil::{Date, Time},
};

use super::{
    Ends, Part, Unit, Value,
    calendar::{one_day, shifted, span_of},
    parser::{Node, Parser},
    spec::{Bound, Clock, HalfDay, Interval, Piece, Spec, half_of},
};

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
        // Nobody who says "after the 15th" means the 15th; the sets of the peers do.
        let day_is_over = self.conventions.ends == Ends::Meant && interval.grain == Unit::Day && spec.clock.is_none();
        let over = interval.grain > Unit::Day || day_is_over || spec.part.is_some() && spec.clock.is_none();
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
            // The end is the next of its kind: "between 10 and 20 November" of the past goes to no later year.
            let behind = ends.iter().filter(|end| end.start >= from.start);
            let later = behind.min_by_key(|end| end.start).copied();
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
