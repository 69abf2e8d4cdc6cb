//! The layers that need no model, as conversations with a whole metnos: one file per behaviour. What a test cannot say
//! in words it puts into the database, as an earlier turn or an older version would have left it there.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod amended;
mod approvals;
mod autopath;
mod broken;
mod calendar;
mod captions;
mod commands;
mod company;
mod continued;
mod crowd;
mod cut_off;
mod day;
mod deliveries;
mod deadlines;
mod devices;
mod edits;
mod fastpath;
mod feedback;
mod follow_up;
mod forwarded;
mod isolation;
mod lists;
mod lockout;
mod house;
mod locked;
mod log;
mod missing;
mod near;
mod papers;
mod photo_places;
mod patterns;
mod people;
mod photos;
mod quotas;
mod refusals;
mod rendering;
mod sharing;
mod signs;
mod stop;
mod sweep;
mod tables;
mod tasks;
mod terminator;
mod undoing;
mod voice;
mod waiting;
mod welcome;
mod whereabouts;

use std::time::Duration;

use metnos::{
    app::DATABASE,
    clock::Clock,
    domain::{
        ids::{ChannelKind, ConversationId, MessageId, SenderId},
        inbound::{Inbound, InboundBody},
        lang::Lang,
        plan::Plan,
        reply::{Button, ButtonKind},
    },
    engine::fastpath::canonical_hash,
    language::Language,
};
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::support::bot::{Setup, TestBot};

/// A clock that stands still.
pub(crate) fn clock(at: &str) -> Clock {
    Clock::fixed(at.parse().unwrap())
}

/// A bot with this clock, whose host speaks this language.
pub(crate) async fn bot_at(clock: &Clock, lang: Lang) -> TestBot {
    let setup = Setup {
        clock: clock.clone(),
        lang,
        ..Setup::default()
    };
    TestBot::with(setup).await
}

async fn italian_bot() -> TestBot {
    let setup = Setup {
        lang: Lang::IT,
        ..Setup::default()
    };
    TestBot::with(setup).await
}

pub(crate) fn database(bot: &TestBot) -> Connection {
    let connection = Connection::open(bot.data_dir().join(DATABASE)).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    connection
}

/// The first column of every row.
pub(crate) fn rows(bot: &TestBot, sql: &str) -> Vec<String> {
    let connection = database(bot);
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Waits until so many looks of a watch ended in this way.
pub(crate) async fn looks(bot: &TestBot, state: &str, count: usize) {
    let runs = || rows(bot, "SELECT state FROM task_runs WHERE kind = 'watcher'");
    let looked = async {
        while runs().iter().filter(|one| *one == state).count() < count {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let looked = tokio::time::timeout(Duration::from_secs(10), looked).await;
    assert!(looked.is_ok(), "{count} {state}: {:?}\n{}", runs(), bot.transcript());
}

pub(crate) fn change(bot: &TestBot, sql: &str) {
    database(bot).execute(sql, []).unwrap();
}

/// The request of the last turn, as it was understood.
pub(crate) fn understood(bot: &TestBot) -> String {
    rows(bot, "SELECT request FROM turns ORDER BY rowid DESC LIMIT 1").remove(0)
}

/// The layer of the last turn and its model calls.
pub(crate) fn layer(bot: &TestBot) -> String {
    let sql = "SELECT answered_by || ' ' || model_calls FROM turns ORDER BY rowid DESC LIMIT 1";
    rows(bot, sql).pop().unwrap_or_default()
}

/// Asks, and says which layer answered.
pub(crate) async fn layer_of(bot: &mut TestBot, request: &str) -> String {
    bot.says(request).await;
    layer(bot)
}

/// Puts a plan into the host's memory, as if this request had been answered with it.
pub(crate) fn remember(bot: &TestBot, request: &str, plan: &Value) {
    remember_of(bot, "host", request, plan);
}

/// The same for anybody. Somebody said that it was right.
pub(crate) fn remember_of(bot: &TestBot, actor: &str, request: &str, plan: &Value) {
    let language = Language::embedded().unwrap();
    let lang = bot.config().lang;
    let canonical = language.canonical(request, lang);
    let intent = language.read(
        request,
        lang,
        &jiff::Zoned::new(jiff::Timestamp::UNIX_EPOCH, jiff::tz::TimeZone::UTC),
    );
    let intent = intent.intent.signature();
    let catalog = bot.app().catalog.current();
    let (tools_sig, pool_sig) = catalog.signatures(plan, &intent).unwrap();
    database(bot)
        .execute(
            "INSERT INTO fastpaths (actor, canonical_text, canonical_hash, plan, origin, intent, query_specific, tools_sig,
                                    pool_sig, created_at) VALUES (?7, ?1, ?2, ?3, 'auto', ?4, 1, ?5, ?6, 0)",
            params![
                canonical,
                canonical_hash(&canonical).unwrap().as_str(),
                plan.to_string(),
                intent,
                tools_sig,
                pool_sig,
                actor,
            ],
        )
        .unwrap();
    // What nobody said was right asks before it changes something.
    database(bot)
        .execute(
            "INSERT INTO observations (turn, actor, intent, intent_hash, cluster, plan, plan_hash, query_specific,
                                       tools_sig, pool_sig, verdict, at)
             VALUES (?1, ?2, '', '', '', ?3, '', 1, '', '', 'confirm', unixepoch() * 1000)",
            params![
                format!("before {actor} {canonical}"),
                actor,
                Plan::from_json(plan).unwrap().to_json().to_string(),
            ],
        )
        .unwrap();
}

/// The button of this kind under the last answer, to be tapped later.
fn button(bot: &TestBot, kind: ButtonKind) -> Button {
    bot.buttons().iter().find(|button| button.kind == kind).unwrap().clone()
}

/// The host taps a button of an older answer; returns the toast.
async fn tap(bot: &TestBot, button: &Button) -> String {
    let inbound = Inbound {
        channel: ChannelKind::Terminal,
        conversation: ConversationId::from("local"),
        sender: SenderId::from("local"),
        sender_name: None,
        lang_hint: None,
        message: MessageId::from("tap"),
        body: InboundBody::Button(button.token.clone()),
    };
    bot.app()
        .runtime
        .press(inbound)
        .await
        .unwrap()
        .toast
        .unwrap_or_default()
}

/// Taps ↺ and waits for the other answer.
async fn again(bot: &mut TestBot) -> String {
    bot.taps(ButtonKind::Retry).await;
    bot.hears(ChannelKind::Terminal).await.plain()
}

/// Lets a sender in through Telegram.
pub(crate) async fn pair(bot: &mut TestBot, sender: &str) -> String {
    let code = bot.app().actors.new_code().await.unwrap();
    bot.telegram(sender, &format!("/pair {code}")).await
}
