//! Understanding a request without a model: what its words ask for, which values it names, and what stayed unexplained.
//!
//! Called by the engine's intent, patterns and composer, and by the runtime for one-word replies. Everything it knows
//! of a language is data in `locales/<lang>/lexicon.toml`. It never acts, never reads a clock, and never hides a word
//! that it did not understand: such words are listed, and the composer refuses to plan around them.

use std::{
    collections::{BTreeSet, HashSet},
    ops::Range,
    sync::Arc,
};

use jiff::Zoned;

use metnos_domain::{
    fold::fold,
    intent::{Clause, Intent},
    lang::Lang,
    vocabulary::Verb,
};

mod amounts;
mod canonical;
mod clauses;
mod concepts;
mod dictation;
mod embedded;
mod follow_up;
mod home;
mod known;
mod leading;
mod lexicon;
mod literals;
mod made;
mod moments;
mod names;
mod negation;
pub mod normal;
mod nouns;
pub mod outline;
mod places;
mod positions;
mod quantities;
mod reading;
pub mod refer;
mod replies;
mod scan;
mod schedule;
pub mod secrets;
mod sense;
mod sizes;
pub mod spoken;
pub mod time;
mod token;
mod tongues;
mod values;
mod whereabouts;
mod windows;

use concepts::Concepts;
pub use concepts::{Concept, Stem};
use dictation::Kind;
pub use follow_up::{Choice, Continued};
pub use home::Home;
pub use lexicon::LanguageError;
use lexicon::{Extensions, Lexicon};
pub use normal::Confirmation;
use nouns::Nouns;
use outline::Frames;
use quantities::Units;
pub use reading::{ClauseReading, Fact, FactKind, Mark, Measure, Order, Reading, Side};
use replies::Replies;
use scan::Scan;
use secrets::Redactor;
pub use sense::Role;
use time::{Conventions, Found, Mention, Times};
pub use tongues::Tongues;

const EXTENSIONS: &str = include_str!("extensions.toml");
const ENGLISH: &str = include_str!("../../../locales/en/lexicon.toml");
const ITALIAN: &str = include_str!("../../../locales/it/lexicon.toml");
const ENGLISH_CONCEPTS: &str = include_str!("../../../locales/en/concepts.toml");
const ITALIAN_CONCEPTS: &str = include_str!("../../../locales/it/concepts.toml");
const ENGLISH_FRAMES: &str = include_str!("../../../locales/en/frames.toml");
const ITALIAN_FRAMES: &str = include_str!("../../../locales/it/frames.toml");

/// Everything known about every language; made once.
pub struct Language {
    known: HashSet<String>,
    english: Lexicon,
    italian: Lexicon,
    english_concepts: Concepts,
    italian_concepts: Concepts,
    english_frames: Frames,
    italian_frames: Frames,
    english_units: Units,
    italian_units: Units,
    nouns: Nouns,
    redactor: Redactor,
    times: Arc<Times>,
    tongues: Tongues,
    replies: Replies,
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Language")
    }
}

impl Language {
    /// Reads the embedded words.
    pub fn embedded() -> Result<Self, LanguageError> {
        let extensions = Extensions::parse(EXTENSIONS)?;
        let english = Lexicon::parse(Lang::EN, ENGLISH, &extensions)?;
        let italian = Lexicon::parse(Lang::IT, ITALIAN, &extensions)?;
        let english_concepts = Concepts::parse(Lang::EN, ENGLISH_CONCEPTS, english.glue())?;
        let italian_concepts = Concepts::parse(Lang::IT, ITALIAN_CONCEPTS, italian.glue())?;
        Ok(Self {
            tongues: Tongues::embedded()?,
            replies: Replies::embedded()?,
            known: extensions.known(),
            english_frames: Frames::parse(Lang::EN.code(), ENGLISH_FRAMES, &english_concepts)?,
            italian_frames: Frames::parse(Lang::IT.code(), ITALIAN_FRAMES, &italian_concepts)?,
            english_concepts,
            italian_concepts,
            english_units: Units::embedded(Lang::EN)?,
            italian_units: Units::embedded(Lang::IT)?,
            nouns: Nouns::embedded()?,
            english,
            italian,
            redactor: Redactor::new().map_err(|source| LanguageError::Regex {
                what: "secrets".to_owned(),
                source,
            })?,
            times: Arc::new(Times::embedded()?),
        })
    }

