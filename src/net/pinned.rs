//! One server that a person has an account with, asked under its own name and port and nowhere else.
//!
//! Called by `agenda` and `devices`. It speaks HTTPS, and plain HTTP only with this very machine, or inside the house
//! where its door says so; it follows a redirect that stays on the server and says of any other where it leads; answers
//! are capped in size and time. Name, password and token go with a request and into no error and no log.

use std::{path::PathBuf, time::Duration};

use reqwest::{
    Method,
    header::{self, HeaderMap},
};
use url::{Host, Url};

use super::{CONNECT_TIMEOUT, NetError};
use crate::{config::Secret, domain::limits};

/// Time for one request, the answer included.
const REQUEST_TIME: Duration = Duration::from_secs(15);

/// What a certificate is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadCertificate {
    /// It is another server's.
    Name,
    /// Its time is over, or has not come.
    Expired,
    /// Nobody this machine trusts signed it.
    Unknown,
    /// Anything else.
    Bad,
}

/// Why a server could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum PinnedError {
    /// No address, or one with a name and password in it.
    #[error("no address of a server")]
    BadAddress,
    /// Plain HTTP to another machine.
    #[error("`{0}` does not encrypt")]
    NotEncrypted(String),
    /// It lies in the house, and who asks may not name machines there.
    #[error("`{0}` points into a private network")]
    Private(String),
    /// It sends to another server.
    #[error("the server sends elsewhere")]
    Elsewhere(Box<Url>),
    /// The name does not resolve.
    #[error("cannot look up `{0}`")]
    NoSuchHost(String),
    /// No answer, or half of one.
    #[error("cannot reach `{0}`")]
    Unreachable(String),
    /// It took too long.
    #[error("`{0}` took too long")]
    Timeout(String),
    /// Its certificate does not prove that it is who was asked.
    #[error("`{host}` has the wrong certificate")]
    Certificate {
        /// Who was asked.
        host: String,
        /// What is wrong with it.
        what: BadCertificate,
    },
    /// The answer is too large.
    #[error("`{0}` says more than is read")]
    TooLarge(String),
    /// The client could not be made, or the file with a further authority cannot be read.
    #[error("cannot make an HTTP client: {0}")]
    Client(String),
}

/// Where and as whom.
#[derive(Clone, Debug)]
pub struct Door {
    /// The server, and where it begins.
    pub base: Url,
    /// User name and password; `None` where none is needed.
    pub login: Option<(String, Secret)>,
    /// A file with one more authority whose certificates count.
    pub ca_file: Option<PathBuf>,
    /// It may lie in the house.
    pub may_be_inside: bool,
    /// What goes along instead of a login.
    pub token: Option<Secret>,
    /// Inside the house it may be spoken to without encryption.
    pub may_be_plain: bool,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// `GET`, `PROPFIND` and others.
    pub method: &'a str,
    /// A path or an address on the server.
    pub href: &'a str,
    /// Headers.
    pub headers: Vec<(&'static str, String)>,
    /// What is sent.
    pub body: String,
}

/// What came back, whatever the status.
#[derive(Debug)]
pub struct Said {
    /// Where it came from, after redirects.
    pub url: Url,
    /// HTTP status.
    pub status: u16,
    /// The version of what was asked for, where the server said it.
    pub etag: Option<String>,
    /// How long the server wants to be left alone.
    pub retry_after: Option<Duration>,
    /// At most `bytes_max` of it.
    pub body: Vec<u8>,
}

/// The server.
#[derive(Clone, Debug)]
pub struct Pinned {
    http: reqwest::Client,
    door: Door,
    bytes_max: usize,
}

impl Pinned {
    /// Looks its name up and holds on to what was found; nothing is sent yet.
    pub async fn new(door: Door, bytes_max: usize) -> Result<Self, PinnedError> {
        let base = &door.base;
        let host = host_of(base);
        check(base, door.may_be_plain)?;
        let addresses = super::resolve(base, door.may_be_inside)
            .await
            .map_err(|error| match error {
                NetError::Private(_) => PinnedError::Private(host.clone()),
                NetError::Timeout(_) => PinnedError::Timeout(host.clone()),
                NetError::BadAddress(_) | NetError::NotNamed(_) => PinnedError::BadAddress,
                NetError::Lookup { .. }
                | NetError::Unreachable { .. }
                | NetError::TooLarge(_)
                | NetError::TooManyRedirects(_)
                | NetError::Status { .. }
                | NetError::Client(_) => PinnedError::NoSuchHost(host.clone()),
            })?;
        if base.scheme() == "http" && addresses.iter().any(|address| super::is_public(address.ip())) {
            return Err(PinnedError::NotEncrypted(host));
        }
        let mut builder = super::client().timeout(REQUEST_TIME).connect_timeout(CONNECT_TIMEOUT);
        if let Some(Host::Domain(name)) = base.host() {
            builder = builder.resolve_to_addrs(name, &addresses);
        }
        if let Some(path) = &door.ca_file {
            let named = |error: &dyn std::error::Error| PinnedError::Client(format!("{}: {error}", path.display()));
            let pem = tokio::fs::read(path).await.map_err(|error| named(&error))?;
            let further = reqwest::Certificate::from_pem_bundle(&pem).map_err(|error| named(&error))?;
            builder = builder.tls_certs_merge(further);
        }
        let http = builder
            .build()
            .map_err(|error| PinnedError::Client(error.to_string()))?;
        Ok(Self { http, door, bytes_max })
    }

