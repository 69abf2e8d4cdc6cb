//! File names written without their folder: "delete setup.exe and song.mp3", "how big is backup.zip". Called by `known`;
//! it never chooses between two files of one name.

use std::{collections::BTreeMap, ops::Range};

use serde_json::json;

use super::{Known, goes_elsewhere, is_lead, is_tick};
use crate::{
    Fact, FactKind,
    home::Home,
    leading,
    scan::Scan,
    sense::{Around, Changing, Role, Sense},
};
use metnos_domain::{
    limits,
    vocabulary::{ShapeRole, Verb},
};

/// Every name of a file that is not said to be in a place and is not to be made: the file of the home that bears it. Of
/// several the person says which. One that must be there and is not is kept as missing.
pub(super) fn names(scan: &mut Scan<'_>, home: &Home) {
    sought(scan);
    placed(scan, home);
    let mut made: Vec<String> = Vec::new();
    let (mut at_home, mut renamed) = (Vec::new(), Vec::new());
    for at in 0..scan.segments.len() {
        let Some((index, name)) = bare_name(scan, at) else {
            continue;
        };
        let command = command_around(scan, at);
        if is_made(scan, at, &command) {
            // What is moved to a new name lies in the folder of the old one.
            match scan.is(command.start, &Sense::Verb(Verb::Move)) {
                true => renamed.push(command),
                false => made.push(name),
            }
            continue;
        }
        if made.contains(&name) || says_where(scan, &command) || searches(scan, &command, at) {
            continue;
        }
        if home.has(&format!("~/{name}")) {
            if renames(scan, &command) {
                renamed.push(command.clone());
            }
            at_home.push((index, command, name));
            continue;
        }
        let ending = format!("/{}", name.to_lowercase());
        let found = home
            .files()
            .iter()
            .filter(|path| path.to_lowercase().ends_with(&ending));
        let found: Vec<String> = found.cloned().collect();
        let Some(fact) = scan.facts.get_mut(index) else {
            continue;
        };
        match found.as_slice() {
            [] if home.is_known() => scan.missing.push(name),
            [] => {}
            [path] => fact.value = json!(path),
            [first, ..] if found.len() <= limits::FORM_OPTIONS_MAX => {
                fact.value = json!(first);
                fact.one_of = found;
            }
            // Too many to ask about: it stays what was said, and no file goes by it.
            _ => scan.missing.push(name),
        }
        scan.known.push(Known::of(index, Vec::new()));
    }
    // "rename letter.txt to notes.txt": one at the top of the home keeps its name as it was said, but for its folder.
    for (index, command, name) in at_home {
        if let Some(fact) = scan.facts.get_mut(index).filter(|_| renamed.contains(&command)) {
            fact.value = json!(format!("~/{name}"));
            scan.known.push(Known::of(index, Vec::new()));
        }
    }
}

/// A name of a file without any folder, and the fact it is.
fn bare_name(scan: &Scan<'_>, at: usize) -> Option<(usize, String)> {
    let index = scan.segments.get(at)?.fact?;
    let fact = scan.facts.get(index).filter(|fact| fact.is_file_path())?;
    let first = at.checked_sub(1).and_then(|before| scan.segments.get(before)?.fact) != Some(index);
    (first && !is_place(fact)).then(|| (index, fact.text().to_owned()))
}

fn is_place(fact: &Fact) -> bool {
    fact.kind == FactKind::Path && fact.text().contains(['/', '~', '\\'])
}

/// The command a word belongs to: "read a.txt and delete b.txt" are two, and what one says of places and of what is to
/// be made says nothing of the other.
pub(crate) fn command_around(scan: &Scan<'_>, at: usize) -> Range<usize> {
    let begins = |at: usize| {
        let free = scan.segments.get(at).is_some_and(|segment| segment.fact.is_none());
        let mut before = at;
        while before > 0 && scan.is_glue(before - 1) && !scan.is_joint(before - 1) {
            before -= 1;
        }
        let stands_first = before
            .checked_sub(1)
            .is_none_or(|before| scan.is_joint(before) || scan.is_break(before) || scan.is(before, &Sense::But));
        let is_command = free && scan.sense(at, Sense::verb).is_some();
        is_command && (stands_first || leading::start(scan, at).is_some())
    };
    let begin = (0..=at).rev().find(|at| begins(*at)).unwrap_or(0);
    let end = (at + 1..scan.segments.len()).find(|at| begins(*at));
    // "… and in downloads delete b.txt": the place belongs to what follows it.
    let end = end.map(|end| leading::start(scan, end).unwrap_or(end));
    begin..end.unwrap_or(scan.segments.len())
}

