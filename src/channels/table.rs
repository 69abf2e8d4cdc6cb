//! Lays a table out for a screen without table cells: aligned columns where it is narrow, one labelled card per row
//! where it is not. Used by every channel that shows plain characters.

use super::printable::one_line;

/// A table ready to be drawn.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Aligned lines, header first; needs a fixed-width face.
    Columns(Vec<String>),
    /// For each row its cells with their titles; empty cells are left out.
    Cards(Vec<Vec<(String, String)>>),
}

/// Where aligned columns stop being readable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Most columns.
    pub(super) columns: usize,
    /// Most characters a line.
    pub(super) width: usize,
}

/// Chooses and builds the layout.
pub(super) fn lay_out(header: &[String], rows: &[Vec<String>], room: Room) -> Layout {
    let header: Vec<String> = header.iter().map(|cell| one_line(cell)).collect();
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| one_line(cell)).collect())
        .collect();
    let widths = widths(&header, &rows);
    let total = widths.iter().sum::<usize>() + widths.len().saturating_sub(1) * 2;
    if widths.len() <= room.columns && total <= room.width {
        let lines = std::iter::once(&header).chain(&rows);
        Layout::Columns(lines.map(|cells| line(cells, &widths)).collect())
    } else {
        Layout::Cards(rows.into_iter().map(|row| card(&header, row)).collect())
    }
}

fn widths(header: &[String], rows: &[Vec<String>]) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).chain([header.len()]).max().unwrap_or(0);
    (0..count)
        .map(|column| {
            let cells = rows
                .iter()
                .chain([&header.to_vec()])
                .map(|row| cell_width(row, column))
                .max();
            cells.unwrap_or(0)
        })
        .collect()
}

fn cell_width(row: &[String], column: usize) -> usize {
    row.get(column).map_or(0, |cell| width(cell))
}

/// Columns a text takes in a fixed-width face: two for East Asian wide characters and emoji, none for marks.
fn width(text: &str) -> usize {
    text.chars()
        .map(|character| match character {
            '\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0,
            mark if unicode_normalization::char::is_combining_mark(mark) => 0,
            '\u{1100}'..='\u{115f}'
            | '\u{2e80}'..='\u{a4cf}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}'
            | '\u{fe30}'..='\u{fe6f}'
            | '\u{ff00}'..='\u{ff60}'
            | '\u{1f300}'..='\u{1faff}'
            | '\u{20000}'..='\u{3fffd}' => 2,
            _ => 1,
        })
        .sum()
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut text = String::new();
    for (column, room) in widths.iter().enumerate() {
        let cell = cells.get(column).map_or("", String::as_str);
        text.push_str(cell);
        let gap = room.saturating_sub(width(cell)) + 2;
        text.extend(std::iter::repeat_n(' ', gap));
    }
    text.trim_end().to_owned()
}

fn card(header: &[String], row: Vec<String>) -> Vec<(String, String)> {
    row.into_iter()
        .enumerate()
        .filter(|(_, cell)| !cell.is_empty())
        .map(|(column, cell)| (header.get(column).cloned().unwrap_or_default(), cell))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Layout, Room, lay_out, width};

    const ROOM: Room = Room { columns: 3, width: 30 };

    fn cells(row: &[&str]) -> Vec<String> {
        row.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn narrow_tables_are_aligned() {
        let layout = lay_out(
            &cells(&["name", "size"]),
            &[cells(&["a.pdf", "12"]), cells(&["più\nlungo", "3"])],
            ROOM,
        );
        let lines = ["name       size", "a.pdf      12", "più lungo  3"];
        assert_eq!(layout, Layout::Columns(cells(&lines)));
    }

    #[test]
    fn wide_tables_and_many_columns_become_cards() {
        let long = "x".repeat(40);
        let layout = lay_out(
            &cells(&["name", "note"]),
            &[cells(&["a", &long]), cells(&["b", ""])],
            ROOM,
        );
        let card = vec![("name".to_owned(), "a".to_owned()), ("note".to_owned(), long)];
        assert_eq!(
            layout,
            Layout::Cards(vec![card, vec![("name".to_owned(), "b".to_owned())]])
        );
        let four = lay_out(&cells(&["a", "b", "c", "d"]), &[cells(&["1", "2", "3", "4"])], ROOM);
        assert!(matches!(four, Layout::Cards(_)));
    }

    #[test]
    fn ragged_rows_do_no_harm() {
        let layout = lay_out(&cells(&["a"]), &[cells(&["1", "2"]), vec![]], ROOM);
        assert_eq!(layout, Layout::Columns(cells(&["a", "1  2", ""])));
    }

    #[test]
    fn widths_follow_the_screen() {
        for (text, expected) in [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("🦀", 2), ("", 0)] {
            assert_eq!(width(text), expected, "{text}");
        }
    }
}
