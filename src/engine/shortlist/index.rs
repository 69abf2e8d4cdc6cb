//! What the shortlist keeps of a catalog: per executor the words of its name, per language an inverted index of what
//! executors say of themselves. Built once per catalog, read for every request.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::weights::Weights;
use crate::{
    domain::{
        lang::Lang,
        manifest::Manifest,
        vocabulary::{Object, Qualifier, Verb},
    },
    language::{Concept, Language, Stem},
};

/// Words of a description that are looked at; what it is for stands at its beginning.
const DESCRIPTION_WORDS: usize = 60;
/// Shorter words of a request say nothing.
const LETTERS_MIN: usize = 2;

/// One executor.
pub(super) struct Indexed {
    pub(super) manifest: Arc<Manifest>,
    pub(super) verb: Option<Verb>,
    pub(super) object: Option<Object>,
    pub(super) qualifier: Option<Qualifier>,
    /// What its affinities speak of beside its own object, in any language.
    touched: Vec<Object>,
    english: Words,
    italian: Words,
}

/// The stems of what an executor says of itself.
struct Words {
    affinity: HashSet<String>,
    phrases: Vec<Vec<String>>,
    description: HashSet<String>,
}

impl Indexed {
    pub(super) fn new(manifest: &Arc<Manifest>, language: &Language) -> Self {
        let mut parts = manifest.name.as_str().splitn(3, '_');
        let verb = parts.next().and_then(Verb::parse);
        let object = parts.next().and_then(Object::parse);
        let qualifier = parts.next().and_then(Qualifier::parse);
        let object = manifest.object.or(object);
        Self {
            verb: manifest.verb.or(verb),
            object,
            touched: touched(manifest, language, object),
            qualifier: manifest.qualifier.or(qualifier),
            english: Words::of(manifest, language, Lang::EN),
            italian: Words::of(manifest, language, Lang::IT),
            manifest: Arc::clone(manifest),
        }
    }

    /// The words of its name.
    pub(super) fn concepts(&self) -> impl Iterator<Item = Concept> {
        let verb = self.verb.map(Concept::Verb);
        let object = self.object.map(Concept::Object);
        let qualifier = self.qualifier.map(Concept::Qualifier);
        verb.into_iter().chain(object).chain(qualifier)
    }

    /// Whether its affinities speak of this.
    pub(super) fn touches(&self, object: Object) -> bool {
        self.touched.contains(&object)
    }

    /// Affinities of several words.
    pub(super) fn phrases(&self, lang: Lang) -> &[Vec<String>] {
        &self.words(lang).phrases
    }

    fn words(&self, lang: Lang) -> &Words {
        match lang {
            Lang::IT => &self.italian,
            _ => &self.english,
        }
    }

    /// Works through somebody else's service, which a request names when it means it.
    pub(super) fn is_of_provider(&self) -> bool {
        matches!(
            self.qualifier,
            Some(Qualifier::Github | Qualifier::GoogleWorkspace | Qualifier::GooglePhotos)
        )
    }

    /// How well the name answers one clause.
    pub(super) fn fit(
        &self,
        verb: Option<Verb>,
        objects: &[Object],
        weights: &Weights,
        rarity: &dyn Fn(Concept) -> f32,
    ) -> f32 {
        let said_verb = self.verb.is_some() && self.verb == verb;
        let verb_points = if said_verb { weights.verb } else { 0.0 };
        let Some((place, object)) = self
            .object
            .and_then(|own| objects.iter().enumerate().find(|(_, object)| **object == own))
        else {
            return verb_points;
        };
        // What works on a list needs one first: who asks to look is answered by what brings the things in.
        let first = |own: Verb| if own.is_producer() { 1.0 } else { weights.processor };
        let together = match (verb, self.verb) {
            (Some(wanted), Some(own)) if wanted == own => weights.pair,
            (Some(wanted), Some(own)) if wanted.is_safe() && own.is_safe() => weights.kin * first(own),
            (Some(wanted), Some(own)) if !wanted.is_safe() && own.is_producer() => weights.precursor,
            (None, Some(own)) if own.is_safe() => weights.no_verb * first(own),
            _ => 0.0,
        };
        let share = weights.object_decay.powi(i32::try_from(place).unwrap_or(i32::MAX));
        verb_points + (weights.object + together) * rarity(Concept::Object(*object)) * share
    }
}

