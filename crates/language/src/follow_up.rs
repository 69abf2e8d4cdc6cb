//! Two messages as one request: "find the pdf files in ~/docs", "delete them"; "and in ~/photos?". Called by
//! `engine::follow_up`, which says whether what comes of it makes sense. It adds no word but the one that joins them.

use std::ops::Range;

use jiff::Zoned;

pub use chosen::Choice;
pub use continued::Continued;

use super::{
    Fact, FactKind, Language,
    dictation::lines,
    home::Home,
    lexicon::Lexicon,
    reading::{ClauseReading, Reading},
    refer::edited,
    scan::{Scan, Segment},
    sense::{Changing, Role, Sense},
    time::{Found, Mention},
    token,
};
use metnos_domain::{lang::Lang, vocabulary::Verb};

mod amended;
mod chosen;
mod continued;
mod corrected;
mod listed;
mod several;
mod shown;

/// What a value is, so that another one can take its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Fact(FactKind),
    /// A time that is no fact.
    Time,
}

/// A value of a request.
#[derive(Debug)]
struct Valued {
    kind: Kind,
    /// What the word before says of it.
    role: Option<Role>,
    span: Range<usize>,
}

impl Language {
    /// A text by itself, without its numbers.
    fn words_of<'a>(&'a self, text: &'a str, lang: Lang) -> Scan<'a> {
        let tokens = token::tokens(text, &self.known, &Home::unknown(), None);
        Scan::new(text, &tokens, &[], self.lexicon(lang))
    }

    /// A text by itself, with its numbers.
    pub(super) fn scan_of<'a>(&'a self, text: &'a str, lang: Lang, now: &Zoned) -> Scan<'a> {
        let tokens = token::tokens(text, &self.known, &Home::unknown(), None);
        let Found { numerals, .. } = self.times.find(text, lang, now, &token::literal_spans(&tokens));
        Scan::new(text, &tokens, &numerals, self.lexicon(lang))
    }

    /// Both in one sentence: "find the pdf files in ~/docs and delete them".
    pub fn joined(&self, before: &str, after: &str, lang: Lang) -> String {
        let lexicon = self.lexicon(lang);
        let scan = self.words_of(after, lang);
        let leads = |at: &usize| scan.is_joint(*at) || scan.is(*at, &Sense::Stop) && !scan.is(*at, &Sense::Anaphora);
        let start = (0..scan.segments.len()).find(|at| !leads(at));
        let start = start
            .and_then(|at| scan.segments.get(at))
            .map_or(0, |first| first.span.start);
        let before = trimmed(before);
        let after = after.get(start..).unwrap_or(after);
        format!("{before} {} {after}", lexicon.joint)
    }

    /// What may be said of the list that a request before spoke of: "add eggs" and "remove the bread" of it, "and eggs"
    /// what was done with it then. Whether it is one is for the reading of the whole to say. Where nothing but
    /// things are said, it may be the request before with these (`again`).
    pub fn of_its_list(&self, before: &Reading, text: &str, again: bool) -> Option<String> {
        let lexicon = self.lexicon(before.lang);
        let mut clauses = before.clauses.iter().rev();
        let (clause, list) = clauses.find_map(|clause| Some((clause, self.list_of(before, clause)?)))?;
        let scan = self.words_of(text, before.lang);
        let all = 0..scan.segments.len();
        let is_further = |at: usize| scan.is(at, &Sense::Changing(Changing::Further));
        let leads = |at: usize| scan.is_joint(at) || is_further(at);
        // "oh and toothpaste": what opens a message is no part of it.
        let opens = |at: &usize| scan.is_glue(*at) || scan.is_break(*at);
        let opened = all
            .clone()
            .find(|at| !opens(at))
            .filter(|at| leads(*at))
            .unwrap_or_default();
        let start = (opened..all.end).find(|at| !leads(*at)).unwrap_or_default();
        let place = |at: Option<&Segment<'_>>, otherwise: usize| at.map_or(otherwise, |own| own.span.start);
        let begins = place(scan.segments.get(start), 0);
        // "to it", "from the list": the list of before.
        let points = |at: usize| {
            let list = [Sense::Anaphora, Sense::There, Sense::Changing(Changing::List)];
            list.iter().any(|sense| scan.is(at, sense))
        };
        let passes = |at: usize| points(at) || scan.is_glue(at) || scan.is_break(at) || is_further(at);
        let is_of_list = |at: &usize| {
            let mut behind = at + 1..all.end;
            let leads = scan.sense(*at, Sense::role).is_some() && *at > start;
            leads && behind.clone().any(points) && behind.all(passes)
        };
        let of_list = all.clone().find(is_of_list).and_then(|at| scan.segments.get(at));
        let ends = place(of_list, text.len());
        let rest = text.get(begins..ends).unwrap_or(text);
        // "eggs" alone may be anything.
        let goes_on = start > opened || all.clone().last().is_some_and(is_further);
        let is_thing = |at: usize| scan.sense(at, Sense::verb).is_none() && scan.sense(at, Sense::object).is_none();
        let is_more = goes_on && clause.changes_lines() && all.clone().all(is_thing);
        if again {
            let mut things = before
                .facts_of(clause)
                .filter(|(_, fact)| fact.kind == FactKind::Quoted);
            let (_, thing) = things.next().filter(|_| is_more && things.next().is_none())?;
            let place = self.with_article(before, &thing.span);
            return Some(edited(&before.original, vec![(place, rest.to_owned())]));
        }
        let verb = match is_more {
            // "shopping list: eggs" has none.
            true if clause.word.is_empty() => ": ".to_owned(),
            true => format!(" {} ", clause.word),
            false => " ".to_owned(),
        };
        Some(format!("{} {list}{verb}{rest}", lexicon.inside))
    }
}

