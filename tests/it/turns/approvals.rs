//! What waits for a yes: who may say it, how, for how long, and that it happens once.

use std::time::Duration;

use metnos::domain::{ids::ChannelKind, lang::Lang, reply::ButtonKind};

use super::{bot_at, button, clock, pair, rows, tap};
use crate::support::bot::{TestBot, text_of};

async fn asked() -> TestBot {
    let mut bot = TestBot::new().await;
    bot.file("old.txt", "old");
    let card = bot.says("delete ~/old.txt").await;
    assert!(card.starts_with("May I delete this?"), "{card}");
    bot
}

fn effects(bot: &TestBot) -> usize {
    rows(bot, "SELECT id || '' FROM effects").len()
}

#[tokio::test]
async fn what_is_read_before_it_goes_is_shown_before_anybody_is_asked() {
    let mut bot = TestBot::new().await;
    bot.file("old.txt", "the first year");
    let card = bot.says("read ~/old.txt and delete it").await;
    assert!(card.starts_with("the first year\nMay I delete this?"), "{card}");
    tap(&bot, &button(&bot, ButtonKind::Approve)).await;
    let done = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(done.contains("I deleted old.txt") && !bot.has("old.txt"), "{done}");
    bot.file("old.txt", "the second year");
    let moved = bot.says("read ~/old.txt and move it to ~/attic").await;
    assert!(
        moved.starts_with("the second year") && bot.has("attic/old.txt"),
        "{moved}"
    );
}

#[tokio::test]
async fn approved_twice_happens_once() {
    let mut bot = asked().await;
    let approve = button(&bot, ButtonKind::Approve);
    let refuse = button(&bot, ButtonKind::Refuse);
    assert_eq!(tap(&bot, &approve).await, "Approved: I'm on it.");
    assert_eq!(tap(&bot, &approve).await, "Already approved: it runs once only.");
    assert_eq!(tap(&bot, &refuse).await, "Already approved: it runs once only.");
    let done = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(done.starts_with("I deleted old.txt"), "{done}");
    assert_eq!(tap(&bot, &approve).await, "Already approved: it runs once only.");
    bot.says("what time is it").await;
    assert_eq!(effects(&bot), 1);
}

#[tokio::test]
async fn what_was_so_already_stands_not_in_the_way_of_undo() {
    let mut bot = TestBot::new().await;
    bot.says("write \"one\" to ~/a.txt").await;
    let replaced = bot.says("write \"second\" to ~/a.txt").await;
    assert!(
        replaced.starts_with("I replaced what was in a.txt. Say “undo”"),
        "{replaced}"
    );
    let same = bot.says("write \"second\" to ~/a.txt").await;
    assert!(same.starts_with("a.txt already says exactly that"), "{same}");
    let moved = bot.says("move ~/a.txt to ~").await;
    assert!(
        moved.starts_with("Nothing had to be moved: it is already in ~."),
        "{moved}"
    );
    let done = rows(&bot, "SELECT tool || ' ' || state FROM effects ORDER BY id");
    assert_eq!(
        done,
        [
            "write_files done",
            "write_files done",
            "write_files failed",
            "move_files failed"
        ]
    );
    bot.says("undo").await;
    assert_eq!(text_of(&bot.home().join("a.txt")), "one");
}

/// A copy is no move: the card says so, and taking it back leaves the originals alone.
#[tokio::test]
async fn many_copies_ask_as_copies_and_undo_removes_them() {
    let mut bot = TestBot::new().await;
    for number in 0..25 {
        bot.file(&format!("in/{number}.txt"), "x");
    }
    let card = bot.says("copy the txt files from ~/in to ~/out").await;
    assert!(card.starts_with("May I copy this?"), "{card}");
    bot.taps(ButtonKind::Approve).await;
    let done = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(done.starts_with("I copied 25 files to ~/out"), "{done}");
    assert!(bot.has("in/3.txt") && bot.has("out/3.txt"));
    bot.says("undo").await;
    assert!(bot.has("in/3.txt") && !bot.has("out/3.txt"));
}

#[tokio::test]
async fn refused_stays_refused() {
    let mut bot = asked().await;
    let approve = button(&bot, ButtonKind::Approve);
    bot.taps(ButtonKind::Refuse).await;
    assert_eq!(
        bot.hears(ChannelKind::Terminal).await.plain(),
        "All right, nothing was done."
    );
    assert_eq!(tap(&bot, &approve).await, "You rejected this before. Nothing was done.");
    assert!(bot.has("old.txt"));
    assert_eq!(effects(&bot), 0);
}

