//! Takes what happens in rooms and hands it up, one event after the other. A batch is confirmed only when all of it is
//! durable; until then the next start asks the homeserver for it again, and the runtime knows what it has seen.

use std::{collections::HashSet, sync::Arc, time::Duration};

use metnos_matrix::{Batch, Bot, Failure, Kind, Outgoing, Verifying};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{
    inbound::{Arrival, read, thread_of},
    name::place,
    progress::Progress,
};
use crate::{
    domain::{
        ids::{ChannelKind, SenderId},
        inbound::{Inbound, InboundBody},
        message::Message,
    },
    runtime::{Runtime, SubmitError, Submitted},
};

/// Pause while nothing can be made durable.
const PAUSE: Duration = Duration::from_secs(1);
/// How often an invite is answered before it is left for the next start.
const INVITE_TRIES: u32 = 4;
/// Groups we remember having told that we only talk in private.
const GROUPS_MAX: usize = 256;

/// The listening side of the channel.
pub(super) struct Listener {
    bot: Bot,
    runtime: Runtime,
    /// Who the bot belongs to, if anybody was named.
    owner: Option<String>,
    progress: Progress,
    told_groups: HashSet<String>,
    stop: CancellationToken,
}

impl Listener {
    /// A listener that hands up to this runtime.
    pub(super) fn new(
        bot: Bot,
        runtime: Runtime,
        owner: Option<String>,
        progress: Progress,
        stop: CancellationToken,
    ) -> Self {
        Self {
            bot,
            runtime,
            owner,
            progress,
            told_groups: HashSet::new(),
            stop,
        }
    }

    /// Takes batches until there are no more.
    pub(super) async fn run(mut self, mut batches: mpsc::Receiver<Batch>) {
        loop {
            let batch = tokio::select! {
                () = self.stop.cancelled() => return,
                batch = batches.recv() => match batch {
                    Some(batch) => batch,
                    None => return,
                },
            };
            self.runtime.way_is_open(ChannelKind::Matrix).await;
            for event in batch.events {
                if !self.take(read(event, self.runtime.now_ms())).await {
                    return;
                }
            }
            if batch.taken.send(()).is_err() {
                tracing::debug!("nobody waits for the batch any more");
            }
        }
    }

    /// Takes one event, until it is durable; `false` when stopped before.
    async fn take(&mut self, arrival: Arrival) -> bool {
        loop {
            let Err(error) = self.handle(arrival.clone()).await else {
                return true;
            };
            tracing::error!(%error, "matrix events wait until they can be kept");
            tokio::select! {
                () = self.stop.cancelled() => return false,
                () = tokio::time::sleep(PAUSE) => {}
            }
        }
    }

    async fn handle(&mut self, arrival: Arrival) -> Result<(), SubmitError> {
        match arrival {
            Arrival::Said(inbound) => {
                let said = if let InboundBody::Edited { of, .. } = &inbound.body {
                    of
                } else {
                    &inbound.message
                };
                self.progress.stands_in(&inbound.conversation, thread_of(said));
                self.mark_read(&inbound);
                let submitted = self.runtime.submit(inbound).await?;
                tracing::debug!(?submitted, "message taken");
            }
            Arrival::Moved { begins, goes_on } => {
                if self.runtime.submit(begins).await? == Submitted::Duplicate {
                    self.runtime.submit(goes_on).await?;
                }
            }
            Arrival::Reacted(inbound) => self.reacted(inbound).await?,
            Arrival::Withdrew(inbound) => self.runtime.withdraw(inbound).await?,
            Arrival::Invited { room, sender } => {
                let welcome = self
                    .runtime
                    .welcomes(ChannelKind::Matrix, &SenderId::from(sender.as_str()))
                    .await?;
                self.answer_invite(&room, &sender, welcome).await;
            }
            Arrival::Verifies { sender, flow } => self.be_verified(&sender, &flow).await?,
            Arrival::InGroup { room } => self.decline_group(room).await,
            Arrival::Nothing(reason) => tracing::debug!(reason, "event skipped"),
        }
        Ok(())
    }

    /// Only the owner verifies us, as long as they are let in. The signs to compare are shown in the terminal as well.
    async fn be_verified(&self, sender: &str, flow: &str) -> Result<(), SubmitError> {
        let id = SenderId::from(sender);
        let is_owner = self.owner.as_deref() == Some(sender) && self.runtime.is_host(ChannelKind::Matrix, &id).await?;
        if !is_owner {
            if let Err(failure) = self.bot.refuse_verification(sender, flow).await {
                tracing::warn!(%failure, "a verification was not refused in words");
            }
            return Ok(());
        }
        let (runtime, lang) = (
            self.runtime.clone(),
            self.runtime.lang_of(ChannelKind::Matrix, &id).await,
        );
        let tell = move |verifying| runtime.show_in_terminal(lang, &in_words(verifying));
        self.bot.verify(sender, flow, Arc::new(tell));
        Ok(())
    }

    /// A reaction shows itself; only what it did not do is said.
    async fn reacted(&self, inbound: Inbound) -> Result<(), SubmitError> {
        let room = inbound.conversation.clone();
        let name = format!("toast-{}", inbound.message);
        let pressed = self.runtime.react(inbound).await?;
        if let Some(text) = pressed.toast.filter(|_| !pressed.as_expected) {
            let remark = Outgoing {
                kind: Kind::Notice,
                text,
                ..Outgoing::default()
            };
            if let Err(failure) = self.bot.send(room.as_str(), &remark, &name).await {
                tracing::warn!(%failure, "a remark on a reaction was not brought");
            }
        }
        Ok(())
    }

    fn mark_read(&self, inbound: &Inbound) {
        let Some((event, _)) = place(&inbound.message) else {
            return;
        };
        let marking = self.bot.mark_read(inbound.conversation.as_str(), event);
        tokio::spawn(async move {
            if let Err(failure) = marking.await {
                tracing::debug!(%failure, "not marked as read");
            }
        });
    }

    async fn answer_invite(&self, room: &str, sender: &str, welcome: bool) {
        for attempt in 1..=INVITE_TRIES {
            let answered = if welcome {
                self.bot.join(room).await
            } else {
                self.bot.leave(room).await
            };
            let wait = match answered {
                Ok(()) => {
                    tracing::info!(room, sender, welcome, "invite answered");
                    return;
                }
                Err(Failure::Wait(wait)) => wait,
                Err(Failure::Refused(reason)) => {
                    tracing::warn!(room, sender, reason, "invite could not be answered");
                    return;
                }
                Err(failure) => {
                    tracing::warn!(room, sender, %failure, "invite not answered yet");
                    PAUSE.saturating_mul(attempt)
                }
            };
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Says once in a group that we only talk in private.
    async fn decline_group(&mut self, room: String) {
        if self.told_groups.len() >= GROUPS_MAX || !self.told_groups.insert(room.clone()) {
            return;
        }
        let text = self
            .runtime
            .say(self.runtime.lang(), &Message::new("matrix-private-only"));
        let remark = Outgoing {
            kind: Kind::Notice,
            text,
            ..Outgoing::default()
        };
        if let Err(failure) = self.bot.send(&room, &remark, &format!("private-{room}")).await {
            tracing::debug!(%failure, "group not told");
        }
    }
}

fn in_words(verifying: Verifying) -> Message {
    match verifying {
        Verifying::Compare(signs) => Message::new("matrix-verify-compare").with("signs", signs),
        Verifying::Done => Message::new("matrix-verify-done"),
        Verifying::Ended => Message::new("matrix-verify-ended"),
    }
}
