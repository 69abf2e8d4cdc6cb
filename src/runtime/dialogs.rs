//! Turns that wait for a person: puts the question, hears the answer as a tap, as words or as a shared location, and
//! queues the turn that goes on. Every step of a dialog is one transaction with all that follows from it, so that an
//! answer counts once, also when two come at the same moment or the process dies in between. Only who was asked may
//! answer. It runs nothing itself.

use std::sync::Arc;

use super::{Inner, feedback, inbox, notices, turn};
use crate::{
    domain::{
        actor::Actor,
        delivery::{Parcel, Pressed},
        ids::{DialogId, InboxId, MessageId},
        inbound::{Inbound, InboundBody},
        location::SharedLocation,
        message::Message,
        question::{FieldKind, Question},
        reply::{ButtonKind, Expects, Reply},
    },
    language::Confirmation,
    store::{
        StoreError,
        accounts::GivenAccount,
        dialogs::{Answered, Dialog, DialogState, DialogStep},
        inbox::Waiting,
        outbox::{Callback, NewParcel},
    },
};

mod accounts;
/// What goes out, written anew.
mod amend;
/// What typed words mean as an answer.
mod answers;
/// Questions in words and buttons.
mod ask;
mod forms;
mod logins;
mod opening;
mod over;
pub(super) mod permission;
/// The words of answers.
/// Answers that say no.
mod refusal;
mod unlocking;
mod whereabouts;

use opening::ttl_ms;
pub(super) use opening::{Asked, put};

/// What is said of a question that another request took the place of: nobody said no to it.
const SET_ASIDE: &str = "question-set-aside";

/// A tap on a button of a question.
pub(super) async fn tap(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    callback: &Callback,
) -> Result<Pressed, StoreError> {
    let dialog = match &callback.dialog {
        Some(id) => inner.parts.store.dialog(id).await?,
        None => None,
    };
    let Some(dialog) = dialog else {
        return Ok(feedback::toast(inner, actor.lang, "approval-gone"));
    };
    let by = Answerer {
        inner,
        inbound,
        actor,
        said_in: None,
    };
    if dialog.state != DialogState::Waiting {
        return by.late(&dialog.id).await;
    }
    let toast = match (&dialog.question, callback.kind) {
        (Question::Approval { .. }, ButtonKind::Approve) => by.decide(&dialog, true).await?,
        (Question::Approval { .. }, ButtonKind::Refuse) => by.decide(&dialog, false).await?,
        (Question::Approval { .. }, ButtonKind::Amend) => by.amend(&dialog).await?,
        (Question::Location, ButtonKind::Cancel { .. }) => by.give_up(&dialog, "question-cancelled").await?,
        (Question::Form(form), kind) => by.tap_form(&dialog, form, kind).await?,
        (Question::Approval { .. } | Question::Location, _) => None,
    };
    match toast {
        Some("") => Ok(Pressed::default()),
        Some(key) => Ok(Pressed {
            as_expected: matches!(
                key,
                "approval-given" | "answer-taken" | "approval-host-given" | "approval-host-refused"
            ),
            ..feedback::toast(inner, actor.lang, key)
        }),
        None => by.late(&dialog.id).await,
    }
}

/// What became of a typed message while a question is open.
pub(super) enum Heard {
    /// It is something else, or there is no question.
    No,
    /// It was the answer, and what follows is under way; the words to say right now, if any.
    Yes(Option<Reply>),
    /// It refused, and goes on with this request.
    NoBut(String),
}

/// The question a message may answer where it was said.
async fn waiting_here(inner: &Inner, inbound: &Inbound, actor: &Actor) -> Result<Option<Dialog>, StoreError> {
    let now_ms = inner.parts.clock.now_ms();
    let store = &inner.parts.store;
    store
        .waiting_dialog(&actor.id, inbound.channel, &inbound.conversation, now_ms)
        .await
}

