//! Rows that are added to a table of text, such as `fuel.csv`: what was said is taken apart and put into the form its
//! columns have. Called by `write` before it adds lines. Pure: it reads the text that is there and returns the rows.
//! It must never write half of what was said, move a value to another column, or touch a file without a heading.

use csv::{ReaderBuilder, Terminator, WriterBuilder};

use crate::domain::{
    failure::{ErrorClass, ToolError},
    lang::Lang,
    message::Message,
};

mod forms;
mod said;

use forms::{Column, is_value, mark_of};
use said::Words;

/// The endings of tables of text.
const ENDINGS: [&str; 2] = [".csv", ".tsv"];
/// So many of the last rows say what a column looks like.
const ROWS_SEEN_MAX: usize = 500;

/// Whether a file of this name is a table, if it has a heading.
pub(super) fn is_table(name: &str) -> bool {
    let name = name.to_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// What was said as rows of the table that is there, a row for each line; nothing where there is no table. All or none.
pub(super) fn fit(name: &str, text: &str, said: &str, lang: Lang) -> Result<Option<Vec<String>>, ToolError> {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if !is_table(name) || lines.is_empty() {
        return Ok(None);
    }
    let Some(table) = Table::of(name, text, lang) else {
        return Ok(None);
    };
    let rows: Result<Vec<String>, ToolError> = lines.iter().map(|line| table.row(line)).collect();
    rows.or_else(|error| {
        // Short things between commas come one a line: "28 November 2026, 41 litres, 73.80 euros".
        let parts: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let is_one = lines.len() == table.columns.len();
        let row = if is_one { table.written(&parts)? } else { None };
        row.map(|row| vec![row]).ok_or(error)
    })
    .map(Some)
}

/// The table a row is added to.
struct Table<'a> {
    name: &'a str,
    separator: u8,
    columns: Vec<Column>,
    words: Words,
    lang: Lang,
}

impl<'a> Table<'a> {
    /// Nothing for what has no heading of two columns or more.
    fn of(name: &'a str, text: &str, lang: Lang) -> Option<Self> {
        let text = text.trim_start_matches('\u{feff}');
        let separator = metnos_documents::separator(text);
        let records = records(text, separator);
        let (heading, below) = records.split_first()?;
        let named = heading.iter().filter(|cell| !cell.is_empty()).count();
        if named < 2 || heading.iter().any(|cell| is_value(cell)) {
            return None;
        }
        let whole = below.iter().filter(|row| row.len() == heading.len());
        let mut seen: Vec<&Vec<String>> = whole.rev().take(ROWS_SEEN_MAX).collect();
        seen.reverse();
        let cells =
            |at: usize| -> Vec<&str> { seen.iter().filter_map(|row| row.get(at)).map(String::as_str).collect() };
        let all: Vec<&str> = (0..heading.len()).flat_map(cells).collect();
        let usual = if separator == b';' { ',' } else { '.' };
        let mark = mark_of(&all).unwrap_or(usual);
        let columns = heading.iter().enumerate();
        Some(Self {
            name,
            separator,
            columns: columns
                .map(|(at, heading)| Column::of(heading, &cells(at), mark))
                .collect(),
            words: Words::of(lang),
            lang,
        })
    }

