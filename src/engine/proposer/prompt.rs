//! What the model is shown: a part that never changes, and the part of this request.
//!
//! Called by the proposer. The first part has the rules and the lines of the usual tools, no date, no name and no
//! language in it, so that llama-server keeps it in its prompt cache for everybody; it is one text for all languages
//! for the same reason. The rest stays small: what is around the person, and the request itself last.

use std::fmt::Write as _;

use serde_json::Value;

use super::{ProposalRequest, Surroundings};
use crate::domain::{
    ids::ExecutorName,
    kind::Class,
    lang::Lang,
    limits,
    manifest::{ArgSpec, Feed, Manifest},
};
use std::sync::Arc;

const SYSTEM: &str = include_str!("../../../locales/en/prompts/plan.md");
/// Characters of a tool's purpose.
const PURPOSE_CHARS_MAX: usize = 44;
/// A closed choice of so many values is named whole; the schema knows the longer ones.
const CHOICES_MAX: usize = 7;
/// Values that are named of a longer one, as examples.
const EXAMPLES: usize = 3;
/// Fields of the entries of a list that are named.
const FIELDS_MAX: usize = 6;
/// Other fields of a result that are named.
const VALUES_MAX: usize = 4;
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
/// Files that were changed last that are told.
const CHANGED_MAX: usize = 1;
/// Plans that must not come again, and errors, that are told.
const NOTES_MAX: usize = 5;

/// The same bytes for every request, as long as the tools are the same.
pub fn system(stable: &[Arc<Manifest>]) -> String {
    let mut text = SYSTEM.trim().to_owned();
    let mut lists = Lists::new();
    for tool in stable {
        text.push('\n');
        text.push_str(&line(tool, &mut lists));
    }
    text
}

/// Whether the rules speak of this tool.
pub(super) fn names(tool: &ExecutorName) -> bool {
    SYSTEM.contains(tool.as_str())
}

/// The lists described so far, each with the first tool that gives such a list.
pub(super) type Lists = Vec<(String, String)>;

/// The part of this request. The request itself comes last.
pub fn user(request: &ProposalRequest<'_>) -> String {
    let mut text = String::new();
    if !request.toolbox.chosen.is_empty() {
        text.push_str("MORE TOOLS\n");
        let mut lists = Lists::new();
        for tool in &request.toolbox.chosen {
            text.push_str(&line(tool, &mut lists));
            text.push('\n');
        }
        text.push('\n');
    }
    examples(&mut text, request.around);
    home(&mut text, request.around);
    before(&mut text, request.around);
    notes(&mut text, "SET FOR LATER", &request.around.set);
    notes(
        &mut text,
        "USUAL HERE, UNLESS THE REQUEST SAYS OTHERWISE",
        &request.around.habits,
    );
    notes(&mut text, "NOT THIS PLAN AGAIN", request.excluded);
    notes(&mut text, "WRONG IN THE LAST PLAN", request.errors);
    let language = request.lang.english_name();
    let zone = request.now.time_zone().iana_name().unwrap_or("UTC");
    push(
        &mut text,
        format_args!(
            "NOW {} {zone}\n\nREQUEST (in {language})\n{}",
            request.now.strftime("%A %Y-%m-%d %H:%M"),
            request.request
        ),
    );
    text
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    if text.write_fmt(arguments).is_err() {
        tracing::debug!("a String refused to grow");
    }
}

fn notes(text: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    push(text, format_args!("{title}\n"));
    for line in lines.iter().take(NOTES_MAX) {
        push(text, format_args!("- {line}\n"));
    }
    text.push('\n');
}

fn examples(text: &mut String, around: &Surroundings) {
    if around.examples.is_empty() {
        return;
    }
    text.push_str("EXAMPLES\n");
    for (request, plan) in &around.examples {
        push(text, format_args!("{request}\n{plan}\n"));
    }
    text.push('\n');
}

