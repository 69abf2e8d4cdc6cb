//! Fills an executor's arguments from the values of a clause, by the kind each argument declares. Called by the chain
//! for producers and actions; it reports what it used, so that nothing is dropped unseen.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::chain::grammar;
use crate::{
    domain::{
        kind::Class,
        manifest::{ArgSpec, Manifest},
        reference::Argument,
        vocabulary::{Object, Verb},
    },
    language::{ClauseReading, Fact, FactKind, Role},
};

/// The argument for more than so many of a hundred.
const OVER_PERCENT: &str = "over_pct";
/// The switch of an executor that can leave out what is closed.
const OPEN_NOW: &str = "open_now";
/// The argument of an executor that knows what things are about.
const ABOUT: &str = "about";
/// The argument of an executor that knows a file by the words of its name.
const NAMED: &str = "named";

/// Arguments of one step, and the facts they come from.
#[derive(Clone, Debug, Default)]
pub(super) struct Filled {
    /// By name, in the manifest's order.
    pub(super) args: Vec<(String, Argument)>,
    /// Indices of the facts used.
    pub(super) used: Vec<usize>,
    /// Closed choices used.
    pub(super) options: Vec<String>,
}

impl Filled {
    /// A value of the request, as it is: what looks like a reference in it stays text.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        if !self.has(name) {
            self.args.push((name.to_owned(), Argument::Literal(value)));
        }
    }

    /// A value or a reference that the composer wrote.
    pub(super) fn set_argument(&mut self, name: &str, argument: Argument) {
        if !self.has(name) {
            self.args.push((name.to_owned(), argument));
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.args.iter().any(|(known, _)| known == name)
    }

    /// Whether an argument needs what a step before gives.
    pub(super) fn names_first_step(&self) -> bool {
        self.args.iter().any(|(_, argument)| !argument.references().is_empty())
    }

    /// Whether everything the executor must have is there; `fed` when a step feeds it.
    pub(super) fn is_enough_for(&self, manifest: &Manifest, fed: bool) -> bool {
        let provided =
            |arg: &ArgSpec| self.has(&arg.name) || fed && arg.from_entries_key.is_some() || arg.runtime_resolved;
        let required = manifest.args.iter().filter(|arg| arg.required).all(provided);
        let one_of = manifest.requires_one_of.iter().all(|group| {
            fed && group.iter().any(|name| name == "from_step")
                || group.iter().any(|name| {
                    self.has(name) || fed && manifest.arg(name).is_some_and(|arg| arg.from_entries_key.is_some())
                })
        });
        required && one_of
    }
}

/// Whether an argument takes a list.
pub(super) fn is_list(arg: &ArgSpec) -> bool {
    arg.schema.get("type").and_then(Value::as_str) == Some("array")
}

/// Whether a closed choice allows a value; an open one allows any.
pub(super) fn allows(arg: &ArgSpec, value: &str) -> bool {
    let list = arg.schema.get("enum").and_then(Value::as_array);
    list.is_none_or(|list| list.iter().any(|known| known.as_str() == Some(value)))
}

/// Whether an argument is a closed choice that has this value.
pub(super) fn offers(arg: &ArgSpec, value: &str) -> bool {
    arg.schema.get("enum").is_some() && allows(arg, value)
}

fn is_switch(arg: &ArgSpec) -> bool {
    arg.schema.get("type").and_then(Value::as_str) == Some("boolean")
}

