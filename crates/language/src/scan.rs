//! One request cut into segments, each with everything its words can mean and whether something has explained it yet.
//! The passes of `language` (values, amounts, clauses) share it; what none of them explains is "unaccounted".

use std::ops::Range;

use serde_json::Value;

use super::{
    Fact, FactKind,
    known::Known,
    lexicon::Lexicon,
    sense::{Changing, Role, Sense},
    time::{Figure, Numeral},
    token::{Token, TokenKind},
};
use metnos_domain::vocabulary::{Object, Verb};

/// A word, a phrase of the lexicon, a number, a literal or a break.
pub(super) struct Segment<'a> {
    /// Where it stands in the original.
    pub(super) span: Range<usize>,
    /// Folded words; empty for literals and breaks.
    pub(super) fold: String,
    /// Everything it can mean.
    pub(super) senses: &'a [Sense],
    /// The value of a number, in digits or in words.
    pub(super) number: Option<f64>,
    /// The telephone number it can be.
    pub(super) phone: Option<String>,
    /// The fact it became, or is part of.
    pub(super) fact: Option<usize>,
    /// The break, for punctuation.
    pub(super) mark: Option<char>,
    /// Something explains it.
    pub(super) used: bool,
    /// An Italian verb with a pronoun at its end: "spostali".
    pub(super) clitic: bool,
    /// An Italian verb with a place at its end: "spostaci".
    pub(super) there: bool,
}

/// A request on its way to a reading.
pub(super) struct Scan<'a> {
    pub(super) original: &'a str,
    pub(super) lexicon: &'a Lexicon,
    pub(super) segments: Vec<Segment<'a>>,
    pub(super) facts: Vec<Fact>,
    /// Files that are called by words of their names.
    pub(super) known: Vec<Known>,
    /// Folders that the request calls otherwise than they are named, as facts.
    pub(super) folders: Vec<usize>,
    /// Names of files that must be there, and are not.
    pub(super) missing: Vec<String>,
    /// Words for one of those found by where it stands, and which one.
    pub(super) places: Vec<(Range<usize>, i64)>,
    /// Words for which one of an order is meant, and which one.
    pub(super) ranks: Vec<(usize, u64)>,
}

