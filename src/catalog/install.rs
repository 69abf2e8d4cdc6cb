//! Puts the shipped executors into `<data_dir>/catalog` and signs them with the instance's own key.
//! `CatalogHandle::open` calls `install` at every start; the command line calls `sign_one`. A copy that does not verify
//! is never touched: somebody changed it, and a person must say whether that was meant.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    CatalogError, lint,
    load::{self, MANIFEST, SIGNATURE},
    parse,
    reject::{RejectReason, Rejected},
    signature::{AuthorKey, TrustStore},
};
use crate::domain::{ids::ExecutorName, manifest::Kind};

/// An executor that comes with the binary: its name and its manifest.
pub type Shipped = (&'static str, &'static str);

/// Lists executors by name; each manifest is embedded.
macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$((
            $name,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/executors/", $name, "/manifest.toml")),
        )),*]
    };
}

/// Every folder of `executors/`, in alphabetical order.
pub const SHIPPED: &[Shipped] = shipped![
    "change_files_format",
    "change_images_pdf",
    "classify_entries",
    "compress_files",
    "compute_entries",
    "compute_numbers",
    "create_contacts",
    "create_dirs",
    "create_events",
    "create_files_spreadsheet",
    "create_images_chart",
    "create_tasks",
    "delete_contacts",
    "delete_events",
    "delete_files",
    "delete_messages",
    "delete_tasks",
    "describe_entries",
    "extract_files_zip",
    "extract_messages",
    "filter_entries",
    "filter_texts_lines",
    "find_contacts",
    "find_events_empty",
    "find_files",
    "find_files_hash",
    "find_images_indices",
    "find_messages",
    "find_places",
    "find_texts",
    "find_texts_web",
    "find_urls",
    "get_days",
    "get_devices",
    "get_devices_image",
    "get_disks",
    "get_files",
    "get_images_indices",
    "get_inputs",
    "get_location",
    "get_now",
    "get_places",
    "get_processes",
    "get_urls",
    "get_weather",
    "group_entries",
    "list_dirs",
    "list_tasks",
    "move_files",
    "move_messages",
    "read_contacts",
    "read_days",
    "read_devices_todo",
    "read_events",
    "read_files",
    "read_messages",
    "read_tasks",
    "read_tasks_history",
    "read_urls_html",
    "request_new_executor",
    "scratchpad_read",
    "send_files",
    "send_messages",
    "send_messages_unsubscribe",
    "send_texts",
    "set_contacts",
    "set_devices",
    "set_devices_todo",
    "set_events",
    "set_messages",
    "set_tasks",
    "share_contacts",
    "share_events",
    "share_files",
    "sort_entries",
    "undo_last_turn",
    "write_files",
];

/// What a start did to the catalog on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installed {
    /// Written for the first time, or again after their folder was removed.
    pub added: Vec<String>,
    /// Verifying copies of another version, replaced.
    pub upgraded: Vec<String>,
}

/// Writes what is missing, upgrades what verifies and is not newer, leaves everything else alone.
pub(super) fn install(catalog_dir: &Path, keys_dir: &Path, shipped: &[Shipped]) -> Result<Installed, CatalogError> {
    fs::create_dir_all(catalog_dir).map_err(|source| io_error(catalog_dir, source))?;
    let author = AuthorKey::open_or_create(keys_dir)?;
    let trust = TrustStore::load(keys_dir)?;
    let mut installed = Installed::default();
    for (name, text) in shipped {
        let folder = catalog_dir.join(name);
        if !folder.try_exists().map_err(|source| io_error(&folder, source))? {
            write_signed(&folder, text.as_bytes(), &author)?;
            installed.added.push((*name).to_owned());
        } else if is_outdated(&folder, text, &trust) {
            write_signed(&folder, text.as_bytes(), &author)?;
            installed.upgraded.push((*name).to_owned());
        }
    }
    Ok(installed)
}

/// A copy that verifies, differs from what we ship, and does not carry a newer version: the household's own edit of a
/// shipped executor stays when it raises the version.
fn is_outdated(folder: &Path, shipped: &str, trust: &TrustStore) -> bool {
    let Ok(bytes) = load::read_plain(folder, MANIFEST) else {
        return false;
    };
    if bytes == shipped.as_bytes() || load::verify(folder, &bytes, trust).is_err() {
        return false;
    }
    let version = |bytes: &[u8]| {
        let parsed = parse::parse(bytes).ok()?;
        lint::version_numbers(&parsed.manifest.version)
    };
    version(&bytes) <= version(shipped.as_bytes())
}

