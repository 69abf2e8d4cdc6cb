//! Stretches between two times, from a time for so long, and from now on. Part of the parser of `language::time`.

use super::{
    parser::{Node, Parser},
    senses::{Role, Small},
    spec::{Anchor, Bound, Length, Spec},
    words::Kind,
};

/// The words that leave one side of a time open.
pub(super) const BOUNDS: [(Role, Bound); 5] = [
    (Role::By, Bound::By),
    (Role::Before, Bound::Before),
    (Role::After, Bound::After),
    (Role::Until, Bound::Until),
    (Role::Since, Bound::Since),
];

impl Parser<'_> {
    /// "from Monday to Friday", "between 2007 and the end of 2008", "Aug 8 - Aug 12", "for 10 days from 18th Dec".
    pub(super) fn range(&self, at: usize) -> Option<(usize, Node)> {
        let led = [Role::Between, Role::From, Role::Since]
            .into_iter()
            .filter_map(|role| self.role(at, role))
            .max();
        let found = [
            led.and_then(|start| self.two_ends(start, true)),
            self.two_ends(at, false),
            self.stretch(at),
        ];
        found.into_iter().flatten().max_by_key(|(end, _)| *end)
    }

    fn two_ends(&self, at: usize, led: bool) -> Option<(usize, Node)> {
        let starts = [at, self.past_role(at, Role::The), self.past_role(at, Role::At)];
        let mut best: Option<(usize, Node)> = None;
        for start in starts {
            for (next, one) in self.range_starts(start, led) {
                let Some((end, two)) = self.range_end(next, &one, led) else {
                    continue;
                };
                if best.as_ref().is_none_or(|(longest, _)| end > *longest) {
                    best = Some((end, complete(one, two)));
                }
            }
        }
        best
    }

    /// Everything the beginning of a range can be.
    fn range_starts(&self, at: usize, led: bool) -> Vec<(usize, Spec)> {
        let mut starts = Vec::new();
        starts.extend(self.point(at));
        starts.extend(self.atom(at));
        if led || self.year_follows_dash(at) {
            starts.extend(self.year_number(at, false).map(|(end, year)| {
                (
                    end,
                    Spec {
                        year: Some(year),
                        ..Spec::default()
                    },
                )
            }));
        }
        if led {
            starts.extend(self.marked_clock(at).map(|(end, clock)| {
                (
                    end,
                    Spec {
                        clock: Some(clock),
                        ..Spec::default()
                    },
                )
            }));
            starts.extend(self.lone_day(at));
        }
        starts.retain(|(_, spec)| {
            spec.bound.is_none()
                && spec.until.is_none()
                && spec.day_until.is_none()
                && (spec.has_date() || spec.clock.is_some())
        });
        starts.dedup_by_key(|(end, _)| *end);
        starts
    }

    /// "2014-2018": two years and nothing else.
    fn year_follows_dash(&self, at: usize) -> bool {
        let four = |at: usize| {
            self.items.get(at).is_some_and(|item| {
                item.kind == Kind::Digits && item.fold.len() == 4 && matches!(item.fold.get(..2), Some("19" | "20"))
            })
        };
        four(at)
            && matches!(self.sign(at + 1), Some('-' | '~' | '\u{2013}'))
            && four(at + 2)
            && self.sign(at + 3) != Some('-')
            && at > 0
    }

    /// A day of the month that gets its month from the other end: "from the 3rd to".
    fn lone_day(&self, at: usize) -> Option<(usize, Spec)> {
        let start = self.past_role(at, Role::The);
        let (end, day) = self
            .ordinal(start)
            .or_else(|| self.integer(start).map(|number| (start + 1, number)))
            .or_else(|| {
                self.worded(start)
                    .filter(|_| self.words.postposed)
                    .map(|(end, number)| (end, number as i64))
            })?;
        let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
        Some((
            end,
            Spec {
                day: Some(day),
                ..Spec::default()
            },
        ))
    }

    fn range_end(&self, at: usize, one: &Spec, led: bool) -> Option<(usize, Spec)> {
        let mut best: Option<(usize, Spec)> = None;
        let roles: &[Role] = if led {
            &[Role::To, Role::Until, Role::And]
        } else {
            &[Role::To, Role::Until]
        };
        let places = [at, if self.sign(at) == Some(',') { at + 1 } else { at }];
        for joint in roles
            .iter()
            .flat_map(|role| places.iter().filter_map(|place| self.role(*place, *role)))
        {
            let starts = [joint, self.past_role(joint, Role::The), self.past_role(joint, Role::At)];
            for start in starts {
                let point = self.point(start);
                let clock = one.clock.is_some().then(|| self.marked_clock(start)).flatten();
                let clock = clock.map(|(end, clock)| {
                    (
                        end,
                        Spec {
                            clock: Some(clock),
                            ..Spec::default()
                        },
                    )
                });
                let year = (one.year.is_some() && one.month.is_none())
                    .then(|| self.year_number(start, false))
                    .flatten();
                let year = year.map(|(end, year)| {
                    (
                        end,
                        Spec {
                            year: Some(year),
                            ..Spec::default()
                        },
                    )
                });
                // "tra 5 e 10 file"
                let day = (one.day.is_some() && led).then(|| self.lone_day(start)).flatten();
                let day = day.filter(|(end, _)| one.month.is_some() || self.ends_phrase(*end));
                for (end, spec) in [point, clock, year, day].into_iter().flatten() {
                    if spec.bound.is_some() || !fits(one, &spec) {
                        continue;
                    }
                    if best.as_ref().is_none_or(|(longest, _)| end > *longest) {
                        best = Some((end, spec));
                    }
                }
            }
        }
        best
    }

    /// "for 10 days from 18th Dec", "18th Dec for 10 days", "3 days starting next Monday", "from 9 for 2.5 hours".
    fn stretch(&self, at: usize) -> Option<(usize, Node)> {
        let start = self.past_role(at, Role::Lasting);
        if let Some((next, length)) = self.length(start) {
            let next = if self.sign(next) == Some(',') { next + 1 } else { next };
            let from = self.role(next, Role::Starting)?;
            let from = self.past_role(from, Role::The);
            let point = self.point(from).or_else(|| {
                let (end, clock) = self.marked_clock(from)?;
                Some((
                    end,
                    Spec {
                        clock: Some(clock),
                        ..Spec::default()
                    },
                ))
            });
            let (end, spec) = point?;
            // "3 days from today" is a day, "for 3 days from today" a stretch.
            let long = start != at || self.role(next, Role::From).is_none() || self.small(next, Small::From).is_none();
            return long.then_some((end, Node::Stretch(spec, length)));
        }
        let led = self.role(at, Role::From).or_else(|| self.role(at, Role::Since));
        let begin = led.unwrap_or(at);
        let point = self.point(begin).or_else(|| {
            let (end, clock) = led.and_then(|start| self.marked_clock(start))?;
            Some((
                end,
                Spec {
                    clock: Some(clock),
                    ..Spec::default()
                },
            ))
        });
        let (next, spec) = point.filter(|(_, spec)| spec.is_day() || spec.clock.is_some())?;
        let (end, length) = self.role(next, Role::Lasting).and_then(|start| self.length(start))?;
        Some((end, Node::Stretch(Spec { bound: None, ..spec }, length)))
    }

    /// "prima del 18", "since the 18th": what leads a day may open a side of it in the same breath.
    pub(super) fn bound_before_day(&self, at: usize, day: usize) -> Option<Bound> {
        let leads = |role: Role| {
            let end = self.role(at, role);
            end.is_some_and(|end| end == day || self.past_role(end, Role::The) == day)
        };
        BOUNDS
            .into_iter()
            .find_map(|(role, bound)| leads(role).then_some(bound))
    }

    /// "from 18 November on", behind "from".
    pub(super) fn onward(&self, at: usize) -> Option<(usize, Spec)> {
        let (end, spec) = self
            .point(at)
            .filter(|(_, spec)| spec.has_date() && spec.bound.is_none() && spec.day_until.is_none())?;
        let end = self.role(end, Role::Onward)?;
        let bound = Some(Bound::Since);
        Some((end, Spec { bound, ..spec }))
    }

    /// "within 5 minutes", "from now until 3 minutes later".
    pub(super) fn within(&self, at: usize) -> Option<(usize, Node)> {
        let start = self.role(at, Role::Within)?;
        let (end, length): (usize, Length) = self.length(start)?;
        Some((end, Node::Within(length)))
    }
}

