//! A table with a heading: where it begins, what its columns hold, and the numbers and days in its cells. Called by
//! `reckon`.

use metnos_domain::lang::Lang;
use serde_json::Value;

/// Of the cells of a column that say something, this share at least is of its kind.
const KIND_SHARE: f64 = 0.8;
/// Rows that may stand above the heading: a title, a date.
const TITLES_MAX: usize = 5;

/// A number with the sign of its currency, as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The number.
    pub value: f64,
    /// Its sign or code, such as `€`; empty for none.
    pub unit: String,
}

impl Number {
    /// As people of this language write it.
    pub fn text(&self, lang: Lang) -> String {
        let rounded = (self.value * 100.0).round() / 100.0;
        let digits = usize::from(rounded.fract() != 0.0) * 2;
        let number = lang.decimal(rounded, digits);
        match self.unit.as_str() {
            "" => number,
            unit if unit.chars().all(char::is_alphabetic) || lang.writes_comma() => format!("{number} {unit}"),
            unit => format!("{unit}{number}"),
        }
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Numbers to reckon with.
    Numbers,
    /// Days.
    Days,
    /// Years.
    Years,
    /// Anything else.
    Texts,
}

/// One column.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// Its heading; empty for none.
    pub(crate) heading: String,
    /// What it holds.
    pub(crate) holds: Holds,
    /// Its numbers are amounts of money.
    pub(crate) is_money: bool,
    /// A comma stands before the fractions of its numbers.
    is_comma: bool,
}

/// A table.
#[derive(Debug)]
pub(crate) struct Grid<'a> {
    /// Its columns.
    pub(crate) columns: Vec<Column>,
    /// The rows below the heading.
    pub(crate) rows: Vec<&'a [Value]>,
    /// What stands above it.
    pub(crate) title: String,
}

impl<'a> Grid<'a> {
    /// `None` for a table without a heading or without rows.
    pub(crate) fn new(rows: &'a [Vec<Value>], is_money: &dyn Fn(&str) -> bool) -> Option<Self> {
        let width = rows.iter().map(Vec::len).max()?;
        let says = |row: &[Value]| row.iter().filter(|cell| !text(cell).is_empty()).count();
        let is_heading = |row: &[Value]| {
            let filled = says(row);
            let are_words = row
                .iter()
                .all(|cell| number(cell, false).is_none() && day(&text(cell)).is_none());
            filled >= 2.min(width) && filled * 3 >= width * 2 && are_words
        };
        let at = rows.iter().take(TITLES_MAX + 1).position(|row| is_heading(row))?;
        let (above, below) = rows.split_at(at);
        let (heading, below) = below.split_first()?;
        let below: Vec<&[Value]> = below.iter().map(Vec::as_slice).filter(|row| says(row) > 0).collect();
        if below.is_empty() {
            return None;
        }
        let column = |at: usize| {
            let heading = heading.get(at).map(text).unwrap_or_default();
            let cells: Vec<&Value> = below.iter().filter_map(|row| row.get(at)).collect();
            column(&heading, &cells, is_money)
        };
        let title = above.iter().flatten().map(text).collect::<Vec<_>>().join(" ");
        Some(Self {
            columns: (0..width).map(column).collect(),
            rows: below,
            title: title.trim().to_owned(),
        })
    }

    /// The number in a cell.
    pub(crate) fn number(&self, row: &[Value], column: usize) -> Option<Number> {
        number(row.get(column)?, self.columns.get(column)?.is_comma)
    }

    /// The day in a cell, as year, month and day; of a column of years the year alone.
    pub(crate) fn day(&self, row: &[Value], column: usize) -> Option<(i32, u8, u8)> {
        let cell = row.get(column)?;
        match self.columns.get(column)?.holds {
            Holds::Days => day(&text(cell)),
            Holds::Years => Some((year(cell)?, 0, 0)),
            Holds::Numbers | Holds::Texts => None,
        }
    }

    /// A row in one line: what its cells say, with the heading of each number that needs one.
    pub(crate) fn line(&self, row: &[Value]) -> String {
        let cells = row.iter().zip(&self.columns).filter_map(|(cell, column)| {
            let text = text(cell);
            if text.is_empty() {
                return None;
            }
            let is_plain = column.holds == Holds::Texts || column.holds == Holds::Days || column.heading.is_empty();
            Some(if is_plain {
                text
            } else {
                format!("{} {text}", column.heading)
            })
        });
        cells.collect::<Vec<_>>().join(" · ")
    }
}

