//! A copy of a SQLite file that others may have open and write to: by SQLite's own backup, as one moment saw it, and
//! looked through before it counts. Called by `cli::backup` for every database of the data folder, ours and those of
//! libraries. It never changes the original, and nobody who writes to that waits for it.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{
    Connection, Error as SqlError, ErrorCode, OpenFlags,
    backup::{Backup, StepResult},
    ffi,
};

use super::BUSY_TIMEOUT;

/// How every file of SQLite begins.
const HEADER: &[u8; 16] = b"SQLite format 3\0";
/// How the names of databases end, whatever they hold: one that was damaged is no plain file.
const ENDINGS: [&str; 2] = ["sqlite", "sqlite3"];
/// What SQLite keeps beside a database while it is open. The copy has all of it in itself.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];
/// Failures of writing; SQLite tells a full disk apart.
const UNWRITABLE: [i32; 4] = [
    ffi::SQLITE_IOERR_WRITE,
    ffi::SQLITE_IOERR_FSYNC,
    ffi::SQLITE_IOERR_DIR_FSYNC,
    ffi::SQLITE_IOERR_TRUNCATE,
];

/// Why a database has no copy. What was begun of it is for the caller to remove.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The original is damaged, or no database at all.
    #[error("{0}")]
    Damaged(String),
    /// The disk of the copy is full.
    #[error("the disk is full")]
    Full(#[source] SqlError),
    /// The disk of the copy said no.
    #[error("the copy cannot be written")]
    Unwritable(#[source] SqlError),
    /// Somebody kept the original to themselves all the time.
    #[error("the database is in use")]
    Busy,
    /// Anything else, such as an original that cannot be read.
    #[error("the database cannot be copied")]
    Failed(#[source] SqlError),
}

impl From<SqlError> for CopyError {
    fn from(error: SqlError) -> Self {
        let code = error.sqlite_error_code();
        let is = |kinds: &[ErrorCode]| code.is_some_and(|code| kinds.contains(&code));
        let extended = error.sqlite_error().map(|error| error.extended_code);
        if is(&[ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase]) {
            Self::Damaged(error.to_string())
        } else if is(&[ErrorCode::DatabaseBusy, ErrorCode::DatabaseLocked]) {
            Self::Busy
        } else if is(&[ErrorCode::DiskFull]) {
            Self::Full(error)
        } else if extended.is_some_and(|extended| UNWRITABLE.contains(&extended)) {
            Self::Unwritable(error)
        } else {
            Self::Failed(error)
        }
    }
}

/// Whether this file is a database.
pub fn is_database(path: &Path) -> io::Result<bool> {
    if path
        .extension()
        .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
    {
        return Ok(true);
    }
    let mut first = Vec::new();
    let longest = u64::try_from(HEADER.len()).unwrap_or_default();
    File::open(path)?.take(longest).read_to_end(&mut first)?;
    Ok(first == HEADER)
}

/// The database that SQLite would keep this file beside, by its name.
pub fn kept_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let database = BESIDE.iter().find_map(|ending| name.strip_suffix(ending))?;
    Some(path.with_file_name(database))
}

/// Copies a database into an empty file, and looks the copy through.
pub fn copy(from: &Path, to: &Path) -> Result<(), CopyError> {
    copy_patiently(from, to, BUSY_TIMEOUT)
}

fn copy_patiently(from: &Path, to: &Path, patience: Duration) -> Result<(), CopyError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let original = Connection::open_with_flags(from, flags)?;
    original.busy_timeout(patience)?;
    let mut taken = open_copy(to)?;
    take(&original, &mut taken)?;
    close(taken)?;
    // Opened anew: what is looked at is what was written, not what this process remembers of it.
    let written = open_copy(to)?;
    let found: String = written.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    close(written)?;
    if found == "ok" {
        Ok(())
    } else {
        Err(CopyError::Damaged(found))
    }
}

/// Takes every page in one step, and so as one moment saw them. Others go on writing meanwhile, into the log ahead.
fn take(original: &Connection, copy: &mut Connection) -> Result<(), CopyError> {
    if Backup::new(original, copy)?.step(-1)? == StepResult::Done {
        Ok(())
    } else {
        Err(CopyError::Busy)
    }
}

fn open_copy(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags)
}

