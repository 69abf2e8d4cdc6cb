//! What the web is asked: the words of a request that are looked up, for slots of the kinds `search` (the words that
//! were said for it) and `question` (a whole question). Called by `engine::frames`. A question about the house or the
//! people in it is none for the web.

use serde::Deserialize;
use serde_json::json;

use super::{Asking, Meant, Resolver};
use crate::{
    domain::lang::Lang,
    language::outline::{Sign, Word},
};

const ENGLISH: &str = include_str!("../../../locales/en/web.toml");
const ITALIAN: &str = include_str!("../../../locales/it/web.toml");

/// The words of one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    personal: Vec<String>,
}

/// The resolver.
#[derive(Debug)]
pub struct WebWords {
    personal: Vec<String>,
}

impl WebWords {
    /// For requests in this language.
    pub fn new(lang: Lang) -> Self {
        let text = match lang {
            Lang::IT => ITALIAN,
            _ => ENGLISH,
        };
        let file: File = toml::from_str(text).unwrap_or_default();
        Self {
            personal: file.personal,
        }
    }

    fn is_personal(&self, word: &Word) -> bool {
        self.personal.iter().any(|own| *own == word.fold.trim_end_matches('\''))
    }
}

impl Resolver for WebWords {
    fn knows(&self, kind: &str) -> bool {
        matches!(kind, "search" | "question")
    }

    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        let word = |at: &usize| asking.words.get(*at);
        let is_question = asking.slot.kind == "question";
        // Files and addresses that are named have executors of their own.
        let is_literal = |word: &Word| word.literal.is_some();
        if is_question
            && asking
                .words
                .iter()
                .any(|word| self.is_personal(word) || is_literal(word))
        {
            return None;
        }
        let says = |at: &usize| {
            word(at).is_some_and(|word| word.mark.is_none() && !word.fold.is_empty() || word.literal.is_some())
        };
        let tells =
            |at: &usize| word(at).is_some_and(|word| !word.is_glue || word.literal.is_some() || word.is_number());
        let leads = |at: &usize| {
            word(at).is_some_and(|word| {
                word.is_glue
                    || word.may_be(&Sign::Question)
                    || word.may_be(&Sign::Request)
                    || word.may_be(&Sign::Pointer)
            })
        };
        let run: Vec<usize> = if is_question {
            asking.clause.iter().copied().skip_while(leads).collect()
        } else {
            longest_run(asking, &says)
        };
        let first = run.iter().position(tells)?;
        let last = run.iter().rposition(|at| says(at) && tells(at))?;
        let run = run.get(first..=last)?.to_vec();
        let words = asking.written(&run)?.to_owned();
        Some(Meant::by(json!(words), run, true))
    }
}

/// The longest run of words that nothing explains yet.
fn longest_run(asking: &Asking<'_>, says: &dyn Fn(&usize) -> bool) -> Vec<usize> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for at in asking
        .clause
        .iter()
        .copied()
        .filter(|at| asking.free.contains(at) && says(at))
    {
        match runs
            .last_mut()
            .filter(|run| run.last().is_some_and(|last| last + 1 == at))
        {
            Some(run) => run.push(at),
            None => runs.push(vec![at]),
        }
    }
    // Of two that are alike the one behind the deed.
    runs.into_iter().max_by_key(Vec::len).unwrap_or_default()
}
