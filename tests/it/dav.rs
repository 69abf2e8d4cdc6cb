//! Calendars and address books on a server at the wire: an account is found and tried out, copies are kept and told
//! from when they are, changes are made in the version that was known, and one scenario for each thing that real
//! servers do in their own way. What became of a collection is read from the server, never from what metnos says.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::{sync::Arc, time::Duration};

use metnos::{
    agenda::{Agenda, AgendaError, Haste, Holds, Owner, Where},
    app::DATABASE,
    clock::Clock,
    config::{AgendaConfig, EngineChoice, Secret},
    domain::{
        account::{AccountState, Service},
        actor::{Actor, Autonomy, Role},
        failure::{ErrorClass, ToolError},
        ids::ActorId,
        lang::Lang,
    },
    store::Store,
};
use serde_json::{Value, json};

use crate::{
    model::plan,
    support::{
        bot::{Setup, TestBot},
        dav::{FakeDav, Quirk},
        llama::ScriptedLlama,
    },
};

/// A Thursday, in the middle of the day in Rome.
const AT: &str = "2026-11-26T11:00:00Z";
const DENTIST: &str = "/anna/home/dentist.ics";

fn event(summary: &str, day: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:dentist\r\nDTSTAMP:20260101T000000Z\r\n\
         DTSTART;TZID=Europe/Rome:{day}T153000\r\nDURATION:PT1H\r\nSUMMARY:{summary}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

/// A person with accounts, and what is known of them.
struct House {
    folder: tempfile::TempDir,
    store: Store,
    clock: Clock,
    agenda: Arc<Agenda>,
    owner: Owner,
}

impl House {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join(DATABASE)).unwrap();
        let host = Actor {
            id: ActorId::from("host"),
            role: Role::Host,
            name: "Anna".to_owned(),
            lang: Lang::EN,
            timezone: "Europe/Rome".to_owned(),
            autonomy: Autonomy::default(),
        };
        store.add_actor(&host, 0).await.unwrap();
        let clock = Clock::fixed(AT.parse().unwrap());
        let agenda = Agenda::new(&AgendaConfig::default()).with_servers(store.clone(), clock.clone());
        Self {
            owner: Owner {
                actor: host.id,
                home: folder.path().join("home"),
            },
            agenda: Arc::new(agenda),
            folder,
            store,
            clock,
        }
    }

    /// Adds accounts at this server, as the dialog and the command line do.
    async fn with(fake: &FakeDav) -> Self {
        let house = Self::new().await;
        for service in [Service::Caldav, Service::Carddav] {
            house.add(fake, service, "right").await.unwrap();
        }
        fake.asked();
        house
    }

    async fn add(&self, fake: &FakeDav, service: Service, password: &str) -> Result<(), ToolError> {
        add(
            &self.agenda,
            &self.store,
            &self.owner.actor,
            (service, &fake.url),
            password,
        )
        .await
    }

    /// What the calendars say is there, and which accounts could not be asked.
    async fn looks(&self) -> (Vec<String>, Vec<(i64, ErrorClass)>) {
        self.clock.advance(Duration::from_secs(60));
        let stale = self.agenda.refresh(&self.owner, Holds::Events, Haste::Look).await;
        let pages = self.agenda.pages(&self.owner).await.unwrap();
        let named = pages
            .all()
            .flat_map(|page| page.object.events().map(|one| one.summary.clone()));
        let stale = stale.iter().map(|one| (one.seen_ms, one.why.class));
        (named.collect(), stale.collect())
    }

    /// The file of the one event there is, with its version.
    async fn only(&self) -> (String, String, String) {
        let pages = self.agenda.pages(&self.owner).await.unwrap();
        let leaf = &pages.all().next().unwrap().leaf;
        (leaf.name.clone(), leaf.text.clone(), leaf.version.clone())
    }

    async fn puts(&self, name: &str, text: &str, version: Option<&str>) -> Result<String, ToolError> {
        let put = self.agenda.put(&self.owner, Holds::Events, (name, text), version).await;
        put.map(|leaf| leaf.version).map_err(|error| match error {
            AgendaError::Server(error) => *error,
            AgendaError::Disk(error) => panic!("{error}"),
        })
    }
}

