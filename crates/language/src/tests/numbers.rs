//! Numbers in digits and in words: what they are, where they stand, and what a request does with them.

use super::*;

fn numbers(text: &str, lang: Lang) -> Vec<f64> {
    LANGUAGE.read_in(text, lang, &now(), &Home::unknown()).numbers
}

#[test]
fn numbers_are_read_in_digits_and_in_words() {
    let table: &[(&str, Lang, &[f64])] = &[
        ("price above 1,234.56 dollars", Lang::EN, &[1234.56]),
        ("prezzo sopra 1.234,56 euro", Lang::IT, &[1234.56]),
        ("one hundred and five, a dozen", Lang::EN, &[105.0, 12.0]),
        ("ventidue, millenovecentonovantanove", Lang::IT, &[22.0, 1999.0]),
        ("two hundred and sixty-one thousand tiles", Lang::EN, &[261_000.0]),
        ("duecentosessantuno mila piastrelle", Lang::IT, &[261_000.0]),
        ("three and a half pages", Lang::EN, &[3.5]),
        ("tre pagine e mezza, due e mezzo", Lang::IT, &[3.0, 2.5]),
        ("-3 degrees and 1e3 rows", Lang::EN, &[-3.0, 1000.0]),
        ("half a dozen, mezzo", Lang::EN, &[6.0]),
        ("mezzo milione di righe", Lang::IT, &[500_000.0]),
        ("minus five, 20k, 1.5M", Lang::EN, &[-5.0, 20_000.0, 1_500_000.0]),
        ("meno cinque, più o meno dieci", Lang::IT, &[-5.0, 10.0]),
        ("chiama il +39 06 1234567", Lang::IT, &[]),
        ("version v1.2.3 of a file", Lang::EN, &[]),
        (
            "a file, one of the two, no number in ~/2024/a1.txt",
            Lang::EN,
            &[1.0, 2.0],
        ),
        ("un file, una riga", Lang::IT, &[]),
    ];
    for (text, lang, expected) in table {
        assert_eq!(numbers(text, *lang), *expected, "{text}");
    }
}

/// What is dictated is written out.
#[test]
fn decimals_and_large_numbers_are_read_as_they_are_said() {
    let table: &[(&str, Lang, &[f64])] = &[
        ("twenty point five degrees", Lang::EN, &[20.5]),
        ("minus 2 point 5", Lang::EN, &[-2.5]),
        ("nine point nought four", Lang::EN, &[9.04]),
        ("two point five million", Lang::EN, &[2_500_000.0]),
        ("venti virgola cinque gradi", Lang::IT, &[20.5]),
        ("dodici virgola venticinque", Lang::IT, &[12.25]),
        ("uno virgola cinque", Lang::IT, &[1.5]),
        ("meno cinque virgola cinque", Lang::IT, &[-5.5]),
        ("un milione duecentomila euro", Lang::IT, &[1_200_000.0]),
        ("duemila e cinquecento euro", Lang::IT, &[2500.0]),
        ("a million and a half dollars", Lang::EN, &[1_500_000.0]),
        ("due milioni e mezzo di euro", Lang::IT, &[2_500_000.0]),
        ("2 mln di euro", Lang::IT, &[2_000_000.0]),
        ("4 thousand 3 hundred and 21 files", Lang::EN, &[4321.0]),
        ("2 milioni e 300 mila euro", Lang::IT, &[2_300_000.0]),
        ("1 234 567 rows, 40 000 cells", Lang::EN, &[1_234_567.0, 40_000.0]),
        ("10 000,50 euro", Lang::IT, &[10_000.5]),
        ("1.234,56 and -4/5", Lang::EN, &[1234.56, -0.8]),
        ("1,234.56 e 3e+2", Lang::IT, &[1234.56, 300.0]),
        ("three lakh crore", Lang::EN, &[3e12]),
        // Two numbers.
        ("between one million and five hundred", Lang::EN, &[1_000_000.0, 500.0]),
        ("tra 1 milione e 500 mila", Lang::IT, &[1_000_000.0, 500_000.0]),
        ("3 thousand 5", Lang::EN, &[3000.0, 5.0]),
        ("pages 10 200", Lang::EN, &[10.0, 200.0]),
        // Lists, versions, and a point that is none of a number.
        ("7 virgola 8 virgola 9", Lang::IT, &[7.0, 8.0, 9.0]),
        ("version two point five point one", Lang::EN, &[2.0, 5.0, 1.0]),
        ("due mele virgola tre pere", Lang::IT, &[2.0, 3.0]),
        ("at this point 5 people came", Lang::EN, &[5.0]),
        ("tra cento e duecento", Lang::IT, &[100.0, 200.0]),
    ];
    for (text, lang, expected) in table {
        assert_eq!(numbers(text, *lang), *expected, "{text}");
    }
}

