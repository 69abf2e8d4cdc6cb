//! Steps that work on what is already there: lines of a text, an order, a number, groups, a summary.
//! Called by the chain after a clause's producer. Which executor does it is found by verb and by the arguments it has.

use serde_json::{Value, json};

use super::{
    SKIP, Stuck,
    arguments::{Filled, allows, offers},
    chain::{Chain, HOME, grammar, text_field},
    ledger::Ask,
    sources::{looks_inside, speaks_of_lines},
};
use crate::{
    domain::{
        kind::Class,
        manifest::{ArgSpec, Feed, Manifest},
        reference::Argument,
        vocabulary::{Object, Qualifier, Verb},
    },
    language::{ClauseReading, Fact, FactKind, Mark, Measure, Order},
};

impl<'a> Chain<'a> {
    /// Everything a clause wants done with the entries or the text.
    pub(super) fn transform(&mut self, clause: &'a ClauseReading) -> Result<(), Stuck> {
        if clause.is(Mark::Exists) {
            return self.existence(clause);
        }
        self.lines(clause)?;
        self.only_folders(clause)?;
        self.narrow(clause)?;
        self.pick(clause)?;
        if let Some(order) = clause.order.as_ref().filter(|_| !self.answered.contains(&Ask::Order)) {
            self.order(order)?;
        }
        if let Some(field) = &clause.group_by {
            self.group(field)?;
            if clause.measure == Some(Measure::Count) {
                // Groups come with their counts.
                self.answer(Ask::Measure);
            }
            return Ok(());
        }
        let listed = self
            .tools()
            .last()
            .is_some_and(|last| grammar(last).0 == Some(Verb::List));
        // "how many files and folders": a search finds no folders.
        let of_folders = clause.nouns.iter().any(|(object, _)| *object == Object::Dirs);
        let sees_folders = self.tools().iter().any(|tool| grammar(tool).1 == Some(Object::Dirs));
        if clause.measure == Some(Measure::Count) && of_folders && !sees_folders {
            return Err(Stuck::missing());
        }
        match clause.measure {
            // A number after a list that was asked for would take the list's place.
            Some(_) if listed => Err(Stuck::missing()),
            // The second of two numbers is computed from what the first one was.
            Some(measure) if self.gave_number() => self.compute_beside(clause, measure),
            Some(Measure::Count) if speaks_of_lines(clause) => self.count_lines(clause),
            // Groups come with their counts.
            Some(Measure::Count)
                if self
                    .tools()
                    .last()
                    .is_some_and(|last| grammar(last).0 == Some(Verb::Group)) =>
            {
                self.answer(Ask::Measure);
                Ok(())
            }
            Some(Measure::Count) => self.compute("count", None),
            Some(Measure::Total) if clause.verb != Some(Verb::Get) => self.compute("sum", Some("size")),
            Some(Measure::Total) | None => Ok(()),
        }
    }

    /// Yes or no, of one thing: of several, "yes" would not say which.
    fn existence(&mut self, clause: &ClauseReading) -> Result<(), Stuck> {
        let tool = self.tools().last().copied().ok_or_else(Stuck::missing)?;
        let last = self.steps.last_mut().filter(|_| clause.facts.len() == 1);
        match (last, tool.arg(IF_THERE)) {
            (Some(step), Some(arg)) => step.args.push((arg.name.clone(), Argument::Literal(json!(true)))),
            _ => return Err(Stuck::missing()),
        }
        self.answer(Ask::Existence);
        self.compute("any", None)
    }

    /// "how many are there, and how big are they in total": two numbers of the same things, one beside the other.
    fn compute_beside(&mut self, clause: &ClauseReading, measure: Measure) -> Result<(), Stuck> {
        let source = self.steps.last().and_then(|step| step.from_step);
        let more = !clause.facts.is_empty() || clause.order.is_some() || self.closing.is_some();
        let (Some(source), false, Measure::Total) = (source, more, measure) else {
            return Err(Stuck::SecondSource);
        };
        self.compute_from(source, "sum", Some("size"))
    }

    /// One number is all that is left of the entries, or all that will be said.
    pub(super) fn gave_number(&self) -> bool {
        let computed = |last: &&Manifest| grammar(last).0 == Some(Verb::Compute);
        self.closing.is_some() || self.tools().last().is_some_and(computed)
    }

