//! Finds what a person would not want written down: passwords, PINs, tokens, card numbers. The runtime takes them out
//! of rows and logs, the engine out of what it notes; what a person typed still reaches the engine unchanged. It knows
//! only what looks like a secret or is called one, and never keeps any.

use regex::Regex;
use serde_json::Value;

use metnos_domain::content::is_content;

/// What stands where a secret stood.
const REDACTED: &str = "<REDACTED>";

/// Whether a stored text lost something.
pub fn is_redacted(text: &str) -> bool {
    text.contains(REDACTED)
}

/// More words for things that are kept secret: none of them stands directly before the secret itself.
const CARDS: &str = "passcode|cvv|cvc|iban|codice|credenziali|credentials|carta di credito|credit card|bancomat";

/// Longest text value of an argument in the log, in characters.
const LOGGED_CHARS_MAX: usize = 200;
/// What results hold besides texts, and is nobody's business in a log either.
const RESULT_KEYS: [&str; 4] = ["data", "entries", "line", "results"];

/// The rules, compiled once.
#[derive(Debug)]
pub struct Redactor {
    /// Their third group is the secret.
    named: Vec<Regex>,
    in_url: Regex,
    token: Regex,
    card: Regex,
    /// Words for things that are kept secret.
    spoken_of: Regex,
    /// Numbers as long as such things.
    long_number: Regex,
}

