//! The only outbound HTTP for executors: pages that are read, capped, and forms that a person approved; never into the
//! household's own network.
//!
//! Called by `executors::urls` before the worker process reads the page, and by `mail` to leave a mailing list;
//! `service` is for servers the household configured itself. Every hop is checked on its own: the host is resolved,
//! every address must be public, and the request is pinned to the addresses that were checked. The one exception is an
//! address the host typed literally in this request; what it redirects to is checked like any other.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use url::{Host, Url};

use crate::domain::{
    failure::{ErrorClass, ToolError},
    limits,
    message::Message,
};

/// Servers that persons have accounts with.
pub mod pinned;
/// Servers of the household's own choice.
pub mod service;

/// Time for the connection alone.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for one hop, the body included.
const HOP_TIMEOUT: Duration = Duration::from_secs(20);
/// How far into a page a `<meta charset>` is looked for, as browsers do.
const META_CHARSET_BYTES: usize = 1_024;

/// A page as it came.
#[derive(Clone, Debug)]
pub struct Page {
    /// Where it came from, after redirects.
    pub url: String,
    /// HTTP status, 200 to 299.
    pub status: u16,
    /// The `Content-Type` header, lower case; empty when there was none.
    pub content_type: String,
    /// The body, decompressed, at most `limits::PAGE_BYTES_MAX`.
    pub body: Vec<u8>,
}

impl Page {
    /// The body as text: byte order mark, then the header's charset, then the page's own, then UTF-8.
    pub fn text(&self) -> String {
        let label = charset_of(&self.content_type).or_else(|| {
            let head = self.body.get(..META_CHARSET_BYTES).unwrap_or(&self.body);
            charset_of(&String::from_utf8_lossy(head).to_ascii_lowercase())
        });
        let encoding = label
            .and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()))
            .unwrap_or(encoding_rs::UTF_8);
        encoding.decode(&self.body).0.into_owned()
    }

    /// Whether the server called it JSON.
    pub fn is_json(&self) -> bool {
        let kind = self.content_type.split(';').next().unwrap_or_default().trim();
        kind == "application/json" || kind.ends_with("+json")
    }

    /// Whether the server called it HTML.
    pub fn is_html(&self) -> bool {
        self.content_type.contains("html")
    }
}

/// Why a page could not be had.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// Not an `http` or `https` address we could ask.
    #[error("`{0}` is no web address")]
    BadAddress(String),
    /// The host is, or resolves to, something inside the household.
    #[error("`{0}` points into a private network")]
    Private(String),
    /// No host that the manifest of who asks names.
    #[error("`{0}` is at no host that the manifest names")]
    NotNamed(String),
    /// The name does not resolve.
    #[error("cannot look up `{host}`")]
    Lookup {
        /// The name.
        host: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// No answer, or half of one.
    #[error("cannot reach `{url}`")]
    Unreachable {
        /// The address asked.
        url: String,
        /// Why.
        #[source]
        source: reqwest::Error,
    },
    /// Took too long.
    #[error("`{0}` took too long")]
    Timeout(String),
    /// The body is bigger than `limits::PAGE_BYTES_MAX`.
    #[error("`{0}` is too large")]
    TooLarge(String),
    /// More than `limits::REDIRECTS_MAX` hops.
    #[error("`{0}` redirects too often")]
    TooManyRedirects(String),
    /// The server answered with an error.
    #[error("`{url}` answered {status}")]
    Status {
        /// The address asked.
        url: String,
        /// HTTP status.
        status: u16,
    },
    /// The HTTP client could not be made.
    #[error("cannot make an HTTP client")]
    Client(#[source] reqwest::Error),
}

impl NetError {
    /// The class recovery decides by.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::BadAddress(_) => ErrorClass::InvalidArgs,
            Self::Private(_) | Self::NotNamed(_) => ErrorClass::Forbidden,
            Self::Lookup { .. } | Self::Unreachable { .. } => ErrorClass::Network,
            Self::Timeout(_) => ErrorClass::Timeout,
            Self::TooLarge(_) => ErrorClass::TooLarge,
            Self::TooManyRedirects(_) => ErrorClass::ServerError,
            Self::Client(_) => ErrorClass::Internal,
            Self::Status { status, .. } => match status {
                401 | 403 | 407 => ErrorClass::AuthRequired,
                404 | 410 => ErrorClass::NotFound,
                408 | 504 => ErrorClass::Timeout,
                429 => ErrorClass::RateLimited,
                _ => ErrorClass::ServerError,
            },
        }
    }

    /// The same for a tool result, with the sentence for the person.
    pub fn to_tool_error(&self) -> ToolError {
        let message = match self {
            Self::BadAddress(url) => Message::new("executors-url-invalid").with("url", url.as_str()),
            Self::Private(url) => Message::new("executors-url-private").with("url", url.as_str()),
            Self::NotNamed(url) => Message::new("executors-url-not-named").with("url", url.as_str()),
            Self::Lookup { host, .. } => Message::new("executors-url-unknown-host").with("host", host.as_str()),
            Self::Unreachable { url, .. } => Message::new("executors-url-unreachable").with("url", url.as_str()),
            Self::Timeout(url) => Message::new("executors-url-timeout").with("url", url.as_str()),
            Self::TooLarge(url) => Message::new("executors-url-too-large")
                .with("url", url.as_str())
                .with("limit", limits::PAGE_BYTES_MAX / 1_000_000),
            Self::TooManyRedirects(url) => Message::new("executors-url-redirects").with("url", url.as_str()),
            Self::Client(_) => Message::new("executors-internal"),
            Self::Status { url, status } => Message::new("executors-url-status")
                .with("url", url.as_str())
                .with("status", u64::from(*status)),
        };
        let mut detail = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            detail.push_str(": ");
            detail.push_str(&error.to_string());
            cause = error.source();
        }
        ToolError::new(self.class(), message).with_detail(detail)
    }
}

