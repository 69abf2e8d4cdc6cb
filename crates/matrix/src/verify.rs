//! Verification by emoji: only with the bot's owner, only when they ask. The bot shows the emoji it sees and says yes
//! at once; it is the owner who compares them with those on their phone, and who says no when they differ.

use std::time::Duration;

use futures_util::StreamExt as _;
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

/// Answers a request for verification: refuses all but the owner's.
pub(crate) fn answer(bot: &Bot, owner: Option<&str>, sender: &str, flow: &str) {
    let (bot, sender, flow) = (bot.clone(), sender.to_owned(), flow.to_owned());
    let is_owner = owner == Some(sender.as_str());
    tokio::spawn(async move {
        let verifying = timeout(PATIENCE, verify(&bot, is_owner, &sender, &flow)).await;
        match verifying {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(sender, %error, "verification failed"),
            Err(_elapsed) => tracing::warn!(sender, "verification took too long"),
        }
    });
}

async fn verify(bot: &Bot, is_owner: bool, sender: &str, flow: &str) -> Result<(), Failure> {
    let user = UserId::parse(sender).map_err(|error| Failure::Refused(error.to_string()))?;
    let encryption = bot.client.encryption();
    let Some(request) = encryption.get_verification_request(&user, flow).await else {
        tracing::debug!(sender, "a verification request we know nothing of");
        return Ok(());
    };
    if !is_owner {
        tracing::warn!(sender, "refused to be verified: only the owner may");
        return Ok(request.cancel().await?);
    }
    tracing::info!(sender, "the owner verifies us");
    let states = request.changes();
    request.accept().await?;
    match started(request, states).await? {
        Some(sas) => compare(sas, sender).await,
        None => Ok(()),
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

async fn compare(sas: SasVerification, sender: &str) -> Result<(), Failure> {
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
                sas.confirm().await?;
            }
            SasState::Done { .. } => {
                tracing::info!(sender, "verified: the owner and this device trust each other");
                return Ok(());
            }
            SasState::Cancelled(why) => {
                tracing::info!(reason = why.reason(), "verification cancelled");
                return Ok(());
            }
            SasState::Created { .. } | SasState::Started { .. } | SasState::Accepted { .. } | SasState::Confirmed => {}
        }
    }
    Ok(())
}
