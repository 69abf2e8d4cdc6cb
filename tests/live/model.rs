//! A real llama-server at the other end: the form of plans, the prompt cache, sizes, time limits, and whole turns. The
//! smallest model gets little right, so what a plan says is never asserted here, only what it is.

#![expect(clippy::unwrap_used, reason = "a test helper may fail loudly")]
#![expect(
    clippy::print_stdout,
    reason = "what the figures are is worth reading, not only that they are small"
)]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::Zoned;
use metnos::{
    catalog::{install::SHIPPED, parse},
    config::LlmConfig,
    domain::{
        intent::{Clause, Intent},
        lang::Lang,
        limits::{PLAN_TOKENS_USUAL, POOL_SIZE},
        manifest::Manifest,
        vocabulary::{Object, Verb},
    },
    engine::{
        proposer::{ProposalRequest, ProposeError, prompt, propose, schema::answer_schema},
        shortlist::ShortlistIndex,
    },
    language::Language,
    llm::{LlmClient, LlmError, Meter, Prompt, Workload},
};
use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

use super::{process::Home, servers::llm_url, tools, turn_log::turn_log};

/// The part of the prompt that is the same for everybody.
const STABLE_TOKENS_MAX: u64 = 1_200;
/// The part of one request, with twelve tools.
const VARIABLE_TOKENS_MAX: u64 = 600;
/// Tokens a chat template puts around the two parts, and the ends of parts that are cut elsewhere when joined.
const TEMPLATE_TOKENS_MAX: u64 = 40;
const TWELVE: &str = "find_files list_dirs get_files read_files write_files move_files delete_files create_dirs \
    get_urls read_urls_html filter_entries compute_entries";
/// Of two cores that also compile.
const PATIENCE_S: u64 = 240;

/// One conversation with the server at a time, or they take the cache and the cores from each other.
async fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::const_new(());
    ONE.lock().await
}

fn config() -> LlmConfig {
    LlmConfig {
        url: Some(llm_url()),
        plan_timeout_s: PATIENCE_S,
        call_timeout_s: PATIENCE_S,
        slot: Some(0),
        seed: 42,
        ..LlmConfig::default()
    }
}

fn find_files() -> Intent {
    Intent {
        clauses: vec![Clause {
            verb: Some(Verb::Find),
            object: Some(Object::Files),
        }],
        keywords: Vec::new(),
        confidence: 1.0,
    }
}

/// What the proposer is asked first, with nothing tried before and no plan of code to fall back on.
fn asked<'a>(
    request: &'a str,
    lang: Lang,
    intent: &'a Intent,
    shortlist: &'a [Arc<Manifest>],
    now: &'a Zoned,
) -> ProposalRequest<'a> {
    ProposalRequest {
        request,
        lang,
        intent,
        shortlist,
        excluded: &[],
        errors: &[],
        has_fallback: false,
        now,
    }
}

fn now() -> Zoned {
    "2026-03-05T10:00:00+01:00[Europe/Rome]".parse().unwrap()
}

async fn get(path: &str) -> Value {
    reqwest::get(format!("{}{path}", llm_url()))
        .await
        .unwrap()
        .json()
        .await
        .unwrap()
}

async fn tokens(text: &str) -> u64 {
    let asked = reqwest::Client::new()
        .post(format!("{}/tokenize", llm_url()))
        .json(&json!({"content": text}));
    let answer: Value = asked.send().await.unwrap().json().await.unwrap();
    u64::try_from(answer["tokens"].as_array().unwrap().len()).unwrap()
}

#[tokio::test]
async fn the_server_is_well_and_tells_its_properties() {
    let llm = LlmClient::new(&config()).unwrap();
    assert!(llm.healthy().await);
    let properties = get("/props").await;
    assert!(properties["total_slots"].as_u64().unwrap() >= 2, "{properties}");
    let room = properties["default_generation_settings"]["n_ctx"].as_u64().unwrap();
    assert!(room > STABLE_TOKENS_MAX + VARIABLE_TOKENS_MAX + 512, "{room}");
}

#[tokio::test]
async fn prompts_stay_small() {
    let shortlist = tools::shortlist(TWELVE);
    assert_eq!(shortlist.len(), 12);
    let stable = tokens(prompt::system()).await;
    assert!(stable <= STABLE_TOKENS_MAX, "{stable} tokens");
    println!("stable part: {stable} tokens of {STABLE_TOKENS_MAX}");
    for (lang, request) in [
        (Lang::En, "find the pdf files in ~/docs modified this week"),
        (Lang::It, "trova i file pdf in ~/docs modificati questa settimana"),
    ] {
        let user = prompt::user(&asked(request, lang, &find_files(), &shortlist, &now()));
        let variable = tokens(&user).await;
        assert!(variable <= VARIABLE_TOKENS_MAX, "{variable} tokens:\n{user}");
        println!("part of «{request}», twelve tools: {variable} tokens of {VARIABLE_TOKENS_MAX}");
    }
}

