//! L3: runs a checked plan, step by step: resolve → policy → journal → executor → verify. The only caller of executors.
//!
//! What is to be done is decided in `state`, which is pure; this file only does it. No step runs without a verdict, no
//! step with effects without its journal row, and nothing here writes a plan or asks a person.

/// The closing text with its references filled.
pub mod closing;
mod drive;
mod extent;
mod operation;
mod projection;
/// What can be put right while the plan runs.
pub mod remediation;
/// What a run came to.
pub mod report;
/// References to values.
pub mod resolve;
/// Large results.
pub mod scratchpad;
/// The run as a state machine.
pub mod state;
/// Values of the turn itself.
pub mod turn_values;
/// What a result really did.
pub mod verify;
mod words;

pub use drive::{RunDeps, home_of, run};
pub use operation::operation_hash;
pub use projection::payload;
pub use report::{RunEnd, RunReport};
pub use state::answers;
pub use state::{Resume, Unlocking};
pub use words::words;
