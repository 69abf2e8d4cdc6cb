//! What one text of a stranger may cost.

/// Most bytes of one object or one file of them.
pub const OBJECT_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Most components (events, zones, alarms) of one object.
pub const COMPONENTS_MAX: usize = 20_000;
/// How deep components may lie in one another; RFC 5545 knows three.
pub const DEPTH_MAX: usize = 8;
/// Most occurrences of one expansion.
pub const OCCURRENCES_MAX: usize = 20_000;
/// Most periods that one rule is tried for: a daily rule of 270 years, or an hourly one of eleven.
pub const STEPS_MAX: usize = 100_000;
/// Most dates that are added to or taken out of one series.
pub(crate) const DATES_MAX: usize = 20_000;
/// How far a zone that is told in the object itself is followed beyond its last definition, in years.
pub(crate) const ZONE_YEARS_MAX: i16 = 120;
/// Most bytes of one answer of a server.
pub const ANSWER_BYTES_MAX: usize = 32 * 1024 * 1024;
/// How deep elements of an answer may lie in one another.
pub(crate) const ANSWER_DEPTH_MAX: usize = 32;
/// Most elements of one answer: a listing of twenty thousand resources.
pub(crate) const ANSWER_NODES_MAX: usize = 400_000;
/// Most texts that one request asks for.
pub const FETCH_MAX: usize = 50;
