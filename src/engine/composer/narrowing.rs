//! Steps that leave some of what is there out: by size, kind, time and name, and folders from files. Called by the
//! chain behind a clause's producer and before what is done with the rest. It never chooses twice by the same, and no
//! text.

use serde_json::{Value, json};

use super::{
    Stuck,
    arguments::Filled,
    chain::{Chain, grammar, text_field},
    ledger::Ask,
    transforms::MTIME,
    words_of_fact,
};
use crate::{
    domain::{
        kind::Class,
        manifest::{ArgSpec, Manifest},
        vocabulary::{Object, Verb},
    },
    language::{ClauseReading, Fact, FactKind, Mark},
};

impl<'a> Chain<'a> {
    /// Conditions the producer could not take: sizes, kinds, times and parts of names, by a filter on entries.
    pub(super) fn narrow(&mut self, clause: &'a ClauseReading) -> Result<(), Stuck> {
        // "in docs over a meg and in downloads over 100 kb": a bound for each place, and no plan has two of a kind.
        let bound = |fact: &Fact| fact.value.get("bound").cloned().filter(|_| fact.kind == FactKind::Size);
        let bounds: Vec<Value> = self
            .reading
            .facts_of(clause)
            .filter_map(|(_, fact)| bound(fact))
            .collect();
        if bounds
            .iter()
            .enumerate()
            .any(|(at, one)| bounds.get(..at).is_some_and(|before| before.contains(one)))
        {
            return Err(Stuck::SecondSource);
        }
        for (index, fact) in self.free_facts(clause) {
            // A kind of file that is to be made chooses none of those that are there.
            if fact.kind == FactKind::Glob && clause.verb == Some(Verb::Create) {
                return Err(Stuck::at(&words_of_fact(self.reading, index)));
            }
            // "the third" alone may be a day of the month, or one of those found.
            let mut times = self.reading.facts_of(clause).map(|(_, other)| other);
            let bounds = fact.kind == FactKind::Window && times.any(|other| fact.bounds_beside(other));
            if bounds || fact.kind == FactKind::Window && (clause.is(Mark::Anaphora) || clause.is(Mark::Only)) {
                self.narrow_to_time(index, fact)?;
                continue;
            }
            let (field, suffixes, value): (&str, &[&str], Value) = if fact.kind == FactKind::NamePart {
                ("name", &["contains"], fact.value.clone())
            } else if fact.kind == FactKind::NotGlob {
                ("name", &["except"], fact.value.clone())
            } else if fact.kind == FactKind::Glob && self.may_choose_by(Class::Glob) {
                ("name", &["glob"], fact.value.clone())
            } else if fact.kind == FactKind::Size {
                let bytes = fact.value.get("bytes").cloned().unwrap_or_default();
                let above = fact.value.get("bound").and_then(Value::as_str) == Some("min");
                ("size", if above { ABOVE } else { BELOW }, bytes)
            } else {
                continue;
            };
            let condition = |manifest: &Manifest| arg_ending(manifest, suffixes).map(|arg| arg.name.clone());
            let entries = |manifest: &Manifest| {
                grammar(manifest).1 == Some(Object::Entries)
                    && manifest.arg_of(Class::Column).is_some()
                    && condition(manifest).is_some()
            };
            let Some(manifest) = self.consumer(Verb::Filter, entries) else {
                continue;
            };
            let (Some(key), Some(condition)) = (manifest.arg_of(Class::Column), condition(manifest)) else {
                continue;
            };
            self.need_field(field)?;
            let mut filled = Filled::default();
            filled.set(&key.name, json!(field));
            filled.set(&condition, value);
            filled.used.push(index);
            self.follow(manifest, filled)?;
        }
        Ok(())
    }

