//! Places people name without a path: "the notes folder", "in downloads", and things they have lost: "where did I put
//! the dishwasher manual". Called by `language::read` before values are found. A folder is only one that is there.

use std::ops::Range;

use serde_json::json;

use super::{
    ClauseReading, Fact, FactKind, Mark,
    home::Home,
    known, leading, made,
    names::titles::{make, names_a_paper},
    nouns::Nouns,
    scan::Scan,
    sense::{Role, Sense},
    time::Mention,
};
use metnos_domain::vocabulary::{Object, Verb};

/// Most words a folder's name may have.
const NAME_WORDS_MAX: usize = 3;
/// Most words a lost thing may be described with.
const LOST_WORDS_MAX: usize = 4;

/// The folder that browsers save to, by its usual name.
const DOWNLOADS: &str = "downloads";

/// What a name by itself ends before.
const BEHIND_A_NAME: [Sense; 20] = [
    Sense::Connector,
    Sense::Except,
    Sense::But,
    Sense::Older,
    Sense::Newer,
    Sense::More,
    Sense::Less,
    Sense::Between,
    Sense::About,
    Sense::Contains,
    Sense::Changed,
    Sense::Unchanged,
    Sense::SortBy,
    Sense::Ascending,
    Sense::Descending,
    Sense::Reversed,
    Sense::Named,
    Sense::NameContains,
    Sense::Without,
    Sense::Per,
];

/// "the notes folder", "nella cartella note", "in downloads".
pub(super) fn folders(scan: &mut Scan<'_>, times: &[Mention], home: &Home, nouns: &Nouns) {
    shown(scan, home, nouns);
    searched(scan, home, nouns);
    downloaded(scan, home, nouns);
    for at in 0..scan.segments.len() {
        if !is_free(scan, at) {
            continue;
        }
        let found = if is_folder_word(scan, at) {
            beside(scan, at, |name| {
                home.folder_below(name).or_else(|| called_otherwise(name, home, nouns))
            })
        } else {
            joined(scan, at, times, home, nouns).or_else(|| {
                behind_preposition(scan, at, times, |before, name| {
                    let below = || leads_below(scan, before).then(|| home.folder_below(name)).flatten();
                    let folder = home.folder(name).or_else(below);
                    folder.or_else(|| called_otherwise(name, home, nouns))
                })
            })
        };
        // "a new folder called music in docs", where the home has one of that name, too.
        let is_other = |range: &Range<usize>| {
            let goes = scan.is(range.end, &Sense::Role(Role::In)) || made::base_before(scan, at).is_some();
            is_folder_word(scan, at) && range.start == at && goes && made::is_to_be_made(scan, at)
        };
        if let Some((range, name)) = found.filter(|(range, _)| !is_other(range)) {
            let fact = scan.fact(FactKind::Path, json!(format!("~/{name}")), range);
            // Where the words do not say the whole path, nobody else could tell where it is from.
            if !scan.original.to_lowercase().contains(&name.to_lowercase()) {
                scan.folders.push(fact);
            }
        }
    }
}

/// "the files I downloaded today": they are in the folder for that, where the home has one.
fn downloaded(scan: &mut Scan<'_>, home: &Home, nouns: &Nouns) {
    // "nella cartella scaricati", "in scaricati" name it.
    let is_named = |at: usize| {
        let before = (0..at)
            .rev()
            .find(|before| !scan.is_glue(*before) || places(scan, *before));
        before.is_some_and(|before| places(scan, before) || is_folder_word(scan, before))
    };
    let said = |at: &usize| is_free(scan, *at) && scan.is(*at, &Sense::Downloaded) && !is_named(*at);
    let folder = || {
        home.folder(DOWNLOADS)
            .or_else(|| called_otherwise(DOWNLOADS, home, nouns))
    };
    if let Some(at) = (0..scan.segments.len()).find(said)
        && let Some(name) = folder()
    {
        let fact = scan.fact(FactKind::Path, json!(format!("~/{name}")), at..at + 1);
        scan.folders.push(fact);
        if let Some(fact) = scan.facts.get_mut(fact) {
            fact.role = Some(Role::In);
        }
    }
}

