//! Brings the runtime's deliveries to Telegram. Conversations go side by side; inside one the runtime hands out the
//! next delivery only after the one before was reported, so their order holds by itself. Nothing that may have
//! arrived is sent again; where it may not have, a last line says so and carries the buttons.

use std::{sync::Arc, time::Duration};

use tokio::{sync::Semaphore, task::JoinSet};
use tokio_util::sync::CancellationToken;

use super::{
    api::{Api, Words},
    chunk::{UNITS_MAX, chunks},
    failure::ApiFailure,
    html::{Run, html, plain, runs},
    keyboard::keyboard,
    progress::Progress,
};
use crate::{
    domain::{
        delivery::{Delivery, DeliveryFailure, Parcel},
        ids::{ChannelKind, MessageId, SenderId},
        limits::SHUTDOWN_GRACE,
        message::Message,
        reply::{Button, Reply},
    },
    runtime::Runtime,
};

/// Most deliveries on their way at once; Telegram allows about thirty messages a second over all chats.
const AT_ONCE_MAX: usize = 16;
/// Pause between the parts of one answer.
const PART_PAUSE: Duration = Duration::from_millis(50);

/// Carries deliveries until told to stop, and finishes those on their way.
pub(super) async fn run(runtime: &Runtime, courier: &Courier, stop: &CancellationToken) {
    let places = Arc::new(Semaphore::new(AT_ONCE_MAX));
    let mut on_their_way = JoinSet::new();
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (runtime.next_delivery(ChannelKind::Telegram).await, place)
        };
        let (delivery, place) = tokio::select! {
            () = stop.cancelled() => break,
            taken = next => taken,
        };
        let runtime = runtime.clone();
        let courier = courier.clone();
        on_their_way.spawn(async move {
            bring(&runtime, &courier, delivery).await;
            drop(place);
        });
        while let Some(joined) = on_their_way.try_join_next() {
            if let Err(error) = joined {
                tracing::error!(%error, "a delivery failed in our own code");
            }
        }
    }
    let finished = async { while on_their_way.join_next().await.is_some() {} };
    if tokio::time::timeout(SHUTDOWN_GRACE, finished).await.is_err() {
        tracing::warn!("stopped before every answer was brought");
    }
}

async fn bring(runtime: &Runtime, courier: &Courier, delivery: Delivery) {
    let result = match &delivery.parcel {
        Parcel::Keyboard { message, buttons } => courier.change_keyboard(&delivery, message, buttons).await,
        Parcel::Reply(reply) => bring_reply(runtime, courier, &delivery, reply).await,
    };
    match result {
        Ok(()) => runtime.delivered(delivery.id).await,
        Err(failure) => {
            tracing::warn!(conversation = %delivery.conversation, ?failure, "answer not brought");
            runtime.undelivered(delivery.id, failure).await;
        }
    }
}

async fn bring_reply(
    runtime: &Runtime,
    courier: &Courier,
    delivery: &Delivery,
    reply: &Reply,
) -> Result<(), DeliveryFailure> {
    let parts = parts(reply)?;
    let mut sent: Vec<bool> = delivery.sent_parts.iter().map(Option::is_some).collect();
    for part in parts.iter().skip(delivery.sent_parts.len()) {
        if sent.len() > delivery.sent_parts.len() {
            tokio::time::sleep(PART_PAUSE).await;
        }
        sent.push(send_once(runtime, courier, delivery, part).await?);
    }
    if sent.iter().all(|arrived| *arrived) {
        return Ok(());
    }
    if sent.len() == parts.len() {
        let has_buttons = !reply.buttons.is_empty() && sent.last() == Some(&false);
        let key = if has_buttons {
            "telegram-perhaps-lost-buttons"
        } else {
            "telegram-perhaps-lost"
        };
        // Only private chats are answered, and those have the number of their person.
        let person = SenderId::from(delivery.conversation.as_str());
        let lang = runtime.lang_of(ChannelKind::Telegram, &person).await;
        let line = Reply::text(runtime.say(lang, &Message::new(key)));
        let buttons = if has_buttons { reply.buttons.clone() } else { Vec::new() };
        let part = Part {
            runs: runs(&line),
            is_first: false,
            buttons,
        };
        send_once(runtime, courier, delivery, &part).await?;
    }
    let count = sent.iter().filter(|arrived| !**arrived).count();
    Err(DeliveryFailure::Ambiguous(format!("{count} parts may have arrived")))
}

/// Sends a part and notes it; `false` when nobody knows whether it arrived.
async fn send_once(
    runtime: &Runtime,
    courier: &Courier,
    delivery: &Delivery,
    part: &Part,
) -> Result<bool, DeliveryFailure> {
    match courier.send_part(delivery, part).await {
        Ok(message) => {
            runtime.part_delivered(delivery.id, message).await;
            Ok(true)
        }
        Err(DeliveryFailure::Ambiguous(reason)) => {
            tracing::warn!(conversation = %delivery.conversation, reason, "a part may have arrived; not sent again");
            runtime.part_uncertain(delivery.id).await;
            Ok(false)
        }
        Err(failure) => Err(failure),
    }
}

