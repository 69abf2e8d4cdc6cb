//! `compress_files` and `extract_files_zip`: files and folders into one ZIP file, and out of it again. What is made
//! never replaces anything; what is unpacked stays inside one new folder, whatever names the archive gives, and within
//! bounds of size and number. Links are neither packed nor unpacked. Undo removes what was made.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Read, Seek},
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use walkdir::WalkDir;
use zip::{ZipArchive, ZipReadOptions, ZipWriter, result::ZipError, write::SimpleFileOptions};

use super::{
    super::{
        Call, CallContext,
        batch::{Batch, Changed, Failure},
        object, paths,
        progress::Ledger,
        wrong,
    },
    read::targets,
    relocate::take_back_dirs,
    write::{make_dirs, make_parents, new_name, put_new},
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    limits::{ARCHIVE_BYTES_MAX, ARCHIVE_NAMES_MAX},
    message::Message,
    run::ToolResult,
};

/// A file's kind in the permissions that an archive may give, and the one that says "link" (stat(2)).
const KIND: u32 = 0o170_000;
const LINK: u32 = 0o120_000;

/// The ending of what is packed.
const ENDING: &str = ".zip";

/// What goes into an archive: where it is, and its name inside.
struct Packed {
    path: PathBuf,
    name: String,
    bytes: u64,
}

/// Puts files and folders into one ZIP file: beside the first of them, or where it is to go.
pub(in crate::executors) fn compress_files(call: &Call) -> Result<ToolResult, ToolError> {
    let (targets, _) = targets(call)?;
    let mut batch = Batch::noting(&call.context);
    let mut sources = Vec::new();
    for target in targets {
        match target {
            Ok(path) if fs::symlink_metadata(&path).is_ok() => sources.push(path),
            Ok(path) => batch.push(Err(Failure::io(&path, &io::ErrorKind::NotFound.into()))),
            Err(failure) => batch.push(Err(failure)),
        }
    }
    let Some(first) = sources.first().cloned() else {
        return Ok(batch.finish("results", object(json!({}))));
    };
    let wanted = match new_name(call)? {
        Some(name) => name.strip_suffix(ENDING).unwrap_or(name).to_owned(),
        None if sources.len() == 1 => stem(&first),
        None => first.parent().map(stem).unwrap_or_default(),
    };
    let goal = call
        .optional_text("dst")?
        .map(|goal| paths::resolve(goal, &call.context.home));
    let (folder, wanted) = match goal.transpose()? {
        // "trip.tar.gz" is no folder that anybody asked for.
        Some(goal) if goal.extension().is_some() && !is_zip(&goal) && !goal.is_dir() => return Err(wrong("dst")),
        Some(goal) if is_zip(&goal) => (goal.parent().unwrap_or(&goal).to_path_buf(), stem(&goal)),
        Some(folder) => (folder, wanted),
        None => (first.parent().unwrap_or(&first).to_path_buf(), wanted),
    };
    let outcome = make_dirs(&folder, &mut batch.ledger).and_then(|_made| {
        let to = paths::free_place(&folder, &wanted, ENDING);
        let to = to.ok_or_else(|| Failure::io(&folder, &io::ErrorKind::AlreadyExists.into()))?;
        pack(&sources, &to, &call.context, &mut batch.ledger)
    });
    if outcome.is_err() {
        take_back_dirs(&mut batch.ledger);
    }
    let mut others = object(json!({}));
    batch.push_shown(outcome, &["path", "folder", "bytes", "count"], &mut others);
    Ok(batch.finish("results", others))
}

fn is_zip(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("zip"))
}

fn pack(
    sources: &[PathBuf],
    to: &Path,
    context: &CallContext,
    ledger: &mut Ledger,
) -> Result<(Value, Changed), Failure> {
    let failed = |error: io::Error| Failure::io(to, &error);
    let files = collected(sources, context)?;
    put_new(to, context, ledger, |file| {
        let mut zip = ZipWriter::new(file);
        for packed in &files {
            let options = SimpleFileOptions::default().large_file(packed.bytes >= u64::from(u32::MAX));
            zip.start_file(packed.name.as_str(), options).map_err(io::Error::from)?;
            io::copy(&mut File::open(&packed.path)?, &mut zip)?;
        }
        zip.finish().map(drop).map_err(io::Error::from)
    })
    .map_err(failed)?;
    let bytes = fs::metadata(to).map_err(failed)?.len();
    let result = json!({
        "path": paths::show(to),
        "folder": paths::show_short(to, &context.home),
        "bytes": bytes,
        "count": files.len(),
    });
    Ok((result, Changed::Yes))
}

