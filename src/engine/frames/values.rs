//! Values of slots that no domain knows as its things: times, numbers, addresses, closed choices, and else the words
//! themselves. Called by `fill`. It invents no value: all of them stand in the request.

use serde_json::{Value, json};

use super::Asked;
use crate::{
    domain::{fold::fold, frame::SlotRole, manifest::ArgSpec, vocabulary::Object},
    engine::things::{Asking, Meant},
    language::{
        FactKind,
        outline::{GAP, GAP_MAX, Sign, Word},
        time::{Mention, Value as Time},
    },
};

/// The field whose highest value is what came last.
const NEWEST: &str = "mtime";

/// Whether values of this kind are told from other words by their form.
pub(super) fn knows(kind: &str) -> bool {
    matches!(
        kind,
        "window"
            | "moment"
            | "duration"
            | "number"
            | "newest"
            | "phone"
            | "new-phone"
            | "address"
            | "url"
            | "email"
            | "new-email"
    )
}

/// What a slot takes beside its kind.
#[derive(Clone, Copy)]
pub(super) struct Takes<'a> {
    /// Its argument.
    pub(super) spec: Option<&'a ArgSpec>,
    /// What the executor is about: a word for it names the thing itself.
    pub(super) is_own_kind: bool,
}

/// The value of a slot.
pub(super) fn value(asked: &Asked<'_>, asking: &Asking<'_>, takes: Takes<'_>, clause: &[usize]) -> Option<Meant> {
    match asking.slot.kind.as_str() {
        "window" => window(asked, asking, clause),
        "moment" => moment(asked, asking, takes.spec, clause),
        "duration" => duration(asked, asking),
        "number" => phone(asked, clause).or_else(|| number(asked, asking)),
        "newest" => newest(asking),
        // An address or a number to call says by itself that it is meant, wherever it stands.
        "phone" | "new-phone" => phone(asked, &asking.free),
        "address" | "url" => literal(asking, FactKind::Url, &asking.free),
        "email" | "new-email" => literal(asking, FactKind::Email, &asking.free),
        _ => literal(asking, FactKind::Quoted, &asking.own)
            .filter(|quoted| may_be_quoted(asking, quoted))
            .or_else(|| literal(asking, FactKind::Email, &asking.own).filter(|_| asking.is_led))
            .or_else(|| owner(asking))
            .or_else(|| words(asked, asking, takes)),
    }
}

/// A period such as `last-week`.
fn window(asked: &Asked<'_>, asking: &Asking<'_>, clause: &[usize]) -> Option<Meant> {
    let mut facts = asked.reading.facts.iter();
    facts.find_map(|fact| {
        let words = inside(asked, clause, &fact.span);
        let is_window = matches!(fact.kind, FactKind::Window | FactKind::Weekday);
        let is_free = words.iter().all(|at| asking.free.contains(at));
        (is_window && is_free && !words.is_empty()).then(|| Meant::by(fact.value.clone(), words, true))
    })
}

/// A moment in the person's words, or as a date and a time where the schema asks for it.
fn moment(asked: &Asked<'_>, asking: &Asking<'_>, spec: Option<&ArgSpec>, clause: &[usize]) -> Option<Meant> {
    // "Move the one at 9 to 10": where it goes is right behind the word that leads there.
    let is_goal = asking.slot.role == SlotRole::To;
    if is_goal && !asking.is_led {
        return None;
    }
    let among = if is_goal { &asking.own } else { clause };
    let says_time = |word: &Word| word.is_time || is_goal && word.is_number();
    // "Five minutes" is how long, and no moment.
    let is_length = |time: &&Mention| time.readings.iter().all(|value| matches!(value, Time::Duration(_)));
    let lengths = asked.reading.times.iter().filter(is_length);
    let lengths: Vec<usize> = lengths.flat_map(|time| inside(asked, among, &time.span)).collect();
    let words: Vec<usize> = among
        .iter()
        .copied()
        .filter(|at| asked.words.get(*at).is_some_and(says_time) && !is_taken(asking, *at) && !lengths.contains(at))
        .collect();
    if is_goal
        && !asking
            .own
            .first()
            .is_some_and(|first| words.contains(first) || is_small(asking, *first))
    {
        return None;
    }
    let said = asking.written(&words)?;
    let format = spec.and_then(|spec| spec.schema.get("format")).and_then(Value::as_str);
    let value = match format {
        Some("date" | "date-time") => {
            let first = asked.words.get(*words.first()?)?;
            let mention = asked
                .reading
                .times
                .iter()
                .find(|time| time.span.contains(&first.span.start))?;
            match mention.readings.first()? {
                Time::Date(date) => date.to_string(),
                Time::Moment(moment) | Time::Range(Some(moment), _) => {
                    if format == Some("date") {
                        moment.date().to_string()
                    } else {
                        moment.to_string()
                    }
                }
                Time::Range(None, _) | Time::Duration(_) => return None,
            }
        }
        Some(_) | None => said.to_owned(),
    };
    let mut used = words;
    // "on Friday at 10": the words that lead to a time belong to it.
    let before = used.first().and_then(|first| first.checked_sub(1));
    used.extend(before.filter(|at| asked.words.get(*at).is_some_and(|word| word.leads_to(SlotRole::When))));
    Some(Meant::by(json!(value), used, true))
}

