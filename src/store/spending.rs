//! The ledger of what online providers cost. Money is set aside before a provider is asked, in the transaction that
//! looks whether there is enough, so that two turns at once and a crash in between never spend more than the household
//! allows. Written by `engine::online`.

use rusqlite::{Connection, params};

use super::{Store, StoreError, people};
use crate::domain::{
    ids::{ActorId, TurnId},
    spending::{MicroUsd, Provider},
};

/// A call that is about to be made.
#[derive(Clone, Debug)]
pub struct Intended {
    /// For whom.
    pub actor: ActorId,
    /// In which turn.
    pub turn: TurnId,
    /// Of whom.
    pub provider: Provider,
    /// Which of its models.
    pub model: String,
    /// The most it can cost.
    pub cost_max: MicroUsd,
    /// When, in milliseconds.
    pub at_ms: i64,
}

/// What may be spent, and since when it counts.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// When the day began, in milliseconds.
    pub day_start_ms: i64,
    /// When the month began.
    pub month_start_ms: i64,
    /// Most in a day.
    pub day_max: MicroUsd,
    /// Most in a month.
    pub month_max: MicroUsd,
}

/// What was spent, and set aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Since the day began.
    pub day: MicroUsd,
    /// Since the month began.
    pub month: MicroUsd,
}

/// Whether there was enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetAside {
    /// There was; the row that holds it.
    Yes(i64),
    /// Not enough is left of the day's money.
    DayIsSpent,
    /// Not enough is left of the month's.
    MonthIsSpent,
    /// The person was locked out or erased meanwhile.
    NotLetIn,
}

impl Store {
    /// Sets the most a call can cost aside, if there is enough.
    pub async fn set_aside(&self, call: Intended, budget: Budget) -> Result<SetAside, StoreError> {
        self.write("set money aside", move |tx| {
            if !people::is_let_in(tx, &call.actor)? {
                return Ok(SetAside::NotLetIn);
            }
            let spent = spent_since(tx, budget.day_start_ms, budget.month_start_ms)?;
            let with_it = |spent: MicroUsd| MicroUsd(spent.0.saturating_add(call.cost_max.0));
            if with_it(spent.day) > budget.day_max {
                return Ok(SetAside::DayIsSpent);
            }
            if with_it(spent.month) > budget.month_max {
                return Ok(SetAside::MonthIsSpent);
            }
            tx.execute(
                "INSERT INTO spending (actor, turn, provider, model, at, cost_micro_usd) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    call.actor.as_str(),
                    call.turn.as_str(),
                    call.provider.as_str(),
                    call.model,
                    call.at_ms,
                    column(call.cost_max),
                ],
            )?;
            Ok(SetAside::Yes(tx.last_insert_rowid()))
        })
        .await
    }

    /// Replaces what was set aside by what the call did cost.
    pub async fn settle(&self, row: i64, cost: MicroUsd, tokens_in: u64, tokens_out: u64) -> Result<(), StoreError> {
        self.write("settle a cost", move |tx| {
            tx.execute(
                "UPDATE spending SET cost_micro_usd = ?2, tokens_in = ?3, tokens_out = ?4 WHERE id = ?1",
                params![
                    row,
                    column(cost),
                    i64::try_from(tokens_in).unwrap_or(i64::MAX),
                    i64::try_from(tokens_out).unwrap_or(i64::MAX)
                ],
            )
            .map(drop)
        })
        .await
    }

    /// What the household spent since the day and since the month began.
    pub async fn spent(&self, day_start_ms: i64, month_start_ms: i64) -> Result<Spent, StoreError> {
        self.read("spending", move |connection| {
            spent_since(connection, day_start_ms, month_start_ms)
        })
        .await
    }
}

/// A clock that was set back makes rows of the future; they count, too.
fn spent_since(connection: &Connection, day_start_ms: i64, month_start_ms: i64) -> rusqlite::Result<Spent> {
    let since = |start_ms: i64| {
        connection
            .prepare_cached("SELECT COALESCE(SUM(cost_micro_usd), 0) FROM spending WHERE at >= ?1")?
            .query_row([start_ms], |row| row.get::<_, i64>(0))
            .map(|sum| MicroUsd(u64::try_from(sum).unwrap_or(u64::MAX)))
    };
    Ok(Spent {
        day: since(day_start_ms)?,
        month: since(month_start_ms)?,
    })
}

fn column(amount: MicroUsd) -> i64 {
    i64::try_from(amount.0).unwrap_or(i64::MAX)
}
