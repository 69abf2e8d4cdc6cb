//! Reads what the program wrote into its turn log.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::path::Path;

use metnos::turn_files::{self, TurnFiles};
use serde_json::Value;

/// The lines of the turn log, oldest first.
pub(crate) fn turn_log(data_dir: &Path) -> Vec<Value> {
    let days = TurnFiles::new(data_dir).all().unwrap();
    let texts = days.iter().map(|day| turn_files::read(day).unwrap());
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.map(|line| serde_json::from_str(&line).unwrap()).collect()
}