/// The tools that the requests of the scenarios really bring, helpers and companions included.
#[tokio::test]
async fn prompts_of_real_requests_stay_small() {
    let language = Language::embedded().unwrap();
    let catalog: Vec<Arc<Manifest>> = SHIPPED
        .iter()
        .map(|(_, text)| Arc::new(parse::parse(text.as_bytes()).unwrap().manifest))
        .collect();
    let index = ShortlistIndex::new(&catalog, &language);
    let mut counts = Vec::new();
    for (lang, file) in [(Lang::En, "en.toml"), (Lang::It, "it.toml")] {
        let path = format!("{}/eval/scenarios/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let said = text
            .lines()
            .filter_map(|line| line.strip_prefix("say = \"")?.strip_suffix('"'));
        for request in said {
            let request = request.replace("\\\"", "\"");
            let reading = language.read(&request, lang, &now());
            let shortlist = index.shortlist(&reading, &language, POOL_SIZE);
            let user = prompt::user(&asked(&request, lang, &reading.intent, &shortlist, &now()));
            let variable = tokens(&user).await;
            counts.push((variable, shortlist.len()));
        }
    }
    assert!(counts.len() > 200, "{}", counts.len());
    counts.sort_unstable();
    let (median, (most, tools)) = (counts[counts.len() / 2].0, counts[counts.len() - 1]);
    println!(
        "parts of {} requests: {median} tokens in the middle, {most} at most, with {tools} tools",
        counts.len()
    );
    let over: Vec<_> = counts
        .iter()
        .filter(|(count, _)| *count > VARIABLE_TOKENS_MAX)
        .collect();
    assert!(over.is_empty(), "{over:?}");
}

/// The examples of the prompt are the usual plans; the model indents what it writes under a grammar, and that counts.
#[tokio::test]
async fn usual_plans_are_short() {
    let examples: Vec<Value> = prompt::system()
        .lines()
        .filter(|line| line.starts_with("{\"steps\":[{") && !line.contains("NAME"))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(examples.len() >= 8, "{}", examples.len());
    let mut most = 0;
    for plan in &examples {
        let written = serde_json::to_string_pretty(plan).unwrap();
        let count = tokens(&written).await;
        assert!(count <= u64::from(PLAN_TOKENS_USUAL), "{count} tokens:\n{written}");
        most = most.max(count);
    }
    println!(
        "the longest of {} usual plans: {most} tokens of {PLAN_TOKENS_USUAL}",
        examples.len()
    );
}

/// Two requests of different people, one after the other, in the pool of twelve tools: all that is read anew of the
/// second is its own part.
#[tokio::test]
async fn of_a_second_request_only_its_own_part_is_read() {
    let _alone = alone().await;
    let shortlist = tools::shortlist(TWELVE);
    let client = reqwest::Client::new();
    let stable = tokens(prompt::system()).await;
    let mut processed = Vec::new();
    for request in ["find the pdf files in ~/docs", "sposta i jpg da ~/in a ~/foto"] {
        let user = prompt::user(&asked(request, Lang::En, &Intent::unknown(), &shortlist, &now()));
        let own = tokens(&user).await;
        // As the client asks, but for one token: what is counted is the reading.
        let asked = client.post(format!("{}/v1/chat/completions", llm_url())).json(&json!({
            "messages": [{"role": "system", "content": prompt::system()}, {"role": "user", "content": user}],
            "max_tokens": 1, "temperature": 0, "cache_prompt": true, "id_slot": 0
        }));
        let answer: Value = asked.send().await.unwrap().json().await.unwrap();
        let cached = answer["timings"]["cache_n"].as_u64().unwrap();
        let read = answer["timings"]["prompt_n"].as_u64().unwrap();
        println!("«{request}»: {cached} tokens cached, {read} processed (stable {stable}, own {own})");
        processed.push((cached, read, own));
    }
    let [_, (cached, read, own)] = processed[..] else {
        panic!("{processed:?}")
    };
    assert!(cached + TEMPLATE_TOKENS_MAX >= stable, "{processed:?}");
    assert!(read <= own + TEMPLATE_TOKENS_MAX, "{processed:?}");
}

/// The grammar leaves a model no way to write anything but a plan; and the second request finds the first in the cache.
#[tokio::test]
async fn a_plan_is_a_plan_and_its_prompt_stays_cached() {
    let _alone = alone().await;
    let llm = LlmClient::new(&config()).unwrap();
    let shortlist = tools::shortlist("find_files list_dirs get_now");
    let stable = tokens(prompt::system()).await;
    for (turn, request) in ["find the pdf files in ~/docs", "list the files in ~/notes"]
        .iter()
        .enumerate()
    {
        let meter = Meter::default();
        let proposed = propose(
            &llm,
            &asked(request, Lang::En, &find_files(), &shortlist, &now()),
            &meter,
        )
        .await;
        match proposed {
            // A plan, or an honest no: both are proposals. A model this small may also ramble until it is cut off.
            Ok(_) | Err(ProposeError::CutOff) => {}
            Err(error) => panic!("{request}: {error}"),
        }
        let used = meter.used();
        assert!(used.tokens_in > stable && used.tokens_out > 0, "{used:?}");
        assert!(used.calls >= 1 && used.latency_ms > 0, "{used:?}");
        if turn > 0 {
            assert!(
                used.tokens_cached >= stable * 9 / 10,
                "the stable part was read again: {used:?}"
            );
        }
    }
}

/// What the schema forbids cannot be written, whatever is asked.
#[tokio::test]
async fn the_schema_binds_even_nonsense() {
    let _alone = alone().await;
    let llm = LlmClient::new(&config()).unwrap();
    let shortlist = tools::shortlist("get_now get_processes");
    let request = "sing me a song about the sea, in prose, without braces";
    let schema = answer_schema(&shortlist, &Intent::unknown(), request);
    let asked = Prompt {
        system: "You are a poet.".to_owned(),
        user: request.to_owned(),
        schema: Some(schema.clone()),
        max_tokens: 400,
    };
    let answer = llm.complete(Workload::Plan, &asked, &Meter::default()).await.unwrap();
    if !answer.cut_off {
        let said: Value = serde_json::from_str(&answer.text).unwrap();
        let valid = jsonschema::validator_for(&schema).unwrap();
        assert!(valid.is_valid(&said), "{said}");
    }
}

#[tokio::test]
async fn a_limit_ends_the_call_and_the_next_one_is_answered() {
    let _alone = alone().await;
    let mut hasty = config();
    hasty.plan_timeout_s = 1;
    let llm = LlmClient::new(&hasty).unwrap();
    let asked = Prompt {
        system: "Write a long story.".to_owned(),
        user: "Begin, and do not stop. ".repeat(60),
        schema: None,
        max_tokens: 2_000,
    };
    let started = Instant::now();
    let error = llm
        .complete(Workload::Plan, &asked, &Meter::default())
        .await
        .unwrap_err();
    assert!(matches!(error, LlmError::Timeout { seconds: 1 }), "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
    let next = Prompt {
        system: "Answer in one word.".to_owned(),
        user: "Say yes.".to_owned(),
        schema: None,
        max_tokens: 4,
    };
    let answer = LlmClient::new(&config())
        .unwrap()
        .complete(Workload::Filler, &next, &Meter::default())
        .await;
    assert!(answer.is_ok(), "{answer:?}");
}

/// The program itself with the real server: every request is answered, and the log says what the model cost.
#[tokio::test]
async fn whole_turns_end_and_are_counted() {
    let _alone = alone().await;
    let home = Home::new();
    home.write("docs/taxes.pdf", "pdf");
    home.configure(&format!(
        "engine = \"metis\"\n[llm]\nurl = \"{}\"\nplan_timeout_s = {PATIENCE_S}\ncall_timeout_s = {PATIENCE_S}\n",
        llm_url()
    ));
    let said = home.chat(&["find the pdf files in ~/docs", "what time is it"]).await;
    assert!(said.contains("It's "), "{said}");
    let log = turn_log(&home.data_dir());
    assert_eq!(log.len(), 2, "{said}");
    assert!(log[0]["llm"]["calls"].as_u64().unwrap() >= 1, "{}", log[0]);
    assert!(log[0]["llm"]["tokens_in"].as_u64().unwrap() > 0, "{}", log[0]);
    assert!(!log[0]["final_message"].as_str().unwrap().is_empty(), "{}", log[0]);
    assert_eq!(log[1]["answered_by"], "pattern");
    assert_eq!(log[1]["llm"]["calls"], 0, "fixed requests cost no model");
}
