//! A message on its way, once. What came of it is said in three words: sent, not sent, or nobody knows; only the
//! server's own yes after the last byte is "sent", and only what failed before the first byte of the message, or with
//! the server's own no, is "not sent".

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    pin::Pin,
    task::{Context, Poll},
};

use lettre::{
    Address,
    transport::smtp::{
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, AsyncTokioStream},
        commands::{Data, Mail, Rcpt},
        extension::{ClientId, Extension, MailBodyParameter, MailParameter},
    },
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::timeout,
};

use crate::{
    Boxed,
    bounds::{ANSWER_TIME, Allowance, Guarded, LOGIN_TIME, SAID_CHARS_MAX, TAKEN_TIME, one_line},
    failure::{Failure, Phase},
    tls::{Login, Protocol, Server, Trust, Wire, connect},
};

/// Most bytes a server may say while one message is sent.
const SAID_BYTES_MAX: usize = 200_000;

/// What came of sending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The server took it over.
    Sent,
    /// It did not go out.
    NotSent(Failure),
    /// The server did not take this address; nobody got it.
    Recipient {
        /// The address.
        address: String,
        /// What the server said of it.
        said: String,
        /// It may take it later.
        is_for_now: bool,
    },
    /// It was given away whole, and no answer came.
    Unknown(Failure),
}

/// What a log-in without a message found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Largest message it takes, in bytes, where it says so.
    pub size_max: Option<usize>,
}

#[derive(Debug)]
struct Line {
    stream: Guarded<Wire>,
    peer: SocketAddr,
}

impl AsyncTokioStream for Line {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

impl AsyncRead for Line {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Whether one can log in to send.
pub fn probe_smtp<'a>(server: &'a Server, login: &'a Login, trust: &'a Trust) -> Boxed<'a, Result<Probe, Failure>> {
    Box::pin(async move {
        let mut connection = begin(server, login, trust).await?;
        if let Err(error) = connection.quit().await {
            tracing::debug!(%error, "the server did not say good-bye");
        }
        Ok(Probe { size_max: None })
    })
}

/// Sends one message to all of its recipients, or to none.
pub fn send<'a>(
    server: &'a Server,
    login: &'a Login,
    trust: &'a Trust,
    from: &'a str,
    recipients: &'a [String],
    bytes: &'a [u8],
) -> Boxed<'a, Outcome> {
    Box::pin(async move {
        let mut connection = match begin(server, login, trust).await {
            Ok(connection) => connection,
            Err(failure) => return Outcome::NotSent(failure),
        };
        let outcome = hand_over(&mut connection, from, recipients, bytes).await;
        connection.abort().await;
        outcome
    })
}

async fn begin(server: &Server, login: &Login, trust: &Trust) -> Result<AsyncSmtpConnection, Failure> {
    let wire = connect(server, trust, Protocol::Smtp).await?;
    let peer = wire.peer().map_err(|error| Failure::of_stream(&error))?;
    let allowance = Allowance::default();
    allowance.grant(SAID_BYTES_MAX);
    let line = Line {
        stream: Guarded::new(wire, allowance),
        peer,
    };
    let hello = ClientId::Ipv4(Ipv4Addr::LOCALHOST);
    let beginning = async {
        let mut connection = AsyncSmtpConnection::connect_with_transport(Box::new(line), &hello)
            .await
            .map_err(|error| said(&error))?;
        let credentials = Credentials::new(login.user.clone(), login.password.expose().to_owned());
        let offers = |mechanism| connection.server_info().supports_auth_mechanism(mechanism);
        let wants_oauth = offers(Mechanism::Xoauth2) && !offers(Mechanism::Plain) && !offers(Mechanism::Login);
        let done = connection
            .auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
            .await;
        match done {
            Ok(_) => Ok(connection),
            Err(error) if error.status().is_some() || wants_oauth => Err(Failure::LoginRefused {
                said: one_line(&error.to_string(), SAID_CHARS_MAX),
                wants_oauth,
            }),
            Err(error) => Err(said(&error)),
        }
    };
    timeout(LOGIN_TIME, beginning)
        .await
        .unwrap_or(Err(Failure::Timeout(Phase::Beginning)))
}

async fn hand_over(connection: &mut AsyncSmtpConnection, from: &str, recipients: &[String], bytes: &[u8]) -> Outcome {
    if let Err(outcome) = prepare(connection, from, recipients, bytes).await {
        return outcome;
    }
    match timeout(TAKEN_TIME, connection.message(bytes)).await {
        Ok(Ok(_)) => Outcome::Sent,
        // Its own no is a no; a line that broke is not.
        Ok(Err(error)) if error.status().is_some() => Outcome::NotSent(Failure::refused(&error.to_string())),
        Ok(Err(error)) => Outcome::Unknown(said(&error)),
        Err(_elapsed) => Outcome::Unknown(Failure::Timeout(Phase::Talking)),
    }
}

/// Up to the point where the server waits for the message.
async fn prepare(
    connection: &mut AsyncSmtpConnection,
    from: &str,
    recipients: &[String],
    bytes: &[u8],
) -> Result<(), Outcome> {
    let address = |text: &str| -> Result<Address, Outcome> {
        text.parse()
            .map_err(|_no_address| Outcome::NotSent(Failure::Invalid(text.to_owned())))
    };
    let late = |_elapsed| Outcome::NotSent(Failure::Timeout(Phase::Talking));
    let mut parameters = Vec::new();
    if !bytes.is_ascii() && connection.server_info().supports_feature(Extension::EightBitMime) {
        parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
    }
    let mail = Mail::new(Some(address(from)?), parameters);
    timeout(ANSWER_TIME, connection.command(mail))
        .await
        .map_err(late)?
        .map_err(|error| Outcome::NotSent(said(&error)))?;
    for recipient in recipients {
        let rcpt = Rcpt::new(address(recipient)?, Vec::new());
        let answered = timeout(ANSWER_TIME, connection.command(rcpt)).await.map_err(late)?;
        answered.map_err(|error| {
            if error.status().is_some() {
                Outcome::Recipient {
                    address: recipient.clone(),
                    said: one_line(&error.to_string(), SAID_CHARS_MAX),
                    is_for_now: error.is_transient(),
                }
            } else {
                Outcome::NotSent(said(&error))
            }
        })?;
    }
    timeout(ANSWER_TIME, connection.command(Data))
        .await
        .map_err(late)?
        .map_err(|error| Outcome::NotSent(said(&error)))?;
    Ok(())
}

fn said(error: &lettre::transport::smtp::Error) -> Failure {
    if error.is_timeout() {
        Failure::Timeout(Phase::Talking)
    } else if error.status().is_some() {
        Failure::refused(&error.to_string())
    } else if error.is_response() {
        Failure::Garbled
    } else {
        Failure::Gone
    }
}
