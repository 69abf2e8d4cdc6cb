//! The devices of the house: which Home Assistant they belong to, and the one connection to it. Called by the family
//! of devices, by dialogs and the command line. The account is the host's, and serves everybody; who may do what is
//! decided elsewhere. A token goes to its own address and into no log, no plan and no child process.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use metnos_homeassistant::{Address, Failure, Link, Token};
use serde_json::json;
use url::Url;

use crate::{
    config::Secret,
    domain::{
        account::{AccountState, PersonAccount, Service},
        failure::{ErrorClass, ToolError},
        ids::{ActorId, PersonAccountId},
        limits::DEVICES_CONNECT,
        message::Message,
    },
    net::pinned::{Ask, Door, Pinned, PinnedError},
    store::{Store, StoreError, person_accounts::NewPersonAccount},
};

pub use metnos_homeassistant::{Device, Home, Service as Order, State};

/// Largest picture of a camera that is taken.
const CAMERA_BYTES_MAX: usize = 10 << 20;
/// Whose account it is.
const OWNER: &str = "host";

/// What is open.
struct Open {
    id: PersonAccountId,
    name: String,
    secret: Secret,
    link: Arc<Link>,
}

/// The way to the devices of the account that a database holds; it connects when somebody asks.
#[derive(Default)]
pub struct Devices {
    open: Mutex<Option<Open>>,
}

impl fmt::Debug for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Devices").finish_non_exhaustive()
    }
}

impl Devices {
    /// The connection, and what is in the home now; waits so long for a connection that is being made.
    pub async fn home(&self, store: &Store, wait: Duration) -> Result<(Arc<Link>, Arc<Home>), ToolError> {
        let (account, link) = self.link(store).await?;
        match link.home(wait).await {
            Ok(home) => Ok((link, home)),
            Err(failure) => {
                if failure == Failure::Refused {
                    let state = AccountState::Refused;
                    let kept = store.person_account_fared(&account.id, state).await;
                    kept?;
                }
                Err(explain(&failure, &account.name))
            }
        }
    }

