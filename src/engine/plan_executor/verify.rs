//! What a result really did: the executor's own counts against what the step was for. Pure; called after every step.

use serde_json::Value;

use crate::domain::{
    failure::{ErrorClass, ToolError},
    manifest::Manifest,
    message::Message,
    run::ToolResult,
};

use super::projection;

/// What became of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effected {
    /// The step only reads.
    Read,
    /// Something was changed, this many times.
    Changed(u64),
    /// It ran without complaint and changed nothing.
    Nothing,
    /// It did not happen.
    Failed,
    /// It may have happened.
    Unknown,
}

impl Effected {
    /// Whether running another plan could do something twice.
    pub fn is_committed(self) -> bool {
        match self {
            Self::Changed(_) | Self::Unknown => true,
            Self::Read | Self::Nothing | Self::Failed => false,
        }
    }
}

/// Judges a result. A step of which every single target failed is a failure, even if the executor did not say so.
pub(super) fn verify(manifest: &Manifest, mut result: ToolResult) -> (ToolResult, Effected) {
    let failures = result.body.get("failed").and_then(Value::as_array);
    let all_failed = failures
        .and_then(|failed| failed.first())
        .filter(|_| done(&result) == 0 && !was_as_wanted(&result))
        .map(first_error);
    if result.error.is_none() {
        result.error = all_failed;
    }
    let effected = effect_of(manifest, &result);
    (result, effected)
}

/// What a result that was judged did.
pub fn effect_of(manifest: &Manifest, result: &ToolResult) -> Effected {
    if !manifest.effect.changes_something() {
        return Effected::Read;
    }
    // What can be taken back has happened, whatever the count says; but a folder made on the way is no second thing.
    let count = match done(result) {
        0 => u64::try_from(result.reversals.len()).unwrap_or(u64::MAX),
        count => count,
    };
    match &result.error {
        Some(_) if count > 0 => Effected::Changed(count),
        // An executor that lists what failed knows how far it came.
        Some(error) if may_have_happened(error.class) && !result.body.contains_key("failed") => Effected::Unknown,
        Some(_) => Effected::Failed,
        None if count > 0 => Effected::Changed(count),
        None if result.ok_count() == Some(0) => Effected::Nothing,
        None if projection::payload(result).is_some_and(Vec::is_empty) => Effected::Nothing,
        None => Effected::Changed(1),
    }
}

/// How many targets went well, as far as the result says.
fn done(result: &ToolResult) -> u64 {
    let listed = || projection::payload(result).map_or(0, Vec::len);
    result
        .ok_count()
        .unwrap_or_else(|| u64::try_from(listed()).unwrap_or(u64::MAX))
}

/// Some targets needed nothing done: they did not fail.
fn was_as_wanted(result: &ToolResult) -> bool {
    let unchanged = result.body.get("unchanged_count").and_then(Value::as_u64);
    unchanged.is_some_and(|count| count > 0)
}

/// Classes after which nobody knows how far the executor came.
fn may_have_happened(class: ErrorClass) -> bool {
    matches!(
        class,
        ErrorClass::Timeout
            | ErrorClass::Crashed
            | ErrorClass::NonJson
            | ErrorClass::UnknownOutcome
            | ErrorClass::Internal
            | ErrorClass::Network
            | ErrorClass::ServerError
    )
}

fn first_error(failed: &Value) -> ToolError {
    let class = failed
        .get("error_class")
        .and_then(|class| serde_json::from_value(class.clone()).ok())
        .unwrap_or(ErrorClass::Internal);
    let message = failed
        .get("message")
        .and_then(|message| serde_json::from_value(message.clone()).ok())
        .unwrap_or_else(|| Message::new("run-all-failed"));
    ToolError::new(class, message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        domain::run::Reversal,
        engine::fixtures::{lookup, ok},
    };

    #[test]
    fn what_happened_is_counted_not_believed() {
        let delete = lookup(&"delete_files".into()).unwrap();
        let failed = |class| ToolResult::failed(ToolError::new(class, Message::new("x")));
        let moved = ToolResult {
            reversals: vec![Reversal::RemoveDir { path: "/a".to_owned() }],
            ..failed(ErrorClass::Timeout)
        };
        for (result, effected) in [
            (
                ok(json!({"results": [{"path": "/a"}], "ok_count": 1})),
                Effected::Changed(1),
            ),
            (ok(json!({"results": [], "ok_count": 0})), Effected::Nothing),
            (ok(json!({"results": []})), Effected::Nothing),
            (
                ok(json!({"results": [{"path": "/a"}], "ok_count": 0, "unchanged_count": 1})),
                Effected::Nothing,
            ),
            (ok(json!({"bytes": 10})), Effected::Changed(1)),
            (failed(ErrorClass::NotFound), Effected::Failed),
            (failed(ErrorClass::Timeout), Effected::Unknown),
            (failed(ErrorClass::Crashed), Effected::Unknown),
            (moved, Effected::Changed(1)),
        ] {
            assert_eq!(verify(&delete, result.clone()).1, effected, "{result:?}");
        }
        let read = lookup(&"read_files".into()).unwrap();
        assert_eq!(verify(&read, failed(ErrorClass::Timeout)).1, Effected::Read);
    }

    #[test]
    fn when_every_target_failed_the_step_failed() {
        let delete = lookup(&"delete_files".into()).unwrap();
        let body = json!({"results": [], "ok_count": 0, "fail_count": 1,
            "failed": [{"path": "/a", "error_class": "not_found", "message": {"key": "executors-path-not-found"}}]});
        let (result, effected) = verify(&delete, ok(body));
        let error = result.error.unwrap();
        assert_eq!(error.class, ErrorClass::NotFound);
        assert_eq!(error.message.key.as_str(), "executors-path-not-found");
        assert_eq!(effected, Effected::Failed);
    }

    #[test]
    fn a_target_that_was_as_wanted_did_not_fail() {
        let delete = lookup(&"delete_files".into()).unwrap();
        let body = json!({"results": [{"path": "/b"}], "ok_count": 0, "fail_count": 1, "unchanged_count": 1,
            "failed": [{"path": "/a", "error_class": "not_found"}]});
        let (result, effected) = verify(&delete, ok(body));
        assert_eq!((result.error, effected), (None, Effected::Nothing));
    }
}
