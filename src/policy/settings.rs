//! Files that change how the machine behaves: shell profiles, autostart, user services, programs on the path. They are
//! the hidden ones of a home. `gate` asks; tells only, never refuses.

use std::path::Path;

use super::{CheckRequest, guard};
use crate::domain::{actor::Role, manifest::Semantic};

/// Whether the step changes something hidden in the host's home, or puts a hidden name there.
pub(super) fn are_touched(request: &CheckRequest<'_>) -> bool {
    // A guest's folder is no login's home: nothing reads settings there.
    if !request.manifest.effect.changes_something() || request.actor.role == Role::Guest {
        return false;
    }
    let texts = guard::declared_texts(request);
    let arrives_at_home = texts.iter().any(|(semantic, text)| {
        let is_folder = matches!(semantic, Semantic::Destination | Semantic::Directory);
        is_folder
            && guard::places(text, request.home)
                .iter()
                .any(|place| place == request.home)
    });
    texts.iter().any(|(semantic, text)| match semantic {
        Semantic::Path | Semantic::Destination | Semantic::Directory => {
            let places = guard::places(text, request.home);
            places.iter().any(|place| is_setting(place, request)) || (arrives_at_home && has_hidden_name(text))
        }
        Semantic::Option => arrives_at_home && has_hidden_name(text),
        Semantic::Url
        | Semantic::Glob
        | Semantic::Window
        | Semantic::Count
        | Semantic::Field
        | Semantic::Query
        | Semantic::Near
        | Semantic::Moment
        | Semantic::Content => false,
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
