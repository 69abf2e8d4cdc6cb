//! Mends that need no model: a reader that was not told which files, a folder where files
//! were meant, and a pattern taken for a name. Each puts `find_files` before the step and feeds the step from it.
//! Texts only: whether a path exists is found out by running the plan.

use serde_json::Value;

use crate::{
    domain::{
        failure::ErrorClass,
        ids::{ExecutorName, StepId},
        kind::Class,
        manifest::{Feed, Manifest},
        plan::{Plan, Proposed, Step},
        reference::Argument,
        run::StepRecord,
        vocabulary::Verb,
    },
    engine::{
        plan_executor::{RunEnd, RunReport},
        validator::Lookup,
    },
};

use super::Context;

/// Signs people put around a path.
const QUOTES: [char; 8] = ['"', '\'', '`', '«', '»', '“', '”', '’'];
/// Looks for files.
const FINDER: &str = "find_files";

/// Where to look, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Search {
    directory: String,
    pattern: Option<String>,
}

/// The mended plan, if one of the mends fits.
pub(super) fn repair(report: &RunReport, context: &Context<'_>) -> Option<Plan<Proposed>> {
    let RunEnd::Failed { error, step } = &report.end else {
        return None;
    };
    let record = report.records.iter().rev().find(|record| record.id == *step)?;
    let manifest = (context.manifests)(&record.tool)?;
    let plan = report.plan.reopened();
    let search = if let Some(directory) = only_directory(record, &manifest) {
        Search {
            directory,
            pattern: None,
        }
    } else if error.class == ErrorClass::NotFound {
        only_pattern(record, &manifest)?
    } else {
        return discover_files(&plan, *step, context.request, context.manifests);
    };
    find_first(plan, *step, &search, context.manifests)
}

/// A reader that was not told which files: look for them where the request says.
pub(super) fn discover_files(
    plan: &Plan<Proposed>,
    step: StepId,
    request: &str,
    manifests: Lookup<'_>,
) -> Option<Plan<Proposed>> {
    let reader = plan.steps.iter().find(|other| other.id == step)?;
    let manifest = manifests(&reader.tool)?;
    if manifest.verb != Some(Verb::Read) || reader.from_step.is_some() || names_files(reader, &manifest) {
        return None;
    }
    find_first(plan.reopened(), step, &search_in(request)?, manifests)
}

fn names_files(step: &Step, manifest: &Manifest) -> bool {
    step.args.iter().any(|(name, argument)| {
        let is_path = manifest.arg(name).is_some_and(|spec| spec.class() == Class::File);
        is_path && !is_blank(argument)
    })
}

fn is_blank(argument: &Argument) -> bool {
    match argument {
        Argument::Literal(Value::Null) => true,
        Argument::Literal(Value::String(text)) => text.trim().is_empty(),
        Argument::Literal(Value::Array(list)) => list.is_empty(),
        Argument::Literal(Value::Bool(_) | Value::Number(_) | Value::Object(_))
        | Argument::Reference(_)
        | Argument::Text(_)
        | Argument::List(_)
        | Argument::Object(_) => false,
    }
}

/// The folder that was given where files were expected, if it was all that was given. Only for reads: what is in a
/// folder was not what the person asked to change.
fn only_directory(record: &StepRecord, manifest: &Manifest) -> Option<String> {
    if manifest.effect.changes_something() {
        return None;
    }
    let failed = record.result.body.get("failed")?.as_array()?;
    let [item] = failed.as_slice() else {
        return None;
    };
    let said = |name: &str| item.get(name).and_then(Value::as_str);
    let is_directory = said("expected") == Some("file") && said("actual") == Some("directory");
    is_directory.then(|| said("path").map(str::to_owned)).flatten()
}

