//! Disk operations that lose nothing: write by rename, move without replacing, copy across disks, keep a copy.
//! Used by the executors that change files and by `reversal`. None of them ever replaces a file it was not told to.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};
use sha2::{Digest, Sha256};

use crate::executors::{CallContext, paths};

/// Bytes read at a time.
const CHUNK_BYTES: usize = 64 * 1_024;

/// SHA-256 of a file, hex.
pub(in crate::executors) fn sha256_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut digest = Sha256::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let count = file.read(&mut chunk)?;
        let Some(part) = chunk.get(..count).filter(|part| !part.is_empty()) else {
            return Ok(hex(&digest.finalize()));
        };
        digest.update(part);
    }
}

/// SHA-256 of bytes, hex.
pub(in crate::executors) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing to a String cannot fail.
            if write!(text, "{byte:02x}").is_err() {
                text.clear();
            }
            text
        })
}

/// A temporary file beside its target; removed when dropped before it was put in place.
struct Temporary {
    path: PathBuf,
    is_placed: bool,
}

impl Temporary {
    fn beside(target: &Path, context: &CallContext) -> io::Result<(Self, File)> {
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let short: String = name.chars().take(40).collect();
        let path = target.with_file_name(format!(".{short}.{}-{}.metnos", context.turn, context.step.0));
        // One left behind by a process that was killed in the same step is ours to replace.
        remove_if_there(&path)?;
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o666)
            .open(&path)?;
        Ok((Self { path, is_placed: false }, file))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_placed
            && let Err(error) = remove_if_there(&self.path)
        {
            tracing::warn!(path = %self.path.display(), %error, "cannot remove a temporary file");
        }
    }
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whether a file may be replaced by what is put in its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::executors) enum Replace {
    /// It may: a copy was kept.
    Yes,
    /// It may not: `AlreadyExists`.
    No,
}

/// Writes all bytes or nothing, also when the machine stops in the middle.
pub(in crate::executors) fn write_atomic(
    target: &Path,
    bytes: &[u8],
    replace: Replace,
    context: &CallContext,
) -> io::Result<()> {
    let (mut temporary, mut file) = Temporary::beside(target, context)?;
    file.write_all(bytes)?;
    if let Ok(existing) = fs::metadata(target) {
        file.set_permissions(fs::Permissions::from_mode(existing.permissions().mode() & 0o7777))?;
    }
    file.sync_all()?;
    place(&mut temporary, target, replace)
}

fn place(temporary: &mut Temporary, target: &Path, replace: Replace) -> io::Result<()> {
    match replace {
        Replace::Yes => fs::rename(&temporary.path, target)?,
        Replace::No => rename_new(&temporary.path, target)?,
    }
    temporary.is_placed = true;
    sync_parent(target)
}

fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}

/// Renames, never over something.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Some file systems do not know the flag.
        Err(Errno::INVAL | Errno::NOSYS) if !to.try_exists()? => fs::rename(from, to),
        Err(Errno::INVAL | Errno::NOSYS) => Err(io::ErrorKind::AlreadyExists.into()),
        other => other.map_err(io::Error::from),
    }
}

/// Moves a file or a folder to a place where nothing is, also to another disk.
pub(in crate::executors) fn move_new(from: &Path, to: &Path, context: &CallContext) -> io::Result<()> {
    match rename_new(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            copy(from, to, Replace::No, context)?;
            fs::remove_file(from)
        }
        other => other,
    }
}

/// Copies a regular file with its permissions and times, all of it or nothing.
pub(in crate::executors) fn copy(from: &Path, to: &Path, replace: Replace, context: &CallContext) -> io::Result<()> {
    let metadata = fs::symlink_metadata(from)?;
    if !metadata.is_file() {
        return Err(io::ErrorKind::CrossesDevices.into());
    }
    let mut source = File::open(from)?;
    let (mut temporary, mut file) = Temporary::beside(to, context)?;
    io::copy(&mut source, &mut file)?;
    file.set_permissions(metadata.permissions())?;
    if let Ok(modified) = metadata.modified() {
        file.set_modified(modified)?;
    }
    file.sync_all()?;
    place(&mut temporary, to, replace)
}

/// Where a copy of this file goes: inside the turn's backup folder, under a name that is free.
pub(in crate::executors) fn backup_place(path: &Path, context: &CallContext) -> io::Result<PathBuf> {
    let folder = context.backup_dir.join(format!("step{}", context.step.0));
    fs::create_dir_all(&folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // The path's digest keeps files of the same name apart, and a second try of the same step together.
    let digest: String = sha256_hex(paths::show(path).as_bytes()).chars().take(12).collect();
    let mut place = folder.join(format!("{digest}-{name}"));
    let mut number = 1;
    while fs::symlink_metadata(&place).is_ok() {
        number += 1;
        place = folder.join(format!("{digest}-{number}-{name}"));
    }
    Ok(place)
}

/// Makes a folder and those above it; returns the new ones, outermost first.
pub(in crate::executors) fn create_dirs_new(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut made = Vec::new();
    let missing: Vec<&Path> = path.ancestors().take_while(|above| !above.is_dir()).collect();
    for folder in missing.into_iter().rev() {
        match fs::create_dir(folder) {
            Ok(()) => made.push(folder.to_path_buf()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(made)
}
