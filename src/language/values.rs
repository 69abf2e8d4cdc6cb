//! Finds the values a request names beside literals: times, sizes, kinds of files, names to look for. Called by
//! `language::read` before clauses are made, so that a clause sees values and not words.

use jiff::{Zoned, civil::Date};
use serde_json::{Value, json};

use super::{
    FactKind, names, places,
    scan::Scan,
    sense::{Role, Sense},
};
use crate::domain::vocabulary::Object;

/// All passes, in the order in which they may take words from each other.
pub(super) fn find_values(scan: &mut Scan<'_>, now: &Zoned) {
    places::places(scan);
    home(scan);
    sizes(scan);
    windows(scan, now);
    globs(scan);
    exceptions(scan);
    names::names(scan);
    roles(scan);
    path_patterns(scan);
}

/// "~/docs/*.pdf" is a folder and a pattern in it.
fn path_patterns(scan: &mut Scan<'_>) {
    for index in 0..scan.facts.len() {
        let Some(fact) = scan.facts.get_mut(index).filter(|fact| fact.kind == FactKind::Path) else {
            continue;
        };
        let Some((folder, pattern)) = fact.text().rsplit_once('/') else {
            continue;
        };
        if !pattern.contains('*') || folder.contains('*') {
            continue;
        }
        let folder = if folder.is_empty() {
            "/".to_owned()
        } else {
            folder.to_owned()
        };
        let mut found = fact.clone();
        found.kind = FactKind::Glob;
        found.value = json!(pattern);
        if fact.role.is_none() {
            fact.role = Some(Role::In);
        }
        fact.value = json!(folder);
        scan.facts.push(found);
    }
}

fn home(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        let free = scan.segments.get(at).is_some_and(|segment| !segment.used);
        // "home" alone is also where people go: as a folder it needs a preposition or a second word.
        let phrase = scan.segments.get(at).is_some_and(|segment| segment.fold.contains(' '));
        if free && scan.is(at, &Sense::Home) && (phrase || scan.role_before(at).is_some()) {
            scan.fact(FactKind::Path, json!("~"), at..at + 1);
        }
    }
}

/// "bigger than 10 MB", "oltre i 500 kB".
fn sizes(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        let bound = if scan.is(at, &Sense::More) {
            "min"
        } else if scan.is(at, &Sense::Less) {
            "max"
        } else {
            continue;
        };
        let number_at = scan.skip_glue(at + 1);
        let unit = scan.sense(number_at + 1, Sense::size_unit);
        if let (Some(number), Some(unit)) = (scan.number(number_at), unit) {
            let bytes = bytes_of(number, unit);
            scan.fact(
                FactKind::Size,
                json!({"bytes": bytes, "bound": bound}),
                at..number_at + 2,
            );
        }
    }
}

fn bytes_of(number: f64, unit: u64) -> u64 {
    (number * unit as f64).round() as u64
}

/// "this week", "in the last 3 days", "2026-11-20", "20/11/2026", "15 march", "on monday".
fn windows(scan: &mut Scan<'_>, now: &Zoned) {
    let mut at = 0;
    while at < scan.segments.len() {
        let taken = named_window(scan, at, now)
            .or_else(|| aged_window(scan, at))
            .or_else(|| counted_window(scan, at))
            .or_else(|| written_date(scan, at, now));
        let Some((taken, kind, value)) = taken else {
            at += 1;
            continue;
        };
        scan.fact(kind, Value::String(value), at..at + taken);
        at += taken;
    }
}

type Found = Option<(usize, FactKind, String)>;

fn named_window(scan: &Scan<'_>, at: usize, now: &Zoned) -> Found {
    if scan.segments.get(at).is_none_or(|segment| segment.used) {
        return None;
    }
    if let Some(token) = scan.sense(at, Sense::window) {
        // A day that has no word of its own among the executors' windows ("+2" is the day after tomorrow) is a date.
        if let Some(days) = token.strip_prefix(['+', '-']).and_then(|days| days.parse::<i64>().ok()) {
            let days = if token.starts_with('-') { -days } else { days };
            let date = now.date().checked_add(jiff::Span::new().days(days)).ok()?;
            return Some((1, FactKind::Window, date.to_string()));
        }
        return Some((1, FactKind::Window, token.to_owned()));
    }
    let day = scan.sense(at, Sense::weekday)?;
    let name = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    let name = name.get(usize::from(day).saturating_sub(1))?;
    Some((1, FactKind::Weekday, (*name).to_owned()))
}

/// "in the last 3 days": a direction, a number and a unit of time.
fn counted_window(scan: &Scan<'_>, at: usize) -> Found {
    let direction = if scan.is(at, &Sense::Within) {
        "last"
    } else if scan.is(at, &Sense::Upcoming) {
        "next"
    } else {
        return None;
    };
    let number = scan.count(at + 1)?;
    let unit = scan.sense(at + 2, Sense::window_unit)?;
    Some((3, FactKind::Window, format!("{direction}-{number}{unit}")))
}

