//! What the values of a clause look like, and the verb they imply where none is said. Used by `clauses` alone.

use crate::{
    ClauseReading, Fact, FactKind, Mark, Measure,
    scan::Scan,
    sense::{Role, Sense},
};
use metnos_domain::vocabulary::{Object, Qualifier, Verb};

/// What the values of a clause look like.
pub(super) struct Shape {
    kinds: Vec<FactKind>,
    pub(super) file: bool,
    /// A path is called a folder.
    pub(super) folder: bool,
    /// A path says where something is.
    pub(super) inside: bool,
}

impl Shape {
    pub(super) fn of(scan: &Scan<'_>, clause: &ClauseReading) -> Self {
        let facts: Vec<_> = clause.facts.iter().filter_map(|fact| scan.facts.get(*fact)).collect();
        Self {
            kinds: facts.iter().map(|fact| fact.kind).collect(),
            file: facts
                .iter()
                .any(|fact| fact.role != Some(Role::To) && fact.is_file_path()),
            folder: clause.facts.iter().any(|fact| is_called_folder(scan, *fact)),
            inside: facts
                .iter()
                .any(|fact| fact.kind == FactKind::Path && fact.role.is_some()),
        }
    }

    pub(super) fn has(&self, kind: FactKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// "put x into y", where x is files and y a folder, moves them; anything else is written there.
    pub(super) fn is_moved(&self, scan: &Scan<'_>, clause: &ClauseReading, previous: Option<&ClauseReading>) -> bool {
        let facts = || clause.facts.iter().filter_map(|fact| scan.facts.get(*fact));
        let goes = |role: Option<Role>| matches!(role, Some(Role::To | Role::In));
        // "put the reports in it": a folder that was just made, or one that was said before; no file is put into another.
        let made = previous.is_none_or(|previous| previous.verb == Some(Verb::Create));
        let there = made && clause.is(Mark::There) && facts().any(Fact::is_file_path);
        let folder = facts().any(|fact| fact.kind == FactKind::Path && goes(fact.role) && !fact.is_file_path());
        let searched = |previous: &ClauseReading| matches!(previous.verb, Some(Verb::Find | Verb::List));
        let found = clause.is(Mark::Anaphora) && previous.is_some_and(searched);
        let files = facts().filter(|fact| fact.kind == FactKind::Path).count() > 1 || self.has(FactKind::Glob);
        (there || folder && (files || found)) && !self.has(FactKind::Quoted) && !self.has(FactKind::Url)
    }

    /// "in it", "into it": the only thing that is pointed at is a place.
    pub(super) fn points_into(scan: &Scan<'_>, clause: &ClauseReading) -> bool {
        let points =
            |at: &usize| scan.is(*at, &Sense::Anaphora) && scan.segments.get(*at).is_some_and(|own| own.fact.is_none());
        let mut pointing = scan.within(&clause.span).filter(points);
        let (Some(at), None) = (pointing.next(), pointing.next()) else {
            return false;
        };
        matches!(scan.role_before(at), Some(Role::In | Role::To))
    }

    /// A folder is opened by looking what is in it, and pictures by saying which there are.
    pub(super) fn opened(&self, scan: &Scan<'_>, clause: &ClauseReading, object: Object) -> Verb {
        let mut facts = clause.facts.iter().filter_map(|fact| scan.facts.get(*fact));
        if object == Object::Dirs || self.folder && !self.file {
            Verb::List
        } else if !self.file && facts.any(|fact| is_seen(scan, fact)) {
            Verb::Find
        } else {
            Verb::Read
        }
    }

    pub(super) fn names(&self) -> bool {
        self.has(FactKind::Name) || self.has(FactKind::NamePart)
    }

    /// Says what files are about, or what one of them is.
    pub(super) fn is_by_words(&self) -> bool {
        let kinds = [FactKind::Topic, FactKind::Title, FactKind::Matter];
        kinds.into_iter().any(|kind| self.has(kind))
    }

    /// Says which of several things are meant.
    pub(super) fn selects(&self) -> bool {
        let kinds = [FactKind::Glob, FactKind::Window, FactKind::Weekday, FactKind::Size];
        self.names() || self.is_by_words() || kinds.into_iter().any(|kind| self.has(kind))
    }
}

fn is_seen(scan: &Scan<'_>, fact: &Fact) -> bool {
    let endings = fact.text().strip_prefix("*.").filter(|_| fact.kind == FactKind::Glob);
    endings.is_some_and(|endings| {
        let mut endings = endings.trim_matches(['{', '}']).split(',');
        endings.all(|ending| scan.lexicon.seen.contains(ending))
    })
}

/// "the docs folder" is one value with the word for it.
fn is_called_folder(scan: &Scan<'_>, fact: usize) -> bool {
    let is_path = scan.facts.get(fact).is_some_and(|fact| fact.kind == FactKind::Path);
    let mut own = (0..scan.segments.len()).filter(|at| scan.segments.get(*at).and_then(|own| own.fact) == Some(fact));
    is_path && own.any(|at| scan.is(at, &Sense::Object(Object::Dirs, None)))
}

/// What is done where no verb says it; `begins` when nothing stands before the clause.
pub(super) fn imply(scan: &Scan<'_>, clause: &mut ClauseReading, begins: bool, shape: &Shape) {
    let Some(object) = clause.object else { return };
    let own: Vec<usize> = scan.within(&clause.span).collect();
    if own.iter().any(|at| scan.sense(*at, Sense::list_of).is_some()) {
        clause.mark(Mark::Shows);
    }
    let is_placed = shape.has(FactKind::Path) || shape.has(FactKind::Url);
    let goes_on = scan.is(0, &Sense::Connector) || clause.is(Mark::Only) && !is_placed;
    if begins && goes_on {
        clause.mark(Mark::GoesOn);
    }
    if !(clause.is(Mark::Shows) || clause.measure.is_some() || clause.is(Mark::Content)) {
        clause.mark(Mark::Implied);
        // "also b.txt" adds to what was asked before; to read it is another thing.
        let besides = |at: Option<&usize>| at.is_some_and(|at| scan.is(*at, &Sense::Besides));
        let last = own.iter().rev().find(|at| !scan.is_break(**at));
        if begins && (besides(own.first()) || besides(last)) {
            clause.mark(Mark::GoesOn);
        }
    }
    // "which is the newest bill" asks for its name.
    let which = own.iter().any(|at| scan.is(*at, &Sense::Which));
    let asks_which = which && shape.has(FactKind::Title) && clause.order.is_some();
    // "is notes.txt in docs?", where it lies further down: it is shown there, and not read.
    let asks_whether = own.first().is_some_and(|at| scan.is(*at, &Sense::Listed)) && shape.file && shape.inside;
    clause.verb = Some(if asks_which || asks_whether {
        Verb::Find
    } else {
        implied_verb(clause, object, clause.qualifier, shape)
    });
}

fn implied_verb(clause: &ClauseReading, object: Object, qualifier: Option<Qualifier>, shape: &Shape) -> Verb {
    let orders = clause.order.is_some() || clause.group_by.is_some();
    match object {
        Object::Urls if qualifier == Some(Qualifier::Html) || clause.is(Mark::Content) => Verb::Read,
        Object::Files if (shape.has(FactKind::Title) || shape.has(FactKind::Matter)) && clause.measure.is_none() => {
            Verb::Read
        }
        Object::Files if clause.measure == Some(Measure::Total) && shape.file => Verb::Get,
        Object::Files if shape.file && !shape.selects() && clause.measure.is_none() && clause.projection.is_none() => {
            Verb::Read
        }
        Object::Files if shape.file && clause.projection.is_some() => Verb::Get,
        Object::Files | Object::Dirs if clause.measure.is_some() || shape.selects() || orders => Verb::Find,
        Object::Files | Object::Dirs if shape.has(FactKind::Path) => Verb::List,
        Object::Texts => Verb::Filter,
        Object::Messages => Verb::Read,
        Object::Files | Object::Dirs | Object::Events | Object::Contacts | Object::Places | Object::Images => {
            Verb::Find
        }
        Object::Packages
        | Object::Processes
        | Object::Disks
        | Object::Days
        | Object::Weather
        | Object::Urls
        | Object::Numbers
        | Object::Signatures
        | Object::Proposals
        | Object::Persons
        | Object::Tasks
        | Object::Inputs
        | Object::Approval
        | Object::Credentials
        | Object::Issues
        | Object::Pulls
        | Object::Calendars
        | Object::Entries
        | Object::Lists
        | Object::Skills
        | Object::Sites
        | Object::Preferences
        | Object::Devices
        | Object::Now
        | Object::Location => Verb::Get,
    }
}
