//! Floor 4: takes what channels hand up, runs one turn after the other per conversation, and keeps the answers until
//! a channel has brought them. Channels know this handle and nothing else of us.
//!
//! A message is durable before anybody confirms it (`inbox`); its turn ends in one transaction with its answer
//! (`turn`); the answer is durable until it is delivered (`outbox`). So every message gets exactly one answer, and a
//! crash anywhere in between is repaired at the next start.

use std::{collections::HashMap, path::PathBuf, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use tokio::sync::{broadcast, watch};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    clock::Clock,
    config::MemoryConfig,
    domain::{
        actor::Role,
        delivery::{Delivery, DeliveryFailure, FetchFailure, Pressed, Signal},
        ids::{ChannelKind, ConversationId, MessageId, OutboxId, SenderId, TurnId},
        inbound::Inbound,
        lang::Lang,
        limits::{CONVERSATION_IDLE, SHUTDOWN_GRACE},
        message::Message,
    },
    engine::Engine,
    i18n::I18n,
    jobs::Wishes,
    language::secrets::Redactor,
    runtime::{actors::Actors, lanes::Lanes, outbox::Outbox, people::People, stop::Running, turn_log::TurnLog},
    speech::Speech,
    store::{Store, StoreError, inbox::Waiting},
};

pub mod actors;
mod commands;
mod cut_off;
mod dialogs;
pub mod digest;
mod edits;
pub mod erasure;
mod feedback;
mod files;
mod firings;
mod hands;
mod inbox;
pub mod languages;
mod lanes;
mod location;
mod morning;
mod notices;
mod outbox;
pub mod people;
mod quota;
mod reply;
mod signs;
mod stop;
mod turn;
mod turn_log;
mod voice;
mod welcome;
pub mod why;

/// Signals waiting for a slow channel; older ones are dropped, which only costs comfort.
const SIGNALS_MAX: usize = 256;

/// What became of a submitted message. In every case it is durable and its sender will hear of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// New: queued.
    Accepted,
    /// Seen before: nothing happens.
    Duplicate,
}

/// How a channel brings a file that somebody sent to this machine: by its handle, to a path where nothing is yet.
pub type FetchFile = Arc<dyn Fn(String, PathBuf) -> BoxFuture<'static, Result<(), FetchFailure>> + Send + Sync>;

/// The message could not be made durable; the channel must not confirm it to its server.
#[derive(Debug, thiserror::Error)]
#[error("cannot keep the message")]
pub struct SubmitError(#[from] StoreError);

/// What a runtime is made of.
pub struct Parts {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// The words.
    pub i18n: Arc<I18n>,
    /// The cascade.
    pub engine: Engine,
    /// Who is who.
    pub actors: Actors,
    /// What hears voice notes.
    pub speech: Speech,
    /// Rules of plan memory.
    pub memory: MemoryConfig,
    /// Where the turn log goes.
    pub data_dir: PathBuf,
    /// What `~` stands for.
    pub home: PathBuf,
    /// Language of people we do not know.
    pub lang: Lang,
    /// The household's zone, which jobs run by.
    pub timezone: String,
    /// What the household wants of jobs.
    pub wishes: Wishes,
    /// The file other processes of ours touch when they changed when something is due.
    pub lock: PathBuf,
}

/// Handle to the running assistant. Cheap to clone.
#[derive(Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Runtime")
    }
}

struct Inner {
    parts: Parts,
    outbox: Outbox,
    turn_log: TurnLog,
    conversations: Lanes<(ChannelKind, ConversationId), Waiting>,
    /// What each of them is busy with.
    running: Running,
    people: People,
    terminal_signals: broadcast::Sender<Signal>,
    telegram_signals: broadcast::Sender<Signal>,
    matrix_signals: broadcast::Sender<Signal>,
    /// How each channel fetches what people send; a channel is there as soon as it has started.
    fetchers: files::Fetchers,
    /// Whether the jobs of the house have their entries.
    jobs_installed: watch::Sender<bool>,
    /// Every conversation's task; a graceful stop waits for them.
    tasks: TaskTracker,
    /// Cancelled when the process should end: running turns finish, queued ones stay in the inbox for the next start.
    stop: CancellationToken,
}

