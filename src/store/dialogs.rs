//! Turns that wait for a person. Each is answered at most once, and survives a restart.

use rusqlite::{OptionalExtension, Transaction, params};

mod payload;

use payload::Kept;
pub(super) use payload::NOTHING_LEFT;
pub use payload::Paused;

use super::{
    Store, StoreError,
    accounts::{self, GivenAccount},
    from_json,
    inbox::{self, Waiting},
    locations,
    outbox::{self, Callback, NewParcel},
    person_accounts::{self, NewPersonAccount},
    tasks, to_json, unknown_word, unreadable,
};
use crate::{
    config::Secret,
    domain::{
        ids::{ActorId, ChannelKind, ConversationId, DialogId, InboxId, OperationHash, TurnId},
        inbound::Inbound,
        location::SharedLocation,
        question::{Form, Question},
        task::{QUESTIONS_JOB, job_id},
    },
};

/// A turn that waits.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialog {
    /// Its id.
    pub id: DialogId,
    /// Whose turn waits; who may answer, unless somebody else decides.
    pub actor: ActorId,
    /// Who decides for them: the host, for a guest.
    pub decider: Option<ActorId>,
    /// Where it was asked.
    pub channel: ChannelKind,
    /// In which conversation.
    pub conversation: ConversationId,
    /// The turn that asked.
    pub turn: TurnId,
    /// For what.
    pub question: Question,
    /// The request of that turn.
    pub request: String,
    /// The plan and what is already done.
    pub payload: Paused,
    /// Milliseconds since 1970.
    pub expires_ms: i64,
    /// How it stands.
    pub state: DialogState,
    /// Grows with every step: an answer to an older one comes too late.
    pub revision: i64,
}

/// The columns `read_dialog` takes.
const SELECT: &str = "SELECT id, actor, channel, conversation, turn, operation, unsealed(request), unsealed(payload),
                             expires_at, state, kind, revision, decider FROM dialogs WHERE";
/// How a dialog stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogState {
    /// Not answered.
    Waiting,
    /// Approved or answered; its turn is queued or running.
    Answered,
    /// Refused, given up, or set aside for another request.
    Refused,
    /// Nobody answered in time.
    Expired,
    /// Carried out.
    Done,
}

/// A step of a dialog, with everything that follows from it: all of it is kept, or nothing.
#[derive(Clone, Debug)]
pub struct DialogStep {
    /// How the dialog stands from now on; `Waiting` when the next question follows.
    pub state: DialogState,
    /// The revision that was answered.
    pub revision: i64,
    /// What is known by now, if that changed.
    pub form: Option<Form>,
    /// What goes on, if that is another plan now.
    pub payload: Option<Paused>,
    /// Open until then from now on, if that changed.
    pub expires_ms: Option<i64>,
    /// Where the person turned out to be.
    pub location: Option<SharedLocation>,
    /// A secret the person gave.
    pub secret: Option<NewSecret>,
    /// The key of an account, or the word that there is none.
    pub account: Option<GivenAccount>,
    /// An account of the person's own that works.
    pub login: Option<NewPersonAccount>,
    /// The password of a locked file, for the turn that goes on. It is written nowhere.
    pub password: Option<Secret>,
    /// The message that carries it out.
    pub errand: Option<Inbound>,
    /// The message the answer came in; `None` for a button.
    pub said_in: Option<InboxId>,
    /// What the person sees of it.
    pub parcels: Vec<NewParcel>,
    /// Buttons of the next question.
    pub callbacks: Vec<Callback>,
}

/// A secret to be sealed.
#[derive(Clone)]
pub struct NewSecret {
    /// What plans and results carry.
    pub id: String,
    /// What it was asked for as.
    pub name: String,
    /// The secret.
    pub value: String,
}

impl std::fmt::Debug for NewSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSecret")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl DialogStep {
    /// The dialog goes to this state, and nothing else follows yet.
    pub fn to(state: DialogState, dialog: &Dialog) -> Self {
        Self {
            state,
            revision: dialog.revision,
            form: None,
            payload: None,
            expires_ms: None,
            location: None,
            secret: None,
            account: None,
            login: None,
            password: None,
            errand: None,
            said_in: None,
            parcels: Vec::new(),
            callbacks: Vec::new(),
        }
    }
}

/// What came of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered {
    /// This call answered it; the message to queue, if there is one.
    Now(Option<Box<Waiting>>),
    /// It was answered before, or its time is over.
    Late,
}

