//! Tools of others with the reference servers of the protocol: `everything` and `filesystem` on Node, `time` on Python
//! (`scripts/testbed/mcp.sh`), in the real sandbox; and the protocol's own conformance runner for clients.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{fs, path::PathBuf, process::Stdio, time::Duration};

use serde_json::{Map, Value, json};

use super::{
    llama::{Script, ScriptedLlama},
    process::Home,
    turn_log::turn_log,
};

/// Where the servers are.
#[expect(
    clippy::disallowed_methods,
    reason = "the servers are installed outside and found through the environment"
)]
fn bed() -> PathBuf {
    let said = std::env::var("METNOS_LIVE_MCP")
        .unwrap_or_else(|_| panic!("METNOS_LIVE_MCP is not set: run `just test-live`, which installs the servers"));
    PathBuf::from(said)
}

/// A home with all three servers in its configuration, and a model that plans as it is told.
fn home(llama: &ScriptedLlama) -> Home {
    let home = Home::new();
    home.write("shared/list.txt", "milk\nbread\n");
    home.write("private.txt", "secret");
    let (bed, shared) = (bed(), home.path("shared"));
    let python = fs::read_to_string(bed.join("python-home")).unwrap();
    let server = |name: &str, command: &[String], more: &str| {
        format!(
            "[mcp.{name}]\ncommand = {command:?}\nreads = [{bed:?}, {:?}]\n{more}\n",
            python.trim()
        )
    };
    let node = |name: &str, rest: &[String]| {
        let script = bed
            .join("node_modules/@modelcontextprotocol")
            .join(name)
            .join("dist/index.js");
        let command = [bed.join("node").canonicalize().unwrap(), script];
        let command = command.map(|path| path.display().to_string());
        [&command[..], rest].concat()
    };
    let shared = shared.display().to_string();
    let python = bed.join("venv/bin/python").display().to_string();
    let time = [
        python,
        "-m".to_owned(),
        "mcp_server_time".to_owned(),
        "--local-timezone".to_owned(),
        "Europe/Rome".to_owned(),
    ];
    home.configure(&format!(
        "engine = \"metis\"\n[llm]\nurl = \"{}\"\n{}{}{}",
        llama.url(),
        server("every", &node("server-everything", &[]), ""),
        server(
            "files",
            &node("server-filesystem", std::slice::from_ref(&shared)),
            &format!("writes = [{shared:?}]")
        ),
        server("clock", &time, ""),
    ));
    home
}

/// What a request comes to for which the model has this plan.
async fn asks(home: &Home, llama: &ScriptedLlama, request: &str, tool: &str, args: Value) -> String {
    let plan = json!({"steps": [{"tool": tool, "args": args}], "show": true});
    llama.next(Script::Say(plan.to_string()));
    home.chat(&[request, "y"]).await
}

#[tokio::test]
async fn the_reference_servers_are_looked_at_admitted_and_asked() {
    let llama = ScriptedLlama::start().await;
    let home = home(&llama);
    let (good, said) = home.run(&["mcp", "list"], "").await;
    assert!(good, "{said}");
    for words in ["· echo", "· read_text_file", "· convert_time"] {
        assert!(said.contains(words), "{said}");
    }
    for (server, tool) in [
        ("every", "echo"),
        ("files", "read_text_file"),
        ("files", "write_file"),
        ("clock", "convert_time"),
    ] {
        let (good, said) = home.run(&["mcp", "trust", server, tool, "--yes"], "").await;
        assert!(good && said.contains("is admitted"), "{said}");
    }
    let names = home.run(&["catalog", "list"], "").await.1;
    let name_of = |part: &str| -> String {
        let mut words = names.split_whitespace().filter(|word| word.contains("_mcp_"));
        words
            .find(|word| word.contains(part))
            .unwrap_or_else(|| panic!("{part}: {names}"))
            .to_owned()
    };
    let echo = name_of("every-echo");
    let said = asks(
        &home,
        &llama,
        "let it echo “good morning”",
        &echo,
        json!({"message": "good morning"}),
    )
    .await;
    assert!(said.contains("good morning"), "{said}");
    let clock = name_of("clock-convert");
    let args = json!({"source_timezone": "Europe/Rome", "time": "15:30", "target_timezone": "Asia/Tokyo"});
    let said = asks(
        &home,
        &llama,
        "what is 15:30 in Europe/Rome at Asia/Tokyo",
        &clock,
        args,
    )
    .await;
    let log = turn_log(&home.data_dir());
    let right = said.contains("22:30") || said.contains("23:30");
    assert!(right, "{said}\n{:?}", log.last());
    let read = name_of("files-read-text");
    let list = home.path("shared/list.txt").display().to_string();
    let said = asks(
        &home,
        &llama,
        &format!("let the others read {list}"),
        &read,
        json!({"path": list}),
    )
    .await;
    assert!(said.contains("bread"), "{said}");
    let private = home.path("private.txt").display().to_string();
    let said = asks(
        &home,
        &llama,
        &format!("let the others read {private}"),
        &read,
        json!({"path": private}),
    )
    .await;
    assert!(!said.contains("secret"), "{said}");
}

/// What the official runner finds in a client of tools over HTTP. Of its other scenarios some ask for questions to the
/// person (elicitation, which is declined) or for OAuth, which metnos does not have, and two fail in the library.
#[tokio::test]
async fn the_protocols_own_runner_finds_nothing_wrong_with_this_client() {
    let (bed, own) = (bed(), std::env::current_exe().unwrap());
    for scenario in [
        "initialize",
        "tools_call",
        "sse-retry",
        "json-schema-ref-no-deref",
        "http-invalid-tool-headers",
    ] {
        let client = format!(
            "{} mcp::conformance_client --exact --ignored --nocapture",
            own.display()
        );
        let runner = bed.join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
        let ran = tokio::process::Command::new(bed.join("node"))
            .arg(runner)
            .args([
                "client",
                "--scenario",
                scenario,
                "--timeout",
                "60000",
                "--command",
                &client,
            ])
            .stdin(Stdio::null())
            .output()
            .await
            .unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(ran.status.success() && said.contains("0 failed"), "{scenario}: {said}");
    }
}

/// The client that the runner starts: its last argument is the address of the runner's server. It calls every tool.
#[tokio::test]
#[ignore = "started by the conformance runner, with the address of its server"]
async fn conformance_client() {
    let address = std::env::args().next_back().unwrap();
    let session = metnos_mcp::at(&address, None).await.unwrap();
    for tool in session.tools().await.unwrap() {
        let fields = tool.schema.get("properties").and_then(Value::as_object);
        let names = fields.into_iter().flat_map(Map::keys);
        let arguments: Map<String, Value> = names.map(|name| (name.clone(), json!(2))).collect();
        let answer = session.call(&tool.name, arguments, Duration::from_secs(20)).await;
        // What the runner makes invalid on purpose may be refused; it judges by what reaches it.
        assert_ne!(answer, Err(metnos_mcp::Failure::Late), "{}", tool.name);
    }
    session.close().await;
}
