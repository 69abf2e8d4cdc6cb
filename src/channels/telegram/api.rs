//! The calls we make to the Bot API, with our time limits, our errors and nothing of the token in either. Everything
//! else in this folder calls Telegram through here.

use std::{fmt, time::Duration};

use teloxide::{
    Bot, RequestError,
    payloads::{
        AnswerCallbackQuerySetters, EditMessageReplyMarkupSetters, EditMessageTextSetters, GetUpdatesSetters,
        SendMessageSetters, SetMyCommandsSetters,
    },
    requests::Requester,
    types::{
        AllowedUpdate, BotCommand, CallbackQueryId, ChatAction, ChatId, InlineKeyboardMarkup, LinkPreviewOptions, Me,
        MessageId, ParseMode, ReplyMarkup, ReplyParameters, Update,
    },
};

use super::{TelegramError, failure::ApiFailure};
use crate::config::{Secret, TelegramConfig};

/// Longest ordinary call.
const CALL_TIMEOUT: Duration = Duration::from_secs(15);
/// Longest call that carries files either way.
const TRANSFER_TIMEOUT: Duration = Duration::from_secs(300);
/// How much longer than the server's own limit a long poll may take.
const POLL_MARGIN: Duration = Duration::from_secs(10);
/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The kinds of updates we want. Of edits only those of a live location mean something: a request is read once, and
/// editing it repeats nothing.
const ALLOWED: [AllowedUpdate; 3] = [
    AllowedUpdate::Message,
    AllowedUpdate::EditedMessage,
    AllowedUpdate::CallbackQuery,
];

/// The Bot API of one bot. Cheap to clone.
#[derive(Clone)]
pub(super) struct Api {
    calls: Bot,
    polls: Bot,
    transfers: Bot,
    token: Secret,
    poll_s: u32,
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api")
            .field("url", &self.calls.api_url().host_str())
            .finish_non_exhaustive()
    }
}

/// A message's text as we send it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Words<'a> {
    /// HTML made by us.
    Html(&'a str),
    /// Plain characters.
    Plain(&'a str),
}

impl Words<'_> {
    fn text(self) -> String {
        match self {
            Self::Html(text) | Self::Plain(text) => text.to_owned(),
        }
    }
}

impl Api {
    /// Prepares the clients; no call is made.
    pub(super) fn new(config: &TelegramConfig) -> Result<Self, TelegramError> {
        let token = config.token.clone().ok_or(TelegramError::NoToken)?;
        let bad_url = || TelegramError::BadApiUrl {
            url: config.api_url.clone(),
        };
        let url = config
            .api_url
            .trim_end_matches('/')
            .parse::<url::Url>()
            .map_err(|error| {
                tracing::warn!(%error, "telegram.api_url is not an address");
                bad_url()
            })?;
        if url.cannot_be_a_base() || !["http", "https"].contains(&url.scheme()) {
            return Err(bad_url());
        }
        choose_tls();
        let poll_limit = Duration::from_secs(u64::from(config.poll_s)) + POLL_MARGIN;
        Ok(Self {
            calls: bot(&token, &url, CALL_TIMEOUT)?,
            polls: bot(&token, &url, poll_limit)?,
            transfers: bot(&token, &url, TRANSFER_TIMEOUT)?,
            token,
            poll_s: config.poll_s,
        })
    }

    /// The client for ordinary calls.
    pub(super) fn calls(&self) -> &Bot {
        &self.calls
    }

    /// The client for calls that carry files.
    pub(super) fn uploads(&self) -> &Bot {
        &self.transfers
    }

    /// Who we are.
    pub(super) async fn me(&self) -> Result<Me, ApiFailure> {
        self.sorted(self.calls.get_me().await)
    }

    /// Whether a webhook takes our updates.
    pub(super) async fn has_webhook(&self) -> Result<bool, ApiFailure> {
        let info = self.sorted(self.calls.get_webhook_info().await)?;
        Ok(info.url.is_some())
    }

    /// The next updates, from `offset` on; everything before it is confirmed. Waits as long as the config says, if it
    /// waits.
    pub(super) async fn updates(&self, offset: Option<i32>, waits: bool) -> Result<Vec<Update>, ApiFailure> {
        let seconds = if waits { self.poll_s } else { 0 };
        let mut call = self.polls.get_updates().timeout(seconds).allowed_updates(ALLOWED);
        if let Some(offset) = offset {
            call = call.offset(offset);
        }
        self.sorted(call.await)
    }

    /// Confirms everything before `offset` without waiting for more.
    pub(super) async fn confirm(&self, offset: i32) -> Result<(), ApiFailure> {
        let call = self
            .calls
            .get_updates()
            .timeout(0)
            .limit(1)
            .offset(offset)
            .allowed_updates(ALLOWED);
        self.sorted(call.await).map(|_unread| ())
    }

    /// Sends a new message.
    pub(super) async fn send(
        &self,
        chat: i64,
        words: Words<'_>,
        reply_to: Option<i32>,
        keyboard: Option<ReplyMarkup>,
    ) -> Result<i32, ApiFailure> {
        let mut call = self
            .calls
            .send_message(ChatId(chat), words.text())
            .link_preview_options(no_preview());
        if let Words::Html(_) = words {
            call = call.parse_mode(ParseMode::Html);
        }
        if let Some(message) = reply_to {
            let parameters = ReplyParameters::new(MessageId(message)).allow_sending_without_reply();
            call = call.reply_parameters(parameters);
        }
        if let Some(markup) = keyboard {
            call = call.reply_markup(markup);
        }
        self.sorted(call.await).map(|message| message.id.0)
    }

