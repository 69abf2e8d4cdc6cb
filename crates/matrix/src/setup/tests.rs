//! Logging in again after the homeserver logged us out: softly, which keeps device and store, and for good.

use matrix_sdk::test_utils::mocks::MatrixMockServer;
use serde_json::{Value, json};
use tempfile::TempDir;
use wiremock::ResponseTemplate;

use super::*;
use crate::account::{read_session, store_of};

const USER: &str = "@bot:bed";

/// A homeserver that logged the bot out, and the folder of the bot.
struct Bed {
    server: MatrixMockServer,
    folder: TempDir,
}

impl Bed {
    async fn new(soft: bool) -> Self {
        let server = MatrixMockServer::new().await;
        server.mock_versions().ok().mount().await;
        server.mock_upload_keys().ok().mount().await;
        let refused = json!({"errcode": "M_UNKNOWN_TOKEN", "error": "who are you", "soft_logout": soft});
        let refused = ResponseTemplate::new(401).set_body_json(refused);
        server.mock_who_am_i().respond_with(refused).mount().await;
        let folder = tempfile::tempdir().unwrap();
        let session = Session {
            homeserver: server.uri(),
            user: USER.to_owned(),
            device: "D".to_owned(),
            access_token: "1234".to_owned(),
            store_key: StoreKey::new().unwrap(),
            owner: Some("@ada:bed".to_owned()),
        };
        let account = Account::keep(folder.path(), session).unwrap();
        account.set_position("s7").unwrap();
        crate::open(account).await.unwrap();
        std::fs::write(store_of(folder.path()).join("mark"), "").unwrap();
        Self { server, folder }
    }

    async fn answers_login(&self, status: u16, body: &Value) {
        let answer = ResponseTemplate::new(status).set_body_json(body);
        self.server.mock_login().respond_with(answer).mount().await;
    }

    async fn set_up(&self) -> Result<Done, SetupError> {
        setup(Setup {
            folder: self.folder.path().to_owned(),
            homeserver: self.server.uri(),
            user: "bot".to_owned(),
            password: "pw".to_owned(),
            owner: Some("@ada:bed".to_owned()),
            recovery_key: None,
        })
        .await
    }

    /// The device named at the log-in.
    async fn device(&self) -> Value {
        let requests = self.server.server().received_requests().await.unwrap();
        let logins = requests.iter().filter(|request| request.url.path().ends_with("/login"));
        let mut posted = logins.filter_map(|request| request.body_json::<Value>().ok());
        posted.next().expect("a log-in")["device_id"].clone()
    }

    fn is_old_store(&self) -> bool {
        store_of(self.folder.path()).join("mark").exists()
    }
}

#[tokio::test]
async fn a_soft_logout_keeps_the_device_its_store_and_its_place() {
    let bed = Bed::new(true).await;
    let logged_in = json!({"user_id": USER, "device_id": "D", "access_token": "fresh"});
    bed.answers_login(200, &logged_in).await;
    let done = bed.set_up().await.unwrap();
    assert_eq!((done.user.as_str(), done.recovery), (USER, RecoveryKey::Kept));
    assert_eq!(bed.device().await, "D");
    let session = read_session(bed.folder.path()).unwrap().unwrap();
    assert_eq!((session.device.as_str(), session.access_token.as_str()), ("D", "fresh"));
    let account = Account::find(bed.folder.path()).unwrap().unwrap();
    assert_eq!(
        (account.position().as_deref(), account.owner()),
        (Some("s7"), Some("@ada:bed"))
    );
    assert!(bed.is_old_store());
}

#[tokio::test]
async fn a_soft_logout_and_a_wrong_password_lose_nothing() {
    let bed = Bed::new(true).await;
    bed.answers_login(403, &json!({"errcode": "M_FORBIDDEN", "error": "no"}))
        .await;
    assert!(matches!(bed.set_up().await, Err(SetupError::WrongPassword)));
    let session = read_session(bed.folder.path()).unwrap().unwrap();
    assert_eq!(session.access_token, "1234");
    assert!(bed.is_old_store());
}

#[tokio::test]
async fn a_first_set_up_that_fails_leaves_nothing_behind() {
    let bed = Bed::new(false).await;
    bed.answers_login(403, &json!({"errcode": "M_FORBIDDEN", "error": "no"}))
        .await;
    let nowhere = "http://127.0.0.1:1";
    for homeserver in [bed.server.uri().as_str(), nowhere, "not a server", ""] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("matrix");
        let failed = setup(Setup {
            folder: folder.clone(),
            homeserver: homeserver.to_owned(),
            user: "bot".to_owned(),
            password: "pw".to_owned(),
            owner: None,
            recovery_key: None,
        })
        .await;
        assert!(failed.is_err(), "{homeserver}");
        assert!(!folder.exists(), "{homeserver}");
    }
}

#[tokio::test]
async fn a_logout_for_good_begins_with_a_new_device() {
    let bed = Bed::new(false).await;
    std::fs::write(account::recovery_key_of(bed.folder.path()), "the key").unwrap();
    bed.answers_login(403, &json!({"errcode": "M_FORBIDDEN", "error": "no"}))
        .await;
    assert!(matches!(bed.set_up().await, Err(SetupError::WrongPassword)));
    assert_eq!(bed.device().await, Value::Null, "the server forgot the old one");
    assert!(!bed.is_old_store());
    let key = account::read_recovery_key(bed.folder.path());
    assert_eq!(key.as_deref(), Some("the key"), "it is what brings the identity back");
}
