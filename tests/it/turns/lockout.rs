//! Who was locked out is a stranger from that moment on: what waited for them is over, and nothing of theirs begins.

use std::{sync::Arc, time::Duration};

use metnos::{
    app::DATABASE,
    clock::Clock,
    domain::{
        attachment::{FileKind, SentFile},
        ids::{ActorId, ChannelKind, ExecutorName, OperationHash, SenderId, StepId, TurnId},
        inbound::{Inbound, InboundBody},
        reply::ButtonKind,
    },
    runtime::{
        FetchFile,
        actors::CodeFor,
        erasure::{Archive, Erased},
    },
    store::{
        Store,
        effects::{Begun, NewEffect},
    },
};
use tokio::sync::Notify;

use super::{button, change, pair, rows};
use crate::support::{
    bot::{Setup, TestBot},
    llama::{Script, ScriptedLlama},
};

const STRANGER: &str = "This assistant belongs to a household.";

/// The host, and Anna with a file in her own folder.
async fn household() -> (TestBot, String) {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    bot.telegram("anna", "write \"milk\" to ~/list.txt").await;
    let id = rows(&bot, "SELECT id FROM actors WHERE name = 'anna'").remove(0);
    assert!(bot.data_dir().join("guests").join(&id).join("list.txt").exists());
    (bot, id)
}

#[tokio::test]
async fn what_waited_is_over_at_once() {
    let (mut bot, id) = household().await;
    bot.telegram("anna", "delete ~/list.txt").await;
    let approve = button(&bot, ButtonKind::Approve);
    // An answer that no channel has fetched yet.
    bot.telegram_silently("anna", "what time is it").await;
    let answered = "SELECT id || '' FROM outbox WHERE state = 'waiting'";
    for _ in 0..500 {
        if !rows(&bot, answered).is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let done = bot.says("/people revoke anna").await;
    assert!(
        done.contains("anna is locked out") && done.contains(&format!("metnos people erase {id}")),
        "{done}"
    );
    for (what, sql) in [
        (
            "a question",
            "SELECT id FROM dialogs WHERE state IN ('waiting', 'approved') OR request <> ''",
        ),
        ("an answer", answered),
        ("a message", "SELECT message FROM inbox WHERE state <> 'done'"),
    ] {
        assert_eq!(rows(&bot, sql), Vec::<String>::new(), "{what}");
    }
    let tapped = bot.telegram_taps("anna", &approve).await;
    assert!(tapped.starts_with(STRANGER), "{tapped}");
    let told = bot.telegram("anna", "yes").await;
    assert!(told.starts_with(STRANGER), "{told}");
    bot.telegram_silently("anna", "delete ~/list.txt").await;
    bot.restart().await;
    assert!(bot.data_dir().join("guests").join(&id).join("list.txt").exists());
    let time = bot.telegram("host-phone", "what time is it").await;
    assert!(time.starts_with("It's "), "nothing more was said to her: {time}");
    let again = bot.says("/people revoke anna").await;
    assert!(again.contains("locked out already"), "{again}");

    let link = bot.says("/people link anna").await;
    let code = link.rsplit(' ').next().unwrap().to_owned();
    let welcome = bot.telegram("annas-new-phone", &format!("/pair {code}")).await;
    assert!(welcome.starts_with("Welcome"), "{welcome}");
    let list = bot.telegram("annas-new-phone", "read ~/list.txt").await;
    assert!(list.contains("milk"), "her things are hers again: {list}");
    bot.telegram_silently("anna", "read ~/list.txt").await;
    let time = bot.telegram("host-phone", "what time is it").await;
    assert!(time.starts_with("It's "), "the old phone stays out: {time}");
}

/// Approved, queued, and the process died before it was carried out.
#[tokio::test]
async fn what_was_approved_before_is_not_carried_out_after() {
    let (mut bot, id) = household().await;
    bot.telegram("anna", "delete ~/list.txt").await;
    let dialog = rows(&bot, "SELECT id FROM dialogs").remove(0);
    bot.stop().await;
    change(&bot, "UPDATE dialogs SET state = 'approved'");
    let errand = format!(
        r#"{{"channel":"telegram","conversation":"anna","sender":"anna","sender_name":null,"lang_hint":null,
            "message":"approved:{dialog}","body":{{"approved":"{dialog}"}}}}"#
    );
    let insert = format!(
        "INSERT INTO inbox (channel, conversation, message, inbound, received_at, actor)
         VALUES ('telegram', 'anna', 'approved:{dialog}', '{errand}', 0, '{id}')"
    );
    change(&bot, &insert);
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    assert!(store.revoke(&ActorId::from(id.as_str()), None, 1).await.unwrap());
    drop(store);
    bot.start().await;
    bot.telegram("host-phone", "what time is it").await;
    assert!(bot.data_dir().join("guests").join(&id).join("list.txt").exists());
}

