//! The composition root: config in, parts out, tasks started, graceful stop. No other file builds long-lived parts.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::{Arc, RwLock},
};

use anyhow::{Context as _, bail};
use rustix::fs::{FlockOperation, flock};

use crate::{
    agenda::Agenda,
    catalog::{CatalogHandle, SIGNED_AS, WatchGuard},
    cli,
    clock::Clock,
    config::{AgendaConfig, BackupConfig, Config, DaysConfig, SearchConfig, WeatherConfig, env::Environment},
    domain::{
        account::Account,
        ids::{ActorId, ExecutorName},
        limits::{DATA_LOCK_PAUSE, DATA_LOCK_TRIES},
        message::Message,
    },
    engine::{
        Engine,
        families::{Families, HomeFiles},
        fastpath::{Vectors, cacheable::Cacheability},
        hosted::{
            briefing::Briefing, contacts::Contacts, days::Sky, devices::Hands, events::Events, house::House,
            messages::Mails, own::Own, papers::Papers, photos::Photos, places::Geo, search::Web, tasks::Tasks,
        },
        online::Online,
        patterns::{Patterns, snapshot::Snapshot},
        shortlist::Shortlists,
        tasks::asked::Asking,
        trouble::ModelTrouble,
    },
    executors::{self, process::Runner},
    i18n::I18n,
    jobs::{Wishes, backup},
    language::Language,
    llm::{LlmClient, embed::Embedder},
    mail::{Mail, listening::Listening},
    places::Places,
    runtime::{
        Parts, Runtime,
        actors::{Actors, Defaults},
    },
    servers::{Kept, Supervisor},
    speech::Speech,
    store::Store,
    world::World,
};

/// The name of the database inside the data folder.
pub const DATABASE: &str = "metnos.sqlite";
/// The name of the file inside the data folder that a running process holds.
pub const LOCK: &str = "metnos.lock";

/// Everything that must live as long as the program.
pub struct App {
    /// Channels talk to this.
    pub runtime: Runtime,
    /// Pairing codes.
    pub actors: Actors,
    /// The words.
    pub i18n: Arc<I18n>,
    /// Executors.
    pub catalog: Arc<CatalogHandle>,
    /// Whether the data folder was made just now.
    pub is_first_start: bool,
    /// Stops watching the catalog when dropped.
    _watch: Option<WatchGuard>,
    /// Ends when dropped.
    _listening: Listening,
    /// The servers we started.
    supervisors: Vec<Supervisor>,
    /// Held as long as we run: one process a data folder.
    _lock: File,
}

impl App {
    /// Builds everything and takes up what was left open.
    /// `binary` is our own program, which executors run in.
    pub async fn start(
        config: &Config,
        environment: &Environment,
        clock: Clock,
        binary: PathBuf,
    ) -> anyhow::Result<Self> {
        let is_first_start = !config.data_dir.join(DATABASE).exists();
        make_private_dir(&config.data_dir)?;
        let lock = lock(&config.data_dir).await?;
        let store = Store::open(&config.data_dir.join(DATABASE)).context(Message::new("start-database"))?;
        let i18n = Arc::new(I18n::of_household(&config.data_dir).context(Message::new("start-broken"))?);
        let catalog = Arc::new(open_catalog(&config.data_dir)?);
        sign_memory_again(&store, &catalog).await?;
        let watch = watch(&catalog);
        let llm = model(config)?;
        let speech = Speech::from_config(&config.speech).context(Message::new("start-services"))?;
        let model = start_server(config, &config.llm.server_command, &llm, &binary, "start-model")?;
        let hearing = start_server(config, &config.speech.server_command, &speech, &binary, "start-speech")?;
        let actors = actors(config, store.clone(), clock.clone())?;
        let runner = Runner::new(binary, config.sandbox).with_servers(config.mcp.clone());
        let engine = Ground {
            store: &store,
            clock: &clock,
            catalog: &catalog,
        };
        let engine = Box::pin(engine.engine(config, environment, llm, runner)).await?;
        connect_accounts(&store, &engine).await?;
        let listening = Listening::start(Arc::clone(&engine.mail));
        let runtime = Box::pin(Runtime::start(Parts {
            store,
            clock,
            i18n: Arc::clone(&i18n),
            engine,
            actors: actors.clone(),
            speech,
            memory: config.memory.clone(),
            data_dir: config.data_dir.clone(),
            home: config.home.clone(),
            lang: config.lang,
            timezone: config.timezone.clone(),
            wishes: wishes(config, environment),
            lock: config.data_dir.join(LOCK),
        }))
        .await
        .context(Message::new("start-open-messages"))?;
        Ok(Self {
            runtime,
            actors,
            i18n,
            catalog,
            is_first_start,
            _watch: watch,
            _listening: listening,
            supervisors: model.into_iter().chain(hearing).collect(),
            _lock: lock,
        })
    }

