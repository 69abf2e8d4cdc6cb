//! Fills one frame from the words of one clause: first what a word leads to ("from", "to"), then what is named, then
//! what is left. Called by `frames` for every frame whose deed was said. It leaves a slot open rather than guess it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    Asked, Clause,
    begin::{begun, heads, is_no_order, says_itself, speaks_of},
    build::Frame,
    is_named_thing, says_something, values, weigh,
};
use crate::{
    domain::{
        frame::{Slot, SlotRole},
        manifest::{ArgSpec, Feed},
    },
    engine::things::{self, Asking, Filled, Meant},
    language::outline::{Sign, Word},
};

/// The deed of every question.
pub(super) const LOOK: &str = "look";
/// The deed of what stands behind a heading and a colon.
const ADD: &str = "add";
/// A frame and what fills it.
#[derive(Debug)]
pub(crate) struct Fitted<'f> {
    pub(crate) frame: &'f Frame<'f>,
    pub(crate) clause: Clause,
    pub(crate) filled: Vec<Filled>,
    /// Closed choices that were said.
    pub(crate) chosen: Vec<(String, Value)>,
    /// What finds the things it is done to.
    pub(crate) source: Option<Box<Fitted<'f>>>,
    /// The clause before found them.
    pub(crate) is_fed: bool,
    /// Places of all words that fill it or say its deed.
    pub(crate) used: BTreeSet<usize>,
    /// Places of words for what it is about, which may be part of a name as well.
    pub(crate) named: BTreeSet<usize>,
    pub(crate) score: i32,
}

impl Fitted<'_> {
    /// Whether it explains a word.
    pub(crate) fn explains(&self, at: &usize) -> bool {
        self.used.contains(at) || self.named.contains(at)
    }

    /// What it writes stands behind a colon, to the end of the message.
    pub(crate) fn is_dictated(&self) -> bool {
        let last = self.used.last().copied();
        let inside = self.clause.words.last().copied();
        self.frame.changes() && last > inside
    }

    /// It tells its deed, and explains all that its clause says.
    pub(crate) fn says_all(&self, words: &[Word]) -> bool {
        let own = || self.clause.words.iter().filter_map(|at| Some((at, words.get(*at)?)));
        let is_deed =
            |(at, word): (&usize, &Word)| self.used.contains(at) && word.deeds().any(|deed| deed == self.frame.deed);
        let is_open = |(at, word): (&usize, &Word)| says_something(word) && !self.explains(at);
        own().any(is_deed) && !own().any(is_open)
    }

    /// Nothing else could be meant by the words of any slot.
    pub(crate) fn is_sure(&self) -> bool {
        self.filled.iter().all(|filled| filled.is_sure) && self.source.as_ref().is_none_or(|source| source.is_sure())
    }
}

/// The frame, filled from the clause; `None` where it does not say the deed, or something that is needed is missing.
pub(crate) fn fit<'f>(
    asked: &Asked<'_>,
    frame: &'f Frame<'f>,
    clause: &Clause,
    before: Option<&Fitted<'f>>,
    frames: &'f [Frame<'f>],
) -> Option<Fitted<'f>> {
    let says = |at: &&usize| {
        let word = asked
            .words
            .get(**at)
            .filter(|word| !(word.is_rest || frame.changes() && is_no_order(asked.words, **at)));
        word.is_some_and(|word| word.deeds().any(|deed| deed == frame.deed))
    };
    let deed_at = clause.words.iter().find(says).copied();
    // "Mails from the last 7 days" asks for them without a word for it.
    let first = clause
        .words
        .iter()
        .find(|at| asked.words.get(**at).is_some_and(says_something));
    let begins = first.and_then(|at| asked.words.get(*at));
    let names_first = begins.is_some_and(|word| is_named_thing(frame, word) || frame.nouns.contains(&word.stem));
    let said = values::said(asked, frame.says, &clause.words);
    if said.is_none() && !frame.says.is_empty() {
        return None;
    }
    let says_first = said
        .as_ref()
        .zip(first)
        .is_some_and(|(said, first)| said.contains(first));
    let is_question = frame.deed == LOOK && (clause.asks || names_first && !frame.is_declared || says_first);
    // "Shopping list: milk and eggs".
    let is_headed = || frame.deed == ADD && frame.is_declared && heads(asked.words, clause);
    if deed_at.is_none() && !is_question && !is_headed() {
        return None;
    }
    let mut fitted = begun(asked, frame, clause);
    let said: Vec<usize> = said.into_iter().flatten().collect();
    fitted.used.extend(&said);
    fitted.named.extend(said);
    let is_kin = |before: &&Fitted<'f>| before.frame.objects.iter().any(|object| frame.objects.contains(object));
    let goes_on = before.filter(|before| is_kin(before) || frame.takes_any());
    let names_thing = speaks_of(frame, clause, asked.words);
    if !frame.is_declared && !names_thing && goes_on.is_none() && !says_itself(frame) {
        return None;
    }
    mark_deed(&mut fitted, asked.words, deed_at);
    // "Find … and delete it": it is what was found, and nothing that was shown before.
    let is_handed = goes_on.is_some_and(|before| before.frame.finds());
    fill_all(asked, &mut fitted, is_handed);
    choose(asked, &mut fitted);
    find_source(asked, &mut fitted, goes_on, names_thing, frames);
    if !is_whole(&fitted) {
        return None;
    }
    fitted.score = weigh::score(asked, &fitted, deed_at.is_some() && deed_at.as_ref() == first)?;
    Some(fitted)
}

