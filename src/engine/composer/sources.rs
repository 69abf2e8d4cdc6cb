//! Which executor brings what a clause works on: the verb and the object it is looked for by, and how well each fits.
//! Called by the chain for every producer; pure. What would be wrong does not fit at all.

use super::{
    arguments::{Filled, is_bare_name, is_directory},
    chain::{Need, grammar, text_field},
    is_by_words, is_selector,
};
use crate::{
    domain::{
        kind::Class,
        manifest::{Effect, Manifest},
        vocabulary::{Object, Qualifier, Verb},
    },
    language::{ClauseReading, Fact, FactKind, Mark, Reading, Role},
};

/// Whether the clause says what its verb needs to know: sorting needs a field, filtering a condition. Verbs
/// that nothing here composes ("compare", "install") never have enough.
pub(super) fn says_enough(reading: &Reading, clause: &ClauseReading, verb: Verb) -> bool {
    if verb.is_producer() {
        return true;
    }
    let lines = |kind: FactKind| matches!(kind, FactKind::Count | FactKind::Query | FactKind::NotQuery);
    let narrows = |fact: &Fact| is_selector(fact.kind) || lines(fact.kind);
    let conditions = reading.facts_of(clause).any(|(_, fact)| narrows(fact));
    (verb == Verb::Sort && clause.order.is_some())
        || (verb == Verb::Group && clause.group_by.is_some())
        || (verb == Verb::Compute && clause.measure.is_some())
        || (verb == Verb::Filter && (conditions || clause.measure.is_some()))
}

/// Sorting, counting and the like work on what this verb brings.
pub(super) fn source_verb(clause: &ClauseReading, facts: &[(usize, &Fact)]) -> Verb {
    match clause.verb {
        // The ten largest are searched for among all of them, not among what one folder shows.
        Some(Verb::List) if clause.order.as_ref().is_some_and(|order| order.top.is_some()) => Verb::Find,
        Some(verb) if verb.is_producer() => verb,
        Some(_) | None => {
            let named = facts
                .iter()
                .any(|(_, fact)| fact.kind == FactKind::Url || fact.is_file_path() && !is_bare_name(fact));
            if named { Verb::Read } else { Verb::Find }
        }
    }
}

/// "the links on http://…" are in the page; fetching the page is another answer.
pub(super) fn asks_for_links(clause: &ClauseReading, facts: &[(usize, &Fact)]) -> bool {
    let links = clause.nouns.contains(&(Object::Urls, None));
    let inside = |fact: &Fact| fact.kind == FactKind::Url && matches!(fact.role, Some(Role::In | Role::From));
    let lists = matches!(clause.verb, Some(Verb::List | Verb::Find));
    let page = facts
        .iter()
        .any(|(_, fact)| fact.kind == FactKind::Url && lists || inside(fact));
    links && page && !clause.is(Mark::Content)
}

pub(super) fn source_object(clause: &ClauseReading, facts: &[(usize, &Fact)]) -> Option<Object> {
    let has = |kind: FactKind| facts.iter().any(|(_, fact)| fact.kind == kind);
    match clause.object {
        // What is written to a file may come from the web.
        Some(Object::Files) if has(FactKind::Url) => Some(Object::Urls),
        Some(Object::Texts | Object::Entries) | None => {
            if has(FactKind::Url) {
                Some(Object::Urls)
            } else if facts.iter().any(|(_, fact)| is_by_words(fact.kind)) || has(FactKind::Path) || has(FactKind::Glob)
            {
                Some(Object::Files)
            } else {
                None
            }
        }
        Some(object) => Some(object),
    }
}

/// Facts that a later step of the clause may still use.
fn is_left_for_later(clause: &ClauseReading, fact: &Fact) -> bool {
    let kept = clause.verb.is_some_and(Verb::is_producer) && clause.object == Some(Object::Urls);
    matches!(
        fact.kind,
        FactKind::Query | FactKind::NotQuery | FactKind::NotGlob | FactKind::Size | FactKind::Listed
    ) || fact.kind == FactKind::Count && speaks_of_lines(clause)
        || fact.kind == FactKind::Path && kept
}

/// Whether a clause works on the lines of a text, also when it then writes them.
pub(super) fn speaks_of_lines(clause: &ClauseReading) -> bool {
    clause.object == Some(Object::Texts) || clause.nouns.iter().any(|(object, _)| *object == Object::Texts)
}

/// Endings of files that are read as text; what others hold cannot be searched.
const TEXTS: [&str; 16] = [
    "txt", "md", "csv", "log", "json", "toml", "yaml", "yml", "xml", "html", "htm", "ini", "conf", "org", "rst", "tex",
];

/// "the files that contain x": what is looked for is inside them, and each must be read. A number of lines is no number
/// of files, and what is not text is not searched.
pub(super) fn looks_inside(reading: &Reading, clause: &ClauseReading) -> bool {
    let facts = || reading.facts_of(clause).map(|(_, fact)| fact);
    let sought = facts().any(|fact| fact.kind == FactKind::Query);
    let is_text = |fact: &Fact| {
        let endings = fact.text().trim_start_matches("*.");
        let mut endings = endings.trim_matches(['{', '}']).split(',');
        fact.kind != FactKind::Glob || endings.all(|ending| TEXTS.contains(&ending))
    };
    let files = clause.nouns.iter().any(|(object, _)| *object == Object::Files);
    let finds = matches!(clause.verb, Some(Verb::Find | Verb::List));
    let plain = clause.measure.is_none() && clause.order.is_none() && clause.group_by.is_none();
    sought && files && finds && plain && facts().all(is_text) && !speaks_of_lines(clause)
}