    /// Finishes what runs, then lets everything go.
    pub async fn stop(self) {
        self.runtime.stop().await;
        for supervisor in self.supervisors {
            supervisor.stop().await;
        }
    }
}

/// What everything else stands on.
struct Ground<'a> {
    store: &'a Store,
    clock: &'a Clock,
    catalog: &'a Arc<CatalogHandle>,
}

impl Ground<'_> {
    /// The engine of this household, which knows nobody yet.
    async fn engine(
        &self,
        config: &Config,
        environment: &Environment,
        llm: LlmClient,
        runner: Runner,
    ) -> anyhow::Result<Engine> {
        let language = Language::embedded().context(Message::new("start-broken"))?;
        let world = World::from_config(&config.days, &config.weather, &config.search)
            .context(Message::new("start-services"))?;
        let agenda = Agenda::new(&config.agenda).with_servers(self.store.clone(), self.clock.clone());
        let agenda = Arc::new(agenda);
        Ok(Engine {
            store: self.store.clone(),
            clock: self.clock.clone(),
            families: families(&agenda, &world, &config.devices.guest_areas)?,
            catalog: Arc::clone(self.catalog),
            runner,
            shortlists: Shortlists::default(),
            patterns: Patterns::embedded(language.time_words()).context(Message::new("start-broken"))?,
            language,
            asking: Asking::embedded().context(Message::new("start-broken"))?,
            household: Snapshot::default(),
            trouble: ModelTrouble::default(),
            embedder: Embedder::from_config(&config.llm, &llm),
            llm,
            online: Online::from_config(config.mode, config.engine, &config.llm, &config.timezone)
                .context(Message::new("start-services"))?,
            agenda,
            mail: Arc::new(Mail::new(self.store.clone(), self.clock.clone(), config.mail.clone())),
            places: Places::from_config(&config.places).context(Message::new("start-services"))?,
            world,
            choice: config.engine,
            pool_size: config.pool_size,
            judge_threshold: config.judge_threshold,
            memory: config.memory.clone(),
            promotion: config.promotion,
            promoter: config.promoter,
            vectors: Vectors::default(),
            cacheability: Cacheability::new().context(Message::new("start-broken"))?,
            home: config.home.clone(),
            notes_dir: config.notes_dir.clone(),
            own_notes: own_notes(self.store).await?,
            data_dir: config.data_dir.clone(),
            protected: config.protected(environment),
            location: config.location.clone(),
            guest_areas: config.devices.guest_areas.clone(),
        })
    }
}

/// The families of executors that run inside metnos, each with the things its domain knows. A new one is a line here.
fn families(agenda: &Arc<Agenda>, world: &World, guest_areas: &[String]) -> anyhow::Result<Families> {
    let papers = Papers::embedded().context(Message::new("start-broken"))?;
    Ok(Families::new(vec![
        Arc::new(Own),
        Arc::new(Geo),
        Arc::new(Sky),
        Arc::new(Web {
            search: world.search.clone(),
        }),
        Arc::new(House::new(Arc::clone(agenda))),
        Arc::new(Hands::new(guest_areas.to_vec())),
        Arc::new(Tasks::default()),
        Arc::new(Mails),
        Arc::new(Events::new(Arc::clone(agenda))),
        Arc::new(Contacts::new(Arc::clone(agenda))),
        Arc::new(Briefing),
        Arc::new(papers),
        Arc::new(Photos),
        Arc::new(HomeFiles),
    ]))
}

/// Where people keep lists and notes who said so.
async fn own_notes(store: &Store) -> anyhow::Result<RwLock<BTreeMap<ActorId, String>>> {
    let own = store.notes_dirs().await.context(Message::new("start-database"))?;
    Ok(RwLock::new(own.into_iter().collect()))
}

/// Who is who, with what people we know nothing about are given.
fn actors(config: &Config, store: Store, clock: Clock) -> anyhow::Result<Actors> {
    let defaults = Defaults {
        lang: config.lang,
        timezone: config.timezone.clone(),
    };
    Actors::new(store, clock, defaults, &config.data_dir).context(Message::new("start-pairing-key"))
}

