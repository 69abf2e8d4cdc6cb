//! A message that means little alone and goes on with the request before it: "delete them", "how many are they?", "and
//! in ~/photos?", "and eggs" for the same list. It becomes one request that stands for itself, which then is planned,
//! judged and remembered as if it had been said at once. Called by the runtime before a turn begins.
//!
//! It never does again what changed something, and never guesses: the plan of the whole must begin with the plan of the
//! first, differ from it in one value, show its list, or change the lines of that and nothing else.

use std::sync::Arc;

use jiff::Zoned;

use super::{
    Engine,
    composer::{self, Composition},
    hosted,
    patterns::PatternMatch,
};
use crate::{
    catalog::Catalog,
    config::EngineChoice,
    domain::{
        actor::Actor,
        dialogue::{FILE, LIST, Listed},
        lang::Lang,
        limits::REQUEST_CHARS_MAX,
        plan::{Plan, Proposed, Step},
        vocabulary::Verb,
    },
    language::{Choice, ClauseReading, Fact, FactKind, Language, Mark, Reading},
    store::turns::LastRequest,
};

/// What a message is that goes on with the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowUp {
    /// This request, as if it had been said at once.
    Whole(String),
    /// This request in the place of the one before, of which it puts one value right.
    Instead(String),
    /// It speaks of what was found, and nobody can say which of it.
    Unclear,
}

/// The argument with the places beside the first one.
const MORE_PLACES: &str = "also_in";

impl Engine {
    /// The request that `text` completes, after `before` was answered; `None` when it stands for itself or completes
    /// nothing.
    pub fn whole_request(&self, before: &LastRequest, text: &str, actor: &Actor, now: &Zoned) -> Option<FollowUp> {
        let is_thing = |listed: &Listed| !listed.is_empty() && !listed.is_at_home();
        let shows_things = is_thing(&before.dialogue.listed) || is_thing(&before.dialogue.touched);
        let goes_on = || {
            let amended = self.amended(before, text, actor, now);
            let completed = || self.completed(before, text, actor, now);
            // What has no path of its own is no part of a text: whoever reads the message knows it by what was shown.
            amended.or_else(|| if shows_things { None } else { completed() })
        };
        let follow_up = self.is_for_code(text, actor).then(goes_on).flatten()?;
        let is_short = match &follow_up {
            FollowUp::Whole(whole) | FollowUp::Instead(whole) => whole.chars().count() <= REQUEST_CHARS_MAX,
            FollowUp::Unclear => true,
        };
        is_short.then_some(follow_up)
    }

    /// Whether code says what a message goes on with. The model alone is told what came before and says so itself; what
    /// a rule answers stands for itself.
    fn is_for_code(&self, text: &str, actor: &Actor) -> bool {
        let by_rule = self.by_rule(text, actor);
        self.choice != EngineChoice::Metis && matches!(by_rule, PatternMatch::Miss | PatternMatch::Decline(_))
    }

    /// What nobody understood is put right before what was answered.
    fn amended(&self, before: &LastRequest, text: &str, actor: &Actor, now: &Zoned) -> Option<FollowUp> {
        if !self.language.corrects(text, now) {
            return None;
        }
        let with_value = |before: &str| self.with_value(before, text, actor, now);
        let failed = before
            .dialogue
            .failed
            .as_deref()
            .and_then(with_value)
            .map(FollowUp::Whole);
        failed.or_else(|| with_value(&before.text).map(FollowUp::Instead))
    }

