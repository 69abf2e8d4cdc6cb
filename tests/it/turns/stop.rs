//! Stop, as a conversation: it overtakes the queue, ends what runs within a moment, says what was done before, and
//! leaves nothing in memory. Child processes, the button on Telegram and crashes are in `crash/stopped`.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use metnos::{
    app::DATABASE,
    clock::Clock,
    config::{EngineChoice, LlmConfig, Tiers},
    domain::{
        attachment::{FileKind, SentFile},
        delivery::{Parcel, Signal, StopButton},
        feedback::Sign,
        ids::{ActorId, ChannelKind, ExecutorName, OperationHash, SenderId, StepId, TurnId},
        inbound::{Inbound, InboundBody},
        lang::Lang,
        reply::{Button, ButtonKind},
    },
    runtime::Submitted,
    store::{
        Store,
        effects::{Begun, EffectOutcome, NewEffect},
    },
};
use serde_json::{Value, json};

use super::{pair, rows, tap};
use crate::{
    model::{FILLING, PLANNING},
    support::{
        bot::{Setup, TestBot},
        llama::{Script, ScriptedLlama},
    },
};

/// A stop takes a second at most; the rest is for a machine that runs other tests as well. Whatever is not stopped here
/// would take a minute.
const A_MOMENT: Duration = Duration::from_secs(8);
const PATIENCE: Duration = Duration::from_secs(30);

/// A bot whose model may take a minute.
async fn patient_bot(server: &ScriptedLlama, lang: Lang) -> TestBot {
    let setup = Setup {
        llm: Some(LlmConfig {
            tiers: Tiers::default().waiting(60, 60),
            ..server.config()
        }),
        engine: EngineChoice::Metis,
        lang,
        ..Setup::default()
    };
    TestBot::with(setup).await
}

async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "did not happen: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until the model was asked this so often.
async fn asked(server: &ScriptedLlama, what: &str, count: usize) {
    let is_that = |request: &&Value| {
        let user = request["messages"][1]["content"].as_str();
        user.is_some_and(|user| user.contains(what))
    };
    until("a question to the model", || {
        server.requests().iter().filter(is_that).count() >= count
    })
    .await;
}

fn remembered(bot: &TestBot) -> String {
    let counts = "SELECT (SELECT count(*) FROM fastpaths) || ' ' || (SELECT count(*) FROM observations) || ' '
                  || (SELECT count(*) FROM gaps)";
    rows(bot, counts).pop().unwrap()
}

#[tokio::test]
async fn while_the_model_is_asked() {
    for (lang, request, word, answer) in [
        (
            Lang::EN,
            "find the txt files in ~/docs",
            "/stop",
            "Stopped. Nothing was changed.",
        ),
        (
            Lang::EN,
            "find the txt files in ~/docs",
            "Stop!",
            "Stopped. Nothing was changed.",
        ),
        (
            Lang::IT,
            "trova i file txt in ~/docs",
            "basta",
            "Mi sono fermato. Non ho cambiato niente.",
        ),
        (
            Lang::IT,
            "trova i file txt in ~/docs",
            "!stop",
            "Mi sono fermato. Non ho cambiato niente.",
        ),
    ] {
        let server = ScriptedLlama::start().await;
        server.when(PLANNING, Script::Hang);
        let mut bot = patient_bot(&server, lang).await;
        bot.says_silently(request).await;
        asked(&server, PLANNING, 1).await;
        // What waits behind it is answered all the same, and after it.
        bot.says_silently("/help").await;
        let began = Instant::now();
        bot.says_silently(word).await;
        let reply = bot.hears(ChannelKind::Terminal).await;
        assert!(began.elapsed() < A_MOMENT, "{:?}", began.elapsed());
        assert_eq!(reply.plain(), answer);
        assert!(reply.buttons.is_empty(), "nothing to judge: {:?}", reply.buttons);
        assert!(bot.hears(ChannelKind::Terminal).await.plain().contains("/stop"));
        until("the call given up", || server.abandoned() == 1).await;
        let log = bot.turn_log().await;
        assert_eq!(log.len(), 1, "{log:?}");
        assert_eq!(log[0]["final_kind"], "stopped");
        assert_eq!(log[0]["llm"]["calls"], 1, "the model worked for it");
        assert_eq!(remembered(&bot), "0 0 0");
        let open = rows(&bot, "SELECT state FROM inbox WHERE state <> 'done'");
        assert_eq!(open, Vec::<String>::new(), "the stop has its answer, too");
    }
}

