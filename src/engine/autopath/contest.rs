//! Champion and challenger: which plan holds the place of a cluster, and which is banned. Pure; called inside the
//! store's transaction after every observation and every tap.

use crate::{
    domain::{
        feedback::Feedback,
        ids::PlanHash,
        limits::{CHALLENGER_CONFIRMATIONS_MIN, CHALLENGER_MARGIN, REJECTIONS_TO_BAN, SILENT_SUCCESS_WEIGHT},
    },
    store::autopaths::{PlanRuling, PlanStanding, Rulings},
};

/// What a household may change about the contest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Weighted successes that promote a plan.
    pub promote_at: f64,
    /// Seconds of a ban after too many rejections.
    pub ban_s: i64,
    /// Seconds of a ban after ↺.
    pub retry_ban_s: i64,
}

/// Rounding of thirds must not cost the third silent success its promotion.
const WEIGHT_TOLERANCE: f64 = 1e-9;
/// Two-sided 95 % of the normal distribution, as Wilson's interval takes it.
const Z: f64 = 1.96;

/// What follows from the counts, after `feedback` on the plan `subject` (`None`: it just ran once more).
pub fn decide(rules: &Rules, standings: &[PlanStanding], subject: &PlanHash, feedback: Option<Feedback>) -> Rulings {
    let mut rulings = Rulings {
        plans: standings.iter().map(|standing| ruling(rules, standing)).collect(),
        ban: None,
        lift: None,
    };
    match feedback {
        Some(Feedback::Confirm) => rulings.lift = Some(subject.clone()),
        Some(Feedback::Retry) => rulings.ban = Some((subject.clone(), rules.retry_ban_s)),
        Some(Feedback::Reject) => {
            let is_out = standings
                .iter()
                .any(|standing| standing.plan_hash == *subject && standing.rejections_in_row >= REJECTIONS_TO_BAN);
            rulings.ban = is_out.then(|| (subject.clone(), rules.ban_s));
        }
        None => {
            let is_out = standings
                .iter()
                .any(|standing| standing.plan_hash == *subject && standing.failed_in_row >= REJECTIONS_TO_BAN);
            rulings.ban = is_out.then(|| (subject.clone(), rules.ban_s));
        }
    }
    crown(standings, &mut rulings.plans);
    rulings
}

fn ruling(rules: &Rules, standing: &PlanStanding) -> PlanRuling {
    let successes = f64::from(standing.confirmations) + f64::from(standing.silent) * SILENT_SUCCESS_WEIGHT;
    let earned = successes + WEIGHT_TOLERANCE >= rules.promote_at;
    let out = standing.rejections_in_row >= REJECTIONS_TO_BAN || standing.failed_in_row >= REJECTIONS_TO_BAN;
    // What was earned is kept as long as anything still speaks for it.
    let keeps = standing.active && successes > 0.0;
    let active = if standing.query_specific {
        None
    } else if out {
        Some(false)
    } else {
        (earned || keeps).then_some(true)
    };
    PlanRuling {
        plan_hash: standing.plan_hash.clone(),
        active,
        champion: standing.champion && active == Some(true),
        successes,
        failures: f64::from(standing.rejections) + f64::from(standing.failed),
    }
}

/// Gives the place to a plan: the one that holds it keeps it, unless a challenger has proved better.
fn crown(standings: &[PlanStanding], plans: &mut [PlanRuling]) {
    let bound = |plan: &PlanRuling| wilson_lower_bound(plan.successes, plan.failures);
    let holder = plans.iter().position(|plan| plan.champion);
    let may_challenge = |at: usize| {
        holder.is_none()
            || standings
                .get(at)
                .is_some_and(|standing| standing.confirmations >= CHALLENGER_CONFIRMATIONS_MIN)
    };
    let best = plans
        .iter()
        .enumerate()
        .filter(|(at, plan)| plan.active == Some(true) && Some(*at) != holder && may_challenge(*at))
        .max_by(|one, other| bound(one.1).total_cmp(&bound(other.1)).then(other.0.cmp(&one.0)))
        .map(|(at, plan)| (at, bound(plan)));
    let held = holder.and_then(|at| plans.get(at)).map(bound);
    let winner = match (best, held) {
        (Some((at, challenger)), Some(champion)) if challenger > champion + CHALLENGER_MARGIN => Some(at),
        (Some((at, _)), None) => Some(at),
        (Some(_) | None, _) => holder,
    };
    for (at, plan) in plans.iter_mut().enumerate() {
        plan.champion = Some(at) == winner;
    }
}

