//! Floor 3: what happens to one turn, from its text to an outcome. Layers live in the modules below; none of them knows
//! a channel, an application domain or how anything is stored.

#[cfg(test)]
mod fixtures;
/// The intent fallback: asked only when the lexicon is unsure.
pub mod intent_model;
/// L3: runs a checked plan, step by step.
pub mod plan_executor;
/// L3 with a model: one call, one plan.
pub mod proposer;
/// What to do about a failed run.
pub mod recovery;
/// L2: turns a proposed plan into one that can run.
pub mod validator;
