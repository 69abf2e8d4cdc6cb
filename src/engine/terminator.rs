//! The honest dead end: says what is missing and what the person can do, and records it as a gap to be counted.
//! Never pretends, never shows an executor's raw error, never calls a model.

use std::ops::Range;

use crate::{
    domain::{
        actor::Role,
        failure::{ErrorClass, FailureClass, GapKind, ToolError},
        intent::Intent,
        message::Message,
        outcome::{AnsweredBy, FinalKind, Gap, View},
        vocabulary::Object,
    },
    engine::outcome::TurnOutcome,
};

/// Letters of a phrase that is said back.
const PHRASE_CHARS_MAX: usize = 60;

/// The gap of a request whose only ways were refused by the person.
pub(super) const ONLY_EXCLUDED_WAYS: &str = "only_excluded_ways";

/// Why the cascade ends here.
#[derive(Clone, Debug, PartialEq)]
pub enum DeadEnd {
    /// Nobody understood the request; the words that explain nothing, if code found them.
    NotUnderstood {
        /// In the person's own spelling.
        words: Vec<String>,
    },
    /// In a language that only a model understands, and there is none.
    NoLexicon,
    /// Understood, but nothing here can do it.
    NoTool {
        /// What is missing in words, if the model named it; else what code could not place.
        words: Vec<String>,
    },
    /// Nothing here deals with such things at all.
    NoDomain {
        /// Which things.
        object: Object,
    },
    /// The model is down and code alone cannot plan this.
    ModelDown {
        /// What code could not place, in the person's own spelling.
        words: Vec<String>,
    },
    /// The person has no model calls left today, and code alone cannot plan this.
    NoModelCallsLeft,
    /// A provider outside the house was not asked or did not answer, and nobody in the house can plan this.
    NoProvider {
        /// Why, with the next step.
        cause: Message,
        /// Whether asking again may help.
        may_pass: bool,
    },
    /// The catalog is empty.
    EmptyCatalog,
    /// The only known way is one the person just told us not to use.
    OnlyExcludedWays,
    /// It is to happen later, or again and again, and nothing here keeps time.
    NoSchedule,
    /// About watchers, and there are none.
    NoWatchers,
    /// Several things at once, and no model to plan them together.
    SeveralThings,
    /// Two proposals in a row were invalid.
    NoValidPlan {
        /// What could not be placed, in the person's own spelling: words that code does not know, or an action that no
        /// plan contained.
        words: Vec<String>,
        /// What ended it when no plan kept to a cap, or none could name its target.
        end: Option<FinalKind>,
    },
    /// A step failed and no other way is left.
    StepFailed {
        /// The failed step's error.
        error: ToolError,
        /// What recovery made of it.
        class: FailureClass,
        /// Effects that were committed before: the answer says so and nothing is repeated.
        committed: u64,
    },
}

impl DeadEnd {
    /// The same with those of its words that may be said.
    pub fn saying(self, sayable: impl FnOnce(Vec<String>) -> Vec<String>) -> Self {
        match self {
            Self::NotUnderstood { words } => Self::NotUnderstood { words: sayable(words) },
            Self::NoTool { words } => Self::NoTool { words: sayable(words) },
            Self::ModelDown { words } => Self::ModelDown { words: sayable(words) },
            Self::NoValidPlan { words, end } => Self::NoValidPlan {
                words: sayable(words),
                end,
            },
            other @ (Self::NoDomain { .. }
            | Self::NoProvider { .. }
            | Self::NoModelCallsLeft
            | Self::NoLexicon
            | Self::EmptyCatalog
            | Self::OnlyExcludedWays
            | Self::NoSchedule
            | Self::NoWatchers
            | Self::SeveralThings
            | Self::StepFailed { .. }) => other,
        }
    }
}

/// The words of a request that nobody could place, as the one phrase they stand in: loose words tell nobody what cannot
/// be done. Of a long one the words that stand together are said.
pub(super) fn as_said(words: Vec<String>, request: &str) -> Vec<String> {
    let mut from = 0;
    let places = words.iter().map(|word| {
        let at = from + request.get(from..)?.find(word.as_str())?;
        from = at + word.len();
        Some(at..from)
    });
    let Some(places) = places.collect::<Option<Vec<Range<usize>>>>() else {
        return words;
    };
    let [first, .., last] = places.as_slice() else {
        return words;
    };
    let whole = first.start..last.end;
    let is_long = |range: &Range<usize>| {
        request
            .get(range.clone())
            .is_none_or(|text| text.chars().count() > PHRASE_CHARS_MAX)
    };
    let range = if is_long(&whole) {
        longest_run(&places, request)
    } else {
        whole
    };
    request.get(range).map_or(words, |phrase| vec![phrase.to_owned()])
}

