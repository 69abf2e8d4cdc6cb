//! Words that are a time, a number, a kind or an address only in the right company, as people write them.

use super::*;

fn read(text: &str, lang: Lang) -> Reading {
    LANGUAGE.read_in(text, lang, &now(), &Home::unknown())
}

#[test]
fn what_only_looks_like_a_time_is_none() {
    for (text, lang) in [
        ("a pizza for 4, not 5.", Lang::EN),
        ("una pizza per 4", Lang::IT),
        ("dividi cento per otto", Lang::IT),
        ("turn off the sun lamp", Lang::EN),
        ("we sit in the sun", Lang::EN),
        ("it works 24/7 at 90 km/h", Lang::EN),
        ("da 3 a 7 righe", Lang::IT),
        ("tra 5 e 10 file", Lang::IT),
    ] {
        assert_eq!(read(text, lang).times, [], "{text}");
    }
    for (text, lang) in [
        ("set an alarm for 4", Lang::EN),
        ("see you on sun", Lang::EN),
        ("lunch on 24/7", Lang::EN),
        ("da 3 a 7", Lang::IT),
        ("tra il 5 e il 10", Lang::IT),
    ] {
        assert_eq!(read(text, lang).times.len(), 1, "{text}");
    }
}

#[test]
fn a_time_is_taken_with_the_words_it_belongs_to() {
    let day = |text: &str, lang: Lang| match read(text, lang).times.as_slice() {
        [time] => time.readings.first().cloned(),
        _ => None,
    };
    for (text, other, lang) in [
        ("we moved in 12 days ago", "12 days ago", Lang::EN),
        ("che tempo fa sabato?", "sabato", Lang::IT),
        ("cosa fa lunedì sera in tv", "lunedì sera", Lang::IT),
        ("i primi di maggio", "inizio maggio", Lang::IT),
    ] {
        assert!(day(text, lang).is_some(), "{text}");
        assert_eq!(day(text, lang), day(other, lang), "{text}");
    }
}

#[test]
fn what_only_looks_like_a_number_is_none() {
    let table: &[(&str, Lang, &[f64])] = &[
        ("(18 + 24) divided by 7", Lang::EN, &[18.0, 24.0, 7.0]),
        ("18+24", Lang::EN, &[18.0, 24.0]),
        ("which one is better, no one knows", Lang::EN, &[]),
        ("buy one", Lang::EN, &[1.0]),
        ("sei sicuro? dove sei", Lang::IT, &[]),
        ("compra sei mele", Lang::IT, &[6.0]),
    ];
    for (text, lang, numbers) in table {
        assert_eq!(read(text, *lang).numbers, *numbers, "{text}");
    }
}

#[test]
fn a_value_ends_where_it_ends() {
    for (text, kind, value) in [
        ("list the .tar.gz archives", FactKind::Glob, "*.tar.gz"),
        ("find tar.gz files in ~/x", FactKind::Glob, "*.tar.gz"),
        ("find .min.js files in ~/x", FactKind::Glob, "*.min.js"),
        (
            "(see https://x.org/Rust_(language))",
            FactKind::Url,
            "https://x.org/Rust_(language)",
        ),
    ] {
        let reading = read(text, Lang::EN);
        let found: Vec<&str> = reading
            .facts
            .iter()
            .filter(|fact| fact.kind == kind)
            .map(Fact::text)
            .collect();
        assert_eq!(found, [value], "{text}");
    }
    let reading = read("put the clock on the home screen", Lang::EN);
    assert!(!reading.facts.iter().any(|fact| fact.kind == FactKind::Path));
}