/// Fetches one address. `trusted` holds the addresses the host typed in this request.
pub async fn fetch(address: &str, trusted: &[String]) -> Result<Page, NetError> {
    let url = parse_address(address)?;
    let is_typed = is_trusted(&url, trusted);
    follow(url.clone(), &|hop| is_typed && *hop == url, &|_| true).await
}

/// Where a program may ask, and which of that stands in the manifest that the host signed.
pub type Allowed<'a> = (&'a (dyn Fn(&Url) -> bool + Sync), &'a (dyn Fn(&Url) -> bool + Sync));

/// What a program asks of one address, itself or with something sent there. Only where it may; what is sent is followed
/// nowhere. A name never leads into the household; an address in numbers does, where the signed manifest has it.
pub async fn ask(address: &str, sent: Option<(&str, &str)>, (may, is_signed): Allowed<'_>) -> Result<Page, NetError> {
    let url = parse_address(address)?;
    let is_inside = |url: &Url| is_signed(url) && matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_)));
    let Some((content_type, body)) = sent else {
        return follow(url, &is_inside, may).await;
    };
    if !may(&url) {
        return Err(NetError::NotNamed(url.to_string()));
    }
    let response = post(&url, is_inside(&url), (content_type, body.to_owned())).await?;
    read_page(&url, response).await
}

async fn post(
    url: &Url,
    may_be_private: bool,
    (content_type, body): (&str, String),
) -> Result<reqwest::Response, NetError> {
    let addresses = resolve(url, may_be_private).await?;
    let request = pinned_client(url, &addresses)?
        .post(url.clone())
        .header(reqwest::header::CONTENT_TYPE, content_type)
        .body(body);
    request.send().await.map_err(|source| unreachable(url, source))
}

/// From one address to where it leads, each hop looked at on its own.
async fn follow(
    mut url: Url,
    may_be_private: &(dyn Fn(&Url) -> bool + Sync),
    may: &(dyn Fn(&Url) -> bool + Sync),
) -> Result<Page, NetError> {
    let first = url.to_string();
    for _ in 0..=limits::REDIRECTS_MAX {
        if !may(&url) {
            return Err(NetError::NotNamed(url.to_string()));
        }
        let addresses = resolve(&url, may_be_private(&url)).await?;
        let response = request(&url, &addresses).await?;
        match redirect_target(&url, &response)? {
            Some(target) => url = target,
            None => return read_page(&url, response).await,
        }
    }
    Err(NetError::TooManyRedirects(first))
}

/// Sends a form to one address, which has to take it there: it is sent nowhere else, and what the answer says is not
/// read.
pub async fn send_form(address: &str, form: &[(&str, &str)], trusted: &[String]) -> Result<(), NetError> {
    let url = parse_address(address)?;
    let body = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(form)
        .finish();
    let kind = "application/x-www-form-urlencoded";
    let response = post(&url, is_trusted(&url, trusted), (kind, body)).await?;
    let status = response.status();
    if status.is_success() {
        return Ok(());
    }
    Err(NetError::Status {
        url: url.to_string(),
        status: status.as_u16(),
    })
}

/// An address we would ask: `http` or `https`, with a host, without a name and password in it.
fn parse_address(address: &str) -> Result<Url, NetError> {
    let bad = || NetError::BadAddress(address.to_owned());
    let url = match Url::parse(address.trim()) {
        Ok(url) => url,
        Err(url::ParseError::RelativeUrlWithoutBase) => {
            Url::parse(&format!("https://{}", address.trim())).map_err(|_not_even_with_a_scheme| bad())?
        }
        Err(_) => return Err(bad()),
    };
    let is_web = matches!(url.scheme(), "http" | "https") && url.host().is_some();
    if is_web && url.username().is_empty() && url.password().is_none() {
        Ok(url)
    } else {
        Err(bad())
    }
}