async fn add(
    agenda: &Agenda,
    store: &Store,
    actor: &ActorId,
    (service, address): (Service, &str),
    password: &str,
) -> Result<(), ToolError> {
    let servers = match agenda.find(service, address, true).await? {
        Where::There { servers, .. } => servers,
        other @ (Where::NotThere(_) | Where::NoAddress) => panic!("{other:?}"),
    };
    let id = format!("account-{}", service.as_str()).as_str().into();
    let secret = Secret::new(password.to_owned());
    let account = agenda
        .try_out((id, service), (address, "anna"), &servers, secret)
        .await?;
    store.put_person_account(actor, account, 0).await.unwrap();
    Ok(())
}

#[tokio::test]
async fn what_changes_on_the_server_is_seen_and_little_is_asked_for() {
    let fake = FakeDav::start(Quirk::None).await;
    let house = House::with(&fake).await;
    assert_eq!(house.looks().await, (vec![], vec![]));
    fake.put(DENTIST, &event("Dentist", "20261201"));
    assert_eq!(house.looks().await.0, ["Dentist"]);
    fake.asked();
    assert_eq!(house.looks().await.0, ["Dentist"]);
    assert_eq!(
        fake.asked(),
        ["REPORT /anna/home/"],
        "one question when nothing changed"
    );
    // What was asked a moment ago is not asked again.
    house.agenda.refresh(&house.owner, Holds::Events, Haste::Look).await;
    assert_eq!(fake.asked(), [""; 0]);
    fake.put(DENTIST, &event("Dentist & hygienist", "20261201"));
    assert_eq!(house.looks().await.0, ["Dentist & hygienist"]);
    fake.remove(DENTIST);
    assert_eq!(house.looks().await.0, [""; 0]);
}

#[tokio::test]
async fn nothing_is_written_over_what_somebody_else_changed() {
    let fake = FakeDav::start(Quirk::None).await;
    let house = House::with(&fake).await;
    fake.put(DENTIST, &event("Dentist", "20261201"));
    house.looks().await;
    let (name, text, version) = house.only().await;
    fake.put(DENTIST, &event("Theirs", "20261202"));
    let refused = house
        .puts(&name, &text.replace("Dentist", "Mine"), Some(&version))
        .await
        .unwrap_err();
    assert_eq!(refused.message.key.as_str(), "events-changed-meanwhile");
    let removed = house.agenda.remove(&house.owner, Holds::Events, &name, &version).await;
    assert!(matches!(removed, Err(AgendaError::Server(_))));
    assert!(fake.texts()[0].1.contains("Theirs"));
    // New things never take the place of others.
    let (place, _) = name.split_once('/').unwrap();
    let new = format!("{place}/dentist.ics");
    assert!(house.puts(&new, &text, None).await.is_err());
    assert!(fake.texts()[0].1.contains("Theirs"));
}