/// What the household wants of jobs. The nightly copy is the one that `metnos backup` makes.
pub(crate) fn wishes(config: &Config, environment: &Environment) -> Wishes {
    let plan = |wanted: &BackupConfig| backup::Plan {
        folder: wanted.folder.clone(),
        keep: wanted.keep,
        copy: cli::backup::copier(config, environment),
    };
    Wishes {
        backup: config.backup.as_ref().map(plan),
    }
}

/// Uses the keys that were given in earlier conversations.
async fn connect_accounts(store: &Store, engine: &Engine) -> anyhow::Result<()> {
    for account in Account::ALL {
        if let Some(key) = store.account_key(account).await.context("cannot read the accounts")? {
            engine.connect(account, Some(key));
        }
    }
    Ok(())
}

/// The catalog of a data folder, with the shipped executors put in and signed as needed.
pub fn open_catalog(data_dir: &Path) -> anyhow::Result<CatalogHandle> {
    // Which executors run here is the same whatever the settings say.
    let world = World::from_config(
        &DaysConfig::default(),
        &WeatherConfig::default(),
        &SearchConfig::default(),
    );
    let families = families(
        &Arc::new(Agenda::new(&AgendaConfig::default())),
        &world.context(Message::new("start-services"))?,
        &[],
    )?;
    let has_code: crate::catalog::HasCode =
        Arc::new(move |name: &ExecutorName| executors::builtin(name).is_some() || families.run_here(name));
    CatalogHandle::open(data_dir, has_code).context(Message::new("start-catalog"))
}

/// What an older version remembered is signed as this one signs.
async fn sign_memory_again(store: &Store, catalog: &CatalogHandle) -> anyhow::Result<()> {
    let today = catalog.current();
    let sign = Arc::new(move |plan: &serde_json::Value, intent: &str| today.signatures(plan, intent));
    let signed = store.sign_again(SIGNED_AS, sign).await;
    let signed = signed.context(Message::new("start-broken"))?;
    tracing::debug!(signed, "remembered plans signed again");
    Ok(())
}

/// Follows changes of the catalog. A machine that has no watches left still runs metnos: changed tools are seen at the
/// next start, and `metnos doctor` says so.
pub fn watch(catalog: &Arc<CatalogHandle>) -> Option<WatchGuard> {
    match catalog.watch() {
        Ok(guard) => Some(guard),
        Err(error) => {
            tracing::warn!(reason = %reason_of(&error), "changed tools are seen at the next start only");
            None
        }
    }
}

/// An error with its causes, in one line.
pub fn reason_of(error: &dyn std::error::Error) -> String {
    let mut causes = vec![error.to_string()];
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    causes.join(": ")
}

/// One TLS stack for everything; a second call would only find that it is there already.
pub fn install_tls() {
    if rustls::crypto::aws_lc_rs::default_provider().install_default().is_err() {
        tracing::debug!("the TLS provider was installed before");
    }
}

/// The folder everything lives in, closed to other users.
pub fn make_private_dir(path: &Path) -> anyhow::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .with_context(|| about("start-folder", path))
}

/// Connects to nothing yet.
fn model(config: &Config) -> anyhow::Result<LlmClient> {
    let llm = LlmClient::new(&config.llm).context(Message::new("start-services"))?;
    Ok(llm.of_household(&config.data_dir))
}

/// Starts the server of this client and watches it, where the household has a command for it.
fn start_server<K: Kept>(
    config: &Config,
    command: &[String],
    client: &K,
    binary: &Path,
    failed: &str,
) -> anyhow::Result<Option<Supervisor>> {
    if command.is_empty() {
        return Ok(None);
    }
    let logs = config.data_dir.join("logs");
    Supervisor::start(command, &logs, client, binary.to_owned())
        .map(Some)
        .context(Message::new(failed))
}

/// Two processes on one data folder would answer everything twice.
pub async fn lock(data_dir: &Path) -> anyhow::Result<File> {
    let path = data_dir.join(LOCK);
    let file = File::create(&path).with_context(|| about("start-file", &path))?;
    // Who is just ending holds it a moment longer, and so does a child of theirs that is just beginning.
    for _ in 0..DATA_LOCK_TRIES {
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return Ok(file);
        }
        tokio::time::sleep(DATA_LOCK_PAUSE).await;
    }
    bail!(about("start-running", data_dir));
}

/// Executors run in children of our own binary.
pub fn own_binary() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context(Message::new("start-own-binary"))
}

/// A sentence about a path.
fn about(key: &str, path: &Path) -> Message {
    Message::new(key).with("path", path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn a_catalog_that_cannot_be_watched_is_still_used() {
        let elsewhere = Arc::new(CatalogHandle::fixed(Catalog::default()));
        assert!(watch(&elsewhere).is_none(), "its folder does not exist");
    }
}
