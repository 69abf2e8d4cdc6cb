//! The words of commands in one language (`locales/<lang>/commands.toml`) and a message looked up in them. Read by the
//! frames of `patterns`: each asks for the classes it knows, and takes the longest phrase that has one.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;

use super::command::{Action, DeviceKind, Hue};
use crate::{
    domain::lang::Lang,
    language::{
        LanguageError,
        normal::was_question,
        spoken::{Spoken, spoken},
    },
};

/// What a phrase can be in a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Filler,
    Wake,
    All,
    Everything,
    Joint,
    NotNow,
    Act(Act),
    State(Action),
    Kind(DeviceKind),
    Here,
    House,
    Room,
    Brightness,
    Color,
    Percent,
    Most,
    Least,
    By,
    Hue(Hue),
    Clock(Clock),
    Day(u8),
    Weekday(u8),
    Month(u8),
    Unit(u64),
    LongUnit,
    Duration(u64),
    Number(Part),
    Watcher,
    WatcherStops,
    WatcherGoes,
}

/// A verb of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Says all that is done.
    Do(Action),
    /// Needs a state, a level or a colour beside it.
    Set,
    /// More of something, or open.
    Up,
    /// Less of something, or closed.
    Down,
    /// Light, and on.
    LightUp,
    /// It is too dark.
    TooDark,
    /// It is too bright.
    TooBright,
}

/// A word of clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Clock {
    Timer,
    Alarm,
    AlarmPlural,
    Reminder,
    Schedule,
    Wake,
    Remind,
    Make,
    Cancel,
    Pause,
    Resume,
    Snooze,
    More,
    Less,
    Left,
    Show,
    Ask,
    Listing,
    Next,
    Label,
    At,
    After,
    FromNow,
    Recurring,
    Am,
    Pm,
    Oclock,
    HalfPast,
    QuarterPast,
    QuarterTo,
    Noon,
    Midnight,
}

