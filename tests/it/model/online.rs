//! Who is asked for a plan: nobody outside the house unless the household said so, and then once, for a plan alone.

use metnos::{
    config::{EngineChoice, LlmConfig, Mode, OnlineConfig},
    domain::{ids::ChannelKind, lang::Lang, spending::Provider},
};
use serde_json::{Value, json};

use super::{DESCRIBING, PLANNING, last_turn, plan, plans_asked};
use crate::{
    support::{
        bot::{Setup, TestBot},
        llama::{Script, ScriptedLlama},
        provider::{COST, FakeProvider, KEY, Reply},
    },
    turns::rows,
};

/// A request that code alone cannot plan, and that the lexicon is unsure about.
pub(super) const PUZZLE: &str = "give me a peek of the goodies stashed under ~/docs";

/// The provider's plan for it.
pub(super) fn looking() -> Value {
    json!({"steps": [{"tool": "list_dirs", "args": {"path": "~/docs"}}], "show": true})
}

/// A bot with these terms, and with this model in the house, if any; plans of everything are a model's.
pub(super) async fn bot(mode: Mode, online: OnlineConfig, inside: Option<&ScriptedLlama>) -> TestBot {
    let setup = Setup {
        llm: Some(LlmConfig {
            online,
            ..inside.map(ScriptedLlama::config).unwrap_or_default()
        }),
        engine: EngineChoice::Metis,
        mode,
        ..Setup::default()
    };
    let bot = TestBot::with(setup).await;
    bot.file("docs/a.txt", "quincejam");
    bot
}

async fn provider_with_a_plan() -> FakeProvider {
    let provider = FakeProvider::start().await;
    provider.always(Reply::Say(looking()));
    provider
}

#[tokio::test]
async fn nobody_outside_is_asked_by_default() {
    let provider = provider_with_a_plan().await;
    let mut bot = bot(Mode::default(), provider.config(Provider::Anthropic), None).await;
    bot.says(PUZZLE).await;
    assert_eq!(provider.asked().len(), 0);
    let turn = last_turn(&bot).await;
    assert_eq!((&turn["mode"], turn["llm"].get("online")), (&json!("local"), None));
    assert_eq!(rows(&bot, "SELECT id || '' FROM spending"), [""; 0]);
}

#[tokio::test]
async fn online_a_plan_is_one_call_and_runs_and_is_remembered() {
    for (kind, name) in [(Provider::Anthropic, "anthropic"), (Provider::OpenAi, "openai")] {
        let provider = provider_with_a_plan().await;
        let mut bot = bot(Mode::Online, provider.config(kind), None).await;
        assert!(bot.says(PUZZLE).await.contains("a.txt"));
        assert!(
            bot.transcript().contains("frontier, 1 model call\n"),
            "{}",
            bot.transcript()
        );
        let turn = last_turn(&bot).await;
        assert_eq!((&turn["mode"], &turn["engine"]), (&json!("online"), &json!("frontier")));
        assert_eq!(turn["llm"]["online"], json!({"provider": name, "cost_micro_usd": COST}));
        assert_eq!(
            rows(
                &bot,
                "SELECT actor || ' ' || provider || ' ' || model || ' ' || cost_micro_usd FROM spending"
            ),
            [format!("host {name} strong-1 {COST}")]
        );
        bot.says(PUZZLE).await;
        assert!(
            bot.transcript().contains("fastpath, 0 model calls"),
            "{}",
            bot.transcript()
        );
        assert_eq!(provider.asked().len(), 1);
    }
}

/// The request and the tools: nothing else is anybody's business.
#[tokio::test]
async fn what_is_read_in_the_house_stays_there() {
    let provider = FakeProvider::start().await;
    provider.always(Reply::Say(json!({"steps": [
        {"tool": "read_files", "args": {"paths": ["~/docs/a.txt"]}},
        {"tool": "describe_entries", "args": {"from_step": 1}}
    ], "show": true})));
    let inside = ScriptedLlama::start().await;
    inside.when(DESCRIBING, Script::Say("It is about jam.".to_owned()));
    let mut bot = bot(Mode::Online, provider.config(Provider::Anthropic), Some(&inside)).await;
    assert_eq!(bot.says("summarize ~/docs/a.txt").await, "It is about jam.");
    assert_eq!((provider.asked().len(), plans_asked(&inside).len()), (1, 0));
    let sent = provider.asked()[0].body.to_string();
    assert!(sent.contains("summarize ~/docs/a.txt"));
    let home = bot.home().display().to_string();
    for private in ["quincejam", home.as_str(), "host"] {
        assert!(!sent.contains(private), "{private}: {sent}");
    }
}

