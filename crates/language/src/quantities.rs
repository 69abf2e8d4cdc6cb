//! Finds amounts by their units: money, shares of a hundred, degrees, distances, weights; and telephone numbers. Called
//! by `values` after names were found, on what is still free. It never takes a size of files or a time, and no plan may
//! pass over what it finds: an amount that no argument takes leaves the request unsure.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    FactKind,
    lexicon::LanguageError,
    scan::Scan,
    sense::Sense,
    time::{Form, Mention},
    token::pieces_of,
};
use metnos_domain::lang::Lang;

const SHARED: &str = include_str!("units.toml");
const ENGLISH: &str = include_str!("../../../locales/en/units.toml");
const ITALIAN: &str = include_str!("../../../locales/it/units.toml");

/// What a phrase beside a number says.
#[derive(Clone, Debug, PartialEq)]
enum Unit {
    /// Money, by its code. `leads` when it may stand before the number.
    Money {
        code: String,
        leads: bool,
    },
    Cents,
    Percent,
    /// So much of something, in a unit of this size.
    Of {
        what: String,
        unit: String,
        size: f64,
    },
    /// A part of one.
    Part(f64),
    One,
    AndHalf,
    Joint,
    OfWord,
    BelowZero,
}

/// The currency of an amount that says only how many hundredths: "fifty cents" of which money nobody knows.
const CENT: &str = "cent";

type Forms = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    parts: Forms,
    words: Words,
    money: Forms,
    units: Forms,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    one: Vec<String>,
    and_half: Vec<String>,
    joint: Vec<String>,
    of: Vec<String>,
    below_zero: Vec<String>,
    percent: Vec<String>,
    cents: Vec<String>,
}

/// The words for amounts of one language, by their pieces with one space.
pub(super) struct Units {
    forms: HashMap<String, Vec<Unit>>,
    longest: usize,
}

impl Units {
    /// Reads the embedded words of a language.
    pub(super) fn embedded(lang: Lang) -> Result<Self, LanguageError> {
        let text = match lang {
            Lang::IT => ITALIAN,
            _ => ENGLISH,
        };
        let wrong = |source| LanguageError::Toml {
            what: format!("units of {}", lang.code()),
            source,
        };
        let shared: BTreeMap<String, BTreeMap<String, f64>> = toml::from_str(SHARED).map_err(wrong)?;
        let file: File = toml::from_str(text).map_err(wrong)?;
        let mut units = Self {
            forms: HashMap::new(),
            longest: 1,
        };
        let words: [(&[String], Unit); 7] = [
            (&file.words.one, Unit::One),
            (&file.words.and_half, Unit::AndHalf),
            (&file.words.joint, Unit::Joint),
            (&file.words.of, Unit::OfWord),
            (&file.words.below_zero, Unit::BelowZero),
            (&file.words.percent, Unit::Percent),
            (&file.words.cents, Unit::Cents),
        ];
        for (forms, unit) in words {
            units.add(forms, &unit);
        }
        let unknown = |word: &str| LanguageError::Unknown {
            what: format!("units of {}", lang.code()),
            word: word.to_owned(),
        };
        for (part, forms) in &file.parts {
            let part = part.parse().map_err(|_bad| unknown(part))?;
            units.add(forms, &Unit::Part(part));
        }
        for (code, forms) in &file.money {
            for form in forms {
                let leads = form.eq_ignore_ascii_case(code) || !form.chars().all(|letter| letter.is_alphabetic());
                let code = code.clone();
                units.add(std::slice::from_ref(form), &Unit::Money { code, leads });
            }
        }
        for (unit, forms) in &file.units {
            let of = shared.iter().find_map(|(what, sizes)| Some((what, sizes.get(unit)?)));
            let (what, size) = of.ok_or_else(|| unknown(unit))?;
            let of = Unit::Of {
                what: what.clone(),
                unit: unit.clone(),
                size: *size,
            };
            units.add(forms, &of);
        }
        Ok(units)
    }

