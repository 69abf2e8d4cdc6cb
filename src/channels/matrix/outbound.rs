//! Brings the runtime's deliveries to rooms. Conversations go side by side; inside one the runtime hands out the next
//! delivery only after the one before was reported. Every message carries a name by which the homeserver knows it, so
//! that trying again after a doubt brings no second one.

use std::sync::Arc;

use metnos_matrix::{Bot, Failure, Kind, Outgoing, OutgoingFile, Pin, Place};
use tokio::{sync::Semaphore, task::JoinSet};
use tokio_util::sync::CancellationToken;

use super::{
    html::{Drawn, parts, words},
    name::place,
    pieces::{Brought, Piece, kind_of, mime_of, pieces, size},
    progress::Progress,
    signs,
};
use crate::{
    channels::{
        attached::{name_of as name_of_path, size_of},
        printable::one_line,
    },
    domain::{
        delivery::{Delivery, DeliveryFailure, Parcel},
        ids::{ChannelKind, MessageId},
        limits::{SENT_FILE_BYTES_MAX, SHUTDOWN_GRACE},
        message::Message,
        reply::{Button, Reply},
    },
    runtime::Runtime,
};

/// Most deliveries on their way at once.
const AT_ONCE_MAX: usize = 16;

/// Sends messages and seeds reactions. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Courier {
    bot: Bot,
    progress: Progress,
}

/// Carries deliveries until told to stop, and finishes those on their way.
pub(super) async fn run(runtime: &Runtime, courier: &Courier, stop: &CancellationToken) {
    let places = Arc::new(Semaphore::new(AT_ONCE_MAX));
    let mut on_their_way = JoinSet::new();
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (runtime.next_delivery(ChannelKind::Matrix).await, place)
        };
        let (delivery, place) = tokio::select! {
            () = stop.cancelled() => break,
            taken = next => taken,
        };
        let (runtime, courier) = (runtime.clone(), courier.clone());
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
            words,
        } => courier.change(&delivery, message, buttons, words.as_ref()).await,
        Parcel::Reply(reply) => courier.bring_reply(runtime, &delivery, reply).await,
        Parcel::Retract { message, .. } => courier.take_back(&delivery, message).await,
        Parcel::Delete { message } => courier.take_secret_away(runtime, &delivery, message).await,
    };
    match result {
        Ok(()) => runtime.delivered(delivery.id).await,
        Err(failure) => {
            tracing::warn!(conversation = %delivery.conversation, ?failure, "answer not brought");
            runtime.undelivered(delivery.id, failure).await;
        }
    }
}

impl Courier {
    /// A courier that takes progress notices away once the answer is there.
    pub(super) fn new(bot: Bot, progress: Progress) -> Self {
        Self { bot, progress }
    }

    /// A person's message goes away where the room lets us; where it does not, they are told to remove it themselves.
    async fn take_secret_away(
        &self,
        runtime: &Runtime,
        delivery: &Delivery,
        message: &MessageId,
    ) -> Result<(), DeliveryFailure> {
        match self.take_back(delivery, message).await {
            Err(DeliveryFailure::Permanent(reason)) => {
                tracing::warn!(reason, "a message with a secret stays in the room");
                let lang = runtime.lang_of_delivery(delivery.id).await;
                let line = words(&runtime.say(lang, &Message::new("secret-delete-yourself")));
                self.send_words(delivery, &line, 0).await.map(drop)
            }
            other => other,
        }
    }

    async fn take_back(&self, delivery: &Delivery, message: &MessageId) -> Result<(), DeliveryFailure> {
        let Some((event, _thread)) = place(message) else {
            return Ok(());
        };
        let redacted = self.bot.redact(delivery.conversation.as_str(), event).await;
        redacted.map_err(failure)
    }

    async fn bring_reply(&self, runtime: &Runtime, delivery: &Delivery, reply: &Reply) -> Result<(), DeliveryFailure> {
        let pieces = pieces(reply);
        if pieces.is_empty() {
            return Err(DeliveryFailure::Permanent("an answer without words".to_owned()));
        }
        let mut last = delivery.sent_parts.last().cloned().flatten();
        for (index, piece) in pieces.iter().enumerate().skip(delivery.sent_parts.len()) {
            let sent = self.send_piece(runtime, delivery, piece, index).await?;
            runtime.part_delivered(delivery.id, sent.clone()).await;
            last = Some(sent);
        }
        self.progress.finish(delivery).await;
        match last {
            Some(message) => self.seed(delivery, &message, &reply.buttons).await,
            None => Ok(()),
        }
    }

