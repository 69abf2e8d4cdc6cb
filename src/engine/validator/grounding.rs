//! Grounding: a step with effects may only act on what the person named. Every
//! number, path and web address written into it must stand in the request; values of earlier steps are references and
//! not checked here. Reads of remembered and composed plans are not grounded, as a wrong read does no harm.

use serde_json::Value;

use crate::domain::{
    manifest::{ArgSpec, Manifest, Semantic},
    plan::Step,
    reference::{Argument, Part},
};

use super::{ValidationContext, ValidationError, args};

/// Numbers of fewer digits in a text to be written are taken for the model's own, such as those of a list.
const CONTENT_DIGITS_MIN: usize = 2;

/// Reports the first ungrounded part of every argument.
pub(super) fn check(
    step: &Step,
    manifest: &Manifest,
    context: &ValidationContext<'_>,
    errors: &mut Vec<ValidationError>,
) {
    let request = Request::new(context);
    for (name, argument) in &step.args {
        let Some(spec) = manifest.arg(name) else {
            continue;
        };
        if let Argument::Literal(value) = argument
            && spec.schema.get("default") == Some(value)
        {
            continue;
        }
        if let Some(value) = ungrounded(argument, spec, &request) {
            errors.push(ValidationError::Ungrounded {
                step: step.id,
                arg: name.clone(),
                value,
            });
        }
    }
}

/// Reports the first place nobody named in every argument that is one.
pub(super) fn check_places(
    step: &Step,
    manifest: &Manifest,
    context: &ValidationContext<'_>,
    errors: &mut Vec<ValidationError>,
) {
    let request = Request::new(context);
    for (name, argument) in &step.args {
        let spec = manifest
            .arg(name)
            .filter(|spec| matches!(spec.semantic, Semantic::Path | Semantic::Directory | Semantic::Url));
        if let Some(value) = spec.and_then(|spec| ungrounded(argument, spec, &request)) {
            errors.push(ValidationError::Ungrounded {
                step: step.id,
                arg: name.clone(),
                value,
            });
        }
    }
}

struct Request {
    lower: String,
    words: Vec<String>,
    numbers: Vec<String>,
    by_name: Vec<String>,
}

impl Request {
    fn new(context: &ValidationContext<'_>) -> Self {
        let lower = context.request.to_lowercase();
        let mut numbers = digit_runs(&lower);
        numbers.extend(context.numbers.iter().map(u64::to_string));
        Self {
            // What an underscore joins is one name: "cv_marta" does not name `cv`.
            words: lower
                .split(|character: char| !character.is_alphanumeric() && character != '_')
                .map(str::to_owned)
                .collect(),
            numbers,
            by_name: context.by_name.iter().map(|path| path.to_lowercase()).collect(),
            lower,
        }
    }

    fn has_number(&self, digits: &str) -> bool {
        self.numbers
            .iter()
            .any(|number| strip_zeros(number) == strip_zeros(digits))
    }

    fn has_word(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }
}

/// The first part of the argument the request does not hold.
fn ungrounded(argument: &Argument, spec: &ArgSpec, request: &Request) -> Option<String> {
    match argument {
        Argument::Literal(value) => in_value(value, spec, request),
        Argument::Reference(_) => None,
        Argument::Text(parts) => parts.iter().find_map(|part| match part {
            Part::Text(text) => in_text(text, spec, request),
            Part::Reference(_) => None,
        }),
        Argument::List(items) => items.iter().find_map(|item| ungrounded(item, spec, request)),
        Argument::Object(fields) => fields.iter().find_map(|(_, field)| ungrounded(field, spec, request)),
    }
}

fn in_value(value: &Value, spec: &ArgSpec, request: &Request) -> Option<String> {
    match value {
        Value::Null | Value::Bool(_) => None,
        Value::Number(number) => digit_runs(&number.to_string())
            .into_iter()
            .find(|digits| !request.has_number(digits)),
        Value::String(text) => in_text(text, spec, request),
        Value::Array(items) => items.iter().find_map(|item| in_value(item, spec, request)),
        Value::Object(fields) => fields.values().find_map(|field| in_value(field, spec, request)),
    }
}

