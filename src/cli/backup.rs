//! `metnos backup FOLDER`: a copy of the data folder and of the household's configuration, also while metnos runs.
//! Called by `cli`. It changes nothing of the original. Until it is whole it has another name, so that one that broke
//! off is never taken for a copy.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::bail;
use rustix::fs::{OFlags, syncfs};
use tokio_util::sync::CancellationToken;

use self::contents::{Contents, Item, Kind, contents};
use super::{complain, converse, print};
use crate::{
    app::LOCK,
    config::{Config, config_path, env::Environment},
    domain::message::Message,
    i18n::I18n,
    jobs::backup::Copy,
    store::backup::{self, CopyError},
};

mod contents;

/// Bytes read at once; between two such pieces a stop is heard.
const PIECE_BYTES: usize = 1024 * 1024;
/// The right to run a program, which one of the household's own tools needs.
const MAY_RUN: u32 = 0o100;
const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_FOLDER: u32 = 0o700;

/// Makes the copy, and says where it is.
pub(super) async fn run(config: &Config, environment: &Environment, folder: PathBuf) -> anyhow::Result<ExitCode> {
    let i18n = I18n::of_household(&config.data_dir)?;
    let stop = CancellationToken::new();
    let watching = converse::stop_on_signal(stop.clone());
    let config_file = config_path(environment).filter(|path| path.exists());
    let all = config.clone();
    let made = tokio::task::spawn_blocking(move || back_up(&all, config_file.as_deref(), &folder, &stop)).await?;
    watching.abort();
    let made = made?;
    let size = Message::new("backup-done")
        .with("folder", made.folder.display().to_string())
        .with("size", config.lang.bytes(made.bytes as f64));
    print(&i18n.say(config.lang, &size))?;
    print(&i18n.say(config.lang, &Message::new("backup-holds-keys")))?;
    if !made.missing_keys.is_empty() {
        let missing = Message::new("backup-keys-elsewhere").with("files", made.missing_keys.join(", "));
        print(&i18n.say(config.lang, &missing))?;
    }
    print(&i18n.say(config.lang, &about("backup-restore", &config.data_dir)))?;
    Ok(ExitCode::SUCCESS)
}

/// How the nightly job makes the same copy.
pub(crate) fn copier(config: &Config, environment: &Environment) -> Copy {
    let (config, environment) = (config.clone(), environment.clone());
    Arc::new(move |folder, stop| {
        let config_file = config_path(&environment).filter(|path| path.exists());
        let made = back_up(&config, config_file.as_deref(), folder, stop);
        made.map(|made| made.bytes).map_err(|error| {
            let said = error.downcast_ref::<Message>().cloned();
            said.unwrap_or_else(|| Message::new("start-failed").with("reason", error.to_string()))
        })
    })
}

/// A copy in its place.
struct Made {
    folder: PathBuf,
    bytes: u64,
    /// Files with keys that the configuration names and that lie outside of the data folder.
    missing_keys: Vec<String>,
}

fn back_up(
    config: &Config,
    config_file: Option<&Path>,
    folder: &Path,
    stop: &CancellationToken,
) -> anyhow::Result<Made> {
    let contents = contents(config, config_file)?;
    let place = Place::find(folder, &contents.roots)?;
    let unfinished = Unfinished::begin(&place)?;
    let filled = fill(&unfinished.folder, &contents, &place, stop);
    match filled.and_then(|bytes| unfinished.put_in_place(&place).map(|()| bytes)) {
        Ok(bytes) => Ok(Made {
            folder: place.target,
            bytes,
            missing_keys: keys_elsewhere(config, &contents.roots),
        }),
        Err(error) => {
            if let Err(left) = fs::remove_dir_all(&unfinished.folder) {
                tracing::error!(error = %left, "what was copied stays");
                complain(
                    &I18n::of_household(&config.data_dir)?.say(config.lang, &about("backup-left", &unfinished.folder)),
                );
            }
            Err(error)
        }
    }
}

fn keys_elsewhere(config: &Config, roots: &[PathBuf]) -> Vec<String> {
    [
        &config.telegram.token_file,
        &config.places.google_key_file,
        &config.search.brave_key_file,
        &config.llm.online.key_file,
    ]
    .into_iter()
    .flatten()
    .filter(|file| {
        let place = fs::canonicalize(file);
        place.is_ok_and(|place| !roots.iter().any(|root| place.starts_with(root)))
    })
    .map(|file| file.display().to_string())
    .collect()
}

/// Where the copy will be, and where it is made.
struct Place {
    target: PathBuf,
    parent: PathBuf,
    unfinished: PathBuf,
}

