//! Calendars and address books as plain structs: text in, events and contacts out, and text again. It knows iCalendar,
//! vCard and the arithmetic of what repeats; it opens no file and no socket, reads no clock, and takes every text for a
//! stranger's: what it does is bounded by `limits`, and a text that breaks its reader is an error, never a panic.
//!
//! ```text
//! text ─ lines ─ object ─ events ─┬─ expand: what happens in a window     ─ busy: what is free
//!        zones: names → offsets     └─ change: one instance, from one on, all ─ text
//! text ─ lines ─ card ─ contact ─ text
//! request ─ (somebody's socket) ─ server: where texts are, and in which version
//! ```

mod busy;
mod card;
mod change;
mod event;
mod expand;
mod limits;
mod lines;
mod object;
mod rule;
pub mod server;
mod when;
mod zones;
#[cfg(test)]
mod tests;

pub use busy::{Span, busy, free, joined};
pub use card::{Birthday, Card, CardChange, Contact, Value};
pub use change::{Change, Extent, Moved, NewEvent, Unchanged, home_time};
pub use event::{Attendee, Event, Status};
pub use expand::{Expanded, Occurrence, Window, occurrences};
pub use limits::{
    ANSWER_BYTES_MAX, COMPONENTS_MAX, DEPTH_MAX, FETCH_MAX, OBJECT_BYTES_MAX, OCCURRENCES_MAX, STEPS_MAX,
};
pub use object::{Broken, Object};
pub use rule::{Freq, Instances, Rule, RuleError};
pub use when::{At, When};
pub use zones::{Zone, Zones, known as known_zone};
