//! Floor 3: the cascade. A request goes down through patterns, L0, intent, L1 and L3 until one layer answers; every
//! layer's decision is a value that ends in the turn log.
//!
//! ```text
//! patterns → fastpath (hash, cosine) → intent → autopath
//!   → proposer → validator → plan executor → recovery → terminator
//! ```
//!
//! Layers are siblings that never call each other: only `dispatch` does. The engine names no channel, writes no
//! sentence, and runs nothing that is not a `Plan<Validated>`.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
};

use jiff::Zoned;
use tokio_util::sync::CancellationToken;

use crate::{
    agenda::Agenda,
    catalog::CatalogHandle,
    clock::Clock,
    config::{self, EngineChoice, LocationConfig, MemoryConfig, Mode, PromoterConfig, PromotionConfig, Secret},
    domain::{account::Account, actor::Actor, ids::ActorId, message::Message, question::Question, turn::Turn},
    engine::{
        families::Families,
        fastpath::{Vectors, cacheable::Cacheability},
        online::Online,
        outcome::TurnOutcome,
        patterns::{Pattern, PatternMatch, Patterns, snapshot::Snapshot, trust::Speaker},
        shortlist::Shortlists,
        tasks::asked::Asking,
        trouble::ModelTrouble,
    },
    executors::process::Runner,
    language::{ClauseReading, Home, Language, Mark},
    llm::{LlmClient, embed::Embedder},
    mail::Mail,
    places::Places,
    policy,
    store::{Store, dialogs::Paused},
    world::World,
};

pub mod accounts;
pub mod autopath;
pub mod composer;
pub mod composite;
pub mod dispatch;
pub mod families;
pub mod fastpath;
pub mod follow_up;
pub mod frames;
pub mod hosted;
pub mod meant;
pub mod online;
pub mod outcome;
pub mod passages;
pub mod patterns;
pub mod plan_executor;
pub mod proposer;
pub mod recovery;
pub mod render;
pub mod shortlist;
pub mod tasks;
pub mod terminator;
pub mod things;
pub mod trouble;
pub mod validator;

#[cfg(test)]
pub(crate) mod fixtures;

/// The person who waits while a turn runs.
#[derive(Clone, Copy)]
pub struct Audience<'a> {
    /// Tells them what takes so long, while it does.
    pub tell: &'a (dyn Fn(Message) + Send + Sync),
    /// Cancelled when they say stop.
    pub stop: &'a CancellationToken,
}

impl std::fmt::Debug for Audience<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Audience")
            .field("stop", self.stop)
            .finish_non_exhaustive()
    }
}

impl Audience<'_> {
    /// What comes of something unless they say stop meanwhile; then it is dropped.
    pub async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = self.stop.cancelled() => None,
        }
    }

    /// Whether they said stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }
}

