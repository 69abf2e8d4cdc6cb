//! What the cascade hands to the runtime: the answer in views, what memory learned, and the facts for the turn log.

use std::{collections::BTreeMap, path::Path};

use serde_json::{Map, Value};

use crate::{
    catalog::Catalog,
    domain::{
        dialogue::{FILE, LIST, Listed},
        ids::{CanonicalHash, ExecutorName, PlanHash, StepId},
        intent::Intent,
        manifest::Things,
        message::Message,
        outcome::{AnsweredBy, FinalKind, ModelUse, Pause, View},
        run::StepRecord,
        verdict::Risk,
    },
    engine::terminator::ONLY_EXCLUDED_WAYS,
    executors::paths,
    llm::CallUse,
    store::{offers::Offer, turns::Lessons},
};

/// What is done to the things of a list, as results name it.
const LIST_ACTIONS: [&str; 7] = [
    "list_created",
    "lines_added",
    "line_removed",
    "cleared",
    "cleared_before",
    "ticked",
    "ticked_before",
];

/// Time spent in each part of a turn, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Patterns and memory, without embedding.
    pub lookup_us: u64,
    /// Intent, shortlist and plan, model calls included.
    pub planning_us: u64,
    /// Executors alone.
    pub executors_us: u64,
    /// The whole turn inside the engine.
    pub total_us: u64,
}

/// A plan as it is kept after it ran.
#[derive(Clone, Debug, PartialEq)]
pub struct RanPlan {
    /// As JSON.
    pub json: Value,
    /// Hash of its shape.
    pub hash: PlanHash,
    /// Its shape in words.
    pub shape: String,
}

/// The end of a turn as the engine sees it.
#[derive(Clone, Debug)]
pub struct TurnOutcome {
    /// What to show, top to bottom.
    pub views: Vec<View>,
    /// Honest remarks below the answer: cut lists, things that failed on the way.
    pub notes: Vec<Message>,
    /// The layer that answered.
    pub answered_by: AnsweredBy,
    /// How it ended.
    pub final_kind: FinalKind,
    /// Hash of the canonical request.
    pub canonical_hash: CanonicalHash,
    /// What was understood, if anybody asked.
    pub intent: Option<Intent>,
    /// The plan that ran.
    pub plan: Option<RanPlan>,
    /// The tools that were shown to the proposer.
    pub candidates: Vec<ExecutorName>,
    /// Step by step.
    pub records: Vec<StepRecord>,
    /// Handles of results too large for the log, by step.
    pub handles: BTreeMap<StepId, Value>,
    /// For memory.
    pub lessons: Lessons,
    /// The fastpath of another request that served this one, with the similarity where cosine found it.
    pub stand_in: Option<(i64, Option<f64>)>,
    /// A step that waits for the person.
    pub pause: Option<Box<Pause>>,
    /// No step counted as less risky than this, and none does when the turn goes on.
    pub risk_min: Risk,
    /// The plan may not be what was meant: what it changes is shown first, and so when the turn goes on.
    pub is_offered: bool,
    /// What a yes or a no to it is remembered by.
    pub offer: Option<Offer>,
    /// What models answered, each with what was wrong with it.
    pub proposals: Vec<Value>,
    /// Model use.
    pub model: ModelUse,
    /// The same, call by call.
    pub calls: Vec<CallUse>,
    /// Where the time went.
    pub timings: Timings,
    /// Why each layer above the one that answered did not, in English, for the log.
    pub path: Vec<String>,
}

impl TurnOutcome {
    /// It ended because the only way is one the person refused.
    pub fn is_kept_from_only_way(&self) -> bool {
        let gap = self.lessons.gap.as_ref();
        gap.is_some_and(|gap| gap.error_class == ONLY_EXCLUDED_WAYS)
    }

    /// The things of its one list, if it shows one and nothing else is in it; else the one file that it told of. `home`
    /// becomes `~`.
    pub fn listed(&self, catalog: &Catalog, home: &Path) -> Option<Listed> {
        self.things_listed(catalog, home)
            .or_else(|| self.file_told(catalog, home))
    }

    /// The file that the last step says its answer is from.
    fn file_told(&self, catalog: &Catalog, home: &Path) -> Option<Listed> {
        let record = self.records.iter().rfind(|record| !record.skipped)?;
        let tool = catalog.get(&record.tool)?;
        let tells = tool.own_fields.iter().any(|field| field == "path") && !tool.effect.changes_something();
        let path = record.result.body.get("path").filter(|_| tells)?.as_str()?;
        Some(Listed::files(vec![paths::show_short(Path::new(path), home)], false))
    }

