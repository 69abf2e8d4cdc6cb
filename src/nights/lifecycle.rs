//! How memory stands, in one line, and whether the household has grown so that its sandbox matters more. Both only
//! look.

use crate::{
    domain::{actor::Role, limits::REMOVALS_KEPT_FOR, manifest::Kind, message::Message, proposal::ProposalState},
    engine::Engine,
    store::StoreError,
};

/// So many tools of others make the sandbox worth a look.
const PROGRAMS_MIN: usize = 5;

/// Plans, passages, proposals and removals, counted.
pub async fn summary(engine: &Engine) -> Result<Message, StoreError> {
    let store = &engine.store;
    let week_ms = i64::try_from(REMOVALS_KEPT_FOR.as_millis()).unwrap_or(i64::MAX);
    let since_ms = engine.clock.now_ms().saturating_sub(week_ms);
    let rows = store.aging_rows().await?;
    let fastpaths = rows
        .iter()
        .filter(|row| row.layer == crate::domain::removal::Layer::Fastpath)
        .count();
    let proposals = store.proposals(&[]).await?;
    let count = |holds: &dyn Fn(ProposalState) -> bool| proposals.iter().filter(|row| holds(row.state)).count();
    Ok(Message::new("job-lifecycle")
        .with("fastpaths", fastpaths)
        .with("autopaths", rows.len() - fastpaths)
        .with("passages", store.passages(None).await?.len())
        .with("open", count(&ProposalState::is_open))
        .with("made", count(&ProposalState::is_installed))
        .with("removed", store.removals(None, since_ms).await?.len()))
}

/// Whether there are so many tools of others, or any guest, that the host should know what the sandbox is.
pub async fn watchdog(engine: &Engine) -> Result<Message, StoreError> {
    let catalog = engine.catalog.current();
    let is_program =
        |manifest: &&std::sync::Arc<crate::domain::manifest::Manifest>| matches!(manifest.kind, Kind::Program { .. });
    let programs = catalog.all().iter().filter(is_program).count();
    let people = engine.store.people().await?;
    let guests = people.iter().filter(|person| person.actor.role == Role::Guest).count();
    let is_grown = programs >= PROGRAMS_MIN || guests > 0;
    if !is_grown {
        return Ok(Message::new("job-watchdog-quiet")
            .with("programs", programs)
            .with("guests", guests));
    }
    Ok(Message::new("job-watchdog-told")
        .with("programs", programs)
        .with("guests", guests)
        .with("mode", engine.runner.sandbox_name()))
}
