//! From step results to views: what the person gets to see of a run that went well. Words come later, in
//! `runtime::reply`; this file decides what is shown, how much of it, and what must be admitted below it.

use std::path::Path;

use serde::Deserialize as _;
use serde_json::{Map, Value};

use crate::{
    catalog::Catalog,
    domain::{
        attachment::{Attachment, FileKind},
        limits::{FAILED_NAMED_MAX, SHOWN_ENTRIES_MAX, SHOWN_TEXT_CHARS_MAX},
        manifest::{ColumnFormat, Kind, Manifest, Presentation},
        message::{Message, MessageArg},
        outcome::View,
        place::Place,
        plan::{Plan, Validated},
        reference::{Part, PathPart, Reference, parse_parts},
        run::{StepRecord, ToolResult},
        vocabulary::{Object, ShapeRole, Verb},
    },
};

/// The argument by which a step learns how much its source left out.
const SOURCE_TOTAL: &str = "source_total";

/// The answer of a completed run. `closing` is the plan's closing text with its references filled; `None` when there
/// is none, or when a reference in it had no value.
pub fn answer(
    plan: &Plan<Validated>,
    records: &[StepRecord],
    closing: Option<String>,
    catalog: &Catalog,
) -> (Vec<View>, Vec<Message>) {
    let shown: Vec<&StepRecord> = records
        .iter()
        .filter(|record| is_last_of_its_branch(plan, record) || is_read_before_a_change(plan, record, catalog))
        .collect();
    let mut notes: Vec<Message> = shown.iter().flat_map(|record| notes_of(record)).collect();
    // What got lost on the way is missing in the end, too.
    let before = records.iter().filter(|record| !is_last_of_its_branch(plan, record));
    for note in before
        .filter(|record| !is_made_up_for(plan, record, catalog))
        .flat_map(notes_of)
    {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    let mut views = Vec::new();
    // A number of lines of a file that is not there would be no answer. What was changed is told whatever was empty.
    let changed = records.iter().any(|record| record.has_effect && !record.skipped);
    let empty = records.iter().filter(|record| has_nothing(record) && !changed);
    let missing = empty.into_iter().find_map(reason);
    match closing {
        Some(_) if missing.is_some() => views.extend(missing.map(View::Say)),
        Some(words) if !words.trim().is_empty() => {
            views.push(measured(plan, &words, catalog).unwrap_or(View::Words(words)));
        }
        Some(_) | None => {
            for record in &shown {
                if let Some(manifest) = catalog.get(&record.tool) {
                    views.push(view_of(record, records, manifest, &mut notes));
                }
            }
        }
    }
    if views.is_empty() {
        views.push(View::Say(Message::new("answer-nothing-to-show")));
    }
    let attached: Vec<Attachment> = shown
        .iter()
        .filter_map(|record| Some(attached(record, catalog.get(&record.tool)?)))
        .flatten()
        .collect();
    if !attached.is_empty() {
        views.push(View::Attached(attached));
    }
    (views, notes)
}

/// What a run that waits has changed before it asked, and the text that somebody wanted to read before it is gone.
pub fn done_so_far(plan: &Plan<Validated>, records: &[StepRecord], catalog: &Catalog) -> Vec<View> {
    let is_told = |record: &&StepRecord| record.has_effect || is_read_before_a_change(plan, record, catalog);
    let done = records
        .iter()
        .filter(is_told)
        .filter(|record| !record.skipped && record.result.is_ok());
    done.filter_map(|record| Some(view_of(record, records, catalog.get(&record.tool)?, &mut Vec::new())))
        .collect()
}

/// The plan's closing text is nothing but one reference: the person asked for one value.
pub fn wanted_one_value(plan: &Plan<Validated>) -> bool {
    plan.final_message
        .as_deref()
        .is_some_and(|text| matches!(parse_parts(text.trim()).as_slice(), [Part::Reference(_)]))
}

/// A size or a time that was asked for alone is shown as people read it, as in a list.
fn measured(plan: &Plan<Validated>, words: &str, catalog: &Catalog) -> Option<View> {
    let parts = parse_parts(plan.final_message.as_deref()?.trim());
    let [Part::Reference(Reference::Step { number, path })] = parts.as_slice() else {
        return None;
    };
    let Some(PathPart::Field(field)) = path.last() else {
        return None;
    };
    let step = plan.steps.iter().find(|step| u32::from(step.id.0) == *number)?;
    let Presentation::Entries(columns) = &catalog.get(&step.tool)?.presentation else {
        return None;
    };
    let format = columns.iter().find(|column| column.source == *field)?.format;
    let value = match format {
        ColumnFormat::Bytes => Value::from(words.trim().parse::<u64>().ok()?),
        ColumnFormat::Time => Value::from(words.trim()),
        ColumnFormat::Text
        | ColumnFormat::Path
        | ColumnFormat::Percent
        | ColumnFormat::Distance
        | ColumnFormat::Sentence
        | ColumnFormat::Kind
        | ColumnFormat::Map => return None,
    };
    Some(View::Value { format, value })
}

/// The one value that was asked for is not in the result.
pub fn value_missing(reference: &str) -> Vec<View> {
    let name = reference.trim_end_matches('}').rsplit('.').next().unwrap_or(reference);
    vec![View::Say(Message::new("answer-value-missing").with("name", name))]
}

/// No later step works on it: its result is what was asked for.
fn is_last_of_its_branch(plan: &Plan<Validated>, record: &StepRecord) -> bool {
    let number = u32::from(record.id.0);
    !plan.steps.iter().any(|step| {
        step.from_step == Some(number)
            || step
                .args
                .iter()
                .flat_map(|(_, argument)| argument.references())
                .any(|reference| matches!(reference, Reference::Step { number: other, .. } if *other == number))
    })
}

/// "read it and delete it": the next step works on the file, not on the text, and whoever asked has not seen it yet.
fn is_read_before_a_change(plan: &Plan<Validated>, record: &StepRecord, catalog: &Catalog) -> bool {
    let reads = |manifest: &Manifest| {
        manifest.verb == Some(Verb::Read) && matches!(manifest.presentation, Presentation::Text(_))
    };
    let number = u32::from(record.id.0);
    let mut fed = plan
        .steps
        .iter()
        .filter(|step| step.from_step == Some(number))
        .peekable();
    let changes = |tool| {
        let verb = catalog.get(tool).and_then(|manifest| manifest.verb);
        verb.is_some_and(|verb| verb.shape_role() == ShapeRole::Act)
    };
    catalog.get(&record.tool).is_some_and(|manifest| reads(manifest))
        && fed.peek().is_some()
        && fed.all(|step| changes(&step.tool))
}

/// Whether the step it feeds knows of what the source left out, and says so itself.
fn is_made_up_for(plan: &Plan<Validated>, record: &StepRecord, catalog: &Catalog) -> bool {
    let number = u32::from(record.id.0);
    let fed = plan.steps.iter().filter(|step| step.from_step == Some(number));
    let mut manifests = fed.filter_map(|step| catalog.get(&step.tool));
    manifests.any(|manifest| manifest.arg(SOURCE_TOTAL).is_some())
}

/// What is brought along: the files a step was asked to send, a picture it made or took, the nearest of the places it
/// found. Only code of our own may name a file here, as whoever brings it stands outside the sandbox.
fn attached(record: &StepRecord, manifest: &Manifest) -> Vec<Attachment> {
    let entries = record.result.entries().map_or(&[][..], Vec::as_slice);
    let names_files = matches!(
        (manifest.verb, manifest.object),
        (Some(Verb::Send), Some(Object::Files))
            | (Some(Verb::Get), Some(Object::Devices))
            | (Some(Verb::Create), Some(Object::Images))
    );
    match (manifest.verb, manifest.object) {
        _ if names_files && manifest.kind == Kind::Builtin => {
            let of_entries = entries.iter().filter_map(|entry| entry.get("path"));
            let made = record.result.body.get("path").filter(|_| entries.is_empty());
            of_entries
                .chain(made)
                .filter_map(Value::as_str)
                .map(|path| Attachment::File {
                    kind: FileKind::of_name(path),
                    path: path.to_owned(),
                })
                .collect()
        }
        (Some(_), Some(Object::Places)) => {
            let nearest = entries.first().and_then(|entry| Place::deserialize(entry).ok());
            let pin = |place: Place| Attachment::Pin {
                point: place.point,
                title: place.name,
                address: place.address,
            };
            nearest.map(pin).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn view_of(record: &StepRecord, records: &[StepRecord], manifest: &Manifest, notes: &mut Vec<Message>) -> View {
    if record.skipped {
        let why = reason_before(record, records).filter(|_| !record.has_effect);
        return View::Say(why.unwrap_or_else(|| Message::new("answer-nothing-to-do")));
    }
    match &manifest.presentation {
        Presentation::Entries(columns) => {
            let entries = record.result.entries().cloned().unwrap_or_default();
            if entries.is_empty() {
                return View::Say(nothing_of(record, records));
            }
            let total = entries.len();
            let rows: Vec<Map<String, Value>> = entries
                .into_iter()
                .take(SHOWN_ENTRIES_MAX)
                .filter_map(|entry| match entry {
                    Value::Object(fields) => Some(fields),
                    Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
                })
                .collect();
            View::Entries {
                columns: columns.clone(),
                rows,
                total,
            }
        }
        Presentation::Text(field) => match record.result.body.get(field).and_then(Value::as_str) {
            Some(text) if !text.trim().is_empty() => {
                if text.chars().count() > SHOWN_TEXT_CHARS_MAX {
                    notes.push(Message::new("note-text-cut").with("shown", SHOWN_TEXT_CHARS_MAX));
                }
                View::Verbatim(text.chars().take(SHOWN_TEXT_CHARS_MAX).collect())
            }
            Some(_) | None => View::Say(nothing_of(record, records)),
        },
        Presentation::Sentence(key) => View::Say(sentence(key, &record.result)),
    }
}

/// Why there is nothing to show, where the executor knows: what was looked at is empty.
fn nothing_of(record: &StepRecord, records: &[StepRecord]) -> Message {
    let why = reason(record).or_else(|| reason_before(record, records));
    why.unwrap_or_else(|| Message::new("answer-nothing-found"))
}

/// What the last step before that ran says of it.
fn reason_before(record: &StepRecord, records: &[StepRecord]) -> Option<Message> {
    let before = records.iter().take_while(|other| other.id != record.id);
    before.filter(|other| !other.skipped).last().and_then(reason)
}

/// Nothing was found, and nothing is in it.
fn has_nothing(record: &StepRecord) -> bool {
    !record.skipped && record.result.entries().is_some_and(Vec::is_empty)
}

/// What an executor says of a result without anything in it.
fn reason(record: &StepRecord) -> Option<Message> {
    let why = record.result.body.get("empty").cloned()?;
    serde_json::from_value(why).ok()
}

/// The sentence of a result, given every scalar of it; missing optional ones are the text's own affair.
fn sentence(key: &str, result: &ToolResult) -> Message {
    result
        .body
        .iter()
        .fold(Message::new(key), |message, (name, value)| match scalar(value) {
            Some(value) => message.with(name, value),
            None => message,
        })
}

fn scalar(value: &Value) -> Option<MessageArg> {
    match value {
        Value::String(text) => Some(MessageArg::Text(text.clone())),
        Value::Number(number) => number.as_f64().map(MessageArg::Number),
        Value::Bool(flag) => Some(MessageArg::Text(flag.to_string())),
        // A sentence inside the sentence.
        Value::Object(_) => serde_json::from_value(value.clone()).ok().map(MessageArg::Message),
        Value::Null | Value::Array(_) => None,
    }
}

/// What must not be kept back: lists that were cut, things that failed on the way, honest remarks of the executor.
fn notes_of(record: &StepRecord) -> Vec<Message> {
    let body = &record.result.body;
    let mut notes = Vec::new();
    let number = |name: &str| body.get(name).and_then(Value::as_u64);
    if body.get("truncated").and_then(Value::as_bool) == Some(true) {
        let used = number("used").unwrap_or_default();
        notes.push(match number("available_total") {
            Some(total) if total > used => Message::new("note-truncated-of")
                .with("used", used)
                .with("total", total),
            Some(_) | None => Message::new("note-truncated").with("used", used),
        });
    }
    if body.get("source_scan_truncated").and_then(Value::as_bool) == Some(true) {
        notes.push(Message::new("note-not-all-searched"));
    }
    if let Some(count) = number("unreadable").filter(|count| *count > 0) {
        notes.push(Message::new("note-unreadable").with("count", count));
    }
    if let Some(failed) = body.get("failed").and_then(Value::as_array)
        && !failed.is_empty()
    {
        notes.push(some_failed(failed));
    }
    if let Some(note) = body
        .get("note")
        .cloned()
        .and_then(|note| serde_json::from_value::<Message>(note).ok())
    {
        notes.push(note);
    }
    notes
}

/// How many failed, why the first did, and which the others are.
fn some_failed(failed: &[Value]) -> Message {
    let note = Message::new("note-some-failed").with("count", failed.len());
    let note = match failed.iter().find_map(first_failure) {
        Some(first) => note.with("first", first),
        None => note.with("first", ""),
    };
    let others: Vec<&str> = failed.iter().skip(1).filter_map(name_of_failed).collect();
    let named = others.len().min(FAILED_NAMED_MAX);
    note.with("others", others.len())
        .with(
            "names",
            others.iter().take(named).copied().collect::<Vec<_>>().join(", "),
        )
        .with("more", others.len() - named)
}

/// The file name of what failed, or its address.
fn name_of_failed(item: &Value) -> Option<&str> {
    let text = |field: &str| item.get(field).and_then(Value::as_str);
    text("path").map(name_in).or_else(|| text("url"))
}

fn name_in(path: &str) -> &str {
    Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(path)
}

/// The sentence of one failed item, if the executor gave one.
fn first_failure(item: &Value) -> Option<Message> {
    serde_json::from_value(item.get("message")?.clone()).ok()
}
