//! What the documents of a home say, kept so that a question finds them: read one by one in the sandboxed worker when
//! they are new or changed, forgotten when they are gone. Called by the family of papers for a turn and by the nightly
//! job. It opens no document itself and follows no name out of the home; a document nobody can read is noted as such
//! and not tried again until it changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use jiff::Zoned;
use metnos_papers::Part;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::{
    catalog::Catalog,
    domain::{
        folders,
        ids::{ActorId, ExecutorName, StepId, TurnId},
        lang::Lang,
        limits::{PAPER_BYTES_MAX, PAPER_TEXT_CHARS_MAX, PAPERS_MAX},
    },
    executors::{Call, CallContext, process::Runner},
    language::{Home, Language},
    store::{Store, StoreError, papers::FileStamp},
};

/// Reads a document, locked in.
const READER: &str = "read_files";
/// What stands for a turn where none asked.
const TURN: &str = "papers";
/// Endings of what is read; what a file is, its content says then.
const ENDINGS: [&str; 13] = [
    "pdf", "docx", "pptx", "xlsx", "xls", "ods", "odt", "odp", "rtf", "epub", "csv", "tsv", "xlsm",
];

/// Endings of pictures, which are papers where somebody scanned or named them.
const PICTURES: [&str; 5] = ["jpg", "jpeg", "png", "tif", "tiff"];
/// Digits in a row with which a camera numbers its pictures, at least.
const CAMERA_DIGITS_MIN: usize = 4;
/// In names that scanners give.
const SCANNERS: [&str; 2] = ["scan", "doc"];

/// Who reads documents, and where what they say is kept.
#[derive(Clone, Copy, Debug)]
pub struct Desk<'a> {
    /// The database.
    pub store: &'a Store,
    /// Starts the worker.
    pub runner: &'a Runner,
    /// Knows the executor that reads.
    pub catalog: &'a Catalog,
    /// Stems.
    pub language: &'a Language,
    /// Our own folder.
    pub data_dir: &'a Path,
}

/// Whose documents.
#[derive(Clone, Debug)]
pub struct Owner<'a> {
    /// Who.
    pub actor: &'a ActorId,
    /// What `~` stands for.
    pub home: PathBuf,
    /// Now.
    pub now: Zoned,
}

impl<'a> Owner<'a> {
    /// Whose call it is.
    pub fn of(context: &'a CallContext) -> Self {
        Self {
            actor: &context.actor,
            home: context.home.clone(),
            now: context.now.clone(),
        }
    }
}

