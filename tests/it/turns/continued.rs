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
    assert_eq!(rows(&bot, DONE), before, "{said}");
    assert_eq!(before.len(), 1);
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
