//! The guard: targets nobody may name to an executor, on any level of autonomy.
//! `policy::check` asks it first. It reads every string that could be a target, in every form a path can hide in, and
//! looks where links lead; text that is only content (a document that quotes `/etc/shadow`) is no target.

mod expansion;
mod places;
mod readings;
mod shell;
mod web;

use std::path::{Path, PathBuf};

use serde_json::Value;

use self::{places::Closed, readings::Readings};
pub(super) use self::{
    shell::is_fork_bomb,
    web::{is_private_address, may_be_private_address},
};
use super::{CheckRequest, guest_dir};
use crate::domain::{
    actor::Role,
    content::is_content,
    folders,
    kind::Class,
    manifest::{ArgSpec, Capability, Manifest},
    message::Message,
    vocabulary::Verb,
};

/// Values under these keys are places, whatever the argument they are nested in says.
const PLACE_KEYS: &[&str] = &[
    "path",
    "paths",
    "src",
    "dst",
    "source",
    "destination",
    "file",
    "files",
    "dir",
    "folder",
    "root",
    "attachments",
];
/// Characters of a target shown to a person.
const SHOWN_CHARS_MAX: usize = 80;

/// Why a target is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// Keys and passwords.
    Secrets,
    /// Uses of the system that are nobody's to read through us.
    System,
    /// metnos' own records and keys.
    Own,
    /// A change inside the operating system's folders.
    SystemTree,
    /// A change of so much at once that it would take protected things with it.
    TooWide,
    /// Not a plain path.
    Malformed,
    /// An address that is not http or https.
    Scheme,
    /// A name or password inside an address.
    UrlCredentials,
    /// The address machines in a data centre ask for their own keys.
    Metadata,
    /// A command that destroys.
    Command,
}

impl Refusal {
    fn message(self, target: &str) -> Message {
        let key = match self {
            Self::Secrets => "policy-guard-secrets",
            Self::System => "policy-guard-system",
            Self::Own => "policy-guard-own",
            Self::SystemTree => "policy-guard-system-tree",
            Self::TooWide => "policy-guard-too-wide",
            Self::Malformed => "policy-guard-malformed",
            Self::Scheme => "policy-guard-scheme",
            Self::UrlCredentials => "policy-guard-url-credentials",
            Self::Metadata => "policy-guard-metadata",
            Self::Command => "policy-guard-command",
        };
        let shown: String = target
            .chars()
            .map(|c| {
                if c.is_control() || readings::is_invisible(c) {
                    '\u{fffd}'
                } else {
                    c
                }
            })
            .take(SHOWN_CHARS_MAX)
            .collect();
        Message::new(key).with("target", shown)
    }
}

/// How a string of the arguments is to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Use {
    class: Class,
    by_runtime: bool,
}

/// The sentence that refuses the step; `None` when no target is forbidden.
pub(super) fn check(request: &CheckRequest<'_>) -> Option<Message> {
    if request.manifest.is_pure() {
        // Computes inside our own process and reaches nothing: there are no targets, only data.
        return None;
    }
    let guard = Guard::new(request);
    let mut found = None;
    visit(request, &mut |role, text| {
        if found.is_none() {
            found = guard.refusal(role, text).map(|refusal| refusal.message(text));
        }
    });
    found
}

/// Every string of the arguments with the kind its argument declares, content left out.
pub(super) fn declared_texts<'a>(request: &CheckRequest<'a>) -> Vec<(Class, &'a str)> {
    let mut texts = Vec::new();
    visit(request, &mut |role, text| texts.push((role.class, text)));
    texts
}

/// Where a text leads: by its name, and after following every link. Empty when it is no plain path.
pub(super) fn places(text: &str, home: &Path) -> Vec<PathBuf> {
    if Readings::of(text, home).malformed {
        return Vec::new();
    }
    places::of(text, home)
}

