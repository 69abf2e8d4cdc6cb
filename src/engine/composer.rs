//! Writes a plan without a model: from what a request was read to say, and from what manifests say executors do.
//!
//! Called by the proposer when `engine = "simple"`. It knows no executor by name: producers, transformers and actions
//! are found by verb, object, the kinds of their arguments and the fields of their results. It never plans around a
//! word or a value it cannot place: then it is `Unsure`, and says which.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    domain::{
        ids::PlanHash,
        intent::Intent,
        manifest::Manifest,
        plan::{Plan, Proposed, Step},
        reference::Argument,
        vocabulary::{Object, Qualifier, ShapeRole, Verb},
    },
    language::{ClauseReading, Fact, FactKind, Mark, Measure, Reading, Role},
};

mod actions;
mod arguments;
mod around;
mod asking;
mod chain;
mod ledger;
mod narrowing;
mod sources;
mod transforms;

/// The argument that says how many an order leaves out at its beginning.
pub(super) const SKIP: &str = "skip";

use arguments::{is_bare_name, is_directory};
use chain::{Chain, grammar};
use sources::speaks_of_lines;

/// What came of composing.
#[derive(Clone, Debug, PartialEq)]
pub enum Composition {
    /// A plan that accounts for every word and value of the request.
    Plan(Plan<Proposed>),
    /// No honest plan.
    Unsure {
        /// Words and values that no plan could place; empty when something is missing instead, such as a folder.
        unaccounted: Vec<String>,
        /// What was understood.
        intent: Intent,
    },
    /// Several things that need a plan each: a second answer would hide the first.
    Several,
    /// A file that a step of several works on is nowhere: none of them may be done.
    NotThere(String),
    /// Nothing in the catalog deals with such things at all.
    NoDomain(Object),
    /// Only plans that were excluded would be honest.
    Excluded,
}

/// Which of several honest plans to write. The first is the best; the others are for when that one is excluded.
#[derive(Clone, Copy, Debug)]
struct Preference {
    /// Take the nth producer that fits.
    producer: usize,
    /// Let the producer sort by itself when it can.
    inline_order: bool,
}

const PREFERENCES: [Preference; 6] = [
    Preference {
        producer: 0,
        inline_order: true,
    },
    Preference {
        producer: 0,
        inline_order: false,
    },
    Preference {
        producer: 1,
        inline_order: true,
    },
    Preference {
        producer: 1,
        inline_order: false,
    },
    Preference {
        producer: 2,
        inline_order: true,
    },
    Preference {
        producer: 2,
        inline_order: false,
    },
];

/// What stands in the way of a plan.
#[derive(Debug)]
enum Stuck {
    /// Words and values; none when something is missing instead.
    Words(Vec<String>),
    /// A second source of data.
    SecondSource,
}

impl Stuck {
    fn missing() -> Self {
        Self::Words(Vec::new())
    }

    fn at(word: &str) -> Self {
        Self::Words(vec![word.to_owned()])
    }
}

/// Composes the best plan that is not excluded.
pub fn compose(reading: &Reading, manifests: &[Arc<Manifest>], excluded: &[PlanHash]) -> Composition {
    if let Some(stuck) = unreadable(reading) {
        return unsure(reading, stuck, manifests);
    }
    for (index, preference) in PREFERENCES.into_iter().enumerate() {
        match Chain::compose(reading, manifests, preference) {
            Ok(plan) if excluded.contains(&plan.hash()) => {}
            Ok(plan) => {
                let missing = half_done(reading, &plan, manifests);
                return missing.map_or(Composition::Plan(plan), Composition::NotThere);
            }
            // What the best way cannot place, a worse one would only hide.
            Err(stuck) if index == 0 => return unsure(reading, stuck, manifests),
            Err(_stuck) => {}
        }
    }
    Composition::Excluded
}

