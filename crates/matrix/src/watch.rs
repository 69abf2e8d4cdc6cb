//! Watches the rooms: asks the server what is new, decrypts it, and hands it out in batches. The place up to which
//! everything was taken moves only when who takes a batch says so; until then a start asks for it again. A message
//! whose key is missing waits: the key is looked for in the account's backup, and asked of other devices of the bot's
//! own where one is verified; senders are never asked, since none would answer. It is tried again, and in the end
//! handed out as unreadable; the place waits for it, too.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use matrix_sdk::{
    Room,
    config::{SyncSettings, SyncToken},
    deserialized_responses::{TimelineEvent, TimelineEventKind},
    encryption::DuplicateOneTimeKeyErrorMessage,
    room::MessagesOptions,
    ruma::{
        MilliSecondsSinceUnixEpoch, RoomId, api::client::sync::sync_events, events::AnySyncTimelineEvent, serde::Raw,
        uint,
    },
    sync::{JoinedRoomUpdate, SyncResponse},
};
use serde_json::Value;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use rooms::{is_encrypted, is_private, membership_of, name_of, verification, wanted};

use crate::{
    Body, Bot, Failure,
    read::{Said, read},
};

/// How long the server may keep a question open.
const POLL: Duration = Duration::from_secs(25);
/// The same while a key is missing.
const POLL_FOR_KEY: Duration = Duration::from_secs(2);
/// How long a missing key is waited for.
const KEY_WITHIN: Duration = Duration::from_secs(20);
/// Without a place to go on from, what is older than this was not for us.
const GRACE: Duration = Duration::from_secs(600);
/// Pauses after a failure.
const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(60);
/// Most pages of missed events, a hundred events each, that one gap may have.
const GAP_PAGES_MAX: usize = 50;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Somebody sent a message.
    Message(Message),
    /// Somebody sent what we cannot decrypt, or in the clear where everything is encrypted.
    Unreadable {
        /// Where.
        room: String,
        /// Who.
        sender: String,
        /// Which.
        id: String,
        /// The thread it stands in.
        thread: Option<String>,
        /// Whether nobody else is in the room.
        is_private: bool,
    },
    /// Somebody reacted.
    Reaction {
        /// Where.
        room: String,
        /// Who.
        sender: String,
        /// Which.
        id: String,
        /// To what.
        on: String,
        /// The emoji.
        key: String,
    },
    /// Somebody took an event back.
    Redaction {
        /// Where.
        room: String,
        /// Who.
        sender: String,
        /// The event that is gone.
        of: String,
    },
    /// Somebody wants to verify us: `Bot::verify` or `Bot::refuse_verification`.
    Verification {
        /// Who.
        sender: String,
        /// Which verification.
        flow: String,
    },
    /// Somebody invites us.
    Invite {
        /// Where.
        room: String,
        /// Who.
        sender: String,
    },
}

/// A message somebody sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Where.
    pub room: String,
    /// Who.
    pub sender: String,
    /// How they call themselves.
    pub sender_name: Option<String>,
    /// Which.
    pub id: String,
    /// What.
    pub body: Body,
    /// The message it answers.
    pub reply_to: Option<String>,
    /// The thread it stands in.
    pub thread: Option<String>,
    /// Whether nobody else is in the room.
    pub is_private: bool,
}

/// Events in order, all of one answer of the server.
#[derive(Debug)]
pub struct Batch {
    /// What happened.
    pub events: Vec<Event>,
    /// Say so when all of it is durable; dropped without a word, the batch comes again.
    pub taken: oneshot::Sender<()>,
}

/// How to watch.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Where batches go.
    pub batches: mpsc::Sender<Batch>,
    /// Ends the watch.
    pub stop: CancellationToken,
}

/// Why a watch ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Told to.
    Stopped,
    /// The server no longer knows our session.
    LoggedOut {
        /// Whether the device may log in again.
        soft: bool,
    },
}

impl Bot {
    /// Watches until told to stop or logged out. Every other trouble is waited out.
    pub fn watch(&self, watch: Watch) -> BoxFuture<'static, Ended> {
        Box::pin(Watcher::new(self.clone(), watch).run())
    }
}

struct Watcher {
    bot: Bot,
    watch: Watch,
    /// Where the next question goes on from.
    since: Option<String>,
    is_first: bool,
    /// When we started.
    not_before: MilliSecondsSinceUnixEpoch,
    /// Messages whose key is missing.
    locked: Vec<Locked>,
    /// How long their key is waited for.
    key_within: Duration,
    failures: u32,
}

/// A message whose key is missing.
struct Locked {
    room: Room,
    raw: Raw<AnySyncTimelineEvent>,
    since: Instant,
}

impl Watcher {
    fn new(bot: Bot, watch: Watch) -> Self {
        Self {
            since: bot.account.position(),
            is_first: true,
            not_before: MilliSecondsSinceUnixEpoch::now(),
            locked: Vec::new(),
            key_within: KEY_WITHIN,
            failures: 0,
            bot,
            watch,
        }
    }

