//! What somebody wrote themselves, and what they only carry along from before: the line that opens a quotation, lines
//! behind `>`, the headers of the message that is answered. Pure; called by who shows a message.

/// A text in two parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// What is new.
    pub own: String,
    /// What was carried along.
    pub quoted: String,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Empty,
    Text,
    /// Nothing but dashes.
    Rule,
    /// Behind `>`.
    Quoted,
    /// Opens a quotation: "On Monday Anna wrote:".
    Opens,
    /// Opens what is passed on; it is meant to be read.
    Forwards,
}

/// Signs of the shortest rule.
const RULE_SIGNS: usize = 5;
/// Most lines that a line which opens a quotation is broken into.
const OPENING_LINES: usize = 4;
/// Most characters of one.
const OPENING_CHARS: usize = 400;
/// Most lines of headers in which the second one is looked for.
const HEADER_LINES: usize = 6;
/// Most lines that are looked at; the rest belongs to the part before it.
const LINES_MAX: usize = 5_000;

/// Verbs that end a line which opens a quotation.
const WROTE: &[&str] = &[
    "wrote:",
    "wrote :",
    "writes:",
    "ha scritto:",
    "ha scritto :",
    "scrisse:",
    "scrive:",
    "a écrit :",
    "a écrit:",
    "schrieb:",
    "escribió:",
    "escreveu:",
    "schreef:",
    "skrev:",
    "napisał:",
    "napisał(a):",
    "geschreven:",
    "пише:",
    "пишет:",
    "написал:",
    "написал(а):",
    "đã viết:",
];
/// Verbs in the middle of one that a colon ends.
const WROTE_INSIDE: &[&str] = &["schrieb", "schreef", "skrev", "geschreven"];
/// Words that begin one, where it does not begin with a date or an address.
const LEADS: &[&str] = &["on", "il", "in", "le", "am", "el", "em", "op", "den", "w", "vào"];
/// What lines of dashes say.
const ORIGINAL: &[&str] = &[
    "original message",
    "reply message",
    "original text",
    "messaggio originale",
    "messaggio origine",
    "ursprüngliche nachricht",
    "message d'origine",
    "message original",
    "mensaje original",
    "mensagem original",
    "oprindelig meddelelse",
    "oorspronkelijk bericht",
    "antwort nachricht",
    "original appointment",
    " wrote -",
    " ha scritto -",
];
/// What opens a message that is passed on.
const FORWARDED: &[&str] = &[
    "forwarded message",
    "messaggio inoltrato",
    "weitergeleitete nachricht",
    "message transféré",
];
/// Names of the header that comes first, in languages people write in.
const FROM: &[&str] = &[
    "from", "da", "von", "de", "van", "fra", "från", "от", "date", "data", "datum",
];
/// And of those that follow.
const FOLLOWING: &[&str] = &[
    "sent",
    "date",
    "to",
    "subject",
    "inviato",
    "data",
    "a",
    "oggetto",
    "gesendet",
    "an",
    "betreff",
    "datum",
    "envoyé",
    "à",
    "objet",
    "enviado",
    "para",
    "asunto",
    "assunto",
    "verzonden",
    "aan",
    "onderwerp",
    "sendt",
    "til",
    "emne",
    "skickat",
    "till",
    "ämne",
    "отправлено",
    "кому",
    "тема",
    "from",
    "da",
    "cc",
];

/// Takes a text apart.
pub fn parts(text: &str) -> Parts {
    let lines: Vec<&str> = text.lines().collect();
    let whole = || Parts {
        own: text.trim_end().to_owned(),
        quoted: String::new(),
    };
    if lines.len() > LINES_MAX {
        return whole();
    }
    let mut kinds = marked(&lines);
    let quoted_count = kinds.iter().filter(|kind| **kind == Line::Quoted).count();
    let opens = kinds.iter().position(|kind| *kind == Line::Opens);
    if opens.is_none() && quoted_count < 3 {
        for kind in &mut kinds {
            if *kind == Line::Quoted {
                *kind = Line::Text;
            }
        }
    }
    let Some((from, to)) = range(&kinds) else {
        return whole();
    };
    let joined = |range: &[&str]| range.join("\n");
    let before = lines.get(..from).unwrap_or_default();
    let after = lines.get(to..).unwrap_or_default();
    let own = [before, after].concat();
    Parts {
        own: joined(&own).trim().to_owned(),
        quoted: joined(lines.get(from..to).unwrap_or_default()).trim().to_owned(),
    }
}