/// Each thing that servers do in their own way, and what must hold all the same: what is there is seen, a change
/// arrives, and its version is the server's.
#[tokio::test]
async fn what_servers_do_in_their_own_way_changes_nothing() {
    for quirk in [
        Quirk::None,
        Quirk::NoEtagAfterPut,
        Quirk::NoTokens,
        Quirk::ForgetsTokens,
        Quirk::Contradicts,
        Quirk::Slow(300),
    ] {
        let fake = FakeDav::start(Quirk::None).await;
        let house = House::with(&fake).await;
        fake.becomes(quirk);
        fake.put(DENTIST, &event("Dentist", "20261201"));
        assert_eq!(house.looks().await, (vec!["Dentist".to_owned()], vec![]), "{quirk:?}");
        // Twice, so that a token was given and forgotten.
        assert_eq!(house.looks().await, (vec!["Dentist".to_owned()], vec![]), "{quirk:?}");
        let (name, text, version) = house.only().await;
        let moved = text.replace("20261201", "20261203");
        let moved = moved.replace("SUMMARY", "SEQUENCE:1\r\nSUMMARY");
        let after = house.puts(&name, &moved, Some(&version)).await;
        let after = after.unwrap_or_else(|error| panic!("{quirk:?}: {error:?}"));
        let (_, kept, version) = house.only().await;
        let there = &fake.texts()[0].1;
        assert!(there.contains("20261203"), "{quirk:?}");
        assert_eq!(
            (&kept, &version),
            (there, &after),
            "{quirk:?}: the copy is what the server made of it"
        );
        fake.remove(DENTIST);
        assert_eq!(house.looks().await, (vec![], vec![]), "{quirk:?}");
    }
}

#[tokio::test]
async fn a_server_that_takes_a_request_at_a_time_is_waited_for_and_one_that_wants_rest_is_left_alone() {
    let fake = FakeDav::start(Quirk::None).await;
    let house = House::with(&fake).await;
    fake.put(DENTIST, &event("Dentist", "20261201"));
    house.looks().await;
    fake.becomes(Quirk::Busy);
    fake.asked();
    let (seen, stale) = house.looks().await;
    assert_eq!(
        (seen, stale[0].1),
        (vec!["Dentist".to_owned()], ErrorClass::RateLimited)
    );
    house.looks().await;
    assert_eq!(fake.asked().len(), 1, "it is not asked again and again");
}

/// Whatever a server does, what was last seen of it is shown with the hour, and nothing is changed.
#[tokio::test]
async fn what_cannot_be_reached_is_shown_as_it_was() {
    for (quirk, class) in [
        (Quirk::Garbage, ErrorClass::ServerError),
        (Quirk::Elsewhere, ErrorClass::Forbidden),
        (Quirk::Hangs, ErrorClass::Timeout),
    ] {
        let fake = FakeDav::start(Quirk::None).await;
        let house = House::with(&fake).await;
        fake.put(DENTIST, &event("Dentist", "20261201"));
        house.looks().await;
        let seen_ms = house.clock.now_ms();
        fake.becomes(quirk);
        assert_eq!(
            house.looks().await,
            (vec!["Dentist".to_owned()], vec![(seen_ms, class)]),
            "{quirk:?}"
        );
        let (name, text, version) = house.only().await;
        let refused = house
            .puts(&name, &text.replace("Dentist", "Mine"), Some(&version))
            .await
            .unwrap_err();
        assert_eq!(refused.class, class, "{quirk:?}");
        fake.becomes(Quirk::None);
        assert!(fake.texts()[0].1.contains("Dentist"), "{quirk:?}");
        house.agenda.refresh(&house.owner, Holds::Events, Haste::Change).await;
        assert_eq!(
            house.looks().await,
            (vec!["Dentist".to_owned()], vec![]),
            "{quirk:?}: it comes back"
        );
    }
}

#[tokio::test]
async fn a_password_that_is_not_taken_any_more_is_asked_for_again() {
    let fake = FakeDav::start(Quirk::None).await;
    let house = House::new().await;
    let refused = house.add(&fake, Service::Caldav, "wrong").await.unwrap_err();
    assert_eq!(
        (refused.class, refused.login),
        (ErrorClass::AuthRequired, Some(Service::Caldav))
    );
    house.add(&fake, Service::Caldav, "right").await.unwrap();
    fake.put(DENTIST, &event("Dentist", "20261201"));
    house.looks().await;
    fake.changes_password();
    fake.asked();
    let (seen, stale) = house.looks().await;
    assert_eq!(
        (seen, stale[0].1),
        (vec!["Dentist".to_owned()], ErrorClass::AuthRequired)
    );
    house.looks().await;
    assert_eq!(fake.asked().len(), 1, "providers lock accounts that try again");
    let accounts = house.store.person_accounts(&house.owner.actor, None).await.unwrap();
    assert_eq!(accounts[0].state, AccountState::Refused);
}

