//! Mail: what is in the mailboxes of a person, and what is done with it. These executors run inside metnos, since no
//! child process may see a password; `mail` holds the connections. They decide nothing: what may run was decided
//! before.

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::Host;
use crate::{
    domain::{
        failure::{ErrorClass, ToolError},
        ids::ExecutorName,
        message::Message,
        run::ToolResult,
    },
    engine::{
        families::{Completing, Day, Family, Knowing, Naming, Recalling, Running, Scene, Telling},
        things::{Resolver, mailboxes::Mailboxes},
    },
    executors::Call,
    mail::ids::MailId,
};

mod change;
mod classify;
mod dates;
mod files;
mod find;
mod leave;
/// Whole mails, for who needs one.
pub(super) mod letters;
mod read;
mod recipients;
mod send;

/// One whose calls are completed before anybody is asked.
const SEND: &str = "send_messages";
/// The other one: it leaves lists.
const LEAVE: &str = "send_messages_unsubscribe";
/// The executors of this folder.
const NAMES: &[&str] = &[
    "find_messages",
    "read_messages",
    "move_messages",
    "set_messages",
    "delete_messages",
    "extract_messages",
    SEND,
    LEAVE,
    "classify_entries",
];

/// Most messages one step changes.
const CHANGED_MAX: usize = 500;

/// Mail, and the folders of mailboxes.
#[derive(Clone, Copy, Debug)]
pub struct Mails;

impl Family for Mails {
    fn executors(&self) -> &'static [&'static str] {
        NAMES
    }

    fn run<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Running<'a> {
        Box::pin(host.messages(name.as_str(), call))
    }

    /// Of mails that were shown before, their subjects; of lists, where each is left.
    fn names<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Naming<'a> {
        if name.as_str() == LEAVE {
            return Box::pin(std::future::ready(leave::shown(call)));
        }
        let ids = call.args.get("message_ids").and_then(Value::as_array);
        let ids = ids.into_iter().flatten().filter_map(Value::as_str);
        let dialogue = host.turn.before.as_ref().map(|before| &before.dialogue);
        let label = |id: &str| {
            let lists = dialogue
                .into_iter()
                .flat_map(|dialogue| [&dialogue.touched, &dialogue.listed]);
            lists.into_iter().find_map(|listed| {
                let at = listed.ids.iter().position(|own| own == id)?;
                listed.label(at).map(str::to_owned)
            })
        };
        let names: Option<Vec<String>> = ids.map(label).collect();
        Box::pin(std::future::ready(names.unwrap_or_default()))
    }

    fn completes<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Completing<'a> {
        Box::pin(async move {
            match name.as_str() {
                SEND => host.completed_mail(call).await.map(Some),
                LEAVE => host.completed_leave(call).await.map(Some),
                _ => Ok(None),
            }
        })
    }

    fn stopped<'a>(&'a self, host: &'a Host<'a>, name: &'a ExecutorName, call: &'a Call) -> Recalling<'a> {
        Box::pin(async move {
            if name.as_str() != SEND {
                return None;
            }
            let held = host.store.mail_is_held(&call.context.turn, call.context.step).await;
            let error = ToolError::new(ErrorClass::Refused, Message::new("mail-taken-back"));
            held.unwrap_or_default().then(|| ToolResult::failed(error))
        })
    }

    fn day<'a>(&'a self, host: &'a Host<'a>, call: &'a Call, day: Date) -> Telling<'a> {
        Box::pin(async move {
            // Of another day nobody knows what comes.
            if day == call.context.now.date() {
                host.mails_of_day(call).await
            } else {
                Day::default()
            }
        })
    }

    fn things<'a>(&'a self, _scene: Scene<'a>) -> Knowing<'a> {
        let folders: Box<dyn Resolver + 'a> = Box::new(Mailboxes);
        Box::pin(std::future::ready(Some(folders)))
    }
}

impl Host<'_> {
    /// Runs one of them.
    async fn messages(&self, name: &str, call: &Call) -> Result<ToolResult, ToolError> {
        match name {
            "find_messages" => Box::pin(self.find_messages(call)).await,
            "read_messages" => Box::pin(self.read_messages(call)).await,
            "move_messages" => Box::pin(self.move_messages(call)).await,
            "set_messages" => Box::pin(self.set_messages(call)).await,
            "delete_messages" => Box::pin(self.delete_messages(call)).await,
            "extract_messages" => Box::pin(self.extract_messages(call)).await,
            SEND => Box::pin(self.send_messages(call)).await,
            LEAVE => Box::pin(self.leave_lists(call)).await,
            _ => Box::pin(self.classify_entries(call)).await,
        }
    }
}

/// The messages a step is about.
fn ids(call: &Call) -> Result<Vec<MailId>, ToolError> {
    let mut ids = Vec::new();
    for text in call.texts("message_ids")? {
        ids.push(MailId::parse(&text).ok_or_else(|| {
            ToolError::new(ErrorClass::InvalidArgs, Message::new("mail-not-a-message")).with_detail(text)
        })?);
    }
    if ids.len() > CHANGED_MAX {
        let message = Message::new("mail-too-many").with("max", CHANGED_MAX);
        return Err(ToolError::new(ErrorClass::TooLarge, message));
    }
    Ok(ids)
}

/// A result of these fields.
fn body(value: Value) -> Map<String, Value> {
    super::fields(value)
}
