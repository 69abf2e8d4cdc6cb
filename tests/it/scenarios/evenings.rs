//! First evenings: short conversations of a household with nothing but the README, in an empty home, with no model
//! (`eval/scenarios/evenings.toml`). Every turn must be answered, and what was said must be on the disk at the end.

use std::{collections::BTreeSet, fs};

use metnos::{
    config::EngineChoice,
    domain::{lang::Lang, reply::ButtonKind},
};
use serde::Deserialize;

use super::play::{Home, can_tap, look};
use crate::support::bot::{Setup, TestBot};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    evening: Vec<Evening>,
}

/// One conversation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Evening {
    id: String,
    language: String,
    turns: Vec<Said>,
    #[serde(default)]
    kept: Vec<String>,
    #[serde(default)]
    gone: Vec<String>,
    files: Option<usize>,
}

/// One message, and what its answer tells.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    say: String,
    #[serde(default)]
    hears: Vec<String>,
    #[serde(default)]
    hides: Vec<String>,
}

/// So many of them work at least; the report names the others.
const WORKED_MIN: usize = 11;
/// The folder of lists and notes, which nobody had to make.
const NOTES: &str = "notes/";

#[tokio::test]
async fn a_first_evening_in_an_empty_home_works() {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/eval/scenarios/evenings.toml")).unwrap();
    let evenings = toml::from_str::<File>(&text).unwrap().evening;
    let mut failed = Vec::new();
    for evening in &evenings {
        if let Err(why) = play(evening).await {
            failed.push(why);
        }
    }
    let worked = evenings.len() - failed.len();
    let told = format!("{worked} of {}\n{}", evenings.len(), failed.join("\n"));
    assert!(worked >= WORKED_MIN, "{told}");
}

async fn play(evening: &Evening) -> Result<(), String> {
    let mut bot = TestBot::with(Setup {
        engine: EngineChoice::Simple,
        lang: Lang::from_code(&evening.language).unwrap(),
        ..Setup::default()
    })
    .await;
    let mut wrong = Vec::new();
    for said in &evening.turns {
        let answer = bot.says(&said.say).await.to_lowercase();
        if can_tap(&bot, ButtonKind::Approve) {
            wrong.push(format!("“{}” asks first", said.say));
        }
        let tells = |fact: &str| fact.to_lowercase().split('|').any(|fact| answer.contains(fact));
        let unheard = said.hears.iter().filter(|fact| !tells(fact));
        wrong.extend(unheard.map(|fact| format!("“{}” does not tell {fact}", said.say)));
        let told = said.hides.iter().filter(|fact| tells(fact));
        wrong.extend(told.map(|fact| format!("“{}” tells {fact}", said.say)));
    }
    for line in bot
        .turn_log()
        .await
        .iter()
        .filter(|line| line["answered_by"] == "terminator")
    {
        wrong.push(format!("refused: {}", line["user_query"]));
    }
    wrong.extend(at_home(evening, &look(&bot.home())));
    bot.stop().await;
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}: {}\n{}", evening.id, wrong.join("; "), bot.transcript()))
}

/// What is not as it should be on the disk.
fn at_home(evening: &Evening, home: &Home) -> Vec<String> {
    let (folders, files): (BTreeSet<&String>, BTreeSet<&String>) = home.keys().partition(|name| name.ends_with('/'));
    let mut wrong: Vec<String> = folders
        .iter()
        .filter(|name| **name != NOTES)
        .map(|name| format!("a folder {name}"))
        .collect();
    let stands = |text: &&String| home.values().any(|own| own.contains(text.as_str()));
    let lost = evening.kept.iter().filter(|text| !stands(text));
    wrong.extend(lost.map(|text| format!("nowhere: {text}")));
    let left = evening.gone.iter().filter(stands);
    wrong.extend(left.map(|text| format!("still there: {text}")));
    if evening.files.is_some_and(|files_wanted| files_wanted != files.len()) {
        wrong.push(format!("files: {files:?}"));
    }
    wrong
}
