//! The lines of a text that answer a question: those with most of its words, and with what it asks for. Called by
//! `answer`. It quotes and makes nothing up.

use std::collections::BTreeSet;

use crate::{
    ASKED_WEIGHT, Finding, Part,
    asked::Asked,
    likeness::{Likeness, is_code, tokens},
    words::{Sense, Words},
};

/// What is asked for and told by its form: without it a line is no answer.
pub(crate) const KINDS: [Sense; 6] = [
    Sense::Money,
    Sense::Total,
    Sense::Amount,
    Sense::Count,
    Sense::Moment,
    Sense::Code,
];
/// Lines that are looked at together.
const WINDOW_LINES: usize = 4;
/// Letters that one answer shows.
const SHOWN_CHARS_MAX: usize = 420;
/// A text up to this many letters is shown as it is.
const WHOLE_CHARS_MAX: usize = 500;
/// Lines of a part that are looked at.
const LINES_MAX: usize = 4_000;
/// What a line counts that has what is asked for: an amount, a day, a number.
const ASKED_FOR_WEIGHT: f64 = 0.75;
/// What it counts that has a number where a day is asked for.
const LENGTH_WEIGHT: f64 = 0.4;
/// What it counts that names what is asked for: "total", "expires".
const NAMED_WEIGHT: f64 = 1.0;
/// What it counts that has the very words that ask.
const PHRASE_WEIGHT: f64 = 0.5;
/// Lines between two that belong together.
const FAR: f64 = 0.1;

/// The passage, and which words of the question the paper accounts for.
pub(crate) fn find(
    asked: &Asked,
    likeness: &Likeness<'_>,
    part: &Part,
    words: &Words,
    (of_name, of_paper): (&BTreeSet<usize>, &BTreeSet<usize>),
    is_spoken_of: bool,
) -> Option<(Finding, BTreeSet<usize>)> {
    let is_heavy = |at: usize| asked.weight(at) > 1.0;
    let are_found = (0..asked.words.len()).all(|at| of_paper.contains(&at) || !is_heavy(at));
    let given = if of_name.is_empty() { 0.0 } else { ASKED_WEIGHT };
    if !are_found || !is_spoken_of && !asked.is_enough(of_paper, given) {
        return None;
    }
    let lines: Vec<&str> = part
        .text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(LINES_MAX)
        .collect();
    let tokens: Vec<Vec<String>> = lines.iter().map(|line| tokens(line)).collect();
    let held: Vec<BTreeSet<usize>> = tokens
        .iter()
        .map(|tokens| tokens.iter().flat_map(|token| likeness.of_token(token)).collect())
        .collect();
    let found: BTreeSet<usize> = held.iter().flatten().copied().chain(of_name.iter().copied()).collect();
    if found.is_empty() && !is_spoken_of {
        return None;
    }
    let kind: Vec<f64> = lines
        .iter()
        .zip(&tokens)
        .map(|(line, tokens)| asked_for(asked, line, tokens, words))
        .collect();
    let mut best: Option<(f64, usize, usize)> = None;
    for first in 0..lines.len() {
        let mut own: BTreeSet<usize> = BTreeSet::new();
        let mut has = 0.0_f64;
        for last in first..lines.len().min(first + WINDOW_LINES) {
            own.extend(held.get(last).into_iter().flatten());
            has = has.max(kind.get(last).copied().unwrap_or_default());
            // A name tells which paper is meant, and says no more about a line than any other word.
            let score = own.len() as f64 + has - FAR * (last - first) as f64;
            if best.is_none_or(|(known, ..)| score > known) {
                best = Some((score, first, last));
            }
        }
    }
    let (_, first, last) = best?;
    // Who asks on has seen the rest.
    let (from, to) = match is_spoken_of {
        true => (first, last),
        false => around(&lines, first, last),
    };
    // What only repeats the name of the file answers nothing, and neither does what has no number where one is asked.
    let mut window = held.get(first..=last).unwrap_or_default().iter().flatten();
    let has_kind = kind.get(from..=to).unwrap_or_default().iter().any(|has| *has > 0.0);
    if !has_kind && (asked.says(&KINDS) || window.all(|at| of_name.contains(at))) {
        return None;
    }
    let passage = cut(&lines.get(from..=to).unwrap_or_default().join("\n"));
    Some((Finding::Passage(passage), found))
}

