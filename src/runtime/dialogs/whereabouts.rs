//! The question where somebody is: answered by a shared point, by two numbers, or by an address or a city that the geo
//! service knows.

use serde_json::json;

use super::{Answerer, Heard, Stepped, after, is_command};
use crate::{
    domain::{
        location::{LocationSource, SharedLocation, Sharing},
        message::Message,
        place::{Place, Point},
        question::{FieldKind, Form, Question},
        reply::{Expects, Reply},
    },
    store::{
        StoreError,
        dialogs::{Dialog, DialogState, DialogStep},
    },
};

impl Answerer<'_> {
    /// A typed message while a location is wanted, by itself or by the open question of a form.
    pub(super) async fn hear_place(
        &self,
        dialog: &Dialog,
        form: Option<&Form>,
        text: &str,
    ) -> Result<Heard, StoreError> {
        if self.is_cancel(FieldKind::Location, text) {
            let stepped = self.give_up(dialog, "question-cancelled").await?;
            return self.heard(dialog, stepped).await;
        }
        if is_command(text) {
            return Ok(Heard::No);
        }
        if let Some(heard) = self.hear_refusal(dialog, text).await? {
            return Ok(heard);
        }
        let now = self.inner.parts.clock.zoned(&self.actor.timezone);
        let engine = &self.inner.parts.engine;
        if let Some(point) = Point::parse(text) {
            let shared = self.typed(point, None);
            let stepped = self.locate(dialog, &shared, Message::new("location-thanks")).await?;
            return self.heard(dialog, stepped).await;
        }
        if engine.is_no_place(text, self.actor, &now) {
            self.set_aside(dialog).await?;
            return Ok(Heard::No);
        }
        match engine.places.geocode(text, self.actor.lang, None).await {
            Ok(places) => match places.first() {
                Some(place) => {
                    let shared = self.typed(place.point, Some(name_of(place)));
                    let message = Message::new("location-taken").with("place", name_of(place));
                    let stepped = self.locate(dialog, &shared, message).await?;
                    self.heard(dialog, stepped).await
                }
                None => match form {
                    Some(form) => {
                        let stepped = self.ask_again(dialog, form, super::ask::hint(form)).await?;
                        self.heard(dialog, stepped).await
                    }
                    None => Ok(self.still_open(&Message::new("location-no-such-place"))),
                },
            },
            Err(error) => {
                tracing::warn!(%error, "a typed place was not looked up");
                let why = error.to_tool_error().message;
                Ok(self.still_open(&Message::new("location-not-looked-up").with("why", why)))
            }
        }
    }

    /// The question stays as it is; the person hears what was wrong with the answer.
    fn still_open(&self, message: &Message) -> Heard {
        Heard::Yes(Some(Reply::text(self.inner.say(self.actor.lang, message))))
    }

    /// The person is here: kept as their location, and the turn goes on.
    pub(super) async fn locate(
        &self,
        dialog: &Dialog,
        shared: &SharedLocation,
        thanks: Message,
    ) -> Result<Stepped, StoreError> {
        let step = DialogStep {
            location: Some(shared.clone()),
            ..DialogStep::to(DialogState::Answered, dialog)
        };
        if let Question::Form(form) = &dialog.question {
            let answer = json!({
                "latitude": shared.point.latitude(),
                "longitude": shared.point.longitude(),
                "label": shared.label,
            });
            return self.answer_with(dialog, form, answer, step).await;
        }
        let expects: Expects = after(dialog);
        let step = DialogStep {
            errand: Some(self.errand(dialog)),
            parcels: vec![self.said(dialog, &thanks, expects)],
            ..step
        };
        Ok(self.step(dialog, step).await?.then_some(""))
    }

    fn typed(&self, point: Point, label: Option<String>) -> SharedLocation {
        SharedLocation {
            point,
            accuracy_m: None,
            captured_ms: self.inner.parts.clock.now_ms(),
            sharing: Sharing::Once,
            source: LocationSource::Typed,
            label,
        }
    }
}

/// The name of a place with as much of its address as tells it from others.
fn name_of(place: &Place) -> String {
    if place.address.is_empty() || place.address.starts_with(&place.name) {
        let longer = if place.address.is_empty() {
            &place.name
        } else {
            &place.address
        };
        return longer.clone();
    }
    format!("{}, {}", place.name, place.address)
}
