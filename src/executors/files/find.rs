//! `find_files` and `list_dirs`: what is in a folder. Read only; a link is listed and never followed, but for one to a
//! file that the host shares.

use std::{
    cmp::Ordering,
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use globset::GlobMatcher;
use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Map, Value, json};
use walkdir::{DirEntry, WalkDir};

use super::{
    super::{
        Call,
        batch::{Batch, Failure},
        entries, fields, object, paths,
        window::Range,
        wrong,
    },
    about::{About, Rank, is_settled},
    taken,
    weigh::Scales,
};
use crate::domain::{failure::ToolError, limits, message::Message, run::ToolResult};

/// Most names one search looks at before it stops and says so.
pub(super) const NAMES_MAX: usize = 500_000;

/// Files below folders by name, time, size and what they are about.
pub(in crate::executors) fn find_files(call: &Call) -> Result<ToolResult, ToolError> {
    let search = Search::of(call)?;
    let mut bases = vec![paths::resolve(call.text("base_path")?, &call.context.home)?];
    if call.args.get("also_in").is_some_and(|more| !more.is_null()) {
        for more in call.texts("also_in")? {
            bases.push(paths::resolve(&more, &call.context.home)?);
        }
    }
    let mut seen = Seen::default();
    for base in without_nested(bases, &search) {
        match check_dir(&base) {
            Ok(()) => search.below(&base, &mut seen),
            // Without an ending in its name a file is asked for as a folder would be; it stands for itself.
            Err(_) if search.wants_all && base.is_file() => search.itself(&base, &mut seen),
            Err(failure) => return Ok(failed(failure)),
        }
    }
    search.by_texts(&mut seen);
    let bytes = seen.bytes;
    // Beside a time or a kind of file it would not be true that no file has these words.
    let about = search.about.as_ref().filter(|_| search.wants_all);
    let sought = search.named.as_ref().or(about).filter(|_| seen.entries.is_empty());
    let nothing = sought.map(|sought| none_named(sought, &seen.by_name.near));
    // What alone is near may stand for what was named; whether it does is for whoever asked.
    let near = match seen.by_name.near.as_slice() {
        [only] if seen.entries.is_empty() && search.named.is_some() => {
            let stem = only.rsplit_once('.').map_or(only.as_str(), |(stem, _)| stem);
            Some(json!({"named": stem}))
        }
        _ => None,
    };
    let mut body = seen.into_body();
    if let Some(nothing) = nothing {
        body.insert("empty".to_owned(), json!(nothing));
    }
    if let Some(near) = near {
        body.insert("near".to_owned(), near);
    }
    if [&search.about, &search.named].into_iter().flatten().any(About::is_cut) {
        body.insert("source_scan_truncated".to_owned(), json!(true));
    }
    body.insert("size_total".to_owned(), json!(bytes));
    Ok(ToolResult::ok(body))
}

/// What to say where no file has these words in its name.
fn none_named(named: &About, near: &[String]) -> Message {
    if near.is_empty() {
        return Message::new("executors-file-none-named").with("words", named.said());
    }
    Message::new("executors-file-near-named")
        .with("words", named.said())
        .with("names", near.join(", "))
}

/// A folder inside another that is searched whole would give its files twice; one that such a search passes by, for it
/// is hidden, would not.
fn without_nested(mut bases: Vec<PathBuf>, search: &Search) -> Vec<PathBuf> {
    let all = bases.clone();
    let mut seen = HashSet::new();
    bases.retain(|base| seen.insert(base.clone()));
    let reaches = |other: &PathBuf, base: &PathBuf| {
        let Ok(below) = base.strip_prefix(other) else {
            return false;
        };
        let hidden = below.components().any(|part| super::is_hidden(part.as_os_str()));
        other != base && below.components().count() < search.depth && (search.with_hidden || !hidden)
    };
    bases.retain(|base| search.depth == 1 || !all.iter().any(|other| reaches(other, base)));
    bases
}

/// What is searched for.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
struct Search {
    glob: GlobMatcher,
    by_path: bool,
    /// No name, time or size was asked for.
    wants_all: bool,
    window: Option<Range>,
    /// Pictures alone are asked for: their time is when they were taken, by clocks of this zone.
    of_pictures: Option<TimeZone>,
    about: Option<About>,
    named: Option<About>,
    min_size: u64,
    max_results: usize,
    keep: Option<Keep>,
    with_hidden: bool,
    /// In the folder of somebody who is not the host a link is what the host shares with them, and stands for the file.
    with_shared: bool,
    depth: usize,
    /// Our own folder, which is passed by.
    ours: PathBuf,
}

