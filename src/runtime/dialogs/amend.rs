//! *Change* under a card: what goes out is written anew by the person, and shown again before it goes. The plan that
//! waits is put off until its words were asked for; nothing of it is done meanwhile. Called by `dialogs`.

use serde_json::{Map, Value, json};

use super::{Answerer, Stepped, without_buttons};
use crate::{
    domain::{
        kind::Class,
        manifest::{Effect, Manifest},
        message::Message,
        question::{FieldKind, Question},
        vocabulary::{Object, Verb},
    },
    runtime::Inner,
    store::{
        StoreError,
        dialogs::{Dialog, DialogState, DialogStep, Paused},
    },
};

/// The name under which the new words are found.
const WORDS: &str = "words";

/// The words of a plan of one step that go out as they are: its executor, their argument, and themselves.
fn words_of<'p>(inner: &Inner, plan: &'p Value) -> Option<(&'p Map<String, Value>, String, &'p str)> {
    let steps = plan.get("steps")?.as_array()?;
    let [step] = steps.as_slice() else { return None };
    let args = step.get("args")?.as_object()?;
    let catalog = inner.parts.engine.catalog.current();
    let manifest = catalog.get(&step.get("tool")?.as_str()?.into())?;
    let arg = said_out(manifest)?;
    let words = args.get(&arg)?.as_str()?;
    // What is still to be filled in is nobody's words yet.
    (!words.contains("${")).then_some((args, arg, words))
}

/// The argument of an executor whose text goes out to others.
fn said_out(manifest: &Manifest) -> Option<String> {
    let is_out = manifest.effect == Effect::Outbound;
    let mut texts = manifest.args.iter().filter(|arg| arg.class() == Class::Text);
    let arg = texts.next().filter(|_| is_out)?;
    Some(arg.name.clone())
}

/// Whether a card may be changed.
pub(super) fn is_possible(inner: &Inner, dialog: &Dialog) -> bool {
    let is_card = matches!(dialog.question, Question::Approval { .. }) && dialog.decider.is_none();
    is_card && dialog.payload.done.is_empty() && words_of(inner, &dialog.payload.plan).is_some()
}

/// Whether these words are those of the button.
pub(super) fn is_said(by: &Answerer<'_>, text: &str) -> bool {
    by.is_label(text, "button-change")
}

impl Answerer<'_> {
    /// Asks for the new words.
    pub(super) async fn amend(&self, dialog: &Dialog) -> Result<Stepped, StoreError> {
        let Some(plan) = self.amended(dialog) else {
            return Ok(None);
        };
        let step = DialogStep {
            payload: Some(Paused {
                plan,
                done: Vec::new(),
                of_the_moment: true,
                ..dialog.payload.clone()
            }),
            errand: Some(self.errand(dialog)),
            parcels: without_buttons(self.inner, dialog).await?.into_iter().collect(),
            ..DialogStep::to(DialogState::Answered, dialog)
        };
        Ok(self.step(dialog, step).await?.then_some(""))
    }

    /// The plan with a question for its words before it.
    fn amended(&self, dialog: &Dialog) -> Option<Value> {
        let plan = &dialog.payload.plan;
        let (args, arg, words) = words_of(self.inner, plan).filter(|_| is_possible(self.inner, dialog))?;
        let catalog = self.inner.parts.engine.catalog.current();
        let asks = |manifest: &&std::sync::Arc<Manifest>| {
            (manifest.verb, manifest.object) == (Some(Verb::Get), Some(Object::Inputs))
        };
        let asker = catalog.all().iter().find(asks)?;
        let prompt = self.inner.say(self.actor.lang, &Message::new("approval-new-words"));
        let fields = json!([{"var": WORDS, "kind": FieldKind::Text, "prompt": prompt}]);
        // What was taken from the old words goes with them: the subject of a mail.
        let is_of_them = |(name, value): &(&String, &Value)| {
            let text = value.as_str().map(|text| text.trim_end_matches('…'));
            **name != arg && text.is_some_and(|text| !text.is_empty() && words.starts_with(text))
        };
        let mut kept: Map<String, Value> = args
            .iter()
            .filter(|own| !is_of_them(own))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        kept.insert(arg, json!(format!("${{step1.values.{WORDS}}}")));
        let step = plan.get("steps")?.get(0)?;
        let asked = json!({"tool": asker.name, "args": {asker.args.first()?.name.clone(): fields}});
        let sent = json!({"tool": step.get("tool")?, "args": kept});
        Some(json!({"steps": [asked, sent]}))
    }
}
