//! Which executors a planner is shown for a request: by verb and object, by words, and with their companions.
//! Called by the proposer. A pure function of manifests and a reading; ties go by name, so that prompts stay the same.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use crate::{
    domain::{
        intent::Clause,
        limits,
        manifest::Manifest,
        vocabulary::{Object, Qualifier, Verb},
    },
    language::{Reading, normal},
};

/// Points for what a name and its words say.
const VERB: u32 = 10;
const OBJECT: u32 = 12;
const FAMILY: u32 = 6;
const QUALIFIER: u32 = 2;
const AFFINITY_MAX: u32 = 3;
const PRECURSOR: u32 = 5;
const HARD_WORD: u32 = 4;
const SOFT_WORDS_MAX: u32 = 3;

/// Verbs of executors that work on any list; a planner needs them whatever is asked.
const HELPERS: [Verb; 6] = [
    Verb::Filter,
    Verb::Sort,
    Verb::Group,
    Verb::Compute,
    Verb::Classify,
    Verb::Describe,
];

struct Indexed {
    manifest: Arc<Manifest>,
    verb: Option<Verb>,
    object: Option<Object>,
    /// Folded words of every affinity.
    affinity: HashSet<String>,
    /// Affinities of several words, as sets.
    phrases: Vec<Vec<String>>,
    /// Folded words of the descriptions.
    description: HashSet<String>,
}

/// What a shortlist needs of a catalog, computed once per catalog.
pub struct ShortlistIndex {
    tools: Vec<Indexed>,
    by_name: HashMap<String, usize>,
}

impl ShortlistIndex {
    /// Indexes a catalog.
    pub fn new(manifests: &[Arc<Manifest>]) -> Self {
        let mut tools: Vec<Indexed> = manifests.iter().map(indexed).collect();
        tools.sort_by(|one, other| one.manifest.name.cmp(&other.manifest.name));
        let by_name = tools
            .iter()
            .enumerate()
            .map(|(at, tool)| (tool.manifest.name.as_str().to_owned(), at))
            .collect();
        Self { tools, by_name }
    }