/// "show me my downloads", "list my notes": all that is to be shown is a folder by its name. A kind of file stays one.
fn shown(scan: &mut Scan<'_>, home: &Home, nouns: &Nouns) {
    let Some(begin) = (0..scan.segments.len()).find(|at| !scan.is_glue(*at)) else {
        return;
    };
    let verb = scan.sense(begin, Sense::verb);
    let shows = scan.is(begin, &Sense::Show) || matches!(verb, Some(Verb::List | Verb::Read));
    let start = scan.skip_glue(begin + 1);
    // "list downloads" too; "list the processes" and "list contacts" speak of those.
    let is_other = scan
        .sense(start, Sense::object)
        .is_some_and(|(object, _)| object != Object::Files);
    let listed = matches!(verb, Some(Verb::List | Verb::Read)) && !is_other;
    let known = listed || (begin + 1..start).any(|at| scan.is(at, &Sense::Definite));
    let ends = |at: usize| scan.is_glue(at) || scan.is_break(at);
    // "list downloads and show me the pdfs"
    let goes_on = |at: &usize| scan.is_joint(*at) && leading::begins(scan, scan.skip_glue(at + 1));
    let end = (start + 1..scan.segments.len())
        .find(goes_on)
        .unwrap_or(scan.segments.len());
    // "the docs" are a kind, too; "open docs" opens what is called so.
    let is_kind = scan.sense(start, Sense::globs).is_some() && !(listed && start == begin + 1);
    // "show downloads": without an article only a folder's own name is one.
    if !shows || is_kind || !(start + 1..end).all(ends) {
        return;
    }
    let otherwise = |name: &str| known.then(|| called_otherwise(name, home, nouns)).flatten();
    let folder = |name: &str| home.folder(name).or_else(|| otherwise(name));
    if let Some(name) = named(scan, &(start..start + 1), folder) {
        let fact = scan.fact(FactKind::Path, json!(format!("~/{name}")), start..start + 1);
        scan.folders.push(fact);
    }
}

/// "search my notes for stamps": the folder stands where a thing does elsewhere.
fn searched(scan: &mut Scan<'_>, home: &Home, nouns: &Nouns) {
    let begin = (0..scan.segments.len()).find(|at| !scan.is_glue(*at));
    let Some(begin) = begin.filter(|at| scan.is(*at, &Sense::Searches)) else {
        return;
    };
    let start = scan.skip_glue(begin + 1);
    let folder = |name: &str| home.folder(name).or_else(|| called_otherwise(name, home, nouns));
    let name = named(scan, &(start..start + 1), folder).filter(|_| scan.is(start + 1, &Sense::Role(Role::Of)));
    if let Some(name) = name {
        let fact = scan.fact(FactKind::Path, json!(format!("~/{name}")), start..start + 1);
        scan.folders.push(fact);
    }
}

/// "open ~/docs": what is opened shows what is in it; to hear all that is written there one says so.
pub(super) fn opened(clauses: &mut [ClauseReading], scan: &Scan<'_>, home: &Home) {
    for clause in clauses {
        let is_folder = |fact: &usize| {
            let fact = scan.facts.get(*fact).filter(|fact| fact.kind == FactKind::Path);
            fact.is_some_and(|fact| home.is_folder(fact.text()))
        };
        let only_folders = !clause.facts.is_empty() && clause.facts.iter().all(is_folder);
        let plain = clause.nouns.is_empty() && clause.measure.is_none() && clause.order.is_none();
        let opens = scan.within(&clause.span).any(|at| scan.is(at, &Sense::Opens));
        if clause.verb == Some(Verb::Read) && opens && only_folders && plain && !clause.is(Mark::Content) {
            clause.verb = Some(Verb::List);
            clause.alternatives = vec![Verb::List];
        }
    }
}

