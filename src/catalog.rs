//! Floor 2: the executors this instance trusts. `app` opens the handle, the engine asks it, the command line signs.
//!
//! ```text
//! executors/*/manifest.toml ─install─► <data_dir>/catalog/<name>/{manifest.toml, .sig} ─load─► Catalog
//!                                        verify → parse → lint → digest of the code        └─► Rejected, with reasons
//! ```
//!
//! Invariant: nothing is in a catalog whose signature did not verify. Nothing is repaired silently.

pub mod composite;
pub mod install;
pub mod lint;
mod load;
pub mod parse;
mod reject;
pub mod signature;
mod watch;
mod world;

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use arc_swap::ArcSwap;
use thiserror::Error;

pub use self::{
    install::sign_one,
    reject::{RejectReason, Rejected},
    watch::WatchGuard,
    world::SIGNED_AS,
};
use self::{
    install::{SHIPPED, Shipped},
    signature::KeyError,
};
use crate::domain::{
    ids::ExecutorName,
    manifest::{Effect, Kind, Manifest},
    plan::Plan,
};

/// Which builtins this binary has.
pub type HasCode = Arc<dyn Fn(&ExecutorName) -> bool + Send + Sync>;

/// Why the catalog as a whole cannot be used.
#[derive(Debug, Error)]
pub enum CatalogError {
    /// The disk said no.
    #[error("cannot access `{path}`")]
    Io {
        /// What was opened.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The keys cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// This executor cannot be signed.
    #[error("`{}` is refused: {}", .0.name(), .0.reason)]
    Rejected(Rejected),
    /// Changes on disk cannot be followed.
    #[error("cannot watch the catalog")]
    Watch(#[source] notify::Error),
    /// No thread to follow them on.
    #[error("cannot start the thread that watches the catalog")]
    WatchThread(#[source] io::Error),
}

/// Where the catalog lies.
pub fn catalog_dir(data_dir: &Path) -> PathBuf {
    data_dir.join("catalog")
}

/// Where the keys lie.
pub fn keys_dir(data_dir: &Path) -> PathBuf {
    data_dir.join("keys")
}

/// What can be called, and what was refused. Never changes; a reload makes another one.
#[derive(Debug, Default)]
pub struct Catalog {
    manifests: Vec<Arc<Manifest>>,
    index: BTreeMap<ExecutorName, usize>,
    /// Where each program lies, and the SHA-256 it was signed with.
    programs: BTreeMap<ExecutorName, (PathBuf, String)>,
    rejected: Vec<Rejected>,
}

impl Catalog {
    /// Reads `<data_dir>/catalog`. Refused folders are no error: the rest works.
    pub fn load(data_dir: &Path, has_code: &dyn Fn(&ExecutorName) -> bool) -> Result<Self, CatalogError> {
        let loaded = load::load(&catalog_dir(data_dir), &keys_dir(data_dir), has_code)?;
        let manifests = loaded.accepted.iter().map(|one| Arc::clone(&one.manifest)).collect();
        let signed = |one: load::Accepted| Some((one.manifest.name.clone(), (one.path, one.code_digest?)));
        Ok(Self {
            programs: loaded.accepted.into_iter().filter_map(signed).collect(),
            rejected: loaded.rejected,
            ..Self::of(manifests)
        })
    }

    /// A catalog of these manifests, without disk and signatures.
    #[cfg(test)]
    pub(crate) fn from_manifests(manifests: Vec<Manifest>) -> Self {
        Self::of(manifests.into_iter().map(Arc::new).collect())
    }

    fn of(mut manifests: Vec<Arc<Manifest>>) -> Self {
        manifests.sort_by(|a, b| a.name.cmp(&b.name));
        let index = manifests
            .iter()
            .enumerate()
            .map(|(position, manifest)| (manifest.name.clone(), position))
            .collect();
        Self {
            manifests,
            index,
            programs: BTreeMap::new(),
            rejected: Vec::new(),
        }
    }

    /// The executor of this name.
    pub fn get(&self, name: &ExecutorName) -> Option<&Arc<Manifest>> {
        self.manifests.get(*self.index.get(name)?)
    }

    /// Whether no step of a plan changes anything; one of an unknown executor may.
    pub fn only_looks<S>(&self, plan: &Plan<S>) -> bool {
        plan.steps.iter().all(|step| {
            let manifest = self.get(&step.tool);
            manifest.is_some_and(|manifest| !manifest.effect.changes_something())
        })
    }

    /// Whether all that a plan changes goes out to somebody: it is shown whole before it does, at every level.
    pub fn only_goes_out<S>(&self, plan: &Plan<S>) -> bool {
        let effects = plan
            .steps
            .iter()
            .map(|step| self.get(&step.tool).map(|manifest| manifest.effect));
        let mut changes = effects
            .filter(|effect| effect.is_none_or(Effect::changes_something))
            .peekable();
        changes.peek().is_some() && changes.all(|effect| effect == Some(Effect::Outbound))
    }

    /// Every executor, sorted by name.
    pub fn all(&self) -> &[Arc<Manifest>] {
        &self.manifests
    }

    /// Every folder that was refused, sorted by path.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// Whether everything in the folder is in it. A composite that lost a part is missing for good, and not for now.
    pub fn is_whole(&self) -> bool {
        let mut rejected = self.rejected.iter();
        !self.is_empty() && rejected.all(|one| matches!(one.reason, RejectReason::PartMissing(_)))
    }

    /// Nothing can be called.
    pub fn is_empty(&self) -> bool {
        self.manifests.is_empty()
    }

    /// The folder with a program's code, which is still what was signed; `None` for builtins. Looked at before each
    /// run: a change may not have been noticed yet, or cannot be where the folder is not watched.
    pub fn code_dir(&self, name: &ExecutorName) -> Result<Option<&Path>, Rejected> {
        let program = self.get(name).and_then(|manifest| match &manifest.kind {
            Kind::Builtin | Kind::Composite { .. } | Kind::Mcp(_) => None,
            Kind::Program { files } => Some((files, self.programs.get(name)?)),
        });
        let Some((files, (folder, digest))) = program else {
            return Ok(None);
        };
        match load::check_code(folder, files, Some(digest)) {
            Ok(()) => Ok(Some(folder)),
            Err(reason) => Err(Rejected {
                path: folder.clone(),
                reason,
            }),
        }
    }
}

/// The catalog of a running instance: read by every turn, swapped as a whole.
pub struct CatalogHandle {
    data_dir: PathBuf,
    has_code: HasCode,
    current: ArcSwap<Catalog>,
}

impl CatalogHandle {
    /// Installs what this binary ships, then loads.
    pub fn open(data_dir: &Path, has_code: HasCode) -> Result<Self, CatalogError> {
        Self::open_shipping(data_dir, SHIPPED, has_code)
    }

    /// The same with another list of shipped executors.
    pub fn open_shipping(data_dir: &Path, shipped: &[Shipped], has_code: HasCode) -> Result<Self, CatalogError> {
        let installed = install::install(&catalog_dir(data_dir), &keys_dir(data_dir), shipped)?;
        if installed != install::Installed::default() {
            tracing::info!(added = ?installed.added, upgraded = ?installed.upgraded, "shipped executors installed");
        }
        let catalog = Catalog::load(data_dir, has_code.as_ref())?;
        log(&catalog);
        Ok(Self {
            data_dir: data_dir.to_owned(),
            has_code,
            current: ArcSwap::from_pointee(catalog),
        })
    }

    /// A handle that holds this catalog and never finds another.
    #[cfg(test)]
    pub(crate) fn fixed(catalog: Catalog) -> Self {
        Self {
            data_dir: PathBuf::new(),
            has_code: Arc::new(|_| false),
            current: ArcSwap::from_pointee(catalog),
        }
    }

    /// Today's catalog. A turn takes it once and keeps it.
    pub fn current(&self) -> Arc<Catalog> {
        self.current.load_full()
    }

    /// Reads the folder again and swaps. On an error the old catalog stays.
    pub fn reload(&self) -> Result<(), CatalogError> {
        let catalog = Catalog::load(&self.data_dir, self.has_code.as_ref())?;
        log(&catalog);
        self.current.store(Arc::new(catalog));
        Ok(())
    }

    /// Reloads whenever the folder or the keys change, as long as the guard lives.
    pub fn watch(self: &Arc<Self>) -> Result<WatchGuard, CatalogError> {
        watch::start(self, &[&catalog_dir(&self.data_dir), &keys_dir(&self.data_dir)])
    }
}

fn log(catalog: &Catalog) {
    tracing::info!(
        executors = catalog.all().len(),
        rejected = catalog.rejected().len(),
        "catalog loaded"
    );
    for rejected in catalog.rejected() {
        tracing::warn!(path = %rejected.path.display(), reason = %rejected.reason, "executor rejected");
    }
}
