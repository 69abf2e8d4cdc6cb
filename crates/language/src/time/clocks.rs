//! Times of day: "at 3pm", "half past seven", "alle otto meno un quarto", "9:30 - 11". Part of the parser of
//! `language::time`.

use super::{
    parser::Parser,
    senses::{Role, Sense, Small},
    spec::{Clock, HalfDay, Spec},
    words::Kind,
};

impl Parser<'_> {
    /// A time of day, or a stretch between two.
    pub(super) fn clock_phrase(&self, at: usize) -> Option<(usize, Spec)> {
        if let Some(found) = self.clock_range(at) {
            return Some(found);
        }
        let marked = self.role(at, Role::At);
        let found = marked
            .and_then(|start| self.clock(start, true))
            .filter(|(end, clock)| !clock.bare || self.may_be_hour(*end) || self.is_hour_of_day(at, *end))
            .filter(|(_, clock)| !clock.bare || !self.is_party(at))
            .map(|(end, clock)| (end, Clock { bare: false, ..clock }));
        let (end, clock) = match found {
            Some(found) => found,
            None => self
                .clock(at, false)
                .filter(|(end, clock)| !clock.bare || self.may_be_hour(*end))?,
        };
        let spec = Spec {
            clock: Some(clock),
            ..Spec::default()
        };
        Some((end, spec))
    }

    /// A time of day where only one can stand: behind "before", "until" and kin.
    pub(super) fn marked_clock(&self, at: usize) -> Option<(usize, Clock)> {
        let (end, clock) = self.clock(at, true)?;
        (!clock.bare || self.may_be_hour(end)).then_some((end, Clock { bare: false, ..clock }))
    }

    /// "between 9:30 and 11", "3-4pm", "dalle 5 alle 6", "tra le 9 e le 11".
    fn clock_range(&self, at: usize) -> Option<(usize, Spec)> {
        let led = [Role::Between, Role::From, Role::Since]
            .into_iter()
            .find_map(|role| self.role(at, role));
        let start = led.map_or(at, |start| self.past_role(self.past_role(start, Role::At), Role::The));
        let (next, one) = self.clock(start, led.is_some())?;
        let joint = [Role::To, Role::And, Role::Until]
            .into_iter()
            .filter_map(|role| self.role(next, role))
            .filter(|end| led.is_some() || !self.is_after_small(*end, Small::And))
            .max()?;
        let second = self.past_role(self.past_role(joint, Role::At), Role::The);
        let (end, two) = self.clock(second, true).or_else(|| self.clock(joint, true))?;
        let minus = self.sign(next).is_some();
        // "between 2007 and 2009" are years.
        let year = |at: usize| {
            let digits = self
                .items
                .get(at)
                .filter(|item| item.kind == Kind::Digits && item.fold.len() == 4);
            digits.is_some_and(|item| matches!(item.fold.get(..2), Some("19" | "20")))
        };
        if year(start) && next == start + 1 && year(end - 1) {
            return None;
        }
        let strong = !one.bare || !two.bare;
        // "dal 3 al 5" are days.
        if !strong && led.is_some() && self.words.postposed && !self.is_hour_led(at) {
            return None;
        }
        // "3-4" alone is a score or a number of pages; "from 3 to 4" needs hours around it to be one.
        let bare = !strong && (led.is_none() || minus || !self.words.day_first || !self.is_hour_led(at));
        if two.bare && !self.may_be_hour(end) {
            return None;
        }
        let clock = Clock { bare, ..one };
        Some((
            end,
            Spec {
                clock: Some(clock),
                until: Some(Clock { bare: false, ..two }),
                ..Spec::default()
            },
        ))
    }

    /// The article in the plural is that of hours: "dalle 3 alle 5" against "dal 3 al 5".
    fn is_hour_led(&self, at: usize) -> bool {
        let Some(end) = [Role::Between, Role::From]
            .into_iter()
            .find_map(|role| self.role(at, role))
        else {
            return false;
        };
        self.is_after_small(end, Small::HourArticle)
    }

    /// One time of day. `marked` says that a word such as "at" makes even a lone number one.
    pub(super) fn clock(&self, at: usize, marked: bool) -> Option<(usize, Clock)> {
        let (end, clock) = [
            self.named_clock(at),
            self.past_or_to(at),
            self.digital(at, marked),
            self.spoken(at, marked),
        ]
        .into_iter()
        .flatten()
        .max_by_key(|(end, _)| *end)?;
        Some(self.finished(end, clock))
    }

    /// What may follow: "o'clock", "am", a part of the day, "sharp".
    fn finished(&self, at: usize, clock: Clock) -> (usize, Clock) {
        let mut end = at;
        let mut clock = clock;
        loop {
            if let Some((after, half)) = self.half_day(end, &clock) {
                clock.half = half;
                clock.bare = false;
                end = after;
            } else if let Some(after) = self.role(end, Role::HourMark) {
                clock.bare &= self.small(end, Small::About).is_some();
                end = after;
            } else {
                return (end, clock);
            }
        }
    }

    /// "pm", "a.m.", "p" behind digits, "in the morning".
    fn half_day(&self, at: usize, clock: &Clock) -> Option<(usize, HalfDay)> {
        if clock.half != HalfDay::Unknown && clock.half != HalfDay::Full {
            return None;
        }
        let glued = self.glued(at);
        let digits = at
            .checked_sub(1)
            .and_then(|before| self.items.get(before))
            .is_some_and(|item| item.kind == Kind::Digits);
        let dot = self.sign(at) == Some('.') && glued;
        let start = if dot { at + 1 } else { at };
        let item = self.items.get(start)?;
        if self.small(start, Small::EitherHalf).is_some() {
            return Some((start + 1, HalfDay::Unknown));
        }
        let am = self.role(start, Role::Am).map(|end| (end, HalfDay::Am));
        let pm = self.role(start, Role::Pm).map(|end| (end, HalfDay::Pm));
        if let Some(found) = am.or(pm) {
            return Some(found);
        }
        if digits && item.glued && !dot {
            match item.fold.as_str() {
                "a" | "p" if clock.minute.is_none() && self.sign(start + 1).is_none() && self.items.len() < 3 => {
                    return None;
                }
                "a" => return Some((start + 1, HalfDay::Am)),
                "p" => return Some((start + 1, HalfDay::Pm)),
                _ => {}
            }
        }
        // "3 in the AM"
        let inside = self.role(at, Role::Glue)?;
        let am = self.role(inside, Role::Am).map(|end| (end, HalfDay::Am));
        am.or_else(|| self.role(inside, Role::Pm).map(|end| (end, HalfDay::Pm)))
    }

    fn named_clock(&self, at: usize) -> Option<(usize, Clock)> {
        let (end, time) = self.sense(at, |sense| {
            if let Sense::Clock(time) = sense {
                Some(*time)
            } else {
                None
            }
        })?;
        let minute = (time.minute() != 0).then(|| time.minute());
        let clock = Clock {
            half: HalfDay::Full,
            ..Clock::new(time.hour(), minute)
        };
        Some(self.with_minutes(end, clock).unwrap_or((end, clock)))
    }

    /// "15:20", "7:56:30", "9h30", "6.45", "1030", "7".
    fn digital(&self, at: usize, marked: bool) -> Option<(usize, Clock)> {
        let hour = self.integer(at)?;
        let text = self.items.get(at)?.fold.as_str();
        let two = |at: usize| {
            let item = self
                .items
                .get(at)
                .filter(|item| item.kind == Kind::Digits && item.glued && item.fold.len() == 2)?;
            item.fold.parse::<i8>().ok().filter(|minute| *minute < 60)
        };
        let glued = self.glued(at + 1);
        let separator = self.items.get(at + 1).filter(|_| glued).map(|item| item.fold.as_str());
        if hour <= 24
            && matches!(separator, Some(":" | "h"))
            && let Some(minute) = two(at + 2)
        {
            let mut clock = Clock::new(hour as i8, Some(minute));
            let mut end = at + 3;
            if self.sign(end) == Some(':')
                && self.glued(end)
                && let Some(second) = two(end + 1)
            {
                clock.second = Some(second);
                end += 2;
            }
            return Some((end, clock));
        }
        if hour <= 24 && separator == Some("h") {
            return Some((at + 2, Clock::new(hour as i8, None)));
        }
        if hour <= 24
            && separator == Some(".")
            && let Some(minute) = two(at + 2)
        {
            let clock = Clock::new(hour as i8, Some(minute));
            if marked && (self.may_be_hour(at + 3) || self.sign(at + 3) == Some('-'))
                || self.half_day(at + 3, &clock).is_some()
            {
                return Some((at + 3, clock));
            }
        }
        if matches!(text.len(), 3 | 4) {
            return self.unseparated(at, hour, marked);
        }
        if text.len() > 2 || hour > 24 {
            return None;
        }
        let clock = Clock {
            bare: true,
            ..Clock::new(hour as i8, None)
        };
        // "tra 5 e 10 file" counts.
        let minutes = self.with_minutes(at + 1, clock);
        if let Some(found) = minutes.filter(|(end, _)| marked || self.may_be_hour(*end)) {
            return Some(found);
        }
        // "at 3 15"
        if marked
            && let Some(minute) = self
                .items
                .get(at + 1)
                .filter(|item| item.kind == Kind::Digits && item.fold.len() == 2)
            && let Ok(minute) = minute.fold.parse::<i8>()
            && minute < 60
            && self.sign(at + 2).is_none()
        {
            return Some((at + 2, Clock::new(hour as i8, Some(minute))));
        }
        Some((at + 1, clock))
    }

    /// "1030".
    fn unseparated(&self, at: usize, digits: i64, marked: bool) -> Option<(usize, Clock)> {
        let (hour, minute) = ((digits / 100) as i8, (digits % 100) as i8);
        let clock = Clock::new(hour, Some(minute));
        let has_half = self.half_day(at + 1, &clock).is_some();
        let good = hour < 24 && minute < 60 && (marked || has_half);
        let goes_on = has_half || self.sign(at + 1) == Some('-') || self.may_be_hour(at + 1);
        (good && goes_on).then_some((at + 1, clock))
    }

    /// "seven", "seven thirty", "sette e venti".
    fn spoken(&self, at: usize, marked: bool) -> Option<(usize, Clock)> {
        if self.is_article(at) && self.small(at, Small::OneHour).is_none() {
            return None;
        }
        let (hour_end, hour) = self.worded(at)?;
        if hour > 24 {
            return None;
        }
        let clock = Clock {
            bare: true,
            ..Clock::new(hour as i8, None)
        };
        if let Some(found) = self.with_minutes(hour_end, clock) {
            return Some(found);
        }
        let next = if self.sign(hour_end) == Some('-') {
            hour_end + 1
        } else {
            hour_end
        };
        if let Some((end, minute)) = self.worded(next).filter(|(_, minute)| (10..60).contains(minute)) {
            let clock = Clock::new(hour as i8, Some(minute as i8));
            let known = marked || self.half_day(end, &clock).is_some() || self.part_follows(end);
            if known && self.unit(end).is_none() {
                return Some((end, clock));
            }
        }
        Some((hour_end, clock))
    }

    fn part_follows(&self, at: usize) -> bool {
        self.behind_glue(at).into_iter().any(|place| self.part(place).is_some())
    }

    /// Italian: "e mezza", "e un quarto", "meno un quarto", "e venti", "e 30 min".
    fn with_minutes(&self, at: usize, clock: Clock) -> Option<(usize, Clock)> {
        if !self.words.postposed {
            return None;
        }
        let hour = clock.hour;
        if let Some(end) = self.role(at, Role::AndHalf) {
            return Some((
                end,
                Clock {
                    minute: Some(30),
                    bare: false,
                    ..clock
                },
            ));
        }
        let plus = self.small(at, Small::And);
        let start = plus.or_else(|| self.role(at, Role::ToHour))?;
        let (end, minutes) = self.minutes(start)?;
        let minutes = i8::try_from(minutes).ok().filter(|minutes| *minutes < 60)?;
        if plus.is_some() {
            return (minutes >= 5 || self.role(end, Role::Minutes).is_some()).then_some((
                end,
                Clock {
                    minute: Some(minutes),
                    bare: false,
                    ..clock
                },
            ));
        }
        Some((
            end,
            before_hour(
                Clock {
                    hour,
                    bare: false,
                    ..clock
                },
                minutes,
            ),
        ))
    }

    /// "un quarto", "venti", "30 min", "three quarters".
    fn minutes(&self, at: usize) -> Option<(usize, i64)> {
        if let Some((next, 3)) = self.count(at)
            && let Some(end) = self.role(next, Role::Quarter)
        {
            return Some((end, 45));
        }
        if let Some(end) = self.role(at, Role::Quarter) {
            return Some((end, 15));
        }
        let (end, count) = self.count(at)?;
        let end = self.past_role(end, Role::Minutes);
        (count < 60 && self.unit(end).is_none()).then_some((end, count))
    }

    /// "half past seven", "a quarter to noon", "20 minutes past 3pm", "cinque minuti alle 14", "half three".
    fn past_or_to(&self, at: usize) -> Option<(usize, Clock)> {
        if !self.words.postposed
            && let Some(next) = self.role(at, Role::Half)
        {
            let start = self.role(next, Role::Past).unwrap_or(next);
            let (end, clock) = self.plain_hour(start)?;
            return Some((
                end,
                Clock {
                    minute: Some(30),
                    bare: false,
                    ..clock
                },
            ));
        }
        let at = if self.words.postposed {
            at
        } else {
            self.past_role(at, Role::The)
        };
        let (next, minutes) = self.minutes(at)?;
        let said = self.items.get(next - 1).is_some_and(|item| item.kind == Kind::Word);
        if self.words.postposed {
            // "mancano cinque minuti alle 14", "un quarto a mezzogiorno"
            let quarter = self.role(at, Role::Quarter).is_some();
            let counted = self.role(next - 1, Role::Minutes).is_some();
            let start = self.role(next, Role::To).filter(|_| quarter || counted)?;
            let (end, clock) = self.plain_hour(start)?;
            return Some((end, before_hour(clock, i8::try_from(minutes).ok()?)));
        }
        if let Some(start) = self.role(next, Role::Past) {
            let (end, clock) = self.plain_hour(start)?;
            return Some((
                end,
                Clock {
                    minute: Some(i8::try_from(minutes).ok()?),
                    bare: false,
                    ..clock
                },
            ));
        }
        let start = self
            .role(next, Role::ToHour)
            .or_else(|| self.small(next, Small::From))?;
        let from = self.small(next, Small::From).is_some();
        let (end, clock) = self.plain_hour(start)?;
        let usual = said;
        if from {
            return said.then_some((
                end,
                Clock {
                    minute: Some(i8::try_from(minutes).ok()?),
                    bare: false,
                    ..clock
                },
            ));
        }
        // "from six to seven" is from one hour to another, and "one of three" one of them.
        let is_quarter = (at..next).any(|part| self.role(part, Role::Quarter).is_some());
        let is_counted = (at..next).any(|part| self.role(part, Role::Minutes).is_some());
        let is_of = self.small(next, Small::Of).is_some();
        let is_time = is_quarter || !is_of && (is_counted || minutes % 5 == 0);
        (usual && is_time).then(|| (end, before_hour(clock, i8::try_from(minutes).unwrap_or(0))))
    }

    /// An hour without minutes.
    fn plain_hour(&self, at: usize) -> Option<(usize, Clock)> {
        if let Some((end, time)) = self.sense(at, |sense| {
            if let Sense::Clock(time) = sense {
                Some(*time)
            } else {
                None
            }
        }) {
            return Some((
                end,
                Clock {
                    half: HalfDay::Full,
                    ..Clock::new(time.hour(), None)
                },
            ));
        }
        let (end, hour) = match self.integer(at) {
            Some(hour) => (at + 1, hour),
            None => self.worded(at).map(|(end, hour)| (end, hour as i64))?,
        };
        // "add ten minutes to an alarm", «… a una sveglia»
        if self.is_article(at) && !(self.small(at, Small::OneHour).is_some() && self.may_be_hour(end)) {
            return None;
        }
        let hour = i8::try_from(hour).ok().filter(|hour| *hour <= 24)?;
        if self.sign(end) == Some(':') && self.glued(end) {
            return None;
        }
        // "15h"
        let end = if self.glued(end) && self.skip_word(end, "h").is_some() {
            end + 1
        } else {
            end
        };
        let (end, clock) = self.finished(end, Clock::new(hour, None));
        Some((end, clock))
    }
}

/// So many minutes before an hour.
fn before_hour(clock: Clock, minutes: i8) -> Clock {
    let hour = match (clock.hour, clock.half) {
        (0, _) => 23,
        (1, HalfDay::Unknown | HalfDay::Am | HalfDay::Pm) => 12,
        (hour, _) => hour - 1,
    };
    let half = match (clock.half, clock.hour) {
        (HalfDay::Pm, 12) => HalfDay::Am,
        (HalfDay::Am, 12) => HalfDay::Pm,
        (half, _) => half,
    };
    Clock {
        hour,
        half,
        minute: Some(60 - minutes),
        ..clock
    }
}
