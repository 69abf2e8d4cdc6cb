//! Spreadsheets: Excel, old and new, and OpenDocument. A part for each sheet, with its cells.

use std::io::Cursor;

use calamine::{Data, Reader, Sheets, open_workbook_auto_from_rs};

use crate::{
    Unreadable,
    bounds::Bounds,
    kind::Kind,
    markup::{Package, broken},
    pieces::{Document, Label, Part},
    table::{Cell, Table},
};

pub(crate) fn read(bytes: &[u8], kind: Kind, bounds: &Bounds) -> Result<Document, Unreadable> {
    // The library unpacks whole entries: their true sizes are counted first.
    if kind != Kind::OldSheet && !Package::open(bytes, bounds)?.is_small() {
        return Err(Unreadable::TooLarge);
    }
    let mut book = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(|error| opening(&error))?;
    let mut left = bounds.cells;
    let mut document = Document {
        kind,
        parts: Vec::new(),
        is_cut: false,
    };
    for name in book.sheet_names() {
        let Some(table) = sheet(&mut book, &name, left)? else {
            continue;
        };
        left -= table.rows.iter().map(Vec::len).sum::<usize>();
        document.is_cut |= table.is_cut;
        let text = table.text();
        document.parts.push(Part {
            label: Label::Sheet(name),
            text,
            table: Some(table),
        });
    }
    Ok(document)
}

/// A library that meets a locked workbook says so in its text only.
fn opening(error: &calamine::Error) -> Unreadable {
    let text = error.to_string();
    if text.to_lowercase().contains("password") {
        Unreadable::Locked
    } else {
        Unreadable::Broken(text)
    }
}

/// The cells of a sheet; `None` for one without cells, such as a sheet of a chart.
fn sheet(book: &mut Sheets<Cursor<&[u8]>>, name: &str, left: usize) -> Result<Option<Table>, Unreadable> {
    let range = book.worksheet_range(name).map_err(|error| broken(&error))?;
    let Some(first) = range.start() else { return Ok(None) };
    let rows_max = left / range.width().max(1);
    let rows = range
        .rows()
        .take(rows_max)
        .map(|row| row.iter().map(cell).collect())
        .collect();
    Ok(Some(Table {
        first,
        rows,
        is_cut: range.height() > rows_max,
    }))
}

fn cell(data: &Data) -> Cell {
    match data {
        Data::Int(number) => Cell::Number(*number as f64),
        Data::Float(number) => Cell::Number(*number),
        Data::String(text) if text.trim().is_empty() => Cell::Empty,
        Data::String(text) => Cell::Text(text.clone()),
        Data::Bool(flag) => Cell::Flag(*flag),
        Data::DateTime(moment) if moment.is_datetime() => Cell::Moment(iso(moment.to_ymd_hms_milli())),
        Data::DateTime(length) => Cell::Number(length.as_f64()),
        Data::DateTimeIso(text) | Data::DurationIso(text) => Cell::Moment(text.clone()),
        Data::Error(error) => Cell::Text(error.to_string()),
        Data::Empty => Cell::Empty,
    }
}

/// A day alone where the time is midnight.
fn iso((year, month, day, hour, minute, second, _): (u16, u8, u8, u8, u8, u8, u16)) -> String {
    if (hour, minute, second) == (0, 0, 0) {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
    }
}
