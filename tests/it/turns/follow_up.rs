//! "delete them", "and in ~/notes?": a message that goes on with the one before it, and what no message goes on with.

use metnos::{
    clock::Clock,
    domain::{ids::ChannelKind, inbound::InboundBody, lang::Lang, reply::ButtonKind},
};

use super::{bot_at, clock, pair, understood};
use crate::support::bot::{TestBot, text_of};

/// Two letters and a picture in the documents, one letter among the notes.
async fn bot(lang: Lang) -> (TestBot, Clock) {
    let clock = clock("2026-05-04T10:00:00Z");
    let bot = bot_at(&clock, lang).await;
    bot.file("docs/a.txt", "alpha");
    bot.file("docs/b.txt", "beta and more");
    bot.file("docs/c.jpg", "");
    bot.file("notes/d.txt", "delta");
    (bot, clock)
}

#[tokio::test]
async fn a_message_goes_on_with_the_one_before() {
    let (mut bot, _) = bot(Lang::EN).await;
    bot.says("find the txt files in ~/docs").await;
    assert_eq!(bot.says("how many are they?").await, "2");
    assert!(bot.says("thanks!").await.contains("welcome"));
    bot.says("find the txt files in ~/docs").await;
    let rows = [
        ("and in ~/notes?", "d.txt", "find the txt files in ~/notes"),
        ("and the jpg files?", "", "find the jpg files in ~/notes"),
        ("and in ~/docs?", "c.jpg", "find the jpg files in ~/docs"),
        ("and txt?", "a.txt", "find the txt files in ~/docs"),
        ("those in ~/notes", "d.txt", "find the txt files in ~/notes"),
        ("and those in ~/docs?", "a.txt", "find the txt files in ~/docs"),
        (
            "ok, only the biggest",
            "b.txt",
            "find the txt files in ~/docs and show me only the biggest",
        ),
        (
            "read it",
            "beta and more",
            "find the txt files in ~/docs and show me only the biggest and read it",
        ),
    ];
    goes_on(&mut bot, &rows).await;
}

/// Says each, and looks at what is heard and how it was understood.
async fn goes_on(bot: &mut TestBot, rows: &[(&str, &str, &str)]) {
    for (said, found, meant) in rows {
        let heard = bot.says(said).await;
        assert_eq!(understood(bot), *meant);
        assert!(heard.contains(found), "{said}: {heard}");
    }
}

#[tokio::test]
async fn a_message_chooses_among_what_was_found() {
    let (mut bot, _) = bot(Lang::EN).await;
    let rows = [
        ("find the files in ~/docs", "c.jpg", "find the files in ~/docs"),
        (
            "the biggest",
            "b.txt",
            "find the files in ~/docs and show me the biggest",
        ),
        ("find the files in ~/docs", "c.jpg", "find the files in ~/docs"),
        (
            "which are pictures?",
            "c.jpg",
            "find the files in ~/docs and show me those pictures?",
        ),
        ("list ~/docs", "c.jpg", "list ~/docs"),
        (
            "which ones are pictures?",
            "c.jpg",
            "list ~/docs and show me those pictures?",
        ),
        ("list ~/docs", "c.jpg", "list ~/docs"),
        (
            "which are 6 bytes or more?",
            "b.txt",
            "list ~/docs and show me those 6 bytes or more?",
        ),
        ("find the txt files in ~/docs", "a.txt", "find the txt files in ~/docs"),
        ("open the second one", "beta and more", "open ~/docs/b.txt"),
        ("find the files in ~/docs", "c.jpg", "find the files in ~/docs"),
        // What tells the others apart is never dropped.
        ("which are not pictures?", "“not”", "which are not pictures?"),
        ("find the pictures in ~/docs", "c.jpg", "find the pictures in ~/docs"),
        // Of another kind than those that were found: none, and not those of the whole home.
        (
            "which are txt?",
            "txt",
            "find the pictures in ~/docs and show me those txt?",
        ),
        ("find the txt files", "d.txt", "find the txt files"),
        ("which are in ~/docs?", "a.txt", "find the txt files in ~/docs?"),
        // All there are, wherever they are.
        ("which txt files do I have?", "d.txt", "which txt files do I have?"),
        ("find the txt files in ~/docs", "a.txt", "find the txt files in ~/docs"),
        ("open the second one", "beta and more", "open ~/docs/b.txt"),
        ("delete the file", "Which file", "delete the file"),
        ("never mind", "", "delete the file"),
        ("find the txt files in ~/docs", "a.txt", "find the txt files in ~/docs"),
        ("open the second one", "beta and more", "open ~/docs/b.txt"),
        // Of what was listed first, and not of the one that was opened.
        ("delete the first one", "docs/a.txt", "delete ~/docs/a.txt"),
    ];
    goes_on(&mut bot, &rows).await;
    bot.says("never mind").await;
    let places = "find the txt files in ~/docs and ~/notes";
    let rows = [
        (places, "d.txt", places),
        ("only those in ~/notes", "d.txt", "find the txt files in ~/notes"),
        (places, "d.txt", places),
        (
            "how many are in ~/docs?",
            "2",
            "find the txt files in ~/docs and count them",
        ),
        ("list ~/docs", "c.jpg", "list ~/docs"),
        ("the pictures", "c.jpg", "list ~/docs and show me those pictures"),
        ("find the pictures in ~/docs", "c.jpg", "find the pictures in ~/docs"),
        ("the txt files", "a.txt", "find the txt in ~/docs"),
        // Nothing to choose from: all there are.
        ("what time is it", ":", "what time is it"),
        ("the txt files", "d.txt", "the txt files"),
    ];
    goes_on(&mut bot, &rows).await;
}

