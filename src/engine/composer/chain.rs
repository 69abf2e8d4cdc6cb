//! A plan under construction: clause by clause, each step fed by the one before. Called by `compose` once per
//! preference. A clause that leaves a value unused ends the construction.

use std::sync::Arc;

use super::{
    Preference, Stuck,
    arguments::{Filled, fill},
    is_by_words, is_selector,
    ledger::Ask,
    sources::{
        asks_for_links, fitness, is_path_pattern, leaves_open, looks_inside, says_enough, selects, source_object,
        source_verb,
    },
    words_of_fact,
};
use crate::{
    domain::{
        ids::{ExecutorName, StepId},
        kind::Class,
        manifest::{Feed, Manifest, Presentation},
        plan::{Plan, Proposed, Step},
        vocabulary::{Object, ShapeRole, Verb},
    },
    language::{ClauseReading, Fact, FactKind, Mark, Measure, Reading, Role},
};

/// Where somebody looks who does not say where.
pub(super) const HOME: &str = "~";

/// The plan so far.
pub(super) struct Chain<'a> {
    pub(super) reading: &'a Reading,
    pub(super) catalog: &'a [Arc<Manifest>],
    pub(super) preference: Preference,
    pub(super) steps: Vec<Step>,
    /// The manifest of each step.
    pub(super) tools: Vec<&'a Manifest>,
    pub(super) used: Vec<bool>,
    /// An action or a presenter has closed it.
    pub(super) closed: bool,
    /// The last step yields one entry.
    pub(super) single: bool,
    pub(super) closing: Option<String>,
    /// What the steps answer of the clause at hand.
    pub(super) answered: Vec<Ask>,
    /// An order without a number was asked for: everything is still there.
    pub(super) uncut: bool,
    /// The field by which some of those found were taken already.
    pub(super) cut: Option<String>,
    /// How many steps belong to questions answered before: what follows does not work on them.
    pub(super) start: usize,
    /// The closing texts of those; none where the last result speaks for itself.
    said: Vec<Option<String>>,
    /// Where the last action put something, as a fact of the request.
    pub(super) place: Option<usize>,
}

/// What a producer must deliver.
#[derive(Clone, Copy, Default)]
pub(super) struct Need<'a> {
    /// The content itself, not only what is known about it.
    pub(super) text: bool,
    /// This field, in the entries or in their data.
    pub(super) field: Option<&'a str>,
}

impl<'a> Chain<'a> {
    pub(super) fn compose(
        reading: &'a Reading,
        catalog: &'a [Arc<Manifest>],
        preference: Preference,
    ) -> Result<Plan<Proposed>, Stuck> {
        let mut chain = Self {
            reading,
            catalog,
            preference,
            steps: Vec::new(),
            tools: Vec::new(),
            used: vec![false; reading.facts.len()],
            closed: false,
            single: false,
            closing: None,
            answered: Vec::new(),
            uncut: false,
            cut: None,
            start: 0,
            said: Vec::new(),
            place: None,
        };
        chain.ask_which_file()?;
        for (index, clause) in reading.clauses.iter().enumerate() {
            let next = reading.clauses.get(index + 1);
            if let Some(previous) = index.checked_sub(1).and_then(|index| reading.clauses.get(index)) {
                chain.begin(clause, previous)?;
            }
            chain.clause(clause, next)?;
            let open: Vec<String> = clause
                .facts
                .iter()
                .filter(|fact| chain.used.get(**fact) == Some(&false))
                .map(|fact| words_of_fact(reading, *fact))
                .collect();
            if !open.is_empty() {
                return Err(Stuck::Words(open));
            }
            chain.settle(clause)?;
        }
        if chain.steps.is_empty() {
            return Err(Stuck::missing());
        }
        chain.put_answer()?;
        chain.branch();
        // A closing text would hide the answers that speak for themselves.
        if chain.said.iter().all(Option::is_none) {
            return Ok(Plan::new(chain.steps, None));
        }
        let said: Option<Vec<String>> = chain.said.into_iter().collect();
        let said = said.ok_or(Stuck::SecondSource)?;
        Ok(Plan::new(chain.steps, Some(said.join("\n"))))
    }

