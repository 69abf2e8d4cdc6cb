//! Rows and cells: of sheets, and of text with separators.

use crate::bounds::Bounds;

/// The separators that are tried; the one that splits most rows alike wins, the first of these on a tie.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Rows that are looked at to find the separator.
const SAMPLE_ROWS: usize = 20;

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing in it.
    Empty,
    /// A number, as the sheet holds it.
    Number(f64),
    /// Text, and numbers of text with separators.
    Text(String),
    /// A date or a date and time, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ss`, as the sheet shows it, without a zone.
    Moment(String),
    /// Yes or no.
    Flag(bool),
}

/// A table of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The row and the column, from 0, in which the first cell stands in its sheet.
    pub first: (u32, u32),
    /// Rows of cells, all as wide as the widest.
    pub rows: Vec<Vec<Cell>>,
    /// Whether rows were left out.
    pub is_cut: bool,
}

impl Table {
    /// The table as text: a line for each row, a tab between two cells.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::text).collect();
            text.push_str(cells.join("\t").trim_end());
            text.push('\n');
        }
        text
    }
}

impl Cell {
    /// The cell as text: a whole number without a fraction, nothing for an empty one.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) | Self::Moment(text) => text.clone(),
            Self::Flag(flag) => flag.to_string(),
        }
    }
}

/// The rows of text with separators.
pub(crate) fn separated(text: &str, bounds: &Bounds) -> Table {
    let separator = separator(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let mut table = Table::default();
    let mut cells = 0;
    // A row that is no text cannot come: the text is.
    for row in reader.records().filter_map(Result::ok) {
        cells += row.len();
        if cells > bounds.cells {
            table.is_cut = true;
            break;
        }
        table.rows.push(row.iter().map(cell).collect());
    }
    widen(&mut table.rows);
    table
}

fn cell(text: &str) -> Cell {
    match text.trim() {
        "" => Cell::Empty,
        text => Cell::Text(text.to_owned()),
    }
}

/// Makes all rows as wide as the widest.
pub(crate) fn widen(rows: &mut [Vec<Cell>]) {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    for row in rows {
        row.resize(width, Cell::Empty);
    }
}

/// The separator that splits the first rows into the same number of cells, and into most.
pub(crate) fn separator(text: &str) -> u8 {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(SAMPLE_ROWS)
        .collect();
    let score = |separator: u8| {
        let counts: Vec<usize> = lines.iter().map(|line| count(line, separator)).collect();
        let first = counts.first().copied().unwrap_or(0);
        let alike = counts.iter().filter(|count| **count == first).count();
        (first > 0).then_some((alike, first))
    };
    let mut best = (SEPARATORS[0], None);
    for separator in SEPARATORS {
        let score = score(separator);
        if score > best.1 {
            best = (separator, score);
        }
    }
    best.0
}

/// How often a separator stands in a line, outside of quotes.
fn count(line: &str, separator: u8) -> usize {
    let mut is_quoted = false;
    let mut count = 0;
    for byte in line.bytes() {
        if byte == b'"' {
            is_quoted = !is_quoted;
        } else if byte == separator && !is_quoted {
            count += 1;
        }
    }
    count
}