/// The lines that are only carried along.
fn range(kinds: &[Line]) -> Option<(usize, usize)> {
    if let Some(at) = kinds.iter().position(|kind| *kind == Line::Forwards)
        && kinds
            .iter()
            .take(at)
            .all(|kind| matches!(kind, Line::Text | Line::Empty | Line::Rule))
    {
        return None;
    }
    if is_answered_inside(kinds) {
        return None;
    }
    let opens = kinds
        .iter()
        .position(|kind| matches!(kind, Line::Opens | Line::Quoted))?;
    // A rule above headers is part of what they open.
    let is_bare = |kind: &Line| matches!(kind, Line::Empty | Line::Rule);
    let above = kinds.get(..opens).unwrap_or_default();
    let bare = above.iter().rev().take_while(|kind| is_bare(kind)).count();
    let has_rule = above.iter().rev().take(bare).any(|kind| *kind == Line::Rule);
    let first = if has_rule { opens - bare } else { opens };
    let next = kinds
        .iter()
        .skip(opens + 1)
        .find(|kind| !matches!(kind, Line::Empty | Line::Opens));
    // A quotation that is not behind `>` goes to the end.
    if kinds.get(opens) == Some(&Line::Opens) && next != Some(&Line::Quoted) {
        return Some((first, kinds.len()));
    }
    let last = kinds.iter().rposition(|kind| *kind == Line::Quoted)?;
    let after = kinds.get(last + 1..).unwrap_or_default();
    // Whatever opens once more below is carried along, too.
    if after.contains(&Line::Opens) {
        return Some((first, kinds.len()));
    }
    Some((first, last + 1))
}

/// Somebody writes between the lines they answer: nothing can be left out.
fn is_answered_inside(kinds: &[Line]) -> bool {
    let mut seen_quoted = false;
    let mut text_since = false;
    for kind in kinds {
        match kind {
            Line::Quoted if text_since => return true,
            Line::Quoted => seen_quoted = true,
            Line::Text if seen_quoted => text_since = true,
            Line::Opens => {
                seen_quoted = false;
                text_since = false;
            }
            Line::Text | Line::Empty | Line::Rule | Line::Forwards => {}
        }
    }
    false
}

fn marked(lines: &[&str]) -> Vec<Line> {
    let mut kinds = Vec::with_capacity(lines.len());
    while let Some(line) = lines.get(kinds.len()) {
        let at = kinds.len();
        let line = line.trim();
        if line.is_empty() {
            kinds.push(Line::Empty);
        } else if line.chars().count() >= RULE_SIGNS && line.chars().all(|sign| matches!(sign, '-' | '_' | '=' | '*')) {
            kinds.push(Line::Rule);
        } else if is_forwarded(line) {
            kinds.push(Line::Forwards);
        } else if line.starts_with('>') {
            kinds.push(Line::Quoted);
        } else if let Some(count) = opening(lines.get(at..).unwrap_or_default()) {
            kinds.extend(std::iter::repeat_n(Line::Opens, count));
        } else {
            kinds.push(Line::Text);
        }
    }
    kinds
}

fn is_forwarded(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.starts_with("---") && FORWARDED.iter().any(|words| lower.contains(words))
        || lower.trim_end_matches(':') == "begin forwarded message"
}

/// How many lines open a quotation here.
fn opening(lines: &[&str]) -> Option<usize> {
    let first = lines.first()?.trim();
    let lower = first.to_lowercase();
    let is_ruled = lower.starts_with("--") || lower.starts_with("__") || lower.starts_with("**");
    if is_ruled && ORIGINAL.iter().any(|words| lower.contains(words)) {
        return Some(1);
    }
    if let Some(count) = headers(lines) {
        return Some(count);
    }
    if is_dated_address(&lower) {
        return Some(1);
    }
    let lead = lower.split_whitespace().next().unwrap_or_default();
    let may_begin = LEADS.contains(&lead) || lower.contains('@') || lower.chars().any(|sign| sign.is_ascii_digit());
    let most = if may_begin { OPENING_LINES } else { 1 };
    let mut joined = String::new();
    for (place, line) in lines.iter().take(most).enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('>') {
            return None;
        }
        if place > 0 {
            joined.push(' ');
        }
        joined.push_str(&line.to_lowercase());
        if joined.chars().count() > OPENING_CHARS {
            return None;
        }
        if is_written_by(&joined) {
            return Some(place + 1);
        }
    }
    None
}