#[tokio::test]
async fn a_request_with_a_secret_in_it_stays_in_the_house() {
    let provider = provider_with_a_plan().await;
    let mut bot = bot(Mode::Online, provider.config(Provider::Anthropic), None).await;
    let answer = bot.says("give the goodies a twirl, the pin is 48213").await;
    assert!(answer.starts_with("Your message seems to hold a password"), "{answer}");
    assert_eq!(provider.asked().len(), 0);
}

#[tokio::test]
async fn online_the_house_helps_when_the_provider_does_not() {
    for reply in [
        Reply::Refuse(500, "api_error", "boom".to_owned()),
        Reply::Busy(30),
        Reply::CutOff,
        Reply::Say(json!({"steps": [{"tool": "launch_rockets", "args": {}}], "show": true})),
    ] {
        let provider = FakeProvider::start().await;
        provider.always(reply.clone());
        let inside = ScriptedLlama::start().await;
        inside.when(PLANNING, Script::Say(looking().to_string()));
        let mut bot = bot(Mode::Online, provider.config(Provider::OpenAi), Some(&inside)).await;
        assert!(bot.says(PUZZLE).await.contains("a.txt"), "{reply:?}");
        assert_eq!(last_turn(&bot).await["answered_by"], json!("metis"), "{reply:?}");
        assert_eq!(provider.asked().len(), 1, "{reply:?}");
    }
}

#[tokio::test]
async fn what_the_provider_says_is_missing_no_smaller_model_makes_up() {
    let provider = FakeProvider::start().await;
    provider.always(Reply::Say(json!({"cannot": "a tool that peeks"})));
    let inside = ScriptedLlama::start().await;
    inside.when("", Script::Say(looking().to_string()));
    let mut bot = bot(Mode::Online, provider.config(Provider::OpenAi), Some(&inside)).await;
    assert!(bot.says(PUZZLE).await.contains("a tool that peeks"));
    assert_eq!(plans_asked(&inside).len(), 0);
}

#[tokio::test]
async fn why_the_provider_gave_nothing_is_told_when_nobody_else_could_answer() {
    for (reply, told) in [
        (
            Reply::Refuse(401, "authentication_error", format!("no: {KEY}")),
            "refused our key",
        ),
        (Reply::Busy(30), "try again in 30 seconds"),
        (
            Reply::Refuse(500, "api_error", "boom".to_owned()),
            "does not answer right now",
        ),
        (Reply::Hang, "took longer than 1 seconds"),
        (
            Reply::Refuse(429, "insufficient_quota", String::new()),
            "no credit left",
        ),
        (Reply::Garbage, "an answer I cannot use"),
        (Reply::Say(json!({"cannot": "a tool that peeks"})), "a tool that peeks"),
    ] {
        let provider = FakeProvider::start().await;
        provider.always(reply.clone());
        let mut bot = bot(Mode::Online, provider.config(Provider::Anthropic), None).await;
        let answer = bot.says(PUZZLE).await;
        assert!(answer.contains(told), "{reply:?}: {answer}");
        assert_eq!(provider.asked().len(), 1, "{reply:?}");
        assert!(
            bot.says("what time is it").await.starts_with("It's "),
            "rules still answer"
        );
    }
}

#[tokio::test]
async fn hybrid_asks_nobody_outside_while_the_house_can_do_it() {
    let provider = provider_with_a_plan().await;
    let inside = ScriptedLlama::start().await;
    inside.when(PLANNING, Script::Say(looking().to_string()));
    let mut bot = bot(Mode::Hybrid, provider.config(Provider::Anthropic), Some(&inside)).await;
    assert!(bot.says(PUZZLE).await.contains("a.txt"));
    assert_eq!(last_turn(&bot).await["answered_by"], json!("metis"));
    // It says clearly what is missing: nobody outside has more tools.
    inside.next(Script::Say(json!({"cannot": "a tool that knits"}).to_string()));
    let answer = bot.says("knit me a pullover out of the goodies").await;
    assert!(answer.contains("a tool that knits"), "{answer}");
    assert_eq!(last_turn(&bot).await["mode"], json!("hybrid"));
    assert_eq!(provider.asked().len(), 0);
}

