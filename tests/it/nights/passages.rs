//! Passages: runs reinforce them, nights weaken them, wishes come and go.

use metnos::{domain::lang::Lang, nights::passages::apply_ager, store::passages::Weighed};

use super::{DAY, at_rest};
use crate::turns::{clock, rows};

const STATE: &str = "SELECT source || ' ' || target || ' ' || state || ' ' || uses || ' ' || round(weight, 2)
                     FROM passages ORDER BY source, target";

#[tokio::test]
async fn a_run_reinforces_what_fed_what_and_nights_weaken_it() {
    let clock = clock("2026-03-10T02:00:00Z");
    let mut bot = at_rest(&clock, Lang::EN).await;
    bot.file("docs/a.pdf", "a");
    bot.file("docs/b.pdf", "bb");
    bot.says("find the pdf files in ~/docs and sort them by size").await;
    assert_eq!(
        rows(&bot, STATE),
        ["find_files sort_entries active 1 0.3"],
        "{}",
        bot.transcript()
    );
    bot.says("find the pdf files in ~/docs and sort them by size").await;
    assert_eq!(rows(&bot, STATE), ["find_files sort_entries active 2 0.45"]);
    clock.advance(DAY * 46);
    let engine = bot.app().runtime.engine();
    assert_eq!(
        apply_ager(engine).await.unwrap(),
        Weighed {
            decaying: 1,
            ..Weighed::default()
        }
    );
    assert_eq!(
        apply_ager(engine).await.unwrap().decaying,
        1,
        "a second look weakens nothing"
    );
    assert_eq!(rows(&bot, STATE), ["find_files sort_entries decaying 2 0.2"]);
    bot.says("find the pdf files in ~/docs and sort them by size").await;
    assert_eq!(rows(&bot, STATE), ["find_files sort_entries active 3 0.35"]);
}

#[tokio::test]
async fn what_is_missing_after_something_that_works_is_a_wish() {
    let clock = clock("2026-03-10T02:00:00Z");
    let mut bot = at_rest(&clock, Lang::EN).await;
    bot.file("docs/a.pdf", "a");
    for _ in 0..3 {
        bot.says("find the pdf files in ~/docs and compare the files").await;
    }
    let wishes = rows(&bot, STATE);
    assert_eq!(wishes, ["find_files compare_files proto 3 0.6"], "{}", bot.transcript());
    let engine = bot.app().runtime.engine();
    let weighed = apply_ager(engine).await.unwrap();
    assert_eq!((weighed.protos, weighed.recurring), (1, 1));
    clock.advance(DAY * 150);
    assert_eq!(apply_ager(engine).await.unwrap().purged, 1);
    assert_eq!(rows(&bot, STATE), Vec::<String>::new());
}
