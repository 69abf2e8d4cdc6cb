//! Events that came in a mail: what an invitation says, and its way into the calendar when a person asks for that.
//! Nobody is answered: where a server schedules by itself it does that alone. What stands in the mail is data.

use metnos_dav::Object;

use super::{Desk, Found, failed, said, wrong};
use crate::{
    agenda::{Holds, Leaf},
    domain::{
        failure::{ErrorClass, ToolError},
        message::Message,
        run::ToolResult,
    },
    engine::hosted::messages::letters,
    executors::progress::Ledger,
    mail::{Attachment, Letter, file_of},
};

/// What calls itself an invitation.
const KIND: &str = "text/calendar";
/// The method of one that takes an event back.
const CANCEL: &str = "CANCEL";

/// The first calendar in a mail.
fn calendar_in(letter: &Letter, bytes: &[u8]) -> Option<Object> {
    let is_calendar = |file: &&Attachment| file.kind.starts_with(KIND) || file.name.to_lowercase().ends_with(".ics");
    letter.attachments.iter().filter(is_calendar).find_map(|file| {
        let text = String::from_utf8_lossy(&file_of(bytes, file.place)?).into_owned();
        Object::parse(&text)
            .ok()
            .filter(|object| object.events().next().is_some())
    })
}

/// What a mail invites to, as it is told beside its text.
pub(in crate::engine::hosted) fn told(letter: &Letter, bytes: &[u8], now: &jiff::Zoned) -> Option<Message> {
    let object = calendar_in(letter, bytes)?;
    let is_cancelled = object.method().as_deref() == Some(CANCEL);
    let leaf = Leaf {
        name: String::new(),
        text: object.to_text(),
        version: String::new(),
        whose: None,
    };
    let first = super::change::first_of(&leaf, now).ok()?;
    Some(
        Message::new("mail-invitation")
            .with("summary", first.summary.as_str())
            .with("when", said::when(&first, now))
            .with("how", if is_cancelled { "cancelled" } else { "invited" }),
    )
}

impl Desk<'_> {
    /// The event of an invitation, put in; over an earlier one of the same name where it says anew when it is.
    pub(super) async fn take_invitation(&self) -> Result<ToolResult, ToolError> {
        let (letter, bytes) = letters::first(self.host, self.call, "invitation").await?;
        let none = || ToolError::new(ErrorClass::NotFound, Message::new("events-no-invitation"));
        let object = calendar_in(&letter, &bytes).ok_or_else(none)?;
        if object.method().as_deref() == Some(CANCEL) {
            return Err(ToolError::new(
                ErrorClass::Refused,
                Message::new("events-invitation-cancelled"),
            ));
        }
        let uid = object.events().next().map(|event| event.uid.clone()).ok_or_else(none)?;
        let text = object.without_method().to_text();
        let summary = |found: &Found| found.summary.clone();
        let pages = self.pages().await?;
        let known = pages
            .all()
            .find(|page| page.object.has(&uid))
            .map(|page| page.leaf.clone());
        let mut ledger = Ledger::in_process(&self.call.context);
        let name = match &known {
            Some(leaf) => leaf.name.clone(),
            None => {
                let name = format!("{}.ics", uuid::Uuid::now_v7());
                let within = self.call.optional_text("calendar")?;
                let place = self.agenda.place_for(&self.owner, Holds::Events, &name, within);
                place.await.map_err(failed)?
            }
        };
        let leaf = Leaf {
            name: name.clone(),
            text: text.clone(),
            version: String::new(),
            whose: None,
        };
        let label = super::change::first_of(&leaf, self.now())
            .as_ref()
            .map(summary)
            .map_err(|_unreadable| wrong("events-no-invitation"))?;
        let leaf = self.put(&mut ledger, &name, &text, known.as_ref(), &label).await?;
        let found = super::change::first_of(&leaf, self.now())?;
        let what = if known.is_some() { "changed" } else { "created" };
        Ok(self.done(what, &found, 1, ledger))
    }
}
