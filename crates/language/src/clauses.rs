//! Cuts a request into clauses, one per command, and says of each what it does to what. Called by `language::read`
//! after the values were found; a word that no clause can explain stays unaccounted.

use std::ops::Range;

mod apart;
mod shape;
mod there;

use shape::{Shape, imply};
use there::{asks_after, asks_existence, asks_of_files, writes_to_somebody};

use super::{
    ClauseReading, FactKind, Mark, Measure,
    amounts::{amounts, is_singular},
    dictation, leading, negation,
    scan::Scan,
    sense::{Around, Changing, Role, Sense},
};
use metnos_domain::{
    limits,
    vocabulary::{Object, Qualifier, Verb},
};

/// Marks that end a sentence: what follows is another clause, whatever it begins with.
const ENDS: [char; 5] = ['.', ';', '!', '?', '\n'];

/// What a word that is explained says beside.
const BESIDE: [(Sense, Mark); 3] = [
    (Sense::There, Mark::There),
    (Sense::Exists, Mark::Exists),
    (Sense::Each, Mark::Each),
];

/// Every clause of a request, in order.
pub(super) fn clauses(scan: &mut Scan<'_>) -> Vec<ClauseReading> {
    let ranges = split(scan);
    let mut clauses: Vec<ClauseReading> = Vec::new();
    for range in ranges {
        let clause = read_clause(scan, range, clauses.last());
        // "find and delete …": the first verb has nothing of its own, the second says what is meant.
        let bare = |clause: &ClauseReading| clause.is_bare() && !clause.is(Mark::Negated);
        if clauses.last().is_some_and(bare)
            && clauses
                .last()
                .is_some_and(|last| last.verb.is_some_and(Verb::is_producer))
        {
            clauses.pop();
        }
        if !clause.is_empty() {
            clauses.push(clause);
        }
    }
    negation::spread(scan, &mut clauses);
    clauses
}

fn split(scan: &mut Scan<'_>) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < scan.segments.len() {
        let mark = scan.segments.get(at).and_then(|segment| segment.mark);
        let ends = mark.is_some_and(|mark| ENDS.contains(&mark));
        let joins = ends
            || mark == Some(',')
            || mark == Some(':')
            || scan.is(at, &Sense::Connector)
            || scan.is(at, &Sense::But);
        if joins && at > start && ranges.len() + 1 < limits::CLAUSES_MAX {
            // "… and in docs delete the txt"
            let is_placed = leading::command(scan, at + 1).is_some();
            let next = if is_placed { at + 1 } else { after_joint(scan, at) };
            // "in downloads, find the pdfs": where it is belongs to the command behind it.
            let place = leading::places(scan, start);
            let is_place = place.is_some_and(|end| end > at || end == at && mark == Some(','));
            if !is_place && (ends || is_placed || begins_command(scan, next) || negation::begins(scan, next)) {
                ranges.push(start..at);
                scan.explain(at..next);
                start = next;
                at = next;
            }
        }
        at += 1;
    }
    ranges.push(start..scan.segments.len());
    ranges.retain(|range| range.start < range.end);
    ranges
}

/// Behind commas, connectors and glue.
fn after_joint(scan: &Scan<'_>, at: usize) -> usize {
    let mut next = at + 1;
    while next < scan.segments.len() {
        let glue = scan.is_glue(next) && !scan.is_value(next) && !starts(scan, next);
        if !(glue || scan.is(next, &Sense::Connector) || scan.is(next, &Sense::But) || scan.is_break(next)) {
            break;
        }
        next += 1;
    }
    next
}

fn starts(scan: &Scan<'_>, at: usize) -> bool {
    scan.sense(at, Sense::verb).is_some() || scan.is(at, &Sense::HowMany)
}

fn begins_command(scan: &Scan<'_>, at: usize) -> bool {
    let free = scan.segments.get(at).is_some_and(|segment| !segment.used);
    leading::begins(scan, at) || free && scan.is(at, &Sense::Only) && !scan.is(at, &Sense::Stop)
}

