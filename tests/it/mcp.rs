//! Tools of others: a server is looked at, a tool is admitted, called, and off again once it changed; what it may
//! touch, what becomes of a call that it does not answer, and who may use it. The server is a program of a few lines
//! (`support/mcp_server.py`) in the real sandbox.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use metnos::{config::EngineChoice, domain::reply::ButtonKind};
use serde_json::{Value, json};

use crate::{
    model::plan,
    support::{
        bot::{Setup, TestBot},
        llama::ScriptedLlama,
    },
};

const ECHO: &str = "get_texts_mcp_cards-get-echo";
const CARD: &str = "send_texts_mcp_cards-send-card";
const ESCAPE: &str = "get_texts_mcp_cards-get-escape";

/// A bot with a server called `cards`.
struct Desk {
    bot: TestBot,
    llama: ScriptedLlama,
    folder: tempfile::TempDir,
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("says.txt"), "Says it again.\n").unwrap();
        fs::write(folder.path().join("secret.txt"), "secret").unwrap();
        fs::create_dir(folder.path().join("cards")).unwrap();
        fs::copy(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/support/mcp_server.py"),
            folder.path().join("server.py"),
        )
        .unwrap();
        let config = format!(
            "[mcp.cards]\ncommand = [\"/usr/bin/python3\", \"{0}/server.py\", \"{0}/says.txt\"]\n\
             reads = [\"{0}/server.py\", \"{0}/says.txt\"]\nwrites = [\"{0}/cards\"]\n",
            folder.path().display()
        );
        fs::write(folder.path().join("config.toml"), config).unwrap();
        let llama = ScriptedLlama::start().await;
        let setup = Setup {
            llm: Some(llama.config()),
            engine: EngineChoice::Metis,
            config_file: Some(folder.path().join("config.toml")),
            ..Setup::default()
        };
        let mut bot = TestBot::with(setup).await;
        bot.says("hello").await;
        Self { bot, llama, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn metnos(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_metnos"));
        command.args(arguments).env_clear();
        command
            .env("HOME", self.bot.home())
            .env("LANG", "en_GB.UTF-8")
            .env("METNOS_DATA_DIR", self.bot.data_dir())
            .env("METNOS_CONFIG", self.path("config.toml"));
        command.output().unwrap()
    }

    /// What the command line says, on both outputs.
    fn said(&self, arguments: &[&str]) -> String {
        let output = self.metnos(arguments);
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }

    /// Admits a tool, and starts again so that it is seen for sure.
    async fn admits(&mut self, tool: &str) -> String {
        let said = self.said(&["mcp", "trust", "cards", tool, "--yes"]);
        self.bot.restart().await;
        said
    }

    /// Asks for something that only the model knows a plan for.
    async fn asks(&mut self, request: &str, steps: Value) -> String {
        self.llama.next(plan(&steps));
        self.bot.says(request).await
    }
}

fn echo(message: &str) -> Value {
    json!([{"tool": ECHO, "args": {"the_message": message}}])
}

#[tokio::test]
async fn a_tool_is_looked_at_admitted_called_and_off_once_it_changed() {
    let mut desk = Desk::new().await;
    let said = desk.said(&["mcp", "list"]);
    assert!(said.contains("cards: 3 tools") && said.contains("· get_echo"), "{said}");
    // Nothing of it is known to anybody before it was admitted.
    let said = desk.asks("please echo “hello” as agreed", echo("hello")).await;
    assert!(!said.contains("you said"), "{said}");

    let said = desk.admits("get_echo").await;
    assert!(said.contains("│ Says it again.") && said.contains(ECHO), "{said}");
    let said = desk.said(&["mcp", "list"]);
    assert!(said.contains("✓ get_echo"), "{said}");
    let said = desk.asks("please echo “hello” as agreed", echo("hello")).await;
    assert!(said.contains("you said hello"), "{said}");

    fs::write(desk.path("says.txt"), "Says it again, and tells a stranger.\n").unwrap();
    desk.bot.restart().await;
    let said = desk.asks("please echo “bread” as agreed", echo("bread")).await;
    assert!(said.contains("not what it was") && !said.contains("you said"), "{said}");
    let said = desk.said(&["mcp", "list"]);
    assert!(said.contains("! get_echo"), "{said}");
    desk.admits("get_echo").await;
    let said = desk.asks("please echo “water” as agreed", echo("water")).await;
    assert!(said.contains("you said water"), "{said}");
}

#[tokio::test]
async fn a_server_that_fails_dies_or_hangs_is_told_of_and_asked_again() {
    let mut desk = Desk::new().await;
    desk.admits("get_echo").await;
    let said = desk.asks("please echo “fail” as agreed", echo("fail")).await;
    assert!(said.contains("no such thing"), "{said}");
    let said = desk.asks("please echo “die” as agreed", echo("die")).await;
    assert!(said.contains("was gone before it answered"), "{said}");
    let said = desk.asks("please echo “again” as agreed", echo("again")).await;
    assert!(said.contains("you said again"), "a new one was started: {said}");
}

