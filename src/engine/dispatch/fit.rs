//! Whether a plan is about what was asked: how much of what a request speaks of stands in it, and whether what it shows
//! can be the kind of answer that is asked for. Asked by `judging` for plans of models, and by `planning` to tell which
//! of two plans leaves less aside. It looks into texts that a plan reads, and runs nothing.

use std::{fs::File, io::Read as _, ops::Range};

use crate::{
    domain::{
        ids::ExecutorName,
        kind::Class,
        limits::FIT_READ_BYTES_MAX,
        manifest::{Capability, ColumnFormat, Manifest, Presentation},
        plan::{Plan, Step, Validated},
        reference::{PathPart, Reference},
        vocabulary::Object,
    },
    engine::{
        dispatch::{
            Cascade, faithful,
            judging::literals,
            near::{AT_HOME, LITERAL_WEIGHT, said},
            nearby::literal_texts,
        },
        validator::ValidationError,
    },
    executors::paths,
    language::outline::{Sign, Word},
};

/// One of so many telling words at least must have its place in a plan that is about the request.
const PLACED_OF: usize = 3;
/// Letters of a word that a text must hold to speak of it: its ending may be another there.
const STEM_LETTERS: usize = 4;

/// What a plan makes of the words of a request.
#[derive(Clone, Debug, Default)]
pub(super) struct Fit {
    /// Words that say something and have no place in it.
    pub(super) unused: Vec<String>,
    /// How much is said, in words.
    telling: usize,
    /// How much of it has its place.
    placed: usize,
}

impl Fit {
    /// Whether the plan is about something else.
    fn misses(&self) -> bool {
        self.telling > 0 && self.placed * PLACED_OF < self.telling
    }
}

impl Cascade<'_> {
    /// What keeps a plan from being an answer to this request, whoever wrote it.
    pub(super) fn misfits(&self, plan: &Plan<Validated>) -> Vec<ValidationError> {
        let fit = self.fit(plan);
        let mut misfits = Vec::new();
        if fit.misses() {
            misfits.push(ValidationError::Misses { words: fit.unused });
        }
        if self.moment_asked().is_some() && !self.shows_moment(plan) {
            misfits.push(ValidationError::NoMoment);
        }
        misfits
    }

    fn moment_asked(&self) -> Option<Range<usize>> {
        self.engine.language.moment_asked(&self.words(), self.reading.lang)
    }

    /// Which words of the request have their place in a plan. What is to be done, when, how many and in which order is
    /// judged by others.
    pub(super) fn fit(&self, plan: &Plan<Validated>) -> Fit {
        let words = self.words();
        // What asks for a moment has its place in whatever shows one.
        let asks = self.moment_asked().filter(|_| self.shows_moment(plan));
        let tells = |at: &usize| !asks.as_ref().is_some_and(|asks| asks.contains(at));
        let matter = said(&words).into_iter().filter(tells).filter_map(|at| words.get(at));
        let values = words.iter().filter(|word| word.literal.is_some());
        let telling: Vec<&Word> = matter.filter(|word| is_matter(word)).chain(values).collect();
        let place = Places::of(self, plan);
        let unused: Vec<&&Word> = telling.iter().filter(|word| !place.has(word)).collect();
        let weight = |words: &[&Word]| words.iter().map(|word| weight(word)).sum::<usize>();
        let own: Vec<&Word> = unused.iter().map(|word| **word).collect();
        Fit {
            telling: weight(&telling),
            placed: weight(&telling) - weight(&own),
            unused: own.into_iter().map(as_said).collect(),
        }
    }

    /// Whether the texts that a step reads speak of what the request is about.
    pub(super) fn reads_of_the_matter(&self, step: &Step) -> bool {
        let words = self.words();
        let read = texts_read(self, step);
        let mut matter = said(&words).into_iter().filter_map(|at| words.get(at));
        matter.any(|word| is_matter(word) && stands_in(word, &read))
    }

    /// Whether what a plan shows can be a moment or a length of time.
    fn shows_moment(&self, plan: &Plan<Validated>) -> bool {
        let manifests: Vec<_> = plan
            .steps
            .iter()
            .filter_map(|step| self.catalog.get(&step.tool))
            .collect();
        let named: Vec<String> = plan.closing_references().iter().filter_map(field_of).collect();
        let columns = manifests.iter().flat_map(|manifest| columns(manifest));
        let formats: Vec<(&str, ColumnFormat)> = columns.collect();
        let never = |format: ColumnFormat| {
            matches!(
                format,
                ColumnFormat::Bytes | ColumnFormat::Percent | ColumnFormat::Distance | ColumnFormat::Path
            )
        };
        let is_none = |field: &String| {
            let mut known = formats.iter().filter(|(name, _)| *name == field.as_str()).peekable();
            known.peek().is_some() && known.all(|(_, format)| never(*format))
        };
        let all_wrong = !named.is_empty() && named.iter().all(is_none);
        !all_wrong && manifests.iter().any(|manifest| gives_moment(manifest))
    }
}

/// The columns of what a tool shows as a list.
fn columns(manifest: &Manifest) -> impl Iterator<Item = (&str, ColumnFormat)> {
    let columns = match &manifest.presentation {
        Presentation::Entries(columns) => columns.as_slice(),
        Presentation::Text(_) | Presentation::Sentence(_) => &[],
    };
    columns.iter().map(|column| (column.source.as_str(), column.format))
}

