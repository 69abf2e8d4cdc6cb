//! The set-up, done once by a person with the password: a device that stays, an identity that signs it, a place on the
//! server that only the recovery key opens, and a backup of keys. After a lost store the recovery key brings the same
//! identity back on a new device. The session is written last: what was cut off before that simply begins again.

use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;
use matrix_sdk::{
    Client,
    config::{SyncSettings, SyncToken},
    encryption::recovery::{RecoveryError, RecoveryState},
    ruma::{
        UserId,
        api::client::uiaa::{AuthData, MatrixUserIdentifier, Password, UserIdentifier},
    },
};

use crate::{
    Account, AccountError, Failure,
    account::{self, Session, StoreKey},
    bot::{Homeserver, client},
};

/// What people see beside our device in their lists.
const DEVICE_NAME: &str = "metnos";

/// What a set-up needs to know.
#[derive(Clone)]
pub struct Setup {
    /// Where everything is kept.
    pub folder: PathBuf,
    /// An address such as `https://matrix.example.org`, or the server's name.
    pub homeserver: String,
    /// The bot's user name or Matrix address.
    pub user: String,
    /// The bot's password; used now and not kept.
    pub password: String,
    /// The Matrix address of whom the bot belongs to.
    pub owner: Option<String>,
    /// The recovery key, when the one in the folder is not there any more.
    pub recovery_key: Option<String>,
}

/// What a set-up ended with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The bot's Matrix address.
    pub user: String,
    /// What became of the recovery key.
    pub recovery: RecoveryKey,
}

/// What became of the recovery key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecoveryKey {
    /// A new one is in this file.
    Written(PathBuf),
    /// The one there was brought the identity back.
    Used,
    /// The same device logged in again; nothing changed.
    Kept,
}

/// Why a set-up did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// It was done before, and works.
    #[error("already set up")]
    Already,
    /// The server does not accept user and password.
    #[error("the homeserver does not accept the user or the password")]
    WrongPassword,
    /// The account has an identity, which only its recovery key brings back.
    #[error("this account needs its recovery key")]
    NeedsRecoveryKey,
    /// Not the recovery key of this account.
    #[error("this is not the account's recovery key")]
    WrongRecoveryKey,
    /// The machine gives no randomness.
    #[error("no randomness for the key of the store")]
    Random,
    /// A file.
    #[error(transparent)]
    Files(#[from] AccountError),
    /// The server or the network.
    #[error(transparent)]
    Call(#[from] Failure),
}

impl From<matrix_sdk::Error> for SetupError {
    fn from(error: matrix_sdk::Error) -> Self {
        Self::Call(error.into())
    }
}

impl From<RecoveryError> for SetupError {
    fn from(error: RecoveryError) -> Self {
        match error {
            RecoveryError::Sdk(error) => error.into(),
            RecoveryError::BackupExistsOnServer => Self::NeedsRecoveryKey,
            RecoveryError::SecretStorage(error) => {
                tracing::debug!(%error, "secret storage does not open");
                Self::WrongRecoveryKey
            }
        }
    }
}

/// Sets the bot up.
pub fn setup(setup: Setup) -> BoxFuture<'static, Result<Done, SetupError>> {
    Box::pin(async move {
        account::make(&setup.folder)?;
        match Account::find(&setup.folder) {
            Ok(Some(account)) => match log_in_again(&setup, account).await? {
                Some(done) => return Ok(done),
                None => account::clear(&setup.folder)?,
            },
            Ok(None) | Err(AccountError::NoStore { .. } | AccountError::NoSession { .. }) => {
                account::clear(&setup.folder)?;
            }
            Err(error) => return Err(error.into()),
        }
        let ended = begin(&setup).await;
        if ended.is_err() {
            // The key of its store was not kept: nobody could open it again, and a start would find half an account.
            account::clear_away(&setup.folder);
        }
        ended
    })
}

/// A session that still works stays; one that was softly logged out goes on with the same device. `None` when the
/// device is lost for good.
async fn log_in_again(setup: &Setup, account: Account) -> Result<Option<Done>, SetupError> {
    let mut session = account.session.clone();
    match crate::open(account).await?.check().await {
        Ok(()) => return Err(SetupError::Already),
        Err(Failure::LoggedOut { soft: true }) => {}
        Err(Failure::LoggedOut { soft: false }) => return Ok(None),
        Err(failure) => return Err(failure.into()),
    }
    let client = client(
        Homeserver::Known(&session.homeserver),
        &account::store_of(&setup.folder),
        &session.store_key,
    )
    .await?;
    log_in(&client, setup, Some(&session.device)).await?;
    session.access_token = client.access_token().unwrap_or_default();
    let user = session.user.clone();
    Account::keep(&setup.folder, session)?;
    Ok(Some(Done {
        user,
        recovery: RecoveryKey::Kept,
    }))
}

