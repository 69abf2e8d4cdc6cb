//! What is remembered once a tool is taken back: every plan that called it becomes its steps again, and the requests it
//! grew out of are remembered even where what they were was forgotten meanwhile. Called by the promoter.

use std::sync::Arc;

use super::{Promoter, PromoterError, cluster_of};
use crate::{
    catalog::Catalog,
    domain::{ids::ExecutorName, plan::Plan},
    engine::composite,
    nights::aging,
    store::{
        aging::{AgingRow, Reopened},
        fastpaths::Restored,
        proposals::ProposalRow,
    },
};

impl Promoter<'_> {
    /// Remembers by steps what called this tool, and what it was made of; how many of its requests that is now.
    /// `with_it` is the catalog while the tool was there.
    pub(super) async fn restore(&self, row: &ProposalRow, with_it: &Arc<Catalog>) -> Result<usize, PromoterError> {
        let name = ExecutorName::from(row.name.as_str());
        let today = self.catalog.current();
        let rows = self.store.aging_rows().await?;
        let calls = rows.iter().filter(|row| aging::tools_of(row).contains(&name));
        let reopened = calls.filter_map(|row| reopened(row, with_it, &today)).collect();
        self.store.reopen(reopened).await?;
        let Some(cluster) = cluster_of(row) else {
            return Ok(0);
        };
        let members: Vec<Restored> = cluster
            .members
            .iter()
            .filter_map(|member| {
                let (tools_sig, pool_sig) = today.signatures(&member.plan, &cluster.intent)?;
                Some(Restored {
                    canonical_text: member.text.clone(),
                    canonical_hash: member.hash.as_str().into(),
                    plan: member.plan.clone(),
                    intent: cluster.intent.clone(),
                    tools_sig,
                    pool_sig,
                    uses: member.uses,
                })
            })
            .collect();
        let now_ms = self.clock.now_ms();
        Ok(self.store.restore_fastpaths(&cluster.actor, members, now_ms).await?)
    }
}

/// The row with the steps in place of the call.
fn reopened(row: &AgingRow, with_it: &Arc<Catalog>, today: &Catalog) -> Option<Reopened> {
    let written = Plan::from_json(&row.plan).ok()?;
    let opened = composite::expand(written, &|name| with_it.get(name).cloned());
    let plan = opened.to_json();
    let (tools_sig, pool_sig) = today.signatures(&plan, &row.intent)?;
    Some(Reopened {
        layer: row.layer,
        id: row.id,
        plan,
        tools_sig,
        pool_sig,
    })
}
