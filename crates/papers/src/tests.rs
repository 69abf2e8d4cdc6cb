//! Questions to tables and texts as a household has them.

use serde_json::json;

use super::*;

fn table(path: &str, rows: &Value) -> Paper {
    let parts = json!([{"sheet": "Sheet1", "rows": rows}]);
    Paper::new(path, 0, &parts.to_string())
}

fn text(path: &str, text: &str) -> Paper {
    Paper::new(path, 0, &json!([{"page": 1, "text": text}]).to_string())
}

fn said(papers: &[Paper], lang: Lang, question: &str) -> String {
    let language = Language::embedded().unwrap();
    let words = Words::embedded().unwrap();
    let Some(answer) = answer(question, lang, papers, &language, &words) else {
        return String::new();
    };
    match answer.finding {
        Finding::Passage(text) => text,
        Finding::Rows { rows, .. } => rows.join("\n"),
        Finding::Numbers(all) => {
            let one = |one: &Reckoned| format!("{:?} {} {}", one.how, one.column, one.number.text(lang));
            all.iter().map(one).collect::<Vec<_>>().join("\n")
        }
    }
}

fn fuel() -> Paper {
    table(
        "~/car/fuel.csv",
        &json!([
            ["date", "who", "litres", "euro"],
            ["2026-02-27", "Anna", "30,1", "55,20"],
            ["2026-03-04", "Nina", "41,0", "73,80"],
            ["2026-03-19", "Anna", "28,5", "51,00"],
            ["2026-04-02", "Nina", "40,0", "72,00"],
        ]),
    )
}

#[test]
fn a_table_is_added_up_filtered_and_compared() {
    let papers = [fuel()];
    let english = |question: &str| said(&papers, Lang::EN, question);
    assert_eq!(english("add up the euro column in fuel.csv"), "Sum euro 252");
    assert_eq!(english("how much did we spend on fuel in March?"), "Sum euro 124.80");
    assert_eq!(english("how much did Nina spend on fuel in total?"), "Sum euro 145.80");
    assert_eq!(
        said(&papers, Lang::IT, "quanto ha pagato Nina in tutto di benzina?"),
        "Sum euro 145,80"
    );
    assert_eq!(
        english("what is the average of the litres in fuel?"),
        "Mean litres 34.90"
    );
    assert_eq!(
        english("who paid the most euro for fuel?"),
        "2026-03-04 · Nina · litres 41,0 · euro 73,80"
    );
}

#[test]
fn what_is_about_something_else_is_not_answered() {
    let papers = [
        fuel(),
        text(
            "~/docs/gym.pdf",
            "Contract with Fit Gym. Notice period: two months. Fee 39,90 €.",
        ),
    ];
    let english = |question: &str| said(&papers, Lang::EN, question);
    // Nobody of that name, no such month, another thing.
    assert_eq!(english("how much did Paolo spend on fuel?"), "");
    assert_eq!(english("how much did we spend on fuel in December?"), "");
    assert_eq!(english("how much did we spend on gifts in March?"), "");
    assert_eq!(english("when does the swimming pool open?"), "");
    assert!(english("what is the notice period of the gym contract?").contains("two months"));
}

#[test]
fn a_column_that_tells_which_rows_are_meant_is_not_added_up() {
    let rows = json!([
        ["Name", "Class"],
        ["Noah", 1],
        ["Mia", 3],
        ["Sam", 3],
        ["Ivy", 2],
        ["Tom", 3],
        ["Ann", 3]
    ]);
    let papers = [table("~/school/class_members.xlsx", &rows)];
    assert_eq!(said(&papers, Lang::EN, "how many members are in class 3?"), "Count  4");
    assert_eq!(
        said(&papers, Lang::EN, "which class has the fewest members?"),
        "Class 1 · 1\nClass 2 · 1"
    );
    assert_eq!(said(&papers, Lang::EN, "what is Sam's number?"), "");
}

#[test]
fn a_name_alone_makes_no_answer() {
    let receipt = "TechMart, San Francisco\nTOTAL $821.14\nReturns within 30 days with this receipt";
    let papers = [text("~/docs/techmart.pdf", receipt)];
    let english = |question: &str| said(&papers, Lang::EN, question);
    assert_eq!(english("who is the president of France?"), "");
    assert_eq!(english("how much does a flight to San Francisco cost?"), "");
    assert!(english("how long do I have to return something bought at TechMart?").contains("30 days"));
    let party = [text(
        "~/docs/party.pdf",
        "You are invited!\nDate: August 20\nVenue: Doe Mansion",
    )];
    assert!(said(&party, Lang::EN, "when is the party?").contains("August 20"));
}

#[test]
fn names_in_one_row_are_enough() {
    let rows = json!([
        ["Car Trading Records", null, null],
        ["Date", "Car Model", "Buyer", "Price"],
        ["2024-03-18", "Toyota Camry", "Alice", "$15,000"],
        ["2024-04-17", "Benz GLE 53 AMG", "Tom", "$62,500"]
    ]);
    let papers = [table("~/car_trading.xlsx", &rows)];
    let answer = said(&papers, Lang::EN, "How much did Tom pay for the Benz?");
    assert!(answer.contains("$62,500"), "{answer}");
}

#[test]
fn a_question_without_a_topic_is_one_for_the_paper_that_was_spoken_of() {
    let bill = |is_spoken_of| Paper {
        is_spoken_of,
        ..text(
            "~/docs/gas bill.pdf",
            "Gas bill October 2026\nTotal due: 84.20 euros\nPay by 12 December 2026.\nCustomer number 55-8812",
        )
    };
    for (lang, question, answer) in [
        (Lang::EN, "by when do I have to pay it?", "Pay by 12 December 2026."),
        (Lang::EN, "what is the customer number?", "Customer number 55-8812"),
        (Lang::IT, "ed entro quando?", "Pay by 12 December 2026."),
    ] {
        assert_eq!(said(&[bill(true)], lang, question), answer, "{question}");
        assert_eq!(said(&[bill(false)], lang, question), "", "{question}");
    }
    // Who names something else asks about that.
    assert_eq!(said(&[bill(true)], Lang::EN, "when does the car insurance expire?"), "");
}
