//! A composite is asked for in the words it grew out of: a request of just these words, with other values in their
//! places, is a call of it, and no model is asked. Called by dispatch; pure. In doubt it is a miss.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::domain::{
    frame::Said,
    manifest::{Kind, Manifest},
    plan::{Plan, Proposed},
};

/// The call that these words ask for, where one composite alone is asked for in them.
pub fn asked(words: &str, values: &[Value], manifests: &[Arc<Manifest>]) -> Option<Plan<Proposed>> {
    let grown = manifests
        .iter()
        .filter(|manifest| matches!(manifest.kind, Kind::Composite { .. }));
    let mut calls = grown.filter_map(|manifest| {
        let mut said = manifest.frames.iter().filter_map(|frame| frame.said.as_ref());
        let args = said.find_map(|said| filled(manifest, said, words, values))?;
        Some(json!({"tool": manifest.name, "args": args}))
    });
    let call = calls.next()?;
    if calls.next().is_some() {
        return None;
    }
    Plan::from_json(&json!({"steps": [call]})).ok()
}

fn filled(manifest: &Manifest, said: &Said, words: &str, values: &[Value]) -> Option<Map<String, Value>> {
    if said.words != words || said.values.len() != values.len() {
        return None;
    }
    let mut args = Map::new();
    for (place, value) in said.values.iter().zip(values) {
        if place.is.as_ref().is_some_and(|is| is != value) {
            return None;
        }
        for name in &place.args {
            let form = manifest.arg(name)?.schema.get("type").and_then(Value::as_str);
            let is_text = form == Some("string");
            let number = value.as_number().filter(|_| is_text);
            let value = number.map_or_else(|| value.clone(), |number| Value::String(number.to_string()));
            args.insert(name.clone(), value);
        }
    }
    Some(args)
}
