//! Voice notes: heard by the household's own speech server, shown as words, and answered like what is typed. Words may
//! be misheard: they approve nothing, and what they would change is shown first (`Turn::is_spoken`). Called by `files`
//! for a note that came alone. A note that was passed on is only written down: its words are not those of who passed it
//! on.

use std::{fs, path::Path, sync::Arc};

use super::{Inner, dialogs, feedback, turn};
use crate::{
    domain::{
        actor::{Actor, Role},
        attachment::{FileKind, SentFile},
        delivery::Parcel,
        message::Message,
        reply::Reply,
    },
    speech::{Heard, SpeechError},
    store::{StoreError, inbox::Waiting, outbox::NewParcel},
};

/// Whether a file is something said to us, and no file to be kept with words about it.
pub(super) fn is_spoken(file: &SentFile) -> bool {
    file.kind == FileKind::Voice && file.caption.trim().is_empty()
}

/// A note that lies at `path`, as `shown` to its person.
pub(super) async fn noted(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    (file, path, shown): (&SentFile, &Path, &str),
) -> Result<(), StoreError> {
    let heard = inner.parts.speech.hear(path, actor.lang).await;
    let heard = match heard {
        Ok(heard) => heard,
        Err(error) => {
            let message = not_heard(inner, &error, actor).with("path", shown);
            return end(inner, waiting, actor, &message).await;
        }
    };
    match heard {
        Heard { text, .. } if text.is_empty() => {
            forget(inner, waiting, path).await?;
            end(inner, waiting, actor, &Message::new("voice-nothing")).await
        }
        Heard { text, .. } if file.is_forwarded => {
            let message = Message::new("voice-written").with("text", text).with("path", shown);
            end(inner, waiting, actor, &message).await
        }
        Heard { text, is_sure: false } => {
            forget(inner, waiting, path).await?;
            end(inner, waiting, actor, &Message::new("voice-unsure").with("text", text)).await
        }
        Heard { text, is_sure: true } => {
            forget(inner, waiting, path).await?;
            // Before anything is shown: what was said may be a password.
            if let Some(refusal) = dialogs::not_by_voice(inner, &waiting.inbound, actor, &text).await? {
                return turn::close(inner, waiting, Some(refusal)).await;
            }
            let words = inner.say(actor.lang, &Message::new("voice-heard").with("text", text.as_str()));
            let (channel, conversation) = (waiting.inbound.channel, waiting.inbound.conversation.clone());
            let parcel = NewParcel::new(channel, conversation, Parcel::Reply(Reply::text(words))).answering("");
            feedback::send(inner, parcel, &actor.id).await?;
            turn::answer_text(inner, waiting, actor, &text).await
        }
    }
}

async fn end(inner: &Inner, waiting: &Waiting, actor: &Actor, message: &Message) -> Result<(), StoreError> {
    turn::close(inner, waiting, Some(Reply::text(inner.say(actor.lang, message)))).await
}

fn not_heard(inner: &Inner, error: &SpeechError, actor: &Actor) -> Message {
    let key = match error {
        SpeechError::Off => {
            let who = match actor.role {
                Role::Host => "host",
                Role::Guest => "guest",
            };
            return Message::new("voice-off").with("who", who);
        }
        SpeechError::Refused(status) if *status < 500 => "voice-unreadable",
        SpeechError::Refused(_) | SpeechError::Unavailable(_) | SpeechError::Unreadable => "voice-unavailable",
        SpeechError::Disk(_) => "file-not-kept",
    };
    tracing::warn!(%error, "a voice note was not heard");
    let message = Message::new(key);
    match inner.parts.speech.server_trouble() {
        Some(trouble) => message.with("why", trouble),
        None => message.with("why", "none"),
    }
}

/// What is answered as words is no file of anybody's.
async fn forget(inner: &Inner, waiting: &Waiting, path: &Path) -> Result<(), StoreError> {
    if let Err(error) = fs::remove_file(path) {
        tracing::warn!(%error, "a voice note that was heard stays in the inbox");
    }
    inner.parts.store.file_forgotten(waiting.id).await
}
