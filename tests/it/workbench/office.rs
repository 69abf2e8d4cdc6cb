//! The office of WorkBench: its people, its calendar and its mails, laid out in the folders of the servers and read
//! back from there. A task begins with all of it as it was.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::ErrorKind,
    os::unix::fs::{MetadataExt as _, chown},
    path::{Path, PathBuf},
};

use jiff::{Timestamp, ToSpan as _, civil::DateTime, tz::TimeZone};
use metnos_dav::Object;
use serde::Deserialize;
use serde_json::Value;

use crate::support::bed;

/// Whose calendar and address book it is.
pub(super) const DAV_USER: &str = "dino";
/// Whose mailbox it is.
pub(super) const MAIL_USER: &str = "workbench";
/// Where the office is.
const ZONE: &str = "Europe/Rome";

/// A server of the test bed.
pub(super) struct Bed {
    pub(super) port: u16,
    pub(super) folder: PathBuf,
}

impl Bed {
    /// The one that this variable tells of.
    pub(super) fn of(variable: &str) -> Self {
        let (port, folder) = bed::told_of(variable);
        Self { port, folder }
    }
}

/// A row of the calendar.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Appointment {
    pub(super) event_id: String,
    pub(super) event_name: String,
    pub(super) participant_email: String,
    pub(super) event_start: String,
    pub(super) duration: String,
}

/// A row of the mails.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Letter {
    pub(super) email_id: String,
    #[serde(rename = "sender/recipient")]
    pub(super) sender: String,
    pub(super) subject: String,
    pub(super) sent_datetime: String,
    pub(super) body: String,
}

/// Everything there is before a task, and the tasks.
pub(super) struct Office {
    pub(super) appointments: Vec<Appointment>,
    pub(super) letters: Vec<Letter>,
    /// Addresses.
    pub(super) people: Vec<String>,
    pub(super) tasks: Vec<Value>,
}

/// What the servers hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// Name, begin, minutes and who is there, by their ids; what is new has none.
    events: BTreeMap<String, String>,
    new_events: BTreeSet<String>,
    /// Ids of what lies in the inbox.
    inbox: BTreeSet<String>,
    /// Kind, addressee, subject and text of each.
    sent: BTreeSet<String>,
}

fn rows<T: serde::de::DeserializeOwned>(path: &Path) -> Vec<T> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().collect::<Result<_, _>>().unwrap()
}

fn local(text: &str) -> DateTime {
    text.replace(' ', "T").parse().unwrap()
}

fn moment(text: &str) -> Timestamp {
    let zone = TimeZone::get(ZONE).unwrap();
    zone.to_timestamp(local(text)).unwrap()
}

/// What a person is called: the names in their address.
pub(super) fn name_of(address: &str) -> String {
    let capital = |word: &str| format!("{}{}", word[..1].to_uppercase(), &word[1..]);
    let local = address.split('@').next().unwrap();
    local.split('.').map(capital).collect::<Vec<_>>().join(" ")
}

