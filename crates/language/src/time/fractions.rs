//! Parts of one and what they are added to: "two thirds", "tre quarti", "¾", "one hundred and three quarters", "2½".
//! Part of the parser of `language::time`, for the numbers of a sentence; lengths of time have their own ("an hour and a
//! quarter"), and a place in a row ("the twenty fifth") is never a part.

use super::{
    parser::Parser,
    senses::{Role, Sense, Small},
    words::Kind,
};

/// What a number may be behind which a part is one of its scale: "two million and a half".
const LARGE: f64 = 1000.0;

impl Parser<'_> {
    /// A fraction: "three fifths", "one hundred and thirty fifths", "one eighth".
    pub(super) fn fraction(&self, at: usize) -> Option<(usize, f64)> {
        if let Some(part) = self.written(at) {
            return Some((at + 1, part));
        }
        self.parts(self.worded(at)?)
    }

    /// What a number in words is a part of, with where it ends: "three" before "fifths", "one" before "eighth".
    pub(super) fn parts(&self, (next, over): (usize, u64)) -> Option<(usize, f64)> {
        let under = self.past_hyphen(next);
        let one = (over == 1).then(|| self.share(under)).flatten();
        let (end, under) = one.or_else(|| self.shares(under))?;
        Some((end, over as f64 / under as f64))
    }

    /// "and three quarters", "e un quarto", "½" behind a number: where it ends and how much more it is.
    pub(super) fn and_fraction(&self, at: usize) -> Option<(usize, f64)> {
        let large = self.large_before(at);
        if let Some(part) = self.written(at).filter(|_| self.glued(at)) {
            return Some((at + 1, part * large));
        }
        if let Some(end) = self.role(at, Role::AndHalf).filter(|end| self.scale(*end).is_none()) {
            return Some((end, large / 2.0));
        }
        let (end, part) = self.fraction_of_one(self.joined(at)?)?;
        // "one billion and three quarters million": the part has a scale of its own.
        match self.scale(end) {
            Some((after, scale)) => (scale < large).then_some((after, part * scale)),
            None => Some((end, part * large)),
        }
    }

    /// "two thirds of a million", "three quarters billion", "mezzo milione": where the scale ends, and all of it.
    pub(super) fn scaled(&self, end: usize, part: f64) -> Option<(usize, f64)> {
        let of = self.small(end, Small::Of);
        let at = of.map_or(end, |of| self.past_article(of));
        let (after, scale) = self.scale(at)?;
        Some((after, part * scale))
    }

    /// A fraction below one, with its article or its count: "a third", "three quarters", "quarter" before a scale.
    fn fraction_of_one(&self, at: usize) -> Option<(usize, f64)> {
        let counted = || self.fraction(at).filter(|(_, part)| *part < 1.0);
        self.one_part(at).or_else(counted)
    }

    /// One part with its article, or before a scale: "a third", "quarter million".
    pub(super) fn one_part(&self, at: usize) -> Option<(usize, f64)> {
        let start = self.past_article(at);
        let (end, under) = self.share(start).filter(|_| start > at || self.share_of_scale(at))?;
        Some((end, 1.0 / under as f64))
    }

    /// "quarter million": the part alone, directly before what it is a part of.
    fn share_of_scale(&self, at: usize) -> bool {
        self.sense(at, Sense::share)
            .is_some_and(|(end, _)| self.scale(end).is_some())
    }

    /// One part: "third", "ottavo". It is a place in a row where a thing follows: "a third file".
    fn share(&self, at: usize) -> Option<(usize, u64)> {
        let (end, under) = self.sense(at, Sense::share).or_else(|| self.tens(at, Sense::share))?;
        let closes = match self.items.get(end) {
            None => true,
            Some(item) => match item.kind {
                Kind::Sign(sign) => !(item.glued && matches!(sign, '-' | '/' | '\'' | ':')),
                Kind::Word | Kind::Digits => self.role(end, Role::Of).is_some() || self.scale(end).is_some(),
            },
        };
        closes.then_some((end, under))
    }

    /// Several parts: "thirds", "ottavi", "twenty-fifths".
    fn shares(&self, at: usize) -> Option<(usize, u64)> {
        self.sense(at, Sense::shares).or_else(|| self.tens(at, Sense::shares))
    }

    /// "twenty-fifths": tens and what makes parts of them.
    fn tens(&self, at: usize, part: fn(&Sense) -> Option<u64>) -> Option<(usize, u64)> {
        let (next, tens) = self.sense(at, |sense| sense.cardinal().filter(|number| (20..=90).contains(number)))?;
        let (end, ones) = self.sense(self.past_hyphen(next), part)?;
        (ones < 10).then_some((end, tens + ones))
    }

    /// "½": the fractions that have a sign of their own.
    pub(super) fn written(&self, at: usize) -> Option<f64> {
        Some(match self.sign(at)? {
            '½' => 0.5,
            '⅓' => 1.0 / 3.0,
            '⅔' => 2.0 / 3.0,
            '¼' => 0.25,
            '¾' => 0.75,
            '⅕' => 0.2,
            '⅖' => 0.4,
            '⅗' => 0.6,
            '⅘' => 0.8,
            '⅙' => 1.0 / 6.0,
            '⅚' => 5.0 / 6.0,
            '⅛' => 0.125,
            '⅜' => 0.375,
            '⅝' => 0.625,
            '⅞' => 0.875,
            _ => return None,
        })
    }

    /// What a part behind the number that ends here is a part of.
    fn large_before(&self, at: usize) -> f64 {
        let scale = at.checked_sub(1).and_then(|before| self.scale(before));
        scale
            .map(|(_, scale)| scale)
            .filter(|scale| *scale >= LARGE)
            .unwrap_or(1.0)
    }

    /// Behind an "and".
    pub(super) fn joined(&self, at: usize) -> Option<usize> {
        self.small(at, Small::And)
    }

    fn past_hyphen(&self, at: usize) -> usize {
        at + usize::from(self.sign(at) == Some('-') && self.glued(at))
    }

    pub(super) fn past_article(&self, at: usize) -> usize {
        self.small(at, Small::One).unwrap_or(at)
    }
}
