//! Whether a request is about another moment than now: "every 30 min: …", "ogni mattina …", "… later". The engine asks
//! before anything is planned, so that no planner can take the body of a schedule for a request of its own
//! (incident 17). When exactly is not read here.

use super::{scan::Scan, sense::Sense};

/// A fixed phrase says so, or "every" stands before a unit of time, with a number between them or without.
pub(super) fn is_scheduled(scan: &Scan<'_>) -> bool {
    (0..scan.segments.len()).any(|at| scan.is(at, &Sense::Scheduled) || is_interval(scan, at))
}

fn is_interval(scan: &Scan<'_>, every: usize) -> bool {
    let is_unit = |at: usize| scan.is(at, &Sense::IntervalUnit) || scan.sense(at, Sense::window_unit).is_some();
    let next = every + 1;
    scan.is(every, &Sense::Every) && (is_unit(next) || scan.number(next).is_some() && is_unit(next + 1))
}