    fn add(&mut self, forms: &[String], unit: &Unit) {
        for form in forms {
            let pieces = pieces_of(form);
            self.longest = self.longest.max(pieces.len());
            self.forms.entry(pieces.join(" ")).or_default().push(unit.clone());
        }
    }

    /// The longest phrase at a place that `pick` accepts, and where it ends.
    fn find<'u, T>(&'u self, scan: &Scan<'_>, at: usize, pick: impl Fn(&'u Unit) -> Option<T>) -> Option<(usize, T)> {
        let mut phrase = String::new();
        let mut best = None;
        for next in at..at + self.longest {
            let Some(segment) = scan.segments.get(next).filter(|segment| !segment.used) else {
                break;
            };
            if next > at {
                phrase.push(' ');
            }
            match segment.mark {
                Some(mark) => phrase.push(mark),
                None => phrase.push_str(&segment.fold),
            }
            if let Some(found) = self.forms.get(&phrase).and_then(|units| units.iter().find_map(&pick)) {
                best = Some((next + 1, found));
            }
        }
        best
    }

    fn is(&self, scan: &Scan<'_>, at: usize, unit: &Unit) -> Option<usize> {
        self.find(scan, at, |found| (found == unit).then_some(()))
            .map(|(end, ())| end)
    }

    /// Behind a comma or an "and".
    fn behind_joint(&self, scan: &Scan<'_>, at: usize) -> usize {
        let comma = scan.segments.get(at).is_some_and(|segment| segment.mark == Some(','));
        let at = at + usize::from(comma);
        self.is(scan, at, &Unit::Joint).unwrap_or(at)
    }
}

/// Whether what looks like a time is the number of an amount: "il venti per cento", "on 3 euros", "tra 1 e 10 mb".
pub(super) fn is_counted(scan: &Scan<'_>, units: &Units, time: &Mention) -> bool {
    let next = scan
        .segments
        .partition_point(|segment| segment.span.start < time.span.end);
    let number = next.checked_sub(1).and_then(|last| free_number(scan, last));
    // "3/4 of a mb"
    let part = units
        .is(scan, next, &Unit::OfWord)
        .filter(|_| number.is_some_and(|number| number < 1.0));
    let next = part.map_or(next, |of| units.is(scan, of, &Unit::One).unwrap_or(of));
    let sized = scan.sense(next, Sense::size_unit).is_some();
    number.is_some() && (sized || unit_behind(scan, units, next).is_some())
}

/// An amount before it is a fact.
struct Amount<'u> {
    number: f64,
    unit: &'u Unit,
    end: usize,
}

/// Makes facts of every amount and of every telephone number that is still free.
pub(super) fn quantities(scan: &mut Scan<'_>, units: &Units, times: &[Mention]) {
    let mut at = 0;
    while at < scan.segments.len() {
        at = match amount(scan, units, times, at).or_else(|| below(scan, units, times, at)) {
            Some((kind, value, end)) => {
                take(scan, kind, value, at..end);
                end
            }
            None => at + 1,
        };
    }
    for at in 0..scan.segments.len() {
        let free = scan.segments.get(at).filter(|segment| !segment.used);
        if let Some(phone) = free.and_then(|segment| segment.phone.clone()) {
            take(scan, FactKind::Phone, Value::String(phone), at..at + 1);
        }
    }
}

/// A number inside a unit ("per cento") is none of its own, and a telephone number is none at all.
fn take(scan: &mut Scan<'_>, kind: FactKind, value: Value, range: Range<usize>) {
    let behind = range.start + usize::from(kind != FactKind::Phone);
    for segment in scan.segments.get_mut(behind..range.end).unwrap_or_default() {
        let is_word = segment.fold.chars().all(|letter| !letter.is_ascii_digit());
        if is_word || kind == FactKind::Phone {
            segment.number = None;
        }
    }
    scan.fact(kind, value, range);
}

