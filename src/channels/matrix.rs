//! A Matrix account, end-to-end encrypted. `app` starts it once `metnos matrix setup` was run; `cli` sets it up and
//! looks at it through here. The protocol itself is in `metnos-matrix`; this translates, and no other module names it.
//!
//! ```text
//! batches of events → inbound → Runtime::submit, react, withdraw   (listen)
//! Runtime::next_delivery → html → send, react                      (outbound)
//! Runtime::signals → typing, one edited notice                     (progress)
//! ```

use std::sync::Arc;

use futures_util::future::BoxFuture;
use metnos_matrix::{Account, AccountError, Bot, Ended, Failure, FetchError, Health, SetupError, Watch};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

mod html;
mod inbound;
mod listen;
mod name;
mod outbound;
mod pieces;
mod progress;
mod signs;

use self::{listen::Listener, outbound::Courier, progress::Progress};
use crate::{
    config::MatrixConfig,
    domain::{delivery::FetchFailure, ids::ChannelKind, limits::RECEIVED_FILE_BYTES_MAX, message::Message},
    runtime::Runtime,
};

pub use metnos_matrix::{Done, RecoveryKey, Setup};

/// Batches read and not yet taken; the place moves only with them, so more would only be read twice after a crash.
const BATCHES_MAX: usize = 1;

/// Why Matrix cannot work, or its set-up did not. The log has the text, a person gets `advice`.
#[derive(Debug, thiserror::Error)]
pub enum MatrixError {
    /// What lies on disk does not fit together.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The server or the network.
    #[error(transparent)]
    Call(#[from] Failure),
    /// The set-up.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl MatrixError {
    /// Whether the account's recovery key would help.
    pub fn needs_recovery_key(&self) -> bool {
        matches!(
            self,
            Self::Setup(SetupError::NeedsRecoveryKey | SetupError::WrongRecoveryKey)
        )
    }

    /// Whether the account was set up before, and works.
    pub fn is_done_before(&self) -> bool {
        matches!(self, Self::Setup(SetupError::Already))
    }

    /// What to tell the person who runs metnos, with the next step.
    pub fn advice(&self) -> Message {
        match self {
            Self::Account(error) | Self::Setup(SetupError::Files(error)) => files_advice(error),
            Self::Call(failure) | Self::Setup(SetupError::Call(failure)) => call_advice(failure),
            Self::Setup(SetupError::Already) => Message::new("matrix-advice-already"),
            Self::Setup(SetupError::WrongPassword) => Message::new("matrix-advice-password"),
            Self::Setup(SetupError::NeedsRecoveryKey) => Message::new("matrix-advice-needs-key"),
            Self::Setup(SetupError::WrongRecoveryKey) => Message::new("matrix-advice-wrong-key"),
            Self::Setup(error @ SetupError::Random) => {
                Message::new("matrix-advice-files").with("reason", error.to_string())
            }
        }
    }
}

fn files_advice(error: &AccountError) -> Message {
    match error {
        AccountError::NoStore { .. } => Message::new("matrix-advice-no-store"),
        AccountError::NoSession { .. } => Message::new("matrix-advice-no-session"),
        AccountError::Io { .. } | AccountError::Garbled { .. } => {
            let cause = std::error::Error::source(error).map(ToString::to_string);
            let reason = format!("{error}: {}", cause.unwrap_or_default());
            Message::new("matrix-advice-files").with("reason", reason)
        }
    }
}

fn call_advice(failure: &Failure) -> Message {
    match failure {
        Failure::LoggedOut { .. } => Message::new("matrix-advice-logged-out"),
        Failure::Wait(wait) => Message::new("matrix-advice-wait").with("seconds", wait.as_secs()),
        Failure::Unreachable(reason) => Message::new("matrix-advice-unreachable").with("reason", reason.as_str()),
        Failure::Refused(reason) => Message::new("matrix-advice-refused").with("reason", reason.as_str()),
    }
}

/// An account that was set up, with whom it belongs to.
#[derive(Clone, Debug)]
pub struct Ready {
    account: Account,
    owner: Option<String>,
}

impl Ready {
    /// Who the bot belongs to, if anybody was named.
    pub fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// The bot's own Matrix address.
    pub fn user(&self) -> &str {
        self.account.user()
    }
}

/// The account, if one was set up; an error when what lies on disk does not fit together. Asks no server.
pub fn ready(config: &MatrixConfig) -> Result<Option<Ready>, MatrixError> {
    let account = Account::find(&config.folder)?;
    Ok(account.map(|account| Ready {
        owner: config.owner.clone().or_else(|| account.owner().map(str::to_owned)),
        account,
    }))
}

/// Sets an account up; done once, with its password.
pub fn set_up(setup: Setup) -> BoxFuture<'static, Result<Done, MatrixError>> {
    let setting_up = metnos_matrix::setup(setup);
    Box::pin(async move { Ok(setting_up.await?) })
}

