//! `get_now`: the time of the turn, in the person's zone. Pure: the clock was read when the turn began.

use serde_json::json;

use super::{Call, object};
use crate::domain::{failure::ToolError, run::ToolResult};

/// Date and time, in pieces a sentence can use.
#[expect(clippy::unnecessary_wraps, reason = "all executors have one signature")]
pub(super) fn get_now(call: &Call) -> Result<ToolResult, ToolError> {
    let now = &call.context.now;
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
    }))))
}