/// Both ends are days, or both are times of day, or a whole moment gets its other half from the first.
fn fits(one: &Spec, two: &Spec) -> bool {
    let exact = |spec: &Spec| matches!(&spec.anchor, Some(Anchor::At(_) | Anchor::Shift(..)));
    let day = |spec: &Spec| spec.has_date() || spec.part.is_some();
    if two.clock.is_some() && !two.has_date() {
        return one.clock.is_some() || matches!(&one.anchor, Some(Anchor::At(from)) if from.start == from.end);
    }
    one.clock.is_some() && two.clock.is_some() || exact(one) || exact(two) || day(one) && day(two)
}

/// What one end does not say, the other does.
fn complete(one: Spec, two: Spec) -> Node {
    let (mut one, mut two) = (one, two);
    if one.day.is_some() && one.month.is_none() && two.month.is_some() {
        one.month = two.month;
    }
    if two.day.is_some()
        && two.month.is_none()
        && one.month.is_some()
        && one.year.is_none()
        && two.clock.is_none()
        && one.day < two.day
    {
        two.month = one.month;
    }
    if one.year.is_none()
        && two.year.is_some()
        && one.anchor.is_none()
        && one.within.is_none()
        && (one.month <= two.month || two.month.is_none())
        && one.month.is_some()
        && one.pick.is_none()
    {
        one.year = two.year;
    }
    Node::Range(one, two)
}