/// The name of a file that is nowhere, where the rest of the plan would be done without it. A step by itself says so.
fn half_done(reading: &Reading, plan: &Plan<Proposed>, manifests: &[Arc<Manifest>]) -> Option<String> {
    let changes = |step: &Step| {
        let own = manifests.iter().find(|manifest| manifest.name == step.tool);
        own.is_some_and(|manifest| manifest.effect.changes_something())
    };
    let targets = |step: &Step| {
        let lists = step.args.iter().map(|(_, argument)| {
            if let Argument::Literal(Value::Array(list)) = argument {
                list.len()
            } else {
                0
            }
        });
        lists.max().unwrap_or_default()
    };
    let alone = plan.steps.len() == 1 && plan.steps.iter().all(|step| targets(step) < 2);
    let name = reading.missing.first()?;
    (!alone && plan.steps.iter().any(changes)).then(|| name.clone())
}

/// Things of a household that a whole family of executors is needed for.
const DOMAINS: [Object; 7] = [
    Object::Messages,
    Object::Events,
    Object::Contacts,
    Object::Tasks,
    Object::Devices,
    Object::Places,
    Object::Location,
];

/// What a request speaks of and no executor deals with. Beside a file or an address only what comes first counts.
fn missing_domain(reading: &Reading, manifests: &[Arc<Manifest>]) -> Option<Object> {
    // "add a lamp to my shopping list" speaks of the list.
    if !reading.by_name.is_empty() {
        return None;
    }
    let exists = |object: Object| manifests.iter().any(|manifest| grammar(manifest).1 == Some(object));
    let named = |fact: &Fact| matches!(fact.kind, FactKind::Path | FactKind::Url | FactKind::Quoted);
    let most = if reading.facts.iter().any(named) { 1 } else { usize::MAX };
    let spoken_of = |clause: &ClauseReading| {
        let nouns: Vec<Object> = clause.nouns.iter().map(|(object, _)| *object).collect();
        nouns.into_iter().chain(clause.object).take(most)
    };
    reading
        .clauses
        .iter()
        .flat_map(spoken_of)
        .find(|object| DOMAINS.contains(object) && !exists(*object))
}

fn unsure(reading: &Reading, stuck: Stuck, manifests: &[Arc<Manifest>]) -> Composition {
    // What is missing as a whole says more than the words that were left over.
    if let Some(object) = missing_domain(reading, manifests) {
        return Composition::NoDomain(object);
    }
    match stuck {
        Stuck::Words(words) => Composition::Unsure {
            unaccounted: words.into_iter().filter(|word| !word.trim().is_empty()).collect(),
            intent: reading.intent.clone(),
        },
        Stuck::SecondSource => Composition::Several,
    }
}