fn read_clause(scan: &mut Scan<'_>, range: Range<usize>, previous: Option<&ClauseReading>) -> ClauseReading {
    let mut clause = ClauseReading::default();
    find_verb(scan, &range, &mut clause);
    if !dictation::lines::said(scan, &range, &mut clause) && !clause.is(Mark::Signs) {
        dictation::added(scan, &range);
    }
    dictation::renamed(scan, &range);
    when_changed(scan, &range, &mut clause);
    let amounts = amounts(scan, &range, clause.verb);
    clause.order = amounts.order;
    clause.group_by = amounts.group_by;
    let place = scan.places.iter().find(|(at, _)| range.contains(&at.start));
    clause.place = place.map(|(_, place)| *place);
    let start = scan.segments.get(range.start).map_or(0, |segment| segment.span.start);
    let end = scan
        .segments
        .get(range.end - 1)
        .map_or(start, |segment| segment.span.end);
    clause.span = start..end;
    let inside = scan
        .facts
        .iter()
        .enumerate()
        .filter(|(_, fact)| fact.kind != FactKind::Taken && clause.span.contains(&fact.span.start));
    clause.facts = inside.map(|(index, _)| index).collect();
    if clause.facts.iter().any(|fact| is_undone(scan, *fact)) {
        clause.nouns.push((Object::Texts, Some(Qualifier::Lines)));
    }
    for at in range.clone() {
        read_word(scan, at, &mut clause, previous.is_some());
    }
    let every = |at: usize| scan.is(at, &Sense::All) || scan.is(at, &Sense::Each);
    let of_files = clause.nouns.iter().any(|(object, _)| *object == Object::Files);
    if of_files && is_singular(scan, &range) && !range.clone().any(every) {
        clause.mark(Mark::One);
    }
    if writes_to_somebody(scan, &range, &clause) {
        clause.nouns.insert(0, (Object::Messages, None));
    }
    let only_one = clause.order.as_ref().is_some_and(|order| order.top == Some(1));
    apart::kinds(scan, &range, only_one);
    projection(scan, &range, &mut clause, previous.is_some());
    resolve(scan, &mut clause, previous);
    negation::place(scan, &range, &mut clause);
    clause
}

/// "when was ~/docs/budget.csv last changed?" asks for one field, "where did I put x?" for a search.
fn when_changed(scan: &mut Scan<'_>, range: &Range<usize>, clause: &mut ClauseReading) {
    let find = |sense: Sense| range.clone().find(|at| scan.is(*at, &sense));
    if let (Some(when), Some(changed)) = (find(Sense::WhenChanged), find(Sense::Changed)) {
        clause.projection = Some("mtime".to_owned());
        clause.mark(Mark::Shows);
        scan.explain(when..when + 1);
        scan.explain(changed..changed + 1);
    } else if [Sense::WhereIs, Sense::Around(Around::Where)]
        .into_iter()
        .any(|asks| find(asks).is_some_and(|at| is_of_file(scan, at)))
        && clause.verb.is_none()
    {
        clause.verb = Some(Verb::Find);
        clause.alternatives = vec![Verb::Find];
    }
}

/// The words that ask where something is became part of what says which file.
fn is_of_file(scan: &Scan<'_>, at: usize) -> bool {
    let fact = scan.fact_at(at);
    fact.is_some_and(|fact| matches!(fact.kind, FactKind::Path | FactKind::Title | FactKind::Glob))
}

/// The clause's verb stands before what it acts on.
fn find_verb(scan: &mut Scan<'_>, range: &Range<usize>, clause: &mut ClauseReading) {
    let start = leading::command(scan, range.start).unwrap_or(range.start);
    for at in start..range.end {
        let Some(segment) = scan.segments.get(at) else { return };
        if segment.used && segment.fact.is_none() {
            continue;
        }
        if segment.fact.is_some() {
            return;
        }
        // "show me the last email": behind a word that asks, what could be a verb is a noun.
        let asked = (range.start..at).any(|before| scan.is(before, &Sense::Show) || scan.is(before, &Sense::HowMany));
        if asked && scan.sense(at, Sense::object).is_some() {
            return;
        }
        let verbs: Vec<Verb> = segment.senses.iter().filter_map(Sense::verb).collect();
        if let Some(verb) = verbs.first() {
            clause.verb = Some(*verb);
            clause.alternatives = verbs;
            clause.word = scan.original.get(segment.span.clone()).unwrap_or_default().to_owned();
            if segment.clitic {
                clause.mark(Mark::Anaphora);
            }
            if segment.there {
                clause.mark(Mark::There);
            }
            let options: Vec<String> = segment
                .senses
                .iter()
                .filter_map(|sense| sense.option().map(str::to_owned))
                .collect();
            clause.options.extend(options);
            scan.explain(at..at + 1);
            return;
        }
        if scan.sense(at, Sense::object).is_some() {
            return;
        }
    }
}

