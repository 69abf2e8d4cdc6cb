//! People, as things that words mean: by their name, by a name they have in the house ("mum"), or by what they do («il
//! dentista»). Made for a turn by the family of contacts, for every domain that speaks of somebody. Of two of one name
//! it says both.
//!
//! | kind | what it is |
//! |---|---|
//! | `contact` | somebody who stands in the address book |

use std::collections::BTreeSet;

use serde_json::json;

use super::{id_of, label};
use crate::{
    agenda::{Agenda, AgendaError, Known, Owner, Read},
    domain::{fold::fold, lang::Lang},
    engine::{
        families::Scene,
        things::{Asking, Meant, Resolver},
    },
    language::{Language, outline::Word},
};

/// Everybody in one person's address book.
pub(super) struct People<'a> {
    all: Read<Known>,
    language: &'a Language,
    lang: Lang,
}

impl<'a> People<'a> {
    /// Those of whose words are read.
    pub(super) async fn of(agenda: &Agenda, owner: &Owner, scene: &Scene<'a>) -> Result<Self, AgendaError> {
        Ok(Self {
            all: agenda.contacts(owner).await?,
            language: scene.language,
            lang: scene.lang,
        })
    }

    /// Words that name somebody: of the name as they are, of what they do by their stems.
    fn names(&self, known: &Known) -> (BTreeSet<String>, Vec<String>) {
        let contact = &known.contact;
        let named = std::iter::once(&contact.name)
            .chain(&contact.nicknames)
            .chain(&contact.roles);
        let names = named.flat_map(|name| {
            let words = name.split(|letter: char| !letter.is_alphanumeric());
            words.filter(|word| !word.is_empty()).map(fold).collect::<Vec<_>>()
        });
        let roles = contact.roles.iter().chain(&contact.nicknames);
        let stems = roles.flat_map(|role| self.language.telling_stems(role, self.lang));
        (names.collect(), stems.collect())
    }

    fn contact(&self, asking: &Asking<'_>) -> Option<Meant> {
        let is_name = |word: &Word| !word.is_bound() && !word.is_time && word.literal.is_none();
        let open: Vec<usize> = asking
            .own
            .iter()
            .copied()
            .filter(|at| asking.words.get(*at).is_some_and(is_name))
            .collect();
        let said = |known: &Known| -> BTreeSet<usize> {
            let (names, stems) = self.names(known);
            let is_said = |at: &usize| {
                asking.words.get(*at).is_some_and(|word| {
                    let owner = word.fold.trim_end_matches("'s").trim_end_matches("\u{2019}s");
                    names.contains(owner) || names.contains(&word.fold) || stems.contains(&word.stem)
                })
            };
            open.iter().copied().filter(is_said).collect()
        };
        let mut fits: Vec<(&Known, BTreeSet<usize>)> = self.all.all().map(|known| (known, said(known))).collect();
        let best = fits.iter().map(|(_, words)| words.len()).max().unwrap_or_default();
        if best == 0 {
            return unknown(asking, &open);
        }
        fits.retain(|(_, words)| words.len() == best);
        let words: Vec<usize> = fits.first()?.1.iter().copied().collect();
        let ids: Vec<String> = fits.iter().map(|(known, _)| id_of(known)).collect();
        let meant = Meant::by(json!(ids), words, true);
        if fits.len() == 1 {
            return Some(meant);
        }
        let choices = fits.iter().map(|(known, _)| label(known)).collect();
        Some(Meant { choices, ..meant })
    }
}

/// A name that nobody here has, as it was written: whoever looks for it says so.
fn unknown(asking: &Asking<'_>, open: &[usize]) -> Option<Meant> {
    let is_name = |at: &&usize| asking.words.get(**at).is_some_and(|word| word.is_capital(asking.text));
    let name: Vec<usize> = open.iter().filter(is_name).copied().collect();
    let written = asking.written(&name)?;
    let written = written.trim_end_matches("'s").trim_end_matches("\u{2019}s");
    Some(Meant::by(json!([written]), name, false))
}

impl Resolver for People<'_> {
    fn knows(&self, kind: &str) -> bool {
        kind == "contact"
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        self.contact(asking)
    }
}
