//! What stands in a calendar, as things that words mean: by words of its name, by who is there, by its day and hour,
//! or as what was spoken of last. Made for a turn by the family of events. It looks at one person's calendar and at
//! nothing else; where several fit alike it says which, and where a series is meant it asks how much of it.
//!
//! | kind | what it is |
//! |---|---|
//! | `calendar` | a calendar that has a name, or that is somebody's |
//! | `event` | an event, the next time of one that comes again |
//! | `extent` | of a series this one, all from it on, or all |
//! | `title` | what something new is to be called: the words that nothing else explains |

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use jiff::Zoned;
use serde::Deserialize;
use serde_json::json;

use super::{Found, around, happening, people, said};
use crate::{
    agenda::{Agenda, AgendaError, Holds, Named, Owner, Page, Read},
    domain::{
        fold::fold,
        frame::SlotRole,
        lang::{InEach, Lang},
    },
    engine::{
        families::Scene,
        things::{Asking, Meant, Resolver},
    },
    language::{
        Language,
        outline::{Sign, Word},
        time::{Conventions, Value},
    },
};

const WORDS: InEach<&str> = InEach {
    english: include_str!("../../../../locales/en/events.toml"),
    italian: include_str!("../../../../locales/it/events.toml"),
};

/// The words around events, in one language.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// What a calendar is called.
    calendar: Vec<String>,
    /// How much of a series: `this`, `later`, `all`, each with what says so; the first is what a question offers.
    extent: BTreeMap<String, Vec<String>>,
    /// What says that only those are meant that are still to come.
    ahead: Vec<String>,
    /// What says that only the first of them is meant.
    soonest: Vec<String>,
}

impl Words {
    /// Those that come with the program.
    pub(super) fn of(lang: Lang) -> Self {
        toml::from_str(WORDS.of(lang)).unwrap_or_else(|error| {
            tracing::error!(%error, "the words around events are damaged");
            Self::default()
        })
    }

    /// The part of a series that a text says.
    pub(super) fn extent(&self, text: &str) -> Option<&str> {
        let says = |forms: &Vec<String>| forms.iter().any(|form| form == text);
        let found = self.extent.iter().find(|(name, forms)| *name == text || says(forms));
        found.map(|(name, _)| name.as_str())
    }
}

/// An event, with the words it is known by.
struct Spoken {
    found: Found,
    /// Stems of its name.
    stems: Vec<String>,
    /// Names of who is there, folded.
    people: Vec<String>,
}

impl Spoken {
    fn is_said_by(&self, word: &Word) -> bool {
        self.stems.contains(&word.stem) || self.people.contains(&word.fold)
    }
}

/// One person's calendar.
pub(super) struct Calendar<'a> {
    pages: Read<Page>,
    named: Vec<Named>,
    found: OnceLock<Vec<Spoken>>,
    language: &'a Language,
    lang: Lang,
    now: Zoned,
    words: Words,
}

impl<'a> Calendar<'a> {
    /// That of whose words are read.
    pub(super) async fn of(agenda: &Agenda, owner: &Owner, scene: &Scene<'a>) -> Result<Self, AgendaError> {
        Ok(Self {
            pages: agenda.pages(owner).await?,
            named: agenda.named(owner, Holds::Events).await?,
            found: OnceLock::new(),
            language: scene.language,
            lang: scene.lang,
            now: scene.turn.now.clone(),
            words: Words::of(scene.lang),
        })
    }

    /// All that may be meant, looked through at most once a turn.
    fn all(&self) -> &[Spoken] {
        self.found.get_or_init(|| {
            let zone = self.now.time_zone();
            let (mut found, _) = happening(&self.pages, zone, around(&self.now));
            found.retain(|one| !one.is_cancelled);
            let spoken = |found: Found| Spoken {
                stems: self.language.telling_stems(&found.summary, self.lang),
                people: found.people.iter().flat_map(people::named).collect(),
                found,
            };
            found.into_iter().map(spoken).collect()
        })
    }

