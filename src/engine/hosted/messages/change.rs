//! `move_messages`, `set_messages`, `delete_messages`: where mails lie and how they are marked. What is done can be
//! taken back by a call of the same kind, with the numbers the messages have now, or their Message-ID where no server
//! told.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{super::Host, body, find, ids};
use crate::{
    domain::{
        account::PersonAccount,
        failure::{ErrorClass, ToolError},
        ids::{ExecutorName, PersonAccountId},
        message::Message,
        run::{Reversal, ToolResult},
    },
    executors::Call,
    mail::{
        Folder, Folders, Mark, Role,
        ids::{Key, MailId},
        pool::Session,
    },
};

/// Subjects that name what comes back.
const LABELS_MAX: usize = 3;

/// What a change came to.
#[derive(Default)]
struct Done {
    results: Vec<Value>,
    failed: Vec<Value>,
    reversals: Vec<Reversal>,
}

impl Done {
    fn into_result(self, extra: Value) -> Result<ToolResult, ToolError> {
        if self.results.is_empty()
            && let Some(first) = self.failed.first()
        {
            let message = first
                .get("message")
                .cloned()
                .and_then(|message| serde_json::from_value(message).ok());
            let message = message.unwrap_or_else(|| Message::new("mail-message-gone"));
            return Err(ToolError::new(ErrorClass::NotFound, message));
        }
        let mut fields = body(json!({
            "results": self.results,
            "ok_count": self.results.len(),
            "fail_count": self.failed.len(),
        }));
        if !self.failed.is_empty() {
            fields.insert("failed".to_owned(), json!(self.failed));
        }
        fields.extend(body(extra));
        let mut result = ToolResult::ok(fields);
        result.reversals = self.reversals;
        Ok(result)
    }

    fn fail(&mut self, ids: &[MailId], error: &ToolError) {
        let failed = ids
            .iter()
            .map(|id| json!({"id": id.to_string(), "message": error.message}));
        self.failed.extend(failed);
    }
}

/// Messages of one folder.
struct Batch {
    folder: String,
    validity: u32,
    uids: Vec<u32>,
}

