//! What is shown for a request, and how many.

use super::*;
use crate::{
    domain::lang::Lang,
    engine::fixtures::{corpus, named, shipped},
    language::Language,
};

fn names(text: &str, size: usize) -> Vec<String> {
    let language = Language::embedded().unwrap();
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let reading = language.read(text, Lang::EN, &now);
    let list = ShortlistIndex::new(&shipped(), &language).shortlist(&reading, &language, size);
    list.iter().map(|manifest| manifest.name.to_string()).collect()
}

#[test]
fn the_tool_that_is_meant_comes_first() {
    // Whoever asks speaks English.
    let shown = |text: &str, _| names(text, 12).into_iter().next().unwrap_or_default();
    let tables = corpus::tables("tools.toml");
    let wrong: Vec<String> = tables.iter().flat_map(|table| table.differing(shown)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_clause_brings_its_tools_and_what_feeds_them() {
    let list = names("save the page http://127.0.0.1/article to ~/a.md", 12);
    assert!(list.iter().any(|name| name == "write_files"), "{list:?}");
    let list = names("move the jpg files from ~/in to ~/photos", 12);
    assert!(list.iter().any(|name| name == "find_files"), "{list:?}");
    assert!(
        list.iter().any(|name| name == "sort_entries"),
        "companions and helpers: {list:?}"
    );
}

#[test]
fn a_phrase_recalls_a_tool_that_verb_and_object_would_not() {
    let mut manifests = shipped();
    manifests.push(Arc::new(Manifest {
        affinity: vec!["mail accounts".to_owned()],
        ..named("get_credentials")
    }));
    let language = Language::embedded().unwrap();
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let reading = language.read("find files about my mail accounts in ~/docs", Lang::EN, &now);
    let list = ShortlistIndex::new(&manifests, &language).shortlist(&reading, &language, 6);
    assert!(list.iter().any(|manifest| manifest.name.as_str() == "get_credentials"));
}

#[test]
fn the_pool_is_never_larger_than_asked_for() {
    for text in [
        "list the files in ~/docs",
        "find the pdf files, read them, count the lines and move them to ~/photos",
        "zap the frobnicator",
    ] {
        for size in [5, 8, 12] {
            let list = names(text, size);
            let mut once = list.clone();
            once.sort();
            once.dedup();
            assert!(list.len() <= size && once.len() == list.len(), "{text}: {list:?}");
        }
    }
}

#[test]
fn companions_and_helpers_have_their_places() {
    let mut manifests = shipped();
    manifests.retain(|manifest| manifest.name.as_str().ends_with("_entries"));
    manifests.push(Arc::new(Manifest {
        companions: vec![ExecutorName::from("write_invoices_archive")],
        ..named("get_invoices")
    }));
    manifests.push(Arc::new(named("write_invoices_archive")));
    let language = Language::embedded().unwrap();
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let reading = language.read("get the invoices", Lang::EN, &now);
    let list = ShortlistIndex::new(&manifests, &language).shortlist(&reading, &language, 12);
    let names: Vec<&str> = list.iter().map(|manifest| manifest.name.as_str()).collect();
    let at = |name: &str| names.iter().position(|shown| *shown == name);
    assert!(at("write_invoices_archive").is_some(), "a companion: {names:?}");
    for helper in ["filter_entries", "sort_entries", "compute_entries"] {
        assert!(at(helper).is_some(), "{helper}: {names:?}");
    }
}

/// The clearer the first one leads, the fewer are shown: from 12 down to 5.
#[test]
fn a_clear_lead_shows_fewer() {
    let ranked: Vec<usize> = (0..20).collect();
    for (first, second, shown) in [
        (10.0, 9.0, 12),
        (10.0, 7.0, 12),
        (10.0, 5.0, 9),
        (10.0, 3.0, 5),
        (10.0, 0.0, 5),
    ] {
        let mut scores = vec![0.1_f32; 20];
        (scores[0], scores[1]) = (first, second);
        assert_eq!(adaptive(&ranked, &scores, 12), shown, "{first} before {second}");
    }
    assert_eq!(adaptive(&ranked, &[0.0; 20], 12), 12);
}

/// What belongs to one provider is meant when the provider is named, and not before.
#[test]
fn a_provider_has_to_be_named() {
    let manifests: Vec<_> = ["get_urls", "get_urls_github"].map(|name| Arc::new(named(name))).into();
    let language = Language::embedded().unwrap();
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let index = ShortlistIndex::new(&manifests, &language);
    for (text, first) in [
        ("get the link", "get_urls"),
        ("get the link from github", "get_urls_github"),
    ] {
        let reading = language.read(text, Lang::EN, &now);
        assert_eq!(index.rank(&reading, &language)[0].0.as_str(), first, "{text}");
    }
}

#[test]
fn what_brings_things_in_comes_before_what_works_on_them() {
    let names = ["classify_events", "describe_events", "filter_events", "read_events"];
    let manifests: Vec<_> = names.iter().map(|name| Arc::new(named(name))).collect();
    let language = Language::embedded().unwrap();
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let index = ShortlistIndex::new(&manifests, &language);
    for (text, first) in [
        ("appuntamenti di domani", "read_events"),
        ("elenca i miei appuntamenti", "read_events"),
        ("describe my appointments", "describe_events"),
    ] {
        let reading = language.read(text, Lang::IT, &now);
        let ranked = index.rank(&reading, &language);
        assert_eq!(ranked[0].0.as_str(), first, "{text}: {ranked:?}");
    }
}

#[test]
fn the_order_is_the_same_whatever_the_order_of_the_catalog() {
    let mut turned = shipped();
    turned.reverse();
    let language = Language::embedded().unwrap();
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let reading = language.read("list the files in ~/docs", Lang::EN, &now);
    let list =
        |manifests: &[Arc<Manifest>]| ShortlistIndex::new(manifests, &language).shortlist(&reading, &language, 12);
    assert_eq!(list(&shipped()), list(&turned));
}

#[test]
fn of_equals_the_one_that_is_likely_to_follow_comes_first() {
    let language = Language::embedded().unwrap();
    let now = "2026-11-20T10:00:00+01:00[Europe/Rome]".parse().unwrap();
    let reading = language.read("find the pdf files in ~/docs", Lang::EN, &now);
    let index = ShortlistIndex::new(&shipped(), &language);
    let ranked = index.rank(&reading, &language);
    let equals = ranked
        .windows(2)
        .find(|pair| pair[0].1.to_bits() == pair[1].1.to_bits());
    let equals = equals.unwrap_or_else(|| panic!("no two are equally good: {ranked:?}"));
    let (one, other) = (equals[0].0.clone(), equals[1].0.clone());
    let place = |list: &[Arc<Manifest>], name: &ExecutorName| list.iter().position(|tool| tool.name == *name);
    let plain = index.shortlist(&reading, &language, 20);
    assert!(place(&plain, &one) < place(&plain, &other), "by name");
    let first = ranked[0].0.clone();
    let likely = |source: &ExecutorName, target: &ExecutorName| {
        if *source == first && *target == other { 0.9 } else { 0.0 }
    };
    let led = index.shortlist_after(&reading, &language, 20, &likely);
    assert!(place(&led, &other) < place(&led, &one), "{one} {other}: {led:?}");
}
