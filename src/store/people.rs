//! What the host sees and decides about people: names, quotas, what each used, and who may no longer come in. Written
//! by `runtime::people`; nothing here asks who is allowed to.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Store, StoreError, actors, dialogs::NOTHING_LEFT, tasks, unknown_word};
use crate::domain::{
    actor::Actor,
    ids::{ActorId, ChannelKind, ConversationId},
    quota::{Quota, QuotaKind, Quotas},
};

/// A person as the host sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Who.
    pub actor: Actor,
    /// Where they are paired, each channel once.
    pub channels: Vec<ChannelKind>,
    /// Whether they were locked out.
    pub is_revoked: bool,
    /// What the host decided.
    pub quotas: Quotas,
}

/// What a person used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Requests since the first moment asked for.
    pub turns: u32,
    /// Model calls since the second one.
    pub model_calls: u32,
}

impl Store {
    /// Whether a person is known and not locked out: for what lies beside the database.
    pub async fn is_let_in(&self, actor: &ActorId) -> Result<bool, StoreError> {
        let actor = actor.clone();
        self.read("let in?", move |connection| is_let_in(connection, &actor))
            .await
    }

    /// Everybody, the host first, then by age.
    pub async fn people(&self) -> Result<Vec<Person>, StoreError> {
        self.read("people", |connection| {
            let mut statement = connection.prepare(&format!(
                "SELECT {}, a.revoked_at IS NOT NULL, a.turns_per_hour, a.tasks, a.model_calls_per_day,
                        (SELECT group_concat(DISTINCT i.channel) FROM identities i
                         WHERE i.actor = a.id AND i.revoked_at IS NULL)
                 FROM actors a ORDER BY a.role = 'host' DESC, a.created_at, a.rowid",
                actors::COLUMNS
            ))?;
            let people = statement.query_map([], read_person)?;
            people.collect()
        })
        .await
    }

    /// What the host decided about a person's use.
    pub async fn quotas(&self, actor: &ActorId) -> Result<Quotas, StoreError> {
        let actor = actor.clone();
        self.read("quotas", move |connection| {
            let found = connection
                .prepare_cached("SELECT turns_per_hour, tasks, model_calls_per_day FROM actors WHERE id = ?1")?
                .query_row([actor.as_str()], |row| read_quotas(row, 0))
                .optional()?;
            Ok(found.unwrap_or_default())
        })
        .await
    }

    /// Changes how much of a kind a person may use.
    pub async fn set_quota(&self, actor: &ActorId, kind: QuotaKind, quota: Quota) -> Result<(), StoreError> {
        let actor = actor.clone();
        let column = match kind {
            QuotaKind::TurnsPerHour => "turns_per_hour",
            QuotaKind::Tasks => "tasks",
            QuotaKind::ModelCallsPerDay => "model_calls_per_day",
        };
        let number = match quota {
            Quota::Standard => None,
            Quota::Unlimited => Some(-1),
            Quota::AtMost(limit) => Some(i64::from(limit)),
        };
        self.write("set quota", move |tx| {
            let sql = format!("UPDATE actors SET {column} = ?2 WHERE id = ?1");
            tx.execute(&sql, params![actor.as_str(), number]).map(drop)
        })
        .await
    }

    /// Changes what a person is called.
    pub async fn set_name(&self, actor: &ActorId, name: &str) -> Result<(), StoreError> {
        let (actor, name) = (actor.clone(), name.to_owned());
        self.write("set name", move |tx| {
            tx.execute(
                "UPDATE actors SET name = ?2 WHERE id = ?1",
                params![actor.as_str(), name],
            )
            .map(drop)
        })
        .await
    }

    /// Changes the zone a person's times are told in, and what the wall times of their tasks mean.
    pub async fn set_timezone(&self, actor: &ActorId, timezone: &str, now_ms: i64) -> Result<(), StoreError> {
        let (actor, timezone) = (actor.clone(), timezone.to_owned());
        self.write("set time zone", move |tx| {
            tx.execute(
                "UPDATE actors SET timezone = ?2 WHERE id = ?1",
                params![actor.as_str(), timezone],
            )?;
            tasks::rezone(tx, &actor, &timezone, now_ms)
        })
        .await?;
        self.wake_scheduler(now_ms);
        Ok(())
    }

    /// What a person used: requests since one moment, model calls since another.
    pub async fn usage(&self, actor: &ActorId, turns_since: i64, calls_since: i64) -> Result<Usage, StoreError> {
        let actor = actor.clone();
        self.read("usage", move |connection| {
            connection
                .prepare_cached(
                    "SELECT count(*) FILTER (WHERE started_at > ?2),
                            coalesce(sum(model_calls) FILTER (WHERE started_at >= ?3), 0)
                     FROM turns WHERE actor = ?1 AND started_at >= min(?2, ?3)",
                )?
                .query_row(params![actor.as_str(), turns_since, calls_since], |row| {
                    Ok(Usage {
                        turns: row.get(0)?,
                        model_calls: row.get(1)?,
                    })
                })
        })
        .await
    }