/// White space collapsed, and the source's two characters for a new line read as one.
fn plain(text: &str) -> String {
    let text = text.replace("\\n", "\n");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn line(name: &str, start: &str, minutes: &str, with: &str) -> String {
    format!("{name} | {start} | {minutes} | {with}")
}

fn mail(kind: &str, to: &str, subject: &str, body: &str) -> String {
    format!("{kind} | {to} | {subject} | {}", plain(body))
}

impl Office {
    pub(super) fn read(folder: &Path) -> Self {
        let tasks = ["workbench_calendar.jsonl", "workbench_email.jsonl"];
        let lines = tasks.iter().flat_map(|name| {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect::<Vec<Value>>()
        });
        let people: Vec<BTreeMap<String, String>> = rows(&folder.join("workbench_people.csv"));
        Self {
            appointments: rows(&folder.join("workbench_calendar_events.csv")),
            letters: rows(&folder.join("workbench_emails.csv")),
            people: people.into_iter().flat_map(BTreeMap::into_values).collect(),
            tasks: lines.collect(),
        }
    }

    /// Puts everything where the servers keep it, and takes away what an earlier task left.
    pub(super) fn lay_out(&self) {
        self.lay_out_agenda();
        self.lay_out_mails();
    }

    fn lay_out_agenda(&self) {
        let root = collections();
        let calendar = "{\"tag\": \"VCALENDAR\"}";
        let book = "{\"tag\": \"VADDRESSBOOK\"}";
        for (name, props) in [("home", calendar), ("people", book)] {
            fs::create_dir_all(root.join(name)).unwrap();
            put(&root.join(name).join(".Radicale.props"), props);
        }
        // The server takes a quarter of a minute to read all of them anew: what is as it was is left alone.
        let known: BTreeSet<String> = self
            .appointments
            .iter()
            .map(|one| format!("{}.ics", one.event_id))
            .collect();
        for path in files(&root.join("home"), "ics") {
            if !known.contains(path.file_name().unwrap().to_str().unwrap()) {
                fs::remove_file(path).unwrap();
            }
        }
        for one in &self.appointments {
            let start = local(&one.event_start).strftime("%Y%m%dT%H%M%S");
            let text = format!(
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//workbench//EN\r\nBEGIN:VEVENT\r\nUID:{id}\r\n\
                 DTSTAMP:20230101T000000Z\r\nDTSTART;TZID={ZONE}:{start}\r\nDURATION:PT{minutes}M\r\nSUMMARY:{name}\r\n\
                 ATTENDEE;CN={who}:mailto:{address}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
                id = one.event_id,
                minutes = one.duration,
                name = one.event_name.replace(',', "\\,"),
                who = name_of(&one.participant_email),
                address = one.participant_email,
            );
            put(&root.join("home").join(format!("{}.ics", one.event_id)), &text);
        }
        for address in &self.people {
            let name = name_of(address);
            let (given, family) = name.split_once(' ').unwrap();
            let text = format!(
                "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{address}\r\nFN:{name}\r\nN:{family};{given};;;\r\nEMAIL:{address}\r\n\
                 END:VCARD\r\n"
            );
            put(&root.join("people").join(format!("{address}.vcf")), &text);
        }
    }

    /// The same people's mails over and over, each round a month earlier, in a box of its own.
    pub(super) fn repeated(&self, rounds: u32) -> Self {
        let round = |round: u32| {
            self.letters.iter().map(move |letter| {
                let at = local(&letter.sent_datetime).saturating_sub(i64::from(round).months());
                Letter {
                    email_id: format!("{round}-{}", letter.email_id),
                    sent_datetime: at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
                    ..letter.clone()
                }
            })
        };
        Self {
            appointments: Vec::new(),
            letters: (0..rounds).flat_map(round).collect(),
            people: self.people.clone(),
            tasks: Vec::new(),
        }
    }

    fn lay_out_mails(&self) {
        let root = mailbox();
        emptied(&root);
        let owner = fs::metadata(root.parent().unwrap()).unwrap();
        let own = |path: &Path| chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
        for folder in ["", "cur", "new", "tmp"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            own(&root.join(folder));
        }
        for letter in &self.letters {
            let at = moment(&letter.sent_datetime);
            let date = jiff::fmt::rfc2822::to_string(&at.to_zoned(TimeZone::get(ZONE).unwrap())).unwrap();
            let text = format!(
                "Message-ID: <{id}@workbench>\r\nDate: {date}\r\nFrom: {name} <{from}>\r\nTo: sam@bed.local\r\n\
                 Subject: {subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n",
                id = letter.email_id,
                name = name_of(&letter.sender),
                from = letter.sender,
                subject = letter.subject,
                body = letter.body,
            );
            let path = root
                .join("new")
                .join(format!("{}.{}.workbench", at.as_second(), letter.email_id));
            fs::write(&path, text).unwrap();
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(at.into()).unwrap();
            own(&path);
        }
    }

    pub(super) fn state(&self) -> State {
        let mut state = State {
            events: BTreeMap::new(),
            new_events: BTreeSet::new(),
            inbox: BTreeSet::new(),
            sent: BTreeSet::new(),
        };
        let known: BTreeSet<&str> = self.appointments.iter().map(|one| one.event_id.as_str()).collect();
        for path in files(&collections().join("home"), "ics") {
            let object = Object::parse(&fs::read_to_string(path).unwrap()).unwrap();
            for (uid, told) in told(&object) {
                if known.contains(uid.as_str()) {
                    state.events.insert(uid, told);
                } else {
                    state.new_events.insert(told);
                }
            }
        }
        for text in mails(&mailbox()) {
            let id = header(&text, "Message-ID");
            state
                .inbox
                .insert(id.trim_start_matches('<').split('@').next().unwrap().to_owned());
        }
        for text in mails(&mailbox().join(".Sent")) {
            state.sent.extend(self.as_sent(&text));
        }
        state
    }

    /// A mail that went out, once for everybody it went to.
    fn as_sent(&self, bytes: &str) -> Vec<String> {
        let letter = metnos::mail::read_letter(bytes.as_bytes()).unwrap();
        let original = |subject: &str| {
            let subject = subject.strip_prefix("Fwd: ").or_else(|| subject.strip_prefix("FW: "));
            subject.map(str::to_owned)
        };
        let forwarded = original(&letter.subject).and_then(|subject| {
            let carries = |one: &&Letter| one.subject == subject && plain(&letter.text).contains(&plain(&one.body));
            self.letters.iter().find(carries)
        });
        let to = letter.to.iter().map(|person| person.address.to_lowercase());
        let one = |to: String| match forwarded {
            Some(of) => mail("forward", &to, &format!("FW: {}", of.subject), &of.body),
            None => mail("new", &to, &letter.subject, &letter.text),
        };
        to.map(one).collect()
    }
}

/// Every event of a calendar: its id, and what it is.
fn told(object: &Object) -> Vec<(String, String)> {
    let zone = TimeZone::get(ZONE).unwrap();
    let window = metnos_dav::Window {
        start: "2023-01-01T00:00:00Z".parse().unwrap(),
        end: "2025-01-01T00:00:00Z".parse().unwrap(),
    };
    let expanded = metnos_dav::occurrences(object, &zone, window);
    let one = |one: &metnos_dav::Occurrence<'_>| {
        let (start, end) = (one.start.instant(&zone), one.end.instant(&zone));
        let minutes = end.duration_since(start).as_mins();
        let begin = start.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string();
        let with: Vec<&str> = one.event.attendees.iter().map(|who| who.address.as_str()).collect();
        let told = line(&one.event.summary, &begin, &minutes.to_string(), &with.join(", "));
        (one.event.uid.clone(), told)
    };
    expanded.found.iter().map(one).collect()
}

