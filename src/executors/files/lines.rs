//! Lines of a text file that are added, taken out or ticked, for `write_files`. Pure: it turns one text into another. A
//! line is only one that surely is meant: as it was said, or the only one with all those words.

use super::{
    about::words,
    wording::{are_all, is_a, is_so_much_of, parts as parts_of, so_many},
};
use crate::domain::{
    alike::{is_alike, is_same},
    failure::{ErrorClass, ToolError},
    limits,
    message::Message,
};

/// What is done with lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// New ones at the end, in the shape of the last one.
    Add,
    /// One is taken out.
    Remove,
    /// All of them are taken out, but no heading.
    Clear,
    /// One is marked as done.
    Tick,
}

/// What came of it.
#[derive(Debug, PartialEq)]
pub(super) struct Edited {
    pub(super) text: String,
    /// The lines it was about, without their marks.
    pub(super) lines: Vec<String>,
    /// What was added and stood there before.
    pub(super) there: Vec<String>,
}

const OPEN: [&str; 2] = ["- [ ] ", "* [ ] "];
const CLOSED: [&str; 4] = ["- [x] ", "- [X] ", "* [x] ", "* [X] "];
const BULLETS: [&str; 3] = ["- ", "* ", "• "];
/// What begins a heading, which is no thing on a list.
const HEADING: char = '#';

/// The text with the lines changed; `name` is the file's, for what is said.
pub(super) fn edit(edit: Edit, text: &str, said: &str, name: &str) -> Result<Edited, ToolError> {
    match edit {
        Edit::Add => Ok(add(text, said)),
        Edit::Remove => {
            // "take the dentist off my todo list": what is to be done is a sentence, what is to be bought a thing.
            let found = each(text, said, |said| taken_off(text, said, name), Gone::all)?;
            let mut left: Vec<usize> = found.iter().map(|gone| gone.most).collect();
            // Of several that are equal the one written last goes first.
            let mut kept: Vec<&str> = text.split_inclusive('\n').rev().collect();
            kept.retain(|line| {
                let own = bare(line);
                let mut goes = found.iter().zip(&mut left);
                let most = goes.find_map(|(gone, most)| (gone.line == own && *most > 0).then_some(most));
                most.map(|most| *most -= 1).is_none()
            });
            kept.reverse();
            Ok(Edited {
                text: kept.concat(),
                lines: found.into_iter().map(|gone| gone.line).collect(),
                there: Vec::new(),
            })
        }
        Edit::Clear => Ok(cleared(text)),
        Edit::Tick => tick(text, said, name),
    }
}

/// A line that goes.
struct Gone {
    line: String,
    /// So many that are equal to it.
    most: usize,
}

impl Gone {
    fn all(line: String) -> Self {
        Self { line, most: usize::MAX }
    }
}

/// The line that goes: every one that is equal, unless so many are to go ("one bread") and no line says so itself.
fn taken_off(text: &str, said: &str, name: &str) -> Result<Gone, ToolError> {
    if let Some(gone) = some_of(text, &words(said)) {
        return Ok(gone);
    }
    find(text, said, name, |_line| true, means)
        .map(Gone::all)
        .or_else(|error| {
            let said = words(said);
            let Some((most, thing)) = so_many(&said).filter(|_| error.class == ErrorClass::NotFound) else {
                return Err(error);
            };
            // "an egg" is not "6 eggs".
            let is_one = |line: &str| {
                let own = words(&bare(line));
                without_amount(&own).len() == own.len()
            };
            let line = find(text, &thing.join(" "), name, is_one, means).map_err(|_other| error.clone())?;
            let there = text.lines().filter(|own| bare(own) == line).count();
            if there < most {
                Err(error)
            } else {
                Ok(Gone { line, most })
            }
        })
}

/// "one bread" of the lines that say "bread" and nothing else, where none says "one bread" itself.
fn some_of(text: &str, said: &[String]) -> Option<Gone> {
    let (most, thing) = so_many(said)?;
    let all: Vec<String> = text.lines().filter(|line| is_thing(line)).map(bare).collect();
    let says = |wanted: &[String]| -> Vec<&String> { all.iter().filter(|line| words(line) == wanted).collect() };
    let there = says(thing);
    let line = there.last().filter(|_| says(said).is_empty() && there.len() >= most)?;
    Some(Gone {
        line: (*line).clone(),
        most,
    })
}

/// A heading says what a list is, and stays.
fn cleared(text: &str) -> Edited {
    let kept = text.split_inclusive('\n').filter(|line| line.starts_with(HEADING));
    let gone = text
        .lines()
        .filter(|line| !line.starts_with(HEADING) && !line.trim().is_empty());
    let mut lines: Vec<String> = gone.map(bare).collect();
    if lines.len() > limits::LINES_NAMED_MAX {
        lines.truncate(limits::LINES_NAMED_MAX);
        lines.push("…".to_owned());
    }
    Edited {
        text: if lines.is_empty() {
            text.to_owned()
        } else {
            kept.collect()
        },
        lines,
        there: Vec::new(),
    }
}