impl Place {
    /// Looks whether a copy can be put there.
    fn find(folder: &Path, roots: &[PathBuf]) -> anyhow::Result<Self> {
        let named = std::path::absolute(folder).map_err(unreadable(folder))?;
        let is_there = named.symlink_metadata().is_ok();
        let target = if is_there {
            fs::canonicalize(&named).map_err(unreadable(&named))?
        } else {
            let (Some(parent), Some(name)) = (named.parent(), named.file_name()) else {
                bail!(about("backup-taken", &named));
            };
            if !parent.is_dir() {
                // It may be a disk that is not there now: making it would fill the wrong one.
                bail!(about("backup-no-parent", parent));
            }
            fs::canonicalize(parent).map_err(unreadable(parent))?.join(name)
        };
        if roots.iter().any(|root| target.starts_with(root)) {
            bail!(about("backup-inside", &target));
        }
        let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
            bail!(about("backup-taken", &target));
        };
        if is_there {
            refuse_taken(&target, parent)?;
        }
        Ok(Self {
            unfinished: parent.join(format!(".{}.metnos-unfinished", name.to_string_lossy())),
            parent: parent.to_owned(),
            target: target.clone(),
        })
    }

    /// A failure of writing anything of the copy.
    fn unwritable(&self, error: io::Error) -> anyhow::Error {
        let is_full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        self.unwritten(is_full, error)
    }

    fn unwritten(&self, is_full: bool, error: impl std::error::Error + Send + Sync + 'static) -> anyhow::Error {
        let key = if is_full { "backup-full" } else { "backup-unwritable" };
        anyhow::Error::new(error).context(about(key, &self.parent))
    }
}

/// Only an empty folder may be there, and none that is the root of another disk: nothing can be put in its place.
fn refuse_taken(target: &Path, parent: &Path) -> anyhow::Result<()> {
    let (there, above) = (target.metadata(), parent.metadata());
    let (there, above) = (there.map_err(unreadable(target))?, above.map_err(unreadable(parent))?);
    let is_empty = there.is_dir() && fs::read_dir(target).map_err(unreadable(target))?.next().is_none();
    if !is_empty {
        bail!(about("backup-taken", target));
    }
    if there.dev() != above.dev() {
        bail!(about("backup-whole-disk", target));
    }
    Ok(())
}

/// A copy in the making: a folder beside its place. Who makes it holds the lock in it, so that a second one can tell it
/// from one that broke off.
struct Unfinished {
    folder: PathBuf,
    _lock: File,
}

impl Unfinished {
    fn begin(place: &Place) -> anyhow::Result<Self> {
        let folder = &place.unfinished;
        if folder.symlink_metadata().is_ok() {
            let lock = OpenOptions::new().write(true).open(folder.join(LOCK));
            if lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock))) {
                bail!(about("backup-twice", &place.target));
            }
            fs::remove_dir_all(folder).map_err(|error| place.unwritable(error))?;
        }
        make_folder(folder).map_err(|error| place.unwritable(error))?;
        let lock = make_file(&folder.join(LOCK)).map_err(|error| place.unwritable(error))?;
        if let Err(TryLockError::Error(error)) = lock.try_lock() {
            tracing::debug!(%error, "this file system has no locks");
        }
        Ok(Self {
            folder: folder.clone(),
            _lock: lock,
        })
    }

    /// Once everything of it is on the disk, it gets its name.
    fn put_in_place(&self, place: &Place) -> anyhow::Result<()> {
        let placed = File::open(&self.folder)
            .and_then(|folder| syncfs(&folder).map_err(io::Error::from))
            .and_then(|()| fs::rename(&self.folder, &place.target));
        placed.map_err(|error| place.unwritable(error))?;
        // Not before: without it somebody could take this for one that broke off. If it stays, it is empty.
        let settled = fs::remove_file(place.target.join(LOCK)).and_then(|()| File::open(&place.parent)?.sync_all());
        if let Err(error) = settled {
            tracing::warn!(%error, "the copy is in its place, but not settled");
        }
        Ok(())
    }
}

/// Copies everything below `root`, and says how much it is.
fn fill(root: &Path, contents: &Contents, place: &Place, stop: &CancellationToken) -> anyhow::Result<u64> {
    let mut piece = vec![0; PIECE_BYTES];
    let mut bytes = 0;
    for item in &contents.items {
        let to = root.join(&item.to);
        if stop.is_cancelled() {
            bail!(Message::new("backup-stopped"));
        }
        match item.kind {
            Kind::Folder => make_folder(&to).map_err(|error| place.unwritable(error))?,
            Kind::Link => copy_link(item, &to, place)?,
            Kind::Database => bytes += copy_database(item, &to, place)?,
            Kind::Confirmed | Kind::File => bytes += copy_file(item, &to, place, &mut piece, stop)?,
        }
    }
    Ok(bytes)
}

fn copy_link(item: &Item, to: &Path, place: &Place) -> anyhow::Result<()> {
    match fs::read_link(&item.from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unreadable(&item.from)(error)),
        Ok(leads_to) => symlink(leads_to, to).map_err(|error| place.unwritable(error)),
    }
}

