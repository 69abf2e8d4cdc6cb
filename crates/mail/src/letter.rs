//! A message as a person reads it: people, text, files. Bytes come from strangers: whatever they hold, this ends with a
//! `Letter` or without one, and never takes the process down.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::Timestamp;
use mail_parser::{
    Address, HeaderValue, Message, MessageParser, MimeHeaders as _, PartType, decoders::html::html_to_text,
};

use crate::{
    bounds::{ATTACHMENTS_MAX, LINE_CHARS_MAX, PEOPLE_MAX, TEXT_CHARS_MAX, is_hidden, one_line},
    mailbox::Header,
    signals::{self, Signals, is_nobody},
};

/// The headers a list of messages needs.
pub const HEADERS: &[&str] = &[
    "FROM",
    "REPLY-TO",
    "TO",
    "CC",
    "SUBJECT",
    "DATE",
    "MESSAGE-ID",
    "IN-REPLY-TO",
    "REFERENCES",
    "CONTENT-TYPE",
    "LIST-ID",
    "LIST-UNSUBSCRIBE",
    "LIST-UNSUBSCRIBE-POST",
    "PRECEDENCE",
    "AUTO-SUBMITTED",
    "X-AUTO-RESPONSE-SUPPRESS",
    "X-AUTOREPLY",
    "X-SPAM-FLAG",
    "X-SPAM-STATUS",
    "AUTHENTICATION-RESULTS",
];
/// Most ids of one header.
const IDS_MAX: usize = 30;

/// Somebody with an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Person {
    /// As they call themselves; anybody may call themselves anything.
    pub name: Option<String>,
    /// Their address.
    pub address: String,
}

impl Person {
    /// Whether nobody reads what is sent there.
    pub fn is_nobody(&self) -> bool {
        is_nobody(&self.address)
    }
}

/// A file in a message.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Attachment {
    /// Its place, for `file_of`.
    pub place: usize,
    /// A name for it, without any folder; never empty.
    pub name: String,
    /// What it is called to be, such as `application/pdf`.
    pub kind: String,
    /// Bytes, decoded.
    pub size: usize,
}

/// A message that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Letter {
    /// Who wrote it.
    pub from: Vec<Person>,
    /// Whom to answer.
    pub reply_to: Vec<Person>,
    /// To whom.
    pub to: Vec<Person>,
    /// Who else got it.
    pub cc: Vec<Person>,
    /// What it is about.
    pub subject: String,
    /// When it says it was written.
    pub written: Option<Timestamp>,
    /// Its own name.
    pub message_id: Option<String>,
    /// The conversation it is part of.
    pub references: Vec<String>,
    /// Its text, whole.
    pub text: String,
    /// The text was longer.
    pub is_cut: bool,
    /// Its files.
    pub attachments: Vec<Attachment>,
    /// What else its headers tell.
    pub signals: Signals,
}

/// Reads a message.
pub fn read_letter(bytes: &[u8]) -> Option<Letter> {
    contained(|| {
        let message = MessageParser::default().parse(bytes)?;
        Some(letter(&message))
    })
}

/// The content of a file in a message.
pub fn file_of(bytes: &[u8], place: usize) -> Option<Vec<u8>> {
    contained(|| {
        let message = MessageParser::default().parse(bytes)?;
        let (_, part) = leaves(&message).into_iter().find(|(at, _)| *at == place)?;
        match &part.body {
            PartType::Message(inner) => Some(inner.raw_message().to_vec()),
            PartType::Text(_) | PartType::Html(_) | PartType::Binary(_) | PartType::InlineBinary(_) => {
                Some(part.contents().to_vec())
            }
            PartType::Multipart(_) => None,
        }
    })
}

/// Runs what reads strangers' bytes; a mistake of a parser is no reason to die.
fn contained<T>(read: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_panic| {
        tracing::warn!("a message could not be parsed");
        None
    })
}

