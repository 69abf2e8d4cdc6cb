//! Which devices some words mean: by their whole names, by what they are, by their rooms. Made for a turn by the family
//! of devices, from what is in the home now. Of two of one name it says both.
//!
//! | kind | what it is |
//! |---|---|
//! | `device` | devices, by their names or aliases |
//! | `device-told` | the same, of those that are told about in words: not of cameras |
//! | `camera` | cameras, by their names, or by their rooms and a word for one |
//! | `device-moved` | the same, of those that open and close |
//! | `device-leveled` | of those that do more or less |
//! | `device-played` | of those that play or work on their own |
//! | `device-lock` | of locks |
//! | `device-kind` | what they are: lights, blinds |
//! | `device-state` | how they may be: on, open |
//! | `device-level` | a number they are set to |
//! | `room` | a room of the house, or a floor |
//!
//! Those of to-do lists are in `todo::things`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, LazyLock},
};

use serde::Deserialize;
use serde_json::json;

use super::{meant, said, todo::things::Lists};
use crate::{
    devices::{Device, Home},
    domain::{
        fold::fold,
        lang::{InEach, Lang},
    },
    engine::things::{Asking, Meant, Resolver},
    language::outline::Word,
};

static ENGLISH: LazyLock<Words> = LazyLock::new(|| Words::read(include_str!("../../../../locales/en/devices.toml")));
static ITALIAN: LazyLock<Words> = LazyLock::new(|| Words::read(include_str!("../../../../locales/it/devices.toml")));
static WORDS: InEach<&LazyLock<Words>> = InEach {
    english: &ENGLISH,
    italian: &ITALIAN,
};

/// What cameras are, in the home and among the words.
const CAMERA: &str = "camera";
/// Words of the longest name.
const NAME_WORDS_MAX: usize = 6;

/// The words of one language.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    rings: BTreeSet<String>,
    units: BTreeSet<String>,
    kinds: BTreeMap<String, Vec<String>>,
    states: BTreeMap<String, Vec<String>>,
}

impl Words {
    fn read(text: &str) -> Self {
        toml::from_str(text).unwrap_or_else(|error| {
            tracing::error!(%error, "the words for devices are damaged");
            Self::default()
        })
    }
}

/// Whether a device is called by what keeps others out: a cover whose kind its owner left open may be a door.
pub(super) fn is_called_a_way_in(device: &Device) -> bool {
    if device.domain() != "cover" || !device.class().is_empty() {
        return false;
    }
    let name = spaced(&device.name);
    WORDS.all().any(|words| {
        let kinds = ["door", "garage", "gate", "window"].into_iter();
        let mut called = kinds.filter_map(|kind| words.kinds.get(kind)).flatten();
        called.any(|word| name.split(' ').any(|own| own == word))
    })
}

/// A home with the words for what is in it.
pub(super) struct Known<'a> {
    home: Arc<Home>,
    rooms: Option<Vec<String>>,
    /// Where the person usually speaks from.
    area: Option<String>,
    words: &'static Words,
    todo: Lists<'a>,
}