fn amount(scan: &Scan<'_>, units: &Units, times: &[Mention], at: usize) -> Option<(FactKind, Value, usize)> {
    let found = led(scan, units, at).or_else(|| followed(scan, units, times, at))?;
    match found.unit {
        Unit::Money { code, .. } => {
            let (end, number) = with_cents(scan, units, &found);
            Some((FactKind::Money, json!({"amount": number, "currency": code}), end))
        }
        Unit::Percent => Some((FactKind::Percent, json!(found.number), found.end)),
        Unit::Cents => Some((
            FactKind::Money,
            json!({"amount": found.number, "currency": CENT}),
            found.end,
        )),
        Unit::Of { what, .. } => {
            let (number, unit, end) = with_smaller(scan, units, &found);
            let (number, end) = match units.is(scan, end, &Unit::BelowZero) {
                Some(after) if what == "temperature" => (-number, after),
                Some(_) | None => (number, end),
            };
            Some((
                FactKind::Amount,
                json!({"amount": number, "unit": unit, "of": what}),
                end,
            ))
        }
        Unit::Part(_) | Unit::One | Unit::AndHalf | Unit::Joint | Unit::OfWord | Unit::BelowZero => None,
    }
}

/// "- 2 degrees": a sign with a space is a minus only before degrees.
fn below(scan: &Scan<'_>, units: &Units, times: &[Mention], at: usize) -> Option<(FactKind, Value, usize)> {
    let sign = scan.segments.get(at).and_then(|segment| segment.mark);
    let counted = at.checked_sub(1).is_some_and(|before| scan.is_value(before));
    if !matches!(sign, Some('-' | '\u{2212}')) || counted {
        return None;
    }
    let (kind, mut value, end) = amount(scan, units, times, at + 1)?;
    let number = value.get("amount").and_then(Value::as_f64)?;
    let is_temperature = value.get("of").is_some_and(|of| of == "temperature");
    *value.get_mut("amount")? = json!(-number);
    is_temperature.then_some((kind, value, end))
}

/// "$12.50", "EUR 20".
fn led<'u>(scan: &Scan<'_>, units: &'u Units, at: usize) -> Option<Amount<'u>> {
    let leads = |unit: &'u Unit| matches!(unit, Unit::Money { leads: true, .. }).then_some(unit);
    let (end, unit) = units.find(scan, at, leads)?;
    let number = free_number(scan, end)?;
    Some(Amount {
        number,
        unit,
        end: end + 1,
    })
}

/// "12 euro", "half a kilo", "a litre and a half".
fn followed<'u>(scan: &Scan<'_>, units: &'u Units, times: &[Mention], at: usize) -> Option<Amount<'u>> {
    let part = |unit: &Unit| if let Unit::Part(part) = unit { Some(*part) } else { None };
    let (next, number) = free_number(scan, at)
        .map(|number| (at + 1, number))
        .or_else(|| units.find(scan, at, part))
        .or_else(|| units.is(scan, at, &Unit::One).map(|end| (end, 1.0)))?;
    // "5 milioni di euro", "two thirds of a cup"
    let of = units
        .is(scan, next, &Unit::OfWord)
        .filter(|_| !(1.0..1e6).contains(&number));
    let one = of.and_then(|of| units.is(scan, of, &Unit::One).filter(|_| number < 1.0));
    let (end, unit) = unit_behind(scan, units, one.or(of).unwrap_or(next))?;
    // "a $ 20 loan": the sign belongs to what follows.
    if free_number(scan, at).is_none() && free_number(scan, end).is_some() && matches!(unit, Unit::Money { .. }) {
        return None;
    }
    // "5 m" are minutes where a time is meant.
    let span = scan.segments.get(at)?.span.start..scan.segments.get(end - 1)?.span.end;
    let is_time = |time: &Mention| {
        let length = matches!(time.form, Form::Length(..) | Form::Window(..));
        length && time.span.start <= span.start && span.end <= time.span.end
    };
    if times.iter().any(is_time) {
        return None;
    }
    let half = units.is(scan, end, &Unit::AndHalf);
    Some(Amount {
        number: number + if half.is_some() { 0.5 } else { 0.0 },
        unit,
        end: half.unwrap_or(end),
    })
}

fn free_number(scan: &Scan<'_>, at: usize) -> Option<f64> {
    scan.segments
        .get(at)
        .filter(|segment| !segment.used)
        .and_then(|segment| segment.number)
}