/// Whoever closes last leaves nothing beside the file.
fn close(connection: Connection) -> rusqlite::Result<()> {
    connection.close().map_err(|(_still_open, error)| error)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// A database with rows on many pages, open and written ahead only; the place of its copy; and the folder of both.
    fn open_database() -> (TempDir, Connection, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(folder.path().join("from.sqlite3")).unwrap();
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                 CREATE TABLE notes (number INTEGER PRIMARY KEY, text TEXT UNIQUE);
                 WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 2000)
                 INSERT INTO notes SELECT n, printf('%0100d', n) FROM many;",
            )
            .unwrap();
        let to = folder.path().join("copy");
        fs::write(&to, "").unwrap();
        (folder, connection, to)
    }

    fn count(connection: &Connection) -> i64 {
        connection
            .query_row("SELECT count(*) FROM notes", [], |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn what_is_written_ahead_only_is_in_the_copy_and_nothing_lies_beside_it() {
        let (folder, connection, to) = open_database();
        let from = folder.path().join("from.sqlite3");
        let (main, ahead) = (
            fs::metadata(&from).unwrap().len(),
            folder.path().join("from.sqlite3-wal"),
        );
        assert!(main < fs::metadata(&ahead).unwrap().len());
        // A change that is not committed is not in it, and keeps nobody from copying.
        connection.execute_batch("BEGIN IMMEDIATE; DELETE FROM notes;").unwrap();
        copy(&from, &to).unwrap();
        connection.execute_batch("ROLLBACK").unwrap();
        let beside = |path: &Path| path.with_file_name("copy-wal").exists() || path.with_file_name("copy-shm").exists();
        assert!(!beside(&to));
        assert_eq!(count(&open_copy(&to).unwrap()), 2000);
        assert_eq!(fs::metadata(&from).unwrap().len(), main, "the original is as it was");
        assert_eq!(count(&connection), 2000);
    }

    #[test]
    fn a_damaged_database_is_not_taken_for_a_copy() {
        let (folder, connection, to) = open_database();
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        close(connection).unwrap();
        let from = folder.path().join("from.sqlite3");
        let mut bytes = fs::read(&from).unwrap();
        let at = bytes.len() / 2 / 4096 * 4096;
        bytes[at..at + 4096].fill(0xA5);
        fs::write(&from, &bytes).unwrap();
        assert!(matches!(copy(&from, &to), Err(CopyError::Damaged(_))));
        fs::write(&from, "no database at all, though it is called one").unwrap();
        assert!(is_database(&from).unwrap());
        assert!(matches!(copy(&from, &to), Err(CopyError::Damaged(_))));
    }

    #[test]
    fn a_full_disk_is_told_from_other_trouble() {
        let (folder, connection, to) = open_database();
        let mut small = open_copy(&to).unwrap();
        small.execute_batch("PRAGMA max_page_count = 4").unwrap();
        assert!(matches!(take(&connection, &mut small), Err(CopyError::Full(_))));
        let refused = SqlError::SqliteFailure(ffi::Error::new(ffi::SQLITE_IOERR_WRITE), None);
        assert!(matches!(refused.into(), CopyError::Unwritable(_)));
        let nowhere = folder.path().join("none.sqlite3");
        assert!(matches!(copy(&nowhere, &to), Err(CopyError::Failed(_))));
        assert!(!nowhere.exists(), "looking makes nothing");
    }

    #[test]
    fn a_database_that_somebody_keeps_to_themselves_is_said_to_be_in_use() {
        let (folder, connection, to) = open_database();
        connection
            .execute_batch("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;")
            .unwrap();
        let copied = copy_patiently(&folder.path().join("from.sqlite3"), &to, Duration::from_millis(50));
        assert!(matches!(copied, Err(CopyError::Busy)), "{copied:?}");
    }

    #[test]
    fn databases_are_known_by_what_they_hold_and_by_their_names() {
        let (folder, connection, to) = open_database();
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        assert!(!is_database(&to).unwrap());
        fs::copy(folder.path().join("from.sqlite3"), &to).unwrap();
        assert!(is_database(&to).unwrap(), "it has no telling name");
        assert_eq!(
            kept_beside(Path::new("/d/a.sqlite-wal")).unwrap(),
            Path::new("/d/a.sqlite")
        );
        assert_eq!(kept_beside(Path::new("/d/a.txt")), None);
    }
}
