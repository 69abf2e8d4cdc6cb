//! A sentence told to a text that is named: "add to my diary that we were happy", "scrivi nel diario che è nata Giulia". Called
//! by `dictation` before anything is read: what stands behind "that" is the text, and no word of it means anything else.
//! The same of a message that is a note: "take a note: …"; and of one that begins with the name of a list: "shopping list: …".

use std::ops::Range;

use jiff::Zoned;

use super::{Dictated, Kind, announced, leads_to_text, text_led_to};
use crate::{
    FactKind, Language,
    home::Home,
    known::lists,
    lexicon::Lexicon,
    made::NAME_WORDS_MAX,
    quantities::quantities,
    scan::Scan,
    sense::{Around, Changing, Role, Sense},
    time::Found,
    token::words_of,
};
use metnos_domain::{
    lang::Lang,
    vocabulary::{Object, Verb},
};

/// Signs between things, and in them.
const SIGNS: [char; 9] = [',', '.', '!', '-', '\'', '’', '(', ')', '/'];

/// The sentence behind "that", where only the name of a text stands between it and the command.
pub(super) fn told(
    text: &str,
    words: &[(String, Range<usize>)],
    command: Range<usize>,
    lexicon: &Lexicon,
) -> Option<Dictated> {
    let folds: Vec<&str> = words.iter().map(|(fold, _)| fold.as_str()).collect();
    let senses_at = |at: usize| lexicon.longest_match(folds.get(at..).unwrap_or_default());
    let (taken, senses) = senses_at(command.end)?;
    let goes = [Role::To, Role::In]
        .into_iter()
        .any(|role| senses.contains(&Sense::Role(role)));
    let name = command.end + taken;
    // "the", "my" and the name.
    let that = (name + 1..=name + 1 + NAME_WORDS_MAX).find(|at| is_that(&folds, *at, lexicon))?;
    let leads = goes && leads_to_text(words.iter().take(that), lexicon);
    if !leads || marks_as_done(&folds, &command, that, lexicon) {
        return None;
    }
    let place = words.get(that)?.1.clone();
    let said = announced(text, place.start, place.end)?;
    // "could you write in the diary that I am tired?" asks for the writing.
    let asks = command.start > 0 && text.get(said.text.clone())?.ends_with('?');
    let end = if asks { said.text.end - 1 } else { said.text.end };
    (said.text.start < end).then_some(Dictated {
        whole: said.whole.start..end,
        text: said.text.start..end,
        kind: Kind::Text,
    })
}

/// "take a note: …", "annota che …": a message that is one note from there to its end.
pub(super) fn noted(
    text: &str,
    words: &[(String, Range<usize>)],
    lexicon: &Lexicon,
    is_text: &dyn Fn(&str) -> bool,
) -> Option<Dictated> {
    let folds: Vec<&str> = words.iter().map(|(fold, _)| fold.as_str()).collect();
    let senses_at = |at: usize| lexicon.longest_match(folds.get(at..).unwrap_or_default());
    let is = |senses: &[Sense], changing: Changing| senses.contains(&Sense::Changing(changing));
    let mut at = 0;
    let (taken, senses) = loop {
        let (taken, senses) = senses_at(at)?;
        if is(senses, Changing::NoteDown) || is(senses, Changing::Note) && at == 0 {
            break (taken, senses);
        }
        if !senses.contains(&Sense::Stop) {
            return None;
        }
        at += taken;
    };
    let that = at + taken;
    let end = words.get(that.checked_sub(1)?)?.1.end;
    let said = if text.get(end..)?.trim_start().starts_with(':') {
        announced(text, end, end)?
    } else if is(senses, Changing::NoteDown)
        && is_that(&folds, that, lexicon)
        && !text_led_to(words.iter(), lexicon).is_some_and(|name| is_text(&name))
        && !(is(senses, Changing::Mark) && is_said_done(&folds, that, lexicon))
    {
        // "annota che piove nel diario" would be no note of its own, where there is a diary.
        let place = words.get(that)?.1.clone();
        announced(text, place.start, place.end)?
    } else {
        return None;
    };
    Some(Dictated {
        kind: Kind::Note,
        ..said
    })
}

