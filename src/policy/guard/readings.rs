//! Everything a string could turn into on its way to a file: decoded, unquoted, expanded, folded, split.
//! `guard` checks each reading; one forbidden reading is enough. Nothing here touches the disk or decides.

use std::{
    collections::{BTreeSet, VecDeque},
    path::Path,
    sync::LazyLock,
};

use regex::{Captures, Regex};
use unicode_normalization::UnicodeNormalization as _;

/// A string with more readings than this hides something.
const READINGS_MAX: usize = 300;
/// No path of any system is longer, whatever it is encoded in.
const TEXT_BYTES_MAX: usize = 8_192;
/// Encodings inside encodings are followed this deep.
const DEPTH_MAX: usize = 6;

/// The readings of one string.
pub(super) struct Readings {
    /// The string itself first.
    pub(super) texts: Vec<String>,
    /// Holds characters that no honest path has, or too many readings to look at.
    pub(super) malformed: bool,
}

impl Readings {
    /// Reads a string every way we know.
    pub(super) fn of(text: &str, home: &Path) -> Self {
        if text.len() > TEXT_BYTES_MAX {
            return Self {
                texts: vec![text.to_owned()],
                malformed: true,
            };
        }
        let home = home.to_string_lossy();
        let mut seen = BTreeSet::from([text.to_owned()]);
        let mut texts = vec![text.to_owned()];
        let mut waiting = VecDeque::from([(text.to_owned(), 0)]);
        let mut tangled = false;
        while let Some((current, depth)) = waiting.pop_front() {
            for reading in once(&current, &home) {
                if reading.is_empty() || !seen.insert(reading.clone()) {
                    continue;
                }
                if depth == DEPTH_MAX || texts.len() == READINGS_MAX {
                    tangled = true;
                    continue;
                }
                texts.push(reading.clone());
                waiting.push_back((reading, depth + 1));
            }
        }
        let malformed = tangled || is_malformed(text) || is_malformed(&percent_decoded(text));
        Self { texts, malformed }
    }

    /// Too long to be read at all.
    pub(super) fn is_too_long(&self) -> bool {
        self.texts.first().is_some_and(|text| text.len() > TEXT_BYTES_MAX)
    }
}

/// Characters a person cannot see, other than the joiners that emoji and some scripts need.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' | '\u{115f}'
        | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{34f}')
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

fn is_malformed(text: &str) -> bool {
    text.chars().any(|c| c.is_control() || is_invisible(c))
        || text.split(|c: char| !c.is_alphabetic()).any(mixes_scripts)
}

/// Latin letters and letters that look like them in one word.
fn mixes_scripts(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_alphabetic())
        && word
            .chars()
            .any(|c| matches!(c, '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}'))
}

/// One round of every transformation; what does not apply returns the text itself.
fn once(text: &str, home: &str) -> Vec<String> {
    let mut readings = vec![
        text.trim().to_owned(),
        folded(text),
        percent_decoded(text),
        unescaped(text),
        without_entities(text),
        text.replace('\\', "/"),
        text.replace("$'", "").replace(['\\', '\'', '"', '`'], ""),
        with_variables(text, home),
        without_echo(text),
        without_trailing_dots(text),
    ];
    readings.extend(without_scheme(text));
    readings.extend(brace_alternatives(text));
    readings.extend(pieces(text));
    readings
}

#[expect(
    clippy::expect_used,
    reason = "the patterns are constants, and a test uses every one of them"
)]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("constant pattern")
}

