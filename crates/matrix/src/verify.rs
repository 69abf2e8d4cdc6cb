//! Verification by emoji: only when somebody asks for it, and only with whom the caller lets. The bot shows the emoji
//! it sees and says yes at once; it is the owner who compares them with those on their phone, and who says no when
//! they differ.

use std::{sync::Arc, time::Duration};

use futures_util::{StreamExt as _, future::BoxFuture};
use matrix_sdk::{
    encryption::verification::{
        SasState, SasVerification, Verification, VerificationRequest, VerificationRequestState,
    },
    ruma::UserId,
};
use tokio::time::timeout;

use crate::{Bot, Failure};

/// Longest time a verification may take; the protocol itself allows ten minutes.
const PATIENCE: Duration = Duration::from_secs(600);

/// How a verification goes, for somebody who watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verifying {
    /// The signs the other side must see, too.
    Compare(String),
    /// Both trust each other.
    Done,
    /// It came to nothing.
    Ended,
}

/// Told how it goes.
pub type Tell = Arc<dyn Fn(Verifying) + Send + Sync>;

impl Bot {
    /// Goes through with a verification that somebody asked for, beside everything else.
    pub fn verify(&self, sender: &str, flow: &str, tell: Tell) {
        let (bot, sender, flow) = (self.clone(), sender.to_owned(), flow.to_owned());
        tokio::spawn(async move {
            let verified = match timeout(PATIENCE, verify(&bot, &sender, &flow, &tell)).await {
                Ok(Ok(verified)) => verified,
                Ok(Err(error)) => {
                    tracing::warn!(sender, %error, "verification failed");
                    false
                }
                Err(_elapsed) => {
                    tracing::warn!(sender, "verification took too long");
                    false
                }
            };
            tell(if verified { Verifying::Done } else { Verifying::Ended });
        });
    }

    /// Refuses a verification that somebody asked for.
    pub fn refuse_verification(&self, sender: &str, flow: &str) -> BoxFuture<'static, Result<(), Failure>> {
        let (bot, sender, flow) = (self.clone(), sender.to_owned(), flow.to_owned());
        Box::pin(async move {
            tracing::warn!(sender, "refused to be verified: only the owner may");
            match request_of(&bot, &sender, &flow).await? {
                Some(request) => Ok(request.cancel().await?),
                None => Ok(()),
            }
        })
    }
}

async fn request_of(bot: &Bot, sender: &str, flow: &str) -> Result<Option<VerificationRequest>, Failure> {
    let user = UserId::parse(sender).map_err(|error| Failure::Refused(error.to_string()))?;
    let request = bot.client.encryption().get_verification_request(&user, flow).await;
    if request.is_none() {
        tracing::debug!(sender, "a verification request we know nothing of");
    }
    Ok(request)
}

/// Whether it came to a good end.
async fn verify(bot: &Bot, sender: &str, flow: &str, tell: &Tell) -> Result<bool, Failure> {
    let Some(request) = request_of(bot, sender, flow).await? else {
        return Ok(false);
    };
    tracing::info!(sender, "the owner verifies us");
    let states = request.changes();
    request.accept().await?;
    match started(request, states).await? {
        Some(sas) => compare(sas, sender, tell).await,
        None => Ok(false),
    }
}

/// Waits until the owner's device begins with the emoji; `None` when it gave up.
async fn started(
    request: VerificationRequest,
    states: impl futures_util::Stream<Item = VerificationRequestState>,
) -> Result<Option<SasVerification>, Failure> {
    let mut states = std::pin::pin!(states);
    while let Some(state) = states.next().await {
        match state {
            VerificationRequestState::Transitioned { verification, .. } => {
                return match verification {
                    Verification::SasV1(sas) => Ok(Some(sas)),
                    _ => {
                        request.cancel().await?;
                        Ok(None)
                    }
                };
            }
            VerificationRequestState::Cancelled(why) => {
                tracing::info!(reason = why.reason(), "verification cancelled");
                return Ok(None);
            }
            VerificationRequestState::Done => return Ok(None),
            VerificationRequestState::Created { .. }
            | VerificationRequestState::Requested { .. }
            | VerificationRequestState::Ready { .. } => {}
        }
    }
    Ok(None)
}

async fn compare(sas: SasVerification, sender: &str, tell: &Tell) -> Result<bool, Failure> {
    let mut states = std::pin::pin!(sas.changes());
    sas.accept().await?;
    while let Some(state) = states.next().await {
        match state {
            SasState::KeysExchanged { emojis, decimals } => {
                let signs = emojis.map_or_else(
                    || format!("{decimals:?}"),
                    |emojis| {
                        let signs = emojis.emojis.iter();
                        let named: Vec<String> = signs
                            .map(|emoji| format!("{} {}", emoji.symbol, emoji.description))
                            .collect();
                        named.join("  ")
                    },
                );
                tracing::info!(sender, "compare with your phone: {signs}");
                tell(Verifying::Compare(signs));
                sas.confirm().await?;
            }
            SasState::Done { .. } => {
                tracing::info!(sender, "verified: the owner and this device trust each other");
                return Ok(true);
            }
            SasState::Cancelled(why) => {
                tracing::info!(reason = why.reason(), "verification cancelled");
                return Ok(false);
            }
            SasState::Created { .. } | SasState::Started { .. } | SasState::Accepted { .. } | SasState::Confirmed => {}
        }
    }
    Ok(false)
}
