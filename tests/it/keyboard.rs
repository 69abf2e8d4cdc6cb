//! The conversation as a person at a keyboard has it: the program in a terminal of its own, which `script` gives it.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::{process::Stdio, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, ChildStdout},
};

use crate::{
    model::PLANNING,
    support::{
        llama::{Script, ScriptedLlama},
        process::Home,
        turn_log::turn_log,
    },
};

const PATIENCE: Duration = Duration::from_secs(60);
const CTRL_C: &[u8] = &[3];
const CTRL_D: &[u8] = &[4];
const UP: &[u8] = b"\x1b[A";

struct Keyboard {
    child: Child,
    keys: ChildStdin,
    screen: ChildStdout,
    shown: String,
}

impl Keyboard {
    fn of(home: &Home) -> Self {
        let mut command = home.command("script", &[]);
        command.args(["-qfec", concat!(env!("CARGO_BIN_EXE_metnos"), " chat"), "/dev/null"]);
        command.env("TERM", "xterm").env("PATH", "/usr/bin:/bin");
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        Self {
            keys: child.stdin.take().unwrap(),
            screen: child.stdout.take().unwrap(),
            child,
            shown: String::new(),
        }
    }

    async fn types(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).await.unwrap();
    }

    /// Reads the screen until it shows these words after what was waited for before.
    async fn until(&mut self, words: &str) {
        let mut bytes = [0; 4_096];
        loop {
            if let Some((_, rest)) = self.shown.split_once(words) {
                self.shown = rest.to_owned();
                return;
            }
            let reading = tokio::time::timeout(PATIENCE, self.screen.read(&mut bytes));
            let count = reading
                .await
                .unwrap_or_else(|_| panic!("never shown: {words}: {}", self.shown))
                .unwrap();
            assert!(count > 0, "it ended before {words}: {}", self.shown);
            self.shown.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    }
}

#[tokio::test]
async fn ctrl_c_stops_the_turn_and_ctrl_d_leaves() {
    let (llama, home) = (ScriptedLlama::start().await, Home::new());
    home.configure(&format!(
        "[llm]\nurl = \"{}\"\n[llm.wise]\ntimeout_s = 60\n",
        llama.url()
    ));
    llama.when(PLANNING, Script::Hang);
    let mut keyboard = Keyboard::of(&home);
    keyboard.until("> ").await;
    keyboard.types(b"find the txt files in ~/docs\r").await;
    keyboard.until("Making a plan").await;
    keyboard.types(CTRL_C).await;
    keyboard.until("Stopped. Nothing was changed.").await;
    keyboard.until("> ").await;
    // Without anything to stop it only empties the line.
    keyboard.types(b"nonsense").await;
    keyboard.until("nonsense").await;
    keyboard.types(CTRL_C).await;
    keyboard.until("> ").await;
    keyboard.types(b"what time is it\r").await;
    keyboard.until("It's ").await;
    keyboard.types(CTRL_D).await;
    let ended = tokio::time::timeout(PATIENCE, keyboard.child.wait()).await.unwrap();
    assert!(ended.unwrap().success());
}

/// Waits until so many turns have ended.
async fn answered(home: &Home, count: usize) {
    let ended = async {
        while home.rows("SELECT id FROM turns").len() < count {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, ended).await.unwrap();
}

#[tokio::test]
async fn single_keys_press_the_buttons_and_the_arrow_brings_back_what_was_typed() {
    let home = Home::new();
    home.write("docs/old.txt", "old");
    let mut keyboard = Keyboard::of(&home);
    keyboard.until("> ").await;
    keyboard.types(b"how many txt files are in ~/docs\r").await;
    keyboard.until("+ ").await;
    keyboard.types(b"+").await;
    keyboard.until("Noted, thank you.").await;
    keyboard.types(b"-").await;
    keyboard.until("Sorry. I will not answer that from memory again.").await;
    keyboard.types(b"=").await;
    keyboard.until("another way").await;
    answered(&home, 2).await;
    // On a line with words in it they are characters.
    keyboard.types(b"who are you -+=\r").await;
    answered(&home, 3).await;
    keyboard.types(b"what time is it\r").await;
    answered(&home, 4).await;
    keyboard.types(UP).await;
    keyboard.types(b"\r").await;
    answered(&home, 5).await;
    keyboard.types(UP).await;
    keyboard.types(UP).await;
    keyboard.types(b"\r").await;
    answered(&home, 6).await;
    keyboard.types(b"delete ~/docs/old.txt\r").await;
    keyboard.until("May I delete this?").await;
    assert!(home.path("docs/old.txt").exists());
    keyboard.types(b"y\r").await;
    keyboard.until("I deleted old.txt").await;
    assert!(!home.path("docs/old.txt").exists());
    keyboard.types(CTRL_D).await;
    let ended = tokio::time::timeout(PATIENCE, keyboard.child.wait()).await.unwrap();
    assert!(ended.unwrap().success());
    let asked: Vec<String> = turn_log(&home.data_dir())
        .iter()
        .map(|line| line["user_query"].as_str().unwrap().to_owned())
        .collect();
    let (counting, who, time) = ("how many txt files are in ~/docs", "who are you -+=", "what time is it");
    assert_eq!(asked[..6], [counting, counting, who, time, time, who]);
    let verdicts = home.rows("SELECT coalesce(verdict, 'none') FROM observations ORDER BY id");
    assert_eq!(verdicts[0], "retry", "the last key counts: {verdicts:?}");
}

#[tokio::test]
async fn what_rings_breaks_no_line_that_is_being_typed() {
    let home = Home::new();
    let mut keyboard = Keyboard::of(&home);
    keyboard.until("> ").await;
    keyboard.types(b"set a timer for 2 seconds for the egg\r").await;
    keyboard.until("runs for 2 seconds").await;
    keyboard.until("> ").await;
    keyboard.types(b"what time ").await;
    keyboard.until("what time ").await;
    keyboard.until("time is up").await;
    // The prompt comes back with what stood behind it, and the line goes on from there.
    keyboard.until("what time ").await;
    keyboard.types(b"is it\r").await;
    keyboard.until("It's ").await;
    keyboard.types(CTRL_D).await;
    let ended = tokio::time::timeout(PATIENCE, keyboard.child.wait()).await.unwrap();
    assert!(ended.unwrap().success());
    let asked = home.rows("SELECT request FROM turns ORDER BY rowid");
    assert_eq!(asked, ["set a timer for 2 seconds for the egg", "what time is it"]);
}