#[test]
fn fractions_are_parts_of_one_or_added_to_a_number() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    let table: &[(&str, Lang, &[f64])] = &[
        ("two thirds", EN, &[2.0 / 3.0]),
        ("three quarters of a cup", EN, &[0.75]),
        ("one eighth, a fifth", EN, &[0.125, 0.2]),
        ("twenty twenty-fifths", EN, &[0.8]),
        ("one hundred and thirty fifths", EN, &[26.0]),
        ("one hundred and three quarters", EN, &[100.75]),
        ("three and a fifth", EN, &[3.2]),
        ("a million and three quarters", EN, &[1_750_000.0]),
        ("one billion and a quarter million", EN, &[1_000_250_000.0]),
        (
            "a quarter million, two thirds of a million",
            EN,
            &[250_000.0, 2e6 / 3.0],
        ),
        ("2½ cups, ¾ cup", EN, &[2.5, 0.75]),
        ("tre quarti", IT, &[0.75]),
        ("un ottavo, due e un mezzo", IT, &[0.125, 2.5]),
        ("uno e mezzo", IT, &[1.5]),
        ("tre ventunesimi", IT, &[1.0 / 7.0]),
        ("centotre e due terzi", IT, &[103.0 + 2.0 / 3.0]),
        ("cinque miliardi e tre quarti", IT, &[5_750_000_000.0]),
        // A place in a row, a time, a thing.
        ("a third file, the twenty fifth row", EN, &[]),
        ("wait three seconds", EN, &[3.0]),
        ("un terzo file, il quarto", IT, &[]),
        ("un file e mezza pagina", IT, &[]),
    ];
    for (text, lang, expected) in table {
        let found = numbers(text, *lang);
        let close = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-6 * other.abs();
        let same = found.len() == expected.len() && found.iter().zip(*expected).all(close);
        assert!(same, "{text}: {found:?}");
    }
}

#[test]
fn a_number_is_one_fact_with_all_its_words() {
    let table = [
        ("write two hundred and five", Lang::EN, "two hundred and five", 205.0),
        ("scrivi duecentocinque", Lang::IT, "duecentocinque", 205.0),
        ("write -7", Lang::EN, "-7", -7.0),
        ("scrivi meno sette", Lang::IT, "meno sette", -7.0),
        ("scrivi 1.234,5", Lang::IT, "1.234,5", 1234.5),
        ("scrivi 1.000", Lang::IT, "1.000", 1000.0),
    ];
    for (text, lang, words, value) in table {
        let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
        let found: Vec<_> = reading
            .facts
            .iter()
            .map(|fact| (fact.kind, &text[fact.span.clone()], fact.value.as_f64()))
            .collect();
        assert_eq!(found, [(FactKind::Number, words, Some(value))], "{text}");
        assert_eq!(reading.unaccounted, [""; 0], "{text}");
    }
}

#[test]
fn words_for_numbers_count_what_digits_count() {
    let order = |text: &str, lang: Lang| {
        let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
        let order = reading.clauses.into_iter().find_map(|clause| clause.order);
        (
            order.map(|order| (order.field, order.desc, order.top)),
            reading.unaccounted,
        )
    };
    let largest = |top: u64| (Some(("size".to_owned(), true, Some(top))), Vec::new());
    for (text, lang, top) in [
        ("the twenty largest files in ~/docs", Lang::EN, 20),
        ("the twenty-five largest files in ~/docs", Lang::EN, 25),
        ("list the hundred and ten largest files in ~/docs", Lang::EN, 110),
        ("i venticinque file più grandi in ~/docs", Lang::IT, 25),
        ("elenca i centodieci file più grandi in ~/docs", Lang::IT, 110),
        ("the largest file in ~/docs", Lang::EN, 1),
        ("il file più grande in ~/docs", Lang::IT, 1),
    ] {
        assert_eq!(order(text, lang), largest(top), "{text}");
    }
    for (text, expected) in [
        (
            "show me the last twenty-five lines of ~/a.txt",
            "Count {count:25,side:last}",
        ),
        ("le prime venticinque righe di ~/a.txt", "Count {count:25,side:first}"),
        ("files bigger than twenty-five MB", "Size {bytes:25000000,bound:min}"),
        ("file più grandi di duecento MB", "Size {bytes:200000000,bound:min}"),
        ("file più grandi di 1.500 kB", "Size {bytes:1500000,bound:min}"),
        ("files bigger than 20k", "Size {bytes:20000,bound:min}"),
        (
            "files bigger than a gig and a half",
            "Size {bytes:1500000000,bound:min}",
        ),
        ("file più grandi di un mega e mezzo", "Size {bytes:1500000,bound:min}"),
        ("file oltre 2 giga e mezzo", "Size {bytes:2500000000,bound:min}"),
        ("files over three quarters of a gig", "Size {bytes:750000000,bound:min}"),
        ("file oltre tre quarti di giga", "Size {bytes:750000000,bound:min}"),
    ] {
        assert!(facts(text).contains(&expected.to_owned()), "{text}: {:?}", facts(text));
    }
}

