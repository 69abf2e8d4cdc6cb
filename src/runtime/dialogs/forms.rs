//! The questions of a form, one after the other: taps, typed answers, the next question, and the answer that is none.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Answerer, Heard, Stepped, after, answers, ask, is_command, parcel, ttl_ms, without_buttons};
use crate::{
    domain::{
        delivery::Parcel,
        kind::Class,
        limits::{ANSWER_NAME_WORDS_MAX, ANSWER_TRIES_MAX},
        message::Message,
        question::{Field, FieldKind, Form, Question},
        reply::{ButtonKind, Expects},
    },
    language::normal::was_question,
    store::{
        StoreError,
        dialogs::{Dialog, DialogState, DialogStep, NewSecret},
        outbox::NewParcel,
    },
};

impl Answerer<'_> {
    /// A tap on a button of a form; one of an earlier question comes too late.
    pub(super) async fn tap_form(&self, dialog: &Dialog, form: &Form, kind: ButtonKind) -> Result<Stepped, StoreError> {
        let open = |field: u8| usize::from(field) == form.at;
        let Some(field) = form.field() else {
            return Ok(None);
        };
        match kind {
            ButtonKind::Cancel { field: of } if open(of) && form.account.is_some() => {
                self.go_without(dialog, form).await
            }
            ButtonKind::Cancel { field: of } if open(of) => self.give_up(dialog, "question-cancelled").await,
            ButtonKind::Done { field: of } if open(of) => {
                let picked: Vec<&String> = form
                    .picked
                    .iter()
                    .filter_map(|index| field.options.get(*index))
                    .collect();
                if picked.is_empty() {
                    return Ok(Some("hint-pick-some"));
                }
                self.answer(dialog, form, json!(picked)).await
            }
            ButtonKind::Choose { field: of, option } if open(of) => {
                let option = usize::from(option);
                match field.kind {
                    FieldKind::YesNo => self.answer(dialog, form, json!(option == 0)).await,
                    FieldKind::MultiChoice => self.toggle(dialog, form, option).await,
                    FieldKind::Text
                    | FieldKind::Secret
                    | FieldKind::Choice
                    | FieldKind::Number
                    | FieldKind::Date
                    | FieldKind::FilePath
                    | FieldKind::Location => match field.options.get(option) {
                        Some(chosen) => self.answer(dialog, form, json!(chosen)).await,
                        None => Ok(None),
                    },
                }
            }
            ButtonKind::Confirm
            | ButtonKind::Reject
            | ButtonKind::Retry
            | ButtonKind::Approve
            | ButtonKind::Refuse
            | ButtonKind::Amend
            | ButtonKind::Choose { .. }
            | ButtonKind::Done { .. }
            | ButtonKind::Cancel { .. }
            | ButtonKind::Resend
            | ButtonKind::Keep
            | ButtonKind::Unlearn
            | ButtonKind::Task(_) => Ok(None),
        }
    }

    /// Marks an option, or takes the mark away, and shows it.
    async fn toggle(&self, dialog: &Dialog, form: &Form, option: usize) -> Result<Stepped, StoreError> {
        let mut form = form.clone();
        match form.picked.iter().position(|picked| *picked == option) {
            Some(at) => drop(form.picked.remove(at)),
            None => form.picked.push(option),
        }
        form.picked.sort_unstable();
        let mut parcels = Vec::new();
        if let Some(message) = self.inner.parts.store.answer_message(&dialog.turn).await? {
            let callbacks = self.inner.parts.store.callbacks_of(&dialog.turn).await?;
            let buttons = ask::buttons(&self.asker(), &form, &callbacks);
            parcels.push(parcel(
                dialog,
                Parcel::Keyboard {
                    message,
                    buttons,
                    words: None,
                },
            ));
        }
        let step = DialogStep {
            form: Some(form),
            parcels,
            ..DialogStep::to(DialogState::Waiting, dialog)
        };
        Ok(self.step(dialog, step).await?.then_some(""))
    }

    /// A typed message while a form is open.
    pub(super) async fn hear_field(&self, dialog: &Dialog, form: &Form, text: &str) -> Result<Heard, StoreError> {
        let Some(field) = form.field() else {
            return Ok(Heard::No);
        };
        if field.kind == FieldKind::Location {
            return self.hear_place(dialog, Some(form), text).await;
        }
        if form.login.is_some() {
            return Box::pin(self.hear_login(dialog, form, text)).await;
        }
        if form.password.is_some() {
            return self.hear_password(dialog, form, text).await;
        }
        if let Some(wanted) = &form.account {
            return self.hear_key(dialog, form, wanted.account, text).await;
        }
        if self.is_cancel(field.kind, text) {
            let stepped = self.give_up(dialog, "question-cancelled").await?;
            return self.heard(dialog, stepped).await;
        }
        if field.kind == FieldKind::Secret {
            let stepped = self.answer_secret(dialog, form, text).await?;
            return self.heard(dialog, stepped).await;
        }
        if is_command(text) {
            return Ok(Heard::No);
        }
        self.hear_value(dialog, form, field, text).await
    }

    /// A typed message that may be what the open question asks for.
    async fn hear_value(&self, dialog: &Dialog, form: &Form, field: &Field, text: &str) -> Result<Heard, StoreError> {
        // A text may begin with anything, and a yes or no is a whole message.
        let is_moment = field.about == Some(Class::Moment);
        if (is_moment || !matches!(field.kind, FieldKind::Text | FieldKind::YesNo))
            && let Some(heard) = self.hear_refusal(dialog, text).await?
        {
            return Ok(heard);
        }
        let now = self.inner.parts.clock.zoned(&self.actor.timezone);
        let engine = &self.inner.parts.engine;
        let is_said = |words: &str| {
            engine.language().are_said(words)
                || engine.language().confirmation(words).is_some()
                || engine.says_what_to_do(words, self.actor, &now)
        };
        let read = |text: &str| answers::read(field, text, engine.language(), self.actor.lang, &now, &is_said);
        let is_choice = matches!(field.kind, FieldKind::Choice | FieldKind::MultiChoice);
        let plain = is_choice.then(|| engine.language().plain_choice(text, field.options.len()));
        let is_place = matches!(field.about, Some(Class::Folder | Class::Target));
        let said = if is_place {
            engine.language().folder_in(text)
        } else {
            Some(text)
        };
        let answer = said.and_then(read).or_else(|| read(plain.as_deref()?));
        // What is moved keeps its name: a folder made of another one would be a surprise.
        let names_file = |answer: &Value| answer.as_str().is_some_and(answers::ends_in_file);
        let is_folder = field.about == Some(Class::Target) && field.var.contains("dir");
        let renames = || engine.language().names_it(text) && !engine.is_request(text, self.actor, &now);
        if is_folder && (answer.as_ref().is_some_and(names_file) || renames()) {
            let stepped = self.ask_again(dialog, form, "hint-only-folder").await?;
            return self.heard(dialog, stepped).await;
        }
        if let Some(answer) = answer {
            let stepped = self.answer(dialog, form, answer).await?;
            return self.heard(dialog, stepped).await;
        }
        // "put it in ~/docs" is a clumsy answer; a sentence with a verb is longer than any name.
        let is_long = field.kind == FieldKind::FilePath && text.split_whitespace().count() > ANSWER_NAME_WORDS_MAX;
        // "and b.tmp" answers nothing, and is no request of its own either.
        let only_adds = said.is_none();
        let is_later = engine.asks_for_later(text, self.actor, &now);
        let says = || engine.says_what_to_do(text, self.actor, &now);
        // Nobody says when with a question of their own.
        let asks = is_moment && was_question(text);
        let is_sentence = is_later || asks || (is_long || is_choice || is_moment || only_adds) && says();
        if is_sentence || !only_adds && engine.is_request(text, self.actor, &now) {
            self.set_aside(dialog).await?;
            return Ok(Heard::No);
        }
        let is_several = field.kind == FieldKind::Choice
            && plain.is_some_and(|plain| answers::names_several(&field.options, &plain, engine.language()));
        let key = if is_several { "hint-only-one" } else { ask::hint(form) };
        let stepped = self.ask_again(dialog, form, key).await?;
        self.heard(dialog, stepped).await
    }

    /// The open question has its answer: the next one is asked, or the turn goes on.
    async fn answer(&self, dialog: &Dialog, form: &Form, answer: Value) -> Result<Stepped, StoreError> {
        let step = DialogStep::to(DialogState::Answered, dialog);
        self.answer_with(dialog, form, answer, step).await
    }

    pub(super) async fn answer_with(
        &self,
        dialog: &Dialog,
        form: &Form,
        answer: Value,
        with: DialogStep,
    ) -> Result<Stepped, StoreError> {
        let form = form.clone().answered(answer);
        let mut step = with;
        let mut parcels: Vec<NewParcel> = without_buttons(self.inner, dialog).await?.into_iter().collect();
        parcels.append(&mut step.parcels);
        if form.field().is_some() {
            let (mut reply, callbacks) = ask::field(&self.asker(), &dialog.id, &dialog.turn, &form);
            if reply.expects == Expects::Anything {
                reply.expects = after(dialog);
            }
            let question = Question::Form(Box::new(form.clone()));
            step.state = DialogState::Waiting;
            let now_ms = self.inner.parts.clock.now_ms();
            step.expires_ms = Some(now_ms.saturating_add(ttl_ms(self.inner, &question)));
            step.callbacks = callbacks;
            parcels.push(NewParcel {
                turn: Some(dialog.turn.clone()),
                ..self.reply_parcel(dialog, reply)
            });
        } else {
            step.errand = Some(self.errand(dialog));
            if dialog.question.wants_location() {
                parcels.push(self.said(dialog, &Message::new("location-thanks"), after(dialog)));
            }
        }
        step.form = Some(form);
        step.parcels = parcels;
        Ok(self.step(dialog, step).await?.then_some("answer-taken"))
    }

    /// A secret is sealed with the same commit that takes the answer, and its message is taken back where that can be.
    async fn answer_secret(&self, dialog: &Dialog, form: &Form, text: &str) -> Result<Stepped, StoreError> {
        let id = Uuid::new_v4().simple().to_string();
        let name = form.field().map(|field| field.var.clone()).unwrap_or_default();
        let message = self.inbound.message.clone();
        let answer = json!(format!("secret:{id}"));
        let step = DialogStep {
            secret: Some(NewSecret {
                id,
                name,
                value: text.to_owned(),
            }),
            parcels: vec![parcel(dialog, Parcel::Delete { message })],
            ..DialogStep::to(DialogState::Answered, dialog)
        };
        self.answer_with(dialog, form, answer, step).await
    }

    /// The answer is none: the question stays open a few times, then it is given up.
    pub(super) async fn ask_again(
        &self,
        dialog: &Dialog,
        form: &Form,
        hint: &'static str,
    ) -> Result<Stepped, StoreError> {
        if form.tries + 1 >= ANSWER_TRIES_MAX {
            return self.give_up(dialog, "question-given-up").await;
        }
        let mut form = form.clone();
        form.tries += 1;
        let step = DialogStep {
            form: Some(form),
            parcels: vec![self.said(dialog, &Message::new(hint), Expects::Anything)],
            ..DialogStep::to(DialogState::Waiting, dialog)
        };
        Ok(self.step(dialog, step).await?.then_some(""))
    }
}
