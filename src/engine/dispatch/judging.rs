//! What dispatch makes of a model's plan. Three kinds of findings, by what they may do:
//!
//! *Errors* keep it from running: what the validator says, a place that is not there, an address nobody said, words
//! that stand in nothing the model was shown. *Hints* are what the reader of the request misses; it may be wrong, so
//! they are told back once and then a plan that only looks runs all the same. *Doubts* are about changes: such a plan
//! is shown before it is carried out. Nothing runs here.

use std::fs;

use serde_json::Value;

use crate::{
    domain::{
        dialogue::FILE,
        ids::ExecutorName,
        kind::Class,
        manifest::Manifest,
        plan::{Plan, Proposed, Step, Validated},
        reference::Argument,
        vocabulary::{Object, Verb},
    },
    engine::{
        dispatch::{Cascade, faithful, planning::Excluded},
        meant::Meant,
        validator::{self, Grounding, ValidationContext, ValidationError},
    },
    executors::paths,
};

/// Letters of the shortest word that can belong to somebody else's request.
const FOREIGN_LETTERS_MIN: usize = 4;
/// Kinds of arguments that say what is acted on or looked for.
const TARGETS: [Class; 8] = [
    Class::File,
    Class::Folder,
    Class::Target,
    Class::Address,
    Class::Glob,
    Class::Words,
    Class::Unknown,
    Class::Whereabouts,
];

/// A model's plan that may run.
pub(super) struct Judged {
    pub(super) plan: Plan<Validated>,
    /// What the reader of the request misses in it.
    pub(super) hints: Vec<ValidationError>,
}

impl Judged {
    /// The same, or why it would be the answer to something else.
    pub(super) fn fitting(self) -> Result<Self, Vec<ValidationError>> {
        let misfits: Vec<ValidationError> = self.hints.iter().filter(|hint| hint.is_misfit()).cloned().collect();
        if misfits.is_empty() { Ok(self) } else { Err(misfits) }
    }
}

