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
    use Lang::{En, It};
    let of = |amount: &str, code: &str| format!("{{amount:{amount},currency:{code}}}");
    let table = [
        ("pay $12.50 now", En, of("12.5", "USD"), "$12.50"),
        ("it costs $ 1,200", En, of("1200.0", "USD"), "$ 1,200"),
        ("20 bucks", En, of("20.0", "USD"), "20 bucks"),
        (
            "twenty euros and fifty cents",
            En,
            of("20.5", "EUR"),
            "twenty euros and fifty cents",
        ),
        ("EUR 7", En, of("7.0", "EUR"), "EUR 7"),
        ("a dollar", En, of("1.0", "USD"), "a dollar"),
        ("12 euro", It, of("12.0", "EUR"), "12 euro"),
        ("costa € 3", It, of("3.0", "EUR"), "€ 3"),
        ("tre euro e cinquanta", It, of("3.5", "EUR"), "tre euro e cinquanta"),
        ("ho speso 15 euro 50", It, of("15.5", "EUR"), "15 euro 50"),
        (
            "costa tredici euro e quarantacinque cent",
            It,
            of("13.45", "EUR"),
            "tredici euro e quarantacinque cent",
        ),
        ("un euro e mezzo", It, of("1.5", "EUR"), "un euro e mezzo"),
        ("1.234,56 €", It, of("1234.56", "EUR"), "1.234,56 €"),
        ("5 milioni di euro", It, of("5000000.0", "EUR"), "5 milioni di euro"),
        ("a $ 20 loan", En, of("20.0", "USD"), "$ 20"),
        ("duecento sterline", It, of("200.0", "GBP"), "duecento sterline"),
        ("fifty cents", En, of("50.0", "cent"), "fifty cents"),
        ("34 centesimi", It, of("34.0", "cent"), "34 centesimi"),
        ("20 ringgit and 43 sen", En, of("20.43", "MYR"), "20 ringgit and 43 sen"),
        (
            "2 milioni e 300 mila euro",
            It,
            of("2300000.0", "EUR"),
            "2 milioni e 300 mila euro",
        ),
        (
            "three quarters billion dollars",
            En,
            of("750000000.0", "USD"),
            "three quarters billion dollars",
        ),
    ];
    for (text, lang, value, words) in &table {
        assert_found(FactKind::Money, &[(*text, *lang, value.as_str(), *words)]);
    }
    let two = found("3 euro and 20 files", En);
    assert_eq!(two[0].1, of("3.0", "EUR"));
    assert_eq!(two[1].0, FactKind::Number);
}

#[test]
fn shares_of_a_hundred_are_numbers_of_their_own() {
    use Lang::{En, It};
    let table = [
        ("20%", En, "20.0", "20%"),
        ("20 percent", En, "20.0", "20 percent"),
        ("twenty per cent", En, "20.0", "twenty per cent"),
        ("il 12,5 %", It, "12.5", "12,5 %"),
        ("venti per cento", It, "20.0", "venti per cento"),
        ("cento percento", It, "100.0", "cento percento"),
    ];
    assert_found(FactKind::Percent, &table);
    let reading = LANGUAGE.read_in("il venti per cento", It, &now(), &Home::unknown());
    assert_eq!(reading.numbers, [20.0], "the hundred is no number of its own");
}

#[test]
fn measures_say_of_what_and_in_which_unit() {
    use Lang::En;
    let table = [
        (
            "21 degrees",
            En,
            "{amount:21.0,unit:degree,of:temperature}",
            "21 degrees",
        ),
        ("-5 °C", En, "{amount:-5.0,unit:celsius,of:temperature}", "-5 °C"),
        ("set it to 85°", En, "{amount:85.0,unit:degree,of:temperature}", "85°"),
        (
            "- 2 degrees",
            En,
            "{amount:-2.0,unit:degree,of:temperature}",
            "- 2 degrees",
        ),
        (
            "10 1/2 miles",
            En,
            "{amount:10.5,unit:mile,of:distance}",
            "10 1/2 miles",
        ),
        ("70°F", En, "{amount:70.0,unit:fahrenheit,of:temperature}", "70°F"),
        (
            "2 degrees below zero",
            En,
            "{amount:-2.0,unit:degree,of:temperature}",
            "2 degrees below zero",
        ),
        ("2 km", En, "{amount:2.0,unit:kilometre,of:distance}", "2 km"),
        (
            "7 feet and 10 inches",
            En,
            "{amount:94.0,unit:inch,of:distance}",
            "7 feet and 10 inches",
        ),
        ("half a kilo", En, "{amount:0.5,unit:kilogram,of:weight}", "half a kilo"),
        ("2 liters", En, "{amount:2.0,unit:litre,of:volume}", "2 liters"),
        (
            "three and a half cups",
            En,
            "{amount:3.5,unit:cup,of:volume}",
            "three and a half cups",
        ),
        (
            "three quarters of a cup",
            En,
            "{amount:0.75,unit:cup,of:volume}",
            "three quarters of a cup",
        ),
        ("2½ cups", En, "{amount:2.5,unit:cup,of:volume}", "2½ cups"),
    ];
    assert_found(FactKind::Amount, &table);
    let meat = found("two pounds of meat", En);
    assert_eq!(meat[0].1, "{amount:2.0,unit:pound,of:weight}");
}

