//! Rows that can no longer be read: sealed with another key, damaged, or in words no version of ours wrote. Called
//! where many rows are read at once, so that one of them does not keep the others: it is ended, and the log says which.
//! What it holds is never logged.

use std::fmt::Display;

use rusqlite::{Connection, Error as SqlError, ErrorCode, Params, Row, ToSql, types::FromSql};

use super::{Store, StoreError};

/// Reads the rows whose keys the first statement gives, each with the second one: what can be read, and the keys of
/// what cannot. Both look at the same moment: a row that ended in between would look like one that cannot be read.
pub(super) fn read_each<K: FromSql + ToSql, T>(
    connection: &Connection,
    (which, params): (&str, impl Params),
    one: &str,
    read: fn(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<(Vec<T>, Vec<K>)> {
    let moment = connection.unchecked_transaction()?;
    let sorted = {
        let mut which = moment.prepare_cached(which)?;
        let keys = which.query_map(params, |row| row.get(0))?;
        let keys = keys.collect::<rusqlite::Result<_>>()?;
        let mut one = moment.prepare_cached(one)?;
        sort(keys, |key| one.query_row([key], read))
    };
    moment.commit()?;
    sorted
}

/// The two kinds, in order. Whatever else fails is the database's failure.
fn sort<K, T>(keys: Vec<K>, mut read: impl FnMut(&K) -> rusqlite::Result<T>) -> rusqlite::Result<(Vec<T>, Vec<K>)> {
    let (mut readable, mut unreadable) = (Vec::new(), Vec::new());
    for key in keys {
        match read(&key) {
            Ok(row) => readable.push(row),
            // It ended between two looks.
            Err(SqlError::QueryReturnedNoRows) => {}
            Err(error) if is_of_the_row(&error) => unreadable.push(key),
            Err(error) => return Err(error),
        }
    }
    Ok((readable, unreadable))
}

/// Whether the row is to blame, and will be the next time. SQLite says no more than `ERROR` of a text that does not
/// unseal.
fn is_of_the_row(error: &SqlError) -> bool {
    if let SqlError::SqliteFailure(failure, _) = error {
        return failure.code == ErrorCode::Unknown;
    }
    matches!(
        error,
        SqlError::FromSqlConversionFailure(..)
            | SqlError::InvalidColumnType(..)
            | SqlError::IntegralValueOutOfRange(..)
            | SqlError::Utf8Error(..)
    )
}

impl Store {
    /// Ends these rows, each with this statement, which names the state it expects: one that ended meanwhile is left.
    pub(super) async fn end_unreadable<K>(
        &self,
        table: &'static str,
        end: impl Into<String>,
        keys: Vec<K>,
    ) -> Result<(), StoreError>
    where
        K: Display + ToSql + Send + 'static,
    {
        if keys.is_empty() {
            return Ok(());
        }
        let end = end.into();
        let ended = self.write("end unreadable rows", move |tx| {
            let mut statement = tx.prepare(&end)?;
            let mut ended = Vec::new();
            for key in keys {
                if statement.execute([&key])? > 0 {
                    ended.push(key);
                }
            }
            Ok(ended)
        });
        for key in ended.await? {
            tracing::error!(table, row = %key, "a row can no longer be read; it is over");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{
            delivery::Parcel,
            ids::ChannelKind,
            inbound::{Inbound, InboundBody},
            reply::Reply,
        },
        store::outbox::NewParcel,
    };

    /// Texts that no version of ours wrote, and one sealed with a key that is gone.
    const BROKEN: [&str; 3] = ["{\"secret words\"", "{\"unknown\":1}", "sealed:1:00ff"];

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("db")).unwrap();
        (folder, store)
    }

    async fn change(store: &Store, sql: &'static str, text: &'static str, row: i64) {
        let changed = store.write("test", move |tx| tx.execute(sql, rusqlite::params![text, row]));
        assert_eq!(changed.await.unwrap(), 1);
    }

    async fn states(store: &Store, sql: &'static str) -> Vec<String> {
        let states = store.read("test", move |connection| {
            let mut statement = connection.prepare(sql)?;
            statement.query_map([], |row| row.get(0))?.collect()
        });
        states.await.unwrap()
    }

    #[tokio::test]
    async fn a_message_that_cannot_be_read_keeps_no_other_from_its_answer() {
        let (_folder, store) = store();
        for number in 1..=4 {
            let inbound = Inbound {
                channel: ChannelKind::Telegram,
                conversation: "7".into(),
                sender: "7".into(),
                sender_name: None,
                lang_hint: None,
                message: format!("{number}").into(),
                body: InboundBody::Text("hello".to_owned()),
            };
            store.inbox_add(&inbound, 1).await.unwrap().unwrap();
        }
        for (text, row) in BROKEN.into_iter().zip(1..) {
            change(&store, "UPDATE inbox SET inbound = ?1 WHERE id = ?2", text, row).await;
        }
        let open = store.inbox_open().await.unwrap();
        assert_eq!(open.iter().map(|waiting| waiting.id.0).collect::<Vec<_>>(), [4]);
        let left = states(&store, "SELECT state || inbound FROM inbox WHERE id < 4").await;
        assert_eq!(left, ["done", "done", "done"]);
    }

    #[tokio::test]
    async fn an_answer_that_cannot_be_read_does_not_block_its_conversation() {
        let (_folder, store) = store();
        for number in 1..=4 {
            let parcel = Parcel::Reply(Reply::text(format!("{number}")));
            let parcel = NewParcel::new(ChannelKind::Telegram, "7".into(), parcel);
            store.outbox_add(parcel, None, 1).await.unwrap();
        }
        for (text, row) in BROKEN.into_iter().zip(1..) {
            change(&store, "UPDATE outbox SET parcel = ?1 WHERE id = ?2", text, row).await;
        }
        let due = store.outbox_due(ChannelKind::Telegram, 2).await.unwrap();
        assert_eq!(due.iter().map(|delivery| delivery.id.0).collect::<Vec<_>>(), [4]);
        let left = states(&store, "SELECT state || parcel FROM outbox WHERE id < 4").await;
        assert_eq!(left, ["failed", "failed", "failed"]);
    }

    #[tokio::test]
    async fn a_question_that_cannot_be_read_keeps_no_other_from_expiring() {
        let (_folder, store) = store();
        store
            .write("test", |tx| {
                tx.execute(
                    "INSERT INTO actors (id, role, name, lang, timezone, autonomy, created_at)
                     VALUES ('host', 'host', '', 'en', '', 'A2', 0)",
                    [],
                )?;
                for (number, payload) in BROKEN
                    .into_iter()
                    .chain([r#"{"plan":null,"done":[],"tool":""}"#])
                    .enumerate()
                {
                    tx.execute(
                        "INSERT INTO dialogs (id, actor, channel, conversation, turn, operation, request, payload,
                                              expires_at, state, kind, revision)
                         VALUES (?1, 'host', 'telegram', '7', 't', 'o', 'r', ?2, 1, 'waiting', 'approval', 0)",
                        rusqlite::params![format!("d{number}"), payload],
                    )?;
                }
                Ok(())
            })
            .await
            .unwrap();
        let overdue = store.overdue_dialogs(2).await.unwrap();
        assert_eq!(
            overdue.iter().map(|dialog| dialog.id.as_str()).collect::<Vec<_>>(),
            ["d3"]
        );
        let left = states(&store, "SELECT state || request FROM dialogs WHERE id < 'd3'").await;
        assert_eq!(left, ["expired", "expired", "expired"]);
    }

    #[test]
    fn a_database_that_fails_ends_no_row() {
        let full = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR);
        let sorted = sort(vec![1], |_| -> rusqlite::Result<()> {
            Err(SqlError::SqliteFailure(full, None))
        });
        assert!(sorted.is_err());
    }
}