/// The longest stretch of these words with nothing between them.
fn longest_run(places: &[Range<usize>], request: &str) -> Range<usize> {
    let mut best = 0..0;
    let mut run = 0..0;
    for place in places {
        let between = request.get(run.end..place.start).unwrap_or_default();
        if run.is_empty() || !between.trim().is_empty() {
            run.start = place.start;
        }
        run.end = place.end;
        if run.len() > best.len() {
            best = run.clone();
        }
    }
    best
}

/// Turns a dead end into an answer and a gap. What only the host can put right, a guest is sent to the host with.
pub fn admit(dead_end: &DeadEnd, intent: &Intent, role: Role) -> TurnOutcome {
    let (kind, class) = classify(dead_end);
    let words = sentence(dead_end, role);
    let final_kind = match dead_end {
        DeadEnd::ModelDown { .. } | DeadEnd::NoProvider { may_pass: true, .. } | DeadEnd::EmptyCatalog => {
            FinalKind::Error
        }
        DeadEnd::StepFailed { error, .. } if error.class == ErrorClass::ModelUnavailable => FinalKind::Error,
        DeadEnd::StepFailed { error, .. } if error.class == ErrorClass::NeedsActionTarget => FinalKind::NeedsInputs,
        DeadEnd::NoValidPlan { end: Some(kind), .. } => *kind,
        DeadEnd::NotUnderstood { .. }
        | DeadEnd::NoTool { .. }
        | DeadEnd::NoDomain { .. }
        | DeadEnd::OnlyExcludedWays
        | DeadEnd::NoSchedule
        | DeadEnd::NoModelCallsLeft
        | DeadEnd::NoLexicon
        | DeadEnd::NoProvider { may_pass: false, .. }
        | DeadEnd::NoWatchers
        | DeadEnd::SeveralThings
        | DeadEnd::NoValidPlan { end: None, .. }
        | DeadEnd::StepFailed { .. } => FinalKind::Answer,
    };
    let mut outcome = TurnOutcome::new(AnsweredBy::Terminator, final_kind, vec![View::Say(words)]);
    if let DeadEnd::StepFailed { committed, .. } = dead_end {
        outcome.notes.extend(partly_done(*committed));
    }
    outcome.lessons.gap = Some(Gap {
        kind,
        intent: intent.clone(),
        error_class: class,
    });
    outcome
}

/// The model is unsure what is meant: the person is asked, in its words where it has some, and the request is kept
/// among the gaps.
pub fn ask_again(request: &str, question: Option<String>, intent: &Intent) -> TurnOutcome {
    let views = vec![match question {
        Some(question) => View::Words(question),
        None => View::Say(Message::new("clarify-intent").with("request", request)),
    }];
    let mut outcome = TurnOutcome::new(AnsweredBy::Terminator, FinalKind::Ask, views);
    outcome.lessons.gap = Some(Gap {
        kind: GapKind::NotUnderstood,
        intent: intent.clone(),
        error_class: "unsure_intent".to_owned(),
    });
    outcome
}

/// A rule ended it; the sentence names the next step itself.
pub(super) fn stopped(kind: FinalKind) -> Message {
    Message::new(&format!("stopped-{}", kind.as_str().replace('_', "-")))
}

/// What must be said of changes before a turn ended early.
pub(super) fn partly_done(changes: u64) -> Option<Message> {
    (changes > 0).then(|| Message::new("terminator-partly-done").with("count", changes))
}

