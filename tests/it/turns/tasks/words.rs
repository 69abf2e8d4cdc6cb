//! What people say to make something happen later, in both languages, and what they are told.

use metnos::domain::lang::Lang;

use super::{bot, later, layer, rings, rows, tasks};

#[tokio::test]
async fn what_is_made_is_echoed_with_its_moment() {
    for (lang, request, echo) in [
        (
            Lang::EN,
            "remind me tomorrow at 9 to call mum",
            "I'll remind you tomorrow, Wednesday 25 November, 09:00: “call mum”.",
        ),
        (
            Lang::EN,
            "remind me to renew the passport on 3 March at 10",
            "I'll remind you on Wednesday 3 March 2027, 10:00: “renew the passport”.",
        ),
        (
            Lang::EN,
            "remind me every Monday and Thursday at 19:30 to water the plants",
            "I'll remind you every Monday and Thursday at 19:30, first on Thursday 26 November, 19:30: “water the plants”.",
        ),
        (
            Lang::IT,
            "ricordami fra 20 minuti di togliere la torta",
            "Te lo ricordo oggi, martedì 24 novembre, ore 10:20: “togliere la torta”.",
        ),
        (
            Lang::IT,
            "ricordami domani alle 9 di chiamare la mamma",
            "Te lo ricordo domani, mercoledì 25 novembre, ore 09:00: “chiamare la mamma”.",
        ),
        (
            Lang::IT,
            "svegliami domani alle sette e mezza",
            "La sveglia suona domani, mercoledì 25 novembre, ore 07:30.",
        ),
    ] {
        let (mut bot, _clock) = bot(lang).await;
        assert_eq!(bot.says(request).await, echo, "{request}");
        assert_eq!(layer(&bot), "pattern 0", "{request}");
        assert_eq!(tasks(&bot).len(), 1, "{request}");
    }
}

#[tokio::test]
async fn an_unclear_time_is_asked_about_and_a_past_one_is_said_to_be_past() {
    let (mut bot, clock) = bot(Lang::EN).await;
    let asked = bot.says("remind me to call grandma").await;
    assert!(asked.starts_with("When exactly?"), "{asked}");
    assert_eq!(tasks(&bot), [""; 0]);
    let said = bot.says("tomorrow at 9").await;
    assert_eq!(
        said,
        "I'll remind you tomorrow, Wednesday 25 November, 09:00: “call grandma”."
    );
    let asked = bot.says("remind me tomorrow to call mum").await;
    assert!(asked.starts_with("When exactly?"), "{asked}");
    let said = bot.says("at 5 pm").await;
    assert_eq!(
        said,
        "I'll remind you tomorrow, Wednesday 25 November, 17:00: “call mum”."
    );
    let asked = bot.says("delete ~/docs/old.txt later").await;
    assert!(asked.starts_with("When exactly?"), "{asked}");
    let still = bot.says("whenever you like").await;
    assert!(still.contains("exactly"), "{still}");
    let aside = bot.says("remind me today at 23:00 to sleep").await;
    assert!(aside.starts_with("I put my question aside"), "{aside}");
    assert_eq!(
        rings(&mut bot).await,
        "I'll remind you today, Tuesday 24 November, 23:00: “sleep”."
    );
    let past = bot.says("remind me yesterday at 9 to call mum").await;
    assert_eq!(past, "That time is over already. When should it be instead?");
    assert_eq!(tasks(&bot).len(), 3);
    later(&clock, 13 * 3_600);
    assert_eq!(rings(&mut bot).await, "🔔 sleep");
    later(&clock, 10 * 3_600);
    assert_eq!(rings(&mut bot).await, "🔔 call grandma");
}

#[tokio::test]
async fn what_was_made_changed_or_ended_is_taken_back() {
    let (mut bot, _clock) = bot(Lang::EN).await;
    bot.says("remind me tomorrow at 9 to call mum").await;
    let undone = bot.says("undo").await;
    assert_eq!(undone, "Done, I took the last change back. Removed again: call mum.");
    assert_eq!(tasks(&bot), [""; 0]);
    bot.says("set a timer for 10 minutes for the pasta").await;
    bot.says("add 5 minutes to the pasta timer").await;
    bot.says("undo").await;
    let left = bot.says("how much time is left on the pasta timer").await;
    assert!(left.contains("10 minutes left"), "{left}");
    bot.says("cancel the pasta timer").await;
    assert_eq!(tasks(&bot), [""; 0]);
    let undone = bot.says("undo").await;
    assert_eq!(undone, "Done, I took the last change back. Back in place: pasta.");
    assert_eq!(tasks(&bot), ["timer active"]);
}

#[tokio::test]
async fn what_was_forwarded_or_forbidden_makes_nothing() {
    let (mut bot, _clock) = bot(Lang::EN).await;
    for request in [
        "don't remind me tomorrow at 9 to call mum",
        "how do I set a reminder for tomorrow at 9?",
    ] {
        bot.says(request).await;
        assert_eq!(tasks(&bot), [""; 0], "{request}");
    }
    let effects = rows(&bot, "SELECT tool FROM effects");
    assert_eq!(effects, [""; 0]);
    // What is to be said may deny, quote or ask what it likes.
    let said = bot
        .says("remind me tomorrow at 9 not to forget \"Dune\" for anna")
        .await;
    assert!(said.ends_with("“not to forget \"Dune\" for anna”."), "{said}");
}
