//! What there is to tell: what memory learned, what was asked in vain, what failed, what was forgotten. Gathered for a
//! person, or for the whole household; put in order by a pure function; said by whoever asked for it. No words here.

use crate::{
    domain::{
        ids::ActorId,
        item::Item,
        limits::{DIGEST_LOOKS_BACK, DIGEST_NAMED_MAX},
        message::Message,
        proposal::{ProposalKind, ProposalState},
        removal::Reason,
    },
    nights::{
        promoter::{
            FAILED_IN_GRACE,
            idle::{IDLE, IDLE_SOON},
        },
        promotion::draft::NEEDS_NAME,
        proposals,
    },
    store::{
        Store, StoreError,
        digest::{BrokenRow, DisputedRow, FailedRow, LearnedRow, RememberedRow, WantedRow},
        proposals::ProposalRow,
        removals::RemovalRow,
    },
};

/// Below this a thing is said to take no time.
const NO_TIME_MS: f64 = 1.0;

/// Who wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Nobody asked: each thing is told once.
    Morning,
    /// Somebody asked what there is.
    Asked,
}

/// Everything there is to tell, as rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct News {
    /// Kinds of requests that memory answers from now on.
    pub learned: Vec<LearnedRow>,
    /// Requests that memory answers from now on.
    pub remembered: Vec<RememberedRow>,
    /// Answers by rule that somebody said were wrong.
    pub disputed: Vec<DisputedRow>,
    /// What was asked in vain.
    pub wanted: Vec<WantedRow>,
    /// What could not be finished.
    pub failed: Vec<FailedRow>,
    /// Jobs and tasks that did not work.
    pub broken: Vec<BrokenRow>,
    /// What was forgotten.
    pub removed: Vec<RemovalRow>,
    /// Tools that were made and are watched, and what could become one.
    pub proposals: Vec<ProposalRow>,
}

/// One thing a person can decide on, with what is said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Its name.
    pub item: Item,
    /// One below the other.
    pub lines: Vec<Message>,
    /// What is to be decided.
    pub choice: Choice,
}

/// What a thing waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It is there: does it stay?
    Stays,
    /// It could be made: shall it?
    IsMade,
}

/// The same in the order it is told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Digest {
    /// What a person may keep or undo.
    pub learned: Vec<Told>,
    /// What is only told.
    pub rest: Vec<Message>,
}

impl Digest {
    /// Something is newer than what was told.
    pub fn has_news(news: &News) -> bool {
        !(news.learned.is_empty()
            && news.remembered.is_empty()
            && news.disputed.is_empty()
            && news.wanted.is_empty()
            && news.failed.is_empty()
            && news.broken.is_empty()
            && news.removed.is_empty()
            && news.proposals.is_empty())
    }

    /// Nothing to say.
    pub fn is_empty(&self) -> bool {
        self.learned.is_empty() && self.rest.is_empty()
    }

    /// All of it, one line below the other.
    pub fn lines(&self) -> Vec<Message> {
        let mut lines = Vec::new();
        if !self.learned.is_empty() {
            lines.push(Message::new("digest-learned-head"));
            lines.extend(self.learned.iter().flat_map(|told| told.lines.clone()));
            lines.push(Message::new("digest-learned-how"));
        }
        lines.extend(self.rest.iter().cloned());
        lines
    }
}

/// What is new for a person since then; of the whole household without one. In the morning what is asked in vain again
/// and again is told once.
pub async fn gather(store: &Store, actor: Option<&ActorId>, since_ms: i64, look: Look) -> Result<News, StoreError> {
    let wanted = match look {
        Look::Morning => store.newly_wanted(actor, since_ms, DIGEST_NAMED_MAX).await?,
        Look::Asked => store.wanted(actor, since_ms, DIGEST_NAMED_MAX).await?,
    };
    Ok(News {
        learned: store.learned(actor, since_ms).await?,
        remembered: store.remembered(actor, since_ms).await?,
        disputed: store.disputed(actor, since_ms).await?,
        wanted,
        failed: store.failed(actor, since_ms).await?,
        broken: store.broken(actor, since_ms).await?,
        removed: store.removals(actor, since_ms).await?,
        proposals: match actor {
            Some(_) => Vec::new(),
            None => proposals_since(store, since_ms).await?,
        },
    })
}

