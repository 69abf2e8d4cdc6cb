//! Days and stretches of days that files are looked for by, as people bound them; it is Friday, 20 November 2026.

use super::*;

/// The windows of a text in one language, and whether something was left unread.
fn windows(text: &str, lang: Lang) -> (Vec<String>, bool) {
    let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
    let facts = reading.facts.iter().filter(|fact| fact.kind == FactKind::Window);
    let windows = facts.filter_map(|fact| Some(fact.value.as_str()?.to_owned()));
    (windows.collect(), !reading.unaccounted.is_empty())
}

fn assert_windows(table: &[(&str, Lang, &str)]) {
    for (text, lang, window) in table {
        assert_eq!(windows(text, *lang), (vec![(*window).to_owned()], false), "{text}");
    }
}

#[test]
fn a_stretch_of_the_past_ends_at_the_next_day_of_its_kind() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    assert_windows(&[
        (
            "files in ~/a changed between 10 november and 18 november",
            EN,
            "2026-11-10/2026-11-18",
        ),
        (
            "i file in ~/a modificati dal 10 novembre al 18 novembre",
            IT,
            "2026-11-10/2026-11-18",
        ),
        ("i file in ~/a del primo trimestre", IT, "2026-01-01/2026-03-31"),
        ("i file in ~/a del primo semestre", IT, "2026-01-01/2026-06-30"),
        (
            "files in ~/a changed between the 10th and the 18th",
            EN,
            "2026-11-10/2026-11-18",
        ),
        (
            "files in ~/a changed from september to october",
            EN,
            "2026-09-01/2026-10-31",
        ),
        (
            "i file in ~/a modificati tra settembre e ottobre",
            IT,
            "2026-09-01/2026-10-31",
        ),
        (
            "files in ~/a changed from 1 december to 10 january",
            EN,
            "2025-12-01/2026-01-10",
        ),
    ]);
}

#[test]
fn what_opens_a_side_of_a_bare_day_is_kept() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    assert_windows(&[
        ("files in ~/a changed since the 18th", EN, "2026-11-18/2026-11-20"),
        ("files in ~/a changed until the 18th", EN, "before-2026-11-19"),
        ("files in ~/a changed before the 18th", EN, "before-2026-11-18"),
        ("i file in ~/a modificati prima del 18", IT, "before-2026-11-18"),
        ("i file in ~/a modificati dopo il 18", IT, "2026-11-19/2026-11-20"),
        ("i file in ~/a modificati entro il 18", IT, "before-2026-11-19"),
        ("i file in ~/a modificati fino al 18", IT, "before-2026-11-19"),
        ("i file in ~/a modificati dal 18", IT, "2026-11-18/2026-11-20"),
        ("i file in ~/a modificati il 18", IT, "2026-11-18"),
        ("files from 17 november on in ~/a", EN, "2026-11-17/2026-11-20"),
        ("files from 17 november onwards in ~/a", EN, "2026-11-17/2026-11-20"),
        ("i file in ~/a dal 17 novembre in poi", IT, "2026-11-17/2026-11-20"),
    ]);
}

#[test]
fn older_and_newer_than_a_day() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    assert_windows(&[
        ("delete the files in ~/a older than yesterday", EN, "before-2026-11-19"),
        ("cancella i file in ~/a più vecchi di ieri", IT, "before-2026-11-19"),
        ("files in ~/a older than 10 november", EN, "before-2026-11-10"),
        ("i file in ~/a più vecchi del 10 novembre", IT, "before-2026-11-10"),
        ("files in ~/a newer than 10 november", EN, "2026-11-11/2026-11-20"),
        ("i file in ~/a più recenti del 10 novembre", IT, "2026-11-11/2026-11-20"),
        ("files in ~/a changed more than two weeks ago", EN, "before-2026-11-06"),
        ("files in ~/a changed over two weeks ago", EN, "before-2026-11-06"),
        (
            "files in ~/a changed less than two weeks ago",
            EN,
            "2026-11-06/2026-11-20",
        ),
        ("files in ~/a changed under two weeks ago", EN, "2026-11-06/2026-11-20"),
        (
            "i file in ~/a modificati più di due settimane fa",
            IT,
            "before-2026-11-06",
        ),
        (
            "i file in ~/a modificati oltre due settimane fa",
            IT,
            "before-2026-11-06",
        ),
        (
            "i file in ~/a modificati meno di due settimane fa",
            IT,
            "2026-11-06/2026-11-20",
        ),
        // A "not" turns it round.
        ("files in ~/a not older than yesterday", EN, "2026-11-19/2026-11-20"),
        (
            "i file in ~/a modificati non più di due settimane fa",
            IT,
            "2026-11-06/2026-11-20",
        ),
        ("i file in ~/a che non sono più vecchi di un mese", IT, "last-1m"),
        ("files in ~/a no newer than a month", EN, "older-1m"),
        ("files in ~/a older than a day", EN, "older-1d"),
        ("i file in ~/a più vecchi di un giorno", IT, "older-1d"),
    ]);
    // Newer than a whole week may begin in it or behind it.
    for (text, lang) in [
        ("files in ~/a newer than last week", Lang::EN),
        ("cancella i file in ~/a più recenti di ieri", Lang::IT),
        ("delete the files in ~/a unless older than a month", Lang::EN),
    ] {
        assert!(windows(text, lang).1, "{text}");
    }
}