/// The parts of the cascade. Built once by `app`.
pub struct Engine {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// Executors that run inside metnos, and the things each domain knows.
    pub families: Families,
    /// Executors that may run.
    pub catalog: Arc<CatalogHandle>,
    /// Their index for choosing a few.
    pub shortlists: Shortlists,
    /// Runs them.
    pub runner: Runner,
    /// Words of both languages.
    pub language: Language,
    /// Fixed requests.
    pub patterns: Patterns,
    /// The words around what is to happen later.
    pub asking: Asking,
    /// The names of devices and rooms those may speak of, as whoever owns the devices last told them.
    pub household: Snapshot,
    /// The model.
    pub llm: LlmClient,
    /// Who else may be asked for plans, and for how much money; `None` keeps everything in the house.
    pub online: Option<Online>,
    /// How its understanding fares.
    pub trouble: ModelTrouble,
    /// Geo services.
    pub places: Places,
    /// Mailboxes.
    pub mail: Arc<Mail>,
    /// Calendars and address books.
    pub agenda: Arc<Agenda>,
    /// Days, the sky and the weather.
    pub world: World,
    /// Vectors for memory.
    pub embedder: Embedder,
    /// Who writes plans.
    pub choice: EngineChoice,
    /// Tools a planner is shown.
    pub pool_size: usize,
    /// The judge refuses below this score.
    pub judge_threshold: f64,
    /// Rules of plan memory.
    pub memory: MemoryConfig,
    /// What of it becomes a candidate for a tool of its own.
    pub promotion: PromotionConfig,
    /// What becomes of candidates.
    pub promoter: PromoterConfig,
    /// L0's vectors.
    pub vectors: Vectors,
    /// What may be remembered.
    pub cacheability: Cacheability,
    /// What `~` stands for.
    pub home: PathBuf,
    /// Where lists and notes are kept that have no other place, below a person's home.
    pub notes_dir: String,
    /// The same of people who said where theirs are; `store::welcome` has them.
    pub own_notes: RwLock<BTreeMap<ActorId, String>>,
    /// Closed to executors.
    pub data_dir: PathBuf,
    /// Closed to executors too, such as the config file.
    pub protected: Vec<PathBuf>,
    /// What the household says of locations.
    pub location: LocationConfig,
    /// Rooms whose devices guests may command.
    pub guest_areas: Vec<String>,
}

impl Engine {
    /// Answers one request.
    pub async fn run_turn(&self, turn: &Turn, audience: Audience<'_>) -> TurnOutcome {
        dispatch::run_turn(self, turn, audience).await
    }

    /// Goes on with a turn whose question was answered, with the password of a locked file where that was the question.
    pub async fn resume(
        &self,
        turn: &Turn,
        paused: Paused,
        answered: (Question, Option<Secret>),
        audience: Audience<'_>,
    ) -> TurnOutcome {
        dispatch::resume(self, turn, paused, answered, audience).await
    }

    /// Whether a message is plainly a request of its own, whatever was asked before: a rule answers it, or every word
    /// of it is understood and one of them says what to do.
    pub fn is_request(&self, text: &str, actor: &Actor, now: &Zoned) -> bool {
        if self.is_known_phrase(text, actor) {
            return true;
        }
        let reading = self.language.read(text, actor.lang, now);
        let says_verb = |clause: &ClauseReading| clause.verb.is_some() && !clause.is(Mark::Implied);
        reading.intent.is_complete() && reading.unaccounted.is_empty() && reading.clauses.iter().all(says_verb)
    }

    /// Whether a message can hardly be the name of a place: it says what to do, asks something, or holds a secret, and
    /// none of these goes to a geo service.
    pub fn is_no_place(&self, text: &str, actor: &Actor, now: &Zoned) -> bool {
        if self.says_what_to_do(text, actor, now) {
            return true;
        }
        let reading = self.language.read(text, actor.lang, now);
        reading.was_question || self.language.redactor().finds(text)
    }

    /// Whether a message asks for something, understood or not: a rule answers it, or it has a verb of ours.
    pub fn says_what_to_do(&self, text: &str, actor: &Actor, now: &Zoned) -> bool {
        let acts =
            |clause: &ClauseReading| clause.verb.is_some() && !clause.is(Mark::Implied) || clause.measure.is_some();
        self.is_known_phrase(text, actor) || self.language.read(text, actor.lang, now).clauses.iter().any(acts)
    }

    /// Whether a message asks for something at another moment than now.
    pub fn asks_for_later(&self, text: &str, actor: &Actor, now: &Zoned) -> bool {
        let reading = self.language.read(text, actor.lang, now);
        self.asking.read(&reading, &self.language, now, &|_rest| true).is_some()
    }

    /// Whether a message says nothing but to end something, such as what was set a moment ago.
    pub fn only_ends(&self, text: &str, actor: &Actor, now: &Zoned) -> bool {
        let reading = self.language.read(text, actor.lang, now);
        let words = self.language.outline(&reading, &Home::unknown());
        words.iter().any(dispatch::ends)
    }