/// One message of an answer.
#[derive(Clone, Debug)]
pub(super) struct Part {
    runs: Vec<Run>,
    is_first: bool,
    /// Under the last part only.
    buttons: Vec<Button>,
}

/// The answer as messages; the same answer always gives the same ones.
pub(super) fn parts(reply: &Reply) -> Result<Vec<Part>, DeliveryFailure> {
    let texts = chunks(&runs(reply), UNITS_MAX);
    let last = texts
        .len()
        .checked_sub(1)
        .ok_or_else(|| DeliveryFailure::Permanent("an answer without words".to_owned()))?;
    let part = |(index, runs)| Part {
        runs,
        is_first: index == 0,
        buttons: if index == last {
            reply.buttons.clone()
        } else {
            Vec::new()
        },
    };
    Ok(texts.into_iter().enumerate().map(part).collect())
}

/// Sends and edits. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Courier {
    api: Api,
    progress: Progress,
}

impl Courier {
    /// A courier that turns progress messages into answers.
    pub(super) fn new(api: Api, progress: Progress) -> Self {
        Self { api, progress }
    }

    /// Sends one part, or puts it in the place of the turn's progress message.
    pub(super) async fn send_part(&self, delivery: &Delivery, part: &Part) -> Result<MessageId, DeliveryFailure> {
        let chat = chat_of(delivery)?;
        if part.is_first
            && let Some(turn) = &delivery.turn
            && let Some(message) = self.progress.take(&delivery.conversation, turn).await
        {
            match self.replace(chat, message, part).await {
                Ok(()) => return Ok(message.to_string().into()),
                Err(ApiFailure::Gone) => tracing::debug!("progress message is gone; the answer comes as a new one"),
                Err(failure) => {
                    self.progress.keep(delivery.conversation.clone(), turn.clone(), message);
                    return Err(failure.of_edit());
                }
            }
        }
        let reply_to = part.is_first.then(|| reply_to(delivery)).flatten();
        let sent = self.send(chat, part, reply_to).await.map_err(ApiFailure::of_send)?;
        Ok(sent.to_string().into())
    }

    /// Shows other buttons under a message that was sent before.
    pub(super) async fn change_keyboard(
        &self,
        delivery: &Delivery,
        message: &MessageId,
        buttons: &[Button],
    ) -> Result<(), DeliveryFailure> {
        let chat = chat_of(delivery)?;
        let number = number_of(message).ok_or_else(|| DeliveryFailure::Permanent("no such message".to_owned()))?;
        match self.api.edit_keyboard(chat, number, keyboard(buttons)).await {
            Ok(()) | Err(ApiFailure::NotModified | ApiFailure::Gone) => Ok(()),
            Err(failure) => Err(failure.of_edit()),
        }
    }

    async fn send(&self, chat: i64, part: &Part, reply_to: Option<i32>) -> Result<i32, ApiFailure> {
        let formatted = html(&part.runs);
        match self
            .api
            .send(chat, Words::Html(&formatted), reply_to, part.keyboard())
            .await
        {
            Err(ApiFailure::Unreadable(reason)) => {
                tracing::error!(reason, "telegram cannot read our html; sent as plain text");
                let text = plain(&part.runs);
                self.api
                    .send(chat, Words::Plain(&text), reply_to, part.keyboard())
                    .await
            }
            other => other,
        }
    }

    async fn replace(&self, chat: i64, message: i32, part: &Part) -> Result<(), ApiFailure> {
        let formatted = html(&part.runs);
        let mut result = self
            .api
            .edit(chat, message, Words::Html(&formatted), part.keyboard())
            .await;
        if let Err(ApiFailure::Unreadable(reason)) = &result {
            tracing::error!(reason, "telegram cannot read our html; sent as plain text");
            let text = plain(&part.runs);
            result = self.api.edit(chat, message, Words::Plain(&text), part.keyboard()).await;
        }
        match result {
            Err(ApiFailure::NotModified) => Ok(()),
            other => other,
        }
    }
}

impl Part {
    fn keyboard(&self) -> Option<teloxide::types::InlineKeyboardMarkup> {
        (!self.buttons.is_empty()).then(|| keyboard(&self.buttons))
    }
}

fn chat_of(delivery: &Delivery) -> Result<i64, DeliveryFailure> {
    delivery.conversation.as_str().parse().map_err(|error| {
        tracing::error!(conversation = %delivery.conversation, %error, "not a telegram chat");
        DeliveryFailure::Permanent("not a telegram chat".to_owned())
    })
}

/// The message to quote. A tap is no message; what it leads to stands alone.
fn reply_to(delivery: &Delivery) -> Option<i32> {
    delivery.reply_to.as_ref().and_then(number_of)
}

fn number_of(message: &MessageId) -> Option<i32> {
    match message.as_str().parse() {
        Ok(number) => Some(number),
        Err(_) if message.as_str().starts_with("tap:") => None,
        Err(error) => {
            tracing::debug!(%message, %error, "not a telegram message");
            None
        }
    }
}

#[cfg(test)]
mod tests;
