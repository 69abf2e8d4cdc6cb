//! Plans that are a composite, step by step: whoever wrote them, they count as a call of it, and are remembered as one.
//! Called by dispatch before a plan runs; pure.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{CLOSE, OPEN};
use crate::domain::{
    manifest::{Kind, Manifest},
    plan::Plan,
    reference::Argument,
};

/// The call that stands for this plan; `None` where no composite is just that.
pub fn folded<State>(plan: &Plan<State>, manifests: &[Arc<Manifest>]) -> Option<Value> {
    let written = plan.to_json();
    manifests.iter().find_map(|manifest| call(manifest, &written))
}

fn call(manifest: &Manifest, written: &Value) -> Option<Value> {
    let Kind::Composite { plan } = &manifest.kind else {
        return None;
    };
    let own = Plan::from_json(plan).ok()?.to_json();
    let mut args = Map::new();
    let is_it = is_same(&own, written, &mut args) && manifest.args.iter().all(|arg| args.contains_key(&arg.name));
    is_it.then(|| json!({"steps": [{"tool": manifest.name, "args": args}]}))
}

/// Whether a value is what the composite has in this place; what stands for a parameter is noted.
fn is_same(own: &Value, value: &Value, args: &mut Map<String, Value>) -> bool {
    match (own, value) {
        (Value::String(text), value) if parameter_of(text).is_some() => {
            let name = parameter_of(text).unwrap_or_default();
            match args.get(name) {
                Some(known) => known == value,
                None => {
                    args.insert(name.to_owned(), value.clone());
                    matches!(Argument::parse(value), Argument::Literal(_))
                }
            }
        }
        (Value::Array(own), Value::Array(values)) => {
            own.len() == values.len() && own.iter().zip(values).all(|(own, value)| is_same(own, value, args))
        }
        (Value::Object(own), Value::Object(fields)) => {
            own.len() == fields.len()
                && own
                    .iter()
                    .all(|(name, own)| fields.get(name).is_some_and(|field| is_same(own, field, args)))
        }
        (own, value) => own == value,
    }
}

fn parameter_of(text: &str) -> Option<&str> {
    text.strip_prefix(OPEN)?.strip_suffix(CLOSE)
}
