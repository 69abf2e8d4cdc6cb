//! Where each person was last: one row a person, and no trail. Written by `runtime::location`, read by `get_location`.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, StoreError, unknown_word};
use crate::domain::{
    ids::{ActorId, ChannelKind},
    location::{LocationSource, SharedLocation},
    place::Point,
};

/// Where a person was last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownLocation {
    /// Where they told us.
    pub channel: ChannelKind,
    /// The point.
    pub point: Point,
    /// How far off it may be, in metres.
    pub accuracy_m: Option<u32>,
    /// Who found it.
    pub source: LocationSource,
    /// The name of the place.
    pub label: Option<String>,
    /// When it was true, in milliseconds since 1970.
    pub captured_ms: i64,
}

impl Store {
    /// Keeps where a person is, in the place of an earlier point. A late point never replaces a newer one.
    pub async fn share_location(
        &self,
        actor: &ActorId,
        channel: ChannelKind,
        shared: &SharedLocation,
    ) -> Result<(), StoreError> {
        let (actor, shared) = (actor.clone(), shared.clone());
        self.write("share location", move |tx| put(tx, &actor, channel, &shared))
            .await
    }

    /// Where a person was last, however long ago.
    pub async fn location_of(&self, actor: &ActorId) -> Result<Option<KnownLocation>, StoreError> {
        let actor = actor.clone();
        self.read("location", move |connection| {
            connection
                .query_row(
                    "SELECT channel, latitude, longitude, accuracy_m, source, label, captured_at
                     FROM locations WHERE actor = ?1",
                    [actor.as_str()],
                    read_location,
                )
                .optional()
        })
        .await
    }
}

pub(super) fn put(
    tx: &Transaction<'_>,
    actor: &ActorId,
    channel: ChannelKind,
    shared: &SharedLocation,
) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO locations (actor, channel, latitude, longitude, accuracy_m, source, label, captured_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (actor) DO UPDATE SET channel = ?2, latitude = ?3, longitude = ?4, accuracy_m = ?5, source = ?6,
             label = ?7, captured_at = ?8 WHERE captured_at <= ?8",
    )?
    .execute(params![
        actor.as_str(),
        channel.as_str(),
        shared.point.latitude(),
        shared.point.longitude(),
        shared.accuracy_m,
        shared.source.as_str(),
        shared.label,
        shared.captured_ms
    ])
    .map(drop)
}

fn read_location(row: &rusqlite::Row<'_>) -> rusqlite::Result<KnownLocation> {
    let channel: String = row.get(0)?;
    let source: String = row.get(4)?;
    let (latitude, longitude) = (row.get(1)?, row.get(2)?);
    Ok(KnownLocation {
        channel: ChannelKind::parse(&channel).ok_or_else(|| unknown_word(&channel))?,
        point: Point::new(latitude, longitude).map_err(|error| unknown_word(&error.to_string()))?,
        accuracy_m: row.get(3)?,
        source: LocationSource::parse(&source).ok_or_else(|| unknown_word(&source))?,
        label: row.get(5)?,
        captured_ms: row.get(6)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        actor::{Actor, Autonomy, Role},
        lang::Lang,
        location::Sharing,
    };

    fn at(latitude: f64, captured_ms: i64) -> SharedLocation {
        SharedLocation {
            point: Point::new(latitude, 9.0).unwrap(),
            accuracy_m: Some(20),
            captured_ms,
            sharing: Sharing::Once,
            source: LocationSource::Device,
            label: None,
        }
    }

    #[tokio::test]
    async fn the_newest_point_of_each_person_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("db")).unwrap();
        for (id, role) in [("host", Role::Host), ("guest_1", Role::Guest)] {
            let actor = Actor {
                id: ActorId::from(id),
                role,
                name: "Ada".to_owned(),
                lang: Lang::EN,
                timezone: "UTC".to_owned(),
                autonomy: Autonomy::default(),
            };
            store.add_actor(&actor, 0).await.unwrap();
        }
        let host = ActorId::from("host");
        for shared in [at(45.0, 20), at(46.0, 30), at(44.0, 10)] {
            store
                .share_location(&host, ChannelKind::Telegram, &shared)
                .await
                .unwrap();
        }
        let known = store.location_of(&host).await.unwrap().unwrap();
        assert_eq!((known.point, known.captured_ms), (Point::new(46.0, 9.0).unwrap(), 30));
        assert_eq!(store.location_of(&ActorId::from("guest_1")).await.unwrap(), None);
    }
}
