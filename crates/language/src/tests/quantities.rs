//! Amounts of money, shares, measures and telephone numbers, in both languages, and what must stay something else.

use super::*;

/// The facts of a text in one language: kind, value and the words they stand for.
fn found(text: &str, lang: Lang) -> Vec<(FactKind, String, String)> {
    let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
    let fact = |fact: &Fact| {
        let value = fact.value.to_string().replace('"', "");
        (fact.kind, value, text[fact.span.clone()].to_owned())
    };
    reading.facts.iter().map(fact).collect()
}

fn assert_found(kind: FactKind, table: &[(&str, Lang, &str, &str)]) {
    for (text, lang, value, words) in table {
        let expected = (kind, (*value).to_owned(), (*words).to_owned());
        assert_eq!(found(text, *lang), [expected], "{text}");
    }
}

#[test]
fn money_is_read_with_its_currency() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    let of = |amount: &str, code: &str| format!("{{amount:{amount},currency:{code}}}");
    let table = [
        ("pay $12.50 now", EN, of("12.5", "USD"), "$12.50"),
        ("it costs $ 1,200", EN, of("1200.0", "USD"), "$ 1,200"),
        ("20 bucks", EN, of("20.0", "USD"), "20 bucks"),
        (
            "twenty euros and fifty cents",
            EN,
            of("20.5", "EUR"),
            "twenty euros and fifty cents",
        ),
        ("EUR 7", EN, of("7.0", "EUR"), "EUR 7"),
        ("a dollar", EN, of("1.0", "USD"), "a dollar"),
        ("12 euro", IT, of("12.0", "EUR"), "12 euro"),
        ("costa € 3", IT, of("3.0", "EUR"), "€ 3"),
        ("tre euro e cinquanta", IT, of("3.5", "EUR"), "tre euro e cinquanta"),
        ("ho speso 15 euro 50", IT, of("15.5", "EUR"), "15 euro 50"),
        (
            "costa tredici euro e quarantacinque cent",
            IT,
            of("13.45", "EUR"),
            "tredici euro e quarantacinque cent",
        ),
        ("un euro e mezzo", IT, of("1.5", "EUR"), "un euro e mezzo"),
        ("1.234,56 €", IT, of("1234.56", "EUR"), "1.234,56 €"),
        ("5 milioni di euro", IT, of("5000000.0", "EUR"), "5 milioni di euro"),
        ("a $ 20 loan", EN, of("20.0", "USD"), "$ 20"),
        ("duecento sterline", IT, of("200.0", "GBP"), "duecento sterline"),
        ("fifty cents", EN, of("50.0", "cent"), "fifty cents"),
        ("34 centesimi", IT, of("34.0", "cent"), "34 centesimi"),
        ("20 ringgit and 43 sen", EN, of("20.43", "MYR"), "20 ringgit and 43 sen"),
        (
            "2 milioni e 300 mila euro",
            IT,
            of("2300000.0", "EUR"),
            "2 milioni e 300 mila euro",
        ),
        (
            "three quarters billion dollars",
            EN,
            of("750000000.0", "USD"),
            "three quarters billion dollars",
        ),
    ];
    for (text, lang, value, words) in &table {
        assert_found(FactKind::Money, &[(*text, *lang, value.as_str(), *words)]);
    }
    let two = found("3 euro and 20 files", EN);
    assert_eq!(two[0].1, of("3.0", "EUR"));
    assert_eq!(two[1].0, FactKind::Number);
}

#[test]
fn shares_of_a_hundred_are_numbers_of_their_own() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    let table = [
        ("20%", EN, "20.0", "20%"),
        ("20 percent", EN, "20.0", "20 percent"),
        ("twenty per cent", EN, "20.0", "twenty per cent"),
        ("il 12,5 %", IT, "12.5", "12,5 %"),
        ("venti per cento", IT, "20.0", "venti per cento"),
        ("cento percento", IT, "100.0", "cento percento"),
    ];
    assert_found(FactKind::Percent, &table);
    let reading = LANGUAGE.read_in("il venti per cento", IT, &now(), &Home::unknown());
    assert_eq!(reading.numbers, [20.0], "the hundred is no number of its own");
}

#[test]
fn measures_say_of_what_and_in_which_unit() {
    const EN: Lang = Lang::EN;
    let table = [
        (
            "21 degrees",
            EN,
            "{amount:21.0,unit:degree,of:temperature}",
            "21 degrees",
        ),
        ("-5 °C", EN, "{amount:-5.0,unit:celsius,of:temperature}", "-5 °C"),
        ("set it to 85°", EN, "{amount:85.0,unit:degree,of:temperature}", "85°"),
        (
            "- 2 degrees",
            EN,
            "{amount:-2.0,unit:degree,of:temperature}",
            "- 2 degrees",
        ),
        (
            "10 1/2 miles",
            EN,
            "{amount:10.5,unit:mile,of:distance}",
            "10 1/2 miles",
        ),
        ("70°F", EN, "{amount:70.0,unit:fahrenheit,of:temperature}", "70°F"),
        (
            "2 degrees below zero",
            EN,
            "{amount:-2.0,unit:degree,of:temperature}",
            "2 degrees below zero",
        ),
        ("2 km", EN, "{amount:2.0,unit:kilometre,of:distance}", "2 km"),
        (
            "7 feet and 10 inches",
            EN,
            "{amount:94.0,unit:inch,of:distance}",
            "7 feet and 10 inches",
        ),
        ("half a kilo", EN, "{amount:0.5,unit:kilogram,of:weight}", "half a kilo"),
        ("2 liters", EN, "{amount:2.0,unit:litre,of:volume}", "2 liters"),
        (
            "three and a half cups",
            EN,
            "{amount:3.5,unit:cup,of:volume}",
            "three and a half cups",
        ),
        (
            "three quarters of a cup",
            EN,
            "{amount:0.75,unit:cup,of:volume}",
            "three quarters of a cup",
        ),
        ("2½ cups", EN, "{amount:2.5,unit:cup,of:volume}", "2½ cups"),
    ];
    assert_found(FactKind::Amount, &table);
    let meat = found("two pounds of meat", EN);
    assert_eq!(meat[0].1, "{amount:2.0,unit:pound,of:weight}");
}

