//! Rules about who may know whom: floors, re-exports, and the layers of the engine.
//! They read text, not syntax; a type smuggled past them through a function's result is for review to find.

use super::{Rule, Subject, is_at, is_root, is_shipped, module};

/// A module and the modules below it that it may import.
pub(super) type Row = (&'static str, &'static [&'static str]);

/// Who may import whom, bottom floor first. A row names only rows above it in this table, so a cycle cannot be written.
pub(super) const MAY_IMPORT: &[Row] = &[
    // floor 0: vocabulary
    ("domain", &[]),
    // floor 1: mechanisms
    ("clock", &["domain"]),
    ("config", &["domain"]),
    ("rename", &["domain"]),
    ("turn_files", &["domain"]),
    ("kick", &["domain"]),
    ("telemetry", &["domain", "config"]),
    ("net", &["domain", "config"]),
    ("i18n", &["domain", "config"]),
    ("servers", &["domain", "config"]),
    ("llm", &["domain", "config", "servers"]),
    ("speech", &["domain", "config", "net", "servers"]),
    ("places", &["domain", "config", "net"]),
    ("world", &["domain", "config", "net"]),
    ("store", &["domain", "config", "clock"]),
    ("agenda", &["domain", "config", "clock", "net", "store"]),
    ("mail", &["domain", "config", "clock", "net", "store"]),
    ("devices", &["domain", "config", "net", "store"]),
    // floor 2: capabilities
    ("language", &["domain"]),
    ("catalog", &["domain", "config"]),
    ("policy", &["domain", "config"]),
    (
        "executors",
        &["domain", "config", "clock", "rename", "net", "llm", "store"],
    ),
    ("papers", &["domain", "store", "language", "catalog", "executors"]),
    ("photos", &["domain", "store", "language", "executors", "papers"]),
    // floor 3: the engine; it returns keys of sentences and never speaks, so it has no `i18n`
    (
        "engine",
        &[
            "domain",
            "config",
            "clock",
            "llm",
            "places",
            "agenda",
            "world",
            "store",
            "mail",
            "devices",
            "language",
            "catalog",
            "policy",
            "executors",
            "papers",
            "photos",
        ],
    ),
    // floor 3: the clock; it fires what is due and knows neither a sentence nor a job
    ("scheduler", &["domain", "clock", "store"]),
    // floor 4: what memory does about itself, and what the house does by itself
    (
        "nights",
        &[
            "domain", "config", "clock", "i18n", "store", "language", "catalog", "engine",
        ],
    ),
    (
        "jobs",
        &[
            "domain",
            "config",
            "clock",
            "turn_files",
            "llm",
            "i18n",
            "store",
            "language",
            "catalog",
            "papers",
            "photos",
            "engine",
            "nights",
        ],
    ),
    // floor 4: the runtime
    (
        "runtime",
        &[
            "domain",
            "config",
            "clock",
            "rename",
            "i18n",
            "speech",
            "store",
            "language",
            "catalog",
            "engine",
            "scheduler",
            "turn_files",
            "kick",
            "jobs",
            "nights",
        ],
    ),
    // floor 5: edges
    ("channels", &["domain", "config", "i18n", "runtime"]),
];

/// Assembly, floor 6: may import everything.
const ASSEMBLY: &[&str] = &["app", "cli", "lib", "main"];

/// The layers a request falls through. They are siblings that never meet: only `engine::dispatch` knows two of them.
const LAYERS: &[&str] = &[
    "patterns",
    "fastpath",
    "autopath",
    "composer",
    "proposer",
    "recovery",
    "terminator",
];

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "imports go down",
        applies: |path| is_shipped(path) && is_root(path),
        check: floors,
        bad: &[
            ("src/channels/telegram.rs", "use crate::engine::Engine;\n"),
            ("src/channels.rs", "use crate::{domain::ids::TurnId, store};\n"),
            ("src/domain/plan.rs", "fn f() { crate::clock::now() }\n"),
            ("src/store.rs", "use super::engine::Engine;\n"),
            ("src/store/turns.rs", "use super::super::runtime;\n"),
            ("src/stray.rs", "use crate::domain::ids;\n"),
        ],
        good: &[
            (
                "src/channels.rs",
                "use crate::{\n    domain::{ids::TurnId, reply},\n    runtime,\n};\n",
            ),
            ("src/store/turns.rs", "use super::Store;\n// not crate::engine\n"),
            ("src/store.rs", "#[cfg(test)]\nmod tests {\n    use crate::engine;\n}\n"),
            ("src/app.rs", "use crate::{engine, channels};\n"),
        ],
    },
    Rule {
        name: "no re-export across floors",
        applies: |path| is_shipped(path) && is_root(path),
        check: re_exports,
        bad: &[
            ("src/runtime.rs", "pub use crate::engine::Engine;\n"),
            ("src/lib.rs", "pub(crate) use crate::domain;\n"),
        ],
        good: &[("src/runtime.rs", "use crate::domain;\npub use self::inbox::Inbox;\n")],
    },
    Rule {
        name: "layers never meet",
        applies: |path| is_shipped(path) && layer(path).is_some(),
        check: layers,
        bad: &[
            ("src/engine/recovery.rs", "use crate::engine::proposer::Proposer;\n"),
            ("src/engine/recovery.rs", "use super::{terminator, intent};\n"),
            ("src/engine/fastpath/aging.rs", "use super::super::autopath;\n"),
        ],
        good: &[
            (
                "src/engine/recovery.rs",
                "use super::Engine;\nuse crate::domain::failure::Failure;\n",
            ),
            ("src/engine/fastpath/aging.rs", "use super::{Row, autopath};\n"),
        ],
    },
];

