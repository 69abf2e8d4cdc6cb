//! `create_files_spreadsheet`: a list of an earlier step as a spreadsheet, or as a file of comma-separated values where
//! its name ends so. A heading for each field in the person's language, a row for each entry; numbers, days and times
//! are written as such. Nothing is replaced; undo removes what was made.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

use jiff::{Timestamp, Zoned, civil, tz::TimeZone};
use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    super::{
        Call, CallContext,
        batch::{Batch, Changed, Failure},
        fields, object, paths,
        progress::Ledger,
    },
    write::{new_name, put_new},
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    lang::{InEach, Lang},
    limits::{SHEET_CELL_CHARS_MAX, SHEET_ROWS_MAX},
    message::Message,
    run::ToolResult,
};

/// The ending of a file of values.
const VALUES: &str = "csv";
/// Endings by which people call a table; all but the first become a spreadsheet.
const ENDINGS: [&str; 4] = [VALUES, "xlsx", "xls", "ods"];
/// What stands between several values in one cell.
const JOINED: &str = ", ";
/// What programs that show tables take a file of values as text in UTF-8 by.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// `locales/*/columns.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Columns {
    /// What a table is called that nobody gave a name.
    name: String,
    /// What a chart is called that nobody gave a name.
    pub(super) chart: String,
    /// Between what is measured and what it is told apart by: "euro by date".
    pub(super) by: String,
    /// What is too little to be shown by itself.
    pub(super) rest: String,
    /// What a field is called above its column.
    headings: BTreeMap<String, String>,
}

const WORDS: InEach<&str> = InEach {
    english: include_str!("../../../locales/en/columns.toml"),
    italian: include_str!("../../../locales/it/columns.toml"),
};

impl Columns {
    pub(super) fn of(lang: Lang) -> Self {
        toml::from_str(WORDS.of(lang)).unwrap_or_else(|error| {
            tracing::error!(%error, "the words above columns are damaged");
            Self::default()
        })
    }

    /// What a field is called above its column.
    pub(super) fn heading(&self, field: &str) -> String {
        let known = self.headings.get(field);
        known.cloned().unwrap_or_else(|| field.replace('_', " "))
    }
}

/// Fields of entries that are for programs, or that say again what another says: they get no column.
const LEFT_OUT: [&str; 14] = [
    "account",
    "body",
    "content",
    "entity",
    "etag",
    "id",
    "message_id",
    "position",
    "resource",
    "text",
    "thread",
    "told",
    "turn",
    "uid",
];

/// What stands in one cell.
#[derive(Debug, PartialEq)]
enum Cell {
    Nothing,
    Number(f64),
    Day(civil::Date),
    Moment(civil::DateTime),
    Text(String),
}

/// A table: headings, and the cells below them.
struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// Writes the entries of an earlier step into a new file.
pub(in crate::executors) fn create_files_spreadsheet(call: &Call) -> Result<ToolResult, ToolError> {
    let entries = call.entries()?;
    let columns = Columns::of(call.context.lang);
    let name = new_name(call)?.unwrap_or(&columns.name);
    let wanted = paths::resolve(call.text("home")?, &call.context.home)?.join(name);
    if entries.len() > SHEET_ROWS_MAX {
        let message = Message::new("executors-sheet-too-long")
            .with("rows", entries.len())
            .with("max", SHEET_ROWS_MAX);
        return Err(ToolError::new(ErrorClass::TooLarge, message));
    }
    let table = Table::of(entries, &columns, &call.context);
    if table.headings.is_empty() {
        let empty = Message::new("executors-sheet-empty");
        return Err(ToolError::new(ErrorClass::InvalidArgs, empty));
    }
    let mut batch = Batch::noting(&call.context);
    let made = make(&wanted, &table, &call.context, &mut batch.ledger);
    let mut others = object(json!({}));
    batch.push_shown(made, &["path", "shown", "rows"], &mut others);
    Ok(batch.finish("results", others))
}

