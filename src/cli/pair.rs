//! `metnos pair`: a one-time code on the screen, with a QR that opens the bot and sends it.

use std::process::ExitCode;

use anyhow::Context as _;
use qrcode::{QrCode, render::unicode::Dense1x2};

use super::{people, print};
use crate::{
    channels::telegram,
    config::Config,
    domain::{actor::Role, limits::PAIRING_CODE_TTL, message::Message},
    i18n::I18n,
    runtime::actors::{Actors, CodeFor},
};

/// A code for a newcomer, or for one more channel of a person.
pub(super) async fn run(config: &Config, whom: Option<&str>) -> anyhow::Result<ExitCode> {
    let household = people::open(config)?;
    let whom = match whom {
        Some(who) => CodeFor::Person(household.person(who).await?.id),
        None => CodeFor::Newcomer,
    };
    print(&invitation(config, &household.actors, &household.i18n, &whom).await?)?;
    Ok(ExitCode::SUCCESS)
}

/// The host's invitation, for a start on which nobody is there yet.
pub(super) async fn host_invitation(config: &Config, actors: &Actors, i18n: &I18n) -> anyhow::Result<String> {
    let host = actors.host().await?;
    invitation(config, actors, i18n, &CodeFor::Person(host.id)).await
}

/// The code with the way to use it, in words.
async fn invitation(config: &Config, actors: &Actors, i18n: &I18n, whom: &CodeFor) -> anyhow::Result<String> {
    let guest = match whom {
        CodeFor::Newcomer if actors.newcomer_is_host().await? => Message::new("pair-for-host"),
        CodeFor::Newcomer => Message::new("pair-for-guest"),
        CodeFor::Person(id) => match actors.person(id).await? {
            Some(person) if person.role == Role::Host => Message::new("pair-for-host"),
            Some(person) => Message::new("pair-for-person").with("name", person.name),
            None => Message::new("pair-for-guest"),
        },
    };
    let code = actors
        .new_code_for(whom)
        .await
        .context(Message::new("start-pairing-key"))?;
    let minutes = PAIRING_CODE_TTL.as_secs() / 60;
    let message = Message::new("pair-code")
        .with("code", code.as_str())
        .with("minutes", minutes)
        .with("whom", guest);
    let mut text = i18n.say(config.lang, &message);
    let mut scanned = format!("/pair {code}");
    if config.telegram.token.is_some()
        && let Ok(bot) = telegram::check(&config.telegram).await
    {
        scanned = format!("https://t.me/{}?start={code}", bot.username);
        text.push_str(&format!("\n{scanned}"));
    }
    if let Ok(code) = QrCode::new(scanned.as_bytes()) {
        text.push('\n');
        text.push_str(&code.render::<Dense1x2>().quiet_zone(true).build());
    }
    Ok(text)
}
