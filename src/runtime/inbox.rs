//! From a message to its conversation's queue: durable first, then in order, one turn at a time. Conversations run
//! beside each other. The queue is bounded; what does not fit is told to wait, and is answered that way, not lost.
//! Only a stop does not wait: it is for what runs.

use std::{collections::BTreeMap, sync::Arc};

use super::{Inner, Submitted, cut_off, edits, lanes::Lane, location, stop, turn};
use crate::{
    domain::{
        ids::{ChannelKind, ConversationId, InboxId},
        inbound::{Inbound, InboundBody},
        limits::CONVERSATION_QUEUE_MAX,
        message::Message,
    },
    store::{StoreError, inbox::Waiting},
};

/// Keeps a new message and queues it.
pub(super) async fn receive(inner: &Arc<Inner>, inbound: Inbound) -> Result<Submitted, StoreError> {
    if location::follow(inner, &inbound).await? {
        return Ok(Submitted::Accepted);
    }
    if let InboundBody::Edited { .. } = inbound.body {
        return edits::receive(inner, inbound).await;
    }
    let Some(id) = inner
        .parts
        .store
        .inbox_add(&inbound, inner.parts.clock.now_ms())
        .await?
    else {
        return Ok(Submitted::Duplicate);
    };
    begin(inner, id, inbound).await
}

/// A kept message takes its place in the queue, unless it is for what runs now.
pub(super) async fn begin(inner: &Arc<Inner>, id: InboxId, inbound: Inbound) -> Result<Submitted, StoreError> {
    if !Box::pin(stop::overtakes(inner, &inbound, id)).await? {
        let waiting = Waiting {
            id,
            inbound,
            cut_off: None,
            attempts: 0,
            stopped: false,
            password: None,
        };
        Box::pin(enqueue(inner, waiting)).await?;
    }
    Ok(Submitted::Accepted)
}

/// Queues what an earlier start left without an answer. It was accepted then, so none of it is refused now, however
/// much there is of it.
pub(super) fn take_up(inner: &Arc<Inner>, open: Vec<Waiting>) {
    let mut left = BTreeMap::<_, Vec<Waiting>>::new();
    for waiting in open {
        let place = (waiting.inbound.channel.as_str(), waiting.inbound.conversation.clone());
        left.entry(place).or_default().push(waiting);
    }
    for messages in left.into_values() {
        let places = CONVERSATION_QUEUE_MAX.max(messages.len());
        for waiting in messages {
            if put(inner, waiting, places).is_some() {
                tracing::error!("a queue that was made large enough is full; the message stays in the inbox");
            }
        }
    }
}

/// Queues a message that is already durable.
pub(super) async fn enqueue(inner: &Arc<Inner>, waiting: Waiting) -> Result<(), StoreError> {
    if inner.stop.is_cancelled() {
        return Ok(());
    }
    match put(inner, waiting, CONVERSATION_QUEUE_MAX) {
        None => Ok(()),
        Some(refused) => turn::excuse(inner, &refused, &Message::new("queue-full")).await,
    }
}

/// Hands the message to its conversation's task, starting one if need be; gives it back when the queue is full.
fn put(inner: &Arc<Inner>, waiting: Waiting, places: usize) -> Option<Waiting> {
    let place = (waiting.inbound.channel, waiting.inbound.conversation.clone());
    inner.conversations.put(&place, waiting, places, |lane| {
        inner.tasks.spawn(converse(Arc::clone(inner), lane));
    })
}

/// One conversation: a message, its turn, the next message. Ends when it was quiet for a while, or the process stops.
async fn converse(inner: Arc<Inner>, mut lane: Lane<(ChannelKind, ConversationId), Waiting>) {
    loop {
        let waiting = tokio::select! {
            biased;
            () = inner.stop.cancelled() => return,
            next = inner.conversations.next(&mut lane) => match next {
                Some(waiting) => waiting,
                None => return,
            },
        };
        // A bug in a turn must not silence the conversation: it ends that turn alone, and the person is told.
        inner.running.begin(&waiting);
        let answered = tokio::spawn(answer(Arc::clone(&inner), waiting.clone())).await;
        let failed = match answered {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(format!(
                "{error}: {:?}",
                std::error::Error::source(&error).map(ToString::to_string)
            )),
            Err(panicked) => Some(panicked.to_string()),
        };
        if let Some(failed) = failed {
            tracing::error!(failed, "a turn broke");
            let why = cut_off::broken(&inner, &waiting).await;
            if let Err(error) = turn::excuse(&inner, &waiting, &why).await {
                tracing::error!(%error, "cannot even apologise; the message stays in the inbox");
            }
            // Whoever shows that it runs would show it for ever.
            if let Some(turn) = inner.running.turn_for(&waiting) {
                turn::tell_end(&inner, &waiting.inbound, turn);
            }
        }
        if let Err(error) = stop::end(&inner, &waiting).await {
            tracing::error!(%error, "a stop that came too late stays without a word");
        }
    }
}

/// Answers a message in its last words. One that is over by now gets no answer: its person was locked out or erased
/// while it waited.
async fn answer(inner: Arc<Inner>, waiting: Waiting) -> Result<(), StoreError> {
    match inner.parts.store.inbox_take(waiting.id).await? {
        Some(inbound) => turn::answer(inner, Waiting { inbound, ..waiting }).await,
        None => Ok(()),
    }
}
