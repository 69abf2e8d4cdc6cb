//! Sentences of households and what they ask for later, as `tests/corpus/later.toml` has them.

use std::sync::LazyLock;

use super::*;
use crate::engine::fixtures::corpus;

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| Language::embedded().unwrap());
static ASKING: LazyLock<Asking> = LazyLock::new(|| Asking::embedded().unwrap());

fn read(text: &str, lang: Lang) -> Option<Asked> {
    let now: Zoned = "2026-11-24T10:00[Europe/Rome]".parse().unwrap();
    let acts = |rest: &str| rest.contains("delete") || rest.contains("cancella");
    let asked = ASKING.read(&LANGUAGE.read(text, lang, &now), &LANGUAGE, &now, &acts);
    asked.map(|(asked, _before)| asked)
}

/// `remind{words:call mum,clear:tomorrow at 9}`; `now` where nothing is asked for later.
fn shown(asked: Option<Asked>) -> String {
    let said = |when: Said| match when {
        Said::Clear(when) => format!("clear:{when}"),
        Said::Open(when) => format!("open:{when}"),
        Said::Over => "over".to_owned(),
    };
    let often = |times: Option<u32>| times.map(|times| format!(",{times} times")).unwrap_or_default();
    match asked {
        Some(Asked::Remind { words, when, times }) => format!("remind{{words:{words},{}{}}}", said(when), often(times)),
        Some(Asked::Do { request, when, times }) => format!("do{{request:{request},{}{}}}", said(when), often(times)),
        Some(Asked::Beforehand) => "beforehand".to_owned(),
        Some(Asked::Watch { look, .. }) => format!("watch{{look:{look}}}"),
        None => "now".to_owned(),
    }
}

#[test]
fn what_is_asked_for_later_stays_as_it_was_said() {
    let tables = corpus::tables("later.toml");
    let differing = tables
        .iter()
        .map(|table| table.differing(|text, lang| shown(read(text, lang))));
    let wrong: Vec<String> = differing.flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