/// Only holds a sentence together.
fn is_small(asking: &Asking<'_>, at: usize) -> bool {
    asking.words.get(at).is_some_and(|word| word.is_glue)
}

/// How long, in seconds: "5 minutes", "un'ora e mezza".
fn duration(asked: &Asked<'_>, asking: &Asking<'_>) -> Option<Meant> {
    asked.reading.times.iter().find_map(|time| {
        let Some(Time::Duration(seconds)) = time.readings.first() else {
            return None;
        };
        let words = inside(asked, &asking.own, &time.span);
        (!words.is_empty()).then(|| Meant::by(json!(seconds.round() as i64), words, true))
    })
}

/// A number to call, as it was written.
fn phone(asked: &Asked<'_>, among: &[usize]) -> Option<Meant> {
    asked.reading.facts.iter().find_map(|fact| {
        let words = inside(asked, among, &fact.span);
        let written = asked.reading.original.get(fact.span.clone())?;
        (fact.kind == FactKind::Phone && !words.is_empty()).then(|| Meant::by(json!(written), words, true))
    })
}

fn number(asked: &Asked<'_>, asking: &Asking<'_>) -> Option<Meant> {
    let is_time = |at: usize| asking.words.get(at).is_some_and(|word| word.is_time);
    let is_alone = |at: usize| !is_time(at + 1) && !at.checked_sub(1).is_some_and(is_time);
    let digits: Vec<usize> = asking
        .own
        .iter()
        .copied()
        .filter(|at| {
            asking.words.get(*at).is_some_and(|word| {
                // "To 21" may be read as an hour; what leads to it says that it is none. "For 8 August" is a day.
                (asking.is_led && is_alone(*at) || !word.is_time) && word.is_number()
            })
        })
        .collect();
    let Some(first) = digits.first().copied() else {
        return in_words(asked, asking);
    };
    let run: Vec<usize> = digits
        .iter()
        .enumerate()
        .take_while(|(index, at)| **at == first + index)
        .map(|(_, at)| *at)
        .collect();
    let said = asking.written(&run)?;
    // A number of several groups is one to call, which keeps its zeros.
    let value = match said.parse::<i64>() {
        Ok(number) if !said.starts_with('0') => json!(number),
        Ok(_) | Err(_) => json!(said),
    };
    Some(Meant::by(value, run, true))
}

/// How many of those that come first in a list which begins with the newest: "the last one", "the most recent three".
fn newest(asking: &Asking<'_>) -> Option<Meant> {
    let says = |word: &Word| {
        let is_newest = |sign: &Sign| matches!(sign, Sign::End(false)) || *sign == Sign::Most(NEWEST.to_owned(), true);
        !word.is_time && word.signs.iter().any(|(sign, _)| is_newest(sign))
    };
    let word = |at: usize| asking.words.get(at);
    let at = asking.own.iter().copied().find(|at| word(*at).is_some_and(says))?;
    // "The last mail" and «l'ultima mail», but "the last time I saw the mail".
    let tells = |place: &usize| word(*place).is_some_and(|word| word.is_content() && !says(word) && !word.is_number());
    let beside = [(at + 1..asking.words.len()).find(tells), (0..at).rev().find(tells)];
    if !beside.iter().flatten().any(|place| asking.named.contains(place)) {
        return None;
    }
    // "The last" is said by both of its words.
    let goes_on = |next: &usize| word(*next).is_some_and(|word| word.is_rest || says(word));
    let mut words = vec![at];
    words.extend((at + 1..asking.words.len()).take_while(goes_on));
    let number = word(words.last()? + 1).and_then(|word| word.fold.parse::<u32>().ok());
    words.extend(number.and(words.last().map(|last| last + 1)));
    Some(Meant::by(json!(number.unwrap_or(1)), words, true))
}

