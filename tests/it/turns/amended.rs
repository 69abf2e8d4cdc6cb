//! "anzi facciamo 8", "no, to notes", "oh and toothpaste": one value that a message puts right or adds. What was done with
//! the wrong one is taken back first, and nothing is ever done a second time beside it.

use metnos::domain::{ids::ChannelKind, inbound::InboundBody, lang::Lang};

use super::{again, bot_at, change, clock, pair, rows, understood};
use crate::support::bot::{TestBot, text_of};

async fn bot(lang: Lang) -> TestBot {
    let bot = bot_at(&clock("2026-05-04T10:00:00Z"), lang).await;
    for (path, text) in [
        ("docs/letter.txt", "Dear Anna"),
        ("docs/contract.txt", "rent"),
        ("notes/shopping.txt", "milk\n"),
        ("notes/lista della spesa.txt", "latte\n"),
        ("old/x.pdf", "x"),
    ] {
        bot.file(path, text);
    }
    bot
}

/// Effects that stand, by their executors.
fn standing(bot: &TestBot) -> Vec<String> {
    rows(
        bot,
        "SELECT tool FROM effects WHERE state = 'done' AND tool <> 'undo_last_turn'",
    )
}

#[tokio::test]
async fn a_value_that_is_put_right_takes_the_place_of_the_wrong_one() {
    let rows = [
        (
            "set a timer for 10 minutes",
            "actually make that 8",
            "set a timer for 8 minutes",
        ),
        (
            "timer for 10 minutes for the pasta",
            "no, half an hour",
            "timer for half an hour for the pasta",
        ),
        (
            "wake me at 7 tomorrow",
            "sorry, I meant 7:30",
            "wake me at 7:30 tomorrow",
        ),
        (
            "remind me to call mum tomorrow at 5pm",
            "actually make it 6",
            "remind me to call mum tomorrow at 6pm",
        ),
        (
            "move docs/letter.txt to old",
            "no, to notes",
            "move docs/letter.txt to notes",
        ),
        (
            "move docs/letter.txt to old",
            "I meant docs/contract.txt",
            "move docs/contract.txt to old",
        ),
        (
            "wake me at 7 tomorrow",
            "hmm make it 6:45 actually",
            "wake me at 6:45 tomorrow",
        ),
        (
            "5 min timer for the tea",
            "sorry make that 6",
            "6 min timer for the tea",
        ),
        (
            "rename docs/letter.txt to anna.txt",
            "no, annina.txt",
            "rename docs/letter.txt to annina.txt",
        ),
    ];
    put_right(Lang::EN, &rows).await;
}

#[tokio::test]
async fn and_so_does_one_in_italian() {
    let rows = [
        (
            "timer di 10 minuti per la pasta",
            "anzi facciamo 8",
            "timer di 8 minuti per la pasta",
        ),
        (
            "svegliami domani alle 7",
            "anzi alle 7 e mezza",
            "svegliami domani alle 7 e mezza",
        ),
        (
            "svegliami domani alle 7",
            "no facciamo alle 7 e un quarto",
            "svegliami domani alle 7 e un quarto",
        ),
        (
            "ricordami di chiamare mamma alle 17",
            "anzi no, alle 18",
            "ricordami di chiamare mamma alle 18",
        ),
        (
            "sposta docs/letter.txt in old",
            "no, in notes",
            "sposta docs/letter.txt in notes",
        ),
    ];
    put_right(Lang::IT, &rows).await;
}

/// Says the first and then the second of each, and expects one change that stands, as it is meant.
async fn put_right(lang: Lang, rows: &[(&str, &str, &str)]) {
    for (first, amends, meant) in rows {
        let mut bot = bot(lang).await;
        bot.says(first).await;
        let done = standing(&bot);
        assert_eq!(done.len(), 1, "{first}");
        bot.says(amends).await;
        assert_eq!(understood(&bot), *meant);
        assert_eq!(standing(&bot), done, "{amends}: one of them stands");
    }
}

