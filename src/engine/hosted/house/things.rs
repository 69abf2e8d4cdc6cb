//! Whom of the house some words mean, and the words they are told. Made for a turn by the family of the house, from the
//! names that people have here; it looks at nothing else.
//!
//! | kind | what it is |
//! |---|---|
//! | `housemate` | people of the house, by name, or all the others; else a name that nobody has here |
//! | `told-text` | what they are told: the rest of the message |

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::json;

use crate::{
    domain::{
        actor::Actor,
        fold::fold,
        frame::SlotRole,
        lang::{InEach, Lang},
        vocabulary::Object,
    },
    engine::things::{Asking, Meant, Resolver},
    language::outline::{Sign, Word},
};

/// The deed of every question.
const LOOK: &str = "look";

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
    /// Mean all people, and no things.
    everybody: Vec<String>,
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

/// People that some words name.
struct Named {
    names: Vec<String>,
    /// How many words name them.
    length: usize,
    /// They live here.
    are_here: bool,
}

impl Housemates {
    /// A name is said right behind the deed, or behind a word that leads to it: later ones belong to the text. One that
    /// nobody has here is kept as it was written, and the executor says that nobody is called so.
    fn housemate(&self, asking: &Asking<'_>) -> Option<Meant> {
        let mut names = Vec::new();
        let mut used = Vec::new();
        let mut is_sure = true;
        let mut is_joined = false;
        let mut places = asking.own.iter().copied().peekable();
        while let Some(at) = places.next() {
            let word = asking.words.get(at)?;
            let joins = word.may_be(&Sign::Connector);
            let end = if let Some(named) = self.named(asking, at, is_joined) {
                is_joined = false;
                is_sure &= named.are_here;
                names.extend(named.names);
                at + named.length
            } else if names.is_empty() && (word.is_glue || joins) {
                continue;
            } else if let Some(next) = self.next_named(asking, at).filter(|_| joins && !names.is_empty()) {
                is_joined = true;
                next
            } else {
                break;
            };
            used.extend(at..end);
            while places.next_if(|next| *next < end).is_some() {}
        }
        let unique: BTreeSet<&String> = names.iter().collect();
        (!names.is_empty()).then(|| Meant::by(json!(unique), used, is_sure))
    }

    /// Where the next one is named behind a word that joins: "and Luca", «e a Luca».
    fn next_named(&self, asking: &Asking<'_>, at: usize) -> Option<usize> {
        let leads = |word: &Word| word.leads_to(asking.slot.role);
        let next = at + 1 + usize::from(asking.words.get(at + 1).is_some_and(leads));
        self.named(asking, next, true).map(|_| next)
    }

    /// Whom the words from here on name: all of the others, one of them, or somebody who is not here.
    fn named(&self, asking: &Asking<'_>, at: usize, is_joined: bool) -> Option<Named> {
        let word = asking.words.get(at)?;
        let is_everybody = self.words.everybody.contains(&word.fold);
        let is_all = is_everybody || word.may_be(&Sign::All) || word.may_be(&Sign::Both);
        if is_all && !self.others.is_empty() {
            return Some(Named {
                names: self.others.iter().map(|one| one.name.clone()).collect(),
                length: 1,
                are_here: true,
            });
        }
        // Where nobody else is here, that is said as it is of one name.
        if is_everybody {
            return Some(Named {
                names: vec![asking.written(&[at])?.to_owned()],
                length: 1,
                are_here: false,
            });
        }
        if let Some((one, length)) = self.called(asking, at) {
            return Some(Named {
                names: vec![one.name.clone()],
                length,
                are_here: true,
            });
        }
        let places = self.stranger(asking, at, is_joined)?;
        Some(Named {
            names: vec![asking.written(&places)?.to_owned()],
            length: places.len(),
            are_here: false,
        })
    }

    /// Who is called by the words from here on, and by how many.
    fn called(&self, asking: &Asking<'_>, at: usize) -> Option<(&Actor, usize)> {
        let says = |at: usize, part: &str| {
            let word = asking.words.get(at);
            word.is_some_and(|word| word.fold == part && word.literal.is_none() && word.mark.is_none())
        };
        let length = |one: &Actor| {
            let name = fold(&one.name);
            let mut parts = name.split_whitespace().enumerate();
            let is_said = !name.trim().is_empty() && parts.all(|(index, part)| says(at + index, part));
            is_said.then(|| name.split_whitespace().count())
        };
        let said = self.others.iter().filter_map(|one| Some((one, length(one)?)));
        said.max_by_key(|(_, length)| *length)
    }

    /// Places of a name that nobody has here. Whom something is told is named right behind the deed and with a capital,
    /// as other words there are part of the text. Whom something is shared with may be written in any way.
    fn stranger(&self, asking: &Asking<'_>, at: usize, is_joined: bool) -> Option<Vec<usize>> {
        let word = asking.words.get(at).filter(|word| says_who(word))?;
        let is_with = asking.slot.role == SlotRole::With;
        let is_place = is_joined
            || if is_with {
                leads_to_people(asking)
            } else {
                is_behind_deed(asking, at)
            };
        if !is_place {
            return None;
        }
        let is_name = |at: &usize| is_name(asking, *at);
        if is_name(&at) {
            let goes_on = |at: &usize| asking.own.contains(at) && is_name(at);
            return Some((at..asking.words.len()).take_while(goes_on).collect());
        }
        let mut later = asking.own.iter().filter(|later| **later > at);
        let is_plain = word.signs.iter().all(|(sign, _)| says_people(sign));
        let is_last = !later.any(|later| is_name(later) || self.called(asking, *later).is_some());
        (is_with && is_plain && is_last).then(|| vec![at])
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

/// Whether a word may say who.
fn says_who(word: &Word) -> bool {
    word.is_content() && !word.is_time && !word.is_number()
}

/// Whether what is said by a word may be people, and nothing that is done.
fn says_people(sign: &Sign) -> bool {
    matches!(sign, Sign::Object(Object::Persons | Object::Contacts) | Sign::Many)
}

/// Whether a word is written like a name.
fn is_name(asking: &Asking<'_>, at: usize) -> bool {
    let word = asking.words.get(at);
    word.is_some_and(|word| says_who(word) && word.is_capital(asking.text))
}

/// Whether the words stand behind one that leads to people: "for" and "by" lead to a time or a way as well.
fn leads_to_people(asking: &Asking<'_>) -> bool {
    let leader = asking.own.first().and_then(|first| first.checked_sub(1));
    let leader = leader.and_then(|at| asking.words.get(at));
    asking.is_led && leader.is_some_and(|leader| !leader.leads_to(SlotRole::When))
}

/// Whether nothing stands between a word and the deed but what leads on: "tell Marta", "say to Marta". Of "tell me
/// Marta's number" nothing is told to her.
fn is_behind_deed(asking: &Asking<'_>, at: usize) -> bool {
    // «Di Marta hai il numero?» asks, and tells nobody.
    let end = asking.clause.last().and_then(|last| asking.words.get(last + 1));
    if end.is_some_and(|end| end.mark == Some('?')) {
        return false;
    }
    let before = asking.words.get(..at).unwrap_or_default();
    let leads_on = |word: &Word| word.is_rest || word.leads_to(asking.slot.role);
    let deed = before.iter().enumerate().rev().find(|(_, word)| !leads_on(word));
    deed.is_some_and(|(at, word)| !asking.free.contains(&at) && word.deeds().any(|deed| deed != LOOK))
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
