//! Asks Telegram for updates and hands them up, one after the other. An update is confirmed to Telegram only after
//! the runtime has made it durable; until then Telegram keeps it and gives it again.

use std::{collections::HashSet, sync::Arc, time::Duration};

use teloxide::types::Update;
use tokio::{task::JoinSet, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{
    TelegramError,
    api::{Api, Words},
    failure::ApiFailure,
    html::escape,
    inbound::{Arrival, read},
};
use crate::{
    domain::{delivery::Pressed, ids::ChannelKind, inbound::Inbound, lang::Lang, message::Message},
    i18n::I18n,
    runtime::{Runtime, SubmitError},
};

/// Shortest and longest pause after a failure.
const PAUSE_MIN: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// The same while nothing answers at all: when it does again, what waits for it goes out at once.
const PAUSE_OUTAGE_MAX: Duration = Duration::from_secs(5);
/// Longest wait for each of the last calls while stopping.
const LAST_CALLS_MAX: Duration = Duration::from_secs(3);
/// Telegram hands out at most this many updates at once, so no more than these can come twice after a crash.
const BATCH_MAX: i64 = 100;
/// After a week without updates Telegram starts counting anew anywhere; before that we ask without a number.
const QUIET_MAX: Duration = Duration::from_secs(6 * 24 * 3_600);
/// Groups we remember having told that we only talk in private.
const GROUPS_MAX: usize = 256;

/// The polling loop.
pub(super) struct Poller {
    /// Telegram.
    pub(super) api: Api,
    /// Who takes what we read.
    pub(super) runtime: Runtime,
    /// Our few own words.
    pub(super) words: Arc<I18n>,
    /// Our name, without the `@`.
    pub(super) bot: String,
    /// Groups that were told.
    pub(super) told_groups: HashSet<i64>,
    /// Answers to taps on their way.
    pub(super) answering: JoinSet<()>,
}

impl Poller {
    /// Polls until told to stop, then confirms what was made durable.
    pub(super) async fn run(&mut self, stop: &CancellationToken) {
        // The first poll names no offset: Telegram then begins with the first update it was not told to forget, and
        // the runtime knows those it has already seen. A remembered number could be above Telegram's new count.
        let remembered = self.runtime.cursor(ChannelKind::Telegram).await;
        let mut offset: Option<i64> = None;
        let mut backoff = Backoff::default();
        let mut last_update = Instant::now();
        // After trouble the first answer comes at once: it says that the way is open.
        let mut waits = true;
        while !stop.is_cancelled() {
            if last_update.elapsed() > QUIET_MAX {
                offset = None;
            }
            let polled = tokio::select! {
                () = stop.cancelled() => break,
                polled = self.api.updates(offset.and_then(as_offset), waits) => polled,
            };
            waits = polled.is_ok();
            let result = match polled {
                Ok(updates) => {
                    self.runtime.way_is_open(ChannelKind::Telegram).await;
                    if !updates.is_empty() {
                        last_update = Instant::now();
                    }
                    let seen_before = remembered.filter(|_| offset.is_none());
                    Box::pin(self.take(updates, seen_before, &mut offset)).await
                }
                Err(failure) => Err(Trouble::Telegram(failure)),
            };
            match result {
                Ok(()) => backoff.reset(),
                Err(trouble) => backoff.wait(&trouble, stop).await,
            }
        }
        self.confirm_last(offset).await;
        let answered = async { while self.answering.join_next().await.is_some() {} };
        if tokio::time::timeout(LAST_CALLS_MAX, answered).await.is_err() {
            tracing::debug!("stopped before every tap was answered");
        }
    }

    /// Hands up one batch; stops at the first update that could not be made durable.
    async fn take(&mut self, updates: Vec<Update>, seen: Option<i64>, offset: &mut Option<i64>) -> Result<(), Trouble> {
        for update in updates {
            let next = i64::from(update.id.0) + 1;
            let is_repeat = seen.is_some_and(|cursor| next <= cursor && cursor - next < BATCH_MAX);
            if !is_repeat {
                self.handle(&update).await.map_err(Trouble::NotDurable)?;
                if let Err(error) = self.runtime.set_cursor(ChannelKind::Telegram, next).await {
                    tracing::warn!(%error, "cursor not remembered; telegram may give this update once more");
                }
            }
            *offset = Some(next);
        }
        Ok(())
    }

    async fn handle(&mut self, update: &Update) -> Result<(), SubmitError> {
        match read(update, &self.bot) {
            Arrival::Said(inbound) => {
                let submitted = self.runtime.submit(inbound).await?;
                tracing::debug!(update = update.id.0, ?submitted, "message taken");
            }
            Arrival::Tapped { query, inbound } => return self.tapped(&query, inbound).await,
            Arrival::InGroup { chat, lang } => self.decline_group(chat, lang.unwrap_or_default()).await,
            Arrival::Nothing(reason) => tracing::debug!(update = update.id.0, reason, "update skipped"),
        }
        Ok(())
    }

    /// Acts on a tap and answers it in every case, since its button shows a waiting sign until then.
    async fn tapped(&mut self, query: &str, inbound: Option<Inbound>) -> Result<(), SubmitError> {
        let pressed = match inbound {
            Some(inbound) => self.runtime.press(inbound).await,
            None => Ok(Pressed::default()),
        };
        let toast = pressed.as_ref().map_or(None, |pressed| pressed.toast.clone());
        let api = self.api.clone();
        let query = query.to_owned();
        while self.answering.try_join_next().is_some() {}
        self.answering.spawn(async move {
            if let Err(failure) = api.answer(&query, toast).await {
                tracing::debug!(?failure, "tap not answered; it may be too old");
            }
        });
        pressed.map(|_pressed| ())
    }

    /// Says once in a group that we only talk in private.
    async fn decline_group(&mut self, chat: i64, lang: Lang) {
        if self.told_groups.len() >= GROUPS_MAX || !self.told_groups.insert(chat) {
            return;
        }
        let text = self.words.say(lang, &Message::new("telegram-private-only"));
        if let Err(failure) = self.api.send(chat, Words::Html(&escape(&text)), None, None).await {
            tracing::debug!(?failure, "group not told");
        }
    }

    /// Tells Telegram to forget what is durable, so that the next start is not given it again.
    async fn confirm_last(&self, offset: Option<i64>) {
        let Some(offset) = offset.and_then(as_offset) else {
            return;
        };
        match tokio::time::timeout(LAST_CALLS_MAX, self.api.confirm(offset)).await {
            Ok(Ok(())) => tracing::debug!(offset, "telegram confirmed"),
            Ok(Err(failure)) => tracing::debug!(?failure, "last updates not confirmed; telegram will give them again"),
            Err(_elapsed) => tracing::debug!("last updates not confirmed in time; telegram will give them again"),
        }
    }
}

fn as_offset(next: i64) -> Option<i32> {
    i32::try_from(next).ok()
}

/// Why polling pauses.
#[derive(Debug)]
pub(super) enum Trouble {
    /// A call failed.
    Telegram(ApiFailure),
    /// The runtime could not keep an update.
    NotDurable(SubmitError),
}

/// Pauses that grow, and one log line per kind of trouble.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
    explained: Option<std::mem::Discriminant<TelegramError>>,
}