    /// The words for numbers and times, for readers that walk over a message themselves.
    pub fn time_words(&self) -> &Arc<Times> {
        &self.times
    }

    /// What languages are called.
    pub fn tongues(&self) -> &Tongues {
        &self.tongues
    }

    /// The language a message asks to be spoken, too, and nothing else.
    pub fn asks_to_speak(&self, text: &str, lang: Lang) -> Option<Lang> {
        self.tongues.asked_for(&self.canonical(text, lang))
    }

    /// Finds passwords and the like.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Every time a text speaks of, under other conventions than a household's.
    pub fn times(&self, text: &str, lang: Lang, now: &Zoned, conventions: &Conventions) -> Vec<Mention> {
        let literals = literals::literals(text, &self.known, &Home::unknown());
        let spans: Vec<Range<usize>> = literals.into_iter().map(|literal| literal.span).collect();
        self.times.read(text, lang, now, conventions, &spans)
    }

    /// The times in words of a request, as a household means them: in this language, or, where it finds none, in the
    /// first other one that finds any. Who is answered in one language may write in another.
    pub fn times_said(&self, words: &str, lang: Lang, now: &Zoned) -> Vec<Mention> {
        let others = Lang::BUILT_IN.into_iter().filter(|other| *other != lang);
        std::iter::once(lang)
            .chain(others)
            .map(|lang| self.times(words, lang, now, &Conventions::HOUSEHOLD))
            .find(|times| !times.is_empty())
            .unwrap_or_default()
    }

    fn lexicon(&self, lang: Lang) -> &Lexicon {
        match lang {
            Lang::IT => &self.italian,
            _ => &self.english,
        }
    }

    fn units(&self, lang: Lang) -> &Units {
        match lang {
            Lang::IT => &self.italian_units,
            _ => &self.english_units,
        }
    }

    /// The stems of a text's words in one language.
    pub fn stems(&self, text: &str, lang: Lang) -> Vec<Stem> {
        self.concepts(lang).stems(text)
    }

    /// Which words of the closed vocabulary these stems mention, each with the place of its first word.
    pub fn mentions(&self, stems: &[Stem], lang: Lang) -> Vec<(usize, Concept)> {
        self.concepts(lang).mentions(stems)
    }

    fn concepts(&self, lang: Lang) -> &Concepts {
        match lang {
            Lang::IT => &self.italian_concepts,
            _ => &self.english_concepts,
        }
    }

    fn frames(&self, lang: Lang) -> &Frames {
        match lang {
            Lang::IT => &self.italian_frames,
            _ => &self.english_frames,
        }
    }

    /// Where lists and notes of a home are kept that have no other place, below it, in this language.
    pub fn notes_at(&self, home: &Home, lang: Lang) -> Option<String> {
        home.notes(&self.lexicon(lang).notes)
    }

    /// Reads a request without knowing what is on the disk.
    pub fn read(&self, text: &str, lang: Lang, now: &Zoned) -> Reading {
        self.read_at_home(text, lang, now, &Home::unknown())
    }

    /// Reads a request in the person's language, and in the others if that leaves something open. In a language without
    /// a lexicon nothing is read, unless every word of it is of another one.
    pub fn read_at_home(&self, text: &str, lang: Lang, now: &Zoned, home: &Home) -> Reading {
        if lang.is_built_in() {
            return self.read_in_any(text, lang, now, home);
        }
        let reading = self.read_in_any(text, Lang::EN, now, home);
        if reading.is_whole() {
            reading
        } else {
            reading.unread(lang)
        }
    }

