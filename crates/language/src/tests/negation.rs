//! How far negations reach: what is asked for beside them, and that nothing negated is ever among it.

use super::*;

/// What is asked for, what is forbidden, and how sure the reading is.
fn split(text: &str, lang: Lang) -> (Vec<String>, Vec<String>, f64) {
    let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
    let signature = |clause: &ClauseReading| {
        let facts: Vec<String> = reading
            .facts_of(clause)
            .map(|(_, fact)| fact.value.to_string())
            .collect();
        let verb = clause.verb.map_or("?", Verb::as_str);
        format!("{verb} {}", facts.join(" ").replace('"', "")).trim().to_owned()
    };
    let all = |clauses: &[ClauseReading]| clauses.iter().map(signature).collect();
    (
        all(&reading.clauses),
        all(&reading.forbidden),
        reading.intent.confidence,
    )
}

#[test]
fn what_is_negated_is_set_aside_and_the_rest_is_a_command() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    let table: &[(&str, Lang, &[&str], &[&str])] = &[
        (
            "list the files in ~/a but don't delete anything",
            EN,
            &["list ~/a"],
            &["delete"],
        ),
        (
            "list the files in ~/a, but do not delete ~/a/x.txt",
            EN,
            &["list ~/a"],
            &["delete ~/a/x.txt"],
        ),
        ("don't move the pdfs, list ~/a", EN, &["list ~/a"], &["move *.pdf"]),
        (
            "don't delete the pdfs in ~/a, list them",
            EN,
            &["list *.pdf ~/a"],
            &["delete *.pdf ~/a"],
        ),
        ("read ~/a.txt. Never delete it", EN, &["read ~/a.txt"], &["delete"]),
        (
            "elenca i file in ~/a ma non cancellare niente",
            IT,
            &["list ~/a"],
            &["delete"],
        ),
        ("non cancellare i pdf, elencali", IT, &["list *.pdf"], &["delete *.pdf"]),
        ("leggi ~/a.txt e non spostarlo", IT, &["read ~/a.txt"], &["move"]),
        (
            "non cancellare ~/a/x.txt, però elenca i file in ~/a",
            IT,
            &["list ~/a"],
            &["delete ~/a/x.txt"],
        ),
    ];
    for (text, lang, asked, forbidden) in table {
        let (found, aside, confidence) = split(text, *lang);
        assert_eq!(found, *asked, "{text}");
        assert_eq!(aside, *forbidden, "{text}");
        assert!(confidence >= 0.8, "{text}: {confidence}");
    }
}

#[test]
fn a_negation_that_may_reach_what_is_asked_for_makes_all_of_it_no_command() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (text, lang) in [
        ("don't delete ~/a.txt", EN),
        ("don't find and delete the pdfs in ~/a", EN),
        ("don't delete the pdfs in ~/a and list them", EN),
        ("move ~/a.txt to ~/b but don't delete ~/c.txt", EN),
        ("copy ~/a.txt to ~/b but don't overwrite it", EN),
        ("delete the pdfs in ~/a but don't delete ~/a/x.pdf", EN),
        ("list the files in ~/a but don't list the pdfs", EN),
        ("list the files not in ~/a", EN),
        ("list ~/a, don't delete the pdfs, read them", EN),
        ("list ~/a but don't delete the pdfs if they are old", EN),
        ("don't read ~/a.txt, delete it", EN),
        ("non cancellare ~/a.txt", IT),
        ("non cercare e cancellare i pdf in ~/a", IT),
        ("sposta ~/a.txt in ~/b ma non cancellare ~/c.txt", IT),
        ("elenca i file in ~/a ma non elencare i pdf", IT),
        ("non leggere ~/a.txt, cancellalo", IT),
        ("copia ~/a.txt in ~/b senza sovrascrivere", IT),
    ] {
        let reading = LANGUAGE.read_in(text, lang, &now(), &Home::unknown());
        assert_eq!(reading.forbidden, [], "{text}");
        let negated = reading.clauses.iter().any(|clause| clause.is(Mark::Negated));
        assert!(negated, "{text}: {:?}", reading.clauses);
        assert!(
            reading.intent.confidence <= 0.3,
            "{text}: {}",
            reading.intent.confidence
        );
    }
}

#[test]
fn a_negation_has_its_place() {
    let text = "list ~/a but don't delete the pdfs, please";
    let reading = read(text);
    let [clause] = reading.forbidden.as_slice() else {
        panic!("{:?}", reading.forbidden)
    };
    let span = clause.negation.clone().unwrap();
    assert!(
        text[span.clone()].starts_with("don't delete the pdfs"),
        "{}",
        &text[span]
    );
    assert!(reading.clauses.iter().all(|clause| clause.negation.is_none()));
    // "but" alone joins nothing: it may leave something out.
    assert!(!read("list ~/docs but the pdfs").unaccounted.is_empty());
}