/// "older than two months", "più recenti di un giorno", "more than 60 days old".
fn aged_window(scan: &Scan<'_>, at: usize) -> Found {
    if scan.segments.get(at).is_none_or(|segment| segment.used) {
        return None;
    }
    let (older, newer) = (scan.is(at, &Sense::Older), scan.is(at, &Sense::Newer));
    let (more, less) = (scan.is(at, &Sense::More), scan.is(at, &Sense::Less));
    let number_at = scan.skip_glue(at + 1);
    // "a month" has no number of its own.
    let (count, unit_at) = match scan.count(number_at) {
        Some(count) => (count, number_at + 1),
        None => (1, number_at),
    };
    let unit = scan.sense(unit_at, Sense::window_unit)?;
    let aged = scan.is(unit_at + 1, &Sense::Aged);
    let direction = if older || more && aged {
        "older"
    } else if newer || less && aged {
        "last"
    } else {
        return None;
    };
    let taken = unit_at + 1 + usize::from(aged) - at;
    Some((taken, FactKind::Window, format!("{direction}-{count}{unit}")))
}

/// A date in digits, or a day and a month. Without a year it is the nearest one that is not in the future.
fn written_date(scan: &Scan<'_>, at: usize, now: &Zoned) -> Found {
    if let Some(found) = month_first(scan, at, now) {
        return Some(found);
    }
    scan.segments.get(at)?.number?;
    let mark = |at: usize, wanted: &[char]| {
        scan.segments
            .get(at)
            .and_then(|segment| segment.mark)
            .is_some_and(|mark| wanted.contains(&mark))
    };
    let part = |at: usize| scan.count(at).and_then(|number| i16::try_from(number).ok());
    if mark(at + 1, &['-', '/', '.'])
        && mark(at + 3, &['-', '/', '.'])
        && let (Some(one), Some(two), Some(three)) = (part(at), part(at + 2), part(at + 4))
    {
        let date = if one > 31 {
            date(one, two, three)
        } else {
            date(full_year(three), two, one)
        };
        return date.map(|date| (5, FactKind::Window, date.to_string()));
    }
    let day = part(at)?;
    let ordinal = usize::from(is_ordinal(scan, at + 1));
    let gap = ordinal + usize::from(scan.is(at + 1 + ordinal, &Sense::Role(Role::Of)));
    let month = i16::from(scan.sense(at + 1 + gap, Sense::month)?);
    if let Some(year) = part(at + 2 + gap).filter(|year| *year > 1000) {
        return date(year, month, day).map(|date| (3 + gap, FactKind::Window, date.to_string()));
    }
    Some((2 + gap, FactKind::Window, latest(month, day, now)?.to_string()))
}

/// "June 11", "June 11th, 2026".
fn month_first(scan: &Scan<'_>, at: usize, now: &Zoned) -> Found {
    let month = i16::from(scan.sense(at, Sense::month)?);
    let part = |at: usize| scan.count(at).and_then(|number| i16::try_from(number).ok());
    let day = part(at + 1).filter(|day| *day <= 31)?;
    let mut end = at + 2 + usize::from(is_ordinal(scan, at + 2));
    let comma = usize::from(scan.segments.get(end).is_some_and(|segment| segment.mark == Some(',')));
    let date = match part(end + comma).filter(|year| *year > 1000) {
        Some(year) => {
            end += comma + 1;
            date(year, month, day)?
        }
        None => latest(month, day, now)?,
    };
    Some((end - at, FactKind::Window, date.to_string()))
}

fn is_ordinal(scan: &Scan<'_>, at: usize) -> bool {
    scan.segments
        .get(at)
        .is_some_and(|segment| matches!(segment.fold.as_str(), "st" | "nd" | "rd" | "th"))
}

/// The last time this day was.
fn latest(month: i16, day: i16, now: &Zoned) -> Option<Date> {
    let today = now.date();
    let this_year = date(today.year(), month, day);
    match this_year.filter(|date| *date <= today) {
        Some(date) => Some(date),
        None => date(today.year() - 1, month, day),
    }
}

fn full_year(year: i16) -> i16 {
    if year < 100 { 2000 + year } else { year }
}

fn date(year: i16, month: i16, day: i16) -> Option<Date> {
    let month = i8::try_from(month).ok()?;
    let day = i8::try_from(day).ok()?;
    Date::new(year, month, day).ok()
}

