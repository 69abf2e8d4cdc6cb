//! A message that says a value and nothing of what to do, as the request before with that value in it: "and on
//! saturday?", "and in london?", "the premium?", "and the lease as well", "no, in the jazz folder I meant". Called by
//! `engine::dispatch::continuing`, which says which of these requests is one of the same kind. It cuts and joins what
//! was said, and adds no word.

use std::ops::Range;

use super::{Fact, FactKind, Language, Reading, Scan, Segment, amended, trimmed};
use crate::{
    home::Home,
    outline::{Sign, Word},
    refer::edited,
    sense::{Changing, Sense},
};
use metnos_domain::frame::SlotRole;

/// Words of a message that says only a value.
const WORDS_MAX: usize = 9;
/// Requests that may be meant by one.
const REQUESTS_MAX: usize = 10;
/// The deed of every question.
const LOOK: &str = "look";

/// What may be meant, the likeliest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "plain facts of how a message goes on, each asked by itself"
)]
pub struct Continued {
    /// A number, a time or another value in the place of one of its sort, and nothing else was said.
    pub by_value: Vec<String>,
    /// All that was said in the place of something else, or behind it: the first that makes sense counts.
    pub by_form: Vec<String>,
    /// One more of the same is wanted: "another one of 8 minutes", "and at 8", "the lease as well".
    pub is_another: bool,
    /// It puts something right.
    pub corrects: bool,
    /// It asks something.
    pub asks: bool,
    /// All that was said behind the deed of the one before, where it says several parts: "and at 6pm to feed the cat".
    pub by_deed: Option<String>,
    /// It names something, and may be about that alone.
    pub names_thing: bool,
    /// A thing in the place of one word of several: of these at most one may make sense.
    pub by_place: Vec<String>,
}

impl Language {
    /// The requests that a message may be, behind the one before it, which is read only where that may be so. There are
    /// none where the message says what to do.
    pub fn continued(&self, before: impl FnOnce() -> Reading, own: &Reading, home: &Home) -> Continued {
        let (words, corrects) = self.right_words(own, home);
        let is_another = |word: &Word| word.may_be(&Sign::Another);
        // «Aprile» is a month, and opens nothing; a word that leads to a part says no deed beside.
        let leads = |word: &Word| word.is_glue && roles(word).next().is_some();
        let may_do = |word: &Word| !word.is_time && !leads(word) && !is_another(word);
        let says_deed = |word: &Word| word.deeds().any(|deed| deed != LOOK);
        // "The bins": a thing, and no deed.
        let is_led = |at: usize| {
            at.checked_sub(1)
                .and_then(|before| words.get(before))
                .is_some_and(|word| word.may_be(&Sign::Definite))
        };
        let mut all = words.iter().enumerate();
        let does = all.any(|(at, word)| may_do(word) && says_deed(word) && !is_led(at));
        let does = does || words.iter().any(|word| word.may_be(&Sign::Request));
        let said = words.iter().filter(|word| word.mark.is_none()).count();
        if said > WORDS_MAX || does {
            return Continued::default();
        }
        let before = &before();
        if before.lang != own.lang {
            return Continued::default();
        }
        let opens = |word: &&Word| word.may_be(&Sign::Connector) || word.mark.is_some() || is_another(word);
        let lead: Vec<&Word> = words.iter().skip_while(opens).collect();
        // "The lease as well."
        let is_core = |word: &&Word| word.mark.is_none() && !is_another(word);
        let (lead, behind) = lead.split_at(lead.iter().rposition(is_core).map_or(0, |last| last + 1));
        let joins = lead.len() + behind.len() < words.len() || behind.iter().any(|word| is_another(word));
        let asks = lead.iter().any(|word| word.may_be(&Sign::Question));
        let first = self.outline(before, home);
        let mut continued = Continued {
            is_another: joins,
            corrects,
            asks: asks || own.original.trim_end().ends_with('?'),
            names_thing: !joins && lead.iter().any(|word| tells(word) && !is_value(word)),
            ..Continued::default()
        };
        continued.by_value = match lone_number(own, lead) {
            Some((number, led)) => {
                // «E il 20?» is of "il 15%", and not of «di 320».
                let is_led_alike =
                    |at: usize| led == at.checked_sub(1).and_then(|at| first.get(at)).map(|word| &*word.fold);
                let numbers = (0..first.len())
                    .rev()
                    .filter(|at| first.get(*at).is_some_and(Word::is_number));
                let mut numbers: Vec<usize> = numbers.collect();
                numbers.sort_by_key(|at| led.is_some() && !is_led_alike(*at));
                let words = numbers.into_iter().filter_map(|at| first.get(at));
                words.map(|word| put(before, word.span.clone(), number)).collect()
            }
            None => typed(before, own, lead).into_iter().collect(),
        };
        if !asks {
            let scan = self.words_of(&before.original, before.lang);
            let head = head(before, &first, &|word| is_article(&scan, word));
            continued.extend((before, &first), (own, lead), Joint { head, joins, corrects });
        }
        continued.by_value.truncate(REQUESTS_MAX);
        continued.by_form.truncate(REQUESTS_MAX);
        continued.by_place.truncate(REQUESTS_MAX);
        continued
    }

