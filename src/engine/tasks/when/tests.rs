//! Moments and rhythms in words, and what is said of those that are open or over.

use std::sync::LazyLock;

use super::*;

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
fn words_become_moments() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (words, lang, expected) in [
        ("tomorrow at 9", EN, "at:2026-11-25T09:00:00 2026-11-25T09:00:00"),
        ("domani alle 9", IT, "at:2026-11-25T09:00:00 2026-11-25T09:00:00"),
        ("at 9", EN, "at:2026-11-24T21:00:00 2026-11-24T21:00:00"),
        ("tonight at 9", EN, "at:2026-11-24T21:00:00 2026-11-24T21:00:00"),
        ("in 20 minutes", EN, "at:2026-11-24T09:20:00Z 2026-11-24T10:20:00"),
        ("fra 20 minuti", IT, "at:2026-11-24T09:20:00Z 2026-11-24T10:20:00"),
        ("20 minutes", EN, "at:2026-11-24T09:20:00Z 2026-11-24T10:20:00"),
        ("on 3 March at 10", EN, "at:2027-03-03T10:00:00 2027-03-03T10:00:00"),
        (
            "tomorrow tomorrow at 9",
            EN,
            "at:2026-11-25T09:00:00 2026-11-25T09:00:00",
        ),
    ] {
        assert_eq!(read(words, lang).as_deref(), Ok(expected), "{words}");
    }
}

#[test]
fn what_comes_again_becomes_a_rhythm() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (words, lang, expected) in [
        ("every day at 8", EN, "daily@08:00 2026-11-25T08:00:00"),
        ("every day at 8 pm", EN, "daily@20:00 2026-11-24T20:00:00"),
        ("ogni giorno alle 8", IT, "daily@08:00 2026-11-25T08:00:00"),
        (
            "every weekday at 8",
            EN,
            "daily@08:00 mon,tue,wed,thu,fri 2026-11-25T08:00:00",
        ),
        ("ogni lunedì alle 8", IT, "daily@08:00 mon 2026-11-30T08:00:00"),
        (
            "on Mondays and Thursdays at 7 am",
            EN,
            "daily@07:00 mon,thu 2026-11-26T07:00:00",
        ),
        ("at 7 pm on Sundays", EN, "daily@19:00 sun 2026-11-29T19:00:00"),
        (
            "il lunedì e il giovedì alle 7",
            IT,
            "daily@07:00 mon,thu 2026-11-26T07:00:00",
        ),
        (
            "every day at 8 until Friday",
            EN,
            "daily@08:00 2026-11-25T08:00:00 until 2026-11-27T23:59",
        ),
        (
            "ogni giorno alle 8 fino a venerdì",
            IT,
            "daily@08:00 2026-11-25T08:00:00 until 2026-11-27T23:59",
        ),
        (
            "on Mondays and Thursdays at 7 am until 10 December",
            EN,
            "daily@07:00 mon,thu 2026-11-26T07:00:00 until 2026-12-10T23:59",
        ),
        ("every 30 minutes", EN, "every_30_minutes 2026-11-24T10:30:00"),
        ("every 2 hours", EN, "every_2_hours 2026-11-24T12:00:00"),
        (
            "every other Monday at 10",
            EN,
            "every_14_days@10:00/2026-11-30 2026-11-30T10:00:00",
        ),
        (
            "ogni primo lunedì del mese alle 9",
            IT,
            "cron:0 9 * * MON#1 2026-12-07T09:00:00",
        ),
        (
            "the last Friday of every month at 18:00",
            EN,
            "cron:0 18 * * FRI#L 2026-11-27T18:00:00",
        ),
        ("il 5 di ogni mese alle 9", IT, "cron:0 9 5 * * 2026-12-05T09:00:00"),
        ("every year on 5 May at 9", EN, "cron:0 9 5 5 * 2027-05-05T09:00:00"),
    ] {
        assert_eq!(read(words, lang).as_deref(), Ok(expected), "{words}");
    }
}

#[test]
fn what_is_open_is_unclear_and_what_is_over_is_past() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (words, lang, expected) in [
        ("tomorrow", EN, NoWhen::Unclear),
        ("tonight", EN, NoWhen::Unclear),
        ("stasera", IT, NoWhen::Unclear),
        ("next week", EN, NoWhen::Unclear),
        ("every day", EN, NoWhen::Unclear),
        ("every morning", EN, NoWhen::Unclear),
        ("ogni mattina", IT, NoWhen::Unclear),
        ("every week at 9", EN, NoWhen::Unclear),
        ("twice a day", EN, NoWhen::Unclear),
        ("later", EN, NoWhen::Unclear),
        ("", EN, NoWhen::Unclear),
        ("yesterday at 9", EN, NoWhen::Past),
        ("yesterday", EN, NoWhen::Past),
    ] {
        assert_eq!(read(words, lang), Err(expected), "{words}");
    }
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