    /// Replaces a message's text and buttons.
    pub(super) async fn edit(
        &self,
        chat: i64,
        message: i32,
        words: Words<'_>,
        keyboard: Option<InlineKeyboardMarkup>,
    ) -> Result<(), ApiFailure> {
        let mut call = self
            .calls
            .edit_message_text(ChatId(chat), MessageId(message), words.text());
        call = call.link_preview_options(no_preview());
        if let Words::Html(_) = words {
            call = call.parse_mode(ParseMode::Html);
        }
        if let Some(markup) = keyboard {
            call = call.reply_markup(markup);
        }
        self.sorted(call.await).map(|_message| ())
    }

    /// Replaces a message's buttons.
    pub(super) async fn edit_keyboard(
        &self,
        chat: i64,
        message: i32,
        keyboard: InlineKeyboardMarkup,
    ) -> Result<(), ApiFailure> {
        let call = self
            .calls
            .edit_message_reply_markup(ChatId(chat), MessageId(message))
            .reply_markup(keyboard);
        self.sorted(call.await).map(|_message| ())
    }

    /// Takes a message away, ours or the person's.
    pub(super) async fn delete(&self, chat: i64, message: i32) -> Result<(), ApiFailure> {
        self.sorted(self.calls.delete_message(ChatId(chat), MessageId(message)).await)
            .map(|_true| ())
    }

    /// Stops the waiting sign on a tapped button, with a few words or without.
    pub(super) async fn answer(&self, query: &str, toast: Option<String>) -> Result<(), ApiFailure> {
        let mut call = self.calls.answer_callback_query(CallbackQueryId(query.to_owned()));
        if let Some(text) = toast {
            call = call.text(text);
        }
        self.sorted(call.await).map(|_true| ())
    }

    /// Shows that we are at it; Telegram shows it for five seconds.
    pub(super) async fn typing(&self, chat: i64) -> Result<(), ApiFailure> {
        self.sorted(self.calls.send_chat_action(ChatId(chat), ChatAction::Typing).await)
            .map(|_true| ())
    }

    /// Fills the menu of commands, for one language or for all others.
    pub(super) async fn commands(&self, commands: Vec<BotCommand>, lang: Option<&str>) -> Result<(), ApiFailure> {
        let mut call = self.calls.set_my_commands(commands);
        if let Some(code) = lang {
            call = call.language_code(code);
        }
        self.sorted(call.await).map(|_true| ())
    }

    pub(super) fn sorted<T>(&self, result: Result<T, RequestError>) -> Result<T, ApiFailure> {
        result.map_err(|error| ApiFailure::from_error(&error, &self.token))
    }
}

fn bot(token: &Secret, url: &url::Url, limit: Duration) -> Result<Bot, TelegramError> {
    let client = teloxide::net::default_reqwest_settings()
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(limit)
        .build()
        .map_err(|error| TelegramError::Unexpected {
            reason: error.without_url().to_string(),
        })?;
    Ok(Bot::with_client(token.expose(), client).set_api_url(url.clone()))
}

/// The HTTP client of teloxide panics where nobody chose the TLS code; `main` has, a test may not.
fn choose_tls() {
    if rustls::crypto::CryptoProvider::get_default().is_none()
        && rustls::crypto::aws_lc_rs::default_provider().install_default().is_err()
    {
        tracing::debug!("somebody else chose the TLS code in the meantime");
    }
}

fn no_preview() -> LinkPreviewOptions {
    LinkPreviewOptions {
        is_disabled: true,
        url: None,
        prefer_small_media: false,
        prefer_large_media: false,
        show_above_text: false,
    }
}

#[cfg(test)]
mod tests {
    use super::Api;
    use crate::{
        channels::telegram::{TelegramError, failure::ApiFailure},
        config::{Secret, TelegramConfig},
    };

    fn config(url: &str) -> TelegramConfig {
        TelegramConfig {
            token: Some(Secret::new("123456:AAsecret".into())),
            token_file: None,
            api_url: url.into(),
            poll_s: 1,
        }
    }

    #[test]
    fn an_unusable_config_is_told_before_any_call() {
        for url in ["", "api.telegram.org", "mailto:a@b.c", "ftp://x.y"] {
            assert!(
                matches!(Api::new(&config(url)), Err(TelegramError::BadApiUrl { .. })),
                "{url}"
            );
        }
        let no_token = TelegramConfig {
            token: None,
            ..config("http://x.y")
        };
        assert!(matches!(Api::new(&no_token), Err(TelegramError::NoToken)));
    }

    #[test]
    fn debug_does_not_show_the_token() {
        let api = Api::new(&config("http://127.0.0.1:1")).unwrap();
        assert!(!format!("{api:?}").contains("AAsecret"));
    }

    #[tokio::test]
    async fn nobody_there_is_unreachable_and_the_error_has_no_token() {
        let api = Api::new(&config("http://127.0.0.1:1")).unwrap();
        let failure = api.me().await.unwrap_err();
        let ApiFailure::Unreachable(text) = failure else {
            panic!("{failure:?}")
        };
        assert!(
            !text.is_empty() && !text.contains("AAsecret") && !text.contains("123456"),
            "{text}"
        );
    }
}