    /// When the request began that fills a quota of so many since a moment; `None` while it is not full.
    pub async fn filled_at(&self, actor: &ActorId, limit: u32, since: i64) -> Result<Option<i64>, StoreError> {
        let actor = actor.clone();
        self.read("quota of requests", move |connection| {
            connection
                .prepare_cached(
                    "SELECT started_at FROM turns WHERE actor = ?1 AND started_at > ?2
                     ORDER BY started_at DESC LIMIT 1 OFFSET ?3",
                )?
                .query_row(params![actor.as_str(), since, limit.saturating_sub(1)], |row| {
                    row.get(0)
                })
                .optional()
        })
        .await
    }

    /// Locks a person out, or one channel of theirs; `false` when there was nothing to lock. What waits for them ends
    /// in the same transaction: questions, queued messages, answers on their way, and codes.
    pub async fn revoke(&self, actor: &ActorId, channel: Option<ChannelKind>, now_ms: i64) -> Result<bool, StoreError> {
        let (actor, channel) = (actor.clone(), channel.map(ChannelKind::as_str));
        self.write("revoke", move |tx| {
            let whose = params![actor.as_str(), channel, now_ms];
            let identities = tx.execute(
                "UPDATE identities SET revoked_at = ?3
                 WHERE actor = ?1 AND (?2 IS NULL OR channel = ?2) AND revoked_at IS NULL",
                whose,
            )?;
            let people = if channel.is_none() {
                tx.execute(
                    "UPDATE actors SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL",
                    params![actor.as_str(), now_ms],
                )?
            } else {
                0
            };
            let whose = params![actor.as_str(), channel];
            // An approved one too: what it allows must not begin any more.
            let dialogs = format!(
                "UPDATE dialogs SET state = 'expired', request = '', payload = '{NOTHING_LEFT}'
                 WHERE actor = ?1 AND (?2 IS NULL OR channel = ?2) AND state IN ('waiting', 'approved')"
            );
            for sql in [
                dialogs.as_str(),
                "UPDATE inbox SET state = 'done', inbound = ''
                 WHERE actor = ?1 AND (?2 IS NULL OR channel = ?2) AND state = 'queued'",
                "UPDATE outbox SET state = iif(state = 'waiting', 'failed', state), parcel = '', about = ''
                 WHERE actor = ?1 AND (?2 IS NULL OR channel = ?2) AND state IN ('waiting', 'uncertain')",
            ] {
                tx.execute(sql, whose)?;
            }
            tx.execute("DELETE FROM pairing_codes WHERE actor = ?1", [actor.as_str()])?;
            Ok(identities + people > 0)
        })
        .await
    }

    /// What a sender wrote before they were somebody is theirs from now on.
    pub async fn adopt(
        &self,
        channel: ChannelKind,
        conversation: &ConversationId,
        actor: &ActorId,
    ) -> Result<(), StoreError> {
        let (conversation, actor) = (conversation.clone(), actor.clone());
        self.write("adopt messages", move |tx| {
            for table in ["inbox", "outbox"] {
                tx.execute(
                    &format!(
                        "UPDATE {table} SET actor = ?3 WHERE channel = ?1 AND conversation = ?2 AND actor IS NULL"
                    ),
                    params![channel.as_str(), conversation.as_str(), actor.as_str()],
                )?;
            }
            Ok(())
        })
        .await
    }

    /// Whether a message of this person is in hand, or was when the process died.
    pub async fn is_busy(&self, actor: &ActorId) -> Result<bool, StoreError> {
        let actor = actor.clone();
        self.read("busy?", move |connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM inbox WHERE actor = ?1 AND state = 'running')",
                [actor.as_str()],
                |row| row.get(0),
            )
        })
        .await
    }
}

/// Whether a person is known and not locked out: asked inside every transaction that lets something happen for them.
pub(super) fn is_let_in(connection: &Connection, actor: &ActorId) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM actors WHERE id = ?1 AND revoked_at IS NULL)")?
        .query_row([actor.as_str()], |row| row.get(0))
}

fn read_person(row: &Row<'_>) -> rusqlite::Result<Person> {
    let channels: Option<String> = row.get(actors::COLUMN_COUNT + 4)?;
    Ok(Person {
        actor: actors::read_actor(row)?,
        is_revoked: row.get(actors::COLUMN_COUNT)?,
        quotas: read_quotas(row, actors::COLUMN_COUNT + 1)?,
        channels: channels
            .iter()
            .flat_map(|names| names.split(','))
            .map(|name| ChannelKind::parse(name).ok_or_else(|| unknown_word(name)))
            .collect::<rusqlite::Result<_>>()?,
    })
}

/// Three columns from `first` on.
fn read_quotas(row: &Row<'_>, first: usize) -> rusqlite::Result<Quotas> {
    let quota = |at: usize| -> rusqlite::Result<Quota> {
        let number: Option<i64> = row.get(first + at)?;
        Ok(match number {
            None => Quota::Standard,
            Some(limit) => u32::try_from(limit).map_or(Quota::Unlimited, Quota::AtMost),
        })
    };
    Ok(Quotas {
        turns_per_hour: quota(0)?,
        tasks: quota(1)?,
        model_calls_per_day: quota(2)?,
    })
}
