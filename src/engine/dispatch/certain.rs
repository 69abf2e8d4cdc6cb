//! The part of the cascade for requests about things that are there for certain, such as what a person has set: a
//! reading that uses every word of the message and names only such things counts before every rule and every plan. And
//! its other side, the one place that keeps an order to end something from becoming an order to make something.

use std::{cell::RefCell, sync::Arc};

use super::{Cascade, fixed::say};
use crate::{
    domain::{
        actor::Role,
        frame::Slot,
        ids::ExecutorName,
        manifest::Manifest,
        message::Message,
        turn::Origin,
        vocabulary::{Object, Verb},
    },
    engine::{
        families::Scene,
        frames::{self, Asked, Near},
        outcome::TurnOutcome,
        things::Resolver,
        validator::Grounding,
    },
    language::outline::{Sign, Word},
};

/// Deeds that end something, by their names in `locales/<lang>/frames.toml`.
const ENDS: [&str; 2] = ["delete", "end"];

/// Whether a word says to end something.
pub(in crate::engine) fn ends(word: &Word) -> bool {
    word.deeds().any(|deed| ENDS.contains(&deed))
}

impl Cascade<'_> {
    /// What of the host's the person may use as well. Without the database that is nothing.
    pub(super) async fn know_shared(&mut self) {
        self.shared = match self.turn.actor.role {
            Role::Host => Vec::new(),
            Role::Guest => self
                .engine
                .store
                .shared_with(&self.turn.actor.id)
                .await
                .unwrap_or_default(),
        };
    }

    /// Asks every domain what it knows of this person's things.
    pub(super) async fn know(&mut self) {
        let scene = Scene {
            turn: self.turn,
            language: &self.engine.language,
            lang: self.reading.lang,
            root: self.engine.home_of(&self.turn.actor),
            home: Arc::clone(&self.home),
            store: &self.engine.store,
            clock: &self.engine.clock,
            runner: &self.engine.runner,
            catalog: Arc::clone(&self.catalog),
            data_dir: &self.engine.data_dir,
        };
        self.things = self.engine.families.things(&scene).await;
    }

    /// Answers such a request; `None` where a word is left over, or nothing is certain.
    pub(super) async fn certain(&mut self) -> Option<TurnOutcome> {
        if !self.reading.is_read() || matches!(self.turn.origin, Origin::Retry { .. }) {
            return None;
        }
        // "Annulla" takes back what was done, whatever that was.
        if self.engine.takes_back(&self.turn.text, &self.turn.actor) {
            return None;
        }
        let near = self.certain_reading()?;
        let plan = self.validate_covering(near.plan, Grounding::Approved, &[]);
        let plan = plan.map_err(|errors| self.note(format!("certain: {errors:?}"))).ok()?;
        if near.changes && !self.turn.is_typed {
            return Some(say(Message::new("pattern-not-typed")));
        }
        // "Tell me when the light is on" is no question about now.
        if !near.changes
            && let Some(watch) = self.watch_of_certain().await
        {
            return Some(watch);
        }
        Some(self.carry_out_command(plan).await)
    }

    /// The reading that uses every word of the message and names only things that are there for certain.
    pub(super) fn certain_reading(&mut self) -> Option<Near> {
        let certain: Vec<&dyn Resolver> = self
            .things
            .iter()
            .filter(|things| things.is_certain())
            .map(|things| &**things)
            .collect();
        let knows = |slot: &Slot| certain.iter().any(|things| things.knows(&slot.kind));
        let is_about = |manifest: &&Arc<Manifest>| {
            let asks = manifest.verb == Some(Verb::Get) && manifest.object == Some(Object::Inputs);
            // A frame that takes nothing but times and numbers rests on no things that would have to be known first.
            let rests_on_known = |slots: &[Slot]| slots.iter().any(knows) || frames::takes_only_times(slots);
            asks || manifest.frames.iter().any(|frame| rests_on_known(&frame.slots))
        };
        let manifests: Vec<Arc<Manifest>> = self.catalog.all().iter().filter(is_about).cloned().collect();
        if certain.is_empty() || manifests.is_empty() {
            return None;
        }
        let words = self.words();
        let (language, lang) = (&self.engine.language, self.reading.lang);
        let dialogue = self
            .turn
            .before
            .as_ref()
            .map(|before| before.dialogue.clone())
            .unwrap_or_default();
        let weighed = RefCell::new(Vec::new());
        let near = frames::nearest(
            &Asked {
                reading: &self.reading,
                words: &words,
                view: &dialogue,
                things: &certain,
                stem: &|text| language.telling_stems(text, lang),
                rest: false,
                note: &|line| weighed.borrow_mut().push(line.trim().to_owned()),
            },
            &manifests,
        );
        let weighed = weighed.take();
        if !weighed.is_empty() {
            self.path.push(format!("certain: {}", weighed.join(", ")));
        }
        let near = near?;
        // Where something is to be made of them, showing them is no answer.
        let makes = |word: &Word| {
            word.deeds()
                .any(|deed| frames::makes_of_lists(deed, self.catalog.all()))
        };
        if !near.changes && words.iter().any(makes) {
            return None;
        }
        // "A new shift for Priya on Friday" is none for the calendar where the household has a tool that makes shifts.
        let verb_of = |name: &ExecutorName| {
            let mut all = self.catalog.all().iter();
            all.find(|manifest| manifest.name == *name)
                .and_then(|manifest| manifest.verb)
        };
        let verbs: Vec<Option<Verb>> = near.plan.steps.iter().map(|step| verb_of(&step.tool)).collect();
        let is_rival = |name: &ExecutorName| {
            verbs.contains(&verb_of(name)) && near.plan.steps.iter().all(|step| step.tool != *name)
        };
        let stem = |text: &str| language.telling_stems(text, lang);
        if near.changes
            && frames::spoken_of(self.catalog.all(), &words, &stem)
                .iter()
                .any(is_rival)
        {
            return None;
        }
        let is_open = |(at, word): (usize, &Word)| frames::says_something(word) && !near.explained.contains(&at);
        let is_whole = near.left.is_empty() && !words.iter().enumerate().any(is_open);
        (is_whole && near.is_sure).then_some(near)
    }

    /// Whether the message orders that something be ended which executors of this object make: then nothing of the sort
    /// is made of its words, whatever times stand in them.
    pub(super) fn ends_one_of(&self, object: Object) -> bool {
        let words = self.words();
        let (language, lang) = (&self.engine.language, self.reading.lang);
        let makers = self
            .catalog
            .all()
            .iter()
            .filter(|manifest| manifest.object == Some(object));
        let nouns: Vec<String> = makers
            .flat_map(|manifest| frames::nouns(manifest, &|text| language.telling_stems(text, lang)))
            .collect();
        let names = |word: &Word| word.may_be(&Sign::Object(object)) || nouns.contains(&word.stem);
        frames::clauses(&words).iter().any(|clause| {
            let own: Vec<&Word> = clause.words.iter().filter_map(|at| words.get(*at)).collect();
            let first = own.iter().position(|word| word.deeds().next().is_some());
            let Some(deed) = first else { return false };
            let is_end = own.get(deed).is_some_and(|word| ends(word));
            // "Remind me to cancel the alarm" says another thing first.
            let is_first = !own.iter().take(deed).any(|word| frames::says_something(word));
            is_end && is_first && own.iter().skip(deed).any(|word| names(word))
        })
    }
}