    async fn send_piece(
        &self,
        runtime: &Runtime,
        delivery: &Delivery,
        piece: &Piece,
        index: usize,
    ) -> Result<MessageId, DeliveryFailure> {
        match piece {
            Piece::Words(drawn) => self.send_words(delivery, drawn, index).await,
            Piece::File(file) => self.send_file(runtime, delivery, file, index).await,
            Piece::Pin { point, description } => {
                let pin = Pin {
                    latitude: point.latitude(),
                    longitude: point.longitude(),
                    description: description.clone(),
                    place: place_in(delivery, index),
                };
                let room = delivery.conversation.as_str();
                let sent = self.bot.send_pin(room, &pin, &part_name(delivery, index)).await;
                sent.map(MessageId::from).map_err(failure)
            }
        }
    }

    async fn send_words(&self, delivery: &Delivery, words: &Drawn, index: usize) -> Result<MessageId, DeliveryFailure> {
        let message = Outgoing {
            kind: Kind::Text,
            text: words.text.clone(),
            html: Some(words.html.clone()),
            place: place_in(delivery, index),
            replaces: None,
        };
        let room = delivery.conversation.as_str();
        let sent = self.bot.send(room, &message, &part_name(delivery, index)).await;
        sent.map(MessageId::from).map_err(failure)
    }

    /// Sends a file. Of one that cannot be sent the person is told instead, so that the words of the answer still come.
    async fn send_file(
        &self,
        runtime: &Runtime,
        delivery: &Delivery,
        file: &Brought,
        index: usize,
    ) -> Result<MessageId, DeliveryFailure> {
        let name = one_line(&name_of_path(&file.path));
        let why_not = match self.look_at(file, &name, place_in(delivery, index)).await {
            Ok(outgoing) => {
                let room = delivery.conversation.as_str();
                match self.bot.send_file(room, &outgoing, &part_name(delivery, index)).await {
                    Ok(sent) => return Ok(sent.into()),
                    Err(Failure::Refused(reason)) => {
                        tracing::warn!(reason, "a file was refused");
                        Message::new("matrix-file-refused")
                    }
                    Err(other) => return Err(failure(other)),
                }
            }
            Err(why_not) => why_not,
        };
        let lang = runtime.lang_of_delivery(delivery.id).await;
        let mut words = words(&runtime.say(lang, &why_not.with("name", name)));
        if let Some(caption) = &file.caption {
            words.text.push('\n');
            words.text.push_str(&caption.text);
            words.html.push_str(&caption.html);
        }
        self.send_words(delivery, &words, index).await
    }

    /// The file as it can be sent now, or why it cannot.
    async fn look_at(&self, file: &Brought, name: &str, place: Place) -> Result<OutgoingFile, Message> {
        let Some(bytes) = size_of(&file.path).await else {
            return Err(Message::new("matrix-file-gone"));
        };
        let servers = self.bot.upload_limit().await.unwrap_or(u64::MAX);
        let limit = servers.min(SENT_FILE_BYTES_MAX);
        if bytes > limit {
            return Err(Message::new("matrix-file-too-large").with("limit", size(limit)));
        }
        Ok(OutgoingFile {
            path: file.path.clone(),
            kind: kind_of(file.kind),
            name: name.to_owned(),
            mime: mime_of(&file.path).to_owned(),
            bytes_max: limit,
            caption: file.caption.clone().map(|words| (words.text, words.html)),
            place,
        })
    }

    /// Puts the reactions there to be tapped. One that cannot be put there is missed by nobody: words do the same.
    async fn seed(&self, delivery: &Delivery, message: &MessageId, buttons: &[Button]) -> Result<(), DeliveryFailure> {
        for button in buttons {
            let Some(sign) = signs::seed(button.kind) else {
                continue;
            };
            let name = format!("{}-{sign}", name_of(delivery));
            let seeded = self
                .bot
                .react(delivery.conversation.as_str(), message.as_str(), sign, &name)
                .await;
            match seeded {
                Ok(_) => {}
                Err(Failure::Refused(reason)) => tracing::warn!(reason, "a reaction was refused"),
                Err(other) => return Err(failure(other)),
            }
        }
        Ok(())
    }