    /// The words of a message, of one that puts something right those that are right, and whether it does: "no wait, in
    /// the jazz folder I meant" says a place.
    fn right_words(&self, own: &Reading, home: &Home) -> (Vec<Word>, bool) {
        let mut words = self.outline(own, home);
        let scan = self.words_of(&own.original, own.lang);
        let Some(correction) = amended::correction(&scan) else {
            return (words, false);
        };
        let right = scan.span_of(&correction.words).unwrap_or_default();
        let leader = correction.leader.and_then(|at| scan.segments.get(at));
        let start = leader.map_or(right.start, |leader| leader.span.start);
        words.retain(|word| start <= word.span.start && word.span.end <= right.end);
        (words, true)
    }
}

/// How a message goes on with the one before.
#[derive(Clone, Copy)]
struct Joint<'a> {
    /// The deed of that one, as it was said.
    head: Option<&'a str>,
    /// A word says that more comes.
    joins: bool,
    /// It puts something right: with anything but a value or a place, that may be no thing at all, as "no, wrong".
    corrects: bool,
}

impl Continued {
    /// Adds the requests with all that is said in the place of something else, or behind it.
    fn extend(&mut self, (before, first): (&Reading, &[Word]), (own, lead): (&Reading, &[&Word]), joins: Joint<'_>) {
        let Joint { head, joins, corrects } = joins;
        let said = |lead: &[&Word]| {
            let own = own.original.get(lead.first()?.span.start..lead.last()?.span.end);
            own.map(trimmed).filter(|said| !said.is_empty())
        };
        let leads = lead.first().is_some_and(|word| roles(word).next().is_some());
        // "And garden.jpg to roses.jpg": all but the deed.
        let says_parts = lead.iter().skip(1).any(|word| roles(word).next().is_some());
        if let Some((head, said)) = head.zip(said(lead)).filter(|_| joins && says_parts) {
            self.by_deed = Some(format!("{head} {said}"));
            self.by_form.extend(self.by_deed.clone());
        }
        // «No, in backup» behind "to docs" says another place, and not how it is led to.
        if let Some((said, value)) = said(lead)
            .zip(said(lead.get(1..).unwrap_or_default()))
            .filter(|_| leads)
        {
            for (leader, place) in places_of_role(first, lead.first().copied()) {
                let own = place.start + leader..place.end;
                let led = before.original.get(own.clone()).unwrap_or_default();
                let gap = led.len() - led.trim_start().len();
                self.by_form.push(put(before, own.start + gap..own.end, value));
                self.by_form.push(put(before, place, said));
            }
            self.by_form.dedup();
        }
        // Nothing of its own stands before what narrows it: "only in march", and not "will it rain tomorrow?"
        let mut telling = lead
            .iter()
            .filter(|word| word.is_time || roles(word).next().is_some() || tells(word));
        let narrows = telling.next().is_some_and(|word| !tells(word) || word.is_time);
        if let Some(said) = said(lead).filter(|_| narrows) {
            self.by_form.push(format!("{} {said}", trimmed(&before.original)));
        }
        // "The premium": an article says nothing of which one.
        let bare: Vec<&Word> = lead.iter().copied().skip_while(|word| word.is_glue).collect();
        // "The bins one" are the bins.
        let one = bare.iter().skip(1).position(|word| is_one(own, word)).map(|at| at + 1);
        let bare: Vec<&Word> = bare.into_iter().take(one.unwrap_or(usize::MAX)).collect();
        let is_thing = bare.iter().any(|word| tells(word)) && !bare.iter().any(|word| word.is_time);
        if let Some(said) = said(&bare).filter(|_| !leads && !corrects && (is_thing || joins)) {
            let runs = runs(first, joins);
            let several = coordinated(first).filter(|_| joins);
            self.by_form.extend(several.map(|place| put(before, place, said)));
            self.by_form
                .extend(runs.iter().rev().filter_map(|run| Some(put(before, span(run)?, said))));
            let single = runs.iter().filter(|run| run.len() > 1).flatten();
            self.by_place
                .extend(single.map(|word| put(before, word.span.clone(), said)));
        }
        // "And the smallest?"
        let says_most = |word: &Word| word.signs.iter().any(|(sign, _)| matches!(sign, Sign::Most(..)));
        let most = bare.iter().find(|word| says_most(word));
        if let Some(most) = most.and_then(|word| own.original.get(word.span.clone())) {
            let place = first.iter().find(|word| !word.is_glue && says_most(word));
            self.by_form
                .extend(place.map(|word| put(before, word.span.clone(), most)));
        }
    }
}

