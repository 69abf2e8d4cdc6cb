//! `get_now`: the time of the turn, in the person's zone or at a place elsewhere. Pure: the clock was read when the
//! turn began.

use serde_json::json;

use super::{Call, object, zones};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    message::Message,
    run::ToolResult,
};

/// Date and time, in pieces a sentence can use.
pub(super) fn get_now(call: &Call) -> Result<ToolResult, ToolError> {
    let place = call
        .optional_text("place")?
        .map(str::trim)
        .filter(|place| !place.is_empty());
    let now = match place {
        None => call.context.now.clone(),
        Some(place) => {
            let zone = zones::of_place(place).ok_or_else(|| unknown(place))?;
            call.context.now.with_time_zone(zone)
        }
    };
    let zone = now.time_zone().iana_name().unwrap_or("UTC");
    Ok(ToolResult::ok(object(json!({
        "now": now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        "date": now.strftime("%Y-%m-%d").to_string(),
        "time": now.strftime("%H:%M").to_string(),
        "weekday": now.strftime("%A").to_string().to_lowercase(),
        "day": now.day(),
        "month": now.month(),
        "year": now.year(),
        "timezone": zone,
        "where": if place.is_some() { "there" } else { "here" },
        "place": place.map(capitalized).unwrap_or_default(),
    }))))
}

fn unknown(place: &str) -> ToolError {
    let message = Message::new("executors-now-unknown-place").with("place", capitalized(place));
    ToolError::new(ErrorClass::NotFound, message)
}

/// "new york" as it is written.
fn capitalized(place: &str) -> String {
    let words = place.split_whitespace().map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string());
        format!("{}{}", first.unwrap_or_default(), letters.as_str())
    });
    words.collect::<Vec<_>>().join(" ")
}
