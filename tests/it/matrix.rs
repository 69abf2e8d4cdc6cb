//! Matrix at the wire, in rooms that are not encrypted: what the bot calls, and what it does when a call fails.
//! Encryption is met in the live suite and in `metnos-matrix`.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

mod files;
mod tasks;

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    model::PLANNING,
    support::{
        geo::{FakeGeo, Next},
        homeserver::{ADA, BOT, FakeHomeserver, ROOM},
        llama::{Script, ScriptedLlama},
        process::{Home, Service},
    },
};

/// A bot that is at home on this server.
async fn bed() -> (FakeHomeserver, Home, Service) {
    let (server, home) = (FakeHomeserver::start().await, Home::new());
    server.settle(&home);
    let service = serve(&home).await;
    (server, home, service)
}

async fn serve(home: &Home) -> Service {
    let mut service = home.serve(&[]);
    service.prints("metnos is running").await;
    service
}

fn notices(server: &FakeHomeserver) -> Vec<(String, Value)> {
    let sent = server.sent().into_iter();
    sent.filter(|shown| shown.content["msgtype"] == "m.notice")
        .map(|shown| (shown.id, shown.content))
        .collect()
}

#[tokio::test]
async fn what_takes_long_is_shown_by_one_notice_that_names_the_step_and_goes() {
    let (server, home) = (FakeHomeserver::start().await, Home::new());
    let (llama, geo) = (ScriptedLlama::start().await, FakeGeo::start().await);
    server.settle(&home);
    home.configure(&format!(
        "engine = \"metis\"\n[llm]\nurl = \"{}\"\n[places]\nphoton_url = \"{}/photon\"\n",
        llama.url(),
        geo.url
    ));
    let search = json!({"tool": "find_places", "args": {"kind": "restaurant", "near": "Piazza Navona"}});
    let plan = json!({"steps": [search], "show": true}).to_string();
    llama.when(PLANNING, Script::Slowly(Duration::from_secs(4), plan));
    geo.next("photon", Next::Slow(Duration::from_secs(4)));
    let service = serve(&home).await;

    let asked = server.says("find restaurants near Piazza Navona");
    server
        .until("the answer", |server| {
            server.answers().iter().any(|content| content["format"].is_string())
        })
        .await;
    let shown = notices(&server);
    let (notice, first) = shown.first().unwrap();
    assert!(first["body"].as_str().unwrap().contains("Making a plan"), "{first}");
    let (_, last) = shown.last().unwrap();
    assert_eq!(last["m.new_content"]["body"], "Searching…", "{last}");
    for (_, edit) in shown.iter().skip(1) {
        let relation = json!({"rel_type": "m.replace", "event_id": notice});
        assert_eq!(edit["m.relates_to"], relation, "one notice, edited");
    }
    server
        .until("the notice goes", |server| {
            let gone = server
                .sent()
                .into_iter()
                .filter(|shown| shown.kind == "m.room.redaction");
            gone.map(|shown| shown.content["redacts"].clone()).collect::<Vec<_>>() == [json!(notice)]
        })
        .await;

    let is_typing = |call: &crate::support::homeserver::Call| call.body["typing"] == true;
    server
        .until("typing ends", |server| {
            server.calls("/typing/").last().is_some_and(|call| !is_typing(call))
        })
        .await;
    let typed = server.calls("/typing/");
    assert!(
        typed.iter().filter(|call| is_typing(call)).count() >= 2,
        "kept up: {typed:?}"
    );
    assert!(
        typed
            .iter()
            .all(|call| call.path.contains(BOT) && call.path.contains(ROOM))
    );
    let read = &server.calls("/read_markers")[0].body;
    assert_eq!((&read["m.fully_read"], &read["m.read"]), (&json!(asked), &json!(asked)));
    service.terminate().await;
}

