//! Geo services at the wire, and conversations about places.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::time::{Duration, Instant};

use metnos::{
    domain::{
        attachment::Attachment,
        failure::ErrorClass,
        ids::ChannelKind,
        lang::Lang,
        place::{Place, PlaceProvider, Point},
    },
    places::{Places, PlacesError, Search, Wanted, kinds},
};

use crate::support::{
    bot::{Setup, TestBot},
    geo::{FakeGeo, Next},
    manifests,
};

fn milan() -> Point {
    Point::new(45.4642, 9.19).unwrap()
}

fn pharmacies() -> Search {
    Search {
        wanted: Wanted::Kind("pharmacy"),
        near: milan(),
        radius_m: 3_000,
        lang: Lang::IT,
        open_now: false,
    }
}

fn names(places: &[Place]) -> Vec<&str> {
    places.iter().map(|place| place.name.as_str()).collect()
}

#[tokio::test]
async fn photon_finds_a_kind_by_its_tag_nearest_first() {
    let geo = FakeGeo::start().await;
    let places = Places::from_config(&geo.photon()).unwrap();
    let found = places.search(&pharmacies()).await.unwrap();
    assert_eq!(names(&found), ["Farmacia Vicina", "Farmacia Centrale"]);
    assert_eq!(found[0].distance_m, Some(33));
    assert_eq!(found[0].address, "Via Torino 7, 20123 Milano, Italia");
    assert_eq!((found[0].open_now, found[0].provider), (None, PlaceProvider::Photon));
    let asked = geo.asked();
    assert_eq!((asked.len(), asked[0].path.as_str()), (1, "reverse"));
    assert_eq!(asked[0].query["radius"], "3.000");

    // The same question again is answered from memory, measured anew.
    let moved = Search {
        near: Point::new(45.464_21, 9.19).unwrap(),
        ..pharmacies()
    };
    assert_eq!(places.search(&moved).await.unwrap().len(), 2);
    assert_eq!(geo.asked().len(), 1);
}

#[tokio::test]
async fn google_comes_first_with_its_key_and_what_it_has_no_match_for_photon_is_asked() {
    let geo = FakeGeo::start().await;
    let places = Places::from_config(&geo.both()).unwrap();
    let found = places.search(&pharmacies()).await.unwrap();
    assert_eq!(names(&found), ["Farmacia Duomo", "Farmacia Brera"]);
    assert_eq!(
        (found[0].open_now, found[0].phone.as_deref()),
        (Some(true), Some("02 1234567"))
    );
    assert_eq!(geo.services(), ["google"]);
    let body = &geo.asked()[0].body;
    assert_eq!(
        (body["languageCode"].as_str(), body["rankPreference"].as_str()),
        (Some("it"), Some("DISTANCE"))
    );

    let detailed = places.details(&found[1], Lang::IT).await.unwrap();
    assert_eq!(detailed.opening_hours, ["Monday: 8:00 AM – 8:00 PM"]);
    assert_eq!(detailed.distance_m, found[1].distance_m);

    geo.next("google", Next::Says(200, "{}".to_owned()));
    let elsewhere = Search {
        near: Point::new(45.465, 9.19).unwrap(),
        ..pharmacies()
    };
    let found = places.search(&elsewhere).await.unwrap();
    assert_eq!(found[0].provider, PlaceProvider::Photon);
}

#[tokio::test]
async fn what_google_says_of_what_is_open_stands() {
    let geo = FakeGeo::start().await;
    let places = Places::from_config(&geo.both()).unwrap();
    geo.next("google", Next::Says(200, "{\"places\": []}".to_owned()));
    let open = Search {
        open_now: true,
        ..pharmacies()
    };
    assert!(places.search(&open).await.unwrap().is_empty());
    assert_eq!(geo.services(), ["google"]);
}

#[tokio::test]
async fn every_failure_of_one_service_is_the_others_turn() {
    for next in [
        Next::RateLimited(30),
        Next::Says(503, "busy".to_owned()),
        Next::Says(403, "{\"error\": {\"status\": \"PERMISSION_DENIED\"}}".to_owned()),
        Next::Says(200, "{\"places\": [{\"id\": ".to_owned()),
        Next::Says(
            200,
            "{\"places\": [{\"id\": \"x\", \"location\": {\"latitude\": 999, \"longitude\": 0}}]}".to_owned(),
        ),
        Next::Silent,
    ] {
        let geo = FakeGeo::start().await;
        let places = Places::from_config(&geo.both()).unwrap();
        geo.next("google", next.clone());
        let found = places.search(&pharmacies()).await.unwrap();
        assert_eq!(found[0].name, "Farmacia Vicina", "{next:?}");
        assert_eq!(geo.services(), ["google", "photon"], "{next:?}");
    }
}

