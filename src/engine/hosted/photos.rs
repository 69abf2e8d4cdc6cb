//! `find_images_indices`: photos and videos of the person who asks, by where and when they were taken, by what a model
//! saw in them, and those that are nearly the same. A family of `engine::families`, which also tells which places some
//! words mean. It sees one home, asks nobody outside, and says what was not looked at yet.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use metnos_photos::Town;
use serde_json::{Map, Value, json};

use super::{Host, fields};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        fold::fold,
        ids::ExecutorName,
        lang::Lang,
        limits::{ENTRIES_MAX, PHOTOS_ALIKE_BITS_MAX, PHOTOS_ANSWER_WAIT},
        message::Message,
        run::ToolResult,
    },
    engine::{
        families::{Family, Knowing, Running, Scene},
        things::Resolver,
    },
    executors::{Call, window},
    language::Home,
    papers::Owner,
    photos::{self, Told},
    store::{StoreError, photos::PhotoRow},
};

/// What words mean among photos.
mod things;

use things::{Photographed, holds, wanted};

/// Stems of a request that captions are looked up by.
const STEMS_MAX: usize = 40;

/// Photos, asked for.
#[derive(Clone, Copy, Debug)]
pub struct Photos;

impl Family for Photos {
    fn executors(&self) -> &'static [&'static str] {
        &["find_images_indices"]
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, _name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        Box::pin(host.find_photos(call))
    }

    fn things<'a>(&'a self, scene: Scene<'a>) -> Knowing<'a> {
        Box::pin(async move {
            let who = &scene.turn.actor.id;
            let mut stems = metnos_papers::stems(scene.language, &scene.turn.text);
            stems.truncate(STEMS_MAX);
            let told = |error: &StoreError| tracing::warn!(%error, "photos cannot be looked up");
            let towns = scene
                .store
                .photo_places(who)
                .await
                .inspect_err(told)
                .unwrap_or_default();
            let captions = scene
                .store
                .captions_with(who, &stems)
                .await
                .inspect_err(told)
                .unwrap_or_default();
            let known: Box<dyn Resolver + 'a> = Box::new(Photographed::of(&towns, captions, scene.language));
            Some(known)
        })
    }
}

/// A picture that is known, opened.
struct Known {
    row: PhotoRow,
    told: Told,
    /// When it was taken, else when its file was changed.
    at: Timestamp,
    place: Option<Town>,
    /// What a model saw in it, where that was asked for.
    caption: Option<String>,
}

impl Known {
    fn of(row: PhotoRow) -> Self {
        let told = Told::of(&row);
        let taken = told.taken.as_deref().and_then(|text| text.parse().ok());
        let changed = || Timestamp::from_nanosecond(i128::from(row.stamp.changed)).unwrap_or_default();
        Self {
            at: taken.unwrap_or_else(changed),
            place: photos::place(&row.place),
            caption: None,
            row,
            told,
        }
    }

    fn is_in(&self, wanted: &str) -> bool {
        self.place
            .as_ref()
            .is_some_and(|place| place.names().iter().any(|name| fold(name) == wanted))
    }

    fn pixels(&self) -> u64 {
        self.told.width * self.told.height
    }

    fn entry(&self, lang: Lang, same_as: Option<&str>) -> Value {
        let path = &self.row.stamp.path;
        let name = path.rsplit('/').next().unwrap_or(path);
        let ext = name.rsplit_once('.').map(|(_, ext)| ext.to_lowercase());
        let changed = Timestamp::from_nanosecond(i128::from(self.row.stamp.changed)).unwrap_or_default();
        let mut entry = fields(json!({
            "path": path,
            "name": name,
            "size": self.row.stamp.size,
            "mtime": changed.to_string(),
            "kind": "file",
            "ext": ext.unwrap_or_default(),
            "taken": self.at.to_string(),
            "sort": self.told.sort,
        }));
        if let Some(place) = &self.place {
            entry.insert("place".to_owned(), json!(place.shown(lang.code())));
        }
        if let Some(caption) = &self.caption {
            entry.insert("caption".to_owned(), json!(caption));
        }
        if let Some(same) = same_as {
            entry.insert("same_as".to_owned(), json!(same));
            entry.insert(
                "same".to_owned(),
                json!(Message::new("photos-alike").with("path", same)),
            );
        }
        Value::Object(entry)
    }
}