#[tokio::test]
async fn a_message_that_was_mended_is_answered_and_an_older_one_is_not() {
    let (server, _home, service) = bed().await;
    let edit = |of: &str, text: &str| {
        let content = json!({"msgtype": "m.text", "body": format!("* {text}"),
            "m.new_content": {"msgtype": "m.text", "body": text},
            "m.relates_to": {"rel_type": "m.replace", "event_id": of}});
        server.sends(&content)
    };
    let older = server.says("who are you");
    server.hears(0, "metnos").await;
    let mended = server.says("what tim is it");
    server.hears(1, "").await;
    edit(&mended, "what time is it");
    let answer = server.hears(2, "It's ").await;
    assert_eq!(
        answer["m.relates_to"]["m.in_reply_to"]["event_id"],
        json!(mended),
        "{answer}"
    );
    edit(&older, "what time is it");
    server.hears(3, "You changed an older message").await;
    service.terminate().await;
}

#[tokio::test]
async fn a_place_comes_as_a_point_on_the_map() {
    let (server, home, geo) = (FakeHomeserver::start().await, Home::new(), FakeGeo::start().await);
    server.settle(&home);
    home.configure(&format!("[places]\nphoton_url = \"{}/photon\"\n", geo.url));
    let service = serve(&home).await;
    server.says("find restaurants near Piazza Navona");
    server
        .until("the point and the words", |server| server.answers().len() == 2)
        .await;
    let answers = server.answers();
    let [pin, words] = answers.as_slice() else {
        panic!("{answers:#?}")
    };
    assert!(words["body"].as_str().unwrap().contains("Da Tonino") && words["msgtype"] == "m.text");
    assert_eq!(
        (&pin["msgtype"], &pin["geo_uri"]),
        (&json!("m.location"), &json!("geo:41.899,12.472"))
    );
    let described = "Da Tonino, Via Torino 7, 20123 Milano, Italia";
    assert_eq!(
        pin["org.matrix.msc3488.location"],
        json!({"uri": "geo:41.899,12.472", "description": described})
    );
    assert_eq!(pin["org.matrix.msc3488.asset"], json!({"type": "m.pin"}));
    assert!(pin["body"].as_str().unwrap().starts_with(described));
    assert!(
        pin["m.relates_to"]["m.in_reply_to"].is_object(),
        "the first message quotes the question"
    );
    service.terminate().await;
}

/// The process died after the answer and before our place was written down: the server tells everything once more.
#[tokio::test]
async fn what_was_taken_is_not_taken_again_and_what_is_ours_or_old_never() {
    let (server, home, service) = bed().await;
    server.asks("what time is it", "It's").await;
    service.kill().await;
    std::fs::write(home.data_dir().join("matrix/position"), "s0").unwrap();
    server.event(
        BOT,
        "m.room.message",
        &json!({"msgtype": "m.text", "body": "what day is it"}),
    );
    let service = serve(&home).await;
    server.asks("who are you", "metnos").await;
    assert_eq!(server.answers().len(), 2, "{:#?}", server.answers());
    service.terminate().await;

    // Without a place of our own, what was said long before we came was not said to us.
    std::fs::remove_file(home.data_dir().join("matrix/position")).unwrap();
    server.long_ago(ADA, &json!({"msgtype": "m.text", "body": "delete ~/docs"}));
    let service = serve(&home).await;
    server.asks("what day is it", "Today is").await;
    assert_eq!(server.answers().len(), 3, "{:#?}", server.answers());
    service.terminate().await;
}

#[tokio::test]
async fn an_owner_who_was_locked_out_stays_a_stranger_over_a_restart() {
    let (server, home, service) = bed().await;
    server.asks("what time is it", "It's").await;
    let (_, told) = home.run(&["people", "revoke", "host", "matrix"], "").await;
    assert!(told.contains("locked out on matrix"), "{told}");
    service.terminate().await;
    let service = serve(&home).await;
    server.asks("what time is it", "belongs to a household").await;
    service.terminate().await;

    let setup = [
        "matrix",
        "setup",
        "--homeserver",
        &server.url,
        "--user",
        "bot",
        "--owner",
        ADA,
    ];
    let (succeeded, told) = home.run(&setup, "pw\n").await;
    assert!(succeeded && told.contains("is let in again"), "{told}");
    let service = serve(&home).await;
    server.asks("who are you", "metnos").await;
    service.terminate().await;
}

