//! What may happen: every cell of the autonomy matrix, guests, the judge.
//! All through `policy::check`, as the plan executor calls it.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod guard;
mod kinds;

use std::{
    fs,
    path::{Path, PathBuf},
};

use metnos::{
    catalog::parse::parse,
    domain::{
        actor::{Actor, Autonomy, Role},
        ids::ActorId,
        lang::Lang,
        manifest::Manifest,
        share::Shared,
        verdict::{DecidedBy, Decision, Risk, Verdict},
    },
    policy::{self, CheckRequest},
};
use serde_json::{Value, json};

/// A manifest with these arguments, each `name:kind`, with a `!` where the runtime fills it.
fn tool(name: &str, effect: &str, risk: &str, capabilities: &str, args: &[&str]) -> Manifest {
    let mut text = format!(
        "manifest_format = \"1.0\"\nname = \"{name}\"\nversion = \"1.0.0\"\nkind = \"builtin\"\n\
         affinity = [\"{}\"]\neffect = \"{effect}\"\nrisk = \"{risk}\"\ncapabilities = {capabilities}\n",
        name.replace('_', " ")
    );
    for lang in ["en", "it"] {
        text.push_str(&format!(
            "[description.{lang}]\npurpose = \"p\"\npattern = \"p\"\nnot = \"n\"\nout = \"o\"\n"
        ));
    }
    for (arg, kind) in args.iter().map(|arg| arg.split_once(':').unwrap()) {
        let (kind, runtime) = kind.strip_suffix('!').map_or((kind, false), |kind| (kind, true));
        text.push_str(&format!(
            "[[args]]\nname = \"{arg}\"\nkind = \"{kind}\"\nruntime_resolved = {runtime}\n\
             schema = {{ description = \"any\" }}\ndescription = {{ en = \"a\", it = \"a\" }}\n"
        ));
    }
    text += "[presentation]\ntext = \"content\"\n";
    parse(text.as_bytes()).unwrap().manifest
}

fn reader() -> Manifest {
    tool("read_files", "read", "low", "[\"fs:read\"]", &["path:file"])
}

fn finder() -> Manifest {
    tool(
        "find_files",
        "read",
        "low",
        "[\"fs:read\"]",
        &["base_path:folder", "pattern:glob", "contains:words"],
    )
}

fn writer() -> Manifest {
    tool(
        "write_files",
        "reversible",
        "low",
        "[\"fs:write\"]",
        &["path:target", "content:text", "new_name:choice", "trash:folder!"],
    )
}

fn fetcher() -> Manifest {
    tool("get_urls", "read", "low", "[\"network:http\"]", &["urls:address"])
}

fn runner() -> Manifest {
    tool(
        "act_processes",
        "irreversible",
        "high",
        "[\"code:exec\"]",
        &["command:text"],
    )
}

/// A step of somebody, at somebody's level.
struct Step<'a> {
    manifest: &'a Manifest,
    args: Value,
    home: &'a Path,
    data_dir: &'a Path,
    actor: Actor,
    request: &'a str,
    target_count: usize,
    risk_min: Risk,
    is_doubtful: bool,
    shared: Vec<Shared>,
}

impl<'a> Step<'a> {
    fn of(manifest: &'a Manifest, args: Value) -> Self {
        Self {
            manifest,
            args,
            home: Path::new("/home/user"),
            data_dir: Path::new("/home/user/.local/share/metnos"),
            actor: actor("host", Role::Host, Autonomy::A4),
            request: "",
            target_count: 1,
            risk_min: Risk::Low,
            is_doubtful: false,
            shared: Vec::new(),
        }
    }

    fn check(&self) -> Verdict {
        policy::check(&CheckRequest {
            manifest: self.manifest,
            args: self.args.as_object().unwrap(),
            target_count: self.target_count,
            risk_min: self.risk_min,
            is_doubtful: self.is_doubtful,
            actor: &self.actor,
            request: self.request,
            home: self.home,
            data_dir: self.data_dir,
            protected: &[
                PathBuf::from("/home/user/.config/metnos"),
                PathBuf::from("/home/user/keys/bot/token"),
            ],
            shared: &self.shared,
            judge_threshold: 0.30,
        })
    }