#[tokio::test]
async fn what_is_put_right_is_taken_back_at_a_word() {
    let mut bot = bot(Lang::EN).await;
    bot.says("move docs/letter.txt to old").await;
    let heard = bot.says("no, to notes").await;
    assert!(
        heard.contains("Back in place: letter.txt") && heard.contains("is now in ~/notes"),
        "{heard}"
    );
    bot.says("undo").await;
    assert!(bot.has("docs/letter.txt"));
    assert_eq!(bot.says("undo").await, "There is nothing to undo.");
}

#[tokio::test]
async fn what_was_taken_back_is_found_where_it_is_again() {
    let mut bot = bot(Lang::IT).await;
    bot.file("scaricati/biglietto.pdf", "x");
    bot.file("backup/x.pdf", "x");
    bot.says("metti il biglietto in docs").await;
    assert!(bot.has("docs/biglietto.pdf"));
    let heard = bot.says("no aspetta, in backup").await;
    assert!(
        bot.has("backup/biglietto.pdf") && !bot.has("docs/biglietto.pdf"),
        "{heard}"
    );
}

#[tokio::test]
async fn what_only_looked_is_looked_at_anew() {
    let mut bot = bot(Lang::EN).await;
    bot.says("find the txt files in docs").await;
    let heard = bot.says("no, in notes").await;
    assert!(heard.contains("shopping.txt") && !heard.contains("took"), "{heard}");
}

#[tokio::test]
async fn what_cannot_be_taken_back_is_not_done_a_second_time() {
    let mut bot = bot(Lang::EN).await;
    bot.says("set a timer for 10 minutes").await;
    change(&bot, "UPDATE effects SET reversals = '[]'");
    bot.says("no, 8 minutes").await;
    assert_eq!(standing(&bot).len(), 1);
    assert_eq!(understood(&bot), "no, 8 minutes");
}

#[tokio::test]
async fn what_says_more_than_a_value_puts_nothing_right() {
    for other in [
        "no, wait",
        "no, cancel the 8",
        "what about 8?",
        "8",
        "no, 8 or 9",
        "don't make it 8",
        "if it rains make it 8",
        "no, not 8 minutes",
        "actually, if they are frozen 12 minutes",
        "actually, I'm back in 20 minutes",
        "actually, is 8 minutes enough?",
    ] {
        let mut bot = bot(Lang::EN).await;
        bot.says("set a timer for 10 minutes").await;
        bot.says(other).await;
        assert_eq!(understood(&bot), other);
        assert_eq!(standing(&bot).len(), 1, "{other}");
    }
}

#[tokio::test]
async fn what_is_a_request_of_its_own_puts_nothing_right() {
    for (first, other) in [
        ("move docs/letter.txt to old", "actually, show me docs/contract.txt"),
        ("move docs/letter.txt to old", "actually create the folder docs/new"),
        ("move docs/letter.txt to old", "no, notes"),
        ("remind me to call mum tomorrow at 9am", "no, 3pm"),
        ("remind me at noon to buy 2 pizzas", "no, at 5pm"),
        ("wake me at half past 7 tomorrow", "no, at 8"),
        (
            "add \"butter\" to ~/notes/shopping.txt and move docs/letter.txt to old",
            "no, to notes",
        ),
    ] {
        let mut bot = bot(Lang::EN).await;
        bot.says(first).await;
        let done = standing(&bot);
        bot.says(other).await;
        let undone = rows(&bot, "SELECT tool FROM effects WHERE state = 'undone'");
        assert_eq!(undone, [""; 0], "{first}, {other}: {}", understood(&bot));
        assert!(standing(&bot).starts_with(&done), "{first}, {other}");
    }
    let mut bot = bot(Lang::EN).await;
    bot.says("delete docs/letter.txt").await;
    bot.says("no, create the folder docs/new").await;
    assert!(
        rows(&bot, "SELECT request FROM turns")
            .iter()
            .all(|request| request != "delete docs/new")
    );
}

#[tokio::test]
async fn what_was_begun_is_not_begun_again() {
    let mut bot = bot(Lang::EN).await;
    bot.says("add \"butter\" to ~/notes/shopping.txt and delete docs/letter.txt")
        .await;
    bot.says("no, docs/contract.txt").await;
    let mut heard = bot.says("what time is it").await;
    while !heard.contains("12:00") {
        heard = bot.hears(ChannelKind::Terminal).await.plain();
    }
    assert_eq!(standing(&bot), ["write_files"]);
}

