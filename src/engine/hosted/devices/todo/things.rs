//! Which to-do list of Home Assistant some words mean, and which of its items. Asked by `devices::things`. A list is
//! meant by its whole name; where a file of the person answers to that name, too, the file is, unless Home Assistant
//! was named. No item is meant where no list is.
//!
//! | kind | what it is |
//! |---|---|
//! | `todo-list` | lists, by their names or aliases |
//! | `todo-item` | what stands on the list that is named |
//! | `todo-new` | what is to be put on it |

use std::collections::BTreeMap;

use metnos_homeassistant::{Item, Link};
use serde_json::{Value, json};

use super::super::{
    said,
    things::{named_among, open, spaced},
};
use crate::{
    devices::Device,
    domain::{fold::fold, limits::DEVICES_WAIT},
    engine::things::{Asking, Meant, files::Files, new_lines},
    language::outline::{Sign, Word},
};

/// How the server is called, in every language.
const HOUSE: [&str; 2] = ["home", "assistant"];
/// Items that one request means.
const ITEMS_MEANT_MAX: usize = 20;

/// The lists that a person may see, with what stands on those that a request may be about.
pub(in super::super) struct Lists<'a> {
    lists: Vec<Device>,
    items: BTreeMap<String, Vec<Item>>,
    files: Files<'a>,
    area: Option<String>,
}