/// Every plain file of these, each by a name that no other has.
fn collected(sources: &[PathBuf], context: &CallContext) -> Result<Vec<Packed>, Failure> {
    let mut files: Vec<Packed> = Vec::new();
    let mut taken: HashSet<String> = HashSet::new();
    let mut bytes = 0_u64;
    for source in sources {
        let above = source.parent().unwrap_or(source);
        let walk = WalkDir::new(source).sort_by_file_name().into_iter();
        let walk = walk.filter_entry(|entry| entry.path() != context.data_dir);
        for entry in walk {
            let entry = entry.map_err(|error| Failure::io(source, &error.into()))?;
            if !entry.file_type().is_file() {
                continue;
            }
            let size = entry
                .metadata()
                .map_err(|error| Failure::io(source, &error.into()))?
                .len();
            bytes = bytes.saturating_add(size);
            if files.len() >= ARCHIVE_NAMES_MAX || bytes > ARCHIVE_BYTES_MAX {
                return Err(too_large(source));
            }
            let name = entry.path().strip_prefix(above).unwrap_or(entry.path());
            let name = name.to_string_lossy().into_owned();
            let name = if taken.contains(&name) {
                format!("{} {name}", files.len() + 1)
            } else {
                name
            };
            taken.insert(name.clone());
            files.push(Packed {
                path: entry.into_path(),
                name,
                bytes: size,
            });
        }
    }
    Ok(files)
}

/// Unpacks ZIP files, each into a new folder beside it.
pub(in crate::executors) fn extract_files_zip(call: &Call) -> Result<ToolResult, ToolError> {
    let (targets, _) = targets(call)?;
    let mut batch = Batch::noting(&call.context);
    let mut others = object(json!({}));
    for target in targets {
        let outcome = target.and_then(|path| unpack(&path, (&call.context, call.password()), &mut batch.ledger));
        batch.push_shown(outcome, &["path", "folder", "count"], &mut others);
    }
    Ok(batch.finish("results", others))
}

fn unpack(
    path: &Path,
    (context, password): (&CallContext, Option<&str>),
    ledger: &mut Ledger,
) -> Result<(Value, Changed), Failure> {
    let failed = |error: io::Error| Failure::io(path, &error);
    let file = File::open(path).map_err(failed)?;
    let mut archive = ZipArchive::new(file).map_err(|error| unreadable(path, &error))?;
    let names = inside(&mut archive, path)?;
    opens(&mut archive, path, password)?;
    let options = || ZipReadOptions::new().password(password.map(str::as_bytes));
    let above = path.parent().unwrap_or(path);
    let folder =
        paths::free_place(above, &stem(path), "").ok_or_else(|| failed(io::ErrorKind::AlreadyExists.into()))?;
    make_dirs(&folder, ledger)?;
    let mut left = ARCHIVE_BYTES_MAX;
    let mut count = 0;
    for (index, name) in names {
        let to = folder.join(&name);
        let mut entry = archive
            .by_index_with_options(index, options())
            .map_err(|error| unreadable(path, &error))?;
        if entry.is_dir() {
            make_dirs(&to, ledger)?;
            continue;
        }
        make_parents(&to, ledger)?;
        let written = put_new(&to, context, ledger, |file| {
            // What an archive says of its sizes is not believed.
            let copied = io::copy(&mut Read::by_ref(&mut entry).take(left + 1), file)?;
            left = left.checked_sub(copied).ok_or(io::ErrorKind::FileTooLarge)?;
            Ok(())
        });
        written.map_err(|error| unwritten(path, &error))?;
        count += 1;
    }
    let result = json!({
        "path": paths::show(&folder),
        "folder": paths::show_short(&folder, &context.home),
        "count": count,
    });
    Ok((result, Changed::Yes))
}

