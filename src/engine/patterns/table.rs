//! The whole forms of one language and the guards before them (`locales/<lang>/patterns.toml`), and what one language
//! makes of a message. Read by `patterns`, which asks one language after the other.

use std::sync::Arc;

use regex::Regex;
use serde::Deserialize;

use super::{
    DeclineReason, PatternMatch, clauses, clocks,
    closed::Closed,
    devices,
    household::Household,
    intents::{IntentName, hit},
    said::Said,
    sums::Sums,
    undo::{self, Undoing},
    watchers,
    words::Words,
};
use crate::{
    domain::{lang::Lang, message::Message},
    language::{LanguageError, time::Times},
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    wake: Vec<String>,
    polite: Vec<String>,
    undo: undo::Words,
    guards: Guards,
    pub(super) pattern: Vec<Form>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Guards {
    negation: Vec<String>,
    how_to: Vec<String>,
    reported: Vec<String>,
    conditional: Vec<String>,
    joint: Vec<String>,
    commands: Vec<String>,
    words_max: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    intent: IntentName,
    pub(super) forms: Vec<String>,
}

/// The patterns of one language, compiled.
pub(super) struct Table {
    file: File,
    patterns: Vec<(IntentName, Regex)>,
    pub(super) words: Words,
    closed: Closed,
    sums: Sums,
}

impl Table {
    pub(super) fn parse(
        lang: Lang,
        text: &str,
        commands: &str,
        closed: &str,
        times: &Arc<Times>,
    ) -> Result<Self, LanguageError> {
        let what = format!("{} patterns", lang.code());
        let mut file: File = toml::from_str(text).map_err(|source| LanguageError::Toml {
            what: what.clone(),
            source,
        })?;
        let mut patterns = Vec::new();
        for form in &file.pattern {
            let whole = format!("^(?:{})$", form.forms.join("|"));
            // A named group may stand in several forms: each form is then its own expression.
            let expressions = if whole.matches("(?P<").count() > 1 {
                form.forms.iter().map(|form| format!("^(?:{form})$")).collect()
            } else {
                vec![whole]
            };
            for expression in expressions {
                let compiled = Regex::new(&expression).map_err(|source| LanguageError::Regex {
                    what: what.clone(),
                    source,
                })?;
                patterns.push((form.intent, compiled));
            }
        }
        // The longest form first: "ehi" must not be taken off where "ehi metnos" stands.
        for forms in [&mut file.wake, &mut file.polite] {
            forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        }
        Ok(Self {
            file,
            patterns,
            words: Words::parse(lang, commands, times)?,
            closed: Closed::parse(lang, closed)?,
            sums: Sums::embedded(lang)?,
        })
    }

    /// Calls and politeness at both ends, gone.
    pub(super) fn bare<'t>(&self, text: &'t str) -> &'t str {
        let mut text = text;
        loop {
            let before = text;
            for form in self.file.wake.iter().chain(&self.file.polite) {
                text = strip_word_prefix(text, form).unwrap_or(text);
            }
            for form in &self.file.polite {
                text = strip_word_suffix(text, form).unwrap_or(text);
            }
            if text == before {
                return text;
            }
        }
    }

    /// What a message takes back, if it begins with the word for it.
    pub(super) fn undoes(&self, text: &str) -> Option<Undoing> {
        self.file.undo.read(text)
    }

    /// Whether a text denies, asks how, or repeats what somebody said.
    pub(super) fn keeps_from(&self, text: &str, original: &str) -> bool {
        matches!(
            self.guarded(text, original),
            Some(DeclineReason::Reported | DeclineReason::HowTo | DeclineReason::Negation)
        )
    }

    /// The first guard that forbids any answer by rule.
    fn guarded(&self, text: &str, original: &str) -> Option<DeclineReason> {
        let has = |forms: &[String]| forms.iter().any(|form| contains_words(text, form));
        let guards = &self.file.guards;
        let quoted = original.contains(['"', '\u{201C}', '\u{00AB}', '\u{201E}']);
        if quoted || has(&guards.reported) {
            return Some(DeclineReason::Reported);
        }
        if has(&guards.how_to) {
            return Some(DeclineReason::HowTo);
        }
        if has(&guards.negation) {
            return Some(DeclineReason::Negation);
        }
        self.has_two_commands(text).then_some(DeclineReason::TwoCommands)
    }

    /// Guards for everything but clocks, whose commands have times in them and a label as long as one likes.
    fn untimely(&self, text: &str) -> Option<DeclineReason> {
        let guards = &self.file.guards;
        if guards.conditional.iter().any(|form| contains_words(text, form)) {
            return Some(DeclineReason::Conditional);
        }
        (text.split(' ').count() > guards.words_max).then_some(DeclineReason::TooLong)
    }

    /// What this language makes of a message.
    pub(super) fn read(&self, normal: &str, original: &str, household: &Household) -> PatternMatch {
        let bare = self.bare(normal);
        let said = self.words.look_up(original);
        let asks_how = self.file.guards.how_to.iter().any(|form| contains_words(bare, form));
        if let Some(key) = self.closed.refusal(original, &said.words).filter(|_| !asks_how) {
            return PatternMatch::Refuse(Message::new(key));
        }
        if let Some(reason) = self.guarded(bare, original) {
            // "…, so I don't miss the bus": the reason may say what is not, and why; the command may not.
            let forbids = |part: &Said<'_>| self.guarded(&part.folded(), "").is_some();
            let may_be_reason = matches!(reason, DeclineReason::Negation | DeclineReason::HowTo);
            let apart = (may_be_reason && !self.has_two_commands(bare))
                .then(|| clauses::read(&said, household, Some(&forbids)));
            return apart.flatten().map_or(PatternMatch::Decline(reason), Into::into);
        }
        if let Some(reply) = watchers::read(&said, household).or_else(|| clocks::read(&said, household)) {
            return reply.into();
        }
        if let Some(reply) = devices::read(&said, household).or_else(|| clauses::read(&said, household, None)) {
            return reply.into();
        }
        if let Some(sum) = self.sums.read(original, |text| self.bare(text), &self.words) {
            return PatternMatch::Hit(sum);
        }
        let untimely = self.untimely(bare);
        let mut hits = Vec::new();
        if untimely.is_none() {
            // "thanks a lot" is all politeness, and means it.
            hits = self.hits(bare, |intent| !intent.is_about_days());
            if hits.is_empty() {
                hits = self.hits(normal, |intent| !intent.is_about_days());
            }
        }
        if hits.is_empty() {
            hits = self.hits(bare, IntentName::is_about_days);
        }
        match (hits.len(), untimely) {
            (0, Some(reason)) => PatternMatch::Decline(reason),
            (0, None) => PatternMatch::Miss,
            (1, _) => hits.remove(0),
            _ => PatternMatch::Clarify(Message::new("pattern-ambiguous"), None),
        }
    }

    fn has_two_commands(&self, text: &str) -> bool {
        let words: Vec<&str> = text.split(' ').collect();
        words.windows(2).any(|pair| {
            let [joint, command] = pair else { return false };
            let is = |list: &[String], word: &str| list.iter().any(|known| known == word);
            is(&self.file.guards.joint, joint) && is(&self.file.guards.commands, command)
        })
    }

    /// What the whole forms read in a text; of several, those that leave the fewest words open.
    pub(super) fn hits(&self, text: &str, counts: impl Fn(IntentName) -> bool) -> Vec<PatternMatch> {
        let mut hits: Vec<(usize, PatternMatch)> = Vec::new();
        for (intent, regex) in self.patterns.iter().filter(|(intent, _)| counts(*intent)) {
            let Some(captures) = regex.captures(text) else { continue };
            let part = ["level", "when", "place"].iter().find_map(|name| captures.name(name));
            let part = part.map_or("", |part| part.as_str());
            let hit = hit(*intent, part);
            if !hits.iter().any(|(_, known)| *known == hit) {
                hits.push((part.len(), hit));
            }
        }
        let least = hits.iter().map(|(open, _)| *open).min();
        let fullest = hits.into_iter().filter(|(open, _)| Some(*open) == least);
        fullest.map(|(_, hit)| hit).collect()
    }
}

fn strip_word_prefix<'t>(text: &'t str, form: &str) -> Option<&'t str> {
    text.strip_prefix(form)?.strip_prefix(' ')
}

fn strip_word_suffix<'t>(text: &'t str, form: &str) -> Option<&'t str> {
    text.strip_suffix(form)?.strip_suffix(' ')
}

/// Whether a phrase stands in a text as whole words.
fn contains_words(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, found)| {
        let before = text
            .get(..at)
            .is_none_or(|head| head.is_empty() || head.ends_with([' ', '\'']));
        let after = text
            .get(at + found.len()..)
            .is_none_or(|tail| tail.is_empty() || tail.starts_with(' '));
        before && after
    })
}