impl<'k> Known<'k> {
    /// The home as it is now; of it only these rooms, if any are named, and of equal names the one in `area`.
    pub(super) fn new(
        (home, todo): (Arc<Home>, Lists<'k>),
        rooms: Option<Vec<String>>,
        area: Option<String>,
        lang: Lang,
    ) -> Self {
        Self {
            todo,
            home,
            rooms,
            area,
            words: WORDS.of(lang),
        }
    }

    fn seen(&self) -> impl Iterator<Item = &Device> {
        meant::seen(&self.home, self.rooms.as_deref()).filter(|device| device.domain() != "todo")
    }

    /// Everything here by all its names, but for those that are words for what rings, or for all of a kind: those may
    /// be meant, too.
    fn names(&self) -> Vec<(String, &Device)> {
        let is_kind = |name: &String| self.words.kinds.values().any(|words| words.contains(name));
        self.seen()
            .flat_map(|device| {
                let names = std::iter::once(&device.name).chain(&device.aliases);
                names.map(move |name| (spaced(name), device))
            })
            .filter(|(name, _)| !self.words.rings.contains(name) && !is_kind(name))
            .collect()
    }

    fn device(&self, asking: &Asking<'_>) -> Option<Meant> {
        let (mut bear, words) = named(asking, &self.names())?;
        bear.retain(|device| does(device, asking.slot.kind.as_str()));
        bear.dedup_by(|one, other| one.id == other.id);
        let ids: Vec<&str> = bear.iter().map(|device| device.id.as_str()).collect();
        if ids.is_empty() {
            return None;
        }
        let meant = Meant::by(json!(ids), words, true);
        if let [only] = bear.as_slice() {
            // The one of this name is elsewhere than it is said to be.
            let place = self
                .place(asking)
                .filter(|(_, words)| !words.iter().any(|at| meant.words.contains(at)));
            let is_there = place.is_none_or(|(room, _)| meant::is_in(only, &[room]));
            return is_there.then_some(meant);
        }
        // The room beside the name says which.
        let rooms: Vec<(String, &str)> = bear
            .iter()
            .filter_map(|device| Some((spaced(device.area.as_ref()?), device.id.as_str())))
            .collect();
        if let Some((ids, room)) = named(asking, &rooms)
            && let [only] = ids.as_slice()
        {
            let words = meant.words.iter().copied().chain(room).collect();
            return Some(Meant::by(json!([only]), words, true));
        }
        let own = self.area.as_slice();
        let mut near = bear.iter().filter(|device| meant::is_in(device, own));
        if let (Some(only), None) = (near.next(), near.next()) {
            return Some(Meant::by(json!([only.id]), meant.words, true));
        }
        let choices = bear.iter().map(|device| said::label(device)).collect();
        Some(Meant { choices, ..meant })
    }

    /// A camera by its whole name, by that name without the word for one, or by its room; the word for one is said.
    fn camera(&self, asking: &Asking<'_>) -> Option<Meant> {
        let called: &[String] = self.words.kinds.get(CAMERA).map_or(&[], Vec::as_slice);
        let is_kind = |at: &usize| asking.words.get(*at).is_some_and(|word| called.contains(&word.fold));
        let kind: Vec<usize> = open(asking).into_iter().filter(is_kind).collect();
        let cameras: Vec<&Device> = self.seen().filter(|device| device.domain() == CAMERA).collect();
        let short = |name: &str| {
            let mut words: Vec<&str> = name.split(' ').collect();
            words.retain(|word| !called.iter().any(|own| own == word));
            words.join(" ")
        };
        let names = cameras.iter().flat_map(|camera| {
            let names = std::iter::once(&camera.name).chain(&camera.aliases);
            names.map(move |name| (spaced(name), *camera))
        });
        let whole: Vec<(String, &Device)> = names.collect();
        let shorter = whole.iter().map(|(name, camera)| (short(name), *camera));
        let shorter: Vec<(String, &Device)> = shorter.filter(|(name, _)| !name.is_empty()).collect();
        let rooms = cameras
            .iter()
            .filter_map(|camera| Some((spaced(camera.area.as_ref()?), *camera)));
        let rooms: Vec<(String, &Device)> = rooms.collect();
        let says_kind = !kind.is_empty();
        let by_name = named(asking, &whole).filter(|(_, run)| says_kind || run.iter().any(is_kind));
        let found = by_name
            .or_else(|| named(asking, &shorter).filter(|_| says_kind))
            .or_else(|| named(asking, &rooms).filter(|_| says_kind));
        let is_bare = || says_kind && open(asking).iter().all(|at| is_kind(at) || !says_which(asking, *at));
        let (mut bear, mut words) = match found {
            Some(found) => found,
            // "The camera" is the only one, or a question.
            None => (cameras.clone(), Vec::new()),
        };
        if words.is_empty() && !is_bare() {
            return None;
        }
        bear.dedup_by(|one, other| one.id == other.id);
        words.extend(kind);
        words.sort_unstable();
        words.dedup();
        let ids: Vec<&str> = bear.iter().map(|camera| camera.id.as_str()).collect();
        let meant = Meant::by(json!(ids), words, true);
        match bear.as_slice() {
            [] => None,
            [_only] => Some(meant),
            several => Some(Meant {
                choices: several.iter().map(|camera| said::label(camera)).collect(),
                ..meant
            }),
        }
    }

    /// "Kitchen light" is the one that is called so, and not every light in the kitchen.
    fn is_in_a_name(&self, asking: &Asking<'_>, meant: &Meant) -> bool {
        let named = named(asking, &self.names());
        named.is_some_and(|(_, words)| meant.words.iter().any(|word| words.contains(word)))
    }

    /// The room that is named.
    fn place(&self, asking: &Asking<'_>) -> Option<(String, Vec<usize>)> {
        let areas = self.home.areas().iter().flat_map(|area| {
            let names = std::iter::once(&area.name).chain(&area.aliases);
            names.map(move |name| (spaced(name), area.name.as_str()))
        });
        let names: Vec<(String, &str)> = areas.collect();
        let (bear, words) = named(asking, &names)?;
        Some(((*bear.first()?).to_owned(), words))
    }

    fn room(&self, asking: &Asking<'_>) -> Option<Meant> {
        if let Some((room, words)) = self.place(asking) {
            return Some(Meant::by(json!([room]), words, true));
        }
        let floors: BTreeSet<&str> = self
            .home
            .areas()
            .iter()
            .filter_map(|area| area.floor.as_deref())
            .collect();
        let names: Vec<(String, &str)> = floors.into_iter().map(|floor| (spaced(floor), floor)).collect();
        let (bear, words) = named(asking, &names)?;
        let on_floor = self
            .home
            .areas()
            .iter()
            .filter(|area| area.floor.as_deref() == bear.first().copied());
        let rooms: Vec<&str> = on_floor.map(|area| area.name.as_str()).collect();
        Some(Meant::by(json!(rooms), words, true))
    }

    fn word(asking: &Asking<'_>, known: &BTreeMap<String, Vec<String>>) -> Option<Meant> {
        let mut own = asking.own.iter().copied();
        own.find_map(|at| {
            let word = asking.words.get(at).filter(|word| word.literal.is_none())?;
            let is_said = |words: &Vec<String>| words.contains(&word.fold);
            let (name, _) = known.iter().find(|(_, words)| is_said(words))?;
            Some(Meant::by(json!(name), vec![at], true))
        })
    }

    fn level(&self, asking: &Asking<'_>) -> Option<Meant> {
        let number = |at: usize| -> Option<f64> {
            let word = asking.words.get(at).filter(|word| word.mark.is_none())?;
            let text = asking.text.get(word.span.clone())?;
            let digits = text.trim_end_matches(|sign: char| !sign.is_ascii_digit());
            digits.replace(',', ".").parse().ok()
        };
        let (at, level) = asking.own.iter().find_map(|at| Some((*at, number(*at)?)))?;
        let is_unit = |at: &usize| {
            let word = asking.words.get(*at);
            word.is_some_and(|word| self.words.units.contains(&word.fold) || matches!(word.mark, Some('%' | '°')))
        };
        let units = (at + 1..asking.words.len()).take_while(is_unit);
        Some(Meant::by(
            json!(level),
            std::iter::once(at).chain(units).collect(),
            true,
        ))
    }
}

/// Words that may be part of a name, in their order.
pub(super) fn open(asking: &Asking<'_>) -> Vec<usize> {
    let is_word = |at: &usize| {
        let word = asking.words.get(*at);
        word.is_some_and(|word| word.literal.is_none() && word.mark.is_none())
    };
    asking.own.iter().copied().filter(is_word).collect()
}

/// The longest run of words that one of these is called by.
fn named<T: Copy>(asking: &Asking<'_>, names: &[(String, T)]) -> Option<(Vec<T>, Vec<usize>)> {
    named_among(asking, &open(asking), names)
}

/// The same among the words at these places.
pub(super) fn named_among<T: Copy>(
    asking: &Asking<'_>,
    open: &[usize],
    names: &[(String, T)],
) -> Option<(Vec<T>, Vec<usize>)> {
    let said = |run: &[usize]| -> Option<String> {
        let words: Option<Vec<&Word>> = run.iter().map(|at| asking.words.get(*at)).collect();
        let is_run = run
            .windows(2)
            .all(|pair| matches!(pair, [one, next] if one + 1 == *next));
        let folds: Vec<&str> = words
            .filter(|_| is_run)?
            .into_iter()
            .map(|word| word.fold.as_str())
            .collect();
        Some(folds.join(" "))
    };
    let mut lengths = (1..=NAME_WORDS_MAX.min(open.len())).rev();
    lengths.find_map(|length| {
        open.windows(length).find_map(|run| {
            let said = said(run)?;
            let bear: Vec<T> = names
                .iter()
                .filter(|(name, _)| *name == said)
                .map(|(_, thing)| *thing)
                .collect();
            (!bear.is_empty()).then(|| (bear, run.to_vec()))
        })
    })
}

/// Whether a word may tell one thing from another.
fn says_which(asking: &Asking<'_>, at: usize) -> bool {
    let word = asking.words.get(at);
    word.is_some_and(|word| word.is_content() && !word.is_rest && word.deeds().next().is_none())
}

/// Whether a device is of those that a kind of slot is about.
fn does(device: &Device, kind: &str) -> bool {
    let domain = device.domain();
    match kind {
        "device-moved" => matches!(domain, "cover" | "valve"),
        "device-leveled" => matches!(
            domain,
            "light" | "fan" | "media_player" | "climate" | "water_heater" | "humidifier"
        ),
        "device-played" => matches!(domain, "media_player" | "vacuum"),
        "device-lock" => domain == "lock",
        "device-told" => domain != "camera",
        _ => true,
    }
}

/// A name as words are: folded, one space between.
pub(super) fn spaced(name: &str) -> String {
    fold(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Resolver for Known<'_> {
    fn knows(&self, kind: &str) -> bool {
        Lists::knows(kind)
            || matches!(
                kind,
                "device"
                    | "device-told"
                    | "camera"
                    | "device-moved"
                    | "device-leveled"
                    | "device-played"
                    | "device-lock"
                    | "device-kind"
                    | "device-state"
                    | "device-level"
                    | "room"
            )
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn says_which(&self, asking: &Asking<'_>) -> bool {
        let mut words = asking.clause.iter().filter_map(|at| asking.words.get(*at));
        let is_kind = |word: &Word| self.words.kinds.values().any(|words| words.contains(&word.fold));
        !Lists::knows(&asking.slot.kind) && words.any(is_kind) || self.place(asking).is_some()
    }

    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        match asking.slot.kind.as_str() {
            "device-kind" => Self::word(asking, &self.words.kinds).filter(|meant| !self.is_in_a_name(asking, meant)),
            "device-state" => Self::word(asking, &self.words.states),
            "device-level" => self.level(asking),
            "camera" => self.camera(asking),
            kind if Lists::knows(kind) => self.todo.meant(asking),
            "room" => self.room(asking).filter(|meant| !self.is_in_a_name(asking, meant)),
            _ => self.device(asking),
        }
    }
}
