//! Bounds on what strangers send: bytes, depth, counts and time, in one place. A server that says more, or says it
//! deeper, is cut off with `Failure::TooMuch`; nothing here trusts a length that was announced.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Largest message that is fetched, in bytes: more than any large provider lets through (Gmail: 25 MB, encoded 34 MB).
pub const LETTER_BYTES_MAX: usize = 36_000_000;
/// Most bytes of one answer that is no message: a search of a mailbox of a million, a list of thousands of folders.
pub(crate) const ANSWER_BYTES_MAX: usize = 12_000_000;
/// Most bytes of a line before the connection is encrypted.
pub(crate) const LINE_BYTES_MAX: usize = 2_000;
/// Most lines before the connection is encrypted.
pub(crate) const LINES_MAX: usize = 50;
/// Deepest nesting of lists in an answer; real ones are below 20 (a forward of a forward).
const DEPTH_MAX: usize = 60;
/// Most folders of one mailbox.
pub(crate) const FOLDERS_MAX: usize = 2_000;
/// Most messages whose headers one search looks at.
pub(crate) const LOOKED_AT_MAX: usize = 5_000;
/// Headers that are asked for at once.
pub(crate) const CHUNK: usize = 200;
/// Most bytes of the headers of one message.
pub(crate) const HEADER_BYTES_MAX: usize = 64_000;
/// Most characters of readable text of one message.
pub(crate) const TEXT_CHARS_MAX: usize = 200_000;
/// Most files of one message that are listed.
pub const ATTACHMENTS_MAX: usize = 100;
/// Most people of one header.
pub(crate) const PEOPLE_MAX: usize = 200;
/// Most characters of a subject, a name or another single text.
pub(crate) const LINE_CHARS_MAX: usize = 500;
/// Most characters of what a server said that are repeated.
pub(crate) const SAID_CHARS_MAX: usize = 160;
/// Most bytes of an autoconfig document.
pub(crate) const AUTOCONFIG_BYTES_MAX: usize = 60_000;

/// Time for a connection, TLS included.
pub(crate) const CONNECT_TIME: Duration = Duration::from_secs(15);
/// Time between two parts of an answer.
pub(crate) const ANSWER_TIME: Duration = Duration::from_secs(45);
/// Time for a log-in.
pub(crate) const LOGIN_TIME: Duration = Duration::from_secs(30);
/// Time for an SMTP server to say that it took a message over (RFC 5321, 4.5.3.2.6: ten minutes; people wait less).
pub(crate) const TAKEN_TIME: Duration = Duration::from_secs(120);

/// A text of a stranger: one line, without control characters, not too long.
pub(crate) fn one_line(text: &str, chars_max: usize) -> String {
    let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
    spaced
        .chars()
        .filter(|sign| !is_hidden(*sign))
        .take(chars_max)
        .collect()
}

