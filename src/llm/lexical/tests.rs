//! Tables of the built-in embedder, and the calibration of its thresholds on a file of request pairs.

use std::{collections::BTreeMap, io::Write, time::Instant};

use serde_json::Value;

use super::*;
use crate::{
    domain::intent::short_hash,
    llm::embed::{Embedder, cosine},
};

fn similarity(one: &str, other: &str) -> f32 {
    cosine(&embed(one), &embed(other))
}

#[test]
fn the_same_request_in_another_dress_is_served() {
    let threshold = Embedder::lexical().thresholds().fastpath;
    for (one, other) in [
        ("List the files in ~/docs", "list the files in ~/docs!"),
        ("list the files in ~/docs", "please list files in ~/docs"),
        ("che giorno è oggi", "Che giorno e' oggi?"),
        (
            "quanti file ci sono nella cartella foto",
            "Quanti file ci sono nella cartella foto, per favore?",
        ),
    ] {
        let similarity = similarity(one, other);
        assert!(similarity >= threshold, "{one} / {other}: {similarity}");
    }
}

#[test]
fn another_request_is_not_served() {
    let threshold = Embedder::lexical().thresholds().fastpath;
    for (one, other) in [
        ("show me the emails from today", "show me the emails from yesterday"),
        ("delete the pdf files in ~/docs", "find the pdf files in ~/docs"),
        ("turn on the kitchen light", "turn off the kitchen light"),
        ("sposta i file da ~/a a ~/b", "sposta i file da ~/b a ~/a"),
        ("cancella il promemoria 40", "cancella il promemoria 42"),
        ("list the files in ~/docs", "list the files in ~/in"),
        (
            "show files that are in ~/a but not in ~/b",
            "show files that are in ~/b but not in ~/a",
        ),
        ("Set alarm for 6 am tomorrow", "set alarm for 6 am"),
        ("cancella la mia sveglia", "cancella la sveglia"),
    ] {
        let similarity = similarity(one, other);
        assert!(similarity < threshold, "{one} / {other}: {similarity}");
    }
}

#[test]
fn a_vector_never_changes_and_has_length_one() {
    let vector = embed("find the pdf files in ~/docs");
    assert_eq!(vector.len(), DIMENSIONS);
    assert!((vector.iter().map(|value| value * value).sum::<f32>() - 1.0).abs() < 1e-5);
    // Stored vectors must stay comparable: if this fails, the recipe changed and needs a new id.
    let rounded: String = vector.iter().map(|value| format!("{value:.3} ")).collect();
    assert_eq!(
        (ID, short_hash(rounded.replace("-0.000", "0.000").as_bytes()).as_str()),
        ("lexical-1", "8f12cf741aaf3dc2")
    );
}

#[test]
fn no_text_makes_it_fall() {
    for text in ["", " ", "?!", "é", "𝕏", "a", "🙂🙂", &"x".repeat(100_000)] {
        let vector = embed(text);
        assert_eq!(vector.len(), DIMENSIONS);
        assert!(vector.iter().all(|value| value.is_finite()), "{text:.10}");
    }
}

/// Shows how many pairs each threshold would serve. Run with
/// `METNOS_PAIRS=pairs.jsonl cargo test --release --lib lexical::tests::calibrate -- --ignored --nocapture`;
/// a line is `{"a","b","label":"same"|"args_differ"|"different"}`.
#[test]
#[ignore = "needs a file of labelled pairs"]
#[expect(
    clippy::disallowed_methods,
    reason = "the file is a matter of the person who calibrates"
)]
fn calibrate() {
    let file = std::env::var("METNOS_PAIRS").unwrap();
    let mut scores: BTreeMap<String, Vec<f32>> = BTreeMap::new();
    let text = std::fs::read_to_string(file).unwrap();
    let started = Instant::now();
    let mut texts = 0;
    for line in text.lines() {
        let pair: Value = serde_json::from_str(line).unwrap();
        let score = similarity(pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap());
        scores
            .entry(pair["label"].as_str().unwrap().to_owned())
            .or_default()
            .push(score);
        texts += 2;
    }
    let micros = started.elapsed().as_micros() / texts;
    let mut out = std::io::stdout();
    writeln!(out, "{micros} µs a text").unwrap();
    for step in 0..=30_u8 {
        let threshold = 0.70 + f32::from(step) * 0.01;
        let served: Vec<String> = scores
            .iter()
            .map(|(label, scores)| {
                let count = scores.iter().filter(|score| **score >= threshold).count();
                format!("{label} {count}/{}", scores.len())
            })
            .collect();
        writeln!(out, "{threshold:.2}: {}", served.join(", ")).unwrap();
    }
}
