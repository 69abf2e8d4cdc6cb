//! A homeserver that misbehaves: limits, a lost session, gaps, batches nobody took, keys older than the server's.

use std::sync::Arc;

use matrix_sdk::{
    Client,
    config::RequestConfig,
    ruma::{OwnedRoomId, events::AnyTimelineEvent, room_id},
    test_utils::mocks::{MatrixMockServer, RoomMessagesResponseTemplate},
};
use matrix_sdk_test::JoinedRoomBuilder;
use serde_json::json;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use wiremock::{
    Mock, ResponseTemplate,
    matchers::{method, path_regex},
};

use super::*;
use crate::{
    Account, Outgoing,
    account::{Session, StoreKey},
};

struct Bed {
    server: MatrixMockServer,
    bot: Bot,
    room: OwnedRoomId,
    _folder: TempDir,
}

/// A watch that is running.
struct Watching {
    batches: mpsc::Receiver<Batch>,
    stop: CancellationToken,
    ended: JoinHandle<Ended>,
}

impl Bed {
    async fn new() -> Self {
        let server = MatrixMockServer::new().await;
        server.mock_upload_keys().ok().mount().await;
        Self::on(server).await
    }

    async fn on(server: MatrixMockServer) -> Self {
        let client = server
            .client_builder()
            .on_builder(|builder| builder.request_config(RequestConfig::new().disable_retry()))
            .build()
            .await;
        Self::with(server, client)
    }

    fn with(server: MatrixMockServer, client: Client) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let session = Session {
            homeserver: server.uri(),
            user: client.user_id().unwrap().to_string(),
            device: "D".to_owned(),
            access_token: "t".to_owned(),
            store_key: StoreKey::new().unwrap(),
            owner: None,
        };
        let account = Account::keep(folder.path(), session).unwrap();
        account.set_position("before").unwrap();
        let bot = Bot {
            client,
            account: Arc::new(account),
        };
        Self {
            server,
            bot,
            room: room_id!("!room:bed").to_owned(),
            _folder: folder,
        }
    }

    fn watch(&self) -> Watching {
        self.watch_for(KEY_WITHIN)
    }

    fn watch_for(&self, key_within: Duration) -> Watching {
        let (sender, batches) = mpsc::channel(1);
        let stop = CancellationToken::new();
        let watch = Watch {
            batches: sender,
            stop: stop.clone(),
        };
        let mut watcher = Watcher::new(self.bot.clone(), watch);
        watcher.key_within = key_within;
        let ended = tokio::spawn(watcher.run());
        Watching { batches, stop, ended }
    }

    /// The paths of what the bot asked, once one of them contains this.
    async fn asked(&self, part: &str) -> Vec<String> {
        let asking = async {
            loop {
                let requests = self.server.server().received_requests().await.unwrap();
                let paths: Vec<String> = requests.iter().map(|request| request.url.path().to_owned()).collect();
                if paths.iter().any(|path| path.contains(part)) {
                    return paths;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), asking).await.expect(part)
    }

    fn joined(&self) -> JoinedRoomBuilder {
        JoinedRoomBuilder::new(&self.room).set_room_summary(json!({"m.joined_member_count": 2}))
    }

    async fn says_next(&self, room: JoinedRoomBuilder) {
        let answer = self.server.mock_sync().ok(|builder| {
            builder.add_joined_room(room);
        });
        answer.up_to_n_times(1).mount().await;
    }
}

impl Watching {
    async fn batch(&mut self) -> Batch {
        let next = tokio::time::timeout(Duration::from_secs(20), self.batches.recv());
        next.await.expect("a batch in time").expect("a batch")
    }

    /// The first batch with something in it: one that only says that the server answers may stand before it.
    async fn news(&mut self) -> Batch {
        loop {
            let batch = self.batch().await;
            if !batch.events.is_empty() {
                return batch;
            }
            batch.taken.send(()).unwrap();
        }
    }

    async fn stop(self) {
        self.stop.cancel();
        assert_eq!(self.ended.await.unwrap(), Ended::Stopped);
    }
}