/// What came, went or was shown since changes nothing of which one is the second.
#[tokio::test]
async fn a_place_in_a_list_is_the_one_that_was_seen_there() {
    let (mut bot, _) = bot(Lang::EN).await;
    bot.says("find the txt files in ~/docs").await;
    bot.file("docs/0.txt", "came later");
    let rows = [
        ("the second", "beta and more", "show me ~/docs/b.txt"),
        ("open the first one", "alpha", "open ~/docs/a.txt"),
        ("how big is the last?", "13 B", "how big is ~/docs/b.txt?"),
        ("send me the last but one", "a.txt", "send me ~/docs/a.txt"),
        ("delete the first", "docs/a.txt", "delete ~/docs/a.txt"),
    ];
    goes_on(&mut bot, &rows).await;
    bot.says("yes").await;
    assert!(!bot.has("docs/a.txt") && bot.has("docs/0.txt"));
    bot.says("move the second to ~/box").await;
    assert!(bot.has("box/b.txt") && bot.has("docs/0.txt"), "{}", bot.transcript());
    bot.says("find the txt files in ~/notes").await;
    bot.says("find the txt files in ~/docs").await;
    let rows = [
        ("how big is the first?", "B", "how big is ~/docs/0.txt?"),
        ("find the txt files in ~/docs", "0.txt", "find the txt files in ~/docs"),
        ("open the first", "came later", "open ~/docs/0.txt"),
        // The one that was opened.
        ("move it to ~/crate", "", "move ~/docs/0.txt to ~/crate"),
        ("find the files in ~/docs", "c.jpg", "find the files in ~/docs"),
        ("just a second", "", "just a second"),
        ("find the files in ~/docs", "c.jpg", "find the files in ~/docs"),
        // Its name, or all that is in it?
        (
            "add the first to the shopping list",
            "",
            "add the first to the shopping list",
        ),
    ];
    goes_on(&mut bot, &rows).await;
    assert!(bot.has("crate/0.txt") && !bot.has("notes/shopping.txt"));
    // More than were listed: there is none.
    bot.says("find the txt files in ~/notes").await;
    let rows = [
        (
            "delete the third",
            "nothing",
            "find the txt files in ~/notes and delete the third",
        ),
        // Another request is in between, and nobody knows which second.
        ("what time is it", ":", "what time is it"),
        ("open the first", "", "open the first"),
    ];
    goes_on(&mut bot, &rows).await;
    assert!(bot.has("notes/d.txt"));
}

