//! The web: pages as they are, pages as text, and addresses that are not opened.

use std::time::{Duration, Instant};

use metnos::domain::{failure::ErrorClass, manifest::Capability};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{Bench, class, column};
use crate::support::{
    manifests,
    site::{ARTICLE_SENTENCE, Site, UUID},
};

/// A bench whose host typed these addresses.
async fn typed(paths: &[&str]) -> (Site, Bench, Vec<String>) {
    let site = Site::start().await;
    let urls: Vec<String> = paths.iter().map(|path| site.url(path)).collect();
    let bench = Bench::new().trusting(&urls);
    (site, bench, urls)
}

#[tokio::test]
async fn get_urls_parses_json() {
    let (_site, bench, urls) = typed(&["/uuid", "/broken-json"]).await;
    let one = bench.run("get_urls", json!({"urls": [urls[0]]})).await;
    assert_eq!(one.body["data"]["uuid"], UUID, "{one:?}");
    assert_eq!(one.body["status"], 200);
    assert_eq!(one.body["entries"][0]["data"]["uuid"], UUID);
    let broken = bench.run("get_urls", json!({"urls": urls[1]})).await;
    assert!(broken.is_ok());
    assert!(broken.body.get("data").is_none());
}

#[tokio::test]
async fn read_urls_html_keeps_what_a_person_reads() {
    let (_site, bench, urls) = typed(&["/article", "/empty", "/latin1", "/utf16", "/image", "/leaflet"]).await;
    let article = bench.run("read_urls_html", json!({"urls": [urls[0]]})).await;
    let text = article.body["text"].as_str().unwrap_or_else(|| panic!("{article:?}"));
    assert!(text.contains(ARTICLE_SENTENCE), "{text}");
    assert!(!text.contains("Subscribe") && !text.contains("track()"), "{text}");
    assert_eq!(article.body["title"], "The olive tree");
    let latin = bench.run("get_urls", json!({"urls": [urls[2]]})).await;
    assert_eq!(latin.body["content"], "<p>perché no");
    let utf16 = bench.run("read_urls_html", json!({"urls": [urls[3]]})).await;
    assert_eq!(utf16.body["text"], "però");
    assert_eq!(
        class(&bench.run("read_urls_html", json!({"urls": [urls[1]]})).await),
        ErrorClass::NotFound
    );
    assert_eq!(
        class(&bench.run("read_urls_html", json!({"urls": [urls[4]]})).await),
        ErrorClass::InvalidArgs
    );
    let leaflet = bench.run("read_urls_html", json!({"urls": [urls[5]]})).await;
    assert_eq!(leaflet.body["text"], "Open on Mondays.", "{leaflet:?}");
}

#[tokio::test]
async fn servers_that_fail_are_told_apart() {
    let cases = [
        ("/500", ErrorClass::ServerError),
        ("/status/404", ErrorClass::NotFound),
        ("/status/401", ErrorClass::AuthRequired),
        ("/status/429", ErrorClass::RateLimited),
        ("/big", ErrorClass::TooLarge),
    ];
    let (_site, bench, urls) = typed(&cases.map(|(path, _)| path)).await;
    for (url, (path, expected)) in urls.iter().zip(cases) {
        assert_eq!(
            class(&bench.run("get_urls", json!({"urls": [url]})).await),
            expected,
            "{path}"
        );
    }
    let gone = "http://127.0.0.1:1/".to_owned();
    let bench = Bench::new().trusting(std::slice::from_ref(&gone));
    assert_eq!(
        class(&bench.run("get_urls", json!({"urls": [gone]})).await),
        ErrorClass::Network
    );
}

#[tokio::test]
async fn some_addresses_may_fail() {
    let (_site, bench, urls) = typed(&["/uuid", "/500"]).await;
    let result = bench.run("get_urls", json!({"urls": urls})).await;
    assert!(result.is_ok());
    assert_eq!(
        (&result.body["ok_count"], &result.body["fail_count"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(result.body["failed"][0]["url"], urls[1]);
    assert_eq!(column(&result, "status"), [200]);
}

#[tokio::test]
async fn the_household_is_closed_unless_the_host_typed_it() {
    let site = Site::start().await;
    let url = site.url("/uuid");
    assert_eq!(
        class(&Bench::new().run("get_urls", json!({"urls": [url]})).await),
        ErrorClass::Forbidden
    );
    for address in [
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://localhost/",
        "http://2130706433/",
    ] {
        let result = Bench::new().run("read_urls_html", json!({"urls": [address]})).await;
        assert_eq!(class(&result), ErrorClass::Forbidden, "{address}");
    }
    for bad in ["ftp://example.com/x", "file:///etc/passwd", "javascript:alert(1)"] {
        assert_eq!(
            class(&Bench::new().run("get_urls", json!({"urls": [bad]})).await),
            ErrorClass::InvalidArgs,
            "{bad}"
        );
    }

    let bench = Bench::new().trusting(std::slice::from_ref(&url));
    let mut call = bench.call(&json!({"urls": [url]}));
    call.context.is_host = false;
    let guest = bench
        .runner
        .run(&manifests::shipped("get_urls"), call, None, &CancellationToken::new())
        .await;
    assert_eq!(
        class(&guest),
        ErrorClass::Forbidden,
        "a guest's word does not open the house"
    );
}

#[tokio::test]
async fn a_redirect_into_the_household_is_refused() {
    let site = Site::start().await;
    let target = site.url("/uuid");
    let start = site.url(&format!("/redirect?to={target}"));
    let bench = Bench::new().trusting(&[start.clone(), target]);
    assert_eq!(
        class(&bench.run("get_urls", json!({"urls": [start]})).await),
        ErrorClass::Forbidden
    );
}

#[tokio::test]
async fn a_slow_server_ends_with_the_time_limit() {
    let (_site, bench, urls) = typed(&["/slow"]).await;
    let mut manifest = manifests::shipped("get_urls");
    manifest.timeout_s = 1;
    let started = Instant::now();
    assert_eq!(
        class(&bench.run_as(&manifest, json!({"urls": urls})).await),
        ErrorClass::Timeout
    );
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn without_the_capability_nothing_is_fetched() {
    let (_site, bench, urls) = typed(&["/uuid"]).await;
    let mut manifest = manifests::shipped("get_urls");
    manifest.capabilities = vec![Capability::FsRead];
    let result = bench.run_as(&manifest, json!({"urls": urls})).await;
    assert!(
        matches!(
            class(&result),
            ErrorClass::Network | ErrorClass::Crashed | ErrorClass::Internal
        ),
        "{result:?}"
    );
}
