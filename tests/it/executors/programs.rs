//! Programs beside their manifest: what they are given, what they cannot reach, and every way they can misbehave.

use std::{
    fs,
    time::{Duration, Instant},
};

use metnos::{
    config::SandboxConfig,
    domain::{failure::ErrorClass, limits, manifest::Manifest},
    executors::{process::Runner, sandbox},
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{Bench, class, put_script};
use crate::support::{manifests, site::Site};

/// A program that may read and write what `path` names.
fn manifest(capabilities: &str, timeout_s: u64) -> Manifest {
    of_kind("file", capabilities, timeout_s)
}

fn of_kind(kind: &str, capabilities: &str, timeout_s: u64) -> Manifest {
    manifests::parse(&format!(
        "name = \"get_files\"\nkind = \"program\"\neffect = \"read\"\ntimeout_s = {timeout_s}\n\
         capabilities = [{capabilities}]\n[code]\nfiles = [\"run.sh\"]\n\
         [[args]]\nname = \"path\"\nkind = \"{kind}\"\n"
    ))
}

const READ: &str = "\"fs:read\"";

#[test]
fn this_machine_has_a_sandbox() {
    let status = sandbox::probe();
    assert!(status.is_complete(), "{status:?}");
}

#[tokio::test]
async fn a_program_gets_its_arguments_and_nothing_else() {
    let bench = Bench::new();
    bench.put("a.txt", "hello");
    let script = r#"
        read -r input
        variables=$(/usr/bin/env | grep -cvE '^(PWD|SHLVL|_)=')
        printf '{"ok":true,"env":"%s","entries":[%s]}' "$variables" "$input"
    "#;
    let result = bench
        .run_script(
            script,
            &manifest(READ, 10),
            json!({"path": "~/a.txt", "_actor": "evil"}),
        )
        .await;
    assert!(result.is_ok(), "{result:?}");
    let seen = &result.body["entries"][0];
    assert_eq!(seen["path"], "~/a.txt");
    assert_eq!(seen["_actor"], "host", "who asks is ours to say");
    assert_eq!(result.body["env"], "0");
    assert!(result.body.get("ok").is_none());
}

#[tokio::test]
async fn a_program_reads_only_what_is_named() {
    let bench = Bench::new();
    let named = bench.put("a.txt", "hello");
    let secret = bench.put("secret.txt", "s3cret");
    let script = format!(
        "printf '{{\"ok\":true,\"named\":\"%s\",\"secret\":\"%s\",\"passwd\":\"%s\"}}' \
         \"$(cat '{}')\" \"$(cat '{}')\" \"$(cat /etc/passwd)\"",
        named.display(),
        secret.display()
    );
    let result = bench
        .run_script(&script, &manifest(READ, 10), json!({"path": "~/a.txt"}))
        .await;
    assert_eq!(result.body["named"], "hello", "{result:?}");
    assert_eq!(result.body["secret"], "");
    assert_eq!(result.body["passwd"], "");
}

#[tokio::test]
async fn what_is_of_an_unknown_kind_opens_nothing() {
    let bench = Bench::new();
    let named = bench.put("a.txt", "hello");
    let script = format!(
        "echo y >> '{0}'; printf '{{\"ok\":true,\"named\":\"%s\"}}' \"$(cat '{0}')\"",
        named.display()
    );
    let both = "\"fs:read\", \"fs:write\"";
    for kind in ["album", "thing", "words", "text", "choice"] {
        let result = bench
            .run_script(&script, &of_kind(kind, both, 10), json!({"path": "~/a.txt"}))
            .await;
        assert_eq!(result.body["named"], "", "{kind}: {result:?}");
    }
    assert_eq!(fs::read_to_string(named).unwrap(), "hello");
}

#[tokio::test]
async fn a_program_writes_only_where_it_may() {
    let bench = Bench::new();
    bench.put("box/a.txt", "x");
    bench.put("other/b.txt", "x");
    let attempts = |folder: &str| {
        format!(
            "echo y > '{folder}/box/new.txt'; echo y > '{folder}/other/new.txt'; rm -f '{folder}/other/b.txt'; \
             echo y > /tmp/metnos-sandbox-test; printf '{{\"ok\":true}}'"
        )
    };
    let script = attempts(&bench.home().display().to_string());
    let args = json!({"path": "~/box/a.txt"});
    assert!(
        bench
            .run_script(&script, &manifest(READ, 10), args.clone())
            .await
            .is_ok()
    );
    assert!(!bench.path("box/new.txt").exists());
    let both = "\"fs:read\", \"fs:write\"";
    assert!(bench.run_script(&script, &manifest(both, 10), args).await.is_ok());
    assert!(bench.path("box/new.txt").exists());
    assert!(!bench.path("other/new.txt").exists() && bench.path("other/b.txt").exists());
    assert!(!fs::exists("/tmp/metnos-sandbox-test").unwrap());
}

#[tokio::test]
async fn a_program_has_no_socket_whatever_its_manifest_says() {
    let site = Site::start().await;
    let bench = Bench::new();
    let script = format!(
        "if (exec 3<>/dev/tcp/127.0.0.1/{}) 2>/dev/null; then r=open; else r=closed; fi; \
         printf '{{\"ok\":true,\"socket\":\"%s\"}}' $r",
        site.port()
    );
    for capabilities in [READ, "\"network:http\""] {
        let closed = bench.run_script(&script, &manifest(capabilities, 10), json!({})).await;
        assert_eq!(closed.body["socket"], "closed", "{capabilities}: {closed:?}");
    }
}

/// Writes these requests to the line it was handed, and prints the last answer.
fn asking(requests: &[&str]) -> String {
    let asks = requests
        .iter()
        .map(|request| format!("printf '%s\\n' '{request}' >&\"$line\"; read -r answer <&\"$line\"\n"));
    format!(
        "read -r input\nline=$(printf '%s' \"$input\" | sed 's/.*\"_fetch\":\\([0-9]*\\).*/\\1/')\n{}\
         printf '{{\"ok\":true,\"entries\":[%s]}}' \"$answer\"\n",
        asks.collect::<String>()
    )
}

/// A program that may ask these hosts.
fn reaching(hosts: &[String]) -> Manifest {
    Manifest {
        hosts: hosts.to_vec(),
        ..manifest("\"network:http\"", 10)
    }
}

#[tokio::test]
async fn a_program_reaches_the_hosts_of_its_manifest_and_no_other() {
    let site = Site::start().await;
    let bench = Bench::new();
    let here = format!("127.0.0.1:{}", site.port());
    let ask = |url: &str| asking(&[&json!({"url": url}).to_string()]);
    let named = reaching(std::slice::from_ref(&here));
    let answer = bench.run_script(&ask(&site.url("/uuid")), &named, json!({})).await;
    let answer = &answer.body["entries"][0];
    assert!(
        answer["ok"] == true && answer["body"].as_str().unwrap().contains("uuid"),
        "{answer}"
    );
    let elsewhere = Site::start().await;
    let led_away = site.url(&format!("/redirect?to={}", elsewhere.url("/uuid")));
    for (case, hosts, url) in [
        ("no host is named", vec![], site.url("/uuid")),
        ("another port", vec![here.clone()], elsewhere.url("/uuid")),
        ("a redirect to another port", vec![here.clone()], led_away),
        (
            "another name for it",
            vec![here.clone()],
            site.url("/uuid").replace("127.0.0.1", "localhost"),
        ),
        (
            "a name that leads into the house",
            vec![format!("localhost:{}", site.port())],
            site.url("/uuid").replace("127.0.0.1", "localhost"),
        ),
        ("a file", vec![here.clone()], "file:///etc/passwd".to_owned()),
    ] {
        let refused = bench.run_script(&ask(&url), &reaching(&hosts), json!({})).await;
        let refused = &refused.body["entries"][0];
        assert!(
            refused["ok"] == false && refused["error"].is_string(),
            "{case}: {refused}"
        );
    }
}

#[tokio::test]
async fn a_program_that_asks_nonsense_is_told_so_and_may_go_on() {
    let site = Site::start().await;
    let bench = Bench::new();
    let named = reaching(&[format!("127.0.0.1:{}", site.port())]);
    let whole = json!({"url": site.url("/uuid")}).to_string();
    let said = bench.run_script(&asking(&["what?"]), &named, json!({})).await;
    assert_eq!(said.body["entries"][0]["ok"], false, "{said:?}");
    let said = bench.run_script(&asking(&["what?", &whole]), &named, json!({})).await;
    assert_eq!(said.body["entries"][0]["status"], 200, "{said:?}");
    // Nothing is answered for ever: a server that hangs ends with the program's time.
    let slow = Manifest { timeout_s: 1, ..named };
    let hangs = json!({"url": site.url("/slow")}).to_string();
    let ended = bench.run_script(&asking(&[&hangs]), &slow, json!({})).await;
    assert_eq!(class(&ended), ErrorClass::Timeout);
}

#[tokio::test]
async fn a_program_cannot_signal_anybody_else() {
    let bench = Bench::new();
    let mut victim = std::process::Command::new("sleep").arg("30").spawn().unwrap();
    let script = format!(
        "kill -9 {} && r=hit || r=missed; printf '{{\"ok\":true,\"kill\":\"%s\"}}' $r",
        victim.id()
    );
    let result = bench.run_script(&script, &manifest(READ, 10), json!({})).await;
    let alive = victim.try_wait().unwrap().is_none();
    victim.kill().unwrap();
    victim.wait().unwrap();
    // Landlock can hold back signals from version 6 on.
    if sandbox::probe().landlock_abi >= 6 {
        assert_eq!(result.body["kill"], "missed", "{result:?}");
        assert!(alive);
    }
}

#[tokio::test]
async fn every_way_to_misbehave_has_its_class() {
    let bench = Bench::new();
    let too_much = format!("head -c {} /dev/zero", limits::EXECUTOR_OUTPUT_BYTES_MAX + 10);
    for (script, expected) in [
        ("echo hello", ErrorClass::NonJson),
        ("true", ErrorClass::NonJson),
        ("echo '[1]'", ErrorClass::NonJson),
        ("echo '{\"entries\":[]}'", ErrorClass::NonJson),
        ("echo '{\"ok\":true}{\"ok\":true}'", ErrorClass::NonJson),
        ("echo oops >&2; exit 3", ErrorClass::Crashed),
        ("kill -SEGV $$", ErrorClass::Crashed),
        ("echo '{\"ok\":true}'; exit 1", ErrorClass::Crashed),
        (
            "echo '{\"ok\":false,\"error\":\"x\",\"error_class\":\"not_found\"}'",
            ErrorClass::NotFound,
        ),
        (
            "echo '{\"ok\":false,\"error_class\":\"made_up\"}'",
            ErrorClass::Internal,
        ),
        (too_much.as_str(), ErrorClass::TooLarge),
    ] {
        let result = bench.run_script(script, &manifest(READ, 10), json!({})).await;
        assert_eq!(class(&result), expected, "{script}: {result:?}");
    }
    let crashed = bench
        .run_script("echo oops >&2; exit 3", &manifest(READ, 10), json!({}))
        .await;
    assert!(crashed.error.unwrap().detail.unwrap().contains("oops"));
    let chatty = bench
        .run_script(
            "head -c 300000 /dev/zero >&2; echo '{\"ok\":true}'",
            &manifest(READ, 10),
            json!({}),
        )
        .await;
    assert!(chatty.is_ok(), "{chatty:?}");
}

#[tokio::test]
async fn a_program_that_hangs_is_ended_with_all_it_started() {
    let bench = Bench::new();
    bench.put("box/a.txt", "x");
    let script = format!(
        "echo $$ > '{0}/pid'; sleep 60 & echo $! > '{0}/child'; wait",
        bench.path("box").display()
    );
    let started = Instant::now();
    let result = bench
        .run_script(
            &script,
            &manifest("\"fs:read\", \"fs:write\"", 1),
            json!({"path": "~/box/a.txt"}),
        )
        .await;
    assert_eq!(class(&result), ErrorClass::Timeout);
    assert!(started.elapsed() < Duration::from_secs(10));
    for name in ["box/pid", "box/child"] {
        assert_ended(bench.text(name).trim()).await;
    }
}

#[tokio::test]
async fn a_stopped_turn_ends_its_program() {
    let bench = Bench::new();
    bench.put("box/a.txt", "x");
    let script = format!(
        "echo $$ > '{0}/pid'; sleep 60 & echo $! > '{0}/child'; wait",
        bench.path("box").display()
    );
    let manifest = manifest("\"fs:read\", \"fs:write\"", 60);
    let run = bench.run_script(&script, &manifest, json!({"path": "~/box/a.txt"}));
    let child_is_there = async {
        while fs::read_to_string(bench.path("box/child"))
            .unwrap_or_default()
            .trim()
            .is_empty()
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        result = run => panic!("should still run: {result:?}"),
        () = child_is_there => {}
    }
    for name in ["box/pid", "box/child"] {
        assert_ended(bench.text(name).trim()).await;
    }
}

#[test]
fn a_worker_whose_parent_is_gone_does_nothing() {
    use std::{io::Write, process::Stdio};
    let mut worker = std::process::Command::new(env!("CARGO_BIN_EXE_metnos"))
        .args(["executor", "get_now"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let grants = json!({"read": [], "write": [], "system": false, "ocr": false, "code_dir": null, "cpu_s": 5,
        "is_lasting": false});
    let envelope = json!({
        "parent": 1, "grants": grants, "is_required": true, "call_bytes": 2, "is_answered": false
    });
    let mut stdin = worker.stdin.take().unwrap();
    stdin.write_all(format!("{envelope}\n{{}}").as_bytes()).unwrap();
    drop(stdin);
    let output = worker.wait_with_output().unwrap();
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("parent is gone"));
}

/// Waits a little for a process to be gone, or dead and not yet reaped.
async fn assert_ended(pid: &str) {
    for _ in 0..100 {
        match fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) if !stat.contains(") Z ") => tokio::time::sleep(Duration::from_millis(20)).await,
            Ok(_) | Err(_) => return,
        }
    }
    panic!("process {pid} is still there");
}

#[tokio::test]
async fn a_binary_that_cannot_start_is_our_fault() {
    let bench = Bench::new();
    bench.put("a.txt", "x");
    let runner = Runner::new("/nonexistent/metnos".into(), SandboxConfig::Required);
    let call = bench.call(&json!({"paths": ["~/a.txt"]}));
    let result = runner
        .run(&manifests::shipped("read_files"), call, None, &CancellationToken::new())
        .await;
    assert_eq!(class(&result), ErrorClass::Internal);

    let call = bench.call(&json!({}));
    let no_code = bench
        .runner
        .run(&manifest(READ, 5), call, None, &CancellationToken::new())
        .await;
    assert_eq!(class(&no_code), ErrorClass::CapabilityMissing);
    let folder = tempfile::tempdir().unwrap();
    put_script(&folder.path().join("other.sh"), "true");
    let call = bench.call(&json!({}));
    let gone = bench
        .runner
        .run(&manifest(READ, 5), call, Some(folder.path()), &CancellationToken::new())
        .await;
    assert_eq!(class(&gone), ErrorClass::Crashed);
}
