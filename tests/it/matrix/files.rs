//! Files and pictures both ways.

use serde_json::{Value, json};

use super::bed;
use crate::support::{homeserver::FakeHomeserver, process::Home};

/// What can be taken from a person.
const LIMIT: usize = 20_000_000;

/// A file as Ada's app sends it; words make the body a caption.
fn file(server: &FakeHomeserver, kind: &str, name: &str, content: &[u8], caption: &str) -> Value {
    let body = if caption.is_empty() { name } else { caption };
    json!({"msgtype": kind, "body": body, "filename": name, "url": server.keeps(content),
        "info": {"size": content.len()}})
}

fn left_over(home: &Home) -> Vec<String> {
    let Ok(folder) = std::fs::read_dir(home.path("inbox")) else {
        return Vec::new();
    };
    let names = folder.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".part")).collect()
}

#[tokio::test]
async fn a_file_is_kept_and_it_is_saved_where_the_person_says() {
    let (server, home, service) = bed().await;
    home.write("docs/other.txt", "x");
    server.sends(&file(&server, "m.file", "report.pdf", b"one", "save this in ~/docs"));
    server.until("moved", |_| home.path("docs/report.pdf").exists()).await;
    assert_eq!(std::fs::read(home.path("docs/report.pdf")).unwrap(), b"one");

    let before = server.answers().len();
    server.sends(&file(&server, "m.file", "report.pdf", b"two", ""));
    server.hears(before, "~/inbox/report.pdf").await;
    server
        .asks("rename it to second.pdf", "renamed report.pdf to second.pdf")
        .await;
    assert_eq!(std::fs::read(home.path("inbox/second.pdf")).unwrap(), b"two");

    for (kind, name) in [("m.image", "cat.jpg"), ("m.video", "cat.mp4"), ("m.audio", "cat.mp3")] {
        let before = server.answers().len();
        server.sends(&file(&server, kind, name, name.as_bytes(), ""));
        server.hears(before, &format!("~/inbox/{name}")).await;
    }
    let before = server.answers().len();
    let mut spoken = file(&server, "m.audio", "", b"opus", "");
    spoken["org.matrix.msc3245.voice"] = json!({});
    server.sends(&spoken);
    server.hears(before, "~/inbox/voice-").await;
    service.terminate().await;
}

#[tokio::test]
async fn a_foreign_name_leads_nowhere_and_nothing_is_replaced() {
    let (server, home, service) = bed().await;
    for content in [b"one", b"two"] {
        let before = server.answers().len();
        server.sends(&file(&server, "m.file", "../../.bashrc", content, ""));
        server.hears(before, "~/inbox/bashrc").await;
    }
    assert_eq!(std::fs::read(home.path("inbox/bashrc")).unwrap(), b"one");
    assert_eq!(std::fs::read(home.path("inbox/bashrc (2)")).unwrap(), b"two");
    assert!(!home.path(".bashrc").exists());
    service.terminate().await;
}

#[tokio::test]
async fn what_is_too_large_is_not_fetched_and_no_more_is_taken_than_that() {
    let (server, home, service) = bed().await;
    let mut large = file(&server, "m.file", "a.iso", b"x", "");
    large["info"]["size"] = json!(LIMIT + 1);
    let before = server.answers().len();
    server.sends(&large);
    server.hears(before, "too large for me: I can take up to 20 MB").await;
    assert!(server.calls("/media/").is_empty(), "its size alone said so");

    let mut lie = file(&server, "m.file", "b.iso", &vec![0; LIMIT + 1], "");
    lie["info"]["size"] = json!(3);
    let before = server.answers().len();
    server.sends(&lie);
    server.hears(before, "too large for me").await;
    assert_eq!(
        server.calls("/media/download").len(),
        1,
        "asked once, and no second time"
    );
    assert!(!home.path("inbox/b.iso").exists() && left_over(&home).is_empty());
    service.terminate().await;
}

