//! Finds how many, in which order and grouped by what: "the last three lines", "i 5 file più recenti", "by type".
//! Called for each clause; it explains the words it takes and leaves the rest.

use std::ops::Range;

use serde_json::json;

use super::{
    FactKind, Order, Side,
    scan::Scan,
    sense::{Role, Sense},
};
use metnos_domain::vocabulary::{Object, Qualifier, Verb};

/// What the amounts of one clause say.
#[derive(Default)]
pub(super) struct Amounts {
    pub(super) order: Option<Order>,
    pub(super) group_by: Option<String>,
}

/// Reads the amounts of a clause. `verb` is the clause's own verb, which decides between sorting and grouping.
pub(super) fn amounts(scan: &mut Scan<'_>, range: &Range<usize>, verb: Option<Verb>) -> Amounts {
    let mut amounts = Amounts::default();
    for at in range.clone() {
        superlative(scan, range, at, &mut amounts);
    }
    let lines = range.clone().any(|at| is_lines(scan, at));
    for at in range.clone() {
        if lines {
            side_of_lines(scan, range, at);
        } else {
            side_of_things(scan, range, at, verb, &mut amounts);
        }
    }
    for at in range.clone() {
        by_field(scan, range, at, verb, &mut amounts);
    }
    direction(scan, range, &mut amounts);
    // "the second biggest files", "il secondo più vecchio di un mese": nobody knows which one.
    if amounts
        .order
        .as_ref()
        .is_none_or(|order| order.skip == 0 || order.top != Some(1))
    {
        scan.reopen_ranks(range);
    }
    amounts
}

fn is_lines(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Object(Object::Texts, Some(Qualifier::Lines)))
}

fn is_free(scan: &Scan<'_>, at: usize) -> bool {
    scan.segments.get(at).is_some_and(|segment| !segment.used)
}

/// A count that nobody has taken yet.
fn free_count(scan: &Scan<'_>, at: usize) -> Option<u64> {
    is_free(scan, at).then(|| scan.count(at)).flatten()
}

fn is_path(scan: &Scan<'_>, at: usize) -> bool {
    scan.fact_at(at).is_some_and(|fact| fact.kind == FactKind::Path)
}

/// How far from a superlative its number may stand ("i 3 processi che usano più").
const COUNT_REACH: usize = 6;

/// The nearest free count, before or after. "The oldest of the 3 files" is one of them, and "the biggest and 3 others"
/// speaks of others.
fn count_near(scan: &Scan<'_>, range: &Range<usize>, at: usize) -> Option<(usize, u64)> {
    (1..=COUNT_REACH)
        .flat_map(|distance| [at.checked_sub(distance), Some(at + distance)])
        .flatten()
        .filter(|near| range.contains(near))
        .filter(|near| {
            let joined = (at.min(*near)..at.max(*near)).any(|between| scan.is_joint(between));
            let of = (at + 1..*near).any(|between| scan.is(between, &Sense::Role(Role::Of)));
            !(joined || of)
        })
        .find_map(|near| free_count(scan, near).map(|count| (near, count)))
}

/// Whether the thing asked for is one ("the biggest file", "which process").
pub(super) fn is_singular(scan: &Scan<'_>, range: &Range<usize>) -> bool {
    // "docs" may be the name of a folder: then it is no word for several files.
    let is_path = |at: usize| is_path(scan, at);
    // "file" is singular and plural in Italian: an article or a verb in the plural says which.
    let plural = |at: usize| scan.is(at, &Sense::Plural) && !is_path(at);
    let noun = range.clone().find(|at| {
        scan.sense(*at, Sense::object)
            .is_some_and(|(object, _)| object != Object::Texts)
            && !is_path(*at)
    });
    // "the oldest ones", "i più vecchi": without a noun only a word in the plural says that there are several.
    let Some(noun) = noun else {
        return !range.clone().any(plural);
    };
    let plural_before = (range.start..noun).any(plural);
    scan.is(noun, &Sense::Singular) && !plural_before
}