/// "delete a.tmp in downloads": a folder is named in which things are. Where they go says nothing of where they are.
fn says_where(scan: &Scan<'_>, command: &Range<usize>) -> bool {
    let start = leading::start(scan, command.start).unwrap_or(command.start);
    let of = |at: usize| scan.segments.get(at).and_then(|segment| segment.fact);
    // "To the music folder": what leads to it stands before the first of its words.
    let begins = |at: &usize| of(*at).is_some() && at.checked_sub(1).is_none_or(|before| of(before) != of(*at));
    (start..command.end).filter(begins).any(|at| {
        let fact = scan.fact_at(at);
        // "move it in docs" says where it goes, when nothing else does.
        let goes = scan.role_before(at) == Some(Role::In) && !goes_elsewhere(scan, command, at + 1);
        // "delete docs/old.txt and letter.txt": where the one is says nothing of the other.
        let is_folder = |fact: &Fact| is_place(fact) && !fact.is_file_path() && !is_found(scan, at);
        fact.is_some_and(is_folder) && scan.role_before(at) != Some(Role::To) && !goes
    })
}

/// The command gives a new name.
fn renames(scan: &Scan<'_>, command: &Range<usize>) -> bool {
    let is_rename = |at: usize| scan.is(at, &Sense::Option("rename".to_owned()));
    command.clone().any(is_rename)
}

/// The one folder in which the files of a command are: "setup.exe in downloads", "in downloads rename setup.exe".
fn folder_of(scan: &Scan<'_>, command: &Range<usize>) -> Option<usize> {
    let start = leading::start(scan, command.start).unwrap_or(command.start);
    // "rename a.exe to b.exe in downloads"
    let renames = renames(scan, command);
    let is_where = |at: &usize| {
        let role = scan.role_before(*at);
        let goes = !renames && role == Some(Role::In) && *at >= command.start && !goes_elsewhere(scan, command, at + 1);
        let is_folder = scan
            .fact_at(*at)
            .is_some_and(|fact| is_place(fact) && !fact.is_file_path());
        is_folder && matches!(role, Some(Role::In | Role::From)) && !goes
    };
    let mut folders: Vec<usize> = (start..command.end)
        .filter(is_where)
        .filter_map(|at| scan.segments.get(at)?.fact)
        .collect();
    folders.dedup();
    let [folder] = folders.as_slice() else { return None };
    Some(*folder)
}

/// The whole request asks whether something is there: "is …?", "do I have …?", "c'è …?".
fn asks_whether(scan: &Scan<'_>) -> bool {
    let asks = |at: usize| scan.is(at, &Sense::Exists) || scan.is(at, &Sense::Listed);
    let mut own = 0..scan.segments.len();
    asks(0) && own.all(|at| scan.sense(at, Sense::verb).is_none())
}

/// Names and the folder they all lie in become whole paths. What is not there may be further down, and is looked for.
fn placed(scan: &mut Scan<'_>, home: &Home) {
    let mut in_folders: BTreeMap<usize, Vec<(usize, String)>> = BTreeMap::new();
    for at in 0..scan.segments.len() {
        let Some((index, name)) = bare_name(scan, at) else {
            continue;
        };
        let command = command_around(scan, at);
        if is_made(scan, at, &command) || searches(scan, &command, at) {
            continue;
        }
        if let Some(folder) = folder_of(scan, &command) {
            in_folders.entry(folder).or_default().push((index, name));
        }
    }
    for (folder, names) in in_folders {
        let place = scan.facts.get(folder).map(Fact::text).unwrap_or_default();
        let path = |name: &String| format!("{}/{name}", place.trim_end_matches('/'));
        let paths: Vec<(usize, String)> = names.iter().map(|(index, name)| (*index, path(name))).collect();
        // "delete a.tmp and b.tmp in downloads": one that is nowhere there is told, and never passed over.
        let below = |name: &str| {
            let lies = |path: &String| path.starts_with(place) && path.ends_with(&format!("/{name}"));
            home.files().iter().any(lies)
        };
        let place_below = place.trim_start_matches("~/").trim_end_matches('/');
        let missing: Vec<String> = names
            .iter()
            .filter(|(_, name)| !below(name))
            .map(|(_, name)| format!("{place_below}/{name}"))
            .collect();
        if names.len() > 1 && home.is_known() && !missing.is_empty() {
            scan.missing.extend(missing);
            continue;
        }
        // "is song.mp3 in downloads?": no, where it is nowhere below that.
        let is_no = asks_whether(scan) && names.len() == 1 && !missing.is_empty();
        if !is_no && !paths.iter().all(|(_, path)| home.has(path)) {
            continue;
        }
        for (index, path) in paths {
            if let Some(fact) = scan.facts.get_mut(index) {
                fact.value = json!(path);
            }
        }
        if let Some(fact) = scan.facts.get_mut(folder) {
            fact.kind = FactKind::Taken;
        }
    }
}