    /// At most `size` executors for a request, best first; those recalled by a phrase, the helpers and the companions
    /// of the chosen ones are added to them.
    pub fn shortlist(&self, reading: &Reading, size: usize) -> Vec<Arc<Manifest>> {
        let spoken = normal::words(&reading.original);
        let words: HashSet<&str> = spoken
            .split([' ', '\''])
            .filter(|word| word.chars().count() > 1)
            .collect();
        let scores: Vec<u32> = self.tools.iter().map(|tool| score(tool, reading, &words)).collect();
        let mut ranked: Vec<usize> = (0..self.tools.len()).filter(|at| scores.get(*at) > Some(&0)).collect();
        // Sorting is stable and the index is by name: equal scores stay in that order.
        ranked.sort_by_key(|at| std::cmp::Reverse(scores.get(*at).copied()));
        if ranked.is_empty() {
            ranked = self.everything();
        }
        ranked.truncate(size);
        self.recall_phrases(&words, &mut ranked);
        self.add_helpers(&mut ranked);
        self.add_companions(&mut ranked);
        ranked
            .into_iter()
            .filter_map(|at| self.tools.get(at))
            .map(|tool| Arc::clone(&tool.manifest))
            .collect()
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

    fn recall_phrases(&self, words: &HashSet<&str>, ranked: &mut Vec<usize>) {
        let mut recalled: Vec<(usize, usize)> = self
            .tools
            .iter()
            .enumerate()
            .filter(|(at, _)| !ranked.contains(at))
            .filter_map(|(at, tool)| {
                let whole = |phrase: &&Vec<String>| phrase.iter().all(|word| words.contains(word.as_str()));
                let longest = tool.phrases.iter().filter(whole).map(Vec::len).max()?;
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
                if let Some(at) = self.by_name.get(name.as_str())
                    && !ranked.contains(at)
                {
                    ranked.push(*at);
                }
            }
            next += 1;
        }
    }
}

/// The executors for a request, without an index that is kept.
pub fn shortlist(catalog_manifests: &[Arc<Manifest>], reading: &Reading, size: usize) -> Vec<Arc<Manifest>> {
    ShortlistIndex::new(catalog_manifests).shortlist(reading, size)
}

fn indexed(manifest: &Arc<Manifest>) -> Indexed {
    let mut parts = manifest.name.as_str().split('_');
    let verb = manifest.verb.or_else(|| parts.next().and_then(Verb::parse));
    let object = manifest
        .object
        .or_else(|| manifest.name.as_str().split('_').nth(1).and_then(Object::parse));
    let split = |text: &str| -> Vec<String> {
        normal::words(text)
            .split([' ', '\''])
            .filter(|word| word.chars().count() > 1)
            .map(str::to_owned)
            .collect()
    };
    let phrases: Vec<Vec<String>> = manifest.affinity.iter().map(|phrase| split(phrase)).collect();
    let description = manifest
        .description
        .values()
        .flat_map(|description| split(&description.purpose))
        .filter(|word| word.chars().count() > 3)
        .collect();
    Indexed {
        manifest: Arc::clone(manifest),
        verb,
        object,
        affinity: phrases.iter().flatten().cloned().collect(),
        phrases: phrases.into_iter().filter(|phrase| phrase.len() > 1).collect(),
        description,
    }
}

/// The best that any clause gives a tool, plus what the words give it.
fn score(tool: &Indexed, reading: &Reading, words: &HashSet<&str>) -> u32 {
    let matched = words.iter().filter(|word| tool.affinity.contains(**word)).count();
    let affinity = u32::try_from(matched).unwrap_or(u32::MAX);
    let named = reading
        .intent
        .clauses
        .iter()
        .map(|clause| by_name(tool, *clause))
        .max()
        .unwrap_or(0);
    if named == 0 {
        // Nothing in the name fits: only words can speak for it.
        let described = words.iter().filter(|word| tool.description.contains(**word)).count();
        return affinity * HARD_WORD + u32::try_from(described).unwrap_or(0).min(SOFT_WORDS_MAX);
    }
    let qualifiers: BTreeSet<Qualifier> = reading.clauses.iter().filter_map(|clause| clause.qualifier).collect();
    let formed = tool
        .manifest
        .qualifier
        .is_some_and(|own| qualifiers.contains(&own) || words.contains(own.as_str()));
    named * 2 + affinity.min(AFFINITY_MAX) * 2 + if formed { QUALIFIER * 2 } else { 0 }
}

fn by_name(tool: &Indexed, clause: Clause) -> u32 {
    let Some(own) = tool.verb else { return 0 };
    let same_object = tool.object.is_some() && tool.object == clause.object;
    let object = if same_object { OBJECT } else { 0 };
    match clause.verb {
        Some(wanted) if wanted == own => {
            VERB + object.max(if is_family(tool.object, clause.object) {
                FAMILY
            } else {
                0
            })
        }
        // Reading verbs stand for each other, changing verbs too, but only about the same thing.
        Some(wanted) if same_object && wanted.is_safe() == own.is_safe() => object,
        // Something must bring in what an action acts on.
        Some(wanted) if same_object && !wanted.is_safe() && own.is_producer() => PRECURSOR,
        Some(_) => 0,
        None => object,
    }
}

/// What is in a folder are files and folders: for looking and listing they are one.
fn is_family(one: Option<Object>, other: Option<Object>) -> bool {
    let folders = |object: Option<Object>| matches!(object, Some(Object::Files | Object::Dirs));
    folders(one) && folders(other)
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
        let list = shortlist(&catalog(), &reading, size);
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
        let list = shortlist(&manifests, &reading, 2);
        assert!(list.iter().any(|manifest| manifest.name.as_str() == "get_credentials"));
    }

    #[test]
    fn the_order_is_the_same_whatever_the_order_of_the_catalog() {
        let mut turned = catalog();
        turned.reverse();
        let language = Language::embedded().unwrap();
        let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
        let reading = language.read("list the files in ~/docs", Lang::En, &now);
        assert_eq!(shortlist(&catalog(), &reading, 12), shortlist(&turned, &reading, 12));
    }
}
