//! What headers say of a message beyond its words: lists, machines, and whether the own provider could verify who sent
//! it. Pure. What another server claims to have verified counts for nothing: anybody can write such a header.

/// How one stops getting a newsletter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsubscribe {
    /// One click is enough there (RFC 8058): one POST to this `https` address.
    pub one_click: Option<String>,
    /// A page to go to.
    pub page: Option<String>,
    /// Or a mail to this address, with this subject.
    pub mail: Option<(String, String)>,
}

impl Unsubscribe {
    /// Whether there is a way.
    pub fn is_possible(&self) -> bool {
        self.one_click.is_some() || self.page.is_some() || self.mail.is_some()
    }
}

/// What the own provider found of a sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verified {
    /// It says nothing.
    #[default]
    Unknown,
    /// They are who they say.
    Pass,
    /// They are not, or nobody can tell whether they are.
    Fail,
}

/// What the headers tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// The list it came over.
    pub list: Option<String>,
    /// How to leave it.
    pub unsubscribe: Unsubscribe,
    /// Sent to many at once (`Precedence: bulk`, `list` or `junk`).
    pub is_bulk: bool,
    /// A program wrote it (RFC 3834), or it must not be answered by one.
    pub is_automated: bool,
    /// The own provider's filter calls it spam.
    pub is_marked_spam: bool,
    /// Results of verification: who says so, and what.
    pub verified: Vec<(String, Verified)>,
}

impl Signals {
    /// What the provider that received it says of the sender. `own` are names under which it signs such results: its
    /// servers' names and their domains. The first result counts: servers put theirs on top.
    pub fn verified_by(&self, own: &[String]) -> Verified {
        let is_own = |authority: &str| {
            own.iter().any(|name| {
                authority == name
                    || authority.ends_with(&format!(".{name}"))
                    || name.ends_with(&format!(".{authority}"))
            })
        };
        self.verified
            .first()
            .filter(|(authority, _)| is_own(authority))
            .map_or(Verified::Unknown, |(_, verified)| *verified)
    }
}

/// Names of addresses that nobody reads.
const NOBODY: &[&str] = &[
    "noreply",
    "no-reply",
    "no_reply",
    "donotreply",
    "do-not-reply",
    "nonrispondere",
    "non-rispondere",
    "noreplay",
    "mailer-daemon",
    "postmaster",
    "bounce",
    "bounces",
    "notification",
    "notifications",
    "notifiche",
    "automated",
];

/// Whether nobody reads what is sent to this address.
pub(crate) fn is_nobody(address: &str) -> bool {
    let local = address.split('@').next().unwrap_or_default().to_ascii_lowercase();
    NOBODY.iter().any(|name| {
        local == *name
            || local
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(['+', '-', '.', '_']))
            || local.ends_with(&format!("-{name}"))
            || local.ends_with(&format!(".{name}"))
    })
}

/// Takes up one header.
pub(crate) fn take_up(name: &str, value: &str, signals: &mut Signals) {
    let lower = value.trim().to_ascii_lowercase();
    match name.to_ascii_lowercase().as_str() {
        "list-id" => signals.list = Some(list_name(value)),
        "list-unsubscribe" => unsubscribe(value, &mut signals.unsubscribe),
        "list-unsubscribe-post" if lower.contains("list-unsubscribe=one-click") => {
            let page = signals.unsubscribe.page.clone();
            signals.unsubscribe.one_click = page.filter(|page| page.starts_with("https://"));
        }
        "precedence" => signals.is_bulk |= matches!(lower.as_str(), "bulk" | "list" | "junk"),
        "auto-submitted" => signals.is_automated |= !lower.starts_with("no"),
        "x-auto-response-suppress" => signals.is_automated |= !lower.is_empty() && lower != "none",
        "x-autoreply" | "x-autorespond" => signals.is_automated = true,
        "x-spam-flag" => signals.is_marked_spam |= lower.starts_with("yes"),
        "x-spam-status" => signals.is_marked_spam |= lower.starts_with("yes"),
        "authentication-results" => signals.verified.extend(verified(&lower)),
        _ => {}
    }
}

/// Of `"Notizie" <notizie.scuola.it>` what stands between the brackets.
fn list_name(value: &str) -> String {
    let inside = value.rsplit_once('<').map_or(value, |(_, rest)| rest);
    crate::bounds::one_line(inside.trim_end_matches('>').trim(), 200)
}

