//! Messages put otherwise: before their turn, while they are answered, and afterwards.

use metnos::{
    app::DATABASE,
    clock::Clock,
    config::{LlmConfig, Tiers},
    domain::{
        ids::{ChannelKind, ConversationId, SenderId},
        inbound::{Inbound, InboundBody},
        lang::Lang,
    },
    store::{Store, edits::TakenEdit},
};

use super::{pair, rows};
use crate::{
    model::PLANNING,
    support::{
        bot::{Setup, TestBot},
        llama::{Script, ScriptedLlama},
    },
};

const PHONE: &str = "host-phone";
const TOO_LATE: &str = "You changed an older message.";

async fn bot() -> TestBot {
    let mut bot = TestBot::with(Setup {
        clock: Clock::fixed("2026-05-04T10:00:00Z".parse().unwrap()),
        ..Setup::default()
    })
    .await;
    pair(&mut bot, PHONE).await;
    bot
}

async fn hears(bot: &mut TestBot) -> String {
    bot.hears(ChannelKind::Telegram).await.plain()
}

#[tokio::test]
async fn the_last_message_mended_is_asked_anew_and_the_same_words_say_nothing() {
    let mut bot = bot().await;
    bot.file("a.txt", "a");
    let puzzled = bot.telegram(PHONE, "delte ~/a.txt").await;
    assert!(!puzzled.contains("May I"), "{puzzled}");
    let mended = bot.last_message();
    bot.telegram_edits(PHONE, &mended, "delte ~/a.txt").await;
    bot.telegram_edits(PHONE, &mended, "delete ~/a.txt").await;
    let card = hears(&mut bot).await;
    assert!(card.starts_with("May I delete this?"), "{card}");
    // Mended once more, it is still the last one.
    bot.telegram_edits(PHONE, &mended, "what time is it").await;
    assert!(hears(&mut bot).await.starts_with("It's "));
    assert!(bot.has("a.txt"));
    assert_eq!(rows(&bot, "SELECT message FROM inbox WHERE state <> 'done'"), [""; 0]);
}

#[tokio::test]
async fn an_older_message_is_not_done_again_and_that_is_said() {
    let mut bot = bot().await;
    bot.telegram(PHONE, "write \"milk\" to ~/list.txt").await;
    let older = bot.last_message();
    bot.telegram(PHONE, "what time is it").await;
    bot.telegram_edits(PHONE, &older, "write \"bread\" to ~/list.txt").await;
    let said = hears(&mut bot).await;
    assert!(said.starts_with(TOO_LATE), "{said}");
    assert_eq!(std::fs::read_to_string(bot.home().join("list.txt")).unwrap(), "milk");
    // One nobody knows of is none to be done either.
    bot.telegram_edits(PHONE, &"9999".into(), "write \"bread\" to ~/list.txt")
        .await;
    assert!(hears(&mut bot).await.starts_with(TOO_LATE));
    assert_eq!(rows(&bot, "SELECT tool FROM effects").len(), 1);
}

#[tokio::test]
async fn commands_and_answers_to_questions() {
    let mut bot = bot().await;
    let unknown = bot.telegram(PHONE, "/helpp").await;
    assert!(unknown.contains("/helpp"), "{unknown}");
    let mended = bot.last_message();
    bot.telegram_edits(PHONE, &mended, "/help").await;
    assert!(hears(&mut bot).await.contains("/me"));
    // The request of an open question: that question is over.
    bot.telegram(PHONE, "where am i").await;
    let mended = bot.last_message();
    bot.telegram_edits(PHONE, &mended, "what time is it").await;
    assert!(hears(&mut bot).await.starts_with("I put my question aside"));
    assert!(hears(&mut bot).await.starts_with("It's "));
    // An answer is no request, whatever it says now.
    bot.telegram(PHONE, "where am i").await;
    bot.telegram(PHONE, "45.4642, 9.19").await;
    let answer = bot.last_message();
    hears(&mut bot).await;
    bot.telegram_edits(PHONE, &answer, "45.5, 9.2").await;
    assert!(hears(&mut bot).await.starts_with(TOO_LATE));
}

#[tokio::test]
async fn nobody_mends_what_somebody_else_said() {
    let mut bot = bot().await;
    pair(&mut bot, "anna").await;
    bot.telegram(PHONE, "what time is it").await;
    let hers = bot.last_message();
    bot.telegram_edits("anna", &hers, "who are you").await;
    assert!(hears(&mut bot).await.starts_with(TOO_LATE));
}

/// A bot that thinks about a first message until it is stopped.
async fn thinking(server: &ScriptedLlama) -> TestBot {
    server.when(PLANNING, Script::Hang);
    let mut bot = TestBot::with(Setup {
        llm: Some(LlmConfig {
            tiers: Tiers::default().waiting(60, 60),
            ..server.config()
        }),
        lang: Lang::EN,
        ..Setup::default()
    })
    .await;
    pair(&mut bot, PHONE).await;
    bot.file("a.txt", "a");
    bot.telegram_silently(PHONE, "find the txt files in ~/docs").await;
    let asked = || {
        server
            .requests()
            .iter()
            .any(|request| request.to_string().contains(PLANNING))
    };
    let begun = async {
        while !asked() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), begun)
        .await
        .unwrap();
    bot
}