impl Runtime {
    /// Builds the runtime and takes up every message that has no answer yet. Needs a tokio runtime.
    ///
    /// # Errors
    ///
    /// The database cannot be read.
    pub async fn start(parts: Parts) -> Result<Self, StoreError> {
        let inner = Arc::new(Inner {
            outbox: Outbox::new(parts.store.clone(), parts.clock.clone()),
            turn_log: TurnLog::new(&parts.data_dir),
            conversations: Lanes::new(CONVERSATION_IDLE),
            running: Running::default(),
            people: People::new(
                parts.store.clone(),
                parts.clock.clone(),
                parts.actors.clone(),
                Arc::clone(&parts.i18n),
            ),
            terminal_signals: broadcast::channel(SIGNALS_MAX).0,
            telegram_signals: broadcast::channel(SIGNALS_MAX).0,
            matrix_signals: broadcast::channel(SIGNALS_MAX).0,
            fetchers: watch::channel(HashMap::new()).0,
            jobs_installed: watch::Sender::new(false),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
            parts,
        });
        let runtime = Self { inner };
        let i18n = Arc::clone(&runtime.inner.parts.i18n);
        let fallback = runtime.inner.parts.lang;
        let instead = move |lang: Option<Lang>| i18n.say(lang.unwrap_or(fallback), &Message::new("progress-cut-off"));
        let now_ms = runtime.inner.parts.clock.now_ms();
        let retracted = runtime.inner.parts.store.retract_progress(instead, now_ms).await;
        retracted?;
        let open = runtime.inner.parts.store.inbox_open().await;
        inbox::take_up(&runtime.inner, open?);
        // Beside the start: nobody waits for the scheduler.
        runtime.inner.tasks.spawn(hands::run(Arc::clone(&runtime.inner)));
        Ok(runtime)
    }

    /// Waits until the jobs of the house have their entries.
    pub async fn jobs_installed(&self) {
        let mut installed = self.inner.jobs_installed.subscribe();
        if installed.wait_for(|is_done| *is_done).await.is_err() {
            tracing::debug!("the runtime ended before its jobs were known");
        }
    }

    /// Says how this channel fetches the files people send. Until then they wait.
    pub fn fetch_files_with(&self, channel: ChannelKind, fetch: FetchFile) {
        self.inner.fetchers.send_modify(|known| {
            known.insert(channel, fetch);
        });
    }

    /// Makes a message durable and queues it. When this returns `Ok`, the channel may confirm it to its server.
    pub async fn submit(&self, inbound: Inbound) -> Result<Submitted, SubmitError> {
        Ok(inbox::receive(&self.inner, self.heard(inbound)).await?)
    }

    /// A phone may be set to a language that nobody added here: then it says nothing.
    fn heard(&self, inbound: Inbound) -> Inbound {
        let lang_hint = inbound.lang_hint.filter(|lang| self.inner.parts.i18n.speaks(*lang));
        Inbound { lang_hint, ..inbound }
    }

    /// Acts on a tapped button, durably and once; the inbound's body must be `Button`.
    pub async fn press(&self, inbound: Inbound) -> Result<Pressed, SubmitError> {
        Ok(feedback::press(&self.inner, &self.heard(inbound)).await?)
    }

    /// Acts on a reaction under an answer, durably and once; the inbound's body must be `Sign`.
    pub async fn react(&self, inbound: Inbound) -> Result<Pressed, SubmitError> {
        Ok(signs::react(&self.inner, &inbound).await?)
    }

    /// A reaction was taken back. `inbound` says where and by whom; its message is the reaction that is gone.
    pub async fn withdraw(&self, inbound: Inbound) -> Result<(), SubmitError> {
        Ok(signs::withdraw(&self.inner, &inbound).await?)
    }

    /// Whether somebody may open a conversation with us: people we know and, while a pairing code waits to be used,
    /// whoever may be bringing it.
    pub async fn welcomes(&self, channel: ChannelKind, sender: &SenderId) -> Result<bool, SubmitError> {
        Ok(self.inner.parts.actors.welcomes(channel, sender).await?)
    }

    /// Makes the sender whom the household's configuration names the host on this channel, without a code. `false` for
    /// one who was locked out.
    pub async fn adopt_host(&self, channel: ChannelKind, sender: &SenderId) -> Result<bool, SubmitError> {
        Ok(self.inner.parts.actors.adopt_host(channel, sender).await?)
    }

    /// Whether a sender is the host on this channel, and let in.
    pub async fn is_host(&self, channel: ChannelKind, sender: &SenderId) -> Result<bool, SubmitError> {
        let actor = self.inner.parts.store.actor_of(channel, sender).await?;
        Ok(actor.is_some_and(|actor| actor.role == Role::Host))
    }