impl Search {
    fn of(call: &Call) -> Result<Self, ToolError> {
        let pattern = call.optional_text("pattern")?.unwrap_or("*");
        Ok(Self {
            glob: entries::pattern_of(pattern, "pattern")?,
            by_path: pattern.contains('/'),
            wants_all: pattern == "*"
                && !["modified_window", "min_size"]
                    .iter()
                    .any(|name| call.args.contains_key(*name)),
            window: entries::window_of(call)?,
            of_pictures: taken::are_pictures(pattern).then(|| call.context.now.time_zone().clone()),
            about: About::of(call)?,
            named: About::named(call)?,
            min_size: call.count("min_size")?.map_or(0, |bytes| bytes as u64),
            max_results: call
                .count("max_results")?
                .unwrap_or(limits::ENTRIES_MAX)
                .min(limits::ENTRIES_MAX),
            keep: call.optional_text("keep")?.map(Keep::parse).transpose()?,
            with_hidden: call.flag("include_hidden", false)? || pattern.starts_with('.'),
            with_shared: !call.context.is_host,
            depth: if call.flag("recursive", true)? {
                limits::WALK_DEPTH_MAX
            } else {
                1
            },
            ours: call.context.data_dir.clone(),
        })
    }

    /// What is hidden, and our own folder where it lies in the home of the host.
    fn passes_by(&self, found: &DirEntry) -> bool {
        let is_hidden = !self.with_hidden && super::is_hidden(found.file_name());
        found.depth() > 0 && (is_hidden || found.file_type().is_dir() && found.path() == self.ours)
    }

    /// Adds what is below one folder.
    fn below(&self, base: &Path, seen: &mut Seen) {
        let walk = WalkDir::new(base)
            .min_depth(1)
            .max_depth(self.depth)
            // Whole paths of one folder are in the order of their names, and are compared as bytes.
            .sort_by(|one, other| one.path().as_os_str().cmp(other.path().as_os_str()));
        let walk = walk.into_iter().filter_entry(|found| !self.passes_by(found));
        for found in walk.take(NAMES_MAX.saturating_sub(seen.names)) {
            seen.names += 1;
            let Ok(found) = found else {
                seen.unreadable += 1;
                continue;
            };
            // What lies below it is not looked at.
            seen.is_cut |= self.depth > 1 && found.depth() == self.depth && found.file_type().is_dir();
            let is_shared = self.with_shared && found.path_is_symlink() && found.path().is_file();
            if !found.file_type().is_file() && !is_shared || !self.is_named(base, &found) {
                continue;
            }
            let Ok(metadata) = fs::metadata(found.path()) else {
                seen.unreadable += 1;
                continue;
            };
            let about = |about: &About| {
                let said = about.is_said_of(found.path(), &metadata);
                if !said {
                    seen.note_near(about, found.path());
                }
                said
            };
            let taken = self.taken(found.path());
            let fits = metadata.len() >= self.min_size
                && self.is_recent(&metadata, taken)
                && self.about.as_ref().is_none_or(about)
                && self
                    .named
                    .as_ref()
                    .is_none_or(|named| seen.is_best_by_name(named, found.path()));
            if fits {
                seen.available += 1;
                seen.bytes = seen.bytes.saturating_add(metadata.len());
                self.add(seen, found.path(), (&metadata, taken));
            }
        }
        if let Some(keep) = self.keep {
            seen.keep(keep, self.max_results);
        }
    }

    /// Adds those that fit by what they say, where no name says it all: opening every file of a home takes long.
    fn by_texts(&self, seen: &mut Seen) {
        let Some(named) = self
            .named
            .as_ref()
            .filter(|_| !seen.by_name.best.is_some_and(is_settled))
        else {
            return;
        };
        for path in std::mem::take(&mut seen.by_name.unread) {
            let Ok(metadata) = fs::metadata(&path) else {
                seen.unreadable += 1;
                continue;
            };
            match named.fit_by_text(&path, &metadata) {
                Some(rank) if seen.is_best(rank) => {
                    seen.available += 1;
                    seen.bytes = seen.bytes.saturating_add(metadata.len());
                    let taken = self.taken(&path);
                    self.add(seen, &path, (&metadata, taken));
                }
                Some(_) => {}
                None => seen.note_near(named, &path),
            }
        }
        if let Some(keep) = self.keep {
            seen.keep(keep, self.max_results);
        }
    }