impl Language {
    /// The request to show the list that a request before spoke of ("read it", "what's on the list?"), to take everything
    /// off it ("clear it"), or to put another thing in the place of the one that was added ("no, oat milk").
    pub fn about_its_list(&self, before: &Reading, own: &Reading, now: &Zoned) -> Option<String> {
        let list = self.only_list(before)?;
        let lexicon = self.lexicon(before.lang);
        let scan = self.scan_of(&own.original, before.lang, now);
        let said = &lexicon.list_said;
        let whole = if shown::asks(&scan) {
            said.read.clone()
        } else if shown::clears(&scan) {
            said.clear.clone()
        } else {
            // "no, tomorrow" says when.
            let [clause] = before.clauses.as_slice() else {
                return None;
            };
            if !own.times.is_empty() {
                return None;
            }
            let wrong = before.facts_of(clause).find(|(_, fact)| fact.kind == FactKind::Quoted);
            let wrong = wrong.map(|(_, fact)| fact.text()).filter(|_| clause.adds_lines())?;
            let right = corrected::instead(&scan, wrong)?;
            said.correct.replace("{wrong}", wrong).replace("{right}", &right)
        };
        Some(whole.replace("{list}", &list))
    }

    /// The request to read a list, by the path it has: what a message may go on with that made or changed it in words
    /// which say nothing of it any more.
    pub fn reading_list(&self, path: &str, lang: Lang) -> String {
        let lexicon = self.lexicon(lang);
        let name = path.rsplit('/').next().unwrap_or(path);
        let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let said = &lexicon.list_said;
        said.read.replace("{list}", &lexicon.with_list(&said.list, name))
    }

    /// The one list a request speaks of, called a list.
    fn only_list(&self, before: &Reading) -> Option<String> {
        let mut lists: Vec<String> = before
            .clauses
            .iter()
            .filter_map(|clause| self.list_of(before, clause))
            .collect();
        lists.dedup();
        let [list] = lists.as_slice() else { return None };
        let lexicon = self.lexicon(before.lang);
        let words = token::words_of(list);
        let is = |word: &str, own: Changing| {
            let senses = lexicon.senses(word);
            senses.is_some_and(|senses| senses.contains(&Sense::Changing(own)))
        };
        let is_container = |word: &String| is(word, Changing::List) && is(word, Changing::Container);
        if words.iter().any(is_container) {
            return Some(list.clone());
        }
        let phrase = words.join(" ");
        let is_name = [Changing::List, Changing::ListName, Changing::ToDo]
            .into_iter()
            .any(|own| is(&phrase, own));
        is_name.then(|| lexicon.with_list(&lexicon.list_said.list, list))
    }

    /// A place in a request, with the article before it.
    fn with_article(&self, reading: &Reading, span: &Range<usize>) -> Range<usize> {
        let scan = self.words_of(&reading.original, reading.lang);
        let before = (0..scan.segments.len()).rev();
        let mut before = before.filter(|at| scan.segments.get(*at).is_some_and(|own| own.span.end <= span.start));
        let article = before
            .next()
            .filter(|at| scan.is(*at, &Sense::Changing(Changing::Article)));
        let start = article.and_then(|at| scan.segments.get(at));
        start.map_or(span.start, |own| own.span.start)..span.end
    }

