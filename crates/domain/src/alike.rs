//! When two words are the same word in another form: "letter" and "letters", "tassa" and "tasse". Asked by `language` for
//! names of files and by executors for lines of a text. It knows how words end and no words,
//! and never equates short ones.

/// A word that has so many letters in common with another may end otherwise.
const STEM_LETTERS_MIN: usize = 4;
/// Most letters of an ending.
const ENDING_LETTERS_MAX: usize = 3;

/// How one thing and several end, in the languages metnos speaks.
const PLURALS: [(&str, &str); 13] = [
    ("", "s"),
    ("", "es"),
    ("y", "ies"),
    ("a", "e"),
    ("o", "i"),
    ("e", "i"),
    ("io", "i"),
    ("ca", "che"),
    ("ga", "ghe"),
    ("co", "chi"),
    ("go", "ghi"),
    ("cia", "ce"),
    ("gia", "ge"),
];
/// Letters before an ending that changes, in the shortest word.
const PLURAL_STEM_LETTERS_MIN: usize = 3;

/// The same word, or one and its plural; both are folded already. What is changed or taken away is never known by less:
/// "carlo" is not "carla".
pub fn is_same(one: &str, other: &str) -> bool {
    let is_plural = |one: &str, other: &str| {
        PLURALS.iter().any(|(single, several)| {
            let stem = one.strip_suffix(single);
            // One "banca" is several "banche": "Luca" and "luce" are two words.
            let is_hard = |stem: &str| (*single, *several) == ("a", "e") && stem.ends_with(['c', 'g']);
            let long = |stem: &&str| stem.len() >= PLURAL_STEM_LETTERS_MIN && !is_hard(stem);
            stem.filter(long)
                .is_some_and(|stem| other.strip_suffix(several) == Some(stem))
        })
    };
    one == other || is_plural(one, other) || is_plural(other, one)
}

/// The same word up to its ending; both are folded already.
pub fn is_alike(one: &str, other: &str) -> bool {
    if is_same(one, other) {
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
    fn one_and_several_are_the_same_and_a_kindred_word_is_not() {
        for (one, other) in [
            ("invoice", "invoices"),
            ("bolletta", "bollette"),
            ("policy", "policies"),
            ("parco", "parchi"),
            ("banca", "banche"),
            ("box", "boxes"),
        ] {
            assert!(is_same(one, other) && is_same(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("carlo", "carla"),
            ("mario", "maria"),
            ("luca", "luce"),
            ("dentista", "dentist"),
            ("as", "a"),
        ] {
            assert!(!is_same(one, other) && !is_same(other, one), "{one} {other}");
        }
    }

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
