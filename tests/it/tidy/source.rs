//! Rust source as the tidy rules see it: code without comments and literals, and without its unit tests.
//! A small lexer, not a parser: it knows comments, strings, characters, lifetimes and braces, and nothing else.

/// What a character belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Comment,
    Literal,
}

/// One Rust file in the views that rules need. Every view has the same line numbers as the file.
pub(crate) struct Source {
    /// Code alone: comments and the contents of literals are blank.
    pub(crate) code: String,
    /// Code and literals: comments are blank.
    pub(crate) uncommented: String,
    /// Comments alone.
    pub(crate) comments: String,
    /// The lines, 1-based, that belong to a `#[cfg(test)]` item.
    test_lines: Vec<(usize, usize)>,
}

/// A function with a body.
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: String,
    /// The line of its `fn`, 1-based.
    pub(crate) line: usize,
    /// Lines of its body that hold code.
    pub(crate) code_lines: usize,
}

impl Source {
    /// Reads a file's text.
    pub(crate) fn parse(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let parts = classify(&chars);
        let view = |kept: &[Part]| -> String {
            chars
                .iter()
                .zip(&parts)
                .map(|(char, part)| {
                    if *char == '\n' || kept.contains(part) {
                        *char
                    } else {
                        ' '
                    }
                })
                .collect()
        };
        let code = view(&[Part::Code]);
        let test_lines = test_items(&code);
        Self {
            uncommented: view(&[Part::Code, Part::Literal]),
            comments: view(&[Part::Comment]),
            code,
            test_lines,
        }
    }

    /// A view without the lines of unit tests, line by line with its number.
    pub(crate) fn outside_tests<'a>(&'a self, view: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
        (1..).zip(view.lines()).filter(|(line, _)| !self.is_test(*line))
    }

    /// Lines of the file that are no unit test.
    pub(crate) fn lines_outside_tests(&self) -> usize {
        self.outside_tests(&self.code).count()
    }

    /// Every function with a body, unit tests included.
    pub(crate) fn functions(&self) -> Vec<Function> {
        word_positions(&self.code, "fn")
            .filter_map(|start| function_at(&self.code, start))
            .collect()
    }

    fn is_test(&self, line: usize) -> bool {
        self.test_lines
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&line))
    }
}