    fn completed(&self, before: &LastRequest, text: &str, actor: &Actor, now: &Zoned) -> Option<FollowUp> {
        let home = self.home_for(actor);
        let read = |text: &str| self.language.read_at_home(text, actor.lang, now, &home);
        let catalog = self.catalog.current();
        if let Some(whole) = self.of_listed(before, text, actor, now, &read) {
            return Some(FollowUp::Whole(whole));
        }
        // Asked first: nearly every message stands for itself.
        let own = read(text);
        // "those in downloads" names no things of its own.
        let says_what = |clause: &ClauseReading| !clause.word.is_empty();
        let points = own.clauses.iter().any(|clause| clause.is(Mark::Anaphora)) && !own.clauses.iter().any(says_what);
        let own_plan = composed(&own, &catalog);
        // "move the biggest to docs" may be one of those found; "delete the file" asks which, whatever was found.
        let takes_one = |clause: &ClauseReading| clause.order.is_some() || clause.place.is_some();
        let asks = own_plan.as_ref().is_some_and(asks_back) && own.clauses.iter().any(takes_one);
        let is_whole = own_plan.is_some() && !asks;
        let only_points = is_whole && points;
        let may_choose = self.language.may_choose(&own);
        let stands_alone = is_whole && !points && !is_of_those(&own, before);
        let may_be_line = takes_off_by_name(&own);
        if own.scheduled || stands_alone && may_choose.is_none() && !may_be_line {
            return None;
        }
        let first = spoken_of(before, actor.lang, &self.language, &read, &catalog);
        let looked = composed(&first, &catalog).filter(|plan| catalog.only_looks(plan) && first.lang == own.lang);
        let may_give = |plan: &&Plan<Proposed>| gives_entries(plan) || gives_count(plan) && own.measures();
        if let (Some(how), Some(plan)) = (may_choose, looked.as_ref().filter(may_give)) {
            match self.chosen((&first, plan), &own, how, &read) {
                Some(whole) => return Some(FollowUp::Whole(whole)),
                // What cannot be told of those found is never looked for anywhere else.
                None if how == Choice::Said && !is_other_end(&first, &own) => return Some(FollowUp::Unclear),
                None => {}
            }
        }
        let of_list = || self.of_its_list(&first, &own, is_whole && !may_be_line, now, &read);
        if let Some(whole) = (!stands_alone || may_be_line).then(of_list).flatten() {
            return Some(FollowUp::Whole(whole));
        }
        if stands_alone {
            return None;
        }
        if !own.unaccounted.is_empty() || own.clauses.iter().any(|clause| clause.is(Mark::Negated)) {
            return None;
        }
        let plan = looked?;
        // "and in ~/photos?", "the pdf files", "last week?", "those in ~/photos": nothing of what to do.
        let is_value = |clause: &ClauseReading| {
            !says_what(clause) && is_of_the_same(clause, &first) && (points || !clause.is(Mark::Anaphora))
        };
        let is_other_value = |whole: &String| {
            let other = composed(&read(whole), &catalog);
            other.is_some_and(|other| other.shape() == plan.shape() && other != plan)
        };
        let other_value = first
            .with_value_of(&own, &|_| Some(true))
            .filter(|_| own.clauses.iter().all(is_value));
        let next_step = || {
            let (mut first, mut plan) = (first.clone(), plan.clone());
            loop {
                let whole = self.language.joined(&first.original, text, own.lang);
                let goes_further = |longer: &Plan<Proposed>| begins_with(longer, &plan) && !(asks && asks_back(longer));
                if composed(&read(&whole), &catalog).as_ref().is_some_and(goes_further) {
                    return Some(whole);
                }
                // "how many are they?", "delete them": what only told something of them is over.
                first = read(&without_telling(&first)?);
                plan = composed(&first, &catalog)?;
            }
        };
        let whole = other_value
            .filter(is_other_value)
            .or_else(|| if only_points { None } else { next_step() });
        // "the ones in ~/docs" are none by themselves.
        let unclear = (only_points && gives_entries(&plan)).then_some(FollowUp::Unclear);
        whole.map(FollowUp::Whole).or(unclear)
    }

    /// The request that waits for an answer with the value in it that a message puts right.
    pub fn put_right(&self, before: &str, text: &str, actor: &Actor, now: &Zoned) -> Option<String> {
        let may_be = self.language.corrects(text, now) && self.is_for_code(text, actor);
        may_be.then(|| self.with_value(before, text, actor, now)).flatten()
    }

    /// The request with the value in it that a message puts right: "anzi facciamo 8", "no, to archive". Only where it
    /// is still one of the same kind.
    fn with_value(&self, before: &str, text: &str, actor: &Actor, now: &Zoned) -> Option<String> {
        let home = self.home_for(actor);
        let read = |text: &str| self.language.read_at_home(text, actor.lang, now, &home);
        let first = read(before);
        let root = self.home_of(actor);
        let there = |path: &str| {
            let path = root.join(path.trim_start_matches("~/"));
            (!path.is_dir()).then(|| path.is_file())
        };
        let whole = self.language.amended(&first, text, now, &read, &there)?;
        let is_other = whole != before;
        let whole_reading = read(&whole);
        let later = |reading: &Reading| {
            let asked = self.asking.read(reading, &self.language, now, &|_| true);
            asked.map(|(asked, _)| std::mem::discriminant(&asked))
        };
        let catalog = self.catalog.current();
        // Of several changes some may stand already.
        let changes = |step: &Step| {
            catalog
                .get(&step.tool)
                .is_none_or(|tool| tool.effect.changes_something())
        };
        let changes_once = |plan: &Plan<Proposed>| plan.steps.iter().filter(|step| changes(step)).count() <= 1;
        let shape = |reading: &Reading| {
            composed(reading, &catalog)
                .filter(changes_once)
                .map(|plan| plan.shape())
        };
        let is_whole_before = composed(&first, &catalog).is_none_or(|plan| changes_once(&plan));
        let is_like = match (self.by_rule(before, actor), self.by_rule(&whole, actor)) {
            (PatternMatch::Hit(one), PatternMatch::Hit(other)) => one.is_like(&other),
            _ => match (later(&first), later(&whole_reading)) {
                (None, None) => shape(&whole_reading).is_some_and(|other| shape(&first).is_none_or(|one| one == other)),
                (one, other) => one == other,
            },
        };
        (is_other && is_whole_before && is_like).then_some(whole)
    }