/// A file that was found for a name that said no place.
fn is_found(scan: &Scan<'_>, at: usize) -> bool {
    let fact = scan.segments.get(at).and_then(|segment| segment.fact);
    fact.is_some_and(|fact| scan.known.iter().any(|known| known.fact == fact))
}

/// What is only written is made, and so is what a thing is to be called, wherever one of that name lies: "save it to
/// report.txt", "rename a.txt to b.txt". "add tea to list.txt" and "move setup.exe" need one that is there.
fn is_made(scan: &Scan<'_>, at: usize, command: &Range<usize>) -> bool {
    let lead = (command.start..at)
        .rev()
        .find(|at| !scan.is_glue(*at) || is_lead(scan, *at));
    let calls = |at: usize| scan.is(at, &Sense::Named) || scan.is(at, &Sense::Changing(Changing::CallIt));
    if lead.is_some_and(calls) {
        return true;
    }
    let verbs = |at: usize| scan.segments.get(at).map(|segment| segment.senses).unwrap_or_default();
    let says = |verb: Verb| verbs(command.start).contains(&Sense::Verb(verb));
    let adds = (command.start..at).any(|at| scan.is(at, &Sense::Option("append".to_owned())) || is_tick(scan, at));
    match role_of(scan, at) {
        Some(Role::To | Role::In) if adds => false,
        Some(Role::To) => !says(Verb::Delete) && !says(Verb::Send),
        Some(Role::In) => says(Verb::Write) || says(Verb::Create) || says(Verb::Move),
        Some(Role::From | Role::Of) => false,
        None => (says(Verb::Write) || says(Verb::Create)) && !says(Verb::Move),
    }
}

/// What stands before a name says of it, also before the first of several.
fn role_of(scan: &Scan<'_>, at: usize) -> Option<Role> {
    let mut name = at;
    loop {
        if let Some(role) = scan.role_before(name) {
            return Some(role);
        }
        name = joined_to(scan, name)?;
    }
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

/// Whether files are looked for: then a name is what they are to be called, wherever they lie. What is left out is
/// found beside the others.
fn searches(scan: &Scan<'_>, command: &Range<usize>, name: usize) -> bool {
    let asks = |at: usize| {
        let asks = [
            Sense::Verb(Verb::Find),
            Sense::Verb(Verb::List),
            Sense::WhereIs,
            Sense::Around(Around::Where),
        ];
        asks.iter().any(|sense| scan.is(at, sense))
    };
    // "delete the list a.txt" looks for nothing.
    let verb = scan.sense(command.start, Sense::verb);
    let acts = verb.is_some_and(|verb| verb.shape_role() == ShapeRole::Act);
    !acts && command.clone().any(asks) || (command.start..name).any(|at| scan.is(at, &Sense::Except))
}

/// The file name before a comma or an "and", past articles.
fn joined_to(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let mut joint = at.checked_sub(1)?;
    while scan.is_glue(joint) && !scan.is_joint(joint) {
        joint = joint.checked_sub(1)?;
    }
    let mut name = joint.checked_sub(1).filter(|_| scan.is_joint(joint))?;
    // "a, and b"
    while scan.is_joint(name) {
        name = name.checked_sub(1)?;
    }
    let fact = scan.facts.get(scan.segments.get(name)?.fact?)?;
    fact.is_file_path().then_some(name)
}
