//! A mailbox of ten thousand: how long its person waits for the mails of somebody, beside Python's imaplib doing the
//! same on the same server in the same run. A report: `just mailbox-figures`.

use std::{io::Write as _, path::Path, process::Command};

use serde_json::{Value, json};

use super::{
    at_work,
    office::{Bed, MAIL_USER, Office},
    scripted,
};
use crate::support::{
    bot::TestBot,
    llama::{Script, ScriptedLlama},
};

/// Twenty times the five hundred mails of the office.
const ROUNDS: u32 = 20;
/// How often each look is timed.
const TIMES: usize = 9;

/// The middle one.
fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// One look by a plan: how long its step took, in milliseconds, and how many mails it found.
async fn looks(bot: &mut TestBot, server: &ScriptedLlama, words: &str, args: &Value) -> (f64, usize) {
    let steps = json!([{"tool": "find_messages", "args": args}]);
    server.next(Script::Say(json!({"steps": steps, "show": true}).to_string()));
    bot.says(words).await;
    let turn = bot.turn_log().await.pop().unwrap();
    let step = &turn["steps"][0];
    assert_eq!(step["ok"], true, "{turn}");
    let entries = usize::try_from(step["entries"].as_u64().unwrap()).unwrap();
    (step["exec_us"].as_f64().unwrap() / 1_000.0, entries)
}

fn imaplib(bed: &Bed) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/imap_baseline.py");
    let user = format!("{MAIL_USER}@bed.local");
    let ca_file = bed.folder.join("tls/ca.pem").display().to_string();
    let (port, times) = (bed.port.to_string(), TIMES.to_string());
    let sender = ["raj.patel", "1-Oct-2023", "1-Dec-2023"];
    let mut command = Command::new("python3");
    command.arg(script).args([&port, &ca_file, &user, "bedpass"]);
    let output = command
        .args(sender)
        .args([metnos::mail::HEADERS.join(" ").as_str(), &times])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
#[ignore = "a report, not a test: see `just mailbox-figures`"]
#[expect(
    clippy::disallowed_methods,
    reason = "a report is told what to play by its environment"
)]
async fn mailbox_figures() {
    let folder = std::env::var("METNOS_WORKBENCH").unwrap_or_default();
    let office = Office::read(folder.as_ref()).repeated(ROUNDS);
    let bed = Bed::of("METNOS_LIVE_MAIL");
    office.lay_out();
    let python = imaplib(&bed);
    // The server's own index is made anew: nobody looks with what the other warmed.
    office.lay_out();
    let server = &ScriptedLlama::start().await;
    let mut bot = at_work(scripted(server)).await;
    let of_sender = json!({"from": "raj.patel", "window": "2023-10/2023-11", "max_results": 50});
    let (first, found) = looks(&mut bot, server, "mails of raj as agreed", &of_sender).await;
    let (mut again, mut lists) = (Vec::new(), Vec::new());
    for round in 0..TIMES {
        let words = format!("mails of raj as agreed, round {round}");
        again.push(looks(&mut bot, server, &words, &of_sender).await.0);
        let words = format!("newest mails as agreed, round {round}");
        lists.push(looks(&mut bot, server, &words, &json!({"max_results": 50})).await.0);
    }
    bot.stop().await;
    let mut out = std::io::stdout();
    writeln!(
        out,
        "{} mails, {found} found ({} by imaplib)",
        office.letters.len(),
        python["found"]
    )
    .unwrap();
    for (name, own) in [("first", first), ("again", middle(again)), ("list", middle(lists))] {
        let other = python[name].as_f64().unwrap();
        writeln!(
            out,
            "{name}: metnos {own:.1} ms, imaplib {other:.1} ms, ratio {:.2}",
            own / other
        )
        .unwrap();
    }
}
