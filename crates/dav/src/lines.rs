//! The lines of iCalendar and vCard (RFC 5545, 3.1; RFC 6350, 3.2): read within bounds, kept as they were written, and
//! written back folded. What nobody here understands passes through unchanged; no text can begin or end a line.

use crate::{
    limits::{COMPONENTS_MAX, DEPTH_MAX, OBJECT_BYTES_MAX},
    object::Broken,
};

/// Bytes of a line before it is folded.
const FOLD: usize = 75;

/// One property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// As it was written, with the group of a vCard before it.
    pub(crate) name: String,
    /// Names and values, these with their quotation marks.
    pub(crate) params: Vec<(String, String)>,
    /// As it was written.
    pub(crate) value: String,
}

/// One component: a calendar, an event, a zone, a card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    /// In capitals.
    pub(crate) kind: String,
    pub(crate) lines: Vec<Line>,
    pub(crate) parts: Vec<Part>,
}

/// All components of a text. What stands outside of any, and what is no property, is left out; one that ends in the
/// middle is none.
pub(crate) fn read(text: &str) -> Result<Vec<Part>, Broken> {
    if text.len() > OBJECT_BYTES_MAX {
        return Err(Broken::TooLarge);
    }
    let mut whole: Vec<Part> = Vec::new();
    let mut open: Vec<Part> = Vec::new();
    let mut parts = 0_usize;
    for line in unfolded(text) {
        let Some(line) = Line::read(&line) else { continue };
        if line.is("BEGIN") {
            parts += 1;
            if open.len() >= DEPTH_MAX || parts > COMPONENTS_MAX {
                return Err(Broken::TooManyParts);
            }
            open.push(Part::new(line.value.trim()));
        } else if line.is("END") {
            // One that ends without its own end ends with the next one's.
            let Some(done) = open.pop() else { continue };
            match open.last_mut() {
                Some(parent) => parent.parts.push(done),
                None => whole.push(done),
            }
        } else if let Some(part) = open.last_mut() {
            part.lines.push(line);
        }
    }
    Some(whole).filter(|whole| !whole.is_empty()).ok_or(Broken::Unreadable)
}

/// Lines with what was folded joined again. A soft break of quoted-printable text goes on without a blank.
fn unfolded(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut is_soft = false;
    for line in text.trim_start_matches('\u{feff}').split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let folded = line.strip_prefix([' ', '\t']);
        match (all.last_mut(), folded) {
            (Some(last), _) if is_soft => {
                last.pop();
                last.push_str(folded.unwrap_or(line));
            }
            (Some(last), Some(rest)) => last.push_str(rest),
            _ => all.push(line.to_owned()),
        }
        let is_quoted = |line: &String| line.to_ascii_uppercase().contains("QUOTED-PRINTABLE");
        is_soft = line.ends_with('=') && all.last().is_some_and(is_quoted);
    }
    all
}

