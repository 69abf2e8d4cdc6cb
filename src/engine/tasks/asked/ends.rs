//! Where what is asked for later ends: after so many times, or at a moment. Both are values, and no part of the words
//! that are said then. Called by `asked` before and while it looks for times.

use std::ops::Range;

use super::Request;
use crate::language::time::Value;

impl Request<'_> {
    /// "…, 2 times": how often, which is no part of the words before.
    pub(super) fn take_count(&mut self) -> Option<u32> {
        let end = self.words.len();
        let behind = |at: &usize| {
            self.phrase(*at, &self.table.times)
                .is_some_and(|count| at + count == end)
        };
        let unit = (1..end).find(behind)?;
        let said = self.words.get(unit - 1)?.fold.clone();
        let number = self.table.counts.iter().position(|words| words.contains(&said));
        let count = said.parse().ok().or_else(|| u32::try_from(number? + 1).ok())?;
        let mut first = unit - 1;
        while let Some(before) = first
            .checked_sub(1)
            .filter(|at| self.phrase(*at, &self.table.only) == Some(1))
        {
            first = before;
        }
        let start = self.words.get(first)?.span.start;
        self.words.truncate(first);
        self.text = self.text.get(..start)?.trim_end_matches([' ', ',', ';']);
        (count > 0).then_some(count)
    }

    /// "Until Friday": the end of what comes again.
    pub(super) fn is_end(&self, time: &Range<usize>) -> bool {
        let ends = |value: &Value| matches!(value, Value::Range(None, Some(_)));
        let mentions = self.mentions(self.slice(time));
        !mentions.is_empty()
            && mentions
                .iter()
                .all(|mention| mention.readings.first().is_some_and(ends))
    }
}
