//! `documents`: what files say, through the reading that `read_files` uses. The files lie unpacked beside the cases.

use std::path::Path;

use metnos::domain::limits;
use metnos_documents::{Bounds, Cell, Label, Part};
use serde_json::{Map, Value, json};

pub(crate) fn predictor(cases: &Path) -> crate::Predictor {
    let folder = cases.parent().unwrap_or(Path::new(".")).to_path_buf();
    let bounds = Bounds {
        unpacked_bytes: limits::DOCUMENT_UNPACKED_BYTES_MAX,
        pages: limits::DOCUMENT_PAGES_MAX,
        cells: limits::DOCUMENT_CELLS_MAX,
        text_bytes: usize::try_from(limits::FILE_BYTES_MAX).unwrap_or(usize::MAX),
        depth: limits::DOCUMENT_DEPTH_MAX,
    };
    Box::new(move |case| {
        let Some(file) = case["file"].as_str() else {
            return Map::new();
        };
        let mut prediction = Map::new();
        let read = std::fs::read(folder.join(file)).map(|bytes| metnos_documents::read(&bytes, None, &bounds));
        match read {
            Ok(Ok(document)) => {
                prediction.insert("text".to_owned(), json!(document.text()));
                let cells: Vec<Value> = document.parts.iter().flat_map(cells).collect();
                prediction.insert("cells".to_owned(), json!(cells));
            }
            Ok(Err(error)) => {
                prediction.insert("text".to_owned(), json!(error.to_string()));
            }
            Err(error) => {
                prediction.insert("text".to_owned(), json!(error.to_string()));
            }
        }
        prediction
    })
}

/// The cells of a sheet, each with its sheet and its place as people write it.
fn cells(part: &Part) -> Vec<Value> {
    let (Label::Sheet(sheet), Some(table)) = (&part.label, &part.table) else {
        return Vec::new();
    };
    let mut cells = Vec::new();
    for (row, line) in (table.first.0..).zip(&table.rows) {
        for (column, cell) in (table.first.1..).zip(line) {
            let value = match cell {
                Cell::Empty => continue,
                Cell::Number(number) => json!(number),
                Cell::Text(text) | Cell::Moment(text) => json!(text),
                Cell::Flag(flag) => json!(flag),
            };
            cells.push(json!([sheet, format!("{}{}", letters(column), row + 1), value]));
        }
    }
    cells
}

/// The name of a column, counted from 0: A to Z, AA and so on.
fn letters(column: u32) -> String {
    let mut rest = column + 1;
    let mut name = Vec::new();
    while rest > 0 {
        let digit = u8::try_from((rest - 1) % 26).unwrap_or(0);
        name.push(char::from(b'A' + digit));
        rest = (rest - 1) / 26;
    }
    name.iter().rev().collect()
}