    /// A clause that has its own things to work on is another question, answered beside the ones before.
    fn begin(&mut self, clause: &'a ClauseReading, previous: &ClauseReading) -> Result<(), Stuck> {
        let Some(verb) = clause.verb.filter(|_| self.last().is_some()) else {
            return Ok(());
        };
        let facts = self.free_facts(clause);
        let own = clause.changes_lines()
            || facts.iter().any(|(_, fact)| {
                let kinds = matches!(fact.kind, FactKind::Path | FactKind::Url);
                kinds && fact.role != Some(Role::To)
            });
        let acts = verb.shape_role() == ShapeRole::Act;
        let reads = verb.is_producer() && !clause.is(Mark::Anaphora);
        let apart = clause.object.is_some_and(stands_alone) && clause.object != previous.object;
        let starts = if acts {
            self.closed && own && !clause.is(Mark::Anaphora)
        } else {
            reads && (own || apart)
        };
        if !starts {
            return Ok(());
        }
        if leaves_open(self.reading, previous, clause, &facts, own) {
            return Err(Stuck::SecondSource);
        }
        self.branch();
        Ok(())
    }

    /// Ends the question at hand; the next steps work on nothing of it.
    fn branch(&mut self) {
        let closing = self.closing.take();
        self.said.push(closing);
        self.start = self.steps.len();
        self.closed = false;
        self.single = false;
        self.uncut = false;
        self.cut = None;
    }

    /// The executors of the question at hand.
    pub(super) fn tools(&self) -> &[&'a Manifest] {
        self.tools.get(self.start..).unwrap_or_default()
    }

    fn clause(&mut self, clause: &'a ClauseReading, next: Option<&'a ClauseReading>) -> Result<(), Stuck> {
        let Some(verb) = clause.verb else {
            return self.project(clause);
        };
        if self.closed {
            return self.after_the_end(clause);
        }
        match verb.shape_role() {
            ShapeRole::Act => self.act(clause, verb),
            ShapeRole::Present => {
                self.source(
                    clause,
                    Need {
                        text: true,
                        field: None,
                    },
                )?;
                self.present(clause, verb)
            }
            ShapeRole::Emit => {
                if !says_enough(self.reading, clause, verb) {
                    return Err(Stuck::at(&clause.word));
                }
                if self.asks_which(clause, verb)? {
                    return Ok(());
                }
                let later = next
                    .filter(|next| next.verb.is_none())
                    .and_then(|next| next.projection.as_deref());
                let wants_lines = next.is_some_and(|next| next.object == Some(Object::Texts));
                let orders = clause.order.is_some() || clause.group_by.is_some();
                let need = Need {
                    text: verb == Verb::Read
                        || clause.object == Some(Object::Texts)
                        || wants_lines
                        || looks_inside(self.reading, clause),
                    field: clause.projection.as_deref().or(later).filter(|_| !orders),
                };
                self.source(clause, need)?;
                self.transform(clause)?;
                self.keep(clause)?;
                self.project(clause)
            }
        }
    }

    /// After an action only its own report may be asked for.
    fn after_the_end(&mut self, clause: &ClauseReading) -> Result<(), Stuck> {
        let only_counts = clause.facts.is_empty() && clause.measure == Some(Measure::Count);
        if only_counts && clause.verb == Some(Verb::Compute) {
            self.answer(Ask::Measure);
            Ok(())
        } else {
            Err(Stuck::Words(vec![clause.word.clone()]))
        }
    }

    /// The facts of a clause that nothing has used, with their indices.
    pub(super) fn free_facts(&self, clause: &ClauseReading) -> Vec<(usize, &'a Fact)> {
        self.reading
            .facts
            .iter()
            .enumerate()
            .filter(|(index, _)| clause.facts.contains(index) && self.used.get(*index) == Some(&false))
            .collect()
    }

    pub(super) fn mark(&mut self, used: &[usize]) {
        for index in used {
            if let Some(flag) = self.used.get_mut(*index) {
                *flag = true;
            }
        }
    }

    /// Adds a step; returns its number as references write it.
    pub(super) fn push(&mut self, manifest: &'a Manifest, from_step: Option<u32>, filled: Filled) -> u32 {
        let number = u16::try_from(self.steps.len() + 1).unwrap_or(u16::MAX);
        let mut args = filled.args;
        args.sort_by_key(|(name, _)| manifest.args.iter().position(|arg| arg.name == *name));
        self.steps.push(Step {
            id: StepId(number),
            tool: ExecutorName::from(manifest.name.as_str()),
            from_step,
            args,
            if_prev_entries_nonempty: false,
        });
        self.tools.push(manifest);
        self.mark(&filled.used);
        self.answered.extend(filled.options.into_iter().map(Ask::Choice));
        u32::from(number)
    }

    /// The number of the last step, if there is one.
    pub(super) fn last(&self) -> Option<u32> {
        let own = self.steps.get(self.start..)?;
        own.last().map(|step| u32::from(step.id.0))
    }

