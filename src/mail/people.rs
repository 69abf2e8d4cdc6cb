//! Whom an account's person writes to and hears from, by its own folders: for names, and for telling strangers apart.
//! Looked at once in a while and kept; a cache that may be dropped at any moment.

use std::{
    collections::HashSet,
    sync::PoisonError,
    time::{Duration, Instant},
};

use metnos_mail::{Header, Person, Query, Role};

use super::Mail;
use crate::domain::{account::PersonAccount, failure::ToolError};

/// What was looked at counts for so long.
const FRESH: Duration = Duration::from_secs(600);
/// Messages of a folder that are looked at.
const LOOKED_AT: usize = 300;

/// Whom an account knows.
#[derive(Clone, Debug, Default)]
pub(super) struct Circle {
    at: Option<Instant>,
    /// Whom its person wrote to.
    written_to: Vec<Person>,
    /// Who wrote.
    heard_from: Vec<Person>,
}

impl Mail {
    /// Addresses this account's person wrote to lately, in lower case; nobody where that cannot be looked at.
    pub async fn correspondents(&self, account: &PersonAccount) -> HashSet<String> {
        match self.circle(account).await {
            Ok(circle) => circle
                .written_to
                .iter()
                .map(|person| person.address.to_lowercase())
                .collect(),
            Err(error) => {
                tracing::debug!(?error, "whom a person writes to is not known");
                HashSet::new()
            }
        }
    }

    /// Everybody this account knows by name, those written to first.
    pub async fn people_known(&self, account: &PersonAccount) -> Result<Vec<Person>, ToolError> {
        let circle = self.circle(account).await?;
        Ok([circle.written_to, circle.heard_from].concat())
    }

    async fn circle(&self, account: &PersonAccount) -> Result<Circle, ToolError> {
        let known = {
            let circles = self.circles.lock().unwrap_or_else(PoisonError::into_inner);
            circles.get(&account.id).cloned()
        };
        if let Some(known) = known.filter(|known| known.at.is_some_and(|at| at.elapsed() < FRESH)) {
            return Ok(known);
        }
        let mut session = self.session(account).await?;
        let folders = self.folders(&mut session).await?;
        let mut circle = Circle {
            at: Some(Instant::now()),
            ..Circle::default()
        };
        let query = Query {
            limit: LOOKED_AT,
            ..Query::default()
        };
        for role in [Role::Sent, Role::Inbox] {
            let Some(folder) = folders.of_role(role) else { continue };
            let result = session.mailbox()?.find(&folder.raw, &query).await;
            let found = session.told(result)?;
            if role == Role::Sent {
                let people = |header: Header| [header.to, header.cc].concat();
                circle.written_to.extend(found.headers.into_iter().flat_map(people));
            } else {
                circle
                    .heard_from
                    .extend(found.headers.into_iter().flat_map(|header| header.from));
            }
        }
        let mut circles = self.circles.lock().unwrap_or_else(PoisonError::into_inner);
        circles.insert(account.id.clone(), circle.clone());
        Ok(circle)
    }
}