fn unsubscribe(value: &str, into: &mut Unsubscribe) {
    for part in value.split('<').skip(1) {
        let Some((address, _)) = part.split_once('>') else {
            continue;
        };
        let address: String = address.split_whitespace().collect();
        if address.len() > 2_000 {
            continue;
        }
        if address.starts_with("https://") || address.starts_with("http://") {
            into.page.get_or_insert(address);
        } else if let Some(mail) = address.strip_prefix("mailto:") {
            let (to, rest) = mail.split_once('?').unwrap_or((mail, ""));
            let subject = rest
                .split('&')
                .find_map(|pair| pair.strip_prefix("subject="))
                .map_or_else(|| "unsubscribe".to_owned(), unescaped);
            if to.contains('@') && !to.contains(',') {
                into.mail
                    .get_or_insert((to.to_owned(), crate::bounds::one_line(&subject, 200)));
            }
        }
    }
}

/// `%20` and its like.
fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let escaped = (*byte == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match escaped {
            Some(value) => {
                out.push(value);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// `mx.example.it; spf=pass …; dkim=pass …; dmarc=fail …`: DMARC decides, else DKIM, else SPF.
fn verified(lower: &str) -> Option<(String, Verified)> {
    let mut parts = lower.split(';');
    let authority = parts.next()?.split_whitespace().next()?.to_owned();
    let mut results = std::collections::BTreeMap::new();
    for part in parts {
        if let Some((method, rest)) = part.trim().split_once('=') {
            let result = rest.split([' ', '(', '\t']).next().unwrap_or_default().to_owned();
            results.entry(method.trim().to_owned()).or_insert(result);
        }
    }
    let of = |method: &str| match results.get(method).map(String::as_str) {
        Some("pass") => Some(Verified::Pass),
        Some("fail" | "permerror" | "softfail") => Some(Verified::Fail),
        Some(_) | None => None,
    };
    let verified = of("dmarc")
        .or_else(|| of("dkim"))
        .or_else(|| of("spf"))
        .unwrap_or_default();
    Some((authority, verified))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(headers: &[(&str, &str)]) -> Signals {
        let mut signals = Signals::default();
        for (name, value) in headers {
            take_up(name, value, &mut signals);
        }
        signals
    }

    #[test]
    fn only_the_own_provider_is_believed() {
        let own = ["libero.it".to_owned()];
        let real = signals(&[(
            "Authentication-Results",
            "mx.libero.it; spf=pass; dmarc=fail (p=reject)",
        )]);
        assert_eq!(real.verified_by(&own), Verified::Fail);
        let forged = signals(&[
            ("Authentication-Results", "mx.evil.example; dmarc=pass"),
            ("Authentication-Results", "mx.libero.it; dmarc=pass"),
        ]);
        assert_eq!(forged.verified_by(&own), Verified::Unknown);
        assert_eq!(
            signals(&[("Authentication-Results", "evil-libero.it; dmarc=pass")]).verified_by(&own),
            Verified::Unknown
        );
    }

    #[test]
    fn ways_out_of_a_list_are_found() {
        let found = signals(&[
            (
                "List-Unsubscribe",
                "<mailto:out@n.it?subject=leave%20me>, <https://n.it/u?x=1>",
            ),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
            ("List-ID", "Notizie <notizie.n.it>"),
        ]);
        assert_eq!(found.unsubscribe.one_click.as_deref(), Some("https://n.it/u?x=1"));
        assert_eq!(
            found.unsubscribe.mail,
            Some(("out@n.it".to_owned(), "leave me".to_owned()))
        );
        assert_eq!(found.list.as_deref(), Some("notizie.n.it"));
        let plain = signals(&[
            ("List-Unsubscribe", "<http://n.it/u>"),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ]);
        assert_eq!(plain.unsubscribe.one_click, None);
    }

    #[test]
    fn programs_are_known_by_their_headers_and_names() {
        assert!(signals(&[("Auto-Submitted", "auto-replied")]).is_automated);
        assert!(!signals(&[("Auto-Submitted", "no")]).is_automated);
        assert!(signals(&[("Precedence", "bulk")]).is_bulk);
        assert!(is_nobody("no-reply@bank.it") && is_nobody("bounces+123@n.it") && is_nobody("MAILER-DAEMON@x.it"));
        assert!(!is_nobody("norina@x.it") && !is_nobody("bouncer@x.it"));
    }
}
