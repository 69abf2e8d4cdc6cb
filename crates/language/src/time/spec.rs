//! What is said of one time before it is resolved: fields that two neighbouring phrases may each add to. Made by the
//! parser of `language::time`, resolved by `resolve`.

use jiff::civil::{Date, DateTime, Time};

use super::{Part, Season, Unit, holidays::Rule};

/// From a beginning until before an end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) start: DateTime,
    pub(super) end: DateTime,
    pub(super) grain: Unit,
}

/// Which half of the day an hour up to twelve is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HalfDay {
    Unknown,
    Am,
    Pm,
    /// Said on the dial of 24 hours.
    Full,
}

/// Which half of the day a part is in.
pub(super) fn half_of(part: Part, hour: i8) -> HalfDay {
    match part {
        Part::Morning => HalfDay::Am,
        Part::Noonish if hour == 11 => HalfDay::Am,
        Part::Noonish | Part::Afternoon | Part::Evening => HalfDay::Pm,
        Part::Night if hour == 12 || hour < 5 => HalfDay::Am,
        Part::Night => HalfDay::Pm,
    }
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    pub(super) hour: i8,
    pub(super) minute: Option<i8>,
    pub(super) second: Option<i8>,
    pub(super) half: HalfDay,
    /// Only a number, which needs company to be a time.
    pub(super) bare: bool,
}

impl Clock {
    pub(super) fn new(hour: i8, minute: Option<i8>) -> Self {
        Self {
            hour,
            minute,
            second: None,
            half: if hour > 12 || hour == 0 {
                HalfDay::Full
            } else {
                HalfDay::Unknown
            },
            bare: false,
        }
    }

    pub(super) fn grain(self) -> Unit {
        match (self.minute, self.second) {
            (_, Some(_)) => Unit::Second,
            (Some(_), None) => Unit::Minute,
            (None, None) => Unit::Hour,
        }
    }

    fn at(self, hour: i8) -> Option<Time> {
        Time::new(hour % 24, self.minute.unwrap_or(0), self.second.unwrap_or(0), 0).ok()
    }

    /// Everything it can mean, mornings first; midnight may be said as 24.
    pub(super) fn times(self) -> Vec<Time> {
        let base = self.hour % 12;
        let hours: Vec<i8> = match self.half {
            HalfDay::Full => vec![self.hour],
            HalfDay::Am if self.hour > 12 => vec![self.hour],
            HalfDay::Am => vec![base],
            HalfDay::Pm => vec![base + 12],
            HalfDay::Unknown if self.hour == 12 => vec![12, 0],
            HalfDay::Unknown => vec![base, base + 12],
        };
        hours.into_iter().filter_map(|hour| self.at(hour)).collect()
    }
}

/// How a part of the day or a period is narrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Early,
    Mid,
    Late,
    /// Early, and before now.
    Earlier,
    /// Late, and after now.
    Later,
    Rest,
}

/// Which side of a time is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Since,
    After,
    Before,
    Until,
    By,
}

/// Which of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    This,
    Next,
    Last,
}

/// What an nth counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Counted {
    Weekday(i8),
    Unit(Unit),
}

/// A length of time: numbers of units, largest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Length(pub(super) Vec<(f64, Unit)>);

impl Length {
    pub(super) fn seconds(&self) -> f64 {
        self.0.iter().map(|(number, unit)| number * unit.seconds()).sum()
    }

    /// A whole number of one unit: as it is said, or of the largest unit that makes it whole ("a year and a half" are 18
    /// months).
    pub(super) fn whole(&self) -> Option<(u64, Unit)> {
        let whole = |number: f64, unit: Unit| {
            let is_whole = number.fract() == 0.0 && number >= 0.0;
            is_whole.then_some((number as u64, unit))
        };
        if let [(number, unit)] = self.0.as_slice()
            && let Some(whole) = whole(*number, *unit)
        {
            return Some(whole);
        }
        let months: Option<f64> = self.0.iter().map(|(number, unit)| Some(number * unit.months()?)).sum();
        let in_units = |unit: Unit| whole(self.seconds() / unit.seconds(), unit);
        months
            .and_then(|months| whole(months, Unit::Month))
            .or_else(|| in_units(Unit::Day))
            .or_else(|| in_units(Unit::Hour))
    }

    pub(super) fn largest(&self) -> Unit {
        self.0.iter().map(|(_, unit)| *unit).max().unwrap_or(Unit::Second)
    }
}

/// What a date is counted from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Anchor {
    /// Settled.
    At(Interval),
    /// A number of whole units before or after now.
    Window(i64, Unit),
    Holiday(Rule),
    Season(Season),
    Quarter(i8),
    HalfYear(i8),
    WeekNumber(i8),
    /// Ten years from this one; two digits leave the century open.
    Decade(i16),
    /// The nth of a period, from its end when negative, and how many of them.
    Nth(i64, Counted, i64, Box<Spec>),
    /// The beginning, the middle or the end of a period.
    Piece(Piece, Box<Spec>),
    /// A length before (negative) or after a time.
    Shift(f64, Length, Box<Spec>),
    /// The week, weekend or month around a time.
    Around(Unit, Box<Spec>),
}

