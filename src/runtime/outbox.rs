//! Hands answers to channels, oldest first in each conversation and one at a time, until they are delivered. An outage
//! is waited out, and over as soon as anything proves that the way is open; only what a channel refuses for good ends.
//! What follows when a send broke off says its `Promise`, here for what happened just now, and the channel for what the
//! process died in. The rows are the truth; what is kept here is who is being served right now, and what became of a
//! delivery until that is written down.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

use crate::{
    clock::Clock,
    domain::{
        delivery::{Delivery, DeliveryFailure},
        ids::{ChannelKind, ConversationId, MessageId, OutboxId},
        limits::BROKEN_SEND_PAUSE_MAX,
    },
    store::{
        Store, StoreError,
        outbox::{Callback, DeliveryState, NewParcel},
    },
};

/// Longest sleep between two looks at the outbox; a new answer wakes it at once.
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// How often a stop looks whether everything was brought.
const SETTLING: Duration = Duration::from_millis(20);
/// First wait after something failed; it doubles each time.
const FIRST_RETRY: Duration = Duration::from_secs(1);
/// Longest wait between two tries to deliver: an outage may last for days.
const LONGEST_RETRY: Duration = Duration::from_secs(300);

/// The answers on their way.
#[derive(Debug)]
pub(super) struct Outbox {
    store: Store,
    clock: Clock,
    terminal: Notify,
    telegram: Notify,
    matrix: Notify,
    busy: Mutex<Busy>,
}

/// A conversation of a channel.
type Place = (ChannelKind, ConversationId);

#[derive(Debug, Default)]
struct Busy {
    conversations: HashSet<Place>,
    deliveries: HashMap<OutboxId, Claim>,
    /// How many deliveries ended.
    ends: u64,
    /// The channels on which something arrived last, or was heard, and nothing failed since.
    open: HashSet<ChannelKind>,
}

/// A delivery somebody has. It is let go of when all that is known of it is written down, and not before: its row is
/// old until then, and what was delivered would be delivered again.
#[derive(Debug)]
struct Claim {
    place: Place,
    /// Parts that arrived or may have, before and now.
    parts: Vec<Option<MessageId>>,
    /// Some of them are not in the row yet.
    parts_are_new: bool,
    /// How it ended, when that is to be written again if it is not written now, and how often that was tried.
    end: Option<(End, Instant, u32)>,
}

/// What became of a delivery.
#[derive(Clone, Debug)]
enum End {
    /// It is over.
    Over(DeliveryState),
    /// It comes again, not before this moment; milliseconds since 1970.
    NotBefore(i64),
    /// It comes again, after a pause that grows with every try.
    Later,
    /// The same for what may have arrived: it comes as a copy.
    Copy,
    /// It may have arrived: it is kept, and its person is told.
    Offered(Box<Offer>),
}

/// The notice that offers an answer again, and the button under it.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    /// What is said.
    pub(super) notice: NewParcel,
    /// What the button does.
    pub(super) button: Callback,
}

/// What follows when nobody knows whether a delivery arrived.
#[derive(Clone, Debug)]
pub(super) enum Broken {
    /// It comes again, as a copy.
    SendAgain,
    /// Its person is told.
    Offer(Box<Offer>),
    /// There is nobody to tell any more.
    Over,
}

impl Outbox {
    /// The outbox of this store.
    pub(super) fn new(store: Store, clock: Clock) -> Self {
        Self {
            store,
            clock,
            terminal: Notify::new(),
            telegram: Notify::new(),
            matrix: Notify::new(),
            busy: Mutex::default(),
        }
    }

    /// Something new may be waiting for this channel.
    pub(super) fn wake(&self, channel: ChannelKind) {
        self.bell(channel).notify_one();
    }

    /// The next delivery of a channel; waits until there is one.
    pub(super) async fn next(&self, channel: ChannelKind) -> Delivery {
        loop {
            for id in self.to_write_again(channel) {
                self.write_end(id).await;
            }
            let now_ms = self.clock.now_ms();
            let ends = self.locked().ends;
            match self.store.outbox_due(channel, now_ms).await {
                Ok(due) => {
                    if let Some(delivery) = due.into_iter().find(|delivery| self.claim(channel, delivery, ends)) {
                        return delivery;
                    }
                }
                Err(error) => tracing::error!(%error, "cannot look into the outbox"),
            }
            let wait = match self.store.outbox_next_due(channel, now_ms).await {
                Ok(Some(due)) => Duration::from_millis(u64::try_from(due - now_ms).unwrap_or(0)).min(LOOK_AGAIN),
                Ok(None) | Err(_) => LOOK_AGAIN,
            };
            let until = Instant::now() + wait;
            let until = self.next_write(channel).map_or(until, |write| write.min(until));
            tokio::select! {
                () = self.bell(channel).notified() => {}
                () = tokio::time::sleep_until(until) => {}
            }
        }
    }