impl DialogState {
    fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            // The word of a time when nothing but approvals waited.
            Self::Answered => "approved",
            Self::Refused => "refused",
            Self::Expired => "expired",
            Self::Done => "done",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Waiting, Self::Answered, Self::Refused, Self::Expired, Self::Done]
            .into_iter()
            .find(|state| state.as_str() == word)
    }
}

impl Store {
    /// A dialog by id.
    pub async fn dialog(&self, id: &DialogId) -> Result<Option<Dialog>, StoreError> {
        let id = id.clone();
        self.read("dialog", move |connection| {
            connection
                .query_row(&format!("{SELECT} id = ?1"), [id.as_str()], read_dialog)
                .optional()
        })
        .await
    }

    /// The dialog that a person's last turn in a conversation asked, if it still waits: a bare word answers nothing
    /// older, and approves nothing after a file was sent.
    pub async fn waiting_dialog(
        &self,
        actor: &ActorId,
        channel: ChannelKind,
        conversation: &ConversationId,
        now_ms: i64,
    ) -> Result<Option<Dialog>, StoreError> {
        let (actor, conversation) = (actor.clone(), conversation.clone());
        self.read("waiting dialog", move |connection| {
            connection
                .query_row(
                    &format!(
                        "{SELECT} actor = ?1 AND channel = ?2 AND conversation = ?3 AND state = 'waiting'
                         AND expires_at > ?4
                         AND turn = (SELECT id FROM turns WHERE actor = ?1 AND channel = ?2 AND conversation = ?3
                                     ORDER BY rowid DESC LIMIT 1)
                         AND (kind <> 'approval' OR NOT EXISTS
                              (SELECT 1 FROM received_files f JOIN inbox i ON i.turn = dialogs.turn
                               WHERE f.actor = ?1 AND f.channel = ?2 AND f.conversation = ?3 AND f.inbox > i.id))"
                    ),
                    params![actor.as_str(), channel.as_str(), conversation.as_str(), now_ms],
                    read_dialog,
                )
                .optional()
        })
        .await
    }

