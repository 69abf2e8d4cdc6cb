//! The only way to a server: encrypted, with a certificate that was verified for the name that was asked. Called by
//! `mailbox` and `post`; it never goes on in plain text, whatever a server offers.

use std::{
    fmt, io,
    net::SocketAddr,
    path::Path,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName, pem::PemObject as _},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::{TlsConnector, client::TlsStream};
use zeroize::Zeroizing;

use crate::{
    Boxed,
    bounds::{CONNECT_TIME, LINE_BYTES_MAX, LINES_MAX, SAID_CHARS_MAX, one_line},
    failure::{Failure, Phase},
};

/// How a connection becomes encrypted. There is no third way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// From the first byte.
    Tls,
    /// After STARTTLS, before anything else is said.
    StartTls,
}

/// A server.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Server {
    /// Its name, which its certificate must carry.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How it encrypts.
    pub security: Security,
}

/// A password; wiped from memory when it is dropped.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// Keeps it.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

/// A name and its password.
#[derive(Clone, Debug)]
pub struct Login {
    /// As the server knows it.
    pub user: String,
    /// Its password.
    pub password: Password,
}

/// Why no certificates could be had.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The file with a further authority cannot be used.
    #[error("cannot read the certificates in `{path}`")]
    File {
        /// Where it is.
        path: String,
        /// Why.
        #[source]
        source: rustls::pki_types::pem::Error,
    },
    /// The machine has none, and no file names one.
    #[error("this machine trusts no certificate authority")]
    None,
    /// TLS itself.
    #[error("cannot set up TLS")]
    Tls(#[source] rustls::Error),
}

/// The authorities whose certificates count: the machine's own (or what `SSL_CERT_FILE` names), and one more file.
#[derive(Clone)]
pub struct Trust(Arc<ClientConfig>);

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Trust")
    }
}

impl Trust {
    /// Reads them.
    pub fn of_system(further: Option<&Path>) -> Result<Self, TrustError> {
        let mut roots = RootCertStore::empty();
        let native = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(native.certs);
        if let Some(path) = further {
            let failed = |source| TrustError::File {
                path: path.display().to_string(),
                source,
            };
            for certificate in CertificateDer::pem_file_iter(path).map_err(failed)? {
                roots.add(certificate.map_err(failed)?).map_err(TrustError::Tls)?;
            }
        }
        if roots.is_empty() {
            return Err(TrustError::None);
        }
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(TrustError::Tls)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(Arc::new(config)))
    }
}

/// What is spoken once the connection stands; STARTTLS is asked for in its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Imap,
    Smtp,
}

/// An encrypted connection; what a server said before it was encrypted is forgotten.
pub(crate) struct Wire {
    stream: TlsStream<TcpStream>,
    /// A greeting that was taken already, for who expects one.
    owed: &'static [u8],
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wire")
    }
}

impl Wire {
    pub(crate) fn peer(&self) -> io::Result<SocketAddr> {
        self.stream.get_ref().0.peer_addr()
    }
}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if !self.owed.is_empty() {
            let taken = self.owed.len().min(buf.remaining());
            let (now, later) = self.owed.split_at(taken);
            buf.put_slice(now);
            self.owed = later;
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Wire {
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

/// Connects and encrypts.
pub(crate) async fn connect(server: &Server, trust: &Trust, protocol: Protocol) -> Result<Wire, Failure> {
    timeout(CONNECT_TIME, establish(server, trust, protocol))
        .await
        .unwrap_or(Err(Failure::Timeout(Phase::Connecting)))
}

/// Whether somebody is there, encrypts, and has the right certificate. Nothing is said to them that is a secret.
pub fn probe<'a>(server: &'a Server, trust: &'a Trust, is_smtp: bool) -> Boxed<'a, Result<(), Failure>> {
    let protocol = if is_smtp { Protocol::Smtp } else { Protocol::Imap };
    Box::pin(async move { connect(server, trust, protocol).await.map(drop) })
}

async fn establish(server: &Server, trust: &Trust, protocol: Protocol) -> Result<Wire, Failure> {
    let name =
        ServerName::try_from(server.host.clone()).map_err(|_no_name| Failure::NoSuchHost(server.host.clone()))?;
    let mut stream = reach(server).await?;
    let owed: &[u8] = match (server.security, protocol) {
        (Security::Tls, _) => b"",
        (Security::StartTls, Protocol::Imap) => {
            start_imap(&mut stream, &server.host).await?;
            b"* OK encrypted\r\n"
        }
        (Security::StartTls, Protocol::Smtp) => {
            start_smtp(&mut stream, &server.host).await?;
            b"220 encrypted\r\n"
        }
    };
    let stream = TlsConnector::from(Arc::clone(&trust.0))
        .connect(name, stream)
        .await
        .map_err(|error| Failure::of_handshake(&error, &server.host))?;
    Ok(Wire { stream, owed })
}

async fn reach(server: &Server) -> Result<TcpStream, Failure> {
    let addresses: Vec<SocketAddr> = tokio::net::lookup_host((server.host.as_str(), server.port))
        .await
        .map_err(|_lookup| Failure::NoSuchHost(server.host.clone()))?
        .collect();
    let mut why = String::new();
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(stream) => {
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "small packets wait for each other");
                }
                return Ok(stream);
            }
            Err(error) => why = error.to_string(),
        }
    }
    Err(Failure::Unreachable {
        host: server.host.clone(),
        why: one_line(&why, SAID_CHARS_MAX),
    })
}

async fn start_imap(stream: &mut TcpStream, host: &str) -> Result<(), Failure> {
    let plain = || Failure::NotEncrypted(host.to_owned());
    let greeting = line(stream).await?;
    if !greeting.starts_with("* OK") {
        return Err(plain());
    }
    say(stream, "a STARTTLS\r\n").await?;
    for _ in 0..LINES_MAX {
        let said = line(stream).await?;
        if let Some(answer) = said.strip_prefix("a ") {
            return if answer.starts_with("OK") { Ok(()) } else { Err(plain()) };
        }
    }
    Err(Failure::TooMuch)
}

async fn start_smtp(stream: &mut TcpStream, host: &str) -> Result<(), Failure> {
    let plain = || Failure::NotEncrypted(host.to_owned());
    if !reply(stream).await?.starts_with('2') {
        return Err(plain());
    }
    say(stream, "EHLO localhost\r\n").await?;
    if !reply(stream).await?.starts_with('2') {
        return Err(plain());
    }
    say(stream, "STARTTLS\r\n").await?;
    if reply(stream).await?.starts_with("220") {
        Ok(())
    } else {
        Err(plain())
    }
}

/// The last line of an SMTP reply.
async fn reply(stream: &mut TcpStream) -> Result<String, Failure> {
    for _ in 0..LINES_MAX {
        let said = line(stream).await?;
        if said.as_bytes().get(3) != Some(&b'-') {
            return Ok(said);
        }
    }
    Err(Failure::TooMuch)
}

async fn say(stream: &mut TcpStream, text: &str) -> Result<(), Failure> {
    stream
        .write_all(text.as_bytes())
        .await
        .map_err(|error| Failure::of_stream(&error))
}

/// One line, byte by byte: whatever follows it belongs to the encrypted part, and nothing may be read ahead.
async fn line(stream: &mut TcpStream) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    loop {
        let byte = stream.read_u8().await.map_err(|_ended| Failure::Gone)?;
        match byte {
            b'\n' => break,
            b'\r' => {}
            _ if bytes.len() >= LINE_BYTES_MAX => return Err(Failure::TooMuch),
            _ => bytes.push(byte),
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
