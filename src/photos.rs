//! When and where the pictures of a home were taken, kept so that a question finds them: looked at one process at a
//! time in the sandboxed worker when they are new or changed, forgotten when they are gone. Called by the family of
//! photos and by the nightly job, with the same desk that documents are read at. No face is recognised, and nothing
//! is asked of anybody outside.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    pin::Pin,
    time::{Duration, Instant},
};

use metnos_photos::{ENDINGS, Town, VIDEO_ENDINGS};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::{
    domain::{
        ids::ExecutorName,
        limits::{PHOTOS_AT_ONCE, PHOTOS_DECODED_AT_ONCE, PHOTOS_MAX},
    },
    executors::show_path_short,
    language::Home,
    papers::{Desk, Owner, stamp},
    store::{StoreError, papers::FileStamp, photos::PhotoRow},
};

/// Looks at pictures, locked in.
const READER: &str = "get_images_indices";
/// What stands for a turn where none asked.
const TURN: &str = "photos";

/// What a picture tells of itself, as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Told {
    /// When it was taken, as an instant.
    pub taken: Option<String>,
    /// `photo`, `video` or `screenshot`.
    pub sort: String,
    /// Pixels across.
    pub width: u64,
    /// Pixels down.
    pub height: u64,
}

impl Told {
    /// What a row says.
    pub fn of(row: &PhotoRow) -> Self {
        serde_json::from_str(&row.told).unwrap_or_default()
    }
}

/// Where a picture was taken, as a row says it; `None` where that is not known.
pub fn place(written: &str) -> Option<Town> {
    serde_json::from_str(written).ok()
}

/// The pictures and videos of a home, written with `~/`.
pub fn of(home: &Home) -> Vec<&String> {
    let files = home.files().iter().filter(|path| is_one(path));
    files.take(PHOTOS_MAX).collect()
}

fn is_one(path: &str) -> bool {
    let Some((_, ending)) = path.rsplit_once('.') else {
        return false;
    };
    let ending = ending.to_ascii_lowercase();
    ENDINGS.contains(&ending.as_str()) || VIDEO_ENDINGS.contains(&ending.as_str())
}

impl Desk<'_> {
    /// Looks at what is new or changed among these pictures for so long; how many are left.
    pub async fn look_at(&self, owner: &Owner<'_>, photos: &[&String], room: Duration) -> Result<usize, StoreError> {
        let began = Instant::now();
        let there: BTreeMap<&str, FileStamp> = photos
            .iter()
            .filter_map(|path| Some((path.as_str(), stamp(&owner.home, path, u64::MAX)?)))
            .collect();
        let known = self.store.photos(owner.actor).await?;
        let gone = known.iter().filter(|row| !there.contains_key(row.stamp.path.as_str()));
        let gone: Vec<String> = gone.map(|row| row.stamp.path.clone()).collect();
        self.store.forget_photos(owner.actor, gone).await?;
        let stamps: BTreeSet<&FileStamp> = known.iter().map(|row| &row.stamp).collect();
        let new: Vec<&FileStamp> = there.values().filter(|one| !stamps.contains(*one)).collect();
        let mut left = new.len();
        for some in new.chunks(PHOTOS_AT_ONCE) {
            if began.elapsed() >= room {
                break;
            }
            let told = self.told(owner, some, None).await;
            let row = |stamp: &&FileStamp| PhotoRow {
                told: told.get(&stamp.path).map(Value::to_string).unwrap_or_default(),
                place: told.get(&stamp.path).and_then(town).unwrap_or_default(),
                stamp: (*stamp).clone(),
                likeness: None,
                is_seen: false,
            };
            self.store
                .put_photos(owner.actor, some.iter().map(row).collect())
                .await?;
            left -= some.len();
        }
        Ok(left)
    }

    /// Finds out what pictures look like that were not looked at so yet, for so long; how many are left.
    pub async fn compare(&self, owner: &Owner<'_>, room: Duration) -> Result<usize, StoreError> {
        let began = Instant::now();
        let known = self.store.photos(owner.actor).await?;
        let unseen: Vec<PhotoRow> = known.into_iter().filter(|row| !row.is_seen).collect();
        let mut left = unseen.len();
        for some in unseen.chunks(PHOTOS_DECODED_AT_ONCE) {
            if began.elapsed() >= room {
                break;
            }
            let stamps: Vec<&FileStamp> = some.iter().map(|row| &row.stamp).collect();
            let told = self.told(owner, &stamps, Some("likeness")).await;
            let seen = some.iter().map(|row| PhotoRow {
                likeness: told.get(&row.stamp.path).and_then(likeness),
                is_seen: true,
                ..row.clone()
            });
            self.store.put_photos(owner.actor, seen.collect()).await?;
            left -= some.len();
        }
        Ok(left)
    }

    /// A small JPEG of a picture, as text (base64); nothing where it cannot be had.
    pub async fn small(&self, owner: &Owner<'_>, photo: &FileStamp) -> Option<String> {
        let told = self.told(owner, &[photo], Some("small")).await;
        Some(told.get(&photo.path)?.get("small")?.as_str()?.to_owned())
    }

    /// What these pictures tell, by their paths, and this beside it. One that ends the process that looks at it takes
    /// no other with it.
    fn told<'a>(&'a self, owner: &'a Owner<'_>, some: &'a [&'a FileStamp], also: Option<&'static str>) -> Telling<'a> {
        Box::pin(async move {
            let Some(reader) = self.catalog.get(&ExecutorName::from(READER)) else {
                return BTreeMap::new();
            };
            let paths: Vec<&str> = some.iter().map(|stamp| stamp.path.as_str()).collect();
            let mut args = Map::new();
            args.insert("paths".to_owned(), json!(paths));
            args.extend(also.map(|also| (also.to_owned(), json!(true))));
            let call = self.call(owner, TURN, args);
            let read = self.runner.run(reader, call, None, &CancellationToken::new()).await;
            if !read.is_ok() && some.len() > 1 {
                let (first, second) = some.split_at(some.len() / 2);
                let mut both = self.told(owner, first, also).await;
                both.extend(self.told(owner, second, also).await);
                return both;
            }
            let entries = read.entries().cloned().unwrap_or_default();
            let named = entries.into_iter().filter_map(|mut entry| {
                let path = show_path_short(Path::new(entry.get("path")?.as_str()?), &owner.home);
                entry.as_object_mut()?.remove("path");
                Some((path, entry))
            });
            named.collect()
        })
    }
}

/// What pictures tell, by their paths.
type Telling<'a> = Pin<Box<dyn Future<Output = BTreeMap<String, Value>> + Send + 'a>>;

fn likeness(told: &Value) -> Option<u64> {
    u64::from_str_radix(told.get("likeness")?.as_str()?, 16).ok()
}

/// The town among what a picture tells, as it is kept.
fn town(told: &Value) -> Option<String> {
    serde_json::to_string(&Town::deserialize(told).ok()?).ok()
}