#[tokio::test]
async fn nobody_approves_for_somebody_else() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.file("old.txt", "old");
    bot.telegram("host-phone", "delete ~/old.txt").await;
    let approve = button(&bot, ButtonKind::Approve);
    assert_eq!(
        bot.telegram_taps("anna", &approve).await,
        "Only the person who asked can use these buttons."
    );
    bot.telegram("anna", "yes").await;
    assert!(bot.has("old.txt"));
    assert_eq!(bot.telegram_taps("host-phone", &approve).await, "Approved: I'm on it.");
    let done = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(done.starts_with("I deleted"), "{done}");
}

#[tokio::test]
async fn an_approval_survives_a_restart_and_is_carried_out_once() {
    let mut bot = asked().await;
    let approve = button(&bot, ButtonKind::Approve);
    bot.restart().await;
    assert_eq!(tap(&bot, &approve).await, "Approved: I'm on it.");
    bot.hears(ChannelKind::Terminal).await;
    assert!(!bot.has("old.txt"));
    bot.restart().await;
    assert_eq!(tap(&bot, &approve).await, "Already approved: it runs once only.");
    bot.says("undo").await;
    assert!(bot.has("old.txt"), "the way back survives too");
    assert_eq!(
        rows(&bot, "SELECT tool FROM effects WHERE tool = 'delete_files'").len(),
        1
    );
}

