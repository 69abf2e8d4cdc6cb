//! Mailboxes of the people of this house: which accounts they have, and connections that are kept and used again. The
//! only module that names `metnos_mail`. Called by executors, dialogs and the command line; it belongs to the process
//! and never to a child of it. It decides nothing: what may be sent or moved was decided before.
//!
//! ```text
//! setup    an address → servers, by the table, by what the domain says, by asking; a check of all of it
//! pool     an account → a session on its mailbox; one at a time, opened again when it broke
//! ids      which message of which folder of which account, as one word
//! outgoing a draft → the journal, the server, the folder of what was sent
//! trouble  a failure → the sentence that says what to do
//! ```

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use metnos_mail::{Login, Password, Servers, Trust};
use serde::{Deserialize, Serialize};

use crate::{
    clock::Clock,
    config::MailConfig,
    domain::{
        account::{PersonAccount, Service},
        failure::{ErrorClass, ToolError},
        ids::{ActorId, PersonAccountId},
        message::Message,
    },
    store::{Store, StoreError},
};

pub mod classes;
pub mod ids;
pub mod lists;
pub mod listening;
pub mod outgoing;
mod people;
pub mod pool;
pub mod setup;
mod trouble;

pub use metnos_mail::{
    Attachment, Draft, File, Folder, Folders, Found, HEADERS, Header, LETTER_BYTES_MAX, Letter, Mark, Person, Purpose,
    Query, Quirk, Role, Signals, Unsubscribe, Verified, file_of, is_address, parts as parts_of_text, read_letter,
    role_of_name,
};
pub use trouble::explain;

/// What is kept of a mail account beside its password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailSettings {
    /// The address mail is sent from.
    pub address: String,
    /// Its servers, and the user names there.
    pub servers: Servers,
    /// The name beside the address, where its person gave one.
    #[serde(default)]
    pub shown_name: Option<String>,
}

impl MailSettings {
    /// Those of an account; `None` where they cannot be read.
    pub fn of(account: &PersonAccount) -> Option<Self> {
        serde_json::from_value(account.settings.clone()).ok()
    }

    /// Names under which the provider signs what it verified: the domain of the address and of its server.
    pub fn own_names(&self) -> Vec<String> {
        let domain_of = |host: &str| {
            let parts: Vec<&str> = host.rsplit('.').take(2).collect();
            parts.into_iter().rev().collect::<Vec<_>>().join(".")
        };
        let of_address = self.address.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
        vec![of_address, domain_of(&self.servers.imap.host.to_ascii_lowercase())]
    }
}

/// Mailboxes, and the way to them.
pub struct Mail {
    store: Store,
    clock: Clock,
    config: MailConfig,
    trust: OnceLock<Trust>,
    slots: Mutex<HashMap<PersonAccountId, Arc<tokio::sync::Mutex<pool::Slot>>>>,
    /// Folders as they were last seen, so that words can mean one without asking the server.
    folders: Mutex<HashMap<PersonAccountId, Folders>>,
    circles: Mutex<HashMap<PersonAccountId, people::Circle>>,
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mail").finish_non_exhaustive()
    }
}

impl Mail {
    /// Connects to nothing yet.
    pub fn new(store: Store, clock: Clock, config: MailConfig) -> Self {
        Self {
            store,
            clock,
            config,
            trust: OnceLock::new(),
            slots: Mutex::default(),
            folders: Mutex::default(),
            circles: Mutex::default(),
        }
    }

    /// What the household says of mail.
    pub fn config(&self) -> &MailConfig {
        &self.config
    }

    /// The mail accounts of a person.
    pub async fn accounts(&self, actor: &ActorId) -> Result<Vec<PersonAccount>, StoreError> {
        self.store.person_accounts(actor, Some(Service::Mail)).await
    }

    /// The account a person means: the one of this name, or the only one, or the first one they gave.
    ///
    /// # Errors
    ///
    /// That there is none, in a form that makes the turn ask for one; or that none is called so.
    pub async fn account(&self, actor: &ActorId, named: Option<&str>) -> Result<PersonAccount, ToolError> {
        let accounts = self.accounts(actor).await?;
        match named {
            Some(named) => named_so(&accounts, named).ok_or_else(|| {
                ToolError::new(
                    ErrorClass::NotFound,
                    Message::new("mail-no-such-account").with("name", named),
                )
            }),
            None => accounts
                .into_iter()
                .next()
                .ok_or_else(|| ToolError::lacking_login(Service::Mail, Message::new("mail-no-account"))),
        }
    }

    /// Of this person, and of nobody else.
    pub async fn account_by_id(&self, actor: &ActorId, id: &PersonAccountId) -> Result<PersonAccount, ToolError> {
        let accounts = self.accounts(actor).await?;
        accounts
            .into_iter()
            .find(|account| account.id == *id)
            .ok_or_else(|| ToolError::new(ErrorClass::NotFound, Message::new("mail-message-gone")))
    }

    /// The folders of an account as they were last seen.
    pub fn folders_seen(&self, id: &PersonAccountId) -> Option<Folders> {
        self.folders
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(id)
            .cloned()
    }

    fn saw_folders(&self, id: &PersonAccountId, folders: &Folders) {
        let mut seen = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        seen.insert(id.clone(), folders.clone());
    }

    /// Lets go of whatever is open of an account that was changed or removed.
    pub fn forget(&self, id: &PersonAccountId) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        drop(slots.remove(id));
        let mut seen = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        drop(seen.remove(id));
        let mut circles = self.circles.lock().unwrap_or_else(PoisonError::into_inner);
        drop(circles.remove(id));
    }

    /// The certificates that count; read from the machine at the first connection.
    fn trust(&self) -> Result<&Trust, ToolError> {
        if let Some(trust) = self.trust.get() {
            return Ok(trust);
        }
        let read = Trust::of_system(self.config.ca_file.as_deref()).map_err(|error| {
            let message = Message::new("mail-no-trust").with("reason", error.to_string());
            ToolError::new(ErrorClass::Internal, message)
        })?;
        Ok(self.trust.get_or_init(|| read))
    }

    async fn login(&self, account: &PersonAccount, user: &str) -> Result<Login, ToolError> {
        let secret = self.store.person_secret(&account.actor, &account.id).await?;
        let Some(secret) = secret else {
            let message = Message::new("mail-no-password").with("account", account.name.as_str());
            return Err(ToolError::new(ErrorClass::AuthRequired, message));
        };
        Ok(Login {
            user: user.to_owned(),
            password: Password::new(secret.expose().to_owned()),
        })
    }
}

/// The account that somebody calls so: its address, a part of it, or its provider.
fn named_so(accounts: &[PersonAccount], named: &str) -> Option<PersonAccount> {
    let wanted = named.trim().to_lowercase();
    let exact = accounts.iter().find(|account| account.name.to_lowercase() == wanted);
    let mut similar = accounts
        .iter()
        .filter(|account| account.name.to_lowercase().contains(&wanted));
    let only = match (similar.next(), similar.next()) {
        (Some(only), None) => Some(only),
        (_, _) => None,
    };
    exact.or(only).filter(|_| !wanted.is_empty()).cloned()
}
