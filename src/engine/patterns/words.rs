//! The words of commands in one language (`locales/<lang>/commands.toml`), with the forms a language makes of them.
//! Read at the start by `patterns`; `said` looks a message up in them. No word of any language stands here.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use serde::Deserialize;

use super::{
    classes::{Act, Class, Clock},
    command::{Action, DeviceKind, Hue},
    said::{Found, Said},
};
use crate::{
    domain::lang::Lang,
    language::{
        LanguageError,
        spoken::{Spoken, spoken},
        time::{Heard, Times},
    },
};

/// Stands for the words between the two parts of a verb: "take … off".
const GAP: &str = " … ";
/// Most words between the two parts of a verb.
const GAP_WORDS_MAX: usize = 8;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    filler: Vec<String>,
    polite: Vec<String>,
    definite: Vec<String>,
    pronouns: Vec<String>,
    elsewhere: Vec<String>,
    of: Vec<String>,
    noun_last: bool,
    reasons: Reasons,
    enclitics: Enclitics,
    wake: Vec<String>,
    all: Vec<String>,
    everything: Vec<String>,
    joint: Vec<String>,
    not_now: Vec<String>,
    actions: Actions,
    states: States,
    kinds: HashMap<DeviceKind, Vec<String>>,
    places: Places,
    values: Values,
    colors: HashMap<Hue, Vec<String>>,
    clock: ClockWords,
    one: Vec<String>,
    watchers: Watchers,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reasons {
    remarks: Vec<String>,
    because: Vec<String>,
    links: Vec<String>,
    binds: Vec<String>,
    endings: Vec<String>,
}

