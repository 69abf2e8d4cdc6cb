//! The passages at night. `apply_ager`: every one as strong as it is by now, and wishes nobody has any more forgotten.
//! `suggest`: a way through them to what people keep asking in vain. Called by their jobs; what strength means is
//! `domain::passage`'s, and how a way is found `engine::passages`'.

use serde_json::json;

use crate::{
    domain::{ids::ExecutorName, proposal::ProposalKind},
    engine::{
        Engine,
        passages::{Graph, speaks_of},
    },
    store::{
        StoreError,
        passages::{PassageRow, Weighed},
        proposals::Found,
    },
};

/// New ways a night; the others are found again.
const NEW_MAX: usize = 5;

/// One night's work on the passages.
pub async fn apply_ager(engine: &Engine) -> Result<Weighed, StoreError> {
    let weighed = engine.store.weigh_passages(engine.clock.now_ms()).await?;
    tracing::info!(?weighed, "passages weighed");
    Ok(weighed)
}

/// For every wish that is met again and again: a way to an executor that could grant it. How many ways are new.
pub async fn suggest(engine: &Engine) -> Result<usize, StoreError> {
    let now_ms = engine.clock.now_ms();
    let rows = engine.store.passages(None).await?;
    let found = suggestions(&rows, now_ms);
    engine.store.propose(found, NEW_MAX, now_ms).await
}

/// The ways, each within the passages of the person who has the wish.
fn suggestions(rows: &[PassageRow], now_ms: i64) -> Vec<Found> {
    let wishes = rows.iter().filter(|row| row.strength.at(now_ms).recurs());
    let found = wishes.filter_map(|wish| {
        let own: Vec<PassageRow> = rows.iter().filter(|row| row.actor == wish.actor).cloned().collect();
        let chain = Graph::of(&own, now_ms).find_chain(&wish.source, &|name| speaks_of(name, &wish.target))?;
        let names: Vec<&str> = chain.iter().map(ExecutorName::as_str).collect();
        Some(Found {
            actor: wish.actor.clone(),
            kind: ProposalKind::Chain,
            key: format!("{}|{}", wish.source, wish.target),
            payload: json!({"wanted": wish.target, "chain": names.join(" → "), "request": wish.request}),
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        ids::ActorId,
        passage::{PassageState, Strength},
    };

    fn row(actor: &str, source: &str, target: &str, state: PassageState, uses: u32) -> PassageRow {
        PassageRow {
            actor: ActorId::from(actor),
            source: source.into(),
            target: target.into(),
            strength: Strength {
                state,
                weight: 0.6,
                weighed_ms: 0,
                uses,
            },
            first_ms: 0,
            request: "describe what is in them".to_owned(),
        }
    }

    #[test]
    fn a_way_is_found_for_a_wish_that_recurs_in_ones_own_passages() {
        use PassageState::{Active, Proto};
        let way = |actor: &str| {
            [
                row(actor, "find_files", "read_files", Active, 4),
                row(actor, "read_files", "describe_entries", Active, 4),
            ]
        };
        let wish = |actor: &str, uses| row(actor, "find_files", "describe_files", Proto, uses);
        let mut rows = way("host").to_vec();
        rows.push(wish("host", 3));
        let found = suggestions(&rows, 0);
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].payload["chain"],
            json!("find_files → read_files → describe_entries")
        );
        // Once or twice is no wish yet, and nobody's ways are another's.
        let mut rows = way("host").to_vec();
        rows.push(wish("host", 2));
        assert_eq!(suggestions(&rows, 0), []);
        let mut rows = way("guest_1").to_vec();
        rows.push(wish("host", 9));
        assert_eq!(suggestions(&rows, 0), []);
    }
}
