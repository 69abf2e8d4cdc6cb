//! `find_messages`: mails by who, what and when, newest first. It only looks: nothing is marked as read.

use serde_json::{Map, Value, json};

use super::{super::Host, body};
use crate::{
    domain::{
        account::PersonAccount,
        failure::{ErrorClass, ToolError},
        limits::{MAILS_LOOKED_AT_MAX, MAILS_SHOWN},
        message::Message,
        run::ToolResult,
    },
    engine::families::{Day, Place},
    executors::{Call, window},
    mail::{
        Folder, Folders, Header, MailSettings, Person, Query, Role,
        classes::{self, Class, Known, Verdict},
        ids::{Key, MailId},
    },
};

/// What is looked for.
struct Search {
    query: Query,
    folder: Option<String>,
    class: Option<Class>,
    limit: usize,
}

/// A message with where it lies and what kind it is.
pub(super) struct Seen {
    pub(super) id: MailId,
    pub(super) header: Header,
    pub(super) folder: String,
    pub(super) verdict: Verdict,
}

impl Host<'_> {
    pub(super) async fn find_messages(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let Gathered {
            seen,
            total,
            is_cut,
            failed,
        } = self.gather(call, MAILS_SHOWN).await?;
        let entries: Vec<Value> = seen.iter().map(entry).collect();
        let mut fields = body(json!({
            "entries": entries,
            "used": seen.len(),
            "available_total": total,
            "count": total,
        }));
        if total > seen.len() || is_cut {
            fields.insert("truncated".to_owned(), json!(true));
        }
        if is_cut {
            fields.insert("source_scan_truncated".to_owned(), json!(true));
        }
        if !failed.is_empty() {
            fields.insert("failed".to_owned(), json!(failed));
        }
        if seen.is_empty() {
            fields.insert("empty".to_owned(), json!(Message::new("mail-none-found")));
        }
        Ok(ToolResult::ok(fields))
    }

    /// The messages a call describes, newest first, of every account that can be reached.
    pub(super) async fn gather(&self, call: &Call, most: usize) -> Result<Gathered, ToolError> {
        let mut search = Search::of(call, most)?;
        for people in [&mut search.query.from, &mut search.query.to] {
            self.add_addresses(call, people).await?;
        }
        let named = call.optional_text("account")?;
        let accounts = match named {
            Some(named) => vec![self.mail.account(&call.context.actor, Some(named)).await?],
            None => {
                // Without any, the question for one follows.
                let first = self.mail.account(&call.context.actor, None).await?;
                let all = self.mail.accounts(&call.context.actor).await;
                all.ok().filter(|all| !all.is_empty()).unwrap_or_else(|| vec![first])
            }
        };
        let mut seen: Vec<Seen> = Vec::new();
        let (mut total, mut is_cut) = (0, false);
        let mut failed = Vec::new();
        let several = accounts.len() > 1;
        for account in &accounts {
            match self.look(account, &search).await {
                Ok(looked) => {
                    total += looked.total;
                    is_cut |= looked.is_cut;
                    seen.extend(looked.seen);
                }
                // One mailbox that cannot be reached does not keep what lies in the others.
                Err(error) if several && error.class != ErrorClass::NotFound => {
                    failed.push(json!({"path": account.name, "message": error.message}));
                }
                Err(error) if several => tracing::debug!(?error, "no such folder in this account"),
                Err(error) => return Err(error),
            }
        }
        if seen.is_empty() && failed.len() == accounts.len() {
            let message = Message::new("mail-none-reached");
            return Err(ToolError::new(ErrorClass::Network, message));
        }
        seen.sort_by_key(|one| std::cmp::Reverse(one.header.arrived));
        seen.truncate(search.limit);
        Ok(Gathered {
            seen,
            total,
            is_cut,
            failed,
        })
    }

    /// "Mum" stands in no header: of whom the address book knows by a name, their addresses are looked for as well.
    async fn add_addresses(&self, call: &Call, people: &mut Vec<String>) -> Result<(), ToolError> {
        let named: Vec<String> = people.iter().filter(|name| !name.contains('@')).cloned().collect();
        for name in named {
            let called = Box::pin(self.families.called(self, call, &name)).await?;
            people.extend(called.into_iter().flat_map(|called| called.emails));
        }
        Ok(())
    }

    /// Unread mails from people one knows; nothing where there is no account.
    pub(super) async fn mails_of_day(&self, call: &Call) -> Day {
        let search = Search {
            query: Query {
                unread: Some(true),
                ..Query::default()
            },
            folder: None,
            class: Some(Class::Personal),
            limit: MAILS_SHOWN,
        };
        let accounts = match self.mail.accounts(&call.context.actor).await {
            Ok(accounts) => accounts,
            Err(error) => return ToolError::from(error).into(),
        };
        let mut told = Day::default();
        let mut unread: Vec<Seen> = Vec::new();
        for account in &accounts {
            match self.look(account, &search).await {
                Ok(looked) => unread.extend(looked.seen),
                Err(error) => told.unknown.push(error.message),
            }
        }
        unread.sort_by_key(|one| std::cmp::Reverse(one.header.arrived));
        told.lines = unread.iter().take(search.limit).map(waiting).collect();
        told
    }

    async fn look(&self, account: &PersonAccount, search: &Search) -> Result<Looked, ToolError> {
        let correspondents = self.mail.correspondents(account).await;
        let mut session = self.mail.session(account).await?;
        let folders = self.mail.folders(&mut session).await?;
        let mut looked = Looked::default();
        for folder in which(&folders, search)? {
            let wanted = Query {
                limit: if search.class.is_some() {
                    MAILS_LOOKED_AT_MAX
                } else {
                    search.limit
                },
                ..search.query.clone()
            };
            let result = session.mailbox()?.find(&folder.raw, &wanted).await;
            let found = session.told(result)?;
            let judge = Judge::of(account, folder, &correspondents);
            let mut seen: Vec<Seen> = found
                .headers
                .into_iter()
                .map(|header| judge.seen(account, folder, found.validity, header))
                .collect();
            match search.class {
                Some(class) => {
                    looked.is_cut |= found.is_cut || found.total > seen.len();
                    seen.retain(|seen| seen.verdict.class == Some(class));
                    looked.total += seen.len();
                }
                None => {
                    looked.is_cut |= found.is_cut;
                    looked.total += found.total;
                }
            }
            looked.seen.extend(seen);
        }
        Ok(looked)
    }
}

