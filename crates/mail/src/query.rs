//! What is looked for, as the words of SEARCH (RFC 3501, 6.4.4). Pure; `mailbox` sends it and filters what SEARCH
//! cannot say: it knows days only, and no attachments.

use jiff::{Timestamp, ToSpan as _, tz::TimeZone};

/// What is looked for; everything must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// One of these stands in the sender's name or address.
    pub from: Vec<String>,
    /// One of these stands among those it went to.
    pub to: Vec<String>,
    /// Stands in the subject.
    pub subject: Option<String>,
    /// Each stands in the subject or the text.
    pub text: Vec<String>,
    /// Only what was not read, or only what was.
    pub unread: Option<bool>,
    /// Only what is flagged, or only what is not.
    pub flagged: Option<bool>,
    /// Only with a file.
    pub with_files: bool,
    /// It came at this moment or later.
    pub since: Option<Timestamp>,
    /// It came before this moment.
    pub before: Option<Timestamp>,
    /// The one with this Message-ID, without brackets.
    pub message_id: Option<String>,
    /// Numbers above this one.
    pub uid_above: Option<u32>,
    /// Most messages that are returned; newest first.
    pub limit: usize,
}

/// A piece of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Of the protocol.
    Word(String),
    /// Of a person: sent as a literal where it cannot be quoted.
    Text(String),
}

impl Query {
    /// Whether something must be looked at here, beside what SEARCH says.
    pub(crate) fn filters_here(&self) -> bool {
        self.with_files || self.since.is_some() || self.before.is_some()
    }

    /// Whether a folder as a whole is meant.
    pub(crate) fn is_all(&self) -> bool {
        let whole = Self {
            limit: self.limit,
            ..Self::default()
        };
        *self == whole
    }

    /// Whether one that came at this moment counts.
    pub(crate) fn admits(&self, arrived: Timestamp) -> bool {
        self.since.is_none_or(|since| arrived >= since) && self.before.is_none_or(|before| arrived < before)
    }

    /// The keys of SEARCH. Days are taken one wider on both sides: a server reads them in a zone of its own.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        any_of("FROM", &self.from, &mut pieces);
        any_of("TO", &self.to, &mut pieces);
        if let Some(subject) = &self.subject {
            pieces.push(Piece::Word("SUBJECT".to_owned()));
            pieces.push(Piece::Text(subject.clone()));
        }
        for words in &self.text {
            pieces.push(Piece::Word("TEXT".to_owned()));
            pieces.push(Piece::Text(words.clone()));
        }
        let mut switch = |wanted: Option<bool>, yes: &str, no: &str| {
            if let Some(wanted) = wanted {
                pieces.push(Piece::Word(if wanted { yes } else { no }.to_owned()));
            }
        };
        switch(self.unread, "UNSEEN", "SEEN");
        switch(self.flagged, "FLAGGED", "UNFLAGGED");
        if let Some(since) = self.since {
            pieces.push(Piece::Word(format!("SINCE {}", day(since, -1))));
        }
        if let Some(before) = self.before {
            pieces.push(Piece::Word(format!("BEFORE {}", day(before, 2))));
        }
        if let Some(id) = &self.message_id {
            pieces.push(Piece::Word("HEADER Message-ID".to_owned()));
            pieces.push(Piece::Text(id.clone()));
        }
        if let Some(above) = self.uid_above {
            pieces.push(Piece::Word(format!("UID {}:*", above.saturating_add(1))));
        }
        if pieces.is_empty() {
            pieces.push(Piece::Word("ALL".to_owned()));
        }
        pieces
    }
}

/// `OR k a OR k b k c`.
fn any_of(key: &str, texts: &[String], pieces: &mut Vec<Piece>) {
    for (place, text) in texts.iter().enumerate() {
        if place + 1 < texts.len() {
            pieces.push(Piece::Word("OR".to_owned()));
        }
        pieces.push(Piece::Word(key.to_owned()));
        pieces.push(Piece::Text(text.clone()));
    }
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

fn day(moment: Timestamp, days: i64) -> String {
    let date = moment.to_zoned(TimeZone::UTC).date();
    let date = date.checked_add(days.days()).unwrap_or(date);
    let month = usize::try_from(date.month())
        .ok()
        .and_then(|month| MONTHS.get(month - 1));
    format!("{}-{}-{:04}", date.day(), month.copied().unwrap_or("Jan"), date.year())
}

/// Numbers of messages as ranges: `1:3,7`. Sorted first.
pub(crate) fn set_of(uids: &[u32]) -> String {
    let mut sorted = uids.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for uid in sorted {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(uid) => *last = uid,
            _ => ranges.push((uid, uid)),
        }
    }
    let texts = ranges.iter().map(|(first, last)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}:{last}")
        }
    });
    texts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(query: &Query) -> String {
        let texts = query.pieces().into_iter().map(|piece| match piece {
            Piece::Word(word) => word,
            Piece::Text(text) => format!("<{text}>"),
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_looked_for_becomes_keys_of_search() {
        let query = Query {
            from: vec!["anna@a.it".to_owned(), "Anna".to_owned()],
            text: vec!["gita".to_owned()],
            unread: Some(true),
            since: Some("2026-03-01T23:30:00Z".parse().unwrap()),
            before: Some("2026-03-02T10:00:00Z".parse().unwrap()),
            ..Query::default()
        };
        assert_eq!(
            words(&query),
            "OR FROM <anna@a.it> FROM <Anna> TEXT <gita> UNSEEN SINCE 28-Feb-2026 BEFORE 4-Mar-2026"
        );
        assert_eq!(words(&Query::default()), "ALL");
    }

    #[test]
    fn the_hour_is_looked_at_here() {
        let query = Query {
            since: Some("2026-03-01T12:00:00Z".parse().unwrap()),
            before: Some("2026-03-01T13:00:00Z".parse().unwrap()),
            ..Query::default()
        };
        assert!(!query.admits("2026-03-01T11:59:59Z".parse().unwrap()));
        assert!(query.admits("2026-03-01T12:00:00Z".parse().unwrap()));
        assert!(!query.admits("2026-03-01T13:00:00Z".parse().unwrap()));
    }

    #[test]
    fn numbers_are_said_as_ranges() {
        assert_eq!(set_of(&[7, 1, 2, 3, 3]), "1:3,7");
        assert_eq!(set_of(&[u32::MAX]), "4294967295");
        assert_eq!(set_of(&[]), "");
    }
}