    async fn run(mut self) -> Ended {
        let conflicts = self.bot.client.subscribe_to_duplicate_key_upload_errors();
        let stop = self.watch.stop.clone();
        tokio::select! {
            () = stop.cancelled() => Ended::Stopped,
            ended = self.rounds() => ended,
            ended = explain_conflicts(conflicts) => ended,
        }
    }

    async fn rounds(&mut self) -> Ended {
        loop {
            match self.round().await {
                Ok(()) => self.failures = 0,
                Err(Failure::LoggedOut { soft }) => return Ended::LoggedOut { soft },
                Err(failure) => self.pause(&failure).await,
            }
        }
    }

    /// One question to the server and all that follows from its answer.
    async fn round(&mut self) -> Result<(), Failure> {
        let response = self.bot.client.sync_once(self.settings()).await?;
        let next = response.next_batch.clone();
        let mut events = self.events(response).await?;
        events.extend(self.unlock().await);
        self.hand_out(events).await;
        if self.locked.is_empty()
            && let Err(error) = self.bot.account.set_position(&next)
        {
            tracing::warn!(%error, "our place is not remembered; the next start asks for these events again");
        }
        self.since = Some(next);
        self.is_first = false;
        Ok(())
    }

    fn settings(&self) -> SyncSettings {
        let poll = match (self.is_first || self.failures > 0, self.locked.is_empty()) {
            (true, _) => Duration::ZERO,
            (false, true) => POLL,
            (false, false) => POLL_FOR_KEY,
        };
        let token = self.since.clone().map_or(SyncToken::NoToken, SyncToken::Specific);
        SyncSettings::new()
            .token(token)
            .timeout(poll)
            .filter(sync_events::v3::Filter::FilterDefinition(wanted()))
    }

    /// Hands a batch out until it is taken. The first one after a start or after trouble may be empty: it says that the
    /// server answers.
    async fn hand_out(&self, events: Vec<Event>) {
        let is_news = self.is_first || self.failures > 0;
        while is_news || !events.is_empty() {
            let (taken, confirmed) = oneshot::channel();
            let batch = Batch {
                events: events.clone(),
                taken,
            };
            if self.watch.batches.send(batch).await.is_ok() && confirmed.await.is_ok() {
                return;
            }
            tokio::time::sleep(PAUSE_MIN).await;
        }
    }

    async fn pause(&mut self, failure: &Failure) {
        self.failures = self.failures.saturating_add(1);
        let grown = PAUSE_MIN.saturating_mul(1 << self.failures.saturating_sub(1).min(6));
        let pause = match failure {
            Failure::Wait(wait) => *wait,
            Failure::Unreachable(_) | Failure::LoggedOut { .. } | Failure::Refused(_) => grown.min(PAUSE_MAX),
        };
        // Once is enough for the log of a network that comes and goes.
        if self.failures == 1 {
            tracing::warn!(%failure, "the homeserver does not answer as it should; trying again");
        } else {
            tracing::debug!(%failure, "still no good answer from the homeserver");
        }
        tokio::time::sleep(pause).await;
    }

    async fn events(&mut self, response: SyncResponse) -> Result<Vec<Event>, Failure> {
        let asked = response.to_device.iter();
        let asked = asked.filter_map(|event| verification(event.as_raw().json().get()));
        let mut events: Vec<Event> = asked
            .map(|(sender, flow)| Event::Verification { sender, flow })
            .collect();
        let mut invited: BTreeSet<_> = response.rooms.invited.keys().cloned().collect();
        if self.is_first {
            invited.extend(
                self.bot
                    .client
                    .invited_rooms()
                    .iter()
                    .map(|room| room.room_id().to_owned()),
            );
        }
        for room in invited {
            events.extend(self.invite(&room).await);
        }
        for (room, update) in response.rooms.joined {
            let Some(room) = self.bot.client.get_room(&room) else {
                continue;
            };
            for event in self.timeline(&room, update).await? {
                events.extend(self.event(&room, event).await);
            }
        }
        Ok(events)
    }

    async fn invite(&self, room: &RoomId) -> Option<Event> {
        let details = self.bot.client.get_room(room)?.invite_details().await;
        match details {
            Ok(invite) => Some(Event::Invite {
                room: room.to_string(),
                sender: invite.inviter_id.to_string(),
            }),
            Err(error) => {
                tracing::debug!(%room, %error, "an invite from nobody");
                None
            }
        }
    }

