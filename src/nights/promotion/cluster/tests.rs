//! Families of plans as tables.

use serde_json::json;

use super::*;

const NOW: i64 = 1_000 * DAY_MS;
const RULES: PromotionConfig = PromotionConfig {
    min_cluster: 3,
    min_uses: 15,
    min_age_days: 30,
    max_per_night: 3,
    autopromote: true,
};

fn row(actor: &str, text: &str, plan: &Value, uses: u32, age: i64) -> AgingRow {
    AgingRow {
        layer: Layer::Fastpath,
        id: 1,
        actor: ActorId::from(actor),
        text: text.to_owned(),
        identity: short_hash(text.as_bytes()),
        plan: plan.clone(),
        intent: "sort|files".to_owned(),
        created_ms: NOW - age * DAY_MS,
        used_ms: Some(NOW),
        uses,
        is_demoted: false,
    }
}

fn sorted(folder: &str) -> Value {
    json!({"steps": [
        {"tool": "list_dirs", "args": {"path": folder}},
        {"tool": "sort_entries", "args": {"from_step": 1, "by": "size"}}
    ]})
}

fn family(actor: &str, members: usize, uses: u32, age: i64) -> Vec<AgingRow> {
    (0..members)
        .map(|at| row(actor, &format!("sort {at}"), &sorted(&format!("~/{at}")), uses, age))
        .collect()
}

fn found(rows: &[AgingRow]) -> (usize, Vec<NotYet>) {
    let families = families(rows, &RULES, &|name| name.as_str() != "gone", NOW);
    (families.candidates.len(), families.left_out.into_keys().collect())
}

#[test]
fn a_family_needs_members_uses_and_age() {
    for (members, uses, age, reason) in [
        (3, 5, 30, None),
        (2, 50, 90, Some(NotYet::TooFew)),
        (3, 4, 30, Some(NotYet::LittleUsed)),
        (3, 5, 29, Some(NotYet::TooYoung)),
    ] {
        let (candidates, left_out) = found(&family("host", members, uses, age));
        assert_eq!(
            (candidates, left_out),
            (usize::from(reason.is_none()), reason.into_iter().collect()),
            "{members} {uses} {age}"
        );
    }
}

#[test]
fn what_is_no_part_of_a_tool_is_left_out() {
    let one_step = json!({"steps": [{"tool": "list_dirs", "args": {"path": "~"}}]});
    let asking = json!({"steps": [{"tool": "get_inputs", "args": {}}, {"tool": "list_dirs", "args": {"path": "~"}}]});
    let gone = json!({"steps": [{"tool": "gone", "args": {}}, {"tool": "list_dirs", "args": {"path": "~"}}]});
    for (plan, reason) in [
        (one_step, NotYet::OneStep),
        (asking, NotYet::NotPromotable),
        (gone, NotYet::NotPromotable),
        (json!({"steps": 3}), NotYet::Unreadable),
    ] {
        assert_eq!(found(&[row("host", "x", &plan, 99, 90)]), (0, vec![reason]));
    }
    let unclear = AgingRow {
        intent: "?|files".to_owned(),
        ..row("host", "x", &sorted("~"), 99, 90)
    };
    assert_eq!(found(&[unclear]), (0, vec![NotYet::NoIntent]));
}

/// Nobody's requests are counted with another's, nor plans that do or say something else.
#[test]
fn a_family_is_one_persons_and_of_one_kind() {
    let mut rows = family("host", 2, 50, 90);
    rows.extend(family("guest_1", 2, 50, 90));
    let other = json!({"steps": [
        {"tool": "list_dirs", "args": {"path": "~/x"}},
        {"tool": "sort_entries", "args": {"from_step": 1, "by": "size"}}
    ], "final_message": "${step2.used}"});
    rows.push(row("host", "other words at the end", &other, 50, 90));
    assert_eq!(found(&rows), (0, vec![NotYet::TooFew]));
}

#[test]
fn only_overwhelming_evidence_of_the_host_goes_alone() {
    let of = |members: usize, uses: u32| {
        let rows = family("host", members, uses, 90);
        families(&rows, &RULES, &|_| true, NOW).candidates.remove(0)
    };
    let silent = PromotionConfig {
        autopromote: false,
        ..RULES
    };
    for (cluster, rules, is_hosts, nights, may) in [
        (of(5, 10), RULES, true, 3, true),
        (of(5, 10), silent, true, 3, false),
        (of(5, 10), RULES, false, 3, false),
        (of(5, 10), RULES, true, 2, false),
        (of(4, 20), RULES, true, 3, false),
        (of(5, 9), RULES, true, 3, false),
    ] {
        assert_eq!(may_go_alone(&cluster, &rules, is_hosts, nights), may);
    }
}
