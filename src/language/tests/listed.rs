//! Files by where they stand in a list that was shown: which ones the words mean, and which words mean none.

use super::{LANGUAGE, now};
use crate::domain::{lang::Lang, outcome::Listed};

fn listed(is_cut: bool) -> Listed {
    let paths = ["~/a", "~/b", "~/c", "~/d"].map(str::to_owned);
    let paths = paths.to_vec();
    Listed { paths, is_cut }
}

fn meant(text: &str, lang: Lang, listed: &Listed) -> Option<String> {
    LANGUAGE.of_listed("find the files", listed, text, lang, &now())
}

#[test]
fn several_of_a_list_are_those_that_stand_there() {
    for (text, lang, wanted) in [
        ("delete the first two", Lang::En, "delete ~/a and ~/b"),
        ("send me the last two files", Lang::En, "send me ~/c and ~/d"),
        ("open number 3", Lang::En, "open ~/c"),
        ("the first and the last", Lang::En, "show me ~/a and ~/d"),
        (
            "move the first two and the last to ~/x",
            Lang::En,
            "move ~/a and ~/b and ~/d to ~/x",
        ),
        ("delete all but the second", Lang::En, "delete ~/a and ~/c and ~/d"),
        ("delete everything except the first two", Lang::En, "delete ~/c and ~/d"),
        (
            "delete the second and open the first",
            Lang::En,
            "delete ~/b and open ~/a",
        ),
        ("cancella i primi due", Lang::It, "cancella ~/a e ~/b"),
        ("apri il numero 2", Lang::It, "apri ~/b"),
        ("sposta gli ultimi 2 in ~/x", Lang::It, "sposta ~/c e ~/d in ~/x"),
        ("cancella tutti tranne il secondo", Lang::It, "cancella ~/a e ~/c e ~/d"),
        ("tieni solo i primi due", Lang::It, ""),
        ("leggi il primo e il terzo", Lang::It, "leggi ~/a e ~/c"),
    ] {
        let meant = meant(text, lang, &listed(false)).unwrap_or_default();
        assert_eq!(meant, wanted, "{text}");
    }
    let both = Listed {
        paths: vec!["~/a".to_owned(), "~/b".to_owned()],
        is_cut: false,
    };
    for (text, lang, wanted) in [
        ("delete both", Lang::En, "delete ~/a and ~/b"),
        ("cancellali entrambi", Lang::It, "cancella ~/a e ~/b"),
        ("mandameli tutti e due", Lang::It, "manda ~/a e ~/b"),
    ] {
        assert_eq!(meant(text, lang, &both).as_deref(), Some(wanted), "{text}");
    }
}

#[test]
fn those_of_a_kind_are_counted_among_their_kind() {
    let paths = ["~/a.pdf", "~/b.txt", "~/c.PDF", "~/d.jpg"].map(str::to_owned);
    let listed = Listed {
        paths: paths.to_vec(),
        is_cut: false,
    };
    for (text, lang, wanted) in [
        ("delete the second pdf", Lang::En, Some("delete ~/c.PDF")),
        ("delete the last pdf", Lang::En, Some("delete ~/c.PDF")),
        (
            "delete all but the first pdf",
            Lang::En,
            Some("delete ~/b.txt and ~/c.PDF and ~/d.jpg"),
        ),
        ("open the txt", Lang::En, Some("open ~/b.txt")),
        ("mandami i primi due pdf", Lang::It, Some("mandami ~/a.pdf e ~/c.PDF")),
        ("mandami l'ultima foto", Lang::It, Some("mandami ~/d.jpg")),
        // Which of both?
        ("open the pdf", Lang::En, None),
        ("delete the third pdf", Lang::En, None),
        ("open a txt", Lang::En, None),
        ("delete the txt in ~/x", Lang::En, None),
    ] {
        assert_eq!(meant(text, lang, &listed).as_deref(), wanted, "{text}");
    }
}

#[test]
fn what_the_list_does_not_have_is_none_of_it() {
    for text in [
        "delete the first five",
        "delete number 5",
        "delete number 0",
        "delete both",
        "delete all but the fifth",
        "read the first two pages",
        "delete the first two files in ~/x",
        "set the timer to number 2 minutes",
    ] {
        assert_eq!(meant(text, Lang::En, &listed(false)), None, "{text}");
    }
    // Of a list that was cut nobody saw the end.
    for text in ["delete the last two", "delete all but the first"] {
        assert_eq!(meant(text, Lang::En, &listed(true)), None, "{text}");
    }
    let first_two = meant("delete the first two", Lang::En, &listed(true));
    assert_eq!(first_two.as_deref(), Some("delete ~/a and ~/b"));
}