/// A typed message, which may answer an open question as a whole.
pub(super) async fn hear(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<Heard, StoreError> {
    let inbound = &waiting.inbound;
    let dialog = waiting_here(inner, inbound, actor).await?;
    let Some(dialog) = dialog else {
        return Ok(Heard::No);
    };
    let by = Answerer {
        inner,
        inbound,
        actor,
        said_in: Some(waiting.id),
    };
    let is_card = matches!(dialog.question, Question::Approval { .. });
    if is_card && amend::is_said(&by, text) && amend::is_possible(inner, &dialog) {
        let stepped = by.amend(&dialog).await?;
        return by.heard(&dialog, stepped).await;
    }
    if is_card && let Some(heard) = by.hear_amended(&dialog, text).await? {
        return Ok(heard);
    }
    let stepped = match &dialog.question {
        Question::Approval { .. } => match inner.parts.engine.language().confirmation(text) {
            Some(confirmation) if dialog.decider.is_some() => return by.hear_meanwhile(&dialog, confirmation).await,
            Some(confirmation) => by.decide(&dialog, confirmation == Confirmation::Yes).await?,
            None => return by.hear_unclear(&dialog, text).await,
        },
        Question::Location => return by.hear_place(&dialog, None, text).await,
        Question::Form(form) => return by.hear_field(&dialog, form, text).await,
    };
    by.heard(&dialog, stepped).await
}

/// Why words that were said aloud do not answer the question that is open: they may be misheard, and everybody in the
/// room has heard them. `None` where they may.
pub(super) async fn not_by_voice(
    inner: &Inner,
    inbound: &Inbound,
    actor: &Actor,
    text: &str,
) -> Result<Option<Reply>, StoreError> {
    let Some(dialog) = waiting_here(inner, inbound, actor).await? else {
        return Ok(None);
    };
    let key = match &dialog.question {
        Question::Approval { .. } => {
            let is_yes = inner.parts.engine.language().confirmation(text) == Some(Confirmation::Yes);
            is_yes.then_some("voice-no-approval")
        }
        Question::Form(form) => {
            let field = form.field();
            let is_secret = field.is_some_and(|field| field.kind == FieldKind::Secret);
            is_secret.then_some("voice-no-secret")
        }
        Question::Location => None,
    };
    Ok(key.map(|key| Reply::text(inner.say(actor.lang, &Message::new(key)))))
}

/// A bare yes or no when the last thing said was no question: it answers nothing older, and that is said. `None` for
/// every other text.
pub(super) async fn unanswerable(
    inner: &Arc<Inner>,
    waiting: &Waiting,
    actor: &Actor,
    text: &str,
) -> Result<Option<Reply>, StoreError> {
    let engine = &inner.parts.engine;
    let now = inner.parts.clock.zoned(&actor.timezone);
    // "annulla" refuses where something is asked, and takes back where nothing is.
    if engine.language().confirmation(text).is_none() || engine.is_request(text, actor, &now) {
        return Ok(None);
    }
    // "Cancel" behind what was set a moment ago speaks of that.
    if turn::follow_up::ends_touched(inner, waiting, actor, text).await? {
        return Ok(None);
    }
    let inbound = &waiting.inbound;
    let now_ms = inner.parts.clock.now_ms();
    let earlier = inner
        .parts
        .store
        .is_question_open(&actor.id, inbound.channel, &inbound.conversation, now_ms)
        .await?;
    let key = match (earlier, turn::has_keyboard(inbound.channel)) {
        (true, true) => "question-passed-buttons",
        (true, false) => "question-passed",
        (false, _) => "question-none-open",
    };
    Ok(Some(Reply::text(inner.say(actor.lang, &Message::new(key)))))
}

/// The request that led to an open question is put otherwise: the question is set aside. A card stays, as beside every
/// other request.
pub(super) async fn put_aside(inner: &Arc<Inner>, waiting: &Waiting, actor: &Actor) -> Result<(), StoreError> {
    let inbound = &waiting.inbound;
    let dialog = waiting_here(inner, inbound, actor).await?;
    let by = Answerer {
        inner,
        inbound,
        actor,
        said_in: None,
    };
    match dialog {
        Some(dialog) if !matches!(dialog.question, Question::Approval { .. }) => by.set_aside(&dialog).await,
        Some(_) | None => Ok(()),
    }
}

/// The person says stop while a question is open: it is over and nothing is done. What is left to say, or `None` when
/// no question is open here.
pub(super) async fn drop_question(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    actor: &Actor,
    said_in: Option<InboxId>,
) -> Result<Option<Option<Reply>>, StoreError> {
    let dialog = waiting_here(inner, inbound, actor).await?;
    let Some(dialog) = dialog else { return Ok(None) };
    let by = Answerer {
        inner,
        inbound,
        actor,
        said_in,
    };
    let key = match dialog.question {
        Question::Approval { .. } => "approval-refused",
        Question::Location | Question::Form(_) => "question-cancelled",
    };
    let stepped = by.give_up(&dialog, key).await?;
    Ok(match by.heard(&dialog, stepped).await? {
        Heard::Yes(reply) => Some(reply),
        Heard::No | Heard::NoBut(_) => None,
    })
}

/// A question whose time is over closes, loses its buttons, and the person is told that nothing was done: all of it, or
/// nothing when an answer was quicker.
pub(super) async fn expire(inner: &Inner, dialog: &Dialog) -> Result<(), StoreError> {
    let actor = inner.parts.store.actor(&dialog.actor).await?;
    let lang = actor.map_or(inner.parts.lang, |actor| actor.lang);
    let key = match dialog.question {
        Question::Approval { .. } => "approval-expired",
        Question::Location | Question::Form(_) => "question-expired",
    };
    let told = over::told(&inner.parts.store, dialog, key).await?;
    let reply = Reply {
        expects: after(dialog),
        ..Reply::text(inner.say(lang, &told))
    };
    let mut parcels: Vec<NewParcel> = without_buttons(inner, dialog).await?.into_iter().collect();
    parcels.push(parcel(dialog, Parcel::Reply(reply)));
    let now_ms = inner.parts.clock.now_ms();
    if inner.parts.store.expire_dialog(&dialog.id, parcels, now_ms).await? {
        inner.outbox.wake(dialog.channel);
        permission::close_card(inner, dialog).await?;
    }
    Ok(())
}

/// Who answers, and in what.
#[derive(Clone, Copy)]
struct Answerer<'a> {
    inner: &'a Arc<Inner>,
    inbound: &'a Inbound,
    actor: &'a Actor,
    /// The message the answer came in; `None` for a button and for a live location.
    said_in: Option<InboxId>,
}

