//! The sentences answered by whole forms, and the near misses that are left to the next layer.

use super::super::{undo::Described, *};

const TABLE: &[(&str, Pattern)] = &[
    ("what time is it", Pattern::Time),
    ("What time is it?", Pattern::Time),
    ("hey metnos, what time is it please", Pattern::Time),
    ("What's the time", Pattern::Time),
    ("what\u{2019}s the time\u{FF1F}", Pattern::Time),
    ("che ore sono", Pattern::Time),
    ("che ora è?", Pattern::Time),
    ("che ora e\u{0300}", Pattern::Time),
    ("che ora e'", Pattern::Time),
    ("dimmi che ore sono per favore", Pattern::Time),
    ("che giorno è oggi", Pattern::Date),
    ("what day is it today?", Pattern::Date),
    ("what is today's date", Pattern::Date),
    ("annulla", Pattern::Undo(1)),
    ("annulla ultimo evento", Pattern::Undo(1)),
    ("undo twice", Pattern::Undo(2)),
    ("undo that, thanks", Pattern::Undo(1)),
    ("undo that, it was wrong", Pattern::Undo(1)),
    ("annulla due volte", Pattern::Undo(2)),
    ("undo", Pattern::Undo(1)),
    ("undo that please", Pattern::Undo(1)),
    ("rollback", Pattern::Undo(1)),
    ("undo the last two", Pattern::Undo(2)),
    ("please undo the last 3 changes", Pattern::Undo(3)),
    ("no wait, undo that", Pattern::Undo(1)),
    ("annulla le ultime due", Pattern::Undo(2)),
    ("no aspetta, annulla", Pattern::Undo(1)),
    ("oh no, undo that", Pattern::Undo(1)),
    ("oh no wait, put them back", Pattern::Undo(1)),
    ("anzi no, annulla", Pattern::Undo(1)),
    ("no, annulla!", Pattern::Undo(1)),
    ("no, undo that", Pattern::Undo(1)),
    ("no, undo the last two", Pattern::Undo(2)),
    ("no, annulla le ultime tre", Pattern::Undo(3)),
    ("thanks a lot!", Pattern::Thanks),
    ("grazie mille", Pattern::Thanks),
    ("good morning metnos", Pattern::Hello),
    ("ciao!", Pattern::Hello),
    ("chi sei", Pattern::WhoAreYou),
    ("ciao, chi sei?", Pattern::WhoAreYou),
    ("who are you?", Pattern::WhoAreYou),
    ("and you, who are you", Pattern::WhoAreYou),
    ("help", Pattern::Help),
    ("cosa sai fare?", Pattern::Help),
    ("status?", Pattern::Status),
    ("stato", Pattern::Status),
    ("set autonomy to A3", Pattern::SetAutonomy(Autonomy::A3)),
    ("set autonomy level to a0", Pattern::SetAutonomy(Autonomy::A0)),
    ("autonomy 2", Pattern::SetAutonomy(Autonomy::A2)),
    ("imposta l'autonomia a A1", Pattern::SetAutonomy(Autonomy::A1)),
    ("autonomia a 4", Pattern::SetAutonomy(Autonomy::A4)),
    ("lower autonomy", Pattern::LowerAutonomy),
    ("abbassa l'autonomia", Pattern::LowerAutonomy),
];

#[test]
fn the_time_elsewhere_is_asked_with_a_place() {
    let patterns = Patterns::embedded().unwrap();
    for (text, place) in [
        ("what time is it in Tokyo?", "tokyo"),
        ("What's the time in New York right now", "new york"),
        ("can you tell me what time is it in London", "london"),
        ("che ore sono a Londra", "londra"),
        ("che ora è adesso in Giappone?", "giappone"),
        ("a Sydney che ore sono", "sydney"),
    ] {
        let meant = patterns.matching(text, &Speaker::host(Lang::EN), &Household::default());
        let place = place.to_owned();
        assert_eq!(meant, PatternMatch::Hit(Pattern::TimeIn { place }), "{text}");
    }
}

#[test]
fn sentences_with_one_meaning_hit_in_either_language() {
    let patterns = Patterns::embedded().unwrap();
    for (text, pattern) in TABLE {
        for lang in Lang::BUILT_IN {
            assert_eq!(
                patterns.matching(text, &Speaker::host(lang), &Household::default()),
                PatternMatch::Hit(pattern.clone()),
                "{text} as {lang:?}"
            );
        }
    }
}

