//! What flows along `from_step`: the list of an earlier result, as whole entries or as one field of each.
//! Used by the resolver and the run state; pure.

use serde_json::{Map, Value};

use crate::{
    domain::{
        manifest::{ArgSpec, Feed, Manifest},
        run::ToolResult,
    },
    engine::validator::accepts,
};

use super::{resolve::Unresolved, words::words};

/// The argument that carries whole entries.
pub(super) const ENTRIES: &str = "entries";

/// The list later steps work on: entries, else results, else the first list of objects.
pub fn payload(result: &ToolResult) -> Option<&Vec<Value>> {
    result.entries().or_else(|| {
        result
            .body
            .values()
            .filter_map(Value::as_array)
            .find(|list| !list.is_empty() && list.iter().all(Value::is_object))
    })
}

/// Adds to the arguments what the entries provide. What the plan gave itself stays.
pub(super) fn feed(manifest: &Manifest, entries: &[Value], args: &mut Map<String, Value>) -> Result<(), Unresolved> {
    if manifest.feed == Feed::None {
        return Ok(());
    }
    let mut projected = false;
    for spec in &manifest.args {
        let Some(key) = &spec.from_entries_key else {
            continue;
        };
        projected = true;
        if args.contains_key(&spec.name) {
            continue;
        }
        if let Some(value) = project(spec, key, entries)? {
            args.insert(spec.name.clone(), value);
        }
    }
    let takes_entries = manifest.arg(ENTRIES).is_some();
    if (takes_entries || manifest.feed == Feed::Required || !projected) && !args.contains_key(ENTRIES) {
        args.insert(ENTRIES.to_owned(), Value::Array(entries.to_vec()));
    }
    Ok(())
}

/// One field of every entry for a list argument, without repeats; the one value they agree on for any other.
fn project(spec: &ArgSpec, key: &str, entries: &[Value]) -> Result<Option<Value>, Unresolved> {
    let found: Vec<Option<Value>> = entries.iter().map(|entry| field(entry, key)).collect();
    if accepts(&spec.schema, "array") {
        let mut list: Vec<Value> = Vec::new();
        for value in found.into_iter().flatten() {
            if !list.contains(&value) {
                list.push(value);
            }
        }
        // Entries without the field cannot stand for an empty list: that would look like "nothing to do".
        let lost = list.is_empty() && !entries.is_empty();
        return if lost && spec.required {
            Err(Unresolved::Missing {
                reference: format!("entries.*.{key}"),
            })
        } else {
            Ok((!lost).then_some(Value::Array(list)))
        };
    }
    let mut values = found.iter().flatten();
    let Some(first) = values.next() else {
        return Ok(None);
    };
    if found.iter().all(|value| value.as_ref() == Some(first)) {
        Ok(Some(first.clone()))
    } else {
        Err(Unresolved::Ambiguous {
            reference: spec.name.clone(),
        })
    }
}

/// A dotted field of an entry, also under its `data`; an entry that is a text is its own only field.
fn field(entry: &Value, key: &str) -> Option<Value> {
    if entry.is_string() {
        return Some(entry.clone());
    }
    let walk = |from: &Value| {
        let found = key.split('.').try_fold(from, |value, part| value.get(part))?;
        (!found.is_null()).then(|| found.clone())
    };
    walk(entry).or_else(|| walk(entry.get("data")?))
}

/// Fits a resolved value to what the argument takes, where only one reading is possible: words for a text, a list of
/// one for a list, the named field of each entry for a list of those.
pub(super) fn fit(spec: &ArgSpec, value: Value) -> Value {
    let takes = |kind| accepts(&spec.schema, kind);
    match value {
        Value::Array(items) if takes("array") => match &spec.from_entries_key {
            Some(key) if items.iter().any(Value::is_object) && !takes_objects(spec) => {
                Value::Array(items.iter().filter_map(|item| field(item, key)).collect())
            }
            Some(_) | None => Value::Array(items),
        },
        Value::Array(_) | Value::Object(_) | Value::Number(_) | Value::Bool(_) if only_text(spec) => {
            Value::String(words(&value))
        }
        Value::String(_) | Value::Number(_) if takes("array") && !takes("string") => Value::Array(vec![value]),
        Value::String(text) if takes("integer") && !takes("string") => match text.trim().parse::<i64>() {
            Ok(number) => Value::from(number),
            Err(_not_a_number) => Value::String(text),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            value
        }
    }
}

