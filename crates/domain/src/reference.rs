//! References inside a plan's arguments, parsed once into values.
//!
//! `${stepN.path}` and `{{stepN.path}}` mean the same; `${FILLER:name}`; `${RUNTIME:key}`. A path is dotted,
//! a number indexes a list and `*` projects over it. The whole string being one reference keeps the value's type;
//! inside a longer text it becomes words. What a number points at is checked by the validator, not here.

use std::fmt;

use serde_json::{Map, Value};

/// One part of a path into a step's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathPart {
    /// A field by name.
    Field(String),
    /// An item of a list, from 0.
    Index(usize),
    /// Every item of a list.
    Every,
}

/// A place whose value is known only while the plan runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// A value of an earlier step's result. The number is as written, from 1.
    Step {
        /// The step's number as written in the plan.
        number: u32,
        /// Where in its result; empty for the whole.
        path: Vec<PathPart>,
    },
    /// A small text a model fills in.
    Filler(String),
    /// A value of the turn itself, such as `now` or `lang`.
    Runtime(String),
}

/// A part of a text argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words as they are.
    Text(String),
    /// A reference, turned into words.
    Reference(Reference),
}

/// An argument before it is resolved.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A value as it is; contains no reference at any depth.
    Literal(Value),
    /// Exactly one reference: the value keeps its type.
    Reference(Reference),
    /// Text with references inside.
    Text(Vec<Part>),
    /// A list with references somewhere inside.
    List(Vec<Argument>),
    /// An object with references somewhere inside.
    Object(Vec<(String, Argument)>),
}

impl Argument {
    /// Reads an argument as a model or a memory wrote it.
    pub fn parse(value: &Value) -> Self {
        match value {
            Value::String(text) => Self::parse_text(text),
            Value::Array(items) => {
                let parsed: Vec<Self> = items.iter().map(Self::parse).collect();
                if parsed.iter().all(|item| matches!(item, Self::Literal(_))) {
                    Self::Literal(value.clone())
                } else {
                    Self::List(parsed)
                }
            }
            Value::Object(fields) => {
                let parsed: Vec<(String, Self)> = fields
                    .iter()
                    .map(|(name, field)| (name.clone(), Self::parse(field)))
                    .collect();
                if parsed.iter().all(|(_, field)| matches!(field, Self::Literal(_))) {
                    Self::Literal(value.clone())
                } else {
                    Self::Object(parsed)
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Self::Literal(value.clone()),
        }
    }

    /// Reads a text argument.
    pub fn parse_text(text: &str) -> Self {
        let mut parts = parse_parts(text);
        if parts.iter().all(|part| matches!(part, Part::Text(_))) {
            return Self::Literal(Value::String(text.to_owned()));
        }
        if parts.len() == 1
            && let Some(Part::Reference(reference)) = parts.pop()
        {
            return Self::Reference(reference);
        }
        Self::Text(parse_parts(text))
    }

    /// Writes it back as JSON; `renumber` maps a step's number in this plan to the number to show.
    pub fn to_json(&self, renumber: &dyn Fn(u32) -> u32) -> Value {
        match self {
            Self::Literal(value) => value.clone(),
            Self::Reference(reference) => Value::String(reference.to_text(renumber)),
            Self::Text(parts) => Value::String(
                parts
                    .iter()
                    .map(|part| match part {
                        Part::Text(text) => text.clone(),
                        Part::Reference(reference) => reference.to_text(renumber),
                    })
                    .collect(),
            ),
            Self::List(items) => Value::Array(items.iter().map(|item| item.to_json(renumber)).collect()),
            Self::Object(fields) => Value::Object(
                fields
                    .iter()
                    .map(|(name, field)| (name.clone(), field.to_json(renumber)))
                    .collect::<Map<_, _>>(),
            ),
        }
    }

    /// Every reference inside, in order.
    pub fn references(&self) -> Vec<&Reference> {
        match self {
            Self::Literal(_) => Vec::new(),
            Self::Reference(reference) => vec![reference],
            Self::Text(parts) => parts
                .iter()
                .filter_map(|part| match part {
                    Part::Text(_) => None,
                    Part::Reference(reference) => Some(reference),
                })
                .collect(),
            Self::List(items) => items.iter().flat_map(Self::references).collect(),
            Self::Object(fields) => fields.iter().flat_map(|(_, field)| field.references()).collect(),
        }
    }
}

impl Reference {
    fn to_text(&self, renumber: &dyn Fn(u32) -> u32) -> String {
        match self {
            Self::Step { number, path } => {
                let mut text = format!("${{step{}", renumber(*number));
                for part in path {
                    text.push('.');
                    text.push_str(&part.to_string());
                }
                text.push('}');
                text
            }
            Self::Filler(name) => format!("${{FILLER:{name}}}"),
            Self::Runtime(key) => format!("${{RUNTIME:{key}}}"),
        }
    }

    fn parse(inside: &str) -> Option<Self> {
        let inside = inside.trim();
        if let Some(name) = inside.strip_prefix("FILLER:") {
            return Some(Self::Filler(name.trim().to_owned()));
        }
        if let Some(key) = inside.strip_prefix("RUNTIME:") {
            return Some(Self::Runtime(key.trim().to_owned()));
        }
        let (head, path) = match inside.split_once('.') {
            Some((head, path)) => (head, Some(path)),
            None => (inside, None),
        };
        let number = head.strip_prefix("step")?.parse().ok()?;
        let path = path.map_or_else(Vec::new, |path| path.split('.').map(PathPart::parse).collect());
        Some(Self::Step { number, path })
    }
}

impl PathPart {
    fn parse(text: &str) -> Self {
        match text {
            "*" => Self::Every,
            _ => text.parse().map_or_else(|_| Self::Field(text.to_owned()), Self::Index),
        }
    }
}

impl fmt::Display for PathPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(name),
            Self::Index(index) => write!(f, "{index}"),
            Self::Every => f.write_str("*"),
        }
    }
}