#[tokio::test]
async fn what_may_only_be_read_is_not_written() {
    let fake = FakeDav::start(Quirk::ReadOnly).await;
    let house = House::with(&fake).await;
    fake.put(DENTIST, &event("Dentist", "20261201"));
    house.looks().await;
    let (name, text, version) = house.only().await;
    fake.asked();
    let refused = house.puts(&name, &text, Some(&version)).await.unwrap_err();
    assert_eq!(refused.message.key.as_str(), "dav-forbidden");
    assert_eq!(fake.asked(), [""; 0], "it is not even tried");
    // What is new goes into the folder then.
    assert_eq!(
        house
            .agenda
            .place_for(&house.owner, Holds::Events, "x.ics", None)
            .await
            .unwrap(),
        "x.ics"
    );
}

#[tokio::test]
async fn copies_are_sealed_and_go_with_their_account() {
    let fake = FakeDav::start(Quirk::None).await;
    let house = House::with(&fake).await;
    fake.put(DENTIST, &event("Zahnarzttermin", "20261201"));
    house.looks().await;
    for entry in std::fs::read_dir(house.folder.path()).unwrap().flatten() {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("Zahnarzttermin"), "{:?}", entry.path());
        assert!(
            !text.contains("cmlnaHQ"),
            "a password as HTTP writes it: {:?}",
            entry.path()
        );
    }
    let accounts = house
        .store
        .person_accounts(&house.owner.actor, Some(Service::Caldav))
        .await
        .unwrap();
    house
        .store
        .remove_person_account(&house.owner.actor, &accounts[0].id)
        .await
        .unwrap();
    house.agenda.forget(&accounts[0].id);
    assert_eq!(house.looks().await, (vec![], vec![]));
}

/// Another person has an account of their own, or none: nothing of hers is theirs.
#[tokio::test]
async fn one_persons_server_is_nobody_elses() {
    let fake = FakeDav::start(Quirk::None).await;
    let house = House::with(&fake).await;
    fake.put(DENTIST, &event("Dentist", "20261201"));
    house.looks().await;
    let (name, text, version) = house.only().await;
    let other = Owner {
        actor: ActorId::from("guest_b"),
        home: house.folder.path().join("other"),
    };
    assert_eq!(house.agenda.pages(&other).await.unwrap().all().count(), 0);
    fake.asked();
    assert!(house.agenda.read(&other, Holds::Events, &name).await.is_err());
    let put = house
        .agenda
        .put(&other, Holds::Events, (&name, &text), Some(&version))
        .await;
    assert!(put.is_err());
    assert_eq!(fake.asked(), [""; 0]);
}

#[tokio::test]
async fn guests_name_no_machine_of_the_house() {
    let fake = FakeDav::start(Quirk::None).await;
    let house = House::new().await;
    let found = house.agenda.find(Service::Caldav, &fake.url, false).await.unwrap_err();
    assert_eq!(found.message.key.as_str(), "dav-private");
    for (address, key) in [
        ("anna@gmail.com", "dav-setup-oauth"),
        ("anna@outlook.it", "dav-setup-none"),
    ] {
        match house.agenda.find(Service::Caldav, address, true).await.unwrap() {
            Where::NotThere(why) => assert_eq!(why.key.as_str(), key),
            other @ (Where::There { .. } | Where::NoAddress) => panic!("{other:?}"),
        }
    }
    assert_eq!(
        house.agenda.find(Service::Caldav, "hello", true).await.unwrap(),
        Where::NoAddress
    );
}

