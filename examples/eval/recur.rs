//! `recur`: the instants of one rule, in the form its beginning has. Every rule of the set ends by itself.

use jiff::{Timestamp, Zoned, civil::DateTime, tz::TimeZone};
use metnos_dav::{At, Object, When, Window, occurrences};
use serde_json::{Map, Value, json};

pub(crate) fn predictor() -> crate::Predictor {
    Box::new(|case| {
        let instants = instants(case).unwrap_or_default();
        Map::from_iter([("instants".to_owned(), json!(instants))])
    })
}

fn instants(case: &Value) -> Option<Vec<String>> {
    let (rule, begin) = (case["rrule"].as_str()?, case["dtstart"].as_str()?);
    let zone = case["tz"].as_str();
    let line = start_line(begin, zone)?;
    let text = format!(
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:r\r\n{line}\r\nRRULE:{rule}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    );
    let object = Object::parse(&text).ok()?;
    // What floats is read by the clock of UTC, and written without it.
    let home = zone.map_or(Some(TimeZone::UTC), |zone| TimeZone::get(zone).ok())?;
    let from = case["from"].as_str().and_then(|from| instant(from, &home));
    let window = Window {
        start: from.unwrap_or("1900-01-01T00:00:00Z".parse().ok()?),
        end: "2500-01-01T00:00:00Z".parse().ok()?,
    };
    let floats = !begin.contains('T') || DateTime::strptime("%Y-%m-%dT%H:%M:%S", begin).is_ok();
    let found = occurrences(&object, &home, window).found;
    Some(
        found
            .iter()
            .map(|one| written(&one.start, &one.instance, floats))
            .collect(),
    )
}

fn start_line(begin: &str, zone: Option<&str>) -> Option<String> {
    let plain: String = begin.chars().filter(|letter| !matches!(letter, '-' | ':')).collect();
    if !begin.contains('T') {
        return Some(format!("DTSTART;VALUE=DATE:{plain}"));
    }
    Some(match zone {
        // The offset is what the zone has at that time.
        Some(zone) => format!("DTSTART;TZID={zone}:{}", plain.get(..15)?),
        None => format!("DTSTART:{plain}"),
    })
}

fn instant(text: &str, home: &TimeZone) -> Option<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    let local: DateTime = text.parse().ok()?;
    home.to_timestamp(local).ok()
}

fn written(at: &At, instance: &When, floats: bool) -> String {
    match at {
        At::Day(day) => day.to_string(),
        At::Instant(_) if floats => instance.civil().strftime("%Y-%m-%dT%H:%M:%S").to_string(),
        At::Instant(at) => offset(at),
    }
}

/// With its offset, and without the name of its zone.
pub(crate) fn offset(at: &Zoned) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}