impl Cascade<'_> {
    /// Errors, or the plan with its hints. `known` is what the request and the home say, and nothing that a correction
    /// quotes or that everybody is shown.
    pub(super) fn judge(
        &self,
        plan: Plan<Proposed>,
        excluded: &[Excluded],
        known: &str,
    ) -> Result<Judged, Vec<ValidationError>> {
        let plan = self.validate_covering(plan, Grounding::Approved, &[])?;
        if excluded.iter().any(|banned| banned.forbids(&plan)) {
            return Err(vec![ValidationError::Excluded]);
        }
        let manifests = |name: &ExecutorName| self.catalog.get(name).cloned();
        let mut errors = faithful::done_though_forbidden(&self.reading, &plan, &manifests);
        errors.extend(validator::unsaid_addresses(&plan, &manifests, &self.context()));
        let foreign = self.foreign(&plan, known);
        // Names near a word that nobody said are told to nobody.
        errors.extend(self.not_there(&plan, &foreign));
        errors.extend(foreign);
        errors.extend(self.made_up(&plan));
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut hints = faithful::overlooked(&self.reading, &plan, &manifests);
        let dropped = validator::dropped_verbs(&plan, &self.reading.required_verbs).into_iter();
        hints.extend(dropped.map(|verb| ValidationError::VerbMissing { verb }));
        let index = self.engine.shortlists.of(&self.catalog, &self.engine.language);
        let tools: Vec<&ExecutorName> = plan.steps.iter().map(|step| &step.tool).collect();
        let speaks_for_one = index.speaks_for_any(&tools, &self.reading, &self.engine.language);
        if !speaks_for_one && !faithful::says_words_of(&self.reading, &plan) {
            hints.push(ValidationError::Unrelated);
        }
        hints.extend(faithful::invented(&self.reading, &plan, &manifests));
        hints.extend(self.misfits(&plan));
        let sends = self.sends_unasked(&plan).into_iter();
        hints.extend(sends.map(|step| ValidationError::SendsUnasked { step }));
        Ok(Judged { plan, hints })
    }

    /// Whether something is to be done: words alone would only pretend it.
    pub(super) fn asks_for_a_change(&self) -> bool {
        let mut clauses = self.reading.clauses.iter();
        clauses.any(|clause| clause.verb.is_some_and(Verb::is_destructive) && !clause.word.is_empty())
    }

    /// Whether a request speaks of what lies in the home, so that a tool should look rather than a model tell.
    pub(super) fn speaks_of_own_things(&self) -> bool {
        let reading = &self.reading;
        let names_something = !reading.by_name.is_empty() || self.meant().named_whole().next().is_some();
        let is_ours = |object: &Object| self.catalog.all().iter().any(|tool| tool.object == Some(*object));
        let mut nouns = reading.clauses.iter().flat_map(|clause| &clause.nouns);
        names_something || nouns.any(|(object, _)| is_ours(object) && !is_of_words(*object))
    }

    /// What makes a plan that changes something uncertain; empty where all of it was said or is meant.
    pub(super) fn doubts(&self, plan: &Plan<Validated>) -> Vec<ValidationError> {
        let manifests = |name: &ExecutorName| self.catalog.get(name).cloned();
        let mut doubts = self.ungrounded(plan);
        let meant = self.meant();
        for step in &plan.steps {
            let Some(manifest) = manifests(&step.tool).filter(|manifest| manifest.effect.changes_something()) else {
                continue;
            };
            doubts.extend(self.unasked(step, &manifest));
            doubts.extend(self.unsaid_choices(step, &manifest));
            doubts.extend(self.swapped(plan, step, &manifest));
            doubts.extend(self.overwritten(step, &manifest));
        }
        let places = places_of(plan, &manifests);
        let is_used = |path: &str| {
            let mut places = places.iter();
            places.any(|place| same_place(place, path) || path.starts_with(&below(place)))
        };
        doubts.extend(
            meant
                .named_whole()
                .filter(|path| !is_used(path))
                .map(|path| ValidationError::NamedUnused { path: path.to_owned() }),
        );
        let written = plan.to_json().to_string();
        let unplaced = self
            .reading
            .unaccounted
            .iter()
            .find(|words| !meant.stands_in(words, &written));
        doubts.extend(unplaced.map(|words| ValidationError::Unplaced { words: words.clone() }));
        if validator::aims_from_outside(plan, &manifests) {
            doubts.push(ValidationError::FromOutside);
        }
        doubts
    }

    /// Values of a change that the person neither said nor means by what they said.
    pub(super) fn ungrounded(&self, plan: &Plan<Validated>) -> Vec<ValidationError> {
        let manifests = |name: &ExecutorName| self.catalog.get(name).cloned();
        validator::ungrounded(plan, &manifests, &self.context())
    }

    /// The request beside the names of the person's home; made at most once a turn.
    pub(super) fn meant(&self) -> &Meant<'_> {
        self.meant.get_or_init(|| {
            let listed = self
                .turn
                .before
                .as_ref()
                .and_then(|before| before.dialogue.pointed(FILE))
                .map_or(&[][..], |files| files.ids.as_slice());
            Meant::new(
                &self.home,
                &self.engine.language,
                self.reading.lang,
                &self.turn.text,
                listed,
            )
        })
    }

    fn context(&self) -> ValidationContext<'_> {
        ValidationContext {
            numbers: &self.numbers,
            by_name: &self.reading.by_name,
            meant: Some(self.meant()),
            ..ValidationContext::new(&self.turn.text, &[])
        }
    }

    /// Places that are read or changed and are not there, unless the person named them: of those the step says it.
    fn not_there(&self, plan: &Plan<Validated>, foreign: &[ValidationError]) -> Vec<ValidationError> {
        let home = self.engine.home_of(&self.turn.actor);
        let mut missing = Vec::new();
        for step in &plan.steps {
            let Some(manifest) = self.catalog.get(&step.tool) else {
                continue;
            };
            let may_be_new = manifest.effect.changes_something();
            for (name, value) in literals(step, manifest, |class| {
                class == Class::File || class == Class::Folder && !may_be_new
            }) {
                let is_there = paths::resolve(&value, &home).is_ok_and(|path| fs::symlink_metadata(path).is_ok());
                if !is_there && !self.turn.text.to_lowercase().contains(&value.to_lowercase()) {
                    let is_foreign = foreign.iter().any(|error| error.is_foreign_in(step.id, name));
                    missing.push(ValidationError::NotThere {
                        step: step.id,
                        arg: name.to_owned(),
                        near: if is_foreign {
                            Vec::new()
                        } else {
                            self.meant().near(&value)
                        },
                        value,
                    });
                }
            }
        }
        missing
    }

    /// Words to act on or to look for that stand neither in the request nor in what is known of the home: whatever the
    /// server did, a plan for somebody else's request does not run here.
    fn foreign(&self, plan: &Plan<Validated>, known: &str) -> Vec<ValidationError> {
        let known = known.to_lowercase();
        let mut foreign = Vec::new();
        for step in &plan.steps {
            let Some(manifest) = self.catalog.get(&step.tool) else {
                continue;
            };
            // Where a change puts something may be new; whether it was made up is `invention`'s to say.
            let goes_to = [Class::Target, Class::Folder];
            let may_be_new = |class| manifest.effect.changes_something() && goes_to.contains(&class);
            let is_target = |class| TARGETS.contains(&class) && !may_be_new(class);
            // A file of the home is known where it speaks of what was asked, whatever it is called.
            let speaks = self.reads_of_the_matter(step);
            for (name, value) in literals(step, manifest, is_target) {
                let is_path = manifest.arg(name).is_some_and(|spec| spec.class() == Class::File);
                if is_path && speaks {
                    continue;
                }
                // The ending of a file is its kind, not a word.
                let words = value
                    .rsplit_once('.')
                    .map_or(value.as_str(), |(words, _)| words)
                    .to_lowercase();
                let unknown = words
                    .split(|letter: char| !letter.is_alphabetic())
                    .filter(|word| word.chars().count() >= FOREIGN_LETTERS_MIN)
                    .find(|word| !known.contains(beginning(word)));
                if let Some(word) = unknown {
                    foreign.push(ValidationError::Foreign {
                        step: step.id,
                        arg: name.to_owned(),
                        value: word.to_owned(),
                    });
                }
            }
        }
        foreign
    }

    /// A change that no verb of the request asks for.
    pub(super) fn unasked(&self, step: &Step, manifest: &Manifest) -> Option<ValidationError> {
        let does = manifest.verb?;
        let makes = [Verb::Write, Verb::Create];
        let mut said = self
            .reading
            .clauses
            .iter()
            .flat_map(|clause| clause.alternatives.iter().chain(&clause.verb));
        let is_asked = said.any(|verb| *verb == does || makes.contains(verb) && makes.contains(&does));
        // The word of a tool's own name is its verb, whatever else it may mean.
        let lower = self.turn.text.to_lowercase();
        let is_named = lower
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|word| word == does.as_str());
        (!is_asked && !is_named).then(|| ValidationError::EffectUnasked {
            step: step.id,
            verb: does.as_str().to_owned(),
        })
    }

    /// Who says what goes from here to there says a deed, what it is done to and where it goes, in that order. Where
    /// the words stand otherwise, the plan may have them backwards.
    fn swapped(&self, plan: &Plan<Validated>, step: &Step, manifest: &Manifest) -> Option<ValidationError> {
        let meant = self.meant();
        let target = [Class::Target, Class::Folder];
        let targets = literals(step, manifest, |class| target.contains(&class));
        let to = targets.iter().find_map(|(_, path)| meant.place_of(path))?;
        let from = self
            .sources_of(plan, step)
            .iter()
            .find_map(|path| meant.place_of(path))?;
        let lower = self.turn.text.to_lowercase();
        let clauses = self.reading.clauses.iter().filter(|clause| !clause.word.is_empty());
        let verb = clauses
            .filter_map(|clause| lower.find(&clause.word.to_lowercase()))
            .min();
        let is_in_order = from < to && verb.is_none_or(|verb| verb < from);
        (!is_in_order).then_some(ValidationError::Swapped { step: step.id })
    }

    /// The files and folders that a step works on, in itself or in the steps that it takes something of.
    fn sources_of(&self, plan: &Plan<Validated>, step: &Step) -> Vec<String> {
        let mut open: Vec<&Step> = vec![step];
        let mut sources = Vec::new();
        // Steps refer back only, so this ends.
        while let Some(step) = open.pop() {
            if let Some(manifest) = self.catalog.get(&step.tool) {
                let own = !manifest.effect.changes_something();
                sources.extend(
                    literals(step, manifest, |class| {
                        class == Class::File || own && class == Class::Folder
                    })
                    .into_iter()
                    .map(|(_, path)| path),
                );
            }
            let referred = step.args.iter().flat_map(|(_, argument)| validator::steps_of(argument));
            let numbers = referred.chain(step.from_step);
            let at = numbers.filter_map(|number| plan.position(number).and_then(|at| usize::try_from(at).ok()));
            open.extend(at.filter_map(|at| plan.steps.get(at)));
        }
        sources
    }

    /// Choices a step makes that no word of the request names, such as "take these lines away".
    fn unsaid_choices(&self, step: &Step, manifest: &Manifest) -> Vec<ValidationError> {
        let said = |choice: &str| {
            let mut options = self.reading.clauses.iter().flat_map(|clause| &clause.options);
            options.any(|option| option == choice)
        };
        let choices = literals(step, manifest, |class| class == Class::Choice).into_iter();
        choices
            .filter(|(name, value)| {
                let spec = manifest.arg(name);
                let default = spec.and_then(|spec| spec.schema.get("default")).and_then(Value::as_str);
                let is_closed = spec.is_some_and(|spec| spec.schema.get("enum").is_some());
                is_closed && default != Some(value) && !said(value)
            })
            .map(|(name, value)| ValidationError::ChoiceUnsaid {
                step: step.id,
                arg: name.to_owned(),
                value,
            })
            .collect()
    }

    /// A file that is there and would be replaced by a text, where only the text was said to go there.
    fn overwritten(&self, step: &Step, manifest: &Manifest) -> Option<ValidationError> {
        manifest.arg_of(Class::Text)?;
        let keeps = literals(step, manifest, |class| class == Class::Choice)
            .iter()
            .any(|(_, choice)| choice != "overwrite");
        let home = self.engine.home_of(&self.turn.actor);
        let target = literals(step, manifest, |class| class == Class::Target)
            .into_iter()
            .next();
        let (_, path) = target.filter(|_| !keeps)?;
        let found = paths::resolve(&path, &home)
            .ok()
            .and_then(|path| fs::metadata(path).ok())?;
        (found.len() > 0).then_some(ValidationError::Overwrites { step: step.id, path })
    }
}