/// What was found in all accounts.
pub(super) struct Gathered {
    pub(super) seen: Vec<Seen>,
    pub(super) total: usize,
    is_cut: bool,
    failed: Vec<Value>,
}

#[derive(Default)]
struct Looked {
    seen: Vec<Seen>,
    total: usize,
    is_cut: bool,
}

/// What is known around the messages of a folder.
struct Judge<'a> {
    own_names: Vec<String>,
    own_addresses: Vec<String>,
    role: Option<Role>,
    correspondents: &'a std::collections::HashSet<String>,
}

impl<'a> Judge<'a> {
    fn of(account: &PersonAccount, folder: &Folder, correspondents: &'a std::collections::HashSet<String>) -> Self {
        let settings = MailSettings::of(account);
        Self {
            own_names: settings.as_ref().map(MailSettings::own_names).unwrap_or_default(),
            own_addresses: settings
                .map(|settings| vec![settings.address.to_lowercase()])
                .unwrap_or_default(),
            role: folder.role,
            correspondents,
        }
    }

    fn seen(&self, account: &PersonAccount, folder: &Folder, validity: u32, header: Header) -> Seen {
        let known = Known {
            folder: self.role,
            own_names: &self.own_names,
            correspondents: self.correspondents,
            own_addresses: &self.own_addresses,
        };
        Seen {
            id: MailId {
                account: account.id.clone(),
                folder: folder.raw.clone(),
                key: Key::Number {
                    validity,
                    uid: header.uid,
                },
            },
            folder: folder.name.clone(),
            verdict: classes::classify(&header, known),
            header,
        }
    }
}