    /// A said line as a row: as it is where it is one, else by its parts.
    fn row(&self, line: &str) -> Result<String, ToolError> {
        if self.is_row(line) {
            return Ok(line.to_owned());
        }
        let mut wrong = None;
        for parts in self.apart(line) {
            match self.written(&parts) {
                Ok(Some(row)) => return Ok(row),
                Ok(None) => {}
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        Err(wrong.unwrap_or_else(|| self.refused(Message::new("executors-row-parts"))))
    }

    /// Whether a line is written as the rows of this table are.
    fn is_row(&self, line: &str) -> bool {
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .delimiter(self.separator)
            .from_reader(line.as_bytes());
        let Some(Ok(record)) = reader.records().next() else {
            return false;
        };
        let is_cell = |cell: &str, column: &Column| {
            cell.trim() == cell && !cell.contains('\n') && column.fits(cell, &self.words, self.lang)
        };
        let is_filled = record.iter().any(|cell| !cell.is_empty());
        is_filled
            && record.len() == self.columns.len()
            && record
                .iter()
                .zip(&self.columns)
                .all(|(cell, column)| is_cell(cell, column))
    }

    /// The parts of a line, by each sign that gives as many as there are columns. A comma between two digits is a
    /// decimal one, unless the file itself is made of commas and no other way gives enough.
    fn apart(&self, line: &str) -> Vec<Vec<String>> {
        let own = char::from(self.separator);
        let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        let is_decimal = |before, after| is_digit(before) && is_digit(after);
        let all = [
            apart(line, |_, sign, _| sign == ';'),
            apart(line, |_, sign, _| sign == '\t'),
            apart(line, |_, sign, _| own == '|' && sign == own),
            apart(line, |_, sign, after| {
                sign == ',' && after.is_none_or(char::is_whitespace)
            }),
            apart(line, |before, sign, after| sign == ',' && !is_decimal(before, after)),
            apart(line, |_, sign, _| own == ',' && sign == own),
        ];
        all.into_iter()
            .filter(|parts| parts.len() == self.columns.len())
            .collect()
    }

    /// The parts in the forms of their columns; nothing where they are not as many or say nothing.
    fn written(&self, parts: &[String]) -> Result<Option<String>, ToolError> {
        if parts.len() != self.columns.len() || parts.iter().all(String::is_empty) {
            return Ok(None);
        }
        let cells = parts.iter().zip(&self.columns).map(|(part, column)| {
            column.write(part, &self.words, self.lang).ok_or_else(|| {
                let message = Message::new("executors-row-value")
                    .with("value", part.as_str())
                    .with("column", column.heading.as_str())
                    .with("such", column.such.as_str());
                self.refused(message)
            })
        });
        let cells: Vec<String> = cells.collect::<Result<_, _>>()?;
        Ok(self.line(&cells))
    }

    /// Cells as a line, with quotes where they need them.
    fn line(&self, cells: &[String]) -> Option<String> {
        let mut writer = WriterBuilder::new()
            .delimiter(self.separator)
            .terminator(Terminator::Any(b'\n'))
            .from_writer(Vec::new());
        writer.write_record(cells).ok()?;
        let line = String::from_utf8(writer.into_inner().ok()?).ok()?;
        Some(line.trim_end_matches('\n').to_owned())
    }

    fn refused(&self, message: Message) -> ToolError {
        let headings: Vec<&str> = self.columns.iter().map(|column| column.heading.as_str()).collect();
        let message = message.with("name", self.name).with("columns", headings.join(", "));
        ToolError::new(ErrorClass::InvalidArgs, message)
    }
}

/// The rows of a text, each with its cells.
fn records(text: &str, separator: u8) -> Vec<Vec<String>> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    // A row that is no text cannot come: the text is.
    let rows = reader.records().filter_map(Result::ok);
    rows.map(|row| row.iter().map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// A line cut where `is_cut` says so of a letter and those beside it; nothing is cut inside of quotes.
fn apart(line: &str, is_cut: impl Fn(Option<char>, char, Option<char>) -> bool) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut before, mut is_quoted) = (None, false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        is_quoted ^= letter == '"';
        if !is_quoted && is_cut(before, letter, letters.peek().copied()) {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
        before = Some(letter);
    }
    parts.iter().map(|part| unquoted(part.trim())).collect()
}

fn unquoted(part: &str) -> String {
    let inside = part.strip_prefix('"').and_then(|part| part.strip_suffix('"'));
    inside.map_or_else(|| part.to_owned(), |inside| inside.replace("\"\"", "\""))
}

#[cfg(test)]
mod tests;
