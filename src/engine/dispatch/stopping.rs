//! What becomes of a turn whose person said stop. While it only thinks, its work is dropped where it stands, model
//! calls with it; while a plan runs, the plan executor ends the run and its journal itself. The answer says what was
//! done before and what takes it back. A stopped turn teaches memory nothing.

use std::{
    collections::BTreeMap,
    pin::pin,
    sync::atomic::{AtomicBool, Ordering},
    task::Poll,
};

use crate::{
    catalog::Catalog,
    domain::{
        message::Message,
        outcome::{AnsweredBy, FinalKind, View},
        run::{Reversal, StepRecord},
        vocabulary::{Object, Verb},
    },
    engine::{
        Audience,
        dispatch::Cascade,
        outcome::TurnOutcome,
        plan_executor::{report::RunReport, verify},
        recovery, terminator,
    },
    store::turns::Lessons,
};

/// Whether a plan is being carried out: then nothing is dropped from outside.
#[derive(Debug, Default)]
pub(super) struct Hands(AtomicBool);

impl Hands {
    /// A plan begins to run; what comes of it is the turn's answer.
    pub(super) fn take(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// It failed with clean hands, and the turn thinks again.
    pub(super) fn put_down(&self) {
        self.0.store(false, Ordering::Release);
    }

    fn are_full(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// What comes of a turn, unless its person says stop first.
pub(super) async fn unless_stopped(
    audience: Audience<'_>,
    hands: &Hands,
    turn: impl Future<Output = TurnOutcome>,
) -> TurnOutcome {
    let mut turn = pin!(turn);
    let mut stop = pin!(audience.stop.cancelled());
    let outcome = std::future::poll_fn(|context| {
        // A run that was stopped ends by itself, and is an answer.
        if (hands.are_full() || !audience.is_stopped())
            && let Poll::Ready(outcome) = turn.as_mut().poll(context)
        {
            return Poll::Ready(Some(outcome));
        }
        if hands.are_full() {
            return Poll::Pending;
        }
        stop.as_mut().poll(context).map(|()| None)
    })
    .await;
    match outcome {
        Some(mut outcome) if outcome.final_kind == FinalKind::Stopped => {
            outcome.lessons = Lessons::default();
            outcome
        }
        Some(outcome) => outcome,
        None => TurnOutcome::new(
            AnsweredBy::Runtime,
            FinalKind::Stopped,
            vec![View::Say(Message::new("stop-nothing-done"))],
        ),
    }
}

impl Cascade<'_> {
    /// A run that a rule ended. What went wrong in it says more than the rule.
    pub(super) fn stopped(&mut self, report: &RunReport, kind: FinalKind, answered_by: AnsweredBy) -> TurnOutcome {
        if report.error().is_some() {
            let mut outcome = self.dead_end(report, recovery::classify(report));
            outcome.final_kind = kind;
            return outcome;
        }
        let words = View::Say(terminator::stopped(kind));
        let mut outcome = TurnOutcome::new(answered_by, kind, vec![words]);
        outcome.notes.extend(terminator::partly_done(report.mutations));
        self.with_run(outcome, report)
    }

    /// A run that its person stopped.
    pub(super) fn left_off(&mut self, report: &RunReport, answered_by: AnsweredBy) -> TurnOutcome {
        let words = words(&report.records, &self.catalog);
        let outcome = TurnOutcome::new(answered_by, FinalKind::Stopped, words);
        self.with_run(outcome, report)
    }
}

/// What was done before the stop, and what became of it.
fn words(records: &[StepRecord], catalog: &Catalog) -> Vec<View> {
    let mut done: BTreeMap<(Option<&'static str>, Option<&'static str>), u64> = BTreeMap::new();
    let (mut for_good, mut reversible, mut unknown) = (false, false, false);
    for record in records.iter().filter(|record| record.has_effect && !record.skipped) {
        let Some(manifest) = catalog.get(&record.tool) else {
            continue;
        };
        match verify::effect_of(manifest, &record.result) {
            verify::Effected::Changed(count) => {
                let kind = (manifest.verb.map(Verb::as_str), manifest.object.map(Object::as_str));
                *done.entry(kind).or_default() += things(record, count);
                let can_undo = !record.result.reversals.is_empty();
                reversible |= can_undo;
                for_good |= !can_undo;
            }
            verify::Effected::Unknown => unknown = true,
            verify::Effected::Read | verify::Effected::Nothing | verify::Effected::Failed => {}
        }
    }
    let sentences = done.into_iter().map(|((verb, object), count)| {
        let things = Message::new("stop-things")
            .with("count", count)
            .with("object", object.unwrap_or_default());
        Message::new("stop-did")
            .with("verb", verb.unwrap_or_default())
            .with("things", things)
    });
    let told = sentences.reduce(|first, next| Message::new("stop-and").with("first", first).with("next", next));
    let mut views = Vec::new();
    match told {
        Some(told) => {
            let undo = match (reversible, for_good) {
                (true, false) => "all",
                (true, true) => "part",
                (false, _) => "none",
            };
            views.push(View::Say(
                Message::new("stop-after").with("done", told).with("undo", undo),
            ));
        }
        None if unknown => views.push(View::Say(Message::new("stop-said"))),
        None => views.push(View::Say(Message::new("stop-nothing-done"))),
    }
    if unknown {
        views.push(View::Say(Message::new("stop-unknown")));
    }
    views
}

/// How many things a step changed: a folder that was made on the way to a file is none of them.
fn things(record: &StepRecord, count: u64) -> u64 {
    let is_way = |reversal: &&Reversal| matches!(reversal, Reversal::RemoveDir { .. });
    let ways = record.result.reversals.iter().filter(is_way).count();
    let all = record.result.reversals.len();
    let is_cut_off = record.result.ok_count().is_none() && ways < all;
    if is_cut_off {
        u64::try_from(all - ways).unwrap_or(count)
    } else {
        count
    }
}
