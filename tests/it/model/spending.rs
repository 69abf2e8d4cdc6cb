//! The household's money: no call beyond what is left, whatever happens at the same time, in between or afterwards.

use std::{fs, os::unix::fs::PermissionsExt as _, time::Duration};

use metnos::{
    app::DATABASE,
    clock::Clock,
    config::{LlmConfig, Mode, OnlineConfig},
    domain::{
        actor::{Actor, Autonomy, Role},
        ids::{ActorId, ChannelKind, TurnId},
        lang::Lang,
        spending::{MicroUsd, Provider},
    },
    store::{
        Store,
        spending::{Budget, Intended, SetAside, Spent},
    },
};
use serde_json::json;

use super::online::{PUZZLE, bot, looking};
use crate::{
    support::{
        bot::{Setup, TestBot},
        household::Household,
        llama::{Script, ScriptedLlama},
        provider::{COST, FakeProvider, KEY, Reply},
    },
    turns::rows,
};

const COSTS: &str = "SELECT cost_micro_usd || '' FROM spending ORDER BY id";

async fn asked_once_with(provider: &FakeProvider, online: OnlineConfig) -> (TestBot, String) {
    provider.always(Reply::Say(looking()));
    let mut bot = bot(Mode::Online, online, None).await;
    let answer = bot.says(PUZZLE).await;
    (bot, answer)
}

#[tokio::test]
async fn at_the_limit_nobody_is_asked_and_the_person_hears_why() {
    let provider = FakeProvider::start().await;
    let terms = provider.config(Provider::Anthropic);
    for (day, month, told) in [
        (
            MicroUsd(1_000),
            terms.spend_max_month,
            "may be spent on the online model today",
        ),
        (
            terms.spend_max_day,
            MicroUsd(0),
            "may be spent on the online model this month",
        ),
    ] {
        let online = OnlineConfig {
            spend_max_day: day,
            spend_max_month: month,
            ..terms.clone()
        };
        let (mut bot, answer) = asked_once_with(&provider, online).await;
        assert!(answer.contains(told), "{answer}");
        assert!(
            bot.says("what time is it").await.starts_with("It's "),
            "rules still answer"
        );
        assert_eq!(rows(&bot, COSTS), [""; 0]);
    }
    assert_eq!(provider.asked().len(), 0);
}

#[tokio::test]
async fn at_the_limit_the_model_in_the_house_answers() {
    let provider = FakeProvider::start().await;
    let inside = ScriptedLlama::start().await;
    inside.when("goodies", Script::Say(looking().to_string()));
    let online = OnlineConfig {
        spend_max_day: MicroUsd(0),
        ..provider.config(Provider::Anthropic)
    };
    let mut bot = bot(Mode::Online, online, Some(&inside)).await;
    assert!(bot.says(PUZZLE).await.contains("a.txt"));
    assert_eq!(provider.asked().len(), 0);
}

#[tokio::test]
async fn a_model_whose_price_nobody_knows_is_not_asked() {
    let provider = FakeProvider::start().await;
    let online = OnlineConfig {
        prices: None,
        ..provider.config(Provider::OpenAi)
    };
    let (_bot, answer) = asked_once_with(&provider, online).await;
    assert!(answer.contains("not set up yet"), "{answer}");
    assert_eq!(provider.asked().len(), 0);
}

/// What certainly cost nothing is free; whatever else happened counts with the most it could cost.
#[tokio::test]
async fn a_failure_counts_unless_it_certainly_cost_nothing() {
    let refuse = |status| Reply::Refuse(status, "e", "no".to_owned());
    for (reply, is_free) in [
        (refuse(401), true),
        (Reply::Busy(9), true),
        (refuse(500), false),
        (Reply::Hang, false),
        (Reply::Garbage, false),
        (Reply::Uncounted(looking()), false),
    ] {
        let provider = FakeProvider::start().await;
        provider.next(reply.clone());
        let (bot, _) = asked_once_with(&provider, provider.config(Provider::Anthropic)).await;
        let cost: u64 = rows(&bot, COSTS)[0].parse().unwrap();
        assert_eq!(cost == 0, is_free, "{reply:?}: {cost}");
        assert!(is_free || cost > 20_000, "{reply:?}: {cost}");
        assert_eq!(
            super::last_turn(&bot).await["llm"]["online"]["cost_micro_usd"],
            json!(cost),
            "{reply:?}"
        );
    }
}