/// Rows that name something which does not stand above them.
pub(super) fn rows_that_look_up(table: &[Row]) -> Vec<String> {
    let mut found = Vec::new();
    for (row, (module, below)) in table.iter().enumerate() {
        for name in *below {
            if !table[..row].iter().any(|(above, _)| above == name) {
                found.push(format!("`{module}` names `{name}`, which is not below it"));
            }
        }
    }
    found
}

fn floors(file: &Subject) -> Vec<String> {
    let from = module(file.path).split('/').next().unwrap_or_default();
    if ASSEMBLY.contains(&from) {
        return Vec::new();
    }
    let Some((_, below)) = MAY_IMPORT.iter().find(|(name, _)| *name == from) else {
        return vec![format!("`{from}` stands on no floor: give it a row in `MAY_IMPORT`")];
    };
    root_modules(file)
        .into_iter()
        .filter(|to| to != from && !below.contains(&to.as_str()))
        .map(|to| format!("`{from}` may not import `{to}`"))
        .collect()
}

fn re_exports(file: &Subject) -> Vec<String> {
    let source = file.source();
    source
        .outside_tests(&source.code)
        .filter(|(_, code)| code.trim_start().starts_with("pub") && code.contains(" use crate::"))
        .map(|(line, _)| format!("line {line}: import it where it is needed"))
        .collect()
}

fn layers(file: &Subject) -> Vec<String> {
    let Some(own) = layer(file.path) else {
        return Vec::new();
    };
    let code = shipped_code(file);
    let depth_below_engine = module(file.path).split('/').count() - 1;
    let through_super = "super::".repeat(depth_below_engine);
    let mut named = paths_after(&code, "crate::engine::");
    named.extend(paths_after(&code, &through_super));
    named.sort();
    named.dedup();
    named
        .into_iter()
        .filter(|name| name != own && LAYERS.contains(&name.as_str()))
        .map(|name| format!("`{own}` knows `{name}`: only `dispatch` may know both"))
        .collect()
}

fn layer(path: &str) -> Option<&'static str> {
    let inside = module(path).strip_prefix("engine/")?;
    LAYERS.iter().copied().find(|layer| is_at(inside, layer))
}

/// The modules of the crate's root that a file names.
fn root_modules(file: &Subject) -> Vec<String> {
    let code = shipped_code(file);
    let depth = module(file.path).split('/').count();
    let mut named = paths_after(&code, "crate::");
    named.extend(paths_after(&code, &"super::".repeat(depth)));
    named.sort();
    named.dedup();
    named
}

fn shipped_code(file: &Subject) -> String {
    let source = file.source();
    let lines: Vec<&str> = source.outside_tests(&source.code).map(|(_, line)| line).collect();
    lines.join("\n")
}

/// The first names after `prefix`: one for `crate::a::b`, several for `crate::{a::b, c}`.
/// A prefix of `super::` counts only where no further `super::` stands before it.
fn paths_after(code: &str, prefix: &str) -> Vec<String> {
    code.match_indices(prefix)
        .filter(|(at, _)| !code[..*at].ends_with("super::") && !code[..*at].ends_with(is_name_char))
        .map(|(at, _)| &code[at + prefix.len()..])
        .filter(|rest| !rest.starts_with("super::"))
        .flat_map(|rest| {
            if rest.starts_with('{') {
                group(rest)
            } else {
                vec![first_name(rest)]
            }
        })
        .filter(|name| name.starts_with(|char: char| char.is_ascii_lowercase()))
        .collect()
}

/// The first name of each member of `{a::b, c::{d, e}}`.
fn group(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0_usize;
    for (at, char) in text.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && (char == '{' || char == ',') {
            names.push(first_name(text[at + 1..].trim_start()));
        }
    }
    names
}

fn first_name(text: &str) -> String {
    text.chars().take_while(|char| is_name_char(*char)).collect()
}

fn is_name_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}
