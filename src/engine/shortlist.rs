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
    language::{Concept, FactKind, Language, Reading, Stem},
};

mod index;
mod weights;

use index::{Indexed, Postings};
use weights::WEIGHTS;

/// Verbs of executors that work on any list; a planner needs them whatever is asked.
const HELPERS: [Verb; 6] = [
    Verb::Filter,
    Verb::Sort,
    Verb::Group,
    Verb::Compute,
    Verb::Classify,
    Verb::Describe,
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
            english: Postings::new(&tools, Lang::En),
            italian: Postings::new(&tools, Lang::It),
            rarity: counts
                .into_iter()
                .map(|(concept, count)| (concept, index::rarity(count, total)))
                .collect(),
            by_name,
            tools,
        }
    }

    /// The executors for a request, best first: as many as it takes to be sure, those recalled by a phrase, the
    /// helpers, and the companions of them all.
    pub fn shortlist(&self, reading: &Reading, language: &Language, size: usize) -> Vec<Arc<Manifest>> {
        let asked = self.asked(reading, language);
        let scores = self.scores(&asked);
        let mut ranked = self.ranked(&scores);
        if ranked.is_empty() {
            ranked = self.everything();
        }
        ranked.truncate(adaptive(&ranked, &scores, size));
        self.recall_phrases(&asked, &mut ranked);
        self.add_helpers(&mut ranked);
        self.add_companions(&mut ranked);
        ranked
            .into_iter()
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

    fn scores(&self, asked: &Asked) -> Vec<f32> {
        let weights = &WEIGHTS;
        let postings = match asked.lang {
            Lang::En => &self.english,
            Lang::It => &self.italian,
        };
        let mut scores = postings.scores(&asked.stems, self.tools.len(), weights);
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

    /// When no word speaks for any executor: what reads and what changes something, reading first (incident 37).
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

    fn add_helpers(&self, ranked: &mut Vec<usize>) {
        if ranked.is_empty() {
            return;
        }
        for (at, tool) in self.tools.iter().enumerate() {
            let helps = tool.object == Some(Object::Entries) && tool.verb.is_some_and(|verb| HELPERS.contains(&verb));
            if helps && !ranked.contains(&at) {
                ranked.push(at);
            }
        }
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
mod tests {
    use super::*;
    use crate::{
        domain::lang::Lang,
        engine::test_catalog::{Build, catalog},
        language::Language,
    };

    fn names(text: &str, size: usize) -> Vec<String> {
        let language = Language::embedded().unwrap();
        let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
        let reading = language.read(text, Lang::En, &now);
        let list = ShortlistIndex::new(&catalog(), &language).shortlist(&reading, &language, size);
        list.iter().map(|manifest| manifest.name.to_string()).collect()
    }

    #[test]
    fn the_tool_that_is_meant_comes_first() {
        let table = [
            ("find the pdf files in ~/docs", "find_files"),
            ("read ~/notes/diary.md", "read_files"),
            ("delete ~/docs/old.txt", "delete_files"),
            ("sposta i jpg da ~/in a ~/photos", "move_files"),
            ("which process uses the most memory", "get_processes"),
            ("fetch http://127.0.0.1/uuid", "get_urls"),
            ("leggi la pagina http://127.0.0.1/article", "read_urls_html"),
            ("crea la cartella ~/x", "create_dirs"),
            ("list the files in ~/docs", "list_dirs"),
        ];
        for (text, first) in table {
            assert_eq!(
                names(text, 12).first().map(String::as_str),
                Some(first),
                "{text}: {:?}",
                names(text, 12)
            );
        }
    }

    #[test]
    fn every_clause_brings_its_tools_and_what_feeds_them() {
        let list = names("save the page http://127.0.0.1/article to ~/a.md", 12);
        assert!(list.iter().any(|name| name == "write_files"), "{list:?}");
        let list = names("move the jpg files from ~/in to ~/photos", 12);
        assert!(list.iter().any(|name| name == "find_files"), "{list:?}");
        assert!(
            list.iter().any(|name| name == "sort_entries"),
            "companions and helpers: {list:?}"
        );
    }

    #[test]
    fn a_phrase_recalls_a_tool_that_verb_and_object_would_not() {
        let mut manifests = catalog();
        manifests.push(Build::new("get_credentials").affinity(&["mail accounts"]).done());
        let language = Language::embedded().unwrap();
        let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
        let reading = language.read("find files about my mail accounts in ~/docs", Lang::En, &now);
        let list = ShortlistIndex::new(&manifests, &language).shortlist(&reading, &language, 2);
        assert!(list.iter().any(|manifest| manifest.name.as_str() == "get_credentials"));
    }

    #[test]
    fn what_brings_things_in_comes_before_what_works_on_them() {
        let names = ["classify_events", "describe_events", "filter_events", "read_events"];
        let manifests: Vec<_> = names.iter().map(|name| Build::new(name).done()).collect();
        let language = Language::embedded().unwrap();
        let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
        let index = ShortlistIndex::new(&manifests, &language);
        for (text, first) in [
            ("appuntamenti di domani", "read_events"),
            ("elenca i miei appuntamenti", "read_events"),
            ("describe my appointments", "describe_events"),
        ] {
            let reading = language.read(text, Lang::It, &now);
            let ranked = index.rank(&reading, &language);
            assert_eq!(ranked[0].0.as_str(), first, "{text}: {ranked:?}");
        }
    }

    #[test]
    fn the_order_is_the_same_whatever_the_order_of_the_catalog() {
        let mut turned = catalog();
        turned.reverse();
        let language = Language::embedded().unwrap();
        let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
        let reading = language.read("list the files in ~/docs", Lang::En, &now);
        let list =
            |manifests: &[Arc<Manifest>]| ShortlistIndex::new(manifests, &language).shortlist(&reading, &language, 12);
        assert_eq!(list(&catalog()), list(&turned));
    }
}
