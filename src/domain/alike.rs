//! When two words are the same word in another form: "letter" and "letters", "tassa" and "tasse". Asked by `language` for
//! names of files and by executors for lines of a text. It knows no language and never equates short words.

/// A word that has so many letters in common with another may end otherwise.
const STEM_LETTERS_MIN: usize = 4;
/// Most letters of an ending.
const ENDING_LETTERS_MAX: usize = 3;

/// The same word up to its ending; both are folded already.
pub fn is_alike(one: &str, other: &str) -> bool {
    let is_plural = |one: &str, other: &str| matches!(other.strip_prefix(one), Some("s" | "es"));
    if one == other || is_plural(one, other) || is_plural(other, one) {
        return true;
    }
    // A number has one form only.
    if one.contains(|letter: char| letter.is_ascii_digit()) {
        return false;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let endings = (one.len() - same).max(other.len() - same);
    // The longer the stem, the longer the ending that may differ.
    same >= STEM_LETTERS_MIN && endings <= ENDING_LETTERS_MAX.min(same.div_ceil(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_known_in_its_other_forms_and_in_no_other_word() {
        for (one, other) in [
            ("invoice", "invoices"),
            ("bolletta", "bollette"),
            ("regalo", "regali"),
            ("dentista", "dentist"),
            ("gas", "gas"),
            ("policy", "policies"),
            ("tassa", "tasse"),
        ] {
            assert!(is_alike(one, other) && is_alike(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("mare", "marta"),
            ("img001", "img002"),
            ("car", "care"),
            ("lease", "leaf"),
            ("cat", "dog"),
        ] {
            assert!(!is_alike(one, other), "{one} {other}");
        }
    }
}