fn classify(dead_end: &DeadEnd) -> (GapKind, String) {
    match dead_end {
        DeadEnd::NotUnderstood { .. } => (GapKind::NotUnderstood, "not_understood".to_owned()),
        DeadEnd::NoTool { .. } | DeadEnd::NoDomain { .. } | DeadEnd::NoWatchers => {
            (GapKind::MissingExecutor, "capability_missing".to_owned())
        }
        DeadEnd::ModelDown { .. } => (GapKind::Operational, "model_unavailable".to_owned()),
        DeadEnd::NoProvider { may_pass: false, .. } => (GapKind::UserActionRequired, "provider_not_asked".to_owned()),
        DeadEnd::NoProvider { may_pass: true, .. } => (GapKind::Operational, "provider_unavailable".to_owned()),
        DeadEnd::NoModelCallsLeft => (GapKind::UserActionRequired, "no_model_calls_left".to_owned()),
        DeadEnd::NoLexicon => (GapKind::UserActionRequired, "no_lexicon".to_owned()),
        DeadEnd::EmptyCatalog => (GapKind::MissingExecutor, "empty_catalog".to_owned()),
        DeadEnd::OnlyExcludedWays => (GapKind::MissingExecutor, ONLY_EXCLUDED_WAYS.to_owned()),
        DeadEnd::NoSchedule => (GapKind::MissingExecutor, "no_schedule".to_owned()),
        DeadEnd::SeveralThings => (GapKind::UserActionRequired, "several_things".to_owned()),
        DeadEnd::NoValidPlan { .. } => (GapKind::MissingExecutor, "no_valid_plan".to_owned()),
        DeadEnd::StepFailed { error, class, .. } => (step_kind(error.class, *class), class_name(error.class)),
    }
}

fn step_kind(error: ErrorClass, class: FailureClass) -> GapKind {
    match error {
        ErrorClass::NotFound | ErrorClass::NeedsDataSource | ErrorClass::NeedsContentFetch => GapKind::MissingData,
        ErrorClass::AuthRequired => GapKind::MissingSkill,
        ErrorClass::CapabilityMissing => GapKind::MissingExecutor,
        ErrorClass::Forbidden
        | ErrorClass::Refused
        | ErrorClass::PermissionDenied
        | ErrorClass::AlreadyExists
        | ErrorClass::TooLarge
        | ErrorClass::NeedsActionTarget
        | ErrorClass::NeedsLocation
        | ErrorClass::NeedsInputs
        | ErrorClass::UnknownOutcome => GapKind::UserActionRequired,
        ErrorClass::Timeout
        | ErrorClass::Network
        | ErrorClass::ServerError
        | ErrorClass::RateLimited
        | ErrorClass::ModelUnavailable
        | ErrorClass::NonJson
        | ErrorClass::Crashed
        | ErrorClass::Internal => GapKind::Operational,
        ErrorClass::InvalidArgs
        | ErrorClass::UnresolvedPlaceholder
        | ErrorClass::AmbiguousSourceContext
        | ErrorClass::DuplicateRead
        | ErrorClass::PipelineAlreadyClosed => match class {
            FailureClass::MissingInput => GapKind::MissingData,
            FailureClass::WrongTool | FailureClass::WrongArgs | FailureClass::OutOfScope => GapKind::UserActionRequired,
        },
    }
}

/// The class as it is stored with the gap.
pub fn class_name(class: ErrorClass) -> String {
    serde_json::to_value(class).map_or_else(
        |_unwritable| "internal".to_owned(),
        |value| value.as_str().unwrap_or("internal").to_owned(),
    )
}