#[tokio::test]
async fn an_approval_has_its_time() {
    let clock = clock("2026-05-04T10:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    bot.file("old.txt", "old");
    bot.says("delete ~/old.txt").await;
    clock.advance(Duration::from_secs(601));
    assert_eq!(
        bot.taps(ButtonKind::Approve).await,
        "Time is over: nothing was done. Ask again if you still want it."
    );
    bot.says("yes").await;
    assert!(bot.has("old.txt"));
    assert_eq!(effects(&bot), 0);
}

#[tokio::test]
async fn only_a_whole_message_is_a_yes() {
    for other in [
        "come si fa?",
        "ok?",
        "yes?",
        "si\u{FF1F}",
        "yes but not now",
        "I would say no problem is solved by that",
    ] {
        let mut bot = asked().await;
        bot.says(other).await;
        assert!(bot.has("old.txt"), "{other}");
    }
    let mut bot = asked().await;
    bot.says("S\u{ED}!").await;
    assert!(!bot.has("old.txt"));
}

/// A yes with a condition, thanks, and what says nothing: none is a yes, and it is said that the question is open.
#[tokio::test]
async fn an_unclear_answer_does_nothing_and_leaves_the_question_open() {
    for unclear in [
        "ok thanks",
        "ok grazie",
        "thanks",
        "yes but not a.tmp",
        "sì ma non quello",
        "yes?",
        "meh",
        "sì, anche i pdf",
        "yes, delete house.txt too",
    ] {
        let mut bot = asked().await;
        let said = bot.says(unclear).await;
        assert!(
            said.starts_with("I did nothing") && said.contains("still open"),
            "{unclear}: {said}"
        );
        assert!(bot.has("old.txt"), "{unclear}");
        bot.says("sure, go ahead").await;
        assert!(!bot.has("old.txt"), "{unclear}: the question was open");
    }
    let mut bot = asked().await;
    assert_eq!(bot.says("not now").await, "All right, nothing was done.");
    let mut bot = asked().await;
    assert!(bot.says("ok metnos, what time is it").await.starts_with("It's "));
    assert!(bot.has("old.txt"));
}

/// A bare word answers what was asked last, not a card of long ago; its buttons still do.
#[tokio::test]
async fn a_yes_after_another_answer_approves_nothing() {
    let mut bot = asked().await;
    let approve = button(&bot, ButtonKind::Approve);
    bot.says("what time is it").await;
    let said = bot.says("yes").await;
    assert!(said.starts_with("Something else came in between"), "{said}");
    assert!(bot.has("old.txt"));
    tap(&bot, &approve).await;
    bot.hears(ChannelKind::Terminal).await;
    assert!(!bot.has("old.txt"));
}

#[tokio::test]
async fn a_whole_no_refuses() {
    let mut bot = asked().await;
    assert_eq!(bot.says("no, grazie").await, "All right, nothing was done.");
    assert!(bot.has("old.txt"));
}

#[tokio::test]
async fn another_request_meanwhile_is_just_answered() {
    let mut bot = asked().await;
    let approve = button(&bot, ButtonKind::Approve);
    bot.file("other.txt", "other");
    let time = bot.says("what time is it").await;
    assert!(time.starts_with("It's "), "{time}");
    let second = bot.says("delete ~/other.txt").await;
    assert!(second.contains("other.txt"), "{second}");
    bot.says("yes").await;
    assert!(
        bot.has("old.txt") && !bot.has("other.txt"),
        "a yes is for the last question"
    );
    tap(&bot, &approve).await;
    bot.hears(ChannelKind::Terminal).await;
    assert!(!bot.has("old.txt"));
}

#[tokio::test]
async fn the_card_asks_in_the_persons_language() {
    let mut bot = super::italian_bot().await;
    bot.file("vecchio.txt", "v");
    let card = bot.says("cancella ~/vecchio.txt").await;
    insta::assert_snapshot!(card.replace(&bot.home().display().to_string(), "~"), @"
    Posso cancellare questo?
    • ~/vecchio.txt
    Con “annulla” torna tutto come prima. Rischio: alto. La domanda resta aperta 10 minuti.
    ");
}

#[tokio::test]
async fn what_is_known_to_fail_is_not_asked() {
    let mut bot = TestBot::new().await;
    bot.file("docs/a.txt", "a");
    bot.says("set autonomy to a1").await;
    for (request, answer) in [
        ("delete ~/gone.txt", "I can't find ~/gone.txt."),
        ("delete ~/docs", "~/docs is a folder, and I delete only files."),
        ("move ~/gone.txt to ~/docs", "I can't find ~/gone.txt."),
        (
            "move ~/docs/a.txt to ~/docs/a.txt/b",
            "~/docs/a.txt is a file, not a folder.",
        ),
        ("write \"x\" to ~/docs", "~/docs is a folder, not a file."),
        (
            "create the folder ~/docs/a.txt/b",
            "~/docs/a.txt is a file, not a folder.",
        ),
    ] {
        let said = bot.says(request).await;
        assert!(said.starts_with(answer), "{request}: {said}");
    }
    assert_eq!(rows(&bot, "SELECT id FROM dialogs"), [""; 0]);
    assert_eq!(effects(&bot), 0);
    let card = bot.says("delete ~/docs/../docs/a.txt").await;
    assert!(card.contains(" ~/docs/a.txt"), "{card}");
    std::fs::remove_file(bot.home().join("docs/a.txt")).unwrap();
    bot.taps(ButtonKind::Approve).await;
    let late = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(late.starts_with("I can't find ~/docs/a.txt."), "{late}");
}

/// Half of what was asked is not done either.
#[tokio::test]
async fn a_name_that_is_nowhere_is_said_before_anything_is_done() {
    let mut bot = TestBot::new().await;
    bot.file("in/a.tmp", "a");
    bot.file("in/b.tmp", "b");
    bot.file("docs/b.tmp", "b");
    for request in [
        "delete a.tmp and gone.tmp",
        "create a folder docs/trip and move gone.tmp there",
        "read a.tmp and delete gone.tmp",
    ] {
        let said = bot.says(request).await;
        assert!(said.starts_with("I can't find ~/gone.tmp."), "{request}: {said}");
    }
    assert_eq!(effects(&bot), 0);
    assert!(!bot.home().join("docs/trip").exists());
    // Of two of one name the person says which, and nothing happens to the other.
    let which = bot.says("move b.tmp to ~/new").await;
    assert!(
        which.contains("~/docs/b.tmp") && which.contains("~/in/b.tmp"),
        "{which}"
    );
    bot.says("2").await;
    assert!(bot.home().join("new/b.tmp").exists() && bot.home().join("docs/b.tmp").exists());
    assert!(!bot.home().join("in/b.tmp").exists());
}

/// What makes things safer is never asked about.
#[tokio::test]
async fn undo_waits_for_nobody_at_any_level() {
    for level in ["a0", "a1"] {
        let mut bot = TestBot::new().await;
        bot.file("in/a.jpg", "a");
        bot.says("move ~/in/a.jpg to ~/photos").await;
        assert!(bot.has("photos/a.jpg"));
        bot.says(&format!("set autonomy to {level}")).await;
        let undone = bot.says("undo").await;
        assert!(undone.starts_with("Done, I took"), "{level}: {undone}");
        assert!(bot.has("in/a.jpg"), "{level}");
    }
}

#[tokio::test]
async fn a_yes_to_nothing_is_told_so() {
    let mut bot = TestBot::new().await;
    let said = bot.says("yes").await;
    assert!(said.starts_with("I have no question open"), "{said}");
    let mut bot = super::italian_bot().await;
    let said = bot.says("sì").await;
    assert!(said.starts_with("Non ho domande aperte"), "{said}");
}

/// What a search shows is what is changed, and the card says how many, where and where to.
#[tokio::test]
async fn the_card_says_how_many_and_where() {
    let mut bot = TestBot::new().await;
    for name in [
        "pictures/a.jpg",
        "pictures/2024/b.jpg",
        "pictures/2024/deep/c.jpg",
        "pictures/notes.txt",
    ] {
        bot.file(name, name);
    }
    let card = bot.says("delete the photos in ~/pictures").await;
    assert!(
        card.contains("3 in all, in ~/pictures and the folders below it."),
        "{card}"
    );
    bot.taps(ButtonKind::Approve).await;
    bot.hears(ChannelKind::Terminal).await;
    assert!(!bot.has("pictures/2024/deep/c.jpg") && bot.has("pictures/notes.txt"));
    let undone = bot.says("undo").await;
    assert!(
        undone.contains("a.jpg") && undone.contains("b.jpg") && undone.contains("c.jpg"),
        "{undone}"
    );
    bot.says("set autonomy to a1").await;
    let card = bot.says("move the photos in ~/pictures to ~/old").await;
    assert!(
        card.contains("3 in all") && card.contains("Destination: ~/old"),
        "{card}"
    );
}

/// The card says no more than is done: a plan that stays in the folder does not speak of those below it.
#[tokio::test]
async fn the_card_does_not_name_folders_that_stay_as_they_are() {
    for (lang, request, said) in [
        (
            Lang::EN,
            "delete the files in ~/pics",
            "2 in all, in ~/pics itself; what lies in the folders below it stays as it is.",
        ),
        (
            Lang::IT,
            "cancella i file in ~/pics",
            "2 in tutto, in ~/pics e basta: quello che sta nelle sue sottocartelle resta com'è.",
        ),
    ] {
        let mut bot = bot_at(&clock("2026-05-04T10:00:00Z"), lang).await;
        for name in ["pics/a.jpg", "pics/b.jpg", "pics/2024/c.jpg"] {
            bot.file(name, name);
        }
        let card = bot.says(request).await;
        assert!(card.contains(said), "{card}");
        bot.taps(ButtonKind::Approve).await;
        bot.hears(ChannelKind::Terminal).await;
        assert!(!bot.has("pics/a.jpg") && bot.has("pics/2024/c.jpg"));
    }
}

/// A request of which one half asks: the card tells of the half that is done, a no is true to it, and undo takes back
/// both.
#[tokio::test]
async fn what_was_done_before_the_card_is_told_and_taken_back_with_the_rest() {
    let mut bot = TestBot::new().await;
    let list = bot.file("notes/shopping.txt", "milk\n");
    bot.file("in/a.tmp", "a");
    let ask = "add \"butter\" to ~/notes/shopping.txt and delete ~/in/a.tmp";
    let card = bot.says(ask).await;
    assert!(card.starts_with("I added to shopping.txt: butter."), "{card}");
    assert!(card.contains("May I delete this?"), "{card}");
    let said = bot.says("no").await;
    assert_eq!(
        said,
        "All right, I stop there. What I did before I asked stays; “undo” takes it back."
    );
    assert_eq!(text_of(&list), "milk\nbutter\n");
    bot.says("undo").await;
    assert_eq!(text_of(&list), "milk\n");

    bot.says(ask).await;
    bot.says("yes").await;
    assert!(!bot.has("in/a.tmp") && text_of(&list) == "milk\nbutter\n");
    bot.says("undo").await;
    assert!(
        bot.has("in/a.tmp") && text_of(&list) == "milk\n",
        "one request, one undo: {}",
        bot.transcript()
    );

    // Nothing was done before a card that comes first.
    bot.says("delete ~/in/a.tmp").await;
    assert_eq!(bot.says("no").await, "All right, nothing was done.");
}
