//! Locked files in a run: which step gets the password that its person gave, how often one may be tried, and what is
//! asked of them. Called by `state` and the driver. A password is handed out once, to the step that waited for it; it
//! is never part of arguments, records or what is asked.

use serde_json::{Map, Value};

use crate::{
    config::Secret,
    domain::{
        failure::{ErrorClass, ToolError},
        ids::{OperationHash, StepId},
        limits::ANSWER_TRIES_MAX,
        message::Message,
        outcome::Asks,
        plan::Step,
        question::{Form, WantedPassword},
    },
};

use super::{RunState, outcome::asks_of};

/// A step that waited for the password of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Unlocking {
    step: StepId,
    /// How many were tried so far.
    tries: u32,
    password: Option<Secret>,
}

impl Unlocking {
    /// This step goes on after so many passwords, with another one unless that was lost with the process.
    pub fn new(step: StepId, tries: u32, password: Option<Secret>) -> Self {
        Self { step, tries, password }
    }
}

impl RunState<'_> {
    /// The password that was given for this step; once.
    pub fn password_for(&mut self, step: StepId) -> Option<Secret> {
        let unlocking = self.unlocking.as_mut().filter(|unlocking| unlocking.step == step)?;
        let password = unlocking.password.take()?;
        unlocking.tries += 1;
        Some(password)
    }

    /// What the person has to say before a step that failed like this can run. A file that none of a few passwords
    /// opens stays closed, and its error says so.
    pub(super) fn asks(
        &self,
        step: &Step,
        operation: &OperationHash,
        args: &Map<String, Value>,
        error: Option<&mut ToolError>,
    ) -> Option<Asks> {
        let error = error?;
        if !error.wants_password {
            return asks_of(error, args);
        }
        let waited = self.unlocking.as_ref().filter(|unlocking| unlocking.step == step.id);
        let tries = waited.map_or(0, |unlocking| unlocking.tries);
        let about = |key: &str| Message {
            args: error.message.args.clone(),
            ..Message::new(key)
        };
        if tries >= ANSWER_TRIES_MAX {
            *error = ToolError::new(ErrorClass::Refused, about("unlock-over"));
            return None;
        }
        let form = Form::for_password(WantedPassword {
            why: about(if tries == 0 { "unlock-why" } else { "unlock-wrong" }),
            tries,
            approved: self.begun.clone().filter(|begun| begun == operation),
        });
        Some(Asks::Form(Box::new(form)))
    }
}
