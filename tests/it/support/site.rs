//! A small web site on a free local port, with the pages that executors must cope with.

#![expect(clippy::unwrap_used, reason = "a fixture that cannot start fails the test")]

use std::{collections::HashMap, net::SocketAddr, time::Duration};

use axum::{
    Router,
    extract::{Path, Query},
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use tokio::task::JoinHandle;

/// What `/uuid` answers.
pub(crate) const UUID: &str = "5f0c3a52-1d1b-4a53-9c34-0b7f1c2f9a11";
/// A sentence that stands in the body of `/article`.
pub(crate) const ARTICLE_SENTENCE: &str = "The oldest olive tree of the valley still bears fruit every autumn";

/// A running site; it ends with this value.
pub(crate) struct Site {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Site {
    /// Starts it.
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let task = tokio::spawn(async move { axum::serve(listener, routes()).await.unwrap() });
        Self { address, task }
    }

    /// Starts one with these pages and no others: path, kind of content, content.
    pub(crate) async fn serving(pages: Vec<(String, String, String)>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut routes = Router::new();
        for (path, kind, body) in pages {
            routes = routes.route(
                &path,
                get(async || ([(header::CONTENT_TYPE, kind)], body).into_response()),
            );
        }
        let task = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self { address, task }
    }

    /// The address of a page, such as `/uuid`.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The port it listens on.
    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn routes() -> Router {
    Router::new()
        .route("/uuid", get(async || json(&format!("{{\"uuid\": \"{UUID}\"}}"))))
        .route("/broken-json", get(async || json("{\"uuid\": ")))
        .route(
            "/article",
            get(async || html("text/html; charset=utf-8", article().into_bytes())),
        )
        .route(
            "/empty",
            get(async || html("text/html", b"<html><body></body></html>".to_vec())),
        )
        .route(
            "/latin1",
            get(async || html("text/html; charset=iso-8859-1", b"<p>perch\xe9 no".to_vec())),
        )
        .route("/utf16", get(async || html("text/plain", utf16("però"))))
        .route(
            "/leaflet",
            get(async || html("application/rtf", br"{\rtf1\ansi Open on Mondays.}".to_vec())),
        )
        .route("/image", get(async || html("image/png", vec![0x89, b'P', b'N', b'G'])))
        .route("/big", get(async || html("text/plain", vec![b'x'; 3_000_000])))
        .route("/slow", get(slow))
        .route("/redirect", get(redirect))
        .route("/status/{code}", get(status))
        .route("/500", get(async || StatusCode::INTERNAL_SERVER_ERROR))
}

fn json(text: &str) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text.to_owned()).into_response()
}

fn html(content_type: &'static str, body: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, content_type)], body).into_response()
}

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

async fn slow() -> &'static str {
    tokio::time::sleep(Duration::from_secs(60)).await;
    "late"
}

async fn redirect(Query(query): Query<HashMap<String, String>>) -> Redirect {
    Redirect::temporary(query.get("to").map_or("/redirect?to=/redirect", String::as_str))
}

async fn status(Path(code): Path<u16>) -> StatusCode {
    StatusCode::from_u16(code).unwrap()
}

fn article() -> String {
    let paragraph = format!(
        "<p>{ARTICLE_SENTENCE}, say the people who live there. They gather under it, they count its rings in \
         stories, and they press its oil in an old stone mill, as their grandparents did before them.</p>"
    );
    format!(
        "<html><head><title>The olive tree</title></head><body>\
         <nav><a href='/'>Home</a> <a href='/shop'>Subscribe now</a></nav>\
         <article><h1>The olive tree</h1>{}</article>\
         <footer>All rights reserved</footer><script>track()</script></body></html>",
        paragraph.repeat(6)
    )
}
