//! The one SQLite file. Rows go in and out as domain types; SQL stands only in this folder.
//!
//! One thread owns the writing connection and one the reading connection, so that writes are ordered, readers never
//! wait for them, and no other thread blocks. The store is the truth; whatever others keep in memory is a cache.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use rusqlite_migration::{M, Migrations};
use tokio::sync::{mpsc, oneshot};

use crate::domain::{
    failure::{ErrorClass, ToolError},
    message::Message,
};

pub mod accounts;
pub mod actors;
pub mod aging;
pub mod autopaths;
/// Where people usually speak from.
mod areas;
pub mod backup;
pub mod captions;
pub mod dav;
pub mod dialogs;
pub mod digest;
pub mod edits;
pub mod effects;
pub mod erasure;
pub mod fastpaths;
pub mod gaps;
pub mod inbox;
pub mod locations;
pub mod offers;
pub mod outbox;
pub mod papers;
pub mod photos;
pub mod passages;
pub mod people;
pub mod person_accounts;
pub mod progress;
pub mod proposals;
pub mod quiet;
pub mod reactions;
pub mod received;
pub mod removals;
pub mod scratchpad;
mod sealed;
pub mod sent_mail;
pub mod shares;
pub mod settings;
pub mod spending;
mod sweep;
pub mod tasks;
pub mod turns;
mod unreadable;
pub mod upkeep;
pub mod usual;
pub mod vectors;
pub mod welcome;

use effects::EffectId;
use tasks::Bell;

/// Append only: a shipped migration never changes.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_foundation.sql"),
    include_str!("../migrations/0002_waiting.sql"),
    include_str!("../migrations/0003_people.sql"),
    include_str!("../migrations/0005_nothing_over_keeps_words.sql"),
    include_str!("../migrations/0006_reactions.sql"),
    include_str!("../migrations/0007_received_files.sql"),
    include_str!("../migrations/0008_stop.sql"),
    include_str!("../migrations/0009_spending.sql"),
    include_str!("../migrations/0010_what_is_missing.sql"),
    include_str!("../migrations/0011_left_alone.sql"),
    include_str!("../migrations/0012_turns_by_request.sql"),
    include_str!("../migrations/0013_one_request_one_undo.sql"),
    include_str!("../migrations/0014_slots.sql"),
    include_str!("../migrations/0015_what_was_listed.sql"),
    include_str!("../migrations/0016_tasks.sql"),
    include_str!("../migrations/0017_quiet_hours.sql"),
    include_str!("../migrations/0018_nights.sql"),
    include_str!("../migrations/0019_digest.sql"),
    include_str!("../migrations/0020_offers.sql"),
    include_str!("../migrations/0021_passages.sql"),
    include_str!("../migrations/0023_proposals.sql"),
    include_str!("../migrations/0024_usual_times.sql"),
    include_str!("../migrations/0025_promises.sql"),
    include_str!("../migrations/0026_albums.sql"),
    include_str!("../migrations/0028_what_was_touched.sql"),
    include_str!("../migrations/0030_welcome.sql"),
    include_str!("../migrations/0032_digest_rhythm.sql"),
    include_str!("../migrations/0036_person_accounts.sql"),
    include_str!("../migrations/0041_settings.sql"),
    include_str!("../migrations/0047_dav.sql"),
    include_str!("../migrations/0048_said_by.sql"),
    include_str!("../migrations/0049_area.sql"),
    include_str!("../migrations/0050_papers.sql"),
    include_str!("../migrations/0051_shares.sql"),
    include_str!("../migrations/0052_lent_agendas.sql"),
    include_str!("../migrations/0053_photos.sql"),
    include_str!("../migrations/0054_photo_captions.sql"),
];
/// How long a connection waits for another process, such as a backup.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Jobs waiting for a thread; more make the caller wait.
const QUEUE_MAX: usize = 256;

