//! From families of remembered plans to executors of their own. `cluster` finds the families, `draft` makes a manifest
//! of one in five stages, `evidence` and `evaluator` say what is thought of it; all of that is pure. `promoter` carries
//! it out.

pub mod cluster;
pub mod draft;
pub mod evaluator;
pub mod evidence;