/// The unit here. "Pounds" are money unless there are so many of something.
fn unit_behind<'u>(scan: &Scan<'_>, units: &'u Units, at: usize) -> Option<(usize, &'u Unit)> {
    // "half-litre": the sign joins.
    let hyphen = scan.segments.get(at).is_some_and(|segment| segment.mark == Some('-'));
    let at = at + usize::from(hyphen);
    let is_cents =
        |unit: &Unit| *unit == Unit::Cents && scan.segments.get(at).is_some_and(|segment| segment.fold.len() > 1);
    let is_money = |unit: &Unit| matches!(unit, Unit::Money { .. } | Unit::Percent) || is_cents(unit);
    let money = |unit: &'u Unit| is_money(unit).then_some(unit);
    let measure = |unit: &'u Unit| matches!(unit, Unit::Of { .. }).then_some(unit);
    let (money, measure) = (units.find(scan, at, money), units.find(scan, at, measure));
    match (money, measure) {
        (Some(money), Some(measure)) => {
            let weighs = units.is(scan, measure.0, &Unit::OfWord).is_some();
            Some(if weighs || measure.0 > money.0 { measure } else { money })
        }
        (money, measure) => money.or(measure),
    }
}

/// "20 dollars and 43 cents", "tre euro e cinquanta", "a euro fifty".
fn with_cents(scan: &Scan<'_>, units: &Units, whole: &Amount<'_>) -> (usize, f64) {
    let at = units.behind_joint(scan, whole.end);
    let cents = free_number(scan, at).filter(|cents| cents.fract() == 0.0 && (1.0..100.0).contains(cents));
    let Some(cents) = cents.filter(|_| whole.number.fract() == 0.0) else {
        return (whole.end, whole.number);
    };
    let sum = (whole.number * 100.0 + cents) / 100.0;
    if let Some(end) = units.is(scan, at + 1, &Unit::Cents) {
        return (end, sum);
    }
    // Without a word for them they are cents only where nothing is counted: "3 euro and 20 files" are two amounts.
    let ends = scan
        .segments
        .get(at + 1)
        .is_none_or(|next| next.used || matches!(next.mark, Some('.' | ',' | ';' | '!' | '?' | ')')));
    let glue = [Sense::Stop, Sense::Connector]
        .into_iter()
        .any(|sense| scan.is(at + 1, &sense))
        || scan.sense(at + 1, Sense::role).is_some();
    // "15 euro 50": two figures at the end are cents without any joint.
    let figures = (10.0..100.0).contains(&cents) && scan.segments.get(at + 1).is_none_or(|next| next.mark.is_some());
    if (ends || glue) && at > whole.end || figures {
        (at + 1, sum)
    } else {
        (whole.end, whole.number)
    }
}

/// "7 feet 10 inches" are 94 inches, "2 chili e 300 grammi" 2300 grams.
fn with_smaller<'u>(scan: &Scan<'_>, units: &'u Units, first: &Amount<'u>) -> (f64, &'u str, usize) {
    let Unit::Of { what: kind, unit, size } = first.unit else {
        return (first.number, "", first.end);
    };
    let (mut number, mut name, mut size, mut end) = (first.number, unit.as_str(), *size, first.end);
    loop {
        let at = units.behind_joint(scan, end);
        let smaller = |unit: &'u Unit| match unit {
            Unit::Of {
                what,
                unit,
                size: other,
            } if what == kind && *other < size => Some((unit.as_str(), *other)),
            Unit::Of { .. }
            | Unit::Money { .. }
            | Unit::Cents
            | Unit::Percent
            | Unit::Part(_)
            | Unit::One
            | Unit::AndHalf
            | Unit::Joint
            | Unit::OfWord
            | Unit::BelowZero => None,
        };
        let next = free_number(scan, at).and_then(|more| Some((more, units.find(scan, at + 1, smaller)?)));
        let Some((more, (after, (unit, other)))) = next else {
            return (number, name, end);
        };
        number = exact(number * size / other + more);
        (name, size, end) = (unit, other, after);
    }
}

/// Without what dividing left behind.
fn exact(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