    /// A producer for the clause, unless it works on what is already there.
    pub(super) fn source(&mut self, clause: &'a ClauseReading, need: Need<'_>) -> Result<(), Stuck> {
        let facts = self.free_facts(clause);
        let own = facts
            .iter()
            .any(|(_, fact)| matches!(fact.kind, FactKind::Path | FactKind::Url) && fact.role != Some(Role::To));
        if self.last().is_some() {
            // A second source would hide the first answer behind the second.
            if own && !clause.is(Mark::Anaphora) {
                return Err(Stuck::SecondSource);
            }
            // "find it and read it": what is in it, not what is known of it once more.
            let has_text = self.tools().iter().any(|tool| text_field(tool).is_some());
            if clause.verb != Some(Verb::Read) || has_text {
                return Ok(());
            }
            // "find the letters and read the newest", "… and read the second": one of those found.
            self.pick(clause)?;
            if let Some(order) = &clause.order {
                self.order(order)?;
            }
            return self.read_found(clause);
        }
        if asks_for_links(clause, &facts) {
            return Err(Stuck::missing());
        }
        let folders = source_object(clause, &facts) == Some(Object::Files);
        if need.text && folders && selects(clause, &facts) {
            // What is in several files: they are found first, then read; "the newest" is one of those found.
            self.produce_by(Verb::Find, clause, &facts, Need::default())?;
            self.narrow(clause)?;
            if let Some(order) = &clause.order {
                self.order(order)?;
            }
            self.read_found(clause)?;
            return self.looked_up(&facts);
        }
        self.produce(clause, &facts, need)
    }