/// Why a reading cannot be planned at all, whatever the executors are.
fn unreadable(reading: &Reading) -> Option<Stuck> {
    if !reading.unaccounted.is_empty() {
        return Some(Stuck::Words(reading.unaccounted.clone()));
    }
    let unreadable = reading.clauses.iter().find(|clause| clause.is(Mark::Signs));
    if let Some(words) = unreadable.and_then(|clause| reading.original.get(clause.span.clone())) {
        return Some(Stuck::at(words.trim()));
    }
    let vague = reading.clauses.is_empty() || reading.clauses.iter().any(|clause| clause.is_no_command());
    // "is ~/x there?" names a file and no verb: reading it out would answer another question.
    let asked_about = |clause: &ClauseReading| clause.is(Mark::Implied) && clause.verb == Some(Verb::Read);
    let vague = vague || reading.was_question && reading.clauses.iter().any(asked_about);
    if vague {
        return Some(Stuck::missing());
    }
    // "keep only the pdfs in ~/in": the others would go, and nobody said so.
    let keeps = reading
        .clauses
        .first()
        .filter(|clause| clause.verb == Some(Verb::Filter) && clause.is(Mark::Only) && is_of_files(clause));
    if let Some(clause) = keeps {
        return Some(Stuck::at(&clause.word));
    }
    // "delete ~/docs/old draft.txt": two names side by side may be one, and which one is not ours to choose.
    let side_by_side = reading.facts.windows(2).find_map(|pair| {
        let [first, second] = pair else { return None };
        let paths = first.kind == FactKind::Path && second.kind == FactKind::Path;
        let between = reading.original.get(first.span.end..second.span.start)?;
        let folder = is_bare_name(second)
            && is_directory(first)
            && !reading
                .clauses
                .iter()
                .any(|clause| clause.verb.is_some_and(Verb::is_destructive));
        let apart = between.trim_matches(|letter: char| letter.is_whitespace() || is_dash(letter));
        let folder = folder && between.trim().is_empty();
        (paths && !folder && apart.is_empty()).then(|| vec![first.text().to_owned(), second.text().to_owned()])
    });
    if let Some(names) = side_by_side {
        return Some(Stuck::Words(names));
    }
    let is_shared = reading.clauses.iter().any(|clause| is_shared_out(reading, clause));
    if is_shared || asks_time_beside(reading) || counts_what_is_shown(reading) {
        return Some(Stuck::SecondSource);
    }
    if reading.clauses.iter().any(|clause| is_one_of_many(reading, clause)) {
        return Some(Stuck::missing());
    }
    let narrowed: Vec<String> = narrowed_exceptions(reading)
        .map(|index| words_of_fact(reading, index))
        .collect();
    if !narrowed.is_empty() {
        return Some(Stuck::Words(narrowed));
    }
    let figures: Vec<String> = reading
        .clauses
        .iter()
        .flat_map(|clause| figures_of(reading, clause))
        .collect();
    if !figures.is_empty() {
        return Some(Stuck::Words(figures));
    }
    let has = |clause: &ClauseReading, index: usize| clause.facts.contains(&index);
    let placed = |index: usize| {
        let asked = reading.clauses.iter().any(|clause| has(clause, index));
        asked || reading.is_only_forbidden(index)
    };
    let homeless: Vec<String> = (0..reading.facts.len())
        .filter(|index| !placed(*index))
        .map(|index| words_of_fact(reading, index))
        .collect();
    (!homeless.is_empty()).then_some(Stuck::Words(homeless))
}

/// "Everything except the pdfs older than a month": what says more of what is left out would be taken for what is meant.
fn narrowed_exceptions(reading: &Reading) -> impl Iterator<Item = usize> {
    let narrows = |fact: &Fact| {
        matches!(
            fact.kind,
            FactKind::Window
                | FactKind::Weekday
                | FactKind::Size
                | FactKind::NamePart
                | FactKind::Topic
                | FactKind::Title
                | FactKind::Matter
                | FactKind::Query
                | FactKind::NotQuery
        )
    };
    let except = |fact: &Fact| fact.kind == FactKind::NotGlob;
    let of_exception = move |clause: &ClauseReading| {
        let mut own = reading.facts_of(clause);
        let left_out = own.find(|(_, fact)| except(fact)).map(|(_, fact)| fact.span.end);
        let behind = move |fact: &Fact| left_out.is_some_and(|end| fact.span.start >= end);
        let further = reading
            .facts_of(clause)
            .filter(move |(_, fact)| narrows(fact) && behind(fact));
        further.map(|(index, _)| index).collect::<Vec<_>>()
    };
    reading.clauses.iter().flat_map(of_exception)
}

/// "a.jpg - c.jpg" may be everything between.
fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '\u{2013}' | '\u{2014}' | '.' | '\u{2026}')
}

fn is_of_files(clause: &ClauseReading) -> bool {
    clause.object == Some(Object::Files)
}

/// "The tmp files in downloads and the pdf files in docs", "put a.txt in docs and b.txt in notes": each has a folder of
/// its own, and one step would mix them.
fn is_shared_out(reading: &Reading, clause: &ClauseReading) -> bool {
    let mut facts: Vec<&Fact> = reading.facts_of(clause).map(|(_, fact)| fact).collect();
    facts.sort_by_key(|fact| fact.span.start);
    let is_thing = |fact: &Fact| matches!(fact.kind, FactKind::Glob | FactKind::Title) || fact.is_file_path();
    let is_folder = |fact: &Fact| fact.kind == FactKind::Path && !fact.is_file_path();
    let mut rest = facts.into_iter();
    (0..2).all(|_| rest.any(is_thing) && rest.any(is_folder))
}

