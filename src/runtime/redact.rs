//! Takes secrets out of text before it is written down. Used for the turn row and the turn
//! log; what a person typed still reaches the engine unchanged, in memory only.

use regex::Regex;
use serde_json::Value;

/// What stands where a secret stood.
const REDACTED: &str = "<REDACTED>";

/// Whether a stored text lost something.
pub(super) fn is_redacted(text: &str) -> bool {
    text.contains(REDACTED)
}

/// Longest text value of an argument in the log, in characters.
const LOGGED_CHARS_MAX: usize = 200;
/// Arguments whose values are content, and so nobody's business in a log.
const CONTENT_KEYS: &[&str] = &[
    "content", "contents", "text", "texts", "body", "message", "messages", "summary", "snippet", "comment", "draft",
    "reply", "html", "markdown", "raw_text", "data", "entries", "results", "line", "title",
];

/// The rules, compiled once.
#[derive(Debug)]
pub(super) struct Redactor {
    assigned: Regex,
    said: Regex,
    in_url: Regex,
}

impl Redactor {
    /// Compiles the rules.
    pub(super) fn new() -> Result<Self, regex::Error> {
        let names = "password|passwd|pwd|passphrase|pass|pin|token|secret|api[ _-]?key|parola d'ordine|segreto";
        // "the password of the wifi is", "la password del wifi è"
        let of_what = r"(?:\s+(?:for|of|to|di|del|della|per|al|alla|dell'|all')(?:\s*[\p{L}\d'’]+){1,2}?)?";
        Ok(Self {
            assigned: Regex::new(&format!(r"(?i)\b({names})(\s*[:=]\s*)(\S+)"))?,
            said: Regex::new(&format!(r"(?i)\b({names})({of_what}\s+(?:is|are|è|e')\s+)(\S+)"))?,
            in_url: Regex::new(r"(?i)(https?://)([^/\s:@]+:)([^/\s@]+)@")?,
        })
    }

    /// The text without secrets, and how many were taken out.
    pub(super) fn text(&self, text: &str) -> (String, usize) {
        let count = [&self.assigned, &self.said, &self.in_url]
            .iter()
            .map(|rule| rule.find_iter(text).count())
            .sum();
        if count == 0 {
            return (text.to_owned(), 0);
        }
        let text = self.in_url.replace_all(text, format!("${{1}}{REDACTED}@"));
        let text = self.assigned.replace_all(&text, format!("${{1}}${{2}}{REDACTED}"));
        let text = self.said.replace_all(&text, format!("${{1}}${{2}}{REDACTED}"));
        (text.into_owned(), count)
    }

    /// The secrets of a request, so that no other text of its turn repeats them.
    pub(super) fn secrets(&self, text: &str) -> Vec<String> {
        [&self.assigned, &self.said, &self.in_url]
            .iter()
            .flat_map(|rule| rule.captures_iter(text))
            .filter_map(|found| found.get(3))
            .map(|secret| secret.as_str().trim_end_matches(['.', ',', ';', '!', '?']).to_owned())
            .filter(|secret| !secret.is_empty())
            .collect()
    }

    /// A value fit for the log: no content, no secrets, nothing long.
    pub(super) fn value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let (clean, _) = self.text(text);
                if clean.chars().count() <= LOGGED_CHARS_MAX {
                    return Value::String(clean);
                }
                Value::String(clean.chars().take(LOGGED_CHARS_MAX).chain("…".chars()).collect())
            }
            Value::Array(items) => Value::Array(items.iter().map(|item| self.value(item)).collect()),
            Value::Object(fields) => Value::Object(
                fields
                    .iter()
                    .map(|(name, field)| {
                        let field = if CONTENT_KEYS.contains(&name.as_str()) {
                            hidden(field)
                        } else {
                            self.value(field)
                        };
                        (name.clone(), field)
                    })
                    .collect(),
            ),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }
}

/// Takes given secrets out of every text of a value.
pub(super) fn remove(secrets: &[String], value: &mut Value) {
    match value {
        Value::String(text) => {
            for secret in secrets {
                if text.contains(secret) {
                    *text = text.replace(secret, REDACTED);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| remove(secrets, item)),
        Value::Object(fields) => fields.values_mut().for_each(|field| remove(secrets, field)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// How much there was, instead of what. References are no content.
fn hidden(value: &Value) -> Value {
    match value {
        Value::String(text) if text.starts_with("${") || text.starts_with("{{") => value.clone(),
        Value::String(text) => Value::String(format!("<{} chars>", text.chars().count())),
        Value::Array(items) => Value::String(format!("<{} items>", items.len())),
        Value::Object(fields) => Value::String(format!("<{} fields>", fields.len())),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_taken_out_of_requests() {
        let redactor = Redactor::new().unwrap();
        for (said, kept) in [
            ("my password is hunter2 ok", "my password is <REDACTED> ok"),
            ("user: anna pwd: s3gr3t0", "user: anna pwd: <REDACTED>"),
            ("la password è gatto1", "la password è <REDACTED>"),
            ("la password del wifi è gatto1", "la password del wifi è <REDACTED>"),
            (
                "the password for the wifi is gatto1",
                "the password for the wifi is <REDACTED>",
            ),
            ("fetch https://me:pw@host/x", "fetch https://<REDACTED>@host/x"),
            ("api_key=abc123", "api_key=<REDACTED>"),
        ] {
            assert_eq!(redactor.text(said), (kept.to_owned(), 1), "{said}");
        }
        assert_eq!(redactor.text("read ~/notes/passport.md").1, 0);
    }

    #[test]
    fn content_never_reaches_the_log() {
        let redactor = Redactor::new().unwrap();
        let logged = redactor.value(&json!({"path": "~/a.txt", "content": "dear diary", "note": "${step1.text}"}));
        assert_eq!(
            logged,
            json!({"path": "~/a.txt", "content": "<10 chars>", "note": "${step1.text}"})
        );
    }
}
