//! Brings the runtime's deliveries to Telegram. Conversations go side by side; inside one the runtime hands out the
//! next delivery only after the one before was reported, so their order holds by itself. Telegram shows a message that
//! is sent twice twice, so that each send is written down before it begins. What follows where nobody knows whether one
//! arrived, now or in the life before, says the promise of the message.

use std::{sync::Arc, time::Duration};

use tokio::{sync::Semaphore, task::JoinSet};
use tokio_util::sync::CancellationToken;

use super::{
    api::{Api, Words},
    chunk::{UNITS_MAX, beginning, chunks},
    failure::ApiFailure,
    html::{Run, html, plain, runs},
    keyboard::{self, keyboard},
    media::{self, Piece},
    progress::Progress,
};
use crate::{
    domain::{
        delivery::{AfterBreak, Delivery, DeliveryFailure, Parcel},
        ids::{ChannelKind, MessageId, SenderId},
        limits::SHUTDOWN_GRACE,
        message::Message,
        reply::{Block, Button, Expects, Reply, Span},
    },
    runtime::Runtime,
};

/// Most deliveries on their way at once; Telegram allows about thirty messages a second over all chats.
const AT_ONCE_MAX: usize = 16;
/// Room in a message for the line that says that it is a copy, in UTF-16 units.
const COPY_UNITS: usize = 200;
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
        Parcel::Keyboard {
            message,
            buttons,
            words: None,
        } => courier.change_keyboard(&delivery, message, buttons).await,
        Parcel::Keyboard {
            message,
            buttons,
            words: Some(words),
        } => courier.change_words(&delivery, message, buttons, words).await,
        Parcel::Retract { message, instead } => courier.retract(&delivery, message, instead).await,
        Parcel::Delete { message } => take_back(runtime, courier, &delivery, message).await,
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

/// Takes the person's message away. Where Telegram refuses, only the person can do it, and is asked to.
async fn take_back(
    runtime: &Runtime,
    courier: &Courier,
    delivery: &Delivery,
    message: &MessageId,
) -> Result<(), DeliveryFailure> {
    let chat = chat_of(delivery)?;
    let Some(number) = number_of(message) else {
        return Ok(());
    };
    let failure = match courier.api.delete(chat, number).await {
        Ok(()) | Err(ApiFailure::Gone) => return Ok(()),
        Err(failure) => failure.of_edit(),
    };
    if let DeliveryFailure::Permanent(reason) = &failure {
        tracing::warn!(conversation = %delivery.conversation, reason, "a message with a secret stays in the chat");
        let person = SenderId::from(delivery.conversation.as_str());
        let lang = runtime.lang_of(ChannelKind::Telegram, &person).await;
        let line = Reply::text(runtime.say(lang, &Message::new("secret-delete-yourself")));
        for part in parts(&line)? {
            courier.send_part(runtime, delivery, &part).await?;
        }
        return Ok(());
    }
    Err(failure)
}

async fn bring_reply(
    runtime: &Runtime,
    courier: &Courier,
    delivery: &Delivery,
    reply: &Reply,
) -> Result<(), DeliveryFailure> {
    let mut parts = parts(reply)?;
    let mut sent: Vec<bool> = delivery.sent_parts.iter().map(Option::is_some).collect();
    if delivery.is_broken {
        match delivery.promise.after_break() {
            AfterBreak::SendAgain => {
                let line = say(runtime, delivery, &Message::new("delivery-copy")).await;
                mark_copy(&mut parts, sent.len(), line);
            }
            AfterBreak::Offer => {
                runtime.part_uncertain(delivery.id).await;
                sent.push(false);
            }
        }
    }
    let before = sent.len();
    for part in parts.iter().skip(before) {
        if sent.len() > before {
            tokio::time::sleep(PART_PAUSE).await;
        }
        sent.push(send_once(runtime, courier, delivery, part).await?);
    }
    if sent.iter().all(|arrived| *arrived) {
        return Ok(());
    }
    let count = sent.iter().filter(|arrived| !**arrived).count();
    Err(DeliveryFailure::Ambiguous(format!("{count} parts may have arrived")))
}

/// The part that comes once more says so, as far as it has words; else the next one that has.
fn mark_copy(parts: &mut [Part], at: usize, line: String) {
    let words = parts.iter_mut().skip(at).find_map(|part| match &mut part.content {
        Content::Words(words) => Some(words),
        Content::Piece(_) => None,
    });
    if let Some(words) = words {
        words.splice(
            0..0,
            runs(&Reply {
                blocks: vec![Block::Paragraph(vec![Span::Italic(line)]), Block::text("")],
                ..Reply::default()
            }),
        );
    }
}