/// The number that is all that is said, with words of grammar, and the one of them right before it.
fn lone_number<'r>(own: &'r Reading, lead: &[&'r Word]) -> Option<(&'r str, Option<&'r str>)> {
    // "Off that": who points at something says more.
    let counts = |word: &&&Word| tells(word) || word.is_number() || word.may_be(&Sign::Pointer);
    let mut telling = lead.iter().filter(counts);
    let number = telling.next().filter(|word| word.is_number() && own.times.is_empty())?;
    let said = own.original.get(number.span.clone())?;
    let led = lead
        .iter()
        .take_while(|word| word.span.start < number.span.start)
        .last();
    telling.next().is_none().then_some((said, led.map(|word| &*word.fold)))
}

/// A request with other words at a place.
fn put(before: &Reading, place: Range<usize>, said: &str) -> String {
    edited(&before.original, vec![(place, said.to_owned())])
}

/// The one time or value that is said and nothing beside it, in the place of the one of its sort.
fn typed(before: &Reading, own: &Reading, lead: &[&Word]) -> Option<String> {
    let (value, whole) = match (own.times.as_slice(), before.times.as_slice()) {
        ([time], [wrong]) => {
            let said = own.original.get(time.span.clone())?;
            (time.span.clone(), put(before, wrong.span.clone(), said))
        }
        ([], _) => {
            let values = own.facts.iter().map(|fact| fact.span.clone());
            let begin = values.clone().map(|span| span.start).min()?;
            let end = values.map(|span| span.end).max()?;
            (begin..end, before.with_value_of(own, &|_| None)?)
        }
        _ => return None,
    };
    let is_beside = |word: &&&Word| word.span.start < value.start || word.span.end > value.end;
    let mut beside = lead.iter().filter(is_beside);
    let says_more = beside.any(|word| (tells(word) || word.is_number()) && !is_one(own, word));
    (!says_more).then_some(whole)
}

/// Where the request has words behind one that leads to the same part, the last first, with the length of that one;
/// those behind the same word before all others.
fn places_of_role<'a>(
    words: &'a [Word],
    leader: Option<&'a Word>,
) -> impl Iterator<Item = (usize, Range<usize>)> + use<'a> {
    let is_like = move |word: &Word| leader.is_some_and(|own| roles(own).any(|role| word.leads_to(role)));
    let mut places: Vec<usize> = (0..words.len())
        .rev()
        .filter(|at| words.get(*at).is_some_and(|word| is_like(word) && !word.is_time))
        .collect();
    places.sort_by_key(|at| words.get(*at).map(|word| &word.fold) != leader.map(|own| &own.fold));
    places.into_iter().filter_map(|at| {
        let ends = |place: &usize| {
            let word = words.get(*place);
            word.is_none_or(|word| word.is_bound() || word.may_be(&Sign::Connector) || roles(word).next().is_some())
        };
        let end = (at + 2..=words.len()).find(ends)?;
        let leader = words.get(at)?;
        Some((leader.span.len(), leader.span.start..words.get(end - 1)?.span.end))
    })
}

/// Words that may be what is asked about, as far as they stand together; where more of the same is wanted, also those
/// behind the deed that may be another one.
fn runs(words: &[Word], joins: bool) -> Vec<Vec<&Word>> {
    let mut runs: Vec<Vec<&Word>> = Vec::new();
    let mut is_open = false;
    // "Copy the cat picture": behind the deed, what may be another is a thing.
    let deed = words.iter().position(|word| word.deeds().next().is_some());
    for (at, word) in words.iter().enumerate() {
        let does = if joins {
            Some(at) == deed
        } else {
            word.deeds().next().is_some()
        };
        let goes_on = tells(word) && !word.is_time && !does;
        match runs.last_mut().filter(|_| is_open && goes_on) {
            Some(run) => run.push(word),
            None if goes_on => runs.push(vec![word]),
            None => {}
        }
        is_open = goes_on;
    }
    runs
}

/// The deed of a request with whom it is done for: "remind me".
fn head<'r>(before: &'r Reading, words: &[Word], is_article: &dyn Fn(&Word) -> bool) -> Option<&'r str> {
    let deed = words.iter().position(|word| word.deeds().next().is_some())?;
    let goes_on = |word: &&Word| {
        let is_small = word.is_glue && !is_article(word) && roles(word).next().is_none();
        word.is_rest || is_small
    };
    let last = words.iter().skip(deed + 1).take_while(goes_on).last();
    before.original.get(..last.or_else(|| words.get(deed))?.span.end)
}

