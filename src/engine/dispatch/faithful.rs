//! Whether a model's plan answers the question that was asked: nothing that the request says plainly is left out, and
//! nothing is looked for within a period or a number that it does not say. Either would be the answer to another
//! question. Pure; called by `planning` for plans of models alone.

use serde_json::Value;

use crate::{
    domain::{
        ids::ExecutorName,
        kind::Class,
        plan::{Plan, Validated},
        reference::Argument,
        vocabulary::{Object, Verb},
    },
    engine::{
        composer::SKIP,
        proposer::Asked,
        validator::{Lookup, ValidationError},
    },
    language::{Fact, FactKind, Reading},
};

/// Names of arguments that put things into an order; a step of the verb `sort` does it, too.
const ORDERING: [&str; 4] = ["sort", "sort_by", "order_by", "top"];

/// What the request says and the plan forgot: a place, a kind of file, a period, an order, a number, a switch.
pub(super) fn overlooked(reading: &Reading, plan: &Plan<Validated>, manifests: Lookup<'_>) -> Vec<ValidationError> {
    let written = plan.to_json().to_string();
    let mut overlooked: Vec<ValidationError> = reading
        .facts
        .iter()
        .enumerate()
        .filter(|(index, _)| !reading.is_only_forbidden(*index))
        .map(|(_, fact)| fact)
        .filter(|fact| {
            matches!(
                fact.kind,
                FactKind::Path | FactKind::Url | FactKind::Glob | FactKind::Window
            )
        })
        .map(|fact| fact.text().trim_end_matches('/').to_owned())
        .filter(|value| !value.is_empty() && !written.contains(value.trim_start_matches('*')))
        .map(|value| ValidationError::ValueUnused { value })
        .collect();
    let counts = reading.facts.iter().filter(|fact| fact.kind == FactKind::Count);
    let counts = counts.filter_map(|fact| fact.value.get("count").and_then(Value::as_u64));
    let numbers = numbers_of(plan);
    overlooked.extend(
        counts
            .filter(|count| !numbers.contains(count))
            .map(|count| ValidationError::ValueUnused {
                value: count.to_string(),
            }),
    );
    let has_verb = |verb: Verb| {
        let mut steps = plan.steps.iter();
        steps.any(|step| step.tool.as_str().starts_with(verb.as_str()))
    };
    let mut args = plan.steps.iter().flat_map(|step| &step.args);
    let orders = has_verb(Verb::Sort) || args.any(|(name, _)| ORDERING.contains(&name.as_str()));
    let wanted = reading.clauses.iter().find_map(|clause| clause.order.as_ref());
    if let Some(order) = wanted.filter(|_| !orders) {
        overlooked.push(ValidationError::ValueUnused {
            value: order.field.clone(),
        });
    }
    // "all but the three newest" are none of those three.
    let skipped = |count: u64| {
        let mut args = plan.steps.iter().flat_map(|step| &step.args);
        args.any(|(name, value)| name == SKIP && *value == Argument::Literal(Value::from(count)))
    };
    if let Some(order) = wanted.filter(|order| order.skip > 0 && !skipped(order.skip)) {
        overlooked.push(ValidationError::ValueUnused {
            value: order.skip.to_string(),
        });
    }
    overlooked.extend(elsewhere(reading, plan));
    overlooked.extend(switches_left_off(reading, plan, manifests));
    let asks_number = reading.clauses.iter().any(|clause| clause.measure.is_some());
    if asks_number && !has_verb(Verb::Compute) {
        overlooked.push(ValidationError::NotComputed);
    }
    overlooked
}

