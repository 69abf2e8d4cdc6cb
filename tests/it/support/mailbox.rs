//! A mail server at the wire: IMAP and SMTP over TLS, with an authority of the tests' own. It keeps folders in memory
//! and does what the two protocols say, as far as metnos asks; what a server may lack is switched off one by one.
//! Shared by every test that needs mail and no real server.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// What this server lacks, or does in its own way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lacks {
    pub(crate) special_use: bool,
    pub(crate) moving: bool,
    pub(crate) uidplus: bool,
}

/// A mail in a folder.
#[derive(Clone, Debug)]
pub(crate) struct Mail {
    pub(crate) uid: u32,
    pub(crate) flags: Vec<String>,
    pub(crate) raw: String,
}

impl Mail {
    pub(crate) fn subject(&self) -> &str {
        header(&self.raw, "subject")
    }
}

#[derive(Debug)]
struct Folder {
    name: &'static str,
    mark: &'static str,
    validity: u32,
    next: u32,
    mails: Vec<Mail>,
}

#[derive(Debug)]
struct State {
    lacks: Lacks,
    folders: Vec<Folder>,
    /// What the SMTP side took: recipients and text.
    taken: Vec<(Vec<String>, String)>,
    /// It closes the line instead of saying that it took a message.
    breaks: bool,
    /// Somebody waits to hear of new mail.
    is_listened_to: bool,
}

/// The server. Every user logs in with the password `right`.
#[derive(Clone, Debug)]
pub(crate) struct FakeMail {
    pub(crate) imap: u16,
    pub(crate) smtp: u16,
    state: Arc<Mutex<State>>,
}

const FOLDERS: [(&str, &str); 6] = [
    ("INBOX", ""),
    ("Posta inviata", "\\Sent"),
    ("Bozze", "\\Drafts"),
    ("Cestino", "\\Trash"),
    ("Posta indesiderata", "\\Junk"),
    ("Casa", ""),
];

/// The authority its certificate is signed by.
pub(crate) fn ca_file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/support/mail/ca.pem")
}

impl FakeMail {
    pub(crate) async fn start(lacks: Lacks) -> Self {
        let folders = FOLDERS.into_iter().map(|(name, mark)| Folder {
            name,
            mark,
            validity: 7,
            next: 1,
            mails: Vec::new(),
        });
        let state = Arc::new(Mutex::new(State {
            lacks,
            folders: folders.collect(),
            taken: Vec::new(),
            breaks: false,
            is_listened_to: false,
        }));
        let (imap, smtp) = (listen().await, listen().await);
        let ports = (imap.local_addr().unwrap().port(), smtp.local_addr().unwrap().port());
        let acceptor = acceptor();
        tokio::spawn(serve(imap, acceptor.clone(), Arc::clone(&state), false));
        tokio::spawn(serve(smtp, acceptor, Arc::clone(&state), true));
        Self {
            imap: ports.0,
            smtp: ports.1,
            state,
        }
    }

    /// Puts a mail into a folder.
    pub(crate) fn put(&self, folder: &str, from: &str, subject: &str, text: &str) {
        self.put_raw(
            folder,
            &format!(
                "From: {from}\r\nTo: you@localhost.test\r\nSubject: {subject}\r\nMessage-ID: <{}@test>\r\n\r\n{text}\r\n",
                subject.replace(' ', "-")
            ),
        );
    }

    pub(crate) fn put_raw(&self, folder: &str, raw: &str) {
        let mut state = self.state.lock().unwrap();
        add(of(&mut state, folder).unwrap(), raw.to_owned(), Vec::new());
    }

    /// The subjects of the mails in a folder, oldest first.
    pub(crate) fn subjects(&self, folder: &str) -> Vec<String> {
        let mut state = self.state.lock().unwrap();
        let folder = of(&mut state, folder).unwrap();
        folder.mails.iter().map(|mail| mail.subject().to_owned()).collect()
    }

    /// The mails in a folder.
    pub(crate) fn mails(&self, folder: &str) -> Vec<Mail> {
        let mut state = self.state.lock().unwrap();
        of(&mut state, folder).unwrap().mails.clone()
    }

    /// What went out: recipients and text.
    pub(crate) fn taken(&self) -> Vec<(Vec<String>, String)> {
        self.state.lock().unwrap().taken.clone()
    }

    /// Whether somebody waits to hear of new mail.
    pub(crate) fn is_listened_to(&self) -> bool {
        self.state.lock().unwrap().is_listened_to
    }

    /// From now on the line breaks where a message would be said to be taken.
    pub(crate) fn breaks_after_messages(&self) {
        self.state.lock().unwrap().breaks = true;
    }
}

async fn listen() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