/// A part of a number in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    One,
    Half,
    Quarters(u8),
    Hundred,
    Joint,
    Unit(u8),
    Tens(u8),
    Ordinal(u8),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    filler: Vec<String>,
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
    units: BTreeMap<String, Vec<String>>,
    long_units: LongUnits,
    durations: BTreeMap<String, Vec<String>>,
    numbers: Numbers,
    watchers: Watchers,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Actions {
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
    too_dark: Vec<String>,
    too_bright: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct States {
    on: Vec<String>,
    off: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
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
    by: Vec<String>,
}

#[derive(Deserialize)]
struct ClockWords {
    days: BTreeMap<String, Vec<String>>,
    weekdays: Vec<Vec<String>>,
    months: Vec<String>,
    #[serde(flatten)]
    classes: BTreeMap<Clock, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LongUnits {
    words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Numbers {
    one: Vec<String>,
    half: Vec<String>,
    quarter: Vec<String>,
    three_quarters: Vec<String>,
    hundred: Vec<String>,
    joint: Vec<String>,
    units: Vec<String>,
    tens: Vec<String>,
    ordinals: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Watchers {
    noun: Vec<String>,
    pause: Vec<String>,
    resume: Vec<String>,
}

/// The phrases of one language.
#[derive(Default)]
pub(super) struct Words {
    phrases: HashMap<String, Vec<Class>>,
    starts: HashSet<String>,
    longest: usize,
}

impl Words {
    /// Reads the words of a language.
    pub(super) fn parse(lang: Lang, text: &str) -> Result<Self, LanguageError> {
        let what = || format!("{} commands", lang.code());
        let file: File = toml::from_str(text).map_err(|source| LanguageError::Toml { what: what(), source })?;
        let mut words = Self::default();
        words.add_plain(&file);
        words.add_devices(&file);
        words.add_clocks(&file.clock);
        for (groups, class) in [
            (&file.units, Class::Unit as fn(u64) -> Class),
            (&file.durations, Class::Duration),
        ] {
            for (seconds, forms) in groups {
                let Ok(seconds) = seconds.parse() else {
                    return Err(LanguageError::Unknown {
                        what: what(),
                        word: seconds.clone(),
                    });
                };
                words.add(forms, class(seconds));
            }
        }
        words.add_numbers(&file.numbers);
        Ok(words)
    }

    fn add_plain(&mut self, file: &File) {
        for (forms, class) in [
            (&file.filler, Class::Filler),
            (&file.wake, Class::Wake),
            (&file.all, Class::All),
            (&file.everything, Class::Everything),
            (&file.joint, Class::Joint),
            (&file.not_now, Class::NotNow),
            (&file.places.here, Class::Here),
            (&file.places.house, Class::House),
            (&file.places.rooms, Class::Room),
            (&file.values.brightness, Class::Brightness),
            (&file.values.color, Class::Color),
            (&file.values.percent, Class::Percent),
            (&file.values.most, Class::Most),
            (&file.values.least, Class::Least),
            (&file.values.by, Class::By),
            (&file.long_units.words, Class::LongUnit),
            (&file.watchers.noun, Class::Watcher),
            (&file.watchers.pause, Class::WatcherStops),
            (&file.watchers.resume, Class::WatcherGoes),
        ] {
            self.add(forms, class);
        }
    }

    fn add_devices(&mut self, file: &File) {
        let actions = &file.actions;
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
            (&actions.too_dark, Act::TooDark),
            (&actions.too_bright, Act::TooBright),
        ] {
            self.add(forms, Class::Act(act));
        }
        let states = &file.states;
        for (forms, action) in [(&states.on, Action::On), (&states.off, Action::Off)] {
            self.add(forms, Class::State(action));
        }
        for (kind, forms) in &file.kinds {
            self.add(forms, Class::Kind(*kind));
        }
        for (hue, forms) in &file.colors {
            self.add(forms, Class::Hue(*hue));
        }
    }

    fn add_clocks(&mut self, clock: &ClockWords) {
        for (class, forms) in &clock.classes {
            self.add(forms, Class::Clock(*class));
        }
        for (days, forms) in &clock.days {
            if let Ok(days) = days.parse() {
                self.add(forms, Class::Day(days));
            }
        }
        for (number, forms) in (1..).zip(&clock.weekdays) {
            self.add(forms, Class::Weekday(number));
        }
        for (number, form) in (1..).zip(&clock.months) {
            self.add(std::slice::from_ref(form), Class::Month(number));
        }
    }

    fn add_numbers(&mut self, numbers: &Numbers) {
        self.add(&numbers.one, Class::Number(Part::One));
        self.add(&numbers.half, Class::Number(Part::Half));
        self.add(&numbers.quarter, Class::Number(Part::Quarters(1)));
        self.add(&numbers.three_quarters, Class::Number(Part::Quarters(3)));
        self.add(&numbers.hundred, Class::Number(Part::Hundred));
        self.add(&numbers.joint, Class::Number(Part::Joint));
        for (number, form) in (0..).zip(&numbers.units) {
            self.add(std::slice::from_ref(form), Class::Number(Part::Unit(number)));
        }
        for (number, form) in (1..).zip(&numbers.ordinals) {
            self.add(std::slice::from_ref(form), Class::Number(Part::Ordinal(number)));
        }
        for (number, ten) in (2..).zip(&numbers.tens) {
            self.add(std::slice::from_ref(ten), Class::Number(Part::Tens(number)));
            // "ventuno", "ventotto", "ventidue": one word where the language writes one. Where it does not, these are
            // words nobody says.
            for (unit, form) in (0_u8..10).zip(&numbers.units).skip(1) {
                let stem = if form.starts_with(['u', 'o']) {
                    ten.trim_end_matches(['a', 'i'])
                } else {
                    ten
                };
                let whole = Class::Number(Part::Unit(number * 10 + unit));
                self.add(&[format!("{stem}{form}")], whole);
            }
        }
    }

    fn add(&mut self, forms: &[String], class: Class) {
        for form in forms {
            let mut words: Vec<String> = spoken(form).into_iter().map(|word| word.fold).collect();
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

    /// Looks every phrase of a message up.
    pub(super) fn look_up<'a>(&'a self, message: &'a str) -> Said<'a> {
        let words = spoken(message);
        let found = (0..words.len()).map(|at| self.phrases_at(&words, at)).collect();
        Said {
            message,
            is_question: was_question(message),
            words,
            found,
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

    /// The phrases that begin at a word, the longest first.
    fn phrases_at(&self, words: &[Spoken], at: usize) -> Vec<(usize, &[Class])> {
        let mut found = Vec::new();
        let rest = words.get(at..).unwrap_or_default();
        if !rest.first().is_some_and(|word| self.starts.contains(&word.fold)) {
            return found;
        }
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
        found.reverse();
        found
    }
}

/// A message with its phrases.
pub(super) struct Said<'a> {
    message: &'a str,
    /// It ends with a question mark.
    pub(super) is_question: bool,
    pub(super) words: Vec<Spoken>,
    found: Vec<Vec<(usize, &'a [Class])>>,
}

impl<'a> Said<'a> {
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The longest phrase here with a class that `pick` takes.
    pub(super) fn longest<T>(&self, at: usize, pick: impl Fn(Class) -> Option<T>) -> Option<(usize, T)> {
        let phrases = self.found.get(at)?;
        phrases
            .iter()
            .find_map(|(count, classes)| classes.iter().find_map(|class| Some((*count, pick(*class)?))))
    }

    /// The classes of the phrase of so many words that begins here.
    pub(super) fn classes(&self, at: usize, count: usize) -> &'a [Class] {
        let phrases = self.found.get(at).map(Vec::as_slice).unwrap_or_default();
        let found = phrases.iter().find(|(words, _)| *words == count);
        found.map_or(&[], |(_, classes)| classes)
    }

    /// How many words a phrase of this class has here.
    pub(super) fn is(&self, at: usize, class: Class) -> Option<usize> {
        self.longest(at, |found| (found == class).then_some(()))
            .map(|(count, ())| count)
    }

    /// Whether any phrase of the message has this class.
    pub(super) fn has(&self, class: Class) -> bool {
        (0..self.len()).any(|at| self.is(at, class).is_some())
    }

    /// A word as it is compared.
    pub(super) fn fold(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.fold.as_str())
    }

    /// Words as the person wrote them.
    pub(super) fn original(&self, from: usize, to: usize) -> Option<&'a str> {
        let first = self.words.get(from)?;
        let last = self.words.get(to.checked_sub(1)?)?;
        self.message.get(first.span.start..last.span.end)
    }
}