impl Host<'_> {
    pub(super) async fn move_messages(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let to = call.text("to")?.to_owned();
        self.relocate(call, &|folders| folders.meant(&to).ok_or_else(|| find::no_folder(&to)))
            .await
    }

    /// Deleting is moving to the trash: what is there already stays there.
    pub(super) async fn delete_messages(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let no_trash = || ToolError::new(ErrorClass::NotFound, Message::new("mail-no-trash"));
        self.relocate(call, &|folders| folders.of_role(Role::Trash).ok_or_else(no_trash))
            .await
    }

    async fn relocate(
        &self,
        call: &Call,
        target: &(dyn for<'f> Fn(&'f Folders) -> Result<&'f Folder, ToolError> + Sync),
    ) -> Result<ToolResult, ToolError> {
        let mut done = Done::default();
        let mut name = String::new();
        for (account, ids) in self.by_account(call).await? {
            let mut session = self.mail.session(&account).await?;
            let folders = self.mail.folders(&mut session).await?;
            let target = target(&folders)?.clone();
            name.clone_from(&target.name);
            for batch in self.batches(&mut session, &ids, &mut done).await? {
                if batch.folder == target.raw {
                    done.fail(&batch.ids(&account.id), &already_there(&target.name));
                    continue;
                }
                match self.move_batch(&mut session, &batch, &target, &folders).await {
                    Ok((results, reversal)) => {
                        done.results.extend(results);
                        done.reversals.push(reversal);
                    }
                    Err(error) => done.fail(&batch.ids(&account.id), &error),
                }
            }
        }
        done.into_result(json!({"folder": name}))
    }

    async fn move_batch(
        &self,
        session: &mut Session,
        batch: &Batch,
        target: &Folder,
        folders: &Folders,
    ) -> Result<(Vec<Value>, Reversal), ToolError> {
        let account = session.account().id.clone();
        let result = session
            .mailbox()?
            .headers_of(&batch.folder, batch.validity, &batch.uids)
            .await;
        let headers = session.told(result)?;
        let result = session
            .mailbox()?
            .move_to(&batch.folder, batch.validity, &batch.uids, &target.raw)
            .await;
        let moved = session.told(result)?;
        let mut results = Vec::new();
        let mut now: Vec<String> = Vec::new();
        for header in &headers {
            let pair = moved.pairs.iter().find(|(before, _)| *before == header.uid);
            let key = match (pair, moved.validity, &header.message_id) {
                (Some((_, uid)), Some(validity), _) => Some(Key::Number { validity, uid: *uid }),
                (_, _, Some(message_id)) => Some(Key::MessageId(message_id.clone())),
                (_, _, None) => None,
            };
            let id = key.map(|key| MailId {
                account: account.clone(),
                folder: target.raw.clone(),
                key,
            });
            now.extend(id.as_ref().map(ToString::to_string));
            results.push(json!({
                "id": id.map(|id| id.to_string()),
                "from": header.from.first().map(find::shown).unwrap_or_default(),
                "subject": header.subject,
                "folder": target.name,
            }));
        }
        let before = folders.all().iter().find(|folder| folder.raw == batch.folder);
        let before = before.map_or(batch.folder.as_str(), |folder| folder.raw.as_str());
        let args = fields(json!({"message_ids": now, "to": before}));
        let subjects: Vec<String> = headers
            .iter()
            .map(|header| header.subject.clone())
            .take(LABELS_MAX)
            .collect();
        Ok((results, call_of("move_messages", args, &subjects)))
    }

    pub(super) async fn set_messages(&self, call: &Call) -> Result<ToolResult, ToolError> {
        let marks: Vec<(Mark, bool)> = [("read", Mark::Seen), ("flagged", Mark::Flagged)]
            .into_iter()
            .filter_map(|(name, mark)| Some((mark, call.args.get(name)?.as_bool()?)))
            .collect();
        if marks.is_empty() {
            return Err(ToolError::new(
                ErrorClass::InvalidArgs,
                Message::new("mail-nothing-to-set"),
            ));
        }
        let mut done = Done::default();
        for (account, ids) in self.by_account(call).await? {
            let mut session = self.mail.session(&account).await?;
            for batch in self.batches(&mut session, &ids, &mut done).await? {
                if let Err(error) = self.mark_batch(&mut session, &batch, &marks, &mut done).await {
                    done.fail(&batch.ids(&account.id), &error);
                }
            }
        }
        done.into_result(json!({}))
    }

    /// Marks what is not marked so already; only that is taken back.
    async fn mark_batch(
        &self,
        session: &mut Session,
        batch: &Batch,
        marks: &[(Mark, bool)],
        done: &mut Done,
    ) -> Result<(), ToolError> {
        let account = session.account().id.clone();
        let result = session
            .mailbox()?
            .headers_of(&batch.folder, batch.validity, &batch.uids)
            .await;
        let headers = session.told(result)?;
        for (mark, on) in marks {
            let is_so = |header: &crate::mail::Header| match mark {
                Mark::Seen => header.is_seen,
                Mark::Flagged => header.is_flagged,
                Mark::Answered => header.is_answered,
            };
            let changed: Vec<u32> = headers
                .iter()
                .filter(|header| is_so(header) != *on)
                .map(|header| header.uid)
                .collect();
            if changed.is_empty() {
                continue;
            }
            let result = session
                .mailbox()?
                .flag(&batch.folder, batch.validity, &changed, *mark, *on)
                .await;
            session.told(result)?;
            let name = if *mark == Mark::Seen { "read" } else { "flagged" };
            let ids: Vec<String> = batch
                .with(&changed)
                .ids(&account)
                .iter()
                .map(ToString::to_string)
                .collect();
            let subjects: Vec<String> = headers
                .iter()
                .map(|header| header.subject.clone())
                .take(LABELS_MAX)
                .collect();
            let mut args = fields(json!({"message_ids": ids}));
            args.insert(name.to_owned(), json!(!on));
            done.reversals.push(call_of("set_messages", args, &subjects));
        }
        for header in &headers {
            let id = batch.with(&[header.uid]).ids(&account).first().map(ToString::to_string);
            done.results.push(json!({
                "id": id,
                "from": header.from.first().map(find::shown).unwrap_or_default(),
                "subject": header.subject,
            }));
        }
        Ok(())
    }

    /// The messages of a call, by the account they lie in, which must be one of the person's own.
    pub(super) async fn by_account(&self, call: &Call) -> Result<Vec<(PersonAccount, Vec<MailId>)>, ToolError> {
        let mut grouped: BTreeMap<PersonAccountId, Vec<MailId>> = BTreeMap::new();
        for id in ids(call)? {
            grouped.entry(id.account.clone()).or_default().push(id);
        }
        let mut accounts = Vec::new();
        for (id, ids) in grouped {
            accounts.push((self.mail.account_by_id(&call.context.actor, &id).await?, ids));
        }
        Ok(accounts)
    }

    /// The messages of an account by folder, with numbers that hold; what is gone is noted as failed.
    async fn batches(&self, session: &mut Session, ids: &[MailId], done: &mut Done) -> Result<Vec<Batch>, ToolError> {
        let mut batches: Vec<Batch> = Vec::new();
        for id in ids {
            let (validity, uid) = match &id.key {
                Key::Number { validity, uid } => (*validity, *uid),
                Key::MessageId(message_id) => {
                    let result = session.mailbox()?.with_id(&id.folder, message_id).await;
                    let (validity, uids) = session.told(result)?;
                    let Some(uid) = uids.first() else {
                        let gone = ToolError::new(ErrorClass::NotFound, Message::new("mail-message-gone"));
                        done.fail(std::slice::from_ref(id), &gone);
                        continue;
                    };
                    (validity, *uid)
                }
            };
            let same = batches
                .iter_mut()
                .find(|batch| batch.folder == id.folder && batch.validity == validity);
            match same {
                Some(batch) => batch.uids.push(uid),
                None => batches.push(Batch {
                    folder: id.folder.clone(),
                    validity,
                    uids: vec![uid],
                }),
            }
        }
        Ok(batches)
    }
}

impl Batch {
    fn with(&self, uids: &[u32]) -> Self {
        Self {
            folder: self.folder.clone(),
            validity: self.validity,
            uids: uids.to_vec(),
        }
    }

    fn ids(&self, account: &PersonAccountId) -> Vec<MailId> {
        let id = |uid: &u32| MailId {
            account: account.clone(),
            folder: self.folder.clone(),
            key: Key::Number {
                validity: self.validity,
                uid: *uid,
            },
        };
        self.uids.iter().map(id).collect()
    }
}

fn already_there(folder: &str) -> ToolError {
    ToolError::new(
        ErrorClass::AlreadyExists,
        Message::new("mail-already-there").with("folder", folder),
    )
}

/// A change that takes another one back.
fn call_of(tool: &str, args: Map<String, Value>, subjects: &[String]) -> Reversal {
    Reversal::Call {
        tool: ExecutorName::from(tool),
        args,
        label: subjects.join(", "),
    }
}

fn fields(value: Value) -> Map<String, Value> {
    body(value)
}