/// Whether a line of a list is about this thing.
pub(in crate::executors) fn is_about(line: &str, thing: &str) -> bool {
    let wanted = words(thing);
    let heading = line.starts_with(HEADING) || line.trim().is_empty();
    !wanted.is_empty() && !heading && (words(&bare(line)) == wanted || means(line, &wanted))
}

fn means(line: &str, wanted: &[String]) -> bool {
    is_the_thing(line, wanted) || has_box(line) && has_all(line, wanted)
}

/// The mark a line begins with, such as "- [ ] ", and what it says.
fn parts(line: &str) -> (&str, &str) {
    let line = line.trim_end_matches(['\n', '\r']);
    let indent = line.len() - line.trim_start().len();
    let rest = line.trim_start();
    let marks = OPEN.into_iter().chain(CLOSED).chain(BULLETS);
    let mark = marks
        .into_iter()
        .find(|mark| rest.starts_with(mark))
        .unwrap_or_default();
    line.split_at(indent + mark.len())
}

fn bare(line: &str) -> String {
    parts(line).1.trim().to_owned()
}

/// How the lines of a text end.
pub(super) fn line_end(text: &[u8]) -> &'static str {
    if text.windows(2).any(|pair| pair == b"\r\n") {
        "\r\n"
    } else {
        "\n"
    }
}

/// The lines in the shape of the last line that says something, and those of a new list with a box, so that they can be
/// ticked off: a new thing to do is not done yet. What stands there
/// and is not done is written once more, as it was said, and named.
fn add(text: &str, said: &str) -> Edited {
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    let mark = last.map_or(OPEN.first().copied().unwrap_or_default(), |line| parts(line).0);
    let mark = mark.replace("[x]", "[ ]").replace("[X]", "[ ]");
    let end = line_end(text.as_bytes());
    let lines: Vec<String> = said
        .lines()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    let stands = |thing: &&String| {
        let is_it = |line: &str| (is_open(line) || !has_box(line)) && words(&bare(line)) == words(thing);
        text.lines().any(is_it)
    };
    let there = lines.iter().filter(stands).cloned().collect();
    let mut new = text.to_owned();
    let is_ended = text.is_empty() || text.ends_with('\n');
    if !is_ended {
        new.push_str(end);
    }
    let added: Vec<String> = lines.iter().map(|line| format!("{mark}{line}")).collect();
    new.push_str(&added.join(end));
    if is_ended {
        new.push_str(end);
    }
    Edited {
        text: new,
        lines,
        there,
    }
}

fn tick(text: &str, said: &str, name: &str) -> Result<Edited, ToolError> {
    if !text.lines().any(has_box) {
        let message = Message::new("executors-no-boxes").with("name", name);
        return Err(ToolError::new(ErrorClass::InvalidArgs, message));
    }
    let found = each(text, said, |said| boxed(text, said, name), |line| line)?;
    let ticked = text.split_inclusive('\n').map(|line| {
        if is_open(line) && found.contains(&bare(line)) {
            line.replacen("[ ]", "[x]", 1)
        } else {
            line.to_owned()
        }
    });
    Ok(Edited {
        text: ticked.collect(),
        lines: found,
        there: Vec::new(),
    })
}

/// The line with a box that is meant: an open one, or one that is done already, as it was wanted.
fn boxed(text: &str, said: &str, name: &str) -> Result<String, ToolError> {
    let is_missing = |error: &ToolError| error.class == ErrorClass::NotFound;
    let error = match find(text, said, name, is_open, has_all) {
        Err(error) if is_missing(&error) => error,
        found => return found,
    };
    match find(text, said, name, has_box, has_all) {
        Err(error) if is_missing(&error) => {}
        found => return found,
    }
    let Ok(line) = find(text, said, name, |line| !has_box(line), means) else {
        return Err(error);
    };
    let message = Message::new("executors-line-no-box")
        .with("name", name)
        .with("line", line);
    Err(ToolError::new(ErrorClass::InvalidArgs, message))
}

fn is_open(line: &str) -> bool {
    OPEN.into_iter().any(|open| line.trim_start().starts_with(open))
}

fn has_box(line: &str) -> bool {
    is_open(line) || CLOSED.into_iter().any(|closed| line.trim_start().starts_with(closed))
}

