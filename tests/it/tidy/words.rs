//! Rules about words: results dropped in silence, unfinished marks, paths of one machine, documents that are not here,
//! and dependencies without a reason.

use super::{Rule, Subject, is_rust, is_shipped};
use crate::tree::root;

/// Marks of unfinished work, split so that this file does not hold them.
const MARKS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("HA", "CK"),
];
/// Beginnings of paths that exist on one machine only, split for the same reason.
const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/Us", "ers/"),
    concat!("/ro", "ot/.cargo"),
];
/// Most dependencies under one comment.
const DEPENDENCIES_PER_REASON_MAX: usize = 8;
/// Longest line of Rust. Rustfmt keeps code below it and this keeps comments; a line with a quoted text may be longer.
const LINE_CHARS_MAX: usize = 120;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "nothing fails silently",
        applies: is_shipped,
        check: dropped_results,
        bad: &[
            ("src/store.rs", "fn f() {\n    let _ = fs::remove_file(path);\n}\n"),
            ("src/store.rs", "fn f() {\n    _ = fs::remove_file(path);\n}\n"),
            ("src/store.rs", "fn f() {\n    fs::create_dir_all(dir).ok();\n}\n"),
            ("src/store.rs", "x.map_err(|_| StoreError::Gone)?;\n"),
        ],
        good: &[
            (
                "src/store.rs",
                "let kept = text.parse().ok();\n// let _ = x;\nlet _guard = lock();\n",
            ),
            ("src/store.rs", "let (_, b) = pair;\nmatch x {\n    _ => 1,\n}\n"),
        ],
    },
    Rule {
        name: "nothing is left for later",
        applies: |_| true,
        check: marks,
        bad: &[
            ("src/app.rs", concat!("// TO", "DO: more\n")),
            ("justfile", concat!("# FIX", "ME\n")),
        ],
        good: &[("src/app.rs", concat!("// a TO", "DOLIST is no mark\n"))],
    },
    Rule {
        name: "no path of one machine",
        applies: |_| true,
        check: machine_paths,
        bad: &[
            ("README.md", concat!("see /wo", "rk/notes\n")),
            ("src/app.rs", concat!("// in ", env!("CARGO_MANIFEST_DIR"))),
        ],
        good: &[("README.md", "see ~/notes, /etc/passwd or framework/x\n")],
    },
    Rule {
        name: "named documents exist",
        applies: is_rust,
        check: documents,
        bad: &[
            ("src/app.rs", "//! See NOWHERE.md.\n"),
            ("src/app.rs", "// as in `some_notes.md` §2\n"),
            ("src/app.rs", "// the paper, §5\n"),
        ],
        good: &[
            (
                "src/app.rs",
                "//! See Cargo.toml, ARCHITECTURE.md and tests/../README.md.\n",
            ),
            (
                "src/app.rs",
                "/// Reads `~/notes/diary.md` or a.md.\nlet paragraph = \"§\";\n",
            ),
        ],
    },
    Rule {
        name: "every dependency has a reason",
        applies: |path| path == "Cargo.toml",
        check: reasons,
        bad: &[
            ("Cargo.toml", "[dependencies]\nserde = \"1\"\n"),
            ("Cargo.toml", "[dependencies]\n# Data.\nserde = \"1\"\n\ntoml = \"1\"\n"),
            (
                "Cargo.toml",
                "# Data.\n[dev-dependencies]\nserde = { version = \"1\" }\n",
            ),
            (
                "Cargo.toml",
                "[dependencies]\n# All.\na=1\nb=1\nc=1\nd=1\ne=1\nf=1\ng=1\nh=1\ni=1\n",
            ),
        ],
        good: &[(
            "Cargo.toml",
            "[package]\nname = \"x\"\n[dependencies]\n# Data.\nserde = \"1\"\ntoml = \"1\" # config\n",
        )],
    },
    Rule {
        name: "short lines",
        applies: is_rust,
        check: long_lines,
        bad: &[(
            "src/app.rs",
            concat!(
                "// 40 chars: ",
                "xxxxxxxxxx xxxxxxxxxx xxxxxxxxxx xxxxxxxxxx xxxxxxxxxx ",
                "xxxxxxxxxx xxxxxxxxxx xxxxxxxxxx xxxxxxxxxx xxxxxxxxxx xxxxxxxxxx\n"
            ),
        )],
        good: &[("src/app.rs", "// short\n")],
    },
];