/// Fills in what the headers of a message say.
pub(crate) fn read_header(fields: &[u8], header: &mut Header) {
    let read = contained(|| MessageParser::default().parse_headers(fields).map(Message::into_owned));
    let Some(message) = read else { return };
    header.from = people(message.from());
    header.reply_to = people(message.reply_to());
    header.to = people(message.to());
    header.cc = people(message.cc());
    header.subject = one_line(message.subject().unwrap_or_default(), LINE_CHARS_MAX);
    header.written = written(&message);
    header.message_id = message.message_id().map(|id| one_line(id, LINE_CHARS_MAX));
    header.in_reply_to = ids(message.in_reply_to()).into_iter().next();
    header.references = ids(message.references());
    header.has_files = message.content_type().is_some_and(|kind| {
        kind.ctype().eq_ignore_ascii_case("multipart")
            && kind.subtype().is_some_and(|sub| sub.eq_ignore_ascii_case("mixed"))
    });
    header.signals = signals_of(&message);
}

fn letter(message: &Message<'_>) -> Letter {
    let (text, is_cut) = text_of(message);
    Letter {
        from: people(message.from()),
        reply_to: people(message.reply_to()),
        to: people(message.to()),
        cc: people(message.cc()),
        subject: one_line(message.subject().unwrap_or_default(), LINE_CHARS_MAX),
        written: written(message),
        message_id: message.message_id().map(|id| one_line(id, LINE_CHARS_MAX)),
        references: ids(message.references()),
        text,
        is_cut,
        attachments: attachments(message),
        signals: signals_of(message),
    }
}

/// Plain parts that are shown, one below the other; HTML only where there is no plain one.
fn text_of(message: &Message<'_>) -> (String, bool) {
    let mut parts: Vec<String> = Vec::new();
    for part in message.text_bodies() {
        match &part.body {
            PartType::Text(text) => parts.push(text.to_string()),
            PartType::Html(html) => parts.push(html_to_text(&readable(html))),
            PartType::Binary(_) | PartType::InlineBinary(_) | PartType::Message(_) | PartType::Multipart(_) => {}
        }
    }
    let whole = parts.join("\n").replace("\r\n", "\n");
    let shown = whole
        .chars()
        .filter(|sign| matches!(sign, '\n' | '\t') || !is_hidden(*sign));
    let text: String = shown.take(TEXT_CHARS_MAX).collect();
    let is_cut = whole.chars().count() > TEXT_CHARS_MAX;
    (text.trim_end().to_owned(), is_cut)
}

/// HTML without what is there to be run or to look nice.
fn readable(html: &str) -> String {
    let mut text = html.to_owned();
    for tag in ["style", "script", "head"] {
        let (opens, closes) = (format!("<{tag}"), format!("</{tag}>"));
        let mut from = 0;
        loop {
            let lower = text.to_ascii_lowercase();
            let Some(start) = lower.get(from..).and_then(|rest| rest.find(&opens)).map(|at| at + from) else {
                break;
            };
            // "<header>" is no "<head>".
            let after = lower.as_bytes().get(start + opens.len());
            if !after.is_some_and(|sign| matches!(sign, b'>' | b' ' | b'\n' | b'\r' | b'\t' | b'/')) {
                from = start + opens.len();
                continue;
            }
            let end = lower
                .get(start..)
                .and_then(|rest| rest.find(&closes))
                .map_or(text.len(), |at| start + at + closes.len());
            text.replace_range(start..end, " ");
        }
    }
    // What stands on lines of its own, for who sees it.
    for (tag, shown) in [
        ("</div>", "</div><br>"),
        ("<blockquote", "<br><blockquote"),
        ("<div", "<br><div"),
        ("<hr", "<br>--------<br><hr"),
    ] {
        text = text.replace(tag, shown);
    }
    text
}