/// What the host may decide on: tools made since then, what waits for a word since then, ways to what is missing, tools
/// that nobody uses, and those that failed and were taken back.
async fn proposals_since(store: &Store, since_ms: i64) -> Result<Vec<ProposalRow>, StoreError> {
    use ProposalState::{Candidate, Final, Grace, Review, RolledBack, Stopped};
    let states = [Candidate, Grace, Review, Stopped, Final, RolledBack];
    let rows = store.proposals(&states).await?;
    let is_told = |row: &ProposalRow| {
        matches!(row.state, Grace | Review) || is_idle(row) || is_chain(row) || has_failed(row) || needs_name(row)
    };
    let new = rows
        .into_iter()
        .filter(|row| row.changed_ms >= since_ms && is_told(row));
    Ok(new.collect())
}

fn is_idle(row: &ProposalRow) -> bool {
    row.reason == IDLE || row.reason == IDLE_SOON
}

fn is_chain(row: &ProposalRow) -> bool {
    row.kind == ProposalKind::Chain && row.state == ProposalState::Candidate
}

fn has_failed(row: &ProposalRow) -> bool {
    row.reason == FAILED_IN_GRACE
}

fn needs_name(row: &ProposalRow) -> bool {
    row.state == ProposalState::Stopped && row.reason == NEEDS_NAME
}

/// A week ago: what `/digest` looks back on.
pub fn a_week_before(now_ms: i64) -> i64 {
    let back_ms = i64::try_from(DIGEST_LOOKS_BACK.as_millis()).unwrap_or(i64::MAX);
    now_ms.saturating_sub(back_ms)
}

/// In order: what can be decided on first, what was lost last.
pub fn compose(news: &News) -> Digest {
    let mut rest = Vec::new();
    // What is told as a kind of request is not told as one of them again.
    let is_told = |row: &&RememberedRow| news.learned.iter().any(|learned| learned.request == row.request);
    let single: Vec<&RememberedRow> = news.remembered.iter().filter(|row| !is_told(row)).collect();
    remembered(&single, &mut rest);
    told_of_tools(&news.proposals, &mut rest);
    disputed(&news.disputed, &mut rest);
    wanted(&news.wanted, &mut rest);
    failed(&news.failed, &mut rest);
    rest.extend(news.broken.iter().take(DIGEST_NAMED_MAX).map(broken));
    removed(&news.removed, &mut rest);
    Digest {
        learned: tools(&news.proposals)
            .chain(proposed(&news.proposals))
            .chain(news.learned.iter().map(learned))
            .collect(),
        rest,
    }
}

/// Tools that are watched: a person may keep or undo them.
fn tools(rows: &[ProposalRow]) -> impl Iterator<Item = Told> {
    let watched = rows
        .iter()
        .filter(|row| row.state == ProposalState::Grace && !has_failed(row));
    watched.map(|row| {
        let item = Item::Proposal(row.id);
        let line = Message::new("digest-tool")
            .with("item", item.to_string())
            .with("what", proposals::what(row));
        Told {
            item,
            lines: vec![line],
            choice: Choice::Stays,
        }
    })
}

/// What could become a tool, if the host says so.
fn proposed(rows: &[ProposalRow]) -> impl Iterator<Item = Told> {
    let waiting = rows.iter().filter(|row| row.state == ProposalState::Review);
    waiting.take(DIGEST_NAMED_MAX).map(|row| {
        let item = Item::Proposal(row.id);
        let line = Message::new("digest-proposed")
            .with("item", item.to_string())
            .with("what", proposals::what(row));
        Told {
            item,
            lines: vec![line],
            choice: Choice::IsMade,
        }
    })
}

/// What is only told of tools: those that failed, that nobody uses, that lack a name, and ways to what is missing.
fn told_of_tools(rows: &[ProposalRow], lines: &mut Vec<Message>) {
    for row in rows {
        let key = if has_failed(row) && row.state == ProposalState::RolledBack {
            "digest-failed-in-grace"
        } else if has_failed(row) {
            "digest-fails-in-grace"
        } else if row.reason == IDLE_SOON {
            "digest-idle-soon"
        } else if row.reason == IDLE {
            "digest-idle"
        } else if needs_name(row) {
            "digest-needs-name"
        } else if is_chain(row) {
            "digest-chain"
        } else {
            continue;
        };
        let request = proposals::example(row);
        lines.push(
            Message::new(key)
                .with("item", Item::Proposal(row.id).to_string())
                .with("name", row.name.as_str())
                .with("request", request),
        );
    }
}

