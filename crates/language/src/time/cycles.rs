//! "this", "next" and "last" with what they count: weeks, weekdays, months, parts of the day, windows. Part of the
//! parser of `language::time`.

use super::{
    Unit,
    parser::Parser,
    senses::{Role, Small},
    spec::{Anchor, Pick, Spec},
};

impl Parser<'_> {
    fn pick(&self, at: usize) -> Option<(usize, Pick)> {
        let picks = [
            (Role::This, Pick::This),
            (Role::Next, Pick::Next),
            (Role::Last, Pick::Last),
        ];
        picks
            .into_iter()
            .filter_map(|(role, pick)| self.role(at, role).map(|end| (end, pick)))
            .max_by_key(|(end, _)| *end)
    }

    /// Every phrase with "this", "next" or "last", before or behind what it counts.
    pub(super) fn cycle(&self, at: usize) -> Option<(usize, Spec)> {
        let start = self.past_role(at, Role::The);
        let found = [
            self.pick_first(start),
            // With its article "the last month" is the one up to now; the later of two that are as long counts.
            self.pick_first(at),
            self.number_first(start),
            self.pick_last(start),
            self.article_period(at),
            self.whole_period(at),
        ];
        found.into_iter().flatten().max_by_key(|(end, _)| *end)
    }

    /// "next week", "the last 3 days", "this Friday", "last night".
    fn pick_first(&self, at: usize) -> Option<(usize, Spec)> {
        let (next, pick) = self.pick(at)?;
        if let Some((after, count)) = self.count(next)
            && pick != Pick::This
        {
            // "the last couple of weeks"
            let (end, unit) = self.unit(after)?;
            return Some((end, window(count, unit, pick)));
        }
        if self.role(at, Role::Rolling) == Some(next)
            && let Some((end, unit)) = self.unit(next).filter(|(_, unit)| *unit >= Unit::Day)
        {
            return Some((end, window(1, unit, pick)));
        }
        self.picked(next, pick)
    }

    /// "last night", "next evening"; "giornata" is a whole day.
    fn picked_part(&self, at: usize, shift: i64) -> Option<(usize, Spec)> {
        let (end, part) = self.part(at)?;
        let day = self.unit(at).is_some_and(|(_, unit)| unit != Unit::Day);
        let spec = Spec {
            part: Some((part, None)),
            name: None,
            ..self.day_spec(shift)?
        };
        (!day).then_some((end, spec))
    }

    fn picked(&self, at: usize, pick: Pick) -> Option<(usize, Spec)> {
        let shift = shift_of(pick);
        if let Some((end, day)) = self.weekday(at) {
            let spec = Spec {
                weekday: Some(day),
                pick: Some(pick),
                ..Spec::default()
            };
            return Some((end, spec));
        }
        if let Some(found) = self.picked_part(at, shift) {
            return Some(found);
        }
        if let Some((end, unit)) = self.unit(at) {
            // "the next hours" are a few.
            if self.role(at, Role::Plural).is_some() && pick != Pick::This {
                return Some((end, window(SEVERAL, unit, pick)));
            }
            // "second" behind "last" may be an ordinal: "the last second of".
            if unit <= Unit::Hour && pick != Pick::This {
                return Some((end, window(1, unit, pick)));
            }
            return Some((end, self.period(shift, unit)?));
        }
        let doubtful = self
            .items
            .get(at)
            .is_some_and(|item| !item.capital && self.words.is_small(&item.fold, Small::VerbLikeMonth));
        if let Some((end, month)) = self.month(at).filter(|_| !doubtful) {
            let spec = Spec {
                month: Some(month),
                pick: Some(pick),
                ..Spec::default()
            };
            return Some((end, spec));
        }
        if let Some((end, spec)) = self.sense(at, |sense| {
            let season = sense.season().map(Anchor::Season);
            season
                .or_else(|| sense.holiday().map(Anchor::Holiday))
                .map(Spec::anchored)
        }) {
            return Some((
                end,
                Spec {
                    pick: Some(pick),
                    ..spec
                },
            ));
        }
        if doubtful {
            return None;
        }
        // "next 6th of April"
        let (end, spec) = self.written_date(at)?;
        (spec.year.is_none() && spec.month.is_some()).then_some((
            end,
            Spec {
                pick: Some(pick),
                ..spec
            },
        ))
    }

    /// "3 next days", "le 2 ore scorse", "the 5 coming minutes".
    fn number_first(&self, at: usize) -> Option<(usize, Spec)> {
        let (next, count) = self.count(at)?;
        if let Some((after, pick)) = self.pick(next)
            && pick != Pick::This
        {
            let (end, unit) = self.unit(after)?;
            // "only 3 next week"
            let several = count == 1 || self.role(after, Role::Plural).is_some() || self.items.len() <= end;
            return several.then(|| (end, window(count, unit, pick)));
        }
        if !self.words.postposed {
            return None;
        }
        let (after, unit) = self.unit(next)?;
        let (end, pick) = self.pick(after)?;
        let ago = self.role(after, Role::Ago).is_some();
        (pick != Pick::This && !ago).then(|| (end, window(count, unit, pick)))
    }

    /// "settimana prossima", "venerdì scorso", "estate scorsa".
    fn pick_last(&self, at: usize) -> Option<(usize, Spec)> {
        if !self.words.postposed {
            return None;
        }
        let head = self
            .weekday(at)
            .map(|(end, _)| end)
            .or_else(|| self.unit(at).map(|(end, _)| end))
            .or_else(|| self.part(at).map(|(end, _)| end))
            .or_else(|| self.month(at).map(|(end, _)| end))
            .or_else(|| {
                let named = self.sense(at, |sense| {
                    (sense.season().is_some() || sense.holiday().is_some()).then_some(())
                });
                named.map(|(end, ())| end)
            })?;
        // A part of the day may stand between: "domenica pomeriggio prossima".
        let (middle, part) = match self.part(head) {
            Some((end, part)) if self.weekday(at).is_some() => (end, Some(part)),
            Some(_) | None => (head, None),
        };
        let (end, pick) = self.pick(middle)?;
        if self.role(middle, Role::Ago).is_some() {
            return None;
        }
        let (_, mut spec) = self.picked(at, pick)?;
        if let Some(part) = part {
            spec.part = Some((part, None));
        }
        Some((end, spec))
    }

    /// "the week", "il weekend", "of the month": this one, when nothing else says which.
    fn article_period(&self, at: usize) -> Option<(usize, Spec)> {
        let start = self.role(at, Role::My)?;
        let (end, unit) = self.unit(start)?;
        if !(unit >= Unit::Weekend && unit <= Unit::Year) {
            return None;
        }
        let followed = self.pick(end).is_some()
            || self.integer(end).is_some()
            || self.role(end, Role::Of).is_some()
            || self.role(end, Role::Before).is_some()
            || self.role(end, Role::After).is_some();
        if followed {
            return self.around(end, unit);
        }
        // "the next": the one after it is meant.
        self.period(0, unit).map(|spec| (end, spec))
    }

    /// "the week of March 4", "il weekend del 15 febbraio", "the week beginning February 4".
    fn around(&self, at: usize, unit: Unit) -> Option<(usize, Spec)> {
        let start = self
            .role(at, Role::Starting)
            .or_else(|| self.role(at, Role::Of))
            .map(|start| self.past_role(start, Role::On))?;
        let (end, of) = self.point(start)?;
        (of.is_day() && of.bound.is_none()).then(|| (end, Spec::anchored(Anchor::Around(unit, Box::new(of)))))
    }

    /// "all week", "tutto il giorno" as a period is a length; "all day" alone says how long.
    fn whole_period(&self, at: usize) -> Option<(usize, Spec)> {
        let start = self.role(at, Role::WeekNumber)?;
        let (end, number) = (start + 1, self.integer(start)?);
        if !(1..=53).contains(&number) || self.unit(end).is_some() {
            return None;
        }
        Some((end, Spec::anchored(Anchor::WeekNumber(number as i8))))
    }
}

/// How many "the next days" are.
const SEVERAL: i64 = 3;

fn shift_of(pick: Pick) -> i64 {
    match pick {
        Pick::This => 0,
        Pick::Next => 1,
        Pick::Last => -1,
    }
}

fn window(count: i64, unit: Unit, pick: Pick) -> Spec {
    Spec::anchored(Anchor::Window(count * shift_of(pick), unit))
}