static ECHO: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\$\(\s*(?:echo|printf)\s+(?<a>[^()]*)\)|`\s*(?:echo|printf)\s+(?<b>[^`]*)`"));
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) \\x(?<a>[0-9A-Fa-f]{2}) | \\u(?<b>[0-9A-Fa-f]{4}) | \\U(?<c>[0-9A-Fa-f]{8}) | %u(?<d>[0-9A-Fa-f]{4})
        | \\u\{(?<e>[0-9A-Fa-f]{1,6})\} | \\0?(?<o>[0-7]{3})",
    )
});
static ENTITY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) &\#[xX](?<hex>[0-9A-Fa-f]{1,6});? | &\#(?<dec>[0-9]{1,7});?
        | &(?<name>sol|period|lowbar|tilde|bsol|dot|colon);",
    )
});
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) \$\{(?<braced>[A-Za-z_][A-Za-z0-9_]*)(?: :?[-=+?](?<default>[^{}]*) | [^{}]*)?\}
        | \$(?<bare>[A-Za-z_][A-Za-z0-9_]*) | %(?<win>[A-Za-z_][A-Za-z0-9_]*)%",
    )
});
static BRACES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\{([^{}]*)\}"));

/// `$(echo x)` is `x`.
pub(super) fn without_echo(text: &str) -> String {
    ECHO.replace_all(text, "$a$b").into_owned()
}

/// Compatibility forms, look-alike separators and letters, and nothing invisible.
fn folded(text: &str) -> String {
    text.chars()
        .filter(|c| !is_invisible(*c) && !is_joiner(*c))
        .nfkc()
        .filter(|c| !is_invisible(*c))
        .map(look_alike)
        .collect()
}

fn look_alike(c: char) -> char {
    match c {
        '\u{2044}' | '\u{2215}' | '\u{2571}' | '\u{27cb}' | '\u{29f8}' | '\u{29f6}' | '\u{1735}' => '/',
        '\u{2216}' | '\u{29f5}' | '\u{29f9}' => '\\',
        '\u{223c}' | '\u{2dc}' | '\u{301c}' | '\u{2053}' => '~',
        '\u{a4f8}' | '\u{6d4}' | '\u{3002}' => '.',
        'а' | 'А' | 'α' => 'a',
        'в' | 'В' => 'b',
        'с' | 'С' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'ε' => 'e',
        'ɡ' => 'g',
        'һ' | 'Н' => 'h',
        'і' | 'І' | 'ι' | 'ı' => 'i',
        'ј' | 'Ј' => 'j',
        'к' | 'К' | 'κ' => 'k',
        'м' | 'М' => 'm',
        'п' | 'ո' => 'n',
        'о' | 'О' | 'ο' | 'օ' => 'o',
        'р' | 'Р' | 'ρ' => 'p',
        'ѕ' | 'Ѕ' => 's',
        'т' | 'Т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ѡ' | 'ω' => 'w',
        'х' | 'Х' | 'χ' => 'x',
        'у' | 'У' => 'y',
        other => other,
    }
}

/// Percent escapes decoded once, over-long forms of the separators too.
pub(super) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let digits = tail.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        let decoded = digits
            .filter(|pair| *first == b'%' && pair.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() {
            tail.get(2..).unwrap_or_default()
        } else {
            tail
        };
    }
    // C0 AF and C0 AE are the forbidden two-byte spellings of `/` and `.`.
    let mut shortest = Vec::with_capacity(bytes.len());
    let mut bytes = bytes.into_iter().peekable();
    while let Some(byte) = bytes.next() {
        let next = bytes.peek().copied().unwrap_or_default();
        if byte == 0xc0 && matches!(next, 0xae | 0xaf) {
            shortest.push(next & 0x3f);
            bytes.next();
        } else {
            shortest.push(byte);
        }
    }
    String::from_utf8_lossy(&shortest).into_owned()
}

/// Escapes of C strings and shells decoded once.
pub(super) fn unescaped(text: &str) -> String {
    ESCAPE
        .replace_all(text, |found: &Captures<'_>| {
            let hex = ["a", "b", "c", "d", "e"].iter().find_map(|name| found.name(name));
            let code = match hex {
                Some(digits) => u32::from_str_radix(digits.as_str(), 16).ok(),
                None => found
                    .name("o")
                    .and_then(|digits| u32::from_str_radix(digits.as_str(), 8).ok()),
            };
            character(code)
        })
        .into_owned()
}

fn without_entities(text: &str) -> String {
    ENTITY
        .replace_all(text, |found: &Captures<'_>| {
            let code = if let Some(digits) = found.name("hex") {
                u32::from_str_radix(digits.as_str(), 16).ok()
            } else if let Some(digits) = found.name("dec") {
                digits.as_str().parse().ok()
            } else {
                return match found.name("name").map_or("", |name| name.as_str()) {
                    "sol" => "/",
                    "period" | "dot" => ".",
                    "lowbar" => "_",
                    "tilde" => "~",
                    "bsol" => "\\",
                    _ => ":",
                }
                .to_owned();
            };
            character(code)
        })
        .into_owned()
}

fn character(code: Option<u32>) -> String {
    code.and_then(char::from_u32).unwrap_or('\u{fffd}').to_string()
}

/// Variables of a shell, of Windows and of service files; an unknown one is empty, or what it falls back to.
fn with_variables(text: &str, home: &str) -> String {
    let value = |name: &str| match name.to_ascii_uppercase().as_str() {
        "HOME" | "USERPROFILE" | "PWD" | "OLDPWD" => Some(home.to_owned()),
        "USER" | "LOGNAME" | "USERNAME" => Some(user(home)),
        "IFS" => Some(" ".to_owned()),
        _ => None,
    };
    let expanded = VARIABLE.replace_all(text, |found: &Captures<'_>| {
        let name = ["braced", "bare", "win"]
            .iter()
            .find_map(|group| found.name(group))
            .map_or("", |name| name.as_str());
        let default = found.name("default").map_or("", |default| default.as_str());
        value(name).unwrap_or_else(|| default.to_owned())
    });
    expanded.replace("%h/", &format!("{home}/")).replace("%u", &user(home))
}

fn user(home: &str) -> String {
    home.rsplit('/').next().unwrap_or_default().to_owned()
}

/// `file:` addresses, drive letters and the marks programs put before a file name.
fn without_scheme(text: &str) -> Vec<String> {
    let mut readings = Vec::new();
    let lower = text.to_ascii_lowercase();
    if let Some(rest) = lower
        .strip_prefix("file:")
        .and_then(|rest| text.get(text.len() - rest.len()..))
    {
        let after_host = rest
            .strip_prefix("//")
            .and_then(|authority| authority.find('/').and_then(|slash| authority.get(slash..)));
        readings.push(after_host.unwrap_or(rest).to_owned());
        readings.push(rest.trim_start_matches('/').to_owned());
        readings.push(format!("/{}", rest.trim_start_matches('/')));
    }
    let mut chars = text.chars();
    if chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':') && chars.next() == Some('/') {
        readings.push(text.chars().skip(2).collect());
    }
    if let Some(rest) = text.strip_prefix("//?/").or_else(|| text.strip_prefix('@')) {
        readings.push(rest.to_owned());
    }
    readings
}

/// Windows and some servers ignore dots and spaces at the end of a name.
fn without_trailing_dots(text: &str) -> String {
    let name = |part: &str| match part {
        "." | ".." => part.to_owned(),
        _ => part.trim_end_matches(['.', ' ']).to_owned(),
    };
    text.split('/').map(name).collect::<Vec<_>>().join("/")
}

/// `a{b,c}` is `ab` and `ac`; the innermost braces first.
fn brace_alternatives(text: &str) -> Vec<String> {
    let Some(found) = BRACES.captures(text) else {
        return Vec::new();
    };
    let (Some(whole), Some(inner)) = (found.get(0), found.get(1)) else {
        return Vec::new();
    };
    let before = text.get(..whole.start()).unwrap_or_default();
    let after = text.get(whole.end()..).unwrap_or_default();
    if before.ends_with('$') {
        return Vec::new();
    }
    let alternatives = sequence(inner.as_str());
    let alternatives = alternatives.unwrap_or_else(|| inner.as_str().split(',').map(str::to_owned).collect());
    let with = |alternative: &String| format!("{before}{alternative}{after}");
    alternatives.iter().map(with).collect()
}

/// `{a..c}` is `a`, `b` and `c`.
fn sequence(inner: &str) -> Option<Vec<String>> {
    let (first, last) = inner.split_once("..")?;
    let letter = |text: &str| {
        let mut letters = text.chars();
        letters
            .next()
            .filter(|own| own.is_ascii_alphanumeric() && letters.next().is_none())
    };
    let (first, last) = (letter(first)?, letter(last)?);
    let (low, high) = (first.min(last), first.max(last));
    Some((low..=high).map(String::from).collect())
}

/// Parts between the separators of lists and commands that look like a path on their own.
fn pieces(text: &str) -> Vec<String> {
    let separator = |c: char| c.is_whitespace() || c.is_control() || ",:;|&<>()=`".contains(c);
    text.split(separator)
        .map(|piece| piece.trim_matches(['"', '\'']))
        .filter(|piece| piece.len() < text.len() && piece.starts_with(['/', '~', '$', '%', '.', '\\', '\u{ff0f}']))
        .map(str::to_owned)
        .collect()
}
