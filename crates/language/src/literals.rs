//! Finds what must be taken letter by letter: web and mail addresses, paths, file names, patterns and quoted text.
//! Called by `language::token`. It never guesses: what is not surely one of these stays words.

use std::{collections::HashSet, ops::Range};

use super::{FactKind, home::Home};

/// A value found in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Literal {
    /// Where it stands in the original, quotes included.
    pub(super) span: Range<usize>,
    /// What it is.
    pub(super) kind: FactKind,
    /// The value, without quotes.
    pub(super) value: String,
}

/// Finds every literal, in order, not overlapping.
pub(super) fn literals(text: &str, extensions: &HashSet<String>, home: &Home) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut fresh = true;
    while let Some(rest) = text.get(at..) {
        let Some(letter) = rest.chars().next() else {
            return found;
        };
        let literal = if fresh {
            literal_at(rest, extensions, home)
        } else {
            None
        };
        match literal {
            Some((length, kind, value)) if length > 0 => {
                found.push(Literal {
                    span: at..at + length,
                    kind,
                    value,
                });
                at += length;
                fresh = false;
            }
            Some(_) | None => {
                at += letter.len_utf8();
                fresh = letter.is_whitespace()
                    || is_opening(letter)
                    || matches!(letter, '\'' | '\u{2019}' | ',' | ';' | '=' | ':');
            }
        }
    }
    found
}

fn is_opening(letter: char) -> bool {
    matches!(letter, '(' | '[' | '{' | '<' | '"' | '\u{201C}' | '\u{00AB}' | '`')
}

fn literal_at(rest: &str, extensions: &HashSet<String>, home: &Home) -> Option<(usize, FactKind, String)> {
    quoted(rest)
        .or_else(|| url(rest))
        .or_else(|| anchored_path(rest, extensions, home))
        .or_else(|| glob(rest, extensions))
        .or_else(|| email(rest))
        .or_else(|| bare_path(rest, extensions, home))
        .or_else(|| name_over_spaces(rest, extensions, home))
}

/// Quoted text, or a path in quotes.
fn quoted(rest: &str) -> Option<(usize, FactKind, String)> {
    let open = rest.chars().next()?;
    let closes: &[char] = match open {
        '"' => &['"'],
        '\u{201C}' | '\u{201E}' => &['\u{201D}', '\u{201C}'],
        '\u{00AB}' => &['\u{00BB}'],
        '`' => &['`'],
        '\'' => &['\''],
        '\u{2018}' => &['\u{2019}'],
        _ => return None,
    };
    let body = rest.get(open.len_utf8()..)?;
    let single = matches!(open, '\'' | '\u{2018}');
    let (mut end, mut depth) = (None, 0_usize);
    let mut before = ' ';
    for (at, letter) in body.char_indices() {
        let after = body.get(at + letter.len_utf8()..).and_then(|tail| tail.chars().next());
        let goes_on = after.is_some_and(char::is_alphanumeric);
        // A quotation within one of the same kind: "say 'it is called 'Casa', you know'".
        if single && letter == open && goes_on && before.is_whitespace() {
            depth += 1;
        } else if closes.contains(&letter) && !(single && goes_on) {
            // Inside single quotes an apostrophe is not the end unless a word ends there.
            end.get_or_insert((at, at + letter.len_utf8()));
            let Some(less) = depth.checked_sub(1) else {
                end = Some((at, at + letter.len_utf8()));
                break;
            };
            depth = less;
        }
        before = letter;
    }
    let (at, after) = end?;
    let value = body.get(..at)?;
    if value.trim().is_empty() {
        return None;
    }
    let kind = if is_anchored(value) {
        FactKind::Path
    } else if url(value).is_some_and(|(length, ..)| length == value.len()) {
        FactKind::Url
    } else {
        FactKind::Quoted
    };
    Some((open.len_utf8() + after, kind, value.to_owned()))
}