#[test]
fn italian_measures_are_the_same() {
    use Lang::It;
    let table = [
        ("21 gradi", It, "{amount:21.0,unit:degree,of:temperature}", "21 gradi"),
        (
            "meno cinque gradi",
            It,
            "{amount:-5.0,unit:degree,of:temperature}",
            "meno cinque gradi",
        ),
        (
            "due chilometri",
            It,
            "{amount:2.0,unit:kilometre,of:distance}",
            "due chilometri",
        ),
        ("mezzo chilo", It, "{amount:0.5,unit:kilogram,of:weight}", "mezzo chilo"),
        (
            "un chilo e mezzo",
            It,
            "{amount:1.5,unit:kilogram,of:weight}",
            "un chilo e mezzo",
        ),
        (
            "2 chili e 300 grammi",
            It,
            "{amount:2300.0,unit:gram,of:weight}",
            "2 chili e 300 grammi",
        ),
        ("due etti", It, "{amount:2.0,unit:hectogram,of:weight}", "due etti"),
        ("1,5 l", It, "{amount:1.5,unit:litre,of:volume}", "1,5 l"),
    ];
    assert_found(FactKind::Amount, &table);
}

#[test]
fn telephone_numbers_are_digits_with_their_country() {
    use Lang::{En, It};
    let table = [
        ("call +39 06 1234567", En, "+39061234567", "+39 06 1234567"),
        ("call (+1) 650-701-8887", En, "+16507018887", "(+1) 650-701-8887"),
        ("call (650)-701-8887", En, "6507018887", "(650)-701-8887"),
        ("it is 07700 900873.", En, "07700900873", "07700 900873"),
        ("it is 1 (877) 609-2233.", En, "18776092233", "1 (877) 609-2233"),
        ("call 650 701 8887", En, "6507018887", "650 701 8887"),
        ("chiama 333 1234567", It, "3331234567", "333 1234567"),
        ("chiama lo 0612345678", It, "0612345678", "0612345678"),
        ("chiama 06 1234 5678", It, "0612345678", "06 1234 5678"),
        ("chiama il 3331234567", It, "3331234567", "3331234567"),
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
        let facts = found(text, En);
        assert!(
            facts.iter().all(|(kind, ..)| *kind != FactKind::Phone),
            "{text}: {facts:?}"
        );
    }
}

#[test]
fn sizes_times_and_names_stay_what_they_are() {
    use Lang::{En, It};
    for (text, lang, expected) in [
        ("files bigger than 3 MB", En, "Size {bytes:3000000,bound:min}"),
        ("file più grandi di 3 mega", It, "Size {bytes:3000000,bound:min}"),
        ("files over 10000000000 bytes", En, "Size {bytes:10000000000,bound:min}"),
        ("wait 5m", En, "Number 5.0"),
        ("the lines containing euro", En, "Query euro"),
        ("the last 3 lines", En, "Count {count:3,side:last}"),
    ] {
        let facts: Vec<String> = found(text, lang)
            .into_iter()
            .map(|(kind, value, _)| format!("{kind:?} {value}"))
            .collect();
        assert!(facts.contains(&expected.to_owned()), "{text}: {facts:?}");
    }
    for (text, lang) in [
        ("a cup on the table", En),
        ("per cento", It),
        ("the euro", En),
        ("un grado", It),
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