/// Whether a hint may change what a plan that only looks comes to, so that the model is worth asking again: a value
/// that was said and left out, one that was not said, or something that the model itself took the request for and does
/// not do. Where the reader would merely have taken another verb, kind or order, it may be the one that is wrong.
pub(super) fn may_matter(hint: &ValidationError, asked: &Asked, reading: &Reading, plan: &Plan<Validated>) -> bool {
    if let ValidationError::ValueUnused { value } = hint {
        let is_itself_asked = asked.object.is_some_and(|object| object.as_str() == value);
        return is_itself_asked || is_said_value(reading, value);
    }
    if let ValidationError::VerbMissing { verb } = hint {
        return asked.verb == Some(*verb);
    }
    let is_about = |object: Object| {
        let mut steps = plan.steps.iter();
        steps.any(|step| step.tool.as_str().split('_').nth(1).and_then(Object::parse) == Some(object))
    };
    match hint {
        hint if *hint == ValidationError::NotComputed => asked.verb == Some(Verb::Compute),
        hint if *hint == ValidationError::Unrelated => asked.object.is_none_or(|object| !is_about(object)),
        hint => matches!(hint, ValidationError::Ungrounded { .. }),
    }
}

/// A period, a number, a place or an address in the words of the request, rather than what kind of thing is meant.
fn is_said_value(reading: &Reading, value: &str) -> bool {
    let is_count = value.parse::<u64>().is_ok();
    let mut facts = reading.facts.iter();
    is_count
        || facts.any(|fact| {
            let is_value = matches!(fact.kind, FactKind::Path | FactKind::Url | FactKind::Window);
            is_value && fact.text().trim_end_matches('/') == value
        })
}

/// Worlds that have nothing to do with each other. What flows between them, such as texts and lists, is of none.
const WORLDS: [&[Object]; 5] = [
    &[Object::Files, Object::Dirs, Object::Images],
    &[Object::Urls, Object::Sites],
    &[Object::Processes],
    &[Object::Disks],
    &[Object::Places, Object::Location],
];

/// Whether two sorts of things have to do with each other.
pub(super) fn are_of_one_world(one: Object, other: Object) -> bool {
    world(one).is_some_and(|at| world(other) == Some(at))
}

fn world(object: Object) -> Option<usize> {
    WORLDS.iter().position(|world| world.contains(&object))
}

/// What the request speaks of, when every step is about something else.
fn elsewhere(reading: &Reading, plan: &Plan<Validated>) -> Option<ValidationError> {
    let object_of = |tool: &ExecutorName| tool.as_str().split('_').nth(1).and_then(Object::parse);
    let visited: Vec<usize> = plan
        .steps
        .iter()
        .filter_map(|step| object_of(&step.tool))
        .filter_map(world)
        .collect();
    let nouns = reading.clauses.iter().flat_map(|clause| &clause.nouns);
    let mut named = nouns
        .filter_map(|(object, _)| Some((*object, world(*object)?)))
        .peekable();
    let (first, _) = *named.peek()?;
    let is_visited = named.any(|(_, world)| visited.contains(&world));
    (!visited.is_empty() && !is_visited).then(|| ValidationError::ValueUnused {
        value: first.as_str().to_owned(),
    })
}

/// Letters of the shortest word that says something of what is asked.
const TELLING_LETTERS_MIN: usize = 4;

/// Whether a word or a value of the request stands among the arguments.
pub(super) fn says_words_of(reading: &Reading, plan: &Plan<Validated>) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words
            .filter(|word| word.chars().count() >= TELLING_LETTERS_MIN)
            .map(str::to_lowercase)
            .collect()
    };
    let said = words(&reading.original);
    let args = plan.steps.iter().flat_map(|step| &step.args);
    args.map(|(_, argument)| argument.to_json(&|step| step).to_string())
        .any(|written| {
            let mut values = reading.facts.iter().map(Fact::text).filter(|text| !text.is_empty());
            let has_value = values.any(|text| written.contains(text));
            has_value || words(&written).iter().any(|word| said.contains(word))
        })
}

/// Steps that change what the person said not to change.
pub(super) fn done_though_forbidden(
    reading: &Reading,
    plan: &Plan<Validated>,
    manifests: Lookup<'_>,
) -> Vec<ValidationError> {
    let verb_of = |tool: &ExecutorName| tool.as_str().split('_').next().and_then(Verb::parse);
    let forbidden: Vec<Verb> = reading.forbidden_verbs().collect();
    let changes = |tool: &ExecutorName| manifests(tool).is_none_or(|manifest| manifest.effect.changes_something());
    plan.steps
        .iter()
        .filter(|step| changes(&step.tool))
        .filter_map(|step| Some((step.id, verb_of(&step.tool).filter(|verb| forbidden.contains(verb))?)))
        .map(|(step, verb)| ValidationError::VerbForbidden { step, verb })
        .collect()
}

