//! What kind of mail one is, by what can be checked: where it lies, what the own provider found, its headers, and whom
//! its person writes to. No model. Pure; each verdict says why, and "nobody can tell" is a verdict.

use std::collections::HashSet;

use metnos_mail::{Header, Person, Role, Signals};

use crate::domain::message::Message;

/// A kind of mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Nobody asked for it, or it pretends to be from somebody else.
    Spam,
    /// Sent to many who asked for it once.
    Newsletter,
    /// Something to be paid, or that was.
    Invoice,
    /// From a person, to this one.
    Personal,
    /// Written by a program to this person: a notice, a confirmation.
    Notice,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Spam,
        Self::Newsletter,
        Self::Invoice,
        Self::Personal,
        Self::Notice,
    ];

    /// Its name in plans.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Spam => "spam",
            Self::Newsletter => "newsletter",
            Self::Invoice => "invoice",
            Self::Personal => "personal",
            Self::Notice => "notice",
        }
    }

    /// The class of this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == text)
    }
}

/// What is known around a mail.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// The part its folder plays.
    pub folder: Option<Role>,
    /// Names under which the own provider signs what it verified.
    pub own_names: &'a [String],
    /// Addresses its person writes to, in lower case.
    pub correspondents: &'a HashSet<String>,
    /// Addresses of its person, in lower case.
    pub own_addresses: &'a [String],
}

/// A kind of mail, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Which; `None` where nobody can tell.
    pub class: Option<Class>,
    /// Why, for the person.
    pub why: Message,
}

/// Words in subjects of what is to be paid, in the languages metnos has; matched as whole words.
const INVOICE: &[&str] = &[
    "invoice",
    "invoices",
    "receipt",
    "receipts",
    "billing",
    "fattura",
    "fatture",
    "ricevuta",
    "ricevute",
    "bolletta",
    "bollette",
    "parcella",
    "scontrino",
    "f24",
    "pagopa",
    "mav",
];

/// Says what kind a mail is.
pub fn classify(header: &Header, known: Known<'_>) -> Verdict {
    let is = |class: Class, why: &str| Verdict {
        class: Some(class),
        why: Message::new(why),
    };
    let from = header.from.first();
    let address = from.map(|person| person.address.to_lowercase()).unwrap_or_default();
    let is_known = known.correspondents.contains(&address);
    let is_own = known.own_addresses.contains(&address);
    let signals = &header.signals;
    if known.folder == Some(Role::Junk) {
        return is(Class::Spam, "mail-why-junk-folder");
    }
    if signals.is_marked_spam && !is_known {
        return is(Class::Spam, "mail-why-marked");
    }
    let verified = verified(signals, known.own_names);
    if verified == Some(false) && !is_known && !is_own {
        return is(Class::Spam, "mail-why-not-verified");
    }
    // Who claims to be this person and was not verified is somebody else.
    if is_own && verified == Some(false) {
        return is(Class::Spam, "mail-why-pretends-own");
    }
    if from.is_some_and(pretends) && !is_known {
        return is(Class::Spam, "mail-why-pretends");
    }
    if is_invoice(&header.subject) && (signals.list.is_none() || header.has_files) {
        return is(Class::Invoice, "mail-why-invoice");
    }
    if is_known {
        return is(Class::Personal, "mail-why-correspondent");
    }
    if signals.list.is_some() || signals.unsubscribe.is_possible() {
        return is(Class::Newsletter, "mail-why-list");
    }
    if signals.is_bulk {
        return is(Class::Newsletter, "mail-why-bulk");
    }
    if signals.is_automated || from.is_some_and(Person::is_nobody) {
        return is(Class::Notice, "mail-why-automated");
    }
    Verdict {
        class: None,
        why: Message::new("mail-why-open"),
    }
}

/// Whether the own provider verified the sender; `None` where it says nothing.
fn verified(signals: &Signals, own: &[String]) -> Option<bool> {
    match signals.verified_by(own) {
        metnos_mail::Verified::Unknown => None,
        metnos_mail::Verified::Pass => Some(true),
        metnos_mail::Verified::Fail => Some(false),
    }
}

/// A name that is another address than the one it stands beside.
fn pretends(person: &Person) -> bool {
    let Some(name) = &person.name else { return false };
    let domain = |text: &str| {
        text.rsplit('@')
            .next()
            .map(|domain| domain.trim_matches(['>', '"', ' ']).to_lowercase())
    };
    let named = name
        .split_whitespace()
        .find(|word| word.contains('@') && word.contains('.'));
    named.is_some_and(|named| domain(named) != domain(&person.address))
}

fn is_invoice(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    lower
        .split(|sign: char| !sign.is_alphanumeric())
        .any(|word| INVOICE.contains(&word))
}

#[cfg(test)]
mod tests {
    use metnos_mail::Unsubscribe;

    use super::*;

    fn header(name: &str, address: &str, subject: &str) -> Header {
        Header {
            from: vec![Person {
                name: Some(name.to_owned()).filter(|name| !name.is_empty()),
                address: address.to_owned(),
            }],
            subject: subject.to_owned(),
            ..Header::default()
        }
    }

    fn class(header: &Header, folder: Option<Role>) -> Option<&'static str> {
        let known = Known {
            folder,
            own_names: &["libero.it".to_owned()],
            correspondents: &HashSet::from(["luca@c.it".to_owned()]),
            own_addresses: &["anna@libero.it".to_owned()],
        };
        classify(header, known).class.map(Class::as_str)
    }

    #[test]
    fn what_can_be_checked_decides() {
        let inbox = Some(Role::Inbox);
        assert_eq!(class(&header("", "x@y.it", "Ciao"), Some(Role::Junk)), Some("spam"));
        assert_eq!(class(&header("Luca", "Luca@c.it", "Ciao"), inbox), Some("personal"));
        assert_eq!(
            class(&header("anna@banca.it", "x@evil.example", "Ciao"), inbox),
            Some("spam")
        );
        assert_eq!(
            class(&header("ENEL", "noreply@enel.it", "La tua bolletta"), inbox),
            Some("invoice")
        );
        assert_eq!(class(&header("", "no-reply@x.it", "Codice"), inbox), Some("notice"));
        assert_eq!(class(&header("Mario", "mario@x.it", "Ciao"), inbox), None);
        let mut list = header("", "news@x.it", "Novità");
        list.signals.unsubscribe = Unsubscribe {
            page: Some("https://x.it".to_owned()),
            ..Unsubscribe::default()
        };
        assert_eq!(class(&list, inbox), Some("newsletter"));
    }

    #[test]
    fn what_the_own_provider_could_not_verify_is_spam_unless_one_writes_there() {
        let failed = vec![("mx.libero.it".to_owned(), metnos_mail::Verified::Fail)];
        let mut stranger = header("", "x@y.it", "Ciao");
        stranger.signals.verified = failed.clone();
        assert_eq!(class(&stranger, None), Some("spam"));
        let mut friend = header("", "luca@c.it", "Ciao");
        friend.signals.verified = failed.clone();
        assert_eq!(class(&friend, None), Some("personal"));
        let mut own = header("", "anna@libero.it", "I know your password");
        own.signals.verified = failed;
        assert_eq!(class(&own, None), Some("spam"));
    }
}