/// "shopping list: eggs and bread": behind a colon, where only what may be the name of a list stands before it.
pub(super) fn listed(text: &str, lexicon: &Lexicon) -> Option<Dictated> {
    let colon = text.find(": ")?;
    let name = text.get(..colon)?;
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '\'' | '’');
    let words = words_of(name);
    let folds: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_list = (0..folds.len()).any(|at| {
        let phrase = lexicon.longest_match(folds.get(at..).unwrap_or_default());
        let names = [Changing::List, Changing::ListName, Changing::ToDo];
        phrase.is_some_and(|(_, senses)| names.iter().any(|own| senses.contains(&Sense::Changing(*own))))
    });
    let said = announced(text, colon, colon)?;
    let says_more = text.get(said.text.clone())?.contains(": ");
    (is_list && !says_more && name.chars().all(is_plain)).then_some(Dictated {
        kind: Kind::List,
        ..said
    })
}

impl Language {
    /// Whether it is the name of a list of the household that stands before these words, and things for it behind, as
    /// every language has it in which that is a list: "todo: delete …" is a command wherever it is read.
    pub(crate) fn is_short_list(
        &self,
        text: &str,
        listed: &Dictated,
        (lang, now): (Lang, &Zoned),
        home: &Home,
    ) -> bool {
        let are_listed = |lang: Lang| -> Option<bool> {
            let mut scan = self.scan_of(text, lang, now);
            let behind = |place: usize| scan.segments.partition_point(|own| own.span.start < place);
            let (colon, things) = (behind(listed.whole.start), behind(listed.text.start));
            let list = lists::named(&scan, colon, home, &self.nouns)?;
            quantities(&mut scan, self.units(lang), &[]);
            // "todo: tomorrow": when, and not what.
            let Found { times, .. } = self.times.find(text, lang, now, &[]);
            let begins_with_time = times.iter().any(|time| time.span.start == listed.text.start);
            Some(!begins_with_time && are_things(&scan, things..scan.segments.len(), list.is_to_do))
        };
        are_listed(lang) == Some(true) && Lang::BUILT_IN.into_iter().filter_map(are_listed).all(|are| are)
    }
}

/// Whether what stands behind the name of a list are things for it, and no question or command about it; of a list of
/// what is to be done also what somebody does.
fn are_things(scan: &Scan<'_>, all: Range<usize>, are_to_do: bool) -> bool {
    let sign = |at: usize| scan.segments.get(at).and_then(|own| own.mark);
    let is_money = |at: usize| {
        let fact = scan.fact_at(at);
        fact.is_some_and(|fact| fact.kind == FactKind::Money)
    };
    let is_negated = |at: usize| scan.is(at, &Sense::Negation) && !scan.is(at, &Sense::Without);
    let is_strange = |at: usize| is_money(at) || is_negated(at) || sign(at).is_some_and(|mark| !SIGNS.contains(&mark));
    let plain = |at: usize| scan.is_unknown(at) && !scan.is_break(at) && !scan.is(at, &Sense::Changing(Changing::List));
    let is_thing = |at: usize| {
        let counts = scan.number(at).is_some() && !scan.is(at, &Sense::Changing(Changing::Article));
        (plain(at) || scan.sense(at, Sense::place).is_some()) && !counts
    };
    let leads = |at: &usize| scan.is_break(*at) || scan.is(*at, &Sense::Changing(Changing::Filler));
    let Some(first) = all.clone().find(|at| !leads(at)) else {
        return false;
    };
    !all.clone().any(is_strange) && all.clone().any(is_thing) && !asks(scan, first) && !commands(scan, first, are_to_do)
}

