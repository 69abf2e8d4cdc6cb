//! Rules about what may be named where: foreign libraries, channels, the model, the environment.

use super::{Rule, Subject, is_at, is_shipped, module};

/// A foreign library, and the only modules that may name it.
const HOMES: &[(&str, &[&str])] = &[
    ("anyhow", &["app", "cli", "main"]),
    ("arc_swap", &["catalog"]),
    ("axum", &[]),
    ("calcard", &["crates/dav"]),
    ("calamine", &["crates/documents"]),
    ("chacha20poly1305", &["store/sealed"]),
    ("clap", &["cli", "main"]),
    ("croner", &["crates/domain/src/task"]),
    ("dashmap", &["runtime"]),
    ("dom_query", &["crates/documents"]),
    ("async_imap", &["crates/mail"]),
    ("dom_smoothie", &["executors"]),
    ("ed25519_dalek", &["catalog/signature"]),
    ("fend_core", &["executors/numbers"]),
    ("flate2", &["turn_files"]),
    ("fluent", &["i18n"]),
    ("fluent_syntax", &["i18n"]),
    ("image", &["crates/photos"]),
    ("globset", &["executors", "policy/guard"]),
    ("jsonschema", &["catalog", "engine/validator"]),
    ("landlock", &["executors"]),
    ("lettre", &["crates/mail"]),
    ("mail_parser", &["crates/mail"]),
    ("matrix_sdk", &["crates/matrix"]),
    ("matrix_sdk_crypto", &["crates/matrix"]),
    ("metnos_charts", &["executors/files/charts"]),
    ("metnos_documents", &["executors"]),
    ("metnos_homeassistant", &["devices", "engine/hosted/devices"]),
    ("metnos_mail", &["mail"]),
    ("metnos_dav", &["agenda", "engine/hosted"]),
    ("metnos_matrix", &["channels/matrix"]),
    ("metnos_mcp", &["cli/mcp", "executors/mcp"]),
    ("metnos_photos", &["engine/hosted/photos", "executors", "photos"]),
    ("reverse_geocoder", &["crates/photos"]),
    ("moka", &["places", "world"]),
    ("noto_sans_mono_bitmap", &["crates/charts"]),
    ("notify", &["catalog"]),
    ("pdf_extract", &["crates/documents"]),
    ("png", &["crates/charts", "crates/photos"]),
    ("quick_xml", &["crates/dav", "crates/documents"]),
    ("reqwest", &["llm", "net", "crates/mcp"]),
    ("rmcp", &["crates/mcp"]),
    ("rusqlite", &["store"]),
    ("rusqlite_migration", &["store"]),
    ("rust_stemmers", &["crates/language"]),
    ("rustls", &["app", "main", "net", "channels/telegram", "crates/mail"]),
    ("rustyline", &["channels/terminal"]),
    ("seccompiler", &["executors"]),
    ("sysinfo", &["executors"]),
    ("teloxide", &["channels/telegram"]),
    ("tokio_tungstenite", &["crates/homeassistant"]),
    ("tracing_appender", &["telemetry"]),
    ("tracing_subscriber", &["telemetry"]),
    ("rust_xlsxwriter", &["executors/files/sheets"]),
    ("unic_langid", &["i18n"]),
    ("zip", &["crates/documents", "executors/files/archives"]),
];

/// Who may ask a language model. Among the executors, only those whose manifest declares `llm:local` are given one.
const MODEL_CALLERS: &[&str] = &[
    "llm",
    "engine/proposer",
    "engine/online",
    "engine/plan_executor/filler",
    "executors",
    "jobs/translate",
];

