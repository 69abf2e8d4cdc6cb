//! Names of messages: the event, and the thread it stands in, so that an answer finds its place again after a restart.

use crate::domain::ids::MessageId;

/// Between event and thread; neither holds a space.
const BETWEEN: char = ' ';

/// The name of an event.
pub(super) fn name(event: &str, thread: Option<&str>) -> MessageId {
    match thread {
        Some(thread) => format!("{event}{BETWEEN}{thread}").into(),
        None => event.into(),
    }
}

/// The event and the thread of a name; `None` for names that are no event's, such as those of taps.
pub(super) fn place(name: &MessageId) -> Option<(&str, Option<&str>)> {
    if !name.as_str().starts_with('$') {
        return None;
    }
    match name.as_str().split_once(BETWEEN) {
        Some((event, thread)) => Some((event, Some(thread))),
        None => Some((name.as_str(), None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_back_to_its_place() {
        assert_eq!(place(&name("$1", None)), Some(("$1", None)));
        assert_eq!(place(&name("$1", Some("$root"))), Some(("$1", Some("$root"))));
        assert_eq!(place(&"again:17".into()), None);
    }
}
