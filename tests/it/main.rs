//! The integration tests: one binary, so that the program is linked once.
//! Every file below this folder is a module of it; `every_file_is_listed` fails when one is forgotten.

mod backup;
mod catalog;
mod commands;
mod config;
mod conversation;
mod crash;
mod dav;
mod docs;
mod erasure;
mod executors;
mod jobs;
mod keyboard;
mod llm;
mod locales;
mod mail;
mod matrix;
mod mcp;
mod model;
mod nights;
mod places;
mod policy;
mod service;
mod regressions;
mod scenarios;
mod scheduler;
mod search;
mod servers;
mod support;
mod telegram;
mod terminal;
mod tidy;
mod tree;
mod turns;
#[cfg(feature = "live")]
mod workbench;
mod world;

use std::path::Path;

use tree::{File, Tree};

/// A file that no `mod` line names would never be compiled, and its tests would silently not exist.
#[test]
fn every_file_is_listed() {
    let tree = Tree::of("tests", "rs");
    let forgotten: Vec<&str> = tree
        .files
        .iter()
        .filter(|file| !is_root(&file.path) && !is_listed(file, &tree))
        .map(|file| file.path.as_str())
        .collect();
    assert!(forgotten.is_empty(), "no `mod` line names these files: {forgotten:#?}");
}

#[test]
fn a_forgotten_file_is_noticed() {
    let tree = Tree::planted(&[
        ("tests/it/main.rs", "mod listed;\n// mod forgotten;\n"),
        ("tests/it/listed.rs", ""),
        ("tests/it/forgotten.rs", ""),
    ]);
    let listed: Vec<bool> = tree.files.iter().map(|file| is_listed(file, &tree)).collect();
    assert_eq!(listed, [false, true, false]);
}

fn is_root(path: &str) -> bool {
    path.ends_with("/main.rs")
}

fn is_listed(file: &File, tree: &Tree) -> bool {
    let path = Path::new(&file.path);
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let folder = path
        .parent()
        .map(|parent| parent.display().to_string())
        .unwrap_or_default();
    let parents = [format!("{folder}/main.rs"), format!("{folder}.rs")];
    tree.files
        .iter()
        .filter(|candidate| parents.contains(&candidate.path))
        .flat_map(|parent| parent.text.lines())
        .any(|line| {
            let line = line.trim();
            line == format!("mod {name};") || line.ends_with(&format!(" mod {name};")) && !line.starts_with("//")
        })
}
