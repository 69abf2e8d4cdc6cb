//! What the model may say: the JSON Schema of this turn's answer, made from the shortlist.
//!
//! Called by the proposer for every call. llama-server turns it into a grammar, so only the keywords it knows are used,
//! and property order is the order of generation: what was understood comes first. The schema also forbids by form what
//! a rule alone would not prevent: a reference to a later step, a list tool without a list, a web address that nobody
//! named, an empty required list.

use serde_json::{Map, Value, json};

use super::Toolbox;
use crate::domain::{
    kind::Class,
    limits,
    manifest::{ArgSpec, Feed, Manifest},
    vocabulary::{Object, Verb},
};

/// Most steps of a plan.
const PLAN_STEPS_MAX: usize = 6;
/// Most items of a list argument.
const ITEMS_MAX: u64 = 16;
/// Text that is no reference.
const LITERAL_PATTERN: &str = r#"^[^$"\\\n\r\t]+$"#;
/// The time windows executors understand.
const WINDOW_PATTERN: &str = concat!(
    "^(today|yesterday|tomorrow|(this|last|next)-(week|month|year)|(last|next)-[1-9][0-9]?[hdwmy]",
    "|[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?)$"
);
/// Most alternatives of one step: a tool whose arguments come in more ways is left open.
const VARIANTS_MAX: usize = 6;

/// The schema for one request.
pub fn answer_schema(toolbox: &Toolbox, request: &str) -> Value {
    let tools: Vec<&Manifest> = toolbox.all().map(AsRef::as_ref).collect();
    let context = Context {
        tools: &tools,
        request,
        addresses: named_addresses(request),
    };
    let mut definitions = Map::new();
    let steps = context.steps(PLAN_STEPS_MAX, &mut definitions);
    let mut ways = Vec::new();
    if let Some(steps) = steps {
        ways.push(understood(&[
            ("steps", steps.clone()),
            ("show", json!({"const": true})),
        ]));
        ways.push(understood(&[("steps", steps), ("final_message", text(1))]));
    }
    ways.push(understood(&[("answer", text(1))]));
    ways.push(understood(&[("cannot", text(1))]));
    ways.push(understood(&[
        ("question", text(1)),
        ("risk", json!({"enum": RISKS})),
        ("reasoning", text(1)),
    ]));
    json!({"$defs": definitions, "anyOf": ways})
}

/// How bad a mistake would be, as the low-confidence contract has it.
const RISKS: [&str; 4] = ["low", "medium", "high", "critical"];

/// What was understood, and what is made of it.
fn understood(said: &[(&str, Value)]) -> Value {
    let words = |all: Vec<&str>| {
        let all = all.into_iter().map(Value::from);
        json!({"enum": all.chain([Value::Null]).collect::<Vec<_>>()})
    };
    let mut fields = vec![
        ("verb", words(Verb::ALL.iter().map(|verb| verb.as_str()).collect())),
        (
            "object",
            words(Object::ALL.iter().map(|object| object.as_str()).collect()),
        ),
        ("confidence", json!({"type": "number"})),
    ];
    fields.extend(said.iter().cloned());
    object(&fields)
}

/// The same answer without a grammar: the tools by name, their arguments left to the prompt and the validator. Small,
/// flat, and with no keyword that a provider might not know.
pub fn open_schema(toolbox: &Toolbox) -> Value {
    let names: Vec<&str> = toolbox.all().map(|tool| tool.name.as_str()).collect();
    let step = object(&[("tool", json!({"enum": names})), ("args", json!({"type": "object"}))]);
    json!({
        "type": "object",
        "properties": {
            "verb": {"type": "string"},
            "object": {"type": "string"},
            "confidence": {"type": "number"},
            "steps": {"type": "array", "items": step, "maxItems": PLAN_STEPS_MAX},
            "show": {"type": "boolean"},
            "final_message": {"type": "string"},
            "answer": {"type": "string"},
            "cannot": {"type": "string"},
            "question": {"type": "string"}
        },
        "additionalProperties": false
    })
}

