//! Everything of one person, handed out or removed. The tables are asked for, not listed: a new one with an `actor`
//! column is covered from its first day. Called by `runtime::erasure` only.

use rusqlite::{Connection, Transaction, params, types::ValueRef};
use serde_json::{Map, Value, json};

use super::{Store, StoreError, ask};
use crate::domain::{
    hex::hex,
    ids::{ActorId, TurnId},
};

/// What no export shows: codes and tokens that open something, and what waits sealed or may hold a secret still.
const WITHHELD: &[(&str, &[&str])] = &[
    ("pairing_codes", &["code_hash", "signature"]),
    ("callbacks", &["token"]),
    ("inbox", &["inbound"]),
    ("outbox", &["parcel", "about"]),
    ("received_files", &["caption"]),
    ("dialogs", &["request", "payload"]),
    ("effects", &["reversals"]),
    ("secrets", &["sealed"]),
    ("accounts", &["sealed"]),
    ("person_accounts", &["settings", "secret"]),
    ("scratchpad", &["content"]),
];

/// What is sealed on disk and is told its own person: the words they gave, and what stands in their calendars.
const UNSEALED: &[(&str, &[&str])] = &[
    ("tasks", &["name", "words", "memory"]),
    ("task_runs", &["name"]),
    ("dav_collections", &["settings"]),
    ("dav_items", &["text"]),
];

impl Store {
    /// Every row of a person, by table.
    pub async fn rows_of(&self, actor: &ActorId) -> Result<Map<String, Value>, StoreError> {
        let actor = actor.clone();
        self.read("export a person", move |connection| {
            let mut found = Map::new();
            found.insert("actors".to_owned(), rows(connection, "actors", "id", actor.as_str())?);
            for table in owned_tables(connection)? {
                let of_table = rows(connection, &table, "actor", actor.as_str())?;
                found.insert(table, of_table);
            }
            Ok(found)
        })
        .await
    }

    /// The turns of a person, whose saved copies are theirs.
    pub async fn turns_of(&self, actor: &ActorId) -> Result<Vec<TurnId>, StoreError> {
        let actor = actor.clone();
        self.read("turns of a person", move |connection| {
            connection
                .prepare("SELECT id FROM turns WHERE actor = ?1 UNION SELECT turn FROM effects WHERE actor = ?1")?
                .query_map([actor.as_str()], |row| row.get::<_, String>(0).map(TurnId::from))?
                .collect()
        })
        .await
    }

    /// Removes every row of a person, and the person. Nobody knows afterwards which files were theirs.
    pub async fn erase(&self, actor: &ActorId) -> Result<(), StoreError> {
        let actor = actor.clone();
        self.write("erase a person", move |tx| erase(tx, &actor)).await?;
        self.memory_changed();
        Ok(())
    }

    /// Writes the file anew, without what was deleted: until then its letters are still in unused places. `false` when
    /// somebody was reading all the time; the rest goes with a later one.
    pub async fn compact(&self) -> Result<bool, StoreError> {
        ask(
            &self.writer,
            "compact",
            Box::new(|connection| {
                // The copy must not lie in a folder for everybody meanwhile.
                connection.pragma_update(None, "temp_store", "MEMORY")?;
                connection.execute_batch("VACUUM")?;
                let is_held: bool = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
                Ok(!is_held)
            }),
        )
        .await
    }
}

fn erase(tx: &Transaction<'_>, actor: &ActorId) -> rusqlite::Result<()> {
    // Tables may refer to each other; all of them are looked at when the transaction ends.
    tx.pragma_update(None, "defer_foreign_keys", true)?;
    tx.execute(
        "DELETE FROM strangers WHERE EXISTS (SELECT 1 FROM identities i WHERE i.actor = ?1
             AND i.channel = strangers.channel AND i.sender = strangers.sender)",
        [actor.as_str()],
    )?;
    for table in ["inbox", "outbox"] {
        // What a locked out person wrote since is nobody's; in a private chat its place names them.
        tx.execute(
            &format!(
                "DELETE FROM {table} WHERE actor IS NULL AND EXISTS (SELECT 1 FROM identities i WHERE i.actor = ?1
                     AND i.channel = {table}.channel AND i.sender = {table}.conversation)"
            ),
            [actor.as_str()],
        )?;
    }
    // What was spent stays spent, or the household's limit could be passed by erasing a guest: the host bears it, and
    // nothing tells whose it was.
    tx.execute(
        "UPDATE spending SET actor = (SELECT id FROM actors WHERE role = 'host'), turn = ''
         WHERE actor = ?1 AND EXISTS (SELECT 1 FROM actors WHERE role = 'host' AND id <> ?1)",
        [actor.as_str()],
    )?;
    for table in owned_tables(tx)? {
        tx.execute(&format!("DELETE FROM \"{table}\" WHERE actor = ?1"), [actor.as_str()])?;
    }
    // A newcomer's code that is still out was made while there was a host.
    tx.execute(
        "DELETE FROM pairing_codes WHERE (SELECT role FROM actors WHERE id = ?1) = 'host'",
        [actor.as_str()],
    )?;
    tx.execute("DELETE FROM actors WHERE id = ?1", params![actor.as_str()])
        .map(drop)
}

/// The tables whose rows name their owner.
fn owned_tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare(
            "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'actor'
             WHERE m.type = 'table' ORDER BY m.name",
        )?
        .query_map([], |row| row.get(0))?
        .collect()
}

fn rows(connection: &Connection, table: &str, column: &str, actor: &str) -> rusqlite::Result<Value> {
    let of_table = |list: &'static [(&str, &[&str])]| {
        let found = list.iter().find(|(name, _)| *name == table);
        found.map_or(&[][..], |(_, columns)| *columns)
    };
    let (withheld, unsealed) = (of_table(WITHHELD), of_table(UNSEALED));
    let opened: String = unsealed
        .iter()
        .map(|name| format!(", unsealed(\"{name}\") AS \"{name}\""))
        .collect();
    let mut statement = connection.prepare(&format!(
        "SELECT *{opened} FROM \"{table}\" WHERE \"{column}\" = ?1 ORDER BY rowid"
    ))?;
    let names: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
    let mut found = statement.query([actor])?;
    let mut all = Vec::new();
    while let Some(row) = found.next()? {
        let mut object = Map::new();
        for (at, name) in names.iter().enumerate() {
            if !withheld.contains(&name.as_str()) {
                object.insert(name.clone(), to_value(row.get_ref(at)?));
            }
        }
        all.push(Value::Object(object));
    }
    Ok(Value::Array(all))
}

/// A column as JSON: text that is JSON already as such, bytes in hexadecimal digits.
fn to_value(column: ValueRef<'_>) -> Value {
    match column {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => json!(number),
        ValueRef::Real(number) => json!(number),
        ValueRef::Text(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            let is_json = text.starts_with(['{', '[']);
            let parsed = is_json.then(|| serde_json::from_str(&text).ok()).flatten();
            parsed.unwrap_or_else(|| Value::String(text.into_owned()))
        }
        ValueRef::Blob(bytes) => Value::String(hex(bytes)),
    }
}
