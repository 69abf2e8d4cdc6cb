//! The step that changes something. Called by the chain for verbs that act. A target is never invented: it is a path of
//! the request, or what an earlier step found.

use serde_json::Value;

use super::{
    SKIP, Stuck,
    arguments::{Filled, is_directory, is_list, offers, take_option},
    asking::lacks,
    chain::{Chain, Need, grammar, text_field},
    ledger::Ask,
    narrowing::EXCEPT,
    sources::selects,
    transforms::TOP,
    words_of_fact,
};
use crate::{
    domain::{
        kind::Class,
        manifest::{ArgSpec, Feed, Manifest, Presentation},
        plan::Step,
        reference::Argument,
        vocabulary::{Object, Verb},
    },
    language::{ClauseReading, Fact, FactKind, Mark, Role},
};

/// The option of the words that give a new name.
const RENAME: &str = "rename";
/// The choice that never replaces what is there.
const FRESH: &str = "fail_if_exists";
/// The choice that leaves what is there, and adds to it.
const KEEPS: &str = "append";
/// The switch of an executor that also looks into subfolders.
const RECURSIVE: &str = "recursive";
/// The field by which an entry is a file.
const PATH: &str = "path";
/// The argument of an executor that can give one.
const NEW_NAME: &str = "new_name";

impl<'a> Chain<'a> {
    /// Composes an action with everything it needs before it.
    pub(super) fn act(&mut self, clause: &'a ClauseReading, verb: Verb) -> Result<(), Stuck> {
        let object = clause.object.ok_or_else(|| Stuck::at(&clause.word))?;
        let manifest = self
            .action(clause, verb, object)
            // A file that is created with a text is written.
            .or_else(|| {
                (verb == Verb::Create && object == Object::Files)
                    .then(|| self.action(clause, Verb::Write, object))
                    .flatten()
            })
            .ok_or_else(|| Stuck::at(&clause.word))?;
        self.act_with(clause, manifest)
    }