    pub(super) fn produce(
        &mut self,
        clause: &'a ClauseReading,
        facts: &[(usize, &'a Fact)],
        need: Need<'_>,
    ) -> Result<(), Stuck> {
        self.produce_by(source_verb(clause, facts), clause, facts, need)
    }

    fn produce_by(
        &mut self,
        verb: Verb,
        clause: &'a ClauseReading,
        facts: &[(usize, &'a Fact)],
        need: Need<'_>,
    ) -> Result<(), Stuck> {
        let object = source_object(clause, facts).ok_or_else(Stuck::missing)?;
        let mut candidates: Vec<(i32, &'a Manifest, Filled)> = self
            .catalog
            .iter()
            .filter_map(|manifest| {
                let mut filled = fill(manifest, clause, facts);
                self.around_person(manifest, &mut filled);
                self.search_at_home(manifest, clause, facts, &mut filled);
                let score = fitness(manifest, verb, object, clause, facts, &filled, need)?;
                Some((score, &**manifest, filled))
            })
            .collect();
        candidates.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.name.cmp(&other.1.name)));
        let best_has_text = candidates
            .first()
            .map(|(_, manifest, _)| text_field(manifest).is_some());
        candidates.retain(|(_, manifest, _)| Some(text_field(manifest).is_some()) == best_has_text);
        if self.preference.producer > 0 && candidates.len() <= self.preference.producer {
            return Err(Stuck::missing());
        }
        let Some((_, manifest, mut filled)) = candidates.into_iter().nth(self.preference.producer) else {
            return Err(Stuck::Words(
                facts
                    .iter()
                    .map(|(index, _)| words_of_fact(self.reading, *index))
                    .collect(),
            ));
        };
        // The size of a folder is the size of everything below it.
        if clause.measure == Some(Measure::Total) && manifest.arg("recursive").is_some() {
            filled.set("recursive", serde_json::json!(true));
            // Hidden files take space, too; of some kind of file only those are meant that a search shows.
            if manifest.arg("include_hidden").is_some() && !facts.iter().any(|(_, fact)| is_selector(fact.kind)) {
                filled.set("include_hidden", serde_json::json!(true));
            }
        }
        // "~/docs/*.pdf" is written as machines read it: that folder, and not what lies below.
        if manifest.arg("recursive").is_some() && is_path_pattern(facts) {
            filled.set("recursive", serde_json::json!(false));
        }
        // A list of two folders is a list of each, as that of one is.
        let searches = verb == Verb::List && grammar(manifest).0 == Some(Verb::Find);
        if searches && filled.has("also_in") && !facts.iter().any(|(_, fact)| is_selector(fact.kind)) {
            filled.set("recursive", serde_json::json!(false));
        }
        self.single = single_target(manifest, &filled);
        if let Some(locator) = self.locator().filter(|_| filled.names_first_step()) {
            self.push(locator, None, Filled::default());
        }
        self.push(manifest, None, filled);
        Ok(())
    }

    /// "Which files changed today": who says what to look for and not where means at home. Only where nothing is changed.
    fn search_at_home(
        &self,
        manifest: &Manifest,
        clause: &ClauseReading,
        facts: &[(usize, &Fact)],
        filled: &mut Filled,
    ) {
        // What is sent goes to whoever asked for it, and stays where it is.
        let only_looks = |clause: &ClauseReading| clause.verb.is_none_or(|verb| verb.is_safe() || verb == Verb::Send);
        let says_what = facts
            .iter()
            .any(|(_, fact)| is_selector(fact.kind) || is_by_words(fact.kind));
        // "The biggest file I have" is one of all; "the files" alone may be those of before.
        let says_what = says_what || clause.is_some_of_all();
        let says_where = facts.iter().any(|(_, fact)| fact.kind == FactKind::Path);
        let searches = grammar(manifest) == (Some(Verb::Find), Some(Object::Files));
        let open = manifest.arg_of(Class::Folder).filter(|arg| !filled.has(&arg.name));
        if let Some(arg) = open
            && searches
            && says_what
            && !says_where
            && self.reading.clauses.iter().all(only_looks)
        {
            filled.set(&arg.name, serde_json::json!(HOME));
        }
    }

    /// The one field that is asked for, as the closing text.
    fn project(&mut self, clause: &ClauseReading) -> Result<(), Stuck> {
        let total = clause.measure == Some(Measure::Total) && clause.verb == Some(Verb::Get);
        let field = clause.projection.as_deref().or(total.then_some("size"));
        let Some(field) = field else { return Ok(()) };
        let manifest = self.tools().last().copied().ok_or_else(|| Stuck::at(field))?;
        let number = self.last().ok_or_else(|| Stuck::at(field))?;
        let sentence = matches!(manifest.presentation, Presentation::Sentence(_));
        let in_result = manifest.result_fields.iter().any(|known| known == field);
        let (verb, _) = grammar(manifest);
        if self.closed && sentence && (in_result || total && verb == Some(Verb::Write)) {
            // An action says its own numbers.
            self.answer(Ask::Field);
            return Ok(());
        }
        if self.closing.is_some() {
            return Err(Stuck::SecondSource);
        }
        if in_result || self.single && has_field(manifest, field) || self.single && self.sorted_has(field) {
            self.closing = Some(format!("${{step{number}.{field}}}"));
            self.answer(if clause.projection.is_some() {
                Ask::Field
            } else {
                Ask::Measure
            });
            return Ok(());
        }
        // "only the names": that field of each, where it says what the thing is.
        let of_each = names_things(field) && (has_field(manifest, field) || self.sorted_has(field));
        if of_each && matches!(manifest.presentation, Presentation::Entries(_)) && clause.projection.is_some() {
            self.closing = Some(format!("${{step{number}.entries.*.{field}}}"));
            self.answer(Ask::Field);
            return Ok(());
        }
        Err(Stuck::at(field))
    }

    /// A transformer passes the fields of its producer on.
    fn sorted_has(&self, field: &str) -> bool {
        self.tools().len() > 1 && self.tools().first().is_some_and(|first| has_field(first, field))
    }
}

/// Fields that say what an entry is, so that a list of them is an answer.
fn names_things(field: &str) -> bool {
    matches!(field, "name" | "path" | "title" | "url")
}

/// Things that are asked for as they are, and never among what an earlier clause found.
fn stands_alone(object: Object) -> bool {
    matches!(object, Object::Now | Object::Processes | Object::Disks)
}

/// The field of a result that holds the text, if it has one.
pub(super) fn text_field(manifest: &Manifest) -> Option<&str> {
    if let Presentation::Text(field) = &manifest.presentation {
        return Some(field);
    }
    if manifest.feed == Feed::Required {
        // A filter passes the fields of others on; it holds no text of its own.
        return None;
    }
    ["text", "content"].into_iter().find(|name| {
        manifest
            .result_fields
            .iter()
            .chain(&manifest.entry_fields)
            .any(|field| field == name)
    })
}

/// The verb and the object of a name, also of system names such as `get_now`.
pub(super) fn grammar(manifest: &Manifest) -> (Option<Verb>, Option<Object>) {
    let mut parts = manifest.name.as_str().split('_');
    let verb = manifest.verb.or_else(|| parts.clone().next().and_then(Verb::parse));
    let object = manifest.object.or_else(|| parts.nth(1).and_then(Object::parse));
    (verb, object)
}

fn has_field(manifest: &Manifest, field: &str) -> bool {
    manifest
        .entry_fields
        .iter()
        .any(|known| known == field || known == "data")
}

/// One path or address, so that its result has one entry.
fn single_target(manifest: &Manifest, filled: &Filled) -> bool {
    let takes_targets = manifest
        .args
        .iter()
        .any(|arg| matches!(arg.class(), Class::File | Class::Address));
    takes_targets && filled.used.len() == 1
}