#[tokio::test]
async fn several_of_a_list_are_those_that_were_seen_there() {
    let (mut bot, _) = bot(Lang::EN).await;
    bot.says("find the files in ~/docs").await;
    bot.file("docs/0.txt", "came later");
    bot.says("delete all but the last two").await;
    bot.says("yes").await;
    assert!(!bot.has("docs/a.txt") && bot.has("docs/b.txt"), "{}", bot.transcript());
    assert!(bot.has("docs/c.jpg") && bot.has("docs/0.txt"), "{}", bot.transcript());
    bot.says("find the txt files in ~/docs").await;
    bot.says("move both to ~/box").await;
    assert!(bot.has("box/0.txt") && bot.has("box/b.txt"), "{}", bot.transcript());
}

/// As if it had been said at once: with a card that shows what is meant, and remembered as what it was.
#[tokio::test]
async fn what_is_done_with_the_answer_is_asked_about_as_ever() {
    let (mut bot, _) = bot(Lang::IT).await;
    bot.says("cerca i txt in ~/docs").await;
    // A look in between chooses nothing.
    assert_eq!(bot.says("quanti sono?").await, "2");
    let asked = bot.says("cancellali").await;
    assert_eq!(understood(&bot), "cerca i txt in ~/docs e cancellali");
    assert!(asked.contains("a.txt") && asked.contains("b.txt"), "{asked}");
    assert!(!asked.contains("c.jpg") && !asked.contains("d.txt"), "{asked}");
    assert!(bot.has("docs/a.txt"));
    bot.says("sì").await;
    assert!(!bot.has("docs/a.txt") && !bot.has("docs/b.txt") && bot.has("docs/c.jpg"));
    // Nothing is done twice: what changed something is over.
    let again = bot.says("cancellali").await;
    assert_eq!(understood(&bot), "cancellali", "{again}");
    bot.says("annulla").await;
    assert!(bot.has("docs/a.txt") && bot.has("docs/b.txt"));
}

#[tokio::test]
async fn a_message_goes_on_with_nothing_that_changed_failed_or_was_wrong() {
    let (mut bot, clock) = bot(Lang::EN).await;
    let alone = bot.says("delete them").await;
    assert_eq!(understood(&bot), "delete them", "{alone}");
    bot.says("move ~/notes/d.txt to ~/box").await;
    assert!(bot.has("box/d.txt"));
    let about_a_move = bot.says("move it to ~/crate").await;
    assert!(bot.has("box/d.txt"), "{about_a_move}");
    bot.says("find the txt files in ~/docs").await;
    bot.says("find the txt files in the attic room").await;
    bot.says("move them to ~/crate").await;
    assert!(bot.has("docs/a.txt"), "nobody knows what that was about");
    bot.says("no").await;
    bot.says("find the txt files in ~/docs").await;
    bot.taps(ButtonKind::Reject).await;
    bot.says("move them to ~/crate").await;
    assert!(bot.has("docs/a.txt"), "the answer was wrong");
    bot.says("find the files in ~/docs").await;
    clock.advance(std::time::Duration::from_secs(601));
    bot.says("move them to ~/crate").await;
    assert!(bot.has("docs/a.txt"), "too long ago");
    // Of one that was chosen no more than that one is meant.
    bot.says("find the txt files in ~/docs").await;
    bot.says("only the biggest").await;
    bot.says("how big is it?").await;
    bot.says("move it to ~/crate").await;
    assert!(bot.has("crate/b.txt") && bot.has("docs/a.txt"), "{}", bot.transcript());
    bot.says("undo").await;
    for alone in ["buy milk", "what time is it", "find the jpg files in ~/docs", "undo"] {
        bot.says("find the txt files in ~/docs").await;
        bot.says(alone).await;
        assert_eq!(understood(&bot), alone);
    }
}