fn superlative(scan: &mut Scan<'_>, range: &Range<usize>, at: usize, amounts: &mut Amounts) {
    if !is_free(scan, at) || amounts.order.is_some() {
        return;
    }
    let Some((field, desc)) = scan.sense(at, Sense::superlative) else {
        return;
    };
    // "older than yesterday" is a limit, and not the oldest of yesterday.
    let than = usize::from(scan.is(at + 1, &Sense::Role(Role::Of)));
    let next = scan.fact_at(scan.skip_glue(at + 1 + than));
    let next_is_time = next.is_some_and(|fact| matches!(fact.kind, FactKind::Window | FactKind::Weekday));
    if next_is_time && (scan.is(at, &Sense::Older) || scan.is(at, &Sense::Newer)) {
        return;
    }
    // "bigger than" is a limit, and "the biggest of ~/docs" is none: some languages say both in the same words.
    let next_is_folder = next.is_some_and(|fact| fact.kind == FactKind::Path);
    if (scan.is(at, &Sense::More) || scan.is(at, &Sense::Less)) && !next_is_folder {
        return;
    }
    // "tranne il pdf più recente" leaves out one of a kind, and is no order of the others.
    let before = (range.start..at).rev().find(|at| !scan.is_glue(*at));
    let kind = before.and_then(|before| scan.fact_at(before));
    if kind.is_some_and(|fact| fact.kind == FactKind::NotGlob) {
        return;
    }
    let mut field = field.to_owned();
    if field == "*" {
        // "the most memory" names its field after it; "top" alone is read with "by memory" below.
        let named = (at + 1..at + 4)
            .filter(|next| range.contains(next))
            .find_map(|next| scan.sense(next, Sense::field).map(|name| (next, name.to_owned())));
        let Some((next, name)) = named.filter(|_| !scan.is(at, &Sense::Side(Side::First))) else {
            return;
        };
        field = name;
        scan.explain(at + 1..next + 1);
    }
    scan.explain(at..at + 1);
    if let Some(except) = except_before(scan, range, at) {
        if let Some(skip) = left_out(scan, range, except, at) {
            let top = None;
            amounts.order = Some(Order { field, desc, skip, top });
        }
        return;
    }
    let near = count_near(scan, range, at);
    if let Some((near, _)) = near {
        scan.explain(near..near + 1);
    }
    let one = is_singular(scan, range).then_some(1);
    let rank = rank_of(scan, range, at);
    amounts.order = Some(Order {
        field,
        desc,
        skip: rank.filter(|_| near.is_none()).map_or(0, |rank| rank - 1),
        top: near.map(|(_, count)| count).or(one),
    });
}

/// "the second biggest file", "il secondo file più grande": which one in the order.
fn rank_of(scan: &Scan<'_>, range: &Range<usize>, superlative: usize) -> Option<u64> {
    let before = |(at, _): &&(usize, u64)| (range.start..superlative).contains(at);
    scan.ranks.iter().rev().find(before).map(|(_, rank)| *rank)
}

/// The "except" that a superlative stands behind: "all but the three newest".
fn except_before(scan: &Scan<'_>, range: &Range<usize>, superlative: usize) -> Option<usize> {
    let passes = |at: usize| scan.is_glue(at) || scan.number(at).is_some() || scan.sense(at, Sense::object).is_some();
    let before = (range.start..superlative).rev().find(|at| !passes(*at))?;
    // "everything but the newest"
    let of_all = scan.is(before, &Sense::But) && (range.start..before).any(|at| scan.is(at, &Sense::All));
    ((scan.is(before, &Sense::Except) || of_all) && is_free(scan, before)).then_some(before)
}

