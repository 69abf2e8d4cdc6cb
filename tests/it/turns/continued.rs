//! A message that says only a value, behind a look of any domain, asks for the same look with that value; behind a
//! change, and where it says something else, it does not.

use metnos::domain::lang::Lang;

use super::{bot_at, clock, rows};

const AT: &str = "2026-11-25T09:00:00Z";
const FUEL: &str = "date,litres,euro\n2026-03-04,40,71.20\n2026-03-28,38,66.50\n2026-04-11,41,70.10\n";

#[tokio::test]
async fn another_value_is_asked_about_in_any_domain() {
    for (lang, conversation) in [
        (
            Lang::EN,
            [
                ("how much euro did I spend on fuel in march?", "137.70"),
                ("and in april?", "70.10"),
                ("what is in my calendar on friday?", "dentist"),
                ("and on saturday?", "5 December"),
                ("what time is it in Tokyo?", "Tokyo"),
                ("and in London?", "London"),
                ("what is 15% of 80?", "12"),
                ("and of 90?", "13.5"),
                ("20 miles in km", "32.18"),
                ("and 30?", "48.28"),
            ],
        ),
        (
            Lang::IT,
            [
                ("quanto euro ho speso di fuel a marzo?", "137,70"),
                ("e ad aprile?", "70.10"),
                ("cosa ho in calendario venerdì?", "dentist"),
                ("e sabato?", "5 dicembre"),
                ("che ora è a Tokyo?", "Tokyo"),
                ("e a Londra?", "Londra"),
                ("quanto fa 12 per 3?", "36"),
                ("e per 4?", "48"),
                ("20 miglia in km", "32,18"),
                ("e 30?", "48,28"),
            ],
        ),
    ] {
        let mut bot = bot_at(&clock("2026-11-30T09:00:00Z"), lang).await;
        bot.file("documents/fuel.csv", FUEL);
        bot.says("put dentist in the calendar on 4 December 2026 at 10").await;
        for (said, has) in conversation {
            let answer = bot.says(said).await;
            assert!(answer.contains(has), "{said}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_paper_that_was_spoken_of_is_asked_on() {
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    let lines = [
        "Gas bill October 2026",
        "Total due: 84.20 euros",
        "Pay by 12 December 2026.",
    ];
    bot.file(
        "docs/gas bill.rtf",
        &format!(r"{{\rtf1\ansi {}}}", lines.join(r"\par ")),
    );
    bot.file(
        "docs/water bill.rtf",
        r"{\rtf1\ansi Water bill\par Total due: 31.00 euros}",
    );
    let owed = bot.says("how much is the gas bill?").await;
    assert!(owed.contains("84.20"), "{owed}");
    let by = bot.says("and by when do I have to pay it?").await;
    assert!(by.contains("12 December 2026") && !by.contains("84.20"), "{by}");
    let set = bot.says("remind me three days before").await;
    assert!(set.contains("9 December"), "{set}");
    bot.says("how much is the gas bill?").await;
    let other = bot.says("and the water bill?").await;
    assert!(other.contains("31.00"), "{other}");
}

#[tokio::test]
async fn a_change_is_never_made_again_with_another_value() {
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    bot.says("put dentist in the calendar on friday at 10").await;
    const DONE: &str = "SELECT turn FROM effects";
    let before = rows(&bot, DONE);
    let said = bot.says("and on saturday?").await;
    bot.says("yes").await;
    assert_eq!(rows(&bot, DONE), before, "{said}");
    assert_eq!(before.len(), 1);
}

#[tokio::test]
async fn one_more_of_the_same_change_is_offered_and_done_once() {
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    for path in ["docs/car policy.pdf", "docs/house policy.pdf", "docs/lease.pdf"] {
        bot.file(path, "x");
    }
    for path in ["photos/cat.jpg", "photos/garden.jpg", "backup/old.txt"] {
        bot.file(path, "x");
    }
    bot.says("copy the car policy and the house policy to backup").await;
    let asked = bot.says("and the lease as well").await;
    assert!(asked.contains("lease.pdf") && !asked.contains("policy"), "{asked}");
    assert!(!bot.has("backup/lease.pdf"), "shown before it is done: {asked}");
    bot.says("yes").await;
    assert!(bot.has("backup/lease.pdf") && bot.has("docs/lease.pdf"));
    // What was copied is not copied a second time.
    let again = bot.says("and the car policy").await;
    bot.says("yes").await;
    assert!(!bot.has("backup/car policy 2.pdf"), "{again}");
    bot.says("rename cat.jpg to whiskers.jpg").await;
    let asked = bot.says("and garden.jpg to roses.jpg").await;
    bot.says("yes").await;
    assert!(bot.has("photos/roses.jpg") && bot.has("photos/whiskers.jpg"), "{asked}");
    bot.says("undo that last one").await;
    assert!(bot.has("photos/garden.jpg") && bot.has("photos/whiskers.jpg"));
}

#[tokio::test]
async fn more_goes_into_the_file_that_was_made() {
    for (lang, made, more, thing) in [
        (
            Lang::EN,
            "make me a file notes/camping.txt with tent and stove in it",
            "and a torch",
            "torch",
        ),
        (
            Lang::IT,
            "fammi un file note/camping.txt con costume e ciabatte",
            "e la crema solare",
            "crema solare",
        ),
    ] {
        let mut bot = bot_at(&clock(AT), lang).await;
        let path = if lang == Lang::EN {
            "notes/camping.txt"
        } else {
            "note/camping.txt"
        };
        bot.says(made).await;
        assert!(bot.has(path), "{made}");
        let asked = bot.says(more).await;
        bot.says(if lang == Lang::EN { "yes" } else { "sì" }).await;
        let text = std::fs::read_to_string(bot.home().join(path)).unwrap();
        assert!(text.contains(thing) && text.lines().count() == 3, "{asked}: {text}");
    }
}

#[tokio::test]
async fn one_more_that_is_made_takes_nothing_back_and_a_question_sets_nothing() {
    let mut bot = bot_at(&clock(AT), Lang::IT).await;
    bot.file("documenti/a.txt", "x");
    let made = bot.says("crea la cartella documenti/spese").await;
    assert!(bot.has("documenti/spese"), "{made}");
    let more = bot.says("crea anche la cartella documenti/bollette").await;
    assert!(bot.has("documenti/spese"), "what was made first stays: {more}");
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    let set = "SELECT id FROM tasks WHERE kind = 'reminder'";
    for other in [
        "and the weather tomorrow",
        "and on saturday?",
        "and friday's weather",
        "and on saturday",
    ] {
        bot.says("remind me to call mum tomorrow at 17:00").await;
        let before = rows(&bot, set);
        let said = bot.says(other).await;
        assert_eq!(rows(&bot, set), before, "{other}: {said}");
        if !rows(&bot, "SELECT id FROM dialogs WHERE state = 'waiting'").is_empty() {
            bot.says("/stop").await;
        }
    }
    bot.says("remind me at 15:00 to ring the bank").await;
    let before = rows(&bot, set).len();
    bot.says("and at 18:00 to feed the cat").await;
    assert_eq!(rows(&bot, set).len(), before + 1);
}

#[tokio::test]
async fn what_was_moved_to_the_wrong_place_goes_to_the_right_one() {
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    bot.file("downloads/song.mp3", "x");
    bot.file("music/jazz/blue.mp3", "x");
    bot.says("move song.mp3 to music").await;
    assert!(bot.has("music/song.mp3"));
    let asked = bot.says("no, in the jazz folder i meant").await;
    assert!(asked.contains("Back in place: song.mp3"), "{asked}");
    bot.says("yes").await;
    assert!(bot.has("music/jazz/song.mp3") && !bot.has("music/song.mp3"));
}

#[tokio::test]
async fn one_more_clock_is_set_and_what_says_more_than_a_number_is_no_value() {
    let mut bot = bot_at(&clock(AT), Lang::EN).await;
    bot.says("set a pizza timer for 12 minutes").await;
    bot.says("another one of 8 minutes").await;
    let timers = "SELECT id FROM tasks WHERE kind = 'timer' AND state <> 'done'";
    assert_eq!(rows(&bot, timers).len(), 2);
    for other in ["and thanks a lot", "and the eggs", "and in the kitchen"] {
        bot.says("set a pizza timer for 12 minutes").await;
        let before = rows(&bot, timers);
        let said = bot.says(other).await;
        assert_eq!(rows(&bot, timers), before, "{other}: {said}");
    }
    let product = bot.says("what is 12 times 38?").await;
    assert!(product.contains("456"), "{product}");
    let less = bot.says("take 56 off that").await;
    assert!(!less.contains("672"), "{less}");
}
