//! How a drafted tool is asked for: in the words of the requests it grew out of, with a place for each of their values.
//! Pure. A request whose values do not say every argument is no way to ask for it.

use serde_json::{Map, Value};

use super::{Parameter, Spoken};
use crate::{
    domain::frame::{FrameSpec, Said, SaidValue},
    nights::promotion::cluster::{Cluster, Member},
};

/// Most ways to ask for one tool.
const FRAMES_MAX: usize = 12;

/// The words of each member, once each.
pub(super) fn of(
    cluster: &Cluster,
    parameters: &[Parameter],
    name: &str,
    said: &dyn Fn(&str) -> Vec<Spoken>,
) -> Vec<FrameSpec> {
    let mut all: Vec<Said> = Vec::new();
    for member in &cluster.members {
        for (words, values) in said(&member.text) {
            let one = asked(words, &values, member, parameters);
            all.extend(one.filter(|one| !all.contains(one)));
        }
    }
    let deed = name.split('_').next().unwrap_or_default();
    let frames = all.into_iter().take(FRAMES_MAX).map(|said| FrameSpec {
        deed: deed.to_owned(),
        says: Vec::new(),
        rest: false,
        set: Map::new(),
        slots: Vec::new(),
        then: Vec::new(),
        adds: false,
        said: Some(said),
    });
    frames.collect()
}

/// The words of a member with what each value is; `None` where an argument is in none of them.
fn asked(words: String, values: &[Value], member: &Member, parameters: &[Parameter]) -> Option<Said> {
    let holds = |one: &Parameter, value: &Value| {
        let args = super::args_of(&member.plan, one.step);
        args.get(&one.arg).is_some_and(|own| is_same(own, value))
    };
    let values: Vec<SaidValue> = values
        .iter()
        .map(|value| {
            let taking = parameters.iter().filter(|one| holds(one, value));
            let args: Vec<String> = taking.map(|one| one.spec.name.clone()).collect();
            SaidValue {
                is: args.is_empty().then(|| value.clone()),
                args,
            }
        })
        .collect();
    let is_said = |one: &Parameter| values.iter().any(|value| value.args.contains(&one.spec.name));
    parameters.iter().all(is_said).then_some(Said { words, values })
}

/// A value as an argument holds it; a number may be a text there.
fn is_same(own: &Value, value: &Value) -> bool {
    match (own, value) {
        (Value::String(text), Value::Number(number)) => *text == number.to_string(),
        (Value::Number(own), Value::Number(value)) => own.as_f64() == value.as_f64(),
        (own, value) => own == value,
    }
}
