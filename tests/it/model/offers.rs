//! Plans of a model that are shown before they change anything: what a yes, a no and neither of them come to, and that
//! what only looks is never refused for what the reader of the request believes.

use metnos::domain::reply::ButtonKind;
use serde_json::json;

use super::{PLANNING, bot_asking, hears, last_turn, plan, plans_asked};
use crate::support::llama::{Script, ScriptedLlama};

/// Words that code cannot place, so that the change is not certain.
const SHOVE: &str = "shove ~/docs/a.txt into ~/old";

/// Words that code cannot place, which speak of looking and of deleting.
const DAZZLING: &str = "find the txt files in ~/docs and delete the dazzling ones";

async fn shoving() -> ScriptedLlama {
    let server = ScriptedLlama::start().await;
    let moving = json!([{"tool": "move_files", "args": {"paths": ["~/docs/a.txt"], "dst_dir": "~/old"}}]);
    server.when(PLANNING, plan(&moving));
    server
}

#[tokio::test]
async fn a_card_that_is_set_aside_is_no_no() {
    let server = shoving().await;
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "alpha");
    let card = bot.says(SHOVE).await;
    assert!(card.contains("May I move this?") && bot.has("docs/a.txt"), "{card}");
    bot.says("what time is it").await;
    let again = bot.says(SHOVE).await;
    assert!(again.contains("May I move this?"), "{again}");
    bot.taps(ButtonKind::Refuse).await;
    hears(&mut bot).await;
    let refused = bot.says(SHOVE).await;
    assert!(!refused.contains("May I move this?"), "{refused}");
    assert!(bot.has("docs/a.txt"));
}

#[tokio::test]
async fn a_card_shows_all_that_would_be_written() {
    let server = ScriptedLlama::start().await;
    let text = "olives, capers and two lemons";
    let writing = json!([{"tool": "write_files", "args": {"path": "~/notes/supper.md", "content": text}}]);
    server.when(PLANNING, plan(&writing));
    let mut bot = bot_asking(&server).await;
    let card = bot.says("jot down a supper with olives, would you").await;
    assert!(card.contains("~/notes/supper.md") && card.contains(text), "{card}");
    assert!(!bot.has("notes/supper.md"));
    bot.says("yes").await;
    assert!(bot.has("notes/supper.md"), "{}", bot.transcript());
}

/// The reader believes that something is to be deleted, and the model does not: its plan runs after one call, and what
/// it left aside is said.
#[tokio::test]
async fn a_look_is_not_asked_for_twice_for_what_only_the_reader_believes() {
    let looking = json!([{"tool": "find_files", "args": {"base_path": "~/docs", "pattern": "*.txt"}}]);
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, plan(&looking));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "alpha");
    let heard = bot.says(DAZZLING).await;
    assert!(heard.contains("a.txt") && heard.contains("“delete”"), "{heard}");
    assert_eq!(plans_asked(&server).len(), 1);
}

/// A period that was said and left out may change what is found: the plan is asked for once more.
#[tokio::test]
async fn a_value_that_was_said_and_left_out_is_worth_a_second_call() {
    let looking = json!([{"tool": "find_files", "args": {"base_path": "~/docs", "pattern": "*.txt"}}]);
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, plan(&looking));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "alpha");
    bot.says("rummage for the seven dazzling txt files in ~/docs from last week")
        .await;
    assert_eq!(plans_asked(&server).len(), 2, "{}", bot.transcript());
}

/// The model took something for deleting, and only looks. It stays with looking, or says that it cannot delete: its
/// plan runs, and what it left aside is said.
#[tokio::test]
async fn a_look_runs_whatever_the_reader_misses_in_it() {
    let looking = json!([{"tool": "find_files", "args": {"base_path": "~/docs", "pattern": "*.txt"}}]);
    let taken = json!({"verb": "delete", "object": "files", "confidence": 0.9, "steps": looking, "show": true});
    let taken = Script::Say(taken.to_string());
    let cannot = Script::Say(json!({"cannot": "deleting"}).to_string());
    for second in [plan(&looking), cannot, Script::Say("hm".to_owned())] {
        let server = ScriptedLlama::start().await;
        server.next(taken.clone()).next(second.clone());
        let mut bot = bot_asking(&server).await;
        bot.file("docs/a.txt", "alpha");
        let heard = bot.says(DAZZLING).await;
        assert!(
            heard.contains("a.txt") && heard.contains("“delete”"),
            "{second:?}: {heard}"
        );
        assert_eq!(plans_asked(&server).len(), 2, "{second:?}");
        assert_eq!(last_turn(&bot).await["answered_by"], json!("metis"));
        assert!(bot.has("docs/a.txt"));
    }
}

/// A yes is to the plan on the card, and not to another one that failed before it.
#[tokio::test]
async fn a_yes_is_to_the_plan_that_was_shown() {
    let server = ScriptedLlama::start().await;
    let failing = json!([
        {"tool": "read_files", "args": {"paths": ["~/docs/gone.txt"]}},
        {"tool": "move_files", "args": {"paths": ["~/docs/a.txt"], "dst_dir": "~/elsewhere"}}
    ]);
    let moving = json!([{"tool": "move_files", "args": {"paths": ["~/docs/a.txt"], "dst_dir": "~/old"}}]);
    let said = "shove ~/docs/a.txt into ~/old, not ~/docs/gone.txt";
    server.next(plan(&failing)).next(plan(&moving)).next(plan(&failing));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "alpha");
    let card = bot.says(said).await;
    assert!(card.contains("~/old"), "{card}");
    bot.taps(ButtonKind::Approve).await;
    hears(&mut bot).await;
    assert!(bot.has("old/a.txt"), "{}", bot.transcript());
    bot.file("docs/a.txt", "alpha");
    bot.file("docs/gone.txt", "back");
    bot.says(said).await;
    assert!(!bot.has("elsewhere/a.txt"), "{}", bot.transcript());
}