/// "On 3 March Anna wrote:", "Il giorno 3 marzo Anna <a@b.it> ha scritto:".
fn is_written_by(text: &str) -> bool {
    let text = text.trim_end_matches(['*', ' ']);
    let ends = WROTE.iter().any(|words| text.ends_with(words))
        || text.ends_with(':')
            && WROTE_INSIDE
                .iter()
                .any(|word| text.split_whitespace().any(|found| found == *word));
    ends && (text.contains('@')
        || text.chars().any(|sign| sign.is_ascii_digit()) && text.split_whitespace().count() > 3)
}

/// `2012/10/16 Anna <anna@a.it>`, alone on its line.
fn is_dated_address(lower: &str) -> bool {
    let mut words = lower.split_whitespace();
    let Some(date) = words.next() else { return false };
    let is_date = date.len() >= 8
        && date
            .chars()
            .all(|sign| sign.is_ascii_digit() || matches!(sign, '/' | '-' | '.' | ','))
        && date.chars().filter(char::is_ascii_digit).count() >= 6;
    is_date && lower.contains('<') && lower.contains('@') && (lower.ends_with('>') || lower.ends_with(':'))
}

/// The headers of a message, as some programs put them on top of it.
fn headers(lines: &[&str]) -> Option<usize> {
    let name = |line: &str| {
        let line = line.trim().trim_start_matches(['*', '_']);
        let (name, value) = line.split_once(':')?;
        let name = name.trim_end_matches(['*', ' ', '\u{a0}']).trim().to_lowercase();
        (!name.is_empty() && !name.contains(' ') && !value.trim().is_empty()).then_some(name)
    };
    let first = name(lines.first()?)?;
    if !FROM.contains(&first.as_str()) {
        return None;
    }
    let mut last = 0;
    let mut count = 1;
    for (place, line) in lines.iter().enumerate().take(HEADER_LINES).skip(1) {
        match name(line) {
            Some(name) if FOLLOWING.contains(&name.as_str()) => {
                last = place;
                count += 1;
            }
            Some(_) => {}
            None if line.trim().is_empty() && place > last + 1 => break,
            None => {}
        }
    }
    // Two are enough where the first says what a header says.
    let says = lines
        .first()
        .is_some_and(|line| line.contains('@') || line.chars().any(|sign| sign.is_ascii_digit()));
    (count >= if says { 2 } else { 3 }).then_some(last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> String {
        parts(text).own
    }

    #[test]
    fn what_is_carried_along_is_told_apart() {
        assert_eq!(
            own("Sì, va bene.\n\nIl giorno 3 marzo 2026 Anna <a@b.it> ha\nscritto:\n> Vieni?\n"),
            "Sì, va bene."
        );
        assert_eq!(own("Yes.\n\nOn Mon, 3 Apr 2012, Bob wrote:\n> Hi\n> there\n"), "Yes.");
        assert_eq!(
            own("Ok\n\n-----Original Message-----\nFrom: x\nSubject: y\n\nold"),
            "Ok"
        );
        assert_eq!(own("Ok\n\nFrom: Anna\nSent: Monday\nTo: Bob\nSubject: Hi\n\nold"), "Ok");
        assert_eq!(own("On 3 April 2012 Bob wrote:\n> Hi\n\nBelow."), "Below.");
    }

    #[test]
    fn answers_between_the_lines_and_plain_texts_stay_whole() {
        for text in [
            "> One?\nYes.\n> Two?\n> Really?\n> Sure?\nNo.",
            "He wrote: nothing.",
            "Da: me\nciao",
            "> only one line",
            "fyi\n---------- Forwarded message ----------\nFrom: x\nSubject: y\n\nread this",
        ] {
            assert_eq!(own(text), text);
        }
    }
}