fn column(heading: &str, cells: &[&Value], is_money: &dyn Fn(&str) -> bool) -> Column {
    let filled: Vec<String> = cells
        .iter()
        .map(|cell| text(cell))
        .filter(|text| !text.is_empty())
        .collect();
    let share = |holds: &dyn Fn(&str) -> bool| {
        let count = filled.iter().filter(|text| holds(text)).count();
        count > 0 && count as f64 >= KIND_SHARE * filled.len() as f64
    };
    let is_comma = filled.iter().any(|text| ends_in_comma(text));
    let is_number = |text: &str| number(&Value::from(text), is_comma).is_some();
    let is_year = |text: &str| year(&Value::from(text)).is_some();
    let holds = if share(&|text| day(text).is_some()) {
        Holds::Days
    } else if share(&is_year) && !is_money(heading) {
        Holds::Years
    } else if share(&is_number) {
        Holds::Numbers
    } else {
        Holds::Texts
    };
    let has_unit = |text: &str| number(&Value::from(text), is_comma).is_some_and(|number| !number.unit.is_empty());
    let is_money = holds == Holds::Numbers && (is_money(heading) || share(&has_unit) || has_sign(heading));
    Column {
        heading: heading.trim().to_owned(),
        holds,
        is_money,
        is_comma,
    }
}

fn has_sign(heading: &str) -> bool {
    heading.contains(SIGNS)
}

/// A cell as it reads.
pub(crate) fn text(cell: &Value) -> String {
    match cell {
        Value::String(text) => text.trim().to_owned(),
        Value::Null => String::new(),
        Value::Number(number) => number
            .as_f64()
            .map_or_else(|| number.to_string(), |number| number.to_string()),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => cell.to_string(),
    }
}

const SIGNS: [char; 4] = ['€', '$', '£', '¥'];
const CODES: [&str; 5] = ["eur", "usd", "gbp", "chf", "euro"];

/// The number a cell says, with its unit of money; nothing where other words stand beside it.
fn number(cell: &Value, is_comma: bool) -> Option<Number> {
    if let Value::Number(number) = cell {
        let value = number.as_f64()?;
        return Some(Number {
            value,
            unit: String::new(),
        });
    }
    let text = text(cell);
    let mut unit = String::new();
    let mut digits = String::new();
    let mut letters = String::new();
    for letter in text.chars() {
        match letter {
            sign if SIGNS.contains(&sign) => unit = sign.to_string(),
            '0'..='9' | '.' | ',' | '-' | '−' | '+' => digits.push(if letter == '−' { '-' } else { letter }),
            '\'' | '’' | '\u{a0}' | '\u{202f}' | ' ' => {}
            '%' if unit.is_empty() => unit = "%".to_owned(),
            letter if letter.is_alphabetic() => letters.push(letter),
            _ => return None,
        }
    }
    if !letters.is_empty() {
        if !CODES.contains(&letters.to_lowercase().as_str()) {
            return None;
        }
        unit = letters;
    }
    let plain = if is_comma {
        digits.replace('.', "").replace(',', ".")
    } else {
        digits.replace(',', "")
    };
    // "2024-03-18" is no number.
    let is_signed = plain.strip_prefix(['-', '+']).unwrap_or(&plain).contains(['-', '+']);
    let value: f64 = plain.parse().ok().filter(|_| !is_signed)?;
    value.is_finite().then_some(Number { value, unit })
}

/// "12,5" and "1.234,50": a comma with one or two digits behind it, or behind points.
fn ends_in_comma(text: &str) -> bool {
    let Some((before, behind)) = text.rsplit_once(',') else {
        return false;
    };
    let digits = behind.chars().take_while(char::is_ascii_digit).count();
    let goes_on = behind
        .chars()
        .nth(digits)
        .is_some_and(|letter| matches!(letter, '.' | ','));
    before.ends_with(|letter: char| letter.is_ascii_digit()) && (digits == 1 || digits == 2) && !goes_on
}

/// A year that stands alone.
fn year(cell: &Value) -> Option<i32> {
    let text = text(cell);
    let year: i32 = text.parse().ok()?;
    (1900..=2100).contains(&year).then_some(year)
}

/// A day: `2024-03-18`, with or without a time, `18/03/2024`, `18.3.24`.
pub(crate) fn day(text: &str) -> Option<(i32, u8, u8)> {
    let first = text.split([' ', 'T']).next().unwrap_or_default();
    let parts: Vec<&str> = first.split(['-', '/', '.']).collect();
    let [one, two, three] = parts.as_slice() else {
        return None;
    };
    let number = |text: &str| text.parse::<i32>().ok().filter(|_| !text.starts_with('+'));
    let (one_number, two_number, three_number) = (number(one)?, number(two)?, number(three)?);
    let (year, month, day) = if one.len() == 4 {
        (one_number, two_number, three_number)
    } else {
        let year = if three.len() == 2 {
            2000 + three_number
        } else {
            three_number
        };
        // Where the second is no month, the first is.
        if two_number > 12 {
            (year, one_number, two_number)
        } else {
            (year, two_number, one_number)
        }
    };
    let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    let is_day = (1..=12).contains(&month) && (1..=31).contains(&day) && (1900..=2200).contains(&year);
    is_day.then_some((year, month, day))
}
