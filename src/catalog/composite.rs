//! A composite as the text of its manifest, as `install` puts it into the catalog. Called by `nights`; it touches no
//! file.

use serde_json::{Value as Json, json};
use toml::Table;

use super::parse::{self, MANIFEST_FORMAT, ParseError};
use crate::domain::manifest::{Kind, Manifest, Presentation};

/// The text of a composite's manifest; it parses back to the same, and keeps every rule of the catalog.
pub fn written(manifest: &Manifest) -> Result<String, ParseError> {
    let refuse = |why: String| ParseError::Toml(why);
    let table: Table = serde_json::from_value(document(manifest)).map_err(|error| refuse(error.to_string()))?;
    let text = toml::to_string(&table).map_err(|error| refuse(error.to_string()))?;
    parse::parse(text.as_bytes())?;
    Ok(text)
}

fn document(manifest: &Manifest) -> Json {
    let description: serde_json::Map<String, Json> = manifest
        .description
        .iter()
        .map(|(lang, text)| {
            let parts = json!({"purpose": text.purpose, "pattern": text.pattern, "not": text.not, "out": text.out});
            (lang.code().to_owned(), parts)
        })
        .collect();
    let args: Vec<Json> = manifest
        .args
        .iter()
        .map(|arg| {
            json!({
                "name": arg.name,
                "required": arg.required,
                "kind": arg.class().as_str(),
                "schema": arg.schema,
                "description": arg.description,
            })
        })
        .collect();
    let presentation = match &manifest.presentation {
        Presentation::Entries(columns) => json!({ "entries": columns }),
        Presentation::Text(field) => json!({ "text": field }),
        Presentation::Sentence(key) => json!({ "sentence": key }),
    };
    let plan = match &manifest.kind {
        Kind::Composite { plan } => plan.to_string(),
        Kind::Builtin | Kind::Program { .. } | Kind::Mcp(_) => String::new(),
    };
    let frames: Vec<Json> = manifest
        .frames
        .iter()
        .map(|frame| json!({ "deed": frame.deed, "said": frame.said }))
        .collect();
    json!({
        "manifest_format": MANIFEST_FORMAT,
        "name": manifest.name,
        "version": manifest.version,
        "kind": "composite",
        "affinity": manifest.affinity,
        "effect": manifest.effect,
        "risk": manifest.risk,
        "feed": manifest.feed,
        "timeout_s": manifest.timeout_s,
        "cacheable": manifest.cacheable,
        "companions": [],
        "requires_one_of": [],
        "capabilities": manifest.capabilities,
        "composite": { "plan": plan },
        "description": description,
        "args": args,
        "output": output(manifest),
        "presentation": presentation,
        "frames": frames,
    })
}

fn output(manifest: &Manifest) -> Json {
    let mut output = json!({
        "entry_fields": manifest.entry_fields,
        "result_fields": manifest.result_fields,
        "own_fields": manifest.own_fields,
    });
    if let (Some(things), Some(output)) = (&manifest.things, output.as_object_mut()) {
        output.insert("things".to_owned(), json!(things));
    }
    output
}
