//! One walk over `<data_dir>/catalog`: every folder becomes a manifest or a reason why not. `Catalog::load` calls it at
//! start and at every reload. Verify first, parse second: not a byte of an unsigned manifest is interpreted.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    CatalogError, lint,
    parse::{self, Parsed, sha256_hex},
    reject::{RejectReason, Rejected},
    signature::{KeyError, TrustStore},
};
use crate::domain::{
    ids::ExecutorName,
    manifest::{Kind, Manifest},
};

/// The manifest's file name.
pub(super) const MANIFEST: &str = "manifest.toml";
/// The file name of its signature.
pub(super) const SIGNATURE: &str = "manifest.toml.sig";
/// Largest file of an executor we read: manifests are small, programs are scripts.
const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// What the walk found.
pub(super) struct Loaded {
    /// Accepted.
    pub(super) accepted: Vec<Accepted>,
    /// Refused, sorted by path.
    pub(super) rejected: Vec<Rejected>,
}

/// An executor that may be called.
pub(super) struct Accepted {
    pub(super) manifest: Arc<Manifest>,
    /// Where it lies.
    pub(super) path: PathBuf,
    /// SHA-256 of its program, as it was signed; `None` for a builtin.
    pub(super) code_digest: Option<String>,
}

/// Reads the whole folder.
pub(super) fn load(
    catalog_dir: &Path,
    keys_dir: &Path,
    has_code: &dyn Fn(&ExecutorName) -> bool,
) -> Result<Loaded, CatalogError> {
    let trust = TrustStore::load(keys_dir);
    let mut loaded = Loaded {
        accepted: Vec::new(),
        rejected: Vec::new(),
    };
    for path in folders(catalog_dir)? {
        let result = check_keys(&trust).and_then(|trust| load_one(&path, trust, has_code));
        match result {
            Ok(Parsed { manifest, code_digest }) => loaded.accepted.push(Accepted {
                manifest: Arc::new(manifest),
                path,
                code_digest,
            }),
            Err(reason) => loaded.rejected.push(Rejected { path, reason }),
        }
    }
    refuse_names_without_prefix(&mut loaded);
    refuse_composites_without_parts(&mut loaded);
    loaded.rejected.sort_by(|a, b| a.path.cmp(&b.path));
    loaded.accepted.sort_by(|a, b| a.manifest.name.cmp(&b.manifest.name));
    Ok(loaded)
}

/// Every folder that could hold an executor, sorted; what starts with a dot is being installed.
fn folders(catalog_dir: &Path) -> Result<Vec<PathBuf>, CatalogError> {
    let failed = |source| CatalogError::Io {
        path: catalog_dir.to_owned(),
        source,
    };
    let mut folders = Vec::new();
    for entry in fs::read_dir(catalog_dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && entry.path().is_dir() {
            folders.push(entry.path());
        }
    }
    folders.sort();
    Ok(folders)
}

fn check_keys(trust: &Result<TrustStore, KeyError>) -> Result<&TrustStore, RejectReason> {
    match trust {
        Ok(trust) if trust.is_empty() => Err(RejectReason::NoTrustedKeys),
        Ok(trust) => Ok(trust),
        Err(KeyError::Exposed(path)) => Err(RejectReason::KeyExposed(path.clone())),
        Err(error @ (KeyError::Io { .. } | KeyError::Random(_) | KeyError::Mismatched(_) | KeyError::Malformed(_))) => {
            Err(RejectReason::Keys(error.to_string()))
        }
    }
}

