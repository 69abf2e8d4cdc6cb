//! One manifest at a time: every rule it can break, and the grammar of names.

use metnos::{
    catalog::{install::SHIPPED, lint::NameError, parse::parse},
    domain::{kind::Class, vocabulary::Verb},
};

use super::{FIND_FILES, program};

fn refused(from: &str, to: &str) -> String {
    let text = FIND_FILES.replace(from, to);
    assert_ne!(text, FIND_FILES, "`{from}` is not in the manifest");
    parse(text.as_bytes()).unwrap_err().to_string()
}

/// What to replace in a good manifest, by what, and what the refusal says.
const BROKEN: &[(&str, &str, &str)] = &[
    ("feed = \"none\"", "feeed = \"none\"", "unknown field `feeed`"),
    (
        "kind = \"folder\"",
        "semantic = \"place\"",
        "unknown variant `place`, expected one of `file`",
    ),
    (
        "kind = \"folder\"",
        "kind = \"folder\"\nsemantic = \"directory\"",
        "`base_path` says `semantic` beside its `kind`",
    ),
    ("\"fs:read\"", "\"fs:all\"", "unknown variant `fs:all`"),
    ("\"1.0\"", "\"2.0\"", "manifest_format `2.0`"),
    ("\"1.0.0\"", "\"1.0\"", "version `1.0`"),
    ("\"find_files\"", "\"seek_files\"", "`seek` is not a verb"),
    ("\"find_files\"", "\"find_stuff\"", "`stuff` is not an object"),
    ("\"find_files\"", "\"find_files_fast\"", "`fast` is not a qualifier"),
    ("\"find_files\"", "\"findfiles\"", "in lower case"),
    ("\"Trova file per nome.\"", "\" \"", "purpose has no text in `it`"),
    ("[description.it]", "[description.de]", "de"),
    (
        "it = \"Dove cercare.\"",
        "it = \"\"",
        "argument `base_path` has no text in `it`",
    ),
    ("[\"find files\", \"trova file\"]", "[]", "affinity is empty"),
    ("{ type = \"string\" }", "{ type = \"word\" }", "not JSON Schema"),
    ("{ type = \"string\" }", "{}", "says nothing"),
    ("name = \"base_path\"", "name = \"from_step\"", "not a name"),
    ("name = \"base_path\"", "name = \"Base-Path\"", "not a name"),
    (
        "name = \"base_path\"",
        "name = \"base_path\"\nrequired = true\nruntime_resolved = true",
        "the runtime fills it",
    ),
    (
        "name = \"base_path\"",
        "name = \"base_path\"\nfrom_entries_key = \"path\"",
        "needs a feed",
    ),
    (
        "feed = \"none\"",
        "requires_one_of = [[\"paths\"]]",
        "`paths`, which is no argument",
    ),
    ("[\"fs:read\"]", "[]", "capabilities must name"),
    ("[\"fs:read\"]", "[\"fs:read\", \"fs:read\"]", "capabilities must name"),
    (
        "[\"fs:read\"]",
        "[\"compute:pure\", \"fs:read\"]",
        "`compute:pure` cannot stand",
    ),
    (
        "[\"fs:read\"]",
        "[\"fs:read\", \"fs:write\"]",
        "does not agree with FsWrite",
    ),
    ("effect = \"read\"", "effect = \"reversible\"", "needs a capability"),
    ("feed = \"none\"", "timeout_s = 0", "timeout_s"),
    (
        "entries = [{ source = \"path\", format = \"path\" }]",
        "",
        "one of `entries`",
    ),
    (
        "format = \"path\" }]",
        "format = \"path\" }]\ntext = \"x\"",
        "one of `entries`",
    ),
    ("\"builtin\"", "\"program\"", "needs `[code]`"),
];

#[test]
fn a_manifest_that_breaks_a_rule_says_which() {
    for &(from, to, wanted) in BROKEN {
        let error = refused(from, to);
        assert!(error.contains(wanted), "{to}: {error}");
    }
}