fn url(rest: &str) -> Option<(usize, FactKind, String)> {
    let scheme = ["http://", "https://", "ftp://", "www."].into_iter().find(|scheme| {
        rest.get(..scheme.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    })?;
    let whole = until_space(rest);
    let value = trimmed(whole);
    if value.len() <= scheme.len() {
        return None;
    }
    let address = if scheme == "www." {
        format!("https://{value}")
    } else {
        value.to_owned()
    };
    Some((value.len(), FactKind::Url, address))
}

fn until_space(rest: &str) -> &str {
    let end = rest
        .find(|letter: char| {
            letter.is_whitespace() || matches!(letter, '"' | '<' | '>' | '`' | '\u{201D}' | '\u{00BB}')
        })
        .unwrap_or(rest.len());
    rest.get(..end).unwrap_or(rest)
}

/// Without the punctuation that belongs to the sentence; a closing bracket stays where one was opened.
fn trimmed(value: &str) -> &str {
    let mut value = value;
    loop {
        let cut = match value.chars().next_back() {
            Some(',' | ';' | ':' | '!' | '?' | '\'' | '\u{2019}' | '\u{FF1F}') => true,
            // A final point is the sentence's, except in the names "." and "..".
            Some('.') => !(value == "." || value == ".." || value.ends_with("/.") || value.ends_with("/..")),
            Some(')') => value.matches(')').count() > value.matches('(').count(),
            Some(']') => value.matches(']').count() > value.matches('[').count(),
            Some('}') => value.matches('}').count() > value.matches('{').count(),
            _ => false,
        };
        let shorter = value.char_indices().next_back().and_then(|(at, _)| value.get(..at));
        match shorter {
            Some(shorter) if cut => value = shorter,
            Some(_) | None => return value,
        }
    }
}

/// Begins as only a path can begin.
pub(super) fn is_anchored(value: &str) -> bool {
    value == "~"
        || value.starts_with("~/")
        || value.starts_with("./")
        || value.starts_with("../")
        || value.starts_with("\\\\")
        || (value.starts_with('/') && !value.starts_with("//"))
        || is_drive(value)
}

fn is_drive(value: &str) -> bool {
    let mut letters = value.chars();
    letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && matches!(letters.next(), Some('\\' | '/'))
        && !value.get(1..).is_some_and(|tail| tail.starts_with("://"))
}

fn anchored_path(rest: &str, extensions: &HashSet<String>, home: &Home) -> Option<(usize, FactKind, String)> {
    if rest.starts_with('~') && !is_anchored(until_space(rest)) {
        let value = trimmed(until_space(rest));
        return (value == "~").then(|| (1, FactKind::Path, "~".to_owned()));
    }
    if !is_anchored(until_space(rest)) && !is_anchored(rest) {
        return None;
    }
    let windows = rest.starts_with("\\\\") || is_drive(rest);
    let written = if windows {
        until_space(rest)
    } else {
        until_unescaped_space(rest)
    };
    let end = over_spaces(rest, written.len(), windows, extensions, home);
    let whole = rest.get(..end).unwrap_or(written);
    let value = trimmed(whole);
    if value.is_empty() || !is_anchored(value) && value != "/" {
        return None;
    }
    let plain = if windows {
        value.to_owned()
    } else {
        value.replace("\\ ", " ")
    };
    // A pattern at the end of a folder ("~/docs/*.pdf") stays whole: the executors know what to do with it.
    Some((value.len(), FactKind::Path, plain))
}

/// Most words a name with spaces may have.
const NAME_WORDS_MAX: usize = 8;

/// How far a path goes on over spaces. "~/docs/letter to Marta.txt": the longest name that is there. Else, of one that
/// is still to be made or that is on another machine, words with a capital directly behind it ("~/Old Photos",
/// "C:\Users\Anna\My Documents") are part of its name: taken for anything else, they would send things to another
/// folder. Of a Windows path so is a word with a backslash ("C:\Program Files\x") or in brackets ("(x86)").
fn over_spaces(rest: &str, written: usize, windows: bool, extensions: &HashSet<String>, home: &Home) -> usize {
    let (mut end, mut there, mut named) = (written, None, written);
    for further in ends_over_spaces(rest, written) {
        let next = rest.get(end + 1..further).unwrap_or_default();
        let before = rest.get(..end).unwrap_or_default();
        let goes_on = named == end && !is_closed(before, extensions) && belongs(next, windows);
        end = further;
        if goes_on {
            named = end;
        }
        let name = trimmed(rest.get(..end).unwrap_or_default());
        if home.has(name) {
            there = Some(name.len());
        }
    }
    there.unwrap_or(named)
}

/// Where a name may end that goes on over spaces, from the shortest on.
fn ends_over_spaces(rest: &str, written: usize) -> impl Iterator<Item = usize> {
    let next = move |end: &usize| {
        let word = until_space(rest.get(*end..)?.strip_prefix(' ')?);
        let belongs = !word.is_empty() && !is_anchored(word) && !word.contains("://");
        belongs.then(|| end + 1 + word.len())
    };
    std::iter::successors(next(&written), next).take(NAME_WORDS_MAX)
}

/// A sign of the sentence or an ending of files closes a name.
fn is_closed(name: &str, extensions: &HashSet<String>) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    trimmed(name).len() < name.len() || ending.is_some_and(|ending| extensions.contains(&ending))
}

/// Whether a word directly behind a path is surely part of it.
fn belongs(word: &str, windows: bool) -> bool {
    let has_capital = word.starts_with(char::is_uppercase) && word != "I" && !word.starts_with("I'");
    let has_backslash = word.find('\\').is_some_and(|at| at > 0);
    let is_bracketed = word.starts_with('(') && trimmed(word).ends_with(')');
    has_capital || windows && (has_backslash || is_bracketed)
}

