//! The digest in the morning: said to the host where they were last, with *Keep* and *Undo* under each thing, or as one
//! message when there are several; and what those buttons do. Called by its job and by `feedback`.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::{Inner, digest as decisions, feedback, firings, turn};
use crate::{
    config::DigestForm,
    domain::{
        actor::Actor,
        delivery::{Parcel, Pressed},
        ids::{CallbackToken, TurnId},
        inbound::Inbound,
        item::Item,
        message::Message,
        reply::{Block, Button, ButtonKind, Reply},
    },
    jobs::Morning,
    nights::digest::{self, Digest, Told},
    store::{
        StoreError,
        outbox::{Callback, NewParcel},
    },
};

/// The answer a thing is told in, as buttons know it.
const TOLD: &str = "digest:";
/// From so many things on they come in one message.
const TOGETHER_FROM: usize = 3;
/// A first digest looks back on a day.
const DAY_MS: i64 = 24 * 3_600 * 1_000;

impl Morning for Inner {
    fn tell(&self) -> BoxFuture<'_, Result<usize, StoreError>> {
        Box::pin(tell(self))
    }

    fn warn(&self, line: Message) -> BoxFuture<'_, Result<bool, StoreError>> {
        Box::pin(warn(self, line))
    }
}

/// Says one line to the host, where they were last, unless they want to hear nothing in the morning.
async fn warn(inner: &Inner, line: Message) -> Result<bool, StoreError> {
    let is_silent = inner.parts.engine.promoter.digest == DigestForm::Silent;
    let Some(host) = inner.parts.store.host().await?.filter(|_| !is_silent) else {
        return Ok(false);
    };
    let Some((channel, conversation)) = firings::place_for(inner, &host, Vec::new()).await? else {
        return Ok(false);
    };
    let reply = Parcel::Reply(reply_of(inner, &host, std::iter::once(line)));
    let mut parcels = [NewParcel::new(channel, conversation, reply)];
    firings::hold(inner, &host, &mut parcels).await?;
    for parcel in parcels {
        feedback::send(inner, parcel, &host.id).await?;
    }
    Ok(true)
}

/// Says what is new since the last time; how many messages that took.
async fn tell(inner: &Inner) -> Result<usize, StoreError> {
    let store = &inner.parts.store;
    let form = inner.parts.engine.promoter.digest;
    let Some(host) = store.host().await?.filter(|_| form != DigestForm::Silent) else {
        return Ok(0);
    };
    let now_ms = inner.parts.clock.now_ms();
    let since_ms = store
        .digest_told(&host.id)
        .await?
        .unwrap_or(now_ms.saturating_sub(DAY_MS));
    let news = digest::gather(store, None, since_ms, now_ms).await?;
    if !Digest::has_news(&news) {
        return Ok(0);
    }
    let Some((channel, conversation)) = firings::place_for(inner, &host, Vec::new()).await? else {
        return Ok(0);
    };
    let digest = digest::compose(&news);
    let is_together = form == DigestForm::Aggregated && digest.learned.len() >= TOGETHER_FROM;
    let mut parcels = Vec::new();
    let mut callbacks = Vec::new();
    let mut say = |reply: Reply, answer: Option<TurnId>| {
        parcels.push(NewParcel {
            turn: answer,
            ..NewParcel::new(channel, conversation.clone(), Parcel::Reply(reply))
        });
    };
    let head = Message::new("digest-good-morning");
    if is_together {
        let lines = std::iter::once(head).chain(digest.lines());
        say(reply_of(inner, &host, lines), None);
    } else {
        for told in &digest.learned {
            let (reply, buttons) = with_buttons(inner, &host, told);
            say(reply, Some(answer_of(told.item)));
            callbacks.extend(buttons);
        }
        if !digest.rest.is_empty() {
            let lines = std::iter::once(head).chain(digest.rest.iter().cloned());
            say(reply_of(inner, &host, lines), None);
        }
    }
    firings::hold(inner, &host, &mut parcels).await?;
    let count = parcels.len();
    let is_told = store.tell_digest(&host.id, parcels, callbacks, now_ms).await?;
    inner.outbox.wake(channel);
    Ok(if is_told { count } else { 0 })
}

fn reply_of(inner: &Inner, host: &Actor, lines: impl Iterator<Item = Message>) -> Reply {
    Reply {
        blocks: lines.map(|line| Block::text(inner.say(host.lang, &line))).collect(),
        ..Reply::default()
    }
}

fn answer_of(item: Item) -> TurnId {
    TurnId::from(format!("{TOLD}{item}"))
}

/// One thing, with what can be done about it.
fn with_buttons(inner: &Inner, host: &Actor, told: &Told) -> (Reply, Vec<Callback>) {
    let callbacks: Vec<Callback> = [ButtonKind::Keep, ButtonKind::Unlearn]
        .into_iter()
        .map(|kind| Callback {
            token: CallbackToken::from(Uuid::new_v4().simple().to_string()),
            actor: host.id.clone(),
            turn: answer_of(told.item),
            kind,
            dialog: None,
        })
        .collect();
    let mut reply = reply_of(inner, host, told.lines.iter().cloned());
    reply.buttons = callbacks
        .iter()
        .zip(["button-keep", "button-unlearn"])
        .map(|(callback, words)| Button {
            kind: callback.kind,
            label: inner.say(host.lang, &Message::new(words)),
            token: callback.token.clone(),
            chosen: false,
        })
        .collect();
    (reply, callbacks)
}

/// A tap on *Keep* or *Undo*: it acts once, and a late one is told what became of the thing.
pub(super) async fn press(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    callback: &Callback,
) -> Result<Pressed, StoreError> {
    let item = callback.turn.as_str().strip_prefix(TOLD).and_then(Item::parse);
    let Some(item) = item else {
        return Ok(feedback::toast(inner, actor.lang, "feedback-gone"));
    };
    let is_kept = callback.kind == ButtonKind::Keep;
    let said = match item {
        Item::Proposal(id) => decisions::decide_on_tool(inner, id, is_kept).await,
        Item::Autopath(_) | Item::Removal(_) if is_kept => {
            decisions::keep(&inner.parts.store, actor, item, inner.parts.clock.now_ms()).await?
        }
        Item::Autopath(_) | Item::Removal(_) => {
            decisions::undo(&inner.parts.store, actor, item, inner.parts.clock.now_ms()).await?
        }
    };
    if turn::has_keyboard(inbound.channel)
        && let Some(message) = inner.parts.store.answer_message(&callback.turn).await?
    {
        let parcel = Parcel::Keyboard {
            message,
            buttons: Vec::new(),
        };
        let parcel = NewParcel::new(inbound.channel, inbound.conversation.clone(), parcel);
        feedback::send(inner, parcel, &actor.id).await?;
    }
    Ok(Pressed {
        as_expected: false,
        toast: Some(inner.say(actor.lang, &said)),
    })
}
