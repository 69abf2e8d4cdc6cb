//! One resource on a server, written or removed in the version that was known. What somebody else changed stays and is
//! said; what a server makes of a text is read again and kept as it is there.

use metnos_dav::{
    Object,
    server::{self, Condition, Holds},
};

use super::{Line, Mark, Servers, Trouble, explain, row_name, sync::good};
use crate::{
    agenda::shelf::Leaf,
    domain::{
        account::{PersonAccount, Service},
        failure::ToolError,
        ids::ActorId,
    },
    net::pinned::Said,
    store::dav::{DavCollection, DavItem, DavNews},
};

/// One resource of a person: `collection/name`, as executors name it.
struct Spot {
    account: PersonAccount,
    collection: DavCollection,
    mark: Mark,
    holds: Holds,
    name: String,
}

impl Spot {
    fn file(&self) -> String {
        format!("{}/{}", self.collection.id, self.name)
    }

    fn href(&self, known: Option<&DavItem>) -> String {
        match known {
            Some(item) => item.href.clone(),
            None => format!("{}/{}", self.mark.href.trim_end_matches('/'), self.name),
        }
    }

    fn told(&self, trouble: &Trouble) -> ToolError {
        let is_of_one = matches!(trouble, Trouble::Forbidden) && !self.mark.name.is_empty();
        let name = if is_of_one { &self.mark.name } else { &self.account.name };
        explain(trouble, name, self.account.service)
    }
}

impl Servers {
    async fn spot(&self, actor: &ActorId, holds: Holds, file: &str) -> Result<Spot, ToolError> {
        let gone = |trouble: &Trouble| explain(trouble, "", Service::Calendar);
        let (id, name) = file.split_once('/').ok_or_else(|| gone(&Trouble::Gone))?;
        let found = self.store.dav_collections(actor, row_name(holds)).await;
        let found = found.map_err(|error| gone(&error.into()))?;
        let collection = found.into_iter().find(|one| one.id == id);
        let collection = collection.ok_or_else(|| gone(&Trouble::Gone))?;
        let mark = Mark::of(&collection).ok_or_else(|| gone(&Trouble::Settings))?;
        let account = self.account(actor, &collection.account).await;
        let account = account.map_err(|trouble| gone(&trouble))?;
        let is_name = !name.is_empty() && !name.contains(['/', '?', '#']) && !name.contains("..");
        if !is_name {
            return Err(gone(&Trouble::Gone));
        }
        Ok(Spot {
            account,
            collection,
            mark,
            holds,
            name: name.to_owned(),
        })
    }

    /// Where something new of a person goes: the first collection that takes it; `None` where there is none.
    pub(in crate::agenda) async fn place_for(&self, actor: &ActorId, holds: Holds, name: &str) -> Option<String> {
        let found = self.store.dav_collections(actor, row_name(holds)).await;
        let found = found
            .inspect_err(|error| tracing::warn!(%error, "the collections cannot be looked at"))
            .ok()?;
        let takes = |one: &&DavCollection| Mark::of(one).is_some_and(|mark| !mark.is_read_only);
        found.iter().find(takes).map(|one| format!("{}/{name}", one.id))
    }

    /// A resource as its server has it now; `None` where it is gone.
    pub(in crate::agenda) async fn read_now(
        &self,
        actor: &ActorId,
        holds: Holds,
        file: &str,
    ) -> Result<Option<Leaf>, ToolError> {
        let spot = self.spot(actor, holds, file).await?;
        let mut line = self.line(&spot.account).await;
        line.read_now(&spot).await.map_err(|trouble| spot.told(&trouble))
    }

    /// Writes a resource that is in this version, or that is not there where none is named; as it is there then.
    pub(in crate::agenda) async fn put(
        &self,
        actor: &ActorId,
        holds: Holds,
        file: &str,
        text: &str,
        expected: Option<&str>,
    ) -> Result<Leaf, ToolError> {
        let spot = self.spot(actor, holds, file).await?;
        let mut line = self.line(&spot.account).await;
        let done = line.put(&spot, text, expected).await;
        line.settle(done).await.map_err(|trouble| spot.told(&trouble))
    }

    /// Removes a resource that is in this version.
    pub(in crate::agenda) async fn remove(
        &self,
        actor: &ActorId,
        holds: Holds,
        file: &str,
        expected: &str,
    ) -> Result<(), ToolError> {
        let spot = self.spot(actor, holds, file).await?;
        let mut line = self.line(&spot.account).await;
        let done = line.remove(&spot, expected).await;
        line.settle(done).await.map_err(|trouble| spot.told(&trouble))
    }
}