/// One word of a clause: what it adds, if anything.
fn read_word(scan: &mut Scan<'_>, at: usize, clause: &mut ClauseReading, later: bool) {
    let Some(segment) = scan.segments.get(at) else { return };
    if segment.used {
        return;
    }
    if let Some(mark) = segment.mark {
        if matches!(mark, '|' | '%' | '=' | '$' | '#') {
            clause.mark(Mark::Signs);
        }
        scan.explain(at..at + 1);
        return;
    }
    let is = |sense: &Sense| segment.senses.contains(sense);
    let glue = is(&Sense::Stop)
        || is(&Sense::All)
        || is(&Sense::Says)
        || segment.senses.iter().any(|sense| sense.role().is_some());
    if let Some(mark) = warning(segment.senses, glue) {
        clause.mark(mark);
        return;
    }
    if let Some(number) = segment.number {
        let value = serde_json::json!(number);
        let fact = scan.fact(FactKind::Number, value, at..at + 1);
        clause.facts.push(fact);
        return;
    }
    if let Some((object, qualifier)) = noun(scan, at, clause) {
        // "in the folder ~/docs": the folder is where, not what.
        if object != Object::Dirs || scan.role_before(at).is_none() {
            clause.nouns.push((object, qualifier));
        }
    } else if is(&Sense::HowMany) {
        clause.measure = Some(Measure::Count);
    } else if is(&Sense::HowMuch) {
        clause.measure = Some(Measure::Total);
    } else if let Some(option) = segment.senses.iter().find_map(Sense::option) {
        clause.options.push(option.to_owned());
    } else if is(&Sense::Content) {
        clause.mark(Mark::Content);
    } else if clause.verb == Some(Verb::Write) && is(&Sense::Verb(Verb::List)) {
        clause.mark(Mark::Listing);
    } else if is(&Sense::Changed) {
        let timed = clause.order.is_some() || clause.facts.iter().any(|fact| is_time(scan, *fact));
        if !timed {
            return;
        }
    } else if is(&Sense::Echo) && later {
        clause.mark(Mark::Echo);
    } else if is(&Sense::Show) || is(&Sense::Only) {
        if is(&Sense::Show) {
            clause.mark(Mark::Shows);
        }
        if is(&Sense::Only) && !is(&Sense::Stop) {
            clause.mark(Mark::Only);
        }
    } else if is(&Sense::Anaphora) {
        if !is(&Sense::Stop) {
            clause.mark(Mark::Anaphora);
        }
    } else if is(&Sense::Each) && is_one_of_each_folder(scan, at, clause)
        || !(glue || is(&Sense::Connector) || is(&Sense::Per) && each_file_has_lines(scan, at))
    {
        return;
    }
    for (_, mark) in BESIDE.iter().filter(|(sense, _)| is(sense)) {
        clause.mark(*mark);
    }
    scan.explain(at..at + 1);
}

/// The thing a word stands for.
fn noun(scan: &Scan<'_>, at: usize, clause: &ClauseReading) -> Option<(Object, Option<Qualifier>)> {
    if scan.is(at, &Sense::Something) {
        return is_some_file(scan, clause).then_some((Object::Files, None));
    }
    // "how many tasks are on the list": none that anybody is reminded of.
    let is_list = |at: usize| scan.is(at, &Sense::Changing(Changing::List));
    if scan.is(at, &Sense::Changing(Changing::Entry)) && (at + 1..scan.segments.len()).any(is_list) {
        // To be shown all of them is to be shown the list itself.
        let chosen = |at: usize| scan.is(at, &Sense::HowMany) || scan.is(at, &Sense::Undone);
        let shown = (0..at).any(|before| scan.is(before, &Sense::Show));
        return Some(if shown && !(0..scan.segments.len()).any(chosen) {
            (Object::Files, None)
        } else {
            (Object::Texts, Some(Qualifier::Lines))
        });
    }
    scan.sense(at, Sense::object)
        .filter(|_| !(scan.is(at, &Sense::HowMuch) || scan.is(at, &Sense::Stop)))
}