fn dropped_results(file: &Subject) -> Vec<String> {
    let source = file.source();
    source
        .outside_tests(&source.code)
        .filter(|(_, code)| {
            let code = code.trim();
            let assigned = code.contains("let _ =") || code.contains("let _:") || code.starts_with("_ = ");
            let kept = code.contains("let ") || code.contains(" = ") || code.contains("return ");
            assigned || code.contains("map_err(|_|") || code.ends_with(".ok();") && !kept
        })
        .map(|(line, _)| format!("line {line}: handle the error, or log it and say why it may be dropped"))
        .collect()
}

fn marks(file: &Subject) -> Vec<String> {
    found_words(file, MARKS, "finish it or leave it out")
}

fn machine_paths(file: &Subject) -> Vec<String> {
    let home = option_env!("HOME").filter(|home| home.starts_with("/home/"));
    let here: Vec<&str> = MACHINE_PATHS
        .iter()
        .copied()
        .chain(root().to_str())
        .chain(home)
        .collect();
    found_words(file, &here, "this path exists on one machine only")
}

/// Lines that hold one of the words; a word that ends in a letter must end there.
fn found_words(file: &Subject, words: &[&str], advice: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(file.text.lines()) {
        for word in words {
            let stands_alone = text.match_indices(word).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let after = text[at + word.len()..].chars().next();
                !before.is_some_and(char::is_alphanumeric)
                    && (!word.ends_with(char::is_alphanumeric) || !after.is_some_and(char::is_alphanumeric))
            });
            if stands_alone {
                found.push(format!("line {line}: `{word}`: {advice}"));
            }
        }
    }
    found
}

fn documents(file: &Subject) -> Vec<String> {
    let source = file.source();
    let mut found = Vec::new();
    for (line, text) in (1..).zip(source.comments.lines()) {
        let words: Vec<&str> = text
            .split(|char: char| char.is_whitespace() || "`'\"(),;:[]".contains(char))
            .map(|word| word.trim_end_matches('.'))
            .filter(|word| !word.is_empty())
            .collect();
        for (at, word) in words.iter().enumerate() {
            let name = word.rsplit('/').next().unwrap_or(word);
            let is_ours = word.ends_with(".md") && name.starts_with(|char: char| char.is_ascii_uppercase());
            if is_ours && !root().join(word).is_file() {
                found.push(format!("line {line}: there is no `{word}`"));
            }
            let section_of = at.checked_sub(1).and_then(|before| words.get(before));
            if word.starts_with('§') && !section_of.is_some_and(|document| root().join(document).is_file()) {
                found.push(format!(
                    "line {line}: `{word}` of what? name a document of this repository"
                ));
            }
        }
    }
    found
}

fn reasons(file: &Subject) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_dependencies = false;
    let mut room = 0;
    for (line, text) in (1..).zip(file.text.lines()) {
        let text = text.trim();
        if text.starts_with('[') {
            in_dependencies = text.contains("dependencies]");
            room = 0;
        } else if text.starts_with('#') {
            room = DEPENDENCIES_PER_REASON_MAX;
        } else if text.is_empty() {
            room = 0;
        } else if in_dependencies && !text.contains('#') && text.contains('=') {
            if room == 0 {
                found.push(format!("line {line}: say in a comment what it is for: {text}"));
            }
            room = room.saturating_sub(1);
        }
    }
    found
}

/// A line of a transcript is as long as what was said.
fn is_said(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("> ") || text.starts_with("< ")
}

fn long_lines(file: &Subject) -> Vec<String> {
    (1..)
        .zip(file.text.lines())
        .filter(|(_, text)| text.chars().count() > LINE_CHARS_MAX && !text.contains('"') && !is_said(text))
        .map(|(line, text)| {
            format!(
                "line {line}: {} characters, at most {LINE_CHARS_MAX}",
                text.chars().count()
            )
        })
        .collect()
}
