//! Which executors a planner is shown for a request: by the words of their names, by their phrases, and with their
//! companions. Called by dispatch before the proposer. It never reads the world: manifests and a reading go in, and
//! ties go by name, so that prompts stay the same.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    catalog::Catalog,
    domain::{
        ids::ExecutorName,
        lang::Lang,
        limits,
        manifest::Manifest,
        vocabulary::{Object, Verb},
    },
    language::{Concept, FactKind, Language, Reading, Stem, time::Mention},
};

mod index;
mod weights;

use index::{Indexed, Postings};
use weights::WEIGHTS;

/// Verbs of executors that work on any list; a planner may need them whatever is asked, the first ones most.
const HELPERS: [Verb; 6] = [
    Verb::Filter,
    Verb::Sort,
    Verb::Compute,
    Verb::Group,
    Verb::Describe,
    Verb::Classify,
];

/// What a shortlist needs of a catalog, computed once per catalog.
pub struct ShortlistIndex {
    tools: Vec<Indexed>,
    by_name: HashMap<ExecutorName, usize>,
    english: Postings,
    italian: Postings,
    /// How rare each concept is among the names.
    rarity: HashMap<Concept, f32>,
}

/// What a request says, as far as a name or a phrase can answer it.
struct Asked {
    stems: Vec<Stem>,
    clauses: Vec<AskedClause>,
    mentions: Vec<(usize, Concept)>,
    /// What the values of the request are.
    held: Vec<Object>,
    lang: Lang,
}

/// A verb with the objects that follow it.
#[derive(Default)]
struct AskedClause {
    verb: Option<Verb>,
    objects: Vec<Object>,
}

impl ShortlistIndex {
    /// Indexes a catalog.
    pub fn new(manifests: &[Arc<Manifest>], language: &Language) -> Self {
        let mut tools: Vec<Indexed> = manifests
            .iter()
            .map(|manifest| Indexed::new(manifest, language))
            .collect();
        tools.sort_by(|one, other| one.manifest.name.cmp(&other.manifest.name));
        let by_name = tools
            .iter()
            .enumerate()
            .map(|(at, tool)| (tool.manifest.name.clone(), at))
            .collect();
        let total = tools.len();
        let mut counts: HashMap<Concept, usize> = HashMap::new();
        for concept in tools.iter().flat_map(Indexed::concepts) {
            *counts.entry(concept).or_default() += 1;
        }
        Self {
            english: Postings::new(&tools, Lang::EN),
            italian: Postings::new(&tools, Lang::IT),
            rarity: counts
                .into_iter()
                .map(|(concept, count)| (concept, index::rarity(count, total)))
                .collect(),
            by_name,
            tools,
        }
    }

    /// The executors for a request, at most `size`, best first: the first few, those recalled by a phrase and the
    /// companions of both are sure of a place, and so are some helpers; the next best share what is left, as many as it
    /// takes to be sure.
    pub fn shortlist(&self, reading: &Reading, language: &Language, size: usize) -> Vec<Arc<Manifest>> {
        self.shortlist_after(reading, language, size, &|_, _| 0.0)
    }

    /// The same, where of several that are equally good those come first that are likely to follow the better ones.
    pub fn shortlist_after(
        &self,
        reading: &Reading,
        language: &Language,
        size: usize,
        likely: &dyn Fn(&ExecutorName, &ExecutorName) -> f64,
    ) -> Vec<Arc<Manifest>> {
        let asked = self.asked(reading, language);
        let scores = self.scores(&asked);
        let mut ranked = self.ranked(&scores);
        self.break_ties(&mut ranked, &scores, likely);
        if ranked.is_empty() {
            ranked = self.everything();
        }
        ranked.truncate(adaptive(&ranked, &scores, size));
        let next_best = ranked.split_off(limits::SHORTLIST_MIN.min(ranked.len()));
        let mut pool = ranked;
        self.recall_phrases(&asked, &mut pool);
        self.add_companions(&mut pool);
        let mut helpers = self.helpers(&scores);
        helpers.retain(|at| !pool.contains(at));
        let sure = helpers.iter().take(limits::HELPERS_MIN).copied().collect::<Vec<_>>();
        let room = size.saturating_sub(pool.len() + sure.len());
        let others = next_best
            .into_iter()
            .filter(|at| !sure.contains(at) && !pool.contains(at));
        let others = others.take(room).collect::<Vec<_>>();
        pool.extend(others);
        pool.extend(sure);
        self.add_companions(&mut pool);
        let mut seen: HashSet<usize> = pool.iter().copied().collect();
        pool.extend(helpers.into_iter().filter(|at| seen.insert(*at)));
        pool.truncate(size);
        pool.into_iter()
            .filter_map(|at| self.tools.get(at))
            .map(|tool| Arc::clone(&tool.manifest))
            .collect()
    }