/// Pronouns a verb takes at its end: "spegnila", "accendimi".
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enclitics {
    object: Vec<String>,
    person: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Actions {
    plays: Vec<String>,
    on: Vec<String>,
    off: Vec<String>,
    toggle: Vec<String>,
    open: Vec<String>,
    close: Vec<String>,
    lock: Vec<String>,
    unlock: Vec<String>,
    set: Vec<String>,
    up: Vec<String>,
    down: Vec<String>,
    light_up: Vec<String>,
    stop: Vec<String>,
    too_dark: Vec<String>,
    too_bright: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct States {
    on: Vec<String>,
    off: Vec<String>,
    reached_on: Vec<String>,
    reached_off: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
    inside: Vec<String>,
    here: Vec<String>,
    house: Vec<String>,
    rooms: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    brightness: Vec<String>,
    color: Vec<String>,
    percent: Vec<String>,
    most: Vec<String>,
    least: Vec<String>,
    middle: Vec<String>,
    by: Vec<String>,
}

#[derive(Deserialize)]
struct ClockWords {
    #[serde(flatten)]
    classes: BTreeMap<Clock, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Watchers {
    noun: Vec<String>,
    pause: Vec<String>,
    resume: Vec<String>,
}

/// The phrases of one language.
pub(super) struct Words {
    lang: Lang,
    times: Arc<Times>,
    phrases: HashMap<String, Vec<Class>>,
    starts: HashSet<String>,
    longest: usize,
    /// Verbs in two parts, by the first word.
    apart: HashMap<String, Vec<Apart>>,
    /// Endings of verbs that tell something of the speakers.
    telling: Vec<String>,
    enclitics: Option<Enclitics>,
    /// "The heater plug": the noun comes after what it is called. "La presa della stufa": before.
    pub(super) noun_last: bool,
}

/// A verb in two parts with something between them.
struct Apart {
    first: Vec<String>,
    last: Vec<String>,
    classes: Vec<Class>,
}

impl Words {
    /// Reads the words of a language.
    pub(super) fn parse(lang: Lang, text: &str, times: &Arc<Times>) -> Result<Self, LanguageError> {
        let file: File = toml::from_str(text).map_err(|source| LanguageError::Toml {
            what: format!("{} commands", lang.code()),
            source,
        })?;
        let mut words = Self {
            lang,
            times: Arc::clone(times),
            noun_last: file.noun_last,
            telling: file.reasons.endings.clone(),
            enclitics: None,
            phrases: HashMap::new(),
            starts: HashSet::new(),
            longest: 0,
            apart: HashMap::new(),
        };
        words.add_plain(&file);
        words.add_reasons(&file);
        words.enclitics = Some(file.enclitics);
        words.add_devices(&file.actions);
        words.add_states(&file.states, &file.kinds, &file.colors);
        words.add_clocks(&file.clock);
        Ok(words)
    }

    fn add_plain(&mut self, file: &File) {
        for (forms, class) in [
            (&file.filler, Class::Filler),
            (&file.wake, Class::Wake),
            (&file.all, Class::All),
            (&file.everything, Class::Everything),
            (&file.joint, Class::Joint),
            (&file.one, Class::One),
            (&file.not_now, Class::NotNow),
            (&file.places.here, Class::Here),
            (&file.places.house, Class::House),
            (&file.places.rooms, Class::Room),
            (&file.values.brightness, Class::Brightness),
            (&file.values.color, Class::Color),
            (&file.values.percent, Class::Percent),
            (&file.values.most, Class::Most),
            (&file.values.least, Class::Least),
            (&file.values.middle, Class::Middle),
            (&file.values.by, Class::By),
            (&file.watchers.noun, Class::Watcher),
            (&file.watchers.pause, Class::WatcherStops),
            (&file.watchers.resume, Class::WatcherGoes),
        ] {
            self.add(forms, class);
        }
    }

    fn add_reasons(&mut self, file: &File) {
        let reasons = &file.reasons;
        for (forms, class) in [
            (&file.polite, Class::Filler),
            (&file.polite, Class::Polite),
            (&file.definite, Class::Filler),
            (&file.definite, Class::Definite),
            (&file.pronouns, Class::Pronoun),
            (&file.elsewhere, Class::Elsewhere),
            (&file.actions.plays, Class::Plays),
            (&file.places.inside, Class::Filler),
            (&file.places.inside, Class::Inside),
            (&file.of, Class::Filler),
            (&file.of, Class::Of),
            (&reasons.remarks, Class::Remark),
            (&reasons.because, Class::Because),
            (&reasons.links, Class::Link),
            (&reasons.binds, Class::Binds),
        ] {
            self.add(forms, class);
        }
    }

    fn add_devices(&mut self, actions: &Actions) {
        for (forms, act) in [
            (&actions.on, Act::Do(Action::On)),
            (&actions.off, Act::Do(Action::Off)),
            (&actions.toggle, Act::Do(Action::Toggle)),
            (&actions.open, Act::Do(Action::Open)),
            (&actions.close, Act::Do(Action::Close)),
            (&actions.lock, Act::Do(Action::Lock)),
            (&actions.unlock, Act::Do(Action::Unlock)),
            (&actions.set, Act::Set),
            (&actions.up, Act::Up),
            (&actions.down, Act::Down),
            (&actions.light_up, Act::LightUp),
            (&actions.stop, Act::Stop),
            (&actions.too_dark, Act::TooDark),
            (&actions.too_bright, Act::TooBright),
        ] {
            self.add_verbs(forms, Class::Act(act));
        }
    }

    fn add_states(
        &mut self,
        states: &States,
        kinds: &HashMap<DeviceKind, Vec<String>>,
        colors: &HashMap<Hue, Vec<String>>,
    ) {
        for (forms, class) in [
            (&states.on, Class::State(Action::On)),
            (&states.off, Class::State(Action::Off)),
            (&states.reached_on, Class::Reached(Action::On)),
            (&states.reached_off, Class::Reached(Action::Off)),
        ] {
            self.add(forms, class);
        }
        for (kind, forms) in kinds {
            self.add(forms, Class::Kind(*kind));
        }
        for (hue, forms) in colors {
            self.add(forms, Class::Hue(*hue));
        }
    }

    /// Verbs, with the pronouns they take at their end; a pronoun for a thing stays one.
    fn add_verbs(&mut self, forms: &[String], class: Class) {
        self.add(forms, class);
        let Some(enclitics) = self.enclitics.take() else { return };
        for form in forms
            .iter()
            .filter(|form| form.ends_with(['a', 'e', 'i']) && !form.contains(' '))
        {
            // "accendere" loses its last letter, "accendi" does not.
            let stem = form
                .strip_suffix("re")
                .map_or_else(|| form.clone(), |stem| format!("{stem}r"));
            let with = |ending: &String| format!("{stem}{ending}");
            let objects: Vec<String> = enclitics.object.iter().map(with).collect();
            let persons: Vec<String> = enclitics.person.iter().map(with).collect();
            self.add(&objects, class);
            self.add(&objects, Class::Pronoun);
            self.add(&persons, class);
        }
        self.enclitics = Some(enclitics);
    }

    fn add_clocks(&mut self, clock: &ClockWords) {
        for (class, forms) in &clock.classes {
            if class.is_verb() {
                self.add_verbs(forms, Class::Clock(*class));
            } else {
                self.add(forms, Class::Clock(*class));
            }
        }
    }

    fn add(&mut self, forms: &[String], class: Class) {
        for form in forms {
            let folds = |form: &str| -> Vec<String> { spoken(form).into_iter().map(|word| word.fold).collect() };
            if let Some((first, last)) = form.split_once(GAP) {
                self.add_apart(folds(first), folds(last), class);
                continue;
            }
            let mut words = folds(form);
            // An elision keeps its apostrophe, as it does before a word.
            if let Some(last) = words.last_mut().filter(|_| form.ends_with('\'')) {
                last.push('\'');
            }
            let Some(first) = words.first() else { continue };
            self.starts.insert(first.clone());
            self.longest = self.longest.max(words.len());
            let classes = self.phrases.entry(words.join(" ")).or_default();
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
    }

    fn add_apart(&mut self, first: Vec<String>, last: Vec<String>, class: Class) {
        let Some(word) = first.first() else { return };
        let known = self.apart.entry(word.clone()).or_default();
        match known
            .iter_mut()
            .find(|apart| apart.first == first && apart.last == last)
        {
            Some(apart) => apart.classes.push(class),
            None => known.push(Apart {
                first,
                last,
                classes: vec![class],
            }),
        }
    }

    /// The kind of device a name speaks of; of several the one that names the thing, which stands where the language
    /// puts it: the longest phrase, then the last.
    pub(super) fn kind_in(&self, name: &str) -> Option<DeviceKind> {
        let said = self.look_up(name);
        let kind = |class| {
            if let Class::Kind(kind) = class {
                Some(kind)
            } else {
                None
            }
        };
        let found = (0..said.len()).filter_map(|at| said.longest(at, kind));
        found.max_by_key(|(count, _)| *count).map(|(_, kind)| kind)
    }

    /// The numbers and times of a message, in the same language.
    pub(super) fn heard(&self, text: &str) -> Heard<'_> {
        self.times.heard(text, self.lang)
    }

    /// Looks every phrase of a message up.
    pub(super) fn look_up<'a>(&'a self, message: &'a str) -> Said<'a> {
        Said::new(self, message, spoken(message))
    }

    /// The phrases that begin at a word, the longest first.
    pub(super) fn phrases_at(&self, words: &[Spoken], at: usize) -> Vec<Found<'_>> {
        let mut found = Vec::new();
        let rest = words.get(at..).unwrap_or_default();
        let Some(word) = rest.first() else { return found };
        if self.starts.contains(&word.fold) {
            let mut phrase = String::new();
            for (index, word) in rest.iter().take(self.longest).enumerate() {
                if index > 0 {
                    phrase.push(' ');
                }
                phrase.push_str(&word.fold);
                if let Some(classes) = self.phrases.get(phrase.as_str()) {
                    found.push((index + 1, classes.as_slice()));
                }
            }
        }
        let tells = |ending: &String| word.fold.len() > ending.len() + 1 && word.fold.ends_with(ending.as_str());
        if found.is_empty() && self.telling.iter().any(tells) {
            found.push((1, &[Class::Remark]));
        }
        found.reverse();
        found
    }

    /// The verbs in two parts that begin at a word: how long each part is, where the last one stands, what they mean.
    pub(super) fn apart_at(&self, words: &[Spoken], at: usize) -> Vec<(usize, usize, usize, &[Class])> {
        let begins = |at: usize, part: &[String]| {
            let here = words.get(at..at + part.len());
            here.is_some_and(|here| here.iter().zip(part).all(|(word, own)| word.fold == *own))
        };
        let known = words.get(at).and_then(|word| self.apart.get(&word.fold));
        let mut found = Vec::new();
        for apart in known.into_iter().flatten().filter(|apart| begins(at, &apart.first)) {
            let from = at + apart.first.len() + 1;
            if let Some(last) = (from..from + GAP_WORDS_MAX).find(|last| begins(*last, &apart.last)) {
                found.push((apart.first.len(), last, apart.last.len(), apart.classes.as_slice()));
            }
        }
        found
    }
}
