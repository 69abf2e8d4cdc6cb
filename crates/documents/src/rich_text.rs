//! RTF: the text of its paragraphs (Rich Text Format 1.9.1). Tables of fonts, colours and styles, pictures and whatever
//! a reader may skip are skipped.

use encoding_rs::{Encoding, WINDOWS_1252};

use crate::{Unreadable, bounds::Bounds, kind::Kind, pieces::Document};

/// Groups that hold no text of the document.
const SKIPPED: &[&str] = &[
    "fonttbl",
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "object",
    "listtable",
    "listoverridetable",
    "rsidtbl",
    "generator",
    "themedata",
    "datastore",
    "latentstyles",
    "xmlnstbl",
    "fldinst",
];

pub(crate) fn read(bytes: &[u8], bounds: &Bounds) -> Result<Document, Unreadable> {
    let mut reader = Reader {
        bytes,
        at: 0,
        groups: vec![Group {
            is_skipped: false,
            unicode_skip: 1,
        }],
        to_skip: 0,
        code_page: WINDOWS_1252,
        pending: Vec::new(),
        text: String::new(),
    };
    while reader.step() {
        if reader.groups.len() > bounds.depth {
            return Err(Unreadable::TooLarge);
        }
        if reader.text.len() > bounds.text_bytes {
            break;
        }
    }
    reader.flush();
    let mut document = Document::whole(Kind::RichText, reader.text);
    document.is_cut = reader.at < bytes.len();
    Ok(document)
}

/// What holds until a group ends.
#[derive(Clone, Copy)]
struct Group {
    is_skipped: bool,
    /// How many characters follow a `\u` for readers that do not know it.
    unicode_skip: usize,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    groups: Vec<Group>,
    to_skip: usize,
    code_page: &'static Encoding,
    /// Bytes of the code page that are not turned into text yet.
    pending: Vec<u8>,
    text: String,
}

impl Reader<'_> {
    /// Reads one thing; `false` at the end.
    fn step(&mut self) -> bool {
        let Some(byte) = self.next() else { return false };
        match byte {
            b'{' => {
                let group = self.group();
                self.groups.push(group);
            }
            b'}' => {
                if self.groups.len() > 1 {
                    self.groups.pop();
                }
                self.to_skip = 0;
            }
            b'\\' => self.control(),
            b'\r' | b'\n' => {}
            byte => self.byte(byte),
        }
        true
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn group(&self) -> Group {
        self.groups.last().copied().unwrap_or(Group {
            is_skipped: false,
            unicode_skip: 1,
        })
    }

    fn change(&mut self, change: impl FnOnce(&mut Group)) {
        if let Some(group) = self.groups.last_mut() {
            change(group);
        }
    }

    /// A byte of text.
    fn byte(&mut self, byte: u8) {
        if self.to_skip > 0 {
            self.to_skip -= 1;
        } else if !self.group().is_skipped {
            self.pending.push(byte);
        }
    }

    fn flush(&mut self) {
        let (text, _) = self.code_page.decode_without_bom_handling(&self.pending);
        self.text.push_str(&text);
        self.pending.clear();
    }

    fn write(&mut self, character: char) {
        if !self.group().is_skipped {
            self.flush();
            self.text.push(character);
        }
    }

    /// What follows a backslash.
    fn control(&mut self) {
        let Some(first) = self.next() else { return };
        match first {
            b'\'' => {
                let digits = self
                    .bytes
                    .get(self.at..self.at + 2)
                    .and_then(|digits| std::str::from_utf8(digits).ok());
                if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                    self.at += 2;
                    self.byte(byte);
                }
            }
            b'*' => self.change(|group| group.is_skipped = true),
            b'~' => self.write('\u{a0}'),
            b'_' => self.write('-'),
            b'\r' | b'\n' => self.write('\n'),
            b'\\' | b'{' | b'}' => self.byte(first),
            first if first.is_ascii_alphabetic() => self.word(),
            _ => {}
        }
    }

    /// A control word, whose first letter was read.
    fn word(&mut self) {
        let begin = self.at - 1;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            self.at += 1;
        }
        let word = self
            .bytes
            .get(begin..self.at)
            .and_then(|word| std::str::from_utf8(word).ok())
            .unwrap_or_default();
        let number = self.number();
        if self.peek() == Some(b' ') {
            self.at += 1;
        }
        match word {
            "par" | "line" | "sect" | "page" | "row" => self.write('\n'),
            "tab" | "cell" => self.write('\t'),
            "emdash" => self.write('—'),
            "endash" => self.write('–'),
            "lquote" => self.write('‘'),
            "rquote" => self.write('’'),
            "ldblquote" => self.write('“'),
            "rdblquote" => self.write('”'),
            "bullet" => self.write('•'),
            "uc" => self.change(|group| group.unicode_skip = number.and_then(|n| usize::try_from(n).ok()).unwrap_or(1)),
            "u" => self.unicode(number.unwrap_or_default()),
            "ansicpg" => self.code_page(number.unwrap_or_default()),
            "bin" => {
                self.at = self
                    .at
                    .saturating_add(number.and_then(|n| usize::try_from(n).ok()).unwrap_or(0))
            }
            word if SKIPPED.contains(&word) => self.change(|group| group.is_skipped = true),
            _ => {}
        }
    }

    fn number(&mut self) -> Option<i32> {
        let begin = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        std::str::from_utf8(self.bytes.get(begin..self.at)?).ok()?.parse().ok()
    }

    /// A character by its number, which is signed and of 16 bits.
    fn unicode(&mut self, number: i32) {
        let code = u32::try_from(if number < 0 { number + 0x1_0000 } else { number }).unwrap_or(0xfffd);
        self.write(char::from_u32(code).unwrap_or('\u{fffd}'));
        self.to_skip = self.group().unicode_skip;
    }

    fn code_page(&mut self, number: i32) {
        if let Some(encoding) = Encoding::for_label(format!("windows-{number}").as_bytes()) {
            self.code_page = encoding;
        }
    }
}
