//! What is to happen later, as far as the engine knows of it: what a request asks for another moment than now
//! (`asked`), when that is (`when`), how it is said (`wording`), and what a person does to it afterwards (`moves`).
//! Used by `dispatch`, by the hosted executors of tasks and by whoever speaks of a firing. Nothing here keeps a task or
//! fires one.

pub mod asked;
pub mod moves;
pub mod when;
pub mod wording;
