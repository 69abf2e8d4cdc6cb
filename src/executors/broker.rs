//! What a program asks of the network. It opens no socket: it writes one request a line to the descriptor it was
//! handed, and this side, in our own process, asks for it where the manifest says that the program may, and nowhere
//! else.
//! Every redirect is looked at anew, names are resolved here, and none of them leads into the household. Started by
//! `process` for one call; it ends with the program.

use std::io;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
};
use url::Url;

use super::Call;
use crate::{
    domain::{
        kind::Class,
        limits::{PROGRAM_REQUEST_BYTES_MAX, PROGRAM_REQUESTS_MAX},
        manifest::{Capability, Kind, Manifest},
    },
    net,
};

/// In `hosts` of a manifest: those of the addresses in the call.
const OF_THE_CALL: &str = "request";
/// The port of a host that is named without one.
const PORT: u16 = 443;

/// The hosts and ports that one call reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    named: Vec<(String, u16)>,
    /// Those of addresses in the call, which nobody signed.
    of_call: Vec<(String, u16)>,
}

impl Reach {
    /// Those of a program that may ask; `None` for one that may not, and for code of ours, which never does.
    pub(super) fn of(manifest: &Manifest, call: &Call) -> Option<Self> {
        let asks = matches!(manifest.kind, Kind::Program { .. }) && manifest.has(Capability::NetworkHttp);
        if !asks {
            return None;
        }
        let named = manifest.hosts.iter().filter(|host| *host != OF_THE_CALL);
        let named = named.filter_map(|host| parse(host)).collect();
        let mut of_call = Vec::new();
        if manifest.hosts.iter().any(|host| host == OF_THE_CALL) {
            let addresses = manifest.args.iter().filter(|arg| arg.class() == Class::Address);
            let texts = addresses.flat_map(|arg| call.texts(&arg.name).unwrap_or_default());
            of_call.extend(texts.filter_map(|text| place_of(&Url::parse(text.trim()).ok()?)));
        }
        Some(Self { named, of_call })
    }

    fn allows(&self, url: &Url) -> bool {
        self.is_signed(url) || place_of(url).is_some_and(|place| self.of_call.contains(&place))
    }

    fn is_signed(&self, url: &Url) -> bool {
        place_of(url).is_some_and(|place| self.named.contains(&place))
    }
}

/// `api.example.org`, or with a port.
fn parse(host: &str) -> Option<(String, u16)> {
    place_of(&Url::parse(&format!("https://{host}")).ok()?)
}

fn place_of(url: &Url) -> Option<(String, u16)> {
    let host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
    Some((host, url.port_or_known_default().unwrap_or(PORT)))
}

/// One request, as a program writes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    url: String,
    /// What is sent; without it the address is only read.
    #[serde(default)]
    body: Option<String>,
    /// What that is.
    #[serde(default)]
    content_type: Option<String>,
}

/// Answers a program until it says nothing more.
pub(super) async fn serve(stream: UnixStream, reach: &Reach) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    for _ in 0..PROGRAM_REQUESTS_MAX {
        let mut line = Vec::new();
        let limit = PROGRAM_REQUEST_BYTES_MAX.saturating_add(1);
        (&mut stream).take(limit).read_until(b'\n', &mut line).await?;
        if line.is_empty() {
            return Ok(());
        }
        let is_whole = line.ends_with(b"\n");
        let answer = match serde_json::from_slice(&line) {
            Ok(request) if is_whole => answer(&request, reach).await,
            Ok(_) | Err(_) => json!({"ok": false, "error": "no request: one JSON object a line, with url"}),
        };
        stream.write_all(format!("{answer}\n").as_bytes()).await?;
        if !is_whole {
            return Ok(());
        }
    }
    Ok(())
}

async fn answer(request: &Request, reach: &Reach) -> Value {
    let sent = request.body.as_deref().map(|body| {
        let kind = request.content_type.as_deref().unwrap_or("application/json");
        (kind, body)
    });
    let allowed: net::Allowed<'_> = (&|url| reach.allows(url), &|url| reach.is_signed(url));
    match net::ask(&request.url, sent, allowed).await {
        Ok(page) => json!({
            "ok": true,
            "url": page.url,
            "status": page.status,
            "content_type": page.content_type,
            "body": page.text(),
        }),
        Err(error) => json!({"ok": false, "error": error.to_string()}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(named: &[&str], url: &str) -> bool {
        let reach = Reach {
            named: named.iter().filter_map(|host| parse(host)).collect(),
            of_call: Vec::new(),
        };
        reach.allows(&Url::parse(url).unwrap())
    }

    #[test]
    fn only_the_hosts_and_ports_that_are_named_are_reached() {
        let named = ["api.example.org", "nas.example.org:8443", "192.0.2.7:8080"];
        for (url, is_allowed) in [
            ("https://api.example.org/x", true),
            ("https://API.example.org./x", true),
            ("http://api.example.org/x", false),
            ("https://api.example.org:8443/", false),
            ("https://www.api.example.org/", false),
            ("https://example.org/", false),
            ("https://api.example.org.evil.example/", false),
            ("https://user@evil.example/api.example.org", false),
            ("https://nas.example.org:8443/", true),
            ("https://nas.example.org/", false),
            ("http://192.0.2.7:8080/", true),
            ("http://3221225991:8080/", true),
            ("http://192.0.2.8:8080/", false),
        ] {
            assert_eq!(allows(&named, url), is_allowed, "{url}");
        }
        assert!(
            !allows(&[], "https://api.example.org/"),
            "who names nobody reaches nobody"
        );
    }
}
