//! A geo service at the wire: Google Places (New) under `/google`, Photon under `/photon`, on a free local port. Tests
//! say what each answers next; what was asked is kept. Without a script both know one small town.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::any,
};
use metnos::config::{PlacesConfig, Secret};
use serde_json::{Value, json};

/// The key that Google accepts.
pub(crate) const KEY: &str = "AIza-top-secret-key";

/// What a service does with its next question.
#[derive(Clone, Debug)]
pub(crate) enum Next {
    /// Answers with this status and body.
    Says(u16, String),
    /// Asks to be left alone for so many seconds.
    RateLimited(u64),
    /// Answers after a while.
    Slow(Duration),
    /// Says nothing for a long while.
    Silent,
}

/// One question.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// `google` or `photon`.
    pub(crate) service: String,
    /// Behind the service's name.
    pub(crate) path: String,
    pub(crate) query: HashMap<String, String>,
    pub(crate) body: Value,
    pub(crate) key: Option<String>,
    pub(crate) fields: Option<String>,
}

#[derive(Default)]
struct Shared {
    asked: Mutex<Vec<Asked>>,
    script: Mutex<Vec<(String, Next)>>,
}

/// The running services; they end with this value.
pub(crate) struct FakeGeo {
    pub(crate) url: String,
    shared: Arc<Shared>,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for FakeGeo {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl FakeGeo {
    pub(crate) async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let router = Router::new()
            .route("/{service}/{*path}", any(serve))
            .with_state(Arc::clone(&shared));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, shared, server }
    }

    /// The config that leads here: Photon alone.
    pub(crate) fn photon(&self) -> PlacesConfig {
        PlacesConfig {
            google_key: None,
            google_key_file: None,
            google_url: format!("{}/google", self.url),
            photon_url: Some(format!("{}/photon", self.url)),
            timeout_s: 1,
        }
    }

    /// Google first, Photon behind it.
    pub(crate) fn both(&self) -> PlacesConfig {
        PlacesConfig {
            google_key: Some(Secret::new(KEY.to_owned())),
            ..self.photon()
        }
    }

    /// What a service does with its next question.
    pub(crate) fn next(&self, service: &str, next: Next) {
        self.shared.script.lock().unwrap().push((service.to_owned(), next));
    }

    /// What was asked, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// Which services were asked, in order.
    pub(crate) fn services(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.service).collect()
    }
}

async fn serve(
    State(shared): State<Arc<Shared>>,
    Path((service, path)): Path<(String, String)>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Response {
    let header = |name: &str| headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    let asked = Asked {
        service: service.clone(),
        path: path.clone(),
        query,
        body: serde_json::from_slice(&bytes).unwrap_or_default(),
        key: header("x-goog-api-key"),
        fields: header("x-goog-fieldmask"),
    };
    shared.asked.lock().unwrap().push(asked.clone());
    let next = {
        let mut script = shared.script.lock().unwrap();
        let index = script.iter().position(|(name, _)| *name == service);
        index.map(|index| script.remove(index).1)
    };
    match next {
        Some(Next::Says(status, body)) => (StatusCode::from_u16(status).unwrap(), body).into_response(),
        Some(Next::RateLimited(seconds)) => {
            let headers = [("retry-after", seconds.to_string())];
            (StatusCode::TOO_MANY_REQUESTS, headers, "{}").into_response()
        }
        Some(Next::Silent) => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            "{}".into_response()
        }
        Some(Next::Slow(wait)) => {
            tokio::time::sleep(wait).await;
            knows(&asked)
        }
        None => knows(&asked),
    }
}

fn knows(asked: &Asked) -> Response {
    if asked.service == "google" {
        google(asked)
    } else {
        photon(asked)
    }
}