    /// A presenter closes the chain.
    pub(super) fn present(&mut self, clause: &ClauseReading, verb: Verb) -> Result<(), Stuck> {
        let manifest = self.consumer(verb, |_| true).ok_or_else(|| Stuck::at(&clause.word))?;
        self.follow(manifest, Filled::default())?;
        self.closed = true;
        Ok(())
    }

    /// Reads what a search found.
    pub(super) fn read_found(&mut self, clause: &ClauseReading) -> Result<(), Stuck> {
        let found_files = |tool: &&Manifest| grammar(tool).1 == Some(Object::Files);
        if !self.tools().first().is_some_and(found_files) {
            return Err(Stuck::at(&clause.word));
        }
        let reads_files =
            |manifest: &Manifest| grammar(manifest).1 == Some(Object::Files) && text_field(manifest).is_some();
        let manifest = self
            .consumer(Verb::Read, reads_files)
            .ok_or_else(|| Stuck::at(&clause.word))?;
        let mut filled = Filled::default();
        // "the recipe" is one file: of several the person says which.
        let title = self
            .reading
            .facts_of(clause)
            .any(|(_, fact)| fact.kind == FactKind::Title);
        if let Some(only) = manifest.arg(ONLY).filter(|_| title) {
            filled.set(&only.name, json!(true));
        }
        self.follow(manifest, filled)
    }

    /// What a text says, for a question: the lines about its matter and those beside them, and whether things stand
    /// there.
    pub(super) fn looked_up(&mut self, facts: &[(usize, &Fact)]) -> Result<(), Stuck> {
        for (kind, arg) in [(FactKind::Matter, AROUND), (FactKind::Listed, THINGS)] {
            let Some((index, fact)) = facts.iter().find(|(_, fact)| fact.kind == kind) else {
                continue;
            };
            let knows = |manifest: &Manifest| manifest.arg(arg).is_some();
            let manifest = self.consumer(Verb::Filter, knows).ok_or_else(Stuck::missing)?;
            let mut filled = Filled::default();
            filled.set(arg, fact.value.clone());
            filled.used.push(*index);
            self.follow(manifest, filled)?;
        }
        Ok(())
    }

