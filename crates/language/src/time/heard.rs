//! The numbers, lengths, days and hours of a sentence, asked for place by place: for readers that walk over a message
//! themselves, as commands by rule do. The same words and the same parser as everything else reads; it resolves nothing
//! against a clock and finds nothing where it was not asked.

use std::sync::LazyLock;

use jiff::Zoned;

use super::{
    Conventions, Part, Unit,
    parser::Parser,
    senses::{Sense, Small},
    spec::{Clock, HalfDay, Spec},
    words::{Item, Words},
};

/// Nothing here is resolved, so any moment will do.
static NOWHEN: LazyLock<Zoned> = LazyLock::new(Zoned::default);

/// A sentence with its values. Places are bytes of the text; an end is the byte behind the last letter.
pub struct Heard<'a> {
    words: &'a Words,
    items: Vec<Item>,
}

/// Which half of the day an hour is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayHalf {
    /// Before noon.
    Am,
    /// After noon.
    Pm,
}

/// A time of day as it was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hour {
    /// The hour as said, 0 to 24.
    pub hour: u8,
    /// The minute, 0 where none was said.
    pub minute: u8,
    /// The half of the day, where it was said.
    pub half: Option<DayHalf>,
    /// Only a number, which needs company to be an hour.
    pub is_bare: bool,
}

/// A day that is named without a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedDay {
    /// So many days from today.
    In(i64),
    /// A day of the week; Monday is 1.
    Weekday(u8),
    /// A date of any year: the month, January being 1, and its day.
    Date(u8, u8),
}

impl<'a> Heard<'a> {
    pub(super) fn new(words: &'a Words, text: &str) -> Self {
        let items = words.items(text, &[]);
        Self { words, items }
    }

    /// A number in digits or words. An article is none, whatever it counts.
    pub fn number(&self, at: usize) -> Option<(usize, f64)> {
        self.ask(at, |parser, at| {
            let is_article = parser.is_article(at) && parser.small(at, Small::OneAlone).is_none();
            if is_article || is_guess(parser, at) {
                None
            } else {
                parser.number(at)
            }
        })
    }

    /// A length of time in seconds; `None` for its seconds where it is made of months or longer, which nothing counts
    /// down.
    pub fn length(&self, at: usize) -> Option<(usize, Option<f64>)> {
        self.ask(at, |parser, at| {
            let is_said = |end: usize| !(at..end).any(|part| is_guess(parser, part));
            let (end, length) = parser.length(at).filter(|(end, _)| is_said(*end))?;
            let counts = length.largest() <= Unit::Day;
            Some((end, counts.then(|| length.seconds())))
        })
    }

    /// What joins two of them: "and".
    pub fn joint(&self, at: usize) -> Option<(usize, ())> {
        self.ask(at, |parser, at| Some((parser.joined(at)?, ())))
    }

    /// A unit of time.
    pub fn unit(&self, at: usize) -> Option<(usize, Unit)> {
        self.ask(at, |parser, at| parser.unit(at))
    }

    /// A time of day. `expected` says that what stands before it makes even a lone number one.
    pub fn hour(&self, at: usize, expected: bool) -> Option<(usize, Hour)> {
        self.ask(at, |parser, at| {
            let (end, clock) = parser.clock(at, expected)?;
            Some((end, said(clock)?))
        })
    }

    /// A day: "tomorrow", "Monday", "the 25th of May".
    pub fn day(&self, at: usize) -> Option<(usize, NamedDay)> {
        self.ask(at, |parser, at| {
            let near = parser.sense(at, |sense| {
                if let Sense::Day(days) = sense {
                    Some(NamedDay::In(*days))
                } else if let Sense::PartDay(days @ 1.., Part::Morning) = sense {
                    // "domattina": an hour beside it is in the morning anyway.
                    Some(NamedDay::In(*days))
                } else {
                    None
                }
            });
            let weekday = || {
                let (end, day) = parser.weekday(at)?;
                Some((end, NamedDay::Weekday(u8::try_from(day).ok()?)))
            };
            let date = || {
                let (end, spec) = parser.day_month(at).or_else(|| parser.month_day(at))?;
                Some((end, date(&spec)?))
            };
            near.or_else(weekday).or_else(date)
        })
    }

    /// Asks the parser at a byte; nothing begins inside an item.
    fn ask<T>(&self, byte: usize, look: impl Fn(&Parser<'_>, usize) -> Option<(usize, T)>) -> Option<(usize, T)> {
        let at = self.items.binary_search_by_key(&byte, |item| item.span.start).ok()?;
        let parser = Parser::new(&self.items, self.words, &NOWHEN, &Conventions::HOUSEHOLD);
        let (end, found) = look(&parser, at)?;
        let last = self.items.get(end.checked_sub(1)?)?;
        Some((last.span.end, found))
    }
}

/// "A few" is a number nobody said; "a couple" is two.
fn is_guess(parser: &Parser<'_>, at: usize) -> bool {
    parser.sense(at, Sense::vague).is_some_and(|(_, number)| number > 2)
}

fn said(clock: Clock) -> Option<Hour> {
    Some(Hour {
        hour: u8::try_from(clock.hour).ok()?,
        minute: u8::try_from(clock.minute.unwrap_or(0)).ok()?,
        half: match clock.half {
            HalfDay::Am => Some(DayHalf::Am),
            HalfDay::Pm => Some(DayHalf::Pm),
            HalfDay::Unknown | HalfDay::Full => None,
        },
        is_bare: clock.bare,
    })
}

/// A day of a month and nothing more: one of a year, or several days, are other things.
fn date(spec: &Spec) -> Option<NamedDay> {
    let is_plain = spec.year.is_none() && spec.day_until.is_none();
    let (month, day) = spec.month.zip(spec.day).filter(|_| is_plain)?;
    Some(NamedDay::Date(u8::try_from(month).ok()?, u8::try_from(day).ok()?))
}