/// Whether a moment can stand in what a tool shows: texts and sentences may hold one, and so may a column of words
/// behind the name.
fn gives_moment(manifest: &Manifest) -> bool {
    match &manifest.presentation {
        Presentation::Text(_) => true,
        Presentation::Sentence(_) => manifest.has(Capability::TimeRead) || !manifest.has(Capability::ComputePure),
        Presentation::Entries(_) => columns(manifest).enumerate().any(|(at, (_, format))| match format {
            ColumnFormat::Time | ColumnFormat::Sentence => true,
            ColumnFormat::Text => at > 0,
            ColumnFormat::Bytes
            | ColumnFormat::Percent
            | ColumnFormat::Path
            | ColumnFormat::Distance
            | ColumnFormat::Kind
            | ColumnFormat::Map => false,
        }),
    }
}

/// What is written out letter by letter says as much as several words.
fn weight(word: &Word) -> usize {
    if word.literal.is_some() { LITERAL_WEIGHT } else { 1 }
}

fn as_said(word: &Word) -> String {
    word.literal
        .as_ref()
        .map_or_else(|| word.fold.clone(), |(_, text)| text.clone())
}

/// Whether a word says what a request is about, rather than what is to be done with it, when, or in which order.
fn is_matter(word: &Word) -> bool {
    let is_other = |(sign, _): &(Sign, usize)| {
        matches!(
            sign,
            Sign::Deed(_) | Sign::Most(..) | Sign::End(_) | Sign::Negation | Sign::Condition | Sign::Reason
        )
    };
    !word.is_time && !word.is_number() && !word.signs.iter().any(is_other)
}

/// Where the words of a request can have their place in a plan.
struct Places<'c, 'a> {
    cascade: &'c Cascade<'a>,
    tools: Vec<&'c ExecutorName>,
    /// What the arguments say.
    written: String,
    stems: Vec<String>,
    /// What is written in the texts that are read, without capitals.
    read: String,
    /// The request is about files of the home.
    is_of_files: bool,
}

impl<'c, 'a> Places<'c, 'a> {
    fn of(cascade: &'c Cascade<'a>, plan: &'c Plan<Validated>) -> Self {
        let texts: Vec<String> = plan.steps.iter().flat_map(texts_of).collect();
        let written = texts.join("\n").to_lowercase();
        let read = plan.steps.iter().map(|step| texts_read(cascade, step)).collect();
        let mut objects = plan.steps.iter().filter_map(|step| object_of(&step.tool));
        Self {
            tools: plan.steps.iter().map(|step| &step.tool).collect(),
            stems: cascade.engine.language.telling_stems(&written, cascade.reading.lang),
            is_of_files: objects.any(|object| AT_HOME.contains(&object)),
            cascade,
            written,
            read,
        }
    }

    fn has(&self, word: &Word) -> bool {
        let cascade = self.cascade;
        if let Some((_, text)) = &word.literal {
            let text = text.trim_start_matches("~/").trim_end_matches('/').to_lowercase();
            return self.written.contains(text.trim_start_matches('*'));
        }
        let stands = |stem: &String| self.stems.contains(stem);
        let said = cascade.engine.language.telling_stems(&word.fold, cascade.reading.lang);
        if !said.is_empty() && said.iter().all(stands) || self.written.contains(&word.fold) {
            return true;
        }
        let names = |object: Object| {
            let mut own = self.tools.iter().filter_map(|tool| object_of(tool));
            own.any(|own| own == object || faithful::are_of_one_world(own, object))
        };
        let is_of_files = |object: Object| AT_HOME.contains(&object);
        let is_kind = |sign: &Sign| matches!(sign, Sign::Endings(_) | Sign::List);
        let kinds = word
            .objects()
            .any(|object| names(object) || self.is_of_files && is_of_files(object))
            || self.is_of_files && word.signs.iter().any(|(sign, _)| is_kind(sign));
        kinds || stands_in(word, &self.read) || {
            let index = cascade.engine.shortlists.of(&cascade.catalog, &cascade.engine.language);
            index.speaks_for(&self.tools, &said, cascade.reading.lang)
        }
    }
}

/// Whether a text, without capitals, has a word that begins like this one.
fn stands_in(word: &Word, read: &str) -> bool {
    let beginning: String = word.fold.chars().take(STEM_LETTERS).collect();
    word.fold.chars().count() >= STEM_LETTERS && read.contains(&beginning)
}

/// The field that a closing text takes of a step.
fn field_of(reference: &Reference) -> Option<String> {
    let Reference::Step { path, .. } = reference else {
        return None;
    };
    path.iter().rev().find_map(|part| match part {
        PathPart::Field(name) => Some(name.clone()),
        PathPart::Index(_) | PathPart::Every => None,
    })
}

/// Every text that a step writes out.
fn texts_of(step: &Step) -> Vec<String> {
    step.args
        .iter()
        .flat_map(|(_, argument)| literal_texts(argument))
        .collect()
}

/// The beginning of the texts that a step reads.
fn texts_read(cascade: &Cascade<'_>, step: &Step) -> String {
    let Some(manifest) = cascade.catalog.get(&step.tool) else {
        return String::new();
    };
    let home = cascade.engine.home_of(&cascade.turn.actor);
    let mut read = String::new();
    let paths = literals(step, manifest, |class| class == Class::File).into_iter();
    // Only files that were found in the home: neither what is forbidden nor what never ends.
    for (_, path) in paths.filter(|(_, path)| cascade.home.files().contains(path)) {
        let file = paths::resolve(&path, &home).ok().and_then(|path| File::open(path).ok());
        let mut bytes = Vec::new();
        let is_read = file.is_some_and(|file| file.take(FIT_READ_BYTES_MAX).read_to_end(&mut bytes).is_ok());
        if is_read {
            read.push_str(&String::from_utf8_lossy(&bytes).to_lowercase());
        }
    }
    read
}

fn object_of(tool: &ExecutorName) -> Option<Object> {
    tool.as_str().split('_').nth(1).and_then(Object::parse)
}
