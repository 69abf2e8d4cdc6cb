//! Families of executors that run inside metnos, and the things that domains know. One family is one `impl Family` in a
//! file of its own and one line in the list that `app` gives the engine; nothing else names it. Asked by `dispatch`
//! (whose things some words may mean) and by the plan executor (who runs this one).

use std::{fmt, path::PathBuf, pin::Pin, sync::Arc};

use crate::{
    clock::Clock,
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        lang::Lang,
        message::Message,
        run::ToolResult,
        turn::Turn,
    },
    engine::{hosted::Host, things::Resolver},
    executors::Call,
    language::{Home, Language},
    store::Store,
};

mod home;

pub use home::HomeFiles;

/// What runs until it has a result.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<ToolResult, ToolError>> + Send + 'a>>;
/// What looks up how things are called.
pub type Naming<'a> = Pin<Box<dyn Future<Output = Vec<String>> + Send + 'a>>;
/// What looks up the things of a person.
pub type Knowing<'a> = Pin<Box<dyn Future<Output = Option<Box<dyn Resolver + 'a>>> + Send + 'a>>;

/// Whose words are read, and what may be asked about them.
#[derive(Clone)]
pub struct Scene<'a> {
    /// The turn.
    pub turn: &'a Turn,
    /// Words of both languages.
    pub language: &'a Language,
    /// The language the request was read in.
    pub lang: Lang,
    /// The person's home.
    pub root: PathBuf,
    /// Its names, looked up at most once.
    pub home: Arc<Home>,
    /// The database.
    pub store: &'a Store,
    /// The time.
    pub clock: &'a Clock,
}

impl fmt::Debug for Scene<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scene")
            .field("turn", &self.turn.id)
            .finish_non_exhaustive()
    }
}

/// Executors that run inside metnos, and the things they know. Either may be missing.
pub trait Family: Send + Sync + fmt::Debug {
    /// The names of its executors.
    fn executors(&self) -> &'static [&'static str] {
        &[]
    }

    /// Runs one of them. Its `ToolError` is told as it is.
    fn run<'a>(&'a self, _host: &'a Host<'a>, name: &'a ExecutorName, _call: &'a Call) -> Running<'a> {
        Box::pin(std::future::ready(Err(unknown(name))))
    }

    /// What a call acts on, as its owner knows it: a card shows that, and never an id. Empty for what the arguments say
    /// themselves.
    fn names<'a>(&'a self, _host: &'a Host<'a>, _name: &'a ExecutorName, _call: &'a Call) -> Naming<'a> {
        Box::pin(std::future::ready(Vec::new()))
    }

    /// Whether an executor changes nothing but rows of our database: it notes in the journal itself, in the transaction
    /// of the change, that it happened, so that after a crash that is known.
    fn keeps_rows(&self, _name: &ExecutorName) -> bool {
        false
    }

    /// Whether it has whoever its executors ask outside.
    fn is_ready(&self) -> bool {
        true
    }

    /// What it knows of a person's things, to be asked which of them some words mean. It reads what it needs before it
    /// is asked, from what lies at hand: a turn waits for it.
    fn things<'a>(&'a self, _scene: Scene<'a>) -> Knowing<'a> {
        Box::pin(std::future::ready(None))
    }
}

/// All families, in the order in which their things are asked.
#[derive(Clone, Debug, Default)]
pub struct Families {
    all: Vec<Arc<dyn Family>>,
}

impl Families {
    /// These.
    pub fn new(all: Vec<Arc<dyn Family>>) -> Self {
        Self { all }
    }

    /// Whether an executor runs inside metnos.
    pub fn run_here(&self, name: &ExecutorName) -> bool {
        self.of(name).is_some()
    }

    /// Whether an executor changes nothing but rows of our database.
    pub fn keep_rows(&self, name: &ExecutorName) -> bool {
        self.of(name).is_some_and(|family| family.keeps_rows(name))
    }

    /// Whether an executor has whoever it asks outside; one that runs elsewhere asks nobody of ours.
    pub fn are_ready(&self, name: &ExecutorName) -> bool {
        self.of(name).is_none_or(|family| family.is_ready())
    }

    /// Runs one of their executors.
    pub async fn run(&self, host: &Host<'_>, name: &ExecutorName, call: &Call) -> ToolResult {
        let ran = match self.of(name) {
            Some(family) => family.run(host, name, call).await,
            None => Err(unknown(name)),
        };
        ran.unwrap_or_else(ToolResult::failed)
    }

    /// What a call acts on, as its owner knows it.
    pub async fn names(&self, host: &Host<'_>, name: &ExecutorName, call: &Call) -> Vec<String> {
        match self.of(name) {
            Some(family) => family.names(host, name, call).await,
            None => Vec::new(),
        }
    }

    /// What all of them know of a person's things.
    pub async fn things<'a>(&'a self, scene: &Scene<'a>) -> Vec<Box<dyn Resolver + 'a>> {
        let mut things = Vec::new();
        for family in &self.all {
            things.extend(family.things(scene.clone()).await);
        }
        things
    }

    fn of(&self, name: &ExecutorName) -> Option<&Arc<dyn Family>> {
        let has = |family: &&Arc<dyn Family>| family.executors().contains(&name.as_str());
        self.all.iter().find(has)
    }
}

fn unknown(name: &ExecutorName) -> ToolError {
    ToolError::new(
        ErrorClass::CapabilityMissing,
        Message::new("hosted-unknown").with("tool", name.as_str()),
    )
}