/// The key of what a tap is told; empty for nothing, `None` when the answer came too late.
type Stepped = Option<&'static str>;

impl Answerer<'_> {
    /// Carries out one step; `false` when it came too late.
    async fn step(&self, dialog: &Dialog, step: DialogStep) -> Result<bool, StoreError> {
        let step = DialogStep {
            said_in: self.said_in,
            ..step
        };
        let now_ms = self.inner.parts.clock.now_ms();
        let given = step.account.clone();
        let Answered::Now(queued) = Box::pin(self.inner.parts.store.step_dialog(dialog, step, now_ms)).await? else {
            return Ok(false);
        };
        if let Some(GivenAccount { account, key }) = given {
            self.inner.parts.engine.connect(account, key);
        }
        self.inner.outbox.wake(dialog.channel);
        permission::close_card(self.inner, dialog).await?;
        if let Some(waiting) = queued {
            Box::pin(inbox::enqueue(self.inner, *waiting)).await?;
        }
        Ok(true)
    }

    /// Approve or refuse.
    async fn decide(&self, dialog: &Dialog, approve: bool) -> Result<Stepped, StoreError> {
        if dialog.decider.is_some() {
            return self.decide_for_guest(dialog, approve).await;
        }
        if !approve {
            // Said in the conversation; saying it beside the button as well would be once too often.
            return self.give_up(dialog, "approval-refused").await;
        }
        let step = DialogStep {
            errand: Some(self.errand(dialog)),
            parcels: without_buttons(self.inner, dialog).await?.into_iter().collect(),
            ..DialogStep::to(DialogState::Answered, dialog)
        };
        Ok(self.step(dialog, step).await?.then_some("approval-given"))
    }

    /// The question is over and nothing is done.
    async fn give_up(&self, dialog: &Dialog, key: &str) -> Result<Stepped, StoreError> {
        // A question that is only set aside, or about something else than the plan, is no answer to it.
        let is_no = matches!(dialog.question, Question::Approval { .. }) && key != SET_ASIDE;
        if let Some(offer) = dialog.payload.offer.as_ref().filter(|_| is_no) {
            let now_ms = self.inner.parts.clock.now_ms();
            self.inner
                .parts
                .store
                .decline_offer(&dialog.actor, offer, now_ms)
                .await?;
        }
        let mut parcels: Vec<NewParcel> = without_buttons(self.inner, dialog).await?.into_iter().collect();
        let told = over::told(&self.inner.parts.store, dialog, key).await?;
        parcels.push(self.said(dialog, &told, after(dialog)));
        let step = DialogStep {
            parcels,
            ..DialogStep::to(DialogState::Refused, dialog)
        };
        Ok(self.step(dialog, step).await?.then_some(""))
    }

    /// What a typed answer came to; one that came too late is told so.
    async fn heard(&self, dialog: &Dialog, stepped: Stepped) -> Result<Heard, StoreError> {
        if stepped.is_some() {
            return Ok(Heard::Yes(None));
        }
        let toast = self.late(&dialog.id).await?.toast;
        Ok(Heard::Yes(toast.map(Reply::text)))
    }

    /// An answer that came too late or a second time is answered honestly.
    async fn late(&self, id: &DialogId) -> Result<Pressed, StoreError> {
        let dialog = self.inner.parts.store.dialog(id).await?;
        let approval = dialog
            .as_ref()
            .is_none_or(|dialog| matches!(dialog.question, Question::Approval { .. }));
        // Who decided, and how, is not told of somebody else's.
        let for_another = dialog.as_ref().is_some_and(|dialog| dialog.decider.is_some());
        let key = match (dialog.map(|dialog| dialog.state), approval) {
            (Some(DialogState::Answered | DialogState::Done), true) if !for_another => "approval-given-before",
            (Some(DialogState::Refused), true) if !for_another => "approval-refused-before",
            (Some(DialogState::Waiting | DialogState::Expired) | None, true) => "approval-expired",
            (Some(DialogState::Waiting | DialogState::Answered | DialogState::Done), _) => "question-answered",
            (Some(DialogState::Refused), _) => "question-closed",
            (Some(DialogState::Expired) | None, false) => "question-expired",
        };
        Ok(feedback::toast(self.inner, self.actor.lang, key))
    }

    /// The message that lets the turn go on: unique by its name, so that no second answer can run it twice.
    fn errand(&self, dialog: &Dialog) -> Inbound {
        Inbound {
            message: MessageId::from(format!("answered:{}", dialog.id)),
            body: InboundBody::Answered(dialog.id.clone()),
            ..self.inbound.clone()
        }
    }

    fn asker(&self) -> ask::Asker<'_> {
        ask::Asker {
            i18n: &self.inner.parts.i18n,
            lang: self.actor.lang,
            actor: &self.actor.id,
            channel: self.inbound.channel,
        }
    }

    fn said(&self, dialog: &Dialog, message: &Message, expects: Expects) -> NewParcel {
        let reply = Reply {
            expects,
            ..Reply::text(self.inner.say(self.actor.lang, message))
        };
        self.reply_parcel(dialog, reply)
    }

    fn reply_parcel(&self, dialog: &Dialog, reply: Reply) -> NewParcel {
        let is_message = self.said_in.is_some();
        NewParcel {
            reply_to: is_message.then(|| self.inbound.message.clone()),
            ..parcel(dialog, Parcel::Reply(reply)).answering(notices::about(self.inner, &dialog.request))
        }
    }
}