impl Words {
    fn of(manifest: &Manifest, language: &Language, lang: Lang) -> Self {
        let stems = |text: &str| -> Vec<String> {
            let stems = language.stems(text, lang);
            let long = stems.into_iter().filter(|stem| stem.letters >= LETTERS_MIN);
            long.map(|stem| stem.text).collect()
        };
        let phrases: Vec<Vec<String>> = manifest.affinity.iter().map(|phrase| stems(phrase)).collect();
        // Another language's description is still better than none: names of things are often the same.
        let description = manifest
            .description
            .values()
            .flat_map(|description| stems(&description.purpose).into_iter().take(DESCRIPTION_WORDS))
            .collect();
        Self {
            affinity: phrases.iter().flatten().cloned().collect(),
            phrases: phrases.into_iter().filter(|phrase| phrase.len() > 1).collect(),
            description,
        }
    }
}

fn touched(manifest: &Manifest, language: &Language, own: Option<Object>) -> Vec<Object> {
    let mut touched = Vec::new();
    for phrase in &manifest.affinity {
        for lang in Lang::BUILT_IN {
            for (_, concept) in language.mentions(&language.stems(phrase, lang), lang) {
                if let Concept::Object(object) = concept
                    && Some(object) != own
                    && !touched.contains(&object)
                {
                    touched.push(object);
                }
            }
        }
    }
    touched
}

/// How much it says that something is there, when this many of so many have it.
pub(super) fn rarity(count: usize, total: usize) -> f32 {
    (1.0 + (total as f32 - count as f32 + 0.5) / (count as f32 + 0.5)).ln()
}

/// Which executors have a stem, and where.
pub(super) struct Postings(HashMap<String, Posting>);

struct Posting {
    rarity: f32,
    affinity: Vec<u32>,
    description: Vec<u32>,
}

impl Postings {
    pub(super) fn new(tools: &[Indexed], lang: Lang) -> Self {
        let mut postings: HashMap<String, Posting> = HashMap::new();
        for (at, tool) in (0..).zip(tools) {
            let words = tool.words(lang);
            let empty = || Posting {
                rarity: 0.0,
                affinity: Vec::new(),
                description: Vec::new(),
            };
            for stem in &words.affinity {
                postings.entry(stem.clone()).or_insert_with(empty).affinity.push(at);
            }
            for stem in words.description.difference(&words.affinity) {
                postings.entry(stem.clone()).or_insert_with(empty).description.push(at);
            }
        }
        for posting in postings.values_mut() {
            posting.rarity = rarity(posting.affinity.len() + posting.description.len(), tools.len());
        }
        Self(postings)
    }

    /// Whether an affinity of this executor has the stem.
    pub(super) fn has(&self, stem: &str, tool: usize) -> bool {
        let posting = self.0.get(stem);
        posting.is_some_and(|posting| posting.affinity.iter().any(|at| *at as usize == tool))
    }

    /// What the words of a request give every executor.
    pub(super) fn scores(&self, stems: &[Stem], tools: usize, weights: &Weights) -> Vec<f32> {
        let mut scores = vec![0.0_f32; tools];
        let mut share = 1.0_f32;
        let mut seen: HashSet<&str> = HashSet::new();
        for stem in stems.iter().filter(|stem| stem.letters >= LETTERS_MIN) {
            share *= weights.word_decay;
            let Some(posting) = self.0.get(&stem.text).filter(|_| seen.insert(&stem.text)) else {
                continue;
            };
            let said = if stem.is_glue { share * weights.glue } else { share };
            for (places, worth) in [
                (&posting.affinity, weights.affinity),
                (&posting.description, weights.description),
            ] {
                for at in places {
                    if let Some(score) = scores.get_mut(*at as usize) {
                        *score += worth * posting.rarity * said;
                    }
                }
            }
        }
        scores
    }
}