    fn things_listed(&self, catalog: &Catalog, home: &Path) -> Option<Listed> {
        let mut lists = self.views.iter().filter_map(|view| match view {
            View::Entries { rows, total, .. } => Some((rows, *total)),
            View::Say(_) | View::Words(_) | View::Verbatim(_) | View::Value { .. } | View::Attached(_) => None,
        });
        let (rows, total) = lists.next().filter(|_| lists.next().is_none())?;
        // What filters and sorts passes on what another step found.
        let mut kinds = self.ran(catalog).rev();
        let listed = kinds.find_map(|(_, things)| listing(rows.iter(), &things, home))?;
        let is_cut = total > listed.ids.len();
        Some(Listed { is_cut, ..listed }).filter(|listed| !listed.is_empty())
    }

    /// The things that its last step made, changed or told of, where that step says what they are; else the one list
    /// whose things it changed.
    pub fn touched(&self, catalog: &Catalog, home: &Path) -> Option<Listed> {
        self.things_touched(catalog, home).or_else(|| self.list_changed(home))
    }

    /// The list that it made, or whose things it changed.
    fn list_changed(&self, home: &Path) -> Option<Listed> {
        let path = |record: &StepRecord| {
            let done = |name: &str| record.result.body.get(name);
            let is_list = match done("action")?.as_str()? {
                "created" => done("bytes")?.as_u64() == Some(0),
                action => LIST_ACTIONS.contains(&action),
            };
            let path = Path::new(done("path")?.as_str()?);
            is_list.then(|| paths::show_short(path, home))
        };
        let changes = self.records.iter().filter(|record| record.has_effect);
        let mut lists: Vec<String> = changes.filter_map(path).collect();
        lists.dedup();
        let [list] = <[String; 1]>::try_from(lists).ok()?;
        Some(Listed {
            kind: LIST.to_owned(),
            ids: vec![list],
            ..Listed::default()
        })
    }

    fn things_touched(&self, catalog: &Catalog, home: &Path) -> Option<Listed> {
        let (record, things) = self.ran(catalog).rfind(|(record, _)| record.result.is_ok())?;
        let is_declared = catalog.get(&record.tool).is_some_and(|tool| tool.things.is_some());
        let rows = record
            .result
            .entries()
            .into_iter()
            .flatten()
            .filter_map(Value::as_object);
        let own = || listing(std::iter::once(&record.result.body), &things, home);
        let touched = listing(rows, &things, home).filter(|listed| !listed.is_empty());
        touched.or_else(own).filter(|_| is_declared)
    }

    /// The steps that ran, each with what its result is made of.
    fn ran<'a>(&'a self, catalog: &'a Catalog) -> impl DoubleEndedIterator<Item = (&'a StepRecord, Things)> {
        let ran = self.records.iter().filter(|record| !record.skipped);
        ran.filter_map(|record| Some((record, catalog.get(&record.tool)?.things()?)))
    }

    /// An outcome with an answer and nothing else yet.
    pub fn new(answered_by: AnsweredBy, final_kind: FinalKind, views: Vec<View>) -> Self {
        Self {
            views,
            notes: Vec::new(),
            answered_by,
            final_kind,
            canonical_hash: CanonicalHash::from(""),
            intent: None,
            plan: None,
            candidates: Vec::new(),
            records: Vec::new(),
            handles: BTreeMap::new(),
            lessons: Lessons::default(),
            stand_in: None,
            pause: None,
            risk_min: Risk::Low,
            is_offered: false,
            offer: None,
            proposals: Vec::new(),
            model: ModelUse::default(),
            calls: Vec::new(),
            timings: Timings::default(),
            path: Vec::new(),
        }
    }
}

/// The things of these rows; `None` where one of them has no id.
fn listing<'r>(rows: impl Iterator<Item = &'r Map<String, Value>>, things: &Things, home: &Path) -> Option<Listed> {
    let mut listed = Listed {
        kind: things.kind.clone(),
        ..Listed::default()
    };
    for row in rows {
        let id = row.get(&things.id)?.as_str()?;
        let is_file = things.kind == FILE;
        listed.ids.push(match is_file {
            true => paths::show_short(Path::new(id), home),
            false => id.to_owned(),
        });
        if !is_file {
            let label = row.get(&things.label).and_then(Value::as_str);
            listed.labels.push(label.unwrap_or(id).to_owned());
        }
    }
    Some(listed)
}
