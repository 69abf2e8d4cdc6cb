//! Calendars and address books of the host, for those they are shared with, and the names under which a person has
//! several. A file of them has whose it is before its name: `lent:OWNER:file`. What nobody shared is never reached, and
//! what is shared to be read is never changed.

use super::{Agenda, AgendaError, Holds, Owner, servers};
use crate::domain::{
    failure::{ErrorClass, ToolError},
    fold::fold,
    message::Message,
    share::Lent,
};

/// Before the names of files that are somebody else's.
const LENT: &str = "lent:";

/// A calendar or an address book under a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// How it is called: by its server, or by whose it is.
    pub name: String,
    /// The collection on a server; empty for everything of a person.
    pub place: String,
    /// Whose it is, where it is somebody else's.
    lender: Option<Owner>,
    /// Whether what is in it may be changed.
    pub may_write: bool,
}

/// What a name is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Change,
}

/// Before the names of one lender's files.
pub(super) fn prefix(lender: &Owner) -> String {
    format!("{LENT}{}:", lender.actor)
}

/// The name of a file in the calendar it is in.
pub(super) fn bare(name: &str) -> &str {
    let lent = name.strip_prefix(LENT).and_then(|rest| rest.split_once(':'));
    lent.map_or(name, |(_, rest)| rest)
}

pub(super) fn lender(lent: &Lent) -> Owner {
    Owner {
        actor: lent.owner.clone(),
        home: lent.home.clone(),
    }
}

impl Agenda {
    /// What others share with a person.
    pub(super) async fn lent(&self, owner: &Owner, holds: Holds) -> Result<Vec<Lent>, AgendaError> {
        let Some(servers) = &self.servers else {
            return Ok(Vec::new());
        };
        let lent = servers.store().lent_to(&owner.actor, servers::row_name(holds)).await;
        Ok(lent.map_err(ToolError::from)?)
    }

    /// Whose file a name means, and its name there.
    pub(super) async fn holder(
        &self,
        owner: &Owner,
        holds: Holds,
        name: &str,
        use_of: Use,
    ) -> Result<(Owner, String), AgendaError> {
        let Some((lender_id, rest)) = name.strip_prefix(LENT).and_then(|rest| rest.split_once(':')) else {
            return Ok((owner.clone(), name.to_owned()));
        };
        let covers = |lent: &&Lent| {
            let is_inside = lent.place.is_empty() || rest.split_once('/').is_some_and(|(place, _)| place == lent.place);
            lent.owner.as_str() == lender_id && is_inside
        };
        let all = self.lent(owner, holds).await?;
        let covering: Vec<&Lent> = all.iter().filter(covers).collect();
        let Some(first) = covering.first() else {
            return Err(ToolError::new(ErrorClass::NotFound, Message::new("events-gone")).into());
        };
        if use_of == Use::Change && !covering.iter().any(|lent| lent.may_write) {
            let message = Message::new("agenda-lent-to-read").with("name", first.name.as_str());
            return Err(ToolError::new(ErrorClass::Refused, message).into());
        }
        Ok((lender(first), rest.to_owned()))
    }

    /// The calendars or address books that a person can name.
    pub async fn named(&self, owner: &Owner, holds: Holds) -> Result<Vec<Named>, AgendaError> {
        let mut all = self.collections(owner, holds).await?;
        for lent in self.lent(owner, holds).await? {
            let lender = lender(&lent);
            let of = self.collections(&lender, holds).await?;
            let name = of.into_iter().find(|one| one.place == lent.place);
            all.push(Named {
                name: name.map_or(lent.name, |one| one.name),
                place: lent.place,
                lender: Some(lender),
                may_write: lent.may_write,
            });
        }
        Ok(all)
    }

    /// Their own, each with the name its server gives it.
    pub async fn collections(&self, owner: &Owner, holds: Holds) -> Result<Vec<Named>, AgendaError> {
        let Some(servers) = &self.servers else {
            return Ok(Vec::new());
        };
        let rows = servers
            .store()
            .dav_collections(&owner.actor, servers::row_name(holds))
            .await;
        let named = rows.map_err(ToolError::from)?.into_iter().filter_map(|row| {
            let mark = servers::Mark::of(&row)?;
            Some(Named {
                name: mark.name,
                place: row.id,
                lender: None,
                may_write: !mark.is_read_only,
            })
        });
        Ok(named.collect())
    }

    /// What something new is called: in the one that is named, else in the first collection on a server that takes it,
    /// else in the folder.
    pub async fn place_for(
        &self,
        owner: &Owner,
        holds: Holds,
        name: &str,
        within: Option<&str>,
    ) -> Result<String, AgendaError> {
        let Some(within) = within else {
            return Ok(self.own_place(owner, holds, name).await);
        };
        let all = self.named(owner, holds).await?;
        let Some(found) = all.iter().find(|one| fold(&one.name) == fold(within)) else {
            let message = Message::new("agenda-no-such").with("name", within);
            return Err(ToolError::new(ErrorClass::NotFound, message).into());
        };
        if !found.may_write {
            let message = Message::new("agenda-lent-to-read").with("name", found.name.as_str());
            return Err(ToolError::new(ErrorClass::Refused, message).into());
        }
        let holder = found.lender.as_ref().unwrap_or(owner);
        let place = match found.place.as_str() {
            "" => self.own_place(holder, holds, name).await,
            place => format!("{place}/{name}"),
        };
        Ok(found
            .lender
            .as_ref()
            .map_or(place.clone(), |lender| format!("{}{place}", prefix(lender))))
    }

    async fn own_place(&self, owner: &Owner, holds: Holds, name: &str) -> String {
        let there = match &self.servers {
            Some(servers) => servers.place_for(&owner.actor, holds, name).await,
            None => None,
        };
        there.unwrap_or_else(|| name.to_owned())
    }
}
