//! Kinds of a household's own: guarded as a path and as an address, whatever the argument is called. Words pass.

use metnos::{
    catalog::parse::parse,
    domain::{
        actor::{Autonomy, Role},
        manifest::Manifest,
        verdict::Decision,
    },
};
use serde_json::json;

use super::{Step, actor, tool};

const EVERY_REACH: &str = "[\"fs:read\", \"fs:write\", \"network:http\"]";

/// Targets that nobody may name, whatever the argument is for.
const CLOSED: [&str; 14] = [
    "/etc/shadow",
    "~/.ssh/id_rsa",
    "http://169.254.169.254/",
    "file:///etc/shadow",
    "../..",
    "a/../../b",
    "169.254.169.254",
    "169.254.169.254/latest/meta-data",
    "metadata.google.internal",
    "2852039166",
    "ftp://example.com/a",
    "http://anna:secret@example.com/",
    "%2e%2e/%2e%2e/etc/shadow",
    "~/.local/share/metnos/keys/author_priv.bin",
];

/// Words such as people say them.
const HARMLESS: [&str; 12] = [
    "Running",
    "Coldplay",
    "la cena",
    "AC/DC",
    "What's new?",
    "P.O.D.",
    "Re:Zero",
    "Mötley Crüe",
    "50% off",
    "Oh well... whatever",
    "https://example.com/album",
    "rock & roll",
];

/// With an argument of a kind that policy does not know.
fn player(effect: &str, capabilities: &str) -> Manifest {
    let name = if effect == "read" {
        "get_images"
    } else {
        "change_images"
    };
    let risk = if effect == "read" { "low" } else { "medium" };
    tool(name, effect, risk, capabilities, &["album:album"])
}

fn guest(step: &mut Step<'_>) {
    step.actor = actor("guest_ab12cd", Role::Guest, Autonomy::A4);
}

#[test]
fn an_unknown_kind_is_refused_what_a_path_or_an_address_is_refused() {
    for (effect, capabilities) in [
        ("read", "[\"fs:read\"]"),
        ("read", "[\"network:http\"]"),
        ("reversible", EVERY_REACH),
    ] {
        let player = player(effect, capabilities);
        for target in CLOSED {
            for value in [json!(target), json!([target]), json!({"more": [{"of": target}]})] {
                let blocked = Step::of(&player, json!({"album": value})).blocked();
                assert!(
                    blocked.starts_with("policy-guard-"),
                    "{capabilities} {value}: {blocked:?}"
                );
            }
        }
    }
}

#[test]
fn words_of_an_unknown_kind_pass() {
    for (effect, capabilities) in [
        ("read", "[\"fs:read\"]"),
        ("read", "[\"network:http\"]"),
        ("reversible", EVERY_REACH),
    ] {
        let player = player(effect, capabilities);
        for words in HARMLESS {
            let verdict = Step::of(&player, json!({"album": words})).check();
            assert_eq!(verdict.decision, Decision::Allow, "{capabilities} {words}: {verdict:?}");
        }
    }
}

#[test]
fn an_argument_without_a_kind_is_of_an_unknown_one_unless_its_values_name_nothing() {
    let with = |schema: &str| {
        let text = format!(
            "manifest_format = \"1.0\"\nname = \"get_images\"\nversion = \"1.0.0\"\nkind = \"builtin\"\n\
             affinity = [\"images\"]\neffect = \"read\"\nrisk = \"low\"\ncapabilities = [\"fs:read\"]\n\
             [description.en]\npurpose = \"p\"\npattern = \"p\"\nnot = \"n\"\nout = \"o\"\n\
             [description.it]\npurpose = \"p\"\npattern = \"p\"\nnot = \"n\"\nout = \"o\"\n\
             [[args]]\nname = \"album\"\nschema = {schema}\ndescription = {{ en = \"a\", it = \"a\" }}\n\
             [presentation]\ntext = \"content\"\n"
        );
        parse(text.as_bytes()).unwrap().manifest
    };
    let open = with("{ type = \"string\" }");
    assert_eq!(
        Step::of(&open, json!({"album": "../.."})).blocked(),
        "policy-guard-malformed"
    );
    let closed = with("{ type = \"string\", enum = [\"a\", \"b\"] }");
    assert_eq!(Step::of(&closed, json!({"album": "a"})).blocked(), "");
    assert!(!closed.args.first().unwrap().class().is_words());
}

#[test]
fn an_unknown_kind_opens_nothing_to_a_guest() {
    let reader = player("read", "[\"fs:read\"]");
    let mut step = Step::of(&reader, json!({"album": "Running"}));
    guest(&mut step);
    assert_eq!(step.blocked(), "policy-trust-files", "no path says where it looks");
    let both = tool(
        "get_images",
        "read",
        "low",
        "[\"fs:read\"]",
        &["base_path:folder", "album:album"],
    );
    let own = "/home/user/.local/share/metnos/guests/guest_ab12cd";
    for (album, wanted) in [
        ("Running", ""),
        ("la cena", ""),
        ("~/docs", "policy-trust-files"),
        ("docs/a.txt", "policy-trust-files"),
        ("/home/user/docs", "policy-trust-files"),
    ] {
        let mut step = Step::of(&both, json!({"base_path": own, "album": album}));
        guest(&mut step);
        assert_eq!(step.blocked(), wanted, "{album}");
    }
    let fetcher = player("read", "[\"network:http\"]");
    for (album, wanted) in [
        ("Running", ""),
        ("P.O.D.", ""),
        ("Blink-182", ""),
        ("http://192.168.1.1/", "policy-trust-network"),
        ("192.168.1.1", "policy-trust-network"),
        ("nas.local", "policy-trust-network"),
        ("localhost:8080", "policy-trust-network"),
        ("3232235777", "policy-trust-network"),
    ] {
        let mut step = Step::of(&fetcher, json!({"album": album}));
        guest(&mut step);
        assert_eq!(step.blocked(), wanted, "{album}");
    }
}

#[test]
fn a_hidden_name_of_an_unknown_kind_changes_settings() {
    let player = player("reversible", EVERY_REACH);
    for (album, asks) in [
        ("Running", false),
        (".bashrc", true),
        ("~/.config/autostart/x.desktop", true),
    ] {
        let mut step = Step::of(&player, json!({"album": album}));
        (step.actor.autonomy, step.request) = (Autonomy::A3, "change images");
        let key = step.check().reason.map(|reason| reason.key.to_string());
        let wanted = asks.then(|| "policy-ask-settings".to_owned());
        assert_eq!(key, wanted, "{album}");
    }
}
