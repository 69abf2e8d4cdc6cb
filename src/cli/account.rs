//! `metnos account …`: accounts of persons with services outside, from the machine itself. A password is read from the
//! terminal without showing it, or from standard input; it is never an argument, since arguments are seen by every user
//! of the machine.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Subcommand;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{
    complain, people, print,
    prompt::{Prompt, answer},
};
use crate::{
    agenda::{Agenda, Seen},
    clock::Clock,
    config::{Config, Secret},
    devices,
    domain::{
        account::{AccountState, PersonAccount, Service},
        actor::{Actor, Role},
        failure::ToolError,
        message::Message,
    },
    engine::accounts::{Found, Given, Services},
    mail::{Mail, Quirk, setup::Checked},
    store::Store,
};

/// What can be done with accounts.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Add {
        /// mail, caldav, carddav, calendar or homeassistant.
        service: String,
        /// The address; asked for when it is left out.
        address: Option<String>,
        #[arg(long, default_value = "host")]
        who: String,
        #[arg(long)]
        imap: Option<String>,
        #[arg(long)]
        smtp: Option<String>,
        #[arg(long)]
        user: Option<String>,
    },
    List {
        #[arg(long, default_value = "host")]
        who: String,
    },
    Check {
        #[arg(long, default_value = "host")]
        who: String,
    },
    Remove {
        name: String,
        #[arg(long, default_value = "host")]
        who: String,
    },
}

/// What an account is made of on the command line.
struct Wanted {
    service: String,
    address: Option<String>,
    imap: Option<String>,
    smtp: Option<String>,
    user: Option<String>,
}

struct Desk {
    household: people::Household,
    mail: Mail,
    agenda: Agenda,
    person: Actor,
}

impl Desk {
    async fn open(config: &Config, who: &str) -> anyhow::Result<Self> {
        let household = people::open(config)?;
        let person = household.person(who).await?;
        let mail = Mail::new(household.store.clone(), Clock::system(), config.mail.clone());
        let agenda = Agenda::new(&config.agenda).with_servers(household.store.clone(), Clock::system());
        Ok(Self {
            household,
            mail,
            agenda,
            person,
        })
    }

    fn say(&self, message: &Message) -> String {
        self.household.i18n.say(self.person.lang, message)
    }

    fn print(&self, message: &Message) -> anyhow::Result<()> {
        print(&self.say(message))
    }

    /// Why it does not work; the program ends as failed.
    fn refuse(&self, error: &ToolError) -> ExitCode {
        complain(&self.say(&error.message));
        ExitCode::FAILURE
    }
}

pub(super) async fn run(config: &Config, command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Add {
            service,
            address,
            who,
            imap,
            smtp,
            user,
        } => {
            let wanted = Wanted {
                service,
                address,
                imap,
                smtp,
                user,
            };
            Box::pin(add(&Desk::open(config, &who).await?, wanted)).await
        }
        Command::List { who } => list(&Desk::open(config, &who).await?).await,
        Command::Check { who } => Box::pin(check(&Desk::open(config, &who).await?)).await,
        Command::Remove { name, who } => remove(&Desk::open(config, &who).await?, &name).await,
    }
}

async fn add(desk: &Desk, wanted: Wanted) -> anyhow::Result<ExitCode> {
    let Some(service) = Service::parse(&wanted.service) else {
        let known: Vec<&str> = Service::ALL.iter().map(|service| service.as_str()).collect();
        bail!(
            Message::new("account-no-such-service")
                .with("service", wanted.service)
                .with("known", known.join(", "))
        );
    };
    if service == Service::Homeassistant && desk.person.role != Role::Host {
        bail!(Message::new("devices-only-host"));
    }
    let ask = |var: &str, prompt: Prompt| {
        let key = format!("login-{}-{var}", service.as_str());
        answer(&desk.say(&Message::new(&key)), prompt).context(Message::new("start-terminal"))
    };
    let given = |value: Option<String>, var: &str| value.map_or_else(|| ask(var, Prompt::Shown), Ok);
    let address = given(wanted.address, "address")?;
    let services = Services {
        mail: &desk.mail,
        agenda: &desk.agenda,
        // Who sits at the machine itself may name servers in the house.
        is_host: true,
    };
    let found = match (&wanted.imap, &wanted.smtp) {
        (Some(imap), Some(smtp)) => named(desk, &address, imap, smtp).await?,
        _ => match services.find(service, &address).await {
            Ok(Found::There { servers, hint }) => {
                if let Some(hint) = hint {
                    desk.print(&hint)?;
                }
                Ok(servers.unwrap_or_default())
            }
            Ok(Found::NotThere(why)) => bail!(why),
            Ok(Found::NoAddress) => bail!(Message::new("hint-login-address")),
            Ok(Found::Unknown(_)) => {
                named(
                    desk,
                    &address,
                    &ask("imap", Prompt::Shown)?,
                    &ask("smtp", Prompt::Shown)?,
                )
                .await?
            }
            Err(error) => Err(error),
        },
    };
    let servers = match found {
        Ok(servers) => servers,
        Err(error) => return Ok(desk.refuse(&error)),
    };
    let mut answers = Map::new();
    answers.insert("address".to_owned(), json!(address));
    if matches!(service, Service::Caldav | Service::Carddav) {
        answers.insert("user".to_owned(), json!(given(wanted.user, "user")?));
    }
    let secret = if service == Service::Calendar {
        String::new()
    } else {
        ask("password", Prompt::Hidden)?
    };
    let given = Given {
        service,
        answers,
        servers,
        secret: Secret::new(secret),
        id: Uuid::new_v4().simple().to_string().into(),
    };
    keep(desk, &services, given).await
}

