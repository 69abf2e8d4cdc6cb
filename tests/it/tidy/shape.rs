//! Rules about the shape of files: their size, their first line, their names, their functions.

use super::{Rule, Subject, TEST_MODULES, is_program, is_rust, is_shipped};

/// Lines of a file, its unit tests not counted.
const FILE_LINES_MAX: usize = 500;
/// Lines of a file of tests: a list of cases may be longer than code.
const TEST_FILE_LINES_MAX: usize = 800;
/// Lines of code in a function's body; clippy's `too_many_lines` counts the same.
const FUNCTION_LINES_MAX: usize = 70;
/// File names that say nothing about what is inside.
const DRAWERS: &[&str] = &["util", "utils", "helper", "helpers", "common", "misc", "stuff", "part2"];

/// Nine times the same text.
macro_rules! nine {
    ($text:expr) => {
        concat!($text, $text, $text, $text, $text, $text, $text, $text, $text)
    };
}

/// Eighty-one statements: too long for a function.
const LONG_FUNCTION: &str = concat!("fn long() {\n", nine!(nine!("a();\n")), "}\n");
/// 729 lines: too long for a file.
const LONG_FILE: &str = concat!("//! Long.\n", nine!(nine!(nine!("fn a() {}\n"))));

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "small file",
        applies: is_rust,
        check: size,
        bad: &[("src/engine.rs", LONG_FILE)],
        good: &[("src/engine.rs", "//! Short.\nfn a() {}\n")],
    },
    Rule {
        name: "introduces itself",
        applies: is_rust,
        check: introduction,
        bad: &[
            ("src/engine.rs", "use std::fs;\n//! Late.\n"),
            ("tests/it/x.rs", "//!\n"),
        ],
        good: &[("src/engine.rs", "//! Runs plans.\n")],
    },
    Rule {
        name: "no mod.rs",
        applies: is_rust,
        check: |file| {
            says(
                file.path.ends_with("/mod.rs"),
                "name it after its folder, beside the folder",
            )
        },
        bad: &[("src/engine/mod.rs", "//! Engine.\n")],
        good: &[("src/engine.rs", "//! Engine.\n")],
    },
    Rule {
        name: "no drawer",
        applies: is_program,
        check: drawer,
        bad: &[
            ("src/engine/utils.rs", "//! Things.\n"),
            ("src/common/id.rs", "//! Ids.\n"),
        ],
        good: &[("src/engine/render.rs", "//! Renders.\n")],
    },
    Rule {
        name: "tests do not ship",
        applies: is_program,
        check: shipped_tests,
        bad: &[
            ("src/engine.rs", "mod tests;\n"),
            ("src/engine.rs", "pub mod fixtures {\n}\n"),
        ],
        good: &[(
            "src/engine.rs",
            "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod fixtures;\n",
        )],
    },
    Rule {
        name: "short function",
        applies: is_rust,
        check: functions,
        bad: &[("src/engine.rs", LONG_FUNCTION)],
        good: &[("src/engine.rs", "fn short() {\n    a();\n}\n")],
    },
];

fn size(file: &Subject) -> Vec<String> {
    let (lines, limit) = if is_shipped(file.path) {
        (file.source().lines_outside_tests(), FILE_LINES_MAX)
    } else {
        (file.text.lines().count(), TEST_FILE_LINES_MAX)
    };
    says(
        lines > limit,
        &format!("{lines} lines, at most {limit}: split it by topic"),
    )
}

fn introduction(file: &Subject) -> Vec<String> {
    let first = file.text.lines().next().unwrap_or_default();
    says(
        !first.starts_with("//! "),
        "say in `//!` on the first line what this file is for",
    )
}

fn drawer(file: &Subject) -> Vec<String> {
    let named = file
        .path
        .trim_end_matches(".rs")
        .split('/')
        .find(|part| DRAWERS.contains(part));
    named
        .map(|part| format!("`{part}` says nothing: name the topic"))
        .into_iter()
        .collect()
}

/// Test modules that are not under `#[cfg(test)]`.
fn shipped_tests(file: &Subject) -> Vec<String> {
    let source = file.source();
    let names = |code: &str| {
        TEST_MODULES
            .iter()
            .any(|name| code.contains(&format!("mod {name};")) || code.contains(&format!("mod {name} {{")))
    };
    source
        .outside_tests(&source.code)
        .filter(|(_, code)| names(code))
        .map(|(line, _)| format!("line {line}: put it under `#[cfg(test)]`"))
        .collect()
}

fn functions(file: &Subject) -> Vec<String> {
    file.source()
        .functions()
        .into_iter()
        .filter(|function| function.code_lines > FUNCTION_LINES_MAX)
        .map(|function| {
            format!(
                "line {}: `{}` has {} lines, at most {FUNCTION_LINES_MAX}",
                function.line, function.name, function.code_lines
            )
        })
        .collect()
}

fn says(is_broken: bool, what: &str) -> Vec<String> {
    if is_broken { vec![what.to_owned()] } else { Vec::new() }
}
