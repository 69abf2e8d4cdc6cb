//! Grounding: what a step with effects acts on should be what the person named. Every number, path, web address and
//! text written into it must stand in the request, or be what its words mean in the person's home; values of earlier
//! steps are references, whose origin `provenance` looks at. Reads are not grounded, as a wrong read does no harm, but
//! for the addresses they fetch.

use serde_json::Value;

use crate::domain::{
    kind::Class,
    manifest::{ArgSpec, Manifest},
    plan::Step,
    reference::{Argument, Part, Reference},
};

use super::{ValidationContext, ValidationError, args};
use crate::engine::meant::Meant;

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

/// Reports the first web address nobody said in every argument that is one.
pub(super) fn check_addresses(
    step: &Step,
    manifest: &Manifest,
    context: &ValidationContext<'_>,
    errors: &mut Vec<ValidationError>,
) {
    let request = Request::new(context);
    for (name, argument) in &step.args {
        let spec = manifest.arg(name).filter(|spec| spec.class() == Class::Address);
        if let Some(value) = spec.and_then(|spec| ungrounded(argument, spec, &request)) {
            errors.push(ValidationError::Ungrounded {
                step: step.id,
                arg: name.clone(),
                value,
            });
        }
    }
}

struct Request<'a> {
    lower: String,
    words: Vec<String>,
    numbers: Vec<String>,
    by_name: Vec<String>,
    meant: Option<&'a Meant<'a>>,
}

impl<'a> Request<'a> {
    fn new(context: &ValidationContext<'a>) -> Self {
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
            meant: context.meant,
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
fn ungrounded(argument: &Argument, spec: &ArgSpec, request: &Request<'_>) -> Option<String> {
    match argument {
        Argument::Literal(value) => in_value(value, spec, request),
        Argument::Reference(reference) => of_model(reference, request),
        Argument::Text(parts) => parts.iter().find_map(|part| match part {
            Part::Text(text) => in_text(text, spec, request),
            Part::Reference(reference) => of_model(reference, request),
        }),
        Argument::List(items) => items.iter().find_map(|item| ungrounded(item, spec, request)),
        Argument::Object(fields) => fields.iter().find_map(|(_, field)| ungrounded(field, spec, request)),
    }
}

/// What a model is still to write is nothing the person said.
fn of_model(reference: &Reference, request: &Request<'_>) -> Option<String> {
    match reference {
        Reference::Filler(name) => request.meant.map(|_| name.clone()),
        Reference::Step { .. } | Reference::Runtime(_) => None,
    }
}

fn in_value(value: &Value, spec: &ArgSpec, request: &Request<'_>) -> Option<String> {
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

fn in_text(text: &str, spec: &ArgSpec, request: &Request<'_>) -> Option<String> {
    if spec.class() == Class::Text {
        // Words nobody said are a model's own.
        if let Some(unsaid) = request
            .meant
            .and_then(|meant| text.lines().find(|line| !meant.says(line)))
        {
            return Some(unsaid.trim().to_owned());
        }
        return digit_runs(text)
            .into_iter()
            .find(|digits| digits.len() >= CONTENT_DIGITS_MIN && !request.has_number(digits));
    }
    // A new name or another text of its own is to be said; a closed choice is one of a few words that are not.
    let is_free = spec.class() == Class::Choice && spec.schema.get("enum").is_none();
    if is_free && request.meant.is_some_and(|meant| !meant.says(text)) {
        return Some(text.trim().to_owned());
    }
    let trimmed = text.trim();
    if trimmed.contains("://") {
        return (!has_url(trimmed, request)).then(|| trimmed.to_owned());
    }
    if args::is_place(spec.class()) {
        // The folder of a file that is meant is where things may go, and not a thing that is meant.
        let may_be_around = spec.class().is_around();
        let around = format!("{}/", trimmed.trim_end_matches('/').to_lowercase());
        if may_be_around && request.by_name.iter().any(|path| is_around(&around, path)) {
            return None;
        }
        return (!is_place_meant(trimmed, spec, request)).then(|| trimmed.to_owned());
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

/// Whether the person named this place, in its own words or in others that mean it.
fn is_place_meant(path: &str, spec: &ArgSpec, request: &Request<'_>) -> bool {
    let Some(meant) = request.meant else {
        return has_path(path, request);
    };
    let bare = path.trim_end_matches('/').to_lowercase();
    if bare.len() > 1 && is_delimited(bare.trim_start_matches("~/"), &request.lower) && bare.contains('/') {
        return true;
    }
    // Of two things with like names the words must tell this one.
    if meant.is_there(path) {
        return meant.is_meant(path) || request.by_name.iter().any(|known| *known == path.to_lowercase());
    }
    let is_target = spec.class().is_around();
    has_path(path, request) || is_target && meant.is_new_place(path)
}

/// Whether a file lies in this folder itself.
fn is_around(folder: &str, file: &str) -> bool {
    file.strip_prefix(folder).is_some_and(|name| !name.contains('/'))
}

/// The address as said, or without its scheme, which people leave out.
fn has_url(url: &str, request: &Request<'_>) -> bool {
    let lower = url.to_lowercase();
    let bare = lower
        .split_once("://")
        .map_or(lower.as_str(), |(_, rest)| rest)
        .trim_end_matches('/');
    !bare.is_empty() && request.lower.contains(bare)
}

/// The path as said, or each of its names said somewhere: "article.md in my notes" is `~/notes/article.md`.
fn has_path(path: &str, request: &Request<'_>) -> bool {
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