#[tokio::test]
async fn a_card_is_put_right_before_anything_is_done() {
    for (lang, deletes, amends, dropped, asked) in [
        (
            Lang::EN,
            "delete docs/letter.txt",
            "No, I meant docs/contract.txt",
            "I put my question aside for this. Ask again if you still want it.",
            "May I delete this?",
        ),
        (
            Lang::IT,
            "cancella docs/letter.txt",
            "no, volevo dire docs/contract.txt",
            "Metto da parte la mia domanda. Chiedimelo di nuovo se lo vuoi ancora.",
            "Posso cancellare questo?",
        ),
    ] {
        let mut bot = bot(lang).await;
        bot.says(deletes).await;
        assert_eq!(bot.says(amends).await, dropped);
        let card = bot.hears(ChannelKind::Terminal).await.plain();
        assert!(card.starts_with(asked) && card.contains("contract.txt"), "{card}");
        assert!(bot.has("docs/letter.txt") && bot.has("docs/contract.txt"));
    }
}

#[tokio::test]
async fn a_no_after_a_correction_says_that_the_first_change_stays_taken_back() {
    for (lang, [deletes, yes, amends, no], said) in [
        (
            Lang::EN,
            ["delete docs/letter.txt", "yes", "No, I meant docs/contract.txt", "no"],
            "All right, I did nothing instead. The change I took back before I asked stays taken back.",
        ),
        (
            Lang::IT,
            [
                "cancella docs/letter.txt",
                "sì",
                "no, volevo dire docs/contract.txt",
                "no",
            ],
            "Va bene, non ho fatto altro al suo posto. La modifica annullata prima della mia domanda resta annullata.",
        ),
    ] {
        let mut bot = bot(lang).await;
        bot.says(deletes).await;
        bot.says(yes).await;
        assert!(!bot.has("docs/letter.txt"));
        let card = bot.says(amends).await;
        assert!(card.contains("contract.txt"), "{card}");
        assert_eq!(bot.says(no).await, said);
        assert!(bot.has("docs/letter.txt") && bot.has("docs/contract.txt"));
    }
}