#[test]
fn so_many_from_one_end_are_a_count_of_anything() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (text, lang, count, words) in [
        ("top 3", EN, "{count:3,side:first}", "top 3"),
        ("the top three songs", EN, "{count:3,side:first}", "the top three"),
        ("the first 5 files in ~/docs", EN, "{count:5,side:first}", "the first 5"),
        (
            "show me the last twelve messages",
            EN,
            "{count:12,side:last}",
            "the last twelve",
        ),
        ("prime 5", IT, "{count:5,side:first}", "prime 5"),
        ("i primi venti risultati", IT, "{count:20,side:first}", "i primi venti"),
        (
            "gli ultimi dieci messaggi",
            IT,
            "{count:10,side:last}",
            "gli ultimi dieci",
        ),
        ("le 5 prime", IT, "{count:5,side:first}", "5 prime"),
    ] {
        let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
        let counts: Vec<_> = reading
            .facts
            .iter()
            .filter(|fact| fact.kind == FactKind::Count)
            .collect();
        let [found] = counts.as_slice() else {
            panic!("{text}: {:?}", reading.facts)
        };
        assert_eq!(found.value.to_string().replace('"', ""), count, "{text}");
        assert_eq!(&text[found.span.clone()], words, "{text}");
    }
    // An order or a time takes the number for itself, and a word for an end alone is no count.
    for (text, lang) in [
        ("the top 5 processes by memory", EN),
        ("files of the last 3 days", EN),
        ("gli ultimi 5 file modificati", IT),
        ("the first file in ~/docs", EN),
        ("prima del 5 marzo", IT),
    ] {
        let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
        assert!(
            reading.facts.iter().all(|fact| fact.kind != FactKind::Count),
            "{text}: {:?}",
            reading.facts
        );
    }
}

#[test]
fn a_date_is_not_cut_by_the_word_before_it() {
    for (text, lang, day) in [
        ("who was on the rota for 2026-10-04", Lang::EN, "2026-10-04"),
        ("il resoconto per 2026-10-04", Lang::IT, "2026-10-04"),
    ] {
        let times = LANGUAGE.times(text, lang, &now(), &Conventions::HOUSEHOLD);
        let readings: Vec<_> = times.iter().flat_map(|time| &time.readings).collect();
        assert_eq!(readings, [&time::Value::Date(day.parse().unwrap())], "{text}");
    }
}

#[test]
fn an_hour_behind_a_day_stays_one_whatever_follows() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (text, lang, hour) in [
        ("tomorrow at 8 remind me of the meeting", EN, Some("2026-11-21T08:00")),
        ("domani alle 8 ricordami la riunione", IT, Some("2026-11-21T08:00")),
        ("ieri alle 23 eravamo ancora fuori", IT, Some("2026-11-19T23:00")),
        ("tomorrow at 8 degrees", EN, None),
        ("domani alle 8 persone", EN, None),
        ("tomorrow for 8 people", EN, None),
    ] {
        let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
        let mut readings = reading.times.iter().flat_map(|time| &time.readings);
        let moment = hour.map(|hour| time::Value::Moment(hour.parse().unwrap()));
        let is_moment = |value: &&time::Value| matches!(value, time::Value::Moment(_));
        assert_eq!(readings.find(is_moment).cloned(), moment, "{text}");
    }
}
