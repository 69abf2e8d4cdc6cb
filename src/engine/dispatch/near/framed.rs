//! What frames alone make of a request, without anything coming of it: whether its own words ask for a tool, whether a
//! part of it could be read as a message of its own, and what all of it is. Asked by `sending`, `later` and
//! `continuing`.

use crate::{
    domain::{
        dialogue::Dialogue,
        ids::ExecutorName,
        plan::{Plan, Proposed},
    },
    engine::{
        dispatch::Cascade,
        frames::{self, Asked, Basis, Near},
        things::Resolver,
    },
    language::{Reading, outline::Word},
};

impl Cascade<'_> {
    /// Whether frames read the request as one for this tool.
    pub(in crate::engine::dispatch) fn frames_ask_for(&self, tool: &ExecutorName) -> bool {
        let (words, view) = (self.words(), self.view());
        let mut read = [false, true].into_iter();
        let asks = |near: Near| near.plan.steps.iter().any(|step| step.tool == *tool);
        read.any(|rest| self.framed(&self.reading, &words, &view, rest).is_some_and(asks))
    }

    /// The nearest reading, where it rests on things that are there and uses every word.
    pub(in crate::engine::dispatch) fn whole_reading(&mut self) -> Option<Plan<Proposed>> {
        let words = self.words();
        let near = self.nearest()?;
        let rests_on_things = near.basis == Basis::Things && !near.is_rest;
        let is_open = |(at, word): (usize, &Word)| frames::says_something(word) && !near.explained.contains(&at);
        let is_whole = rests_on_things && !words.iter().enumerate().any(is_open);
        is_whole.then_some(near.plan)
    }

    fn framed(&self, reading: &Reading, words: &[Word], view: &Dialogue, rest: bool) -> Option<Near> {
        let language = &self.engine.language;
        let things: Vec<&dyn Resolver> = self.things.iter().map(|things| &**things).collect();
        frames::nearest(
            &Asked {
                reading,
                words,
                view,
                things: &things,
                stem: &|text| language.telling_stems(text, reading.lang),
                rest,
                note: &|_line| {},
            },
            self.catalog.all(),
        )
    }

    /// Whether frames read these words whole, as a message of their own.
    pub(in crate::engine::dispatch) fn would_read(&self, text: &str) -> bool {
        let reading = self.read(text);
        let words = self.engine.language.outline(&reading, &self.home);
        let near = self.framed(&reading, &words, &Dialogue::default(), false);
        let is_open =
            |near: &Near, (at, word): (usize, &Word)| frames::says_something(word) && !near.explained.contains(&at);
        near.is_some_and(|near| !words.iter().enumerate().any(|word| is_open(&near, word)))
    }
}
