//! Makes the vectors of memory anew after the embedder changed: until then memory finds its requests by their very
//! words only. A few at a time, so that a night that is cut off goes on where it was.

use super::{Done, Failed, House, Job};
use crate::{
    domain::limits::REEMBED_PER_COMMIT_MAX,
    engine::{Engine, fastpath::canonical_hash},
    llm::Meter,
    store::vectors::{NewVector, StaleVector},
};

pub(super) const JOB: Job = Job::new("reembedding", "daily@02:30", |house| Box::pin(run(house)));

async fn run(house: House<'_>) -> Result<Done, Failed> {
    let engine = house.engine;
    let embedder = engine.embedder.id();
    // Counted apart from what people ask: nobody's quota pays for it.
    let meter = Meter::default();
    let mut renewed = 0;
    loop {
        let stale = engine.store.stale_vectors(embedder, REEMBED_PER_COMMIT_MAX).await?;
        if stale.is_empty() {
            return Ok(Done::counted("job-reembedding", renewed));
        }
        let mut vectors = Vec::new();
        for one in stale {
            let vector = match text_of(engine, &one) {
                Some(text) => Some(
                    engine
                        .embedder
                        .embed(&text, &meter)
                        .await
                        .map_err(|error| Failed::because("job-reembedding-failed", &error))?,
                ),
                // Nobody knows its words any more, such as those that held a secret: it goes without.
                None => None,
            };
            renewed += usize::from(vector.is_some());
            vectors.push(NewVector { row: one.row, vector });
        }
        engine.store.renew_vectors(embedder, vectors).await?;
    }
}

/// The canonical words a vector is of: as they are kept, or read again where that surely gives the same.
fn text_of(engine: &Engine, stale: &StaleVector) -> Option<String> {
    if let Some(text) = &stale.canonical {
        return Some(text.clone());
    }
    let (request, hash) = stale.request.as_ref()?;
    let readings = [
        engine.language.canonical(request, stale.lang),
        request.trim().to_owned(),
    ];
    readings
        .into_iter()
        .find(|text| canonical_hash(text).as_ref() == Some(hash))
}