impl<'a> Scan<'a> {
    /// Looks every phrase up; literals become facts at once, and every number is one segment.
    pub(super) fn new(original: &'a str, tokens: &[Token], numerals: &[Numeral], lexicon: &'a Lexicon) -> Self {
        let mut scan = Self {
            original,
            lexicon,
            segments: Vec::with_capacity(tokens.len()),
            facts: Vec::new(),
            known: Vec::new(),
            folders: Vec::new(),
            missing: Vec::new(),
            places: Vec::new(),
            ranks: Vec::new(),
        };
        let folds: Vec<&str> = tokens.iter().map(|token| token.fold.as_str()).collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let words = folds.get(at..).unwrap_or_default();
            let run = words.iter().take_while(|fold| !fold.is_empty()).count();
            let taken = match &token.kind {
                TokenKind::Word => scan.push_words(tokens, at, words.get(..run).unwrap_or_default(), lexicon),
                TokenKind::Digits => scan.push_one(token, &[], None),
                TokenKind::Break(mark) => scan.push_one(token, &[], Some(*mark)),
                TokenKind::Literal(literal) => {
                    let fact = scan.facts.len();
                    scan.facts.push(Fact {
                        kind: literal.kind,
                        value: Value::String(literal.value.clone()),
                        span: literal.span.clone(),
                        role: None,
                        one_of: Vec::new(),
                    });
                    let taken = scan.push_one(token, &[], None);
                    if let Some(segment) = scan.segments.last_mut() {
                        segment.fact = Some(fact);
                        segment.used = true;
                    }
                    taken
                }
            };
            at += taken;
        }
        for numeral in numerals {
            scan.join(numeral);
        }
        scan.pass_opening();
        scan.mend(lexicon);
        scan.lead_to_names();
        scan
    }

    /// "two hundred and five", "1.234,56", "-3": the pieces of a number become one segment. One that shares a word with
    /// something else ("the first one") is left as it is.
    fn join(&mut self, numeral: &Numeral) {
        let (number, phone) = match &numeral.figure {
            Figure::Number(number) => (Some(*number), None),
            Figure::Phone(phone, number) => (*number, Some(phone.clone())),
        };
        let first = self
            .segments
            .partition_point(|segment| segment.span.end <= numeral.span.start);
        let end = self
            .segments
            .partition_point(|segment| segment.span.start < numeral.span.end);
        let pieces = self.segments.get(first..end).unwrap_or_default();
        let starts = pieces
            .first()
            .is_some_and(|piece| piece.span.start == numeral.span.start);
        let ends = pieces.last().is_some_and(|piece| piece.span.end == numeral.span.end);
        if !starts || !ends || pieces.iter().any(|piece| piece.fact.is_some()) {
            return;
        }
        let fold = pieces
            .iter()
            .map(|piece| piece.fold.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        let alone = pieces.len() == 1;
        self.segments.drain(first + 1..end);
        if let Some(segment) = self.segments.get_mut(first) {
            segment.span = numeral.span.clone();
            segment.number = number;
            segment.phone = phone;
            segment.mark = None;
            if !alone {
                segment.fold = fold;
                segment.senses = &[];
            }
        }
    }

    /// "ok, find the letters", "perfect. now delete them": what opens a message says nothing of what is asked.
    fn pass_opening(&mut self) {
        static GLUE: [Sense; 1] = [Sense::Stop];
        let mut at = 0;
        loop {
            while self.is_break(at) || self.is_glue(at) && !self.is_value(at) {
                at += 1;
            }
            let next = at + 1;
            let goes_on = self.is_break(next)
                || self.is_glue(next)
                || self.is_joint(next)
                || self.is(next, &Sense::Changing(Changing::Further))
                || self.is(next, &Sense::Opening)
                || self.sense(next, Sense::verb).is_some();
            if !(self.is(at, &Sense::Opening) && goes_on) {
                return;
            }
            if let Some(segment) = self.segments.get_mut(at) {
                segment.senses = &GLUE;
            }
        }
    }

    /// "take a note: …": what stands before the text makes a note of it.
    pub(super) fn note_down(&mut self) {
        static NOTE: [Sense; 3] = [
            Sense::Verb(Verb::Create),
            Sense::Object(Object::Files, None),
            Sense::Changing(Changing::Container),
        ];
        let text = self.segments.iter().position(|segment| segment.fact.is_some());
        let before = text.and_then(|text| text.checked_sub(1));
        if let Some(segment) = before.and_then(|before| self.segments.get_mut(before)) {
            segment.senses = &NOTE;
        }
    }

    /// A slip of the finger in the first word, where a command stands ("lsit the files").
    fn mend(&mut self, lexicon: &'a Lexicon) {
        let first = (0..self.segments.len()).find(|at| !self.is_glue(*at));
        let Some(segment) = first.and_then(|at| self.segments.get_mut(at)) else {
            return;
        };
        let word = segment.senses.is_empty() && segment.fact.is_none() && segment.number.is_none();
        if word && let Some(senses) = lexicon.mended(&segment.fold) {
            segment.senses = senses;
        }
    }

    /// "rinomina a.txt come b.txt": what asks how elsewhere leads to a name here.
    fn lead_to_names(&mut self) {
        static LEADS: [Sense; 1] = [Sense::Role(Role::To)];
        let named_anew = |segment: &Segment<'_>| {
            let mut options = segment.senses.iter().filter_map(Sense::option);
            options.any(|option| matches!(option, "rename" | "copy"))
        };
        let commands = self.segments.iter().position(named_anew);
        let behind = self.segments.iter_mut().skip(commands.map_or(usize::MAX, |at| at + 1));
        let leads = Sense::Changing(Changing::NewName);
        for segment in behind.filter(|segment| segment.senses.contains(&leads)) {
            segment.senses = &LEADS;
        }
    }

    fn push_words(&mut self, tokens: &[Token], at: usize, words: &[&str], lexicon: &'a Lexicon) -> usize {
        let Some(token) = tokens.get(at) else { return 1 };
        if let Some((taken, senses)) = lexicon.longest_match(words) {
            let end = tokens.get(at + taken - 1).map_or(token.span.end, |last| last.span.end);
            self.segments.push(Segment {
                span: token.span.start..end,
                fold: words.get(..taken).unwrap_or_default().join(" "),
                senses,
                number: None,
                phone: None,
                fact: None,
                mark: None,
                used: false,
                clitic: false,
                there: false,
            });
            return taken;
        }
        let inflected = lexicon.inflected(&token.fold);
        self.push_one(token, inflected.as_ref().map_or(&[], |word| word.senses), None);
        if let (Some(segment), Some(word)) = (self.segments.last_mut(), inflected) {
            segment.clitic = word.points;
            segment.there = word.there;
        }
        1
    }

    fn push_one(&mut self, token: &Token, senses: &'a [Sense], mark: Option<char>) -> usize {
        self.segments.push(Segment {
            span: token.span.clone(),
            fold: token.fold.clone(),
            senses,
            number: None,
            phone: None,
            fact: None,
            mark,
            used: false,
            clitic: false,
            there: false,
        });
        1
    }

    /// The first meaning of a segment that `pick` accepts.
    pub(super) fn sense<T>(&self, at: usize, pick: impl Fn(&'a Sense) -> Option<T>) -> Option<T> {
        self.segments.get(at)?.senses.iter().find_map(pick)
    }

    /// Whether a segment can mean this. An Italian "è" joins nothing.
    pub(super) fn is(&self, at: usize, sense: &Sense) -> bool {
        let is = |segment: &Segment<'_>| segment.senses.contains(sense);
        self.segments.get(at).is_some_and(is) && !(*sense == Sense::Connector && self.is_copula(at))
    }

    /// Whether a segment joins two of a list: "and", a comma.
    pub(super) fn is_joint(&self, at: usize) -> bool {
        self.is(at, &Sense::Connector) || self.is_comma(at)
    }

    /// Where these segments stand in the original, from the first to the last.
    pub(super) fn span_of(&self, words: &Range<usize>) -> Option<Range<usize>> {
        let (first, last) = (
            self.segments.get(words.start)?,
            self.segments.get(words.end.checked_sub(1)?)?,
        );
        Some(first.span.start..last.span.end)
    }

    /// The segments that begin in this stretch of the original.
    pub(super) fn within(&self, span: &Range<usize>) -> impl Iterator<Item = usize> {
        let starts = self.segments.iter().map(|segment| segment.span.start).enumerate();
        starts.filter_map(|(at, start)| span.contains(&start).then_some(at))
    }

    /// Any punctuation.
    pub(super) fn is_break(&self, at: usize) -> bool {
        self.segments.get(at).is_some_and(|segment| segment.mark.is_some())
    }

    /// A comma.
    pub(super) fn is_comma(&self, at: usize) -> bool {
        self.segments.get(at).is_some_and(|segment| segment.mark == Some(','))
    }

    /// An Italian "è": looked up without its accent it is the word for "and".
    pub(super) fn is_copula(&self, at: usize) -> bool {
        self.segments.get(at).is_some_and(|segment| {
            is_copula(
                &segment.fold,
                self.original.get(segment.span.clone()).unwrap_or_default(),
            )
        })
    }

    /// Means nothing by itself ("number", "hours" and "desktop" only beside others).
    pub(super) fn is_unknown(&self, at: usize) -> bool {
        self.segments
            .get(at)
            .is_some_and(|segment| segment.senses.iter().all(Sense::is_ordinary))
    }

    /// A number, in digits or in words.
    pub(super) fn number(&self, at: usize) -> Option<f64> {
        self.segments.get(at)?.number
    }

    /// A whole number above zero.
    pub(super) fn count(&self, at: usize) -> Option<u64> {
        let number = self.number(at)?;
        (number.fract() == 0.0 && (1.0..1e9).contains(&number)).then_some(number as u64)
    }

    /// Marks segments as explained.
    pub(super) fn explain(&mut self, range: Range<usize>) {
        for segment in self.segments.get_mut(range).unwrap_or_default() {
            segment.used = true;
        }
    }

    /// Explains every "but" between two bounds, which says only that both hold.
    pub(super) fn explain_but(&mut self, is_bound: impl Fn(&Fact) -> bool) {
        let bounds = |at: usize| self.fact_at(at).is_some_and(&is_bound);
        let joins =
            |at: &usize| self.is(*at, &Sense::But) && *at > 0 && bounds(at - 1) && bounds(self.skip_glue(at + 1));
        let joints: Vec<usize> = (0..self.segments.len()).filter(joins).collect();
        for joint in joints {
            self.explain(joint..joint + 1);
        }
    }

    /// "the", "il": an article, and not the pronoun that is written like one.
    pub(super) fn is_definite_article(&self, at: usize) -> bool {
        self.is_glue(at) && self.is(at, &Sense::Definite)
    }

    /// The fact that a segment is, or is part of.
    pub(super) fn fact_at(&self, at: usize) -> Option<&Fact> {
        self.facts.get(self.segments.get(at)?.fact?)
    }

    /// Leaves the words for which one of an order unread in this stretch.
    pub(super) fn reopen_ranks(&mut self, range: &Range<usize>) {
        for (at, _) in self.ranks.iter().filter(|(at, _)| range.contains(at)) {
            if let Some(segment) = self.segments.get_mut(*at) {
                segment.used = false;
            }
        }
    }

    /// Makes a fact of these segments.
    pub(super) fn fact(&mut self, kind: FactKind, value: Value, range: Range<usize>) -> usize {
        let start = self.segments.get(range.start).map_or(0, |segment| segment.span.start);
        let end = self
            .segments
            .get(range.end.saturating_sub(1))
            .map_or(start, |segment| segment.span.end);
        let id = self.facts.len();
        self.facts.push(Fact {
            kind,
            value,
            span: start..end,
            role: None,
            one_of: Vec::new(),
        });
        self.explain(range.clone());
        for segment in self.segments.get_mut(range).unwrap_or_default() {
            segment.fact = Some(id);
        }
        id
    }

    /// Whether a segment only glues: an article, "all", a pronoun of politeness.
    pub(super) fn is_glue(&self, at: usize) -> bool {
        self.segments.get(at).is_some_and(|segment| {
            segment
                .senses
                .iter()
                .any(|sense| matches!(sense, Sense::Stop | Sense::All))
        })
    }

    /// The next segment that is no glue, at or after `at`, without crossing a break.
    pub(super) fn skip_glue(&self, at: usize) -> usize {
        let mut at = at;
        while at < self.segments.len() && self.is_glue(at) && !self.is_value(at) {
            at += 1;
        }
        at
    }

    /// Glue that may still carry a value ("due", "uno") is no glue when it is a number or a literal.
    pub(super) fn is_value(&self, at: usize) -> bool {
        self.segments
            .get(at)
            .is_some_and(|segment| segment.number.is_some() || segment.fact.is_some())
    }

    /// What the word before a value says of it, looking back over glue and names of containers ("in the folder X").
    pub(super) fn role_before(&self, at: usize) -> Option<Role> {
        let mut back = at;
        while back > 0 {
            back -= 1;
            let role = self
                .sense(back, Sense::role)
                .or_else(|| self.is(back, &Sense::Content).then_some(Role::In));
            if role.is_some() {
                return role;
            }
            let passable = self.is_glue(back)
                || self
                    .sense(back, |sense| {
                        matches!(sense, Sense::Object(..) | Sense::Home).then_some(())
                    })
                    .is_some()
                || self.segments.get(back).is_some_and(|segment| segment.mark == Some(':'));
            if !passable || self.segments.get(back).is_some_and(|segment| segment.fact.is_some()) {
                return None;
            }
        }
        None
    }
}

/// Whether a word is one letter that lost its accent when it was folded: an Italian "è".
pub(super) fn is_copula(fold: &str, written: &str) -> bool {
    fold.len() == 1 && fold.is_ascii() && !written.is_ascii()
}
