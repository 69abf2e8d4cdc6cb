//! `filter_entries`, `sort_entries`, `group_entries`, `compute_entries`: what can be done with any list an earlier step
//! produced. Pure: they run in our own process and see nothing but the entries.

use std::{cmp::Ordering, path::Path};

use globset::{GlobBuilder, GlobMatcher};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{
    Call, fields,
    fields::{as_number, as_text, field},
    object,
    window::{self, Range},
    wrong,
};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    limits,
    message::Message,
    run::ToolResult,
};

/// Fields a test without a field name looks at, in this order.
const NAME_FIELDS: [&str; 6] = ["name", "title", "path", "url", "text", "content"];

/// The conditions of a filter; an entry must meet all of them.
struct Conditions<'a> {
    field: Option<&'a str>,
    contains: Option<String>,
    glob: Option<GlobMatcher>,
    except: Option<GlobMatcher>,
    equals: Option<&'a Value>,
    min: Option<f64>,
    max: Option<f64>,
    window: Option<Range>,
    /// The one at this place among those that meet the others: 1 is the first, -1 the last.
    position: Option<i64>,
}

/// Keeps the entries that meet every condition.
pub(super) fn filter_entries(call: &Call) -> Result<ToolResult, ToolError> {
    let entries = call.entries()?;
    let conditions = Conditions::of(call)?;
    if conditions.field.is_some_and(|name| fields::PAGE_TEXTS.contains(&name)) {
        fields::need_pages(entries)?;
    }
    let kept: Vec<Value> = entries
        .iter()
        .filter(|entry| conditions.meets(entry))
        .cloned()
        .collect();
    let kept = conditions.placed(kept);
    Ok(ToolResult::ok(object(json!({
        "used": kept.len(),
        "available_total": kept.len(),
        "examined": entries.len(),
        "entries": kept,
    }))))
}

impl<'a> Conditions<'a> {
    fn of(call: &'a Call) -> Result<Self, ToolError> {
        let number = |name: &str| match call.args.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => as_number(value).map(Some).ok_or_else(|| wrong(name)),
        };
        let glob = |name: &str| {
            let pattern = call.optional_text(name)?;
            pattern.map(|pattern| pattern_of(pattern, name)).transpose()
        };
        let conditions = Self {
            field: call.optional_text("where_field")?,
            contains: call.optional_text("where_contains")?.map(str::to_lowercase),
            glob: glob("where_glob")?,
            except: glob("where_except")?,
            equals: call.args.get("where_equals").filter(|value| !value.is_null()),
            min: number("where_min")?,
            max: number("where_max")?,
            window: window_of(call)?,
            position: position_of(call)?,
        };
        let is_empty = conditions.contains.is_none()
            && conditions.glob.is_none()
            && conditions.except.is_none()
            && conditions.equals.is_none()
            && conditions.min.is_none()
            && conditions.max.is_none()
            && conditions.window.is_none()
            && conditions.position.is_none();
        if is_empty {
            return Err(ToolError::new(
                ErrorClass::InvalidArgs,
                Message::new("executors-filter-empty"),
            ));
        }
        Ok(conditions)
    }

    /// Only the one at the place that is asked for, if a place is.
    fn placed(&self, mut kept: Vec<Value>) -> Vec<Value> {
        let Some(position) = self.position else { return kept };
        let place = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX);
        let at = if position > 0 {
            place.checked_sub(1)
        } else {
            kept.len().checked_sub(place)
        };
        match at.filter(|at| *at < kept.len()) {
            Some(at) => vec![kept.swap_remove(at)],
            None => Vec::new(),
        }
    }

    fn meets(&self, entry: &Value) -> bool {
        self.meets_window(entry) && self.meets_value(entry)
    }

    fn meets_window(&self, entry: &Value) -> bool {
        let Some(range) = self.window else {
            return true;
        };
        field(entry, "mtime")
            .and_then(Value::as_str)
            .and_then(|text| text.parse::<Timestamp>().ok())
            .is_some_and(|instant| range.contains(instant))
    }

    fn meets_value(&self, entry: &Value) -> bool {
        if self.contains.is_none()
            && self.glob.is_none()
            && self.except.is_none()
            && self.equals.is_none()
            && self.min.is_none()
            && self.max.is_none()
        {
            return true;
        }
        self.values(entry).into_iter().any(|value| self.meets_one(value))
    }

    /// The values to test: the field asked for, else every field that names the entry.
    fn values<'e>(&self, entry: &'e Value) -> Vec<&'e Value> {
        match self.field {
            Some(name) => field(entry, name).into_iter().collect(),
            None if entry.is_object() && (self.min.is_some() || self.max.is_some()) => {
                field(entry, "size").into_iter().collect()
            }
            None if entry.is_object() => NAME_FIELDS.iter().filter_map(|name| entry.get(name)).collect(),
            None => vec![entry],
        }
    }

    fn meets_one(&self, value: &Value) -> bool {
        let text = as_text(value);
        let number = as_number(value);
        self.contains
            .as_ref()
            .is_none_or(|part| text.to_lowercase().contains(part.as_str()))
            && self.glob.as_ref().is_none_or(|glob| glob.is_match(text.as_ref()))
            && !self.except.as_ref().is_some_and(|glob| glob.is_match(text.as_ref()))
            && self
                .equals
                .is_none_or(|wanted| fields::compare(value, wanted) == Ordering::Equal)
            && self.min.is_none_or(|min| number.is_some_and(|number| number >= min))
            && self.max.is_none_or(|max| number.is_some_and(|number| number <= max))
    }
}