#[tokio::test]
async fn after_an_effect_it_is_said_and_can_be_taken_back() {
    for (lang, request, word, answer, undo) in [
        (
            Lang::EN,
            "move ~/in/a.txt and ~/in/b.txt to ~/out and wish me well",
            "stop",
            "Stopped. Before that, I had moved 2 files; “undo” takes that back.",
            "undo",
        ),
        (
            Lang::IT,
            "sposta ~/in/a.txt e ~/in/b.txt in ~/out e augurami il meglio",
            "fermati",
            "Mi sono fermato. Prima avevo spostato 2 file; con “annulla” torna tutto come prima.",
            "annulla",
        ),
    ] {
        let server = ScriptedLlama::start().await;
        let plan = json!({
            "steps": [{"tool": "move_files", "args": {"paths": ["~/in/a.txt", "~/in/b.txt"], "dst_dir": "~/out"}}],
            "fillers": {"wish": {"prompt": "a short wish", "default": "Enjoy."}},
            "final_message": "Moved ${step1.ok_count}. ${FILLER:wish}"
        });
        server
            .when(PLANNING, Script::Say(plan.to_string()))
            .when(FILLING, Script::Hang);
        let mut bot = patient_bot(&server, lang).await;
        bot.file("in/a.txt", "a");
        bot.file("in/b.txt", "b");
        bot.says(request).await;
        bot.taps(ButtonKind::Approve).await;
        asked(&server, FILLING, 1).await;
        assert!(bot.has("out/a.txt") && bot.has("out/b.txt"));
        assert_eq!(bot.says(word).await, answer);
        assert_eq!(bot.turn_log().await[1]["final_kind"], "stopped");
        assert_eq!(bot.turn_log().await[1]["effect_counts"]["mutations"], 2);
        assert_eq!(remembered(&bot), "0 0 0");
        bot.says(undo).await;
        assert!(bot.has("in/a.txt") && bot.has("in/b.txt"), "{}", bot.transcript());
    }
}

#[tokio::test]
async fn with_nothing_running_it_is_answered_honestly() {
    let mut bot = TestBot::new().await;
    let nothing = "Nothing is running right now, so there is nothing to stop.";
    for word in ["/stop", "!stop", "stop", "basta"] {
        assert_eq!(bot.says(word).await, nothing, "{word}");
    }
    // The answer was there before the stop.
    bot.says("what time is it").await;
    assert_eq!(bot.says("/stop").await, nothing);
    let mut bot = super::italian_bot().await;
    for word in ["/stop", "basta", "fermati"] {
        assert!(bot.says(word).await.contains("niente da fermare"), "{word}");
    }
}

/// The next turn's stop button, as a channel is told of it.
async fn stop_button(signals: &mut tokio::sync::broadcast::Receiver<Signal>) -> StopButton {
    loop {
        let signal = tokio::time::timeout(PATIENCE, signals.recv()).await.unwrap();
        if let Signal::Started { stop, .. } = signal.unwrap() {
            return stop;
        }
    }
}