    /// Takes our reactions away with the last button; which one was chosen the person's own reaction shows.
    /// What a message says, and the signs under it: without any, those that we put there go.
    async fn change(
        &self,
        delivery: &Delivery,
        message: &MessageId,
        buttons: &[Button],
        words: Option<&Reply>,
    ) -> Result<(), DeliveryFailure> {
        if let Some(drawn) = words.and_then(|words| parts(words).into_iter().next()) {
            let edit = Outgoing {
                kind: Kind::Text,
                text: drawn.text,
                html: Some(drawn.html),
                place: Place::default(),
                replaces: Some(message.as_str().to_owned()),
            };
            let room = delivery.conversation.as_str();
            let sent = self.bot.send(room, &edit, &name_of(delivery)).await;
            sent.map_err(failure)?;
        }
        if !buttons.is_empty() {
            return Ok(());
        }
        self.bot
            .unreact(delivery.conversation.as_str(), message.as_str())
            .await
            .map_err(failure)
    }
}

/// Where a part of an answer stands: the first one quotes the message, all keep to its thread.
fn place_in(delivery: &Delivery, index: usize) -> Place {
    let (event, thread) = delivery.reply_to.as_ref().and_then(place).unzip();
    Place {
        reply_to: event.filter(|_| index == 0).map(str::to_owned),
        thread: thread.flatten().map(str::to_owned),
    }
}

fn part_name(delivery: &Delivery, index: usize) -> String {
    format!("{}-{index}", name_of(delivery))
}

/// The name of a delivery at the homeserver: the same after a restart, and never that of another.
fn name_of(delivery: &Delivery) -> String {
    let answered = delivery.reply_to.as_ref().map_or("", MessageId::as_str);
    let turn = delivery.turn.as_ref().map_or("", |turn| turn.as_str());
    let name = format!("{}-{turn}-{answered}", delivery.id.0);
    name.replace([' ', '/'], "-")
}

fn failure(failure: Failure) -> DeliveryFailure {
    match failure {
        Failure::Wait(wait) => DeliveryFailure::RetryAfter(wait),
        Failure::Unreachable(reason) => DeliveryFailure::Unreachable(reason),
        logged_out @ Failure::LoggedOut { .. } => DeliveryFailure::Unreachable(logged_out.to_string()),
        Failure::Refused(reason) => DeliveryFailure::Permanent(reason),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::domain::{delivery::Promise, ids::OutboxId};

    #[test]
    fn a_delivery_keeps_its_name_and_shares_it_with_none() {
        let delivery = |id, reply_to: &str| Delivery {
            id: OutboxId(id),
            conversation: "!r:b".into(),
            reply_to: Some(reply_to.into()),
            turn: None,
            parcel: Parcel::Reply(Reply::text("x")),
            sent_parts: Vec::new(),
            promise: Promise::AtMostOnce,
            is_broken: false,
            runs: 1,
        };
        assert_eq!(name_of(&delivery(1, "$a $root")), name_of(&delivery(1, "$a $root")));
        assert_ne!(name_of(&delivery(1, "$a")), name_of(&delivery(2, "$a")));
        assert_ne!(
            name_of(&delivery(1, "$a")),
            name_of(&delivery(1, "$b")),
            "a database that began anew"
        );
        assert!(!name_of(&delivery(1, "$a $root")).contains(' '));
    }

    #[test]
    fn what_a_failure_means_for_a_delivery() {
        let wait = Duration::from_secs(3);
        assert_eq!(failure(Failure::Wait(wait)), DeliveryFailure::RetryAfter(wait));
        assert!(matches!(
            failure(Failure::Unreachable("x".into())),
            DeliveryFailure::Unreachable(_)
        ));
        assert!(matches!(
            failure(Failure::LoggedOut { soft: true }),
            DeliveryFailure::Unreachable(_)
        ));
        assert!(matches!(
            failure(Failure::Refused("x".into())),
            DeliveryFailure::Permanent(_)
        ));
    }
}