/// Nothing of it stands: an undo would take back what was done before it.
#[tokio::test]
async fn a_correction_that_breaks_after_the_taking_back_advises_no_undo() {
    let mut bot = bot(Lang::EN).await;
    bot.says("add \"butter\" to ~/notes/shopping.txt").await;
    bot.says("move docs/letter.txt to old").await;
    change(
        &bot,
        "CREATE TRIGGER no_move BEFORE INSERT ON effects WHEN NEW.tool = 'move_files'
         BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    change(
        &bot,
        "CREATE TRIGGER no_turn BEFORE INSERT ON turns
         BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
    );
    let said = bot.says("no, to notes").await;
    assert_eq!(
        said,
        "I was interrupted after I had taken a change back. Nothing else was done: look at what came back, then ask \
         again for the rest."
    );
    assert!(bot.has("docs/letter.txt"));
    assert_eq!(standing(&bot), ["write_files"]);
}

#[tokio::test]
async fn a_card_for_forwarded_words_is_not_put_right() {
    let mut bot = bot(Lang::EN).await;
    pair(&mut bot, "phone").await;
    let forwarded = InboundBody::Forwarded("move docs/letter.txt to old".to_owned());
    bot.telegram_does("phone", forwarded).await;
    let card = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(card.starts_with("May I move this?"), "{card}");
    bot.telegram("phone", "no, to notes").await;
    // Behind another turn of the same conversation, all that was said before is done.
    let mut heard = bot.telegram("phone", "what time is it").await;
    while !heard.contains("12:00") {
        heard = bot.hears(ChannelKind::Telegram).await.plain();
    }
    assert!(bot.has("docs/letter.txt"), "{heard}");
    assert_eq!(standing(&bot), [""; 0]);
}

#[tokio::test]
async fn another_way_under_a_correction_means_the_correction() {
    let mut bot = bot(Lang::EN).await;
    bot.says("move the pdf files in old to notes").await;
    bot.says("no, to docs").await;
    assert_eq!(understood(&bot), "move the pdf files in old to docs");
    again(&mut bot).await;
    assert_eq!(understood(&bot), "move the pdf files in old to docs");
}

#[tokio::test]
async fn another_way_under_a_correction_that_found_nothing_means_the_correction() {
    let mut bot = bot(Lang::EN).await;
    bot.says("move the pdf files in old to docs").await;
    let heard = bot.says("no, in notes").await;
    assert!(bot.has("old/x.pdf"), "{heard}");
    assert_eq!(understood(&bot), "move the pdf files in notes to docs");
    again(&mut bot).await;
    assert_eq!(understood(&bot), "move the pdf files in notes to docs");
    assert!(bot.has("old/x.pdf"));
}

#[tokio::test]
async fn what_is_taken_back_in_part_is_not_done_anew_and_that_is_said() {
    let mut bot = bot(Lang::EN).await;
    bot.says("move the txt files in docs to old").await;
    assert!(bot.has("old/letter.txt") && bot.has("old/contract.txt"));
    bot.file("docs/letter.txt", "somebody else's");
    let heard = bot.says("no, to notes").await;
    assert!(
        heard.contains("I left out “move the txt files in docs to notes”"),
        "{heard}"
    );
    assert!(!bot.has("notes/letter.txt") && !bot.has("notes/contract.txt"));
}

#[tokio::test]
async fn nobody_puts_right_what_somebody_else_asked() {
    let mut bot = bot(Lang::EN).await;
    pair(&mut bot, "42").await;
    bot.says("set a timer for 10 minutes").await;
    bot.telegram("42", "no, 8 minutes").await;
    assert_eq!(standing(&bot).len(), 1);
}

#[tokio::test]
async fn what_was_not_understood_leaves_the_conversation_as_it_was() {
    let mut bot = bot(Lang::EN).await;
    bot.says("find the txt files in docs").await;
    for _ in 0..3 {
        bot.says("flurb the zork").await;
    }
    assert_eq!(bot.says("how many are they?").await, "2");
    for _ in 0..4 {
        bot.says("flurb the zork").await;
    }
    bot.says("how many are they?").await;
    assert_eq!(understood(&bot), "how many are they?");
}

#[tokio::test]
async fn a_list_gets_what_is_said_with_a_word_more() {
    for (lang, first, more, thing) in [
        (
            Lang::EN,
            "add washing powder to the shopping list",
            "oh and toothpaste",
            "toothpaste",
        ),
        (
            Lang::EN,
            "add rice to the shopping list",
            "actually make that pasta",
            "pasta",
        ),
        (
            Lang::IT,
            "aggiungi riso alla lista della spesa",
            "ah e anche la carta igienica",
            "carta igienica",
        ),
    ] {
        let mut bot = bot(lang).await;
        bot.says(first).await;
        bot.says(more).await;
        let lists = ["notes/shopping.txt", "notes/lista della spesa.txt"];
        let is_there = |list: &str| text_of(&bot.home().join(list)).lines().any(|line| line == thing);
        assert!(lists.into_iter().any(is_there), "{more}");
    }
}

#[tokio::test]
async fn what_is_said_in_a_fright_takes_the_last_change_back() {
    for (lang, deletes, yes, upset) in [
        (
            Lang::EN,
            "delete docs/letter.txt",
            "yes",
            "oops no i need that, bring it back",
        ),
        (
            Lang::EN,
            "delete docs/letter.txt",
            "yes",
            "wait, I still need it, put it back",
        ),
        (Lang::IT, "cancella docs/letter.txt", "sì", "no aspetta ripristinala"),
    ] {
        let mut bot = bot(lang).await;
        bot.says(deletes).await;
        bot.says(yes).await;
        assert!(!bot.has("docs/letter.txt"));
        bot.says(upset).await;
        assert!(bot.has("docs/letter.txt"), "{upset}");
    }
    let mut bot = bot(Lang::EN).await;
    bot.says("move docs/letter.txt to old").await;
    for other in [
        "if it rains, put it back",
        "don't put it back",
        "put it back and then delete it",
    ] {
        bot.says(other).await;
        assert!(bot.has("old/letter.txt"), "{other}");
    }
}
