//! How a line of a list words the thing it is about: "costume da bagno" is a costume, "matite e gomme" are two things. Asked
//! by `lines` where no line says just what somebody said. It knows small words only, and never takes "ice" for "ice cream".

use std::sync::OnceLock;

use serde::Deserialize;

use crate::domain::{alike::is_same, lang::InEach};

const WORDS: InEach<&str> = InEach {
    english: include_str!("../../../locales/en/lines.toml"),
    italian: include_str!("../../../locales/it/lines.toml"),
};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    more: Vec<String>,
    joints: Vec<String>,
    of: Vec<String>,
    one: Vec<String>,
}

/// The words of every language.
fn known() -> &'static Words {
    static KNOWN: OnceLock<Words> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut all = Words::default();
        for list in WORDS.all() {
            // Checked by a test: the files are part of the program.
            let words: Words = toml::from_str(list).unwrap_or_default();
            all.more.extend(words.more);
            all.joints.extend(words.joints);
            all.of.extend(words.of);
            all.one.extend(words.one);
        }
        all
    })
}

/// Whether a line begins with the thing and then only says more of it: "costume da bagno".
pub(super) fn is_a(line: &[String], thing: &[String]) -> bool {
    let Some((head, rest)) = line.split_at_checked(thing.len()) else {
        return false;
    };
    let says_more = rest.len() > 1 && rest.first().is_some_and(|word| known().more.contains(word));
    !thing.is_empty() && are_same(head, thing) && says_more
}

/// Whether a line is so much of the thing: "2 kg di patate", "500g of rice".
pub(super) fn is_so_much_of(line: &[String], thing: &[String]) -> bool {
    let counts = line
        .first()
        .is_some_and(|word| word.starts_with(|letter: char| letter.is_ascii_digit()));
    let of = |at: &usize| line.get(*at).is_some_and(|word| known().of.contains(word));
    let Some(rest) = [1, 2].into_iter().find(of).and_then(|at| line.get(at + 1..)) else {
        return false;
    };
    counts && !thing.is_empty() && rest.len() == thing.len() && are_same(rest, thing)
}

/// Whether a line says these things one after the other, and nothing else: "matite e gomme".
pub(super) fn are_all(line: &[String], things: &[Vec<String>]) -> bool {
    let mut rest = line;
    for (at, thing) in things.iter().enumerate() {
        let joint = at > 0 && rest.first().is_some_and(|word| known().joints.contains(word));
        rest = rest.get(usize::from(joint)..).unwrap_or_default();
        let Some((head, behind)) = rest.split_at_checked(thing.len()) else {
            return false;
        };
        if thing.is_empty() || !are_same(head, thing) {
            return false;
        }
        rest = behind;
    }
    rest.is_empty()
}

/// "one bread", "un pane", "2 breads": how many of what.
pub(super) fn so_many(said: &[String]) -> Option<(usize, &[String])> {
    let (first, thing) = said.split_first()?;
    let count = match first.parse() {
        Ok(count) => count,
        Err(_word) if known().one.contains(first) => 1,
        Err(_word) => return None,
    };
    (count > 0 && !thing.is_empty()).then_some((count, thing))
}

/// "call the plumber and book the dentist": the parts of what was said, where no line says all of it.
pub(super) fn parts(said: &[String]) -> Vec<String> {
    let parts = said.split(|word| known().joints.contains(word));
    parts
        .filter(|part| !part.is_empty())
        .map(|part| part.join(" "))
        .collect()
}

fn are_same(line: &[String], said: &[String]) -> bool {
    line.iter().zip(said).all(|(line, said)| is_same(line, said))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_small_words_of_every_language_are_there() {
        for list in WORDS.all() {
            let words: Words = toml::from_str(list).unwrap();
            assert!(!words.more.is_empty() && !words.joints.is_empty() && !words.of.is_empty());
            assert!(!words.one.is_empty());
        }
    }

    #[test]
    fn a_line_that_says_more_of_a_thing_is_about_it() {
        for (line, thing, is) in [
            ("costume da bagno", "costume", true),
            ("present for anna", "presents", true),
            ("ice cream", "ice", false),
            ("mac and cheese", "mac", false),
            ("torta di", "torta", false),
            ("latte", "latte", false),
        ] {
            assert_eq!(is_a(&words(line), &words(thing)), is, "{line}");
        }
    }

    #[test]
    fn a_line_may_say_how_much() {
        for (line, thing, is) in [
            ("2 kg di patate", "patate", true),
            ("500g of rice", "rice", true),
            ("1 torta di mele verdi", "mele", false),
            ("torta di mele", "mele", false),
            ("2 uova", "uova", false),
        ] {
            assert_eq!(is_so_much_of(&words(line), &words(thing)), is, "{line}");
        }
    }

    #[test]
    fn what_is_said_may_say_how_many() {
        for (said, many) in [
            ("one bread", Some((1, "bread"))),
            ("un pane", Some((1, "pane"))),
            ("2 breads", Some((2, "breads"))),
            ("0 breads", None),
            ("bread", None),
            ("one", None),
        ] {
            let said = words(said);
            let found = so_many(&said).map(|(count, thing)| (count, thing.join(" ")));
            assert_eq!(found, many.map(|(count, thing)| (count, thing.to_owned())), "{said:?}");
        }
    }

    #[test]
    fn a_line_may_be_several_things() {
        for (line, things, are) in [
            ("matite e gomme", ["matite", "gomme"], true),
            ("salt pepper", ["salt", "pepper"], true),
            ("gomme e matite", ["matite", "gomme"], false),
            ("milk for tea", ["milk", "tea"], false),
            ("pane e latte e burro", ["pane", "latte"], false),
        ] {
            assert_eq!(are_all(&words(line), &things.map(words)), are, "{line}");
        }
    }
}
