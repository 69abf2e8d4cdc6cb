//! Whether a question is one that the documents of a home answer. Made for a turn by the family of papers, from the
//! documents that share words with the message and the one that was spoken of before; it looks at nothing else.
//!
//! | kind | what it is |
//! |---|---|
//! | `paper-question` | a question that a document answers |
//! | `paper` | the document that was spoken of, where that one answers it |

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use metnos_papers::{Answer, Paper, Words};
use serde_json::json;

use super::{Question, opened};
use crate::{
    domain::lang::Lang,
    engine::{
        frames::says_something,
        things::{Asking, Meant, Resolver},
    },
    language::Language,
    store::papers::PaperText,
};

/// The kinds.
const QUESTION: &str = "paper-question";
const PAPER: &str = "paper";

/// What the documents of a person may answer.
pub(super) struct Questions<'a> {
    pub(super) found: Vec<PaperText>,
    /// The one that was spoken of before.
    pub(super) spoken: Option<PaperText>,
    pub(super) lang: Lang,
    pub(super) language: &'a Language,
    pub(super) words: Arc<Words>,
    /// What was found, once it was asked.
    pub(super) opened: OnceLock<Vec<Paper>>,
    /// What the papers answer to each text: several frames ask the same, and looking it up reads every page.
    pub(super) answers: Mutex<BTreeMap<String, Option<Answer>>>,
}

impl Resolver for Questions<'_> {
    fn knows(&self, kind: &str) -> bool {
        matches!(kind, QUESTION | PAPER)
    }

    /// A question of which every word is accounted for is one for the papers.
    fn is_certain(&self) -> bool {
        true
    }

    fn meant(&self, asking: &Asking<'_>) -> Option<Meant> {
        if asking.slot.kind != QUESTION || self.found.is_empty() && self.spoken.is_none() {
            return None;
        }
        let all: Vec<usize> = (0..asking.words.len()).collect();
        // All that is said is one question, as far as all of it is about the same.
        let is_whole = |meant: &Meant| {
            let says = |at: &&usize| asking.words.get(**at).is_some_and(says_something);
            let outside = all.iter().filter(|at| !asking.clause.contains(at)).filter(says);
            outside.into_iter().all(|at| meant.words.contains(at))
        };
        let whole = self.question(asking, &all).filter(is_whole);
        whole.or_else(|| self.question(asking, asking.clause))
    }
}

impl Questions<'_> {
    fn papers(&self) -> &[Paper] {
        self.opened.get_or_init(|| opened(&self.found, self.spoken.as_ref()))
    }

    /// What the papers answer to a text, looked up once.
    fn answer(&self, text: &str) -> Option<Answer> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let look_up = || {
            let question = Question {
                text,
                lang: self.lang,
                language: self.language,
                words: &self.words,
            };
            question.answer(self.papers())
        };
        answers.entry(text.to_owned()).or_insert_with(look_up).clone()
    }

    /// The question that these words are, if the papers answer it.
    fn question(&self, asking: &Asking<'_>, places: &[usize]) -> Option<Meant> {
        let first = asking.words.get(*places.first()?)?;
        let text = asking.written(places)?;
        let answer = self.answer(text)?;
        let is_explained = |at: &&usize| {
            asking.words.get(**at).is_some_and(|word| {
                // Places of the answer are those of the question alone.
                let begin = word.span.start.saturating_sub(first.span.start);
                let end = word.span.end.saturating_sub(first.span.start);
                answer.explained.iter().any(|span| span.start < end && begin < span.end)
            })
        };
        let words: BTreeSet<usize> = places.iter().filter(is_explained).copied().collect();
        let spoken = self.papers().get(answer.paper).filter(|paper| paper.is_spoken_of);
        let implies = spoken.map(|paper| (PAPER.to_owned(), json!(paper.path)));
        Some(Meant {
            implies: implies.into_iter().collect(),
            ..Meant::by(json!(text), words.into_iter().collect(), true)
        })
    }
}
