//! How much lies below a folder: the entry of a folder says nothing of it. Used by `find` and `read` for what they show
//! of folders. Only looks; links are neither followed nor counted with what they lead to.

use std::path::Path;

use serde_json::{Map, Value, json};
use walkdir::WalkDir;

use super::find::NAMES_MAX;
use crate::domain::message::Message;

/// What was found below folders, and what could not be looked at.
#[derive(Default)]
pub(super) struct Scales {
    names: usize,
    unseen: usize,
}

impl Scales {
    /// Gives the entry of a folder the size of everything below it, hidden things included.
    pub(super) fn weigh(&mut self, path: &Path, entry: &mut Map<String, Value>) {
        let mut bytes = 0_u64;
        for found in WalkDir::new(path).min_depth(1) {
            self.names += 1;
            if self.names > NAMES_MAX {
                self.unseen += 1;
                break;
            }
            match found.and_then(|found| Ok((found.file_type(), found.metadata()?.len()))) {
                Ok((kind, length)) if kind.is_file() => bytes = bytes.saturating_add(length),
                Ok(_) => {}
                Err(_) => self.unseen += 1,
            }
        }
        entry.insert("size".to_owned(), json!(bytes));
    }

    /// What must be said of sizes that are not the whole.
    pub(super) fn note(&self) -> Option<Value> {
        (self.unseen > 0).then(|| json!(Message::new("executors-not-all-weighed").with("count", self.unseen)))
    }
}
