//! How what a step does is taken back: each way is noted beside the saved copies of its turn before the thing is done,
//! so that a step which is stopped in the middle can be taken back as far as it came. `batch` and the executors that
//! change things write in the worker, `process` reads after it.
//!
//! Invariant: only what the worker of this very step wrote is believed. The file is cleared before it starts, and
//! nothing else runs in its turn meanwhile.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::PathBuf,
};

use super::{CallContext, reversal};
use crate::domain::run::Reversal;

/// The ways back of what a step did, in the order in which things were done; undo goes backwards.
#[derive(Debug, Default)]
pub struct Ledger {
    reversals: Vec<Reversal>,
    /// Where they are noted; nowhere for a step that changes nothing.
    file: Option<File>,
}

impl Ledger {
    /// An empty one that is known even when its step is stopped in the middle.
    pub(super) fn noting(context: &CallContext) -> Self {
        let file = OpenOptions::new().create(true).append(true).open(place(context));
        Self {
            reversals: Vec::new(),
            // What keeps it from being noted will keep it from being done, or the result names all of it at the end.
            file: file
                .inspect_err(|error| tracing::warn!(%error, "progress is not noted"))
                .ok(),
        }
    }

    /// The same for an executor that runs inside metnos, where nobody made a folder for copies.
    pub fn in_process(context: &CallContext) -> Self {
        if let Err(error) = fs::create_dir_all(&context.backup_dir).and_then(|()| clear(context)) {
            tracing::warn!(%error, "progress is not noted");
        }
        Self::noting(context)
    }

    /// Notes how one thing is taken back that is done next; `forget_last` where it failed.
    pub fn before(&mut self, reversal: Reversal) {
        self.note(Some(&reversal));
        self.reversals.push(reversal);
    }

    /// Another way back for what was done last: now more is known of it.
    pub fn instead(&mut self, reversal: Reversal) {
        self.forget_last();
        self.before(reversal);
    }

    /// Does one thing, its way back noted before; what failed did not happen, and has none.
    pub(super) fn doing<T, E>(&mut self, reversal: Reversal, effect: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.note(Some(&reversal));
        let done = effect();
        if done.is_ok() {
            self.reversals.push(reversal);
        } else {
            self.note(None);
        }
        done
    }

    /// Gives up the way back of what was done last, because that is taken back right now.
    pub fn forget_last(&mut self) -> Option<Reversal> {
        let last = self.reversals.pop()?;
        self.note(None);
        Some(last)
    }

    /// All of them.
    pub fn into_reversals(self) -> Vec<Reversal> {
        self.reversals
    }

    /// One line, written at once or not at all: a way back, or nothing for that the last one is none.
    fn note(&mut self, line: Option<&Reversal>) {
        let Some(file) = &mut self.file else { return };
        let noted = serde_json::to_vec(&line)
            .map_err(io::Error::from)
            .and_then(|mut bytes| {
                bytes.push(b'\n');
                file.write_all(&bytes)
            });
        if let Err(error) = noted {
            tracing::warn!(%error, "progress is not noted any more");
            self.file = None;
        }
    }
}

fn place(context: &CallContext) -> PathBuf {
    context.backup_dir.join(format!("step{}.undo", context.step.0))
}

/// Forgets what stands there; nothing there is fine.
pub(super) fn clear(context: &CallContext) -> io::Result<()> {
    match fs::remove_file(place(context)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// What was done, in order; a line that was cut off, and what follows it, is left out. Of the last one only the disk
/// knows whether it came to be: the step may have ended between the note and the deed.
pub fn read(context: &CallContext) -> Vec<Reversal> {
    let text = fs::read_to_string(place(context)).unwrap_or_default();
    let mut done = Vec::new();
    for line in text.lines() {
        match serde_json::from_str::<Option<Reversal>>(line) {
            Ok(Some(reversal)) => done.push(reversal),
            Ok(None) => drop(done.pop()),
            Err(_cut_off) => break,
        }
    }
    if done.last().is_some_and(reversal::never_happened) {
        done.pop();
    }
    done
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::executors::files::disk;

    fn folder_made(path: &Path) -> Reversal {
        Reversal::RemoveDir {
            path: path.to_string_lossy().into_owned(),
        }
    }

    #[test]
    fn the_way_back_is_noted_before_the_deed_and_goes_when_it_fails() {
        let folder = tempfile::tempdir().unwrap();
        let context = CallContext::in_folder(folder.path());
        let mut ledger = Ledger::noting(&context);
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        // The step is cut off right after the deed: it is known.
        let made = ledger.doing(folder_made(&one), || {
            assert_eq!(read(&context), [], "noted and not done yet");
            fs::create_dir(&one)?;
            assert_eq!(read(&context), [folder_made(&one)], "done and not finished yet");
            io::Result::Ok(())
        });
        assert!(made.is_ok());
        assert!(ledger.doing(folder_made(&two), || fs::create_dir(&one)).is_err());
        assert_eq!(read(&context), [folder_made(&one)]);
        ledger.doing(folder_made(&two), || fs::create_dir(&two)).unwrap();
        assert_eq!(read(&context), [folder_made(&one), folder_made(&two)]);
        let text = folder.path().join("text");
        fs::write(&text, "old").unwrap();
        let written = Reversal::Restore {
            backup: String::new(),
            to: text.to_string_lossy().into_owned(),
            sha256: disk::sha256_hex(b"new"),
        };
        let stopped = ledger.doing(written.clone(), || {
            assert_eq!(read(&context).len(), 2, "the old text is still there");
            fs::write(&text, "new")?;
            assert_eq!(read(&context).last(), Some(&written));
            Err(io::Error::other("stopped"))
        });
        assert!(io::Result::<()>::is_err(&stopped));
        assert_eq!(ledger.forget_last(), Some(folder_made(&two)));
        assert_eq!(read(&context), [folder_made(&one)]);
        assert_eq!(ledger.into_reversals(), [folder_made(&one)]);
    }
}
