//! The graph of passages as the engine uses it: which executor is likely to follow another, a way from one to what
//! somebody misses, and which passages a run or an unmet wish teaches. Pure; rows come from the store.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    catalog::Catalog,
    domain::{
        ids::ExecutorName,
        intent::{Clause, Intent},
        passage::PassageState,
        plan::Plan,
        reference::{Argument, Reference},
        vocabulary::Verb,
    },
    store::passages::{NewPassage, PassageRow},
};

/// Most passages on the way to what somebody misses.
const HOPS_MAX: usize = 5;
/// Most passages that are followed from one executor, the strongest ones.
const WIDTH_MAX: usize = 20;
/// Letters of a word that says what a name is about.
const WORD_LETTERS_MIN: usize = 3;

/// Passages by their source, the strongest first.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    from: BTreeMap<ExecutorName, Vec<(ExecutorName, f64)>>,
}

impl Graph {
    /// The passages in use, as strong as they are now. Those of several people are one, as strong as the strongest.
    pub fn of(rows: &[PassageRow], now_ms: i64) -> Self {
        let mut weights: BTreeMap<(&ExecutorName, &ExecutorName), f64> = BTreeMap::new();
        for row in rows {
            let strength = row.strength.at(now_ms);
            if strength.state == PassageState::Active {
                let weight = weights.entry((&row.source, &row.target)).or_default();
                *weight = weight.max(strength.weight);
            }
        }
        let mut from: BTreeMap<ExecutorName, Vec<(ExecutorName, f64)>> = BTreeMap::new();
        for ((source, target), weight) in weights {
            from.entry(source.clone()).or_default().push((target.clone(), weight));
        }
        for targets in from.values_mut() {
            targets.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        }
        Self { from }
    }

    /// How strong the passage between two is; 0 for none.
    pub fn weight(&self, source: &ExecutorName, target: &ExecutorName) -> f64 {
        let targets = self.from.get(source).into_iter().flatten();
        targets
            .filter(|(name, _)| name == target)
            .map(|(_, weight)| *weight)
            .fold(0.0, f64::max)
    }

    /// The way from an executor to the first that will do: among the shortest ways the one that is stronger on the
    /// whole. The start itself is no answer.
    pub fn find_chain(
        &self,
        start: &ExecutorName,
        will_do: &dyn Fn(&ExecutorName) -> bool,
    ) -> Option<Vec<ExecutorName>> {
        let mut ways = vec![(vec![start.clone()], 0.0_f64)];
        let mut seen = BTreeSet::from([start.clone()]);
        for _ in 0..HOPS_MAX {
            let mut longer: Vec<(Vec<ExecutorName>, f64)> = Vec::new();
            for (way, weight) in &ways {
                let here = way.last().and_then(|last| self.from.get(last));
                for (next, its) in here.into_iter().flatten().take(WIDTH_MAX) {
                    if !seen.contains(next) {
                        let mut further = way.clone();
                        further.push(next.clone());
                        longer.push((further, weight + its));
                    }
                }
            }
            longer.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
            let arrived = longer.iter().find(|(way, _)| way.last().is_some_and(will_do));
            if let Some((way, _)) = arrived {
                return Some(way.clone());
            }
            // Of several ways to the same place the strongest goes on.
            longer.retain(|(way, _)| way.last().is_some_and(|last| seen.insert(last.clone())));
            ways = longer;
        }
        None
    }
}

/// Whether an executor's name speaks of what a missing one was to do.
pub fn speaks_of(name: &ExecutorName, wanted: &ExecutorName) -> bool {
    let words = |name: &ExecutorName| -> BTreeSet<String> {
        let words = name.as_str().split('_').filter(|word| word.len() >= WORD_LETTERS_MIN);
        words.map(str::to_owned).collect()
    };
    // What it does counts; what it does it to is common to many.
    let verb = wanted.as_str().split('_').next().unwrap_or_default();
    let alike = words(name);
    alike.contains(verb) || alike == words(wanted)
}

/// What a run that went well teaches: every step whose output another one took.
pub fn of_plan<S>(plan: &Plan<S>) -> Vec<NewPassage> {
    let tool_of = |number: u32| {
        let at = usize::try_from(plan.position(number)?).ok()?;
        plan.steps.get(at).map(|step| step.tool.clone())
    };
    let mut found = Vec::new();
    for step in &plan.steps {
        let named = step.args.iter().flat_map(|(_, argument)| numbers(argument));
        for source in step.from_step.into_iter().chain(named).filter_map(tool_of) {
            let passage = NewPassage {
                source,
                target: step.tool.clone(),
                exists: true,
            };
            if passage.source != passage.target && !found.contains(&passage) {
                found.push(passage);
            }
        }
    }
    found
}

fn numbers(argument: &Argument) -> Vec<u32> {
    let references = argument.references().into_iter();
    references
        .filter_map(|reference| match reference {
            Reference::Step { number, .. } => Some(*number),
            Reference::Filler(_) | Reference::Runtime(_) => None,
        })
        .collect()
}

/// What a request teaches of which one part can be done and the next cannot: a passage from the one to what is missing.
pub fn wishes(intent: &Intent, catalog: &Catalog) -> Vec<NewPassage> {
    let pairs = intent.clauses.iter().zip(intent.clauses.iter().skip(1));
    pairs
        .filter_map(|(before, wanted)| {
            let source = executor_for(*before, catalog)?;
            let target = format!("{}_{}", wanted.verb?, wanted.object?);
            executor_for(*wanted, catalog).is_none().then(|| NewPassage {
                source,
                target: ExecutorName::from(target),
                exists: false,
            })
        })
        .collect()
}

/// The executor with the name of a clause; any that brings in the same things stands for any other.
fn executor_for(clause: Clause, catalog: &Catalog) -> Option<ExecutorName> {
    let (verb, object) = (clause.verb?, clause.object?);
    let does = |its: Verb| its == verb || its.is_producer() && verb.is_producer();
    let mut fitting = catalog
        .all()
        .iter()
        .filter(|manifest| manifest.object == Some(object) && manifest.verb.is_some_and(does));
    fitting.next().map(|manifest| manifest.name.clone())
}

#[cfg(test)]
mod tests;
