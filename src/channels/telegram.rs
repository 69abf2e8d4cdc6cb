//! A Telegram bot by long polling. `app` starts it when there is a token; `cli::doctor` asks `check`. It needs no
//! open port, and no other module names teloxide.
//!
//! ```text
//! getUpdates → inbound → Runtime::submit, press     (polling)
//! Runtime::next_delivery → html → chunk → send      (outbound)
//! Runtime::signals → typing, one edited message     (progress)
//! ```

use std::{collections::HashSet, sync::Arc};

use futures_util::future::BoxFuture;
use teloxide::types::BotCommand;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

mod api;
mod chunk;
mod failure;
mod html;
mod inbound;
mod keyboard;
mod media;
mod outbound;
mod polling;
mod progress;

use self::{
    api::Api,
    failure::ApiFailure,
    outbound::Courier,
    polling::{Backoff, Poller, Trouble},
    progress::Progress,
};
use crate::{
    config::TelegramConfig,
    domain::{ids::ChannelKind, lang::Lang, message::Message},
    i18n::I18n,
    runtime::Runtime,
};

/// The commands in Telegram's menu; their descriptions are `telegram-command-<name>`.
const MENU: [&str; 4] = ["help", "status", "undo", "stop"];

/// Why the bot cannot work. The log has the text, a person gets `advice`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TelegramError {
    /// No token is configured.
    #[error("telegram has no bot token")]
    NoToken,
    /// `telegram.api_url` is not a web address.
    #[error("telegram.api_url `{url}` is not an http address")]
    BadApiUrl {
        /// As configured.
        url: String,
    },
    /// Telegram does not know the token.
    #[error("telegram does not accept the bot token; check it with @BotFather")]
    BadToken,
    /// Another program polls with the same token.
    #[error("another program reads this bot's messages; stop it, or give this one its own bot")]
    OtherPoller,
    /// A webhook takes the messages.
    #[error("a webhook takes this bot's messages; whoever set it can remove it with deleteWebhook")]
    WebhookSet,
    /// Nobody answers.
    #[error("telegram cannot be reached: {reason}")]
    Unreachable {
        /// The cause, without the token.
        reason: String,
    },
    /// Anything else.
    #[error("telegram refused: {reason}")]
    Unexpected {
        /// The cause, without the token.
        reason: String,
    },
}

impl TelegramError {
    /// What to tell the person who runs metnos, with the next step.
    pub fn advice(&self) -> Message {
        match self {
            Self::NoToken => Message::new("telegram-advice-no-token"),
            Self::BadApiUrl { url } => Message::new("telegram-advice-bad-url").with("url", url.as_str()),
            Self::BadToken => Message::new("telegram-advice-bad-token"),
            Self::OtherPoller => Message::new("telegram-advice-other-poller"),
            Self::WebhookSet => Message::new("telegram-advice-webhook"),
            Self::Unreachable { reason } => Message::new("telegram-advice-unreachable").with("reason", reason.as_str()),
            Self::Unexpected { reason } => Message::new("telegram-advice-unexpected").with("reason", reason.as_str()),
        }
    }
}

impl From<ApiFailure> for TelegramError {
    fn from(failure: ApiFailure) -> Self {
        let unexpected = |reason: &str| Self::Unexpected {
            reason: reason.to_owned(),
        };
        match failure {
            ApiFailure::BadToken => Self::BadToken,
            ApiFailure::OtherPoller => Self::OtherPoller,
            ApiFailure::WebhookSet => Self::WebhookSet,
            ApiFailure::Unreachable(reason) | ApiFailure::Ambiguous(reason) => Self::Unreachable { reason },
            ApiFailure::Unreadable(reason) | ApiFailure::Refused(reason) => Self::Unexpected { reason },
            ApiFailure::RetryAfter(_) => unexpected("asked us to wait"),
            ApiFailure::NotModified | ApiFailure::Gone => unexpected("an answer that does not fit the question"),
        }
    }
}

/// The bot behind a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotInfo {
    /// Its name without the `@`.
    pub username: String,
    /// The name people see.
    pub name: String,
}

/// Asks Telegram who the bot is and whether polling can work. Changes nothing.
pub async fn check(config: &TelegramConfig) -> Result<BotInfo, TelegramError> {
    let api = Api::new(config)?;
    let me = api.me().await?;
    if api.has_webhook().await? {
        return Err(TelegramError::WebhookSet);
    }
    Ok(BotInfo {
        username: me.username().to_owned(),
        name: me.full_name(),
    })
}

/// Runs the bot until told to stop. While Telegram cannot be reached or refuses us it explains why once in the log
/// and tries again with growing pauses; it returns an error only for a config no call can be made with.
pub fn start(
    runtime: Runtime,
    config: TelegramConfig,
    words: Arc<I18n>,
    stop: CancellationToken,
) -> BoxFuture<'static, Result<(), TelegramError>> {
    Box::pin(async move {
        let api = Api::new(&config)?;
        let Some(bot) = introduce(&api, &stop).await else {
            return Ok(());
        };
        tracing::info!(bot, "telegram is ready");
        runtime.way_is_open(ChannelKind::Telegram).await;
        fill_menu(&api, &words).await;
        let door = api.clone();
        runtime.fetch_files_with(
            ChannelKind::Telegram,
            Arc::new(move |handle, path| {
                let door = door.clone();
                Box::pin(async move { door.fetch(&handle, &path).await })
            }),
        );
        let progress = Progress::new(api.clone(), runtime.clone());
        let courier = Courier::new(api.clone(), progress.clone());
        let signals = runtime.signals(ChannelKind::Telegram);
        let mut poller = Poller {
            api,
            runtime: runtime.clone(),
            words,
            bot,
            told_groups: HashSet::new(),
            answering: JoinSet::new(),
        };
        tokio::join!(
            poller.run(&stop),
            outbound::run(&runtime, &courier, &stop),
            progress.follow(signals, &stop),
        );
        Ok(())
    })
}

/// Waits until Telegram tells our name; `None` when stopped before.
async fn introduce(api: &Api, stop: &CancellationToken) -> Option<String> {
    let mut backoff = Backoff::default();
    while !stop.is_cancelled() {
        let answer = tokio::select! {
            () = stop.cancelled() => break,
            answer = api.me() => answer,
        };
        match answer {
            Ok(me) => return Some(me.username().to_owned()),
            Err(failure) => backoff.wait(&Trouble::Telegram(failure), stop).await,
        }
    }
    None
}

/// Names our commands in every language; without the menu everything works the same.
async fn fill_menu(api: &Api, words: &I18n) {
    let default = std::iter::once((Lang::default(), None));
    for (lang, code) in default.chain(words.spoken().into_iter().map(|lang| (lang, Some(lang.code())))) {
        let describe = |name: &&str| {
            let description = words.say(lang, &Message::new(&format!("telegram-command-{name}")));
            BotCommand::new(*name, description)
        };
        if let Err(failure) = api.commands(MENU.iter().map(describe).collect(), code).await {
            tracing::debug!(?failure, "command menu not set");
            return;
        }
    }
}
