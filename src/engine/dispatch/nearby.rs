//! The part of the cascade that opens what is nearly called so: where a look found nothing under a name and one file
//! alone is near it, that one is looked at, and the answer says so. Nothing that changes anything is ever done to it.

use serde_json::Value;

use crate::{
    domain::{
        failure::ErrorClass,
        ids::StepId,
        kind::Class,
        message::Message,
        plan::{Plan, Validated},
        reference::Argument,
        run::StepRecord,
    },
    engine::{
        dispatch::Cascade,
        plan_executor::report::{RunEnd, RunReport},
        validator::Grounding,
    },
};

/// A value of a plan and the one that stands for it.
struct Instead {
    step: StepId,
    arg: String,
    /// Where the argument is a list.
    index: Option<usize>,
    said: String,
    value: String,
}

impl Cascade<'_> {
    /// The same look at what is near; once a turn.
    pub(super) fn nearby(&mut self, report: &RunReport) -> Option<Plan<Validated>> {
        if self.nearly.stands_for.is_some() || !self.catalog.only_looks(&report.plan) {
            return None;
        }
        let instead = match &report.end {
            RunEnd::Completed => report.records.iter().find_map(near_name),
            RunEnd::Failed { error, .. } if error.class == ErrorClass::NotFound => self.near_path(report),
            RunEnd::Failed { .. } | RunEnd::Paused(_) | RunEnd::Stopped(_) => None,
        }?;
        let mut json = report.plan.to_json();
        let steps = json.get_mut("steps")?.as_array_mut()?;
        let at = report.plan.steps.iter().position(|step| step.id == instead.step)?;
        let arg = steps.get_mut(at)?.get_mut("args")?.get_mut(&instead.arg)?;
        let place = match instead.index {
            Some(index) => arg.get_mut(index)?,
            None => arg,
        };
        *place = Value::String(instead.value.clone());
        let plan = Plan::from_json(&json).ok()?;
        let plan = self.validate_covering(plan, Grounding::Approved, &[]).ok()?;
        self.note(format!("nearby: {} for {}", instead.value, instead.said));
        self.nearly.stands_for = Some(
            Message::new("note-near-taken")
                .with("said", instead.said)
                .with("name", instead.value),
        );
        Some(plan)
    }

    /// The file that a path which is not there is one slip away from.
    fn near_path(&self, report: &RunReport) -> Option<Instead> {
        let failed = report.records.iter().rev().find(|record| !record.result.is_ok())?;
        let step = report.plan.steps.iter().find(|step| step.id == failed.id)?;
        let manifest = self.catalog.get(&step.tool)?;
        let mut slips = manifest
            .args
            .iter()
            .filter(|arg| arg.class() == Class::File)
            .flat_map(|arg| {
                let said = literals(failed.raw_args.get(&arg.name));
                let missing = said.into_iter().filter(|(_, said)| !self.home.files().contains(said));
                missing
                    .map(|(index, said)| (arg.name.clone(), index, said))
                    .collect::<Vec<_>>()
            });
        let (arg, index, said) = slips.next().filter(|_| slips.next().is_none())?;
        let value = self.things.iter().find_map(|things| things.near_id(&said))?;
        Some(Instead {
            step: step.id,
            arg,
            index,
            said,
            value,
        })
    }
}

/// What a step that found nothing says is near, and for which argument.
fn near_name(record: &StepRecord) -> Option<Instead> {
    let (arg, value) = record.result.body.get("near")?.as_object()?.iter().next()?;
    let said = record.raw_args.get(arg)?.as_str()?;
    let value = value.as_str().filter(|value| *value != said)?;
    Some(Instead {
        step: record.id,
        arg: arg.clone(),
        index: None,
        said: said.to_owned(),
        value: value.to_owned(),
    })
}

/// The texts that an argument writes out, each with its place where it is a list.
fn literals(value: Option<&Value>) -> Vec<(Option<usize>, String)> {
    match value {
        Some(Value::String(text)) => vec![(None, text.clone())],
        Some(Value::Array(texts)) => {
            let texts = texts.iter().enumerate();
            texts
                .filter_map(|(at, text)| Some((Some(at), text.as_str()?.to_owned())))
                .collect()
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => Vec::new(),
    }
}

/// The texts an argument writes out.
pub(super) fn literal_texts(argument: &Argument) -> Vec<String> {
    match argument {
        Argument::Literal(Value::String(text)) => vec![text.clone()],
        Argument::Literal(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Argument::Literal(_) | Argument::Reference(_) | Argument::Text(_) | Argument::List(_) | Argument::Object(_) => {
            Vec::new()
        }
    }
}