fn make(wanted: &Path, table: &Table, context: &CallContext, ledger: &mut Ledger) -> Result<(Value, Changed), Failure> {
    let failed = |error: io::Error| Failure::io(wanted, &error);
    let name = wanted.file_name().unwrap_or_default().to_string_lossy();
    let is_table = |ending: &str| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
    let named = name.rsplit_once('.').filter(|(_, ending)| is_table(ending));
    let (stem, ending) = named.unwrap_or((&name, ""));
    let (bytes, ending) = match ending.eq_ignore_ascii_case(VALUES) {
        true => (table.as_values().map_err(failed)?, ".csv"),
        false => (
            table.as_sheet().map_err(|error| failed(io::Error::other(error)))?,
            ".xlsx",
        ),
    };
    let folder = wanted.parent().unwrap_or(wanted);
    let to = paths::free_place(folder, stem, ending).ok_or_else(|| failed(io::ErrorKind::AlreadyExists.into()))?;
    put_new(&to, context, ledger, |file| file.write_all(&bytes)).map_err(failed)?;
    let result = json!({
        "path": paths::show(&to),
        "shown": paths::show_short(&to, &context.home),
        "rows": table.rows.len(),
        "bytes": bytes.len(),
    });
    Ok((result, Changed::Yes))
}

impl Table {
    /// Every field in which any entry has something, in the order they come.
    fn of(entries: &[Value], columns: &Columns, context: &CallContext) -> Self {
        let zone = context.now.time_zone();
        let names = fields(entries, |value| cell(value, zone) != Cell::Nothing);
        let headings = names.iter().map(|name| columns.heading(name));
        let rows = entries.iter().map(|entry| {
            let cells = names
                .iter()
                .map(|name| entry.get(*name).map_or(Cell::Nothing, |value| cell(value, zone)));
            cells.collect()
        });
        Self {
            headings: headings.collect(),
            rows: rows.collect(),
        }
    }

    fn as_sheet(&self) -> Result<Vec<u8>, XlsxError> {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        let bold = Format::new().set_bold();
        for (column, heading) in (0_u16..).zip(&self.headings) {
            sheet.write_with_format(0, column, heading.as_str(), &bold)?;
        }
        sheet.set_freeze_panes(1, 0)?;
        let (day, moment) = (
            Format::new().set_num_format("yyyy-mm-dd"),
            Format::new().set_num_format("yyyy-mm-dd hh:mm"),
        );
        for (row, cells) in (1_u32..).zip(&self.rows) {
            for (column, cell) in (0_u16..).zip(cells) {
                write(sheet, (row, column), cell, (&day, &moment))?;
            }
        }
        sheet.autofit();
        book.save_to_buffer()
    }

    fn as_values(&self) -> io::Result<Vec<u8>> {
        let mut bytes = BYTE_ORDER_MARK.to_vec();
        let mut writer = csv::Writer::from_writer(&mut bytes);
        writer.write_record(&self.headings)?;
        for cells in &self.rows {
            writer.write_record(cells.iter().map(Cell::said))?;
        }
        writer.flush()?;
        drop(writer);
        Ok(bytes)
    }
}

fn write(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: &Cell,
    (day, moment): (&Format, &Format),
) -> Result<(), XlsxError> {
    match cell {
        Cell::Nothing => return Ok(()),
        Cell::Number(number) => sheet.write_number(row, column, *number)?,
        Cell::Day(date) => sheet.write_datetime_with_format(row, column, *date, day)?,
        Cell::Moment(at) => sheet.write_datetime_with_format(row, column, *at, moment)?,
        // Always as text: what begins with "=" in a mail is no formula.
        Cell::Text(text) => sheet.write_string(row, column, text.as_str())?,
    };
    Ok(())
}

impl Cell {
    /// In a file of values. A leading sign that programs take for a formula is not left as one (OWASP, CSV injection);
    /// a number of a phone stays what it is.
    fn said(&self) -> String {
        match self {
            Self::Text(text) if is_formula(text) => format!("'{text}"),
            Self::Nothing | Self::Number(_) | Self::Day(_) | Self::Moment(_) | Self::Text(_) => self.plain(),
        }
    }

