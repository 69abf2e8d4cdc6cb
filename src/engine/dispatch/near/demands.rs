//! Whether a message tells to change something or to put it right, whatever else it asks. Called by `near`: looking at
//! something else is then no answer.

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    domain::manifest::Manifest,
    engine::{
        dispatch::Cascade,
        frames::{self, Clause, Near},
    },
    language::outline::{Sign, Word},
};

impl Cascade<'_> {
    /// Whether something is to be done, or put right: looking at something else is no answer to that.
    pub(super) fn wants_no_look(&self, words: &[Word]) -> bool {
        let text = &self.reading.original;
        let says_deed = words.iter().any(|word| word.deeds().next().is_some());
        let only_corrects = !says_deed && self.engine.language.corrects(text, &self.turn.now);
        only_corrects || demands_change(text, words, self.catalog.all())
    }
}

/// Whether a clause tells to change something: it begins with such a deed, or with a part and then the deed, as in "in
/// the letter change July to August". "I'm making pancakes" begins with who does it.
pub(in crate::engine::dispatch) fn demands_change(text: &str, words: &[Word], tools: &[Arc<Manifest>]) -> bool {
    let looks = |deed: &str| matches!(deed, "look" | "find" | "count" | "send") || only_looks(deed, tools);
    let changes =
        |word: &Word| word.deeds().next().is_some() && !word.deeds().any(looks) && !word.may_be(&Sign::Ongoing);
    let commands = |clause: &Clause| {
        let leads = |word: &&Word| word.may_be(&Sign::Request) || word.may_be(&Sign::Connector);
        let own: Vec<&Word> = clause
            .words
            .iter()
            .filter_map(|at| words.get(*at))
            .skip_while(leads)
            .collect();
        let is_part = |word: &&Word| word.signs.iter().any(|(sign, _)| matches!(sign, Sign::Role(_)));
        // A name or a word for a text ends the part.
        let is_name =
            |word: &Word| word.is_capital(text) || word.may_be(&Sign::List) || word.objects().next().is_some();
        let behind_name = |pair: &[&Word]| matches!(pair, [name, deed] if is_name(name) && changes(deed));
        own.first().is_some_and(|word| changes(word))
            || own.first().is_some_and(is_part) && own.windows(2).any(behind_name)
    };
    frames::clauses(words)
        .iter()
        .any(|clause| !clause.begins_asking && !clause.is_reason && commands(clause))
}

/// Whether a look that explains these words leaves aside a question about a figure: "350 Fahrenheit in Celsius? My recipe
/// is American" asks for no recipe.
pub(in crate::engine::dispatch) fn leaves_figure(words: &[Word], explained: &BTreeSet<usize>) -> bool {
    let is_figure = |at: &usize| words.get(*at).is_some_and(Word::is_number);
    let is_open = |clause: &Clause| clause.words.iter().all(|at| !explained.contains(at));
    let asks_figure = |clause: &Clause| clause.asks && is_open(clause) && clause.words.iter().any(is_figure);
    frames::clauses(words).iter().any(asks_figure)
}

/// Whether a look with a tool that is asked for a time leaves one aside: what it answers then is about another day than
/// the one that was asked for. What is asked for no time may stand beside one: "the recipe I want to make tomorrow".
pub(in crate::engine::dispatch) fn leaves_time(words: &[Word], near: &Near, tools: &[Arc<Manifest>]) -> bool {
    let is_open = |at: &usize| !near.explained.contains(at) && words.get(*at).is_some_and(|word| word.is_time);
    let is_touched = |clause: &&Clause| clause.words.iter().any(|at| near.explained.contains(at));
    let clauses = frames::clauses(words);
    let leaves = clauses
        .iter()
        .filter(is_touched)
        .any(|clause| clause.words.iter().any(&is_open));
    let is_used = |tool: &&Arc<Manifest>| near.plan.steps.iter().any(|step| step.tool == tool.name);
    leaves && tools.iter().filter(is_used).any(|tool| takes_time(tool))
}

/// Whether a tool is asked for times, by its frames.
fn takes_time(tool: &Manifest) -> bool {
    let mut slots = tool.frames.iter().flat_map(|frame| &frame.slots);
    slots.any(|slot| matches!(slot.kind.as_str(), "window" | "moment"))
}

/// Whether whoever does this only looks: "read me", "whose birthday".
fn only_looks(deed: &str, tools: &[Arc<Manifest>]) -> bool {
    let does = |tool: &&Arc<Manifest>| tool.frames.iter().any(|frame| frame.deed == deed);
    let mut doers = tools.iter().filter(does).peekable();
    doers.peek().is_some() && !doers.any(|tool| tool.effect.changes_something())
}
