//! `args`: the values of a sentence, field by field as the set names them.

use metnos::language::{Fact, FactKind, Language};
use serde_json::{Map, json};

pub(crate) fn predictor(language: Language) -> crate::Predictor {
    Box::new(move |case| {
        let (text, lang, now) = crate::said(case);
        let reading = language.read(text, lang, &now);
        let texts = |kind: FactKind| -> Vec<&str> {
            let facts = reading.facts.iter().filter(|fact| fact.kind == kind);
            facts.map(Fact::text).collect()
        };
        let mut fields = Map::new();
        fields.insert("urls".to_owned(), json!(texts(FactKind::Url)));
        fields.insert("paths".to_owned(), json!(texts(FactKind::Path)));
        fields.insert("emails".to_owned(), json!(texts(FactKind::Email)));
        fields.insert("exts".to_owned(), json!(texts(FactKind::Glob)));
        fields
    })
}
