//! Files by where they stand in a list that was shown: which ones the words mean, and which words mean none.

use super::{LANGUAGE, now};
use metnos_domain::{lang::Lang, outcome::Listed};

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
        ("delete the first two", Lang::EN, "delete ~/a and ~/b"),
        ("send me the last two files", Lang::EN, "send me ~/c and ~/d"),
        ("open number 3", Lang::EN, "open ~/c"),
        ("the first and the last", Lang::EN, "show me ~/a and ~/d"),
        (
            "move the first two and the last to ~/x",
            Lang::EN,
            "move ~/a and ~/b and ~/d to ~/x",
        ),
        ("delete all but the second", Lang::EN, "delete ~/a and ~/c and ~/d"),
        ("delete everything except the first two", Lang::EN, "delete ~/c and ~/d"),
        (
            "delete the second and open the first",
            Lang::EN,
            "delete ~/b and open ~/a",
        ),
        ("cancella i primi due", Lang::IT, "cancella ~/a e ~/b"),
        ("apri il numero 2", Lang::IT, "apri ~/b"),
        ("sposta gli ultimi 2 in ~/x", Lang::IT, "sposta ~/c e ~/d in ~/x"),
        ("cancella tutti tranne il secondo", Lang::IT, "cancella ~/a e ~/c e ~/d"),
        ("tieni solo i primi due", Lang::IT, ""),
        ("leggi il primo e il terzo", Lang::IT, "leggi ~/a e ~/c"),
    ] {
        let meant = meant(text, lang, &listed(false)).unwrap_or_default();
        assert_eq!(meant, wanted, "{text}");
    }
    let both = Listed {
        paths: vec!["~/a".to_owned(), "~/b".to_owned()],
        is_cut: false,
    };
    for (text, lang, wanted) in [
        ("delete both", Lang::EN, "delete ~/a and ~/b"),
        ("cancellali entrambi", Lang::IT, "cancella ~/a e ~/b"),
        ("mandameli tutti e due", Lang::IT, "manda ~/a e ~/b"),
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
        ("delete the second pdf", Lang::EN, Some("delete ~/c.PDF")),
        ("delete the last pdf", Lang::EN, Some("delete ~/c.PDF")),
        (
            "delete all but the first pdf",
            Lang::EN,
            Some("delete ~/b.txt and ~/c.PDF and ~/d.jpg"),
        ),
        ("open the txt", Lang::EN, Some("open ~/b.txt")),
        ("mandami i primi due pdf", Lang::IT, Some("mandami ~/a.pdf e ~/c.PDF")),
        ("mandami l'ultima foto", Lang::IT, Some("mandami ~/d.jpg")),
        // Which of both?
        ("open the pdf", Lang::EN, None),
        ("delete the third pdf", Lang::EN, None),
        ("open a txt", Lang::EN, None),
        ("delete the txt in ~/x", Lang::EN, None),
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
        assert_eq!(meant(text, Lang::EN, &listed(false)), None, "{text}");
    }
    // Of a list that was cut nobody saw the end.
    for text in ["delete the last two", "delete all but the first"] {
        assert_eq!(meant(text, Lang::EN, &listed(true)), None, "{text}");
    }
    let first_two = meant("delete the first two", Lang::EN, &listed(true));
    assert_eq!(first_two.as_deref(), Some("delete ~/a and ~/b"));
}