fn is_trusted(url: &Url, trusted: &[String]) -> bool {
    trusted
        .iter()
        .any(|typed| parse_address(typed).is_ok_and(|typed| typed == *url))
}

/// The socket addresses of the host, all of them allowed.
async fn resolve(url: &Url, may_be_private: bool) -> Result<Vec<SocketAddr>, NetError> {
    let bad = || NetError::BadAddress(url.to_string());
    let port = url.port_or_known_default().ok_or_else(bad)?;
    let addresses: Vec<SocketAddr> = match url.host().ok_or_else(bad)? {
        Host::Ipv4(address) => vec![SocketAddr::new(IpAddr::V4(address), port)],
        Host::Ipv6(address) => vec![SocketAddr::new(IpAddr::V6(address), port)],
        Host::Domain(name) => {
            let found = tokio::time::timeout(CONNECT_TIMEOUT, tokio::net::lookup_host((name, port)))
                .await
                .map_err(|_elapsed| NetError::Timeout(url.to_string()))?;
            found
                .map_err(|source| NetError::Lookup {
                    host: name.to_owned(),
                    source,
                })?
                .collect()
        }
    };
    if !may_be_private && addresses.iter().any(|address| !is_public(address.ip())) {
        return Err(NetError::Private(url.to_string()));
    }
    Ok(addresses)
}

/// A client that follows no redirect by itself, uses no proxy, and says who it is.
fn client() -> reqwest::ClientBuilder {
    if rustls::crypto::aws_lc_rs::default_provider().install_default().is_err() {
        tracing::trace!("a TLS provider is installed already");
    }
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("metnos/", env!("CARGO_PKG_VERSION")))
}

/// A client that reaches these addresses of the host, and no other.
fn pinned_client(url: &Url, addresses: &[SocketAddr]) -> Result<reqwest::Client, NetError> {
    let mut builder = client().timeout(HOP_TIMEOUT);
    if let Some(Host::Domain(name)) = url.host() {
        builder = builder.resolve_to_addrs(name, addresses);
    }
    builder.build().map_err(NetError::Client)
}

async fn request(url: &Url, addresses: &[SocketAddr]) -> Result<reqwest::Response, NetError> {
    pinned_client(url, addresses)?
        .get(url.clone())
        .send()
        .await
        .map_err(|source| unreachable(url, source))
}

fn unreachable(url: &Url, source: reqwest::Error) -> NetError {
    if source.is_timeout() {
        NetError::Timeout(url.to_string())
    } else {
        NetError::Unreachable {
            url: url.to_string(),
            source: source.without_url(),
        }
    }
}

/// Where the answer sends us, if it does.
fn redirect_target(url: &Url, response: &reqwest::Response) -> Result<Option<Url>, NetError> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let location = response
        .headers()
        .get(reqwest::header::LOCATION)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let Some(location) = location else {
        return Ok(None);
    };
    let joined = url
        .join(&location)
        .map_err(|_unusable| NetError::BadAddress(location.clone()))?;
    parse_address(joined.as_str()).map(Some)
}

async fn read_page(url: &Url, mut response: reqwest::Response) -> Result<Page, NetError> {
    let status = response.status();
    if !status.is_success() {
        return Err(NetError::Status {
            url: url.to_string(),
            status: status.as_u16(),
        });
    }
    let content_type = response
        .headers()
        .get(reqwest::header::CONTENT_TYPE)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase())
        .unwrap_or_default();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|source| unreachable(url, source))? {
        if body.len() + chunk.len() > limits::PAGE_BYTES_MAX {
            return Err(NetError::TooLarge(url.to_string()));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Page {
        url: url.to_string(),
        status: status.as_u16(),
        content_type,
        body,
    })
}

/// The value of the first `charset=` in a header or the head of a page.
fn charset_of(text: &str) -> Option<String> {
    let (_, after) = text.split_once("charset=")?;
    let label: String = after
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        .collect();
    (!label.is_empty()).then_some(label)
}