/// Google refuses a question without key or field mask, as the real one does.
fn google(asked: &Asked) -> Response {
    if asked.key.as_deref() != Some(KEY) {
        let body = json!({"error": {"code": 400, "status": "INVALID_ARGUMENT",
            "details": [{"reason": "API_KEY_INVALID"}]}});
        return (StatusCode::BAD_REQUEST, body.to_string()).into_response();
    }
    let Some(fields) = &asked.fields else {
        return (StatusCode::BAD_REQUEST, "{\"error\": {\"code\": 400}}").into_response();
    };
    let is_search = asked.path == "v1/places:searchText";
    assert!(is_search == fields.contains("places."), "{fields}");
    let detailed = pharmacy("ChIJnear", "Farmacia Duomo", 45.4650, true);
    let body = if is_search {
        let wanted = asked.body["textQuery"].as_str().unwrap().to_lowercase();
        if wanted.contains("navona") {
            json!({"places": [{"id": "ChIJnavona", "displayName": {"text": "Piazza Navona"},
                "formattedAddress": "Piazza Navona, 00186 Roma", "location": {"latitude": 41.8992, "longitude": 12.4731}}]})
        } else if wanted.contains("piazza duomo") {
            json!({"places": [{"id": "ChIJduomo", "displayName": {"text": "Piazza Duomo"},
                "formattedAddress": "Piazza Duomo, 20122 Milano", "location": {"latitude": 45.4641, "longitude": 9.1900}}]})
        } else if wanted.contains("turin") || wanted.contains("torino") || wanted.contains("via roma") {
            json!({"places": [{"id": "ChIJturin", "displayName": {"text": "Torino"},
                "formattedAddress": "Torino", "location": {"latitude": 45.0703, "longitude": 9.19}}]})
        } else if let Some((_, id, name)) = SHOPS.iter().find(|(word, ..)| wanted.contains(word)) {
            json!({"places": [pharmacy(id, name, 45.0710, true)]})
        } else if wanted.contains("pharmacy") {
            let far = pharmacy("ChIJfar", "Farmacia Brera", 45.4720, false);
            json!({"places": [far, detailed]})
        } else {
            json!({})
        }
    } else {
        let shop = SHOPS.iter().find(|(_, id, _)| asked.path.ends_with(id));
        shop.map_or(detailed, |(_, id, name)| pharmacy(id, name, 45.0710, true))
    };
    body.to_string().into_response()
}

/// Shops with a name: the word that finds each, its id, and what it is called.
const SHOPS: [(&str, &str, &str); 2] = [("rossi", "ChIJrossi", "Rossi"), ("coop", "ChIJcoop", "Coop")];

fn pharmacy(id: &str, name: &str, latitude: f64, open: bool) -> Value {
    json!({
        "id": id, "displayName": {"text": name, "languageCode": "it"}, "formattedAddress": "Via Torino 1, 20123 Milano",
        "location": {"latitude": latitude, "longitude": 9.1900}, "primaryType": "pharmacy",
        "businessStatus": "OPERATIONAL",
        "currentOpeningHours": {"openNow": open, "weekdayDescriptions": ["Monday: 8:00 AM – 8:00 PM"]},
        "nationalPhoneNumber": "02 1234567", "websiteUri": "https://farmacia.example/",
    })
}

/// Photon refuses languages it does not know, and knows no opening hours.
fn photon(asked: &Asked) -> Response {
    let feature = |id: i64, name: &str, latitude: f64, longitude: f64, value: &str| {
        json!({"type": "Feature", "geometry": {"type": "Point", "coordinates": [longitude, latitude]},
            "properties": {"osm_type": "N", "osm_id": id, "osm_key": "amenity", "osm_value": value, "name": name,
                "street": "Via Torino", "housenumber": "7", "postcode": "20123", "city": "Milano", "country": "Italia"}})
    };
    let words = asked
        .query
        .get("q")
        .map(|words| words.to_lowercase())
        .unwrap_or_default();
    let tag = asked.query.get("osm_tag").cloned().unwrap_or_default();
    let features = if words.contains("navona") {
        vec![feature(1, "Piazza Navona", 41.8992, 12.4731, "square")]
    } else if tag == "amenity:pharmacy" {
        vec![
            feature(2, "Farmacia Centrale", 45.4700, 9.1900, "pharmacy"),
            feature(3, "Farmacia Vicina", 45.4645, 9.1900, "pharmacy"),
        ]
    } else if tag == "amenity:restaurant" {
        vec![feature(4, "Da Tonino", 41.8990, 12.4720, "restaurant")]
    } else {
        Vec::new()
    };
    json!({"type": "FeatureCollection", "features": features})
        .to_string()
        .into_response()
}
