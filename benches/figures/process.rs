//! The program as a process: how soon it takes a request, and how much memory it holds while it waits.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use super::Figure;

const STARTS: usize = 20;
const REQUESTS: [&str; 4] = [
    "what time is it",
    "list the files in ~/docs",
    "find the pdf files in ~/docs",
    "find the pdf files in ~/docs",
];
const MEMORY_GOAL_KB: u64 = 40 * 1024;

/// Starts the program again and again, and looks at its memory once.
pub(super) fn figures() -> Vec<Figure> {
    let goal = Duration::from_millis(300);
    let first: Vec<Duration> = (0..STARTS)
        .map(|_| ready(tempfile::tempdir().unwrap().path()))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    ready(folder.path());
    let again: Vec<Duration> = (0..STARTS).map(|_| ready(folder.path())).collect();
    vec![
        Figure::of_times("first start to ready, everything made anew", first, goal),
        Figure::of_times("start to ready", again, goal),
        resident(folder.path()),
    ]
}

/// From starting the program until it has taken a request from its input.
fn ready(folder: &Path) -> Duration {
    let started = Instant::now();
    let mut metnos = start(folder);
    metnos.stdin.take().unwrap().write_all(b"/help\n").unwrap();
    let mut echo = [0_u8; 1];
    metnos.stdout.take().unwrap().read_exact(&mut echo).unwrap();
    let took = started.elapsed();
    metnos.kill().unwrap();
    metnos.wait().unwrap();
    took
}

/// Resident memory of a terminal that answered a few requests and now waits.
fn resident(folder: &Path) -> Figure {
    let mut metnos = start(folder);
    let mut input = metnos.stdin.take().unwrap();
    let mut output = BufReader::new(metnos.stdout.take().unwrap()).lines();
    for request in REQUESTS {
        writeln!(input, "{request}").unwrap();
    }
    let mut answered = 0;
    while answered < REQUESTS.len() {
        // The trace line ends an answer.
        answered += usize::from(output.next().unwrap().unwrap().trim_end().ends_with("ms)"));
    }
    let status = fs::read_to_string(format!("/proc/{}/status", metnos.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    metnos.kill().unwrap();
    metnos.wait().unwrap();
    Figure {
        what: format!(
            "resident memory, idle in the terminal after {} requests",
            REQUESTS.len()
        ),
        measured: format!("{:.1} MB", kilobytes as f64 / 1024.0),
        goal: "≤ 40 MB".to_owned(),
        is_met: kilobytes <= MEMORY_GOAL_KB,
    }
}

fn start(folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_metnos"))
        .args(["chat", "--trace"])
        .env_clear()
        .env("HOME", folder)
        .env("LANG", "en_US.UTF-8")
        .env("METNOS_DATA_DIR", folder.join("data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}
