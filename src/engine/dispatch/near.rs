//! The part of the cascade that reads nearly what it cannot read clearly: frames from manifests, the lines of the home
//! that a question is about, and the composer once more without the words that weigh little. What only looks runs, and
//! says what it left aside; what changes something is always offered. Nothing runs here.

use std::{
    cell::RefCell,
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};

use crate::{
    domain::{
        dialogue::{Dialogue, FILE, Listed},
        frame::SlotRole,
        manifest::Manifest,
        message::Message,
        outcome::AnsweredBy,
        plan::{Plan, Proposed, Validated},
        turn::Origin,
        vocabulary::Object,
    },
    engine::{
        composer::{self, Composition},
        dispatch::{
            Cascade,
            nearby::literal_texts,
            planning::{Excluded, Written},
        },
        frames::{self, Asked, Basis, Clause, Near},
        terminator::DeadEnd,
        things::Resolver,
        validator::Grounding,
    },
    language::{
        Reading,
        outline::{Sign, Word},
    },
};

pub(super) mod demands;
mod framed;
mod matters;

/// Of the words of a question, this share at least must stand in what answers it. With one half eight right looks of
/// the seen sets a and b were refused for one wrong one (`just fresh 2026-11-25-b.toml`).
const EXPLAINED_MIN: f64 = 0.3;
/// Words that one value says as much as, such as an address.
pub(super) const LITERAL_WEIGHT: usize = 4;
/// Words of a message that may go on with the one before.
const FOLLOW_UP_WORDS_MAX: usize = 9;
/// What the texts and files of a home are about, whatever they say.
pub(super) const AT_HOME: [Object; 8] = [
    Object::Files,
    Object::Dirs,
    Object::Texts,
    Object::Images,
    Object::Lists,
    Object::Numbers,
    Object::Entries,
    Object::Now,
];

/// A nearest reading whose plan can run.
pub(super) struct Nearest {
    plan: Plan<Validated>,
    /// Words that say something and that it does not use.
    left: Vec<String>,
    /// It changes something, and is shown first.
    is_unsure: bool,
    /// Every word of the message that says something is explained.
    is_whole: bool,
    /// For want of anything else.
    is_rest: bool,
}

/// What a turn knows of its nearest reading.
#[derive(Default)]
pub(super) struct Nearly {
    words: OnceLock<Arc<[Word]>>,
    /// Once it was looked for.
    read: Option<Option<Near>>,
    pub(super) aside: Aside,
    /// What is said where something that is nearly called so was looked at.
    pub(super) stands_for: Option<Message>,
}

/// What a turn that was read nearly says beside its answer.
#[derive(Default)]
pub(super) struct Aside {
    /// Words that were not used.
    pub(super) words: Vec<String>,
    /// Why nobody better was asked.
    pub(super) cause: Option<Message>,
}

impl Nearest {
    /// What would run.
    pub(super) fn plan(&self) -> &Plan<Validated> {
        &self.plan
    }

    /// Whether a model would hardly read it otherwise.
    pub(super) fn is_certain(&self) -> bool {
        self.is_whole && !self.is_unsure && self.left.is_empty() && !self.is_rest
    }
}

