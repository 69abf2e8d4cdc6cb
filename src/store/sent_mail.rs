//! The journal of mail that goes out: what is about to be sent is committed before a server hears of it, under our own
//! Message-ID. It is why no mail goes out twice across a crash. Written and read by `mail::outgoing` only.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError, unknown_word};
use crate::domain::ids::{ActorId, PersonAccountId, StepId, TurnId};

/// How far a mail came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailState {
    /// Noted down; no server has heard of it.
    Written,
    /// A server is being told. Whoever finds this after a crash does not know.
    Giving,
    /// A server took it over.
    Sent,
    /// It did not go out.
    Failed,
    /// It may have gone out.
    Unknown,
}

impl MailState {
    fn as_str(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Giving => "giving",
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }

    fn parse(text: &str) -> rusqlite::Result<Self> {
        [Self::Written, Self::Giving, Self::Sent, Self::Failed, Self::Unknown]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| unknown_word(text))
    }
}

/// A mail of a step.
#[derive(Clone, Debug)]
pub struct NewMail {
    /// Our own name for it.
    pub message_id: String,
    /// Whose.
    pub actor: ActorId,
    /// From which account.
    pub account: PersonAccountId,
    /// The turn.
    pub turn: TurnId,
    /// Its step.
    pub step: StepId,
    /// Which mail of the step.
    pub place: usize,
}

impl Store {
    /// Notes a mail down unless it is noted already; how far it is.
    pub async fn mail_begin(&self, mail: NewMail, now_ms: i64) -> Result<MailState, StoreError> {
        self.write("begin mail", move |tx| {
            tx.execute(
                "INSERT OR IGNORE INTO sent_mail (message_id, actor, account, turn, step, place, state, at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'written', ?7)",
                params![
                    mail.message_id,
                    mail.actor.as_str(),
                    mail.account.as_str(),
                    mail.turn.as_str(),
                    mail.step.0,
                    i64::try_from(mail.place).unwrap_or(i64::MAX),
                    now_ms
                ],
            )?;
            let state: String = tx.query_row(
                "SELECT state FROM sent_mail WHERE message_id = ?1",
                [&mail.message_id],
                |row| row.get(0),
            )?;
            MailState::parse(&state)
        })
        .await
    }

    /// Notes how far it is now.
    pub async fn mail_is(&self, message_id: &str, state: MailState, now_ms: i64) -> Result<(), StoreError> {
        let message_id = message_id.to_owned();
        self.write("mail state", move |tx| {
            tx.execute(
                "UPDATE sent_mail SET state = ?2, at = ?3 WHERE message_id = ?1",
                params![message_id, state.as_str(), now_ms],
            )
            .map(drop)
        })
        .await
    }

    /// Whether a step noted mail down and no server has heard of any of it.
    pub async fn mail_is_held(&self, turn: &TurnId, step: StepId) -> Result<bool, StoreError> {
        let turn = turn.clone();
        self.read("mail held", move |connection| {
            let (all, held): (i64, i64) = connection
                .prepare_cached(
                    "SELECT count(*), count(*) FILTER (WHERE state = 'written') FROM sent_mail WHERE turn = ?1 AND step = ?2",
                )?
                .query_row(params![turn.as_str(), step.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(all > 0 && all == held)
        })
        .await
    }

    /// How far a mail is; `None` of one that was never noted down.
    pub async fn mail_state(&self, message_id: &str) -> Result<Option<MailState>, StoreError> {
        let message_id = message_id.to_owned();
        self.read("mail state", move |connection| {
            let state: Option<String> = connection
                .prepare_cached("SELECT state FROM sent_mail WHERE message_id = ?1")?
                .query_row([message_id], |row| row.get(0))
                .optional()?;
            state.map(|state| MailState::parse(&state)).transpose()
        })
        .await
    }
}
