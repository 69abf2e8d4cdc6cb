//! What is said of a request the process died in: by the person's own words, and what the database knows is said.

use metnos::{
    app::DATABASE,
    clock::Clock,
    domain::{
        ids::{ActorId, ChannelKind, ExecutorName, OperationHash, StepId, TaskId, TurnId},
        inbound::{Inbound, InboundBody},
        lang::Lang,
        task::{Task, TaskKind, Trigger},
    },
    store::{
        Store,
        effects::{Begun, NewEffect},
    },
};

use super::{bot_at, rows};
use crate::support::bot::TestBot;

const ASKED: &str = "set a timer for 20 minutes";

/// A bot that died while it set a timer: before its change was committed, or after.
async fn died(lang: Lang, is_committed: bool) -> TestBot {
    let mut bot = bot_at(&Clock::system(), lang).await;
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
        body: InboundBody::Text(ASKED.to_owned()),
    };
    let (turn, host) = (TurnId::from("cut-off"), ActorId::from("host"));
    let now_ms = Clock::system().now_ms();
    let id = store.inbox_add(&said, now_ms).await.unwrap().unwrap();
    assert!(store.inbox_begin(id, &turn, &host).await.unwrap());
    let effect = NewEffect {
        turn: turn.clone(),
        begun_in: turn,
        step: StepId(1),
        tool: ExecutorName::from("create_tasks"),
        operation: OperationHash::from("x"),
        actor: host.clone(),
        is_ours: true,
    };
    let Begun::Yes(effect) = store.effect_begin(effect, now_ms).await.unwrap() else {
        panic!("the host is let in");
    };
    if is_committed {
        let due_ms = now_ms + 1_200_000;
        let trigger = Trigger::At(jiff::Timestamp::from_millisecond(due_ms).unwrap());
        let mut task = Task::new(
            TaskId::from("t1"),
            TaskKind::Timer,
            trigger,
            "UTC",
            Some(due_ms),
            now_ms,
        );
        task.owner = Some(host);
        store.journaling(effect).task_add(task, None, now_ms).await.unwrap();
    }
    drop(store);
    bot.start().await;
    bot
}

fn timers(bot: &TestBot) -> Vec<String> {
    rows(bot, "SELECT id FROM tasks WHERE kind = 'timer'")
}

#[tokio::test]
async fn a_change_of_ours_that_was_committed_is_known_to_be_done_and_can_be_undone() {
    for (lang, made) in [
        (Lang::EN, "Before that I had made a timer, alarm, reminder or request."),
        (
            Lang::IT,
            "Prima avevo creato un timer, una sveglia, un promemoria o una richiesta.",
        ),
    ] {
        let mut bot = died(lang, true).await;
        let said = bot.hears(ChannelKind::Terminal).await.plain();
        assert!(said.contains(ASKED) && said.contains(made), "{said}");
        assert!(!said.contains("create_tasks"), "{said}");
        assert_eq!(timers(&bot), ["t1"]);
        bot.says(if lang == Lang::EN { "undo" } else { "annulla" }).await;
        assert_eq!(timers(&bot), [""; 0]);
    }
}

#[tokio::test]
async fn a_change_of_ours_that_was_not_committed_did_not_happen_and_simply_runs() {
    let mut bot = died(Lang::EN, false).await;
    let said = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(said.contains("20 min"), "{said}");
    assert_eq!(timers(&bot).len(), 1);
}