struct Context<'a> {
    tools: &'a [&'a Manifest],
    request: &'a str,
    /// Web addresses that stand in the request: no other may be written.
    addresses: Vec<String>,
}

/// Whether the model is offered this argument. The runtime's own are not. How many a producer may find is offered only
/// when the request holds a number and no later step can cut the list: cut before it is sorted or filtered, a list
/// makes the answer wrong.
fn is_offered(tool: &Manifest, arg: &ArgSpec, tools: &[&Manifest], request: &str) -> bool {
    if arg.runtime_resolved {
        return false;
    }
    let is_source = tool.verb.is_some_and(Verb::is_producer) && !tool.effect.changes_something();
    if arg.required || !is_source || arg.class() != Class::Number {
        return true;
    }
    let orders_itself = tool.args.iter().any(|other| other.name.starts_with("sort"));
    let is_cut_later = tools
        .iter()
        .any(|other| other.feed == Feed::Required && other.arg_of(Class::Number).is_some());
    request.contains(|character: char| character.is_ascii_digit()) && (orders_itself || !is_cut_later)
}

impl Context<'_> {
    /// One alternative per length, each position with its own schema, so that references only point back.
    fn steps(&self, most: usize, definitions: &mut Map<String, Value>) -> Option<Value> {
        let mut items = Vec::new();
        let mut lengths = Vec::new();
        for position in 1..=most {
            let steps = self.steps_at(position);
            if steps.is_empty() {
                break;
            }
            let name = format!("step{position}");
            items.push(json!({"$ref": format!("#/$defs/{name}")}));
            definitions.insert(name, json!({"anyOf": steps}));
            lengths.push(json!({
                "type": "array", "prefixItems": items.clone(), "minItems": position, "maxItems": position
            }));
        }
        (!lengths.is_empty()).then(|| json!({"anyOf": lengths}))
    }

    fn steps_at(&self, position: usize) -> Vec<Value> {
        self.tools
            .iter()
            .flat_map(|tool| {
                self.argument_variants(tool, position)
                    .into_iter()
                    .map(|args| object(&[("tool", json!({"const": tool.name.as_str()})), ("args", args)]))
            })
            .collect()
    }

    /// The ways to call a tool at a position: fed by an earlier step, or with its own arguments; and of each group of
    /// `requires_one_of` one member after the other.
    fn argument_variants(&self, tool: &Manifest, position: usize) -> Vec<Value> {
        let mut variants = Vec::new();
        let may_be_fed = tool.feed != Feed::None && position > 1;
        if may_be_fed {
            variants.extend(
                self.required_sets(tool, true)
                    .iter()
                    .filter_map(|required| self.arguments(tool, position, Some(position - 1), required)),
            );
        }
        if tool.feed != Feed::Required {
            variants.extend(
                self.required_sets(tool, false)
                    .iter()
                    .filter_map(|required| self.arguments(tool, position, None, required)),
            );
        }
        variants
    }

    fn required_sets<'m>(&self, tool: &'m Manifest, is_fed: bool) -> Vec<Vec<&'m str>> {
        let always: Vec<&str> = tool
            .args
            .iter()
            .filter(|arg| arg.required && !arg.runtime_resolved)
            .filter(|arg| !(is_fed && arg.from_entries_key.is_some()))
            .map(|arg| arg.name.as_str())
            .collect();
        let mut sets = vec![always];
        for group in &tool.requires_one_of {
            let is_satisfied = is_fed
                && group
                    .iter()
                    .any(|name| name == "from_step" || is_fed_by_entries(tool, name));
            if is_satisfied {
                continue;
            }
            let members: Vec<&str> = group
                .iter()
                .map(String::as_str)
                .filter(|name| tool.arg(name).is_some_and(|arg| !arg.runtime_resolved))
                .collect();
            if members.is_empty() || sets.len() * members.len() > VARIANTS_MAX {
                continue;
            }
            sets = sets
                .iter()
                .flat_map(|set| {
                    members.iter().map(|member| {
                        let mut set = set.clone();
                        if !set.contains(member) {
                            set.push(member);
                        }
                        set
                    })
                })
                .collect();
        }
        sets
    }

    /// `None` when a required argument has no possible value.
    fn arguments(
        &self,
        tool: &Manifest,
        position: usize,
        last_source: Option<usize>,
        required: &[&str],
    ) -> Option<Value> {
        let mut properties = Map::new();
        let mut names: Vec<Value> = Vec::new();
        if let Some(last) = last_source {
            properties.insert("from_step".to_owned(), json!({"enum": (1..=last).collect::<Vec<_>>()}));
            names.push(json!("from_step"));
        }
        for arg in &tool.args {
            let is_required = required.contains(&arg.name.as_str());
            // The list of the earlier step replaces these.
            if last_source.is_some() && arg.from_entries_key.is_some() && !is_required {
                continue;
            }
            if !is_offered(tool, arg, self.tools, self.request) {
                continue;
            }
            match self.value(arg, position) {
                Some(schema) => {
                    properties.insert(arg.name.clone(), schema);
                }
                None if is_required => return None,
                None => continue,
            }
            if is_required {
                names.push(json!(arg.name));
            }
        }
        Some(json!({
            "type": "object", "properties": properties, "required": names, "additionalProperties": false
        }))
    }

    fn value(&self, arg: &ArgSpec, position: usize) -> Option<Value> {
        if arg.class() == Class::Window && arg.schema.get("enum").is_none() {
            return Some(json!({"type": "string", "pattern": WINDOW_PATTERN}));
        }
        if arg.class() == Class::File && arg.from_entries_key.is_some() {
            // What an earlier step found comes by `from_step`: written out, it could only be a broken reference.
            let one = json!({"type": "string", "pattern": LITERAL_PATTERN});
            return Some(as_declared(arg, one, ITEMS_MAX));
        }
        if arg.class() != Class::Address {
            let shortest = if arg.class() == Class::Text { 0 } else { 1 };
            return Some(constrained(&arg.schema, shortest));
        }
        let mut ways: Vec<Value> = Vec::new();
        if !self.addresses.is_empty() {
            ways.push(json!({"enum": self.addresses}));
        }
        if position > 1 {
            ways.push(json!({"type": "string", "pattern": "^\\$\\{step[1-9]\\.[a-z0-9_.*]+\\}$"}));
        }
        let one = match ways.len() {
            0 => return None,
            1 => ways.pop()?,
            _ => json!({"anyOf": ways}),
        };
        Some(as_declared(
            arg,
            one,
            u64::try_from(self.addresses.len()).unwrap_or(1).max(1),
        ))
    }
}