#[tokio::test]
async fn a_failure_is_never_nothing_found() {
    let empty = || Next::Says(200, "{\"features\": []}".to_owned());
    let cases = [
        (Next::RateLimited(30), ErrorClass::RateLimited),
        (Next::Says(500, String::new()), ErrorClass::Network),
        (
            Next::Says(400, "{\"message\": \"no\"}".to_owned()),
            ErrorClass::ServerError,
        ),
        (Next::Says(200, "<html>".to_owned()), ErrorClass::ServerError),
        (
            Next::Says(200, "{\"type\": \"FeatureCollection\"}".to_owned()),
            ErrorClass::ServerError,
        ),
        (Next::Silent, ErrorClass::Timeout),
    ];
    for (next, class) in cases {
        let geo = FakeGeo::start().await;
        let places = Places::from_config(&geo.photon()).unwrap();
        geo.next("photon", next.clone());
        let error = places.search(&pharmacies()).await.unwrap_err();
        assert_eq!(error.class(), class, "{next:?}");
    }
    let geo = FakeGeo::start().await;
    let places = Places::from_config(&geo.photon()).unwrap();
    geo.next("photon", empty());
    assert_eq!(places.search(&pharmacies()).await, Ok(Vec::new()));
    // The first service is down and the second knows nothing: that nothing is there would be a guess.
    let geo = FakeGeo::start().await;
    let places = Places::from_config(&geo.both()).unwrap();
    geo.next("google", Next::Says(503, String::new()));
    geo.next("photon", empty());
    assert_eq!(
        places.search(&pharmacies()).await.unwrap_err().class(),
        ErrorClass::Network
    );
}

#[tokio::test]
async fn a_service_that_asked_for_peace_is_not_asked_again() {
    let geo = FakeGeo::start().await;
    let places = Places::from_config(&geo.photon()).unwrap();
    geo.next("photon", Next::RateLimited(120));
    for _ in 0..3 {
        let error = places.search(&pharmacies()).await.unwrap_err();
        let PlacesError::RateLimited { wait } = error else {
            panic!("{error:?}")
        };
        assert!(wait <= Duration::from_secs(120) && wait > Duration::from_secs(100));
    }
    assert_eq!(geo.asked().len(), 1);
}

#[tokio::test]
async fn a_silent_service_holds_nobody_up_for_long_nor_twice() {
    let geo = FakeGeo::start().await;
    let places = Places::from_config(&geo.photon()).unwrap();
    geo.next("photon", Next::Silent);
    let began = Instant::now();
    assert_eq!(places.geocode("x", Lang::EN, None).await, Err(PlacesError::Timeout));
    assert_eq!(places.search(&pharmacies()).await, Err(PlacesError::Timeout));
    assert!(began.elapsed() < Duration::from_secs(5));
    assert_eq!(geo.asked().len(), 1);
}

#[tokio::test]
async fn a_town_without_services_says_so() {
    let places = Places::from_config(&metnos::config::PlacesConfig::default()).unwrap();
    assert_eq!(places.search(&pharmacies()).await, Err(PlacesError::NotConfigured));
}

/// Plans, words and tags speak of the same kinds.
#[test]
fn every_kind_has_a_tag_a_word_in_each_language_and_a_place_in_the_manifest() {
    let known: Vec<&str> = kinds::KINDS.iter().map(|kind| kind.name).collect();
    for name in ["find_places", "get_places"] {
        let manifest = manifests::shipped(name);
        let listed = manifest.arg("kind").unwrap().schema["enum"].clone();
        let listed: Vec<String> = serde_json::from_value(listed).unwrap();
        assert_eq!(known, listed, "{name}");
    }
    for lang in ["en", "it"] {
        let words = std::fs::read_to_string(format!("locales/{lang}/lexicon.toml")).unwrap();
        let words: toml::Table = words.parse().unwrap();
        let mut spoken: Vec<&str> = words["places"].as_table().unwrap().keys().map(String::as_str).collect();
        let mut known = known.clone();
        known.sort_unstable();
        spoken.sort_unstable();
        assert_eq!(known, spoken, "{lang}");
    }
}