    /// Whether a message takes back what was done last.
    pub fn takes_back(&self, text: &str, actor: &Actor) -> bool {
        matches!(
            self.by_rule(text, actor),
            PatternMatch::Hit(Pattern::Undo(_) | Pattern::UndoPart { .. })
        )
    }

    fn is_known_phrase(&self, text: &str, actor: &Actor) -> bool {
        matches!(self.by_rule(text, actor), PatternMatch::Hit(_))
    }

    /// What a rule makes of a message that somebody typed.
    pub fn by_rule(&self, text: &str, actor: &Actor) -> PatternMatch {
        let speaker = Speaker::of(actor, true);
        self.patterns.matching(text, &speaker, &self.household.household())
    }

    /// Uses the key of an account from now on; without one, the account no more.
    pub fn connect(&self, account: Account, key: Option<Secret>) {
        let connected = match account {
            Account::GooglePlaces => self.places.connect_google(key),
        };
        if let Err(error) = connected {
            tracing::error!(account = account.as_str(), %error, "an account is not connected");
        }
    }

    /// What `~` stands for: the owner's home, or the one folder a guest has.
    pub fn home_of(&self, actor: &Actor) -> PathBuf {
        plan_executor::home_of(&self.home, &self.data_dir, actor)
    }

    /// The home of a person, as names are read in it: without our own folder, and with a place for notes.
    pub fn home_for(&self, actor: &Actor) -> Home {
        Home::at(self.home_of(actor))
            .without(&self.data_dir)
            .keeping_notes_in(&self.notes_of(actor))
    }

    /// Where this person keeps lists and notes, below their home.
    pub fn notes_of(&self, actor: &Actor) -> String {
        let own = self.own_notes.read().unwrap_or_else(PoisonError::into_inner);
        own.get(&actor.id).unwrap_or(&self.notes_dir).clone()
    }

    /// Keeps them in another folder from now on; `None` where that is none below a home.
    pub fn keep_notes_in(&self, actor: &Actor, typed: &str) -> Option<String> {
        let folder = config::folder_at_home(typed)?;
        let mut own = self.own_notes.write().unwrap_or_else(PoisonError::into_inner);
        own.insert(actor.id.clone(), folder.clone());
        Some(folder)
    }

    /// Whether there is a model that may be asked for what code cannot tell.
    pub fn may_ask_model(&self) -> bool {
        self.choice != EngineChoice::Simple && self.llm.is_configured()
    }

    /// The file a path of the host leads to, all links followed.
    ///
    /// # Errors
    ///
    /// A sentence for the person: it is no plain file, or closed to every executor, so that nothing in it gets from
    /// here to where executors may read it.
    pub fn own_file(&self, typed: &str) -> Result<PathBuf, Message> {
        if let Some(reason) = policy::closed_place(typed, &self.home, &self.data_dir, &self.protected) {
            return Err(reason);
        }
        let missing = || Message::new("attach-no-file").with("path", typed);
        let path = match typed.strip_prefix("~/") {
            Some(below) => self.home.join(below),
            None => self.home.join(typed),
        };
        let path = path.canonicalize().map_err(|_not_there| missing())?;
        if path.is_file() { Ok(path) } else { Err(missing()) }
    }

    /// Words of both languages, for whole-message replies.
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// The name of who writes plans, for the turn log.
    pub fn name(&self) -> &'static str {
        match self.choice {
            EngineChoice::Simple => "simple",
            EngineChoice::Auto | EngineChoice::Metis if self.mode() == Mode::Online => "frontier",
            EngineChoice::Metis => "metis",
            EngineChoice::Auto if self.llm.is_configured() => "metis",
            EngineChoice::Auto => "simple",
        }
    }

    /// Whose model may be asked.
    pub fn mode(&self) -> Mode {
        self.online.as_ref().map_or(Mode::Local, Online::mode)
    }
}
