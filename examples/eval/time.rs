//! `time`: every value a sentence gives to a time, in the convention of the set it comes from.

use metnos::language::{FactKind, Language};
use serde_json::{Map, Value, json};

pub(crate) fn predictor(language: Language) -> crate::Predictor {
    Box::new(move |case| {
        let (text, lang, now) = crate::said(case);
        let reading = language.read(text, lang, &now);
        let windows = reading.facts.iter().filter(|fact| fact.kind == FactKind::Window);
        let values: Vec<Value> = windows.map(|fact| json!(["date", fact.text()])).collect();
        Map::from_iter([("values".to_owned(), Value::Array(values))])
    })
}