    fn event(&self, asking: &Asking<'_>) -> Option<Meant> {
        let mut name: Vec<usize> = asking
            .own
            .iter()
            .copied()
            .filter(|at| asking.words.get(*at).is_some_and(tells))
            .collect();
        // "The meeting with Olga" is known by Olga, and the word for what it is tells nothing beside her.
        let telling = |at: &usize| !asking.named.contains(at);
        if name.iter().any(telling) {
            name.retain(telling);
        }
        // "The daily stand-up": a word for a time may be part of a name, beside words that are nothing else.
        let timely = |at: &&usize| {
            asking
                .words
                .get(**at)
                .is_some_and(|word| word.is_time && word.is_content())
        };
        let times: Vec<usize> = asking.own.iter().filter(timely).copied().collect();
        let said_of = |one: &Spoken| -> BTreeSet<usize> {
            let is_said = |at: &usize| asking.words.get(*at).is_some_and(|word| one.is_said_by(word));
            let mut said: BTreeSet<usize> = name.iter().copied().filter(is_said).collect();
            if !said.is_empty() || name.is_empty() {
                said.extend(times.iter().copied().filter(is_said));
            }
            said
        };
        let fits = self.all().iter().map(|one| (&one.found, said_of(one)));
        let mut fits: Vec<(&Found, BTreeSet<usize>)> = fits.collect();
        let best = fits.iter().map(|(_, words)| words.len()).max().unwrap_or_default();
        fits.retain(|(_, words)| words.len() == best);
        let mut used: Vec<usize> = fits.first()?.1.iter().copied().collect();
        let is_narrowed = self.narrow(asking, &mut fits, &mut used);
        // "The meeting on Friday": its day says which one, where nothing else is said of it.
        let is_by_day = is_narrowed && name.iter().all(|at| asking.named.contains(at));
        if best == 0 && (name.is_empty() || !is_by_day) {
            return None;
        }
        self.only_ahead(asking, &mut fits, &mut used);
        let mut one_each = self.next_of_each(fits);
        if let Some(at) = place_of(asking, &self.words.soonest) {
            one_each.truncate(1);
            used.push(at);
        }
        let all = asking
            .clause
            .iter()
            .find(|at| asking.words.get(**at).is_some_and(|word| word.may_be(&Sign::All)));
        used.extend(all);
        let ids: Vec<String> = one_each.iter().map(|one| one.id.to_string()).collect();
        let is_whole = is_by_day || name.iter().all(|at| used.contains(at));
        let meant = Meant::by(json!(ids), used, is_whole);
        match one_each.as_slice() {
            [] => None,
            [_only] => Some(meant),
            _ if all.is_some() => Some(meant),
            several => Some(Meant {
                choices: several.iter().map(|one| said::choice(one, &self.now)).collect(),
                ..meant
            }),
        }
    }

    /// "The dentist on Friday": only those that are then, where any is; whether that was said, and one is.
    fn narrow(&self, asking: &Asking<'_>, fits: &mut Vec<(&Found, BTreeSet<usize>)>, used: &mut Vec<usize>) -> bool {
        let is_time = |at: &usize| !used.contains(at) && asking.words.get(*at).is_some_and(|word| word.is_time);
        let times: Vec<usize> = asking.own.iter().copied().filter(is_time).collect();
        let (Some(first), Some(last)) = (times.first(), times.last()) else {
            return false;
        };
        let run: Vec<usize> = (*first..=*last).collect();
        let text = asking.written(&run).unwrap_or_default();
        let mentions = self.language.times(text, self.lang, &self.now, &Conventions::HOUSEHOLD);
        let zone = self.now.time_zone();
        let is_then = |one: &Found| {
            let day = one.start.date(zone);
            let at = zone.to_datetime(one.start.instant(zone));
            mentions
                .iter()
                .flat_map(|mention| &mention.readings)
                .any(|value| match value {
                    Value::Date(date) => *date == day,
                    Value::Moment(moment) => *moment == at,
                    Value::Range(from, to) => from.is_none_or(|from| from <= at) && to.is_none_or(|to| at < to),
                    Value::Duration(_) => false,
                })
        };
        let is_any = fits.iter().any(|(one, _)| is_then(one));
        if is_any {
            fits.retain(|(one, _)| is_then(one));
            used.extend(times);
        }
        is_any
    }

