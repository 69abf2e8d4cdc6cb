//! Hands answers to channels, oldest first in each conversation and one at a time, until they are delivered.
//! The rows are the truth; what is kept here is only who is being served right now.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::Notify;

use crate::{
    clock::Clock,
    domain::{
        delivery::{Delivery, DeliveryFailure},
        ids::{ChannelKind, ConversationId, MessageId, OutboxId},
    },
    store::{Store, StoreError, outbox::DeliveryState},
};

/// Longest sleep between two looks at the outbox; a new answer wakes it at once.
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// How often a stop looks whether everything was brought.
const SETTLING: Duration = Duration::from_millis(20);
/// First wait after a delivery surely failed; it doubles each time.
const FIRST_RETRY: Duration = Duration::from_secs(1);
/// Longest wait between two tries.
const LONGEST_RETRY: Duration = Duration::from_secs(300);
/// A delivery is given up after so many tries, about a day of them.
const TRIES_MAX: u32 = 300;

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

#[derive(Debug, Default)]
struct Busy {
    conversations: HashSet<(ChannelKind, ConversationId)>,
    deliveries: HashMap<OutboxId, (ChannelKind, ConversationId)>,
    /// How many deliveries ended.
    ends: u64,
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
            let now_ms = self.clock.now_ms();
            let ends = self.ends();
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
            tokio::select! {
                () = self.bell(channel).notified() => {}
                () = tokio::time::sleep(wait) => {}
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

    /// A part arrived, or may have (`None`).
    pub(super) async fn part(&self, id: OutboxId, part: Option<MessageId>) {
        if let Err(error) = self.store.outbox_part(id, part).await {
            tracing::error!(%error, "cannot note a delivered part; it may be sent again after a crash");
        }
    }

    /// All of it arrived.
    pub(super) async fn delivered(&self, id: OutboxId) {
        self.end(id, self.store.outbox_end(id, DeliveryState::Delivered).await);
    }

    /// It did not arrive, or nobody knows.
    pub(super) async fn undelivered(&self, id: OutboxId, failure: DeliveryFailure) {
        let written = match failure {
            DeliveryFailure::RetryAfter(wait) => self.postpone(id, wait).await,
            DeliveryFailure::Unreachable(reason) => {
                tracing::warn!(reason, "an answer could not be delivered yet");
                self.postpone_longer(id).await
            }
            DeliveryFailure::Ambiguous(reason) => {
                tracing::warn!(reason, "an answer may have been delivered; not sent again");
                self.store.outbox_end(id, DeliveryState::Uncertain).await
            }
            DeliveryFailure::Permanent(reason) => {
                tracing::warn!(reason, "an answer can never be delivered");
                self.store.outbox_end(id, DeliveryState::Failed).await
            }
        };
        self.end(id, written);
    }

    async fn postpone_longer(&self, id: OutboxId) -> Result<(), StoreError> {
        let tries = self.store.outbox_attempts(id).await?;
        if tries >= TRIES_MAX {
            tracing::error!(tries, "an answer is given up");
            return self.store.outbox_end(id, DeliveryState::Failed).await;
        }
        let wait = FIRST_RETRY.saturating_mul(1 << tries.min(10)).min(LONGEST_RETRY);
        self.postpone(id, wait).await
    }

    async fn postpone(&self, id: OutboxId, wait: Duration) -> Result<(), StoreError> {
        let wait_ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        self.store
            .outbox_postpone(id, self.clock.now_ms().saturating_add(wait_ms))
            .await
            .map(drop)
    }

    fn ends(&self) -> u64 {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner).ends
    }

    /// Takes a delivery, unless somebody has it or any delivery ended since the rows were read: they may be old then,
    /// and what was delivered in between would be delivered twice.
    fn claim(&self, channel: ChannelKind, delivery: &Delivery, ends: u64) -> bool {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if busy.ends != ends {
            return false;
        }
        let place = (channel, delivery.conversation.clone());
        if !busy.conversations.insert(place.clone()) {
            return false;
        }
        busy.deliveries.insert(delivery.id, place);
        true
    }

    fn end(&self, id: OutboxId, written: Result<(), StoreError>) {
        if let Err(error) = written {
            tracing::error!(%error, "cannot note the end of a delivery");
        }
        let place = {
            let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
            busy.ends = busy.ends.wrapping_add(1);
            let place = busy.deliveries.remove(&id);
            if let Some(place) = &place {
                busy.conversations.remove(place);
            }
            place
        };
        if let Some((channel, _)) = place {
            self.wake(channel);
        }
    }

    fn bell(&self, channel: ChannelKind) -> &Notify {
        match channel {
            ChannelKind::Terminal => &self.terminal,
            ChannelKind::Telegram => &self.telegram,
            ChannelKind::Matrix => &self.matrix,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;
    use crate::{
        domain::{delivery::Parcel, reply::Reply},
        store::outbox::NewParcel,
    };

    /// Answers are fetched by one task while others report them delivered, as the channels do.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn an_answer_is_handed_out_once() {
        const ANSWERS: usize = 200;
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("test.sqlite")).unwrap();
        for number in 0..ANSWERS {
            let parcel = NewParcel {
                channel: ChannelKind::Telegram,
                conversation: ConversationId::from(format!("{}", number % 7)),
                turn: None,
                reply_to: None,
                parcel: Parcel::Reply(Reply::text(format!("{number}"))),
            };
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
