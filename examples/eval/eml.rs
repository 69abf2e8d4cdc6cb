//! `eml`: a message as it was sent, read by the product's own reader: people, subject, date, text, files, and what
//! somebody wrote themselves.

use metnos::mail::{Attachment, Person, parts_of_text, read_letter};
use serde_json::{Map, Value, json};

pub(crate) fn predictor() -> crate::Predictor {
    Box::new(|case| {
        let bytes = decoded(case["eml"].as_str().unwrap_or_default());
        let Some(letter) = read_letter(&bytes) else {
            return Map::new();
        };
        let people = |people: &[Person]| -> Vec<Value> {
            let shown =
                |person: &Person| json!({"name": person.name.clone().unwrap_or_default(), "address": person.address});
            people.iter().map(shown).collect()
        };
        let file = |file: &Attachment| json!({"name": file.name, "type": file.kind});
        Map::from_iter([
            ("subject".to_owned(), json!(letter.subject)),
            ("from".to_owned(), json!(people(&letter.from))),
            ("to".to_owned(), json!(people(&letter.to))),
            (
                "date".to_owned(),
                json!(letter.written.map(|written| written.to_string())),
            ),
            ("text".to_owned(), json!(letter.text)),
            (
                "attachments".to_owned(),
                json!(letter.attachments.iter().map(file).collect::<Vec<_>>()),
            ),
            ("reply_text".to_owned(), json!(parts_of_text(&letter.text).own)),
        ])
    })
}

/// Base64, as the set has its messages.
fn decoded(text: &str) -> Vec<u8> {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for sign in text.bytes() {
        let Some(value) = SIGNS.iter().position(|known| *known == sign) else {
            continue;
        };
        bits = bits << 6 | u32::try_from(value).unwrap_or_default();
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap_or_default());
        }
        bits &= (1 << count) - 1;
    }
    bytes
}
