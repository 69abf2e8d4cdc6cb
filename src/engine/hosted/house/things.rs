//! Whom of the house some words mean, and the words they are told. Made for a turn by the family of the house, from the
//! names that people have here; it looks at nothing else.
//!
//! | kind | what it is |
//! |---|---|
//! | `housemate` | people of the house, by name, or all the others |
//! | `told-text` | what they are told: the rest of the message |

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::json;

use crate::{
    domain::{
        actor::Actor,
        fold::fold,
        lang::{InEach, Lang},
    },
    engine::things::{Asking, Meant, Resolver},
    language::outline::Sign,
};

const WORDS: InEach<&str> = InEach {
    english: include_str!("../../../../locales/en/house.toml"),
    italian: include_str!("../../../../locales/it/house.toml"),
};

/// The words around what somebody is told, in one language.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// Lead to it, and are no part of it.
    leads: Vec<String>,
}

impl Words {
    /// Those that come with the program.
    pub(super) fn of(lang: Lang) -> Self {
        toml::from_str(WORDS.of(lang)).unwrap_or_else(|error| {
            tracing::error!(%error, "the words around what is told are damaged");
            Self::default()
        })
    }
}

/// Everybody but whoever speaks.
pub(super) struct Housemates {
    pub(super) others: Vec<Actor>,
    pub(super) words: Words,
}

impl Housemates {
    fn housemate(&self, asking: &Asking<'_>) -> Option<Meant> {
        let says = |name: &str, at: &usize| {
            let word = asking.words.get(*at);
            word.is_some_and(|word| word.fold == fold(name) && word.literal.is_none() && word.mark.is_none())
        };
        // A name is said right behind the deed, or behind a word that leads to it: later ones belong to the text.
        let mut names = Vec::new();
        let mut used = Vec::new();
        for at in &asking.own {
            let word = asking.words.get(*at)?;
            if word.may_be(&Sign::All) || word.may_be(&Sign::Both) {
                names.extend(self.others.iter().map(|one| one.name.clone()));
                used.push(*at);
            } else if let Some(one) = self.others.iter().find(|one| says(&one.name, at)) {
                names.push(one.name.clone());
                used.push(*at);
            } else if !names.is_empty() || !word.is_glue && !word.may_be(&Sign::Connector) {
                let goes_on = word.may_be(&Sign::Connector) && !names.is_empty();
                let next = asking.words.get(at + 1);
                let is_name = next.is_some_and(|next| self.others.iter().any(|one| fold(&one.name) == next.fold));
                if !(goes_on && is_name) {
                    break;
                }
                used.push(*at);
            }
        }
        let unique: BTreeSet<&String> = names.iter().collect();
        (!names.is_empty()).then(|| Meant::by(json!(unique), used, true))
    }

    /// What is left of the message, without the words that only lead to it: "that dinner is ready".
    fn told(&self, asking: &Asking<'_>) -> Option<Meant> {
        let first = asking.own.first().copied()?;
        let is_open = |at: &usize| asking.own.contains(at) || !asking.clause.contains(at) && asking.free.contains(at);
        let open: Vec<usize> = (first..asking.words.len()).filter(is_open).collect();
        let word = |at: &usize| asking.words.get(*at);
        let is_mark = |at: &usize| word(at).is_some_and(|word| word.mark.is_some());
        let leads = |at: &usize| is_mark(at) || word(at).is_some_and(|word| self.words.leads.contains(&word.fold));
        let mut run: Vec<usize> = open.iter().copied().skip_while(leads).collect();
        while run.last().is_some_and(is_mark) {
            run.pop();
        }
        let text = asking.written(&run)?;
        Some(Meant::by(json!(text), open, true))
    }
}

impl Resolver for Housemates {
    fn knows(&self, kind: &str) -> bool {
        matches!(kind, "housemate" | "told-text")
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        match asking.slot.kind.as_str() {
            "housemate" => self.housemate(asking),
            _ => self.told(asking),
        }
    }
}
