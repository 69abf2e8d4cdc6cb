//! Models that are worse than none: what they make up, send out of the house, change unasked, or answer about something
//! else. Whatever they say twice, it is a question or an honest no.

use metnos::{config::EngineChoice, domain::reply::ButtonKind};
use serde_json::{Value, json};

use super::{PLANNING, bot_asking, bot_with, hears, last_turn, plan, plan_saying, plans_asked};
use crate::support::{
    bot::{Setup, TestBot},
    geo::FakeGeo,
    llama::{Script, ScriptedLlama},
};

/// A server that answers every request for a plan with this.
async fn always(script: Script) -> ScriptedLlama {
    let server = ScriptedLlama::start().await;
    server.when(PLANNING, script);
    server
}

async fn ended(bot: &TestBot) -> String {
    last_turn(bot).await["answered_by"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// A correction names the words that nobody said, and a model may say them again because of that.
#[tokio::test]
async fn a_correction_makes_nobody_elses_words_known() {
    for path in ["~/private/misgivings.txt", "~/private/misgivngs.txt"] {
        let server = always(plan(&json!([{"tool": "read_files", "args": {"paths": [path]}}]))).await;
        let mut bot = bot_asking(&server).await;
        bot.file("private/misgivings.txt", "It was me who broke the vase.");
        for request in [
            "whatever could we do about the squeaky gate",
            "cosa mi metto per il ballo di domenica",
        ] {
            let heard = bot.says(request).await;
            assert!(!heard.contains("vase"), "{request}: {heard}");
            assert_eq!(ended(&bot).await, "terminator", "{request}: {heard}");
        }
        let asked = plans_asked(&server);
        assert_eq!(asked.len(), 4, "one plan and one more each");
        let told = asked[1].split_once("WRONG IN THE LAST PLAN").unwrap().1;
        assert!(!told.contains("~/private/misgivings.txt"), "{told}");
    }
}

/// What a model looks up outside was not asked for: it is shown, and nothing leaves the house before a yes.
#[tokio::test]
async fn words_leave_the_house_only_when_asked_for() {
    let geo = FakeGeo::start().await;
    let looking = json!([{"tool": "find_places", "args": {"query": "giraffe papers", "near": "giraffe"}}]);
    let server = always(plan(&looking)).await;
    let mut bot = TestBot::with(Setup {
        llm: Some(server.config()),
        engine: EngineChoice::Metis,
        places: Some(geo.photon()),
        ..Setup::default()
    })
    .await;
    let card = bot.says("i really need the giraffe papers").await;
    assert_eq!(geo.asked().len(), 0, "{card}");
    assert!(card.contains("giraffe papers"), "{card}");
    bot.taps(ButtonKind::Refuse).await;
    hears(&mut bot).await;
    assert_eq!(geo.asked().len(), 0);
    // Where it was asked for, nobody is asked back.
    let asked = json!([{"tool": "find_places", "args": {"kind": "pharmacy", "near": "Torino"}}]);
    let server = always(plan(&asked)).await;
    let mut bot = TestBot::with(Setup {
        llm: Some(server.config()),
        engine: EngineChoice::Metis,
        places: Some(geo.photon()),
        ..Setup::default()
    })
    .await;
    let heard = bot.says("where might the nearest pharmacy of Torino be").await;
    assert!(!geo.asked().is_empty(), "{heard}");
}

/// The disk's free space is no answer to how long something takes, and what is set is told to the model.
#[tokio::test]
async fn what_cannot_be_the_kind_of_answer_is_none() {
    let disks = json!([{"tool": "get_disks", "args": {}}]);
    let server = always(plan_saying(&disks, "It is ${step1.entries[0].free}.")).await;
    let mut bot = bot_asking(&server).await;
    bot.says("set a timer for 9 minutes for the pasta").await;
    let asked = "when must the pasta come off the stove";
    let heard = bot.says(asked).await;
    assert!(!heard.contains("It is"), "{heard}");
    assert_eq!(ended(&bot).await, "terminator");
    let prompts = plans_asked(&server);
    assert_eq!(prompts.len(), 2, "{heard}");
    assert!(prompts[0].contains("timer “pasta”, in 9 min"), "{}", prompts[0]);
    let server = always(plan(&json!([{"tool": "read_tasks", "args": {"name": "pasta"}}]))).await;
    let mut bot = bot_asking(&server).await;
    bot.says("set a timer for 9 minutes for the pasta").await;
    let heard = bot.says(asked).await;
    assert_eq!(ended(&bot).await, "metis", "{heard}");
    assert_eq!(plans_asked(&server).len(), 1);
}

/// A rename is no folder of that name, and no folder is made beside it.
#[tokio::test]
async fn no_folder_is_made_that_nobody_asked_for() {
    let into =
        json!([{"tool": "move_files", "args": {"paths": ["~/docs/temi.txt"], "dst_dir": "~/docs/temi di storia.txt"}}]);
    let beside = json!([
        {"tool": "create_dirs", "args": {"paths": ["~/docs/storia"]}},
        {"tool": "move_files", "args": {"paths": ["~/docs/temi.txt"], "dst_dir": "~/docs", "new_name": "temi di storia.txt"}}
    ]);
    for wrong in [into, beside] {
        let server = always(plan(&wrong)).await;
        let mut bot = bot_asking(&server).await;
        bot.file("docs/temi.txt", "le crociate");
        let heard = bot.says("rinomina temi.txt in temi di storia.txt").await;
        assert!(
            bot.has("docs/temi.txt") && !bot.has("docs/temi di storia.txt/"),
            "{heard}"
        );
        assert!(
            bot.buttons().iter().all(|button| button.kind != ButtonKind::Approve),
            "{heard}"
        );
    }
}

/// Answers and changes about something else, arguments that nobody said: none runs, and none is offered.
#[tokio::test]
async fn what_nobody_said_is_no_argument() {
    let rows: [(&str, Value); 5] = [
        // The list with a colon.
        (
            "fammi una lista per la pizzata: mozzarella, pomodoro, basilico",
            json!([{"tool": "read_tasks", "args": {"name": "pizzata"}}]),
        ),
        // A filter over a text that the model wrote itself.
        (
            "which of my papers mentions the boiler",
            json!([{"tool": "filter_texts_lines", "args": {"content": "The boiler is in the attic.", "contains": "boiler"}}]),
        ),
        // A zone in the place of a place.
        (
            "a bakery would be great right now",
            json!([{"tool": "find_places", "args": {"kind": "bakery", "near": "Europe/Rome"}}]),
        ),
        // An invented file.
        (
            "we are nearly out of olives, write that down somewhere",
            json!([{"tool": "write_files", "args": {"path": "~/notes/groceries.txt", "content": "olives", "mode": "add_lines"}}]),
        ),
        // A change where only something was asked.
        (
            "what is in the attic box",
            json!([{"tool": "delete_files", "args": {"paths": ["~/docs/a.txt"]}}]),
        ),
    ];
    for (request, steps) in rows {
        let server = always(plan(&steps)).await;
        let mut bot = bot_asking(&server).await;
        bot.file("docs/a.txt", "alpha");
        let heard = bot.says(request).await;
        assert_eq!(ended(&bot).await, "terminator", "{request}: {heard}");
        assert!(!bot.has("notes/groceries.txt") && bot.has("docs/a.txt"), "{request}");
        assert!(plans_asked(&server).len() <= 2, "{request}");
    }
}

/// A model that answers every request with a look at something else, whatever it is told.
#[tokio::test]
async fn a_model_that_always_looks_elsewhere_is_never_believed() {
    let elsewhere = [
        json!([{"tool": "get_disks", "args": {}}]),
        json!([{"tool": "list_dirs", "args": {"path": "~/music"}}]),
        json!([{"tool": "get_processes", "args": {}}]),
        json!([{"tool": "read_files", "args": {"paths": ["~/music/lyrics.txt"]}}]),
    ];
    for steps in elsewhere {
        let server = always(plan(&steps)).await;
        let mut bot = bot_asking(&server).await;
        bot.file("music/lyrics.txt", "la la la");
        for request in [
            "could somebody explain the noise of the fridge",
            "il rubinetto del bagno gocciola ancora",
            "the neighbours want their ladder back on saturday",
        ] {
            let heard = bot.says(request).await;
            assert_eq!(ended(&bot).await, "terminator", "{request}: {heard}");
            assert!(!heard.contains("la la"), "{request}: {heard}");
        }
        assert!(plans_asked(&server).len() <= 6);
    }
}

/// What code has no place for is the model's; what code read stays where the model has nothing.
#[tokio::test]
async fn code_answers_first_only_with_every_word() {
    let nothing = Script::Say(json!({"cannot": "that"}).to_string());
    let server = always(nothing).await;
    let mut bot = bot_with(&server).await;
    bot.file("notes/shopping.txt", "milk\nbread\n");
    assert!(bot.says("show the shopping list").await.contains("milk"));
    assert_eq!(plans_asked(&server).len(), 0, "all of it has its place");
    // A look that finds nothing is no answer before the model was asked, and stays one after it had none.
    let heard = bot.says("find the pdf files in ~/docs").await;
    assert_eq!(plans_asked(&server).len(), 1, "{heard}");
    assert_eq!(ended(&bot).await, "simple", "{heard}");
}