    /// The consumer with this verb that `fits`, by name when there are several.
    pub(super) fn consumer(&self, verb: Verb, fits: impl Fn(&Manifest) -> bool) -> Option<&'a Manifest> {
        self.catalog
            .iter()
            .map(|manifest| &**manifest)
            .filter(|manifest| grammar(manifest).0 == Some(verb) && manifest.feed != Feed::None && fits(manifest))
            .min_by_key(|manifest| manifest.name.as_str())
    }

    /// Adds a step that is fed by the last one.
    pub(super) fn follow(&mut self, manifest: &'a Manifest, filled: Filled) -> Result<(), Stuck> {
        let Some(last) = self.last() else {
            return Err(Stuck::missing());
        };
        if !filled.is_enough_for(manifest, true) {
            return Err(Stuck::missing());
        }
        if self.gave_number() {
            return Err(Stuck::SecondSource);
        }
        self.push(manifest, Some(last), filled);
        Ok(())
    }

    /// "the last three lines", "lines containing foo".
    pub(super) fn lines(&mut self, clause: &'a ClauseReading) -> Result<(), Stuck> {
        let facts = self.free_facts(clause);
        let wanted: Vec<_> = facts
            .iter()
            .filter(|(_, fact)| {
                let without = FactKind::NotQuery;
                matches!(fact.kind, FactKind::Count | FactKind::Query | FactKind::NamePart) || fact.kind == without
            })
            .filter(|(_, fact)| fact.kind != FactKind::NamePart || speaks_of_lines(clause))
            .collect();
        let counts = clause.measure == Some(Measure::Count);
        let inside = looks_inside(self.reading, clause);
        if !(speaks_of_lines(clause) || inside) || wanted.is_empty() && !counts {
            return Ok(());
        }
        if self.tools().last().and_then(|manifest| text_field(manifest)).is_none() {
            return Err(Stuck::missing());
        }
        let by_lines = |manifest: &Manifest| manifest.qualifier == Some(Qualifier::Lines);
        let manifest = self
            .consumer(Verb::Filter, by_lines)
            .ok_or_else(|| Stuck::at(&clause.word))?;
        // "the first of a and the last of b" are two questions; of one text they would leave nothing.
        let sides = wanted.iter().filter(|(_, fact)| fact.value.get("side").is_some());
        if sides.count() > 1 {
            return Err(Stuck::SecondSource);
        }
        let mut filled = Filled::default();
        for (index, fact) in wanted {
            let side = fact.value.get("side").and_then(Value::as_str);
            let arg = match side {
                Some(side) => manifest.arg(side),
                None if fact.kind == FactKind::NotQuery => manifest.arg(WITHOUT),
                None => manifest.arg_of(Class::Words),
            };
            let Some(arg) = arg.filter(|arg| !filled.has(&arg.name)) else {
                continue;
            };
            let value = fact.value.get("count").unwrap_or(&fact.value);
            filled.set(&arg.name, value.clone());
            filled.used.push(*index);
        }
        self.single = false;
        self.follow(manifest, filled)
    }

    /// How many lines there are, as the executor that cut them counted.
    fn count_lines(&mut self, clause: &ClauseReading) -> Result<(), Stuck> {
        let (Some(last), Some(tool)) = (self.last(), self.tools().last().copied()) else {
            return Err(Stuck::missing());
        };
        // The lines of each file by itself are many numbers.
        if clause.is(Mark::Each) || !tool.result_fields.iter().any(|field| field == "count") {
            return Err(Stuck::missing());
        }
        self.closing = Some(format!("${{step{last}.count}}"));
        self.answer(Ask::Measure);
        Ok(())
    }

    /// A field that the producer's entries have. Whoever asks for sizes wants those of folders to be what is in them.
    pub(super) fn need_field(&mut self, field: &str) -> Result<(), Stuck> {
        if field == SIZE {
            self.weigh_folders();
        }
        let known = self
            .tools()
            .iter()
            .any(|manifest| manifest.entry_fields.iter().any(|own| own == field));
        if known { Ok(()) } else { Err(Stuck::at(field)) }
    }

    fn weigh_folders(&mut self) {
        let steps = self.steps.iter_mut().zip(&self.tools).skip(self.start);
        for (step, _) in steps.filter(|(_, tool)| tool.arg(TOTALS).is_some()) {
            if !step.args.iter().any(|(name, _)| name == TOTALS) {
                step.args.push((TOTALS.to_owned(), Argument::Literal(json!(true))));
            }
        }
    }

    pub(super) fn order(&mut self, order: &Order) -> Result<(), Stuck> {
        self.need_field(&order.field)?;
        if self.gave_number() {
            return Err(Stuck::SecondSource);
        }
        // "the biggest … and the smallest" are not one of the other, and one thing has no order.
        if self.single || self.cut.as_ref() == Some(&order.field) {
            return Err(Stuck::SecondSource);
        }
        if order.top.is_some() || order.skip > 0 {
            self.cut = Some(order.field.clone());
        }
        self.keep_extremes(order);
        self.single = order.top == Some(1);
        self.uncut = order.top.is_none() && order.skip == 0;
        self.answer(Ask::Order);
        if self.preference.inline_order && order.skip == 0 && self.order_inline(order) {
            return Ok(());
        }
        let manifest = self
            .consumer(Verb::Sort, |manifest| manifest.arg_of(Class::Column).is_some())
            .ok_or_else(|| Stuck::at(&order.field))?;
        let mut filled = Filled::default();
        if let Some(by) = manifest.arg_of(Class::Column) {
            filled.set(&by.name, json!(order.field));
        }
        match manifest.arg("desc") {
            Some(desc) => filled.set(&desc.name, json!(order.desc)),
            None if order.desc => return Err(Stuck::at(&order.field)),
            None => {}
        }
        if let Some(top) = order.top {
            let arg = manifest.arg_of(Class::Number).ok_or_else(|| Stuck::at(&order.field))?;
            filled.set(&arg.name, json!(top));
        }
        if order.skip > 0 {
            let arg = manifest.arg(SKIP).ok_or_else(|| Stuck::at(&order.field))?;
            filled.set(&arg.name, json!(order.skip));
        }
        self.follow(manifest, filled)
    }

    /// A whole home may hold more files than a step may give: those the order asks for must be among them.
    fn keep_extremes(&mut self, order: &Order) {
        let picks = order.top.is_some() || order.skip > 0;
        let Some(step) = self.steps.last_mut().filter(|_| picks) else {
            return;
        };
        let home = Argument::Literal(json!(HOME));
        let kept = match (order.field.as_str(), order.desc) {
            (SIZE, true) => "largest",
            (SIZE, false) => "smallest",
            (MTIME, true) => "newest",
            (MTIME, false) => "oldest",
            _ => return,
        };
        let arg = self
            .tools
            .last()
            .and_then(|tool| tool.arg(KEEP))
            .filter(|arg| offers(arg, kept));
        if let Some(arg) = arg
            && step.args.iter().any(|(_, argument)| *argument == home)
        {
            step.args.push((arg.name.clone(), Argument::Literal(json!(kept))));
        }
    }

    /// Lets the producer sort, if it has a field to sort by, largest first, and can cut.
    fn order_inline(&mut self, order: &Order) -> bool {
        let Some(manifest) = self.tools().last().copied() else {
            return false;
        };
        let Some(step) = self.steps.last_mut() else {
            return false;
        };
        let by = manifest
            .args
            .iter()
            .find(|arg| offers(arg, &order.field) && is_sort_key(arg));
        // Names come from A by themselves: from Z is another order.
        let (Some(by), true) = (by, order.desc && order.field != NAME) else {
            return false;
        };
        let mut extra = vec![(by.name.clone(), json!(order.field))];
        if let Some(top) = order.top {
            let Some(arg) = manifest.arg_of(Class::Number) else {
                return false;
            };
            extra.push((arg.name.clone(), json!(top)));
        }
        if extra
            .iter()
            .any(|(name, _)| step.args.iter().any(|(known, _)| known == name))
        {
            return false;
        }
        let extra = extra.into_iter().map(|(name, value)| (name, Argument::Literal(value)));
        step.args.extend(extra);
        true
    }

    fn group(&mut self, field: &str) -> Result<(), Stuck> {
        self.need_field(field)?;
        let manifest = self
            .consumer(Verb::Group, |manifest| manifest.arg_of(Class::Column).is_some())
            .ok_or_else(|| Stuck::at(field))?;
        let mut filled = Filled::default();
        let by = manifest.arg_of(Class::Column).filter(|by| allows(by, field));
        filled.set(&by.ok_or_else(|| Stuck::at(field))?.name, json!(field));
        self.single = false;
        self.answer(Ask::Groups);
        self.follow(manifest, filled)
    }

    fn compute(&mut self, operation: &str, field: Option<&str>) -> Result<(), Stuck> {
        let last = self.last().ok_or_else(Stuck::missing)?;
        if self.gave_number() {
            return Err(Stuck::SecondSource);
        }
        self.compute_from(last, operation, field)
    }

    fn compute_from(&mut self, source: u32, operation: &str, field: Option<&str>) -> Result<(), Stuck> {
        if let Some(field) = field {
            self.need_field(field)?;
        }
        let does = |manifest: &Manifest| manifest.args.iter().any(|arg| offers(arg, operation));
        let manifest = self.consumer(Verb::Compute, does).ok_or_else(|| Stuck::at(operation))?;
        let mut filled = Filled::default();
        if let Some(arg) = manifest.args.iter().find(|arg| offers(arg, operation)) {
            filled.set(&arg.name, json!(operation));
        }
        if let Some(field) = field {
            let key = manifest.arg_of(Class::Column).ok_or_else(|| Stuck::at(field))?;
            filled.set(&key.name, json!(field));
        }
        self.single = false;
        self.answer(Ask::Measure);
        if !filled.is_enough_for(manifest, true) {
            return Err(Stuck::missing());
        }
        self.push(manifest, Some(source), filled);
        Ok(())
    }
}

/// The switch that leaves out what is not there.
const IF_THERE: &str = "if_there";
/// The switch that gives folders the size of what is in them, and the field it is about.
const TOTALS: &str = "totals";
const SIZE: &str = "size";
pub(super) const MTIME: &str = "mtime";
const NAME: &str = "name";
/// How many it takes.
pub(super) const TOP: &str = "top";
/// The choice of a producer which ones it keeps of too many.
const KEEP: &str = "keep";

/// The switch of a reader that reads one file only.
const ONLY: &str = "only_one";
/// The argument for things that lines are about.
const THINGS: &str = "things";
/// The argument for words of which some stand in a line or beside it.
const AROUND: &str = "around";
/// The argument for what a line must not contain.
const WITHOUT: &str = "without";

/// A closed list of fields to sort by.
fn is_sort_key(arg: &ArgSpec) -> bool {
    matches!(arg.class(), Class::Column | Class::Choice) && arg.name.contains("sort")
}
