//! From an address to servers that work, and what a look at an account finds. Nothing secret is said to a server before
//! it showed the right certificate for its name.

use metnos_mail::{
    Failure, Known, Login, LoginForm, Password, Quirk, Role, Security, Server, Servers, autoconfig_addresses, known,
    open, probe, probe_smtp, read_autoconfig,
};

use super::{Mail, MailSettings, explain};
use crate::{
    config::Secret,
    domain::{
        account::{PersonAccount, Service},
        failure::ToolError,
        ids::PersonAccountId,
        message::Message,
    },
    net,
    store::person_accounts::NewPersonAccount,
};

/// Ports where servers encrypt from the first byte.
const IMAPS: u16 = 993;
const SMTPS: u16 = 465;

/// What is known of where an address has its mail.
#[derive(Clone, Debug, PartialEq)]
pub enum Lookup {
    /// There, and the certificates are good or known to be.
    Found {
        /// Its servers.
        servers: Box<Servers>,
        /// What to know before a password is given.
        hint: Option<Message>,
    },
    /// No password works there; what does.
    NoPassword(Message),
    /// Nobody knows; its person has to say.
    Unknown,
}

/// What a look at an account found.
#[derive(Debug)]
pub struct Checked {
    /// What is wrong with reading; `None` if nothing is.
    pub reading: Option<ToolError>,
    /// The parts that folders play, with the folder's name.
    pub folders: Vec<(Role, Option<String>)>,
    /// What its server cannot do.
    pub quirks: Vec<Quirk>,
    /// What is wrong with sending.
    pub sending: Option<ToolError>,
}

impl Checked {
    /// Nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.reading.is_none() && self.sending.is_none()
    }
}

impl Mail {
    /// Where an address has its mail.
    pub async fn lookup(&self, address: &str) -> Result<Lookup, ToolError> {
        if let Some(known) = known(address) {
            return self.known(address, known).await;
        }
        for page in autoconfig_addresses(address) {
            let Ok(page) = net::fetch(&page, &[]).await else {
                continue;
            };
            if let Some(servers) = read_autoconfig(&page.text(), address)
                && self.both_answer(&servers).await.is_ok()
            {
                return Ok(found(servers, None));
            }
        }
        for servers in likely(address) {
            if self.both_answer(&servers).await.is_ok() {
                return Ok(found(servers, None));
            }
        }
        Ok(Lookup::Unknown)
    }

    async fn known(&self, address: &str, known: Known) -> Result<Lookup, ToolError> {
        let domain = address.rsplit('@').next().unwrap_or_default();
        let about = |key: &str| Message::new(key).with("domain", domain);
        let Some(servers) = known.servers else {
            let key = match known.login {
                LoginForm::Oauth => "mail-setup-oauth",
                LoginForm::Bridge => "mail-setup-bridge",
                LoginForm::Plain => "mail-setup-plain",
                LoginForm::None | LoginForm::Password | LoginForm::AppPassword => "mail-setup-none",
            };
            return Ok(Lookup::NoPassword(about(key)));
        };
        if !known.is_checked {
            self.both_answer(&servers)
                .await
                .map_err(|failure| explain(&failure, address))?;
        }
        let hint = (known.login == LoginForm::AppPassword).then(|| about("mail-setup-app-password"));
        Ok(found(servers, hint))
    }

    /// Servers somebody named: `imap.example.it`, or with a port.
    pub async fn named(&self, address: &str, imap: &str, smtp: &str) -> Result<Servers, ToolError> {
        let wrong = |text: &str| explain(&Failure::NoSuchHost(text.to_owned()), address);
        let servers = Servers {
            imap: server(imap, IMAPS).ok_or_else(|| wrong(imap))?,
            smtp: server(smtp, SMTPS).ok_or_else(|| wrong(smtp))?,
            imap_user: address.to_owned(),
            smtp_user: address.to_owned(),
        };
        self.both_answer(&servers)
            .await
            .map_err(|failure| explain(&failure, address))?;
        Ok(servers)
    }

    /// Whether both servers are there, encrypt, and have the right certificates.
    async fn both_answer(&self, servers: &Servers) -> Result<(), Failure> {
        let trust = self.trust().map_err(|_no_trust| Failure::Gone)?;
        probe(&servers.imap, trust, false).await?;
        probe(&servers.smtp, trust, true).await
    }

