//! Asks for the one thing an action lacks instead of giving up: a step that puts the question, and a reference to its
//! answer where the value belongs. Called by the chain. With two things missing nobody knows what was meant, and
//! nothing is asked.

use serde_json::json;

use super::{
    Stuck,
    arguments::Filled,
    chain::{Chain, grammar},
    ledger::asks,
};
use crate::{
    domain::{
        manifest::{ArgSpec, Manifest, Semantic},
        question::FieldKind,
        reference::Argument,
        vocabulary::{Object, Qualifier, Verb},
    },
    language::ClauseReading,
};

impl<'a> Chain<'a> {
    /// "read", "open the file": which one is asked, once, and nothing is guessed. False when something is named.
    pub(super) fn asks_which(&mut self, clause: &ClauseReading, verb: Verb) -> Result<bool, Stuck> {
        let files = |(object, qualifier): &(Object, Option<Qualifier>)| *object == Object::Files && qualifier.is_none();
        let nothing_said = clause.facts.is_empty()
            && clause.nouns.iter().all(files)
            && asks(clause).is_empty()
            && clause.marks.is_empty();
        let alone = self.steps.is_empty() && self.reading.clauses.len() == 1;
        if verb != Verb::Read || clause.word.is_empty() || !nothing_said || !alone {
            return Ok(false);
        }
        let reads = |manifest: &&Manifest| grammar(manifest) == (Some(Verb::Read), Some(Object::Files));
        let reader = self.catalog.iter().map(|manifest| &**manifest).find(reads);
        let reader = reader.ok_or_else(Stuck::missing)?;
        let path = reader.arg_of(Semantic::Path).ok_or_else(Stuck::missing)?;
        let mut filled = Filled::default();
        self.ask_for(path, &mut filled)?;
        self.push(reader, None, filled);
        Ok(true)
    }

    /// Puts a question for this argument before the action.
    pub(super) fn ask_for(&mut self, arg: &ArgSpec, filled: &mut Filled) -> Result<(), Stuck> {
        let kind = match arg.semantic {
            Semantic::Path | Semantic::Directory | Semantic::Destination => FieldKind::FilePath,
            Semantic::Url | Semantic::Content => FieldKind::Text,
            Semantic::Glob
            | Semantic::Window
            | Semantic::Count
            | Semantic::Field
            | Semantic::Query
            | Semantic::Near
            | Semantic::Option => return Err(Stuck::missing()),
        };
        let asks = |manifest: &&Manifest| grammar(manifest) == (Some(Verb::Get), Some(Object::Inputs));
        let asker = self.catalog.iter().map(|manifest| &**manifest).find(asks);
        let asker = asker.ok_or_else(Stuck::missing)?;
        let fields = asker.args.first().ok_or_else(Stuck::missing)?;
        let mut question = Filled::default();
        question.set(
            &fields.name,
            json!([{"var": arg.name, "kind": kind, "about": arg.semantic}]),
        );
        let number = self.push(asker, None, question);
        filled.set_argument(
            &arg.name,
            Argument::parse_text(&format!("${{step{number}.values.{}}}", arg.name)),
        );
        Ok(())
    }
}

/// The one argument an action still needs; `None` when it needs nothing, or more than one thing. `fed` when a step
/// feeds it.
pub(super) fn lacks<'m>(manifest: &'m Manifest, filled: &Filled, fed: bool) -> Option<&'m ArgSpec> {
    let is_there =
        |arg: &ArgSpec| filled.has(&arg.name) || fed && arg.from_entries_key.is_some() || arg.runtime_resolved;
    let mut missing: Vec<&ArgSpec> = manifest
        .args
        .iter()
        .filter(|arg| arg.required && !is_there(arg))
        .collect();
    for group in &manifest.requires_one_of {
        let is_met = |name: &String| {
            fed && name == "from_step"
                || manifest.arg(name).is_some_and(is_there)
                || missing.iter().any(|arg| arg.name == *name)
        };
        if !group.iter().any(is_met) {
            missing.extend(group.iter().find_map(|name| manifest.arg(name)));
        }
    }
    match missing.as_slice() {
        [one] => Some(one),
        _ => None,
    }
}