/// What a line has of the kind that is asked for.
fn asked_for(asked: &Asked, line: &str, tokens: &[String], words: &Words) -> f64 {
    let has_digit = line.contains(|letter: char| letter.is_ascii_digit());
    let is_amount = has_digit && (line.contains(['€', '$', '£']) || words.is_money(line)) || has_fraction(line);
    let has_day = has_date(line) || names_day(tokens, words);
    // "By when do I have to pay?" asks for a day, "how much do I pay by then?" for a sum.
    let asks = |sense: Sense| asked.says(&[sense]) && asked.asks_no_other_first(sense);
    let mut weight = 0.0_f64;
    let kinds = [
        (Sense::Money, is_amount),
        (Sense::Total, is_amount),
        (Sense::Amount, has_digit),
        (Sense::Count, has_digit),
        (Sense::Moment, has_day),
        (Sense::Code, tokens.iter().any(|token| is_code(token))),
    ];
    for (sense, has) in kinds {
        if asks(sense) && has {
            weight = weight.max(ASKED_FOR_WEIGHT);
        }
    }
    // "Within 30 days".
    if asks(Sense::Moment) && has_digit {
        weight = weight.max(LENGTH_WEIGHT);
    }
    let named = |sense: Sense| asks(sense) && tokens.iter().any(|token| words.names(sense, token));
    // "Grand total" in its own words.
    let is_said = |(_, phrase): &(Sense, Vec<String>)| phrase.iter().all(|word| tokens.contains(word));
    if asked.phrases.iter().any(is_said) && has_digit {
        weight += PHRASE_WEIGHT;
    }
    if named(Sense::Total) && is_amount || named(Sense::Moment) && has_day || named(Sense::Code) && has_digit {
        weight += NAMED_WEIGHT;
    }
    weight
}

/// "14 March", "March 14": a month alone is no day.
fn names_day(tokens: &[String], words: &Words) -> bool {
    let is_day = |token: &String| {
        let number = token.trim_end_matches(char::is_alphabetic).parse::<u8>();
        number.is_ok_and(|day| (1..=31).contains(&day))
    };
    let is_month = |token: &String| words.month(token).is_some();
    tokens.windows(2).any(|two| {
        let [one, other] = two else { return false };
        is_day(one) && is_month(other) || is_month(one) && is_day(other)
    })
}

/// "14/03/2027", "2027-03-14", "8:30".
fn has_date(line: &str) -> bool {
    let parts = line.split(|letter: char| !letter.is_ascii_digit() && !matches!(letter, '/' | '-' | '.' | ':'));
    parts.into_iter().any(|part| {
        let numbers = |mark: char| part.split(mark).filter(|number| !number.is_empty()).count();
        numbers('/') > 2 || numbers('-') > 2 || numbers('.') > 2 || numbers(':') > 1
    })
}

/// "821.14", "39,90".
fn has_fraction(line: &str) -> bool {
    let letters: Vec<char> = line.chars().collect();
    letters.windows(3).any(|window| {
        let [before, mark, behind] = window else { return false };
        before.is_ascii_digit() && matches!(mark, '.' | ',') && behind.is_ascii_digit()
    })
}

/// The first and the last of these lines with what stands around them, as far as there is room.
fn around(lines: &[&str], first: usize, last: usize) -> (usize, usize) {
    let length = |from: usize, to: usize| -> usize {
        let own = lines.get(from..=to).unwrap_or_default();
        own.iter().map(|line| line.chars().count() + 1).sum()
    };
    let end = lines.len().saturating_sub(1);
    if length(0, end) <= WHOLE_CHARS_MAX {
        return (0, end);
    }
    let (mut from, mut to) = (first, last);
    loop {
        let before = from.checked_sub(1).filter(|at| length(*at, to) <= SHOWN_CHARS_MAX);
        let behind = Some(to + 1).filter(|at| *at <= end && length(from, *at) <= SHOWN_CHARS_MAX);
        // What follows says more about a line than what stands before it.
        match (before, behind) {
            (_, Some(at)) if before.is_none() || at - last <= first - from => to = at,
            (Some(at), _) => from = at,
            (None, _) => return (from, to),
        }
    }
}

/// Not longer than an answer may be.
fn cut(text: &str) -> String {
    if text.chars().count() <= WHOLE_CHARS_MAX {
        return text.to_owned();
    }
    let kept: String = text.chars().take(SHOWN_CHARS_MAX).collect();
    format!("{}…", kept.trim_end())
}
