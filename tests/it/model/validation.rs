//! Plans that are wrong: one chance to mend them, with all that is wrong told at once, and nothing runs until they are.

use insta::assert_snapshot;
use metnos::domain::reply::ButtonKind;
use serde_json::{Value, json};

use super::{PLANNING, bot_asking, hears, last_turn, plan, plans_asked, said};
use crate::support::llama::{Script, ScriptedLlama};

fn wrong() -> Value {
    json!([
        {"tool": "find_files", "args": {"base_path": "~/docs", "colour": "red"}},
        {"tool": "compute_entries", "args": {"from_step": 7, "op": "count"}}
    ])
}

#[tokio::test]
async fn an_invalid_plan_is_mended_once_with_all_errors_told() {
    let server = ScriptedLlama::start().await;
    server.next(plan(&wrong())).next(plan(&json!([
        {"tool": "find_files", "args": {"base_path": "~/docs"}},
        {"tool": "compute_entries", "args": {"from_step": 1, "op": "count"}}
    ])));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.says("count the goodies stashed under ~/docs").await;
    assert_snapshot!(said(&bot), @"
    > count the goodies stashed under ~/docs
    < 1
      [✓ ✗ ↺] metis, 2 model calls
    ");
    let asked = plans_asked(&server);
    assert_eq!(asked.len(), 2);
    assert!(!asked[0].contains("WRONG IN THE LAST PLAN"));
    let told = asked[1].split_once("WRONG IN THE LAST PLAN").unwrap().1;
    assert!(told.contains("colour"), "{told}");
    assert!(told.contains('7'), "{told}");
}

#[tokio::test]
async fn a_plan_that_stays_invalid_never_runs() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([
            {"tool": "delete_files", "args": {"paths": ["~/docs/a.txt"], "really": true}}
        ])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.says("zap whatever lies around under ~/docs, delete it").await;
    assert_snapshot!(said(&bot), @"
    > zap whatever lies around under ~/docs, delete it
    < I found no safe way to do this part: “zap whatever lies around”. Nothing was changed. Please say it differently: what to do, and with which file, folder or address.
      [] terminator, 2 model calls
    ");
    assert!(bot.has("docs/a.txt"));
    assert_eq!(plans_asked(&server).len(), 2, "one proposal and one more");
    assert_eq!(last_turn(&bot).await["steps"], json!([]));
}

/// A file, a number or an address that nobody named is never acted upon, however sure the model is.
#[tokio::test]
async fn an_action_on_what_nobody_named_is_refused() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "delete_files", "args": {"paths": ["~/docs/b.txt"]}}])),
    );
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.file("docs/b.txt", "b");
    bot.says("delete ~/docs/a.txt").await;
    assert_snapshot!(said(&bot), @"
    > delete ~/docs/a.txt
    < I found no plan for this that holds together, and nothing was changed. Please say it differently: what to do, and with which file, folder or address.
      [] terminator, 2 model calls
    ");
    assert!(bot.has("docs/b.txt"));
}

/// A verb of the request that the plan leaves out is an error, not a smaller answer.
#[tokio::test]
async fn a_plan_that_forgets_half_of_the_request_is_not_run() {
    let server = ScriptedLlama::start().await;
    server.next(plan(
        &json!([{"tool": "find_files", "args": {"base_path": "~/in", "pattern": "*.jpg"}}]),
    ));
    server.next(plan(&json!([
        {"tool": "find_files", "args": {"base_path": "~/in", "pattern": "*.jpg"}},
        {"tool": "move_files", "args": {"from_step": 1, "dst_dir": "~/photos"}}
    ])));
    let mut bot = bot_asking(&server).await;
    bot.file("in/a.jpg", "a");
    bot.says("move the dazzling jpg files from ~/in to ~/photos").await;
    // Code does not know what "dazzling" is to leave out, so the person is shown what would be moved.
    assert_snapshot!(said(&bot), @"
    > move the dazzling jpg files from ~/in to ~/photos
    < I am not sure that this is what you mean, so look at it first:
    < May I move this?
    < • ~/in/a.jpg
    < Destination: ~/photos.
    < “undo” can bring it back. Risk: low. This question is open for 10 minutes.
      [Yes No] metis, 2 model calls
    ");
    bot.taps(ButtonKind::Approve).await;
    hears(&mut bot).await;
    assert!(bot.has("photos/a.jpg"));

    // Somebody said that it was what they meant: these words do it from now on.
    bot.file("in/b.jpg", "b");
    bot.says("move the dazzling jpg files from ~/in to ~/photos").await;
    assert!(bot.has("photos/b.jpg"), "{}", bot.transcript());
    assert_eq!(plans_asked(&server).len(), 2, "and no model is asked");
}

#[tokio::test]
async fn thirty_one_steps_are_too_many() {
    let server = ScriptedLlama::start().await;
    let steps: Vec<Value> = (0..31)
        .map(|number| json!({"tool": "list_dirs", "args": {"path": format!("~/docs/{number}")}}))
        .collect();
    server.when(PLANNING, plan(&Value::Array(steps)));
    let mut bot = bot_asking(&server).await;
    bot.says("list every nook and cranny of ~/docs").await;
    assert_snapshot!(said(&bot), @"
    > list every nook and cranny of ~/docs
    < This took more steps than I allow myself, so I stopped. Please ask for a smaller part of it.
      [] terminator, 2 model calls
    ");
    let asked = plans_asked(&server);
    assert_eq!(asked.len(), 2);
    assert!(asked[1].contains("31"), "{}", asked[1]);
    assert_eq!(last_turn(&bot).await["steps"], json!([]));
}

#[tokio::test]
async fn a_tool_nobody_has_is_told_and_never_run() {
    let server = ScriptedLlama::start().await;
    server.when(
        PLANNING,
        plan(&json!([{"tool": "format_disks", "args": {"all": true}}])),
    );
    let mut bot = bot_asking(&server).await;
    bot.says("wipe my drive squeaky clean").await;
    assert_snapshot!(said(&bot), @"
    > wipe my drive squeaky clean
    < I found no safe way to do this part: “wipe my drive squeaky clean”. Nothing was changed. Please say it differently: what to do, and with which file, folder or address.
      [] terminator, 2 model calls
    ");
    assert!(plans_asked(&server).iter().any(|asked| asked.contains("format_disks")));
}

#[tokio::test]
async fn words_instead_of_a_plan_are_no_answer() {
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, Script::Say("<b>Sure!</b> I deleted everything.".to_owned()));
    let mut bot = bot_asking(&server).await;
    bot.file("docs/a.txt", "a");
    bot.says("clear up ~/docs for me, will you").await;
    assert_snapshot!(said(&bot), @"
    > clear up ~/docs for me, will you
    < I found no safe way to do this part: “clear”. Nothing was changed. Please say it differently: what to do, and with which file, folder or address.
      [] terminator, 1 model call
    ");
}