#[tokio::test]
async fn what_changes_something_is_asked_and_what_is_lost_is_unknown() {
    let mut desk = Desk::new().await;
    desk.admits("send_card").await;
    let card = |to: &str| json!([{"tool": CARD, "args": {"to": to}}]);
    desk.asks("send a card to “anna” as agreed", card("anna")).await;
    assert!(!desk.path("cards/anna").exists(), "it waits for a yes");
    assert!(
        desk.bot
            .buttons()
            .iter()
            .any(|button| button.kind == ButtonKind::Approve)
    );
    let said = desk.bot.says("yes").await;
    assert_eq!(fs::read_to_string(desk.path("cards/anna")).unwrap(), "card\n", "{said}");
    desk.asks("send a card to “nobody” as agreed", card("nobody")).await;
    let said = desk.bot.says("yes").await;
    assert!(said.contains("was gone before it answered"), "{said}");
    assert_eq!(
        fs::read_to_string(desk.path("cards/nobody")).unwrap(),
        "card\n",
        "once, and not again"
    );
    let log = desk.bot.turn_log().await;
    assert_eq!(log.last().unwrap()["steps"][0]["error"]["class"], "unknown_outcome");
}

#[tokio::test]
async fn a_server_has_its_folders_and_nothing_else() {
    let mut desk = Desk::new().await;
    desk.admits("get_escape").await;
    let steps = json!([{"tool": ESCAPE, "args": {}}]);
    let said = desk.asks("try the escape as agreed", steps).await;
    assert!(said.contains("got: []; env: 0"), "{said}");
}

#[tokio::test]
async fn a_server_is_written_into_the_configuration_and_one_that_cannot_be_is_not() {
    let desk = Desk::new().await;
    let said = desk.said(&["mcp", "add", "far", "https://tools.example.org/mcp"]);
    assert!(said.contains("far is in"), "{said}");
    let config = fs::read_to_string(desk.path("config.toml")).unwrap();
    assert!(
        config.contains("[mcp.far]\nurl = \"https://tools.example.org/mcp\""),
        "{config}"
    );
    for (arguments, words) in [
        (["mcp", "add", "near", "python3"], "whole path"),
        (["mcp", "add", "far", "https://x.example"], "already"),
        (["mcp", "add", "No_Name", "https://x.example"], "cannot be the name"),
    ] {
        let said = desk.said(&arguments);
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(fs::read_to_string(desk.path("config.toml")).unwrap(), config);
    let said = desk.said(&["mcp", "trust", "cards", "nothing", "--yes"]);
    assert!(said.contains("has no tool called nothing"), "{said}");
    let said = desk.said(&["doctor"]);
    assert!(said.contains("cards has 3"), "{said}");
}

/// What a call costs beside the server's own time: the whole of what runs it here, against the bare program at the end
/// of two pipes.
#[tokio::test]
#[ignore = "a report, not a test: see `just mcp-figures`"]
async fn cost_of_a_call() {
    use std::io::{BufRead as _, BufReader, Write as _};

    const CALLS: usize = 40;
    let middle = |mut times: Vec<f64>| -> f64 {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let mut desk = Desk::new().await;
    desk.admits("get_echo").await;
    for number in 0..CALLS {
        let said = desk
            .asks(&format!("please echo “{number}” as agreed"), echo(&number.to_string()))
            .await;
        assert!(said.contains(&format!("you said {number}")), "{said}");
    }
    let turns = desk.bot.turn_log().await;
    let here = turns[turns.len() - CALLS..].iter();
    let here: Vec<f64> = here
        .map(|turn| turn["timings"]["executors_us"].as_f64().unwrap() / 1_000.0)
        .collect();

    let mut server = Command::new("/usr/bin/python3")
        .args([desk.path("server.py"), desk.path("says.txt")])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut bare = Vec::new();
    for number in 0..CALLS {
        let params = json!({"name": "get_echo", "arguments": {"theMessage": number.to_string()}});
        let call = json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params});
        let began = std::time::Instant::now();
        writeln!(input, "{call}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        bare.push(began.elapsed().as_secs_f64() * 1_000.0);
        assert!(line.contains("you said"), "{line}");
    }
    drop(input);
    server.wait().unwrap();
    let (here, bare) = (middle(here), middle(bare));
    let mut out = std::io::stdout();
    writeln!(
        out,
        "a call, p50 of {CALLS}: {here:.2} ms here, {bare:.2} ms bare, {:.2} ms more (goal 3)",
        here - bare
    )
    .unwrap();
}
