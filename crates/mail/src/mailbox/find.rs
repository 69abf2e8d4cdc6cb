//! How messages are looked for in a mailbox, and what their headers say. Nothing is marked as read.

use std::collections::BTreeSet;

use async_imap::imap_proto::{MailboxDatum, Response};

use super::{Found, Header, Mailbox, fetched::header};
use crate::{
    Boxed,
    bounds::{ANSWER_BYTES_MAX, CHUNK, HEADER_BYTES_MAX, LETTER_BYTES_MAX, LOOKED_AT_MAX},
    failure::Failure,
    letter,
    query::{Piece, Query, set_of},
};

impl Mailbox {
    /// Looks for messages in a folder, named as the server knows it.
    pub fn find<'a>(&'a mut self, folder: &'a str, query: &'a Query) -> Boxed<'a, Result<Found, Failure>> {
        Box::pin(async move {
            let (validity, last) = if query.is_all() {
                let (validity, exists) = self.select(folder, false).await?;
                (validity, Some(exists).filter(|exists| *exists > query.limit))
            } else {
                (self.enter(folder, false, None).await?, None)
            };
            // Of a folder as a whole the last ones are asked for by their place, and not the numbers of all of them.
            let uids = match last {
                Some(exists) => self.last(exists - query.limit + 1).await?,
                None => self.search(query).await?,
            };
            let mut found = Found {
                validity,
                total: last.unwrap_or(uids.len()),
                ..Found::default()
            };
            if !query.filters_here() {
                let page: Vec<u32> = uids.into_iter().take(query.limit).collect();
                found.headers = self.headers(&page).await?;
            } else {
                found.is_cut = uids.len() > LOOKED_AT_MAX;
                let looked_at: Vec<u32> = uids.into_iter().take(LOOKED_AT_MAX).collect();
                for chunk in looked_at.chunks(CHUNK) {
                    let headers = self.headers(chunk).await?;
                    let counts =
                        |header: &Header| query.admits(header.arrived) && (!query.with_files || header.has_files);
                    found.headers.extend(headers.into_iter().filter(counts));
                }
                found.total = found.headers.len();
            }
            found
                .headers
                .sort_by(|one, other| other.arrived.cmp(&one.arrived).then(other.uid.cmp(&one.uid)));
            found.headers.truncate(query.limit);
            Ok(found)
        })
    }

    /// The headers of these messages, in no order; those that are gone are left out.
    pub fn headers_of<'a>(
        &'a mut self,
        folder: &'a str,
        validity: u32,
        uids: &'a [u32],
    ) -> Boxed<'a, Result<Vec<Header>, Failure>> {
        Box::pin(async move {
            self.enter(folder, false, Some(validity)).await?;
            let mut headers = Vec::new();
            for chunk in uids.chunks(CHUNK) {
                headers.extend(self.headers(chunk).await?);
            }
            Ok(headers)
        })
    }

    /// The numbers of what matches, newest first.
    pub(super) async fn search(&mut self, query: &Query) -> Result<Vec<u32>, Failure> {
        let pieces = query.pieces();
        let is_ascii = pieces.iter().all(|piece| match piece {
            Piece::Word(_) => true,
            Piece::Text(text) => text.is_ascii(),
        });
        let mut command = vec![Piece::Word("UID SEARCH".to_owned())];
        if !is_ascii {
            command.push(Piece::Word("CHARSET UTF-8".to_owned()));
        }
        command.extend(pieces);
        let found = self.searched(command).await?;
        // `UID 9:*` always names the last one, even below 9.
        let counts = |uid: &u32| query.uid_above.is_none_or(|above| *uid > above);
        Ok(found.into_iter().filter(counts).collect())
    }

    /// The numbers of those from this place in the folder on, newest first.
    async fn last(&mut self, first: usize) -> Result<Vec<u32>, Failure> {
        self.searched(vec![Piece::Word(format!("UID SEARCH {first}:*"))]).await
    }

    async fn searched(&mut self, command: Vec<Piece>) -> Result<Vec<u32>, Failure> {
        let mut found = BTreeSet::new();
        self.talk()?
            .run(command, ANSWER_BYTES_MAX, &mut |response| {
                if let Response::MailboxData(MailboxDatum::Search(uids)) = response {
                    found.extend(uids.iter().copied());
                }
                Ok(())
            })
            .await?;
        Ok(found.into_iter().rev().collect())
    }

    async fn headers(&mut self, uids: &[u32]) -> Result<Vec<Header>, Failure> {
        if uids.is_empty() {
            return Ok(Vec::new());
        }
        let command = format!(
            "UID FETCH {} (UID FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER.FIELDS ({})])",
            set_of(uids),
            letter::HEADERS.join(" ")
        );
        let bytes = uids.len().saturating_mul(HEADER_BYTES_MAX).min(LETTER_BYTES_MAX);
        let wanted: BTreeSet<u32> = uids.iter().copied().collect();
        let mut headers = Vec::new();
        self.talk()?
            .run(vec![Piece::Word(command)], bytes, &mut |response| {
                if let Response::Fetch(_, attributes) = response
                    && let Some(header) = header(attributes)
                    && wanted.contains(&header.uid)
                {
                    headers.push(header);
                }
                Ok(())
            })
            .await?;
        Ok(headers)
    }
}
