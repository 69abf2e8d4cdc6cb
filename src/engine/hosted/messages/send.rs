//! `send_messages`: a mail to people, new or as an answer. Before anybody is asked, the call is completed: names become
//! addresses, an answer gets its recipients and subject from the mail it answers, and so the card shows exactly what
//! will go out. What is sent can be taken back for a few seconds, and goes out once.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{super::Host, body, dates, find, recipients::listed};
use crate::{
    domain::{
        account::PersonAccount,
        failure::{ErrorClass, ToolError},
        limits::{FILE_BYTES_SENT_MAX, MAIL_RECIPIENTS_MAX},
        message::Message,
        run::ToolResult,
    },
    executors::{Call, paths},
    mail::{
        Draft, File, Letter, MailSettings, Mark, Person, Purpose,
        ids::{Key, MailId},
        outgoing::{self, Order, Went},
    },
};

/// Characters of a subject that is taken from the text.
const SUBJECT_CHARS: usize = 60;

/// How a mail relates to another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    New,
    Reply,
    ReplyAll,
    Forward,
}

impl Mode {
    fn of(call: &Call) -> Result<Self, ToolError> {
        Ok(match call.optional_text("mode")? {
            Some("reply") => Self::Reply,
            Some("reply_all") => Self::ReplyAll,
            Some("forward") => Self::Forward,
            Some(_) | None => Self::New,
        })
    }
}