impl Line<'_> {
    async fn settle<T>(&mut self, done: Result<T, Trouble>) -> Result<T, Trouble> {
        if let Err(trouble) = &done {
            self.failed(trouble).await;
        }
        done
    }

    async fn known(&self, spot: &Spot) -> Result<Option<DavItem>, Trouble> {
        let store = &self.servers.store;
        Ok(store
            .dav_item(&self.account.actor, &spot.collection.id, &spot.name)
            .await?)
    }

    async fn take(&self, spot: &Spot, news: DavNews) -> Result<(), Trouble> {
        let store = &self.servers.store;
        Ok(store
            .take_dav_news(&self.account.actor, &spot.collection.id, news)
            .await?)
    }

    async fn read_now(&mut self, spot: &Spot) -> Result<Option<Leaf>, Trouble> {
        let known = self.known(spot).await?;
        let item = self.read(&spot.href(known.as_ref()), &spot.name).await?;
        self.keep(spot, item).await
    }

    async fn keep(&mut self, spot: &Spot, item: Option<DavItem>) -> Result<Option<Leaf>, Trouble> {
        let news = match &item {
            Some(item) => DavNews {
                changed: vec![item.clone()],
                ..DavNews::default()
            },
            None => DavNews {
                gone: vec![spot.name.clone()],
                ..DavNews::default()
            },
        };
        self.take(spot, news).await?;
        Ok(item.map(|item| leaf(&spot.file(), item)))
    }

    /// Whether a change may be begun at all.
    fn may_change(&self, spot: &Spot) -> Result<(), Trouble> {
        if spot.mark.is_read_only {
            return Err(Trouble::Forbidden);
        }
        // It was asked a moment ago, before the change: whoever could not be reached then is not waited for again.
        self.rest().map_or(Ok(()), Err)
    }

    async fn put(&mut self, spot: &Spot, text: &str, expected: Option<&str>) -> Result<Leaf, Trouble> {
        self.may_change(spot)?;
        let condition = match expected {
            Some("") => return Err(Trouble::NoVersion),
            Some(version) => Condition::Version(version.to_owned()),
            None => Condition::New,
        };
        let known = self.known(spot).await?;
        let href = spot.href(known.as_ref());
        let request = server::put(&href, text, condition.clone(), spot.holds);
        let mut said = self.heard(&request).await?;
        let mut sent = text.to_owned();
        if said.status == 409
            && let Some(raised) = Object::raised(text)
            && self.is_still(spot, &href, expected).await?
        {
            // The same version is there: what it takes for a contradiction is a change that does not say it is later.
            said = self.heard(&server::put(&href, &raised, condition, spot.holds)).await?;
            sent = raised;
        }
        written(&said)?;
        let item = match said.etag.clone().filter(|etag| !etag.starts_with("W/")) {
            Some(etag) => DavItem {
                name: spot.name.clone(),
                href,
                etag,
                text: sent,
            },
            // No version means that the server made something of its own out of it.
            None => self.read(&href, &spot.name).await?.ok_or(Trouble::Gone)?,
        };
        self.keep(spot, Some(item)).await?.ok_or(Trouble::Gone)
    }

    /// Whether a resource is in the version that was known still.
    async fn is_still(&mut self, spot: &Spot, href: &str, expected: Option<&str>) -> Result<bool, Trouble> {
        let there = self.read(href, &spot.name).await?;
        match (there, expected) {
            (Some(item), Some(expected)) if item.etag == expected => Ok(true),
            (None, None) => Ok(false),
            (_, _) => Err(Trouble::Changed),
        }
    }

    async fn remove(&mut self, spot: &Spot, expected: &str) -> Result<(), Trouble> {
        self.may_change(spot)?;
        if expected.is_empty() {
            return Err(Trouble::NoVersion);
        }
        let known = self.known(spot).await?;
        let said = self
            .heard(&server::delete(&spot.href(known.as_ref()), expected))
            .await?;
        // Gone already is what was wanted.
        if !matches!(said.status, 404 | 410) {
            written(&said)?;
        }
        self.keep(spot, None).await.map(drop)
    }
}

fn written(said: &Said) -> Result<(), Trouble> {
    match said.status {
        412 => Err(Trouble::Changed),
        409 => Err(Trouble::Contradicts),
        _ => good(said).map(drop),
    }
}

/// A resource as executors see it.
pub(in crate::agenda) fn leaf(file: &str, item: DavItem) -> Leaf {
    Leaf {
        name: file.to_owned(),
        text: item.text,
        version: item.etag,
        whose: None,
    }
}