/// Splits a text at its references; what only looks like one stays text.
pub fn parse_parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some((before, reference, after)) = next_reference(rest) {
        words.push_str(before);
        if !words.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut words)));
        }
        parts.push(Part::Reference(reference));
        rest = after;
    }
    words.push_str(rest);
    if !words.is_empty() {
        parts.push(Part::Text(words));
    }
    parts
}

fn next_reference(text: &str) -> Option<(&str, Reference, &str)> {
    let mut from = 0;
    while let Some(tail) = text.get(from..) {
        let dollar = tail.find("${").map(|at| (at, "${", "}"));
        let braces = tail.find("{{").map(|at| (at, "{{", "}}"));
        let (at, open, close) = match (dollar, braces) {
            (Some(one), Some(other)) => {
                if one.0 <= other.0 {
                    one
                } else {
                    other
                }
            }
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return None,
        };
        let start = from + at;
        let inside_start = start + open.len();
        let Some(length) = text.get(inside_start..).and_then(|inside| inside.find(close)) else {
            from = inside_start;
            continue;
        };
        let inside = text.get(inside_start..inside_start + length)?;
        match Reference::parse(inside) {
            Some(reference) => {
                let after = text.get(inside_start + length + close.len()..)?;
                return Some((text.get(..start)?, reference, after));
            }
            None => from = inside_start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_spellings_are_one_reference() {
        let dollar = Argument::parse(&json!("${step1.entries.*.path}"));
        let braces = Argument::parse(&json!("{{step1.entries.*.path}}"));
        assert_eq!(dollar, braces);
        assert_eq!(dollar.to_json(&|n| n + 1), json!("${step2.entries.*.path}"));
    }

    #[test]
    fn text_around_a_reference_stays() {
        let argument = Argument::parse(&json!("wrote ${step2.bytes} bytes to ${RUNTIME:lang}"));
        assert_eq!(argument.references().len(), 2);
        assert_eq!(
            argument.to_json(&|n| n),
            json!("wrote ${step2.bytes} bytes to ${RUNTIME:lang}")
        );
    }

    #[test]
    fn what_only_looks_like_a_reference_is_text() {
        for text in ["${HOME}/x", "${step", "{{name}}", "a ${ b", "$step1"] {
            assert_eq!(Argument::parse(&json!(text)), Argument::Literal(json!(text)), "{text}");
        }
    }
}
