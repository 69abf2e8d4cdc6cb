//! What a column of a table holds and how it writes it: `rows` brings a said value into that form. Pure. It must never
//! guess: what surely is no value of the column is none, and a unit that is another than the column's is not dropped.

use jiff::civil::Date;

use super::{
    super::super::numbers::plain_number,
    said::{Words, amount, day_of, decimals, parts, triple},
};
use crate::domain::lang::Lang;

/// Signs that may stand beside the number in a cell.
const SIGNS: [char; 5] = ['€', '$', '£', '¥', '%'];
/// Digits behind the mark from which a column that always has so many keeps to them: "35,00".
const FIXED_DECIMALS_MIN: usize = 2;

/// One column, as the rows above write it.
pub(super) struct Column {
    pub(super) heading: String,
    /// A value that stands in it.
    pub(super) such: String,
    form: Form,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    Day(DayForm),
    Number(NumberForm),
    Text,
    /// Nothing stands in it yet; the mark is that of the file.
    Open(char),
}

/// What stands first in a date.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Order {
    Year,
    Day,
    Month,
}

/// How days are written.
#[derive(Clone, Copy, Debug, PartialEq)]
struct DayForm {
    order: Order,
    sign: char,
    /// "03" and not "3".
    is_padded: bool,
    /// "26" and not "2026".
    is_short: bool,
}

/// How numbers are written.
#[derive(Clone, Debug, PartialEq)]
struct NumberForm {
    mark: char,
    /// So many digits stand behind the mark, in every cell.
    decimals: Option<usize>,
    before: String,
    after: String,
}

impl Column {
    /// A column by what stands in it; `mark` is what stands before fractions elsewhere in the file.
    pub(super) fn of(heading: &str, cells: &[&str], mark: char) -> Self {
        let cells: Vec<&str> = cells.iter().copied().filter(|cell| !cell.is_empty()).collect();
        let form = form(&cells, mark);
        let such = cells.iter().rev().find(|cell| form.has(cell)).copied();
        Self {
            heading: heading.to_owned(),
            such: such.unwrap_or_default().to_owned(),
            form,
        }
    }

    /// Whether a cell is written as the others are. An empty one says nothing that could be wrong.
    pub(super) fn fits(&self, cell: &str, words: &Words, lang: Lang) -> bool {
        match self.form {
            Form::Open(_) => self.write(cell, words, lang).is_some_and(|written| written == cell),
            Form::Day(_) | Form::Number(_) | Form::Text => cell.is_empty() || self.form.has(cell),
        }
    }

    /// A said value as the column writes it.
    pub(super) fn write(&self, said: &str, words: &Words, lang: Lang) -> Option<String> {
        if said.is_empty() {
            return Some(String::new());
        }
        match &self.form {
            Form::Text => Some(said.to_owned()),
            Form::Day(form) => {
                let own = form.read(said).or_else(|| day_of(said, words));
                own.map(|day| form.write(day))
            }
            Form::Number(form) => {
                let (number, unit) = amount(said)?;
                let is_unit = unit.is_empty() || words.is_unit_of(unit, &self.heading);
                is_unit.then(|| form.write(number, lang)).flatten()
            }
            Form::Open(mark) => Some(self.open(said, *mark, words, lang)),
        }
    }

    /// The first value of a column: a day as such, an amount in what the heading names without that.
    fn open(&self, said: &str, mark: char, words: &Words, lang: Lang) -> String {
        if let Some(day) = day_of(said, words) {
            return day.to_string();
        }
        let amount = amount(said).filter(|(_, unit)| words.is_named_in(unit, &self.heading));
        let form = NumberForm {
            mark,
            decimals: None,
            before: String::new(),
            after: String::new(),
        };
        let number = amount.and_then(|(number, _)| form.write(number, lang));
        number.unwrap_or_else(|| said.to_owned())
    }
}

/// Whether nearly all are so: a remark among numbers makes no column of texts.
fn are_most(cells: &[&str], is: impl Fn(&str) -> bool) -> bool {
    let count = cells.iter().filter(|cell| is(cell)).count();
    count > 0 && count * 5 >= cells.len() * 4
}

fn form(cells: &[&str], mark: char) -> Form {
    if cells.is_empty() {
        return Form::Open(mark);
    }
    if let Some(days) = DayForm::of(cells).filter(|form| are_most(cells, |cell| form.read(cell).is_some())) {
        return Form::Day(days);
    }
    let mark = mark_of(cells).unwrap_or(mark);
    match NumberForm::of(cells, mark).filter(|form| are_most(cells, |cell| form.decimals_in(cell).is_some())) {
        Some(numbers) => Form::Number(numbers),
        None => Form::Text,
    }
}

/// Whether a cell of a first row is no heading.
pub(super) fn is_value(cell: &str) -> bool {
    let is_number = |mark| decimals(parts(cell).1, mark).is_some();
    DayForm::of(&[cell]).is_some_and(|form| form.read(cell).is_some()) || is_number('.') || is_number(',')
}