    /// The key of the sentence that blocks, or "" when the step may run or ask.
    fn blocked(&self) -> String {
        let verdict = self.check();
        match verdict.decision {
            Decision::Block => verdict.reason.unwrap().key.to_string(),
            Decision::Allow | Decision::Confirm | Decision::Preview => String::new(),
        }
    }
}

fn actor(id: &str, role: Role, autonomy: Autonomy) -> Actor {
    Actor {
        id: ActorId::from(id),
        role,
        name: "Anna".to_owned(),
        lang: Lang::EN,
        timezone: "Europe/Rome".to_owned(),
        autonomy,
    }
}

#[test]
fn the_autonomy_matrix_is_as_written() {
    use Decision::{Allow, Block, Confirm, Preview};
    let rows = [
        (Autonomy::A0, [Preview, Preview, Preview, Preview]),
        (Autonomy::A1, [Confirm, Confirm, Confirm, Block]),
        (Autonomy::A2, [Allow, Confirm, Confirm, Block]),
        (Autonomy::A3, [Allow, Allow, Confirm, Block]),
        (Autonomy::A4, [Allow, Allow, Allow, Confirm]),
    ];
    for (autonomy, row) in rows {
        for (risk, wanted) in ["low", "medium", "high", "critical"].into_iter().zip(row) {
            let write = tool("write_files", "reversible", risk, "[\"fs:write\"]", &["path:target"]);
            let mut step = Step::of(&write, json!({"path": "~/x"}));
            step.actor.autonomy = autonomy;
            let verdict = step.check();
            assert_eq!(verdict.decision, wanted, "{autonomy:?} {risk}");
            assert_eq!(verdict.decided_by, (wanted != Allow).then_some(DecidedBy::Gate));
            assert_eq!(verdict.reason.is_some(), wanted != Allow);
            let look = tool("read_files", "read", risk, "[\"fs:read\"]", &["path:file"]);
            let mut step = Step::of(&look, json!({"path": "~/x"}));
            step.actor.autonomy = autonomy;
            assert_eq!(step.check().decision, Allow, "a read asks at {autonomy:?} {risk}");
        }
    }
}

/// Whatever the level: what may not be meant is shown first, a look that carries something out as well.
#[test]
fn what_is_doubtful_is_asked_about_at_every_level() {
    let write = tool("write_files", "reversible", "low", "[\"fs:write\"]", &["path:target"]);
    let look = tool("read_files", "read", "low", "[\"fs:read\"]", &["path:file"]);
    for autonomy in [Autonomy::A1, Autonomy::A2, Autonomy::A3, Autonomy::A4] {
        for manifest in [&write, &look] {
            let mut step = Step::of(manifest, json!({"path": "~/x"}));
            (step.actor.autonomy, step.is_doubtful) = (autonomy, true);
            let verdict = step.check();
            assert_eq!(verdict.decision, Decision::Confirm, "{autonomy:?} {}", manifest.name);
        }
    }
    let mut step = Step::of(&write, json!({"path": "~/.ssh/id_rsa"}));
    step.is_doubtful = true;
    assert_eq!(step.check().decision, Decision::Block, "no yes opens what is closed");
}

#[test]
fn circumstances_raise_the_risk_and_turn_into_a_question() {
    let verdict = |effect: &str, risk: &str, count: usize, autonomy| {
        let write = tool("write_files", effect, risk, "[\"fs:write\"]", &["path:target"]);
        let mut step = Step::of(&write, json!({"path": "~/x"}));
        (step.target_count, step.actor.autonomy, step.request) = (count, autonomy, "write files");
        let verdict = step.check();
        let key = verdict.reason.map(|reason| reason.key.to_string()).unwrap_or_default();
        (verdict.decision, verdict.risk, key)
    };
    let ask = |risk, key: &str| (Decision::Confirm, risk, key.to_owned());
    let run = |risk| (Decision::Allow, risk, String::new());
    assert_eq!(verdict("reversible", "low", 20, Autonomy::A2), run(Risk::Low));
    assert_eq!(
        verdict("reversible", "low", 21, Autonomy::A2),
        ask(Risk::Medium, "policy-ask-bulk")
    );
    assert_eq!(
        verdict("reversible", "medium", 681, Autonomy::A3),
        ask(Risk::High, "policy-ask-bulk")
    );
    assert_eq!(
        verdict("irreversible", "medium", 1, Autonomy::A2),
        ask(Risk::High, "policy-ask-irreversible")
    );
    assert_eq!(
        verdict("outbound", "low", 1, Autonomy::A2),
        ask(Risk::Medium, "policy-ask-outbound")
    );
    assert_eq!(
        verdict("irreversible", "high", 21, Autonomy::A2),
        ask(Risk::Critical, "policy-ask-bulk")
    );
    assert_eq!(
        verdict("irreversible", "high", 21, Autonomy::A4),
        ask(Risk::Critical, "policy-ask-bulk")
    );
    assert_eq!(verdict("irreversible", "high", 1, Autonomy::A0).0, Decision::Preview);
}