/// "did I change anything today", "anything in docs that mentions Paris": only files change or say something.
fn is_some_file(scan: &Scan<'_>, clause: &ClauseReading) -> bool {
    let facts = || clause.facts.iter().filter_map(|fact| scan.facts.get(*fact));
    let changed = (0..scan.segments.len()).any(|at| scan.is(at, &Sense::Changed));
    let says = facts().any(|fact| matches!(fact.kind, FactKind::Topic | FactKind::Query));
    says || changed && facts().any(|fact| matches!(fact.kind, FactKind::Window | FactKind::Weekday))
}

/// "… of every file", behind lines from one end; a number of lines of each would need a list of numbers.
fn each_file_has_lines(scan: &Scan<'_>, at: usize) -> bool {
    let files = scan.is(scan.skip_glue(at + 1), &Sense::Object(Object::Files, None))
        || scan.sense(scan.skip_glue(at + 1), Sense::globs).is_some();
    let from_an_end = scan.facts.iter().any(|fact| fact.kind == FactKind::Count);
    files && from_an_end && !(0..scan.segments.len()).any(|at| scan.is(at, &Sense::HowMany))
}

/// "the oldest file in each folder" are as many as there are folders, and no plan finds them.
fn is_one_of_each_folder(scan: &Scan<'_>, at: usize, clause: &ClauseReading) -> bool {
    let folder = scan.is(at + 1, &Sense::Object(Object::Dirs, None));
    folder && scan.role_before(at).is_some() && clause.order.as_ref().is_some_and(|order| order.top.is_some())
}

/// A word that makes the clause no plain command; it stays unexplained.
fn warning(senses: &[Sense], glue: bool) -> Option<Mark> {
    let is = |sense: &Sense| senses.contains(sense);
    if is(&Sense::Negation) && !glue {
        Some(Mark::Negated)
    } else if is(&Sense::HowTo) {
        Some(Mark::HowTo)
    } else {
        (is(&Sense::Conditional) || is(&Sense::Scheduled)).then_some(Mark::Conditional)
    }
}

/// What is not ticked off is some of the lines.
fn is_undone(scan: &Scan<'_>, fact: usize) -> bool {
    let value = scan.facts.get(fact).map(|fact| &fact.value);
    value.is_some_and(|value| value.get("side").is_some_and(|side| side == "undone"))
}

fn is_time(scan: &Scan<'_>, fact: usize) -> bool {
    scan.facts
        .get(fact)
        .is_some_and(|fact| matches!(fact.kind, FactKind::Window | FactKind::Weekday))
}

/// "only the uuid", "the title of …", "how many bytes you wrote": one field of what is there, not the whole.
fn projection(scan: &mut Scan<'_>, range: &Range<usize>, clause: &mut ClauseReading, later: bool) {
    let own = clause.facts.iter().any(|fact| {
        scan.facts
            .get(*fact)
            .is_some_and(|fact| matches!(fact.kind, FactKind::Path | FactKind::Url))
    });
    if clause.is(Mark::Echo) && clause.measure.is_some() && clause.facts.is_empty() {
        let field = range
            .clone()
            .find_map(|at| scan.sense(at, Sense::field).map(|field| (at, field.to_owned())));
        if let Some((at, _)) = &field {
            scan.explain(*at..at + 1);
        }
        clause.projection = Some(field.map_or_else(|| "ok_count".to_owned(), |(_, field)| field));
        clause.measure = None;
        clause.nouns.clear();
        return;
    }
    let free = |at: &usize| {
        scan.segments
            .get(*at)
            .is_some_and(|segment| !segment.used && segment.number.is_none())
    };
    let open: Vec<usize> = range.clone().filter(free).collect();
    let [at] = open.as_slice() else { return };
    let known = scan.sense(*at, Sense::field).map(str::to_owned);
    let plain = scan
        .segments
        .get(*at)
        .filter(|_| scan.is_unknown(*at))
        .map(|segment| segment.fold.clone());
    // A word we do not know is a field only when the person says that one thing is all they want.
    let wanted = known.or_else(|| plain.filter(|_| clause.is(Mark::Only) || (later && clause.is(Mark::Shows))));
    let of = scan.is(*at + 1, &Sense::Role(Role::Of));
    let asks = clause.is(Mark::Shows)
        || clause.is(Mark::Only)
        || clause.verb == Some(Verb::Get)
        || of && clause.verb.is_none();
    if let Some(field) = wanted
        && asks
        && (own || later || of && clause.order.is_some())
        && clause.measure.is_none()
    {
        clause.projection = Some(field);
        scan.explain(*at..at + 1);
    }
}

