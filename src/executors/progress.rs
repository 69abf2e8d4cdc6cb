//! What a batch has done so far, one line each, beside the saved copies of its turn: so that a batch which is stopped
//! in the middle can be taken back as far as it came. `batch` writes in the worker, `process` reads after it.
//!
//! Invariant: only what the worker of this very step wrote is believed. The file is cleared before it starts, and
//! nothing else runs in its turn meanwhile.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::PathBuf,
};

use super::CallContext;
use crate::domain::run::Reversal;

fn place(context: &CallContext) -> PathBuf {
    context.backup_dir.join(format!("step{}.undo", context.step.0))
}

/// The file of this step, open for what is done next.
pub(super) fn open(context: &CallContext) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(place(context))
}

/// Adds what was done; each line is written at once or not at all.
pub(super) fn add(file: &mut File, reversals: &[Reversal]) -> io::Result<()> {
    for reversal in reversals {
        let mut line = serde_json::to_vec(reversal)?;
        line.push(b'\n');
        file.write_all(&line)?;
    }
    Ok(())
}

/// Forgets what stands there; nothing there is fine.
pub(super) fn clear(context: &CallContext) -> io::Result<()> {
    match fs::remove_file(place(context)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// What was done, in order; a line that was cut off, and what follows it, is left out.
pub(super) fn read(context: &CallContext) -> Vec<Reversal> {
    let text = fs::read_to_string(place(context)).unwrap_or_default();
    text.lines().map_while(|line| serde_json::from_str(line).ok()).collect()
}
