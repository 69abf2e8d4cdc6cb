//! Floor 4: what metnos does about its own memory while nobody asks. `jobs` calls these at night, commands and the
//! command line call them at any time; nothing here waits for a person or speaks to one.
//!
//! ```text
//! store ── rows ──► aging, digest: decide (pure)  ──► store: one transaction each
//! ```
//!
//! Invariant: every decision is a pure function of rows, rules and the time it is handed; what it removes is a row with
//! its reason. A process that dies in the middle has done all of a step or nothing of it, and the next night does it.

pub mod aging;
pub mod digest;
pub mod introspection;
pub mod lifecycle;
pub mod passages;
pub mod promoter;
pub mod promotion;
pub mod proposals;
pub mod reaper;
