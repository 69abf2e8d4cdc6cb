//! Asks for the one thing an action lacks instead of giving up: a step that puts the question, and a reference to its
//! answer where the value belongs. Called by the chain. With two things missing nobody knows what was meant, and
//! nothing is asked.

use serde_json::{Value, json};

use super::{
    Stuck,
    arguments::Filled,
    chain::{Chain, grammar},
    ledger::asks,
};
use crate::{
    domain::{
        kind::Class,
        manifest::{ArgSpec, Manifest},
        question::FieldKind,
        reference::Argument,
        vocabulary::{Object, Qualifier, Verb},
    },
    language::{ClauseReading, Fact, Mark},
};

/// The name of the answer that says which file.
const WHICH: &str = "file";

impl<'a> Chain<'a> {
    /// "read", "open the file": which one is asked, once, and nothing is guessed. False when something is named.
    pub(super) fn asks_which(&mut self, clause: &ClauseReading, verb: Verb) -> Result<bool, Stuck> {
        let files = |(object, qualifier): &(Object, Option<Qualifier>)| *object == Object::Files && qualifier.is_none();
        let nothing_said = clause.facts.is_empty()
            && clause.nouns.iter().all(files)
            && asks(clause).is_empty()
            && clause.marks.iter().all(|mark| *mark == Mark::One);
        let alone = self.steps.is_empty() && self.reading.clauses.len() == 1;
        if verb != Verb::Read || clause.word.is_empty() || !nothing_said || !alone {
            return Ok(false);
        }
        let reads = |manifest: &&Manifest| grammar(manifest) == (Some(Verb::Read), Some(Object::Files));
        let reader = self.catalog.iter().map(|manifest| &**manifest).find(reads);
        let reader = reader.ok_or_else(Stuck::missing)?;
        let path = reader.arg_of(Class::File).ok_or_else(Stuck::missing)?;
        let mut filled = Filled::default();
        self.ask_for(path, &mut filled)?;
        self.push(reader, None, filled);
        Ok(true)
    }

    /// "add milk to the list", where two files are lists: which one is asked first, and everything else follows.
    pub(super) fn ask_which_file(&mut self) -> Result<(), Stuck> {
        let open: Vec<&Fact> = self
            .reading
            .facts
            .iter()
            .filter(|fact| !fact.one_of.is_empty())
            .collect();
        let fact = match open.as_slice() {
            [] => return Ok(()),
            [fact] => *fact,
            _ => return Err(Stuck::SecondSource),
        };
        let question = json!([{"var": WHICH, "kind": FieldKind::Choice, "options": fact.one_of}]);
        self.put(question)?;
        self.start = self.steps.len();
        Ok(())
    }

    /// Puts the answer where the first of the files stands for all of them.
    pub(super) fn put_answer(&mut self) -> Result<(), Stuck> {
        let Some(fact) = self.reading.facts.iter().find(|fact| !fact.one_of.is_empty()) else {
            return Ok(());
        };
        let answer = Argument::parse_text(&format!("${{step1.values.{WHICH}}}"));
        let stands = |argument: &Argument| match argument {
            Argument::Literal(value) if *value == fact.value || *value == json!([fact.value]) => Some(answer.clone()),
            // "delete the letter and b.txt": one of several.
            Argument::Literal(Value::Array(list)) if list.contains(&fact.value) => {
                let each = list.iter().map(|value| {
                    let is_it = *value == fact.value;
                    if is_it {
                        answer.clone()
                    } else {
                        Argument::Literal(value.clone())
                    }
                });
                Some(Argument::List(each.collect()))
            }
            Argument::Literal(_)
            | Argument::Reference(_)
            | Argument::Text(_)
            | Argument::List(_)
            | Argument::Object(_) => None,
        };
        let args = self.steps.iter_mut().skip(1).flat_map(|step| &mut step.args);
        let mut put = 0;
        for (_, argument) in args {
            if let Some(answered) = stands(argument) {
                *argument = answered;
                put += 1;
            }
        }
        if put == 1 { Ok(()) } else { Err(Stuck::at(fact.text())) }
    }

    /// Puts a question for this argument before the action.
    pub(super) fn ask_for(&mut self, arg: &ArgSpec, filled: &mut Filled) -> Result<(), Stuck> {
        let kind = match arg.class() {
            Class::File | Class::Folder | Class::Target => FieldKind::FilePath,
            Class::Address | Class::Text | Class::Moment => FieldKind::Text,
            Class::Glob
            | Class::Window
            | Class::Number
            | Class::Column
            | Class::Words
            | Class::Unknown
            | Class::Whereabouts
            | Class::Choice => return Err(Stuck::missing()),
        };
        let number = self.put(json!([{"var": arg.name, "kind": kind, "about": arg.class()}]))?;
        filled.set_argument(
            &arg.name,
            Argument::parse_text(&format!("${{step{number}.values.{}}}", arg.name)),
        );
        Ok(())
    }

    /// A step that asks this; its number.
    fn put(&mut self, fields: Value) -> Result<u32, Stuck> {
        let asks = |manifest: &&Manifest| grammar(manifest) == (Some(Verb::Get), Some(Object::Inputs));
        let asker = self.catalog.iter().map(|manifest| &**manifest).find(asks);
        let asker = asker.ok_or_else(Stuck::missing)?;
        let arg = asker.args.first().ok_or_else(Stuck::missing)?;
        let mut question = Filled::default();
        question.set(&arg.name, fields);
        Ok(self.push(asker, None, question))
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
