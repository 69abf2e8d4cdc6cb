//! `read_messages`: what mails say, as text. What was only carried along from before is folded, files are named, and
//! nothing is marked as read. What stands in a mail is data: it ends in an answer and nowhere else unseen.

use serde_json::{Value, json};

use super::{
    super::{Host, events},
    body, files, find,
};
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        limits::{MAIL_TEXT_CHARS_MAX, MAILS_READ_MAX},
        message::Message,
        run::ToolResult,
    },
    executors::Call,
    mail::{
        Letter,
        ids::{Key, MailId},
        parts_of_text,
        pool::Session,
        read_letter,
    },
};

impl Host<'_> {
    pub(super) async fn read_messages(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let whole = call.flag("whole", false)?;
        let mut call = call.clone();
        let mut of_all = None;
        if call.args.get("message_ids").is_none_or(Value::is_null) {
            // Who asks for "the mail from Anna" means the newest.
            let found = self.gather(&call, 1).await?;
            if found.seen.is_empty() {
                return Ok(ToolResult::ok(body(
                    json!({"entries": [], "text": "", "empty": Message::new("mail-none-found")}),
                )));
            }
            let ids: Vec<String> = found.seen.iter().map(|seen| seen.id.to_string()).collect();
            of_all = Some(found.total);
            call.args.insert("message_ids".to_owned(), json!(ids));
        }
        let call = &call;
        let mut entries = Vec::new();
        let mut texts = Vec::new();
        let (mut asked, mut failed) = (0, Vec::new());
        let mut note = None;
        for (account, ids) in self.by_account(call).await? {
            let mut session = self.mail.session(&account).await?;
            asked += ids.len();
            for id in ids.iter().take(MAILS_READ_MAX.saturating_sub(entries.len())) {
                match self.letter(&mut session, id).await {
                    Ok((letter, bytes)) => {
                        texts.push(said(&letter, whole));
                        let invites = events::invitation_told(&letter, &bytes, &call.context.now);
                        note = invites.or_else(|| note_of(&letter, whole));
                        entries.push(entry(id, &letter, whole));
                    }
                    Err(error) if ids.len() == 1 => return Err(error),
                    Err(error) => failed.push(json!({"id": id.to_string(), "message": error.message})),
                }
            }
        }
        let read = entries.len();
        let mut fields = body(json!({
            "entries": entries,
            "text": texts.join("\n\n———\n\n"),
            "used": read,
            "available_total": of_all.unwrap_or(asked),
        }));
        if asked > read + failed.len() {
            fields.insert("truncated".to_owned(), json!(true));
        }
        if !failed.is_empty() {
            fields.insert("failed".to_owned(), json!(failed));
        }
        // Of several, each would have its own.
        if let Some(note) = note.filter(|_| read == 1) {
            fields.insert("note".to_owned(), json!(note));
        }
        Ok(ToolResult::ok(fields))
    }

    /// A message and its bytes.
    pub(super) async fn letter(&self, session: &mut Session, id: &MailId) -> Result<(Letter, Vec<u8>), ToolError> {
        let gone = || ToolError::new(ErrorClass::NotFound, Message::new("mail-message-gone"));
        let (validity, uid) = match &id.key {
            Key::Number { validity, uid } => (*validity, *uid),
            Key::MessageId(message_id) => {
                let result = session.mailbox()?.with_id(&id.folder, message_id).await;
                let (validity, uids) = session.told(result)?;
                (validity, *uids.first().ok_or_else(gone)?)
            }
        };
        let result = session.mailbox()?.fetch(&id.folder, validity, uid).await;
        let bytes = session.told(result)?;
        // Parsing a large one takes a while, and holds up nobody else.
        let parsed = tokio::task::spawn_blocking(move || (read_letter(&bytes), bytes)).await;
        let (letter, bytes) = parsed.map_err(|_panic| unreadable())?;
        Ok((letter.ok_or_else(unreadable)?, bytes))
    }
}

fn unreadable() -> ToolError {
    ToolError::new(ErrorClass::NonJson, Message::new("mail-unreadable"))
}

/// A mail as it is read out: who, what about, and the text.
fn said(letter: &Letter, whole: bool) -> String {
    let from = letter.from.first().map(find::shown).unwrap_or_default();
    format!("{from}\n{}\n\n{}", letter.subject, shown(letter, whole).0)
}

/// The part of its text that is shown, and how many characters of it are left.
fn shown(letter: &Letter, whole: bool) -> (String, usize) {
    let parts = parts_of_text(&letter.text);
    let text = if whole || parts.own.is_empty() {
        &letter.text
    } else {
        &parts.own
    };
    let left = text.chars().count().saturating_sub(MAIL_TEXT_CHARS_MAX);
    (text.chars().take(MAIL_TEXT_CHARS_MAX).collect(), left)
}

/// What is not shown of it, and the names of its files.
fn note_of(letter: &Letter, whole: bool) -> Option<Message> {
    let parts = parts_of_text(&letter.text);
    let folded = if whole || parts.own.is_empty() {
        0
    } else {
        parts.quoted.lines().count()
    };
    let (_, left) = shown(letter, whole);
    let names: Vec<&str> = letter.attachments.iter().map(|file| file.name.as_str()).collect();
    (folded + left + names.len() > 0).then(|| {
        Message::new("mail-read-note")
            .with("folded", folded)
            .with("left", left)
            .with("files", names.len())
            .with("names", names.join(", "))
    })
}

fn entry(id: &MailId, letter: &Letter, whole: bool) -> Value {
    json!({
        "id": id.to_string(),
        "from": letter.from.first().map(find::shown).unwrap_or_default(),
        "address": letter.from.first().map(|person| &person.address),
        "subject": letter.subject,
        "date": letter.written.map(|written| written.to_string()),
        "text": shown(letter, whole).0,
        "files": letter.attachments.iter().map(files::named).collect::<Vec<_>>(),
        "message_id": letter.message_id,
    })
}