/// How many an exception leaves out; it explains its words. "All but the newest ones" says no number, and "all but the
/// newest pdf" leaves out one of other things than are meant.
fn left_out(scan: &mut Scan<'_>, range: &Range<usize>, except: usize, superlative: usize) -> Option<u64> {
    let is_files = |at: usize| scan.is(at, &Sense::Object(Object::Files, None)) && !scan.is_value(at);
    let own = |at: &usize| is_files(*at) || free_count(scan, *at).is_some();
    let end = (superlative + 1..range.end).find(|at| !own(at)).unwrap_or(range.end);
    let mut counts = (except + 1..end).filter_map(|at| free_count(scan, at));
    let count = (counts.next(), counts.next());
    let several =
        (except + 1..end).any(|at| scan.is(at, &Sense::Plural) || is_files(at) && !scan.is(at, &Sense::Singular));
    let skip = match count {
        (Some(count), None) => count,
        (None, None) if !several => 1,
        _ => return None,
    };
    // "except the newest ones", "tranne il pdf più recente": of what is said behind or between nobody can tell.
    let leads = |at: usize| scan.sense(at, Sense::role).is_some() && is_path(scan, scan.skip_glue(at + 1));
    let is_open = |at: usize| !(scan.is_break(at) || leads(at));
    let is_other = |at: usize| scan.is_value(at) && free_count(scan, at).is_none();
    if range.contains(&end) && is_open(end) || (except + 1..end).any(is_other) {
        return None;
    }
    scan.explain(except..end);
    Some(skip)
}

fn side_of_lines(scan: &mut Scan<'_>, range: &Range<usize>, at: usize) {
    if !is_free(scan, at) {
        return;
    }
    let Some(side) = scan.sense(at, Sense::side) else {
        return;
    };
    let near = count_near(scan, range, at);
    let singular = range
        .clone()
        .any(|noun| is_lines(scan, noun) && scan.is(noun, &Sense::Singular));
    let Some(count) = near.map(|(_, count)| count).or(singular.then_some(1)) else {
        return;
    };
    let first = near.map_or(at, |(near, _)| near.min(at));
    let last = near.map_or(at, |(near, _)| near.max(at));
    scan.fact(
        FactKind::Count,
        json!({"count": count, "side": side.as_str()}),
        first..last + 1,
    );
}

/// "top 5 processes by memory", "gli ultimi 5 file modificati".
fn side_of_things(scan: &mut Scan<'_>, range: &Range<usize>, at: usize, verb: Option<Verb>, amounts: &mut Amounts) {
    if !is_free(scan, at) || amounts.order.is_some() {
        return;
    }
    let Some(side) = scan.sense(at, Sense::side) else {
        return;
    };
    let near = count_near(scan, range, at);
    let top = near
        .map(|(_, count)| count)
        .or_else(|| is_singular(scan, range).then_some(1));
    let changed = range
        .clone()
        .find(|other| scan.is(*other, &Sense::Changed) && is_free(scan, *other));
    let by = range.clone().find(|other| key_field(scan, *other).is_some());
    let recent = range
        .clone()
        .find(|other| is_recent(scan, range, (at, side), *other, verb));
    let (field, until) = if let Some(noun) = recent {
        (MTIME.to_owned(), noun..noun)
    } else if let (Some(changed), Side::Last) = (changed, side) {
        (MTIME.to_owned(), changed..changed + 1)
    } else if let Some((field, until)) = by.and_then(|by| key_field(scan, by).map(|(field, end)| (field, by..end)))
        && !(side == Side::Last && field == MTIME)
    {
        (field, until)
    } else {
        // "the last three by date" are the newest for some and the end of the list for others.
        count_of_things(scan, range, at, side);
        return;
    };
    scan.explain(at..at + 1);
    scan.explain(until);
    if let Some((near, _)) = near {
        scan.explain(near..near + 1);
    }
    let desc = match side {
        Side::First => descends(&field),
        Side::Last => recent.is_some() || changed.is_some() || !descends(&field),
    };
    amounts.order = Some(Order {
        field,
        desc,
        skip: 0,
        top,
    });
}

/// "the last photo", "le ultime 3 foto", "the last file I downloaded": the newest, where things are only looked at and
/// the word stands right before what they are. What is to be changed must be said more clearly.
fn is_recent(
    scan: &Scan<'_>,
    range: &Range<usize>,
    (at, side): (usize, Side),
    noun: usize,
    verb: Option<Verb>,
) -> bool {
    let looks = verb.is_none_or(|verb| verb.is_safe() || verb == Verb::Send);
    let passes = |at: usize| scan.is_glue(at) || free_count(scan, at).is_some();
    let beside = noun > at && (at + 1..noun).all(passes);
    let is_kind = scan.fact_at(noun).is_some_and(|fact| fact.kind == FactKind::Glob);
    let downloaded = range.clone().any(|other| scan.is(other, &Sense::Downloaded));
    let is_file = scan.is(noun, &Sense::Object(Object::Files, None)) && downloaded;
    side == Side::Last && looks && beside && (is_kind || is_file)
}