fn is_free(scan: &Scan<'_>, at: usize) -> bool {
    scan.segments
        .get(at)
        .is_some_and(|segment| !segment.used && segment.fact.is_none() && segment.mark.is_none())
}

fn is_folder_word(scan: &Scan<'_>, at: usize) -> bool {
    scan.is(at, &Sense::Object(Object::Dirs, None))
}

/// The name before the word for a folder, or behind it.
fn beside(scan: &Scan<'_>, at: usize, folder: impl Fn(&str) -> Option<String>) -> Option<(Range<usize>, String)> {
    let mut behind = at + 1;
    while scan.is(behind, &Sense::Named) || scan.is(behind, &Sense::Role(Role::Of)) || scan.is_glue(behind) {
        behind += 1;
    }
    let name = |range: &Range<usize>| named(scan, range, &folder);
    let behind = (1..=NAME_WORDS_MAX)
        .rev()
        .map(|length| (behind..behind + length, at..behind + length));
    let before = (1..=NAME_WORDS_MAX)
        .rev()
        .filter_map(|length| Some((at.checked_sub(length)?..at, at.checked_sub(length)?..at + 1)));
    behind
        .chain(before)
        .find_map(|(words, whole)| Some((whole, name(&words)?)))
}

/// "in downloads and docs": a name directly behind a folder and an "and" is one more, unless it has a place of its own
/// ("the tmp files in downloads and photos in docs").
fn joined(scan: &Scan<'_>, at: usize, times: &[Mention], home: &Home, nouns: &Nouns) -> Option<(Range<usize>, String)> {
    let folder = at.checked_sub(2).and_then(|before| scan.segments.get(before)?.fact);
    let is_folder = |fact: &Fact| fact.kind == FactKind::Path && !fact.is_file_path();
    let follows = folder.and_then(|fact| scan.facts.get(fact)).is_some_and(is_folder) && scan.is_joint(at - 1);
    let name = |name: &str| home.folder(name).or_else(|| called_otherwise(name, home, nouns));
    // "in docs and photos count the files"
    let is_first = || (0..at).all(|at| scan.sense(at, Sense::verb).is_none());
    let ends = |at: usize| ends_name(scan, at, times) || is_first() && leading::begins(scan, at);
    (1..=NAME_WORDS_MAX)
        .rev()
        .map(|length| at..at + length)
        .filter(|range| follows && ends(range.end) && !leading::leads(scan, range.end))
        .find_map(|range| named(scan, &range, name).map(|name| (range, name)))
}

/// "copy it in photos and in docs": both are where it goes, when nothing else is, and neither where it is.
pub(super) fn shared_goals(scan: &mut Scan<'_>) {
    let folder = |scan: &Scan<'_>, at: usize| {
        let index = scan.segments.get(at)?.fact?;
        let fact = scan.facts.get(index)?;
        let inside = fact.kind == FactKind::Path && !fact.is_file_path() && fact.role == Some(Role::In);
        inside.then_some(index)
    };
    let mut before: Option<(usize, usize)> = None;
    for at in 0..scan.segments.len() {
        let Some(index) = folder(scan, at) else { continue };
        if let Some((last, first)) = before.filter(|(_, first)| *first != index) {
            let joins = |at: usize| scan.is_joint(at) || scan.is_glue(at) || scan.is(at, &Sense::Role(Role::In));
            let joined = (last + 1..at).all(joins) && (last + 1..at).any(|at| scan.is_joint(at));
            let command = known::command_around(scan, at);
            if joined && !known::goes_elsewhere(scan, &command, at + 1) {
                for fact in [first, index] {
                    if let Some(fact) = scan.facts.get_mut(fact) {
                        fact.role = Some(Role::To);
                    }
                }
            }
        }
        before = Some((at, index));
    }
}