#[tokio::test]
async fn no_effect_begins_for_somebody_who_is_out() {
    let (bot, id) = household().await;
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    let anna = ActorId::from(id.as_str());
    let begin = |actor: ActorId| {
        let store = store.clone();
        async move {
            let effect = NewEffect {
                turn: TurnId::from("t"),
                begun_in: TurnId::from("t"),
                step: StepId(1),
                tool: ExecutorName::from("write_files"),
                operation: OperationHash::from("o"),
                actor,
                is_ours: false,
            };
            store.effect_begin(effect, 0).await
        }
    };
    assert_ne!(begin(anna.clone()).await.unwrap(), Begun::NotLetIn);
    store.revoke(&anna, None, 1).await.unwrap();
    assert_eq!(begin(anna).await.unwrap(), Begun::NotLetIn, "in the middle of a plan");
    let nobody = begin(ActorId::from("guest_000000")).await;
    assert_eq!(nobody.unwrap(), Begun::NotLetIn);
    assert_ne!(begin(ActorId::from("host")).await.unwrap(), Begun::NotLetIn);
}

/// Known when their message came, and out before its turn began.
#[tokio::test]
async fn no_turn_begins_for_somebody_who_is_out() {
    let (bot, id) = household().await;
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    let anna = ActorId::from(id.as_str());
    let said = |message: &str| Inbound {
        channel: ChannelKind::Telegram,
        conversation: "anna".into(),
        sender: SenderId::from("anna"),
        sender_name: None,
        lang_hint: None,
        message: message.into(),
        body: InboundBody::Text("delete ~/list.txt".to_owned()),
    };
    let waiting = store.inbox_add(&said("a"), 1).await.unwrap().unwrap();
    let in_hand = store.inbox_add(&said("b"), 1).await.unwrap().unwrap();
    assert!(store.inbox_take(in_hand).await.unwrap().is_some());
    assert!(store.is_busy(&anna).await.unwrap(), "whoever erases her waits for it");
    store.revoke(&anna, None, 1).await.unwrap();
    assert_eq!(store.inbox_take(waiting).await.unwrap(), None);
    for inbox in [waiting, in_hand] {
        let turn = TurnId::from("t");
        assert!(!store.inbox_begin(inbox, &turn, &anna).await.unwrap());
        let host = ActorId::from("host");
        let begun = store.inbox_begin(inbox, &turn, &host).await.unwrap();
        assert_eq!(begun, inbox == in_hand, "what is over begins for nobody");
    }
}