/// Looks at the account and changes nothing.
pub fn check(ready: &Ready) -> BoxFuture<'static, Result<Health, MatrixError>> {
    let examining = metnos_matrix::examine(ready.account.clone(), ready.owner.clone());
    Box::pin(async move { Ok(examining.await?) })
}

/// Runs the bot until told to stop. While the homeserver cannot be reached it tries again with growing pauses; it
/// returns an error when the homeserver no longer knows us.
pub fn start(runtime: Runtime, ready: Ready, stop: CancellationToken) -> BoxFuture<'static, Result<(), MatrixError>> {
    Box::pin(async move {
        let bot = metnos_matrix::open(ready.account).await?;
        if let Some(owner) = &ready.owner {
            admit(&runtime, owner).await;
        }
        tracing::info!(user = bot.user(), "matrix is ready");
        let door = bot.clone();
        runtime.fetch_files_with(
            ChannelKind::Matrix,
            Arc::new(move |handle, path| {
                let fetching = door.fetch(&handle, &path, RECEIVED_FILE_BYTES_MAX);
                Box::pin(async move { fetching.await.map_err(not_fetched) })
            }),
        );
        let stop = stop.child_token();
        let progress = Progress::new(bot.clone(), runtime.clone());
        let courier = Courier::new(bot.clone(), progress.clone());
        let signals = runtime.signals(ChannelKind::Matrix);
        let (batches, taken) = mpsc::channel(BATCHES_MAX);
        let listener = Listener::new(
            bot.clone(),
            runtime.clone(),
            ready.owner,
            progress.clone(),
            stop.clone(),
        );
        let watch = Watch {
            batches,
            stop: stop.clone(),
        };
        let (ended, (), (), ()) = tokio::join!(
            watch_until_the_end(&bot, watch, &stop),
            listener.run(taken),
            outbound::run(&runtime, &courier, &stop),
            progress.follow(signals, &stop),
        );
        match ended {
            Ended::Stopped => Ok(()),
            Ended::LoggedOut { soft } => Err(Failure::LoggedOut { soft }.into()),
        }
    })
}

fn not_fetched(error: FetchError) -> FetchFailure {
    match error {
        FetchError::TooLarge => FetchFailure::TooLarge,
        FetchError::Gone => FetchFailure::Gone,
        FetchError::Damaged => FetchFailure::Damaged,
        FetchError::Unreachable(reason) => FetchFailure::Unreachable(reason),
        FetchError::Disk(reason) => FetchFailure::Disk(reason),
    }
}

/// The owner is the host from now on, unless they were locked out: a start does not take that back.
async fn admit(runtime: &Runtime, owner: &str) {
    match runtime.adopt_host(ChannelKind::Matrix, &owner.into()).await {
        Ok(true) => {}
        Ok(false) => tracing::warn!(
            owner,
            "the owner named for Matrix was locked out and stays out; `metnos matrix setup` lets them in again"
        ),
        Err(error) => tracing::error!(%error, "the owner could not be made the host on Matrix"),
    }
}

/// Without news there is nothing to answer: the other parts end with the watch.
async fn watch_until_the_end(bot: &Bot, watch: Watch, stop: &CancellationToken) -> Ended {
    let ended = bot.watch(watch).await;
    stop.cancel();
    ended
}