/// The word that says the deed is explained by it, and so are others for it, which may be part of a name as well.
fn mark_deed(fitted: &mut Fitted<'_>, words: &[Word], deed_at: Option<usize>) {
    for at in fitted.clause.words.clone() {
        let Some(word) = words.get(at) else { continue };
        let is_first = Some(at) == deed_at || fitted.frame.deed == LOOK;
        // "Show me what is set" says twice that it shows.
        let only_shows = fitted.frame.is_declared && !fitted.frame.changes();
        for (sign, length) in &word.signs {
            // Behind "to" or "of the" stands a thing: «in archivio» archives nothing. What may lead to a time is often a
            // bare article, as in «il prossimo compleanno».
            let leads = |before: &Word| {
                let mut signs = before.signs.iter();
                signs.any(|(sign, _)| matches!(sign, Sign::Role(role) if *role != SlotRole::When))
            };
            let before = words.get(..at).unwrap_or_default();
            let is_led = before
                .iter()
                .rev()
                .find(|before| !before.is_glue || leads(before) || before.may_be(&Sign::Question))
                .is_some_and(leads);
            let is_deed = matches!(sign, Sign::Deed(deed) if *deed == fitted.frame.deed) && !is_led;
            if is_deed && is_first || matches!(sign, Sign::Question | Sign::Request) {
                // "Look in spam": what leads on is no part of looking.
                let leads_on = |place: &usize| {
                    let word = words.get(*place).filter(|_| *place > at && fitted.frame.deed == LOOK);
                    let mut roles = fitted.frame.slots.iter().map(|slot| slot.role);
                    roles.any(|role| word.is_some_and(|word| word.leads_to(role)))
                };
                let own: Vec<usize> = (at..at + length).filter(|place| !leads_on(place)).collect();
                fitted.used.extend(own);
            } else if is_deed || only_shows && matches!(sign, Sign::Deed(deed) if deed == LOOK) {
                fitted.named.extend(at..at + length);
            }
        }
    }
}

fn fill_all(asked: &Asked<'_>, fitted: &mut Fitted<'_>, is_handed: bool) {
    for slot in &fitted.frame.slots {
        let spec = fitted.frame.manifest.arg(&slot.arg);
        let is_known = asked.things.iter().any(|things| things.knows(&slot.kind));
        if !slot.arg.is_empty() && fitted.filled.iter().any(|filled| filled.arg == slot.arg) {
            continue;
        }
        // What an earlier step has to find is never taken from words.
        let is_found = spec.is_some_and(|spec| spec.from_entries_key.is_some());
        if is_found && (is_handed || !is_known && !values::knows(&slot.kind)) {
            continue;
        }
        let Some((meant, leader)) = meant(asked, fitted, slot, spec) else {
            continue;
        };
        fitted.used.extend(meant.words.iter().copied().chain(leader));
        for (kind, value) in meant.implies {
            let open = fitted.frame.slots.iter().find(|other| other.kind == kind);
            let is_open = !fitted.filled.iter().any(|filled| filled.kind == kind);
            if let Some(other) = open.filter(|_| is_open) {
                fitted.filled.push(Filled {
                    arg: other.arg.clone(),
                    kind,
                    value,
                    words: Vec::new(),
                    is_sure: true,
                    choices: Vec::new(),
                });
            }
        }
        fitted.filled.push(Filled {
            arg: slot.arg.clone(),
            kind: slot.kind.clone(),
            value: meant.value,
            words: meant.words,
            is_sure: meant.is_sure,
            choices: meant.choices,
        });
    }
}

