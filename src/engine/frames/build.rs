//! Frames from manifests: those a manifest declares, or one from the roles of its arguments. Called for each request;
//! it reads manifests and nothing else, and knows no executor by name.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::domain::{
    frame::{Further, Slot, SlotRole},
    kind::Class,
    manifest::{ArgSpec, Feed, Manifest},
    vocabulary::{Object, Verb},
};

/// One way to ask for one executor.
#[derive(Debug)]
pub(crate) struct Frame<'m> {
    pub(crate) manifest: &'m Manifest,
    /// What is done.
    pub(crate) deed: String,
    /// Fixed arguments.
    pub(crate) set: Map<String, Value>,
    /// In the order they are filled.
    pub(crate) slots: Vec<Slot>,
    /// Further steps.
    pub(crate) then: Vec<Further>,
    /// What it is done to; a word for one of these is explained by the frame.
    pub(crate) objects: Vec<Object>,
    /// Stems of further words for that, from the manifest's affinity.
    pub(crate) nouns: Vec<String>,
    /// Phrases of which one stands in what is asked, where it is told by them.
    pub(crate) says: &'m [String],
    /// It is tried only where nothing else is meant.
    pub(crate) is_rest: bool,
    /// Stems of its phrases of several words: said whole, each word of one is explained.
    pub(crate) phrases: Vec<Vec<String>>,
    /// It takes nothing away.
    pub(crate) adds: bool,
    /// It was declared with its slots, which say by themselves what it is about.
    pub(crate) is_declared: bool,
}

impl Frame<'_> {
    /// Whether it leaves something behind.
    pub(crate) fn changes(&self) -> bool {
        self.manifest.effect.changes_something()
    }

    /// The argument that takes what an earlier step found.
    pub(crate) fn fed_arg(&self) -> Option<&ArgSpec> {
        fed_arg(self.manifest)
    }

    /// Whether it takes a list of whatever is there, as a whole.
    pub(crate) fn takes_any(&self) -> bool {
        takes_any(self.manifest)
    }

    /// Whether it finds things that another frame can take.
    pub(crate) fn finds(&self) -> bool {
        !self.changes() && self.manifest.verb.is_some_and(Verb::is_producer) && !self.manifest.entry_fields.is_empty()
    }
}

fn fed_arg(manifest: &Manifest) -> Option<&ArgSpec> {
    let takes = manifest.feed != Feed::None;
    let mut args = manifest.args.iter();
    args.find(|arg| takes && arg.from_entries_key.is_some())
}

/// Whether an executor with frames takes a list of whatever is there, as a whole: it must, or makes something of it.
fn takes_any(manifest: &Manifest) -> bool {
    let takes = match manifest.feed {
        Feed::Required => true,
        Feed::Optional => manifest.effect.changes_something(),
        Feed::None => false,
    };
    !manifest.frames.is_empty() && takes && fed_arg(manifest).is_none()
}

/// Whether that is what a deed does: something is made of a list.
pub(crate) fn makes_of_lists(deed: &str, manifests: &[Arc<Manifest>]) -> bool {
    let mut makers = manifests.iter().filter(|manifest| takes_any(manifest));
    makers.any(|manifest| manifest.frames.iter().any(|frame| frame.deed == deed))
}

/// All frames of these executors.
pub(crate) fn frames<'m>(manifests: &'m [Arc<Manifest>], stem: &dyn Fn(&str) -> Vec<String>) -> Vec<Frame<'m>> {
    manifests.iter().flat_map(|manifest| of(manifest, stem)).collect()
}

/// Whether its frame is made of the roles of its arguments alone.
pub(crate) fn is_open(manifest: &Manifest) -> bool {
    manifest.frames.is_empty() && manifest.args.iter().any(|arg| arg.role.is_some())
}

/// Stems of words for the thing, from the affinity. A phrase says what is done as well; a single word is a name.
pub(crate) fn nouns(manifest: &Manifest, stem: &dyn Fn(&str) -> Vec<String>) -> Vec<String> {
    let stems = manifest.affinity.iter().map(|phrase| stem(phrase));
    stems.filter(|stems| stems.len() == 1).flatten().collect()
}