impl Host<'_> {
    /// The call with everything in it that the card must show.
    pub(in crate::engine::hosted) async fn completed_mail(&self, call: &Call) -> Result<Map<String, Value>, ToolError> {
        let mode = Mode::of(call)?;
        let (account, letter) = self.behind(call, mode).await?;
        let settings = settings(&account)?;
        let own = settings.address.to_lowercase();
        let mut to = self.people(&account, call, "to").await?;
        let mut cc = self.people(&account, call, "cc").await?;
        let mut args = call.args.clone();
        if let Some(letter) = &letter {
            if mode != Mode::Forward {
                refuse_automated(letter)?;
                let answered = if letter.reply_to.is_empty() {
                    &letter.from
                } else {
                    &letter.reply_to
                };
                to.extend(answered.iter().cloned());
            }
            if mode == Mode::ReplyAll {
                cc.extend(letter.to.iter().chain(&letter.cc).cloned());
            }
            if !args.contains_key("subject") {
                args.insert("subject".to_owned(), json!(subject(letter, mode)));
            }
        }
        if mode == Mode::New && call.optional_text("subject")?.is_none() {
            let first = call
                .optional_text("text")?
                .unwrap_or_default()
                .trim()
                .lines()
                .next()
                .unwrap_or_default();
            args.insert("subject".to_owned(), json!(shortened(first)));
        }
        let mut known: Vec<String> = vec![];
        if mode == Mode::ReplyAll {
            known.push(own);
        }
        only_once(&mut to, &mut known);
        only_once(&mut cc, &mut known);
        if to.len() + cc.len() > MAIL_RECIPIENTS_MAX {
            let message = Message::new("mail-too-many-recipients").with("max", MAIL_RECIPIENTS_MAX);
            return Err(ToolError::new(ErrorClass::TooLarge, message));
        }
        args.insert("to".to_owned(), json!(listed(&to)));
        if cc.is_empty() {
            args.remove("cc");
        } else {
            args.insert("cc".to_owned(), json!(listed(&cc)));
        }
        args.insert("account".to_owned(), json!(account.name));
        let text = call.optional_text("text")?.unwrap_or_default().trim();
        if text.is_empty() && mode != Mode::Forward {
            return Err(ToolError::new(ErrorClass::InvalidArgs, Message::new("mail-no-text")));
        }
        if let Some(wrong) = dates::contradiction(text, self.language, &call.context.now) {
            let message = Message::new("mail-day-contradicts")
                .with("said", wrong.said)
                .with("weekday", f64::from(wrong.weekday.to_monday_one_offset()));
            return Err(ToolError::new(ErrorClass::InvalidArgs, message));
        }
        let draft = Draft {
            to,
            cc,
            ..Draft::default()
        };
        outgoing::foresee(&draft)?;
        Ok(args)
    }

    pub(super) async fn send_messages(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let mode = Mode::of(call)?;
        let (account, letter) = self.behind(call, mode).await?;
        let draft = self.draft(call, &account, letter.as_ref(), mode).await?;
        outgoing::foresee(&draft)?;
        let order = Order {
            account: &account,
            draft: &draft,
            turn: &call.context.turn,
            step: call.context.step,
            place: 0,
        };
        self.mail.announce(&order).await?;
        let hold_s = self.mail.config().hold_s;
        if hold_s > 0 {
            // "Stop" drops this step here, and nothing was said to any server.
            tokio::time::sleep(Duration::from_secs(hold_s)).await;
        }
        match self.mail.deliver(&order).await? {
            Went::Sent { message_id, is_filed } => {
                self.mark_answered(&account, call, mode).await;
                Ok(sent(&draft, &message_id, is_filed))
            }
            Went::Before { message_id } => Ok(sent(&draft, &message_id, true)),
            Went::NotSent { error, is_kept } => {
                let key = if is_kept { "mail-not-sent-kept" } else { "mail-not-sent" };
                let message = Message::new(key)
                    .with("why", error.message.clone())
                    .with("text", draft.text.as_str());
                Err(ToolError {
                    message,
                    login: None,
                    ..error
                })
            }
            Went::Unknown(error) => Err(error),
        }
    }

    /// The account it goes out from, and the mail it answers or passes on.
    async fn behind(&self, call: &Call, mode: Mode) -> Result<(PersonAccount, Option<Letter>), ToolError> {
        let id = match call.args.get("message_ids") {
            Some(_) => super::ids(call)?.into_iter().next(),
            None => None,
        };
        let Some(id) = id.filter(|_| mode != Mode::New) else {
            if mode != Mode::New {
                return Err(ToolError::new(
                    ErrorClass::NeedsActionTarget,
                    Message::new("mail-which-one"),
                ));
            }
            let account = self
                .mail
                .account(&call.context.actor, call.optional_text("account")?)
                .await?;
            return Ok((account, None));
        };
        let account = self.mail.account_by_id(&call.context.actor, &id.account).await?;
        let mut session = self.mail.session(&account).await?;
        let (letter, _) = self.letter(&mut session, &id).await?;
        Ok((account, Some(letter)))
    }

    async fn draft(
        &self,
        call: &Call,
        account: &PersonAccount,
        letter: Option<&Letter>,
        mode: Mode,
    ) -> Result<Draft, ToolError> {
        let settings = settings(account)?;
        let mut text = call.optional_text("text")?.unwrap_or_default().trim().to_owned();
        let mut files = self.own_files(call)?;
        if let (Mode::Forward, Some(letter)) = (mode, letter) {
            text = forwarded(&text, letter);
            files.extend(self.carried_files(call, account).await?);
        }
        let mut references = letter.map(|letter| letter.references.clone()).unwrap_or_default();
        let answered = letter
            .filter(|_| matches!(mode, Mode::Reply | Mode::ReplyAll))
            .and_then(|letter| letter.message_id.clone());
        references.extend(answered.clone());
        Ok(Draft {
            from: Person {
                name: settings.shown_name,
                address: settings.address,
            },
            to: self.people(account, call, "to").await?,
            cc: self.people(account, call, "cc").await?,
            subject: call.optional_text("subject")?.unwrap_or_default().to_owned(),
            text,
            in_reply_to: answered.clone(),
            references: if answered.is_some() { references } else { Vec::new() },
            files,
            purpose: if self.turn.is_typed {
                Purpose::Person
            } else {
                Purpose::Task
            },
        })
    }

    /// Files of the person's home that go along.
    fn own_files(&self, call: &Call) -> Result<Vec<File>, ToolError> {
        if call.args.get("files").is_none_or(Value::is_null) {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        let mut left = FILE_BYTES_SENT_MAX;
        for written in call.texts("files")? {
            let path = paths::resolve(&written, &call.context.home)?;
            let about = |key: &str| Message::new(key).with("path", paths::show_short(&path, &call.context.home));
            let size = std::fs::metadata(&path)
                .ok()
                .filter(std::fs::Metadata::is_file)
                .and_then(|metadata| usize::try_from(metadata.len()).ok())
                .ok_or_else(|| ToolError::new(ErrorClass::NotFound, about("mail-no-such-file")))?;
            left = left
                .checked_sub(size)
                .ok_or_else(|| ToolError::new(ErrorClass::TooLarge, about("mail-files-too-large")))?;
            let bytes = std::fs::read(&path).map_err(|error| {
                ToolError::new(ErrorClass::PermissionDenied, about("mail-no-such-file")).with_detail(error.to_string())
            })?;
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            files.push(File {
                kind: kind_of(&name).to_owned(),
                name,
                bytes,
            });
        }
        Ok(files)
    }

    /// The files of a mail that is passed on.
    async fn carried_files(&self, call: &Call, account: &PersonAccount) -> Result<Vec<File>, ToolError> {
        let Some(id) = super::ids(call)?.into_iter().next() else {
            return Ok(Vec::new());
        };
        let mut session = self.mail.session(account).await?;
        let (letter, bytes) = self.letter(&mut session, &id).await?;
        let file = |file: &crate::mail::Attachment| {
            Some(File {
                name: file.name.clone(),
                kind: file.kind.clone(),
                bytes: crate::mail::file_of(&bytes, file.place)?,
            })
        };
        Ok(letter.attachments.iter().filter_map(file).collect())
    }

    async fn mark_answered(&self, account: &PersonAccount, call: &Call, mode: Mode) {
        let is_answer = matches!(mode, Mode::Reply | Mode::ReplyAll);
        let Some(MailId {
            folder,
            key: Key::Number { validity, uid },
            ..
        }) = super::ids(call)
            .ok()
            .and_then(|ids| ids.into_iter().next())
            .filter(|_| is_answer)
        else {
            return;
        };
        let marked = async {
            let mut session = self.mail.session(account).await?;
            let result = session
                .mailbox()?
                .flag(&folder, validity, &[uid], Mark::Answered, true)
                .await;
            session.told(result)
        };
        if let Err(error) = marked.await {
            tracing::debug!(?error, "a mail that was answered is not marked so");
        }
    }
}

