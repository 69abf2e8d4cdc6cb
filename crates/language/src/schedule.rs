//! Whether a request is about another moment than now: "every 30 min: …", "ogni mattina …", "… later". The engine asks
//! before anything is planned, so that no planner can take the body of a schedule for a request of its own.
//! When exactly is not read here.

use super::{
    FactKind,
    scan::Scan,
    sense::Sense,
    time::{Form, Mention, Recurrence},
};
use metnos_domain::vocabulary::Object;

/// A fixed phrase says so, or it is to happen again and again.
pub(super) fn is_scheduled(scan: &Scan<'_>, times: &[Mention]) -> bool {
    let again = times.iter().any(|time| matches!(time.form, Form::Recurring(_)));
    again || (0..scan.segments.len()).any(|at| scan.is(at, &Sense::Scheduled))
}

/// "files changed on the first Monday of the month" are those of one day; "on the first Monday of the month …" at the
/// beginning, with a time of day, or where no files are spoken of is a schedule.
pub(super) fn settle_loose(scan: &Scan<'_>, times: &mut [Mention]) {
    for time in times {
        let Form::Recurring(Recurrence { loose: true, at, .. }) = time.form else {
            continue;
        };
        let first = scan
            .segments
            .partition_point(|segment| segment.span.end <= time.span.start);
        let leads = (0..first).all(|before| scan.is_glue(before) || scan.sense(before, Sense::role).is_some());
        let of_files = scan
            .facts
            .iter()
            .any(|fact| matches!(fact.kind, FactKind::Path | FactKind::Glob))
            || (0..scan.segments.len()).any(|at| {
                let files = scan
                    .sense(at, Sense::object)
                    .is_some_and(|(object, _)| object == Object::Files);
                files || scan.is(at, &Sense::Changed) || scan.sense(at, Sense::globs).is_some()
            });
        if of_files && !leads && at.is_none() {
            time.form = Form::Plain;
        }
    }
}
