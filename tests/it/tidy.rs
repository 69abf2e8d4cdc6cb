//! The house rules a machine can check. Each rule is a function from one file to what is wrong with it, and carries
//! samples: one that it must catch and one that it must let pass, so that no rule can be one that never fails.
//! To add a rule, write the function in the file of its topic below `tidy/` and give it a row in `RULES`.

mod homes;
mod imports;
mod knobs;
mod shape;
mod source;
mod words;

use std::cell::OnceCell;

use crate::tree::Tree;
use source::Source;

/// One rule.
struct Rule {
    /// What it is called in a failure and in `EXCEPTIONS`.
    name: &'static str,
    /// Whether it looks at the file of this path.
    applies: fn(&str) -> bool,
    /// What is wrong with a file; empty when nothing is.
    check: fn(&Subject) -> Vec<String>,
    /// Path and text of files it must catch.
    bad: &'static [(&'static str, &'static str)],
    /// Path and text of files it must let pass.
    good: &'static [(&'static str, &'static str)],
}

/// A file under examination.
struct Subject<'a> {
    /// Path from the repository's root.
    path: &'a str,
    /// All of it.
    text: &'a str,
    source: OnceCell<Source>,
}

impl<'a> Subject<'a> {
    fn new(path: &'a str, text: &'a str) -> Self {
        let source = OnceCell::new();
        Self { path, text, source }
    }

    /// The file as Rust, read once for all rules.
    fn source(&self) -> &Source {
        self.source.get_or_init(|| Source::parse(self.text))
    }
}

/// Every rule, by topic.
const RULES: &[&[Rule]] = &[shape::RULES, imports::RULES, homes::RULES, knobs::RULES, words::RULES];

/// Names of files and folders below `src/` that hold unit tests and what they need.
const TEST_MODULES: &[&str] = &["tests", "fixtures"];

/// What is known to break a rule, by rule and path; each is to be mended by its own refactoring.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("small file", "src/config.rs"),
    ("small file", "src/engine/frames/values.rs"),
];

#[test]
fn the_repository_obeys_every_rule() {
    let found: Vec<String> = violations(&Tree::all())
        .into_iter()
        .filter(|(rule, path, _)| !EXCEPTIONS.contains(&(rule, path.as_str())))
        .map(|(rule, path, what)| format!("[{rule}] {path}: {what}"))
        .collect();
    assert!(found.is_empty(), "{} broken:\n{}", found.len(), found.join("\n"));
}

#[test]
fn every_rule_catches_what_it_is_for() {
    for rule in rules() {
        assert!(!rule.bad.is_empty(), "`{}` has no sample of what it forbids", rule.name);
        for (path, text) in rule.bad {
            assert!(
                !broken(rule, path, text).is_empty(),
                "`{}` lets `{path}` pass:\n{text}",
                rule.name
            );
        }
    }
}

#[test]
fn every_rule_lets_good_code_pass() {
    for rule in rules() {
        assert!(!rule.good.is_empty(), "`{}` has no sample of what it allows", rule.name);
        for (path, text) in rule.good {
            let found = broken(rule, path, text);
            assert!(found.is_empty(), "`{}` is wrong about `{path}`: {found:?}", rule.name);
        }
    }
}

#[test]
fn no_exception_outlives_its_reason() {
    let found = violations(&Tree::all());
    for (rule, path) in EXCEPTIONS {
        let needed = found.iter().any(|(name, file, _)| name == rule && file == path);
        assert!(needed, "`{path}` obeys `{rule}` now: take it off the list");
    }
}

#[test]
fn the_import_table_has_no_cycle() {
    assert_eq!(imports::rows_that_look_up(imports::MAY_IMPORT), Vec::<String>::new());
    let cyclic: &[imports::Row] = &[("low", &["high"]), ("high", &["low"])];
    assert_eq!(
        imports::rows_that_look_up(cyclic),
        ["`low` names `high`, which is not below it"]
    );
}

/// Rule, path and what is wrong, for every broken rule.
fn violations(tree: &Tree) -> Vec<(&'static str, String, String)> {
    let mut found = Vec::new();
    for file in &tree.files {
        let subject = Subject::new(&file.path, &file.text);
        for rule in rules().filter(|rule| (rule.applies)(&file.path)) {
            let broken = (rule.check)(&subject).into_iter();
            found.extend(broken.map(|what| (rule.name, file.path.clone(), what)));
        }
    }
    found
}

fn broken(rule: &Rule, path: &str, text: &str) -> Vec<String> {
    if (rule.applies)(path) {
        (rule.check)(&Subject::new(path, text))
    } else {
        Vec::new()
    }
}

/// All rules, one after the other.
fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().flat_map(|topic| topic.iter())
}

/// Rust of the program, or of a crate it is made of.
fn is_program(path: &str) -> bool {
    (is_root(path) || path.starts_with("crates/") && path.contains("/src/")) && is_rust(path)
}

/// In the program's own crate, which has floors.
fn is_root(path: &str) -> bool {
    path.starts_with("src/")
}

/// Rust of the program that is no file of unit tests; `shape` sees to it that those are compiled for tests only.
fn is_shipped(path: &str) -> bool {
    let is_for_tests = |part: &str| TEST_MODULES.contains(&part.trim_end_matches(".rs"));
    is_program(path) && !path.split('/').any(is_for_tests)
}

/// Any Rust.
fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

/// The module path below `src/`, such as `engine/dispatch`; that of another crate begins with its folder.
fn module(path: &str) -> &str {
    path.trim_start_matches("src/").trim_end_matches(".rs")
}

/// Whether a module path is this home or below it.
fn is_at(module: &str, home: &str) -> bool {
    module
        .strip_prefix(home)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