/// Switches that the request names and a step has but leaves off: whoever says "copy" wants nothing moved.
fn switches_left_off(reading: &Reading, plan: &Plan<Validated>, manifests: Lookup<'_>) -> Vec<ValidationError> {
    let mut left_off = Vec::new();
    for option in reading.clauses.iter().flat_map(|clause| &clause.options) {
        let has_it = |tool: &ExecutorName| {
            manifests(tool).is_some_and(|manifest| {
                let arg = manifest.arg(option);
                arg.is_some_and(|arg| arg.schema.get("type").and_then(Value::as_str) == Some("boolean"))
            })
        };
        let mut steps = plan.steps.iter().filter(|step| has_it(&step.tool)).peekable();
        let is_on =
            |(name, argument): &(String, Argument)| name == option && *argument == Argument::Literal(Value::Bool(true));
        if steps.peek().is_some() && !steps.any(|step| step.args.iter().any(is_on)) {
            left_off.push(ValidationError::ValueUnused { value: option.clone() });
        }
    }
    left_off
}

/// Periods, and numbers of what looks for things, that the request does not say: they leave out what is asked for.
pub(super) fn invented(reading: &Reading, plan: &Plan<Validated>, manifests: Lookup<'_>) -> Vec<ValidationError> {
    let says_when = !reading.times.is_empty()
        || reading
            .facts
            .iter()
            .any(|fact| matches!(fact.kind, FactKind::Window | FactKind::Weekday));
    let said = numbers_said(reading);
    let mut invented = Vec::new();
    for step in &plan.steps {
        let Some(manifest) = manifests(&step.tool) else {
            continue;
        };
        let verb = step.tool.as_str().split('_').next().and_then(Verb::parse);
        let looks_for = matches!(verb, Some(Verb::Find | Verb::List | Verb::Get));
        for (name, argument) in &step.args {
            let (Some(spec), Argument::Literal(value)) = (manifest.arg(name), argument) else {
                continue;
            };
            let is_default = spec.schema.get("default") == Some(value);
            let is_invented = match spec.class() {
                Class::Window => !says_when,
                // One of an order is "the largest"; none at all is no limit.
                Class::Number => {
                    let is_unsaid = |number: u64| number > 1 && !said.contains(&number);
                    looks_for && value.as_u64().is_some_and(is_unsaid)
                }
                Class::File
                | Class::Folder
                | Class::Target
                | Class::Address
                | Class::Glob
                | Class::Column
                | Class::Words
                | Class::Unknown
                | Class::Choice
                | Class::Whereabouts
                | Class::Moment
                | Class::Text => false,
            };
            if is_invented && !is_default {
                invented.push(ValidationError::Ungrounded {
                    step: step.id,
                    arg: name.clone(),
                    value: value.as_str().map_or_else(|| value.to_string(), str::to_owned),
                });
            }
        }
    }
    invented
}

/// Every whole number among the arguments, at any depth.
fn numbers_of(plan: &Plan<Validated>) -> Vec<u64> {
    let mut numbers = Vec::new();
    collect(&plan.to_json(), &mut numbers);
    numbers
}

