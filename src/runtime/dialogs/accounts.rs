//! The question for the key of an account: a key is kept sealed and used at once, and the step that lacked it runs
//! again. Doing without is an answer, too: the step goes on as well as it can, and nobody asks again for a while.

use serde_json::{Value, json};

use super::{Answerer, Heard, Stepped, is_command, parcel};
use crate::{
    config::Secret,
    domain::{
        account::Account,
        delivery::Parcel,
        limits::ACCOUNT_KEY_CHARS,
        message::Message,
        question::{FieldKind, Form},
    },
    store::{
        StoreError,
        accounts::GivenAccount,
        dialogs::{Dialog, DialogState, DialogStep},
    },
};

impl Answerer<'_> {
    /// A typed message while a key is asked for.
    pub(super) async fn hear_key(
        &self,
        dialog: &Dialog,
        form: &Form,
        account: Account,
        text: &str,
    ) -> Result<Heard, StoreError> {
        let text = text.trim();
        if self.is_skip(text) {
            let stepped = self.go_without(dialog, form).await?;
            return self.heard(dialog, stepped).await;
        }
        if is_command(text) {
            return Ok(Heard::No);
        }
        if is_key(text) {
            let stepped = self.connect(dialog, form, account, text).await?;
            return self.heard(dialog, stepped).await;
        }
        let now = self.inner.parts.clock.zoned(&self.actor.timezone);
        if self.inner.parts.engine.is_request(text, self.actor, &now) {
            self.set_aside(dialog).await?;
            return Ok(Heard::No);
        }
        let stepped = self.ask_again(dialog, form, super::ask::hint(form)).await?;
        self.heard(dialog, stepped).await
    }

    /// There is no key: the step goes on without it.
    pub(super) async fn go_without(&self, dialog: &Dialog, form: &Form) -> Result<Stepped, StoreError> {
        let Some(wanted) = &form.account else {
            return Ok(None);
        };
        let step = DialogStep {
            account: Some(GivenAccount {
                account: wanted.account,
                key: None,
            }),
            ..DialogStep::to(DialogState::Answered, dialog)
        };
        self.answer_with(dialog, form, Value::Null, step).await
    }

    /// The key is sealed with the same commit that takes the answer, and its message is taken back where that can be.
    async fn connect(&self, dialog: &Dialog, form: &Form, account: Account, key: &str) -> Result<Stepped, StoreError> {
        let message = self.inbound.message.clone();
        let step = DialogStep {
            account: Some(GivenAccount {
                account,
                key: Some(Secret::new(key.to_owned())),
            }),
            parcels: vec![parcel(dialog, Parcel::Delete { message })],
            ..DialogStep::to(DialogState::Answered, dialog)
        };
        self.answer_with(dialog, form, json!(account.as_str()), step).await
    }

    /// The label of the button, or a word that gives up.
    fn is_skip(&self, text: &str) -> bool {
        let language = self.inner.parts.engine.language();
        let said = language.normal(text);
        let is_label = crate::domain::lang::Lang::BUILT_IN
            .into_iter()
            .any(|lang| said == language.normal(&self.inner.say(lang, &Message::new("button-skip"))));
        is_label || self.is_cancel(FieldKind::Choice, text)
    }
}

/// One word of letters, digits and signs, as services write their keys.
fn is_key(text: &str) -> bool {
    ACCOUNT_KEY_CHARS.contains(&text.chars().count()) && text.chars().all(|sign| sign.is_ascii_graphic())
}
