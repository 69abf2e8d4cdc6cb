//! `metnos pair`: a one-time code on the screen, with a QR that opens the bot and sends it.

use std::process::ExitCode;

use anyhow::Context as _;
use qrcode::{QrCode, render::unicode::Dense1x2};

use super::print;
use crate::{
    app::{self, DATABASE},
    channels::telegram,
    clock::Clock,
    config::Config,
    domain::{limits::PAIRING_CODE_TTL, message::Message},
    i18n::I18n,
    runtime::actors::{Actors, Defaults},
    store::Store,
};

pub(super) async fn run(config: &Config) -> anyhow::Result<ExitCode> {
    app::make_private_dir(&config.data_dir)?;
    let store = Store::open(&config.data_dir.join(DATABASE)).context("cannot open the database")?;
    let defaults = Defaults {
        lang: config.lang,
        timezone: config.timezone.clone(),
    };
    let actors = Actors::new(store, Clock::system(), defaults);
    let i18n = I18n::embedded()?;
    print(&invitation(config, &actors, &i18n).await?)?;
    Ok(ExitCode::SUCCESS)
}

/// The code with the way to use it, in words.
pub(super) async fn invitation(config: &Config, actors: &Actors, i18n: &I18n) -> anyhow::Result<String> {
    let code = actors.new_code().await.context("cannot make a pairing code")?;
    let minutes = PAIRING_CODE_TTL.as_secs() / 60;
    let message = Message::new("pair-code")
        .with("code", code.as_str())
        .with("minutes", minutes);
    let mut text = i18n.say(config.lang, &message);
    if config.telegram.token.is_some()
        && let Ok(bot) = telegram::check(&config.telegram).await
    {
        let link = format!("https://t.me/{}?start={code}", bot.username);
        text.push_str(&format!("\n{link}"));
        if let Ok(code) = QrCode::new(link.as_bytes()) {
            text.push('\n');
            text.push_str(&code.render::<Dense1x2>().quiet_zone(true).build());
        }
    }
    Ok(text)
}
