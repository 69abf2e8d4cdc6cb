//! What the model is shown: a system part that never changes, and the part of this request.
//!
//! Called by the proposer. The system part has no date, no name, no tool and no language in it, so that llama-server
//! keeps it in its prompt cache for everybody; it is one text for all languages for the same reason. The rest stays
//! small: a tool is one line.

use std::fmt::Write as _;

use serde_json::Value;

use super::{ProposalRequest, schema::is_offered};
use crate::domain::{
    intent::Intent,
    lang::Lang,
    limits,
    manifest::{ArgSpec, Feed, Manifest, Semantic},
    vocabulary::{Object, Verb},
};

const SYSTEM: &str = include_str!("../../../locales/en/prompts/plan.md");
/// Characters of a tool's purpose.
const PURPOSE_CHARS_MAX: usize = 44;
/// A closed choice of so many values is named whole; the schema knows the longer ones.
const CHOICES_MAX: usize = 6;
/// Values that are named of a longer one, as examples.
const EXAMPLES: usize = 3;
/// Fields of the entries of a list that are named.
const FIELDS_MAX: usize = 6;
/// Other fields of a result that are named.
const VALUES_MAX: usize = 5;
/// Fields every result may have.
const BOOKKEEPING: &[&str] = &[
    "used",
    "available_total",
    "truncated",
    "examined",
    "ok_count",
    "fail_count",
];
/// Optional arguments of a tool that are named.
const OPTIONAL_ARGS_MAX: usize = 4;
/// Plans that must not come again, and errors, that are told.
const NOTES_MAX: usize = 4;

/// The same bytes for every request.
pub fn system() -> &'static str {
    SYSTEM.trim()
}

/// The part of this request. The request itself comes last.
pub fn user(request: &ProposalRequest<'_>) -> String {
    let mut text = "TOOLS\n".to_owned();
    let mut lists = Vec::new();
    for tool in request.shortlist {
        text.push_str(&tool_line(tool, request, &mut lists));
        text.push('\n');
    }
    notes(&mut text, "NOT THIS PLAN AGAIN", request.excluded);
    notes(&mut text, "WRONG IN THE LAST PLAN", request.errors);
    if request.shortlist.iter().any(|tool| tool.args.iter().any(wants_a_date)) {
        // Writing to a String cannot fail.
        push(
            &mut text,
            format_args!("\nNOW {}\n", request.now.strftime("%A %Y-%m-%d %H:%M")),
        );
    }
    let language = match request.lang {
        Lang::En => "English",
        Lang::It => "Italian",
    };
    push(
        &mut text,
        format_args!(
            "\nREQUEST (in {language}{}; cannot, if no tool above is for exactly this)\n",
            asked(request.intent)
        ),
    );
    text.push_str(request.request);
    text
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    if text.write_fmt(arguments).is_err() {
        tracing::debug!("a String refused to grow");
    }
}

fn notes(text: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    push(text, format_args!("\n{title}\n"));
    for line in lines.iter().take(NOTES_MAX) {
        push(text, format_args!("- {line}\n"));
    }
}

/// What was understood, as a hint; nothing when it is not sure.
fn asked(intent: &Intent) -> String {
    if intent.confidence < limits::INTENT_CONFIDENCE_MIN {
        return String::new();
    }
    let clauses: Vec<String> = intent
        .clauses
        .iter()
        .filter_map(|clause| {
            let verb = clause.verb.map(Verb::as_str)?;
            Some(match clause.object.map(Object::as_str) {
                Some(object) => format!("{verb} {object}"),
                None => verb.to_owned(),
            })
        })
        .collect();
    if clauses.is_empty() {
        String::new()
    } else {
        format!("; asked: {}", clauses.join(", "))
    }
}

fn wants_a_date(arg: &ArgSpec) -> bool {
    !arg.runtime_resolved
        && arg
            .schema
            .get("format")
            .and_then(Value::as_str)
            .is_some_and(|format| format.starts_with("date"))
}

/// The lists described so far, each with the first tool that gives such a list.
type Lists<'m> = Vec<(String, &'m str)>;

