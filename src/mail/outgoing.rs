//! A draft on its way, once. It is noted down under a Message-ID of ours before any server hears of it; what may have
//! gone out is looked for among what was sent, and never sent again because nobody knows.

use metnos_mail::{Draft, Failure, Mark, Outcome, Role, compose, message_id, send};

use super::{Mail, explain, pool};
use crate::{
    domain::{
        account::PersonAccount,
        failure::{ErrorClass, ToolError},
        ids::{StepId, TurnId},
        message::Message,
    },
    store::sent_mail::{MailState, NewMail},
};

/// A mail to be sent, and which one it is.
#[derive(Debug)]
pub struct Order<'a> {
    /// From which account.
    pub account: &'a PersonAccount,
    /// What.
    pub draft: &'a Draft,
    /// The turn that sends it.
    pub turn: &'a TurnId,
    /// Its step.
    pub step: StepId,
    /// Which mail of the step.
    pub place: usize,
}

/// What came of it.
#[derive(Debug)]
pub enum Went {
    /// It is out.
    Sent {
        /// Its Message-ID.
        message_id: String,
        /// A copy lies with what was sent.
        is_filed: bool,
    },
    /// It was out already.
    Before {
        /// Its Message-ID.
        message_id: String,
    },
    /// It is not out; where the draft is now.
    NotSent {
        /// Why not.
        error: ToolError,
        /// It lies among the drafts.
        is_kept: bool,
    },
    /// Nobody knows.
    Unknown(ToolError),
}

impl Order<'_> {
    /// The Message-ID this mail has, whenever it is sent.
    pub fn message_id(&self) -> String {
        let key = format!("{}x{}x{}", self.turn, self.step.0, self.place);
        message_id(&key, &self.draft.from.address)
    }
}

impl Mail {
    /// Notes a mail down, before it is known whether it will be sent.
    pub async fn announce(&self, order: &Order<'_>) -> Result<MailState, ToolError> {
        let mail = NewMail {
            message_id: order.message_id(),
            actor: order.account.actor.clone(),
            account: order.account.id.clone(),
            turn: order.turn.clone(),
            step: order.step,
            place: order.place,
        };
        self.store
            .mail_begin(mail, self.clock.now_ms())
            .await
            .map_err(ToolError::from)
    }

    /// Sends a mail that was announced, unless it is out already or may be.
    pub async fn deliver(&self, order: &Order<'_>) -> Result<Went, ToolError> {
        let id = order.message_id();
        match self.announce(order).await? {
            MailState::Sent => return Ok(Went::Before { message_id: id }),
            MailState::Giving | MailState::Unknown => {
                return Ok(if self.is_among_sent(order.account, &id).await {
                    self.note(&id, MailState::Sent).await?;
                    Went::Before { message_id: id }
                } else {
                    self.note(&id, MailState::Unknown).await?;
                    Went::Unknown(unknown())
                });
            }
            MailState::Written | MailState::Failed => {}
        }
        let settings = pool::settings(order.account)?;
        let name = order.account.name.as_str();
        let bytes = match compose(order.draft, &id, self.clock.now()) {
            Ok(bytes) => bytes,
            Err(failure) => return Err(explain(&failure, name)),
        };
        let login = self.login(order.account, &settings.servers.smtp_user).await?;
        let trust = self.trust()?;
        let everybody = order.draft.to.iter().chain(&order.draft.cc);
        let recipients: Vec<String> = everybody.map(|person| person.address.clone()).collect();
        // From here on a crash leaves it open whether it went out.
        self.note(&id, MailState::Giving).await?;
        let (server, sender) = (&settings.servers.smtp, &settings.address);
        match send(server, &login, trust, sender, &recipients, &bytes).await {
            Outcome::Sent => {
                self.note(&id, MailState::Sent).await?;
                let is_filed = self.file(order.account, Role::Sent, &id, &bytes).await;
                Ok(Went::Sent {
                    message_id: id,
                    is_filed,
                })
            }
            Outcome::NotSent(failure) => self.not_sent(order, &id, &bytes, explain(&failure, name)).await,
            Outcome::Recipient {
                address,
                said,
                is_for_now,
            } => {
                let (key, class) = if is_for_now {
                    ("mail-recipient-later", ErrorClass::RateLimited)
                } else {
                    ("mail-recipient-refused", ErrorClass::InvalidArgs)
                };
                let message = Message::new(key).with("address", address).with("said", said);
                self.not_sent(order, &id, &bytes, ToolError::new(class, message)).await
            }
            Outcome::Unknown(failure) => {
                if self.is_among_sent(order.account, &id).await {
                    self.note(&id, MailState::Sent).await?;
                    return Ok(Went::Sent {
                        message_id: id,
                        is_filed: true,
                    });
                }
                self.note(&id, MailState::Unknown).await?;
                Ok(Went::Unknown(unknown().with_detail(failure.to_string())))
            }
        }
    }

    async fn not_sent(&self, order: &Order<'_>, id: &str, bytes: &[u8], error: ToolError) -> Result<Went, ToolError> {
        self.note(id, MailState::Failed).await?;
        let is_kept = self.file(order.account, Role::Drafts, id, bytes).await;
        Ok(Went::NotSent { error, is_kept })
    }

    async fn note(&self, id: &str, state: MailState) -> Result<(), ToolError> {
        self.store
            .mail_is(id, state, self.clock.now_ms())
            .await
            .map_err(ToolError::from)
    }

    /// Whether a mail lies among what was sent. Not being able to look is no.
    async fn is_among_sent(&self, account: &PersonAccount, id: &str) -> bool {
        let looked = async {
            let mut session = self.session(account).await?;
            let folders = self.folders(&mut session).await?;
            let Some(sent) = folders.of_role(Role::Sent) else {
                return Ok(false);
            };
            let result = session.mailbox()?.with_id(&sent.raw, id).await;
            let (_, found) = session.told(result)?;
            Ok::<_, ToolError>(!found.is_empty())
        };
        looked.await.unwrap_or_else(|error| {
            tracing::warn!(?error, "cannot look for a mail among what was sent");
            false
        })
    }

    /// Puts a copy into a folder, unless the server did so itself; whether one is there.
    async fn file(&self, account: &PersonAccount, role: Role, id: &str, bytes: &[u8]) -> bool {
        let filed = async {
            let mut session = self.session(account).await?;
            let folders = self.folders(&mut session).await?;
            let Some(folder) = folders.of_role(role) else {
                return Ok(false);
            };
            let result = session
                .mailbox()?
                .file_once(&folder.raw, id, &[Mark::Seen], bytes)
                .await;
            session.told(result)?;
            Ok::<_, ToolError>(true)
        };
        filed.await.unwrap_or_else(|error| {
            tracing::warn!(?error, "no copy of a mail could be filed");
            false
        })
    }
}

fn unknown() -> ToolError {
    ToolError::new(ErrorClass::UnknownOutcome, Message::new("mail-send-unknown"))
}

/// What a mail would fail of, known before it is shown to anybody.
pub fn foresee(draft: &Draft) -> Result<(), ToolError> {
    if draft.to.is_empty() && draft.cc.is_empty() {
        return Err(ToolError::new(
            ErrorClass::NeedsActionTarget,
            Message::new("mail-no-recipient"),
        ));
    }
    let wrong = draft
        .to
        .iter()
        .chain(&draft.cc)
        .find(|person| !metnos_mail::is_address(&person.address));
    match wrong {
        Some(person) => Err(explain(&Failure::Invalid(person.address.clone()), "")),
        None => Ok(()),
    }
}
