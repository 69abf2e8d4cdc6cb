//! Finding one of 500 remembered requests: by hash in the database, by cosine in memory. Embedding is not counted.

use std::time::{Duration, Instant};

use metnos::{
    config::MemoryConfig,
    domain::{
        actor::{Actor, Autonomy, Role},
        ids::{ActorId, ChannelKind, ConversationId, TurnId},
        lang::Lang,
        outcome::{AnsweredBy, FinalKind},
    },
    engine::{
        autopath,
        fastpath::{Likeness, Vectors, canonical_hash},
    },
    language::Language,
    llm::lexical,
    store::{
        Store,
        fastpaths::NewFastpath,
        turns::{Lessons, TurnEnd, TurnRow},
    },
};
use serde_json::json;

use super::Figure;

const FASTPATHS: usize = 500;
const LOOKUPS: usize = 2_000;
/// What BGE-M3 gives, the embedding model of the documentation.
const SERVER_DIMENSIONS: usize = 1_024;

/// Fills a store and looks things up in it.
pub(super) async fn figures() -> Vec<Figure> {
    vec![
        Figure::of_times("lookup by hash among 500", by_hash().await, Duration::from_micros(100)),
        Figure::of_times(
            "lookup by cosine among 500, built-in vectors (512)",
            by_cosine(lexical::embed).await,
            Duration::from_millis(1),
        ),
        Figure::of_times(
            "lookup by cosine among 500, server's vectors (1024)",
            by_cosine(like_a_server).await,
            Duration::from_millis(1),
        ),
    ]
}

async fn by_hash() -> Vec<Duration> {
    let folder = tempfile::tempdir().unwrap();
    let (store, actor) = filled(folder.path(), lexical::embed).await;
    let mut times = Vec::new();
    for number in 0..LOOKUPS {
        let text = request(number % FASTPATHS);
        let started = Instant::now();
        let hash = canonical_hash(&text).unwrap();
        let found = store.fastpath_by_hash(&actor, &hash).await.unwrap();
        times.push(started.elapsed());
        assert!(found.is_some());
    }
    times
}

async fn by_cosine(embed: fn(&str) -> Vec<f32>) -> Vec<Duration> {
    let folder = tempfile::tempdir().unwrap();
    let (store, actor) = filled(folder.path(), embed).await;
    let vectors = Vectors::default();
    let language = Language::embedded().unwrap();
    let mut times = Vec::new();
    for number in 0..=LOOKUPS {
        let text = request(number % FASTPATHS);
        let vector = embed(&text);
        let likeness = Likeness {
            canonical: &text,
            intent: "get|processes",
            vector: &vector,
            embedder: "bench",
            threshold: 0.95,
        };
        let started = Instant::now();
        let found = vectors.closest(&store, &actor, &likeness, &language).await.unwrap();
        times.push(started.elapsed());
        assert!(found.is_some());
    }
    // The first one reads the vectors from the database; they stay in memory until memory changes.
    times.split_off(1)
}

async fn filled(folder: &std::path::Path, embed: fn(&str) -> Vec<f32>) -> (Store, ActorId) {
    let store = Store::open(&folder.join("bench.sqlite")).unwrap();
    let host = Actor {
        id: ActorId::from("host"),
        role: Role::Host,
        name: "host".to_owned(),
        lang: Lang::EN,
        timezone: "Europe/Rome".to_owned(),
        autonomy: Autonomy::default(),
    };
    store.add_actor(&host, 0).await.unwrap();
    let actor = host.id;
    for number in 0..FASTPATHS {
        let text = request(number);
        let vector = embed(&text);
        store.end_turn(turn(&actor, &text, vector)).await.unwrap();
    }
    let kept = store.totals(&actor).await.unwrap().fastpaths;
    assert_eq!(usize::try_from(kept).unwrap(), FASTPATHS);
    (store, actor)
}

/// A turn whose only lesson is one remembered request.
fn turn(actor: &ActorId, text: &str, vector: Vec<f32>) -> TurnEnd {
    let hash = canonical_hash(text).unwrap();
    let memory = MemoryConfig {
        autopath_min_obs: 1.0,
        ban_s: 0,
        retry_ban_s: 0,
        fastpath_max: FASTPATHS,
        fastpath_grace_days: 14,
        fastpath_stale_days: 30,
    };
    TurnEnd {
        inbox: None,
        turn: Some(TurnRow {
            is_typed: true,
            id: TurnId::from(text),
            actor: actor.clone(),
            channel: ChannelKind::Terminal,
            conversation: ConversationId::from("local"),
            request: text.to_owned(),
            canonical_hash: hash.clone(),
            started_ms: 0,
            ended_ms: 0,
            answered_by: AnsweredBy::Simple,
            final_kind: FinalKind::Answer,
            intent: None,
            plan: None,
            model_calls: 0,
            stand_in: None,
            listed: None,
            touched: None,
        }),
        lessons: Lessons {
            fastpath: Some(NewFastpath {
                canonical_text: text.to_owned(),
                canonical_hash: hash,
                embedder: "bench".to_owned(),
                embedding: Some(vector),
                plan: json!({"steps": [{"tool": "get_processes", "args": {"sort_by": "memory", "top": 3}}]}),
                source: AnsweredBy::Simple,
                intent: "get|processes".to_owned(),
                query_specific: false,
                tools_sig: "tools".to_owned(),
                pool_sig: "pool".to_owned(),
                slots: None,
            }),
            ..Lessons::default()
        },
        fastpath_max: FASTPATHS,
        decide: autopath::decider(&memory),
        dialog: None,
        dialog_done: None,
        callbacks: Vec::new(),
        parcels: Vec::new(),
        for_others: Vec::new(),
        run: None,
        now_ms: 0,
    }
}

/// Requests that differ as real ones do.
fn request(number: usize) -> String {
    const WHAT: [&str; 10] = [
        "processes",
        "programs",
        "documents",
        "pictures",
        "invoices",
        "songs",
        "letters",
        "recipes",
        "tickets",
        "films",
    ];
    format!(
        "show the {} biggest {} of shelf {}",
        number % 7 + 2,
        WHAT[number % WHAT.len()],
        number
    )
}

/// A vector as long as a server's: no model is asked, only its shape matters.
fn like_a_server(text: &str) -> Vec<f32> {
    let mut vector = lexical::embed(text);
    vector.extend(lexical::embed(&text.chars().rev().collect::<String>()));
    vector.truncate(SERVER_DIMENSIONS);
    lexical::normalize(&mut vector);
    vector
}