/// Words that only channels and their configuration may say.
const CHANNEL_WORDS: &[&str] = &["telegram", "teloxide", "matrix_sdk", "rustyline", "ChannelKind::"];

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "foreign libraries stay home",
        applies: is_shipped,
        check: homes,
        bad: &[
            ("src/engine/dispatch.rs", "use teloxide::Bot;\n"),
            ("src/net.rs", "fn f() -> anyhow::Result<()> {}\n"),
            ("src/storeroom.rs", "use rusqlite::Connection;\n"),
            ("src/engine.rs", "use reqwest as web;\n"),
            ("src/channels/matrix.rs", "use matrix_sdk::Client;\n"),
        ],
        good: &[
            ("src/store/turns.rs", "use rusqlite::Connection;\n"),
            ("crates/matrix/src/bot.rs", "use matrix_sdk::Client;\n"),
            ("src/engine.rs", "// not reqwest::Client\nuse my_reqwest::X;\n"),
        ],
    },
    Rule {
        name: "the engine names no channel",
        applies: |path| is_shipped(path) && is_at(module(path), "engine"),
        check: channel_words,
        bad: &[
            ("src/engine/render.rs", "if channel == \"telegram\" {}\n"),
            ("src/engine.rs", "match kind { ChannelKind::Terminal => 1 }\n"),
        ],
        good: &[(
            "src/engine/render.rs",
            "// telegram is none of our business\nfn f() {}\n",
        )],
    },
    Rule {
        name: "few ask the model",
        applies: is_shipped,
        check: model_calls,
        bad: &[(
            "src/engine/fastpath.rs",
            "let answer = self.llm.complete(Workload::Plan, &prompt).await;\n",
        )],
        good: &[(
            "src/engine/proposer/metis.rs",
            "let answer = self.llm.complete(Workload::Plan, &prompt).await;\n",
        )],
    },
    Rule {
        name: "the environment is read once",
        applies: is_shipped,
        check: environment,
        bad: &[
            ("src/app.rs", "let home = std::env::var_os(\"HOME\");\n"),
            ("src/cli.rs", "for x in env::vars() {}\n"),
        ],
        good: &[
            ("src/config/env.rs", "std::env::var(\"METNOS_LANG\")\n"),
            ("src/app.rs", "env!(\"CARGO_PKG_VERSION\")\n"),
        ],
    },
];

fn homes(file: &Subject) -> Vec<String> {
    let here = module(file.path);
    let strangers = HOMES
        .iter()
        .filter(|(_, homes)| !homes.iter().any(|home| is_at(here, home)));
    let mut found = Vec::new();
    for (library, homes) in strangers {
        for line in lines_with(file, |code| names_crate(code, library)) {
            found.push(format!("line {line}: only {homes:?} may name `{library}`"));
        }
    }
    found
}

fn channel_words(file: &Subject) -> Vec<String> {
    let source = file.source();
    let mut found = Vec::new();
    for (line, text) in source.outside_tests(&source.uncommented) {
        for word in CHANNEL_WORDS.iter().filter(|word| text.contains(**word)) {
            found.push(format!("line {line}: `{word}` is for channels to know"));
        }
    }
    found
}

fn model_calls(file: &Subject) -> Vec<String> {
    if MODEL_CALLERS.iter().any(|caller| is_at(module(file.path), caller)) {
        return Vec::new();
    }
    lines_with(file, |code| code.contains(".complete("))
        .into_iter()
        .map(|line| format!("line {line}: only {MODEL_CALLERS:?} may ask a model"))
        .collect()
}

fn environment(file: &Subject) -> Vec<String> {
    if is_at(module(file.path), "config/env") {
        return Vec::new();
    }
    lines_with(file, |code| code.contains("env::var"))
        .into_iter()
        .map(|line| format!("line {line}: only `config::env` reads the environment"))
        .collect()
}

fn lines_with(file: &Subject, matches: impl Fn(&str) -> bool) -> Vec<usize> {
    let source = file.source();
    source
        .outside_tests(&source.code)
        .filter(|(_, code)| matches(code))
        .map(|(line, _)| line)
        .collect()
}

/// Whether `library` stands in the code as the first name of a path, or in a `use` line.
fn names_crate(code: &str, library: &str) -> bool {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    code.match_indices(library).any(|(at, _)| {
        let before = &code[..at];
        let after = &code[at + library.len()..];
        let is_first = !before.ends_with(is_word) && (!before.ends_with("::") || before.ends_with(" ::"));
        let is_path = after.starts_with("::") || before.trim_end().ends_with("use") && !after.starts_with(is_word);
        is_first && is_path
    })
}
