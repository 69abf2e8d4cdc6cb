//! "Tell me when …": what is to be looked at again and again, as a request that looks once. Called by `asked`; it looks
//! at nothing itself.

use std::ops::Range;

use super::{Asked, Request};

impl Request<'_> {
    /// "Tell me when a new pdf is in ~/in": the look is "find a pdf in ~/in"; that it is new, its answer tells.
    pub(super) fn watch(&self, frame: &Range<usize>) -> Option<Asked> {
        if let Some(look) = self.look_for_changes(frame) {
            return Some(Asked::Watch {
                whether: look.clone(),
                look,
                may_be_now: false,
            });
        }
        let mut cut: Vec<Range<usize>> = std::iter::once(0..frame.end).collect();
        let mut at = frame.end;
        let mut percent = None;
        while at < self.words.len() {
            let gone = [&self.table.appears, &self.table.fresh]
                .into_iter()
                .filter_map(|phrases| self.phrase(at, phrases))
                .max();
            if let Some((count, number)) = self.percent(at) {
                percent = Some(number);
                cut.push(at..at + count);
                at += count;
            } else if let Some(count) = gone {
                cut.push(at..at + count);
                at += count;
            } else {
                at += 1;
            }
        }
        let is_disk = (frame.end..self.words.len()).any(|at| self.phrase(at, &self.table.disk).is_some());
        if let Some(percent) = percent.filter(|_| is_disk) {
            let look = format!("{} {percent}%", self.table.disk_look);
            return Some(Asked::Watch {
                whether: look.clone(),
                look,
                may_be_now: false,
            });
        }
        let thing = self.without(&cut, true)?;
        let look = format!("{} {thing}", self.table.look);
        let whether = self.slice(&(frame.end..self.words.len()));
        let whether = format!("{} {whether}", self.table.tell);
        (!thing.is_empty()).then_some(Asked::Watch {
            look,
            whether,
            may_be_now: self.phrase(frame.start, &self.table.whether) == Some(frame.len()),
        })
    }

    /// "Tell me when ~/notes/plan.txt changes": the look is "read ~/notes/plan.txt"; what changed, its lines tell.
    fn look_for_changes(&self, frame: &Range<usize>) -> Option<String> {
        let ends = |at: &usize| {
            let count = self.phrase(*at, &self.table.changes);
            count.is_some_and(|count| at + count == self.words.len())
        };
        let end = (frame.end + 1..self.words.len()).find(ends)?;
        // A path may begin with a sign, which no word has.
        let ends_at = |at: usize| Some(self.words.get(at.checked_sub(1)?)?.span.end);
        let named = self.text.get(ends_at(frame.end)?..ends_at(end)?)?;
        Some(format!("{} {}", self.table.read, named.trim()))
    }

    /// "Over 90 %".
    fn percent(&self, at: usize) -> Option<(usize, f64)> {
        let lead = self.phrase(at, &self.table.over)?;
        let number = self.words.get(at + lead)?.fold.replace(',', ".").parse().ok()?;
        let sign = self.words.get(at + lead + 1)?;
        (sign.fold == "%").then_some((lead + 2, number))
    }
}