    /// Shows a sentence to whoever sits at the terminal right now, if anybody does.
    pub fn show_in_terminal(&self, lang: Lang, message: &Message) {
        let text = self.say(lang, message);
        self.inner.signal(ChannelKind::Terminal, Signal::Notice { text });
    }

    /// The next delivery of this channel, in order within each conversation; waits until there is one.
    /// A conversation's next delivery is handed out only after the one before was reported.
    pub async fn next_delivery(&self, channel: ChannelKind) -> Delivery {
        let mut delivery = self.inner.outbox.next(channel).await;
        if delivery.runs > 1 {
            notices::count_runs(self, &mut delivery).await;
        }
        delivery
    }

    /// The next part of a delivery is about to be sent by a channel whose people would see a second copy; `false` when
    /// that cannot be written down, and it must not be sent now.
    pub async fn part_begun(&self, id: OutboxId) -> bool {
        self.inner.outbox.begin(id).await
    }

    /// Something was heard from a channel's server, so that what waits for it need not wait.
    pub async fn way_is_open(&self, channel: ChannelKind) {
        self.inner.outbox.way_is_open(channel).await;
    }

    /// Part of a reply arrived; durable before the next part is sent.
    pub async fn part_delivered(&self, id: OutboxId, part: MessageId) {
        self.inner.outbox.part(id, Some(part)).await;
    }

    /// Part of a reply may have arrived: it is not sent again, and the next parts still go.
    pub async fn part_uncertain(&self, id: OutboxId) {
        self.inner.outbox.part(id, None).await;
    }

    /// The language of the person a private conversation is with.
    pub async fn lang_of(&self, channel: ChannelKind, sender: &SenderId) -> Lang {
        match self.inner.parts.store.actor_of(channel, sender).await {
            Ok(actor) => actor.map_or(self.inner.parts.lang, |actor| actor.lang),
            Err(error) => {
                tracing::warn!(%error, "cannot read a person's language");
                self.inner.parts.lang
            }
        }
    }

    /// The language of the person a delivery is for.
    pub async fn lang_of_delivery(&self, id: OutboxId) -> Lang {
        match self.inner.parts.store.outbox_lang(id).await {
            Ok(lang) => lang.unwrap_or(self.inner.parts.lang),
            Err(error) => {
                tracing::warn!(%error, "cannot read a person's language");
                self.inner.parts.lang
            }
        }
    }

    /// The cascade, for what is done at night with the memory it has.
    pub fn engine(&self) -> &Engine {
        &self.inner.parts.engine
    }

    /// The language of people we do not know.
    pub fn lang(&self) -> Lang {
        self.inner.parts.lang
    }

    /// The time, for what a channel must date itself; milliseconds since 1970.
    pub fn now_ms(&self) -> i64 {
        self.inner.parts.clock.now_ms()
    }

    /// All of it arrived.
    pub async fn delivered(&self, id: OutboxId) {
        self.inner.outbox.delivered(id).await;
    }

    /// It did not arrive, or nobody knows.
    pub async fn undelivered(&self, id: OutboxId, failure: DeliveryFailure) {
        let broken = notices::broken(&self.inner, id, &failure).await;
        self.inner.outbox.undelivered(id, failure, broken).await;
    }

    /// What happens right now, for typing and progress.
    pub fn signals(&self, channel: ChannelKind) -> broadcast::Receiver<Signal> {
        self.inner.signals(channel).subscribe()
    }

    /// This message shows what a turn is doing: if the process dies, the next start takes it away. A channel that sent
    /// one says so; when it becomes a part of the answer, it is forgotten with `part_delivered`.
    pub async fn progress_shown(
        &self,
        channel: ChannelKind,
        conversation: &ConversationId,
        turn: &TurnId,
        message: &MessageId,
    ) {
        let store = &self.inner.parts.store;
        if let Err(error) = store.progress_shown(channel, conversation, turn, message).await {
            tracing::warn!(%error, "a sign of progress is not noted; it would stay after a crash");
        }
    }

    /// A message that showed progress is gone.
    pub async fn progress_gone(&self, channel: ChannelKind, conversation: &ConversationId, message: &MessageId) {
        let store = &self.inner.parts.store;
        if let Err(error) = store.progress_gone(channel, conversation, message).await {
            tracing::warn!(%error, "a sign of progress that is gone stays noted");
        }
    }