#[tokio::test]
async fn what_waits_in_the_queue_is_said_in_its_last_words_alone() {
    let server = ScriptedLlama::start().await;
    let mut bot = thinking(&server).await;
    bot.telegram_silently(PHONE, "delete ~/a.txt").await;
    let waiting = bot.last_message();
    bot.telegram_edits(PHONE, &waiting, "delete everything").await;
    bot.telegram_edits(PHONE, &waiting, "what time is it").await;
    bot.telegram_silently(PHONE, "/stop").await;
    assert!(hears(&mut bot).await.starts_with("Stopped."));
    assert!(hears(&mut bot).await.starts_with("It's "));
    assert!(bot.telegram(PHONE, "/help").await.contains("/me"), "and nothing else");
    assert_eq!(rows(&bot, "SELECT message FROM inbox WHERE state <> 'done'"), [""; 0]);
    assert_eq!(rows(&bot, "SELECT id FROM dialogs"), [""; 0]);
}

#[tokio::test]
async fn while_it_is_answered_the_new_words_come_after_it_and_a_stop_stops_it() {
    let server = ScriptedLlama::start().await;
    let mut bot = thinking(&server).await;
    let running = bot.last_message();
    bot.telegram_edits(PHONE, &running, "what time is it").await;
    bot.telegram_silently(PHONE, "/stop").await;
    assert!(hears(&mut bot).await.starts_with("Stopped."));
    assert!(hears(&mut bot).await.starts_with("It's "));

    let server = ScriptedLlama::start().await;
    let mut bot = thinking(&server).await;
    let running = bot.last_message();
    bot.telegram_edits(PHONE, &running, "stop").await;
    assert!(hears(&mut bot).await.starts_with("Stopped."));
}

/// A message that will be put otherwise.
fn said() -> Inbound {
    Inbound {
        channel: ChannelKind::Telegram,
        conversation: ConversationId::from("7"),
        sender: SenderId::from("7"),
        sender_name: None,
        lang_hint: None,
        message: "1".into(),
        body: InboundBody::Text("delete it".to_owned()),
    }
}

/// The process dies while both wait: the next start finds the new words, and the edit is known.
#[tokio::test]
async fn the_new_words_are_kept_before_anything_else() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join(DATABASE)).unwrap();
    let said = said();
    let id = store.inbox_add(&said, 1).await.unwrap().unwrap();
    let edit = said.clone().edit("1".into(), "a", "keep it".to_owned());
    let taken = store.inbox_edit(&edit, 2).await.unwrap();
    assert_eq!(taken, TakenEdit::InQueue(id));
    assert_eq!(store.inbox_edit(&edit, 3).await.unwrap(), TakenEdit::Duplicate);
    let open = store.inbox_open().await.unwrap();
    assert_eq!(open.len(), 1, "the edit itself is over");
    assert_eq!(open[0].inbound.body, InboundBody::Text("keep it".to_owned()));
    let foreign = Inbound {
        sender: SenderId::from("8"),
        ..said
    };
    let foreign = foreign.edit("1".into(), "b", "delete all".to_owned());
    assert!(matches!(
        store.inbox_edit(&foreign, 4).await.unwrap(),
        TakenEdit::Alone(_)
    ));
    let open = store.inbox_open().await.unwrap();
    assert_eq!(open[0].inbound.body, InboundBody::Text("keep it".to_owned()));
}

/// Either the message is answered in the new words, or they are answered after it: there is no moment in between.
#[tokio::test]
async fn an_edit_changes_a_message_until_it_is_taken_in_hand_and_is_one_of_its_own_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join(DATABASE)).unwrap();
    let said = said();
    let id = store.inbox_add(&said, 1).await.unwrap().unwrap();
    let before = said.clone().edit("1".into(), "a", "keep it".to_owned());
    assert_eq!(store.inbox_edit(&before, 2).await.unwrap(), TakenEdit::InQueue(id));
    let taken = store.inbox_take(id).await.unwrap().unwrap();
    assert_eq!(taken.body, InboundBody::Text("keep it".to_owned()));
    let after = said.edit("1".into(), "b", "copy it".to_owned());
    let edit = store.inbox_edit(&after, 3).await.unwrap();
    let TakenEdit::Alone(edit) = edit else {
        panic!("{edit:?}");
    };
    let open = store.inbox_open().await.unwrap();
    assert_eq!(open.iter().map(|open| open.id).collect::<Vec<_>>(), [id, edit]);
    assert_eq!(open[0].inbound.body, InboundBody::Text("keep it".to_owned()));
    assert_eq!(open[0].cut_off, None, "no turn had begun");
    store.inbox_stop(None, Some(id)).await.unwrap();
    assert_eq!(store.inbox_take(id).await.unwrap(), None, "it has its answer");
}