/// The homeserver is down when metnos starts: it waits, and answers once the server is there.
#[tokio::test]
async fn a_server_that_is_down_at_the_start_is_waited_for() {
    let (server, home) = (FakeHomeserver::start().await, Home::new());
    server.settle(&home);
    let down = json!({"errcode": "M_UNKNOWN", "error": "not now"});
    server.fail("", 3, 502, &down);
    let service = serve(&home).await;
    server.asks("what time is it", "It's").await;
    service.terminate().await;
}

/// The store holds the keys of a device that only its session can use: without it nothing is begun anew by itself.
#[tokio::test]
async fn a_session_that_was_removed_stops_the_start_with_the_next_step() {
    let (server, home) = (FakeHomeserver::start().await, Home::new());
    server.settle(&home);
    let session = home.data_dir().join("matrix/session.json");
    let aside = home.data_dir().join("session.json");
    std::fs::rename(&session, &aside).unwrap();
    let (succeeded, told) = home.run(&["serve"], "").await;
    assert!(!succeeded, "{told}");
    assert!(told.contains("the store is there, but its session is gone"), "{told}");
    assert!(told.contains("Put session.json back beside it"), "{told}");
    assert!(server.calls("").is_empty(), "nobody was asked: {:?}", server.calls(""));
    std::fs::rename(&aside, &session).unwrap();
    let service = serve(&home).await;
    server.asks("what time is it", "It's").await;
    service.terminate().await;
}

/// A household whose model asks for a secret and writes it down.
async fn asked_for_a_secret() -> (FakeHomeserver, Home, Service) {
    let (server, home) = (FakeHomeserver::start().await, Home::new());
    let llama = ScriptedLlama::start().await;
    server.settle(&home);
    home.configure(&format!("[llm]\nurl = \"{}\"\n", llama.url()));
    let question = json!({"var": "code", "kind": "secret", "prompt": "What is the code?"});
    let steps = json!([
        {"tool": "get_inputs", "args": {"fields": [question]}},
        {"tool": "write_files", "args": {"path": "~/answer.txt", "content": "${step1.values.code}"}}
    ]);
    llama.when(PLANNING, Script::Say(json!({"steps": steps}).to_string()));
    // What the plan of a model writes needs no card at this level.
    let (raised, said) = home.run(&["autonomy", "A3", "host"], "").await;
    assert!(raised, "{said}");
    let service = serve(&home).await;
    server
        .asks("write my answer to ~/answer.txt", "What is the code?")
        .await;
    (server, home, service)
}

/// Where the room lets us, the message with the secret goes, once, and that message alone.
#[tokio::test]
async fn a_message_with_a_secret_is_taken_away() {
    let (server, home, service) = asked_for_a_secret().await;
    let secret = server.says("xyzzy-plugh");
    server.until("it is done", |_| home.path("answer.txt").exists()).await;
    let redacted = |server: &FakeHomeserver| -> Vec<Value> {
        let gone = server.sent().into_iter();
        let gone = gone.filter(|shown| shown.kind == "m.room.redaction");
        gone.map(|shown| shown.content["redacts"].clone()).collect()
    };
    server
        .until("the secret goes", |server| redacted(server).contains(&json!(secret)))
        .await;
    server.asks("who are you", "metnos").await;
    let about = redacted(&server).into_iter().filter(|gone| *gone == json!(secret));
    assert_eq!(about.count(), 1);
    let answers = server.answers();
    let asked_to = |content: &&Value| content["body"].as_str().is_some_and(|body| body.contains("yourself"));
    assert!(!answers.iter().any(|content| asked_to(&content)), "{answers:#?}");
    service.terminate().await;
}

/// In a room that a person made the bot may not remove what others wrote.
#[tokio::test]
async fn a_secret_that_stays_in_the_room_is_said() {
    let (server, home, service) = asked_for_a_secret().await;
    let refusal = json!({"errcode": "M_FORBIDDEN", "error": "not enough power"});
    server.fail("/redact/", 1, 403, &refusal);
    server.asks("xyzzy-plugh", "delete it from this chat yourself").await;
    server.until("it is done", |_| home.path("answer.txt").exists()).await;
    let written = std::fs::read_to_string(home.path("answer.txt")).unwrap();
    assert!(written.starts_with("secret:"), "{written}");
    service.terminate().await;
}
