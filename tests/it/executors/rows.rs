//! `write_files` on tables of text: what is added to one is a row of it, or nothing, and undo takes it away.

use metnos::domain::failure::ErrorClass;
use serde_json::json;

use super::{Bench, class, column};

#[tokio::test]
async fn what_is_added_to_a_table_is_a_row_of_it_and_can_be_taken_back() {
    let fuel = "date,litres,euro\n2026-11-07,39.5,70.70\n";
    let house = "\u{feff}data;categoria;descrizione;euro\r\n07/11/2026;Casa;lampadine;12,40\r\n";
    for (name, before, said, row, end) in [
        (
            "fuel.csv",
            fuel,
            "28 November 2026, 41 litres, 73.80 euros",
            "2026-11-28,41,73.80",
            "\n",
        ),
        (
            "spese_casa.csv",
            house,
            "29/11/2026, Scuola, gita a Ravenna, 35 euro",
            "29/11/2026;Scuola;gita a Ravenna;35,00",
            "\r\n",
        ),
    ] {
        for (mode, action) in [("add_lines", "lines_added"), ("append", "line_appended")] {
            let bench = Bench::new();
            bench.put(name, before);
            let args = json!({"path": format!("~/{name}"), "mode": mode, "content": said});
            let done = bench.run("write_files", args).await;
            assert_eq!(
                (&done.body["action"], &done.body["lines"]),
                (&json!(action), &json!(row)),
                "{done:?}"
            );
            assert_eq!(bench.text(name), format!("{before}{row}{end}"));
            assert_eq!(column(&bench.undo(&done).await, "action"), ["restored"]);
            assert_eq!(bench.text(name), before);
        }
    }
}

#[tokio::test]
async fn what_is_no_row_of_a_table_is_not_added() {
    let fuel = "date,litres,euro\n2026-11-07,39.5,70.70\n";
    for mode in ["add_lines", "append"] {
        for said in ["41 litres", "2026-11-28,41,73.80\n2026-11-29,full,70"] {
            let bench = Bench::new();
            bench.put("fuel.csv", fuel);
            let args = json!({"path": "~/fuel.csv", "mode": mode, "content": said});
            let refused = bench.run("write_files", args).await;
            assert_eq!(class(&refused), ErrorClass::InvalidArgs, "{said}");
            assert!(refused.reversals.is_empty(), "{refused:?}");
            assert_eq!(bench.text("fuel.csv"), fuel);
        }
    }
}
