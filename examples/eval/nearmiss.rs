//! `nearmiss`: whether a request `b` would be answered from memory (L0) after `a` was. What the remembered plan does is
//! not known here, so that it counts as one that may be served, with a slot for each value: of the product's own
//! checks, those on plans (an effect, a value of the request in it) and on today's catalog come on top and serve less.

use metnos::{
    domain::lang::Lang,
    engine::fastpath::{
        self, Likeness,
        slots::{Slots, Template},
    },
    language::{Language, Reading},
    llm::{
        embed::{Embedder, cosine},
        lexical,
    },
};
use serde_json::{Map, json};

pub(crate) fn predictor(language: Language) -> crate::Predictor {
    let embedder = Embedder::lexical();
    Box::new(move |case| {
        let lang = if case["lang"] == "it" { Lang::IT } else { Lang::EN };
        let read = |which: &str| {
            let text = case[which].as_str().unwrap_or_default();
            let reading = language.read(text, lang, &jiff::Zoned::default());
            let canonical = fastpath::canonical(&reading, &language);
            (reading, canonical)
        };
        let (known, asked) = (read("a"), read("b"));
        let decision = if serves(&known, &asked, &language, &embedder) {
            "serve"
        } else if refills(&known.0, &asked.0, &language) {
            "reextract"
        } else {
            "miss"
        };
        Map::from_iter([("decision".to_owned(), json!(decision))])
    })
}

/// Whether what is remembered of the first request answers the second: by hash, or by cosine.
fn serves(known: &(Reading, String), asked: &(Reading, String), language: &Language, embedder: &Embedder) -> bool {
    let hash = fastpath::canonical_hash(&asked.1);
    if hash.is_some() && hash == fastpath::canonical_hash(&known.1) {
        return true;
    }
    if asked.1.is_empty() || fastpath::needs_the_same(&asked.0) {
        return false;
    }
    let vector = lexical::embed(&asked.1);
    let likeness = Likeness {
        canonical: &asked.1,
        intent: &asked.0.intent.signature(),
        vector: &vector,
        embedder: embedder.id(),
        threshold: embedder.thresholds().fastpath,
    };
    let close = cosine(&lexical::embed(&known.1), &vector) >= likeness.threshold;
    close && likeness.is_like(&known.1, &known.0.intent.signature(), language)
}

/// Whether the second request is the first with other values, for which the plan has slots.
fn refills(known: &Reading, asked: &Reading, language: &Language) -> bool {
    let (Some(known), Some(asked)) = (Template::of(known, language), Template::of(asked, language)) else {
        return false;
    };
    known.hash() == asked.hash() && Slots::fit(&known.values, &asked.values)
}