    /// Adds one that fits: the first ones there are, or all of them where the most extreme are kept now and then.
    fn add(&self, seen: &mut Seen, path: &Path, (metadata, taken): (&fs::Metadata, Option<Timestamp>)) {
        let room = match self.keep {
            Some(_) => self.max_results.saturating_mul(2),
            None => self.max_results,
        };
        if seen.entries.len() < room {
            let mut entry = super::entry(path, metadata);
            entry.extend(taken.map(|taken| ("mtime".to_owned(), json!(taken.to_string()))));
            seen.entries.push(Value::Object(entry));
        }
        if let Some(keep) = self.keep.filter(|_| seen.entries.len() == room) {
            seen.keep(keep, self.max_results);
        }
    }

    /// Adds a file that was named in the place of a folder.
    fn itself(&self, file: &Path, seen: &mut Seen) {
        seen.names += 1;
        match fs::symlink_metadata(file) {
            Ok(metadata) => {
                seen.available += 1;
                seen.bytes = seen.bytes.saturating_add(metadata.len());
                if seen.entries.len() < self.max_results {
                    seen.entries.push(Value::Object(super::entry(file, &metadata)));
                }
            }
            Err(_) => seen.unreadable += 1,
        }
    }

    fn is_named(&self, base: &Path, found: &DirEntry) -> bool {
        if self.by_path {
            let below = found.path().strip_prefix(base);
            below.is_ok_and(|below| self.glob.is_match(below))
        } else {
            self.glob.is_match(found.file_name())
        }
    }

    /// When a picture was taken, where it matters and can be told.
    fn taken(&self, path: &Path) -> Option<Timestamp> {
        taken::taken(path, self.of_pictures.as_ref()?)
    }

    fn is_recent(&self, metadata: &fs::Metadata, taken: Option<Timestamp>) -> bool {
        self.window.is_none_or(|range| {
            let changed = || Timestamp::try_from(metadata.modified().ok()?).ok();
            taken.or_else(changed).is_some_and(|instant| range.contains(instant))
        })
    }
}

/// Files whose names fit best so far, and the names of some that do not.
#[derive(Default)]
struct Names {
    best: Option<Rank>,
    /// Files whose names do not say it all.
    unread: Vec<PathBuf>,
    near: Vec<String>,
}

/// Which of too many files are kept.
#[derive(Clone, Copy)]
struct Keep {
    field: &'static str,
    desc: bool,
}

impl Keep {
    fn parse(text: &str) -> Result<Self, ToolError> {
        let (field, desc) = match text {
            "largest" => ("size", true),
            "smallest" => ("size", false),
            "newest" => ("mtime", true),
            "oldest" => ("mtime", false),
            _ => return Err(wrong("keep")),
        };
        Ok(Self { field, desc })
    }
}

/// What a walk saw.
#[derive(Default)]
struct Seen {
    entries: Vec<Value>,
    available: usize,
    /// Of all that is available.
    bytes: u64,
    names: usize,
    /// A folder lies deeper than a search goes.
    is_cut: bool,
    unreadable: usize,
    /// Those that are most of what was asked for are there: nobody misses the others.
    is_ranked: bool,
    by_name: Names,
}

impl Seen {
    /// Whether no file before fits better by its name. One that a text could make fit better is looked into later.
    fn is_best_by_name(&mut self, named: &About, path: &Path) -> bool {
        let rank = named.fit_by_name(path);
        if !rank.is_some_and(is_settled) {
            self.by_name.unread.push(path.to_owned());
        }
        rank.is_some_and(|rank| self.is_best(rank))
    }

    /// Whether no file before fits better; those that fit worse are forgotten.
    fn is_best(&mut self, rank: Rank) -> bool {
        match self.by_name.best {
            Some(best) if best < rank => return false,
            Some(best) if best == rank => {}
            Some(_) | None => {
                self.by_name.best = Some(rank);
                self.entries.clear();
                (self.available, self.bytes) = (0, 0);
            }
        }
        true
    }

    /// Keeps the name of a file that has some of the words, to be named where none has them all.
    fn note_near(&mut self, sought: &About, path: &Path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if self.by_name.near.len() < limits::NEAR_NAMES_MAX && sought.is_near(&name) {
            self.by_name.near.push(name.into_owned());
        }
    }