/// What fills a slot, and the word that led to it.
fn meant(
    asked: &Asked<'_>,
    fitted: &Fitted<'_>,
    slot: &Slot,
    spec: Option<&ArgSpec>,
) -> Option<(Meant, Option<usize>)> {
    let leads = |at: &&usize| {
        let word = asked.words.get(**at);
        word.is_some_and(|word| word.leads_to(slot.role)) && !fitted.used.contains(at)
    };
    let mut leaders: Vec<usize> = fitted.clause.words.iter().filter(leads).copied().collect();
    // A word that leads to this part alone says more than one that may lead to another; what something goes to is said
    // right behind the deed, or else last.
    let is_deed = |at: &usize| {
        asked
            .words
            .get(*at)
            .is_some_and(|word| word.deeds().any(|deed| deed == fitted.frame.deed))
    };
    let doubt = |at: &usize| {
        let word = asked.words.get(*at);
        let others = fitted.frame.slots.iter().filter(|other| other.role != slot.role);
        others
            .filter(|other| word.is_some_and(|word| word.leads_to(other.role)))
            .count()
    };
    leaders.sort_by_key(|at| {
        let place = i64::try_from(*at).unwrap_or_default();
        let follows = slot.role == SlotRole::To && at.checked_sub(1).is_some_and(|before| is_deed(&before));
        let place = if slot.role == SlotRole::To { -place } else { place };
        (doubt(at), !follows, place)
    });
    for leader in leaders {
        let own = behind(asked, fitted, slot, leader);
        if may_be_topic(asked, fitted, slot, leader) && !begins_with_name(asked, &own) {
            continue;
        }
        if let Some(meant) = value(asked, fitted, slot, spec, own, true) {
            return Some((meant, Some(leader)));
        }
    }
    let own: Vec<usize> = fitted
        .clause
        .words
        .iter()
        .copied()
        .filter(|at| !fitted.used.contains(at))
        .collect();
    let unled = value(asked, fitted, slot, spec, own, false).map(|meant| (meant, None));
    unled.or_else(|| named_elsewhere(asked, fitted, slot, spec))
}

/// Whether what stands behind a word may be what is spoken about as well: «sulla caldaia» is a topic, and no mailbox.
fn may_be_topic(asked: &Asked<'_>, fitted: &Fitted<'_>, slot: &Slot, leader: usize) -> bool {
    let is_told = slot.kind == "text" || values::knows(&slot.kind);
    if is_told || asked.things.iter().any(|things| things.knows(&slot.kind)) {
        return false;
    }
    let mut topics = fitted.frame.slots.iter().filter(|other| other.kind == "text");
    let word = asked.words.get(leader);
    topics.any(|other| word.is_some_and(|word| word.leads_to(other.role)))
}

/// Whether the first word that says something is written like a name.
fn begins_with_name(asked: &Asked<'_>, places: &[usize]) -> bool {
    let mut words = places
        .iter()
        .filter_map(|at| asked.words.get(*at))
        .filter(|word| says_something(word));
    words
        .next()
        .is_some_and(|word| word.is_capital(&asked.reading.original))
}

/// "A new folder in docs, call it car", "…, except the ones from Chris": a name, and what is left out, may be said in
/// another clause.
fn named_elsewhere(
    asked: &Asked<'_>,
    fitted: &Fitted<'_>,
    slot: &Slot,
    spec: Option<&ArgSpec>,
) -> Option<(Meant, Option<usize>)> {
    if !matches!(slot.role, SlotRole::Named | SlotRole::Except) {
        return None;
    }
    let last = fitted.clause.words.last().copied()?;
    let leads = |at: &usize| asked.words.get(*at).is_some_and(|word| word.leads_to(slot.role));
    let leader = (last + 1..asked.words.len()).find(leads)?;
    let begin = leader + 1;
    let behind = |at: &usize| {
        asked
            .words
            .get(*at)
            .is_some_and(|word| !word.is_bound() && !word.may_be(&Sign::Pointer))
    };
    let is_pointer = |at: &usize| asked.words.get(*at).is_some_and(|word| word.may_be(&Sign::Pointer));
    let begin = begin + usize::from(is_pointer(&begin));
    let own: Vec<usize> = (begin..asked.words.len()).take_while(behind).collect();
    value(asked, fitted, slot, spec, own, true).map(|meant| (meant, Some(leader)))
}