/// "pdf files", "file markdown", "files of type rust", "the jpgs", "immagini".
fn globs(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        if scan.segments.get(at).is_none_or(|segment| segment.used) {
            continue;
        }
        let Some((extensions, alone)) = scan.sense(at, Sense::globs) else {
            continue;
        };
        if !alone && !beside_files(scan, at) {
            continue;
        }
        // "jpg images": the kind adds nothing to the extension beside it.
        let says_more = |near: usize| {
            let single = scan.sense(near, Sense::globs).filter(|(own, _)| own.len() == 1);
            extensions.len() > 1 && single.is_some_and(|(own, _)| own.iter().all(|own| extensions.contains(own)))
        };
        if says_more(at + 1) || at.checked_sub(1).is_some_and(says_more) {
            scan.explain(at..at + 1);
            continue;
        }
        if names_ending(scan, at + 1, extensions) {
            // "the photo ~/x.jpg": the path says it all.
            scan.explain(at..at + 1);
            continue;
        }
        let list = extensions.join(",");
        let glob = if extensions.len() == 1 {
            format!("*.{list}")
        } else {
            format!("*.{{{list}}}")
        };
        scan.fact(FactKind::Glob, json!(glob), at..at + 1);
        let filler_before = at.checked_sub(1).filter(|before| scan.is(*before, &Sense::KindFiller));
        if let Some(before) = filler_before {
            scan.explain(before..at);
        }
        if scan.is(at + 1, &Sense::KindFiller) {
            scan.explain(at + 1..at + 2);
        }
    }
}

/// A file with one of these endings stands here.
fn names_ending(scan: &Scan<'_>, at: usize, extensions: &[String]) -> bool {
    let fact = scan.segments.get(at).and_then(|segment| segment.fact);
    fact.and_then(|fact| scan.facts.get(fact)).is_some_and(|fact| {
        let ending = fact
            .text()
            .rsplit_once('.')
            .map_or("", |(_, ending)| ending)
            .to_lowercase();
        fact.is_file_path() && extensions.contains(&ending)
    })
}

/// "except the txt ones", "tranne todo.md": what is left out.
fn exceptions(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        if !scan.is(at, &Sense::Except) {
            continue;
        }
        let mut value_at = at + 1;
        while !scan.is_value(value_at)
            && (scan.is_glue(value_at) || scan.is(value_at, &Sense::Anaphora) || is_files(scan, value_at))
        {
            value_at += 1;
        }
        let Some(fact) = scan.segments.get(value_at).and_then(|segment| segment.fact) else {
            continue;
        };
        let Some(fact) = scan.facts.get_mut(fact) else { continue };
        let name = fact.kind == FactKind::Path && !fact.text().contains(['/', '\\']);
        if name || fact.kind == FactKind::Glob {
            fact.kind = FactKind::NotGlob;
            scan.explain(at..value_at + 1);
        }
    }
}

fn is_files(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Object(Object::Files, None))
}

/// Directly before a word for files ("pdf and docx files"), or behind one ("file di tipo python"). An article between
/// makes the word something else: "zip the files".
fn beside_files(scan: &Scan<'_>, at: usize) -> bool {
    let lists = |at: usize| {
        scan.is(at, &Sense::Connector) || scan.is(at, &Sense::KindFiller) || scan.sense(at, Sense::globs).is_some()
    };
    let mut after = at + 1;
    while after < at + 4 && lists(after) && !is_files(scan, after) {
        after += 1;
    }
    let command = starts_command(scan, at);
    if is_files(scan, after) {
        return !command;
    }
    let mut before = at;
    for _ in 0..4 {
        let Some(previous) = before.checked_sub(1) else {
            return false;
        };
        if is_files(scan, previous) {
            return true;
        }
        let glue = lists(previous) || scan.is(previous, &Sense::Role(Role::Of)) || scan.is(previous, &Sense::Stop);
        if !glue {
            return false;
        }
        before = previous;
    }
    false
}

/// A word that is also a command, where a command stands: "zip files" is not "find zip files".
fn starts_command(scan: &Scan<'_>, at: usize) -> bool {
    let first = (0..at).all(|before| scan.is_glue(before));
    first && scan.sense(at, Sense::verb).is_some()
}

/// What the preposition before each value says of it.
fn roles(scan: &mut Scan<'_>) {
    for at in 0..scan.segments.len() {
        let Some(fact) = scan.segments.get(at).and_then(|segment| segment.fact) else {
            continue;
        };
        let first = at == 0
            || scan
                .segments
                .get(at - 1)
                .is_none_or(|segment| segment.fact != Some(fact));
        if !first {
            continue;
        }
        let mut role = scan.role_before(at);
        if role.is_none() {
            role = shared_role(scan, at);
        }
        if let Some(fact) = scan.facts.get_mut(fact) {
            fact.role = role;
        }
    }
}

/// "in ~/a and ~/b": the second of two values of a list has the role of the first.
fn shared_role(scan: &Scan<'_>, at: usize) -> Option<Role> {
    let link = at.checked_sub(1)?;
    let is_link = scan.is(link, &Sense::Connector) || scan.segments.get(link)?.mark == Some(',');
    let previous = scan.segments.get(link.checked_sub(1)?)?.fact?;
    is_link.then(|| scan.facts.get(previous)?.role).flatten()
}
