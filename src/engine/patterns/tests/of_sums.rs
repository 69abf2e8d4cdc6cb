//! What is nothing but a sum, and what only looks like one.

use super::*;

fn sum(text: &str, lang: Lang) -> Option<String> {
    let found = PATTERNS.matching(text, &Speaker::host(lang), &HOME);
    if let PatternMatch::Hit(Pattern::Sum { expression }) = found {
        Some(expression)
    } else {
        None
    }
}

#[test]
fn sums_percentages_and_units_are_read_in_both_languages() {
    let mut wrong = Vec::new();
    for (text, lang, expected) in [
        ("2+2", Lang::EN, "2 + 2"),
        ("What is 12 times 3.5?", Lang::EN, "12 * 3.5"),
        ("hey metnos, what's 15% of 80 please", Lang::EN, "15% of 80"),
        ("how much is twenty percent of fifty", Lang::EN, "20% of 50"),
        ("80 plus 10%", Lang::EN, "80 + 10%"),
        ("(2 + 3) * 4 =", Lang::EN, "( 2 + 3 ) * 4"),
        ("calculate the square root of 16", Lang::EN, "sqrt 16"),
        ("what is 7 squared minus 1", Lang::EN, "7^2 - 1"),
        ("what is 10/4", Lang::EN, "10 / 4"),
        ("convert 5 miles to km", Lang::EN, "5 mi to km"),
        ("how many cups are in a litre?", Lang::EN, "1 l to cup"),
        ("how many cm in 5 feet 2 inches", Lang::EN, "5 ft 2 inch to cm"),
        ("what is 350°F in °C", Lang::EN, "350 °F to °C"),
        ("how many minutes in 3 days", Lang::EN, "3 day to min"),
        ("quanto fa 2 più 2?", Lang::IT, "2 + 2"),
        ("quanto fa 12,5 per 3", Lang::IT, "12,5 * 3"),
        ("quant'è il 15% di 80", Lang::IT, "15% of 80"),
        ("il 22 per cento di 1.500", Lang::IT, "22% of 1.500"),
        ("quanto fa venti diviso quattro", Lang::IT, "20 / 4"),
        ("100 - 20%", Lang::IT, "100 - 20%"),
        ("radice quadrata di 81", Lang::IT, "sqrt 81"),
        ("converti 3 etti in grammi", Lang::IT, "3 hg to g"),
        ("quanti chilometri sono 10 miglia?", Lang::IT, "10 mi to km"),
        ("quanti minuti ci sono in una settimana", Lang::IT, "1 week to min"),
        ("100 km/h in mph", Lang::EN, "100 km/h to mph"),
        ("quanto fa 3 al quadrato per favore", Lang::IT, "3^2"),
    ] {
        let found = sum(text, lang);
        if found.as_deref() != Some(expected) {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_only_has_numbers_in_it_is_no_sum() {
    let mut wrong = Vec::new();
    for text in [
        "add 2 eggs to the list",
        "page 5 of 12",
        "call me at 7 to 8",
        "5 of 12",
        "7 to 8",
        "12/05/2024",
        "5/12",
        "what is 12/05/2024",
        "2024-05-12",
        "555-1234",
        "340 1234567",
        "+39 340 1234567",
        "what is 06-555",
        "10%",
        "how much is 20 km",
        "5 minutes",
        "what is 5",
        "24/7",
        "3 cups of flour",
        "2 + 2 eggs",
        "what is 2 + x",
        "what is love",
        "10 percent of the files",
        "how many files in 3 folders",
        "how many cups",
        "10 euros in dollars",
        "set a timer for 5 minutes",
        "2 +",
        "(2 + 3",
        "what is 10:30",
        "version 1.2.3",
        "remind me in 2 hours",
        "5 km to 3",
        "what is 2 in the list",
        "aggiungi 2 uova alla lista",
        "pagina 5 di 12",
        "chiamami dalle 7 alle 8",
        "5 di 12",
        "il 5/12",
        "il 10%",
        "il 25 di marzo",
        "3 x 2 lattine",
        "quanti file ci sono in 3 cartelle",
        "tra 2 ore",
        "il 20 per cento degli ospiti",
        "2 per 3 metri di stoffa",
        "dividi 20 per 4 persone",
        "16 + 9% di sconto",
        "5 + 10% + 2",
        "how many minutes in a",
        "a in minutes",
        "100 + % of 5",
    ] {
        for lang in Lang::BUILT_IN {
            wrong.extend(sum(text, lang).map(|found| format!("{text}: {found}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
