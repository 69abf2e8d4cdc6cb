//! Floor 3: what happens to one turn, from its text to an outcome. Layers live in the modules below; none of them knows
//! a channel, an application domain or how anything is stored.

#[cfg(test)]
mod fixtures;
/// L3: runs a checked plan, step by step.
pub mod plan_executor;
/// What to do about a failed run.
pub mod recovery;
/// L2: turns a proposed plan into one that can run.
pub mod validator;
