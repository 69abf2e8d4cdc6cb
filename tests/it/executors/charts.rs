//! Charts, through the sandboxed worker: of a list and of tables in files, with the columns that are meant, as a
//! picture that opens; what cannot be drawn is said clearly and leaves nothing behind; undo removes what was made.

use std::fs;

use serde_json::json;

use super::Bench;

const FUEL: &str =
    "date;who;litres;euro\n2026-03-03;Nina;30;60,50\n2026-03-09;Marco;20;40,25\n2026-04-02;Nina;25;51,00\n";

fn code(result: &metnos::domain::run::ToolResult) -> String {
    let said = result.error.as_ref().map(|error| error.message.key.as_str().to_owned());
    said.unwrap_or_default()
}

/// Width and height of a picture that opens.
fn size(bytes: &[u8]) -> (u32, u32) {
    metnos_photos::size(std::io::Cursor::new(bytes)).unwrap()
}

#[tokio::test]
async fn a_column_of_a_file_becomes_a_picture() {
    let bench = Bench::new();
    bench.put("car/fuel.csv", FUEL);
    let args = json!({"paths": ["~/car/fuel.csv"], "of": "euro", "home": "~"});
    let made = bench.run("create_images_chart", args.clone()).await;
    for (name, value) in [
        ("of", json!("euro")),
        ("by", json!("date")),
        ("form", json!("lines")),
        ("points", json!(3)),
        ("chosen", json!("yes")),
    ] {
        assert_eq!(made.body[name], value, "{name}: {made:?}");
    }
    let picture = fs::read(bench.path("fuel.png")).unwrap();
    assert!(
        picture.starts_with(b"\x89PNG") && picture.len() < 200_000,
        "{}",
        picture.len()
    );
    assert_eq!(size(&picture), (1_000, 640));
    let again = bench.run("create_images_chart", args).await;
    assert!(
        again.body["path"].as_str().unwrap().ends_with("fuel 2.png"),
        "{again:?}"
    );
    bench.undo(&again).await;
    assert!(!bench.path("fuel 2.png").exists() && bench.path("fuel.png").exists());
    let args = json!({
        "paths": ["~/car/fuel.csv"], "of": "euro", "by": "who", "form": "shares", "new_name": "who pays.png", "home": "~"
    });
    let shares = bench.run("create_images_chart", args).await;
    assert_eq!(
        (&shares.body["points"], &shares.body["added"], &shares.body["chosen"]),
        (&json!(2), &json!("yes"), &json!("no"))
    );
    assert!(bench.path("who pays.png").exists());
}

#[tokio::test]
async fn a_sheet_and_a_list_as_well() {
    let bench = Bench::new();
    let entries = json!([
        {"name": "a.pdf", "size": 120, "path": "/a.pdf", "mtime": "2026-03-01T10:00:00Z"},
        {"name": "b.pdf", "size": 80, "path": "/b.pdf", "mtime": "2026-03-02T10:00:00Z"},
    ]);
    let args = json!({"entries": entries, "of": "size", "by": "name", "home": "~"});
    let list = bench.run("create_images_chart", args).await;
    assert_eq!(
        (&list.body["of"], &list.body["form"]),
        (&json!("Size"), &json!("bars")),
        "{list:?}"
    );
    assert!(bench.path("chart.png").exists());
    let sheet = json!({"entries": entries, "home": "~", "new_name": "files"});
    bench.run("create_files_spreadsheet", sheet).await;
    let args = json!({"paths": ["~/files.xlsx"], "of": "Size", "by": "changed", "home": "~"});
    let sheet = bench.run("create_images_chart", args).await;
    assert!(sheet.error.is_none(), "{sheet:?}");
    assert!(sheet.error.is_none(), "{sheet:?}");
    assert_eq!(
        (&sheet.body["form"], &sheet.body["points"]),
        (&json!("lines"), &json!(2)),
        "{sheet:?}"
    );
}

#[tokio::test]
async fn too_many_become_the_rest_and_rows_without_a_number_are_counted() {
    let bench = Bench::new();
    let mut text = String::from("shop,euro\n");
    for number in 1..=60 {
        text.push_str(&format!("shop {number},{number}\n"));
    }
    text.push_str("closed,\n");
    bench.put("shops.csv", text);
    for (form, points, joined) in [("bars", 40, 21), ("shares", 9, 52)] {
        let args = json!({"paths": ["~/shops.csv"], "form": form, "home": "~"});
        let made = bench.run("create_images_chart", args).await;
        let told = (&made.body["points"], &made.body["joined"], &made.body["left_out"]);
        assert_eq!(told, (&json!(points), &json!(joined), &json!(1)), "{made:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_drawn_says_why_and_leaves_nothing() {
    let bench = Bench::new();
    bench.put("fuel.csv", FUEL);
    bench.put("names.csv", "who,where\nNina,Rome\nMarco,Pisa\n");
    bench.put("debts.csv", "who,euro\nNina,5\nMarco,-5\n");
    bench.put("zero.csv", "who,euro\nNina,0\nMarco,0\n");
    bench.put("letter.txt", "Dear all,\nthe sum is 5.\n");
    bench.put("cut.xlsx", b"PK\x03\x04broken");
    bench.put("empty.csv", "");
    bench.put(
        "long.csv",
        format!(
            "n,euro\n{}",
            (0..3_000).map(|at| format!("n{at},{at}\n")).collect::<String>()
        ),
    );
    let rows = [
        (json!({"paths": ["~/names.csv"]}), "executors-chart-no-numbers"),
        (
            json!({"paths": ["~/fuel.csv"], "of": "who"}),
            "executors-chart-not-numbers",
        ),
        (
            json!({"paths": ["~/fuel.csv"], "of": "pounds"}),
            "executors-chart-no-column",
        ),
        (
            json!({"paths": ["~/debts.csv"], "form": "shares"}),
            "executors-chart-negative",
        ),
        (
            json!({"paths": ["~/zero.csv"], "form": "shares"}),
            "executors-chart-nothing",
        ),
        (json!({"paths": ["~/letter.txt"]}), "executors-chart-no-table"),
        (json!({"paths": ["~/empty.csv"]}), "executors-chart-no-table"),
        (json!({"paths": ["~/cut.xlsx"]}), "executors-file-kind"),
        (
            json!({"paths": ["~/long.csv"], "form": "lines"}),
            "executors-chart-too-many",
        ),
        (
            json!({"paths": ["~/fuel.csv", "~/zero.csv"]}),
            "executors-chart-one-file",
        ),
        (json!({"entries": []}), "executors-chart-no-table"),
        (
            json!({"entries": [{"id": "c1", "name": "Anna"}]}),
            "executors-chart-no-numbers",
        ),
        (
            json!({"paths": ["~/fuel.csv"], "new_name": "../x"}),
            "executors-argument-wrong",
        ),
    ];
    for (mut args, key) in rows {
        args["home"] = json!("~");
        let refused = bench.run("create_images_chart", args.clone()).await;
        assert_eq!(code(&refused), key, "{args}");
    }
    let names = fs::read_dir(bench.home())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let made: Vec<_> = names.filter(|name| name.to_string_lossy().ends_with(".png")).collect();
    assert!(made.is_empty(), "{made:?}");
}