    /// Every executor that anything speaks for, best first, with its score.
    pub fn rank(&self, reading: &Reading, language: &Language) -> Vec<(&ExecutorName, f32)> {
        let scores = self.scores(&self.asked(reading, language));
        self.ranked(&scores)
            .into_iter()
            .filter_map(|at| Some((&self.tools.get(at)?.manifest.name, scores.get(at).copied()?)))
            .collect()
    }

    /// Whether a word of the request that means something of its own speaks for one of these: it is in an affinity, or
    /// it says what the name says.
    pub fn speaks_for_any(&self, names: &[&ExecutorName], reading: &Reading, language: &Language) -> bool {
        let stems = language.stems(&reading.original, reading.lang);
        let mentions = language.mentions(&stems, reading.lang);
        let postings = self.postings(reading.lang);
        let tools = names.iter().filter_map(|name| self.by_name.get(*name));
        tools.into_iter().any(|at| {
            let object = self.tools.get(*at).and_then(|tool| tool.object);
            let is_named = |said: Concept| object.is_some_and(|object| said == Concept::Object(object));
            mentions.iter().any(|(_, said)| is_named(*said))
                || stems.iter().any(|stem| !stem.is_glue && postings.has(&stem.text, *at))
        })
    }

    /// Whether one of these stems stands in what calls for one of these executors.
    pub fn speaks_for(&self, names: &[&ExecutorName], stems: &[String], lang: Lang) -> bool {
        let postings = self.postings(lang);
        let mut tools = names.iter().filter_map(|name| self.by_name.get(*name));
        tools.any(|at| stems.iter().any(|stem| postings.has(stem, *at)))
    }

    fn postings(&self, lang: Lang) -> &Postings {
        match lang {
            Lang::IT => &self.italian,
            _ => &self.english,
        }
    }

    fn ranked(&self, scores: &[f32]) -> Vec<usize> {
        let mut ranked: Vec<usize> = (0..self.tools.len())
            .filter(|at| scores.get(*at).is_some_and(|score| *score > 0.0))
            .collect();
        // Sorting is stable and the index is by name: equal scores stay in that order.
        ranked.sort_by(|one, other| {
            let score = |at: &usize| scores.get(*at).copied().unwrap_or_default();
            score(other).total_cmp(&score(one))
        });
        ranked
    }

    /// Among equals, what follows one of those before them comes first; what nothing is known of stays by name.
    fn break_ties(&self, ranked: &mut [usize], scores: &[f32], likely: &dyn Fn(&ExecutorName, &ExecutorName) -> f64) {
        let score = |at: &usize| scores.get(*at).copied().unwrap_or_default().to_bits();
        let name = |at: &usize| self.tools.get(*at).map(|tool| &tool.manifest.name);
        let mut from = 0;
        while from < ranked.len() {
            let (better, rest) = ranked.split_at_mut(from);
            let equals = rest
                .iter()
                .take_while(|at| rest.first().map(score) == Some(score(at)))
                .count();
            let follows = |at: &usize| {
                let passages = better
                    .iter()
                    .filter_map(|before| Some(likely(name(before)?, name(at)?)));
                passages.fold(0.0, f64::max)
            };
            if let Some(equal) = rest.get_mut(..equals).filter(|equal| equal.len() > 1) {
                equal.sort_by(|one, other| follows(other).total_cmp(&follows(one)));
            }
            from += equals.max(1);
        }
    }