fn event(id: &str, body: &str) -> Value {
    json!({"type": "m.room.message", "event_id": id, "sender": "@ada:bed", "origin_server_ts": 1,
        "content": {"msgtype": "m.text", "body": body}})
}

/// A message whose key is that of a session we do not have.
fn locked(session: &str) -> Value {
    let mut locked = event("$locked", "");
    locked["type"] = json!("m.room.encrypted");
    locked["content"] = json!({"algorithm": "m.megolm.v1.aes-sha2", "session_id": session, "device_id": "X",
        "sender_key": "c2VuZGVy", "ciphertext": "AwgAEhA"});
    locked
}

fn in_sync(event: &Value) -> Raw<AnySyncTimelineEvent> {
    Raw::new(event).unwrap().cast_unchecked()
}

fn in_history(event: &Value) -> Raw<AnyTimelineEvent> {
    let mut event = event.clone();
    event["room_id"] = json!("!room:bed");
    Raw::new(&event).unwrap().cast_unchecked()
}

fn ids(batch: &Batch) -> Vec<&str> {
    batch
        .events
        .iter()
        .map(|event| match event {
            Event::Message(message) => message.id.as_str(),
            Event::Unreadable { id, .. } => id.as_str(),
            other @ (Event::Reaction { .. }
            | Event::Redaction { .. }
            | Event::Verification { .. }
            | Event::Invite { .. }) => panic!("{other:?}"),
        })
        .collect()
}

#[tokio::test]
async fn a_limit_says_how_long_to_wait() {
    let bed = Bed::new().await;
    let room = bed.server.sync_joined_room(&bed.bot.client, &bed.room).await;
    bed.server.mock_room_state_encryption().plain().mount().await;
    let limited = ResponseTemplate::new(429)
        .set_body_json(json!({"errcode": "M_LIMIT_EXCEEDED", "error": "slowly", "retry_after_ms": 2_500}));
    bed.server
        .mock_room_send()
        .respond_with(limited)
        .up_to_n_times(1)
        .mount()
        .await;
    let message = Outgoing {
        text: "x".to_owned(),
        ..Outgoing::default()
    };
    let sent = bed.bot.send(room.room_id().as_str(), &message, "n").await;
    assert_eq!(sent, Err(Failure::Wait(Duration::from_millis(2_500))));
    let forbidden = ResponseTemplate::new(403).set_body_json(json!({"errcode": "M_FORBIDDEN", "error": "no"}));
    bed.server.mock_room_send().respond_with(forbidden).mount().await;
    let sent = bed.bot.send(room.room_id().as_str(), &message, "n").await;
    assert!(matches!(sent, Err(Failure::Refused(_))), "{sent:?}");
}

#[tokio::test]
async fn a_lost_session_ends_the_watch_and_says_whether_it_may_come_back() {
    for soft in [true, false] {
        let bed = Bed::new().await;
        bed.server.mock_sync().error_unknown_token(soft).mount().await;
        let watching = bed.watch();
        assert_eq!(watching.ended.await.unwrap(), Ended::LoggedOut { soft });
    }
}

#[tokio::test]
async fn a_gap_is_filled_in_order_and_the_place_moves_when_it_is_taken() {
    let bed = Bed::new().await;
    let history = RoomMessagesResponseTemplate::default()
        .events(vec![in_history(&event("$2", "two")), in_history(&event("$1", "one"))]);
    bed.server
        .mock_room_messages()
        .match_from("gap")
        .ok(history)
        .mount()
        .await;
    bed.server.mock_room_state_encryption().plain().mount().await;
    let room = bed.joined().set_timeline_limited().set_timeline_prev_batch("gap");
    bed.says_next(room.add_timeline_event(in_sync(&event("$3", "three"))))
        .await;
    let mut watching = bed.watch();
    let batch = watching.batch().await;
    assert_eq!(ids(&batch), ["$1", "$2", "$3"]);
    assert_eq!(bed.bot.account.position().as_deref(), Some("before"));
    // Dropped without a word: nobody made it durable, and it comes again.
    drop(batch);
    let batch = watching.batch().await;
    assert_eq!(ids(&batch), ["$1", "$2", "$3"]);
    batch.taken.send(()).unwrap();
    let moved = async {
        while bed.bot.account.position().as_deref() == Some("before") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), moved).await.unwrap();
    watching.stop().await;
}