    fn read_in_any(&self, text: &str, lang: Lang, now: &Zoned, home: &Home) -> Reading {
        let mut best = self.read_in(text, lang, now, home);
        for other in Lang::BUILT_IN {
            if other != lang && (!best.unaccounted.is_empty() || best.intent.confidence < 1.0) {
                let reading = self.read_in(text, other, now, home);
                // Where neither understands more, the language whose words these are.
                let how_well = |reading: &Reading| (reading.understood(), self.words_known(text, reading.lang));
                if how_well(&reading) > how_well(&best) {
                    best = reading;
                }
            }
        }
        best
    }

    /// How many words of a text are words of this language that anybody uses.
    fn words_known(&self, text: &str, lang: Lang) -> usize {
        let (lexicon, stop) = (self.lexicon(lang), &self.frames(lang).stop);
        let is_known = |word: &&String| stop.contains(*word) || lexicon.senses(word).is_some();
        token::words_of(text).iter().filter(is_known).count()
    }

    fn read_in(&self, text: &str, lang: Lang, now: &Zoned, home: &Home) -> Reading {
        let lexicon = self.lexicon(lang);
        let is_text = |name: &str| !home.is_known() || known::is_text_named(name, home, &self.nouns);
        let dictated = dictation::dictated(text, lexicon, &is_text)
            .filter(|own| own.kind != Kind::List || self.is_short_list(text, own, (lang, now), home));
        let kind = dictated.as_ref().map_or(Kind::Text, |dictated| dictated.kind);
        let tokens = token::tokens(text, &self.known, home, dictated.as_ref());
        let literals: Vec<Range<usize>> = token::literal_spans(&tokens);
        let Found { mut times, numerals } = self.times.find(text, lang, now, &literals);
        let mut scan = Scan::new(text, &tokens, &numerals, lexicon);
        match kind {
            Kind::Text => {}
            Kind::Note => scan.note_down(),
            Kind::List => known::lists::short(&mut scan, home, &self.nouns),
        }
        times.retain(|time| is_of_its_own(text, &time.span));
        times.retain(|time| !quantities::is_counted(&scan, self.units(lang), time));
        schedule::settle_loose(&scan, &mut times);
        names::complements::complements(&mut scan, &self.nouns, lexicon.noun_first);
        whereabouts::folders(&mut scan, &times, home, &self.nouns);
        whereabouts::lost_things(&mut scan, &self.nouns);
        known::files(&mut scan, home, &self.nouns);
        known::left_out(&mut scan, home, &self.nouns);
        known::lists::asked(&mut scan, home, &self.nouns);
        known::counted::papers(&mut scan, &times, home, &self.nouns);
        if times.is_empty() {
            made::list(&mut scan, lexicon, home, &self.nouns);
        }
        let words = values::Words {
            units: self.units(lang),
            nouns: &self.nouns,
        };
        known::single::some(&mut scan);
        values::find_values(&mut scan, &words, &times, now.date());
        whereabouts::shared_goals(&mut scan);
        made::placed(&mut scan);
        made::note(&mut scan, &lexicon.notes, home);
        known::unneeded(&mut scan);
        known::single::one_of_a_kind(&mut scan, home);
        known::kinds(&mut scan, home);
        known::take_out(&mut scan);
        known::spread(&mut scan);
        let (mut clauses, mut forbidden) = negation::set_aside(clauses::clauses(&mut scan));
        whereabouts::opened(&mut clauses, &scan, home);
        whereabouts::inside_home(&clauses, &mut scan);
        let unaccounted = unaccounted(&scan, &forbidden);
        let scheduled = schedule::is_scheduled(&scan, &times);
        let facts = handed_out(&scan, clauses.iter_mut().chain(&mut forbidden));
        let intent = intent(&clauses, &unaccounted);
        let numbers = scan.segments.iter().filter_map(|segment| segment.number).collect();
        let verbatim = facts.iter().any(|fact| is_unquoted(text, fact));
        Reading {
            original: text.to_owned(),
            normal: self.normal(text),
            lang,
            was_question: normal::was_question(text),
            required_verbs: required_verbs(&intent),
            intent,
            facts,
            numbers,
            times,
            clauses,
            forbidden,
            unaccounted,
            scheduled,
            verbatim,
            by_name: known::paths(&scan),
            missing: std::mem::take(&mut scan.missing),
        }
    }
}