    /// Waits until nothing is due on this channel.
    pub(super) async fn settled(&self, channel: ChannelKind) {
        loop {
            match self.store.outbox_due(channel, self.clock.now_ms()).await {
                Ok(due) if due.is_empty() => return,
                Ok(_) => tokio::time::sleep(SETTLING).await,
                Err(error) => {
                    tracing::error!(%error, "cannot look into the outbox");
                    return;
                }
            }
        }
    }

    /// The next part is about to be sent where a second copy would be seen; `false` when that cannot be written down,
    /// and it must not be sent.
    pub(super) async fn begin(&self, id: OutboxId) -> bool {
        let begun = self.store.outbox_begin(id).await;
        if let Err(error) = &begun {
            tracing::error!(%error, "cannot note that a send begins; it is not sent now");
        }
        begun.is_ok()
    }

    /// Something proves that the way to this channel's people is open: what waits by itself need not wait.
    pub(super) async fn way_is_open(&self, channel: ChannelKind) {
        if !self.locked().open.insert(channel) {
            return;
        }
        if let Err(error) = self.store.outbox_hurry(channel).await {
            tracing::error!(%error, "what waits comes after its pause");
        }
        self.wake(channel);
    }

    /// A part arrived, or may have (`None`).
    pub(super) async fn part(&self, id: OutboxId, part: Option<MessageId>) {
        let parts = {
            let mut busy = self.locked();
            let Some(claim) = busy.deliveries.get_mut(&id) else {
                tracing::error!(id = id.0, "a part of what nobody was given");
                return;
            };
            claim.parts.push(part);
            claim.parts_are_new = true;
            claim.parts.clone()
        };
        match self.store.outbox_parts(id, parts).await {
            Ok(()) => self.parts_are_written(id),
            Err(error) => tracing::error!(%error, "cannot note a delivered part; it may be sent again after a crash"),
        }
    }

    /// All of it arrived.
    pub(super) async fn delivered(&self, id: OutboxId) {
        self.end(id, End::Over(DeliveryState::Delivered)).await;
    }

    /// It did not arrive, or nobody knows: then `broken` follows.
    pub(super) async fn undelivered(&self, id: OutboxId, failure: DeliveryFailure, broken: Broken) {
        let end = match failure {
            DeliveryFailure::RetryAfter(wait) => self.not_before(wait),
            DeliveryFailure::Unreachable(reason) => {
                tracing::warn!(reason, "an answer could not be delivered yet");
                End::Later
            }
            DeliveryFailure::Ambiguous(reason) => {
                tracing::warn!(reason, "a message may have been delivered");
                match broken {
                    Broken::SendAgain => End::Copy,
                    Broken::Offer(offer) => End::Offered(offer),
                    Broken::Over => End::Over(DeliveryState::Uncertain),
                }
            }
            DeliveryFailure::Permanent(reason) => {
                tracing::warn!(reason, "an answer can never be delivered");
                End::Over(DeliveryState::Failed)
            }
        };
        self.end(id, end).await;
    }

    fn not_before(&self, wait: Duration) -> End {
        End::NotBefore(self.in_ms(wait))
    }

    /// So long from now, in milliseconds since 1970.
    fn in_ms(&self, wait: Duration) -> i64 {
        let wait_ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        self.clock.now_ms().saturating_add(wait_ms)
    }

    async fn end(&self, id: OutboxId, end: End) {
        if let Some(claim) = self.locked().deliveries.get_mut(&id) {
            claim.end = Some((end, Instant::now(), 0));
        }
        self.write_end(id).await;
    }

    /// Writes down what became of a delivery and lets go of it. What cannot be written is remembered: `next` tries
    /// again, after a pause that grows, and until then nothing of its conversation goes out.
    async fn write_end(&self, id: OutboxId) {
        let (channel, end, parts) = {
            let mut busy = self.locked();
            let Some(claim) = busy.deliveries.get_mut(&id) else {
                tracing::error!(id = id.0, "the end of what nobody was given");
                return;
            };
            let Some((end, again, tries)) = &mut claim.end else {
                return;
            };
            // Set before it is tried: whoever waits for this may be dropped.
            *again = Instant::now() + pause(*tries).min(LOOK_AGAIN);
            *tries = tries.saturating_add(1);
            let parts = claim.parts_are_new.then(|| claim.parts.clone());
            (claim.place.0, end.clone(), parts)
        };
        let is_closed = matches!(end, End::Later | End::Copy);
        let is_proof = matches!(end, End::Over(DeliveryState::Delivered));
        match self.write(id, end, parts).await {
            Ok(()) => {
                if is_closed {
                    self.locked().open.remove(&channel);
                }
                self.let_go(id);
                if is_proof {
                    self.way_is_open(channel).await;
                }
            }
            Err(error) => tracing::error!(%error, "cannot note the end of a delivery; it is not sent again meanwhile"),
        }
        self.wake(channel);
    }

