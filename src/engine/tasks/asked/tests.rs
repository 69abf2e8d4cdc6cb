//! Sentences of households and what they ask for later.

use std::sync::LazyLock;

use super::*;

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| Language::embedded().unwrap());
static ASKING: LazyLock<Asking> = LazyLock::new(|| Asking::embedded().unwrap());

fn read(text: &str, lang: Lang) -> Option<Asked> {
    let now: Zoned = "2026-11-24T10:00[Europe/Rome]".parse().unwrap();
    let acts = |rest: &str| rest.contains("delete") || rest.contains("cancella");
    let asked = ASKING.read(&LANGUAGE.read(text, lang, &now), &LANGUAGE, &now, &acts);
    asked.map(|(asked, _before)| asked)
}

fn clear(when: &str) -> Said {
    Said::Clear(when.to_owned())
}

fn open(when: &str) -> Said {
    Said::Open(when.to_owned())
}

fn reminder(words: &str, when: Said) -> Asked {
    Asked::Remind {
        words: words.to_owned(),
        when,
    }
}

#[test]
fn what_to_remind_of_stays_as_it_was_said() {
    const EN: Lang = Lang::EN;
    for (text, lang, words, when) in [
        (
            "remind me tomorrow at 9 to call mum",
            EN,
            "call mum",
            clear("tomorrow at 9"),
        ),
        (
            "remind me to call mum tomorrow at 9",
            EN,
            "call mum",
            clear("tomorrow at 9"),
        ),
        ("Please remind me at 9 to call Mum!", EN, "call Mum!", clear("at 9")),
        (
            "tomorrow at 9 remind me to call mum",
            EN,
            "call mum",
            clear("tomorrow at 9"),
        ),
        (
            "remind me tomorrow to call mum at 9",
            EN,
            "call mum",
            clear("tomorrow at 9"),
        ),
        ("remind me tomorrow to call mum", EN, "call mum", open("tomorrow")),
        ("remind me to call grandma", EN, "call grandma", open("")),
        ("remind me to call grandma later", EN, "call grandma", open("")),
        ("remind me tomorrow at 9", EN, "", clear("tomorrow at 9")),
        (
            "remind me to take the bins out tonight at 9",
            EN,
            "take the bins out",
            clear("tonight at 9"),
        ),
        (
            "remind me next friday at noon to call mum about friday's party",
            EN,
            "call mum about friday's party",
            clear("next friday at noon"),
        ),
        (
            "remind me on 3 March at 10 to renew the passport",
            EN,
            "renew the passport",
            clear("3 March at 10"),
        ),
        (
            "remind me to buy milk on Friday at 5pm",
            EN,
            "buy milk",
            clear("Friday at 5pm"),
        ),
        (
            "remind me every day at 8 to take the pill",
            EN,
            "take the pill",
            clear("every day at 8"),
        ),
        ("remind me yesterday at 9 to call mum", EN, "call mum", Said::Over),
    ] {
        assert_eq!(read(text, lang), Some(reminder(words, when)), "{text}");
    }
}

#[test]
fn in_italian_as_well() {
    const IT: Lang = Lang::IT;
    for (text, lang, words, when) in [
        (
            "ricordami fra 20 minuti di togliere la torta",
            IT,
            "togliere la torta",
            clear("fra 20 minuti"),
        ),
        (
            "ricordami domani alle 9 di chiamare la mamma",
            IT,
            "chiamare la mamma",
            clear("domani alle 9"),
        ),
        (
            "ricordami ogni primo lunedì del mese alle 9 di pagare l'affitto",
            IT,
            "pagare l'affitto",
            clear("ogni primo lunedì del mese alle 9"),
        ),
        ("ricordami di chiamare la nonna", IT, "chiamare la nonna", open("")),
    ] {
        assert_eq!(read(text, lang), Some(reminder(words, when)), "{text}");
    }
}

#[test]
fn what_to_do_later_is_the_rest_of_the_request() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (text, lang, request, when) in [
        (
            "every weekday at 8 tell me what is on the shopping list",
            EN,
            "tell me what is on the shopping list",
            clear("every weekday at 8"),
        ),
        (
            "every Monday at 8 tell me how many files are in ~/downloads",
            EN,
            "tell me how many files are in ~/downloads",
            clear("every Monday at 8"),
        ),
        (
            "ogni giorno alle 8 dimmi cosa c'è nella lista della spesa",
            IT,
            "dimmi cosa c'è nella lista della spesa",
            clear("ogni giorno alle 8"),
        ),
        (
            "in 20 minutes, delete ~/docs/old.txt",
            EN,
            "delete ~/docs/old.txt",
            clear("in 20 minutes"),
        ),
        (
            "delete ~/docs/old.txt in 20 minutes",
            EN,
            "delete ~/docs/old.txt",
            clear("in 20 minutes"),
        ),
        (
            "list the files in ~/docs every 30 minutes",
            EN,
            "list the files in ~/docs",
            clear("every 30 minutes"),
        ),
        (
            "every 30 min: list the files in ~/docs",
            EN,
            "list the files in ~/docs",
            clear("every 30 min"),
        ),
        ("delete ~/docs/old.txt later", EN, "delete ~/docs/old.txt", open("")),
        (
            "delete ~/docs/old.txt tonight",
            EN,
            "delete ~/docs/old.txt",
            open("tonight"),
        ),
        ("EVERY DAY list ~/docs", EN, "list ~/docs", open("EVERY DAY")),
        (
            "tomorrow morning at 7 read ~/notes/diary.md",
            EN,
            "read ~/notes/diary.md",
            clear("tomorrow morning at 7"),
        ),
    ] {
        let expected = Asked::Do {
            request: request.to_owned(),
            when,
        };
        assert_eq!(read(text, lang), Some(expected), "{text}");
    }
}

#[test]
fn what_to_watch_for_becomes_a_look() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (text, lang, look) in [
        ("tell me when a new pdf is in ~/in", EN, "find pdf in ~/in"),
        (
            "let me know when a new file arrives in ~/downloads",
            EN,
            "find file in ~/downloads",
        ),
        ("avvisami quando c'è un nuovo pdf in ~/in", IT, "trova pdf in ~/in"),
        (
            "avvisami quando il disco è pieno oltre il 90 %",
            IT,
            "mostra lo spazio su disco 90%",
        ),
        ("tell me when the disk is over 90%", EN, "show the disk space 90%"),
    ] {
        let look = look.to_owned();
        assert_eq!(read(text, lang), Some(Asked::Watch { look }), "{text}");
    }
}

#[test]
fn what_is_about_now_is_left_alone() {
    const EN: Lang = Lang::EN;
    const IT: Lang = Lang::IT;
    for (text, lang) in [
        ("what time is it", EN),
        ("find the files modified in the last 30 days", EN),
        ("find files modified yesterday at 9", EN),
        ("list every file in ~/docs", EN),
        ("find files modified later than monday", EN),
        ("elenca ogni file di questa settimana in ~/docs", IT),
        ("read ~/notes/diary.md", EN),
        ("find places open tomorrow at 9", EN),
        ("write a note in ~/notes/garden.txt: water the roses every evening", EN),
        ("write \"call mum in 20 minutes\" to ~/notes/a.txt", EN),
        (
            "scrivi una nota in ~/note/giardino.txt: annaffiare le rose ogni sera",
            IT,
        ),
    ] {
        assert_eq!(read(text, lang), None, "{text}");
    }
}
