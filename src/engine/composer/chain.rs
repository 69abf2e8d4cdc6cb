//! A plan under construction: clause by clause, each step fed by the one before. Called by `compose` once per
//! preference. A clause that leaves a value unused ends the construction.

use std::sync::Arc;

use super::{
    Preference, Stuck,
    arguments::{Filled, fill, is_bare_name, is_directory},
    is_selector,
    ledger::Ask,
    words_of_fact,
};
use crate::{
    domain::{
        ids::{ExecutorName, StepId},
        manifest::{Effect, Feed, Manifest, Presentation, Semantic},
        plan::{Plan, Proposed, Step},
        vocabulary::{Object, Qualifier, ShapeRole, Verb},
    },
    language::{ClauseReading, Fact, FactKind, Mark, Measure, Reading, Role},
};

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
        };
        for (index, clause) in reading.clauses.iter().enumerate() {
            let next = reading.clauses.get(index + 1);
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
        Ok(Plan::new(chain.steps, chain.closing))
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
                let later = next
                    .filter(|next| next.verb.is_none())
                    .and_then(|next| next.projection.as_deref());
                let wants_lines = next.is_some_and(|next| next.object == Some(Object::Texts));
                let orders = clause.order.is_some() || clause.group_by.is_some();
                let need = Need {
                    text: verb == Verb::Read || clause.object == Some(Object::Texts) || wants_lines,
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
        let only_counts = clause.facts.is_empty() && clause.measure.is_some() && clause.verb == Some(Verb::Compute);
        if only_counts {
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
        self.steps.last().map(|step| u32::from(step.id.0))
    }

    /// A producer for the clause, unless it works on what is already there.
    pub(super) fn source(&mut self, clause: &'a ClauseReading, need: Need<'_>) -> Result<(), Stuck> {
        let facts = self.free_facts(clause);
        let own = facts
            .iter()
            .any(|(_, fact)| matches!(fact.kind, FactKind::Path | FactKind::Url) && fact.role != Some(Role::To));
        if self.last().is_some() {
            // A second source would hide the first answer behind the second.
            return if own && !clause.is(Mark::Anaphora) {
                Err(Stuck::SecondSource)
            } else {
                Ok(())
            };
        }
        if asks_for_links(clause, &facts) {
            return Err(Stuck::missing());
        }
        let folders = source_object(clause, &facts) == Some(Object::Files);
        if need.text && folders && selects(clause, &facts) {
            // What is in several files: they are found first, then read.
            self.produce_by(Verb::Find, clause, &facts, Need::default())?;
            return self.read_found(clause);
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
        }
        self.single = single_target(manifest, &filled);
        if let Some(locator) = self.locator().filter(|_| filled.names_first_step()) {
            self.push(locator, None, Filled::default());
        }
        self.push(manifest, None, filled);
        Ok(())
    }

    /// The one field that is asked for, as the closing text.
    fn project(&mut self, clause: &ClauseReading) -> Result<(), Stuck> {
        let total = clause.measure == Some(Measure::Total) && clause.verb == Some(Verb::Get);
        let field = clause.projection.as_deref().or(total.then_some("size"));
        let Some(field) = field else { return Ok(()) };
        let (Some(number), Some(manifest)) = (self.last(), self.tools.last()) else {
            return Err(Stuck::at(field));
        };
        let sentence = matches!(manifest.presentation, Presentation::Sentence(_));
        if self.closed && sentence {
            // An action says its own numbers.
            self.answer(Ask::Field);
            return Ok(());
        }
        if self.closing.is_some() {
            return Err(Stuck::SecondSource);
        }
        let in_result = manifest.result_fields.iter().any(|known| known == field);
        if in_result || self.single && has_field(manifest, field) || self.single && self.sorted_has(field) {
            self.closing = Some(format!("${{step{number}.{field}}}"));
            self.answer(if clause.projection.is_some() {
                Ask::Field
            } else {
                Ask::Measure
            });
            return Ok(());
        }
        Err(Stuck::at(field))
    }

    /// A transformer passes the fields of its producer on.
    fn sorted_has(&self, field: &str) -> bool {
        self.tools.len() > 1 && self.tools.first().is_some_and(|first| has_field(first, field))
    }
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
        .any(|arg| matches!(arg.semantic, Semantic::Path | Semantic::Url));
    takes_targets && filled.used.len() == 1
}

/// Whether the clause says what its verb needs to know: sorting needs a field, filtering a condition. Verbs
/// that nothing here composes ("compare", "install") never have enough.
fn says_enough(reading: &Reading, clause: &ClauseReading, verb: Verb) -> bool {
    if verb.is_producer() {
        return true;
    }
    let narrows = |fact: &Fact| is_selector(fact.kind) || matches!(fact.kind, FactKind::Count | FactKind::Query);
    let conditions = reading.facts_of(clause).any(|(_, fact)| narrows(fact));
    (verb == Verb::Sort && clause.order.is_some())
        || (verb == Verb::Group && clause.group_by.is_some())
        || (verb == Verb::Compute && clause.measure.is_some())
        || (verb == Verb::Filter && (conditions || clause.measure.is_some()))
}

/// Sorting, counting and the like work on what this verb brings.
fn source_verb(clause: &ClauseReading, facts: &[(usize, &Fact)]) -> Verb {
    match clause.verb {
        // The ten largest are searched for among all of them, not among what one folder shows.
        Some(Verb::List) if clause.order.as_ref().is_some_and(|order| order.top.is_some()) => Verb::Find,
        Some(verb) if verb.is_producer() => verb,
        Some(_) | None => {
            let named = facts
                .iter()
                .any(|(_, fact)| fact.kind == FactKind::Url || fact.is_file_path() && !is_bare_name(fact));
            if named { Verb::Read } else { Verb::Find }
        }
    }
}

/// "the links on http://…" are in the page; fetching the page is another answer.
fn asks_for_links(clause: &ClauseReading, facts: &[(usize, &Fact)]) -> bool {
    let links = clause.nouns.contains(&(Object::Urls, None));
    let inside = |fact: &Fact| fact.kind == FactKind::Url && matches!(fact.role, Some(Role::In | Role::From));
    let lists = matches!(clause.verb, Some(Verb::List | Verb::Find));
    let page = facts
        .iter()
        .any(|(_, fact)| fact.kind == FactKind::Url && lists || inside(fact));
    links && page && !clause.is(Mark::Content)
}

fn source_object(clause: &ClauseReading, facts: &[(usize, &Fact)]) -> Option<Object> {
    let has = |kind: FactKind| facts.iter().any(|(_, fact)| fact.kind == kind);
    match clause.object {
        // What is written to a file may come from the web.
        Some(Object::Files) if has(FactKind::Url) => Some(Object::Urls),
        Some(Object::Texts | Object::Entries) | None => {
            if has(FactKind::Url) {
                Some(Object::Urls)
            } else if has(FactKind::Path) || has(FactKind::Glob) {
                Some(Object::Files)
            } else {
                None
            }
        }
        Some(object) => Some(object),
    }
}

/// Facts that a later step of the clause may still use.
fn is_left_for_later(clause: &ClauseReading, fact: &Fact) -> bool {
    let kept = clause.verb.is_some_and(Verb::is_producer) && clause.object == Some(Object::Urls);
    matches!(fact.kind, FactKind::Query | FactKind::Size)
        || fact.kind == FactKind::Count && speaks_of_lines(clause)
        || fact.kind == FactKind::Path && kept
}

/// Whether a clause works on the lines of a text, also when it then writes them.
pub(super) fn speaks_of_lines(clause: &ClauseReading) -> bool {
    clause.object == Some(Object::Texts) || clause.nouns.iter().any(|(object, _)| *object == Object::Texts)
}

/// How well a producer fits; `None` when it would be wrong.
fn fitness(
    manifest: &Manifest,
    verb: Verb,
    object: Object,
    clause: &ClauseReading,
    facts: &[(usize, &Fact)],
    filled: &Filled,
    need: Need<'_>,
) -> Option<i32> {
    let (own_verb, own_object) = grammar(manifest);
    let own_verb = own_verb.filter(|own| own.is_producer())?;
    if manifest.effect != Effect::Read || !filled.is_enough_for(manifest, false) {
        return None;
    }
    let folders = |object: Object| matches!(object, Object::Files | Object::Dirs);
    let same_object = own_object == Some(object);
    let lists = matches!(verb, Verb::List | Verb::Find);
    let near = lists && folders(object) && own_object.is_some_and(folders);
    if !(same_object || near && object != Object::Dirs) {
        return None;
    }
    let looks_into = manifest.arg_of(Semantic::Directory).is_some();
    if folders(object) && looks_into != lists {
        return None;
    }
    // What is read with its content and what is only known of it are different answers.
    let has_text = text_field(manifest).is_some();
    if need.text && !has_text || folders(object) && verb == Verb::Get && has_text {
        return None;
    }
    let open = facts
        .iter()
        .any(|(index, fact)| !filled.used.contains(index) && !is_left_for_later(clause, fact));
    let known = need.field.is_some_and(|field| {
        manifest
            .entry_fields
            .iter()
            .chain(&manifest.result_fields)
            .any(|own| own == field)
    });
    if open || near && !same_object && verb != own_verb {
        return None;
    }
    let wanted = clause.qualifier.filter(|qualifier| *qualifier != Qualifier::Lines);
    let form = match (manifest.qualifier, wanted) {
        (Some(own), Some(wanted)) if own == wanted => 6,
        (None, None) => 1,
        (Some(_), _) | (None, Some(_)) => 0,
    };
    let points = [
        (own_verb == verb, 10),
        (same_object, 4),
        (known, 12),
        (has_text == need.text, 1),
    ];
    let score: i32 = points
        .into_iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, points)| points)
        .sum();
    Some(score + form + i32::try_from(filled.used.len()).unwrap_or(0) * 3)
}

/// Whether a clause speaks of a set of things in a place, not of one thing.
pub(super) fn selects(clause: &ClauseReading, facts: &[(usize, &Fact)]) -> bool {
    let narrowed = facts.iter().any(|(_, fact)| is_selector(fact.kind)) || clause.order.is_some();
    let noun = clause.nouns.iter().any(|(object, _)| *object == Object::Files);
    let inside = facts
        .iter()
        .any(|(_, fact)| is_directory(fact) && matches!(fact.role, Some(Role::In | Role::From | Role::Of)));
    let bare = facts.iter().any(|(_, fact)| is_bare_name(fact));
    narrowed || inside && (noun || bare || clause.is(Mark::Content))
}