/// A lone word after a slash is a command, whatever is asked; a path has more slashes.
fn is_command(text: &str) -> bool {
    let named = |rest: &str| rest.chars().all(char::is_alphabetic) && !rest.is_empty();
    text.strip_prefix('/')
        .and_then(|rest| rest.split_whitespace().next())
        .is_some_and(named)
}

/// What the channel makes of the end of a question.
fn after(dialog: &Dialog) -> Expects {
    if dialog.question.wants_location() && ask::shares_locations(dialog.channel) {
        Expects::LocationDone
    } else {
        Expects::Anything
    }
}

/// What takes the buttons of a question away, where there are any.
async fn without_buttons(inner: &Inner, dialog: &Dialog) -> Result<Option<NewParcel>, StoreError> {
    if !turn::has_keyboard(dialog.channel) || dialog.question.wants_location() {
        return Ok(None);
    }
    let shown = inner.parts.store.answer_message(&dialog.turn).await?;
    let buttons = Vec::new();
    Ok(shown.map(|message| {
        parcel(
            dialog,
            Parcel::Keyboard {
                message,
                buttons,
                words: None,
            },
        )
    }))
}

fn parcel(dialog: &Dialog, parcel: Parcel) -> NewParcel {
    NewParcel::new(dialog.channel, dialog.conversation.clone(), parcel)
}

/// A shared location; `false` when no question is open that it answers.
pub(super) async fn located(
    inner: &Arc<Inner>,
    inbound: &Inbound,
    said_in: Option<InboxId>,
    actor: &Actor,
    shared: &SharedLocation,
) -> Result<bool, StoreError> {
    let now_ms = inner.parts.clock.now_ms();
    let dialog = inner
        .parts
        .store
        .waiting_for_location(&actor.id, inbound.channel, &inbound.conversation, now_ms)
        .await?;
    let Some(dialog) = dialog else { return Ok(false) };
    let by = Answerer {
        inner,
        inbound,
        actor,
        said_in,
    };
    Ok(by
        .locate(&dialog, shared, Message::new("location-thanks"))
        .await?
        .is_some())
}
