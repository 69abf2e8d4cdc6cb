//! Walks over the items of a sentence and takes the longest time that begins at each. Used by `language::time`; what
//! one time is made of is in `atoms`, `clocks`, `cycles`, `dates`, `ranges` and `numbers`.

use std::cell::RefCell;

use jiff::{Zoned, civil::Date};

use super::{
    Conventions, Form, Mention, Part, Recurrence, Unit,
    senses::{Role, Sense, Small},
    spec::{Anchor, Bound, Length, Spec},
    words::{Item, Kind, Words},
};

/// A time of a sentence before it is resolved.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Point(Spec),
    Range(Spec, Spec),
    /// So long from a time on.
    Stretch(Spec, Length),
    Length(Length),
    Again(Recurrence),
    /// From now until so long after it.
    Within(Length),
}

/// One sentence, and what its times are resolved against.
pub(super) struct Parser<'a> {
    pub(super) items: &'a [Item],
    pub(super) words: &'a Words,
    pub(super) now: &'a Zoned,
    pub(super) conventions: &'a Conventions,
    /// The phrase at each place, once it was looked for: every way to make a time out of phrases asks for it again.
    atoms: RefCell<Vec<Option<Found>>>,
}

/// Where a phrase ends and what it says, if there is one.
type Found = Option<(usize, Spec)>;

/// Words between two phrases of one time.
const GLUE_MAX: usize = 4;

impl<'a> Parser<'a> {
    pub(super) fn new(items: &'a [Item], words: &'a Words, now: &'a Zoned, conventions: &'a Conventions) -> Self {
        Self {
            items,
            words,
            now,
            conventions,
            atoms: RefCell::new(vec![None; items.len()]),
        }
    }

    /// The longest phrase at a place.
    pub(super) fn atom(&self, at: usize) -> Found {
        let known = self.atoms.borrow().get(at).cloned().flatten();
        if let Some(found) = known {
            return found;
        }
        let found = self.longest_phrase(at);
        if let Some(place) = self.atoms.borrow_mut().get_mut(at) {
            *place = Some(found.clone());
        }
        found
    }

    /// Every time of the sentence.
    pub(super) fn mentions(&self) -> Vec<Mention> {
        let mut mentions = Vec::new();
        let mut at = 0;
        while let Some(item) = self.items.get(at) {
            if item.senses.is_empty() && item.kind == Kind::Word || self.is_inside_number(at) {
                at += 1;
                continue;
            }
            match self.longest(at).filter(|(end, _)| !self.is_cut(*end)) {
                Some((end, node)) => {
                    mentions.extend(self.mention(at, end, &node));
                    at = end;
                }
                None => at += 1,
            }
        }
        mentions
    }

    fn longest(&self, at: usize) -> Option<(usize, Node)> {
        let point = |found: (usize, Spec)| (found.0, Node::Point(found.1));
        let found = [
            self.recurrence(at).map(|(end, again)| (end, Node::Again(again))),
            self.point(at).map(point),
            self.range(at),
            self.within(at),
            self.length(at)
                .filter(|(end, _)| self.is_length(at, *end))
                .map(|(end, length)| (end, Node::Length(length))),
        ];
        let mut best: Option<(usize, Node)> = None;
        for (end, node) in found.into_iter().flatten() {
            let good = end > at && !self.resolve(&node).is_empty();
            if good && best.as_ref().is_none_or(|(longest, _)| end > *longest) {
                best = Some((end, node));
            }
        }
        best
    }

    /// A number and a unit, and not only a word that may be a unit.
    fn is_length(&self, at: usize, end: usize) -> bool {
        let article = self.small(at, Small::One).is_some();
        // "a day", "a second" alone say too little; "an hour" is a length people mean.
        let weak = self
            .unit(end - 1)
            .is_some_and(|(_, unit)| matches!(unit, Unit::Day | Unit::Second));
        // "older than a day" does.
        let compared = || (0..at).any(|than| self.role(than, Role::Than) == Some(at));
        !(article && weak && end == at + 2 && self.items.len() > 2 && !compared())
    }

    fn mention(&self, at: usize, end: usize, node: &Node) -> Option<Mention> {
        let span = self.items.get(at)?.span.start..self.items.get(end - 1)?.span.end;
        let form = match node {
            Node::Point(spec) => self.form(spec),
            Node::Again(again) => Form::Recurring(again.clone()),
            Node::Length(length) => length
                .whole()
                .map_or(Form::Plain, |(number, unit)| Form::Length(number, unit)),
            Node::Range(..) | Node::Stretch(..) | Node::Within(_) => Form::Plain,
        };
        let readings = match node {
            Node::Again(again) => self.this_month(at, again),
            Node::Point(_) | Node::Range(..) | Node::Stretch(..) | Node::Length(_) | Node::Within(_) => None,
        };
        let readings = self.resolve(readings.as_ref().unwrap_or(node));
        (!readings.is_empty()).then_some(Mention { span, form, readings })
    }

