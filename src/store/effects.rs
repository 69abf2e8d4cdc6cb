//! The journal of effects: what a step is about to change is committed before it changes it, and how to take it back
//! after. It is why nothing happens twice across a crash. Written by the plan executor and undo only.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Store, StoreError, from_json, people, to_json};
use crate::domain::{
    ids::{ActorId, ExecutorName, OperationHash, StepId, TurnId},
    run::Reversal,
};

/// A row of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectId(pub i64);

/// An effect that is about to happen.
#[derive(Clone, Debug)]
pub struct NewEffect {
    /// The turn that runs.
    pub turn: TurnId,
    /// The turn in which its request began.
    pub begun_in: TurnId,
    /// The step.
    pub step: StepId,
    /// The executor.
    pub tool: ExecutorName,
    /// What exactly it does.
    pub operation: OperationHash,
    /// For whom.
    pub actor: ActorId,
    /// The change is made in this database, in one transaction with its end here: while it is only begun, it did not
    /// happen.
    pub is_ours: bool,
}

/// Whether an effect may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It may, and is in this row.
    Yes(EffectId),
    /// The person was locked out or erased meanwhile.
    NotLetIn,
}

/// How an effect ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EffectOutcome {
    /// It happened, wholly or in part; how to take it back.
    Done(Vec<Reversal>),
    /// It did not happen.
    Failed,
    /// The executor was stopped in the middle: nobody knows.
    Unknown,
}

/// An effect that can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastEffect {
    /// Its row.
    pub id: EffectId,
    /// The turn in which its request began.
    pub begun_in: TurnId,
    /// The executor.
    pub tool: ExecutorName,
    /// Empty when it cannot be reversed.
    pub reversals: Vec<Reversal>,
}

/// What a request changed and was not taken back since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastChange {
    /// The request that led to it, as far as it is still known.
    pub request: Option<String>,
    /// Its effects, last one first.
    pub effects: Vec<PastEffect>,
}

/// What a turn had begun when the process died.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CutOff {
    /// Effects that ended well before.
    pub done: Vec<ExecutorName>,
    /// Effects of which nobody knows whether they happened.
    pub unknown: Vec<ExecutorName>,
}

impl CutOff {
    /// All that was done is that older changes were taken back: another undo would take back what nobody named.
    #[must_use]
    pub fn has_only_taken_back(&self) -> bool {
        !self.done.is_empty() && self.done.iter().all(|tool| tool.as_str() == "undo_last_turn")
    }
}

impl Store {
    /// Commits that an effect is about to happen. Unless this says yes, it must not. Nothing begins for a person who
    /// was locked out.
    pub async fn effect_begin(&self, effect: NewEffect, now_ms: i64) -> Result<Begun, StoreError> {
        self.write("begin effect", move |tx| {
            if !people::is_let_in(tx, &effect.actor)? {
                return Ok(Begun::NotLetIn);
            }
            tx.execute(
                "INSERT INTO effects (turn, begun_in, step, actor, tool, operation, state, begun_at, ours)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'begun', ?7, ?8)",
                params![
                    effect.turn.as_str(),
                    effect.begun_in.as_str(),
                    effect.step.0,
                    effect.actor.as_str(),
                    effect.tool.as_str(),
                    effect.operation.as_str(),
                    now_ms,
                    effect.is_ours
                ],
            )?;
            Ok(Begun::Yes(EffectId(tx.last_insert_rowid())))
        })
        .await
    }

    /// The same database for the executor of this effect: what it changes is noted here in the same transaction.
    #[must_use]
    pub fn journaling(&self, effect: EffectId) -> Self {
        Self {
            journal: Some(effect),
            ..self.clone()
        }
    }

    /// Commits how an effect ended. One that noted here itself that it happened did, whatever became of its executor.
    pub async fn effect_end(&self, id: EffectId, outcome: EffectOutcome, now_ms: i64) -> Result<(), StoreError> {
        self.write("end effect", move |tx| {
            let (state, reversals) = match &outcome {
                EffectOutcome::Done(reversals) => ("done", to_json(reversals)?),
                EffectOutcome::Failed => ("failed", "[]".to_owned()),
                EffectOutcome::Unknown => ("unknown", "[]".to_owned()),
            };
            tx.execute(
                "UPDATE effects SET state = ?2, reversals = seal(?3), ended_at = ?4
                 WHERE id = ?1 AND NOT (ours = 1 AND state = 'done' AND ?2 <> 'done')",
                params![id.0, state, reversals, now_ms],
            )
            .map(drop)
        })
        .await
    }