#[test]
fn what_changes_how_the_machine_behaves_is_asked_about() {
    let (writer, move_files) = (
        writer(),
        tool(
            "move_files",
            "reversible",
            "low",
            "[\"fs:write\"]",
            &["paths:file", "dst_dir:target", "new_name:choice"],
        ),
    );
    let write = |path: &str| (&writer, json!({"path": path, "content": "x"}));
    let moved = |path: &str, to: &str, name: &str| {
        let args = json!({"paths": [path], "dst_dir": to, "new_name": name});
        (&move_files, args)
    };
    let cases = [
        (write("~/.bashrc"), true),
        (write("/home/user/docs/../.profile"), true),
        (write("~/.config/autostart/x.desktop"), true),
        (write("~/.config/systemd/user/x.service"), true),
        (write("~/.local/bin/ls"), true),
        (write("~/.gitconfig"), true),
        (moved("~/docs/x", "~", ".bashrc"), true),
        (moved("~/docs/.bashrc", "~", ""), true),
        (moved("~/.bashrc", "~/docs", ""), true),
        (moved("~/docs/x", "~/docs", ".hidden"), false),
        (moved("~/docs/x", "~", "y"), false),
        (write("~/docs/.draft"), false),
        (write("~/notes.txt"), false),
        (write("/tmp/.x"), false),
    ];
    for ((manifest, args), asks) in cases {
        let mut step = Step::of(manifest, args.clone());
        (step.actor.autonomy, step.request) = (Autonomy::A2, "write or move files");
        let verdict = step.check();
        let key = verdict.reason.map(|reason| reason.key.to_string());
        let wanted = asks.then(|| "policy-ask-settings".to_owned());
        assert_eq!((verdict.risk > Risk::Low, key), (asks, wanted), "{args}");
    }
    let reader = reader();
    assert_eq!(
        Step::of(&reader, json!({"path": "~/.bashrc"})).check().decision,
        Decision::Allow
    );
}

#[test]
fn a_guest_stays_in_their_own_folder() {
    let (reader, writer, fetcher, finder) = (reader(), writer(), fetcher(), finder());
    let system = tool("get_processes", "read", "low", "[\"system:read\"]", &[]);
    let (time, undo) = (
        tool("get_now", "read", "low", "[\"time:read\"]", &[]),
        tool("undo_last_turn", "reversible", "low", "[\"system:undo\"]", &[]),
    );
    let own = "/home/user/.local/share/metnos/guests/guest_ab12cd";
    let other = "/home/user/.local/share/metnos/guests/guest_ffffff";
    let cases = [
        (&reader, json!({"path": format!("{own}/a.txt")}), ""),
        (&writer, json!({"path": format!("{own}/new/a.txt"), "content": "x"}), ""),
        (&reader, json!({"path": format!("{other}/a.txt")}), "policy-guard-own"),
        (
            &reader,
            json!({"path": format!("{own}/../guest_ffffff/a.txt")}),
            "policy-guard-own",
        ),
        (&reader, json!({"path": "~/docs/a.txt"}), "policy-trust-files"),
        (
            &reader,
            json!({"path": [format!("{own}/a.txt"), "~/docs/a.txt"]}),
            "policy-trust-files",
        ),
        (&finder, json!({"pattern": "*.pdf"}), "policy-trust-files"),
        (&finder, json!({"base_path": own, "pattern": "**/*.pdf"}), ""),
        (
            &finder,
            json!({"base_path": own, "pattern": "../guest_ffffff/*"}),
            "policy-guard-own",
        ),
        (
            &writer,
            json!({"path": format!("{own}/a"), "new_name": "/home/user/a"}),
            "policy-trust-files",
        ),
        (&fetcher, json!({"urls": ["https://example.com/"]}), ""),
        (
            &fetcher,
            json!({"urls": ["https://example.com/", "http://192.168.1.1/"]}),
            "policy-trust-network",
        ),
        (
            &fetcher,
            json!({"urls": ["http://localhost:8080/"]}),
            "policy-trust-network",
        ),
        (&fetcher, json!({"urls": ["http://router/"]}), "policy-trust-network"),
        (&fetcher, json!({"urls": ["http://nas.local/"]}), "policy-trust-network"),
        (&fetcher, json!({"urls": ["http://[::1]/"]}), "policy-trust-network"),
        (&fetcher, json!({"urls": ["http://127.1/"]}), "policy-trust-network"),
        (&system, json!({}), "policy-trust-system"),
        (&time, json!({}), ""),
        (&undo, json!({}), ""),
    ];
    for (manifest, args, key) in cases {
        let mut step = Step::of(manifest, args.clone());
        step.actor = actor("guest_ab12cd", Role::Guest, Autonomy::A2);
        assert_eq!(step.blocked(), key, "{} {args}", manifest.name);
    }
    let runner = runner();
    let mut step = Step::of(&runner, json!({"command": "ls"}));
    step.actor = actor("guest_ab12cd", Role::Guest, Autonomy::A4);
    assert_eq!(step.blocked(), "policy-trust-code");
}

