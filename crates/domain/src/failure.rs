//! What can go wrong, as closed enums. Recovery and the terminator read these; nobody parses a sentence.

use serde::{Deserialize, Serialize};

use super::{
    account::{Account, Service},
    message::Message,
};

/// Why a step failed. Executors outside the binary may only use these names; an unknown one becomes `Internal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The arguments make no sense together or to this executor.
    InvalidArgs,
    /// A named thing (file, page, process) does not exist.
    NotFound,
    /// The operating system or the sandbox said no.
    PermissionDenied,
    /// Policy said no: guard, judge, gate.
    Forbidden,
    /// The person refused the approval, or it expired.
    Refused,
    /// Something is already there and may not be replaced.
    AlreadyExists,
    /// Took longer than the manifest allows.
    Timeout,
    /// The other machine cannot be reached.
    Network,
    /// The other machine answered with an error.
    ServerError,
    /// The other machine wants us to wait.
    RateLimited,
    /// Wants a login we do not have.
    AuthRequired,
    /// The language model cannot be reached.
    ModelUnavailable,
    /// No such tool, or nothing can do this.
    CapabilityMissing,
    /// An executor did not print one JSON object.
    NonJson,
    /// An executor died.
    Crashed,
    /// A reference had no value.
    UnresolvedPlaceholder,
    /// Several entries disagree where one value is needed.
    AmbiguousSourceContext,
    /// The same read was already done in this turn.
    DuplicateRead,
    /// Bigger than a limit.
    TooLarge,
    /// Shape: a consumer has nothing to work on, pages must be fetched first.
    NeedsContentFetch,
    /// Shape: a presenter or transformer has no data.
    NeedsDataSource,
    /// Shape: an action has no target; never invented.
    NeedsActionTarget,
    /// Only the person can say where they are: the turn waits for it.
    NeedsLocation,
    /// Only the person has the answers: the turn waits for them.
    NeedsInputs,
    /// Shape: a step after the branch was closed.
    PipelineAlreadyClosed,
    /// Whether the effect happened is unknown; never repeated.
    UnknownOutcome,
    /// A bug on our side.
    Internal,
}

impl ErrorClass {
    /// The world is at fault; another plan would not help, trying later may.
    pub fn is_operational(self) -> bool {
        matches!(
            self,
            Self::Timeout
                | Self::Network
                | Self::ServerError
                | Self::RateLimited
                | Self::ModelUnavailable
                | Self::Crashed
                | Self::NonJson
                | Self::Internal
        )
    }
}

/// A failed step: the class for code, the sentence for the person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolError {
    /// For deciding.
    pub class: ErrorClass,
    /// For saying, in the person's language.
    pub message: Message,
    /// English detail for the log, such as an executor's stderr. Never shown, never a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The account whose key would have helped. Only our own code says so: nobody else may make us ask for a key.
    #[serde(skip)]
    pub account: Option<Account>,
    /// The service for which the person has no account that works. Only our own code says so, too.
    #[serde(skip)]
    pub login: Option<Service>,
    /// What it acts on opens with a password only. It comes out of the worker with the rest; whoever runs a step
    /// believes it of our own code there and of nobody else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wants_password: bool,
}

impl ToolError {
    /// An error with its sentence.
    pub fn new(class: ErrorClass, message: Message) -> Self {
        Self {
            class,
            message,
            detail: None,
            account: None,
            login: None,
            wants_password: false,
        }
    }

    /// A step that an account of the person's own would help.
    pub fn lacking_login(service: Service, why: Message) -> Self {
        Self {
            login: Some(service),
            ..Self::new(ErrorClass::AuthRequired, why)
        }
    }

    /// A step whose file opens with a password only.
    pub fn locked(why: Message) -> Self {
        Self {
            wants_password: true,
            ..Self::new(ErrorClass::AuthRequired, why)
        }
    }

    /// A step that a key for this account would help.
    pub fn lacking(account: Account, why: Message) -> Self {
        Self {
            account: Some(account),
            ..Self::new(ErrorClass::AuthRequired, why)
        }
    }

    /// The same error with a detail for the log.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

/// What recovery makes of a failed run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// The plan chose the wrong tool.
    WrongTool,
    /// The plan's arguments are insufficient.
    WrongArgs,
    /// Data or a backend is missing.
    MissingInput,
    /// Nothing here can do it.
    OutOfScope,
}

/// Why the terminator had to admit defeat (four kinds of gap, and the two that need nothing new).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GapKind {
    /// Only the person can do the missing thing, such as sharing a location.
    UserActionRequired,
    /// No executor does this; a new one can be requested.
    MissingExecutor,
    /// An account or a provider must be configured.
    MissingSkill,
    /// The data does not exist (yet).
    MissingData,
    /// The world failed; try again later.
    Operational,
    /// The request was not understood.
    NotUnderstood,
}

impl GapKind {
    /// The name stored in rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UserActionRequired => "user_action_required",
            Self::MissingExecutor => "missing_executor",
            Self::MissingSkill => "missing_skill",
            Self::MissingData => "missing_data",
            Self::Operational => "operational",
            Self::NotUnderstood => "not_understood",
        }
    }
}