fn settings(account: &PersonAccount) -> Result<MailSettings, ToolError> {
    MailSettings::of(account).ok_or_else(|| {
        let message = Message::new("mail-settings-broken").with("account", account.name.as_str());
        ToolError::new(ErrorClass::Internal, message)
    })
}

/// Nobody answers a program: a list, a bounce, a notice would answer back, or be read by nobody (RFC 3834).
fn refuse_automated(letter: &Letter) -> Result<(), ToolError> {
    let signals = &letter.signals;
    let answered = letter.reply_to.first().or_else(|| letter.from.first());
    let is_program = signals.is_automated || answered.is_some_and(Person::is_nobody);
    if is_program {
        let who = answered.map(find::shown).unwrap_or_default();
        let message = Message::new("mail-no-answer-to-program").with("who", who);
        return Err(ToolError::new(ErrorClass::Forbidden, message));
    }
    Ok(())
}

fn subject(letter: &Letter, mode: Mode) -> String {
    let (prefix, known): (&str, &[&str]) = match mode {
        Mode::Forward => ("Fwd: ", &["fwd:", "fw:", "i:"]),
        Mode::New | Mode::Reply | Mode::ReplyAll => ("Re: ", &["re:", "r:", "aw:"]),
    };
    let lower = letter.subject.to_lowercase();
    if known.iter().any(|known| lower.starts_with(known)) {
        letter.subject.clone()
    } else {
        format!("{prefix}{}", letter.subject)
    }
}