/// The words behind one that leads to a part, up to what leads to another.
fn behind(asked: &Asked<'_>, fitted: &Fitted<'_>, slot: &Slot, leader: usize) -> Vec<usize> {
    let length = asked.words.get(leader).map_or(1, |word| {
        let own = word.signs.iter().filter(|(sign, _)| *sign == Sign::Role(slot.role));
        own.map(|(_, length)| *length).max().unwrap_or(1)
    });
    let is_open =
        |other: &&Slot| other.role != slot.role && !fitted.filled.iter().any(|filled| filled.arg == other.arg);
    let others: Vec<SlotRole> = fitted
        .frame
        .slots
        .iter()
        .filter(is_open)
        .map(|other| other.role)
        .collect();
    let ends = |at: &usize| {
        asked.words.get(*at).is_none_or(|word| {
            let leads_on = others
                .iter()
                .any(|role| *role != SlotRole::What && word.leads_to(*role));
            word.is_bound() || leads_on && *at > leader + length || word.may_be(&Sign::Negation)
        })
    };
    let own = fitted.clause.words.iter().copied().filter(|at| *at >= leader + length);
    own.take_while(|at| !ends(at))
        .filter(|at| !fitted.used.contains(at))
        .collect()
}

fn value(
    asked: &Asked<'_>,
    fitted: &Fitted<'_>,
    slot: &Slot,
    spec: Option<&ArgSpec>,
    own: Vec<usize>,
    is_led: bool,
) -> Option<Meant> {
    let clause = &fitted.clause.words;
    let points = clause
        .iter()
        .filter_map(|at| asked.words.get(*at))
        .any(|word| word.may_be(&Sign::Pointer));
    let asking = Asking {
        slot,
        text: &asked.reading.original,
        words: asked.words,
        clause,
        own,
        free: (0..asked.words.len()).filter(|at| !fitted.used.contains(at)).collect(),
        named: &fitted.named,
        filled: &fitted.filled,
        view: asked.view,
        points,
        is_led,
    };
    match asked.things.iter().find(|things| things.knows(&slot.kind)) {
        Some(things) if things.says_which(&asking) => things.meant(&asking),
        Some(things) => things::shown(&asking, &slot.kind).or_else(|| things.meant(&asking)),
        None => {
            let about = fitted.frame.objects.first().map(|object| (asked.stem)(object.as_str()));
            let is_own_kind = slot.needed && about.is_some_and(|about| about == (asked.stem)(&slot.kind));
            values::value(asked, &asking, values::Takes { spec, is_own_kind }, clause)
        }
    }
}

/// Closed choices: a value of a list, or a switch, whose name was said.
fn choose(asked: &Asked<'_>, fitted: &mut Fitted<'_>) {
    for arg in &fitted.frame.manifest.args {
        let is_given =
            fitted.frame.set.contains_key(&arg.name) || fitted.filled.iter().any(|filled| filled.arg == arg.name);
        if is_given || arg.runtime_resolved {
            continue;
        }
        let open: Vec<usize> = fitted
            .clause
            .words
            .iter()
            .copied()
            .filter(|at| !fitted.used.contains(at))
            .collect();
        let Some((value, words)) = values::choice(asked, arg, &open) else {
            continue;
        };
        fitted.used.extend(words);
        fitted.chosen.push((arg.name.clone(), value));
    }
}

