//! On how many things a step acts, what lies in its folders included. `drive` asks before policy does, for steps with
//! effects only; looks at names, never opens or changes anything.

use std::{fs, path::Path};

use serde_json::{Map, Value};

use crate::{
    domain::{kind::Class, limits::ENTRIES_MAX, manifest::Manifest},
    executors::paths,
};

/// The targets of a step as the card names them: paths from `~`, however they were written.
pub(super) fn shown(manifest: &Manifest, args: &Map<String, Value>, targets: &[String], home: &Path) -> Vec<String> {
    let places = [Class::File, Class::Folder, Class::Target];
    let written: Vec<&str> = texts(manifest, args, &places).collect();
    let show = |target: &String| match paths::resolve(target, home) {
        Ok(path) if written.contains(&target.as_str()) => paths::show_short(&path, home),
        Ok(_) | Err(_) => target.clone(),
    };
    targets.iter().map(show).collect()
}

/// The folder below which several targets lie; `None` for one, and where they have nothing in common but the root.
pub(super) fn common_folder(targets: &[String]) -> Option<String> {
    let (first, others) = targets.split_first().filter(|(_, others)| !others.is_empty())?;
    let holds = |folder: &&Path| others.iter().all(|other| Path::new(other).starts_with(folder));
    let folder = Path::new(first).ancestors().skip(1).find(holds)?;
    let text = paths::show(folder);
    (!text.is_empty() && text != "/").then_some(text)
}

/// Whether anything lies deeper than in the folder itself: a card must not name more than is touched.
pub(super) fn reaches_below(targets: &[String], folder: &str, count: usize) -> bool {
    let is_in_it = |target: &String| {
        Path::new(target)
            .parent()
            .is_some_and(|parent| paths::show(parent) == folder)
    };
    count > targets.len() || !targets.iter().all(is_in_it)
}

/// The texts of the arguments with these meanings.
fn texts<'a>(
    manifest: &'a Manifest,
    args: &'a Map<String, Value>,
    wanted: &'a [Class],
) -> impl Iterator<Item = &'a str> {
    manifest
        .args
        .iter()
        .filter(|spec| wanted.contains(&spec.class()))
        .filter_map(|spec| args.get(&spec.name))
        .flat_map(|value| match value {
            Value::Array(items) => items.as_slice(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                std::slice::from_ref(value)
            }
        })
        .filter_map(Value::as_str)
}

/// Entries in the folders a step takes as a whole. Stops where the exact figure changes nothing any more.
pub(super) fn inside(manifest: &Manifest, args: &Map<String, Value>, home: &Path) -> usize {
    let mut waiting: Vec<_> = texts(manifest, args, &[Class::File])
        .filter_map(|text| match paths::resolve(text, home) {
            // A link is one thing, wherever it leads.
            Ok(path) => fs::symlink_metadata(&path)
                .is_ok_and(|found| found.is_dir())
                .then_some(path),
            Err(_not_a_path) => None,
        })
        .collect();
    let mut count = 0;
    while let Some(folder) = waiting.pop() {
        // What cannot be read cannot be counted, and the executor will say so.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            count += 1;
            if count >= ENTRIES_MAX {
                return count;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push(entry.path());
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::common_folder;

    #[test]
    fn several_targets_are_named_with_the_folder_they_share() {
        for (targets, folder) in [
            (&["~/a/x.jpg", "~/a/b/y.jpg"][..], Some("~/a")),
            (&["~/a/b/x.jpg", "~/a/c/y.jpg"], Some("~/a")),
            (&["~/a/x.jpg", "~/b/y.jpg"], Some("~")),
            (&["/a/x.jpg", "/b/y.jpg"], None),
            (&["~/a/x.jpg"], None),
        ] {
            let targets: Vec<String> = targets.iter().map(|target| (*target).to_owned()).collect();
            assert_eq!(common_folder(&targets).as_deref(), folder);
        }
    }
}
