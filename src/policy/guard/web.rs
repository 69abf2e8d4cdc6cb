//! Addresses: which of them are refused to everybody, and which lie inside the house. `guard` and `policy::trust` ask.
//! Judges the text alone; that a public name leads to a private machine is for `net` to notice when it connects.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use super::{
    Refusal,
    places::Closed,
    readings::{Readings, percent_decoded},
};

/// Names under which a data centre hands out the keys of the machine.
const METADATA_NAMES: &[&str] = &[
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "instance-data",
    "instance-data.ec2.internal",
];
/// The same as addresses; the link-local network is closed as a whole.
const METADATA_V4: &[Ipv4Addr] = &[Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(192, 0, 0, 192)];
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254);
/// Services that answer for any address written into the name.
const ADDRESS_IN_NAME: &[&str] = &["nip.io", "sslip.io", "xip.io", "localtest.me", "lvh.me"];
/// Endings of names that only mean something inside a house.
const PRIVATE_ENDINGS: &[&str] = &[
    "localhost",
    "local",
    "internal",
    "lan",
    "home",
    "home.arpa",
    "intranet",
    "corp",
];

/// Digits of the shortest number that is looked at as an address: shorter ones lie in the network 0, which is nowhere.
const BARE_NUMBER_CHARS_MIN: usize = 8;

/// Whether a text is meant as an address.
pub(super) fn looks_like_address(text: &str) -> bool {
    text.trim_start().split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// Why this address may not be fetched.
pub(super) fn refusal(text: &str, closed: &Closed<'_>) -> Option<Refusal> {
    let readings = Readings::of(text, closed.home);
    if let Some(refusal) = local_target(&readings, closed) {
        return Some(refusal);
    }
    if text.trim().chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Some(Refusal::Malformed);
    }
    let Some(url) = parse(text) else {
        return Some(Refusal::Malformed);
    };
    if !matches!(url.scheme(), "http" | "https") {
        return Some(Refusal::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Some(Refusal::UrlCredentials);
    }
    if url.host().is_none_or(|host| is_metadata(&host)) {
        return Some(Refusal::Metadata);
    }
    climbs_to_closed(text, closed)
}

/// Why words of which nobody says what they are may not be taken for an address.
pub(super) fn refusal_of_words(text: &str, closed: &Closed<'_>) -> Option<Refusal> {
    if looks_like_address(text) {
        return refusal(text, closed);
    }
    let is_closed = bare_address(text).is_some_and(|url| url.host().is_none_or(|host| is_metadata(&host)));
    is_closed.then_some(Refusal::Metadata)
}

/// The same as `is_private_address` for words that may be no address at all: those are not private.
pub(in crate::policy) fn may_be_private_address(text: &str) -> bool {
    if looks_like_address(text) {
        is_private_address(text)
    } else {
        bare_address(text).is_some_and(|url| is_private(&url))
    }
}

/// Loopback, private networks, names of the house, and everything that cannot be read.
pub(in crate::policy) fn is_private_address(text: &str) -> bool {
    parse(text).is_none_or(|url| is_private(&url))
}

fn is_private(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            !name.contains('.') || ends_in(&name, PRIVATE_ENDINGS) || ends_in(&name, ADDRESS_IN_NAME)
        }
        Some(Host::Ipv4(address)) => is_private_v4(address),
        Some(Host::Ipv6(address)) => is_private_v6(address),
        None => true,
    }
}

fn parse(text: &str) -> Option<Url> {
    match Url::parse(text.trim()) {
        Ok(url) => Some(url),
        // `example.com/page`, as people write it.
        Err(url::ParseError::RelativeUrlWithoutBase) => Url::parse(&format!("http://{}", text.trim())).ok(),
        Err(_) => None,
    }
}

/// An address without its scheme, where a word has the form of one: a name with a dot or a port, or a number that is
/// long enough for an address.
fn bare_address(text: &str) -> Option<Url> {
    let bare = text.trim().trim_start_matches('/');
    let is_number = bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.len() >= BARE_NUMBER_CHARS_MIN
        && bare.chars().all(|c| c.is_ascii_hexdigit() || c == 'x');
    let has_form = bare.contains(['.', ':']) || bare.eq_ignore_ascii_case("localhost") || is_number;
    if !has_form || bare.contains(char::is_whitespace) {
        return None;
    }
    Url::parse(&format!("http://{bare}")).ok()
}

/// A path on this machine where an address should be.
fn local_target(readings: &Readings, closed: &Closed<'_>) -> Option<Refusal> {
    let path = |reading: &&String| reading.starts_with(['/', '~']) && !reading.starts_with("//");
    let is_url = readings
        .texts
        .first()
        .is_some_and(|text| looks_like_address(text) && !is_file_address(text));
    if is_url {
        return None;
    }
    readings
        .texts
        .iter()
        .filter(path)
        .find_map(|reading| closed.target(reading))
}

/// A place on this machine, written as an address.
pub(super) fn is_file_address(text: &str) -> bool {
    text.trim_start().to_ascii_lowercase().starts_with("file:")
}

/// `..` in an address serves no reader; where it would lead to a closed place on a server of this house, it is refused.
fn climbs_to_closed(text: &str, closed: &Closed<'_>) -> Option<Refusal> {
    let decoded = percent_decoded(&percent_decoded(text)).replace('\\', "/");
    let path = decoded.split_once("://").map_or(decoded.as_str(), |(_, rest)| rest);
    let path = path.get(path.find('/')?..)?;
    if path.split('/').any(|part| part == "..") {
        closed.target(path)
    } else {
        None
    }
}

fn is_metadata(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            let written = ADDRESS_IN_NAME.iter().any(|service| {
                name.ends_with(service)
                    && (name.contains("169.254") || name.contains("169-254") || name.contains("a9fe"))
            });
            METADATA_NAMES.contains(&name.as_str()) || written
        }
        Host::Ipv4(address) => is_metadata_v4(*address),
        Host::Ipv6(address) => {
            *address == METADATA_V6
                || v4_inside(*address).is_some_and(is_metadata_v4)
                || address.is_unicast_link_local()
        }
    }
}

fn is_metadata_v4(address: Ipv4Addr) -> bool {
    address.is_link_local() || METADATA_V4.contains(&address)
}

/// The IPv4 address that an IPv6 one carries: mapped, compatible, or translated (64:ff9b::/96).
fn v4_inside(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, high, low] = address.segments();
    let tail = Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    let carries = matches!(
        [a, b, c, d, e, f],
        [0, 0, 0, 0, 0, 0 | 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0]
    );
    carries.then_some(tail)
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    let shared = a == 100 && (64..128).contains(&b);
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_multicast()
        || a == 0
        || a >= 240
        || shared
        || METADATA_V4.contains(&address)
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    address.is_loopback()
        || address.is_unspecified()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || IpAddr::V6(address).is_multicast()
        || v4_inside(address).is_some_and(is_private_v4)
}

fn ends_in(name: &str, endings: &[&str]) -> bool {
    endings
        .iter()
        .any(|ending| name == *ending || name.strip_suffix(ending).is_some_and(|front| front.ends_with('.')))
}
