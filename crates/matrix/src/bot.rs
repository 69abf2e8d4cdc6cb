//! The open door: a bot restored from its session, and all it can do in a room. Each call is one attempt; who calls
//! decides about trying again. What is sent carries a name by which the server knows it again, so that sending it once
//! more after a doubt is no second message.

use std::{path::Path, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use matrix_sdk::{
    Client, Room, SessionMeta, SessionTokens, SqliteStoreConfig,
    authentication::matrix::MatrixSession,
    config::RequestConfig,
    encryption::{BackupDownloadStrategy, EncryptionSettings},
    room::{IncludeRelations, Receipts, RelationsOptions},
    ruma::{
        EventId, OwnedEventId, OwnedRoomId, OwnedTransactionId, RoomId, UserId, events::relation::RelationType, uint,
    },
};
use serde_json::{Value, json};

use crate::{
    Account, Failure, Outgoing, Pin,
    account::{Session, StoreKey},
    write::{content, pin_content},
};

/// Longest wait for an answer; a long poll has its own time on top.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// A bot that is logged in. Cheap to clone.
#[derive(Clone)]
pub struct Bot {
    pub(crate) client: Client,
    pub(crate) account: Arc<Account>,
}

impl std::fmt::Debug for Bot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bot({})", self.account.user())
    }
}

/// Restores the bot from what lies on disk. Talks to no server yet.
pub fn open(account: Account) -> BoxFuture<'static, Result<Bot, Failure>> {
    Box::pin(async move {
        let homeserver = Homeserver::Known(&account.session.homeserver);
        let client = client(homeserver, &account.store(), &account.session.store_key).await?;
        restore(&client, &account.session).await?;
        Ok(Bot {
            client,
            account: Arc::new(account),
        })
    })
}

/// A key that is missing is looked for in the backup; keys and backups are made by the set-up alone.
pub(crate) const ENCRYPTION: EncryptionSettings = EncryptionSettings {
    auto_enable_cross_signing: false,
    backup_download_strategy: BackupDownloadStrategy::AfterDecryptionFailure,
    auto_enable_backups: false,
};