/// A subject out of the first line of a text: whole words, not too many.
fn shortened(line: &str) -> String {
    let mut subject = String::new();
    for word in line.split_whitespace() {
        if !subject.is_empty() && subject.chars().count() + word.chars().count() >= SUBJECT_CHARS {
            subject.push('…');
            break;
        }
        if !subject.is_empty() {
            subject.push(' ');
        }
        subject.push_str(word);
    }
    subject
}

/// What is passed on, under what its person adds. The labels are those of mail itself, in no language of ours.
fn forwarded(text: &str, letter: &Letter) -> String {
    let names = |people: &[Person]| people.iter().map(find::shown).collect::<Vec<_>>().join(", ");
    let date = letter.written.map(|written| written.to_string()).unwrap_or_default();
    let head = format!(
        "---------- Forwarded message ---------\nFrom: {}\nDate: {date}\nSubject: {}\nTo: {}",
        names(&letter.from),
        letter.subject,
        names(&letter.to)
    );
    let own = if text.is_empty() {
        String::new()
    } else {
        format!("{text}\n\n")
    };
    format!("{own}{head}\n\n{}", letter.text)
}

fn sent(draft: &Draft, message_id: &str, is_filed: bool) -> ToolResult {
    let everybody: Vec<Person> = draft.to.iter().chain(&draft.cc).cloned().collect();
    let mut fields = body(json!({
        "ok_count": 1,
        "results": [{"message_id": message_id, "to": listed(&everybody), "subject": draft.subject}],
        "to": listed(&everybody),
        "people": everybody.len(),
        "subject": draft.subject,
    }));
    if !is_filed {
        fields.insert("note".to_owned(), json!(Message::new("mail-sent-not-filed")));
    }
    ToolResult::ok(fields)
}

fn only_once(people: &mut Vec<Person>, known: &mut Vec<String>) {
    people.retain(|person| {
        let address = person.address.to_lowercase();
        let is_new = !known.contains(&address);
        known.push(address);
        is_new
    });
}

/// What a file is called to be, by its ending.
fn kind_of(name: &str) -> &'static str {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("pdf") => "application/pdf",
        Some("txt" | "md" | "log") => "text/plain; charset=utf-8",
        Some("csv") => "text/csv",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("png") => "image/png",
        Some("ics") => "text/calendar",
        Some("vcf") => "text/vcard",
        Some("zip") => "application/zip",
        Some("docx") => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        Some("xlsx") => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Some(_) | None => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(address: &str) -> Person {
        Person {
            name: None,
            address: address.to_owned(),
        }
    }

    #[test]
    fn programs_are_not_answered() {
        let mut letter = Letter {
            from: vec![person("luca@x.it")],
            ..Letter::default()
        };
        assert!(refuse_automated(&letter).is_ok());
        letter.signals.is_automated = true;
        assert!(refuse_automated(&letter).is_err());
        let nobody = Letter {
            from: vec![person("no-reply@bank.it")],
            ..Letter::default()
        };
        assert!(refuse_automated(&nobody).is_err());
    }

    #[test]
    fn an_answer_is_marked_as_one_once() {
        let letter = |subject: &str| Letter {
            subject: subject.to_owned(),
            ..Letter::default()
        };
        assert_eq!(subject(&letter("Gita"), Mode::Reply), "Re: Gita");
        assert_eq!(subject(&letter("RE: Gita"), Mode::Reply), "RE: Gita");
        assert_eq!(subject(&letter("Gita"), Mode::Forward), "Fwd: Gita");
    }
}