fn until_unescaped_space(rest: &str) -> &str {
    let mut escaped = false;
    for (at, letter) in rest.char_indices() {
        let quote = matches!(letter, '"' | '<' | '>' | '`' | '\u{201D}' | '\u{00BB}');
        if quote || letter.is_whitespace() && !(escaped && letter == ' ') {
            return rest.get(..at).unwrap_or(rest);
        }
        escaped = letter == '\\';
    }
    rest
}

fn glob(rest: &str, extensions: &HashSet<String>) -> Option<(usize, FactKind, String)> {
    let value = trimmed(until_space(rest));
    if value.contains('*') && value.len() > 1 && !value.contains('/') {
        return Some((value.len(), FactKind::Glob, value.to_owned()));
    }
    let lower = value.to_ascii_lowercase();
    // ".pdf", ".tar.gz", "tar.gz files"
    let ending = lower
        .strip_prefix('.')
        .or_else(|| lower.starts_with("tar.").then_some(lower.as_str()))?;
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric());
    let last = ending.rsplit('.').next()?;
    let is_known = extensions.contains(last) && ending.split('.').all(is_part);
    is_known.then(|| (value.len(), FactKind::Glob, format!("*.{ending}")))
}

fn email(rest: &str) -> Option<(usize, FactKind, String)> {
    let value = trimmed(until_space(rest));
    let (local, domain) = value.split_once('@')?;
    let plain = |text: &str| {
        text.chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-' | '+' | '%'))
    };
    let dotted = |text: &str| !text.starts_with('.') && !text.ends_with('.') && !text.contains("..");
    // A host ends in letters: "1.2.3.4" is none, and neither has a name with an underscore.
    let top = domain.rsplit_once('.').map_or("", |(_, top)| top);
    let named = top.chars().count() > 1 && !top.contains(|letter: char| letter.is_ascii_digit());
    let good = !local.is_empty()
        && plain(&local.replace('\'', "_"))
        && plain(domain)
        && dotted(local)
        && dotted(domain)
        && named
        && !domain.contains('_');
    good.then(|| (value.len(), FactKind::Email, value.to_owned()))
}

/// A file name with a known extension, a relative path that ends with one or with a slash, or one below a folder of the
/// home.
fn bare_path(rest: &str, extensions: &HashSet<String>, home: &Home) -> Option<(usize, FactKind, String)> {
    let value = trimmed(until_space(rest));
    if value.contains("://") || !value.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
        return None;
    }
    let name = value.rsplit('/').next()?;
    let known = name
        .rsplit_once('.')
        .is_some_and(|(stem, extension)| !stem.is_empty() && extensions.contains(&extension.to_ascii_lowercase()));
    let folder = value.ends_with('/') && value.len() > 1;
    let at_home = value.strip_prefix("home/").map(|inside| format!("~/{inside}"));
    // "docs/invoices", where docs is a folder of the home.
    let in_folder = value.split_once('/').filter(|(_, inside)| !inside.is_empty());
    let in_folder = in_folder.and_then(|(first, inside)| Some(format!("~/{}/{inside}", home.folder(first)?)));
    if !known && !folder && at_home.is_none() && in_folder.is_none() {
        return None;
    }
    // "docs/report card.pdf" goes on over spaces as far as the name of what is there.
    let root = in_folder
        .as_ref()
        .and_then(|path| path.strip_suffix(value.split_once('/')?.1));
    let beyond = |end: usize| Some(format!("{}{}", root?, rest.get(..end)?.split_once('/')?.1));
    let ends = ends_over_spaces(rest, value.len()).map(|end| trimmed(rest.get(..end).unwrap_or_default()).len());
    let is_there = |end: &usize| beyond(*end).is_some_and(|path| home.has(&path));
    if let Some(end) = ends.filter(is_there).last() {
        return Some((end, FactKind::Path, beyond(end)?));
    }
    let path = at_home.or(in_folder).unwrap_or_else(|| value.to_owned());
    Some((value.len(), FactKind::Path, path))
}

/// "report card.pdf", said without its folder: the longest name with a known extension that a file of the home has, in
/// its own spelling.
fn name_over_spaces(rest: &str, extensions: &HashSet<String>, home: &Home) -> Option<(usize, FactKind, String)> {
    let first = until_space(rest);
    if !first.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
        return None;
    }
    let names = ends_over_spaces(rest, first.len()).filter_map(|end| Some(trimmed(rest.get(..end)?)));
    // The home is walked only for what can be the name of a file.
    let names: Vec<&str> = names.filter(|name| is_closed(name, extensions)).collect();
    names.into_iter().rev().find_map(|name| {
        let spelled = home.spelled(name)?;
        Some((name.len(), FactKind::Path, spelled.to_owned()))
    })
}