/// How a homeserver is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Homeserver<'a> {
    /// At this address, as it was found before: nobody is asked, so that a start does not need the network.
    Known(&'a str),
    /// An address, or the name of a server that is asked where it is.
    Named(&'a str),
}

/// A client over a store.
pub(crate) async fn client(homeserver: Homeserver<'_>, store: &Path, key: &StoreKey) -> Result<Client, Failure> {
    let store = SqliteStoreConfig::with_low_memory_config(store).key(Some(key.bytes()));
    let builder = match homeserver {
        Homeserver::Known(address) => Client::builder().homeserver_url(address),
        Homeserver::Named(name) => Client::builder().server_name_or_homeserver_url(name),
    };
    builder
        .sqlite_store_with_config_and_cache_path(store, None::<&Path>)
        .request_config(RequestConfig::new().disable_retry().timeout(ANSWER_WITHIN))
        .with_encryption_settings(ENCRYPTION)
        .build()
        .await
        .map_err(|error| Failure::Unreachable(error.to_string()))
}

async fn restore(client: &Client, session: &Session) -> Result<(), Failure> {
    let user_id = UserId::parse(&session.user).map_err(|error| Failure::Refused(error.to_string()))?;
    let session = MatrixSession {
        meta: SessionMeta {
            user_id,
            device_id: session.device.as_str().into(),
        },
        tokens: SessionTokens {
            access_token: session.access_token.clone(),
            refresh_token: None,
        },
    };
    Ok(client.restore_session(session).await?)
}

impl Bot {
    /// The bot's own Matrix address.
    pub fn user(&self) -> &str {
        self.account.user()
    }

    /// Asks the server whether it still knows us.
    pub fn check(&self) -> BoxFuture<'static, Result<(), Failure>> {
        let client = self.client.clone();
        Box::pin(async move { Ok(client.whoami().await.map(drop)?) })
    }

    /// Sends a message, encrypted where the room is; returns its event. `name` makes sending it again harmless.
    pub fn send(&self, room: &str, message: &Outgoing, name: &str) -> BoxFuture<'static, Result<String, Failure>> {
        self.send_content(room, "m.room.message", content(message), name)
    }

    /// Sends a point on the map.
    pub fn send_pin(&self, room: &str, pin: &Pin, name: &str) -> BoxFuture<'static, Result<String, Failure>> {
        self.send_content(room, "m.room.message", pin_content(pin), name)
    }

    /// Puts a reaction under an event. Reactions are never encrypted.
    pub fn react(&self, room: &str, event: &str, key: &str, name: &str) -> BoxFuture<'static, Result<String, Failure>> {
        let content = json!({"m.relates_to": {"rel_type": "m.annotation", "event_id": event, "key": key}});
        self.send_content(room, "m.reaction", content, name)
    }

    /// Takes our own reactions under an event away.
    pub fn unreact(&self, room: &str, event: &str) -> BoxFuture<'static, Result<(), Failure>> {
        let (bot, room, event) = (self.clone(), room.to_owned(), event.to_owned());
        Box::pin(async move {
            let (room, event) = (bot.room(&room)?, event_id(&event)?);
            for reaction in bot.own_reactions(&room, event).await? {
                room.redact(&reaction, None, Some(format!("unreact-{reaction}").into()))
                    .await?;
            }
            Ok(())
        })
    }

    /// Takes a message of ours back.
    pub fn redact(&self, room: &str, event: &str) -> BoxFuture<'static, Result<(), Failure>> {
        let (bot, room, event) = (self.clone(), room.to_owned(), event.to_owned());
        Box::pin(async move {
            let (room, event) = (bot.room(&room)?, event_id(&event)?);
            let name: OwnedTransactionId = format!("redact-{event}").into();
            Ok(room.redact(&event, None, Some(name)).await.map(drop)?)
        })
    }

    /// Shows or hides the typing sign; the server hides it by itself after a few seconds.
    pub fn typing(&self, room: &str, typing: bool) -> BoxFuture<'static, Result<(), Failure>> {
        let (bot, room) = (self.clone(), room.to_owned());
        Box::pin(async move { Ok(bot.room(&room)?.typing_notice(typing).await?) })
    }

    /// Marks everything up to an event as read.
    pub fn mark_read(&self, room: &str, event: &str) -> BoxFuture<'static, Result<(), Failure>> {
        let (bot, room, event) = (self.clone(), room.to_owned(), event.to_owned());
        Box::pin(async move {
            let (room, event) = (bot.room(&room)?, event_id(&event)?);
            let receipts = Receipts::new()
                .fully_read_marker(event.clone())
                .public_read_receipt(event);
            Ok(room.send_multiple_receipts(receipts).await?)
        })
    }

    /// Accepts an invite.
    pub fn join(&self, room: &str) -> BoxFuture<'static, Result<(), Failure>> {
        let (bot, room) = (self.clone(), room.to_owned());
        Box::pin(async move { Ok(bot.client.join_room_by_id(&room_id(&room)?).await.map(drop)?) })
    }

    /// Refuses an invite, or leaves a room.
    pub fn leave(&self, room: &str) -> BoxFuture<'static, Result<(), Failure>> {
        let (bot, room) = (self.clone(), room.to_owned());
        Box::pin(async move { Ok(bot.room(&room)?.leave().await?) })
    }

    pub(crate) fn send_content(
        &self,
        room: &str,
        kind: &'static str,
        content: Value,
        name: &str,
    ) -> BoxFuture<'static, Result<String, Failure>> {
        let (bot, room) = (self.clone(), room.to_owned());
        let name: OwnedTransactionId = name.into();
        Box::pin(async move {
            let room = bot.room(&room)?;
            let sent = room.send_raw(kind, content).with_transaction_id(&name).await?;
            Ok(sent.response.event_id.to_string())
        })
    }

    async fn own_reactions(&self, room: &Room, event: OwnedEventId) -> Result<Vec<OwnedEventId>, Failure> {
        let options = RelationsOptions {
            limit: Some(uint!(50)),
            include_relations: IncludeRelations::RelationsOfType(RelationType::Annotation),
            ..RelationsOptions::default()
        };
        let relations = room.relations(event, options).await?;
        let own = relations.chunk.iter().filter(|event| {
            event
                .sender()
                .is_some_and(|sender| sender.as_str() == self.account.user())
        });
        Ok(own
            .filter_map(matrix_sdk::deserialized_responses::TimelineEvent::event_id)
            .collect())
    }

    pub(crate) fn room(&self, room: &str) -> Result<Room, Failure> {
        self.client
            .get_room(&room_id(room)?)
            .ok_or_else(|| Failure::Refused(format!("not in the room {room}")))
    }
}

fn room_id(room: &str) -> Result<OwnedRoomId, Failure> {
    RoomId::parse(room).map_err(|error| Failure::Refused(error.to_string()))
}

fn event_id(event: &str) -> Result<OwnedEventId, Failure> {
    EventId::parse(event).map_err(|error| Failure::Refused(error.to_string()))
}