    /// The message with the files in it that were listed: "open the second", "delete it" behind "open the second", "and
    /// the third?".
    fn of_listed(
        &self,
        before: &LastRequest,
        text: &str,
        actor: &Actor,
        now: &Zoned,
        read: &dyn Fn(&str) -> Reading,
    ) -> Option<String> {
        let whole = self
            .language
            .of_listed(&before.text, before.dialogue.counted(FILE)?, text, actor.lang, now)?;
        let reading = read(&whole);
        let plan = composed(&reading, &self.catalog.current())?;
        // "add the first to the shopping list" means its name, or what is in it; "find the first" means no name.
        let writes = reading.clauses.iter().any(|clause| clause.verb == Some(Verb::Write));
        let searches = plan.steps.iter().any(|step| step.verb() == Some(Verb::Find));
        (!writes && !searches).then_some(whole)
    }

    /// The request for those that the message chooses among what `plan` found.
    fn chosen(
        &self,
        (first, plan): (&Reading, &Plan<Proposed>),
        own: &Reading,
        how: Choice,
        read: &dyn Fn(&str) -> Reading,
    ) -> Option<String> {
        let whole = self.language.chosen(first, own, how)?;
        let narrower = composed(&read(&whole), &self.catalog.current());
        // A request that cannot be planned says in its own words what it lacks.
        let is_said = how == Choice::Said && !is_other_end(first, own);
        let chooses = narrower.map_or(is_said, |narrower| narrower != *plan && narrows(&narrower, plan));
        Some(whole).filter(|_| chooses)
    }

    /// The request about the list that one before spoke of: "read it", "clear it", "no, oat milk", "and eggs".
    fn of_its_list(
        &self,
        first: &Reading,
        own: &Reading,
        is_whole: bool,
        now: &Zoned,
        read: &dyn Fn(&str) -> Reading,
    ) -> Option<String> {
        let catalog = self.catalog.current();
        let about_list = self.language.about_its_list(first, own, now);
        if let Some(whole) = about_list.filter(|whole| is_of_list(first, &read(whole), &catalog)) {
            return Some(whole);
        }
        let changes_list = |whole: &String| {
            let whole = read(whole);
            whole.clauses.iter().all(ClauseReading::changes_lines) && composed(&whole, &catalog).is_some()
        };
        let may_be_line = !is_whole && !own.was_question && own.times.is_empty();
        let ways = [false, true].into_iter().filter(|_| may_be_line);
        let mut wholes = ways.filter_map(|again| self.language.of_its_list(first, &own.original, again));
        wholes.find(changes_list)
    }
}

/// The request before; where it changed a list in words that no rule reads, the one to read that list.
fn spoken_of(
    before: &LastRequest,
    lang: Lang,
    language: &Language,
    read: &dyn Fn(&str) -> Reading,
    catalog: &Arc<Catalog>,
) -> Reading {
    let first = read(&before.text);
    let touched = before.dialogue.touched.of(LIST).and_then(|lists| lists.at(1));
    let list = touched.filter(|_| composed(&first, catalog).is_none());
    list.map_or(first, |list| read(&language.reading_list(list, lang)))
}

/// "and the folders in ~/photos?" are other things than the files before.
fn is_of_the_same(clause: &ClauseReading, first: &Reading) -> bool {
    let of_nothing = first.clauses.iter().all(|first| first.nouns.is_empty());
    let has = |noun: &_| first.clauses.iter().any(|first| first.nouns.contains(noun));
    of_nothing || clause.nouns.iter().all(has)
}