    async fn write(&self, id: OutboxId, end: End, parts: Option<Vec<Option<MessageId>>>) -> Result<(), StoreError> {
        if let Some(parts) = parts {
            self.store.outbox_parts(id, parts).await?;
            self.parts_are_written(id);
        }
        match end {
            End::Over(state) => self.store.outbox_end(id, state).await,
            End::NotBefore(moment_ms) => self.store.outbox_postpone(id, moment_ms, false).await,
            End::Later => {
                let wait = pause(self.store.outbox_attempts(id).await?).min(LONGEST_RETRY);
                self.store.outbox_postpone(id, self.in_ms(wait), true).await
            }
            End::Copy => {
                let wait = copy_pause(self.store.outbox_attempts(id).await?);
                self.store.outbox_postpone_broken(id, self.in_ms(wait)).await
            }
            End::Offered(offer) => {
                let Offer { notice, button } = *offer;
                self.store.outbox_offer(id, notice, button, self.clock.now_ms()).await
            }
        }
    }

    fn parts_are_written(&self, id: OutboxId) {
        if let Some(claim) = self.locked().deliveries.get_mut(&id) {
            claim.parts_are_new = false;
        }
    }

    /// The deliveries of a channel whose end is to be written again by now.
    fn to_write_again(&self, channel: ChannelKind) -> Vec<OutboxId> {
        let now = Instant::now();
        let busy = self.locked();
        let ended = busy.deliveries.iter().filter(|(_, claim)| claim.place.0 == channel);
        let due = ended.filter(|(_, claim)| {
            claim
                .end
                .as_ref()
                .is_some_and(|(_, again, tries)| *tries > 0 && *again <= now)
        });
        due.map(|(id, _)| *id).collect()
    }

    /// When that is the case the next time.
    fn next_write(&self, channel: ChannelKind) -> Option<Instant> {
        let busy = self.locked();
        let claims = busy.deliveries.values().filter(|claim| claim.place.0 == channel);
        claims.filter_map(|claim| Some(claim.end.as_ref()?.1)).min()
    }

    /// Takes a delivery, unless somebody has it or any delivery ended since the rows were read: they may be old then,
    /// and what was delivered in between would be delivered twice.
    fn claim(&self, channel: ChannelKind, delivery: &Delivery, ends: u64) -> bool {
        let mut busy = self.locked();
        if busy.ends != ends {
            return false;
        }
        let place = (channel, delivery.conversation.clone());
        if !busy.conversations.insert(place.clone()) {
            return false;
        }
        let claim = Claim {
            place,
            parts: delivery.sent_parts.clone(),
            parts_are_new: false,
            end: None,
        };
        busy.deliveries.insert(delivery.id, claim);
        true
    }

    fn let_go(&self, id: OutboxId) {
        let mut busy = self.locked();
        busy.ends = busy.ends.wrapping_add(1);
        if let Some(claim) = busy.deliveries.remove(&id) {
            busy.conversations.remove(&claim.place);
        }
    }

    fn locked(&self) -> MutexGuard<'_, Busy> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bell(&self, channel: ChannelKind) -> &Notify {
        match channel {
            ChannelKind::Terminal => &self.terminal,
            ChannelKind::Telegram => &self.telegram,
            ChannelKind::Matrix => &self.matrix,
        }
    }
}

/// The pause after so many failures; whoever waits says how long it may become.
fn pause(failures: u32) -> Duration {
    FIRST_RETRY.saturating_mul(1 << failures.min(10))
}

/// The pause before what may have arrived comes once more: a way that swallows every answer brings few copies.
fn copy_pause(failures: u32) -> Duration {
    FIRST_RETRY
        .saturating_mul(1 << failures.min(17))
        .min(BROKEN_SEND_PAUSE_MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;
    use crate::domain::{delivery::Parcel, reply::Reply};

    /// Answers are fetched by one task while others report them delivered, as the channels do.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn an_answer_is_handed_out_once() {
        const ANSWERS: usize = 200;
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("test.sqlite")).unwrap();
        for number in 0..ANSWERS {
            let conversation = ConversationId::from(format!("{}", number % 7));
            let parcel = Parcel::Reply(Reply::text(format!("{number}")));
            let parcel = NewParcel::new(ChannelKind::Telegram, conversation, parcel);
            store.outbox_add(parcel, None, 0).await.unwrap();
        }
        let outbox = Arc::new(Outbox::new(store, Clock::system()));
        let handed_out = Arc::new(AtomicUsize::new(0));
        let fetching = async {
            loop {
                let delivery = outbox.next(ChannelKind::Telegram).await;
                handed_out.fetch_add(1, Ordering::SeqCst);
                let outbox = Arc::clone(&outbox);
                tokio::spawn(async move { outbox.delivered(delivery.id).await });
            }
        };
        let settled = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            outbox.settled(ChannelKind::Telegram).await;
        };
        tokio::select! {
            () = settled => {}
            () = fetching => {}
        }
        assert_eq!(handed_out.load(Ordering::SeqCst), ANSWERS);
    }
}