impl Cascade<'_> {
    /// The nearest plan that can run. Only where no rule knows better what keeps the request from being done.
    pub(super) fn near(&mut self, excluded: &[Excluded], dead_end: &DeadEnd) -> Option<Nearest> {
        // A topic that nobody here deals with may only be what a page or a file is about.
        let is_topic = matches!(dead_end, DeadEnd::NoDomain { .. });
        let is_open = matches!(dead_end, DeadEnd::NotUnderstood { .. } | DeadEnd::NoTool { .. });
        if !is_open && !is_topic || matches!(self.turn.origin, Origin::Retry { .. }) || !self.reading.is_read() {
            return None;
        }
        let mut near = self.nearest()?;
        if let Some(noted) = self.noted(&near.plan.steps) {
            near.plan = noted;
        }
        let words = self.words();
        let tells = |(at, word): (usize, &Word)| frames::says_something(word) && !near.explained.contains(&at);
        let is_whole = !words.iter().enumerate().any(tells);
        let mut explained = near.explained.iter().filter_map(|at| words.get(*at));
        // "Read the note riunione": it is what a file is called.
        let is_named = is_whole && near.basis == Basis::Things;
        if is_topic && (near.changes || near.is_rest || !is_named && !explained.any(|word| word.literal.is_some())) {
            return None;
        }
        let plan = self.validate_covering(near.plan, Grounding::Approved, &[]);
        let plan = plan.map_err(|errors| self.note(format!("near: {errors:?}"))).ok()?;
        if excluded.iter().any(|banned| banned.forbids(&plan)) {
            return None;
        }
        Some(Nearest {
            plan,
            left: near.left,
            // However well the words fit, another form of them may ask, report or take back: a change is shown first.
            // What only adds can be taken back as a whole, and says itself what it did.
            is_unsure: near.changes && !(near.adds && near.is_sure && is_whole),
            is_whole,
            is_rest: near.is_rest,
        })
    }

    /// The nearest plan with a tool that the household added, where the request has a word for what it deals with and
    /// the composer's plan does without: who has a tool for songs means those, and no files.
    pub(super) fn near_of_own(&mut self, excluded: &[Excluded], composed: &Plan<Validated>) -> Option<Nearest> {
        let words = self.words();
        let (language, lang) = (&self.engine.language, self.reading.lang);
        let own = frames::spoken_of(self.catalog.all(), &words, &|text| language.telling_stems(text, lang));
        let uses = |plan: &Plan<Validated>| plan.steps.iter().any(|step| own.contains(&step.tool));
        if own.is_empty() || uses(composed) {
            return None;
        }
        let near = self.near(excluded, &DeadEnd::NotUnderstood { words: Vec::new() })?;
        (near.is_whole && uses(&near.plan)).then_some(near)
    }

    /// Whether a question is asked that something at hand answers.
    pub(super) fn asks_now(&mut self) -> bool {
        let words = self.words();
        let asks = frames::clauses(&words).iter().any(|clause| clause.begins_asking);
        asks && self.nearest().is_some_and(|near| !near.changes && !near.is_rest)
    }

    /// Whether the times in a request are part of what is to be done, rather than when: "the meetings of next week".
    pub(super) fn takes_times(&mut self) -> bool {
        self.has_times_among(|near| &near.explained)
    }

    /// Whether every time stands in a text that is passed on: "send a mail to Anna saying dinner is at eight".
    pub(super) fn times_are_dictated(&mut self) -> bool {
        self.has_times_among(|near| &near.dictated)
    }

    /// Whether there are times, and the nearest reading has all of them among these places.
    fn has_times_among(&mut self, places: fn(&Near) -> &BTreeSet<usize>) -> bool {
        let words = self.words();
        // The colon of 15:30 is nothing that a slot takes.
        let is_time = |at: &usize| words.get(*at).is_some_and(|word| word.is_time && word.mark.is_none());
        let times: Vec<usize> = (0..words.len()).filter(is_time).collect();
        let has = |near: Near| !near.is_rest && times.iter().all(|at| places(&near).contains(at));
        !times.is_empty() && self.nearest().is_some_and(has)
    }

    /// Whether every time stands in a part of the message that only tells something, beside one that says what to do:
    /// "send me the ticket, my train leaves in 20 minutes".
    pub(super) fn times_are_aside(&self) -> bool {
        let words = self.words();
        let at = |place: &usize| words.get(*place);
        let is_time = |clause: &Clause| clause.words.iter().filter_map(at).any(|word| word.is_time);
        // One word beside a time may only say how much it matters: "preferably tonight".
        let tells = |clause: &Clause| {
            let own = clause.words.iter().filter_map(at);
            own.filter(|word| !word.is_time && frames::says_something(word)).count() > 1
        };
        let clauses = frames::clauses(&words);
        let (timed, others): (Vec<&Clause>, Vec<&Clause>) = clauses.iter().partition(|clause| is_time(clause));
        let is_aside = |clause: &&Clause| tells(clause) && !clause.asks && !says_deed(&words, clause);
        !timed.is_empty() && timed.iter().all(is_aside) && others.into_iter().any(|clause| says_deed(&words, clause))
    }

    /// Takes it; what it leaves aside is noted for the answer and for the card, and so is why no provider was asked.
    pub(super) fn take_near(&mut self, near: Nearest, instead_of: Option<Message>) -> Written {
        self.nearly.aside = Aside {
            words: near.left,
            cause: instead_of,
        };
        self.offering.is_unsure |= near.is_unsure;
        Written::Plan(near.plan, AnsweredBy::Near)
    }

    /// The words of the message.
    pub(super) fn words(&self) -> Arc<[Word]> {
        let outline = || self.engine.language.outline(&self.reading, &self.home).into();
        Arc::clone(self.nearly.words.get_or_init(outline))
    }

    /// The nearest reading, looked for once a turn: it reads the texts of the home.
    fn nearest(&mut self) -> Option<Near> {
        if self.nearly.read.is_none() {
            let words = self.words();
            self.nearly.read = Some(self.read_nearly(&words));
        }
        self.nearly.read.clone().flatten()
    }

    fn read_nearly(&mut self, words: &[Word]) -> Option<Near> {
        let language = &self.engine.language;
        let lang = self.reading.lang;
        let things: Vec<&dyn Resolver> = self.things.iter().map(|things| &**things).collect();
        let view = self.view();
        let weighed = RefCell::new(Vec::new());
        let asked = Asked {
            reading: &self.reading,
            words,
            view: &view,
            things: &things,
            stem: &|text| language.telling_stems(text, lang),
            rest: false,
            note: &|line| weighed.borrow_mut().push(line.trim().to_owned()),
        };
        let framed = frames::nearest(&asked, self.catalog.all());
        let weighed = weighed.take();
        if !weighed.is_empty() {
            self.path.push(format!("near: {}", weighed.join(", ")));
        }
        if let Some(near) = framed.as_ref().filter(|near| near.changes) {
            return Some(near.clone());
        }
        if self.wants_no_look(words) {
            return None;
        }
        let said = said(words);
        let looked = [
            framed,
            self.relaxed(words),
            matters::matter(&things, words, &said, self.catalog.all()),
        ];
        let telling = |near: &Near| {
            // A name that the reader made of words is worth less than one that is there.
            if near.basis == Basis::Name {
                return 0;
            }
            let own = near.explained.iter().filter_map(|at| words.get(*at));
            let own = own.filter(|word| word.literal.is_some() || frames::says_something(word) && !only_leads(word));
            // What is written out letter by letter says more than any word.
            own.map(|word| if word.literal.is_some() { LITERAL_WEIGHT } else { 1 })
                .sum::<usize>()
        };
        // The first of those that explain as much.
        let mut best: Option<(usize, Near)> = None;
        for near in looked
            .into_iter()
            .flatten()
            .filter(|near| is_enough(near, words, &said))
            .filter(|near| !demands::leaves_figure(words, &near.explained))
            .filter(|near| !demands::leaves_time(words, near, self.catalog.all()))
        {
            let explained = telling(&near);
            if best.as_ref().is_none_or(|(known, _)| explained > *known) {
                best = Some((explained, near));
            }
        }
        best.map(|(_, near)| near).or_else(|| {
            let is_ready = |tool: &&Arc<Manifest>| self.engine.families.are_ready(&tool.name);
            let ready: Vec<Arc<Manifest>> = self.catalog.all().iter().filter(is_ready).cloned().collect();
            frames::nearest(&Asked { rest: true, ..asked }, &ready)
        })
    }

    /// What the person has before them: things listed or touched last, else the files the request before was about.
    pub(super) fn view(&self) -> Dialogue {
        let Some(before) = &self.turn.before else {
            return Dialogue::default();
        };
        let mut dialogue = before.dialogue.clone();
        if !dialogue.listed.is_empty() || dialogue.pointed(FILE).is_some() {
            return dialogue;
        }
        let reading = self.read(&before.text);
        let Composition::Plan(plan) = composer::compose(&reading, self.catalog.all(), &[]) else {
            return dialogue;
        };
        let there = self.home.files();
        let args = plan.steps.iter().flat_map(|step| &step.args);
        let mut named: Vec<String> = args.flat_map(|(_, argument)| literal_texts(argument)).collect();
        named.retain(|path| there.contains(path));
        named.dedup();
        dialogue.listed = Listed::files(named, false);
        dialogue
    }

    /// What the composer makes of the request without its asides, or without the words it does not know; only where
    /// that looks and changes nothing.
    fn relaxed(&self, words: &[Word]) -> Option<Near> {
        let text = &self.reading.original;
        let attempts = self.attempts(words);
        // What says little alone goes on with what was asked before.
        let before = self.turn.before.as_ref().filter(|_| words.len() <= FOLLOW_UP_WORDS_MAX);
        let join = |before: &str, attempt: &str| self.engine.language.joined(before, attempt, self.reading.lang);
        let longer = before.into_iter().flat_map(|before| {
            let whole = std::iter::once(text);
            attempts.iter().chain(whole).map(|attempt| join(&before.text, attempt))
        });
        let own = attempts.iter().filter(|attempt| attempt.len() < text.len()).cloned();
        let clauses = frames::clauses(words);
        let (attempt, plan, basis) = longer.chain(own).find_map(|attempt| {
            let reading = self.read(&attempt);
            let plan = self.looking_plan(&reading)?;
            let is_part = |clause: &Clause| written(text, words, &clause.words).as_ref() == Some(&attempt);
            let basis = match reading.by_name.is_empty() {
                false => Basis::Name,
                true if clauses.iter().any(is_part) => Basis::Part,
                true => Basis::Words,
            };
            Some((attempt.to_lowercase(), plan, basis))
        })?;
        let telling = words
            .iter()
            .enumerate()
            .filter(|(_, word)| frames::says_something(word));
        let (kept, dropped): (Vec<_>, Vec<_>) = telling.partition(|(_, word)| attempt.contains(word.fold.as_str()));
        Some(Near {
            plan,
            explained: kept.into_iter().map(|(at, _)| at).collect(),
            left: dropped.into_iter().map(|(_, word)| word.fold.clone()).collect(),
            is_sure: false,
            changes: false,
            adds: false,
            basis,
            is_rest: false,
            dictated: BTreeSet::new(),
        })
    }

    /// Shorter wordings of the request: without the words no rule knows, without what joins it to something before, or
    /// only the clause that asks. What turns the sense of a clause is never dropped from it.
    fn attempts(&self, words: &[Word]) -> Vec<String> {
        let text = &self.reading.original;
        let all: Vec<usize> = (0..words.len()).collect();
        let joins = |at: &&usize| {
            let word = words.get(**at);
            word.is_some_and(|word| word.is_glue && word.signs.iter().all(|(sign, _)| *sign == Sign::Connector))
        };
        let begun: Vec<usize> = all.iter().skip_while(joins).copied().collect();
        let mut attempts = vec![(without(text, &self.reading.unaccounted), all)];
        attempts.extend(written(text, words, &begun).map(|own| (own, begun)));
        for clause in frames::clauses(words) {
            if !clause.asks && !says_deed(words, &clause) {
                continue;
            }
            let Some(own) = written(text, words, &clause.words) else {
                continue;
            };
            let shorter = without(&own, &self.read(&own).unaccounted);
            attempts.extend([(own, clause.words.clone()), (shorter, clause.words)]);
        }
        let keeps_sense = |(attempt, places): &(String, Vec<usize>)| {
            let attempt = attempt.to_lowercase();
            // "I can't find it anywhere" turns nothing in another clause; "those that are txt" does.
            let is_turning = |(at, word): &(usize, &Word)| {
                says_which(word) || places.contains(at) && (word.may_be(&Sign::Negation) || leaves_out(word))
            };
            let mut turning = words.iter().enumerate().filter(is_turning);
            let is_kept = |word: &Word| {
                let said = text.get(word.span.clone()).unwrap_or_default();
                attempt.contains(&said.to_lowercase())
            };
            !attempt.is_empty() && turning.all(|(_, word)| is_kept(word))
        };
        let kept = attempts.into_iter().filter(keeps_sense);
        kept.map(|(attempt, _)| attempt).collect()
    }

    fn read(&self, text: &str) -> Reading {
        let turn = self.turn;
        self.engine
            .language
            .read_at_home(text, turn.actor.lang, &turn.now, &self.home)
    }

    fn looking_plan(&self, reading: &Reading) -> Option<Plan<Proposed>> {
        match composer::compose(reading, self.catalog.all(), &[]) {
            Composition::Plan(plan) => self.catalog.only_looks(&plan).then_some(plan),
            Composition::Unsure { .. }
            | Composition::Several
            | Composition::NotThere(_)
            | Composition::NoDomain(_)
            | Composition::Excluded => None,
        }
    }
}