/// Why the host may not hand this file over by its path, either.
pub(super) fn closed_place(path: &str, home: &Path, data_dir: &Path, protected: &[PathBuf]) -> Option<Message> {
    let closed = Closed {
        home,
        data_dir,
        protected,
        guests: folders::guests(data_dir),
    };
    closed.target(path).map(|refusal| refusal.message(path))
}

struct Guard<'a> {
    closed: Closed<'a>,
    manifest: &'a Manifest,
    /// Folders that relative paths and patterns of this call start in, beside the home.
    bases: Vec<&'a str>,
    /// A pattern of this call picks some of a folder's files, not all.
    has_narrow_pattern: bool,
}

impl<'a> Guard<'a> {
    fn new(request: &CheckRequest<'a>) -> Self {
        let texts = declared_texts(request);
        let of = |wanted| {
            texts
                .iter()
                .filter(move |(class, _)| *class == wanted)
                .map(|(_, text)| *text)
        };
        Self {
            closed: Closed::of(request),
            manifest: request.manifest,
            bases: of(Class::Folder).collect(),
            has_narrow_pattern: of(Class::Glob).any(|pattern| !places::is_everything(pattern)),
        }
    }

    fn has(&self, capability: Capability) -> bool {
        self.manifest.has(capability)
    }

    fn refusal(&self, role: Use, text: &str) -> Option<Refusal> {
        if self.has(Capability::CodeExec)
            && let Some(refusal) = shell::refusal(text, &self.closed)
        {
            return Some(refusal);
        }
        match role.class {
            Class::File | Class::Folder | Class::Target | Class::Glob => self.place(role, text),
            Class::Address => web::refusal(text, &self.closed),
            Class::Unknown => self.anything(role, text),
            Class::Window
            | Class::Number
            | Class::Column
            | Class::Words
            | Class::Choice
            | Class::Whereabouts
            | Class::Moment
            | Class::Text => self.mention(role.class, text),
        }
    }

    /// A string that is a place.
    fn place(&self, role: Use, text: &str) -> Option<Refusal> {
        if web::looks_like_address(text) && !web::is_file_address(text) {
            return web::refusal(text, &self.closed);
        }
        let readings = Readings::of(text, self.closed.home);
        let pattern = role.class == Class::Glob;
        let changes = self.has(Capability::FsWrite) || self.has(Capability::CodeExec);
        for reading in readings
            .texts
            .iter()
            .filter(|reading| !(pattern && names_nothing(reading)))
        {
            if let Some(refusal) = self.closed.target(reading)
                && !(role.by_runtime && refusal == Refusal::Own)
            {
                return Some(refusal);
            }
            let below = |base: &&str| self.closed.target_below(base, reading);
            if role.class != Class::Folder
                && let Some(refusal) = self.bases.iter().find_map(below)
            {
                return Some(refusal);
            }
            if changes && !pattern && !role.by_runtime {
                if self.closed.in_system_tree(reading) {
                    return Some(Refusal::SystemTree);
                }
                let narrowed = role.class == Class::Target || (role.class == Class::Folder && self.has_narrow_pattern);
                if !narrowed && self.takes_away() && self.closed.is_too_wide(reading) {
                    return Some(Refusal::TooWide);
                }
            }
        }
        readings.malformed.then_some(Refusal::Malformed)
    }

    /// A string of which nobody says what it is: what would be refused as a path, as an address or as words is.
    fn anything(&self, role: Use, text: &str) -> Option<Refusal> {
        let readings = Readings::of(text, self.closed.home);
        let climbs = |reading: &String| reading.split('/').any(|part| part == "..");
        let as_climb = readings.texts.iter().any(climbs).then_some(Refusal::Malformed);
        web::refusal_of_words(text, &self.closed)
            .or_else(|| self.place(role, text))
            .or(as_climb)
            .or_else(|| self.mention(role.class, text))
    }