/// "regali_natale" is a name and no day.
fn is_of_its_own(text: &str, span: &Range<usize>) -> bool {
    let before = text.get(..span.start).unwrap_or_default();
    let behind = text.get(span.end..).unwrap_or_default();
    !before.ends_with('_') && !behind.starts_with('_')
}

/// What no pass explained, in the words of the request; of what is not to be done no word matters.
fn unaccounted(scan: &Scan<'_>, forbidden: &[ClauseReading]) -> Vec<String> {
    let matters = |at: usize| !forbidden.iter().any(|clause| clause.span.contains(&at));
    scan.segments
        .iter()
        .filter(|segment| !segment.used && segment.mark.is_none() && matters(segment.span.start))
        .filter_map(|segment| scan.original.get(segment.span.clone()))
        .map(str::to_owned)
        .collect()
}

/// The facts without those that became part of others; the clauses' indices follow.
fn handed_out<'c>(scan: &Scan<'_>, clauses: impl Iterator<Item = &'c mut ClauseReading>) -> Vec<Fact> {
    let mut order: Vec<usize> = (0..scan.facts.len())
        .filter(|index| scan.facts.get(*index).is_some_and(|fact| fact.kind != FactKind::Taken))
        .collect();
    order.sort_by_key(|index| scan.facts.get(*index).map_or(0, |fact| fact.span.start));
    for clause in clauses {
        clause.facts = clause
            .facts
            .iter()
            .filter_map(|old| order.iter().position(|kept| kept == old))
            .collect();
        clause.facts.sort_unstable();
    }
    order
        .iter()
        .filter_map(|index| scan.facts.get(*index).cloned())
        .collect()
}

/// A text or a name over spaces that no quotes or backslashes hold together.
fn is_unquoted(text: &str, fact: &Fact) -> bool {
    let written = text.get(fact.span.clone()).unwrap_or_default();
    let value = fact.text();
    fact.kind == FactKind::Quoted && written.ends_with(value)
        || fact.kind == FactKind::Path && value.contains(' ') && written == value
}

/// The intent and how sure it is:
/// 1.0 when every clause has a verb and an object and no word is open; 0.8 when the verb is only implied by the values;
/// 0.2 less for each open word; at most 0.4 when a verb or an object is missing, or when the verb is implied although a
/// word is open (that word may be the verb: "copy"); at most 0.3 when the sentence negates, is conditional or asks how
/// something is done. Nothing understood is 0.
fn intent(clauses: &[ClauseReading], unaccounted: &[String]) -> Intent {
    let asked: Vec<Clause> = clauses
        .iter()
        .filter(|clause| clause.verb.is_some() || clause.object.is_some())
        .map(|clause| Clause {
            verb: clause.verb,
            object: clause.object,
        })
        .collect();
    let keywords = unaccounted.iter().map(|word| fold(word)).collect();
    if asked.is_empty() {
        return Intent {
            keywords,
            ..Intent::unknown()
        };
    }
    let open = u32::try_from(unaccounted.len()).unwrap_or(u32::MAX);
    let implied = clauses.iter().any(|clause| clause.is(Mark::Implied));
    let mut confidence: f64 = if implied { 0.8 } else { 1.0 } - 0.2 * f64::from(open);
    let mut intent = Intent {
        clauses: asked,
        keywords,
        confidence: 0.0,
    };
    if !intent.is_complete() || implied && open > 0 {
        confidence = confidence.min(0.4);
    }
    if clauses.iter().any(|clause| clause.is_no_command()) {
        confidence = confidence.min(0.3);
    }
    intent.confidence = confidence.max(0.1);
    intent
}

/// Verbs a plan must contain: none for a request that only reads and names fewer than two.
fn required_verbs(intent: &Intent) -> Vec<Verb> {
    let wanted: BTreeSet<Verb> = intent.clauses.iter().filter_map(|clause| clause.verb).collect();
    if wanted.len() < 2 && !wanted.iter().any(|verb| verb.is_destructive()) {
        return Vec::new();
    }
    wanted.into_iter().filter(|verb| verb.must_be_covered()).collect()
}

#[cfg(test)]
mod tests;