#[tokio::test]
async fn our_own_words_and_words_in_the_clear_are_not_taken_for_requests() {
    let bed = Bed::new().await;
    bed.server.mock_room_state_encryption().encrypted().mount().await;
    let mut own = event("$own", "mine");
    own["sender"] = json!(bed.bot.user());
    let room = bed.joined().add_timeline_event(in_sync(&own));
    bed.says_next(room.add_timeline_event(in_sync(&event("$clear", "delete everything"))))
        .await;
    let mut watching = bed.watch();
    let batch = watching.batch().await;
    assert_eq!(ids(&batch), ["$clear"]);
    assert!(matches!(batch.events.first(), Some(Event::Unreadable { .. })));
    watching.stop().await;
}

#[tokio::test]
async fn keys_older_than_the_servers_are_noticed_and_the_watch_goes_on() {
    let server = MatrixMockServer::new().await;
    let conflict = ResponseTemplate::new(400).set_body_json(json!({"errcode": "M_UNKNOWN", "error":
        "One time key signed_curve25519:AAAAAAAAAA4 already exists. Old key: x; new key: y"}));
    server.mock_upload_keys().respond_with(conflict).mount().await;
    let bed = Bed::on(server).await;
    bed.server.mock_room_state_encryption().plain().mount().await;
    bed.says_next(bed.joined().add_timeline_event(in_sync(&event("$1", "one"))))
        .await;
    let mut watching = bed.watch();
    let batch = watching.batch().await;
    assert_eq!(ids(&batch), ["$1"]);
    assert!(!crate::health::keys_fit(&bed.bot).await);
    watching.stop().await;
}

/// Nobody has its key: it is tried again until it is too late, and the sender is to be told; until then our place
/// waits.
#[tokio::test]
async fn a_message_without_its_key_waits_and_is_then_handed_out_as_unreadable() {
    let bed = Bed::new().await;
    bed.server.mock_room_state_encryption().encrypted().mount().await;
    bed.says_next(bed.joined().add_timeline_event(in_sync(&locked("nobody"))))
        .await;
    let nothing = bed.server.mock_sync().ok(|_builder| {});
    nothing.mount().await;
    let mut watching = bed.watch_for(Duration::from_millis(500));
    let batch = watching.news().await;
    assert_eq!(bed.bot.account.position().as_deref(), Some("before"));
    let [Event::Unreadable { id, sender, .. }] = batch.events.as_slice() else {
        panic!("{:?}", batch.events)
    };
    assert_eq!((id.as_str(), sender.as_str()), ("$locked", "@ada:bed"));
    watching.stop().await;
}

/// Where the account has a backup of keys, the missing one is asked for there, by its room and session.
#[tokio::test]
async fn a_missing_key_is_looked_for_in_the_backup() {
    let server = MatrixMockServer::new().await;
    server.mock_upload_keys().ok().mount().await;
    for (verb, path, status, answer) in [
        ("POST", "/room_keys/version", 200, json!({"version": "7"})),
        ("PUT", "/room_keys/keys", 200, json!({"count": 0, "etag": "1"})),
        (
            "GET",
            "/room_keys/keys",
            404,
            json!({"errcode": "M_NOT_FOUND", "error": "no such key"}),
        ),
    ] {
        let mock = Mock::given(method(verb)).and(path_regex(path));
        let mock = mock.respond_with(ResponseTemplate::new(status).set_body_json(answer));
        mock.mount(server.server()).await;
    }
    let client = server.client_builder().on_builder(|builder| {
        let builder = builder.request_config(RequestConfig::new().disable_retry());
        builder.with_encryption_settings(crate::bot::ENCRYPTION)
    });
    let client = client.build().await;
    client.encryption().backups().create().await.unwrap();
    let bed = Bed::with(server, client);
    bed.server.mock_room_state_encryption().encrypted().mount().await;
    bed.says_next(bed.joined().add_timeline_event(in_sync(&locked("nobody"))))
        .await;
    bed.server.mock_sync().ok(|_builder| {}).mount().await;
    let mut watching = bed.watch_for(Duration::from_secs(2));
    let paths = bed.asked("/nobody").await;
    let asked = paths.iter().find(|path| path.contains("/nobody")).unwrap();
    assert!(
        asked.contains("/room_keys/keys/") && asked.contains("room:bed"),
        "{asked}"
    );
    let batch = watching.news().await;
    assert_eq!(ids(&batch), ["$locked"], "nothing was there");
    watching.stop().await;
}