fn acceptor() -> TlsAcceptor {
    let folder = ca_file().parent().unwrap().to_owned();
    let certificates = vec![CertificateDer::from_pem_file(folder.join("cert.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(folder.join("key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

type Line = BufReader<TlsStream<tokio::net::TcpStream>>;

async fn serve(listener: TcpListener, acceptor: TlsAcceptor, state: Arc<Mutex<State>>, is_smtp: bool) {
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, state) = (acceptor.clone(), Arc::clone(&state));
        tokio::spawn(async move {
            let Ok(stream) = acceptor.accept(stream).await else {
                return;
            };
            let line = BufReader::new(stream);
            // Whoever goes away in the middle is done with.
            let _ended = if is_smtp {
                smtp(line, state).await
            } else {
                imap(line, state).await
            };
        });
    }
}

async fn say(line: &mut Line, text: &str) -> std::io::Result<()> {
    line.get_mut().write_all(format!("{text}\r\n").as_bytes()).await?;
    line.get_mut().flush().await
}

async fn hear(line: &mut Line) -> std::io::Result<Option<String>> {
    let mut text = String::new();
    let read = line.read_line(&mut text).await?;
    Ok((read > 0).then(|| text.trim_end().to_owned()))
}

async fn smtp(mut line: Line, state: Arc<Mutex<State>>) -> std::io::Result<()> {
    say(&mut line, "220 test").await?;
    let mut recipients = Vec::new();
    while let Some(command) = hear(&mut line).await? {
        let upper = command.to_ascii_uppercase();
        if upper.starts_with("EHLO") {
            say(&mut line, "250-test\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN").await?;
        } else if let Some(token) = command.strip_prefix("AUTH PLAIN ") {
            // base64 of "\0right" ends so, whatever the user is called in front of it.
            let is_right = ["AHJpZ2h0", "cmlnaHQ=", "ByaWdodA==", "AcmlnaHQ"]
                .iter()
                .any(|end| token.ends_with(end));
            say(&mut line, if is_right { "235 ok" } else { "535 wrong password" }).await?;
        } else if upper.starts_with("RCPT") {
            let address = command.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
            if address.starts_with("nobody@") {
                say(&mut line, "550 no such user").await?;
            } else {
                recipients.push(address);
                say(&mut line, "250 ok").await?;
            }
        } else if upper == "DATA" {
            say(&mut line, "354 go on").await?;
            let mut text = String::new();
            while let Some(part) = hear(&mut line).await? {
                if part == "." {
                    break;
                }
                text.push_str(part.strip_prefix('.').unwrap_or(&part));
                text.push('\n');
            }
            let breaks = {
                let mut state = state.lock().unwrap();
                state.taken.push((std::mem::take(&mut recipients), text));
                state.breaks
            };
            if breaks {
                return Ok(());
            }
            say(&mut line, "250 taken").await?;
        } else if upper == "QUIT" {
            return say(&mut line, "221 bye").await;
        } else {
            say(&mut line, "250 ok").await?;
        }
    }
    Ok(())
}

async fn imap(mut line: Line, state: Arc<Mutex<State>>) -> std::io::Result<()> {
    say(&mut line, "* OK test").await?;
    let mut open = String::new();
    while let Some(command) = hear(&mut line).await? {
        let (tag, rest) = command.split_once(' ').unwrap_or((&command, ""));
        let (tag, rest) = (tag.to_owned(), whole(&mut line, rest.to_owned()).await?);
        let verb = rest.split(' ').next().unwrap_or_default().to_ascii_uppercase();
        if verb == "LOGIN" && !rest.ends_with("\"right\"") {
            say(&mut line, &format!("{tag} NO [AUTHENTICATIONFAILED] wrong password")).await?;
            continue;
        }
        if verb == "LOGOUT" {
            say(&mut line, "* BYE bye").await?;
            return say(&mut line, &format!("{tag} OK bye")).await;
        }
        if verb == "IDLE" {
            idle(&mut line, &state, &open).await?;
            say(&mut line, &format!("{tag} OK done")).await?;
            continue;
        }
        let answer = answer(&mut state.lock().unwrap(), &mut open, &rest);
        let (lines, end) = match answer {
            Ok((lines, code)) => (lines, format!("{tag} OK {code}done")),
            Err(why) => (Vec::new(), format!("{tag} NO {why}")),
        };
        for answered in lines {
            say(&mut line, &answered).await?;
        }
        say(&mut line, &end).await?;
    }
    Ok(())
}

/// Says how many mails there are whenever that changes, until it is enough.
async fn idle(line: &mut Line, state: &Mutex<State>, open: &str) -> std::io::Result<()> {
    let count = || of(&mut state.lock().unwrap(), open).map_or(0, |folder| folder.mails.len());
    say(line, "+ idling").await?;
    let mut known = count();
    state.lock().unwrap().is_listened_to = true;
    let mut done = String::new();
    loop {
        let waited = tokio::time::timeout(std::time::Duration::from_millis(20), line.read_line(&mut done)).await;
        match waited {
            Ok(read) => return read.map(drop),
            Err(_nothing_was_said) if count() != known => {
                known = count();
                say(line, &format!("* {known} EXISTS")).await?;
            }
            Err(_nothing_was_said) => {}
        }
    }
}

/// A command with the literals that it announced, each in quotes.
async fn whole(line: &mut Line, mut command: String) -> std::io::Result<String> {
    while let Some((before, length)) = command
        .strip_suffix('}')
        .and_then(|text| text.rsplit_once('{'))
        .and_then(|(before, length)| Some((before.to_owned(), length.trim_end_matches('+').parse::<usize>().ok()?)))
    {
        say(line, "+ go on").await?;
        let mut bytes = vec![0; length];
        line.read_exact(&mut bytes).await?;
        let more = hear(line).await?.unwrap_or_default();
        command = format!("{before}\"{}\"{more}", String::from_utf8_lossy(&bytes));
    }
    Ok(command)
}

type Answer = Result<(Vec<String>, String), &'static str>;

fn answer(state: &mut State, open: &mut String, command: &str) -> Answer {
    let words = words(command);
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let nothing = || Ok((Vec::new(), String::new()));
    let verb = word(0).to_ascii_uppercase();
    match verb.as_str() {
        "CAPABILITY" => {
            let mut said = "* CAPABILITY IMAP4rev1 IDLE".to_owned();
            for (lacks, name) in [(state.lacks.moving, "MOVE"), (state.lacks.uidplus, "UIDPLUS")] {
                if !lacks {
                    said = format!("{said} {name}");
                }
            }
            Ok((vec![said], String::new()))
        }
        "LIST" => {
            let lacks = state.lacks.special_use;
            let listed = state.folders.iter().map(|folder| {
                let mark = if lacks { "" } else { folder.mark };
                format!("* LIST ({mark}) \"/\" \"{}\"", folder.name)
            });
            Ok((listed.collect(), String::new()))
        }
        "SELECT" | "EXAMINE" => {
            let folder = of(state, word(1)).ok_or("no such folder")?;
            word(1).clone_into(open);
            let exists = format!("* {} EXISTS", folder.mails.len());
            Ok((
                vec![exists, format!("* OK [UIDVALIDITY {}] ok", folder.validity)],
                String::new(),
            ))
        }
        "APPEND" => {
            let (name, raw) = (word(1).to_owned(), words.last().cloned().unwrap_or_default());
            add(
                of(state, &name).ok_or("no such folder")?,
                raw,
                vec!["\\Seen".to_owned()],
            );
            nothing()
        }
        "EXPUNGE" => {
            let folder = of(state, open).ok_or("nothing is open")?;
            folder
                .mails
                .retain(|mail| !mail.flags.contains(&"\\Deleted".to_owned()));
            nothing()
        }
        "UID" => by_uid(state, open, &words),
        _ => nothing(),
    }
}

fn by_uid(state: &mut State, open: &str, words: &[String]) -> Answer {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let nothing = || Ok((Vec::new(), String::new()));
    let lacks = state.lacks;
    let uids = set(word(2));
    let folder = of(state, open).ok_or("nothing is open")?;
    match word(1).to_ascii_uppercase().as_str() {
        "SEARCH" => {
            // From a place in the folder on: `3:*`.
            let first = word(2).strip_suffix(":*").and_then(|first| first.parse::<usize>().ok());
            let found: Vec<String> = folder
                .mails
                .iter()
                .skip(first.map_or(0, |first| first - 1))
                .filter(|mail| fits(mail, words.get(2..).unwrap_or_default()))
                .map(|mail| mail.uid.to_string())
                .collect();
            Ok((vec![format!("* SEARCH {}", found.join(" "))], String::new()))
        }
        "FETCH" => {
            let is_whole = words.iter().any(|word| word.contains("BODY.PEEK[]"));
            let found = folder
                .mails
                .iter()
                .enumerate()
                .filter(|(_, mail)| uids.contains(&mail.uid));
            let lines = found.map(|(at, mail)| fetched(at + 1, mail, is_whole)).collect();
            Ok((lines, String::new()))
        }
        "STORE" => {
            let (sign, flag) = (word(3).starts_with('+'), word(4).trim_matches(['(', ')']).to_owned());
            for mail in folder.mails.iter_mut().filter(|mail| uids.contains(&mail.uid)) {
                mail.flags.retain(|known| *known != flag);
                if sign {
                    mail.flags.push(flag.clone());
                }
            }
            nothing()
        }
        "EXPUNGE" => {
            folder
                .mails
                .retain(|mail| !(uids.contains(&mail.uid) && mail.flags.contains(&"\\Deleted".to_owned())));
            nothing()
        }
        verb @ ("MOVE" | "COPY") => {
            let moved: Vec<Mail> = folder
                .mails
                .iter()
                .filter(|mail| uids.contains(&mail.uid))
                .cloned()
                .collect();
            if verb == "MOVE" {
                folder.mails.retain(|mail| !uids.contains(&mail.uid));
            }
            let target = of(state, word(3)).ok_or("[TRYCREATE] no such folder")?;
            let mut pairs = (Vec::new(), Vec::new());
            for mail in moved {
                pairs.0.push(mail.uid.to_string());
                pairs.1.push(add(target, mail.raw, mail.flags).to_string());
            }
            let code = format!(
                "[COPYUID {} {} {}] ",
                target.validity,
                pairs.0.join(","),
                pairs.1.join(",")
            );
            Ok((Vec::new(), if lacks.uidplus { String::new() } else { code }))
        }
        _ => nothing(),
    }
}

fn fetched(number: usize, mail: &Mail, is_whole: bool) -> String {
    let flags = mail.flags.join(" ");
    let (section, text) = if is_whole {
        ("BODY[]", mail.raw.as_str())
    } else {
        let end = mail.raw.find("\r\n\r\n").map_or(mail.raw.len(), |at| at + 4);
        ("BODY[HEADER.FIELDS (FROM)]", mail.raw.get(..end).unwrap_or_default())
    };
    format!(
        "* {number} FETCH (UID {} FLAGS ({flags}) INTERNALDATE \"02-Mar-2026 10:00:{:02} +0100\" RFC822.SIZE {} {section} {{{}}}\r\n{text})",
        mail.uid,
        mail.uid % 60,
        mail.raw.len(),
        text.len()
    )
}

/// Whether a mail fits the keys of a search, of which it knows those that metnos uses.
fn fits(mail: &Mail, keys: &[String]) -> bool {
    let mut keys = keys.iter();
    while let Some(key) = keys.next() {
        if !fits_key(mail, key, &mut keys) {
            return false;
        }
    }
    true
}

/// One key, which takes the words behind it that are its own.
fn fits_key(mail: &Mail, key: &str, keys: &mut std::slice::Iter<'_, String>) -> bool {
    let raw = mail.raw.to_lowercase();
    if key == "OR" {
        let mut one = || keys.next().cloned().is_some_and(|key| fits_key(mail, &key, keys));
        let (first, second) = (one(), one());
        return first || second;
    }
    let mut next = || keys.next().map(|text| text.to_lowercase()).unwrap_or_default();
    match key {
        "CHARSET" | "SINCE" | "BEFORE" | "UID" => {
            next();
            true
        }
        "FROM" => header(&raw, "from").contains(&next()),
        "TO" => header(&raw, "to").contains(&next()),
        "SUBJECT" => header(&raw, "subject").contains(&next()),
        "TEXT" => raw.contains(&next()),
        "HEADER" => {
            next();
            header(&raw, "message-id").contains(&next())
        }
        "UNSEEN" => !mail.flags.contains(&"\\Seen".to_owned()),
        "SEEN" => mail.flags.contains(&"\\Seen".to_owned()),
        "FLAGGED" => mail.flags.contains(&"\\Flagged".to_owned()),
        "DELETED" => mail.flags.contains(&"\\Deleted".to_owned()),
        _ => true,
    }
}

fn header<'m>(raw: &'m str, name: &str) -> &'m str {
    let lines = raw.lines().take_while(|line| !line.is_empty());
    let mut found = lines.filter_map(|line| line.split_once(": "));
    found
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map_or("", |(_, value)| value)
}

fn of<'s>(state: &'s mut State, name: &str) -> Option<&'s mut Folder> {
    state.folders.iter_mut().find(|folder| folder.name == name)
}

fn add(folder: &mut Folder, raw: String, flags: Vec<String>) -> u32 {
    let uid = folder.next;
    folder.next += 1;
    folder.mails.push(Mail { uid, flags, raw });
    uid
}

/// `1:3,7`.
fn set(text: &str) -> Vec<u32> {
    let ranges = text.split(',').filter_map(|part| {
        let (first, last) = part.split_once(':').unwrap_or((part, part));
        Some(first.parse::<u32>().ok()?..=last.parse::<u32>().ok()?)
    });
    ranges.flatten().collect()
}

/// The words of a command; what is in quotes is one.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut in_quotes, mut is_escaped) = (Vec::new(), String::new(), false, false);
    for sign in command.chars() {
        match sign {
            _ if is_escaped => {
                word.push(sign);
                is_escaped = false;
            }
            '\\' if in_quotes && !command.contains("APPEND") => is_escaped = true,
            '"' => {
                in_quotes = !in_quotes;
                if !in_quotes {
                    words.push(std::mem::take(&mut word));
                }
            }
            ' ' if !in_quotes => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            _ => word.push(sign),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}
