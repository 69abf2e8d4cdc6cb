//! `ics_expand`: everything of a file that overlaps a window.

use jiff::{Timestamp, tz::TimeZone};
use metnos_dav::{At, Object, Occurrence, Window, occurrences};
use serde_json::{Map, Value, json};

pub(crate) fn predictor() -> crate::Predictor {
    Box::new(|case| match events(case) {
        Some(events) => Map::from_iter([("events".to_owned(), Value::Array(events))]),
        None => Map::new(),
    })
}

fn events(case: &Value) -> Option<Vec<Value>> {
    let object = Object::parse(case["ics"].as_str()?).ok()?;
    let home = TimeZone::get(case["zone"].as_str()?).ok()?;
    let at = |index: usize| case["window"][index].as_str()?.parse::<Timestamp>().ok();
    let window = Window {
        start: at(0)?,
        end: at(1)?,
    };
    Some(occurrences(&object, &home, window).found.iter().map(written).collect())
}

fn written(one: &Occurrence<'_>) -> Value {
    let at = |at: &At| match at {
        At::Day(day) => day.to_string(),
        At::Instant(at) => crate::recur::offset(at),
    };
    json!({
        "summary": one.event.summary,
        "start": at(&one.start),
        "end": at(&one.end),
        "all_day": one.start.is_day(),
    })
}