impl Form {
    fn has(&self, cell: &str) -> bool {
        match self {
            Self::Day(form) => form.read(cell).is_some(),
            Self::Number(form) => form.decimals_in(cell).is_some(),
            Self::Text | Self::Open(_) => true,
        }
    }
}

impl DayForm {
    fn of(cells: &[&str]) -> Option<Self> {
        let all: Vec<(char, [&str; 3])> = cells.iter().filter_map(|cell| triple(cell)).collect();
        let (sign, last) = all.last().copied()?;
        let is_american = |(_, [_, second, _]): &(char, [&str; 3])| second.parse().is_ok_and(|part: u8| part > 12);
        let order = match last {
            [first, _, _] if first.len() == 4 => Order::Year,
            [_, _, _] if all.iter().any(is_american) => Order::Month,
            [_, _, _] => Order::Day,
        };
        let is_bare = |(_, parts): &(char, [&str; 3])| parts.iter().any(|part| part.len() == 1);
        Some(Self {
            order,
            sign,
            is_padded: !all.iter().any(is_bare),
            is_short: last.iter().all(|part| part.len() < 4),
        })
    }

    /// The day of a cell in this form.
    fn read(self, cell: &str) -> Option<Date> {
        let (sign, parts) = triple(cell)?;
        let is_short = parts.iter().all(|part| part.len() < 4);
        let is_so = sign == self.sign && is_short == self.is_short;
        is_so.then(|| self.order.day(parts)).flatten()
    }

    fn write(self, day: Date) -> String {
        let part = |number: i8| match self.is_padded {
            true => format!("{number:02}"),
            false => number.to_string(),
        };
        let year = match self.is_short {
            true => format!("{:02}", day.year() % 100),
            false => format!("{:04}", day.year()),
        };
        let (month, date) = (part(day.month()), part(day.day()));
        let parts = match self.order {
            Order::Year => [year, month, date],
            Order::Day => [date, month, year],
            Order::Month => [month, date, year],
        };
        parts.join(&self.sign.to_string())
    }
}

impl Order {
    /// The day three parts of a date say in this order.
    pub(super) fn day(self, [one, two, three]: [&str; 3]) -> Option<Date> {
        let (year, month, day) = match self {
            Self::Year => (one, two, three),
            Self::Day => (three, two, one),
            Self::Month => (three, one, two),
        };
        let century = match year.len() {
            2 => 2000,
            4 => 0,
            _ => return None,
        };
        let year: i16 = year.parse().ok()?;
        Date::new(century + year, month.parse().ok()?, day.parse().ok()?).ok()
    }
}

impl NumberForm {
    fn of(cells: &[&str], mark: char) -> Option<Self> {
        let all: Vec<(&str, usize)> = cells
            .iter()
            .filter_map(|cell| Some((*cell, decimals(parts(cell).1, mark)?)))
            .collect();
        let (last, fixed) = *all.last()?;
        let (before, _, after) = parts(last);
        let is_fixed = fixed >= FIXED_DECIMALS_MIN && all.iter().all(|(_, own)| *own == fixed);
        let is_sign = |text: &str| {
            text.chars()
                .all(|letter| SIGNS.contains(&letter) || letter.is_whitespace())
        };
        (is_sign(before) && is_sign(after)).then(|| Self {
            mark,
            decimals: is_fixed.then_some(fixed),
            before: before.to_owned(),
            after: after.to_owned(),
        })
    }

    /// How many digits stand behind the mark of a number in this form.
    fn decimals_in(&self, cell: &str) -> Option<usize> {
        let (before, body, after) = parts(cell);
        let is_so = before == self.before && after == self.after;
        is_so.then(|| decimals(body, self.mark)).flatten()
    }

    /// A number as it was said, in this form.
    fn write(&self, said: &str, lang: Lang) -> Option<String> {
        let (sign, digits) = said.split_at(said.len() - said.trim_start_matches(['-', '−', '+']).len());
        // "1.759" below "1.801": only the column knows that this is no thousand.
        let is_bare = digits.chars().filter(|letter| !letter.is_ascii_digit()).count() == 1;
        let is_own = is_bare && self.decimals.is_some() && decimals(digits, self.mark) == self.decimals;
        let plain = match is_own {
            true => digits.to_owned(),
            false => {
                let plain = plain_number(digits, lang);
                decimals(&plain, '.')?;
                let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
                let wanted = self.decimals.unwrap_or_default();
                match format!("{fraction:0<wanted$}") {
                    none if none.is_empty() => whole.to_owned(),
                    fraction => format!("{whole}{}{fraction}", self.mark),
                }
            }
        };
        let sign = if sign.contains(['-', '−']) { "-" } else { "" };
        Some(format!("{}{sign}{plain}{}", self.before, self.after))
    }
}

/// The mark that stands before fractions, where a cell leaves no doubt.
pub(super) fn mark_of(cells: &[&str]) -> Option<char> {
    cells.iter().rev().find_map(|cell| {
        let body = parts(cell).1;
        let sure = |mark: char| decimals(body, mark).is_some_and(|count| count > 0 && count != 3);
        [',', '.'].into_iter().find(|mark| sure(*mark))
    })
}