/// The pattern that was given as the name of a file, if it was all that was given.
fn only_pattern(record: &StepRecord, manifest: &Manifest) -> Option<Search> {
    let spec = manifest.arg_of(Class::File)?;
    let path = match record.resolved_args.get(&spec.name)? {
        Value::String(path) => path,
        Value::Array(list) => match list.as_slice() {
            [Value::String(path)] => path,
            _ => return None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    let (directory, name) = path.rsplit_once('/')?;
    let is_pattern = |text: &str| text.contains(['*', '?']);
    if !is_pattern(name) || is_pattern(directory) {
        return None;
    }
    Some(Search {
        directory: if directory.is_empty() { "/" } else { directory }.to_owned(),
        pattern: Some(name.to_owned()),
    })
}

/// The first path of a request as a place to look: itself, or its folder and name; with any file ending that is named.
fn search_in(request: &str) -> Option<Search> {
    let words: Vec<&str> = request
        .split_whitespace()
        .map(|word| word.trim_start_matches(QUOTES).trim_end_matches(QUOTES))
        .map(|word| {
            word.trim_end_matches(|sign| ".?!,;:".contains(sign))
                .trim_end_matches(QUOTES)
        })
        .collect();
    let ending = words.iter().find_map(|word| {
        let ending = word.strip_prefix("*.").or_else(|| word.strip_prefix('.'))?;
        let plain = !ending.is_empty() && ending.chars().all(char::is_alphanumeric);
        plain.then(|| format!("*.{ending}"))
    });
    let path = words
        .iter()
        .find(|word| !word.contains("://") && (word.starts_with(['~', '/']) || word.contains('/')))?;
    let (folder, name) = path.rsplit_once('/').unwrap_or((path, ""));
    let is_file = name.rfind('.').is_some_and(|dot| dot > 0) || name.contains('*');
    Some(if is_file {
        Search {
            directory: if folder.is_empty() { "/" } else { folder }.to_owned(),
            pattern: Some(name.to_owned()),
        }
    } else {
        Search {
            directory: (*path).to_owned(),
            pattern: ending,
        }
    })
}

/// Puts the search before the step and feeds the step from it.
fn find_first(
    mut plan: Plan<Proposed>,
    step: StepId,
    search: &Search,
    manifests: Lookup<'_>,
) -> Option<Plan<Proposed>> {
    let finder = ExecutorName::from(FINDER);
    let finder_manifest = manifests(&finder)?;
    let directory = finder_manifest.arg_of(Class::Folder)?;
    let pattern = finder_manifest.arg_of(Class::Glob)?;
    let at = plan.steps.iter().position(|other| other.id == step)?;
    let manifest = manifests(&plan.steps.get(at)?.tool)?;
    let takes_paths = manifest
        .arg_of(Class::File)
        .is_some_and(|spec| spec.from_entries_key.is_some());
    if manifest.feed == Feed::None || !takes_paths {
        return None;
    }
    let fresh = StepId(plan.steps.iter().map(|step| step.id.0).max()?.checked_add(1)?);
    let literal = |text: &str| Argument::Literal(Value::String(text.to_owned()));
    let mut args = vec![(directory.name.clone(), literal(&search.directory))];
    if let Some(wanted) = &search.pattern {
        args.push((pattern.name.clone(), literal(wanted)));
    }
    let fed = plan.steps.get_mut(at)?;
    fed.from_step = Some(u32::from(fresh.0));
    fed.args.retain(|(name, _)| {
        manifest
            .arg(name)
            .is_none_or(|spec| spec.class() != Class::File || spec.from_entries_key.is_none())
    });
    plan.steps.insert(
        at,
        Step {
            id: fresh,
            tool: finder,
            from_step: None,
            args,
            if_prev_entries_nonempty: false,
        },
    );
    Some(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_says_where_to_look() {
        for (request, directory, pattern) in [
            ("read the .md files in ~/notes", "~/notes", Some("*.md")),
            ("leggi *.txt in '/srv/my'.", "/srv/my", Some("*.txt")),
            ("read ~/notes/diary.md?", "~/notes", Some("diary.md")),
            ("read ~/notes/*.md", "~/notes", Some("*.md")),
            ("what is in ~/.config", "~/.config", None),
        ] {
            let search = search_in(request).unwrap();
            assert_eq!(
                (search.directory.as_str(), search.pattern.as_deref()),
                (directory, pattern),
                "{request}"
            );
        }
        assert_eq!(search_in("read my diary"), None);
        assert_eq!(search_in("read http://example.org/a.md"), None);
    }
}
