//! Finds the values a request names beside literals: times, sizes, kinds of files, names to look for. Called by
//! `language::read` before clauses are made, so that a clause sees values and not words.

use jiff::civil::Date;
use serde_json::json;

use super::{
    Fact, FactKind, known, made, names,
    nouns::Nouns,
    places,
    positions::positions,
    quantities::{Units, quantities},
    scan::Scan,
    sense::{Role, Sense},
    sizes::sizes,
    time::Mention,
    windows::windows,
};
use metnos_domain::vocabulary::Object;

/// Words that are kept apart from the lexicon.
pub(super) struct Words<'w> {
    pub(super) units: &'w Units,
    pub(super) nouns: &'w Nouns,
}

/// All passes, in the order in which they may take words from each other.
pub(super) fn find_values(scan: &mut Scan<'_>, words: &Words<'_>, times: &[Mention], today: Date) {
    names::listed::listed(scan, words.nouns);
    positions(scan);
    windows(scan, times, today);
    places::places(scan);
    home(scan);
    made::called(scan);
    made::folders(scan);
    sizes(scan);
    globs(scan);
    exceptions(scan);
    names::names(scan, words.nouns);
    papers(scan);
    quantities(scan, words.units, times);
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
        // "the home screen"
        let place = scan.role_before(at).is_some() && !scan.is(at + 1, &Sense::Carrier);
        if free && scan.is(at, &Sense::Home) && (phrase || place) {
            scan.fact(FactKind::Path, json!("~"), at..at + 1);
        }
    }
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
        // ".tar.gz archives"
        let is_one = |fact: &Fact| {
            let ending = fact.text().rsplit_once('.').map(|(_, ending)| ending.to_owned());
            extensions.len() > 1 && fact.kind == FactKind::Glob && ending.is_some_and(|own| extensions.contains(&own))
        };
        let of_ending = at
            .checked_sub(1)
            .and_then(|before| scan.fact_at(before))
            .is_some_and(is_one);
        if of_ending || says_more(at + 1) || at.checked_sub(1).is_some_and(says_more) {
            scan.explain(at..at + 1);
            continue;
        }
        // "the movie photos" are not the movies and the photos.
        let is_kind = |before: usize| scan.fact_at(before).is_some_and(|fact| fact.kind == FactKind::Glob);
        let passes = |before: &usize| {
            let small = scan.is_glue(*before) || scan.is(*before, &Sense::Role(Role::Of));
            small && !scan.is_joint(*before) && !scan.is_value(*before)
        };
        if (0..at).rev().find(|before| !passes(before)).is_some_and(is_kind) {
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

/// "documents from last spring", "the biggest document": what is read, and no picture and no program. Where words say
/// which ones are meant a document is any file that holds them.
fn papers(scan: &mut Scan<'_>) {
    let is_open = |at: usize| scan.segments.get(at).is_some_and(|segment| !segment.used);
    let kind = |at: usize| scan.sense(at, Sense::papers).filter(|_| is_open(at));
    let Some((at, endings)) = (0..scan.segments.len()).find_map(|at| Some((at, kind(at)?))) else {
        return;
    };
    let timed = |kind: FactKind| matches!(kind, FactKind::Window | FactKind::Weekday | FactKind::Size);
    let said = |fact: &Fact| {
        let folder = fact.kind == FactKind::Path && !fact.is_file_path();
        !(folder || timed(fact.kind) || fact.kind == FactKind::Taken)
    };
    let asks = |at: usize| {
        let extreme = scan.sense(at, Sense::superlative).is_some() || scan.is(at, &Sense::HowMany);
        is_open(at) && (extreme || scan.is(at, &Sense::HowMuch))
    };
    let narrowed = scan.facts.iter().any(|fact| timed(fact.kind)) || (0..scan.segments.len()).any(asks);
    let Some(segment) = scan
        .segments
        .get(at)
        .filter(|_| narrowed && !scan.facts.iter().any(said))
    else {
        return;
    };
    let fact = Fact {
        kind: FactKind::Glob,
        value: json!(format!("*.{{{}}}", endings.join(","))),
        span: segment.span.clone(),
        role: None,
        one_of: Vec::new(),
    };
    scan.facts.push(fact);
}

/// A file with one of these endings stands here.
fn names_ending(scan: &Scan<'_>, at: usize, extensions: &[String]) -> bool {
    scan.fact_at(at).is_some_and(|fact| {
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
        let end = join_kinds(scan, fact, value_at + 1);
        if known::lists_more(scan, end) {
            continue;
        }
        let Some(fact) = scan.facts.get_mut(fact) else { continue };
        let name = fact.kind == FactKind::Path && !fact.text().contains(['/', '\\']);
        if name || fact.kind == FactKind::Glob {
            fact.kind = FactKind::NotGlob;
            scan.explain(at..end);
        }
    }
}

/// "except the pdf and zip files", "except the tmp files and the pdfs": the kinds listed behind the first are one with
/// it. The end of the list.
fn join_kinds(scan: &mut Scan<'_>, first: usize, end: usize) -> usize {
    let end = if is_files(scan, end) { end + 1 } else { end };
    let next = scan.skip_glue(end + 1);
    let Some(fact) = scan
        .segments
        .get(next)
        .and_then(|segment| segment.fact)
        .filter(|_| scan.is_joint(end))
    else {
        return end;
    };
    let endings = |fact: usize| {
        let fact = scan.facts.get(fact).filter(|fact| fact.kind == FactKind::Glob)?;
        fact.text()
            .strip_prefix("*.")
            .map(|endings| endings.trim_matches(['{', '}']).to_owned())
    };
    let (Some(one), Some(more)) = (endings(first), endings(fact)) else {
        return end;
    };
    if let Some(first) = scan.facts.get_mut(first) {
        first.value = json!(format!("*.{{{one},{more}}}"));
    }
    if let Some(fact) = scan.facts.get_mut(fact) {
        fact.kind = FactKind::Taken;
    }
    join_kinds(scan, first, next + 1)
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
    let previous = scan.segments.get(link.checked_sub(1)?)?.fact?;
    scan.is_joint(link).then(|| scan.facts.get(previous)?.role).flatten()
}
