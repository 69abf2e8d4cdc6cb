//! Cuts a long answer into messages Telegram accepts. Lengths are UTF-16 units of the visible text, as Telegram
//! counts them. The same reply is always cut at the same places: parts sent before a crash are recognised by number.

use std::ops::Range;

use super::html::{Run, plain};

/// Most UTF-16 units of one message.
pub(super) const UNITS_MAX: usize = 4_096;

/// The runs, cut into messages of at most `max` units, preferably after a line or a word. Messages that would be
/// blank are left out, since Telegram refuses them.
pub(super) fn chunks(runs: &[Run], max: usize) -> Vec<Vec<Run>> {
    let text = plain(runs);
    let mut start = 0;
    let mut all = Vec::new();
    while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
        let end = start + cut(rest, max);
        if text.get(start..end).is_some_and(|part| !part.trim().is_empty()) {
            all.push(within(runs, &(start..end)));
        }
        start = end;
    }
    all
}

/// As much of the text as fits, cut where a message would be cut.
pub(super) fn beginning(text: &str, max: usize) -> &str {
    text.get(..cut(text, max)).unwrap_or(text)
}

/// Where the first message ends: a byte index, after at least one character.
fn cut(text: &str, max: usize) -> usize {
    let mut used = 0;
    let mut line = Mark::default();
    let mut word = Mark::default();
    let mut safe = 0;
    let mut hard = 0;
    let mut previous = None;
    for (index, character) in text.char_indices() {
        if index > 0 {
            hard = index;
            if !previous.is_some_and(|before| belongs_together(before, character)) {
                safe = index;
            }
        }
        used += character.len_utf16();
        if used > max && hard > 0 {
            return choose(line, word, max, if safe > 0 { safe } else { hard });
        }
        let after = Mark {
            byte: index + character.len_utf8(),
            units: used,
        };
        match character {
            '\n' => line = after,
            ' ' | '\t' => word = after,
            _ => {}
        }
        previous = Some(character);
    }
    text.len()
}

/// A place to cut, and how much would be before it.
#[derive(Clone, Copy, Default)]
struct Mark {
    byte: usize,
    units: usize,
}

fn choose(line: Mark, word: Mark, max: usize, otherwise: usize) -> usize {
    let fills_enough = |mark: Mark| mark.byte > 0 && mark.units * 2 >= max;
    if fills_enough(line) {
        line.byte
    } else if fills_enough(word) {
        word.byte
    } else {
        otherwise
    }
}

/// Whether two characters are drawn as one sign, such as a letter and its accent or the parts of a family emoji.
fn belongs_together(before: char, after: char) -> bool {
    let joins = |character: char| character == '\u{200d}';
    let is_flag = |character: char| ('\u{1f1e6}'..='\u{1f1ff}').contains(&character);
    joins(before)
        || joins(after)
        || unicode_normalization::char::is_combining_mark(after)
        || matches!(after, '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
        || (is_flag(before) && is_flag(after))
}

/// The part of the runs that covers a range of their joined text.
fn within(runs: &[Run], range: &Range<usize>) -> Vec<Run> {
    let mut start = 0;
    let mut part = Vec::new();
    for run in runs {
        let end = start + run.text.len();
        let from = range.start.max(start);
        let to = range.end.min(end);
        if from < to
            && let Some(text) = run.text.get(from - start..to - start)
        {
            part.push(Run {
                style: run.style.clone(),
                text: text.to_owned(),
            });
        }
        start = end;
    }
    part
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{UNITS_MAX, chunks};
    use crate::channels::telegram::html::{Run, Style, html, plain};

    /// Length as Telegram counts it.
    fn units(text: &str) -> usize {
        text.encode_utf16().count()
    }

    fn run(style: Style, text: &str) -> Run {
        Run {
            style,
            text: text.to_owned(),
        }
    }

    fn texts(runs: &[Run], max: usize) -> Vec<String> {
        chunks(runs, max).iter().map(|part| plain(part)).collect()
    }

    #[test]
    fn cuts_prefer_lines_then_words_then_signs() {
        let cases: [(&str, usize, &[&str]); 8] = [
            ("short", 10, &["short"]),
            ("line one\nline two", 12, &["line one\n", "line two"]),
            ("some words here", 11, &["some words ", "here"]),
            ("abcdefghij", 4, &["abcd", "efgh", "ij"]),
            ("🦀🦀🦀", 3, &["🦀", "🦀", "🦀"]),
            ("aae\u{301}", 3, &["aa", "e\u{301}"]),
            ("a👨\u{200d}👩", 5, &["a", "👨\u{200d}👩"]),
            ("\n\n\n\n\n\nx", 2, &["x"]),
        ];
        for (text, max, expected) in cases {
            assert_eq!(texts(&[run(Style::Plain, text)], max), expected, "{text:?}");
        }
    }

    #[test]
    fn a_style_that_is_cut_is_closed_and_opened_again() {
        let parts = chunks(&[run(Style::Plain, "ab "), run(Style::Pre, "cdef")], 5);
        let drawn: Vec<String> = parts.iter().map(|part| html(part)).collect();
        assert_eq!(drawn, ["ab ", "<pre>cdef</pre>"]);
        let parts = chunks(&[run(Style::Bold, "abcdef")], 4);
        let drawn: Vec<String> = parts.iter().map(|part| html(part)).collect();
        assert_eq!(drawn, ["<b>abcd</b>", "<b>ef</b>"]);
    }

    #[test]
    fn escaping_does_not_count() {
        let text = "<".repeat(UNITS_MAX);
        assert_eq!(chunks(&[run(Style::Plain, &text)], UNITS_MAX).len(), 1);
    }

    fn any_runs() -> impl Strategy<Value = Vec<Run>> {
        let style = prop_oneof![
            Just(Style::Plain),
            Just(Style::Bold),
            Just(Style::Pre),
            Just(Style::Link("https://example.org".into())),
        ];
        let text = prop_oneof![
            "[a-z <>&\n]{0,30}",
            "\\PC{0,20}",
            "[\u{1f1e6}-\u{1f1ff}e\u{301}\u{200d}🦀]{0,20}"
        ];
        prop::collection::vec((style, text).prop_map(|(style, text)| Run { style, text }), 0..12)
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_every_part_fits(runs in any_runs(), max in 2_usize..60) {
            let parts = chunks(&runs, max);
            let visible = |text: &str| text.split_whitespace().collect::<String>();
            let joined: String = parts.iter().map(|part| plain(part)).collect();
            prop_assert_eq!(visible(&joined), visible(&plain(&runs)));
            for part in &parts {
                prop_assert!(units(&plain(part)) <= max);
                prop_assert!(!plain(part).trim().is_empty());
                let drawn = html(part);
                for tag in ["b", "pre"] {
                    let opened = drawn.matches(&format!("<{tag}>")).count();
                    prop_assert_eq!(opened, drawn.matches(&format!("</{tag}>")).count());
                }
                prop_assert_eq!(drawn.matches("<a ").count(), drawn.matches("</a>").count());
            }
        }
    }
}