/// Lower end of Wilson's interval of the success rate, for weighted counts. 0 without any observation.
pub fn wilson_lower_bound(successes: f64, failures: f64) -> f64 {
    let n = successes + failures;
    if n <= 0.0 {
        return 0.0;
    }
    let rate = successes / n;
    let z2 = Z * Z;
    let centre = rate + z2 / (2.0 * n);
    let spread = Z * ((rate * (1.0 - rate) + z2 / (4.0 * n)) / n).sqrt();
    (centre - spread) / (1.0 + z2 / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        promote_at: 1.0,
        ban_s: 2_592_000,
        retry_ban_s: 3_600,
    };

    fn standing(name: &str, confirmations: u32, rejections_in_row: u32, silent: u32) -> PlanStanding {
        PlanStanding {
            plan_hash: PlanHash::from(name),
            query_specific: false,
            confirmations,
            rejections: rejections_in_row,
            silent,
            failed: 0,
            rejections_in_row,
            failed_in_row: 0,
            champion: false,
            active: false,
        }
    }

    fn rule<'a>(rulings: &'a Rulings, name: &str) -> &'a PlanRuling {
        rulings
            .plans
            .iter()
            .find(|plan| plan.plan_hash.as_str() == name)
            .unwrap()
    }

    #[test]
    fn one_tap_promotes_and_so_do_three_silent_successes() {
        let confirmed = decide(&RULES, &[standing("a", 1, 0, 0)], &"a".into(), Some(Feedback::Confirm));
        assert_eq!(rule(&confirmed, "a").active, Some(true));
        assert!(rule(&confirmed, "a").champion);
        let twice = decide(&RULES, &[standing("a", 0, 0, 2)], &"a".into(), None);
        assert_eq!(rule(&twice, "a").active, None);
        let thrice = decide(&RULES, &[standing("a", 0, 0, 3)], &"a".into(), None);
        assert_eq!(rule(&thrice, "a").active, Some(true));
    }

    #[test]
    fn a_plan_with_values_of_one_request_is_never_promoted() {
        let specific = PlanStanding {
            query_specific: true,
            ..standing("a", 5, 0, 0)
        };
        let rulings = decide(&RULES, &[specific], &"a".into(), Some(Feedback::Confirm));
        assert_eq!(rule(&rulings, "a").active, None);
    }

    #[test]
    fn three_rejections_in_a_row_ban_and_demote() {
        let two = decide(&RULES, &[standing("a", 1, 2, 0)], &"a".into(), Some(Feedback::Reject));
        assert_eq!(two.ban, None);
        let three = decide(&RULES, &[standing("a", 1, 3, 0)], &"a".into(), Some(Feedback::Reject));
        assert_eq!(three.ban, Some((PlanHash::from("a"), 2_592_000)));
        assert_eq!(rule(&three, "a").active, Some(false));
        assert!(!rule(&three, "a").champion);
    }

    #[test]
    fn retry_bans_for_an_hour_and_confirm_lifts() {
        let retry = decide(&RULES, &[], &"a".into(), Some(Feedback::Retry));
        assert_eq!(retry.ban, Some((PlanHash::from("a"), 3_600)));
        let confirm = decide(&RULES, &[standing("a", 1, 0, 0)], &"a".into(), Some(Feedback::Confirm));
        assert_eq!(confirm.lift, Some(PlanHash::from("a")));
    }

    #[test]
    fn a_challenger_must_prove_itself() {
        let champion = PlanStanding {
            champion: true,
            active: true,
            ..standing("old", 4, 2, 0)
        };
        let fresh = standing("new", 2, 0, 0);
        let rulings = decide(
            &RULES,
            &[champion.clone(), fresh],
            &"new".into(),
            Some(Feedback::Confirm),
        );
        assert!(rule(&rulings, "old").champion, "two confirmations are not enough");
        let proven = standing("new", 8, 0, 0);
        let rulings = decide(&RULES, &[champion, proven], &"new".into(), Some(Feedback::Confirm));
        assert!(rule(&rulings, "new").champion);
        assert!(!rule(&rulings, "old").champion);
    }

    #[test]
    fn wilson_prefers_the_better_tested() {
        assert!(wilson_lower_bound(10.0, 0.0) > wilson_lower_bound(1.0, 0.0));
        assert!(wilson_lower_bound(9.0, 1.0) > wilson_lower_bound(1.0, 1.0));
        assert!(wilson_lower_bound(0.0, 0.0).abs() < f64::EPSILON);
    }
}
