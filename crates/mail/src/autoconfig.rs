//! What a domain says of its own servers, in the form that Thunderbird made common. Pure: who calls fetches the pages
//! named by `addresses` and hands them to `read`. Only encrypted servers with a password are taken from one.

use crate::{
    bounds::AUTOCONFIG_BYTES_MAX,
    providers::Servers,
    tls::{Security, Server},
};

/// Where a domain may say it; encrypted pages only, the best first.
pub fn addresses(address: &str) -> Vec<String> {
    let Some((_, domain)) = address.rsplit_once('@') else {
        return Vec::new();
    };
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '.');
    if domain.is_empty() || !domain.chars().all(is_name) {
        return Vec::new();
    }
    vec![
        format!("https://autoconfig.{domain}/mail/config-v1.1.xml"),
        format!("https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml"),
    ]
}

/// The servers it names.
pub fn read(page: &str, address: &str) -> Option<Servers> {
    if page.len() > AUTOCONFIG_BYTES_MAX {
        return None;
    }
    let (imap, imap_user) = server(page, "incomingServer", "imap", address)?;
    let (smtp, smtp_user) = server(page, "outgoingServer", "smtp", address)?;
    Some(Servers {
        imap,
        smtp,
        imap_user,
        smtp_user,
    })
}

fn server(page: &str, element: &str, kind: &str, address: &str) -> Option<(Server, String)> {
    let opens = format!("<{element}");
    let closes = format!("</{element}>");
    for part in page.split(opens.as_str()).skip(1) {
        let Some((inside, _)) = part.split_once(closes.as_str()) else {
            continue;
        };
        let Some((attributes, inside)) = inside.split_once('>') else {
            continue;
        };
        if !attributes.contains(&format!("\"{kind}\"")) && !attributes.contains(&format!("'{kind}'")) {
            continue;
        }
        let text = |name: &str| -> Option<String> {
            let (_, rest) = inside.split_once(&format!("<{name}>"))?;
            let (value, _) = rest.split_once(&format!("</{name}>"))?;
            Some(value.trim().to_owned())
        };
        let security = match text("socketType").as_deref() {
            Some("SSL") => Security::Tls,
            Some("STARTTLS") => Security::StartTls,
            Some(_) | None => continue,
        };
        let takes_password = inside.contains("password-cleartext") || inside.contains("<authentication>plain<");
        let (Some(host), Some(port)) = (text("hostname"), text("port").and_then(|port| port.parse().ok())) else {
            continue;
        };
        if !takes_password || host.is_empty() {
            continue;
        }
        let name = address.rsplit_once('@').map_or(address, |(name, _)| name);
        let user = text("username")
            .unwrap_or_else(|| address.to_owned())
            .replace("%EMAILADDRESS%", address)
            .replace("%EMAILLOCALPART%", name);
        let server = Server { host, port, security };
        return Some((server, user));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<clientConfig version="1.1"><emailProvider id="x.it">
        <incomingServer type="pop3"><hostname>pop.x.it</hostname><port>995</port><socketType>SSL</socketType></incomingServer>
        <incomingServer type="imap"><hostname>plain.x.it</hostname><port>143</port><socketType>plain</socketType>
          <authentication>password-cleartext</authentication><username>%EMAILADDRESS%</username></incomingServer>
        <incomingServer type="imap"><hostname>imap.x.it</hostname><port>993</port><socketType>SSL</socketType>
          <authentication>password-cleartext</authentication><username>%EMAILLOCALPART%</username></incomingServer>
        <outgoingServer type="smtp"><hostname>smtp.x.it</hostname><port>587</port><socketType>STARTTLS</socketType>
          <authentication>password-cleartext</authentication><username>%EMAILADDRESS%</username></outgoingServer>
        </emailProvider></clientConfig>"#;

    #[test]
    fn encrypted_servers_are_taken_and_no_others() {
        let servers = read(PAGE, "anna@x.it").unwrap();
        assert_eq!(
            (servers.imap.host.as_str(), servers.imap_user.as_str()),
            ("imap.x.it", "anna")
        );
        assert_eq!((servers.smtp.port, servers.smtp.security), (587, Security::StartTls));
        assert!(read(&PAGE.replace("SSL", "plain"), "anna@x.it").is_none());
        assert!(read("<html>", "anna@x.it").is_none());
    }

    #[test]
    fn nothing_but_a_domain_becomes_part_of_an_address() {
        assert_eq!(addresses("a@x.it").len(), 2);
        assert!(addresses("a@x.it/../evil").is_empty());
        assert!(addresses("none").is_empty());
    }
}