    /// "The future meetings with Olga": none that is over.
    fn only_ahead(&self, asking: &Asking<'_>, fits: &mut Vec<(&Found, BTreeSet<usize>)>, used: &mut Vec<usize>) {
        if let Some(at) = place_of(asking, &self.words.ahead) {
            fits.retain(|(one, _)| self.now.timestamp() <= one.end.instant(self.now.time_zone()));
            used.push(at);
        }
    }

    /// Of each event the next time that is not over, else the last one.
    fn next_of_each<'f>(&self, fits: Vec<(&'f Found, BTreeSet<usize>)>) -> Vec<&'f Found> {
        let zone = self.now.time_zone();
        let is_over = |one: &Found| one.end.instant(zone) < self.now.timestamp();
        let mut each: BTreeMap<(&str, &str), &Found> = BTreeMap::new();
        for (one, _) in fits {
            let known = each.entry((one.id.file.as_str(), one.id.uid.as_str())).or_insert(one);
            if is_over(known) {
                *known = one;
            }
        }
        let mut each: Vec<&Found> = each.into_values().collect();
        if each.iter().any(|one| !is_over(one)) {
            each.retain(|one| !is_over(one));
        }
        each.sort_by_key(|one| one.start.instant(zone));
        each
    }

    /// The calendar whose whole name stands beside a word for calendars.
    fn calendar(&self, asking: &Asking<'_>) -> Option<Meant> {
        let fold_of = |at: &usize| asking.words.get(*at).map(|word| word.fold.as_str());
        let is_calendar =
            |at: &&usize| fold_of(at).is_some_and(|word| self.words.calendar.iter().any(|one| one == word));
        let kind = asking.clause.iter().find(is_calendar).copied()?;
        let named = |one: &Named| -> Option<Vec<usize>> {
            let name = fold(&one.name);
            let parts = name
                .split(|letter: char| !letter.is_alphanumeric())
                .filter(|part| !part.is_empty());
            let mut used = vec![kind];
            for part in parts {
                used.push(asking.own.iter().copied().find(|at| fold_of(at) == Some(part))?);
            }
            Some(used)
        };
        let fits: Vec<(&Named, Vec<usize>)> = self.named.iter().filter_map(|one| Some((one, named(one)?))).collect();
        let most = fits.iter().map(|(_, used)| used.len()).max()?;
        let (one, used) = fits.into_iter().find(|(_, used)| used.len() == most)?;
        Some(Meant::by(json!(one.name), used, true))
    }

    /// "Lunch with Sara": the words from the first that says something to one that is explained already, or that speaks
    /// of the calendar itself.
    fn title(asking: &Asking<'_>, is_sure: bool) -> Option<Meant> {
        if asking.is_led && asking.slot.role == SlotRole::What {
            return None;
        }
        let word = |at: usize| asking.words.get(at);
        // "Called New Hires": behind what leads to a name every word belongs to it.
        let may_be_name = |at: &usize| asking.is_led || !asking.named.contains(at);
        // A new name goes on to the end: "to Weekly call".
        let is_whole = asking.is_led && asking.slot.role == SlotRole::To;
        let is_part = |word: &Word| is_name(word) || is_whole && !word.is_bound();
        let is_open = |at: &usize| asking.own.contains(at) && may_be_name(at) && word(*at).is_some_and(is_part);
        let is_capital = |word: &Word| asking.is_led && word.is_capital(asking.text);
        let begins = |word: &Word| tells(word) || is_whole && word.is_time || is_capital(word);
        // «Con Sara»: a name may look like a word of grammar, «sarà».
        let is_telling = |at: &usize| word(*at).is_some_and(|word| tells(word) || word.is_capital(asking.text));
        // "Dinner at Mario's", "Arts & Crafts": what leads on belongs to a name where a name goes on behind it.
        let goes_on = |at: &usize| {
            let joins = word(*at).is_some_and(|word| (word.is_glue || word.mark.is_some()) && is_name(word));
            joins && is_open(&(at + 1)) && is_telling(&(at + 1))
        };
        let first = asking
            .own
            .iter()
            .copied()
            .find(|at| is_open(at) && word(*at).is_some_and(begins))?;
        let mut run: Vec<usize> = (first..asking.words.len())
            .take_while(|at| is_open(at) || goes_on(at))
            .collect();
        while run.last().is_some_and(|at| !is_telling(at)) {
            run.pop();
        }
        let title = asking.written(&run)?;
        Some(Meant::by(json!(title), run, is_sure))
    }

    /// How much of a series: what is said, else a question; nothing where there is no series.
    fn extent(&self, asking: &Asking<'_>) -> Option<Meant> {
        let ids: Vec<String> = serde_json::from_value(asking.filled_with("event")?.clone()).ok()?;
        let is_series = |one: &&Spoken| one.found.is_series && ids.contains(&one.found.id.to_string());
        self.all().iter().find(is_series)?;
        let spoken = self.words.extent.iter().find_map(|(name, forms)| {
            let at = forms.iter().find_map(|form| phrase(asking, form))?;
            Some(Meant::by(json!(name), at, true))
        });
        let offered = || {
            let first = |name: &str| self.words.extent.get(name).and_then(|forms| forms.first()).cloned();
            Some(Meant {
                choices: ["this", "later", "all"].into_iter().filter_map(first).collect(),
                ..Meant::by(json!("this"), Vec::new(), true)
            })
        };
        spoken.or_else(offered)
    }
}

