//! Sentences about what is set that nobody tuned for: `tests/corpus/tasks_fresh.toml`, frozen before it was played.
//! What is understood may only grow.

use std::{collections::BTreeMap, fs, path::Path};

use metnos::domain::lang::Lang;
use serde::Deserialize;

use super::bot;

/// Sentences of the file that must be understood; measured when it was played first.
const UNDERSTOOD_MIN: usize = 24;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    lang: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    before: Vec<String>,
    say: String,
    set: Option<Vec<String>>,
    says: Option<String>,
}

#[tokio::test]
async fn sentences_from_the_page_alone() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/tasks_fresh.toml");
    let tables: BTreeMap<String, Table> = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let (mut understood, mut missed) = (0, Vec::new());
    for table in tables.values() {
        let lang = if table.lang == "it" { Lang::IT } else { Lang::EN };
        for row in &table.rows {
            let (mut bot, _clock) = bot(lang).await;
            for before in &row.before {
                bot.says(before).await;
            }
            let said = bot.says(&row.say).await;
            let set = super::things::set_with_states(&mut bot, lang).await;
            let sorted = |wanted: &Vec<String>| {
                let mut wanted = wanted.clone();
                wanted.sort();
                wanted
            };
            let is_set = row.set.as_ref().is_none_or(|wanted| sorted(wanted) == set);
            let is_said = row.says.as_ref().is_none_or(|wanted| said.contains(wanted.as_str()));
            if is_set && is_said {
                understood += 1;
            } else {
                missed.push(format!("{}: {set:?}: {said}", row.say));
            }
        }
    }
    assert!(
        understood >= UNDERSTOOD_MIN,
        "{understood} understood, these not: {missed:#?}"
    );
}