/// Whoever stops a turn does not know what the provider did until then.
#[tokio::test]
async fn what_is_stopped_counts_with_the_most_it_could_cost() {
    let provider = FakeProvider::start().await;
    provider.always(Reply::Hang);
    let online = OnlineConfig {
        timeout_s: 60,
        ..provider.config(Provider::OpenAi)
    };
    let mut bot = bot(Mode::Online, online, None).await;
    bot.says_silently(PUZZLE).await;
    while provider.asked().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    bot.says_silently("/stop").await;
    bot.hears(ChannelKind::Terminal).await;
    let cost: u64 = rows(&bot, COSTS)[0].parse().unwrap();
    assert!(cost > 20_000, "{cost}");
    let turn = bot
        .turn_log()
        .await
        .into_iter()
        .find(|turn| turn["final_kind"] == json!("stopped"));
    assert_eq!(turn.unwrap()["llm"]["online"]["cost_micro_usd"], json!(cost));
}

/// Two people ask at the same moment, and the money is enough for one.
#[tokio::test]
async fn two_turns_at_once_never_spend_more_than_there_is() {
    let provider = FakeProvider::start().await;
    provider.always(Reply::Slowly(Duration::from_millis(400), looking()));
    let online = OnlineConfig {
        spend_max_day: MicroUsd(80_000),
        ..provider.config(Provider::Anthropic)
    };
    let mut bot = bot(Mode::Online, online, None).await;
    for sender in ["host-phone", "anna", "bruno"] {
        crate::turns::pair(&mut bot, sender).await;
    }
    let folder = bot.data_dir().join("guests");
    for sender in ["anna", "bruno"] {
        bot.telegram_silently(sender, PUZZLE).await;
    }
    for _ in 0..2 {
        bot.hears(ChannelKind::Telegram).await;
    }
    assert!(folder.exists());
    assert_eq!(provider.asked().len(), 1, "{}", bot.transcript());
    assert_eq!(rows(&bot, COSTS), [COST.to_string()]);
    assert!(
        bot.transcript().contains("may be spent on the online model today"),
        "{}",
        bot.transcript()
    );
}

#[tokio::test]
async fn a_new_day_has_new_money_and_the_month_goes_on() {
    let provider = FakeProvider::start().await;
    provider.always(Reply::Say(looking()));
    // Ten at night in Rome, which is where this household's day begins.
    let clock = Clock::fixed("2026-03-10T21:00:00Z".parse().unwrap());
    let setup = Setup {
        llm: Some(LlmConfig {
            online: OnlineConfig {
                spend_max_day: MicroUsd(COST + 57_000),
                spend_max_month: MicroUsd(2 * COST + 57_000),
                ..provider.config(Provider::Anthropic)
            },
            ..LlmConfig::default()
        }),
        mode: Mode::Online,
        clock: clock.clone(),
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup).await;
    bot.file("docs/a.txt", "a");
    let mut asked = Vec::new();
    for (hours, thing) in [
        (0, "goodies"),
        (0, "sweets"),
        (0, "treats"),
        (3, "snacks"),
        (0, "bites"),
        (24, "nibbles"),
    ] {
        clock.advance(Duration::from_secs(hours * 3_600));
        bot.says(&PUZZLE.replace("goodies", thing)).await;
        asked.push(provider.asked().len());
    }
    assert_eq!(asked, [1, 2, 2, 3, 3, 3], "{}", bot.transcript());
    assert!(bot.transcript().contains("online model today"), "{}", bot.transcript());
    assert!(
        bot.transcript().contains("online model this month"),
        "{}",
        bot.transcript()
    );
}

fn budget(day_max: u64) -> Budget {
    Budget {
        day_start_ms: 1_000,
        month_start_ms: 0,
        day_max: MicroUsd(day_max),
        month_max: MicroUsd(10 * day_max),
    }
}

fn call(actor: &str, cost_max: u64) -> Intended {
    Intended {
        actor: ActorId::from(actor),
        turn: TurnId::from("t1"),
        provider: Provider::OpenAi,
        model: "m".to_owned(),
        cost_max: MicroUsd(cost_max),
        at_ms: 2_000,
    }
}

async fn store(folder: &tempfile::TempDir) -> Store {
    let store = Store::open(&folder.path().join(DATABASE)).unwrap();
    for (id, role) in [("host", Role::Host), ("guest_a1", Role::Guest)] {
        let actor = Actor {
            id: ActorId::from(id),
            role,
            name: id.to_owned(),
            lang: Lang::EN,
            timezone: "Europe/Rome".to_owned(),
            autonomy: Autonomy::default(),
        };
        store.add_actor(&actor, 0).await.unwrap();
    }
    store
}

