//! Which message of which folder of which account, as one word that plans, entries and reversals carry. A message is
//! known by its number as long as its folder keeps its validity, or by its Message-ID. Pure.

use std::fmt;

use crate::domain::ids::PersonAccountId;

/// How a message is known in its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// By the folder's validity and its number.
    Number {
        /// The folder's validity.
        validity: u32,
        /// Its number.
        uid: u32,
    },
    /// By its Message-ID, where nobody told its number.
    MessageId(String),
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailId {
    /// Its account.
    pub account: PersonAccountId,
    /// Its folder, as the server knows it.
    pub folder: String,
    /// Itself.
    pub key: Key,
}

const MARK: &str = "mail";

impl fmt::Display for MailId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (account, folder) = (&self.account, &self.folder);
        match &self.key {
            Key::Number { validity, uid } => write!(f, "{MARK}/{account}/{validity}/{uid}/{folder}"),
            // A Message-ID may hold a slash: its length tells where the folder begins.
            Key::MessageId(id) => write!(f, "{MARK}/{account}/id/{}/{id}{folder}", id.len()),
        }
    }
}

impl MailId {
    /// Reads one; `None` of any other word.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(5, '/');
        if parts.next()? != MARK {
            return None;
        }
        let account = PersonAccountId::from(parts.next()?);
        let (first, second, rest) = (parts.next()?, parts.next()?, parts.next()?);
        let (folder, key) = if first == "id" {
            let length: usize = second.parse().ok()?;
            let id = rest.get(..length)?;
            (rest.get(length..)?.to_owned(), Key::MessageId(id.to_owned()))
        } else {
            let key = Key::Number {
                validity: first.parse().ok()?,
                uid: second.parse().ok()?,
            };
            (rest.to_owned(), key)
        };
        (!folder.is_empty()).then_some(Self { account, folder, key })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_written_and_read_the_same() {
        for (folder, key) in [
            ("INBOX", Key::Number { validity: 7, uid: 42 }),
            ("[Gmail]/Posta/2026", Key::Number { validity: 1, uid: 1 }),
            ("A/B", Key::MessageId("x/y@z.it".to_owned())),
        ] {
            let id = MailId {
                account: PersonAccountId::from("a1"),
                folder: folder.to_owned(),
                key,
            };
            assert_eq!(MailId::parse(&id.to_string()), Some(id));
        }
        for text in [
            "",
            "mail/a/1/2",
            "mail/a/1/2/",
            "mail/a/id/99/x",
            "file/a/1/2/b",
            "/etc/passwd",
        ] {
            assert_eq!(MailId::parse(text), None, "{text}");
        }
    }
}
