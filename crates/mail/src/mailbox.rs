//! A mailbox on its server: folders, messages, and what is done with them. Folders are opened read-only (EXAMINE) and
//! bodies are peeked at, so that nothing is marked as read but by `flag`. A message is (folder, validity, number):
//! where the validity changed, its number means nothing, and the call fails with `Failure::FolderChanged`.

use std::time::Duration;

use async_imap::imap_proto::{AttributeValue, MailboxDatum, Response, ResponseCode, Status};
use jiff::Timestamp;

use crate::{
    Boxed,
    bounds::{FOLDERS_MAX, LETTER_BYTES_MAX},
    failure::Failure,
    folders::{Folders, Listed},
    letter::Person,
    query::{Piece, Query},
    signals::Signals,
    talk::{Talk, quoted},
    tls::{Login, Protocol, Server, Trust, connect},
    utf7,
};

mod change;
mod fetched;
mod find;

use fetched::{is_closed, marked};

/// What a server cannot do, or does in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// It does not say which folder plays which part; names tell.
    NoSpecialUse,
    /// It does not move: messages are copied and the old ones removed.
    NoMove,
    /// It does not tell the numbers of what it moved; undo looks for the Message-ID.
    NoUidPlus,
    /// It says nothing by itself; it is asked for news from time to time.
    NoIdle,
    /// Folders are labels: a message is in several at once.
    Labels,
}

/// What a message is marked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Read.
    Seen,
    /// With a flag or a star.
    Flagged,
    /// Answered.
    Answered,
}

impl Mark {
    fn word(self) -> &'static str {
        match self {
            Self::Seen => "\\Seen",
            Self::Flagged => "\\Flagged",
            Self::Answered => "\\Answered",
        }
    }
}

/// What the headers of a message say.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a mark of its own, and they go in any mixture"
)]
pub struct Header {
    /// Its number in its folder.
    pub uid: u32,
    /// When the server got it.
    pub arrived: Timestamp,
    /// Bytes.
    pub size: u32,
    /// It was read.
    pub is_seen: bool,
    /// It is flagged.
    pub is_flagged: bool,
    /// It was answered.
    pub is_answered: bool,
    /// Who wrote it.
    pub from: Vec<Person>,
    /// Whom to answer, where that is somebody else.
    pub reply_to: Vec<Person>,
    /// To whom.
    pub to: Vec<Person>,
    /// Who else got it.
    pub cc: Vec<Person>,
    /// What it is about.
    pub subject: String,
    /// When it says it was written.
    pub written: Option<Timestamp>,
    /// Its own name, without brackets.
    pub message_id: Option<String>,
    /// The one it answers.
    pub in_reply_to: Option<String>,
    /// The conversation it is part of, oldest first.
    pub references: Vec<String>,
    /// By its kind it carries files.
    pub has_files: bool,
    /// What else its headers tell.
    pub signals: Signals,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The folder's validity.
    pub validity: u32,
    /// Newest first, at most as many as were asked for.
    pub headers: Vec<Header>,
    /// How many there are in all.
    pub total: usize,
    /// There were more than are looked at: `total` is a lower bound.
    pub is_cut: bool,
}

/// What moving came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// The validity of the folder they are in now, where the server tells.
    pub validity: Option<u32>,
    /// Number before, number now.
    pub pairs: Vec<(u32, u32)>,
}

/// What happened while one waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Something.
    Some,
    /// Nothing in that time.
    None,
}

/// A mailbox that is open.
pub struct Mailbox {
    talk: Option<Talk>,
    folders: Option<Folders>,
    /// The folder that is open, whether for changes, and its validity.
    open: Option<(String, bool, u32)>,
}

impl std::fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailbox")
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