/// What is said of one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spec {
    pub(super) anchor: Option<Anchor>,
    pub(super) within: Option<Interval>,
    pub(super) year: Option<i16>,
    pub(super) month: Option<i8>,
    pub(super) day: Option<i8>,
    pub(super) day_until: Option<i8>,
    pub(super) weekday: Option<i8>,
    pub(super) clock: Option<Clock>,
    pub(super) until: Option<Clock>,
    pub(super) part: Option<(Part, Option<Piece>)>,
    pub(super) zone: Option<i32>,
    pub(super) bound: Option<Bound>,
    pub(super) pick: Option<Pick>,
    pub(super) name: Option<(i64, Unit)>,
}

fn one<T: PartialEq>(a: Option<T>, b: Option<T>) -> Option<Option<T>> {
    match (a, b) {
        (Some(a), Some(b)) if a != b => None,
        (Some(value), _) | (None, Some(value)) => Some(Some(value)),
        (None, None) => Some(None),
    }
}

impl Spec {
    pub(super) fn at(interval: Interval) -> Self {
        Self {
            anchor: Some(Anchor::At(interval)),
            ..Self::default()
        }
    }

    pub(super) fn date(date: Date) -> Self {
        Self {
            year: Some(date.year()),
            month: Some(date.month()),
            day: Some(date.day()),
            ..Self::default()
        }
    }

    pub(super) fn anchored(anchor: Anchor) -> Self {
        Self {
            anchor: Some(anchor),
            ..Self::default()
        }
    }

    pub(super) fn has_date(&self) -> bool {
        self.anchor.is_some()
            || self.within.is_some()
            || self.year.is_some()
            || self.month.is_some()
            || self.day.is_some()
            || self.weekday.is_some()
    }

    /// Says a time of day, or a part of it.
    pub(super) fn has_hours(&self) -> bool {
        self.clock.is_some() || self.part.is_some()
    }

    pub(super) fn is_day(&self) -> bool {
        self.day.is_some()
            || self.weekday.is_some()
            || matches!(&self.anchor, Some(Anchor::At(interval)) if interval.grain <= Unit::Day)
            || matches!(
                &self.anchor,
                Some(Anchor::Holiday(_) | Anchor::Nth(_, Counted::Weekday(_), ..))
            )
    }

    /// Both together, unless they contradict each other or say the same thing twice.
    pub(super) fn merge(&self, other: &Self) -> Option<Self> {
        let settled = |spec: &Self| {
            matches!(
                &spec.anchor,
                Some(Anchor::At(_) | Anchor::Window(..) | Anchor::Shift(..))
            )
        };
        let fielded =
            |spec: &Self| spec.year.is_some() || spec.month.is_some() || spec.day.is_some() || spec.within.is_some();
        if settled(self) && fielded(other) || settled(other) && fielded(self) {
            return None;
        }
        let day = |spec: &Self| matches!(&spec.anchor, Some(Anchor::At(_)));
        if day(self) && other.weekday.is_some() || day(other) && self.weekday.is_some() {
            return None;
        }
        let exact = |spec: &Self| matches!(&spec.anchor, Some(Anchor::At(interval)) if interval.grain < Unit::Day);
        if exact(self) && other.has_hours() || exact(other) && self.has_hours() {
            return None;
        }
        let special =
            |spec: &Self| spec.anchor.is_some() && !settled(spec) && !matches!(spec.anchor, Some(Anchor::Shift(..)));
        if special(self) && (other.month.is_some() || other.day.is_some() || other.weekday.is_some())
            || special(other) && (self.month.is_some() || self.day.is_some() || self.weekday.is_some())
        {
            return None;
        }
        let twice = self.anchor.is_some() && other.anchor.is_some()
            || self.within.is_some() && (other.within.is_some() || other.year.is_some())
            || self.year.is_some() && other.within.is_some()
            || self.clock.is_some() && other.clock.is_some()
            || self.bound.is_some() && other.bound.is_some()
            || self.day.is_some() && other.day.is_some()
            || self.month.is_some() && other.month.is_some()
            || self.weekday.is_some() && other.weekday.is_some();
        if twice {
            return None;
        }
        let part = match (self.part, other.part) {
            (Some((one, shade)), Some((two, None))) | (Some((one, None)), Some((two, shade))) if one == two => {
                Some((one, shade))
            }
            (Some(_), Some(_)) => return None,
            (one, two) => one.or(two),
        };
        let whole_day = |spec: &Self| spec.within.is_some() && !spec.is_day();
        if whole_day(self) && other.has_hours() && !other.is_day()
            || whole_day(other) && self.has_hours() && !self.is_day()
        {
            return None;
        }
        Some(Self {
            anchor: self.anchor.clone().or_else(|| other.anchor.clone()),
            within: one(self.within, other.within)?,
            year: one(self.year, other.year)?,
            month: one(self.month, other.month)?,
            day: one(self.day, other.day)?,
            day_until: one(self.day_until, other.day_until)?,
            weekday: one(self.weekday, other.weekday)?,
            clock: one(self.clock, other.clock)?,
            until: one(self.until, other.until)?,
            part,
            zone: one(self.zone, other.zone)?,
            bound: one(self.bound, other.bound)?,
            pick: one(self.pick, other.pick)?,
            name: None,
        })
    }
}