/// One value, or a list of such values when the argument is a list.
fn as_declared(arg: &ArgSpec, one: Value, items_max: u64) -> Value {
    if arg.schema.get("type").and_then(Value::as_str) == Some("array") {
        json!({"type": "array", "items": one, "minItems": 1, "maxItems": items_max})
    } else {
        one
    }
}

fn is_fed_by_entries(tool: &Manifest, name: &str) -> bool {
    tool.arg(name).is_some_and(|arg| arg.from_entries_key.is_some())
}

/// Web addresses of a request as written; without any, the words that look like a host name.
fn named_addresses(request: &str) -> Vec<String> {
    let mut full = Vec::new();
    let mut hosts = Vec::new();
    for word in request.split_whitespace() {
        let word = word
            .trim_start_matches(['"', '\'', '(', '<', '«', '“'])
            .trim_end_matches(['"', '\'', ')', '>', '»', '”', '.', ',', ';', '!', '?']);
        if word.starts_with("http://") || word.starts_with("https://") {
            full.push(word.to_owned());
        } else if looks_like_host(word) {
            hosts.push(format!("https://{word}"));
        }
    }
    let mut addresses = if full.is_empty() { hosts } else { full };
    addresses.dedup();
    addresses.truncate(limits::URLS_PER_STEP_MAX);
    addresses
}

