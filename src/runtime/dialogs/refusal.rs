//! Answers that say no: "cancel", a message that begins with a no, one that asks for something else, and one that says
//! neither yes nor no. Called by `dialogs` and its forms. None of them ever approves or carries anything out.

use super::{Answerer, Heard, SET_ASIDE};
use crate::{
    domain::{
        message::Message,
        question::{FieldKind, Question},
        reply::Reply,
    },
    engine::patterns::{Pattern, PatternMatch},
    language::Confirmation,
    store::{StoreError, dialogs::Dialog},
};

impl Answerer<'_> {
    /// A message that begins with a no: the question is over, whatever follows. What follows is handled where it is a
    /// request of its own. `None` when it begins with none.
    pub(super) async fn hear_refusal(&self, dialog: &Dialog, text: &str) -> Result<Option<Heard>, StoreError> {
        let Some(rest) = self.inner.parts.engine.language().refusal(text) else {
            return Ok(None);
        };
        let key = match dialog.question {
            Question::Approval { .. } => "approval-refused",
            Question::Location | Question::Form(_) => "question-cancelled",
        };
        if self.is_request_after_no(rest) {
            self.close(dialog, key).await?;
            return Ok(Some(Heard::NoBut(rest.to_owned())));
        }
        let key = if rest.chars().any(char::is_alphanumeric) && !self.is_no(rest) {
            "refused-more"
        } else {
            key
        };
        let stepped = self.give_up(dialog, key).await?;
        self.heard(dialog, stepped).await.map(Some)
    }

    /// "no, to archive": the request with that in it, where it puts right what a card asks about.
    pub(super) async fn hear_amended(&self, dialog: &Dialog, text: &str) -> Result<Option<Heard>, StoreError> {
        let engine = &self.inner.parts.engine;
        let now = self.inner.parts.clock.zoned(&self.actor.timezone);
        // What was begun stands, and what others wrote is nobody's own to put right.
        let is_open = dialog.decider.is_none() && dialog.payload.is_typed && dialog.payload.done.is_empty();
        let own = is_open.then_some(&dialog.request);
        let Some(whole) = own.and_then(|request| engine.put_right(request, text, self.actor, &now)) else {
            return Ok(None);
        };
        // Nobody said no to it for those words.
        self.set_aside(dialog).await?;
        Ok(Some(Heard::NoBut(whole)))
    }

    /// A message that is neither a yes nor a no to a card: a yes with a condition, thanks, or a word of conversation
    /// does nothing, and the question is put again. Everything else is a request.
    pub(super) async fn hear_unclear(&self, dialog: &Dialog, text: &str) -> Result<Heard, StoreError> {
        if let Some(heard) = self.hear_refusal(dialog, text).await? {
            return Ok(heard);
        }
        if dialog.decider.is_some() || !self.is_unclear(text) {
            return Ok(Heard::No);
        }
        let open = self.inner.say(self.actor.lang, &Message::new("approval-still-open"));
        Ok(Heard::Yes(Some(Reply::text(open))))
    }

    fn is_unclear(&self, text: &str) -> bool {
        let engine = &self.inner.parts.engine;
        let is_thanks = |words: &str| matches!(engine.by_rule(words, self.actor), PatternMatch::Hit(Pattern::Thanks));
        let is_yes = |words: &str| engine.language().confirmation(words) == Some(Confirmation::Yes);
        let now = self.inner.parts.clock.zoned(&self.actor.timezone);
        let is_request = |words: &str| engine.says_what_to_do(words, self.actor, &now);
        match engine.language().qualified(text, is_yes) {
            // "ok, what time is it" calls; "yes, and the pdf files" does not.
            Some((calls, rest)) => !calls || is_thanks(rest) || !is_request(rest),
            None => is_thanks(text) || engine.language().are_all_said(text) && !is_request(text),
        }
    }

    /// After a no, "stop" and "undo" mean the question: nothing was done that they could take back.
    fn is_request_after_no(&self, rest: &str) -> bool {
        let engine = &self.inner.parts.engine;
        let now = self.inner.parts.clock.zoned(&self.actor.timezone);
        !self.is_no(rest) && engine.is_request(rest, self.actor, &now)
    }

    fn is_no(&self, rest: &str) -> bool {
        let engine = &self.inner.parts.engine;
        let language = engine.language();
        language.confirmation(rest).is_some() || language.is_stop(rest) || engine.takes_back(rest, self.actor)
    }

    /// Another request was made: the question is closed, and that is said before the request is answered.
    pub(super) async fn set_aside(&self, dialog: &Dialog) -> Result<(), StoreError> {
        self.close(dialog, SET_ASIDE).await
    }

    /// Closes the question while the message goes on to something else.
    async fn close(&self, dialog: &Dialog, key: &str) -> Result<(), StoreError> {
        let aside = Answerer { said_in: None, ..*self };
        if aside.give_up(dialog, key).await?.is_none() {
            tracing::debug!(dialog = %dialog.id, "a question was answered while it was closed");
        }
        Ok(())
    }

    /// Whether a message is what a button says, in any language.
    pub(super) fn is_label(&self, text: &str, key: &str) -> bool {
        let language = self.inner.parts.engine.language();
        let said = language.normal(text);
        crate::domain::lang::Lang::BUILT_IN
            .into_iter()
            .any(|lang| said == language.normal(&self.inner.say(lang, &Message::new(key))))
    }

    /// "cancel" as the whole message; where "no" cannot be an answer, that too.
    pub(super) fn is_cancel(&self, kind: FieldKind, text: &str) -> bool {
        let language = self.inner.parts.engine.language();
        let can_be_no = matches!(kind, FieldKind::YesNo | FieldKind::Text | FieldKind::Secret);
        let says_no = language.confirmation(text) == Some(Confirmation::No) || language.is_stop(text);
        self.is_label(text, "button-cancel") || !can_be_no && says_no
    }
}