/// "top 3", "prime 5", "gli ultimi dieci": so many from one end, whatever they are in order of.
fn count_of_things(scan: &mut Scan<'_>, range: &Range<usize>, at: usize, side: Side) {
    let beside = [Some(at + 1), at.checked_sub(1)].into_iter().flatten();
    let found = beside
        .filter(|near| range.contains(near))
        .find_map(|near| free_count(scan, near).map(|count| (near, count)));
    if let Some((near, count)) = found {
        scan.fact(
            FactKind::Count,
            json!({"count": count, "side": side.as_str()}),
            near.min(at)..near.max(at) + 1,
        );
    }
}

/// "by size", "per tipo": the field, and where the words for it end.
fn key_field(scan: &Scan<'_>, at: usize) -> Option<(String, usize)> {
    if !(scan.is(at, &Sense::Per) || scan.is(at, &Sense::SortBy)) {
        return None;
    }
    let field_at = scan.skip_glue(at + 1);
    let field = scan.sense(field_at, Sense::field)?;
    Some((field.to_owned(), field_at + 1))
}

fn by_field(scan: &mut Scan<'_>, range: &Range<usize>, at: usize, verb: Option<Verb>, amounts: &mut Amounts) {
    if !is_free(scan, at) {
        return;
    }
    let Some((field, end)) = key_field(scan, at) else {
        return;
    };
    let counted = range.clone().any(|other| scan.is(other, &Sense::HowMany));
    let sorts = scan.is(at, &Sense::SortBy) || verb == Some(Verb::Sort);
    // Every file has a name of its own: "list them by name" is an order.
    let is_key = field != NAME && !descends(&field);
    let groups = !sorts && (verb == Some(Verb::Group) || counted || is_key);
    // "the 3 biggest sorted by name" are two orders, and a plan has one.
    if !groups && amounts.order.as_ref().is_some_and(|order| order.field != field) {
        return;
    }
    scan.explain(at..end);
    if groups {
        amounts.group_by = Some(field);
    } else if amounts.order.is_none() {
        let desc = descends(&field);
        amounts.order = Some(Order {
            field,
            desc,
            skip: 0,
            top: None,
        });
    }
}

/// The field of a name.
const NAME: &str = "name";
/// The field of the last change.
const MTIME: &str = "mtime";

/// Amounts are wanted from the largest, times from the newest, names from A.
fn descends(field: &str) -> bool {
    matches!(field, "size" | "mtime" | "memory" | "cpu" | "bytes")
}

/// "newest first" is an order by itself; beside "by date" it says from which end. Another order leaves it open.
fn direction(scan: &mut Scan<'_>, range: &Range<usize>, amounts: &mut Amounts) {
    for at in range.clone() {
        if let Some((field, desc)) = scan.sense(at, Sense::ordered).filter(|_| is_free(scan, at)) {
            let order = amounts.order.get_or_insert_with(|| Order {
                field: field.to_owned(),
                desc,
                skip: 0,
                top: None,
            });
            if order.field == field {
                order.desc = desc;
                scan.explain(at..at + 1);
            }
            continue;
        }
        // "by size, reversed": from the other end than sizes are listed from. The largest reversed are another thing.
        if scan.is(at, &Sense::Reversed) && is_free(scan, at) {
            if let Some(order) = amounts.order.as_mut().filter(|order| order.top.is_none()) {
                order.desc = !order.desc;
                scan.explain(at..at + 1);
            }
            continue;
        }
        let desc = scan.is(at, &Sense::Descending);
        if !(desc || scan.is(at, &Sense::Ascending)) {
            continue;
        }
        if let Some(order) = &mut amounts.order {
            order.desc = desc;
            scan.explain(at..at + 1);
        }
    }
}