#[tokio::test]
async fn nobody_goes_on_with_what_another_said_or_passed_on() {
    let (mut bot, _) = bot(Lang::EN).await;
    pair(&mut bot, "phone").await;
    bot.telegram("phone", "find the txt files in ~/docs").await;
    let elsewhere = bot.says("move them to ~/crate").await;
    assert!(bot.has("docs/a.txt"), "another conversation: {elsewhere}");
    let forwarded = InboundBody::Forwarded("find the txt files in ~/docs".to_owned());
    bot.telegram_does("phone", forwarded).await;
    bot.hears(ChannelKind::Telegram).await;
    bot.telegram("phone", "move them to ~/crate").await;
    assert!(bot.has("docs/a.txt"), "nobody typed the first half");
    bot.telegram("phone", "find the txt files in ~/docs").await;
    let forwarded = InboundBody::Forwarded("move them to ~/crate".to_owned());
    bot.telegram_does("phone", forwarded).await;
    bot.hears(ChannelKind::Telegram).await;
    assert!(bot.has("docs/a.txt"), "nobody typed the second half");
}

/// What is said next is of the list that was spoken of, with the verb of then where it has none.
#[tokio::test]
async fn more_is_said_of_the_same_list() {
    let (mut bot, _) = bot(Lang::EN).await;
    let list = bot.file("notes/shopping.txt", "bread\n");
    for (words, after) in [
        ("show me the shopping list", "bread\n"),
        ("add milk", "bread\nmilk\n"),
        ("and eggs", "bread\nmilk\neggs\n"),
        ("two lemons too", "bread\nmilk\neggs\ntwo lemons\n"),
        ("thanks!", "bread\nmilk\neggs\ntwo lemons\n"),
        ("remove the bread", "milk\neggs\ntwo lemons\n"),
        ("and the milk", "eggs\ntwo lemons\n"),
        ("and add rice and tea to it", "eggs\ntwo lemons\nrice\ntea\n"),
        ("undo", "eggs\ntwo lemons\n"),
    ] {
        let heard = bot.says(words).await;
        assert_eq!(text_of(&list), after, "{words}: {heard}");
    }
    let mut bot = self::bot(Lang::IT).await.0;
    let list = bot.file("notes/spesa.txt", "pane\n");
    bot.says("aggiungi il latte alla spesa").await;
    bot.says("e anche un chilo e mezzo di mele").await;
    bot.says("togli il pane").await;
    assert_eq!(text_of(&list), "latte\nun chilo e mezzo di mele\n");
    bot.says("crea una lista per la festa").await;
    bot.says("aggiungi le candeline").await;
    bot.says("e la torta").await;
    assert_eq!(
        text_of(&bot.home().join("notes/festa.txt")),
        "- [ ] candeline\n- [ ] torta\n"
    );
}

#[tokio::test]
async fn nothing_is_a_line_that_may_be_something_else() {
    let (mut bot, clock) = bot(Lang::EN).await;
    let list = bot.file("notes/shopping.txt", "bread\n");
    for words in [
        "eggs",
        "thanks a lot dear",
        "and what about eggs?",
        "and call me tomorrow",
        "and remind me to call Anna",
        "and how many are they",
        "remove it",
        "and eggs in ~/docs/new.txt",
        "add eggs to the list of guests",
    ] {
        bot.says("add milk to the shopping list").await;
        let heard = bot.says(words).await;
        assert_eq!(text_of(&list), "bread\nmilk\n", "{words}: {heard}");
        if heard.starts_with("When exactly?") {
            bot.says("cancel").await;
        }
        bot.file("notes/shopping.txt", "bread\n");
    }
    bot.says("read ~/docs/a.txt").await;
    bot.says("and eggs").await;
    bot.says("add milk to the shopping list").await;
    bot.taps(ButtonKind::Reject).await;
    bot.says("and eggs").await;
    bot.says("add tea to the shopping list").await;
    clock.advance(std::time::Duration::from_secs(601));
    bot.says("and eggs").await;
    assert!(!text_of(&list).contains("eggs"), "{}", bot.transcript());
}

/// A list with bread on it after a conversation about it, the last request as it was understood, and its answer.
async fn follows(bot: &mut TestBot, name: &str, conversation: &[&str]) -> (String, String, String) {
    let list = bot.file(&format!("notes/{name}"), "bread\n");
    let mut heard = String::new();
    for words in conversation {
        heard = bot.says(words).await;
    }
    (text_of(&list), understood(bot), heard)
}