#[tokio::test]
async fn only_who_asked_may_stop() {
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, Script::Hang);
    let mut bot = patient_bot(&server, Lang::EN).await;
    pair(&mut bot, "host-phone").await;
    pair(&mut bot, "anna").await;
    let mut signals = bot.app().runtime.signals(ChannelKind::Telegram);
    bot.telegram_silently("anna", "find the txt files in ~/docs").await;
    let stop = stop_button(&mut signals).await;
    asked(&server, PLANNING, 1).await;
    let button = Button {
        kind: ButtonKind::Reject,
        label: stop.label,
        token: stop.token,
        chosen: false,
    };
    let toast = bot.telegram_taps("host-phone", &button).await;
    assert_eq!(toast, "Only the person who asked can use these buttons.");
    let theirs = bot.telegram("host-phone", "/stop").await;
    assert!(theirs.starts_with("Nothing is running"), "{theirs}");
    assert_eq!(server.abandoned(), 0, "it runs on");
    let stranger = bot.telegram_taps("mallory", &button).await;
    assert!(stranger.starts_with("This assistant belongs"), "{stranger}");
    assert_eq!(bot.telegram_taps("anna", &button).await, "Stopping.");
    let answer = bot.hears(ChannelKind::Telegram).await.plain();
    assert_eq!(answer, "Stopped. Nothing was changed.");
    let late = bot.telegram_taps("anna", &button).await;
    assert_eq!(late, "That is over already: there is nothing to stop.");
}

#[tokio::test]
async fn an_open_question_is_dropped() {
    for (word, lang) in [("/stop", Lang::EN), ("enough", Lang::EN), ("basta", Lang::IT)] {
        let setup = Setup {
            lang,
            ..Setup::default()
        };
        let mut bot = TestBot::with(setup).await;
        bot.file("old.txt", "old");
        let request = if lang == Lang::IT {
            "cancella ~/old.txt"
        } else {
            "delete ~/old.txt"
        };
        bot.says(request).await;
        let approve = super::button(&bot, ButtonKind::Approve);
        let dropped = bot.says(word).await;
        assert!(
            dropped.contains("nothing was done") || dropped.contains("non ho fatto"),
            "{dropped}"
        );
        tap(&bot, &approve).await;
        assert!(
            bot.says("/stop")
                .await
                .contains(if lang == Lang::IT { "niente" } else { "Nothing" })
        );
        assert!(bot.has("old.txt"), "{}", bot.transcript());
    }
    let mut bot = TestBot::new().await;
    bot.says("where am i").await;
    assert_eq!(bot.says("/stop").await, "All right, I dropped it. Nothing was done.");
}

/// A reaction under a sign of progress, where there are no buttons; the homeserver may tell of it twice.
#[tokio::test]
async fn a_sign_stops_once() {
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, Script::Hang);
    let bot = patient_bot(&server, Lang::EN).await;
    let runtime = &bot.app().runtime;
    let ada = SenderId::from("@ada:bed");
    runtime.adopt_host(ChannelKind::Matrix, &ada).await.unwrap();
    let inbound = |message: &str, body| Inbound {
        channel: ChannelKind::Matrix,
        conversation: "!room:bed".into(),
        sender: ada.clone(),
        sender_name: None,
        lang_hint: None,
        message: message.into(),
        body,
    };
    let sign = || InboundBody::Sign {
        sign: Sign::Stop,
        about: Some("$notice".into()),
        text: "🛑".to_owned(),
    };
    let request = || InboundBody::Text("find the txt files in ~/docs".to_owned());
    let answer = async || loop {
        let delivery = tokio::time::timeout(PATIENCE, runtime.next_delivery(ChannelKind::Matrix)).await;
        let delivery = delivery.unwrap();
        runtime.delivered(delivery.id).await;
        if let Parcel::Reply(reply) = delivery.parcel {
            return reply.plain();
        }
    };
    runtime.submit(inbound("$1", request())).await.unwrap();
    asked(&server, PLANNING, 1).await;
    assert!(runtime.react(inbound("$stop", sign())).await.unwrap().as_expected);
    assert_eq!(answer().await, "Stopped. Nothing was changed.");
    runtime.submit(inbound("$2", request())).await.unwrap();
    asked(&server, PLANNING, 2).await;
    let again = runtime.react(inbound("$stop", sign())).await.unwrap();
    assert_eq!(again.toast, None, "it was heard before");
    assert_eq!(server.abandoned(), 1, "the second request runs on");
    // The same sign as a message of its own.
    runtime.submit(inbound("$3", sign())).await.unwrap();
    assert_eq!(answer().await, "Stopped. Nothing was changed.");
    let idle = runtime.react(inbound("$4", sign())).await.unwrap();
    assert!(idle.toast.unwrap().starts_with("Nothing is running"));
}

