//! What can be put right while the plan runs: a table from error class to the step that is missing.
//! Append-only. A target of an action is never among what is put right. Pure; called by the run state.

use serde_json::{Map, Value, json};

use crate::{
    domain::{
        failure::ErrorClass,
        ids::{ExecutorName, StepId},
        kind::Class,
        outcome::FinalKind,
        plan::Step,
        reference::Argument,
    },
    engine::validator::{Lookup, accepts},
    executors::has_text,
};

/// Pages fetched when a step needs their content.
const PAGES_MAX: usize = 5;
/// Reads the pages.
const PAGE_READER: &str = "read_urls_html";

/// What to do about a failed step.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// Run this step first, then the failed one again with the pages merged into its entries.
    FetchPages(Step),
    /// Run the failed step again on these entries, which an earlier step brought in.
    Feed(Vec<Value>),
    /// The turn ends and asks.
    Stop(FinalKind),
}

/// What a step was fed, and what else there is.
#[derive(Clone, Copy, Debug)]
pub struct Fed<'a> {
    /// The entries that fed the failed step.
    pub entries: &'a [Value],
    /// Others that an earlier step found, the last that did.
    pub before: &'a [Value],
}

/// The registry. `fresh` is a step id not in the plan.
pub fn remedy(class: ErrorClass, fed: Fed<'_>, fresh: StepId, manifests: Lookup<'_>) -> Option<Remedy> {
    match class {
        ErrorClass::NeedsContentFetch => fetch_pages(fed.entries, fresh, manifests).map(Remedy::FetchPages),
        // What it works on was found, and not handed on. Where nothing was found nothing is made up.
        ErrorClass::NeedsDataSource => (!fed.before.is_empty()).then(|| Remedy::Feed(fed.before.to_vec())),
        ErrorClass::NeedsActionTarget => Some(Remedy::Stop(FinalKind::NeedsInputs)),
        ErrorClass::InvalidArgs
        | ErrorClass::NotFound
        | ErrorClass::PermissionDenied
        | ErrorClass::Forbidden
        | ErrorClass::Refused
        | ErrorClass::AlreadyExists
        | ErrorClass::Timeout
        | ErrorClass::Network
        | ErrorClass::ServerError
        | ErrorClass::RateLimited
        | ErrorClass::AuthRequired
        | ErrorClass::ModelUnavailable
        | ErrorClass::CapabilityMissing
        | ErrorClass::NonJson
        | ErrorClass::Crashed
        | ErrorClass::UnresolvedPlaceholder
        | ErrorClass::AmbiguousSourceContext
        | ErrorClass::DuplicateRead
        | ErrorClass::TooLarge
        | ErrorClass::NeedsLocation
        | ErrorClass::NeedsInputs
        | ErrorClass::PipelineAlreadyClosed
        | ErrorClass::UnknownOutcome
        | ErrorClass::Internal => None,
    }
}

fn fetch_pages(entries: &[Value], fresh: StepId, manifests: Lookup<'_>) -> Option<Step> {
    let tool = ExecutorName::from(PAGE_READER);
    let manifest = manifests(&tool)?;
    let spec = manifest.arg_of(Class::Address)?;
    let urls: Vec<&str> = entries
        .iter()
        .filter(|entry| !has_text(entry))
        .filter_map(|entry| entry.get("url")?.as_str())
        .take(PAGES_MAX)
        .collect();
    let first = urls.first()?;
    let value = if accepts(&spec.schema, "array") {
        json!(urls)
    } else {
        json!(first)
    };
    let mut args = Map::new();
    args.insert(spec.name.clone(), value);
    Some(literal_step(&tool, &args, fresh))
}

fn literal_step(tool: &ExecutorName, args: &Map<String, Value>, id: StepId) -> Step {
    Step {
        id,
        tool: tool.clone(),
        from_step: None,
        args: args
            .iter()
            .map(|(name, value)| (name.clone(), Argument::Literal(value.clone())))
            .collect(),
        if_prev_entries_nonempty: false,
    }
}

/// The entries with the fields of the page of the same address added; a page adds, it never replaces.
pub fn merge_pages(entries: &[Value], pages: &[Value]) -> Vec<Value> {
    entries
        .iter()
        .map(|entry| {
            let page = pages.iter().find(|page| {
                let asked = page.get("requested_url").or_else(|| page.get("url"));
                asked.is_some() && asked == entry.get("url")
            });
            match (entry.as_object(), page.and_then(Value::as_object)) {
                (Some(entry), Some(page)) => {
                    let mut merged = entry.clone();
                    for (name, field) in page {
                        merged.entry(name.clone()).or_insert_with(|| field.clone());
                    }
                    Value::Object(merged)
                }
                (Some(_), None) | (None, _) => entry.clone(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixtures::lookup;

    #[test]
    fn pages_are_fetched_for_entries_without_text() {
        let entries: Vec<Value> = (0..9)
            .map(|n| json!({"url": format!("http://e/{n}"), "text": if n == 0 { "known" } else { "" }}))
            .collect();
        let fed = |entries| Fed { entries, before: &[] };
        let class = ErrorClass::NeedsContentFetch;
        let Some(Remedy::FetchPages(step)) = remedy(class, fed(&entries), StepId(9), &lookup) else {
            panic!("no remedy");
        };
        assert_eq!(step.tool.as_str(), PAGE_READER);
        assert_eq!(
            step.args,
            [(
                "urls".to_owned(),
                Argument::Literal(json!([
                    "http://e/1",
                    "http://e/2",
                    "http://e/3",
                    "http://e/4",
                    "http://e/5"
                ]))
            )]
        );
        assert_eq!(remedy(class, fed(&[]), StepId(9), &lookup), None);
    }

    #[test]
    fn a_target_is_never_invented() {
        let nothing = Fed {
            entries: &[],
            before: &[],
        };
        let remedy = |class| remedy(class, nothing, StepId(9), &lookup);
        assert_eq!(
            remedy(ErrorClass::NeedsActionTarget),
            Some(Remedy::Stop(FinalKind::NeedsInputs))
        );
        assert_eq!(remedy(ErrorClass::NeedsDataSource), None);
        assert_eq!(remedy(ErrorClass::Timeout), None);
        assert_eq!(remedy(ErrorClass::PipelineAlreadyClosed), None);
    }

    #[test]
    fn pages_add_and_never_replace() {
        let entries = [
            json!({"url": "http://e/1", "title": "mine"}),
            json!({"url": "http://e/2"}),
        ];
        let pages = [json!({"url": "http://e/1", "title": "theirs", "text": "words"})];
        assert_eq!(
            merge_pages(&entries, &pages),
            [
                json!({"url": "http://e/1", "title": "mine", "text": "words"}),
                json!({"url": "http://e/2"})
            ]
        );
    }
}
