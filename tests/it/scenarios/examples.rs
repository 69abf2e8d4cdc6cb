//! What the documents say can be said: the examples of `/help` in each language, of the README and of `docs/tasks.md`,
//! played in an empty home, with no model, in the order in which they stand there. They are read from the documents, so
//! that one which promises too much fails.

use std::{fs, time::Duration};

use metnos::{
    clock::Clock,
    config::EngineChoice,
    domain::{ids::ChannelKind, lang::Lang, reply::ButtonKind},
};
use tokio::time::timeout;

use super::play::can_tap;
use crate::{
    support::{
        bot::{Setup, TestBot},
        web::FakeWeb,
    },
    tree::root,
};

/// How a refusal is filed that says: this is not understood, or nothing here can do it.
const REFUSALS: [&str; 6] = [
    "not_understood",
    "capability_missing",
    "no_valid_plan",
    "several_things",
    "no_schedule",
    "unsure_intent",
];

/// What was said right before the examples of the page on tasks that speak of "it", or of those that were just shown.
const BEFORE: [(&str, &[&str]); 2] = [
    (
        "remind me tomorrow at 9 to call mum",
        &[
            "how long is left",
            "quanto manca",
            "when is it",
            "add 5 minutes to it",
            "move it to 10",
            "spostalo alle 10",
            "pause it",
            "run it now",
            "cancel it",
        ],
    ),
    ("what are my reminders", &["delete the second", "delete them"]),
];

/// An example, and whether the document itself shows that it is refused.
struct Example {
    say: String,
    is_refused: bool,
}

#[tokio::test]
async fn what_help_names_is_understood_in_an_empty_home() {
    for lang in Lang::BUILT_IN {
        let text = read(&format!("locales/{}/runtime.ftl", lang.code()));
        let help = text.split("\nhelp =").nth(1).unwrap();
        let lines = help.lines().skip(1).take_while(|line| line.starts_with(' '));
        let examples: Vec<Example> = lines
            .filter_map(|line| line.trim().strip_prefix("· "))
            .map(said)
            .collect();
        assert!(examples.len() > 5);
        all_are_understood(lang, &examples).await;
    }
}

#[tokio::test]
async fn what_the_readme_shows_is_understood_in_an_empty_home() {
    let readme = read("README.md");
    let shown: Vec<Example> = fenced(&readme);
    assert!(shown.len() > 5);
    all_are_understood(Lang::EN, &shown).await;
    let lists = readme.split("Of a list more can be said:").nth(1).unwrap();
    let lists = lists.split("One value is put right").next().unwrap();
    all_are_understood(Lang::EN, &italics(lists)).await;
    assert!(readme.contains("how full the disk is"));
    for (lang, say) in [
        (Lang::EN, "how full is the disk"),
        (Lang::IT, "quanto è pieno il disco"),
    ] {
        all_are_understood(lang, &[said(say)]).await;
    }
}

#[tokio::test]
async fn what_the_page_on_tasks_shows_is_understood_in_an_empty_home() {
    let page = read("docs/tasks.md");
    let table = page.lines().filter(|line| line.starts_with("| *"));
    let cells: Vec<&str> = table.filter_map(|line| line.split('|').nth(1)).collect();
    let mut examples = Vec::new();
    for example in cells.iter().flat_map(|cell| italics(cell)) {
        // Something stands there to be deleted.
        let says = |(_, after): &&(&str, &[&str])| after.contains(&example.say.as_str());
        if let Some((before, _)) = BEFORE.iter().find(says) {
            let set = [
                "remind me today at 23:30 to lock up",
                "remind me tomorrow at 7 to feed the cat",
            ];
            examples.extend(set.iter().chain([before]).map(|say| said(say)));
        }
        examples.push(example);
    }
    assert!(examples.len() > 10);
    all_are_understood(Lang::EN, &examples).await;
}

async fn all_are_understood(lang: Lang, examples: &[Example]) {
    let web = FakeWeb::start().await;
    let mut bot = TestBot::with(Setup {
        engine: EngineChoice::Simple,
        clock: Clock::fixed("2026-11-25T09:00:00Z".parse().unwrap()),
        search: Some(web.searx()),
        lang,
        ..Setup::default()
    })
    .await;
    // A table that an example names is there.
    for table in examples.iter().flat_map(|example| example.say.split(' ')) {
        if table.ends_with(".csv") {
            bot.file(table, "date;euro\n2026-03-04;73.80\n");
        }
    }
    let mut wrong = Vec::new();
    for example in examples {
        let mut answer = bot.says(&example.say).await;
        // What it says beside its answer, such as that a question is put aside, comes as a message of its own.
        let mut line = bot.turn_log().await.pop().unwrap();
        let more = Duration::from_millis(500);
        while line["user_query"] != example.say.as_str()
            && let Ok(next) = timeout(more, bot.hears(ChannelKind::Terminal)).await
        {
            answer = next.plain();
            line = bot.turn_log().await.pop().unwrap();
        }
        let is_own = line["user_query"] == example.say.as_str();
        let is_refused = is_own && REFUSALS.iter().any(|class| line["error_class"] == *class);
        if is_refused != example.is_refused {
            wrong.push(format!("{} → {answer}", example.say));
        }
        if can_tap(&bot, ButtonKind::Refuse) {
            bot.taps(ButtonKind::Refuse).await;
        }
    }
    bot.stop().await;
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        examples.len(),
        wrong.join("\n")
    );
}

fn said(text: &str) -> Example {
    Example {
        say: text.to_owned(),
        is_refused: false,
    }
}

/// Lines of code blocks that begin with `>`; the line behind one says how it ends.
fn fenced(text: &str) -> Vec<Example> {
    let blocks = text.split("```").skip(1).step_by(2);
    let mut examples = Vec::new();
    for block in blocks {
        let lines: Vec<&str> = block.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            if let Some(say) = line.strip_prefix("> ") {
                let answer = lines.get(at + 1).copied().unwrap_or_default();
                examples.push(Example {
                    say: say.to_owned(),
                    is_refused: answer.starts_with("I don't know how"),
                });
            }
        }
    }
    examples
}

/// What stands between single asterisks.
fn italics(text: &str) -> Vec<Example> {
    let text = text.replace('\n', " ");
    let parts = text.split('*').skip(1).step_by(2);
    parts.filter(|part| !part.is_empty()).map(said).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}
