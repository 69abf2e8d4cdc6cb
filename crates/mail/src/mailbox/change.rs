//! What is done with the messages of a mailbox: moved, marked, put there.

use async_imap::imap_proto::{MailboxDatum, Response};

use super::{Mailbox, Mark, Moved};
use crate::{Boxed, failure::Failure, query::set_of, talk::quoted};

impl Mailbox {
    /// Moves messages to another folder. Where the server cannot move, they are copied, marked as deleted and removed,
    /// and no other that somebody marked is removed with them.
    pub fn move_to<'a>(
        &'a mut self,
        folder: &'a str,
        validity: u32,
        uids: &'a [u32],
        to: &'a str,
    ) -> Boxed<'a, Result<Moved, Failure>> {
        Box::pin(async move {
            self.enter(folder, true, Some(validity)).await?;
            let set = set_of(uids);
            let target = quoted(to);
            let talk = self.talk()?;
            let answer = if talk.can("MOVE") {
                talk.say(&format!("UID MOVE {set} {target}"), &mut |_answer| Ok(()))
                    .await?
            } else {
                let copied = talk
                    .say(&format!("UID COPY {set} {target}"), &mut |_answer| Ok(()))
                    .await?;
                talk.say(&format!("UID STORE {set} +FLAGS.SILENT (\\Deleted)"), &mut |_answer| {
                    Ok(())
                })
                .await?;
                self.expunge(&set, uids).await?;
                copied
            };
            let (validity, pairs) = match answer.copied {
                Some((validity, from, to)) if from.len() == to.len() => {
                    (Some(validity), from.into_iter().zip(to).collect())
                }
                Some(_) | None => (None, Vec::new()),
            };
            Ok(Moved { validity, pairs })
        })
    }

    /// Marks messages, or takes the mark away.
    pub fn flag<'a>(
        &'a mut self,
        folder: &'a str,
        validity: u32,
        uids: &'a [u32],
        mark: Mark,
        on: bool,
    ) -> Boxed<'a, Result<(), Failure>> {
        Box::pin(async move {
            self.enter(folder, true, Some(validity)).await?;
            let sign = if on { '+' } else { '-' };
            let command = format!("UID STORE {} {sign}FLAGS.SILENT ({})", set_of(uids), mark.word());
            self.talk()?.say(&command, &mut |_answer| Ok(())).await.map(drop)
        })
    }

    /// Puts a message into a folder, as read, unless one with this Message-ID is there: some servers file what they
    /// send by themselves. Whether it was put there.
    pub fn file_once<'a>(
        &'a mut self,
        folder: &'a str,
        message_id: &'a str,
        flags: &'a [Mark],
        bytes: &'a [u8],
    ) -> Boxed<'a, Result<bool, Failure>> {
        Box::pin(async move {
            if !self.with_id(folder, message_id).await?.1.is_empty() {
                return Ok(false);
            }
            let flags = flags.iter().map(|mark| mark.word()).collect::<Vec<_>>().join(" ");
            self.open = None;
            let talk = self.talk()?;
            talk.append(folder, &format!("({flags})"), bytes).await?;
            Ok(true)
        })
    }

    /// Removes these and no others: a server without UID EXPUNGE (RFC 4315) would remove all that are marked, so those
    /// that somebody else marked lose their mark first and get it back.
    async fn expunge(&mut self, set: &str, uids: &[u32]) -> Result<(), Failure> {
        if self.talk()?.can("UIDPLUS") {
            return self
                .talk()?
                .say(&format!("UID EXPUNGE {set}"), &mut |_answer| Ok(()))
                .await
                .map(drop);
        }
        let mut marked = Vec::new();
        let talk = self.talk()?;
        talk.say("UID SEARCH DELETED", &mut |response| {
            if let Response::MailboxData(MailboxDatum::Search(found)) = response {
                marked.extend(found.iter().copied().filter(|uid| !uids.contains(uid)));
            }
            Ok(())
        })
        .await?;
        let others = set_of(&marked);
        if !marked.is_empty() {
            talk.say(
                &format!("UID STORE {others} -FLAGS.SILENT (\\Deleted)"),
                &mut |_answer| Ok(()),
            )
            .await?;
        }
        talk.say("EXPUNGE", &mut |_answer| Ok(())).await?;
        if !marked.is_empty() {
            talk.say(
                &format!("UID STORE {others} +FLAGS.SILENT (\\Deleted)"),
                &mut |_answer| Ok(()),
            )
            .await?;
        }
        Ok(())
    }
}