/// Every part that is no text to be read and holds no further parts, with its place.
fn leaves<'m, 'x>(message: &'m Message<'x>) -> Vec<(usize, &'m mail_parser::MessagePart<'x>)> {
    let shown: Vec<usize> = message
        .text_body
        .iter()
        .chain(&message.html_body)
        .filter_map(|place| usize::try_from(*place).ok())
        .collect();
    message
        .parts
        .iter()
        .enumerate()
        .filter(|(place, part)| match &part.body {
            PartType::Multipart(_) => false,
            PartType::Text(_) | PartType::Html(_) => !shown.contains(place),
            PartType::Binary(_) | PartType::InlineBinary(_) | PartType::Message(_) => true,
        })
        .take(ATTACHMENTS_MAX)
        .collect()
}

fn attachments(message: &Message<'_>) -> Vec<Attachment> {
    let attachment = |(place, part): (usize, &mail_parser::MessagePart<'_>)| {
        let kind = part.content_type().map_or_else(
            || "application/octet-stream".to_owned(),
            |kind| match kind.subtype() {
                Some(sub) => format!("{}/{sub}", kind.ctype()).to_ascii_lowercase(),
                None => kind.ctype().to_ascii_lowercase(),
            },
        );
        let (name, size) = match &part.body {
            PartType::Message(inner) => {
                let named = part.attachment_name().map(str::to_owned);
                let subject = inner.subject().map(|subject| format!("{}.eml", one_line(subject, 80)));
                (named.or(subject), inner.raw_message().len())
            }
            PartType::Text(_)
            | PartType::Html(_)
            | PartType::Binary(_)
            | PartType::InlineBinary(_)
            | PartType::Multipart(_) => (part.attachment_name().map(str::to_owned), part.contents().len()),
        };
        Attachment {
            place,
            name: plain_name(name.as_deref().unwrap_or_default(), &kind, place),
            kind,
            size,
        }
    };
    leaves(message).into_iter().map(attachment).collect()
}

/// A name that can stand in a folder: no path, nothing hidden, not too long, and never one that is hidden by its dot.
fn plain_name(name: &str, kind: &str, place: usize) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let line = one_line(last, LINE_CHARS_MAX);
    let clean: String = line
        .chars()
        .map(|sign| {
            if matches!(sign, ':' | '*' | '?' | '"' | '<' | '>' | '|') {
                '_'
            } else {
                sign
            }
        })
        .collect();
    let clean = clean.trim().trim_start_matches('.').trim();
    if clean.is_empty() {
        let ending = match kind {
            "message/rfc822" => "eml",
            "text/plain" => "txt",
            "text/html" => "html",
            "text/calendar" => "ics",
            other => other.rsplit('/').next().filter(|sub| sub.len() <= 5).unwrap_or("bin"),
        };
        return format!("attachment-{place}.{ending}");
    }
    shortened(clean)
}

/// At most 120 bytes, with its ending.
fn shortened(name: &str) -> String {
    const BYTES_MAX: usize = 120;
    if name.len() <= BYTES_MAX {
        return name.to_owned();
    }
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending)
        .filter(|ending| ending.len() <= 8);
    let room = BYTES_MAX - ending.map_or(0, |ending| ending.len() + 1);
    let mut stem = String::new();
    for sign in name.chars() {
        if stem.len() + sign.len_utf8() > room {
            break;
        }
        stem.push(sign);
    }
    match ending {
        Some(ending) => format!("{}.{ending}", stem.trim_end_matches('.')),
        None => stem,
    }
}

fn people(address: Option<&Address<'_>>) -> Vec<Person> {
    let Some(address) = address else {
        return Vec::new();
    };
    address
        .iter()
        .take(PEOPLE_MAX)
        .filter_map(|one| {
            let address = one_line(one.address()?, LINE_CHARS_MAX);
            let name = one
                .name()
                .map(|name| one_line(name, LINE_CHARS_MAX))
                .filter(|name| !name.is_empty());
            (!address.is_empty()).then_some(Person { name, address })
        })
        .collect()
}

fn written(message: &Message<'_>) -> Option<Timestamp> {
    let date = message.date()?;
    Timestamp::from_second(date.to_timestamp()).ok()
}