/// Signs one executor as it lies there now: checks it, writes the digest of its code into the manifest, signs.
pub fn sign_one(data_dir: &Path, name: &ExecutorName) -> Result<(), CatalogError> {
    let folder = super::catalog_dir(data_dir).join(name.as_str());
    let refuse = |reason: RejectReason| {
        CatalogError::Rejected(Rejected {
            path: folder.clone(),
            reason,
        })
    };
    // A name with a separator in it would lead out of the catalog.
    lint::parse_name(name.as_str()).map_err(|error| refuse(lint::LintError::from(error).into()))?;
    let mut bytes = load::read_plain(&folder, MANIFEST).map_err(refuse)?;
    let parsed = parse::parse(&bytes).map_err(|error| refuse(error.into()))?;
    if parsed.manifest.name != *name {
        return Err(refuse(RejectReason::FolderName(parsed.manifest.name.to_string())));
    }
    if let Kind::Program { files } = &parsed.manifest.kind {
        let actual = load::code_digest(&folder, files).map_err(refuse)?;
        bytes = with_digest(&bytes, parsed.code_digest.as_deref().unwrap_or_default(), &actual);
        parse::parse(&bytes).map_err(|error| refuse(error.into()))?;
    }
    let author = AuthorKey::open_or_create(&super::keys_dir(data_dir))?;
    replace_file(&folder.join(MANIFEST), &bytes)?;
    replace_file(&folder.join(SIGNATURE), &author.sign(&bytes))
}

/// Puts a manifest that was made here into the catalog, signed by this instance. One that lies there already as it
/// should is left alone; anything else of that name is somebody's, and stays.
pub fn put(data_dir: &Path, name: &ExecutorName, text: &str) -> Result<Put, CatalogError> {
    let folder = super::catalog_dir(data_dir).join(name.as_str());
    if folder.try_exists().map_err(|source| io_error(&folder, source))? {
        return Ok(if holds(&folder, text) { Put::There } else { Put::Taken });
    }
    let author = AuthorKey::open_or_create(&super::keys_dir(data_dir))?;
    write_signed(&folder, text.as_bytes(), &author)?;
    Ok(Put::New)
}

/// Takes a manifest out of the catalog, if what lies there is what was put; whether it is gone.
pub fn remove(data_dir: &Path, name: &ExecutorName, text: &str) -> Result<bool, CatalogError> {
    let folder = super::catalog_dir(data_dir).join(name.as_str());
    if !folder.try_exists().map_err(|source| io_error(&folder, source))? {
        return Ok(true);
    }
    if !holds(&folder, text) {
        return Ok(false);
    }
    fs::remove_dir_all(&folder).map_err(|source| io_error(&folder, source))?;
    Ok(true)
}

fn holds(folder: &Path, text: &str) -> bool {
    load::read_plain(folder, MANIFEST).is_ok_and(|bytes| bytes == text.as_bytes())
}

/// What became of an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    /// It lies there now.
    New,
    /// It lay there before.
    There,
    /// Something else of that name lies there.
    Taken,
}

/// The same manifest with today's digest in place of the one it carries.
fn with_digest(bytes: &[u8], declared: &str, actual: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let line = |line: &str| {
        let is_digest = line.trim_start().starts_with("digest") && line.to_ascii_lowercase().contains(declared);
        if is_digest {
            format!("digest = \"sha256:{actual}\"\n")
        } else {
            line.to_owned()
        }
    };
    text.split_inclusive('\n').map(line).collect::<String>().into_bytes()
}

/// Makes the whole folder beside its place and moves it there, so that a crash leaves the old one, the new one or none.
pub(super) fn write_signed(folder: &Path, manifest: &[u8], author: &AuthorKey) -> Result<(), CatalogError> {
    let staging = staging_for(folder);
    remove_if_there(&staging)?;
    fs::create_dir(&staging).map_err(|source| io_error(&staging, source))?;
    replace_file(&staging.join(MANIFEST), manifest)?;
    replace_file(&staging.join(SIGNATURE), &author.sign(manifest))?;
    remove_if_there(folder)?;
    fs::rename(&staging, folder).map_err(|source| io_error(folder, source))
}

fn staging_for(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.new"))
}

fn remove_if_there(folder: &Path) -> Result<(), CatalogError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(folder, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), CatalogError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let staging = path.with_file_name(format!(".{name}.new"));
    fs::write(&staging, bytes)
        .and_then(|()| fs::rename(&staging, path))
        .map_err(|source| io_error(path, source))
}

pub(super) fn io_error(path: &Path, source: io::Error) -> CatalogError {
    CatalogError::Io {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::{SHIPPED, with_digest};
    use crate::catalog::parse;

    #[test]
    fn every_folder_of_executors_is_shipped() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("executors");
        let on_disk: BTreeSet<String> = match fs::read_dir(root) {
            Ok(entries) => entries
                .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
                .collect(),
            Err(_) => BTreeSet::new(),
        };
        let shipped: BTreeSet<String> = SHIPPED.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(on_disk, shipped, "left: folders in executors/, right: SHIPPED");
        assert!(SHIPPED.is_sorted(), "SHIPPED is not in alphabetical order");
    }

    #[test]
    fn every_shipped_manifest_is_valid_and_lies_in_its_own_folder() {
        for (name, text) in SHIPPED {
            let parsed = parse::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(parsed.manifest.name.as_str(), *name);
        }
    }

    #[test]
    fn only_the_digest_line_of_the_code_is_rewritten() {
        let before = b"purpose = \"digest = x\"\ndigest = \"sha256:AA\"\nother = 1\n";
        let after = with_digest(before, "aa", "bb");
        assert_eq!(
            String::from_utf8(after).unwrap(),
            "purpose = \"digest = x\"\ndigest = \"sha256:bb\"\nother = 1\n"
        );
    }
}