    fn scores(&self, asked: &Asked) -> Vec<f32> {
        let weights = &WEIGHTS;
        let mut scores = self
            .postings(asked.lang)
            .scores(&asked.stems, self.tools.len(), weights);
        let rarity = |concept: Concept| self.rarity.get(&concept).copied().unwrap_or_default();
        let changes = asked
            .clauses
            .iter()
            .any(|clause| clause.verb.is_some_and(|verb| !verb.is_safe()));
        for (score, tool) in scores.iter_mut().zip(&self.tools) {
            let mut named = 0.0_f32;
            let mut decay = 1.0_f32;
            for clause in &asked.clauses {
                named = named.max(tool.fit(clause.verb, &clause.objects, weights, &rarity) * decay);
                decay *= weights.clause_decay;
            }
            *score += named;
            if let Some(object) = tool.object.filter(|object| asked.held.contains(object)) {
                *score += weights.fact * rarity(Concept::Object(object));
            }
            let touched = asked.mentions.iter().filter_map(|(_, concept)| match concept {
                Concept::Object(object) if tool.touches(*object) => Some(rarity(*concept)),
                Concept::Verb(_) | Concept::Object(_) | Concept::Qualifier(_) => None,
            });
            *score += weights.touched * touched.fold(0.0, f32::max);
            if let Some(qualifier) = tool.qualifier {
                let said = asked
                    .mentions
                    .iter()
                    .any(|(_, concept)| *concept == Concept::Qualifier(qualifier));
                *score += if said {
                    weights.qualifier
                } else {
                    -weights.qualifier_unsaid
                };
                if tool.is_of_provider() && !said {
                    *score *= weights.provider_unsaid;
                }
            }
            if !changes && tool.manifest.effect.changes_something() {
                *score *= weights.unasked_change;
            }
        }
        scores
    }

    /// What a request asks for. A photo is a file too, but where executors work on images it is those that are meant.
    fn asked(&self, reading: &Reading, language: &Language) -> Asked {
        let stems = language.stems(&reading.original, reading.lang);
        let mentions = language.mentions(&stems, reading.lang);
        let images = Concept::Object(Object::Images);
        let mentioned = |concept: Concept| mentions.iter().any(|(_, said)| *said == concept);
        let no_files =
            self.rarity.contains_key(&images) && mentioned(images) && !mentioned(Concept::Object(Object::Files));
        let counts = |object: &Object| !(no_files && *object == Object::Files);
        // What the lexicon or the model is sure of counts like what was mentioned.
        let mut clauses: Vec<AskedClause> = reading
            .intent
            .clauses
            .iter()
            .map(|clause| AskedClause {
                verb: clause.verb,
                objects: clause.object.into_iter().filter(counts).collect(),
            })
            .collect();
        // "every Friday at six send me …": what comes again and again is kept before it is done.
        if reading.times.iter().any(Mention::is_again) {
            let objects = vec![Object::Tasks];
            let verb = Some(Verb::Create);
            clauses.insert(0, AskedClause { verb, objects });
        }
        clauses.extend(mentioned_clauses(&mentions));
        let mut held: Vec<Object> = Vec::new();
        for fact in &reading.facts {
            let is_kind = no_files && fact.kind == FactKind::Glob;
            held.extend(objects_of(fact.kind).iter().filter(|_| !is_kind));
        }
        Asked {
            stems,
            clauses,
            mentions,
            held,
            lang: reading.lang,
        }
    }

    /// When no word speaks for any executor: what reads and what changes something, reading first.
    fn everything(&self) -> Vec<usize> {
        let acts = |at: &usize| {
            self.tools
                .get(*at)
                .is_some_and(|tool| tool.manifest.effect.changes_something())
        };
        let mut all: Vec<usize> = (0..self.tools.len())
            .filter(|at| {
                let object = self.tools.get(*at).and_then(|tool| tool.object);
                object.is_some_and(|object| object != Object::Entries)
            })
            .collect();
        all.sort_by_key(acts);
        all
    }

    fn recall_phrases(&self, asked: &Asked, ranked: &mut Vec<usize>) {
        let words: HashSet<&str> = asked.stems.iter().map(|stem| stem.text.as_str()).collect();
        let mut recalled: Vec<(usize, usize)> = self
            .tools
            .iter()
            .enumerate()
            .filter(|(at, _)| !ranked.contains(at))
            .filter_map(|(at, tool)| {
                let whole = |phrase: &&Vec<String>| phrase.iter().all(|word| words.contains(word.as_str()));
                let longest = tool.phrases(asked.lang).iter().filter(whole).map(Vec::len).max()?;
                Some((longest, at))
            })
            .collect();
        recalled.sort_by_key(|(longest, at)| (std::cmp::Reverse(*longest), *at));
        ranked.extend(recalled.into_iter().take(limits::PHRASE_RECALL_MAX).map(|(_, at)| at));
    }

