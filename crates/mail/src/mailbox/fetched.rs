//! What a server says of folders and messages, as our own values. Pure.

use async_imap::imap_proto::{AttributeValue, MessageSection, NameAttribute, SectionPath};
use jiff::{Timestamp, fmt::strtime};

use super::{Header, Mark};
use crate::{folders::Role, letter};

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "of a folder's attributes only its part counts here"
)]
pub(super) fn marked(attribute: &NameAttribute<'_>) -> Option<Role> {
    match attribute {
        NameAttribute::All => Some(Role::All),
        NameAttribute::Archive => Some(Role::Archive),
        NameAttribute::Drafts => Some(Role::Drafts),
        NameAttribute::Junk => Some(Role::Junk),
        NameAttribute::Sent => Some(Role::Sent),
        NameAttribute::Trash => Some(Role::Trash),
        NameAttribute::Extension(name) if name.eq_ignore_ascii_case("\\Spam") => Some(Role::Junk),
        _ => None,
    }
}

pub(super) fn is_closed(attribute: &NameAttribute<'_>) -> bool {
    match attribute {
        NameAttribute::NoSelect => true,
        NameAttribute::Extension(name) => name.eq_ignore_ascii_case("\\NonExistent"),
        _ => false,
    }
}

pub(super) fn header(attributes: &[AttributeValue<'_>]) -> Option<Header> {
    let mut header = Header::default();
    let mut fields: &[u8] = b"";
    let mut uid = None;
    for attribute in attributes {
        match attribute {
            AttributeValue::Uid(number) => uid = Some(*number),
            AttributeValue::Rfc822Size(size) => header.size = *size,
            AttributeValue::InternalDate(text) => header.arrived = internal_date(text).unwrap_or_default(),
            AttributeValue::Flags(flags) => {
                let has = |mark: Mark| flags.iter().any(|flag| flag.eq_ignore_ascii_case(mark.word()));
                header.is_seen = has(Mark::Seen);
                header.is_flagged = has(Mark::Flagged);
                header.is_answered = has(Mark::Answered);
            }
            AttributeValue::BodySection {
                section: Some(SectionPath::Full(MessageSection::Header)),
                data: Some(data),
                ..
            } => fields = data,
            _ => {}
        }
    }
    header.uid = uid?;
    letter::read_header(fields, &mut header);
    Some(header)
}

/// `17-Jul-1996 02:44:25 -0700`, with a space before a day of one digit.
fn internal_date(text: &str) -> Option<Timestamp> {
    let parsed = strtime::parse("%d-%b-%Y %H:%M:%S %z", text.trim()).ok()?;
    parsed.to_timestamp().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_servers_are_read_with_their_offset() {
        let read = |text: &str| internal_date(text).map(|moment| moment.to_string());
        assert_eq!(
            read("17-Jul-1996 02:44:25 -0700").as_deref(),
            Some("1996-07-17T09:44:25Z")
        );
        assert_eq!(
            read(" 1-Mar-2026 23:59:59 +0100").as_deref(),
            Some("2026-03-01T22:59:59Z")
        );
        assert_eq!(read("yesterday"), None);
    }
}