/// Where one of these forms stands in the clause.
fn place_of(asking: &Asking<'_>, forms: &[String]) -> Option<usize> {
    let is_form = |at: &usize| asking.words.get(*at).is_some_and(|word| forms.contains(&word.fold));
    asking.clause.iter().copied().find(is_form)
}

/// May stand in a name.
fn is_name(word: &Word) -> bool {
    !word.is_bound() && !word.is_time
}

/// Says something of its own.
fn tells(word: &Word) -> bool {
    let is_grammar = word.signs.iter().any(|(sign, _)| {
        matches!(
            sign,
            Sign::Pointer | Sign::Connector | Sign::Role(_) | Sign::Request | Sign::Question
        )
    });
    word.is_content() && !word.is_time && !word.is_number() && (!is_grammar || word.signs.is_empty())
}

/// Places of a phrase that stands in the clause with nothing between.
fn phrase(asking: &Asking<'_>, phrase: &str) -> Option<Vec<usize>> {
    let parts: Vec<&str> = phrase.split_whitespace().collect();
    let says = |at: usize, part: &&str| asking.words.get(at).is_some_and(|word| word.fold == **part);
    let stands = |first: &&usize| {
        parts
            .iter()
            .enumerate()
            .all(|(index, part)| says(**first + index, part))
    };
    let first = asking.clause.iter().find(stands).filter(|_| !parts.is_empty())?;
    Some((*first..first + parts.len()).collect())
}

impl Resolver for Calendar<'_> {
    fn knows(&self, kind: &str) -> bool {
        matches!(kind, "calendar" | "event" | "extent" | "event-title" | "booked-title")
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn says_which(&self, asking: &Asking<'_>) -> bool {
        let tells = |at: &usize| !asking.named.contains(at);
        asking.slot.kind == "event" && self.event(asking).is_some_and(|meant| meant.words.iter().any(tells))
    }

    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        match asking.slot.kind.as_str() {
            "calendar" => self.calendar(asking),
            "extent" => self.extent(asking),
            "event-title" => Self::title(asking, true),
            "booked-title" => Self::title(asking, false),
            _ => self.event(asking),
        }
    }
}