fn in_text(text: &str, spec: &ArgSpec, request: &Request) -> Option<String> {
    if spec.semantic == Semantic::Content {
        return digit_runs(text)
            .into_iter()
            .find(|digits| digits.len() >= CONTENT_DIGITS_MIN && !request.has_number(digits));
    }
    let trimmed = text.trim();
    if trimmed.contains("://") {
        return (!has_url(trimmed, request)).then(|| trimmed.to_owned());
    }
    if args::is_place(spec.semantic) {
        // The folder of a file that is meant is where things may go, and not a thing that is meant.
        let may_be_around = matches!(spec.semantic, Semantic::Directory | Semantic::Destination);
        let around = format!("{}/", trimmed.trim_end_matches('/').to_lowercase());
        if may_be_around && request.by_name.iter().any(|path| is_around(&around, path)) {
            return None;
        }
        return (!has_path(trimmed, request)).then(|| trimmed.to_owned());
    }
    let path = trimmed
        .split_whitespace()
        .find(|word| (word.contains('/') || word.starts_with('~')) && !has_path(word, request));
    path.map(str::to_owned).or_else(|| {
        digit_runs(trimmed)
            .into_iter()
            .find(|digits| !request.has_number(digits))
    })
}

/// Whether a file lies in this folder itself.
fn is_around(folder: &str, file: &str) -> bool {
    file.strip_prefix(folder).is_some_and(|name| !name.contains('/'))
}

/// The address as said, or without its scheme, which people leave out.
fn has_url(url: &str, request: &Request) -> bool {
    let lower = url.to_lowercase();
    let bare = lower
        .split_once("://")
        .map_or(lower.as_str(), |(_, rest)| rest)
        .trim_end_matches('/');
    !bare.is_empty() && request.lower.contains(bare)
}

/// The path as said, or each of its names said somewhere: "article.md in my notes" is `~/notes/article.md`.
fn has_path(path: &str, request: &Request) -> bool {
    let lower = path.to_lowercase();
    let bare = lower.trim_end_matches('/');
    let is_known = request.by_name.iter().any(|known| known == bare);
    if !bare.is_empty() && (is_known || is_delimited(bare, &request.lower)) {
        return true;
    }
    let mut named = false;
    for segment in bare.split('/') {
        let mut parts = words(segment);
        let stem = segment.rsplit_once('.').map_or(segment, |(stem, _)| stem);
        let is_joined = stem.contains('_') && request.has_word(stem);
        if is_joined || segment.contains('.') && !parts.is_empty() && is_delimited(segment, &request.lower) {
            named = true;
            continue;
        }
        // People say "as article", not "as article.md"; and "a new file" does not name `a.md`.
        if parts.len() > 1 && segment.rfind('.').is_some_and(|dot| dot > 0) {
            parts.pop();
            if !parts.iter().any(|word| word.chars().count() > 1) {
                return false;
            }
        }
        if !parts.iter().all(|word| request.has_word(word)) {
            return false;
        }
        named |= !parts.is_empty();
    }
    named
}

/// The text occurs and does not stand inside a longer word: `in` is not in "inside".
fn is_delimited(text: &str, within: &str) -> bool {
    within.match_indices(text).any(|(at, found)| {
        let before = within.get(..at).and_then(|head| head.chars().next_back());
        let after = within.get(at + found.len()..).and_then(|tail| tail.chars().next());
        let starts_word = found.starts_with(char::is_alphanumeric);
        let inside = starts_word && before.is_some_and(char::is_alphanumeric);
        !inside && !after.is_some_and(char::is_alphanumeric)
    })
}

fn words(lower: &str) -> Vec<String> {
    lower
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn digit_runs(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_ascii_digit())
        .filter(|run| !run.is_empty())
        .map(str::to_owned)
        .collect()
}

fn strip_zeros(digits: &str) -> &str {
    let stripped = digits.trim_start_matches('0');
    if stripped.is_empty() && !digits.is_empty() {
        "0"
    } else {
        stripped
    }
}
