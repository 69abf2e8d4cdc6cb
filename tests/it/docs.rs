//! The documents tell the truth: what they name exists, what they promise to be short is short, and every command a
//! reader may copy is one.

use std::collections::BTreeSet;

use crate::tree::{Tree, names_in, root};

/// Lines of ARCHITECTURE.md: what fits in one reading.
const ARCHITECTURE_LINES_MAX: usize = 350;
/// Documents a stranger looks for at the root.
const EXPECTED: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "config.example.toml",
    "docs/walkthrough.md",
    "Dockerfile",
    "deny.toml",
    "clippy.toml",
    "rustfmt.toml",
    "justfile",
    ".ci/run",
];
/// Documents whose file names are checked.
const CHECKED: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
/// Folders and files at the root that a document may name.
const OURS: &[&str] = &[
    "src/",
    "tests/",
    "docs/",
    "locales/",
    "executors/",
    "migrations/",
    "scripts/",
    "benches/",
    ".ci/",
];

#[test]
fn what_a_stranger_looks_for_is_here() {
    let missing: Vec<&&str> = EXPECTED.iter().filter(|name| !root().join(name).is_file()).collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
}

#[test]
fn the_architecture_fits_in_one_reading() {
    let lines = read("ARCHITECTURE.md").lines().count();
    assert!(lines <= ARCHITECTURE_LINES_MAX, "ARCHITECTURE.md has {lines} lines");
}

#[test]
fn files_named_in_documents_exist() {
    if !is_whole() {
        return;
    }
    let mut missing = Vec::new();
    for document in CHECKED {
        for name in named_files(&read(document)) {
            if !root().join(&name).exists() {
                missing.push(format!("{document} names `{name}`"));
            }
        }
    }
    assert!(missing.is_empty(), "these are not here: {missing:#?}");
}

#[test]
fn a_named_file_is_recognised() {
    let text =
        "see `src/app.rs`, `~/notes/diary.md`, [it](CHANGELOG.md), `locales/<lang>/` and `a.rs`; src/x.rs is bare";
    let names: Vec<String> = named_files(text).into_iter().collect();
    assert_eq!(names, ["CHANGELOG.md", "src/app.rs"]);
}

#[test]
fn commands_in_the_readme_exist() {
    if !is_whole() {
        return;
    }
    let known = subcommands();
    let unknown: Vec<String> = shell_commands(&read("README.md"))
        .into_iter()
        .filter_map(|line| subcommand(&line))
        .filter(|name| !known.contains(name))
        .collect();
    assert!(
        unknown.is_empty(),
        "metnos has no such commands: {unknown:?}; it has {known:?}"
    );
}

#[test]
fn a_command_is_recognised() {
    let text = "   ```sh\n   $ metnos config check\nmetnos\nmetnos --help\ncargo run -- doctor\n```\n```\nmetnos not one\n```\n";
    let names: Vec<String> = shell_commands(text)
        .iter()
        .filter_map(|line| subcommand(line))
        .collect();
    assert_eq!(names, ["config", "doctor"]);
}

#[test]
fn the_readme_shows_how_to_start_and_test() {
    let commands = shell_commands(&read("README.md"));
    for wanted in ["cargo run --release", "cargo test"] {
        assert!(
            commands.iter().any(|line| line == wanted),
            "README.md does not show `{wanted}`"
        );
    }
}

#[test]
fn every_executor_of_the_readme_ships() {
    if !is_whole() {
        return;
    }
    let shipped: BTreeSet<String> = names_in("executors").into_iter().collect();
    let missing: Vec<String> = executors_in_table(&read("README.md"))
        .into_iter()
        .filter(|name| !shipped.contains(name))
        .collect();
    assert!(
        missing.is_empty(),
        "README.md promises executors that do not ship: {missing:?}"
    );
}

/// A module without a place on the map is one a newcomer cannot find.
#[test]
fn the_map_shows_every_module() {
    let text = read("ARCHITECTURE.md");
    let map = map_of(&text);
    let modules: Vec<String> = names_in("src")
        .into_iter()
        .filter(|name| name.ends_with(".rs") && name != "lib.rs")
        .collect();
    let missing: Vec<&String> = modules.iter().filter(|name| !map.contains(&name.as_str())).collect();
    assert!(missing.is_empty(), "not on the map of ARCHITECTURE.md: {missing:?}");
}