impl<'a> Lists<'a> {
    /// Of these devices. What stands on a list is asked only where the request names it.
    pub(in super::super) async fn of<'d>(
        devices: impl Iterator<Item = &'d Device>,
        link: Option<&Link>,
        text: &str,
        files: Files<'a>,
        area: Option<String>,
    ) -> Self {
        let lists: Vec<Device> = devices.filter(|device| device.domain() == "todo").cloned().collect();
        let said = spaced(&fold(text));
        let mut items = BTreeMap::new();
        for list in &lists {
            let is_said = names(list).any(|name| said.contains(&name));
            if let Some(link) = link.filter(|_| is_said)
                && let Ok(Ok(own)) = tokio::time::timeout(DEVICES_WAIT, link.items(&list.entity)).await
            {
                items.insert(list.id.clone(), own);
            }
        }
        Self {
            lists,
            items,
            files,
            area,
        }
    }

    /// Whether things of this kind are its own.
    pub(in super::super) fn knows(kind: &str) -> bool {
        matches!(kind, "todo-list" | "todo-item" | "todo-new")
    }

    pub(in super::super) fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        match asking.slot.kind.as_str() {
            "todo-list" => self.list(asking),
            "todo-item" => self.item(asking),
            _ => Self::new_items(asking, &[]),
        }
    }

    fn list(&self, asking: &Asking<'_>) -> Option<Meant> {
        let house = house(asking);
        let lists = lists_said(asking);
        // "List" says a deed as well; behind "what's on" it is part of a name.
        let mut own: Vec<usize> = open(asking).into_iter().chain(lists.iter().copied()).collect();
        own.retain(|at| !house.contains(at));
        own.sort_unstable();
        own.dedup();
        let all: Vec<(String, &Device)> = self
            .lists
            .iter()
            .flat_map(|list| names(list).map(move |name| (name, list)))
            .collect();
        let Some((mut bear, run)) = named_among(asking, &own, &all) else {
            return self.by_house(asking, &own, &house);
        };
        bear.dedup_by(|one, other| one.id == other.id);
        let says_list = !lists.is_empty() || run.iter().any(|at| is(asking, *at, &Sign::ListName));
        if house.is_empty() && (!says_list || self.is_file(asking, &run)) {
            return None;
        }
        let words = run.into_iter().chain(house).chain(lists).collect();
        Some(self.one_of(&bear, words))
    }

    /// One of these, or the question which.
    fn one_of(&self, bear: &[&Device], mut words: Vec<usize>) -> Meant {
        words.sort_unstable();
        words.dedup();
        let near = |list: &&&Device| {
            let area = self.area.as_deref().map(fold);
            area.is_some() && list.area.as_deref().map(fold) == area
        };
        let mut own = bear.iter().filter(near);
        let only = match (bear, own.next(), own.next()) {
            ([only], ..) | (_, Some(only), None) => Some(only),
            _ => None,
        };
        if let Some(only) = only {
            return Meant::by(json!([only.id]), words, true);
        }
        let ids: Vec<&str> = bear.iter().map(|list| list.id.as_str()).collect();
        let choices = bear.iter().map(|list| said::label(list)).collect();
        Meant {
            choices,
            ..Meant::by(json!(ids), words, true)
        }
    }

    /// "The list of Home Assistant": the only one, or the words as they are, for whoever knows that none is called so.
    fn by_house(&self, asking: &Asking<'_>, own: &[usize], house: &[usize]) -> Option<Meant> {
        let lists = lists_said(asking);
        let last = *lists.last().filter(|_| !house.is_empty() && !self.lists.is_empty())?;
        let names = |at: &usize| {
            let word = asking.words.get(*at);
            word.is_some_and(|word| word.is_content() && word.deeds().next().is_none() && !word.is_rest)
        };
        let beside: Vec<usize> = own
            .iter()
            .copied()
            .filter(|at| names(at) && !lists.contains(at))
            .collect();
        // Right before the word for a list, or right behind it, and no further.
        let before = (0..last).rev().take_while(|at| beside.contains(at)).count();
        let is_small = |at: &usize| asking.words.get(*at).is_some_and(|word| word.is_glue);
        let first = (last + 1..asking.words.len()).find(|at| !is_small(at)).unwrap_or(last);
        let behind = (first..asking.words.len()).take_while(|at| beside.contains(at)).count();
        let words: Vec<usize> = match (before, behind) {
            (0, 0) => vec![last],
            (0, behind) => (last..first + behind).collect(),
            (before, _) => (last - before..=last).collect(),
        };
        let all: Vec<usize> = words.iter().chain(house).chain(&lists).copied().collect();
        if words.len() == 1 {
            let every: Vec<&Device> = self.lists.iter().collect();
            return Some(self.one_of(&every, all));
        }
        let name = asking.written(&words)?.to_owned();
        Some(Meant::by(json!([name]), all, true))
    }

    /// Whether a list that the person keeps as a file answers to these words.
    fn is_file(&self, asking: &Asking<'_>, run: &[usize]) -> bool {
        let telling = run.iter().filter(|at| !is(asking, **at, &Sign::List));
        let stems: Vec<&str> = telling
            .filter_map(|at| asking.words.get(*at))
            .filter(|word| !word.is_glue)
            .map(|word| word.stem.as_str())
            .collect();
        self.files.has_text_of(&stems)
    }

    fn item(&self, asking: &Asking<'_>) -> Option<Meant> {
        let lists = asking.filled_with("todo-list").and_then(Value::as_array)?;
        let of = lists.iter().filter_map(|list| self.items.get(list.as_str()?));
        let all: Vec<(String, &str)> = of
            .flatten()
            .map(|item| (spaced(&item.summary), item.summary.as_str()))
            .collect();
        let (mut own, mut words, mut found) = (open(asking), Vec::new(), Vec::new());
        while let Some((bear, run)) = named_among(asking, &own, &all).filter(|_| found.len() < ITEMS_MEANT_MAX) {
            own.retain(|at| !run.contains(at));
            found.extend(bear.first().map(|name| json!(name)));
            words.extend(run);
        }
        // What does not stand there is passed on: who knows the list says so.
        let others = Self::new_items(asking, &words);
        if let Some(others) = others {
            found.extend(others.value.as_array().into_iter().flatten().cloned());
            words.extend(others.words);
        }
        words.sort_unstable();
        (!found.is_empty()).then(|| Meant::by(Value::Array(found), words, true))
    }

    /// What is said beside the list, thing by thing; without words that mean something already.
    fn new_items(asking: &Asking<'_>, without: &[usize]) -> Option<Meant> {
        asking.filled_with("todo-list")?;
        let left = |places: &[usize]| places.iter().copied().filter(|at| !without.contains(at)).collect();
        let rest = Asking {
            own: left(&asking.own),
            free: left(&asking.free),
            ..*asking
        };
        let meant = new_lines(&rest)?;
        let lines = meant.value.as_str()?.lines().map(str::trim);
        let things: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        Some(Meant {
            value: json!(things),
            ..meant
        })
    }
}

/// All that a list is called.
fn names(list: &Device) -> impl Iterator<Item = String> {
    std::iter::once(&list.name)
        .chain(&list.aliases)
        .map(|name| spaced(name))
}

fn is(asking: &Asking<'_>, at: usize, sign: &Sign) -> bool {
    asking.words.get(at).is_some_and(|word| word.may_be(sign))
}

/// Places of the words for a list.
fn lists_said(asking: &Asking<'_>) -> Vec<usize> {
    let mut clause = asking.clause.to_vec();
    clause.retain(|at| is(asking, *at, &Sign::List) && asking.words.get(*at).is_some_and(|word| !word.is_rest));
    clause
}

/// Places of the server's name.
fn house(asking: &Asking<'_>) -> Vec<usize> {
    let says = |at: usize| {
        let words = asking.words.get(at..at + HOUSE.len());
        let is_it = |(word, name): (&Word, &str)| word.mark.is_none() && word.fold == name;
        words.is_some_and(|words| words.iter().zip(HOUSE).all(is_it))
    };
    let found = asking.clause.iter().copied().find(|at| says(*at));
    found.map_or_else(Vec::new, |at| (at..at + HOUSE.len()).collect())
}