    /// As it reads, for no program that would take it for a formula.
    fn plain(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Number(number) => number.to_string(),
            Self::Day(date) => date.to_string(),
            Self::Moment(at) => at.strftime("%Y-%m-%d %H:%M").to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

fn is_formula(text: &str) -> bool {
    let is_of_number = |letter: char| letter.is_ascii_digit() || "+-.,() ".contains(letter);
    text.starts_with(['=', '@', '\t', '\r']) || text.starts_with(['+', '-']) && !text.chars().all(is_of_number)
}

/// What a value is in a table; what has parts of its own is nothing.
fn cell(value: &Value, zone: &TimeZone) -> Cell {
    match value {
        Value::Null | Value::Object(_) => Cell::Nothing,
        Value::Bool(is_so) => Cell::Text(if *is_so { "✓".to_owned() } else { String::new() }),
        Value::Number(number) => number.as_f64().map_or(Cell::Nothing, Cell::Number),
        Value::Array(values) => {
            let said = values.iter().filter(|value| !value.is_object() && !value.is_array());
            let said: Vec<_> = said.map(fields::as_text).collect();
            text(&said.join(JOINED))
        }
        Value::String(said) => moment(said, zone).unwrap_or_else(|| text(said)),
    }
}

/// The fields of entries that get a column, in the order they come: those of which `counts` says so of any value.
pub(super) fn fields(entries: &[Value], counts: impl Fn(&Value) -> bool) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, value) in entries.iter().filter_map(Value::as_object).flatten() {
        let is_new = !names.contains(&name.as_str()) && !LEFT_OUT.contains(&name.as_str());
        if is_new && counts(value) {
            names.push(name);
        }
    }
    names
}

/// What an entry's field says in a table: a number, a day or time on the person's clock, or words.
pub(super) fn said(value: &Value, zone: &TimeZone) -> Value {
    match cell(value, zone) {
        Cell::Nothing => Value::Null,
        Cell::Number(number) => json!(number),
        other @ (Cell::Day(_) | Cell::Moment(_) | Cell::Text(_)) => json!(other.plain()),
    }
}

/// A day, or a moment on the person's clock.
fn moment(said: &str, zone: &TimeZone) -> Option<Cell> {
    if !said.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    if let Ok(zoned) = said.parse::<Zoned>() {
        return Some(Cell::Moment(zoned.datetime()));
    }
    if let Ok(at) = said.parse::<Timestamp>() {
        return Some(Cell::Moment(at.to_zoned(zone.clone()).datetime()));
    }
    let is_day = said.len() == "2026-12-31".len();
    match is_day {
        true => said.parse().ok().map(Cell::Day),
        false if said.contains('T') => said.parse().ok().map(Cell::Moment),
        false => None,
    }
}

fn text(said: &str) -> Cell {
    match said.trim() {
        "" => Cell::Nothing,
        said => Cell::Text(said.chars().take(SHEET_CELL_CHARS_MAX).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_name_the_same_columns() {
        let names = |lang: Lang| {
            let columns: Columns = toml::from_str(WORDS.of(lang)).unwrap();
            columns.headings.into_keys().collect::<Vec<_>>()
        };
        assert_eq!(names(Lang::EN), names(Lang::IT));
    }

    #[test]
    fn what_stands_in_a_cell_is_what_it_says() {
        let rome = TimeZone::get("Europe/Rome").unwrap();
        let rows = [
            (json!(12.5), Cell::Number(12.5)),
            (json!("2026-12-01"), Cell::Day(civil::date(2026, 12, 1))),
            (
                json!("2026-12-01T14:30:00Z"),
                Cell::Moment(civil::date(2026, 12, 1).at(15, 30, 0, 0)),
            ),
            (
                json!("2026-12-01T15:30:00+01:00[Europe/Rome]"),
                Cell::Moment(civil::date(2026, 12, 1).at(15, 30, 0, 0)),
            ),
            (json!("333 1234567"), Cell::Text("333 1234567".to_owned())),
            (json!("0039"), Cell::Text("0039".to_owned())),
            (json!(["a@x.it", "b@x.it"]), Cell::Text("a@x.it, b@x.it".to_owned())),
            (json!({"key": "sentence"}), Cell::Nothing),
            (json!("  "), Cell::Nothing),
        ];
        for (value, expected) in rows {
            assert_eq!(cell(&value, &rome), expected, "{value}");
        }
    }
}
