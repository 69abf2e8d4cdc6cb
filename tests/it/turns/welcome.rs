//! The questions of a first start: put once, answered, kept, passed over, and never in the way of a request.

use metnos::domain::ids::{ChannelKind, ConversationId};

use super::{pair, rows};
use crate::support::bot::TestBot;

async fn asked(bot: &TestBot) -> Option<String> {
    let conversation = ConversationId::from("local");
    bot.app()
        .runtime
        .first_question(ChannelKind::Terminal, &conversation)
        .await
}

#[tokio::test]
async fn three_answers_are_kept_and_nothing_is_asked_twice() {
    let mut bot = TestBot::new().await;
    assert!(asked(&bot).await.unwrap().contains("what shall I call you?"));
    assert!(bot.says("Anna").await.contains("which language"));
    assert!(bot.says("italiano").await.contains("E dove metto liste e note?"));
    assert!(bot.says("/etc").await.contains("/etc"), "a command is no answer");
    assert!(asked(&bot).await.is_none());
    let me = bot.says("/me").await;
    assert!(me.contains("Anna"), "{me}");
    assert_eq!(rows(&bot, "SELECT lang FROM actors"), ["it"]);
}

#[tokio::test]
async fn lists_go_where_the_person_said_also_after_a_restart() {
    let mut bot = TestBot::new().await;
    asked(&bot).await.unwrap();
    bot.says("ok").await;
    bot.says("ok").await;
    bot.says("skip").await;
    let kept = bot.says("/me notes ~/papers/lists").await;
    assert!(kept.contains("~/papers/lists"), "{kept}");
    bot.restart().await;
    bot.says("create a list called shopping").await;
    assert!(bot.has("papers/lists/shopping.txt"));
}

#[tokio::test]
async fn skip_ends_it_and_a_request_is_answered() {
    let mut bot = TestBot::new().await;
    asked(&bot).await.unwrap();
    assert!(bot.says("skip").await.starts_with("All right."));
    let mut other = TestBot::new().await;
    asked(&other).await.unwrap();
    assert!(other.says("what time is it").await.starts_with("It's "));
    assert!(other.says("what time is it").await.starts_with("It's "));
}

#[tokio::test]
async fn the_host_is_asked_on_the_first_phone_and_a_guest_is_not() {
    let mut bot = TestBot::new().await;
    let welcome = pair(&mut bot, "host-phone").await;
    assert!(welcome.contains("what shall I call you?"), "{welcome}");
    assert!(bot.telegram("host-phone", "Zoe").await.contains("which language"));
    let guest = pair(&mut bot, "anna").await;
    assert!(!guest.contains("what shall I call you?"), "{guest}");
}