/// "Three songs": a number in words that the reader found.
fn in_words(asked: &Asked<'_>, asking: &Asking<'_>) -> Option<Meant> {
    asked.reading.facts.iter().find_map(|fact| {
        let number = if fact.kind == FactKind::Count {
            fact.value.get("count")
        } else {
            Some(&fact.value).filter(|_| fact.kind == FactKind::Number)
        };
        let words = inside(asked, &asking.own, &fact.span);
        let number = number.and_then(Value::as_f64).filter(|_| !words.is_empty())?;
        let is_whole = number.fract() == 0.0 && number.abs() < f64::from(u32::MAX);
        let value = if is_whole { json!(number as i64) } else { json!(number) };
        Some(Meant::by(value, words, true))
    })
}

/// Whether a quoted text may be meant, beside others that are quoted as well: nobody is called by one, unless it stands
/// right behind what leads to them, and a name that may be missing is led to.
fn may_be_quoted(asking: &Asking<'_>, quoted: &Meant) -> bool {
    if asking.slot.kind == "person" {
        return asking.own.first() == quoted.words.first();
    }
    asking.is_led || asking.slot.needed || asking.slot.role != SlotRole::Named
}

fn literal(asking: &Asking<'_>, kind: FactKind, among: &[usize]) -> Option<Meant> {
    among
        .iter()
        .find_map(|at| match asking.words.get(*at)?.literal.as_ref()? {
            (own, value) if *own == kind && !is_taken(asking, *at) => Some(Meant::by(json!(value), vec![*at], true)),
            _ => None,
        })
}

/// "Anna's mails": whose they are.
fn owner(asking: &Asking<'_>) -> Option<Meant> {
    if asking.slot.role != SlotRole::From || asking.is_led {
        return None;
    }
    asking.own.iter().find_map(|at| {
        let word = asking.words.get(*at)?;
        let name = asking.text.get(word.span.clone())?;
        let name = name.strip_suffix("'s").or_else(|| name.strip_suffix("\u{2019}s"))?;
        let is_name = name.starts_with(char::is_uppercase);
        is_name.then(|| Meant::by(json!(name), vec![*at], true))
    })
}

/// The words themselves, without what only holds them together at either end. For another part than what it is done to
/// they must have been led to. Nothing tells whether they are meant so: that is only likely.
fn words(asked: &Asked<'_>, asking: &Asking<'_>, takes: Takes<'_>) -> Option<Meant> {
    if !asking.is_led && asking.slot.role != SlotRole::What {
        return person(asking).or_else(|| beside_kind(asked, asking, takes));
    }
    if takes.is_own_kind && !asking.is_led {
        return noun(asking);
    }
    let open: Vec<usize> = asking.own.iter().copied().filter(|at| !is_taken(asking, *at)).collect();
    let telling = |run: &Vec<usize>| run.iter().filter(|at| is_telling(asking, **at)).count();
    let found = runs(asking, &open);
    let run = if asking.is_led {
        found.into_iter().next().filter(|run| is_right_behind(asking, run))?
    } else {
        let longest = found.into_iter().rev().max_by_key(telling);
        longest.or_else(|| behind_colon(asking))?
    };
    let run = proper(asking, run);
    let name = without_kind(asked, asking, takes, &run);
    if asking.slot.kind == "person" {
        return Some(Meant::by(json!(listed(asking, name)?), run, false));
    }
    let text = asking.written(name)?;
    Some(Meant::by(json!(text), run, false))
}

/// Who or what something is from, with or for is often a name: one that begins with a capital ends before a word that
/// does not. "What orders from Etsy came last month?"
fn proper(asking: &Asking<'_>, run: Vec<usize>) -> Vec<usize> {
    let is_capital = |at: &usize| asking.words.get(*at).is_some_and(|word| word.is_capital(asking.text));
    let is_name = asking.is_led && matches!(asking.slot.role, SlotRole::From | SlotRole::With | SlotRole::For);
    // "Sagra della Salamella": what holds a name together has no capital.
    let is_plain = |at: &usize| is_telling(asking, *at) && !is_capital(at);
    if !is_name || !run.first().is_some_and(is_capital) {
        return run;
    }
    let mut name: Vec<usize> = run.into_iter().take_while(|at| !is_plain(at)).collect();
    while name.last().is_some_and(|at| !is_capital(at)) {
        name.pop();
    }
    name
}