/// Keeps an account that works.
async fn keep(desk: &Desk, services: &Services<'_>, given: Given) -> anyhow::Result<ExitCode> {
    match services.try_out(given).await {
        Ok(account) => {
            let told = Message::new("login-kept").with("account", account.name.as_str());
            let now_ms = Clock::system().now_ms();
            let store = &desk.household.store;
            store.put_person_account(&desk.person.id, account, now_ms).await?;
            desk.print(&told)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Ok(desk.refuse(&error)),
    }
}

/// The servers a person named, as they are kept; or why they do not serve.
async fn named(desk: &Desk, address: &str, imap: &str, smtp: &str) -> anyhow::Result<Result<Value, ToolError>> {
    Ok(match desk.mail.named(address, imap, smtp).await {
        Ok(named) => Ok(serde_json::to_value(named)?),
        Err(error) => Err(error),
    })
}

async fn list(desk: &Desk) -> anyhow::Result<ExitCode> {
    let accounts = desk.household.store.person_accounts(&desk.person.id, None).await?;
    if accounts.is_empty() {
        desk.print(&Message::new("account-list-none"))?;
    }
    for account in accounts {
        let state = match account.state {
            AccountState::Untried => "untried",
            AccountState::Good => "good",
            AccountState::Refused => "refused",
        };
        let line = Message::new("account-line")
            .with("service", account.service.as_str())
            .with("name", account.name)
            .with("state", state);
        desk.print(&line)?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn check(desk: &Desk) -> anyhow::Result<ExitCode> {
    let accounts = desk.household.store.person_accounts(&desk.person.id, None).await?;
    if accounts.is_empty() {
        desk.print(&Message::new("account-list-none"))?;
    }
    let mut good = true;
    for account in accounts {
        let (is_good, lines) = match account.service {
            Service::Mail => {
                let checked = desk.mail.check(&account).await;
                (checked.is_good(), lines(&account, &checked))
            }
            Service::Homeassistant => device_lines(&account, &desk.household.store).await,
            Service::Caldav | Service::Carddav | Service::Calendar => {
                let seen = desk.agenda.check(&account).await.unwrap_or_else(Seen::wrong);
                (seen.wrong.is_none(), seen_lines(&account, &seen))
            }
        };
        good &= is_good;
        for line in lines {
            desk.print(&line)?;
        }
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn remove(desk: &Desk, name: &str) -> anyhow::Result<ExitCode> {
    let store = &desk.household.store;
    let accounts = store.person_accounts(&desk.person.id, None).await?;
    let wanted = name.to_lowercase();
    let Some(account) = accounts.iter().find(|account| account.name.to_lowercase() == wanted) else {
        bail!(Message::new("mail-no-such-account").with("name", name));
    };
    store.remove_person_account(&desk.person.id, &account.id).await?;
    desk.mail.forget(&account.id);
    desk.agenda.forget(&account.id);
    desk.print(&Message::new("account-removed").with("name", account.name.as_str()))?;
    Ok(ExitCode::SUCCESS)
}

/// What a look at a mail account found, a line each.
pub(super) fn lines(account: &PersonAccount, checked: &Checked) -> Vec<Message> {
    let name = account.name.as_str();
    let mut lines = Vec::new();
    match &checked.reading {
        Some(error) => lines.push(
            Message::new("account-bad")
                .with("name", name)
                .with("why", error.message.clone()),
        ),
        None => lines.push(Message::new("account-reads").with("name", name)),
    }
    match &checked.sending {
        Some(error) => {
            lines.push(
                Message::new("account-sends-not")
                    .with("name", name)
                    .with("why", error.message.clone()),
            );
        }
        None => lines.push(Message::new("account-sends").with("name", name)),
    }
    for (role, folder) in &checked.folders {
        let line = Message::new("account-folder").with("role", role.as_str());
        lines.push(line.with("folder", folder.as_deref().unwrap_or("none")));
    }
    for quirk in &checked.quirks {
        lines.push(Message::new(match quirk {
            Quirk::NoSpecialUse => "account-quirk-names",
            Quirk::NoMove => "account-quirk-move",
            Quirk::NoUidPlus => "account-quirk-uidplus",
            Quirk::NoIdle => "account-quirk-idle",
            Quirk::Labels => "account-quirk-labels",
        }));
    }
    lines
}

/// Whether Home Assistant answers, and what it shows.
pub(super) async fn device_lines(account: &PersonAccount, store: &Store) -> (bool, Vec<Message>) {
    let name = account.name.as_str();
    match devices::check(store, account).await {
        Ok((devices, areas)) => {
            let line = Message::new("devices-account-holds").with("name", name);
            (true, vec![line.with("devices", devices).with("areas", areas)])
        }
        Err(error) => (
            false,
            vec![
                Message::new("account-bad")
                    .with("name", name)
                    .with("why", error.message),
            ],
        ),
    }
}

/// What a look at an account of calendars or an address book found, a line each.
pub(super) fn seen_lines(account: &PersonAccount, seen: &Seen) -> Vec<Message> {
    let name = account.name.as_str();
    if let Some(error) = &seen.wrong {
        return vec![
            Message::new("account-bad")
                .with("name", name)
                .with("why", error.message.clone()),
        ];
    }
    let mut lines = vec![
        Message::new("account-holds")
            .with("name", name)
            .with("service", account.service.as_str()),
    ];
    lines.extend(seen.collections.iter().map(|(called, is_read_only, count)| {
        Message::new("account-collection")
            .with("called", if called.is_empty() { "none" } else { called.as_str() })
            .with("count", u64::try_from(*count).unwrap_or(u64::MAX))
            .with("readonly", if *is_read_only { "yes" } else { "no" })
    }));
    if seen.has_no_tokens {
        lines.push(Message::new("account-quirk-tokens"));
    }
    lines
}