    /// The words by which a clause speaks of a list or of a text: to change its lines, to show it, or to make it.
    fn list_of(&self, reading: &Reading, clause: &ClauseReading) -> Option<String> {
        let is_new = clause.verb == Some(Verb::Create);
        let kind = match clause.verb {
            Some(Verb::Write) if clause.changes_lines() || clause.clears_lines() => FactKind::Path,
            Some(Verb::Create) => FactKind::Path,
            Some(Verb::Read) => FactKind::Title,
            _ => return None,
        };
        let lexicon = self.lexicon(reading.lang);
        let is_list = |word: &&str| {
            let senses = lexicon.senses(word);
            senses.is_some_and(|senses| senses.contains(&Sense::Changing(Changing::List)))
        };
        // "Read me the packing list": a file that is called a list.
        let is_called_so = |fact: &Fact| {
            let said = reading.original.get(fact.span.clone()).unwrap_or_default();
            kind == FactKind::Title && fact.kind == FactKind::Path && said.split_whitespace().any(|word| is_list(&word))
        };
        let (_, fact) = reading
            .facts_of(clause)
            .find(|(_, fact)| fact.kind == kind || is_called_so(fact))?;
        let said = reading.original.get(fact.span.clone())?;
        if !is_new {
            return Some(said.to_owned());
        }
        // "a list for the party" is the party list from now on.
        let list = said.split_whitespace().find(is_list)?;
        let (_, name) = fact.text().rsplit_once('/')?;
        let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let is_said = name.split_whitespace().any(|word| word == list);
        Some(if is_said {
            name.to_owned()
        } else {
            lexicon.with_list(list, name)
        })
    }
}

impl Lexicon {
    /// "shopping list", "lista spesa".
    fn with_list(&self, list: &str, name: &str) -> String {
        match self.noun_first {
            true => format!("{name} {list}"),
            false => format!("{list} {name}"),
        }
    }
}

/// Without the signs that end a sentence.
fn trimmed(text: &str) -> &str {
    text.trim_end_matches(|letter: char| letter.is_whitespace() || ".,;:!?".contains(letter))
}

impl ClauseReading {
    /// Adds to the lines of a list, takes some off or ticks them.
    pub fn changes_lines(&self) -> bool {
        self.has_mode(&[lines::ADD, lines::REMOVE, lines::TICK])
    }

    /// Takes everything off a list.
    pub fn clears_lines(&self) -> bool {
        self.has_mode(&[lines::CLEAR])
    }

    fn adds_lines(&self) -> bool {
        self.has_mode(&[lines::ADD])
    }

    fn has_mode(&self, modes: &[&str]) -> bool {
        self.options.iter().any(|option| modes.contains(&option.as_str()))
    }
}

impl Reading {
    /// This request with the one value of another in the place of its own of that kind: "and in ~/photos?". Where it has
    /// several, the one that the same word leads to: "no, to docs". A name that nothing leads to is a new one where no
    /// file has it (`there`), else that of the file; of a folder nobody can say.
    pub fn with_value_of(&self, other: &Self, there: &dyn Fn(&str) -> Option<bool>) -> Option<String> {
        let [value] = other.values().try_into().ok()?;
        let mut own = self.values();
        own.retain(|own| own.kind == value.kind);
        if own.len() > 1 {
            let mut names = other.facts.iter().filter(|fact| fact.kind == FactKind::Path);
            let name = names.next().filter(|_| value.role.is_none());
            let role = match name {
                Some(name) if there(name.text())? => None,
                Some(_) => Some(Role::To),
                None => value.role,
            };
            own.retain(|own| own.role == role);
        }
        let [place] = own.try_into().ok()?;
        let said = other.original.get(value.span)?;
        Some(edited(&self.original, vec![(place.span, said.to_owned())]))
    }

    /// Its values, and where they stand.
    fn values(&self) -> Vec<Valued> {
        let facts = || self.facts.iter().filter(|fact| fact.kind != FactKind::Taken);
        let is_free = |span: &Range<usize>| !facts().any(|own| own.span.start < span.end && span.start < own.span.end);
        let times = self.times.iter().filter(|time| is_free(&time.span));
        let of_fact = |fact: &Fact| Valued {
            kind: Kind::Fact(fact.kind),
            role: fact.role,
            span: fact.span.clone(),
        };
        let of_time = |time: &Mention| Valued {
            kind: Kind::Time,
            role: None,
            span: time.span.clone(),
        };
        facts().map(of_fact).chain(times.map(of_time)).collect()
    }
}
