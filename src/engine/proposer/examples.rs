//! Requests with the plan that was right for them: the nearest few are shown to the model with a new request, so that
//! memory helps it where it cannot answer itself. The person's own come first, those of the corpus fill up. Called by
//! dispatch; it knows no other person's plans, and compares spelling alone.

use std::sync::OnceLock;

use serde_json::Value;

use crate::{
    domain::{lang::Lang, limits},
    llm::lexical,
};

/// One request a line, its answer as JSON in the next; of both languages.
const CORPUS: &str = include_str!("../../../locales/en/prompts/examples.txt");
/// The same in Italian.
const CORPUS_IT: &str = include_str!("../../../locales/it/prompts/examples.txt");
/// From this likeness on a plan of the person's own comes before those of the corpus.
const OWN_LIKENESS_MIN: f32 = 0.3;

struct Known {
    request: &'static str,
    answer: Value,
    vector: Vec<f32>,
}

/// The examples nearest to a request: of these plans that were right for the person, each with its request, and of the
/// corpus of the language.
pub fn nearest(request: &str, lang: Lang, own: &[(String, Value)]) -> Vec<(String, Value)> {
    let wanted = lexical::embed(request);
    let mut of_own: Vec<(f32, &(String, Value))> = own
        .iter()
        .map(|example| (likeness(&wanted, &lexical::embed(&example.0)), example))
        .filter(|(likeness, _)| *likeness >= OWN_LIKENESS_MIN)
        .collect();
    of_own.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut of_corpus: Vec<(f32, &Known)> = corpus(lang)
        .iter()
        .map(|known| (likeness(&wanted, &known.vector), known))
        .collect();
    of_corpus.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let own = of_own.into_iter().map(|(_, (said, plan))| (said.clone(), plan.clone()));
    let others = of_corpus
        .into_iter()
        .map(|(_, known)| (known.request.to_owned(), known.answer.clone()));
    let mut room = limits::EXAMPLES_CHARS_MAX;
    own.chain(others)
        .filter(|(said, plan)| {
            let left = room.checked_sub(said.chars().count() + plan.to_string().chars().count());
            room = left.unwrap_or(room);
            left.is_some()
        })
        .take(limits::EXAMPLES_MAX)
        .collect()
}

/// The request of the person's own that is most like this one, and like enough.
pub fn likest<'o>(request: &str, own: &'o [(String, Value)]) -> Option<&'o str> {
    let wanted = lexical::embed(request);
    let all = own
        .iter()
        .map(|(said, _)| (likeness(&wanted, &lexical::embed(said)), said.as_str()));
    let near = all.filter(|(likeness, said)| *likeness >= OWN_LIKENESS_MIN && *said != request);
    near.max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, said)| said)
}

fn corpus(lang: Lang) -> &'static [Known] {
    static ENGLISH: OnceLock<Vec<Known>> = OnceLock::new();
    static ITALIAN: OnceLock<Vec<Known>> = OnceLock::new();
    match lang {
        Lang::IT => ITALIAN.get_or_init(|| read(CORPUS_IT)),
        _ => ENGLISH.get_or_init(|| read(CORPUS)),
    }
}

fn read(text: &'static str) -> Vec<Known> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let known = lines.chunks_exact(2).filter_map(|pair| {
        let [request, answer] = pair else { return None };
        // A test reads every line; one that is no JSON would only be an example less.
        let answer = serde_json::from_str(answer).ok()?;
        Some(Known {
            request,
            answer,
            vector: lexical::embed(request),
        })
    });
    known.collect()
}

/// Cosine of two vectors of length 1.
fn likeness(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::plan::Plan;

    #[test]
    fn every_line_of_the_corpora_is_read() {
        for (text, lang) in [(CORPUS, Lang::EN), (CORPUS_IT, Lang::IT)] {
            let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
            assert_eq!(corpus(lang).len() * 2, lines);
            for known in corpus(lang) {
                let is_plan = Plan::from_json(&known.answer).is_ok();
                let says = ["cannot", "answer", "question"]
                    .iter()
                    .any(|form| known.answer.get(form).is_some());
                assert!(is_plan || says, "{}", known.request);
                let length = known.request.chars().count() + known.answer.to_string().chars().count();
                assert!(length <= limits::EXAMPLES_CHARS_MAX, "{length}: {}", known.request);
            }
        }
    }

    #[test]
    fn what_was_right_for_the_person_comes_first() {
        let plan = json!({"steps": [{"tool": "read_files", "args": {"paths": ["~/notes/garden.md"]}}], "show": true});
        let own = [
            ("what is in my garden notes".to_owned(), plan.clone()),
            ("zzz".to_owned(), json!({"steps": []})),
        ];
        let shown = nearest("what do my garden notes say", Lang::EN, &own);
        assert!((2..=limits::EXAMPLES_MAX).contains(&shown.len()), "{shown:?}");
        assert_eq!(shown.first().map(|(_, plan)| plan), Some(&plan));
        assert!(shown.iter().all(|(said, _)| said != "zzz"));
    }
}