/// A text without some of its phrases.
fn without(text: &str, phrases: &[String]) -> String {
    let mut rest = text.to_owned();
    for phrase in phrases {
        rest = rest.replacen(phrase.as_str(), " ", 1);
    }
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text from the first of these words to the last.
pub(super) fn written(text: &str, words: &[Word], places: &[usize]) -> Option<String> {
    let (first, last) = (words.get(*places.first()?)?, words.get(*places.last()?)?);
    Some(text.get(first.span.start..last.span.end)?.to_owned())
}

/// Says which of several: the first, the largest, those of a kind, a value.
fn says_which(word: &Word) -> bool {
    let says = |sign: &Sign| matches!(sign, Sign::End(_) | Sign::Most(..) | Sign::Endings(_));
    word.literal.is_some() || word.is_number() || word.signs.iter().any(|(sign, _)| says(sign))
}

fn leaves_out(word: &Word) -> bool {
    word.leads_to(SlotRole::Except)
}

fn says_deed(words: &[Word], clause: &Clause) -> bool {
    let mut own = clause.words.iter().filter_map(|at| words.get(*at));
    own.any(|word| word.signs.iter().any(|(sign, _)| matches!(sign, Sign::Deed(_))))
}

/// Places of the telling words of what is asked or told to do; of everything where no clause is either.
pub(super) fn said(words: &[Word]) -> Vec<usize> {
    let clauses = frames::clauses(words);
    let main = clauses.iter().filter(|clause| clause.asks || says_deed(words, clause));
    let places: Vec<usize> = main.flat_map(|clause| clause.words.iter().copied()).collect();
    let all = || (0..words.len()).collect();
    let among = if places.is_empty() { all() } else { places };
    let tells = |at: &usize| {
        words
            .get(*at)
            .is_some_and(|word| frames::says_something(word) && !only_leads(word))
    };
    among.into_iter().filter(tells).collect()
}

/// Words that only say that something is to be looked at.
fn only_leads(word: &Word) -> bool {
    word.deeds().any(|deed| matches!(deed, "look" | "find" | "count"))
}

/// Whether a look is about what was said: enough of its words, and nothing of another domain among the rest.
fn is_enough(near: &Near, words: &[Word], said: &[usize]) -> bool {
    // Of a message that says several things, the part it is about.
    let clauses = frames::clauses(words);
    let touches = |clause: &&Clause| clause.words.iter().any(|at| near.explained.contains(at));
    let about: Vec<usize> = clauses
        .iter()
        .filter(touches)
        .flat_map(|clause| clause.words.clone())
        .collect();
    let open = |at: &&usize| !near.explained.contains(at);
    let all_rest: Vec<&Word> = said.iter().filter(open).filter_map(|at| words.get(*at)).collect();
    let said: Vec<usize> = said.iter().filter(|at| about.contains(at)).copied().collect();
    let explained = said.iter().filter(|at| near.explained.contains(at)).count();
    let mut rest = said.iter().filter(open).filter_map(|at| words.get(*at));
    let is_foreign = |word: &Word| word.objects().any(|object| !AT_HOME.contains(&object));
    let says_value = near
        .explained
        .iter()
        .filter_map(|at| words.get(*at))
        .any(|word| word.literal.is_some());
    let is_known = says_value
        || near.basis == Basis::Part
        || explained > 0 && explained as f64 >= EXPLAINED_MIN * said.len() as f64;
    // Those of another kind than the ones that were found are none of them.
    let is_kind = |word: &Word| {
        let names_kind = |(sign, _): &(Sign, usize)| matches!(sign, Sign::Endings(_));
        word.literal.is_some() || word.signs.iter().any(names_kind)
    };
    // What a page that was named is about is never foreign to it.
    let is_near = says_value || !rest.any(is_foreign);
    is_known && is_near && !all_rest.into_iter().any(is_kind)
}
