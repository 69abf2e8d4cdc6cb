//! What looks like a time and is none: so many of something, a piece of a code, an idiom. Part of the parser of
//! `language::time`.

use super::{
    parser::Parser,
    senses::{Role, Sense, Small},
    words::Kind,
};

impl Parser<'_> {
    /// "a table for 4" is for so many; "an alarm for 4" is for an hour.
    pub(super) fn is_party(&self, at: usize) -> bool {
        let lasts = self.role(at, Role::Lasting).is_some() && self.role(at, Role::Lasting) == self.role(at, Role::At);
        let is_appointed = |before: usize| self.role(before, Role::Appointed).is_some();
        lasts && !at.checked_sub(1).is_some_and(is_appointed)
    }

    /// Nothing behind a lone number makes it a count of something.
    pub(super) fn may_be_hour(&self, at: usize) -> bool {
        let Some(item) = self.items.get(at) else { return true };
        match item.kind {
            Kind::Sign('.' | ',' | ':' | '-') if item.glued => !self
                .items
                .get(at + 1)
                .is_some_and(|next| next.glued && next.kind == Kind::Digits),
            Kind::Sign(sign) => !matches!(sign, '%' | '/' | '€' | '$' | '°') || !item.glued,
            Kind::Digits => false,
            Kind::Word => {
                let counted = item
                    .senses
                    .iter()
                    .any(|(_, sense)| matches!(sense, Sense::Unit(_) | Sense::Scale(_)));
                let joins = [Small::And, Small::Or, Small::With]
                    .into_iter()
                    .any(|small| self.small(at, small).is_some());
                let timed = !item.senses.is_empty() || joins;
                timed && !counted
            }
        }
    }

    /// "open 24/7": around the clock, unless it is "on 24/7".
    pub(super) fn is_always(&self, at: usize, end: usize) -> bool {
        let folds = self.items.get(at..end).unwrap_or_default().iter();
        let is_led = at.checked_sub(1).is_some_and(|before| self.leads(before));
        folds.map(|item| item.fold.as_str()).eq(["24", "/", "7"]) && !is_led
    }

    /// "il 12,5 %" is an amount, however much its beginning looks like a day, and "for 2026" of "for 2026-10-04" is only
    /// a piece of one.
    pub(super) fn is_cut(&self, end: usize) -> bool {
        let digits = |at: usize| self.items.get(at).is_some_and(|item| item.kind == Kind::Digits);
        let cut = self.glued(end) && matches!(self.sign(end), Some(',' | '.')) && self.glued(end + 1);
        let dash = |at: usize| self.glued(at) && self.sign(at) == Some('-');
        let date = dash(end) && digits(end - 1) && digits(end + 1) && dash(end + 2);
        date || matches!(self.sign(end), Some('%' | '°' | '€' | '$' | '£')) || cut && digits(end - 1) && digits(end + 1)
    }

    /// Digits that are a part of something longer: "v1.2.3", "0.8/15", "ABC-12345", "$10".
    pub(super) fn is_inside_number(&self, at: usize) -> bool {
        let Some(item) = self
            .items
            .get(at)
            .filter(|item| item.kind == Kind::Digits && item.glued)
        else {
            return false;
        };
        let Some(before) = at.checked_sub(1).and_then(|before| self.items.get(before)) else {
            return false;
        };
        match before.kind {
            Kind::Digits => true,
            Kind::Word => {
                !(before.fold.ends_with('\'')
                    || self.month(at - 1).is_some()
                    || self.weekday(at - 1).is_some()
                    || item.fold.is_empty())
            }
            Kind::Sign('.' | '/' | ':' | '-' | '_' | '$' | '€' | '£' | '#' | '+') => {
                before.glued && at >= 2 || matches!(before.kind, Kind::Sign('$' | '€' | '£' | '#' | '+' | '_'))
            }
            Kind::Sign(_) => false,
        }
    }

    /// "i primi di novembre" are its beginning, and no first of the month.
    pub(super) fn is_beginning(&self, at: usize) -> bool {
        self.role(self.past_role(at, Role::The), Role::Start).is_some()
    }

    /// "da 3 a 7 righe" begins like "from 3 o'clock on".
    pub(super) fn is_amount(&self, at: usize, end: usize) -> bool {
        let is_number = self.number(at).is_some_and(|(behind, _)| behind == end);
        let to = self.role(end, Role::To).filter(|_| is_number);
        to.is_some_and(|to| self.number(to).is_some())
    }
}