/// "open the txt" behind "what's in ~/docs": things of a kind that the list has, which are said to be nowhere else.
fn is_of_those(own: &Reading, before: &LastRequest) -> bool {
    let ([clause], Some(listed)) = (own.clauses.as_slice(), before.dialogue.counted(FILE)) else {
        return false;
    };
    let takes = matches!(clause.verb, Some(Verb::Read | Verb::Send)) && !clause.word.is_empty();
    let is_listed = |fact: &Fact| {
        let endings = fact.text().trim_start_matches("*.").trim_matches(['{', '}']);
        let has = |path: &String| {
            path.rsplit_once('.')
                .is_some_and(|(_, own)| endings.split(',').any(|one| one == own))
        };
        fact.kind == FactKind::Glob && listed.ids.iter().any(has)
    };
    takes && clause.order.is_none() && !own.facts.is_empty() && own.facts.iter().all(is_listed)
}

/// "remove the bread", after milk and bread were added: something on that list, and no file that is called so.
fn takes_off_by_name(own: &Reading) -> bool {
    let takes_off = |clause: &ClauseReading| clause.verb == Some(Verb::Delete);
    !own.by_name.is_empty() && own.clauses.iter().all(takes_off)
}

/// "And the smallest?" behind "what is the biggest file?" is the same with the other end.
fn is_other_end(first: &Reading, own: &Reading) -> bool {
    let is_ordered = |reading: &Reading| reading.clauses.iter().any(|clause| clause.order.is_some());
    is_ordered(first) && is_ordered(own)
}

/// Whether a plan is not all there: "move the biggest" asks where.
pub(super) fn asks_back<S>(plan: &Plan<S>) -> bool {
    plan.steps.iter().any(|step| step.tool.as_str() == hosted::ASK)
}

/// Whether a plan does more than this one, which it begins with.
fn begins_with(longer: &Plan<Proposed>, plan: &Plan<Proposed>) -> bool {
    longer.steps.len() > plan.steps.len() && longer.steps.starts_with(&plan.steps)
}

/// Whether what a plan ends with are things to choose from.
fn gives_entries(plan: &Plan<Proposed>) -> bool {
    let last = plan.steps.last().and_then(Step::verb);
    matches!(last, Some(Verb::Find | Verb::List | Verb::Filter | Verb::Sort))
}

/// Whether a plan ends with how many there are.
fn gives_count(plan: &Plan<Proposed>) -> bool {
    plan.steps.last().and_then(Step::verb) == Some(Verb::Compute)
}

/// Whether a plan chooses among what this one finds: by further steps, or in its steps themselves, or in another place.
fn narrows(longer: &Plan<Proposed>, plan: &Plan<Proposed>) -> bool {
    let same = |one: &Step, other: &Step| {
        // Fewer places are narrower, too.
        let mut args = other.args.iter().filter(|(name, _)| name.as_str() != MORE_PLACES);
        one.tool == other.tool && args.all(|(name, _)| one.args.iter().any(|(own, _)| own == name))
    };
    let mut pairs = longer.steps.iter().zip(&plan.steps);
    longer.steps.len() >= plan.steps.len() && pairs.all(|(one, other)| same(one, other))
}

/// "read it", "clear it", "no, oat milk": whether all that is done is done to the list of before.
fn is_of_list(first: &Reading, whole: &Reading, catalog: &Arc<Catalog>) -> bool {
    let acts = |clause: &ClauseReading| clause.changes_lines() || clause.clears_lines();
    let lists = |reading: &Reading| -> Vec<Fact> {
        let paths = reading.facts.iter().filter(|fact| fact.kind == FactKind::Path);
        paths.cloned().collect()
    };
    let own = lists(first);
    let is_same = |other: &Fact| own.iter().all(|own| other.value == own.value && own.one_of.is_empty());
    let plan = composed(whole, catalog).filter(|_| lists(whole).iter().all(is_same));
    plan.is_some_and(|plan| catalog.only_looks(&plan) || whole.clauses.iter().all(acts))
}

/// The request without its last clause, if that one read or counted what was there and chose nothing of it.
fn without_telling(reading: &Reading) -> Option<String> {
    let (last, before) = reading.clauses.split_last()?;
    let tells = last.measure.is_some() || last.verb == Some(Verb::Read);
    let takes_some = last.order.is_some() || last.group_by.is_some() || last.is(Mark::Only);
    let chooses = !last.facts.is_empty() || takes_some;
    let end = before.last().filter(|_| tells && !chooses)?.span.end;
    reading.original.get(..end).map(str::to_owned)
}

fn composed(reading: &Reading, catalog: &Arc<Catalog>) -> Option<Plan<Proposed>> {
    match composer::compose(reading, catalog.all(), &[]) {
        Composition::Plan(plan) => Some(plan).filter(|_| !reading.scheduled),
        Composition::Unsure { .. }
        | Composition::Several
        | Composition::NotThere(_)
        | Composition::NoDomain(_)
        | Composition::Excluded => None,
    }
}