/// The window of `modified_window`, if one was given.
pub(super) fn window_of(call: &Call) -> Result<Option<Range>, ToolError> {
    let Some(text) = call.optional_text("modified_window")? else {
        return Ok(None);
    };
    window::parse(text, &call.context.now).map(Some).ok_or_else(|| {
        ToolError::new(
            ErrorClass::InvalidArgs,
            Message::new("executors-window-unknown").with("window", text),
        )
    })
}

/// A name pattern, without regard to case.
pub(super) fn pattern_of(pattern: &str, argument: &str) -> Result<GlobMatcher, ToolError> {
    GlobBuilder::new(pattern)
        .case_insensitive(true)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| wrong(argument).with_detail(error.to_string()))
}

fn position_of(call: &Call) -> Result<Option<i64>, ToolError> {
    match call.args.get("position") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let position = value.as_i64().filter(|position| *position != 0);
            position.map(Some).ok_or_else(|| wrong("position"))
        }
    }
}

/// Orders entries by a field; those without it come last, whatever the direction.
pub(super) fn sort_entries(call: &Call) -> Result<ToolResult, ToolError> {
    let entries = call.entries()?;
    let by = call.text("by")?;
    let is_descending = call.flag("desc", false)?;
    let top = call.count("top")?.unwrap_or(entries.len());
    let skip = call.count("skip")?.unwrap_or_default();
    if !entries.is_empty() && entries.iter().all(|entry| sort_key(entry, by).is_none()) {
        return Err(unknown_field(by));
    }
    let mut sorted: Vec<&Value> = entries.iter().collect();
    sorted.sort_by(|left, right| match (sort_key(left, by), sort_key(right, by)) {
        (Some(left), Some(right)) if is_descending => fields::compare(right, left),
        (Some(left), Some(right)) => fields::compare(left, right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
    let sorted: Vec<&Value> = sorted.into_iter().skip(skip).take(top).collect();
    let mut body = object(json!({
        "used": sorted.len(),
        "available_total": entries.len(),
        "entries": sorted,
    }));
    // A cut that was asked for is no loss, so `truncated` stays out of it.
    body.insert("by".to_owned(), json!(by));
    Ok(ToolResult::ok(body))
}

fn sort_key<'a>(entry: &'a Value, by: &str) -> Option<&'a Value> {
    if entry.is_object() {
        field(entry, by).filter(|value| !value.is_null())
    } else {
        Some(entry)
    }
}

fn unknown_field(name: &str) -> ToolError {
    ToolError::new(
        ErrorClass::InvalidArgs,
        Message::new("executors-field-unknown").with("field", name),
    )
}

/// Counts entries by a field, by `folder`, `day` or `month`; the largest group first.
pub(super) fn group_entries(call: &Call) -> Result<ToolResult, ToolError> {
    let entries = call.entries()?;
    let by = call.text("by")?;
    let mut groups: Vec<(String, Vec<&Value>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for entry in entries {
        let Some(key) = group_key(entry, by, call) else {
            continue;
        };
        let place = *places.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, members)) = groups.get_mut(place) {
            members.push(entry);
        }
    }
    if groups.is_empty() && !entries.is_empty() {
        return Err(unknown_field(by));
    }
    groups.sort_by(|(left, some), (right, others)| others.len().cmp(&some.len()).then_with(|| left.cmp(right)));
    let rows: Vec<Value> = groups.iter().map(|(key, members)| group_row(key, members)).collect();
    Ok(ToolResult::ok(object(json!({
        "used": rows.len(),
        "available_total": rows.len(),
        "examined": entries.len(),
        "entries": rows,
    }))))
}

