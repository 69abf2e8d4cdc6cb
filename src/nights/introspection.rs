//! What memory notices about itself: an argument that is nearly always the same, and passages that lead to or from
//! nothing. `propose` only notes it; `apply` lets the model know of a habit that is beyond doubt. Called by their jobs.
//! A habit changes no plan that is remembered, and says nothing where a request says otherwise.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::{
    domain::{
        ids::{ActorId, ExecutorName},
        kind::Class,
        limits::{HABIT_LOOKS_BACK, HABIT_SHARE_MIN, HABIT_USES_MIN},
        manifest::{ArgSpec, Manifest},
        passage::PassageState,
        plan::Plan,
        proposal::{ProposalKind, ProposalState},
        reference::Argument,
    },
    nights::promoter::{Promoter, PromoterError},
    store::{passages::PassageRow, proposals::Found},
};

/// What is worth noting: less than what is worth acting on.
const NOTED_SHARE_MIN: f64 = 0.8;
/// The same for uses.
const NOTED_USES_MIN: usize = 15;
/// New ones a night.
const NEW_MAX: usize = 5;

/// Tools by name.
type Tools<'a> = &'a dyn Fn(&ExecutorName) -> Option<std::sync::Arc<Manifest>>;

/// Notes tonight's; how many are new.
pub async fn propose(promoter: &Promoter<'_>) -> Result<usize, PromoterError> {
    let now_ms = promoter.clock.now_ms();
    let back_ms = i64::try_from(HABIT_LOOKS_BACK.as_millis()).unwrap_or(i64::MAX);
    let plans = promoter.store.plans_since(now_ms.saturating_sub(back_ms)).await?;
    let catalog = promoter.catalog.current();
    let mut found = habits(&plans, &|name| catalog.get(name).cloned());
    // A tool that is refused for the moment may be back tomorrow.
    if catalog.is_whole() {
        let passages = promoter.store.passages(None).await?;
        found.extend(dead_ends(&passages, &|name| catalog.get(name).is_some()));
    }
    Ok(promoter.store.propose(found, NEW_MAX, now_ms).await?)
}

/// Lets the model know of what is beyond doubt; how many.
pub async fn apply(promoter: &Promoter<'_>) -> Result<usize, PromoterError> {
    let mut applied = 0;
    for row in promoter.store.proposals(&[ProposalState::Candidate]).await? {
        let number = |key: &str| row.payload.get(key).and_then(Value::as_f64).unwrap_or_default();
        let is_beyond_doubt = number("share") >= HABIT_SHARE_MIN && number("uses") >= f64::from(HABIT_USES_MIN);
        if row.kind == ProposalKind::Specialize && is_beyond_doubt && !promoter.promoter.dry_run {
            applied += usize::from(promoter.adopt(&row).await?);
        }
    }
    Ok(applied)
}

/// A value of one kind may be a habit: a switch, a choice, or how many. Names and places never are.
fn may_be_habit(spec: &ArgSpec) -> bool {
    !spec.required && !spec.runtime_resolved && matches!(spec.class(), Class::Choice | Class::Number)
}

/// Arguments that are nearly always the same, each with how often.
fn habits(plans: &[(ActorId, Value)], tools: Tools<'_>) -> Vec<Found> {
    let mut uses: BTreeMap<(ActorId, ExecutorName), usize> = BTreeMap::new();
    let mut values: BTreeMap<(ActorId, ExecutorName, String, String), usize> = BTreeMap::new();
    for (actor, plan) in plans {
        let Ok(plan) = Plan::from_json(plan) else { continue };
        for step in &plan.steps {
            let Some(manifest) = tools(&step.tool) else { continue };
            *uses.entry((actor.clone(), step.tool.clone())).or_default() += 1;
            for (name, argument) in &step.args {
                if let (Argument::Literal(value), Some(spec)) = (argument, manifest.arg(name))
                    && may_be_habit(spec)
                {
                    let key = (actor.clone(), step.tool.clone(), name.clone(), value.to_string());
                    *values.entry(key).or_default() += 1;
                }
            }
        }
    }
    let found = values.into_iter().filter_map(|((actor, tool, arg, value), times)| {
        let all = *uses.get(&(actor.clone(), tool.clone()))?;
        let share = f64::from(u32::try_from(times).ok()?) / f64::from(u32::try_from(all).ok()?);
        (share >= NOTED_SHARE_MIN && times >= NOTED_USES_MIN).then(|| Found {
            actor,
            kind: ProposalKind::Specialize,
            key: format!("{tool}|{arg}|{value}"),
            payload: json!({"tool": tool, "arg": arg, "value": value, "share": share, "uses": times}),
        })
    });
    found.collect()
}