/// Signs that show nothing, or turn what follows around: they could make one name look like another.
pub(crate) fn is_hidden(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// How many more bytes may be read; shared between a connection and who reads from it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowance(Arc<AtomicUsize>);

impl Allowance {
    /// From now on this many.
    pub(crate) fn grant(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn take(&self, bytes: usize) -> io::Result<()> {
        let left = self.0.load(Ordering::Relaxed);
        let Some(rest) = left.checked_sub(bytes) else {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the answer is too long"));
        };
        self.0.store(rest, Ordering::Relaxed);
        Ok(())
    }
}

/// A stream from which no more is read than allowed, and nothing nested deeper than `DEPTH_MAX`: parsers of lists call
/// themselves for every level.
#[derive(Debug)]
pub(crate) struct Guarded<S> {
    inner: S,
    allowance: Allowance,
    nesting: Nesting,
}

impl<S> Guarded<S> {
    pub(crate) fn new(inner: S, allowance: Allowance) -> Self {
        Self {
            inner,
            allowance,
            nesting: Nesting::default(),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(cx, buf);
        if let Poll::Ready(Err(error)) = &polled
            && error.kind() == io::ErrorKind::UnexpectedEof
        {
            // Some servers go without the closing word of TLS: the end is the end.
            return Poll::Ready(Ok(()));
        }
        let read = buf.filled().get(before..).unwrap_or_default();
        self.allowance.take(read.len())?;
        let deep = self.nesting.is_too_deep(read);
        if deep {
            return Poll::Ready(Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "the answer is nested too deep",
            )));
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

/// How deep the lists of an answer go, outside of quoted texts and literals.
#[derive(Debug, Default)]
struct Nesting {
    depth: usize,
    /// Bytes of a literal that are still to come.
    literal: usize,
    /// The digits of `{123}`.
    announced: Option<usize>,
    /// The last byte was `}` and ended an announcement.
    is_announced: bool,
    in_quotes: bool,
    is_escaped: bool,
}

impl Nesting {
    fn is_too_deep(&mut self, bytes: &[u8]) -> bool {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if self.literal > 0 {
                let skipped = self.literal.min(bytes.len() - at);
                self.literal -= skipped;
                at += skipped;
                continue;
            }
            at += 1;
            self.step(*byte);
            if self.depth > DEPTH_MAX {
                return true;
            }
        }
        false
    }

    fn step(&mut self, byte: u8) {
        if self.is_escaped {
            self.is_escaped = false;
            return;
        }
        match byte {
            b'\n' => {
                if self.is_announced {
                    self.literal = self.announced.take().unwrap_or_default();
                } else {
                    self.depth = 0;
                }
                self.in_quotes = false;
                self.is_announced = false;
            }
            b'\r' => {}
            b'\\' if self.in_quotes => self.is_escaped = true,
            b'"' => self.in_quotes = !self.in_quotes,
            _ if self.in_quotes => {}
            b'(' => self.depth += 1,
            b')' => self.depth = self.depth.saturating_sub(1),
            b'{' => self.announced = Some(0),
            b'}' => self.is_announced = self.announced.is_some(),
            b'0'..=b'9' => {
                if let Some(number) = &mut self.announced {
                    *number = number.saturating_mul(10).saturating_add(usize::from(byte - b'0'));
                }
            }
            _ => {
                self.announced = None;
                self.is_announced = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(parts: &[&[u8]]) -> bool {
        let mut nesting = Nesting::default();
        parts.iter().any(|part| nesting.is_too_deep(part))
    }

    #[test]
    fn what_is_nested_too_deep_is_refused_wherever_it_is_cut() {
        let deep = [b"* 1 FETCH (BODYSTRUCTURE ".as_slice(), &b"(".repeat(DEPTH_MAX)].concat();
        assert!(is_refused(&[&deep]));
        assert!(is_refused(&[&deep[..40], &deep[40..]]));
        assert!(!is_refused(&[&deep[..40]]));
    }

    #[test]
    fn brackets_in_texts_and_literals_are_no_nesting() {
        let signs = b"(".repeat(DEPTH_MAX * 2);
        let quoted = [b"* 1 FETCH (X \"a \\\" ".as_slice(), &signs, b"\")\r\n"].concat();
        assert!(!is_refused(&[&quoted]));
        let literal = [b"* 1 FETCH (BODY[] {120}\r\n".as_slice(), &signs, b")\r\n"].concat();
        assert!(!is_refused(&[&literal]));
        assert!(!is_refused(&[&literal[..30], &literal[30..60], &literal[60..]]));
    }

    #[test]
    fn a_line_that_ends_begins_anew() {
        let lines: Vec<u8> = std::iter::repeat_n(*b"* LIST (\r\n", DEPTH_MAX * 2).flatten().collect();
        assert!(!is_refused(&[&lines]));
    }

    #[test]
    fn no_more_is_read_than_was_granted() {
        let allowance = Allowance::default();
        allowance.grant(5);
        assert!(allowance.take(5).is_ok());
        assert!(allowance.take(1).is_err());
    }

    #[test]
    fn hidden_signs_of_a_name_are_left_out() {
        assert_eq!(one_line("Anna\u{202e} \r\n Rossi\u{200b}", 20), "Anna Rossi");
    }
}