/// Stems of the phrases of several words that call for it.
fn phrases(manifest: &Manifest, stem: &dyn Fn(&str) -> Vec<String>) -> Vec<Vec<String>> {
    let stems = manifest.affinity.iter().map(|phrase| stem(phrase));
    stems.filter(|stems| stems.len() > 1).collect()
}

fn of<'m>(manifest: &'m Manifest, stem: &dyn Fn(&str) -> Vec<String>) -> Vec<Frame<'m>> {
    let objects = objects(manifest);
    let nouns = nouns(manifest, stem);
    if !manifest.frames.is_empty() {
        // What is asked for word for word is read by `engine::composite`.
        let open = manifest.frames.iter().filter(|spec| spec.said.is_none());
        let declared = open.map(|spec| Frame {
            manifest,
            deed: spec.deed.clone(),
            set: spec.set.clone(),
            slots: spec.slots.clone(),
            then: spec.then.clone(),
            objects: objects.clone(),
            nouns: nouns.clone(),
            says: &spec.says,
            is_rest: spec.rest,
            phrases: Vec::new(),
            adds: spec.adds,
            is_declared: true,
        });
        return declared.collect();
    }
    let Some(verb) = manifest.verb.filter(|_| is_open(manifest)) else {
        return Vec::new();
    };
    let mut slots: Vec<Slot> = manifest.args.iter().filter_map(slot).collect();
    // What takes any words comes last: it gets what is left.
    slots.sort_by_key(|slot| (slot.role == SlotRole::What, slot.kind == "text"));
    vec![Frame {
        manifest,
        deed: deed(verb).to_owned(),
        set: Map::new(),
        slots,
        then: Vec::new(),
        objects,
        nouns,
        says: &[],
        is_rest: false,
        phrases: phrases(manifest, stem),
        adds: false,
        is_declared: false,
    }]
}

/// The slot of an argument that says what part it plays, or whose kind of value says it.
fn slot(arg: &ArgSpec) -> Option<Slot> {
    if arg.runtime_resolved {
        return None;
    }
    Some(Slot {
        arg: arg.name.clone(),
        role: arg.role.or_else(|| usual_role(arg))?,
        kind: match arg.kind.as_deref().unwrap_or_default() {
            // A frame takes these from the words, like any text.
            "" | "words" | "choice" | "glob" | "whereabouts" => "text",
            "target" => "other-folder",
            kind => kind,
        }
        .to_owned(),
        needed: arg.required,
    })
}

/// The part that values of its class play where nothing else is said; none where many could be.
fn usual_role(arg: &ArgSpec) -> Option<SlotRole> {
    match arg.class() {
        Class::File | Class::Address | Class::Text => Some(SlotRole::What),
        Class::Words if arg.kind.as_deref() == Some(Class::Words.as_str()) => Some(SlotRole::What),
        Class::Folder => Some(SlotRole::In),
        Class::Target => Some(SlotRole::To),
        Class::Number => Some(SlotRole::HowMany),
        Class::Window | Class::Moment => Some(SlotRole::When),
        Class::Glob | Class::Column | Class::Choice | Class::Whereabouts | Class::Words | Class::Unknown => None,
    }
}

/// What is done, in the words of `frames.toml`: whatever brings something in is a look.
fn deed(verb: Verb) -> &'static str {
    if verb.is_producer() || verb.is_processor() || verb == Verb::Open {
        "look"
    } else {
        verb.as_str()
    }
}

/// What an executor is about, with what the same words often stand for.
fn objects(manifest: &Manifest) -> Vec<Object> {
    /// What the same words often stand for.
    const KINDRED: [&[Object]; 3] = [
        &[
            Object::Files,
            Object::Dirs,
            Object::Texts,
            Object::Images,
            Object::Lists,
        ],
        &[Object::Events, Object::Calendars],
        &[Object::Contacts, Object::Persons],
    ];
    let Some(own) = manifest.object else {
        return Vec::new();
    };
    // Pictures have executors of their own in some households.
    let is_files = matches!(own, Object::Files | Object::Dirs);
    let kindred = KINDRED
        .iter()
        .find(|kindred| kindred.contains(&own) && (is_files || own != Object::Images));
    let others = kindred
        .into_iter()
        .copied()
        .flatten()
        .copied()
        .filter(|other| *other != own);
    std::iter::once(own).chain(others).collect()
}