/// Passages one of whose ends is no tool any more; each pair once.
fn dead_ends(passages: &[PassageRow], is_there: &dyn Fn(&ExecutorName) -> bool) -> Vec<Found> {
    let mut seen = BTreeSet::new();
    let dead = passages.iter().filter(|row| row.strength.state != PassageState::Proto);
    let dead = dead.filter(|row| !is_there(&row.source) || !is_there(&row.target));
    let found = dead.filter_map(|row| {
        let key = format!("{}|{}", row.source, row.target);
        seen.insert((row.actor.clone(), key.clone())).then(|| Found {
            actor: row.actor.clone(),
            kind: ProposalKind::Dedupe,
            key,
            payload: json!({"source": row.source, "target": row.target}),
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::passage::Strength, engine::fixtures::shipped};

    fn sorted(actor: &str, desc: bool) -> (ActorId, Value) {
        let plan = json!({"steps": [
            {"tool": "list_dirs", "args": {"path": "~/docs"}},
            {"tool": "sort_entries", "args": {"from_step": 1, "by": "size", "desc": desc}}
        ]});
        (ActorId::from(actor), plan)
    }

    fn found(plans: &[(ActorId, Value)]) -> Vec<(String, f64)> {
        let all = shipped();
        let tools = |name: &ExecutorName| all.iter().find(|one| one.name == *name).cloned();
        let share = |found: &Found| found.payload["share"].as_f64().unwrap();
        habits(plans, &tools)
            .iter()
            .map(|one| (one.key.clone(), share(one)))
            .collect()
    }

    #[test]
    fn what_is_nearly_always_the_same_is_noted_for_each_person() {
        let mut plans: Vec<_> = (0..18).map(|_| sorted("host", true)).collect();
        assert_eq!(found(&plans), [("sort_entries|desc|true".to_owned(), 1.0)]);
        plans.extend((0..2).map(|_| sorted("host", false)));
        assert_eq!(found(&plans), [("sort_entries|desc|true".to_owned(), 0.9)]);
        plans.extend((0..4).map(|_| sorted("host", false)));
        assert_eq!(found(&plans), [], "three of four is no habit");
        let few: Vec<_> = (0..14)
            .map(|_| sorted("host", true))
            .chain((0..14).map(|_| sorted("anna", true)))
            .collect();
        assert_eq!(found(&few), [], "one person's habit is nobody else's");
    }

    #[test]
    fn a_passage_without_an_end_is_noted_once() {
        let row = |source: &str, target: &str, state: PassageState| PassageRow {
            actor: ActorId::from("host"),
            source: source.into(),
            target: target.into(),
            strength: Strength {
                state,
                weight: 0.6,
                weighed_ms: 0,
                uses: 4,
            },
            first_ms: 0,
            request: String::new(),
        };
        let passages = [
            row("list_dirs", "sort_entries", PassageState::Active),
            row("list_dirs", "gone_tool", PassageState::Active),
            row("list_dirs", "wished_tool", PassageState::Proto),
        ];
        let dead = dead_ends(&passages, &|name| {
            name.as_str().ends_with("dirs") || name.as_str().ends_with("entries")
        });
        let keys: Vec<&str> = dead.iter().map(|one| one.key.as_str()).collect();
        assert_eq!(keys, ["list_dirs|gone_tool"]);
    }
}
