//! How words are compared whoever wrote them: without capitals, accents and what cannot be seen. Asked by `language`
//! for every word of a request and by executors for names and texts. It changes nothing that is kept.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Lower case without accents, with straight apostrophes and plain widths: how words are compared.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkd()
        .filter(|letter| !is_combining_mark(*letter) && !is_invisible(*letter))
        .flat_map(char::to_lowercase)
        .filter(|letter| !is_combining_mark(*letter))
        .map(straight)
        .collect()
}

/// Curly quotes and apostrophes as their plain forms.
pub fn straight(letter: char) -> char {
    match letter {
        '\u{2018}' | '\u{2019}' | '\u{02BC}' | '\u{00B4}' | '\u{2032}' | '\u{FF07}' => '\'',
        '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{00AB}' | '\u{00BB}' | '\u{FF02}' => '"',
        _ => letter,
    }
}

/// Letters that take no place on the screen.
pub fn is_invisible(letter: char) -> bool {
    let formats = matches!(letter, '\u{00AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}');
    formats || matches!(letter, '\u{202A}'..='\u{202E}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_it_is_written_it_is_the_same_word() {
        for (written, folded) in [
            ("Garçon", "garcon"),
            ("perche\u{0301}", "perche"),
            ("PERCHÉ", "perche"),
            ("l\u{2019}aula", "l'aula"),
            ("Mün\u{00AD}chen", "munchen"),
        ] {
            assert_eq!(fold(written), folded, "{written}");
        }
    }
}