impl State {
    /// What it is after a task was done right.
    pub(super) fn with(&self, end: &Value) -> Self {
        let mut state = self.clone();
        let texts = |name: &str| -> Vec<String> {
            let all = end[name].as_array().into_iter().flatten();
            all.map(|id| id.as_str().unwrap().to_owned()).collect()
        };
        for id in texts("events_deleted") {
            state.events.remove(&id).unwrap();
        }
        for id in texts("emails_deleted") {
            assert!(state.inbox.remove(&id), "{id}");
        }
        for (id, fields) in end["events_changed"].as_object().into_iter().flatten() {
            let old = state.events[id].clone();
            let mut parts: Vec<&str> = old.split(" | ").collect();
            for (field, value) in fields.as_object().unwrap() {
                let at = ["event_name", "event_start", "duration", "participant_email"];
                let at = at.iter().position(|name| name == field).unwrap();
                parts[at] = value.as_str().unwrap();
            }
            state.events.insert(id.clone(), parts.join(" | "));
        }
        for new in end["events_created"].as_array().into_iter().flatten() {
            let field = |name: &str| match &new[name] {
                Value::String(text) => text.clone(),
                other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                    other.to_string()
                }
            };
            let told = line(
                &field("event_name"),
                &field("event_start"),
                &field("duration"),
                &field("participant_email"),
            );
            state.new_events.insert(told);
        }
        for sent in end["emails_sent"].as_array().into_iter().flatten() {
            let field = |name: &str| sent[name].as_str().unwrap_or_default();
            let kind = if field("kind") == "forward" { "forward" } else { "new" };
            state
                .sent
                .insert(mail(kind, field("to"), field("subject"), field("body")));
        }
        state
    }

    /// All of it as lines, to be compared.
    pub(super) fn lines(&self) -> BTreeSet<String> {
        let events = self.events.iter().map(|(id, told)| format!("event {id}: {told}"));
        let new = self.new_events.iter().map(|told| format!("new event: {told}"));
        let inbox = self.inbox.iter().map(|id| format!("inbox: {id}"));
        let sent = self.sent.iter().map(|told| format!("sent: {told}"));
        events.chain(new).chain(inbox).chain(sent).collect()
    }
}

fn collections() -> PathBuf {
    let bed = Bed::of("METNOS_LIVE_DAV_URL");
    bed.folder.join("collections/collection-root").join(DAV_USER)
}

fn mailbox() -> PathBuf {
    Bed::of("METNOS_LIVE_MAIL").folder.join("box").join(MAIL_USER)
}

fn put(path: &Path, text: &str) {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text).unwrap();
    }
}

fn emptied(folder: &Path) {
    if let Err(error) = fs::remove_dir_all(folder) {
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    }
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .filter(|path| ending.is_empty() || path.extension().is_some_and(|own| own == ending))
        .collect()
}

fn mails(folder: &Path) -> Vec<String> {
    let both = ["new", "cur"].into_iter().flat_map(|sub| files(&folder.join(sub), ""));
    both.map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned())
        .collect()
}

fn header(text: &str, name: &str) -> String {
    let found = text.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    found.unwrap_or_default().trim().to_owned()
}