fn group_row(key: &str, members: &[&Value]) -> Value {
    let mut row = Map::new();
    row.insert("group".to_owned(), json!(key));
    row.insert("count".to_owned(), json!(members.len()));
    let sizes: Vec<f64> = members
        .iter()
        .filter_map(|member| member.get("size").and_then(as_number))
        .collect();
    if sizes.len() == members.len() {
        row.insert("size".to_owned(), fields::number(sum(&sizes)));
    }
    Value::Object(row)
}

fn group_key(entry: &Value, by: &str, call: &Call) -> Option<String> {
    if let Some(value) = field(entry, by).filter(|value| !value.is_null()) {
        return Some(as_text(value).into_owned());
    }
    let date = |format: &str| {
        let instant: Timestamp = entry.get("mtime")?.as_str()?.parse().ok()?;
        let zoned = instant.to_zoned(call.context.now.time_zone().clone());
        Some(zoned.strftime(format).to_string())
    };
    match by {
        "folder" | "dir" | "directory" => {
            let parent = Path::new(entry.get("path")?.as_str()?).parent()?;
            Some(parent.to_string_lossy().into_owned())
        }
        "day" => date("%Y-%m-%d"),
        "month" => date("%Y-%m"),
        "year" => date("%Y"),
        _ => None,
    }
}