    /// Where the channel's stream of events was confirmed up to, such as Telegram's update id.
    pub async fn cursor(&self, channel: ChannelKind) -> Option<i64> {
        match self.inner.parts.store.cursor(channel).await {
            Ok(cursor) => cursor,
            // Without it the channel starts from what its server still holds; the inbox knows what was seen.
            Err(error) => {
                tracing::error!(%error, "cannot read a cursor");
                None
            }
        }
    }

    /// Remembers the cursor, after everything before it is durable.
    pub async fn set_cursor(&self, channel: ChannelKind, cursor: i64) -> Result<(), SubmitError> {
        Ok(self.inner.parts.store.set_cursor(channel, cursor).await?)
    }

    /// How a turn was answered: the layer, model calls and milliseconds, such as `fastpath, 0 model calls, 3 ms`.
    pub async fn trace(&self, turn: &TurnId) -> Option<String> {
        match self.inner.parts.store.trace(turn).await {
            Ok(trace) => trace.map(|trace| {
                let calls = if trace.model_calls == 1 { "call" } else { "calls" };
                format!(
                    "{}, {} model {calls}, {} ms",
                    trace.answered_by, trace.model_calls, trace.took_ms
                )
            }),
            Err(error) => {
                tracing::warn!(%error, "cannot trace a turn");
                None
            }
        }
    }

    /// The first question of a first start to the host here; `None` where it was put before, or cannot be kept.
    pub async fn first_question(&self, channel: ChannelKind, conversation: &ConversationId) -> Option<String> {
        let host = self.inner.parts.actors.host().await.ok()?;
        let asked = welcome::begin(&self.inner, &host, channel, conversation).await;
        asked.unwrap_or_else(|error| {
            tracing::error!(%error, "the first question cannot be kept");
            None
        })
    }

    /// A sentence of the channel itself, in a language.
    pub fn say(&self, lang: Lang, message: &Message) -> String {
        self.inner.parts.i18n.say(lang, message)
    }

    /// The file that whoever sits at this machine attaches by its path. See [`Engine::own_file`].
    pub fn own_file(&self, typed: &str) -> Result<PathBuf, Message> {
        self.inner.parts.engine.own_file(typed)
    }

    /// Whether a text holds a password or the like, so that a channel keeps no copy of it.
    pub fn holds_secret(&self, text: &str) -> bool {
        self.inner.redactor().finds(text)
    }

    /// Whether a message has its answer and everything that was said on the way there was brought. One that cannot be
    /// looked up counts as answered, so that nobody waits for ever.
    pub async fn is_answered(&self, channel: ChannelKind, conversation: &ConversationId, message: &MessageId) -> bool {
        let store = &self.inner.parts.store;
        let now_ms = self.inner.parts.clock.now_ms();
        let done = async {
            let done = store.inbox_is_done(channel, conversation, message).await?;
            Ok::<bool, StoreError>(done && store.outbox_due(channel, now_ms).await?.is_empty())
        };
        done.await.unwrap_or_else(|error| {
            tracing::error!(%error, "cannot look whether a message was answered");
            true
        })
    }

    /// Waits until the channel has brought every answer that is due, but no longer than this.
    pub async fn settle(&self, channel: ChannelKind, at_most: Duration) {
        if tokio::time::timeout(at_most, self.inner.outbox.settled(channel))
            .await
            .is_err()
        {
            tracing::info!("some answers are brought at the next start");
        }
    }

    /// Lets running turns finish, at most `limits::SHUTDOWN_GRACE`; what is queued stays for the next start.
    pub async fn stop(&self) {
        self.inner.stop.cancel();
        tracing::info!("stopping: what runs finishes, what waits is kept");
        self.inner.conversations.clear();
        self.inner.tasks.close();
        if tokio::time::timeout(SHUTDOWN_GRACE, self.inner.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!("a turn did not end in time; it is taken up at the next start");
        }
    }
}

impl Inner {
    fn redactor(&self) -> &Redactor {
        self.parts.engine.language().redactor()
    }

    fn signals(&self, channel: ChannelKind) -> &broadcast::Sender<Signal> {
        match channel {
            ChannelKind::Terminal => &self.terminal_signals,
            ChannelKind::Telegram => &self.telegram_signals,
            ChannelKind::Matrix => &self.matrix_signals,
        }
    }

    /// Tells a channel what is going on; nobody listening is fine.
    fn signal(&self, channel: ChannelKind, signal: Signal) {
        if self.signals(channel).send(signal).is_err() {
            tracing::trace!("nobody listens to signals");
        }
    }
}