/// What cannot be stopped any more is told so: here a file that is on its way.
#[tokio::test]
async fn a_stop_that_comes_too_late_is_told_so() {
    let mut bot = TestBot::new().await;
    pair(&mut bot, "host-phone").await;
    let (begun, go_on) = (
        Arc::new(tokio::sync::Notify::new()),
        Arc::new(tokio::sync::Notify::new()),
    );
    let (fetching, released) = (Arc::clone(&begun), Arc::clone(&go_on));
    bot.app().runtime.fetch_files_with(
        ChannelKind::Telegram,
        Arc::new(move |_, path| {
            let (fetching, released) = (Arc::clone(&fetching), Arc::clone(&released));
            Box::pin(async move {
                fetching.notify_one();
                released.notified().await;
                std::fs::write(path, "x").unwrap();
                Ok(())
            })
        }),
    );
    let file = SentFile {
        handle: "f1".to_owned(),
        kind: FileKind::Document,
        name: Some("a.txt".to_owned()),
        bytes: Some(1),
        caption: String::new(),
        is_forwarded: false,
        album: None,
    };
    let sent = Inbound {
        channel: ChannelKind::Telegram,
        conversation: "host-phone".into(),
        sender: "host-phone".into(),
        sender_name: None,
        lang_hint: None,
        message: "file-1".into(),
        body: InboundBody::File(Box::new(file)),
    };
    assert_eq!(bot.app().runtime.submit(sent).await.unwrap(), Submitted::Accepted);
    begun.notified().await;
    bot.telegram_silently("host-phone", "/stop").await;
    go_on.notify_one();
    let kept = bot.hears(ChannelKind::Telegram).await.plain();
    assert!(kept.contains("a.txt"), "{kept}");
    let late = bot.hears(ChannelKind::Telegram).await.plain();
    assert_eq!(
        late,
        "I could not stop that any more: it was over before your stop arrived."
    );
}

/// The process died between a stop and the answer to what it stopped.
#[tokio::test]
async fn what_was_stopped_never_runs_again() {
    let server = ScriptedLlama::start().await;
    for (effect, answer) in [
        (None, "Stopped. Nothing was changed."),
        (
            Some(EffectOutcome::Done(Vec::new())),
            "Stopped, as you asked. Before that I had moved files; “undo” takes back what can be taken back.",
        ),
        (
            Some(EffectOutcome::Unknown),
            "Stopped, as you asked. I was in the middle of this: “move ~/in/a.txt to ~/out”. I cannot know whether it \
             happened, and I will not repeat it: please have a look.",
        ),
    ] {
        let mut bot = patient_bot(&server, Lang::EN).await;
        bot.says("/help").await;
        bot.stop().await;
        let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
        let said = Inbound {
            channel: ChannelKind::Terminal,
            conversation: "local".into(),
            sender: "local".into(),
            sender_name: None,
            lang_hint: None,
            message: "before".into(),
            body: InboundBody::Text("move ~/in/a.txt to ~/out".to_owned()),
        };
        let turn = TurnId::from("cut-off");
        let now_ms = Clock::system().now_ms();
        let id = store.inbox_add(&said, now_ms).await.unwrap().unwrap();
        assert!(store.inbox_begin(id, &turn, &ActorId::from("host")).await.unwrap());
        if let Some(outcome) = effect {
            let effect = NewEffect {
                turn: turn.clone(),
                begun_in: turn.clone(),
                step: StepId(1),
                tool: ExecutorName::from("move_files"),
                operation: OperationHash::from("x"),
                actor: ActorId::from("host"),
                is_ours: false,
            };
            let Begun::Yes(effect) = store.effect_begin(effect, now_ms).await.unwrap() else {
                panic!("the host is let in");
            };
            store.effect_end(effect, outcome, now_ms).await.unwrap();
        }
        store.inbox_stop(Some(id), None).await.unwrap();
        drop(store);
        bot.start().await;
        assert_eq!(bot.hears(ChannelKind::Terminal).await.plain(), answer);
        assert!(server.requests().is_empty(), "it did not run");
    }
}
