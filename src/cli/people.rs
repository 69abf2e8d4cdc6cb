//! `metnos people …`: who is here, and what the host decides about each, from the machine itself. Works beside a
//! running service. Whoever can run this owns the machine.

use std::{
    io::IsTerminal as _,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context as _, bail};
use clap::Subcommand;

use super::{print, prompt::confirmed};
use crate::{
    app::{self, DATABASE, LOCK},
    clock::Clock,
    config::Config,
    domain::{
        actor::{Actor, Role},
        message::Message,
    },
    i18n::I18n,
    kick,
    runtime::{
        actors::{Actors, Defaults},
        erasure::{Archive, Erased, ErasureError},
        people::People,
    },
    store::Store,
};

/// What can be asked about people.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    List,
    Invite,
    Link {
        who: String,
    },
    Rename {
        who: String,
        name: String,
    },
    Language {
        who: String,
        code: String,
    },
    Timezone {
        who: String,
        zone: String,
    },
    Quota {
        who: String,
        kind: String,
        // `-1` is no option: what is wrong with it is said by who reads amounts.
        #[arg(allow_negative_numbers = true)]
        amount: String,
    },
    Revoke {
        who: String,
        channel: Option<String>,
    },
    Export {
        who: String,
        #[arg(long)]
        to: PathBuf,
    },
    Erase {
        who: String,
        #[arg(long)]
        yes: bool,
    },
}

/// What every subcommand needs.
pub(super) struct Household {
    pub(super) store: Store,
    pub(super) actors: Actors,
    pub(super) people: People,
    pub(super) i18n: Arc<I18n>,
}

/// Opens the data folder.
pub(super) fn open(config: &Config) -> anyhow::Result<Household> {
    app::make_private_dir(&config.data_dir)?;
    let store = Store::open(&config.data_dir.join(DATABASE)).context(Message::new("start-database"))?;
    let defaults = Defaults {
        lang: config.lang,
        timezone: config.timezone.clone(),
    };
    let actors = Actors::new(store.clone(), Clock::system(), defaults, &config.data_dir)
        .context(Message::new("start-pairing-key"))?;
    let i18n = Arc::new(I18n::of_household(&config.data_dir)?);
    Ok(Household {
        people: People::new(store.clone(), Clock::system(), actors.clone(), Arc::clone(&i18n)),
        store,
        actors,
        i18n,
    })
}

impl Household {
    /// The person of this name or id.
    pub(super) async fn person(&self, who: &str) -> anyhow::Result<Actor> {
        self.actors.host().await?;
        match self.people.named(who).await? {
            Ok(person) => Ok(person.actor),
            Err(message) => bail!(message),
        }
    }
}

pub(super) async fn run(config: &Config, command: Command) -> anyhow::Result<ExitCode> {
    let household = open(config)?;
    match command {
        Command::List => {
            household.actors.host().await?;
            tell(&household, "list").await
        }
        Command::Invite => {
            household.actors.host().await?;
            tell(&household, "invite").await
        }
        Command::Link { who } => change(&household, "link", &who, "").await,
        Command::Rename { who, name } => change(&household, "rename", &who, &name).await,
        Command::Language { who, code } => change(&household, "language", &who, &code).await,
        Command::Timezone { who, zone } => {
            let changed = change(&household, "timezone", &who, &zone).await;
            // Whoever runs counts the wall times of this person's tasks anew.
            if let Err(error) = kick::kick(&config.data_dir.join(LOCK), Clock::system().now()) {
                tracing::debug!(%error, "none runs that has to know");
            }
            changed
        }
        Command::Quota { who, kind, amount } => change(&household, "quota", &who, &format!("{kind} {amount}")).await,
        Command::Revoke { who, channel } => {
            change(&household, "revoke", &who, channel.as_deref().unwrap_or_default()).await
        }
        Command::Export { who, to } => export(config, &household, &who, &to).await,
        Command::Erase { who, yes } => erase(config, &household, &who, yes).await,
    }
}

/// The same words as the host's `/people`, about a person found first: names with spaces came in one piece.
async fn change(household: &Household, verb: &str, who: &str, value: &str) -> anyhow::Result<ExitCode> {
    let person = household.person(who).await?;
    tell(household, &format!("{verb} {} {value}", person.id)).await
}

/// Says it in the host's language, which may be what was changed.
async fn tell(household: &Household, words: &str) -> anyhow::Result<ExitCode> {
    let host = household.actors.host().await?;
    let said = household.people.people(&host, words).await?;
    for line in &said.lines {
        print(&household.i18n.say(said.lang, &as_typed_here(line)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The same hint with what is typed on the machine, where there are no slashes.
fn as_typed_here(line: &Message) -> Message {
    match line.key.as_str() {
        "people-more" => Message::new("people-more-here"),
        "quota-unknown" => Message::new("quota-unknown-here"),
        _ => line.clone(),
    }
}

async fn export(config: &Config, household: &Household, who: &str, to: &Path) -> anyhow::Result<ExitCode> {
    let person = household.person(who).await?;
    if to.symlink_metadata().is_ok() {
        let taken = Message::new("people-export-exists").with("file", to.display().to_string());
        bail!(taken);
    }
    let archive = archive(config, household);
    archive
        .export(&person, to)
        .await
        .with_context(|| Message::new("start-file").with("path", to.display().to_string()))?;
    let done = Message::new("people-exported")
        .with("name", person.name.as_str())
        .with("file", to.display().to_string());
    print(&household.i18n.say(config.lang, &done))?;
    Ok(ExitCode::SUCCESS)
}

async fn erase(config: &Config, household: &Household, who: &str, yes: bool) -> anyhow::Result<ExitCode> {
    let person = household.person(who).await?;
    let say = |key: &str| {
        let message = Message::new(key)
            .with("name", person.name.as_str())
            .with("id", person.id.as_str());
        household.i18n.say(config.lang, &message)
    };
    let lock = app::lock(&config.data_dir).await;
    let serves = lock.is_err();
    // The one who answers all others cannot go while it answers.
    if serves && person.role == Role::Host {
        bail!(say("people-erase-host-running"));
    }
    if !yes {
        if !std::io::stdin().is_terminal() {
            bail!(say("people-erase-needs-yes"));
        }
        if !confirmed(&say("people-erase-sure"))? {
            print(&say("people-erase-kept"))?;
            return Ok(ExitCode::FAILURE);
        }
    }
    let erased = match archive(config, household).erase(&person, serves).await {
        Ok(erased) => erased,
        Err(ErasureError::Busy) => bail!(say("people-erase-busy")),
        Err(ErasureError::Left(left)) => {
            let lines = left.iter().map(|(path, error)| format!("{}: {error}", path.display()));
            let lines: Vec<String> = std::iter::once(say("people-erase-left")).chain(lines).collect();
            bail!(lines.join("\n"))
        }
        Err(error) => bail!(error),
    };
    print(&say("people-erased"))?;
    if erased == Erased::NotOverwritten {
        print(&say("people-erased-later"))?;
    }
    drop(lock);
    Ok(ExitCode::SUCCESS)
}

fn archive(config: &Config, household: &Household) -> Archive {
    Archive::new(household.store.clone(), Clock::system(), &config.data_dir, &config.home)
}