/// "in downloads": the name stands alone, directly behind where-words and articles.
fn behind_preposition(
    scan: &Scan<'_>,
    at: usize,
    times: &[Mention],
    folder: impl Fn(usize, &str) -> Option<String>,
) -> Option<(Range<usize>, String)> {
    let places = |at: usize| places(scan, at);
    let mut before = at.checked_sub(1)?;
    while scan.is_glue(before) && !places(before) {
        before = before.checked_sub(1)?;
    }
    if !places(before) || scan.is_glue(at) && !places(at) && scan.sense(at, Sense::globs).is_none() {
        return None;
    }
    // "in downloads delete the pdfs": said first, a command may follow.
    let is_first = (0..before)
        .rev()
        .take_while(|at| !scan.is_joint(*at))
        .all(|at| scan.is_glue(at));
    (1..=NAME_WORDS_MAX)
        .rev()
        .map(|length| at..at + length)
        .find_map(|range| {
            (ends_name(scan, range.end, times) || is_first && leading::begins(scan, range.end))
                .then(|| named(scan, &range, |name| folder(before, name)))
                .flatten()
                .map(|name| (range, name))
        })
}

fn places(scan: &Scan<'_>, at: usize) -> bool {
    [Role::In, Role::From, Role::To]
        .into_iter()
        .any(|role| scan.is(at, &Sense::Role(role)))
        || scan.is(at, &Sense::Content)
        || is_of_files(scan, at)
}

/// Nothing goes on with a name here: "in photos of cats", "from music files" speak of something else.
fn ends_name(scan: &Scan<'_>, at: usize, times: &[Mention]) -> bool {
    let is_quoted = || scan.fact_at(at).is_some_and(|fact| fact.kind == FactKind::Quoted);
    scan.segments.get(at).is_none_or(|segment| segment.mark.is_some())
        || is_quoted()
        || BEHIND_A_NAME.iter().any(|sense| scan.is(at, sense))
        || matches!(scan.sense(at, Sense::verb), Some(Verb::Sort | Verb::Group))
        || scan.sense(at, Sense::superlative).is_some()
        || scan.sense(at, Sense::ordered).is_some()
        || places(scan, at)
        || scan.is_glue(at)
        || is_denied_bound(scan, at)
        || begins_time(scan, at, times)
}

/// "no bigger than"
fn is_denied_bound(scan: &Scan<'_>, at: usize) -> bool {
    let bounds = [Sense::More, Sense::Less, Sense::Older, Sense::Newer];
    scan.is(at, &Sense::Negation) && bounds.iter().any(|bound| scan.is(at + 1, bound))
}

/// "move the policy to work": a folder one further down, where something is put into it. A new name is no folder.
fn leads_below(scan: &Scan<'_>, before: usize) -> bool {
    let leads = [Role::To, Role::In]
        .into_iter()
        .any(|role| scan.is(before, &Sense::Role(role)));
    let moves = (0..before).any(|at| scan.is(at, &Sense::Verb(Verb::Move)));
    let renames = (0..before).any(|at| scan.is(at, &Sense::Option("rename".to_owned())));
    leads && moves && !renames
}

/// "nei documenti", where the folder is called "docs": one at the top of the home, and the only one of these names.
fn called_otherwise(name: &str, home: &Home, nouns: &Nouns) -> Option<String> {
    let mut found: Vec<String> = nouns.folders(name).filter_map(|name| home.folder(name)).collect();
    found.sort_unstable();
    found.dedup();
    if found.len() == 1 { found.pop() } else { None }
}

/// "the files of downloads", "the biggest of downloads": what comes before is in the folder.
fn is_of_files(scan: &Scan<'_>, at: usize) -> bool {
    let limit = scan.is(at, &Sense::More) || scan.is(at, &Sense::Less);
    let superlative = |at: usize| scan.sense(at, Sense::superlative).is_some();
    let of = scan.is(at, &Sense::Role(Role::Of)) && !scan.is(at, &Sense::About);
    let before = at.checked_sub(1);
    let files = |at: usize| scan.is(at, &Sense::Object(Object::Files, None)) || superlative(at);
    limit && superlative(at) || of && before.is_some_and(files)
}

