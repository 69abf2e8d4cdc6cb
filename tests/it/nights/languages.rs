//! A language that the household added: asked for in chat, translated at night by a scripted model, checked, looked at,
//! changed by hand; and what is answered in one that nobody here reads.

use metnos::{app::LOCK, clock::Clock, domain::lang::Lang, kick};
use serde_json::json;

use super::{DAY, run_job};
use crate::{
    support::{
        bot::{Setup, TestBot},
        llama::{Script, ScriptedLlama},
    },
    turns::{bot_at, clock, layer, pair},
};

const JOB: &str = "i18n_translate_pending";

/// What runs is told that another process changed something.
fn kicked(bot: &TestBot) {
    kick::kick(&bot.data_dir().join(LOCK), Clock::system().now()).unwrap();
}

async fn with_model(clock: &Clock, llama: &ScriptedLlama) -> TestBot {
    let setup = Setup {
        clock: clock.clone(),
        llm: Some(llama.config()),
        ..Setup::default()
    };
    TestBot::with(setup).await
}

/// What is said once it is said so; texts are read anew beside the conversation.
async fn until_says(bot: &mut TestBot, words: &str, answer: &str) {
    let mut said = String::new();
    for _ in 0..200 {
        said = bot.says(words).await;
        if said.contains(answer) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("“{said}” is not “{answer}”");
}

#[tokio::test]
async fn a_language_is_learned_by_asking_translated_at_night_and_kept_where_a_hand_was_at_it() {
    let clock = clock("2026-03-10T12:00:00Z");
    let llama = ScriptedLlama::start().await;
    let good = "```\nhello = Bonjour { $name } ! Dis-moi ce qu'il te faut. /help montre ce que je sais faire.\n```";
    llama.when("MESSAGE\nhello =", Script::Say(good.to_owned()));
    // The command is gone: nobody could follow it.
    let bad = "stranger = Cet assistant est à un foyer. Demande un code et envoie : /associer CODE";
    llama.when("MESSAGE\nstranger =", Script::Say(bad.to_owned()));
    let mut bot = with_model(&clock, &llama).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    assert!(
        bot.says("/me language fr")
            .await
            .contains("I speak these languages: en, it.")
    );
    assert!(bot.telegram("anna", "also speak French").await.contains("host"));
    let added = bot.says("also speak French").await;
    assert!(
        added.starts_with("I am learning French.") && added.contains("20 every night"),
        "{added}"
    );
    assert!(
        bot.says("/language add francese")
            .await
            .starts_with("I am learning French already")
    );
    assert!(
        bot.says("/me language fr")
            .await
            .contains("English where it is not yet")
    );
    assert!(
        bot.says("/start").await.starts_with("Hello "),
        "nothing is translated yet"
    );

    assert_eq!(run_job(&bot, &clock, JOB).await, "done");
    assert_eq!(llama.requests().len(), 20, "so many a night");
    let system = llama.requests()[0]["messages"][0]["content"].to_string();
    assert!(system.contains("braces stays letter by letter"), "{system}");
    assert!(bot.says("/start").await.starts_with("Bonjour "));
    let review = bot.says("/language review").await;
    assert!(
        review.contains("runtime/hello (translated)") && review.contains("+ hello = Bonjour"),
        "{review}"
    );
    assert!(
        review.contains("/associer") && review.contains("another address or command"),
        "{review}"
    );
    let list = bot.says("/language").await;
    assert!(
        list.contains("fr (French): 1 of ") && list.contains("en (English): built in"),
        "{list}"
    );

    // A hand is at it: kept, whatever the nights bring.
    let file = bot.data_dir().join("languages/fr/runtime.ftl");
    let texts = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, texts.replace("Bonjour", "Salut")).unwrap();
    kicked(&bot);
    until_says(&mut bot, "/start", "Salut ").await;
    clock.advance(DAY);
    run_job(&bot, &clock, JOB).await;
    assert!(bot.says("/start").await.starts_with("Salut "));
    bot.restart().await;
    assert!(bot.says("/start").await.starts_with("Salut "));
    // The nights may have run by themselves as well, and a review shows only so much.
    let list = bot.says("/language").await;
    assert!(list.contains("1 of them by hand"), "{list}");
}

#[tokio::test]
async fn without_a_model_translations_wait_and_what_nobody_reads_is_answered_honestly() {
    let clock = clock("2026-03-10T12:00:00Z");
    let mut bot = bot_at(&clock, Lang::EN).await;
    bot.file("docs/a.pdf", "a");
    bot.says("/language add fr").await;
    bot.says("/me language fr").await;
    assert_eq!(run_job(&bot, &clock, JOB).await, "quiet");
    let honest = bot.says("trouve les fichiers pdf dans ~/docs").await;
    assert!(
        honest.contains("Without a language model I only understand English and Italian."),
        "{honest}"
    );
    for request in [
        "supprime tous les fichiers dans ~/docs",
        "rappelle-moi dans 10 minutes de sortir le pain",
        "liste les fichiers dans ~/docs sans les pdf",
        "ne supprime pas ~/docs/a.pdf",
        "quelle heure est-il",
    ] {
        let said = bot.says(request).await;
        assert!(said.contains("Without a language model"), "{request}: {said}");
    }
    assert!(bot.has("docs/a.pdf"));
    // In its own language, once that is there; and whoever writes another one is read as ever.
    let file = bot.data_dir().join("languages/fr/engine.ftl");
    std::fs::write(
        &file,
        "terminator-no-lexicon = Sans modèle de langue je ne comprends que l'anglais et l'italien.\n",
    )
    .unwrap();
    kicked(&bot);
    until_says(&mut bot, "trouve les fichiers pdf dans ~/docs", "Sans modèle de langue").await;
    assert!(bot.says("find the pdf files in ~/docs").await.contains("a.pdf"));
    assert_eq!(layer(&bot), "simple 0");
    assert!(bot.says("trova i file pdf in ~/docs").await.contains("a.pdf"));
}

#[tokio::test]
async fn with_a_model_any_language_is_understood_and_remembered_word_by_word() {
    let clock = clock("2026-03-10T12:00:00Z");
    let llama = ScriptedLlama::start().await;
    let plan = |pattern: &str| {
        json!({"verb": "find", "object": "files", "confidence": 0.95, "show": true,
               "steps": [{"tool": "find_files", "args": {"base_path": "~/docs", "pattern": pattern}}]})
    };
    llama.when_json("REQUEST (in French)\ntrouve les fichiers avec", &plan("*.pdf"));
    llama.when_json("REQUEST (in French)\ntrouve les fichiers sans", &plan("*.txt"));
    let mut bot = with_model(&clock, &llama).await;
    bot.file("docs/a.pdf", "a");
    bot.file("docs/b.txt", "b");
    bot.says("/language add fr").await;
    bot.says("/me language fr").await;
    let found = bot.says("trouve les fichiers avec pdf dans ~/docs").await;
    assert!(found.contains("a.pdf") && !found.contains("b.txt"), "{found}");
    assert!(
        bot.says("trouve les fichiers avec pdf dans ~/docs")
            .await
            .contains("a.pdf")
    );
    assert_eq!(layer(&bot), "fastpath 0", "the very same words need no model");
    // One word apart, and the contrary: nobody here can tell, so memory must not.
    let found = bot.says("trouve les fichiers sans pdf dans ~/docs").await;
    assert!(found.contains("b.txt") && !found.contains("a.pdf"), "{found}");
    assert_eq!(llama.requests().len(), 2);
}