/// Whether the address belongs to somebody on the internet, and to nobody in this house.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (18..20).contains(&b));
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [s0, s1, s2, _, _, _, s6, s7] = address.segments();
    let embedded = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    match (s0, s1) {
        // NAT64 and 6to4 carry an IPv4 address that decides.
        (0x64, 0xff9b) => embedded(s6, s7),
        (0x2002, _) => embedded(s1, s2),
        // Teredo, documentation.
        (0x2001, 0 | 0xdb8) => false,
        // Of the rest only global unicast is assigned to the internet.
        (0x2000..=0x3fff, _) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_internet_is_public() {
        let cases = [
            ("1.1.1.1", true),
            ("127.0.0.1", false),
            ("127.9.9.9", false),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("172.16.0.1", false),
            ("172.32.0.1", true),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("100.63.0.1", true),
            ("198.18.0.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::1", false),
            ("::", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:8.8.8.8", true),
            ("::127.0.0.1", false),
            ("fe80::1", false),
            ("fd00::1", false),
            ("ff02::1", false),
            ("64:ff9b::7f00:1", false),
            ("64:ff9b::808:808", true),
            ("2002:7f00:1::", false),
            ("2001:db8::1", false),
            ("2606:4700::1111", true),
        ];
        for (text, expected) in cases {
            let address: IpAddr = text.parse().unwrap();
            assert_eq!(is_public(address), expected, "{text}");
        }
    }

    #[tokio::test]
    async fn numeric_tricks_are_seen_through() {
        for address in [
            "http://2130706433/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://[::ffff:127.0.0.1]/",
            "http://localhost/",
            "http://127.0.0.1./",
        ] {
            let error = fetch(address, &[]).await.unwrap_err();
            assert_eq!(error.class(), ErrorClass::Forbidden, "{address}: {error:?}");
        }
    }

    /// Answers one request so, and tells what it was.
    async fn answering(status: &'static str) -> (String, tokio::task::JoinHandle<String>) {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/leave?x=1", listener.local_addr().unwrap());
        let asked = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut said = Vec::new();
            while !said.ends_with(b"Click") {
                assert!(stream.read_buf(&mut said).await.unwrap() > 0);
            }
            let answer = format!("HTTP/1.1 {status}\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n");
            stream.write_all(answer.as_bytes()).await.unwrap();
            String::from_utf8(said).unwrap()
        });
        (address, asked)
    }

    #[tokio::test]
    async fn a_form_goes_to_its_address_and_nowhere_else() {
        let form = [("List-Unsubscribe", "One-Click")];
        let (address, asked) = answering("202 Accepted").await;
        let refused = send_form(&address, &form, &[]).await.unwrap_err();
        assert_eq!(refused.class(), ErrorClass::Forbidden);
        send_form(&address, &form, std::slice::from_ref(&address))
            .await
            .unwrap();
        let said = asked.await.unwrap();
        assert!(said.starts_with("POST /leave?x=1 HTTP/1.1\r\n"), "{said}");
        assert!(said.ends_with("\r\n\r\nList-Unsubscribe=One-Click"), "{said}");
        // Who sends it elsewhere did not take it.
        let (address, asked) = answering("302 Found").await;
        let error = send_form(&address, &form, std::slice::from_ref(&address))
            .await
            .unwrap_err();
        assert!(matches!(error, NetError::Status { status: 302, .. }), "{error:?}");
        asked.await.unwrap();
    }

    #[test]
    fn only_web_addresses_are_asked() {
        for bad in [
            "ftp://example.com/",
            "file:///etc/passwd",
            "http://me:secret@example.com/",
            "",
            "http://",
        ] {
            assert!(parse_address(bad).is_err(), "{bad}");
        }
        assert_eq!(
            parse_address("example.com/a").unwrap().as_str(),
            "https://example.com/a"
        );
    }

    #[test]
    fn a_typed_address_is_trusted_and_nothing_near_it() {
        let trusted = vec!["http://127.0.0.1:80/uuid".to_owned()];
        let is = |text: &str| is_trusted(&Url::parse(text).unwrap(), &trusted);
        assert!(is("http://127.0.0.1/uuid"));
        for other in [
            "http://127.0.0.1/other",
            "https://127.0.0.1/uuid",
            "http://127.0.0.1/uuid?a=1",
            "http://127.0.0.2/uuid",
        ] {
            assert!(!is(other), "{other}");
        }
    }

    #[test]
    fn charsets_are_found_wherever_they_stand() {
        let page = |content_type: &str, body: &[u8]| Page {
            url: String::new(),
            status: 200,
            content_type: content_type.to_owned(),
            body: body.to_vec(),
        };
        assert_eq!(page("text/html; charset=iso-8859-1", b"caff\xe8").text(), "caffè");
        assert_eq!(
            page("text/html", b"<meta charset=\"windows-1252\">caff\xe8").text(),
            "<meta charset=\"windows-1252\">caffè"
        );
        assert_eq!(page("text/plain", b"\xff\xfec\x00i\x00").text(), "ci");
        assert_eq!(page("text/plain", "perché".as_bytes()).text(), "perché");
    }
}