    /// One time: phrases that add to each other, with what stands between them.
    pub(super) fn point(&self, at: usize) -> Option<(usize, Spec)> {
        let (mut end, mut spec) = self.atom(at)?;
        while let Some((next, merged)) = self.added(end, &spec) {
            end = next;
            spec = merged;
        }
        if let Some(after) = self
            .role(end, Role::OrLater)
            .filter(|after| spec.bound.is_none() && self.items.get(*after).is_none_or(|item| item.kind != Kind::Word))
        {
            spec.bound = Some(Bound::Since);
            end = after;
        } else if let Some(after) = self.role(end, Role::Approximately) {
            end = after;
        }
        self.is_meant(at, end, &spec).then_some((end, spec))
    }

    /// The next phrase, if it says more of the same time.
    fn added(&self, end: usize, spec: &Spec) -> Option<(usize, Spec)> {
        let mut best: Option<(usize, Spec)> = None;
        for start in self.behind_glue(end) {
            let bare = |spec: &Spec| spec.clock.is_some_and(|clock| clock.bare);
            let lone = bare(spec) && spec.until.is_none();
            // "9 tomorrow evening": what makes the number an hour may be two phrases away.
            let found = if lone { self.point(start) } else { self.atom(start) };
            let Some((next, other)) = found else { continue };
            // A lone number is an hour only directly beside a part of the day.
            if bare(&other) && !(other.until.is_some() && spec.is_day() && start == end) {
                continue;
            }
            if lone && (other.part.is_none() || start == end && !other.has_date()) {
                continue;
            }
            let Some(merged) = spec.merge(&other) else { continue };
            if best.as_ref().is_none_or(|(longest, _)| next > *longest) {
                best = Some((next, merged));
            }
        }
        best
    }

    /// Where a phrase may go on: here, behind a comma, behind small words.
    pub(super) fn behind_glue(&self, at: usize) -> Vec<usize> {
        let mut places = vec![at];
        let mut next = at;
        if matches!(self.sign(next), Some(',' | '.')) && self.items.get(next).is_some_and(|item| item.glued) {
            next += 1;
            places.push(next);
        }
        for _ in 0..GLUE_MAX {
            let Some(after) = self.role(next, Role::Glue) else {
                break;
            };
            places.push(after);
            next = after;
        }
        places
    }

    /// Whether the words really speak of a time: "may" and "sun" alone do not.
    fn is_meant(&self, at: usize, end: usize, spec: &Spec) -> bool {
        if spec.clock.is_some_and(|clock| clock.bare)
            && spec.part.is_none()
            && !(spec.until.is_some() && spec.has_date())
        {
            return false;
        }
        let Some(first) = self.items.get(at) else { return false };
        if self.is_always(at, end) {
            return false;
        }
        if matches!(spec.anchor, Some(Anchor::At(moment)) if moment.start == moment.end) {
            return true;
        }
        if end == at + 1 && self.words.is_weak(&first.fold) {
            let before = at.checked_sub(1);
            let listed = at >= 2
                && self.weekday(at - 2).is_some()
                && (self.is_after_small(at, Small::And)
                    || self.is_after_small(at, Small::Or)
                    || self.sign(at - 1) == Some(','));
            // "in the sun"; the Italian article says on which day as well.
            let is_thing =
                |before: usize| self.role(before, Role::The) == Some(at) && self.role(before, Role::On).is_none();
            let led = before.is_some_and(|before| self.leads(before) && !is_thing(before)) || listed;
            let month = spec.month.is_some();
            return self.items.len() <= end + 1 && at == 0
                || led && (month || spec.weekday.is_some())
                || first.capital && at > 0 && !month;
        }
        // A part of the day alone needs a word that makes it a time: "good morning" is none.
        if spec.part.is_some() && !spec.has_date() && spec.clock.is_none() && end == at + 1 {
            return at.checked_sub(1).is_some_and(|before| self.leads(before));
        }
        true
    }

    /// A preposition of time, or "this" and kin.
    pub(super) fn leads(&self, at: usize) -> bool {
        [
            Role::Glue,
            Role::Since,
            Role::Until,
            Role::Before,
            Role::After,
            Role::By,
            Role::On,
            Role::To,
            Role::Between,
        ]
        .into_iter()
        .any(|role| {
            (0..3).any(|back| {
                at.checked_sub(back)
                    .is_some_and(|start| self.role(start, role) == Some(at + 1))
            })
        })
    }

    fn form(&self, spec: &Spec) -> Form {
        if let Some((shift, unit)) = spec.name.filter(|_| spec.bound.is_none()) {
            return Form::Named(shift, unit);
        }
        if let Some(Anchor::Window(number, unit)) = spec.anchor
            && spec.bound.is_none()
        {
            return Form::Window(number, unit);
        }
        let plain = Spec {
            weekday: spec.weekday,
            ..Spec::default()
        };
        match spec.weekday {
            Some(day) if *spec == plain => Form::Weekday(day),
            Some(_) | None => Form::Plain,
        }
    }

    // ---- looking at items ----

