//! A draft becomes the bytes that are sent. Pure: names, times and ids are handed in. Its Message-ID is ours, so that a
//! message that may have been sent can be looked for.

use std::time::SystemTime;

use jiff::Timestamp;
use lettre::{
    Address, Message,
    message::{
        Attachment, Mailbox, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
};

use crate::{
    bounds::{LINE_CHARS_MAX, one_line},
    failure::Failure,
    letter::Person,
};

/// Who wants it sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// A person, who saw it.
    #[default]
    Person,
    /// A task by itself: said so in the header that RFC 3834 has for it.
    Task,
}

/// A file that goes along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without any folder.
    pub name: String,
    /// Its kind, such as `application/pdf`.
    pub kind: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A message before it is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Who sends.
    pub from: Person,
    /// To whom.
    pub to: Vec<Person>,
    /// Who else gets it.
    pub cc: Vec<Person>,
    /// What it is about.
    pub subject: String,
    /// What it says.
    pub text: String,
    /// The message it answers, without brackets.
    pub in_reply_to: Option<String>,
    /// The conversation it is part of, oldest first.
    pub references: Vec<String>,
    /// What goes along.
    pub files: Vec<File>,
    /// Who wants it.
    pub purpose: Purpose,
}

/// Whether a text is an address that mail can be sent to.
pub fn is_address(text: &str) -> bool {
    text.len() <= 254 && text.parse::<Address>().is_ok() && text.contains('.')
}

/// A name for a message, without brackets: `key` is what it is known by here, the domain that of who sends.
pub fn message_id(key: &str, from: &str) -> String {
    let domain = from
        .rsplit('@')
        .next()
        .filter(|domain| !domain.is_empty())
        .unwrap_or("localhost");
    let key: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{key}.metnos@{domain}")
}

/// The bytes of a draft.
pub fn compose(draft: &Draft, message_id: &str, at: Timestamp) -> Result<Vec<u8>, Failure> {
    let mut builder = Message::builder()
        .from(mailbox(&draft.from)?)
        .date(SystemTime::from(at))
        .message_id(Some(format!("<{message_id}>")))
        .subject(one_line(&draft.subject, LINE_CHARS_MAX));
    for person in &draft.to {
        builder = builder.to(mailbox(person)?);
    }
    for person in &draft.cc {
        builder = builder.cc(mailbox(person)?);
    }
    if let Some(id) = &draft.in_reply_to {
        builder = builder.in_reply_to(format!("<{}>", one_line(id, LINE_CHARS_MAX)));
    }
    if !draft.references.is_empty() {
        let ids: Vec<String> = draft
            .references
            .iter()
            .map(|id| format!("<{}>", one_line(id, LINE_CHARS_MAX)))
            .collect();
        builder = builder.references(ids.join(" "));
    }
    if draft.purpose == Purpose::Task {
        let name = HeaderName::new_from_ascii("Auto-Submitted".to_owned()).map_err(|_name| Failure::Garbled)?;
        builder = builder.raw_header(HeaderValue::new(name, "auto-generated".to_owned()));
    }
    let text = SinglePart::plain(draft.text.clone());
    let message = if draft.files.is_empty() {
        builder.singlepart(text)
    } else {
        let mut parts = MultiPart::mixed().singlepart(text);
        for file in &draft.files {
            let kind =
                ContentType::parse(&file.kind).or_else(|_unknown| ContentType::parse("application/octet-stream"));
            let kind = kind.map_err(|error| Failure::Invalid(error.to_string()))?;
            let name = one_line(&file.name, LINE_CHARS_MAX);
            parts = parts.singlepart(Attachment::new(name).body(file.bytes.clone(), kind));
        }
        builder.multipart(parts)
    };
    let message = message.map_err(|error| Failure::Invalid(error.to_string()))?;
    Ok(message.formatted())
}

fn mailbox(person: &Person) -> Result<Mailbox, Failure> {
    let address: Address = person
        .address
        .parse()
        .map_err(|_no_address| Failure::Invalid(person.address.clone()))?;
    let name = person.name.as_deref().map(|name| one_line(name, LINE_CHARS_MAX));
    Ok(Mailbox::new(name.filter(|name| !name.is_empty()), address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{letter::read_letter, quoted};

    fn person(name: &str, address: &str) -> Person {
        Person {
            name: Some(name.to_owned()),
            address: address.to_owned(),
        }
    }

    #[test]
    fn what_is_composed_is_read_the_same() {
        let draft = Draft {
            from: person("Anna Rossi", "anna@b.it"),
            to: vec![person("Però, Luca", "luca@c.it")],
            subject: "Gita è \r\nBcc: evil@e.it".to_owned(),
            text: "Ciao,\n\nà domani.".to_owned(),
            in_reply_to: Some("x@y".to_owned()),
            references: vec!["w@y".to_owned(), "x@y".to_owned()],
            files: vec![File {
                name: "è.pdf".to_owned(),
                kind: "application/pdf".to_owned(),
                bytes: b"%PDF-".to_vec(),
            }],
            ..Draft::default()
        };
        let bytes = compose(&draft, "k.metnos@b.it", Timestamp::UNIX_EPOCH).unwrap();
        let letter = read_letter(&bytes).unwrap();
        assert_eq!(letter.subject, "Gita è Bcc: evil@e.it");
        assert_eq!(letter.to, draft.to);
        assert_eq!(letter.text, draft.text);
        assert_eq!(letter.message_id.as_deref(), Some("k.metnos@b.it"));
        assert_eq!(letter.references, draft.references);
        assert_eq!(letter.attachments[0].name, "è.pdf");
        assert_eq!(quoted::parts(&letter.text).quoted, "");
        assert!(!String::from_utf8_lossy(&bytes).contains("\nBcc:"));
    }

    #[test]
    fn addresses_are_told_from_other_words() {
        assert!(is_address("anna@b.it"));
        for text in [
            "anna",
            "anna@",
            "a b@c.it",
            "a@b.it,c@d.it",
            "a@b.it\r\nRCPT TO:<x@y.it>",
            "a@b",
        ] {
            assert!(!is_address(text), "{text}");
        }
    }
}