async fn begin(setup: &Setup) -> Result<Done, SetupError> {
    let key = StoreKey::new().map_err(|_unavailable| SetupError::Random)?;
    let client = client(
        Homeserver::Named(&setup.homeserver),
        &account::store_of(&setup.folder),
        &key,
    )
    .await?;
    log_in(&client, setup, None).await?;
    let position = look(&client).await?;
    let recovery = match establish(&client, setup).await {
        Ok(recovery) => recovery,
        Err(error) => {
            // A device nobody will use again must not stay in the account's list.
            if let Err(error) = client.logout().await {
                tracing::debug!(%error, "the new device stays logged in");
            }
            return Err(error);
        }
    };
    let (Some(user), Some(device), Some(access_token)) = (client.user_id(), client.device_id(), client.access_token())
    else {
        return Err(Failure::LoggedOut { soft: false }.into());
    };
    let session = Session {
        homeserver: client.homeserver().to_string(),
        user: user.to_string(),
        device: device.to_string(),
        access_token,
        store_key: key,
        owner: setup.owner.clone(),
    };
    let account = Account::keep(&setup.folder, session)?;
    account.set_position(&position)?;
    Ok(Done {
        user: account.user().to_owned(),
        recovery,
    })
}

async fn log_in(client: &Client, setup: &Setup, device: Option<&str>) -> Result<(), SetupError> {
    let auth = client.matrix_auth();
    let mut login = auth
        .login_username(&setup.user, &setup.password)
        .initial_device_display_name(DEVICE_NAME);
    if let Some(device) = device {
        login = login.device_id(device);
    }
    match login.send().await.map_err(Failure::from) {
        Ok(_) => Ok(()),
        Err(Failure::Refused(reason)) => {
            tracing::debug!(reason, "log-in refused");
            Err(SetupError::WrongPassword)
        }
        Err(failure) => Err(failure.into()),
    }
}

/// One look at the server, so that everything known is in the store; what is new from here on is for the bot.
async fn look(client: &Client) -> Result<String, SetupError> {
    let settings = SyncSettings::new()
        .token(SyncToken::NoToken)
        .timeout(std::time::Duration::ZERO);
    let seen = client.sync_once(settings).await?;
    client.encryption().wait_for_e2ee_initialization_tasks().await;
    Ok(seen.next_batch)
}

/// The identity, the place that the recovery key opens, and the backup.
async fn establish(client: &Client, setup: &Setup) -> Result<RecoveryKey, SetupError> {
    let recovery = client.encryption().recovery();
    if recovery.state() == RecoveryState::Incomplete {
        let key = setup.recovery_key.clone();
        let key = key.or_else(|| account::read_recovery_key(&setup.folder));
        let key = key.ok_or(SetupError::NeedsRecoveryKey)?;
        recovery.recover_and_fix_backup(&key).await?;
        write_key(&setup.folder, &key)?;
        return Ok(RecoveryKey::Used);
    }
    // No place on the server: an identity that may be there can be brought back by nobody, so a new one takes over.
    identify(client, setup).await?;
    let backups = client.encryption().backups();
    if !backups.are_enabled().await && backups.fetch_exists_on_server().await? {
        backups.disable_and_delete().await?;
    }
    let key = recovery.enable().wait_for_backups_to_upload().await?;
    Ok(RecoveryKey::Written(write_key(&setup.folder, &key)?))
}

/// A new identity that signs this device; the server asks for the password once more.
async fn identify(client: &Client, setup: &Setup) -> Result<(), SetupError> {
    let encryption = client.encryption();
    let Err(error) = encryption.bootstrap_cross_signing(None).await else {
        return Ok(());
    };
    let Some(asked) = error.as_uiaa_response() else {
        return Err(error.into());
    };
    let user = client.user_id().map(UserId::to_string).unwrap_or_default();
    let identifier = UserIdentifier::Matrix(MatrixUserIdentifier::new(user));
    let mut password = Password::new(identifier, setup.password.clone());
    password.session = asked.session.clone();
    encryption
        .bootstrap_cross_signing(Some(AuthData::Password(password)))
        .await?;
    Ok(())
}

fn write_key(folder: &Path, key: &str) -> Result<PathBuf, AccountError> {
    let path = account::recovery_key_of(folder);
    account::replace(&path, &format!("{}\n", key.trim()))?;
    Ok(path)
}

#[cfg(test)]
mod tests;
