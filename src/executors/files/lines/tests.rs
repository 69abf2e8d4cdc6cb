//! What becomes of the lines of a text: added, taken out, ticked.

use super::*;

fn edited(how: Edit, text: &str, said: &str) -> Result<String, String> {
    edit(how, text, said, "x.txt")
        .map(|edited| edited.text)
        .map_err(|error| error.message.key.to_string())
}

#[test]
fn lines_are_added_in_the_shape_of_the_others() {
    for (text, new) in [
        ("", "- [ ] tea\n- [ ] rice\n"),
        ("milk", "milk\ntea\nrice"),
        ("milk\n", "milk\ntea\nrice\n"),
        ("- milk\n", "- milk\n- tea\n- rice\n"),
        ("- [x] milk\n", "- [x] milk\n- [ ] tea\n- [ ] rice\n"),
        ("milk\r\n", "milk\r\ntea\r\nrice\r\n"),
    ] {
        assert_eq!(edited(Edit::Add, text, "tea\nrice").as_deref(), Ok(new), "{text:?}");
    }
}

#[test]
fn only_a_line_that_surely_is_meant_is_taken_out() {
    for (text, said, new) in [
        ("milk\nbread\nmilk\n", "milk", Ok("bread\n")),
        ("milk chocolate\nmilk\n", "milk", Ok("milk chocolate\n")),
        ("Luca: sciarpa\nAnna: libro\n", "Luca", Ok("Anna: libro\n")),
        ("- uova\r\n- caffè\r\n", "caffe", Ok("- uova\r\n")),
        ("6 eggs\nbread\n", "egg", Ok("bread\n")),
        ("milk\ntea\nbread\n", "milk\nbread", Ok("tea\n")),
        ("# Milk\nmilk\n", "milk", Ok("# Milk\n")),
        ("milk\ntea\n", "milk\nbread", Err("executors-line-not-found")),
        ("milk chocolate\nsoy milk\n", "milk", Err("executors-line-near")),
        ("mac and cheese\n", "cheese", Err("executors-line-near")),
        ("ice cream\n", "ice", Err("executors-line-near")),
        ("matite e gomme\n", "gomme", Err("executors-line-near")),
        ("matite e gomme\nzaino\n", "matite\ngomme", Ok("zaino\n")),
        ("mac and cheese\n", "cheese\nmac", Err("executors-line-near")),
        ("costume da bagno\ncreme\n", "costume", Ok("creme\n")),
        ("2 pacchi di pasta\npane\n", "pasta", Ok("pane\n")),
        (
            "torta di mele\ntorta di pere\n",
            "torta",
            Err("executors-line-ambiguous"),
        ),
        ("costume\ncostume da bagno\n", "costume", Ok("costume da bagno\n")),
        ("- [ ] book dentist\n- [ ] rest\n", "dentist", Ok("- [ ] rest\n")),
        ("Mario Rossi\n", "Maria", Err("executors-line-not-found")),
        ("6 eggs\n12 eggs\n", "eggs", Err("executors-line-ambiguous")),
        ("bread\n", "milk", Err("executors-line-not-found")),
        ("", "milk", Err("executors-line-not-found")),
        ("a\n", "!", Err("executors-line-not-found")),
        // One is one.
        ("bread\nmilk\nbread\n", "a bread", Ok("bread\nmilk\n")),
        ("pane\nlatte\npane\n", "un pane", Ok("pane\nlatte\n")),
        ("bread\nmilk\nbread\nbread\n", "2 bread", Ok("bread\nmilk\n")),
        // What is there as it was said is meant, and no line that only has its words.
        (
            "- [ ] mend one bike\n- [ ] bike\n",
            "one bike",
            Ok("- [ ] mend one bike\n"),
        ),
        ("6 eggs\n6 eggs\n", "one 6 eggs", Ok("6 eggs\n")),
        ("- [x] tea\n- [ ] tea\n", "a tea", Ok("- [x] tea\n")),
        ("bread\nmilk\n", "2 bread", Err("executors-line-not-found")),
        ("6 eggs\n", "an egg", Err("executors-line-not-found")),
        ("a bread\nbread\n", "a bread", Ok("bread\n")),
        // Two that are said in one breath are two, unless one line says both.
        (
            "salt and pepper\nsalt\npepper\n",
            "salt and pepper",
            Ok("salt\npepper\n"),
        ),
        ("salt\ntea\npepper\n", "salt and pepper", Ok("tea\n")),
        ("salt\ntea\n", "salt and pepper", Err("executors-line-not-found")),
    ] {
        assert_eq!(
            edited(Edit::Remove, text, said),
            new.map(str::to_owned).map_err(str::to_owned),
            "{text:?}"
        );
    }
}

#[test]
fn everything_goes_but_headings() {
    for (text, new) in [
        ("milk\n\nbread\n", ""),
        ("# Food\n- milk\n\n# Other\n- [x] soap", "# Food\n# Other\n"),
        ("", ""),
        ("# Food\n\n", "# Food\n\n"),
    ] {
        assert_eq!(edited(Edit::Clear, text, "").as_deref(), Ok(new), "{text:?}");
    }
}

#[test]
fn a_line_is_about_a_thing_or_it_is_not() {
    for (line, thing, is) in [
        ("2 eggs", "egg", true),
        ("almond milk", "milk", false),
        ("- [x] pay gas", "gas", true),
        ("# Milk", "milk", false),
        ("Luca: scarf", "Luca", true),
        ("rice", "ice", false),
    ] {
        assert_eq!(is_about(line, thing), is, "{line}");
    }
}

#[test]
fn only_an_open_box_is_ticked() {
    let todo = "- [ ] call plumber\n- [x] pay gas\n- [ ] book dentist\n";
    for (text, said, new) in [
        (
            todo,
            "dentista",
            Ok("- [ ] call plumber\n- [x] pay gas\n- [x] book dentist\n"),
        ),
        (todo, "gas", Ok(todo)),
        (todo, "garden", Err("executors-line-not-found")),
        (
            todo,
            "plumber\ndentist",
            Ok("- [x] call plumber\n- [x] pay gas\n- [x] book dentist\n"),
        ),
        (
            todo,
            "call plumber and book dentist",
            Ok("- [x] call plumber\n- [x] pay gas\n- [x] book dentist\n"),
        ),
        ("- [ ] mop\n1. sweep\n", "sweep", Err("executors-line-no-box")),
        ("* [ ] tea\n", "tea", Ok("* [x] tea\n")),
        ("milk\n", "milk", Err("executors-no-boxes")),
        (
            "- [ ] call Anna\n- [ ] call Ugo\n",
            "call",
            Err("executors-line-ambiguous"),
        ),
    ] {
        assert_eq!(
            edited(Edit::Tick, text, said),
            new.map(str::to_owned).map_err(str::to_owned),
            "{said}"
        );
    }
}
