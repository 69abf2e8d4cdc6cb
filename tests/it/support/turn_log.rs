//! Reads what the program wrote into its turn log.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The lines of the turn log, oldest first.
pub(crate) fn turn_log(data_dir: &Path) -> Vec<Value> {
    let Ok(entries) = std::fs::read_dir(data_dir.join("turns")) else {
        return Vec::new();
    };
    let mut days: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    days.sort();
    let texts = days.iter().map(|day| std::fs::read_to_string(day).unwrap());
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.map(|line| serde_json::from_str(&line).unwrap()).collect()
}