/// What the person reads: why it ends here, and what to do about it.
fn sentence(dead_end: &DeadEnd, role: Role) -> Message {
    let for_host = |key: &'static str, for_guest: &'static str| match role {
        Role::Host => key,
        Role::Guest => for_guest,
    };
    let (cause, action) = match dead_end {
        // What a step says of itself already names the next step.
        DeadEnd::StepFailed { error, .. } => return error.message.clone(),
        DeadEnd::NoProvider { cause, .. } => return cause.clone(),
        DeadEnd::NotUnderstood { words } if !words.is_empty() => (
            Message::new("terminator-unknown-words").with("words", words.join(", ")),
            "terminator-rephrase",
        ),
        DeadEnd::NotUnderstood { .. } => (Message::new("terminator-not-understood"), "terminator-rephrase"),
        DeadEnd::NoTool { words } if !words.is_empty() => (
            Message::new("terminator-no-tool-for").with("words", words.join(", ")),
            "terminator-request-tool",
        ),
        DeadEnd::NoTool { .. } => (Message::new("terminator-no-tool"), "terminator-request-tool"),
        DeadEnd::NoWatchers => (Message::new("terminator-no-watchers"), "terminator-noted"),
        DeadEnd::NoDomain { object } => (
            Message::new("terminator-no-domain").with("object", object.as_str()),
            "terminator-noted",
        ),
        DeadEnd::ModelDown { words } => (
            if words.is_empty() {
                Message::new("terminator-model-down")
            } else {
                Message::new("terminator-model-down-for").with("words", words.join(", "))
            },
            for_host("terminator-start-model", "terminator-tell-host-and-again"),
        ),
        DeadEnd::NoLexicon => (
            Message::new("terminator-no-lexicon"),
            for_host("terminator-set-up-model", "terminator-tell-host-and-again"),
        ),
        DeadEnd::NoModelCallsLeft => (Message::new("terminator-no-calls-left"), "terminator-after-midnight"),
        DeadEnd::EmptyCatalog => (
            Message::new("terminator-empty-catalog"),
            for_host("terminator-run-doctor", "terminator-tell-host-and-again"),
        ),
        DeadEnd::OnlyExcludedWays => (Message::new("terminator-only-excluded"), "terminator-rephrase-or-again"),
        DeadEnd::NoSchedule => (Message::new("terminator-no-schedule"), "terminator-ask-for-now"),
        DeadEnd::SeveralThings => (
            Message::new("terminator-several-things"),
            for_host("terminator-one-by-one-or-model", "terminator-one-by-one"),
        ),
        DeadEnd::NoValidPlan { end: Some(kind), .. } => return stopped(*kind),
        DeadEnd::NoValidPlan { words, .. } if !words.is_empty() => (
            Message::new("terminator-no-plan-for").with("words", words.join(", ")),
            "terminator-rephrase",
        ),
        DeadEnd::NoValidPlan { .. } => (Message::new("terminator-no-valid-plan"), "terminator-rephrase"),
    };
    Message::new("terminator-answer")
        .with("cause", cause)
        .with("action", Message::new(action))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(class: ErrorClass) -> DeadEnd {
        DeadEnd::StepFailed {
            error: ToolError::new(class, Message::new("x")),
            class: FailureClass::OutOfScope,
            committed: 0,
        }
    }

    #[test]
    fn what_cannot_be_done_is_said_as_one_phrase() {
        let said =
            |words: &[&str], request: &str| as_said(words.iter().map(|word| (*word).to_owned()).collect(), request);
        assert_eq!(
            said(&["book", "flight", "Rome"], "please book me a flight to Rome"),
            ["book me a flight to Rome"]
        );
        assert_eq!(said(&["quanto", "manca"], "quanto manca alla pizza?"), ["quanto manca"]);
        assert_eq!(said(&["a tool that counts"], "count them"), ["a tool that counts"]);
        let long = "frobnicate my best friend's oldest and dearest drawing of a garden snail twice";
        assert_eq!(said(&["frobnicate", "garden", "snail"], long), ["garden snail"]);
    }

    #[test]
    fn a_dead_network_never_looks_like_a_missing_tool() {
        for class in [
            ErrorClass::Network,
            ErrorClass::Timeout,
            ErrorClass::ServerError,
            ErrorClass::Crashed,
        ] {
            let gap = admit(&failed(class), &Intent::unknown(), Role::Host)
                .lessons
                .gap
                .unwrap();
            assert_eq!(gap.kind, GapKind::Operational);
        }
    }

    #[test]
    fn a_dead_model_is_an_error_and_not_a_misunderstanding() {
        let outcome = admit(
            &DeadEnd::ModelDown { words: Vec::new() },
            &Intent::unknown(),
            Role::Host,
        );
        assert_eq!(outcome.final_kind, FinalKind::Error);
        assert_eq!(outcome.lessons.gap.unwrap().kind, GapKind::Operational);
    }

    #[test]
    fn a_guest_is_sent_to_the_host_with_what_only_the_host_can_mend() {
        let model_down = DeadEnd::ModelDown { words: Vec::new() };
        for dead_end in [model_down, DeadEnd::EmptyCatalog, DeadEnd::SeveralThings] {
            let told = |role| admit(&dead_end, &Intent::unknown(), role).views;
            assert_ne!(told(Role::Host), told(Role::Guest), "{dead_end:?}");
        }
    }

    #[test]
    fn an_unsure_request_is_asked_about_and_kept() {
        let outcome = ask_again("make it go poof", None, &Intent::unknown());
        assert_eq!(outcome.final_kind, FinalKind::Ask);
        assert_eq!(outcome.lessons.gap.unwrap().kind, GapKind::NotUnderstood);
    }

    #[test]
    fn what_was_done_before_the_failure_is_said() {
        let mut dead_end = failed(ErrorClass::Network);
        if let DeadEnd::StepFailed { committed, .. } = &mut dead_end {
            *committed = 2;
        }
        assert_eq!(admit(&dead_end, &Intent::unknown(), Role::Host).notes.len(), 1);
    }
}
