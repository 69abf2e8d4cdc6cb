//! Files that change how the machine behaves: shell profiles, autostart, user services, programs on the path. They are
//! the hidden ones of a home. `gate` asks; tells only, never refuses.

use std::path::Path;

use super::{CheckRequest, guard};
use crate::domain::{actor::Role, kind::Class};

/// Whether the step changes something hidden in the host's home, or puts a hidden name there.
pub(super) fn are_touched(request: &CheckRequest<'_>) -> bool {
    // A guest's folder is no login's home: nothing reads settings there.
    if !request.manifest.effect.changes_something() || request.actor.role == Role::Guest {
        return false;
    }
    let texts = guard::declared_texts(request);
    let arrives_at_home = texts.iter().any(|(class, text)| {
        (class.is_around() || *class == Class::Unknown)
            && guard::places(text, request.home)
                .iter()
                .any(|place| place == request.home)
    });
    texts.iter().any(|(class, text)| match class {
        Class::File | Class::Target | Class::Folder | Class::Unknown => {
            let places = guard::places(text, request.home);
            places.iter().any(|place| is_setting(place, request)) || (arrives_at_home && has_hidden_name(text))
        }
        Class::Choice => arrives_at_home && has_hidden_name(text),
        Class::Address
        | Class::Glob
        | Class::Window
        | Class::Number
        | Class::Column
        | Class::Words
        | Class::Whereabouts
        | Class::Moment
        | Class::Text => false,
    })
}

fn is_setting(place: &Path, request: &CheckRequest<'_>) -> bool {
    // Our own folder is the guard's affair, and where copies for undo go.
    let is_ours = place.starts_with(request.data_dir) && !request.home.starts_with(request.data_dir);
    let first = place
        .strip_prefix(request.home)
        .ok()
        .and_then(|below| below.iter().next());
    !is_ours && first.is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn has_hidden_name(text: &str) -> bool {
    Path::new(text)
        .file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}