/// The line for each thing that was said, or for each part of one, or the one that is all of them; without one of them
/// nothing is done.
fn each<T>(
    text: &str,
    said: &str,
    find: impl Fn(&str) -> Result<T, ToolError>,
    whole: impl Fn(String) -> T,
) -> Result<Vec<T>, ToolError> {
    let things: Vec<&str> = said.lines().filter(|thing| !thing.trim().is_empty()).collect();
    if things.is_empty() {
        return find(said).map(|line| vec![line]);
    }
    let mut found = Vec::new();
    let mut missing = None;
    for thing in &things {
        match find(thing) {
            Ok(line) => found.push(line),
            Err(error) => {
                let parts = parts_of(&words(thing));
                let lines: Result<Vec<T>, ToolError> = parts.iter().map(|part| find(part)).collect();
                match lines {
                    Ok(lines) if parts.len() > 1 => found.extend(lines),
                    Ok(_) | Err(_) => missing = missing.or(Some(error)),
                }
            }
        }
    }
    let Some(error) = missing else { return Ok(found) };
    let wanted: Vec<Vec<String>> = things.iter().map(|thing| words(thing)).collect();
    let lines = text.lines().filter(|line| is_thing(line)).map(bare);
    let mut all = lines.filter(|line| wanted.len() > 1 && are_all(&words(line), &wanted));
    let one = all.next().ok_or(error)?;
    Ok(vec![whole(one)])
}

/// Not empty and no heading.
fn is_thing(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with(HEADING)
}

/// Whether a line is about a thing and nothing else: so many of it, or what is written down for it behind a colon.
/// "milk" is neither "almond milk" nor "milk and eggs".
fn is_the_thing(line: &str, wanted: &[String]) -> bool {
    let is = |text: &str| {
        let own = words(text);
        let own = without_amount(&own);
        own.len() == wanted.len() && own.iter().zip(wanted).all(|(own, wanted)| is_same(own, wanted))
    };
    let line = bare(line);
    is(&line) || line.split_once(':').is_some_and(|(key, _)| is(key))
}

/// Without the numbers at the beginning.
fn without_amount(words: &[String]) -> &[String] {
    let is_number = |word: &String| word.chars().all(|letter| letter.is_ascii_digit());
    let count = words.iter().take_while(|word| is_number(word)).count();
    words.get(count..).unwrap_or_default()
}

/// Whether a line has all the words, in some form.
fn has_all(line: &str, wanted: &[String]) -> bool {
    let own = words(&bare(line));
    let has = |word: &String| own.iter().any(|own| is_alike(own, word));
    !wanted.is_empty() && wanted.iter().all(has)
}

/// Whether all the words are among these; "Maria" is not "Mario".
fn has_same(own: &[String], wanted: &[String]) -> bool {
    let has = |word: &String| own.iter().any(|own| is_same(own, word));
    !wanted.is_empty() && wanted.iter().all(has)
}

/// The line that is meant, as it reads without its mark: as it was said, or the only one that `means` it, or the only
/// one that says more of it ("costume da bagno"). Equal lines are one.
fn find(
    text: &str,
    said: &str,
    name: &str,
    fits: impl Fn(&str) -> bool,
    means: impl Fn(&str, &[String]) -> bool,
) -> Result<String, ToolError> {
    let wanted = words(said);
    let all = |is: &dyn Fn(&str, &str) -> bool| {
        let mut found: Vec<String> = Vec::new();
        for line in text.lines().filter(|line| is_thing(line) && fits(line)) {
            let own = bare(line);
            if is(line, &own) && !found.contains(&own) {
                found.push(own);
            }
        }
        found
    };
    let whole = all(&|_line, own| words(own) == wanted);
    let meant = all(&|line, _own| !wanted.is_empty() && means(line, &wanted));
    let more = all(&|_line, own| {
        let own = words(own);
        is_a(without_amount(&own), &wanted) || is_so_much_of(&own, &wanted)
    });
    let found = [whole, meant, more].into_iter().find(|found| !found.is_empty());
    let about = |key: &'static str| Message::new(key).with("name", name).with("line", said);
    match found.as_deref() {
        Some([one]) => Ok(one.clone()),
        Some(several) => {
            let message = about("executors-line-ambiguous").with("lines", named(several));
            Err(ToolError::new(ErrorClass::InvalidArgs, message))
        }
        None => {
            let near = all(&|_line, own| has_same(&words(own), &wanted));
            let message = if near.is_empty() {
                about("executors-line-not-found")
            } else {
                about("executors-line-near").with("lines", named(&near))
            };
            Err(ToolError::new(ErrorClass::NotFound, message))
        }
    }
}

/// Some of the lines, for a message.
fn named(lines: &[String]) -> String {
    let shown: Vec<&str> = lines.iter().take(limits::LINES_NAMED_MAX).map(String::as_str).collect();
    shown.join("; ")
}

#[cfg(test)]
mod tests;