#[test]
fn verb_effect_and_risk_must_agree() {
    let writer = |verb: &str, effect: &str, risk: &str| {
        FIND_FILES
            .replace("\"find_files\"", &format!("\"{verb}_files\""))
            .replace("[\"fs:read\"]", "[\"fs:write\"]")
            .replace("effect = \"read\"", &format!("effect = \"{effect}\""))
            .replace("risk = \"low\"", &format!("risk = \"{risk}\""))
    };
    let outcome = |text: String| parse(text.as_bytes()).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(outcome(writer("write", "reversible", "low")), Ok(()));
    assert_eq!(outcome(writer("delete", "reversible", "medium")), Ok(()));
    assert!(
        outcome(writer("delete", "reversible", "low"))
            .unwrap_err()
            .contains("medium risk")
    );
    assert!(
        outcome(writer("find", "reversible", "low"))
            .unwrap_err()
            .contains("verb `find`")
    );
    let nested = program(&"0".repeat(64)).replace("lib.py", "../lib.py");
    assert!(outcome(nested).unwrap_err().contains("beside the manifest"));
    assert!(outcome(program("abc")).unwrap_err().contains("64 hex digits"));
}

#[test]
fn a_name_is_split_by_the_grammar() {
    let split = |name| metnos::catalog::lint::parse_name(name);
    let parts = split("filter_texts_lines").unwrap();
    assert_eq!(parts.verb, Some(Verb::Filter));
    assert_eq!(parts.qualifier.unwrap().as_str(), "lines");
    assert_eq!(
        split("get_now").unwrap().verb,
        None,
        "a ratified name stands outside the grammar"
    );
    assert!(split("find_files_google_workspace").is_ok());
    assert_eq!(
        split("find_files_pdf_old-bills_github").unwrap().descriptor.as_deref(),
        Some("old-bills")
    );
    let mismatch = |a: &str, b: &str| Err(NameError::Mismatch(a.to_owned(), b.to_owned()));
    assert_eq!(split("delete_lists"), mismatch("delete", "lists"));
    assert_eq!(split("get_entries"), mismatch("get", "entries"));
    assert_eq!(split("filter_dirs_lines"), mismatch("lines", "dirs"));
    assert_eq!(
        split("find_files_pdf_csv"),
        Err(NameError::Descriptor("csv".to_owned()))
    );
    for broken in [
        "",
        "find",
        "Find_Files",
        "find__files",
        "find_files_",
        "_find_files",
        "find_files\u{200b}",
    ] {
        assert!(split(broken).is_err(), "{broken:?}");
    }
}

/// Manifests of composites that an older version made lie in homes.
#[test]
fn what_an_older_version_wrote_is_of_the_same_class() {
    for (older, kind) in [
        ("path", "file"),
        ("directory", "folder"),
        ("destination", "target"),
        ("url", "address"),
        ("query", "words"),
        ("content", "text"),
        ("option", "choice"),
        ("count", "number"),
        ("field", "column"),
        ("near", "whereabouts"),
    ] {
        let class = |line: String| {
            let text = FIND_FILES.replace("kind = \"folder\"", &line);
            parse(text.as_bytes()).unwrap().manifest.args.first().unwrap().class()
        };
        assert_eq!(
            class(format!("semantic = \"{older}\"")),
            class(format!("kind = \"{kind}\""))
        );
    }
}

#[test]
fn whatever_is_shipped_says_its_kinds_and_they_are_on_the_list() {
    for (name, text) in SHIPPED {
        let manifest = parse(text.as_bytes()).unwrap().manifest;
        for arg in &manifest.args {
            assert!(arg.kind.is_some(), "{name} {}", arg.name);
            assert_ne!(arg.class(), Class::Unknown, "{name} {}", arg.name);
        }
        for slot in manifest.frames.iter().flat_map(|frame| &frame.slots) {
            let class = Class::of(&slot.kind, Some(slot.role));
            assert_ne!(class, Class::Unknown, "{name} {}", slot.kind);
        }
    }
}