/// The names of an archive, checked before anything is written: none leads out of the folder, none is a link, and they
/// are not too many.
fn inside<R: Read + Seek>(archive: &mut ZipArchive<R>, path: &Path) -> Result<Vec<(usize, PathBuf)>, Failure> {
    if archive.len() > ARCHIVE_NAMES_MAX {
        return Err(too_large(path));
    }
    let mut names = Vec::new();
    for index in 0..archive.len() {
        // As it lies there: names are told without the password.
        let entry = archive.by_index_raw(index).map_err(|error| unreadable(path, &error))?;
        let is_link = entry.unix_mode().is_some_and(|mode| mode & KIND == LINK);
        match entry.enclosed_name().filter(|_| !is_link) {
            Some(name) => names.push((index, name)),
            None => return Err(refused(path, ErrorClass::Forbidden, "executors-archive-unsafe")),
        }
    }
    Ok(names)
}

/// Whether what is locked in an archive opens with this password, before anything is written. The old way of locking
/// takes one wrong password of 256 for the right one: only the checksum at the end of an entry tells. The smallest one
/// is read for that.
fn opens<R: Read + Seek>(archive: &mut ZipArchive<R>, path: &Path, password: Option<&str>) -> Result<(), Failure> {
    let mut smallest: Option<(u64, usize)> = None;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|error| unreadable(path, &error))?;
        let place = (entry.size(), index);
        if entry.encrypted() && !entry.is_dir() && smallest.is_none_or(|least| place < least) {
            smallest = Some(place);
        }
    }
    let Some((_, index)) = smallest else { return Ok(()) };
    let password = password.ok_or_else(|| locked(path))?;
    let options = ZipReadOptions::new().password(Some(password.as_bytes()));
    let mut entry = archive
        .by_index_with_options(index, options)
        .map_err(|error| unreadable(path, &error))?;
    // What an archive says of its sizes is not believed.
    match io::copy(
        &mut Read::by_ref(&mut entry).take(ARCHIVE_BYTES_MAX + 1),
        &mut io::sink(),
    ) {
        Ok(read) if read > ARCHIVE_BYTES_MAX => Err(too_large(path)),
        Ok(_) => Ok(()),
        Err(_) => Err(locked(path)),
    }
}

fn locked(path: &Path) -> Failure {
    let why = Message::new("executors-file-password").with("path", paths::show(path));
    Failure::path(path, ToolError::locked(why))
}

/// Why nothing could be written of an entry: its bytes, or the disk.
fn unwritten(path: &Path, error: &io::Error) -> Failure {
    let is_one_of = |kinds: &[io::ErrorKind]| kinds.contains(&error.kind());
    if is_one_of(&[io::ErrorKind::FileTooLarge]) {
        too_large(path)
    } else if is_one_of(&[
        io::ErrorKind::InvalidData,
        io::ErrorKind::UnexpectedEof,
        io::ErrorKind::InvalidInput,
    ]) {
        broken(path, &error.to_string())
    } else {
        Failure::io(path, error)
    }
}

fn stem(path: &Path) -> String {
    let name = if path.is_dir() {
        path.file_name()
    } else {
        path.file_stem()
    };
    name.unwrap_or_default().to_string_lossy().into_owned()
}

fn refused(path: &Path, class: ErrorClass, key: &str) -> Failure {
    Failure::path(
        path,
        ToolError::new(class, Message::new(key).with("path", paths::show(path))),
    )
}

fn too_large(path: &Path) -> Failure {
    refused(path, ErrorClass::TooLarge, "executors-archive-too-large")
}

fn broken(path: &Path, detail: &str) -> Failure {
    let mut failure = refused(path, ErrorClass::InvalidArgs, "executors-archive-broken");
    failure.error.detail = Some(detail.to_owned());
    failure
}

fn unreadable(path: &Path, error: &ZipError) -> Failure {
    if matches!(
        error,
        ZipError::InvalidPassword | ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)
    ) {
        return locked(path);
    }
    broken(path, &error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// The old way of locking lets one wrong password of 256 pass at first.
    #[test]
    fn none_of_many_wrong_passwords_opens_an_archive() {
        let bytes = include_bytes!("../../../tests/it/fixtures/locked-zipcrypto.zip");
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let path = Path::new("/keys.zip");
        for number in 0..2_000 {
            let wrong = format!("password {number}");
            let failure = opens(&mut archive, path, Some(&wrong)).err().unwrap();
            assert!(failure.error.wants_password, "{wrong}");
        }
        assert!(opens(&mut archive, path, Some("tramontana")).is_ok());
        assert!(opens(&mut archive, path, None).is_err());
    }
}