    /// What a camera sees now, by what services call it. The token goes to the address of the account alone.
    pub async fn picture(&self, store: &Store, camera: &str) -> Result<Vec<u8>, ToolError> {
        let account = account(store).await?.ok_or_else(none)?;
        let token = secret_of(store, &account).await?;
        let failed = |failure: Failure| explain(&failure, &account.name);
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.');
        let base = Url::parse(&account.name).map_err(|_no_url| failed(Failure::BadAddress))?;
        if !camera.chars().all(is_name) {
            return Err(failed(Failure::SomethingElse));
        }
        let door = Door {
            base,
            login: None,
            ca_file: None,
            may_be_inside: true,
            token: Some(token),
            may_be_plain: true,
        };
        let pinned = Pinned::new(door, CAMERA_BYTES_MAX).await;
        let ask = Ask {
            method: "GET",
            href: &format!("/api/camera_proxy/{camera}"),
            headers: Vec::new(),
            body: String::new(),
        };
        let said = match pinned {
            Ok(pinned) => pinned.ask(&ask).await,
            Err(error) => Err(error),
        };
        let said = said.map_err(|error| failed(of_door(&error)))?;
        match said.status {
            200 => Ok(said.body),
            401 | 403 => Err(failed(Failure::Refused)),
            status => {
                let silent = Message::new("devices-camera-silent");
                Err(ToolError::new(ErrorClass::NotFound, silent).with_detail(format!("status {status}")))
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn link(&self, store: &Store) -> Result<(PersonAccount, Arc<Link>), ToolError> {
        let Some(account) = account(store).await? else {
            *self.open() = None;
            return Err(none());
        };
        let secret = secret_of(store, &account).await?;
        let mut open = self.open();
        let is_it =
            |open: &Open| open.id == account.id && open.name == account.name && open.secret.expose() == secret.expose();
        if let Some(open) = open.as_ref().filter(|open| is_it(open)) {
            return Ok((account, Arc::clone(&open.link)));
        }
        let address = Address::parse(&account.name).map_err(|failure| explain(&failure, &account.name))?;
        let link = Arc::new(Link::open(address, Token::new(secret.expose().to_owned())));
        *open = Some(Open {
            id: account.id.clone(),
            name: account.name.clone(),
            secret,
            link: Arc::clone(&link),
        });
        Ok((account, link))
    }
}

/// Tries an account out; as it is to be kept if it works.
pub async fn try_out(id: PersonAccountId, address: &str, secret: Secret) -> Result<NewPersonAccount, ToolError> {
    let address = Address::parse(address).map_err(|failure| explain(&failure, address))?;
    look(&address, &secret).await?;
    Ok(NewPersonAccount {
        id,
        service: Service::Homeassistant,
        name: address.as_str().to_owned(),
        settings: json!({}),
        secret: Some(secret),
    })
}

/// How many devices and rooms an account shows, over a connection of its own.
pub async fn check(store: &Store, account: &PersonAccount) -> Result<(usize, usize), ToolError> {
    let secret = store.person_secret(&account.actor, &account.id).await;
    let secret = secret?.unwrap_or_else(|| Secret::new(String::new()));
    let address = Address::parse(&account.name).map_err(|failure| explain(&failure, &account.name))?;
    look(&address, &secret).await
}

/// The newest account of the household.
async fn account(store: &Store) -> Result<Option<PersonAccount>, StoreError> {
    let owner = ActorId::from(OWNER);
    let accounts = store.person_accounts(&owner, Some(Service::Homeassistant)).await?;
    Ok(accounts.into_iter().next_back())
}

async fn secret_of(store: &Store, account: &PersonAccount) -> Result<Secret, ToolError> {
    let secret = store.person_secret(&account.actor, &account.id).await;
    secret?.ok_or_else(none)
}

fn none() -> ToolError {
    ToolError::lacking_login(Service::Homeassistant, Message::new("devices-none"))
}

/// Where an address leads, as it is kept; nothing where it is none.
pub fn address(text: &str) -> Option<String> {
    let address = Address::parse(text).ok()?;
    Some(address.as_str().to_owned())
}

async fn look(address: &Address, secret: &Secret) -> Result<(usize, usize), ToolError> {
    let link = Link::open(address.clone(), Token::new(secret.expose().to_owned()));
    let home = link.home(DEVICES_CONNECT).await;
    let home = home.map_err(|failure| explain(&failure, address.as_str()))?;
    Ok((home.devices().count(), home.areas().len()))
}

/// Why a server could not be asked, as its connection would say it.
fn of_door(error: &PinnedError) -> Failure {
    match error {
        PinnedError::BadAddress => Failure::BadAddress,
        PinnedError::NotEncrypted(host) => Failure::NotEncrypted(host.clone()),
        PinnedError::Private(host) | PinnedError::NoSuchHost(host) | PinnedError::Unreachable(host) => {
            Failure::Unreachable(host.clone())
        }
        PinnedError::Certificate { host, .. } => Failure::Certificate(host.clone()),
        PinnedError::Timeout(_) => Failure::Timeout,
        PinnedError::Elsewhere(_) | PinnedError::TooLarge(_) | PinnedError::Client(_) => Failure::SomethingElse,
    }
}

/// A failure, as the sentence that says what to do about it.
pub fn explain(failure: &Failure, account: &str) -> ToolError {
    let (class, key) = match failure {
        Failure::BadAddress => (ErrorClass::InvalidArgs, "devices-bad-address"),
        Failure::NotEncrypted(_) => (ErrorClass::Forbidden, "devices-not-encrypted"),
        Failure::Unreachable(_) => (ErrorClass::Network, "devices-unreachable"),
        Failure::Certificate(_) => (ErrorClass::Forbidden, "devices-certificate"),
        Failure::Timeout => (ErrorClass::Timeout, "devices-timeout"),
        Failure::SomethingElse => (ErrorClass::ServerError, "devices-something-else"),
        Failure::Refused => (ErrorClass::AuthRequired, "devices-refused"),
        Failure::NotAdministrator => (ErrorClass::Forbidden, "devices-not-administrator"),
        Failure::Closed => (ErrorClass::Network, "devices-closed"),
        Failure::Call { .. } => (ErrorClass::ServerError, "devices-call-refused"),
    };
    let mut error = ToolError::new(class, Message::new(key).with("account", account)).with_detail(failure.to_string());
    if *failure == Failure::Refused {
        error.login = Some(Service::Homeassistant);
    }
    error
}
