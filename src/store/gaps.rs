//! What we could not do, with counters: the terminator's record and the source of later proposals.

use rusqlite::params;

use super::{Store, StoreError};
use crate::domain::{ids::ActorId, intent::short_hash, outcome::Gap};

/// Characters of a request that tell gaps apart.
const REQUEST_CHARS: usize = 100;

/// A gap as it is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GapRow {
    /// Kind of gap.
    pub kind: String,
    /// The request, cut.
    pub request: String,
    /// Class of the failure.
    pub error_class: String,
    /// How often it was met.
    pub n_seen: u32,
    /// Whether somebody asked for it to be filled.
    pub wanted: bool,
}

impl Store {
    /// Counts a gap outside a turn's end, for a person who asks for it to be filled.
    pub async fn want_gap(&self, actor: &ActorId, request: &str, now_ms: i64) -> Result<(), StoreError> {
        let (actor, request) = (actor.clone(), request.to_owned());
        self.write("want gap", move |tx| {
            let request: String = request.chars().take(REQUEST_CHARS).collect();
            let id = short_hash(format!("{actor}|wanted|{request}").as_bytes());
            tx.execute(
                "INSERT INTO gaps (id, actor, kind, request, intent, error_class, wanted, n_seen, first_seen, last_seen)
                 VALUES (?1, ?2, 'missing_executor', ?3, '', 'wanted', 1, 1, ?4, ?4)
                 ON CONFLICT (id) DO UPDATE SET n_seen = n_seen + 1, last_seen = ?4, wanted = 1",
                params![id, actor.as_str(), request, now_ms],
            )
            .map(drop)
        })
        .await
    }

    /// The gaps of a person, most frequent first.
    pub async fn gaps(&self, actor: &ActorId) -> Result<Vec<GapRow>, StoreError> {
        let actor = actor.clone();
        self.read("gaps", move |connection| {
            let mut statement = connection.prepare(
                "SELECT kind, request, error_class, n_seen, wanted FROM gaps WHERE actor = ?1
                 ORDER BY n_seen DESC, last_seen DESC",
            )?;
            let rows = statement.query_map([actor.as_str()], |row| {
                Ok(GapRow {
                    kind: row.get(0)?,
                    request: row.get(1)?,
                    error_class: row.get(2)?,
                    n_seen: row.get(3)?,
                    wanted: row.get(4)?,
                })
            })?;
            rows.collect()
        })
        .await
    }
}

pub(super) fn count(
    tx: &rusqlite::Transaction<'_>,
    actor: &ActorId,
    request: &str,
    gap: &Gap,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let request: String = request.chars().take(REQUEST_CHARS).collect();
    let intent = gap.intent.signature();
    let id = short_hash(format!("{actor}|{intent}|{}|{request}", gap.error_class).as_bytes());
    tx.execute(
        "INSERT INTO gaps (id, actor, kind, request, intent, error_class, n_seen, first_seen, last_seen)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?7)
         ON CONFLICT (id) DO UPDATE SET n_seen = n_seen + 1, last_seen = ?7",
        params![
            id,
            actor.as_str(),
            gap.kind.as_str(),
            request,
            intent,
            gap.error_class,
            now_ms
        ],
    )
    .map(drop)
}
