//! Reads what the program wrote into its turn log.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::path::Path;

use metnos::turn_files::{self, TurnFiles};
use serde_json::Value;

/// The lines of the turn log, oldest first.
pub(crate) fn turn_log(data_dir: &Path) -> Vec<Value> {
    // A day may be packed between being listed and being read.
    let texts = loop {
        let days = TurnFiles::new(data_dir).all().unwrap();
        let texts: std::io::Result<Vec<String>> = days.iter().map(|day| turn_files::read(day)).collect();
        match texts {
            Ok(texts) => break texts,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => panic!("{error}"),
        }
    };
    let lines = texts
        .iter()
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.map(|line| serde_json::from_str(&line).unwrap()).collect()
}
