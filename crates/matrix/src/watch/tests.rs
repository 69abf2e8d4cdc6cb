//! A homeserver that misbehaves: limits, a lost session, gaps, batches nobody took, keys older than the server's.

use std::sync::Arc;

use matrix_sdk::{
    config::RequestConfig,
    ruma::{OwnedRoomId, events::AnyTimelineEvent, room_id},
    test_utils::mocks::{MatrixMockServer, RoomMessagesResponseTemplate},
};
use matrix_sdk_test::JoinedRoomBuilder;
use serde_json::json;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use wiremock::ResponseTemplate;

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
        let (sender, batches) = mpsc::channel(1);
        let stop = CancellationToken::new();
        let watch = Watch {
            batches: sender,
            owner: None,
            stop: stop.clone(),
        };
        let ended = tokio::spawn(self.bot.watch(watch));
        Watching { batches, stop, ended }
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

    async fn stop(self) {
        self.stop.cancel();
        assert_eq!(self.ended.await.unwrap(), Ended::Stopped);
    }
}

fn event(id: &str, body: &str) -> Value {
    json!({"type": "m.room.message", "event_id": id, "sender": "@ada:bed", "origin_server_ts": 1,
        "content": {"msgtype": "m.text", "body": body}})
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
            other @ (Event::Reaction { .. } | Event::Redaction { .. } | Event::Invite { .. }) => panic!("{other:?}"),
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
