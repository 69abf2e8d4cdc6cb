//! What follows a plan that failed before it changed anything: one other plan, or what is said when there is none.
//! Called by `plan_and_run`, once a turn.

use crate::{
    domain::{
        failure::{ErrorClass, FailureClass, ToolError},
        intent::Intent,
        outcome::AnsweredBy,
        plan::{Plan, Validated},
    },
    engine::{
        dispatch::{
            Cascade,
            planning::{Excluded, Written},
        },
        outcome::TurnOutcome,
        plan_executor::report::RunReport,
        recovery, terminator,
        terminator::DeadEnd,
    },
};

impl Cascade<'_> {
    /// One other plan for a request whose first one failed. Code has only one plan of a shape; a model may have the
    /// right values for the same one, and is told what went wrong.
    pub(super) async fn another(
        &mut self,
        report: &RunReport,
        mut excluded: Vec<Excluded>,
        writer: AnsweredBy,
    ) -> Option<Plan<Validated>> {
        let is_codes = writer == AnsweredBy::Simple;
        let failed = report.last_failure.as_ref();
        excluded.push(Excluded {
            hash: is_codes.then(|| report.plan.hash()),
            shape: None,
            exact: Some(report.plan.to_json()),
            failed: failed.map(|(tool, class)| format!("{tool} failed: {}", terminator::class_name(*class))),
        });
        match self.write_plan(&excluded).await {
            Ok(Written::Plan(plan, _)) => Some(plan),
            Ok(Written::Said(_)) | Err(_) => None,
        }
    }

    /// A plan failed, and there is no other. Where a model made it of words that code does not know, and it was wrong
    /// in itself, those words are what is missing.
    pub(super) fn nothing_else(&mut self, report: &RunReport, writer: AnsweredBy) -> TurnOutcome {
        // Of several things that fit, the person is to say which.
        let is_clear = |error: &ToolError| error.class != ErrorClass::AmbiguousSourceContext;
        let class = recovery::classify(report);
        let is_wrong = matches!(class, FailureClass::WrongTool | FailureClass::WrongArgs);
        let is_guess = matches!(writer, AnsweredBy::Metis | AnsweredBy::Frontier);
        if is_guess
            && is_wrong
            && report.error().is_some_and(is_clear)
            && let Err(missing @ DeadEnd::NoTool { .. }) = self.compose(&[])
        {
            let intent = self.intent.clone().unwrap_or_else(Intent::unknown);
            let outcome = self.admit(&self.sayable(missing), &intent);
            return self.with_failure(outcome, report);
        }
        self.dead_end(report, class)
    }
}
