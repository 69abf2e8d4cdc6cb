//! What works and what does not, one thing at a time: each of them fails alone. Changes nothing, and may be asked while
//! the bot runs.

use futures_util::future::BoxFuture;
use matrix_sdk::{ruma::UserId, store::StateStoreDataKey};

use crate::{Account, Bot, Failure, open};

/// How a bot stands.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one line of a report, and none excludes another"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// The bot's Matrix address.
    pub user: String,
    /// Whether our device is signed by our own identity, as the server shows it to everybody.
    pub device_signed: bool,
    /// Whether the recovery key in our folder opens what the server keeps for us.
    pub recovery_usable: bool,
    /// Whether keys of messages are saved on the server, with a key we hold.
    pub backup_usable: bool,
    /// Whether the keys in our store are those the server knows; they are not after putting back an old copy of it.
    pub keys_fit: bool,
    /// Whether the owner has verified us; `None` when no owner is named.
    pub owner_verified: Option<bool>,
}

/// Looks at everything. An error means that we are not even logged in.
pub fn examine(account: Account, owner: Option<String>) -> BoxFuture<'static, Result<Health, Failure>> {
    Box::pin(async move {
        let key = account.recovery_key();
        let bot = open(account).await?;
        bot.check().await?;
        let encryption = bot.client.encryption();
        encryption.wait_for_e2ee_initialization_tasks().await;
        let recovery_usable = match key {
            Some(key) => encryption.secret_storage().open_secret_store(&key).await.is_ok(),
            None => false,
        };
        Ok(Health {
            user: bot.user().to_owned(),
            device_signed: device_signed(&bot).await?,
            recovery_usable,
            backup_usable: encryption.backups().are_enabled().await,
            keys_fit: keys_fit(&bot).await,
            owner_verified: match owner {
                Some(owner) => Some(owner_verified(&bot, &owner).await?),
                None => None,
            },
        })
    })
}

/// Asks the server for our keys as others see them.
pub(crate) async fn device_signed(bot: &Bot) -> Result<bool, Failure> {
    let encryption = bot.client.encryption();
    let Some(own) = bot.client.user_id() else {
        return Ok(false);
    };
    encryption.request_user_identity(own).await?;
    let device = encryption.get_own_device().await.map_err(unreadable)?;
    Ok(device.is_some_and(|device| device.is_cross_signed_by_owner()))
}

/// matrix-sdk remembers when the server refused our keys because it has others under their names.
pub(crate) async fn keys_fit(bot: &Bot) -> bool {
    let refused = bot
        .client
        .state_store()
        .get_kv_data(StateStoreDataKey::OneTimeKeyAlreadyUploaded)
        .await;
    refused.is_ok_and(|refused| refused.is_none())
}

/// Comparing emoji signs both ways: what we can see of it is that we trust the owner's identity.
async fn owner_verified(bot: &Bot, owner: &str) -> Result<bool, Failure> {
    let owner = UserId::parse(owner).map_err(|error| Failure::Refused(error.to_string()))?;
    let identity = bot.client.encryption().request_user_identity(&owner).await?;
    Ok(identity.is_some_and(|identity| identity.is_verified()))
}

fn unreadable(error: matrix_sdk::encryption::CryptoStoreError) -> Failure {
    matrix_sdk::Error::from(error).into()
}