/// Where the things come from that an executor takes from an earlier step: the clause before, or a look that the rest
/// of this one describes. Never all of them, unless that was said.
fn find_source<'f>(
    asked: &Asked<'_>,
    fitted: &mut Fitted<'f>,
    goes_on: Option<&Fitted<'f>>,
    names_thing: bool,
    frames: &'f [Frame<'f>],
) {
    let takes_any = fitted.frame.takes_any();
    let arg = fitted.frame.fed_arg();
    let is_filled = |arg: &ArgSpec| fitted.filled.iter().any(|filled| filled.arg == arg.name);
    if arg.map_or(!takes_any, is_filled) {
        return;
    }
    // A frame that says what it takes, and can do without, takes nothing from elsewhere: a new mail answers none.
    let takes = |arg: &ArgSpec| fitted.frame.slots.iter().any(|slot| slot.arg == arg.name);
    let is_required = fitted.frame.manifest.feed == Feed::Required;
    if fitted.frame.is_declared && !is_required && !arg.is_none_or(takes) {
        return;
    }
    if goes_on.is_some_and(|before| before.frame.finds()) && (takes_any || !names_thing) {
        fitted.is_fed = true;
        return;
    }
    // What has to be shown or spoken of is not looked for.
    let is_certain = |kind: &str| {
        asked
            .things
            .iter()
            .any(|things| things.is_certain() && things.knows(kind))
    };
    let mut slots = fitted.frame.slots.iter();
    let is_fed = |slot: &Slot| arg.is_some_and(|arg| slot.arg == arg.name);
    if slots.any(|slot| slot.needed && is_fed(slot) && is_certain(&slot.kind)) {
        return;
    }
    // What is told by a phrase, or by a word of its own, finds nothing for others unless that was said.
    let clause = || fitted.clause.words.iter().filter_map(|at| asked.words.get(*at));
    let says_deed = |frame: &Frame<'_>| clause().any(|word| word.deeds().any(|deed| deed == frame.deed));
    let is_told = |frame: &Frame<'_>| {
        let is_said = frame.says.is_empty() || values::said(asked, frame.says, &fitted.clause.words).is_some();
        is_said && (frame.deed == LOOK || says_deed(frame))
    };
    let is_kin = |frame: &Frame<'_>| frame.objects.first() == fitted.frame.objects.first();
    let is_named = |frame: &Frame<'_>| takes_any && speaks_of(frame, &fitted.clause, asked.words);
    let sources = frames
        .iter()
        .filter(|frame| frame.finds() && (is_kin(frame) || is_named(frame)) && is_told(frame));
    let all = clause().any(|word| word.may_be(&Sign::All));
    let mut found: Vec<Fitted<'f>> = sources
        .filter_map(|frame| {
            let mut source = begun(asked, frame, &fitted.clause);
            source.used.extend(fitted.used.iter().copied());
            fill_all(asked, &mut source, false);
            choose(asked, &mut source);
            let says_which = !source.filled.is_empty() || !source.chosen.is_empty() || all || is_named(frame);
            (says_which && is_whole(&source)).then_some(source)
        })
        .collect();
    found.sort_by_key(|source| std::cmp::Reverse(source.filled.len() + source.chosen.len()));
    if let Some(source) = found.into_iter().next() {
        fitted.used.extend(source.used.iter().copied());
        // The list that is taken as a whole is what the clause is about.
        if takes_any {
            fitted.named.extend(source.named.iter().copied());
        }
        fitted.source = Some(Box::new(source));
    }
}

/// Whether everything is there that the deed and the executor need.
fn is_whole(fitted: &Fitted<'_>) -> bool {
    let is_fed = fitted.is_fed || fitted.source.is_some();
    let has = |name: &str| {
        let fills = fitted.filled.iter().any(|filled| filled.arg == name);
        fills || fitted.frame.set.contains_key(name) || fitted.chosen.iter().any(|(own, _)| own == name)
    };
    let provided = |arg: &ArgSpec| has(&arg.name) || arg.runtime_resolved || is_fed && arg.from_entries_key.is_some();
    let manifest = fitted.frame.manifest;
    let slots = fitted.frame.slots.iter().filter(|slot| slot.needed);
    let needs = slots.into_iter().all(|slot| {
        let fills = fitted.filled.iter().any(|filled| {
            if slot.arg.is_empty() {
                filled.kind == slot.kind
            } else {
                filled.arg == slot.arg
            }
        });
        fills || manifest.arg(&slot.arg).is_some_and(&provided)
    });
    let groups = manifest.requires_one_of.iter().all(|group| {
        let mut names = group.iter();
        names.any(|name| has(name) || name == "from_step" && is_fed || manifest.arg(name).is_some_and(&provided))
    });
    needs && groups && manifest.args.iter().filter(|arg| arg.required).all(provided)
}
