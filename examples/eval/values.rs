//! `values`: every value the product's reading of a sentence holds beside times, with its kind and its words, and every
//! number. `scripts/eval.py` scores it, as the sets' scorer has no such kind.

use metnos::language::{Fact, FactKind, Language};
use serde_json::{Map, Value, json};

const KINDS: [(FactKind, &str); 6] = [
    (FactKind::Money, "money"),
    (FactKind::Percent, "percent"),
    (FactKind::Amount, "amount"),
    (FactKind::Phone, "phone"),
    (FactKind::Email, "email"),
    (FactKind::Url, "url"),
];

pub(crate) fn predictor(language: Language) -> crate::Predictor {
    Box::new(move |case| {
        let (text, lang, now) = crate::said(case);
        let reading = language.read(text, lang, &now);
        let facts: Vec<Value> = reading.facts.iter().filter_map(|fact| written(text, fact)).collect();
        Map::from_iter([
            ("facts".to_owned(), json!(facts)),
            ("numbers".to_owned(), json!(reading.numbers)),
        ])
    })
}

fn written(text: &str, fact: &Fact) -> Option<Value> {
    let (_, kind) = KINDS.iter().find(|(kind, _)| *kind == fact.kind)?;
    Some(json!({"kind": kind, "value": fact.value, "text": text.get(fact.span.clone())}))
}