#[tokio::test]
async fn many_at_once_share_one_budget() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder).await;
    let all = (0..20).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.set_aside(call("host", 300), budget(1_000)).await.unwrap() })
    });
    let mut granted = 0;
    for one in all.collect::<Vec<_>>() {
        granted += u32::from(matches!(one.await.unwrap(), SetAside::Yes(_)));
    }
    assert_eq!(granted, 3);
}

#[tokio::test]
async fn money_spent_for_a_guest_stays_spent_when_the_guest_is_erased() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder).await;
    let SetAside::Yes(row) = store.set_aside(call("guest_a1", 900), budget(1_000)).await.unwrap() else {
        panic!("there was enough");
    };
    store.settle(row, MicroUsd(700), 10, 20).await.unwrap();
    let guest = ActorId::from("guest_a1");
    assert_eq!(
        store.rows_of(&guest).await.unwrap()["spending"][0]["cost_micro_usd"],
        json!(700)
    );
    store.erase(&guest).await.unwrap();
    let spent = Spent {
        day: MicroUsd(700),
        month: MicroUsd(700),
    };
    assert_eq!(store.spent(1_000, 0).await.unwrap(), spent);
    let of_host = store.rows_of(&ActorId::from("host")).await.unwrap()["spending"].clone();
    assert_eq!(
        (&of_host[0]["turn"], &of_host[0]["actor"]),
        (&json!(""), &json!("host"))
    );
    assert_eq!(
        store.set_aside(call("host", 301), budget(1_000)).await.unwrap(),
        SetAside::DayIsSpent
    );
    assert_eq!(
        store.set_aside(call("guest_a1", 1), budget(1_000)).await.unwrap(),
        SetAside::NotLetIn
    );
}

/// A household with a provider of its own, its key in a file.
async fn household(provider: &FakeProvider) -> Household {
    let household = Household::new(&[7]).await;
    let key = household.home().join("key");
    fs::write(&key, KEY).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    household.configure(&format!(
        "timezone = \"Europe/Rome\"\nmode = \"online\"\n[telegram]\napi_url = \"{}\"\npoll_s = 2\n\
         [llm.online]\nurl = \"{}\"\nmodel = \"strong-1\"\nkey_file = \"~/key\"\nusd_per_million_in = 3\n\
         usd_per_million_out = 15\nspend_max_day_usd = 0.08\n",
        household.telegram.url, provider.url
    ));
    household
}

/// Killed while the provider works, metnos does not know what that cost: it counts, and the turn that runs again finds
/// too little left.
#[tokio::test]
async fn a_crash_leaves_the_money_spent_and_the_key_is_nowhere() {
    let provider = FakeProvider::start().await;
    provider.next(Reply::Hang);
    let mut household = household(&provider).await;
    household.serve();
    household.telegram.says(7, PUZZLE);
    household
        .until("the provider is asked", 7, |_| !provider.asked().is_empty())
        .await;
    household.restart();
    let answer = household.hears(7, 1).await.pop().unwrap();
    assert!(answer.contains("online model today"), "{answer}");
    assert_eq!(provider.asked().len(), 1);
    let doctor = household.runs(&["doctor"]).await;
    let told = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(told.contains("mode = \"online\". Spent today: 0.0"), "{told}");
    assert!(told.contains("of 0.08 USD; this month: 0.0"), "{told}");
    let mut seen = format!("{}{}{told}", household.story(7), household.log());
    for entry in fs::read_dir(household.data_dir().join("turns")).unwrap() {
        seen.push_str(&fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    assert!(seen.contains("frontier") && !seen.contains(KEY), "{seen}");
    household.kill();
}

#[tokio::test]
async fn the_doctor_and_the_check_say_what_is_missing() {
    let household = Household::bare().await;
    let off = household.runs(&["doctor"]).await;
    assert!(
        String::from_utf8_lossy(&off.stdout).contains("Online model: none is asked"),
        "{off:?}"
    );
    household.configure("mode = \"hybrid\"\n[llm.online]\nmodel = \"strong-1\"\n");
    for (arguments, told) in [
        (
            &["doctor"][..],
            "mode = \"hybrid\", but nobody is asked before you set llm.online.key_file",
        ),
        (
            &["config", "check"][..],
            "no provider is asked before “llm.online.key_file” is set",
        ),
    ] {
        let output = household.runs(arguments).await;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(told), "{said}");
    }
}