/// A sentence of the channel itself, in the language of the person.
async fn say(runtime: &Runtime, delivery: &Delivery, message: &Message) -> String {
    // Only private chats are answered, and those have the number of their person.
    let person = SenderId::from(delivery.conversation.as_str());
    let lang = runtime.lang_of(ChannelKind::Telegram, &person).await;
    runtime.say(lang, message)
}

/// Sends a part and notes it; `false` when nobody knows whether it arrived.
async fn send_once(
    runtime: &Runtime,
    courier: &Courier,
    delivery: &Delivery,
    part: &Part,
) -> Result<bool, DeliveryFailure> {
    let sent = match &part.content {
        Content::Words(_) => courier.send_part(runtime, delivery, part).await,
        Content::Piece(piece) => bring_piece(runtime, courier, delivery, piece, part.is_first).await,
    };
    match sent {
        Ok(message) => {
            runtime.part_delivered(delivery.id, message).await;
            Ok(true)
        }
        Err(DeliveryFailure::Ambiguous(reason)) if delivery.promise.after_break() == AfterBreak::Offer => {
            tracing::warn!(conversation = %delivery.conversation, reason, "a part may have arrived; not sent again");
            runtime.part_uncertain(delivery.id).await;
            Ok(false)
        }
        Err(failure) => Err(failure),
    }
}

/// Files and places go in one call each. Of files that are no longer there the person is told, beside the others or
/// instead of them; one that Telegram refuses for good is told too, so that the words of the answer still come.
async fn bring_piece(
    runtime: &Runtime,
    courier: &Courier,
    delivery: &Delivery,
    piece: &Piece,
    is_first: bool,
) -> Result<MessageId, DeliveryFailure> {
    let chat = chat_of(delivery)?;
    let quoted = is_first.then(|| reply_to(delivery)).flatten();
    let api = &courier.api;
    begin(runtime, delivery).await?;
    let sent = match piece {
        Piece::Pin { point, title, address } => api.send_pin(chat, *point, title, address, quoted).await,
        Piece::Files(files) => {
            let checked = media::check(files).await;
            let mut note = Vec::new();
            for told in checked.told() {
                note.push(say(runtime, delivery, &told).await);
            }
            let note = note.join("\n");
            if checked.ready.is_empty() {
                let note = beginning(&note, UNITS_MAX);
                api.send(chat, Words::Plain(note), quoted, None).await
            } else {
                api.send_files(chat, &checked.ready, &note, quoted).await
            }
        }
    };
    let sent = match sent {
        Err(ApiFailure::Refused(reason)) => {
            tracing::warn!(reason, "telegram refuses an attachment");
            let note = say(runtime, delivery, &Message::new("telegram-attachment-refused")).await;
            api.send(chat, Words::Plain(&note), quoted, None).await
        }
        other => other,
    };
    sent.map(|message| message.to_string().into())
        .map_err(ApiFailure::of_send)
}

/// A new message is about to be sent: written down first, since Telegram would show it twice.
async fn begin(runtime: &Runtime, delivery: &Delivery) -> Result<(), DeliveryFailure> {
    let is_noted = runtime.part_begun(delivery.id).await;
    is_noted
        .then_some(())
        .ok_or_else(|| DeliveryFailure::Unreachable("the send cannot be written down".to_owned()))
}

/// One message of an answer.
#[derive(Clone, Debug)]
pub(super) struct Part {
    content: Content,
    is_first: bool,
    /// Under the last part only.
    buttons: Vec<Button>,
    /// With the last part only.
    expects: Expects,
}

/// What a message holds.
#[derive(Clone, Debug)]
enum Content {
    Words(Vec<Run>),
    Piece(Piece),
}

