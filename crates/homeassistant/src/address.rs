//! Where a Home Assistant is, and the token for it. Used by `link`. Without encryption a name may lead only into the
//! house.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
};

use tokio::time::timeout;
use url::{Host, Url};
use zeroize::Zeroizing;

use crate::{Failure, link::ANSWER_TIME};

/// A long-lived access token; wiped from memory when it is dropped.
#[derive(Clone)]
pub struct Token(pub(crate) Zeroizing<String>);

impl Token {
    /// Keeps it.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// Where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    url: Url,
}

impl Address {
    /// Reads `http://homeassistant.local:8123`, as people copy it from their browser; what stands behind the port does
    /// not count. Without a scheme it is `http`, without a port that of the scheme.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let text = text.trim();
        let whole = if text.contains("://") {
            text.to_owned()
        } else {
            format!("http://{text}")
        };
        let mut url = Url::parse(&whole).map_err(|_no_url| Failure::BadAddress)?;
        // A word alone is no address, but an answer to something else.
        let is_place = text.contains(['.', ':']) || text == "localhost";
        let is_web = is_place && matches!(url.scheme(), "http" | "https");
        if !is_web || url.host().is_none() || !url.username().is_empty() || url.password().is_some() {
            return Err(Failure::BadAddress);
        }
        url.set_path("");
        url.set_query(None);
        url.set_fragment(None);
        Ok(Self { url })
    }

    /// As it is kept and shown.
    pub fn as_str(&self) -> &str {
        self.url.as_str().trim_end_matches('/')
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.url.scheme() == "https"
    }

    pub(crate) fn host(&self) -> String {
        self.url.host_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn socket(&self) -> String {
        let scheme = if self.is_encrypted() { "wss" } else { "ws" };
        let port = self.url.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{scheme}://{}{port}/api/websocket", self.host())
    }

    /// Where its name leads; without encryption only into the house.
    pub(crate) async fn resolve(&self) -> Result<Vec<SocketAddr>, Failure> {
        let port = self.url.port_or_known_default().unwrap_or(80);
        let found: Vec<SocketAddr> = match self.url.host() {
            Some(Host::Ipv4(ip)) => vec![(IpAddr::V4(ip), port).into()],
            Some(Host::Ipv6(ip)) => vec![(IpAddr::V6(ip), port).into()],
            Some(Host::Domain(name)) => match timeout(ANSWER_TIME, tokio::net::lookup_host((name, port))).await {
                Ok(Ok(found)) => found.collect(),
                Ok(Err(_)) => return Err(Failure::Unreachable(name.to_owned())),
                Err(_) => return Err(Failure::Timeout),
            },
            None => return Err(Failure::BadAddress),
        };
        if !self.is_encrypted() && !found.iter().all(|address| is_in_house(address.ip())) {
            return Err(Failure::NotEncrypted(self.host()));
        }
        Ok(found)
    }
}

fn is_in_house(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}