#[tokio::test]
async fn a_list_is_shown_and_emptied_by_pointing_at_it() {
    let mut bot = self::bot(Lang::EN).await.0;
    let before = "add milk to the shopping list";
    for words in [
        "read it",
        "ok, show me please",
        "show it",
        "what's on it?",
        "what's on the list?",
        "what is on it now?",
        "what does it say?",
    ] {
        let (list, meant, heard) = follows(&mut bot, "shopping.txt", &[before, words]).await;
        assert_eq!(meant, "read the shopping list", "{words}: {heard}");
        assert!(
            list == "bread\nmilk\n" && heard.contains("bread") && heard.contains("milk"),
            "{words}: {heard}"
        );
    }
    for words in ["clear it", "empty it please", "clear the list"] {
        let (list, meant, heard) = follows(&mut bot, "shopping.txt", &[before, words]).await;
        assert_eq!(
            (list.as_str(), meant.as_str()),
            ("", "clear the shopping list"),
            "{words}: {heard}"
        );
    }
    let shown = ["show the shopping list", "empty it", "add tea", "and jam", "show me"];
    let (list, _, heard) = follows(&mut bot, "shopping.txt", &shown).await;
    assert_eq!(list, "- [ ] tea\n- [ ] jam\n", "{heard}");
    assert!(heard.contains("jam"), "{heard}");
    let mut bot = self::bot(Lang::IT).await.0;
    let before = "aggiungi latte alla spesa";
    for words in [
        "leggila",
        "mostramela",
        "fammela vedere",
        "cosa c'è nella lista?",
        "cosa c'è?",
        "com'è adesso?",
    ] {
        let (list, meant, heard) = follows(&mut bot, "spesa.txt", &[before, words]).await;
        assert_eq!(meant, "leggi la lista spesa", "{words}: {heard}");
        assert!(list == "bread\nlatte\n" && heard.contains("latte"), "{words}: {heard}");
    }
    for words in ["svuotala", "svuotala tutta per favore", "svuota la lista"] {
        let (list, _, heard) = follows(&mut bot, "spesa.txt", &[before, words]).await;
        assert_eq!(list, "", "{words}: {heard}");
    }
}

#[tokio::test]
async fn nothing_is_emptied_that_may_not_be_meant() {
    let mut bot = self::bot(Lang::EN).await.0;
    for (before, words) in [
        ("add milk to the shopping list", "clear"),
        ("add milk to the shopping list", "clear them"),
        ("add milk to the shopping list", "don't clear it"),
        ("add milk to the shopping list", "clear it tomorrow"),
        ("add milk to the shopping list", "clear it and the diary"),
        ("read ~/notes/shopping.txt", "empty it"),
        ("find the txt files in ~/notes", "empty it"),
        ("aggiungi latte alla lista shopping", "non svuotarla"),
        ("aggiungi latte alla lista shopping", "svuotale"),
    ] {
        let (list, _, heard) = follows(&mut bot, "shopping.txt", &[before, words]).await;
        assert!(list.starts_with("bread\n"), "{words}: {heard}");
    }
    // "what?" and "what's new?" ask for something else.
    for words in [
        "what?",
        "what's on?",
        "show me ~/docs",
        "show me tomorrow",
        "che c'è di nuovo?",
    ] {
        let (_, meant, heard) = follows(&mut bot, "shopping.txt", &["add milk to the shopping list", words]).await;
        assert_eq!(meant, words, "{heard}");
    }
}