fn copy_database(item: &Item, to: &Path, place: &Place) -> anyhow::Result<u64> {
    let file = make_file(to).map_err(|error| place.unwritable(error))?;
    backup::copy(&item.from, to).map_err(|error| match error {
        CopyError::Full(error) => place.unwritten(true, error),
        CopyError::Unwritable(error) => place.unwritten(false, error),
        CopyError::Damaged(_) => anyhow::Error::new(error).context(about("backup-damaged", &item.from)),
        CopyError::Busy => anyhow::Error::msg(about("backup-in-use", &item.from)),
        CopyError::Failed(error) => anyhow::Error::new(error).context(about("backup-unreadable", &item.from)),
    })?;
    Ok(file.metadata().map_err(|error| place.unwritable(error))?.len())
}

/// As it is, with its date; for its owner only. One that went since it was found belongs to nothing any more.
fn copy_file(item: &Item, to: &Path, place: &Place, piece: &mut [u8], stop: &CancellationToken) -> anyhow::Result<u64> {
    let unreadable = unreadable(&item.from);
    let opened = OpenOptions::new().read(true).custom_flags(plainly()).open(&item.from);
    let mut source = match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        opened => opened.map_err(&unreadable)?,
    };
    let found = source.metadata().map_err(&unreadable)?;
    if !found.is_file() {
        return Ok(0);
    }
    let mut copy = make_file(to).map_err(|error| place.unwritable(error))?;
    let mut bytes: u64 = 0;
    loop {
        if stop.is_cancelled() {
            bail!(Message::new("backup-stopped"));
        }
        let read = source.read(piece).map_err(&unreadable)?;
        let Some(read) = piece.get(..read).filter(|read| !read.is_empty()) else {
            break;
        };
        copy.write_all(read).map_err(|error| place.unwritable(error))?;
        bytes = bytes.saturating_add(u64::try_from(read.len()).unwrap_or_default());
    }
    keep_attributes(&copy, &found).map_err(|error| place.unwritable(error))?;
    Ok(bytes)
}

/// The date is looked for in requests, and old copies for undo are forgotten by it.
fn keep_attributes(copy: &File, original: &fs::Metadata) -> io::Result<()> {
    if original.permissions().mode() & MAY_RUN != 0 {
        copy.set_permissions(Permissions::from_mode(PRIVATE_FILE | MAY_RUN))?;
    }
    original
        .modified()
        .map_or(Ok(()), |modified| copy.set_modified(modified))
}

/// No link is followed and no pipe waited for that took the place of a file since it was found.
fn plainly() -> i32 {
    i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default()
}

fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(PRIVATE_FOLDER).create(path)
}

fn make_file(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(PRIVATE_FILE)
        .open(path)
}

/// A failure of reading this.
fn unreadable(path: &Path) -> impl Fn(io::Error) -> anyhow::Error + use<> {
    let path = path.to_owned();
    move |error| anyhow::Error::new(error).context(about("backup-unreadable", &path))
}

/// A sentence about a path.
fn about(key: &str, path: &Path) -> Message {
    Message::new(key).with("path", path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(error: &anyhow::Error) -> &str {
        error.downcast_ref::<Message>().unwrap().key.as_str()
    }

    #[test]
    fn a_full_disk_is_told_from_one_that_refuses() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::find(&folder.path().join("copy"), &[]).unwrap();
        let mut full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        assert_eq!(key(&place.unwritable(full.write_all(b"x").unwrap_err())), "backup-full");
        let refused = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(key(&place.unwritable(refused)), "backup-unwritable");
    }

    #[test]
    fn nothing_can_take_the_place_of_a_disk() {
        let folder = tempfile::tempdir().unwrap();
        let refused = refuse_taken(folder.path(), Path::new("/proc")).unwrap_err();
        assert_eq!(key(&refused), "backup-whole-disk");
        assert!(refuse_taken(folder.path(), folder.path().parent().unwrap()).is_ok());
    }

    #[test]
    fn a_pipe_or_a_link_in_the_place_of_a_file_is_neither_waited_for_nor_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        symlink("/etc/hostname", &link).unwrap();
        let place = Place::find(&folder.path().join("copy"), &[]).unwrap();
        let bring = |from: &Path| {
            let item = Item {
                kind: Kind::File,
                from: from.to_owned(),
                to: PathBuf::from("x"),
            };
            let to = folder.path().join("x");
            copy_file(&item, &to, &place, &mut [0; 16], &CancellationToken::new()).map(|bytes| (bytes, to.exists()))
        };
        assert_eq!(bring(&pipe).unwrap(), (0, false));
        assert_eq!(key(&bring(&link).unwrap_err()), "backup-unreadable");
        assert_eq!(bring(&folder.path().join("gone")).unwrap(), (0, false));
    }
}