/// "Anna and Luca" as a list of two names.
fn listed(asking: &Asking<'_>, run: &[usize]) -> Option<String> {
    let joins = |at: &usize| asking.words.get(*at).is_some_and(|word| word.may_be(&Sign::Connector));
    let names = run.split(joins).filter(|name| !name.is_empty());
    let names: Option<Vec<&str>> = names.map(|name| asking.written(name)).collect();
    names.map(|names| names.join(", "))
}

/// Nothing that says something stands between the word that leads and what it leads to.
fn is_right_behind(asking: &Asking<'_>, run: &[usize]) -> bool {
    let (Some(start), Some(first)) = (asking.own.first(), run.first()) else {
        return false;
    };
    let says = |at: &usize| asking.words.get(*at).is_some_and(|word| word.is_time) || is_telling(asking, *at);
    !(*start..*first).any(|at| says(&at))
}

/// "The heater": a word for what the executor is about is the thing, with what stands right before it: "the desk lamp".
fn noun(asking: &Asking<'_>) -> Option<Meant> {
    let last = asking.own.iter().copied().find(|at| asking.named.contains(at))?;
    let belongs = |at: &usize| is_telling(asking, *at) && asking.own.contains(at) && !is_taken(asking, *at);
    let first = (0..last).rev().take_while(belongs).last().unwrap_or(last);
    let run: Vec<usize> = (first..=last).collect();
    Some(Meant::by(json!(asking.written(&run)?), run, false))
}

/// "New contact: Ben Okafor, …": what stands behind a colon, up to the next mark.
fn behind_colon(asking: &Asking<'_>) -> Option<Vec<usize>> {
    let colon = asking.clause.last()? + 1;
    let is_colon = asking.words.get(colon).is_some_and(|word| word.mark == Some(':'));
    let inside = |at: &usize| {
        asking
            .words
            .get(*at)
            .is_some_and(|word| !word.is_bound() && word.literal.is_none())
    };
    let run: Vec<usize> = (colon + 1..asking.words.len()).take_while(inside).collect();
    // One name is not the nickname, the trade and the street as well.
    let is_free = run.iter().all(|at| !is_taken(asking, *at));
    (is_colon && is_free && !run.is_empty()).then_some(run)
}

/// "The photos Emma sent", "the Coldplay songs": who is named in capitals, and nothing leads to them; where they need not
/// be people, right before the word for the things.
fn person(asking: &Asking<'_>) -> Option<Meant> {
    let is_person = asking.slot.kind == "person";
    let role = asking.slot.role;
    let is_whose = role == SlotRole::From || role == SlotRole::With && is_person;
    let first = asking.clause.first().copied();
    let is_name = |at: &&usize| {
        let names = |word: &Word| word.is_content() && !word.is_time && word.is_capital(asking.text);
        let is_one = asking.words.get(**at).is_some_and(names) && !asking.named.contains(at);
        Some(**at) != first && is_one && (is_person || asking.named.contains(&(**at + 1)))
    };
    let mut names = asking.own.iter().filter(|at| !is_taken(asking, **at)).filter(is_name);
    let at = names.next().filter(|_| is_whose)?;
    Some(Meant::by(json!(asking.written(&[*at])?), vec![*at], false))
}

/// "The album Family" is called Family: the word for the kind of thing, or for the argument, is no part of its name.
fn without_kind<'r>(asked: &Asked<'_>, asking: &Asking<'_>, takes: Takes<'_>, run: &'r [usize]) -> &'r [usize] {
    let kinds = kinds(asked, asking, takes);
    let is_kind = |at: &usize| {
        let word = asking.words.get(*at);
        word.is_some_and(|word| kinds.contains(&word.stem) || word.objects().any(|object| object == Object::Dirs))
    };
    match run {
        [first, rest @ ..] if !rest.is_empty() && is_kind(first) => rest,
        [rest @ .., last] if !rest.is_empty() && is_kind(last) => rest,
        _ => run,
    }
}

