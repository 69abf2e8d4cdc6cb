//! Families of executors that run inside metnos, and the things that domains know. One family is one `impl Family` in a
//! file of its own and one line in the list that `app` gives the engine; nothing else names it. Asked by `dispatch`
//! (whose things some words may mean) and by the plan executor (who runs this one).

use std::{
    fmt,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
};

use futures_util::future::join_all;
use jiff::{Timestamp, civil::Date};
use serde_json::{Map, Value};

use crate::{
    catalog::Catalog,
    clock::Clock,
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        lang::Lang,
        message::Message,
        run::ToolResult,
        turn::Turn,
        verdict::Risk,
    },
    engine::{hosted::Host, things::Resolver},
    executors::{Call, process::Runner},
    language::{Home, Language},
    store::Store,
};

mod home;

pub use home::HomeFiles;

/// What runs until it has a result.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<ToolResult, ToolError>> + Send + 'a>>;
/// What looks up how things are called.
pub type Naming<'a> = Pin<Box<dyn Future<Output = Vec<String>> + Send + 'a>>;
/// What puts into a call everything that a person must see before they decide.
pub type Completing<'a> = Pin<Box<dyn Future<Output = Result<Option<Map<String, Value>>, ToolError>> + Send + 'a>>;
/// What finds out how risky a call is.
pub type Weighing<'a> = Pin<Box<dyn Future<Output = Weight> + Send + 'a>>;

/// What one call weighs, beside what its manifest says.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// How risky it is at least.
    pub risk: Risk,
    /// What it does is not taken back with `undo`.
    pub stays: bool,
}

impl Default for Weight {
    fn default() -> Self {
        Self {
            risk: Risk::Low,
            stays: false,
        }
    }
}

/// What finds out what became of a call that was stopped.
pub type Recalling<'a> = Pin<Box<dyn Future<Output = Option<ToolResult>> + Send + 'a>>;
/// What looks up the things of a person.
pub type Knowing<'a> = Pin<Box<dyn Future<Output = Option<Box<dyn Resolver + 'a>>> + Send + 'a>>;

/// What finds out what a day of a person holds.
pub type Telling<'a> = Pin<Box<dyn Future<Output = Day> + Send + 'a>>;

/// What looks up whom a name stands for.
pub type Calling<'a> = Pin<Box<dyn Future<Output = Result<Vec<Called>, ToolError>> + Send + 'a>>;

/// Somebody a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Their whole name.
    pub name: String,
    /// Their mail addresses, the one they use most first.
    pub emails: Vec<String>,
}

impl Called {
    /// What tells them from somebody else of that name.
    pub fn shown(&self) -> String {
        match self.emails.first() {
            Some(email) => format!("{} ({email})", self.name),
            None => self.name.clone(),
        }
    }
}

/// What one domain knows of a day.
#[derive(Clone, Debug, Default)]
pub struct Day {
    /// What it holds.
    pub lines: Vec<(Place, Message)>,
    /// What could not be looked at, and why.
    pub unknown: Vec<Message>,
}

impl From<ToolError> for Day {
    /// A day of which nothing could be looked at.
    fn from(error: ToolError) -> Self {
        Self {
            lines: Vec::new(),
            unknown: vec![error.message],
        }
    }
}

/// Where something stands in a day, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// It is about the whole day.
    Whole,
    /// At this moment.
    At(Timestamp),
    /// It waits, at whatever time.
    Waiting,
}

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
    /// Reads files in a child process.
    pub runner: &'a Runner,
    /// All executors.
    pub catalog: Arc<Catalog>,
    /// Our own folder.
    pub data_dir: &'a Path,
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

    /// The arguments of a call with everything in them that a person must see before they decide: that is what is
    /// approved, and what runs. `None` where all of it stands there already.
    fn completes<'a>(&'a self, _host: &'a Host<'a>, _name: &'a ExecutorName, _call: &'a Call) -> Completing<'a> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// What this one call weighs, where that is more than its manifest says.
    fn weighs<'a>(&'a self, _host: &'a Host<'a>, _name: &'a ExecutorName, _call: &'a Call) -> Weighing<'a> {
        Box::pin(std::future::ready(Weight::default()))
    }

    /// What is known of a call that was stopped in the middle; `None` where nobody knows.
    fn stopped<'a>(&'a self, _host: &'a Host<'a>, _name: &'a ExecutorName, _call: &'a Call) -> Recalling<'a> {
        Box::pin(std::future::ready(None))
    }

    /// What it knows of a day of the person who calls, for whoever tells them their day.
    fn day<'a>(&'a self, _host: &'a Host<'a>, _call: &'a Call, _day: Date) -> Telling<'a> {
        Box::pin(std::future::ready(Day::default()))
    }

    /// Whom a name stands for, for whoever speaks of people: all who are called so.
    fn called<'a>(&'a self, _host: &'a Host<'a>, _call: &'a Call, _name: &'a str) -> Calling<'a> {
        Box::pin(std::future::ready(Ok(Vec::new())))
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

    /// The arguments of a call with everything in them that a person must see before they decide.
    pub async fn completed(
        &self,
        host: &Host<'_>,
        name: &ExecutorName,
        call: &Call,
    ) -> Result<Option<Map<String, Value>>, ToolError> {
        match self.of(name) {
            Some(family) => family.completes(host, name, call).await,
            None => Ok(None),
        }
    }

    /// What this one call weighs, where that is more than its manifest says.
    pub async fn weight(&self, host: &Host<'_>, name: &ExecutorName, call: &Call) -> Weight {
        match self.of(name) {
            Some(family) => family.weighs(host, name, call).await,
            None => Weight::default(),
        }
    }

    /// Whom a name stands for: everybody who is called so.
    pub async fn called(&self, host: &Host<'_>, call: &Call, name: &str) -> Result<Vec<Called>, ToolError> {
        let mut all = Vec::new();
        for family in &self.all {
            all.extend(family.called(host, call, name).await?);
        }
        Ok(all)
    }

    /// What is known of a call that was stopped in the middle.
    pub async fn stopped(&self, host: &Host<'_>, name: &ExecutorName, call: &Call) -> Option<ToolResult> {
        self.of(name)?.stopped(host, name, call).await
    }

    /// What all of them know of a day of the person who calls, in the order in which it is told.
    pub async fn day(&self, host: &Host<'_>, call: &Call, day: Date) -> (Vec<Message>, Vec<Message>) {
        let told = join_all(self.all.iter().map(|family| family.day(host, call, day))).await;
        let unknown = told.iter().flat_map(|day| day.unknown.clone()).collect();
        let mut lines: Vec<(Place, Message)> = told.into_iter().flat_map(|day| day.lines).collect();
        lines.sort_by_key(|(place, _)| *place);
        (lines.into_iter().map(|(_, line)| line).collect(), unknown)
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