/// The answer as messages; the same answer always gives the same ones. What it brings along comes first, so that the
/// words with the buttons stay at the end.
pub(super) fn parts(reply: &Reply) -> Result<Vec<Part>, DeliveryFailure> {
    let texts = chunks(&runs(reply), UNITS_MAX - COPY_UNITS);
    if texts.is_empty() {
        return Err(DeliveryFailure::Permanent("an answer without words".to_owned()));
    }
    let pieces = media::pieces(&reply.attachments).into_iter().map(Content::Piece);
    let contents: Vec<Content> = pieces.chain(texts.into_iter().map(Content::Words)).collect();
    let last = contents.len() - 1;
    let part = |(index, content)| Part {
        content,
        is_first: index == 0,
        buttons: if index == last {
            reply.buttons.clone()
        } else {
            Vec::new()
        },
        expects: if index == last {
            reply.expects.clone()
        } else {
            Expects::Anything
        },
    };
    Ok(contents.into_iter().enumerate().map(part).collect())
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
    pub(super) async fn send_part(
        &self,
        runtime: &Runtime,
        delivery: &Delivery,
        part: &Part,
    ) -> Result<MessageId, DeliveryFailure> {
        let chat = chat_of(delivery)?;
        // Only the first words find a progress message: they take it away.
        if let Some(turn) = &delivery.turn
            && let Some(message) = self.progress.take(&delivery.conversation, turn).await
        {
            if part.needs_new_message() {
                // A keyboard in place of the letters comes with a new message or not at all.
                match self.api.delete(chat, message).await {
                    Ok(()) | Err(ApiFailure::Gone) => self.progress.gone(&delivery.conversation, message).await,
                    Err(failure) => tracing::debug!(?failure, "progress message stays"),
                }
                begin(runtime, delivery).await?;
                let sent = self.send(chat, part, None).await.map_err(ApiFailure::of_send)?;
                return Ok(sent.to_string().into());
            }
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
        begin(runtime, delivery).await?;
        let sent = self.send(chat, part, reply_to).await.map_err(ApiFailure::of_send)?;
        Ok(sent.to_string().into())
    }

    /// Takes our own message away; one that is too old for that says other words instead.
    async fn retract(&self, delivery: &Delivery, message: &MessageId, instead: &str) -> Result<(), DeliveryFailure> {
        let chat = chat_of(delivery)?;
        let Some(number) = number_of(message) else {
            return Ok(());
        };
        let failure = match self.api.delete(chat, number).await {
            Ok(()) | Err(ApiFailure::Gone) => return Ok(()),
            Err(ApiFailure::Refused(reason)) => {
                tracing::debug!(reason, "a message of ours cannot be taken away");
                match self.api.edit(chat, number, Words::Plain(instead), None).await {
                    Ok(()) | Err(ApiFailure::NotModified | ApiFailure::Gone) => return Ok(()),
                    Err(failure) => failure,
                }
            }
            Err(failure) => failure,
        };
        Err(failure.of_edit())
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

    /// The message says something else from now on.
    async fn change_words(
        &self,
        delivery: &Delivery,
        message: &MessageId,
        buttons: &[Button],
        words: &Reply,
    ) -> Result<(), DeliveryFailure> {
        let chat = chat_of(delivery)?;
        let number = number_of(message).ok_or_else(|| DeliveryFailure::Permanent("no such message".to_owned()))?;
        let reply = Reply {
            buttons: buttons.to_vec(),
            ..words.clone()
        };
        let parts = parts(&reply)?;
        let Some(part) = parts.first() else { return Ok(()) };
        match self.replace(chat, number, part).await {
            Ok(()) | Err(ApiFailure::Gone) => Ok(()),
            Err(failure) => Err(failure.of_edit()),
        }
    }

    async fn send(&self, chat: i64, part: &Part, reply_to: Option<i32>) -> Result<i32, ApiFailure> {
        let formatted = html(part.runs());
        let markup = || keyboard::markup(&part.buttons, &part.expects);
        match self.api.send(chat, Words::Html(&formatted), reply_to, markup()).await {
            Err(ApiFailure::Unreadable(reason)) => {
                tracing::error!(reason, "telegram cannot read our html; sent as plain text");
                let text = plain(part.runs());
                self.api.send(chat, Words::Plain(&text), reply_to, markup()).await
            }
            other => other,
        }
    }

    async fn replace(&self, chat: i64, message: i32, part: &Part) -> Result<(), ApiFailure> {
        let formatted = html(part.runs());
        let mut result = self
            .api
            .edit(chat, message, Words::Html(&formatted), part.keyboard())
            .await;
        if let Err(ApiFailure::Unreadable(reason)) = &result {
            tracing::error!(reason, "telegram cannot read our html; sent as plain text");
            let text = plain(part.runs());
            result = self.api.edit(chat, message, Words::Plain(&text), part.keyboard()).await;
        }
        match result {
            Err(ApiFailure::NotModified) => Ok(()),
            other => other,
        }
    }
}

impl Part {
    /// Its words; none for what is no text.
    fn runs(&self) -> &[Run] {
        match &self.content {
            Content::Words(runs) => runs,
            Content::Piece(_) => &[],
        }
    }

    fn needs_new_message(&self) -> bool {
        match self.expects {
            Expects::Anything | Expects::Secret => false,
            Expects::Location { .. } | Expects::LocationDone => true,
        }
    }

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
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_words_is_not_sent() {
        let failure = parts(&Reply::text(" \n")).unwrap_err();
        assert!(matches!(failure, DeliveryFailure::Permanent(_)));
    }
}
