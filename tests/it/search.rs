//! The web, asked with words: what is asked for by its own meaning, what the household lets go, what never leaves the
//! house, and what is said of engines that refuse.

use metnos::{config::SearchConfig, domain::lang::Lang};

use crate::support::{
    bot::{Setup, TestBot},
    web::FakeWeb,
};

async fn bot(search: SearchConfig, lang: Lang) -> TestBot {
    let setup = Setup {
        lang,
        search: Some(search),
        ..Setup::default()
    };
    TestBot::with(setup).await
}

#[tokio::test]
async fn what_is_asked_of_the_web_is_searched_and_listed() {
    let web = FakeWeb::start().await;
    let mut english = bot(web.searx(), Lang::EN).await;
    let heard = english.says("search the web for a recipe of ribollita").await;
    assert!(
        heard.contains("Ribollita") && heard.contains("https://example.org/ribollita"),
        "{heard}"
    );
    let mut italian = bot(web.wikipedia(), Lang::IT).await;
    let heard = italian.says("cerca su internet una ricetta della ribollita").await;
    assert!(heard.contains("https://it.wikipedia.org/wiki/Ribollita"), "{heard}");
    let mut brave = bot(web.brave(), Lang::EN).await;
    let heard = brave.says("look up the swimming pool online").await;
    assert!(heard.contains("Swimming pool"), "{heard}");
    assert_eq!(
        web.asked(),
        [
            ("searx/search", "recipe of ribollita"),
            ("wiki/it/w/api.php", "ricetta della ribollita"),
            ("brave/res/v1/web/search", "swimming pool"),
        ]
        .map(|(path, words)| (path.to_owned(), words.to_owned()))
    );
}

#[tokio::test]
async fn a_question_is_looked_up_after_one_yes_of_the_household() {
    let web = FakeWeb::start().await;
    let mut bot = bot(web.wikipedia(), Lang::EN).await;
    let heard = bot.says("who is the president of France?").await;
    assert!(
        heard.contains("say “search the web for president of France”"),
        "{heard}"
    );
    assert!(web.asked().is_empty(), "{:?}", web.asked());
    let heard = bot.says("/search on").await;
    assert!(heard.contains("are looked up with Wikipedia"), "{heard}");
    let heard = bot.says("who is the president of France?").await;
    assert!(
        heard.starts_with("The president of France is the head of state. Emmanuel Macron took office in 2017."),
        "{heard}"
    );
    assert!(
        heard.contains("https://en.wikipedia.org/wiki/President_of_France"),
        "{heard}"
    );
    // Whoever asks for things of the house asks nobody outside.
    let before = web.asked().len();
    for own in [
        "when is my appointment?",
        "what did we pay for the rent?",
        "who is in our house?",
    ] {
        bot.says(own).await;
    }
    assert_eq!(web.asked().len(), before, "{:?}", web.asked());
    let heard = bot.says("/search off").await;
    assert!(heard.contains("only when you ask for it"), "{heard}");
    let heard = bot.says("what is the capital of Peru?").await;
    assert!(heard.contains("say “search the web for"), "{heard}");
}

#[tokio::test]
async fn the_page_of_an_address_in_the_house_is_not_read() {
    let web = FakeWeb::start().await;
    let mut bot = bot(web.searx(), Lang::EN).await;
    bot.says("/search on").await;
    let heard = bot.says("what is the depth of the swimming pool of Atlantis").await;
    assert!(heard.contains("The swimming pool is open from 9 to 19."), "{heard}");
    assert!(
        web.asked().iter().all(|(path, _)| path == "searx/search"),
        "{:?}",
        web.asked()
    );
}

#[tokio::test]
async fn engines_that_refuse_are_said_to_refuse() {
    let web = FakeWeb::start().await;
    let mut bot = bot(web.searx(), Lang::EN).await;
    let refused = r#"{"results": [], "unresponsive_engines": [["duckduckgo", "CAPTCHA"], ["bing", "timeout"]]}"#;
    for (status, body, heard) in [
        (200, refused, "The search engines refused to answer (duckduckgo, bing)."),
        (429, "", "The search asks us to wait."),
        (500, "", "The search cannot be reached right now."),
        (200, "<html>", "The search answered something I cannot read."),
        (403, "", "The search does not accept its key."),
    ] {
        web.next(status, body);
        let answer = bot.says("search the web for a recipe of ribollita").await;
        assert!(answer.contains(heard), "{heard}\n  {answer}");
        assert!(!answer.contains("found no page"), "{answer}");
    }
    let nothing = bot.says("search the web for nothing at all").await;
    assert!(nothing.contains("I found no page for"), "{nothing}");
}

#[tokio::test]
async fn names_and_secrets_of_the_house_are_not_searched_for() {
    let web = FakeWeb::start().await;
    let mut bot = bot(web.searx(), Lang::EN).await;
    bot.says("/me name Annabella").await;
    for private in [
        "search the web for Annabella and her school",
        "search the web for the password hunter2",
    ] {
        let heard = bot.says(private).await;
        assert!(web.asked().is_empty(), "{private}: {heard}");
    }
}
