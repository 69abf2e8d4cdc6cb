//! What a guest may do on somebody else's machine. `policy::check` asks it second.
//! A host passes. A guest reads and writes files in their own folder only, sees nothing of the machine, reaches no
//! address inside the house, and runs no code. What cannot be told (a file tool without a path) is refused.

use std::path::Path;

use super::{CheckRequest, Ruling, guard, guest_dir};
use crate::domain::{
    actor::Role, kind::Class, manifest::Capability, message::Message, share::Shared, vocabulary::Verb,
};

/// What this person's role says to this step.
pub(super) fn rule(request: &CheckRequest<'_>) -> Ruling {
    match request.actor.role {
        Role::Host => Ruling::allow(),
        Role::Guest => refusal(request).map_or_else(Ruling::allow, |key| Ruling::block(Message::new(key))),
    }
}

fn refusal(request: &CheckRequest<'_>) -> Option<&'static str> {
    let has = |capability| request.manifest.has(capability);
    if has(Capability::CodeExec) {
        return Some("policy-trust-code");
    }
    if has(Capability::McpCall) {
        return Some("policy-trust-mcp");
    }
    if has(Capability::SystemRead) {
        return Some("policy-trust-system");
    }
    let texts = guard::declared_texts(request);
    if has(Capability::FsRead) || has(Capability::FsWrite) {
        let own = guest_dir(request.data_dir, request.actor);
        // Of what is shared with them they may change the text, and nothing else: whether and where it is there is the
        // host's affair.
        let writes = has(Capability::FsWrite);
        let edits = request.manifest.verb == Some(Verb::Write);
        let may = |shared: &&Shared| !writes || edits && shared.may_write;
        let open: Vec<&Path> = request
            .shared
            .iter()
            .filter(may)
            .map(|shared| shared.path.as_path())
            .collect();
        let is_own = |text: &str| is_inside(text, &own, &open, request.home);
        let elsewhere = texts.iter().any(|(class, text)| leads_elsewhere(*class, text, &is_own));
        if elsewhere || !texts.iter().any(|(class, _)| class.is_place()) {
            return Some("policy-trust-files");
        }
    }
    let private = |(class, text): &(Class, &str)| leads_inside(*class, text);
    if has(Capability::NetworkHttp) && texts.iter().any(private) {
        return Some("policy-trust-network");
    }
    None
}

/// An address of a machine in the house, or words that are the name of one.
fn leads_inside(class: Class, text: &str) -> bool {
    match class {
        Class::Address => guard::is_private_address(text),
        Class::Unknown => guard::may_be_private_address(text),
        Class::File
        | Class::Folder
        | Class::Target
        | Class::Glob
        | Class::Window
        | Class::Moment
        | Class::Number
        | Class::Column
        | Class::Words
        | Class::Text
        | Class::Choice
        | Class::Whereabouts => false,
    }
}

/// A place that is not theirs; a pattern or a name only when it leaves the folder it is used in.
fn leads_elsewhere(class: Class, text: &str, is_own: &dyn Fn(&str) -> bool) -> bool {
    match class {
        Class::File | Class::Folder | Class::Target => !is_own(text),
        Class::Glob | Class::Column | Class::Words | Class::Choice => {
            let leaves = text.starts_with(['/', '~']) || text.split(['/', '\\']).any(|part| part == "..");
            leaves && !is_own(text)
        }
        // Whatever could be more than one name is taken for a path.
        Class::Unknown => text.contains(['/', '\\', '~']) && !is_own(text),
        Class::Address | Class::Window | Class::Number | Class::Text | Class::Whereabouts | Class::Moment => false,
    }
}

/// Inside by name, and after following every link inside as well or what is shared.
fn is_inside(text: &str, own: &Path, open: &[&Path], home: &Path) -> bool {
    let places = guard::places(text, home);
    let is_open = |place: &Path| open.contains(&place);
    let is_named_own = places.first().is_some_and(|place| place.starts_with(own));
    is_named_own && places.iter().all(|place| place.starts_with(own) || is_open(place))
}
