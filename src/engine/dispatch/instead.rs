//! The part of the cascade that names, beside a refusal, the nearest request that works here and now: one the person
//! said yes to before, a look at the thing that the words name, or what the tool does that they call for. It never runs
//! anything.

use std::{cmp::Reverse, collections::BTreeSet};

use crate::{
    domain::{manifest::Manifest, message::Message},
    engine::{dispatch::Cascade, outcome::TurnOutcome, proposer::examples, terminator::DeadEnd},
    language::outline::Word,
};

/// Words of a phrase that calls for a tool, at least: one alone calls for too many.
const CALLED_BY_MIN: usize = 2;

impl Cascade<'_> {
    /// Adds it to a refusal of what nobody understood or has a tool for.
    pub(super) async fn with_nearest(&mut self, mut outcome: TurnOutcome, dead_end: &DeadEnd) -> TurnOutcome {
        let is_open = matches!(dead_end, DeadEnd::NotUnderstood { .. } | DeadEnd::NoTool { .. });
        if is_open && let Some(request) = self.nearest_request().await {
            outcome
                .notes
                .push(Message::new("note-nearest").with("request", request));
        }
        outcome
    }

    async fn nearest_request(&mut self) -> Option<Message> {
        let own = self.own_examples().await;
        if let Some(said) = examples::likest(&self.turn.text, &own) {
            return Some(Message::new("nearest-own").with("request", said));
        }
        if !self.reading.is_read() {
            return None;
        }
        let words = self.words();
        let thing = self.things.iter().find_map(|things| things.nearest(&words));
        // What a model could not plan is seldom what a tool is called for by.
        thing.or_else(|| self.is_alone().then(|| self.nearest_tool(&words)).flatten())
    }

    /// What the tool does that most of these words call for; one that only looks before one that changes something.
    fn nearest_tool(&self, words: &[Word]) -> Option<Message> {
        let (language, lang) = (&self.engine.language, self.reading.lang);
        let said: BTreeSet<&str> = words
            .iter()
            .filter(|word| word.is_content())
            .map(|word| word.stem.as_str())
            .collect();
        let called_for = |manifest: &Manifest| {
            let phrases = manifest
                .affinity
                .iter()
                .map(|phrase| language.telling_stems(phrase, lang));
            let whole = phrases.filter(|stems| stems.iter().all(|stem| said.contains(stem.as_str())));
            whole.map(|stems| stems.len()).max().unwrap_or_default()
        };
        let all = self.catalog.all().iter();
        let weighed = all.map(|manifest| (called_for(manifest), !manifest.effect.changes_something(), manifest));
        let (_, _, best) = weighed
            .filter(|(weight, ..)| *weight >= CALLED_BY_MIN)
            .max_by_key(|(weight, looks, manifest)| (*weight, *looks, Reverse(manifest.name.clone())))?;
        let purpose = &best.description.get(&self.turn.actor.lang)?.purpose;
        Some(Message::new("nearest-tool").with("purpose", purpose.trim_end_matches('.')))
    }
}
