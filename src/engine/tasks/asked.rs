//! What a request asks for another moment than now: words to be reminded of, something to do then, something to look
//! for again and again. Its words stay as they were said; only the time is taken out of them. Asked by `dispatch` when
//! no rule answered. It reads, and neither plans nor resolves a time: an unclear one is left to be asked about.

use std::ops::Range;

use jiff::Zoned;

use super::when::{self, NoWhen};
use crate::{
    domain::lang::Lang,
    language::{
        Language, LanguageError, Reading,
        spoken::{Spoken, spoken},
        time::{Conventions, Form, Mention, Value},
    },
};

mod ends;
/// What is looked at again and again.
mod watching;
mod words;

use words::{Phrase, Words};

/// Most words before the phrase that says what kind of thing is asked: "could you please …".
const LEAD_WORDS_MAX: usize = 4;
/// Most words a time is longer than it looks in its sentence: "every weekday at 8 tell me …".
const LONGER_WORDS_MAX: usize = 4;
/// Longest request that is read so, in words.
const WORDS_MAX: usize = 80;

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// Say these words then.
    Remind {
        /// As they were said; empty when nothing was.
        words: String,
        /// When, as far as it was said.
        when: Said,
        /// At most so often.
        times: Option<u32>,
    },
    /// Do this then.
    Do {
        /// The request without its time.
        request: String,
        /// When, as far as it was said.
        when: Said,
        /// At most so often.
        times: Option<u32>,
    },
    /// Say something so long before something else, which is no length of time from now.
    Beforehand,
    /// Look at this again and again.
    Watch {
        /// The look, as a request.
        look: String,
        /// The same as a question about what may be so: "tell me the kitchen light is on".
        whether: String,
        /// It is only asked about now, where that is known now: "tell me if the kitchen light is on".
        may_be_now: bool,
    },
}

/// What was said of the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A moment or a rhythm.
    Clear(String),
    /// Words that leave something open, or none at all.
    Open(String),
    /// A time that is over.
    Over,
}

/// The words of every language; made once.
#[derive(Debug)]
pub struct Asking {
    english: Words,
    italian: Words,
}

impl Asking {
    /// The words that come with the program.
    ///
    /// # Errors
    ///
    /// A file of words is damaged.
    pub fn embedded() -> Result<Self, LanguageError> {
        Ok(Self {
            english: Words::of(Lang::EN)?,
            italian: Words::of(Lang::IT)?,
        })
    }

    /// What a request asks for another moment, and the words before that says so, such as "could you please"; `None`
    /// for one that is about now. Only the times its reading speaks of
    /// count, and not those in a text that is to be written. `acts` says whether the rest of a request, without its
    /// time, changes something.
    pub fn read(
        &self,
        reading: &Reading,
        language: &Language,
        now: &Zoned,
        acts: &dyn Fn(&str) -> bool,
    ) -> Option<(Asked, String)> {
        let others = Lang::BUILT_IN.into_iter().filter(|other| *other != reading.lang);
        std::iter::once(reading.lang)
            .chain(others)
            .find_map(|lang| self.read_in(reading, language, lang, now, acts))
    }

    fn read_in(
        &self,
        reading: &Reading,
        language: &Language,
        lang: Lang,
        now: &Zoned,
        acts: &dyn Fn(&str) -> bool,
    ) -> Option<(Asked, String)> {
        let table = match lang {
            Lang::IT => &self.italian,
            _ => &self.english,
        };
        let words = spoken(&reading.original);
        if words.len() > WORDS_MAX {
            return None;
        }
        let mut request = Request {
            reading,
            text: &reading.original,
            words,
            table,
            language,
            lang,
            now,
            times: Vec::new(),
            count: None,
        };
        request.count = request.take_count();
        request.times = request.find_times();
        let framed = |frame: &Range<usize>| request.slice(&(0..frame.start)).to_owned();
        if let Some(frame) = request.frame(&table.watch) {
            return Some((request.watch(&frame)?, framed(&frame)));
        }
        if let Some(frame) = request.frame(&table.remind) {
            return Some((request.remind(frame.clone())?, framed(&frame)));
        }
        Some((request.act(acts)?, reading.original.clone()))
    }
}