/// Why the store failed. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file could not be opened.
    #[error("cannot open the database `{path}`")]
    Open {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: rusqlite::Error,
    },
    /// A migration failed; an older binary cannot open a newer file.
    #[error("cannot bring the database to this version")]
    Migrate(#[source] rusqlite_migration::Error),
    /// A statement failed.
    #[error("the database refused `{doing}`")]
    Query {
        /// What was being done.
        doing: &'static str,
        /// The cause.
        #[source]
        source: rusqlite::Error,
    },
    /// A bug broke what was being done.
    #[error("a bug broke `{doing}`")]
    Broken {
        /// What was being done.
        doing: &'static str,
    },
    /// The file system refused.
    #[error("cannot prepare `{path}`")]
    File {
        /// What was being prepared.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// What waits cannot be sealed.
    #[error("cannot keep secrets")]
    Seal(#[from] sealed::SealError),
    /// The store was closed.
    #[error("the database is closed")]
    Closed,
}

/// What whoever uses a tool is told of it.
impl From<StoreError> for ToolError {
    fn from(error: StoreError) -> Self {
        Self::new(ErrorClass::Internal, Message::new("store-failed")).with_detail(error.to_string())
    }
}

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Handle to the database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    writer: mpsc::Sender<Job>,
    reader: mpsc::Sender<Job>,
    /// Grows with every change of plan memory, so that caches know when they are old.
    memory_version: Arc<AtomicU64>,
    /// Told when something is due before the scheduler would look.
    tasks: Arc<Bell>,
    /// The effect that changes made through this handle are.
    journal: Option<EffectId>,
}

impl Store {
    /// Opens the file, creating and migrating it as needed. The file is readable by its owner only.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        make_private(path)?;
        let open_error = |source| StoreError::Open {
            path: path.to_owned(),
            source,
        };
        let mut writing = Connection::open(path).map_err(open_error)?;
        prepare(&writing).map_err(open_error)?;
        let (seal, is_new) = sealed::Seal::beside(path)?;
        let seal = Arc::new(seal);
        let migrations = Migrations::new(MIGRATIONS.iter().map(|sql| M::up(sql)).collect());
        migrations.to_latest(&mut writing).map_err(StoreError::Migrate)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reading = Connection::open_with_flags(path, flags).map_err(open_error)?;
        reading.busy_timeout(BUSY_TIMEOUT).map_err(open_error)?;
        for connection in [&writing, &reading] {
            sealed::install(connection, &seal).map_err(open_error)?;
        }
        if is_new {
            sealed::give_up_sealed(&writing).map_err(open_error)?;
        }
        Ok(Self {
            writer: serve(writing, "store-write", path)?,
            reader: serve(reading, "store-read", path)?,
            memory_version: Arc::new(AtomicU64::new(0)),
            tasks: Arc::default(),
            journal: None,
        })
    }

    /// Changes whenever plan memory may have changed.
    pub fn memory_version(&self) -> u64 {
        self.memory_version.load(Ordering::Acquire)
    }

    fn memory_changed(&self) {
        self.memory_version.fetch_add(1, Ordering::AcqRel);
    }

    /// Runs one transaction: all of it, or nothing.
    fn write<T: Send + 'static>(
        &self,
        doing: &'static str,
        job: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send {
        let whole = move |connection: &mut Connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = job(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        ask(&self.writer, doing, Box::new(whole))
    }

    /// Runs one query on the reading connection.
    fn read<T: Send + 'static>(
        &self,
        doing: &'static str,
        job: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send {
        ask(&self.reader, doing, Box::new(move |connection| job(connection)))
    }
}

/// What one of the two threads is asked for. Boxed before anything waits for it: what a job holds would otherwise lie
/// in every future above it, and be moved over the stack with each of them.
type Asked<T> = Box<dyn FnOnce(&mut Connection) -> rusqlite::Result<T> + Send>;

async fn ask<T: Send + 'static>(
    thread: &mpsc::Sender<Job>,
    doing: &'static str,
    job: Asked<T>,
) -> Result<T, StoreError> {
    let (answer, answered) = oneshot::channel();
    let job: Job = Box::new(move |connection| {
        // A bug ends its own job alone: without this thread nothing could be written until the next start. What a
        // transaction had begun is rolled back while the panic unwinds.
        let outcome = match catch_unwind(AssertUnwindSafe(|| job(connection))) {
            Ok(done) => done.map_err(|source| StoreError::Query { doing, source }),
            Err(_panic) => Err(StoreError::Broken { doing }),
        };
        if answer.send(outcome).is_err() {
            tracing::debug!(doing, "nobody waited for the database");
        }
    });
    if thread.send(job).await.is_err() {
        return Err(StoreError::Closed);
    }
    match answered.await {
        Ok(outcome) => outcome,
        Err(_closed) => Err(StoreError::Closed),
    }
}

/// The thread ends when the last handle is dropped.
fn serve(mut connection: Connection, name: &str, path: &Path) -> Result<mpsc::Sender<Job>, StoreError> {
    let (sender, mut jobs) = mpsc::channel::<Job>(QUEUE_MAX);
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || {
            while let Some(job) = jobs.blocking_recv() {
                job(&mut connection);
            }
        })
        .map_err(|source| StoreError::File {
            path: path.to_owned(),
            source,
        })?;
    Ok(sender)
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // FULL: an effect's intent must survive a power cut, or it could happen twice.
    connection.pragma_update(None, "synchronous", "FULL")?;
    // What is deleted is gone from the file, too.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "foreign_keys", true)
}

fn make_private(path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::OpenOptionsExt;
    std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)
        .map(drop)
        .map_err(|source| StoreError::File {
            path: path.to_owned(),
            source,
        })
}

/// A value kept as JSON text in a column.
fn to_json<T: serde::Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// The value of a JSON column.
fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error)))
}

/// A stored word that no version of ours wrote.
fn unknown_word(word: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, format!("unknown word `{word}`").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_bug_in_one_job_is_an_error_and_the_next_one_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("db")).unwrap();
        let broken = store.write("test", |tx| -> rusqlite::Result<()> {
            tx.execute("INSERT INTO cursors (channel, value) VALUES ('telegram', 1)", [])?;
            panic!("a bug");
        });
        assert!(matches!(broken.await, Err(StoreError::Broken { doing: "test" })));
        let broken = store.read("test", |_| -> rusqlite::Result<()> { panic!("a bug") });
        assert!(matches!(broken.await, Err(StoreError::Broken { .. })));
        let count =
            |connection: &Connection| connection.query_row("SELECT count(*) FROM cursors", [], |row| row.get(0));
        assert_eq!(
            store.read::<i64>("test", count).await.unwrap(),
            0,
            "nothing of it was kept"
        );
        let written = store.write("test", |tx| {
            tx.execute("INSERT INTO cursors (channel, value) VALUES ('telegram', 1)", [])
        });
        assert_eq!(written.await.unwrap(), 1);
    }
}