impl Host<'_> {
    async fn find_photos(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let (desk, owner) = (self.desk(), Owner::of(&call.context));
        let is_alike = call.flag("alike", false)?;
        let home = Home::at(owner.home.clone()).without(self.borders.data_dir);
        let there = photos::of(&home);
        let unread = desk.look_at(&owner, &there, PHOTOS_ANSWER_WAIT).await?;
        let uncompared = if is_alike {
            desk.compare(&owner, PHOTOS_ANSWER_WAIT).await?
        } else {
            0
        };
        let rows = self.store.photos(owner.actor).await?;
        let mut known: Vec<Known> = rows.into_iter().map(Known::of).collect();
        self.narrow(call, &mut known)?;
        if let Some(words) = call.optional_text("shows")? {
            self.keep_showing(&owner, words, &mut known).await?;
        }
        known.sort_by(|one, other| {
            other
                .at
                .cmp(&one.at)
                .then_with(|| one.row.stamp.path.cmp(&other.row.stamp.path))
        });
        let lang = call.context.lang;
        let mut entries: Vec<Value> = if is_alike {
            alike(&known)
                .iter()
                .map(|(one, kept)| one.entry(lang, Some(kept)))
                .collect()
        } else {
            known.iter().map(|one| one.entry(lang, None)).collect()
        };
        let all = entries.len();
        entries.truncate(call.count("max_results")?.unwrap_or(ENTRIES_MAX).min(ENTRIES_MAX));
        let mut body = fields(json!({"used": entries.len(), "available_total": all}));
        if call.flag("counted", false)? {
            body.insert(
                "empty".to_owned(),
                json!(Message::new("photos-count").with("count", all)),
            );
            body.insert("entries".to_owned(), json!([]));
        } else {
            body.insert("entries".to_owned(), Value::Array(entries));
        }
        self.explain(call, &mut body, (all, there.len()), unread.max(uncompared))?;
        Ok(ToolResult::ok(body))
    }

    /// Those that a call means.
    fn narrow(&self, call: &Call, known: &mut Vec<Known>) -> Result<(), ToolError> {
        if let Some(place) = call.optional_text("place")?.map(|place| fold(place.trim())) {
            known.retain(|one| one.is_in(&place));
        }
        if let Some(sort) = call.optional_text("sort")? {
            known.retain(|one| one.told.sort == sort);
        }
        if let Some(words) = call.optional_text("window")? {
            let range = window::parse(words, &call.context.now).ok_or_else(|| wrong_window(words))?;
            known.retain(|one| range.start <= one.at && one.at < range.end);
        }
        Ok(())
    }

    /// Keeps those in whose caption all these words stand.
    async fn keep_showing(&self, owner: &Owner<'_>, words: &str, known: &mut Vec<Known>) -> Result<(), ToolError> {
        let wanted = wanted(self.language, words);
        let stems: Vec<String> = wanted.iter().flatten().take(STEMS_MAX).cloned().collect();
        let captions = self.store.captions_with(owner.actor, &stems).await?;
        let fitting = captions.into_iter().filter(|caption| {
            let stems: BTreeSet<String> = caption.stems.iter().cloned().collect();
            !wanted.is_empty() && holds(&stems, &wanted)
        });
        let mut fitting: BTreeMap<String, String> = fitting.map(|one| (one.stamp.path, one.text)).collect();
        known.retain_mut(|one| {
            one.caption = fitting.remove(&one.row.stamp.path);
            one.caption.is_some()
        });
        Ok(())
    }

    /// Says why there is nothing, and what was not looked at.
    fn explain(
        &self,
        call: &Call,
        body: &mut Map<String, Value>,
        (found, there): (usize, usize),
        left: usize,
    ) -> Result<(), ToolError> {
        if found == 0 && !call.flag("counted", false)? {
            let empty = match call.optional_text("place")? {
                _ if there == 0 => Message::new("photos-none-here"),
                Some(place) => Message::new("photos-none-from")
                    .with("place", place)
                    .with("count", there),
                None => Message::new("photos-none").with("count", there),
            };
            body.insert("empty".to_owned(), json!(empty));
        }
        if left > 0 {
            body.insert(
                "note".to_owned(),
                json!(Message::new("photos-unread").with("count", left)),
            );
        }
        Ok(())
    }
}

fn wrong_window(words: &str) -> ToolError {
    let message = Message::new("executors-window-unknown").with("window", words);
    ToolError::new(ErrorClass::InvalidArgs, message)
}

/// Pictures that are nearly the same as a larger one, each with the path of the one that would stay.
fn alike(known: &[Known]) -> Vec<(&Known, &str)> {
    let mut seen: Vec<(u64, &Known)> = known.iter().filter_map(|one| Some((one.row.likeness?, one))).collect();
    // The largest stays; of those as large, the oldest.
    seen.sort_by_key(|(_, one)| (std::cmp::Reverse(one.pixels()), one.at));
    let mut kept: Vec<(u64, &Known)> = Vec::new();
    let mut others = Vec::new();
    for (bits, one) in seen {
        let same = kept
            .iter()
            .find(|(other, _)| (other ^ bits).count_ones() <= PHOTOS_ALIKE_BITS_MAX);
        match same {
            Some((_, larger)) => others.push((one, larger.row.stamp.path.as_str())),
            None => kept.push((bits, one)),
        }
    }
    others.sort_by_key(|(one, kept)| (*kept, one.row.stamp.path.as_str()));
    others
}