/// The map of the home: what is like the request first, then the folders at its top, as far as there is room.
fn home(text: &mut String, around: &Surroundings) {
    let mut map = String::new();
    let folders = around.folders.iter().map(|(path, files)| format!("{path}/ ({files})"));
    for line in around.like_request.iter().cloned().chain(folders) {
        if map.chars().count() + line.chars().count() < limits::HOME_MAP_CHARS_MAX {
            push(&mut map, format_args!("{line}\n"));
        }
    }
    if !map.is_empty() {
        push(text, format_args!("HOME\n{map}\n"));
    }
}

fn before(text: &mut String, around: &Surroundings) {
    if around.before.is_none() && around.changed.is_empty() {
        return;
    }
    text.push_str("BEFORE\n");
    if let Some(said) = &around.before {
        push(text, format_args!("{said}\n"));
    }
    for changed in around.changed.iter().take(CHANGED_MAX) {
        push(text, format_args!("changed: {changed}\n"));
    }
    // What is set and what was changed says more than the end of a long list.
    let told = around.set.iter().chain(around.changed.iter().take(CHANGED_MAX));
    let told: usize = told.map(|line| line.chars().count()).sum();
    let mut room = limits::VIEW_CHARS_MAX - told.min(limits::VIEW_CHARS_MAX / 2);
    for (at, path) in around.listed.iter().enumerate() {
        let line = format!("{}. {path}\n", at + 1);
        let Some(left) = room.checked_sub(line.chars().count()) else {
            break;
        };
        room = left;
        text.push_str(&line);
    }
    text.push('\n');
}

/// `find_files(base_path: folder, pattern?: pattern) find files by name → list of {path, name}; count`
pub(super) fn line(tool: &Manifest, lists: &mut Lists) -> String {
    let mut args = Vec::new();
    if tool.feed == Feed::Required {
        args.push("from_step: int".to_owned());
    }
    let mut optional = 0;
    for arg in tool.args.iter().filter(|arg| !arg.runtime_resolved) {
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
        args.push(format!("{}{or_fed}{mark}: {}", arg.name, type_of(arg)));
    }
    let purpose = tool
        .description
        .get(&Lang::EN)
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
fn fields_of(tool: &Manifest, lists: &mut Lists) -> String {
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
                    lists.push((list.clone(), tool.name.to_string()));
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

fn type_of(arg: &ArgSpec) -> String {
    of_schema(arg.class(), &arg.schema)
}

fn of_schema(class: Class, schema: &Value) -> String {
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
            format!("{}[]", of_schema(class, items))
        }
        Some("object") => "object".to_owned(),
        Some(_) | None => match class {
            Class::File => "path",
            Class::Folder => "folder",
            Class::Target => "path",
            Class::Address => "url",
            Class::Glob => "*.ext",
            Class::Column => "field",
            Class::Window => "today|this-week|last-7d|…",
            Class::Whereabouts => "place|point",
            Class::Moment => "tomorrow at 9|every monday at 8|…",
            Class::Number | Class::Words | Class::Unknown | Class::Text | Class::Choice => "text",
        }
        .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_for_everybody_holds_nothing_that_changes() {
        let text = system(&crate::engine::fixtures::shipped());
        for changing in ["2025", "2026", "Europe/", "NOW", "Italian", "English"] {
            assert!(!text.contains(changing), "{changing}");
        }
    }

    #[test]
    fn what_is_told_of_the_home_stays_small() {
        let around = Surroundings {
            like_request: (0..100).map(|number| format!("~/docs/lease {number}.pdf")).collect(),
            folders: vec![("~/docs".to_owned(), 100)],
            before: Some("find the leases".to_owned()),
            listed: (0..100).map(|number| format!("~/docs/lease {number}.pdf")).collect(),
            ..Surroundings::default()
        };
        let (mut map, mut view) = (String::new(), String::new());
        home(&mut map, &around);
        before(&mut view, &around);
        assert!(map.chars().count() <= limits::HOME_MAP_CHARS_MAX + 10, "{map}");
        assert!(view.chars().count() <= limits::VIEW_CHARS_MAX + 40, "{view}");
        assert!(map.starts_with("HOME\n~/docs/lease 0.pdf\n"), "{map}");
        assert!(view.contains("\n2. ~/docs/lease 1.pdf\n"), "{view}");
    }
}
