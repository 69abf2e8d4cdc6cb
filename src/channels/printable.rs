//! Takes out of a text what a screen would obey instead of show: control characters, escape sequences, overrides of
//! the writing direction. Every channel passes foreign text through here, since it may come from a file or a page.

/// The text with its line breaks and tabs, and without any other control character.
pub(super) fn printable(text: &str) -> String {
    text.chars().filter(|character| !is_control(*character)).collect()
}

/// The text on one line.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    printable(&words.join(" "))
}

fn is_control(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::{one_line, printable};

    #[test]
    fn escapes_and_overrides_disappear() {
        let cases = [
            ("plain\n\ttext", "plain\n\ttext"),
            ("\u{1b}[31mred\u{1b}[0m", "[31mred[0m"),
            ("a\u{0}b\r\nc\u{7}", "ab\nc"),
            ("safe\u{202e}fdp.exe", "safefdp.exe"),
            ("c1\u{9b}31m", "c131m"),
            ("famiglia 👨‍👩‍👧", "famiglia 👨‍👩‍👧"),
        ];
        for (text, expected) in cases {
            assert_eq!(printable(text), expected);
        }
    }

    #[test]
    fn one_line_has_no_breaks() {
        assert_eq!(one_line(" two\n words\t here "), "two words here");
    }
}