#[test]
fn the_map_shows_nothing_else() {
    if !is_whole() {
        return;
    }
    let text = read("ARCHITECTURE.md");
    let missing: Vec<&str> = map_of(&text)
        .into_iter()
        .filter(|path| !root().join("src").join(path).is_file())
        .collect();
    assert!(
        missing.is_empty(),
        "on the map of ARCHITECTURE.md, but not here: {missing:?}"
    );
}

#[test]
fn a_map_is_read() {
    let text = "a\n```text\nmain.rs   starts\n  engine/dispatch.rs   runs main.rs\n\n```\nb.rs\n";
    assert_eq!(map_of(text), ["main.rs", "engine/dispatch.rs"]);
}

/// The first words of the lines of a document's `text` block.
fn map_of(text: &str) -> Vec<&str> {
    let block = text
        .split("```text\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .unwrap_or_default();
    block
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

/// Paths a document names in backticks or as the target of a link; patterns such as `locales/<lang>/` are none.
fn named_files(text: &str) -> BTreeSet<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let linked = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let is_plain = |name: &&str| {
        name.chars()
            .all(|char| char.is_ascii_alphanumeric() || "._-/".contains(char))
    };
    quoted
        .chain(linked)
        .filter(is_plain)
        .filter(|name| OURS.iter().any(|folder| name.starts_with(folder)) || EXPECTED.contains(name))
        .map(str::to_owned)
        .collect()
}

/// Lines of the fenced blocks marked `sh`, without prompt and comment.
fn shell_commands(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in text.lines() {
        if let Some(kind) = line.trim().strip_prefix("```") {
            inside = kind == "sh";
        } else if inside {
            let line = line.trim().trim_start_matches("$ ");
            let line = line.split(" #").next().unwrap_or(line).trim();
            if !line.is_empty() && !line.starts_with('#') {
                commands.push(line.to_owned());
            }
        }
    }
    commands
}

/// The subcommand of a line that calls metnos; `None` for other programs and for plain `metnos`.
fn subcommand(line: &str) -> Option<String> {
    let rest = line.strip_prefix("metnos ").or_else(|| {
        line.split_once("cargo run")
            .and_then(|(_, rest)| rest.split_once(" -- "))
            .map(|(_, rest)| rest)
    })?;
    let word = rest.split_whitespace().next()?;
    let is_word = word.chars().all(|char| char.is_ascii_lowercase() || char == '-') && !word.starts_with('-');
    is_word.then(|| word.to_owned())
}

/// The subcommands clap knows: the variants of the enum under `#[derive(Subcommand)]` in `src/cli.rs`.
fn subcommands() -> BTreeSet<String> {
    let tree = Tree::of("src", "rs");
    let Some(cli) = tree.text("src/cli.rs") else {
        return BTreeSet::new();
    };
    let after = cli.split("Subcommand").skip(1).filter_map(|rest| rest.split_once('{'));
    after
        .flat_map(|(_, body)| body.split("\n}").next().unwrap_or_default().lines())
        .map(|line| line.trim_start_matches("    "))
        .filter(|line| line.starts_with(|char: char| char.is_ascii_uppercase()))
        .map(|line| {
            kebab(
                line.split(|char: char| !char.is_ascii_alphanumeric())
                    .next()
                    .unwrap_or_default(),
            )
        })
        .collect()
}

fn kebab(variant: &str) -> String {
    let mut name = String::new();
    for char in variant.chars() {
        if char.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(char.to_ascii_lowercase());
    }
    name
}

/// Executor names in the table cells of a document.
fn executors_in_table(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| line.starts_with('|'))
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .filter(|name| name.contains('_') && name.chars().all(|char| char.is_ascii_lowercase() || char == '_'))
        .map(str::to_owned)
        .collect()
}

/// Documents may be ahead of a tree that is still being put together, but never of a whole one.
fn is_whole() -> bool {
    root().join("src/app.rs").is_file()
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("cannot read `{name}`: {error}"))
}
