//! `create_images_chart`: numbers as a picture, of a list of an earlier step or of a table in a file. Which column is
//! measured is `metnos_papers`' to tell, how it is drawn `metnos_charts`'; here the rows are brought together, what is
//! too much for one picture is taken together, and it is put in its place. Nothing is replaced; undo removes it.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use jiff::civil;
use metnos_charts::{BARS_MAX, Chart, Form, POINTS_MAX, Point, SHARES_MAX, Undrawn, draw};
use metnos_papers::{Measured, Sample, Unmeasured, measured};
use serde_json::{Value, json};

use super::{
    super::{
        Call, CallContext,
        batch::{Batch, Changed, Failure},
        object, paths, wrong,
    },
    read::{read_text, targets},
    sheets::{self, Columns},
    write::{file_name, put_new},
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    lang::Lang,
    limits::{FILE_BYTES_MAX, SHEET_ROWS_MAX},
    message::Message,
    run::ToolResult,
};

/// The ending of a picture.
const ENDING: &str = "png";

type Rows = Vec<Vec<Value>>;

/// Draws the numbers of a list or of a table.
pub(in crate::executors) fn create_images_chart(call: &Call) -> Result<ToolResult, ToolError> {
    let columns = Columns::of(call.context.lang);
    let given = |name| Ok::<_, ToolError>(call.optional_text(name)?.map(str::trim).filter(|said| !said.is_empty()));
    let (of, by) = (given("of")?, given("by")?);
    let form = match given("form")? {
        None => None,
        Some("bars") => Some(Form::Bars),
        Some("lines") => Some(Form::Lines),
        Some("shares") => Some(Form::Shares),
        Some(_) => return Err(wrong("form")),
    };
    let (numbers, name) = match call.args.get("paths") {
        None | Some(Value::Null) => {
            let tables = of_entries(call.entries()?, &columns, &call.context);
            let field =
                |said: Option<&str>| said.map(|said| heading_of(said, call.entries().unwrap_or_default(), &columns));
            let (of, by) = (field(of), field(by));
            (first(&tables, of.as_deref(), by.as_deref())?, columns.chart.clone())
        }
        Some(_) => {
            let path = only(call)?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (first(&of_file(&path, call.password())?, of, by)?, stem)
        }
    };
    let form = form.unwrap_or(if numbers.is_dated && numbers.points.len() > 1 {
        Form::Lines
    } else {
        Form::Bars
    });
    let to = place(call, given("new_name")?.unwrap_or(&name))?;
    let is_told = of.is_some() && (by.is_some() || numbers.by.is_none());
    let (chart, joined) = chart(&numbers, form, &columns, call.context.lang);
    let lang = call.context.lang;
    let bytes = draw(&chart, &|value, places| said(value, places, lang)).map_err(|why| undrawn(why, &numbers))?;
    let mut batch = Batch::noting(&call.context);
    let made = put_new(&to, &call.context, &mut batch.ledger, |file| file.write_all(&bytes));
    let mut others = object(json!({
        "of": numbers.of,
        "by": numbers.by.as_deref().unwrap_or("none"),
        "points": chart.points.len(),
        "form": name_of(form),
        "joined": joined,
        "left_out": numbers.left_out,
        "chosen": if is_told { "no" } else { "yes" },
        "added": if numbers.is_added { "yes" } else { "no" },
    }));
    let result = json!({
        "path": paths::show(&to),
        "shown": paths::show_short(&to, &call.context.home),
        "bytes": bytes.len(),
    });
    let made = made.map(|()| (result, Changed::Yes));
    let made = made.map_err(|error: io::Error| Failure::io(&to, &error));
    batch.push_shown(made, &["path", "shown"], &mut others);
    Ok(batch.finish("results", others))
}

fn name_of(form: Form) -> &'static str {
    match form {
        Form::Bars => "bars",
        Form::Lines => "lines",
        Form::Shares => "shares",
    }
}

fn refused(key: &str) -> ToolError {
    ToolError::new(ErrorClass::InvalidArgs, Message::new(key))
}

/// The one file that is named.
fn only(call: &Call) -> Result<PathBuf, ToolError> {
    let (targets, _) = targets(call)?;
    let mut targets = targets.into_iter();
    match (targets.next(), targets.next()) {
        (Some(path), None) => path.map_err(|failure| *failure.error),
        (Some(_), Some(_)) => Err(refused("executors-chart-one-file")),
        (None, _) => Err(wrong("paths")),
    }
}