#[test]
fn what_an_undo_asks_for_besides_is_kept() {
    let patterns = Patterns::embedded().unwrap();
    for (text, turns, besides) in [
        ("Annulla l'ultima modifica e poi leggi ~/x", 1, Some("poi leggi ~/x")),
        (
            "undo and add coffee to the shopping list",
            1,
            Some("add coffee to the shopping list"),
        ),
        (
            "annulla e aggiungi caffè alla lista",
            1,
            Some("aggiungi caffè alla lista"),
        ),
        ("undo the last two, then tell me the time!", 2, Some("tell me the time")),
        ("undo that. Tell me the time", 1, Some("Tell me the time")),
        ("oh no, undo everything", 1, None),
        ("annulla tutto", 1, None),
    ] {
        for lang in Lang::BUILT_IN {
            let besides = besides.map(str::to_owned);
            assert_eq!(
                patterns.matching(text, &Speaker::host(lang), &Household::default()),
                PatternMatch::Hit(Pattern::UndoPart { turns, besides }),
                "{text} as {lang:?}"
            );
        }
    }
    for text in ["annulla no", "undo, no wait", "undo? no"] {
        let meant = patterns.matching(text, &Speaker::host(Lang::EN), &Household::default());
        assert_eq!(meant, PatternMatch::Miss, "{text}");
    }
}

#[test]
fn a_named_undo_fits_only_the_change_that_it_names() {
    let patterns = Patterns::embedded().unwrap();
    let list = Described::new(
        "add tea to the shopping list",
        ["/home/u/notes/shopping.txt"].into_iter(),
        vec!["write".to_owned()],
    );
    let moved = Described::new(
        "sposta a.tmp dai download nei documenti",
        ["/home/u/Downloads/a.tmp", "/home/u/docs/a.tmp"].into_iter(),
        vec!["move".to_owned()],
    );
    for (text, of_list, of_move, about) in [
        ("undo the shopping list change", true, false, true),
        ("undo adding tea", true, false, true),
        ("undo last change to shopping.txt", true, false, true),
        ("undo moving a.tmp", false, true, true),
        ("undo moving b.tmp", false, false, true),
        ("annulla lo spostamento di a.tmp", false, true, true),
        ("annulla lo spostamento", false, true, true),
        ("ripristina a.tmp", false, true, false),
        ("ripristina docs/a.tmp", false, true, false),
        ("undo the deletion of a.tmp", false, false, true),
        ("undo the first one", false, false, true),
        ("undo yesterday's changes", false, false, true),
        ("undo the last two days", false, false, true),
        ("annulla il volo", false, false, false),
        ("ripristina il telefono", false, false, false),
        ("annulla l'abbonamento", false, false, false),
    ] {
        let meant = patterns.matching(text, &Speaker::host(Lang::IT), &Household::default());
        let PatternMatch::Hit(Pattern::UndoNamed(named)) = meant else {
            panic!("{text}: {meant:?}");
        };
        let seen = (named.fits(&list), named.fits(&moved), named.is_about_changes());
        assert_eq!(seen, (of_list, of_move, about), "{text}");
    }
}

#[test]
fn near_misses_are_left_to_the_next_layer() {
    let patterns = Patterns::embedded().unwrap();
    let declined = [
        ("don't set autonomy to a4", DeclineReason::Negation),
        ("non annullare", DeclineReason::Negation),
        ("how do i set autonomy to a4", DeclineReason::HowTo),
        ("come faccio a impostare l'autonomia", DeclineReason::HowTo),
        ("he said \"set autonomy to a4\"", DeclineReason::Reported),
        ("mi ha detto che ore sono", DeclineReason::Reported),
        ("what time is it and delete ~/x", DeclineReason::TwoCommands),
        ("set autonomy to a4 when i leave", DeclineReason::Conditional),
        ("set autonomy to a4 for all of us here at home", DeclineReason::TooLong),
        (
            "che ore sono adesso nella grande casa di mia zia Pina",
            DeclineReason::TooLong,
        ),
    ];
    for (text, reason) in declined {
        assert_eq!(
            patterns.matching(text, &Speaker::host(Lang::EN), &Household::default()),
            PatternMatch::Decline(reason),
            "{text}"
        );
    }
    for text in [
        "list the files in ~/docs",
        "what time is the meeting",
        "a time to kill",
        "",
        "🙂",
        "timer",
        "help wanted ads",
        "no undo needed",
        "no annullare niente",
    ] {
        assert_eq!(
            patterns.matching(text, &Speaker::host(Lang::EN), &Household::default()),
            PatternMatch::Miss,
            "{text}"
        );
    }
}

#[test]
fn a_level_that_does_not_exist_is_asked_about() {
    let patterns = Patterns::embedded().unwrap();
    for text in ["set autonomy to a7", "autonomia a 9", "autonomy 12"] {
        let PatternMatch::Clarify(message, None) =
            patterns.matching(text, &Speaker::host(Lang::IT), &Household::default())
        else {
            panic!("{text} must be asked about");
        };
        assert_eq!(message.key.as_str(), "pattern-autonomy-range");
    }
}
