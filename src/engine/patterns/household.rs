//! What a household has: its devices, rooms and watchers by their names. Whoever owns the devices makes it; `patterns`
//! looks names up in it, so that a word nobody knows is never taken for a device. It is a snapshot and asks nobody.

use std::collections::{HashMap, HashSet};

use super::command::{DeviceKind, Target};
use crate::language::spoken::{Spoken, spoken};

/// A device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// What people call it.
    pub name: String,
    /// What else they call it.
    pub aliases: Vec<String>,
    /// What it is.
    pub kind: DeviceKind,
    /// The name of its room.
    pub area: Option<String>,
    /// The name of its floor.
    pub floor: Option<String>,
}

/// A room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// What people call it.
    pub name: String,
    /// What else they call it.
    pub aliases: Vec<String>,
}

/// What a name stands for, as an index of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Device(usize),
    Area(usize),
    Floor(usize),
    Watcher(usize),
}

/// The devices, rooms, floors and watchers of a household.
#[derive(Clone, Debug, Default)]
pub struct Household {
    devices: Vec<Device>,
    areas: Vec<Area>,
    floors: Vec<String>,
    watchers: Vec<String>,
    speaker_in: Option<String>,
    names: HashMap<String, Vec<Named>>,
    starts: HashSet<String>,
    longest: usize,
}

impl Household {
    /// Indexes the names.
    pub fn new(devices: Vec<Device>, areas: Vec<Area>, floors: Vec<String>, watchers: Vec<String>) -> Self {
        let mut household = Self::default();
        for (at, device) in devices.iter().enumerate() {
            for name in std::iter::once(&device.name).chain(&device.aliases) {
                household.add(name, Named::Device(at));
            }
        }
        for (at, area) in areas.iter().enumerate() {
            for name in std::iter::once(&area.name).chain(&area.aliases) {
                household.add(name, Named::Area(at));
            }
        }
        for (at, floor) in floors.iter().enumerate() {
            household.add(floor, Named::Floor(at));
        }
        for (at, watcher) in watchers.iter().enumerate() {
            household.add(watcher, Named::Watcher(at));
        }
        Self {
            devices,
            areas,
            floors,
            watchers,
            ..household
        }
    }

    /// What of the household lies in these rooms.
    #[must_use]
    pub fn within(&self, areas: &[String]) -> Self {
        let inside = |area: &String| areas.iter().any(|own| own.to_lowercase() == area.to_lowercase());
        let devices = self
            .devices
            .iter()
            .filter(|device| device.area.as_ref().is_some_and(inside));
        let rooms = self.areas.iter().filter(|area| inside(&area.name));
        Self::new(
            devices.cloned().collect(),
            rooms.cloned().collect(),
            Vec::new(),
            Vec::new(),
        )
    }

    /// A room as it is called here, by any of its names.
    pub fn room(&self, said: &str) -> Option<&str> {
        let said = said.to_lowercase();
        let is_it = |area: &&Area| {
            let mut names = std::iter::once(&area.name).chain(&area.aliases);
            names.any(|name| name.to_lowercase() == said)
        };
        self.areas.iter().find(is_it).map(|area| area.name.as_str())
    }

    /// The same household, spoken to from this room.
    pub fn heard_in(mut self, area: &str) -> Self {
        self.speaker_in = Some(area.to_owned());
        self
    }

    /// The room the person is in, if that is known.
    pub(super) fn speaker_in(&self) -> Option<&str> {
        self.speaker_in.as_deref()
    }

    fn add(&mut self, name: &str, named: Named) {
        let words: Vec<String> = spoken(name).into_iter().map(|word| word.fold).collect();
        if let Some(first) = words.first() {
            self.starts.insert(first.clone());
            self.longest = self.longest.max(words.len());
            self.names.entry(words.join(" ")).or_default().push(named);
        }
    }

    /// Nothing is known of this household, so nothing can be said to be missing in it.
    pub fn is_unknown(&self) -> bool {
        self.devices.is_empty() && self.areas.is_empty()
    }

    /// The devices a target stands for; none when it names nothing that is here.
    pub fn meant(&self, target: &Target) -> Vec<&Device> {
        let is_in = |device: &&Device, areas: &[String]| device.area.as_ref().is_some_and(|own| areas.contains(own));
        let named: Vec<&Device> = self
            .devices
            .iter()
            .filter(|device| target.names.contains(&device.name))
            .filter(|device| target.areas.is_empty() || device.area.is_none() || is_in(device, &target.areas))
            .collect();
        if !target.names.is_empty() {
            // "the kitchen lights and the oven" is two things; "the desk lamp light" is one said twice.
            let fits = |device: &&Device| target.kind.is_none_or(|word| device.kind.is_called(word));
            return if named.iter().any(fits) { named } else { Vec::new() };
        }
        let here: Vec<String> = self.speaker_in.iter().cloned().collect();
        let placed = !target.areas.is_empty() || target.floor.is_some();
        if target.here && here.is_empty() || target.unknown_room.is_some() {
            return Vec::new();
        }
        let nearby = !placed && !target.house && !here.is_empty();
        self.devices
            .iter()
            .filter(|device| {
                target
                    .kind
                    .map_or(device.kind.is_cover(), |word| device.kind.is_called(word))
            })
            .filter(|device| target.areas.is_empty() || is_in(device, &target.areas))
            .filter(|device| target.floor.is_none() || device.floor == target.floor)
            .filter(|device| !nearby || is_in(device, &here))
            .collect()
    }

    /// The devices a target names, one for each name, wherever they are.
    pub(super) fn named(&self, target: &Target) -> impl Iterator<Item = &Device> {
        let device = |name: &String| self.devices.iter().find(|device| device.name == *name);
        target.names.iter().filter_map(device)
    }

    /// How many devices bear a name.
    pub fn bear(&self, name: &str) -> usize {
        self.devices.iter().filter(|device| device.name == name).count()
    }

    pub(super) fn device(&self, at: usize) -> Option<&Device> {
        self.devices.get(at)
    }

    pub(super) fn devices(&self) -> &[Device] {
        &self.devices
    }

    pub(super) fn area(&self, at: usize) -> Option<&str> {
        self.areas.get(at).map(|area| area.name.as_str())
    }

    pub(super) fn floor(&self, at: usize) -> Option<&str> {
        self.floors.get(at).map(String::as_str)
    }

    pub(super) fn watchers(&self) -> &[String] {
        &self.watchers
    }

    /// The longest name that begins at a word, with everything that bears it.
    pub(super) fn longest(&self, words: &[Spoken], at: usize) -> Option<(usize, &[Named])> {
        if !self.starts.contains(&words.get(at)?.fold) {
            return None;
        }
        let most = self.longest.min(words.len() - at);
        (1..=most).rev().find_map(|count| {
            let phrase: Vec<&str> = words
                .get(at..at + count)?
                .iter()
                .map(|word| word.fold.as_str())
                .collect();
            Some((count, self.names.get(&phrase.join(" "))?.as_slice()))
        })
    }
}