/// Stems of words for what a slot takes: its kind, its argument, and a description of one word.
fn kinds(asked: &Asked<'_>, asking: &Asking<'_>, takes: Takes<'_>) -> Vec<String> {
    let described = takes.spec.and_then(|spec| spec.description.get(&asked.reading.lang));
    let described = described
        .map(|text| (asked.stem)(text))
        .filter(|stems| stems.len() == 1);
    let mut kinds = (asked.stem)(&asking.slot.kind);
    kinds.extend((asked.stem)(&asking.slot.arg));
    kinds.extend(described.unwrap_or_default());
    kinds
}

/// "My Running playlist", «nel progetto Casa»: a name beside the word for its kind, where nothing leads to it.
fn beside_kind(asked: &Asked<'_>, asking: &Asking<'_>, takes: Takes<'_>) -> Option<Meant> {
    let kinds = kinds(asked, asking, takes);
    let is_free = |at: &usize| asking.free.contains(at) && asking.clause.contains(at);
    let is_kind = |at: &usize| asking.words.get(*at).is_some_and(|word| kinds.contains(&word.stem));
    let kind = asking.clause.iter().copied().find(|at| is_free(at) && is_kind(at))?;
    let begins = asking.clause.first().copied();
    let is_name = |at: &usize| {
        let names = |word: &Word| word.is_content() && word.is_capital(asking.text);
        Some(*at) != begins && is_free(at) && asking.words.get(*at).is_some_and(names)
    };
    let before = (0..kind).rev().take_while(is_name).last();
    let (run, all) = match before {
        Some(first) => (first..kind, first..kind + 1),
        None => {
            let last = (kind + 1..asking.words.len()).take_while(is_name).last()?;
            (kind + 1..last + 1, kind..last + 1)
        }
    };
    let text = asking.written(&run.collect::<Vec<_>>())?;
    Some(Meant::by(json!(text), all.collect(), false))
}

/// Runs of words that stand side by side, each from a telling one to a telling one. One ends before what the deed is
/// about ("… to my contacts"), and before a word that joins something else.
fn runs(asking: &Asking<'_>, places: &[usize]) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut is_open = false;
    for at in places.iter().copied() {
        let is_time = |word: &Word| word.is_time && !is_name_like_time(asking, word);
        if asking.words.get(at).is_none_or(|word| word.is_bound() || is_time(word)) || ends_name(asking, at) {
            is_open = false;
            continue;
        }
        let goes_on = |run: &&mut Vec<usize>| run.last().is_some_and(|last| last + 1 == at);
        match runs.last_mut().filter(|_| is_open).filter(goes_on) {
            Some(run) => run.push(at),
            None => runs.push(vec![at]),
        }
        is_open = true;
    }
    let trimmed = runs.into_iter().filter_map(|run| {
        let first = run.iter().position(|at| is_telling(asking, *at))?;
        let last = run.iter().rposition(|at| is_telling(asking, *at))?;
        run.get(first..=last).map(<[usize]>::to_vec)
    });
    trimmed.collect()
}

/// "Move them to Summer": what is led to as a place or a name, and written like one, is no time.
fn is_name_like_time(asking: &Asking<'_>, word: &Word) -> bool {
    let is_place = matches!(asking.slot.role, SlotRole::To | SlotRole::Named);
    asking.is_led && is_place && word.is_capital(asking.text)
}

/// «Nella posta inviata»: behind what leads to a place, a word for the things begins the name of one.
fn begins_place(asking: &Asking<'_>, at: usize) -> bool {
    let is_place = matches!(asking.slot.role, SlotRole::In | SlotRole::To);
    let is_first = asking
        .own
        .iter()
        .take_while(|own| **own < at)
        .all(|own| !is_telling(asking, *own));
    asking.is_led && is_place && is_first && asking.own.contains(&(at + 1)) && is_telling(asking, at + 1)
}

fn ends_name(asking: &Asking<'_>, at: usize) -> bool {
    let Some(word) = asking.words.get(at) else { return true };
    let mut ahead =
        (at + 1..asking.words.len()).filter(|next| asking.words.get(*next).is_some_and(|word| !word.is_glue));
    let mut leads_to_thing = || ahead.next().is_some_and(|next| asking.named.contains(&next));
    let leads = word.signs.iter().any(|(sign, _)| matches!(sign, Sign::Role(_)));
    let next = asking.words.get(at + 1);
    let joins = word.may_be(&Sign::Connector)
        && next.is_some_and(|next| {
            next.signs
                .iter()
                .any(|(sign, _)| matches!(sign, Sign::Role(_) | Sign::Deed(_)))
        });
    asking.named.contains(&at) && !begins_place(asking, at)
        || word.may_be(&Sign::All)
        || joins
        || (leads || word.is_glue) && leads_to_thing()
}