    /// Where it begins.
    pub fn base(&self) -> &Url {
        &self.door.base
    }

    /// An address on this server, as it is written there.
    pub fn address(&self, href: &str) -> Result<Url, PinnedError> {
        let url = self.door.base.join(href).map_err(|_unusable| PinnedError::BadAddress)?;
        check(&url, self.door.may_be_plain)?;
        if url.origin() == self.door.base.origin() {
            Ok(url)
        } else {
            Err(PinnedError::Elsewhere(Box::new(url)))
        }
    }

    /// Asks once; a redirect within the server is followed.
    pub async fn ask(&self, ask: &Ask<'_>) -> Result<Said, PinnedError> {
        let mut url = self.address(ask.href)?;
        for _ in 0..=limits::REDIRECTS_MAX {
            let response = self.send(ask, &url).await?;
            if !matches!(response.status().as_u16(), 301 | 302 | 307 | 308) {
                return self.read(url, response).await;
            }
            let target = response.headers().get(header::LOCATION);
            let target = target.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
            let target = target.ok_or(PinnedError::BadAddress)?;
            let joined = url.join(&target).map_err(|_unusable| PinnedError::BadAddress)?;
            url = self.address(joined.as_str())?;
        }
        Err(PinnedError::Unreachable(host_of(&url)))
    }

    async fn send(&self, ask: &Ask<'_>, url: &Url) -> Result<reqwest::Response, PinnedError> {
        let method = Method::from_bytes(ask.method.as_bytes()).map_err(|_no_method| PinnedError::BadAddress)?;
        let mut request = self.http.request(method, url.clone());
        for (name, value) in &ask.headers {
            request = request.header(*name, value);
        }
        if let Some((user, password)) = &self.door.login {
            request = request.basic_auth(user, Some(password.expose()));
        }
        if let Some(token) = &self.door.token {
            request = request.bearer_auth(token.expose());
        }
        if !ask.body.is_empty() {
            request = request.body(ask.body.clone());
        }
        request.send().await.map_err(|error| failed(&error, url))
    }

    async fn read(&self, url: Url, mut response: reqwest::Response) -> Result<Said, PinnedError> {
        let status = response.status().as_u16();
        let etag = text_of(response.headers(), "etag");
        let retry_after = text_of(response.headers(), "retry-after").map(|text| wait_of(&text));
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| failed(&error, &url))? {
            if body.len() + chunk.len() > self.bytes_max {
                return Err(PinnedError::TooLarge(host_of(&url)));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Said {
            url,
            status,
            etag,
            retry_after,
            body,
        })
    }
}

/// Only encrypted, but for a server on this very machine, or where it may be plain: then its addresses are looked at
/// before anything is sent. And no password in an address.
fn check(url: &Url, may_be_plain: bool) -> Result<(), PinnedError> {
    if !url.username().is_empty() || url.password().is_some() {
        return Err(PinnedError::BadAddress);
    }
    match (url.scheme(), url.host()) {
        ("https", Some(_)) => Ok(()),
        ("http", Some(host)) if may_be_plain || is_this_machine(&host) => Ok(()),
        ("http", Some(_)) => Err(PinnedError::NotEncrypted(host_of(url))),
        (_, _) => Err(PinnedError::BadAddress),
    }
}

fn is_this_machine(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
        Host::Domain(_) => false,
    }
}