/// Objects that a model can say something of without any tool.
fn is_of_words(object: Object) -> bool {
    matches!(
        object,
        Object::Texts | Object::Numbers | Object::Entries | Object::Lists | Object::Now
    )
}

/// The places a plan writes out, in whatever step.
fn places_of(plan: &Plan<Validated>, manifests: validator::Lookup<'_>) -> Vec<String> {
    let mut places = Vec::new();
    for step in &plan.steps {
        if let Some(manifest) = manifests(&step.tool) {
            let is_place = Class::is_place;
            places.extend(literals(step, &manifest, is_place).into_iter().map(|(_, value)| value));
        }
    }
    places
}

fn same_place(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}

fn below(folder: &str) -> String {
    format!("{}/", folder.trim_end_matches('/'))
}

/// The first letters of a word: its ending may be another in the request.
fn beginning(word: &str) -> &str {
    let end = word
        .char_indices()
        .nth(FOREIGN_LETTERS_MIN)
        .map_or(word.len(), |(at, _)| at);
    word.get(..end).unwrap_or(word)
}

/// The texts a step writes out in arguments of these kinds, one by one.
pub(super) fn literals<'s>(
    step: &'s Step,
    manifest: &Manifest,
    wanted: impl Fn(Class) -> bool,
) -> Vec<(&'s str, String)> {
    let mut found = Vec::new();
    for (name, argument) in &step.args {
        let is_wanted = manifest.arg(name).is_some_and(|spec| wanted(spec.class()));
        if is_wanted && let Argument::Literal(value) = argument {
            let texts = match value {
                Value::Array(items) => items.as_slice(),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                    std::slice::from_ref(value)
                }
            };
            found.extend(
                texts
                    .iter()
                    .filter_map(Value::as_str)
                    .map(|text| (name.as_str(), text.to_owned())),
            );
        }
    }
    found
}
