//! How many of five other ways to say a confirmed request memory answers, by layer. It measures, and fails of nothing
//! but a request that cannot be asked: what is served is printed, and is not a target.

use std::{collections::BTreeMap, fs};

use metnos::domain::{lang::Lang, reply::ButtonKind};
use serde::Deserialize;

use super::at_rest;
use crate::{
    support::bot::TestBot,
    turns::{change, clock, rows},
};

#[derive(Deserialize)]
struct Corpus {
    request: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    lang: Lang,
    said: String,
    again: Vec<String>,
}

/// The layer that answered last, as the trace names it.
fn layer(bot: &TestBot) -> String {
    let transcript = bot.transcript();
    let trace = transcript.lines().last().unwrap_or_default();
    let (_, layer) = trace.rsplit_once("] ").unwrap_or(("", trace));
    layer.split(',').next().unwrap_or_default().to_owned()
}

fn furnish(bot: &TestBot) {
    for (name, size) in [
        ("docs/report.pdf", 300),
        ("docs/bill.pdf", 90),
        ("inbox/scan.txt", 10),
        ("inbox/b.txt", 20),
    ] {
        bot.file(name, &"a".repeat(size));
    }
    bot.file("docs/letter.txt", "dear aunt");
    bot.file("docs/taxes/taxes 2025.txt", "taxes, le tasse");
    bot.file("notes/diary.md", "one\ntwo\nthree\nfour\n");
    bot.file("notes/shopping.txt", "milk\nlatte\nbread\n");
    bot.file("photos/a.jpg", "a");
}

#[tokio::test]
#[ignore = "measures: which layer of memory answers paraphrases of confirmed requests"]
#[expect(clippy::print_stdout, reason = "it prints a table for a person to read")]
async fn paraphrases_by_layer() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/paraphrases.toml");
    let corpus: Corpus = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let (mut confirmed, mut asked) = (0, 0);
    let mut layers: BTreeMap<(Lang, String), usize> = BTreeMap::new();
    for lang in [Lang::EN, Lang::IT] {
        let clock = clock("2026-03-10T12:00:00Z");
        let mut bot = at_rest(&clock, lang).await;
        furnish(&bot);
        let own: Vec<&Row> = corpus.request.iter().filter(|row| row.lang == lang).collect();
        let mut known = Vec::new();
        for row in own {
            bot.says(&row.said).await;
            let is_remembered = bot.buttons().iter().any(|button| button.kind == ButtonKind::Confirm);
            if is_remembered {
                bot.taps(ButtonKind::Confirm).await;
                known.push(row);
            } else {
                println!("not answered by code: {} ({})", row.said, layer(&bot));
            }
        }
        confirmed += known.len();
        let ceiling = |table: &str| rows(&bot, &format!("SELECT coalesce(max(id), 0) || '' FROM {table}")).remove(0);
        let (fastpaths, observations) = (ceiling("fastpaths"), ceiling("observations"));
        for row in known {
            for other in &row.again {
                asked += 1;
                bot.says(other).await;
                *layers.entry((lang, layer(&bot))).or_default() += 1;
                // What a paraphrase teaches helps none of the others.
                change(&bot, &format!("DELETE FROM fastpaths WHERE id > {fastpaths}"));
                change(&bot, &format!("DELETE FROM observations WHERE id > {observations}"));
            }
        }
    }
    println!("{confirmed} confirmed requests, {asked} paraphrases, no model:");
    for ((lang, layer), count) in layers {
        println!("  {} {layer}: {count}", lang.code());
    }
}
