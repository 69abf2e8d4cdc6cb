//! Names under which a value is text that somebody wrote, at any depth of a plan or a result. Policy asks so that words
//! are never taken for a place to go, the log so that they are never copied.

/// Names of such values.
const CONTENT_KEYS: [&str; 20] = [
    "accepted_reply",
    "body",
    "comment",
    "content",
    "contents",
    "description",
    "draft",
    "draft_reply",
    "html",
    "markdown",
    "message",
    "messages",
    "raw_text",
    "reply",
    "snippet",
    "subject",
    "summary",
    "text",
    "texts",
    "title",
];

/// Whether what stands under this name is such a text.
pub fn is_content(key: &str) -> bool {
    CONTENT_KEYS.iter().any(|known| key.eq_ignore_ascii_case(known))
}