/// Single requests that memory answers from now on, in one line.
fn remembered(rows: &[&RememberedRow], lines: &mut Vec<Message>) {
    if rows.is_empty() {
        return;
    }
    let named = rows.iter().take(DIGEST_NAMED_MAX);
    let named: Vec<String> = named.map(|row| format!("“{}”", row.request)).collect();
    lines.push(
        Message::new("digest-remembered")
            .with("count", rows.len())
            .with("more", rows.len().saturating_sub(DIGEST_NAMED_MAX))
            .with("requests", named.join(", ")),
    );
}

/// Answers by rule that somebody said were wrong.
fn disputed(rows: &[DisputedRow], lines: &mut Vec<Message>) {
    lines.extend(rows.iter().take(DIGEST_NAMED_MAX).map(|row| {
        Message::new("digest-disputed")
            .with("request", row.request.as_str())
            .with("who", row.who.as_str())
    }));
}

fn broken(row: &BrokenRow) -> Message {
    let why = row
        .why
        .clone()
        .unwrap_or_else(|| Message::new("digest-broken-silently"));
    Message::new("digest-broken")
        .with("name", row.name.as_str())
        .with("times", f64::from(row.times))
        .with("why", why)
}

fn learned(row: &LearnedRow) -> Told {
    let item = Item::Autopath(row.id);
    let head = Message::new("digest-learned")
        .with("item", item.to_string())
        .with("request", row.request.as_str())
        .with("uses", f64::from(row.uses));
    let mut lines = vec![head];
    if let (Some(before), Some(after)) = (row.planned_ms, row.remembered_ms) {
        lines.push(
            Message::new("digest-learned-faster")
                .with("before", duration(before))
                .with("after", duration(after))
                .with(
                    "saved",
                    duration((before - after).max(0.0) * f64::from(row.from_memory)),
                ),
        );
    }
    Told {
        item,
        lines,
        choice: Choice::Stays,
    }
}

/// A span of time as people say it.
pub fn duration(ms: f64) -> Message {
    if ms < NO_TIME_MS {
        Message::new("digest-no-time")
    } else if ms < 1_000.0 {
        Message::new("digest-milliseconds").with("count", ms.round())
    } else if ms < 60_000.0 {
        Message::new("digest-seconds").with("count", (ms / 100.0).round() / 10.0)
    } else {
        Message::new("digest-minutes").with("count", (ms / 60_000.0).round())
    }
}

/// What was asked in vain, one line each; also what `metnos gaps` says.
pub fn wanted(rows: &[WantedRow], lines: &mut Vec<Message>) {
    if rows.is_empty() {
        return;
    }
    lines.push(Message::new("digest-wanted-head"));
    lines.extend(rows.iter().map(|row| {
        Message::new("digest-wanted")
            .with("request", row.request.as_str())
            .with("times", f64::from(row.times))
            .with("people", f64::from(row.people))
    }));
}

fn failed(rows: &[FailedRow], lines: &mut Vec<Message>) {
    if rows.is_empty() {
        return;
    }
    let times: u32 = rows.iter().map(|row| row.times).sum();
    let example = rows.first().map(|row| row.request.as_str()).unwrap_or_default();
    lines.push(
        Message::new("digest-failed")
            .with("times", f64::from(times))
            .with("request", example),
    );
}

fn removed(rows: &[RemovalRow], lines: &mut Vec<Message>) {
    // What became a tool is told of as that.
    let rows: Vec<&RemovalRow> = rows.iter().filter(|row| row.reason != Reason::Promoted).collect();
    let Some(first) = rows.first() else {
        return;
    };
    let first = Item::Removal(first.id).to_string();
    lines.push(Message::new("digest-removed-head"));
    lines.extend(rows.iter().take(DIGEST_NAMED_MAX).map(|row| removal(row)));
    if let Some(more) = rows.len().checked_sub(DIGEST_NAMED_MAX).filter(|more| *more > 0) {
        lines.push(Message::new("digest-removed-more").with("count", more));
    }
    lines.push(Message::new("digest-removed-how").with("item", first));
}