/// The clause's object, and the verb that "show" or a question means here.
fn resolve(scan: &Scan<'_>, clause: &mut ClauseReading, previous: Option<&ClauseReading>) {
    let shape = Shape::of(scan, clause);
    // "does x exist", "is x there"
    let there = clause.is(Mark::There) || asks_of_files(scan, clause);
    let exists = clause.is(Mark::Exists) || there && !clause.is(Mark::Shows);
    asks_after(clause, previous.is_some());
    clause.marks.retain(|mark| *mark != Mark::Exists);
    if exists && asks_existence(scan, clause) {
        clause.verb = Some(Verb::Get);
        clause.object = Some(Object::Files);
        clause.mark(Mark::Exists);
        return;
    }
    if shape.has(FactKind::PlaceDetails) {
        clause.verb = Some(Verb::Get);
        clause.object = Some(Object::Places);
        return;
    }
    let noun = clause.nouns.first().copied();
    let (object, qualifier) = match noun {
        // "how big is the folder ~/docs" is about what is in it.
        Some((Object::Dirs, None)) if clause.measure == Some(Measure::Total) && !shape.inside => (Object::Files, None),
        Some((Object::Dirs, None)) if clause.nouns.len() > 1 => {
            clause.nouns.get(1).copied().unwrap_or((Object::Dirs, None))
        }
        Some((Object::Dirs, None)) if shape.has(FactKind::Glob) && clause.verb != Some(Verb::Create) => {
            (Object::Files, None)
        }
        Some(noun) => noun,
        None if clause.verb == Some(Verb::Create) && shape.folder => (Object::Dirs, None),
        None if shape.has(FactKind::PlaceKind) || shape.has(FactKind::PlaceName) => (Object::Places, None),
        None if shape.has(FactKind::Url) => (Object::Urls, None),
        None if shape.has(FactKind::Path) || shape.has(FactKind::Glob) || shape.names() => (Object::Files, None),
        None if shape.is_by_words() => (Object::Files, None),
        None if clause
            .order
            .as_ref()
            .is_some_and(|order| matches!(order.field.as_str(), "memory" | "cpu")) =>
        {
            (Object::Processes, None)
        }
        None if clause.works_on_earlier() => previous
            .and_then(|previous| previous.object)
            .map_or((Object::Entries, None), |object| (object, None)),
        None => {
            resolve_without_object(clause, previous);
            return;
        }
    };
    clause.object = Some(object);
    clause.qualifier = qualifier;
    if clause.verb == Some(Verb::Read) {
        clause.verb = Some(shape.opened(scan, clause, object));
    }
    if clause.verb == Some(Verb::Write) {
        clause.object = Some(Object::Files);
        let things = shape.file && !shape.has(FactKind::Quoted);
        if clause.alternatives.contains(&Verb::Move) && things && Shape::points_into(scan, clause) {
            clause.marks.retain(|mark| *mark != Mark::Anaphora);
            clause.mark(Mark::There);
        }
        if clause.alternatives.contains(&Verb::Move) && shape.is_moved(scan, clause, previous) {
            clause.verb = Some(Verb::Move);
        }
    }
    if shape.has(FactKind::Matter) || shape.has(FactKind::Listed) {
        clause.mark(Mark::Shows);
    }
    if clause.verb.is_none() {
        let begins = previous.is_none();
        imply(scan, clause, begins, &shape);
    }
}

/// A clause that only says what to do with what is there.
fn resolve_without_object(clause: &mut ClauseReading, previous: Option<&ClauseReading>) {
    let before = previous.and_then(|previous| previous.object);
    if clause.verb.is_some() {
        clause.object = before;
    } else if clause.measure.is_some() && clause.projection.is_none() && before.is_some() {
        clause.verb = Some(Verb::Compute);
        clause.object = Some(Object::Entries);
    }
}
