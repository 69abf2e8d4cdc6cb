//! Moments and rhythms in words, and what is said of those that are open or over: `tests/corpus/moments.toml`.

use std::sync::LazyLock;

use super::*;
use crate::engine::fixtures::corpus;

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| Language::embedded().unwrap());

fn now() -> Zoned {
    "2026-11-24T10:00[Europe/Rome]".parse().unwrap()
}

fn read(words: &str, lang: Lang) -> Result<String, NoWhen> {
    let when = of_words(words, &LANGUAGE, lang, &now())?;
    let first = Timestamp::from_millisecond(when.first.at_ms).unwrap();
    let first = first.to_zoned(now().time_zone().clone());
    let days = when.weekdays.to_string();
    let first = first.strftime("%Y-%m-%dT%H:%M:%S");
    let until = when.until_ms.map_or_else(String::new, |until_ms| {
        let until = Timestamp::from_millisecond(until_ms)
            .unwrap()
            .to_zoned(now().time_zone().clone());
        until.strftime(" until %Y-%m-%dT%H:%M").to_string()
    });
    Ok(format!("{} {days} {first}{until}", when.trigger).replace("  ", " "))
}

#[test]
fn words_become_moments_and_rhythms_or_say_too_little() {
    let shown = |words: &str, lang: Lang| read(words, lang).unwrap_or_else(|no_when| format!("{no_when:?}"));
    let tables = corpus::tables("moments.toml");
    let wrong: Vec<String> = tables.iter().flat_map(|table| table.differing(shown)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_moment_and_a_rule_of_the_calendar_are_read() {
    let first = |at: &str, repeat: Option<&str>| of_moment(at, repeat, &now()).map(|when| when.trigger.to_string());
    assert_eq!(
        first("2026-11-25T07:00:00+01:00", None).as_deref(),
        Ok("at:2026-11-25T07:00:00")
    );
    assert_eq!(
        first("2026-11-25T07:00:00+01:00", Some("FREQ=WEEKLY;BYDAY=MO,FR")).as_deref(),
        Ok("daily@07:00")
    );
    assert_eq!(first("2026-11-23T07:00:00+01:00", None), Err(NoWhen::Past));
    assert_eq!(first("2026-11-25T07:00:00", Some("FREQ=YEARLY")), Err(NoWhen::Unclear));
}
