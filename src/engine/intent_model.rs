//! The intent fallback: a small model call for a request the lexicon is unsure about.
//!
//! Called by `engine::dispatch` only then. The answer is constrained to the closed vocabulary and checked again: a word
//! outside it or a confidence that is no number between 0 and 1 is an error, never a guess. A low confidence is kept,
//! so that the engine asks the person instead of acting.

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::{
    domain::{
        intent::{Clause, Intent},
        lang::Lang,
        limits,
        vocabulary::{Object, Verb},
    },
    llm::{LlmClient, LlmError, Meter, Prompt, Workload},
};

const SYSTEM_EN: &str = include_str!("../../locales/en/prompts/intent.md");
const SYSTEM_IT: &str = include_str!("../../locales/it/prompts/intent.md");
/// Characters of a word quoted in an error.
const WORD_CHARS_MAX: usize = 40;

/// Why the model's answer is no intent.
#[derive(Debug, thiserror::Error)]
pub enum IntentModelError {
    /// The model did not answer.
    #[error("the model did not answer")]
    Model(#[from] LlmError),
    /// Not the object that was asked for.
    #[error("the model's answer is no intent")]
    Garbage,
    /// A verb or an object outside the vocabulary.
    #[error("`{0}` is no word of the vocabulary")]
    UnknownWord(String),
    /// No number between 0 and 1.
    #[error("`{0}` is no confidence")]
    BadConfidence(String),
}

/// Asks what a request wants.
pub async fn ask_intent(llm: &LlmClient, text: &str, lang: Lang, meter: &Meter) -> Result<Intent, IntentModelError> {
    let template = match lang {
        Lang::En => SYSTEM_EN,
        Lang::It => SYSTEM_IT,
    };
    let prompt = Prompt {
        system: template
            .trim()
            .replace("{verbs}", &words(Verb::ALL.iter().map(|verb| verb.as_str())))
            .replace("{objects}", &words(Object::ALL.iter().map(|object| object.as_str()))),
        user: text.to_owned(),
        schema: Some(schema()),
        max_tokens: limits::INTENT_TOKENS_MAX,
    };
    let completion = llm.complete(Workload::Intent, &prompt, meter).await?;
    parse(&completion.text)
}

/// Whether the model's intents fail again and again, so that the host hears of it once and not with every answer.
#[derive(Debug, Default)]
pub struct ModelTrouble(Mutex<Trouble>);

#[derive(Debug, Default)]
struct Trouble {
    failures: u32,
    told: bool,
}

impl ModelTrouble {
    /// It gave a usable intent: whatever was wrong is over.
    pub fn worked(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Trouble::default();
    }

    /// It gave none.
    pub fn failed(&self) {
        let mut trouble = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.failures = trouble.failures.saturating_add(1);
    }

    /// Whether the host is to hear of it now; says so once until the model works again.
    pub fn tell_host(&self) -> bool {
        let mut trouble = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let tell = !trouble.told && trouble.failures >= limits::INTENT_FAILURES_TO_TELL;
        trouble.told |= tell;
        tell
    }
}

fn words<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

fn schema() -> Value {
    let mut verbs: Vec<Option<&str>> = Verb::ALL.iter().map(|verb| Some(verb.as_str())).collect();
    let mut objects: Vec<Option<&str>> = Object::ALL.iter().map(|object| Some(object.as_str())).collect();
    verbs.push(None);
    objects.push(None);
    json!({
        "type": "object",
        "properties": {
            "clauses": {
                "type": "array", "minItems": 1, "maxItems": limits::CLAUSES_MAX,
                "items": {
                    "type": "object",
                    "properties": {"verb": {"enum": verbs}, "object": {"enum": objects}},
                    "required": ["verb", "object"],
                    "additionalProperties": false
                }
            },
            "confidence": {"type": "number"}
        },
        "required": ["clauses", "confidence"],
        "additionalProperties": false
    })
}

/// Reads the answer; text around the one object is tolerated, anything wrong inside it is not.
fn parse(text: &str) -> Result<Intent, IntentModelError> {
    let start = text.find('{').ok_or(IntentModelError::Garbage)?;
    let end = text.rfind('}').ok_or(IntentModelError::Garbage)?;
    let object = text.get(start..=end).ok_or(IntentModelError::Garbage)?;
    let answer: Value = serde_json::from_str(object).map_err(|error| {
        tracing::warn!(%error, "the model's intent is unreadable");
        IntentModelError::Garbage
    })?;
    let clauses = answer
        .get("clauses")
        .and_then(Value::as_array)
        .ok_or(IntentModelError::Garbage)?;
    if clauses.len() > limits::CLAUSES_MAX {
        return Err(IntentModelError::Garbage);
    }
    let mut understood: Vec<Clause> = Vec::new();
    for clause in clauses {
        let clause = Clause {
            verb: word(clause, "verb", Verb::parse)?,
            object: word(clause, "object", Object::parse)?,
        };
        let says_something = clause.verb.is_some() || clause.object.is_some();
        if says_something && understood.last() != Some(&clause) {
            understood.push(clause);
        }
    }
    Ok(Intent {
        clauses: understood,
        keywords: Vec::new(),
        confidence: confidence(&answer)?,
    })
}

fn word<Word>(clause: &Value, name: &str, read: fn(&str) -> Option<Word>) -> Result<Option<Word>, IntentModelError> {
    match clause.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => read(text)
            .map(Some)
            .ok_or_else(|| IntentModelError::UnknownWord(text.chars().take(WORD_CHARS_MAX).collect())),
        Some(other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_))) => Err(
            IntentModelError::UnknownWord(other.to_string().chars().take(WORD_CHARS_MAX).collect()),
        ),
    }
}