/// "Move the file from downloads to docs" does not say which one; all of them are not it.
fn is_one_of_many(reading: &Reading, clause: &ClauseReading) -> bool {
    let facts: Vec<&Fact> = reading.facts_of(clause).map(|(_, fact)| fact).collect();
    let of_folder = |fact: &&Fact| is_directory(fact) && matches!(fact.role, Some(Role::In | Role::From | Role::Of));
    let says_which = |fact: &&Fact| is_selector(fact.kind) || is_by_words(fact.kind) || fact.is_file_path();
    let takes = |verb: Verb| verb == Verb::Read || verb.shape_role() == ShapeRole::Act;
    clause.is(Mark::One)
        && clause.order.is_none()
        && clause.verb.is_some_and(takes)
        && facts.iter().any(of_folder)
        && !facts.iter().any(says_which)
}

/// "The time and the pdf files", "what time is it and what day is it", "what time is it and add tea": the time is a
/// question of its own, and its answer would hide another one or be hidden.
fn asks_time_beside(reading: &Reading) -> bool {
    let now = |(object, _): &(Object, Option<Qualifier>)| *object == Object::Now;
    let asks = |clause: &&ClauseReading| clause.object == Some(Object::Now) || clause.nouns.iter().any(now);
    let mixed = |clause: &ClauseReading| clause.nouns.iter().any(now) && !clause.nouns.iter().all(now);
    let asked = reading.clauses.iter().filter(asks).count();
    let acts = |clause: &ClauseReading| clause.verb.is_some_and(|verb| !verb.is_safe());
    // Behind a count it would be taken for one more thing to know of what was counted.
    let counted = reading.clauses.windows(2).any(|pair| match pair {
        [first, second] => first.measure.is_some() && asks(&second),
        _ => false,
    });
    let mixes = reading.clauses.iter().any(|clause| mixed(clause) || acts(clause));
    asked > 1 || asked == 1 && (mixes || counted)
}

/// "Show the list and tell me how many lines": the number would hide what is to be shown.
fn counts_what_is_shown(reading: &Reading) -> bool {
    let shows = |clause: &ClauseReading| clause.verb == Some(Verb::Read) && clause.measure.is_none();
    let lines = |(object, _): &(Object, Option<Qualifier>)| *object == Object::Texts;
    let counts = |clause: &ClauseReading| {
        clause.measure == Some(Measure::Count) && clause.facts.is_empty() && clause.nouns.iter().any(lines)
    };
    reading.clauses.windows(2).any(|pair| match pair {
        [first, second] => shows(first) && counts(second),
        _ => false,
    })
}

/// A fact in the words of the request.
fn words_of_fact(reading: &Reading, index: usize) -> String {
    reading
        .facts
        .get(index)
        .and_then(|fact| reading.original.get(fact.span.clone()))
        .unwrap_or_default()
        .to_owned()
}

/// The words for a number by itself, an amount, a telephone number, or so many of anything but lines: no argument takes
/// one, so what it says would be lost. It is named before anything else.
fn figures_of(reading: &Reading, clause: &ClauseReading) -> Vec<String> {
    use FactKind::{Amount, Count, Money, Number, Percent, Phone};
    let is_figure = |fact: &Fact| {
        let counts_things = fact.kind == Count && !speaks_of_lines(clause);
        // How full a disk is has an argument of its own.
        let is_share = fact.kind == Percent && clause.object != Some(Object::Disks);
        counts_things || is_share || matches!(fact.kind, Number | Money | Amount | Phone)
    };
    let figures = reading.facts_of(clause).filter(|(_, fact)| is_figure(fact));
    figures.map(|(index, _)| words_of_fact(reading, index)).collect()
}

/// Kinds of facts that say which files are meant by words of them.
fn is_by_words(kind: FactKind) -> bool {
    matches!(kind, FactKind::Topic | FactKind::Title | FactKind::Matter)
}

/// Kinds of facts that narrow a list down.
fn is_selector(kind: FactKind) -> bool {
    matches!(
        kind,
        FactKind::Glob
            | FactKind::NotGlob
            | FactKind::Window
            | FactKind::Weekday
            | FactKind::Size
            | FactKind::Name
            | FactKind::NamePart
    )
}

#[cfg(test)]
mod tests;
