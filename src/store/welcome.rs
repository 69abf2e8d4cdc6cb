//! How far the questions of a first start have come with a person, and where they keep lists and notes. Kept with the
//! person; written by `runtime::welcome` alone.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{Store, StoreError};
use crate::domain::ids::{ActorId, ChannelKind, ConversationId};

/// What stands where nothing is asked any more.
const OVER: &str = "over";

/// A question of the first start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// What the person is called.
    Name,
    /// In which language they are answered.
    Language,
    /// Where lists and notes are kept.
    Notes,
}

/// The question that is open, and where it was put.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The channel.
    pub channel: ChannelKind,
    /// The conversation.
    pub conversation: ConversationId,
    /// The question.
    pub step: Step,
}

impl Store {
    /// Opens the first question, if none was ever put to this person; `false` where one was.
    pub async fn begin_welcome(&self, actor: &ActorId, welcome: &Welcome) -> Result<bool, StoreError> {
        let (actor, text) = (actor.clone(), written(welcome));
        self.write("begin welcome", move |tx| {
            let sql = "UPDATE actors SET welcome = ?2 WHERE id = ?1 AND welcome = ''";
            tx.execute(sql, params![actor.as_str(), text]).map(|rows| rows > 0)
        })
        .await
    }

    /// The open question of a person.
    pub async fn welcome(&self, actor: &ActorId) -> Result<Option<Welcome>, StoreError> {
        let actor = actor.clone();
        self.read("welcome", move |connection| {
            let text: Option<String> = connection
                .prepare_cached("SELECT welcome FROM actors WHERE id = ?1")?
                .query_row([actor.as_str()], |row| row.get(0))
                .optional()?;
            Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
        })
        .await
    }

    /// Opens another question, or none any more.
    pub async fn set_welcome(&self, actor: &ActorId, welcome: Option<&Welcome>) -> Result<(), StoreError> {
        let (actor, text) = (actor.clone(), welcome.map_or_else(|| OVER.to_owned(), written));
        self.write("set welcome", move |tx| {
            tx.execute(
                "UPDATE actors SET welcome = ?2 WHERE id = ?1",
                params![actor.as_str(), text],
            )
            .map(drop)
        })
        .await
    }

    /// Where each person keeps lists and notes who said so.
    pub async fn notes_dirs(&self) -> Result<Vec<(ActorId, String)>, StoreError> {
        self.read("places of notes", |connection| {
            connection
                .prepare_cached("SELECT id, notes_dir FROM actors WHERE notes_dir <> ''")?
                .query_map([], |row| Ok((ActorId::from(row.get::<_, String>(0)?), row.get(1)?)))?
                .collect()
        })
        .await
    }

    /// Changes it: a folder below the person's home.
    pub async fn set_notes_dir(&self, actor: &ActorId, folder: &str) -> Result<(), StoreError> {
        let (actor, folder) = (actor.clone(), folder.to_owned());
        self.write("set place of notes", move |tx| {
            tx.execute(
                "UPDATE actors SET notes_dir = ?2 WHERE id = ?1",
                params![actor.as_str(), folder],
            )
            .map(drop)
        })
        .await
    }
}

fn written(welcome: &Welcome) -> String {
    serde_json::to_string(welcome).unwrap_or_else(|_unwritable| OVER.to_owned())
}