struct Request<'a> {
    reading: &'a Reading,
    text: &'a str,
    words: Vec<Spoken>,
    table: &'a Words,
    language: &'a Language,
    lang: Lang,
    now: &'a Zoned,
    /// Every time in it, in words of it: what stands beside each other is one.
    times: Vec<Range<usize>>,
    /// At most so often.
    count: Option<u32>,
}

impl Request<'_> {
    /// The longest of these phrases that begins at a word: how many words it has.
    fn phrase(&self, at: usize, phrases: &[Phrase]) -> Option<usize> {
        let is_here = |phrase: &&Phrase| {
            !phrase.is_empty()
                && phrase
                    .iter()
                    .enumerate()
                    .all(|(offset, word)| self.words.get(at + offset).is_some_and(|said| said.fold == *word))
        };
        phrases.iter().filter(is_here).map(Vec::len).max()
    }

    fn bytes(&self, words: &Range<usize>) -> Option<Range<usize>> {
        let first = self.words.get(words.start)?;
        let last = self.words.get(words.end.checked_sub(1)?)?;
        Some(first.span.start..last.span.end)
    }

    fn slice(&self, words: &Range<usize>) -> &str {
        self.bytes(words)
            .and_then(|bytes| self.text.get(bytes))
            .unwrap_or_default()
    }

    fn mentions(&self, text: &str) -> Vec<Mention> {
        self.language.times(text, self.lang, self.now, &Conventions::HOUSEHOLD)
    }

    /// Times that can be meant as another moment, each as long as it can be.
    fn find_times(&self) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for time in self.mentions(self.text) {
            let is_spoken_of = |known: &Mention| known.span.start < time.span.end && time.span.start < known.span.end;
            if matches!(time.form, Form::Window(..)) || !self.reading.times.iter().any(is_spoken_of) {
                continue;
            }
            let first = self.words.iter().position(|word| word.span.end > time.span.start);
            let end = self.words.iter().rposition(|word| word.span.start < time.span.end);
            let (Some(first), Some(last)) = (first, end) else {
                continue;
            };
            let range = self.longest(first..last + 1);
            match found.last_mut() {
                Some(before) if before.end > range.start => before.end = before.end.max(range.end),
                Some(before) if self.is_glue(before.end..range.start) => before.end = range.end,
                Some(_) | None => found.push(range),
            }
        }
        found
    }

    /// A time with the words behind it that belong to it: alone they are one time.
    fn longest(&self, range: Range<usize>) -> Range<usize> {
        let is_one = |longer: &Range<usize>| {
            let text = self.slice(longer);
            let whole = |time: &Mention| time.span.start == 0 && time.span.end == text.len();
            matches!(self.mentions(text).as_slice(), [time] if whole(time))
        };
        let limit = (range.end + LONGER_WORDS_MAX).min(self.words.len());
        (range.end + 1..=limit)
            .rev()
            .map(|end| range.start..end)
            .find(is_one)
            .unwrap_or(range)
    }

    /// Nothing but words that lead to a time.
    fn is_glue(&self, range: Range<usize>) -> bool {
        let mut at = range.start;
        while at < range.end {
            match self.phrase(at, &self.table.around) {
                Some(count) => at += count,
                None => return false,
            }
        }
        true
    }

    /// A phrase near the beginning, or right behind a time.
    fn frame(&self, phrases: &[Phrase]) -> Option<Range<usize>> {
        (0..self.words.len()).find_map(|at| {
            let count = self.phrase(at, phrases)?;
            let behind_time = self
                .times
                .iter()
                .any(|time| time.end <= at && self.is_glue(time.end..at));
            (at <= LEAD_WORDS_MAX || behind_time).then_some(at..at + count)
        })
    }

    fn when(&self, words: &str) -> Result<(), NoWhen> {
        when::of_words(words, self.language, self.lang, self.now).map(drop)
    }

    fn said(&self, times: &[Range<usize>]) -> Said {
        let words: Vec<&str> = times.iter().map(|time| self.slice(time)).collect();
        let words = words.join(" ");
        match self.when(&words) {
            Ok(()) => Said::Clear(words),
            Err(NoWhen::Past) => Said::Over,
            Err(NoWhen::Unclear) => Said::Open(words),
        }
    }

    /// Whether a length of time is one before something that is named behind it.
    fn is_beforehand(&self, time: &Range<usize>) -> bool {
        let is_length = |end: usize| {
            let mentions = self.mentions(self.slice(&(time.start..end)));
            let length = |time: &Mention| matches!(time.readings.first(), Some(Value::Duration(_)));
            matches!(mentions.as_slice(), [one] if length(one))
        };
        (time.start + 1..=time.end).any(|at| self.phrase(at, &self.table.beforehand).is_some() && is_length(at))
    }

    /// "Remind me tomorrow at 9 to call mum", "tomorrow at 9 remind me …", "remind me to call mum tomorrow at 9".
    fn remind(&self, frame: Range<usize>) -> Option<Asked> {
        if self.times.iter().any(|time| self.is_beforehand(time)) {
            return Some(Asked::Beforehand);
        }
        let beside = self.times.iter().find(|time| {
            let behind = time.start >= frame.end && self.is_glue(frame.end..time.start);
            let before = time.end <= frame.start && self.is_glue(time.end..frame.start);
            behind || before
        });
        let last = self.times.iter().rfind(|time| self.is_glue(time.end..self.words.len()));
        let last = last.filter(|last| beside != Some(last));
        let choices: Vec<Vec<Range<usize>>> = match (beside, last) {
            (Some(beside), Some(last)) if self.is_end(last) => vec![vec![beside.clone(), last.clone()]],
            (Some(beside), Some(last)) => vec![
                vec![beside.clone()],
                vec![beside.clone(), last.clone()],
                vec![last.clone()],
            ],
            (Some(one), None) | (None, Some(one)) => vec![vec![one.clone()]],
            (None, None) => Vec::new(),
        };
        let clear = choices.iter().find(|times| matches!(self.said(times), Said::Clear(_)));
        let used = clear.or(choices.first()).cloned().unwrap_or_default();
        let when = if used.is_empty() {
            Said::Open(String::new())
        } else {
            self.said(&used)
        };
        let mut cut = used;
        // "Could you please" says nothing, unless nothing is said behind it.
        let is_said = |at: usize| !cut.iter().any(|range| range.contains(&at));
        let is_behind = (frame.end..self.words.len()).any(is_said);
        cut.push(if is_behind { 0..frame.end } else { frame });
        for at in 0..self.words.len() {
            if let Some(count) = self
                .phrase(at, &self.table.vague)
                .filter(|_| when == Said::Open(String::new()))
                && (at + count == self.words.len() || cut.iter().any(|range| range.end == at))
            {
                cut.push(at..at + count);
            }
        }
        let words = self.without(&cut, false)?;
        Some(Asked::Remind {
            words,
            when,
            times: self.count,
        })
    }

    /// "Every weekday at 8 tell me …", "in 20 minutes, delete …", "delete … later".
    fn act(&self, acts: &dyn Fn(&str) -> bool) -> Option<Asked> {
        let fits = |time: &&Range<usize>| {
            let text = self.slice(time);
            let mentions = self.mentions(text);
            let leads = self.is_glue(0..time.start);
            let trails = self.is_glue(time.end..self.words.len());
            let again = mentions.iter().any(Mention::is_again);
            let later = !again && is_ahead(&mentions, self.now);
            let rest = || self.without(std::slice::from_ref(*time), true).unwrap_or_default();
            again || later && leads || later && trails && acts(&rest())
        };
        if let Some(time) = self.times.iter().find(fits) {
            let mut used = vec![time.clone()];
            used.extend(
                self.times
                    .iter()
                    .filter(|other| *other != time && self.is_end(other))
                    .cloned(),
            );
            let request = self.without(&used, true)?;
            let when = self.said(&used);
            return (!request.is_empty()).then_some(Asked::Do {
                request,
                when,
                times: self.count,
            });
        }
        let vague = |at: usize| {
            let count = self.phrase(at, &self.table.vague)?;
            (at == 0 || at + count == self.words.len()).then_some(at..at + count)
        };
        let vague = (0..self.words.len()).find_map(vague)?;
        let request = self.without(std::slice::from_ref(&vague), true)?;
        let when = Said::Open(String::new());
        acts(&request).then_some(Asked::Do {
            request,
            when,
            times: self.count,
        })
    }

    /// The words without some of them, as they were written. `None` where a word is left beside a time that says more
    /// of it than is understood. What leads to a time goes with it where `bare`; else only what leads to the words.
    fn without(&self, cut: &[Range<usize>], bare: bool) -> Option<String> {
        let is_cut = |at: usize| cut.iter().any(|range| range.contains(&at));
        let mut left: Vec<usize> = (0..self.words.len()).filter(|at| !is_cut(*at)).collect();
        let beside = |at: usize| is_cut(at + 1) || at > 0 && is_cut(at - 1);
        if left
            .iter()
            .any(|at| beside(*at) && self.phrase(*at, &self.table.again).is_some())
        {
            return None;
        }
        // "on 3 March": the preposition stays behind when the day is taken away.
        for range in cut {
            let mut end = range.start;
            while let Some(before) = end.checked_sub(1).filter(|at| left.contains(at)) {
                let glue = self.phrase(before, &self.table.around) == Some(1) && self.times.contains(range);
                if !glue {
                    break;
                }
                left.retain(|at| *at != before);
                end = before;
            }
        }
        let Some(first) = left.first().copied() else {
            return Some(String::new());
        };
        let lead = if bare {
            0
        } else {
            self.phrase(first, &self.table.says).unwrap_or(0)
        };
        left.retain(|at| !(first..first + lead).contains(at));
        Some(self.joined(&left))
    }

    /// Words with what stands between them in the text; where some were taken out, with a space.
    fn joined(&self, words: &[usize]) -> String {
        let mut text = String::new();
        let mut before: Option<usize> = None;
        for at in words {
            let Some(word) = self.words.get(*at) else { continue };
            let from = match before {
                Some(last) if last + 1 == *at => self.words.get(last).map_or(word.span.start, |last| last.span.end),
                Some(_) => {
                    text.push(' ');
                    word.span.start
                }
                // Signs before the first word belong to it: "~/docs", a quote.
                None => self.begin_of(*at),
            };
            text.push_str(self.text.get(from..word.span.end).unwrap_or_default());
            before = Some(*at);
        }
        if let Some(last) = before.filter(|last| last + 1 == self.words.len())
            && let Some(word) = self.words.get(last)
        {
            text.push_str(self.text.get(word.span.end..).unwrap_or_default());
        }
        text.trim().trim_matches([',', ';', ':']).trim().to_owned()
    }

    fn begin_of(&self, at: usize) -> usize {
        let end = at
            .checked_sub(1)
            .and_then(|last| self.words.get(last))
            .map_or(0, |word| word.span.end);
        let start = self.words.get(at).map_or(0, |word| word.span.start);
        let gap = self.text.get(end..start).unwrap_or_default();
        let kept = gap.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        end + kept
    }
}

/// Whether a time is a moment to come, or a stretch of time that has not ended.
fn is_ahead(mentions: &[Mention], now: &Zoned) -> bool {
    let ahead = |value: &Value| match value {
        Value::Moment(moment) => *moment > now.datetime(),
        Value::Range(Some(start), Some(_)) => *start > now.datetime(),
        Value::Range(..) | Value::Date(_) | Value::Duration(_) => false,
    };
    mentions.iter().any(|time| time.readings.first().is_some_and(ahead))
}

#[cfg(test)]
mod tests;