#[test]
fn italian_measures_are_the_same() {
    const IT: Lang = Lang::IT;
    let table = [
        ("21 gradi", IT, "{amount:21.0,unit:degree,of:temperature}", "21 gradi"),
        (
            "meno cinque gradi",
            IT,
            "{amount:-5.0,unit:degree,of:temperature}",
            "meno cinque gradi",
        ),
        (
            "due chilometri",
            IT,
            "{amount:2.0,unit:kilometre,of:distance}",
            "due chilometri",
        ),
        ("mezzo chilo", IT, "{amount:0.5,unit:kilogram,of:weight}", "mezzo chilo"),
        (
            "un chilo e mezzo",
            IT,
            "{amount:1.5,unit:kilogram,of:weight}",
            "un chilo e mezzo",
        ),
        (
            "2 chili e 300 grammi",
            IT,
            "{amount:2300.0,unit:gram,of:weight}",
            "2 chili e 300 grammi",
        ),
        ("due etti", IT, "{amount:2.0,unit:hectogram,of:weight}", "due etti"),
        ("1,5 l", IT, "{amount:1.5,unit:litre,of:volume}", "1,5 l"),
    ];
    assert_found(FactKind::Amount, &table);
}

#[test]
fn telephone_numbers_are_digits_with_their_country() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    let table = [
        ("call +39 06 1234567", EN, "+39061234567", "+39 06 1234567"),
        ("call (+1) 650-701-8887", EN, "+16507018887", "(+1) 650-701-8887"),
        ("call (650)-701-8887", EN, "6507018887", "(650)-701-8887"),
        ("it is 07700 900873.", EN, "07700900873", "07700 900873"),
        ("it is 1 (877) 609-2233.", EN, "18776092233", "1 (877) 609-2233"),
        ("call 650 701 8887", EN, "6507018887", "650 701 8887"),
        ("chiama 333 1234567", IT, "3331234567", "333 1234567"),
        ("chiama lo 0612345678", IT, "0612345678", "0612345678"),
        ("chiama 06 1234 5678", IT, "0612345678", "06 1234 5678"),
        ("chiama il 3331234567", IT, "3331234567", "3331234567"),
    ];
    for (text, lang, value, words) in table {
        let phones: Vec<_> = found(text, lang)
            .into_iter()
            .filter(|(kind, ..)| *kind == FactKind::Phone)
            .collect();
        assert_eq!(
            phones,
            [(FactKind::Phone, value.to_owned(), words.to_owned())],
            "{text}"
        );
        let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
        assert_eq!(reading.numbers, [0.0; 0], "{text}");
    }
    for text in [
        "192.168.178.20",
        "2026-11-20",
        "20/11/2026",
        "lines 1000-2000",
        "4111 1111 1111 1111",
        "1234567890123456",
        "12 345 678",
        "1.234.567",
        "files of 2026-11-20 10:30",
        "files bigger than 10000000000 bytes",
    ] {
        let facts = found(text, EN);
        assert!(
            facts.iter().all(|(kind, ..)| *kind != FactKind::Phone),
            "{text}: {facts:?}"
        );
    }
}

#[test]
fn sizes_times_and_names_stay_what_they_are() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (text, lang, expected) in [
        ("files bigger than 3 MB", EN, "Size {bytes:3000000,bound:min}"),
        ("file più grandi di 3 mega", IT, "Size {bytes:3000000,bound:min}"),
        ("files over 10000000000 bytes", EN, "Size {bytes:10000000000,bound:min}"),
        ("wait 5m", EN, "Number 5.0"),
        ("the lines containing euro", EN, "Query euro"),
        ("the last 3 lines", EN, "Count {count:3,side:last}"),
    ] {
        let facts: Vec<String> = found(text, lang)
            .into_iter()
            .map(|(kind, value, _)| format!("{kind:?} {value}"))
            .collect();
        assert!(facts.contains(&expected.to_owned()), "{text}: {facts:?}");
    }
    for (text, lang) in [
        ("a cup on the table", EN),
        ("per cento", IT),
        ("the euro", EN),
        ("un grado", IT),
    ] {
        let facts = found(text, lang);
        assert!(
            facts.iter().all(|(kind, ..)| *kind != FactKind::Money),
            "{text}: {facts:?}"
        );
        assert!(
            facts.iter().all(|(kind, ..)| *kind != FactKind::Percent),
            "{text}: {facts:?}"
        );
    }
}