/// Connects and logs in.
pub fn open<'a>(server: &'a Server, login: &'a Login, trust: &'a Trust) -> Boxed<'a, Result<Mailbox, Failure>> {
    Box::pin(async move {
        let wire = connect(server, trust, Protocol::Imap).await?;
        let mut talk = Talk::begin(wire, login).await?;
        if talk.can("ID") {
            // Some providers let only programs in that say what they are (RFC 2971).
            match talk.say("ID (\"name\" \"metnos\")", &mut |_answer| Ok(())).await {
                Err(failure) if failure.ends_connection() => return Err(failure),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(Mailbox {
            talk: Some(talk),
            folders: None,
            open: None,
        })
    })
}

impl Mailbox {
    /// What this server cannot do. Complete once the folders were asked for.
    pub fn quirks(&self) -> Vec<Quirk> {
        let can = |what: &str| self.talk.as_ref().is_some_and(|talk| talk.can(what));
        let mut quirks = Vec::new();
        let marked = self.folders.as_ref().is_some_and(|folders| folders.are_marked);
        for (quirk, holds) in [
            (Quirk::NoSpecialUse, !marked),
            (Quirk::NoMove, !can("MOVE")),
            (Quirk::NoUidPlus, !can("UIDPLUS")),
            (Quirk::NoIdle, !can("IDLE")),
            (Quirk::Labels, can("X-GM-EXT-1")),
        ] {
            if holds {
                quirks.push(quirk);
            }
        }
        quirks
    }

    /// Its folders; asked for once.
    pub fn folders(&mut self) -> Boxed<'_, Result<Folders, Failure>> {
        Box::pin(async move {
            if let Some(folders) = &self.folders {
                return Ok(folders.clone());
            }
            let talk = self.talk()?;
            let command = if talk.can("SPECIAL-USE") && talk.can("LIST-EXTENDED") {
                "LIST \"\" \"*\" RETURN (SPECIAL-USE)"
            } else {
                "LIST \"\" \"*\""
            };
            let mut listed = Vec::new();
            talk.say(command, &mut |response| {
                if listed.len() < FOLDERS_MAX
                    && let Response::MailboxData(MailboxDatum::List(list)) = response
                {
                    listed.push(Listed {
                        raw: list.name.to_string(),
                        delimiter: list.delimiter.as_deref().map(str::to_owned),
                        marked: list.name_attributes.iter().find_map(marked),
                        is_closed: list.name_attributes.iter().any(is_closed),
                    });
                }
                Ok(())
            })
            .await?;
            let folders = Folders::of(&listed);
            self.folders = Some(folders.clone());
            Ok(folders)
        })
    }

    /// Makes a folder, where none plays a part that is needed. Its name as people read it.
    pub fn make_folder<'a>(&'a mut self, name: &'a str) -> Boxed<'a, Result<(), Failure>> {
        Box::pin(async move {
            let command = format!("CREATE {}", quoted(&utf7::encode(name)));
            self.folders = None;
            self.talk()?.say(&command, &mut |_answer| Ok(())).await.map(drop)
        })
    }

    /// A whole message as it is, which does not mark it as read.
    pub fn fetch<'a>(&'a mut self, folder: &'a str, validity: u32, uid: u32) -> Boxed<'a, Result<Vec<u8>, Failure>> {
        Box::pin(async move {
            self.enter(folder, false, Some(validity)).await?;
            let command = format!("UID FETCH {uid} (UID BODY.PEEK[])");
            let mut bytes = None;
            let talk = self.talk()?;
            talk.run(vec![Piece::Word(command)], LETTER_BYTES_MAX, &mut |response| {
                if let Response::Fetch(_, attributes) = response {
                    for attribute in attributes {
                        if let AttributeValue::BodySection {
                            section: None,
                            data: Some(data),
                            ..
                        } = attribute
                        {
                            bytes = Some(data.to_vec());
                        }
                    }
                }
                Ok(())
            })
            .await?;
            bytes.ok_or(Failure::NotFound)
        })
    }

    /// The folder's validity, and the numbers of messages in it that carry this Message-ID.
    pub fn with_id<'a>(
        &'a mut self,
        folder: &'a str,
        message_id: &'a str,
    ) -> Boxed<'a, Result<(u32, Vec<u32>), Failure>> {
        Box::pin(async move {
            let validity = self.enter(folder, false, None).await?;
            // What was open before may not show what another connection just brought.
            let query = Query {
                message_id: Some(message_id.to_owned()),
                ..Query::default()
            };
            Ok((validity, self.search(&query).await?))
        })
    }

    /// The folder's validity, and the number its next message will have.
    pub fn edge<'a>(&'a mut self, folder: &'a str) -> Boxed<'a, Result<(u32, u32), Failure>> {
        Box::pin(async move {
            let command = format!("STATUS {} (UIDVALIDITY UIDNEXT)", quoted(folder));
            let mut edge = (0, 0);
            self.talk()?
                .say(&command, &mut |response| {
                    if let Response::MailboxData(MailboxDatum::Status { status, .. }) = response {
                        use async_imap::imap_proto::StatusAttribute as A;
                        for attribute in status {
                            match attribute {
                                A::UidValidity(validity) => edge.0 = *validity,
                                A::UidNext(next) => edge.1 = *next,
                                _ => {}
                            }
                        }
                    }
                    Ok(())
                })
                .await?;
            Ok(edge)
        })
    }

    /// Waits in a folder until something happens, at most so long. A server that cannot say so by itself is not waited
    /// for: `News::None` at once.
    pub fn wait<'a>(&'a mut self, folder: &'a str, at_most: Duration) -> Boxed<'a, Result<News, Failure>> {
        Box::pin(async move {
            self.enter(folder, false, None).await?;
            if !self.talk()?.can("IDLE") {
                return Ok(News::None);
            }
            let talk = self.talk.take().ok_or(Failure::Gone)?;
            let (talk, has_news) = talk.idle(at_most).await?;
            self.talk = Some(talk);
            Ok(if has_news { News::Some } else { News::None })
        })
    }

    /// Whether the server can say by itself that something happened.
    pub fn can_wait(&self) -> bool {
        self.talk.as_ref().is_some_and(|talk| talk.can("IDLE"))
    }

    /// Whether the connection still stands.
    pub fn is_alive(&mut self) -> Boxed<'_, bool> {
        Box::pin(async move {
            let Ok(talk) = self.talk() else { return false };
            talk.say("NOOP", &mut |_answer| Ok(())).await.is_ok()
        })
    }

    /// Says good-bye.
    pub fn close(mut self) -> Boxed<'static, ()> {
        Box::pin(async move {
            if let Ok(talk) = self.talk()
                && let Err(failure) = talk.say("LOGOUT", &mut |_answer| Ok(())).await
            {
                tracing::debug!(%failure, "the server did not say good-bye");
            }
        })
    }

    fn talk(&mut self) -> Result<&mut Talk, Failure> {
        self.talk.as_mut().ok_or(Failure::Gone)
    }

    /// Opens a folder unless it is open in that way; its validity, which must be the expected one.
    async fn enter(&mut self, folder: &str, for_changes: bool, expected: Option<u32>) -> Result<u32, Failure> {
        let known = self
            .open
            .as_ref()
            .filter(|(name, changes, _)| name == folder && (*changes == for_changes))
            .map(|(_, _, validity)| *validity);
        let validity = match known {
            Some(validity) => {
                // News of others arrives with any command.
                self.talk()?.say("NOOP", &mut |_answer| Ok(())).await?;
                validity
            }
            None => self.select(folder, for_changes).await?.0,
        };
        match expected {
            Some(expected) if expected != validity => Err(Failure::FolderChanged),
            Some(_) | None => Ok(validity),
        }
    }

    /// Opens a folder anew; its validity, and how many messages lie in it.
    async fn select(&mut self, folder: &str, for_changes: bool) -> Result<(u32, usize), Failure> {
        self.open = None;
        let verb = if for_changes { "SELECT" } else { "EXAMINE" };
        let (mut validity, mut exists) = (0, 0);
        let selecting = format!("{verb} {}", quoted(folder));
        let done = self
            .talk()?
            .say(&selecting, &mut |response| {
                if let Response::Data {
                    status: Status::Ok,
                    outcome,
                } = response
                    && let Some(ResponseCode::UidValidity(said)) = &outcome.code
                {
                    validity = *said;
                } else if let Response::MailboxData(MailboxDatum::Exists(said)) = response {
                    exists = *said;
                }
                Ok(())
            })
            .await;
        match done {
            Err(Failure::Refused(_)) => return Err(Failure::NotFound),
            other => other?,
        };
        self.open = Some((folder.to_owned(), for_changes, validity));
        Ok((validity, usize::try_from(exists).unwrap_or_default()))
    }
}