/// Byte positions where `word` stands alone.
fn word_positions<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    code.match_indices(word).map(|(start, _)| start).filter(move |start| {
        let before = code[..*start].chars().next_back();
        let after = code[start + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

fn function_at(code: &str, start: usize) -> Option<Function> {
    let rest = &code[start + 2..];
    let name: String = rest
        .trim_start()
        .chars()
        .take_while(|char| char.is_alphanumeric() || *char == '_')
        .collect();
    if name.is_empty() {
        return None;
    }
    let body = body_after(rest)?;
    let code_lines = body.lines().filter(|line| !line.trim().is_empty()).count();
    Some(Function {
        name,
        line: line_of(code, start),
        code_lines,
    })
}

/// The body that follows a signature, without its braces; `None` when the signature ends in `;`.
fn body_after(signature: &str) -> Option<&str> {
    let mut depth = 0_i32;
    for (at, char) in signature.char_indices() {
        match char {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ';' if depth == 0 => return None,
            '{' if depth == 0 => return signature.get(at + 1..at + block_length(&signature[at..]) - 1),
            _ => {}
        }
    }
    None
}

/// Length in bytes of the block that starts with the brace at the front of `code`.
fn block_length(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, char) in code.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

/// The line ranges of items under `#[cfg(test)]`.
fn test_items(code: &str) -> Vec<(usize, usize)> {
    const ATTRIBUTE: &str = "#[cfg(test)]";
    code.match_indices(ATTRIBUTE)
        .map(|(start, _)| {
            let rest = &code[start + ATTRIBUTE.len()..];
            let opens = rest.find(['{', ';']).unwrap_or(rest.len());
            let length = if rest[opens..].starts_with('{') {
                opens + block_length(&rest[opens..])
            } else {
                opens
            };
            (line_of(code, start), line_of(code, start + ATTRIBUTE.len() + length))
        })
        .collect()
}

fn line_of(code: &str, at: usize) -> usize {
    code[..at.min(code.len())].matches('\n').count() + 1
}

fn classify(chars: &[char]) -> Vec<Part> {
    let mut parts = Vec::with_capacity(chars.len());
    while parts.len() < chars.len() {
        let (part, length) = next_part(chars, parts.len());
        let length = length.clamp(1, chars.len() - parts.len());
        parts.extend(std::iter::repeat_n(part, length));
    }
    parts
}

/// What stands at `at`, and for how many characters.
fn next_part(chars: &[char], at: usize) -> (Part, usize) {
    let here = &chars[at..];
    match here {
        ['/', '/', ..] => (Part::Comment, here.iter().take_while(|char| **char != '\n').count()),
        ['/', '*', ..] => (Part::Comment, block_comment_length(here)),
        ['"', ..] => (Part::Literal, quoted_length(here, '"')),
        ['r', '"' | '#', ..] | ['b', 'r', '"' | '#', ..] if !follows_word(chars, at) => {
            raw_string_length(here).map_or((Part::Code, 1), |length| (Part::Literal, length))
        }
        ['\'', '\\', ..] => (Part::Literal, quoted_length(here, '\'')),
        ['\'', _, '\'', ..] => (Part::Literal, 3),
        _ => (Part::Code, 1),
    }
}

fn follows_word(chars: &[char], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| chars.get(before))
        .is_some_and(|char| char.is_alphanumeric() || *char == '_')
}

fn block_comment_length(here: &[char]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < here.len() {
        match &here[at..] {
            ['/', '*', ..] => {
                depth += 1;
                at += 2;
            }
            ['*', '/', ..] => {
                depth -= 1;
                at += 2;
            }
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    here.len()
}

fn quoted_length(here: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < here.len() {
        match here[at] {
            '\\' => at += 2,
            char if char == quote => return at + 1,
            _ => at += 1,
        }
    }
    here.len()
}

/// `None` when this is a raw identifier such as `r#type`.
fn raw_string_length(here: &[char]) -> Option<usize> {
    let prefix = here.iter().take_while(|char| ['b', 'r'].contains(char)).count();
    let hashes = here[prefix..].iter().take_while(|char| **char == '#').count();
    let opening = prefix + hashes;
    if here.get(opening) != Some(&'"') {
        return None;
    }
    let closes = |at: usize| {
        here[at] == '"' && here[at + 1..].iter().take(hashes).filter(|char| **char == '#').count() == hashes
    };
    let end = (opening + 1..here.len()).find(|at| closes(*at)).unwrap_or(here.len());
    Some(end + 1 + hashes)
}

#[test]
fn views_keep_lines_and_drop_what_they_should() {
    let text = "let a = \"x // {\"; // why \"\n/* { /* } */ */ let b = '{';\nlet c = r#\"}\"#; fn f<'a>() {}\n";
    let source = Source::parse(text);
    assert_eq!(source.code.lines().count(), 3);
    assert!(!source.code.contains(['x', 'w', '"']));
    assert_eq!(source.code.matches('{').count(), 1);
    assert!(source.uncommented.contains("x // {"));
    assert!(source.comments.contains("why"));
    assert!(!source.comments.contains("let"));
}

#[test]
fn unit_tests_are_cut_wherever_they_stand() {
    let text =
        "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}\n#[cfg(test)]\nmod more;\nfn d() {}\n";
    let source = Source::parse(text);
    assert_eq!(source.lines_outside_tests(), 3);
}

#[test]
fn functions_are_measured_by_their_code() {
    let text = "fn a(b: [u8; 2]) -> u8 {\n    // why\n\n    b[0]\n}\ntrait T {\n    fn none(&self);\n}\n";
    let functions = Source::parse(text).functions();
    let seen: Vec<(&str, usize, usize)> = functions
        .iter()
        .map(|f| (f.name.as_str(), f.line, f.code_lines))
        .collect();
    assert_eq!(seen, [("a", 1, 1)]);
}