    /// What a cut-off turn had begun; what was begun and not ended becomes unknown for good. A change here did not
    /// happen then.
    pub async fn effects_cut_off(&self, turn: &TurnId, now_ms: i64) -> Result<CutOff, StoreError> {
        let turn = turn.clone();
        self.write("effects cut off", move |tx| {
            // Of mail it is known: what no server had heard of did not go out.
            tx.execute(
                "UPDATE effects SET state = 'failed', ended_at = ?2 WHERE turn = ?1 AND state = 'begun'
                     AND EXISTS (SELECT 1 FROM sent_mail m WHERE m.turn = effects.turn AND m.step = effects.step)
                     AND NOT EXISTS (SELECT 1 FROM sent_mail m WHERE m.turn = effects.turn
                                         AND m.step = effects.step AND m.state NOT IN ('written', 'failed'))",
                params![turn.as_str(), now_ms],
            )?;
            tx.execute(
                "UPDATE effects SET state = 'failed', ended_at = ?2 WHERE turn = ?1 AND state = 'begun' AND ours = 1",
                params![turn.as_str(), now_ms],
            )?;
            tx.execute(
                "UPDATE effects SET state = 'unknown', ended_at = ?2 WHERE turn = ?1 AND state = 'begun'",
                params![turn.as_str(), now_ms],
            )?;
            let mut statement = tx.prepare("SELECT tool, state FROM effects WHERE turn = ?1 ORDER BY id")?;
            let mut cut_off = CutOff::default();
            let mut rows = statement.query([turn.as_str()])?;
            while let Some(row) = rows.next()? {
                let tool = ExecutorName::from(row.get::<_, String>(0)?);
                match row.get::<_, String>(1)?.as_str() {
                    "done" => cut_off.done.push(tool),
                    "unknown" => cut_off.unknown.push(tool),
                    _ => {}
                }
            }
            Ok(cut_off)
        })
        .await
    }