/// One figure over all entries.
pub(super) fn compute_entries(call: &Call) -> Result<ToolResult, ToolError> {
    let entries = call.entries()?;
    let op = call.text("op")?;
    let field_name = call.optional_text("field")?;
    let total = call.count("source_total")?.filter(|total| *total > entries.len());
    let mut body = object(json!({"op": op, "field": field_name.unwrap_or("entries"), "count": entries.len()}));
    // The sum of what was cut off is known where the source counted it.
    let source_size = call
        .count("source_size")?
        .filter(|_| op == "sum" && total.is_some() && field_name.is_none_or(|name| name == "size"));
    if let Some(total) = total
        && !(matches!(op, "count" | "any") && field_name.is_none())
        && source_size.is_none()
    {
        body.extend(object(
            json!({"truncated": true, "used": entries.len(), "available_total": total}),
        ));
    }
    let value = if op == "any" {
        json!(u8::from(!entries.is_empty()))
    } else if op == "count" {
        json!(match field_name {
            Some(name) => entries.iter().filter(|entry| field(entry, name).is_some()).count(),
            None => {
                let all = total.unwrap_or(entries.len());
                body.insert("count".to_owned(), json!(all));
                all
            }
        })
    } else {
        let name = field_name.unwrap_or("size");
        body.insert("field".to_owned(), json!(name));
        let numbers: Vec<f64> = entries
            .iter()
            .filter_map(|entry| {
                if entry.is_object() {
                    field(entry, name)
                } else {
                    Some(entry)
                }
            })
            .filter_map(as_number)
            .collect();
        if numbers.is_empty() && !entries.is_empty() {
            return Err(unknown_field(name));
        }
        #[expect(clippy::cast_precision_loss, reason = "no disk holds 2^52 bytes")]
        let value = match source_size {
            Some(bytes) => bytes as f64,
            None => aggregate(op, &numbers)?,
        };
        if name == "size" {
            body.insert("shown".to_owned(), json!(call.context.lang.bytes(value)));
        }
        fields::number(value)
    };
    let is_plain = match op {
        "count" => field_name.is_none(),
        "sum" => field_name.is_none_or(|name| name == "size"),
        _ => false,
    };
    // Of what was cut off nobody knows where it lies.
    let spread = if is_plain && total.is_none() {
        spread(entries, op, call)
    } else {
        String::new()
    };
    body.insert("spread".to_owned(), json!(spread));
    body.insert("value".to_owned(), value);
    Ok(ToolResult::ok(body))
}

/// Where files lie that were looked for in the whole home: the share of each folder at its top, the largest first.
/// Empty when they all lie in one: a figure that takes in a folder nobody thought of must say so.
fn spread(entries: &[Value], op: &str, call: &Call) -> String {
    let home = &call.context.home;
    let mut shares: Vec<(String, f64)> = Vec::new();
    for entry in entries {
        let below = entry.get("path").and_then(Value::as_str).map(Path::new);
        let Some(below) = below.and_then(|path| path.strip_prefix(home).ok()) else {
            return String::new();
        };
        let folder = below.parent().and_then(|parent| parent.iter().next());
        let name = folder.map_or_else(|| "~".to_owned(), |folder| format!("~/{}", folder.to_string_lossy()));
        let share = if op == "sum" {
            entry.get("size").and_then(as_number).unwrap_or_default()
        } else {
            1.0
        };
        match shares.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += share,
            None => shares.push((name, share)),
        }
    }
    if shares.len() < 2 {
        return String::new();
    }
    shares.sort_by(|(one, share), (other, larger)| larger.total_cmp(share).then_with(|| one.cmp(other)));
    let shown = shares.iter().take(limits::FOLDERS_NAMED_MAX).map(|(name, share)| {
        let share = if op == "sum" {
            call.context.lang.bytes(*share)
        } else {
            as_text(&fields::number(*share)).into_owned()
        };
        format!("{name} {share}")
    });
    let more = if shares.len() > limits::FOLDERS_NAMED_MAX {
        ", …"
    } else {
        ""
    };
    format!(" ({}{more})", shown.collect::<Vec<_>>().join(", "))
}

/// The sum of nothing is nothing, without a minus before it.
fn sum(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |sum, number| sum + number)
}

fn aggregate(op: &str, numbers: &[f64]) -> Result<f64, ToolError> {
    let sum = sum(numbers);
    let nothing = || ToolError::new(ErrorClass::NotFound, Message::new("executors-compute-nothing"));
    match op {
        "sum" => Ok(sum),
        "avg" if numbers.is_empty() => Err(nothing()),
        #[expect(clippy::cast_precision_loss, reason = "lists are far shorter than 2^52")]
        "avg" => Ok(sum / numbers.len() as f64),
        "min" => numbers.iter().copied().reduce(f64::min).ok_or_else(nothing),
        "max" => numbers.iter().copied().reduce(f64::max).ok_or_else(nothing),
        _ => Err(wrong("op")),
    }
}