impl Backoff {
    /// Everything works again.
    pub(super) fn reset(&mut self) {
        if self.explained.take().is_some() {
            tracing::info!("telegram answers again");
        }
        self.failures = 0;
    }

    /// Explains the trouble if it is new, and waits.
    pub(super) async fn wait(&mut self, trouble: &Trouble, stop: &CancellationToken) {
        let pause = self.pause(trouble);
        self.explain(trouble);
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }

    fn pause(&mut self, trouble: &Trouble) -> Duration {
        self.failures = self.failures.saturating_add(1);
        if let Trouble::Telegram(ApiFailure::RetryAfter(wait)) = trouble {
            return *wait;
        }
        let longest = match trouble {
            Trouble::Telegram(ApiFailure::Unreachable(_) | ApiFailure::Ambiguous(_)) => PAUSE_OUTAGE_MAX,
            Trouble::Telegram(_) | Trouble::NotDurable(_) => PAUSE_MAX,
        };
        let grown = PAUSE_MIN
            .saturating_mul(1 << self.failures.saturating_sub(1).min(5))
            .min(longest);
        // Two programs with one token must not take turns at the same beat.
        grown + grown.mul_f64(f64::from(random_byte()) / 512.0)
    }

    fn explain(&mut self, trouble: &Trouble) {
        let error = match trouble {
            Trouble::NotDurable(error) => {
                tracing::error!(%error, "telegram updates wait until they can be kept");
                return;
            }
            Trouble::Telegram(failure) => TelegramError::from(failure.clone()),
        };
        let kind = Some(std::mem::discriminant(&error));
        if self.explained != kind {
            tracing::warn!("{error}");
            self.explained = kind;
        }
    }
}

fn random_byte() -> u8 {
    let mut byte = [128];
    if let Err(error) = getrandom::fill(&mut byte) {
        tracing::debug!(%error, "no randomness for the pause");
    }
    byte[0]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Backoff, Trouble};
    use crate::channels::telegram::failure::ApiFailure;

    #[test]
    fn pauses_grow_to_a_limit_and_start_again() {
        let mut backoff = Backoff::default();
        let trouble = Trouble::Telegram(ApiFailure::OtherPoller);
        let pauses: Vec<Duration> = (0..8).map(|_| backoff.pause(&trouble)).collect();
        for (index, least) in [1, 2, 4, 8, 16, 30, 30, 30].into_iter().enumerate() {
            let least = Duration::from_secs(least);
            let pause = *pauses.get(index).unwrap();
            assert!(pause >= least && pause <= least.mul_f64(1.5), "{index}: {pause:?}");
        }
        backoff.reset();
        assert!(backoff.pause(&trouble) < Duration::from_secs(2));
        let outage = Trouble::Telegram(ApiFailure::Unreachable("no route".to_owned()));
        let longest = (0..8).map(|_| backoff.pause(&outage)).max().unwrap();
        assert!(longest <= Duration::from_secs(8), "{longest:?}");
    }

    #[test]
    fn telegram_says_how_long() {
        let wait = Duration::from_secs(77);
        assert_eq!(
            Backoff::default().pause(&Trouble::Telegram(ApiFailure::RetryAfter(wait))),
            wait
        );
    }
}
