//! A question that a text of the home answers: which one, and a plan that reads it out around the words that were said.
//! Called by `near`. It only looks.

use std::sync::Arc;

use serde_json::json;

use super::said;
use crate::{
    domain::{
        manifest::Manifest,
        plan::{Plan, Proposed, Step},
        vocabulary::{Object, Verb},
    },
    engine::{
        dispatch::Cascade,
        frames::{self, Basis, Near},
        things::Resolver,
    },
    language::outline::{Sign, Word},
};

/// Of each telling word of a question, this much at least must stand in what answers it.
const WEIGHT_MIN: f64 = 0.25;

/// The plan that reads what the question is about; `said` are the places of its telling words.
pub(super) fn matter(
    things: &[&dyn Resolver],
    words: &[Word],
    said: &[usize],
    manifests: &[Arc<Manifest>],
) -> Option<Near> {
    // "Can you …" asks for a deed, and reading something out is one only where it asks for a look.
    let request = words.iter().position(|word| word.may_be(&Sign::Request));
    let looks = |word: &Word| {
        word.may_be(&Sign::Question) || word.deeds().any(|deed| matches!(deed, "look" | "find" | "count"))
    };
    let is_request = request.is_some_and(|at| !words.iter().skip(at + 1).take(4).any(looks));
    let among: Vec<usize> = (0..words.len()).collect();
    let found = things.iter().filter_map(|things| things.matter(words, &among));
    let found = found.max_by(|one, other| one.weight.total_cmp(&other.weight));
    let found = found.filter(|found| !is_request && found.weight >= WEIGHT_MIN * said.len() as f64)?;
    let by = |verb: Verb, fits: &dyn Fn(&Manifest) -> bool| {
        let mut all = manifests.iter();
        all.find(|manifest| manifest.verb == Some(verb) && fits(manifest))
    };
    let is_of_kind = |manifest: &Manifest| manifest.things().is_some_and(|things| things.kind == found.kind);
    let read = by(Verb::Read, &is_of_kind)?;
    let which = read.args.first()?;
    let mut steps = vec![json!({"tool": read.name.as_str(), "args": {&which.name: [found.id]}})];
    if let Some(keep) =
        by(Verb::Filter, &|manifest| manifest.object == Some(Object::Texts)).filter(|_| !found.words.is_empty())
    {
        let around = found.words.join(" ");
        steps.push(json!({"tool": keep.name.as_str(), "args": {"from_step": 1, "around": around}}));
    }
    let left = said.iter().filter(|at| !found.explained.contains(at));
    Some(Near {
        plan: Plan::from_json(&json!({"steps": steps})).ok()?,
        left: left
            .filter_map(|at| words.get(*at))
            .map(|word| word.fold.clone())
            .collect(),
        is_sure: false,
        explained: found.explained,
        changes: false,
        adds: false,
        basis: Basis::Things,
        is_rest: false,
        dictated: std::collections::BTreeSet::new(),
    })
}

impl Cascade<'_> {
    /// What was noted down about the thing a question looks for by name: who asks where the spare key is wants what was
    /// told of it, and not the file that is called so. Only where a note has every telling word.
    pub(in crate::engine::dispatch) fn noted(&self, instead_of: &[Step]) -> Option<Plan<Proposed>> {
        let finds = matches!(instead_of, [only] if matches!(only.verb(), Some(Verb::Find | Verb::Get)));
        let words = self.words();
        let said = said(&words);
        let asks = frames::clauses(&words).iter().any(|clause| clause.begins_asking);
        if !finds || !asks || said.is_empty() {
            return None;
        }
        let (language, lang) = (&self.engine.language, self.reading.lang);
        let notes = format!("~/{}/", language.notes_at(&self.home, lang)?);
        let things: Vec<&dyn Resolver> = self.things.iter().map(|things| &**things).collect();
        let found = things.iter().filter_map(|things| things.matter(&words, &said));
        let found = found.max_by(|one, other| one.weight.total_cmp(&other.weight))?;
        let is_told = found.id.starts_with(&notes) && found.words.len() == said.len();
        let near = matter(&things, &words, &said, self.catalog.all()).filter(|_| is_told)?;
        Some(near.plan)
    }
}