impl Search {
    fn of(call: &Call, most: usize) -> Result<Self, ToolError> {
        let wanted = |name: &str| -> Result<Option<String>, ToolError> {
            Ok(call
                .optional_text(name)?
                .map(str::trim)
                .filter(|text| !text.is_empty())
                .map(str::to_owned))
        };
        let mut query = Query {
            from: wanted("from")?.into_iter().collect(),
            to: wanted("to")?.into_iter().collect(),
            subject: wanted("subject")?,
            text: wanted("about")?.into_iter().collect(),
            unread: call.flag("unread", false)?.then_some(true),
            flagged: call.flag("flagged", false)?.then_some(true),
            with_files: call.flag("with_files", false)?,
            ..Query::default()
        };
        if let Some(written) = wanted("window")? {
            let range = window::parse(&written, &call.context.now).ok_or_else(|| {
                let message = Message::new("executors-window-unknown").with("window", written.as_str());
                ToolError::new(ErrorClass::InvalidArgs, message)
            })?;
            query.since = Some(range.start).filter(|start| *start != jiff::Timestamp::MIN);
            query.before = Some(range.end);
        }
        let class = wanted("class")?.and_then(|class| Class::parse(&class));
        let limit = call.count("max_results")?.unwrap_or(most).clamp(1, MAILS_LOOKED_AT_MAX);
        query.limit = limit;
        Ok(Self {
            query,
            folder: wanted("in")?,
            class,
            limit,
        })
    }
}

/// The folders a search looks into: the named one; for spam the inbox and where spam lies; else what comes in.
fn which<'f>(folders: &'f Folders, search: &Search) -> Result<Vec<&'f Folder>, ToolError> {
    if let Some(named) = &search.folder {
        let folder = folders.meant(named).ok_or_else(|| no_folder(named))?;
        return Ok(vec![folder]);
    }
    let inbox = folders
        .of_role(Role::Inbox)
        .ok_or_else(|| ToolError::new(ErrorClass::NotFound, Message::new("mail-no-inbox")))?;
    let junk = folders
        .of_role(Role::Junk)
        .filter(|_| search.class == Some(Class::Spam));
    // Whoever looks for somebody or something means what was filed away as well.
    let is_telling = !search.query.from.is_empty() || !search.query.text.is_empty() || search.query.subject.is_some();
    let archive = folders
        .of_role(Role::Archive)
        .filter(|_| is_telling && search.class.is_none());
    Ok(std::iter::once(inbox).chain(junk).chain(archive).collect())
}

/// No folder is called so.
pub(super) fn no_folder(named: &str) -> ToolError {
    ToolError::new(
        ErrorClass::NotFound,
        Message::new("mail-no-folder").with("folder", named),
    )
}

/// A mail that waits, as a line of a day.
fn waiting(one: &Seen) -> (Place, Message) {
    let from = one.header.from.first().map(shown).unwrap_or_default();
    let line = Message::new("day-mail")
        .with("from", from)
        .with("subject", one.header.subject.as_str());
    (Place::Waiting, line)
}

/// A message as later steps and answers have it.
fn entry(seen: &Seen) -> Value {
    let header = &seen.header;
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    put("id", json!(seen.id.to_string()));
    put("from", json!(header.from.first().map(shown).unwrap_or_default()));
    put("address", json!(header.from.first().map(|person| &person.address)));
    put("subject", json!(header.subject));
    put("date", json!(header.arrived.to_string()));
    put("folder", json!(seen.folder));
    put("unread", json!(!header.is_seen));
    put("flagged", json!(header.is_flagged));
    put("answered", json!(header.is_answered));
    put("with_files", json!(header.has_files));
    put("size", json!(header.size));
    put("message_id", json!(header.message_id));
    put("class", json!(seen.verdict.class.map(Class::as_str)));
    put("why", json!(seen.verdict.why));
    Value::Object(fields)
}

/// A person as they are named: with the address where the name may be anybody's.
pub(super) fn shown(person: &Person) -> String {
    match &person.name {
        Some(name) if name.to_lowercase() != person.address.to_lowercase() => format!("{name} <{}>", person.address),
        Some(_) | None => person.address.clone(),
    }
}