    /// A string that is not meant as a place, given to a tool that could take it for one.
    fn mention(&self, class: Class, text: &str) -> Option<Refusal> {
        if web::looks_like_address(text) && self.has(Capability::NetworkHttp) {
            return web::refusal(text, &self.closed);
        }
        let writes = self.has(Capability::FsWrite);
        if class == Class::Text || !(writes || self.has(Capability::FsRead)) {
            return None;
        }
        let readings = Readings::of(text, self.closed.home);
        let climbs = |reading: &String| reading.split('/').any(|part| part == "..");
        if readings.is_too_long() || (writes && readings.texts.iter().any(climbs)) {
            // A new name or a template that climbs would change something elsewhere than the target says.
            return Some(Refusal::Malformed);
        }
        readings.texts.iter().find_map(|reading| {
            let changes_system = writes && reading.starts_with('/') && self.closed.in_system_tree(reading);
            let in_tree = changes_system.then_some(Refusal::SystemTree);
            self.closed.target(reading).or(in_tree)
        })
    }

    /// What it works on is gone from its place afterwards.
    fn takes_away(&self) -> bool {
        match self.manifest.verb {
            Some(verb) => matches!(verb, Verb::Delete | Verb::Move | Verb::Change | Verb::Compress),
            None => true,
        }
    }
}

/// A pattern such as `*`, `**/*.pdf` or `.*` asks for whatever is there; what is found is guarded when it is opened.
fn names_nothing(pattern: &str) -> bool {
    pattern
        .split('/')
        .all(|part| part.starts_with(['*', '?']) || part == ".*")
}

/// Calls `found` for every string that is not content, in order.
fn visit<'a>(request: &CheckRequest<'a>, found: &mut dyn FnMut(Use, &'a str)) {
    let has = |capability| request.manifest.has(capability);
    let reach = Reach {
        runs_code: has(Capability::CodeExec),
        opens_places: has(Capability::FsRead) || has(Capability::FsWrite) || has(Capability::NetworkHttp),
    };
    for (name, value) in request.args {
        let spec = request.manifest.arg(name);
        let role = Use {
            class: spec.map_or_else(|| undeclared(name), ArgSpec::class),
            by_runtime: spec.is_some_and(|spec| spec.runtime_resolved),
        };
        let is_content = role.class == Class::Text || (spec.is_none() && is_content(name));
        // For a tool that runs code, text is not harmless: it may be the code.
        if !is_content || reach.runs_code {
            visit_value(value, role, reach, found);
        }
    }
}

/// What the tool could do with a string.
#[derive(Clone, Copy)]
struct Reach {
    runs_code: bool,
    /// Opens or sends files, so that a place nested in its data may be meant.
    opens_places: bool,
}

fn visit_value<'a>(value: &'a Value, role: Use, reach: Reach, found: &mut dyn FnMut(Use, &'a str)) {
    match value {
        Value::String(text) => found(role, text),
        Value::Array(values) => {
            for value in values {
                visit_value(value, role, reach, found);
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                if is_content(key) && !reach.runs_code {
                    continue;
                }
                let nested = Use {
                    class: if reach.opens_places && is_place_key(key) {
                        Class::File
                    } else {
                        role.class
                    },
                    ..role
                };
                visit_value(value, nested, reach, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// An argument the manifest does not know is a place when it is called like one, and a mention otherwise.
fn undeclared(name: &str) -> Class {
    if is_place_key(name) { Class::File } else { Class::Choice }
}

fn is_place_key(key: &str) -> bool {
    PLACE_KEYS.iter().any(|known| key.eq_ignore_ascii_case(known))
}

impl<'a> Closed<'a> {
    fn of(request: &CheckRequest<'a>) -> Self {
        // A guest's own folder is open to that guest; the guests' folders together are open to the host alone.
        let guests = match request.actor.role {
            Role::Host => folders::guests(request.data_dir),
            Role::Guest => guest_dir(request.data_dir, request.actor),
        };
        Self {
            home: request.home,
            data_dir: request.data_dir,
            protected: request.protected,
            guests,
        }
    }
}
