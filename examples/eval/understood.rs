//! `understood`: what the lexicon alone makes of a request, and how sure it says it is. Not a kind of the sets' scorer:
//! `scripts/eval.py` compares it with the tool that production called first.

use jiff::Zoned;
use metnos::{domain::lang::Lang, domain::limits, language::Language};
use serde_json::{Map, json};

pub(crate) fn predictor(language: Language) -> crate::Predictor {
    let now = Zoned::default();
    Box::new(move |case| {
        let query = case["query"].as_str().unwrap_or_default();
        let intent = language.read(query, Lang::IT, &now).intent;
        let clauses: Vec<_> = intent
            .clauses
            .iter()
            .map(|clause| {
                let verb = clause.verb.map(|verb| verb.as_str());
                json!([verb, clause.object.map(|object| object.as_str())])
            })
            .collect();
        Map::from_iter([
            ("clauses".to_owned(), json!(clauses)),
            ("confidence".to_owned(), json!(intent.confidence)),
            (
                "sure".to_owned(),
                json!(intent.is_complete() && intent.confidence >= limits::LEXICON_CONFIDENCE_MIN),
            ),
        ])
    })
}