/// A time begins here.
fn begins_time(scan: &Scan<'_>, at: usize, times: &[Mention]) -> bool {
    let start = scan.segments.get(at).map(|segment| segment.span.start);
    times.iter().any(|time| Some(time.span.start) == start)
}

/// The folder whose name these words are, as they stand.
fn named(scan: &Scan<'_>, range: &Range<usize>, folder: impl Fn(&str) -> Option<String>) -> Option<String> {
    if range.is_empty() || !range.clone().all(|at| is_free(scan, at)) {
        return None;
    }
    let start = scan.segments.get(range.start)?.span.start;
    let end = scan.segments.get(range.end - 1)?.span.end;
    folder(scan.original.get(start..end)?)
}

/// "where did I put the dishwasher manual": a file somewhere in the home that all these words speak of, in any order.
pub(super) fn lost_things(scan: &mut Scan<'_>, nouns: &Nouns) {
    let Some(at) = (0..scan.segments.len()).find(|at| scan.is(*at, &Sense::WhereIs)) else {
        return;
    };
    let last = scan.segments.len();
    let mut words: Vec<usize> = Vec::new();
    for place in at + 1..last {
        let Some(segment) = scan.segments.get(place) else {
            return;
        };
        let joins = [Role::Of, Role::From, Role::To]
            .into_iter()
            .any(|role| scan.is(place, &Sense::Role(role)));
        let small = scan.is(place, &Sense::Stop) || joins && !words.is_empty();
        let glue = small
            || segment
                .senses
                .iter()
                .any(|sense| matches!(sense, Sense::Object(Object::Files, _)));
        let end = segment.mark.is_some() && place + 1 == last;
        if glue || end {
            continue;
        }
        if !names_a_paper(scan, place) || words.len() == LOST_WORDS_MAX {
            return;
        }
        words.push(place);
    }
    let fold = |at: &usize| scan.segments.get(*at).map(|segment| segment.fold.clone());
    match words.as_slice() {
        [] => {}
        // A thing by itself need not be a file: what only mentions it is none that was put away.
        [one] if fold(one).is_some_and(|word| !nouns.is_known(&word)) => {
            scan.fact(FactKind::NamePart, json!(fold(one)), at + 1..last);
            let path = scan.fact(FactKind::Path, json!("~"), at..at + 1);
            if let Some(fact) = scan.facts.get_mut(path) {
                fact.role = Some(Role::In);
            }
        }
        several => make(scan, FactKind::Title, several, at..last, nouns),
    }
}

/// "The files that contain the word milk": who does not say where means at home, and there a word is looked for in names
/// and texts alike. Where lines are asked for, or something was said before, it stays a word of those.
pub(super) fn inside_home(clauses: &[ClauseReading], scan: &mut Scan<'_>) {
    let [clause] = clauses else { return };
    let finds = matches!(clause.verb, None | Some(Verb::Find | Verb::List));
    let is_files = clause.nouns.iter().any(|(object, _)| *object == Object::Files);
    let is_texts = clause.nouns.iter().any(|(object, _)| *object == Object::Texts);
    let is_elsewhere = scan.facts.iter().any(|fact| {
        matches!(
            fact.kind,
            FactKind::Path | FactKind::Url | FactKind::NotQuery | FactKind::Count
        )
    });
    if !finds || !is_files || is_texts || is_elsewhere || clause.is(Mark::Anaphora) {
        return;
    }
    let mut words = scan.facts.iter_mut().filter(|fact| fact.kind == FactKind::Query);
    if let (Some(word), None) = (words.next(), words.next()) {
        word.kind = FactKind::Topic;
    }
}
