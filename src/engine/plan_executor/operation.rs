//! The identity of one operation: what a person approves and what the effects journal keeps. Pure.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::domain::{
    hex::hex,
    ids::{ActorId, ExecutorName, OperationHash},
    kind::Class,
    manifest::Manifest,
};

use super::{projection::ENTRIES, words::words};

/// SHA-256 over executor, arguments and actor; the order of an object's fields does not matter.
pub fn operation_hash(tool: &ExecutorName, args: &Value, actor: &ActorId) -> OperationHash {
    let mut canonical = String::new();
    for part in [tool.as_str(), actor.as_str()] {
        write_canonical(&Value::String(part.to_owned()), &mut canonical);
    }
    write_canonical(args, &mut canonical);
    let digest = Sha256::digest(canonical.as_bytes());
    let (half, _) = digest.split_at(digest.len() / 2);
    OperationHash::from(hex(half))
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => out.push_str(&value.to_string()),
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(fields) => {
            let mut names: Vec<(&String, &Value)> = fields.iter().collect();
            names.sort_unstable_by_key(|(name, _)| *name);
            out.push('{');
            for (name, field) in names {
                write_canonical(&Value::String(name.clone()), out);
                out.push(':');
                write_canonical(field, out);
                out.push(',');
            }
            out.push('}');
        }
    }
}

/// What a step acts on, for the approval card: what is changed rather than where it goes, entries when no
/// argument says.
pub(super) fn targets(manifest: &Manifest, args: &Map<String, Value>) -> Vec<String> {
    let named = |wanted: &[Class]| -> Vec<String> {
        manifest
            .args
            .iter()
            .filter(|spec| wanted.contains(&spec.class()))
            .filter_map(|spec| args.get(&spec.name))
            .flat_map(each)
            .collect()
    };
    let sources = named(&[Class::File, Class::Address]);
    if !sources.is_empty() {
        return sources;
    }
    let entries: Vec<String> = args.get(ENTRIES).map(each).unwrap_or_default();
    if !entries.is_empty() {
        return entries;
    }
    let places = named(&[Class::Target, Class::Folder]);
    if !places.is_empty() {
        return places;
    }
    named(&[Class::Words, Class::Unknown, Class::Column, Class::Glob])
}

fn each(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().map(words).collect(),
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => vec![words(value)],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::fixtures::lookup;

    #[test]
    fn the_hash_knows_what_matters_and_nothing_else() {
        let hash = |tool: &str, args: Value, actor: &str| operation_hash(&tool.into(), &args, &actor.into());
        let base = hash("move_files", json!({"paths": ["/a"], "dst_dir": "/b"}), "host");
        assert_eq!(base.as_str().len(), 32);
        assert_eq!(
            base,
            hash("move_files", json!({"dst_dir": "/b", "paths": ["/a"]}), "host")
        );
        for other in [
            hash("delete_files", json!({"paths": ["/a"], "dst_dir": "/b"}), "host"),
            hash("move_files", json!({"paths": ["/a"], "dst_dir": "/b"}), "guest_1"),
            hash("move_files", json!({"paths": ["/a", "/b"], "dst_dir": "/b"}), "host"),
            hash("move_files", json!({"paths": ["/a,/b"], "dst_dir": "/b"}), "host"),
        ] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn the_card_names_what_is_changed() {
        let move_files = lookup(&"move_files".into()).unwrap();
        let args = json!({"paths": ["/a", "/b"], "dst_dir": "/d"});
        assert_eq!(targets(&move_files, args.as_object().unwrap()), ["/a", "/b"]);
        let write_files = lookup(&"write_files".into()).unwrap();
        let args = json!({"path": "/d/x", "content": "y"});
        assert_eq!(targets(&write_files, args.as_object().unwrap()), ["/d/x"]);
    }
}
