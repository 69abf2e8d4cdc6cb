//! Whether a request is about another moment than now: "every 30 min: …", "ogni mattina …", "… later". The engine asks
//! before anything is planned, so that no planner can take the body of a schedule for a request of its own
//! (incident 17). When exactly is not read here.

use super::{
    scan::Scan,
    sense::Sense,
    time::{Form, Mention},
};

/// A fixed phrase says so, or it is to happen again and again.
pub(super) fn is_scheduled(scan: &Scan<'_>, times: &[Mention]) -> bool {
    let again = times.iter().any(|time| matches!(time.form, Form::Recurring(_)));
    again || (0..scan.segments.len()).any(|at| scan.is(at, &Sense::Scheduled))
}
