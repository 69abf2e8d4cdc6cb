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
        ids::{CallbackToken, ChannelKind, TurnId},
        inbound::Inbound,
        item::Item,
        message::Message,
        reply::{Block, Button, ButtonKind, Reply},
    },
    jobs::Morning,
    nights::digest::{self, Choice, Digest, Look, Told},
    store::{
        StoreError,
        digest::Rhythm,
        outbox::{Callback, NewParcel},
    },
};

/// The answer a thing is told in, as buttons know it.
const TOLD: &str = "digest:";
/// The same of one that is not made yet.
const NEW: &str = "new:";
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
    let told_ms = store.digest_told(&host.id).await?;
    if !is_due(store.digest_rhythm(&host.id).await?, told_ms, now_ms) {
        return Ok(0);
    }
    let since_ms = told_ms.unwrap_or(now_ms.saturating_sub(DAY_MS));
    let news = digest::gather(store, None, since_ms, Look::Morning).await?;
    if !Digest::has_news(&news) {
        return Ok(0);
    }
    let Some((channel, conversation)) = firings::place_for(inner, &host, Vec::new()).await? else {
        return Ok(0);
    };
    let digest = digest::compose(&news);
    let said = said(inner, &host, channel, &digest, form);
    let mut parcels: Vec<NewParcel> = said
        .messages
        .into_iter()
        .map(|(reply, answer)| NewParcel {
            turn: answer,
            ..NewParcel::new(channel, conversation.clone(), Parcel::Reply(reply))
        })
        .collect();
    firings::hold(inner, &host, &mut parcels).await?;
    let count = parcels.len();
    let is_told = store.tell_digest(&host.id, parcels, said.callbacks, now_ms).await?;
    inner.outbox.wake(channel);
    Ok(if is_told { count } else { 0 })
}

/// Whether a person is told this morning.
fn is_due(rhythm: Rhythm, told_ms: Option<i64>, now_ms: i64) -> bool {
    let days = |count: i64| count.saturating_mul(DAY_MS);
    match (rhythm, told_ms) {
        (Rhythm::Off, _) => false,
        // The clock is changed twice a year: a week is a little less.
        (Rhythm::Weekly, Some(told_ms)) => now_ms.saturating_sub(told_ms) >= days(7) - DAY_MS / 2,
        (Rhythm::Daily, _) | (Rhythm::Weekly, None) => true,
    }
}

/// What is said, message by message, with the buttons under each.
#[derive(Default)]
struct Said {
    messages: Vec<(Reply, Option<TurnId>)>,
    callbacks: Vec<Callback>,
}

/// The greeting first, then what waits for a word with its buttons, then what is only told.
fn said(inner: &Inner, host: &Actor, channel: ChannelKind, digest: &Digest, form: DigestForm) -> Said {
    let mut said = Said::default();
    let mut head = vec![Message::new("digest-good-morning")];
    let is_many = form == DigestForm::Aggregated && digest.learned.len() >= TOGETHER_FROM;
    // A reaction says which message it is about and no more: there each thing is a message.
    if is_many && channel != ChannelKind::Matrix {
        let mut buttons = Vec::new();
        for told in &digest.learned {
            head.extend(told.lines.iter().cloned());
            let callbacks = callbacks_for(host, told);
            buttons.extend(buttons_for(inner, host, told, &callbacks, true));
            said.callbacks.extend(callbacks);
        }
        head.extend(digest.rest.iter().cloned());
        let reply = reply_of(inner, host, head.into_iter());
        said.messages.push((Reply { buttons, ..reply }, None));
        return said;
    }
    for told in &digest.learned {
        let callbacks = callbacks_for(host, told);
        let mut lines: Vec<Message> = head.drain(..).chain(told.lines.iter().cloned()).collect();
        lines.extend(how(channel, told));
        let reply = Reply {
            buttons: buttons_for(inner, host, told, &callbacks, false),
            ..reply_of(inner, host, lines.into_iter())
        };
        said.messages.push((reply, Some(answer_of(told))));
        said.callbacks.extend(callbacks);
    }
    if !digest.rest.is_empty() {
        let lines = head.drain(..).chain(digest.rest.iter().cloned());
        said.messages.push((reply_of(inner, host, lines), None));
    }
    said
}

/// What the signs under a message stand for, where there are no buttons with words.
fn how(channel: ChannelKind, told: &Told) -> Option<Message> {
    let key = match (channel, told.choice) {
        (ChannelKind::Telegram | ChannelKind::Terminal, _) => return None,
        (ChannelKind::Matrix, Choice::Stays) => "digest-signs-stay",
        (ChannelKind::Matrix, Choice::IsMade) => "digest-signs-make",
    };
    Some(Message::new(key).with("item", told.item.to_string()))
}

fn reply_of(inner: &Inner, host: &Actor, lines: impl Iterator<Item = Message>) -> Reply {
    Reply {
        blocks: lines.map(|line| Block::text(inner.say(host.lang, &line))).collect(),
        ..Reply::default()
    }
}

fn answer_of(told: &Told) -> TurnId {
    let asked = match told.choice {
        Choice::Stays => "",
        Choice::IsMade => NEW,
    };
    TurnId::from(format!("{TOLD}{asked}{}", told.item))
}

/// What can be done about a thing.
fn callbacks_for(host: &Actor, told: &Told) -> Vec<Callback> {
    [ButtonKind::Keep, ButtonKind::Unlearn]
        .into_iter()
        .map(|kind| Callback {
            token: CallbackToken::from(Uuid::new_v4().simple().to_string()),
            actor: host.id.clone(),
            turn: answer_of(told),
            kind,
            dialog: None,
        })
        .collect()
}

/// The same as buttons; among those of other things each says which it is about.
fn buttons_for(inner: &Inner, host: &Actor, told: &Told, callbacks: &[Callback], is_among: bool) -> Vec<Button> {
    let words = match told.choice {
        Choice::Stays => ["button-keep", "button-unlearn"],
        Choice::IsMade => ["button-make", "button-leave"],
    };
    let of = if is_among {
        format!(" {}", told.item)
    } else {
        String::new()
    };
    callbacks
        .iter()
        .zip(words)
        .map(|(callback, words)| Button {
            kind: callback.kind,
            label: format!("{}{of}", inner.say(host.lang, &Message::new(words))),
            token: callback.token.clone(),
            chosen: false,
        })
        .collect()
}

/// A tap on *Keep* or *Undo*: it acts once, and a late one is told what became of the thing.
pub(super) async fn press(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    callback: &Callback,
) -> Result<Pressed, StoreError> {
    let name = callback.turn.as_str().strip_prefix(TOLD).unwrap_or_default();
    let (is_new, name) = name.strip_prefix(NEW).map_or((false, name), |name| (true, name));
    let Some(item) = Item::parse(name) else {
        return Ok(feedback::toast(inner, actor.lang, "feedback-gone"));
    };
    let is_kept = callback.kind == ButtonKind::Keep;
    let is_late = !is_kept && decisions::is_kept(inner, item).await?;
    let said = match item {
        // What was decided is decided: the other button is the same tap, seen too late.
        _ if is_late => Message::new("digest-stays").with("item", item.to_string()),
        Item::Proposal(id) if is_new => decisions::decide_on_new(inner, id, is_kept).await,
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
            words: None,
        };
        let parcel = NewParcel::new(inbound.channel, inbound.conversation.clone(), parcel);
        feedback::send(inner, parcel, &actor.id).await?;
    }
    Ok(Pressed {
        as_expected: false,
        toast: Some(inner.say(actor.lang, &said)),
    })
}
