//! The question for the password of a locked file. What is typed is taken out of the chat and goes along with the turn
//! that goes on, in memory: it becomes no answer, no row and no part of a plan. Whether it opens the file is found out
//! by the step itself, which asks again a few times.

use serde_json::json;

use super::{Answerer, Heard, Stepped, is_command};
use crate::{
    config::Secret,
    domain::{
        limits::{ANSWER_TRIES_MAX, FILE_PASSWORD_CHARS_MAX},
        message::Message,
        question::{FieldKind, Form, LOGIN_GIVEN},
    },
    store::{
        StoreError,
        dialogs::{Dialog, DialogState, DialogStep},
    },
};

impl Answerer<'_> {
    /// A typed message while the password of a file is asked for. Whatever is neither a no nor a command is one: taken
    /// for a request, it would be kept.
    pub(super) async fn hear_password(&self, dialog: &Dialog, form: &Form, text: &str) -> Result<Heard, StoreError> {
        let text = text.trim();
        if self.is_cancel(FieldKind::Choice, text) {
            let stepped = self.give_up(dialog, "question-cancelled").await?;
            return self.heard(dialog, stepped).await;
        }
        if is_command(text) {
            return Ok(Heard::No);
        }
        let is_possible = (1..=FILE_PASSWORD_CHARS_MAX).contains(&text.chars().count());
        let stepped = if is_possible {
            self.open_with(dialog, form, text).await?
        } else if form.tries + 1 >= ANSWER_TRIES_MAX {
            let over = Message::new("question-given-up");
            self.end_with(dialog, &over, Some(self.taken_back(dialog))).await?
        } else {
            self.once_more(dialog, form, &Message::new("hint-password")).await?
        };
        self.heard(dialog, stepped).await
    }

    /// The turn goes on with it.
    async fn open_with(&self, dialog: &Dialog, form: &Form, password: &str) -> Result<Stepped, StoreError> {
        let step = DialogStep {
            password: Some(Secret::new(password.to_owned())),
            parcels: vec![self.taken_back(dialog)],
            ..DialogStep::to(DialogState::Answered, dialog)
        };
        self.answer_with(dialog, form, json!(LOGIN_GIVEN), step).await
    }
}
