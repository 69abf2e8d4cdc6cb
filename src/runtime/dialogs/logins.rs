//! The questions for an account of the person's own: where it is, and its password. What is typed as a password is
//! taken out of the chat, tried out, and sealed with the same commit that takes the answer; it is kept only if it
//! works.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Answerer, Heard, Stepped, is_command, parcel, without_buttons};
use crate::{
    config::Secret,
    domain::{
        account::Service,
        actor::Role,
        delivery::Parcel,
        failure::ToolError,
        message::Message,
        question::{FieldKind, Form, LOGIN_GIVEN},
        reply::Expects,
    },
    engine::accounts::{Found, Given},
    store::{
        StoreError,
        dialogs::{Dialog, DialogState, DialogStep},
        outbox::NewParcel,
        person_accounts::NewPersonAccount,
    },
};

/// What was found out while the questions were asked; beside the answers, and never an answer itself.
const SERVERS: &str = "servers";

impl Answerer<'_> {
    /// A typed message while an account of the person's own is asked for.
    pub(super) async fn hear_login(&self, dialog: &Dialog, form: &Form, text: &str) -> Result<Heard, StoreError> {
        let (Some(wanted), Some(field)) = (&form.login, form.field()) else {
            return Ok(Heard::No);
        };
        let text = text.trim();
        if self.is_cancel(FieldKind::Choice, text) {
            let stepped = self.give_up(dialog, "question-cancelled").await?;
            return self.heard(dialog, stepped).await;
        }
        if is_command(text) {
            return Ok(Heard::No);
        }
        let is_secret = field.kind == FieldKind::Secret;
        if !is_secret && text.contains(char::is_whitespace) {
            // No part of an account has a space in it: something else was said.
            self.set_aside(dialog).await?;
            return Ok(Heard::No);
        }
        let given = |var: &str| {
            form.answers
                .get(var)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let stepped = match (wanted.service, field.var.as_str()) {
            (service, "password") => self.take_password(dialog, form, service, text).await?,
            (service, "address") => self.take_address(dialog, form, service, text).await?,
            (Service::Mail, "smtp") => {
                let named = self
                    .inner
                    .parts
                    .engine
                    .mail_servers_named(&given("address"), &given("imap"), text)
                    .await;
                match named {
                    Ok(servers) => self.answer_knowing(dialog, form, text, Some(servers), None).await?,
                    Err(error) => self.end_with(dialog, &error.message, None).await?,
                }
            }
            (_, _) => self.answer_knowing(dialog, form, text, None, None).await?,
        };
        self.heard(dialog, stepped).await
    }

    async fn take_address(
        &self,
        dialog: &Dialog,
        form: &Form,
        service: Service,
        text: &str,
    ) -> Result<Stepped, StoreError> {
        let is_host = self.actor.role == Role::Host;
        match self.inner.parts.engine.find_service(service, text, is_host).await {
            Ok(Found::There { servers, hint }) => self.answer_knowing(dialog, form, text, servers, hint).await,
            Ok(Found::NotThere(why)) => self.end_with(dialog, &why, None).await,
            Ok(Found::Unknown(asked)) => {
                let mut form = form.clone();
                for var in asked.iter().rev() {
                    form = form.asking_next(var);
                }
                self.answer_knowing(dialog, &form, text, None, None).await
            }
            Ok(Found::NoAddress) => {
                let hint = match service {
                    Service::Homeassistant => "hint-login-homeassistant",
                    Service::Mail | Service::Caldav | Service::Carddav | Service::Calendar => "hint-login-address",
                };
                self.ask_again(dialog, form, hint).await
            }
            Err(error) => self.end_with(dialog, &error.message, None).await,
        }
    }

    /// Tries a password out. One that is refused is asked for again; either way it is taken out of the chat.
    async fn take_password(
        &self,
        dialog: &Dialog,
        form: &Form,
        service: Service,
        text: &str,
    ) -> Result<Stepped, StoreError> {
        let given = Given {
            service,
            answers: form.answers.clone(),
            servers: form.answers.get(SERVERS).cloned().unwrap_or_default(),
            secret: Secret::new(text.to_owned()),
            id: Uuid::new_v4().simple().to_string().into(),
        };
        match self.inner.parts.engine.try_account(given).await {
            Ok(account) => self.keep_login(dialog, form, account).await,
            Err(error) => self.refuse_password(dialog, form, &error).await,
        }
    }

    async fn keep_login(&self, dialog: &Dialog, form: &Form, account: NewPersonAccount) -> Result<Stepped, StoreError> {
        let told = Message::new("login-kept").with("account", account.name.as_str());
        let step = DialogStep {
            login: Some(account),
            parcels: vec![self.taken_back(dialog), self.said(dialog, &told, Expects::Anything)],
            ..DialogStep::to(DialogState::Answered, dialog)
        };
        let mut form = form.clone();
        form.answers.remove(SERVERS);
        self.answer_with(dialog, &form, json!(LOGIN_GIVEN), step).await
    }

    async fn refuse_password(&self, dialog: &Dialog, form: &Form, error: &ToolError) -> Result<Stepped, StoreError> {
        use crate::domain::{failure::ErrorClass, limits::ANSWER_TRIES_MAX};
        let is_over = error.class != ErrorClass::AuthRequired || form.tries + 1 >= ANSWER_TRIES_MAX;
        if is_over {
            return self
                .end_with(dialog, &error.message, Some(self.taken_back(dialog)))
                .await;
        }
        let again = Message::new("login-again").with("why", error.message.clone());
        self.once_more(dialog, form, &again).await
    }

    /// What was typed is no password that can be used: it is taken out of the chat, and asked for again.
    pub(super) async fn once_more(&self, dialog: &Dialog, form: &Form, again: &Message) -> Result<Stepped, StoreError> {
        let mut form = form.clone();
        form.tries += 1;
        let step = DialogStep {
            form: Some(form),
            parcels: vec![self.taken_back(dialog), self.said(dialog, again, Expects::Secret)],
            ..DialogStep::to(DialogState::Waiting, dialog)
        };
        Ok(self.step(dialog, step).await?.then_some(""))
    }

    /// Takes an answer, with what was found out through it.
    async fn answer_knowing(
        &self,
        dialog: &Dialog,
        form: &Form,
        text: &str,
        servers: Option<Value>,
        hint: Option<Message>,
    ) -> Result<Stepped, StoreError> {
        let mut form = form.clone();
        if let Some(servers) = servers {
            form.answers.insert(SERVERS.to_owned(), servers);
        }
        let step = DialogStep {
            parcels: hint
                .iter()
                .map(|hint| self.said(dialog, hint, Expects::Anything))
                .collect(),
            ..DialogStep::to(DialogState::Answered, dialog)
        };
        // A calendar that is only read has no password: its address is all there is.
        let is_last = form.at + 1 >= form.fields.len();
        if let Some(wanted) = form.login.as_ref().filter(|_| is_last) {
            let mut answers = form.answers.clone();
            if let Some(field) = form.field() {
                answers.insert(field.var.clone(), json!(text));
            }
            let given = Given {
                service: wanted.service,
                servers: answers.get(SERVERS).cloned().unwrap_or_default(),
                answers,
                secret: Secret::new(String::new()),
                id: Uuid::new_v4().simple().to_string().into(),
            };
            return match self.inner.parts.engine.try_account(given).await {
                Ok(account) => self.keep_login(dialog, &form, account).await,
                Err(error) => self.end_with(dialog, &error.message, None).await,
            };
        }
        self.answer_with(dialog, &form, json!(text), step).await
    }

    /// The question is over with these words.
    pub(super) async fn end_with(
        &self,
        dialog: &Dialog,
        why: &Message,
        also: Option<NewParcel>,
    ) -> Result<Stepped, StoreError> {
        let mut parcels: Vec<NewParcel> = without_buttons(self.inner, dialog).await?.into_iter().collect();
        parcels.extend(also);
        parcels.push(self.said(dialog, why, Expects::Anything));
        let step = DialogStep {
            parcels,
            ..DialogStep::to(DialogState::Refused, dialog)
        };
        Ok(self.step(dialog, step).await?.then_some(""))
    }

    pub(super) fn taken_back(&self, dialog: &Dialog) -> NewParcel {
        let message = self.inbound.message.clone();
        parcel(dialog, Parcel::Delete { message })
    }
}
