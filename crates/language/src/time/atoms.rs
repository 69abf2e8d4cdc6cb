//! The phrases one time is made of, tried one after the other; the longest wins. Part of the parser of
//! `language::time`.

use super::{
    Unit,
    calendar::unit_around,
    parser::Parser,
    ranges::BOUNDS,
    senses::{Role, Sense, Small},
    spec::{Anchor, Bound, Clock, Counted, Interval, Length, Piece, Spec},
};

impl Parser<'_> {
    /// The longest of the phrases that begin at a place.
    pub(super) fn longest_phrase(&self, at: usize) -> Option<(usize, Spec)> {
        let item = self.items.get(at)?;
        if item.senses.is_empty() && item.fold.is_empty() {
            return None;
        }
        let found = [
            self.written_date(at),
            self.named_day(at),
            self.weekday_phrase(at),
            self.holiday(at),
            self.cycle(at),
            self.nth(at),
            self.piece(at),
            self.clock_phrase(at),
            self.shifted(at),
            self.year_phrase(at),
            self.quarter_phrase(at),
            self.season(at),
            self.part_phrase(at),
            self.zone(at),
            self.bounded(at),
            self.abbreviation(at),
        ];
        let mut best: Option<(usize, Spec)> = None;
        for (end, spec) in found.into_iter().flatten() {
            if end > at && best.as_ref().is_none_or(|(longest, _)| end > *longest) {
                best = Some((end, spec));
            }
        }
        best
    }

    /// "today", "the day after tomorrow", "tonight", "now".
    fn named_day(&self, at: usize) -> Option<(usize, Spec)> {
        if let Some((end, (days, part))) = self.sense(at, |sense| {
            let Sense::PartDay(days, part) = sense else { return None };
            Some((*days, *part))
        }) {
            let spec = Spec {
                part: Some((part, None)),
                name: None,
                ..self.day_spec(days)?
            };
            return Some((end, spec));
        }
        if let Some((end, days)) = self.sense(at, |sense| {
            let Sense::Day(days) = sense else { return None };
            Some(*days)
        }) {
            return Some((end, self.day_spec(days)?));
        }
        let end = self.role(at, Role::Now)?;
        let weak = end == at + 1 && self.items.get(at).is_some_and(|item| self.words.is_weak(&item.fold));
        // "ora" is an hour and a moment: alone, or last, it is the moment.
        if weak && !(end >= self.items.len() || matches!(self.sign(end), Some('.' | '!' | '?')))
            || weak && at > 0 && self.leads_number(at)
        {
            return None;
        }
        let now = self.now.datetime();
        Some((
            end,
            Spec::at(Interval {
                start: now,
                end: now,
                grain: Unit::Second,
            }),
        ))
    }

    fn leads_number(&self, at: usize) -> bool {
        self.is_after_small(at, Small::LeadsHour) || self.number(at - 1).is_some()
    }

    /// The day so many days from today.
    pub(super) fn day_spec(&self, days: i64) -> Option<Spec> {
        Some(Spec {
            name: (-1..=1).contains(&days).then_some((days, Unit::Day)),
            ..Spec::at(unit_around(self.now.datetime(), Unit::Day, days, self.conventions)?)
        })
    }

    fn holiday(&self, at: usize) -> Option<(usize, Spec)> {
        let start = self.past_role(at, Role::The);
        let (end, rule) = self.sense(start, |sense| {
            let Sense::Holiday(rule) = sense else { return None };
            Some(*rule)
        })?;
        let (year_end, year) = self.year_behind(end, false);
        if year.is_some() {
            return Some((
                year_end,
                Spec {
                    year,
                    ..Spec::anchored(Anchor::Holiday(rule))
                },
            ));
        }
        let spec = Spec::anchored(Anchor::Holiday(rule));
        // "halloween weekend"
        if let Some((after, Unit::Weekend)) = self.unit(end) {
            return Some((after, Spec::anchored(Anchor::Around(Unit::Weekend, Box::new(spec)))));
        }
        Some((end, spec))
    }

    fn season(&self, at: usize) -> Option<(usize, Spec)> {
        let (end, season) = self.sense(at, |sense| {
            let Sense::Season(season) = sense else { return None };
            Some(*season)
        })?;
        Some((end, Spec::anchored(Anchor::Season(season))))
    }

    /// "morning", "early in the afternoon", "tarda serata", "mattina presto".
    pub(super) fn part_phrase(&self, at: usize) -> Option<(usize, Spec)> {
        let shade = |at: usize| {
            [
                (Role::Early, Piece::Early),
                (Role::Late, Piece::Late),
                (Role::Later, Piece::Late),
            ]
            .into_iter()
            .find_map(|(role, piece)| self.role(at, role).map(|end| (end, piece)))
        };
        let (start, mut piece) = match shade(at) {
            Some((end, piece)) => {
                let end = self.past_role(self.past_role(end, Role::Glue), Role::This);
                (end, Some(piece))
            }
            None => (at, None),
        };
        let (mut end, part) = self.part(start)?;
        // "I am late": only behind a day is "am" a part of it.
        let short = self
            .role(start, Role::Am)
            .or_else(|| self.role(start, Role::Pm))
            .is_some();
        let behind = at.checked_sub(1).and_then(|before| self.items.get(before));
        if short && behind.is_none_or(|item| item.senses.is_empty()) {
            return None;
        }
        if piece.is_none()
            && !short
            && let Some((after, found)) = shade(end)
        {
            piece = Some(found);
            end = after;
        }
        let is_half = [Role::Am, Role::Pm]
            .into_iter()
            .any(|role| self.role(at, role).is_some());
        if self.items.get(at).is_some_and(|item| item.fold.len() <= 2) && !is_half && start == at {
            return None;
        }
        let mut spec = Spec {
            part: Some((part, piece)),
            ..Spec::default()
        };
        // "later this afternoon": the shade stands before "this".
        let this = (at..start).any(|between| self.role(between, Role::This).is_some());
        if this {
            spec = Spec {
                part: spec.part,
                name: None,
                ..self.day_spec(0)?
            };
        }
        Some((end, spec))
    }

    fn zone(&self, at: usize) -> Option<(usize, Spec)> {
        let (end, minutes) = self.sense(at, |sense| {
            let Sense::Zone(minutes) = sense else { return None };
            Some(*minutes)
        })?;
        let spec = Spec {
            zone: Some(minutes),
            ..Spec::default()
        };
        (at > 0).then_some((end, spec))
    }

    /// "before 5pm", "since Monday", "by the end of the year": one side is open.
    fn bounded(&self, at: usize) -> Option<(usize, Spec)> {
        // "dopo domani" is a day of its own.
        let own = self.sense(at, |sense| matches!(sense, Sense::Day(_)).then_some(()));
        if own.is_some() {
            return None;
        }
        if let Some(start) = self.role(at, Role::After)
            && let Some((end, length)) = self.length(start)
        {
            return Some((
                end,
                Spec {
                    bound: Some(Bound::Since),
                    ..self.after_now(1.0, length)
                },
            ));
        }
        for (role, bound) in BOUNDS {
            let Some(end) = self.role(at, role) else { continue };
            let inner = [end, self.past_role(end, Role::At), self.past_role(end, Role::The)]
                .into_iter()
                .filter_map(|start| self.bounded_inner(start))
                .max_by_key(|(end, _)| *end);
            if let Some((after, spec)) = inner
                && !self.is_amount(end, after)
                && spec.bound.is_none()
                && spec.until.is_none()
                && spec.day_until.is_none()
            {
                let spec = Spec {
                    clock: spec.clock.map(|clock| Clock { bare: false, ..clock }),
                    ..spec
                };
                return Some((
                    after,
                    Spec {
                        bound: Some(bound),
                        ..spec
                    },
                ));
            }
        }
        let start = self.role(at, Role::From)?;
        if let Some(open) = self.onward(start) {
            return Some(open);
        }
        // "from 2 pm"
        let (end, clock) = self
            .clock(self.past_role(start, Role::At), false)
            .filter(|(_, clock)| !clock.bare)?;
        Some((
            end,
            Spec {
                clock: Some(clock),
                bound: Some(Bound::Since),
                ..Spec::default()
            },
        ))
    }

    /// A clock may be a lone number behind "before"; a date is taken whole.
    fn bounded_inner(&self, at: usize) -> Option<(usize, Spec)> {
        let clock = self.marked_clock(at).map(|(end, clock)| {
            let spec = Spec {
                clock: Some(clock),
                ..Spec::default()
            };
            (end, spec)
        });
        let point = self.point(at);
        match (point, clock) {
            (Some(point), Some(clock)) if clock.0 > point.0 => Some(clock),
            (Some(point), _) => Some(point),
            (None, clock) => clock.filter(|(end, _)| self.unit(*end).is_none()),
        }
    }

    /// "EOM", "the end of the day".
    fn abbreviation(&self, at: usize) -> Option<(usize, Spec)> {
        let table = [
            (Role::DayEnd, Unit::Day, Piece::Late),
            (Role::WeekEnd, Unit::Week, Piece::Late),
            (Role::MonthEnd, Unit::Month, Piece::Late),
            (Role::YearEnd, Unit::Year, Piece::Late),
            (Role::MonthStart, Unit::Month, Piece::Early),
            (Role::YearStart, Unit::Year, Piece::Early),
        ];
        table.into_iter().find_map(|(role, unit, piece)| {
            let end = self.role(at, role)?;
            let period = self.period(0, unit)?;
            Some((end, Spec::anchored(Anchor::Piece(piece, Box::new(period)))))
        })
    }

    /// The period so many from this one: 0 is this week.
    pub(super) fn period(&self, shift: i64, unit: Unit) -> Option<Spec> {
        let interval = unit_around(self.now.datetime(), unit, shift, self.conventions)?;
        let mut spec = if unit <= Unit::Day {
            Spec::at(interval)
        } else {
            Spec {
                within: Some(interval),
                ..Spec::default()
            }
        };
        spec.name = Some((shift, unit));
        Some(spec)
    }

    /// "the beginning of March", "end of this week", "il resto del mese", "early in the week".
    fn piece(&self, at: usize) -> Option<(usize, Spec)> {
        let start = self.past_role(at, Role::The);
        let roles = [
            (Role::Start, Piece::Early),
            (Role::Earlier, Piece::Earlier),
            (Role::Early, Piece::Early),
            (Role::Middle, Piece::Mid),
            (Role::Mid, Piece::Mid),
            (Role::End, Piece::Late),
            (Role::Late, Piece::Late),
            (Role::Later, Piece::Later),
            (Role::Rest, Piece::Rest),
        ];
        let mut best: Option<(usize, Spec)> = None;
        for (role, piece) in roles {
            let Some(end) = self.role(start, role) else { continue };
            let end = if self.sign(end) == Some('-') { end + 1 } else { end };
            let Some((after, of)) = self.period_at(end) else {
                continue;
            };
            let of_part = of.part.filter(|(_, shade)| shade.is_none() && of.clock.is_none());
            let spec = match of_part {
                // "late this morning"
                Some((part, _)) => {
                    let piece = if matches!(piece, Piece::Earlier) {
                        Piece::Early
                    } else if matches!(piece, Piece::Later) {
                        Piece::Late
                    } else {
                        piece
                    };
                    Spec {
                        part: Some((part, Some(piece))),
                        ..of
                    }
                }
                None => Spec::anchored(Anchor::Piece(piece, Box::new(of))),
            };
            if best.as_ref().is_none_or(|(longest, _)| after > *longest) {
                best = Some((after, spec));
            }
        }
        best
    }

    /// A period something is a part of: "March 2015", "this week", "the month", "2017".
    pub(super) fn period_at(&self, at: usize) -> Option<(usize, Spec)> {
        let mut best: Option<(usize, Spec)> = None;
        for start in self.behind_glue(at) {
            let start_named = self.past_role(start, Role::My);
            let bare = self
                .unit(start_named)
                .filter(|(_, unit)| *unit >= Unit::Day && !matches!(unit, Unit::Workday))
                .and_then(|(end, unit)| Some((end, self.period(0, unit)?)));
            let bare =
                bare.filter(|(end, _)| self.role(*end, Role::Last).is_none() && self.role(*end, Role::Next).is_none());
            let year = self
                .integer(start)
                .filter(|year| (1000..3000).contains(year))
                .map(|year| {
                    let spec = Spec {
                        year: Some(year as i16),
                        ..Spec::default()
                    };
                    (start + 1, spec)
                });
            let dated = self
                .point(start)
                .filter(|(_, spec)| spec.has_date() && spec.bound.is_none());
            for (end, spec) in [dated, year, bare].into_iter().flatten() {
                if best.as_ref().is_none_or(|(longest, _)| end > *longest) {
                    best = Some((end, spec));
                }
            }
        }
        best
    }

    /// "the first Monday of March", "last week of 2016", "the 3rd day of next month", "first ten days of last year".
    fn nth(&self, at: usize) -> Option<(usize, Spec)> {
        let start = self.past_role(at, Role::The);
        let (mut next, mut rank) = match self.ordinal(start) {
            Some(found) => found,
            None => (self.role(start, Role::LastOf)?, -1),
        };
        if rank > 0
            && let Some(end) = self.role(next, Role::LastOf)
        {
            rank = -rank;
            next = end;
        }
        let (next, many) = self.count(next).unwrap_or((next, 1));
        let (end, counted) = match self.weekday(next) {
            Some((end, day)) => (end, Counted::Weekday(day)),
            None => {
                let (end, unit) = self.unit(next)?;
                (end, Counted::Unit(unit))
            }
        };
        let (end, part) = self
            .part(end)
            .filter(|_| matches!(counted, Counted::Weekday(_)))
            .map_or((end, None), |(end, part)| (end, Some((part, None))));
        // "of" may be said or not: "the first Monday next month".
        let (end, of) = match self.period_at(end) {
            Some((after, of)) if !of.is_day() => (after, of),
            Some(_) | None if matches!(counted, Counted::Weekday(_)) && rank > 1 => (end, self.period(0, Unit::Month)?),
            Some(_) | None => return None,
        };
        let of = Spec { name: None, ..of };
        let spec = Spec::anchored(Anchor::Nth(rank, counted, many, Box::new(of)));
        Some((end, Spec { part, ..spec }))
    }

    /// "3 days ago", "in two weeks", "2 hours from now", "two weeks before Christmas", "4 tuesdays from now".
    fn shifted(&self, at: usize) -> Option<(usize, Spec)> {
        if let Some(end) = self.role(at, Role::InTime)
            && let Some((after, length)) = self.length(end)
            // "we moved in 3 days ago"
            && (self.role(after, Role::Ago).is_none() || self.words.postposed)
        {
            // "in 3 days' time"
            let after = if self.sign(after) == Some('\'') || self.small(after, Small::Possessive).is_some() {
                after + 1
            } else {
                after
            };
            let after = self.small(after, Small::TimeWord).unwrap_or(after);
            return Some((after, self.after_now(1.0, length)));
        }
        if let Some((next, count)) = self.count(at)
            && let Some((next, day)) = self.weekday(next)
        {
            let sign = if self.role(next, Role::Ago).is_some() { -1 } else { 1 };
            let end = self.role(next, Role::Ago).or_else(|| self.role(next, Role::Hence))?;
            let spec = self.counted_weekday(sign * count, day)?;
            return Some((end, spec));
        }
        let (end, length) = self.length(at)?;
        if let Some((after, spec)) = self.shift_from(end, &length) {
            return Some((after, spec));
        }
        if let Some(after) = self.role(end, Role::Ago) {
            return Some((after, self.after_now(-1.0, length)));
        }
        let after = self.role(end, Role::Hence)?;
        Some((after, self.after_now(1.0, length)))
    }

    /// The nth of a day of the week from today on, or back.
    fn counted_weekday(&self, count: i64, day: i8) -> Option<Spec> {
        let today = self.today();
        let ahead = (i64::from(day) - 1 - i64::from(today.weekday().to_monday_zero_offset())).rem_euclid(7);
        let days = if count > 0 {
            if ahead == 0 { count * 7 } else { ahead + (count - 1) * 7 }
        } else {
            ahead + count * 7
        };
        self.day_spec(days)
    }

    fn shift_from(&self, end: usize, length: &Length) -> Option<(usize, Spec)> {
        let roles = [(Role::Before, -1.0), (Role::After, 1.0), (Role::From, 1.0)];
        let mut best: Option<(usize, Spec)> = None;
        for (role, sign) in roles {
            let Some(start) = self.role(end, role) else { continue };
            let Some((after, from)) = self.point(self.past_role(start, Role::The)) else {
                continue;
            };
            if from.bound.is_some() || !(from.has_date() || from.has_hours()) {
                continue;
            }
            if best.as_ref().is_none_or(|(longest, _)| after > *longest) {
                best = Some((
                    after,
                    Spec::anchored(Anchor::Shift(sign, length.clone(), Box::new(from))),
                ));
            }
        }
        best
    }

    fn after_now(&self, sign: f64, length: Length) -> Spec {
        let now = self.now.datetime();
        let from = Spec::at(Interval {
            start: now,
            end: now,
            grain: Unit::Second,
        });
        Spec::anchored(Anchor::Shift(sign, length, Box::new(from)))
    }
}