fn ids(value: &HeaderValue<'_>) -> Vec<String> {
    let texts: Vec<&str> = match value {
        HeaderValue::Text(text) => vec![text],
        HeaderValue::TextList(list) => list.iter().map(AsRef::as_ref).collect(),
        HeaderValue::Address(_)
        | HeaderValue::DateTime(_)
        | HeaderValue::ContentType(_)
        | HeaderValue::Received(_)
        | HeaderValue::Empty => Vec::new(),
    };
    let skipped = texts.len().saturating_sub(IDS_MAX);
    texts
        .into_iter()
        .skip(skipped)
        .map(|id| one_line(id, LINE_CHARS_MAX))
        .collect()
}

fn signals_of(message: &Message<'_>) -> Signals {
    let mut signals = Signals::default();
    let mut later = Vec::new();
    for (name, value) in message.headers_raw() {
        if name.eq_ignore_ascii_case("list-unsubscribe-post") {
            later.push((name, value));
        } else {
            signals::take_up(name, value, &mut signals);
        }
    }
    // It says something about another header, whichever comes first.
    for (name, value) in later {
        signals::take_up(name, value, &mut signals);
    }
    signals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_read_with_text_and_files() {
        let raw = b"From: =?utf-8?q?Scuola_Verdi?= <info@scuola.it>\r\nTo: a@b.it\r\nSubject: =?utf-8?b?R2l0YQ==?=\r\n\
            Message-ID: <1@scuola.it>\r\nDate: Mon, 2 Mar 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\n\
            Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\
            Content-Type: text/plain; charset=utf-8\r\n\r\nCiao\r\n\
            --x\r\nContent-Type: application/pdf; name=\"../../etc/modulo.pdf\"\r\nContent-Disposition: attachment\r\n\
            Content-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--x--\r\n";
        let letter = read_letter(raw).unwrap();
        assert_eq!(letter.subject, "Gita");
        assert_eq!(letter.text, "Ciao");
        assert_eq!(letter.from[0].name.as_deref(), Some("Scuola Verdi"));
        assert_eq!(letter.written.unwrap().to_string(), "2026-03-02T09:00:00Z");
        let file = &letter.attachments[0];
        assert_eq!(
            (file.name.as_str(), file.kind.as_str(), file.size),
            ("modulo.pdf", "application/pdf", 5)
        );
        assert_eq!(file_of(raw, file.place).unwrap(), b"%PDF-");
    }

    #[test]
    fn only_what_is_shown_is_read_of_html() {
        let raw =
            b"From: a@b.it\r\nContent-Type: text/html\r\n\r\n<html><head><title>t</title><style>p{}</style></head>\
            <body><script>evil()</script><p>Ciao<br>Anna</p></body></html>";
        let letter = read_letter(raw).unwrap();
        assert!(
            letter.text.contains("Ciao") && letter.text.contains("Anna"),
            "{}",
            letter.text
        );
        assert!(
            !letter.text.contains("evil") && !letter.text.contains("p{}"),
            "{}",
            letter.text
        );
    }

    #[test]
    fn names_of_files_hold_no_path_and_nothing_hidden() {
        assert_eq!(plain_name("../../.ssh/authorized_keys", "x/y", 1), "authorized_keys");
        assert_eq!(plain_name("C:\\a\\b.txt", "x/y", 1), "b.txt");
        assert_eq!(plain_name(".bashrc", "x/y", 1), "bashrc");
        assert_eq!(plain_name("in\u{202e}fdp.exe", "x/y", 1), "infdp.exe");
        assert_eq!(plain_name("", "application/pdf", 3), "attachment-3.pdf");
        assert!(plain_name(&format!("{}.pdf", "è".repeat(300)), "x/y", 1).ends_with(".pdf"));
    }

    #[test]
    fn garbage_is_no_reason_to_die() {
        for raw in [
            &b""[..],
            b"\0\0\0",
            b"Content-Type: multipart/mixed; boundary=\"",
            &[0xff; 500],
        ] {
            drop(read_letter(raw));
        }
    }
}