/// Where the picture goes: a new file in the person's home.
fn place(call: &Call, name: &str) -> Result<PathBuf, ToolError> {
    let name = file_name(name)?;
    let named = name
        .rsplit_once('.')
        .filter(|(_, ending)| ending.eq_ignore_ascii_case(ENDING));
    let stem = named.map_or(name, |(stem, _)| stem);
    let folder = paths::resolve(call.text("home")?, &call.context.home)?;
    paths::free_place(&folder, stem, &format!(".{ENDING}")).ok_or_else(|| {
        let taken = io::ErrorKind::AlreadyExists.into();
        *Failure::io(&folder.join(name), &taken).error
    })
}

/// Tables of a file: a sheet, a page or all of it.
fn of_file(path: &Path, password: Option<&str>) -> Result<Vec<Rows>, ToolError> {
    let read = read_text(path, FILE_BYTES_MAX, true, password).map_err(|failure| *failure.error)?;
    Ok(tables(&read))
}

fn tables(read: &Value) -> Vec<Rows> {
    let parts = read.get("parts").and_then(Value::as_array).into_iter().flatten();
    let rows = parts.filter_map(|part| part.get("rows")?.as_array());
    rows.map(|rows| rows.iter().filter_map(|row| row.as_array().cloned()).collect())
        .collect()
}

/// A list as a table: a heading for each field, a row for each entry. Where files were read with their tables, those.
fn of_entries(entries: &[Value], columns: &Columns, context: &CallContext) -> Vec<Rows> {
    let inside: Vec<Rows> = entries.iter().flat_map(tables).collect();
    if !inside.is_empty() {
        return inside;
    }
    let zone = context.now.time_zone();
    let names = sheets::fields(entries, |_| true);
    let mut rows: Rows = vec![names.iter().map(|name| json!(columns.heading(name))).collect()];
    rows.extend(entries.iter().map(|entry| {
        let cells = names.iter().map(|name| entry.get(*name).unwrap_or(&Value::Null));
        cells.map(|value| sheets::said(value, zone)).collect()
    }));
    vec![rows]
}

/// What a field is called in the table; other words stay.
fn heading_of(said: &str, entries: &[Value], columns: &Columns) -> String {
    let is_field = entries.iter().any(|entry| entry.get(said).is_some());
    if is_field {
        columns.heading(said)
    } else {
        said.to_owned()
    }
}

/// The first table in which there is what is asked for; else why the first of them has it not.
fn first(tables: &[Rows], of: Option<&str>, by: Option<&str>) -> Result<Measured, ToolError> {
    if tables.iter().any(|rows| rows.len() > SHEET_ROWS_MAX) {
        return Err(too_many(SHEET_ROWS_MAX));
    }
    let mut found = tables.iter().map(|rows| measured(rows, of, by));
    let first = found.next().unwrap_or(Err(Unmeasured::NoTable));
    first
        .or_else(|why| found.find_map(Result::ok).ok_or(why))
        .map_err(|why| {
            let message = match why {
                Unmeasured::NoTable => Message::new("executors-chart-no-table"),
                Unmeasured::NoNumbers => Message::new("executors-chart-no-numbers"),
                Unmeasured::NotNumbers(column) => Message::new("executors-chart-not-numbers").with("column", column),
                Unmeasured::NoColumn(column, known) => Message::new("executors-chart-no-column")
                    .with("column", column)
                    .with("known", known.join(", ")),
            };
            ToolError::new(ErrorClass::InvalidArgs, message)
        })
}

/// What is drawn, and how many of the numbers were taken together as the rest.
fn chart(numbers: &Measured, form: Form, columns: &Columns, lang: Lang) -> (Chart, usize) {
    let label = |point: &Sample| match point.day {
        Some((year, month, day)) if month > 0 && lang.writes_comma() => format!("{day:02}/{month:02}/{year}"),
        Some(_) | None => point.label.clone(),
    };
    let of_day = |(at, point): (usize, &Sample)| Point {
        label: label(point),
        value: point.value,
        at: point.day.map_or(at as f64, days),
    };
    let mut points: Vec<Point> = numbers.points.iter().enumerate().map(of_day).collect();
    let most = match form {
        Form::Bars => BARS_MAX,
        Form::Shares => SHARES_MAX,
        Form::Lines => usize::MAX,
    };
    if form == Form::Shares {
        points.sort_by(|one, other| other.value.total_cmp(&one.value));
    }
    let joined = join(&mut points, most, &columns.rest);
    let title = match &numbers.by {
        Some(by) => format!("{} {} {by}", numbers.of, columns.by),
        None => numbers.of.clone(),
    };
    (Chart { title, form, points }, joined)
}