    /// The longest phrase at a place that `pick` accepts.
    pub(super) fn sense<T>(&self, at: usize, pick: impl Fn(&Sense) -> Option<T>) -> Option<(usize, T)> {
        let item = self.items.get(at)?;
        item.senses
            .iter()
            .find_map(|(length, sense)| pick(sense).map(|found| (at + length, found)))
    }

    /// Whether what seems to end here goes on to say "before": "prima di novembre" is neither the first nor early.
    pub(super) fn is_before(&self, at: usize, end: usize) -> bool {
        self.role(at, Role::Before).is_some_and(|bound| bound > end)
    }

    /// Where a phrase with this role ends.
    pub(super) fn role(&self, at: usize, role: Role) -> Option<usize> {
        self.sense(at, |sense| (*sense == Sense::Role(role)).then_some(()))
            .map(|(end, ())| end)
            .filter(|end| !matches!(role, Role::Early | Role::Earlier) || !self.is_before(at, *end))
            .filter(|end| !self.counts_parts(at, *end, role))
    }

    /// "primo trimestre", "prima metà": which of the parts, and neither early nor in the middle.
    fn counts_parts(&self, at: usize, end: usize, role: Role) -> bool {
        let counted = || {
            (0..at)
                .rev()
                .take(2)
                .any(|before| self.ordinal(before).is_some_and(|(end, _)| end == at))
        };
        let is_part = || matches!(self.unit(end), Some((_, Unit::Quarter | Unit::Half)));
        role == Role::Early && is_part() || matches!(role, Role::Mid | Role::Middle) && counted()
    }

    /// Whether a phrase with this role ends here.
    pub(super) fn is_behind(&self, at: usize, role: Role) -> bool {
        (0..at).rev().take(2).any(|before| self.role(before, role) == Some(at))
    }

    /// Behind a phrase with this role, or here.
    pub(super) fn past_role(&self, at: usize, role: Role) -> usize {
        self.role(at, role).unwrap_or(at)
    }

    pub(super) fn sign(&self, at: usize) -> Option<char> {
        match self.items.get(at)?.kind {
            Kind::Sign(sign) => Some(sign),
            Kind::Word | Kind::Digits => None,
        }
    }

    pub(super) fn glued(&self, at: usize) -> bool {
        self.items.get(at).is_some_and(|item| item.glued)
    }

    /// Behind a small word.
    pub(super) fn small(&self, at: usize, small: Small) -> Option<usize> {
        let item = self.items.get(at)?;
        self.words.is_small(&item.fold, small).then_some(at + 1)
    }

    /// Whether the word before an item is such a small one.
    pub(super) fn is_after_small(&self, at: usize, small: Small) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| self.small(before, small).is_some())
    }

    /// An article, and what only looks like a number.
    pub(super) fn is_article(&self, at: usize) -> bool {
        self.small(at, Small::One).is_some() || self.small(at, Small::NoNumber).is_some()
    }

    /// A sign or letter of a notation, which no language has for itself.
    pub(super) fn skip_word(&self, at: usize, word: &str) -> Option<usize> {
        self.items.get(at).filter(|item| item.fold == word).map(|_| at + 1)
    }

    pub(super) fn part(&self, at: usize) -> Option<(usize, Part)> {
        self.sense(at, Sense::part)
    }

    pub(super) fn weekday(&self, at: usize) -> Option<(usize, i8)> {
        let (end, day) = self.sense(at, Sense::weekday)?;
        Some((self.after_abbreviation(at, end, 5), day))
    }

    pub(super) fn month(&self, at: usize) -> Option<(usize, i8)> {
        let (end, month) = self.sense(at, Sense::month)?;
        Some((self.after_abbreviation(at, end, 4), month))
    }

    /// Where a name ends that stands at `at`, with the point of an abbreviation such as "fri." that is at most
    /// `longest` bytes long.
    fn after_abbreviation(&self, at: usize, end: usize, longest: usize) -> usize {
        let is_short = self.items.get(at).is_some_and(|item| item.fold.len() <= longest);
        let has_point = is_short && self.sign(end) == Some('.') && self.glued(end);
        end + usize::from(has_point)
    }

    pub(super) fn today(&self) -> Date {
        self.now.date()
    }

    /// "domani alle 8 ricordami …": behind a day, "at" and a number are an hour whatever follows but a unit.
    pub(super) fn is_hour_of_day(&self, at: usize, end: usize) -> bool {
        let is_day = |sense: &Sense| {
            matches!(
                sense,
                Sense::Day(_) | Sense::PartDay(..) | Sense::Weekday(_) | Sense::Month(_) | Sense::Part(_)
            )
        };
        let has = |at: usize, is: &dyn Fn(&Sense) -> bool| {
            let item = self.items.get(at);
            item.is_some_and(|item| item.senses.iter().any(|(_, sense)| is(sense)))
        };
        let counted = has(end, &|sense| matches!(sense, Sense::Unit(_) | Sense::Scale(_)));
        let word = self
            .items
            .get(end)
            .is_some_and(|item| item.kind == Kind::Word && !item.glued);
        let behind_day = at.checked_sub(1).is_some_and(|before| has(before, &is_day));
        word && !counted && behind_day && self.role(at, Role::AtHour).is_some()
    }
}