    /// The executors that work on any list, those that the words speak for first.
    fn helpers(&self, scores: &[f32]) -> Vec<usize> {
        let place = |at: &usize| {
            let tool = self.tools.get(*at).filter(|tool| tool.object == Some(Object::Entries));
            let verb = tool.and_then(|tool| tool.verb)?;
            HELPERS.iter().position(|helper| *helper == verb)
        };
        let mut helpers: Vec<usize> = (0..self.tools.len()).filter(|at| place(at).is_some()).collect();
        let score = |at: &usize| scores.get(*at).copied().unwrap_or_default();
        helpers.sort_by(|one, other| {
            score(other)
                .total_cmp(&score(one))
                .then_with(|| place(one).cmp(&place(other)))
        });
        helpers
    }

    /// Companions of companions too; the list only grows, so this ends.
    fn add_companions(&self, ranked: &mut Vec<usize>) {
        let mut next = 0;
        while let Some(tool) = ranked.get(next).and_then(|at| self.tools.get(*at)) {
            for name in &tool.manifest.companions {
                if let Some(at) = self.by_name.get(name)
                    && !ranked.contains(at)
                {
                    ranked.push(*at);
                }
            }
            next += 1;
        }
    }
}

/// The index of the catalog in use. A reload brings another catalog, and with it another index.
#[derive(Default)]
pub struct Shortlists(Mutex<Option<(Arc<Catalog>, Arc<ShortlistIndex>)>>);

impl Shortlists {
    /// The index of this catalog, made when it is first asked for.
    pub fn of(&self, catalog: &Arc<Catalog>, language: &Language) -> Arc<ShortlistIndex> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((known, index)) if Arc::ptr_eq(known, catalog) => Arc::clone(index),
            Some(_) | None => {
                let index = Arc::new(ShortlistIndex::new(catalog.all(), language));
                *kept = Some((Arc::clone(catalog), Arc::clone(&index)));
                index
            }
        }
    }
}

/// Verbs with the objects after them; another verb before anything was said of what is another word for the same.
fn mentioned_clauses(mentions: &[(usize, Concept)]) -> Vec<AskedClause> {
    let mut clauses = vec![AskedClause::default()];
    for (_, concept) in mentions {
        let Some(last) = clauses.last_mut() else { break };
        match concept {
            Concept::Verb(verb) if last.objects.is_empty() => {
                last.verb.get_or_insert(*verb);
            }
            Concept::Verb(verb) if last.verb.is_none() => last.verb = Some(*verb),
            Concept::Verb(verb) => clauses.push(AskedClause {
                verb: Some(*verb),
                objects: Vec::new(),
            }),
            Concept::Object(object) => last.objects.push(*object),
            Concept::Qualifier(_) => {}
        }
    }
    clauses
}

/// How many are shown: the clearer the first one leads, the fewer.
fn adaptive(ranked: &[usize], scores: &[f32], size: usize) -> usize {
    let score = |place: usize| {
        ranked
            .get(place)
            .and_then(|at| scores.get(*at))
            .copied()
            .unwrap_or_default()
    };
    let lead = if score(0) > 0.0 {
        (score(0) - score(1)) / score(0)
    } else {
        0.0
    };
    let least = limits::SHORTLIST_MIN.min(size);
    match lead {
        lead if lead >= 0.7 => least,
        lead if lead <= 0.3 => size,
        lead => size - (((lead - 0.3) / 0.4) * (size - least) as f32) as usize,
    }
}

/// What a value in the request is one of.
fn objects_of(kind: FactKind) -> &'static [Object] {
    if matches!(
        kind,
        FactKind::Path | FactKind::Glob | FactKind::Name | FactKind::NamePart
    ) {
        &[Object::Files, Object::Dirs]
    } else if kind == FactKind::Url {
        &[Object::Urls]
    } else if kind == FactKind::Email {
        &[Object::Messages]
    } else {
        &[]
    }
}

#[cfg(test)]
mod tests;
