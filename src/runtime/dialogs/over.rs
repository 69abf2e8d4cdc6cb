//! What is said of a question that ends without an answer: that nothing was done, or that what was done before it was
//! asked stays. Called by `dialogs`; it ends nothing itself.

use crate::{domain::message::Message, store::dialogs::Dialog};

/// Sentences that say that nothing was done, and what is said in their place where something was.
const STOPPED: [(&str, &str); 7] = [
    ("approval-refused", "approval-refused-after"),
    ("approval-refused-by-host", "approval-refused-by-host-after"),
    ("approval-expired", "approval-expired-after"),
    ("refused-more", "refused-more-after"),
    ("question-cancelled", "question-cancelled-after"),
    ("question-expired", "question-expired-after"),
    ("question-given-up", "question-given-up-after"),
];

/// The sentence of this key, true to what the turn had done before it asked.
pub(super) fn told(dialog: &Dialog, key: &str) -> Message {
    let mut done = dialog.payload.done.iter();
    let has_changed = done.any(|record| record.has_effect && !record.skipped);
    let after = STOPPED.iter().find(|(plain, _)| has_changed && *plain == key);
    Message::new(after.map_or(key, |(_, after)| after))
}