    /// Whether this conversation's last question still waits for this person: a word after it answers none before.
    pub async fn is_question_open(
        &self,
        actor: &ActorId,
        channel: ChannelKind,
        conversation: &ConversationId,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let (actor, conversation) = (actor.clone(), conversation.clone());
        self.read("open question", move |connection| {
            connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM dialogs WHERE actor = ?1 AND channel = ?2 AND conversation = ?3
                                AND state = 'waiting' AND expires_at > ?4
                                AND rowid = (SELECT max(rowid) FROM dialogs
                                             WHERE actor = ?1 AND channel = ?2 AND conversation = ?3))",
                params![actor.as_str(), channel.as_str(), conversation.as_str(), now_ms],
                |row| row.get(0),
            )
        })
        .await
    }

    /// The last question of a conversation that a location answers, if there is one.
    pub async fn waiting_for_location(
        &self,
        actor: &ActorId,
        channel: ChannelKind,
        conversation: &ConversationId,
        now_ms: i64,
    ) -> Result<Option<Dialog>, StoreError> {
        let (actor, conversation) = (actor.clone(), conversation.clone());
        let waiting = self
            .read("waiting for location", move |connection| {
                let mut statement = connection.prepare_cached(&format!(
                    "{SELECT} actor = ?1 AND channel = ?2 AND conversation = ?3 AND state = 'waiting'
                     AND expires_at > ?4 AND kind <> 'approval' ORDER BY rowid DESC"
                ))?;
                let rows = statement.query_map(
                    params![actor.as_str(), channel.as_str(), conversation.as_str(), now_ms],
                    read_dialog,
                )?;
                rows.collect::<rusqlite::Result<Vec<_>>>()
            })
            .await?;
        Ok(waiting.into_iter().find(|dialog| dialog.question.wants_location()))
    }

    /// Takes a dialog one step on, once and in time; what follows from it is in the same transaction.
    pub async fn step_dialog(&self, dialog: &Dialog, step: DialogStep, now_ms: i64) -> Result<Answered, StoreError> {
        let dialog = dialog.clone();
        self.write("answer dialog", move |tx| {
            let changed = tx.execute(
                "UPDATE dialogs SET state = ?2, revision = revision + 1, expires_at = coalesce(?5, expires_at)
                 WHERE id = ?1 AND state = 'waiting' AND revision = ?3 AND expires_at > ?4",
                params![
                    dialog.id.as_str(),
                    step.state.as_str(),
                    step.revision,
                    now_ms,
                    step.expires_ms
                ],
            )?;
            if changed == 0 {
                return Ok(Answered::Late);
            }
            if step.state == DialogState::Refused {
                forget(tx, &dialog.id)?;
            } else if let Some(form) = step.form {
                keep_form(tx, &dialog, form)?;
            } else if let Some(paused) = step.payload {
                keep(tx, &dialog.id, &Kept { paused, form: None })?;
            }
            if let Some(shared) = &step.location {
                locations::put(tx, &dialog.actor, dialog.channel, shared)?;
            }
            if let Some(secret) = &step.secret {
                add_secret(tx, &dialog.actor, secret, now_ms)?;
            }
            if let Some(given) = &step.account {
                accounts::put(tx, &dialog.actor, given, now_ms)?;
            }
            if let Some(account) = &step.login {
                person_accounts::put(tx, &dialog.actor, account, now_ms)?;
            }
            if let Some(said_in) = step.said_in {
                inbox::finish(tx, said_in)?;
            }
            for parcel in &step.parcels {
                outbox::add(tx, parcel, Some(&dialog.actor), now_ms)?;
            }
            for callback in &step.callbacks {
                outbox::add_callback(tx, callback, now_ms)?;
            }
            let Some(errand) = step.errand else {
                return Ok(Answered::Now(None));
            };
            let added = inbox::insert(tx, &errand, now_ms)?;
            Ok(Answered::Now(added.map(|id| {
                Box::new(Waiting {
                    id,
                    inbound: errand,
                    cut_off: None,
                    attempts: 0,
                    stopped: false,
                    password: step.password,
                })
            })))
        })
        .await
    }

    /// The dialogs that wait although their time is over. One that can no longer be read expires here, without a word.
    pub async fn overdue_dialogs(&self, now_ms: i64) -> Result<Vec<Dialog>, StoreError> {
        let reading = self.read("overdue dialogs", move |connection| {
            let which = "SELECT id FROM dialogs WHERE state = 'waiting' AND expires_at <= ?1";
            unreadable::read_each(connection, (which, [now_ms]), &format!("{SELECT} id = ?1"), read_dialog)
        });
        let (overdue, unreadable): (_, Vec<String>) = reading.await?;
        let end =
            format!("UPDATE dialogs SET state = 'expired', request = '', payload = '{NOTHING_LEFT}' WHERE id = ?1");
        self.end_unreadable("dialogs", end, unreadable).await?;
        Ok(overdue)
    }

    /// When the next question is over, in milliseconds since 1970.
    pub async fn next_expiry(&self) -> Result<Option<i64>, StoreError> {
        self.read("next expiry", |connection| {
            let sql = "SELECT min(expires_at) FROM dialogs WHERE state = 'waiting'";
            connection.query_row(sql, [], |row| row.get(0))
        })
        .await
    }

    /// Closes a dialog whose time is over, unless it was answered, together with what the person is told of it.
    pub async fn expire_dialog(&self, id: &DialogId, parcels: Vec<NewParcel>, now_ms: i64) -> Result<bool, StoreError> {
        let id = id.clone();
        self.write("expire dialog", move |tx| {
            let changed = tx.execute(
                "UPDATE dialogs SET state = 'expired' WHERE id = ?1 AND state = 'waiting' AND expires_at <= ?2",
                params![id.as_str(), now_ms],
            )?;
            if changed == 0 {
                return Ok(false);
            }
            let owner = owner(tx, &id)?;
            forget(tx, &id)?;
            for parcel in &parcels {
                outbox::add(tx, parcel, Some(&owner), now_ms)?;
            }
            Ok(true)
        })
        .await
    }
}

/// Closes the question of a turn whose message was replaced before anybody saw it.
pub(super) fn close_unseen(tx: &Transaction<'_>, turn: &TurnId) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "UPDATE dialogs SET state = 'expired', request = '', payload = ?2 WHERE turn = ?1 AND state = 'waiting'",
    )?
    .execute(params![turn.as_str(), NOTHING_LEFT])
    .map(drop)
}

