//! What a model's plan makes up: a place nobody named, a text of its own for a tool that only looks, a folder of a
//! file's name, a change beside what was asked. Called by `judging`; each is an error, as no card can put it right.

use crate::{
    domain::{
        ids::StepId,
        kind::Class,
        manifest::Manifest,
        plan::{Plan, Step, Validated},
    },
    engine::{
        dispatch::{Cascade, judging::literals, near::demands::demands_change},
        frames,
        validator::ValidationError,
    },
};

/// Letters of the longest ending that tells a file's name.
const ENDING_LETTERS_MAX: usize = 5;
/// What a slot of a frame calls a folder.
const FOLDERS: [&str; 4] = ["folder", "other-folder", "same-folder", "new-folder"];

impl Cascade<'_> {
    /// All of it, step by step.
    pub(super) fn made_up(&self, plan: &Plan<Validated>) -> Vec<ValidationError> {
        let mut made_up = Vec::new();
        for step in &plan.steps {
            let Some(manifest) = self.catalog.get(&step.tool) else {
                continue;
            };
            if manifest.effect.changes_something() {
                made_up.extend(self.new_places(step, manifest));
                made_up.extend(self.beside_what_was_asked(plan, step, manifest));
            } else {
                made_up.extend(self.own_texts(step, manifest));
            }
        }
        made_up
    }

    /// Places to write to that are not there and that no word names, and folders with the name of a file.
    fn new_places(&self, step: &Step, manifest: &Manifest) -> Vec<ValidationError> {
        let meant = self.meant();
        let is_place = Class::is_place;
        let mut made_up = Vec::new();
        for (arg, value) in literals(step, manifest, is_place) {
            let name = value.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            if meant.is_there(&value) || name == "~" {
                continue;
            }
            let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
            let is_file = (1..=ENDING_LETTERS_MAX).contains(&ending.chars().count())
                && ending.chars().any(char::is_alphabetic)
                && ending.chars().all(char::is_alphanumeric);
            if is_file && is_folder(manifest, arg) {
                let (step, arg) = (step.id, arg.to_owned());
                made_up.push(ValidationError::NotFolder { step, arg, value });
            } else if !meant.says(stem) {
                made_up.push(ungrounded(step.id, arg, &value));
            }
        }
        made_up
    }

    /// Texts that a step which only looks is handed, and that nobody said.
    fn own_texts(&self, step: &Step, manifest: &Manifest) -> Vec<ValidationError> {
        let meant = self.meant();
        let texts = literals(step, manifest, |class| class == Class::Text).into_iter();
        texts
            .filter_map(|(arg, text)| {
                let unsaid = text.lines().find(|line| !meant.says(line))?;
                Some(ungrounded(step.id, arg, unsaid.trim()))
            })
            .collect()
    }

    /// A change that no verb asks for: of a request that only asks something, or beside a step that does what it says.
    fn beside_what_was_asked(
        &self,
        plan: &Plan<Validated>,
        step: &Step,
        manifest: &Manifest,
    ) -> Option<ValidationError> {
        let unasked = self.unasked(step, manifest)?;
        let is_asked = |other: &Step| {
            let manifest = self.catalog.get(&other.tool);
            manifest
                .is_some_and(|manifest| manifest.effect.changes_something() && self.unasked(other, manifest).is_none())
        };
        (self.only_asks() || plan.steps.iter().any(is_asked)).then_some(unasked)
    }

    /// Whether the request only asks something: no part of it tells or asks to do anything.
    pub(super) fn only_asks(&self) -> bool {
        let words = self.words();
        let clauses = frames::clauses(&words);
        let mut main = clauses.iter().filter(|clause| !clause.is_reason).peekable();
        main.peek().is_some()
            && main.all(|clause| clause.begins_asking)
            && !demands_change(&self.reading.original, &words, self.catalog.all())
            && !self.asks_for_a_change()
    }
}

/// Whether an argument is a folder, as the ways people ask for the tool have it.
fn is_folder(manifest: &Manifest, arg: &str) -> bool {
    let slots = manifest.frames.iter().flat_map(|frame| &frame.slots);
    let mut own = slots.filter(|slot| slot.arg == arg).peekable();
    let is_declared = manifest.arg(arg).is_some_and(|spec| spec.class() == Class::Folder);
    is_declared || own.peek().is_some() && own.all(|slot| FOLDERS.contains(&slot.kind.as_str()))
}

fn ungrounded(step: StepId, arg: &str, value: &str) -> ValidationError {
    ValidationError::Ungrounded {
        step,
        arg: arg.to_owned(),
        value: value.to_owned(),
    }
}