/// Several things that are joined: "the car policy and the house policy".
fn coordinated(words: &[Word]) -> Option<Range<usize>> {
    let runs = runs(words, true);
    let joins = |pair: &[Vec<&Word>]| {
        let [one, other] = pair else { return false };
        let between = span(one).zip(span(other)).map(|(one, other)| one.end..other.start);
        let inside = |word: &&Word| between.as_ref().is_some_and(|place| place.contains(&word.span.start));
        let mut glue = words.iter().filter(inside);
        let is_joint = |word: &Word| word.may_be(&Sign::Connector) || word.mark == Some(',');
        let is_only_joined = |word: &Word| roles(word).next().is_none() && word.deeds().next().is_none();
        words.iter().filter(inside).any(is_joint) && glue.all(is_only_joined)
    };
    let first = runs.windows(2).position(joins)?;
    let last = (first + 1..runs.len())
        .take_while(|at| runs.get(at - 1..=*at).is_some_and(joins))
        .last()?;
    Some(span(runs.get(first)?)?.start..span(runs.get(last)?)?.end)
}

fn is_article(scan: &Scan<'_>, word: &Word) -> bool {
    let is_of = |own: &&Segment<'_>| own.span.start <= word.span.start && word.span.end <= own.span.end;
    let mut own = scan.segments.iter().filter(is_of);
    own.any(|own| own.senses.contains(&Sense::Changing(Changing::Article)))
}

fn span(run: &[&Word]) -> Option<Range<usize>> {
    Some(run.first()?.span.start..run.last()?.span.end)
}

/// Carries something of its own.
fn tells(word: &Word) -> bool {
    let only_asks = word.may_be(&Sign::Question)
        || word.may_be(&Sign::Another)
        || word.may_be(&Sign::Connector)
        || roles(word).next().is_some();
    word.literal.is_some() || word.is_content() && !word.is_rest && !only_asks
}

/// Stands for the thing itself: "one of 8 minutes".
fn is_one(own: &Reading, word: &Word) -> bool {
    let says_one = |fact: &Fact| fact.kind == FactKind::Number && fact.value.as_f64() == Some(1.0);
    let mut ones = own.facts.iter().filter(|fact| says_one(fact));
    !word.is_number() && ones.any(|fact| fact.span == word.span)
}

/// Says a time or a number, and names nothing.
fn is_value(word: &Word) -> bool {
    word.is_time || word.is_number()
}

fn roles(word: &Word) -> impl Iterator<Item = SlotRole> + '_ {
    word.signs.iter().filter_map(|(sign, _)| {
        let Sign::Role(role) = sign else { return None };
        Some(*role)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use metnos_domain::lang::Lang;

    fn first(before: &str, own: &str, lang: Lang) -> Option<String> {
        let language = Language::embedded().unwrap();
        let now: jiff::Zoned = "2026-11-29T14:00[Europe/Rome]".parse().unwrap();
        let read = |text: &str| language.read(text, lang, &now);
        let continued = language.continued(|| read(before), &read(own), &Home::unknown());
        let mut all = continued.by_value.into_iter();
        all.next()
            .or_else(|| continued.by_form.into_iter().chain(continued.by_place).next())
    }

    #[test]
    fn a_value_takes_the_place_of_one_of_its_sort() {
        for (before, own, lang, whole) in [
            (
                "what is on friday?",
                "and on saturday?",
                Lang::EN,
                "what is on saturday?",
            ),
            (
                "what time is it in tokyo?",
                "and in london?",
                Lang::EN,
                "what time is it in london?",
            ),
            ("20 miles in km", "and 30?", Lang::EN, "30 miles in km"),
            (
                "how much is the excess on it?",
                "and the premium?",
                Lang::EN,
                "how much is the premium on it?",
            ),
            (
                "set a pizza timer for 12 minutes",
                "another one of 8 minutes",
                Lang::EN,
                "set a pizza timer for 8 minutes",
            ),
            (
                "wake me at 7 tomorrow",
                "and at 8 too",
                Lang::EN,
                "wake me at 8 tomorrow",
            ),
            (
                "metti un timer di 12 minuti per la pizza",
                "e uno di 8 minuti",
                Lang::IT,
                "metti un timer di 8 minuti per la pizza",
            ),
            (
                "cosa ho in calendario venerdì?",
                "e ad aprile?",
                Lang::IT,
                "cosa ho in calendario aprile?",
            ),
        ] {
            assert_eq!(first(before, own, lang).as_deref(), Some(whole), "{own}");
        }
    }

    #[test]
    fn what_says_what_to_do_or_says_more_than_a_value_stands_for_itself() {
        for own in [
            "take 56 off that",
            "delete the second",
            "what is the weather on saturday?",
            "can you help me on saturday?",
        ] {
            assert_eq!(first("what is on friday?", own, Lang::EN), None, "{own}");
        }
    }
}