fn load_one(
    folder: &Path,
    trust: &TrustStore,
    has_code: &dyn Fn(&ExecutorName) -> bool,
) -> Result<Parsed, RejectReason> {
    let bytes = read_plain(folder, MANIFEST)?;
    verify(folder, &bytes, trust)?;
    let parsed = parse::parse(&bytes)?;
    let manifest = &parsed.manifest;
    if folder.file_name().is_none_or(|name| name != manifest.name.as_str()) {
        return Err(RejectReason::FolderName(manifest.name.to_string()));
    }
    match &manifest.kind {
        Kind::Builtin if !has_code(&manifest.name) => return Err(RejectReason::NoCode),
        Kind::Builtin | Kind::Composite { .. } | Kind::Mcp(_) => {}
        Kind::Program { files } => check_code(folder, files, parsed.code_digest.as_deref())?,
    }
    Ok(parsed)
}

/// Whether a program is the one that was signed.
pub(super) fn check_code(folder: &Path, files: &[String], signed: Option<&str>) -> Result<(), RejectReason> {
    let actual = code_digest(folder, files)?;
    if signed == Some(actual.as_str()) {
        Ok(())
    } else {
        Err(RejectReason::DigestMismatch)
    }
}

/// Whether a trusted key signed these bytes, by the signature beside them.
pub(super) fn verify(folder: &Path, bytes: &[u8], trust: &TrustStore) -> Result<(), RejectReason> {
    let signature = match fs::symlink_metadata(folder.join(SIGNATURE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(RejectReason::SignatureMissing),
        Ok(_) | Err(_) => read_plain(folder, SIGNATURE)?,
    };
    trust
        .verifies(bytes, &signature)
        .then_some(())
        .ok_or(RejectReason::NotVerified)
}

/// SHA-256 over the concatenation of the files in declared order, hex.
pub(super) fn code_digest(folder: &Path, files: &[String]) -> Result<String, RejectReason> {
    let mut all = Vec::new();
    for file in files {
        all.extend(read_plain(folder, file)?);
    }
    Ok(sha256_hex(&all))
}

/// Reads a file of an executor; a link is refused, because what it points to can change without us.
pub(super) fn read_plain(folder: &Path, file: &str) -> Result<Vec<u8>, RejectReason> {
    let path = folder.join(file);
    let unreadable = |why: String| RejectReason::Unreadable {
        file: file.to_owned(),
        why,
    };
    let metadata = fs::symlink_metadata(&path).map_err(|error| unreadable(error.to_string()))?;
    if !metadata.is_file() {
        return Err(unreadable("not a plain file".to_owned()));
    }
    if metadata.len() > FILE_BYTES_MAX {
        return Err(unreadable(format!("larger than {FILE_BYTES_MAX} bytes")));
    }
    fs::read(&path).map_err(|error| unreadable(error.to_string()))
}

/// A four-part name needs its three-part name in the catalog.
fn refuse_names_without_prefix(loaded: &mut Loaded) {
    let names: Vec<ExecutorName> = loaded
        .accepted
        .iter()
        .map(|accepted| accepted.manifest.name.clone())
        .collect();
    let exists = |name: &str| names.iter().any(|known| known.as_str() == name);
    for accepted in std::mem::take(&mut loaded.accepted) {
        match lint::missing_prefix(accepted.manifest.name.as_str(), &exists) {
            None => loaded.accepted.push(accepted),
            Some(error) => loaded.rejected.push(Rejected {
                path: accepted.path,
                reason: error.into(),
            }),
        }
    }
}

/// A composite dies with its parts, and is made of plain executors alone.
fn refuse_composites_without_parts(loaded: &mut Loaded) {
    let plain: Vec<ExecutorName> = loaded
        .accepted
        .iter()
        .filter(|accepted| !matches!(accepted.manifest.kind, Kind::Composite { .. }))
        .map(|accepted| accepted.manifest.name.clone())
        .collect();
    for accepted in std::mem::take(&mut loaded.accepted) {
        let missing = accepted.manifest.parts().into_iter().find(|part| !plain.contains(part));
        match missing {
            None => loaded.accepted.push(accepted),
            Some(part) => loaded.rejected.push(Rejected {
                path: accepted.path,
                reason: RejectReason::PartMissing(part.to_string()),
            }),
        }
    }
}