/// The values a producer can take from a clause. `facts` are the clause's own that are still free, without a
/// destination.
pub(super) fn fill(manifest: &Manifest, clause: &ClauseReading, facts: &[(usize, &Fact)]) -> Filled {
    let mut filled = Filled::default();
    for arg in manifest.args.iter().filter(|arg| !arg.runtime_resolved) {
        match arg.class() {
            Class::File => take(&mut filled, arg, facts, is_target),
            Class::Folder => take_folders(&mut filled, manifest, arg, facts),
            Class::Address => take(&mut filled, arg, facts, |fact| fact.kind == FactKind::Url),
            Class::Glob => take_globs(&mut filled, arg, facts),
            Class::Window => take_window(&mut filled, arg, facts),
            Class::Words | Class::Unknown => take(&mut filled, arg, facts, |fact| {
                matches!(fact.kind, FactKind::Query | FactKind::PlaceName)
            }),
            Class::Choice => {
                take_option(&mut filled, arg, clause);
                take(&mut filled, arg, facts, |fact| is_said_of_place(arg, fact));
                take(&mut filled, arg, facts, |fact| {
                    fact.kind == FactKind::Topic && arg.name == ABOUT
                        || matches!(fact.kind, FactKind::Title | FactKind::Matter) && arg.name == NAMED
                });
            }
            Class::Whereabouts => take(&mut filled, arg, facts, |fact| fact.kind == FactKind::Whereabouts),
            Class::Target | Class::Text | Class::Column | Class::Number | Class::Moment => {}
        }
        take_size(&mut filled, arg, facts);
        if arg.name == OVER_PERCENT {
            take(&mut filled, arg, facts, |fact| fact.kind == FactKind::Percent);
        }
    }
    if grammar(manifest) == (Some(Verb::Get), Some(Object::Places)) {
        let asked = facts.iter().filter(|(_, fact)| fact.kind == FactKind::PlaceDetails);
        filled.used.extend(asked.map(|(index, _)| *index));
    }
    filled
}

/// A kind the argument offers, or its switch for what is open.
fn is_said_of_place(arg: &ArgSpec, fact: &Fact) -> bool {
    fact.kind == FactKind::PlaceKind && offers(arg, fact.text())
        || fact.kind == FactKind::OpenNow && is_switch(arg) && arg.name == OPEN_NOW
}

/// A path that can be a folder: no file name at its end, and not where something goes.
pub(super) fn is_directory(fact: &Fact) -> bool {
    fact.kind == FactKind::Path && !fact.is_file_path() && fact.role != Some(Role::To)
}

/// A path that is meant itself: not where something goes, and not a folder in which something is.
fn is_target(fact: &Fact) -> bool {
    let around = is_directory(fact) && matches!(fact.role, Some(Role::In | Role::From));
    fact.kind == FactKind::Path && fact.role != Some(Role::To) && !around
}

/// A file name without a folder: what to look for, when a folder stands elsewhere.
pub(super) fn is_bare_name(fact: &Fact) -> bool {
    fact.kind == FactKind::Path && fact.is_file_path() && !fact.text().contains(['/', '\\'])
}

fn take(filled: &mut Filled, arg: &ArgSpec, facts: &[(usize, &Fact)], fits: impl Fn(&Fact) -> bool) {
    let chosen: Vec<&(usize, &Fact)> = facts
        .iter()
        .filter(|(index, fact)| fits(fact) && !filled.used.contains(index))
        .collect();
    let value = if is_list(arg) {
        Value::Array(chosen.iter().map(|(_, fact)| fact.value.clone()).collect())
    } else {
        match chosen.as_slice() {
            [(_, fact)] => fact.value.clone(),
            // Two values for one place: neither is taken, and the clause is reported as not understood.
            _ => return,
        }
    };
    if chosen.is_empty() {
        return;
    }
    let used: Vec<usize> = chosen.iter().map(|(index, _)| *index).collect();
    filled.used.extend(used);
    filled.set(&arg.name, value);
}

/// The one time, or the first of two that bound it from both sides.
fn take_window(filled: &mut Filled, arg: &ArgSpec, facts: &[(usize, &Fact)]) {
    let windows: Vec<&(usize, &Fact)> = facts.iter().filter(|(_, fact)| fact.kind == FactKind::Window).collect();
    match windows.as_slice() {
        [first, second] if first.1.bounds_beside(second.1) => {
            take(filled, arg, std::slice::from_ref(*first), |_| true);
        }
        _ => take(filled, arg, facts, |fact| fact.kind == FactKind::Window),
    }
}

/// "in ~/a and ~/b": where one folder is wanted and more can be named, the first is that one.
fn take_folders(filled: &mut Filled, manifest: &Manifest, arg: &ArgSpec, facts: &[(usize, &Fact)]) {
    let folders: Vec<&(usize, &Fact)> = facts.iter().filter(|(_, fact)| is_directory(fact)).collect();
    let alike = folders
        .windows(2)
        .all(|pair| matches!(pair, [(_, one), (_, next)] if one.role == next.role));
    let takes_more = manifest
        .args
        .iter()
        .any(|other| other.class() == Class::Folder && is_list(other));
    match folders.as_slice() {
        [first, _, ..] if alike && takes_more && !is_list(arg) => {
            take(filled, arg, std::slice::from_ref(*first), is_directory);
        }
        _ => take(filled, arg, facts, is_directory),
    }
}