/// A file of hers is on its way while she is erased: its folder does not come back, and nobody says a word to her.
#[tokio::test]
async fn a_file_that_is_just_arriving_leaves_nothing_either() {
    let (mut bot, id) = household().await;
    pair(&mut bot, "bruno").await;
    let (asked, let_go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (began, go_on) = (Arc::clone(&asked), Arc::clone(&let_go));
    let fetch: FetchFile = Arc::new(move |_handle, to| {
        let (began, go_on) = (Arc::clone(&began), Arc::clone(&go_on));
        Box::pin(async move {
            began.notify_one();
            go_on.notified().await;
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::write(to, "quincejam").unwrap();
            Ok(())
        })
    });
    bot.app().runtime.fetch_files_with(ChannelKind::Telegram, fetch);
    let file = SentFile {
        handle: "h".into(),
        kind: FileKind::Document,
        name: Some("list.pdf".to_owned()),
        bytes: None,
        caption: String::new(),
        is_forwarded: false,
        album: None,
    };
    bot.telegram_does("anna", InboundBody::File(Box::new(file))).await;
    asked.notified().await;
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    let anna = store.actor(&ActorId::from(id.as_str())).await.unwrap().unwrap();
    let archive = Archive::new(store.clone(), Clock::system(), &bot.data_dir(), &bot.home());
    let erasing = tokio::spawn(async move { archive.erase(&anna, true).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!erasing.is_finished(), "it waits for the file");
    let_go.notify_one();
    assert_eq!(erasing.await.unwrap().unwrap(), Erased::Wholly);
    assert!(!bot.data_dir().join("guests").join(&id).exists());
    let time = bot.telegram("bruno", "what time is it").await;
    assert!(time.starts_with("It's "), "nothing was said to her: {time}");
}

#[tokio::test]
async fn a_lost_phone_is_locked_out_and_its_person_is_not() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    let locked = bot.says("/people revoke host telegram").await;
    assert!(
        locked.contains("locked out on telegram") && locked.contains("metnos pair --for host"),
        "{locked}"
    );
    let told = bot.telegram("host-phone", "what time is it").await;
    assert!(told.starts_with(STRANGER), "{told}");
    // The next newcomer is a guest all the same: the host is not up for grabs.
    pair(&mut bot, "carla").await;
    let carla = bot.telegram("carla", "/me").await;
    assert!(carla.contains("(guest_"), "{carla}");
    let not_there = bot.says("/people revoke host telegram").await;
    assert!(not_there.contains("is not connected on “telegram”"), "{not_there}");
    assert!(bot.says("what time is it").await.starts_with("It's "));
    assert_eq!(
        bot.says("/me").await.lines().next(),
        Some("You are host (host), on the terminal.")
    );
}

/// The Matrix account still names the address as its owner; a start alone brings nobody back.
#[tokio::test]
async fn an_owner_who_was_locked_out_stays_out_until_a_person_says_otherwise() {
    let mut bot = TestBot::new().await;
    let ada = SenderId::from("@ada:bed");
    let adopted = async |bot: &TestBot| bot.app().runtime.adopt_host(ChannelKind::Matrix, &ada).await.unwrap();
    let welcome = async |bot: &TestBot| bot.app().runtime.welcomes(ChannelKind::Matrix, &ada).await.unwrap();
    assert!(adopted(&bot).await && welcome(&bot).await);
    let locked = bot.says("/people revoke host matrix").await;
    assert!(locked.contains("locked out on matrix"), "{locked}");
    for _ in 0..2 {
        bot.restart().await;
        assert!(!adopted(&bot).await && !welcome(&bot).await);
    }

    let code = bot.app().actors.new_code_for(&CodeFor::Person("host".into())).await;
    let inbound = Inbound {
        channel: ChannelKind::Matrix,
        conversation: "!room:bed".into(),
        sender: ada.clone(),
        sender_name: None,
        lang_hint: None,
        message: "$1".into(),
        body: InboundBody::Text(format!("!pair {}", code.unwrap())),
    };
    bot.app().runtime.submit(inbound).await.unwrap();
    let answer = bot.app().runtime.next_delivery(ChannelKind::Matrix);
    tokio::time::timeout(Duration::from_secs(30), answer).await.unwrap();
    assert!(
        adopted(&bot).await && welcome(&bot).await,
        "the host's code lets them in"
    );

    bot.says("/people revoke host matrix").await;
    assert!(!adopted(&bot).await);
    let readmit = async |bot: &TestBot| bot.app().actors.readmit_host(ChannelKind::Matrix, &ada).await.unwrap();
    assert!(readmit(&bot).await, "so does naming them once more");
    assert!(adopted(&bot).await && welcome(&bot).await);
    assert!(!readmit(&bot).await, "nothing to take back");
}

/// The model thinks while its person is erased: the request ends, and nobody hears or keeps anything of it.
#[tokio::test]
async fn a_request_that_runs_ends_first_and_leaves_nothing() {
    let llama = ScriptedLlama::start().await;
    llama.when("zanzibar", Script::Hang);
    let setup = Setup {
        llm: Some(llama.config()),
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    let id = rows(&bot, "SELECT id FROM actors WHERE name = 'anna'").remove(0);
    bot.telegram_silently("anna", "knit me a zanzibar").await;
    while llama.requests().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    let anna = store.actor(&ActorId::from(id.as_str())).await.unwrap().unwrap();
    assert!(store.is_busy(&anna.id).await.unwrap());
    let archive = Archive::new(store.clone(), Clock::system(), &bot.data_dir(), &bot.home());
    assert_eq!(archive.erase(&anna, true).await.unwrap(), Erased::Wholly);
    assert!(!store.is_busy(&anna.id).await.unwrap());
    let time = bot.telegram("host-phone", "what time is it").await;
    assert!(time.starts_with("It's "), "nothing was said to her: {time}");
    assert_eq!(rows(&bot, "SELECT actor FROM turns"), ["host"]);
    assert!(bot.turn_log().await.iter().all(|line| line["actor"] == "host"));
    assert!(!bot.data_dir().join("guests").join(&id).exists());
}