/// Who may verify us is decided by whoever watches, at the moment it is asked.
#[tokio::test]
async fn a_verification_is_handed_out_and_gone_through_with_or_refused() {
    for (is_welcome, answer, never) in [
        (false, "m.key.verification.cancel", "m.key.verification.ready"),
        (true, "m.key.verification.ready", "m.key.verification.cancel"),
    ] {
        let server = MatrixMockServer::new().await;
        server.mock_crypto_endpoints_preset().await;
        let (alice, bob) = server.set_up_alice_and_bob_for_encryption().await;
        let sent = Mock::given(method("PUT")).and(path_regex(r"/sendToDevice/"));
        let sent = sent.respond_with(ResponseTemplate::new(200).set_body_json(json!({})));
        sent.mount(server.server()).await;
        let bed = Bed::with(server, alice);
        let now = MilliSecondsSinceUnixEpoch::now();
        let request = json!({"type": "m.key.verification.request", "sender": bob.user_id().unwrap(),
            "content": {"from_device": bob.device_id().unwrap(), "methods": ["m.sas.v1"], "timestamp": now,
                "transaction_id": "t"}});
        let asked = bed.server.mock_sync().ok(|builder| {
            builder.add_to_device_event(request);
        });
        asked.up_to_n_times(1).mount().await;
        let mut watching = bed.watch();
        let batch = watching.batch().await;
        let [Event::Verification { sender, flow }] = batch.events.as_slice() else {
            panic!("{batch:?}")
        };
        assert_eq!((sender.as_str(), flow.as_str()), (bob.user_id().unwrap().as_str(), "t"));
        if is_welcome {
            bed.bot.verify(sender, flow, Arc::new(|_| {}));
        } else {
            bed.bot.refuse_verification(sender, flow).await.unwrap();
        }
        let paths = bed.asked(answer).await;
        assert!(!paths.iter().any(|path| path.contains(never)), "{paths:?}");
        watching.stop().await;
    }
}

#[tokio::test]
async fn typing_and_how_far_we_read_are_told() {
    let bed = Bed::new().await;
    let room = bed.server.sync_joined_room(&bed.bot.client, &bed.room).await;
    bed.server.mock_send_read_markers().ok().mount().await;
    let typing = Mock::given(method("PUT")).and(path_regex(r"/typing/"));
    let typing = typing.respond_with(ResponseTemplate::new(200).set_body_json(json!({})));
    typing.mount(bed.server.server()).await;
    let room = room.room_id().as_str();
    bed.bot.typing(room, true).await.unwrap();
    bed.bot.typing(room, false).await.unwrap();
    bed.bot.mark_read(room, "$1:bed").await.unwrap();
    let requests = bed.server.server().received_requests().await.unwrap();
    let bodies = |part: &str| -> Vec<Value> {
        let about = requests.iter().filter(|request| request.url.path().contains(part));
        about.map(|request| request.body_json().unwrap()).collect()
    };
    let shown: Vec<Value> = bodies("/typing/").iter().map(|body| body["typing"].clone()).collect();
    assert_eq!(shown, [json!(true), json!(false)]);
    assert_eq!(
        bodies("/read_markers"),
        [json!({"m.fully_read": "$1:bed", "m.read": "$1:bed"})]
    );
}
