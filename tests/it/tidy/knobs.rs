//! Rules about settings: few, and each with a comment a person can read.

use super::{Rule, Subject};

/// Settings of a household. A knob needs a user.
const SETTINGS_MAX: usize = 91;
/// Environment variables.
const VARIABLES_MAX: usize = 10;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "few settings, each explained",
        applies: |path| path == "config.example.toml",
        check: settings,
        bad: &[
            ("config.example.toml", "[llm]\nurl = \"\"\n"),
            ("config.example.toml", "# Where.\nurl = \"\"\nmodel = \"\"\n"),
        ],
        good: &[(
            "config.example.toml",
            "# All.\n\n[llm]\n# Where.\n# command = [\"x\"]\nurl = \"\"\n",
        )],
    },
    Rule {
        name: "few environment variables",
        applies: |path| path == "src/config/env.rs",
        check: variables,
        bad: &[(
            "src/config/env.rs",
            "variable(\"A\") variable(\"B\") variable(\"C\") variable(\"D\") variable(\"E\") variable(\"F\")\n\
             variable(\"G\") variable(\"H\") variable(\"I\") variable(\"J\") variable(\"K\")\n",
        )],
        good: &[("src/config/env.rs", "variable(\"A\")\nfn variable(name: &str) {}\n")],
    },
];

fn settings(file: &Subject) -> Vec<String> {
    let mut found = Vec::new();
    let mut count = 0;
    let mut above = "";
    for (line, text) in (1..).zip(file.text.lines()) {
        if !text.starts_with(['#', '[', ' ']) && text.contains(" = ") {
            count += 1;
            if !above.starts_with('#') {
                found.push(format!("line {line}: say above what it does: {text}"));
            }
        }
        above = text;
    }
    if count > SETTINGS_MAX {
        found.push(format!("{count} settings, at most {SETTINGS_MAX}: who needs them all?"));
    }
    found
}

fn variables(file: &Subject) -> Vec<String> {
    let count = file.text.matches("variable(\"").count();
    if count > VARIABLES_MAX {
        vec![format!(
            "{count} variables, at most {VARIABLES_MAX}: make them settings"
        )]
    } else {
        Vec::new()
    }
}