    fn action(&self, clause: &ClauseReading, verb: Verb, object: Object) -> Option<&'a Manifest> {
        // What makes something of a kind out of a list is asked for by that kind.
        let is_said = |manifest: &Manifest| {
            manifest.feed != Feed::Required || manifest.qualifier.is_none() || manifest.qualifier == clause.qualifier
        };
        self.catalog
            .iter()
            .map(|manifest| &**manifest)
            .filter(|manifest| grammar(manifest) == (Some(verb), Some(object)) && is_said(manifest))
            .min_by_key(|manifest| (manifest.qualifier.is_some(), manifest.name.as_str()))
    }

    fn act_with(&mut self, clause: &'a ClauseReading, manifest: &'a Manifest) -> Result<(), Stuck> {
        let mut facts = self.free_facts(clause);
        // What files are about is found by looking into them: nothing is changed on the strength of that.
        if let Some((topic, _)) = facts.iter().find(|(_, fact)| fact.kind == FactKind::Topic) {
            return Err(Stuck::at(&words_of_fact(self.reading, *topic)));
        }
        let goes_to = |(_, fact): &&(usize, &Fact)| fact.kind == FactKind::Path && fact.role == Some(Role::To);
        // "a to b and c to d" is two moves in one breath: nobody may guess which goes where.
        if facts.iter().filter(goes_to).count() > 1 && manifest.feed != Feed::None {
            return Err(Stuck::SecondSource);
        }
        // "delete a.jpg to c.jpg" may be everything between; nothing goes anywhere.
        if let Some((_, end)) = facts.iter().find(goes_to)
            && manifest.arg_of(Class::Target).is_none()
        {
            return Err(Stuck::at(end.text()));
        }
        // "move a.txt to archive", where there is no such folder: the goal is what is missing, and not the file.
        let is_no_place = |(_, fact): &&(usize, &Fact)| fact.kind == FactKind::Glob && fact.role == Some(Role::To);
        if let Some((goal, _)) = facts.iter().find(is_no_place)
            && manifest.arg_of(Class::Target).is_some()
        {
            return Err(Stuck::at(&words_of_fact(self.reading, *goal)));
        }
        // "delete everything from ~/list.txt": what is in a file is no file.
        let in_file = |(_, fact): &&(usize, &Fact)| {
            fact.is_file_path() && matches!(fact.role, Some(Role::From | Role::In)) && !fact.text().contains('*')
        };
        if clause.verb == Some(Verb::Delete)
            && let Some((_, fact)) = facts.iter().find(in_file)
        {
            return Err(Stuck::at(fact.text()));
        }
        let mut filled = Filled::default();
        if let Some(arg) = manifest.arg_of(Class::Target) {
            let Some(place) = self.destination(clause, &facts, arg.required) else {
                self.call_it(manifest, arg, &facts, &mut filled);
                facts.retain(|(index, _)| !filled.used.contains(index));
                return self.act_on(clause, manifest, &facts, filled);
            };
            let (index, fact) = place;
            self.place = Some(index);
            let named = facts.iter().find(|(_, fact)| fact.kind == FactKind::Name);
            let renames = fact.is_file_path() || clause.options.iter().any(|option| option == RENAME);
            if arg.name.contains("dir") && renames {
                self.rename(manifest, arg, place, &facts, &mut filled)?;
                self.answer(Ask::Choice(RENAME.to_owned()));
            } else if let (Some((name_index, name)), true) = (named, is_directory(fact) && manifest.feed == Feed::None)
            {
                // "a folder called x in ~/y".
                let joined = format!("{}/{}", fact.text().trim_end_matches('/'), name.text());
                filled.set(
                    &arg.name,
                    if is_list(arg) {
                        Value::from(vec![joined])
                    } else {
                        Value::from(joined)
                    },
                );
                filled.used.extend([index, *name_index]);
            } else if is_list(arg) {
                let all: Vec<_> = facts.iter().filter(|(_, fact)| fact.kind == FactKind::Path).collect();
                filled.set(
                    &arg.name,
                    Value::Array(all.iter().map(|(_, fact)| fact.value.clone()).collect()),
                );
                filled.used.extend(all.iter().map(|(index, _)| *index));
            } else {
                filled.set(&arg.name, fact.value.clone());
                filled.used.push(index);
            }
        }
        facts.retain(|(index, _)| !filled.used.contains(index));
        self.act_on(clause, manifest, &facts, filled)
    }

    /// The rest of an action: what is put in its place, or what is acted on. One thing it still lacks is asked for.
    fn act_on(
        &mut self,
        clause: &'a ClauseReading,
        manifest: &'a Manifest,
        facts: &[(usize, &'a Fact)],
        mut filled: Filled,
    ) -> Result<(), Stuck> {
        let earlier = self.last().is_some();
        let mut from = None;
        if let Some(arg) = manifest.arg_of(Class::Text) {
            let content = self.content(clause, facts, &mut filled)?;
            if !content.references().is_empty() {
                self.only_one_source(earlier)?;
                self.answered.extend([Ask::Earlier, Ask::Inside]);
            }
            filled.set_argument(&arg.name, content);
        } else {
            from = self.target(clause, manifest, facts, &mut filled)?;
        }
        if from.is_some() {
            self.only_one_source(earlier)?;
            self.answered.extend([Ask::Earlier, Ask::Inside]);
            if !earlier {
                self.stay_in_folder();
            }
        }
        for arg in manifest.args.iter().filter(|arg| arg.class() == Class::Choice) {
            // What is made anew takes nobody's place.
            if clause.verb == Some(Verb::Create) && offers(arg, FRESH) {
                filled.set(&arg.name, Value::from(FRESH));
            }
            take_option(&mut filled, arg, clause);
        }
        if !filled.is_enough_for(manifest, from.is_some()) {
            let arg = lacks(manifest, &filled, from.is_some()).ok_or_else(Stuck::missing)?;
            self.ask_for(arg, &mut filled)?;
            // Who is asked where a text goes may name a file that is there, and has not said to replace it.
            let keeps = |arg: &&ArgSpec| offers(arg, KEEPS) && !filled.has(&arg.name);
            if let Some(option) = manifest
                .args
                .iter()
                .find(keeps)
                .filter(|_| arg.class() == Class::Target)
            {
                filled.set(&option.name, Value::from(KEEPS));
            }
        }
        self.push(manifest, from, filled);
        self.closed = true;
        Ok(())
    }

    /// "it" after two questions may be either answer.
    fn only_one_source(&self, earlier: bool) -> Result<(), Stuck> {
        if earlier && self.start > 0 {
            return Err(Stuck::SecondSource);
        }
        Ok(())
    }

    /// "move ~/a.txt to ~/b.txt": a folder is wanted and a name is given. One thing can have one new name.
    fn rename(
        &self,
        manifest: &Manifest,
        folder_arg: &ArgSpec,
        place: (usize, &Fact),
        facts: &[(usize, &Fact)],
        filled: &mut Filled,
    ) -> Result<(), Stuck> {
        let (index, fact) = place;
        let name_arg = manifest.arg(NEW_NAME).ok_or_else(|| Stuck::at(fact.text()))?;
        let others: Vec<_> = facts.iter().filter(|(other, _)| *other != index).collect();
        let [(_, source)] = others.as_slice() else {
            return Err(Stuck::missing());
        };
        if source.kind != FactKind::Path || self.last().is_some() || !source.one_of.is_empty() {
            return Err(Stuck::at(fact.text()));
        }
        // Without a folder of its own the new name stays in the old folder.
        let (folder, name) = match (fact.text().rsplit_once('/'), source.text().rsplit_once('/')) {
            (Some(parts), _) => parts,
            (None, Some((folder, _))) => (folder, fact.text()),
            (None, None) => (".", fact.text()),
        };
        if name.is_empty() {
            return Err(Stuck::at(fact.text()));
        }
        filled.set(
            &folder_arg.name,
            Value::from(if folder.is_empty() { "/" } else { folder }),
        );
        let ending = kept_ending(fact, source).unwrap_or_default();
        filled.set(&name_arg.name, Value::from(format!("{name}{ending}")));
        filled.used.push(index);
        Ok(())
    }

    /// "copy ~/a.txt and call it b": a new name beside the old one.
    fn call_it(&self, manifest: &Manifest, folder_arg: &ArgSpec, facts: &[(usize, &Fact)], filled: &mut Filled) {
        let of = |kind: FactKind| facts.iter().filter(move |(_, fact)| fact.kind == kind);
        let (names, sources): (Vec<_>, Vec<_>) = (of(FactKind::Name).collect(), of(FactKind::Path).collect());
        let ([(index, name)], [(_, source)], Some(name_arg)) =
            (names.as_slice(), sources.as_slice(), manifest.arg(NEW_NAME))
        else {
            return;
        };
        let folder = source.text().rsplit_once('/').filter(|_| source.is_file_path());
        let is_name = !name.text().contains(['/', '\\', '*', '?']);
        if let (Some((folder, _)), true, true) = (folder, is_name, source.one_of.is_empty()) {
            filled.set(
                &folder_arg.name,
                Value::from(if folder.is_empty() { "/" } else { folder }),
            );
            let ending = kept_ending(name, source).unwrap_or_default();
            filled.set(&name_arg.name, Value::from(format!("{}{ending}", name.text())));
            filled.used.push(*index);
        }
    }

    /// Where something goes: what "to" says; else the last "in", when something else is there to be put; else, for what
    /// is only made or written, the one path there is.
    fn destination(
        &self,
        clause: &ClauseReading,
        facts: &[(usize, &'a Fact)],
        required: bool,
    ) -> Option<(usize, &'a Fact)> {
        let paths: Vec<&(usize, &Fact)> = facts.iter().filter(|(_, fact)| fact.kind == FactKind::Path).collect();
        let with = |role: Role| paths.iter().rev().find(|(_, fact)| fact.role == Some(role));
        // "Zip the pdf files in docs" says where they are, unless a place must be said.
        let others = facts.len() > 1 && (required || paths.len() > 1);
        let else_there = self.last().is_some() || clause.is(Mark::Anaphora) || others;
        let chosen = with(Role::To)
            .or_else(|| with(Role::In).filter(|_| else_there))
            .or_else(|| {
                paths
                    .first()
                    .filter(|_| required && paths.len() == 1 && clause.verb != Some(Verb::Move))
            });
        let there = self.place.filter(|_| clause.is(Mark::There));
        chosen
            .or_else(|| paths.first().filter(|_| clause.verb == Some(Verb::Create)))
            .map(|(index, fact)| (*index, *fact))
            .or_else(|| there.and_then(|index| Some((index, self.reading.facts.get(index)?))))
    }

    /// The text to write: in quotes, or what an earlier step or a source of the clause holds.
    fn content(
        &mut self,
        clause: &'a ClauseReading,
        facts: &[(usize, &'a Fact)],
        filled: &mut Filled,
    ) -> Result<Argument, Stuck> {
        let quoted: Vec<_> = facts.iter().filter(|(_, fact)| fact.kind == FactKind::Quoted).collect();
        if let [(index, fact)] = quoted.as_slice() {
            filled.used.push(*index);
            return Ok(Argument::Literal(fact.value.clone()));
        }
        if !quoted.is_empty() {
            return Err(Stuck::missing());
        }
        if self.last().is_none() {
            self.produce(
                clause,
                facts,
                Need {
                    text: !clause.is(Mark::Listing),
                    field: None,
                },
            )?;
            self.lines(clause)?;
        }
        let (Some(number), Some(source)) = (self.last(), self.tools().last().copied()) else {
            return Err(Stuck::missing());
        };
        if clause.is(Mark::Listing) && matches!(source.presentation, Presentation::Entries(_)) {
            return Ok(Argument::parse_text(&format!("${{step{number}.entries}}")));
        }
        let field = text_field(source).ok_or_else(Stuck::missing)?;
        Ok(Argument::parse_text(&format!("${{step{number}.{field}}}")))
    }

    /// What is acted on: paths as they stand, or the entries of a search; the number is the step that feeds.
    fn target(
        &mut self,
        clause: &'a ClauseReading,
        manifest: &'a Manifest,
        facts: &[(usize, &'a Fact)],
        filled: &mut Filled,
    ) -> Result<Option<u32>, Stuck> {
        let can_feed = manifest.feed != Feed::None;
        // Of files that are named one by one, what is left out is none.
        if facts.iter().any(|(_, fact)| fact.is_file_path())
            && let Some((left_out, _)) = facts.iter().find(|(_, fact)| fact.kind == FactKind::NotGlob)
        {
            return Err(Stuck::at(&words_of_fact(self.reading, *left_out)));
        }
        if can_feed && self.last().is_none() && selects(clause, facts) {
            self.produce(clause, facts, Need::default())?;
            return self.single_out(clause);
        }
        let path = manifest
            .args
            .iter()
            .find(|arg| matches!(arg.class(), Class::File | Class::Folder));
        let named: Vec<_> = facts.iter().filter(|(_, fact)| fact.kind == FactKind::Path).collect();
        if let Some(arg) = path
            && !named.is_empty()
        {
            let whole_folder = named
                .iter()
                .any(|(_, fact)| is_directory(fact) && matches!(fact.role, Some(Role::In | Role::From)));
            if whole_folder && clause.verb != Some(Verb::Create) {
                return Err(Stuck::missing());
            }
            let value = if is_list(arg) {
                Value::Array(named.iter().map(|(_, fact)| fact.value.clone()).collect())
            } else {
                named.first().map(|(_, fact)| fact.value.clone()).unwrap_or_default()
            };
            filled.set(&arg.name, value);
            filled.used.extend(
                named
                    .iter()
                    .take(if is_list(arg) { usize::MAX } else { 1 })
                    .map(|(index, _)| *index),
            );
            return Ok(None);
        }
        match self.last() {
            Some(_) if can_feed => self.single_out(clause),
            Some(_) | None => Ok(None),
        }
    }

    /// What of the entries found the action is meant for; the number is the step that feeds it.
    fn single_out(&mut self, clause: &'a ClauseReading) -> Result<Option<u32>, Stuck> {
        if self.gave_number() {
            return Err(Stuck::SecondSource);
        }
        self.narrow(clause)?;
        // The largest thing a folder shows may be another folder, and the last as well.
        let listed = |first: &&Manifest| grammar(first).0 == Some(Verb::List);
        if (clause.order.is_some() || clause.place.is_some()) && self.tools().first().is_some_and(listed) {
            return Err(Stuck::missing());
        }
        // Places and processes are no files.
        let is_file = |tool: &&Manifest| tool.entry_fields.iter().any(|field| field == PATH);
        if clause.object == Some(Object::Files) && !self.tools().iter().any(is_file) {
            return Err(Stuck::at(&clause.word));
        }
        self.pick(clause)?;
        if let Some(order) = &clause.order {
            self.order(order)?;
        }
        // An order that cuts nothing off would act on everything: "delete the oldest files" names no number.
        if self.uncut {
            return Err(Stuck::missing());
        }
        Ok(self.last())
    }

    /// What is changed is what a search shows, subfolders included: "the photos of 2024 in ~/x". Only where nothing
    /// says which files, all those "in ~/x" are the ones a list of the folder shows.
    fn stay_in_folder(&mut self) {
        // All but the newest, or but the pdfs, are all of them but a few.
        let says = |step: &Step, what: &str| step.args.iter().any(|(name, _)| name == what);
        let leaves_out = |step: &Step| says(step, EXCEPT) || says(step, SKIP) && !says(step, TOP);
        let (Some(tool), Some([step, others @ ..])) = (self.tools.get(self.start), self.steps.get_mut(self.start..))
        else {
            return;
        };
        if !others.iter().all(leaves_out) {
            return;
        }
        let chosen = |name: &str| tool.arg(name).is_some_and(|arg| arg.class() != Class::Folder);
        if tool.arg(RECURSIVE).is_some() && !step.args.iter().any(|(name, _)| chosen(name)) {
            step.args
                .push((RECURSIVE.to_owned(), Argument::Literal(Value::Bool(false))));
        }
    }

    /// "download … to ~/x": what was fetched is kept where the clause says.
    pub(super) fn keep(&mut self, clause: &'a ClauseReading) -> Result<(), Stuck> {
        let facts = self.free_facts(clause);
        let place = facts
            .iter()
            .find(|(_, fact)| fact.kind == FactKind::Path && matches!(fact.role, Some(Role::To | Role::In)));
        let fetched = clause.verb.is_some_and(Verb::is_producer) && clause.object == Some(Object::Urls);
        let (Some((index, place)), true) = (place, fetched) else {
            return Ok(());
        };
        let manifest = self
            .action(clause, Verb::Write, Object::Files)
            .ok_or_else(|| Stuck::at(place.text()))?;
        let (Some(to), Some(what)) = (manifest.arg_of(Class::Target), manifest.arg_of(Class::Text)) else {
            return Err(Stuck::at(place.text()));
        };
        let mut filled = Filled::default();
        filled.set_argument(&what.name, self.content(clause, &[], &mut Filled::default())?);
        filled.set(&to.name, place.value.clone());
        filled.used.push(*index);
        self.push(manifest, None, filled);
        self.closed = true;
        Ok(())
    }
}

/// People leave the ending out of a new name ("holiday plan") and mean the file to stay what it is. A new path, written
/// out, means what it says.
fn kept_ending<'s>(name: &Fact, source: &'s Fact) -> Option<&'s str> {
    let at = source.text().rfind('.').filter(|_| source.is_file_path())?;
    let ending = source.text().get(at..);
    ending.filter(|_| !name.text().contains(['/', '.']))
}