impl Desk<'_> {
    /// Reads what is new or changed among these documents of a home for so long; how many are left.
    pub async fn refresh(&self, owner: &Owner<'_>, papers: &[&String], room: Duration) -> Result<usize, StoreError> {
        let began = Instant::now();
        let there: BTreeMap<&str, FileStamp> = papers
            .iter()
            .filter_map(|path| Some((path.as_str(), stamp(&owner.home, path, PAPER_BYTES_MAX)?)))
            .collect();
        let known: BTreeSet<FileStamp> = self.store.paper_stamps(owner.actor).await?.into_iter().collect();
        let gone = known.iter().filter(|one| !there.contains_key(one.path.as_str()));
        let gone: Vec<String> = gone.map(|one| one.path.clone()).collect();
        self.store.forget_papers(owner.actor, gone).await?;
        let new: Vec<&FileStamp> = there.values().filter(|one| !known.contains(*one)).collect();
        let mut left = new.len();
        for paper in new {
            if began.elapsed() >= room {
                break;
            }
            let parts = self.read(owner, &paper.path).await;
            let words = self.words(&paper.path, &parts);
            let kept = if parts.is_empty() {
                String::new()
            } else {
                json!(parts).to_string()
            };
            self.store.put_paper(owner.actor, paper.clone(), kept, words).await?;
            left -= 1;
        }
        Ok(left)
    }

    /// Pages and sheets of a document; none where it cannot be read.
    async fn read(&self, owner: &Owner<'_>, path: &str) -> Vec<Part> {
        let Some(reader) = self.catalog.get(&ExecutorName::from(READER)) else {
            return Vec::new();
        };
        let mut args = Map::new();
        args.insert("paths".to_owned(), json!([path]));
        args.insert("parts".to_owned(), json!(true));
        let call = self.call(owner, TURN, args);
        let read = self.runner.run(reader, call, None, &CancellationToken::new()).await;
        let parts = read
            .entries()
            .and_then(|entries| entries.first()?.get("parts").cloned());
        let parts: Vec<Part> = serde_json::from_value(parts.unwrap_or_default()).unwrap_or_default();
        kept(parts)
    }

    /// A call that no turn asked for.
    pub(crate) fn call(&self, owner: &Owner<'_>, turn: &str, args: Map<String, Value>) -> Call {
        let turn = TurnId::from(turn);
        Call {
            args,
            password: None,
            context: CallContext {
                backup_dir: folders::copies_of(self.data_dir, &turn),
                turn,
                step: StepId(1),
                actor: owner.actor.clone(),
                is_host: false,
                lang: Lang::EN,
                now: owner.now.clone(),
                home: owner.home.clone(),
                data_dir: self.data_dir.to_owned(),
                trusted_urls: Vec::new(),
            },
        }
    }

    /// What a document is found by.
    fn words(&self, path: &str, parts: &[Part]) -> String {
        let stems = |text: &str| metnos_papers::stems(self.language, text);
        let mut words = stems(path);
        for part in parts {
            let cells: Vec<&str> = part.rows.iter().flatten().filter_map(Value::as_str).collect();
            words.extend(stems(part.sheet.as_deref().unwrap_or_default()));
            words.extend(stems(&part.text));
            words.extend(stems(&cells.join(" ")));
        }
        words.join(" ")
    }
}

/// The documents of a home, written with `~/`.
pub fn of(home: &Home) -> Vec<&String> {
    home.files()
        .iter()
        .filter(|path| is_paper(path))
        .take(PAPERS_MAX)
        .collect()
}

/// Whether a file may be a document, by its name; a picture may be one that no camera named.
fn is_paper(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let Some((name, ending)) = name.rsplit_once('.') else {
        return false;
    };
    ENDINGS.contains(&ending) || PICTURES.contains(&ending) && !is_of_camera(name)
}

/// "IMG_2041", "20190814_183005": cameras count.
fn is_of_camera(name: &str) -> bool {
    let counts = name
        .split(|letter: char| !letter.is_ascii_digit())
        .any(|digits| digits.len() >= CAMERA_DIGITS_MIN);
    counts && !SCANNERS.iter().any(|word| name.contains(word))
}

/// What a file is known by; nothing for what is no plain file, or too large.
pub fn stamp(home: &Path, path: &str, bytes_max: u64) -> Option<FileStamp> {
    let metadata = fs::symlink_metadata(home.join(path.strip_prefix("~/")?)).ok()?;
    (metadata.is_file() && metadata.len() <= bytes_max).then(|| FileStamp {
        path: path.to_owned(),
        size: i64::try_from(metadata.len()).unwrap_or(i64::MAX),
        changed: metadata
            .mtime()
            .saturating_mul(1_000_000_000)
            .saturating_add(metadata.mtime_nsec()),
    })
}

/// As much of a document as is kept.
fn kept(mut parts: Vec<Part>) -> Vec<Part> {
    let mut left = PAPER_TEXT_CHARS_MAX;
    for part in &mut parts {
        let cut = part.text.floor_char_boundary(left);
        part.text.truncate(cut);
        left -= part.text.len();
        let mut rows = 0;
        for row in &part.rows {
            let size: usize = row.iter().map(|cell| cell.as_str().map_or(8, str::len) + 3).sum();
            if size > left {
                break;
            }
            left -= size;
            rows += 1;
        }
        part.rows.truncate(rows);
    }
    parts.retain(|part| !part.text.trim().is_empty() || !part.rows.is_empty());
    parts
}
