//! One conversation with an IMAP server: a command goes out, its answer comes back piece by piece, bounded in bytes and
//! time. Called by `mailbox` only. A command that fails half-way leaves a conversation that must be dropped
//! (`Failure::ends_connection`).

use async_imap::{
    Client, Session,
    imap_proto::{Capability, RequestId, Response, ResponseCode, Status, rfc4315::UidSetMember},
};
use tokio::time::timeout;

use crate::{
    bounds::{ANSWER_BYTES_MAX, ANSWER_TIME, Allowance, Guarded, LOGIN_TIME, SAID_CHARS_MAX, one_line},
    failure::{Failure, Phase},
    query::Piece,
    tls::{Login, Wire},
};

/// What the last line of an answer carried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// COPYUID (RFC 4315): the folder's validity, the numbers before and after.
    pub(crate) copied: Option<(u32, Vec<u32>, Vec<u32>)>,
    /// APPENDUID.
    pub(crate) appended: Option<(u32, u32)>,
}

pub(crate) struct Talk {
    session: Session<Guarded<Wire>>,
    allowance: Allowance,
    /// In upper case.
    capabilities: Vec<String>,
}

/// What is done with a part of an answer.
pub(crate) type Each<'a> = &'a mut (dyn FnMut(&Response<'_>) -> Result<(), Failure> + Send);

impl Talk {
    /// Logs in.
    pub(crate) async fn begin(wire: Wire, login: &Login) -> Result<Self, Failure> {
        let allowance = Allowance::default();
        allowance.grant(ANSWER_BYTES_MAX);
        let mut client = Client::new(Guarded::new(wire, allowance.clone()));
        let wants_oauth = greeting(&mut client).await?;
        let logging_in = client.login(&login.user, login.password.expose());
        let session = match timeout(LOGIN_TIME, logging_in).await {
            Err(_elapsed) => return Err(Failure::Timeout(Phase::Beginning)),
            Ok(Ok(session)) => session,
            Ok(Err((error, _client))) => return Err(refused_login(error, wants_oauth)),
        };
        let mut talk = Self {
            session,
            allowance,
            capabilities: Vec::new(),
        };
        talk.capabilities = talk.ask_capabilities().await?;
        Ok(talk)
    }

    /// Whether the server says that it can do this.
    pub(crate) fn can(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|known| known == capability)
    }

    async fn ask_capabilities(&mut self) -> Result<Vec<String>, Failure> {
        let mut found = Vec::new();
        self.say("CAPABILITY", &mut |response| {
            if let Response::Capabilities(list) = response {
                found.extend(list.iter().map(name_of));
            }
            Ok(())
        })
        .await?;
        Ok(found)
    }

    /// A command of words of the protocol alone.
    pub(crate) async fn say(&mut self, command: &str, each: Each<'_>) -> Result<Answer, Failure> {
        self.run(vec![Piece::Word(command.to_owned())], ANSWER_BYTES_MAX, each)
            .await
    }

    /// A command; at most so many bytes of answer.
    pub(crate) async fn run(&mut self, pieces: Vec<Piece>, bytes: usize, each: Each<'_>) -> Result<Answer, Failure> {
        self.allowance.grant(bytes);
        let parts = self.parts(&pieces)?;
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_default();
        let tag = self.timed(Doing::Tagged(first)).await?;
        let Some(tag) = tag else {
            return Err(Failure::Garbled);
        };
        for part in parts {
            self.until_continue(&tag, each).await?;
            self.timed(Doing::Untagged(part)).await?;
        }
        self.until_done(&tag, each).await
    }

    /// Sends a message to a folder. `name` is as the server knows it.
    pub(crate) async fn append(&mut self, name: &str, flags: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.allowance.grant(ANSWER_BYTES_MAX);
        let sending = self.session.append(name, Some(flags), None, bytes);
        match timeout(ANSWER_TIME, sending).await {
            Err(_elapsed) => Err(Failure::Timeout(Phase::Talking)),
            Ok(done) => done.map_err(of_imap),
        }
    }

    /// Waits for news at most so long; whether there was any. Ends the wait before it returns.
    pub(crate) async fn idle(self, at_most: std::time::Duration) -> Result<(Self, bool), Failure> {
        use async_imap::extensions::idle::IdleResponse;
        let Self {
            session,
            allowance,
            capabilities,
        } = self;
        allowance.grant(ANSWER_BYTES_MAX);
        let mut handle = session.idle();
        timeout(ANSWER_TIME, handle.init())
            .await
            .map_err(|_elapsed| Failure::Timeout(Phase::Talking))?
            .map_err(of_imap)?;
        let has_news = {
            let (waiting, _interrupt) = handle.wait_with_timeout(at_most);
            matches!(waiting.await.map_err(of_imap)?, IdleResponse::NewData(_))
        };
        let session = timeout(ANSWER_TIME, handle.done())
            .await
            .map_err(|_elapsed| Failure::Timeout(Phase::Talking))?
            .map_err(of_imap)?;
        let talk = Self {
            session,
            allowance,
            capabilities,
        };
        Ok((talk, has_news))
    }

    /// The pieces as lines: a new one begins behind each literal that the server has to be asked for.
    fn parts(&self, pieces: &[Piece]) -> Result<Vec<String>, Failure> {
        let mut parts = vec![String::new()];
        let at_once = self.can("LITERAL+");
        for (place, piece) in pieces.iter().enumerate() {
            let Some(last) = parts.last_mut() else { continue };
            if place > 0 {
                last.push(' ');
            }
            match piece {
                Piece::Word(word) => last.push_str(word),
                Piece::Text(text) if text.contains(['\0', '\r', '\n']) => return Err(Failure::Invalid(text.clone())),
                Piece::Text(text) if text.is_ascii() => last.push_str(&quoted(text)),
                Piece::Text(text) if at_once => last.push_str(&format!("{{{}+}}\r\n{text}", text.len())),
                Piece::Text(text) => {
                    last.push_str(&format!("{{{}}}", text.len()));
                    parts.push(text.clone());
                }
            }
        }
        Ok(parts)
    }

    async fn timed(&mut self, doing: Doing) -> Result<Option<RequestId>, Failure> {
        let saying = async {
            match doing {
                Doing::Tagged(text) => self.session.run_command(text).await.map(Some),
                Doing::Untagged(text) => self.session.run_command_untagged(text).await.map(|()| None),
            }
        };
        timeout(ANSWER_TIME, saying)
            .await
            .map_err(|_elapsed| Failure::Timeout(Phase::Talking))?
            .map_err(of_imap)
    }

    /// The next part of an answer, for who takes from it what they need.
    async fn next<T>(&mut self, take: impl FnOnce(&Response<'_>) -> Result<T, Failure> + Send) -> Result<T, Failure> {
        match timeout(ANSWER_TIME, self.session.read_response()).await {
            Err(_elapsed) => Err(Failure::Timeout(Phase::Talking)),
            Ok(Err(error)) => Err(Failure::of_stream(&error)),
            Ok(Ok(None)) => Err(Failure::Gone),
            Ok(Ok(Some(response))) => take(response.parsed()),
        }
    }

    async fn until_continue(&mut self, tag: &RequestId, each: Each<'_>) -> Result<(), Failure> {
        loop {
            let is_asked = self.next(|response| match response {
                Response::Continue(_) => Ok(true),
                Response::Done { tag: done, .. } if *done == *tag => {
                    finished(response)?;
                    Err(Failure::Garbled)
                }
                other => each(other).map(|()| false),
            });
            if is_asked.await? {
                return Ok(());
            }
        }
    }

    async fn until_done(&mut self, tag: &RequestId, each: Each<'_>) -> Result<Answer, Failure> {
        let mut answer = Answer::default();
        loop {
            let said = self.next(|response| match response {
                Response::Done { tag: done, .. } if *done == *tag => finished(response).map(|last| (true, last)),
                Response::Data {
                    status: Status::Bye, ..
                } => Err(Failure::Gone),
                Response::Data { outcome, .. } => {
                    // MOVE says COPYUID in a line of its own (RFC 6851, 4.3).
                    let carried = carried(outcome.code.as_ref());
                    each(response).map(|()| (false, carried))
                }
                other => each(other).map(|()| (false, Answer::default())),
            });
            let (is_over, said) = said.await?;
            answer.copied = said.copied.or(answer.copied);
            answer.appended = said.appended.or(answer.appended);
            if is_over {
                return Ok(answer);
            }
        }
    }
}

enum Doing {
    Tagged(String),
    Untagged(String),
}

/// Takes the greeting; whether it says that the server takes no passwords, but tokens.
async fn greeting(client: &mut Client<Guarded<Wire>>) -> Result<bool, Failure> {
    let said = timeout(LOGIN_TIME, client.read_response()).await;
    let response = match said {
        Err(_elapsed) => return Err(Failure::Timeout(Phase::Beginning)),
        Ok(Err(error)) => return Err(Failure::of_stream(&error)),
        Ok(Ok(None)) => return Err(Failure::Gone),
        Ok(Ok(Some(response))) => response,
    };
    match response.parsed() {
        Response::Data {
            status: Status::Ok | Status::PreAuth,
            outcome,
        } => Ok(match &outcome.code {
            Some(ResponseCode::Capabilities(list)) => {
                let names: Vec<String> = list.iter().map(name_of).collect();
                let has = |name: &str| names.iter().any(|known| known == name);
                has("AUTH=XOAUTH2") && !has("AUTH=PLAIN") && !has("AUTH=LOGIN")
            }
            Some(_) | None => false,
        }),
        Response::Data { outcome, .. } => Err(Failure::refused(outcome.information.as_deref().unwrap_or_default())),
        _ => Err(Failure::Garbled),
    }
}

/// What a name and password that were refused mean.
fn refused_login(error: async_imap::error::Error, wants_oauth: bool) -> Failure {
    match error {
        async_imap::error::Error::No(said) | async_imap::error::Error::Bad(said) => Failure::LoginRefused {
            wants_oauth: wants_oauth || said.to_ascii_lowercase().contains("oauth"),
            said: one_line(&said, SAID_CHARS_MAX),
        },
        other => of_imap(other),
    }
}

fn finished(response: &Response<'_>) -> Result<Answer, Failure> {
    let Response::Done { status, outcome, .. } = response else {
        return Err(Failure::Garbled);
    };
    match status {
        Status::Ok => Ok(carried(outcome.code.as_ref())),
        Status::No | Status::Bad => {
            if matches!(outcome.code, Some(ResponseCode::TryCreate)) {
                return Err(Failure::NotFound);
            }
            Err(Failure::refused(outcome.information.as_deref().unwrap_or_default()))
        }
        Status::PreAuth | Status::Bye => Err(Failure::Gone),
    }
}

fn carried(code: Option<&ResponseCode<'_>>) -> Answer {
    match code {
        Some(ResponseCode::CopyUid(validity, from, to)) => Answer {
            copied: Some((*validity, numbers(from), numbers(to))),
            appended: None,
        },
        Some(ResponseCode::AppendUid(validity, uids)) => Answer {
            copied: None,
            appended: numbers(uids).first().map(|uid| (*validity, *uid)),
        },
        Some(_) | None => Answer::default(),
    }
}

/// Every number of a set; one that is absurdly long counts as none.
fn numbers(set: &[UidSetMember]) -> Vec<u32> {
    let mut numbers = Vec::new();
    for member in set {
        match member {
            UidSetMember::Uid(uid) => numbers.push(*uid),
            UidSetMember::UidRange(range) => {
                // Either way round (RFC 4315): 4:2 is 2:4.
                let (low, high) = (*range.start().min(range.end()), *range.start().max(range.end()));
                if high - low > 100_000 {
                    return Vec::new();
                }
                numbers.extend(low..=high);
            }
        }
    }
    numbers
}

fn name_of(capability: &Capability<'_>) -> String {
    match capability {
        Capability::Imap4rev1 => "IMAP4REV1".to_owned(),
        Capability::Auth(name) => format!("AUTH={}", name.to_ascii_uppercase()),
        Capability::Atom(name) => name.to_ascii_uppercase(),
    }
}

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for sign in text.chars() {
        if matches!(sign, '"' | '\\') {
            out.push('\\');
        }
        out.push(sign);
    }
    out.push('"');
    out
}

/// By value, for `map_err`.
pub(crate) fn of_imap(error: async_imap::error::Error) -> Failure {
    use async_imap::error::Error as E;
    match error {
        E::Io(error) => Failure::of_stream(&error),
        E::Bad(said) | E::No(said) => Failure::refused(&said),
        E::ConnectionLost => Failure::Gone,
        E::Validate(error) => Failure::Invalid(error.to_string()),
        E::Append => Failure::refused(""),
        _ => Failure::Garbled,
    }
}