    /// Logs in at both servers; the account as it is to be kept if that works.
    pub async fn try_out(
        &self,
        id: PersonAccountId,
        address: &str,
        servers: serde_json::Value,
        secret: Secret,
    ) -> Result<NewPersonAccount, ToolError> {
        let broken = || explain(&Failure::Garbled, address);
        let servers: Servers = serde_json::from_value(servers).map_err(|_no_servers| broken())?;
        let trust = self.trust()?;
        let login = |user: &str| Login {
            user: user.to_owned(),
            password: Password::new(secret.expose().to_owned()),
        };
        let told = |failure: &Failure| explain(failure, address);
        let mailbox = open(&servers.imap, &login(&servers.imap_user), trust)
            .await
            .map_err(|failure| told(&failure))?;
        mailbox.close().await;
        probe_smtp(&servers.smtp, &login(&servers.smtp_user), trust)
            .await
            .map_err(|failure| told(&failure))?;
        Ok(account(id, address, servers, secret))
    }

    /// Looks at an account: logs in at both servers, asks for folders.
    pub async fn check(&self, account: &PersonAccount) -> Checked {
        let mut checked = Checked {
            reading: None,
            folders: Vec::new(),
            quirks: Vec::new(),
            sending: None,
        };
        let looked = async {
            let mut session = self.session(account).await?;
            let folders = self.folders(&mut session).await?;
            let quirks = session.mailbox()?.quirks();
            let quirks = session.told(Ok(quirks))?;
            Ok::<_, ToolError>((folders, quirks))
        };
        match looked.await {
            Ok((folders, quirks)) => {
                let wanted = [Role::Inbox, Role::Sent, Role::Drafts, Role::Trash, Role::Junk];
                let named = |role: Role| (role, folders.of_role(role).map(|folder| folder.name.clone()));
                checked.folders = wanted.into_iter().map(named).collect();
                checked.quirks = quirks;
            }
            Err(error) => checked.reading = Some(error),
        }
        checked.sending = self.check_sending(account).await.err();
        checked
    }

    async fn check_sending(&self, account: &PersonAccount) -> Result<(), ToolError> {
        let settings = super::pool::settings(account)?;
        let login = self.login(account, &settings.servers.smtp_user).await?;
        probe_smtp(&settings.servers.smtp, &login, self.trust()?)
            .await
            .map(drop)
            .map_err(|failure| explain(&failure, &account.name))
    }
}

/// An account as it is kept.
fn account(id: PersonAccountId, address: &str, servers: Servers, secret: Secret) -> NewPersonAccount {
    let settings = MailSettings {
        address: address.to_owned(),
        servers,
        shown_name: None,
    };
    NewPersonAccount {
        id,
        service: Service::Mail,
        name: address.to_owned(),
        settings: serde_json::to_value(settings).unwrap_or_default(),
        secret: Some(secret),
    }
}

fn found(servers: Servers, hint: Option<Message>) -> Lookup {
    Lookup::Found {
        servers: Box::new(servers),
        hint,
    }
}

/// Names that servers of a domain often have; whether they are its own their certificates tell.
fn likely(address: &str) -> Vec<Servers> {
    let Some((_, domain)) = address.rsplit_once('@') else {
        return Vec::new();
    };
    let pairs = [("imap", "smtp"), ("mail", "mail")];
    let servers = pairs.into_iter().map(|(imap, smtp)| Servers {
        imap: tls(format!("{imap}.{domain}"), IMAPS),
        smtp: tls(format!("{smtp}.{domain}"), SMTPS),
        imap_user: address.to_owned(),
        smtp_user: address.to_owned(),
    });
    servers.collect()
}

fn tls(host: String, port: u16) -> Server {
    Server {
        host,
        port,
        security: Security::Tls,
    }
}

/// `imap.example.it`, `imap.example.it:993`; `starttls://imap.example.it:143` where it encrypts only then.
fn server(text: &str, port: u16) -> Option<Server> {
    let text = text.trim();
    let (security, rest) = match text.split_once("://") {
        Some(("starttls", rest)) => (Security::StartTls, rest),
        Some((_, rest)) => (Security::Tls, rest),
        None => (Security::Tls, text),
    };
    let (host, port) = match rest.split_once(':') {
        Some((host, port)) => (host, port.parse().ok()?),
        None => (rest, port),
    };
    let security = if matches!(port, 143 | 587) {
        Security::StartTls
    } else {
        security
    };
    let is_name = !host.is_empty()
        && host
            .chars()
            .all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '.'));
    is_name.then(|| Server {
        host: host.to_ascii_lowercase(),
        port,
        security,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_as_people_write_them() {
        let of = |text: &str| server(text, IMAPS).map(|server| (server.host, server.port, server.security));
        assert_eq!(of("imap.x.it"), Some(("imap.x.it".to_owned(), 993, Security::Tls)));
        assert_eq!(
            of("IMAP.x.it:143"),
            Some(("imap.x.it".to_owned(), 143, Security::StartTls))
        );
        assert_eq!(
            of("starttls://x.it:1143"),
            Some(("x.it".to_owned(), 1143, Security::StartTls))
        );
        for text in ["", "x y", "x.it:abc", "x.it/../y"] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
