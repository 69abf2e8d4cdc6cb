//! `/digest` and `/gaps`: what memory learned, forgot and was asked in vain, and what a person decides about it. The
//! host sees the whole household, everybody else what is their own. Called by `commands`, and by the command line.

use super::{Inner, people::Said};
use crate::{
    domain::{
        actor::{Actor, Role},
        ids::ActorId,
        item::Item,
        lang::Lang,
        limits::DIGEST_NAMED_MAX,
        message::Message,
        proposal::ProposalState,
    },
    nights::{
        digest::{self, Look},
        promoter::Promoter,
    },
    store::{
        Store, StoreError,
        digest::{Decided, Rhythm},
        removals::TakenBack,
    },
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
        ("daily" | "weekly" | "off", None) if item.trim().is_empty() => vec![often(store, actor, verb, now_ms).await?],
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
    let news = digest::gather(store, of_whom(actor), since_ms, Look::Asked).await?;
    let digest = digest::compose(&news);
    if digest.is_empty() {
        return Ok(vec![Message::new("digest-nothing")]);
    }
    Ok(digest.lines())
}

/// How often this person is told from now on.
async fn often(store: &Store, actor: &Actor, word: &str, now_ms: i64) -> Result<Message, StoreError> {
    let rhythm = Rhythm::parse(word).unwrap_or(Rhythm::Daily);
    store.set_digest_rhythm(&actor.id, rhythm, now_ms).await?;
    Ok(Message::new(match rhythm {
        Rhythm::Daily => "digest-daily",
        Rhythm::Weekly => "digest-weekly",
        Rhythm::Off => "digest-off",
    }))
}

/// A decision in a few words, such as "approve p1" or «tieni a1», as the command it stands for.
pub(super) fn as_command(inner: &Inner, actor: &Actor, text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let (verb, item, named, rest) = (words.next()?, words.next()?, words.next(), words.next());
    let item = Item::parse(item)?;
    let verb = verb.to_lowercase();
    let langs = [actor.lang, Lang::EN];
    let is_said = |decision: &&Decision| {
        let said = |lang: Lang| inner.say(lang, &Message::new(decision.word)).to_lowercase() == verb;
        langs.into_iter().any(said)
    };
    let decision = DECISIONS.iter().find(is_said)?;
    if rest.is_some() || named.is_some() && decision.command != "approve" {
        return None;
    }
    let named = named.map(|named| format!(" {named}")).unwrap_or_default();
    match item {
        Item::Proposal(_) if decision.of_tools => {
            let verb = if decision.command == "undo" {
                "reject"
            } else {
                decision.command
            };
            Some(format!("/proposals {verb} {item}{named}"))
        }
        Item::Autopath(_) | Item::Removal(_) if decision.of_memory => {
            Some(format!("/digest {} {item}", decision.command))
        }
        Item::Proposal(_) | Item::Autopath(_) | Item::Removal(_) => None,
    }
}

/// A word that decides about a thing, by the key of how it is said.
struct Decision {
    command: &'static str,
    word: &'static str,
    of_tools: bool,
    of_memory: bool,
}

const DECISIONS: [Decision; 6] = [
    decision("approve", "decision-approve", true, false),
    decision("reject", "decision-reject", true, false),
    decision("show", "decision-show", true, false),
    decision("keep", "decision-keep", true, true),
    decision("undo", "decision-undo", true, true),
    decision("back", "decision-back", false, true),
];

const fn decision(command: &'static str, word: &'static str, of_tools: bool, of_memory: bool) -> Decision {
    Decision {
        command,
        word,
        of_tools,
        of_memory,
    }
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

/// Whether somebody decided that it stays: a late tap on the other button changes nothing then.
pub(super) async fn is_kept(inner: &Inner, item: Item) -> Result<bool, StoreError> {
    let store = &inner.parts.store;
    match item {
        Item::Autopath(id) => store.is_kept(id).await,
        Item::Proposal(id) => {
            let row = store.proposal(id).await?;
            Ok(row.is_some_and(|row| row.state == ProposalState::Final))
        }
        Item::Removal(_) => Ok(false),
    }
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
        promoter.keep(id).await
    } else {
        promoter.reject(id).await
    };
    decided.unwrap_or_else(|error| {
        tracing::error!(%error, "a tool cannot be decided on");
        Message::new("proposals-broken")
    })
}

/// The host has a tool made, or put away; what is made already stays as it is, whatever is tapped.
pub(super) async fn decide_on_new(inner: &Inner, id: i64, is_wanted: bool) -> Message {
    let promoter = Promoter::of(&inner.parts.engine, &inner.parts.i18n);
    let is_made = promoter.is_made(id).await.unwrap_or(false);
    let decided = if is_wanted || is_made {
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
        TakenBack::Done(row) => Message::new("digest-back").with("name", digest::called(&row)),
        TakenBack::Replaced(row) => Message::new("digest-replaced").with("name", digest::called(&row)),
        TakenBack::Gone => Message::new("digest-gone"),
    })
}
