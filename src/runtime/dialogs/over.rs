//! What is said of a question that ends without an answer: that nothing was done, or that what was done or taken back
//! before it was asked stays so. Called by `dialogs`; it ends nothing itself.

use crate::{
    domain::message::Message,
    store::{Store, StoreError, dialogs::Dialog},
};

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

/// Those of them that a person's own no brings about.
const REFUSED: [&str; 3] = ["approval-refused", "refused-more", "question-cancelled"];

/// The sentence of this key, true to what the request had done before it asked.
pub(super) async fn told(store: &Store, dialog: &Dialog, key: &str) -> Result<Message, StoreError> {
    let Some((_, after)) = STOPPED.iter().find(|(plain, _)| *plain == key) else {
        return Ok(Message::new(key));
    };
    let mut done = dialog.payload.done.iter();
    if done.any(|record| record.has_effect && !record.skipped) {
        return Ok(Message::new(after));
    }
    Ok(match &dialog.payload.begun_in {
        Some(begun_in) if REFUSED.contains(&key) && store.has_taken_back(begun_in).await? => {
            Message::new("nothing-instead")
        }
        Some(_) | None => Message::new(key),
    })
}