/// Begins a question, or says when and not what.
fn asks(scan: &Scan<'_>, first: usize) -> bool {
    let begins = [
        Sense::HowMany,
        Sense::HowMuch,
        Sense::HowTo,
        Sense::Wonder,
        Sense::Around(Around::Where),
        Sense::WhereIs,
        Sense::WhenChanged,
        Sense::Content,
        Sense::Exists,
        Sense::Scheduled,
        Sense::Conditional,
        Sense::Changing(Changing::Unsaid),
    ];
    // "todo: is the plumber on it"; the one letter is an article elsewhere.
    let is_whether = scan.is(first, &Sense::Listed)
        && !scan.is(first, &Sense::Changing(Changing::Article))
        && scan.segments.get(first).is_some_and(|own| own.fold.len() > 1);
    let is_show = scan.is(first, &Sense::Show) && !is_errand(scan, first);
    let of_tasks = scan
        .sense(first, Sense::object)
        .is_some_and(|(object, _)| object == Object::Tasks);
    is_show
        || is_whether
        || of_tasks
        || begins.iter().any(|sense| scan.is(first, sense))
        || scan.sense(first, Sense::list_of).is_some()
}

/// Begins what is to be done with the list: "remove the eggs", "read it". What is to be done by somebody is "read the
/// book", on a list of that.
fn commands(scan: &Scan<'_>, first: usize, are_to_do: bool) -> bool {
    let is = |changing: Changing| scan.is(first, &Sense::Changing(changing));
    let points = (first..scan.segments.len()).any(|at| {
        let back = scan.is(at, &Sense::Anaphora) && !scan.is_glue(at) && !scan.is(at, &Sense::Definite);
        back || scan.is(at, &Sense::Changing(Changing::List))
    });
    let goes = |role: Role, mut at: Range<usize>| at.any(|at| scan.is(at, &Sense::Role(role)));
    let behind = first + 1..scan.segments.len();
    let takes_off = is(Changing::TakeOff) && goes(Role::From, behind);
    if takes_off || is(Changing::Clear) || is(Changing::Mark) || is(Changing::Tick) {
        return true;
    }
    match scan.sense(first, Sense::verb) {
        None => scan.segments.get(first).is_some_and(|own| own.clitic),
        Some(Verb::Delete) => true,
        Some(Verb::Write) => !(are_to_do && is_errand(scan, first) && goes(Role::To, first + 1..first + 2)),
        // "todo: send to Anna" is said of the list.
        Some(Verb::Send | Verb::Share) if goes(Role::To, first + 1..first + 2) => true,
        Some(_) => points || !(are_to_do && is_errand(scan, first)),
    }
}

fn is_errand(scan: &Scan<'_>, at: usize) -> bool {
    [Changing::Errand, Changing::ErrandOf]
        .into_iter()
        .any(|changing| scan.is(at, &Sense::Changing(changing)))
}

/// "that", and not the beginning of "that says" or "che si chiama".
fn is_that(folds: &[&str], at: usize, lexicon: &Lexicon) -> bool {
    let is = |senses: &[Sense], changing: Changing| senses.contains(&Sense::Changing(changing));
    let word = folds.get(at).and_then(|fold| lexicon.senses(fold));
    let phrase = lexicon.longest_match(folds.get(at..).unwrap_or_default());
    let says_more = phrase.is_some_and(|(taken, senses)| {
        // "che ore sono" is a question.
        let asks = taken > 1 && senses.iter().any(|sense| sense.object().is_some());
        asks || senses.contains(&Sense::Says) || senses.contains(&Sense::Named) || is(senses, Changing::CallIt)
    });
    word.is_some_and(|senses| is(senses, Changing::That)) && !says_more
}

/// "segna che il latte è fatto" ticks something off.
fn is_said_done(folds: &[&str], from: usize, lexicon: &Lexicon) -> bool {
    (from..folds.len()).any(|at| {
        let phrase = lexicon.longest_match(folds.get(at..).unwrap_or_default());
        phrase.is_some_and(|(_, senses)| senses.contains(&Sense::Changing(Changing::Done)))
    })
}

/// "segna nella lista che il latte è fatto" may tick it off.
fn marks_as_done(folds: &[&str], command: &Range<usize>, that: usize, lexicon: &Lexicon) -> bool {
    let has = |mut range: Range<usize>, changing: Changing| {
        range.any(|at| {
            let phrase = lexicon.longest_match(folds.get(at..).unwrap_or_default());
            phrase.is_some_and(|(_, senses)| senses.contains(&Sense::Changing(changing)))
        })
    };
    has(command.clone(), Changing::Mark)
        && has(command.end..that, Changing::List)
        && has(that..folds.len(), Changing::Done)
}
