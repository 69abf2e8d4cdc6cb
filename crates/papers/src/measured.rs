//! What a table measures, for a chart of it: a column of numbers, and what tells them apart. Called by the executor
//! that draws charts. Where nobody says which columns are meant, the first ones that can be are; the same day or name
//! twice is added up. It draws nothing and leaves out nothing unsaid.

use metnos_domain::fold::fold;
use serde_json::Value;

use crate::grid::{Grid, Holds, text};

/// Numbers of a table, one for each day or name.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The heading of the numbers.
    pub of: String,
    /// The heading of what tells them apart; `None` where they are counted through.
    pub by: Option<String>,
    /// Whether that is days.
    pub is_dated: bool,
    /// In the order of the days, else of the table.
    pub points: Vec<Sample>,
    /// Rows without a number, or without a day, which are not in it.
    pub left_out: usize,
    /// Whether some of the points are several rows.
    pub is_added: bool,
}

/// One number of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What it is of.
    pub label: String,
    /// Its year, month and day; of a year the year alone.
    pub day: Option<(i32, u8, u8)>,
    /// The number.
    pub value: f64,
}

/// Why nothing is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmeasured {
    /// There is no heading with rows below it.
    NoTable,
    /// No column holds numbers.
    NoNumbers,
    /// No column is called so; these there are.
    NoColumn(String, Vec<String>),
    /// That column holds no numbers.
    NotNumbers(String),
}

/// The numbers of a column, and what tells them apart.
///
/// # Errors
/// See [`Unmeasured`].
pub fn measured(rows: &[Vec<Value>], of: Option<&str>, by: Option<&str>) -> Result<Measured, Unmeasured> {
    let grid = Grid::new(rows, &|_| false).ok_or(Unmeasured::NoTable)?;
    let holds = |at: usize| grid.columns.get(at).map(|column| column.holds);
    let all = 0..grid.columns.len();
    let by = by.map(|name| named(&grid, name)).transpose()?;
    let of = match of.map(|name| named(&grid, name)).transpose()? {
        // A column of years is one of numbers where it is asked for.
        Some(at) if matches!(holds(at), Some(Holds::Numbers | Holds::Years)) => at,
        Some(at) => return Err(Unmeasured::NotNumbers(heading(&grid, at))),
        None => all
            .clone()
            .find(|at| holds(*at) == Some(Holds::Numbers) && Some(*at) != by)
            .ok_or(Unmeasured::NoNumbers)?,
    };
    let tells = |at: &usize| *at != of && matches!(holds(*at), Some(Holds::Days | Holds::Years | Holds::Texts));
    let by = by.or_else(|| all.clone().find(tells));
    let is_dated = by.is_some_and(|at| matches!(holds(at), Some(Holds::Days | Holds::Years)));
    let mut measured = Measured {
        of: heading(&grid, of),
        by: by.map(|at| heading(&grid, at)),
        is_dated,
        points: Vec::new(),
        left_out: 0,
        is_added: false,
    };
    let mut known: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for (row, cells) in grid.rows.iter().enumerate() {
        let day = by.filter(|_| is_dated).and_then(|at| grid.day(cells, at));
        let value = number(&grid, cells, of).filter(|_| day.is_some() || !is_dated);
        let Some(value) = value else {
            measured.left_out += 1;
            continue;
        };
        let label = match (day, by) {
            (Some((year, 0, _)), _) => year.to_string(),
            (Some((year, month, day)), _) => format!("{year:04}-{month:02}-{day:02}"),
            (None, Some(at)) => cells.get(at).map(text).unwrap_or_default(),
            (None, None) => (row + 1).to_string(),
        };
        match known.get(&fold(&label)).and_then(|at| measured.points.get_mut(*at)) {
            Some(point) => {
                point.value += value;
                measured.is_added = true;
            }
            None => {
                known.insert(fold(&label), measured.points.len());
                measured.points.push(Sample { label, day, value });
            }
        }
    }
    measured.points.sort_by_key(|point| point.day);
    match measured.points.is_empty() {
        true => Err(Unmeasured::NoNumbers),
        false => Ok(measured),
    }
}

/// The number in a cell; of a year the year.
fn number(grid: &Grid<'_>, cells: &[Value], at: usize) -> Option<f64> {
    grid.number(cells, at).map(|number| number.value)
}

