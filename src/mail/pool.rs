//! One connection an account, kept and used again. Whoever has a session has the account to themselves until they let
//! it go. A session that was left in the middle of something (a failure, a turn that was stopped) is never used again.

use std::{
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use metnos_mail::{Failure, Folders, Mailbox, open};
use tokio::sync::OwnedMutexGuard;

use super::{Mail, MailSettings, explain};
use crate::domain::{
    account::{AccountState, PersonAccount},
    failure::{ErrorClass, ToolError},
    message::Message,
};

/// A connection that was not used for so long is asked whether it still stands.
const FRESH: Duration = Duration::from_secs(5);
/// After a failed log-in nobody tries again for so long: providers lock accounts that do.
const REST_AFTER_REFUSAL: Duration = Duration::from_secs(20);

/// The place of an account's connection.
#[derive(Debug, Default)]
pub struct Slot {
    mailbox: Option<(Mailbox, Instant)>,
    refused: Option<(Instant, Failure)>,
}

/// An account's mailbox, for one who uses it.
#[derive(Debug)]
pub struct Session {
    slot: OwnedMutexGuard<Slot>,
    mailbox: Option<Mailbox>,
    /// Nothing is half-way.
    is_clean: bool,
    account: PersonAccount,
}

impl Session {
    /// Whose it is.
    pub fn account(&self) -> &PersonAccount {
        &self.account
    }

    /// The mailbox, for one call whose result goes to `told`.
    pub fn mailbox(&mut self) -> Result<&mut Mailbox, ToolError> {
        self.is_clean = false;
        let name = self.account.name.clone();
        self.mailbox.as_mut().ok_or_else(|| explain(&Failure::Gone, &name))
    }

    /// What came of a call: a failure that ends the connection ends it here.
    pub fn told<T>(&mut self, result: Result<T, Failure>) -> Result<T, ToolError> {
        self.heard(result)
            .map_err(|failure| explain(&failure, &self.account.name))
    }

    /// The same, for who has to know which failure it was.
    pub fn heard<T>(&mut self, result: Result<T, Failure>) -> Result<T, Failure> {
        self.is_clean = result.as_ref().err().is_none_or(|failure| !failure.ends_connection());
        result
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.is_clean
            && let Some(mailbox) = self.mailbox.take()
        {
            self.slot.mailbox = Some((mailbox, Instant::now()));
        }
    }
}

impl Mail {
    /// A session on an account's mailbox: the kept connection where it still stands, else a new one.
    pub async fn session(&self, account: &PersonAccount) -> Result<Session, ToolError> {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry(account.id.clone()).or_default())
        };
        let mut slot = slot.lock_owned().await;
        let kept = match slot.mailbox.take() {
            Some((mailbox, used)) if used.elapsed() < FRESH => Some(mailbox),
            Some((mut mailbox, _)) => mailbox.is_alive().await.then_some(mailbox),
            None => None,
        };
        let mailbox = match kept {
            Some(mailbox) => mailbox,
            None => self.open(account, &mut slot).await?,
        };
        Ok(Session {
            slot,
            mailbox: Some(mailbox),
            is_clean: true,
            account: account.clone(),
        })
    }

    async fn open(&self, account: &PersonAccount, slot: &mut Slot) -> Result<Mailbox, ToolError> {
        if let Some((at, failure)) = &slot.refused
            && at.elapsed() < REST_AFTER_REFUSAL
        {
            return Err(explain(failure, &account.name));
        }
        let opened = self.open_apart(account).await;
        match opened {
            Ok(mailbox) => {
                slot.refused = None;
                self.fared(account, AccountState::Good).await;
                Ok(mailbox)
            }
            Err(failure) => {
                if matches!(failure, Opening::Failed(Failure::LoginRefused { .. })) {
                    self.fared(account, AccountState::Refused).await;
                }
                match failure {
                    Opening::Failed(failure) => {
                        let error = explain(&failure, &account.name);
                        if matches!(failure, Failure::LoginRefused { .. }) {
                            slot.refused = Some((Instant::now(), failure));
                        }
                        Err(error)
                    }
                    Opening::Told(error) => Err(error),
                }
            }
        }
    }

    /// A connection of one's own, for who waits on it.
    pub async fn open_alone(&self, account: &PersonAccount) -> Result<Mailbox, ToolError> {
        self.open_apart(account).await.map_err(|failure| match failure {
            Opening::Failed(failure) => explain(&failure, &account.name),
            Opening::Told(error) => error,
        })
    }

    async fn open_apart(&self, account: &PersonAccount) -> Result<Mailbox, Opening> {
        let settings = settings(account).map_err(Opening::Told)?;
        let login = self
            .login(account, &settings.servers.imap_user)
            .await
            .map_err(Opening::Told)?;
        let trust = self.trust().map_err(Opening::Told)?;
        open(&settings.servers.imap, &login, trust)
            .await
            .map_err(Opening::Failed)
    }

    async fn fared(&self, account: &PersonAccount, state: AccountState) {
        if account.state != state
            && let Err(error) = self.store.person_account_fared(&account.id, state).await
        {
            tracing::warn!(%error, "how an account fares is not noted");
        }
    }

    /// The folders of a session's mailbox.
    pub async fn folders(&self, session: &mut Session) -> Result<Folders, ToolError> {
        let result = session.mailbox()?.folders().await;
        let folders = session.told(result)?;
        self.saw_folders(&session.account.id, &folders);
        Ok(folders)
    }
}

enum Opening {
    Failed(Failure),
    Told(ToolError),
}

pub(super) fn settings(account: &PersonAccount) -> Result<MailSettings, ToolError> {
    MailSettings::of(account).ok_or_else(|| {
        let message = Message::new("mail-settings-broken").with("account", account.name.as_str());
        ToolError::new(ErrorClass::Internal, message)
    })
}
