//! `/digest` and `/gaps`: what memory learned, forgot and was asked in vain, and what a person decides about it. The
//! host sees the whole household, everybody else what is their own. Called by `commands`, and by the command line.

use super::{Inner, people::Said};
use crate::{
    domain::{
        actor::{Actor, Role},
        ids::ActorId,
        item::Item,
        limits::DIGEST_NAMED_MAX,
        message::Message,
    },
    nights::{digest, promoter::Promoter},
    store::{Store, StoreError, digest::Decided, removals::TakenBack},
};

/// Most gaps that are listed when they are asked for.
const GAPS_LISTED_MAX: usize = 4 * DIGEST_NAMED_MAX;

/// Whose memory a person may look at: `None` for everybody's.
fn of_whom(actor: &Actor) -> Option<&ActorId> {
    match actor.role {
        Role::Host => None,
        Role::Guest => Some(&actor.id),
    }
}

/// `/digest …`.
pub async fn answer(store: &Store, actor: &Actor, words: &str, now_ms: i64) -> Result<Said, StoreError> {
    let (verb, item) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let lines = match (verb, Item::parse(item)) {
        ("", _) => shown(store, actor, now_ms).await?,
        ("keep", Some(item)) => vec![keep(store, actor, item, now_ms).await?],
        ("undo", Some(item)) => vec![undo(store, actor, item, now_ms).await?],
        ("back", Some(item)) => vec![take_back(store, actor, item, now_ms).await?],
        _ => vec![Message::new("digest-usage")],
    };
    Ok(Said {
        lang: actor.lang,
        lines,
    })
}

/// `/gaps`: everything asked in vain this week.
pub async fn gaps(store: &Store, actor: &Actor, now_ms: i64) -> Result<Said, StoreError> {
    let since_ms = digest::a_week_before(now_ms);
    let rows = store.wanted(of_whom(actor), since_ms, GAPS_LISTED_MAX).await?;
    let mut lines = Vec::new();
    digest::wanted(&rows, &mut lines);
    if lines.is_empty() {
        lines.push(Message::new("gaps-none"));
    }
    Ok(Said {
        lang: actor.lang,
        lines,
    })
}

async fn shown(store: &Store, actor: &Actor, now_ms: i64) -> Result<Vec<Message>, StoreError> {
    let since_ms = digest::a_week_before(now_ms);
    let news = digest::gather(store, of_whom(actor), since_ms, now_ms).await?;
    let digest = digest::compose(&news);
    if digest.is_empty() {
        return Ok(vec![Message::new("digest-nothing")]);
    }
    Ok(digest.lines())
}

/// What was learned stays.
pub(super) async fn keep(store: &Store, actor: &Actor, item: Item, now_ms: i64) -> Result<Message, StoreError> {
    let decided = match item {
        Item::Autopath(id) => store.keep_learned(of_whom(actor), id, now_ms).await?,
        Item::Proposal(_) | Item::Removal(_) => Decided::Gone,
    };
    Ok(Message::new(match decided {
        Decided::Done => "digest-kept",
        Decided::Already => "digest-kept-before",
        Decided::Gone => "digest-gone",
    }))
}

/// What was learned is unlearned.
pub(super) async fn undo(store: &Store, actor: &Actor, item: Item, now_ms: i64) -> Result<Message, StoreError> {
    let decided = match item {
        Item::Autopath(id) => store.undo_learned(of_whom(actor), id, now_ms).await?,
        Item::Proposal(_) | Item::Removal(_) => Decided::Gone,
    };
    Ok(Message::new(match decided {
        Decided::Done | Decided::Already => "digest-undone",
        Decided::Gone => "digest-gone",
    }))
}

/// The host keeps a tool that is watched, or takes it back.
pub(super) async fn decide_on_tool(inner: &Inner, id: i64, is_kept: bool) -> Message {
    let promoter = Promoter::of(&inner.parts.engine, &inner.parts.i18n);
    let decided = if is_kept {
        promoter.approve(id, None).await
    } else {
        promoter.reject(id).await
    };
    decided.unwrap_or_else(|error| {
        tracing::error!(%error, "a tool cannot be decided on");
        Message::new("proposals-broken")
    })
}

async fn take_back(store: &Store, actor: &Actor, item: Item, now_ms: i64) -> Result<Message, StoreError> {
    let Item::Removal(id) = item else {
        return Ok(Message::new("digest-usage"));
    };
    let taken = store.take_back(of_whom(actor), id, now_ms).await?;
    Ok(match taken {
        TakenBack::Done(row) => Message::new("digest-back").with("name", row.name),
        TakenBack::Replaced(row) => Message::new("digest-replaced").with("name", row.name),
        TakenBack::Gone => Message::new("digest-gone"),
    })
}
