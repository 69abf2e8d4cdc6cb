//! A real SearXNG: what it finds, and what is said when the engines behind it want a riddle solved.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use metnos::{
    config::SearchConfig,
    domain::lang::Lang,
    world::search::{Search, SearchError},
};

use super::servers::searx_url;

fn search() -> Search {
    let config = SearchConfig {
        searx_url: Some(searx_url()),
        timeout_s: 10,
        ..SearchConfig::default()
    };
    Search::from_config(&config).unwrap()
}

#[tokio::test]
async fn pages_are_found() {
    let hits = search().find("swimming pool", Lang::EN).await.unwrap();
    let first = hits.first().unwrap();
    assert_eq!(first.title, "Swimming pool");
    assert!(
        first.text.contains("from 9 to 19") && first.url.ends_with("/pool"),
        "{first:?}"
    );
}

#[tokio::test]
async fn nothing_there_and_nobody_answers_are_two_things() {
    assert_eq!(search().find("zabaglione", Lang::IT).await, Ok(Vec::new()));
    let refused = search().find("!br swimming pool", Lang::EN).await;
    assert_eq!(refused, Err(SearchError::Refused("bedriddle".to_owned())));
}