    /// Keeps the most extreme, and leaves the others out.
    fn keep(&mut self, keep: Keep, most: usize) {
        self.is_ranked = true;
        if self.entries.len() <= most {
            return;
        }
        let value = |entry: &Value| entry.get(keep.field).cloned().unwrap_or_default();
        self.entries.sort_by(|one, other| {
            let order = fields::compare(&value(one), &value(other));
            if keep.desc { order.reverse() } else { order }
        });
        self.entries.truncate(most);
    }

    fn into_body(self) -> Map<String, Value> {
        let mut body = object(json!({
            "used": self.entries.len(),
            "available_total": self.available,
            "truncated": self.entries.len() < self.available && !self.is_ranked,
        }));
        if self.names >= NAMES_MAX || self.is_cut {
            body.insert("source_scan_truncated".to_owned(), json!(true));
        }
        if self.unreadable > 0 {
            body.insert("unreadable".to_owned(), json!(self.unreadable));
        }
        body.insert("entries".to_owned(), Value::Array(self.entries));
        body
    }
}

/// Names in one folder: files and folders, not deeper.
pub(in crate::executors) fn list_dirs(call: &Call) -> Result<ToolResult, ToolError> {
    let path = paths::resolve(call.text("path")?, &call.context.home)?;
    let sort = call.optional_text("sort")?.unwrap_or("name");
    if !matches!(sort, "name" | "mtime" | "size") {
        return Err(wrong("sort"));
    }
    let with_hidden = call.flag("include_hidden", false)?;
    // An order by size without the sizes of folders would be no order.
    let with_totals = call.flag("totals", false)? || sort == "size";
    let asked = call.count("max_results")?;
    let max_results = asked.unwrap_or(limits::ENTRIES_MAX).min(limits::ENTRIES_MAX);
    if let Err(failure) = check_dir(&path) {
        return Ok(failed(failure));
    }
    let names = match fs::read_dir(&path) {
        Ok(names) => names,
        Err(error) => return Ok(failed(Failure::io(&path, &error))),
    };
    let mut seen = Seen::default();
    let mut scales = Scales::default();
    for name in names.take(NAMES_MAX) {
        seen.names += 1;
        match name.and_then(|name| Ok((name.path(), name.file_name(), fs::symlink_metadata(name.path())?))) {
            Ok((path, _, _)) if path == call.context.data_dir => {}
            Ok((_, name, _)) if !with_hidden && super::is_hidden(&name) => {}
            Ok((path, _, metadata)) => {
                let mut entry = super::entry(&path, &metadata);
                if with_totals && metadata.is_dir() {
                    scales.weigh(&path, &mut entry);
                }
                seen.entries.push(Value::Object(entry));
            }
            Err(_) => seen.unreadable += 1,
        }
    }
    let is_empty = seen.entries.is_empty() && seen.unreadable == 0;
    let key = match seen.names {
        0 => "executors-folder-empty",
        _ => "executors-folder-hides",
    };
    let empty = Message::new(key).with("path", paths::show_short(&path, &call.context.home));
    seen.entries.sort_by(|left, right| by_field(left, right, sort));
    seen.available = seen.entries.len();
    // The largest three are what was asked for: all were looked at.
    seen.is_ranked = sort != "name" && asked.is_some();
    seen.entries.truncate(max_results);
    let mut body = seen.into_body();
    body.insert("path".to_owned(), json!(paths::show(&path)));
    if is_empty {
        body.insert("empty".to_owned(), json!(empty));
    }
    if let Some(note) = scales.note() {
        body.insert("note".to_owned(), note);
    }
    Ok(ToolResult::ok(body))
}

/// Names from A to Z; the newest and the largest first.
fn by_field(left: &Value, right: &Value, sort: &str) -> Ordering {
    let value = |entry: &Value, name: &str| entry.get(name).cloned().unwrap_or_default();
    let by_name = fields::compare(&value(left, "name"), &value(right, "name"));
    match sort {
        "name" => by_name,
        _ => fields::compare(&value(right, sort), &value(left, sort)).then(by_name),
    }
}

pub(super) fn check_dir(path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(metadata) if metadata.is_file() => Err(Failure::mismatch(path, "directory", "file")),
        Ok(_) => Err(Failure::mismatch(path, "directory", "other")),
        Err(error) if error.kind() == io::ErrorKind::NotFound && paths::is_pattern(&paths::show(path)) => {
            Err(Failure::mismatch(path, "directory", "pattern"))
        }
        Err(error) => Err(Failure::io(path, &error)),
    }
}

pub(super) fn failed(failure: Failure) -> ToolResult {
    let mut batch = Batch::default();
    batch.push(Err(failure));
    batch.finish("entries", Map::new())
}
