//! The web at the wire, on a free local port: a SearXNG server under `/searx`, Brave under `/brave`, Wikipedia under
//! `/wiki/<lang>`, and a page. Tests say what it answers next; what was asked is kept.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use metnos::config::{SearchConfig, Secret};
use serde_json::{Value, json};

#[derive(Default)]
struct Shared {
    asked: Mutex<Vec<(String, String)>>,
    script: Mutex<Vec<(u16, String)>>,
}

/// The running web; it ends with this value.
pub(crate) struct FakeWeb {
    pub(crate) url: String,
    shared: Arc<Shared>,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for FakeWeb {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl FakeWeb {
    pub(crate) async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let router = Router::new()
            .route("/{*path}", get(serve))
            .with_state(Arc::clone(&shared));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, shared, server }
    }

    pub(crate) fn wikipedia(&self) -> SearchConfig {
        SearchConfig {
            brave_url: format!("{}/brave", self.url),
            wikipedia_url: Some(format!("{}/wiki/{{lang}}", self.url)),
            timeout_s: 1,
            ..SearchConfig::default()
        }
    }

    pub(crate) fn searx(&self) -> SearchConfig {
        SearchConfig {
            searx_url: Some(format!("{}/searx", self.url)),
            ..self.wikipedia()
        }
    }

    pub(crate) fn brave(&self) -> SearchConfig {
        SearchConfig {
            brave_key: Some(Secret::new("brave-key".to_owned())),
            ..self.wikipedia()
        }
    }

    /// What it answers to the next question.
    pub(crate) fn next(&self, status: u16, body: &str) {
        self.shared.script.lock().unwrap().push((status, body.to_owned()));
    }

    /// Where it was asked, and for which words.
    pub(crate) fn asked(&self) -> Vec<(String, String)> {
        self.shared.asked.lock().unwrap().clone()
    }
}

async fn serve(
    State(shared): State<Arc<Shared>>,
    Path(path): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    let words = query
        .get("q")
        .or_else(|| query.get("gsrsearch"))
        .cloned()
        .unwrap_or_default();
    shared.asked.lock().unwrap().push((path.clone(), words.clone()));
    let next = {
        let mut script = shared.script.lock().unwrap();
        (!script.is_empty()).then(|| script.remove(0))
    };
    if let Some((status, body)) = next {
        return (StatusCode::from_u16(status).unwrap(), body).into_response();
    }
    let address = format!("http://{}/page", headers["host"].to_str().unwrap());
    let found = !words.contains("nothing");
    match path.as_str() {
        "searx/search" => axum::Json(searx(found, &address)).into_response(),
        "brave/res/v1/web/search"
            if headers
                .get("x-subscription-token")
                .is_some_and(|key| key == "brave-key") =>
        {
            let results =
                json!([{"title": "Swimming pool", "url": address, "description": "The <strong>pool</strong>."}]);
            axum::Json(json!({"type": "search", "web": {"type": "search", "results": results}})).into_response()
        }
        "wiki/en/w/api.php" => axum::Json(wikipedia(found, "en")).into_response(),
        "wiki/it/w/api.php" => axum::Json(wikipedia(found, "it")).into_response(),
        "page" => Html("<title>Pool</title><p>The pool of the house.</p>").into_response(),
        _ => StatusCode::FORBIDDEN.into_response(),
    }
}

fn searx(found: bool, address: &str) -> Value {
    let results = if found {
        json!([
            {"url": address, "title": "Swimming pool", "content": "The swimming pool is open from 9 to 19.", "engine": "bing",
             "engines": ["bing"], "score": 1.0, "category": "general"},
            {"url": "https://example.org/ribollita", "title": "Ribollita", "content": "Bread, beans and black cabbage.",
             "engine": "mojeek"},
        ])
    } else {
        json!([])
    };
    json!({"query": "q", "number_of_results": 0, "results": results, "answers": [], "corrections": [], "infoboxes": [],
        "suggestions": [], "unresponsive_engines": []})
}

fn wikipedia(found: bool, lang: &str) -> Value {
    if !found {
        return json!({"batchcomplete": true});
    }
    let (first, second) = if lang == "it" {
        (
            (
                "Presidenti della Francia",
                "Il presidente della Francia è il capo dello Stato. Il presidente in carica è Emmanuel Macron, dal 2017.",
            ),
            (
                "Ribollita",
                "La ribollita è una zuppa di pane e cavolo nero, tipica della Toscana.",
            ),
        )
    } else {
        (
            (
                "President of France",
                "The office was made in 1848. The president of France is the head of state. Emmanuel Macron took office in 2017.",
            ),
            ("Ribollita", "Ribollita is a Tuscan bread soup."),
        )
    };
    let page = |id: u32, index: u32, (title, extract): (&str, &str)| {
        json!({"pageid": id, "ns": 0, "title": title, "index": index, "extract": extract, "contentmodel": "wikitext",
            "fullurl": format!("https://{lang}.wikipedia.org/wiki/{}", title.replace(' ', "_"))})
    };
    // As Wikipedia does: in the order of their ids, with the place in `index`.
    json!({"batchcomplete": true, "query": {"pages": [page(9, 2, second), page(7, 1, first)]}})
}