fn removal(row: &RemovalRow) -> Message {
    Message::new("digest-removed")
        .with("item", Item::Removal(row.id).to_string())
        .with("name", called(row))
        .with("reason", why(row))
}

/// The request a removal is called by. Old rows of L1 have only the name of their kind, which says nothing to people.
pub fn called(row: &RemovalRow) -> Message {
    if row.name.contains('|') {
        Message::new("removal-kind")
    } else {
        Message::new("removal-called").with("request", row.name.as_str())
    }
}

/// Why it went, as a part of a sentence.
fn why(row: &RemovalRow) -> Message {
    let heir = || {
        row.heir
            .as_ref()
            .map(|heir| heir.as_str().to_owned())
            .unwrap_or_default()
    };
    match row.reason {
        Reason::NeverReused => Message::new("removal-never-reused"),
        Reason::Stale => Message::new("removal-stale"),
        Reason::OverCap => Message::new("removal-over-cap"),
        Reason::ToolMissing => Message::new("removal-tool-missing"),
        Reason::Promoted => Message::new("removal-promoted").with("heir", heir()),
        Reason::CoveredByName | Reason::CoveredByShortlist => Message::new("removal-covered").with("heir", heir()),
        Reason::WorldChanged => Message::new("removal-world-changed"),
        Reason::Failed => Message::new("removal-failed"),
        Reason::Rejected => Message::new("removal-rejected"),
        Reason::Demoted => Message::new("removal-demoted"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::removal::Layer;

    fn keys(lines: &[Message]) -> Vec<&str> {
        lines.iter().map(|line| line.key.as_str()).collect()
    }

    #[test]
    fn nothing_to_say_is_nothing() {
        let digest = compose(&News::default());
        assert!(digest.is_empty() && digest.lines().is_empty());
    }

    #[test]
    fn what_can_be_decided_on_comes_first_and_what_was_lost_last() {
        let gone = |id: i64| RemovalRow {
            id,
            actor: ActorId::from("host"),
            layer: Layer::Fastpath,
            name: "request".to_owned(),
            reason: Reason::Stale,
            heir: None,
            at_ms: 0,
        };
        let news = News {
            learned: vec![LearnedRow {
                id: 4,
                actor: ActorId::from("host"),
                request: "the bills".to_owned(),
                planned_ms: Some(12_000.0),
                remembered_ms: Some(20.0),
                uses: 9,
                from_memory: 8,
            }],
            wanted: vec![WantedRow {
                request: "book a flight".to_owned(),
                error_class: "no-tool".to_owned(),
                times: 3,
                people: 2,
                wanted: false,
                first_ms: 0,
            }],
            failed: vec![FailedRow {
                ended: "error".to_owned(),
                request: "translate it".to_owned(),
                times: 2,
            }],
            broken: vec![BrokenRow {
                name: "database".to_owned(),
                times: 2,
                why: None,
            }],
            removed: (1..=7).map(gone).collect(),
            ..News::default()
        };
        let digest = compose(&news);
        assert_eq!(
            keys(&digest.lines()),
            [
                "digest-learned-head",
                "digest-learned",
                "digest-learned-faster",
                "digest-learned-how",
                "digest-wanted-head",
                "digest-wanted",
                "digest-failed",
                "digest-broken",
                "digest-removed-head",
                "digest-removed",
                "digest-removed",
                "digest-removed",
                "digest-removed",
                "digest-removed",
                "digest-removed-more",
                "digest-removed-how",
            ]
        );
        assert_eq!(digest.learned[0].item, Item::Autopath(4));
        let faster = &digest.learned[0].lines[1].args;
        assert_eq!(faster["saved"], duration(8.0 * 11_980.0).into());
    }

    #[test]
    fn time_is_said_in_its_unit() {
        for (ms, key) in [
            (0.2, "digest-no-time"),
            (20.0, "digest-milliseconds"),
            (12_345.0, "digest-seconds"),
            (95_840.0, "digest-minutes"),
        ] {
            assert_eq!(duration(ms).key.as_str(), key);
        }
    }
}
