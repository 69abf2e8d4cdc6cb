//! File names written without their folder: "delete setup.exe and song.mp3", "how big is backup.zip". Called by `known`; a
//! name is only given a folder where one file of the home bears it.

use serde_json::json;

use super::{Known, changes, edits, goes_elsewhere, is_lead, is_tick, moves};
use crate::{
    domain::vocabulary::{Object, Verb},
    language::{
        Fact, FactKind,
        home::Home,
        scan::Scan,
        sense::{Around, Role, Sense},
    },
};

/// "delete setup.exe": a file that lies somewhere below the home, and only there. Where folders are named it is in one of
/// those.
pub(super) fn names(scan: &mut Scan<'_>, home: &Home) {
    let is_place = |fact: &Fact| fact.kind == FactKind::Path && fact.text().contains(['/', '~', '\\']);
    // Where they go says nothing of where they are.
    let says_where = |at: usize| {
        let fact = scan.segments.get(at).and_then(|segment| scan.facts.get(segment.fact?));
        // "move it in docs" says where it goes, when nothing else does.
        let goes = scan.role_before(at) == Some(Role::In) && !goes_elsewhere(scan, at + 1);
        fact.is_some_and(is_place) && scan.role_before(at) != Some(Role::To) && !goes
    };
    if (0..scan.segments.len()).any(says_where) {
        return;
    }
    sought(scan);
    let only_looks = !changes(scan) && !searches(scan);
    for at in 0..scan.segments.len() {
        let Some(index) = scan.segments.get(at).and_then(|segment| segment.fact) else {
            continue;
        };
        let Some(name) = scan
            .facts
            .get(index)
            .filter(|fact| fact.is_file_path())
            .map(|fact| fact.text().to_owned())
        else {
            continue;
        };
        let files = if (only_looks || is_taken(scan, at)) && !home.has(&format!("~/{name}")) {
            home.files()
        } else {
            &[]
        };
        let ending = format!("/{}", name.to_lowercase());
        let mut found = files.iter().filter(|path| path.to_lowercase().ends_with(&ending));
        if let (Some(path), None) = (found.next(), found.next())
            && let Some(fact) = scan.facts.get_mut(index)
        {
            fact.value = json!(path);
            scan.known.push(Known::of(index, Vec::new()));
        }
    }
}

/// What is moved, deleted or added to is there already; what is only written is made, wherever one of that name lies.
fn is_taken(scan: &Scan<'_>, at: usize) -> bool {
    let Some(mut lead) = lead_of(scan, at) else {
        return false;
    };
    // "delete setup.exe and song.mp3": the second is spoken of as the first.
    while let Some(first) = joined_to(scan, lead) {
        lead = first;
    }
    // "save it to report.txt" makes a file; "add tea to list.txt" needs one.
    let adds = (0..lead).any(|at| scan.is(at, &Sense::Option("append".to_owned())));
    let takes_from = scan.is(lead, &Sense::Role(Role::From)) || adds || (0..lead).any(|at| is_tick(scan, at));
    moves(scan, lead) || scan.sense(lead, Sense::role).is_some() && takes_from && edits(scan, lead)
}

/// "where is backup.zip", "find budget.csv": a name, wherever such a file lies.
fn sought(scan: &mut Scan<'_>) {
    let Some(begin) = (0..scan.segments.len()).find(|at| !scan.is_glue(*at)) else {
        return;
    };
    let asks_where = scan.is(begin, &Sense::WhereIs) || scan.is(begin, &Sense::Around(Around::Where));
    let finds = scan.sense(begin, Sense::verb) == Some(Verb::Find);
    let name_at = scan.skip_glue(begin + 1);
    let Some(fact) = scan.segments.get(name_at).and_then(|segment| segment.fact) else {
        return;
    };
    let path = scan.facts.get_mut(fact).filter(|fact| fact.is_file_path());
    if let Some(path) = path.filter(|_| asks_where || finds) {
        path.kind = FactKind::Taken;
        let name = path.value.clone();
        let start = if asks_where { begin } else { name_at };
        scan.fact(FactKind::Glob, name, start..name_at + 1);
    }
}

/// Whether files are looked for: then a name is what they are to be called, wherever they lie.
fn searches(scan: &Scan<'_>) -> bool {
    (0..scan.segments.len()).any(|at| {
        let asks = [
            Sense::Verb(Verb::Find),
            Sense::Verb(Verb::List),
            Sense::WhereIs,
            Sense::Around(Around::Where),
            Sense::Named,
            Sense::Except,
        ];
        asks.iter().any(|sense| scan.is(at, sense))
    })
}

/// What leads to the file name before a comma or an "and".
fn joined_to(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let mut name = at.checked_sub(1).filter(|_| scan.is_joint(at))?;
    // "a, and b"
    if scan.is_comma(name) {
        name = name.checked_sub(1)?;
    }
    let fact = scan.facts.get(scan.segments.get(name)?.fact?)?;
    lead_of(scan, name).filter(|_| fact.is_file_path())
}

/// The word that leads to what begins here, past the glue before it.
fn lead_of(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let mut begin = at;
    let passes = |at: usize| scan.is_glue(at) || scan.is(at, &Sense::Object(Object::Files, None));
    while begin > 0 && passes(begin - 1) && !is_lead(scan, begin - 1) {
        begin -= 1;
    }
    begin.checked_sub(1)
}
