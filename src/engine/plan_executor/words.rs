//! A value as words, for a reference that stands inside a longer text or feeds an argument that wants text.

use serde_json::{Map, Value};

/// Fields that name an entry, best first.
const NAMES: [&str; 8] = ["title", "subject", "name", "path", "url", "text", "line", "value"];

/// The value as text: lists of objects become lines, lists of plain values are joined by commas.
pub fn words(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => list(items),
        Value::Object(fields) => entry(fields),
    }
}

fn list(items: &[Value]) -> String {
    if items.iter().any(|item| item.is_object() || item.is_array()) {
        let lines: Vec<String> = items.iter().map(|item| format!("- {}", words(item))).collect();
        return lines.join("\n");
    }
    let texts: Vec<String> = items.iter().map(words).collect();
    let many_lines = texts.iter().any(|text| text.contains('\n') || text.contains(", "));
    texts.join(if many_lines { "\n" } else { ", " })
}

/// The name of an entry, else its plain fields.
fn entry(fields: &Map<String, Value>) -> String {
    let name = NAMES.iter().find_map(|name| fields.get(*name)?.as_str());
    if let Some(name) = name.filter(|name| !name.trim().is_empty()) {
        return name.to_owned();
    }
    let plain: Vec<String> = fields
        .iter()
        .filter(|(_, field)| !field.is_object() && !field.is_array() && !field.is_null())
        .map(|(name, field)| format!("{name}: {}", words(field)))
        .collect();
    plain.join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_read_as_a_person_would_write_them() {
        for (value, text) in [
            (json!(3), "3"),
            (json!("a"), "a"),
            (json!(["a", "b"]), "a, b"),
            (json!(["a, b", "c"]), "a, b\nc"),
            (
                json!([{"path": "/a", "size": 1}, {"size": 2, "kind": "x"}]),
                "- /a\n- size: 2, kind: x",
            ),
            (json!(null), ""),
            (json!([]), ""),
        ] {
            assert_eq!(words(&value), text);
        }
    }
}