fn is_telling(asking: &Asking<'_>, at: usize) -> bool {
    asking
        .words
        .get(at)
        .is_some_and(|word| word.is_content() && !word.is_rest && !leads(word))
}

/// Only leads to something else; what leads may end like what goes on: "saying".
fn leads(word: &Word) -> bool {
    let only_leads = |sign: &Sign| matches!(sign, Sign::Role(_) | Sign::Request | Sign::Pointer);
    let mut signs = word.signs.iter().map(|(sign, _)| sign);
    signs.clone().any(only_leads) && signs.all(|sign| only_leads(sign) || *sign == Sign::Ongoing)
}

fn is_taken(asking: &Asking<'_>, at: usize) -> bool {
    asking.filled.iter().any(|filled| filled.words.contains(&at))
}

/// Places of the clause's words that lie within a part of the request.
fn inside(asked: &Asked<'_>, clause: &[usize], span: &std::ops::Range<usize>) -> Vec<usize> {
    let own = clause.iter().copied();
    own.filter(|at| {
        asked
            .words
            .get(*at)
            .is_some_and(|word| word.span.start >= span.start && word.span.end <= span.end)
    })
    .collect()
}

/// The value of a closed choice that was said, with its words: one of a list by its own name, a switch by what it is
/// called or does.
pub(super) fn choice(asked: &Asked<'_>, arg: &ArgSpec, open: &[usize]) -> Option<(Value, Vec<usize>)> {
    let places_of = |text: &str| -> Option<Vec<usize>> {
        let stems = (asked.stem)(text);
        let place = |stem: &String| {
            let mut own = open.iter().copied();
            own.find(|at| asked.words.get(*at).is_some_and(|word| word.stem == *stem))
        };
        let found: Option<Vec<usize>> = stems.iter().map(place).collect();
        found.filter(|found| !found.is_empty())
    };
    if let Some(values) = arg.schema.get("enum").and_then(Value::as_array) {
        return values
            .iter()
            .find_map(|value| Some((value.clone(), places_of(value.as_str()?)?)));
    }
    let is_switch = arg.schema.get("type").and_then(Value::as_str) == Some("boolean");
    if !is_switch {
        return None;
    }
    let does = arg.does.as_ref().and_then(|does| {
        let mut own = open.iter().copied();
        own.find(|at| {
            asked
                .words
                .get(*at)
                .is_some_and(|word| word.deeds().any(|deed| deed == does))
        })
    });
    let described = arg.description.get(&asked.reading.lang);
    let said = described.and_then(|said| phrase_at(asked, said, open).or_else(|| places_of(said)));
    let words = said
        .or_else(|| does.map(|at| vec![at]))
        .or_else(|| places_of(&arg.name))?;
    Some((json!(true), words))
}

/// Places of the longest of these phrases that is said.
pub(super) fn said(asked: &Asked<'_>, phrases: &[String], open: &[usize]) -> Option<Vec<usize>> {
    let found = phrases.iter().filter_map(|phrase| phrase_at(asked, phrase, open));
    found.max_by_key(Vec::len)
}

/// Places of a phrase that stands in the words, whichever form its words have: with nothing between, as in «non letti»,
/// but where it has a gap, as in "when … written".
fn phrase_at(asked: &Asked<'_>, phrase: &str, open: &[usize]) -> Option<Vec<usize>> {
    let says = |at: usize, part: &String| {
        let is_said = |word: &Word| word.fold == *part || (asked.stem)(part).contains(&word.stem);
        open.contains(&at) && asked.words.get(at).is_some_and(is_said)
    };
    let mut places: Vec<usize> = Vec::new();
    for part in phrase.split(GAP) {
        let part: Vec<String> = part.split_whitespace().map(fold).collect();
        let stands = |first: &&usize| {
            let mut own = part.iter().enumerate();
            own.all(|(index, part)| says(**first + index, part))
        };
        let is_near = |at: &&usize| {
            places
                .last()
                .is_none_or(|last| (last + 1..=last + 1 + GAP_MAX).contains(*at))
        };
        let first = open.iter().filter(is_near).find(stands).filter(|_| !part.is_empty())?;
        places.extend(*first..first + part.len());
    }
    Some(places)
}