/// A bot whose host has accounts at this server, and a model that plans as it is told.
async fn bot(fake: &FakeDav, server: &ScriptedLlama, clock: &Clock) -> TestBot {
    let setup = Setup {
        llm: Some(server.config()),
        engine: EngineChoice::Metis,
        clock: clock.clone(),
        ..Setup::default()
    };
    let mut bot = TestBot::with(setup).await;
    bot.says("hello").await;
    let store = Store::open(&bot.data_dir().join(DATABASE)).unwrap();
    let host = store.host().await.unwrap().unwrap();
    let agenda = Agenda::new(&AgendaConfig::default()).with_servers(store.clone(), Clock::system());
    for service in [Service::Caldav, Service::Carddav] {
        add(&agenda, &store, &host.id, (service, &fake.url), "right")
            .await
            .unwrap();
    }
    bot
}

/// Asks for something that only the model knows a plan for, with a yes where it is shown first.
async fn does(bot: &mut TestBot, server: &ScriptedLlama, request: &str, steps: Value) -> String {
    server.next(plan(&steps));
    let said = bot.says(request).await;
    if said.contains("May I") {
        bot.says("yes").await
    } else {
        said
    }
}

#[tokio::test]
async fn a_conversation_changes_the_server_and_takes_it_back() {
    let (fake, server) = (FakeDav::start(Quirk::None).await, ScriptedLlama::start().await);
    let clock = Clock::fixed(AT.parse().unwrap());
    let mut bot = bot(&fake, &server, &clock).await;
    let new = json!([{"tool": "create_events", "args": {"title": "Dentist", "when": "2026-12-01T15:30"}}]);
    let said = does(
        &mut bot,
        &server,
        "arrange the Dentist for 2026-12-01T15:30 as agreed",
        new,
    )
    .await;
    let texts = fake.texts();
    assert_eq!(texts.len(), 1, "{said}");
    assert!(texts[0].0.starts_with("/anna/home/") && texts[0].1.contains("SUMMARY:Dentist"));
    assert!(!bot.has(".calendar"), "it is on the server and nowhere else");

    let moved = json!([
        {"tool": "read_events", "args": {"about": "Dentist"}},
        {"tool": "set_events", "args": {"from_step": 1, "when": "2026-12-02"}}
    ]);
    let said = does(
        &mut bot,
        &server,
        "rearrange the Dentist for 2026-12-02 as agreed",
        moved,
    )
    .await;
    assert!(fake.texts()[0].1.contains("20261202T153000"), "{said}");
    let said = bot.says("undo").await;
    assert!(fake.texts()[0].1.contains("20261201T153000"), "{said}");

    // Somebody else changes it: what was done before is not taken back over it.
    let path = fake.texts()[0].0.clone();
    fake.put(&path, &fake.texts()[0].1.replace("Dentist", "Theirs"));
    let said = bot.says("undo").await;
    assert!(said.contains("changed since"), "{said}");
    assert!(fake.texts()[0].1.contains("Theirs"));
}

#[tokio::test]
async fn an_answer_says_from_when_it_is() {
    let (fake, server) = (FakeDav::start(Quirk::None).await, ScriptedLlama::start().await);
    fake.put(DENTIST, &event("Dentist", "20261127"));
    let clock = Clock::fixed(AT.parse().unwrap());
    let mut bot = bot(&fake, &server, &clock).await;
    let look = json!([{"tool": "read_events", "args": {"about": "Dentist"}}]);
    let said = does(&mut bot, &server, "ponder the Dentist business at length", look.clone()).await;
    assert!(said.contains("Dentist"), "{said}");
    fake.becomes(Quirk::Garbage);
    clock.advance(Duration::from_secs(120));
    let said = does(&mut bot, &server, "ponder the Dentist business once more", look).await;
    assert!(said.contains("Dentist") && said.contains("last saw"), "{said}");
}