/// Keeps a question, and says when somebody must look whether it was answered.
pub(super) fn add(tx: &Transaction<'_>, dialog: &Dialog) -> rusqlite::Result<()> {
    tasks::due_by(tx, &job_id(QUESTIONS_JOB), dialog.expires_ms)?;
    let (kind, operation, form) = match &dialog.question {
        Question::Approval { operation } => ("approval", operation.as_str(), None),
        Question::Location => ("location", "", None),
        Question::Form(form) => ("form", "", Some(form.as_ref().clone())),
    };
    let kept = Kept {
        paused: dialog.payload.clone(),
        form,
    };
    tx.execute(
        "INSERT INTO dialogs (id, actor, channel, conversation, turn, operation, request, payload, expires_at, state,
                              kind, revision, decider)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, seal(?7), seal(?8), ?9, ?10, ?11, ?12, ?13)",
        params![
            dialog.id.as_str(),
            dialog.actor.as_str(),
            dialog.channel.as_str(),
            dialog.conversation.as_str(),
            dialog.turn.as_str(),
            operation,
            dialog.request,
            to_json(&kept)?,
            dialog.expires_ms,
            dialog.state.as_str(),
            kind,
            dialog.revision,
            dialog.decider.as_ref().map(ActorId::as_str)
        ],
    )
    .map(drop)
}

/// Who may answer it, and so whom the words about it are for.
fn owner(tx: &Transaction<'_>, id: &DialogId) -> rusqlite::Result<ActorId> {
    tx.query_row("SELECT actor FROM dialogs WHERE id = ?1", [id.as_str()], |row| {
        row.get::<_, String>(0)
    })
    .map(ActorId::from)
}

fn keep_form(tx: &Transaction<'_>, dialog: &Dialog, form: Form) -> rusqlite::Result<()> {
    let kept = Kept {
        paused: dialog.payload.clone(),
        form: Some(form),
    };
    keep(tx, &dialog.id, &kept)
}

fn keep(tx: &Transaction<'_>, id: &DialogId, kept: &Kept) -> rusqlite::Result<()> {
    tx.execute(
        "UPDATE dialogs SET payload = seal(?2) WHERE id = ?1",
        params![id.as_str(), to_json(kept)?],
    )
    .map(drop)
}

fn add_secret(tx: &Transaction<'_>, actor: &ActorId, secret: &NewSecret, now_ms: i64) -> rusqlite::Result<()> {
    tx.execute(
        "INSERT INTO secrets (id, actor, name, sealed, created_at) VALUES (?1, ?2, ?3, seal(?4), ?5)",
        params![secret.id, actor.as_str(), secret.name, secret.value, now_ms],
    )
    .map(drop)
}

pub(super) fn finish(tx: &Transaction<'_>, id: &DialogId) -> rusqlite::Result<()> {
    tx.execute("UPDATE dialogs SET state = 'done' WHERE id = ?1", [id.as_str()])?;
    forget(tx, id)
}

/// What a dialog was about is needed no more, and may hold what nobody else should read.
fn forget(tx: &Transaction<'_>, id: &DialogId) -> rusqlite::Result<()> {
    tx.execute(
        "UPDATE dialogs SET request = '', payload = ?2 WHERE id = ?1",
        params![id.as_str(), NOTHING_LEFT],
    )
    .map(drop)
}

