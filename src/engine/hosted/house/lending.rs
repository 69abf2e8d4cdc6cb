//! `share_events` and `share_contacts`: the host lets people of the house see a calendar or the address book, and
//! change it where that was said. It stands among their own from then on; nothing is copied, and `undo` ends it.

use serde_json::json;

use super::{
    super::Host,
    fields, names_of,
    sharing::{how, ids},
};
use crate::{
    agenda::{Holds, Named, Owner},
    domain::{
        failure::{ErrorClass, ToolError},
        fold::fold,
        ids::ExecutorName,
        message::Message,
        run::{Reversal, ToolResult},
        share::Lent,
    },
    engine::hosted::events,
    executors::Call,
};

/// The executor of calendars.
pub(super) const EVENTS: &str = "share_events";
/// The executor of address books.
pub(super) const CONTACTS: &str = "share_contacts";

impl Host<'_> {
    pub(super) async fn lend(
        &self,
        name: &ExecutorName,
        call: &Call,
        owned: &[Named],
    ) -> Result<ToolResult, ToolError> {
        let people = self.borrowers(call).await?;
        let holds = if name.as_str() == CONTACTS {
            "contacts"
        } else {
            "events"
        };
        let (called, place) = place_of(call, owned)?;
        let is_end = call.flag("end", false)?;
        let lent = Lent {
            owner: call.context.actor.clone(),
            name: called.clone(),
            home: call.context.home.clone(),
            place,
            may_write: !call.flag("read_only", false)?,
        };
        for person in &people {
            if !is_end {
                let now_ms = self.clock.now_ms();
                let done = self.store.lend(&person.id, holds, &lent, now_ms).await;
                done?;
            } else if !self.store.lend_no_more(&person.id, holds, &lent).await? {
                let message = Message::new("lend-not")
                    .with("holds", holds)
                    .with("person", person.name.as_str());
                return Err(ToolError::new(ErrorClass::NotFound, message));
            }
        }
        let body = fields(json!({
            "ok_count": people.len(),
            "people": names_of(&people),
            "holds": holds,
            "called": called,
            "how": how(is_end, lent.may_write),
        }));
        let mut args = json!({
            "to": ids(&people),
            "end": !is_end,
        });
        if let (Some(calendar), Some(args)) = (call.args.get("calendar"), args.as_object_mut()) {
            args.insert("calendar".to_owned(), calendar.clone());
        }
        let back = Reversal::Call {
            tool: name.clone(),
            args: fields(args),
            label: called,
        };
        Ok(ToolResult {
            reversals: vec![back],
            ..ToolResult::ok(body)
        })
    }

    /// With whom, and which.
    pub(super) async fn names_lent(&self, call: &Call) -> Vec<String> {
        let Ok(people) = self.told_people(call).await else {
            return Vec::new();
        };
        let which = call.optional_text("calendar").ok().flatten();
        let one = |name: String| which.map_or(name.clone(), |which| format!("{which} → {name}"));
        people.into_iter().map(|person| one(person.name)).collect()
    }
}

/// The calendars that can be named, which are the host's own.
pub(super) async fn owned(agenda: &crate::agenda::Agenda, call: &Call) -> Result<Vec<Named>, ToolError> {
    let owner: Owner = events::owner_of(call);
    agenda.collections(&owner, Holds::Events).await.map_err(events::failed)
}

/// How what is shared is called, and which collection it is; empty for everything.
fn place_of(call: &Call, owned: &[Named]) -> Result<(String, String), ToolError> {
    let Some(wanted) = call.optional_text("calendar")? else {
        return Ok((String::new(), String::new()));
    };
    let found = owned.iter().find(|one| fold(&one.name) == fold(wanted));
    let found = found.ok_or_else(|| {
        let message = Message::new("agenda-no-such").with("name", wanted);
        ToolError::new(ErrorClass::NotFound, message)
    })?;
    Ok((found.name.clone(), found.place.clone()))
}