impl Line {
    /// A property with this value as it is written.
    pub(crate) fn new(name: &str, value: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            params: Vec::new(),
            value: value.into(),
        }
    }

    /// The same with a parameter.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        let plain: String = value
            .chars()
            .filter(|letter| *letter != '"' && !letter.is_control())
            .collect();
        let needs_marks = plain.contains([':', ';', ',']);
        let value = if needs_marks { format!("\"{plain}\"") } else { plain };
        self.params.push((name.to_owned(), value));
        self
    }

    fn read(line: &str) -> Option<Self> {
        let mut is_quoted = false;
        let mut cuts = Vec::new();
        let mut colon = None;
        for (at, letter) in line.char_indices() {
            match letter {
                '"' => is_quoted = !is_quoted,
                ';' if !is_quoted => cuts.push(at),
                ':' if !is_quoted => {
                    colon = Some(at);
                    break;
                }
                _ => {}
            }
        }
        // A mark that is opened and never closed hides nothing.
        let colon = colon.or_else(|| line.find(':'))?;
        let head = line.get(..colon)?;
        cuts.retain(|at| *at < colon);
        let first = cuts.first().copied().unwrap_or(head.len());
        let name = head.get(..first)?.trim().to_owned();
        let ends = cuts.iter().skip(1).copied().chain([head.len()]);
        let params = cuts.iter().zip(ends).filter_map(|(start, end)| {
            let param = head.get(start + 1..end)?;
            // vCard 2.1 writes a value alone.
            let (name, value) = param.split_once('=').unwrap_or(("TYPE", param));
            Some((name.trim().to_owned(), value.to_owned()))
        });
        let is_name = !name.is_empty()
            && name
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
        is_name.then(|| Self {
            params: params.collect(),
            value: line.get(colon + 1..).unwrap_or_default().to_owned(),
            name,
        })
    }

    /// Whether it has this name, whatever group stands before it.
    pub(crate) fn is(&self, name: &str) -> bool {
        let own = self.name.rsplit('.').next().unwrap_or(&self.name);
        own.eq_ignore_ascii_case(name)
    }

    /// The parameter of this name, without quotation marks.
    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        let mut all = self.params.iter();
        let found = all.find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim().trim_matches('"'))
    }

    /// All words of the parameters of this name, in small letters.
    pub(crate) fn words(&self, name: &str) -> Vec<String> {
        let own = self.params.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name));
        let words = own.flat_map(|(_, value)| value.split(','));
        words.map(|word| word.trim().trim_matches('"').to_lowercase()).collect()
    }

    /// The value as text.
    pub(crate) fn text(&self) -> String {
        unescaped(&self.decoded())
    }

    /// The parts of a value that this mark separates, as text.
    pub(crate) fn texts(&self, mark: char) -> Vec<String> {
        let value = self.decoded();
        let mut parts = Vec::new();
        let (mut from, mut is_escaped) = (0, false);
        for (at, letter) in value.char_indices() {
            match letter {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                letter if letter == mark => {
                    parts.push(unescaped(value.get(from..at).unwrap_or_default()));
                    from = at + letter.len_utf8();
                }
                _ => {}
            }
        }
        parts.push(unescaped(value.get(from..).unwrap_or_default()));
        parts
    }

    /// Without the coding of vCard 2.1. What is no UTF-8 there is Latin.
    fn decoded(&self) -> String {
        let coding = [self.words("ENCODING"), self.words("TYPE")].concat();
        if !coding.iter().any(|word| word == "quoted-printable") {
            return self.value.clone();
        }
        let mut bytes = Vec::new();
        let mut rest = self.value.as_bytes();
        while let [first, behind @ ..] = rest {
            let hex = (*first == b'=').then(|| behind.get(..2)).flatten();
            let byte = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
            bytes.push(byte.unwrap_or(*first));
            rest = if byte.is_some() {
                behind.get(2..).unwrap_or_default()
            } else {
                behind
            };
        }
        String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect())
    }

    fn write(&self, out: &mut String) {
        let mut line = self.name.clone();
        for (name, value) in &self.params {
            line.push_str(&format!(";{name}={value}"));
        }
        line.push(':');
        line.push_str(&self.value);
        fold(&line, out);
    }
}

fn fold(line: &str, out: &mut String) {
    let mut width = 0;
    for letter in line.chars().filter(|letter| !matches!(letter, '\r' | '\n')) {
        if width + letter.len_utf8() > FOLD {
            out.push_str("\r\n ");
            width = 1;
        }
        out.push(letter);
        width += letter.len_utf8();
    }
    out.push_str("\r\n");
}

impl Part {
    /// An empty one.
    pub(crate) fn new(kind: &str) -> Self {
        Self {
            kind: kind.to_ascii_uppercase(),
            ..Self::default()
        }
    }

    /// The first property of a name.
    pub(crate) fn line(&self, name: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.is(name))
    }

    /// All properties of a name.
    pub(crate) fn all<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p Line> {
        self.lines.iter().filter(move |line| line.is(name))
    }

    /// The text of a property; empty where there is none.
    pub(crate) fn text(&self, name: &str) -> String {
        self.line(name)
            .map(|line| line.text().trim().to_owned())
            .unwrap_or_default()
    }

    /// Puts a property in place of all of its name.
    pub(crate) fn set(&mut self, line: Line) {
        let name = line.name.clone();
        let at = self
            .lines
            .iter()
            .position(|own| own.is(&name))
            .unwrap_or(self.lines.len());
        self.drop_all(&name);
        let at = at.min(self.lines.len());
        self.lines.insert(at, line);
    }

    /// Takes out all properties of a name.
    pub(crate) fn drop_all(&mut self, name: &str) {
        self.lines.retain(|line| !line.is(name));
    }

    /// Writes it, and all in it.
    pub(crate) fn write(&self, out: &mut String) {
        fold(&format!("BEGIN:{}", self.kind), out);
        for line in &self.lines {
            line.write(out);
        }
        for part in &self.parts {
            part.write(out);
        }
        fold(&format!("END:{}", self.kind), out);
    }
}

/// A text as a value, in which no letter ends it or begins another.
pub(crate) fn escaped(text: &str) -> String {
    let mut value = String::new();
    for letter in text.chars() {
        match letter {
            '\\' | ';' | ',' => value.extend(['\\', letter]),
            '\n' => value.push_str("\\n"),
            letter if letter.is_control() => {}
            letter => value.push(letter),
        }
    }
    value
}

fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n' | 'N') => text.push('\n'),
                Some(other) => text.push(other),
                None => {}
            },
            letter => text.push(letter),
        }
    }
    text
}
