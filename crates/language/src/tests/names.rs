//! How far the name of a path goes on over spaces.

use super::*;

fn paths(text: &str, lang: Lang) -> Vec<String> {
    let facts = LANGUAGE.read_in(text, lang, &now(), &Home::unknown()).facts;
    let paths = facts.iter().filter(|fact| fact.kind == FactKind::Path);
    paths.map(|fact| fact.text().to_owned()).collect()
}

#[test]
fn a_windows_path_keeps_the_words_of_its_last_name() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    let table: &[(&str, Lang, &[&str])] = &[
        (r"list C:\Program Files", EN, &[r"C:\Program Files"]),
        (
            r"list C:\Program Files (x86)\Steam now",
            EN,
            &[r"C:\Program Files (x86)\Steam"],
        ),
        (r"list C:\Program Files (x86)", EN, &[r"C:\Program Files (x86)"]),
        (
            r"list the files in C:\Users\Anna\My Documents, please",
            EN,
            &[r"C:\Users\Anna\My Documents"],
        ),
        (
            r"elenca i file in C:\Users\Anna\Documenti Vecchi e basta",
            IT,
            &[r"C:\Users\Anna\Documenti Vecchi"],
        ),
        (
            r"leggi C:\Programmi Miei\Casa Nuova\conto.txt",
            IT,
            &[r"C:\Programmi Miei\Casa Nuova\conto.txt"],
        ),
        (r"list \\nas\Shared Photos", EN, &[r"\\nas\Shared Photos"]),
        (r"elenca \\nas\Foto Di Casa\Estate", IT, &[r"\\nas\Foto Di Casa\Estate"]),
        (
            r"move C:\Old Photos to D:\New Photos",
            EN,
            &[r"C:\Old Photos", r"D:\New Photos"],
        ),
        (
            r"copia C:\temp in \\nas\Foto Nuove",
            IT,
            &[r"C:\temp", r"\\nas\Foto Nuove"],
        ),
        // What is not surely part of the name stays outside.
        (r"move C:\temp to backup\old", EN, &[r"C:\temp"]),
        (r"read C:\docs\a.txt Please", EN, &[r"C:\docs\a.txt"]),
        (r"list C:\Temp. Then stop", EN, &[r"C:\Temp"]),
        (r"should I delete C:\temp? I think so", EN, &[r"C:\temp"]),
    ];
    for (text, lang, expected) in table {
        assert_eq!(paths(text, *lang), *expected, "{text}");
    }
}

#[test]
fn an_address_has_the_form_of_one() {
    let emails = |text: &str| {
        let facts = read(text).facts;
        let emails = facts.iter().filter(|fact| fact.kind == FactKind::Email);
        emails.map(|fact| fact.text().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        emails("write to anna.b+x@mail.example.co.uk, please"),
        ["anna.b+x@mail.example.co.uk"]
    );
    for text in [
        "a..b@example.com",
        ".a@example.com",
        "a@new_type.com",
        "a@10.0.0.1",
        "a@b",
        "a@b..com",
    ] {
        assert_eq!(emails(text), [""; 0], "{text}");
    }
}

#[test]
fn a_path_of_ours_goes_on_over_capitals_and_over_names_that_are_there() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    assert_eq!(paths("move ~/a.pdf to ~/Old Photos", EN), ["~/a.pdf", "~/Old Photos"]);
    assert_eq!(paths("crea ~/Foto Vecchie, grazie", IT), ["~/Foto Vecchie"]);
    assert_eq!(paths("leggi ~/conto.txt Marta", IT), ["~/conto.txt"]);
    let (_folder, home) = home(&["letter to Marta.txt", "Old Photos"]);
    let reading = LANGUAGE.read_in(
        "read ~/letter to Marta.txt and list ~/Old Photos Now",
        EN,
        &now(),
        &home,
    );
    let texts: Vec<&str> = reading.facts.iter().map(Fact::text).collect();
    assert_eq!(texts, ["~/letter to Marta.txt", "~/Old Photos"]);
}