/// Where a day stands among others; "30 February" stands on the last one there is.
fn days((year, month, day): (i32, u8, u8)) -> f64 {
    let part = |number: u8| i8::try_from(number.max(1)).unwrap_or(1);
    let year = i16::try_from(year).unwrap_or_default();
    let mut nearest = (0..4).filter_map(|less| civil::Date::new(year, part(month), part(day) - less).ok());
    let date = nearest.next().unwrap_or_default();
    date.duration_since(civil::Date::default()).as_hours() as f64 / 24.0
}

/// Takes together what is smallest where there are more than so many; how many those were.
fn join(points: &mut Vec<Point>, most: usize, rest: &str) -> usize {
    if points.len() <= most {
        return 0;
    }
    let mut sizes: Vec<f64> = points.iter().map(|point| point.value.abs()).collect();
    sizes.sort_by(|one, other| other.total_cmp(one));
    let least = sizes.get(most.saturating_sub(2)).copied().unwrap_or(f64::MAX);
    let mut room = most.saturating_sub(1);
    let (mut count, mut sum) = (0, 0.0);
    points.retain(|point| {
        let is_kept = room > 0 && point.value.abs() >= least;
        if is_kept {
            room -= 1;
        } else {
            count += 1;
            sum += point.value;
        }
        is_kept
    });
    let at = points.last().map_or(0.0, |point| point.at);
    points.push(Point {
        label: format!("{rest} ({count})"),
        value: sum,
        at,
    });
    count
}

/// A number as the person writes it, thousands apart.
fn said(value: f64, places: usize, lang: Lang) -> String {
    if value.abs() >= 1e15 {
        return lang.with_its_mark(format!("{value:e}"));
    }
    let plain = format!("{:.places$}", if value == 0.0 { 0.0 } else { value });
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let (between, mark) = if lang.writes_comma() { ('.', ',') } else { (',', '.') };
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && digits.len() > 4 {
            grouped.push(between);
        }
        grouped.push(digit);
    }
    match fraction {
        "" => format!("{sign}{grouped}"),
        fraction => format!("{sign}{grouped}{mark}{fraction}"),
    }
}

fn too_many(most: usize) -> ToolError {
    let message = Message::new("executors-chart-too-many").with("max", most);
    ToolError::new(ErrorClass::TooLarge, message)
}

fn undrawn(why: Undrawn, numbers: &Measured) -> ToolError {
    match why {
        Undrawn::Negative => {
            let message = Message::new("executors-chart-negative").with("column", numbers.of.clone());
            ToolError::new(ErrorClass::InvalidArgs, message)
        }
        Undrawn::Nothing => refused("executors-chart-nothing"),
        Undrawn::TooMany => too_many(POINTS_MAX),
        Undrawn::Empty | Undrawn::Infinite => refused("executors-chart-no-numbers"),
        Undrawn::Unwritten => ToolError::new(ErrorClass::Crashed, Message::new("executors-chart-unwritten")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_person_writes_them() {
        for (value, places, english, italian) in [
            (0.0, 0, "0", "0"),
            (-0.0, 1, "0.0", "0,0"),
            (1234.5, 2, "1234.50", "1234,50"),
            (12_345.678, 2, "12,345.68", "12.345,68"),
            (-1_000_000.0, 0, "-1,000,000", "-1.000.000"),
        ] {
            assert_eq!(said(value, places, Lang::EN), english);
            assert_eq!(said(value, places, Lang::IT), italian);
        }
    }

    #[test]
    fn the_smallest_become_the_rest() {
        let point = |value: f64| Point {
            label: value.to_string(),
            value,
            at: 0.0,
        };
        let mut points: Vec<Point> = [1.0, 5.0, 2.0, 5.0, -4.0].map(point).to_vec();
        assert_eq!(join(&mut points, 5, "other"), 0);
        assert_eq!(join(&mut points, 4, "other"), 2);
        let said: Vec<String> = points
            .iter()
            .map(|point| format!("{} {}", point.label, point.value))
            .collect();
        assert_eq!(said, ["5 5", "5 5", "-4 -4", "other (2) 3"]);
    }

    #[test]
    fn days_stand_in_their_order() {
        let all = [
            (1969, 12, 31),
            (1970, 1, 1),
            (2026, 1, 31),
            (2026, 2, 1),
            (2026, 12, 31),
            (2027, 1, 1),
        ];
        let places: Vec<f64> = all.map(days).to_vec();
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
    }
}