fn collect(value: &Value, numbers: &mut Vec<u64>) {
    match value {
        Value::Number(number) => numbers.extend(number.as_u64()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, numbers)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, numbers)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// The numbers a request says, in digits, in words and as sizes.
fn numbers_said(reading: &Reading) -> Vec<u64> {
    let digits = reading.original.split(|letter: char| !letter.is_ascii_digit());
    let mut said: Vec<u64> = digits.filter_map(|digits| digits.parse().ok()).collect();
    let is_whole = |number: &&f64| number.fract() == 0.0 && (0.0..1e15).contains(*number);
    said.extend(reading.numbers.iter().filter(is_whole).map(|number| *number as u64));
    for fact in &reading.facts {
        collect(&fact.value, &mut said);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::lang::Lang,
        engine::{fixtures::shipped, validator::ValidationContext},
        language::Language,
    };

    /// What is found wrong with a plan for a request.
    fn wrong(request: &str, steps: &str) -> Vec<&'static str> {
        let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
        let reading = Language::embedded().unwrap().read(request, Lang::EN, &now);
        let plan = Plan::from_json(&serde_json::from_str(&format!("{{\"steps\":[{steps}]}}")).unwrap()).unwrap();
        let catalog = shipped();
        let lookup =
            |name: &crate::domain::ids::ExecutorName| catalog.iter().find(|manifest| manifest.name == *name).cloned();
        let plan = crate::engine::validator::validate(plan, &lookup, &ValidationContext::new(request, &[])).unwrap();
        let errors = overlooked(&reading, &plan, &lookup).into_iter();
        errors
            .chain(invented(&reading, &plan, &lookup))
            .chain(done_though_forbidden(&reading, &plan, &lookup))
            .map(|error| error.code())
            .collect()
    }

    #[test]
    fn a_plan_for_another_question_is_found() {
        let find = |more: &str| format!(r#"{{"tool":"find_files","args":{{"base_path":"~/docs"{more}}}}}"#);
        let list = "list the files in ~/docs";
        assert_eq!(wrong(list, &find("")), [""; 0]);
        assert_eq!(wrong(list, &find(r#","modified_window":"this-week""#)), ["ungrounded"]);
        let most = find(r#","max_results":25"#);
        assert_eq!(wrong("list twenty-five files in ~/docs", &most), [""; 0]);
        assert_eq!(wrong(list, &most), ["ungrounded"]);
        let read = r#"{"tool":"read_files","args":{"paths":["~/a.md"]}}"#;
        let lines = r#",{"tool":"filter_texts_lines","args":{"from_step":1,"last":3}}"#;
        let last = "read ~/a.md and show me the last three lines";
        assert_eq!(wrong(last, read), ["value_unused"]);
        assert_eq!(wrong(last, &format!("{read}{lines}")), [""; 0]);
        let moved = r#"{"tool":"move_files","args":{"paths":["~/a.md"],"dst_dir":"~/b"}}"#;
        let copied = moved.replace("}}", r#","copy":true}}"#);
        assert_eq!(wrong("move ~/a.md to ~/b", moved), [""; 0]);
        assert_eq!(wrong("copy ~/a.md to ~/b", moved), ["value_unused"]);
        assert_eq!(wrong("copy ~/a.md to ~/b", &copied), [""; 0]);
        let spared = "list the files in ~/docs but don't delete any";
        let delete = r#",{"tool":"delete_files","args":{"from_step":1}}"#;
        assert_eq!(wrong(spared, &find("")), [""; 0]);
        assert_eq!(wrong(spared, &format!("{}{delete}", find(""))), ["verb_forbidden"]);
        let sort = |more: &str| {
            let sorted = r#"{"tool":"sort_entries","args":{"from_step":1,"by":"mtime","desc":true"#;
            format!("{},{sorted}{more}}}}}", find(""))
        };
        let all_but = "list all the files in ~/docs except the 3 newest";
        assert_eq!(wrong(all_but, &sort(r#","skip":3"#)), [""; 0]);
        assert_eq!(wrong(all_but, &sort(r#","top":3"#)), ["value_unused"]);
        assert_eq!(wrong(all_but, &sort(r#","skip":1,"top":3"#)), ["value_unused"]);
        let processes = r#"{"tool":"get_processes","args":{}}"#;
        assert_eq!(wrong("list the files", processes), ["value_unused"]);
        assert_eq!(wrong("list the processes", processes), [""; 0]);
        let most = "which process uses the most memory";
        assert_eq!(wrong(most, processes), ["value_unused"]);
    }
}
