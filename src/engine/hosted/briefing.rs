//! `read_days`: what a day of the person holds, from every domain that knows something of it. Each family says it by
//! `Family::day`; here it is put in order. A family of `engine::families`; it changes nothing and asks no model.

use serde_json::{Value, json};

use super::{Host, fields, outside};
use crate::{
    domain::{failure::ToolError, ids::ExecutorName, message::Message, run::ToolResult},
    engine::families::{Family, Running},
    executors::Call,
};

/// A person's day, told in one answer.
#[derive(Clone, Copy, Debug)]
pub struct Briefing;

impl Family for Briefing {
    fn executors(&self) -> &'static [&'static str] {
        &["read_days"]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, _name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        Box::pin(host.read_days(call))
    }
}

impl Host<'_> {
    async fn read_days(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let now = &call.context.now;
        let day = self.day_meant(call, now)?;
        let (mut lines, unknown) = self.families.day(self, call, day).await;
        let used = lines.len();
        if lines.is_empty() {
            // A free day is an answer and not nothing that was found: who is told every morning hears of it, too.
            lines.push(Message::new("day-free").with("day", outside::day(day, now.date())));
        }
        let entries: Vec<Value> = lines.iter().map(|line| json!({"line": line})).collect();
        let mut body = fields(json!({"used": used, "date": day.to_string(), "entries": entries}));
        // What could not be looked at is said, so that a silent day is never taken for a free one.
        let unknown = unknown
            .into_iter()
            .reduce(|rest, one| Message::new("says-both").with("first", rest).with("second", one));
        body.extend(unknown.map(|note| ("note".to_owned(), json!(note))));
        Ok(ToolResult::ok(body))
    }
}