    /// The effects of this person's most recent request that had any not taken back yet, last one first. What was tried
    /// in vain comes after all others, tried longest ago first: it keeps nobody from what lies below it.
    pub async fn effects_to_undo(&self, actor: &ActorId) -> Result<Vec<PastEffect>, StoreError> {
        let actor = actor.clone();
        self.read("effects to undo", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, begun_in, tool, unsealed(reversals) FROM effects
                 WHERE actor = ?1 AND state = 'done' AND tool NOT IN ('undo_last_turn', 'request_new_executor')
                   AND begun_in = (SELECT begun_in FROM effects WHERE actor = ?1 AND state = 'done'
                                   AND tool NOT IN ('undo_last_turn', 'request_new_executor')
                                   ORDER BY coalesce(left_at, 0), id DESC LIMIT 1)
                 ORDER BY id DESC",
            )?;
            let rows = statement.query_map([actor.as_str()], past_effect)?;
            rows.collect()
        })
        .await
    }

    /// The last requests of this person that changed something, in the order in which they would be taken back.
    pub async fn changes_to_undo(&self, actor: &ActorId, turns_max: usize) -> Result<Vec<PastChange>, StoreError> {
        let actor = actor.clone();
        self.read("changes to undo", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT e.id, e.begun_in, e.tool, unsealed(e.reversals), t.request FROM effects e
                 LEFT JOIN turns t ON t.id = e.begun_in
                 WHERE e.actor = ?1 AND e.state = 'done' AND e.tool NOT IN ('undo_last_turn', 'request_new_executor')
                 ORDER BY coalesce(e.left_at, 0), e.id DESC",
            )?;
            let mut changes: Vec<PastChange> = Vec::new();
            let mut rows = statement.query([actor.as_str()])?;
            while let Some(row) = rows.next()? {
                let effect = past_effect(row)?;
                let is_of_turn =
                    |change: &PastChange| change.effects.iter().any(|known| known.begun_in == effect.begun_in);
                let known = changes.iter().position(is_of_turn);
                if let Some(change) = known.and_then(|at| changes.get_mut(at)) {
                    change.effects.push(effect);
                } else if changes.len() < turns_max {
                    changes.push(PastChange {
                        request: row.get(4)?,
                        effects: vec![effect],
                    });
                } else {
                    break;
                }
            }
            Ok(changes)
        })
        .await
    }

    /// Whether an undo would take back all that this turn changed, and nothing else.
    pub async fn is_last_change(&self, turn: &TurnId, actor: &ActorId) -> Result<bool, StoreError> {
        let Some(last) = self.changes_to_undo(actor, 1).await?.into_iter().next() else {
            return Ok(false);
        };
        let turn = turn.clone();
        self.read("last change", move |connection| {
            let mut statement = connection.prepare_cached("SELECT DISTINCT begun_in FROM effects WHERE turn = ?1")?;
            let begun = statement.query_map([turn.as_str()], |row| row.get::<_, String>(0).map(TurnId::from))?;
            let begun: Vec<TurnId> = begun.collect::<Result<_, _>>()?;
            let can_go = |effect: &PastEffect| begun.contains(&effect.begun_in) && !effect.reversals.is_empty();
            Ok(last.effects.iter().all(can_go))
        })
        .await
    }

    /// The earliest turn that an undo took back: ↺ under the undo means that one.
    pub async fn taken_back_by(&self, undo: &TurnId, actor: &ActorId) -> Result<Option<TurnId>, StoreError> {
        let (undo, actor) = (undo.clone(), actor.clone());
        self.read("taken back", move |connection| {
            connection
                .prepare_cached(
                    "SELECT e.turn FROM effects e JOIN turns t ON t.id = ?1 AND t.actor = e.actor
                     WHERE e.actor = ?2 AND e.state = 'undone' AND e.ended_at BETWEEN t.started_at AND t.ended_at
                       AND EXISTS (SELECT 1 FROM effects u WHERE u.turn = t.id AND u.tool = 'undo_last_turn')
                       AND coalesce(t.plan_shape, '') LIKE 'undo_last_turn(%'
                     ORDER BY e.id LIMIT 1",
                )?
                .query_row(params![undo.as_str(), actor.as_str()], |row| {
                    row.get::<_, String>(0).map(TurnId::from)
                })
                .optional()
        })
        .await
    }

    /// Whether a turn of this person changed something, or may have, that was not taken back since.
    pub async fn has_standing_effects(&self, turn: &TurnId, actor: &ActorId) -> Result<bool, StoreError> {
        Ok(!self.standing_effects(turn, actor).await?.is_empty())
    }

    /// What this turn changed and what may still stand, last one first.
    pub async fn standing_effects(&self, turn: &TurnId, actor: &ActorId) -> Result<Vec<PastEffect>, StoreError> {
        let (turn, actor) = (turn.clone(), actor.clone());
        self.read("standing effects", move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, begun_in, tool, unsealed(reversals) FROM effects
                 WHERE turn = ?1 AND actor = ?2 AND state IN ('begun', 'done', 'unknown')
                   AND tool NOT IN ('undo_last_turn', 'request_new_executor')
                 ORDER BY id DESC",
            )?;
            let rows = statement.query_map(params![turn.as_str(), actor.as_str()], past_effect)?;
            rows.collect()
        })
        .await
    }

    /// Whether the request that began in this turn has taken changes back.
    pub async fn has_taken_back(&self, begun_in: &TurnId) -> Result<bool, StoreError> {
        let begun_in = begun_in.clone();
        self.read("taken back", move |connection| {
            connection
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM effects
                                    WHERE begun_in = ?1 AND state = 'done' AND tool = 'undo_last_turn')",
                )?
                .query_row([begun_in.as_str()], |row| row.get(0))
        })
        .await
    }

    /// Commits that an effect could not be taken back now.
    pub async fn effect_left(&self, id: EffectId, now_ms: i64) -> Result<(), StoreError> {
        self.write("effect left alone", move |tx| {
            tx.execute("UPDATE effects SET left_at = ?2 WHERE id = ?1", params![id.0, now_ms])
                .map(drop)
        })
        .await
    }

    /// Commits that a part of an effect was taken back: this is left of it, and comes first the next time.
    pub async fn effect_undone_in_part(&self, id: EffectId, left: Vec<Reversal>) -> Result<(), StoreError> {
        self.write("effect undone in part", move |tx| {
            tx.execute(
                "UPDATE effects SET reversals = seal(?2), left_at = NULL WHERE id = ?1",
                params![id.0, to_json(&left)?],
            )
            .map(drop)
        })
        .await
    }

    /// Commits that an effect was taken back: it will not be offered again.
    pub async fn effect_undone(&self, id: EffectId, now_ms: i64) -> Result<(), StoreError> {
        self.write("effect undone", move |tx| {
            tx.execute(
                "UPDATE effects SET state = 'undone', reversals = '[]', ended_at = ?2 WHERE id = ?1",
                params![id.0, now_ms],
            )
            .map(drop)
        })
        .await
    }
}

/// Notes in the transaction of a change that it happened, and how to take it back.
pub(super) fn note(tx: &Transaction<'_>, effect: Option<EffectId>, reversal: Reversal) -> rusqlite::Result<()> {
    let Some(effect) = effect else {
        return Ok(());
    };
    let before: String = tx
        .prepare_cached("SELECT unsealed(reversals) FROM effects WHERE id = ?1")?
        .query_row([effect.0], |row| row.get(0))?;
    let mut reversals: Vec<Reversal> = from_json(&before)?;
    reversals.push(reversal);
    tx.prepare_cached("UPDATE effects SET state = 'done', reversals = seal(?2) WHERE id = ?1 AND ours = 1")?
        .execute(params![effect.0, to_json(&reversals)?])
        .map(drop)
}

fn past_effect(row: &rusqlite::Row<'_>) -> rusqlite::Result<PastEffect> {
    let reversals: String = row.get(3)?;
    Ok(PastEffect {
        id: EffectId(row.get(0)?),
        begun_in: TurnId::from(row.get::<_, String>(1)?),
        tool: ExecutorName::from(row.get::<_, String>(2)?),
        reversals: from_json(&reversals)?,
    })
}
