//! `send_messages_unsubscribe`: leaves the lists that some mails came over, by the one click of RFC 8058 where the list
//! offers it, else by a mail to the address it names. Both stand on the card before anything is sent: nobody else's
//! address is asked. What the own provider calls forged or spam is not answered at all, for an answer tells its sender
//! that somebody reads.

use serde_json::{Map, Value, json};

use super::{super::Host, body, find};
use crate::{
    domain::{
        account::PersonAccount,
        failure::{ErrorClass, ToolError},
        message::Message,
        run::ToolResult,
    },
    executors::Call,
    mail::{
        Draft, Letter, MailSettings, Person, Purpose, Verified, is_address,
        lists::leave_by_click,
        outgoing::{Order, Went},
    },
};

/// How one list is left.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    Click(String),
    Mail { to: String, subject: String },
}

impl Way {
    fn of(letter: &Letter) -> Option<Self> {
        let way = &letter.signals.unsubscribe;
        if let Some(address) = &way.one_click {
            return Some(Self::Click(address.clone()));
        }
        let (to, subject) = way.mail.clone()?;
        is_address(&to).then_some(Self::Mail { to, subject })
    }

    /// As the card shows it.
    fn shown(&self) -> &str {
        match self {
            Self::Click(address) => address,
            Self::Mail { to, .. } => to,
        }
    }
}

/// A list that is to be left.
struct Left {
    account: PersonAccount,
    from: String,
    way: Way,
}

impl Host<'_> {
    /// The call with the addresses that would be asked.
    pub(super) async fn completed_leave(&self, call: &Call) -> Result<Map<String, Value>, ToolError> {
        let lists = self.lists_of(call).await?;
        let mut args = call.args.clone();
        args.insert("lists".to_owned(), json!(froms(&lists)));
        args.insert("ways".to_owned(), json!(ways(&lists)));
        Ok(args)
    }

    pub(super) async fn leave_lists(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let lists = self.lists_of(call).await?;
        // What nobody was shown is not sent.
        if call.texts("ways")? != ways(&lists) {
            let changed = Message::new("mail-lists-changed");
            return Err(ToolError::new(ErrorClass::AlreadyExists, changed));
        }
        let mut left = Vec::new();
        for (place, list) in lists.iter().enumerate() {
            match &list.way {
                Way::Click(address) => leave_by_click(address, &list.from).await?,
                Way::Mail { to, subject } => self.leave_by_mail(call, list, (to, subject), place).await?,
            }
            left.push(list.from.clone());
        }
        Ok(ToolResult::ok(body(json!({
            "ok_count": left.len(),
            "names": left.join(", "),
        }))))
    }

    async fn leave_by_mail(
        &self,
        call: &Call,
        list: &Left,
        (to, subject): (&str, &str),
        place: usize,
    ) -> Result<(), ToolError> {
        let broken = || {
            let message = Message::new("mail-settings-broken").with("account", list.account.name.as_str());
            ToolError::new(ErrorClass::Internal, message)
        };
        let settings = MailSettings::of(&list.account).ok_or_else(broken)?;
        let draft = Draft {
            from: Person {
                name: settings.shown_name,
                address: settings.address,
            },
            to: vec![Person {
                name: None,
                address: to.to_owned(),
            }],
            subject: subject.to_owned(),
            text: subject.to_owned(),
            purpose: Purpose::Person,
            ..Draft::default()
        };
        let order = Order {
            account: &list.account,
            draft: &draft,
            turn: &call.context.turn,
            step: call.context.step,
            place,
        };
        self.mail.announce(&order).await?;
        match self.mail.deliver(&order).await? {
            Went::Sent { .. } | Went::Before { .. } => Ok(()),
            Went::NotSent { error, .. } | Went::Unknown(error) => Err(error),
        }
    }

    /// The lists of these mails, each once.
    async fn lists_of(&self, call: &Call) -> Result<Vec<Left>, ToolError> {
        let mut lists: Vec<Left> = Vec::new();
        for id in super::ids(call)? {
            let account = self.mail.account_by_id(&call.context.actor, &id.account).await?;
            let mut session = self.mail.session(&account).await?;
            let (letter, _) = self.letter(&mut session, &id).await?;
            let from = letter.from.first().map(find::shown).unwrap_or_default();
            if lists
                .iter()
                .any(|list| list.from == from && list.account.id == account.id)
            {
                continue;
            }
            let own = MailSettings::of(&account).map(|settings| settings.own_names());
            let verified = letter.signals.verified_by(&own.unwrap_or_default());
            if verified == Verified::Fail || letter.signals.is_marked_spam {
                let message = Message::new("mail-list-forged").with("who", from);
                return Err(ToolError::new(ErrorClass::Forbidden, message));
            }
            let Some(way) = Way::of(&letter) else {
                let page = letter.signals.unsubscribe.page.clone();
                let message = match page {
                    Some(page) => Message::new("mail-list-by-page").with("page", page),
                    None => Message::new("mail-list-none"),
                };
                return Err(ToolError::new(ErrorClass::NotFound, message.with("who", from)));
            };
            lists.push(Left { account, from, way });
        }
        Ok(lists)
    }
}

/// Each list, and who is asked, as the call says since it was completed.
pub(super) fn shown(call: &Call) -> Vec<String> {
    let (Ok(lists), Ok(ways)) = (call.texts("lists"), call.texts("ways")) else {
        return Vec::new();
    };
    let both = lists.into_iter().zip(ways);
    both.map(|(list, way)| format!("{list} → {way}")).collect()
}

fn froms(lists: &[Left]) -> Vec<&str> {
    lists.iter().map(|list| list.from.as_str()).collect()
}

fn ways(lists: &[Left]) -> Vec<String> {
    lists.iter().map(|list| list.way.shown().to_owned()).collect()
}