impl Redactor {
    /// Compiles the rules. Their character classes are spelt out in ASCII, or as what ends a word: a repeated Unicode
    /// class makes megabytes of automaton.
    pub fn new() -> Result<Self, regex::Error> {
        let names = "password|passwd|pwd|passphrase|pass|pin|token|secret|api[ _-]?key|parola d'ordine|segreto";
        // "the password of the wifi is", "la password del wifi è"
        let of_what = r"(?:\s+(?:for|of|to|di|del|della|per|al|alla|dell'|all')(?:\s*[^\s:=,;.!?]+){1,2}?)?";
        Ok(Self {
            named: vec![
                Regex::new(&format!(r"(?i)\b({names})(\s*[:=]\s*)(\S+)"))?,
                Regex::new(&format!(r"(?i)\b({names})({of_what}\s+(?:is|are|è|e')\s+)(\S+)"))?,
                // "pin 48213", "wifi password Betulla44": a word with a digit right behind, or one word further.
                Regex::new(&format!(
                    r#"(?i)\b({names})([\s,]+(?:[^\s0-9,;.:!?]+[\s,]+)?)([^\s"'»”,]*[0-9][^\s"'»”,]{{3,}}|[^\s"'»”,]{{3,}}[0-9][^\s"'»”,]*)"#
                ))?,
                Regex::new(r"(?i)\b(bearer)(\s+)([A-Za-z0-9_.~+/=-]{8,})")?,
            ],
            in_url: Regex::new(r"(?i)(https?://)([^/\s:@]+:)([^/\s@]+)@")?,
            token: Regex::new(
                r"(?x) \b(?: (?:sk|pk|rk|glpat|xox[abp]) - [A-Za-z0-9_-]{12,} | gh[opsu]_[A-Za-z0-9_]{16,}
                | github_pat_[A-Za-z0-9_]{20,} | [sr]k_(?:live|test)_[A-Za-z0-9]{12,} | hf_[A-Za-z0-9]{16,}
                | AKIA[A-Z0-9]{12,} | AIza[A-Za-z0-9_-]{20,} | ya29\.[A-Za-z0-9_-]{20,} | syt_[A-Za-z0-9_]{12,}
                | eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]* | [0-9]{8,10} : [A-Za-z0-9_-]{35} )",
            )?,
            card: Regex::new(r"\b[0-9](?:[ -]?[0-9]){12,18}\b")?,
            spoken_of: Regex::new(&format!(r"(?i)\b(?:{names}|{CARDS})\b"))?,
            long_number: Regex::new(r"[0-9](?:[ .-]?[0-9]){7,}")?,
        })
    }

    /// The text without secrets, and how many were taken out.
    pub fn text(&self, text: &str) -> (String, usize) {
        let secrets = self.secrets(text);
        let without_logins = self.in_url.replace_all(text, format!("${{1}}{REDACTED}@"));
        (hide(&secrets, &without_logins), secrets.len())
    }

    /// A text of a turn without its own secrets and those of the request.
    pub fn text_of(&self, text: &str, request: &str) -> String {
        hide(&self.secrets(request), &self.text(text).0)
    }

    /// Whether the text holds a secret.
    pub fn finds(&self, text: &str) -> bool {
        !self.secrets(text).is_empty()
    }

    /// Those words of a request that may be said back: none where it holds a secret or speaks of one, and no number
    /// where it has one as long as a card's. What cannot be told from a secret is better not repeated.
    pub fn sayable(&self, words: Vec<String>, request: &str) -> Vec<String> {
        if self.finds(request) || self.spoken_of.is_match(request) {
            return Vec::new();
        }
        let hides_numbers = self.long_number.is_match(request);
        let has_number = |word: &String| word.contains(|letter: char| letter.is_ascii_digit());
        let mut words = words;
        words.retain(|word| !(hides_numbers && has_number(word)));
        words
    }

    /// The secrets of a request, so that no other text of its turn repeats them.
    pub fn secrets(&self, text: &str) -> Vec<String> {
        let named = self.named.iter().chain([&self.in_url]);
        let named = named
            .flat_map(|rule| rule.captures_iter(text))
            .filter_map(|found| found.get(3));
        let cards = self.card.find_iter(text).filter(|found| is_card_number(found.as_str()));
        let mut secrets: Vec<String> = named
            .chain(self.token.find_iter(text))
            .chain(cards)
            .map(|secret| secret.as_str().trim_end_matches(['.', ',', ';', '!', '?']).to_owned())
            .filter(|secret| !secret.is_empty() && secret != REDACTED)
            .collect();
        // What one rule found may be part of what another did.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets.dedup();
        secrets
    }

    /// A value fit for the log: no content, no secrets, nothing long.
    pub fn value(&self, value: &Value) -> Value {
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
                        let field = if is_content(name) || RESULT_KEYS.contains(&name.as_str()) {
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

fn hide(secrets: &[String], text: &str) -> String {
    secrets.iter().fold(text.to_owned(), |text, secret| {
        if text.contains(secret) {
            text.replace(secret, REDACTED)
        } else {
            text
        }
    })
}

/// Luhn's check; one in ten long numbers that are no card passes it too.
fn is_card_number(text: &str) -> bool {
    let digits = text.chars().rev().filter_map(|sign| sign.to_digit(10));
    let sum: u32 = digits
        .enumerate()
        .map(|(at, digit)| match (at % 2, digit * 2) {
            (0, _) => digit,
            (_, double) => double / 10 + double % 10,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Takes given secrets out of every text of a value.
pub fn remove(secrets: &[String], value: &mut Value) {
    match value {
        Value::String(text) => *text = hide(secrets, text),
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
    fn secrets_of_a_request_are_taken_out_of_what_is_said_about_it() {
        let redactor = Redactor::new().unwrap();
        let echoed = redactor.text_of("cannot open hunter2", "my password is hunter2");
        assert_eq!(echoed, "cannot open <REDACTED>");
    }

    #[test]
    fn what_may_be_a_secret_is_not_said_back() {
        let redactor = Redactor::new().unwrap();
        for (request, said) in [
            ("remember the password rossana", ""),
            ("il codice del cancello 4471", ""),
            ("pin 0815 nell'agenda", ""),
            ("charge 4111 1111 1111 1112", "charge"),
            ("the plumber's number, 011 555 7788", "the plumber's number,"),
            ("frobnicate ~/notes/2024.md", "frobnicate ~/notes/2024.md"),
            ("book me a flight to Rome", "book me a flight to Rome"),
        ] {
            let words = request.split(' ').map(str::to_owned).collect();
            assert_eq!(redactor.sayable(words, request).join(" "), said);
        }
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
