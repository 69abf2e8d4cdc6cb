//! How large files are that are meant: "bigger than 10 MB", "oltre i 500 kB", "between 1 and 10 mega", "2 GB or more".
//! Called by `language::values`, as facts with a bound each. It never takes an amount that is no size of files, and a
//! size without a bound stays unread: nobody means files of exactly that many bytes.

use serde_json::json;

use super::{
    FactKind, negation,
    scan::Scan,
    sense::{Changing, Role, Sense},
};
use metnos_domain::vocabulary::Object;

/// Which end a size is.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Least,
    Most,
}

impl Bound {
    fn name(self) -> &'static str {
        match self {
            Self::Least => "min",
            Self::Most => "max",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Least => Self::Most,
            Self::Most => Self::Least,
        }
    }
}

/// A number of bytes, or of what is said behind the next one.
struct Amount {
    number: f64,
    /// Bytes of the unit; none in "between 1 and 10 mb".
    unit: Option<u64>,
    end: usize,
}

/// Makes facts of every size with a bound.
pub(super) fn sizes(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        if range(scan, at) {
            continue;
        }
        let Some((amount, bound, start)) = led(scan, at).or_else(|| followed(scan, at)) else {
            continue;
        };
        let Some(unit) = amount.unit else { continue };
        take(scan, amount.number, unit, bound, start..amount.end);
    }
    empty(scan);
    // "bigger than 1 mb but smaller than 5": both hold.
    scan.explain_but(|fact| fact.kind == FactKind::Size);
}

/// "empty files", "file vuoti": beside the word for them. An empty folder has another size.
fn empty(scan: &mut Scan<'_>) {
    let is_file = |scan: &Scan<'_>, at: usize| {
        let noun = scan.is(at, &Sense::Object(Object::Files, None)) || scan.sense(at, Sense::globs).is_some();
        noun && !scan.is(at, &Sense::Object(Object::Dirs, None))
    };
    for at in 0..scan.segments.len() {
        let free = scan.segments.get(at).is_some_and(|segment| !segment.used);
        let beside = at.checked_sub(1).is_some_and(|before| is_file(scan, before)) || is_file(scan, at + 1);
        if free && beside && scan.is(at, &Sense::Empty) {
            take(scan, 0.0, 1, Bound::Most, at..at + 1);
        }
    }
}

fn take(scan: &mut Scan<'_>, number: f64, unit: u64, bound: Bound, span: std::ops::Range<usize>) {
    let bytes = (number * unit as f64).round() as u64;
    scan.fact(FactKind::Size, json!({"bytes": bytes, "bound": bound.name()}), span);
}

/// "bigger than 10 MB", "no bigger than 10 MB"; where it begins.
fn led(scan: &Scan<'_>, at: usize) -> Option<(Amount, Bound, usize)> {
    let bound = bound(scan, at, &Sense::More, &Sense::Less)?;
    let amount = amount(scan, at + 1)?;
    Some(match negation::denies(scan, at) {
        Some(start) => (amount, bound.other(), start),
        None => (amount, bound, at),
    })
}

/// "10 MB or more", "2 mega o meno".
fn followed(scan: &Scan<'_>, at: usize) -> Option<(Amount, Bound, usize)> {
    if scan.is_glue(at) && !scan.is_value(at) || scan.is_value(at) && scan.number(at).is_none() {
        return None;
    }
    let amount = amount(scan, at).filter(|amount| amount.unit.is_some())?;
    let bound = bound(scan, amount.end, &Sense::OrMore, &Sense::OrLess)?;
    let end = amount.end + 1;
    Some((Amount { end, ..amount }, bound, at))
}

/// "between 1 and 10 mb", "da 500 kb a 2 mega": both ends, each a fact. Whether it was one.
fn range(scan: &mut Scan<'_>, at: usize) -> bool {
    let between = scan.is(at, &Sense::Between);
    if !between && !scan.is(at, &Sense::Role(Role::From)) {
        return false;
    }
    let Some(least) = amount(scan, at + 1) else {
        return false;
    };
    let joint = least.end;
    let joins = between && scan.is(joint, &Sense::Connector) || !between && scan.is(joint, &Sense::Role(Role::To));
    let Some(most) = amount(scan, joint + 1).filter(|_| joins) else {
        return false;
    };
    let Some(unit) = most.unit else { return false };
    take(scan, least.number, least.unit.unwrap_or(unit), Bound::Least, at..joint);
    take(scan, most.number, unit, Bound::Most, joint..most.end);
    true
}

fn bound(scan: &Scan<'_>, at: usize, least: &Sense, most: &Sense) -> Option<Bound> {
    if scan.is(at, least) {
        Some(Bound::Least)
    } else if scan.is(at, most) {
        Some(Bound::Most)
    } else {
        None
    }
}

/// "10 MB", "20k", "half a giga", "a gigabyte", and "10" alone.
fn amount(scan: &Scan<'_>, start: usize) -> Option<Amount> {
    let at = scan.skip_glue(start);
    let unit = |at: usize| scan.sense(at, Sense::size_unit);
    let Some(number) = scan.number(at) else {
        let half = scan.is(at, &Sense::Changing(Changing::Half));
        let place = if half { scan.skip_glue(at + 1) } else { at };
        // "over a gigabyte" is one; "over gigabytes" is nothing.
        let counted = half || at > start;
        return unit(place).filter(|_| counted).map(|unit| {
            let (end, more) = and_half(scan, place + 1).filter(|_| !half).unwrap_or((place + 1, 0.0));
            Amount {
                number: if half { 0.5 } else { 1.0 + more },
                unit: Some(unit),
                end,
            }
        });
    };
    // "20k", "1.5G": the letter belongs to the number.
    let scaled = scan.segments.get(at).is_some_and(|segment| {
        let suffix = segment.fold.rsplit_once(' ').map(|(_, suffix)| suffix);
        matches!(suffix, Some("k" | "m" | "g"))
    });
    // "three quarters of a gig"
    let of = scan.is(at + 1, &Sense::Role(Role::Of)) && number < 1.0;
    let place = if of { scan.skip_glue(at + 2) } else { at + 1 };
    let Some(unit) = unit(place) else {
        let unit = scaled.then_some(1);
        return Some(Amount {
            number,
            unit,
            end: at + 1,
        });
    };
    let (end, more) = and_half(scan, place + 1).unwrap_or((place + 1, 0.0));
    // There is no half of a byte: "1.500 bytes" are as many thousands in any language.
    let number = if unit == 1 && number.fract() != 0.0 {
        number * 1000.0
    } else {
        number
    };
    Some(Amount {
        number: number + more,
        unit: Some(unit),
        end,
    })
}

/// "a gig and a half", "2 giga e mezzo": where the half behind the unit ends, and how much it is.
fn and_half(scan: &Scan<'_>, at: usize) -> Option<(usize, f64)> {
    let is_half = |at: usize| scan.number(at) == Some(0.5) || scan.is(at, &Sense::Changing(Changing::Half));
    let half = if is_half(at + 1) {
        at + 1
    } else {
        scan.skip_glue(at + 1)
    };
    let said = scan.is(at, &Sense::Connector) && is_half(half);
    // "over a gig and half of the pdfs" goes on.
    let ends = scan.skip_glue(half + 1) == half + 1 && !scan.is(half + 1, &Sense::Role(Role::Of));
    (said && ends).then_some((half + 1, 0.5))
}