fn heading(grid: &Grid<'_>, at: usize) -> String {
    let own = grid.columns.get(at).map(|column| column.heading.clone());
    own.filter(|heading| !heading.is_empty())
        .unwrap_or_else(|| (at + 1).to_string())
}

/// The column that is called so, or the only one whose name has these words.
fn named(grid: &Grid<'_>, name: &str) -> Result<usize, Unmeasured> {
    let wanted = fold(name);
    let headings: Vec<String> = grid.columns.iter().map(|column| fold(&column.heading)).collect();
    if let Some(at) = headings.iter().position(|heading| *heading == wanted) {
        return Ok(at);
    }
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let asked = words(&wanted);
    let has_all = |heading: &String| !asked.is_empty() && asked.iter().all(|word| words(heading).contains(word));
    let mut fitting = headings.iter().enumerate().filter(|(_, heading)| has_all(heading));
    match (fitting.next(), fitting.next()) {
        (Some((at, _)), None) => Ok(at),
        (Some(_) | None, _) => {
            let known = grid.columns.iter().map(|column| column.heading.clone());
            let known = known.filter(|heading| !heading.is_empty()).collect();
            Err(Unmeasured::NoColumn(name.to_owned(), known))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows(text: &[&[&str]]) -> Vec<Vec<Value>> {
        text.iter()
            .map(|row| row.iter().map(|cell| json!(cell)).collect())
            .collect()
    }

    fn said(measured: &Measured) -> String {
        let points = measured
            .points
            .iter()
            .map(|point| format!("{} {}", point.label, point.value));
        points.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_first_columns_that_can_be_are_meant() {
        let fuel = rows(&[
            &["Date", "Who", "Litres", "Euro"],
            &["03/04/2026", "Nina", "30", "60,50"],
            &["01/04/2026", "Marco", "20", "40,25"],
            &["01/04/2026", "nina", "", "9,25"],
            &["", "Marco", "5", "1,00"],
        ]);
        let first = measured(&fuel, None, None).unwrap();
        assert_eq!(
            (first.of.as_str(), first.by.as_deref(), first.is_dated),
            ("Litres", Some("Date"), true)
        );
        assert_eq!(
            (said(&first).as_str(), first.left_out),
            ("2026-04-01 20, 2026-04-03 30", 2)
        );
        let euro = measured(&fuel, Some("euro"), None).unwrap();
        assert_eq!(said(&euro), "2026-04-01 49.5, 2026-04-03 60.5");
        assert!(euro.is_added && euro.left_out == 1);
        let who = measured(&fuel, Some("euro"), Some("who")).unwrap();
        assert_eq!(said(&who), "Nina 69.75, Marco 41.25");
        assert!(!who.is_dated);
    }

    #[test]
    fn years_tell_apart_and_numbers_alone_are_counted_through() {
        let years = rows(&[&["Year", "Amount paid"], &["2025", "10"], &["2024", "20"]]);
        let paid = measured(&years, Some("paid"), None).unwrap();
        assert_eq!((said(&paid).as_str(), paid.is_dated), ("2024 20, 2025 10", true));
        let alone = rows(&[&["Euro"], &["10"], &["20"]]);
        let alone = measured(&alone, None, None).unwrap();
        assert_eq!((said(&alone).as_str(), alone.by), ("1 10, 2 20", None));
    }

    #[test]
    fn what_cannot_be_measured_says_why() {
        let names = rows(&[&["Who", "Where"], &["Nina", "Rome"]]);
        assert_eq!(measured(&names, None, None), Err(Unmeasured::NoNumbers));
        assert_eq!(
            measured(&names, Some("who"), None),
            Err(Unmeasured::NotNumbers("Who".to_owned()))
        );
        let known = vec!["Who".to_owned(), "Where".to_owned()];
        assert_eq!(
            measured(&names, Some("euro"), None),
            Err(Unmeasured::NoColumn("euro".to_owned(), known))
        );
        assert_eq!(
            measured(&rows(&[&["1", "2"], &["3", "4"]]), None, None),
            Err(Unmeasured::NoTable)
        );
        assert_eq!(measured(&[], None, None), Err(Unmeasured::NoTable));
    }
}