    /// "those modified today", of what was found.
    fn narrow_to_time(&mut self, index: usize, fact: &Fact) -> Result<(), Stuck> {
        let knows = |manifest: &Manifest| {
            grammar(manifest).1 == Some(Object::Entries) && manifest.arg_of(Class::Window).is_some()
        };
        let Some(manifest) = self.consumer(Verb::Filter, knows).filter(|_| !self.is_text()) else {
            return Ok(());
        };
        self.need_field(MTIME)?;
        let mut filled = Filled::default();
        if let Some(arg) = manifest.arg_of(Class::Window) {
            filled.set(&arg.name, fact.value.clone());
        }
        filled.used.push(index);
        self.follow(manifest, filled)
    }

    /// Whether what is there are things that no such condition has chosen yet: the pdfs among the photos would be none,
    /// and a text is none of a kind.
    fn may_choose_by(&self, class: Class) -> bool {
        let steps = self.steps.iter().zip(&self.tools).skip(self.start);
        let mut args = steps.flat_map(|(step, tool)| step.args.iter().filter_map(|(name, _)| tool.arg(name)));
        !self.is_text() && !args.any(|arg| arg.class() == class)
    }

    fn is_text(&self) -> bool {
        self.tools().iter().any(|tool| text_field(tool).is_some())
    }

    /// "the second" of those found, as they stand.
    pub(super) fn pick(&mut self, clause: &ClauseReading) -> Result<(), Stuck> {
        let Some(place) = clause.place.filter(|_| !self.answered.contains(&Ask::Place)) else {
            return Ok(());
        };
        let manifest = self.consumer(Verb::Filter, |manifest| manifest.arg(POSITION).is_some());
        // "the first" of a text is a line of it, and of one thing there is no second.
        let Some(manifest) = manifest.filter(|_| !self.is_text() && !self.single && !self.gave_number()) else {
            return Err(Stuck::missing());
        };
        let mut filled = Filled::default();
        filled.set(POSITION, json!(place));
        self.answer(Ask::Place);
        self.follow(manifest, filled)?;
        self.single = true;
        Ok(())
    }

    /// "the folders in ~/docs" are a part of what is in it; "the folder ~/docs" is the folder itself.
    pub(super) fn only_folders(&mut self, clause: &'a ClauseReading) -> Result<(), Stuck> {
        let named = clause.nouns.iter().any(|(object, _)| *object == Object::Dirs);
        let inside = self
            .reading
            .facts_of(clause)
            .any(|(_, fact)| fact.kind == FactKind::Path && fact.role.is_some());
        if !(named && inside && clause.object == Some(Object::Dirs)) {
            return Ok(());
        }
        self.need_field(KIND)?;
        let equals = |manifest: &Manifest| arg_ending(manifest, &["equals"]).map(|arg| arg.name.clone());
        let fits = |manifest: &Manifest| manifest.arg_of(Class::Column).is_some() && equals(manifest).is_some();
        let manifest = self
            .consumer(Verb::Filter, fits)
            .ok_or_else(|| Stuck::at(&clause.word))?;
        let mut filled = Filled::default();
        if let (Some(key), Some(value)) = (manifest.arg_of(Class::Column), equals(manifest)) {
            filled.set(&key.name, json!(KIND));
            filled.set(&value, json!(FOLDER));
        }
        self.follow(manifest, filled)
    }
}

/// The argument of a filter for what it leaves out by name.
pub(super) const EXCEPT: &str = "where_except";
/// The argument of a filter for the one at a place.
const POSITION: &str = "position";
/// The field of a file's entry that says what it is, and its value for a folder.
const KIND: &str = "kind";
const FOLDER: &str = "directory";

/// How arguments that bound a field from below and above end.
const ABOVE: &[&str] = &["min", "gt", "gte", "above", "over", "greater"];
const BELOW: &[&str] = &["max", "lt", "lte", "below", "under", "less"];

fn arg_ending<'m>(manifest: &'m Manifest, endings: &[&str]) -> Option<&'m ArgSpec> {
    manifest.args.iter().find(|arg| {
        arg.name
            .rsplit('_')
            .next()
            .is_some_and(|ending| endings.contains(&ending))
    })
}
