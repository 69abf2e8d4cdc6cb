//! Looks that are no harmless looks: what asks a server about words tells them to it. Such a step must have been asked
//! for by the request's own meaning; otherwise it is shown first, whoever planned it. Asked by `doubt` before every run
//! and by `judging` for plans of models. Which tools these are is told by their manifests alone.

use crate::{
    domain::{
        ids::StepId,
        manifest::Manifest,
        plan::{Plan, Validated},
    },
    engine::{
        composer::{self, Composition},
        dispatch::Cascade,
    },
    language::outline::Sign,
};

impl Cascade<'_> {
    /// The steps that would tell words to a server that nobody asked to look there.
    pub(super) fn sends_unasked(&self, plan: &Plan<Validated>) -> Vec<StepId> {
        let steps = plan.steps.iter().filter(|step| {
            let manifest = self.catalog.get(&step.tool);
            manifest.is_some_and(|manifest| manifest.sends_words() && !self.asks_to_look_outside(manifest))
        });
        steps.map(|step| step.id).collect()
    }

    /// Whether the request itself asks for what this tool looks up: code reads it so, or it says what the tool deals
    /// with by its name or by a whole phrase that calls for it. A phrase that only begins a question calls for nothing.
    fn asks_to_look_outside(&self, manifest: &Manifest) -> bool {
        let mut clauses = self.reading.clauses.iter();
        if clauses.any(|clause| clause.nouns.iter().any(|(object, _)| Some(*object) == manifest.object)) {
            return true;
        }
        let (language, lang) = (&self.engine.language, self.reading.lang);
        let said: Vec<String> = language
            .stems(&self.reading.original, lang)
            .into_iter()
            .map(|stem| stem.text)
            .collect();
        let words = self.words();
        let only_asks = |stem: &String| {
            let mut own = words.iter().filter(|word| word.stem == *stem);
            own.all(|word| word.is_glue || word.may_be(&Sign::Question))
        };
        let mut phrases = manifest.affinity.iter().map(|phrase| language.stems(phrase, lang));
        let calls = phrases.any(|phrase| {
            let stems: Vec<String> = phrase.into_iter().map(|stem| stem.text).collect();
            stems.iter().all(|stem| said.contains(stem)) && !stems.iter().all(only_asks)
        });
        calls || self.frames_ask_for(&manifest.name) || self.code_plans_with(manifest)
    }

    fn code_plans_with(&self, manifest: &Manifest) -> bool {
        match composer::compose(&self.reading, self.catalog.all(), &[]) {
            Composition::Plan(plan) => plan.steps.iter().any(|step| step.tool == manifest.name),
            Composition::Unsure { .. }
            | Composition::Several
            | Composition::NotThere(_)
            | Composition::NoDomain(_)
            | Composition::Excluded => false,
        }
    }
}
