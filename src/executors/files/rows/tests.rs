//! What is said of a row, and the row that comes of it.

use super::*;

const FUEL: &str = "date,litres,euro\n2026-11-07,39.5,70.70\n";
const SPESE: &str =
    "data;categoria;descrizione;euro\n07/11/2026;Casa;lampadine;12,40\n14/11/2026;Scuola;mensa;1.080,00\n";

fn added(text: &str, said: &str, lang: Lang) -> Result<String, String> {
    let rows = fit("a.csv", text, said, lang).map_err(|error| error.message.key.as_str().to_owned())?;
    Ok(rows.map_or_else(|| "as before".to_owned(), |rows| rows.join("\n")))
}

fn check(text: &str, lang: Lang, cases: &[(&str, &str)]) {
    for (said, wanted) in cases {
        assert_eq!(added(text, said, lang).as_deref(), Ok(*wanted), "{said}");
    }
}

#[test]
fn what_is_said_takes_the_form_of_its_column() {
    check(
        FUEL,
        Lang::EN,
        &[
            ("28 November 2026, 41 litres, 73.80 euros", "2026-11-28,41,73.80"),
            ("28 November 2026\n41 litres\n73.80 euros", "2026-11-28,41,73.80"),
            (
                "Saturday 28th of November 2026; 41.5 l; €1,073.80",
                "2026-11-28,41.5,1073.80",
            ),
            ("28/11/2026,41,74", "2026-11-28,41,74.00"),
            ("2026-11-28,41,73.80", "2026-11-28,41,73.80"),
            (
                "2026-11-28, 41, 73.80\n2026-11-29, 12, 20",
                "2026-11-28,41,73.80\n2026-11-29,12,20.00",
            ),
        ],
    );
    check(
        FUEL,
        Lang::IT,
        &[("28 novembre 2026, 41,5 litri, 73,80 euro", "2026-11-28,41.5,73.80")],
    );
    check(
        SPESE,
        Lang::IT,
        &[
            (
                "29/11/2026, Scuola, gita a Ravenna, 35 euro",
                "29/11/2026;Scuola;gita a Ravenna;35,00",
            ),
            (
                "29 novembre 2026,Scuola,gita,1.035,5 €",
                "29/11/2026;Scuola;gita;1035,50",
            ),
            ("2026-11-29; Scuola; gita; 35.5", "29/11/2026;Scuola;gita;35,50"),
            (
                "29/11/2026, Scuola, \"gita; pranzo, treno\", 35",
                "29/11/2026;Scuola;\"gita; pranzo, treno\";35,00",
            ),
            ("29/11/2026;Scuola;gita;35,5", "29/11/2026;Scuola;gita;35,5"),
        ],
    );
}

#[test]
fn days_are_written_in_the_order_of_their_column() {
    let american = "day,what\n3/4/26,milk\n11/28/26,bread\n";
    check(
        american,
        Lang::EN,
        &[
            ("5 March 2027, eggs", "3/5/27,eggs"),
            ("3/5/27, \"eggs, ham\"", "3/5/27,\"eggs, ham\""),
        ],
    );
    let points = "giorno\tcosa\n07.11.2026\tlatte\n";
    check(
        points,
        Lang::IT,
        &[
            ("1° marzo 2027, uova", "01.03.2027\tuova"),
            ("4/5/2027, uova", "04.05.2027\tuova"),
        ],
    );
}

#[test]
fn what_does_not_fit_is_refused_with_the_columns() {
    for (text, said, key) in [
        (FUEL, "41 litres, 73.80 euros", "executors-row-parts"),
        (
            FUEL,
            "28 November 2026, 41 litres, 73.80 euros, Shell",
            "executors-row-parts",
        ),
        (FUEL, "28 November 2026, full, 73.80 euros", "executors-row-value"),
        (FUEL, "28 November, 41, 73.80", "executors-row-value"),
        (FUEL, "28 November 2026, 41 gallons, 73.80", "executors-row-value"),
        (FUEL, "28 November 2026, 41, 80 cents", "executors-row-value"),
        (FUEL, "2026-11-28,41,73.80\n2026-11-29,full,70", "executors-row-value"),
        (FUEL, "30 February 2026, 41, 73.80", "executors-row-value"),
        (SPESE, "29/11/2026,Scuola,35,50", "executors-row-parts"),
    ] {
        assert_eq!(added(text, said, Lang::EN), Err(key.to_owned()), "{said}");
    }
}

#[test]
fn a_first_row_names_the_units_of_its_heading() {
    let cases = [("28 November 2026, 41 litres, 73.80 euros", "2026-11-28,41,73.80")];
    check("date,litres,euro\n", Lang::EN, &cases);
    check("a,b\n", Lang::EN, &[("6 eggs, 0039 333", "6 eggs,0039 333")]);
}

#[test]
fn numbers_that_are_names_and_prices_of_three_decimals_stay_what_they_are() {
    let towns = "town,zip,price\nRoma,00118,1.759\nNapoli,80121,1.801\n";
    check(towns, Lang::IT, &[("Asti, 14100, 1.699 euro", "Asti,14100,1.699")]);
}

#[test]
fn what_is_no_table_with_a_heading_is_left_to_lines() {
    for text in ["", "milk\nbread\n", "2026-11-07,39.5\n", "1,2\n3,4\n"] {
        check(text, Lang::EN, &[("eggs, 6", "as before")]);
    }
    check(FUEL, Lang::EN, &[(" \n", "as before")]);
    assert!(fit("a.txt", FUEL, "eggs", Lang::EN).is_ok_and(|rows| rows.is_none()));
}
