//! A question that a text of the home answers: which one, and a plan that reads it out around the words that were said.
//! Called by `near`. It only looks.

use std::sync::Arc;

use serde_json::json;

use crate::{
    domain::{
        manifest::Manifest,
        plan::Plan,
        vocabulary::{Object, Verb},
    },
    engine::{
        frames::{Basis, Near},
        things::files::Files,
    },
    language::outline::{Sign, Word},
};

/// Of each telling word of a question, this much at least must stand in what answers it.
const WEIGHT_MIN: f64 = 0.25;

/// The plan that reads what the question is about; `said` are the places of its telling words.
pub(super) fn matter(files: &Files<'_>, words: &[Word], said: &[usize], manifests: &[Arc<Manifest>]) -> Option<Near> {
    // "Can you …" asks for a deed, and reading something out is one only where it asks for a look.
    let request = words.iter().position(|word| word.may_be(&Sign::Request));
    let looks = |word: &Word| {
        word.may_be(&Sign::Question) || word.deeds().any(|deed| matches!(deed, "look" | "find" | "count"))
    };
    let is_request = request.is_some_and(|at| !words.iter().skip(at + 1).take(4).any(looks));
    let among: Vec<usize> = (0..words.len()).collect();
    let found = files
        .matter(words, &among)
        .filter(|found| !is_request && found.weight >= WEIGHT_MIN * said.len() as f64)?;
    let by = |verb: Verb, object: Object| {
        let mut all = manifests.iter();
        all.find(|manifest| manifest.verb == Some(verb) && manifest.object == Some(object))
    };
    let read = by(Verb::Read, Object::Files)?;
    let mut steps = vec![json!({"tool": read.name.as_str(), "args": {"paths": [found.path]}})];
    if let Some(keep) = by(Verb::Filter, Object::Texts).filter(|_| !found.words.is_empty()) {
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
        basis: Basis::Things,
    })
}