/// Patterns, names and parts of names become one pattern; where they cannot, none of them is taken.
fn take_globs(filled: &mut Filled, arg: &ArgSpec, facts: &[(usize, &Fact)]) {
    let mut extensions = Vec::new();
    let mut parts = Vec::new();
    let mut names = Vec::new();
    let mut taken = Vec::new();
    let folder = facts.iter().any(|(_, fact)| is_directory(fact));
    for (index, fact) in facts {
        let text = fact.text();
        if let (FactKind::Glob, Some(extension)) = (fact.kind, text.strip_prefix("*.")) {
            extensions.extend(inner_list(extension));
        } else if fact.kind == FactKind::Name && is_plain_name(text) {
            // People leave the ending out: "old" is the file without one, or with any.
            names.extend([text.to_owned(), format!("{text}.*")]);
        } else if matches!(fact.kind, FactKind::Glob | FactKind::Name) || folder && is_bare_name(fact) {
            names.push(text.to_owned());
        } else if fact.kind == FactKind::NamePart {
            parts.push(format!("*{text}*"));
        } else {
            continue;
        }
        taken.push(*index);
    }
    let mut seen = HashSet::new();
    extensions.retain(|extension| seen.insert(extension.clone()));
    let ending = match extensions.as_slice() {
        [] => None,
        [one] => Some(format!("*.{one}")),
        several => Some(format!("*.{{{}}}", several.join(","))),
    };
    let pattern = match (names.as_slice(), parts.as_slice(), ending) {
        ([], [], Some(ending)) => ending,
        ([one], [], None) | ([], [one], None) => one.clone(),
        // "a.tmp and b.tmp in downloads": one of these.
        (several, [], None) if several.len() > 1 && several.iter().all(|name| is_alternative(name)) => {
            format!("{{{}}}", several.join(","))
        }
        // "the pdf files whose name contains x": both in one pattern.
        ([], [part], Some(ending)) => format!("{part}{}", ending.trim_start_matches('*')),
        _ => return,
    };
    filled.used.extend(taken);
    filled.set(&arg.name, if is_list(arg) { json!([pattern]) } else { json!(pattern) });
}

/// A name that can stand beside others in one pattern.
fn is_alternative(name: &str) -> bool {
    !name.contains(['{', '}', ',', '[', ']', '\\'])
}

/// A name without an ending and without signs that mean something in a pattern.
fn is_plain_name(text: &str) -> bool {
    text.chars()
        .all(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '_' | '-'))
}

fn inner_list(extension: &str) -> Vec<String> {
    let inner = extension.trim_start_matches('{').trim_end_matches('}');
    inner.split(',').map(str::to_owned).collect()
}

/// A choice the request names: a value of a closed list, or a switch with that name.
pub(super) fn take_option(filled: &mut Filled, arg: &ArgSpec, clause: &ClauseReading) {
    for option in &clause.options {
        let value = if offers(arg, option) {
            json!(option)
        } else if is_switch(arg) && arg.name == *option {
            json!(true)
        } else {
            continue;
        };
        // A second choice for one place stays open.
        if !filled.has(&arg.name) || filled.options.contains(option) {
            filled.set(&arg.name, value);
            filled.options.push(option.clone());
        }
    }
}

/// "bigger than" goes to the argument that says so in its name: `min_size`, `max_size`.
fn take_size(filled: &mut Filled, arg: &ArgSpec, facts: &[(usize, &Fact)]) {
    for (index, fact) in facts.iter().filter(|(_, fact)| fact.kind == FactKind::Size) {
        let bound = fact.value.get("bound").and_then(Value::as_str).unwrap_or_default();
        if arg.name == format!("{bound}_size") && !filled.used.contains(index) && !filled.has(&arg.name) {
            let bytes = fact.value.get("bytes").and_then(Value::as_u64).unwrap_or_default();
            let text = arg.schema.get("type").and_then(Value::as_str) == Some("string");
            filled.set(&arg.name, if text { json!(bytes.to_string()) } else { json!(bytes) });
            filled.used.push(*index);
        }
    }
}