fn host_of(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

fn text_of(headers: &HeaderMap, name: &str) -> Option<String> {
    let text = headers.get(name)?.to_str().ok()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Seconds; a server that names a day means not now.
fn wait_of(text: &str) -> Duration {
    text.parse().map_or(limits::AGENDA_REST, Duration::from_secs)
}

fn failed(error: &reqwest::Error, url: &Url) -> PinnedError {
    let host = host_of(url);
    if let Some(what) = certificate(error) {
        return PinnedError::Certificate { host, what };
    }
    if error.is_timeout() {
        PinnedError::Timeout(host)
    } else {
        PinnedError::Unreachable(host)
    }
}

/// What is wrong with a certificate, if that is why. An error of a stream hides its cause from `source`.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "rustls may add reasons; those that a person can do something about are named"
)]
fn certificate(error: &reqwest::Error) -> Option<BadCertificate> {
    use rustls::{CertificateError as E, Error};
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if let Some(Error::InvalidCertificate(what)) = inner(error).downcast_ref::<Error>() {
            return Some(match what {
                E::NotValidForName | E::NotValidForNameContext { .. } => BadCertificate::Name,
                E::Expired | E::ExpiredContext { .. } | E::NotValidYet | E::NotValidYetContext { .. } => {
                    BadCertificate::Expired
                }
                E::UnknownIssuer | E::BadSignature => BadCertificate::Unknown,
                // As servers at home have it: an authority of its own that signs for itself.
                E::Other(why) if why.to_string().contains("CaUsedAsEndEntity") => BadCertificate::Unknown,
                _ => BadCertificate::Bad,
            });
        }
        cause = error.source();
    }
    None
}

/// What an error of a stream was made of, however often it was wrapped.
fn inner<'a>(mut error: &'a (dyn std::error::Error + 'static)) -> &'a (dyn std::error::Error + 'static) {
    while let Some(wrapped) = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        error = wrapped;
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door(base: &str) -> Door {
        Door {
            base: Url::parse(base).unwrap(),
            login: None,
            ca_file: None,
            may_be_inside: true,
            token: None,
            may_be_plain: false,
        }
    }

    #[tokio::test]
    async fn only_encrypted_and_only_this_server() {
        for base in [
            "http://dav.example.org/",
            "http://localhost/",
            "ftp://x/",
            "https://a:b@x.example/",
        ] {
            assert!(Pinned::new(door(base), 1).await.is_err(), "{base}");
        }
        let inside = Door {
            may_be_inside: false,
            ..door("https://192.168.1.9/")
        };
        assert!(matches!(Pinned::new(inside, 1).await, Err(PinnedError::Private(_))));
        let plain = |base: &str| Door {
            may_be_plain: true,
            ..door(base)
        };
        assert!(Pinned::new(plain("http://192.168.1.9:8123/"), 1).await.is_ok());
        let outside = Pinned::new(plain("http://8.8.8.8/"), 1).await;
        assert!(matches!(outside, Err(PinnedError::NotEncrypted(_))));
        let pinned = Pinned::new(door("http://127.0.0.1:5232/"), 1).await.unwrap();
        assert!(pinned.address("/anna/c/").is_ok());
        for href in [
            "http://127.0.0.1:5233/anna/",
            "https://127.0.0.1:5232/anna/",
            "//other.example/anna/",
            "https://other.example/",
            "file:///etc/passwd",
        ] {
            assert!(pinned.address(href).is_err(), "{href}");
        }
    }
}