fn looks_like_host(word: &str) -> bool {
    let host = word.split('/').next().unwrap_or(word);
    let Some((name, ending)) = host.rsplit_once('.') else {
        return false;
    };
    !name.is_empty()
        && ending.len() >= 2
        && ending.chars().all(|character| character.is_ascii_alphabetic())
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '.'))
}

/// An argument's schema with the keywords llama-server turns into a grammar, and with bounds on every list.
fn constrained(schema: &Value, shortest: u64) -> Value {
    if let Some(values) = schema.get("enum") {
        return json!({"enum": values});
    }
    if let Some(value) = schema.get("const") {
        return json!({"const": value});
    }
    for name in ["anyOf", "oneOf"] {
        if let Some(ways) = schema.get(name).and_then(Value::as_array) {
            let ways: Vec<Value> = ways.iter().map(|way| constrained(way, shortest)).collect();
            return json!({"anyOf": ways});
        }
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("integer") => {
            let mut integer = Map::from_iter([("type".to_owned(), json!("integer"))]);
            for bound in ["minimum", "maximum"] {
                if let Some(number) = schema.get(bound).filter(|number| number.is_i64()) {
                    integer.insert(bound.to_owned(), number.clone());
                }
            }
            Value::Object(integer)
        }
        Some("array") => {
            let items = schema
                .get("items")
                .map_or_else(|| text(1), |items| constrained(items, 1));
            let most = schema
                .get("maxItems")
                .and_then(Value::as_u64)
                .unwrap_or(ITEMS_MAX)
                .clamp(1, ITEMS_MAX);
            json!({"type": "array", "items": items, "minItems": 1, "maxItems": most})
        }
        Some("object") => match schema.get("properties").and_then(Value::as_object) {
            Some(fields) => {
                let fields: Map<String, Value> = fields
                    .iter()
                    .map(|(name, field)| (name.clone(), constrained(field, 0)))
                    .collect();
                let required = schema.get("required").cloned().unwrap_or_else(|| json!([]));
                json!({
                    "type": "object", "properties": fields, "required": required, "additionalProperties": false
                })
            }
            None => json!({"type": "object"}),
        },
        Some(simple @ ("number" | "boolean" | "null")) => json!({"type": simple}),
        Some(_) => text(shortest),
        None => match schema.get("type") {
            Some(types @ Value::Array(_)) => json!({"type": types}),
            Some(_) | None => text(shortest),
        },
    }
}

fn text(shortest: u64) -> Value {
    if shortest == 0 {
        json!({"type": "string"})
    } else {
        json!({"type": "string", "minLength": shortest})
    }
}

/// An object with exactly these fields, in this order.
fn object(fields: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> = fields
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_request_can_be_fetched() {
        for (request, expected) in [
            (
                "fetch http://127.0.0.1:8123/uuid, please",
                vec!["http://127.0.0.1:8123/uuid"],
            ),
            ("apri (https://a.example/x?y=1).", vec!["https://a.example/x?y=1"]),
            ("what is new on example.org/news", vec!["https://example.org/news"]),
            ("book me a flight to Rome", vec![]),
            ("read ~/notes/diary.md", vec![]),
            ("http://a.example/ and bbc.co.uk", vec!["http://a.example/"]),
        ] {
            assert_eq!(named_addresses(request), expected, "{request}");
        }
    }

    #[test]
    fn keywords_the_grammar_does_not_know_are_left_out() {
        let schema = json!({
            "type": "string", "description": "x", "default": "y", "pattern": "a(?=b)", "format": "uri", "maxLength": 5
        });
        assert_eq!(constrained(&schema, 1), json!({"type": "string", "minLength": 1}));
        assert_eq!(
            constrained(&json!({"type": "array", "maxItems": 1_000}), 1),
            json!({"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1, "maxItems": 16})
        );
        assert_eq!(
            constrained(&json!({"type": "integer", "minimum": 1, "multipleOf": 2}), 1),
            json!({"type": "integer", "minimum": 1})
        );
    }
}