#[test]
fn the_judge_refuses_what_nobody_asked_for() {
    let send = tool(
        "send_messages",
        "outbound",
        "medium",
        "[\"network:http\"]",
        &["to:words"],
    );
    let judged = |request, args: Value| {
        let mut step = Step::of(&send, args);
        step.request = request;
        let verdict = step.check();
        (verdict.decision, verdict.decided_by, (verdict.score * 100.0).round())
    };
    let fine = judged("send the report to anna", json!({"to": "anna"}));
    assert_eq!(fine, (Decision::Allow, None, 80.0));
    let odd = judged("what is the weather", json!({"to": "x/../y", "$extra": "1"}));
    assert_eq!(odd, (Decision::Block, Some(DecidedBy::Judge), 10.0));
    let reader = reader();
    assert!(
        (Step::of(&reader, json!({"path": "~/a/../b", "odd key": 1}))
            .check()
            .score
            - 1.0)
            .abs()
            < f64::EPSILON
    );
}

#[test]
fn the_first_link_to_refuse_is_named_and_a_log_sees_only_names() {
    let reader = reader();
    let mut step = Step::of(&reader, json!({"path": "~/.ssh/id_rsa"}));
    step.actor = actor("guest_ab12cd", Role::Guest, Autonomy::A0);
    let verdict = step.check();
    assert_eq!(verdict.decided_by, Some(DecidedBy::Guard));
    let request = CheckRequest {
        manifest: &reader,
        args: step.args.as_object().unwrap(),
        target_count: 1,
        risk_min: Risk::Low,
        is_doubtful: false,
        actor: &step.actor,
        request: "",
        home: step.home,
        data_dir: step.data_dir,
        protected: &[],
        shared: &[],
        judge_threshold: 0.30,
    };
    assert_eq!(request.arg_keys(), ["path"]);
}

#[test]
fn every_sentence_exists_in_every_language_with_the_same_values() {
    let text = |lang: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("locales/{lang}/policy.ftl"));
        fs::read_to_string(path).unwrap()
    };
    let keys = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with("policy-"));
        lines.map(|line| line.split(" =").next().unwrap().to_owned()).collect()
    };
    let (en, it) = (text("en"), text("it"));
    assert_eq!(keys(&en), keys(&it));
    let mut code = String::new();
    for file in [
        "policy.rs",
        "policy/guard.rs",
        "policy/trust.rs",
        "policy/gate.rs",
        "policy/judge.rs",
    ] {
        code.push_str(&fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file)).unwrap());
    }
    for key in keys(&en) {
        assert!(code.contains(&format!("\"{key}\"")), "{key} is never said");
    }
    for said in code.split("\"policy-").skip(1) {
        let key = format!("policy-{}", said.split('"').next().unwrap());
        assert!(keys(&en).contains(&key), "{key} has no sentence");
    }
}