#[tokio::test]
async fn a_download_that_fails_is_tried_again_and_then_said() {
    let (server, home, service) = bed().await;
    let down = json!({"errcode": "M_UNKNOWN", "error": "not now"});
    server.fail("/media/download", 1, 502, &down);
    let before = server.answers().len();
    server.sends(&file(&server, "m.file", "a.txt", b"whole", ""));
    server.hears(before, "~/inbox/a.txt").await;
    assert_eq!(std::fs::read(home.path("inbox/a.txt")).unwrap(), b"whole");

    server.fail("/media/download", 3, 502, &down);
    let before = server.answers().len();
    server.sends(&file(&server, "m.file", "b.txt", b"never", ""));
    server.hears(before, "could not fetch this file right now").await;

    let mut gone = file(&server, "m.file", "c.txt", b"gone", "");
    gone["url"] = json!("mxc://bed/nothing");
    let before = server.answers().len();
    server.sends(&gone);
    server.hears(before, "no longer on the server").await;

    let keys = json!({"url": server.keeps(b"not what was locked"), "v": "v2", "iv": "AAAAAAAAAAAAAAAAAAAAAA",
        "key": {"kty": "oct", "alg": "A256CTR", "ext": true, "key_ops": ["encrypt", "decrypt"],
            "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
        "hashes": {"sha256": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}});
    let before = server.answers().len();
    server.sends(&json!({"msgtype": "m.file", "body": "d.txt", "file": keys, "info": {"size": 19}}));
    server.hears(before, "arrived damaged").await;
    assert!(!home.path("inbox/d.txt").exists() && left_over(&home).is_empty());
    service.terminate().await;
}

/// Before version 1.11 servers handed files out elsewhere.
#[tokio::test]
async fn an_older_server_hands_files_out_too() {
    let (server, home, service) = bed().await;
    let unknown = json!({"errcode": "M_UNRECOGNIZED", "error": "what is that"});
    server.fail("client/v1/media/download", 1, 404, &unknown);
    let before = server.answers().len();
    server.sends(&file(&server, "m.file", "a.txt", b"whole", ""));
    server.hears(before, "~/inbox/a.txt").await;
    assert_eq!(std::fs::read(home.path("inbox/a.txt")).unwrap(), b"whole");
    service.terminate().await;
}

#[tokio::test]
async fn files_are_brought_as_what_they_are() {
    let (server, home, service) = bed().await;
    home.write("docs/a.pdf", "pdf");
    home.write(".secret/key.txt", "hush");
    for number in 0..3 {
        home.write(&format!("many/{number}.png"), &format!("png {number}"));
    }
    let brought = server.asks("send me ~/docs/a.pdf", "Here is").await;
    assert_eq!(
        (&brought["msgtype"], &brought["filename"]),
        (&json!("m.file"), &json!("a.pdf"))
    );
    assert_eq!(brought["info"], json!({"mimetype": "application/pdf", "size": 3}));
    assert_eq!(server.kept(brought["url"].as_str().unwrap()).unwrap(), b"pdf");
    assert!(brought["m.relates_to"]["m.in_reply_to"].is_object());
    server
        .until("its words can be judged", |server| {
            server.sent().iter().filter(|shown| shown.kind == "m.reaction").count() == 3
        })
        .await;

    let before = server.answers().len();
    server.asks("send me the png files in ~/many", "3 files").await;
    let album: Vec<Value> = server.answers().into_iter().skip(before).collect();
    let kinds: Vec<&str> = album
        .iter()
        .map(|content| content["msgtype"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["m.image", "m.image", "m.image", "m.text"]);
    for (number, content) in album.iter().take(3).enumerate() {
        assert_eq!(content["body"], format!("{number}.png"));
        let kept = server.kept(content["url"].as_str().unwrap()).unwrap();
        assert_eq!(kept, format!("png {number}").into_bytes());
    }

    let uploads = server.calls("media/v3/upload").len();
    server.asks("send me ~/.secret/key.txt", "hidden").await;
    assert_eq!(
        server.calls("media/v3/upload").len(),
        uploads,
        "nothing else was brought"
    );
    service.terminate().await;
}

#[tokio::test]
async fn what_cannot_be_brought_is_said_and_the_words_come() {
    let (server, home, service) = bed().await;
    server.takes_at_most(10_000);
    home.write("docs/small.txt", "small");
    home.write("docs/large.txt", &"x".repeat(10_001));
    let said = server.asks("send me ~/docs/large.txt", "up to 10 kB").await;
    assert!(
        said["body"]
            .as_str()
            .unwrap()
            .contains("large.txt is too large to send"),
        "{said}"
    );
    assert!(
        said["body"].as_str().unwrap().contains("Here is"),
        "the words come: {said}"
    );
    assert_eq!(said["msgtype"], "m.text");
    assert!(server.calls("media/v3/upload").is_empty());

    server.fail(
        "media/v3/upload",
        1,
        413,
        &json!({"errcode": "M_TOO_LARGE", "error": "no"}),
    );
    server.asks("send me ~/docs/small.txt", "did not take small.txt").await;

    // It goes away while the server asks to wait.
    let wait = json!({"errcode": "M_LIMIT_EXCEEDED", "error": "slowly", "retry_after_ms": 3_000});
    server.fail("media/v3/upload", 1, 429, &wait);
    let (before, uploads) = (server.answers().len(), server.calls("media/v3/upload").len());
    server.says("send me ~/docs/small.txt");
    server
        .until("the first try", |server| {
            server.calls("media/v3/upload").len() > uploads
        })
        .await;
    std::fs::remove_file(home.path("docs/small.txt")).unwrap();
    server.hears(before, "no longer where it was").await;
    service.terminate().await;
}
