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
    home.configure(&format!("[llm]\nurl = \"{}\"\nplan_timeout_s = 60\n", llama.url()));
    llama.when(PLANNING, Script::Hang);
    let mut keyboard = Keyboard::of(&home);
    keyboard.until("> ").await;
    keyboard.types(b"find the txt files in ~/docs\r").await;
    keyboard.until("Making a plan").await;
    keyboard.types(CTRL_C).await;
    keyboard.until("Stopped. Nothing was changed.").await;
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
    keyboard.until("> ").await;
    // On a line with words in it they are characters.
    keyboard.types(b"who are you +-=").await;
    keyboard.until("who are you +-=").await;
    keyboard.types(&[0x7f; 15]).await;
    keyboard.types(b"what time is it\r").await;
    keyboard.until("It's ").await;
    keyboard.types(UP).await;
    keyboard.until("what time is it").await;
    keyboard.types(b"\r").await;
    keyboard.until("It's ").await;
    keyboard.types(UP).await;
    keyboard.types(UP).await;
    keyboard.until("how many txt files are in ~/docs").await;
    keyboard.types(CTRL_C).await;
    keyboard.until("> ").await;
    keyboard.types(b"delete ~/docs/old.txt\r").await;
    keyboard.until("May I delete this?").await;
    assert!(home.path("docs/old.txt").exists());
    keyboard.types(b"y\r").await;
    keyboard.until("I deleted old.txt").await;
    assert!(!home.path("docs/old.txt").exists());
    keyboard.types(CTRL_D).await;
    let ended = tokio::time::timeout(PATIENCE, keyboard.child.wait()).await.unwrap();
    assert!(ended.unwrap().success());
    let verdicts = home.rows("SELECT coalesce(verdict, 'none') FROM observations ORDER BY id");
    assert_eq!(verdicts[0], "retry", "the last key counts: {verdicts:?}");
}