fn only_text(spec: &ArgSpec) -> bool {
    spec.schema.get("type").and_then(Value::as_str) == Some("string")
}

fn takes_objects(spec: &ArgSpec) -> bool {
    spec.schema.get("items").is_some_and(|items| accepts(items, "object"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::fixtures::{lookup, ok};

    fn fed(tool: &str, entries: &Value, given: &Value) -> Result<Value, Unresolved> {
        let manifest = lookup(&tool.into()).unwrap();
        let mut args = given.as_object().unwrap().clone();
        feed(&manifest, entries.as_array().unwrap(), &mut args)?;
        Ok(Value::Object(args))
    }

    #[test]
    fn the_payload_is_the_first_list_that_makes_sense() {
        for (body, list) in [
            (json!({"entries": [1], "results": [2]}), Some(json!([1]))),
            (json!({"results": [2]}), Some(json!([2]))),
            (json!({"tags": ["a"], "rows": [{"b": 1}]}), Some(json!([{"b": 1}]))),
            (json!({"tags": ["a"]}), None),
        ] {
            assert_eq!(payload(&ok(body)).cloned().map(Value::Array), list);
        }
    }

    #[test]
    fn lists_take_a_field_of_each_and_scalars_need_agreement() {
        let two = json!([{"path": "/a"}, {"path": "/b"}, {"path": "/a"}]);
        assert_eq!(fed("read_files", &two, &json!({})), Ok(json!({"paths": ["/a", "/b"]})));
        assert_eq!(
            fed("read_files", &two, &json!({"paths": ["/c"]})),
            Ok(json!({"paths": ["/c"]}))
        );
        assert_eq!(
            fed("move_files", &two, &json!({"dst_dir": "/d"})),
            Ok(json!({"dst_dir": "/d", "paths": ["/a", "/b"]}))
        );
        assert!(matches!(
            fed("get_files", &two, &json!({})),
            Err(Unresolved::Ambiguous { .. })
        ));
        assert_eq!(
            fed("get_files", &json!([{"path": "/a"}, {"path": "/a"}]), &json!({})),
            Ok(json!({"path": "/a"}))
        );
        assert!(matches!(
            fed("delete_files", &json!([{"name": "a"}]), &json!({})),
            Err(Unresolved::Missing { .. })
        ));
    }

    #[test]
    fn transformers_get_whole_entries() {
        let one = json!([{"path": "/a"}]);
        assert_eq!(
            fed("filter_entries", &one, &json!({"field": "path"})),
            Ok(json!({"field": "path", "entries": one}))
        );
    }

    #[test]
    fn values_fit_where_only_one_reading_is_possible() {
        let read = lookup(&"read_files".into()).unwrap();
        let write = lookup(&"write_files".into()).unwrap();
        let filter = lookup(&"filter_entries".into()).unwrap();
        for (spec, value, fitted) in [
            (read.arg("paths"), json!("/a"), json!(["/a"])),
            (read.arg("paths"), json!([{"path": "/a"}]), json!(["/a"])),
            (write.arg("content"), json!(3), json!("3")),
            (write.arg("content"), json!([{"path": "/a"}]), json!("- /a")),
            (filter.arg("keep"), json!("3"), json!(3)),
            (filter.arg("keep"), json!("three"), json!("three")),
        ] {
            assert_eq!(fit(spec.unwrap(), value), fitted);
        }
    }
}