fn confidence(answer: &Value) -> Result<f64, IntentModelError> {
    let written = answer.get("confidence").unwrap_or(&Value::Null);
    written
        .as_f64()
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or_else(|| IntentModelError::BadConfidence(written.to_string().chars().take(WORD_CHARS_MAX).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_answer_is_an_intent() {
        let intent = parse(
            r#"{"clauses":[{"verb":"find","object":"files"},{"verb":"move","object":"files"}],"confidence":0.9}"#,
        )
        .unwrap();
        assert_eq!(intent.signature(), "find|files;move|files");
        assert!((intent.confidence - 0.9).abs() < f64::EPSILON);
    }

    #[test]
    fn a_low_confidence_is_kept_for_the_engine_to_ask() {
        let intent = parse(r#"{"clauses":[{"verb":null,"object":null}],"confidence":0.2}"#).unwrap();
        assert_eq!(intent.clauses, []);
        assert!(intent.confidence < limits::INTENT_CONFIDENCE_MIN);
    }

    #[test]
    fn the_host_hears_of_a_failing_model_once_until_it_works_again() {
        let trouble = ModelTrouble::default();
        for _ in 1..limits::INTENT_FAILURES_TO_TELL {
            trouble.failed();
            assert!(!trouble.tell_host(), "a hiccup is no news");
        }
        trouble.failed();
        assert!(trouble.tell_host());
        trouble.failed();
        assert!(!trouble.tell_host());
        trouble.worked();
        for _ in 0..limits::INTENT_FAILURES_TO_TELL {
            trouble.failed();
        }
        assert!(trouble.tell_host());
    }

    #[test]
    fn what_is_outside_the_contract_is_an_error() {
        for (text, expected) in [
            ("", "no intent"),
            ("I think it is find files", "no intent"),
            ("{\"verb\":\"find\"}", "no intent"),
            (r#"{"clauses":[],"confidence":NaN}"#, "no intent"),
            (r#"{"clauses":[],"confidence":1e999}"#, "no intent"),
            (r#"{"clauses":[],"confidence":"NaN"}"#, "no confidence"),
            (r#"{"clauses":[],"confidence":1.01}"#, "no confidence"),
            (r#"{"clauses":[],"confidence":-0.1}"#, "no confidence"),
            (r#"{"clauses":[]}"#, "no confidence"),
            (
                r#"{"clauses":[{"verb":"hack","object":"files"}],"confidence":1}"#,
                "`hack`",
            ),
            (
                r#"{"clauses":[{"verb":"find","object":"bombs"}],"confidence":1}"#,
                "`bombs`",
            ),
            (r#"{"clauses":[{"verb":7,"object":"files"}],"confidence":1}"#, "`7`"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn the_schema_accepts_every_word_and_no_other() {
        let validator = jsonschema::validator_for(&schema()).unwrap();
        for verb in Verb::ALL {
            for object in Object::ALL {
                let answer = json!({
                    "clauses": [{"verb": verb.as_str(), "object": object.as_str()}], "confidence": 0.5
                });
                assert!(validator.is_valid(&answer), "{verb} {object}");
            }
        }
        assert!(validator.is_valid(&json!({"clauses": [{"verb": null, "object": null}], "confidence": 0})));
        assert!(!validator.is_valid(&json!({"clauses": [{"verb": "hack", "object": null}], "confidence": 0})));
        assert!(!validator.is_valid(&json!({"clauses": [], "confidence": 0})));
    }
}
