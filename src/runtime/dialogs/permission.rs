//! What only the host may allow a guest: the card goes to the host, and the guest's turn waits. After a yes it goes on
//! where it was asked, as the guest, with all that guests are kept from; after a no, or too late, the guest is told.

use super::{Answerer, Asked, Heard, Stepped, over, parcel};
use crate::{
    domain::{
        actor::{Actor, Role},
        delivery::Parcel,
        ids::{ChannelKind, ConversationId, DialogId, MessageId, TurnId},
        inbound::{Inbound, InboundBody},
        limits::APPROVAL_TTL,
        message::Message,
        outcome::{ApprovalRequest, Asks, Pause},
        reply::{Block, ButtonKind, Reply},
        turn::Turn,
    },
    language::Confirmation,
    runtime::{Inner, feedback, reply::Speaker, turn},
    store::{
        StoreError,
        dialogs::{Dialog, DialogState, DialogStep},
        outbox::{Callback, NewParcel},
    },
};

/// The host, and where a card reaches them.
pub(in crate::runtime) struct HostPlace {
    host: Actor,
    channel: ChannelKind,
    conversation: ConversationId,
}

/// Where the host spoke last on a channel with buttons; `None` while there is no such place.
pub(in crate::runtime) async fn host_place(inner: &Inner) -> Result<Option<HostPlace>, StoreError> {
    let Some(host) = inner.parts.store.host().await? else {
        return Ok(None);
    };
    let places = inner.parts.store.last_places(&host.id).await?;
    let place = places.into_iter().find(|(channel, _)| turn::has_keyboard(*channel));
    Ok(place.map(|(channel, conversation)| HostPlace {
        host,
        channel,
        conversation,
    }))
}

/// What of this pause is for the host to decide, and not for the person whose turn it is.
pub(super) fn for_host<'a>(turn: &Turn, pause: &'a Pause) -> Option<&'a ApprovalRequest> {
    match &pause.asks {
        Asks::Approval(request) => (request.above.is_some() && turn.actor.role == Role::Guest).then_some(request),
        Asks::Location | Asks::Form(_) => None,
    }
}

/// Asks the host, and tells the guest so. A host whom no card reaches any more is not asked, and nobody else is.
pub(super) async fn ask_host(
    inner: &Inner,
    speaker: &Speaker<'_>,
    turn: &Turn,
    (pause, request): (&Pause, &ApprovalRequest),
    dialog: Dialog,
) -> Result<Asked, StoreError> {
    let say = |key: &str| {
        let level = turn.actor.autonomy.as_str();
        Reply::text(speaker.say(&Message::new(key).with("level", level)))
    };
    let Some(place) = host_place(inner).await? else {
        return Ok(Asked {
            reply: say("policy-preview"),
            ..Asked::default()
        });
    };
    let dialog = Dialog {
        decider: Some(place.host.id.clone()),
        ..dialog
    };
    let (card, callbacks) = card(inner, &place, turn, (pause, request), &dialog);
    Ok(Asked {
        reply: say("approval-host-is-asked"),
        dialog: Some(dialog),
        callbacks,
        for_others: vec![(place.host.id, card)],
    })
}

/// The host's card with its buttons.
fn card(
    inner: &Inner,
    place: &HostPlace,
    turn: &Turn,
    (pause, request): (&Pause, &ApprovalRequest),
    dialog: &Dialog,
) -> (NewParcel, Vec<Callback>) {
    let home = inner.parts.home.to_string_lossy();
    let now = inner.parts.clock.zoned(&place.host.timezone);
    let speaker = Speaker {
        i18n: &inner.parts.i18n,
        lang: place.host.lang,
        now: &now,
        home: &home,
    };
    let whom = Message::new("approval-for-guest")
        .with("name", turn.actor.name.as_str())
        .with("level", turn.actor.autonomy.as_str());
    let minutes = APPROVAL_TTL.as_secs().div_ceil(60);
    let mut reply = speaker.approval_card(&pause.tool, request, minutes);
    reply.blocks.insert(0, Block::text(speaker.say(&whom)));
    let asked = Turn {
        id: card_of(&dialog.id),
        actor: place.host.clone(),
        ..turn.clone()
    };
    let callbacks = turn::callbacks(&asked, &[ButtonKind::Approve, ButtonKind::Refuse], Some(&dialog.id));
    reply.buttons = turn::labelled(&speaker, &callbacks);
    let parcel = NewParcel {
        turn: Some(asked.id),
        ..NewParcel::new(place.channel, place.conversation.clone(), Parcel::Reply(reply))
    };
    (parcel, callbacks)
}

/// What stands for the guest's turn in the host's conversation: an answer of its own.
fn card_of(dialog: &DialogId) -> TurnId {
    TurnId::from(format!("asked:{dialog}"))
}

/// The host's card loses its buttons: it is decided.
pub(super) async fn close_card(inner: &Inner, dialog: &Dialog) -> Result<(), StoreError> {
    let Some(host) = &dialog.decider else {
        return Ok(());
    };
    let store = &inner.parts.store;
    let card = card_of(&dialog.id);
    let (Some(message), Some((channel, conversation))) =
        (store.answer_message(&card).await?, store.place_of_answer(&card).await?)
    else {
        return Ok(());
    };
    let buttons = Vec::new();
    let parcel = NewParcel::new(
        channel,
        conversation,
        Parcel::Keyboard {
            message,
            buttons,
            words: None,
        },
    );
    feedback::send(inner, parcel, host).await
}

impl Answerer<'_> {
    /// A guest's own words while the host is asked: nobody says yes for the host, but who asked may drop it.
    pub(super) async fn hear_meanwhile(&self, dialog: &Dialog, said: Confirmation) -> Result<Heard, StoreError> {
        if said == Confirmation::Yes {
            let only = self.inner.say(self.actor.lang, &Message::new("approval-only-host"));
            return Ok(Heard::Yes(Some(Reply::text(only))));
        }
        let stepped = self.give_up(dialog, "approval-refused").await?;
        self.heard(dialog, stepped).await
    }

    /// The host decides for a guest.
    pub(super) async fn decide_for_guest(&self, dialog: &Dialog, approve: bool) -> Result<Stepped, StoreError> {
        let store = &self.inner.parts.store;
        let (Some(guest), Some(sender)) = (
            store.actor(&dialog.actor).await?,
            store
                .sender_of(&dialog.actor, dialog.channel, &dialog.conversation)
                .await?,
        ) else {
            return Ok(None);
        };
        if !approve {
            let told = over::told(store, dialog, "approval-refused-by-host").await?;
            let told = Reply::text(self.inner.say(guest.lang, &told));
            let step = DialogStep {
                parcels: vec![parcel(dialog, Parcel::Reply(told))],
                ..DialogStep::to(DialogState::Refused, dialog)
            };
            return Ok(self.step(dialog, step).await?.then_some("approval-host-refused"));
        }
        // The guest's own errand: the host's yes is for this step and makes nobody else of who asked.
        let errand = Inbound {
            channel: dialog.channel,
            conversation: dialog.conversation.clone(),
            sender,
            sender_name: None,
            lang_hint: None,
            message: MessageId::from(format!("answered:{}", dialog.id)),
            body: InboundBody::Answered(dialog.id.clone()),
        };
        let step = DialogStep {
            errand: Some(errand),
            ..DialogStep::to(DialogState::Answered, dialog)
        };
        Ok(self.step(dialog, step).await?.then_some("approval-host-given"))
    }
}