#[tokio::test]
async fn what_was_meant_takes_the_place_of_what_was_added() {
    let (mut english, mut italian) = (self::bot(Lang::EN).await.0, self::bot(Lang::IT).await.0);
    for (before, words, after) in [
        ("add milk to the shopping list", "no, oat milk", "bread\noat milk\n"),
        ("add milk to the shopping list", "I meant oat milk", "bread\noat milk\n"),
        (
            "add milk to the shopping list",
            "sorry, I meant the tea please",
            "bread\ntea\n",
        ),
        ("shopping list: two lemons", "no, three lemons", "bread\nthree lemons\n"),
        // The one that was there before stays.
        (
            "add bread to the shopping list",
            "actually, rye bread",
            "bread\nrye bread\n",
        ),
        ("aggiungi milk alla lista shopping", "anzi no, pane", "bread\npane\n"),
        ("aggiungi milk alla lista shopping", "anzi, pane", "bread\npane\n"),
        (
            "aggiungi milk alla lista shopping",
            "scusa, volevo dire il pane integrale",
            "bread\npane integrale\n",
        ),
    ] {
        let bot = if before.contains("aggiungi") {
            &mut italian
        } else {
            &mut english
        };
        let (list, _, heard) = follows(bot, "shopping.txt", &[before, words]).await;
        assert_eq!(list, after, "{words}: {heard}");
        let (list, _, _) = follows(bot, "shopping.txt", &[before, words, "undo"]).await;
        assert!(!list.contains("oat") && !list.contains("rye"), "one step back: {list}");
    }
}

#[tokio::test]
async fn nothing_takes_the_place_of_what_nobody_put_right() {
    let mut bot = self::bot(Lang::EN).await.0;
    let one = "add milk to the shopping list";
    for (before, words) in [
        (one, "no, wrong"),
        (one, "no, thanks a lot dear"),
        (one, "no milk"),
        (one, "no, not milk"),
        (one, "no, the milk list"),
        (one, "actually, never mind"),
        (one, "actually that's fine"),
        (one, "actually, we have milk"),
        (one, "I meant the todo list"),
        (one, "I meant tomorrow"),
        (one, "I meant two"),
        (one, "I meant oat milk?"),
        (one, "I meant to remove bread"),
        (one, "actually, remove it"),
        (one, "anzi lascia stare"),
        (one, "anzi va bene così"),
    ] {
        let (list, _, heard) = follows(&mut bot, "shopping.txt", &[before, words]).await;
        assert_eq!(list, "bread\nmilk\n", "{words}: {heard}");
    }
    for (before, words, after) in [
        (
            "add milk and eggs to the shopping list",
            "no, oat milk",
            "bread\nmilk\neggs\n",
        ),
        ("remove bread from the shopping list", "I meant milk", ""),
        ("show the shopping list", "I meant milk", "bread\n"),
        ("clear the shopping list", "I meant milk", ""),
    ] {
        let (list, _, heard) = follows(&mut bot, "shopping.txt", &[before, words]).await;
        assert_eq!(list, after, "{before}, {words}: {heard}");
    }
}

/// Nothing is looked for elsewhere when nobody can tell which of those are meant.
#[tokio::test]
async fn what_cannot_be_told_of_those_found_is_asked_again() {
    let (mut bot, _) = bot(Lang::EN).await;
    bot.file("docs/deep/e.txt", "epsilon, the longest of them all");
    bot.file("docs/f.md", "");
    bot.says("find the txt files").await;
    let rows = [
        ("the ones in ~/docs", "a.txt", "find the txt files in ~/docs"),
        ("find the txt files", "d.txt", "find the txt files"),
        ("show me the ones in ~/docs", "a.txt", "find the txt files in ~/docs"),
        ("find the files in ~/docs", "f.md", "find the files in ~/docs"),
        (
            "how many are txt?",
            "3",
            "find the files in ~/docs and show me those txt and count them",
        ),
        ("how many txt files are there?", "4", "how many txt files are there?"),
        ("how many in ~/docs?", "3", "how many txt files are there in ~/docs?"),
    ];
    goes_on(&mut bot, &rows).await;
    for (found, choice) in [
        ("find the two biggest txt files", "only those in ~/docs"),
        ("find the two biggest txt files", "how many are in ~/docs?"),
        ("find the files in ~/docs", "those with report in the name"),
    ] {
        bot.says(found).await;
        let heard = bot.says(choice).await;
        assert!(heard.contains("which of those"), "{choice}: {heard}");
        bot.says("delete them").await;
        bot.says("yes").await;
    }
    assert!(bot.has("docs/f.md") && bot.has("docs/c.jpg"), "{}", bot.transcript());
}