    /// The new events of a room, with those that did not fit into the server's answer.
    async fn timeline(&self, room: &Room, update: JoinedRoomUpdate) -> Result<Vec<TimelineEvent>, Failure> {
        let timeline = update.timeline;
        let own = self.bot.client.user_id();
        let membership = |event: &TimelineEvent| own.and_then(|own| membership_of(event, own));
        if let Some(joined) = timeline
            .events
            .iter()
            .rposition(|event| membership(event).as_deref() == Some("join"))
        {
            // We are new here. What was said after we were invited was said to us.
            let invited = timeline
                .events
                .iter()
                .position(|event| membership(event).as_deref() == Some("invite"));
            let from = invited.unwrap_or(joined);
            return Ok(timeline.events.into_iter().skip(from).collect());
        }
        let Some(since) = &self.since else {
            let grace = u64::try_from(GRACE.as_millis()).unwrap_or(0);
            let oldest = u64::from(self.not_before.get()).saturating_sub(grace);
            let is_recent =
                |event: &TimelineEvent| event.timestamp_raw().is_some_and(|at| u64::from(at.get()) >= oldest);
            return Ok(timeline.events.into_iter().filter(is_recent).collect());
        };
        let mut events = Vec::new();
        if timeline.limited
            && let Some(before) = timeline.prev_batch
        {
            events = missed(room, before, since).await?;
        }
        events.extend(timeline.events);
        Ok(events)
    }

    /// What an event says, if it says anything to us.
    async fn event(&mut self, room: &Room, event: TimelineEvent) -> Option<Event> {
        let sender = event.sender()?;
        if sender.as_str() == self.bot.user() {
            return None;
        }
        let id = event.event_id()?.to_string();
        let is_clear = matches!(event.kind, TimelineEventKind::PlainText { .. });
        let json: Value = serde_json::from_str(event.raw().json().get()).ok()?;
        let (room_id, sender) = (room.room_id().to_string(), sender.to_string());
        match read(&json)? {
            Said::Encrypted { .. } => {
                tracing::info!(room = room_id, id, "a message without its key; looking for it");
                let raw = event.into_raw();
                self.locked.push(Locked {
                    room: room.clone(),
                    raw,
                    since: Instant::now(),
                });
                None
            }
            Said::Reaction { on, key } => Some(Event::Reaction {
                room: room_id,
                sender,
                id,
                on,
                key,
            }),
            Said::Redaction { of } => Some(Event::Redaction {
                room: room_id,
                sender,
                of,
            }),
            Said::Verification { to } => (to == self.bot.user()).then_some(Event::Verification { sender, flow: id }),
            // Who runs the server can write in the clear under any name: in an encrypted room that is nobody's word.
            Said::Message { thread, .. } if is_clear && is_encrypted(room).await => Some(Event::Unreadable {
                room: room_id,
                sender,
                id,
                thread,
                is_private: is_private(room),
            }),
            Said::Message { body, reply_to, thread } => Some(Event::Message(Message {
                sender_name: name_of(room, &sender).await,
                is_private: is_private(room),
                room: room_id,
                sender,
                id,
                body,
                reply_to,
                thread,
            })),
        }
    }

    /// Tries the messages whose key was missing once more; gives up on those that waited long enough.
    async fn unlock(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        for locked in std::mem::take(&mut self.locked) {
            let tried = locked.room.decrypt_event(locked.raw.cast_ref_unchecked(), None).await;
            match tried {
                Ok(event) if !event.kind.is_utd() => {
                    let room = locked.room.clone();
                    events.extend(self.event(&room, event).await);
                }
                _ if locked.since.elapsed() < self.key_within => self.locked.push(locked),
                _ => events.extend(given_up(&locked)),
            }
        }
        events
    }
}

/// The server has keys under our device's name that our store does not know: the store was put back from a copy.
async fn explain_conflicts(mut conflicts: broadcast::Receiver<Option<DuplicateOneTimeKeyErrorMessage>>) -> Ended {
    while conflicts.recv().await.is_ok() {
        tracing::error!(
            "the Matrix store is older than what the homeserver knows of it, as after putting back a copy: messages may \
             stay unreadable. Stop metnos, remove the store and run `metnos matrix setup`"
        );
    }
    std::future::pending().await
}

fn given_up(locked: &Locked) -> Option<Event> {
    let json: Value = serde_json::from_str(locked.raw.json().get()).ok()?;
    let Some(Said::Encrypted { thread }) = read(&json) else {
        return None;
    };
    Some(Event::Unreadable {
        room: locked.room.room_id().to_string(),
        sender: json["sender"].as_str()?.to_owned(),
        id: json["event_id"].as_str()?.to_owned(),
        thread,
        is_private: is_private(&locked.room),
    })
}

/// Everything between our place and the beginning of the server's answer, oldest first.
async fn missed(room: &Room, before: String, since: &str) -> Result<Vec<TimelineEvent>, Failure> {
    let mut pages = Vec::new();
    let mut from = before;
    for _ in 0..GAP_PAGES_MAX {
        let mut options = MessagesOptions::backward().from(from.as_str());
        options.to = Some(since.to_owned());
        options.limit = uint!(100);
        let page = room.messages(options).await?;
        let is_last = page.chunk.is_empty();
        pages.extend(page.chunk);
        match page.end {
            Some(end) if !is_last && end != from => from = end,
            _ => {
                pages.reverse();
                return Ok(pages);
            }
        }
    }
    tracing::warn!(room = %room.room_id(), "too much was missed; the oldest of it is left out");
    pages.reverse();
    Ok(pages)
}

mod rooms;
#[cfg(test)]
mod tests;