#[tokio::test]
async fn hybrid_asks_the_provider_when_the_model_is_down_or_was_refused_twice() {
    let provider = provider_with_a_plan().await;
    let inside = ScriptedLlama::start().await;
    let invalid = plan(&json!([{"tool": "launch_rockets", "args": {}}]));
    inside.when(PLANNING, invalid);
    let mut first = bot(Mode::Hybrid, provider.config(Provider::Anthropic), Some(&inside)).await;
    assert!(first.says(PUZZLE).await.contains("a.txt"));
    assert_eq!(last_turn(&first).await["answered_by"], json!("frontier"));
    assert_eq!((plans_asked(&inside).len(), provider.asked().len()), (2, 1));

    let mut second = bot(Mode::Hybrid, provider.config(Provider::Anthropic), Some(&inside)).await;
    inside.stop().await;
    assert!(second.says(PUZZLE).await.contains("a.txt"));
    assert_eq!(last_turn(&second).await["answered_by"], json!("frontier"));
    assert_eq!(provider.asked().len(), 2);

    let mut third = bot(Mode::Hybrid, provider.config(Provider::Anthropic), None).await;
    assert!(third.says(PUZZLE).await.contains("a.txt"), "a house without any model");
    assert_eq!(provider.asked().len(), 3);
}

/// A plan that fails is planned once more, but not for money again.
#[tokio::test]
async fn a_turn_asks_outside_once() {
    for mode in [Mode::Online, Mode::Hybrid] {
        let provider = FakeProvider::start().await;
        provider.always(Reply::Say(
            json!({"steps": [{"tool": "list_dirs", "args": {"path": "~/docs/none"}}], "show": true}),
        ));
        let mut bot = bot(mode, provider.config(Provider::Anthropic), None).await;
        bot.says("give me a peek of the goodies stashed under ~/docs/none")
            .await;
        assert_eq!(provider.asked().len(), 1, "{mode:?}");
    }
}

/// Something was done: whatever failed behind it, nobody writes another plan.
#[tokio::test]
async fn after_a_change_nobody_outside_is_asked() {
    let provider = provider_with_a_plan().await;
    let inside = ScriptedLlama::start().await;
    inside.when(
        PLANNING,
        plan(&json!([
            {"tool": "move_files", "args": {"paths": ["~/in/a.jpg"], "dst_dir": "~/photos"}},
            {"tool": "read_files", "args": {"paths": ["~/in/a.txt"]}}
        ])),
    );
    let mut bot = bot(Mode::Hybrid, provider.config(Provider::Anthropic), Some(&inside)).await;
    bot.file("in/a.jpg", "a");
    let answer = bot.says("move ~/in/a.jpg to ~/photos and read ~/in/a.txt").await;
    assert!(answer.contains("One thing was done before"), "{answer}");
    assert!(bot.has("photos/a.jpg"));
    assert_eq!((plans_asked(&inside).len(), provider.asked().len()), (1, 0));
}

#[tokio::test]
async fn the_status_says_that_the_model_is_online() {
    let provider = FakeProvider::start().await;
    let mut bot = bot(Mode::Online, provider.config(Provider::OpenAi), None).await;
    let answer = bot.says("status").await;
    assert!(answer.contains("The language model is an online one."), "{answer}");
    assert_eq!(provider.asked().len(), 0);
}

#[tokio::test]
async fn who_has_no_model_calls_left_has_none_outside_either() {
    let provider = provider_with_a_plan().await;
    let mut bot = bot(Mode::Online, provider.config(Provider::Anthropic), None).await;
    crate::turns::pair(&mut bot, "host-phone").await;
    crate::turns::pair(&mut bot, "anna").await;
    bot.telegram("host-phone", "/people quota anna models 0").await;
    let answer = bot
        .telegram("anna", "give me a peek of the goodies stashed under ~/box")
        .await;
    assert!(answer.contains("no model calls left"), "{answer}");
    assert_eq!(provider.asked().len(), 0);
}

#[tokio::test]
async fn it_is_told_in_the_language_of_the_person() {
    let provider = provider_with_a_plan().await;
    let setup = Setup {
        llm: Some(LlmConfig {
            online: OnlineConfig {
                prices: None,
                ..provider.config(Provider::Anthropic)
            },
            ..LlmConfig::default()
        }),
        mode: Mode::Online,
        lang: Lang::IT,
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup).await;
    bot.says_silently("dammi un assaggio delle leccornie nascoste in ~/docs")
        .await;
    let answer = bot.hears(ChannelKind::Terminal).await.plain();
    assert!(answer.starts_with("Posso interpellare un modello online"), "{answer}");
    assert_eq!(
        provider.asked().len(),
        0,
        "a model whose price nobody knows is not asked"
    );
}