fn read_dialog(row: &rusqlite::Row<'_>) -> rusqlite::Result<Dialog> {
    let channel: String = row.get(2)?;
    let payload: String = row.get(7)?;
    let state: String = row.get(9)?;
    let kind: String = row.get(10)?;
    let kept: Kept = from_json(&payload)?;
    let question = match kind.as_str() {
        "approval" => Question::Approval {
            operation: OperationHash::from(row.get::<_, String>(5)?),
        },
        "location" => Question::Location,
        "form" => Question::Form(Box::new(kept.form.unwrap_or_default())),
        other => return Err(unknown_word(other)),
    };
    Ok(Dialog {
        id: DialogId::from(row.get::<_, String>(0)?),
        actor: ActorId::from(row.get::<_, String>(1)?),
        decider: row.get::<_, Option<String>>(12)?.map(ActorId::from),
        channel: ChannelKind::parse(&channel).ok_or_else(|| unknown_word(&channel))?,
        conversation: ConversationId::from(row.get::<_, String>(3)?),
        turn: TurnId::from(row.get::<_, String>(4)?),
        question,
        request: row.get(6)?,
        payload: kept.paused,
        expires_ms: row.get(8)?,
        state: DialogState::parse(&state).ok_or_else(|| unknown_word(&state))?,
        revision: row.get(11)?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::{
        actor::{Actor, Autonomy, Role},
        delivery::Parcel,
        ids::{ExecutorName, StepId},
        inbound::InboundBody,
        lang::Lang,
        outcome::AnsweredBy,
        reply::Reply,
        verdict::Risk,
    };

    fn said(message: &str) -> Inbound {
        Inbound {
            channel: ChannelKind::Telegram,
            conversation: "7".into(),
            sender: "7".into(),
            sender_name: None,
            lang_hint: None,
            message: message.into(),
            body: InboundBody::Text("no".to_owned()),
        }
    }

    fn question() -> Dialog {
        Dialog {
            id: DialogId::from("d1"),
            actor: ActorId::from("host"),
            decider: None,
            channel: ChannelKind::Telegram,
            conversation: "7".into(),
            turn: TurnId::from("t1"),
            question: Question::Approval {
                operation: OperationHash::from("o1"),
            },
            request: "delete it".to_owned(),
            payload: Paused {
                plan: json!({"steps": []}),
                done: Vec::new(),
                step: StepId(1),
                tool: ExecutorName::from("delete_files"),
                answered_by: AnsweredBy::Simple,
                risk_min: Risk::Low,
                is_typed: true,
                of_the_moment: false,
                begun_in: None,
                is_offered: false,
                offer: None,
            },
            expires_ms: 1_000,
            state: DialogState::Waiting,
            revision: 0,
        }
    }

    fn refusal(said_in: InboxId) -> DialogStep {
        DialogStep {
            said_in: Some(said_in),
            parcels: vec![NewParcel::new(
                ChannelKind::Telegram,
                "7".into(),
                Parcel::Reply(Reply::text("nothing was done")),
            )],
            ..DialogStep::to(DialogState::Refused, &question())
        }
    }

    /// A store with one question that waits.
    async fn asked(folder: &tempfile::TempDir) -> Store {
        let store = Store::open(&folder.path().join("db")).unwrap();
        let host = Actor {
            id: ActorId::from("host"),
            role: Role::Host,
            name: "Ada".to_owned(),
            lang: Lang::EN,
            timezone: "UTC".to_owned(),
            autonomy: Autonomy::default(),
        };
        store.add_actor(&host, 0).await.unwrap();
        store.write("test", |tx| add(tx, &question())).await.unwrap();
        store
    }

    #[tokio::test]
    async fn a_question_is_answered_or_expires_and_never_both() {
        let folder = tempfile::tempdir().unwrap();
        let store = asked(&folder).await;
        let (id, parcels) = (question().id, refusal(InboxId(1)).parcels);
        let said = store.inbox_add(&said("1"), 1).await.unwrap().unwrap();
        assert_eq!(store.overdue_dialogs(999).await.unwrap(), []);
        assert!(!store.expire_dialog(&id, parcels.clone(), 999).await.unwrap());
        assert_eq!(store.overdue_dialogs(1_000).await.unwrap(), [question()]);
        let answered = store.step_dialog(&question(), refusal(said), 999).await.unwrap();
        assert_eq!(answered, Answered::Now(None));
        assert!(
            !store.expire_dialog(&id, parcels.clone(), 1_000).await.unwrap(),
            "an answer was quicker"
        );

        let folder = tempfile::tempdir().unwrap();
        let store = asked(&folder).await;
        assert!(store.expire_dialog(&id, parcels, 1_000).await.unwrap());
        let late = store.step_dialog(&question(), refusal(said), 999).await.unwrap();
        assert_eq!(late, Answered::Late);
        let due = store.outbox_due(ChannelKind::Telegram, 1_000).await.unwrap();
        assert_eq!(due.len(), 1, "said once");
    }

    #[tokio::test]
    async fn an_answer_is_kept_with_all_that_follows_from_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = asked(&folder).await;
        let first = store.inbox_add(&said("1"), 1).await.unwrap().unwrap();
        let again = store.inbox_add(&said("2"), 1).await.unwrap().unwrap();
        let now = store.step_dialog(&question(), refusal(first), 1).await.unwrap();
        assert_eq!(now, Answered::Now(None));
        let late = store.step_dialog(&question(), refusal(again), 2).await.unwrap();
        assert_eq!(late, Answered::Late);
        let open = store.inbox_open().await.unwrap();
        assert_eq!(open.iter().map(|waiting| waiting.id).collect::<Vec<_>>(), [again]);
        let due = store.outbox_due(ChannelKind::Telegram, 3).await.unwrap();
        assert_eq!(due.len(), 1, "said once");
    }
}