/// `find_files(base_path: folder, pattern?: pattern) find files by name → list of {name, path}; count`
fn tool_line<'m>(tool: &'m Manifest, request: &ProposalRequest<'_>, lists: &mut Lists<'m>) -> String {
    let mut args = Vec::new();
    if tool.feed == Feed::Required {
        args.push("from_step: int".to_owned());
    }
    let mut optional = 0;
    for arg in tool
        .args
        .iter()
        .filter(|arg| is_offered(tool, arg, request.shortlist, request.request))
    {
        let is_fed = tool.feed == Feed::Optional && arg.from_entries_key.is_some();
        let is_needed = arg.required || is_fed || tool.requires_one_of.iter().any(|group| group.contains(&arg.name));
        if !is_needed {
            optional += 1;
            if optional > OPTIONAL_ARGS_MAX {
                continue;
            }
        }
        let mark = if is_needed { "" } else { "?" };
        let or_fed = if is_fed { " | from_step" } else { "" };
        args.push(format!(
            "{}{or_fed}{mark}: {}",
            arg.name,
            type_of(arg.semantic, &arg.schema)
        ));
    }
    let purpose = tool
        .description
        .get(&Lang::En)
        .or_else(|| tool.description.values().next())
        .map_or("", |description| description.purpose.as_str());
    format!(
        "{}({}) {}{}",
        tool.name,
        args.join(", "),
        shortened(purpose),
        fields_of(tool, lists)
    )
}

/// The first words of a purpose, as many as there is room for.
fn shortened(purpose: &str) -> &str {
    let purpose = purpose.trim_end_matches('.');
    let ends = purpose.match_indices(' ').map(|(at, _)| at).chain([purpose.len()]);
    let fits = |at: &usize| {
        purpose
            .get(..*at)
            .is_some_and(|head| head.chars().count() <= PURPOSE_CHARS_MAX)
    };
    let end = ends.take_while(fits).fold(0, |_, end| end);
    purpose.get(..end).unwrap_or_default().trim_end_matches([',', ';', ':'])
}

/// `list of {path, name}; content`: what later steps may refer to. A tool that works on an earlier list gives that list
/// on; counts of how much was done are left out, as the result says them by itself. The same list is described once.
fn fields_of<'m>(tool: &'m Manifest, lists: &mut Lists<'m>) -> String {
    let named = |fields: &[&str], most: usize| fields.iter().take(most).copied().collect::<Vec<_>>().join(", ");
    let values: Vec<&str> = tool
        .result_fields
        .iter()
        .map(String::as_str)
        .filter(|field| !BOOKKEEPING.contains(field))
        .collect();
    let entries: Vec<&str> = tool
        .entry_fields
        .iter()
        .map(String::as_str)
        .filter(|field| !values.contains(field))
        .collect();
    let list = match (tool.entry_fields.is_empty(), tool.feed) {
        (true, _) => String::new(),
        (false, Feed::Required) => "the list".to_owned(),
        (false, Feed::None | Feed::Optional) if entries.is_empty() || tool.effect.changes_something() => String::new(),
        (false, Feed::None | Feed::Optional) => {
            let list = format!("list of {{{}}}", named(&entries, FIELDS_MAX));
            match lists.iter().find(|(known, _)| *known == list) {
                Some((_, first)) => format!("list as {first}"),
                None => {
                    lists.push((list.clone(), tool.name.as_str()));
                    list
                }
            }
        }
    };
    let parts: Vec<String> = [list, named(&values, VALUES_MAX)]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(" → {}", parts.join("; "))
    }
}

fn type_of(semantic: Semantic, schema: &Value) -> String {
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        let more = choices.len() > CHOICES_MAX;
        let most = if more { EXAMPLES } else { CHOICES_MAX };
        let named = choices.iter().filter_map(Value::as_str).take(most);
        return named.chain(more.then_some("…")).collect::<Vec<_>>().join("|");
    }
    if schema.get("type").is_some_and(Value::is_array) {
        return "value".to_owned();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("integer") => "int".to_owned(),
        Some("number") => "number".to_owned(),
        Some("boolean") => "bool".to_owned(),
        Some("array") => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            format!("{}[]", type_of(semantic, items))
        }
        Some("object") => "object".to_owned(),
        Some(_) | None => match semantic {
            Semantic::Path => "path",
            Semantic::Directory => "folder",
            Semantic::Destination => "path",
            Semantic::Url => "url",
            Semantic::Glob => "*.ext",
            Semantic::Field => "field",
            Semantic::Window => "today|this-week|last-7d|…",
            Semantic::Near => "place|point",
            Semantic::Moment => "tomorrow at 9|every monday at 8|…",
            Semantic::Count | Semantic::Query | Semantic::Content | Semantic::Option => "text",
        }
        .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_part_holds_nothing_that_changes() {
        let text = system();
        for changing in ["2025", "2026", "Europe/", "NOW", "Italian", "English"] {
            assert!(!text.contains(changing), "{changing}");
        }
        assert!(text.is_ascii() || text.chars().count() * 4 > text.len());
    }
}
