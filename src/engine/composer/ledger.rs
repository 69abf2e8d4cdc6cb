//! What a clause asks for beside its values, and what of it the plan answers. Called by the chain for each clause. An
//! order, a number or a choice that was read and that no step took would make the plan do more than was asked, so a
//! clause with such a remainder is never planned.

use super::{Stuck, chain::Chain};
use crate::{
    domain::vocabulary::ShapeRole,
    language::{ClauseReading, Mark},
};

/// Something a clause asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// An order, with the number it cuts to.
    Order,
    /// One of those found, by where it stands.
    Place,
    /// Groups.
    Groups,
    /// One number.
    Measure,
    /// One field.
    Field,
    /// A closed choice.
    Choice(String),
    /// The result of the clause before.
    Earlier,
    /// What is inside a place, not the place.
    Inside,
    /// Whether it is there.
    Existence,
}

/// Everything a clause asks for. What "it" and "the contents" point at matters where something is changed.
pub(super) fn asks(clause: &ClauseReading) -> Vec<Ask> {
    let acts = clause.verb.is_some_and(|verb| verb.shape_role() == ShapeRole::Act);
    let plain = [
        (clause.order.is_some(), Ask::Order),
        (clause.place.is_some(), Ask::Place),
        (clause.group_by.is_some(), Ask::Groups),
        (clause.measure.is_some(), Ask::Measure),
        (clause.projection.is_some(), Ask::Field),
        (clause.is(Mark::Exists), Ask::Existence),
        (acts && clause.is(Mark::Anaphora), Ask::Earlier),
        (acts && clause.is(Mark::Content), Ask::Inside),
    ];
    let plain = plain.into_iter().filter_map(|(asked, ask)| asked.then_some(ask));
    plain.chain(clause.options.iter().cloned().map(Ask::Choice)).collect()
}

impl Chain<'_> {
    /// Notes that a step, or the closing text, answers this.
    pub(super) fn answer(&mut self, ask: Ask) {
        self.answered.push(ask);
    }

    /// Everything the clause asked for must be answered by now.
    pub(super) fn settle(&mut self, clause: &ClauseReading) -> Result<(), Stuck> {
        let answered = std::mem::take(&mut self.answered);
        if asks(clause).iter().all(|ask| answered.contains(ask)) {
            Ok(())
        } else {
            Err(Stuck::missing())
        }
    }
}