/// Whether a question beside another leaves to be guessed what it is of, or where: "how many pdfs are in a, and how many
/// in b", "how many pdfs and how many txt are in a". `own` says that it names a place itself.
pub(super) fn leaves_open(
    reading: &Reading,
    previous: &ClauseReading,
    clause: &ClauseReading,
    facts: &[(usize, &Fact)],
    own: bool,
) -> bool {
    let narrowed = reading.facts_of(previous).any(|(_, fact)| is_selector(fact.kind));
    let elided = clause.nouns.is_empty() && !facts.iter().any(|(_, fact)| is_selector(fact.kind));
    let mut before = reading.facts_of(previous);
    let nowhere = previous.measure.is_some() && !before.any(|(_, fact)| fact.kind == FactKind::Path);
    narrowed && clause.measure.is_some() && (elided || own && nowhere)
}

/// How well a producer fits; `None` when it would be wrong.
pub(super) fn fitness(
    manifest: &Manifest,
    verb: Verb,
    object: Object,
    clause: &ClauseReading,
    facts: &[(usize, &Fact)],
    filled: &Filled,
    need: Need<'_>,
) -> Option<i32> {
    let (own_verb, own_object) = grammar(manifest);
    let own_verb = own_verb.filter(|own| own.is_producer())?;
    if manifest.effect != Effect::Read || !filled.is_enough_for(manifest, false) {
        return None;
    }
    let folders = |object: Object| matches!(object, Object::Files | Object::Dirs);
    let same_object = own_object == Some(object);
    let lists = matches!(verb, Verb::List | Verb::Find);
    let near = lists && folders(object) && own_object.is_some_and(folders);
    if !(same_object || near && object != Object::Dirs) {
        return None;
    }
    let looks_into = manifest.arg_of(Class::Folder).is_some();
    if folders(object) && looks_into != lists {
        return None;
    }
    // What is read with its content and what is only known of it are different answers.
    let has_text = text_field(manifest).is_some();
    if need.text && !has_text || folders(object) && verb == Verb::Get && has_text {
        return None;
    }
    let taken = |index: &usize| filled.used.contains(index);
    let bounded = |fact: &Fact| {
        facts
            .iter()
            .any(|(index, other)| taken(index) && fact.bounds_beside(other))
    };
    let open = facts
        .iter()
        .any(|(index, fact)| !taken(index) && !is_left_for_later(clause, fact) && !bounded(fact));
    let known = need.field.is_some_and(|field| {
        manifest
            .entry_fields
            .iter()
            .chain(&manifest.result_fields)
            .any(|own| own == field)
    });
    if open || near && !same_object && verb != own_verb {
        return None;
    }
    let wanted = clause.qualifier.filter(|qualifier| *qualifier != Qualifier::Lines);
    // What tells which of the things it finds is meant only where that was said.
    let tells_which = |qualifier: &Qualifier| matches!(qualifier, Qualifier::Hash | Qualifier::Similar);
    if manifest
        .qualifier
        .filter(tells_which)
        .is_some_and(|own| wanted != Some(own))
    {
        return None;
    }
    let form = match (manifest.qualifier, wanted) {
        (Some(own), Some(wanted)) if own == wanted => 6,
        (None, None) => 1,
        (Some(_), _) | (None, Some(_)) => 0,
    };
    let points = [
        (own_verb == verb, 10),
        (same_object, 4),
        (known, 12),
        (has_text == need.text, 1),
    ];
    let score: i32 = points
        .into_iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, points)| points)
        .sum();
    Some(score + form + i32::try_from(filled.used.len()).unwrap_or(0) * 3)
}

/// Whether a clause speaks of a set of things in a place, not of one thing.
pub(super) fn selects(clause: &ClauseReading, facts: &[(usize, &Fact)]) -> bool {
    let narrows = |fact: &Fact| is_selector(fact.kind) || is_by_words(fact.kind);
    let narrowed = facts.iter().any(|(_, fact)| narrows(fact)) || clause.order.is_some();
    let noun = clause.nouns.iter().any(|(object, _)| *object == Object::Files);
    let inside = facts
        .iter()
        .any(|(_, fact)| is_directory(fact) && matches!(fact.role, Some(Role::In | Role::From | Role::Of)));
    let bare = facts.iter().any(|(_, fact)| is_bare_name(fact));
    narrowed || inside && (noun || bare || clause.is(Mark::Content))
}

/// A folder and a pattern that were written as one path.
pub(super) fn is_path_pattern(facts: &[(usize, &Fact)]) -> bool {
    let kind = |kind: FactKind| facts.iter().filter(move |(_, fact)| fact.kind == kind);
    kind(FactKind::Glob).any(|(_, glob)| kind(FactKind::Path).any(|(_, path)| path.span == glob.span))
}