async fn bot(geo: &FakeGeo, lang: Lang) -> TestBot {
    TestBot::with(Setup {
        places: Some(geo.photon()),
        lang,
        ..Setup::default()
    })
    .await
}

#[tokio::test]
async fn a_named_place_needs_no_location() {
    let geo = FakeGeo::start().await;
    let mut bot = bot(&geo, Lang::EN).await;
    let found = bot.says("restaurants near Piazza Navona").await;
    for wanted in [
        "Da Tonino · 90 m · Via Torino 7",
        "opening hours not known",
        "openstreetmap.org/?mlat=41.89900",
    ] {
        assert!(found.contains(wanted), "{found}");
    }
    let nothing = bot.says("find a hotel near Piazza Navona").await;
    assert!(nothing.contains("15 km"), "{nothing}");
    let nowhere = bot.says("restaurants near Nowhere at All").await;
    assert!(nowhere.contains("Nowhere at All"), "{nowhere}");
    geo.next("photon", Next::RateLimited(90));
    let later = bot.says("bars near Piazza Venezia").await;
    assert!(later.contains("wait"), "{later}");
}

/// What is known of one place: of the one that is named, where it is said to be.
#[tokio::test]
async fn what_is_known_of_one_place_is_told() {
    let cases = [
        (Lang::EN, "what are the opening hours of the Coop in Via Roma", "Coop"),
        (Lang::EN, "when does the Rossi bakery in Turin close?", "Rossi"),
        (
            Lang::EN,
            "what's the phone number of the Rossi bakery in Turin",
            "Rossi",
        ),
        (Lang::IT, "quando apre la Coop in via Roma", "Coop"),
        (Lang::IT, "orari di apertura della panetteria Rossi a Torino", "Rossi"),
        (Lang::IT, "qual è il telefono della panetteria Rossi a Torino?", "Rossi"),
    ];
    for (lang, text, name) in cases {
        let geo = FakeGeo::start().await;
        let mut bot = TestBot::with(Setup {
            places: Some(geo.both()),
            lang,
            ..Setup::default()
        })
        .await;
        let told = bot.says(text).await;
        for wanted in [name, "8:00 AM – 8:00 PM", "02 1234567", "farmacia.example"] {
            assert!(told.contains(wanted), "{text}: {told}");
        }
        let asked = geo.asked();
        assert_eq!(
            asked
                .last()
                .unwrap()
                .path
                .rsplit('/')
                .next()
                .map(|id| id.starts_with("ChIJ")),
            Some(true)
        );
        bot.stop().await;
    }
}

/// Where nobody knows the hours that is said, and what opens and is no place is not looked for.
#[tokio::test]
async fn hours_nobody_knows_are_not_made_up() {
    let geo = FakeGeo::start().await;
    let mut bot = bot(&geo, Lang::EN).await;
    let asked = bot.says("opening hours of a restaurant near Piazza Navona").await;
    assert!(asked.contains("a key for Google Places"), "{asked}");
    let told = bot.says("skip").await;
    assert!(told.contains("Da Tonino") && told.contains("opening hours"), "{told}");
    let asked = geo.asked().len();
    let gate = bot.says("when does the garage open").await;
    assert_eq!(geo.asked().len(), asked, "{gate}");
    let none = bot.says("opening hours of the Foobar near Piazza Navona").await;
    assert!(!none.contains("AM"), "{none}");
}

#[tokio::test]
async fn a_place_comes_with_a_pin() {
    let geo = FakeGeo::start().await;
    let mut bot = bot(&geo, Lang::IT).await;
    bot.says_silently("ristoranti vicino a Piazza Navona").await;
    let reply = bot.hears(ChannelKind::Terminal).await;
    let [Attachment::Pin { point, title, address }] = reply.attachments.as_slice() else {
        panic!("{reply:?}")
    };
    assert_eq!(
        (title.as_str(), point.to_string().as_str()),
        ("Da Tonino", "41.89900, 12.47200")
    );
    assert_eq!(address, "Via Torino 7, 20123 Milano, Italia");
    assert!(reply.plain().contains("orari non noti"), "{}", reply.plain());
}
